// SPDX-License-Identifier: MIT
//
// collide_beside.c: pairs of sides: which may touch, and which are near each other, by a sweep along x over their boxes.

#include "collide_internal.h"

#include <string.h>

// ---- which sides may touch ------------------------------------------------------------------------------------------

static bool IsListed(const rslModel* model, int a, int b)
{
    for (int i = 0; i < model->pairCount; ++i)
    {
        if (model->pairs[i].body == a && model->pairs[i].other == b)
        {
            return true;
        }
    }
    return false;
}

static bool HasBody(const rslModel* model, const int* nodes, int count, int body)
{
    const rslBody* at = &model->bodies[body];
    for (int i = 0; i < count; ++i)
    {
        if (nodes[i] >= at->firstNode && nodes[i] < at->firstNode + at->nodeCount)
        {
            return true;
        }
    }
    return false;
}

// Bodies that are linked, welded or hinged together touch only where that is listed.
static bool AreJoined(const rslModel* model, int a, int b)
{
    for (int i = 0; i < model->linkCount; ++i)
    {
        const rslLink* link = &model->links[i];
        if (HasBody(model, link->nodes, link->nodeCount, a) && HasBody(model, link->nodes, link->nodeCount, b))
        {
            return true;
        }
    }
    for (int i = 0; i < model->rigidCount; ++i)
    {
        const rslRigid* rigid = &model->rigids[i];
        bool ofA = rigid->body == a || HasBody(model, rigid->welded, rigid->weldCount, a);
        if (ofA && (rigid->body == b || HasBody(model, rigid->welded, rigid->weldCount, b)))
        {
            return true;
        }
    }
    for (int i = 0; i < model->jointCount; ++i)
    {
        const int* rigids = model->joints[i].rigids;
        int first = rigids[0] >= 0 ? model->rigids[rigids[0]].body : -1;
        int second = rigids[1] >= 0 ? model->rigids[rigids[1]].body : -1;
        if ((first == a && second == b) || (first == b && second == a))
        {
            return true;
        }
    }
    return false;
}

