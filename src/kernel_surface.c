// SPDX-License-Identifier: MIT
//
// kernel_surface.c: see kernel_surface.h.

#include "kernel_surface.h"

enum
{
    STENCIL = 8
};

bool RSL_NAME(rslSurfaceKernel_Make)(Kernel* kernel, int body, const rslEnclosed* enclosed, SurfaceKernel* surface)
{
    const rslSurface* own = &kernel->model->bodies[body].surface;
    *surface = (SurfaceKernel){
        .surface = own,
        .body = body,
        .vertexCount = own->vertexCount,
        .triangleCount = own->triangleCount,
        .triangles = own->triangles,
    };
    if (enclosed != NULL)
    {
        surface->vertexCount = enclosed->vertexCount;
        surface->triangleCount = enclosed->triangleCount;
        surface->triangles = enclosed->triangles;
        surface->loopCount = enclosed->loopCount;
        surface->loopStart = enclosed->loopStart;
        surface->loopVertices = enclosed->loopVertices;
    }
    double** arrays[4] = { &surface->vertices, &surface->area, &surface->motion, &surface->change };
    bool made = true;
    for (int a = 0; a < 4; ++a)
    {
        *arrays[a] = RSL_NAME(rslKernel_Allocate)(kernel, 3 * (size_t)surface->vertexCount, sizeof(double));
        made = made && *arrays[a] != NULL;
    }
    surface->sums = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)SurfaceBlocks(surface), sizeof(double));
    rslSurface whole = { .vertexCount = surface->vertexCount, .triangleCount = surface->triangleCount };
    whole.triangles = surface->triangles;
    return made && surface->sums != NULL && rslSurface_ListCorners(&whole, &kernel->arena, &surface->corners) &&
           rslSurface_ListVertices(&kernel->model->bodies[body], &kernel->arena, &surface->carried);
}

// ---- the surface as it is now ---------------------------------------------------------------------------------------

typedef struct SurfaceContext
{
    const Kernel* kernel;
    Real* const* from;  // displacements, or the vector of a product
    bool moved;         // the latter: motion and change
    SurfaceKernel* surface;
    const double *a, *b;
} SurfaceContext;

// Where vertices are, or how they move.
static void PlaceVertices(int item, void* context)
{
    const SurfaceContext* c = context;
    const rslSurface* own = c->surface->surface;
    double* out = c->moved ? c->surface->motion : c->surface->vertices;
    for (int v = item * VERTEX_BLOCK; v < BlockEnd(item, own->vertexCount); ++v)
    {
        rslVec3 sum = { 0 };
        for (size_t e = STENCIL * (size_t)v; e < STENCIL * ((size_t)v + 1); ++e)
        {
            double weight = own->stencilWeights[e];
            int node = own->stencilNodes[e];
            if (weight != 0.0)
            {
                rslVec3 y = VectorAt(c->from, node);
                if (!c->moved)
                {
                    y = rslAdd(RSL_NAME(rslKernel_RestOf)(c->kernel, c->surface->body, node), y);
                }
                sum = rslMulAdd(sum, weight, y);
            }
        }
        Store3(out, v, sum);
    }
}

static void PlaceLoops(const SurfaceKernel* surface, double* of)
{
    for (int l = 0; l < surface->loopCount; ++l)
    {
        int begin = surface->loopStart[l], end = surface->loopStart[l + 1];
        rslVec3 sum = { 0 };
        for (int e = begin; e < end; ++e)
        {
            sum = rslAdd(sum, Load3(of, surface->loopVertices[e]));
        }
        Store3(of, surface->surface->vertexCount + l, rslScale(1.0 / (end - begin), sum));
    }
}

static rslVec3 AreaChange(const SurfaceKernel* surface, int triangle)
{
    const int* corner = &surface->triangles[3 * (size_t)triangle];
    rslVec3 a = Load3(surface->vertices, corner[0]), da = Load3(surface->motion, corner[0]);
    rslVec3 b = Load3(surface->vertices, corner[1]), db = Load3(surface->motion, corner[1]);
    rslVec3 c = Load3(surface->vertices, corner[2]), dc = Load3(surface->motion, corner[2]);
    return rslAdd(rslCross(rslSub(db, da), rslSub(c, a)), rslCross(rslSub(b, a), rslSub(dc, da)));
}

