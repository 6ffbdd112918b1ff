// SPDX-License-Identifier: MIT
//
// scene_links.c: links and joints of a scene, against the bodies that they bind.

#include "scene_across.h"

#include <math.h>
#include <string.h>

static void CheckLinkEnd(rslAcross* across, const rslNodeSetDef* end, const char* key)
{
    rslAcross_CheckNodes(across, end, key);
    if (end->body == NULL)
    {
        size_t length = rslTrail_Push(across->trail, key, -1);
        rslTrail_Error(across->trail, end->place, NULL, "missing key 'body': each end of a link names its body");
        rslTrail_Pop(across->trail, length);
    }
}

static bool IsRigid(const rslBodyDef* body)
{
    return body != NULL && body->model.type == rsl_rigidModel;
}

static void CheckWeld(rslAcross* across, const rslLinkDef* link)
{
    const rslBodyDef* from = rslAcross_FindBody(across, link->from.body);
    const rslBodyDef* to = rslAcross_FindBody(across, link->to.body);
    if (from != NULL && to != NULL && (IsRigid(from) || !IsRigid(to)))
    {
        rslTrail_Error(
            across->trail, link->place, NULL,
            "a weld makes nodes of a soft body part of a rigid one: found '%.60s', which is %s, to '%.60s', "
            "which is %s; expected soft to rigid (for two soft bodies take a tie, for two rigid ones a joint)",
            link->from.body, IsRigid(from) ? "rigid" : "soft", link->to.body, IsRigid(to) ? "rigid" : "soft");
    }
}

void rslAcross_CheckLink(rslAcross* across, const rslLinkDef* link)
{
    CheckLinkEnd(across, &link->from, "from");
    CheckLinkEnd(across, &link->to, "to");
    bool same = link->from.body != NULL && link->to.body != NULL && strcmp(link->from.body, link->to.body) == 0;
    if (link->type == rsl_tieLink && same)
    {
        rslPlace place = rslAcross_Place(across, "nodes", "body", &link->to, -1, link->place);
        rslTrail_Error(across->trail, place, NULL, "a tie binds two bodies, but both ends are '%.60s'", link->to.body);
    }
    if (link->type == rsl_weldLink && link->from.body != NULL && link->to.body != NULL)
    {
        CheckWeld(across, link);
    }
    // when the key is absent, the reader has said so
    bool said = across->origins != NULL && !rslAcross_WasGiven(across, "link", "stiffness", link);
    if (link->type == rsl_springLink && isnan(link->stiffness) && !said)
    {
        rslPlace place = rslAcross_Place(across, "link", "stiffness", link, -1, link->place);
        rslTrail_Error(across->trail, place, "stiffness", "found auto, which is for ties, expected a number in N/m");
    }
}

static void CheckJointEnd(rslAcross* across, const rslJointDef* joint, const char* key, const char* name)
{
    const rslBodyDef* body = name != NULL ? rslAcross_FindBody(across, name) : NULL;
    rslPlace place = rslAcross_Place(across, "joint", key, joint, -1, joint->place);
    if (name != NULL && body == NULL)
    {
        rslAcross_UnknownBody(across, place, key, name);
    }
    else if (name != NULL && !IsRigid(body))
    {
        rslTrail_Error(
            across->trail, place, key,
            "found '%.60s', a soft body, expected a rigid one ('model: rigid'): a soft body has no axis; hold "
            "its nodes with a link to a rigid body",
            name);
    }
}

void rslAcross_CheckJoint(rslAcross* across, const rslJointDef* joint)
{
    CheckJointEnd(across, joint, "a", joint->a);
    CheckJointEnd(across, joint, "b", joint->b);
    if (joint->a != NULL && joint->b != NULL && strcmp(joint->a, joint->b) == 0)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "joint", "b", joint, -1, joint->place), "b",
                       "found '%.60s' at both ends, expected two bodies", joint->b);
    }
    bool across3 = joint->axis.x != 0.0 || joint->axis.y != 0.0;
    if (across->scene->plane == rsl_planeXY && joint->type == rsl_hingeJoint && across3)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "joint", "axis", joint, -1, joint->place), "axis",
                       "found an axis that is not along z in a scene with plane: xy, expected [0, 0, 1]");
    }
}
