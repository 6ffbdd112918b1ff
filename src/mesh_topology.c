// SPDX-License-Identifier: MIT
//
// mesh_topology.c: see mesh_topology.h.

#include "mesh_topology.h"

#include "memory.h"
#include "sort.h"
#include "vec.h"

#include <string.h>

// ---- sides ----------------------------------------------------------------------------------------------------------

static uint64_t EdgeKey(int a, int b)
{
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    return low << 32 | high;
}

rslStatus rslSides_Make(const int* triangles, int triangleCount, const rslHooks* hooks, rslSides* sides)
{
    size_t most = 3 * (size_t)triangleCount;
    *sides = (rslSides){ .hooks = *hooks };
    sides->edges = rslAllocate(hooks, most, sizeof *sides->edges);
    sides->sides = rslAllocate(hooks, most, sizeof *sides->sides);
    if (sides->edges == NULL || sides->sides == NULL)
    {
        rslSides_Free(sides);
        return rsl_outOfMemory;
    }
    for (int t = 0; t < triangleCount; ++t)
    {
        for (int c = 0; c < 3 && !rslTriangle_Repeats(triangles + 3 * (size_t)t); ++c)
        {
            int side = 3 * t + c;
            sides->edges[sides->count] = EdgeKey(rslSide_From(triangles, side), rslSide_To(triangles, side));
            sides->sides[sides->count++] = side;
        }
    }
    if (!rslSort(hooks, sides->edges, sides->sides, sides->count))
    {
        rslSides_Free(sides);
        return rsl_outOfMemory;
    }
    return rsl_ok;
}

void rslSides_Free(rslSides* sides)
{
    rslRelease(&sides->hooks, sides->edges);
    rslRelease(&sides->hooks, sides->sides);
    *sides = (rslSides){ .hooks = sides->hooks };
}

size_t rslSides_RunEnd(const rslSides* sides, size_t first)
{
    size_t end = first + 1;
    while (end < sides->count && sides->edges[end] == sides->edges[first])
    {
        ++end;
    }
    return end;
}

// ---- equal things ---------------------------------------------------------------------------------------------------

static uint64_t Mix(uint64_t hash, uint64_t word)
{
    hash ^= word;
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 31);
}

// Items with equal keys are compared with those that stand for the classes found so far in the run; nearly always there
// is one class.
typedef bool EqualFunction(const void* data, int a, int b);

static bool FindEqual(uint64_t* keys, int* items, int count, const rslHooks* hooks, EqualFunction* equal,
                      const void* data, int* first)
{
    if (!rslSort(hooks, keys, items, (size_t)count))
    {
        return false;
    }
    for (int begin = 0, end; begin < count; begin = end)
    {
        for (end = begin + 1; end < count && keys[end] == keys[begin];)
        {
            ++end;
        }
        for (int i = begin; i < end; ++i)
        {
            int item = items[i];
            first[item] = item;
            for (int j = begin; j < i; ++j)
            {
                if (first[items[j]] == items[j] && equal(data, items[j], item))
                {
                    first[item] = items[j];
                    break;
                }
            }
        }
    }
    return true;
}

static bool SameVertex(const void* data, int a, int b)
{
    const double *x = (const double*)data + 3 * (size_t)a, *y = (const double*)data + 3 * (size_t)b;
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

bool rslMesh_FindIdentical(const double* vertices, int vertexCount, const rslHooks* hooks, int* first)
{
    size_t n = (size_t)vertexCount;
    uint64_t* keys = rslAllocate(hooks, n, sizeof *keys);
    int* items = rslAllocate(hooks, n, sizeof *items);
    bool done = keys != NULL && items != NULL;
    for (size_t v = 0; done && v < n; ++v)
    {
        for (size_t i = 0; i < 3; ++i)
        {
            double x = vertices[3 * v + i] + 0.0;  // -0 is 0
            uint64_t bits;
            memcpy(&bits, &x, sizeof bits);
            keys[v] = Mix(keys[v], bits);
        }
        items[v] = (int)v;
    }
    done = done && FindEqual(keys, items, vertexCount, hooks, SameVertex, vertices, first);
    rslRelease(hooks, keys);
    rslRelease(hooks, items);
    return done;
}

static void SortedCorners(const int* t, int out[3])
{
    int low = t[0] < t[1] ? t[0] : t[1], high = t[0] < t[1] ? t[1] : t[0];
    out[0] = t[2] < low ? t[2] : low;
    out[2] = t[2] > high ? t[2] : high;
    out[1] = t[2] < low ? low : t[2] > high ? high : t[2];
}

static bool SameTriangle(const void* data, int a, int b)
{
    int x[3], y[3];
    SortedCorners((const int*)data + 3 * (size_t)a, x);
    SortedCorners((const int*)data + 3 * (size_t)b, y);
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[0] != x[1] && x[1] != x[2];
}

bool rslMesh_FindSameTriangles(const int* triangles, int triangleCount, const rslHooks* hooks, int* first)
{
    size_t n = (size_t)triangleCount;
    uint64_t* keys = rslAllocate(hooks, n, sizeof *keys);
    int* items = rslAllocate(hooks, n, sizeof *items);
    bool done = keys != NULL && items != NULL;
    for (size_t t = 0; done && t < n; ++t)
    {
        int c[3];
        SortedCorners(triangles + 3 * t, c);
        // those with a repeated vertex are equal to none and would make long runs
        keys[t] = rslTriangle_Repeats(triangles + 3 * t)
                      ? Mix(7, t)
                      : Mix(Mix(Mix(1, (uint64_t)c[0]), (uint64_t)c[1]), (uint64_t)c[2]);
        items[t] = (int)t;
    }
    done = done && FindEqual(keys, items, triangleCount, hooks, SameTriangle, triangles, first);
    rslRelease(hooks, keys);
    rslRelease(hooks, items);
    return done;
}

// ---- one triangle, joined sets --------------------------------------------------------------------------------------

bool rslTriangle_IsFlat(const double* vertices, const int* t)
{
    rslVec3 p[3];
    for (int c = 0; c < 3; ++c)
    {
        const double* x = vertices + 3 * (size_t)t[c];
        p[c] = (rslVec3){ x[0], x[1], x[2] };
    }
    rslVec3 e = rslSub(p[1], p[0]), f = rslSub(p[2], p[0]), g = rslSub(p[2], p[1]);
    double longest = fmax(rslDot(e, e), fmax(rslDot(f, f), rslDot(g, g)));
    return rslLength(rslCross(e, f)) <= 1e-14 * longest;
}

int rslSet_Find(int* parent, int item)
{
    while (parent[item] != item)
    {
        parent[item] = parent[parent[item]];
        item = parent[item];
    }
    return item;
}

void rslSet_Join(int* parent, int a, int b)
{
    a = rslSet_Find(parent, a);
    b = rslSet_Find(parent, b);
    if (a < b)
    {
        parent[b] = a;
    }
    else
    {
        parent[a] = b;
    }
}
