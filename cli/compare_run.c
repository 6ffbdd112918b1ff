// SPDX-License-Identifier: MIT
//
// compare_run.c: run the contenders side by side, and see what they cost.

#include "compare.h"
#include "number.h"
#include "schedule.h"

#include <math.h>
#include <stdlib.h>

// ---- running --------------------------------------------------------------------------------------------------------

static rslStatus Step(cliCompare* compare, cliContender* c, uint64_t steps, rslReport* report)
{
    double begun = cliClock();
    rslStatus status = cliLoaded_Take(&c->loaded, steps, report);
    if (cliCompare_IsStatic(compare))
    {
        rslRest rest = rslSolver_Rest(c->loaded.solver);
        c->solveSeconds += cliClock() - begun;
        c->newtonSteps += rest.newtonSteps;
        c->iterations += rest.iterations;
    }
    return status;
}

// Bring one to a step. Increments of static are taken one by one, to add up what each of them took.
static void Advance(cliCompare* compare, cliContender* c, uint64_t until, uint64_t last)
{
    const rslState* state = c->loaded.state;
    uint64_t burst = 1;
    rslStatus status = rsl_ok;
    rslReport report = { 0 };
    while (status == rsl_ok && state->stepCount < until)
    {
        uint64_t left = until - state->stepCount, steps = left < burst ? left : burst;
        cliTicker_Show(&compare->ticker, "%s: %s of %s, %.0f %%", c->name, cliSi(rslState_Time(state), "s").text,
                       cliSi((double)last * cliLoaded_Step(&c->loaded), "s").text,
                       100.0 * (double)state->stepCount / (double)last);
        double begun = cliClock();
        status = Step(compare, c, steps, &report);
        burst = cliCompare_IsStatic(compare) ? 1 : cliNextBurst(burst, steps, cliClock() - begun);
    }
    if (status == rsl_ok)
    {
        status = rslSolver_Check(c->loaded.solver, state);
    }
    if (status == rsl_diverged && report.errors == 0)
    {
        rslReport_Add(&report, rsl_error, (rslPlace){ 0 }, "the scene diverged at t = %g s", rslState_Time(state));
    }
    if (status != rsl_ok)
    {
        cliContender_Fail(c, status, &report);
    }
}

static bool Grow(cliCompare* compare)
{
    if (compare->frames < compare->capacity)
    {
        return true;
    }
    size_t capacity = compare->capacity > 0 ? 2 * (size_t)compare->capacity : 64;
    double* times = realloc(compare->times, capacity * sizeof(double));
    compare->times = times != NULL ? times : compare->times;
    cliErrors* errors = realloc(compare->errors, capacity * (size_t)compare->count * sizeof(cliErrors));
    compare->errors = errors != NULL ? errors : compare->errors;
    compare->capacity = times != NULL && errors != NULL ? (int)capacity : compare->capacity;
    return times != NULL && errors != NULL;
}

static rslStatus TakeFrame(cliCompare* compare, rslReport* report)
{
    if (!Grow(compare))
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "out of memory");
        return rsl_outOfMemory;
    }
    cliContender* reference = cliCompare_Reference(compare);
    cliErrors* errors = compare->errors + (size_t)compare->frames * (size_t)compare->count;
    cliContender_Displace(reference, reference);
    compare->largest = fmax(compare->largest, cliContender_Largest(reference));
    compare->times[compare->frames] = rslState_Time(reference->loaded.state);
    for (int i = 0; i < compare->count; ++i)
    {
        cliContender* c = &compare->list[i];
        errors[i] = (cliErrors){ NAN, NAN, NAN };
        if (c->status == rsl_ok)
        {
            cliContender_Displace(c, reference);
            errors[i] = cliContender_Compare(c, reference);
        }
    }
    return cliCompare_WriteFrame(compare, compare->frames++, report);
}

static rslStatus Walk(cliCompare* compare, rslReport* report)
{
    const cliContender* reference = cliCompare_Reference(compare);
    double step = cliLoaded_Step(&reference->loaded);
    cliSchedule schedule = { .rate = compare->original.scene.output.frames, .step = step };
    uint64_t now = 0, last = cliStepAt(compare->original.scene.time.duration, step);
    rslStatus status = TakeFrame(compare, report);
    while (status == rsl_ok && now < last)
    {
        uint64_t next = cliSchedule_Next(&schedule, now);
        now = next < last ? next : last;
        for (int i = 0; i < compare->count; ++i)
        {
            if (compare->list[i].status == rsl_ok)
            {
                Advance(compare, &compare->list[i], now, last);
            }
        }
        if (reference->status != rsl_ok)
        {
            rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                          "the reference, %s, failed: %s; choose another with --reference", reference->name,
                          reference->message);
            return reference->status;
        }
        status = TakeFrame(compare, report);
    }
    return status;
}

