// SPDX-License-Identifier: MIT
//
// spread.h: mean, deviation and range of figures that are added one by one.

#pragma once

typedef struct cliSpread
{
    int count;
    double mean, squares;  // sum of (value - mean)^2
    double lowest, highest;
} cliSpread;  // starts as zeros

void cliSpread_Add(cliSpread* spread, double value);
double cliSpread_Deviation(const cliSpread* spread);  // standard deviation of a sample; NaN of fewer than two
