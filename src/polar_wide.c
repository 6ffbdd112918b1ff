// SPDX-License-Identifier: MIT
//
// polar_wide.c: the rotations of WIDTH deformations at once, as element_law.h and polar.c find that of one. Lanes that
// are done wait for the others unchanged.
//
// Newton's method turns by w; then S - 1 = E is left with a skew part of about |w|^2 (|E| + |w|), and when that is lost
// in rounding the turn was the last one.

#include "element_wide.h"

#define FindPolars RSL_NAME(rslPolar_FindWide)

// Q = R - 1 of unit quaternions, R, and E = Q^T + H + Q^T H.
RSL_INLINE void SetTurnWide(const Lanes* t, const Lanes* h, Lanes* r, Lanes* e)
{
    Lanes w = t[0], x = t[1], y = t[2], z = t[3];
    Lanes twice[3] = { x + x, y + y, z + z };
    Lanes xx = twice[0] * x, yy = twice[1] * y, zz = twice[2] * z, xy = twice[0] * y, xz = twice[0] * z,
          yz = twice[1] * z, wx = twice[0] * w, wy = twice[1] * w, wz = twice[2] * w;
    Nine q = { -(yy + zz), xy - wz, xz + wy, xy + wz, -(xx + zz), yz - wx, xz - wy, yz + wx, -(xx + yy) };
    TransposedTimesWide(q, h, e);
    for (int c = 0; c < 9; ++c)
    {
        e[c] += h[c] + q[c % 3 * 3 + c / 3];
        r[c] = c % 4 == 0 ? q[c] + (Real)1 : q[c];
    }
}

// The largest root of l^4 - 2 l^2 + linear l + constant.
RSL_INLINE void LargestRootWide(const Mask* wanted, const Lanes* linear, const Lanes* constant, Lanes* l)
{
    Mask moves = *wanted;
    Lanes none = { 0 };
    *l = none + (Real)1.7320508075688772;
    for (int step = 0; step < 50; ++step)
    {
        Lanes square = *l * *l, value = ((square - (Real)2) * *l + *linear) * *l + *constant;
        Lanes slope = ((Real)4 * square - (Real)4) * *l + *linear, next = *l - value / slope;
        moves &= (Mask)(slope > (Real)0) & (Mask)(next < *l);
        Choose(&moves, &next, l);
        if (!AnyLane(&moves))
        {
            break;
        }
    }
}

// Minors of rows 0 and 1, and of rows 2 and 3, of the symmetric 4 x 4 matrix a (00 01 02 03 11 12 13 22 23 33), by
// columns 01 02 03 12 13 23.
RSL_INLINE void PairMinors(const Lanes* a, Lanes* s, Lanes* c)
{
    s[0] = a[0] * a[4] - a[1] * a[1];
    s[1] = a[0] * a[5] - a[1] * a[2];
    s[2] = a[0] * a[6] - a[1] * a[3];
    s[3] = a[1] * a[5] - a[4] * a[2];
    s[4] = a[1] * a[6] - a[4] * a[3];
    s[5] = a[2] * a[6] - a[5] * a[3];
    c[0] = a[2] * a[6] - a[3] * a[5];
    c[1] = a[2] * a[8] - a[3] * a[7];
    c[2] = a[2] * a[9] - a[3] * a[8];
    c[3] = a[5] * a[8] - a[6] * a[7];
    c[4] = a[5] * a[9] - a[6] * a[8];
    c[5] = a[7] * a[9] - a[8] * a[8];
}

