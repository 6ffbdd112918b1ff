// SPDX-License-Identifier: MIT
//
// collide_way.c: what features meet on straight ways, and how much of the ways is safe.
//
// A way through a closed surface counts where it leads in: what is inside leaves as it likes. Where both are closed, a way that ends
// no deeper than a thousandth of the size has met nothing yet: what overlaps so little is found as such in the next look, and what
// lies on each other would meet all the time. What is thick is met at its thickness, or where it comes from nearer, in its middle.

#include "collide_internal.h"
#include "collide_solid.h"

#include <string.h>

#define BEYOND_ROUNDING (1.0 + 1e-6)  // for what must not be left out

typedef struct Way
{
    const rslCollide* c;
    rslWork* work;
    const rslSide *own, *other;
    int feature;
    bool quick;
    rslMeshBox around;
    bool self;
    // what is met first
    int best;  // feature of the other; -1: nothing
    double time;
    rslMix mix;
    rslCollision touch;
} Way;

static bool AreQuick(const rslCollide* c, const rslSide* side, const int* vertices, int count)
{
    bool any = false;
    for (int i = 0; i < count; ++i)
    {
        any = any || c->quick[side->first + vertices[i]];
    }
    return any;
}

static rslVec3 End(const rslCollide* c, const rslSide* side, int v)
{
    return rslVec3_Of(c->end + 3 * (size_t)(side->first + v));
}

// ---- two features ---------------------------------------------------------------------------------------------------

// Four points of two features, where they are and where they go.
typedef struct Four
{
    rslPairKind kind;
    const rslSide* sides[4];
    int vertices[4];
    rslVec3 from[4], to[4];
    double thick;
} Four;

static void SetPoint(const Way* way, Four* four, int i, const rslSide* side, int v)
{
    four->sides[i] = side;
    four->vertices[i] = v;
    four->from[i] = rslSide_Vertex(way->c, side, v);
    four->to[i] = End(way->c, side, v);
}

// What is left of the ways until a gap falls to a part of what it is.
static void KeepApart(const Way* way, const Four* four)
{
    double distance = sqrt(rslPair_Nearest(four->kind, four->from).squared), keep = way->c->keep;
    double floor = distance > four->thick ? four->thick + keep * (distance - four->thick) : keep * distance;
    if (distance > 0.0)
    {
        double t = rslPair_SafeTime(four->kind, four->from, four->to, floor);
        way->work->time = t < way->work->time ? t : way->work->time;
    }
}

// The normal of a triangle, or across two edges.
static rslVec3 Across(const Four* four, const rslVec3 x[4])
{
    bool edges = four->kind == rsl_edgeEdge;
    rslVec3 a = edges ? rslSub(x[1], x[0]) : rslSub(x[2], x[1]);
    return rslCross(a, edges ? rslSub(x[3], x[2]) : rslSub(x[3], x[1]));
}

// The outer normal beside an edge, now; zero for a sheet.
static rslVec3 OuterNormal(const rslCollide* c, const rslSide* side, int e)
{
    rslVec3 sum = { 0 };
    for (int k = 0; side->skin->closed && k < 2; ++k)
    {
        int t = side->skin->edgeTriangles[2 * (size_t)e + (size_t)k];
        sum = t >= 0 ? rslAdd(sum, rslNormalize(rslSide_AreaVector(c, side, t))) : sum;
    }
    return sum;
}

// Does the way lead in, where things are closed? The normal points to where it comes from.
static bool LeadsIn(const Way* way, const Four* four, double side, rslVec3 n, int other)
{
    if (four->kind == rsl_vertexTriangle)
    {
        return !way->other->skin->closed || side > 0.0;
    }
    return rslDot(n, OuterNormal(way->c, way->other, other)) >= 0.0 &&
           rslDot(n, OuterNormal(way->c, way->own, way->feature)) <= 0.0;
}

