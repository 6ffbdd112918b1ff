// SPDX-License-Identifier: MIT
//
// multigrid_galerkin.c: see multigrid.h. A_IJ = sum over children i of I and j of J of w_i w_j F_i A_ij F_j, gathered by each
// coarse node in the order of its children, so that the bits do not depend on threads. F are the projectors of held nodes,
// and on coarse levels of nodes all of whose children are held alike. Where the fine level has rows, it is known in advance where
// everything goes: first T_j = sum over children of w_i A_ij of all nodes j near, then A_IJ = sum of w_j T_j.

#include "multigrid.h"

#include "ascending.h"
#include "lanes.h"
#include "statics.h"
#include "symmetric.h"

#include <string.h>

enum
{
    ROW_CAPACITY = 513,
    NEAR_CAPACITY = 512,  // children of a coarse node and their neighbours; 125 without splits
    NEAR_NUMBERS = 16,    // of a block: nine, and room for the next one to begin with a line of the cache
    GATHER = 32           // coarse nodes that one item of work takes
};

// One row of a coarse matrix while it is gathered: the last entry is the diagonal.
typedef struct Row
{
    const rslMultigrid* grid;
    const rslLevel *fine, *coarse;
    int node;
    double sum[ROW_CAPACITY][9];
} Row;

static double Weight(const rslLevel* fine, int node)
{
    return 1.0 / (fine->parentStart[node + 1] - fine->parentStart[node]);
}

static int SlotOf(const Row* row, int other)
{
    int begin = row->coarse->rowStart[row->node], end = row->coarse->rowStart[row->node + 1];
    return (other == row->node ? end : rslFirstFrom(row->coarse->column, begin, end - 1, other)) - begin;
}

// The share of A_ij, with the weight of i in it, goes to all parents of j.
static void Spread(Row* row, int j, double weight, const double a[9])
{
    const rslLevel* fine = row->fine;
    for (int p = fine->parentStart[j]; p < fine->parentStart[j + 1]; ++p)
    {
        double* sum = row->sum[SlotOf(row, fine->parent[p])];
        for (int c = 0; c < 9; ++c)
        {
            sum[c] += weight * a[c];
        }
    }
}

typedef struct LinkGather
{
    Row* row;
    int node;
} LinkGather;

// The share of a link in its own node is in the diagonal already.
static void SpreadLink(void* context, int j, const double block[9])
{
    const LinkGather* gather = context;
    Row* row = gather->row;
    double a[9];
    if (j != gather->node && row->fine->parentStart[j + 1] > row->fine->parentStart[j])
    {
        const rslUnknowns* unknowns = row->grid->unknowns;
        memcpy(a, block, sizeof a);
        rslBlock_Project(a, rslUnknowns_Projector(unknowns, gather->node), rslUnknowns_Projector(unknowns, j));
        Spread(row, j, Weight(row->fine, gather->node) * Weight(row->fine, j), a);
    }
}

static void GatherFromNodes(Row* row, int i)
{
    const rslMultigrid* grid = row->grid;
    const double* fi = rslUnknowns_Projector(grid->unknowns, i);
    double weight = Weight(row->fine, i), a[9];
    rslBondRow bonds;
    rslStatics_Row(grid->kernel, grid->state, i, &bonds);
    for (int n = 0; n < bonds.count; ++n)
    {
        int j = bonds.other[n];
        rslBlock_Between(bonds.block[n], -1.0, fi, rslUnknowns_Projector(grid->unknowns, j), a);
        Spread(row, j, weight * Weight(row->fine, j), a);
    }
    rslBlock_Between(grid->diagonal[i], 1.0, fi, fi, a);
    Spread(row, i, weight * weight, a);
    rslStatics_Elements(grid->kernel, grid->state, i, SpreadLink, &(LinkGather){ row, i });
    rslStatics_Links(grid->kernel, grid->state, i, SpreadLink, &(LinkGather){ row, i });
}

