// SPDX-License-Identifier: MIT
//
// elongation.h: the elongation of springs as a part of their length.
//
//   L0 length at rest, L length;  e = s / L0^2 = (L / L0)^2 - 1   (bond.h: s has no cancellation, so e has none)
//   x = 1 + e,  p = (L - L0) / L = 1 - x^(-1/2) = e / (x + sqrt(x))
//
// so that T / L = k p for a linear spring, and L0 / L = 1 - p: with one root and one division all that a spring needs. Lengths below
// 2^-10 L0 in single and 2^-20 L0 in double precision are taken as that (bond.h).
//
// Steps of Newton's for x^(-1/2), from half of its bits, have neither root nor division. They were slower on every processor tried: a chain
// of twenty operations that wait for each other.

#pragma once

#include "simd.h"

// x
RSL_INLINE Vec ElongatedSquare(Vec e)
{
    return VecAtLeast((Real)1 + e, VecOf(RSL_PRECISION == 32 ? (Real)0x1p-20 : (Real)0x1p-40));
}

// x + sqrt(x), what e is divided by.
RSL_INLINE Vec ElongatedBy(Vec e)
{
    Vec x = ElongatedSquare(e);
    return x + VecRoot(x);
}
