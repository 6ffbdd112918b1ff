// SPDX-License-Identifier: MIT
//
// integrate_forward_euler.c: x' = x + h v,  v' = v + h a(x, v), as in Cooper & Maddock 1999. First order; gains energy
// by itself: a mode of frequency w and damping rate c stays bounded only for h < c / w^2, undamped never.

#include "integrate.h"

Powers RSL_NAME(rslForwardEuler)(Kernel* kernel, rslState* state)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    view.kick = state->step;
    RSL_NAME(rslKernel_Span)(kernel, state, 0, 2);
    Powers powers = RSL_NAME(rslKernel_Forces)(kernel, &view);
    RSL_NAME(rslKernel_CountMotion)(kernel, state, 0, 0.5 * state->step);
    RSL_NAME(rslKernel_CountMotion)(kernel, state, 1, 0.5 * state->step);
    RSL_NAME(rslDrift)(kernel, &view, state->step);
    RSL_NAME(rslKick)(kernel, &view, state->step);
    RSL_NAME(rslRub)(kernel, &view, state->step, &state->account);
    RSL_NAME(rslAdvance)(kernel, state);
    RSL_NAME(rslKernel_Constrain)(kernel, state);
    return powers;
}