static void GatherFromRows(Row* row, int i)
{
    const rslLevel* fine = row->fine;
    const double* fi = rslLevel_Free(fine, i);
    double weight = Weight(fine, i), diagonal[9];
    memcpy(diagonal, fine->own[i], sizeof diagonal);
    for (int e = fine->rowStart[i]; e < fine->rowStart[i + 1]; ++e)
    {
        int j = fine->column[e];
        double a[9];
        rslLevel_Numbers(fine, e, a);
        rslBlock_Project(a, fi, rslLevel_Free(fine, j));
        Spread(row, j, weight * Weight(fine, j), a);
    }
    rslBlock_Project(diagonal, fi, fi);
    Spread(row, i, weight * weight, diagonal);
}

// The projector to the directions in which a diagonal block has a stiffness. False when that is all of them.
static bool FindFree(const double d[9], double projector[6])
{
    static const int of[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };
    double a[RSL_SMALL][RSL_SMALL], v[RSL_SMALL][RSL_SMALL], trace = d[0] + d[4] + d[8];
    for (int c = 0; c < 9; ++c)
    {
        a[c / 3][c % 3] = d[c];
    }
    rslSymmetric_Solve(a, v, 3);
    memset(projector, 0, 6 * sizeof(double));
    bool bare = false;
    for (int e = 0; e < 3; ++e)
    {
        bool stiff = a[e][e] > 1e-9 * trace;
        for (int c = 0; stiff && c < 6; ++c)
        {
            projector[c] += v[of[c][0]][e] * v[of[c][1]][e];
        }
        bare = bare || !stiff;
    }
    return bare;
}

// Off-diagonal blocks, their sum with the diagonal, and the inverse of the diagonal.
static void StoreRow(const Row* row, rslLevel* coarse)
{
    int begin = coarse->rowStart[row->node], count = coarse->rowStart[row->node + 1] - begin;
    const double* d = row->sum[count];
    double *ground = coarse->ground[row->node], *own = coarse->own[row->node], rounded[9] = { 0.0 };
    memcpy(ground, d, 9 * sizeof(double));
    for (int n = 0; n < count; ++n)
    {
        int stride;
        float* block = rslLevel_Block(coarse, begin + n, &stride);
        for (int c = 0; c < 9; ++c)
        {
            float number = (float)row->sum[n][c];
            block[stride * c] = number;
            ground[c] += row->sum[n][c];
            rounded[c] += (double)number;
        }
    }
    for (int c = 0; c < 9; ++c)
    {
        own[c] = ground[c] - rounded[c];
    }
    double diagonal[6] = { d[0], d[4], d[8], d[1], d[2], d[5] };
    if (coarse->bare != NULL)
    {
        coarse->bare[row->node] = FindFree(d, coarse->free[row->node]);
        rslBlock_Free(diagonal, rslLevel_Free(coarse, row->node));
    }
    rslBlock_InvertSingle(diagonal, coarse->inverse[row->node]);
}

typedef struct Gather
{
    rslMultigrid* grid;
    int level;  // the fine one
} Gather;

// ---- along what is known ----------------------------------------------------------------------------------------------

typedef struct Near
{
    const rslLevel *fine, *coarse;
    int node, count;  // coarse node; nodes near it
    int list[NEAR_CAPACITY];
} Near;

static int SearchNear(const Near* near, int value)
{
    return rslFirstFrom(near->list, 0, near->count, value);
}

static void InsertNear(Near* near, int value)
{
    int at = SearchNear(near, value);
    if (near->count < NEAR_CAPACITY && (at == near->count || near->list[at] != value))
    {
        rslPutInto(near->list, &near->count, at, value);
    }
}

