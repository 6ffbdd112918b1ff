// SPDX-License-Identifier: MIT
//
// lattice_steps.c: whole steps of position Verlet, of models in which a sweep knows everything (lattice_sweep.h).
//
// Elements that resist collapse do nothing as long as none of them is near to it. So where they are guarded, every whole step ends with the
// question how far nodes have moved at most: sweeps find bounds of velocities. All that has to be looked at is looked at in the middle of the
// next step, where forces are asked for. If something pushes there, that step is finished by other passes; and if something may have gone
// too far, the state is to be taken back, and comes again in steps that are tried one by one.

#include "lattice_sweep.h"

#include "dispersion.h"
#include "guard.h"
#include "integrate.h"
#include "term.h"

bool RSL_NAME(rslSweep_TakesSteps)(const Kernel* kernel)
{
    const rslModel* model = kernel->model;
    bool pushes = kernel->guard != NULL && kernel->guard->felt;  // in every step
    bool takes = kernel->sweep != NULL && !pushes && OnlyTermsAct(kernel);
    for (int b = 0; takes && b < model->bodyCount; ++b)
    {
        takes = kernel->sweep->takes[b] && DispersesBody(kernel, b) == RSL_NAME(rslSweep_Disperses)(kernel, b);
    }
    for (const Term* const* term = RSL_NAME(rslTerms); takes && *term != NULL; ++term)
    {
        bool known = *term == &RSL_NAME(rslLatticeTerm) || *term == &RSL_NAME(rslGravityTerm) ||
                     *term == &RSL_NAME(rslDispersionTerm) || *term == &RSL_NAME(rslRepulsionTerm);
        takes = known || !(*term)->present(kernel);
    }
    return takes;
}

static rslTaken Unguarded(Kernel* kernel, rslState* state, int64_t steps)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.5 * state->step);
    SweepStep step = { .time = state->step, .begins = true };
    RSL_NAME(rslSweep_Depart)(kernel, &view, &step);
    for (int64_t n = 0; n < steps; ++n, step.turn = 1 - step.turn)
    {
        step.begins = n == 0;
        step.goesOn = n + 1 < steps;
        state->account.dissipated += step.time * RSL_NAME(rslSweep_TakeStep)(kernel, &view, &step);
        RSL_NAME(rslAdvance)(kernel, state);
    }
    return rsl_taken;
}

static rslTaken Guarded(Kernel* kernel, rslState* state, int64_t steps)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.5 * state->step);
    SweepStep step = { .time = state->step, .goesOn = true };
    RSL_NAME(rslGuard_Start)(kernel, step.time);
    RSL_NAME(rslDrift)(kernel, &view, 0.5 * step.time);
    RSL_NAME(rslSweep_Depart)(kernel, &view, &step);
    bool passes = RSL_NAME(rslGuard_Passes)(kernel, &view);
    RSL_NAME(rslGuard_FindSpare)(kernel);
    for (int64_t n = 0; passes && step.goesOn; ++n, step.turn = 1 - step.turn)
    {
        step.goesOn = n + 1 < steps && !RSL_NAME(rslGuard_IsTense)(kernel);
        if (RSL_NAME(rslRepulsion_Pushes)(kernel, &view))
        {
            Powers powers = RSL_NAME(rslPositionVerlet_Finish)(kernel, state);
            state->account.dissipated += step.time * powers.dissipated;
            break;
        }
        if (!step.goesOn)
        {
            RSL_NAME(rslGuard_KeepTense)(kernel, &view);
        }
        state->account.dissipated += step.time * RSL_NAME(rslSweep_TakeStep)(kernel, &view, &step);
        RSL_NAME(rslAdvance)(kernel, state);
        RSL_NAME(rslGuard_Swept)(kernel, step.goesOn ? 2 : 1, 0.5 * step.time);
        if (!step.goesOn || !RSL_NAME(rslGuard_IsSpare)(kernel))
        {
            RSL_NAME(rslGuard_Fold)(kernel, &view, 0.5 * step.time);
            passes = RSL_NAME(rslGuard_Passes)(kernel, &view);
            RSL_NAME(rslGuard_FindSpare)(kernel);
        }
    }
    return passes ? rsl_taken : rsl_ledTooFar;
}

rslTaken RSL_NAME(rslSweep_Steps)(Kernel* kernel, rslState* state, int64_t steps)
{
    bool keeps = kernel->guard != NULL && (kernel->guard->careful || RSL_NAME(rslGuard_IsTense)(kernel));
    return keeps || !RSL_NAME(rslSweep_TakesSteps)(kernel) ? rsl_noneTaken
           : kernel->guard != NULL                         ? Guarded(kernel, state, steps)
                                                           : Unguarded(kernel, state, steps);
}

bool RSL_NAME(rslSweep_Finishes)(Kernel* kernel, rslState* state, const View* view, Powers* powers)
{
    if (!RSL_NAME(rslSweep_TakesSteps)(kernel) || !RSL_NAME(rslGuard_Passes)(kernel, view) ||
        RSL_NAME(rslRepulsion_Pushes)(kernel, view))
    {
        return false;
    }
    SweepStep step = { .time = state->step };
    RSL_NAME(rslGuard_KeepTense)(kernel, view);
    RSL_NAME(rslSweep_Depart)(kernel, view, &step);
    *powers = (Powers){ .dissipated = RSL_NAME(rslSweep_TakeStep)(kernel, view, &step) };
    RSL_NAME(rslAdvance)(kernel, state);
    if (kernel->guard != NULL)
    {
        RSL_NAME(rslGuard_Swept)(kernel, 1, 0.5 * step.time);
        RSL_NAME(rslGuard_Fold)(kernel, view, 0.5 * step.time);
    }
    return true;
}
