// SPDX-License-Identifier: MIT
//
// collide_near.c: which features of sides that are near each other are, by their trees. All of it is about references
// (collide_internal.h).
//
// Features of a leaf of the one tree are looked for together: leaves of the other that are near to their box, then boxes of what these
// hold, then distances.

#include "collide_internal.h"

#include <string.h>

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

// ---- what a leaf holds ----------------------------------------------------------------------------------------------

typedef struct Held
{
    int feature;
    double lower[3], upper[3];
} Held;

typedef struct Leaf
{
    int count;
    Held held[3 * RSL_MESH_LEAF];
    Held all;  // around them
} Leaf;

typedef struct Search
{
    const rslCollide* c;
    const rslSide *own, *other;
    rslNearList* list;
    double within;  // how far what is looked for is around features
    bool self, edges;
    Leaf leaf;  // whose features are looked for now
} Search;

static const double* Reference(const rslCollide* c, const rslSide* side, int v)
{
    return c->reference + 3 * (size_t)(side->first + v);
}

static void Hold(Leaf* leaf, int feature, const double* x)
{
    Held* held = &leaf->held[leaf->count++];
    held->feature = feature;
    for (int i = 0; i < 3; ++i)
    {
        held->lower[i] = held->upper[i] = x[i];
    }
}

static void Include(Held* held, const double* x)
{
    for (int i = 0; i < 3; ++i)
    {
        held->lower[i] = x[i] < held->lower[i] ? x[i] : held->lower[i];
        held->upper[i] = x[i] > held->upper[i] ? x[i] : held->upper[i];
    }
}

// What was held last is larger.
static void Stretch(Leaf* leaf, const double* x)
{
    Include(&leaf->held[leaf->count - 1], x);
}

static void HoldVertices(const rslCollide* c, const rslSide* side, const rslMeshBox* box, Leaf* leaf)
{
    const rslLists* held = &side->held[0];
    leaf->count = 0;
    for (int k = held->start[box->first]; k < held->start[box->first + box->count]; ++k)
    {
        Hold(leaf, held->items[k], Reference(c, side, held->items[k]));
    }
}

static void HoldTriangles(const rslCollide* c, const rslSide* side, const rslMeshBox* box, Leaf* leaf)
{
    leaf->count = 0;
    for (int k = box->first; k < box->first + box->count; ++k)
    {
        const int* corner = rslSide_Triangle(side, side->order[k]);
        Hold(leaf, side->order[k], Reference(c, side, corner[0]));
        Stretch(leaf, Reference(c, side, corner[1]));
        Stretch(leaf, Reference(c, side, corner[2]));
    }
}

static void HoldEdges(const rslCollide* c, const rslSide* side, const rslMeshBox* box, Leaf* leaf)
{
    const rslLists* held = &side->held[1];
    leaf->count = 0;
    for (int k = held->start[box->first]; k < held->start[box->first + box->count]; ++k)
    {
        int e = held->items[k];
        const int* edge = side->skin->edges + 2 * (size_t)e;
        if (c->look.whole || side->listed[e] > 0)
        {
            Hold(leaf, e, Reference(c, side, edge[0]));
            Stretch(leaf, Reference(c, side, edge[1]));
        }
    }
}

// The square of how far two boxes are apart: what is in them is as far, at least.
static double ApartSquared(const Held* a, const double lower[3], const double upper[3])
{
    double squared = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double below = a->lower[i] - upper[i], above = lower[i] - a->upper[i];
        double apart = below > above ? below : above;
        squared += apart > 0.0 ? apart * apart : 0.0;
    }
    return squared;
}

// ---- pairs of features ----------------------------------------------------------------------------------------------

// With its distance, not more than it is as a float.
static void Append(const Search* search, int own, int other, float distance)
{
    rslNearList* list = search->list;
    if (list->count < list->capacity)
    {
        list->items[list->count] = (rslNearItem){ own, other, distance };
    }
    ++list->count;
}

static float Rounded(double distance)
{
    return (float)(distance * (1.0 - 1e-6));
}

