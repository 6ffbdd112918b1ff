// SPDX-License-Identifier: MIT
//
// static_search.h: how far to go along a direction that leads downhill.

#pragma once

#include "unknowns.h"

typedef struct rslSearch
{
    const rslUnknowns* unknowns;
    void* kernel;
    rslState* state;
    const rslNodeVector* direction;
    const rslNodeVector *start, *scratch;  // overwritten
} rslSearch;

// Move the state along the direction; slope = force . direction at the start, above 0. False: no step leads to less.
bool rslSearch_Run(rslSearch* search, double slope);
