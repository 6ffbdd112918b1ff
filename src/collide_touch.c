// SPDX-License-Identifier: MIT
//
// collide_touch.c: what touches of some features of a side, exactly, whatever lists of near ones there are.
//
// Of a vertex and the triangles of another side, the nearest ones say on which side of a closed surface it is: that which looks
// most straight at it. Triangles whose inside or outside does not fit, and those that the vertex is not turned to (n.N_vertex >= -0.3,
// which snag on what slides by), are left out; of the others the nearest counts, the lowest of equals, and further ones only where
// the vertex is over their inside and they look another way: the two walls of a corner.
//
// Two edges touch where both are nearest inside of them and the normal, their cross product, looks out of both: all four triangles
// beside them stay on their own side. Edges in flat faces are left to vertices, and so are parallel ones.
//
// Kept is what can close in the step:  g <= reach + min(h max(0, -u_n), size) + h^2 sum |w_i||n.a_i|.

#include "collide_internal.h"

#include "contact_gap.h"

#include <string.h>

enum
{
    PLACES = 4,  // of a vertex at one other body
};

#define PARALLEL 0.02  // sine of the angle between edges
#define FLAT 0.9848    // cosine of that between the triangles of an edge, of sheets
#define WING 0.05      // sine by which a triangle beside an edge may stick out
#define OTHER_WAY 0.9  // cosine between the walls of a corner

// ---- collisions -----------------------------------------------------------------------------------------------------

// Can the gap close in the step?
static bool Closes(const rslCollide* c, const rslMix* mix, const rslCollision* touch, double farthest)
{
    const rslLook* look = &c->look;
    rslVec3 u = rslScale(-1.0, touch->velocity);
    double push = 0.0, h = look->step;
    for (int i = 0; i < mix->count; ++i)
    {
        size_t node = 3 * (size_t)mix->nodes[i];
        u = look->v != NULL ? rslMulAdd(u, mix->weights[i], rslVec3_Of(look->v + node)) : u;
        push += look->a != NULL ? fabs(mix->weights[i]) * fabs(rslDot(touch->normal, rslVec3_Of(look->a + node))) : 0.0;
    }
    double towards = -h * rslDot(touch->normal, u);
    towards = towards > 0.0 ? towards < farthest ? towards : farthest : 0.0;
    return touch->gap <= look->reach + towards + h * h * push;
}

static void Keep(const rslCollide* c, rslWork* work, const rslMix* mix, rslCollision touch, double farthest)
{
    if (Closes(c, mix, &touch, farthest))
    {
        rslWork_Append(work, mix, touch);
    }
}

static uint32_t BodyKey(const rslSide* side)
{
    return (uint32_t)side->body;
}

// ---- normals --------------------------------------------------------------------------------------------------------

rslVec3 rslSide_AreaVector(const rslCollide* c, const rslSide* side, int t)
{
    const int* corner = rslSide_Triangle(side, t);
    rslVec3 a = rslSide_Vertex(c, side, corner[0]);
    return rslCross(rslSub(rslSide_Vertex(c, side, corner[1]), a), rslSub(rslSide_Vertex(c, side, corner[2]), a));
}

// N, weighted by area.
static rslVec3 VertexNormal(const rslCollide* c, const rslSide* side, int v)
{
    rslVec3 sum = { 0 };
    for (int i = side->corners.start[v]; i < side->corners.start[v + 1]; ++i)
    {
        sum = rslAdd(sum, rslSide_AreaVector(c, side, side->corners.items[i] / 3));
    }
    return rslNormalize(sum);
}

// Is a place with the outer normal N turned to what pushes along n? Sheets have two sides, spheres no normal.
static bool IsFacing(const rslSide* side, rslVec3 n, rslVec3 N)
{
    double along = rslDot(n, N);
    return side->skin->radius != NULL || (side->skin->closed ? along < -RSL_FACING : fabs(along) > RSL_FACING);
}

// ---- a vertex and triangles -----------------------------------------------------------------------------------------

typedef struct Tried
{
    int triangle;
    rslGap gap;
    rslVec3 normal;  // of the triangle
} Tried;

typedef struct Place
{
    int triangle;
    double distance, gap;
    double share[3];
    rslVec3 normal;
    bool inside;
} Place;

