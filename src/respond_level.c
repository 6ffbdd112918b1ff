// SPDX-License-Identifier: MIT
//
// respond_level.c: touches on level ground (respond_level.h): which they are, how they hang together, and what comes of them.
//
// One walk over the collisions finds what moves, its colours and its groups. Rows lie by group, colour and key, and what moves by group: a
// thread has a group to itself.

#include "respond_level.h"

#include "memory.h"

#include <string.h>

// ---- room -----------------------------------------------------------------------------------------------------------

bool rslLevel_Make(rslLevel* l, const rslHooks* hooks, int nodeCount)
{
    size_t nodes = (size_t)nodeCount;
    l->movers = rslAllocate(hooks, nodes, sizeof(rslLevelMover));
    l->v = rslAllocate(hooks, 5 * nodes, sizeof(double));
    l->last = rslAllocate(hooks, 2 * nodes, sizeof(int));
    if (l->movers == NULL || l->v == NULL || l->last == NULL)
    {
        return false;
    }
    l->kick = l->v + nodes;
    l->lift = l->v + 2 * nodes;
    l->dx = l->v + 3 * nodes;
    l->y = l->v + 4 * nodes;
    l->nodes = l->last + nodes;
    return true;
}

void rslLevel_Free(rslLevel* l, const rslHooks* hooks)
{
    void* const all[] = { l->movers, l->v,    l->last,   l->touches, l->parts, l->partNodes,  l->partWeights,
                          l->fours,  l->rows, l->spots,  l->sums,    l->start, l->moverStart, l->order,
                          l->next,   l->busy, l->places, l->ends,    l->past };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    {
        rslRelease(hooks, all[i]);
    }
}

size_t rslLevel_Bytes(const rslLevel* l, int nodeCount)
{
    size_t node = sizeof(rslLevelMover) + 5 * sizeof(double) + 2 * sizeof(int);
    size_t touch = sizeof(rslLevelTouch) + sizeof(rslLevelRow) + sizeof(rslLevelSpot) + sizeof(rslLevelPlace) +
                   sizeof(rslLevelEnd) + sizeof(double*) + sizeof(double[2]) + 5 * sizeof(int);
    return sizeof *l + (size_t)nodeCount * node + l->touchCapacity * touch +
           l->partCapacity * (2 * sizeof(int) + sizeof(double)) + l->fourCapacity * sizeof(rslLevelFour);
}

static bool Grow(const rslHooks* hooks, void** items, size_t wanted, size_t* capacity, size_t size)
{
    bool grown = rslRespond_Room(hooks, items, wanted, *capacity, size);
    *capacity = !grown ? 0 : wanted <= *capacity ? *capacity : 2 * wanted;
    return grown;
}

bool rslLevel_Reserve(rslLevel* l, const rslHooks* hooks, size_t touches, size_t parts)
{
    touches += 1;  // groups have an end
    size_t had = l->touchCapacity, fours = touches + parts / 4;
    if (!rslRespond_Room(hooks, (void**)&l->rows, touches, had, sizeof(rslLevelRow)) ||
        !rslRespond_Room(hooks, (void**)&l->spots, touches, had, sizeof(rslLevelSpot)) ||
        !rslRespond_Room(hooks, (void**)&l->places, touches, had, sizeof(rslLevelPlace)) ||
        !rslRespond_Room(hooks, (void**)&l->ends, touches, had, sizeof(rslLevelEnd)) ||
        !rslRespond_Room(hooks, (void**)&l->past, touches, had, sizeof(double*)) ||
        !rslRespond_Room(hooks, (void**)&l->sums, touches, had, sizeof(double[2])) ||
        !rslRespond_Room(hooks, (void**)&l->start, touches, had, sizeof(int)) ||
        !rslRespond_Room(hooks, (void**)&l->moverStart, touches, had, sizeof(int)) ||
        !rslRespond_Room(hooks, (void**)&l->order, touches, had, sizeof(int)) ||
        !rslRespond_Room(hooks, (void**)&l->busy, touches, had, sizeof(int)) ||
        !rslRespond_Room(hooks, (void**)&l->next, touches, had, sizeof(int)))
    {
        l->touchCapacity = 0;  // some are too small for it
        return false;
    }
    return Grow(hooks, (void**)&l->touches, touches, &l->touchCapacity, sizeof(rslLevelTouch)) &&
           rslRespond_Room(hooks, (void**)&l->partNodes, parts, l->partCapacity, sizeof(int)) &&
           rslRespond_Room(hooks, (void**)&l->partWeights, parts, l->partCapacity, sizeof(double)) &&
           Grow(hooks, (void**)&l->parts, parts, &l->partCapacity, sizeof(int)) &&
           Grow(hooks, (void**)&l->fours, fours, &l->fourCapacity, sizeof(rslLevelFour));
}

