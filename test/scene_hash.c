// SPDX-License-Identifier: MIT
//
// scene_hash.c: `scene_hash STEPS SCENE...` takes so many steps of every scene with one thread and prints `NAME HASH SECONDS`, what the
// core of the studio has to give as well (web/test).

#include "resilin/resilin.h"

#include "resilin/io.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double Now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static rslStatus Run(const char* path, int64_t steps, rslReport* report)
{
    rslScene scene;
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslState* state = NULL;
    rslStatus status = rslScene_Read(path, NULL, 0, NULL, &scene, report);
    status = status == rsl_ok ? rslModel_Build(&scene, NULL, &model, report) : status;
    if (status == rsl_ok)
    {
        rslSolverDef def = rslSolverDef_FromScene(&scene);
        def.threads = 1;
        status = rslSolver_Create(model, &def, NULL, &solver, report);
    }
    status = status == rsl_ok ? rslState_Create(model, scene.time.precision, NULL, &state) : status;
    double begun = Now();
    status = status == rsl_ok ? rslSolver_Step(solver, state, steps) : status;
    if (status == rsl_ok)
    {
        const char* slash = strrchr(path, '/');
        printf("%s %016" PRIx64 " %.3f\n", slash != NULL ? slash + 1 : path, rslState_Hash(state), Now() - begun);
    }
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    rslScene_Free(&scene);
    return status;
}

int main(int count, char** arguments)
{
    int64_t steps = count > 2 ? strtoll(arguments[1], NULL, 10) : 0;
    if (steps < 1)
    {
        fprintf(stderr, "usage: %s STEPS SCENE...\n", arguments[0]);
        return 2;
    }
    int failed = 0;
    for (int i = 2; i < count; ++i)
    {
        rslReport report = { 0 };
        if (Run(arguments[i], steps, &report) != rsl_ok)
        {
            failed = 1;
            fprintf(stderr, "%s: %s\n", arguments[i], report.count > 0 ? report.messages[0].text : "the steps failed");
        }
    }
    return failed;
}
