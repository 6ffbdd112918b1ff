// SPDX-License-Identifier: MIT
//
// mesh_check.c: every defect of a mesh, counted, with the first place.

#include "memory.h"
#include "mesh_crossing.h"
#include "mesh_parts.h"
#include "mesh_topology.h"
#include "mesh_tree.h"
#include "vec.h"

typedef struct Check
{
    const double* vertices;
    const int* triangles;
    int vertexCount, triangleCount;
    rslHooks hooks;
    rslMeshDefects* defects;
    int* same;   // of vertices: the lowest at the same place
    bool* skip;  // degenerate triangles
    int* part;   // of triangles: the lowest of their connected part
    rslSides sides;
} Check;

static rslVec3 VertexAt(const Check* check, int v)
{
    const double* x = check->vertices + 3 * (size_t)v;
    return (rslVec3){ x[0], x[1], x[2] };
}

static rslVec3 Centroid(const Check* check, int t)
{
    const int* c = check->triangles + 3 * (size_t)t;
    rslVec3 sum = rslAdd(rslAdd(VertexAt(check, c[0]), VertexAt(check, c[1])), VertexAt(check, c[2]));
    return rslScale(1.0 / 3.0, sum);
}

static rslVec3 EdgeMiddle(const Check* check, int side)
{
    rslVec3 a = VertexAt(check, rslSide_From(check->triangles, side));
    return rslScale(0.5, rslAdd(a, VertexAt(check, rslSide_To(check->triangles, side))));
}

// Count one more, and keep the place of the first.
static void Count(int* counter, rslVec3* at, rslVec3 place)
{
    if ((*counter)++ == 0)
    {
        *at = place;
    }
}

// ---- numbers --------------------------------------------------------------------------------------------------------

static bool CheckNumbers(Check* check)
{
    rslMeshDefects* d = check->defects;
    for (int t = check->triangleCount - 1; t >= 0; --t)
    {
        const int* c = check->triangles + 3 * (size_t)t;
        bool bad = false;
        for (int i = 0; i < 3; ++i)
        {
            bad = bad || c[i] < 0 || c[i] >= check->vertexCount;
        }
        d->badIndices += bad;
        d->firstBad = bad ? t : d->firstBad;
    }
    for (int v = check->vertexCount - 1; v >= 0 && d->badIndices == 0; --v)
    {
        bool bad = !rslIsFinite3(VertexAt(check, v));
        d->nonFinite += bad;
        d->firstBad = bad ? v : d->firstBad;
    }
    return d->badIndices == 0 && d->nonFinite == 0;
}

// ---- vertices and triangles -----------------------------------------------------------------------------------------

static rslStatus CheckVertices(Check* check)
{
    rslMeshDefects* d = check->defects;
    bool* used = rslAllocate(&check->hooks, (size_t)check->vertexCount, sizeof *used);
    if (used == NULL || !rslMesh_FindIdentical(check->vertices, check->vertexCount, &check->hooks, check->same))
    {
        rslRelease(&check->hooks, used);
        return rsl_outOfMemory;
    }
    for (size_t i = 0; i < 3 * (size_t)check->triangleCount; ++i)
    {
        used[check->triangles[i]] = true;
    }
    for (int v = 0; v < check->vertexCount; ++v)
    {
        if (check->same[v] != v)
        {
            Count(&d->duplicateVertices, &d->duplicateVertexAt, VertexAt(check, v));
        }
        if (!used[v])
        {
            Count(&d->unusedVertices, &d->unusedAt, VertexAt(check, v));
        }
    }
    rslRelease(&check->hooks, used);
    return rsl_ok;
}

static rslStatus CheckTriangles(Check* check)
{
    rslMeshDefects* d = check->defects;
    int* first = rslAllocate(&check->hooks, (size_t)check->triangleCount, sizeof *first);
    if (first == NULL || !rslMesh_FindSameTriangles(check->triangles, check->triangleCount, &check->hooks, first))
    {
        rslRelease(&check->hooks, first);
        return rsl_outOfMemory;
    }
    for (int t = 0; t < check->triangleCount; ++t)
    {
        check->skip[t] = rslTriangle_IsFlat(check->vertices, check->triangles + 3 * (size_t)t);
        if (check->skip[t])
        {
            Count(&d->degenerateTriangles, &d->degenerateAt, Centroid(check, t));
        }
        if (first[t] != t)
        {
            Count(&d->duplicateTriangles, &d->duplicateTriangleAt, Centroid(check, t));
        }
    }
    rslRelease(&check->hooks, first);
    return rsl_ok;
}

// ---- edges and fans -------------------------------------------------------------------------------------------------

static void CheckEdges(Check* check)
{
    rslMeshDefects* d = check->defects;
    for (size_t begin = 0, end; begin < check->sides.count; begin = end)
    {
        end = rslSides_RunEnd(&check->sides, begin);
        const int* side = check->sides.sides + begin;
        rslVec3 middle = EdgeMiddle(check, side[0]);
        if (end - begin == 1)
        {
            Count(&d->openEdges, &d->openAt, middle);
        }
        else if (end - begin > 2)
        {
            Count(&d->nonManifoldEdges, &d->nonManifoldAt, middle);
        }
        else if (rslSide_From(check->triangles, side[0]) == rslSide_From(check->triangles, side[1]))
        {
            Count(&d->flippedEdges, &d->flippedAt, middle);
        }
    }
    d->components = rslMesh_FindParts(&check->sides, check->triangleCount, check->part);
}

// The corner of a triangle at the given vertex.
static int CornerOf(const int* triangles, int triangle, int vertex)
{
    const int* c = triangles + 3 * (size_t)triangle;
    return 3 * triangle + (c[0] == vertex ? 0 : c[1] == vertex ? 1 : 2);
}

