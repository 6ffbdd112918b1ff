// SPDX-License-Identifier: MIT
//
// pace.c: see realtime.h. A frame of h seconds takes N = ceil(h / (0.6 dt)) explicit steps, dt the stable one: that is a matter of the model. What a
// step costs is a matter of the machine, and decides between them and implicit steps of n Newton steps; only N or n enter a
// state.
//
// A frame of n Newton steps takes a + b n seconds. a and b are measured before the first one and learnt from frames: those without any
// Newton step tell a, the others b. What is dearer than thought is believed sooner than what is cheaper, so that on average frames
// hold the budget; n = (0.9 budget - a) / b. Explicit steps cannot be cut short: what is hit divides them, and frames that take longer are told.

#include "resilin/realtime.h"

#include "implicit.h"
#include "memory.h"
#include "state_internal.h"
#include "vec.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum
{
    ITERATIONS = 3,    // many short Newton steps do better than few long ones
    MOST_NEWTON = 60,  // as without a limit
    LEAST_TRIALS = 2,  // that count: the first one warms up
    FEW_TRIALS = 6,    // as many unless they are long
    MOST_TRIALS = 32,
    TIMED_STEPS = 4,
    TIMED_NEWTON = 2,
    MOST_STEPS = 1000000
};

static const double fraction = 0.6;  // of the stable step: contact is stiffer than the body
static const double openTolerance = 0.01;
static const double timed = 0.02, longest = 0.2;  // [s] of trials

static double SystemClock(void* user)
{
    (void)user;
    struct timespec now = { 0 };
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool rslPace_IsImplicit(const rslPace* pace)
{
    return rslIntegrator_IsImplicit(pace->integrator);
}

rslPace rslPace_Make(const rslSolverDef* def, const rslRealtimeDef* realtime, bool implicit, int steps,
                     rslEffort effort)
{
    rslIntegrator asked = def->integrator;
    bool same = implicit == rslIntegrator_IsImplicit(asked) && asked != rsl_static && asked != rsl_autoIntegrator;
    rslPace pace = {
        .integrator = same       ? asked
                      : implicit ? rsl_theta
                                 : rsl_positionVerlet,
        .steps = implicit ? 1 : steps,
        .effort = implicit ? effort : (rslEffort){ 0 },
        .rate = realtime->rate,
        .budget = isnan(realtime->budget) ? 0.75 / realtime->rate : realtime->budget,
    };
    pace.step = 1.0 / realtime->rate / pace.steps;
    return pace;
}

rslSolverDef rslPace_Solver(const rslPace* pace, const rslSolverDef* def)
{
    rslSolverDef own = *def;
    own.integrator = pace->integrator;
    own.step = pace->step;
    own.effort = pace->effort;
    own.tolerance = rslPace_IsImplicit(pace) && isnan(def->tolerance) ? openTolerance : def->tolerance;
    return own;
}

// ---- what frames cost -----------------------------------------------------------------------------------------------

static const double spare = 0.9;                  // of the budget, before a frame may take more
static const double dearer = 0.5, cheaper = 0.1;  // of news that are believed

static double Learn(double known, double found)
{
    return known > 0.0 && known < INFINITY ? known + (found > known ? dearer : cheaper) * (found - known) : found;
}

// As many Newton steps as fit, one at least.
static void FitNewton(rslPace* pace)
{
    double count = floor((spare * pace->budget - pace->base) / pace->cost);
    pace->effort.newton = !(count >= 1.0) ? 1 : count > MOST_NEWTON ? MOST_NEWTON : (int)count;
    pace->fits = pace->base + pace->effort.newton * pace->cost <= pace->budget;
}

static double FrameSeconds(const rslPace* pace)
{
    return rslPace_IsImplicit(pace) ? pace->base + pace->effort.newton * pace->cost : pace->steps * pace->cost;
}

// ---- timing ---------------------------------------------------------------------------------------------------------

typedef struct Timing
{
    const rslScene* scene;
    const rslSolverDef* def;
    const rslRealtimeDef* realtime;
    const rslHooks* hooks;
    rslClock* clock;
    void* user;
    rslReport* report;
} Timing;

// A body at rest or in free fall takes no Newton step: all nodes are off their places, a thousandth of a spacing.
static void Shake(const rslModel* model, rslState* state)
{
    uint64_t seed = 1;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            double r[3];
            for (int axis = 0; axis < 3; ++axis)
            {
                seed = seed * 6364136223846793005ull + 1442695040888963407ull;
                r[axis] = ((double)(seed >> 33) / 1073741824.0 - 1.0) * 1e-3 * body->spacing;
            }
            r[2] = model->plane == rsl_planeXY ? 0.0 : r[2];
            rslVec3 u = rslState_Get3(state, state->displacement, i);
            rslState_Put3(state, state->displacement, i, rslAdd(u, (rslVec3){ r[0], r[1], r[2] }));
        }
    }
}

