// SPDX-License-Identifier: MIT
//
// hinge.c: see hinge.h.
//
// Corners a, b on the edge, c and d across it, triangles (a, b, c) and (b, a, d). With e = b - a, L = |e|, n = e / L:
//   N1 = e x (c - a),  N2 = (d - a) x e           normals as long as twice the areas
//   theta = atan2(n.(N2 x N1), N1.N2)             0 when flat, positive when c and d are lifted, in (-pi, pi]
//   G = N / N^2,  p = n.(c - a),  q = n.(d - a)
//   dtheta/dc = L G1,  dtheta/dd = L G2,  dtheta/db = -(p G1 + q G2),  dtheta/da = minus the sum of these:
// a corner that is lifted by z turns its triangle by z over its height, which is |N| / L. The four sum to zero and have no torque.
//
// A hinge measures a = (theta - theta0) r1 r2, with theta - theta0 in (-pi, pi]: a fold is followed a little through itself, and
// pushed back. r fades out a triangle that has hardly an area, whose normal means nothing: with x = N^2 / (0.05 N0)^2,
// r = x^3 (10 - 15 x + 6 x^2) for x < 1 and 1 beyond. So the energy is twice differentiable up to triangles without an area.

#include "hinge.h"

#include "elementary.h"
#include "vec.h"

// One of its triangles.
typedef struct Side
{
    rslVec3 arm;            // c - a or d - a
    rslVec3 normal, slope;  // N, G
    double square, along;   // N^2, p
    double r, dr, ddr;      // by x
} Side;

typedef struct Shape
{
    rslVec3 e, n;
    double length;
    Side side[2];
    double theta;  // less theta0
    bool flat;     // some triangle has no area: the hinge does nothing
} Shape;

static void FindFade(Side* side, double fade)
{
    double x = side->square * fade;
    side->r = x < 1.0 ? x * x * x * (10.0 + x * (6.0 * x - 15.0)) : 1.0;
    side->dr = x < 1.0 ? 30.0 * x * x * (1.0 - x) * (1.0 - x) : 0.0;
    side->ddr = x < 1.0 ? 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) : 0.0;
}

static Shape MakeShape(const rslHinge* hinge, const rslVec3 x[4])
{
    Shape shape = { .e = rslSub(x[1], x[0]) };
    shape.length = rslLength(shape.e);
    shape.n = rslNormalize(shape.e);
    for (int s = 0; s < 2; ++s)
    {
        Side* side = &shape.side[s];
        side->arm = rslSub(x[2 + s], x[0]);
        side->normal = s == 0 ? rslCross(shape.e, side->arm) : rslCross(side->arm, shape.e);
        side->square = rslDot(side->normal, side->normal);
        side->along = rslDot(shape.n, side->arm);
        bool flat = !(side->square * hinge->fade[s] > 1e-20);
        side->slope = flat ? (rslVec3){ 0 } : rslScale(1.0 / side->square, side->normal);
        shape.flat = shape.flat || flat;
        FindFade(side, hinge->fade[s]);
    }
    rslVec3 one = shape.side[0].normal, two = shape.side[1].normal;
    double sine = rslDot(shape.n, rslCross(two, one)), cosine = rslDot(one, two);
    shape.theta =
        rslArcTangent(sine * hinge->cosine - cosine * hinge->sine, cosine * hinge->cosine + sine * hinge->sine);
    return shape;
}

// out += factor d(N^2)/dx with N = e x arm, or arm x e; of a when all is done.
static void AddArea(rslVec3 e, rslVec3 arm, rslVec3 normal, int s, double factor, rslVec3 out[4])
{
    double sign = s == 0 ? 2.0 * factor : -2.0 * factor;
    out[1] = rslMulAdd(out[1], sign, rslCross(arm, normal));
    out[2 + s] = rslMulAdd(out[2 + s], sign, rslCross(normal, e));
}

// out += factor dtheta/dx; of a when all is done.
static void AddTurn(const Shape* shape, double factor, rslVec3 out[4])
{
    for (int s = 0; s < 2; ++s)
    {
        const Side* side = &shape->side[s];
        out[2 + s] = rslMulAdd(out[2 + s], factor * shape->length, side->slope);
        out[1] = rslMulAdd(out[1], -factor * side->along, side->slope);
    }
}

// The four sum to zero.
static void Close(rslVec3 out[4])
{
    out[0] = rslScale(-1.0, rslAdd(out[1], rslAdd(out[2], out[3])));
}

