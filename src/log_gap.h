// SPDX-License-Identifier: MIT
//
// log_gap.h: what a logarithm lacks of its tangent.

#pragma once

#include <math.h>

// g(e) = e - ln(1 + e) for e > -1, by IEEE operations alone. With y = e / (2 + e), ln(1 + e) = 2 atanh y, so
//   g = e y - 2 y^3 (1/3 + y^2/5 + y^4/7 + ...)
// where nothing cancels. Beyond |y| = 1/5 the argument is reduced: 1 + e = 2^n m with m in [3/4, 3/2], and the sum
// e - n ln 2 - ln m loses a digit at most.
static inline double LawLogSeries(double y)
{
    double y2 = y * y, sum = 0.0;
    for (int n = 25; n >= 3; n -= 2)
    {
        sum = sum * y2 + 1.0 / n;
    }
    return 2.0 * y * y2 * sum;  // 2 atanh y - 2 y
}

static inline double LawCarrierEnergy(double e)
{
    double y = e / (2.0 + e);
    if (fabs(y) <= 0.2)
    {
        return e * y - LawLogSeries(y);
    }
    int n = 0;
    double m = frexp(1.0 + e, &n);  // in [1/2, 1)
    if (m < 0.75)
    {
        m *= 2.0;
        n -= 1;
    }
    double z = (m - 1.0) / (m + 1.0);
    return e - n * 0.69314718055994530942 - (2.0 * z + LawLogSeries(z));
}
