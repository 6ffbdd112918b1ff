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
    Real *to[3], *drag[3];  // where forces and those of dampers are added, or elongations and their rates
    int seen, added;        // the nodes that these arrays begin with
} StripEnds;

// Springs of one direction from a row of nodes to others a constant offset on.
typedef struct Strip
{
    int from;       // the first of the early ends
    int count;      // of springs; some may have constant 0
    int offset;     // from early to late ends
    int constants;  // k of each [N/m], then, in general bodies, damper over spring constant [s]: place in those of all
    int direction;
} Strip;

// Strips of a plane that have the same direction.
typedef struct StripView
{
    const StripEnds *early, *late;
    const Strip* strips;
    int count;
    int along;              // how many axes they go along
    const uint8_t* order;   // of the axes: those come first
    const Real* constants;  // of all strips
    Real ratio, carrier;    // damper over spring constant [s], unless general; of the law
    const Real* bond;       // at rest
    Real inverse;           // 1 / L0^2 [1/m^2]
    Real* lost;             // what dampers take, of every early end [W]
    // dispersion (force_dispersion.c): weights in L0 and out / L0, and shares of every node; NULL without
    Real in, out;
    const Real *share, *dragShare;
} StripView;
