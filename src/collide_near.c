// SPDX-License-Identifier: MIT
//
// collide_near.c: which features of sides that are near each other are, by their trees. All of it is about references
// (collide_internal.h).

#include "collide_internal.h"

bool rslSide_AreNeighbours(const rslSide* side, rslPairKind kind, const int vertices[4])
{
    rslVec3 x[4];
    double near = 1.2 * side->size;
    for (int i = 0; i < 4; ++i)
    {
        x[i] = rslVec3_Of(side->rest + 3 * (size_t)vertices[i]);
    }
    return rslPair_Nearest(kind, x).squared < near * near;
}

typedef struct Search
{
    const rslCollide* c;
    const rslSide *own, *other;
    rslNearList* list;
    rslMeshVisitor* hit;
    int feature;
    rslMeshBox around;  // what is looked for
    double within;      // how far it is around the feature
    bool self;
} Search;

static void Append(Search* search, int item)
{
    rslNearList* list = search->list;
    if (list->count < list->capacity)
    {
        list->items[list->count] = (rslNearItem){ search->feature, item, 0.0f };
    }
    ++list->count;
}

static void Walk(Search* search)
{
    rslMeshBox_Walk(search->other->boxes, search->other->order, &search->around, search->hit, search);
}

// What was found of one feature, in the order of the other ones. How many there is room for.
static int SortFrom(rslNearList* list, int first)
{
    int end = list->count < list->capacity ? list->count : list->capacity;
    for (int i = first + 1; i < end; ++i)
    {
        rslNearItem item = list->items[i];
        int k = i;
        for (; k > first && list->items[k - 1].other > item.other; --k)
        {
            list->items[k] = list->items[k - 1];
        }
        list->items[k] = item;
    }
    return end;
}

static const double* Reference(const rslCollide* c, const rslSide* side, int v)
{
    return c->reference + 3 * (size_t)(side->first + v);
}

static void Enclose(rslMeshBox* box, const double* x, const double* y, double within)
{
    for (int i = 0; i < 3; ++i)
    {
        box->lower[i] = (x[i] < y[i] ? x[i] : y[i]) - within;
        box->upper[i] = (x[i] > y[i] ? x[i] : y[i]) + within;
    }
}

// Can something in a box be as near to the feature? It is at least as far as its box is from that of the feature.
static bool MayBeNear(const Search* search, const rslMeshBox* box)
{
    double within = search->within, squared = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double below = search->around.lower[i] + within - box->upper[i];
        double above = box->lower[i] - search->around.upper[i] + within;
        double apart = below > above ? below : above;
        squared += apart > 0.0 ? apart * apart : 0.0;
    }
    return squared <= within * within * (1.0 + 1e-9);
}

static void HitTriangle(int t, void* context)
{
    Search* search = context;
    const rslSide* other = search->other;
    const int* corner = rslSide_Triangle(other, t);
    int v = search->feature;
    rslMeshBox box;
    const double* x = Reference(search->c, other, corner[0]);
    Enclose(&box, x, Reference(search->c, other, corner[1]), 0.0);
    const double* z = Reference(search->c, other, corner[2]);
    for (int i = 0; i < 3; ++i)
    {
        box.lower[i] = z[i] < box.lower[i] ? z[i] : box.lower[i];
        box.upper[i] = z[i] > box.upper[i] ? z[i] : box.upper[i];
    }
    if (!MayBeNear(search, &box))
    {
        return;
    }
    if (!search->self ||
        !rslSide_AreNeighbours(other, rsl_vertexTriangle, (const int[]){ v, corner[0], corner[1], corner[2] }))
    {
        Append(search, t);
    }
}

// Spheres of one body that stand nearer to each other than they may come.
static bool OverlapAtRest(const rslSide* side, int v, int w)
{
    rslVec3 a = rslVec3_Of(side->rest + 3 * (size_t)v), b = rslVec3_Of(side->rest + 3 * (size_t)w);
    double both = (side->skin->radius[v] + side->skin->radius[w]) * (1.0 + 1e-6);
    rslVec3 apart = rslSub(a, b);
    return rslDot(apart, apart) < both * both;
}

