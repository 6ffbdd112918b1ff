// SPDX-License-Identifier: MIT
//
// force_pressure.c: pressure on the embedded surface of a body; positive pushes inwards.
//
// A triangle (a, b, c) has the doubled area vector N = (b - a) x (c - a), outwards. Its three corners share -p N/2
// equally:  force on a corner = -p N / 6.  Around a closed surface this is the gradient of W = p V: dV/da = (b x c)/6, and
// the parts of N/6 that differ from it cancel around a vertex. A vertex hands its force to the nodes by its weights.
// With dN = (db - da) x (c - a) + (b - a) x (dc - da) the stiffness is d(-force) = p dN / 6.

#include "surface_lists.h"
#include "term.h"

struct PressureKernel
{
    PressureKernel* next;  // on the same body, in the order of the loads
    int load;
    const rslSurface* surface;
    int body;
    double* vertices;  // x y z in the body frame
    double* area;      // sum of N over the triangles at each vertex
    double* motion;    // of every vertex along the vector of a product
    double* change;    // of area along it
    rslLists corners;  // of every vertex
    rslLists carried;  // of every node of the body: vertices
};

enum
{
    STENCIL = 8,
    VERTEX_CHUNK = 256
};

static rslVec3 Load3(const double* xyz, int index)
{
    xyz += 3 * (size_t)index;
    return (rslVec3){ xyz[0], xyz[1], xyz[2] };
}

// One for every pressure load of the model. False when out of memory.
bool RSL_NAME(rslPressure_Make)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    for (int l = 0; l < model->loadCount; ++l)
    {
        kernel->pressureCount += model->loads[l].type == rsl_pressureLoad ? 1 : 0;
    }
    if (kernel->pressureCount == 0)
    {
        return true;
    }
    kernel->pressures = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->pressureCount, sizeof(PressureKernel));
    if (kernel->pressures == NULL)
    {
        return false;
    }
    PressureKernel* pressure = kernel->pressures;
    for (int l = 0; l < model->loadCount; ++l)
    {
        if (model->loads[l].type != rsl_pressureLoad)
        {
            continue;
        }
        int body = model->loads[l].body;
        *pressure = (PressureKernel){ .load = l, .body = body, .surface = &model->bodies[body].surface };
        PressureKernel** end = &kernel->bodies[body].pressures;
        while (*end != NULL)
        {
            end = &(*end)->next;
        }
        *end = pressure;
        size_t count = 3 * (size_t)pressure->surface->vertexCount;
        pressure->vertices = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(double));
        pressure->area = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(double));
        pressure->motion = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(double));
        pressure->change = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(double));
        if (pressure->vertices == NULL || pressure->area == NULL || pressure->motion == NULL ||
            pressure->change == NULL ||
            !rslSurface_ListCorners(pressure->surface, &kernel->arena, &pressure->corners) ||
            !rslSurface_ListVertices(&model->bodies[body], &kernel->arena, &pressure->carried))
        {
            return false;
        }
        pressure += 1;
    }
    return true;
}

// ---- the surface as it is now ---------------------------------------------------------------------------------------

typedef struct PrepareContext
{
    const Kernel* kernel;
    const View* view;
    Real* const* p;  // of a product; NULL: the surface itself
    PressureKernel* pressure;
} PrepareContext;

static void Store3(double* xyz, int index, rslVec3 v)
{
    xyz += 3 * (size_t)index;
    xyz[0] = v.x;
    xyz[1] = v.y;
    xyz[2] = v.z;
}

static int LastVertex(int item, const rslSurface* surface)
{
    int end = (item + 1) * VERTEX_CHUNK;
    return end < surface->vertexCount ? end : surface->vertexCount;
}

// Where vertices are, or how they move along p.
static void PlaceVertices(int item, void* context)
{
    const PrepareContext* c = context;
    const rslSurface* surface = c->pressure->surface;
    Real* const* from = c->p != NULL ? c->p : c->view->u;
    double* out = c->p != NULL ? c->pressure->motion : c->pressure->vertices;
    for (int v = item * VERTEX_CHUNK; v < LastVertex(item, surface); ++v)
    {
        rslVec3 sum = { 0 };
        for (int e = STENCIL * v; e < STENCIL * (v + 1); ++e)
        {
            double weight = surface->stencilWeights[e];
            int node = surface->stencilNodes[e];
            if (weight != 0.0)
            {
                rslVec3 y = { (double)from[0][node], (double)from[1][node], (double)from[2][node] };
                if (c->p == NULL)
                {
                    y = rslAdd(RSL_NAME(rslKernel_RestOf)(c->kernel, c->pressure->body, node), y);
                }
                sum = rslMulAdd(sum, weight, y);
            }
        }
        Store3(out, v, sum);
    }
}

static rslVec3 AreaVector(const PressureKernel* pressure, int triangle)
{
    const int* corner = &pressure->surface->triangles[3 * triangle];
    rslVec3 a = Load3(pressure->vertices, corner[0]);
    rslVec3 b = Load3(pressure->vertices, corner[1]);
    rslVec3 c = Load3(pressure->vertices, corner[2]);
    return rslCross(rslSub(b, a), rslSub(c, a));
}

