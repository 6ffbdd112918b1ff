// SPDX-License-Identifier: MIT
//
// collide_pair.c: see collide_pair.h.
//
// Nearest places of edges p + s d and q + t e: within both,  s = (b f - c e2)/D, with d2 = d.d, e2 = e.e, b = d.e, c = d.r, f = e.r,
// r = p - q, D = d2 e2 - b^2 = |d x e|^2; or an end of one and the other edge, the least of five. Where edges are nearly parallel,
// D is rounding and so are s and t, but then the distance changes little along them: by less than sin(angle) times the length.
//
// Conservative advancement (Mirtich 1996; its additive form, Li, Kaufman, Jiang 2021): with the mean motion taken off, the distance
// falls by no more than l dt, l the largest motion of one side plus that of the other. So d(t + (d - floor)/l) >= floor.
//
// Before, as long as the planes are far apart, so are the two: of a vertex and a triangle, and of edges d and e, the distance is at
// least |det| / |N|, N the normal of the triangle or d x e.
//
// Meeting. The four points are coplanar at the zeros of a cubic; outside of the spans in which it may be zero (inversion.c) the
// two cannot meet. Inside a span, which is mostly of rounding size, they meet where advancement comes near to nothing.

#include "collide_pair.h"

#include "contact_gap.h"
#include "inversion.h"
#include "vec.h"

#include <math.h>

enum
{
    ADVANCES = 200,  // then what is not known to be far counts as near
};

// ---- nearest --------------------------------------------------------------------------------------------------------

static double Clamp(double s)
{
    return s > 0.0 ? s < 1.0 ? s : 1.0 : 0.0;
}

static void TryPlaces(const rslVec3 x[4], double s, double t, rslNear* best)
{
    rslVec3 p = s == 1.0 ? x[1] : rslMulAdd(x[0], s, rslSub(x[1], x[0]));
    rslVec3 q = t == 1.0 ? x[3] : rslMulAdd(x[2], t, rslSub(x[3], x[2]));
    rslVec3 apart = rslSub(p, q);
    double squared = rslDot(apart, apart);
    if (squared < best->squared)
    {
        int parts = (s < 1.0 ? 1 : 0) | (s > 0.0 ? 2 : 0) | (t < 1.0 ? 4 : 0) | (t > 0.0 ? 8 : 0);
        *best = (rslNear){ { 1.0 - s, s, t - 1.0, -t }, parts, apart, squared, best->doubt };
    }
}

// Where a point is nearest to the edge from a to b.
static double Along(rslVec3 point, rslVec3 a, rslVec3 b)
{
    rslVec3 e = rslSub(b, a);
    double square = rslDot(e, e);
    return square > 0.0 ? Clamp(rslDot(rslSub(point, a), e) / square) : 0.0;
}

static rslNear NearestEdges(const rslVec3 x[4])
{
    rslVec3 d = rslSub(x[1], x[0]), e = rslSub(x[3], x[2]), r = rslSub(x[0], x[2]), n = rslCross(d, e);
    double d2 = rslDot(d, d), e2 = rslDot(e, e), b = rslDot(d, e), c = rslDot(d, r), f = rslDot(e, r);
    double D = rslDot(n, n);
    // the corners of the square of s and t first: an inner place that is as near is taken
    rslNear best = { .squared = INFINITY };
    double length = sqrt(d2) + sqrt(e2), size = length + rslLength(r);
    best.doubt = D > 0x1p-36 * d2 * e2 ? 0x1p-46 * size * sqrt(d2 * e2 / D) : 0x1p-26 * size;
    if (D > 0.0)
    {
        double s = (b * f - c * e2) / D, t = (d2 * f - b * c) / D;
        if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)
        {
            TryPlaces(x, s, t, &best);
        }
    }
    TryPlaces(x, 0.0, Along(x[0], x[2], x[3]), &best);
    TryPlaces(x, 1.0, Along(x[1], x[2], x[3]), &best);
    TryPlaces(x, Along(x[2], x[0], x[1]), 0.0, &best);
    TryPlaces(x, Along(x[3], x[0], x[1]), 1.0, &best);
    return best;
}

static rslNear NearestOnTriangle(const rslVec3 x[4])
{
    rslVec3 e1 = rslSub(x[2], x[1]), e2 = rslSub(x[3], x[1]), p = rslSub(x[0], x[1]), n = rslCross(e1, e2);
    double size = rslLength(e1) + rslLength(e2) + rslLength(p);
    double area = rslLength(n), whole = rslDot(e1, e1) + rslDot(e2, e2);
    bool sliver = !(area > 0x1p-24 * whole);  // its normal is rounding; all of it is near to its border
    rslGap gap = sliver ? rslGap_FindBorder(x) : rslGap_Find(x);
    double doubt = sliver ? 0x1p-24 * size : 0x1p-48 * size * (whole / area);
    return (rslNear){
        { 1.0, -gap.share[0], -gap.share[1], -gap.share[2] }, 1 | gap.corners << 1, gap.apart, gap.squared, doubt
    };
}

rslNear rslPair_Nearest(rslPairKind kind, const rslVec3 x[4])
{
    return kind == rsl_edgeEdge ? NearestEdges(x) : NearestOnTriangle(x);
}

// ---- ways -----------------------------------------------------------------------------------------------------------

// The four points from a middle one at the start, and their motions without the mean one.
typedef struct Way
{
    rslPairKind kind;
    rslVec3 x[4], d[4];
    double most;      // l
    double rounding;  // of a place
} Way;

static double Longer(rslVec3 a, rslVec3 b)
{
    double aa = rslDot(a, a), bb = rslDot(b, b);
    return aa > bb ? aa : bb;
}