static void TryTriangle(const Search* search, int v, int t, double squared)
{
    (void)squared;
    const int* corner = rslSide_Triangle(search->other, t);
    rslVec3 x[4] = { rslVec3_Of(Reference(search->c, search->own, v)) };
    if (search->self && (v == corner[0] || v == corner[1] || v == corner[2]))
    {
        return;
    }
    for (int k = 0; k < 3; ++k)
    {
        x[k + 1] = rslVec3_Of(Reference(search->c, search->other, corner[k]));
    }
    float distance = Rounded(sqrt(rslGap_Squared(x)));
    const int all[4] = { v, corner[0], corner[1], corner[2] };
    if ((double)distance <= search->within &&
        !(search->self && rslSide_AreNeighbours(search->other, rsl_vertexTriangle, all)))
    {
        Append(search, v, t, distance);
    }
}

// Each two spheres of one body once.
static void TrySphere(const Search* search, int v, int w, double squared)
{
    (void)squared;
    rslVec3 x = rslVec3_Of(Reference(search->c, search->own, v));
    float distance = Rounded(rslLength(rslSub(x, rslVec3_Of(Reference(search->c, search->other, w)))));
    if ((double)distance <= search->within && !(search->self && (w <= v || rslSide_AreJoined(search->other, v, w))))
    {
        Append(search, v, w, distance);
    }
}

// How far two edges are at least: as far as their boxes and, unless these are nearly parallel, as their lines.
//
//   |r.n| / |n|,  n = d x e
//
// The rounding of it is that of n and r, some 1e-16 |r| / sin, the sine of the angle between them.
static double LeastApart(const rslVec3 x[4], double boxes)
{
    rslVec3 d = rslSub(x[1], x[0]), e = rslSub(x[3], x[2]), r = rslSub(x[2], x[0]), n = rslCross(d, e);
    double nn = rslDot(n, n);
    if (!(nn > 1e-6 * rslDot(d, d) * rslDot(e, e)))
    {
        return boxes;
    }
    return rslMost(boxes, fabs(rslDot(r, n)) / sqrt(nn) - 1e-9 * rslLength(r));
}

// And edges.
static void TryEdge(const Search* search, int e, int f, double squared)
{
    const int *mine = search->own->skin->edges + 2 * (size_t)e, *edge = search->other->skin->edges + 2 * (size_t)f;
    bool meet = mine[0] == edge[0] || mine[0] == edge[1] || mine[1] == edge[0] || mine[1] == edge[1];
    if (search->self && (f <= e || meet))
    {
        return;
    }
    rslVec3 x[4];
    for (int k = 0; k < 2; ++k)
    {
        x[k] = rslVec3_Of(Reference(search->c, search->own, mine[k]));
        x[k + 2] = rslVec3_Of(Reference(search->c, search->other, edge[k]));
    }
    float distance = Rounded(LeastApart(x, sqrt(squared)));
    const int all[4] = { mine[0], mine[1], edge[0], edge[1] };
    if ((double)distance <= search->within &&
        !(search->self && rslSide_AreNeighbours(search->other, rsl_edgeEdge, all)))
    {
        Append(search, e, f, distance);
    }
}

static void MeetLeaf(const rslMeshBox* box, void* context)
{
    const Search* search = context;
    bool spheres = search->other->skin->radius != NULL;
    void (*try)(const Search*, int, int, double) = search->edges ? TryEdge : spheres ? TrySphere : TryTriangle;
    double limit = search->within * search->within * (1.0 + 1e-9);
    if (ApartSquared(&search->leaf.all, box->lower, box->upper) > limit)
    {
        return;
    }
    Leaf leaf;
    (search->edges ? HoldEdges : spheres ? HoldVertices : HoldTriangles)(search->c, search->other, box, &leaf);
    for (int k = 0; k < leaf.count; ++k)
    {
        const Held* other = &leaf.held[k];
        bool near = ApartSquared(&search->leaf.all, other->lower, other->upper) <= limit;
        for (int i = 0; near && i < search->leaf.count; ++i)
        {
            const Held* own = &search->leaf.held[i];
            double squared = ApartSquared(own, other->lower, other->upper);
            if (squared <= limit)
            {
                try(search, own->feature, other->feature, squared);
            }
        }
    }
}

