// SPDX-License-Identifier: MIT
//
// contact_gap.h: how far a point is from a triangle. Double precision only.

#pragma once

#include "resilin/base.h"

// The point of a triangle that is nearest to another point.
typedef struct rslGap
{
    double share[3];  // its barycentric coordinates
    int corners;      // bits of the corners that span the part it lies in: 7 the face, two an edge, one a vertex
    rslVec3 apart;    // r: from it to the point
    double squared;   // r.r
} rslGap;

// Nearest point of the triangle x[1] x[2] x[3] to x[0].
rslGap rslGap_Find(const rslVec3 x[4]);

// Only how far it is: r.r, to 1e-6 and less than what rounds places of the size of the triangle.
double rslGap_Squared(const rslVec3 x[4]);

// Nearest point of its border.
rslGap rslGap_FindBorder(const rslVec3 x[4]);
