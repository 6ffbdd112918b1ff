// SPDX-License-Identifier: MIT
//
// embed.h: points that follow a network. A point X at rest is a weighted mean of nearby nodes, X = sum w_j X_j with
// sum w_j = 1, and moves to sum w_j x_j.

#pragma once

#include "resilin/base.h"

// ---- which points are near ------------------------------------------------------------------------------------------

// A tree over points. Constant after creation; any number of threads may ask it. Ties go to the lower index.
typedef struct rslNearest rslNearest;

enum
{
    RSL_NEAREST_MOST = 64,  // the most points rslNearest_Find is asked for
};

// points: x y z of n >= 0 points, finite; copied.
rslStatus rslNearest_Create(const double* points, int n, const rslHooks* hooks, rslNearest** nearest);
void rslNearest_Free(rslNearest* nearest);

// The min(k, n) nearest points, nearest first; returns how many. squared gets their squared distances; may be NULL.
int rslNearest_Find(const rslNearest* nearest, rslVec3 point, int k, int* indices, double* squared);

// Points no farther than radius, in increasing index where they fit; returns how many there are, which may be more than
// capacity.
int rslNearest_Within(const rslNearest* nearest, rslVec3 point, double radius, int* indices, int capacity);

// ---- weights --------------------------------------------------------------------------------------------------------

enum
{
    RSL_STENCIL_MOST = 8,
};

typedef struct rslStencil
{
    int count;  // of nodes used, 1 to 8
    int node[RSL_STENCIL_MOST];
    double weight[RSL_STENCIL_MOST];  // sum 1; some may be negative
} rslStencil;

// A stencil for each of n points (x y z). nodes: the rest positions that nearest was made from, at least one. A point
// among nodes that span space is reproduced to rounding, so rigid and affine motions are followed exactly; over a flat or
// straight set of nodes its projection is; over a single node it moves with it.
rslStatus rslEmbed_Points(const rslNearest* nearest, const double* nodes, const double* points, int n, rslStencil* out);
