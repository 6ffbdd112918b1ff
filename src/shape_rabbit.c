// SPDX-License-Identifier: MIT
//
// shape_rabbit.c: a sitting rabbit of height 1 as a smooth blend of ellipsoids and tapered capsules.
//
// Every part is a function whose slope is nowhere more than one, negative inside. Two are blended by the quadratic
// smooth minimum: with u = max(k - |a - b|, 0),
//     blend(a, b) = min(a, b) - u^2 / (4 k)
// Its gradient is a mean of the two gradients, so the slope of the blend is at most one as well, and the value never
// exceeds the distance. The rabbit is symmetric: only one of each pair is evaluated, at |y|. The sole is cut flat.

#include "shape_internal.h"

static double Blend(double a, double b, double k)
{
    double gap = fabs(a - b), least = a < b ? a : b;
    if (gap >= k)
    {
        return least;
    }
    double u = k - gap;
    return least - u * u / (4.0 * k);
}

// (|q / r| - 1) min r: the slope of |q / r| is at most 1 / min r. r holds 1 / radius.
static double Ellipsoid(rslVec3 q, rslVec3 centre, rslVec3 r, double least)
{
    rslVec3 d = { (q.x - centre.x) * r.x, (q.y - centre.y) * r.y, (q.z - centre.z) * r.z };
    return least * (rslLength(d) - 1.0);
}

#define ELLIPSOID(q, cx, cy, cz, rx, ry, rz, least)                                                                    \
    Ellipsoid(q, (rslVec3){ cx, cy, cz }, (rslVec3){ 1.0 / (rx), 1.0 / (ry), 1.0 / (rz) }, least)

// The hull of two balls: the least of |q - (a + t (b - a))| - (ra + t (rb - ra)) over t in [0, 1]. With y along and x
// across the axis of length l and s = (ra - rb) / l, the least is at t l = y - x s / sqrt(1 - s^2), then clamped.
static double Cone(rslVec3 q, rslVec3 a, double ra, rslVec3 b, double rb)
{
    rslVec3 axis = rslSub(b, a), d = rslSub(q, a);
    double ll = rslDot(axis, axis), l = sqrt(ll);
    double y = rslDot(d, axis) / l;
    double xx = rslDot(d, d) - y * y, x = xx > 0.0 ? sqrt(xx) : 0.0;
    double s = (ra - rb) / l;
    double t = (y - x * s / sqrt(1.0 - s * s)) / l;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    double along = y - t * l;
    return sqrt(x * x + along * along) - (ra + t * (rb - ra));
}

// The ear: a leaning ellipsoid with unit axes u (width), v (length) and u x v (thickness). Its centre is at the height
// 1 - sqrt(sum (radius_i axis_i,z)^2), so that its top is at 1.
static double Leaf(rslVec3 q)
{
    const rslVec3 u = { 0.0, 0.9858558466698174, -0.16759549393386897 };
    const rslVec3 v = { -0.2119602147725627, 0.16378743868788936, 0.9634555216934667 };
    const rslVec3 centre = { 0.066, 0.086, 0.8019671593141691 };
    rslVec3 d = rslSub(q, centre), w = rslCross(u, v);
    rslVec3 e = { rslDot(d, u) / 0.064, rslDot(d, v) / 0.205, rslDot(d, w) / 0.046 };
    return 0.046 * (rslLength(e) - 1.0);
}

double rslRabbit_Distance(rslVec3 q)
{
    q.y = fabs(q.y);
    double body = ELLIPSOID(q, -0.095, 0.0, 0.235, 0.235, 0.18, 0.225, 0.18);
    double chest = ELLIPSOID(q, 0.075, 0.0, 0.265, 0.145, 0.138, 0.195, 0.138);
    double haunch = ELLIPSOID(q, -0.095, 0.135, 0.155, 0.15, 0.09, 0.145, 0.09);
    double head = ELLIPSOID(q, 0.15, 0.0, 0.55, 0.15, 0.128, 0.135, 0.128);
    double muzzle = ELLIPSOID(q, 0.275, 0.0, 0.512, 0.062, 0.068, 0.056, 0.056);
    double cheek = ELLIPSOID(q, 0.215, 0.065, 0.50, 0.072, 0.062, 0.068, 0.062);
    double foot = Cone(q, (rslVec3){ -0.13, 0.155, 0.045 }, 0.06, (rslVec3){ 0.12, 0.17, 0.034 }, 0.05);
    double arm = Cone(q, (rslVec3){ 0.13, 0.075, 0.26 }, 0.064, (rslVec3){ 0.19, 0.066, 0.036 }, 0.05);
    double tail = ELLIPSOID(q, -0.325, 0.0, 0.155, 0.085, 0.085, 0.085, 0.085);
    double ear = Leaf(q);

    double d = Blend(body, chest, 0.12);
    d = Blend(d, haunch, 0.03);
    d = Blend(d, head, 0.08);
    d = Blend(d, Blend(muzzle, cheek, 0.02), 0.03);
    d = Blend(d, arm, 0.05);
    d = Blend(d, foot, 0.07);
    d = Blend(d, tail, 0.02);
    d = Blend(d, ear, 0.035);
    return d > -q.z ? d : -q.z;
}

rslBounds rslRabbit_Bounds(void)
{
    return (rslBounds){ { -0.4105, -0.2275, 0.0 }, { 0.3375, 0.2275, 1.0 } };
}