static void Grow(rslMeshBox* box, double within)
{
    for (int i = 0; i < 3; ++i)
    {
        box->lower[i] -= within;
        box->upper[i] += within;
    }
}

static void LookFromLeaf(const rslMeshBox* box, void* context)
{
    Search* search = context;
    Leaf* leaf = &search->leaf;
    (search->edges ? HoldEdges : HoldVertices)(search->c, search->own, box, leaf);
    if (leaf->count == 0)
    {
        return;
    }
    leaf->all = leaf->held[0];
    for (int k = 1; k < leaf->count; ++k)
    {
        Include(&leaf->all, leaf->held[k].lower);
        Include(&leaf->all, leaf->held[k].upper);
    }
    rslMeshBox around = { 0 };
    memcpy(around.lower, leaf->all.lower, sizeof around.lower);
    memcpy(around.upper, leaf->all.upper, sizeof around.upper);
    Grow(&around, search->within);
    rslMeshBox_WalkLeaves(search->other->boxes, &around, MeetLeaf, search);
}

// ---- order ----------------------------------------------------------------------------------------------------------

enum
{
    DIGITS = 256,  // that are sorted by at once
    FEW = 40       // that are not worth it
};

// By a digit of the first feature; equal ones stay in their order.
static void SortByDigit(const rslNearItem* from, rslNearItem* to, int count, int shift)
{
    int start[DIGITS + 1] = { 0 };
    for (int i = 0; i < count; ++i)
    {
        ++start[(from[i].own >> shift) % DIGITS + 1];
    }
    for (int d = 0; d < DIGITS; ++d)
    {
        start[d + 1] += start[d];
    }
    for (int i = 0; i < count; ++i)
    {
        to[start[(from[i].own >> shift) % DIGITS]++] = from[i];
    }
}

static bool IsBefore(const rslNearItem* a, const rslNearItem* b)
{
    return a->own < b->own || (a->own == b->own && a->other < b->other);
}

// By the first feature, and the few of each by the second.
static void Sort(rslNearList* list, int features)
{
    rslNearItem *items = list->items, *other = items + list->capacity;
    for (int shift = 0; list->count > FEW && shift < 32 && features >> shift > 0; shift += 16)
    {
        SortByDigit(items, other, list->count, shift);
        SortByDigit(other, items, list->count, shift + 8);
    }
    for (int i = 1; i < list->count; ++i)
    {
        rslNearItem item = items[i];
        int k = i;
        for (; k > 0 && IsBefore(&item, &items[k - 1]); --k)
        {
            items[k] = items[k - 1];
        }
        items[k] = item;
    }
}

static void ListAll(Search* search)
{
    rslMeshBox around = search->other->boxes[0];
    Grow(&around, search->within);
    search->list->count = 0;
    rslMeshBox_WalkLeaves(search->own->boxes, &around, LookFromLeaf, search);
    if (search->list->count <= search->list->capacity)
    {
        Sort(search->list, search->edges ? search->own->skin->edgeCount : search->own->skin->vertexCount);
    }
}

void rslSidePair_ListVertices(const rslCollide* c, rslSidePair* pair, int which)
{
    const rslSide *own = &c->sides[pair->sides[which]], *other = &c->sides[pair->sides[1 - which]];
    Search search = { .c = c, .own = own, .other = other, .list = &pair->vertices[which], .self = own == other };
    const rslListAge* age = &pair->ages[RSL_VERTEX_LISTS];
    search.within = rslMost(age->within, rslSidePair_Deep(c, pair)) + age->margin;
    ListAll(&search);
}

void rslSidePair_ListEdges(const rslCollide* c, rslSidePair* pair)
{
    const rslSide *own = &c->sides[pair->sides[0]], *other = &c->sides[pair->sides[1]];
    Search search = { .c = c, .own = own, .other = other, .list = &pair->edges, .self = own == other, .edges = true };
    search.within = pair->ages[RSL_EDGE_LISTS].within + pair->ages[RSL_EDGE_LISTS].margin;
    ListAll(&search);
}