static rslVec3 AreaChange(const PressureKernel* pressure, int triangle)
{
    const int* corner = &pressure->surface->triangles[3 * triangle];
    rslVec3 a = Load3(pressure->vertices, corner[0]), da = Load3(pressure->motion, corner[0]);
    rslVec3 b = Load3(pressure->vertices, corner[1]), db = Load3(pressure->motion, corner[1]);
    rslVec3 c = Load3(pressure->vertices, corner[2]), dc = Load3(pressure->motion, corner[2]);
    return rslAdd(rslCross(rslSub(db, da), rslSub(c, a)), rslCross(rslSub(b, a), rslSub(dc, da)));
}

// N over the triangles at each vertex, or its change along p.
static void SumAreas(int item, void* context)
{
    const PrepareContext* c = context;
    const PressureKernel* pressure = c->pressure;
    for (int v = item * VERTEX_CHUNK; v < LastVertex(item, pressure->surface); ++v)
    {
        rslVec3 sum = { 0 };
        for (int e = pressure->corners.start[v]; e < pressure->corners.start[v + 1]; ++e)
        {
            sum = rslAdd(sum, (c->p != NULL ? AreaChange : AreaVector)(pressure, pressure->corners.items[e] / 3));
        }
        Store3(c->p != NULL ? pressure->change : pressure->area, v, sum);
    }
}

static void FindAreas(Kernel* kernel, const View* view, Real* const* p)
{
    for (int i = 0; i < kernel->pressureCount; ++i)
    {
        PrepareContext context = { kernel, view, p, &kernel->pressures[i] };
        int items = (context.pressure->surface->vertexCount + VERTEX_CHUNK - 1) / VERTEX_CHUNK;
        rslTeam_Run(kernel->team, PlaceVertices, items, &context);
        rslTeam_Run(kernel->team, SumAreas, items, &context);
    }
}

static void Prepare(Kernel* kernel, const View* view)
{
    FindAreas(kernel, view, NULL);
}

static void PrepareProduct(Kernel* kernel, const View* view, bool damping, Real* const p[3])
{
    if (!damping)
    {
        FindAreas(kernel, view, p);
    }
}

// ---- answers --------------------------------------------------------------------------------------------------------

static const PressureKernel* PressuresOn(const Kernel* kernel, const Chunk* chunk)
{
    return kernel->bodies[chunk->body].pressures;
}

static double PressureOf(const Kernel* kernel, const PressureKernel* pressure)
{
    return kernel->model->loads[pressure->load].pressure * kernel->loadFactors[pressure->load];
}

// Share of a node in what its vertices have.
static rslVec3 Gather(const PressureKernel* pressure, const double* of, int local)
{
    rslVec3 sum = { 0 };
    for (int e = pressure->carried.start[local]; e < pressure->carried.start[local + 1]; ++e)
    {
        int code = pressure->carried.items[e];
        sum = rslMulAdd(sum, pressure->surface->stencilWeights[code], Load3(of, code / STENCIL));
    }
    return sum;
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    const Real* drift = kernel->frames[chunk->body].drift;
    int first = kernel->model->bodies[chunk->body].firstNode;
    for (const PressureKernel* pressure = PressuresOn(kernel, chunk); pressure != NULL; pressure = pressure->next)
    {
        double p = PressureOf(kernel, pressure);
        for (int i = chunk->begin; p != 0.0 && i < chunk->end; ++i)
        {
            rslVec3 sum = Gather(pressure, pressure->area, i - first);
            double f[3] = { -p / 6.0 * sum.x, -p / 6.0 * sum.y, -p / 6.0 * sum.z };
            for (int axis = 0; axis < 3; ++axis)
            {
                kernel->force[axis][i] += (Real)f[axis];
                powers->loads += f[axis] * ((double)view->w[axis][i] + (double)drift[axis]);
            }
        }
    }
}

// The energy p V is the whole surface's; it is told by the chunk with the body's first node. What a changing pressure
// does is work, so this energy is not part of a run's account.
static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    (void)view;
    double energy = 0.0;
    if (chunk->begin != kernel->model->bodies[chunk->body].firstNode)
    {
        return energy;
    }
    for (const PressureKernel* pressure = PressuresOn(kernel, chunk); pressure != NULL; pressure = pressure->next)
    {
        for (int t = 0; t < pressure->surface->triangleCount; ++t)
        {
            rslVec3 a = Load3(pressure->vertices, pressure->surface->triangles[3 * (size_t)t]);
            energy += PressureOf(kernel, pressure) / 6.0 * rslDot(a, AreaVector(pressure, t));
        }
    }
    return energy;
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    (void)view;
    (void)p;
    int first = kernel->model->bodies[chunk->body].firstNode;
    for (const PressureKernel* pressure = PressuresOn(kernel, chunk); pressure != NULL; pressure = pressure->next)
    {
        double factor = PressureOf(kernel, pressure) / 6.0;
        for (int i = chunk->begin; factor != 0.0 && i < chunk->end; ++i)
        {
            rslVec3 sum = Gather(pressure, pressure->change, i - first);
            out[0][i] += (Real)(factor * sum.x);
            out[1][i] += (Real)(factor * sum.y);
            out[2][i] += (Real)(factor * sum.z);
        }
    }
}

static bool Present(const Kernel* kernel)
{
    return kernel->pressureCount > 0;
}

// The diagonal blocks of the stiffness are not symmetric one by one and vanish for flat parts: none are told.
const Term RSL_NAME(rslPressureTerm) = {
    .name = "pressure",
    .hasEnergy = true,
    .symmetric = true,
    .farReaching = true,
    .external = true,
    .present = Present,
    .prepare = Prepare,
    .prepareProduct = PrepareProduct,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
};
