// SPDX-License-Identifier: MIT
//
// wide.h: what is compiled for every width of vector registers (simd.h), and which of it a processor runs. All give the same bits.

#pragma once

#include "lattice_push.h"
#include "lattice_strip.h"
#include "network_rows.h"

// Springs of a body: without dampers, with them, and with a law or dampers of their own each; without shell C, or with it.
typedef enum StripKind
{
    rsl_elasticFaces,
    rsl_dampedFaces,
    rsl_elasticBodies,
    rsl_dampedBodies,
    rsl_generalBodies,
    rsl_stripKinds
} StripKind;

#define StripCall RSL_NAME(rslStripCall)
#define LoadCall RSL_NAME(rslLoadCall)
#define KeepCall RSL_NAME(rslKeepCall)
#define MoveCall RSL_NAME(rslMoveCall)
#define PushCall RSL_NAME(rslPushCall)
#define BoundCall RSL_NAME(rslBoundCall)
#define RowCall RSL_NAME(rslRowCall)
#define RowEnergy RSL_NAME(rslRowEnergy)
#define WideCalls RSL_NAME(rslWideCalls)

typedef void StripCall(const StripView* view);
typedef void LoadCall(const LoadView* view);
typedef void KeepCall(const KeepView* view);
typedef void MoveCall(const MoveView* view);
typedef void PushCall(const PushView* view);
typedef void BoundCall(Real* const w[3], int count, SpeedLanes* speeds);
typedef void RowCall(const RowView* view);
typedef double RowEnergy(const RowView* view);

typedef struct WideCalls
{
    int width;  // bits of a register
    // what the springs of a strip do; the same with dispersion; what dispersion has to know before. Of all, and of those to the next plane alone
    StripCall* add[2][rsl_stripKinds];
    StripCall* spread[2][rsl_stripKinds];
    StripCall* share[2][rsl_stripKinds];
    // likewise, with what shares were made of kept in between
    StripCall* spreadKept[2][rsl_stripKinds];
    StripCall* shareKept[2][rsl_stripKinds];
    LoadCall* load;  // fields of nodes to their places
    KeepCall* keep;  // and what acts on them back
    MoveCall* move;  // the same in whole steps
    PushCall* push;
    BoundCall* bound;         // of their velocities
    RowCall* addRows;         // what the springs of slices do, into the kernel or to their slots
    RowEnergy* energyOfRows;  // not of general ones
} WideCalls;

// The widest that this processor runs, of at most so many bits: 128 at least.
const WideCalls* RSL_NAME(rslWide_Choose)(int widest);
