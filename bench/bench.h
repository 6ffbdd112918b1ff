// SPDX-License-Identifier: MIT
//
// bench.h: what the benchmarks share.

#pragma once

#include "resilin/resilin.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double ReadClock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds on the wall.
static inline double WallSeconds(void)
{
    return ReadClock(CLOCK_MONOTONIC);
}

// Seconds of this process: with one thread, what others do does not count.
static inline double OwnSeconds(void)
{
    return ReadClock(CLOCK_PROCESS_CPUTIME_ID);
}

static inline void Check(rslStatus status, const char* what)
{
    if (status != rsl_ok)
    {
        fprintf(stderr, "%s: %s\n", what, rslStatus_Name(status));
        exit(1);
    }
}

// With one thread of this process, with more on the wall.
static inline double Seconds(int threads)
{
    return threads == 1 ? OwnSeconds() : WallSeconds();
}

static inline rslModel* Built(const rslScene* scene)
{
    rslModel* model = NULL;
    rslReport report = { 0 };
    if (rslModel_Build(scene, NULL, &model, &report) != rsl_ok)
    {
        fprintf(stderr, "%s\n", report.count > 0 ? report.messages[0].text : "out of memory");
        exit(1);
    }
    return model;
}

// Time of one of some steps [s].
static inline double TimeOfStep(rslSolver* solver, rslState* state, int64_t steps, int threads)
{
    double start = Seconds(threads);
    Check(rslSolver_Step(solver, state, steps), "step");
    return (Seconds(threads) - start) / (double)steps;
}
