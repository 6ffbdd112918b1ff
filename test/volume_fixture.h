// SPDX-License-Identifier: MIT
//
// volume_fixture.h: triangulated surfaces for tests of volumes.

#pragma once

#include "build_fixture.h"

typedef struct Hull
{
    int vertexCount, triangleCount;
    double* vertices;
    int* triangles;
} Hull;

static inline Hull MakeHull(int vertices, int triangles)
{
    Hull hull = { .vertices = calloc(3 * (size_t)vertices, sizeof(double)) };
    hull.triangles = calloc(3 * (size_t)triangles, sizeof(int));
    assert_true(hull.vertices != NULL && hull.triangles != NULL);
    return hull;
}

static inline void FreeHull(Hull* hull)
{
    free(hull->vertices);
    free(hull->triangles);
}

static inline void AddCorner(Hull* hull, double x, double y, double z)
{
    double* at = &hull->vertices[3 * (size_t)hull->vertexCount++];
    at[0] = x;
    at[1] = y;
    at[2] = z;
}

static inline void AddTriangle(Hull* hull, int a, int b, int c)
{
    int* at = &hull->triangles[3 * (size_t)hull->triangleCount++];
    at[0] = a;
    at[1] = b;
    at[2] = c;
}

// A ball of radius 1 stretched by three factors: n slices, rings of them between two poles on the y axis. n rings of n give
// 2 n^2 triangles. A dome lacks the pole below and ends in its last ring.
static inline Hull RoundHull(int n, int rings, rslVec3 scale, bool dome)
{
    const double pi = 3.14159265358979323846;
    Hull hull = MakeHull(n * rings + 2, 2 * n * rings);
    AddCorner(&hull, 0.0, scale.y, 0.0);
    for (int i = 1; i <= rings; ++i)
    {
        double theta = (dome ? 0.5 : 1.0) * pi * i / (dome ? rings : rings + 1);
        for (int j = 0; j < n; ++j)
        {
            double phi = 2.0 * pi * j / n;
            AddCorner(&hull, scale.x * sin(theta) * sin(phi), scale.y * cos(theta), scale.z * sin(theta) * cos(phi));
        }
    }
    for (int j = 0; j < n; ++j)
    {
        int next = (j + 1) % n;
        AddTriangle(&hull, 0, 1 + j, 1 + next);
        for (int i = 1; i < rings; ++i)
        {
            int a = 1 + (i - 1) * n + j, b = 1 + (i - 1) * n + next, c = a + n, d = b + n;
            AddTriangle(&hull, a, c, d);
            AddTriangle(&hull, a, d, b);
        }
        if (!dome)
        {
            AddTriangle(&hull, 1 + n * rings, 1 + (rings - 1) * n + next, 1 + (rings - 1) * n + j);
        }
    }
    if (!dome)
    {
        AddCorner(&hull, 0.0, -scale.y, 0.0);
    }
    return hull;
}

// A ring about z of n sections with m vertices each.
static inline Hull RingHull(int n, int m, double radius, double tube)
{
    const double pi = 3.14159265358979323846;
    Hull hull = MakeHull(n * m, 2 * n * m);
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < m; ++j)
        {
            double u = 2.0 * pi * i / n, v = 2.0 * pi * j / m, r = radius + tube * cos(v);
            AddCorner(&hull, r * cos(u), r * sin(u), tube * sin(v));
            int a = i * m + j, b = (i + 1) % n * m + j, c = i * m + (j + 1) % m, d = (i + 1) % n * m + (j + 1) % m;
            AddTriangle(&hull, a, b, d);
            AddTriangle(&hull, a, d, c);
        }
    }
    return hull;
}

// Nodes at the vertices, one spring along every edge.
static inline rslBodyDef HullBody(const char* name, const Hull* hull, const double* mass, const double* stiffness,
                                  const double* damping)
{
    rslBodyDef body = rslDefaultBodyDef();
    body.name = name;
    body.model.type = rsl_springModel;
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = hull->vertices;
    body.network.nodeCount = hull->vertexCount;
    body.network.triangles = hull->triangles;
    body.network.triangleCount = hull->triangleCount;
    body.network.springsFrom = rsl_edgeSprings;
    body.network.masses = mass;
    body.network.massCount = 1;
    body.network.stiffness = stiffness;
    body.network.stiffnessCount = 1;
    body.network.damping = damping;
    body.network.dampingCount = damping != NULL ? 1 : 0;
    return body;
}

static inline rslVolumeDef Volume(rslVolumeMethod method, double stiffness)
{
    // of implicit springs, c_i times the radial stiffness is 0.1 in the mean
    double radial = method == rsl_implicitVolume ? 0.05 : 0.1;
    return (rslVolumeDef){ .method = method, .stiffness = stiffness, .radial = radial, .centres = 1 };
}
