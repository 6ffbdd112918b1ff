// SPDX-License-Identifier: MIT
//
// collide_shape_convex.c: boxes, spheres, cylinders and capsules against vertices, edges and triangles.
//
// With the signed distance f(q), a convex function:
//   a vertex touches at q with the gap f(q) and the normal grad f(q);
//   an edge where f is least along it, by halving on the sign of the slope grad f.(b - a), and where it comes over another face
//   of the solid, so that what lies flat is held at both ends;
//   a triangle with the unit normal N where the solid reaches farthest along m = N or -N: s with m.s = max, and its like on
//   other corners; gap = m.(x - s), x the point of the triangle over s. Of N and -N it is the one with the larger gap.

#include "collide_solid.h"

enum
{
    HALVINGS = 50,
    MOST_CUTS = 8,
    MOST_POINTS = 8,
};

static double Distance(const rslSolid* solid, rslVec3 q)
{
    return rslPrimitive_Distance(solid->shape, q);
}

static rslVec3 Gradient(const rslSolid* solid, rslVec3 q)
{
    return rslPrimitive_Gradient(solid->shape, q);
}

rslPlacedTouch rslConvex_Nearest(const rslSolid* solid, rslVec3 q)
{
    rslPlacedTouch touch = { .gap = Distance(solid, q), .normal = Gradient(solid, q), .weights = { 1.0, 0.0, 0.0 } };
    touch.point = rslMulAdd(q, -touch.gap, touch.normal);
    return touch;
}

// Round parts curve about a point of their axis, or about the axis.
bool rslConvex_Sinks(const rslSolid* solid, rslVec3 q, rslSunk* sunk)
{
    double distance = Distance(solid, q);
    if (!(distance < 0.0))
    {
        return false;
    }
    double reach = solid->type == rsl_sphereShape ? 0.0 : solid->shape->reach;
    *sunk = (rslSunk){ .distance = distance, .normal = Gradient(solid, q) };
    bool side = fabs(q.z) < reach && sunk->normal.z == 0.0;
    if (solid->type != rsl_boxShape && (side || solid->type != rsl_cylinderShape))
    {
        rslVec3 core = { 0.0, 0.0, q.z < -reach ? -reach : q.z > reach ? reach : q.z };
        double radius = rslLength(rslSub(q, core));
        sunk->along.z = side ? 1.0 : 0.0;
        sunk->curvature = radius > 0.0 ? 1.0 / radius : 0.0;
    }
    return true;
}

// ---- edges ----------------------------------------------------------------------------------------------------------

// Where the distance is least between a and b.
static double LeastAlong(const rslSolid* solid, rslVec3 a, rslVec3 b)
{
    rslVec3 e = rslSub(b, a);
    if (rslDot(Gradient(solid, a), e) >= 0.0)
    {
        return 0.0;
    }
    if (rslDot(Gradient(solid, b), e) <= 0.0)
    {
        return 1.0;
    }
    double low = 0.0, high = 1.0;
    for (int i = 0; i < HALVINGS; ++i)
    {
        double middle = 0.5 * (low + high);
        bool down = rslDot(Gradient(solid, rslAlong(a, b, middle)), e) < 0.0;
        low = down ? middle : low;
        high = down ? high : middle;
    }
    return 0.5 * (low + high);
}

static void AddCut(double from, double to, double at, double* cuts, int* count)
{
    double t = (at - from) / (to - from);
    if (t > 0.0 && t < 1.0)  // neither of parallel edges
    {
        cuts[(*count)++] = t;
    }
}

// Where x^2 + y^2 = radius^2.
static void AddRound(rslVec3 a, rslVec3 b, double radius, double* cuts, int* count)
{
    double ex = b.x - a.x, ey = b.y - a.y;
    double ee = ex * ex + ey * ey, half = ex * a.x + ey * a.y, c = a.x * a.x + a.y * a.y - radius * radius;
    double root = half * half - ee * c;
    for (int side = -1; ee > 0.0 && root > 0.0 && side <= 1; side += 2)
    {
        AddCut(0.0, ee, -half + side * sqrt(root), cuts, count);
    }
}

