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
};
