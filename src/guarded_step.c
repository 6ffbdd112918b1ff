// SPDX-License-Identifier: MIT
//
// guarded_step.c: see guarded_step.h.
//
// A step that leads too far (guard.h) is taken back and taken as two of half the length, each of which may be divided again.
// Clock and step of the state are those of the part while it runs: count 2^k + j and h / 2^k are exact, so that whatever looks
// at the time sees the time it is. Which parts a step is taken in follows from the state alone.
//
// Energy is kept on average by steps of one length. At the limit of stability what is kept is far from the energy, by a quarter
// for the fastest modes, and every change of the step starts from another place on the way: so the steps after one that
// had to be divided are taken in quarters or less, until nothing has happened for a while. The state knows (rslGuardTally).
//
// Nothing is kept in most steps. Where something is found wrong, the solver goes back to the last state it has kept, of the
// last audit or the start of the call, and comes again, now keeping every state before it goes on: the same steps, bit for
// bit. It stays careful until the guard has seen nothing for as long as an audit takes.

#include "guarded_step.h"

#include "divergence.h"
#include "state_internal.h"
#include "vec.h"

#include <math.h>

enum
{
    DEEPEST = RSL_MOST_DIVIDED,
    MOST_PARTS = 1 << 15,
    DOUBT = 4,            // from this level on it is asked whether the state is honest
    WARY = 64,            // steps after one that had to be divided
    WARY_MOST = 1 << 20,  // for what is hit: nothing is in touch for longer
    WARY_LEVEL = 2,       // in which parts of a quarter are the longest,
    TOUCH_LEVEL = 3,   // or while something touches and swings of an eighth (impact_rule.c: a tenth of the stable step)
    DAMPED_LEVEL = 1,  // or of half a step, where all that touches is damped so that nothing swings for long,
    WARY_DEEPEST = 10,  // and no shorter ones are begun with, however short they were
};

void rslGuarded_Anchor(rslSolver* solver, const rslState* state, bool same, int64_t steps)
{
    if (solver->anchor == NULL)
    {
        return;
    }
    solver->careful = solver->careful && solver->sawDanger;
    solver->sawDanger = false;
    solver->backend->begin(solver->kernel, solver->careful, same, steps);
    solver->from = same ? solver->lastGood : solver->anchor;
    if (!solver->careful && !same)
    {
        rslSolver_Copy(solver, solver->anchor, state);
    }
}

static bool Try(rslSolver* solver, rslState* state)
{
    bool passed = solver->backend->step(solver->kernel, state, solver->def.integrator);
    solver->sawDanger = solver->sawDanger || !passed || solver->backend->danger(solver->kernel).tested;
    solver->outOfMemory = solver->backend->starved(solver->kernel) || solver->outOfMemory;
    return passed;
}

static void TakeBack(rslSolver* solver, rslState* state, const rslState* to)
{
    rslSolver_Copy(solver, state, to);
    solver->backend->takeBack(solver->kernel);
}

// A run whose step is not stable is told by its energy, as at audits: there is no end to dividing the steps of it.
static bool IsHonest(rslSolver* solver)
{
    rslEnergy energy = solver->backend->energy(solver->kernel, solver->anchor);
    return rslDivergence_Passes(solver, solver->anchor, &energy);
}

static rslStatus GiveUp(rslSolver* solver, rslState* state, int level)
{
    rslDanger danger = solver->backend->danger(solver->kernel);
    rslSolver_Copy(solver, state, solver->anchor);
    rslSolver_Copy(solver, solver->lastGood, state);
    solver->backend->begin(solver->kernel, true, false, 1);
    return rslDivergence_Collapse(solver, state->stepCount, rslState_Time(state), level, danger);
}

// Finer parts, from a state.
static void Refine(rslSolver* solver, rslState* state, int shift)
{
    solver->backend->grade(solver->kernel, state, shift);
    rslSolver_Copy(solver, solver->kept, state);
}

// Where a step that is divided has come to: parts [0, part) of 2^level are done, and at most coarsest are taken together.
typedef struct Place
{
    int level, coarsest, deepest;
    uint64_t part, taken;
    bool guarded;     // an element asked for shorter parts,
    bool firm;        // of a body that is not damped so that nothing swings for long
    double touching;  // what is hit asks for them, for so long [s]
    bool swings;      // at the end of the last part, something touches that impacts make swing
} Place;

static void Note(const rslSolver* solver, Place* at)
{
    rslDanger danger = solver->backend->danger(solver->kernel);
    at->guarded = at->guarded || !(danger.touching > 0.0);
    at->firm = at->firm || (!(danger.touching > 0.0) && !danger.damped);
    at->touching = rslMost(at->touching, danger.touching);
}

