// SPDX-License-Identifier: MIT
//
// lattice_strip.h: one strip of springs as its loop sees it.

#pragma once

#include "real.h"

#define StripView RSL_NAME(rslStripView)

// Axes are in an order in which those along the springs come first. Early ends first, then late ones.
typedef struct StripView
{
    int count, along;    // how many axes the springs go along
    const Real* k;       // [N/m]
    const Real* ratios;  // damper over spring constant [s]; NULL: the same for all
    Real ratio, carrier;
    Real bond[3], length;  // at rest
    const Real *u[2][3], *w[2][3];
    Real *to[2][3], *drag[2][3];  // where forces and those of dampers are added
    Real* lost;                   // what dampers take, of every early end [W]
} StripView;

// Add what the springs do: without dampers, with them, and with a law that is not linear.
void RSL_NAME(rslStrip_AddElastic)(const StripView* strip);
void RSL_NAME(rslStrip_AddDamped)(const StripView* strip);
void RSL_NAME(rslStrip_AddGeneral)(const StripView* strip);
