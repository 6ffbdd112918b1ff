// SPDX-License-Identifier: MIT
//
// element_triangle.c: the linear triangle in plane stress, in space: a membrane without stiffness in bending.
//
// With unit vectors e1, e2 in its plane at rest, D the edges X_k - X_0 in these axes and U the columns u_k - u_0,
//   H = U D^-1 (3 x 2),   F = [e1 e2] + H,   W = V psi,   f_k = -V (P D^-T)_k.
// lambda here is that of plane stress, E nu / (1 - nu^2). Green's strain E = sym(e.H) + H^T H / 2, C = 1 + 2 E.
//
// linear         psi = mu |e|^2 + lambda/2 tr(e)^2,  e = sym(e.H);  P = [e1 e2] (2 mu e + lambda tr(e) 1)
// The others have P = F S, S(C) the second stress of Piola and Kirchhoff, and dP = dF S + F dS. With d = sqrt(det C):
// corotational   psi = mu |D|^2 + lambda/2 tr(D)^2,  D = sqrt(C) - 1,  S = sqrt(C)^-1 (2 mu D + lambda tr(D) 1)
//                sqrt(C) = (C + d 1) / t,  t = tr sqrt(C) = sqrt(tr C + 2 d)
// neo-Hookean    psi = mu/2 (tr C - 2) - mu (d - 1) + l/2 (d - 1)^2,  l = lambda + mu
//                S = mu 1 + (l (d - 1) - mu) adj(C) / d
// A membrane that is flat on the wrong side is as well at rest as on the right one: d is never negative.

#include "element_law.h"

typedef Real Pair[3];     // of a symmetric 2 x 2 matrix: 11 22 12
typedef Real Columns[6];  // 3 x 2, a column after the other

static void Rest(Element* element, Real* rest, double (*x)[3], const rslElements* set, int index)
{
    (void)set;
    (void)index;
    double a[3], b[3], length = 0.0, along = 0.0, height = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        a[axis] = x[1][axis] - x[0][axis];
        b[axis] = x[2][axis] - x[0][axis];
        length += a[axis] * a[axis];
    }
    length = sqrt(length);
    for (int axis = 0; axis < 3; ++axis)
    {
        a[axis] /= length;
        along += a[axis] * b[axis];
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        b[axis] -= along * a[axis];
        height += b[axis] * b[axis];
    }
    height = sqrt(height);
    for (int axis = 0; axis < 3; ++axis)
    {
        rest[axis] = (Real)a[axis];
        rest[3 + axis] = (Real)(b[axis] / height);
    }
    // D = [length along; 0 height], D^-1 by rows
    rest[6] = (Real)(1.0 / length);
    rest[7] = (Real)(-along / (length * height));
    rest[8] = 0;
    rest[9] = (Real)(1.0 / height);
    element->volume = (Real)((double)element->volume * (0.5 * length * height));
}

static void Gradient(const Element* element, Real (*u)[3], Columns h)
{
    const Real* d = element->rest + 6;
    for (int axis = 0; axis < 3; ++axis)
    {
        Real a = u[1][axis] - u[0][axis], b = u[2][axis] - u[0][axis];
        h[axis] = a * d[0] + b * d[2];
        h[3 + axis] = a * d[1] + b * d[3];
    }
}

static void Spread(const Element* element, const Columns p, Real factor, Nodes out)
{
    const Real* d = element->rest + 6;
    Real scale = factor * element->volume;
    for (int axis = 0; axis < 3; ++axis)
    {
        out[1][axis] = scale * (p[axis] * d[0] + p[3 + axis] * d[1]);
        out[2][axis] = scale * (p[axis] * d[2] + p[3 + axis] * d[3]);
        out[0][axis] = -(out[1][axis] + out[2][axis]);
    }
}

static inline Real Dot(const Real* a, const Real* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// sym(a^T b)
static inline void Products(const Real* a, const Real* b, Pair out)
{
    out[0] = Dot(a, b);
    out[1] = Dot(a + 3, b + 3);
    out[2] = (Real)0.5 * (Dot(a, b + 3) + Dot(a + 3, b));
}

// out = F S
static inline void Push(const Real* f, const Pair s, Columns out)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis] = f[axis] * s[0] + f[3 + axis] * s[2];
        out[3 + axis] = f[axis] * s[2] + f[3 + axis] * s[1];
    }
}

static inline void HookePlane(const Element* element, const Pair e, Pair out)
{
    Real pressure = element->lambda * (e[0] + e[1]), two = (Real)2 * element->mu;
    out[0] = two * e[0] + pressure;
    out[1] = two * e[1] + pressure;
    out[2] = two * e[2];
}

// What the strain says: F, 2 E, and d - 1; roots are kept off zero.
typedef struct Membrane
{
    Columns f;
    Pair twice;      // 2 E
    Real d, less;    // d, d - 1
    Real trace;      // t
    Pair root, dev;  // sqrt(C), sqrt(C) - 1
} Membrane;

