// SPDX-License-Identifier: MIT
//
// element_walk.h: all finite elements at one moment, as read-outs want them: in double, in the axes of their body. One after
// the other, in their order.

#pragma once

#include "resilin/state.h"

typedef struct rslElementView
{
    int body, index;  // index: among the elements of the body
    const int* nodes;
    int nodeCount;
    const double* share;  // of its nodes in it; NULL: equal
    double volume;        // at rest, times weight [m3]
    double stress[6];     // Cauchy's, mean over the element: xx yy zz yz zx xy [Pa]
    double energy;        // [J]
    double slope[3][6];   // of cubes: how it changes along the edges, in s of [-1/2, 1/2]^3 [Pa]; 0 of others
    double forces[8][3];  // on the corners, without damping [N]
} rslElementView;

static inline double rslElementView_Share(const rslElementView* element, int corner)
{
    return element->share != NULL ? element->share[corner] : 1.0 / element->nodeCount;
}

typedef struct rslElementWalk
{
    void (*visit)(const rslElementView* element, void* context);
    void* context;
    bool forces, slopes;  // else they are 0
    // Is an element between these nodes of interest? NULL: all are.
    bool (*wanted)(int body, const int* nodes, int nodeCount, void* context);
} rslElementWalk;

void rslKernel_WalkElements32(void* kernel, const rslState* state, const rslElementWalk* walk);
void rslKernel_WalkElements64(void* kernel, const rslState* state, const rslElementWalk* walk);
