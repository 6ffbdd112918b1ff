// SPDX-License-Identifier: MIT
//
// cell_fill.c: see cell_fill.h.
//
// A sub-cell of edge h (the cell has edge 1) is decided by the first of these that applies.
//
//   box        It is cut by the six planes of the box: exact at any angle.
//   mesh       What its triangles hide from a point of the cell is cut by planes (cell_mesh.c): exact.
//   far        The function f of the shape never exceeds the distance. |f(c)| >= h sqrt(3)/2 at the centre c: all in or
//              all out, exact.
//   one part   In a union, difference or intersection, parts for which the sub-cell is far drop out. One is left: ask
//              that part alone.
//   two parts  are left, and each is a box or flat (below): A + B - (A and B) is the union, A and B the intersection, A -
//              (A and B) the difference. All of these are cuts by planes, so two boxes are exact, and edges are sharp.
//   plane      The linear fit p(s) = m + g . (s - c) to f at the 8 Gauss points c_i +- h / (2 sqrt 3) differs from f at
//              none of them, nor at c, by more than r <= FLAT |g|, and at no corner by more than 3 FLAT |g|. The
//              sub-cell is cut by the plane p = 0.
//   split      into eight, down to DEEPEST; there, the plane in any case.
//
// Why Gauss points. Near the surface f = f0 + g . s + s . H s / 2, and for a distance H has no part along g. Where the
// plane lies across an axis, the mean of s . H s / 2 over its section of the cube is h^2 tr H / 24, and just that is the
// mean of the eight values: the plane takes away as much on one side of a curved surface as it adds on the other.
//
// The error. If |f - p| <= e in the sub-cell, then f and p have the same sign but for |p| <= e, a slab of thickness
// 2 e / |g|. No plane section of a cube exceeds sqrt 2 h^2, so
//     |error of the volume| <= 2 sqrt 2 h^2 e / |g|
// For f of second degree e <= 3 r: at a corner the terms s_i s_j are h^2/4 against h^2/12 at a Gauss point, and the terms
// s_i^2 differ from their fit by h^2/12 against h^2/24 at c. The corners are asked because f bends sharply half way
// between two surfaces: a gap or a wall thinner than the rim of h / 5 around the Gauss points is seen there only. Where
// the plane misses the cube by more than e there is no error. A sub-cell of the last level that is not flat counts with its whole volume. These bounds are summed up; the true
// error is much smaller, since signs differ. The first moments are bounded by half as much, |s_i| <= 1/2.

#include "cell_fill.h"

#include "cell_mesh.h"
#include "shape_internal.h"

enum
{
    DEEPEST = 4,  // 16^3 sub-cells
};

static const double FLAT = 2e-3;  // distance of a surface from its plane, in cells

// A shape, and the cell in the coordinates in which it is asked: q = base + sum s_i axis_i.
typedef struct View
{
    const rslShape* shape;
    rslVec3 base, axis[3];
    double edge;  // length of an axis
} View;

typedef struct Sub
{
    rslVec3 centre;  // s
    double edge;     // h
    int depth;
    double sign;  // -1: what it holds is taken away
} Sub;

typedef struct Fit
{
    double mean;       // m
    rslVec3 gradient;  // g
    double worst;      // r
} Fit;

static void Fill(rslCellFill* fill, const View* view, const Sub* sub);

static rslVec3 PointAt(const View* view, rslVec3 s)
{
    rslVec3 q = rslMulAdd(view->base, s.x, view->axis[0]);
    return rslMulAdd(rslMulAdd(q, s.y, view->axis[1]), s.z, view->axis[2]);
}

// The same cell in the shape's own axes, which are those in which its parts are asked.
static View OwnView(const View* view)
{
    const rslShape* shape = view->shape;
    View own = { .shape = shape, .base = rslShape_ToOwn(shape, view->base), .edge = view->edge / shape->scale };
    for (int i = 0; i < 3; ++i)
    {
        rslVec3 axis = shape->turned ? rslMatTVec(&shape->rotation, view->axis[i]) : view->axis[i];
        own.axis[i] = rslScale(1.0 / shape->scale, axis);
    }
    return own;
}

// Half the diagonal of a sub-cell.
static double Reach(const View* view, const Sub* sub)
{
    const double halfSqrt3 = 0.8660254037844386;
    return halfSqrt3 * (sub->edge * view->edge);
}

