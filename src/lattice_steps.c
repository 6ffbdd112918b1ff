// SPDX-License-Identifier: MIT
//
// lattice_steps.c: whole steps of position Verlet, of models in which a sweep knows everything (lattice_sweep.h).
//
// Elements that resist collapse do nothing as long as none of them is near to it. So where they are guarded, every whole step ends with the
// question how far nodes have moved at most: sweeps find bounds of velocities. All that has to be looked at is looked at in the middle of the
// next step, where forces are asked for. If something pushes there, that step is finished by other passes; and if something may have gone
// too far, the state is to be taken back, and comes again in steps that are tried one by one. Where something can touch, so it is with steps
// that nothing was to touch in (kernel_touch_flight.c).

#include "lattice_sweep.h"

#include "dispersion.h"
#include "guard.h"
#include "integrate.h"
#include "kernel_touch.h"
#include "term.h"

bool RSL_NAME(rslSweep_KnowsAll)(const Kernel* kernel)
{
    const rslModel* model = kernel->model;
    bool pushes = kernel->guard != NULL && kernel->guard->felt;  // in every step
    bool free = kernel->held == NULL || kernel->touch == NULL;
    bool knows = kernel->sweep != NULL && !pushes && free && OnlyTermsAndTouchesAct(kernel);
    for (int b = 0; knows && b < model->bodyCount; ++b)
    {
        knows = kernel->sweep->takes[b] && DispersesBody(kernel, b) == RSL_NAME(rslSweep_Disperses)(kernel, b);
    }
    for (const Term* const* term = RSL_NAME(rslTerms); knows && *term != NULL; ++term)
    {
        bool known = *term == &RSL_NAME(rslLatticeTerm) || *term == &RSL_NAME(rslGravityTerm) ||
                     *term == &RSL_NAME(rslDispersionTerm) || *term == &RSL_NAME(rslRepulsionTerm);
        knows = known || !(*term)->present(kernel);
    }
    return knows;
}

bool RSL_NAME(rslSweep_TakesSteps)(const Kernel* kernel)
{
    return RSL_NAME(rslTouch_Flies)(kernel) && RSL_NAME(rslSweep_KnowsAll)(kernel);
}

// A step from its middle on, and where it leads. False: it is to be taken back.
static bool TakeWhole(Kernel* kernel, rslState* state, const View* view, const SweepStep* step)
{
    RSL_NAME(rslPins_Aim)(kernel, state);
    double lost = RSL_NAME(rslSweep_TakeStep)(kernel, view, step, &state->account);
    state->account.dissipated += step->time * lost;
    RSL_NAME(rslAdvance)(kernel, state);
    return RSL_NAME(rslTouch_Flew)(kernel);
}

// By other passes. What touches may ask for a shorter one: then it is to be taken back as well.
static bool FinishApart(Kernel* kernel, rslState* state)
{
    TouchKernel* touch = kernel->touch;
    if (touch != NULL)
    {
        touch->flight.count.unclear += !RSL_NAME(rslTouch_IsClear)(kernel);
        touch->asks = touch->goesOn = 0.0;
        touch->swings = false;
    }
    Powers powers = RSL_NAME(rslPositionVerlet_Finish)(kernel, state);
    state->account.dissipated += state->step * powers.dissipated;
    return touch == NULL || !(touch->asks > 0.0 || touch->outOfMemory);
}

static void GoToMiddle(Kernel* kernel, const rslState* state, const View* view)
{
    RSL_NAME(rslDrift)(kernel, view, 0.5 * state->step);
    RSL_NAME(rslKernel_Hold)(kernel, view, rslState_Time(state) + 0.5 * state->step, state->step);
}

static rslTaken Unguarded(Kernel* kernel, rslState* state, int64_t steps)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.5 * state->step);
    SweepStep step = { .time = state->step, .goesOn = true };
    bool holds = true;
    step.begins = !kernel->pinned;
    if (kernel->pinned)
    {
        GoToMiddle(kernel, state, &view);
    }
    RSL_NAME(rslSweep_Depart)(kernel, &view, &step);
    for (int64_t n = 0; holds && step.goesOn; ++n, step.turn = 1 - step.turn)
    {
        step.begins = n == 0 && !kernel->pinned;
        step.goesOn = n + 1 < steps && RSL_NAME(rslTouch_FliesOn)(kernel);
        if (n > 0 && !RSL_NAME(rslTouch_IsClear)(kernel))
        {
            holds = FinishApart(kernel, state);
            break;
        }
        holds = TakeWhole(kernel, state, &view, &step);
    }
    return holds ? rsl_taken : rsl_ledTooFar;
}

