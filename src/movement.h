// SPDX-License-Identifier: MIT
//
// movement.h: a prescribed motion at one moment.
//
//   x(t) = centre + Q(f angle) (x0 - centre) + f translate,  or  + path(t);  f = course(t)

#pragma once

#include "resilin/model.h"
#include "vec.h"

typedef struct rslPlacement
{
    rslMat3 rotation;  // Q
    rslVec3 centre, offset;
    double factor;  // f
} rslPlacement;

rslPlacement rslMovement_At(const rslMovement* movement, double time);

// Velocity of the point of a collider that is at x, over a step around a time; as motion constraints have it.
rslVec3 rslCollider_Velocity(const rslCollider* collider, double time, double step, rslVec3 x);

// Where a point goes, and where a point came from.
static inline rslVec3 rslPlacement_Move(const rslPlacement* at, rslVec3 start)
{
    rslVec3 turned = rslMatVec(&at->rotation, rslSub(start, at->centre));
    return rslAdd(rslAdd(at->centre, turned), at->offset);
}

static inline rslVec3 rslPlacement_Back(const rslPlacement* at, rslVec3 x)
{
    return rslAdd(at->centre, rslMatTVec(&at->rotation, rslSub(rslSub(x, at->offset), at->centre)));
}

// Mean velocity, over a span of time from before to after, of the point that is at x now.
static inline rslVec3 rslPlacement_Velocity(const rslPlacement* now, const rslPlacement* before,
                                            const rslPlacement* after, double span, rslVec3 x)
{
    rslVec3 start = rslPlacement_Back(now, x);
    return rslScale(1.0 / span, rslSub(rslPlacement_Move(after, start), rslPlacement_Move(before, start)));
}
