// SPDX-License-Identifier: MIT
//
// collide_fresh.c: which lists of near features are still good, and which are made anew.
//
// A list is a superset of what is near until its two sides have moved against each other by its margin. Then both take a new reference,
// and the list is made of it. Other lists of these sides go on: what the sides have moved from the references of a list to their next ones
// is added up, the motion of a whole side as a vector, what is left of it as a length. So what is fast makes its own lists anew, and none
// of its neighbours'. A list of edges is made anew by itself when there are others that may become sharp (collide_sharp.c).

#include "collide_internal.h"

// a part of the sizes that sides may move before lists are made anew, or as much as they do in some steps, but not too much
#define MARGIN 0.1
#define LASTING 10.0
#define MOST 3.0
// of the margin: references that sides have moved less from are good for a new list
#define RECENT 0.25

// From how far on features of a pair are of interest now because they may come nearer.
static double NeedOf(const rslCollide* c, const rslSidePair* pair)
{
    return rslSidePair_Thick(c, pair) + rslSidePair_Farthest(c, pair);
}

// And, vertices twice as far as edges, since they may be inside.
double rslSidePair_Deep(const rslCollide* c, const rslSidePair* pair)
{
    const rslSide *a = &c->sides[pair->sides[0]], *b = &c->sides[pair->sides[1]];
    return c->look.whole ? 0.0 : rslMost(rslSide_Deep(a, a == b), rslSide_Deep(b, a == b));
}

static double MarginOf(const rslCollide* c, const rslSidePair* pair)
{
    double least = MARGIN * (c->sides[pair->sides[0]].size + c->sides[pair->sides[1]].size);
    double lasting = LASTING * c->look.step * rslSidePair_Speed(c, pair);
    return lasting < least ? least : lasting < MOST * least ? lasting : MOST * least;
}

// Are lists of a kind still supersets of what is near?
static bool IsFresh(const rslCollide* c, const rslSidePair* pair, int kind)
{
    bool same = pair->whole == c->look.whole;
    for (int i = 0; i < 2; ++i)
    {
        const rslSide* side = &c->sides[pair->sides[i]];
        bool folds = kind == RSL_EDGE_LISTS && !pair->whole && (side->folded || pair->folds[i] != side->folds);
        same = same && side->stamp != 0 && pair->ages[kind].stamps[i] == side->stamp && !folds;
    }
    return same && rslSidePair_Moved(c, pair, kind) <= pair->ages[kind].margin;
}

// Lists that are stale take new references, unless sides have hardly moved from those that they have. Some more than what is needed now
// lasts longer.
static void MarkStale(rslCollide* c, rslSidePair* pair)
{
    double need = NeedOf(c, pair), margin = MarginOf(c, pair), deep = 0.5 * rslSidePair_Deep(c, pair);
    for (int kind = 0; kind < RSL_LIST_KINDS; ++kind)
    {
        rslListAge* age = &pair->ages[kind];
        age->fresh = need <= age->within && IsFresh(c, pair, kind);
        if (age->fresh)
        {
            continue;
        }
        // no stamps until they are made
        *age = (rslListAge){ .margin = margin, .within = rslMost(1.25 * need, deep) };
        bool recent = rslSidePair_Moved(c, pair, kind) <= RECENT * margin;
        for (int i = 0; i < 2; ++i)
        {
            rslSide* side = &c->sides[pair->sides[i]];
            side->old = side->old || !recent || side->stamp == 0 || side->folded;
        }
    }
    pair->whole = c->look.whole;
}

// Sides are about to take new references: lists that were good for the last ones go on with these.
static void Carry(const rslCollide* c, rslSidePair* pair)
{
    const rslSide* sides[2] = { &c->sides[pair->sides[0]], &c->sides[pair->sides[1]] };
    for (int kind = 0; kind < RSL_LIST_KINDS && (sides[0]->old || sides[1]->old); ++kind)
    {
        rslListAge* age = &pair->ages[kind];
        bool good = age->stamps[0] == sides[0]->stamp && age->stamps[1] == sides[1]->stamp;
        for (int i = 0; good && age->stamps[0] != 0 && i < 2; ++i)
        {
            age->shift[i] = sides[i]->old ? rslAdd(age->shift[i], sides[i]->shift) : age->shift[i];
            age->bent[i] += sides[i]->old ? sides[i]->bent : 0.0;
            age->stamps[i] = sides[i]->old ? c->looks : age->stamps[i];
        }
    }
}

