// SPDX-License-Identifier: MIT
//
// choose_integrator.c: see choose_integrator.h.
//
// A frame takes n = frame / (fraction of the stable step) explicit steps of one pass over all springs and elements, or one
// implicit step of TR-BDF2: about ten Newton steps, with a pass for the force, a matrix and a hierarchy made anew, and a few
// cycles. What these cost beside each other was measured once for every kind of spring, and is counted
// here: nothing is timed, and the same model is always moved in the same way. Explicit steps follow every wave and are taken as
// long as they cost less.

#include "choose_integrator.h"

#include "collision.h"
#include "stability.h"

#include <math.h>

// Nanoseconds of a core: what matters are the ratios.
typedef struct Cost
{
    double force, newton;
} Cost;

static const Cost latticeSpring = { 3.0, 700.0 }, networkSpring = { 40.0, 3000.0 }, element = { 330.0, 38000.0 };

enum
{
    NEWTON_STEPS = 10  // of a frame
};

static Cost CostOf(const rslModel* model)
{
    double lattice = 0.0, network = 0.0, elements = (double)model->elementCount;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        bool springs = body->elements.count == 0;
        lattice += springs && body->kind == rsl_latticeBody ? 13.0 * body->nodeCount : 0.0;
        network += springs && body->kind == rsl_networkBody ? body->network.springCount : 0.0;
    }
    return (Cost){ latticeSpring.force * lattice + networkSpring.force * network + element.force * elements,
                   latticeSpring.newton * lattice + networkSpring.newton * network + element.newton * elements };
}

rslStatus rslIntegrator_Choose(const rslModel* model, const rslSolverDef* def, const rslHooks* hooks, rslTeam* team,
                               rslIntegrator* out, rslReport* report)
{
    rslStability stability = { 0 };
    *out = rsl_positionVerlet;
    rslStatus status = rslStability_Find(model, rsl_positionVerlet, hooks, team, &stability);
    if (status != rsl_ok)
    {
        return status;
    }
    double step = isnan(def->step) ? def->fraction * stability.stableStep : def->step;
    double steps = ceil(def->frame / step), most;
    Cost cost = CostOf(model);
    // how things touch may have been decided already
    rslTouchScheme scheme = rslModel_Touches(model) ? model->touch.scheme : rsl_autoScheme;
    bool barrier = scheme == rsl_barrierScheme, impulses = rslTouchScheme_Pushes(scheme) && !barrier;
    const char* refusal = impulses ? "the contact scheme goes with explicit ones" : rslImplicit_Refusal(model);
    most = cost.force > 0.0 ? NEWTON_STEPS * cost.newton / cost.force : INFINITY;
    bool stable = step <= stability.stableStep, fits = stable && (steps <= most || !(stability.stableStep < INFINITY));
    if ((!fits || barrier) && refusal == NULL && def->precision == rsl_double)
    {
        *out = rsl_trBdf2;
    }
    if (!fits)
    {
        const char* why = refusal != NULL ? refusal : "implicit steps need precision: double";
        rslReport_Add(
            report, rsl_note, def->place,
            "integrator auto: %s; a frame of %.3g s takes %.0f explicit steps, more than the %.0f that cost as "
            "much as an implicit one%s%s",
            *out == rsl_trBdf2 ? "tr_bdf2, implicit" : "position_verlet, explicit", def->frame,
            ceil(def->frame / (def->fraction * stability.stableStep)), most, *out == rsl_trBdf2 ? "" : ", but ",
            *out == rsl_trBdf2 ? "" : why);
    }
    return rsl_ok;
}
