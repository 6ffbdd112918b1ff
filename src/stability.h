// SPDX-License-Identifier: MIT
//
// stability.h: the largest stable step of a model for an integrator.

#pragma once

#include "team.h"

#include "resilin/solver.h"

// Found in double precision at the start, so that both precisions take the same step. Fills all but .step. Returns
// rsl_outOfMemory or rsl_ok.
rslStatus rslStability_Find(const rslModel* model, rslIntegrator integrator, const rslHooks* hooks, rslTeam* team,
                            rslStability* stability);
