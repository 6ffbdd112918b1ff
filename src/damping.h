// SPDX-License-Identifier: MIT
//
// damping.h: Rayleigh's constants of a material whose damping is given as ratios.

#pragma once

#include "resilin/scene.h"

typedef struct rslRates
{
    double mass, stiffness;  // alpha0 [1/s], alpha1 [s]
} rslRates;

// Constants of a checked definition; first: the first frequency of the body [Hz], used where no other is given. They are not
// negative, or the definition cannot be met.
rslRates rslDamping_Rates(const rslDampingDef* def, double first);

// zeta of a mode of a frequency [Hz].
double rslRates_Ratio(rslRates rates, double frequency);

// Whether the first frequency of the body has to be known.
static inline bool rslDamping_AsksFirst(const rslDampingDef* def)
{
    return def != NULL && def->frequencyCount == 0;
}

// The materials of a body, which may be a changed one of the scene, with constants in the place of ratios. first gets the frequency
// that was searched for, or 0. *regions, when it is not NULL, is what def->regions then is, to be released by the caller.
rslStatus rslDamping_Settle(const rslScene* scene, rslBodyDef* def, const rslHooks* hooks, rslRegionDef** regions,
                            double* first, rslReport* report);
