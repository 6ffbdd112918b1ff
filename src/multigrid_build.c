// SPDX-License-Identifier: MIT
//
// multigrid_build.c: see multigrid.h. Everything here is integers: places, pairs, parents, rows.

#include "multigrid.h"

#include "ascending.h"
#include "statics.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROW_CAPACITY = 512,    // coarse neighbours of one coarse node;
    USUAL_ROW = 26,        // without splits
    DENSE_NODES = 150,     // few enough not to be coarsened
    DENSE_UNKNOWNS = 1800  // of a last level that is still solved for directly
};

typedef int Place[4];  // and the body

typedef struct Builder
{
    rslMultigrid* grid;
    rslArena* arena;
    const rslHooks* hooks;
    int level;                // the fine one
    Place* nodes;             // places of nodes of level 0
    Place* place;             // of those of the fine one
    int* set;                 // union-find over the pairs
    Place* coarse;            // places of the next level
    int (*noted)[USUAL_ROW];  // rows that are as long as that or shorter
    atomic_bool wide;         // a row has more neighbours than there is room for
} Builder;

// Neighbours of a node on the fine level; level 0 asks the kernel and writes into others.
static int Neighbours(const Builder* builder, int node, int others[RSL_ROW_CAPACITY], const int** list)
{
    const rslLevel* level = &builder->grid->levels[builder->level];
    if (builder->level == 0)
    {
        *list = others;
        return rslStatics_Neighbours(builder->grid->kernel, node, others);
    }
    *list = level->column + level->rowStart[node];
    return level->rowStart[node + 1] - level->rowStart[node];
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

static int Odd(int place)
{
    return place & 1;
}

static int CountParents(const Place place)
{
    return 1 << (Odd(place[0]) + Odd(place[1]) + Odd(place[2]));
}

// The place of the q-th parent: axis by axis, an even node has one parent, an odd one two.
static void ParentPlace(const Place place, int q, Place out)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        int odd = Odd(place[axis]);
        out[axis] = place[axis] / 2 + (odd ? q & 1 : 0);
        q >>= odd;
    }
    out[3] = place[3];
}

// Which parent of a node sits at a place; -1 when none does.
static int ParentAt(const Place place, const Place at)
{
    int q = 0, shift = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        int odd = Odd(place[axis]), step = at[axis] - place[axis] / 2;
        if (step < 0 || step > odd)
        {
            return -1;
        }
        q |= step << shift;
        shift += odd;
    }
    return q;
}

static int Root(int* set, int pair)
{
    while (set[pair] != pair)
    {
        set[pair] = set[set[pair]];
        pair = set[pair];
    }
    return pair;
}

static void JoinPairs(Builder* builder, int i, int j)
{
    const int* start = builder->grid->levels[builder->level].parentStart;
    for (int q = 0; q < start[i + 1] - start[i]; ++q)
    {
        Place at;
        ParentPlace(builder->place[i], q, at);
        int other = ParentAt(builder->place[j], at);
        if (other >= 0)
        {
            int a = Root(builder->set, start[i] + q), b = Root(builder->set, start[j] + other);
            builder->set[a > b ? a : b] = a > b ? b : a;
        }
    }
}

// Places of the nodes of lattice bodies; others keep no parents.
static void FillPlaces(Builder* builder)
{
    const rslModel* model = builder->grid->model;
    int* start = builder->grid->levels[0].parentStart;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        for (int r = 0; body->kind == rsl_latticeBody && r < body->lattice.rowCount; ++r)
        {
            const rslLatticeRow* row = &body->lattice.rows[r];
            for (int step = 0; step < row->count; ++step)
            {
                int node = body->firstNode + row->first + step;
                memcpy(builder->place[node], (Place){ row->i + step, row->j, row->k, b }, sizeof(Place));
                start[node + 1] = CountParents(builder->place[node]);
                builder->grid->odd[node] = (uint8_t)(Odd(row->i + step) + 2 * Odd(row->j) + 4 * Odd(row->k));
            }
        }
    }
}

// ---- coarse nodes ---------------------------------------------------------------------------------------------------

typedef struct Numbered
{
    Place place;
    int pair;  // the first one
} Numbered;

// Body by body and line by line, so that neighbours along a line follow each other (stencil.h).
static int CompareNumbered(const void* left, const void* right)
{
    const Numbered *a = left, *b = right;
    const int order[4] = { 3, 2, 1, 0 };
    for (int k = 0; k < 4; ++k)
    {
        int i = order[k];
        if (a->place[i] != b->place[i])
        {
            return a->place[i] < b->place[i] ? -1 : 1;
        }
    }
    return (a->pair > b->pair) - (a->pair < b->pair);
}

