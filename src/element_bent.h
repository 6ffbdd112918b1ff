// SPDX-License-Identifier: MIT
//
// element_bent.h: forces of batches of elements (element_wide.h) by the laws of element_law.h. What is done is that of
// element_patterns.h and element_tetrahedron.c, and so are the names.

#pragma once

#include "element_wide.h"

// What depends on the displacements.
typedef struct Bent
{
    Wide shape;
    Nine r, e;             // F = R (1 + E); linear: E the strain
    Lanes turn[6];         // (tr(S) 1 - S)^-1 (xx yy zz xy xz yz); zero where there is none
    Lanes k[PATTERNS][3];  // (M - c) g
    Lanes y[PATTERNS][3];  // R^T h
} Bent;

// ---- what depends on the displacements ----------------------------------------------------------------------------

// R and E, where the law or its damping needs them.
RSL_INLINE void FindTurnWide(rslElementLaw law, bool damped, Bent* bent)
{
    if (law == rsl_corotationalElement || (damped && law == rsl_neoHookeanElement))
    {
        RSL_NAME(rslPolar_Wide)(bent->shape.h, bent->r, bent->e);
        return;
    }
    memcpy(bent->e, bent->shape.h, sizeof bent->e);
    SymmetriseWide(bent->e);
}

// k; and 2 W_h, unless that is NULL.
RSL_INLINE void FindBending(const Batch* b, rslElementLaw law, Bent* bent, Lanes* energy)
{
    Lanes g[PATTERNS][3], sum = { 0 };
    if (energy != NULL)
    {
        *energy = sum;
    }
    if (b->plain)
    {
        return;
    }
    for (int p = 0; p < PATTERNS; ++p)
    {
        const Lanes* h = bent->shape.mode[p];
        Lanes turned[3];
        TransposedOn(bent->shape.h, h, turned);
        for (int c = 0; c < 3; ++c)
        {
            g[p][c] = law == rsl_linearElement ? h[c] : h[c] + turned[c];
        }
    }
    BendWide(b, g, bent->k);
    for (int m = 0; energy != NULL && m < MODES; ++m)
    {
        Lanes h = bent->shape.mode[m / 3][m % 3];
        *energy += g[m / 3][m % 3] * bent->k[m / 3][m % 3] + FLOOR_OF(b, m / 3) * h * h;
    }
}

// energy += V (mu |E|^2 + lambda/2 tr(E)^2)
RSL_INLINE void AddStretch(const Batch* b, const Lanes* e, Lanes* energy)
{
    Lanes square = { 0 }, trace = e[0] + e[4] + e[8];
    for (int c = 0; c < 9; ++c)
    {
        square += e[c] * e[c];
    }
    *energy += (Real)0.5 * (b->wide[WIDE_SHEAR] * square + b->wide[WIDE_LAMBDA] * trace * trace);
}

// (tr(S) 1 - S)^-1 and y, after R and E
RSL_INLINE void FindArms(const Batch* b, Bent* bent)
{
    InvertTurn(bent->e, bent->turn);
    for (int p = 0; !b->plain && p < PATTERNS; ++p)
    {
        TransposedOn(bent->r, bent->shape.mode[p], bent->y[p]);
    }
}

// ---- forces and products ------------------------------------------------------------------------------------------

// V P of the neo-Hookean law, in H.
RSL_INLINE void NeoHookeanWide(const Batch* b, const Lanes* h, Lanes* out)
{
    Lanes m = b->wide[WIDE_SHEAR] * (Real)(2.0 / 3.0),
          l = b->wide[WIDE_LAMBDA] + b->wide[WIDE_SHEAR] * (Real)(5.0 / 12.0);
    Lanes trace = h[0] + h[4] + h[8], square = { 0 };
    Nine minor, less;  // cof H, cof F - 1
    for (int c = 0; c < 9; ++c)
    {
        int p = 3 * ((c / 3 + 1) % 3), q = 3 * ((c / 3 + 2) % 3), j = (c + 1) % 3, k = (c + 2) % 3;
        minor[c] = h[p + j] * h[q + k] - h[p + k] * h[q + j];
        square += h[c] * h[c];
    }
    for (int c = 0; c < 9; ++c)
    {
        less[c] = minor[c] - h[c % 3 * 3 + c / 3];
        less[c] = c % 4 == 0 ? less[c] + trace : less[c];
    }
    Lanes det = h[0] * minor[0] + h[1] * minor[1] + h[2] * minor[2];
    Lanes swell = l * (trace + (minor[0] + minor[4] + minor[8]) + det);
    Lanes i = (Real)2 * trace + square, share = m * (i / ((Real)4 * ((Real)4 + i)));
    Lanes most = (Real)0.75 * m;
    for (int c = 0; c < 9; ++c)
    {
        Lanes one = most * (h[c] - less[c]) + share * h[c] + swell * less[c];
        out[c] = c % 4 == 0 ? one + (share + swell) : one;
    }
}

