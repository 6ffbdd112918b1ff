// SPDX-License-Identifier: MIT
//
// mesh.c: a triangle mesh: release, growth, volume.

#include "memory.h"
#include "mesh_builder.h"
#include "vec.h"

#include <limits.h>

void rslMesh_Free(rslMesh* mesh)
{
    if (mesh == NULL)
    {
        return;
    }
    rslHooks hooks = rslHooks_Complete(&mesh->hooks);
    rslRelease(&hooks, mesh->vertices);
    rslRelease(&hooks, mesh->triangles);
    *mesh = (rslMesh){ .hooks = mesh->hooks };
}

int rslMeshBuilder_Vertex(rslMeshBuilder* builder, rslVec3 x)
{
    rslMesh* mesh = builder->mesh;
    size_t count = (size_t)mesh->vertexCount;
    void* items = mesh->vertices;
    if (builder->failed || count >= INT_MAX / 4 ||
        !rslGrow(&mesh->hooks, &items, count, &builder->vertexCapacity, 3 * sizeof(double)))
    {
        builder->failed = true;
        return 0;
    }
    mesh->vertices = items;
    mesh->vertices[3 * count] = x.x;
    mesh->vertices[3 * count + 1] = x.y;
    mesh->vertices[3 * count + 2] = x.z;
    return mesh->vertexCount++;
}

void rslMeshBuilder_Triangle(rslMeshBuilder* builder, int a, int b, int c)
{
    rslMesh* mesh = builder->mesh;
    size_t count = (size_t)mesh->triangleCount;
    void* items = mesh->triangles;
    if (builder->failed || count >= INT_MAX / 4 ||
        !rslGrow(&mesh->hooks, &items, count, &builder->triangleCapacity, 3 * sizeof(int)))
    {
        builder->failed = true;
        return;
    }
    mesh->triangles = items;
    mesh->triangles[3 * count] = a;
    mesh->triangles[3 * count + 1] = b;
    mesh->triangles[3 * count + 2] = c;
    mesh->triangleCount += 1;
}

// Six times the volume of a tetrahedron is the determinant of its edges; the tips are put at the first vertex, so that a
// mesh far from the origin loses nothing.
double rslMesh_Volume(const double* vertices, const int* triangles, int triangleCount)
{
    double sum = 0.0;
    for (int t = 0; t < triangleCount; ++t)
    {
        const double* tip = vertices + 3 * (size_t)triangles[0];
        rslVec3 p[3];
        for (size_t c = 0; c < 3; ++c)
        {
            const double* x = vertices + 3 * (size_t)triangles[3 * (size_t)t + c];
            p[c] = (rslVec3){ x[0] - tip[0], x[1] - tip[1], x[2] - tip[2] };
        }
        sum += rslDot(p[0], rslCross(p[1], p[2]));
    }
    return sum / 6.0;
}
