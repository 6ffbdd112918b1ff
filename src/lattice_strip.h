// SPDX-License-Identifier: MIT
//
// lattice_strip.h: one strip of springs as its loop sees it.

#pragma once

#include "real.h"

#include <stdint.h>

#define StripEnds RSL_NAME(rslStripEnds)
#define StripView RSL_NAME(rslStripView)

// What the early ends of the strips of a plane see, or their late ones, by axis.
typedef struct StripEnds
{
    const Real *u[3], *w[3];
    Real *to[3], *drag[3];  // where forces and those of dampers are added
    int seen, added;        // the nodes that these arrays begin with
} StripEnds;

typedef struct StripView
{
    const StripEnds *early, *late;
    int from, to, count;   // the first early and late end; springs
    int along;             // how many axes they go along
    const uint8_t* order;  // of the axes: those come first
    const Real* k;         // [N/m]
    const Real* ratios;    // general: damper over spring constant [s]
    Real ratio, carrier;   // not general: the same for all
    const Real* bond;      // at rest
    Real length;
    Real* lost;  // what dampers take, of every early end [W]
} StripView;

// Add what the springs do: without dampers, with them, and with a law that is not linear.
void RSL_NAME(rslStrip_AddElastic)(const StripView* strip);
void RSL_NAME(rslStrip_AddDamped)(const StripView* strip);
void RSL_NAME(rslStrip_AddGeneral)(const StripView* strip);
