// SPDX-License-Identifier: MIT
//
// network_rows.h: rows of springs of network bodies (network_slices.h) as their loops see them.

#pragma once

#include "real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    SLICE = LANES / 2,  // slots: what registers of 256 bits hold
    RECORD = 4,         // numbers a slot: displacement, 0; velocity, mass; a force and one that nobody reads
};

// Constants of a spring, in this order: the vector at rest d0, 1 / L0^2, k, c if anything of the body is damped, N / L0 - 1 if it is general.
enum
{
    OF_INVERSE = 3,
    OF_STIFFNESS,
    OF_MORE,
    MOST_CONSTANTS = OF_MORE + 2
};

// Springs one after the other, both ends of which are told; rows of SLICE of them.
#define LooseRows RSL_NAME(rslLooseRows)
typedef struct LooseRows
{
    int count;
    int *from, *to;   // slots
    Real* constants;  // of every row: the first one of its springs, the second one, ...
} LooseRows;

#define RowView RSL_NAME(rslRowView)
typedef struct RowView
{
    int begin, end;       // slices
    const int* rowStart;  // of every slice, with one more at the end
    // of every spring of every row: its other slot, counted from the first slot of its slice; one of them is NULL
    const uint16_t* near;
    const int* far;
    // constants of every slice begin at a place: of every row once, if all of its springs are alike, or as those of loose rows
    const bool* alike;
    const size_t* place;
    const Real* constants;
    LooseRows loose;
    bool damped, general;
    Real carrier;                 // share of the carrier in the law (spring_law.h); general
    const Real *places, *speeds;  // records

    // Records of what springs do to slots that come after theirs, and of what dampers do.
    Real *sums, *drags;

    // Where forces and drags go, by node (-1: none). Unless the slots move:
    const int* nodes;
    Real *force[3], *drag[3];

    // Then, where their records go; the kick and half a drift [s], two of which end a step that is not the last one.
    bool moves, last;
    Real *newPlaces, *newSpeeds;
    Real kick, half, gravity[3];

    double* lost;  // what dampers take [W], and D.(w' - w) of a kick (kernel_drag.c)
} RowView;

enum
{
    ROW_LOST,
    ROW_CHANGED,
    ROW_LOSSES
};