bool rslSide_AreJoined(const rslSide* side, int v, int w)
{
    for (int i = side->joined.start[v]; i < side->joined.start[v + 1]; ++i)
    {
        if (side->skin->edges[side->joined.items[i] ^ 1] == w)
        {
            return true;
        }
    }
    return v == w || OverlapAtRest(side, v, w);
}

// Each two spheres of one body once.
static void HitSphere(int w, void* context)
{
    Search* search = context;
    const double* x = Reference(search->c, search->other, w);
    bool inside = true;
    for (int i = 0; i < 3; ++i)
    {
        inside = inside && x[i] >= search->around.lower[i] && x[i] <= search->around.upper[i];
    }
    bool own = search->self && (w <= search->feature || rslSide_AreJoined(search->other, search->feature, w));
    if (inside && !own)
    {
        Append(search, w);
    }
}

static void HitEdges(int t, void* context)
{
    Search* search = context;
    const rslSide *own = search->own, *other = search->other;
    const int* mine = own->skin->edges + 2 * (size_t)search->feature;
    for (int k = 0; k < 3; ++k)
    {
        int f = other->triangleEdges[3 * (size_t)t + (size_t)k];
        const int* edge = other->skin->edges + 2 * (size_t)f;
        bool once = other->skin->edgeTriangles[2 * (size_t)f] == t && (!search->self || f > search->feature);
        rslMeshBox box;
        if (!once || !(search->c->look.whole || other->listed[f] > 0))
        {
            continue;
        }
        Enclose(&box, Reference(search->c, other, edge[0]), Reference(search->c, other, edge[1]), 0.0);
        if (!MayBeNear(search, &box))
        {
            continue;
        }
        if (!search->self ||
            !rslSide_AreNeighbours(other, rsl_edgeEdge, (const int[]){ mine[0], mine[1], edge[0], edge[1] }))
        {
            Append(search, f);
        }
    }
}

// From how far on features of a pair are of interest now because they may come nearer.
static double NeedOf(const rslCollide* c, const rslSidePair* pair)
{
    return rslSidePair_Thick(c, pair) + rslSidePair_Farthest(c, pair);
}

// And, vertices twice as far as edges, since they may be inside.
static double DeepOf(const rslCollide* c, const rslSidePair* pair)
{
    const rslSide *a = &c->sides[pair->sides[0]], *b = &c->sides[pair->sides[1]];
    return c->look.whole ? 0.0 : rslMost(rslSide_Deep(a, a == b), rslSide_Deep(b, a == b));
}

static double MarginOf(const rslCollide* c, const rslSidePair* pair)
{
    return rslSide_Margin(&c->sides[pair->sides[0]]) + rslSide_Margin(&c->sides[pair->sides[1]]);
}

// Not more than it is, as a float.
static float Rounded(double squared)
{
    return (float)(sqrt(squared) * (1.0 - 1e-6));
}

// How far the triangles of one vertex are.
static void MeasureTriangles(const Search* search, rslNearItem* items, int count)
{
    rslVec3 x[4] = { rslVec3_Of(Reference(search->c, search->own, search->feature)) };
    for (int i = 0; i < count; ++i)
    {
        const int* corner = rslSide_Triangle(search->other, items[i].other);
        for (int k = 0; k < 3; ++k)
        {
            x[k + 1] = rslVec3_Of(Reference(search->c, search->other, corner[k]));
        }
        items[i].distance = Rounded(rslGap_Squared(x));
    }
}

static void MeasureSpheres(const Search* search, rslNearItem* items, int count)
{
    rslVec3 x = rslVec3_Of(Reference(search->c, search->own, search->feature));
    for (int i = 0; i < count; ++i)
    {
        rslVec3 d = rslSub(x, rslVec3_Of(Reference(search->c, search->other, items[i].other)));
        items[i].distance = Rounded(rslDot(d, d));
    }
}

