// SPDX-License-Identifier: MIT
//
// damping.c: see damping.h.
//
// C = alpha0 M + alpha1 K damps a mode of the angular frequency w by
//   zeta(w) = alpha0 / (2 w) + alpha1 w / 2
// One frequency and one constant:  alpha1 = 2 zeta / w,  or  alpha0 = 2 zeta w. Two frequencies:
//   alpha0 = 2 w1 w2 (zeta1 w2 - zeta2 w1) / (w2^2 - w1^2)
//   alpha1 = 2 (zeta2 w2 - zeta1 w1) / (w2^2 - w1^2)
// which are both positive for  w1 / w2 <= zeta2 / zeta1 <= w2 / w1.
//
// The first frequency of a body is that of a model of the body alone, its nodes held as constraints of the scene hold them at the
// start: links, contacts and colliders are not looked at. It is found by rslModes_Find, whose bits depend on nothing but the scene.

#include "damping.h"

#include "memory.h"
#include "tension.h"

#include "resilin/modes.h"

#include <stdio.h>
#include <string.h>

static const double twoPi = 6.283185307179586;

// ---- constants ------------------------------------------------------------------------------------------------------

// What is negative by rounding alone is 0.
static double Clean(double value, double scale)
{
    return fabs(value) < 1e-12 * scale ? 0.0 : value;
}

rslRates rslDamping_Rates(const rslDampingDef* def, double first)
{
    double a = twoPi * (def->frequencyCount > 0 ? def->frequency[0] : first), za = def->ratio[0];
    if (def->frequencyCount < 2)
    {
        return def->by == rsl_massDamper ? (rslRates){ .mass = 2.0 * za * a } : (rslRates){ .stiffness = 2.0 * za / a };
    }
    double b = twoPi * def->frequency[1], zb = def->ratio[def->ratioCount > 1 ? 1 : 0];
    double gap = (b - a) * (b + a), most = fmax(za, zb) * fmax(a, b) / fabs(gap);
    return (rslRates){ .mass = Clean(2.0 * a * b * (za * b - zb * a) / gap, a * b * most),
                       .stiffness = Clean(2.0 * (zb * b - za * a) / gap, most) };
}

double rslRates_Ratio(rslRates rates, double frequency)
{
    double w = twoPi * frequency;
    return 0.5 * (rates.mass / w + rates.stiffness * w);
}

// ---- the first frequency --------------------------------------------------------------------------------------------

// A body alone, and what holds it.
typedef struct Search
{
    const rslScene* scene;
    const rslBodyDef* def;
    rslHooks hooks;
    rslModel* model;
    rslConstraint* constraints;  // with nodes of our own
    int constraintCount;
    rslReport* report;
} Search;

static const char* Remedy(void)
{
    return "give 'frequency' in Hz";
}

// Sets that name no body are looked up in this one; what they count or list belongs to all bodies together.
static rslStatus AddConstraint(Search* search, const rslConstraintDef* def)
{
    const rslNodeSetDef* set = &def->nodes;
    bool counted = set->type == rsl_nearestNodes || set->type == rsl_listNodes;
    if (set->body != NULL && strcmp(set->body, search->def->name) != 0)
    {
        return rsl_ok;
    }
    if (set->body == NULL && counted && search->scene->bodyCount > 1)
    {
        rslReport_Add(
            search->report, rsl_error, set->place,
            "the first frequency of body '%s' depends on what holds it, and nodes counted over all bodies are "
            "not known yet: name the body of these nodes, or %s",
            search->def->name, Remedy());
        return rsl_badInput;
    }
    rslConstraint* out = &search->constraints[search->constraintCount];
    int* nodes = NULL;
    rslStatus status = rslModel_Select(search->model, set, &nodes, &out->nodeCount, NULL);
    if (status == rsl_ok)
    {
        memcpy(out->axes, def->axes, sizeof out->axes);
        out->nodes = nodes;
        search->constraintCount += 1;
    }
    return status == rsl_outOfMemory ? status : rsl_ok;  // an empty set is told when the scene is built
}

static void Explain(const Search* search, const rslReport* said)
{
    const char* why = "the search did not converge";
    for (int i = 0; i < said->count; ++i)
    {
        why = said->messages[i].severity == rsl_error ? said->messages[i].text : why;
    }
    rslReport_Add(search->report, rsl_error, search->def->material.place,
                  "body '%s' has no first frequency to take its damping ratio at: %s; %s", search->def->name, why,
                  Remedy());
}

static rslStatus FindModes(Search* search, double* frequency)
{
    rslModel held = *search->model;
    held.constraints = search->constraints;
    held.constraintCount = search->constraintCount;
    rslState* state = NULL;
    rslModes* modes = NULL;
    rslReport said = { 0 };
    rslModesDef def = rslDefaultModesDef();
    def.count = 1;
    rslStatus status = rslState_Create(&held, rsl_double, &search->hooks, &state);
    status = status == rsl_ok ? rslModes_Find(&held, state, &def, &search->hooks, &modes, &said) : status;
    *frequency = modes != NULL && modes->count > 0 ? modes->frequency[0] : 0.0;
    if (status != rsl_outOfMemory && (status != rsl_ok || !(*frequency > 0.0)))
    {
        Explain(search, &said);
        status = rsl_badInput;
    }
    rslModes_Free(modes);
    rslState_Free(state);
    return status;
}

static void CopyErrors(rslReport* report, const rslReport* said)
{
    for (int i = 0; i < said->count; ++i)
    {
        if (said->messages[i].severity == rsl_error)
        {
            rslReport_Add(report, rsl_error, said->messages[i].place, "%s", said->messages[i].text);
        }
    }
}

