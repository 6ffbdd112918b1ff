// SPDX-License-Identifier: MIT
//
// collide_edge.c: what edges touch of edges.
//
// Two edges touch where both are nearest inside of them and the normal, their cross product, looks out of both: all four triangles
// beside them stay on their own side, nearly. Edges in flat faces are left to vertices, and so are parallel ones.

#include "collide_internal.h"

#define PARALLEL 0.02  // sine of the angle between edges
#define FLAT 0.9848    // cosine of that between the triangles of an edge, of sheets
#define WING 0.05      // sine by which a triangle beside an edge may stick out
#define FOLD 0.7      // and in folds of one body, where vertices are far apart and edges cross before any of them is in
#define CROSSED 0.02  // of a cell: edges that have crossed by no more are still on their side

// The triangles beside an edge: which way they lead from it, and their normals.
typedef struct Beside
{
    int count;
    rslVec3 wing[2], normal[2];
} Beside;

static Beside LookBeside(const rslCollide* c, const rslSide* side, int e)
{
    const int *edge = side->skin->edges + 2 * (size_t)e, *triangles = side->skin->edgeTriangles + 2 * (size_t)e;
    rslVec3 a = rslSide_Vertex(c, side, edge[0]), along = rslNormalize(rslSub(rslSide_Vertex(c, side, edge[1]), a));
    Beside beside = { 0 };
    for (int k = 0; k < 2 && triangles[k] >= 0; ++k)
    {
        const int* t = rslSide_Triangle(side, triangles[k]);
        int opposite = t[0] != edge[0] && t[0] != edge[1] ? t[0] : t[1] != edge[0] && t[1] != edge[1] ? t[1] : t[2];
        rslVec3 d = rslSub(rslSide_Vertex(c, side, opposite), a);
        beside.wing[beside.count] = rslNormalize(rslMulAdd(d, -rslDot(d, along), along));
        beside.normal[beside.count++] = rslNormalize(rslSide_AreaVector(c, side, triangles[k]));
    }
    return beside;
}

// Does what is beside the edge stay behind a plane with the normal n, and is it no flat part of a sheet?
static bool StaysBehind(const rslSide* side, const Beside* beside, rslVec3 n, double most)
{
    for (int k = 0; k < beside->count; ++k)
    {
        if (rslDot(beside->wing[k], n) > most)
        {
            return false;
        }
    }
    return side->skin->closed || beside->count < 2 || -rslDot(beside->wing[0], beside->wing[1]) < FLAT;
}

typedef struct EdgePair
{
    const rslSidePair* pair;
    const rslSide *own, *other;
    int edge, otherEdge;
    rslVec3 x[4];
    rslNear near;
    double thick;
} EdgePair;

static void KeepEdges(const rslCollide* c, rslWork* work, const EdgePair* edges, rslVec3 n, double gap)
{
    rslMix mix = { 0 };
    const int* a = edges->own->skin->edges + 2 * (size_t)edges->edge;
    const int* b = edges->other->skin->edges + 2 * (size_t)edges->otherEdge;
    const double* w = edges->near.weight;
    rslMix_Add(&mix, edges->own, a[0], w[0]);
    rslMix_Add(&mix, edges->own, a[1], w[1]);
    rslMix_Add(&mix, edges->other, b[0], w[2]);
    rslMix_Add(&mix, edges->other, b[1], w[3]);
    rslCollision touch = {
        .key = { (uint32_t)edges->own->body, RSL_KEY_EDGE + (uint32_t)edges->edge, (uint32_t)edges->other->body,
                 RSL_KEY_EDGE + (uint32_t)edges->otherEdge },
        .normal = n,
        .point = rslAdd(rslScale(w[0], edges->x[0]), rslScale(w[1], edges->x[1])),
        .gap = gap,
        .friction = edges->pair->rules.friction,
        .restitution = edges->pair->rules.restitution,
    };
    rslWork_Keep(c, work, &mix, touch, rslSide_Farthest(edges->own, edges->other));
}

