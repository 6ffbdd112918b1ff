// SPDX-License-Identifier: MIT
//
// stability_search.h: the motion of a model that an integrator loses first.

#pragma once

#include "team.h"

#include "resilin/solver.h"

// Fills stableStep (of integrators that lose stability at z = -1), frequency, node and iterations. Without `damped`, C
// counts as zero. Returns rsl_outOfMemory or rsl_ok.
rslStatus rslStability_Search(const rslModel* model, rslIntegrator integrator, bool damped, const rslHooks* hooks,
                              rslTeam* team, rslStability* stability);