// Damping has no say in it.
static rslStatus FindFirst(const rslScene* scene, const rslBodyDef* def, const rslHooks* hooks, double* frequency,
                           rslReport* report)
{
    Search search = { .scene = scene, .def = def, .hooks = rslHooks_Complete(hooks), .report = report };
    rslReport said = { 0 };
    rslBodyDef alone;
    rslScene single = rslScene_Alone(scene, def, &alone);
    alone.level = 0;  // constants are those of a material: the same at every level of detail
    alone.volume = def->volume;
    alone.surface.enabled = def->surface.enabled && def->volume.method != rsl_noVolume;
    rslStatus status = rslModel_Build(&single, &search.hooks, &search.model, &said);
    CopyErrors(report, &said);
    search.constraints = rslAllocate(&search.hooks, (size_t)scene->constraintCount, sizeof(rslConstraint));
    status = status == rsl_ok && search.constraints == NULL ? rsl_outOfMemory : status;
    for (int c = 0; c < scene->constraintCount && status == rsl_ok; ++c)
    {
        status = AddConstraint(&search, &scene->constraints[c]);
    }
    status = status == rsl_ok ? FindModes(&search, frequency) : status;
    for (int c = 0; c < search.constraintCount; ++c)
    {
        rslModel_FreeNodes(search.model, (int*)(uintptr_t)search.constraints[c].nodes);
    }
    rslRelease(&search.hooks, search.constraints);
    rslModel_Free(search.model);
    return status;
}

// ---- all materials of a body ----------------------------------------------------------------------------------------

static void Tell(const rslBodyDef* def, const rslDampingDef* damping, double first, rslRates rates, rslReport* report)
{
    char at[120];
    if (damping->frequencyCount == 0)
    {
        snprintf(at, sizeof at, "%.4g at %.5g Hz, its first frequency as it is held,", damping->ratio[0], first);
    }
    else if (damping->frequencyCount == 1)
    {
        snprintf(at, sizeof at, "%.4g at %.5g Hz", damping->ratio[0], damping->frequency[0]);
    }
    else
    {
        snprintf(at, sizeof at, "%.4g at %.5g Hz and %.4g at %.5g Hz", damping->ratio[0], damping->frequency[0],
                 damping->ratio[damping->ratioCount > 1 ? 1 : 0], damping->frequency[1]);
    }
    char mass[40] = "", stiffness[50] = "";
    if (rates.mass > 0.0)
    {
        snprintf(mass, sizeof mass, "mass_damping %.6g 1/s%s", rates.mass, rates.stiffness > 0.0 ? " and " : "");
    }
    if (rates.stiffness > 0.0 || !(rates.mass > 0.0))
    {
        snprintf(stiffness, sizeof stiffness, "stiffness_damping %.6g s", rates.stiffness);
    }
    rslReport_Add(report, rsl_note, damping->place, "body '%s': a damping ratio of %s is %s%s", def->name, at, mass,
                  stiffness);
}

// What stays NULL has constants of its own.
static void SetRates(rslMaterialDef* material, rslRates rates)
{
    material->massDamping = rates.mass;
    material->stiffnessDamping = rates.stiffness;
    material->damping = NULL;
}

static rslMaterialDef* MaterialOf(rslBodyDef* def, rslRegionDef* regions, int index)
{
    return index < 0 ? &def->material : &regions[index].material;
}

static rslStatus CopyRegions(rslBodyDef* def, const rslHooks* hooks, rslRegionDef** regions)
{
    rslHooks complete = rslHooks_Complete(hooks);
    *regions = rslAllocate(&complete, (size_t)def->regionCount, sizeof(rslRegionDef));
    if (*regions == NULL)
    {
        return rsl_outOfMemory;
    }
    if (def->regionCount > 0)
    {
        memcpy(*regions, def->regions, (size_t)def->regionCount * sizeof(rslRegionDef));
        def->regions = *regions;
    }
    return rsl_ok;
}

rslStatus rslDamping_Settle(const rslScene* scene, rslBodyDef* def, const rslHooks* hooks, rslRegionDef** regions,
                            double* first, rslReport* report)
{
    bool any = def->material.damping != NULL, ask = rslDamping_AsksFirst(def->material.damping);
    *regions = NULL;
    *first = 0.0;
    for (int r = 0; r < def->regionCount; ++r)
    {
        any = any || def->regions[r].material.damping != NULL;
        ask = ask || rslDamping_AsksFirst(def->regions[r].material.damping);
    }
    const rslBodyDef given = *def;
    rslStatus status = any ? CopyRegions(def, hooks, regions) : rsl_ok;
    for (int m = -1; any && status == rsl_ok && m < def->regionCount; ++m)
    {
        if (MaterialOf(def, *regions, m)->damping != NULL)
        {
            SetRates(MaterialOf(def, *regions, m), (rslRates){ 0 });
        }
    }
    status = status == rsl_ok && ask ? FindFirst(scene, def, hooks, first, report) : status;
    for (int m = -1; any && status == rsl_ok && m < def->regionCount; ++m)
    {
        const rslDampingDef* damping = m < 0 ? given.material.damping : given.regions[m].material.damping;
        if (damping != NULL)
        {
            SetRates(MaterialOf(def, *regions, m), rslDamping_Rates(damping, *first));
            Tell(def, damping, *first, rslDamping_Rates(damping, *first), report);
        }
    }
    return status;
}
