// SPDX-License-Identifier: MIT
//
// tet_mesh.h: tetrahedra as nodes and corners, and those made to fill a shape.

#pragma once

#include "resilin/shape.h"

typedef struct rslTetMesh
{
    double* nodes;    // x y z
    int* tetrahedra;  // four nodes each, counted from 0
    int nodeCount, tetrahedronCount;
    rslHooks hooks;
} rslTetMesh;

void rslTetMesh_Free(rslTetMesh* mesh);

typedef struct rslMesherDef
{
    double spacing;  // between nodes [m]; > 0
    double jitter;   // nodes off their grid by up to this part of the spacing, in [0, 0.45]
    uint64_t seed;
} rslMesherDef;

// Fill a shape. A box gets a grid of about the spacing that fits it, its nodes off their places as far as they stay in their
// faces and edges: 343 nodes in a cube of six spacings. Other shapes get nodes on their surface, edges and corners first,
// and a grid inside. What is too small for the spacing is refused.
rslStatus rslTetMesh_Fill(const rslShape* shape, const rslMesherDef* def, const rslHooks* hooks, rslTetMesh* mesh,
                          rslReport* report);
