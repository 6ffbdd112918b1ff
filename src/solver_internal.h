// SPDX-License-Identifier: MIT
//
// solver_internal.h: what a solver holds.

#pragma once

#include "backend.h"

struct rslSolver
{
    const rslModel* model;
    rslSolverDef def;
    rslHooks hooks;
    rslTeam* team;
    const rslBackend* backend;
    void* kernel;
    rslStability stability;
    rslDivergence divergence;
    struct rslStatic* rest;  // NULL unless the integrator is static
    rslState* lastGood;
    bool hasLastGood;
    // with a guard (guarded_step.c), else NULL: a state to go back to, of the last audit or call, or of the last step when
    // careful, not when static; and one within a step or an increment that is divided
    rslState *anchor, *kept;
    bool careful;    // every step may be taken back by itself
    bool sawDanger;  // since the last audit
};
