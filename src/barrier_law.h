// SPDX-License-Identifier: MIT
//
// barrier_law.h: what keeps things apart, as a function of the distance between them.
//
//   b(d) = -(d - D)^2 ln(d/D) for 0 < d < D, else 0        Li and others 2020
//   b'   = -2 (d - D) ln(d/D) - (d - D)^2/d
//   b''  = -2 ln(d/D) - 4 (d - D)/d + (d - D)^2/d^2
//
// b and b' vanish at D, b is infinite at 0, and b'' is positive between.

#pragma once

#include "elementary.h"

#include <math.h>

typedef struct rslBarrierLaw
{
    double energy;     // k b [J]
    double push;       // -k b' [N]
    double stiffness;  // k b'' [N/m]
} rslBarrierLaw;

static inline rslBarrierLaw rslBarrierLaw_At(double k, double D, double d)
{
    if (!(d > 0.0))
    {
        return (rslBarrierLaw){ INFINITY, INFINITY, INFINITY };
    }
    if (d >= D)
    {
        return (rslBarrierLaw){ 0.0, 0.0, 0.0 };
    }
    double r = d / D, s = (D - d) / D, ln = rslLn(r), q = s / r;
    return (rslBarrierLaw){ -k * D * D * s * s * ln, k * D * s * (q - 2.0 * ln), k * (q * q + 4.0 * q - 2.0 * ln) };
}

// k for a push at half of D.
static inline double rslBarrierLaw_Stiffness(double push, double D)
{
    return push / (rslBarrierLaw_At(1.0, D, 0.5 * D).push);
}
