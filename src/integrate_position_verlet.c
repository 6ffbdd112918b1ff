// SPDX-License-Identifier: MIT
//
// integrate_position_verlet.c: half a drift, a kick at the middle, half a drift. Second order with one evaluation of the
// forces; keeps energy on average; stable for h^2 w^2 + 2 h c < 4. Dampers see the velocity of the start of the step and
// so enter at first order: with strong damping at large steps, velocity Verlet is the more accurate one.

#include "integrate.h"
#include "kernel_touch.h"
#include "lattice_sweep.h"

static Powers Finish(Kernel* kernel, rslState* state, View* view)
{
    double h = state->step;
    view->kick = h;
    Powers powers = RSL_NAME(rslKernel_Forces)(kernel, view);
    RSL_NAME(rslKernel_CountMotion)(kernel, state, 0, 0.5 * h);
    RSL_NAME(rslKernel_CountMotion)(kernel, state, 1, 0.5 * h);
    RSL_NAME(rslKickAndTouch)(kernel, view, state, rslState_Time(state) + 0.5 * h, h);
    RSL_NAME(rslDriftAfter)(kernel, view, 0.5 * h, h, &state->account);
    RSL_NAME(rslAdvance)(kernel, state);
    RSL_NAME(rslKernel_Constrain)(kernel, state);
    return powers;
}

Powers RSL_NAME(rslPositionVerlet_Finish)(Kernel* kernel, rslState* state)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.5 * state->step);
    return Finish(kernel, state, &view);
}

Powers RSL_NAME(rslPositionVerlet)(Kernel* kernel, rslState* state)
{
    double h = state->step;
    RSL_NAME(rslTouch_Leave)(kernel, state, 0.5 * h);
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.5 * h);
    RSL_NAME(rslDrift)(kernel, &view, 0.5 * h);
    RSL_NAME(rslKernel_Hold)(kernel, &view, rslState_Time(state) + 0.5 * h, h);
    Powers powers;
    return RSL_NAME(rslSweep_Finishes)(kernel, state, &view, &powers) ? powers : Finish(kernel, state, &view);
}
