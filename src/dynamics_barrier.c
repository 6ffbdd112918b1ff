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
    if (b->at == NULL || b->change == NULL || b->body == NULL)
    {
        return false;
    }
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        b->body[c] = rslModel_BodyOf(model, model->contactNodes[c]);
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