// When two features meet, and along which normal; INFINITY: they do not.
static double MeetAt(const Way* way, const Four* four, int other, rslVec3* normal, rslNear* near)
{
    rslNear start = rslPair_Nearest(four->kind, four->from);
    double distance = sqrt(start.squared), size = way->own->size < way->other->size ? way->own->size : way->other->size;
    bool thick = four->thick > 0.0 && distance > four->thick;
    double t = thick ? rslPair_TouchTime(four->kind, four->from, four->to, four->thick, 1e-3 * four->thick)
                     : rslPair_MeetTime(four->kind, four->from, four->to);
    if (t == INFINITY)
    {
        return INFINITY;
    }
    rslVec3 x[4], rel = { 0 };
    for (int i = 0; i < 4; ++i)
    {
        x[i] = rslMulAdd(four->from[i], t, rslSub(four->to[i], four->from[i]));
    }
    *near = rslPair_Nearest(four->kind, x);
    for (int i = 0; i < 4; ++i)
    {
        rel = rslMulAdd(rel, near->weight[i], rslSub(four->to[i], four->from[i]));
    }
    rslVec3 across = rslNormalize(Across(four, x));
    double along = rslDot(start.apart, Across(four, four->from)), side = along < 0.0 ? -1.0 : 1.0;
    if (distance <= 1e-9 * size)
    {
        side = rslDot(rel, across) > 0.0 ? -1.0 : 1.0;
    }
    bool apart = thick && near->squared > 0.0;
    *normal = apart ? rslNormalize(near->apart) : rslScale(side, across);
    *normal = rslDot(*normal, *normal) > 0.0 ? *normal : rslNormalize(rslScale(-1.0, rel));
    double towards = -rslDot(*normal, rel);
    bool closed = way->own->skin->closed && way->other->skin->closed;
    bool deep = (1.0 - t) * towards > (closed ? RSL_SHALLOW * size : 0.0);
    bool leads = thick || LeadsIn(way, four, side, *normal, other);
    return towards > 0.0 && deep && leads ? t : INFINITY;
}

// The earliest, the lowest of equals.
static void MeetFour(Way* way, const Four* four, int other, uint32_t ownKind, uint32_t otherKind)
{
    rslVec3 normal;
    rslNear near;
    double t = MeetAt(way, four, other, &normal, &near);
    if (!(t < way->time || (t == way->time && t <= 1.0 && other < way->best)))
    {
        return;
    }
    way->best = other;
    way->time = t;
    way->mix = (rslMix){ 0 };
    rslVec3 point = { 0 }, rel = { 0 };
    for (int i = 0; i < 4; ++i)
    {
        rslVec3 step = rslSub(four->to[i], four->from[i]);
        double w = near.weight[i];
        rslMix_Add(&way->mix, four->sides[i], four->vertices[i], w);
        point = w > 0.0 ? rslMulAdd(point, w, rslMulAdd(four->from[i], t, step)) : point;
        rel = rslMulAdd(rel, w, step);
    }
    const rslSidePair* pair = way->work->pair;
    way->touch = (rslCollision){
        .key = { (uint32_t)way->own->body, ownKind + (uint32_t)way->feature, (uint32_t)way->other->body,
                 otherKind + (uint32_t)other },
        .normal = normal,
        .point = point,
        .gap = -t * rslDot(normal, rel),
        .time = t,
        .friction = pair->rules.friction,
        .restitution = pair->rules.restitution,
    };
}

static void TryTriangle(int t, void* context)
{
    Way* way = context;
    const int* corner = rslSide_Triangle(way->other, t);
    int v = way->feature;
    if (!way->quick && !AreQuick(way->c, way->other, corner, 3))
    {
        return;
    }
    if (way->self &&
        rslSide_AreNeighbours(way->other, rsl_vertexTriangle, (const int[]){ v, corner[0], corner[1], corner[2] }))
    {
        return;
    }
    Four four = { .kind = rsl_vertexTriangle };
    SetPoint(way, &four, 0, way->own, v);
    for (int i = 0; i < 3; ++i)
    {
        SetPoint(way, &four, i + 1, way->other, corner[i]);
    }
    const rslContactPair* rules = &way->work->pair->rules;
    four.thick = rslSide_Thick(way->own, v, rules, true) + rslSide_Thick(way->other, -1, rules, false);
    if (isnan(way->c->keep))
    {
        MeetFour(way, &four, t, RSL_KEY_VERTEX, RSL_KEY_TRIANGLE);
        return;
    }
    KeepApart(way, &four);
}