rslHinge rslHinge_Make(const rslVec3 x[4])
{
    rslHinge plain = { 0.0, 1.0, { 0.0, 0.0 } };
    Shape shape = MakeShape(&plain, x);
    rslVec3 one = shape.side[0].normal, two = shape.side[1].normal;
    return (rslHinge){
        .sine = rslDot(shape.n, rslCross(two, one)),
        .cosine = rslDot(one, two),
        .fade = { 400.0 / shape.side[0].square, 400.0 / shape.side[1].square },
    };
}

rslHingeView rslHinge_Look(const rslHinge* hinge, const rslVec3 x[4])
{
    Shape shape = MakeShape(hinge, x);
    rslHingeView view = { 0 };
    if (shape.flat)
    {
        return view;
    }
    double both = shape.side[0].r * shape.side[1].r;
    view.angle = shape.theta * both;
    AddTurn(&shape, both, view.gradient);
    for (int s = 0; s < 2; ++s)
    {
        const Side* side = &shape.side[s];
        double factor = shape.theta * side->dr * hinge->fade[s] * shape.side[1 - s].r;
        if (factor != 0.0)
        {
            AddArea(shape.e, side->arm, side->normal, s, factor, view.gradient);
        }
    }
    Close(view.gradient);
    return view;
}

// ---- second derivatives: the gradient, differentiated factor by factor ----------------------------------------------

// What a motion changes.
typedef struct Move
{
    rslVec3 e, arm[2], normal[2], slope[2];
    double length, along[2], x[2];
    double theta, both;  // r1 r2
} Move;

static Move MakeMove(const rslHinge* hinge, const Shape* shape, const rslVec3 m[4])
{
    Move move = { .e = rslSub(m[1], m[0]) };
    move.length = rslDot(shape->n, move.e);
    rslVec3 gradient[4] = { 0 }, dn = rslScale(1.0 / shape->length, rslMulAdd(move.e, -move.length, shape->n));
    AddTurn(shape, 1.0, gradient);
    Close(gradient);
    for (int i = 0; i < 4; ++i)
    {
        move.theta += rslDot(gradient[i], m[i]);
    }
    for (int s = 0; s < 2; ++s)
    {
        const Side* side = &shape->side[s];
        move.arm[s] = rslSub(m[2 + s], m[0]);
        rslVec3 normal = rslAdd(rslCross(move.e, side->arm), rslCross(shape->e, move.arm[s]));
        move.normal[s] = s == 0 ? normal : rslScale(-1.0, normal);
        double square = 2.0 * rslDot(side->normal, move.normal[s]);
        move.slope[s] = rslScale(1.0 / side->square, rslMulAdd(move.normal[s], -square, side->slope));
        move.along[s] = rslDot(dn, side->arm) + rslDot(shape->n, move.arm[s]);
        move.x[s] = square * hinge->fade[s];
        move.both += shape->side[1 - s].r * side->dr * move.x[s];
    }
    return move;
}

// Of the part that comes from a triangle with hardly an area.
static void AddFade(const rslHinge* hinge, const Shape* shape, const Move* move, int s, rslVec3 out[4])
{
    const Side *side = &shape->side[s], *other = &shape->side[1 - s];
    double factor = hinge->fade[s] * shape->theta * side->dr * other->r;
    double change =
        hinge->fade[s] * (move->theta * side->dr * other->r + shape->theta * side->ddr * move->x[s] * other->r +
                          shape->theta * side->dr * other->dr * move->x[1 - s]);
    AddArea(shape->e, side->arm, side->normal, s, change, out);
    AddArea(move->e, move->arm[s], side->normal, s, factor, out);
    AddArea(shape->e, side->arm, move->normal[s], s, factor, out);
}

void rslHinge_Second(const rslHinge* hinge, const rslVec3 x[4], const rslVec3 m[4], rslVec3 out[4])
{
    Shape shape = MakeShape(hinge, x);
    for (int i = 0; i < 4; ++i)
    {
        out[i] = (rslVec3){ 0 };
    }
    if (shape.flat)
    {
        return;
    }
    Move move = MakeMove(hinge, &shape, m);
    double both = shape.side[0].r * shape.side[1].r;
    AddTurn(&shape, move.both, out);
    for (int s = 0; s < 2; ++s)
    {
        const Side* side = &shape.side[s];
        out[2 + s] = rslMulAdd(out[2 + s], both * move.length, side->slope);
        out[2 + s] = rslMulAdd(out[2 + s], both * shape.length, move.slope[s]);
        out[1] = rslMulAdd(out[1], -both * move.along[s], side->slope);
        out[1] = rslMulAdd(out[1], -both * side->along, move.slope[s]);
        if (side->square * hinge->fade[s] < 1.0)
        {
            AddFade(hinge, &shape, &move, s, out);
        }
    }
    Close(out);
}
