// SPDX-License-Identifier: MIT
//
// element_law.h: energy density psi(F), stress P = dpsi/dF and its differential, of isotropic materials in space.
//
// Matrices are nine numbers by rows. H = F - 1; everything is written in H, so that small strains keep their digits. All laws
// have the same stiffness at rest,  dP = mu (dF + dF^T) + lambda tr(dF) 1.
//
// linear         psi = mu |e|^2 + lambda/2 tr(e)^2,  e = sym H
//
// corotational   psi = mu |S - 1|^2 + lambda/2 tr(S - 1)^2,  F = R S with the rotation R that maximises tr(R^T F); it exists
//                for every F, also one turned inside out (S then has a negative eigenvalue).
//                P  = R (2 mu (S - 1) + lambda tr(S - 1) 1), because d/dR says nothing: tr(R^T F) is at its maximum
//                dP = 2 mu (dF - dR) + lambda (R:dF) R + lambda tr(S - 1) dR
//                dR = R [w]x,  (tr(S) 1 - S) w = ax(R^T dF - dF^T R)
//                Where two eigenvalues of S sum to nothing R is not unique; there dR is left out.
//
// neo-Hookean    Smith, de Goes, Kim 2018, the stable one: polynomials but for a logarithm, so it withstands any F
//                psi = m/2 (I - 3) - m/2 ln((I + 1)/4) + l/2 (J - 1)^2 - 3/4 m (J - 1),  I = |F|^2, J = det F
//                P   = m I/(I + 1) F + (l (J - 1) - 3/4 m) cof F
//                m = 4/3 mu, l = lambda + 5/6 mu, by the stiffness at rest; l > 0 for every nu in (-1, 1/2)
//                With i = I - 3 = 2 tr H + |H|^2 and cof F = 1 + B:
//                P   = m (3/4 (H - B) + i / (4 (4 + i)) F) + l (J - 1) cof F,   psi = 3/8 m i + m/2 g(i/4)
//                      + l/2 (J - 1)^2 - 3/4 m (J - 1),   g(x) = x - ln(1 + x)

#pragma once

#include "element.h"
#include "spring_law.h"

typedef Real Matrix[9];

static inline Real Trace(const Matrix a)
{
    return a[0] + a[4] + a[8];
}

static inline Real Inner(const Matrix a, const Matrix b)
{
    Real sum = 0;
    for (int c = 0; c < 9; ++c)
    {
        sum += a[c] * b[c];
    }
    return sum;
}

static inline void Times(const Matrix a, const Matrix b, Matrix out)
{
    for (int r = 0; r < 3; ++r)
    {
        for (int c = 0; c < 3; ++c)
        {
            out[3 * r + c] = a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c];
        }
    }
}

// a^T b
static inline void TransposedTimes(const Matrix a, const Matrix b, Matrix out)
{
    for (int r = 0; r < 3; ++r)
    {
        for (int c = 0; c < 3; ++c)
        {
            out[3 * r + c] = a[r] * b[c] + a[3 + r] * b[3 + c] + a[6 + r] * b[6 + c];
        }
    }
}

static inline void Symmetrise(Matrix a)
{
    a[1] = a[3] = (Real)0.5 * (a[1] + a[3]);
    a[2] = a[6] = (Real)0.5 * (a[2] + a[6]);
    a[5] = a[7] = (Real)0.5 * (a[5] + a[7]);
}

// 2 mu e + lambda tr(e) 1
static inline void Hooke(Real lambda, Real mu, const Matrix e, Matrix out)
{
    Real pressure = lambda * Trace(e);
    for (int c = 0; c < 9; ++c)
    {
        out[c] = (Real)2 * mu * e[c] + (c % 4 == 0 ? pressure : (Real)0);
    }
}

// Of the gradient of a displacement: F = 1 + H.
static inline void AddOne(const Matrix h, Matrix f)
{
    for (int c = 0; c < 9; ++c)
    {
        f[c] = h[c] + (c % 4 == 0 ? (Real)1 : (Real)0);
    }
}

// (a x b) by pairs of rows: the part of cof(a + b) that is linear in both; MixedCofactor(a, a) is 2 cof a.
static inline void MixedCofactor(const Matrix a, const Matrix b, Matrix out)
{
    for (int r = 0; r < 3; ++r)
    {
        const int p = 3 * ((r + 1) % 3), q = 3 * ((r + 2) % 3);
        for (int c = 0; c < 3; ++c)
        {
            int j = (c + 1) % 3, k = (c + 2) % 3;
            out[3 * r + c] = a[p + j] * b[q + k] - a[p + k] * b[q + j] + b[p + j] * a[q + k] - b[p + k] * a[q + j];
        }
    }
}