static void TryEdge(Way* way, int f)
{
    const int* edge = way->other->skin->edges + 2 * (size_t)f;
    const int* mine = way->own->skin->edges + 2 * (size_t)way->feature;
    if (!way->quick && !AreQuick(way->c, way->other, edge, 2))
    {
        return;
    }
    if (way->self && (f <= way->feature || rslSide_AreNeighbours(way->other, rsl_edgeEdge,
                                                                 (const int[]){ mine[0], mine[1], edge[0], edge[1] })))
    {
        return;
    }
    const rslContactPair* rules = &way->work->pair->rules;
    Four four = { .kind = rsl_edgeEdge };
    four.thick = rslSide_Thick(way->own, -1, rules, true) + rslSide_Thick(way->other, -1, rules, false);
    for (int k = 0; k < 2; ++k)
    {
        SetPoint(way, &four, k, way->own, mine[k]);
        SetPoint(way, &four, k + 2, way->other, edge[k]);
    }
    if (isnan(way->c->keep))
    {
        MeetFour(way, &four, f, RSL_KEY_EDGE, RSL_KEY_EDGE);
        return;
    }
    KeepApart(way, &four);
}

static void TryEdges(int t, void* context)
{
    Way* way = context;
    for (int k = 0; k < 3; ++k)
    {
        int f = way->other->triangleEdges[3 * (size_t)t + (size_t)k];
        if (way->other->skin->edgeTriangles[2 * (size_t)f] == t)
        {
            TryEdge(way, f);
        }
    }
}

// Of spheres p + t d and the radii R together: |p + t d| = R at t = (-p.d - sqrt((p.d)^2 - d.d (p.p - R^2))) / d.d.
static double SpheresTime(rslVec3 p, rslVec3 d, double radius)
{
    double pp = rslDot(p, p) - radius * radius, pd = rslDot(p, d), dd = rslDot(d, d), square = pd * pd - dd * pp;
    double t = pp > 0.0 && pd < 0.0 && square >= 0.0 ? (-pd - sqrt(square)) / dd : INFINITY;
    return t <= 1.0 ? t : INFINITY;
}

static void TrySphere(int w, void* context)
{
    Way* way = context;
    const rslCollide* c = way->c;
    int v = way->feature;
    if (!way->quick && !AreQuick(c, way->other, &w, 1))
    {
        return;
    }
    if (way->self && (w <= v || rslSide_AreJoined(way->other, v, w)))
    {
        return;
    }
    rslVec3 p = rslSub(rslSide_Vertex(c, way->own, v), rslSide_Vertex(c, way->other, w));
    rslVec3 q = rslSub(End(c, way->own, v), End(c, way->other, w)), d = rslSub(q, p);
    double thick = way->own->skin->radius[v] + way->other->skin->radius[w], distance = rslLength(p);
    if (!isnan(c->keep))
    {
        double t = distance > thick ? SpheresTime(p, d, thick + c->keep * (distance - thick)) : INFINITY;
        way->work->time = t < way->work->time ? t : way->work->time;
        return;
    }
    double t = SpheresTime(p, d, thick);
    if (!(t < way->time || (t == way->time && t <= 1.0 && w < way->best)))
    {
        return;
    }
    rslVec3 n = rslNormalize(rslMulAdd(p, t, d));
    way->best = w;
    way->time = t;
    way->mix = (rslMix){ 0 };
    rslMix_Add(&way->mix, way->own, v, 1.0);
    rslMix_Add(&way->mix, way->other, w, -1.0);
    way->touch = (rslCollision){
        .key = { (uint32_t)way->own->body, RSL_KEY_VERTEX + (uint32_t)v, (uint32_t)way->other->body,
                 RSL_KEY_VERTEX + (uint32_t)w },
        .normal = n,
        .point =
            rslMulAdd(rslSide_Vertex(c, way->own, v), t, rslSub(End(c, way->own, v), rslSide_Vertex(c, way->own, v))),
        .gap = -t * rslDot(n, d),
        .time = t,
        .friction = way->work->pair->rules.friction,
        .restitution = way->work->pair->rules.restitution,
    };
}

// ---- features of a side ---------------------------------------------------------------------------------------------

static void SetAround(Way* way, const int* vertices, int count, double within)
{
    for (int i = 0; i < 3; ++i)
    {
        way->around.lower[i] = INFINITY;
        way->around.upper[i] = -INFINITY;
    }
    for (int k = 0; k < 2 * count; ++k)
    {
        const double* all = k < count ? way->c->x : way->c->end;
        const double* x = all + 3 * (size_t)(way->own->first + vertices[k % count]);
        for (int i = 0; i < 3; ++i)
        {
            way->around.lower[i] = x[i] - within < way->around.lower[i] ? x[i] - within : way->around.lower[i];
            way->around.upper[i] = x[i] + within > way->around.upper[i] ? x[i] + within : way->around.upper[i];
        }
    }
}

