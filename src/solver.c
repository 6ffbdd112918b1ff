// SPDX-License-Identifier: MIT
//
// solver.c: choose a step, take steps, audit.
//
// An audit runs at fixed step counts, whatever the host asks for in between: frames are re-based, the energy is compared
// with all that was ever put in, and a state that passes is kept as the last good one.

#include "resilin/solver.h"

#include "backend.h"
#include "build.h"
#include "choose_integrator.h"
#include "clones.h"
#include "divergence.h"
#include "guarded_rest.h"
#include "guarded_step.h"
#include "implicit.h"
#include "log.h"
#include "memory.h"
#include "solver_internal.h"
#include "spread.h"
#include "stability.h"
#include "static.h"
#include "touch_scheme.h"
#include "vec.h"

#define COOKIE 0x52534c53u  // "RSLS"

rslSolverDef rslDefaultSolverDef(void)
{
    return (rslSolverDef){
        .cookie = COOKIE,
        .precision = rsl_double,
        .integrator = rsl_positionVerlet,
        .step = RSL_AUTO,
        .fraction = 0.7,
        .tolerance = RSL_AUTO,
        .rebound = true,
        .theta = 0.55,
        .frame = 1.0 / 60.0,
        .auditInterval = 32,
        .divergenceFactor = 10.0,
    };
}

rslSolverDef rslSolverDef_FromScene(const rslScene* scene)
{
    rslSolverDef def = rslDefaultSolverDef();
    def.place = scene->time.place;
    def.precision = scene->time.precision;
    def.integrator = scene->time.integrator;
    def.step = scene->time.step;
    def.fraction = scene->time.fraction;
    def.threads = scene->time.threads;
    def.tolerance = scene->time.tolerance;
    def.residual = scene->time.residual;
    def.rebound = scene->time.rebound;
    def.theta = scene->time.theta;
    def.frame = scene->output.frames > 60.0 ? 1.0 / scene->output.frames : def.frame;
    def.effort = (rslEffort){ scene->time.newton, scene->time.iterations };
    def.solver = scene->time.solver;
    if (def.integrator == rsl_static)
    {
        def.step = scene->time.duration / scene->time.increments;
    }
    return def;
}

// ---- making -----------------------------------------------------------------------------------------------------------

static rslStatus CheckDef(const rslSolverDef* def, rslReport* report)
{
    const char* wrong = NULL;
    bool solves = def->integrator == rsl_static || rslIntegrator_IsImplicit(def->integrator);
    RSL_ASSERT(def->cookie == COOKIE);
    if (def->cookie != COOKIE)
    {
        wrong = "the solver definition was not started from rslDefaultSolverDef";
    }
    else if (def->precision != rsl_single && def->precision != rsl_double)
    {
        wrong = "precision is neither single nor double";
    }
    else if ((int)def->integrator < 0 || def->integrator >= rsl_integratorCount)
    {
        wrong = "unknown integrator";
    }
    else if (!isnan(def->step) && !(def->step > 0.0 && def->step < INFINITY))
    {
        wrong = "the step must be positive and finite, or automatic";
    }
    else if (!(def->fraction > 0.0 && def->fraction <= 1.0))
    {
        wrong = "the fraction of the stable step must be above 0 and at most 1";
    }
    else if (def->auditInterval < 1 || !(def->divergenceFactor > 1.0) || def->threads < 0)
    {
        wrong = "the audit interval must be at least 1, the divergence factor above 1, the threads at least 0";
    }
    else if (def->integrator == rsl_static && def->precision != rsl_double)
    {
        wrong = "the integrator 'static' needs precision: double, because rest is a matter of small differences";
    }
    else if (rslIntegrator_IsImplicit(def->integrator) && def->precision != rsl_double)
    {
        wrong = "implicit integrators need precision: double: their steps are balances of large forces";
    }
    else if (!isnan(def->tolerance) && !(def->tolerance > 0.0 && def->tolerance < 1.0))
    {
        wrong = "the tolerance must be above 0 and below 1";
    }
    else if (!(def->residual >= 0.0 && def->residual < 1.0))
    {
        wrong = "the residual must be at least 0 and below 1";
    }
    else if (!(def->frame > 0.0 && def->frame < INFINITY))
    {
        wrong = "the time between frames must be positive and finite";
    }
    else if (def->effort.newton < 0 || def->effort.iterations < 0)
    {
        wrong = "limits of Newton's steps and of iterations must be at least 0";
    }
    else if (!(def->theta >= 0.5 && def->theta <= 1.0))
    {
        wrong = "theta must be 0.5 to 1";
    }
    else if (solves && def->solver != rsl_cgSolver && def->direct == NULL)
    {
        wrong = "solver: cholmod is not in this build; use solver: cg, or build with CHOLMOD (cmake -DRSL_CHOLMOD=ON)";
    }
    if (wrong != NULL)
    {
        rslReport_Add(report, rsl_error, def->place, "%s", wrong);
    }
    return wrong == NULL ? rsl_ok : rsl_badInput;
}

