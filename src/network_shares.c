// SPDX-License-Identifier: MIT
//
// network_shares.c: slices cut for threads; see network_slices.h.

#include "network_slices.h"

#include <string.h>

static int SlotsFrom(int slices)
{
    return SLICE * slices;
}

static bool IsCut(const SliceKernel* slices, int group)
{
    return group > 0 && group < slices->groupCount && slices->groups[group - 1].body == slices->groups[group].body;
}

// ---- sweeps -----------------------------------------------------------------------------------------------------------

// Where sums are, and behind the last slot whose sums have begun.
typedef struct Front
{
    Real *sums, *drags;
    int end;
} Front;

static void Begin(Front* front, int end)
{
    if (end > front->end)
    {
        size_t at = RECORD * (size_t)front->end, bytes = RECORD * sizeof(Real) * (size_t)(end - front->end);
        memset(front->sums + at, 0, bytes);
        if (front->drags != NULL)
        {
            memset(front->drags + at, 0, bytes);
        }
        front->end = end;
    }
}

// The sums of slots that are not done go on in records of the share.
static void MoveToTail(Front* front, const SliceShare* share)
{
    size_t at = RECORD * (size_t)share->tailSlot,
           bytes = RECORD * sizeof(Real) * (size_t)(front->end - share->tailSlot);
    memcpy(share->tail, front->sums + at, bytes);
    front->sums = share->tail - at;
    if (front->drags != NULL)
    {
        memcpy(share->tailDrag, front->drags + at, bytes);
        front->drags = share->tailDrag - at;
    }
}

void RSL_NAME(rslShares_Sweep)(const Kernel* kernel, int item, int from, ShareFunction* function, const void* context)
{
    const SliceKernel* slices = kernel->slices;
    const SliceShare* share = &slices->shares[item];
    Front front = { 0 };
    for (int g = share->begin; g < share->end; ++g)
    {
        const SliceGroup* group = &slices->groups[g];
        RowView view = RSL_NAME(rslSlices_View)(kernel, g, from);
        function(kernel, group->body, &view, context);
        if (g == share->begin || slices->groups[g - 1].body != group->body)
        {
            front = (Front){ view.sums, view.drags, SlotsFrom(group->begin) };
        }
        if (g == share->begin && share->loose.count > 0)
        {
            view.loose = share->loose;
            Begin(&front, share->looseReach);
            kernel->wide->addLooseRows(&view);
        }
        if (g == share->tailGroup)
        {
            MoveToTail(&front, share);
        }
        Begin(&front, group->reach);
        view.sums = front.sums;
        view.drags = front.drags;
        kernel->wide->addRows(&view);
    }
}

// ---- springs across cuts ----------------------------------------------------------------------------------------------

static int OtherOf(const SliceBody* body, int slice, size_t e)
{
    return SlotsFrom(slice) + (body->near != NULL ? (int)body->near[e] : body->far[e]);
}

// A spring of a row, as the next one of loose rows.
static void CopySpring(const SliceBody* body, int slice, size_t e, int at, LooseRows* loose)
{
    int constants = ConstantsOf(body), lane = (int)(e % SLICE), row = (int)(e / SLICE) - body->rowStart[slice];
    const Real* from = body->constants + body->place[slice];
    loose->from[at] = SlotsFrom(slice) + lane;
    loose->to[at] = OtherOf(body, slice, e);
    for (int i = 0; i < constants; ++i)
    {
        size_t to = SLICE * (size_t)(constants * (at / SLICE) + i) + (size_t)(at % SLICE);
        size_t own = SLICE * (size_t)(constants * row + i) + (size_t)lane;
        loose->constants[to] = body->alike[slice] ? from[constants * row + i] : from[own];
    }
}

// Counts springs into slots [begin, end) from before, in their order, and copies them into rows that have room.
static int FindLoose(const SliceKernel* slices, const SliceGroup* first, int begin, int end, LooseRows* rows)
{
    const SliceBody* body = &slices->bodies[first->body];
    int count = 0;
    for (const SliceGroup* group = slices->groups + body->firstGroup; group < first; ++group)
    {
        for (int slice = group->begin; group->reach > begin && slice < group->end; ++slice)
        {
            size_t last = SLICE * (size_t)body->rowStart[slice + 1];
            for (size_t e = SLICE * (size_t)body->rowStart[slice]; e < last; ++e)
            {
                int other = OtherOf(body, slice, e);
                if (other >= begin && other < end)
                {
                    if (rows != NULL)
                    {
                        CopySpring(body, slice, e, count, rows);
                    }
                    ++count;
                }
            }
        }
    }
    return count;
}

