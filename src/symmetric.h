// SPDX-License-Identifier: MIT
//
// symmetric.h: eigenvalues of small symmetric matrices by Jacobi's rotations (1846), and sums of symmetric tensors.

#pragma once

#include "resilin/field.h"
#include "vec.h"

enum
{
    RSL_SMALL = 6
};

// a becomes diagonal with its eigenvalues; column c of v is the eigenvector of a[c][c].
void rslSymmetric_Solve(double a[RSL_SMALL][RSL_SMALL], double v[RSL_SMALL][RSL_SMALL], int size);

// The same for any size; rows of a and v follow each other at a stride.
void rslSymmetric_SolveAny(double* a, double* v, int size, int stride);

static inline rslSymmetric rslSymmetric_Scale(double f, rslSymmetric s)
{
    return (rslSymmetric){ f * s.xx, f * s.yy, f * s.zz, f * s.yz, f * s.zx, f * s.xy };
}

// s + f t
static inline rslSymmetric rslSymmetric_MulAdd(rslSymmetric s, double f, rslSymmetric t)
{
    return (rslSymmetric){ s.xx + f * t.xx, s.yy + f * t.yy, s.zz + f * t.zz,
                           s.yz + f * t.yz, s.zx + f * t.zx, s.xy + f * t.xy };
}

// d d
static inline rslSymmetric rslSymmetric_Square(rslVec3 d)
{
    return (rslSymmetric){ d.x * d.x, d.y * d.y, d.z * d.z, d.y * d.z, d.z * d.x, d.x * d.y };
}

// R s R^T
static inline rslSymmetric rslSymmetric_Turn(const rslMat3* R, rslSymmetric s)
{
    rslVec3 rows[3] = { { s.xx, s.xy, s.zx }, { s.xy, s.yy, s.yz }, { s.zx, s.yz, s.zz } };
    rslVec3 half[3];  // s r for every row r of R
    for (int i = 0; i < 3; ++i)
    {
        half[i] = (rslVec3){ rslDot(rows[0], R->row[i]), rslDot(rows[1], R->row[i]), rslDot(rows[2], R->row[i]) };
    }
    return (rslSymmetric){
        .xx = rslDot(R->row[0], half[0]),
        .yy = rslDot(R->row[1], half[1]),
        .zz = rslDot(R->row[2], half[2]),
        .yz = rslDot(R->row[1], half[2]),
        .zx = rslDot(R->row[2], half[0]),
        .xy = rslDot(R->row[0], half[1]),
    };
}
