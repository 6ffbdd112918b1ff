// SPDX-License-Identifier: MIT
//
// element_patterns.h: elements with eight nodes whose energy is W = V psi(1 + H) + W_h, H the mean gradient and W_h that of the
// patterns h1 .. h4 beside it. Shared by the kinds: a file that includes it defines the functions that are declared first.
//
//   W_h = r/2 [c |h|^2 + g.(M - c) g], g_p = F^T h_p, with c the smallest eigenvalue of M or a bound of it
//   dW/dh_p = r (c h_p + F k_p),  dW/dF = V P + r sum h_p k_p^T,  k = (M - c) g
// Both parts are blind to rotations, nothing is singular, and the first stays when the element is pressed flat. The linear law
// has F = 1 here.

#pragma once

#include "element_law.h"

// Everything about the deformation: H, and the vectors h1 .. h4.
typedef struct Shape
{
    Matrix h;
    Real mode[PATTERNS][3];
} Shape;

// H and h of displacements; and from dW/dH and dW/dh to factor dW/du.
static void Analyse(const Element* element, Real (*u)[3], Shape* shape);
static void Compose(const Element* element, const Shape* slope, Real factor, Nodes out);
// k = (M - c) g; c of a pattern; r.
static void BendTimes(const Element* element, Real (*g)[3], Real (*k)[3]);
static Real FloorOf(const Element* element, int pattern);
static Real Ratio(const Element* element);

// k = dense g, by rows
static inline void DenseTimes(const Real* row, Real (*g)[3], Real (*k)[3])
{
    const Real* from = g[0];
    for (int m = 0; m < MODES; ++m, row += MODES)
    {
        Real sum = 0;
        for (int c = 0; c < MODES; ++c)
        {
            sum += row[c] * from[c];
        }
        k[m / 3][m % 3] = sum;
    }
}

// g = F^T h, F = 1 + H; h itself for the linear law.
static inline void PullBack(rslElementLaw law, const Matrix h, Real (*mode)[3], Real (*g)[3])
{
    for (int p = 0; p < PATTERNS; ++p)
    {
        for (int c = 0; c < 3; ++c)
        {
            Real turned = h[c] * mode[p][0] + h[3 + c] * mode[p][1] + h[6 + c] * mode[p][2];
            g[p][c] = mode[p][c] + (law == rsl_linearElement ? (Real)0 : turned);
        }
    }
}

// out += scale F k
static inline void PushForward(rslElementLaw law, const Matrix h, Real scale, Real (*k)[3], Real (*out)[3])
{
    for (int p = 0; p < PATTERNS; ++p)
    {
        for (int r = 0; r < 3; ++r)
        {
            Real turned = h[3 * r] * k[p][0] + h[3 * r + 1] * k[p][1] + h[3 * r + 2] * k[p][2];
            out[p][r] += scale * (k[p][r] + (law == rsl_linearElement ? (Real)0 : turned));
        }
    }
}

// out += scale sum of h k^T
static inline void AddOuter(Real scale, Real (*mode)[3], Real (*k)[3], Matrix out)
{
    for (int p = 0; p < PATTERNS; ++p)
    {
        for (int c = 0; c < 9; ++c)
        {
            out[c] += scale * mode[p][c / 3] * k[p][c % 3];
        }
    }
}

static double Energy(const Element* element, rslElementLaw law, Real (*u)[3])
{
    Shape shape;
    Real g[PATTERNS][3], k[PATTERNS][3];
    double rest = 0.0;
    Analyse(element, u, &shape);
    PullBack(law, shape.h, shape.mode, g);
    BendTimes(element, g, k);
    for (int m = 0; m < MODES; ++m)
    {
        double h = (double)shape.mode[m / 3][m % 3];
        rest += (double)g[m / 3][m % 3] * (double)k[m / 3][m % 3] + (double)FloorOf(element, m / 3) * h * h;
    }
    return (double)element->volume * LawDensity(law, element->lambda, element->mu, shape.h) +
           0.5 * (double)Ratio(element) * rest;
}

static void Force(const Element* element, rslElementLaw law, Real (*u)[3], Nodes f)
{
    Shape shape, slope;
    Real g[PATTERNS][3], k[PATTERNS][3], r = Ratio(element);
    Analyse(element, u, &shape);
    PullBack(law, shape.h, shape.mode, g);
    BendTimes(element, g, k);
    LawStress(law, element->lambda, element->mu, shape.h, slope.h);
    for (int c = 0; c < 9; ++c)
    {
        slope.h[c] *= element->volume;
    }
    for (int m = 0; m < MODES; ++m)
    {
        slope.mode[m / 3][m % 3] = r * FloorOf(element, m / 3) * shape.mode[m / 3][m % 3];
    }
    PushForward(law, shape.h, r, k, slope.mode);
    if (law != rsl_linearElement)
    {
        AddOuter(r, shape.mode, k, slope.h);
    }
    Compose(element, &slope, (Real)-1, f);
}

