// SPDX-License-Identifier: MIT
//
// rebase.c: let a body's frame follow it, so that displacements stay small and single precision stays accurate.
//
//   x = c + R (X + u),  v = V + R w.  With y = X + u, means over mass y_, w_, X_ and a rotation Q that fits y - y_ to X - X_:
//   u' = Q^T (y - y_) - (X - X_),   c' = c + R (y_ - Q X_),   R' = R Q
//   w' = Q^T (w - w_),              V' = V + R w_
// Positions and velocities in the world are unchanged for any Q; Q only has to be near the body's rotation. It is found by
// turning the columns r_i of Q towards those of A = sum m (y - y_)(X - X_)^T, to maximise sum r_i . a_i. A turn by omega
// changes that by  omega.t - 1/2 omega.H omega,  with M = A Q^T, S its symmetric part and
//   t = sum r_i x a_i,   H = tr(S) 1 - S,   so that omega = H^-1 t
// (Newton's method; t / tr(S), as Mueller, Bender, Chentanez and Macklin 2016 have it, takes hundreds of turns about the
// long axis of a rod). Linear elements know no rotation: their frames keep theirs. Each turn is by the quaternion (1, omega/2), normalised: no trigonometry. H is singular only for a
// straight line, whose own axis does not matter.

#include "kernel.h"

enum
{
    TURNS = 8,
    BODY_SUMS = 15  // y 3, w 3, y X^T 9
};

static void SumChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    double rest[CHUNK][3];
    RSL_NAME(rslKernel_Rest)(kernel, chunk, rest);
    rslVec3 centre = kernel->bodies[chunk->body].restCentre;
    double sum[BODY_SUMS] = { 0 };
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        double m = (double)kernel->mass[i];
        const double* X = rest[i - chunk->begin];
        double arm[3] = { X[0] - centre.x, X[1] - centre.y, X[2] - centre.z };
        for (int a = 0; a < 3; ++a)
        {
            double u = (double)view->u[a][i];
            sum[a] += m * u;
            sum[3 + a] += m * (double)view->w[a][i];
            for (int b = 0; b < 3; ++b)
            {
                sum[6 + 3 * a + b] += m * (arm[a] + u) * arm[b];
            }
        }
    }
    for (int s = 0; s < BODY_SUMS; ++s)
    {
        kernel->sums[RSL_SUMS * chunk->index + s] = sum[s];
    }
}

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

// omega above; where no maximum is near, uphill: t / tr(S), of at most a radian.
static rslVec3 NextTurn(const double a[9], const rslMat3* q, bool planar)
{
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
    }
    else if (!planar)
    {
        (void)Solve(h, torque, &omega);
    }
    return rslDot(omega, omega) > 1.0 ? rslNormalize(omega) : omega;
}

static rslQuat FitRotation(const double a[9], bool planar)
{
    rslQuat q = { 1.0, 0.0, 0.0, 0.0 };
    for (int turn = 0; turn < TURNS; ++turn)
    {
        rslMat3 r = rslQuatMatrix(q);
        rslVec3 half = rslScale(0.5, NextTurn(a, &r, planar));
        if (!rslIsFinite3(half))
        {
            break;  // the audit will tell
        }
        q = rslQuatNormalize(rslQuatMul((rslQuat){ 1.0, half.x, half.y, half.z }, q));
    }
    return q;
}

static Rebase MakeRebase(const Kernel* kernel, int body, const double sum[BODY_SUMS], rslFrame* frame)
{
    const BodyKernel* b = &kernel->bodies[body];
    Rebase rebase = { .centre = b->restCentre };
    if (b->rigid)
    {
        return rebase;  // its frame follows at every step
    }
    rebase.shift = rslScale(1.0 / b->mass, (rslVec3){ sum[0], sum[1], sum[2] });
    rebase.drift = rslScale(1.0 / b->mass, (rslVec3){ sum[3], sum[4], sum[5] });
    // the mean of X - X_ over mass is zero, so that y_ drops out of y X^T
    const rslElements* elements = &kernel->model->bodies[body].elements;
    bool fixed = elements->count > 0 && elements->law == rsl_linearElement;
    rslQuat turn = fixed ? (rslQuat){ 1.0, 0.0, 0.0, 0.0 } : FitRotation(&sum[6], kernel->model->plane == rsl_planeXY);
    rebase.turn = rslQuatMatrix(turn);

    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    rslVec3 mean = rslAdd(b->restCentre, rebase.shift);
    rslVec3 move = rslSub(mean, rslMatVec(&rebase.turn, b->restCentre));
    frame->origin = rslAdd(frame->origin, rslMatVec(&rotation, move));
    frame->velocity = rslAdd(frame->velocity, rslMatVec(&rotation, rebase.drift));
    frame->rotation = rslQuatNormalize(rslQuatMul(frame->rotation, turn));
    return rebase;
}

static void ApplyChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    const Rebase* rebase = &((const Rebase*)context)[chunk->body];
    if (kernel->bodies[chunk->body].rigid)
    {
        return;
    }
    double rest[CHUNK][3];
    RSL_NAME(rslKernel_Rest)(kernel, chunk, rest);
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        const double* X = rest[i - chunk->begin];
        rslVec3 arm = rslSub((rslVec3){ X[0], X[1], X[2] }, rebase->centre);
        rslVec3 u = { (double)view->u[0][i], (double)view->u[1][i], (double)view->u[2][i] };
        rslVec3 w = { (double)view->w[0][i], (double)view->w[1][i], (double)view->w[2][i] };
        rslVec3 y = rslAdd(arm, rslSub(u, rebase->shift));
        u = rslSub(rslMatTVec(&rebase->turn, y), arm);
        w = rslMatTVec(&rebase->turn, rslSub(w, rebase->drift));
        view->u[0][i] = (Real)u.x;
        view->u[1][i] = (Real)u.y;
        view->u[2][i] = (Real)u.z;
        view->w[0][i] = (Real)w.x;
        view->w[1][i] = (Real)w.y;
        view->w[2][i] = (Real)w.z;
    }
}

void RSL_NAME(rslKernel_Rebase)(Kernel* kernel, rslState* state)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, SumChunk, NULL);
    int chunk = 0;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        double sum[BODY_SUMS] = { 0 };
        for (; chunk < kernel->chunkCount && kernel->chunks[chunk].body == b; ++chunk)
        {
            for (int s = 0; s < BODY_SUMS; ++s)
            {
                sum[s] += kernel->sums[RSL_SUMS * chunk + s];
            }
        }
        kernel->rebases[b] = MakeRebase(kernel, b, sum, &state->frames[b]);
    }
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, ApplyChunk, kernel->rebases);
}
