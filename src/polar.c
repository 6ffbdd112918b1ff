// SPDX-License-Identifier: MIT
//
// polar.c: the rotation of a deformation far from rest, as a unit quaternion. See element_law.h.
//
// With I = |F|^2 the polynomial of N is  l^4 - 2 I l^2 - 8 det(F) l + det(N).

#include "element_law.h"

typedef Real Square[4][4];

static Real Minor(Square n, const int r[3], const int c[3])
{
    return n[r[0]][c[0]] * (n[r[1]][c[1]] * n[r[2]][c[2]] - n[r[1]][c[2]] * n[r[2]][c[1]]) -
           n[r[0]][c[1]] * (n[r[1]][c[0]] * n[r[2]][c[2]] - n[r[1]][c[2]] * n[r[2]][c[0]]) +
           n[r[0]][c[2]] * (n[r[1]][c[0]] * n[r[2]][c[1]] - n[r[1]][c[1]] * n[r[2]][c[0]]);
}

static void Column(Square n, int column, Real out[4])
{
    static const int others[4][3] = { { 1, 2, 3 }, { 0, 2, 3 }, { 0, 1, 3 }, { 0, 1, 2 } };
    for (int r = 0; r < 4; ++r)
    {
        Real minor = Minor(n, others[r], others[column]);
        out[r] = (r + column) % 2 == 0 ? minor : -minor;
    }
}

static Real LargestRoot(Real bound, Real square, Real linear, Real constant)
{
    Real l = bound;
    for (int step = 0; step < 50; ++step)
    {
        Real value = ((l * l + square) * l + linear) * l + constant;
        Real slope = ((Real)4 * l * l + (Real)2 * square) * l + linear;
        Real next = slope > (Real)0 ? l - value / slope : l;
        if (!(next < l))
        {
            break;
        }
        l = next;
    }
    return l;
}

// Of F over its size, so that no number overflows.
void RSL_NAME(rslPolar_Start)(const Matrix deformation, Real t[4])
{
    Real size = SquareRoot(Inner(deformation, deformation)), best = 0;
    Matrix f, b;
    t[0] = 1;
    t[1] = t[2] = t[3] = 0;
    if (!(size > (Real)1e-18) || !(size < (Real)1e18))
    {
        return;
    }
    for (int c = 0; c < 9; ++c)
    {
        f[c] = deformation[c] / size;
    }
    Square n = { { Trace(f), f[7] - f[5], f[2] - f[6], f[3] - f[1] },
                 { f[7] - f[5], f[0] - f[4] - f[8], f[1] + f[3], f[6] + f[2] },
                 { f[2] - f[6], f[1] + f[3], f[4] - f[0] - f[8], f[5] + f[7] },
                 { f[3] - f[1], f[6] + f[2], f[5] + f[7], f[8] - f[0] - f[4] } };
    Real column[4];
    Column(n, 0, column);
    Real whole = n[0][0] * column[0] + n[0][1] * column[1] + n[0][2] * column[2] + n[0][3] * column[3];
    MixedCofactor(f, f, b);
    Real det = (Real)0.5 * (f[0] * b[0] + f[1] * b[1] + f[2] * b[2]);
    Real largest = LargestRoot((Real)1.7320508075688772, (Real)-2, (Real)-8 * det, whole);
    for (int c = 0; c < 4; ++c)
    {
        n[c][c] -= largest;
    }
    for (int c = 0; c < 4; ++c)
    {
        Column(n, c, column);
        Real square = column[0] * column[0] + column[1] * column[1] + column[2] * column[2] + column[3] * column[3];
        if (square > best)
        {
            best = square;
            Real length = SquareRoot(square);
            for (int r = 0; r < 4; ++r)
            {
                t[r] = column[r] / length;
            }
        }
    }
}
