// SPDX-License-Identifier: MIT
//
// tessellation.h: a body at rest as simplices between its nodes: tetrahedra, of a sheet triangles. Everything inside is in
// the frame of the body.

#pragma once

#include "resilin/field.h"
#include "delaunay.h"
#include "embed.h"

struct rslTessellation
{
    const rslModel* model;
    const rslBody* body;
    rslHooks hooks;
    // networks; lattices know their cells
    const int* elements;  // corners
    int elementBase;      // index of a corner plus this is its node
    int elementCount;
    rslDelaunay delaunay;  // of nodes without elements of their own; elements are its corners
    bool* spanning;        // of its tetrahedra: an edge so long that it bridges a gap or a hollow
    int* nodeElement;      // of every node: one at it; -1: none
    double* centroids;     // of elements of their own
    rslNearest* nearest;   // over the centroids, or over the nodes
    double largest;        // distance of a corner from its centroid [m]
};

enum
{
    RSL_SIMPLEX_CORNERS = 4
};

// Nodes, global, and the weights of a point: X = sum of weight * X_node.
typedef struct rslSimplex
{
    int count;  // 4, or 3 in a sheet
    int node[RSL_SIMPLEX_CORNERS];
    double weight[RSL_SIMPLEX_CORNERS];
} rslSimplex;

// The simplex that holds a point; false: none does.
bool rslTessellation_Locate(const rslTessellation* tessellation, rslVec3 X, rslSimplex* simplex);

// Every simplex; weights are not set.
typedef void rslSimplexVisitor(const rslSimplex* simplex, void* context);
void rslTessellation_Visit(const rslTessellation* tessellation, rslSimplexVisitor* visit, void* context);

rslVec3 rslTessellation_RestOf(const rslTessellation* tessellation, int node);  // global index