static rslStatus ChooseStep(rslSolver* solver, rslReport* report)
{
    rslStability* s = &solver->stability;
    bool automatic = isnan(solver->def.step), euler = solver->def.integrator == rsl_forwardEuler;
    const char* who = euler ? "forward Euler" : "dispersion with a lag, of a Poisson's ratio above 1/4,";
    if (automatic && s->stableStep == 0.0)
    {
        rslReport_Add(report, rsl_error, solver->def.place,
                      "%s has no stable step without damping: give the material a damping, %s, or give a step and "
                      "accept that energy grows",
                      who, euler ? "choose another integrator (position_verlet)" : "take lag: false");
        return rsl_badInput;
    }
    // nothing limits the step of free masses, and dampers on them alone only a step in which nothing is seen: a millisecond shows their motion
    double limit = solver->def.fraction * s->stableStep;
    limit = s->frequency > 0.0 || limit < 1e-3 ? limit : 1e-3;
    s->step = automatic ? limit : solver->def.step;
    if (!automatic && s->stableStep == 0.0)
    {
        rslReport_Add(report, rsl_warning, solver->def.place, "%s has no stable step without damping: energy will grow",
                      who);
    }
    else if (s->step > s->stableStep)
    {
        rslReport_Add(
            report, rsl_warning, solver->def.place,
            "the step %.4g s is above the stable step %.4g s: the run will diverge; use step: auto or at most "
            "%.3g",
            s->step, s->stableStep, 0.9 * s->stableStep);
    }
    return rsl_ok;
}

// Nothing limits an increment.
static rslStatus MakeStatic(rslSolver* solver, rslReport* report)
{
    solver->stability.stableStep = INFINITY;
    solver->stability.step = isnan(solver->def.step) ? 1.0 : solver->def.step;
    return rslStatic_Create(solver->model, &solver->def, &solver->hooks, solver->team, solver->kernel, &solver->rest,
                            report);
}

// Nor a step: by default it is as long as a frame of a film takes.
static rslStatus MakeImplicit(rslSolver* solver, rslReport* report)
{
    solver->stability.stableStep = INFINITY;
    solver->stability.step = isnan(solver->def.step) ? solver->def.frame : solver->def.step;
    return rslImplicit_Create(solver->model, &solver->def, &solver->hooks, solver->team, solver->kernel,
                              &solver->implicit, report);
}

static rslStatus MakeStates(rslSolver* solver)
{
    const rslSolverDef* def = &solver->def;
    bool guarded = solver->backend->guards(solver->kernel), implicit = rslIntegrator_IsImplicit(def->integrator);
    rslStatus status = rslState_Create(solver->model, def->precision, &solver->hooks, &solver->lastGood);
    if (status == rsl_ok && (guarded || implicit))
    {
        status = rslState_Create(solver->model, def->precision, &solver->hooks, &solver->kept);
    }
    if (status == rsl_ok && guarded && !implicit && def->integrator != rsl_static)
    {
        status = rslState_Create(solver->model, def->precision, &solver->hooks, &solver->anchor);
    }
    return status;
}

