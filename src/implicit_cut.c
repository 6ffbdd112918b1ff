// SPDX-License-Identifier: MIT
//
// implicit_cut.c: parts of implicit steps that are cut short (rslEffort) keep nothing that they gained.
//
// Newton's method goes downhill from a place that is no higher than staying where one is, where inertia and potential are all the energy
// before; so what is cut short has no more potential than there was energy, for backward Euler. The rest is a matter of velocities, and
// is taken from them: what bodies do within goes first, then what is faster than the mean over the part, then speed.

#include "implicit_internal.h"

#include "rigid_part.h"
#include "solver_internal.h"
#include "vec.h"

// Energy beyond what is allowed.
static double Beyond(const rslSolver* solver, const rslState* state, double allowed)
{
    return solver->backend->energy(solver->kernel, state).total - allowed;
}

// The mean velocity over the part, that of backward Euler: no scheme swings beyond it.
static void TakeMean(const rslSolver* solver, rslState* state)
{
    const uint8_t* carried = solver->implicit->unknowns.axes;
    for (int axis = 0; axis < 3; ++axis)
    {
        const double *old = solver->kept->displacement[axis], *now = state->displacement[axis];
        double* w = state->velocity[axis];
        for (int i = 0; i < solver->model->nodeCount; ++i)
        {
            w[i] = carried[i] == 7 ? w[i] : (now[i] - old[i]) / state->step;  // rigid bodies move frames
        }
    }
}

// All velocities in the world, so that kinetic energy falls by as much as it can.
static void Slow(const rslSolver* solver, rslState* state, double energy)
{
    double kinetic = solver->backend->energy(solver->kernel, state).kinetic;
    double factor = energy < kinetic ? sqrt(1.0 - energy / kinetic) : 0.0;
    for (int b = 0; b < solver->model->bodyCount; ++b)
    {
        state->frames[b].velocity = rslScale(factor, state->frames[b].velocity);
        state->frames[b].momentum = rslScale(factor, state->frames[b].momentum);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        double* w = state->velocity[axis];
        for (int i = 0; i < solver->model->nodeCount; ++i)
        {
            w[i] *= factor;
        }
    }
}

bool rslImplicit_Calm(rslSolver* solver, rslState* state, double allowed, bool within)
{
    double first = Beyond(solver, state, allowed), left = first, rounding = 1e-12 * fabs(first);
    for (int way = 0; left > rounding && way < (within ? 1 : 2); ++way)
    {
        if (way == 1)
        {
            TakeMean(solver, state);
            rslDynamics_Hold(solver->kernel, state);
            left = Beyond(solver, state, allowed);
        }
        rslState_Calm(solver->model, state, left);
        rslDynamics_Hold(solver->kernel, state);
        left = Beyond(solver, state, allowed);
    }
    if (left > rounding && !within)
    {
        Slow(solver, state, left);
        rslDynamics_Hold(solver->kernel, state);
        left = Beyond(solver, state, allowed);
    }
    state->account.numerical += first - left;
    return !(left > 1e-9 * fabs(first));
}
