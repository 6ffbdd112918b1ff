// SPDX-License-Identifier: MIT
//
// mesh_tree.h: a triangle mesh with a tree of boxes over its triangles, to ask for what is near and what is inside.

#pragma once

#include "resilin/shape.h"

// A box and what is in it: a leaf holds count triangles from first in the tree's order; an inner node (count 0) has its
// children at first and first + 1.
typedef struct rslMeshBox
{
    double lower[3], upper[3];
    int first, count;
} rslMeshBox;

typedef struct rslMeshTree
{
    double* vertices;   // x y z; owned
    int* triangles;     // in the mesh's order; owned
    int* order;         // triangle of each place in the tree
    rslMeshBox* boxes;  // boxes[0] is the root
    int vertexCount, triangleCount, boxCount;
    rslHooks hooks;
} rslMeshTree;

enum
{
    RSL_MESH_TREE_DEPTH = 64,  // enough for a stack over a tree that is halved at each level
    RSL_MESH_LEAF = 4,         // triangles in a leaf, at most
};

static inline bool rslMeshBox_Overlaps(const rslMeshBox* a, const rslMeshBox* b, double within)
{
    for (int i = 0; i < 3; ++i)
    {
        if (a->lower[i] - within > b->upper[i] || b->lower[i] - within > a->upper[i])
        {
            return false;
        }
    }
    return true;
}

// Triangles of boxes that meet the one around, of a tree with its order; or these leaves of it.
typedef void rslMeshVisitor(int triangle, void* context);
void rslMeshBox_Walk(const rslMeshBox* boxes, const int* order, const rslMeshBox* around, rslMeshVisitor* visit,
                     void* context);
typedef void rslMeshLeafVisitor(const rslMeshBox* leaf, void* context);
void rslMeshBox_WalkLeaves(const rslMeshBox* boxes, const rslMeshBox* around, rslMeshLeafVisitor* visit, void* context);

// Copies the mesh. Indices must be in range, coordinates finite, triangleCount > 0.
rslStatus rslMeshTree_Create(const double* vertices, int vertexCount, const int* triangles, int triangleCount,
                             const rslHooks* hooks, rslMeshTree** tree);
void rslMeshTree_Free(rslMeshTree* tree);

// Inside a closed mesh, exactly: a point that is not on the surface is never misjudged, one on it goes to one side.
bool rslMeshTree_Contains(const rslMeshTree* tree, rslVec3 point);

// How many triangles lie above the point, without those whose label (one per triangle) is skip. labels may be NULL.
int rslMeshTree_CountAbove(const rslMeshTree* tree, rslVec3 point, const int* labels, int skip);

// Distance to the nearest triangle [m], never negative.
double rslMeshTree_Nearest(const rslMeshTree* tree, rslVec3 point);

// The nearest triangle closer than this [m]; -1: there is none.
int rslMeshTree_NearestTriangle(const rslMeshTree* tree, rslVec3 point, double within);

// Negative inside.
double rslMeshTree_Distance(const rslMeshTree* tree, rslVec3 point);