static void MeasureEdges(const Search* search, rslNearItem* items, int count)
{
    const int* mine = search->own->skin->edges + 2 * (size_t)search->feature;
    rslVec3 x[4];
    for (int i = 0; i < count; ++i)
    {
        const int* edge = search->other->skin->edges + 2 * (size_t)items[i].other;
        for (int k = 0; k < 2; ++k)
        {
            x[k] = rslVec3_Of(Reference(search->c, search->own, mine[k]));
            x[k + 2] = rslVec3_Of(Reference(search->c, search->other, edge[k]));
        }
        rslNear near = rslPair_Nearest(rsl_edgeEdge, x);
        double least = sqrt(near.squared) - near.doubt;
        items[i].distance = least > 0.0 ? Rounded(least * least) : 0.0f;
    }
}

// What was found of one feature from first on stays if it is as near: boxes have found some more.
static void Trim(rslNearList* list, int first, int end, double within)
{
    int kept = first;
    if (list->count > list->capacity)
    {
        return;  // it will be made again, with room for all
    }
    for (int i = first; i < end; ++i)
    {
        if ((double)list->items[i].distance <= within)
        {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

static void ListVertices(const rslCollide* c, const rslSidePair* pair, int which, rslNearList* list)
{
    const rslSide *own = &c->sides[pair->sides[which]], *other = &c->sides[pair->sides[1 - which]];
    bool spheres = other->skin->radius != NULL;
    double within = rslMost(pair->within, DeepOf(c, pair)) + MarginOf(c, pair);
    Search search = { .c = c, .own = own, .other = other, .list = list, .within = within, .self = own == other };
    search.hit = spheres ? HitSphere : HitTriangle;
    list->count = 0;
    for (int v = 0; v < own->skin->vertexCount; ++v)
    {
        const double* x = Reference(c, own, v);
        search.feature = v;
        Enclose(&search.around, x, x, within);
        int before = list->count;
        Walk(&search);
        int end = SortFrom(list, before);
        if (end > before)
        {
            (spheres ? MeasureSpheres : MeasureTriangles)(&search, list->items + before, end - before);
            Trim(list, before, end, within);
        }
    }
}

static void ListEdges(const rslCollide* c, rslSidePair* pair)
{
    const rslSide *own = &c->sides[pair->sides[0]], *other = &c->sides[pair->sides[1]];
    double within = pair->within + MarginOf(c, pair);
    Search search = { .c = c, .own = own, .other = other, .list = &pair->edges, .within = within };
    search.self = own == other;
    search.hit = HitEdges;
    pair->edges.count = 0;
    for (int e = 0; e < own->skin->edgeCount; ++e)
    {
        const int* edge = own->skin->edges + 2 * (size_t)e;
        if (c->look.whole || own->listed[e] > 0)
        {
            search.feature = e;
            Enclose(&search.around, Reference(c, own, edge[0]), Reference(c, own, edge[1]), within);
            int before = pair->edges.count;
            Walk(&search);
            int end = SortFrom(&pair->edges, before);
            if (end > before)
            {
                MeasureEdges(&search, pair->edges.items + before, end - before);
                Trim(&pair->edges, before, end, within);
            }
        }
    }
}

// Which of the three lists of a pair there are: vertices of the second side meet triangles only.
static rslNearList* ListOf(const rslCollide* c, rslSidePair* pair, int kind)
{
    bool surfaces[2] = { c->sides[pair->sides[0]].skin->radius == NULL, c->sides[pair->sides[1]].skin->radius == NULL };
    bool same = pair->sides[0] == pair->sides[1];
    switch (kind)
    {
        // a surface leaves it to the spheres of the other
        case 0: return surfaces[1] || !surfaces[0] ? &pair->vertices[0] : NULL;
        case 1: return surfaces[0] && !same ? &pair->vertices[1] : NULL;
        default: return surfaces[0] && surfaces[1] ? &pair->edges : NULL;
    }
}

static void MakeList(int item, void* context)
{
    rslCollide* c = context;
    rslSidePair* pair = c->active[item / 3];
    int kind = item % 3;
    rslNearList* list = ListOf(c, pair, kind);
    if (pair->fresh || list == NULL)
    {
        return;
    }
    if (kind == 2)
    {
        ListEdges(c, pair);
        return;
    }
    ListVertices(c, pair, kind, list);
}

static bool MakeRoom(const rslHooks* hooks, rslNearList* list)
{
    if (list->count <= list->capacity)
    {
        return true;
    }
    int capacity = list->count + list->count / 2;
    void* items = rslAllocate(hooks, (size_t)capacity, sizeof(rslNearItem));
    if (items == NULL)
    {
        return false;
    }
    rslRelease(hooks, list->items);
    list->items = items;
    list->capacity = capacity;
    return true;
}

// Which pairs need new lists: their references are new, or things are faster or farther apart than was thought. Some more than
// what is needed now lasts longer.
static void MarkStale(rslCollide* c)
{
    for (size_t i = 0; i < c->activeCount; ++i)
    {
        rslSidePair* pair = c->active[i];
        double need = NeedOf(c, pair);
        bool same =
            pair->stamps[0] == c->sides[pair->sides[0]].stamp && pair->stamps[1] == c->sides[pair->sides[1]].stamp;
        pair->fresh = same && need <= pair->within && pair->whole == c->look.whole;
        if (!pair->fresh)
        {
            pair->within = rslMost(1.25 * need, 0.5 * DeepOf(c, pair));
            pair->whole = c->look.whole;
            pair->stamps[0] = 0;  // until they are made
        }
    }
}

// Twice where there was no room.
static rslStatus MakeLists(rslCollide* c)
{
    MarkStale(c);
    for (int pass = 0; pass < 2; ++pass)
    {
        rslTeam_Run(c->team, MakeList, 3 * (int)c->activeCount, c);
        for (size_t i = 0; i < c->activeCount; ++i)
        {
            rslSidePair* pair = c->active[i];
            rslNearList* lists[3] = { &pair->vertices[0], &pair->vertices[1], &pair->edges };
            bool full = false;
            for (int k = 0; k < 3; ++k)
            {
                full = full || lists[k]->count > lists[k]->capacity;
                if (!MakeRoom(&c->hooks, lists[k]))
                {
                    return rsl_outOfMemory;
                }
            }
            pair->fresh = !full;
        }
    }
    for (size_t i = 0; i < c->activeCount; ++i)
    {
        c->active[i]->stamps[0] = c->sides[c->active[i]->sides[0]].stamp;
        c->active[i]->stamps[1] = c->sides[c->active[i]->sides[1]].stamp;
    }
    return rsl_ok;
}

// Sides that are near something need references, and new ones where they have moved against it.
static void MarkOld(rslCollide* c)
{
    for (size_t i = 0; i < c->activeCount; ++i)
    {
        const rslSidePair* pair = c->active[i];
        rslSide *a = &c->sides[pair->sides[0]], *b = &c->sides[pair->sides[1]];
        bool moved = !(rslSidePair_Moved(c, pair) <= MarginOf(c, pair));
        a->old = a->old || moved || a->stamp == 0;
        b->old = b->old || moved || b->stamp == 0;
    }
}

rslStatus rslCollide_ListNear(rslCollide* c)
{
    ++c->looks;
    rslStatus status = rslCollide_FindActive(c);
    if (status == rsl_ok)
    {
        if (!c->look.whole)
        {
            rslCollide_CheckFolds(c);
        }
        MarkOld(c);
        rslCollide_Refit(c);
    }
    return status == rsl_ok ? MakeLists(c) : status;
}
