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
#include <stdio.h>

// Nanoseconds of a core: what matters are the ratios.
typedef struct Cost
{
    double force, newton;
} Cost;

// by resilin bench, bench_element and bench_newton, in double precision
static const Cost latticeSpring = { 1.8, 500.0 }, networkSpring = { 10.0, 3000.0 }, element = { 110.0, 12000.0 };

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

typedef struct Choice
{
    rslIntegrator out;
    bool stable, fits;
    double step, stableStep, steps, most;
    const char* refusal;
} Choice;

// What was chosen, and why.
static void Say(const rslSolverDef* def, const Choice* choice, rslReport* report)
{
    char because[160];
    bool implicit = choice->out == rsl_trBdf2;
    if (!choice->stable)
    {
        snprintf(because, sizeof because, "the step of %.3g s is longer than the stable one of explicit steps, %.3g s",
                 choice->step, choice->stableStep);
    }
    else if (isinf(choice->stableStep) || isinf(choice->most))
    {
        snprintf(because, sizeof because, "any step is stable");
    }
    else
    {
        snprintf(because, sizeof because,
                 "a frame of %.3g s takes %.0f explicit steps, %s the %.0f that cost as much as an implicit one",
                 def->frame, choice->steps, choice->fits ? "no more than" : "more than", choice->most);
    }
    bool refused = !choice->fits && !implicit, asked = choice->fits && implicit;
    rslReport_Add(report, rsl_note, def->place, "integrator auto: %s; %s%s%s",
                  implicit ? "tr_bdf2, implicit" : "position_verlet, explicit", because,
                  refused || asked ? ", but " : "",
                  refused ? choice->refusal
                  : asked ? "the contact scheme goes with implicit ones"
                          : "");
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
    Choice choice = { .out = *out, .stable = stable, .fits = fits, .step = step, .stableStep = stability.stableStep };
    choice.steps = steps;
    choice.most = most;
    choice.refusal = refusal != NULL ? refusal : "implicit steps need precision: double";
    Say(def, &choice, report);
    return rsl_ok;
}