static bool NumberSets(Builder* builder, rslLevel* fine, int count)
{
    Numbered* all = rslAllocate(builder->hooks, (size_t)count + 1, sizeof(Numbered));
    if (all == NULL)
    {
        return false;
    }
    for (int i = 0, at = 0; i < fine->count; ++i)
    {
        for (int p = fine->parentStart[i]; p < fine->parentStart[i + 1]; ++p)
        {
            if (builder->set[p] == p)
            {
                ParentPlace(builder->place[i], p - fine->parentStart[i], all[at].place);
                all[at++].pair = p;
            }
        }
    }
    qsort(all, (size_t)count, sizeof(Numbered), CompareNumbered);
    for (int c = 0; c < count; ++c)
    {
        fine->parent[all[c].pair] = c;
    }
    rslRelease(builder->hooks, all);
    for (int p = 0; p < fine->parentStart[fine->count]; ++p)
    {
        fine->parent[p] = fine->parent[Root(builder->set, p)];
    }
    return true;
}

// Sets of pairs become coarse nodes.
static bool MakeParents(Builder* builder, rslLevel* fine, int* coarseCount)
{
    int pairs = fine->parentStart[fine->count];
    builder->set = rslAllocate(builder->hooks, (size_t)pairs, sizeof(int));
    fine->parent = rslArena_Allocate(builder->arena, (size_t)pairs, sizeof(int));
    if (builder->set == NULL || fine->parent == NULL)
    {
        return false;
    }
    for (int p = 0; p < pairs; ++p)
    {
        builder->set[p] = p;
    }
    for (int i = 0; i < fine->count; ++i)
    {
        int others[RSL_ROW_CAPACITY];
        const int* list;
        int count = Neighbours(builder, i, others, &list);
        for (int n = 0; n < count; ++n)
        {
            if (list[n] > i)
            {
                JoinPairs(builder, i, list[n]);
            }
        }
    }
    *coarseCount = 0;
    for (int p = 0; p < pairs; ++p)
    {
        *coarseCount += Root(builder->set, p) == p;
    }
    return NumberSets(builder, fine, *coarseCount);
}

static bool MakeChildren(Builder* builder, rslLevel* fine, int coarseCount)
{
    int pairs = fine->parentStart[fine->count];
    fine->childStart = rslArena_Allocate(builder->arena, (size_t)coarseCount + 1, sizeof(int));
    fine->child = rslArena_Allocate(builder->arena, (size_t)pairs, sizeof(int));
    builder->coarse = rslArena_Allocate(builder->arena, (size_t)coarseCount, sizeof(Place));
    int* at = rslAllocate(builder->hooks, (size_t)coarseCount, sizeof(int));
    bool made = fine->childStart != NULL && fine->child != NULL && builder->coarse != NULL && at != NULL;
    for (int p = 0; made && p < pairs; ++p)
    {
        fine->childStart[fine->parent[p] + 1] += 1;
    }
    if (made)
    {
        rslAccumulate(fine->childStart, coarseCount);
    }
    for (int i = 0; made && i < fine->count; ++i)
    {
        for (int p = fine->parentStart[i]; p < fine->parentStart[i + 1]; ++p)
        {
            int c = fine->parent[p];
            ParentPlace(builder->place[i], p - fine->parentStart[i], builder->coarse[c]);
            fine->child[fine->childStart[c] + at[c]++] = i;
        }
    }
    rslRelease(builder->hooks, at);
    return made;
}

// ---- rows of the coarse matrix --------------------------------------------------------------------------------------

// Put into an ascending list once; false when it is full.
static bool Insert(int* list, int* count, int value)
{
    int at = rslFirstFrom(list, 0, *count, value);
    if (at < *count && list[at] == value)
    {
        return true;
    }
    if (*count == ROW_CAPACITY)
    {
        return false;
    }
    rslPutInto(list, count, at, value);
    return true;
}

static bool InsertParents(const rslLevel* fine, int node, int self, int* list, int* count)
{
    bool fits = true;
    for (int p = fine->parentStart[node]; p < fine->parentStart[node + 1]; ++p)
    {
        fits = (fine->parent[p] == self || Insert(list, count, fine->parent[p])) && fits;
    }
    return fits;
}

typedef struct LinkSearch
{
    const rslLevel* fine;
    int self;
    int *list, *count;
    bool fits;
} LinkSearch;

