// SPDX-License-Identifier: MIT
//
// integrate.c: the moves that integrators are made of.

#include "integrate.h"

#include "guard.h"
#include "kernel_rigid.h"
#include "kernel_touch.h"
#include "lattice_sweep.h"

#define Drift RSL_NAME(rslDriftAxis)
#define Kick RSL_NAME(rslKickAxis)

RSL_CLONES static void Drift(Real* restrict u, const Real* restrict w, Real h, int count)
{
    for (int i = 0; i < count; ++i)
    {
        u[i] += h * w[i];
    }
}

RSL_CLONES static void Kick(Real* restrict w, const Real* restrict force, const Real* restrict mass, Real h, int count)
{
    for (int i = 0; i < count; ++i)
    {
        w[i] += h / mass[i] * force[i];
    }
}

typedef struct Drifting
{
    Real time;
    bool weighs;  // what dampers do to velocities as they are
} Drifting;

// With all that is asked of velocities.
static void DriftChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    const Drifting* drifting = context;
    if (drifting->weighs)
    {
        RSL_NAME(rslDrag_WeighChunk)(kernel, view, chunk);
    }
    RSL_NAME(rslTouch_BoundSpeed)(kernel, view, chunk);
    if (kernel->guard != NULL)
    {
        RSL_NAME(rslGuard_Drift)(kernel, view, chunk, drifting->time);
    }
    for (int axis = 0; !kernel->bodies[chunk->body].rigid && axis < 3; ++axis)
    {
        Drift(view->u[axis] + chunk->begin, view->w[axis] + chunk->begin, drifting->time, chunk->end - chunk->begin);
    }
}

static void KickChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    for (int axis = 0; !kernel->bodies[chunk->body].rigid && axis < 3; ++axis)
    {
        Kick(view->w[axis] + chunk->begin, kernel->force[axis] + chunk->begin, kernel->mass + chunk->begin,
             *(const Real*)context, chunk->end - chunk->begin);
    }
}

static void DriftAll(Kernel* kernel, const View* view, double time, bool weighs)
{
    Drifting drifting = { (Real)time, weighs };
    RSL_NAME(rslGuard_Leave)(kernel, view);
    RSL_NAME(rslKernel_ForChunksLight)(kernel, view, DriftChunk, &drifting);
    kernel->speedsHold = kernel->hardVolumes == 0;
    RSL_NAME(rslGuard_Left)(kernel);
    RSL_NAME(rslRigids_Drift)(kernel, view, time);
}

void RSL_NAME(rslDrift)(Kernel* kernel, const View* view, double time)
{
    RSL_NAME(rslHardVolume_Leave)(kernel, view, time);
    DriftAll(kernel, view, time, false);
}

static void WeighChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    RSL_NAME(rslDrag_WeighChunk)(kernel, view, chunk);
}

void RSL_NAME(rslDriftAfter)(Kernel* kernel, const View* view, double time, double kick, rslAccount* account)
{
    if (kernel->hardVolumes > 0 || kernel->rigids != NULL)  // these change velocities in drifts
    {
        RSL_NAME(rslKernel_ForChunksLight)(kernel, view, WeighChunk, NULL);
        RSL_NAME(rslDrag_Count)(kernel, view, kick, account);
        RSL_NAME(rslDrift)(kernel, view, time);
        return;
    }
    DriftAll(kernel, view, time, true);
    RSL_NAME(rslDrag_Count)(kernel, view, kick, account);
}

void RSL_NAME(rslKick)(Kernel* kernel, const View* view, double time)
{
    Real h = (Real)time;
    GuardKick(kernel);
    if (WeighsKicks(kernel))
    {
        RSL_NAME(rslSweep_Kick)(kernel, view, time);
        return;
    }
    RSL_NAME(rslKernel_ForChunksLight)(kernel, view, KickChunk, &h);
    RSL_NAME(rslRigids_Kick)(kernel, view, time);
}

void RSL_NAME(rslRub)(Kernel* kernel, const View* view, double time, rslAccount* account)
{
    GuardKick(kernel);
    RSL_NAME(rslPlanes_Rub)(kernel, view, time, account);
    if (kernel->rigids != NULL && kernel->rubs)
    {
        RSL_NAME(rslRigids_Spread)(kernel, view);
    }
}

void RSL_NAME(rslKickAndTouch)(Kernel* kernel, const View* view, rslState* state, double time, double kick)
{
    RSL_NAME(rslDrag_Start)(kernel, view);
    if (kernel->touch != NULL)
    {
        RSL_NAME(rslTouch_Kick)(kernel, view, state, time, kick);
    }
    else
    {
        RSL_NAME(rslKick)(kernel, view, kick);
        RSL_NAME(rslRub)(kernel, view, kick, &state->account);
    }
}

void RSL_NAME(rslAdvance)(Kernel* kernel, rslState* state)
{
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        rslFrame* frame = &state->frames[b];
        if (!kernel->bodies[b].rigid)  // drifts move those
        {
            frame->origin = rslMulAdd(frame->origin, state->step, frame->velocity);
        }
    }
    state->stepCount += 1;
}