// What rows are filled up with does nothing at the first slot of the share.
static bool MakeLoose(Kernel* kernel, SliceShare* share, int begin, int end)
{
    const SliceKernel* slices = kernel->slices;
    const SliceGroup* first = &slices->groups[share->begin];
    int count = FindLoose(slices, first, begin, end, NULL), constants = ConstantsOf(&slices->bodies[first->body]);
    LooseRows* loose = &share->loose;
    loose->count = (count + SLICE - 1) / SLICE;
    size_t room = SLICE * (size_t)loose->count;
    loose->from = RSL_NAME(rslKernel_Allocate)(kernel, room, sizeof(int));
    loose->to = RSL_NAME(rslKernel_Allocate)(kernel, room, sizeof(int));
    loose->constants = RSL_NAME(rslSlices_Allocate)(kernel, room * (size_t)constants, sizeof(Real));
    if (loose->from == NULL || loose->to == NULL || loose->constants == NULL)
    {
        return false;
    }
    FindLoose(slices, first, begin, end, loose);
    for (int at = count; at < (int)room; ++at)
    {
        loose->from[at] = loose->to[at] = begin;
        loose->constants[SLICE * (constants * (at / SLICE) + OF_INVERSE) + at % SLICE] = 1;
    }
    share->looseReach = begin;
    for (int at = 0; at < (int)room; ++at)
    {
        share->looseReach = loose->to[at] >= share->looseReach ? loose->to[at] + 1 : share->looseReach;
    }
    return true;
}

// Records for sums from the first group on that leads out of the share.
static bool MakeTail(Kernel* kernel, SliceShare* share, int end)
{
    const SliceGroup *groups = kernel->slices->groups, *last = &groups[share->end - 1];
    const SliceBody* body = &kernel->slices->bodies[last->body];
    int reach = end;
    for (int g = share->end - 1; g >= share->begin && groups[g].body == last->body; --g)
    {
        share->tailGroup = groups[g].reach > end ? g : share->tailGroup;
        reach = groups[g].reach > reach ? groups[g].reach : reach;
    }
    if (share->tailGroup == share->end)
    {
        return true;
    }
    share->tailSlot = SlotsFrom(groups[share->tailGroup].begin);
    size_t numbers = RECORD * (size_t)(reach - share->tailSlot);
    share->tail = RSL_NAME(rslSlices_Allocate)(kernel, numbers, sizeof(Real));
    share->tailDrag = body->damped ? RSL_NAME(rslSlices_Allocate)(kernel, numbers, sizeof(Real)) : NULL;
    return share->tail != NULL && (share->tailDrag != NULL || !body->damped);
}

static bool MakeCuts(Kernel* kernel, SliceShare* share)
{
    const SliceKernel* slices = kernel->slices;
    bool made = true;
    share->tailGroup = share->end;
    if (share->begin < share->end && IsCut(slices, share->begin))
    {
        const SliceGroup *first = &slices->groups[share->begin], *last = first;
        while (last + 1 < slices->groups + share->end && last[1].body == first->body)
        {
            ++last;
        }
        made = MakeLoose(kernel, share, SlotsFrom(first->begin), SlotsFrom(last->end));
    }
    if (made && share->begin < share->end && IsCut(slices, share->end))
    {
        made = MakeTail(kernel, share, SlotsFrom(slices->groups[share->end - 1].end));
    }
    return made;
}

// ---- shares -----------------------------------------------------------------------------------------------------------

static double RowsOf(const SliceKernel* slices, int group)
{
    const SliceGroup* of = &slices->groups[group];
    const int* start = slices->bodies[of->body].rowStart;
    return (double)(start[of->end] - start[of->begin]);
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

bool RSL_NAME(rslShares_Make)(Kernel* kernel)
{
    SliceKernel* slices = kernel->slices;
    int width = rslTeam_Width(kernel->team);
    slices->shareCount = width < slices->groupCount ? width : slices->groupCount;
    slices->shares = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slices->shareCount, sizeof(SliceShare));
    bool made = slices->shares != NULL;
    if (made)
    {
        ShareOut(slices);
    }
    for (int s = 0; made && s < slices->shareCount; ++s)
    {
        made = MakeCuts(kernel, &slices->shares[s]);
    }
    return made;
}
