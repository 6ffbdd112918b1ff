// SPDX-License-Identifier: MIT
//
// implicit_step.c: one implicit step of a solver, in as many parts as it takes.
//
// A step is divided by 2 again and again, as explicit ones are (guarded_step.c), where
//
//   held nodes would go farther, beyond where their own velocity takes them, than half of the smallest spacing
//   Newton's method finds no end, or no way without the collapse of an element
//   something is hit (implicit_impact.c)
//   the scheme gains much energy at once, because something is too fast for the step: also backward Euler, where stiff dampers turn far
//   in it. A part of 1/16 that gains still is taken by backward Euler, as it comes
//
// What a part gains beyond what schemes may is taken from what bodies do within.
//
// After a part that was taken back, one as long is tried again when two shorter ones have been found; when it fails again, after four, and
// so on; and a step of which 64 parts were taken back has no end: what it costs is bounded.
//
// Which parts those are follows from the state alone. Clock and step of the state are those of the part while it runs.

#include "divergence.h"
#include "implicit.h"
#include "implicit_internal.h"
#include "log.h"
#include "solver_internal.h"

enum
{
    DEEPEST = 10,
    DEEPEST_HELD = 6,  // parts that held nodes alone ask for
    DEEPEST_GAIN = 4,  // and energy alone
    MOST_PARTS = 4096,
    MOST_FAILED = 64  // parts that are taken back
};

// Of all energy: since the start, beyond what was put in and lost; and in one part, since a scheme of second order may give back
// some of what it took (a bar that swings far loses more where it may not). What goes beyond the first but not the second is taken from what
// bodies do within.
static const double mostGained = 1e-4, mostAtOnce = 0.03;

// Where a step that is divided has come to.
typedef struct Place
{
    int level, deepest, coarsest, taken;
    int finest;    // that impacts may ask for
    int asked;     // what they asked for
    bool bounced;  // something has, before this part
    bool fresh;    // nobody has asked yet whether something is hit in the part that comes next
    bool euler;    // this part by backward Euler
    // of parts that were taken back: how many, the level of the last one; which level is tried again when so many have been taken, and
    // how many those are at first
    int failed, failedLevel;
    int least, left, patience;
} Place;

static double Held(const rslEnergy* energy)
{
    return energy->kinetic + energy->springs + energy->ground + energy->links;
}

// All that was put in.
static double Worked(const rslAccount* account)
{
    return account->loads + account->motion + account->drives;
}

// What becomes of a part: what it gained is kept, is taken from it, or is too much.
typedef enum Verdict
{
    KEEP,
    CALM,
    REDO
} Verdict;

// What a part lost that nothing took. Returns whether the scheme may keep what it gained beyond all work. What dampers take is counted
// where stages begin and end, and at impacts, where speeds change at once, that is too much: they have taken no more than is missing and
// than the scheme has to give back. (Else it would seem to have gained all that, and every later gain, however small, would be one too
// many.)
static Verdict Settle(const rslSolver* solver, rslState* state, const rslEnergy* before, const rslAccount* account)
{
    rslEnergy after = solver->backend->energy(solver->kernel, state);
    double worked = Worked(&state->account) - Worked(account), grown = after.total - before->total - worked;
    double all = Held(before) > Held(&after) ? Held(before) : Held(&after), rounding = 1e-9 * state->account.input;
    double most = rslMost(-grown, 0.0) + rslMost(account->numerical, 0.0);
    double taken = state->account.dissipated - account->dissipated;
    taken = taken > most ? most : taken;
    state->account.dissipated = account->dissipated + taken;
    state->account.numerical += -grown - taken;
    if (grown > mostAtOnce * all + rounding)
    {
        return REDO;
    }
    bool anything = grown > 1e-13 * (all + fabs(after.total));
    return anything && state->account.numerical < -mostGained * all - rounding ? CALM : KEEP;
}

// What a part may take of the effort of a step.
static rslEffort EffortOf(const rslSolver* solver, int level)
{
    rslEffort effort = solver->def.effort;
    effort.newton = effort.newton == 0 ? 0 : effort.newton >> level > 1 ? effort.newton >> level : 1;
    return effort;
}

static void Shift(rslSolver* solver, rslState* state, Place* at, int by)
{
    rslDynamics_Grade(solver->kernel, state, by);
    at->level += by;
    rslSolver_Copy(solver, solver->kept, state);
}

static bool Divide(rslSolver* solver, rslState* state, Place* at)
{
    rslSolver_Copy(solver, state, solver->kept);
    rslDynamics_Forget(solver->kernel);
    at->failed += 1;
    if (at->level == DEEPEST || at->taken == MOST_PARTS || at->failed == MOST_FAILED)
    {
        return false;
    }
    at->failedLevel = at->level;
    Shift(solver, state, at, 1);
    at->patience = at->patience > 0 ? 2 * at->patience : 2;
    at->left = at->patience;
    at->least = at->level;
    return true;
}

// A part was found: how long may the next one be?
static void Trust(Place* at)
{
    at->patience = at->level <= at->failedLevel ? 0 : at->patience;
    at->left -= 1;
    if (at->left <= 0)
    {
        at->least = at->level - 1;
        at->left = 2;
    }
}