// ---- rotation -------------------------------------------------------------------------------------------------------

// G = tr(S) 1 - S with S the symmetric part of m; x = G^-1 b. False where G is not positive.
static inline bool SolveTurn(const Matrix m, const Real b[3], Real x[3])
{
    Real xx = m[4] + m[8], yy = m[0] + m[8], zz = m[0] + m[4];
    Real xy = (Real)-0.5 * (m[1] + m[3]), xz = (Real)-0.5 * (m[2] + m[6]), yz = (Real)-0.5 * (m[5] + m[7]);
    Real cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    Real cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
    Real det = xx * cxx + xy * cxy + xz * cxz, size = xx + yy + zz;
    if (!(size > (Real)0 && czz > (Real)0 && det > (Real)1e-5 * size * size * size))
    {
        x[0] = x[1] = x[2] = 0;
        return false;
    }
    Real inverse = (Real)1 / det;
    x[0] = (cxx * b[0] + cxy * b[1] + cxz * b[2]) * inverse;
    x[1] = (cxy * b[0] + cyy * b[1] + cyz * b[2]) * inverse;
    x[2] = (cxz * b[0] + cyz * b[1] + czz * b[2]) * inverse;
    return true;
}

// ax(a - a^T)
static inline void Axial(const Matrix a, Real out[3])
{
    out[0] = a[7] - a[5];
    out[1] = a[2] - a[6];
    out[2] = a[3] - a[1];
}

// The rotation R = 1 + Q of a deformation, and E = R^T F - 1 = S - 1.
typedef struct Polar
{
    Matrix q, r, e;
} Polar;

// Q = 2 (w [v]x + [v]x^2) of a unit quaternion (w, v), and E = Q^T + H + Q^T H.
static inline void SetTurn(const Real t[4], const Matrix h, Polar* polar)
{
    Real w = t[0], x = t[1], y = t[2], z = t[3];
    const Matrix q = { (Real)-2 * (y * y + z * z), (Real)2 * (x * y - w * z),  (Real)2 * (x * z + w * y),
                       (Real)2 * (x * y + w * z),  (Real)-2 * (x * x + z * z), (Real)2 * (y * z - w * x),
                       (Real)2 * (x * z - w * y),  (Real)2 * (y * z + w * x),  (Real)-2 * (x * x + y * y) };
    TransposedTimes(q, h, polar->e);
    for (int c = 0; c < 9; ++c)
    {
        polar->q[c] = q[c];
        polar->e[c] += h[c] + q[c % 3 * 3 + c / 3];
    }
    AddOne(q, polar->r);
}

// Horn 1987: tr(R^T F) = t.N t with a 4 x 4 matrix N of trace 0; the largest eigenvalue by Newton's method from above (sqrt(3)
// |F| is a bound) on its characteristic polynomial, the vector as a column of the adjugate of N - l 1.
void RSL_NAME(rslPolar_Start)(const Matrix f, Real t[4]);

static inline void FindPolar(const Matrix h, Polar* polar)
{
    const Real small = RSL_PRECISION == 32 ? (Real)1e-9 : (Real)1e-18;  // the next turn would be its square
    Real t[4] = { 1, 0, 0, 0 };
    if (!(Inner(h, h) < (Real)0.25))  // else the identity is near enough
    {
        Matrix f;
        AddOne(h, f);
        RSL_NAME(rslPolar_Start)(f, t);
    }
    SetTurn(t, h, polar);
    for (int turn = 0; turn < 8; ++turn)
    {
        Matrix m;
        Real b[3], w[3];
        AddOne(polar->e, m);
        Axial(polar->e, b);
        if (!SolveTurn(m, b, w))
        {
            break;
        }
        // t (1, w/2), normalised
        Real x = (Real)0.5 * w[0], y = (Real)0.5 * w[1], z = (Real)0.5 * w[2];
        Real s[4] = { t[0] - t[1] * x - t[2] * y - t[3] * z, t[1] + t[0] * x + t[2] * z - t[3] * y,
                      t[2] + t[0] * y + t[3] * x - t[1] * z, t[3] + t[0] * z + t[1] * y - t[2] * x };
        Real shorter = (Real)1 / SquareRoot(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + s[3] * s[3]);
        for (int c = 0; c < 4; ++c)
        {
            t[c] = s[c] * shorter;
        }
        SetTurn(t, h, polar);
        if (!(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] > small))
        {
            break;
        }
    }
    Symmetrise(polar->e);
}

