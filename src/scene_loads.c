// SPDX-License-Identifier: MIT
//
// scene_loads.c: loads, constraints and drives of a scene, against the rest of it.

#include "scene_across.h"

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
        rslAcross_UnknownBody(across, place, "body", load->body);
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

void rslAcross_CheckLoad(rslAcross* across, const rslLoadDef* load)
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
        rslAcross_CheckFlat(across, "load", "force", load, load->force, load->place);
    }
    if (load->type == rsl_accelerationLoad)
    {
        rslAcross_CheckFlat(across, "load", "acceleration", load, load->acceleration, load->place);
    }
    rslAcross_CheckCourse(across, &load->course);
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

static void CheckMotion(rslAcross* across, const rslConstraintDef* motion)
{
    if (!Moves(&motion->move) && motion->offsetCount == 0)
    {
        rslTrail_Warn(across->trail, motion->place, NULL,
                      "a motion without translate, rotate, path or offsets holds its nodes still, as a pin does");
    }
    CheckOffsets(across, motion);
    rslAcross_CheckMovement(across, "constraint", motion, motion->place, &motion->move);
}

void rslAcross_CheckConstraint(rslAcross* across, const rslConstraintDef* constraint)
{
    rslAcross_CheckNodes(across, &constraint->nodes, "nodes");
    if (constraint->type == rsl_motionConstraint)
    {
        CheckMotion(across, constraint);
    }
}

void rslAcross_CheckDrive(rslAcross* across, const rslDriveDef* drive)
{
    rslAcross_CheckNodes(across, &drive->nodes, "nodes");
    rslAcross_CheckFlat(across, "drive", "direction", drive, drive->direction, drive->place);
    rslAcross_CheckCourse(across, &drive->course);
}