static void Arrive(rslSolver* solver, rslState* state, Place* at)
{
    at->taken += 1;
    at->fresh = true;
    rslImplicit_Passed(solver->implicit, state, at->level);
    at->deepest = at->level > at->deepest ? at->level : at->deepest;
    at->euler = false;
    Trust(at);
    int done = 0, least = at->failed > 0 && at->least > at->coarsest ? at->least : at->coarsest;
    while (at->level - done > least && (state->stepCount >> done) % 2 == 0)
    {
        ++done;
    }
    if (done > 0)
    {
        Shift(solver, state, at, -done);
    }
    rslSolver_Copy(solver, solver->kept, state);
}

// Parts as short as impacts ask for. False: out of memory.
static bool Refine(rslSolver* solver, rslState* state, Place* at)
{
    int level = rslImplicit_ImpactLevel(solver->implicit, state, at->level, at->finest);
    at->fresh = false;
    at->euler = solver->implicit->tooFast;
    at->asked = level > at->coarsest ? level : at->coarsest;
    rslSolver_Copy(solver, solver->kept, state);
    while (at->level < level)
    {
        Shift(solver, state, at, 1);
    }
    double slow = rslLength(solver->model->gravity) * state->step * (double)(1 << at->level);
    if (rslImplicit_Rebound(solver->implicit, state, slow, at->taken > 0))
    {
        at->bounced = true;
        rslSolver_Copy(solver, solver->kept, state);
    }
    return rslImplicit_Status(solver->implicit) == rsl_ok;
}

// One part, or a decision about the next. False: there is none.
static bool TryPart(rslSolver* solver, rslState* state, Place* at)
{
    rslIntegrator scheme = at->euler ? rsl_implicitEuler : solver->def.integrator;
    rslEnergy before = solver->backend->energy(solver->kernel, state);
    rslAccount account = state->account;
    solver->implicit->effort = EffortOf(solver, at->level);
    if (!rslImplicit_Step(solver->implicit, state, scheme, at->taken > 0 || at->bounced))
    {
        bool stopped = rslImplicit_Result(solver->implicit).stopped;
        return !stopped && rslImplicit_Status(solver->implicit) == rsl_ok && Divide(solver, state, at);
    }
    Verdict verdict = Settle(solver, state, &before, &account);
    bool kept = verdict == KEEP, limited = solver->def.effort.newton > 0;
    double allowed = before.total + Worked(&state->account) - Worked(&account);
    bool calmed = !kept && (limited || verdict == CALM) && rslImplicit_Calm(solver, state, allowed, !limited);
    bool last = scheme == rsl_implicitEuler && (limited || verdict != REDO || at->level >= DEEPEST_GAIN);
    if (kept || calmed || last)
    {
        Arrive(solver, state, at);
        return true;
    }
    if (scheme != rsl_implicitEuler && (limited || (at->level >= DEEPEST_GAIN && at->level > at->asked + 1)))
    {
        at->euler = true;
        rslSolver_Copy(solver, state, solver->kept);
        return true;
    }
    return Divide(solver, state, at);
}

// The state is again the one before the step.
static rslStatus GiveUp(rslSolver* solver, rslState* state, const Place* at)
{
    rslSolve result = rslImplicit_Result(solver->implicit);
    rslSolver_Copy(solver, state, solver->lastGood);
    rslDynamics_Forget(solver->kernel);
    if (result.outcome == rsl_solveStopped || rslImplicit_Status(solver->implicit) != rsl_ok)
    {
        return result.outcome == rsl_solveStopped ? rsl_stopped : rslImplicit_Status(solver->implicit);
    }
    rslDanger danger = solver->backend->danger(solver->kernel);
    bool element =
        danger.body >= 0 && rslModel_Rigid(solver->model, danger.body) == NULL;  // else nothing is free of what touches
    if (result.outcome == rsl_solveCollapse && element)
    {
        return rslDivergence_Collapse(solver, state->stepCount, rslState_Time(state), at->level, danger);
    }
    rslLog(&solver->hooks, rsl_error, "the step at %.6g s does not end: %.3g of the forces left over at node %d",
           rslState_Time(state), result.residual, result.node);
    return result.outcome == rsl_solveNotFinite ? rsl_diverged : rsl_notConverged;
}

rslStatus rslImplicit_Advance(rslSolver* solver, rslState* state)
{
    Place at = { .finest = DEEPEST, .fresh = true };
    uint64_t end = state->stepCount + 1;
    int newton = solver->def.effort.newton;
    while (newton > 0 && at.finest > 0 && 1 << at.finest > newton)
    {
        --at.finest;  // there is time for no more parts
    }
    solver->implicit->result.left = 0.0;
    rslSolver_Copy(solver, solver->lastGood, state);
    solver->hasLastGood = true;
    rslSolver_Copy(solver, solver->kept, state);
    for (at.coarsest = rslImplicit_Parts(solver->implicit, state, DEEPEST_HELD); at.level < at.coarsest;)
    {
        Shift(solver, state, &at, 1);
    }
    while (state->stepCount < end << at.level)
    {
        if ((at.fresh && !Refine(solver, state, &at)) || !TryPart(solver, state, &at))
        {
            return GiveUp(solver, state, &at);
        }
    }
    if (at.level > 0)
    {
        rslDynamics_Grade(solver->kernel, state, -at.level);
    }
    if (at.taken > 1)
    {
        state->guard.divided += 1;
        state->guard.substeps += (uint64_t)at.taken;
        state->guard.deepest =
            (uint64_t)at.deepest > state->guard.deepest ? (uint64_t)at.deepest : state->guard.deepest;
    }
    double smallest = rslStatics_Smallest(solver->kernel, state);
    state->guard.smallest = smallest < state->guard.smallest ? smallest : state->guard.smallest;
    return rsl_ok;
}
