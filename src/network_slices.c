// SPDX-License-Identifier: MIT
//
// network_slices.c: see network_slices.h. Forces and energies of all slices at a view, and groups of them.

#include "network_slices.h"

enum
{
    LINE = 64  // bytes; records do not lie across two
};

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

// ---- making them ----------------------------------------------------------------------------------------------------

void* RSL_NAME(rslSlices_Allocate)(Kernel* kernel, size_t count, size_t size)
{
    char* memory = RSL_NAME(rslKernel_Allocate)(kernel, count * size + LINE, 1);
    return memory != NULL ? memory + (LINE - (uintptr_t)memory % LINE) % LINE : NULL;
}

// With springs, of which no drive acts on any.
static bool Takes(const Kernel* kernel, const rslBody* body, const int* start)
{
    bool takes = start[body->nodeCount] > start[0] && body->nodeCount < INT32_MAX / RECORD - SLICE;
    for (int e = start[0]; takes && e < start[body->nodeCount]; ++e)
    {
        takes = kernel->entries[e].drives == 0;
    }
    return takes;
}

// Behind the last slot that slices lead to, and their own.
static int ReachOf(const SliceBody* body, int begin, int end)
{
    int reach = SLICE * end;
    for (int slice = begin; slice < end; ++slice)
    {
        size_t last = SLICE * (size_t)body->rowStart[slice + 1];
        for (size_t e = SLICE * (size_t)body->rowStart[slice]; e < last; ++e)
        {
            int other = SLICE * slice + (body->near != NULL ? (int)body->near[e] : body->far[e]);
            reach = other >= reach ? other + 1 : reach;
        }
    }
    return reach;
}

static bool MakeGroups(Kernel* kernel)
{
    SliceKernel* slices = kernel->slices;
    const int bodies = kernel->model->bodyCount;
    for (int b = 0; b < bodies; ++b)
    {
        SliceBody* body = &slices->bodies[b];
        body->firstGroup = slices->groupCount;
        body->groupCount = (body->slices + GROUP - 1) / GROUP;
        slices->groupCount += body->groupCount;
    }
    slices->groups = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slices->groupCount, sizeof(SliceGroup));
    slices->lost = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slices->groupCount, sizeof *slices->lost);
    slices->energies = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slices->groupCount, sizeof(double));
    bool made = slices->groups != NULL && slices->lost != NULL && slices->energies != NULL;
    for (int b = 0, g = 0; made && b < bodies; ++b)
    {
        int count = slices->bodies[b].slices;
        for (int at = 0; at < count; at += GROUP, ++g)
        {
            int end = count - at < GROUP ? count : at + GROUP;
            slices->groups[g] = (SliceGroup){ b, at, end, ReachOf(&slices->bodies[b], at, end) };
        }
    }
    return made;
}

bool RSL_NAME(rslSlices_Make)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    if (kernel->entryCount == 0)
    {
        return true;
    }
    SliceKernel* slices = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(SliceKernel));
    SliceBody* bodies = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->bodyCount, sizeof(SliceBody));
    bool made = slices != NULL && bodies != NULL;
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        if (body->kind != rsl_networkBody)
        {
            continue;
        }
        const int* start = kernel->entryStart + body->firstNode + kernel->bodies[b].restBase;
        made = !Takes(kernel, body, start) || RSL_NAME(rslSlices_MakeBody)(kernel, b, start, &bodies[b]);
    }
    if (made)
    {
        slices->bodies = bodies;
        kernel->slices = slices;
        made = MakeGroups(kernel) && RSL_NAME(rslShares_Make)(kernel);
    }
    return made;
}
