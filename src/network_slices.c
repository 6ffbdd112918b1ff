// SPDX-License-Identifier: MIT
//
// network_slices.c: see network_slices.h. Forces and energies of all slices at a view.

#include "network_slices.h"

RowView RSL_NAME(rslSlices_View)(const Kernel* kernel, int item)
{
    const SliceGroup* group = &kernel->slices->groups[item];
    const SliceBody* body = &kernel->slices->bodies[group->body];
    return (RowView){ .begin = group->begin,
                      .end = group->end,
                      .rowStart = body->rowStart,
                      .base = body->base,
                      .near = body->near,
                      .far = body->far,
                      .kept = body->kept,
                      .kind = body->kind,
                      .inverse = body->inverse,
                      .stiffness = body->stiffness,
                      .damping = body->damping,
                      .preload = body->preload,
                      .carrier = body->carrier,
                      .places = body->places[0],
                      .speeds = body->speeds[0],
                      .nodes = body->nodes,
                      .lost = kernel->slices->lost[item] };
}

static void AddGroup(int item, void* context)
{
    Kernel* kernel = context;
    RowView view = RSL_NAME(rslSlices_View)(kernel, item);
    for (int axis = 0; axis < 3; ++axis)
    {
        view.force[axis] = kernel->force[axis];
        view.drag[axis] = kernel->drag[axis];
    }
    kernel->wide->addRows(&view);
}

typedef struct Pass
{
    Kernel* kernel;
    const View* view;
} Pass;

static void PackGroup(int item, void* context)
{
    const Pass* pass = context;
    const SliceGroup* group = &pass->kernel->slices->groups[item];
    const SliceBody* body = &pass->kernel->slices->bodies[group->body];
    Real *const *u = pass->view->u, *const *w = pass->view->w;
    for (int slot = SLICE * group->begin; slot < SLICE * group->end; ++slot)
    {
        int node = body->nodes[slot];
        Real* place = body->places[0] + RECORD * (size_t)slot + RECORD / 2;
        for (int axis = 0; node >= 0 && axis < 3; ++axis)
        {
            place[axis] = u[axis][node];
        }
        for (int axis = 0; node >= 0 && body->damped && axis < 3; ++axis)
        {
            body->speeds[0][SPEED * (size_t)slot + (size_t)axis] = w[axis][node];
        }
    }
}

void RSL_NAME(rslSlices_Force)(Kernel* kernel, const View* view)
{
    Pass pass = { kernel, view };
    rslTeam_Run(kernel->team, PackGroup, kernel->slices->groupCount, &pass);
    rslTeam_Run(kernel->team, AddGroup, kernel->slices->groupCount, kernel);
}

// Every spring was asked at both of its ends.
double RSL_NAME(rslSlices_Lost)(const Kernel* kernel, int body)
{
    const SliceBody* of = &kernel->slices->bodies[body];
    double sum = 0.0;
    for (int g = of->firstGroup; of->damped && g < of->firstGroup + of->groupCount; ++g)
    {
        sum += 0.5 * kernel->slices->lost[g][ROW_LOST];
    }
    return sum;
}

// ---- energy ---------------------------------------------------------------------------------------------------------

static void WeighGroup(int item, void* context)
{
    Kernel* kernel = context;
    RowView view = RSL_NAME(rslSlices_View)(kernel, item);
    bool general = kernel->slices->bodies[kernel->slices->groups[item].body].general;
    kernel->slices->energies[item] = general ? 0.0 : kernel->wide->energyOfRows(&view);
}

void RSL_NAME(rslSlices_StartEnergy)(Kernel* kernel, const View* view)
{
    if (kernel->slices != NULL)
    {
        Pass pass = { kernel, view };
        rslTeam_Run(kernel->team, PackGroup, kernel->slices->groupCount, &pass);
        rslTeam_Run(kernel->team, WeighGroup, kernel->slices->groupCount, kernel);
        kernel->slices->weighed = true;
    }
}

void RSL_NAME(rslSlices_EndEnergy)(Kernel* kernel)
{
    if (kernel->slices != NULL)
    {
        kernel->slices->weighed = false;
    }
}

double RSL_NAME(rslSlices_Energy)(const Kernel* kernel, int body)
{
    const SliceBody* of = &kernel->slices->bodies[body];
    double sum = 0.0;
    for (int g = of->firstGroup; g < of->firstGroup + of->groupCount; ++g)
    {
        sum += kernel->slices->energies[g];
    }
    return sum;
}
