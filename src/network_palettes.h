// SPDX-License-Identifier: MIT
//
// network_palettes.h: what the springs of a network body are like, while its slices are made (network_slices_make.c).
//
// Few vectors at rest, which springs seen from their other end have the opposite of, and few sets of other constants are kept in palettes.

#pragma once

#include "network_slices.h"

enum
{
    MOST_WAYS = 64,  // that are looked for; their opposites are those behind them
    MOST_RESTS = 64
};

// A spring from a slot of the slice in work.
#define Spring RSL_NAME(rslSliceSpring)
typedef struct Spring
{
    int lane, over;  // slots; the first counted in its slice, other minus own
    int way, rest;   // of palettes, opposite ways behind the others; -1: of none
    int group;
    RowSort sort;  // ROW_SORTS: no row yet
    int row;       // of that sort
    Real of[MOST_CONSTANTS];
} Spring;

// Springs of different lanes that lead over as many slots, or have all constants the same.
typedef struct SpringGroup
{
    int key, count;
    uint32_t lanes;
    int way, rest;  // of all of them; -1: of none
    int row;        // -1: none
    int at;         // in the table
} SpringGroup;

#define Maker RSL_NAME(rslSliceMaker)
typedef struct Maker
{
    Kernel* kernel;
    const rslHooks* hooks;
    const rslBody* body;
    SliceBody* out;
    const int* start;         // of the entries of every node of the body
    const Entry* entries;     // of all bodies
    int* order;               // node of the body in every slot
    int* slotOf;              // node of the body
    int ways, rests, restAt;  // how many there are, and where to look first
    double wayOf[MOST_WAYS][3];
    Real inverseOf[MOST_WAYS], restOf[MOST_RESTS][MOST_CONSTANTS - OF_STIFFNESS];

    // of the slice in work
    Spring* springs;
    SpringGroup* groups;
    int* table;  // 1 and the number of a group; 0: none
    int springCount, groupCount, tableSize;
    int rows[ROW_SORTS];
} Maker;

// The spring of an entry of a node, and its way.
Spring RSL_NAME(rslPalettes_Spring)(const Maker* m, int node, const Entry* entry, double way[3]);

// Looks at all springs of the body, when it has slots.
void RSL_NAME(rslPalettes_Find)(Maker* m);

// The way and the rest of a spring, if palettes have them. The way is turned.
void RSL_NAME(rslPalettes_LookUp)(Maker* m, Spring* spring, double way[3]);

// Into palettes of the body that have room.
void RSL_NAME(rslPalettes_Fill)(const Maker* m);
