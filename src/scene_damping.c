// SPDX-License-Identifier: MIT
//
// scene_damping.c: what the keys of a damping mean together.

#include "damping.h"
#include "scene_across.h"

#include <math.h>

static rslPlace PlaceOf(const rslAcross* across, const rslDampingDef* damping, const char* key)
{
    return rslAcross_Place(across, "damping", key, damping, -1, damping->place);
}

static bool CheckCounts(rslAcross* across, const rslDampingDef* damping)
{
    if (damping->frequencyCount > 2)
    {
        rslTrail_Error(across->trail, PlaceOf(across, damping, "frequency"), "frequency",
                       "found %d frequencies, expected one or two: two constants meet no more",
                       damping->frequencyCount);
        return false;
    }
    int frequencies = damping->frequencyCount > 0 ? damping->frequencyCount : 1;
    if (damping->ratioCount > 1 && damping->ratioCount != frequencies)
    {
        rslTrail_Error(across->trail, PlaceOf(across, damping, "ratio"), "ratio",
                       "found %d ratios at %d frequenc%s, expected one for each, or one for all", damping->ratioCount,
                       frequencies, frequencies == 1 ? "y" : "ies");
        return false;
    }
    return damping->ratioCount > 0;  // missing or wrong is told already
}

// Two ratios that Rayleigh's curve goes through, both constants being positive.
static void CheckPair(rslAcross* across, const rslDampingDef* damping)
{
    double a = damping->frequency[0], b = damping->frequency[1];
    double za = damping->ratio[0], zb = damping->ratio[damping->ratioCount > 1 ? 1 : 0];
    if (a == b)
    {
        rslTrail_Error(across->trail, PlaceOf(across, damping, "frequency"), "frequency",
                       "found %.6g Hz twice, expected two different ones, or one", a);
        return;
    }
    rslRates rates = rslDamping_Rates(damping, 0.0);
    double more = fmax(a / b, b / a);
    if (rates.mass < 0.0 || rates.stiffness < 0.0)
    {
        bool mass = rates.mass < 0.0;
        rslTrail_Error(across->trail, PlaceOf(across, damping, "ratio"), "ratio",
                       "found %.4g at %.5g Hz and %.4g at %.5g Hz, which need %s = %.4g %s: a negative damper feeds "
                       "energy into %s "
                       "motion; beside %.4g at %.5g Hz expected %.4g to %.4g at %.5g Hz, or one frequency",
                       za, a, zb, b, mass ? "mass_damping" : "stiffness_damping", mass ? rates.mass : rates.stiffness,
                       mass ? "1/s" : "s", mass ? "slow" : "fast", za, a, za / more, za * more, b);
    }
}

void rslAcross_CheckDamping(rslAcross* across, const rslMaterialDef* material, const rslBodyDef* body)
{
    static const char* const others[] = { "mass_damping", "stiffness_damping" };
    const rslDampingDef* damping = material->damping;
    if (damping == NULL || !CheckCounts(across, damping))
    {
        return;
    }
    const double values[] = { material->massDamping, material->stiffnessDamping };
    for (int i = 0; i < 2; ++i)
    {
        if (values[i] != 0.0 && rslAcross_WasGiven(across, "material", others[i], material))
        {
            rslTrail_Error(across->trail, rslAcross_Place(across, "material", others[i], material, -1, material->place),
                           others[i], "found %.4g beside 'damping', which sets it: expected one of the two, or 0",
                           values[i]);
        }
    }
    if (damping->frequencyCount == 2 && rslAcross_WasGiven(across, "damping", "by", damping))
    {
        rslTrail_Error(across->trail, PlaceOf(across, damping, "by"), "by",
                       "found beside two frequencies, which fix both constants, expected one frequency");
    }
    if (damping->frequencyCount == 0 && body->model.type == rsl_rigidModel)
    {
        rslTrail_Error(across->trail, damping->place, "damping",
                       "found a ratio at the first frequency of a rigid body, which has none; expected mass_damping");
    }
    if (damping->frequencyCount == 2)
    {
        CheckPair(across, damping);
    }
}
