// SPDX-License-Identifier: MIT
//
// real_lanes.h: numbers of a kernel as lanes of double precision (lanes.h).

#pragma once

#include "lanes.h"
#include "real.h"

// The next numbers, as many as are left, and 0 behind them.
RSL_INLINE void TakeLanes(const Real* from, int left, rslLanes* to)
{
    Real numbers[RSL_LANES] = { 0 };
    if (left < RSL_LANES)
    {
        memcpy(numbers, from, (size_t)left * sizeof(Real));
        from = numbers;
    }
#if RSL_PRECISION == 32
    rslLanes_Widen(from, to);
#else
    rslLanes_Get(from, to);
#endif
}

RSL_INLINE void PutLanes(const rslLanes* from, int left, Real* to)
{
#if RSL_PRECISION == 32
    rslNarrow numbers = __builtin_convertvector(*from, rslNarrow);
    const void* all = &numbers;
#else
    const void* all = from;
#endif
    memcpy(to, all, (size_t)(left < RSL_LANES ? left : RSL_LANES) * sizeof(Real));
}

// Lanes are added up in their order.
RSL_INLINE double AddLanes(const rslLanes* lanes)
{
    double sum = 0.0;
    for (int l = 0; l < RSL_LANES; ++l)
    {
        sum += (*lanes)[l];
    }
    return sum;
}
