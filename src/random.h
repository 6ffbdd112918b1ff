// SPDX-License-Identifier: MIT
//
// random.h: numbers that look random and are the same everywhere.
//
// SplitMix64 (Steele, Lea, Flood 2014): a counter that goes on by an odd constant, and a mix of its bits. Integers alone, so
// every compiler gives the same; the step to [0, 1) is exact.

#pragma once

#include <stdint.h>

typedef struct rslRandom
{
    uint64_t counter;
} rslRandom;

static inline uint64_t rslRandom_Bits(rslRandom* random)
{
    uint64_t z = random->counter += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// Uniform in [0, 1), a multiple of 2^-53.
static inline double rslRandom_Unit(rslRandom* random)
{
    return (double)(rslRandom_Bits(random) >> 11) * 0x1p-53;
}

// Uniform in 0 ... count - 1.
static inline int rslRandom_Below(rslRandom* random, int count)
{
    int index = (int)(rslRandom_Unit(random) * count);
    return index < count ? index : count - 1;
}
