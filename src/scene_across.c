// SPDX-License-Identifier: MIT
//
// scene_across.c: what several keys of a scene mean together: names, references, counts, contradictions. Careful with
// what is missing or wrong by itself, since it also runs beside other errors.

#include "scene_across.h"

#include "memory.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- helpers ----------------------------------------------------------------------------------------------------

static const rslStruct* StructOf(const char* name)
{
    int i = 0;
    while (rslSchema_Struct(i) != NULL && strcmp(rslSchema_Struct(i)->name, name) != 0)
    {
        i += 1;
    }
    return rslSchema_Struct(i);
}

rslPlace rslAcross_Place(const rslAcross* across, const char* structName, const char* key, const void* owner, int index,
                         rslPlace fallback)
{
    const rslReport* report = across->trail->report;
    bool unseen = report == NULL || report->count == RSL_REPORT_CAPACITY;  // then do not search a long list
    return rslOrigins_Place(across->origins, StructOf(structName), key, owner, unseen ? -1 : index, fallback);
}

bool rslAcross_WasGiven(const rslAcross* across, const char* structName, const char* key, const void* owner)
{
    return rslOrigins_Node(across->origins, StructOf(structName), key, owner) >= 0;
}

static int CompareNames(const void* a, const void* b)
{
    const rslNamed *p = a, *q = b;
    int order = strcmp(p->name, q->name);
    return order != 0 ? order : (p->index > q->index) - (p->index < q->index);
}

