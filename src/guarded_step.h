// SPDX-License-Identifier: MIT
//
// guarded_step.h: steps that do not let an element collapse.

#pragma once

#include "solver_internal.h"

// At the start of a call, and, the same state, after every audit: nothing before it has to be known any more.
void rslGuarded_Anchor(rslSolver* solver, const rslState* state, bool same, int64_t steps);

// One step, or as many as it takes to come back to where it began: the state may be one of the steps before. rsl_diverged: the state
// is the one before the step that does not work.
rslStatus rslGuarded_Step(rslSolver* solver, rslState* state);

// Steps that were taken at once led too far: back to where they began, and from there with care.
void rslGuarded_GoBack(rslSolver* solver, rslState* state);

// Follow the bodies with their frames, unless rounding would turn an element inside out.
void rslGuarded_Rebase(rslSolver* solver, rslState* state);
