// SPDX-License-Identifier: MIT
//
// real_bits.h: bounds of many numbers, rounded to single precision, by their bits: whole numbers in the order of the real ones, and
// what is not a number beyond all others.

#pragma once

#include "real.h"

#include <stdint.h>
#include <string.h>

RSL_INLINE int32_t ToBits(Real x)
{
    float single = (float)x;
    int32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits < 0 ? bits ^ INT32_MAX : bits;
}

static inline double FromBits(int32_t bits)
{
    float single;
    bits = bits < 0 ? bits ^ INT32_MAX : bits;
    memcpy(&single, &bits, sizeof single);
    return (double)single;
}