static void AddAll(rslCellFill* fill, const Sub* sub, double sign)
{
    if (sign != 0.0)
    {
        rslMoments_AddCube(&fill->moments, sign, sub->centre, sub->edge);
    }
}

// ---- planes ---------------------------------------------------------------------------------------------------------

// A convex piece of space.
typedef struct Planes
{
    int count;
    rslHalfSpace cut[6];
} Planes;

static void AddCut(rslCellFill* fill, const Sub* sub, double sign, const Planes* planes)
{
    if (sign != 0.0)
    {
        rslMoments_AddClippedCube(&fill->moments, sub->sign * sign, sub->centre, sub->edge, planes->cut, planes->count);
    }
}

// +-q_i <= half_i with q = base + sum s_j axis_j
static Planes BoxPlanes(const View* view)
{
    View own = OwnView(view);
    const double* base = &own.base.x;
    const double* half = &view->shape->half.x;
    Planes planes = { .count = 6 };
    for (int i = 0; i < 3; ++i)
    {
        rslVec3 n = { (&own.axis[0].x)[i], (&own.axis[1].x)[i], (&own.axis[2].x)[i] };
        planes.cut[2 * i] = (rslHalfSpace){ n, half[i] - base[i] };
        planes.cut[2 * i + 1] = (rslHalfSpace){ rslScale(-1.0, n), half[i] + base[i] };
    }
    return planes;
}

static void FillBox(rslCellFill* fill, const View* view, const Sub* sub)
{
    Planes planes = BoxPlanes(view);
    AddCut(fill, sub, 1.0, &planes);
}

static void FillMesh(rslCellFill* fill, const View* view, const Sub* sub)
{
    View own = OwnView(view);
    rslMoments_AddMesh(&fill->moments, sub->sign, sub->centre, sub->edge, view->shape->mesh, own.base, own.axis);
}

// ---- functions ------------------------------------------------------------------------------------------------------

// The signs of the n-th corner of a cube.
static rslVec3 Corner(int n)
{
    return (rslVec3){ n & 1 ? 1.0 : -1.0, n & 2 ? 1.0 : -1.0, n & 4 ? 1.0 : -1.0 };
}

static double ValueAt(const View* view, const Sub* sub, double step, int n)
{
    return rslShape_Distance(view->shape, PointAt(view, rslMulAdd(sub->centre, step, Corner(n))));
}

static Fit FitPlane(const View* view, const Sub* sub, double atCentre)
{
    const double gauss = 0.28867513459481287;  // 1 / (2 sqrt 3)
    double step = gauss * sub->edge, f[8];
    Fit fit = { 0.0, { 0.0, 0.0, 0.0 }, 0.0 };
    for (int n = 0; n < 8; ++n)
    {
        f[n] = ValueAt(view, sub, step, n);
        fit.mean += f[n];
        fit.gradient = rslMulAdd(fit.gradient, f[n], Corner(n));
    }
    // g step, until the last line
    fit.mean *= 0.125;
    fit.gradient = rslScale(0.125, fit.gradient);
    fit.worst = fabs(atCentre - fit.mean);
    for (int n = 0; n < 8; ++n)
    {
        double off = fabs(f[n] - (fit.mean + rslDot(fit.gradient, Corner(n))));
        fit.worst = off > fit.worst ? off : fit.worst;
    }
    fit.gradient = rslScale(1.0 / step, fit.gradient);
    return fit;
}

// The largest |f - p| at a corner.
static double WorstCorner(const View* view, const Sub* sub, const Fit* fit)
{
    double half = 0.5 * sub->edge, worst = 0.0;
    for (int n = 0; n < 8; ++n)
    {
        double off = fabs(ValueAt(view, sub, half, n) - (fit->mean + half * rslDot(fit->gradient, Corner(n))));
        worst = off > worst ? off : worst;
    }
    return worst;
}

// p <= 0 is g . s <= g . c - m
static rslHalfSpace PlaneOf(const Sub* sub, const Fit* fit)
{
    return (rslHalfSpace){ fit->gradient, rslDot(fit->gradient, sub->centre) - fit->mean };
}

