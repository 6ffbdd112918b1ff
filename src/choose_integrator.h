// SPDX-License-Identifier: MIT
//
// choose_integrator.h: what `integrator: auto` is.

#pragma once

#include "team.h"

#include "resilin/solver.h"

// Why a model cannot move in implicit steps, and what to change; NULL: it can (implicit.c).
const char* rslImplicit_Refusal(const rslModel* model);

// Explicit or implicit, from the model alone: steps of a frame and what they cost, counted. Says so in a note of the report where
// explicit steps would cost more.
rslStatus rslIntegrator_Choose(const rslModel* model, const rslSolverDef* def, const rslHooks* hooks, rslTeam* team,
                               rslIntegrator* out, rslReport* report);
