// SPDX-License-Identifier: MIT
//
// multigrid_store.c: rows of level 0 (multigrid.h), F_i A_ij F_j with F the projectors of held nodes: of lattices in single precision
// and for products of eight nodes at a time, of networks that have more than springs as those of their other levels. Springs, elements,
// links, bending, repulsion and what belongs to nodes alone are in them; what touches is not, because who touches whom changes:
// rslStatics_Touch multiplies with it. Coarse levels have its diagonal blocks.

#include "multigrid.h"

#include "ascending.h"
#include "repulsion.h"
#include "statics.h"

#include <string.h>

enum
{
    STORED_NODES = 1 << 17,  // larger models have no rows: 1 kB a node, and as much again for products
    ROW = 512,               // neighbours of a node
    LINE = ROW + 8,          // numbers of a row: not a power of two, or they would be in each other's way in the cache
    STORE = 64               // nodes that one item of work takes
};

// ---- making -----------------------------------------------------------------------------------------------------------

typedef struct Finding
{
    int node, count, told;
    int list[ROW + 1];  // ascending; one more means too many
} Finding;

static void Find(void* context, int other, const double block[9])
{
    (void)block;
    Finding* finding = context;
    int at = rslFirstFrom(finding->list, 0, finding->count, other);
    finding->told += 1;
    if (other == finding->node || (at < finding->count && finding->list[at] == other) || finding->count > ROW)
    {
        return;
    }
    rslPutInto(finding->list, &finding->count, at, other);
}

// Returns how many neighbours rslStatics_Springs tells, some of them more than once.
static int FindRow(const rslMultigrid* grid, int node, Finding* finding)
{
    finding->node = node;
    finding->count = finding->told = 0;
    rslStatics_Springs(grid->kernel, NULL, node, Find, finding);
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
    *placing->next++ = (uint16_t)rslFirstFrom(placing->row, 0, placing->count, other);
}

static bool CanTouch(const rslModel* model)
{
    return model->contactNodeCount > 0;
}

static bool MakeArrays(rslMultigrid* grid, bool wide, rslArena* arena)
{
    rslLevel* level = &grid->levels[0];
    size_t count = (size_t)level->count, entries = (size_t)level->rowStart[count];
    level->column = rslArena_Allocate(arena, entries + 1, sizeof(int));
    grid->place = rslArena_Allocate(arena, (size_t)grid->placeStart[count] + 1, sizeof(uint16_t));
    grid->stiffest = rslArena_Allocate(arena, (count + STORE - 1) / STORE, sizeof(double));
    grid->touch = CanTouch(grid->model) ? rslArena_Allocate(arena, count, sizeof(double[6])) : NULL;
    grid->touchNodes = CanTouch(grid->model) ? rslArena_Allocate(arena, count, sizeof(int)) : NULL;
    bool made = level->column != NULL && grid->place != NULL && grid->stiffest != NULL &&
                ((grid->touch != NULL && grid->touchNodes != NULL) || !CanTouch(grid->model));
    if (wide)
    {
        level->wide = rslArena_Allocate(arena, entries + 1, sizeof(double[9]));
        level->wideDiagonal = rslArena_Allocate(arena, count, sizeof(double[9]));
        return made && level->wide != NULL && level->wideDiagonal != NULL;
    }
    level->block = rslArena_Allocate(arena, entries + 1, sizeof(float[9]));
    level->ground = rslArena_Allocate(arena, count, sizeof(double[9]));
    level->own = rslArena_Allocate(arena, count, sizeof(double[9]));
    return made && level->block != NULL && level->ground != NULL && level->own != NULL;
}

static bool IsSpringsAlone(const rslModel* model)
{
    bool alone = model->linkCount == 0 && model->elementCount == 0;
    for (int b = 0; b < model->bodyCount && alone; ++b)
    {
        alone = model->bodies[b].kind == rsl_latticeBody && !rslRepulsion_IsFelt(&model->bodies[b].repulsion);
    }
    return alone;
}

