// SPDX-License-Identifier: MIT
//
// guarded_rest.h: from one state of rest to the next, without letting an element collapse.

#pragma once

#include "solver_internal.h"

// Increments (`integrator: static`). rsl_notConverged: the state is what was found last, at the time that was asked for.
// rsl_diverged: an element would collapse, and the state is the rest before.
rslStatus rslGuarded_Rest(rslSolver* solver, rslState* state, int64_t steps);
