// SPDX-License-Identifier: MIT
//
// network_rows.h: rows of springs of network bodies (network_slices.h) as their loops see them.

#pragma once

#include "real.h"

#include <stdbool.h>
#include <stdint.h>

enum
{
    SLICE = LANES,  // slots; no bit depends on it
    RECORD = 8,     // numbers a slot: rest position, 0, displacement, 0
    SPEED = 4,      // velocity, mass
    PALETTE = 16,   // so many different constants are few
};

// How constants are kept.
typedef enum SliceConstants
{
    rsl_fewSprings,     // few kinds of springs: a byte a spring
    rsl_oneConstant,    // lengths differ, and the rest is the same for all springs
    rsl_fewConstants,   // lengths differ, and the rest is a byte a spring
    rsl_manyConstants,  // each its own
} SliceConstants;

#define RowView RSL_NAME(rslRowView)
typedef struct RowView
{
    int begin, end;       // slices
    const int* rowStart;  // of every slice, with one more at the end
    const int* base;      // of every slice: the first slot that its springs lead to
    // of every spring of every row: the slot of its other end minus the base; one of them is NULL
    const uint16_t* near;
    const int* far;
    SliceConstants kept;
    const uint8_t* kind;  // place in a palette
    // of every spring, or palettes, or one: 1 / L0^2, k, c (NULL: not damped), N / L0 - 1 (NULL: not general)
    const Real *inverse, *stiffness, *damping, *preload;
    Real carrier;                 // share of the carrier in the law (spring_law.h)
    const Real *places, *speeds;  // records

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