static Way MakeWay(rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4])
{
    Way way = { .kind = kind };
    rslVec3 mean = { 0 };
    double size = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        way.x[i] = rslSub(from[i], from[0]);
        way.d[i] = rslSub(to[i], from[i]);
        mean = rslMulAdd(mean, 0.25, way.d[i]);
    }
    for (int i = 0; i < 4; ++i)
    {
        way.d[i] = rslSub(way.d[i], mean);
        size = rslMost(size, rslLength(way.x[i]));
        size = rslMost(size, rslLength(way.d[i]));
    }
    const rslVec3* d = way.d;
    double first = kind == rsl_edgeEdge ? Longer(d[0], d[1]) : rslDot(d[0], d[0]);
    double pair = Longer(d[2], d[3]), third = rslDot(d[1], d[1]);
    double second = kind == rsl_edgeEdge || pair > third ? pair : third;
    way.most = (sqrt(first) + sqrt(second)) * (1.0 + 0x1p-40);
    // what was rounded in the differences of places far from the origin counts, too
    way.rounding = 0x1p-47 * (size + rslLength(mean));
    return way;
}

static double DistanceAt(const Way* way, double t)
{
    rslVec3 x[4];
    for (int i = 0; i < 4; ++i)
    {
        x[i] = rslMulAdd(way->x[i], t, way->d[i]);
    }
    rslNear near = rslPair_Nearest(way->kind, x);
    return sqrt(near.squared) - near.doubt - way->rounding;
}

// From the time t on: the time at which no more than goal is left above the floor; INFINITY when there is more until the end. Where
// advances do not get there, the time that they got to.
static double Advance(const Way* way, double t, double end, double floor, double goal)
{
    for (int k = 0; k < ADVANCES; ++k)
    {
        double left = DistanceAt(way, t) - floor;
        if (!(left > goal))
        {
            return t;
        }
        double step = 0.9 * left / way->most;
        if (t + step >= end)
        {
            return INFINITY;
        }
        t += step;
    }
    return t;
}

static rslMove MakeMove(const rslVec3 from[4], const rslVec3 to[4])
{
    rslMove move = { .measure = rsl_volume };
    for (int i = 0; i < 4; ++i)
    {
        const double a[3] = { from[i].x, from[i].y, from[i].z }, b[3] = { to[i].x, to[i].y, to[i].z };
        for (int axis = 0; axis < 3; ++axis)
        {
            move.from[i][axis] = a[axis];
            move.to[i][axis] = b[axis];
        }
    }
    return move;
}

// The largest that |N| can be on the way: N = e1 x e2 is quadratic in t, and within its control points.
static double LargestNormal(const Way* way)
{
    int i = way->kind == rsl_edgeEdge ? 0 : 1, j = way->kind == rsl_edgeEdge ? 1 : 2,
        k = way->kind == rsl_edgeEdge ? 2 : 1;
    rslVec3 a = rslSub(way->x[j], way->x[i]), b = rslSub(way->x[3], way->x[k]);
    rslVec3 da = rslSub(way->d[j], way->d[i]), db = rslSub(way->d[3], way->d[k]);
    rslVec3 a1 = rslAdd(a, da), b1 = rslAdd(b, db);
    rslVec3 middle = rslScale(0.5, rslAdd(rslCross(a, b1), rslCross(a1, b)));
    double most = rslLength(rslCross(a, b));
    most = rslMost(most, rslLength(middle));
    return rslMost(most, rslLength(rslCross(a1, b1))) * (1.0 + 0x1p-40);
}

// The distance is at least that of the planes, |det| / |N|: a time until which this does. Things that slide along each other are
// told by it at once.
static double PlanesTime(const Way* way, const rslVec3 from[4], const rslVec3 to[4], double floor)
{
    rslMove move = MakeMove(from, to);
    double level = floor * LargestNormal(way) / 6.0;
    if (rslMeasure_Of(rsl_volume, move.from) < 0.0)
    {
        rslVec3 a[4] = { from[1], from[0], from[2], from[3] }, b[4] = { to[1], to[0], to[2], to[3] };
        move = MakeMove(a, b);
    }
    return rslMove_FirstTime(&move, level);
}

// Until no more than goal is left above the floor.
static double TimeUntil(const Way* way, const rslVec3 from[4], const rslVec3 to[4], double floor, double left,
                        double goal)
{
    if (!(left > goal))
    {
        return 0.0;
    }
    if (left > way->most)
    {
        return INFINITY;
    }
    double start = PlanesTime(way, from, to, floor);
    return start < 1.0 ? Advance(way, start, 1.0, floor, goal) : INFINITY;
}

double rslPair_SafeTime(rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4], double floor)
{
    Way way = MakeWay(kind, from, to);
    double left = DistanceAt(&way, 0.0) - floor;
    return left > 0.0 ? TimeUntil(&way, from, to, floor, left, 0.1 * left) : 0.0;
}

double rslPair_TouchTime(rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4], double floor, double more)
{
    Way way = MakeWay(kind, from, to);
    return TimeUntil(&way, from, to, floor, DistanceAt(&way, 0.0) - floor, more);
}

double rslPair_MeetTime(rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4])
{
    rslMove move = MakeMove(from, to);
    double spans[RSL_ZEROS_MOST][2];
    int count = rslMove_Zeros(&move, spans);
    if (count == 0)
    {
        return INFINITY;
    }
    Way way = MakeWay(kind, from, to);
    for (int i = 0; i < count; ++i)
    {
        // times are rounded: a span reaches a little farther
        double first = spans[i][0] - 0x1p-50, last = spans[i][1] + 0x1p-50;
        double t = Advance(&way, first, last, 0.0, 8.0 * way.rounding + 0x1p-48 * way.most);
        if (t <= last)
        {
            return Clamp(t);
        }
    }
    return INFINITY;
}
