// SPDX-License-Identifier: MIT
//
// network_slices.c: see network_slices.h. Forces and energies of all slices at a view.

#include "network_slices.h"

RowView RSL_NAME(rslSlices_View)(const Kernel* kernel, int item, int from)
{
    const SliceGroup* group = &kernel->slices->groups[item];
    const SliceBody* body = &kernel->slices->bodies[group->body];
    return (RowView){ .begin = group->begin,
                      .end = group->end,
                      .rowStart = body->rowStart,
                      .near = body->near,
                      .far = body->far,
                      .alike = body->alike,
                      .place = body->place,
                      .constants = body->constants,
                      .damped = body->damped,
                      .general = body->general,
                      .carrier = body->carrier,
                      .places = body->places[from],
                      .speeds = body->speeds[from],
                      .sums = body->places[1 - from],
                      .drags = body->damped ? body->speeds[1 - from] : NULL,
                      .nodes = body->nodes,
                      .lost = kernel->slices->lost[item] };
}

// Into the kernel.
static void Gather(const Kernel* kernel, int body, RowView* view, const void* context)
{
    (void)body;
    (void)context;
    for (int axis = 0; axis < 3; ++axis)
    {
        view->force[axis] = kernel->force[axis];
        view->drag[axis] = kernel->drag[axis];
    }
}

static void AddShare(int item, void* context)
{
    RSL_NAME(rslShares_Sweep)(context, item, 0, Gather, NULL);
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
        Real* place = body->places[0] + RECORD * (size_t)slot;
        for (int axis = 0; node >= 0 && axis < 3; ++axis)
        {
            place[axis] = u[axis][node];
        }
        for (int axis = 0; node >= 0 && body->damped && axis < 3; ++axis)
        {
            body->speeds[0][RECORD * (size_t)slot + (size_t)axis] = w[axis][node];
        }
    }
}

void RSL_NAME(rslSlices_Force)(Kernel* kernel, const View* view)
{
    Pass pass = { kernel, view };
    rslTeam_Run(kernel->team, PackGroup, kernel->slices->groupCount, &pass);
    rslTeam_Run(kernel->team, AddShare, kernel->slices->shareCount, kernel);
}

double RSL_NAME(rslSlices_Lost)(const Kernel* kernel, int body)
{
    const SliceBody* of = &kernel->slices->bodies[body];
    double sum = 0.0;
    for (int g = of->firstGroup; of->damped && g < of->firstGroup + of->groupCount; ++g)
    {
        sum += kernel->slices->lost[g][ROW_LOST];
    }
    return sum;
}

// ---- energy ---------------------------------------------------------------------------------------------------------

static void WeighGroup(int item, void* context)
{
    Kernel* kernel = context;
    RowView view = RSL_NAME(rslSlices_View)(kernel, item, 0);
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
