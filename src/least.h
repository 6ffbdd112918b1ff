// SPDX-License-Identifier: MIT
//
// least.h: a bound of the smallest eigenvalue of the form of twelve numbers that the patterns of an element have.

#pragma once

#include <math.h>
#include <stdbool.h>

enum
{
    RSL_FORM = 12
};

// Whether M - c is positive: by factors L L^T.
static inline bool IsPositive(double (*dense)[RSL_FORM], double c)
{
    double l[RSL_FORM][RSL_FORM];
    for (int i = 0; i < RSL_FORM; ++i)
    {
        for (int j = 0; j <= i; ++j)
        {
            double sum = dense[i][j] - (i == j ? c : 0.0);
            for (int k = 0; k < j; ++k)
            {
                sum -= l[i][k] * l[j][k];
            }
            if (i == j && !(sum > 0.0))
            {
                return false;
            }
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    }
    return true;
}

// The smallest eigenvalue, or up to four times less; 0 where there is nearly none.
static inline double LeastOf(double (*dense)[RSL_FORM])
{
    double c = dense[0][0];
    for (int m = 1; m < RSL_FORM; ++m)
    {
        c = dense[m][m] < c ? dense[m][m] : c;
    }
    for (int halving = 0; halving < 12; ++halving)
    {
        c *= 0.25;
        if (IsPositive(dense, c))
        {
            return c;
        }
    }
    return 0.0;
}
