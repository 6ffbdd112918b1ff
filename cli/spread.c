// SPDX-License-Identifier: MIT
//
// spread.c: see spread.h.

#include "spread.h"

#include <math.h>

// Welford: with d = x - mean before, mean += d / n and squares += d (x - mean after).
void cliSpread_Add(cliSpread* spread, double value)
{
    spread->lowest = spread->count > 0 ? fmin(spread->lowest, value) : value;
    spread->highest = spread->count > 0 ? fmax(spread->highest, value) : value;
    spread->count += 1;
    double d = value - spread->mean;
    spread->mean += d / spread->count;
    spread->squares += d * (value - spread->mean);
}

double cliSpread_Deviation(const cliSpread* spread)
{
    return spread->count > 1 ? sqrt(spread->squares / (spread->count - 1)) : NAN;
}
