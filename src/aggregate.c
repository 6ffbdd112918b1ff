// SPDX-License-Identifier: MIT
//
// aggregate.c: see aggregate.h. Everything here is integers: aggregates, members, parents, rows.

#include "aggregate.h"

#include "repulsion.h"

#include <stdatomic.h>
#include <string.h>

enum
{
    FREE = -2,
    DENSE_UNKNOWNS = 360,  // few enough to be solved for directly
    LAST_UNKNOWNS = 1800,  // of a last level that cannot be coarsened and is solved for directly all the same
    GATHER = 64            // nodes that one item of work takes
};

typedef struct Builder
{
    rslMultigrid* grid;
    rslArena* arena;
    int level;  // the fine one
    int width;  // of coarse nodes
    atomic_bool wide;
} Builder;

static void ForNeighbours(const Builder* builder, int node, bool links, rslCoupling* visit, void* context)
{
    const rslLevel* level = &builder->grid->levels[builder->level];
    if (builder->level == 0)
    {
        rslStatics_Springs(builder->grid->kernel, NULL, node, visit, context);
        if (links)
        {
            rslStatics_Links(builder->grid->kernel, NULL, node, visit, context);
        }
        return;
    }
    for (int e = level->rowStart[node]; e < level->rowStart[node + 1]; ++e)
    {
        visit(context, level->column[e], NULL);
    }
}

// ---- aggregates -----------------------------------------------------------------------------------------------------

typedef struct Look
{
    int* of;
    int aggregate;  // found next to the node, or to be given to its neighbours
    int count;      // neighbours that are not held
} Look;

static void LookAround(void* context, int other, const double block[9])
{
    (void)block;
    Look* look = context;
    look->count += look->of[other] != -1;
    look->aggregate = look->aggregate < 0 && look->of[other] >= 0 ? look->of[other] : look->aggregate;
}

static void TakeNeighbour(void* context, int other, const double block[9])
{
    (void)block;
    const Look* look = context;
    if (look->of[other] == FREE)
    {
        look->of[other] = look->aggregate;
    }
}

// Links do not make aggregates: the softest of them would tie two bodies into one.
static int Gather(const Builder* builder, const rslLevel* fine, int* of)
{
    int count = 0;
    for (int i = 0; i < fine->count; ++i)
    {
        of[i] = builder->level == 0 && builder->grid->unknowns->axes[i] == 7 ? -1 : FREE;
    }
    for (int i = 0; i < fine->count; ++i)
    {
        Look look = { of, -1, 0 };
        if (of[i] != FREE)
        {
            continue;
        }
        ForNeighbours(builder, i, false, LookAround, &look);
        if (look.count == 0)
        {
            of[i] = -1;
        }
        else if (look.aggregate < 0)
        {
            look.aggregate = of[i] = count++;
            ForNeighbours(builder, i, false, TakeNeighbour, &look);
        }
    }
    // the rest: what was given out above is what counts, kept apart as FREE - 1 - aggregate
    for (int i = 0; i < fine->count; ++i)
    {
        Look look = { of, -1, 0 };
        if (of[i] == FREE)
        {
            ForNeighbours(builder, i, false, LookAround, &look);
            of[i] = look.aggregate < 0 ? -1 : FREE - 1 - look.aggregate;
        }
    }
    for (int i = 0; i < fine->count; ++i)
    {
        of[i] = of[i] < FREE ? FREE - 1 - of[i] : of[i];
    }
    return count;
}

// Lists of what belongs to each owner, ascending: items with owner[i] >= 0.
static bool MakeLists(const int* owner, int items, int owners, rslArena* arena, int** start, int** list)
{
    *start = rslArena_Allocate(arena, (size_t)owners + 2, sizeof(int));
    *list = rslArena_Allocate(arena, (size_t)items, sizeof(int));
    if (*start == NULL || *list == NULL)
    {
        return false;
    }
    int* at = *start + 1;  // start of the next owner while it is filled
    for (int i = 0; i < items; ++i)
    {
        at[owner[i] >= 0 ? owner[i] + 1 : 0] += owner[i] >= 0;
    }
    rslAccumulate(at, owners);
    for (int i = 0; i < items; ++i)
    {
        if (owner[i] >= 0)
        {
            (*list)[at[owner[i]]++] = i;
        }
    }
    return true;
}

static bool MakeAggregates(Builder* builder, rslLevel* fine, int* count)
{
    rslAggregates* made = rslArena_Allocate(builder->arena, 1, sizeof(rslAggregates));
    fine->aggregates = made;
    if (made == NULL || (made->of = rslArena_Allocate(builder->arena, (size_t)fine->count, sizeof(int))) == NULL)
    {
        return false;
    }
    *count = Gather(builder, fine, made->of);
    size_t width = (size_t)builder->width, nodes = (size_t)fine->count, aggregates = (size_t)*count;
    made->tentative = rslArena_Allocate(builder->arena, nodes * width * (size_t)fine->width, sizeof(float));
    made->modes = rslArena_Allocate(builder->arena, aggregates * width * width, sizeof(double));
    made->centre = rslArena_Allocate(builder->arena, aggregates, sizeof(rslVec3));
    return made->tentative != NULL && made->modes != NULL && made->centre != NULL &&
           MakeLists(made->of, fine->count, *count, builder->arena, &made->memberStart, &made->member);
}