static void SweepPair(const rslCollide* c, rslWork* work)
{
    const rslSidePair* pair = work->pair;
    Way way = { .c = c, .work = work, .own = &c->sides[pair->sides[work->which]] };
    way.other = &c->sides[pair->sides[1 - work->which]];
    way.self = way.own == way.other;
    bool spheres = way.other->skin->radius != NULL, edges = work->kind == rsl_edgeWork;
    double within = rslSidePair_Thick(c, pair) * (1.0 + 1e-3) + c->look.reach + 1e-9 * way.own->size;
    for (int f = work->begin; f < work->end; ++f)
    {
        const int* vertices = edges ? way.own->skin->edges + 2 * (size_t)f : &f;
        way.quick = AreQuick(c, way.own, vertices, edges ? 2 : 1);
        if (!way.quick && !way.other->quick)
        {
            continue;
        }
        way.feature = f;
        way.best = -1;
        way.time = INFINITY;
        SetAround(&way, vertices, edges ? 2 : 1, within);
        rslMeshBox_Walk(way.other->swept, way.other->order, &way.around,
                        edges     ? TryEdges
                        : spheres ? TrySphere
                                  : TryTriangle,
                        &way);
        if (way.best >= 0 && isnan(c->keep))
        {
            rslWork_Append(work, &way.mix, way.touch);
        }
    }
}

// ---- colliders ------------------------------------------------------------------------------------------------------

typedef struct ColliderWay
{
    const rslCollide* c;
    const rslSide* side;
    rslWork* work;
    int collider, feature, count;
    int corners[3];
    rslVec3 x[3], y[3];
    double thick;
    bool found;
    rslPlacedTouch nearest;
} ColliderWay;

static void TakeNearest(const rslPlacedTouch* touch, void* context)
{
    ColliderWay* way = context;
    if (!way->found || touch->gap < way->nearest.gap)
    {
        way->nearest = *touch;
        way->found = true;
    }
}

// Where the collider is at a part of the step.
static rslPlaced PlacedAt(const rslCollide* c, int collider, double t)
{
    const rslCollider* which = &c->model->colliders[collider];
    double moved = c->look.still ? 0.0 : t * c->look.step;
    return which->moves ? rslCollider_Place(which, c->look.time + moved) : c->placed[collider];
}

static void TellCollider(ColliderWay* way, double t)
{
    const rslCollide* c = way->c;
    const rslCollider* collider = &c->model->colliders[way->collider];
    rslPlaced placed = PlacedAt(c, way->collider, t);
    rslVec3 x[3], point = { 0 }, rel = { 0 };
    for (int i = 0; i < way->count; ++i)  // straight as the collider sees it, which may not be where it is at that time
    {
        rslVec3 p = rslPlaced_ToOwn(&c->placed[way->collider], way->x[i]);
        rslVec3 q = rslPlaced_ToOwn(&c->placedEnd[way->collider], way->y[i]);
        x[i] = rslPlaced_ToWorld(&placed, rslAlong(p, q, t));
    }
    way->found = false;
    rslPlaced_Visit(&placed, way->count, x, way->thick + 0.01 * way->side->size, true, TakeNearest, way);
    if (!way->found)
    {
        return;  // it only came near
    }
    rslMix mix = { 0 };
    for (int i = 0; i < way->count; ++i)
    {
        double w = way->nearest.weights[i];
        rslMix_Add(&mix, way->side, way->corners[i], w);
        point = rslMulAdd(point, w, rslAlong(way->x[i], way->y[i], t));
        rel = rslMulAdd(rel, w, rslSub(way->y[i], way->x[i]));
    }
    static const uint32_t kinds[] = { RSL_KEY_VERTEX, RSL_KEY_EDGE, RSL_KEY_TRIANGLE };
    rslCollision touch = {
        .key = { (uint32_t)way->side->body, kinds[way->count - 1] + (uint32_t)way->feature,
                 RSL_KEY_COLLIDER | (uint32_t)way->collider, (uint32_t)way->nearest.feature },
        .normal = way->nearest.normal,
        .point = point,
        .time = t,
        .friction = rslCollide_Rules(c, way->side, way->collider)->friction,
        .restitution = rslCollide_Rules(c, way->side, way->collider)->restitution,
    };
    if (collider->moves && !c->look.still)
    {
        // over the whole step, as the way is: it may start to move within it
        touch.velocity = rslCollider_Velocity(collider, c->look.time + 0.5 * c->look.step, c->look.step, point);
        rel = rslMulAdd(rel, -c->look.step, touch.velocity);
    }
    double towards = -rslDot(touch.normal, rel);
    touch.gap = t * towards;
    if ((1.0 - t) * towards > RSL_SHALLOW * way->side->size)
    {
        rslWork_Append(way->work, &mix, touch);
    }
}

