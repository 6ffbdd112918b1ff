// SPDX-License-Identifier: MIT
//
// stability.c: see stability.h. The search over all motions is stability_search.c; this is what surrounds it.
//
// Forward Euler is stable while h x.Kx < x.Cx and 2 h x.Cx < 4 x.Mx + h^2 x.Kx for all x. With dampers c >= r k beside
// all springs and alpha0 on all masses, x.Cx >= (r + alpha0 / w^2) x.Kx, w the highest frequency: for proportional
// damping this is the limit itself, else a lower bound of it.

#include "stability.h"

#include "stability_search.h"
#include "vec.h"

// ---- forward Euler --------------------------------------------------------------------------------------------------

typedef struct Ratio
{
    double smallest, largest;  // c / k over all springs that have a stiffness [s]
    bool any;
} Ratio;

static bool AddRatio(const rslSpring* spring, void* context)
{
    Ratio* ratio = context;
    if (!(spring->stiffness > 0.0))
    {
        return true;
    }
    double value = spring->damping / spring->stiffness;
    ratio->smallest = !ratio->any || value < ratio->smallest ? value : ratio->smallest;
    ratio->largest = !ratio->any || value > ratio->largest ? value : ratio->largest;
    ratio->any = true;
    return true;
}

// C is alpha1 K of every element at rest.
static void AddElements(const rslElements* elements, double damping, Ratio* ratio)
{
    for (int e = 0; e < (elements->damping != NULL ? elements->count : elements->count > 0); ++e)
    {
        rslSpring one = { .stiffness = 1.0, .damping = elements->damping != NULL ? elements->damping[e] : damping };
        AddRatio(&one, ratio);
    }
}

static double ForwardEulerLimit(const rslModel* model, double frequency)
{
    Ratio ratio = { 0 };
    double alpha = INFINITY, strongest = 0.0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        rslModel_VisitSprings(model, b, AddRatio, &ratio);
        const rslBody* body = &model->bodies[b];
        AddElements(&body->elements, body->stiffnessDamping, &ratio);
        for (int n = 0; n < (body->nodeDamping != NULL ? body->nodeCount : 1); ++n)
        {
            double damping = body->nodeDamping != NULL ? body->nodeDamping[n] : body->massDamping;
            alpha = damping < alpha ? damping : alpha;
            strongest = damping > strongest ? damping : strongest;
        }
    }
    for (int l = 0; l < model->linkCount; ++l)
    {
        rslSpring link = { .stiffness = model->links[l].stiffness, .damping = model->links[l].damping };
        AddRatio(&link, &ratio);
    }
    double square = frequency * frequency;
    if (!(square > 0.0))
    {
        return strongest > 0.0 ? 2.0 / strongest : INFINITY;
    }
    double gain = ratio.smallest + alpha / square;     // h x.Kx < x.Cx
    double rate = ratio.largest * square + strongest;  // 2 h rate < 4 + h^2 w^2
    double root = rate * rate - 4.0 * square;
    double decay = root > 0.0 ? 4.0 / (rate + sqrt(root)) : INFINITY;
    return gain < decay ? gain : decay;
}

// ---- all together ---------------------------------------------------------------------------------------------------

// Goes on until a spring has a damper.
static bool HasNoDamper(const rslSpring* spring, void* context)
{
    bool* damped = context;
    *damped = spring->damping > 0.0;
    return !*damped;
}

static bool HasDamping(const rslModel* model)
{
    bool damped = false;
    for (int b = 0; b < model->bodyCount && !damped; ++b)
    {
        const rslBody* body = &model->bodies[b];
        bool elements = body->elements.count > 0 && (body->stiffnessDamping > 0.0 || body->elements.damping != NULL);
        damped = body->massDamping > 0.0 || body->nodeDamping != NULL || elements;
        bool maybe = body->kind == rsl_networkBody || body->stiffnessDamping > 0.0 || body->lattice.damp != NULL;
        if (!damped && maybe)
        {
            rslModel_VisitSprings(model, b, HasNoDamper, &damped);
        }
    }
    for (int l = 0; l < model->linkCount && !damped; ++l)
    {
        damped = model->links[l].damping > 0.0;
    }
    return damped;
}

rslStatus rslStability_Find(const rslModel* model, rslIntegrator integrator, const rslHooks* hooks, rslTeam* team,
                            rslStability* stability)
{
    bool damped = integrator != rsl_forwardEuler && HasDamping(model);
    rslStatus status = rslStability_Search(model, integrator, damped, hooks, team, stability);
    if (status == rsl_ok && integrator == rsl_forwardEuler)
    {
        stability->stableStep = ForwardEulerLimit(model, stability->frequency);
    }
    return status;
}