static void Look(const Element* element, const Columns h, Membrane* m)
{
    Pair linear, square;
    for (int c = 0; c < 6; ++c)
    {
        m->f[c] = element->rest[c] + h[c];
    }
    Products(element->rest, h, linear);
    Products(h, h, square);
    for (int c = 0; c < 3; ++c)
    {
        m->twice[c] = (Real)2 * linear[c] + square[c];
    }
    Real more = m->twice[0] + m->twice[1] + (m->twice[0] * m->twice[1] - m->twice[2] * m->twice[2]);  // det C - 1
    Real det = (Real)1 + more;
    m->d = SquareRoot(det > (Real)1e-8 ? det : (Real)1e-8);
    m->less = det > (Real)1e-8 ? more / ((Real)1 + m->d) : m->d - (Real)1;
    Real excess = m->twice[0] + m->twice[1] + (Real)2 * m->less;  // t^2 - 4
    m->trace = SquareRoot((Real)4 + excess > (Real)1e-4 ? (Real)4 + excess : (Real)1e-4);
    Real shift = m->less - excess / (m->trace + (Real)2);
    for (int c = 0; c < 3; ++c)
    {
        m->dev[c] = (m->twice[c] + (c < 2 ? shift : (Real)0)) / m->trace;
        m->root[c] = m->dev[c] + (c < 2 ? (Real)1 : (Real)0);
    }
}

// sqrt(C)^-1 a of what commutes with it
static inline void Divide(const Membrane* m, const Pair a, Pair out)
{
    const Real* s = m->root;
    out[0] = (s[1] * a[0] - s[2] * a[2]) / m->d;
    out[1] = (s[0] * a[1] - s[2] * a[2]) / m->d;
    out[2] = (s[1] * a[2] - s[2] * a[1]) / m->d;
}

static void SecondStress(const Element* element, rslElementLaw law, const Membrane* m, Pair s)
{
    if (law == rsl_corotationalElement)
    {
        Pair t;
        HookePlane(element, m->dev, t);
        Divide(m, t, s);
        return;
    }
    // adj C = 1 + adj(2 E)
    Real mu = element->mu, l = element->lambda + mu;
    const Pair adjugate = { m->twice[1], m->twice[0], -m->twice[2] };
    for (int c = 0; c < 3; ++c)
    {
        Real one = c < 2 ? (Real)1 : (Real)0;
        s[c] = (mu * (m->less * one - adjugate[c]) + l * m->less * (one + adjugate[c])) / m->d;
    }
}

// d sqrt(C) for dC.
static void RootDifferential(const Membrane* m, const Pair dc, Pair droot)
{
    const Real c11 = (Real)1 + m->twice[0], c22 = (Real)1 + m->twice[1], c12 = m->twice[2];
    Real dd = (Real)0.5 * (c22 * dc[0] + c11 * dc[1] - (Real)2 * c12 * dc[2]) / m->d;
    Real dt = (Real)0.5 * (dc[0] + dc[1] + (Real)2 * dd) / m->trace;
    for (int c = 0; c < 3; ++c)
    {
        droot[c] = (dc[c] + (c < 2 ? dd : (Real)0) - dt * m->root[c]) / m->trace;
    }
}

// dS for dC.
static void SecondDifferential(const Element* element, rslElementLaw law, const Membrane* m, const Pair s,
                               const Pair dc, Pair ds)
{
    const Real c11 = (Real)1 + m->twice[0], c22 = (Real)1 + m->twice[1], c12 = m->twice[2];
    Real dd = (Real)0.5 * (c22 * dc[0] + c11 * dc[1] - (Real)2 * c12 * dc[2]) / m->d;
    if (law == rsl_corotationalElement)
    {
        Pair droot, dstress;
        RootDifferential(m, dc, droot);
        HookePlane(element, droot, dstress);
        // root S = T: dS = root^-1 (dT - droot S), whose symmetric part is all there is
        const Real* q = m->root;
        Real a11 = dstress[0] - (droot[0] * s[0] + droot[2] * s[2]),
             a12 = dstress[2] - (droot[0] * s[2] + droot[2] * s[1]);
        Real a21 = dstress[2] - (droot[2] * s[0] + droot[1] * s[2]),
             a22 = dstress[1] - (droot[2] * s[2] + droot[1] * s[1]);
        ds[0] = (q[1] * a11 - q[2] * a21) / m->d;
        ds[1] = (q[0] * a22 - q[2] * a12) / m->d;
        ds[2] = (Real)0.5 * ((q[1] * a12 - q[2] * a22) + (q[0] * a21 - q[2] * a11)) / m->d;
        return;
    }
    Real mu = element->mu, l = element->lambda + mu, g = (l * m->less - mu) / m->d, dg = (l - g) * dd / m->d;
    const Pair adjugate = { c22, c11, -c12 }, change = { dc[1], dc[0], -dc[2] };
    for (int c = 0; c < 3; ++c)
    {
        ds[c] = g * change[c] + dg * adjugate[c];
    }
}