static void Split(rslCellFill* fill, const View* view, const Sub* sub)
{
    double quarter = 0.25 * sub->edge;
    for (int n = 0; n < 8; ++n)
    {
        rslVec3 s = { n & 1 ? quarter : -quarter, n & 2 ? quarter : -quarter, n & 4 ? quarter : -quarter };
        Sub part = { rslAdd(sub->centre, s), 0.5 * sub->edge, sub->depth + 1, sub->sign };
        Fill(fill, view, &part);
    }
}

// Whether p stands for f; adds to the bound if so.
static bool IsFlat(rslCellFill* fill, const View* view, const Sub* sub, const Fit* fit)
{
    const double sqrt2 = 1.4142135623730951;
    rslVec3 g = fit->gradient;
    double h = sub->edge, slope = rslLength(g), e = 3.0 * fit->worst;
    double reach = 0.5 * h * (fabs(g.x) + fabs(g.y) + fabs(g.z));
    if (!(fit->worst <= FLAT * slope))
    {
        return false;
    }
    if (slope == 0.0 || fabs(fit->mean) > reach + e)
    {
        return true;
    }
    double corner = WorstCorner(view, sub, fit);
    if (corner > 3.0 * FLAT * slope)
    {
        return false;
    }
    fill->bound += 2.0 * sqrt2 * (h * h) * ((corner > e ? corner : e) / slope);
    return true;
}

// The surface may pass through the sub-cell.
static void FillByPlane(rslCellFill* fill, const View* view, const Sub* sub, double atCentre)
{
    Fit fit = FitPlane(view, sub, atCentre);
    bool flat = IsFlat(fill, view, sub, &fit);
    if (!flat && sub->depth < DEEPEST)
    {
        Split(fill, view, sub);
        return;
    }
    fill->bound += flat ? 0.0 : sub->edge * sub->edge * sub->edge;
    Planes planes = { .count = 1, .cut = { PlaneOf(sub, &fit) } };
    AddCut(fill, sub, 1.0, &planes);
}

static void FillFunction(rslCellFill* fill, const View* view, const Sub* sub)
{
    double f = rslShape_Distance(view->shape, PointAt(view, sub->centre));
    if (fabs(f) < Reach(view, sub))
    {
        FillByPlane(fill, view, sub, f);
    }
    else if (f < 0.0)
    {
        AddAll(fill, sub, sub->sign);
    }
}

// ---- combinations ---------------------------------------------------------------------------------------------------

// What the parts say of a sub-cell. With the function of every later part of a difference turned round, a difference is
// an intersection.
typedef struct Vote
{
    bool decided, inside;  // all in or all out
    int near;              // parts whose surface may pass through it
    int part[2];           // the first two of them
    double value;          // of the combination at the centre
} Vote;

static Vote AskParts(const View* own, const Sub* sub)
{
    const rslShape* shape = own->shape;
    bool isUnion = shape->type == rsl_unionShape;
    rslVec3 q = PointAt(own, sub->centre);
    double reach = Reach(own, sub);
    Vote vote = { .value = 0.0 };
    for (int i = 0; i < shape->partCount; ++i)
    {
        double f = rslShape_Distance(shape->parts[i], q);
        f = shape->type == rsl_differenceShape && i > 0 ? -f : f;
        vote.value = i == 0 || (f < vote.value) == isUnion ? f : vote.value;
        if (fabs(f) < reach)
        {
            vote.part[vote.near < 2 ? vote.near : 1] = vote.near < 2 ? i : vote.part[1];
            ++vote.near;
        }
        else if ((f < 0.0) == isUnion)
        {
            // inside of one part of a union, outside of one part of an intersection
            return (Vote){ .decided = true, .inside = isUnion };
        }
    }
    vote.decided = vote.near == 0;
    vote.inside = !isUnion;
    return vote;
}

// One part is left. Where it is taken away, the sub-cell is full but for it.
static void FillByOne(rslCellFill* fill, const View* own, const Sub* sub, int index)
{
    View view = *own;
    Sub part = *sub;
    view.shape = own->shape->parts[index];
    if (own->shape->type == rsl_differenceShape && index > 0)
    {
        AddAll(fill, sub, sub->sign);
        part.sign = -sub->sign;
    }
    Fill(fill, &view, &part);
}

