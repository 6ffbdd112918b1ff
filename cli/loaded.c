// SPDX-License-Identifier: MIT
//
// loaded.c: a scene file with all that is made from it.

#include "loaded.h"

#include "number.h"
#include "path.h"
#include "schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cliWishes cliWishes_Default(void)
{
    return (cliWishes){ .threads = -1, .until = NAN, .level = -1 };
}

const char* cliWishes_Read(cliWishes* wishes, int option, char* value)
{
    switch (option)
    {
        case 't': return cliParseInteger(value, 0, 1024, &wishes->threads) ? NULL : "a number of threads, 0 to 1024";
        case 'p':
            wishes->precision = strcmp(value, "single") == 0   ? rsl_single
                                : strcmp(value, "double") == 0 ? rsl_double
                                                               : (rslPrecision)0;
            return wishes->precision != 0 ? NULL : "single or double";
        case 'u':
            return cliParseNumber(value, &wishes->until) && wishes->until > 0 ? NULL : "a time above 0 in seconds";
        case CLI_LOD: return cliParseInteger(value, 0, RSL_LEVELS_MOST - 1, &wishes->level) ? NULL : "a level, 0 to 15";
        case 's': return cliOverrides_Add(&wishes->overrides, value) ? NULL : "KEY=VALUE";
        default: return "nothing";
    }
}

int cliWishes_Threads(const cliWishes* wishes, const rslScene* scene)
{
    return wishes->threads >= 0 ? wishes->threads : scene->time.threads;
}

static void ApplyWishes(rslScene* scene, const cliWishes* wishes)
{
    if (wishes->precision != 0)
    {
        scene->time.precision = wishes->precision;
    }
    if (isfinite(wishes->until))
    {
        scene->time.duration = wishes->until;
    }
    if (wishes->level >= 0)
    {
        rslScene_SetLevel(scene, wishes->level);
    }
}

// Springs alone allow 2 / w at the frequency w of the mode that limits the step; dampers may ask for far less, and a
// run that takes a hundred times as long does not show why.
static void WarnOfDamping(cliLoaded* loaded)
{
    rslStability s = rslSolver_Stability(loaded->solver);
    double undamped = 2 / s.frequency;
    if (loaded->scene.time.integrator == rsl_forwardEuler || !(s.stableStep > 0) || !(undamped > 10 * s.stableStep) ||
        !isfinite(undamped))
    {
        return;
    }
    const rslBodyDef* body = &loaded->scene.bodies[rslModel_BodyOf(loaded->model, s.node)];
    if (body->model.lag)
    {
        return;  // a lag asks for more damping, not for less
    }
    bool explicitNetwork = body->network.type == rsl_explicitNetwork;
    rslReport_Add(&loaded->report, rsl_warning, explicitNetwork ? body->network.place : body->material.place,
                  "damping of body '%s' makes the stable step %s, its springs alone allow %s: %s makes a run up to "
                  "%.0f times as fast",
                  body->name, cliSi(s.stableStep, "s").text, cliSi(undamped, "s").text,
                  body->material.damping != NULL ? "a smaller ratio, by: mass or an implicit integrator"
                  : explicitNetwork              ? "less damping"
                                                 : "less stiffness_damping",
                  undamped / s.stableStep);
}

// A soft body may allow steps that skip frames, or end long after the duration. Increments of static are what was asked for. A frame is
// written at the first step that is not before it: steps of 1/60 s with some digits left out skip none of them before they are late by a
// whole one.
static void WarnOfLongStep(cliLoaded* loaded)
{
    double step = rslSolver_Stability(loaded->solver).step, rate = loaded->scene.output.frames;
    double duration = loaded->scene.time.duration, frames = floor(duration * rate + 1e-6);
    if (loaded->scene.time.integrator == rsl_static)
    {
        return;
    }
    if (step > duration)
    {
        rslReport_Add(&loaded->report, rsl_warning, loaded->scene.time.place,
                      "one step of %s is longer than the duration of %s: set time.step below it", cliSi(step, "s").text,
                      cliSi(duration, "s").text);
    }
    else if ((double)cliStepAt(duration, step) < frames)
    {
        rslReport_Add(
            &loaded->report, rsl_warning, loaded->scene.time.place,
            "the step of %s is longer than the %s between frames: there will be a frame a step; set time.step "
            "below it for all of them",
            cliSi(step, "s").text, cliSi(1 / rate, "s").text);
    }
}

