// SPDX-License-Identifier: MIT
//
// pace.c: see realtime.h. A frame of h seconds takes N = ceil(h / (0.6 dt)) explicit steps, dt the stable one: that is a matter of the model. What a
// step costs is a matter of the machine, and decides between them and implicit steps of n Newton steps; only N or n enter a
// state.

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
    TRIALS = 3,
    TIMED_STEPS = 4,
    TIMED_NEWTON = 2,
    MOST_STEPS = 1000000
};

static const double fraction = 0.6;  // of the stable step: contact is stiffer than the body
static const double openTolerance = 0.01;

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

static const double spare = 0.9;  // of the budget, before a frame may take more

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

// The least of some trials: of a step, or of a Newton step.
static rslStatus Time(const Timing* timing, rslSolver* solver, bool implicit, double* cost)
{
    const rslModel* model = rslSolver_Model(solver);
    rslState* state = NULL;
    rslStatus status = rslState_Create(model, timing->def->precision, timing->hooks, &state);
    *cost = INFINITY;
    for (int trial = 0; status == rsl_ok && trial < TRIALS; ++trial)
    {
        if (implicit)
        {
            Shake(model, state);
        }
        int64_t before = rslSolver_Solve(solver).newtonSteps;
        double begun = timing->clock(timing->user);
        status = rslSolver_Step(solver, state, implicit ? 1 : TIMED_STEPS);
        double taken = timing->clock(timing->user) - begun;
        int64_t count = implicit ? rslSolver_Solve(solver).newtonSteps - before : TIMED_STEPS;
        double one = taken / (double)(count > 0 ? count : 1);
        *cost = one < *cost ? one : *cost;
    }
    rslState_Free(state);
    // what goes wrong will do so in the run, and is told there
    return status == rsl_outOfMemory ? status : rsl_ok;
}

static rslStatus TimeSolver(const Timing* timing, const rslSolverDef* def, bool implicit, double* stable, double* cost,
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
        status = Time(timing, solver, implicit, cost);
    }
    rslSolver_Free(solver);
    rslModel_Free(model);
    return status;
}

// ---- choosing -------------------------------------------------------------------------------------------------------

static rslStatus TimeExplicit(const Timing* timing, rslPace* pace)
{
    double stable = 0.0;
    *pace = rslPace_Make(timing->def, timing->realtime, false, 1, (rslEffort){ 0 });
    rslSolverDef def = rslPace_Solver(pace, timing->def);
    def.step = RSL_AUTO;
    def.fraction = fraction;
    rslStatus status = TimeSolver(timing, &def, false, &stable, &pace->cost, timing->report);
    if (status != rsl_ok)
    {
        return status;
    }
    double count = ceil(1.0 / timing->realtime->rate / (fraction * stable) * (1.0 - 1e-12));
    if (!(count <= MOST_STEPS))
    {
        count = MOST_STEPS;
    }
    pace->steps = count > 1.0 ? (int)count : 1;
    pace->step = 1.0 / timing->realtime->rate / pace->steps;
    pace->fits = pace->steps * pace->cost <= pace->budget && fraction * stable >= pace->step * (1.0 - 1e-9);
    return rsl_ok;
}

static rslStatus TimeImplicit(const Timing* timing, rslPace* pace, rslReport* why)
{
    double stable = 0.0;
    *pace = rslPace_Make(timing->def, timing->realtime, true, 1, (rslEffort){ TIMED_NEWTON, ITERATIONS });
    rslSolverDef def = rslPace_Solver(pace, timing->def);
    rslStatus status = TimeSolver(timing, &def, true, &stable, &pace->cost, why);
    double count = floor(pace->budget / pace->cost);
    pace->effort.newton = count < 1.0 ? 1 : count > MOST_NEWTON ? MOST_NEWTON : (int)count;
    pace->fits = count >= 1.0;
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
    *pace = implicit;
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
    int most = pace->effort.newton;
    if (!rslPace_IsImplicit(pace) || cost->newton == 0 || !(seconds > 0.0))
    {
        return;
    }
    double part = pace->budget / seconds;
    if (part < 1.0)
    {
        double fitting = floor(part * (double)cost->newton);
        pace->effort.newton = fitting < 1.0 ? 1 : fitting < most ? (int)fitting : most;
    }
    else if (cost->newton >= most && most < MOST_NEWTON && (double)most * part * spare > most + 1)
    {
        pace->effort.newton = most + 1;
    }
    pace->fits = part >= 1.0;
}