bool rslMultigrid_MakeStore(rslMultigrid* grid, bool wide, rslArena* arena)
{
    rslLevel* level = &grid->levels[0];
    size_t count = (size_t)level->count;
    if (level->count > STORED_NODES || (grid->lean && IsSpringsAlone(grid->model)))
    {
        return true;
    }
    Finding* finding = rslAllocate(&arena->hooks, 1, sizeof(Finding));
    level->rowStart = rslArena_Allocate(arena, count + 1, sizeof(int));
    grid->placeStart = rslArena_Allocate(arena, count + 1, sizeof(int));
    bool made = finding != NULL && level->rowStart != NULL && grid->placeStart != NULL;
    if (made && FindRows(grid, finding))
    {
        made = MakeArrays(grid, wide, arena) && FindRows(grid, finding);
        for (int i = 0; made && i < level->count; ++i)
        {
            Placing placing = { level->column + level->rowStart[i], level->rowStart[i + 1] - level->rowStart[i],
                                grid->place + grid->placeStart[i] };
            rslStatics_Springs(grid->kernel, NULL, i, Note, &placing);
        }
        made = made && (wide || rslStencil_Make(&level->stencil, level->count, level->rowStart, level->column, arena));
        grid->stored = made;
    }
    rslRelease(&arena->hooks, finding);
    return made;
}

// ---- numbers ----------------------------------------------------------------------------------------------------------

typedef struct Row
{
    const rslLevel* level;
    int node, count;
    const uint16_t* next;
    double sum[9][LINE];       // numbers of blocks
    double own[9], linked[9];  // of the node itself, and the sum of what links tell
} Row;

// Springs and elements feel differences: what they take from neighbours is given to the node itself.
static void AddBond(void* context, int other, const double block[9])
{
    (void)other;
    Row* row = context;
    int at = *row->next++;
    for (int c = 0; c < 9; ++c)
    {
        row->sum[c][at] += block[c];
    }
}

// What a row has no place for is left out: its diagonal is there, so that nothing becomes negative.
static void AddLink(void* context, int other, const double block[9])
{
    Row* row = context;
    const int* column = row->level->column + row->level->rowStart[row->node];
    int at = rslFirstFrom(column, 0, row->count, other);
    bool own = other == row->node;
    if (!own && (at == row->count || column[at] != other))
    {
        return;
    }
    for (int c = 0; c < 9; ++c)
    {
        row->linked[c] += own ? 0.0 : block[c];
        *(own ? &row->own[c] : &row->sum[c][at]) += block[c];
    }
}

// own = diagonal block without what touches
static void FindOwn(Row* row)
{
    for (int c = 0; c < 9; ++c)
    {
        double all = 0.0;
        for (int n = 0; n < row->count; ++n)
        {
            all += row->sum[c][n];
        }
        row->own[c] += row->linked[c] - all;
    }
}

// The inverse of the diagonal block; returns its trace.
static double StoreInverse(const rslMultigrid* grid, const Row* row, const double ground[6])
{
    static const int at[6] = { 0, 4, 8, 1, 2, 5 };
    double block[6];
    for (int c = 0; c < 6; ++c)
    {
        block[c] = row->own[at[c]] + ground[c];
    }
    double trace = block[0] + block[1] + block[2];
    rslBlock_Free(block, rslUnknowns_Projector(grid->unknowns, row->node));
    rslBlock_InvertSingle(block, row->level->inverse[row->node]);
    return trace;
}

static void ProjectRow(const rslMultigrid* grid, Row* row)
{
    const int* column = row->level->column + row->level->rowStart[row->node];
    const double* fi = rslUnknowns_Projector(grid->unknowns, row->node);
    for (int n = 0; grid->unknowns->heldCount > 0 && n < row->count; ++n)
    {
        double a[9];
        for (int c = 0; c < 9; ++c)
        {
            a[c] = row->sum[c][n];
        }
        rslBlock_Project(a, fi, rslUnknowns_Projector(grid->unknowns, column[n]));
        for (int c = 0; c < 9; ++c)
        {
            row->sum[c][n] = a[c];
        }
    }
    rslBlock_Project(row->own, fi, fi);
}

