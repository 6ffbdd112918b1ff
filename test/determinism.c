// SPDX-License-Identifier: MIT
//
// determinism.c: `determinism PRECISION THREADS` runs every scene of core_scenes.h and prints `SCENE PRECISION HASH`, for
// determinism_test.sh.

#include "core_scenes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int Fail(const char* scene, const char* what, const rslReport* report)
{
    fprintf(stderr, "%s: %s\n", scene, what);
    for (int i = 0; i < report->count; ++i)
    {
        fprintf(stderr, "  %s\n", report->messages[i].text);
    }
    return 1;
}

static int RunScene(const CoreScene* scene, rslPrecision precision, int threads)
{
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslState* state = NULL;
    rslReport report = { 0 };
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.integrator = scene->integrator;
    def.threads = threads;
    if (scene->build(scene->fine, NULL, &model, &report) != rsl_ok)
    {
        return Fail(scene->name, "not built", &report);
    }
    if (rslSolver_Create(model, &def, NULL, &solver, &report) != rsl_ok ||
        rslState_Create(model, precision, NULL, &state) != rsl_ok)
    {
        return Fail(scene->name, "no solver", &report);
    }
    if (rslSolver_Step(solver, state, scene->fineSteps) != rsl_ok)
    {
        return Fail(scene->name, "diverged", &report);
    }
    printf("%s %s %016" PRIx64 "\n", scene->name, precision == rsl_single ? "single" : "double", rslState_Hash(state));
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return 0;
}

int main(int argumentCount, char** arguments)
{
    bool single = argumentCount == 3 && strcmp(arguments[1], "single") == 0;
    if (argumentCount != 3 || (!single && strcmp(arguments[1], "double") != 0) || atoi(arguments[2]) < 1)
    {
        fprintf(stderr, "usage: %s single|double THREADS\n", arguments[0]);
        return 2;
    }
    int failed = 0;
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        failed += RunScene(&coreScenes[s], single ? rsl_single : rsl_double, atoi(arguments[2]));
    }
    for (int s = 0; s < TOUCH_SCENES; ++s)
    {
        bool implicit = touchScenes[s].integrator >= rsl_implicitEuler;  // in double precision only
        failed +=
            implicit && single ? 0 : RunScene(&touchScenes[s], single ? rsl_single : rsl_double, atoi(arguments[2]));
    }
    return failed > 0;
}
