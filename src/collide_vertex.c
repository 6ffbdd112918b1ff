// SPDX-License-Identifier: MIT
//
// collide_vertex.c: what a vertex touches of another side: triangles, or spheres.
//
// Of a vertex and the triangles of another side, the nearest ones say on which side of a closed surface it is: that which looks
// most straight at it. Triangles whose inside or outside does not fit, and those that the vertex is not turned to (IsTurned; they snag on
// what slides by), are left out; of the others the nearest counts, the lowest of equals, and further ones only where
// the vertex is over their inside and they look another way: the two walls of a corner.
//
// Where a body is turned inside out, the nearest triangle to a vertex outside may be seen from behind. So what is found inside is
// asked for (collide_inside.c) where it is more than shallow, over a triangle that it would touch from outside, or turned away from what
// would push it out. If it is outside, it stays on that side of everything: of the nearest triangles from behind, too. If it is inside,
// and not over anything that it is turned to and that pushes it out, that which it is turned away from does.

#include "collide_internal.h"

#include <string.h>

enum
{
    PLACES = 4,  // of a vertex at one other body
};

#define OTHER_WAY 0.9  // cosine between the walls of a corner

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
    double side;    // 1: outside of a closed surface
    double behind;  // the square of how far triangles are that it is behind of, although it is outside; 0: none are
    bool doubtful;  // it is found inside, but in front of something, or turned away from what it is behind of
    bool inside;    // it is inside for sure
    Place places[PLACES];
    int placeCount;
} VertexSearch;

