// SPDX-License-Identifier: MIT
//
// tally.c: see tally.h.

#include "tally.h"

#include <math.h>

// Welford: with d = x - mean before, mean += d / n and squares += d (x - mean after).
void cliTally_Add(cliTally* tally, double value)
{
    tally->lowest = tally->count > 0 ? fmin(tally->lowest, value) : value;
    tally->highest = tally->count > 0 ? fmax(tally->highest, value) : value;
    tally->count += 1;
    double d = value - tally->mean;
    tally->mean += d / tally->count;
    tally->squares += d * (value - tally->mean);
}

double cliTally_Deviation(const cliTally* tally)
{
    return tally->count > 1 ? sqrt(tally->squares / (tally->count - 1)) : NAN;
}