static void SumVertex(const SurfaceContext* c, int v)
{
    const SurfaceKernel* surface = c->surface;
    rslVec3 sum = { 0 };
    for (int e = surface->corners.start[v]; e < surface->corners.start[v + 1]; ++e)
    {
        sum = rslAdd(sum, (c->moved ? AreaChange : AreaVector)(surface, surface->corners.items[e] / 3));
    }
    Store3(c->moved ? surface->change : surface->area, v, sum);
}

static void SumAreas(int item, void* context)
{
    const SurfaceContext* c = context;
    for (int v = item * VERTEX_BLOCK; v < BlockEnd(item, c->surface->surface->vertexCount); ++v)
    {
        SumVertex(c, v);
    }
}

// What the means of loops have goes to the vertices of the loops.
static void HandOn(const SurfaceContext* c, double* of)
{
    const SurfaceKernel* surface = c->surface;
    for (int l = 0; l < surface->loopCount; ++l)
    {
        int begin = surface->loopStart[l], end = surface->loopStart[l + 1], mean = surface->surface->vertexCount + l;
        SumVertex(c, mean);
        rslVec3 share = rslScale(1.0 / (end - begin), Load3(of, mean));
        for (int e = begin; e < end; ++e)
        {
            int v = surface->loopVertices[e];
            Store3(of, v, rslAdd(Load3(of, v), share));
        }
    }
}

void RSL_NAME(rslSurfaceKernel_Place)(Kernel* kernel, const View* view, SurfaceKernel* surface)
{
    SurfaceContext context = { .kernel = kernel, .from = view->u, .surface = surface };
    rslTeam_Run(kernel->team, PlaceVertices, SurfaceBlocks(surface), &context);
    PlaceLoops(surface, surface->vertices);
}

void RSL_NAME(rslSurfaceKernel_FindAreas)(Kernel* kernel, SurfaceKernel* surface)
{
    SurfaceContext context = { .kernel = kernel, .surface = surface };
    rslTeam_Run(kernel->team, SumAreas, SurfaceBlocks(surface), &context);
    HandOn(&context, surface->area);
}

void RSL_NAME(rslSurfaceKernel_Move)(Kernel* kernel, Real* const p[3], SurfaceKernel* surface)
{
    SurfaceContext context = { .kernel = kernel, .from = p, .moved = true, .surface = surface };
    rslTeam_Run(kernel->team, PlaceVertices, SurfaceBlocks(surface), &context);
    PlaceLoops(surface, surface->motion);
}

void RSL_NAME(rslSurfaceKernel_FindChanges)(Kernel* kernel, SurfaceKernel* surface)
{
    SurfaceContext context = { .kernel = kernel, .moved = true, .surface = surface };
    rslTeam_Run(kernel->team, SumAreas, SurfaceBlocks(surface), &context);
    HandOn(&context, surface->change);
}

// ---- answers --------------------------------------------------------------------------------------------------------

static void DotBlock(int item, void* context)
{
    const SurfaceContext* c = context;
    double sum = 0.0;
    for (int v = item * VERTEX_BLOCK; v < BlockEnd(item, c->surface->surface->vertexCount); ++v)
    {
        sum += rslDot(Load3(c->a, v), Load3(c->b, v));
    }
    c->surface->sums[item] = sum;
}

double RSL_NAME(rslSurfaceKernel_Dot)(Kernel* kernel, SurfaceKernel* surface, const double* a, const double* b)
{
    SurfaceContext context = { .surface = surface, .a = a, .b = b };
    rslTeam_Run(kernel->team, DotBlock, SurfaceBlocks(surface), &context);
    double sum = 0.0;
    for (int block = 0; block < SurfaceBlocks(surface); ++block)
    {
        sum += surface->sums[block];
    }
    return sum;
}

double RSL_NAME(rslSurfaceKernel_Volume)(Kernel* kernel, SurfaceKernel* surface)
{
    RSL_NAME(rslSurfaceKernel_FindAreas)(kernel, surface);
    // every triangle is met at its three corners, with the same volume to the origin
    return RSL_NAME(rslSurfaceKernel_Dot)(kernel, surface, surface->vertices, surface->area) / 18.0;
}

rslVec3 RSL_NAME(rslSurfaceKernel_Gather)(const SurfaceKernel* surface, const double* of, int local)
{
    rslVec3 sum = { 0 };
    for (int e = surface->carried.start[local]; e < surface->carried.start[local + 1]; ++e)
    {
        int code = surface->carried.items[e];
        sum = rslMulAdd(sum, surface->surface->stencilWeights[code], Load3(of, code / STENCIL));
    }
    return sum;
}
