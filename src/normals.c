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

void rslNormals_Compute(const int* triangles, int triangleCount, const float* vertices, int vertexCount,
                        double* normals)
{
    memset(normals, 0, (size_t)vertexCount * 3 * sizeof(double));
    for (int t = 0; t < triangleCount; ++t)
    {
        const int* corner = triangles + 3 * (size_t)t;
        rslVec3 a = Vertex(vertices, corner[0]);
        rslVec3 area = rslCross(rslSub(Vertex(vertices, corner[1]), a), rslSub(Vertex(vertices, corner[2]), a));
        if (!rslIsFinite3(area))
        {
            continue;
        }
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
