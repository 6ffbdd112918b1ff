// SPDX-License-Identifier: MIT
//
// real.h: one source, two precisions. Kernel files are compiled once with RSL_PRECISION 32 and once with 64; every
// symbol they export is written RSL_NAME(name) and gets the precision as its suffix.

#pragma once

#ifndef RSL_PRECISION
#error "kernel files are compiled with RSL_PRECISION set to 32 or 64"
#endif

#include <math.h>

#define RSL_GLUE_(name, suffix) name##suffix
#define RSL_GLUE(name, suffix) RSL_GLUE_(name, suffix)
#define RSL_NAME(name) RSL_GLUE(name, RSL_PRECISION)

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

// A hot function compiled for several vector widths and chosen at load time. Every lane does the same IEEE operations
// in the same order at any width, so the bits are the same. Sanitizers run before the choice can be made. Also a static
// one is named RSL_NAME(rslName): clang 14 shows the function that chooses to the linker.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&        \
    !defined(__SANITIZE_THREAD__) && !defined(RSL_NO_CLONES)
#define RSL_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define RSL_CLONES
#endif
#define RSL_INLINE static inline __attribute__((always_inline))