static void WarnOfUnwritten(cliLoaded* loaded)
{
    const rslOutputDef* output = &loaded->scene.output;
    bool rows = isnan(output->samples) ? output->frames > 0 : output->samples > 0;
    if (output->probeCount > 0 && !rows)
    {
        rslReport_Add(&loaded->report, rsl_warning, output->probes[0].place,
                      "probes are asked for, but no rows of them: set output.samples, or output.frames, above 0");
    }
}

static const double mostSteps = 9007199254740992.0;  // times are whole numbers of steps in double

static rslStatus StartSolver(cliLoaded* loaded, const cliWishes* wishes)
{
    rslSolverDef def = rslSolverDef_FromScene(&loaded->scene);
    def.direct = rslCholmod_Direct();
    def.threads = cliWishes_Threads(wishes, &loaded->scene);
    def.stop = wishes->stop;
    def = loaded->paced ? rslPace_Solver(&loaded->pace, &def) : def;
    if (wishes->still)
    {
        def.integrator = rsl_positionVerlet;
        def.step = RSL_AUTO;
    }
    rslStatus status = rslSolver_Create(loaded->model, &def, NULL, &loaded->solver, &loaded->report);
    if (status != rsl_ok)
    {
        return status;
    }
    double step = rslSolver_Stability(loaded->solver).step;
    if (wishes->still)
    {
        return rslState_Create(loaded->model, loaded->scene.time.precision, NULL, &loaded->state);
    }
    if (!(step > 0) || !isfinite(step))
    {
        rslReport_Add(&loaded->report, rsl_error, loaded->scene.time.place,
                      "there is no stable step to choose from: give time.step in seconds");
        return rsl_badInput;
    }
    if (loaded->scene.time.duration / step > mostSteps)
    {
        rslReport_Add(
            &loaded->report, rsl_error, loaded->scene.time.place,
            "steps of %.3g s for a duration of %.3g s: expected no more than 2^53, beyond which no clock is exact; "
            "make what is far too stiff or too light softer or heavier (`resilin check` with a shorter "
            "time.duration names the node)",
            step, loaded->scene.time.duration);
        return rsl_badInput;
    }
    WarnOfDamping(loaded);
    WarnOfLongStep(loaded);
    WarnOfUnwritten(loaded);
    return rslState_Create(loaded->model, loaded->scene.time.precision, NULL, &loaded->state);
}

rslStatus cliLoaded_Read(cliLoaded* loaded, const char* path, const cliWishes* wishes)
{
    *loaded = (cliLoaded){ 0 };
    snprintf(loaded->report.file, sizeof loaded->report.file, "%s", path);
    rslStatus status =
        rslScene_Read(path, wishes->overrides.list, wishes->overrides.count, NULL, &loaded->scene, &loaded->report);
    if (status == rsl_ok && !cliSceneFiles_Anchor(&loaded->files, &loaded->scene, path))
    {
        status = rsl_outOfMemory;
    }
    if (status == rsl_ok)
    {
        ApplyWishes(&loaded->scene, wishes);
    }
    return status;
}

rslStatus cliLoaded_Build(cliLoaded* loaded, const cliWishes* wishes)
{
    rslStatus status = cliLoaded_Pace(loaded, wishes);
    status = status == rsl_ok ? rslModel_Build(&loaded->scene, NULL, &loaded->model, &loaded->report) : status;
    status = status == rsl_ok ? StartSolver(loaded, wishes) : status;
    if (status != rsl_ok || loaded->scene.time.integrator != rsl_autoIntegrator)
    {
        return status;
    }
    loaded->automatic = true;
    loaded->scene.time.integrator = rslSolver_Integrator(loaded->solver);
    return status;
}

