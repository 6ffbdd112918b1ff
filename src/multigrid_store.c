// SPDX-License-Identifier: MIT
//
// multigrid_store.c: rows of level 0 of lattices (multigrid.h), F_i A_ij F_j with F the projectors of held nodes. Springs, elements,
// links, bending, repulsion and what belongs to nodes alone are in them; what touches is not, because who touches whom changes:
// rslStatics_Touch multiplies with it. Coarse levels have its diagonal blocks.

#include "multigrid.h"

#include "statics.h"

#include <string.h>

enum
{
    STORED_NODES = 1 << 17,  // larger models have no rows: 1 kB a node, and as much again for products
    ROW = 512,               // neighbours of a node
    STORE = 64               // nodes that one item of work takes
};

// ---- making -----------------------------------------------------------------------------------------------------------

typedef struct Finding
{
    int node, count, told;
    int list[ROW + 1];  // ascending; one more means too many
} Finding;

static int Search(const int* list, int count, int value)
{
    int low = 0, high = count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        low = list[middle] < value ? middle + 1 : low;
        high = list[middle] < value ? high : middle;
    }
    return low;
}

static void Find(void* context, int other, const double block[9])
{
    (void)block;
    Finding* finding = context;
    int at = Search(finding->list, finding->count, other);
    finding->told += 1;
    if (other == finding->node || (at < finding->count && finding->list[at] == other) || finding->count > ROW)
    {
        return;
    }
    memmove(&finding->list[at + 1], &finding->list[at], (size_t)(finding->count - at) * sizeof(int));
    finding->list[at] = other;
    finding->count += 1;
}

// Returns how many neighbours rslStatics_Bonds tells, some of them more than once.
static int FindRow(const rslMultigrid* grid, int node, Finding* finding)
{
    finding->node = node;
    finding->count = finding->told = 0;
    rslStatics_Bonds(grid->kernel, NULL, node, Find, finding);
    int told = finding->told;
    rslStatics_Links(grid->kernel, NULL, node, Find, finding);
    return told;
}

// Rows and places are counted first, then filled in. False: a row is too long.
static bool FindRows(rslMultigrid* grid, Finding* finding)
{
    rslLevel* level = &grid->levels[0];
    for (int i = 0; i < level->count; ++i)
    {
        int told = FindRow(grid, i, finding);
        if (finding->count > ROW)
        {
            return false;
        }
        level->rowStart[i + 1] = level->rowStart[i] + finding->count;
        grid->placeStart[i + 1] = grid->placeStart[i] + told;
        if (level->column != NULL)
        {
            memcpy(level->column + level->rowStart[i], finding->list, (size_t)finding->count * sizeof(int));
        }
    }
    return true;
}

typedef struct Placing
{
    const int* row;
    int count;
    uint16_t* next;
} Placing;

static void Note(void* context, int other, const double block[9])
{
    (void)block;
    Placing* placing = context;
    *placing->next++ = (uint16_t)Search(placing->row, placing->count, other);
}

static bool CanTouch(const rslModel* model)
{
    return model->contactCount > 0 || model->contactNodeCount > 0;
}

static bool MakeArrays(rslMultigrid* grid, rslArena* arena)
{
    rslLevel* level = &grid->levels[0];
    size_t count = (size_t)level->count, entries = (size_t)level->rowStart[count];
    level->column = rslArena_Allocate(arena, entries + 1, sizeof(int));
    level->block = rslArena_Allocate(arena, entries + 1, sizeof(float[9]));
    level->ground = rslArena_Allocate(arena, count, sizeof(double[9]));
    level->own = rslArena_Allocate(arena, count, sizeof(double[9]));
    grid->place = rslArena_Allocate(arena, (size_t)grid->placeStart[count] + 1, sizeof(uint16_t));
    grid->stiffest = rslArena_Allocate(arena, (count + STORE - 1) / STORE, sizeof(double));
    grid->touch = CanTouch(grid->model) ? rslArena_Allocate(arena, count, sizeof(double[6])) : NULL;
    return level->column != NULL && level->block != NULL && level->ground != NULL && level->own != NULL &&
           grid->place != NULL && grid->stiffest != NULL && (grid->touch != NULL || !CanTouch(grid->model));
}

bool rslMultigrid_MakeStore(rslMultigrid* grid, rslArena* arena)
{
    rslLevel* level = &grid->levels[0];
    size_t count = (size_t)level->count;
    if (level->count > STORED_NODES)
    {
        return true;
    }
    Finding* finding = rslAllocate(&arena->hooks, 1, sizeof(Finding));
    level->rowStart = rslArena_Allocate(arena, count + 1, sizeof(int));
    grid->placeStart = rslArena_Allocate(arena, count + 1, sizeof(int));
    bool made = finding != NULL && level->rowStart != NULL && grid->placeStart != NULL;
    if (made && FindRows(grid, finding))
    {
        made = MakeArrays(grid, arena) && FindRows(grid, finding);
        for (int i = 0; made && i < level->count; ++i)
        {
            Placing placing = { level->column + level->rowStart[i], level->rowStart[i + 1] - level->rowStart[i],
                                grid->place + grid->placeStart[i] };
            rslStatics_Bonds(grid->kernel, NULL, i, Note, &placing);
        }
        made = made && rslStencil_Make(&level->stencil, level->count, level->rowStart, level->column, arena);
        grid->stored = made;
    }
    rslRelease(&arena->hooks, finding);
    return made;
}