const rslBodyDef* rslAcross_FindBody(const rslAcross* across, const char* name)
{
    int low = 0, high = across->nameCount;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        int order = strcmp(across->names[middle].name, name);
        if (order == 0)
        {
            return &across->scene->bodies[across->names[middle].index];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

static void ReportUnknownBody(rslAcross* across, rslPlace place, const char* key, const char* name)
{
    rslNearest nearest = rslNearest_Make(name);
    int tried = across->nameCount < 1000 ? across->nameCount : 1000;
    for (int i = 0; i < tried; ++i)
    {
        rslNearest_Try(&nearest, across->names[i].name);
    }
    const char* only = across->nameCount == 1 ? across->names[0].name : NULL;
    if (nearest.best != NULL)
    {
        rslTrail_Error(across->trail, place, key, "there is no body '%.60s'; did you mean '%s'?", name, nearest.best);
    }
    else
    {
        rslTrail_Error(across->trail, place, key, "there is no body '%.60s'%s%s%s", name,
                       only != NULL ? "; the only body is '" : "", only != NULL ? only : "", only != NULL ? "'" : "");
    }
}

// ---- chosen nodes and courses -----------------------------------------------------------------------------------

static bool Below(rslVec3 a, rslVec3 b)
{
    return a.x <= b.x && a.y <= b.y && a.z <= b.z;
}

static void CheckIndices(rslAcross* across, const rslNodeSetDef* set, const rslBodyDef* body)
{
    if (body == NULL && across->scene->bodyCount > 1)
    {
        rslTrail_Error(across->trail, set->place, NULL,
                       "nodes by number need the key 'body', since there are %d bodies", across->scene->bodyCount);
    }
    body = body == NULL && across->scene->bodyCount == 1 ? &across->scene->bodies[0] : body;
    bool known = body != NULL && body->network.type == rsl_explicitNetwork && body->network.nodeCount > 0;
    for (int i = 0; known && i < set->indexCount; ++i)
    {
        if (set->indices[i] >= body->network.nodeCount)
        {
            rslPlace place = rslAcross_Place(across, "nodes", "indices", set, i, set->place);
            rslTrail_Error(across->trail, place, "indices", "found %d, but '%s' has %d nodes, counted from 0",
                           set->indices[i], body->name != NULL ? body->name : "the body", body->network.nodeCount);
        }
    }
}

void rslAcross_CheckNodes(rslAcross* across, const rslNodeSetDef* set, const char* key)
{
    size_t length = rslTrail_Push(across->trail, key, -1);
    const rslBodyDef* body = set->body != NULL ? rslAcross_FindBody(across, set->body) : NULL;
    if (set->body != NULL && body == NULL)
    {
        ReportUnknownBody(across, rslAcross_Place(across, "nodes", "body", set, -1, set->place), "body", set->body);
    }
    else if (set->type == rsl_listNodes)
    {
        CheckIndices(across, set, body);
    }
    if (set->type == rsl_boxNodes && !Below(set->min, set->max))
    {
        rslPlace place = rslAcross_Place(across, "nodes", "min", set, -1, set->place);
        rslTrail_Error(across->trail, place, "min", "found a min above max, expected the lower corner");
    }
    rslTrail_Pop(across->trail, length);
}

// Times in the first of width columns must increase.
void rslAcross_CheckTimes(rslAcross* across, const char* structName, const char* key, const void* owner,
                          rslPlace fallback, const double* rows, int count, int width)
{
    for (int i = 1; i < count; ++i)
    {
        double last = rows[(size_t)(i - 1) * (size_t)width], next = rows[(size_t)i * (size_t)width];
        if (!(next > last))
        {
            char a[RSL_NUMBER_CAPACITY], b[RSL_NUMBER_CAPACITY];
            rslNumber_Print(next, a);
            rslNumber_Print(last, b);
            rslPlace place = rslAcross_Place(across, structName, key, owner, i, fallback);
            rslTrail_Error(across->trail, place, key, "found time %s after %s, expected increasing times", a, b);
            return;
        }
    }
}

static void CheckCourse(rslAcross* across, const rslCourseDef* course)
{
    size_t length = rslTrail_Push(across->trail, "course", -1);
    if (course->type == rsl_tableCourse)
    {
        rslAcross_CheckTimes(across, "course", "points", course, course->place, course->points, course->pointCount, 2);
    }
    rslTrail_Pop(across->trail, length);
}

// ---- loads, constraints, links, drives --------------------------------------------------------------------------

// In a plane scene a vector has no part out of the plane.
static void CheckFlat(rslAcross* across, const char* structName, const char* key, const void* owner, rslVec3 vector,
                      rslPlace fallback)
{
    if (across->scene->plane == rsl_planeXY && vector.z != 0.0)
    {
        rslPlace place = rslAcross_Place(across, structName, key, owner, -1, fallback);
        rslTrail_Error(across->trail, place, key, "found a z of its own in a scene with plane: xy, expected [x, y, 0]");
    }
}

static void CheckTurn(rslAcross* across, const char* structName, const char* key, const void* owner, rslVec3 axis,
                      double angle, rslPlace fallback)
{
    if (across->scene->plane == rsl_planeXY && angle != 0.0 && (axis.x != 0.0 || axis.y != 0.0))
    {
        rslPlace place = rslAcross_Place(across, structName, key, owner, -1, fallback);
        rslTrail_Error(across->trail, place, key,
                       "found a turn out of the plane in a scene with plane: xy, expected one about z");
    }
}

static void CheckPressure(rslAcross* across, const rslLoadDef* load)
{
    if (load->body == NULL)
    {
        return;
    }
    const rslBodyDef* body = rslAcross_FindBody(across, load->body);
    rslPlace place = rslAcross_Place(across, "load", "body", load, -1, load->place);
    if (body == NULL)
    {
        ReportUnknownBody(across, place, "body", load->body);
    }
    else if (body->network.type == rsl_explicitNetwork && body->network.triangleCount == 0 &&
             body->network.tetrahedronCount == 0)
    {
        rslTrail_Error(across->trail, place, "body",
                       "'%s' is an explicit network without elements and has no surface for a pressure to act on: list "
                       "its triangles or tetrahedra",
                       load->body);
    }
    else if (!body->surface.enabled)
    {
        rslTrail_Error(across->trail, place, "body",
                       "'%s' has no surface for a pressure to act on: remove 'surface: false' from it", load->body);
    }
}

static void CheckLoad(rslAcross* across, const rslLoadDef* load)
{
    if (load->type == rsl_pressureLoad)
    {
        CheckPressure(across, load);
    }
    else
    {
        rslAcross_CheckNodes(across, &load->nodes, "nodes");
    }
    if (load->type == rsl_forceLoad)
    {
        CheckFlat(across, "load", "force", load, load->force, load->place);
    }
    if (load->type == rsl_accelerationLoad)
    {
        CheckFlat(across, "load", "acceleration", load, load->acceleration, load->place);
    }
    CheckCourse(across, &load->course);
}

static void CheckOffsets(rslAcross* across, const rslConstraintDef* motion)
{
    rslPlace place = rslAcross_Place(across, "constraint", "offsets", motion, -1, motion->place);
    if (motion->offsetCount > 0 && motion->nodes.type != rsl_listNodes)
    {
        rslTrail_Error(across->trail, place, "offsets", "found beside nodes that are not listed, expected type: list");
    }
    else if (motion->offsetCount > 0 && motion->offsetCount != motion->nodes.indexCount)
    {
        rslTrail_Error(across->trail, place, "offsets", "found %d for %d indices of nodes, expected one each",
                       motion->offsetCount, motion->nodes.indexCount);
    }
    for (int i = 0; across->scene->plane == rsl_planeXY && i < motion->offsetCount; ++i)
    {
        if (motion->offsets[3 * (size_t)i + 2] != 0.0)
        {
            place = rslAcross_Place(across, "constraint", "offsets", motion, i, motion->place);
            rslTrail_Error(across->trail, place, "offsets", "found a z in a scene with plane: xy, expected 0");
            break;
        }
    }
}

static bool Moves(const rslMovementDef* move)
{
    bool shifted = move->translate.x != 0.0 || move->translate.y != 0.0 || move->translate.z != 0.0;
    return shifted || move->pathCount > 0 || move->rotate.angle != 0.0;
}

// The motion of an owner, a constraint or a collider.
static void CheckMovement(rslAcross* across, const char* structName, const void* owner, rslPlace fallback,
                          const rslMovementDef* move)
{
    if (move->pathCount > 0 && (move->translate.x != 0.0 || move->translate.y != 0.0 || move->translate.z != 0.0))
    {
        rslPlace place = rslAcross_Place(across, structName, "path", owner, -1, fallback);
        rslTrail_Error(across->trail, place, "path", "found beside 'translate', expected one of the two");
    }
    rslAcross_CheckTimes(across, structName, "path", owner, fallback, move->path, move->pathCount, 4);
    for (int i = 0; i < move->pathCount; ++i)
    {
        if (across->scene->plane == rsl_planeXY && move->path[4 * (size_t)i + 3] != 0.0)
        {
            rslPlace place = rslAcross_Place(across, structName, "path", owner, i, fallback);
            rslTrail_Error(across->trail, place, "path", "found a z of its own in a scene with plane: xy, expected 0");
            break;
        }
    }
    CheckFlat(across, structName, "translate", owner, move->translate, fallback);
    CheckTurn(across, structName, "rotate", owner, move->rotate.axis, move->rotate.angle, fallback);
    CheckCourse(across, &move->course);
}

static void CheckMotion(rslAcross* across, const rslConstraintDef* motion)
{
    if (!Moves(&motion->move) && motion->offsetCount == 0)
    {
        rslTrail_Warn(across->trail, motion->place, NULL,
                      "a motion without translate, rotate, path or offsets holds its nodes still, as a pin does");
    }
    CheckOffsets(across, motion);
    CheckMovement(across, "constraint", motion, motion->place, &motion->move);
}

static void CheckConstraint(rslAcross* across, const rslConstraintDef* constraint)
{
    rslAcross_CheckNodes(across, &constraint->nodes, "nodes");
    if (constraint->type == rsl_motionConstraint)
    {
        CheckMotion(across, constraint);
    }
}

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

static void CheckJointEnd(rslAcross* across, const rslJointDef* joint, const char* key, const char* name)
{
    const rslBodyDef* body = name != NULL ? rslAcross_FindBody(across, name) : NULL;
    rslPlace place = rslAcross_Place(across, "joint", key, joint, -1, joint->place);
    if (name != NULL && body == NULL)
    {
        ReportUnknownBody(across, place, key, name);
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

static void CheckJoint(rslAcross* across, const rslJointDef* joint)
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

static void CheckLink(rslAcross* across, const rslLinkDef* link)
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

static bool SamePair(const rslContactDef* x, const rslContactDef* y)
{
    bool named = x->a != NULL && x->b != NULL && y->a != NULL && y->b != NULL;
    return named && ((strcmp(x->a, y->a) == 0 && strcmp(x->b, y->b) == 0) ||
                     (strcmp(x->a, y->b) == 0 && strcmp(x->b, y->a) == 0));
}

static void CheckContact(rslAcross* across, int index)
{
    const rslContactDef* contact = &across->scene->contacts[index];
    const char* names[2] = { contact->a, contact->b };
    for (int i = 0; i < 2; ++i)
    {
        const char* key = i == 0 ? "a" : "b";
        const rslBodyDef* body = names[i] != NULL ? rslAcross_FindBody(across, names[i]) : NULL;
        rslPlace place = rslAcross_Place(across, "contact", key, contact, -1, contact->place);
        if (names[i] != NULL && body == NULL)
        {
            ReportUnknownBody(across, place, key, names[i]);
        }
        else if (body != NULL && !body->surface.enabled)
        {
            rslTrail_Error(across->trail, place, key,
                           "contacts are between surfaces, and that of body '%.60s' is off: enable it", names[i]);
        }
    }
    if (contact->a != NULL && contact->b != NULL && strcmp(contact->a, contact->b) == 0)
    {
        rslPlace place = rslAcross_Place(across, "contact", "b", contact, -1, contact->place);
        rslTrail_Error(across->trail, place, "b",
                       "found '%.60s' again: a body does not touch itself, expected the name of another body",
                       contact->b);
    }
    for (int j = index > 1000 ? index - 1000 : 0; j < index; ++j)  // enough to catch a slip
    {
        if (SamePair(&across->scene->contacts[j], contact))
        {
            rslTrail_Error(across->trail, contact->place, NULL,
                           "found the pair '%.60s' and '%.60s' twice, expected it once: contacts act both ways",
                           contact->a, contact->b);
            break;
        }
    }
    if (across->scene->plane == rsl_planeXY)
    {
        rslTrail_Error(across->trail, contact->place, NULL,
                       "contacts are between surfaces in space, and this scene is plane: use 'plane: xyz'");
    }
}

static const char groundName[] = "ground";

static void CheckCollider(rslAcross* across, int index)
{
    const rslScene* scene = across->scene;
    const rslColliderDef* collider = &scene->colliders[index];
    CheckFlat(across, "collider", "normal", collider, collider->normal, collider->place);
    CheckMovement(across, "collider", collider, collider->place, &collider->move);
    if (collider->hardness != 1.0 && !isnan(collider->stiffness))
    {
        rslPlace place = rslAcross_Place(across, "collider", "hardness", collider, -1, collider->place);
        rslTrail_Error(across->trail, place, "hardness",
                       "found beside a 'stiffness' that is not auto, expected one of the two");
    }
    bool taken = collider->name != NULL && scene->ground.enabled && strcmp(collider->name, groundName) == 0;
    int earlier = index > 1000 ? index - 1000 : 0;  // enough to catch a slip
    for (int j = earlier; collider->name != NULL && j < index; ++j)
    {
        taken = taken || (scene->colliders[j].name != NULL && strcmp(scene->colliders[j].name, collider->name) == 0);
    }
    if (taken)
    {
        rslPlace place = rslAcross_Place(across, "collider", "name", collider, -1, collider->place);
        rslTrail_Error(across->trail, place, "name", "found a second collider '%s', expected another name%s",
                       collider->name,
                       strcmp(collider->name, groundName) == 0 ? " (that of the scene's ground is 'ground')" : "");
    }
}

// A state of rest does not know how it was reached, and friction depends on that.
static void CheckFriction(rslAcross* across)
{
    const rslScene* scene = across->scene;
    bool any = scene->ground.enabled && scene->ground.friction > 0.0;
    rslPlace place = scene->ground.place;
    for (int i = 0; i < scene->colliderCount && !any; ++i)
    {
        any = scene->colliders[i].friction > 0.0;
        place = scene->colliders[i].place;
    }
    if (any && scene->time.integrator == rsl_static)
    {
        rslTrail_Warn(across->trail, place, "friction", "the integrator 'static' leaves friction out");
    }
}

static void CheckLists(rslAcross* across)
{
    const rslScene* scene = across->scene;
    rslTrail* trail = across->trail;
    for (int i = 0; i < scene->loadCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "loads", i);
        CheckLoad(across, &scene->loads[i]);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->constraintCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "constraints", i);
        CheckConstraint(across, &scene->constraints[i]);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->linkCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "links", i);
        CheckLink(across, &scene->links[i]);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->driveCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "drives", i);
        rslAcross_CheckNodes(across, &scene->drives[i].nodes, "nodes");
        CheckFlat(across, "drive", "direction", &scene->drives[i], scene->drives[i].direction, scene->drives[i].place);
        CheckCourse(across, &scene->drives[i].course);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->contactCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "contacts", i);
        CheckContact(across, i);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->jointCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "joints", i);
        CheckJoint(across, &scene->joints[i]);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->colliderCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "colliders", i);
        CheckCollider(across, i);
        rslTrail_Pop(trail, length);
    }
}