// A part as planes. False when it is neither a box nor flat nor at the last level.
static bool PlanesOf(rslCellFill* fill, const View* own, const Sub* sub, int index, Planes* planes)
{
    View view = *own;
    view.shape = own->shape->parts[index];
    if (view.shape->type == rsl_boxShape)
    {
        *planes = BoxPlanes(&view);
        return true;
    }
    Fit fit = FitPlane(&view, sub, rslShape_Distance(view.shape, PointAt(&view, sub->centre)));
    bool flat = IsFlat(fill, &view, sub, &fit);
    fill->bound += flat || sub->depth < DEEPEST ? 0.0 : sub->edge * sub->edge * sub->edge;
    *planes = (Planes){ .count = 1, .cut = { PlaneOf(sub, &fit) } };
    return flat || sub->depth == DEEPEST;
}

// A + B - (A and B), A and B, A - (A and B); two that are taken away leave all but their union.
static void AddPair(rslCellFill* fill, rslShapeType type, bool firstStays, const Sub* sub, const Planes pair[2])
{
    rslHalfSpace both[RSL_CLIP_PLANES];
    int count = 0;
    for (int i = 0; i < pair[0].count + pair[1].count; ++i)
    {
        both[count++] = i < pair[0].count ? pair[0].cut[i] : pair[1].cut[i - pair[0].count];
    }
    bool isUnion = type == rsl_unionShape, isDifference = type == rsl_differenceShape;
    double a = isUnion || (isDifference && firstStays) ? 1.0 : isDifference ? -1.0 : 0.0;
    double b = isUnion ? 1.0 : isDifference && !firstStays ? -1.0 : 0.0;
    double common = isUnion || (isDifference && firstStays) ? -1.0 : 1.0;
    if (isDifference && !firstStays)
    {
        AddAll(fill, sub, sub->sign);
    }
    AddCut(fill, sub, a, &pair[0]);
    AddCut(fill, sub, b, &pair[1]);
    rslMoments_AddClippedCube(&fill->moments, sub->sign * common, sub->centre, sub->edge, both, count);
}

static void FillByTwo(rslCellFill* fill, const View* view, const View* own, const Sub* sub, const Vote* vote)
{
    Planes pair[2];
    double before = fill->bound;
    if (PlanesOf(fill, own, sub, vote->part[0], &pair[0]) && PlanesOf(fill, own, sub, vote->part[1], &pair[1]))
    {
        AddPair(fill, own->shape->type, vote->part[0] == 0, sub, pair);
        return;
    }
    fill->bound = before;
    Split(fill, view, sub);
}

static void FillCombination(rslCellFill* fill, const View* view, const Sub* sub)
{
    View own = OwnView(view);
    Vote vote = AskParts(&own, sub);
    if (vote.decided)
    {
        AddAll(fill, sub, vote.inside ? sub->sign : 0.0);
    }
    else if (vote.near == 1)
    {
        FillByOne(fill, &own, sub, vote.part[0]);
    }
    else if (vote.near == 2)
    {
        FillByTwo(fill, view, &own, sub, &vote);
    }
    else if (sub->depth < DEEPEST)
    {
        // not by a plane, though it may look flat: a thin part can hide between two points
        Split(fill, view, sub);
    }
    else
    {
        FillByPlane(fill, view, sub, view->shape->scale * vote.value);
    }
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void Fill(rslCellFill* fill, const View* view, const Sub* sub)
{
    switch (view->shape->type)
    {
        case rsl_boxShape: FillBox(fill, view, sub); break;
        case rsl_meshShape: FillMesh(fill, view, sub); break;
        case rsl_unionShape:
        case rsl_differenceShape:
        case rsl_intersectionShape: FillCombination(fill, view, sub); break;
        default: FillFunction(fill, view, sub); break;
    }
}

rslCellFill rslCell_Fill(const rslShape* shape, rslVec3 centre, const rslMat3* turn, double edge)
{
    View view = { .shape = shape, .base = centre, .edge = edge };
    for (int i = 0; i < 3; ++i)
    {
        rslVec3 unit = { i == 0, i == 1, i == 2 };
        view.axis[i] = rslScale(edge, rslMatVec(turn, unit));
    }
    Sub whole = { { 0.0, 0.0, 0.0 }, 1.0, 0, 1.0 };
    rslCellFill fill = { 0 };
    Fill(&fill, &view, &whole);
    return fill;
}
