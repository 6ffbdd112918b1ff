// SPDX-License-Identifier: MIT
//
// stencil.c: see stencil.h.

#include "stencil.h"

#include "ascending.h"
#include "lanes.h"

#include <stddef.h>
#include <string.h>

enum
{
    LANES = RSL_LANES,
    ITEM = 64,       // groups that one item of work takes
    CAPACITY = 8192  // distances of one group
};

// ---- making -------------------------------------------------------------------------------------------------------------

static bool IsNext(const int* rowStart, const int* column, int node)
{
    bool found = rowStart[node] == rowStart[node + 1] && rowStart[node + 1] == rowStart[node + 2];
    for (int e = rowStart[node]; !found && e < rowStart[node + 1]; ++e)
    {
        found = column[e] == node + 1;
    }
    return found;
}

// First nodes of groups, where there is room for them; returns their number.
static int FindGroups(int count, const int* rowStart, const int* column, int* begin)
{
    int groups = 0;
    for (int i = 0; i < count;)
    {
        int end = i + 1;
        while (end < count && end - i < LANES && IsNext(rowStart, column, end - 1))
        {
            ++end;
        }
        if (begin != NULL)
        {
            begin[groups] = i;
            begin[groups + 1] = end;
        }
        groups += 1;
        i = end;
    }
    return groups;
}

// The distances of a group, ascending; returns their number, and more than CAPACITY when there are too many.
static int FindDistances(const rslStencil* s, int group, const int* rowStart, const int* column, int* list)
{
    int count = 0;
    for (int i = s->begin[group]; i < s->begin[group + 1]; ++i)
    {
        for (int e = rowStart[i]; e < rowStart[i + 1] && count <= CAPACITY; ++e)
        {
            int distance = column[e] - i, at = count;
            while (at > 0 && list[at - 1] >= distance)
            {
                --at;
            }
            if (at < count && list[at] == distance)
            {
                continue;
            }
            if (count < CAPACITY)
            {
                memmove(&list[at + 1], &list[at], (size_t)(count - at) * sizeof(int));
                list[at] = distance;
            }
            count += 1;
        }
    }
    return count;
}

// Distances of all groups, where there is room for them, and entries of all blocks.
static bool FindEntries(rslStencil* s, const int* rowStart, const int* column, int* list)
{
    for (int g = 0; g < s->groupCount; ++g)
    {
        int count = FindDistances(s, g, rowStart, column, list);
        if (count > CAPACITY)
        {
            return false;
        }
        s->entryStart[g + 1] = s->entryStart[g] + count;
        if (s->distance != NULL)
        {
            memcpy(s->distance + s->entryStart[g], list, (size_t)count * sizeof(int));
        }
        for (int i = s->begin[g]; s->distance != NULL && i < s->begin[g + 1]; ++i)
        {
            for (int e = rowStart[i]; e < rowStart[i + 1]; ++e)
            {
                int entry = rslFirstFrom(s->distance, s->entryStart[g], s->entryStart[g + 1] - 1, column[e] - i);
                s->at[e] = LANES * entry + i - s->begin[g];
            }
        }
    }
    return true;
}

bool rslStencil_Make(rslStencil* s, int count, const int* rowStart, const int* column, rslArena* arena)
{
    *s = (rslStencil){ .groupCount = FindGroups(count, rowStart, column, NULL) };
    size_t groups = (size_t)s->groupCount;
    s->begin = rslArena_Allocate(arena, groups + 1, sizeof(int));
    s->entryStart = rslArena_Allocate(arena, groups + 1, sizeof(int));
    s->inverse = rslArena_Allocate(arena, groups, sizeof *s->inverse);
    s->ground = rslArena_Allocate(arena, groups, sizeof *s->ground);
    s->at = rslArena_Allocate(arena, (size_t)rowStart[count] + 1, sizeof(int));
    int* list = rslAllocate(&arena->hooks, CAPACITY + 1, sizeof(int));
    bool made = s->begin != NULL && s->entryStart != NULL && s->inverse != NULL && s->ground != NULL && s->at != NULL &&
                list != NULL;
    if (made)
    {
        FindGroups(count, rowStart, column, s->begin);
        made = FindEntries(s, rowStart, column, list);
    }
    if (made)
    {
        size_t entries = (size_t)s->entryStart[groups] + 1;
        s->distance = rslArena_Allocate(arena, entries, sizeof(int));
        s->block = rslArena_Allocate(arena, entries, sizeof *s->block);
        made = s->distance != NULL && s->block != NULL && FindEntries(s, rowStart, column, list);
    }
    rslRelease(&arena->hooks, list);
    return made;
}

// ---- passes over groups ---------------------------------------------------------------------------------------------------

typedef struct Pass
{
    const rslStencil* stencil;
    const int* rowStart;
    const float (*block)[9];
    const double (*ground)[9];
    const float (*inverse)[6];
    double *const *x, *const *out;
    const rslStencilSmoothing* smoothing;
} Pass;

static void Run(const rslStencil* stencil, rslTeam* team, rslTask* task, Pass* pass)
{
    pass->stencil = stencil;
    rslTeam_Run(team, task, (stencil->groupCount + ITEM - 1) / ITEM, pass);
}

static int EndOf(const Pass* pass, int item)
{
    int count = pass->stencil->groupCount;
    return count - ITEM * item < ITEM ? count : ITEM * (item + 1);
}