// Shares of the edge at which another part of the solid becomes the nearest.
static int CutsOf(const rslSolid* solid, rslVec3 a, rslVec3 b, double cuts[MOST_CUTS])
{
    const rslShape* shape = solid->shape;
    int count = 0;
    for (int side = -1; side <= 1; side += 2)
    {
        if (shape->type == rsl_boxShape)
        {
            AddCut(a.x, b.x, side * shape->half.x, cuts, &count);
            AddCut(a.y, b.y, side * shape->half.y, cuts, &count);
            AddCut(a.z, b.z, side * shape->half.z, cuts, &count);
        }
        else if (shape->type != rsl_sphereShape)
        {
            AddCut(a.z, b.z, side * shape->reach, cuts, &count);
        }
    }
    if (shape->type == rsl_cylinderShape)
    {
        AddRound(a, b, shape->radius, cuts, &count);
    }
    return count;
}

static void VisitEdge(const rslSolid* solid, rslVec3 a, rslVec3 b, const rslPlacedOut* out)
{
    double cuts[MOST_CUTS + 1];
    int count = CutsOf(solid, a, b, cuts + 1) + 1;
    cuts[0] = LeastAlong(solid, a, b);
    for (int c = 0; c < count; ++c)
    {
        if (cuts[c] > 0.0 && cuts[c] < 1.0 && (c == 0 || cuts[c] != cuts[0]))
        {
            rslPlacedTouch touch = rslConvex_Nearest(solid, rslAlong(a, b, cuts[c]));
            touch.feature = c;
            touch.weights[0] = 1.0 - cuts[c];
            touch.weights[1] = cuts[c];
            rslPlacedOut_Tell(out, touch);
        }
    }
}

// ---- triangles ------------------------------------------------------------------------------------------------------

// Points of a solid that stick out along m: of all that do so about as far, enough to lie on.
static int PointsAlong(const rslSolid* solid, rslVec3 m, rslVec3 points[MOST_POINTS])
{
    const rslShape* shape = solid->shape;
    double r = shape->radius, across = sqrt(m.x * m.x + m.y * m.y);
    double cx = across > 0.0 ? m.x / across : 1.0, cy = across > 0.0 ? m.y / across : 0.0;
    switch (shape->type)
    {
        case rsl_boxShape:
            for (int i = 0; i < 8; ++i)
            {
                points[i] = (rslVec3){ (i & 1 ? 1 : -1) * shape->half.x, (i & 2 ? 1 : -1) * shape->half.y,
                                       (i & 4 ? 1 : -1) * shape->half.z };
            }
            return 8;
        case rsl_capsuleShape:
            points[0] = rslMulAdd((rslVec3){ 0.0, 0.0, -shape->reach }, r, m);
            points[1] = rslMulAdd((rslVec3){ 0.0, 0.0, shape->reach }, r, m);
            return 2;
        case rsl_cylinderShape:
            for (int i = 0; i < 8; ++i)  // quarters of each rim
            {
                double sign = i & 2 ? -r : r, z = i & 4 ? shape->reach : -shape->reach;
                points[i] = i & 1 ? (rslVec3){ -sign * cy, sign * cx, z } : (rslVec3){ sign * cx, sign * cy, z };
            }
            return 8;
        default: points[0] = rslScale(r, m); return 1;
    }
}

// The unit normal, towards the side of the triangle where the solid is not.
static bool Aside(const rslSolid* solid, const rslVec3 q[3], rslVec3* m)
{
    rslVec3 n = rslCross(rslSub(q[1], q[0]), rslSub(q[2], q[0]));
    double length = rslLength(n);
    if (!(length > 0.0))
    {
        return false;
    }
    n = rslScale(1.0 / length, n);
    // solids are the same on both sides of their centre, so that their reach is the same along n and -n
    *m = rslDot(n, q[0]) < 0.0 ? rslScale(-1.0, n) : n;
    return rslPrimitive_Support(solid->shape, *m) > 0.0;
}

