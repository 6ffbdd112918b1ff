// SPDX-License-Identifier: MIT
//
// divergence.h: the energy account of a state, and when a run counts as diverged.

#pragma once

#include "solver_internal.h"

// Nothing has gone wrong.
rslDivergence rslDivergence_None(void);

// The element that would collapse if a step went on, which was divided as often as that, is what the solver's divergence says; the state
// has come to a time after some steps. Returns rsl_diverged.
rslStatus rslDivergence_Collapse(rslSolver* solver, uint64_t stepCount, double time, int divided, rslDanger danger);

// Open the account at the first step.
void rslDivergence_Open(rslState* state, const rslEnergy* energy);

// Bring the account up to date at an audit that has passed.
void rslDivergence_Count(rslState* state, const rslEnergy* energy);

// False when the state is not finite or holds more than was ever put in, times the factor; the solver's divergence says
// what and where.
bool rslDivergence_Passes(rslSolver* solver, const rslState* state, const rslEnergy* energy);

// False when a body whose volume is kept is not the inside of its surface any more; likewise.
bool rslDivergence_Encloses(rslSolver* solver, const rslState* state, const rslEnergy* energy);

// False when a step above the stable one was divided too often, or into too many parts. Energy that grows because a step is too long
// ends in elements near collapse, where parts of the step, which are stable, take it away again: it has no limit to pass.
bool rslDivergence_IsStable(const rslSolver* solver, const rslState* state);

// Both, and that joints are kept, and this.
bool rslDivergence_IsSound(rslSolver* solver, const rslState* state, const rslEnergy* energy);
