// SPDX-License-Identifier: MIT
//
// top.c: see top.h.
//
// With Q = R P the principal axes in the world and l = Q^T L, the kinetic energy of rotation is
//   |L|^2 / (2 I2)  +  1/2 (1/I1 - 1/I2) l1^2  +  1/2 (1/I3 - 1/I2) l3^2
// Each part alone is a rotation that leaves L as it is: the first by |L| t / I2 about L, and it commutes with the others;
// 1/2 c l_i^2 by c l_i t about the axis i of the body. So a splitting of the others, here Strang's, keeps L to the bit, is
// symplectic and symmetric in time, and exact for balls and symmetric tops. Suzuki's (1990) five stages make it one of fourth
// order, with p = 1 / (4 - 4^(1/3)): p, p, 1 - 4 p, p, p. No stage turns the body by more than about half a radian.

#include "top.h"

#include "elementary.h"

enum
{
    STAGES = 5,
    MOST_SPLITS = 256
};

rslVec3 rslTop_Centre(const rslRigid* rigid, const rslFrame* frame)
{
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    return rslAdd(frame->origin, rslMatVec(&rotation, rigid->centre));
}

void rslTop_Place(const rslRigid* rigid, rslFrame* frame, rslVec3 centre)
{
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    frame->origin = rslSub(centre, rslMatVec(&rotation, rigid->centre));
}

rslVec3 rslTop_Times(const rslRigid* rigid, const rslFrame* frame, rslVec3 a)
{
    if (rigid->planar)
    {
        return (rslVec3){ 0.0, 0.0, rigid->inertia[2] * a.z };
    }
    rslMat3 axes = rslQuatMatrix(rslQuatMul(frame->rotation, rigid->axes));
    rslVec3 b = rslMatTVec(&axes, a);
    return rslMatVec(&axes, (rslVec3){ rigid->inertia[0] * b.x, rigid->inertia[1] * b.y, rigid->inertia[2] * b.z });
}

rslVec3 rslTop_Divide(const rslRigid* rigid, const rslFrame* frame, rslVec3 a)
{
    if (rigid->planar)
    {
        return (rslVec3){ 0.0, 0.0, a.z / rigid->inertia[2] };
    }
    rslMat3 axes = rslQuatMatrix(rslQuatMul(frame->rotation, rigid->axes));
    rslVec3 b = rslMatTVec(&axes, a);
    return rslMatVec(&axes, (rslVec3){ b.x / rigid->inertia[0], b.y / rigid->inertia[1], b.z / rigid->inertia[2] });
}

rslVec3 rslTop_Hidden(const rslRigid* rigid, const rslFrame* frame, rslVec3 a)
{
    const double* h = rigid->hidden;
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    rslVec3 s = rslMatTVec(&rotation, a);
    return rslMatVec(&rotation, (rslVec3){ h[0] * s.x + h[5] * s.y + h[4] * s.z, h[5] * s.x + h[1] * s.y + h[3] * s.z,
                                           h[4] * s.x + h[3] * s.y + h[2] * s.z });
}

// By an angle about a unit axis.
static rslQuat Turn(rslVec3 axis, double angle)
{
    double s = rslSin(0.5 * angle);
    return (rslQuat){ rslCos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z };
}

// The flow of 1/2 c l_i^2.
static rslQuat TurnOwn(rslQuat q, rslVec3 momentum, int axis, double c, double time)
{
    static const rslVec3 unit[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    if (c == 0.0)
    {
        return q;
    }
    rslMat3 m = rslQuatMatrix(q);
    rslVec3 l = rslMatTVec(&m, momentum);
    return rslQuatMul(q, Turn(unit[axis], c * rslDot(l, unit[axis]) * time));
}

static rslQuat Split(rslQuat q, const rslRigid* rigid, rslVec3 momentum, double time)
{
    static const double p = 0.41449077179437573714;  // 1 / (4 - 4^(1/3))
    static const double stages[STAGES] = { p, p, 1.0 - 4.0 * p, p, p };
    double middle = 1.0 / rigid->inertia[1];
    double least = 1.0 / rigid->inertia[0] - middle, most = 1.0 / rigid->inertia[2] - middle;
    for (int s = 0; s < STAGES; ++s)
    {
        double t = stages[s] * time;
        q = TurnOwn(q, momentum, 0, least, 0.5 * t);
        q = TurnOwn(q, momentum, 2, most, t);
        q = TurnOwn(q, momentum, 0, least, 0.5 * t);
    }
    return rslQuatNormalize(q);
}

void rslTop_Drift(const rslRigid* rigid, rslFrame* frame, double time)
{
    rslVec3 centre = rslMulAdd(rslTop_Centre(rigid, frame), time, frame->velocity), L = frame->momentum;
    double size = rslLength(L);
    if (rigid->planar)
    {
        rslQuat turn = Turn((rslVec3){ 0.0, 0.0, 1.0 }, L.z / rigid->inertia[2] * time);
        frame->rotation = rslQuatNormalize(rslQuatMul(turn, frame->rotation));
    }
    else if (size > 0.0 && size < INFINITY)
    {
        double range = 1.0 / rigid->inertia[0] - 1.0 / rigid->inertia[2];
        double splits = ceil(fabs(time) * size * range);
        int count = splits < 1.0 ? 1 : splits > MOST_SPLITS ? MOST_SPLITS : (int)splits;
        rslQuat q = rslQuatMul(frame->rotation, rigid->axes);
        for (int s = 0; s < count; ++s)
        {
            q = Split(q, rigid, L, time / count);
        }
        q = rslQuatMul(Turn(rslScale(1.0 / size, L), size * time / rigid->inertia[1]), q);
        rslQuat p = rigid->axes;
        frame->rotation = rslQuatNormalize(rslQuatMul(q, (rslQuat){ p.w, -p.x, -p.y, -p.z }));
    }
    rslTop_Place(rigid, frame, centre);
}
