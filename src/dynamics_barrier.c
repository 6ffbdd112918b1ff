// SPDX-License-Identifier: MIT
//
// dynamics_barrier.c: what an implicit step asks of the kernel about contact (dynamics.h). A kernel file, compiled in double
// precision only.

#include "dynamics.h"
#include "kernel_barrier.h"

bool rslDynamics_SetBarrier(void* argument, rslBarrier* barrier)
{
    Kernel* kernel = argument;
    const rslModel* model = kernel->model;
    size_t count = (size_t)model->contactNodeCount;
    BarrierKernel* b = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof *b);
    if (b == NULL)
    {
        return false;
    }
    b->barrier = barrier;
    b->ofRest = rslBarrier_IsOfRest(barrier);
    b->acts = true;
    b->at = RSL_NAME(rslKernel_Allocate)(kernel, 3 * count + 1, sizeof(double));
    b->change = RSL_NAME(rslKernel_Allocate)(kernel, 3 * count + 1, sizeof(double));
    b->body = RSL_NAME(rslKernel_Allocate)(kernel, count + 1, sizeof(int));
    b->rest = RSL_NAME(rslKernel_Allocate)(kernel, 3 * count + 1, sizeof(double));
    if (b->at == NULL || b->change == NULL || b->body == NULL || b->rest == NULL)
    {
        return false;
    }
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        b->body[c] = rslModel_BodyOf(model, model->contactNodes[c]);
        rslVec3 rest = RSL_NAME(rslKernel_RestOf)(kernel, b->body[c], model->contactNodes[c]);
        b->rest[3 * (size_t)c] = rest.x;
        b->rest[3 * (size_t)c + 1] = rest.y;
        b->rest[3 * (size_t)c + 2] = rest.z;
    }
    kernel->barrier = b;
    return true;
}

void rslDynamics_Touch(void* argument, bool acts)
{
    Kernel* kernel = argument;
    if (kernel->barrier != NULL)
    {
        kernel->barrier->acts = acts;
    }
}

void rslDynamics_TurnTouch(void* argument, const rslMat3* turns)
{
    Kernel* kernel = argument;
    if (kernel->barrier != NULL)
    {
        kernel->barrier->turns = turns;
    }
}

// (R Q)^T B R Q
static void TurnBlock(const rslMat3* rotation, const rslMat3* turn, const double b[6], double out[6])
{
    static const int index[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };
    for (int axis = 0; axis < 3; ++axis)
    {
        rslVec3 e = rslMatVec(rotation, rslMatVec(turn, (rslVec3){ axis == 0, axis == 1, axis == 2 }));
        rslVec3 moved = { b[0] * e.x + b[3] * e.y + b[4] * e.z, b[3] * e.x + b[1] * e.y + b[5] * e.z,
                          b[4] * e.x + b[5] * e.y + b[2] * e.z };
        moved = rslMatTVec(turn, rslMatTVec(rotation, moved));
        out[index[axis][0]] = axis == 0 ? moved.x : out[index[axis][0]];
        out[index[axis][1]] = axis <= 1 ? moved.y : out[index[axis][1]];
        out[index[axis][2]] = moved.z;
    }
}

int rslDynamics_TouchSums(void* argument, const rslMat3* turns, int* nodes, double (*blocks)[6])
{
    Kernel* kernel = argument;
    int count = 0;
    if (kernel->barrier == NULL || !kernel->barrier->acts)
    {
        return 0;
    }
    const double(*world)[6] = rslBarrier_Sums(kernel->barrier->barrier);
    for (int c = 0; c < kernel->model->contactNodeCount; ++c)
    {
        int body = kernel->barrier->body[c];
        if (world[c][0] + world[c][1] + world[c][2] > 0.0)
        {
            TurnBlock(&kernel->frames[body].rotation, &turns[body], world[c], blocks[count]);
            nodes[count++] = kernel->model->contactNodes[c];
        }
    }
    return count;
}

rslStatus rslDynamics_TouchStatus(void* argument)
{
    Kernel* kernel = argument;
    rslStatus status = kernel->barrier->status;
    kernel->barrier->status = rsl_ok;
    return status;
}

void rslDynamics_Places(void* argument, const rslState* state, double lead, double* const u[3], double back, double* x)
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, lead);
    for (int axis = 0; axis < 3; ++axis)
    {
        view.u[axis] = u[axis];
    }
    RSL_NAME(rslBarrier_Gather)(kernel, &view, x);
    for (int c = 0; back != 0.0 && c < kernel->model->contactNodeCount; ++c)
    {
        rslVec3 v = kernel->frames[kernel->barrier->body[c]].velocity;
        x[3 * (size_t)c] -= back * v.x;
        x[3 * (size_t)c + 1] -= back * v.y;
        x[3 * (size_t)c + 2] -= back * v.z;
    }
}

void rslDynamics_Drift(void* argument, const rslState* state, double time, double* const u[3])
{
    Kernel* kernel = argument;
    (void)state;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const Chunk* chunk = &kernel->chunks[c];
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                u[axis][i] -= time * kernel->frames[chunk->body].drift[axis];
            }
        }
    }
}

void rslDynamics_Move(void* argument, rslState* state, const double* ways)
{
    Kernel* kernel = argument;
    const rslModel* model = kernel->model;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        const double* way = &ways[3 * (size_t)c];
        rslVec3 local =
            rslMatTVec(&kernel->frames[kernel->barrier->body[c]].rotation, (rslVec3){ way[0], way[1], way[2] });
        view.u[0][model->contactNodes[c]] += local.x;
        view.u[1][model->contactNodes[c]] += local.y;
        view.u[2][model->contactNodes[c]] += local.z;
    }
}

void rslDynamics_Speeds(void* argument, const rslState* state, double* v)
{
    Kernel* kernel = argument;
    const rslModel* model = kernel->model;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        int node = model->contactNodes[c];
        const FrameView* frame = &kernel->frames[kernel->barrier->body[c]];
        rslVec3 w = { view.w[0][node], view.w[1][node], view.w[2][node] };
        w = rslAdd(frame->velocity, rslMatVec(&frame->rotation, w));
        v[3 * (size_t)c] = w.x;
        v[3 * (size_t)c + 1] = w.y;
        v[3 * (size_t)c + 2] = w.z;
    }
}
