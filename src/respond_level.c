// SPDX-License-Identifier: MIT
//
// respond_level.c: touches on level ground (respond_level.h): which they are, how they hang together, and what comes of them.
//
// One walk over the collisions finds what moves, its colours and its groups. Rows lie by group, colour and key, and what moves by group: a
// thread has a group to itself.

#include "respond_level.h"

#include "clones.h"
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
                   sizeof(rslLevelEnd) + sizeof(double) + sizeof(double[2]) + 5 * sizeof(int);
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
        !rslRespond_Room(hooks, (void**)&l->past, touches, had, sizeof(double)) ||
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

// What is looked up for every node of every touch.
typedef struct Gathering
{
    const rslResponse* in;
    rslLevelTouch* touches;
    rslLevelMover* movers;
    int *last, *nodes;  // of contact nodes: its mover, and one; of movers: the contact node
    int moverCount;
    bool fits;  // all yield alike along all axes, and no touch has one of them twice
} Gathering;

RSL_INLINE int MoverOf(Gathering* g, int node)
{
    int m = g->last[node] - 1;
    if (m < 0)
    {
        const double* y = &g->in->yield[3 * (size_t)node];
        g->fits = g->fits && y[0] > 0.0 && y[0] == y[1] && y[1] == y[2];
        m = g->moverCount++;
        g->movers[m] = (rslLevelMover){ .yield = y[0] };
        g->nodes[m] = node;
        g->last[node] = m + 1;
    }
    return m;
}

// A root for all touches that share its nodes, which have its colour now.
RSL_INLINE void Join(Gathering* g, int t, const int* parts, int count, uint64_t bit)
{
    int root = t;
    for (int i = 0; i < count; ++i)
    {
        rslLevelMover* mover = &g->movers[parts[i]];
        int other = mover->last - 1;
        mover->used |= bit;
        mover->last = t + 1;
        g->fits = g->fits && other != t;
        if (other >= 0 && g->touches[other].parent != root)
        {
            other = Root(g->touches, other);
            int least = other < root ? other : root;
            g->touches[other > root ? other : root].parent = least;
            root = least;
        }
    }
    g->touches[t].parent = root;
}

// The colour of a touch is one that none of its nodes has. Returns how many nodes it has that count.
RSL_INLINE int AddTouch(Gathering* g, int t, const rslCollision* collision, int part, int* parts)
{
    const int* nodes = g->in->collisions->nodes + collision->begin;
    const double* weights = g->in->collisions->weights + collision->begin;
    uint64_t used = 0;
    int count = 0;
    for (int i = 0; i < collision->count; ++i)
    {
        if (weights[i] != 0.0)
        {
            int m = MoverOf(g, nodes[i]);
            parts[count++] = m;
            used |= g->movers[m].used;
        }
    }
    int colour = ~used == 0 ? RSL_COLOURS : __builtin_ctzll(~used);
    g->touches[t] = (rslLevelTouch){ .part = part,
                                     .count = count,
                                     .parent = t,
                                     .colour = colour,
                                     .begin = collision->begin,
                                     .listed = collision->count };
    g->fits = g->fits && count > 0;
    Join(g, t, parts, count, colour < RSL_COLOURS ? 1ull << colour : 0);
    return count;
}

// False: they are not of this kind.
static bool AddTouches(rslRespond* r)
{
    rslLevel* l = r->level;
    const rslCollisions* list = r->in->collisions;
    Gathering g = { r->in, l->touches, l->movers, r->last, r->nodes, 0, true };
    int count = 0, parts = 0;
    for (; g.fits && count < list->count; ++count)
    {
        parts += AddTouch(&g, count, &list->list[count], parts, l->parts + parts);
    }
    l->count = count;
    l->partCount = parts;
    l->moverCount = r->movedCount = g.moverCount;
    return g.fits;
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
    l->count = l->partCount = l->moverCount = l->groupCount = 0;
    l->starved = l->fits && !rslLevel_Reserve(l, &r->hooks, (size_t)list->count, (size_t)list->nodeCount);
    l->fits = l->fits && !l->starved;
    l->fits = l->fits && AddTouches(r) && FindGroups(l) < RSL_VERY_MANY;
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

// What touches that were there in the step before begin with. Who answers them has no need of the state, which is written again soon.
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
        l->past[l->touches[t].row] = same ? rslMost(0.0, rslDot(l->n, rslVec3_Of(state->touched[m].kept))) : 0.0;
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
