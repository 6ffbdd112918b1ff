// SPDX-License-Identifier: MIT
//
// spring_law.h: the scalar law of one spring: energy, tension and slope as functions of its length.
//
// A law knows nothing of nodes, vectors or time. k is always the stiffness at rest, so that the moduli of a network for
// small strains do not depend on its law. N natural length, L length, d = L - N, e = d / N:
//
//   linear    T = k d                  T' = k                    W = k N^2 e^2 / 2
//   carrier   T = k N d / L            T' = k (N/L)^2            W = k N^2 g(e),  g(e) = e - ln(1 + e)
//             Kot eq. 4.2 with the sign of a pull; W = k L0^2 (dL/L0 - ln(1 + dL/L0)). It resists being pressed to nothing
//             without bound and pulls at most k N.
//   cooper    T = k/2 (L - N^2 / L)    T' = k/2 (1 + (N/L)^2)    W = k/2 [(L^2 - N^2)/2 - N^2 ln(L/N)]
//             Cooper and Maddock 1999, eq. 4, whose constant is the k/2 here: its stiffness at rest is twice that.
//
// Since L - N^2/L = d (L + N) / L = d + N d / L, Cooper's spring is half linear and half carrier, in its energy too:
// (L^2 - N^2)/2 = N^2 (e + e^2/2). So one number, the share c of the carrier, 0, 1 or 1/2, says it all:
//
//   T = k d (1 - c + c N/L),   T' = k (1 - c + c (N/L)^2),   W = k N^2 ((1 - c) e^2 / 2 + c g(e))
//
// A drive changes N at constant k and L:  -dW/dN = k d - 2 c k N g(e), which is T for the linear law.

#pragma once

#include "log_gap.h"
#include "real.h"
#include "resilin/scene.h"

#include <math.h>

static inline Real LawCarrierShare(rslSpringLaw law)
{
    return law == rsl_carrierSpring ? (Real)1 : law == rsl_cooperSpring ? (Real)0.5 : (Real)0;
}

// The linear law keeps its own branch: it is the common one and needs no division.
static inline Real LawTension(Real carrier, Real k, Real natural, Real length, Real elongation)
{
    Real tension = k * elongation;
    return carrier == (Real)0 ? tension : tension * ((Real)1 - carrier + carrier * natural / length);
}

static inline Real LawSlope(Real carrier, Real k, Real natural, Real length)
{
    Real ratio = natural / length;
    return carrier == (Real)0 ? k : k * ((Real)1 - carrier + carrier * ratio * ratio);
}

// e, kept above -1: a spring pressed to nothing has the length bond.h gives it.
static inline double LawStrain(double natural, double length, double elongation)
{
    double e = elongation / natural, least = 0x1p-20 * (length / natural);
    return e > least - 1.0 ? e : least - 1.0;
}

static inline double LawEnergy(double carrier, double k, double natural, double length, double elongation)
{
    double linear = 0.5 * k * elongation * elongation;
    if (carrier == 0.0)
    {
        return linear;
    }
    double g = LawCarrierEnergy(LawStrain(natural, length, elongation));
    return (1.0 - carrier) * linear + carrier * k * natural * natural * g;
}

// -dW/dN, what a drive works against.
static inline double LawPull(double carrier, double k, double natural, double length, double elongation)
{
    double pull = k * elongation;
    if (carrier == 0.0)
    {
        return pull;
    }
    return pull - 2.0 * carrier * k * natural * LawCarrierEnergy(LawStrain(natural, length, elongation));
}
