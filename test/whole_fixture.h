// SPDX-License-Identifier: MIT
//
// whole_fixture.h: runs whose steps are taken whole, and beside them in parts: the same bits.

#pragma once

#include "shaken_fixture.h"

#include "solver_internal.h"

// lattice_sweep.h
struct rslKernel32;
struct rslKernel64;
bool rslSweep_TakesSteps32(const struct rslKernel32* kernel);
bool rslSweep_TakesSteps64(const struct rslKernel64* kernel);

static inline bool TakesSteps(const Run* run)
{
    return run->state->precision == rsl_single ? rslSweep_TakesSteps32(run->solver->kernel)
                                               : rslSweep_TakesSteps64(run->solver->kernel);
}

// A host that pushes with nothing, to be freed after the run, has its steps taken in parts.
static inline double* StepApart(Run* run)
{
    double* nothing = calloc(3 * (size_t)run->model->nodeCount, sizeof(double));
    assert_non_null(nothing);
    rslSolver_SetForces(run->solver, nothing);
    return nothing;
}

// Motion, accounts, what was divided, and what pushes.
static inline void CheckAll(const Run* a, const Run* b)
{
    CheckSame(a, b);
    assert_true(rslState_Hash(a->state) == rslState_Hash(b->state));
    assert_memory_equal(&a->state->account, &b->state->account, sizeof a->state->account);
    assert_memory_equal(&a->state->guard, &b->state->guard, sizeof a->state->guard);
    assert_int_equal(a->state->pushCount, b->state->pushCount);
    for (int n = 0; n < a->state->pushCount; ++n)
    {
        assert_memory_equal(&a->state->pushes[n], &b->state->pushes[n], sizeof a->state->pushes[n]);
    }
}
