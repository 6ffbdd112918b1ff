// SPDX-License-Identifier: MIT
//
// static_search.c: see static_search.h.
//
// Along u + a d the potential is w(a), w'(0) = -slope. A step is good when w(a) <= w(0) - 1e-4 a slope (Armijo 1966), or,
// where the difference of potentials is all rounding, when the slope there has fallen: |w'(a)| <= 0.9 slope and a loss below
// rounding (Hager and Zhang 2005, approximate Wolfe). From a = 1 the step is cut to the minimum of the parabola through
// w(0), w'(0) and w(a), within [0.1, 0.5] of itself; before that, a step that may leap is halved until it is not too high.
// Where w still falls as steeply as at the start, it is doubled. Where that never ends, nothing is at rest: springs resist with
// the square of what moves them, and a pressure works with its cube.

#include "static_search.h"

#include "statics.h"

#include <math.h>

typedef struct Trial
{
    double potential, slope;
} Trial;

static Trial TryStep(rslSearch* search, double a, bool withSlope)
{
    rslNodeVector at = { { search->state->displacement[0], search->state->displacement[1],
                           search->state->displacement[2] } };
    Trial trial = { 0 };
    rslUnknowns_Copy(search->unknowns, &at, search->start);
    rslUnknowns_Combine(search->unknowns, &at, 1.0, a, search->direction);
    trial.potential = rslStatics_Potential(search->kernel, search->state);
    if (withSlope)
    {
        rslStatics_Forces(search->kernel, search->state, search->scratch->x);
        trial.slope = rslUnknowns_Dot(search->unknowns, search->scratch, search->direction);
    }
    return trial;
}

// Is the difference of the potentials rounding, and the slope smaller?
static bool IsFlat(rslSearch* search, double a, double before, double after, double slope)
{
    double rounding = 1e-12 * (fabs(before) + fabs(after));
    return fabs(after - before) <= rounding && a * slope <= 1e2 * rounding &&
           fabs(TryStep(search, a, true).slope) <= 0.9 * slope;
}

enum
{
    DOUBLINGS = 60,    // a billion billion times the step
    LEAP_TRIALS = 3,   // a = 1, 1/2, 1/4
    LEAP_HEIGHT = 100  // of a leap, in multiples of a slope
};

// Double the step while it pays. False when it always does.
static bool Extend(rslSearch* search, double a, Trial trial, double slope)
{
    int doublings = 0;
    while (doublings < DOUBLINGS && trial.slope > 0.9 * slope)
    {
        Trial next = TryStep(search, 2.0 * a, true);
        if (!(next.potential < trial.potential))
        {
            break;
        }
        a *= 2.0;
        trial = next;
        doublings += 1;
    }
    TryStep(search, a, false);
    return doublings < DOUBLINGS;
}

bool rslSearch_Run(rslSearch* search, double slope)
{
    rslNodeVector at = { { search->state->displacement[0], search->state->displacement[1],
                           search->state->displacement[2] } };
    rslUnknowns_Copy(search->unknowns, search->start, &at);
    search->leapt = search->endless = false;
    search->before = rslStatics_Potential(search->kernel, search->state);
    double before = search->before, a = 1.0;
    for (int i = 0; slope > 0.0 && i < 50; ++i)
    {
        Trial trial = TryStep(search, a, i == 0);
        search->after = trial.potential;
        if (trial.potential <= before - 1e-4 * a * slope)
        {
            if (i == 0 && trial.slope > 0.9 * slope)
            {
                search->endless = !Extend(search, a, trial, slope);
            }
            if (!search->endless)
            {
                return true;
            }
            break;
        }
        if (IsFlat(search, a, before, trial.potential, slope))
        {
            return true;
        }
        double lost = trial.potential - before + a * slope;
        if (search->mayLeap && i < LEAP_TRIALS)
        {
            if (lost <= LEAP_HEIGHT * a * slope)
            {
                search->leapt = true;
                return true;
            }
            a *= 0.5;
            continue;
        }
        double best = lost > 0.0 ? 0.5 * a * a * slope / lost : 0.0;  // zero as well where it is not a number
        a = best > 0.5 * a ? 0.5 * a : best > 0.1 * a ? best : 0.1 * a;
    }
    rslUnknowns_Copy(search->unknowns, &at, search->start);
    return false;
}
