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
#include "lanes.h"

#define SumNodes RSL_NAME(rslRebase_Sum)
#define ApplyNodes RSL_NAME(rslRebase_Apply)

enum
{
    BODY_SUMS = 15  // y 3, w 3, y X^T 9
};

// X - X_ of the nodes of a chunk, and 0 behind them.
typedef struct Arms
{
    double of[3][CHUNK + RSL_LANES];
} Arms;

static void FindArms(const Kernel* kernel, const Chunk* chunk, Arms* arms)
{
    double rest[CHUNK][3];
    RSL_NAME(rslKernel_Rest)(kernel, chunk, rest);
    const rslVec3 c = kernel->bodies[chunk->body].restCentre;
    const double centre[3] = { c.x, c.y, c.z };
    const int count = chunk->end - chunk->begin;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < count; ++i)
        {
            arms->of[axis][i] = rest[i][axis] - centre[axis];
        }
        memset(arms->of[axis] + count, 0, RSL_LANES * sizeof(double));
    }
}

// Numbers of the next nodes, as many as are left, and 0 behind them.
RSL_INLINE void Take(const Real* from, int left, rslLanes* to)
{
    Real numbers[RSL_LANES] = { 0 };
    if (left < RSL_LANES)
    {
        memcpy(numbers, from, (size_t)left * sizeof(Real));
        from = numbers;
    }
#if RSL_PRECISION == 32
    rslLanes_Widen(from, to);
#else
    rslLanes_Get(from, to);
#endif
}

RSL_INLINE void Put(const rslLanes* from, int left, Real* to)
{
#if RSL_PRECISION == 32
    rslNarrow numbers = __builtin_convertvector(*from, rslNarrow);
    const void* all = &numbers;
#else
    const void* all = from;
#endif
    memcpy(to, all, (size_t)(left < RSL_LANES ? left : RSL_LANES) * sizeof(Real));
}

// Lanes are added up apart.
RSL_CLONES static void SumNodes(const Arms* arms, const Real* mass, const View* view, int node, int count,
                                double sums[BODY_SUMS])
{
    rslLanes sum[BODY_SUMS] = { { 0 } };
    for (int i = 0; i < count; i += RSL_LANES)
    {
        const int left = count - i;
        rslLanes m, arm[3], u, w;
        Take(mass + node + i, left, &m);
        for (int a = 0; a < 3; ++a)
        {
            rslLanes_Get(arms->of[a] + i, &arm[a]);
        }
        for (int a = 0; a < 3; ++a)
        {
            Take(view->u[a] + node + i, left, &u);
            Take(view->w[a] + node + i, left, &w);
            sum[a] += m * u;
            sum[3 + a] += m * w;
            rslLanes weight = m * (arm[a] + u);
            for (int b = 0; b < 3; ++b)
            {
                sum[6 + 3 * a + b] += weight * arm[b];
            }
        }
    }
    for (int s = 0; s < BODY_SUMS; ++s)
    {
        sums[s] = 0.0;
        for (int l = 0; l < RSL_LANES; ++l)
        {
            sums[s] += sum[s][l];
        }
    }
}

static void SumChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    Arms arms;
    FindArms(kernel, chunk, &arms);
    SumNodes(&arms, kernel->mass, view, chunk->begin, chunk->end - chunk->begin,
             &kernel->sums[RSL_SUMS * chunk->index]);
}

static Rebase MakeRebase(const Kernel* kernel, int body, const double sum[BODY_SUMS], rslFrame* frame)
{
    const BodyKernel* b = &kernel->bodies[body];
    Rebase rebase = { 0 };
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

// Q^T v
RSL_INLINE void Turn(const rslMat3* transposed, const rslLanes v[3], rslLanes to[3])
{
    for (int a = 0; a < 3; ++a)
    {
        const rslVec3 row = transposed->row[a];
        to[a] = row.x * v[0] + row.y * v[1] + row.z * v[2];
    }
}

RSL_CLONES static void ApplyNodes(const Arms* arms, const Rebase* rebase, const View* view, int node, int count)
{
    const double shift[3] = { rebase->shift.x, rebase->shift.y, rebase->shift.z };
    const double drift[3] = { rebase->drift.x, rebase->drift.y, rebase->drift.z };
    const rslMat3 transposed = rslMat_Transpose(&rebase->turn);
    for (int i = 0; i < count; i += RSL_LANES)
    {
        const int left = count - i;
        rslLanes arm[3], u[3], w[3], places[3], speeds[3];
        for (int a = 0; a < 3; ++a)
        {
            rslLanes_Get(arms->of[a] + i, &arm[a]);
            Take(view->u[a] + node + i, left, &u[a]);
            Take(view->w[a] + node + i, left, &w[a]);
            u[a] = arm[a] + (u[a] - shift[a]);
            w[a] -= drift[a];
        }
        Turn(&transposed, u, places);
        Turn(&transposed, w, speeds);
        for (int a = 0; a < 3; ++a)
        {
            places[a] -= arm[a];
            Put(&places[a], left, view->u[a] + node + i);
            Put(&speeds[a], left, view->w[a] + node + i);
        }
    }
}

static void ApplyChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    if (kernel->bodies[chunk->body].rigid)
    {
        return;
    }
    Arms arms;
    FindArms(kernel, chunk, &arms);
    ApplyNodes(&arms, &((const Rebase*)context)[chunk->body], view, chunk->begin, chunk->end - chunk->begin);
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
