// SPDX-License-Identifier: MIT
//
// mesh_topology.h: who is whose neighbour in a triangle mesh. Used by the check and the repair.

#pragma once

#include "resilin/base.h"

// Every side of every triangle, sorted by its edge. Side 3 t + c of triangle t goes from corner c to corner c + 1.
typedef struct rslSides
{
    uint64_t* edges;  // lower vertex << 32 | higher vertex
    int* sides;
    size_t count;
    rslHooks hooks;
} rslSides;

// Triangles with a repeated vertex are left out.
rslStatus rslSides_Make(const int* triangles, int triangleCount, const rslHooks* hooks, rslSides* sides);
void rslSides_Free(rslSides* sides);

// The end of the run of equal edges that starts at first.
size_t rslSides_RunEnd(const rslSides* sides, size_t first);

static inline int rslSide_From(const int* triangles, int side)
{
    return triangles[side];
}

static inline int rslSide_To(const int* triangles, int side)
{
    return triangles[side % 3 == 2 ? side - 2 : side + 1];
}

// first[i] = the lowest vertex with the coordinates of vertex i. False when out of memory.
bool rslMesh_FindIdentical(const double* vertices, int vertexCount, const rslHooks* hooks, int* first);

// first[t] = the lowest triangle with the same three vertices as t, in any order; t itself for one with a repeated
// vertex. False when out of memory.
bool rslMesh_FindSameTriangles(const int* triangles, int triangleCount, const rslHooks* hooks, int* first);

static inline bool rslTriangle_Repeats(const int* t)
{
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

// +1 or -1: the turning sense of the three numbers, the same for cyclic changes.
static inline int rslTriangle_Turn(const int* t)
{
    return (t[0] < t[1]) + (t[1] < t[2]) + (t[2] < t[0]) == 2 ? 1 : -1;
}

// Its area is rounding: below 1e-14 of the square of its longest edge.
bool rslTriangle_IsFlat(const double* vertices, const int* t);

// Sets that are joined: each item points towards the lowest of its set.
int rslSet_Find(int* parent, int item);
void rslSet_Join(int* parent, int a, int b);