// ---- lists of a node that grow as its neighbours are visited ----------------------------------------------------------

typedef struct List
{
    const rslLevel* fine;
    int self;  // is not listed
    int count;
    bool full;
    int items[RSL_AGGREGATE_ROW];
} List;

static void Start(List* list, const Builder* builder, int self)
{
    list->fine = &builder->grid->levels[builder->level];
    list->self = self;
    list->count = 0;
    list->full = false;
}

static void Insert(List* list, int value)
{
    int at = rslFirstFrom(list->items, 0, list->count, value);
    if (value < 0 || value == list->self || (at < list->count && list->items[at] == value))
    {
        return;
    }
    if (list->count == RSL_AGGREGATE_ROW)
    {
        list->full = true;
        return;
    }
    rslPutInto(list->items, &list->count, at, value);
}

static void InsertAggregate(void* context, int other, const double block[9])
{
    (void)block;
    List* list = context;
    Insert(list, list->fine->aggregates->of[other]);
}

static void InsertParents(void* context, int other, const double block[9])
{
    (void)block;
    List* list = context;
    for (int p = list->fine->parentStart[other]; p < list->fine->parentStart[other + 1]; ++p)
    {
        Insert(list, list->fine->parent[p]);
    }
}

// The row of P of a fine node: its aggregate and those of its neighbours.
static void ListParents(const Builder* builder, int node, List* list)
{
    Start(list, builder, -1);
    if (builder->level > 0 || builder->grid->unknowns->axes[node] != 7)
    {
        InsertAggregate(list, node, NULL);
        ForNeighbours(builder, node, true, InsertAggregate, list);
    }
}

// The row of A of a coarse node: parents of its children and of their neighbours.
static void ListRow(const Builder* builder, int node, List* list)
{
    const rslLevel* fine = &builder->grid->levels[builder->level];
    Start(list, builder, node);
    for (int c = fine->childStart[node]; c < fine->childStart[node + 1]; ++c)
    {
        InsertParents(list, fine->child[c], NULL);
        ForNeighbours(builder, fine->child[c], true, InsertParents, list);
    }
}

// ---- rows that are counted first and then filled ------------------------------------------------------------------------

typedef struct Rows
{
    Builder* builder;
    void (*list)(const Builder* builder, int node, List* list);
    int count;
    int* start;
    int* items;  // NULL while they are counted
} Rows;

static void RowsOfBlock(int item, void* context)
{
    const Rows* rows = context;
    int end = rows->count - GATHER * item < GATHER ? rows->count : GATHER * (item + 1);
    List list;
    for (int i = GATHER * item; i < end; ++i)
    {
        rows->list(rows->builder, i, &list);
        if (list.full)
        {
            atomic_store(&rows->builder->wide, true);
        }
        if (rows->items == NULL)
        {
            rows->start[i + 1] = list.count;
        }
        else
        {
            memcpy(rows->items + rows->start[i], list.items, (size_t)list.count * sizeof(int));
        }
    }
}

static bool MakeRows(Rows* rows, int** start, int** items)
{
    rslArena* arena = rows->builder->arena;
    rslTeam* team = rows->builder->grid->unknowns->team;
    int work = (rows->count + GATHER - 1) / GATHER;
    *start = rows->start = rslArena_Allocate(arena, (size_t)rows->count + 1, sizeof(int));
    if (rows->start == NULL)
    {
        return false;
    }
    rslTeam_Run(team, RowsOfBlock, work, rows);
    rslAccumulate(rows->start, rows->count);
    *items = rows->items = rslArena_Allocate(arena, (size_t)rows->start[rows->count], sizeof(int));
    if (rows->items != NULL)
    {
        rslTeam_Run(team, RowsOfBlock, work, rows);
    }
    return rows->items != NULL;
}

// ---- levels -----------------------------------------------------------------------------------------------------------

static bool MakeInterpolation(Builder* builder, rslLevel* fine, int coarseCount)
{
    Rows rows = { .builder = builder, .list = ListParents, .count = fine->count };
    if (!MakeRows(&rows, &fine->parentStart, &fine->parent))
    {
        return false;
    }
    int entries = fine->parentStart[fine->count];
    size_t size = (size_t)fine->width * (size_t)builder->width;
    fine->weight = rslArena_Allocate(builder->arena, (size_t)entries * size, sizeof(float));
    fine->child = rslArena_Allocate(builder->arena, (size_t)entries, sizeof(int));
    if (fine->weight == NULL || fine->child == NULL ||
        !MakeLists(fine->parent, entries, coarseCount, builder->arena, &fine->childStart, &fine->childEntry))
    {
        return false;
    }
    for (int i = 0; i < fine->count; ++i)
    {
        for (int p = fine->parentStart[i]; p < fine->parentStart[i + 1]; ++p)
        {
            int parent = fine->parent[p], begin = fine->childStart[parent], end = fine->childStart[parent + 1];
            fine->child[begin + rslFindEntry(fine->childEntry + begin, end - begin, p)] = i;
        }
    }
    return true;
}

