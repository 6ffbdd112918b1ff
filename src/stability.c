// SPDX-License-Identifier: MIT
//
// stability.c: see stability.h. The search over all motions is stability_search.c; this is what surrounds it.
//
// Forward Euler is stable while h x.Kx < x.Cx and 2 h x.Cx < 4 x.Mx + h^2 x.Kx for all x. With dampers c >= r k beside
// all springs and alpha0 on all masses, x.Cx >= (r + alpha0 / w^2) x.Kx, w the highest frequency: for proportional
// damping this is the limit itself, else a lower bound of it.
//
// Dispersion with a lag (force_dispersion.c). A motion with h^2 x.Kx = A x.Mx of springs, B of dispersion and dampers of alpha1
// for both, T = A + B, has z^3 + (A - 2 + A p) z^2 + (1 + B - A p + B p) z - B p = 0 with p = alpha1 / h. All |z| < 1 (Jury) while
// A + |B| is within the bound of the integrator and, for B = r T > 0, r (1 + p T (1 - r) + p^2 T) < p. By Cauchy and Schwarz
// r <= 2 q / (1 + 2 q); T <= h^2 w^2. So with a = r alpha1 w^2 and b = r (1 + alpha1^2 w^2):  a h^2 + b h < alpha1. Without alpha1,
// alpha0 has to take what is fed: h r w^2 < alpha0.

#include "stability.h"

#include "memory.h"
#include "spread.h"
#include "stability_search.h"
#include "touch_scheme.h"
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

typedef struct Dampers
{
    Ratio ratio;               // alpha1
    double smallest, largest;  // alpha0 over all nodes [1/s]
} Dampers;

static Dampers FindDampers(const rslModel* model)
{
    Dampers dampers = { .smallest = INFINITY };
    for (int b = 0; b < model->bodyCount; ++b)
    {
        rslModel_VisitSprings(model, b, AddRatio, &dampers.ratio);
        const rslBody* body = &model->bodies[b];
        AddElements(&body->elements, body->stiffnessDamping, &dampers.ratio);
        for (int n = 0; n < (body->nodeDamping != NULL ? body->nodeCount : 1); ++n)
        {
            double damping = body->nodeDamping != NULL ? body->nodeDamping[n] : body->massDamping;
            dampers.smallest = damping < dampers.smallest ? damping : dampers.smallest;
            dampers.largest = damping > dampers.largest ? damping : dampers.largest;
        }
    }
    for (int l = 0; l < model->linkCount; ++l)
    {
        rslSpring link = { .stiffness = model->links[l].stiffness, .damping = model->links[l].damping };
        AddRatio(&link, &dampers.ratio);
    }
    return dampers;
}

// How much of K is dispersion that lags and is positive, at most.
static double ShareThatLags(const rslModel* model)
{
    double most = 0.0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        for (int i = 0; body->dispersion.lag && i < (body->dispersion.nodeQ != NULL ? body->nodeCount : 1); ++i)
        {
            double q = body->dispersion.scale * rslBody_NodeQ(body, body->firstNode + i);
            most = q > most ? q : most;
        }
    }
    return 2.0 * most / (1.0 + 2.0 * most);
}

static double ForwardEulerLimit(const rslModel* model, double frequency)
{
    double square = frequency * frequency;
    Dampers dampers = FindDampers(model);
    if (!(square > 0.0))
    {
        return dampers.largest > 0.0 ? 2.0 / dampers.largest : INFINITY;
    }
    double gain = dampers.ratio.smallest + dampers.smallest / square;  // h x.Kx < x.Cx
    double rate = dampers.ratio.largest * square + dampers.largest;    // 2 h rate < 4 + h^2 w^2
    double root = rate * rate - 4.0 * square;
    double decay = root > 0.0 ? 4.0 / (rate + sqrt(root)) : INFINITY;
    return gain < decay ? gain : decay;
}

// ---- a lag ------------------------------------------------------------------------------------------------------------

static double LagLimit(const rslModel* model, double frequency)
{
    double share = ShareThatLags(model), square = frequency * frequency;
    if (!(share > 0.0 && square > 0.0))
    {
        return INFINITY;
    }
    Dampers dampers = FindDampers(model);
    double alpha = dampers.ratio.smallest, most = dampers.ratio.largest;
    double a = share * most * square, b = share * (1.0 + most * most * square);
    double springs = 2.0 * alpha / (b + sqrt(b * b + 4.0 * a * alpha)), nodes = dampers.smallest / (share * square);
    return springs > nodes ? springs : nodes;
}

// The model whose steps bound those of one with a lag; its bodies are to be released.
static bool MakeBound(const rslModel* model, const rslHooks* hooks, rslModel* bound, rslBody** bodies)
{
    *bound = *model;
    *bodies = rslAllocate(hooks, (size_t)model->bodyCount, sizeof(rslBody));
    for (int b = 0; *bodies != NULL && b < model->bodyCount; ++b)
    {
        (*bodies)[b] = model->bodies[b];
        (*bodies)[b].dispersion.absolute = model->bodies[b].dispersion.lag;
    }
    bound->bodies = *bodies;
    return *bodies != NULL;
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
    bool damped = integrator != rsl_forwardEuler && HasDamping(model), lags = rslModel_Lags(model);
    rslHooks complete = rslHooks_Complete(hooks);
    rslBody* bodies = NULL;
    rslModel bound = *model;
    if (lags && !MakeBound(model, &complete, &bound, &bodies))
    {
        return rsl_outOfMemory;
    }
    if (rslTouchScheme_IsImpulse(rslModel_TouchScheme(model, integrator)))
    {
        bound.colliderCount = 0;  // impulses are no springs
    }
    rslStatus status = rslStability_Search(&bound, integrator, damped, hooks, team, stability);
    rslRelease(&complete, bodies);
    if (status == rsl_ok && integrator == rsl_forwardEuler)
    {
        stability->stableStep = ForwardEulerLimit(model, stability->frequency);
    }
    else if (status == rsl_ok && lags)
    {
        double limit = LagLimit(model, stability->frequency);
        stability->stableStep = limit < stability->stableStep ? limit : stability->stableStep;
    }
    return status;
}
