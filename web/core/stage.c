// SPDX-License-Identifier: MIT
//
// stage.c: from a scene to a moving state, and on.

#include "stage.h"

#include "resilin/lod.h"

#include <math.h>

static const rslPlace nowhere = { 0, 0 };

// ---- making ---------------------------------------------------------------------------------------------------------

static rslStatus MakeState(webStage* stage, rslState** state)
{
    return rslState_Create(stage->model, stage->scene.time.precision, NULL, state);
}

static rslStatus MakeProbes(webStage* stage, rslReport* report)
{
    const rslOutputDef* output = &stage->scene.output;
    return output->probeCount == 0
               ? rsl_ok
               : rslProbes_Create(stage->model, output->probes, output->probeCount, NULL, &stage->probes, report);
}

static rslStatus Make(webStage* stage, webCrew* crew, rslReport* report)
{
    rslStatus status = rslModel_Build(&stage->scene, NULL, &stage->model, report);
    if (status != rsl_ok)
    {
        return status;
    }
    rslSolverDef def = rslSolverDef_FromScene(&stage->scene);
    def.threads = 1;
    def.runTasks = crew != NULL && webCrew_Most(stage->model) > 1 ? webCrew_Run : NULL;
    def.runTasksUser = crew;
    status = rslSolver_Create(stage->model, &def, NULL, &stage->solver, report);
    if (status != rsl_ok)
    {
        return status;
    }
    double step = rslSolver_Stability(stage->solver).step;
    if (!(step > 0.0) || !isfinite(step))
    {
        rslReport_Add(report, rsl_error, stage->scene.time.place,
                      "there is no stable step to choose from: give time.step in seconds");
        return rsl_badInput;
    }
    status = MakeState(stage, &stage->state);
    status = status == rsl_ok ? MakeProbes(stage, report) : status;
    if (status == rsl_ok)
    {
        stage->startVolume = rslSolver_Motion(stage->solver, stage->state, -1).volume;
    }
    return status == rsl_ok && !webHands_Make(&stage->hands, stage->solver) ? rsl_outOfMemory : status;
}

rslStatus webStage_Make(webStage* stage, rslScene* scene, webCrew* crew, rslReport* report)
{
    *stage = (webStage){ .scene = *scene };
    *scene = rslDefaultScene();
    rslStatus status = Make(stage, crew, report);
    if (status != rsl_ok)
    {
        webStage_Free(stage);
    }
    return status;
}

void webStage_Free(webStage* stage)
{
    webHands_Free(&stage->hands);
    rslProbes_Free(stage->probes);
    rslState_Free(stage->state);
    rslSolver_Free(stage->solver);
    rslModel_Free(stage->model);
    rslScene_Free(&stage->scene);
    *stage = (webStage){ .scene = rslDefaultScene() };
}

// ---- states ---------------------------------------------------------------------------------------------------------

rslStatus webStage_Reset(webStage* stage)
{
    rslState* start = NULL;
    rslStatus status = MakeState(stage, &start);
    if (status == rsl_ok)
    {
        rslState_Free(stage->state);
        stage->state = start;
    }
    return status;
}

bool webStage_TakeUp(webStage* stage, const webStage* from)
{
    rslTransfer* transfer = NULL;
    rslState* state = NULL;
    bool same = from->state->precision == stage->state->precision && from->model->plane == stage->model->plane;
    rslStatus status = same ? rslTransfer_Create(from->model, stage->model, NULL, &transfer, NULL) : rsl_mismatch;
    status = status == rsl_ok ? MakeState(stage, &state) : status;
    if (status == rsl_ok)
    {
        status = rslTransfer_Apply(transfer, from->state, state, rslSolver_Stability(stage->solver).step);
    }
    status = status == rsl_ok ? rslSolver_Check(stage->solver, state) : status;
    if (status == rsl_ok)
    {
        rslState_Free(stage->state);
        stage->state = state;
        state = NULL;
        webHands_TakeUp(&stage->hands, stage->state, &from->hands);
    }
    rslState_Free(state);
    rslTransfer_Free(transfer);
    return status == rsl_ok;
}

// ---- steps ----------------------------------------------------------------------------------------------------------

static rslStatus StepByHand(webStage* stage, int64_t steps)
{
    rslStatus status = rsl_ok;
    for (int64_t done = 0; done < steps && status == rsl_ok; ++done)
    {
        webHands_Update(&stage->hands, stage->state);
        status = rslSolver_Step(stage->solver, stage->state, 1);
    }
    return status;
}

static void SayRest(const webStage* stage, rslReport* report)
{
    rslRest rest = rslSolver_Rest(stage->solver);
    rslReport_Add(report, rsl_error, nowhere,
                  rest.outcome == rsl_restUnstable  ? "this rest is unstable: the body buckles"
                  : rest.outcome == rsl_restEndless ? "there is no rest: nothing carries the body or its loads"
                                                    : "no state of rest was found; forces left over: %.2g of the loads",
                  rest.residual);
}

static void SayDivergence(const webStage* stage, rslReport* report)
{
    rslDivergence d = rslSolver_Divergence(stage->solver);
    const char* reason = d.element >= 0 || d.divided > 0 ? "an element would collapse however short the step is"
                         : d.joint >= 0                  ? "a joint is not kept"
                         : d.collapsedBody >= 0          ? "a body whose volume is kept has collapsed"
                         : d.nonFinite                   ? "a number is not finite"
                                                         : "there is more energy than was put in";
    rslReport_Add(report, rsl_error, nowhere,
                  "diverged at t = %.4g s: %s; a smaller time.fraction, an implicit integrator, more damping or less "
                  "load may help",
                  d.time, reason);
}

static void Say(const webStage* stage, rslStatus status, rslReport* report)
{
    if (status == rsl_notConverged && stage->scene.time.integrator == rsl_static)
    {
        SayRest(stage, report);
    }
    else if (status == rsl_diverged)
    {
        SayDivergence(stage, report);
    }
    else if (status != rsl_ok)
    {
        rslReport_Add(report, rsl_error, nowhere, "the step failed at t = %.4g s: %s", rslState_Time(stage->state),
                      rslStatus_Name(status));
    }
}

rslStatus webStage_Step(webStage* stage, int64_t steps, rslReport* report)
{
    bool busy = webHands_Busy(&stage->hands);
    rslSolver_SetForces(stage->solver, busy ? stage->hands.forces : NULL);
    rslStatus status = busy ? StepByHand(stage, steps) : rslSolver_Step(stage->solver, stage->state, steps);
    Say(stage, status, report);
    return status;
}

rslStatus webStage_Settle(webStage* stage, rslReport* report)
{
    const uint64_t now = stage->state->stepCount;
    stage->state->stepCount -= now > 0;
    rslStatus status = webStage_Step(stage, 1, report);
    stage->state->stepCount = status == rsl_ok ? stage->state->stepCount : now;
    return status;
}