// ---- costs ----------------------------------------------------------------------------------------------------------

// Seconds of a step: the best of some bursts, each long enough for the clock.
static double TimeSteps(rslSolver* solver, rslState* state)
{
    static const double enough = 0.003;  // [s]
    int64_t burst = 1;
    double best = INFINITY;
    for (int round = 0; round < 12;)
    {
        double begun = cliClock();
        if (rslSolver_Step(solver, state, burst) != rsl_ok)
        {
            break;
        }
        double seconds = cliClock() - begun;
        best = seconds > enough || round > 0 ? fmin(best, seconds / (double)burst) : best;
        round += seconds > enough || round > 0;
        burst = round == 0 ? 2 * burst : burst;
    }
    return isfinite(best) ? best : NAN;
}

// A step from where the contender is, of the scene's integrator or, for static, of the explicit one it would take.
static void FindCost(const cliCompare* compare, cliContender* c)
{
    const cliLoaded* loaded = &c->loaded;
    rslSolver* solver = loaded->solver;
    rslState* state = NULL;
    rslStatus status = rslState_Create(loaded->model, loaded->state->precision, NULL, &state);
    if (status == rsl_ok && cliCompare_IsStatic(compare))
    {
        rslSolverDef def = rslSolverDef_FromScene(&loaded->scene);
        rslReport unheard = { 0 };
        def.integrator = rsl_positionVerlet;
        def.step = RSL_AUTO;
        def.threads = cliWishes_Threads(&compare->wishes, &loaded->scene);
        solver = NULL;
        status = rslSolver_Create(loaded->model, &def, NULL, &solver, &unheard);
    }
    if (status == rsl_ok && c->status == rsl_ok)
    {
        double step = state->step;
        rslState_Copy(state, loaded->state);
        if (cliCompare_IsStatic(compare))
        {
            state->step = step;  // not that of an increment
            state->stepCount = 0;
            state->account = (rslAccount){ 0 };
        }
    }
    if (status == rsl_ok)
    {
        c->stableStep = rslSolver_Stability(solver).stableStep;
        c->stepSeconds = TimeSteps(solver, state);
    }
    if (solver != loaded->solver)
    {
        rslSolver_Free(solver);
    }
    rslState_Free(state);
}

static void FindFrequencies(const cliCompare* compare, cliContender* c, rslReport* report)
{
    const cliLoaded* loaded = &c->loaded;
    rslState* state = NULL;
    rslModes* modes = NULL;
    rslReport told = { 0 };
    rslModesDef def = rslDefaultModesDef();
    def.count = compare->modes;
    def.threads = cliWishes_Threads(&compare->wishes, &loaded->scene);
    rslStatus status = rslState_Create(loaded->model, loaded->state->precision, NULL, &state);
    status = status == rsl_ok ? rslModes_Find(loaded->model, state, &def, NULL, &modes, &told) : status;
    c->frequencies = calloc((size_t)compare->modes, sizeof(double));
    for (int i = 0; status == rsl_ok && c->frequencies != NULL && i < modes->count; ++i)
    {
        c->frequencies[c->frequencyCount++] = modes->frequency[i];
    }
    if (status != rsl_ok)
    {
        const char* error = cliReport_FirstError(&told);
        rslReport_Add(report, rsl_warning, (rslPlace){ 0 }, "%s: no frequencies: %s", c->name,
                      error != NULL ? error : rslStatus_Name(status));
    }
    rslModes_Free(modes);
    rslState_Free(state);
}

rslStatus cliCompare_Run(cliCompare* compare, rslReport* report)
{
    rslStatus status = Walk(compare, report);
    for (int i = 0; i < compare->count && status != rsl_ioError; ++i)
    {
        cliContender* c = &compare->list[i];
        bool built = c->u != NULL;
        if (built && compare->modes > 0)
        {
            cliTicker_Show(&compare->ticker, "%s: frequencies", c->name);
            FindFrequencies(compare, c, report);
        }
        if (built)
        {
            FindCost(compare, c);
        }
    }
    cliTicker_End(&compare->ticker);
    return status;
}
