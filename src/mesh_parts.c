// SPDX-License-Identifier: MIT
//
// mesh_parts.c: see mesh_parts.h.

#include "mesh_parts.h"

#include "memory.h"
#include "vec.h"

int rslMesh_FindParts(const rslSides* sides, int triangleCount, int* part)
{
    for (int t = 0; t < triangleCount; ++t)
    {
        part[t] = t;
    }
    for (size_t i = 1; i < sides->count; ++i)
    {
        if (sides->edges[i] == sides->edges[i - 1])
        {
            rslSet_Join(part, sides->sides[i - 1] / 3, sides->sides[i] / 3);
        }
    }
    int count = 0;
    for (int t = 0; t < triangleCount; ++t)
    {
        part[t] = rslSet_Find(part, t);
        count += part[t] == t;
    }
    return count;
}

static rslVec3 CornerAt(const rslMeshTree* tree, int t, int c)
{
    const double* x = tree->vertices + 3 * (size_t)tree->triangles[3 * (size_t)t + (size_t)c];
    return (rslVec3){ x[0], x[1], x[2] };
}

int rslMesh_FindInsideOut(const rslMeshTree* tree, const int* part, bool* wrong)
{
    double* volume = rslAllocate(&tree->hooks, (size_t)tree->triangleCount, sizeof *volume);
    if (volume == NULL)
    {
        return -1;
    }
    for (int t = 0; t < tree->triangleCount; ++t)
    {
        // the tips of the tetrahedra are at a vertex of the part itself
        rslVec3 tip = CornerAt(tree, part[t], 0);
        rslVec3 a = rslSub(CornerAt(tree, t, 0), tip), b = rslSub(CornerAt(tree, t, 1), tip);
        volume[part[t]] += rslDot(a, rslCross(b, rslSub(CornerAt(tree, t, 2), tip)));
    }
    int count = 0;
    for (int t = 0; t < tree->triangleCount; ++t)
    {
        wrong[t] = false;
        if (part[t] == t)
        {
            bool cavity = (rslMeshTree_CountAbove(tree, CornerAt(tree, t, 0), part, t) & 1) != 0;
            wrong[t] = (volume[t] < 0.0) != cavity;
            count += wrong[t];
        }
    }
    rslRelease(&tree->hooks, volume);
    return count;
}