typedef struct VertexSearch
{
    const rslCollide* c;
    const rslSide *own, *other;
    const rslSidePair* pair;
    int vertex;
    rslVec3 x, N;     // N: the outer normal of the vertex, once it is needed
    bool turned;      // it is known
    double thick;     // what both are, here
    double moved;     // at most, since the references
    double farthest;  // gaps beyond this do not close
    bool self;
    double side;  // 1: outside of a closed surface
    Place places[PLACES];
    int placeCount;
} VertexSearch;

static rslVec3 OwnNormal(VertexSearch* search)
{
    if (!search->turned)
    {
        bool spheres = search->own->skin->radius != NULL;
        search->N = spheres ? (rslVec3){ 0 } : VertexNormal(search->c, search->own, search->vertex);
        search->turned = true;
    }
    return search->N;
}

static Tried Try(const VertexSearch* search, int t)
{
    const int* corner = rslSide_Triangle(search->other, t);
    rslVec3 x[4] = { search->x };
    for (int i = 0; i < 3; ++i)
    {
        x[i + 1] = rslSide_Vertex(search->c, search->other, corner[i]);
    }
    rslVec3 n = rslCross(rslSub(x[2], x[1]), rslSub(x[3], x[1]));
    return (Tried){ t, rslGap_Find(x), rslNormalize(n) };
}

static rslMix MixOf(const VertexSearch* search, int triangle, const double share[3])
{
    rslMix mix = { 0 };
    const int* corner = rslSide_Triangle(search->other, triangle);
    rslMix_Add(&mix, search->own, search->vertex, 1.0);
    for (int i = 0; i < 3; ++i)
    {
        rslMix_Add(&mix, search->other, corner[i], -share[i]);
    }
    return mix;
}

// Will the vertex, which is beside an edge of a triangle of a closed surface, be over the inside of it at the end of the step? Then it
// slides past the edge, and what it meets is the triangle: along the line to the edge it would be stopped.
static bool SlidesOver(const VertexSearch* search, const Tried* tried)
{
    const rslLook* look = &search->c->look;
    int corners = tried->gap.corners;
    bool edge = corners == 3 || corners == 5 || corners == 6;
    if (!edge || look->v == NULL || look->whole || !search->other->skin->closed || search->side < 0.0)
    {
        return false;
    }
    const int* corner = rslSide_Triangle(search->other, tried->triangle);
    int first = corners == 6 ? 1 : 0, second = corners == 3 ? 1 : 2, third = 3 - first - second;
    rslVec3 a = rslSide_Vertex(search->c, search->other, corner[first]);
    rslVec3 along = rslNormalize(rslSub(rslSide_Vertex(search->c, search->other, corner[second]), a));
    rslVec3 in = rslSub(rslSide_Vertex(search->c, search->other, corner[third]), a);
    in = rslMulAdd(in, -rslDot(in, along), along);
    rslMix mix = MixOf(search, tried->triangle, tried->gap.share);
    rslVec3 end = tried->gap.apart;
    for (int i = 0; i < mix.count; ++i)
    {
        end = rslMulAdd(end, look->step * mix.weights[i], rslVec3_Of(look->v + 3 * (size_t)mix.nodes[i]));
    }
    return rslDot(in, end) > 0.0;
}

// Along which a triangle pushes: its normal over its inside, and where the distance is rounding.
static rslVec3 NormalOf(VertexSearch* search, const Tried* tried, double side)
{
    double distance = sqrt(tried->gap.squared);
    bool over = tried->gap.corners == 7 || distance <= 1e-9 * search->other->size;
    if (search->other->skin->closed && over && !search->c->look.whole)
    {
        return tried->normal;
    }
    if (distance > 0.0)
    {
        return rslScale(side / distance, tried->gap.apart);
    }
    return rslDot(tried->normal, OwnNormal(search)) > 0.0 ? rslScale(-1.0, tried->normal) : tried->normal;
}

// On which side of a sheet a vertex of a closed surface belongs, its own normal tells.
static double SideOfSheet(VertexSearch* search, const Tried* tried)
{
    double distance = sqrt(tried->gap.squared), along = rslDot(OwnNormal(search), tried->gap.apart);
    bool through = search->own->skin->closed && along > 0.5 * distance && distance < rslSide_Deep(search->own, false);
    return through && !search->self ? -1.0 : 1.0;
}

// The nearer one first; of two that are as near, but for rounding, the one over its inside; then by triangle.
static bool Before(const Place* a, const Place* b)
{
    double apart = a->distance - b->distance;
    if (a->inside != b->inside && fabs(apart) <= 1e-9 * b->distance)
    {
        return a->inside;
    }
    return apart < 0.0 || (apart == 0.0 && a->triangle < b->triangle);
}

