// SPDX-License-Identifier: MIT
//
// displaced.h: where the nodes of a loaded scene were and where they are.

#pragma once

#include "loaded.h"

typedef struct cliDisplaced
{
    int count;     // of nodes; 0 when out of memory
    double* rest;  // x y z at the start [m]
    double* now;   // [m]
} cliDisplaced;

cliDisplaced cliDisplaced_Take(const cliLoaded* loaded);
void cliDisplaced_Free(cliDisplaced* displaced);