static void Arrive(rslSolver* solver, rslState* state, Place* at)
{
    int done = 0;
    rslDanger danger = solver->backend->danger(solver->kernel);
    at->touching = rslMost(at->touching, danger.goesOn);
    at->swings = danger.swings;
    at->deepest = at->level > at->deepest ? at->level : at->deepest;
    at->taken += 1;
    for (at->part += 1; at->level > at->coarsest && at->part % 2 == 0; at->part /= 2)
    {
        at->level -= 1;
        done += 1;
    }
    if (done > 0)
    {
        solver->backend->grade(solver->kernel, state, -done);
    }
    rslSolver_Copy(solver, solver->kept, state);
}

// Steps that are divided after this one: since something was hit in it; and since an element asked for it, or what is left of those before.
static uint64_t TouchingAfter(const rslState* state, const Place* at)
{
    double steps = at->touching / state->step;
    return steps < WARY_MOST ? (uint64_t)ceil(steps) : WARY;
}

static uint64_t GuardedAfter(const rslState* state, const Place* at)
{
    return at->guarded ? WARY : state->guard.wary - (state->guard.wary > 0 ? 1 : 0);
}

// And in which parts: longer ones by and by, as long as they are short enough for what touches. Where halves were short enough and dampers
// take what swings, they stay so; what they are too long for says it in its time.
static int LevelAfter(const rslState* state, const Place* at)
{
    bool lately = GuardedAfter(state, at) > TouchingAfter(state, at);
    bool halves = !at->firm && at->deepest <= DAMPED_LEVEL;
    int coarsest = !halves && (lately || state->touchedCount == 0) ? WARY_LEVEL : DAMPED_LEVEL;
    int longest = at->swings && !at->guarded ? TOUCH_LEVEL : coarsest;
    int least = at->deepest < longest ? at->deepest : longest, level = at->deepest - 1;
    level = level > least ? level : least;
    level = level > coarsest ? level : coarsest;
    return level < WARY_DEEPEST ? level : WARY_DEEPEST;
}

static void Count(rslState* state, const Place* at)
{
    rslGuardTally* tally = &state->guard;
    tally->divided += 1;
    tally->substeps += at->taken;
    tally->deepest = (uint64_t)at->deepest > tally->deepest ? (uint64_t)at->deepest : tally->deepest;
    uint64_t touching = TouchingAfter(state, at), guarded = GuardedAfter(state, at);
    tally->level = (uint64_t)LevelAfter(state, at);
    tally->wary = touching > guarded ? touching : guarded;
}

// A step in parts of at most 2^-coarsest, from the anchor, where the state is.
static rslStatus StepInParts(rslSolver* solver, rslState* state, Place at)
{
    int coarsest = at.coarsest;
    bool asked = false;
    Refine(solver, state, coarsest);
    while (at.part < 1ull << coarsest || at.level > coarsest)
    {
        if (Try(solver, state))
        {
            Arrive(solver, state, &at);
        }
        else if (at.level == DEEPEST || at.taken > MOST_PARTS)
        {
            return GiveUp(solver, state, at.level);
        }
        else if (at.level == DOUBT && !asked && !IsHonest(solver))
        {
            rslSolver_Copy(solver, state, solver->anchor);
            return rsl_diverged;
        }
        else
        {
            asked = asked || at.level == DOUBT;
            Note(solver, &at);
            TakeBack(solver, state, solver->kept);
            Refine(solver, state, 1);
            at.level += 1;
            at.part *= 2;
        }
    }
    solver->backend->grade(solver->kernel, state, -coarsest);
    Count(state, &at);
    return rsl_ok;
}

void rslGuarded_GoBack(rslSolver* solver, rslState* state)
{
    TakeBack(solver, state, solver->from);
    solver->careful = solver->sawDanger = true;
    solver->backend->begin(solver->kernel, true, false, 1);
}

rslStatus rslGuarded_Step(rslSolver* solver, rslState* state)
{
    if (state->guard.wary > 0 && !solver->careful)
    {
        solver->careful = true;
        solver->backend->begin(solver->kernel, true, false, 1);
    }
    if (solver->careful)
    {
        rslSolver_Copy(solver, solver->anchor, state);
    }
    if (state->guard.wary > 0)
    {
        int level = (int)state->guard.level;
        return StepInParts(solver, state, (Place){ .level = level, .coarsest = level });
    }
    if (Try(solver, state))
    {
        return rsl_ok;
    }
    Place at = { .level = 1, .coarsest = 1 };
    Note(solver, &at);
    if (!solver->careful)
    {
        rslGuarded_GoBack(solver, state);
        return rsl_ok;
    }
    TakeBack(solver, state, solver->anchor);
    return StepInParts(solver, state, at);
}

void rslGuarded_Rebase(rslSolver* solver, rslState* state)
{
    if (solver->careful)
    {
        rslSolver_Copy(solver, solver->kept, state);
    }
    solver->backend->rebase(solver->kernel, state);
    if (solver->careful && !solver->backend->stands(solver->kernel, state))
    {
        rslSolver_Copy(solver, state, solver->kept);
    }
}