// Means over some trials: of an explicit step, or of an implicit one without a Newton step (base) and of one of Newton's.
typedef struct Costs
{
    double base, one;
} Costs;

// Seconds of a step, and how many Newton steps were in it.
static rslStatus TimeOnce(const Timing* timing, rslSolver* solver, rslState* state, int steps, double* seconds,
                          double* newton)
{
    int64_t before = rslSolver_Solve(solver).newtonSteps;
    double begun = timing->clock(timing->user);
    rslStatus status = rslSolver_Step(solver, state, steps);
    *seconds = timing->clock(timing->user) - begun;
    *newton = (double)(rslSolver_Solve(solver).newtonSteps - before);
    return status;
}

// Steps, Newton steps and seconds, of a trial or of all that count.
typedef struct Sums
{
    double steps, newton, seconds;
} Sums;

static double CostOf(const Sums* trial)
{
    return trial->seconds / (trial->newton > 0.0 ? trial->newton : trial->steps);
}

// Of some trials, but for the dearest quarter, one at least: while these ran, the machine may have done other things.
static Sums SumCheapest(Sums* trials, int count)
{
    const int dropped = count < 2 ? 0 : count < 8 ? 1 : count / 4;
    Sums sums = { 0 };
    for (int n = 0; n < count - dropped; ++n)
    {
        int cheapest = n;
        for (int other = n + 1; other < count; ++other)
        {
            cheapest = CostOf(&trials[other]) < CostOf(&trials[cheapest]) ? other : cheapest;
        }
        const Sums trial = trials[cheapest];
        trials[cheapest] = trials[n];
        sums = (Sums){ sums.steps + trial.steps, sums.newton + trial.newton, sums.seconds + trial.seconds };
    }
    return sums;
}

// Steps of a state; shaken before each, or not.
static rslStatus TimeTrials(const Timing* timing, rslSolver* solver, rslState* state, bool implicit, bool shaken,
                            Sums* sums)
{
    rslStatus status = rsl_ok;
    Sums trials[MOST_TRIALS];
    double spent = 0.0;
    int count = 0;
    for (int trial = 0; status == rsl_ok && trial < MOST_TRIALS &&
                        (trial <= LEAST_TRIALS || spent < (count < FEW_TRIALS ? longest : timed));
         ++trial)
    {
        double seconds, newton;
        if (shaken)
        {
            Shake(rslSolver_Model(solver), state);
        }
        status = TimeOnce(timing, solver, state, implicit ? 1 : TIMED_STEPS, &seconds, &newton);
        spent += seconds;
        if (trial > 0 && (newton > 0.0) == shaken)
        {
            trials[count++] = (Sums){ implicit ? 1.0 : TIMED_STEPS, newton, seconds };
        }
    }
    *sums = SumCheapest(trials, count);
    return status;
}

