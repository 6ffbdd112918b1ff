// SPDX-License-Identifier: MIT
//
// touch_scheme.c: see touch_scheme.h.
//
// Impulses need places between which one velocity leads, x' = x + h v': the middles of steps of position Verlet, the places of
// symplectic Euler. Rest is where an energy is least: bodies are kept off each other by a barrier, and off colliders by penalties, which
// lets these go anywhere from one increment to the next.

#include "touch_scheme.h"

#include "implicit.h"

#include <math.h>

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

// ---- restitution ------------------------------------------------------------------------------------------------------

// A touch whose restitution does nothing: a barrier has that of rigid bodies alone, penalties have none.
typedef struct Unused
{
    bool found;
    double restitution;
    const char *a, *b;  // b NULL: with itself
} Unused;

static bool IsSoft(const rslModel* model, int body)
{
    return model->bodies[body].model != rsl_rigidModel;
}

static Unused UnusedOf(const rslModel* model, int body, int other, bool penalty)
{
    bool collider = other >= model->bodyCount;
    if (!penalty && !IsSoft(model, body) && (collider || !IsSoft(model, other)))
    {
        return (Unused){ 0 };
    }
    rslContactPair pair = rslModel_PairOf(model, body, other);
    const char* name = collider        ? model->colliders[other - model->bodyCount].name
                       : body == other ? NULL
                                       : model->bodies[other].name;
    return (Unused){ pair.touches && pair.restitution < 1.0, pair.restitution, model->bodies[body].name, name };
}

static Unused FindUnused(const rslModel* model, bool penalty)
{
    Unused unused = { 0 };
    bool all = model->touch.pairs == rsl_allPairs && model->touch.restitution < 1.0;
    for (int b = 0; b < model->bodyCount && !unused.found; ++b)
    {
        for (int c = 0; c < model->colliderCount && !unused.found; ++c)
        {
            unused = UnusedOf(model, b, model->bodyCount + c, penalty);
        }
        for (int o = 0; all && o < b && !unused.found; ++o)
        {
            unused = UnusedOf(model, o, b, penalty);
        }
        unused = !unused.found && model->touch.self ? UnusedOf(model, b, b, penalty) : unused;
    }
    for (int i = 0; i < model->pairCount && !unused.found; ++i)
    {
        unused = UnusedOf(model, model->pairs[i].body, model->pairs[i].other, penalty);
    }
    return unused;
}

static void WarnOfRestitution(const rslModel* model, rslTouchScheme scheme, rslPlace place, rslReport* report)
{
    bool penalty = scheme == rsl_penaltyScheme, barrier = scheme == rsl_barrierScheme;
    Unused unused = penalty || barrier ? FindUnused(model, penalty) : (Unused){ 0 };
    const char* quote = unused.b == NULL ? "" : "'";
    if (unused.found)
    {
        rslReport_Add(
            report, rsl_warning, place,
            "restitution %.3g of '%s' and %s%s%s is not used: %s; it is with the integrators position_verlet and "
            "symplectic_euler",
            unused.restitution, unused.a, quote,
            unused.b == NULL   ? "itself"
            : unused.b[0] != 0 ? unused.b
                               : "collider",
            quote,
            barrier ? "with a barrier, soft bodies bounce by their own springs and lose what damping takes"
                    : "penalties have none");
    }
}

// Penalties push what overlaps a collider, however thick it is said to be.
static void WarnOfThickness(const rslModel* model, rslPlace place, rslReport* report)
{
    for (int i = 0; i < model->pairCount; ++i)
    {
        const rslContactPair* pair = &model->pairs[i];
        if (pair->touches && pair->other >= model->bodyCount && pair->thickness > 0.0)
        {
            rslReport_Add(report, rsl_warning, place,
                          "thickness %.3g of '%s' and '%s' is not used: penalties push what overlaps; it is with the "
                          "integrators position_verlet and symplectic_euler, and with implicit ones",
                          pair->thickness, model->bodies[pair->body].name,
                          model->colliders[pair->other - model->bodyCount].name);
        }
    }
}

// ---- may it touch? ----------------------------------------------------------------------------------------------------

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
    rslTouchScheme scheme = rslModel_TouchScheme(model, integrator);
    bool penalty = scheme == rsl_penaltyScheme;
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
    if (penalty)
    {
        WarnOfThickness(model, place, report);
    }
    if (integrator != rsl_static)
    {
        WarnOfRestitution(model, scheme, place, report);
    }
    return true;
}
