// SPDX-License-Identifier: MIT
//
// cell_moments.h: integrals over the filled part of a cell: volume, first and second moments, triple product.
//
// The cell is the cube s in [-1/2, 1/2]^3, so a full cell has volume 1. Pieces are added with a sign; what is left of a
// cell when a piece is taken out is the cell with +1 and the piece with -1.

#pragma once

#include "resilin/base.h"

// Raw integrals over the pieces added so far.
typedef struct rslMoments
{
    double volume;     // integral of 1
    double first[3];   // of s_i
    double square[3];  // of s_i^2
    double cross[3];   // of s_y s_z, s_z s_x, s_x s_y: the axis that is left out
    double triple;     // of s_x s_y s_z
} rslMoments;

// The points with normal . s <= offset.
typedef struct rslHalfSpace
{
    rslVec3 normal;
    double offset;
} rslHalfSpace;

enum
{
    RSL_CLIP_PLANES = 12  // the most that a cube is cut by at once: those of two boxes
};

// A cube of the given centre and edge.
void rslMoments_AddCube(rslMoments* moments, double sign, rslVec3 centre, double edge);

// A tetrahedron, in any orientation.
void rslMoments_AddTetrahedron(rslMoments* moments, double sign, const rslVec3 corner[4]);

// The part of a cube inside of all half spaces; exact but for rounding. A plane that reaches less than 1e-10 of the cube
// deep into it counts as touching, so that the sides of aligned boxes are met.
void rslMoments_AddClippedCube(rslMoments* moments, double sign, rslVec3 centre, double edge, const rslHalfSpace* cuts,
                               int cutCount);
