// SPDX-License-Identifier: MIT
//
// feature.h: vertices, edges and triangles of skins as the keys of touches name them (collision.h).

#pragma once

#include "collision.h"

// A point of a feature, as a weighted sum of vertices of the skin.
typedef struct rslFeaturePoint
{
    int count;
    int vertex[3];
    double weight[3];  // sum to 1
} rslFeaturePoint;

// The point of a feature that is nearest to a point, with contact nodes at x, x y z each [m]. False: the skin has no such
// feature.
bool rslFeature_Nearest(const rslSkin* skin, const double* x, uint32_t feature, rslVec3 point, rslFeaturePoint* found);

// Where a vertex of a skin is; and f at it, added to its contact nodes.
rslVec3 rslSkin_Vertex(const rslSkin* skin, const double* x, int vertex);
void rslSkin_Spread(const rslSkin* skin, int vertex, rslVec3 f, double* out);
