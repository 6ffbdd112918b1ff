// SPDX-License-Identifier: MIT
//
// lattice_strip.h: places of one plane of a lattice, one after the other, with all of their springs to later ones.
//
// Places of a plane are those of its grid, row by row, whether there is a node or not: the next one along x is one on, the one beside it along
// y a pitch. The first place of all is 1, and where the pitch is so many registers all rows of registers begin lines of the cache. Fields and
// sums of a plane are arrays over its places, a stride apart. Springs lead from a place to five rows: its own, the row beside it, and three of
// the plane above. In each row they lead one back, straight on and one on.
//
// The springs of a strip lead from its places to these, to the one before them and to the one behind: so places of a strip are counted from
// the one before the first.

#pragma once

#include "real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define StripView RSL_NAME(rslStripView)

// What is kept of every place of a plane; velocities of damped bodies, and shares of those that disperse (force_dispersion.c), also of rates.
enum
{
    FIELD_U,
    FIELD_W = 3,
    FIELD_SHARE = 6,
    FIELD_DRAG_SHARE,
    FIELDS
};

// What springs add up to at a place: forces and those of dampers; or elongations and their rates.
enum
{
    SUM_FORCE,
    SUM_DRAG = 3,
    SUMS = 6
};

enum
{
    LONGEST_STRIP = 510,  // places: what stays near the processor, and whole registers with those around them
    OWN_STRIDE =
        LONGEST_STRIP + 2 + 2 * LANES,  // from one own sum to the next; the last register may end behind the strip
    FACE_SPRINGS = 9,                   // of a place, without shell C
    BODY_SPRINGS = 13,
    FIRST_BACK = 2,   // of the springs that lead one back
    FIRST_ABOVE = 4,  // of those that lead to the next plane, behind all others
    SOON = 7
};

// The springs of a place in the order in which they are asked, row by row, without shell C and with it: steps along the axes. All of them are
// asked with those that lead to the same place of their row.
typedef struct rslStep
{
    int x, y, z;
} rslStep;

static const rslStep rslFaceSteps[FACE_SPRINGS] = {
    { 1, 0, 0 }, { 0, 1, 0 },  { -1, 1, 0 }, { 1, 1, 0 },  { 0, 1, 1 },
    { 0, 0, 1 }, { -1, 0, 1 }, { 1, 0, 1 },  { 0, -1, 1 },
};
static const rslStep rslBodySteps[BODY_SPRINGS] = {
    { 1, 0, 0 }, { 0, 1, 0 },  { -1, 1, 0 }, { 1, 1, 0 },  { 0, 1, 1 },   { -1, 1, 1 }, { 1, 1, 1 },
    { 0, 0, 1 }, { -1, 0, 1 }, { 1, 0, 1 },  { 0, -1, 1 }, { -1, -1, 1 }, { 1, -1, 1 },
};

// Places of a strip that are asked together, LANES of them a chunk; they are counted like all places of a strip. Places that have neither a node
// nor a spring belong to none, unless they lie between others of a chunk. So nothing acts from one run on places of another.
typedef struct StripRun
{
    int at, chunks;
} StripRun;

// Nodes in a row, and where they are.
typedef struct Segment
{
    int place, node, count;
} Segment;

typedef struct Strip
{
    int at, count;               // places
    int firstRun, runs;          // in the list of all of them
    int chunk;                   // its first, likewise
    bool leads;                  // a spring along its last row leads to the place behind it
    int segments, firstSegment;  // where its nodes are
} Strip;

typedef struct StripView
{
    const StripRun* runs;
    int runCount;
    const Real *here, *above;  // fields of the plane and of the next, at the place before the strip
    Real *sums, *sumsAbove;    // what earlier places do to them
    Real* kept;    // of the springs of every chunk what shares are made of, for their forces; where kinds ask for it
    Real* own;     // what acts on the places of the strip by its springs, and on the one before it
    double* lost;  // LANES: what dampers take [W]
    ptrdiff_t stride, pitch;
    int behind;  // the place behind the strip, if a spring leads to it along the row; 0: there is none
    // addresses of what is read when the strip is done, a number for every place of its runs: asked for while springs are, if it fetches
    uintptr_t soon[SOON];
    bool fetches;
    const int* chunks;  // where in the constants those of springs to every LANES places are:
    // k of every spring and place [N/m], 0 unless it leads from a place of the strip; then, in general bodies, damper over spring constant [s]
    const Real* constants;
    Real spacing, ratio, carrier;  // [m]; damper over spring constant [s], unless general; of the law
    Real inverse[3];               // by shell, as all below: 1 / L0^2 [1/m^2]
    Real in[3], out[3];            // dispersion: weights in L0 and out / L0
} StripView;
