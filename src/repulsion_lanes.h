// SPDX-License-Identifier: MIT
//
// repulsion_lanes.h: cells of lattices, LANES at a time.

#pragma once

#include "kernel_repulsion.h"

// What is not a number is less than any.
static inline double LeastOf(double a, double b)
{
    return b >= a || a != a ? a : b;
}

typedef Real Lanes[LANES];

// Positions of the corners of LANES cells of a run, in the order of the split: that of odd ones is turned. Only differences count, so
// that displacements are taken from those of the first corner.
RSL_INLINE void PlaceCells(Real* const u[3], Real spacing, const CellRun* run, int first, Lanes x[8][3])
{
    Lanes plain[8][3], odd;
    for (int i = 0; i < LANES; ++i)
    {
        odd[i] = run->odd != ((first + i) % 2 == 1) ? (Real)1 : (Real)0;
    }
    for (int c = 0; c < 8; ++c)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            const Real rest = c >> axis & 1 ? spacing : (Real)0;
            const Real* from = u[axis] + run->first + first;
            const Real* to = from + (c & 1) + run->offset[c >> 1];
            for (int i = 0; i < LANES; ++i)
            {
                plain[c][axis][i] = rest + (to[i] - from[i]);
            }
        }
    }
    for (int c = 0; c < 8; ++c)
    {
        int other = rslCell_Turn(c, true);
        for (int axis = 0; axis < 3; ++axis)
        {
            for (int i = 0; i < LANES; ++i)
            {
                x[c][axis][i] = odd[i] != (Real)0 ? plain[other][axis][i] : plain[c][axis][i];
            }
        }
    }
}