// ---- the scene --------------------------------------------------------------------------------------------------

static void CheckProbedCollider(rslAcross* across, const rslProbeDef* probe)
{
    const rslScene* scene = across->scene;
    rslNearest nearest = rslNearest_Make(probe->collider);
    bool found = scene->ground.enabled && strcmp(probe->collider, groundName) == 0;
    for (int i = 0; i < scene->colliderCount && !found; ++i)
    {
        const char* name = scene->colliders[i].name;
        found = name != NULL && strcmp(probe->collider, name) == 0;
        if (name != NULL && i < 1000)
        {
            rslNearest_Try(&nearest, name);
        }
    }
    if (!found)
    {
        rslPlace place = rslAcross_Place(across, "probe", "collider", probe, -1, probe->place);
        rslTrail_Error(across->trail, place, "collider", "there is no collider '%.60s'%s%s%s", probe->collider,
                       nearest.best != NULL ? "; did you mean '" : "; give one this name",
                       nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "'?" : "");
    }
}

static void CheckProbe(rslAcross* across, const rslProbeDef* probe)
{
    if (probe->type == rsl_nodeProbe)
    {
        rslAcross_CheckNodes(across, &probe->nodes, "nodes");
    }
    else if (probe->body != NULL && rslAcross_FindBody(across, probe->body) == NULL)
    {
        ReportUnknownBody(across, rslAcross_Place(across, "probe", "body", probe, -1, probe->place), "body",
                          probe->body);
    }
    if (probe->type == rsl_flowProbe)
    {
        CheckFlat(across, "probe", "normal", probe, probe->normal, probe->place);
    }
    if (probe->type == rsl_reactionProbe && probe->constraint >= across->scene->constraintCount)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "probe", "constraint", probe, -1, probe->place),
                       "constraint", "found %d, expected one of the %d constraints of the scene, counted from 0",
                       probe->constraint, across->scene->constraintCount);
    }
    if (probe->type == rsl_jointProbe && probe->joint >= across->scene->jointCount)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "probe", "joint", probe, -1, probe->place), "joint",
                       "found %d, expected one of the %d joints of the scene, counted from 0", probe->joint,
                       across->scene->jointCount);
    }
    if (probe->type == rsl_colliderProbe && probe->collider != NULL)
    {
        CheckProbedCollider(across, probe);
    }
    if (probe->type == rsl_groundProbe && !across->scene->ground.enabled)
    {
        rslTrail_Warn(across->trail, probe->place, NULL, "this probe measures a ground, and the scene has none");
    }
}