// Whether two bodies, or one and itself, touch.
static bool MayTouch(const rslModel* model, const rslContactPair* rules)
{
    int a = rules->body, b = rules->other;
    return rules->touches && (a == b || IsListed(model, a, b) || !AreJoined(model, a, b));
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

// Where a pair is in the sorted list, or would be.
static size_t FindPair(const rslCollide* c, int a, int b)
{
    size_t low = 0, high = c->pairCount;
    while (low < high)
    {
        size_t middle = low + (high - low) / 2;
        const int* sides = c->pairs[middle]->sides;
        bool before = sides[0] < a || (sides[0] == a && sides[1] < b);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

// The pair of two sides. One that may not touch stays, too, so that this is asked once. NULL: out of memory.
rslSidePair* rslCollide_GetPair(rslCollide* c, int a, int b)
{
    size_t at = FindPair(c, a, b);
    if (at < c->pairCount && c->pairs[at]->sides[0] == a && c->pairs[at]->sides[1] == b)
    {
        return c->pairs[at];
    }
    void* items = c->pairs;
    rslSidePair* pair = rslAllocate(&c->hooks, 1, sizeof *pair);
    if (pair == NULL || !rslGrow(&c->hooks, &items, c->pairCount, &c->pairCapacity, sizeof(rslSidePair*)))
    {
        rslRelease(&c->hooks, pair);
        return NULL;
    }
    c->pairs = items;
    pair->sides[0] = a;
    pair->sides[1] = b;
    pair->rules = rslModel_PairOf(c->model, c->sides[a].body, c->sides[b].body);
    pair->allowed = MayTouch(c->model, &pair->rules);
    memmove(c->pairs + at + 1, c->pairs + at, (c->pairCount - at) * sizeof(rslSidePair*));
    c->pairs[at] = pair;
    ++c->pairCount;
    return pair;
}

void rslCollide_FreePairs(rslCollide* c)
{
    for (size_t i = 0; i < c->pairCount; ++i)
    {
        rslRelease(&c->hooks, c->pairs[i]->vertices[0].items);
        rslRelease(&c->hooks, c->pairs[i]->vertices[1].items);
        rslRelease(&c->hooks, c->pairs[i]->edges.items);
        rslRelease(&c->hooks, c->pairs[i]);
    }
    rslRelease(&c->hooks, c->pairs);
    rslRelease(&c->hooks, c->active);
    rslRelease(&c->hooks, c->activeOf);
}

// ---- the sweep over sides -------------------------------------------------------------------------------------------

static double Widening(const rslCollide* c, const rslSide* side)
{
    double h = c->look.step, towards = h * side->speed;
    towards = towards < c->largest ? towards : c->largest;
    return 0.5 * c->look.reach + side->thick + c->given + towards + h * h * side->push;
}

static double Lower(const rslCollide* c, int s)
{
    return c->sides[s].lower[0] - Widening(c, &c->sides[s]);
}

void rslCollide_SortSides(rslCollide* c, rslSideLower* lower)
{
    for (int i = 1; i < c->sideCount; ++i)
    {
        int s = c->byLower[i], k = i;
        double key = lower(c, s);
        for (; k > 0 && lower(c, c->byLower[k - 1]) > key; --k)
        {
            c->byLower[k] = c->byLower[k - 1];
        }
        c->byLower[k] = s;
    }
}

static bool AreNear(const rslSide* a, const rslSide* b, double within)
{
    for (int i = 0; i < 3; ++i)
    {
        if (a->lower[i] - within > b->upper[i] || b->lower[i] - within > a->upper[i])
        {
            return false;
        }
    }
    return true;
}

bool rslCollide_AreApart(const rslCollide* c, double by)
{
    for (int i = 0; i < c->sideCount; ++i)
    {
        const rslSide* a = &c->sides[c->byLower[i]];
        for (int k = i + 1; k < c->sideCount; ++k)
        {
            const rslSide* b = &c->sides[c->byLower[k]];
            double within = by + a->thick + b->thick + c->given;
            if (Lower(c, c->byLower[k]) > a->upper[0] + by + a->thick)  // the thickness of the other one is in it
            {
                break;
            }
            if (AreNear(a, b, within))
            {
                return false;
            }
        }
    }
    return true;
}

static bool Activate(rslCollide* c, int a, int b)
{
    rslSidePair* pair = rslCollide_GetPair(c, a < b ? a : b, a < b ? b : a);
    if (pair != NULL)
    {
        pair->near = c->looks;
    }
    return pair != NULL;
}

// Those that are near now, in the order of their sides.
static bool ListActive(rslCollide* c)
{
    c->activeCount = 0;
    for (size_t i = 0; i < c->pairCount; ++i)
    {
        if (!c->pairs[i]->allowed || c->pairs[i]->near != c->looks)
        {
            continue;
        }
        void* items = c->active;
        if (!rslGrow(&c->hooks, &items, c->activeCount, &c->activeCapacity, sizeof(rslSidePair*)))
        {
            return false;
        }
        c->active = items;
        c->active[c->activeCount++] = c->pairs[i];
    }
    return true;
}

static rslStatus FindActive(rslCollide* c)
{
    rslCollide_SortSides(c, Lower);
    for (int i = 0; i < c->sideCount; ++i)
    {
        int a = c->byLower[i];
        double mine = Widening(c, &c->sides[a]);
        if (c->sides[a].rest != NULL && !Activate(c, a, a))
        {
            return rsl_outOfMemory;
        }
        for (int k = i + 1; k < c->sideCount; ++k)
        {
            int b = c->byLower[k];
            if (Lower(c, b) > c->sides[a].upper[0] + mine)
            {
                break;
            }
            if (AreNear(&c->sides[a], &c->sides[b], mine + Widening(c, &c->sides[b])) && !Activate(c, a, b))
            {
                return rsl_outOfMemory;
            }
        }
    }
    return ListActive(c) ? rsl_ok : rsl_outOfMemory;
}

// Those of every side, in the order of the other one.
static rslStatus SortActive(rslCollide* c)
{
    size_t needed = 2 * c->activeCount;
    while (c->activeOfCapacity < needed)
    {
        void* items = c->activeOf;
        if (!rslGrow(&c->hooks, &items, c->activeOfCapacity, &c->activeOfCapacity, sizeof(rslSidePair*)))
        {
            return rsl_outOfMemory;
        }
        c->activeOf = items;
    }
    memset(c->activeStart, 0, ((size_t)c->sideCount + 1) * sizeof(int));
    for (size_t i = 0; i < c->activeCount; ++i)
    {
        const int* sides = c->active[i]->sides;
        ++c->activeStart[sides[0] + 1];
        c->activeStart[sides[1] + 1] += sides[1] != sides[0];
    }
    for (int s = 0; s < c->sideCount; ++s)
    {
        c->activeStart[s + 1] += c->activeStart[s];
    }
    // sorted by the first side: the others of the second come in ascending order before those of the first
    for (int pass = 0; pass < 2; ++pass)
    {
        for (size_t i = 0; i < c->activeCount; ++i)
        {
            const int* sides = c->active[i]->sides;
            if (pass == 0 ? sides[0] != sides[1] : true)
            {
                c->activeOf[c->activeStart[sides[1 - pass]]++] = c->active[i];
            }
        }
    }
    for (int s = c->sideCount; s > 0; --s)
    {
        c->activeStart[s] = c->activeStart[s - 1];
    }
    c->activeStart[0] = 0;
    return rsl_ok;
}

rslStatus rslCollide_FindActive(rslCollide* c)
{
    rslStatus status = FindActive(c);
    return status == rsl_ok ? SortActive(c) : status;
}