static void InsertLink(void* context, int other, const double block[9])
{
    (void)block;
    LinkSearch* search = context;
    search->fits = InsertParents(search->fine, other, search->self, search->list, search->count) && search->fits;
}

// Nodes at most two places from a coarse node, as they are met.
typedef struct Met
{
    int node[125];  // plus one; 0: none yet
} Met;

// Was a node met before? A place may have two of them: then only the last one is known.
static bool IsMet(Met* met, const Builder* builder, const Place at, int node)
{
    int index = 0;
    for (int axis = 2; axis >= 0; --axis)
    {
        int step = builder->place[node][axis] - 2 * at[axis];
        if (step < -2 || step > 2)
        {
            return false;
        }
        index = 5 * index + step + 2;
    }
    bool known = met->node[index] == node + 1;
    met->node[index] = node + 1;
    return known;
}

// The neighbours of a coarse node: parents of its children and of their neighbours. -1 when there are too many.
static int FindRow(const Builder* builder, int node, int list[ROW_CAPACITY])
{
    const rslLevel* fine = &builder->grid->levels[builder->level];
    int count = 0;
    bool fits = true;
    Met met = { { 0 } };
    for (int c = fine->childStart[node]; c < fine->childStart[node + 1]; ++c)
    {
        int others[RSL_ROW_CAPACITY];
        const int* neighbours;
        int n = Neighbours(builder, fine->child[c], others, &neighbours);
        fits = InsertParents(fine, fine->child[c], node, list, &count) && fits;
        for (int k = 0; k < n; ++k)
        {
            fits = (IsMet(&met, builder, builder->coarse[node], neighbours[k]) ||
                    InsertParents(fine, neighbours[k], node, list, &count)) &&
                   fits;
        }
        if (builder->level == 0)
        {
            LinkSearch search = { fine, node, list, &count, true };
            rslStatics_Links(builder->grid->kernel, NULL, fine->child[c], InsertLink, &search);
            fits = fits && search.fits;
        }
    }
    return fits ? count : -1;
}

// The number of neighbours of each coarse node; those of short rows are noted.
static void CountRows(int item, void* context)
{
    Builder* builder = context;
    rslLevel* coarse = &builder->grid->levels[builder->level + 1];
    int end = rslLevel_End(item, coarse->count), list[ROW_CAPACITY];
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        int count = FindRow(builder, i, list);
        if (count < 0)
        {
            atomic_store(&builder->wide, true);
            count = 0;
        }
        coarse->rowStart[i + 1] = count;
        if (count <= USUAL_ROW)
        {
            memcpy(builder->noted[i], list, (size_t)count * sizeof(int));
        }
    }
}

// With room for them, the neighbours.
static void FillRows(int item, void* context)
{
    Builder* builder = context;
    rslLevel* coarse = &builder->grid->levels[builder->level + 1];
    int end = rslLevel_End(item, coarse->count), list[ROW_CAPACITY];
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        int count = coarse->rowStart[i + 1] - coarse->rowStart[i];
        if (count > USUAL_ROW)
        {
            FindRow(builder, i, list);
        }
        memcpy(coarse->column + coarse->rowStart[i], count > USUAL_ROW ? list : builder->noted[i],
               (size_t)count * sizeof(int));
    }
}

static bool FindRows(Builder* builder, rslLevel* coarse)
{
    rslTeam* team = builder->grid->unknowns->team;
    size_t count = (size_t)coarse->count;
    builder->noted = rslAllocate(builder->hooks, count, sizeof *builder->noted);
    if (builder->noted == NULL)
    {
        return false;
    }
    rslTeam_Run(team, CountRows, rslLevel_Items(coarse->count), builder);
    rslAccumulate(coarse->rowStart, coarse->count);
    size_t entries = (size_t)coarse->rowStart[count];
    bool stored = builder->grid->stored;
    coarse->column = rslArena_Allocate(builder->arena, entries, sizeof(int));
    coarse->block = stored ? rslArena_Allocate(builder->arena, entries, sizeof(float[9])) : NULL;
    if (coarse->column != NULL)
    {
        rslTeam_Run(team, FillRows, rslLevel_Items(coarse->count), builder);
    }
    rslRelease(builder->hooks, builder->noted);
    return coarse->column != NULL && (coarse->block != NULL || !stored);
}