// False: there are too many.
static bool FindNear(Near* near, int* blocks, int* slots)
{
    const rslLevel* fine = near->fine;
    near->count = *blocks = *slots = 0;
    for (int k = fine->childStart[near->node]; k < fine->childStart[near->node + 1]; ++k)
    {
        int i = fine->child[k];
        InsertNear(near, i);
        for (int e = fine->rowStart[i]; e < fine->rowStart[i + 1]; ++e)
        {
            InsertNear(near, fine->column[e]);
        }
        *blocks += 1 + fine->rowStart[i + 1] - fine->rowStart[i];
    }
    for (int n = 0; n < near->count; ++n)
    {
        *slots += fine->parentStart[near->list[n] + 1] - fine->parentStart[near->list[n]];
    }
    return near->count < NEAR_CAPACITY;
}

static void NoteNear(const Near* near, rslGalerkin* g)
{
    const rslLevel *fine = near->fine, *coarse = near->coarse;
    uint16_t *block = g->blockAt + g->blockStart[near->node], *slot = g->slot + g->slotStart[near->node];
    Row row = { .coarse = coarse, .node = near->node };
    memcpy(g->near + g->nearStart[near->node], near->list, (size_t)near->count * sizeof(int));
    for (int k = fine->childStart[near->node]; k < fine->childStart[near->node + 1]; ++k)
    {
        int i = fine->child[k];
        *block++ = (uint16_t)SearchNear(near, i);
        for (int e = fine->rowStart[i]; e < fine->rowStart[i + 1]; ++e)
        {
            *block++ = (uint16_t)SearchNear(near, fine->column[e]);
        }
    }
    for (int n = 0; n < near->count; ++n)
    {
        for (int p = fine->parentStart[near->list[n]]; p < fine->parentStart[near->list[n] + 1]; ++p)
        {
            *slot++ = (uint16_t)SlotOf(&row, fine->parent[p]);
        }
    }
}

bool rslLevel_MakeGalerkin(rslLevel* fine, const rslLevel* coarse, rslArena* arena)
{
    rslGalerkin g = { 0 };
    size_t count = (size_t)coarse->count;
    Near near = { .fine = fine, .coarse = coarse };
    int blocks, slots;
    bool few = true;
    g.nearStart = rslArena_Allocate(arena, count + 1, sizeof(int));
    g.blockStart = rslArena_Allocate(arena, count + 1, sizeof(int));
    g.slotStart = rslArena_Allocate(arena, count + 1, sizeof(int));
    if (g.nearStart == NULL || g.blockStart == NULL || g.slotStart == NULL)
    {
        return false;
    }
    for (near.node = 0; near.node < coarse->count; ++near.node)
    {
        few = FindNear(&near, &blocks, &slots) && few;
        g.nearStart[near.node + 1] = g.nearStart[near.node] + near.count;
        g.blockStart[near.node + 1] = g.blockStart[near.node] + blocks;
        g.slotStart[near.node + 1] = g.slotStart[near.node] + slots;
    }
    if (!few)
    {
        return true;
    }
    g.near = rslArena_Allocate(arena, (size_t)g.nearStart[count] + 1, sizeof(int));
    g.blockAt = rslArena_Allocate(arena, (size_t)g.blockStart[count] + 1, sizeof(uint16_t));
    g.slot = rslArena_Allocate(arena, (size_t)g.slotStart[count] + 1, sizeof(uint16_t));
    if (g.near == NULL || g.blockAt == NULL || g.slot == NULL)
    {
        return false;
    }
    for (near.node = 0; near.node < coarse->count; ++near.node)
    {
        FindNear(&near, &blocks, &slots);
        NoteNear(&near, &g);
    }
    fine->galerkin = g;
    return true;
}

// sum += weight a
RSL_INLINE void AddFloats(double* sum, double weight, const float* a)
{
    rslLanes wide, before;
    rslLanes_Widen(a, &wide);
    rslLanes_Get(sum, &before);
    before += weight * wide;
    memcpy(sum, &before, sizeof before);
    sum[8] += weight * (double)a[8];
}

RSL_INLINE void AddDoubles(double* sum, double weight, const double* a)
{
    rslLanes wide, before;
    rslLanes_Get(a, &wide);
    rslLanes_Get(sum, &before);
    before += weight * wide;
    memcpy(sum, &before, sizeof before);
    sum[8] += weight * a[8];
}

