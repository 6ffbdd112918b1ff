// SPDX-License-Identifier: MIT
//
// overlap.h: how much of a triangle or tetrahedron lies in a sphere, and on one side of a plane.

#pragma once

#include "vec.h"

// Corners in space, and places in the cell that they belong to: linear in between.
typedef struct rslSimplex
{
    int corners;  // 3 or 4
    rslVec3 x[4], s[4];
} rslSimplex;

// The part of a cell with normal . s > offset; all of it where there is no normal.
typedef struct rslCut
{
    rslVec3 normal;
    double offset;
} rslCut;

typedef struct rslOverlap
{
    double volume;   // in units of the whole simplex
    rslVec3 moment;  // likewise: integral of s
} rslOverlap;

rslOverlap rslSimplex_InSphere(const rslSimplex* simplex, const rslCut* cut, rslVec3 centre, double radius);

// The plane across a direction that leaves a given part of the cell s in [-1/2, 1/2]^3. No normal: no direction.
rslCut rslCut_Make(rslVec3 direction, double part);