static bool MakeRows(Builder* builder, rslLevel* coarse)
{
    size_t count = (size_t)coarse->count;
    coarse->place = builder->coarse;
    coarse->rowStart = rslArena_Allocate(builder->arena, count + 1, sizeof(int));
    coarse->ground = rslArena_Allocate(builder->arena, count, sizeof(double[9]));
    coarse->own = rslArena_Allocate(builder->arena, count, sizeof(double[9]));
    coarse->inverse = rslArena_Allocate(builder->arena, count, sizeof(float[6]));
    if (coarse->rowStart == NULL || coarse->ground == NULL || coarse->own == NULL || coarse->inverse == NULL)
    {
        return false;
    }
    if (builder->grid->partlyHeld)
    {
        coarse->bare = rslArena_Allocate(builder->arena, count, sizeof(bool));
        coarse->free = rslArena_Allocate(builder->arena, count, sizeof(double[6]));
        if (coarse->bare == NULL || coarse->free == NULL)
        {
            return false;
        }
    }
    return FindRows(builder, coarse) && rslLevel_MakeVectors(coarse, builder->arena);
}

// ---- all levels -----------------------------------------------------------------------------------------------------

// One level more. *worth is false where it would not be smaller.
static bool Coarsen(Builder* builder, bool* worth)
{
    rslMultigrid* grid = builder->grid;
    rslLevel *fine = &grid->levels[builder->level], *coarse = fine + 1;
    int count = 0;
    bool made = MakeParents(builder, fine, &count);
    *worth = made && count > 0 && count < 4 * (fine->count / 5);
    if (made && *worth)
    {
        *coarse = (rslLevel){ .count = count, .width = 3, .apart = true };
        made = MakeChildren(builder, fine, count) && MakeRows(builder, coarse);
        *worth = !atomic_load(&builder->wide);
        made = made &&
               (!*worth || rslStencil_Make(&coarse->stencil, count, coarse->rowStart, coarse->column, builder->arena));
        made = made && (!*worth || !grid->stored || rslLevel_MakeGalerkin(fine, coarse, builder->arena));
        grid->levelCount += made && *worth ? 1 : 0;
    }
    rslRelease(builder->hooks, builder->set);
    builder->set = NULL;
    return made;
}

static bool MakeLevels(Builder* builder)
{
    rslMultigrid* grid = builder->grid;
    bool made = true, worth = true;
    while (made && worth && grid->levelCount < RSL_MULTIGRID_LEVELS && grid->levels[builder->level].count > DENSE_NODES)
    {
        rslLevel* fine = &grid->levels[builder->level];
        fine->parentStart = rslArena_Allocate(builder->arena, (size_t)fine->count + 1, sizeof(int));
        if (fine->parentStart == NULL)
        {
            return false;
        }
        if (builder->level == 0)
        {
            FillPlaces(builder);
        }
        for (int i = 0; builder->level > 0 && i < fine->count; ++i)
        {
            fine->parentStart[i + 1] = CountParents(builder->place[i]);
        }
        rslAccumulate(fine->parentStart, fine->count);
        made = Coarsen(builder, &worth);
        rslRelease(builder->hooks, builder->nodes);
        builder->nodes = NULL;
        builder->place = builder->coarse;
        builder->coarse = NULL;
        builder->level += worth ? 1 : 0;
    }
    return made;
}

static bool HasPartlyHeld(const rslUnknowns* unknowns)
{
    enum
    {
        ALL = 7
    };
    for (int h = 0; h < unknowns->heldCount; ++h)
    {
        if (unknowns->axes[unknowns->heldNodes[h]] != ALL)
        {
            return true;
        }
    }
    return false;
}

bool rslMultigrid_Make(rslMultigrid* grid, const rslModel* model, const rslUnknowns* unknowns, void* kernel,
                       rslArena* arena)
{
    bool lean = grid->lean;
    *grid = (rslMultigrid){ .model = model, .unknowns = unknowns, .kernel = kernel, .lean = lean, .levelCount = 1 };
    grid->degree = 2;
    grid->ratio = 4.0;
    grid->levels[0] = (rslLevel){ .count = model->nodeCount, .width = 3 };
    grid->partlyHeld = HasPartlyHeld(unknowns);
    grid->odd = rslArena_Allocate(arena, (size_t)model->nodeCount, sizeof(uint8_t));
    Builder builder = { .grid = grid, .arena = arena, .hooks = &arena->hooks };
    builder.place = builder.nodes = rslAllocate(&arena->hooks, (size_t)model->nodeCount, sizeof(Place));
    bool made = builder.nodes != NULL && grid->odd != NULL && rslMultigrid_MakeStore(grid, false, arena) &&
                MakeLevels(&builder);
    rslRelease(&arena->hooks, builder.nodes);
    return made && rslMultigrid_MakeFactor(grid, DENSE_UNKNOWNS, arena);
}
