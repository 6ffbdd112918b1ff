// SPDX-License-Identifier: MIT
//
// contact_side.h: the surface of one of two bodies in contact: where its vertices are now, a tree of boxes that follows it,
// and what a vertex of the other finds there. Double precision only.

#pragma once

#include "contact_gap.h"
#include "memory.h"
#include "mesh_tree.h"
#include "surface_lists.h"

#include "resilin/model.h"

typedef struct rslContactSide
{
    const rslSurface* surface;
    double* x;          // x y z of every vertex now
    rslLists corners;   // of every vertex
    int* order;         // triangle of each place in the tree
    rslMeshBox* boxes;  // root first, children after their parents; as fitted last, wider by the margin
    int boxCount;
} rslContactSide;

// A vertex and what it touches.
typedef struct rslTouch
{
    int triangle;  // -1: none
    int hint;      // the nearest, however far; -1: not known
    rslGap gap;
} rslTouch;

// Made from where the vertices are at rest, x y z; all memory from the arena. rsl_outOfMemory, or rsl_ok.
rslStatus rslContactSide_Make(rslContactSide* side, const rslSurface* surface, const double* rest, rslArena* arena);

// Fit the boxes to where the vertices are. They hold until a vertex has moved by more than the margin.
void rslContactSide_Fit(rslContactSide* side, double margin);

// What vertex v of one surface finds on the other, at most this far away. Inside of a closed surface d is negative,
// however deep. A sheet has no inside; seen by a closed surface, it belongs outside of it: a vertex that has come through
// it has d < 0, up to the contact's reach. hint is a triangle to begin with, or -1; it does not change the answer.
rslTouch rslContactSide_Look(const rslContactSide* own, int v, const rslContactSide* other, double within, double reach,
                             int hint);

static inline rslVec3 rslContactSide_Vertex(const rslContactSide* side, int v)
{
    const double* x = side->x + 3 * (size_t)v;
    return (rslVec3){ x[0], x[1], x[2] };
}

// The point x[0] and the corners of a triangle.
static inline void rslContactSide_Points(const rslContactSide* own, int v, const rslContactSide* other, int triangle,
                                         rslVec3 x[4])
{
    x[0] = rslContactSide_Vertex(own, v);
    for (int c = 0; c < 3; ++c)
    {
        x[c + 1] = rslContactSide_Vertex(other, other->surface->triangles[3 * (size_t)triangle + (size_t)c]);
    }
}