static rslStatus Time(const Timing* timing, rslSolver* solver, bool implicit, Costs* costs)
{
    const rslModel* model = rslSolver_Model(solver);
    rslState* state = NULL;
    Sums still, shaken = { 0 };
    rslStatus status = rslState_Create(model, timing->def->precision, timing->hooks, &state);
    *costs = (Costs){ 0.0, INFINITY };
    if (status != rsl_ok)
    {
        return status;
    }
    status = TimeTrials(timing, solver, state, implicit, false, &still);
    costs->one = !implicit && still.steps > 0.0 ? still.seconds / still.steps : costs->one;
    if (implicit && status == rsl_ok)
    {
        status = TimeTrials(timing, solver, state, true, true, &shaken);
        double base = still.steps > 0.0 ? still.seconds / still.steps : 0.0,
               others = shaken.seconds - base * shaken.steps;
        costs->base = others > 0.0 ? base : 0.0;
        costs->one = shaken.newton > 0.0 ? (others > 0.0 ? others : shaken.seconds) / shaken.newton : INFINITY;
    }
    rslState_Free(state);
    // what goes wrong will do so in the run, and is told there
    return status == rsl_outOfMemory ? status : rsl_ok;
}

static rslStatus TimeSolver(const Timing* timing, const rslSolverDef* def, bool implicit, double* stable, Costs* costs,
                            rslReport* report)
{
    rslSolver* solver = NULL;
    rslModel* model = NULL;
    rslScene scene = *timing->scene;
    scene.time.integrator = def->integrator;
    rslStatus status = rslModel_Build(&scene, timing->hooks, &model, report);
    status = status == rsl_ok ? rslSolver_Create(model, def, timing->hooks, &solver, report) : status;
    if (status == rsl_ok)
    {
        *stable = rslSolver_Stability(solver).stableStep;
        status = Time(timing, solver, implicit, costs);
    }
    rslSolver_Free(solver);
    rslModel_Free(model);
    return status;
}

// ---- choosing -------------------------------------------------------------------------------------------------------

static rslStatus TimeExplicit(const Timing* timing, rslPace* pace)
{
    double stable = 0.0;
    Costs costs;
    *pace = rslPace_Make(timing->def, timing->realtime, false, 1, (rslEffort){ 0 });
    rslSolverDef def = rslPace_Solver(pace, timing->def);
    def.step = RSL_AUTO;
    def.fraction = fraction;
    rslStatus status = TimeSolver(timing, &def, false, &stable, &costs, timing->report);
    if (status != rsl_ok)
    {
        return status;
    }
    double count = ceil(1.0 / timing->realtime->rate / (fraction * stable) * (1.0 - 1e-12));
    if (!(count <= MOST_STEPS))
    {
        count = MOST_STEPS;
    }
    pace->cost = costs.one;
    pace->steps = count > 1.0 ? (int)count : 1;
    pace->step = 1.0 / timing->realtime->rate / pace->steps;
    pace->fits = pace->steps * pace->cost <= pace->budget && fraction * stable >= pace->step * (1.0 - 1e-9);
    return rsl_ok;
}

static rslStatus TimeImplicit(const Timing* timing, rslPace* pace, rslReport* why)
{
    double stable = 0.0;
    Costs costs = { 0 };
    *pace = rslPace_Make(timing->def, timing->realtime, true, 1, (rslEffort){ TIMED_NEWTON, ITERATIONS });
    rslSolverDef def = rslPace_Solver(pace, timing->def);
    rslStatus status = TimeSolver(timing, &def, true, &stable, &costs, why);
    pace->base = costs.base;
    pace->cost = costs.one;
    FitNewton(pace);
    return status;
}

static const char* FirstError(const rslReport* report)
{
    for (int i = 0; i < report->count; ++i)
    {
        if (report->messages[i].severity == rsl_error)
        {
            return report->messages[i].text;
        }
    }
    return "they are not possible";
}

static void TellLate(const rslPace* pace, rslPlace place, rslReport* report)
{
    rslReport_Add(report, rsl_warning, place,
                  "the budget of %.3g ms a frame will not be held: a frame of %s takes %.3g ms; more time, fewer "
                  "frames a second, a coarser level of detail or a larger spacing would do",
                  1e3 * pace->budget, rslPace_IsImplicit(pace) ? "one Newton step" : "explicit steps",
                  1e3 * FrameSeconds(pace));
}