static rslVec3 OwnNormal(VertexSearch* search)
{
    if (!search->turned)
    {
        bool spheres = search->own->skin->radius != NULL;
        search->N = spheres ? (rslVec3){ 0 } : rslSide_Normal(search->c, search->own, search->vertex);
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

static rslVec3 Velocity(const rslCollide* c, const rslSide* side, int v)
{
    return rslVec3_Of(c->v + 3 * (size_t)(side->first + v));
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
    rslVec3 u = Velocity(search->c, search->own, search->vertex);
    for (int i = 0; i < 3; ++i)
    {
        u = rslMulAdd(u, -tried->gap.share[i], Velocity(search->c, search->other, corner[i]));
    }
    return rslDot(in, rslMulAdd(tried->gap.apart, look->step, u)) > 0.0;
}

// Along which a triangle pushes: its normal over its inside, and where the distance is rounding.
static rslVec3 NormalOf(VertexSearch* search, const Tried* tried, double side)
{
    double distance = sqrt(tried->gap.squared);
    bool none = distance <= 1e-9 * search->other->size, over = tried->gap.corners == 7 && !search->c->look.whole;
    if (search->other->skin->closed && (over || none))
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

// Is the vertex turned to a triangle that pushes along n? Over the inside of it, a part of what is around the vertex is enough. And so is
// that it is outside, or inside for sure, and turned right away: what was between it and the triangle has been turned inside out, or
// flattened. (Else it would be as likely that the triangle is turned so, and draws it in.) A sheet is turned to what pushes it edge-on.
static bool IsTurned(VertexSearch* search, const Tried* tried, double side, rslVec3 n)
{
    if (rslSide_IsFacing(search->own, n, OwnNormal(search)))
    {
        return true;
    }
    bool over = tried->gap.corners == 7, away = over && !search->self && rslDot(n, OwnNormal(search)) > RSL_LOOKING;
    bool closed = search->own->skin->closed, part = over && (closed || !search->self);
    bool turned = (away && (side > 0.0 || search->inside)) ||
                  (part && rslSide_HasFacing(search->c, search->own, search->vertex, n)) ||
                  (part && !closed && rslSide_LeadsAway(search->c, search->own, false, search->vertex, n));
    search->doubtful = search->doubtful || (away && !turned);
    return turned;
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
    double along = rslDot(tried->gap.apart, tried->normal);
    bool back = along < 0.0 && tried->gap.squared < search->behind, over = !back && SlidesOver(search, tried);
    double gap = (over ? along : side * distance) - search->thick;
    // what slides over a triangle may stand a little proud of it
    bool fits = !closed || back || side * along >= (over ? -0.5 : -1e-9) * distance;
    rslVec3 n = over   ? tried->normal
                : back ? rslScale(1.0 / distance, tried->gap.apart)
                       : NormalOf(search, tried, side);
    search->doubtful = search->doubtful ||
                       (!fits && side < 0.0 && tried->gap.corners == 7 && distance - search->thick <= search->farthest);
    if (!fits || !IsTurned(search, tried, side, n))
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
        .key = { (uint32_t)search->own->body, RSL_KEY_VERTEX + (uint32_t)search->vertex, (uint32_t)search->other->body,
                 RSL_KEY_TRIANGLE + (uint32_t)place->triangle },
        .normal = place->normal,
        .point = search->x,
        .gap = place->gap,
        .friction = search->pair->rules.friction,
        .restitution = search->pair->rules.restitution,
    };
    rslWork_Keep(search->c, work, &mix, touch, rslSide_Farthest(search->own, search->other));
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
static rslSideVote FindSide(const VertexSearch* search, const rslNearItem* near, int count, double least)
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
    return vote;
}

static void JudgeAll(VertexSearch* search, const rslNearItem* near, int count, double limit)
{
    search->placeCount = 0;
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
}

// Of a vertex that is found inside: is it?
static void JudgeAgain(VertexSearch* search, const rslNearItem* near, int count, double squared)
{
    int winding;
    if (!rslSide_FindWinding(search->c, search->other, search->x, &winding))
    {
        return;
    }
    search->inside = winding > 0;
    if (!search->inside)
    {
        search->side = 1.0;
        search->behind = squared * (1.0 + 1e-9);
        JudgeAll(search, near, count, search->farthest + search->thick);
    }
    bool over = false;
    for (int i = 0; i < search->placeCount; ++i)
    {
        over = over || search->places[i].inside;
    }
    if (search->inside && !over)
    {
        JudgeAll(search, near, count, rslSide_Deep(search->other, false));
    }
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
    double outside = search->farthest + search->thick, shallow = RSL_SHALLOW * search->other->size;
    double deep =
        rslMost(outside, closed ? rslSide_Deep(search->other, search->self) : rslSide_Deep(search->own, false));
    rslSideVote vote = closed ? FindSide(search, near, count, least) : (rslSideVote){ .side = 1.0 };
    search->side = vote.side;
    search->behind = 0.0;
    search->inside = false;
    search->doubtful = vote.side < 0.0 && vote.least > shallow * shallow && vote.least <= deep * deep;
    JudgeAll(search, near, count, closed && search->side > 0.0 ? outside : deep);
    if (closed && search->side < 0.0 && search->doubtful && !search->self)
    {
        JudgeAgain(search, near, count, vote.least);
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
            .key = { (uint32_t)search->own->body, RSL_KEY_VERTEX + (uint32_t)search->vertex,
                     (uint32_t)search->other->body, RSL_KEY_VERTEX + (uint32_t)w },
            .normal = n,
            .point = rslMulAdd(search->x, -search->own->skin->radius[search->vertex], n),
            .gap = distance - thick,
            .friction = search->pair->rules.friction,
            .restitution = search->pair->rules.restitution,
        };
        rslWork_Keep(search->c, work, &mix, touch, rslSide_Farthest(search->own, search->other));
    }
}

void rslWork_MeetSide(const rslCollide* c, rslWork* work, const rslSidePair* pair, int which)
{
    const rslNearList* list = &pair->vertices[which];
    const rslSide *own = &c->sides[pair->sides[which]], *other = &c->sides[pair->sides[1 - which]];
    VertexSearch search = { .c = c, .own = own, .other = other, .pair = pair, .self = own == other };
    search.farthest = rslSidePair_Farthest(c, pair);
    search.moved = rslSidePair_Moved(c, pair, RSL_VERTEX_LISTS);
    for (int i = rslNearList_First(list, work->begin), end; i < list->count && list->items[i].own < work->end; i = end)
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
