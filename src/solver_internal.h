// SPDX-License-Identifier: MIT
//
// solver_internal.h: what a solver holds.

#pragma once

#include "backend.h"
#include "state_internal.h"

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
    struct rslStatic* rest;        // NULL unless the integrator is static
    struct rslImplicit* implicit;  // NULL unless it is implicit
    rslState* lastGood;
    bool hasLastGood;
    // with a guard (guarded_step.c), else NULL: a state to go back to, of the start of the call, or of the last step when
    // careful, not when static; and one within a step or an increment that is divided
    rslState *anchor, *kept;
    const rslState* from;  // when not careful, the one to go back to: after an audit the last good one
    bool careful;          // every step may be taken back by itself
    bool sawDanger;        // since the last audit
    bool outOfMemory;      // in this call
    bool lacksForces;      // there was no memory for those that the host has given
};

// Copy a state for a solver, by all its threads. Where there is no memory for it, the call ends with rsl_outOfMemory.
static inline void rslSolver_Copy(rslSolver* solver, rslState* to, const rslState* from)
{
    if (rslState_Reserve(to, from->touchedCount) != rsl_ok)
    {
        solver->outOfMemory = true;
        return;
    }
    solver->backend->copy(solver->kernel, to, from);
    rslState_CopyRest(to, from);
}