// Frames of the implicit integrator that is asked for, whatever they take.
static rslStatus ChooseAsked(const Timing* timing, rslPace* pace, rslReport* report)
{
    rslReport why = { 0 };
    rslStatus status = TimeImplicit(timing, pace, &why);
    if (status == rsl_badInput)
    {
        rslReport_Add(report, rsl_error, timing->def->place, "%s", FirstError(&why));
    }
    else if (status == rsl_ok && !pace->fits)
    {
        TellLate(pace, timing->def->place, report);
    }
    return status;
}

rslStatus rslPace_Choose(const rslScene* scene, const rslSolverDef* def, rslClock* clock, void* user,
                         const rslHooks* hooks, rslPace* pace, rslReport* report)
{
    rslReport own = { 0 };
    Timing timing = { scene, def, &scene->time.realtime, hooks, clock != NULL ? clock : SystemClock, user, &own };
    if (def->integrator == rsl_static)
    {
        rslReport_Add(report, rsl_error, def->place,
                      "the integrator 'static' has no frames to keep time with: choose another");
        return rsl_badInput;
    }
    if (rslIntegrator_IsImplicit(def->integrator))
    {
        return ChooseAsked(&timing, pace, report);
    }
    rslStatus status = TimeExplicit(&timing, pace);
    if (status == rsl_badInput)
    {
        rslReport_Add(report, rsl_error, def->place, "%s", FirstError(&own));
    }
    if (status != rsl_ok || pace->fits)
    {
        return status;
    }
    rslPace implicit;
    rslReport why = { 0 };
    status = TimeImplicit(&timing, &implicit, &why);
    if (status == rsl_badInput)
    {
        rslReport_Add(
            report, rsl_warning, def->place,
            "the budget of %.3g ms a frame will not be held: %d explicit steps take %.3g ms, and implicit ones are "
            "refused: %s",
            1e3 * pace->budget, pace->steps, 1e3 * pace->steps * pace->cost, FirstError(&why));
        return rsl_ok;
    }
    if (status != rsl_ok || (!implicit.fits && FrameSeconds(pace) <= FrameSeconds(&implicit)))
    {
        implicit = *pace;  // explicit steps are no slower, and leave nothing over
    }
    *pace = implicit;
    if (status == rsl_ok && !pace->fits)
    {
        TellLate(pace, def->place, report);
    }
    return status;
}

// ---- frames ---------------------------------------------------------------------------------------------------------

rslStatus rslSolver_Frame(rslSolver* solver, rslState* state, const rslPace* pace, rslFrameCost* cost)
{
    rslSolve before = rslSolver_Solve(solver);
    rslSolver_SetEffort(solver, pace->effort);
    rslStatus status = rslSolver_Step(solver, state, pace->steps);
    rslSolve after = rslSolver_Solve(solver);
    *cost = (rslFrameCost){
        .newton = after.newtonSteps - before.newtonSteps,
        .iterations = after.iterations - before.iterations,
        .left = rslPace_IsImplicit(pace) ? after.left : 0.0,
    };
    cost->cut = cost->left > RSL_MOST_LEFT;
    return status;
}

void rslPace_Adapt(rslPace* pace, const rslFrameCost* cost, double seconds)
{
    if (!(seconds > 0.0))
    {
        return;
    }
    if (!rslPace_IsImplicit(pace))
    {
        pace->cost = Learn(pace->cost, seconds / pace->steps);
        pace->fits = FrameSeconds(pace) <= pace->budget;
        return;
    }
    if (cost->newton == 0)
    {
        pace->base = Learn(pace->base, seconds);
    }
    else
    {
        double others = seconds > pace->base ? seconds - pace->base : 0.0;
        pace->cost = Learn(pace->cost, others / (double)cost->newton);
    }
    if (pace->cost > 0.0)
    {
        FitNewton(pace);
    }
}