static void VisitTriangle(const rslSolid* solid, const rslVec3 q[3], const rslPlacedOut* out)
{
    rslVec3 m, points[MOST_POINTS];
    if (!Aside(solid, q, &m))
    {
        return;
    }
    int count = PointsAlong(solid, m, points);
    for (int i = 0; i < count; ++i)
    {
        rslPlacedTouch touch = { .feature = i, .normal = m, .point = points[i] };
        touch.gap = rslDot(m, rslSub(q[0], points[i]));
        // behind a corner, but beside the solid
        bool beside = touch.gap < 0.0 && Distance(solid, rslMulAdd(points[i], touch.gap, m)) > 0.0;
        if (touch.gap <= out->reach && !beside && rslTriangle_Over(q, points[i], touch.weights))
        {
            rslPlacedOut_Tell(out, touch);
        }
    }
}

// ---- pairs of features ----------------------------------------------------------------------------------------------

// What sticks out of a solid: cores within a radius of its surface.
typedef struct Cores
{
    int points, edges;
    rslVec3 point[8], edge[12][2];
    double radius;
} Cores;

static Cores CoresOf(const rslSolid* solid)
{
    const rslShape* shape = solid->shape;
    Cores cores = { .points = 1 };
    if (shape->type == rsl_boxShape)
    {
        cores.points = PointsAlong(solid, (rslVec3){ 0.0, 0.0, 1.0 }, cores.point);
        for (int i = 0; i < 8; ++i)
        {
            for (int bit = 1; bit < 8; bit *= 2)
            {
                if ((i & bit) == 0)
                {
                    cores.edge[cores.edges][0] = cores.point[i];
                    cores.edge[cores.edges++][1] = cores.point[i | bit];
                }
            }
        }
    }
    else
    {
        cores.radius = shape->radius;
    }
    if (shape->type == rsl_capsuleShape)
    {
        cores.points = 2;
        cores.edges = 1;
        cores.point[0] = cores.edge[0][0] = (rslVec3){ 0.0, 0.0, -shape->reach };
        cores.point[1] = cores.edge[0][1] = (rslVec3){ 0.0, 0.0, shape->reach };
    }
    return cores;
}

// A point near between the corners, over a core.
static void TellPair(const rslSolid* solid, int feature, int count, const rslVec3* q, rslVec3 near, rslVec3 core,
                     double radius, const rslPlacedOut* out)
{
    rslVec3 apart = rslSub(near, core);
    double length = rslLength(apart);
    rslPlacedTouch touch = { .feature = feature, .gap = length - radius };
    touch.normal = length > 0.0 ? rslScale(1.0 / length, apart) : Gradient(solid, near);
    touch.point = rslMulAdd(core, radius, touch.normal);
    rslCorners_Shares(count, q, near, touch.weights);
    rslPlacedOut_Tell(out, touch);
}

// An edge with every edge and, beside a capsule or a sphere, with the points of the core; a triangle with every point.
static void VisitPairs(const rslSolid* solid, int count, const rslVec3* q, const rslPlacedOut* out)
{
    if (solid->type == rsl_cylinderShape)
    {
        rslApart apart = rslConvex_Apart(solid, count, q);
        rslPlacedTouch touch = { .gap = apart.distance, .normal = apart.normal };
        touch.point = rslMulAdd(apart.near, -apart.distance, apart.normal);
        rslCorners_Shares(count, q, apart.near, touch.weights);
        rslPlacedOut_Tell(out, touch);
        return;
    }
    Cores cores = CoresOf(solid);
    for (int i = 0; count == 2 && i < cores.edges; ++i)
    {
        double s, t;
        (void)rslSegments_Nearest(q[0], q[1], cores.edge[i][0], cores.edge[i][1], &s, &t);
        TellPair(solid, i, count, q, rslAlong(q[0], q[1], s), rslAlong(cores.edge[i][0], cores.edge[i][1], t),
                 cores.radius, out);
    }
    for (int i = 0; (count == 3 || cores.radius > 0.0) && i < cores.points; ++i)
    {
        rslVec3 near = rslCorners_Nearest(count, q, cores.point[i]);
        TellPair(solid, cores.edges + i, count, q, near, cores.point[i], cores.radius, out);
    }
}

