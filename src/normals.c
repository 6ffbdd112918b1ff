// SPDX-License-Identifier: MIT
//
// normals.c: see normals.h.

#include "normals.h"

#include "vec.h"

#include <string.h>

static rslVec3 Vertex(const float* vertices, int index)
{
    const float* v = vertices + 3 * (size_t)index;
    return (rslVec3){ (double)v[0], (double)v[1], (double)v[2] };
}

static void AddTo(double* sum, rslVec3 a)
{
    sum[0] += a.x;
    sum[1] += a.y;
    sum[2] += a.z;
}

// Twice the area, along the normal; zero where the triangle is not finite.
static rslVec3 AreaOf(const int* corner, const float* vertices)
{
    rslVec3 a = Vertex(vertices, corner[0]);
    rslVec3 area = rslCross(rslSub(Vertex(vertices, corner[1]), a), rslSub(Vertex(vertices, corner[2]), a));
    return rslIsFinite3(area) ? area : (rslVec3){ 0, 0, 0 };
}

void rslNormals_Compute(const int* triangles, int triangleCount, const float* vertices, int vertexCount,
                        double* normals)
{
    memset(normals, 0, (size_t)vertexCount * 3 * sizeof(double));
    for (int t = 0; t < triangleCount; ++t)
    {
        const int* corner = triangles + 3 * (size_t)t;
        rslVec3 area = AreaOf(corner, vertices);
        for (int i = 0; i < 3; ++i)
        {
            AddTo(normals + 3 * (size_t)corner[i], area);
        }
    }
    for (int v = 0; v < vertexCount; ++v)
    {
        double* n = normals + 3 * (size_t)v;
        double length = rslLength((rslVec3){ n[0], n[1], n[2] });
        bool usable = length > 0.0 && length < 1e300;
        for (int c = 0; c < 3; ++c)
        {
            n[c] = usable ? n[c] / length : c == 2 ? 1.0 : 0.0;
        }
    }
}

// The triangles around vertex v become around[first[v]] to around[first[v + 1]].
static void FindAround(const int* triangles, int triangleCount, int vertexCount, int* first, int* around)
{
    memset(first, 0, ((size_t)vertexCount + 1) * sizeof(int));
    for (int64_t c = 0; c < 3 * (int64_t)triangleCount; ++c)
    {
        first[triangles[c]] += 1;
    }
    for (int v = 1; v <= vertexCount; ++v)
    {
        first[v] += first[v - 1];
    }
    for (int64_t c = 3 * (int64_t)triangleCount; c-- > 0;)
    {
        around[--first[triangles[c]]] = (int)(c / 3);
    }
}

void rslNormals_ComputeCorners(const int* triangles, int triangleCount, const float* vertices, int vertexCount,
                               int* first, int* around, float* normals)
{
    const int most = 64;  // of a fan, so that one of thousands does not take forever
    FindAround(triangles, triangleCount, vertexCount, first, around);
    for (int64_t c = 0; c < 3 * (int64_t)triangleCount; ++c)
    {
        rslVec3 face = rslNormalize(AreaOf(triangles + c - c % 3, vertices)), sum = { 0, 0, 0 };
        int begin = first[triangles[c]], end = first[triangles[c] + 1];
        for (int i = begin; i < end && i < begin + most; ++i)
        {
            rslVec3 area = AreaOf(triangles + 3 * (size_t)around[i], vertices);
            bool smooth = rslDot(area, face) > 0.5 * rslLength(area);
            sum = smooth ? rslAdd(sum, area) : sum;
        }
        rslVec3 normal = rslLength(sum) > 0.0 ? rslNormalize(sum) : face;
        normals[3 * c] = (float)normal.x;
        normals[3 * c + 1] = (float)normal.y;
        normals[3 * c + 2] = (float)normal.z;
    }
}