rslStatus cliLoaded_Open(cliLoaded* loaded, const char* path, const cliWishes* wishes)
{
    rslStatus status = cliLoaded_Read(loaded, path, wishes);
    status = status == rsl_ok ? cliLoaded_Build(loaded, wishes) : status;
    if (status != rsl_ok && loaded->report.errors == 0)
    {
        rslReport_Add(&loaded->report, rsl_error, (rslPlace){ 0 }, "%s", rslStatus_Name(status));
    }
    return status;
}

void cliLoaded_Free(cliLoaded* loaded)
{
    rslSolver_Free(loaded->solver);
    rslState_Free(loaded->state);
    rslModel_Free(loaded->model);
    rslScene_Free(&loaded->scene);
    cliSceneFiles_Free(&loaded->files);
    free(loaded->replay);
    *loaded = (cliLoaded){ 0 };
}

rslStatus cliLoaded_LoadState(cliLoaded* loaded, const char* path, rslReport* report)
{
    size_t size = 0;
    char* bytes = cliFile_Read(path, &size, report);
    if (bytes == NULL)
    {
        return rsl_ioError;
    }
    rslState* state = NULL;
    rslStatus status = rslState_Load(loaded->model, loaded->scene.time.precision, bytes, size, NULL, &state, report);
    free(bytes);
    if (status == rsl_ok)
    {
        rslState_Free(loaded->state);
        loaded->state = state;
    }
    return status;
}

rslStatus cliLoaded_Take(cliLoaded* loaded, uint64_t steps, rslReport* report)
{
    rslStatus status = rslSolver_Step(loaded->solver, loaded->state, (int64_t)steps);
    if (status == rsl_diverged)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "the scene diverged at t = %g s",
                      rslSolver_Divergence(loaded->solver).time);
    }
    rslSolve solve = rslSolver_Solve(loaded->solver);
    if (status == rsl_notConverged && solve.preconditioner != NULL)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                      "the implicit step at t = %g s found no end: %.3g of the forces are left over",
                      rslState_Time(loaded->state), solve.residual);
    }
    else if (status == rsl_notConverged)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                      "no state of rest was found at t = %g s: %.3g of the loads are left over",
                      rslState_Time(loaded->state), rslSolver_Rest(loaded->solver).residual);
    }
    return status;
}

rslStatus cliLoaded_RunTo(cliLoaded* loaded, double time, rslReport* report)
{
    uint64_t last = cliStepAt(time, cliLoaded_Step(loaded)), now = loaded->state->stepCount;
    return now < last ? cliLoaded_Take(loaded, last - now, report) : rsl_ok;
}

double cliLoaded_Step(const cliLoaded* loaded)
{
    return loaded->state->step > 0 ? loaded->state->step : rslSolver_Stability(loaded->solver).step;
}

const char* cliIntegratorName(rslIntegrator integrator)
{
    switch (integrator)
    {
        case rsl_forwardEuler: return "forward Euler";
        case rsl_symplecticEuler: return "symplectic Euler";
        case rsl_positionVerlet: return "position Verlet";
        case rsl_velocityVerlet: return "velocity Verlet";
        case rsl_static: return "static";
        case rsl_implicitEuler: return "implicit Euler";
        case rsl_theta: return "theta";
        case rsl_trBdf2: return "TR-BDF2";
        case rsl_autoIntegrator: return "auto";
        case rsl_integratorCount: break;
    }
    return "unknown";
}

const char* cliIntegratorWord(rslIntegrator integrator)
{
    static const char* const words[] = { "forward_euler",   "symplectic_euler", "position_verlet",
                                         "velocity_verlet", "static",           "implicit_euler",
                                         "theta",           "tr_bdf2",          "auto" };
    return integrator < rsl_integratorCount ? words[integrator] : "unknown";
}

const char* cliPrecisionName(rslPrecision precision)
{
    return precision == rsl_single ? "single" : "double";
}