static bool MakeMatrix(Builder* builder, rslLevel* coarse)
{
    Rows rows = { .builder = builder, .list = ListRow, .count = coarse->count };
    if (!MakeRows(&rows, &coarse->rowStart, &coarse->column))
    {
        return false;
    }
    size_t square = (size_t)coarse->width * (size_t)coarse->width, count = (size_t)coarse->count;
    coarse->wide = rslArena_Allocate(builder->arena, (size_t)coarse->rowStart[count] * square, sizeof(double));
    coarse->wideDiagonal = rslArena_Allocate(builder->arena, count * square, sizeof(double));
    coarse->wideInverse = rslArena_Allocate(builder->arena, count * square, sizeof(float));
    return coarse->wide != NULL && coarse->wideDiagonal != NULL && coarse->wideInverse != NULL &&
           rslLevel_MakeVectors(coarse, builder->arena);
}

// One level more. *worth is false where it would not be smaller.
static bool Coarsen(Builder* builder, bool* worth)
{
    rslMultigrid* grid = builder->grid;
    rslLevel *fine = &grid->levels[builder->level], *coarse = fine + 1;
    int count = 0;
    bool made = MakeAggregates(builder, fine, &count);
    *worth = made && count > 0 && count < 4 * (fine->count / 5);
    if (*worth)
    {
        *coarse = (rslLevel){ .count = count, .width = builder->width };
        made = MakeInterpolation(builder, fine, count) && MakeMatrix(builder, coarse);
        *worth = made && !atomic_load(&builder->wide);
        grid->levelCount += *worth ? 1 : 0;
    }
    return made;
}

typedef struct SpringList
{
    int count;
    int* others;  // NULL: only counted
} SpringList;

static void AddSpring(void* context, int other, const double block[9])
{
    (void)block;
    SpringList* list = context;
    if (list->others != NULL)
    {
        list->others[list->count] = other;
    }
    list->count += 1;
}

// Room for the springs of networks; lattices have theirs in the kernel.
static bool MakeSprings(Builder* builder, rslLevel* nodes)
{
    const rslModel* model = builder->grid->model;
    SpringList list = { 0 };
    nodes->rowStart = rslArena_Allocate(builder->arena, (size_t)nodes->count + 1, sizeof(int));
    for (int pass = 0; nodes->rowStart != NULL && pass < 2; ++pass)
    {
        for (int b = 0; b < model->bodyCount; ++b)
        {
            const rslBody* body = &model->bodies[b];
            for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
            {
                if (body->kind == rsl_networkBody && body->elements.count == 0)
                {
                    rslStatics_Springs(builder->grid->kernel, NULL, i, AddSpring, &list);
                }
                nodes->rowStart[i + 1] = list.count;
            }
        }
        if (pass == 0)
        {
            nodes->column = rslArena_Allocate(builder->arena, (size_t)list.count, sizeof(int));
            nodes->spring = rslArena_Allocate(builder->arena, (size_t)list.count, sizeof(float[5]));
            list = (SpringList){ .others = nodes->column };
        }
        if (nodes->column == NULL || nodes->spring == NULL)
        {
            return false;
        }
    }
    return nodes->rowStart != NULL;
}

// Whether rows of level 0 take long to find: springs alone are found as quickly as they are read.
static bool HasMore(const rslModel* model)
{
    bool more = false;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        more = more || body->elements.count > 0 || body->bending.count > 0 || rslRepulsion_IsFelt(&body->repulsion);
    }
    return more;
}

bool rslAggregate_Make(rslMultigrid* grid, const rslModel* model, const rslUnknowns* unknowns, void* kernel,
                       rslArena* arena)
{
    *grid = (rslMultigrid){ .model = model, .unknowns = unknowns, .kernel = kernel, .levelCount = 1 };
    grid->degree = 3;
    grid->ratio = 10.0;
    grid->levels[0] = (rslLevel){ .count = model->nodeCount, .width = 3 };
    Builder builder = { .grid = grid, .arena = arena };
    builder.width = model->plane == rsl_planeXY ? 3 : 6;
    bool worth = true, made = !HasMore(model) || rslMultigrid_MakeStore(grid, true, arena);
    made = made && (grid->stored || MakeSprings(&builder, &grid->levels[0]));
    while (made && worth && builder.level + 1 < RSL_MULTIGRID_LEVELS &&
           grid->levels[builder.level].count * grid->levels[builder.level].width > DENSE_UNKNOWNS)
    {
        made = Coarsen(&builder, &worth);
        builder.level += worth ? 1 : 0;
    }
    return made && rslMultigrid_MakeFactor(grid, LAST_UNKNOWNS, arena);
}
