// SPDX-License-Identifier: MIT
//
// hinge_lanes.c: see hinge_lanes.h.
//
// Formulas and names are those of hinge.c for triangles that do not fade, r = 1: what is left out there adds nothing. Loops over lanes have
// neither branches nor loops within, so that they become vectors.

#include "hinge_lanes.h"

#include "arc_tangent.h"
#include "vec.h"

#define LookAtHinges rslHinges_LookAtAll
#define FindRates rslHinges_FindRates
#define FindSecond rslHinges_FindSecond

RSL_INLINE rslVec3 Get(const double from[3][RSL_LANES], int i)
{
    return (rslVec3){ from[0][i], from[1][i], from[2][i] };
}

RSL_INLINE void Put(rslVec3 v, double to[3][RSL_LANES], int i)
{
    to[0][i] = v.x;
    to[1][i] = v.y;
    to[2][i] = v.z;
}

// One of its triangles.
typedef struct Side
{
    rslVec3 arm, normal, slope;
    double square, along;
} Side;

typedef struct Shape
{
    rslVec3 e, n;
    double length;
    Side side[2];
} Shape;

RSL_INLINE Side SideOf(const Shape* shape, rslVec3 arm, rslVec3 normal)
{
    const double square = rslDot(normal, normal);
    return (Side){ .arm = arm,
                   .normal = normal,
                   .slope = rslScale(1.0 / square, normal),
                   .square = square,
                   .along = rslDot(shape->n, arm) };
}

RSL_INLINE Shape ShapeOf(const rslHinges* h, int i)
{
    const rslVec3 a = Get(h->x[0], i), c = rslSub(Get(h->x[2], i), a), d = rslSub(Get(h->x[3], i), a);
    Shape shape = { .e = rslSub(Get(h->x[1], i), a) };
    shape.length = rslLength(shape.e);
    shape.n = rslScale(1.0 / shape.length, shape.e);
    shape.side[0] = SideOf(&shape, c, rslCross(shape.e, c));
    shape.side[1] = SideOf(&shape, d, rslCross(d, shape.e));
    return shape;
}

// The four sum to zero.
RSL_INLINE void Close(rslVec3 b, rslVec3 c, rslVec3 d, double out[4][3][RSL_LANES], int i)
{
    Put(rslScale(-1.0, rslAdd(b, rslAdd(c, d))), out[0], i);
    Put(b, out[1], i);
    Put(c, out[2], i);
    Put(d, out[3], i);
}

// rslArcTangent
RSL_INLINE void ArcTangents(const double y[RSL_LANES], const double x[RSL_LANES], double angle[RSL_LANES])
{
    double tangent[RSL_LANES];
    for (int i = 0; i < RSL_LANES; ++i)
    {
        tangent[i] = rslArc_Tangent(rslArc_Of(y[i], x[i]));
    }
    rslLanes t, s, p = { 0 };
    rslLanes_Get(tangent, &t);
    s = t * t;
    for (int n = RSL_ARC_TERMS - 1; n >= 0; --n)
    {
        p = s * (rslArcTerms[n] - p);
    }
    t -= t * p;
    memcpy(tangent, &t, sizeof t);
    for (int i = 0; i < RSL_LANES; ++i)
    {
        angle[i] = rslArc_Angle(rslArc_Of(y[i], x[i]), y[i], x[i], tangent[i]);
    }
}

