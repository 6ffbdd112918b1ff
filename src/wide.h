// SPDX-License-Identifier: MIT
//
// wide.h: what is compiled for every width of vector registers (simd.h), and which of it a processor runs. All give the same bits.

#pragma once

#include "lattice_strip.h"
#include "network_rows.h"

#define WideCalls RSL_NAME(rslWideCalls)
typedef struct WideCalls
{
    int width;  // bits of a register
    // add what the springs of strips do: without dampers, with them, and with a law that is not linear
    void (*addElastic)(const StripView* view);
    void (*addDamped)(const StripView* view);
    void (*addGeneral)(const StripView* view);
    // what the springs of slices do, into the kernel or to their slots
    void (*addRows)(const RowView* view);
    double (*energyOfRows)(const RowView* view);  // not of general ones
} WideCalls;

// The widest that this processor runs, or none wider than so many bits; NULL: there is none as narrow.
const WideCalls* RSL_NAME(rslWide_Choose)(int widest);
