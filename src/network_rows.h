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
    SLICE = LANES,  // slots
    RECORD = 4,     // numbers of a slot that lie together: displacement or velocity, and one that nobody reads
};

// Constants of a spring, in this order: the vector at rest d0, 1 / L0^2, k, c if anything of the body is damped, N / L0 - 1 if it is general.
enum
{
    OF_INVERSE = 3,
    OF_STIFFNESS,
    OF_MORE,
    MOST_CONSTANTS = OF_MORE + 2
};

// Rows are straight or listed: all of their springs lead over as many slots, or other slots are told one by one. Their ways (the vector at rest
// and 1 / L0^2) are all the same and in a palette of the body, or each spring has its own; so are the rest of their constants. A slice has
// its rows in the order of these sorts.
typedef enum RowSort
{
    OWN_REST = 1,
    OWN_WAY = 2,
    LISTED = 4,
    ROW_SORTS = 8
} RowSort;

static inline bool IsStraight(RowSort sort)
{
    return (sort & LISTED) == 0;
}

typedef struct RowHead
{
    int over;           // other slot minus own; straight
    uint16_t lanes;     // bits of those that have a spring
    uint8_t way, rest;  // which constants of palettes, if they are there
} RowHead;

// Rows of a slice: the first of all and of those that are listed, and where their own constants begin, in numbers of every lane.
typedef struct SliceRows
{
    int first, listed, own;
    int count[ROW_SORTS];
} SliceRows;

// Constants that every spring of a row has of its own, of so many.
static inline int OwnOf(RowSort sort, int numbers)
{
    return ((sort & OWN_WAY) != 0 ? OF_STIFFNESS : 0) + ((sort & OWN_REST) != 0 ? numbers - OF_STIFFNESS : 0);
}

// Where rows of a sort begin.
static inline SliceRows RowsFrom(const SliceRows* of, RowSort sort, int numbers)
{
    SliceRows from = *of;
    for (int s = 0; s < (int)sort; ++s)
    {
        from.first += of->count[s];
        from.listed += IsStraight((RowSort)s) ? 0 : of->count[s];
        from.own += OwnOf((RowSort)s, numbers) * of->count[s];
    }
    return from;
}

#define RowView RSL_NAME(rslRowView)
typedef struct RowView
{
    int begin, end;  // slices
    const SliceRows* slices;
    const RowHead* heads;
    // of every lane of every listed row: its other slot, counted from the first slot of its slice; one of them is NULL
    const int16_t* near;
    const int* far;
    const Real *ways, *rests;  // palettes: constants up to 1 / L0^2, and the others, one after the other
    const Real* constants;     // of every row: the first one of its springs, the second one, ...
    bool damped, general;
    Real carrier;  // share of the carrier in the law (spring_law.h); general

    // By slot, displacements and velocities with room for a slice before the first one and behind the last; records are read by listed rows
    // alone.
    const Real *u[3], *w[3], *mass;
    const Real *places, *speeds;

    // Where forces and drags go, by node (-1: none), if anywhere. Unless the slots move:
    const int* nodes;
    Real *force[3], *drag[3];

    // Then, where they go, and their records or NULL; the kick and half a drift [s], two of which end a step that is not the last one.
    bool moves, last;
    Real *newU[3], *newW[3], *newPlaces, *newSpeeds;
    Real kick, half, gravity[3];

    double* lost;  // what dampers take [W], and D.(w' - w) of a kick (kernel_drag.c)
} RowView;

enum
{
    ROW_LOST,
    ROW_CHANGED,
    ROW_LOSSES
};
