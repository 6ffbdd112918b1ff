// SPDX-License-Identifier: MIT
//
// element_walk.h: all finite elements at one moment, as read-outs want them: in double, in the axes of their body. One after
// the other, in their order.

#pragma once

#include "resilin/state.h"

typedef struct rslElementView
{
    int body;
    const int* nodes;
    int nodeCount;
    double volume;     // at rest, times weight [m3]
    double stress[6];  // Cauchy's, mean over the element: xx yy zz yz zx xy [Pa]
    double energy;     // [J]
} rslElementView;

typedef struct rslElementWalk
{
    void (*visit)(const rslElementView* element, void* context);
    void* context;
} rslElementWalk;

void rslKernel_WalkElements32(void* kernel, const rslState* state, const rslElementWalk* walk);
void rslKernel_WalkElements64(void* kernel, const rslState* state, const rslElementWalk* walk);
