// SPDX-License-Identifier: MIT
//
// integrate_symplectic_euler.c: v' = v + h a(x, v),  x' = x + h v'. First order; keeps energy on average; stable for
// h^2 w^2 + 2 h c < 4.
//
// Its velocities are those of half a step before: places and such velocities are what leapfrog has, and keep energy as it does. So
// after a step of another length h0 the kick lasts (h0 + h) / 2. What rests on something feels the same kick with it, and stays.

#include "integrate.h"
#include "kernel_touch.h"

static Powers TimesPowers(Powers powers, double factor)
{
    powers.loads *= factor;
    powers.drives *= factor;
    powers.dissipated *= factor;
    powers.motion *= factor;
    return powers;
}

Powers RSL_NAME(rslSymplecticEuler)(Kernel* kernel, rslState* state)
{
    double h = state->step, last = state->guard.last, kick = last > 0.0 ? 0.5 * (last + h) : h;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    view.kick = kick;
    RSL_NAME(rslKernel_Span)(kernel, state, 0, 2);
    Powers powers = RSL_NAME(rslKernel_Forces)(kernel, &view);
    RSL_NAME(rslKernel_CountMotion)(kernel, state, 0, 0.5 * h);
    RSL_NAME(rslKernel_CountMotion)(kernel, state, 1, 0.5 * h);
    RSL_NAME(rslKickAndTouch)(kernel, &view, state, rslState_Time(state), kick);
    RSL_NAME(rslDriftAfter)(kernel, &view, h, kick, &state->account);
    RSL_NAME(rslAdvance)(kernel, state);
    state->guard.last = Divides(kernel) ? h : 0.0;
    RSL_NAME(rslKernel_Constrain)(kernel, state);
    return TimesPowers(powers, kick / h);
}