static void MeetEdges(const rslCollide* c, rslWork* work, const EdgePair* edges)
{
    rslVec3 d = rslSub(edges->x[1], edges->x[0]), e = rslSub(edges->x[3], edges->x[2]), n = rslCross(d, e);
    if (edges->near.parts != 15 || rslLength(n) <= PARALLEL * rslLength(d) * rslLength(e))
    {
        return;
    }
    n = rslNormalize(n);
    Beside a = LookBeside(c, edges->own, edges->edge), b = LookBeside(c, edges->other, edges->otherEdge);
    double apart = rslDot(n, edges->near.apart), turn = apart < 0.0 ? -1.0 : 1.0;
    bool closed = edges->own->skin->closed || edges->other->skin->closed;
    if (closed)
    {
        // out of what is closed, wherever the edges are
        const Beside* by = edges->other->skin->closed ? &b : &a;
        turn = rslDot(n, rslAdd(by->normal[0], by->normal[1])) < 0.0 ? -1.0 : 1.0;
        turn = edges->other->skin->closed ? turn : -turn;
    }
    n = rslScale(turn, n);
    bool self = edges->own == edges->other;
    double gap = turn * apart - edges->thick;
    double deep = 0.5 * rslSide_Deep(closed && edges->other->skin->closed ? edges->other : edges->own, self);
    double wing = self && turn * apart > -CROSSED * edges->own->size ? FOLD : WING;
    if (turn * apart >= -deep && StaysBehind(edges->other, &b, n, wing) &&
        StaysBehind(edges->own, &a, rslScale(-1.0, n), wing))
    {
        KeepEdges(c, work, edges, n, gap);
    }
}

static void MeetEdgesWholly(const rslCollide* c, rslWork* work, const EdgePair* edges)
{
    double distance = sqrt(edges->near.squared);
    rslVec3 n = rslScale(distance > 0.0 ? 1.0 / distance : 0.0, edges->near.apart);
    if (distance <= 1e-9 * edges->other->size)
    {
        // faces that lie on each other: out of the second
        Beside b = LookBeside(c, edges->other, edges->otherEdge);
        n = rslNormalize(rslCross(rslSub(edges->x[1], edges->x[0]), rslSub(edges->x[3], edges->x[2])));
        n = rslDot(n, rslAdd(b.normal[0], b.normal[1])) < 0.0 ? rslScale(-1.0, n) : n;
    }
    KeepEdges(c, work, edges, n, distance - edges->thick);
}

// Can two edges be nearest within both, and as near? What rslPair_Nearest finds is found by the same arithmetic.
static bool MayCross(const rslVec3 x[4], double most)
{
    rslVec3 d = rslSub(x[1], x[0]), e = rslSub(x[3], x[2]), r = rslSub(x[0], x[2]), n = rslCross(d, e);
    double D = rslDot(n, n), along = rslDot(n, r);
    if (!(D > 0.0) || along * along > 1.0001 * most * most * D)
    {
        return false;
    }
    double d2 = rslDot(d, d), e2 = rslDot(e, e), b = rslDot(d, e), c = rslDot(d, r), f = rslDot(e, r);
    double s = b * f - c * e2, t = d2 * f - b * c;
    return s > 0.0 && s / D < 1.0 && t > 0.0 && t / D < 1.0;
}

void rslWork_MeetEdges(const rslCollide* c, rslWork* work, const rslSidePair* pair)
{
    const rslNearList* list = &pair->edges;
    EdgePair edges = { .pair = pair, .own = &c->sides[pair->sides[0]], .other = &c->sides[pair->sides[1]] };
    const rslSkin *a = edges.own->skin, *b = edges.other->skin;
    edges.thick =
        rslSide_Thick(edges.own, -1, &pair->rules, true) + rslSide_Thick(edges.other, -1, &pair->rules, false);
    double farthest = rslSidePair_Farthest(c, pair) + edges.thick;
    bool self = edges.own == edges.other, whole = c->look.whole;
    double deep = 0.5 * rslMost(rslSide_Deep(edges.own, self), rslSide_Deep(edges.other, self));
    double most = rslMost(farthest, whole ? 0.0 : deep), moved = rslSidePair_Moved(c, pair, RSL_EDGE_LISTS);
    for (int i = rslNearList_First(list, work->begin); i < list->count && list->items[i].own < work->end; ++i)
    {
        if ((double)list->items[i].distance - moved > most)
        {
            continue;
        }
        edges.edge = list->items[i].own;
        edges.otherEdge = list->items[i].other;
        const int *e = a->edges + 2 * (size_t)edges.edge, *f = b->edges + 2 * (size_t)edges.otherEdge;
        for (int k = 0; k < 2; ++k)
        {
            edges.x[k] = rslSide_Vertex(c, edges.own, e[k]);
            edges.x[k + 2] = rslSide_Vertex(c, edges.other, f[k]);
        }
        if (!whole && !(MayCross(edges.x, most) && rslSide_IsSharp(c, edges.own, edges.edge) &&
                        rslSide_IsSharp(c, edges.other, edges.otherEdge)))
        {
            continue;
        }
        edges.near = rslPair_Nearest(rsl_edgeEdge, edges.x);
        if (edges.near.squared <= most * most)
        {
            (whole ? MeetEdgesWholly : MeetEdges)(c, work, &edges);
        }
    }
}
