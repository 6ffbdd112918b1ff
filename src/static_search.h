// SPDX-License-Identifier: MIT
//
// static_search.h: how far to go along a direction that leads downhill.

#pragma once

#include "static_internal.h"

typedef struct rslSearch
{
    const rslUnknowns* unknowns;
    rslStatic* rest;
    void* kernel;
    rslState* state;
    const rslNodeVector* direction;
    const rslNodeVector *start, *scratch;  // overwritten; start: where the state was
    bool mayLeap;                          // a step of 1, 1/2 or 1/4 may lead to more, within bounds
    bool leapt;                            // out: it led to more
    double before, after;                  // out: potentials
    bool endless;                          // out: the potential falls as far as one can see
    bool limited;                          // out: a longer step would let an element fall too far (guard.h),
    bool blocked;                          // out: or bodies too near each other (static_contact.c)
} rslSearch;

// Move the state along the direction; slope = force . direction at the start, above 0. False, and the state is as before: no
// step leads to less, or all do.
bool rslSearch_Run(rslSearch* search, double slope);

// Off an equilibrium, along a direction of negative curvature or against it: d.K d of it, and the longest step to begin with. False, and
// the state is as before: no step leads to less.
bool rslSearch_Fall(rslSearch* search, double curvature, double longest);
