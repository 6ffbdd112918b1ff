// SPDX-License-Identifier: MIT
//
// lattice_push.h: nodes of a lattice on their way to the places of a sweep (lattice_sweep.h) and back, a row of them at a time.

#pragma once

#include "lattice_strip.h"

#define LoadView RSL_NAME(rslLoadView)
#define KeepView RSL_NAME(rslKeepView)
#define MoveView RSL_NAME(rslMoveView)
#define PushView RSL_NAME(rslPushView)

// Fields, from nodes to places of a plane.
typedef struct LoadView
{
    const Real* from[FIELDS];  // NULL: not this one
    Real* to;                  // of the first field; a stride apart
    ptrdiff_t stride;
    int count;
} LoadView;

// What acts on nodes, own - sums, of which sums begin anew.
typedef struct KeepView
{
    const Real* own;  // arrays, OWN_STRIDE apart
    Real* sums;       // a stride apart; 0 after it
    Real* to[SUMS];   // NULL: nobody asks for this one
    ptrdiff_t stride;
    int numbers, count;
} KeepView;

// Half a drift, from nodes to places of a plane.
typedef struct MoveView
{
    const Real *u[3], *w[3];
    Real* to;  // three arrays, a stride apart
    ptrdiff_t stride;
    Real half;  // [s]
    int count;
} MoveView;

// The kick, and the other half; where another step follows, also its first half, so that u are the places at which it asks its springs.
typedef struct PushView
{
    bool damped, goesOn;
    const Real* own;    // three arrays, OWN_STRIDE apart: f = own - sums; likewise D by dampers, from SUM_DRAG on
    Real* sums;         // a stride apart; 0 after it
    const Real* place;  // likewise: u after the first half
    Real* changed;      // D.(w' - w) of every node (kernel_drag.c)
    ptrdiff_t stride;
    Real *u[3], *w[3];
    const Real* mass;
    const Real* free;             // 0 where a node is held: changed is 0 there; NULL: none is
    Real gravity[3], kick, half;  // [m/s^2], [s]
    int count;
} PushView;
