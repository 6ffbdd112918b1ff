// SPDX-License-Identifier: MIT
//
// hinge_lanes.h: hinges (hinge.h), eight of them at a time, with the bits of one at a time.

#pragma once

#include "hinge.h"
#include "lanes.h"

// Number by number.
typedef struct rslHinges
{
    double x[4][3][RSL_LANES];  // corners
    double m[4][3][RSL_LANES];  // a motion of theirs, where it is asked for
    double sine[RSL_LANES], cosine[RSL_LANES], fade[2][RSL_LANES];
} rslHinges;

typedef struct rslHingeViews
{
    double angle[RSL_LANES], rate[RSL_LANES];
    double gradient[4][3][RSL_LANES];
    double second[4][3][RSL_LANES];  // (d2a/dx2) m
    // of the smaller triangle, (N / 0.05 N0)^2: below 1, or no number, it fades, and nothing else here holds
    double area[RSL_LANES];
} rslHingeViews;

// Angles and gradients; what a motion makes of angles by these gradients; second derivatives alone.
void rslHinges_Look(const rslHinges* hinges, rslHingeViews* views);
void rslHinges_Rates(const rslHinges* hinges, rslHingeViews* views);
void rslHinges_Second(const rslHinges* hinges, rslHingeViews* views);