// ---- numbers ----------------------------------------------------------------------------------------------------------

typedef struct Row
{
    const rslLevel* level;
    int node;
    const uint16_t* next;
    double sum[ROW][9], own[9];
} Row;

// Springs and elements feel differences: what is taken from a neighbour is given to the node itself.
static void AddBond(void* context, int other, const double block[9])
{
    (void)other;
    Row* row = context;
    double* sum = row->sum[*row->next++];
    for (int c = 0; c < 9; ++c)
    {
        sum[c] += block[c];
        row->own[c] -= block[c];
    }
}

// What a row has no place for is left out: its diagonal is there, so that nothing becomes negative.
static void AddLink(void* context, int other, const double block[9])
{
    Row* row = context;
    int begin = row->level->rowStart[row->node], count = row->level->rowStart[row->node + 1] - begin;
    int at = Search(row->level->column + begin, count, other);
    bool own = other == row->node, found = !own && at < count && row->level->column[begin + at] == other;
    double* sum = own ? row->own : found ? row->sum[at] : NULL;
    for (int c = 0; sum != NULL && c < 9; ++c)
    {
        sum[c] += block[c];
    }
}

// The diagonal block and its inverse; returns its trace.
static double StoreDiagonal(const rslMultigrid* grid, Row* row, const double* touch)
{
    static const int at[6] = { 0, 4, 8, 1, 2, 5 };
    int i = row->node;
    const double* fi = rslUnknowns_Projector(grid->unknowns, i);
    double ground[6], block[6];
    rslStatics_Ground(grid->kernel, grid->state, i, ground);
    for (int c = 0; c < 6; ++c)
    {
        block[c] = row->own[at[c]] + ground[c];
        ground[c] = block[c] - (touch != NULL ? touch[c] : 0.0);
    }
    rslBlock_Between(ground, 1.0, fi, fi, row->level->ground[i]);
    double trace = block[0] + block[1] + block[2];
    rslBlock_Free(block, fi);
    rslBlock_InvertSingle(block, row->level->inverse[i]);
    return trace;
}

static void StoreRow(const rslMultigrid* grid, Row* row, const double* touch)
{
    const rslLevel* level = row->level;
    int i = row->node, begin = level->rowStart[i], count = level->rowStart[i + 1] - begin;
    const double* fi = rslUnknowns_Projector(grid->unknowns, i);
    double *ground = level->ground[i], *own = level->own[i], rounded[9] = { 0.0 };
    for (int n = 0; n < count; ++n)
    {
        double* a = row->sum[n];
        rslBlock_Project(a, fi, rslUnknowns_Projector(grid->unknowns, level->column[begin + n]));
        for (int c = 0; c < 9; ++c)
        {
            level->block[begin + n][c] = (float)a[c];
            ground[c] += a[c];
            rounded[c] += (double)level->block[begin + n][c];
        }
    }
    rslBlock_Between(touch != NULL ? touch : (const double[6]){ 0.0 }, 1.0, fi, fi, own);
    for (int c = 0; c < 9; ++c)
    {
        own[c] += ground[c] - rounded[c];
    }
}

static void StoreBlock(int item, void* context)
{
    const rslMultigrid* grid = context;
    const rslLevel* level = &grid->levels[0];
    int end = level->count - STORE * item < STORE ? level->count : STORE * (item + 1);
    Row row;
    row.level = level;
    double stiffest = 0.0;
    for (int i = STORE * item; i < end; ++i)
    {
        row.node = i;
        row.next = grid->place + grid->placeStart[i];
        memset(row.sum, 0, (size_t)(level->rowStart[i + 1] - level->rowStart[i]) * sizeof row.sum[0]);
        memset(row.own, 0, sizeof row.own);
        rslStatics_Bonds(grid->kernel, grid->state, i, AddBond, &row);
        rslStatics_Links(grid->kernel, grid->state, i, AddLink, &row);
        const double* touch = grid->touch != NULL ? grid->touch[i] : NULL;
        double trace = StoreDiagonal(grid, &row, touch);
        stiffest = trace > stiffest ? trace : stiffest;
        StoreRow(grid, &row, touch);
    }
    grid->stiffest[item] = stiffest;
}

double rslMultigrid_Store(rslMultigrid* grid, const rslState* state)
{
    const rslLevel* level = &grid->levels[0];
    rslTeam* team = grid->unknowns->team;
    int items = (level->count + STORE - 1) / STORE;
    double stiffest = 0.0;
    grid->state = state;
    if (grid->touch != NULL)
    {
        rslStatics_TouchDiagonal(grid->kernel, state, grid->touch);
    }
    rslTeam_Run(team, StoreBlock, items, grid);
    rslStencil_Fill(&level->stencil, team, level->rowStart, (const float(*)[9])level->block,
                    (const double(*)[9])level->ground, (const float(*)[6])level->inverse);
    for (int i = 0; i < items; ++i)
    {
        stiffest = grid->stiffest[i] > stiffest ? grid->stiffest[i] : stiffest;
    }
    return stiffest;
}