static rslStatus Make(rslSolver* solver, rslReport* report)
{
    const rslModel* model = solver->model;
    const rslSolverDef* def = &solver->def;
    solver->team = rslTeam_Create(&solver->hooks, def->threads, def->runTasks, def->runTasksUser);
    if (solver->team == NULL)
    {
        return rsl_outOfMemory;
    }
    if (def->integrator == rsl_autoIntegrator)
    {
        rslIntegrator chosen;
        rslStatus found = rslIntegrator_Choose(model, def, &solver->hooks, solver->team, &chosen, report);
        if (found != rsl_ok)
        {
            return found;
        }
        solver->def.integrator = chosen;
    }
    bool atRest = def->integrator == rsl_static, implicit = rslIntegrator_IsImplicit(def->integrator);
    if (def->integrator == rsl_forwardEuler && rslModel_Lags(model))
    {
        rslReport_Add(report, rsl_error, def->place,
                      "forward Euler and dispersion with a lag do not go together: use another integrator "
                      "(position_verlet), or lag: false");
        return rsl_badInput;
    }
    if (!rslModel_CanTouch(model, def->integrator, def->place, report))
    {
        return rsl_badInput;
    }
    rslStatus status = atRest || implicit ? rsl_ok
                                          : rslStability_Find(model, def->integrator, &solver->hooks, solver->team,
                                                              &solver->stability);
    if (status != rsl_ok)
    {
        return status;
    }
    solver->backend = rslBackend_For(def->precision);
    solver->kernel = solver->backend->create(model, def->integrator, &solver->hooks, solver->team);
    if (solver->kernel == NULL)
    {
        return rsl_outOfMemory;
    }
    solver->backend->setStable(solver->kernel, solver->stability.stableStep, def->rebound);
    status = MakeStates(solver);
    return status != rsl_ok ? status
           : atRest         ? MakeStatic(solver, report)
           : implicit       ? MakeImplicit(solver, report)
                            : ChooseStep(solver, report);
}

rslStatus rslSolver_Create(const rslModel* model, const rslSolverDef* def, const rslHooks* hooks, rslSolver** out,
                           rslReport* report)
{
    *out = NULL;
    rslStatus status = CheckDef(def, report);
    if (status != rsl_ok)
    {
        return status;
    }
    rslHooks complete = rslHooks_Complete(hooks);
    rslSolver* solver = rslAllocate(&complete, 1, sizeof(rslSolver));
    if (solver == NULL)
    {
        return rsl_outOfMemory;
    }
    solver->model = model;
    solver->def = *def;
    if (isnan(def->tolerance) && def->integrator == rsl_static)
    {
        solver->def.tolerance = 1e-8;
    }
    solver->hooks = complete;
    solver->divergence = rslDivergence_None();
    status = Make(solver, report);
    if (status != rsl_ok)
    {
        rslSolver_Free(solver);
        return status;
    }
    rslLog(&solver->hooks, rsl_note, "solver: %s, %d threads, step %.4g s, stable step %.4g s", solver->backend->name,
           rslTeam_Threads(solver->team), solver->stability.step, solver->stability.stableStep);
    *out = solver;
    return rsl_ok;
}

void rslSolver_Free(rslSolver* solver)
{
    if (solver == NULL)
    {
        return;
    }
    rslStatic_Free(solver->rest);
    rslImplicit_Free(solver->implicit);
    if (solver->kernel != NULL)
    {
        solver->backend->destroy(solver->kernel);
    }
    rslState_Free(solver->lastGood);
    rslState_Free(solver->anchor);
    rslState_Free(solver->kept);
    rslTeam_Free(solver->team);
    rslHooks hooks = solver->hooks;
    rslRelease(&hooks, solver);
}

// ---- stepping -----------------------------------------------------------------------------------------------------------

// Keep a state that has passed, whose frames are still to follow unless they have been.
static void Keep(rslSolver* solver, rslState* state, bool followed)
{
    if (followed)
    {
        rslSolver_Copy(solver, solver->lastGood, state);
        solver->hasLastGood = true;
        return;
    }
    if (rslState_Reserve(solver->lastGood, state->touchedCount) != rsl_ok)
    {
        solver->outOfMemory = true;
        return;
    }
    solver->backend->follow(solver->kernel, state, solver->lastGood);
    rslState_CopyRest(solver->lastGood, state);
    solver->hasLastGood = true;
}

