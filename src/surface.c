// SPDX-License-Identifier: MIT
//
// surface.c: the closed triangle surface of a shape: its own where it has one, else extracted.

#include "memory.h"
#include "mesh_builder.h"
#include "shape_internal.h"

#include <string.h>

static rslStatus CopyMesh(const rslMeshTree* tree, rslMesh* mesh)
{
    size_t v = (size_t)tree->vertexCount, t = (size_t)tree->triangleCount;
    mesh->vertices = rslAllocate(&mesh->hooks, v, 3 * sizeof(double));
    mesh->triangles = rslAllocate(&mesh->hooks, t, 3 * sizeof(int));
    if (mesh->vertices == NULL || mesh->triangles == NULL)
    {
        return rsl_outOfMemory;
    }
    memcpy(mesh->vertices, tree->vertices, v * 3 * sizeof(double));
    memcpy(mesh->triangles, tree->triangles, t * 3 * sizeof(int));
    mesh->vertexCount = tree->vertexCount;
    mesh->triangleCount = tree->triangleCount;
    return rsl_ok;
}

static void Move(const rslShape* shape, rslMesh* mesh)
{
    for (size_t i = 0; i < (size_t)mesh->vertexCount; ++i)
    {
        double* x = mesh->vertices + 3 * i;
        rslVec3 p = rslShape_ToWorld(shape, (rslVec3){ x[0], x[1], x[2] });
        x[0] = p.x;
        x[1] = p.y;
        x[2] = p.z;
    }
}

static rslStatus MakeSurface(const rslShape* shape, double edge, rslMesh* mesh, rslReport* report)
{
    switch (shape->type)
    {
        case rsl_rabbitShape:
        case rsl_unionShape:
        case rsl_differenceShape:
        case rsl_intersectionShape: return rslSurface_Extract(shape, edge, mesh, report);
        default: break;
    }
    rslStatus status = shape->type == rsl_meshShape ? CopyMesh(shape->mesh, mesh)
                                                    : rslSurface_Primitive(shape, edge / shape->scale, mesh, report);
    if (status == rsl_ok)
    {
        Move(shape, mesh);
    }
    return status;
}

rslStatus rslShape_Surface(const rslShape* shape, double edge, const rslHooks* hooks, rslMesh* mesh, rslReport* report)
{
    *mesh = (rslMesh){ .hooks = rslHooks_Complete(hooks) };
    rslPlace nowhere = { 0, 0 };
    if (!(isfinite(edge) && edge > 0.0))
    {
        rslReport_Add(report, rsl_error, nowhere,
                      "the edge length of a surface must be a finite number greater than 0, found %g", edge);
        return rsl_badInput;
    }
    rslStatus status = MakeSurface(shape, edge, mesh, report);
    if (status == rsl_outOfMemory)
    {
        rslReport_Add(report, rsl_error, nowhere, "out of memory while making a surface");
    }
    if (status != rsl_ok)
    {
        rslMesh_Free(mesh);
    }
    return status;
}
