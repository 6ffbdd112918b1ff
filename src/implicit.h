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

// Into how many parts a step is to be divided, 2 to this power, for held nodes not to go too far in one.
int rslImplicit_Parts(rslImplicit* implicit, rslState* state, int most);

// How the last step ended, and what all steps so far took.
rslSolve rslImplicit_Result(const rslImplicit* implicit);
rslStatus rslImplicit_Status(const rslImplicit* implicit);  // out of memory, or not

// One step of a solver, divided where it does not end or gains energy (implicit_step.c).
rslStatus rslImplicit_Advance(rslSolver* solver, rslState* state);
