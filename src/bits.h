// SPDX-License-Identifier: MIT
//
// bits.h: sets of up to 64 things as the bits of a word.

#pragma once

#include <stdint.h>

// The number of the lowest set bit. Requires a set that is not empty.
static inline int rslBits_Lowest(uint64_t set)
{
#if defined(__GNUC__)
    return __builtin_ctzll(set);
#else
    int lowest = 0;
    for (; (set & 1u) == 0; set >>= 1)
    {
        ++lowest;
    }
    return lowest;
#endif
}

static inline int rslBits_Count(uint64_t set)
{
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    set = (set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(set * 0x0101010101010101u >> 56);
}