static void AddPlace(VertexSearch* search, const Place* place)
{
    int at = search->placeCount < PLACES ? search->placeCount++ : PLACES;
    while (at > 0 && Before(place, &search->places[at - 1]))
    {
        if (at < PLACES)
        {
            search->places[at] = search->places[at - 1];
        }
        --at;
    }
    if (at < PLACES)
    {
        search->places[at] = *place;
    }
}

// What a triangle means for the vertex, if anything.
static void Judge(VertexSearch* search, const Tried* tried)
{
    const rslSkin* skin = search->other->skin;
    double distance = sqrt(tried->gap.squared);
    bool closed = skin->closed;
    double side = closed ? search->side : SideOfSheet(search, tried);
    bool deep = side < 0.0 && distance > rslSide_Deep(closed ? search->other : search->own, search->self);
    if (deep || side * distance - search->thick > search->farthest)
    {
        return;
    }
    bool over = SlidesOver(search, tried);
    double along = rslDot(tried->gap.apart, tried->normal), gap = (over ? along : side * distance) - search->thick;
    // what slides over a triangle may stand a little proud of it
    bool fits = !closed || side * along >= (over ? -0.5 : -1e-9) * distance;
    rslVec3 n = over ? tried->normal : NormalOf(search, tried, side);
    if (!fits || !IsFacing(search->own, n, OwnNormal(search)))
    {
        return;
    }
    Place place = { tried->triangle, distance, gap, { 0 }, n, over || tried->gap.corners == 7 };
    memcpy(place.share, tried->gap.share, sizeof place.share);
    AddPlace(search, &place);
}

static void KeepPlace(const VertexSearch* search, rslWork* work, const Place* place)
{
    rslMix mix = MixOf(search, place->triangle, place->share);
    rslCollision touch = {
        .key = { BodyKey(search->own), RSL_KEY_VERTEX + (uint32_t)search->vertex, BodyKey(search->other),
                 RSL_KEY_TRIANGLE + (uint32_t)place->triangle },
        .normal = place->normal,
        .point = search->x,
        .gap = place->gap,
        .friction = search->pair->rules.friction,
        .restitution = search->pair->rules.restitution,
    };
    Keep(search->c, work, &mix, touch, rslSide_Farthest(search->own, search->other));
}

// Could a feature that was so far be as near now?
static bool MayBeWithin(const VertexSearch* search, const rslNearItem* item, double distance)
{
    return (double)item->distance - search->moved <= distance;
}

// Height of the vertex over the plane of a triangle, times twice its area; and the square of that.
static double HeightOver(const VertexSearch* search, int t, double* square)
{
    const int* corner = rslSide_Triangle(search->other, t);
    rslVec3 a = rslSide_Vertex(search->c, search->other, corner[0]);
    rslVec3 n = rslCross(rslSub(rslSide_Vertex(search->c, search->other, corner[1]), a),
                         rslSub(rslSide_Vertex(search->c, search->other, corner[2]), a));
    *square = rslDot(n, n);
    return rslDot(n, rslSub(search->x, a));
}

// On which side of a closed surface: the nearest triangles say. It is outside where it is over all that could be that.
static double FindSide(const VertexSearch* search, const rslNearItem* near, int count, double least)
{
    rslSideVote vote = { INFINITY, 0.0, 1.0 };
    bool over = true;
    double square, within = least + 1e-5 * search->other->size;
    for (int i = 0; over && i < count; ++i)
    {
        over = !MayBeWithin(search, &near[i], within) || HeightOver(search, near[i].other, &square) > 0.0;
    }
    for (int i = 0; !over && i < count; ++i)
    {
        if (MayBeWithin(search, &near[i], within))
        {
            Tried one = Try(search, near[i].other);
            rslSideVote_Add(&vote, one.gap.squared, rslDot(one.normal, one.gap.apart));
        }
    }
    return vote.side;
}

