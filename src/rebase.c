// SPDX-License-Identifier: MIT
//
// rebase.c: let a body's frame follow it, so that displacements stay small and single precision stays accurate.
//
//   x = c + R (X + u),  v = V + R w.  With y = X + u, means over mass y_, w_, X_ and a rotation Q that fits y - y_ to X - X_:
//   u' = Q^T (y - y_) - (X - X_),   c' = c + R (y_ - Q X_),   R' = R Q
//   w' = Q^T (w - w_),              V' = V + R w_
// Positions and velocities in the world are unchanged for any Q; Q only has to be near the body's rotation (fit_rotation.h, with
// A = sum m (y - y_)(X - X_)^T). Linear elements know no rotation: their frames keep theirs.

#include "fit_rotation.h"
#include "kernel.h"

enum
{
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
    rslQuat turn =
        fixed ? (rslQuat){ 1.0, 0.0, 0.0, 0.0 } : rslFitRotation(&sum[6], kernel->model->plane == rsl_planeXY);
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
