// SPDX-License-Identifier: MIT
//
// check.h: what `resilin check` finds out (check.c) and how it says it (check_print.c, check_levels.c).

#pragma once

#include "json.h"
#include "loaded.h"

typedef struct cliWorstSpring
{
    int a, b;           // nodes; -1 when there is no spring
    double stiffness;   // [N/m]
    double restLength;  // [m]
    double rate;        // k (1/ma + 1/mb) [1/s2]
} cliWorstSpring;

typedef struct cliCheckFacts
{
    const char* path;
    const cliLoaded* loaded;
    rslStability stability;
    cliWorstSpring worst;
    double step;            // chosen [s]
    uint64_t steps;         // of the whole run
    double secondsPerStep;  // measured; 0 when not
    double estimate;        // [s], of the whole run without output; 0 when not known
    size_t stateBytes, solverBytes;
    uint64_t frames, rows;
    double outputBytes;
} cliCheckFacts;

// A body at a level of detail.
typedef struct cliLevelBody
{
    const char* name;
    double factor;  // NaN: it has no such level
    int nodes;
    double mass, spacing, young, poisson;  // [kg], [m], [Pa]
} cliLevelBody;

// The scene at a level.
typedef struct cliLevelFacts
{
    rslStatus status;
    char message[256];  // why it cannot be built
    int nodes;
    rslIntegrator integrator;
    double stableStep, step;  // [s]
    double cost;              // seconds that a second of motion takes; 0 when not known
} cliLevelFacts;

typedef struct cliCheckLevels
{
    int count, bodyCount;  // 0: there is one level
    cliLevelFacts* list;
    cliLevelBody* bodies;  // bodyCount a level
} cliCheckLevels;

// Seconds a step, from steps of a copy of the state for about so many seconds; 0: not known.
double cliCheck_TimeSteps(const cliLoaded* loaded, double budget);

// False: out of memory. To be freed in any case (check_levels.c).
bool cliCheckLevels_Find(cliCheckLevels* levels, const cliCheckFacts* facts, const cliWishes* wishes);
void cliCheckLevels_Free(cliCheckLevels* levels);
void cliCheckLevels_Print(const cliCheckLevels* levels);
void cliCheckLevels_Json(const cliCheckLevels* levels, cliJson* json);

void cliCheck_Print(const cliCheckFacts* facts, const cliCheckLevels* levels);
void cliCheck_Json(const cliCheckFacts* facts, const cliCheckLevels* levels);
