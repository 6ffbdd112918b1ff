// SPDX-License-Identifier: MIT
//
// bond.h: one spring with a damper in parallel (Kelvin-Voigt), seen from one end.
//
//   d0, L0   rest vector and its length;  du, dw  differences of displacement and velocity, other end minus this one
//   d = d0 + du,  L = |d|
//   s = L^2 - L0^2 = 2 d0.du + du.du                    no cancellation: s is exact to rounding however large L0 is
//   dL = s / (L + L0) - e                               e: natural length minus L0
//   W  = 1/2 k dL^2,  T = dW/dL = k dL                  linear law; others in spring_law.h
//   force on this end = (T + c (d.dw) / L) d / L        the damper acts along the spring
//   stiffness: T' n n^T + (T/L) (I - n n^T), n = d / L
//
// A spring pressed to nothing has no direction, and L^2 = L0^2 + s is then all rounding, perhaps negative. Below a small
// part of L0 the length is taken as that part: d / L fades to zero instead of becoming 0 / 0.

#pragma once

#include "real.h"

typedef struct Bond
{
    Real d[3];
    Real length;      // L
    Real elongation;  // dL
} Bond;

// L^2 from s, with L at least 2^-10 L0 in single and 2^-20 L0 in double precision; the last summand is for nodes so close
// that they round to the same place.
static inline Real BondLengthSquared(Real restLength, Real s)
{
    const Real part = RSL_PRECISION == 32 ? (Real)0x1p-20 : (Real)0x1p-40;
    Real rest = restLength * restLength, square = rest + s, least = part * rest + (Real)1e-36;
    return square > least ? square : least;
}

// (L - L0) / L from s / L0^2, as elongation.h has it.
static inline Real BondPart(Real e)
{
    const Real least = RSL_PRECISION == 32 ? (Real)0x1p-20 : (Real)0x1p-40;
    Real x = (Real)1 + e;
    x = x > least ? x : least;
    return e / (x + SquareRoot(x));
}

static inline Bond MakeBond(const Real d0[3], const Real du[3], Real restLength, Real extra)
{
    Real s =
        (Real)2 * (d0[0] * du[0] + d0[1] * du[1] + d0[2] * du[2]) + (du[0] * du[0] + du[1] * du[1] + du[2] * du[2]);
    Real length = SquareRoot(BondLengthSquared(restLength, s));
    return (Bond){
        .d = { d0[0] + du[0], d0[1] + du[1], d0[2] + du[2] },
        .length = length,
        .elongation = s / (length + restLength) - extra,
    };
}

// out -= (k n n^T + t (I - n n^T)) dp, with t = T/L: one end's row of the stiffness times a vector.
static inline void BondProduct(const Bond* bond, Real k, Real t, const Real dp[3], Real* const out[3], int node)
{
    Real inverse = (Real)1 / bond->length;
    Real n[3] = { bond->d[0] * inverse, bond->d[1] * inverse, bond->d[2] * inverse };
    Real along = (k - t) * (n[0] * dp[0] + n[1] * dp[1] + n[2] * dp[2]);
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis][node] -= along * n[axis] + t * dp[axis];
    }
}

// block += k n n^T + t (I - n n^T)
static inline void BondBlock(const Bond* bond, Real k, Real t, double block[6])
{
    double nx = (double)bond->d[0] / (double)bond->length;
    double ny = (double)bond->d[1] / (double)bond->length;
    double nz = (double)bond->d[2] / (double)bond->length;
    double a = (double)k - (double)t;
    block[0] += a * nx * nx + (double)t;
    block[1] += a * ny * ny + (double)t;
    block[2] += a * nz * nz + (double)t;
    block[3] += a * nx * ny;
    block[4] += a * nx * nz;
    block[5] += a * ny * nz;
}
