// SPDX-License-Identifier: MIT
//
// hand_snapshot.c: see hand_snapshot.h.

#include "hand_snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void* Zeroed(int count, size_t size)
{
    return calloc((size_t)count + 1, size);
}

rslSnapshot MakeHand(int nodes, int springs, int vertices, int triangles, int bodies)
{
    rslSnapshot s = { .nodeCount = nodes, .springCount = springs, .vertexCount = vertices };
    s.triangleCount = triangles;
    s.bodyCount = bodies;
    s.positions = Zeroed(3 * nodes, sizeof(double));
    s.velocities = Zeroed(3 * nodes, sizeof(double));
    s.tension = Zeroed(nodes, sizeof(double));
    s.energyDensity = Zeroed(nodes, sizeof(double));
    s.nodeBody = Zeroed(nodes, sizeof(int));
    s.springs = springs ? Zeroed(2 * springs, sizeof(int)) : NULL;
    s.vertices = Zeroed(3 * vertices, sizeof(double));
    s.triangles = Zeroed(3 * triangles, sizeof(int));
    s.vertexBody = Zeroed(vertices, sizeof(int));
    s.vertexNode = Zeroed(vertices, sizeof(int));
    return s;
}

void FreeHand(rslSnapshot* s)
{
    void* arrays[] = { s->positions, s->velocities, s->tension,   s->energyDensity, s->nodeBody,
                       s->springs,   s->vertices,   s->triangles, s->vertexBody,    s->vertexNode };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    {
        free(arrays[i]);
    }
    memset(s, 0, sizeof *s);
}

// ---- balls ----------------------------------------------------------------------------------------------------------

static void PlaceBall(rslSnapshot* s, int body, int first, rslVec3 centre, double radius, int rings)
{
    const double pi = 3.14159265358979;
    int around = 2 * rings;
    for (int i = 0; i < rings * around; ++i)
    {
        double theta = pi * (i / around + 0.5) / rings, phi = 2.0 * pi * (i % around) / around;
        double n[3] = { sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta) };
        double c[3] = { centre.x, centre.y, centre.z };
        int v = first + i;
        for (int k = 0; k < 3; ++k)
        {
            s->vertices[3 * v + k] = s->positions[3 * v + k] = c[k] + radius * n[k];
            s->velocities[3 * v + k] = 0.5 * n[k] + (k == 2 ? -1.0 : 0.0);
        }
        s->tension[v] = 3.0 * n[2] - 1.0;
        s->energyDensity[v] = 40.0 * (1.0 - n[2]) * (1.0 - n[2]);
        s->nodeBody[v] = s->vertexBody[v] = body;
        s->vertexNode[v] = v;
    }
}

static void AddTriangle(rslSnapshot* s, int* next, int a, int b, int c)
{
    int* corner = s->triangles + 3 * (*next)++;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

static void ConnectBall(rslSnapshot* s, int first, int rings, int* next)
{
    int around = 2 * rings;
    for (int j = 0; j + 1 < rings; ++j)
    {
        for (int i = 0; i < around; ++i)
        {
            int a = first + j * around + i, b = first + j * around + (i + 1) % around;
            AddTriangle(s, next, a, a + around, b + around);
            AddTriangle(s, next, a, b + around, b);
        }
    }
    int last = first + (rings - 1) * around;
    for (int i = 1; i + 1 < around; ++i)
    {
        AddTriangle(s, next, first, first + i, first + i + 1);
        AddTriangle(s, next, last, last + i + 1, last + i);
    }
}

rslSnapshot MakeBalls(const rslVec3* centres, const double* radii, int count, int rings)
{
    int around = 2 * rings, vertices = rings * around;
    int triangles = 2 * around * (rings - 1) + 2 * (around - 2);
    rslSnapshot s = MakeHand(count * vertices, 0, count * vertices, count * triangles, count);
    int next = 0;
    for (int b = 0; b < count; ++b)
    {
        PlaceBall(&s, b, b * vertices, centres[b], radii[b], rings);
        ConnectBall(&s, b * vertices, rings, &next);
    }
    return s;
}

// ---- block ----------------------------------------------------------------------------------------------------------

rslSnapshot MakeBlock(int n)
{
    static const int steps[6][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 0 }, { 1, 0, 1 }, { 0, 1, 1 } };
    int springs = 3 * n * n * (n - 1) + 3 * n * (n - 1) * (n - 1);
    rslSnapshot s = MakeHand(n * n * n, springs, 0, 0, 1);
    int next = 0;
    for (int i = 0; i < n * n * n; ++i)
    {
        int at[3] = { i % n, i / n % n, i / (n * n) };
        double bulge = 1.0 + 0.15 * (n - 1 - at[2]) / n;
        s.positions[3 * i] = 0.1 * bulge * (at[0] - 0.5 * (n - 1));
        s.positions[3 * i + 1] = 0.1 * bulge * (at[1] - 0.5 * (n - 1));
        s.positions[3 * i + 2] = 0.1 * at[2];
        s.tension[i] = 2.0 * at[2] / (n - 1.0) - 1.0;
        for (int k = 0; k < 6; ++k)
        {
            int x = at[0] + steps[k][0], y = at[1] + steps[k][1], z = at[2] + steps[k][2];
            if (x < n && y < n && z < n)
            {
                s.springs[2 * next] = i;
                s.springs[2 * next++ + 1] = (z * n + y) * n + x;
            }
        }
    }
    return s;
}

// ---- sheet ----------------------------------------------------------------------------------------------------------

rslSnapshot MakeSheet(int n)
{
    rslSnapshot s = MakeHand(n * n, 2 * n * (n - 1), n * n, 2 * (n - 1) * (n - 1), 1);
    int spring = 0, triangle = 0;
    for (int i = 0; i < n * n; ++i)
    {
        int x = i % n, y = i / n;
        double u = x / (n - 1.0);
        s.positions[3 * i] = s.vertices[3 * i] = 0.1 * x;
        s.positions[3 * i + 1] = s.vertices[3 * i + 1] = 0.1 * y - 0.6 * u * (1.0 - u);
        s.tension[i] = y / (n - 1.0) - 0.3;
        s.vertexNode[i] = i;
        for (int step = 0; step < 2; ++step)
        {
            if ((step == 0 ? x : y) + 1 < n)
            {
                s.springs[2 * spring] = i;
                s.springs[2 * spring++ + 1] = step == 0 ? i + 1 : i + n;
            }
        }
        if (x + 1 < n && y + 1 < n)
        {
            AddTriangle(&s, &triangle, i, i + 1, i + n + 1);
            AddTriangle(&s, &triangle, i, i + n + 1, i + n);
        }
    }
    return s;
}