static void CheckProbes(rslAcross* across)
{
    const rslOutputDef* output = &across->scene->output;
    for (int i = 0; i < output->probeCount; ++i)
    {
        const rslProbeDef* probe = &output->probes[i];
        size_t length = rslTrail_Push(across->trail, "output.probes", i);
        CheckProbe(across, probe);
        int earlier = i > 1000 ? i - 1000 : 0;  // enough to catch a slip
        for (int j = earlier; j < i && probe->name != NULL; ++j)
        {
            if (output->probes[j].name != NULL && strcmp(output->probes[j].name, probe->name) == 0)
            {
                rslPlace place = rslAcross_Place(across, "probe", "name", probe, -1, probe->place);
                rslTrail_Error(across->trail, place, "name", "found a second probe '%s', expected another name",
                               probe->name);
                break;
            }
        }
        rslTrail_Pop(across->trail, length);
    }
}

static void CheckTop(rslAcross* across)
{
    const rslScene* scene = across->scene;
    CheckFlat(across, "scene", "gravity", scene, scene->gravity, (rslPlace){ 0, 0 });
    if (scene->ground.enabled)
    {
        size_t length = rslTrail_Push(across->trail, "ground", -1);
        CheckFlat(across, "ground", "normal", &scene->ground, scene->ground.normal, scene->ground.place);
        rslTrail_Pop(across->trail, length);
    }
    if (scene->time.step > scene->time.duration)
    {
        rslPlace place = rslAcross_Place(across, "time", "step", &scene->time, -1, scene->time.place);
        size_t length = rslTrail_Push(across->trail, "time", -1);
        rslTrail_Error(across->trail, place, "step", "found a step longer than the duration");
        rslTrail_Pop(across->trail, length);
    }
    if (scene->time.integrator == rsl_static && !isnan(scene->time.step))
    {
        rslPlace place = rslAcross_Place(across, "time", "step", &scene->time, -1, scene->time.place);
        size_t length = rslTrail_Push(across->trail, "time", -1);
        rslTrail_Error(across->trail, place, "step",
                       "the integrator 'static' takes 'increments' of the duration, not steps");
        rslTrail_Pop(across->trail, length);
    }
    CheckFriction(across);
    double frames = scene->output.frames * scene->time.duration;
    if (frames > 1e5)
    {
        char number[RSL_NUMBER_CAPACITY];
        rslNumber_Print(ceil(frames), number);
        rslTrail_Warn(across->trail, scene->output.place, "frames", "%s frames will be written", number);
    }
}

