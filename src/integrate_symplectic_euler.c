// SPDX-License-Identifier: MIT
//
// integrate_symplectic_euler.c: v' = v + h a(x, v),  x' = x + h v'. First order; keeps energy on average; stable for
// h^2 w^2 + 2 h c < 4.

#include "integrate.h"

Powers RSL_NAME(rslSymplecticEuler)(Kernel* kernel, rslState* state)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    view.kick = state->step;
    RSL_NAME(rslKernel_Span)(kernel, state, 0, 2);
    Powers powers = RSL_NAME(rslKernel_Forces)(kernel, &view);
    RSL_NAME(rslKernel_CountMotion)(kernel, state, 0, 0.5 * state->step);
    RSL_NAME(rslKernel_CountMotion)(kernel, state, 1, 0.5 * state->step);
    RSL_NAME(rslKickAndTouch)(kernel, &view, state, rslState_Time(state));
    RSL_NAME(rslDrift)(kernel, &view, state->step);
    RSL_NAME(rslAdvance)(kernel, state);
    RSL_NAME(rslKernel_Constrain)(kernel, state);
    return powers;
}