static void FillItem(int item, void* context)
{
    const Pass* pass = context;
    const rslStencil* s = pass->stencil;
    for (int g = ITEM * item; g < EndOf(pass, item); ++g)
    {
        for (int i = s->begin[g]; i < s->begin[g + 1]; ++i)
        {
            int lane = i - s->begin[g];
            for (int e = pass->rowStart[i]; pass->block != NULL && e < pass->rowStart[i + 1]; ++e)
            {
                float* to = rslStencil_Block(s, e);
                for (int c = 0; c < 9; ++c)
                {
                    to[LANES * c] = pass->block[e][c];
                }
            }
            for (int c = 0; c < 9; ++c)
            {
                s->ground[g][c][lane] = pass->ground[i][c];
            }
            for (int c = 0; c < 6; ++c)
            {
                s->inverse[g][c][lane] = pass->inverse[i][c];
            }
        }
    }
}

void rslStencil_Fill(const rslStencil* stencil, rslTeam* team, const int* rowStart, const float (*block)[9],
                     const double (*ground)[9], const float (*inverse)[6])
{
    Run(stencil, team, FillItem, &(Pass){ .rowStart = rowStart, .block = block, .ground = ground, .inverse = inverse });
}

typedef rslLanes Lanes;

// Of the nodes of a group. What lies behind it may be changed by others meanwhile.
RSL_INLINE void Load(const double* from, int count, Lanes* to)
{
    double part[LANES] = { 0.0 };
    if (count == LANES)
    {
        rslLanes_Get(from, to);
        return;
    }
    for (int l = 0; l < count; ++l)
    {
        part[l] = from[l];
    }
    rslLanes_Get(part, to);
}

RSL_INLINE void Store(const Lanes* from, int count, double* to)
{
    double part[LANES];
    if (count == LANES)
    {
        memcpy(to, from, sizeof *from);
        return;
    }
    memcpy(part, from, sizeof *from);
    for (int l = 0; l < count; ++l)
    {
        to[l] = part[l];
    }
}

// Of neighbours. Lanes before the first node have none there: any number does.
RSL_INLINE void Across(const double* x, ptrdiff_t at, Lanes* to)
{
    double part[LANES];
    if (at >= 0)
    {
        rslLanes_Get(x + at, to);
        return;
    }
    for (int l = 0; l < LANES; ++l)
    {
        part[l] = at + l >= 0 ? x[at + l] : 0.0;
    }
    rslLanes_Get(part, to);
}

RSL_CLONES static void rslStencil_MultiplyGroups(const Pass* pass, int begin, int end)
{
    const rslStencil* s = pass->stencil;
    for (int g = begin; g < end; ++g)
    {
        ptrdiff_t first = s->begin[g];
        int count = s->begin[g + 1] - s->begin[g];
        Lanes own[3], d[3], sum[3], a[3];
        for (int r = 0; r < 3; ++r)
        {
            rslLanes_Get(pass->x[r] + first, &own[r]);
        }
        for (int r = 0; r < 3; ++r)
        {
            for (int c = 0; c < 3; ++c)
            {
                rslLanes_Get(s->ground[g][3 * r + c], &a[c]);
            }
            sum[r] = a[0] * own[0] + a[1] * own[1] + a[2] * own[2];
        }
        for (int e = s->entryStart[g]; e < s->entryStart[g + 1]; ++e)
        {
            for (int c = 0; c < 3; ++c)
            {
                Across(pass->x[c], first + s->distance[e], &d[c]);
                d[c] -= own[c];
            }
            for (int r = 0; r < 3; ++r)
            {
                for (int c = 0; c < 3; ++c)
                {
                    rslLanes_Widen(s->block[e][3 * r + c], &a[c]);
                }
                sum[r] += a[0] * d[0] + a[1] * d[1] + a[2] * d[2];
            }
        }
        for (int r = 0; r < 3; ++r)
        {
            Store(&sum[r], count, pass->out[r] + first);
        }
    }
}

static void MultiplyItem(int item, void* context)
{
    rslStencil_MultiplyGroups(context, ITEM * item, EndOf(context, item));
}

void rslStencil_Multiply(const rslStencil* stencil, rslTeam* team, double* const x[3], double* const out[3])
{
    Run(stencil, team, MultiplyItem, &(Pass){ .x = x, .out = out });
}

RSL_CLONES static void rslStencil_SmoothGroups(const Pass* pass, int begin, int end)
{
    static const int of[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };
    const rslStencil* s = pass->stencil;
    const rslStencilSmoothing* m = pass->smoothing;
    for (int g = begin; g < end; ++g)
    {
        ptrdiff_t first = s->begin[g];
        int count = s->begin[g + 1] - s->begin[g];
        Lanes left[3], d[3], p, x;
        for (int r = 0; r < 3; ++r)
        {
            rslLanes_Get(m->b[r] + first, &left[r]);
            if (!m->fresh)
            {
                rslLanes_Get(m->t[r] + first, &d[r]);
                left[r] -= d[r];
            }
        }
        for (int r = 0; r < 3; ++r)
        {
            for (int c = 0; c < 3; ++c)
            {
                rslLanes_Widen(s->inverse[g][of[r][c]], &d[c]);
            }
            p = m->gain * (d[0] * left[0] + d[1] * left[1] + d[2] * left[2]);
            if (m->keep != 0.0)
            {
                Load(m->p[r] + first, count, &x);
                p += m->keep * x;
            }
            Store(&p, count, m->p[r] + first);
            if (!m->fresh)
            {
                Load(m->x[r] + first, count, &x);
                p += x;
            }
            Store(&p, count, m->x[r] + first);
        }
    }
}

static void SmoothItem(int item, void* context)
{
    rslStencil_SmoothGroups(context, ITEM * item, EndOf(context, item));
}

void rslStencil_Smooth(const rslStencil* stencil, rslTeam* team, const rslStencilSmoothing* smoothing)
{
    Run(stencil, team, SmoothItem, &(Pass){ .smoothing = smoothing });
}