static double Energy(const Element* element, rslElementLaw law, Real (*u)[3])
{
    Columns h;
    Pair e;
    Membrane m;
    Gradient(element, u, h);
    double mu = (double)element->mu, lambda = (double)element->lambda, less;
    Look(element, h, &m);
    less = (double)m.less;
    if (law == rsl_neoHookeanElement)
    {
        double stretch = (double)m.twice[0] + (double)m.twice[1];
        return (double)element->volume * (mu * (0.5 * stretch - less) + 0.5 * (lambda + mu) * less * less);
    }
    Products(element->rest, h, e);
    const Real* strain = law == rsl_linearElement ? e : m.dev;
    double xx = (double)strain[0], yy = (double)strain[1], xy = (double)strain[2];
    double square = xx * xx + yy * yy + 2.0 * xy * xy;
    return (double)element->volume * (mu * square + 0.5 * lambda * (xx + yy) * (xx + yy));
}

static void Force(const Element* element, rslElementLaw law, Real (*u)[3], Nodes f)
{
    Columns h, p;
    Pair e, s;
    Membrane m;
    Gradient(element, u, h);
    if (law == rsl_linearElement)
    {
        Products(element->rest, h, e);
        HookePlane(element, e, s);
        Push(element->rest, s, p);
    }
    else
    {
        Look(element, h, &m);
        SecondStress(element, law, &m, s);
        Push(m.f, s, p);
    }
    Spread(element, p, (Real)-1, f);
}

static void Stiffness(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Columns h, df, dp, turned;
    Pair dc, s, ds;
    Membrane m;
    Gradient(element, u, h);
    Gradient(element, p, df);
    if (law == rsl_linearElement)
    {
        Products(element->rest, df, dc);
        HookePlane(element, dc, ds);
        Push(element->rest, ds, dp);
        Spread(element, dp, (Real)1, out);
        return;
    }
    Look(element, h, &m);
    Products(m.f, df, dc);
    for (int c = 0; c < 3; ++c)
    {
        dc[c] *= (Real)2;
    }
    SecondStress(element, law, &m, s);
    SecondDifferential(element, law, &m, s, dc, ds);
    Push(m.f, ds, dp);
    Push(df, s, turned);
    for (int c = 0; c < 6; ++c)
    {
        dp[c] += turned[c];
    }
    Spread(element, dp, (Real)1, out);
}

// The stretch sqrt(C) changes by L(dC), a symmetric map: the power T:L(2 F^T dF) is that of P = 2 F L(T).
static void Damping(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Columns h, df, dp;
    Pair rate, stretch, s, back;
    Membrane m;
    Gradient(element, p, df);
    if (law == rsl_linearElement)
    {
        Products(element->rest, df, rate);
        HookePlane(element, rate, s);
        Push(element->rest, s, dp);
        Spread(element, dp, (Real)1, out);
        return;
    }
    Gradient(element, u, h);
    Look(element, h, &m);
    Products(m.f, df, rate);
    RootDifferential(&m, rate, stretch);
    for (int c = 0; c < 3; ++c)
    {
        stretch[c] *= (Real)2;
    }
    HookePlane(element, stretch, s);
    RootDifferential(&m, s, back);
    for (int c = 0; c < 3; ++c)
    {
        back[c] *= (Real)2;
    }
    Push(m.f, back, dp);
    Spread(element, dp, (Real)1, out);
}

// P F^T over the area ratio, as if the thickness stayed.
static void Stress(const Element* element, rslElementLaw law, Real (*u)[3], double stress[6])
{
    static const int row[6] = { 0, 1, 2, 1, 2, 0 }, column[6] = { 0, 1, 2, 2, 0, 1 };
    Columns h;
    Pair s, e;
    Membrane m;
    Gradient(element, u, h);
    Look(element, h, &m);
    bool linear = law == rsl_linearElement;
    if (linear)
    {
        Products(element->rest, h, e);
        HookePlane(element, e, s);
    }
    else
    {
        SecondStress(element, law, &m, s);
    }
    const Real* f = linear ? element->rest : m.f;
    double area = linear ? 1.0 : (double)m.d;
    for (int c = 0; c < 6; ++c)
    {
        double a = (double)f[row[c]], b = (double)f[3 + row[c]], p = (double)f[column[c]], q = (double)f[3 + column[c]];
        stress[c] = ((double)s[0] * a * p + (double)s[1] * b * q + (double)s[2] * (a * q + b * p)) / area;
    }
}

const ElementKind RSL_NAME(rslTriangleElement) = {
    .nodeCount = 3,
    .restCount = 10,
    .rest = Rest,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .stress = Stress,
};
