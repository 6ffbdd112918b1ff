// SPDX-License-Identifier: MIT
//
// guarded_rest.c: see guarded_rest.h.
//
// Every state on the way to rest is reached by straight ways on which no element falls too far (static_search.c,
// static_held.c). An increment in which held nodes cannot go their way like that, or which finds no rest because
// elements near collapse keep its steps short, is divided by 2 again and again, as steps are (guarded_step.c): time is
// that of the part, loads and motions are as far as they are then, and from each rest the next part begins. Where held
// nodes jump, a shorter time is not a shorter way: they are then led along it (static_held.h).

#include "guarded_rest.h"

#include "divergence.h"
#include "log.h"
#include "static.h"

enum
{
    DEEPEST = 12,
    DEEPEST_LOST = 6,  // of parts that find no rest
    MOST_PARTS = 1000
};

// Where a divided increment has come to.
typedef struct Place
{
    int level, deepest, taken;
    bool inParts;
    bool again;  // not the first try
    double way;  // of held nodes, in the last part that failed; 0: none did
} Place;

static void Shift(rslState* state, int by)
{
    state->stepCount = by > 0 ? state->stepCount << by : state->stepCount >> -by;
    state->step = by > 0 ? state->step / (double)(1 << by) : state->step * (double)(1 << -by);
}

// Held nodes cannot go on.
static bool IsStuck(const rslRest* rest)
{
    return rest->outcome == rsl_restCollapse || rest->outcome == rsl_restBlocked;
}

// Would shorter parts help?
static bool IsDivisible(const rslSolver* solver, const rslRest* rest, int level)
{
    bool lost =
        rest->outcome == rsl_restNoDescent || rest->outcome == rsl_restNoEnd || rest->outcome == rsl_restNotFinite;
    return (IsStuck(rest) && level < DEEPEST) || (lost && rslStatic_WasLimited(solver->rest) && level < DEEPEST_LOST);
}

// A part has failed: what the next one is.
static void Divide(rslSolver* solver, const rslRest* rest, rslState* state, Place* at)
{
    double way = rslStatic_Way(solver->rest);
    bool jumps = IsStuck(rest) && at->way > 0.0 && way > 0.75 * at->way;
    rslSolver_Copy(solver, state, solver->kept);
    if (jumps && !at->inParts)
    {
        at->inParts = true;
        return;
    }
    Shift(state, 1);
    rslSolver_Copy(solver, solver->kept, state);
    at->level += 1;
    at->inParts = false;
    at->way = way;
}

static void Arrive(rslSolver* solver, rslState* state, Place* at)
{
    at->taken += 1;
    at->deepest = at->level > at->deepest ? at->level : at->deepest;
    at->inParts = false;
    at->way = 0.0;
    for (; at->level > 0 && state->stepCount % 2 == 0; --at->level)
    {
        Shift(state, -1);
    }
    rslSolver_Copy(solver, solver->kept, state);
}

static rslStatus TryPart(rslSolver* solver, rslState* state, uint64_t end, Place* at)
{
    bool last = state->stepCount + 1 == end << at->level;
    rslIncrement how = { .last = last, .again = at->again, .inParts = at->inParts };
    at->again = true;
    return rslStatic_Step(solver->rest, state, &how);
}

static rslStatus Collapse(rslSolver* solver, rslState* state, int level)
{
    rslDanger danger = solver->backend->danger(solver->kernel);
    rslSolver_Copy(solver, state, solver->lastGood);
    uint64_t end = state->stepCount + 1;
    return rslDivergence_Collapse(solver, end, (double)end * state->step, level, danger);
}

static rslStatus StepGuarded(rslSolver* solver, rslState* state)
{
    uint64_t end = state->stepCount + 1;
    double step = state->step;
    Place at = { 0 };
    rslStatus status = rsl_ok;
    rslSolver_Copy(solver, solver->kept, state);
    while (status == rsl_ok && state->stepCount < end << at.level)
    {
        status = TryPart(solver, state, end, &at);
        rslRest rest = rslStatic_Result(solver->rest);
        if (status == rsl_ok)
        {
            Arrive(solver, state, &at);
        }
        else if (status == rsl_notConverged && !at.inParts && IsDivisible(solver, &rest, at.level) &&
                 at.taken < MOST_PARTS)
        {
            Divide(solver, &rest, state, &at);
            status = rsl_ok;
        }
        else if (rest.outcome == rsl_restCollapse)
        {
            status = Collapse(solver, state, at.level);
        }
    }
    if (status == rsl_notConverged)
    {
        state->stepCount = end;
        state->step = step;
    }
    if (status == rsl_ok)
    {
        bool stands = solver->backend->stands(solver->kernel, state);
        double smallest = solver->backend->danger(solver->kernel).smallest;
        state->guard.smallest = smallest < state->guard.smallest ? smallest : state->guard.smallest;
        status = stands ? rsl_ok : Collapse(solver, state, at.deepest);
    }
    if (status == rsl_ok && at.taken > 1)
    {
        state->guard.divided += 1;
        state->guard.substeps += (uint64_t)at.taken;
        state->guard.deepest =
            (uint64_t)at.deepest > state->guard.deepest ? (uint64_t)at.deepest : state->guard.deepest;
    }
    return status;
}

// Only states of rest are known, not how energy was lost between them: the account starts anew at each.
rslStatus rslGuarded_Rest(rslSolver* solver, rslState* state, int64_t steps)
{
    rslStatus status = rsl_ok;
    for (int64_t i = 0; status == rsl_ok && i < steps; ++i)
    {
        rslSolver_Copy(solver, solver->lastGood, state);
        solver->hasLastGood = true;
        status = solver->kept != NULL ? StepGuarded(solver, state)
                                      : rslStatic_Step(solver->rest, state, &(rslIncrement){ .last = true });
        if (status == rsl_stopped)
        {
            rslSolver_Copy(solver, state, solver->lastGood);
            return status;
        }
        rslEnergy energy = solver->backend->energy(solver->kernel, state);
        status = status == rsl_ok ? rslStatic_TouchStatus(solver->rest) : status;
        status = status == rsl_ok && !rslDivergence_Encloses(solver, state, &energy) ? rsl_diverged : status;
        state->account = (rslAccount){ 0 };
        rslDivergence_Open(state, &energy);
    }
    rslRest rest = rslStatic_Result(solver->rest);
    if (status != rsl_ok && status != rsl_diverged)
    {
        rslLog(&solver->hooks, rsl_error, "no state of rest at %.6g s: %.3g of the loads left over at node %d",
               rslState_Time(state), rest.residual, rest.worstNode);
    }
    return status;
}
