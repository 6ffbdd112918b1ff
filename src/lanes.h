// SPDX-License-Identifier: MIT
//
// lanes.h: eight numbers at once, whatever the hardware has, for functions that are compiled for several widths (clones.h). Every lane
// does the same IEEE operations in the same order, so the bits are those of plain numbers. Nothing here returns a vector: how that is
// done would depend on the width.

#pragma once

#include "clones.h"

#include <stdint.h>
#include <string.h>

enum
{
    RSL_LANES = 8
};

typedef double rslLanes __attribute__((vector_size(8 * RSL_LANES), aligned(8)));
typedef float rslNarrow __attribute__((vector_size(4 * RSL_LANES), aligned(4)));
typedef int32_t rslNarrowMask __attribute__((vector_size(4 * RSL_LANES), aligned(4)));  // what comparing those gives

// x y z of something, and a fourth.
typedef double rslFour __attribute__((vector_size(32), aligned(8), may_alias));

// The fourth is the third again: a zero would be put together in memory, and waited for.
RSL_INLINE void rslFour_Get(const double* xyz, rslFour* to)
{
    *to = (rslFour){ xyz[0], xyz[1], xyz[2], xyz[2] };
}

RSL_INLINE void rslFour_Put(const rslFour* from, double* xyz)
{
    xyz[0] = (*from)[0];
    xyz[1] = (*from)[1];
    xyz[2] = (*from)[2];
}

// x x + y y + z z
RSL_INLINE double rslFour_Dot(const rslFour* a, const rslFour* b)
{
    rslFour p = *a * *b;
    return p[0] + p[1] + p[2];
}

RSL_INLINE void rslLanes_Get(const double* from, rslLanes* to)
{
    memcpy(to, from, sizeof *to);
}

RSL_INLINE void rslLanes_Widen(const float* from, rslLanes* to)
{
    rslNarrow narrow;
    memcpy(&narrow, from, sizeof narrow);
    *to = __builtin_convertvector(narrow, rslLanes);
}
