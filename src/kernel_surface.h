// SPDX-License-Identifier: MIT
//
// kernel_surface.h: the triangles around a body as a kernel sees them: where they are, how they move along a vector, and
// the doubled area vectors around every vertex, which are six times the gradient of the volume inside.
//
// A triangle (a, b, c) has N = (b - a) x (c - a), outwards. Around a closed surface the sum of N over the triangles at a is
// 6 dV/da: dV/da is the sum of (b x c)/6, and the parts in which the two differ cancel around a vertex. A vertex that is
// the mean of a loop hands its share on to the loop's own.

#pragma once

#include "kernel.h"
#include "surface_lists.h"

#define SurfaceKernel RSL_NAME(rslSurfaceKernel)

typedef struct SurfaceKernel
{
    const rslSurface* surface;
    int body;
    int vertexCount;  // those of the surface, and means of loops
    int triangleCount;
    const int* triangles;
    int loopCount;
    const int *loopStart, *loopVertices;
    double* vertices;  // x y z in the body frame
    double* area;      // sum of N over the triangles at each vertex
    double* motion;    // of every vertex along the vector of a product
    double* change;    // of area along it
    rslLists corners;  // of every vertex: three times a triangle and its place in it
    rslLists carried;  // of every node of the body: vertices, 8 times each and the node's place in the stencil
    double* sums;      // of every block of vertices
} SurfaceKernel;

enum
{
    VERTEX_BLOCK = 256
};

// The surface of a body, closed as its volume is kept or, with enclosed NULL, as it is. False when out of memory.
bool RSL_NAME(rslSurfaceKernel_Make)(Kernel* kernel, int body, const rslEnclosed* enclosed, SurfaceKernel* surface);

// vertices, then area, at a view.
void RSL_NAME(rslSurfaceKernel_Place)(Kernel* kernel, const View* view, SurfaceKernel* surface);
void RSL_NAME(rslSurfaceKernel_FindAreas)(Kernel* kernel, SurfaceKernel* surface);

// motion, then change, along a vector.
void RSL_NAME(rslSurfaceKernel_Move)(Kernel* kernel, Real* const p[3], SurfaceKernel* surface);
void RSL_NAME(rslSurfaceKernel_FindChanges)(Kernel* kernel, SurfaceKernel* surface);

// Sum over the vertices of the surface of a.b, by blocks.
double RSL_NAME(rslSurfaceKernel_Dot)(Kernel* kernel, SurfaceKernel* surface, const double* a, const double* b);

// The volume inside of vertices that are placed; finds area.
double RSL_NAME(rslSurfaceKernel_Volume)(Kernel* kernel, SurfaceKernel* surface);

// Share of a node, by its place in the body, in what vertices have.
rslVec3 RSL_NAME(rslSurfaceKernel_Gather)(const SurfaceKernel* surface, const double* of, int local);

static inline int SurfaceBlocks(const SurfaceKernel* surface)
{
    return (surface->surface->vertexCount + VERTEX_BLOCK - 1) / VERTEX_BLOCK;
}

static inline int BlockEnd(int block, int count)
{
    return (block + 1) * VERTEX_BLOCK < count ? (block + 1) * VERTEX_BLOCK : count;
}

static inline rslVec3 Load3(const double* xyz, int index)
{
    xyz += 3 * (size_t)index;
    return (rslVec3){ xyz[0], xyz[1], xyz[2] };
}

static inline void Store3(double* xyz, int index, rslVec3 v)
{
    xyz += 3 * (size_t)index;
    xyz[0] = v.x;
    xyz[1] = v.y;
    xyz[2] = v.z;
}

// N of a triangle.
static inline rslVec3 AreaVector(const SurfaceKernel* surface, int triangle)
{
    const int* corner = &surface->triangles[3 * (size_t)triangle];
    rslVec3 a = Load3(surface->vertices, corner[0]);
    rslVec3 b = Load3(surface->vertices, corner[1]);
    rslVec3 c = Load3(surface->vertices, corner[2]);
    return rslCross(rslSub(b, a), rslSub(c, a));
}
