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
//
// No step is longer than elements near collapse let it be (guard.h): they may fall by a fifth in one step, and Newton's next one
// knows how much harder they push back. Nor may bodies that touch come nearer than to a fifth of what is between them.

#include "static_search.h"

#include "statics.h"

#include <math.h>

typedef struct Trial
{
    double potential, slope;
} Trial;

static rslNodeVector FieldOf(const rslSearch* search)
{
    void* const* u = search->state->displacement;
    return (rslNodeVector){ { u[0], u[1], u[2] } };
}

static void GoBack(const rslSearch* search)
{
    rslNodeVector at = FieldOf(search);
    rslUnknowns_Copy(search->unknowns, &at, search->start);
}

static void Place(const rslSearch* search, double a)
{
    rslNodeVector at = FieldOf(search);
    GoBack(search);
    rslUnknowns_Combine(search->unknowns, &at, 1.0, a, search->direction);
}

// The longest step up to a that lets no element fall too far, and nothing come too near.
static double Reach(rslSearch* search, double a)
{
    Place(search, a);
    double time = rslStatics_FirstTime(search->kernel, search->state, search->start->x);
    double free = rslStatic_FreePart(search->rest, search->state, search->start->x);
    search->limited = search->limited || !(time > 1.0);
    search->blocked = search->blocked || free < 1.0;
    time = time > 1.0 ? 1.0 : 0.9 * time;
    return (time < free ? time : free) * a;
}

static bool IsShort(const rslSearch* search)
{
    return search->limited || search->blocked;
}

static Trial TryStep(rslSearch* search, double a, bool withSlope)
{
    Trial trial = { 0 };
    Place(search, a);
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
    return rounding < INFINITY && fabs(after - before) <= rounding && a * slope <= 1e2 * rounding &&
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
    while (doublings < DOUBLINGS && trial.slope > 0.9 * slope && Reach(search, 2.0 * a) == 2.0 * a)
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

static void Begin(rslSearch* search)
{
    rslNodeVector at = FieldOf(search);
    rslUnknowns_Copy(search->unknowns, search->start, &at);
    search->leapt = search->endless = search->limited = search->blocked = false;
    search->before = rslStatics_Potential(search->kernel, search->state);
}

bool rslSearch_Run(rslSearch* search, double slope)
{
    Begin(search);
    double before = search->before, a = Reach(search, 1.0);
    for (int i = 0; slope > 0.0 && a > 0.0 && i < 50; ++i)
    {
        Trial trial = TryStep(search, a, i == 0);
        search->after = trial.potential;
        if (trial.potential <= before - 1e-4 * a * slope)
        {
            if (i == 0 && !IsShort(search) && trial.slope > 0.9 * slope)
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
        if (search->mayLeap && !IsShort(search) && i < LEAP_TRIALS)
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
    GoBack(search);
    return false;
}

bool rslSearch_Fall(rslSearch* search, double curvature, double longest)
{
    Begin(search);
    double a = Reach(search, TryStep(search, 0.0, true).slope < 0.0 ? -longest : longest);
    for (int i = 0; a != 0.0 && i < 60; ++i, a *= 0.5)
    {
        search->after = TryStep(search, a, false).potential;
        if (search->after <= search->before + 0.1 * a * a * curvature)
        {
            return true;
        }
    }
    GoBack(search);
    return false;
}
