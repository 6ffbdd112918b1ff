// SPDX-License-Identifier: MIT
//
// integrate_symplectic_euler.c: v' = v + h a(x, v),  x' = x + h v'. First order; keeps energy on average; stable for
// h^2 w^2 + 2 h c < 4.

#include "integrate.h"

Powers RSL_NAME(rslSymplecticEuler)(Kernel* kernel, rslState* state)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    view.kick = state->step;
    Powers powers = RSL_NAME(rslKernel_Forces)(kernel, &view);
    RSL_NAME(rslKick)(kernel, &view, state->step);
    RSL_NAME(rslDrift)(kernel, &view, state->step);
    RSL_NAME(rslAdvance)(kernel, state);
    RSL_NAME(rslKernel_Constrain)(kernel, state);
    return powers;
}
