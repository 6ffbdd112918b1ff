// SPDX-License-Identifier: MIT
//
// implicit.h: implicit steps: backward Euler, the theta scheme and TR-BDF2, each a minimum of inertia and potential.

#pragma once

#include "backend.h"

typedef struct rslImplicit rslImplicit;

static inline bool rslIntegrator_IsImplicit(rslIntegrator integrator)
{
    return integrator == rsl_implicitEuler || integrator == rsl_theta || integrator == rsl_trBdf2;
}

// The kernel is one of rslBackend64 and must outlive it. Bad input, with what to change: a model that it cannot move.
rslStatus rslImplicit_Create(const rslModel* model, const rslSolverDef* def, const rslHooks* hooks, rslTeam* team,
                             void* kernel, rslImplicit** out, rslReport* report);
void rslImplicit_Free(rslImplicit* implicit);
size_t rslImplicit_Bytes(const rslImplicit* implicit);

// Bodies of a new state that touch are moved apart (barrier_open.c). False: out of memory.
bool rslImplicit_Open(rslImplicit* implicit, rslState* state);

// One step of a state's own length by a scheme, or not: how it ended is told by rslImplicit_Result, and the state is not one
// that can be used.
// goesOn: it is a part of a longer one that has begun.
bool rslImplicit_Step(rslImplicit* implicit, rslState* state, rslIntegrator scheme, bool goesOn);

// Rest (static_relax.c): the minimum of W and 1/(2 h^2) |x - x0|^2 over places, from x0 and without velocities, at the time after a step of the
// state, whose clock stays; forces up to a tolerance of a reference [N]. h = 0: nothing but a look at forces, in the reference of the implicit. How much is left over of forces without inertia [N],
// at which node, and what it is measured against [N].
typedef struct rslRelaxed
{
    bool found;   // a place that is no worse
    bool solved;  // the minimum
    double left, reference;
    int node;
} rslRelaxed;

rslRelaxed rslImplicit_Relax(rslImplicit* implicit, rslState* state, double h, double reference);

// The state is at rest: what touches is told.
rslStatus rslImplicit_EndRest(rslImplicit* implicit, rslState* state);

// Into how many parts a step is to be divided, 2 to this power, for held nodes not to go too far in one.
int rslImplicit_Parts(rslImplicit* implicit, rslState* state, int most);

// How the last step ended, and what all steps so far took.
rslSolve rslImplicit_Result(const rslImplicit* implicit);
rslStatus rslImplicit_Status(const rslImplicit* implicit);  // out of memory, or not

// One step of a solver, divided where it does not end or gains energy (implicit_step.c).
rslStatus rslImplicit_Advance(rslSolver* solver, rslState* state);
