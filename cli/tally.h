// SPDX-License-Identifier: MIT
//
// tally.h: mean, deviation and range of figures that are added one by one.

#pragma once

typedef struct cliTally
{
    int count;
    double mean, squares;  // sum of (value - mean)^2
    double lowest, highest;
} cliTally;  // starts as zeros

void cliTally_Add(cliTally* tally, double value);
double cliTally_Deviation(const cliTally* tally);  // standard deviation of a sample; NaN of fewer than two
