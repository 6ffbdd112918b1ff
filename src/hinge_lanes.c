// SPDX-License-Identifier: MIT
//
// hinge_lanes.c: see hinge_lanes.h.
//
// Formulas and names are those of hinge.c for triangles that do not fade, r = 1: what is left out there adds nothing. Loops over lanes have
// neither branches nor loops within, so that they become vectors.

#include "hinge_lanes.h"

#include "elementary.h"

#include <math.h>

typedef struct Vector
{
    double x, y, z;
} Vector;

RSL_INLINE Vector Add(Vector a, Vector b)
{
    return (Vector){ a.x + b.x, a.y + b.y, a.z + b.z };
}

RSL_INLINE Vector Sub(Vector a, Vector b)
{
    return (Vector){ a.x - b.x, a.y - b.y, a.z - b.z };
}

RSL_INLINE Vector Scale(double s, Vector a)
{
    return (Vector){ s * a.x, s * a.y, s * a.z };
}

RSL_INLINE double Dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

RSL_INLINE Vector Cross(Vector a, Vector b)
{
    return (Vector){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

RSL_INLINE Vector Get(const double from[3][RSL_LANES], int i)
{
    return (Vector){ from[0][i], from[1][i], from[2][i] };
}

RSL_INLINE void Put(Vector v, double to[3][RSL_LANES], int i)
{
    to[0][i] = v.x;
    to[1][i] = v.y;
    to[2][i] = v.z;
}

// One of its triangles.
typedef struct Side
{
    Vector arm, normal, slope;
    double square, along;
} Side;

typedef struct Shape
{
    Vector e, n;
    double length;
    Side side[2];
} Shape;

RSL_INLINE Side SideOf(const Shape* shape, Vector arm, Vector normal)
{
    const double square = Dot(normal, normal);
    return (Side){ .arm = arm,
                   .normal = normal,
                   .slope = Scale(1.0 / square, normal),
                   .square = square,
                   .along = Dot(shape->n, arm) };
}

RSL_INLINE Shape ShapeOf(const rslHinges* h, int i)
{
    const Vector a = Get(h->x[0], i), c = Sub(Get(h->x[2], i), a), d = Sub(Get(h->x[3], i), a);
    Shape shape = { .e = Sub(Get(h->x[1], i), a) };
    shape.length = sqrt(Dot(shape.e, shape.e));
    shape.n = Scale(1.0 / shape.length, shape.e);
    shape.side[0] = SideOf(&shape, c, Cross(shape.e, c));
    shape.side[1] = SideOf(&shape, d, Cross(d, shape.e));
    return shape;
}

// The four sum to zero.
RSL_INLINE void Close(Vector b, Vector c, Vector d, double out[4][3][RSL_LANES], int i)
{
    Put(Scale(-1.0, Add(b, Add(c, d))), out[0], i);
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
        double a = fabs(x[i]), b = fabs(y[i]), large = a > b ? a : b, small = a > b ? b : a;
        bool far = small > 0.41421356237309503 * large;
        tangent[i] = (far ? small - large : small) / (far ? small + large : large);
    }
    rslLanes t, s, p = { 0 };
    rslLanes_Get(tangent, &t);
    s = t * t;
    for (int n = RSL_ARC_TANGENT_TERMS - 1; n >= 0; --n)
    {
        p = s * (rslArcTangentTerms[n] - p);
    }
    t -= t * p;
    memcpy(tangent, &t, sizeof t);
    for (int i = 0; i < RSL_LANES; ++i)
    {
        double a = fabs(x[i]), b = fabs(y[i]), large = a > b ? a : b, small = a > b ? b : a;
        bool far = small > 0.41421356237309503 * large;
        double of = tangent[i] + (far ? 0.78539816339744828 : 0.0);
        of = b > a ? 1.5707963267948966 - of : of;
        of = x[i] < 0.0 ? 3.1415926535897931 - of : of;
        of = y[i] < 0.0 ? -of : of;
        angle[i] = large > 0.0 ? of : 0.0;
    }
}

RSL_CLONES static void LookAtHinges(const rslHinges* restrict h, rslHingeViews* restrict v)
{
    double y[RSL_LANES], x[RSL_LANES];
    for (int i = 0; i < RSL_LANES; ++i)
    {
        const Shape shape = ShapeOf(h, i);
        const Side *one = &shape.side[0], *two = &shape.side[1];
        double sine = Dot(shape.n, Cross(two->normal, one->normal)), cosine = Dot(one->normal, two->normal);
        y[i] = sine * h->cosine[i] - cosine * h->sine[i];
        x[i] = cosine * h->cosine[i] + sine * h->sine[i];
        double first = one->square * h->fade[0][i], second = two->square * h->fade[1][i];
        v->area[i] = first < second ? first : second;
        v->area[i] = first == first ? v->area[i] : first;
        const Vector none = { 0.0, 0.0, 0.0 };
        Vector b = Add(none, Scale(-one->along, one->slope));
        Close(Add(b, Scale(-two->along, two->slope)), Add(none, Scale(shape.length, one->slope)),
              Add(none, Scale(shape.length, two->slope)), v->gradient, i);
    }
    ArcTangents(y, x, v->angle);
}

RSL_CLONES static void FindRates(const rslHinges* h, const rslHingeViews* v, double* restrict rate)
{
    for (int i = 0; i < RSL_LANES; ++i)
    {
        rate[i] = Dot(Get(v->gradient[0], i), Get(h->m[0], i)) + Dot(Get(v->gradient[1], i), Get(h->m[1], i)) +
                  Dot(Get(v->gradient[2], i), Get(h->m[2], i)) + Dot(Get(v->gradient[3], i), Get(h->m[3], i));
    }
}

// What a motion changes of a triangle.
typedef struct Change
{
    Vector slope;
    double along;
} Change;

RSL_INLINE Change ChangeOf(const Shape* shape, const Side* side, Vector arm, Vector normal, Vector n)
{
    const double square = 2.0 * Dot(side->normal, normal);
    return (Change){ .slope = Scale(1.0 / side->square, Add(normal, Scale(-square, side->slope))),
                     .along = Dot(n, side->arm) + Dot(shape->n, arm) };
}

RSL_CLONES static void FindSecond(const rslHinges* restrict h, rslHingeViews* restrict v)
{
    for (int i = 0; i < RSL_LANES; ++i)
    {
        const Shape shape = ShapeOf(h, i);
        const Side *one = &shape.side[0], *two = &shape.side[1];
        const Vector a = Get(h->m[0], i), e = Sub(Get(h->m[1], i), a), c = Sub(Get(h->m[2], i), a),
                     d = Sub(Get(h->m[3], i), a);
        const double length = Dot(shape.n, e);
        const Vector n = Scale(1.0 / shape.length, Add(e, Scale(-length, shape.n)));
        const Vector first = Add(Cross(e, one->arm), Cross(shape.e, c));
        const Vector second = Scale(-1.0, Add(Cross(e, two->arm), Cross(shape.e, d)));
        const Change p = ChangeOf(&shape, one, c, first, n), q = ChangeOf(&shape, two, d, second, n);
        const Vector none = { 0.0, 0.0, 0.0 };
        Vector atC = Add(Add(none, Scale(length, one->slope)), Scale(shape.length, p.slope));
        Vector atD = Add(Add(none, Scale(length, two->slope)), Scale(shape.length, q.slope));
        Vector atB = Add(Add(none, Scale(-p.along, one->slope)), Scale(-one->along, p.slope));
        atB = Add(Add(atB, Scale(-q.along, two->slope)), Scale(-two->along, q.slope));
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