// ---- what moves -----------------------------------------------------------------------------------------------------

static int Root(rslLevelTouch* touches, int t)
{
    while (touches[t].parent != t)
    {
        touches[t].parent = touches[touches[t].parent].parent;
        t = touches[t].parent;
    }
    return t;
}

// Once in a step. False: it does not yield alike along all axes.
static bool AddMover(rslRespond* r, int node)
{
    rslLevel* l = r->level;
    const double* y = &r->in->yield[3 * (size_t)node];
    r->nodes[r->movedCount++] = node;
    r->last[node] = r->movedCount;
    l->movers[l->moverCount++] = (rslLevelMover){ .yield = y[0] };
    return y[0] > 0.0 && y[0] == y[1] && y[1] == y[2];
}

// The colour that none of its nodes has, and a root for all touches that share them. False: it has a node twice.
static bool Join(rslLevel* l, int t, uint64_t used)
{
    bool once = true;
    rslLevelTouch* touch = &l->touches[t];
    int root = t;
    touch->colour = ~used == 0 ? RSL_COLOURS : __builtin_ctzll(~used);
    uint64_t bit = touch->colour < RSL_COLOURS ? 1ull << touch->colour : 0;
    const int *parts = l->parts + touch->part, count = touch->count;
    rslLevelMover* movers = l->movers;
    for (int i = 0; i < count; ++i)
    {
        rslLevelMover* mover = &movers[parts[i]];
        int other = mover->last - 1;
        mover->used |= bit;
        mover->last = t + 1;
        once = once && other != t;
        if (other >= 0 && l->touches[other].parent != root)
        {
            other = Root(l->touches, other);
            int least = other < root ? other : root;
            l->touches[other > root ? other : root].parent = least;
            root = least;
        }
    }
    touch->parent = root;
    return once;
}

// False: it is not of this kind.
static bool AddTouch(rslRespond* r, const rslCollision* collision)
{
    rslLevel* l = r->level;
    const int t = l->count, *nodes = r->in->collisions->nodes + collision->begin;
    const double* weights = r->in->collisions->weights + collision->begin;
    int *parts = l->parts + l->partCount, *last = r->last, count = 0;
    const rslLevelMover* movers = l->movers;
    uint64_t used = 0;
    bool fits = true;
    for (int i = 0; i < collision->count; ++i)
    {
        double w = weights[i];
        int node = nodes[i];
        if (w == 0.0)
        {
            continue;
        }
        if (last[node] == 0)
        {
            fits = AddMover(r, node) && fits;
        }
        int m = last[node] - 1;
        parts[count++] = m;
        used |= movers[m].used;
    }
    l->touches[t] = (rslLevelTouch){
        .part = l->partCount, .count = count, .parent = t, .begin = collision->begin, .listed = collision->count
    };
    l->partCount += count;
    l->count += 1;
    return Join(l, t, used) && fits && count > 0;
}

static bool IsLevel(const rslCollision* collision, rslVec3 n)
{
    const rslVec3 m = collision->normal;
    return m.x == n.x && m.y == n.y && m.z == n.z && collision->friction == 0.0;
}

// ---- order ----------------------------------------------------------------------------------------------------------

// From how many there are to where they begin; in scratch, too.
static void Start(int* start, int* next, int count)
{
    for (int g = 0; g < count; ++g)
    {
        start[g + 1] += start[g];
    }
    memcpy(next, start, (size_t)count * sizeof(int));
}

static void OrderByColour(rslLevel* l)
{
    int start[RSL_COLOUR_LISTS + 1] = { 0 };
    for (int t = 0; t < l->count; ++t)
    {
        start[l->touches[t].colour + 1] += 1;
    }
    for (int c = 0; c < RSL_COLOUR_LISTS; ++c)
    {
        start[c + 1] += start[c];
    }
    for (int t = 0; t < l->count; ++t)
    {
        l->order[start[l->touches[t].colour]++] = t;
    }
}

