// SPDX-License-Identifier: MIT
//
// hinge.h: the angle between two triangles that share an edge, its gradient, and how the gradient changes (hinge.c).
//
// Corners a and b lie on the edge, c and d across it; the triangles are (a, b, c) and (b, a, d).

#pragma once

#include "resilin/base.h"

// What is constant of it.
typedef struct rslHinge
{
    double sine, cosine;  // of the angle at rest, up to a factor
    double fade[2];       // 1 / (0.05 N0)^2 of each triangle, N0 twice its area at rest [1/m4]
} rslHinge;

// What a state says of it.
typedef struct rslHingeView
{
    double angle;         // a: beyond that at rest [rad]; 0 when flat, positive when c and d are lifted
    rslVec3 gradient[4];  // da/dx [1/m]
} rslHingeView;

// With the corners where they are at rest. Triangles have an area.
rslHinge rslHinge_Make(const rslVec3 x[4]);

rslHingeView rslHinge_Look(const rslHinge* hinge, const rslVec3 x[4]);

// out = (d2a/dx2) m
void rslHinge_Second(const rslHinge* hinge, const rslVec3 x[4], const rslVec3 m[4], rslVec3 out[4]);