static bool CollectNames(rslAcross* across)
{
    const rslScene* scene = across->scene;
    across->names = rslAllocate(&across->hooks, (size_t)scene->bodyCount, sizeof(rslNamed));
    if (across->names == NULL)
    {
        return false;
    }
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        if (scene->bodies[i].name != NULL)
        {
            across->names[across->nameCount++] = (rslNamed){ scene->bodies[i].name, i };
        }
    }
    qsort(across->names, (size_t)across->nameCount, sizeof(rslNamed), CompareNames);
    for (int i = 1; i < across->nameCount; ++i)
    {
        const rslNamed* named = &across->names[i];
        if (strcmp(named->name, across->names[i - 1].name) == 0)
        {
            const rslBodyDef* body = &scene->bodies[named->index];
            size_t length = rslTrail_Push(across->trail, "bodies", named->index);
            rslTrail_Error(across->trail, rslAcross_Place(across, "body", "name", body, -1, body->place), "name",
                           "found a second body '%s', expected another name", named->name);
            rslTrail_Pop(across->trail, length);
        }
    }
    return true;
}

bool rslScene_CheckAcross(const rslScene* scene, const rslOrigins* origins, rslTrail* trail)
{
    rslAcross across = {
        .scene = scene,
        .origins = origins,
        .trail = trail,
        .hooks = origins != NULL        ? origins->hooks
                 : scene->arena != NULL ? scene->arena->hooks
                                        : rslHooks_Complete(NULL),
    };
    bool good = CollectNames(&across);
    CheckTop(&across);
    for (int i = 0; i < scene->bodyCount && good; ++i)
    {
        size_t length = rslTrail_Push(trail, "bodies", i);
        good = rslAcross_CheckBody(&across, &scene->bodies[i]);
        rslTrail_Pop(trail, length);
    }
    if (good)
    {
        CheckLists(&across);
        CheckProbes(&across);
    }
    rslRelease(&across.hooks, across.names);
    return good;
}