// dg = dF^T h + F^T dh
static inline void PullBackRate(rslElementLaw law, const Shape* shape, Shape* rate, Real (*dg)[3])
{
    PullBack(law, shape->h, rate->mode, dg);
    for (int m = 0; law != rsl_linearElement && m < MODES; ++m)
    {
        const Real *h = shape->mode[m / 3], *df = rate->h + m % 3;
        dg[m / 3][m % 3] += df[0] * h[0] + df[3] * h[1] + df[6] * h[2];
    }
}

// d(c h + F k) = c dh + dF k + F dk;  d(h k^T) = dh k^T + h dk^T
static void Stiffness(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Shape shape, rate, slope;
    Real g[PATTERNS][3], k[PATTERNS][3], dg[PATTERNS][3], dk[PATTERNS][3], r = Ratio(element);
    Analyse(element, u, &shape);
    Analyse(element, p, &rate);
    PullBack(law, shape.h, shape.mode, g);
    PullBackRate(law, &shape, &rate, dg);
    BendTimes(element, g, k);
    BendTimes(element, dg, dk);
    LawDifferential(law, element->lambda, element->mu, shape.h, rate.h, slope.h);
    for (int c = 0; c < 9; ++c)
    {
        slope.h[c] *= element->volume;
    }
    for (int m = 0; m < MODES; ++m)
    {
        const Real *df = rate.h + m % 3 * 3, *row = k[m / 3];
        Real turned = law == rsl_linearElement ? (Real)0 : df[0] * row[0] + df[1] * row[1] + df[2] * row[2];
        slope.mode[m / 3][m % 3] = r * (FloorOf(element, m / 3) * rate.mode[m / 3][m % 3] + turned);
    }
    PushForward(law, shape.h, r, dk, slope.mode);
    if (law != rsl_linearElement)
    {
        AddOuter(r, rate.mode, k, slope.h);
        AddOuter(r, shape.mode, dk, slope.h);
    }
    Compose(element, &slope, (Real)1, out);
}

// k = r M g
static inline void RestTimes(const Element* element, Real (*g)[3], Real (*k)[3])
{
    Real r = Ratio(element);
    BendTimes(element, g, k);
    for (int m = 0; m < MODES; ++m)
    {
        k[m / 3][m % 3] = r * (k[m / 3][m % 3] + FloorOf(element, m / 3) * g[m / 3][m % 3]);
    }
}

static void LinearDamping(const Element* element, Real (*p)[3], Nodes out)
{
    Shape rate, slope;
    Analyse(element, p, &rate);
    RestTimes(element, rate.mode, slope.mode);
    LawDrag(rsl_linearElement, element->lambda, element->mu, rate.h, rate.h, slope.h);
    for (int c = 0; c < 9; ++c)
    {
        slope.h[c] *= element->volume;
    }
    Compose(element, &slope, (Real)1, out);
}

// y = R^T h turns with the element: dy = R^T dh - w x y. The power of its drag k.dy has the torque y x k in it.
static void Damping(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Shape shape, rate, slope;
    Spin spin;
    Real y[PATTERNS][3], dy[PATTERNS][3], k[PATTERNS][3], torque[3] = { 0, 0, 0 };
    if (law == rsl_linearElement)
    {
        LinearDamping(element, p, out);
        return;
    }
    Analyse(element, u, &shape);
    Analyse(element, p, &rate);
    FindSpin(shape.h, rate.h, &spin);
    const Real *q = spin.polar.r, *w = spin.w;
    for (int m = 0; m < PATTERNS; ++m)
    {
        const Real *h = shape.mode[m], *dh = rate.mode[m];
        for (int c = 0; c < 3; ++c)
        {
            y[m][c] = q[c] * h[0] + q[3 + c] * h[1] + q[6 + c] * h[2];
            dy[m][c] = q[c] * dh[0] + q[3 + c] * dh[1] + q[6 + c] * dh[2];
        }
        for (int c = 0; c < 3; ++c)
        {
            int i = (c + 1) % 3, j = (c + 2) % 3;
            dy[m][c] -= w[i] * y[m][j] - w[j] * y[m][i];
        }
    }
    RestTimes(element, dy, k);
    for (int m = 0; m < PATTERNS; ++m)
    {
        for (int c = 0; c < 3; ++c)
        {
            int i = (c + 1) % 3, j = (c + 2) % 3;
            torque[c] += y[m][i] * k[m][j] - y[m][j] * k[m][i];
            slope.mode[m][c] = q[3 * c] * k[m][0] + q[3 * c + 1] * k[m][1] + q[3 * c + 2] * k[m][2];
        }
    }
    SpinDrag(&spin, element->lambda, element->mu, element->volume, torque, slope.h);
    Compose(element, &slope, (Real)1, out);
}

static void Stress(const Element* element, rslElementLaw law, Real (*u)[3], double stress[6])
{
    Shape shape;
    Analyse(element, u, &shape);
    LawCauchy(law, element->lambda, element->mu, shape.h, stress);
}