// slope = dW/dH and dW/dh
RSL_INLINE void StressWide(const Batch* b, rslElementLaw law, const Bent* bent, Wide* slope)
{
    const Lanes* h = bent->shape.h;
    if (law == rsl_neoHookeanElement)
    {
        NeoHookeanWide(b, h, slope->h);
    }
    else if (law == rsl_corotationalElement)
    {
        Nine stress;
        HookeWide(b, bent->e, stress);
        TimesWide(bent->r, stress, slope->h);
    }
    else
    {
        HookeWide(b, bent->e, slope->h);
    }
    for (int c = 0; !b->plain && law != rsl_linearElement && c < 9; ++c)
    {
        Lanes outer = bent->shape.mode[0][c / 3] * bent->k[0][c % 3];
        for (int p = 1; p < PATTERNS; ++p)
        {
            outer += bent->shape.mode[p][c / 3] * bent->k[p][c % 3];
        }
        slope->h[c] += outer;
    }
    for (int p = 0; !b->plain && p < PATTERNS; ++p)
    {
        Lanes pushed[3];
        On(h, bent->k[p], pushed);
        for (int c = 0; c < 3; ++c)
        {
            Lanes one = FLOOR_OF(b, p) * bent->shape.mode[p][c] + bent->k[p][c];
            slope->mode[p][c] = law == rsl_linearElement ? one : one + pushed[c];
        }
    }
}

// M = R^T dF and w
RSL_INLINE void Spinning(const Bent* bent, const Wide* rate, Lanes* m, Lanes* w)
{
    Lanes b[3];
    TransposedTimesWide(bent->r, rate->h, m);
    AxialWide(m, b);
    SolveWide(bent->turn, b, w);
}

// slope = C rate / alpha1 of the patterns; the torque that it needs
RSL_INLINE void PatternDrag(const Batch* b, const Bent* bent, const Wide* rate, const Lanes* w, Lanes* torque,
                            Wide* slope)
{
    Lanes dy[PATTERNS][3], k[PATTERNS][3];
    for (int p = 0; p < PATTERNS; ++p)
    {
        TransposedOn(bent->r, rate->mode[p], dy[p]);
        for (int c = 0; c < 3; ++c)
        {
            int i = (c + 1) % 3, j = (c + 2) % 3;
            dy[p][c] -= w[i] * bent->y[p][j] - w[j] * bent->y[p][i];
        }
    }
    BendWide(b, dy, k);
    for (int p = 0; p < PATTERNS; ++p)
    {
        for (int c = 0; c < 3; ++c)
        {
            k[p][c] += FLOOR_OF(b, p) * dy[p][c];
        }
        On(bent->r, k[p], slope->mode[p]);
        for (int c = 0; c < 3; ++c)
        {
            int i = (c + 1) % 3, j = (c + 2) % 3;
            torque[c] += bent->y[p][i] * k[p][j] - bent->y[p][j] * k[p][i];
        }
    }
}

// slope = C rate / alpha1, of laws with a rotation; m and w as above
RSL_INLINE void TurnedDrag(const Batch* b, const Bent* bent, const Wide* rate, const Lanes* m, const Lanes* w,
                           Wide* slope)
{
    Lanes torque[3] = { { 0 }, { 0 }, { 0 } }, t[3], y[3];
    if (!b->plain)
    {
        PatternDrag(b, bent, rate, w, torque, slope);
    }
    Nine s, turned, rates, stress, product;
    for (int c = 0; c < 9; ++c)
    {
        s[c] = c % 4 == 0 ? bent->e[c] + (Real)1 : bent->e[c];
    }
    CrossWide(w, s, turned);
    for (int c = 0; c < 9; ++c)
    {
        int other = c % 3 * 3 + c / 3;
        rates[c] = (Real)0.5 * (m[c] - turned[c] + (m[other] - turned[other]));
    }
    HookeWide(b, rates, stress);
    TimesWide(stress, s, product);
    AxialWide(product, t);
    for (int c = 0; c < 3; ++c)
    {
        t[c] = -(t[c] + torque[c]);
    }
    SolveWide(bent->turn, t, y);
    stress[1] -= y[2];
    stress[2] += y[1];
    stress[3] += y[2];
    stress[5] -= y[0];
    stress[6] -= y[1];
    stress[7] += y[0];
    TimesWide(bent->r, stress, slope->h);
}

// The same of the linear law.
RSL_INLINE void LinearDrag(const Batch* b, Wide* rate, Wide* slope)
{
    Nine e;
    memcpy(e, rate->h, sizeof e);
    SymmetriseWide(e);
    HookeWide(b, e, slope->h);
    if (b->plain)
    {
        return;
    }
    BendWide(b, rate->mode, slope->mode);
    for (int m = 0; m < MODES; ++m)
    {
        slope->mode[m / 3][m % 3] += FLOOR_OF(b, m / 3) * rate->mode[m / 3][m % 3];
    }
}

// Drag at the velocities w into drags, unless that is NULL, and beside the slope; returns its power [W].
RSL_INLINE double DragWide(const Batch* b, rslElementLaw law, const Bent* bent, Real* const w[3], Real* const* drags,
                           Wide* slope)
{
    Wide rate, drag;
    Lanes power = { 0 };
    RSL_NAME(rslWide_Look)(b, w, &rate);
    if (law == rsl_linearElement)
    {
        LinearDrag(b, &rate, &drag);
    }
    else
    {
        Nine m;
        Lanes spin[3];
        Spinning(bent, &rate, m, spin);
        TurnedDrag(b, bent, &rate, m, spin, &drag);
    }
    ScaleWide(b, &b->wide[WIDE_DAMPING], &drag);
    AddWide(b, &drag, slope);
    for (int c = 0; c < 9; ++c)
    {
        power += drag.h[c] * rate.h[c];
    }
    for (int m = 0; !b->plain && m < MODES; ++m)
    {
        power += drag.mode[m / 3][m % 3] * rate.mode[m / 3][m % 3];
    }
    if (drags != NULL)
    {
        RSL_NAME(rslWide_Give)(b, &drag, false, drags);
    }
    double sum = 0.0;
    for (int l = 0; l < b->count; ++l)
    {
        sum += (double)power[l];
    }
    return sum;
}
