// SPDX-License-Identifier: MIT
//
// hardy.h: probes of stress that are summed up together.

#pragma once

#include "embed.h"
#include "solver_internal.h"
#include "vec.h"

#include "resilin/field.h"

typedef struct rslHardy
{
    const rslModel* model;
    const rslState* state;
    const rslHardyProbe* probes;
    int count;
    double largest;       // radius
    rslNearest* nearest;  // over the points
    rslMat3* rotation;    // of every body
    double* positions;    // of all nodes, x y z; NULL: there are no elements
    // springs
    rslSymmetric* sums;     // count of every part
    struct Nearby* nearby;  // of every part
} rslHardy;

// Of a probe in a body of a thickness, 0 for solids [m3].
double rslHardyProbe_Volume(const rslHardyProbe* probe, double thickness);

// What the elements add.
rslStatus rslHardy_AddElements(const rslHardy* hardy, rslSolver* solver, rslSymmetric* stress);