// Groups in the order of their first touches. Returns how many the largest has.
static int FindGroups(rslLevel* l)
{
    int largest = 0;
    l->groupCount = 0;
    memset(l->start, 0, ((size_t)l->count + 1) * sizeof(int));
    for (int t = 0; t < l->count; ++t)
    {
        rslLevelTouch* touch = &l->touches[t];
        int root = Root(l->touches, t);
        touch->group = root == t ? l->groupCount++ : l->touches[root].group;
        int count = l->start[touch->group + 1] += 1;
        largest = count > largest ? count : largest;
    }
    return largest;
}

static void OrderRows(rslLevel* l)
{
    int fours = 0;
    Start(l->start, l->next, l->groupCount);
    for (int i = 0; i < l->count; ++i)
    {
        rslLevelTouch* touch = &l->touches[l->order[i]];
        touch->row = l->next[touch->group]++;
        l->places[touch->row].touch = l->order[i];
    }
    l->eights = true;
    for (int i = 0; i < l->count; ++i)
    {
        rslLevelPlace* place = &l->places[i];
        place->four = fours;
        place->count = l->touches[place->touch].count;
        fours += (place->count + 3) / 4;
        l->eights = l->eights && place->count == 8;
    }
}

static void OrderMovers(const rslRespond* r, rslLevel* l)
{
    memset(l->moverStart, 0, ((size_t)l->groupCount + 1) * sizeof(int));
    for (int m = 0; m < l->moverCount; ++m)
    {
        l->moverStart[l->touches[l->movers[m].last - 1].group + 1] += 1;
    }
    Start(l->moverStart, l->next, l->groupCount);
    for (int m = 0; m < l->moverCount; ++m)
    {
        rslLevelMover* mover = &l->movers[m];
        mover->at = l->next[l->touches[mover->last - 1].group]++;
        l->nodes[mover->at] = r->nodes[m];
        l->y[mover->at] = mover->yield;
    }
}

// Groups as threads come to them. Each begins with its own part of the items (team.c): the largest groups, by powers of two, are the first of
// these parts by turns, so that nobody is left with a large one when all others are done.
static void DealGroups(const rslRespond* r, rslLevel* l)
{
    const int width = rslTeam_Width(r->team), count = l->groupCount;
    int start[33] = { 0 };
    for (int g = 0; g < count; ++g)
    {
        start[__builtin_clz((unsigned)(l->start[g + 1] - l->start[g])) + 1] += 1;
    }
    for (int c = 0; c < 32; ++c)
    {
        start[c + 1] += start[c];
    }
    for (int g = 0; g < count; ++g)
    {
        l->next[start[__builtin_clz((unsigned)(l->start[g + 1] - l->start[g]))]++] = g;
    }
    for (int turn = 0, dealt = 0; dealt < count; ++turn)
    {
        for (int part = 0; part < width; ++part)
        {
            int64_t begin = (int64_t)count * part / width, end = (int64_t)count * (part + 1) / width;
            if (begin + turn < end)
            {
                l->order[begin + turn] = l->next[dealt++];
            }
        }
    }
}

// ---- what is the same as in the step before --------------------------------------------------------------------------

static void Know(const rslRespond* r)
{
    rslLevel* l = r->level;
    const rslCollisions* list = r->in->collisions;
    l->lender = list->lent ? list->nodes : NULL;
    l->listed = list->nodeCount;
    if (!list->lent)
    {
        memcpy(l->partNodes, list->nodes, (size_t)list->nodeCount * sizeof(int));
        memcpy(l->partWeights, list->weights, (size_t)list->nodeCount * sizeof(double));
    }
}

// What is lent stays what it is.
static bool AreNodesKnown(const rslLevel* l, const rslCollisions* list)
{
    return list->lent ? l->lender == list->nodes
                      : l->lender == NULL && memcmp(l->partNodes, list->nodes, (size_t)l->listed * sizeof(int)) == 0 &&
                            memcmp(l->partWeights, list->weights, (size_t)l->listed * sizeof(double)) == 0;
}