// ---- the laws -------------------------------------------------------------------------------------------------------

// cof F - 1 = tr(H) 1 - H^T + cof H, and J - 1.
static inline Real CofactorLessOne(const Matrix h, Matrix b)
{
    Matrix second;
    MixedCofactor(h, h, second);
    Real trace = Trace(h), minors = (Real)0.5 * Trace(second), det = 0;
    for (int c = 0; c < 9; ++c)
    {
        b[c] = (Real)0.5 * second[c] - h[c % 3 * 3 + c / 3] + (c % 4 == 0 ? trace : (Real)0);
        det += c < 3 ? (Real)0.5 * h[c] * second[c] : (Real)0;
    }
    return trace + minors + det;
}

static inline double LawDensity(rslElementLaw law, Real lambda, Real mu, const Matrix h)
{
    Polar polar;
    Matrix b;
    if (law == rsl_neoHookeanElement)
    {
        double j = (double)CofactorLessOne(h, b), m = 4.0 / 3.0 * (double)mu;
        double l = (double)lambda + 5.0 / 6.0 * (double)mu;
        double i = 2.0 * (double)Trace(h) + (double)Inner(h, h);
        return 0.375 * m * i + 0.5 * m * LawCarrierEnergy(0.25 * i) + 0.5 * l * j * j - 0.75 * m * j;
    }
    if (law == rsl_corotationalElement)
    {
        FindPolar(h, &polar);
    }
    else
    {
        for (int c = 0; c < 9; ++c)
        {
            polar.e[c] = h[c];
        }
        Symmetrise(polar.e);
    }
    double trace = (double)Trace(polar.e);
    return (double)mu * (double)Inner(polar.e, polar.e) + 0.5 * (double)lambda * trace * trace;
}

static inline void LawStress(rslElementLaw law, Real lambda, Real mu, const Matrix h, Matrix p)
{
    Matrix e, stress;
    if (law == rsl_neoHookeanElement)
    {
        Real m = mu * (Real)4 / (Real)3, l = lambda + mu * (Real)5 / (Real)6, j = CofactorLessOne(h, e);
        Real i = (Real)2 * Trace(h) + Inner(h, h), f = i / ((Real)4 * ((Real)4 + i));
        for (int c = 0; c < 9; ++c)
        {
            Real one = c % 4 == 0 ? (Real)1 : (Real)0;
            p[c] = m * ((Real)0.75 * (h[c] - e[c]) + f * (one + h[c])) + l * j * (one + e[c]);
        }
        return;
    }
    if (law == rsl_corotationalElement)
    {
        Polar polar;
        FindPolar(h, &polar);
        Hooke(lambda, mu, polar.e, stress);
        Times(polar.q, stress, p);
        for (int c = 0; c < 9; ++c)
        {
            p[c] += stress[c];
        }
        return;
    }
    for (int c = 0; c < 9; ++c)
    {
        e[c] = h[c];
    }
    Symmetrise(e);
    Hooke(lambda, mu, e, p);
}

static inline void NeoHookeanDifferential(Real lambda, Real mu, const Matrix h, const Matrix df, Matrix dp)
{
    Matrix f, b, turned;
    Real m = mu * (Real)4 / (Real)3, l = lambda + mu * (Real)5 / (Real)6, j = CofactorLessOne(h, b);
    AddOne(h, f);
    AddOne(b, b);
    MixedCofactor(f, df, turned);
    Real i = (Real)2 * Trace(h) + Inner(h, h), share = ((Real)3 + i) / ((Real)4 + i);
    Real along = (Real)2 * Inner(f, df) / (((Real)4 + i) * ((Real)4 + i)), swell = l * Inner(b, df);
    for (int c = 0; c < 9; ++c)
    {
        dp[c] = m * (share * df[c] + along * f[c]) + swell * b[c] + (l * j - (Real)0.75 * m) * turned[c];
    }
}

static inline void CorotationalDifferential(Real lambda, Real mu, const Matrix h, const Matrix df, Matrix dp)
{
    Polar polar;
    Matrix m, s, dr;
    Real b[3], w[3];
    FindPolar(h, &polar);
    TransposedTimes(polar.r, df, m);
    Axial(m, b);
    AddOne(polar.e, s);
    (void)SolveTurn(s, b, w);
    const Matrix turn = { 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0 };
    Times(polar.r, turn, dr);
    Real swell = lambda * Inner(polar.r, df), shift = lambda * Trace(polar.e) - (Real)2 * mu;
    for (int c = 0; c < 9; ++c)
    {
        dp[c] = (Real)2 * mu * df[c] + swell * polar.r[c] + shift * dr[c];
    }
}

