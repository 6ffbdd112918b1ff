// SPDX-License-Identifier: MIT
//
// network_slices.c: see network_slices.h. Forces and energies of all slices at a view, and groups of them.

#include "network_slices.h"

RowView RSL_NAME(rslSlices_View)(const Kernel* kernel, int item, int from)
{
    const SliceGroup* group = &kernel->slices->groups[item];
    const SliceBody* body = &kernel->slices->bodies[group->body];
    RowView view = { .begin = group->begin,
                     .end = group->end,
                     .slices = body->rows,
                     .heads = body->heads,
                     .near = body->near,
                     .far = body->far,
                     .ways = body->ways,
                     .rests = body->rests,
                     .constants = body->constants,
                     .damped = body->damped,
                     .general = body->general,
                     .carrier = body->carrier,
                     .mass = body->mass,
                     .places = body->places[from],
                     .speeds = body->speeds[from],
                     .nodes = body->nodes,
                     .lost = kernel->slices->lost[item] };
    for (int axis = 0; axis < 3; ++axis)
    {
        view.u[axis] = body->u[from][axis];
        view.w[axis] = body->w[from][axis];
        view.force[axis] = kernel->force[axis];
        view.drag[axis] = kernel->drag[axis];
    }
    return view;
}

// ---- forces ---------------------------------------------------------------------------------------------------------

static void AddShare(int item, void* context)
{
    const Kernel* kernel = context;
    const SliceShare* share = &kernel->slices->shares[item];
    for (int g = share->begin; g < share->end; ++g)
    {
        RowView view = RSL_NAME(rslSlices_View)(kernel, g, 0);
        kernel->wide->addRows(&view);
    }
}

static void PutSlot(const Real of[3], size_t slot, Real* const by[3], Real* records)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        by[axis][slot] = of[axis];
        if (records != NULL)
        {
            records[RECORD * slot + (size_t)axis] = of[axis];
        }
    }
}

void RSL_NAME(rslSlices_Pack)(const Kernel* kernel, int item, const View* view, Real drift)
{
    const SliceGroup* group = &kernel->slices->groups[item];
    const SliceBody* body = &kernel->slices->bodies[group->body];
    bool moving = body->damped || drift != (Real)0;
    for (int slot = SLICE * group->begin; slot < SLICE * group->end; ++slot)
    {
        int node = body->nodes[slot];
        Real u[3] = { 0 }, w[3] = { 0 };
        for (int axis = 0; node >= 0 && axis < 3; ++axis)
        {
            w[axis] = moving ? view->w[axis][node] : (Real)0;
            u[axis] = drift != (Real)0 ? view->u[axis][node] + drift * w[axis] : view->u[axis][node];
        }
        PutSlot(u, (size_t)slot, body->u[0], body->places[0]);
        if (moving)
        {
            PutSlot(w, (size_t)slot, body->w[0], body->speeds[0]);
        }
    }
}

typedef struct Pass
{
    Kernel* kernel;
    const View* view;
} Pass;

static void PackGroup(int item, void* context)
{
    const Pass* pass = context;
    RSL_NAME(rslSlices_Pack)(pass->kernel, item, pass->view, 0);
}

void RSL_NAME(rslSlices_Force)(Kernel* kernel, const View* view)
{
    Pass pass = { kernel, view };
    kernel->slices->left = NULL;
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

typedef struct Weighing
{
    Kernel* kernel;
    int from;
} Weighing;

static void WeighGroup(int item, void* context)
{
    const Weighing* w = context;
    SliceKernel* slices = w->kernel->slices;
    RowView view = RSL_NAME(rslSlices_View)(w->kernel, item, w->from);
    bool general = slices->bodies[slices->groups[item].body].general;
    slices->energies[item] = general ? 0.0 : w->kernel->wide->energyOfRows(&view);
}

void RSL_NAME(rslSlices_StartEnergy)(Kernel* kernel, const View* view, const rslState* stepped)
{
    SliceKernel* slices = kernel->slices;
    if (slices == NULL)
    {
        return;
    }
    bool left = stepped != NULL && slices->left == stepped && slices->leftAt == stepped->stepCount;
    Weighing weighing = { kernel, left ? slices->leftIn : 0 };
    if (!left)
    {
        Pass pass = { kernel, view };
        rslTeam_Run(kernel->team, PackGroup, slices->groupCount, &pass);
    }
    rslTeam_Run(kernel->team, WeighGroup, slices->groupCount, &weighing);
    slices->weighed = true;
    slices->left = NULL;
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

// With room for a slice on both sides.
static bool MakeSlots(Kernel* kernel, const SliceBody* body, Real* by[3], Real** records)
{
    size_t slots = SLICE * (size_t)body->slices;
    bool listed = body->near != NULL || body->far != NULL, made = true;
    for (int axis = 0; made && axis < 3; ++axis)
    {
        Real* room = RSL_NAME(rslKernel_Allocate)(kernel, slots + 2 * SLICE, sizeof(Real));
        made = room != NULL;
        by[axis] = made ? room + SLICE : NULL;
    }
    if (made && listed && records != NULL)
    {
        *records = RSL_NAME(rslKernel_Allocate)(kernel, RECORD * slots, sizeof(Real));
        made = *records != NULL;
    }
    return made;
}

bool RSL_NAME(rslSlices_MakePlaces)(Kernel* kernel, SliceBody* body, int which)
{
    return MakeSlots(kernel, body, body->u[which], &body->places[which]);
}

bool RSL_NAME(rslSlices_MakeSpeeds)(Kernel* kernel, SliceBody* body, int which)
{
    return MakeSlots(kernel, body, body->w[which], body->damped ? &body->speeds[which] : NULL);
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
            slices->groups[g] = (SliceGroup){ b, at, count - at < GROUP ? count : at + GROUP };
        }
    }
    return made;
}

static double RowsOf(const SliceKernel* slices, int group)
{
    const SliceGroup* of = &slices->groups[group];
    double rows = 0.0;
    for (int slice = of->begin; slice < of->end; ++slice)
    {
        for (int sort = 0; sort < ROW_SORTS; ++sort)
        {
            rows += slices->bodies[of->body].rows[slice].count[sort];
        }
    }
    return rows;
}

// As many rows each. What is left over begins behind the last group: shares that have none.
static void ShareOut(SliceKernel* slices)
{
    double all = 0.0, sum = 0.0;
    int share = 0, count = slices->shareCount;
    for (int g = 0; g < slices->groupCount; ++g)
    {
        all += RowsOf(slices, g);
    }
    for (int g = 0; g <= slices->groupCount; ++g)
    {
        for (; share < count && (g == slices->groupCount || sum * count >= all * share); ++share)
        {
            slices->shares[share].begin = g;
        }
        sum += g < slices->groupCount ? RowsOf(slices, g) : 0.0;
    }
    for (int s = 0; s < count; ++s)
    {
        slices->shares[s].end = s + 1 < count ? slices->shares[s + 1].begin : slices->groupCount;
    }
}

static bool MakeShares(Kernel* kernel)
{
    SliceKernel* slices = kernel->slices;
    int width = rslTeam_Width(kernel->team);
    slices->shareCount = width < slices->groupCount ? width : slices->groupCount;
    slices->shares = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slices->shareCount, sizeof(SliceShare));
    if (slices->shares != NULL)
    {
        ShareOut(slices);
    }
    return slices->shares != NULL;
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
        made = MakeGroups(kernel) && MakeShares(kernel);
    }
    return made;
}