static bool IsKnown(const rslRespond* r)
{
    const rslLevel* l = r->level;
    const rslCollisions* list = r->in->collisions;
    bool same = l->known && l->count == list->count && l->listed == list->nodeCount && AreNodesKnown(l, list);
    for (int t = 0; same && t < l->count; ++t)
    {
        same = l->touches[t].begin == list->list[t].begin && l->touches[t].listed == list->list[t].count;
    }
    for (int m = 0; same && m < l->moverCount; ++m)
    {
        const double *y = &r->in->yield[3 * (size_t)l->nodes[m]], was = l->y[m];
        same = y[0] == was && y[1] == was && y[2] == was;
    }
    return same;
}

// What is lent is of one plane.
static bool AreLevel(const rslResponse* in, rslVec3 n)
{
    const rslCollisions* list = in->collisions;
    bool level = in->rigidCount == 0 && in->join == NULL;
    for (int c = 0; level && c < (list->lent ? 1 : list->count); ++c)
    {
        level = IsLevel(&list->list[c], n);
    }
    return level;
}

void rslLevel_Gather(rslRespond* r)
{
    rslLevel* l = r->level;
    const rslCollisions* list = r->in->collisions;
    l->n = list->count > 0 ? list->list[0].normal : l->n;
    l->fits = list->count > 0 && AreLevel(r->in, l->n);
    l->kept = l->fits && IsKnown(r);
    l->starved = false;
    if (l->kept)
    {
        return;
    }
    rslRespond_Forget(r);
    l->known = false;
    l->count = l->partCount = l->moverCount = l->groupCount = 0;
    l->starved = l->fits && !rslLevel_Reserve(l, &r->hooks, (size_t)list->count, (size_t)list->nodeCount);
    l->fits = l->fits && !l->starved;
    for (int c = 0; l->fits && c < list->count; ++c)
    {
        l->fits = AddTouch(r, &list->list[c]);
    }
    l->fits = l->fits && FindGroups(l) < RSL_VERY_MANY;
    if (l->fits)
    {
        OrderByColour(l);
        OrderRows(l);
        OrderMovers(r, l);
        DealGroups(r, l);
        Know(r);
    }
}

// ---- what comes of it -----------------------------------------------------------------------------------------------

// Which touches of the step before are still there.
static void FindKept(rslRespond* r, const rslState* state)
{
    rslLevel* l = r->level;
    for (int t = 0, m = 0; t < l->count; ++t)
    {
        const uint32_t* key = r->in->collisions->list[t].key;
        int order = -1;
        while (m < state->touchedCount && (order = rslKey_Compare(state->touched[m].key, key)) < 0)
        {
            ++m;
        }
        bool same = m < state->touchedCount && order == 0;
        l->past[l->touches[t].row] = same ? state->touched[m].kept : NULL;
    }
}

static void Remember(rslRespond* r, rslResponse* out, rslState* state)
{
    rslLevel* l = r->level;
    int count = 0;
    for (int t = 0; t < l->count; ++t)
    {
        const rslCollision* collision = &r->in->collisions->list[t];
        const rslLevelEnd* end = &l->ends[l->touches[t].row];
        if (end->whole == 0.0 && end->press == 0.0)
        {
            continue;
        }
        out->heat -= 0.5 * end->whole * end->twice;
        out->motion += end->whole * end->belt;
        rslRespond_CountPush(r, collision, rslScale(end->whole, l->n), state);
        state->touched[count++] = rslTouched_By(collision, rslScale(end->whole, l->n), rslScale(end->press, l->n));
    }
    state->touchedCount = count;
}

static double FarthestMoved(const rslLevel* l)
{
    double moved = 0.0;
    for (int m = 0; m < l->moverCount; ++m)
    {
        moved = rslMost(moved, fabs(l->dx[m]));
    }
    return moved;
}

static void RunGroup(int item, void* context)
{
    const rslRespond* r = context;
    rslLevel_AnswerGroup(r, r->level->order[item]);
}

void rslLevel_Answer(rslRespond* r, rslResponse* out, rslState* state)
{
    rslLevel* l = r->level;
    l->known = true;
    FindKept(r, state);
    for (int g = 0; l->count < RSL_WORTH_WAKING && g < l->groupCount; ++g)
    {
        rslLevel_AnswerGroup(r, g);
    }
    if (l->count >= RSL_WORTH_WAKING)
    {
        rslTeam_Run(r->team, RunGroup, l->groupCount, r);
    }
    Remember(r, out, state);
    out->moved = FarthestMoved(l);
}
