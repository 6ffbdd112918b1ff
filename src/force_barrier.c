// SPDX-License-Identifier: MIT
//
// force_barrier.c: contact of implicit steps (barrier.h) as a term: places of contact nodes go from body axes to the world, forces and
// products back.

#include "ascending.h"
#include "kernel_barrier.h"
#include "term.h"

static void Put(double* x, int c, rslVec3 a)
{
    x[3 * (size_t)c] = a.x;
    x[3 * (size_t)c + 1] = a.y;
    x[3 * (size_t)c + 2] = a.z;
}

void RSL_NAME(rslBarrier_Gather)(const Kernel* kernel, const View* view, double* x)
{
    const rslModel* model = kernel->model;
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        int node = model->contactNodes[c], body = kernel->barrier->body[c];
        const FrameView* frame = &kernel->frames[body];
        rslVec3 y = rslAdd(rslVec3_Of(&kernel->barrier->rest[3 * (size_t)c]), VectorAt(view->u, node));
        Put(x, c, rslAdd(frame->origin, rslMatVec(&frame->rotation, y)));
    }
}

static bool Present(const Kernel* kernel)
{
    return kernel->barrier != NULL && kernel->barrier->acts;
}

static void Prepare(Kernel* kernel, const View* view)
{
    BarrierKernel* b = kernel->barrier;
    RSL_NAME(rslBarrier_Gather)(kernel, view, b->at);
    rslStatus status = rslBarrier_Look(b->barrier, b->at, kernel->time);
    b->status = status != rsl_ok ? status : b->status;
}

static void PrepareProduct(Kernel* kernel, const View* view, bool damping, Real* const p[3])
{
    (void)view;
    BarrierKernel* b = kernel->barrier;
    const rslModel* model = kernel->model;
    for (int c = 0; !damping && c < model->contactNodeCount; ++c)
    {
        rslVec3 own = VectorAt(p, model->contactNodes[c]);
        own = b->turns != NULL ? rslMatVec(&b->turns[b->body[c]], own) : own;
        Put(b->at, c, rslMatVec(&kernel->frames[b->body[c]].rotation, own));
    }
    if (!damping)
    {
        rslBarrier_Product(b->barrier, kernel->relaxed, b->at, b->change);
    }
}

// The first contact node of a chunk; that of the next one is where it ends.
static int FirstOf(const Kernel* kernel, int node)
{
    const rslModel* model = kernel->model;
    return rslFirstFrom(model->contactNodes, 0, model->contactNodeCount, node);
}

static void Add(const Kernel* kernel, const Chunk* chunk, const double* world, const rslMat3* turns, Real* const out[3])
{
    const rslModel* model = kernel->model;
    const rslMat3* rotation = &kernel->frames[chunk->body].rotation;
    for (int c = FirstOf(kernel, chunk->begin); c < model->contactNodeCount && model->contactNodes[c] < chunk->end; ++c)
    {
        const double* w = &world[3 * (size_t)c];
        rslVec3 local = rslMatTVec(rotation, (rslVec3){ w[0], w[1], w[2] });
        local = turns != NULL ? rslMatTVec(&turns[chunk->body], local) : local;
        int node = model->contactNodes[c];
        out[0][node] += (Real)local.x;
        out[1][node] += (Real)local.y;
        out[2][node] += (Real)local.z;
    }
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    (void)view;
    (void)powers;
    Add(kernel, chunk, rslBarrier_Forces(kernel->barrier->barrier), NULL, kernel->force);
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    (void)view;
    (void)p;
    Add(kernel, chunk, kernel->barrier->change, kernel->barrier->turns, out);
}

// All of it is told by the first chunk.
static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    (void)view;
    return chunk->index == 0 ? rslBarrier_Potential(kernel->barrier->barrier) : 0.0;
}

// R^T B R
static void Turn(const rslMat3* rotation, const double b[6], double* out)
{
    static const int index[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };
    for (int axis = 0; axis < 3; ++axis)
    {
        rslVec3 e = rslMatVec(rotation, (rslVec3){ axis == 0, axis == 1, axis == 2 });
        rslVec3 moved = { b[0] * e.x + b[3] * e.y + b[4] * e.z, b[3] * e.x + b[1] * e.y + b[5] * e.z,
                          b[4] * e.x + b[5] * e.y + b[2] * e.z };
        moved = rslMatTVec(rotation, moved);
        out[index[axis][0]] += axis == 0 ? moved.x : 0.0;
        out[index[axis][1]] += axis <= 1 ? moved.y : 0.0;
        out[index[axis][2]] += moved.z;
    }
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    (void)view;
    const rslModel* model = kernel->model;
    const double(*world)[6] = rslBarrier_Blocks(kernel->barrier->barrier);
    const rslMat3* rotation = &kernel->frames[chunk->body].rotation;
    for (int c = FirstOf(kernel, chunk->begin); c < model->contactNodeCount && model->contactNodes[c] < chunk->end; ++c)
    {
        Turn(rotation, world[c], blocks[model->contactNodes[c] - chunk->begin]);
    }
}

const Term RSL_NAME(rslBarrierTerm) = {
    .name = "barriers",
    .hasEnergy = true,
    .symmetric = true,
    .present = Present,
    .prepare = Prepare,
    .prepareProduct = PrepareProduct,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .diagonal = Diagonal,
};