RSL_CLONES static void LookAtHinges(const rslHinges* restrict h, rslHingeViews* restrict v)
{
    double y[RSL_LANES], x[RSL_LANES];
    for (int i = 0; i < RSL_LANES; ++i)
    {
        const Shape shape = ShapeOf(h, i);
        const Side *one = &shape.side[0], *two = &shape.side[1];
        double sine = rslDot(shape.n, rslCross(two->normal, one->normal)), cosine = rslDot(one->normal, two->normal);
        y[i] = sine * h->cosine[i] - cosine * h->sine[i];
        x[i] = cosine * h->cosine[i] + sine * h->sine[i];
        double first = one->square * h->fade[0][i], second = two->square * h->fade[1][i];
        v->area[i] = first < second ? first : second;
        v->area[i] = first == first ? v->area[i] : first;
        const rslVec3 none = { 0.0, 0.0, 0.0 };
        rslVec3 b = rslAdd(none, rslScale(-one->along, one->slope));
        Close(rslAdd(b, rslScale(-two->along, two->slope)), rslAdd(none, rslScale(shape.length, one->slope)),
              rslAdd(none, rslScale(shape.length, two->slope)), v->gradient, i);
    }
    ArcTangents(y, x, v->angle);
}

RSL_CLONES static void FindRates(const rslHinges* h, const rslHingeViews* v, double* restrict rate)
{
    for (int i = 0; i < RSL_LANES; ++i)
    {
        rate[i] = rslDot(Get(v->gradient[0], i), Get(h->m[0], i)) + rslDot(Get(v->gradient[1], i), Get(h->m[1], i)) +
                  rslDot(Get(v->gradient[2], i), Get(h->m[2], i)) + rslDot(Get(v->gradient[3], i), Get(h->m[3], i));
    }
}

// What a motion changes of a triangle.
typedef struct Change
{
    rslVec3 slope;
    double along;
} Change;

RSL_INLINE Change ChangeOf(const Shape* shape, const Side* side, rslVec3 arm, rslVec3 normal, rslVec3 n)
{
    const double square = 2.0 * rslDot(side->normal, normal);
    return (Change){ .slope = rslScale(1.0 / side->square, rslAdd(normal, rslScale(-square, side->slope))),
                     .along = rslDot(n, side->arm) + rslDot(shape->n, arm) };
}

RSL_CLONES static void FindSecond(const rslHinges* restrict h, rslHingeViews* restrict v)
{
    for (int i = 0; i < RSL_LANES; ++i)
    {
        const Shape shape = ShapeOf(h, i);
        const Side *one = &shape.side[0], *two = &shape.side[1];
        const rslVec3 a = Get(h->m[0], i), e = rslSub(Get(h->m[1], i), a), c = rslSub(Get(h->m[2], i), a),
                      d = rslSub(Get(h->m[3], i), a);
        const double length = rslDot(shape.n, e);
        const rslVec3 n = rslScale(1.0 / shape.length, rslAdd(e, rslScale(-length, shape.n)));
        const rslVec3 first = rslAdd(rslCross(e, one->arm), rslCross(shape.e, c));
        const rslVec3 second = rslScale(-1.0, rslAdd(rslCross(e, two->arm), rslCross(shape.e, d)));
        const Change p = ChangeOf(&shape, one, c, first, n), q = ChangeOf(&shape, two, d, second, n);
        const rslVec3 none = { 0.0, 0.0, 0.0 };
        rslVec3 atC = rslAdd(rslAdd(none, rslScale(length, one->slope)), rslScale(shape.length, p.slope));
        rslVec3 atD = rslAdd(rslAdd(none, rslScale(length, two->slope)), rslScale(shape.length, q.slope));
        rslVec3 atB = rslAdd(rslAdd(none, rslScale(-p.along, one->slope)), rslScale(-one->along, p.slope));
        atB = rslAdd(rslAdd(atB, rslScale(-q.along, two->slope)), rslScale(-two->along, q.slope));
        Close(atB, atC, atD, v->second, i);
    }
}

void rslHinges_Look(const rslHinges* hinges, rslHingeViews* views)
{
    LookAtHinges(hinges, views);
}

void rslHinges_Rates(const rslHinges* hinges, rslHingeViews* views)
{
    FindRates(hinges, views, views->rate);
}

void rslHinges_Second(const rslHinges* hinges, rslHingeViews* views)
{
    FindSecond(hinges, views);
}
