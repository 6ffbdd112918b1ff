// SPDX-License-Identifier: MIT
//
// real.h: one source, two precisions. Kernel files are compiled once with RSL_PRECISION 32 and once with 64; every
// symbol they export is written RSL_NAME(name) and gets the precision as its suffix.

#pragma once

#ifndef RSL_PRECISION
#error "kernel files are compiled with RSL_PRECISION set to 32 or 64"
#endif

#include "clones.h"

#include <math.h>

#define RSL_GLUE_(name, suffix) name##suffix
#define RSL_GLUE(name, suffix) RSL_GLUE_(name, suffix)
#define RSL_NAME(name) RSL_GLUE(name, RSL_PRECISION)

// Names of wide files (simd.h) have the width of registers behind that.
#define RSL_WIDE_(name, precision, width) name##precision##_##width
#define RSL_WIDE_GLUE(name, precision, width) RSL_WIDE_(name, precision, width)

#if RSL_PRECISION == 32
typedef float Real;
enum
{
    LANES = 16  // virtual lanes at any hardware width
};
static inline Real SquareRoot(Real x)
{
    return sqrtf(x);
}
#else
typedef double Real;
enum
{
    LANES = 8
};
static inline Real SquareRoot(Real x)
{
    return sqrt(x);
}
#endif
