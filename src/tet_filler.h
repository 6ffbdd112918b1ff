// SPDX-License-Identifier: MIT
//
// tet_filler.h: what the files that fill a shape with tetrahedra share.

#pragma once

#include "delaunay.h"
#include "shape_internal.h"
#include "tet_points.h"

typedef struct rslFiller
{
    const rslShape* shape;
    const rslMesherDef* def;
    rslTetPoints points;
    rslDelaunay delaunay;
    bool* inside;  // of every tetrahedron
    int* scratch;  // one for every tetrahedron, and one for every point
} rslFiller;

static inline const int* rslFiller_Corners(const rslFiller* filler, int tet)
{
    return filler->delaunay.corners + 4 * (size_t)tet;
}

static inline rslVec3 rslFiller_Point(const rslFiller* filler, int point)
{
    const double* x = filler->points.xyz + 3 * (size_t)point;
    return (rslVec3){ x[0], x[1], x[2] };
}

// Its volume and its longest edge.
double rslFiller_Volume(const rslFiller* filler, int tet, double* longest);

// Are all corners on the surface?
bool rslFiller_OnSurface(const rslFiller* filler, int tet);

// And is its volume below this part of the cube of its longest edge?
bool rslFiller_IsSliver(const rslFiller* filler, int tet, double least);

// Make the border of the inside a surface without slivers. False when out of memory.
bool rslFiller_MendBorder(rslFiller* filler);
