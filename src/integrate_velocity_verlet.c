// SPDX-License-Identifier: MIT
//
// integrate_velocity_verlet.c: half a kick, a drift, half a kick. Second order also with dampers, at the price of two
// evaluations of the forces: the second one sees the predicted velocity v + h a.
//
//   v1/2 = v + h/2 a(x, v),  x' = x + h v1/2,  v' = v1/2 + h/2 a(x', v1/2 + h/2 a(x, v))
// A mode with s = h^2 w^2 and d = h c has the trace 2 - s - d + s d/4 + d^2/2 and the determinant 1 - d + d^2/2 - s d/4:
// stable for s + 2 d - d^2 < 4 and d < 2.

#include "integrate.h"
#include "kernel_rigid.h"

#include <string.h>

static void KeepVelocity(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(kernel->kept[axis] + chunk->begin, view->w[axis] + chunk->begin,
               (size_t)(chunk->end - chunk->begin) * sizeof(Real));
    }
}

static void RestoreVelocity(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(view->w[axis] + chunk->begin, kernel->kept[axis] + chunk->begin,
               (size_t)(chunk->end - chunk->begin) * sizeof(Real));
    }
}

Powers RSL_NAME(rslVelocityVerlet)(Kernel* kernel, rslState* state)
{
    double h = state->step;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    view.kick = 0.5 * h;
    RSL_NAME(rslKernel_Span)(kernel, state, 0, 1);
    Powers first = RSL_NAME(rslKernel_Forces)(kernel, &view);
    RSL_NAME(rslKernel_CountMotion)(kernel, state, 0, 0.5 * h);
    RSL_NAME(rslKick)(kernel, &view, 0.5 * h);
    RSL_NAME(rslRub)(kernel, &view, 0.5 * h, &state->account);
    RSL_NAME(rslKernel_ForChunksLight)(kernel, &view, KeepVelocity, NULL);
    RSL_NAME(rslDrift)(kernel, &view, h);
    RSL_NAME(rslKick)(kernel, &view, 0.5 * h);
    RSL_NAME(rslRub)(kernel, &view, 0.5 * h, NULL);
    view = RSL_NAME(rslKernel_View)(kernel, state, h);
    RSL_NAME(rslKernel_Hold)(kernel, &view, rslState_Time(state) + h, h);
    view.kick = 0.5 * h;
    RSL_NAME(rslKernel_Span)(kernel, state, 1, 2);
    for (int axis = 0; axis < 3; ++axis)
    {
        view.from[axis] = kernel->kept[axis];
    }
    Powers second = RSL_NAME(rslKernel_Forces)(kernel, &view);
    RSL_NAME(rslKernel_CountMotion)(kernel, state, 1, 0.5 * h);
    RSL_NAME(rslKernel_ForChunksLight)(kernel, &view, RestoreVelocity, NULL);
    RSL_NAME(rslRigids_Restore)(kernel, &view);
    RSL_NAME(rslKick)(kernel, &view, 0.5 * h);
    RSL_NAME(rslRub)(kernel, &view, 0.5 * h, &state->account);
    RSL_NAME(rslAdvance)(kernel, state);
    RSL_NAME(rslKernel_Constrain)(kernel, state);
    return (Powers){
        .loads = 0.5 * (first.loads + second.loads),
        .drives = 0.5 * (first.drives + second.drives),
        .dissipated = 0.5 * (first.dissipated + second.dissipated),
        .motion = 0.5 * (first.motion + second.motion),
    };
}
