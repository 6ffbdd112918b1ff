// SPDX-License-Identifier: MIT
//
// level.h: what the files on levels of detail share.

#pragma once

#include "resilin/lod.h"
#include "vec.h"

// The network of its level in the place of that of the scene; the definition has no levels then.
void rslLevel_Take(rslBodyDef* def);

// Moments of masses about a point: of the first and second order.
typedef struct rslMoments
{
    double mass;          // M
    rslVec3 first;        // sum m d
    double second[3][3];  // sum m d d^T
} rslMoments;

void rslMoments_Add(rslMoments* moments, double mass, rslVec3 d);

// Second moments about the centre.
void rslMoments_Centre(rslMoments* moments);

// Bodies of a state that may be are less deformed, so that no element that is guarded has collapsed; shares of what they were deformed by are 1 before, and
// less where it took that. rsl_diverged: none are enough. Or out of memory.
rslStatus rslLevel_Stand(const rslModel* model, rslState* state, const bool* may, double* shares,
                         const rslHooks* hooks);

// x with A x = b, A symmetric and not negative, b in its range; where A has no extent, x is not turned there.
rslVec3 rslLevel_Solve(double (*a)[3], rslVec3 b);