// ---- making ---------------------------------------------------------------------------------------------------------

// Which of the three lists of a pair there are: vertices of the second side meet triangles only.
static bool HasList(const rslCollide* c, const rslSidePair* pair, int which)
{
    bool surfaces[2] = { c->sides[pair->sides[0]].skin->radius == NULL, c->sides[pair->sides[1]].skin->radius == NULL };
    bool same = pair->sides[0] == pair->sides[1];
    switch (which)
    {
        // a surface leaves it to the spheres of the other
        case 0: return surfaces[1] || !surfaces[0];
        case 1: return surfaces[0] && !same;
        default: return surfaces[0] && surfaces[1];
    }
}

static void MakeList(int item, void* context)
{
    rslCollide* c = context;
    rslSidePair* pair = c->active[item / 3];
    int which = item % 3;
    if (pair->ages[which < 2 ? RSL_VERTEX_LISTS : RSL_EDGE_LISTS].fresh || !HasList(c, pair, which))
    {
        return;
    }
    if (which < 2)
    {
        rslSidePair_ListVertices(c, pair, which);
        return;
    }
    rslSidePair_ListEdges(c, pair);
}

static bool MakeRoom(const rslHooks* hooks, rslNearList* list)
{
    if (list->count <= list->capacity)
    {
        return true;
    }
    int capacity = list->count + list->count / 2;
    void* items = rslAllocate(hooks, 2 * (size_t)capacity, sizeof(rslNearItem));  // half of it for sorting
    if (items == NULL)
    {
        return false;
    }
    rslRelease(hooks, list->items);
    list->items = items;
    list->capacity = capacity;
    return true;
}

// Twice where there was no room.
static rslStatus MakeLists(rslCollide* c)
{
    for (int pass = 0; pass < 2; ++pass)
    {
        rslTeam_Run(c->team, MakeList, 3 * (int)c->activeCount, c);
        for (size_t i = 0; i < c->activeCount; ++i)
        {
            rslSidePair* pair = c->active[i];
            rslNearList* lists[3] = { &pair->vertices[0], &pair->vertices[1], &pair->edges };
            pair->ages[RSL_VERTEX_LISTS].fresh = pair->ages[RSL_EDGE_LISTS].fresh = true;
            for (int k = 0; k < 3; ++k)
            {
                rslListAge* age = &pair->ages[k < 2 ? RSL_VERTEX_LISTS : RSL_EDGE_LISTS];
                age->fresh = age->fresh && lists[k]->count <= lists[k]->capacity;
                if (!MakeRoom(&c->hooks, lists[k]))
                {
                    return rsl_outOfMemory;
                }
            }
        }
    }
    for (size_t i = 0; i < c->activeCount; ++i)
    {
        rslSidePair* pair = c->active[i];
        for (int k = 0; k < 2; ++k)
        {
            const rslSide* side = &c->sides[pair->sides[k]];
            pair->ages[RSL_VERTEX_LISTS].stamps[k] = pair->ages[RSL_EDGE_LISTS].stamps[k] = side->stamp;
            pair->folds[k] = side->folds;
        }
    }
    return rsl_ok;
}

rslStatus rslCollide_ListNear(rslCollide* c)
{
    ++c->looks;
    rslStatus status = rslCollide_FindActive(c);
    if (status != rsl_ok)
    {
        return status;
    }
    if (!c->look.whole)
    {
        rslCollide_CheckFolds(c);
    }
    for (size_t i = 0; i < c->activeCount; ++i)
    {
        MarkStale(c, c->active[i]);
    }
    for (size_t i = 0; i < c->pairCount; ++i)
    {
        Carry(c, c->pairs[i]);
    }
    rslCollide_Refit(c);
    return MakeLists(c);
}
