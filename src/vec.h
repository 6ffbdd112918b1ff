// SPDX-License-Identifier: MIT
//
// vec.h: double vectors, quaternions and 3x3 matrices. Only IEEE add, subtract, multiply, divide and square root, in a
// fixed order, so that every compiler gives the same bits.

#pragma once

#include "resilin/base.h"

#include <math.h>

static inline rslVec3 rslVec3_Of(const double* x)
{
    return (rslVec3){ x[0], x[1], x[2] };
}

// The larger of two; what is not a number is larger than any, and stays.
static inline double rslMost(double most, double value)
{
    return most != most || value <= most ? most : value;
}

static inline rslVec3 rslAdd(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline rslVec3 rslSub(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline rslVec3 rslScale(double s, rslVec3 a)
{
    return (rslVec3){ s * a.x, s * a.y, s * a.z };
}

// a + s b
static inline rslVec3 rslMulAdd(rslVec3 a, double s, rslVec3 b)
{
    return (rslVec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double rslDot(rslVec3 a, rslVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline rslVec3 rslCross(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double rslLength(rslVec3 a)
{
    return sqrt(rslDot(a, a));
}

// The zero vector stays zero.
static inline rslVec3 rslNormalize(rslVec3 a)
{
    double length = rslLength(a);
    return length > 0.0 ? rslScale(1.0 / length, a) : a;
}

static inline bool rslIsFinite3(rslVec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

// Rows of a rotation (or any) matrix.
typedef struct rslMat3
{
    rslVec3 row[3];
} rslMat3;

static inline rslVec3 rslMatVec(const rslMat3* m, rslVec3 a)
{
    return (rslVec3){ rslDot(m->row[0], a), rslDot(m->row[1], a), rslDot(m->row[2], a) };
}

// m^T a
static inline rslVec3 rslMatTVec(const rslMat3* m, rslVec3 a)
{
    return (rslVec3){
        m->row[0].x * a.x + m->row[1].x * a.y + m->row[2].x * a.z,
        m->row[0].y * a.x + m->row[1].y * a.y + m->row[2].y * a.z,
        m->row[0].z * a.x + m->row[1].z * a.y + m->row[2].z * a.z,
    };
}

static inline rslMat3 rslMat_Product(const rslMat3* a, const rslMat3* b)
{
    return (rslMat3){ { rslMatTVec(b, a->row[0]), rslMatTVec(b, a->row[1]), rslMatTVec(b, a->row[2]) } };
}

static inline rslMat3 rslMat_Transpose(const rslMat3* a)
{
    return (rslMat3){ { { a->row[0].x, a->row[1].x, a->row[2].x },
                        { a->row[0].y, a->row[1].y, a->row[2].y },
                        { a->row[0].z, a->row[1].z, a->row[2].z } } };
}

static inline rslQuat rslQuatMul(rslQuat p, rslQuat q)
{
    return (rslQuat){
        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
        p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
    };
}

static inline rslQuat rslQuatNormalize(rslQuat q)
{
    double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (rslQuat){ s * q.w, s * q.x, s * q.y, s * q.z };
}

static inline rslMat3 rslQuatMatrix(rslQuat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (rslMat3){ {
        { 1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy) },
        { 2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx) },
        { 2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy) },
    } };
}