// ---- all ------------------------------------------------------------------------------------------------------------

// No point of what is asked about is farther than this from the first corner.
static double SizeOf(int count, const rslVec3* q)
{
    double size = 0.0;
    for (int i = 1; i < count; ++i)
    {
        size = fmax(size, rslLength(rslSub(q[i], q[0])));
    }
    return size;
}

bool rslConvex_IsFar(const rslSolid* solid, int count, const rslVec3* p, const rslVec3* q, double keep)
{
    double way = 0.0;
    for (int i = 0; i < count; ++i)
    {
        way = fmax(way, rslLength(rslSub(q[i], p[i])));
    }
    return Distance(solid, p[0]) - SizeOf(count, p) - way > keep;
}

void rslConvex_Visit(const rslSolid* solid, int count, const rslVec3* q, const rslPlacedOut* out)
{
    if (Distance(solid, q[0]) - SizeOf(count, q) > out->reach)
    {
        return;
    }
    if (out->whole && count > 1)
    {
        VisitPairs(solid, count, q, out);
        return;
    }
    switch (count)
    {
        case 1: rslPlacedOut_Tell(out, rslConvex_Nearest(solid, q[0])); break;
        case 2: VisitEdge(solid, q[0], q[1], out); break;
        default: VisitTriangle(solid, q, out); break;
    }
}

static void TryPoint(const rslSolid* solid, rslVec3 q, rslApart* best)
{
    double distance = Distance(solid, q);
    if (distance < best->distance)
    {
        *best = (rslApart){ distance, q, Gradient(solid, q) };
    }
}

// A triangle that the solid may stick through: its least distance on lines along q0 q1 is a convex function of where they lie.
static void TryInside(const rslSolid* solid, const rslVec3 q[3], rslApart* best)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < HALVINGS && best->distance > 0.0; ++i)
    {
        double third[2] = { low + (high - low) / 3.0, high - (high - low) / 3.0 }, found[2];
        for (int k = 0; k < 2; ++k)
        {
            rslVec3 a = rslAlong(q[0], q[2], third[k]), b = rslAlong(q[1], q[2], third[k]);
            rslVec3 least = rslAlong(a, b, LeastAlong(solid, a, b));
            found[k] = Distance(solid, least);
            TryPoint(solid, least, best);
        }
        low = found[0] > found[1] ? third[0] : low;
        high = found[0] > found[1] ? high : third[1];
    }
}

static void TryTriangle(const rslSolid* solid, const rslVec3 q[3], rslApart* best)
{
    rslVec3 m, points[MOST_POINTS];
    double weights[3];
    if (best->distance <= 0.0 || !Aside(solid, q, &m))
    {
        return;
    }
    if (rslDot(m, q[0]) < rslPrimitive_Support(solid->shape, m))
    {
        TryInside(solid, q, best);
        return;
    }
    int count = PointsAlong(solid, m, points);
    for (int i = 0; i < count; ++i)
    {
        double gap = rslDot(m, rslSub(q[0], points[i]));
        if (gap < best->distance && rslTriangle_Over(q, points[i], weights))
        {
            *best = (rslApart){ gap, rslMulAdd(points[i], gap, m), m };
        }
    }
}

rslApart rslConvex_Apart(const rslSolid* solid, int count, const rslVec3* q)
{
    rslApart best = { .distance = INFINITY };
    for (int i = 0; i < count; ++i)
    {
        TryPoint(solid, q[i], &best);
    }
    for (int i = 0; i < (count == 3 ? 3 : count - 1); ++i)
    {
        rslVec3 a = q[i], b = q[(i + 1) % count];
        TryPoint(solid, rslAlong(a, b, LeastAlong(solid, a, b)), &best);
    }
    if (count == 3)
    {
        TryTriangle(solid, q, &best);
    }
    return best;
}
