// SPDX-License-Identifier: MIT
//
// check.h: what `resilin check` finds out (check.c) and how it says it (check_print.c).

#pragma once

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

void cliCheck_Print(const cliCheckFacts* facts);
void cliCheck_Json(const cliCheckFacts* facts);
