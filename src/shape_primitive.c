// SPDX-License-Identifier: MIT
//
// shape_primitive.c: distance and support of box, sphere, ellipsoid, cylinder, capsule and torus in their own axes.

#include "shape_internal.h"

static double Max(double a, double b)
{
    return a > b ? a : b;
}

// Outside, the distance to the nearest point of the box; inside, to the nearest face.
static double BoxDistance(rslVec3 h, rslVec3 q)
{
    rslVec3 d = { fabs(q.x) - h.x, fabs(q.y) - h.y, fabs(q.z) - h.z };
    double deepest = Max(d.x, Max(d.y, d.z));
    if (deepest <= 0.0)
    {
        return deepest;
    }
    return rslLength((rslVec3){ Max(d.x, 0.0), Max(d.y, 0.0), Max(d.z, 0.0) });
}

// The squared distance of q to the ellipsoid sum x_i^2 / r_i^2 = 1 is the largest value of the dual function
//     g(t) = min_x |x - q|^2 + t (sum x_i^2 / r_i^2 - 1) = t (sum q_i^2 / (r_i^2 + t) - 1),   t > -min r^2,
// since there is no duality gap with a single quadratic constraint. Every t gives a lower bound, so that stopping
// early never makes the distance too large. g is concave and g'(t) = h^2 - 1 with h = |y|, y_i = q_i r_i / (r_i^2 + t).
// Newton on 1/h - 1 = 0, which is nearly linear in t, approaches from the left without overshoot:
//     t <- t + (h - 1) h^2 / sum y_i^2 / (r_i^2 + t)
static double EllipsoidDistance(rslVec3 r, rslVec3 q)
{
    double a[3] = { r.x * r.x, r.y * r.y, r.z * r.z };
    double p[3] = { q.x * q.x, q.y * q.y, q.z * q.z };
    double level = p[0] / a[0] + p[1] / a[1] + p[2] / a[2] - 1.0;
    // left of the root each single term of h^2 is at least one: t_i = |q_i| r_i - r_i^2
    double t = -a[0];
    double smallest = Max(r.x * r.x, Max(a[1], a[2]));
    double radius[3] = { r.x, r.y, r.z };
    double along[3] = { fabs(q.x), fabs(q.y), fabs(q.z) };
    for (int i = 0; i < 3; ++i)
    {
        t = Max(t, along[i] * radius[i] - a[i]);
        smallest = a[i] < smallest ? a[i] : smallest;
    }
    t = Max(t, -smallest * (1.0 - 1e-12));
    double best = 0.0;
    for (int iteration = 0; iteration < 12; ++iteration)
    {
        double hh = 0.0, slope = 0.0, sum = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            double s = 1.0 / (a[i] + t);
            double yy = p[i] * a[i] * s * s;
            hh += yy;
            slope += yy * s;
            sum += p[i] * s;
        }
        best = Max(best, t * (sum - 1.0));
        double h = sqrt(hh);
        if (h <= 1.0 + 1e-14 || slope == 0.0)
        {
            break;
        }
        t += (h - 1.0) * hh / slope;
    }
    return level > 0.0 ? sqrt(best) : -sqrt(best);
}

static double CylinderDistance(double radius, double half, rslVec3 q)
{
    double across = sqrt(q.x * q.x + q.y * q.y) - radius, along = fabs(q.z) - half;
    if (across <= 0.0 || along <= 0.0)
    {
        return Max(across, along);
    }
    return sqrt(across * across + along * along);
}

static double CapsuleDistance(double radius, double half, rslVec3 q)
{
    double along = Max(fabs(q.z) - half, 0.0);
    return sqrt(q.x * q.x + q.y * q.y + along * along) - radius;
}

static double TorusDistance(double ring, double tube, rslVec3 q)
{
    double across = sqrt(q.x * q.x + q.y * q.y) - ring;
    return sqrt(across * across + q.z * q.z) - tube;
}