// Corners are joined across edges; the corners at a vertex must end up in one fan.
static rslStatus CheckFans(Check* check)
{
    rslMeshDefects* d = check->defects;
    const int* triangles = check->triangles;
    size_t corners = 3 * (size_t)check->triangleCount;
    int* fan = rslAllocate(&check->hooks, corners, sizeof *fan);
    int* fans = rslAllocate(&check->hooks, (size_t)check->vertexCount, sizeof *fans);
    for (size_t c = 0; fan != NULL && c < corners; ++c)
    {
        fan[c] = (int)c;
    }
    for (size_t begin = 0, end; fan != NULL && fans != NULL && begin < check->sides.count; begin = end)
    {
        end = rslSides_RunEnd(&check->sides, begin);
        int first = check->sides.sides[begin];
        int ends[2] = { rslSide_From(triangles, first), rslSide_To(triangles, first) };
        for (size_t i = begin + 1; i < end; ++i)
        {
            for (int e = 0; e < 2; ++e)
            {
                rslSet_Join(fan, CornerOf(triangles, first / 3, ends[e]),
                            CornerOf(triangles, check->sides.sides[i] / 3, ends[e]));
            }
        }
    }
    for (size_t c = 0; fan != NULL && fans != NULL && c < corners; ++c)
    {
        bool repeats = rslTriangle_Repeats(triangles + 3 * (c / 3));
        fans[triangles[c]] += fan[c] == (int)c && !repeats;
    }
    for (int v = 0; fan != NULL && fans != NULL && v < check->vertexCount; ++v)
    {
        if (fans[v] > 1)
        {
            Count(&d->nonManifoldVertices, &d->nonManifoldVertexAt, VertexAt(check, v));
        }
    }
    rslStatus status = fan != NULL && fans != NULL ? rsl_ok : rsl_outOfMemory;
    rslRelease(&check->hooks, fan);
    rslRelease(&check->hooks, fans);
    return status;
}

// ---- in space -------------------------------------------------------------------------------------------------------

static bool IsSound(const rslMeshDefects* d)
{
    return d->openEdges == 0 && d->nonManifoldEdges == 0 && d->flippedEdges == 0 && d->nonManifoldVertices == 0 &&
           d->selfIntersections == 0 && d->degenerateTriangles == 0 && d->duplicateTriangles == 0;
}

static rslStatus CheckParts(Check* check, const rslMeshTree* tree)
{
    rslMeshDefects* d = check->defects;
    bool* wrong = rslAllocate(&check->hooks, (size_t)check->triangleCount, sizeof *wrong);
    if (wrong == NULL || rslMesh_FindInsideOut(tree, check->part, wrong) < 0)
    {
        rslRelease(&check->hooks, wrong);
        return rsl_outOfMemory;
    }
    for (int t = 0; t < check->triangleCount; ++t)
    {
        if (wrong[t])
        {
            Count(&d->insideOutParts, &d->insideOutAt, Centroid(check, t));
        }
    }
    rslRelease(&check->hooks, wrong);
    return rsl_ok;
}

static rslStatus CheckSpace(Check* check)
{
    rslMeshDefects* d = check->defects;
    rslMeshTree* tree = NULL;
    rslStatus status = rslMeshTree_Create(check->vertices, check->vertexCount, check->triangles, check->triangleCount,
                                          &check->hooks, &tree);
    if (status != rsl_ok)
    {
        return status;
    }
    int first;
    d->selfIntersections = rslMesh_CountCrossings(tree, check->same, check->skip, &first);
    if (first >= 0)
    {
        d->intersectionAt = Centroid(check, first);
    }
    status = IsSound(d) ? CheckParts(check, tree) : rsl_ok;
    rslMeshTree_Free(tree);
    return status;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static rslStatus CheckAll(Check* check)
{
    rslStatus status = CheckVertices(check);
    if (status == rsl_ok)
    {
        status = CheckTriangles(check);
    }
    if (status == rsl_ok)
    {
        status = rslSides_Make(check->triangles, check->triangleCount, &check->hooks, &check->sides);
    }
    if (status == rsl_ok)
    {
        CheckEdges(check);
        status = CheckFans(check);
        rslSides_Free(&check->sides);
    }
    if (status == rsl_ok && check->triangleCount > 0)
    {
        status = CheckSpace(check);
        check->defects->volume = rslMesh_Volume(check->vertices, check->triangles, check->triangleCount);
        check->defects->insideOut = check->defects->volume < 0.0;
    }
    return status;
}

rslStatus rslMesh_Check(const double* vertices, int vertexCount, const int* triangles, int triangleCount,
                        const rslHooks* hooks, rslMeshDefects* defects)
{
    *defects = (rslMeshDefects){ .firstBad = -1 };
    Check check = { .vertices = vertices, .triangles = triangles, .vertexCount = vertexCount };
    check.triangleCount = triangleCount;
    check.hooks = rslHooks_Complete(hooks);
    check.defects = defects;
    if (!CheckNumbers(&check))
    {
        return rsl_ok;
    }
    check.same = rslAllocate(&check.hooks, (size_t)vertexCount, sizeof *check.same);
    check.skip = rslAllocate(&check.hooks, (size_t)triangleCount, sizeof *check.skip);
    check.part = rslAllocate(&check.hooks, (size_t)triangleCount, sizeof *check.part);
    rslStatus status = rsl_outOfMemory;
    if (check.same != NULL && check.skip != NULL && check.part != NULL)
    {
        status = CheckAll(&check);
    }
    rslRelease(&check.hooks, check.same);
    rslRelease(&check.hooks, check.skip);
    rslRelease(&check.hooks, check.part);
    return status;
}