// All triangles of a list that belong to one vertex.
static void MeetTriangles(VertexSearch* search, rslWork* work, const rslNearItem* near, int count)
{
    bool closed = search->other->skin->closed;
    double least = INFINITY;  // how far the nearest is at most
    for (int i = 0; i < count; ++i)
    {
        double distance = (double)near[i].distance * (1.0 + 1e-5) + search->moved;
        least = distance < least ? distance : least;
    }
    double outside = search->farthest + search->thick;
    search->placeCount = 0;
    search->side = closed ? FindSide(search, near, count, least) : 1.0;
    double deep =
        rslMost(outside, closed ? rslSide_Deep(search->other, search->self) : rslSide_Deep(search->own, false));
    double limit = closed && search->side > 0.0 ? outside : deep;
    for (int i = 0; i < count; ++i)
    {
        if (!MayBeWithin(search, &near[i], limit))
        {
            continue;
        }
        double square, height = HeightOver(search, near[i].other, &square);
        // no point of a triangle is nearer than its plane
        if (height * height <= 1.0001 * limit * limit * square)
        {
            Tried one = Try(search, near[i].other);
            Judge(search, &one);
        }
    }
    for (int i = 0; i < search->placeCount; ++i)
    {
        const Place* place = &search->places[i];
        bool separate = i == 0 || place->inside;
        for (int k = 0; k < i; ++k)
        {
            separate = separate && rslDot(place->normal, search->places[k].normal) < OTHER_WAY;
        }
        if (separate)
        {
            KeepPlace(search, work, place);
        }
    }
}

// Every triangle with its least distance.
static void MeetWholly(VertexSearch* search, rslWork* work, const rslNearItem* near, int count)
{
    for (int i = 0; i < count; ++i)
    {
        if (!MayBeWithin(search, &near[i], search->farthest + search->thick))
        {
            continue;
        }
        Tried one = Try(search, near[i].other);
        double distance = sqrt(one.gap.squared);
        if (distance - search->thick <= search->farthest)
        {
            Place place = {
                one.triangle, distance, distance - search->thick, { 0 }, NormalOf(search, &one, 1.0), true
            };
            memcpy(place.share, one.gap.share, sizeof place.share);
            KeepPlace(search, work, &place);
        }
    }
}

static void MeetSpheres(const VertexSearch* search, rslWork* work, const rslNearItem* near, int count)
{
    for (int i = 0; i < count; ++i)
    {
        int w = near[i].other;
        double thick = search->thick + search->other->skin->radius[w];
        if (!MayBeWithin(search, &near[i], search->farthest + thick))
        {
            continue;
        }
        rslVec3 apart = rslSub(search->x, rslSide_Vertex(search->c, search->other, w));
        double distance = rslLength(apart);
        rslMix mix = { 0 };
        rslMix_Add(&mix, search->own, search->vertex, 1.0);
        rslMix_Add(&mix, search->other, w, -1.0);
        rslVec3 n = distance > 0.0 ? rslScale(1.0 / distance, apart) : (rslVec3){ 0.0, 1.0, 0.0 };
        rslCollision touch = {
            .key = { BodyKey(search->own), RSL_KEY_VERTEX + (uint32_t)search->vertex, BodyKey(search->other),
                     RSL_KEY_VERTEX + (uint32_t)w },
            .normal = n,
            .point = rslMulAdd(search->x, -search->own->skin->radius[search->vertex], n),
            .gap = distance - thick,
            .friction = search->pair->rules.friction,
            .restitution = search->pair->rules.restitution,
        };
        Keep(search->c, work, &mix, touch, rslSide_Farthest(search->own, search->other));
    }
}

