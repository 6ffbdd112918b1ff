// SPDX-License-Identifier: MIT
//
// lattice_bound.h: bounds of the velocities of nodes, a row of them at a time.

#pragma once

#include "real.h"

#define SpeedLanes RSL_NAME(rslSpeedLanes)

// The least and the largest by axis, as many beside each other as a register holds. They may miss what is no number, and the sum does not:
// then it is none.
typedef struct SpeedLanes
{
    Real low[3][LANES], high[3][LANES], sum[LANES];
} SpeedLanes;
