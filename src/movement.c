// SPDX-License-Identifier: MIT
//
// movement.c: see movement.h; and where a collider is.

#include "movement.h"

#include "elementary.h"
#include "table.h"

#include <string.h>

static rslVec3 PathOffset(const rslMovement* movement, double time)
{
    rslTablePlace place = rslTable_Find(movement->path, 4, movement->pathCount, time);
    return (rslVec3){ rslTable_Value(&place, 1), rslTable_Value(&place, 2), rslTable_Value(&place, 3) };
}

rslPlacement rslMovement_At(const rslMovement* movement, double time)
{
    double f = rslCourse_Value(&movement->course, time);
    rslPlacement at = { .centre = movement->centre, .factor = f };
    at.rotation = rslQuatMatrix(rslQuatFromDegrees(movement->axis, f * movement->angle));
    at.offset = movement->pathCount > 0 ? PathOffset(movement, time) : rslScale(f, movement->translate);
    return at;
}

rslPlane rslCollider_At(const rslCollider* collider, double time)
{
    rslPlane plane = { collider->solid == NULL, collider->point, collider->normal };
    if (collider->moves)
    {
        rslPlacement at = rslMovement_At(&collider->move, time);
        plane.point = rslPlacement_Move(&at, collider->point);
        plane.normal = rslMatVec(&at.rotation, collider->normal);
    }
    return plane;
}

int rslModel_FindCollider(const rslModel* model, const char* name)
{
    int found = model->colliderCount - 1;
    while (found >= 0 && strcmp(model->colliders[found].name, name) != 0)
    {
        --found;
    }
    return found;
}

rslVec3 rslCollider_Velocity(const rslCollider* collider, double time, double step, rslVec3 x)
{
    if (!collider->moves)
    {
        return (rslVec3){ 0 };
    }
    double begin = time > 0.5 * step ? time - 0.5 * step : 0.0, end = time + 0.5 * step;
    rslPlacement now = rslMovement_At(&collider->move, time), before = rslMovement_At(&collider->move, begin);
    rslPlacement after = rslMovement_At(&collider->move, end);
    return rslPlacement_Velocity(&now, &before, &after, end - begin, x);
}