static int FirstOf(const rslNearList* list, int feature)
{
    int low = 0, high = list->count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        bool before = list->items[middle].own < feature;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

static void MeetSide(const rslCollide* c, rslWork* work, const rslSidePair* pair, int which)
{
    const rslNearList* list = &pair->vertices[which];
    const rslSide *own = &c->sides[pair->sides[which]], *other = &c->sides[pair->sides[1 - which]];
    VertexSearch search = { .c = c, .own = own, .other = other, .pair = pair, .self = own == other };
    search.farthest = rslSidePair_Farthest(c, pair);
    search.moved = rslSidePair_Moved(c, pair);
    for (int i = FirstOf(list, work->begin), end; i < list->count && list->items[i].own < work->end; i = end)
    {
        int v = list->items[i].own;
        for (end = i; end < list->count && list->items[end].own == v; ++end)
        {
        }
        search.vertex = v;
        search.x = rslSide_Vertex(c, own, v);
        search.thick = rslSide_Thick(own, v, &pair->rules, true) + rslSide_Thick(other, -1, &pair->rules, false);
        search.turned = false;
        if (other->skin->radius != NULL)
        {
            MeetSpheres(&search, work, list->items + i, end - i);
            continue;
        }
        (c->look.whole ? MeetWholly : MeetTriangles)(&search, work, list->items + i, end - i);
    }
}

// ---- two edges ------------------------------------------------------------------------------------------------------

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
static bool StaysBehind(const rslSide* side, const Beside* beside, rslVec3 n)
{
    for (int k = 0; k < beside->count; ++k)
    {
        if (rslDot(beside->wing[k], n) > WING)
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
        .key = { BodyKey(edges->own), RSL_KEY_EDGE + (uint32_t)edges->edge, BodyKey(edges->other),
                 RSL_KEY_EDGE + (uint32_t)edges->otherEdge },
        .normal = n,
        .point = rslAdd(rslScale(w[0], edges->x[0]), rslScale(w[1], edges->x[1])),
        .gap = gap,
        .friction = edges->pair->rules.friction,
        .restitution = edges->pair->rules.restitution,
    };
    Keep(c, work, &mix, touch, rslSide_Farthest(edges->own, edges->other));
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
    double gap = turn * apart - edges->thick;
    double deep = 0.5 * rslSide_Deep(closed && edges->other->skin->closed ? edges->other : edges->own,
                                     edges->own == edges->other);
    if (turn * apart >= -deep && StaysBehind(edges->other, &b, n) && StaysBehind(edges->own, &a, rslScale(-1.0, n)))
    {
        KeepEdges(c, work, edges, n, gap);
    }
}

static void MeetEdgesWholly(const rslCollide* c, rslWork* work, const EdgePair* edges)
{
    double distance = sqrt(edges->near.squared);
    rslVec3 n = distance > 0.0
                    ? rslScale(1.0 / distance, edges->near.apart)
                    : rslNormalize(rslCross(rslSub(edges->x[1], edges->x[0]), rslSub(edges->x[3], edges->x[2])));
    KeepEdges(c, work, edges, n, distance - edges->thick);
}

static void MeetPair(const rslCollide* c, rslWork* work, const rslSidePair* pair)
{
    const rslNearList* list = &pair->edges;
    EdgePair edges = { .pair = pair, .own = &c->sides[pair->sides[0]], .other = &c->sides[pair->sides[1]] };
    const rslSkin *a = edges.own->skin, *b = edges.other->skin;
    edges.thick =
        rslSide_Thick(edges.own, -1, &pair->rules, true) + rslSide_Thick(edges.other, -1, &pair->rules, false);
    double farthest = rslSidePair_Farthest(c, pair) + edges.thick;
    double deep = rslMost(rslSide_Deep(edges.own, false), rslSide_Deep(edges.other, false));
    double most = rslMost(farthest, c->look.whole ? 0.0 : deep), moved = rslSidePair_Moved(c, pair);
    for (int i = FirstOf(list, work->begin); i < list->count && list->items[i].own < work->end; ++i)
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
        edges.near = rslPair_Nearest(rsl_edgeEdge, edges.x);
        if (edges.near.squared <= most * most)
        {
            (c->look.whole ? MeetEdgesWholly : MeetEdges)(c, work, &edges);
        }
    }
}

// ---- colliders ------------------------------------------------------------------------------------------------------

typedef struct ColliderSearch
{
    const rslCollide* c;
    const rslSide* side;
    rslWork* work;
    int collider;
    int feature;
    int corners[3], count;
    rslVec3 x[3];
    double thick;
} ColliderSearch;

// The outer normal of what is asked about.
static rslVec3 OuterNormal(const ColliderSearch* search)
{
    const rslSide* side = search->side;
    rslVec3 N = { 0 };
    if (search->work->kind == rsl_vertexWork)
    {
        return side->skin->radius == NULL ? VertexNormal(search->c, side, search->feature) : N;
    }
    if (search->work->kind == rsl_triangleWork)
    {
        return rslNormalize(rslSide_AreaVector(search->c, side, search->feature));
    }
    for (int k = 0; k < 2; ++k)
    {
        int t = side->skin->edgeTriangles[2 * (size_t)search->feature + (size_t)k];
        N = t >= 0 ? rslAdd(N, rslNormalize(rslSide_AreaVector(search->c, side, t))) : N;
    }
    return rslNormalize(N);
}

