// SPDX-License-Identifier: MIT
//
// build_surface.c: the surface of a shape, embedded in the lattice or network that fills it.

#include "build.h"
#include "host.h"
#include "vec.h"

#include <string.h>

// The lattice should hold the same volume as the shape; coarse ones without anti-aliasing do not.
static void CheckVolume(rslBuild* build, const rslBodyDef* def, const rslBody* body, const rslMesh* mesh)
{
    double volume = rslMesh_Volume(mesh->vertices, mesh->triangles, mesh->triangleCount);
    double excess = body->volume / volume - 1.0;
    if (!(fabs(excess) <= 0.05))
    {
        rslReport_Add(
            build->report, rsl_warning, def->network.place,
            "the cells of body '%s' hold %.3g m3, its shape %.3g m3 (%+.0f %%): spacing %.3g m is coarse; its "
            "mass and stiffness differ alike",
            def->name, body->volume, volume, 100.0 * excess, body->lattice.spacing);
    }
}

rslStatus rslBuild_Embed(rslBuild* build, const rslMesh* mesh, const rslBody* body, int* nodes, double* weights)
{
    rslHost host;
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    rslStatus status = rslHost_Make(&host, body, &build->model->hooks);
    for (int v = 0; status == rsl_ok && v < mesh->vertexCount; ++v)
    {
        const double* x = mesh->vertices + 3 * (size_t)v;
        rslVec3 X = rslMatTVec(&turn, rslSub((rslVec3){ x[0], x[1], x[2] }, body->frame.origin));
        status = rslHost_Embed(&host, X, nodes + 8 * (size_t)v, weights + 8 * (size_t)v);
    }
    rslHost_Free(&host);
    return status;
}

static rslStatus KeepSurface(rslBuild* build, const rslMesh* mesh, rslBody* body)
{
    size_t vertices = (size_t)mesh->vertexCount, corners = 3 * (size_t)mesh->triangleCount;
    int* triangles = rslArena_Allocate(build->arena, corners, sizeof(int));
    int* nodes = rslArena_Allocate(build->arena, 8 * vertices, sizeof(int));
    double* weights = rslArena_Allocate(build->arena, 8 * vertices, sizeof(double));
    if (triangles == NULL || nodes == NULL || weights == NULL)
    {
        return rsl_outOfMemory;
    }
    memcpy(triangles, mesh->triangles, corners * sizeof(int));
    body->surface = (rslSurface){
        .vertexCount = mesh->vertexCount,
        .triangleCount = mesh->triangleCount,
        .triangles = triangles,
        .stencilNodes = nodes,
        .stencilWeights = weights,
        .closed = true,
    };
    return rslBuild_Embed(build, mesh, body, nodes, weights);
}

rslStatus rslBuild_OwnSurface(rslBuild* build, const int* corners, int count, bool closed, rslBody* body)
{
    size_t vertices = (size_t)body->nodeCount, bytes = 3 * (size_t)count * sizeof(int);
    int* triangles = rslArena_Allocate(build->arena, 3 * (size_t)count, sizeof(int));
    int* nodes = rslArena_Allocate(build->arena, 8 * vertices, sizeof(int));
    double* weights = rslArena_Allocate(build->arena, 8 * vertices, sizeof(double));
    if (triangles == NULL || nodes == NULL || weights == NULL)
    {
        return rsl_outOfMemory;
    }
    memcpy(triangles, corners, bytes);
    for (size_t v = 0; v < vertices; ++v)
    {
        for (size_t s = 0; s < 8; ++s)
        {
            nodes[8 * v + s] = body->firstNode + (int)v;
        }
        weights[8 * v] = 1.0;
    }
    body->surface = (rslSurface){
        .vertexCount = (int)vertices,
        .triangleCount = count,
        .triangles = triangles,
        .stencilNodes = nodes,
        .stencilWeights = weights,
        .closed = closed,
    };
    return rsl_ok;
}

rslStatus rslBuild_Surface(rslBuild* build, const rslBodyDef* def, const rslShape* shape, rslBody* body)
{
    // fine enough to show the shape between nodes, coarse enough not to outnumber them
    double edge = isnan(def->surface.resolution) ? 0.5 * body->spacing : def->surface.resolution;
    rslMesh mesh = { 0 };
    rslStatus status = rslShape_Surface(shape, edge, &build->model->hooks, &mesh, build->report);
    if (status != rsl_ok)
    {
        return status;
    }
    if (body->kind == rsl_latticeBody && !def->network.antialias)
    {
        CheckVolume(build, def, body, &mesh);
    }
    status = KeepSurface(build, &mesh, body);
    rslMesh_Free(&mesh);
    return status;
}