double rslPrimitive_Distance(const rslShape* shape, rslVec3 q)
{
    switch (shape->type)
    {
        case rsl_boxShape: return BoxDistance(shape->half, q);
        case rsl_sphereShape: return rslLength(q) - shape->radius;
        case rsl_ellipsoidShape: return EllipsoidDistance(shape->radii, q);
        case rsl_cylinderShape: return CylinderDistance(shape->radius, shape->reach, q);
        case rsl_capsuleShape: return CapsuleDistance(shape->radius, shape->reach, q);
        case rsl_torusShape: return TorusDistance(shape->radius, shape->tube, q);
        default: RSL_ASSERT(false); return 0.0;
    }
}

double rslPrimitive_Support(const rslShape* shape, rslVec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y);
    rslVec3 r = shape->radii, h = shape->half;
    switch (shape->type)
    {
        case rsl_boxShape: return h.x * fabs(d.x) + h.y * fabs(d.y) + h.z * fabs(d.z);
        case rsl_sphereShape: return shape->radius;
        case rsl_ellipsoidShape: return rslLength((rslVec3){ r.x * d.x, r.y * d.y, r.z * d.z });
        case rsl_cylinderShape: return shape->radius * across + shape->reach * fabs(d.z);
        case rsl_capsuleShape: return shape->radius + shape->reach * fabs(d.z);
        case rsl_torusShape: return shape->radius * across + shape->tube;
        default: RSL_ASSERT(false); return 0.0;
    }
}

static double Sign(double value)
{
    return value < 0.0 ? -1.0 : 1.0;
}

// Along the axes by which the point lies outside; inside, towards the nearest face.
static rslVec3 BoxGradient(rslVec3 h, rslVec3 q)
{
    rslVec3 d = { fabs(q.x) - h.x, fabs(q.y) - h.y, fabs(q.z) - h.z };
    if (d.x <= 0.0 && d.y <= 0.0 && d.z <= 0.0)
    {
        bool x = d.x >= d.y && d.x >= d.z, y = !x && d.y >= d.z;
        return (rslVec3){ x ? Sign(q.x) : 0.0, y ? Sign(q.y) : 0.0, x || y ? 0.0 : Sign(q.z) };
    }
    return rslNormalize((rslVec3){ Sign(q.x) * Max(d.x, 0.0), Sign(q.y) * Max(d.y, 0.0), Sign(q.z) * Max(d.z, 0.0) });
}

static rslVec3 CylinderGradient(double radius, double half, rslVec3 q)
{
    double out = sqrt(q.x * q.x + q.y * q.y), across = out - radius, along = fabs(q.z) - half;
    rslVec3 radial = out > 0.0 ? (rslVec3){ q.x / out, q.y / out, 0.0 } : (rslVec3){ 1.0, 0.0, 0.0 };
    rslVec3 axial = { 0.0, 0.0, Sign(q.z) };
    if (across <= 0.0 || along <= 0.0)
    {
        return across > along ? radial : axial;
    }
    return rslNormalize(rslAdd(rslScale(across, radial), rslScale(along, axial)));
}

rslVec3 rslPrimitive_Gradient(const rslShape* shape, rslVec3 q)
{
    rslVec3 core = { 0.0, 0.0, 0.0 };
    switch (shape->type)
    {
        case rsl_boxShape: return BoxGradient(shape->half, q);
        case rsl_cylinderShape: return CylinderGradient(shape->radius, shape->reach, q);
        case rsl_capsuleShape:
            core.z = q.z < -shape->reach ? -shape->reach : q.z > shape->reach ? shape->reach : q.z;
            break;
        default: RSL_ASSERT(shape->type == rsl_sphereShape); break;
    }
    rslVec3 apart = rslSub(q, core);
    double length = rslLength(apart);
    return length > 0.0 ? rslScale(1.0 / length, apart) : (rslVec3){ 1.0, 0.0, 0.0 };
}