static void MeetCollider(const rslPlacedTouch* found, void* context)
{
    ColliderSearch* search = context;
    const rslCollide* c = search->c;
    const rslCollider* collider = &c->model->colliders[search->collider];
    bool plane = collider->type == rsl_planeCollider;
    if (!plane && !c->look.whole && !IsFacing(search->side, found->normal, OuterNormal(search)))
    {
        return;
    }
    rslMix mix = { 0 };
    rslVec3 point = { 0 };
    for (int i = 0; i < search->count; ++i)
    {
        rslMix_Add(&mix, search->side, search->corners[i], found->weights[i]);
        point = rslMulAdd(point, found->weights[i], search->x[i]);
    }
    static const uint32_t kinds[] = { RSL_KEY_VERTEX, RSL_KEY_EDGE, RSL_KEY_TRIANGLE };
    rslCollision touch = {
        .key = { BodyKey(search->side), kinds[search->work->kind] + (uint32_t)search->feature,
                 RSL_KEY_COLLIDER | (uint32_t)search->collider, (uint32_t)found->feature },
        .normal = found->normal,
        .point = rslMulAdd(point, -search->thick, found->normal),
        .gap = found->gap - search->thick,
        .friction = rslCollide_Rules(c, search->side, search->collider)->friction,
        .restitution = rslCollide_Rules(c, search->side, search->collider)->restitution,
    };
    if (collider->moves && !c->look.still)
    {
        touch.velocity = rslCollider_Velocity(collider, c->look.time, c->look.step, point);
    }
    Keep(c, search->work, &mix, touch, search->side->size);
}

static void SetCorners(ColliderSearch* search)
{
    const rslSkin* skin = search->side->skin;
    int f = search->feature;
    switch (search->work->kind)
    {
        case rsl_vertexWork: search->corners[0] = f; break;
        case rsl_edgeWork: memcpy(search->corners, skin->edges + 2 * (size_t)f, 2 * sizeof(int)); break;
        default: memcpy(search->corners, rslSide_Triangle(search->side, f), 3 * sizeof(int)); break;
    }
    for (int i = 0; i < search->count; ++i)
    {
        search->x[i] = rslSide_Vertex(search->c, search->side, search->corners[i]);
    }
    search->thick = rslSide_Half(search->side, search->count == 1 ? f : -1,
                                 rslCollide_Rules(search->c, search->side, search->collider));
}

static bool IsNear(const ColliderSearch* search, const rslBounds* bounds, double reach)
{
    const double lower[3] = { bounds->lower.x, bounds->lower.y, bounds->lower.z };
    const double upper[3] = { bounds->upper.x, bounds->upper.y, bounds->upper.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < search->count; ++i)
        {
            double x = axis == 0 ? search->x[i].x : axis == 1 ? search->x[i].y : search->x[i].z;
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (low - reach > upper[axis] || high + reach < lower[axis])
        {
            return false;
        }
    }
    return true;
}

// From which gap on a collider is of interest to a side.
double rslSide_Reach(const rslCollide* c, const rslSide* side, int collider)
{
    double h = c->look.step, towards = h * (side->speed + c->colliderSpeed[collider]);
    return c->look.reach + (towards < side->size ? towards : side->size) + h * h * side->push;
}

// Planes have vertices only to meet.
static void MeetColliders(const rslCollide* c, rslWork* work)
{
    const rslSide* side = &c->sides[work->side];
    ColliderSearch search = { .c = c, .side = side, .work = work, .count = (int)work->kind + 1 };
    for (int k = 0; k < c->model->colliderCount; ++k)
    {
        bool plane = c->model->colliders[k].type == rsl_planeCollider;
        double reach = rslSide_Reach(c, side, k);
        if (!rslCollide_Meets(c, work, k) || (plane && work->kind != rsl_vertexWork))
        {
            continue;
        }
        search.collider = k;
        for (int f = work->begin; f < work->end; ++f)
        {
            search.feature = f;
            SetCorners(&search);
            if (plane || IsNear(&search, &c->bounds[k], reach + search.thick))
            {
                rslPlaced_Visit(&c->placed[k], search.count, search.x, reach + search.thick, c->look.whole,
                                MeetCollider, &search);
            }
        }
    }
}

// ---- a piece of work ------------------------------------------------------------------------------------------------

void rslWork_Find(const rslCollide* c, rslWork* work)
{
    work->found.count = work->found.nodeCount = 0;
    for (int i = c->activeStart[work->side]; work->kind != rsl_triangleWork && i < c->activeStart[work->side + 1]; ++i)
    {
        const rslSidePair* pair = c->activeOf[i];
        bool first = pair->sides[0] == work->side;
        if (work->kind == rsl_vertexWork)
        {
            MeetSide(c, work, pair, first ? 0 : 1);
        }
        else if (first)
        {
            MeetPair(c, work, pair);
        }
    }
    MeetColliders(c, work);
    if (work->found.count <= work->found.capacity)
    {
        rslCollisions_Sort(&work->found);
    }
}