// Horn's quaternions of F = 1 + H over its size, in the lanes that are far.
RSL_INLINE void StartWide(const Lanes* h, const Mask* far, Lanes* t)
{
    Lanes size = { 0 };
    Nine f;
    for (int c = 0; c < 9; ++c)
    {
        f[c] = c % 4 == 0 ? h[c] + (Real)1 : h[c];
        size += f[c] * f[c];
    }
    RootWide(&size);
    Mask wanted = *far & (Mask)(size > (Real)1e-18) & (Mask)(size < (Real)1e18);
    for (int c = 0; c < 9; ++c)
    {
        f[c] = f[c] / size;
    }
    Lanes a[10] = { f[0] + f[4] + f[8], f[7] - f[5], f[2] - f[6],        f[3] - f[1], f[0] - f[4] - f[8],
                    f[1] + f[3],        f[6] + f[2], f[4] - f[0] - f[8], f[5] + f[7], f[8] - f[0] - f[4] };
    Lanes s[6], c[6], largest;
    PairMinors(a, s, c);
    Lanes whole = s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0];
    Lanes det =
        f[0] * (f[4] * f[8] - f[5] * f[7]) + f[1] * (f[5] * f[6] - f[3] * f[8]) + f[2] * (f[3] * f[7] - f[4] * f[6]);
    Lanes linear = (Real)-8 * det;
    LargestRootWide(&wanted, &linear, &whole, &largest);
    a[0] -= largest;
    a[4] -= largest;
    a[7] -= largest;
    a[9] -= largest;
    PairMinors(a, s, c);
    // the adjugate is a negative number times t t^T
    Lanes adjugate[4][4];
    adjugate[0][0] = a[4] * c[5] - a[5] * c[4] + a[6] * c[3];
    adjugate[0][1] = a[2] * c[4] - a[1] * c[5] - a[3] * c[3];
    adjugate[0][2] = a[6] * s[5] + a[9] * s[3] - a[8] * s[4];
    adjugate[0][3] = a[7] * s[4] - a[5] * s[5] - a[8] * s[3];
    adjugate[1][1] = a[0] * c[5] - a[2] * c[2] + a[3] * c[1];
    adjugate[1][2] = a[8] * s[2] - a[3] * s[5] - a[9] * s[1];
    adjugate[1][3] = a[2] * s[5] - a[7] * s[2] + a[8] * s[1];
    adjugate[2][2] = a[3] * s[4] - a[6] * s[2] + a[9] * s[0];
    adjugate[2][3] = a[5] * s[2] - a[2] * s[4] - a[8] * s[0];
    adjugate[3][3] = a[2] * s[3] - a[5] * s[1] + a[7] * s[0];
    Lanes best = adjugate[0][0], column[4];
    memcpy(column, adjugate[0], sizeof column);
    for (int n = 1; n < 4; ++n)
    {
        Mask better = (Mask)(adjugate[n][n] < best);
        Choose(&better, &adjugate[n][n], &best);
        for (int m = 0; m < 4; ++m)
        {
            Choose(&better, m < n ? &adjugate[m][n] : &adjugate[n][m], &column[m]);
        }
    }
    Lanes length = column[0] * column[0] + column[1] * column[1] + column[2] * column[2] + column[3] * column[3];
    wanted &= (Mask)(length > (Real)1e-30);
    RootWide(&length);
    for (int m = 0; m < 4; ++m)
    {
        column[m] = column[m] / length;
        Choose(&wanted, &column[m], &t[m]);
    }
}

// Solve for w and turn t by it where it goes on; those that need another turn.
RSL_INLINE void TurnOnce(const Lanes* e, Lanes* t, Mask* goes)
{
    const Real small = RSL_PRECISION == 32 ? (Real)4e-15 : (Real)1e-32;
    const Real tiny = RSL_PRECISION == 32 ? (Real)1e-12 : (Real)1e-24;  // so that no number gets too small
    Lanes cofactor[6], det, b[3], w[3], s[4], square = { 0 };
    Mask positive;
    CofactorsWide(e, cofactor, &det, &positive);
    AxialWide(e, b);
    Lanes inverse = (Real)0.5 / det;
    SolveWide(cofactor, b, w);
    Lanes x = w[0] * inverse, y = w[1] * inverse, z = w[2] * inverse;
    s[0] = t[0] - t[1] * x - t[2] * y - t[3] * z;
    s[1] = t[1] + t[0] * x + t[2] * z - t[3] * y;
    s[2] = t[2] + t[0] * y + t[3] * x - t[1] * z;
    s[3] = t[3] + t[0] * z + t[1] * y - t[2] * x;
    Lanes length = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + s[3] * s[3];
    RootWide(&length);
    Lanes shorter = (Real)1 / length;
    *goes &= positive;
    for (int c = 0; c < 4; ++c)
    {
        s[c] *= shorter;
        Choose(goes, &s[c], &t[c]);
    }
    for (int c = 0; c < 9; ++c)
    {
        square += e[c] * e[c];
    }
    Lanes turned = (Real)4 * (x * x + y * y + z * z) + tiny;
    *goes &= (Mask)(turned * turned * (square + turned) > small);
}

RSL_CLONES static void FindPolars(const Lanes* h, Lanes* r, Lanes* e)
{
    Lanes zero = { 0 }, t[4] = { zero + (Real)1, zero, zero, zero }, square = zero;
    for (int c = 0; c < 9; ++c)
    {
        square += h[c] * h[c];
        e[c] = h[c];
    }
    Mask far = ~(Mask)(square < (Real)0.25), goes = ~(far ^ far);  // else the identity is near enough
    if (AnyLane(&far))
    {
        StartWide(h, &far, t);
        SetTurnWide(t, h, r, e);
    }
    for (int turn = 0; turn < 8; ++turn)
    {
        TurnOnce(e, t, &goes);
        SetTurnWide(t, h, r, e);
        if (!AnyLane(&goes))
        {
            break;
        }
    }
    SymmetriseWide(e);
}

// A function that is chosen at load time has no name elsewhere with clang 14.
void RSL_NAME(rslPolar_Wide)(const Lanes* h, Lanes* r, Lanes* e)
{
    FindPolars(h, r, e);
}
