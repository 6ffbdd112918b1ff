// SPDX-License-Identifier: MIT
//
// fit_rotation.c: see fit_rotation.h. The columns r_i of Q are turned towards those of A, to maximise sum r_i . a_i. A turn by
// omega changes that by  omega.t - 1/2 omega.H omega,  with M = A Q^T, S its symmetric part and
//   t = sum r_i x a_i,   H = tr(S) 1 - S,   so that omega = H^-1 t
// (Newton's method; t / tr(S), as Mueller, Bender, Chentanez and Macklin 2016 have it, takes hundreds of turns about the
// long axis of a rod). Each turn is by the quaternion (1, omega/2), normalised: no trigonometry. H is singular only for a
// straight line, whose own axis does not matter.

#include "fit_rotation.h"

enum
{
    TURNS = 8
};

static rslVec3 Column(const double a[9], int b)
{
    return (rslVec3){ a[b], a[3 + b], a[6 + b] };
}

// a^-1 b for a symmetric, positive definite matrix (xx yy zz xy xz yz); false when it is not.
static bool Solve(const double a[6], rslVec3 b, rslVec3* x)
{
    double cxx = a[1] * a[2] - a[5] * a[5], cxy = a[4] * a[5] - a[3] * a[2], cxz = a[3] * a[5] - a[4] * a[1];
    double cyy = a[0] * a[2] - a[4] * a[4], cyz = a[3] * a[4] - a[0] * a[5], czz = a[0] * a[1] - a[3] * a[3];
    double det = a[0] * cxx + a[3] * cxy + a[4] * cxz;
    if (!(a[0] > 0.0 && czz > 0.0 && det > 0.0))
    {
        return false;
    }
    *x = rslScale(1.0 / det, (rslVec3){ cxx * b.x + cxy * b.y + cxz * b.z, cxy * b.x + cyy * b.y + cyz * b.z,
                                        cxz * b.x + cyz * b.y + czz * b.z });
    return true;
}

// omega above; where no maximum is near, uphill: t / tr(S), of at most a radian. Is one near?
static bool NextTurn(const double a[9], const rslMat3* q, bool planar, rslVec3* next)
{
    bool near = false;
    rslVec3 column[3];  // of M
    for (int j = 0; j < 3; ++j)
    {
        column[j] = rslScale(q->row[j].x, Column(a, 0));
        column[j] = rslMulAdd(column[j], q->row[j].y, Column(a, 1));
        column[j] = rslMulAdd(column[j], q->row[j].z, Column(a, 2));
    }
    double xx = column[0].x, yy = column[1].y, zz = column[2].z;
    rslVec3 torque = { column[1].z - column[2].y, column[2].x - column[0].z, column[0].y - column[1].x };
    if (planar)
    {
        torque.x = torque.y = 0.0;
    }
    double little = 1e-9 * (fabs(xx) + fabs(yy) + fabs(zz));
    const double h[6] = { yy + zz + little,
                          xx + zz + little,
                          xx + yy + little,
                          planar ? 0.0 : -0.5 * (column[1].x + column[0].y),
                          planar ? 0.0 : -0.5 * (column[2].x + column[0].z),
                          planar ? 0.0 : -0.5 * (column[2].y + column[1].z) };
    double trace = xx + yy + zz;
    rslVec3 omega = rslScale(1.0 / (trace > little ? trace : little), torque);
    if (planar && h[2] > 0.0)
    {
        omega.z = torque.z / h[2];
        near = true;
    }
    else if (!planar)
    {
        near = Solve(h, torque, &omega);
    }
    *next = rslDot(omega, omega) > 1.0 ? rslNormalize(omega) : omega;
    return near;
}

bool rslFindRotation(const double a[9], bool planar, rslQuat* rotation)
{
    const double little = 1e-12;  // a millionth of a radian
    bool found = false;
    rslQuat q = { 1.0, 0.0, 0.0, 0.0 };
    for (int turn = 0; turn < TURNS; ++turn)
    {
        rslMat3 r = rslQuatMatrix(q);
        rslVec3 omega;
        bool near = NextTurn(a, &r, planar, &omega);
        rslVec3 half = rslScale(0.5, omega);
        found = near && rslDot(omega, omega) < little;
        if (!rslIsFinite3(half))
        {
            break;  // the audit will tell
        }
        q = rslQuatNormalize(rslQuatMul((rslQuat){ 1.0, half.x, half.y, half.z }, q));
    }
    *rotation = q;
    return found;
}

rslQuat rslFitRotation(const double a[9], bool planar)
{
    rslQuat rotation;
    (void)rslFindRotation(a, planar, &rotation);
    return rotation;
}
