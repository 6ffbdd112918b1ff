// SPDX-License-Identifier: MIT
//
// contact_gap.h: how far a point is from a triangle, what pushes it away, and how that changes as all four points move.
// Double precision only: positions are taken after frames have been subtracted.

#pragma once

#include "resilin/base.h"

// The point of a triangle that is nearest to another point.
typedef struct rslGap
{
    double share[3];  // its barycentric coordinates
    int corners;      // bits of the corners that span the part it lies in: 7 the face, two an edge, one a vertex
    rslVec3 apart;    // r: from it to the point
    double squared;   // r.r
    double side;      // 1 where the point belongs, -1 on the other side
    double distance;  // d = side |r|
    rslVec3 normal;   // n = side r / |r|: dd/dx of the point
} rslGap;

// Nearest point of the triangle x[1] x[2] x[3] to x[0]; side, distance and normal are left to rslGap_Turn.
rslGap rslGap_Find(const rslVec3 x[4]);

// Nearest point of its border.
rslGap rslGap_FindBorder(const rslVec3 x[4]);

// Say on which side the point is; beside stands for the normal where the point touches the triangle.
void rslGap_Turn(rslGap* gap, double side, rslVec3 beside);

// out = K dx of W = 1/2 k (T - d)^2 for motions dx of the four points; convex: without what makes K negative.
void rslGap_Product(const rslGap* gap, const rslVec3 x[4], double stiffness, double thickness, bool convex,
                    const rslVec3 dx[4], rslVec3 out[4]);