static rslTaken Guarded(Kernel* kernel, rslState* state, int64_t steps)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.5 * state->step);
    SweepStep step = { .time = state->step, .goesOn = true };
    RSL_NAME(rslGuard_Start)(kernel, step.time);
    GoToMiddle(kernel, state, &view);
    RSL_NAME(rslSweep_Depart)(kernel, &view, &step);
    bool passes = RSL_NAME(rslGuard_Passes)(kernel, &view);
    RSL_NAME(rslGuard_FindSpare)(kernel);
    for (int64_t n = 0; passes && step.goesOn; ++n, step.turn = 1 - step.turn)
    {
        bool pushes = RSL_NAME(rslRepulsion_Pushes)(kernel, &view);
        step.goesOn = n + 1 < steps && !RSL_NAME(rslGuard_IsTense)(kernel) && RSL_NAME(rslTouch_FliesOn)(kernel);
        if (pushes || !RSL_NAME(rslTouch_IsClear)(kernel))
        {
            passes = FinishApart(kernel, state);
            break;
        }
        if (!step.goesOn)
        {
            RSL_NAME(rslGuard_KeepTense)(kernel, &view);
        }
        passes = TakeWhole(kernel, state, &view, &step);
        RSL_NAME(rslGuard_Swept)(kernel, step.goesOn ? 2 : 1, 0.5 * step.time);
        kernel->guard->beside += RSL_NAME(rslPins_Moved)(kernel);
        if (!passes || !step.goesOn || !RSL_NAME(rslGuard_IsSpare)(kernel))
        {
            RSL_NAME(rslGuard_Fold)(kernel, &view, 0.5 * step.time);
            passes = passes && RSL_NAME(rslGuard_Passes)(kernel, &view);
            RSL_NAME(rslGuard_FindSpare)(kernel);
        }
    }
    return passes ? rsl_taken : rsl_ledTooFar;
}

rslTaken RSL_NAME(rslSweep_Steps)(Kernel* kernel, rslState* state, int64_t steps)
{
    bool keeps = kernel->guard != NULL && (kernel->guard->careful || RSL_NAME(rslGuard_IsTense)(kernel));
    return keeps || !RSL_NAME(rslSweep_TakesSteps)(kernel) || !RSL_NAME(rslTouch_Departs)(kernel, state, false)
               ? rsl_noneTaken
           : kernel->guard != NULL ? Guarded(kernel, state, steps)
                                   : Unguarded(kernel, state, steps);
}

bool RSL_NAME(rslSweep_Finishes)(Kernel* kernel, rslState* state, const View* view, Powers* powers)
{
    if (!RSL_NAME(rslSweep_TakesSteps)(kernel) || !RSL_NAME(rslGuard_Passes)(kernel, view) ||
        RSL_NAME(rslRepulsion_Pushes)(kernel, view) || !RSL_NAME(rslTouch_Departs)(kernel, state, true))
    {
        return false;
    }
    SweepStep step = { .time = state->step };
    RSL_NAME(rslGuard_KeepTense)(kernel, view);
    RSL_NAME(rslSweep_Depart)(kernel, view, &step);
    RSL_NAME(rslPins_Aim)(kernel, state);
    *powers = (Powers){ .dissipated = RSL_NAME(rslSweep_TakeStep)(kernel, view, &step, &state->account) };
    RSL_NAME(rslAdvance)(kernel, state);
    if (!RSL_NAME(rslTouch_Flew)(kernel))
    {
        kernel->touch->strayed = true;
    }
    if (kernel->guard != NULL)
    {
        RSL_NAME(rslGuard_Swept)(kernel, 1, 0.5 * step.time);
        kernel->guard->beside += RSL_NAME(rslPins_Moved)(kernel);
        RSL_NAME(rslGuard_Fold)(kernel, view, 0.5 * step.time);
    }
    return true;
}
