// SPDX-License-Identifier: MIT
//
// build_share.h: what the files on repulsion that is felt at rest have in common.

#pragma once

#include "build.h"
#include "repulsion.h"
#include "share_fit.h"

typedef struct rslShares
{
    rslBuild* build;
    const rslBodyDef* def;
    rslBody* body;
    rslPieceKind kind;
    int each;          // heights or centroid springs of an element
    rslTie* ties;      // of all elements, with constants proportional to V / sum l^2
    double* base;      // those constants
    double volume;     // of all elements at rest; of triangles their area
    bool level;        // a solid, or triangles in one plane,
    rslVec3 plane[2];  // with these axes
} rslShares;

// The share that is asked for, or that the given stiffness, as the mean of all heights, makes; atOne: that mean where the share is 1.
// False, and told, when nothing would be left.
bool rslShares_Find(const rslShares* c, double atOne, double* share);

// Triangles, tetrahedra, hexahedra (build_share_network.c).
rslStatus rslShares_Network(rslShares* c);
