// SPDX-License-Identifier: MIT
//
// bond_walk.h: all springs of the bodies at one moment, as read-outs want them: in double, in the axes of their body,
// with their tension and energy. Dampers say nothing here.

#pragma once

#include "resilin/state.h"

enum
{
    RSL_BOND_PARTS =
        16  // of a walk, whatever the number of threads: sums of parts, added in order, are always the same
};

// One spring seen from its node a.
typedef struct rslBond
{
    int body, a, b;
    rslVec3 x;       // X + u of a [m]
    rslVec3 d;       // to b [m]
    double length;   // [m]
    double tension;  // by its law and drives [N], positive when it pulls
    double energy;   // [J]
} rslBond;

typedef struct rslBondWalk
{
    bool bothEnds;  // every spring from both of its ends; otherwise once, from the lower index
    // Is any spring that starts in a box in the axes of a body of interest? None is longer. NULL: all are.
    bool (*wanted)(int body, const rslBounds* box, double longest, void* context);
    // Several parts at once; nodes a of different parts are different.
    void (*visit)(const rslBond* bond, int part, void* context);
    void* context;
} rslBondWalk;

void rslKernel_WalkBonds32(void* kernel, const rslState* state, const rslBondWalk* walk);
void rslKernel_WalkBonds64(void* kernel, const rslState* state, const rslBondWalk* walk);