RSL_CLONES static void rslGalerkin_GatherRow(Row* row, double (*near)[NEAR_NUMBERS])
{
    const rslLevel* fine = row->fine;
    const rslGalerkin* g = &fine->galerkin;
    int node = row->node, begin = g->nearStart[node], count = g->nearStart[node + 1] - begin;
    const uint16_t *block = g->blockAt + g->blockStart[node], *slot = g->slot + g->slotStart[node];
    memset(near, 0, (size_t)count * sizeof near[0]);
    for (int k = fine->childStart[node]; k < fine->childStart[node + 1]; ++k)
    {
        int i = fine->child[k];
        double weight = Weight(fine, i);
        AddDoubles(near[*block++], weight, fine->own[i]);
        for (int e = fine->rowStart[i]; e < fine->rowStart[i + 1]; ++e)
        {
            AddFloats(near[*block++], weight, fine->block[e]);
        }
    }
    for (int n = 0; n < count; ++n)
    {
        int j = g->near[begin + n];
        double weight = Weight(fine, j);
        for (int p = fine->parentStart[j]; p < fine->parentStart[j + 1]; ++p)
        {
            AddDoubles(row->sum[*slot++], weight, near[n]);
        }
    }
}

// ---- rows ---------------------------------------------------------------------------------------------------------------

static void GatherBlock(int item, void* context)
{
    const Gather* gather = context;
    rslLevel *fine = &gather->grid->levels[gather->level], *coarse = fine + 1;
    int end = coarse->count - GATHER * item < GATHER ? coarse->count : GATHER * (item + 1);
    bool known = fine->galerkin.slot != NULL && fine->bare == NULL && fine->block != NULL,
         regular = rslMultigrid_IsRegular(gather->grid);
    rslKeptRows kept;
    memset(kept.node, 0, sizeof kept.node);
    _Alignas(64) double near[NEAR_CAPACITY][NEAR_NUMBERS];
    Row row;
    row.grid = gather->grid;
    row.fine = fine;
    row.coarse = coarse;
    for (int i = GATHER * item; i < end; ++i)
    {
        row.node = i;
        if (regular && rslMultigrid_GatherRegular(gather->grid, gather->level, i, &kept, row.sum))
        {
            StoreRow(&row, coarse);
            continue;
        }
        memset(row.sum, 0, (size_t)(coarse->rowStart[i + 1] - coarse->rowStart[i] + 1) * sizeof row.sum[0]);
        for (int c = fine->childStart[i]; !known && c < fine->childStart[i + 1]; ++c)
        {
            bool rows = gather->level > 0 || gather->grid->stored;
            (rows ? GatherFromRows : GatherFromNodes)(&row, fine->child[c]);
        }
        if (known)
        {
            rslGalerkin_GatherRow(&row, near);
        }
        StoreRow(&row, coarse);
    }
}

// ---- all levels -----------------------------------------------------------------------------------------------------

void rslMultigrid_Update(rslMultigrid* grid, const rslState* state)
{
    rslTeam* team = grid->unknowns->team;
    grid->state = state;
    for (int k = 0; k + 1 < grid->levelCount; ++k)
    {
        Gather gather = { grid, k };
        const rslLevel* coarse = &grid->levels[k + 1];
        rslTeam_Run(team, GatherBlock, (coarse->count + GATHER - 1) / GATHER, &gather);
        if (coarse->stencil.groupCount > 0)
        {
            rslStencil_Fill(&coarse->stencil, team, coarse->rowStart, (const float(*)[9])coarse->block,
                            (const double(*)[9])coarse->ground, (const float(*)[6])coarse->inverse);
        }
        rslMultigrid_FindLargest(grid, k + 1);
    }
    // last: its vectors take the place of the diagonal
    rslMultigrid_FindLargest(grid, 0);
    rslMultigrid_FactorLast(grid);
}