static inline void LawDifferential(rslElementLaw law, Real lambda, Real mu, const Matrix h, const Matrix df, Matrix dp)
{
    Matrix e;
    switch (law)
    {
        case rsl_neoHookeanElement: NeoHookeanDifferential(lambda, mu, h, df, dp); return;
        case rsl_corotationalElement: CorotationalDifferential(lambda, mu, h, df, dp); return;
        default:
            for (int c = 0; c < 9; ++c)
            {
                e[c] = df[c];
            }
            Symmetrise(e);
            Hooke(lambda, mu, e, dp);
    }
}

// ---- damping --------------------------------------------------------------------------------------------------------

// The rotation of a deformation and how it turns: F = R S, dR = R [w]x along dF.
typedef struct Spin
{
    Polar polar;
    Matrix s, rate;  // S, R^T dF
    Real w[3];
} Spin;

static inline void FindSpin(const Matrix h, const Matrix df, Spin* spin)
{
    Real b[3];
    FindPolar(h, &spin->polar);
    AddOne(spin->polar.e, spin->s);
    TransposedTimes(spin->polar.r, df, spin->rate);
    Axial(spin->rate, b);
    (void)SolveTurn(spin->s, b, spin->w);
}

static inline void Skew(const Real w[3], Matrix out)
{
    const Matrix skew = { 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0 };
    for (int c = 0; c < 9; ++c)
    {
        out[c] = skew[c];
    }
}

// volume R (T + [y]x) with T = C : dS, dS = R^T dF - [w]x S, and (tr(S) 1 - S) y = -(ax(T S - S T) + torque / volume): what
// does the power volume T:dS - torque.w, since w is linear in dF.
static inline void SpinDrag(const Spin* spin, Real lambda, Real mu, Real volume, const Real torque[3], Matrix dp)
{
    Matrix turned, rate, stress, product;
    Real t[3], y[3];
    Skew(spin->w, product);
    Times(product, spin->s, turned);
    for (int c = 0; c < 9; ++c)
    {
        rate[c] = spin->rate[c] - turned[c];
    }
    Symmetrise(rate);
    Hooke(lambda, mu, rate, stress);
    Times(stress, spin->s, product);
    Axial(product, t);
    for (int c = 0; c < 3; ++c)
    {
        t[c] = -(volume * t[c] + torque[c]);
    }
    (void)SolveTurn(spin->s, t, y);
    Skew(y, turned);
    for (int c = 0; c < 9; ++c)
    {
        stress[c] = volume * stress[c] + turned[c];
    }
    Times(spin->polar.r, stress, dp);
}

// R C : dS in that sense; of the linear law C : sym dF.
static inline void LawDrag(rslElementLaw law, Real lambda, Real mu, const Matrix h, const Matrix df, Matrix dp)
{
    const Real none[3] = { 0, 0, 0 };
    if (law == rsl_linearElement)
    {
        LawDifferential(law, lambda, mu, h, df, dp);
        return;
    }
    Spin spin;
    FindSpin(h, df, &spin);
    SpinDrag(&spin, lambda, mu, (Real)1, none, dp);
}

// Cauchy's P F^T / J; P itself of the linear law. Flattened to nothing, it has none.
static inline void LawCauchy(rslElementLaw law, Real lambda, Real mu, const Matrix h, double stress[6])
{
    Matrix p, f, b;
    LawStress(law, lambda, mu, h, p);
    AddOne(h, f);
    double j = 1.0 + (double)CofactorLessOne(h, b), s[3][3];
    for (int r = 0; r < 3; ++r)
    {
        for (int c = 0; c < 3; ++c)
        {
            double sum = 0.0;
            for (int k = 0; k < 3; ++k)
            {
                sum += (double)p[3 * r + k] * (double)f[3 * c + k];
            }
            s[r][c] = law == rsl_linearElement ? (double)p[3 * r + c] : fabs(j) > 1e-6 ? sum / j : 0.0;
        }
    }
    const double out[6] = { s[0][0], s[1][1], s[2][2], s[1][2], s[2][0], s[0][1] };
    for (int c = 0; c < 6; ++c)
    {
        stress[c] = out[c];
    }
}