// Guarded elements are looked at where they are when frames have followed.
static rslStatus Audit(rslSolver* solver, rslState* state)
{
    const bool guarded = solver->backend->guards(solver->kernel);
    if (guarded)
    {
        rslGuarded_Rebase(solver, state);
    }
    rslEnergy energy =
        guarded ? solver->backend->energy(solver->kernel, state) : solver->backend->weigh(solver->kernel, state);
    if (!rslDivergence_IsSound(solver, state, &energy))
    {
        rslDivergence d = solver->divergence;
        const char* body = d.collapsedBody >= 0 ? solver->model->bodies[d.collapsedBody].name : NULL;
        rslLog(&solver->hooks, rsl_error, "diverged at %.6g s: node %d, energy %.4g J, limit %.4g J%s%s", d.time,
               d.node, d.energy, d.limit,
               body != NULL   ? ", turned inside out: "
               : d.joint >= 0 ? ", joints not kept"
                              : "",
               body != NULL ? body : "");
        return rsl_diverged;
    }
    rslDivergence_Count(state, &energy);
    Keep(solver, state, guarded);
    return rsl_ok;
}

static void HoldFirst(rslSolver* solver, rslState* state)
{
    if (solver->rest != NULL)
    {
        solver->outOfMemory = !rslStatic_Open(solver->rest, state) || solver->outOfMemory;
    }
    else
    {
        solver->backend->hold(solver->kernel, state);
    }
    if (solver->implicit != NULL)
    {
        solver->outOfMemory = !rslImplicit_Open(solver->implicit, state) || solver->outOfMemory;
    }
}

// The first step of a state fixes its step size, puts held nodes where they start and opens its account.
static void Open(rslSolver* solver, rslState* state)
{
    if (state->step == 0.0)
    {
        state->step = solver->stability.step;
    }
    if (state->account.audits == 0)
    {
        HoldFirst(solver, state);
        rslEnergy energy = solver->backend->energy(solver->kernel, state);
        rslDivergence_Open(state, &energy);
    }
    if (!solver->hasLastGood)
    {
        rslSolver_Copy(solver, solver->lastGood, state);
        solver->hasLastGood = true;
    }
}

// Steps up to an audit or the end, where little has to be looked at in between. False: none was taken.
static bool StepAtOnce(rslSolver* solver, rslState* state, uint64_t end)
{
    if (solver->implicit != NULL || solver->careful || state->guard.wary > 0 || !rslDivergence_IsStable(solver, state))
    {
        return false;
    }
    uint64_t interval = (uint64_t)solver->def.auditInterval, due = interval - state->stepCount % interval;
    uint64_t left = end - state->stepCount;
    int64_t count = (int64_t)(left < due ? left : due);
    rslTaken taken = solver->backend->steps(solver->kernel, state, solver->def.integrator, count);
    if (taken == rsl_ledTooFar)
    {
        rslGuarded_GoBack(solver, state);
    }
    return taken != rsl_noneTaken;
}

static bool Fits(const rslSolver* solver, const rslState* state)
{
    return state->precision == solver->def.precision && state->fingerprint == solver->model->fingerprint;
}

// Room for what a state remembers, in all the states that it is copied to.
static bool Reserve(rslSolver* solver, const rslState* state)
{
    rslState* const all[] = { solver->lastGood, solver->anchor, solver->kept };
    bool reserved = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    {
        reserved = reserved && (all[i] == NULL || rslState_Reserve(all[i], state->touchedCount) == rsl_ok);
    }
    return reserved;
}

