// SPDX-License-Identifier: MIT
//
// delaunay.h: tetrahedra between points, no point inside the sphere of any; they fill the convex hull.

#pragma once

#include "resilin/base.h"

typedef struct rslDelaunay
{
    int* corners;     // four points each, of positive volume: ((b - a) x (c - a)) . (d - a) > 0
    int* neighbours;  // four each: the one across the face opposite to that corner; -1 at the hull
    int count;
    rslHooks hooks;
} rslDelaunay;

// Points are x y z; released with rslDelaunay_Free. Exact, so that every point is a corner and no tetrahedron is flat, though
// those between points that are coplanar but for rounding are as thin as that. Where more than four points lie on an empty
// sphere (lattices) the choice depends on nothing but their positions: the order of the points does not change the set
// of tetrahedra. Coordinates below 2^-160 of the largest count as zero.
// rsl_badInput, with a message: fewer than four points, all in one plane, two at the same place, not finite.
rslStatus rslDelaunay_Make(const double* points, int count, const rslHooks* hooks, rslDelaunay* made,
                           rslReport* report);
void rslDelaunay_Free(rslDelaunay* made);

// The tetrahedron that holds a point (one of them, where it lies on a face), found by walking from the tetrahedron start
// (0 will do; the last one found is faster); -1: outside the hull.
int rslDelaunay_Locate(const rslDelaunay* made, const double* points, const double point[3], int start);