// Blocks, G = A_ii + sum_j A_ij without what touches, and A_ii with it, as it follows from rounded blocks.
static void StoreNarrow(const rslMultigrid* grid, const Row* row, const double ground[6], const double* touch)
{
    const rslLevel* level = row->level;
    const double* fi = rslUnknowns_Projector(grid->unknowns, row->node);
    float(*block)[9] = level->block + level->rowStart[row->node];
    double still[6], *sum = level->ground[row->node], *own = level->own[row->node];
    for (int c = 0; c < 6; ++c)
    {
        still[c] = ground[c] - (touch != NULL ? touch[c] : 0.0);
    }
    rslBlock_Between(still, 1.0, fi, fi, sum);
    rslBlock_Between(ground, 1.0, fi, fi, own);
    for (int c = 0; c < 9; ++c)
    {
        double exact = row->own[c], error = 0.0;
        for (int n = 0; n < row->count; ++n)
        {
            block[n][c] = (float)row->sum[c][n];
            exact += row->sum[c][n];
            error += row->sum[c][n] - (double)block[n][c];
        }
        sum[c] += exact;
        own[c] += row->own[c] + error;
    }
}

// Blocks by columns, and A_ii with what touches.
static void StoreWide(const rslMultigrid* grid, const Row* row, const double ground[6])
{
    const rslLevel* level = row->level;
    const double* fi = rslUnknowns_Projector(grid->unknowns, row->node);
    double *wide = level->wide + 9 * (size_t)level->rowStart[row->node], own[9];
    double* diagonal = level->wideDiagonal + 9 * (size_t)row->node;
    rslBlock_Between(ground, 1.0, fi, fi, own);
    for (int c = 0; c < 9; ++c)
    {
        int turned = 3 * (c % 3) + c / 3;
        diagonal[turned] = own[c] + 0.5 * (row->own[c] + row->own[turned]);
        for (int n = 0; n < row->count; ++n)
        {
            wide[9 * n + turned] = row->sum[c][n];
        }
    }
}

static double StoreRow(const rslMultigrid* grid, Row* row, const double* touch)
{
    double ground[6];
    rslStatics_Ground(grid->kernel, grid->state, row->node, ground);
    FindOwn(row);
    double trace = StoreInverse(grid, row, ground);
    ProjectRow(grid, row);
    if (row->level->wide != NULL)
    {
        StoreWide(grid, row, ground);
    }
    else
    {
        StoreNarrow(grid, row, ground, touch);
    }
    return trace;
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
        const double* touch = grid->touch != NULL ? grid->touch[i] : NULL;
        row.node = i;
        row.count = level->rowStart[i + 1] - level->rowStart[i];
        row.next = grid->place + grid->placeStart[i];
        for (int c = 0; c < 9; ++c)
        {
            memset(row.sum[c], 0, (size_t)row.count * sizeof(double));
            row.own[c] = row.linked[c] = 0.0;
        }
        if (!rslStatics_AddBonds(grid->kernel, i, row.next, row.sum[0], LINE))
        {
            rslStatics_Springs(grid->kernel, grid->state, i, AddBond, &row);
        }
        rslStatics_Links(grid->kernel, grid->state, i, AddLink, &row);
        double trace = StoreRow(grid, &row, touch);
        stiffest = trace > stiffest ? trace : stiffest;
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
    if (level->wide == NULL)
    {
        rslStencil_Fill(&level->stencil, team, level->rowStart, (const float(*)[9])level->block,
                        (const double(*)[9])level->ground, (const float(*)[6])level->inverse);
    }
    for (int i = 0; i < items; ++i)
    {
        stiffest = grid->stiffest[i] > stiffest ? grid->stiffest[i] : stiffest;
    }
    return stiffest;
}
