// SPDX-License-Identifier: MIT
//
// lattice_push.h: nodes of a lattice that are moved while it is swept (lattice_sweep.h), a row of them at a time.

#pragma once

#include "real.h"

#include <stdbool.h>
#include <stddef.h>

#define MoveView RSL_NAME(rslMoveView)
#define PushView RSL_NAME(rslPushView)

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
    const Real* free;  // 0 where a node is held: changed is 0 there; NULL: none is
    Real gravity[3], kick, half;  // [m/s^2], [s]
    int count;
} PushView;
