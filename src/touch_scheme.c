// SPDX-License-Identifier: MIT
//
// touch_scheme.c: see touch_scheme.h.
//
// Impulses need places between which one velocity leads, x' = x + h v': the middles of steps of position Verlet, the places of
// symplectic Euler. Rest is where an energy is least: bodies are kept off each other by a barrier, and off colliders by penalties, which
// lets these go anywhere from one increment to the next.

#include "touch_scheme.h"

#include "implicit.h"

static bool Leaps(rslIntegrator integrator)
{
    return integrator == rsl_positionVerlet || integrator == rsl_symplecticEuler;
}

rslTouchScheme rslModel_TouchScheme(const rslModel* model, rslIntegrator integrator)
{
    bool open = model->touch.scheme == rsl_autoScheme;
    return open && model->contactNodeCount == 0 ? rsl_penaltyScheme
                                                : rslTouchScheme_For(model->touch.scheme, integrator);
}

const char rslPenaltyRefusal[] =
    "penalties keep bodies off colliders, not off each other: choose the scheme auto, and position_verlet, "
    "symplectic_euler, static or an implicit integrator";

bool rslModel_BodiesTouch(const rslModel* model)
{
    bool any = model->touch.self || (model->touch.pairs == rsl_allPairs && model->bodyCount > 1);
    for (int i = 0; i < model->pairCount && !any; ++i)
    {
        any = model->pairs[i].other < model->bodyCount;
    }
    return any;
}

bool rslTouchScheme_IsImpulse(rslTouchScheme scheme)
{
    return scheme == rsl_predictiveScheme || scheme == rsl_plainScheme || scheme == rsl_overlapScheme ||
           scheme == rsl_unequalOverlapScheme || scheme == rsl_reflectionScheme;
}

const char* rslTouchScheme_Refusal(rslTouchScheme asked, rslIntegrator integrator)
{
    if (rslTouchScheme_IsImpulse(asked) && !Leaps(integrator))
    {
        return "contacts with impulses (predictive, plain, overlap, overlap_unequal, reflection) go with the "
               "integrators "
               "position_verlet and symplectic_euler; choose one of these, or scheme: auto";
    }
    if (asked == rsl_barrierScheme && !rslIntegrator_IsImplicit(integrator))
    {
        return "the contact scheme 'barrier' goes with implicit integrators; choose one of these, or scheme: auto";
    }
    return NULL;
}

// The first node that a collider has no stiffness for; -1: none.
static int WithoutStiffness(const rslModel* model, const rslCollider* collider)
{
    for (int i = 0; i < model->nodeCount; ++i)
    {
        if (!(collider->stiffness[i] > 0.0))
        {
            return i;
        }
    }
    return -1;
}

bool rslModel_CanTouch(const rslModel* model, rslIntegrator integrator, rslPlace place, rslReport* report)
{
    const char* refusal = rslModel_Touches(model) ? rslTouchScheme_Refusal(model->touch.scheme, integrator) : NULL;
    if (refusal != NULL)
    {
        rslReport_Add(report, rsl_error, place, "%s", refusal);
        return false;
    }
    bool penalty = rslModel_TouchScheme(model, integrator) == rsl_penaltyScheme;
    if (penalty && integrator != rsl_static && rslModel_BodiesTouch(model))
    {
        rslReport_Add(report, rsl_error, place, "%s", rslPenaltyRefusal);
        return false;
    }
    for (int c = 0; penalty && c < model->colliderCount; ++c)
    {
        int node = WithoutStiffness(model, &model->colliders[c]);
        if (node >= 0)
        {
            const rslBody* body = &model->bodies[rslModel_BodyOf(model, node)];
            rslReport_Add(
                report, rsl_error, place,
                "node %d of body '%s' has no springs to take the stiffness of the %s from; give its stiffness, or "
                "choose the integrator position_verlet, which needs none",
                node - body->firstNode, body->name,
                model->colliders[c].name[0] != 0 ? model->colliders[c].name : "collider");
            return false;
        }
    }
    return true;
}
