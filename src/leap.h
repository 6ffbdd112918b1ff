// SPDX-License-Identifier: MIT
//
// leap.h: a whole step of Newton's method although it leads to more (a leap), to be made good within a few steps, or else taken back.
//
// What turns is stretched by a whole step, and the next one takes the stretch out again: steps that lead to less all the way would be
// many and short.

#pragma once

#include "unknowns.h"

enum
{
    RSL_LEAP_STEPS = 4
};

typedef struct rslLeap
{
    int left;       // steps to make it good in; 0: there is none
    int failures;   // leaps that were taken back
    bool grounded;  // the next step must not be one
    double sum;     // where it has led to,
    double enough;  // and below which it was worth it
} rslLeap;

// May the next step be one, if so many have failed at most?
static inline bool rslLeap_May(const rslLeap* leap, int failures)
{
    return leap->left == 0 && !leap->grounded && leap->failures < failures;
}

static inline void rslLeap_Begin(rslLeap* leap, double sum, double enough)
{
    leap->left = RSL_LEAP_STEPS;
    leap->sum = sum;
    leap->enough = enough;
}

// After a step that has led to a sum. True: it is to be taken back, because there are no steps left or no hope.
static inline bool rslLeap_Fails(rslLeap* leap, double sum, bool hopeless)
{
    if (leap->left == 0)
    {
        return false;
    }
    leap->sum = sum;
    bool good = sum <= leap->enough;
    leap->left = good || hopeless ? 0 : leap->left - 1;
    return !good && leap->left == 0;
}

// To where it began.
static inline void rslLeap_TakeBack(rslLeap* leap, const rslUnknowns* unknowns, const rslNodeVector* at,
                                    const rslNodeVector* from)
{
    rslUnknowns_Copy(unknowns, at, from);
    leap->failures += 1;
    leap->grounded = true;
    leap->left = 0;
}
