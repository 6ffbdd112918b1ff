// SPDX-License-Identifier: MIT
//
// lattice_push.h: nodes of a lattice on their way to the places of a sweep (lattice_sweep.h) and back, segments of them at a time. Arrays over
// nodes are given from node 0 on, those over places from place 0 on.

#pragma once

#include "lattice_strip.h"

#define LoadView RSL_NAME(rslLoadView)
#define KeepView RSL_NAME(rslKeepView)
#define MoveView RSL_NAME(rslMoveView)
#define PushView RSL_NAME(rslPushView)
#define SpeedLanes RSL_NAME(rslSpeedLanes)

// The least and the largest by axis, as many beside each other as a register holds. They may miss what is no number, and the sum does not:
// then it is none.
typedef struct SpeedLanes
{
    Real low[3][LANES], high[3][LANES], sum[LANES];
} SpeedLanes;

// Some that follow each other in a plane.
typedef struct Segments
{
    const Segment* first;
    int count;
} Segments;

// Fields, from nodes to places of a plane.
typedef struct LoadView
{
    Segments segments;
    int fields, begin;         // the node of the first number
    const Real* from[FIELDS];  // of each of them
    Real* to[FIELDS];
} LoadView;

// What acts on the nodes of a strip, own - sums, whose sums are not cleared.
typedef struct KeepView
{
    Segments segments;
    int begin;               // the place of the first own number
    const Real *own, *sums;  // arrays, OWN_STRIDE and a stride apart
    Real* to[SUMS];          // NULL from SUM_DRAG on: nobody asks for that
    ptrdiff_t stride;
} KeepView;

// Half a drift, from nodes to places of a plane.
typedef struct MoveView
{
    Segments segments;
    const Real *u[3], *w[3];
    Real* to;  // three arrays, a stride apart
    ptrdiff_t stride;
    Real half;  // [s]
} MoveView;

// The kick, and the other half; where another step follows, also its first half, so that u are the places at which it asks its springs.
typedef struct PushView
{
    Segments segments;
    int begin;          // as above
    const Real* own;    // three arrays, OWN_STRIDE apart: f = own - sums; likewise D by dampers, from SUM_DRAG on
    Real* sums;         // a stride apart; 0 after it
    const Real* place;  // likewise: u after the first half
    ptrdiff_t stride;
    Real *u[3], *w[3];
    const Real* mass;
    const Real* free;             // 0 where a node is held: changed is 0 there; NULL: none is
    Real gravity[3], kick, half;  // [m/s^2], [s]
    bool goesOn;
    double* changed;     // LANES: D.(w' - w) of nodes (kernel_drag.c) are added; NULL: nothing is damped
    SpeedLanes* speeds;  // after it; NULL: nobody asks
} PushView;
