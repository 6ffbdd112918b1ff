// SPDX-License-Identifier: MIT
//
// force_pressure.c: pressure on the embedded surface of a body; positive pushes inwards.
//
// A triangle (a, b, c) has the doubled area vector N = (b - a) x (c - a), outwards. Its three corners share -p N/2
// equally:  force on a corner = -p N / 6.  Around a closed surface this is the gradient of W = p V (kernel_surface.h). A
// vertex hands its force to the nodes by its weights. With dN = (db - da) x (c - a) + (b - a) x (dc - da) the stiffness is
// d(-force) = p dN / 6.

#include "kernel_surface.h"
#include "term.h"

struct PressureKernel
{
    PressureKernel* next;  // on the same body, in the order of the loads
    int load;
    SurfaceKernel surface;
};

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
        *pressure = (PressureKernel){ .load = l };
        PressureKernel** end = &kernel->bodies[body].pressures;
        while (*end != NULL)
        {
            end = &(*end)->next;
        }
        *end = pressure;
        if (!RSL_NAME(rslSurfaceKernel_Make)(kernel, body, NULL, &pressure->surface))
        {
            return false;
        }
        pressure += 1;
    }
    return true;
}

// ---- the surface as it is now ---------------------------------------------------------------------------------------

static void Prepare(Kernel* kernel, const View* view)
{
    for (int i = 0; i < kernel->pressureCount; ++i)
    {
        RSL_NAME(rslSurfaceKernel_Place)(kernel, view, &kernel->pressures[i].surface);
        RSL_NAME(rslSurfaceKernel_FindAreas)(kernel, &kernel->pressures[i].surface);
    }
}

static void PrepareProduct(Kernel* kernel, const View* view, bool damping, Real* const p[3])
{
    (void)view;
    for (int i = 0; !damping && i < kernel->pressureCount; ++i)
    {
        RSL_NAME(rslSurfaceKernel_Move)(kernel, p, &kernel->pressures[i].surface);
        RSL_NAME(rslSurfaceKernel_FindChanges)(kernel, &kernel->pressures[i].surface);
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

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    const Real* drift = kernel->frames[chunk->body].drift;
    int first = kernel->model->bodies[chunk->body].firstNode;
    for (const PressureKernel* pressure = PressuresOn(kernel, chunk); pressure != NULL; pressure = pressure->next)
    {
        double p = PressureOf(kernel, pressure);
        for (int i = chunk->begin; p != 0.0 && i < chunk->end; ++i)
        {
            rslVec3 sum = RSL_NAME(rslSurfaceKernel_Gather)(&pressure->surface, pressure->surface.area, i - first);
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
        const SurfaceKernel* surface = &pressure->surface;
        for (int t = 0; t < surface->triangleCount; ++t)
        {
            rslVec3 a = Load3(surface->vertices, surface->triangles[3 * (size_t)t]);
            energy += PressureOf(kernel, pressure) / 6.0 * rslDot(a, AreaVector(surface, t));
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
            rslVec3 sum = RSL_NAME(rslSurfaceKernel_Gather)(&pressure->surface, pressure->surface.change, i - first);
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
