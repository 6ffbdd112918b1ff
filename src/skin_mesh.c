// SPDX-License-Identifier: MIT
//
// skin_mesh.c: see skin_mesh.h.
//
// An edge that is too long gets a vertex in its middle, whichever triangle looks at it, so that the surface stays closed; a
// triangle with one, two or three such edges becomes two, three or four. Until no edge is too long.

#include "skin_mesh.h"

#include "index_map.h"
#include "mesh_builder.h"
#include "shape_internal.h"

enum
{
    PASSES = 24,
};

// ---- dividing -------------------------------------------------------------------------------------------------------

typedef struct Divider
{
    const rslMesh* from;
    rslMeshBuilder builder;
    rslIndexMap middles;  // lower << 32 | higher -> vertex in the middle; -1: short enough
    double longest;
    bool any;
} Divider;

static rslVec3 Vertex(const rslMesh* mesh, int v)
{
    const double* x = mesh->vertices + 3 * (size_t)v;
    return (rslVec3){ x[0], x[1], x[2] };
}

static double EdgeSquared(const rslMesh* mesh, int a, int b)
{
    rslVec3 d = rslSub(Vertex(mesh, b), Vertex(mesh, a));
    return rslDot(d, d);
}

// The vertex in the middle of an edge, or -1.
static int Middle(Divider* divider, int a, int b)
{
    if (EdgeSquared(divider->from, a, b) <= divider->longest * divider->longest)
    {
        return -1;
    }
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    int* vertex = rslIndexMap_Put(&divider->middles, low << 32 | high, -1);
    if (vertex == NULL)
    {
        divider->builder.failed = true;
        return -1;
    }
    if (*vertex < 0)
    {
        rslVec3 x = Vertex(divider->from, (int)low), y = Vertex(divider->from, (int)high);
        *vertex = rslMeshBuilder_Vertex(&divider->builder, rslScale(0.5, rslAdd(x, y)));
    }
    divider->any = true;
    return *vertex;
}

static void DivideTriangle(Divider* divider, const int* t)
{
    int middle[3], long_ = 0;
    for (int c = 0; c < 3; ++c)
    {
        middle[c] = Middle(divider, t[c], t[(c + 1) % 3]);
        long_ += middle[c] >= 0;
    }
    // turned, so that the first edges are the long ones
    int s = 0;
    while (long_ > 0 && long_ < 3 && !(middle[s] >= 0 && (long_ == 1 || middle[(s + 1) % 3] >= 0)))
    {
        ++s;
    }
    int a = t[s], b = t[(s + 1) % 3], c = t[(s + 2) % 3], ab = middle[s], bc = middle[(s + 1) % 3];
    rslMeshBuilder* out = &divider->builder;
    switch (long_)
    {
        case 0: rslMeshBuilder_Triangle(out, a, b, c); break;
        case 1:
            rslMeshBuilder_Triangle(out, a, ab, c);
            rslMeshBuilder_Triangle(out, ab, b, c);
            break;
        case 2:
            rslMeshBuilder_Triangle(out, ab, b, bc);
            rslMeshBuilder_Triangle(out, a, ab, bc);
            rslMeshBuilder_Triangle(out, a, bc, c);
            break;
        default:
            rslMeshBuilder_Triangle(out, a, ab, middle[2]);
            rslMeshBuilder_Triangle(out, ab, b, bc);
            rslMeshBuilder_Triangle(out, middle[2], bc, c);
            rslMeshBuilder_Triangle(out, ab, bc, middle[2]);
            break;
    }
}

// One pass; mesh is replaced. *any: some edge was too long.
static rslStatus Divide(rslMesh* mesh, double longest, bool* any)
{
    rslMesh next = { .hooks = mesh->hooks };
    Divider divider = { mesh, { .mesh = &next }, rslIndexMap_Make(&mesh->hooks), longest, false };
    for (int v = 0; v < mesh->vertexCount; ++v)
    {
        rslMeshBuilder_Vertex(&divider.builder, Vertex(mesh, v));
    }
    for (int t = 0; t < mesh->triangleCount && !divider.builder.failed; ++t)
    {
        DivideTriangle(&divider, mesh->triangles + 3 * (size_t)t);
    }
    rslIndexMap_Free(&divider.middles);
    *any = divider.any;
    if (divider.builder.failed)
    {
        rslMesh_Free(&next);
        return rsl_outOfMemory;
    }
    rslMesh_Free(mesh);
    *mesh = next;
    return rsl_ok;
}

// ---- the surface ----------------------------------------------------------------------------------------------------

static bool IsFarFiner(const rslMesh* mesh, double edge)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * mesh->triangleCount; ++i)
    {
        int next = i % 3 == 2 ? i - 2 : i + 1;
        sum += sqrt(EdgeSquared(mesh, mesh->triangles[i], mesh->triangles[next]));
    }
    return sum < 0.5 * edge * 3.0 * mesh->triangleCount;
}

rslStatus rslShape_Skin(const rslShape* shape, double edge, const rslHooks* hooks, rslMesh* mesh, rslReport* report)
{
    rslStatus status = rslShape_Surface(shape, edge, hooks, mesh, report);
    if (status == rsl_ok && shape->type == rsl_meshShape && IsFarFiner(mesh, edge))
    {
        rslMesh coarse = { .hooks = mesh->hooks };
        // nothing is left of what is thinner than nodes are apart: then the mesh itself has to do
        rslStatus extracted = rslSurface_Extract(shape, edge, &coarse, NULL);
        rslMesh* kept = extracted == rsl_ok ? &coarse : mesh;
        rslMesh_Free(extracted == rsl_ok ? mesh : &coarse);
        *mesh = *kept;
        status = extracted == rsl_outOfMemory ? extracted : rsl_ok;
    }
    bool any = status == rsl_ok;
    for (int pass = 0; pass < PASSES && any && status == rsl_ok; ++pass)
    {
        status = Divide(mesh, 1.6 * edge, &any);
    }
    if (status != rsl_ok)
    {
        rslMesh_Free(mesh);
    }
    return status;
}