rslStatus rslSolver_Step(rslSolver* solver, rslState* state, int64_t steps)
{
    if (!Fits(solver, state))
    {
        return rsl_mismatch;
    }
    if (solver->lacksForces || !Reserve(solver, state))
    {
        return rsl_outOfMemory;  // nothing has changed
    }
    solver->outOfMemory = false;
    Open(solver, state);
    rslStatus status = rsl_ok;
    if (solver->rest != NULL)
    {
        status = solver->outOfMemory ? rsl_outOfMemory : rslGuarded_Rest(solver, state, steps);
        return solver->outOfMemory ? rsl_outOfMemory : status;
    }
    rslGuarded_Anchor(solver, state, false, steps);
    uint64_t end = state->stepCount + (uint64_t)(steps > 0 ? steps : 0);
    while (status == rsl_ok && state->stepCount < end)
    {
        uint64_t before = state->stepCount;
        if (!StepAtOnce(solver, state, end))
        {
            status = solver->implicit != NULL ? rslImplicit_Advance(solver, state) : rslGuarded_Step(solver, state);
        }
        bool stepped = status == rsl_ok && state->stepCount > before;
        bool due = state->stepCount % (uint64_t)solver->def.auditInterval == 0;
        if (stepped && (due || !rslDivergence_IsStable(solver, state)))
        {
            status = Audit(solver, state);
            rslGuarded_Anchor(solver, state, true, (int64_t)(end - state->stepCount));
        }
        status = solver->outOfMemory ? rsl_outOfMemory : status;
    }
    if (status == rsl_outOfMemory)
    {
        (void)rslState_Copy(state, solver->lastGood);  // which has not more touches than there is room for
    }
    return status;
}

rslStatus rslSolver_Check(rslSolver* solver, const rslState* state)
{
    if (!Fits(solver, state))
    {
        return rsl_mismatch;
    }
    if (state->account.audits == 0 || solver->rest != NULL)
    {
        return rsl_ok;  // nothing has moved yet, or ever does
    }
    rslEnergy energy = solver->backend->energy(solver->kernel, state);
    return rslDivergence_IsSound(solver, state, &energy) ? rsl_ok : rsl_diverged;
}

// ---- questions ------------------------------------------------------------------------------------------------------------

const rslModel* rslSolver_Model(const rslSolver* solver)
{
    return solver->model;
}

void rslSolver_SetEffort(rslSolver* solver, rslEffort effort)
{
    RSL_ASSERT(effort.newton >= 0 && effort.iterations >= 0);
    solver->def.effort = effort;
}

rslStability rslSolver_Stability(const rslSolver* solver)
{
    return solver->stability;
}

rslIntegrator rslSolver_Integrator(const rslSolver* solver)
{
    return solver->def.integrator;
}

int rslSolver_Threads(const rslSolver* solver)
{
    return rslTeam_Threads(solver->team);
}

const char* rslSolver_Vectors(const rslSolver* solver)
{
    (void)solver;
    return rslClones_Name();
}

size_t rslSolver_Bytes(const rslSolver* solver)
{
    size_t states = 1 + (solver->anchor != NULL ? 1u : 0u) + (solver->kept != NULL ? 1u : 0u);
    size_t state = states * 6 * (size_t)solver->model->nodeCount * (size_t)solver->def.precision;
    size_t rest = solver->rest != NULL       ? rslStatic_Bytes(solver->rest)
                  : solver->implicit != NULL ? rslImplicit_Bytes(solver->implicit)
                                             : 0;
    return sizeof(rslSolver) + solver->backend->bytes(solver->kernel) + state + rest;
}

void rslSolver_SetForces(rslSolver* solver, const double* forces)
{
    solver->lacksForces = !solver->backend->setForces(solver->kernel, forces);
}

rslDivergence rslSolver_Divergence(const rslSolver* solver)
{
    return solver->divergence;
}

rslRest rslSolver_Rest(const rslSolver* solver)
{
    return solver->rest != NULL ? rslStatic_Result(solver->rest) : (rslRest){ 0 };
}

rslStatus rslSolver_Linear(rslSolver* solver, const rslState* state, double tolerance, double* motion,
                           rslLinearSolve* result)
{
    if (!Fits(solver, state))
    {
        return rsl_mismatch;
    }
    if (solver->rest == NULL || rslStatic_IsRelaxed(solver->rest) || !(tolerance > 0.0))
    {
        return rsl_badInput;
    }
    return rslStatic_Linear(solver->rest, state, tolerance, motion, result);
}

rslSolve rslSolver_Solve(const rslSolver* solver)
{
    return solver->implicit != NULL ? rslImplicit_Result(solver->implicit) : (rslSolve){ 0 };
}

const rslState* rslSolver_LastGood(const rslSolver* solver)
{
    return solver->hasLastGood ? solver->lastGood : NULL;
}