// Of a corner, as the collider sees it.
static double LongestWay(const ColliderWay* way, const rslPlaced* begin, const rslPlaced* end)
{
    double longest = 0.0;
    for (int i = 0; i < way->count; ++i)
    {
        rslVec3 d = rslSub(rslPlaced_ToOwn(end, way->y[i]), rslPlaced_ToOwn(begin, way->x[i]));
        longest = rslMost(longest, rslLength(d));
    }
    return longest;
}

static void SweepCollider(ColliderWay* way)
{
    const rslCollide* c = way->c;
    const rslPlaced *begin = &c->placed[way->collider], *end = &c->placedEnd[way->collider];
    if (isnan(c->keep))
    {
        double t = rslPlaced_Sweep(begin, end, way->count, way->x, way->y, way->thick);
        if (t > 0.0 && t < 1.0)
        {
            TellCollider(way, t);
        }
        return;
    }
    // of a gap g a part keep is left while no corner goes (1 - keep) g
    double within = way->thick + BEYOND_ROUNDING * LongestWay(way, begin, end) / (1.0 - c->keep);
    double gap = rslPlaced_Distance(begin, way->count, way->x, within) - way->thick;
    if (gap > 0.0 && gap < INFINITY)
    {
        double t = rslPlaced_Sweep(begin, end, way->count, way->x, way->y, way->thick + c->keep * gap);
        way->work->time = t < 1.0 && t < way->work->time ? t : way->work->time;
    }
}

static bool WayMeets(const ColliderWay* way, const rslBounds* bounds)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 2 * way->count; ++i)
        {
            rslVec3 p = i < way->count ? way->x[i] : way->y[i - way->count];
            double x = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        double from = axis == 0 ? bounds->lower.x : axis == 1 ? bounds->lower.y : bounds->lower.z;
        double to = axis == 0 ? bounds->upper.x : axis == 1 ? bounds->upper.y : bounds->upper.z;
        double within = way->thick + way->c->look.reach;
        if (low - within > to || high + within < from)
        {
            return false;
        }
    }
    return true;
}

// Vertices, and triangles where the collider is no plane: a triangle has all of its edges.
static void SweepColliders(const rslCollide* c, rslWork* work)
{
    const rslSide* side = &c->sides[work->side];
    ColliderWay way = { .c = c, .side = side, .work = work, .count = work->kind == rsl_vertexWork ? 1 : 3 };
    for (int k = 0; k < c->model->colliderCount; ++k)
    {
        bool plane = c->model->colliders[k].type == rsl_planeCollider;
        way.collider = k;
        for (int f = work->begin; f < work->end && !(plane && way.count > 1); ++f)
        {
            way.feature = f;
            memcpy(way.corners, way.count == 1 ? &f : rslSide_Triangle(side, f), (size_t)way.count * sizeof(int));
            if (!AreQuick(c, side, way.corners, way.count))
            {
                continue;
            }
            for (int i = 0; i < way.count; ++i)
            {
                way.x[i] = rslSide_Vertex(c, side, way.corners[i]);
                way.y[i] = End(c, side, way.corners[i]);
            }
            way.thick = rslSide_Half(side, way.count == 1 ? f : -1, rslCollide_Rules(c, side, k));
            if (plane || WayMeets(&way, &c->bounds[k]))
            {
                SweepCollider(&way);
            }
        }
    }
}

void rslWork_Sweep(const rslCollide* c, rslWork* work)
{
    work->found.count = work->found.nodeCount = 0;
    work->time = INFINITY;
    if (work->pair != NULL)
    {
        SweepPair(c, work);
        return;
    }
    SweepColliders(c, work);
}
