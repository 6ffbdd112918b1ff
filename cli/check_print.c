// SPDX-License-Identifier: MIT
//
// check_print.c: the findings of `resilin check`, as tables and as JSON.

#include "check.h"
#include "json.h"
#include "number.h"
#include "table.h"

#include <math.h>

// What a scene asked for, with the two moduli that follow from E and nu.
typedef struct Asked
{
    double young, poisson, shear, bulk;
} Asked;

static Asked AskedOf(const rslScene* scene, int body)
{
    rslMaterialDef m = rslMaterial_Resolve(&scene->bodies[body].material);
    if (scene->bodies[body].network.type == rsl_explicitNetwork || m.orthotropic != NULL || !(m.young > 0))
    {
        return (Asked){ NAN, NAN, NAN, NAN };
    }
    bool sheet = scene->bodies[body].network.type == rsl_sheetNetwork;  // the modulus of its area
    double bulk = m.young / (sheet ? 2 * (1 - m.poisson) : 3 * (1 - 2 * m.poisson));
    return (Asked){ m.young, m.poisson, m.young / (2 * (1 + m.poisson)), bulk };
}

static bool CountOne(const rslSpring* spring, void* count)
{
    (void)spring;
    *(size_t*)count += 1;
    return true;
}

static size_t CountSprings(const rslModel* model, int body)
{
    size_t count = 0;
    rslModel_VisitSprings(model, body, CountOne, &count);
    return count;
}

// ---- for people -----------------------------------------------------------------------------------------------------

static void AddCells(cliTable* table, const char* const* cells, int count)
{
    for (int i = 0; i < count; ++i)
    {
        cliTable_Add(table, "%s", cells[i]);
    }
}

static void PrintBodies(const cliCheckFacts* facts)
{
    static const char* const head[] = { "body",      "model",       "nodes",       "springs",
                                        "mass [kg]", "volume [m3]", "spacing [m]", "wave [m/s]" };
    const rslModel* model = facts->loaded->model;
    cliTable table = { .columns = 8 };
    AddCells(&table, head, 8);
    for (int i = 0; i < model->bodyCount; ++i)
    {
        const rslBody* b = &model->bodies[i];
        cliTable_Add(&table, "%s", b->name);
        cliTable_Add(&table, "%s", rslModelType_Word(b->model));
        cliTable_Add(&table, "%s", cliCount((uint64_t)b->nodeCount).text);
        cliTable_Add(&table, "%s", cliCount(CountSprings(model, i)).text);
        cliTable_Add(&table, "%s", cliFigure(b->mass).text);
        cliTable_Add(&table, "%s", cliFigure(b->volume).text);
        cliTable_Add(&table, "%s", cliFigure(b->spacing).text);
        cliTable_Add(&table, "%s", cliFigure(b->waveSpeed).text);
    }
    cliTable_Print(&table);
    cliTable_Free(&table);
}

static void AddModulus(cliTable* table, double predicted, double asked)
{
    cliTable_Add(table, "%s / %s", cliFigure(predicted).text, cliFigure(asked).text);
}

// Poisson's ratio may be 0; it is unknown where Young's modulus is.
static cliText Ratio(double poisson, double young)
{
    return poisson == 0 && young > 0 ? (cliText){ "0" } : cliFigure(poisson);
}

// Rigid bodies have none.
static void PrintModuli(const cliCheckFacts* facts)
{
    static const char* const head[] = { "predicted / asked", "E [Pa]", "nu", "G [Pa]", "K [Pa]" };
    const rslModel* model = facts->loaded->model;
    cliTable table = { .columns = 5 };
    int soft = 0;
    AddCells(&table, head, 5);
    for (int i = 0; i < model->bodyCount; ++i)
    {
        const rslBody* b = &model->bodies[i];
        if (b->model == rsl_rigidModel)
        {
            continue;
        }
        soft += 1;
        Asked asked = AskedOf(&facts->loaded->scene, i);
        cliTable_Add(&table, "%s", b->name);
        AddModulus(&table, b->young, asked.young);
        cliTable_Add(&table, "%s / %s", Ratio(b->poisson, b->young).text, Ratio(asked.poisson, asked.young).text);
        AddModulus(&table, b->shear, asked.shear);
        AddModulus(&table, b->bulk, asked.bulk);
    }
    if (soft > 0)
    {
        putchar('\n');
        cliTable_Print(&table);
    }
    cliTable_Free(&table);
}

// The axes are those of the lattice.
static void PrintAxes(const cliCheckFacts* facts)
{
    const rslModel* model = facts->loaded->model;
    for (int i = 0; i < model->bodyCount; ++i)
    {
        const rslAxisModuli* m = &model->bodies[i].axes;
        if (!m->given)
        {
            continue;
        }
        printf("\n  %s: axes of its lattice\n", model->bodies[i].name);
        cliLine("E x, y, z", "%s, %s, %s Pa", cliFigure(m->young[0]).text, cliFigure(m->young[1]).text,
                cliFigure(m->young[2]).text);
        cliLine("G yz, zx, xy", "%s, %s, %s Pa", cliFigure(m->shear[0]).text, cliFigure(m->shear[1]).text,
                cliFigure(m->shear[2]).text);
        cliLine("nu xy, yz, zx", "%s, %s, %s", cliFigure(m->poisson[0]).text, cliFigure(m->poisson[1]).text,
                cliFigure(m->poisson[2]).text);
        cliLine("nu yx, zy, xz", "%s, %s, %s", cliFigure(m->poisson[3]).text, cliFigure(m->poisson[4]).text,
                cliFigure(m->poisson[5]).text);
    }
}

static double RatioAt(const double rates[2], double frequency)
{
    double w = 6.283185307179586 * frequency;
    return 0.5 * (rates[0] / w + rates[1] * w);
}

// Ratios are told at the first frequency where that is known.
static void PrintDamping(const rslModel* model)
{
    const char* gap = "\n";
    for (int i = 0; i < model->bodyCount; ++i)
    {
        const rslBody* b = &model->bodies[i];
        for (int r = 0; r < (b->regionCount > 0 ? b->regionCount : 1); ++r)
        {
            bool region = b->regionCount > 0;
            const double rates[2] = { region ? b->regions[r].massDamping : b->materialDamping[0],
                                      region ? b->regions[r].stiffnessDamping : b->materialDamping[1] };
            if (b->model == rsl_rigidModel || (rates[0] == 0 && rates[1] == 0))
            {
                continue;
            }
            printf("%s  %s", gap, b->name);
            if (r > 0)
            {
                printf(", region %d", r - 1);
            }
            printf(": mass_damping %.6g 1/s, stiffness_damping %.6g s", rates[0], rates[1]);
            if (b->firstFrequency > 0)
            {
                printf("; ratio %.4g at its first frequency, %.5g Hz", RatioAt(rates, b->firstFrequency),
                       b->firstFrequency);
            }
            else if (rates[0] > 0 && rates[1] > 0)
            {
                double least = sqrt(rates[0] / rates[1]) / 6.283185307179586;
                printf("; ratio least at %.4g Hz, %.4g", least, RatioAt(rates, least));
            }
            else
            {
                printf("; ratio %.4g at 1 Hz, %s", RatioAt(rates, 1), rates[0] > 0 ? "falls as 1/f" : "grows as f");
            }
            putchar('\n');
            gap = "";
        }
    }
}

static const char* const volumeMethods[] = { "none", "explicit", "implicit", "pressure", "hard" };

// How volumes are kept, and how stiff they may be at this step.
static void PrintVolumes(const cliCheckFacts* facts)
{
    const rslModel* model = facts->loaded->model;
    bool any = false, steps = facts->loaded->scene.time.integrator != rsl_static;
    for (int i = 0; i < model->bodyCount; ++i)
    {
        const rslEnclosed* e = &model->bodies[i].enclosed;
        double limit = rslBody_VolumeLimit(&model->bodies[i], facts->step);
        const char* unit = e->method == rsl_pressureVolume ? "Pa" : "N/m";
        if (e->method == rsl_noVolume)
        {
            continue;
        }
        printf("%s  %s: encloses %s m3 with %s m2, volume %s", any ? "" : "\n", model->bodies[i].name,
               cliFigure(e->volume).text, cliFigure(e->area).text, volumeMethods[e->method]);
        if (e->centreCount > 1)
        {
            printf(", %d centres", e->centreCount);
        }
        if (e->method == rsl_explicitVolume)
        {
            printf(", which has no energy");
        }
        if (e->method != rsl_hardVolume)
        {
            printf(", stiffness %s %s", cliFigure(e->stiffness).text, unit);
        }
        if (e->method != rsl_hardVolume && steps)
        {
            printf("; this step takes %s %s, %.3g times as much%s", cliFigure(limit).text, unit, limit / e->stiffness,
                   limit < e->stiffness ? ": TOO STIFF" : "");
        }
        putchar('\n');
        any = true;
    }
}

static void VolumeJson(const cliCheckFacts* facts, cliJson* json, const rslBody* body)
{
    const rslEnclosed* e = &body->enclosed;
    cliJson_Begin(json, "enclosed");
    cliJson_Text(json, "method", volumeMethods[e->method]);
    cliJson_Number(json, "volume", e->volume);
    cliJson_Number(json, "area", e->area);
    cliJson_Number(json, "stiffness", e->method != rsl_hardVolume ? e->stiffness : NAN);
    cliJson_Number(json, "limit", rslBody_VolumeLimit(body, facts->step));
    cliJson_Bool(json, "energy", e->method != rsl_explicitVolume);
    cliJson_End(json);
}

// Beside it the modulus of a plate of the material.
static void PrintBending(const rslModel* model)
{
    for (int i = 0; i < model->bodyCount; ++i)
    {
        const rslBody* b = &model->bodies[i];
        double h = b->thickness, plate = b->young * h * h * h / (12 * (1 - b->poisson * b->poisson));
        if (b->bending.count > 0)
        {
            printf("\n  %s: bending modulus %s N m by %s hinges (a plate of its material: %s N m)\n", b->name,
                   cliFigure(b->bending.modulus).text, cliCount((uint64_t)b->bending.count).text,
                   cliFigure(plate).text);
        }
    }
}

static void PrintRepulsion(const rslModel* model)
{
    static const char* const laws[rsl_repulsionTypeCount] = { [rsl_clampedRepulsion] = "clamped",
                                                              [rsl_cooperRepulsion] = "cooper",
                                                              [rsl_stiffRepulsion] = "stiff",
                                                              [rsl_centroidRepulsion] = "centroid" };
    for (int i = 0; i < model->bodyCount; ++i)
    {
        const rslRepulsion* r = &model->bodies[i].repulsion;
        if (r->count > 0)
        {
            printf("\n  %s: %s repulsion in %s %s\n", model->bodies[i].name, laws[r->law],
                   cliCount((uint64_t)r->count).text,
                   r->corners == 3   ? "triangles"
                   : r->corners == 4 ? "tetrahedra"
                   : r->runs != NULL ? "cells"
                                     : "hexahedra");
        }
    }
}

static void PrintDispersion(const rslModel* model)
{
    static const char* const variants[] = { "energy", "cheap", "published", "transposed" };
    bool any = false;
    for (int i = 0; i < model->bodyCount; ++i)
    {
        const rslBody* b = &model->bodies[i];
        if (b->dispersion.q != 0.0 || b->dispersion.nodeQ != NULL)
        {
            printf("%s  %s: dispersion%s, variant %s, q = %.4g%s, nu = %.4g\n", any ? "" : "\n", b->name,
                   b->dispersion.lag ? " with a lag" : "", variants[b->dispersion.variant], b->dispersion.q,
                   b->dispersion.nodeQ != NULL ? " outside of regions" : "", b->poisson);
            any = true;
        }
    }
}

// Bodies of several materials: how much there is of each, and what it is predicted to measure as.
static void PrintRegions(const cliCheckFacts* facts)
{
    static const char* const head[] = { "region", "volume [m3]", "mass [kg]", "E [Pa]", "nu", "G [Pa]", "K [Pa]" };
    const rslModel* model = facts->loaded->model;
    for (int i = 0; i < model->bodyCount; ++i)
    {
        const rslBody* b = &model->bodies[i];
        cliTable table = { .columns = 7 };
        for (int r = 0; r < b->regionCount; ++r)
        {
            const rslRegion* region = &b->regions[r];
            if (r == 0)
            {
                putchar('\n');
                AddCells(&table, head, 7);
                cliTable_Add(&table, "%s, the rest", b->name);
            }
            else
            {
                cliTable_Add(&table, "%s, region %d", b->name, r - 1);
            }
            const double figures[] = { region->volume,  region->mass,  region->young,
                                       region->poisson, region->shear, region->bulk };
            for (int f = 0; f < 6; ++f)
            {
                cliTable_Add(&table, "%s", cliFigure(figures[f]).text);
            }
        }
        cliTable_Print(&table);
        cliTable_Free(&table);
    }
}

static cliText NodeName(const rslModel* model, int node)
{
    const rslBody* body = &model->bodies[rslModel_BodyOf(model, node)];
    cliText name;
    snprintf(name.text, sizeof name.text, "%d (%.40s)", node, body->name);
    return name;
}

static void PrintStep(const cliCheckFacts* facts)
{
    const rslStability* s = &facts->stability;
    const rslModel* model = facts->loaded->model;
    if (facts->loaded->scene.time.integrator == rsl_static)
    {
        cliLine("at rest", "springs, links, ground, gravity, loads and pressure count; damping, speed and spin do not");
    }
    else if (isinf(s->stableStep))
    {
        cliLine("stable step", "any");
    }
    else if (!(s->stableStep > 0))
    {
        cliLine("stable step", "none: %s without damping has no stable step",
                cliIntegratorName(facts->loaded->scene.time.integrator));
    }
    else
    {
        cliLine("stable step", "%s, limited at node %s", cliSi(s->stableStep, "s").text, NodeName(model, s->node).text);
    }
    if (facts->worst.a >= 0)
    {
        cliLine("worst spring", "nodes %d and %s, k = %s, k (1/ma + 1/mb) = %.4g 1/s2", facts->worst.a,
                NodeName(model, facts->worst.b).text, cliSi(facts->worst.stiffness, "N/m").text, facts->worst.rate);
    }
    cliLine("step", "%s%s", cliSi(facts->step, "s").text, facts->step > s->stableStep ? ", ABOVE THE STABLE STEP" : "");
    cliLine("integrator", "%s%s, %s precision", cliIntegratorName(facts->loaded->scene.time.integrator),
            facts->loaded->automatic ? " (auto)" : "", cliPrecisionName(facts->loaded->scene.time.precision));
    cliLine("vectors", "%s, %d thread%s", rslSolver_Vectors(facts->loaded->solver),
            rslSolver_Threads(facts->loaded->solver), rslSolver_Threads(facts->loaded->solver) == 1 ? "" : "s");
}

static bool IsImplicit(rslIntegrator integrator)
{
    return integrator == rsl_implicitEuler || integrator == rsl_theta || integrator == rsl_trBdf2;
}

static void PrintCost(const cliCheckFacts* facts)
{
    const rslModel* model = facts->loaded->model;
    double bytes = (double)(model->bytes + facts->stateBytes + facts->solverBytes);
    cliLine("memory", "%s: model %s, state %s, solver %s; %.0f bytes a node", cliBytes(bytes).text,
            cliBytes((double)model->bytes).text, cliBytes((double)facts->stateBytes).text,
            cliBytes((double)facts->solverBytes).text, bytes / model->nodeCount);
    cliLine("build time", "%s", cliDuration(model->buildSeconds).text);
    cliLine("steps", "%s for %s", cliCount(facts->steps).text, cliSi(facts->loaded->scene.time.duration, "s").text);
    if (facts->loaded->scene.time.integrator == rsl_static)
    {
        cliLine("estimated time", "not known: every increment is a solve of its own");
    }
    else
    {
        cliLine("estimated time", "%s on %d thread%s, %s a step, without output%s", cliDuration(facts->estimate).text,
                rslSolver_Threads(facts->loaded->solver), rslSolver_Threads(facts->loaded->solver) == 1 ? "" : "s",
                cliSi(facts->secondsPerStep, "s").text,
                IsImplicit(facts->loaded->scene.time.integrator) ? "; implicit steps that hit something take longer"
                                                                 : "");
    }
    cliLine("estimated output", "%s: %s frames, %s rows", cliBytes(facts->outputBytes).text,
            cliCount(facts->frames).text, cliCount(facts->rows).text);
}

static void PrintColliders(const rslModel* model)
{
    for (int i = 0; i < model->colliderCount; ++i)
    {
        const rslCollider* c = &model->colliders[i];
        char what[64];
        rslCollider_Describe(c, what, sizeof what);
        printf("%s  collider %s%s%s, friction %.3g, restitution %.3g%s\n", i == 0 ? "\n" : "", c->name,
               c->name[0] != 0 ? ": " : "", what, c->friction, c->restitution, c->moves ? ", moves" : "");
    }
}

// Springs, elements and their edges.
static void PrintHolders(const rslModel* model)
{
    if (model->elementCount == 0)
    {
        cliLine("springs", "%s", cliCount((uint64_t)model->springCount).text);
        return;
    }
    cliLine("elements", "%s", cliCount((uint64_t)model->elementCount).text);
    cliLine("springs, edges", "%s", cliCount((uint64_t)model->springCount).text);
}

void cliCheck_Print(const cliCheckFacts* facts, const cliCheckLevels* levels)
{
    const char* title = facts->loaded->scene.title;
    printf("%s\n", title != NULL && title[0] != 0 ? title : facts->path);
    PrintBodies(facts);
    PrintModuli(facts);
    PrintAxes(facts);
    PrintDispersion(facts->loaded->model);
    PrintVolumes(facts);
    PrintBending(facts->loaded->model);
    PrintRepulsion(facts->loaded->model);
    PrintRegions(facts);
    PrintDamping(facts->loaded->model);
    PrintColliders(facts->loaded->model);
    cliCheckLevels_Print(levels);
    putchar('\n');
    cliLine("nodes", "%s", cliCount((uint64_t)facts->loaded->model->nodeCount).text);
    PrintHolders(facts->loaded->model);
    PrintStep(facts);
    PrintCost(facts);
}

// ---- for programs ---------------------------------------------------------------------------------------------------

// Unknown figures are 0 or NaN inside, and null outside.
static void Known(cliJson* json, const char* key, double value)
{
    cliJson_Number(json, key, value != 0 ? value : NAN);
}

static void ColliderJson(cliJson* json, const rslCollider* collider)
{
    char what[64];
    rslCollider_Describe(collider, what, sizeof what);
    cliJson_Begin(json, NULL);
    cliJson_Text(json, "name", collider->name);
    cliJson_Text(json, "shape", what);
    cliJson_Number(json, "friction", collider->friction);
    cliJson_Number(json, "restitution", collider->restitution);
    cliJson_Bool(json, "moves", collider->moves);
    cliJson_End(json);
}

static void BodyJson(const cliCheckFacts* facts, cliJson* json, int i)
{
    const rslBody* b = &facts->loaded->model->bodies[i];
    Asked asked = AskedOf(&facts->loaded->scene, i);
    cliJson_Begin(json, NULL);
    cliJson_Text(json, "name", b->name);
    cliJson_Text(json, "model", rslModelType_Word(b->model));
    cliJson_Text(json, "kind", b->kind == rsl_latticeBody ? "lattice" : "network");
    cliJson_Count(json, "nodes", (uint64_t)b->nodeCount);
    cliJson_Count(json, "springs", CountSprings(facts->loaded->model, i));
    cliJson_Number(json, "mass", b->mass);
    Known(json, "volume", b->volume);
    Known(json, "density", b->density);
    Known(json, "spacing", b->spacing);
    Known(json, "wave_speed", b->waveSpeed);
    Known(json, "young", b->young);
    cliJson_Number(json, "poisson", b->young != 0 ? b->poisson : NAN);
    Known(json, "shear", b->shear);
    Known(json, "bulk", b->bulk);
    cliJson_Number(json, "mass_damping", b->materialDamping[0]);
    cliJson_Number(json, "stiffness_damping", b->materialDamping[1]);
    Known(json, "first_frequency", b->firstFrequency);
    if (b->dispersion.q != 0.0)
    {
        cliJson_Number(json, "dispersion", b->dispersion.q);
    }
    if (b->enclosed.method != rsl_noVolume)
    {
        VolumeJson(facts, json, b);
    }
    if (b->bending.count > 0)
    {
        cliJson_Number(json, "bending", b->bending.modulus);
    }
    if (b->axes.given)
    {
        static const char* const names[] = { "young_x",    "young_y",    "young_z",    "shear_yz",
                                             "shear_zx",   "shear_xy",   "poisson_xy", "poisson_yz",
                                             "poisson_zx", "poisson_yx", "poisson_zy", "poisson_xz" };
        cliJson_Begin(json, "axes");
        for (int n = 0; n < 12; ++n)
        {
            cliJson_Number(json, names[n],
                           n < 3   ? b->axes.young[n]
                           : n < 6 ? b->axes.shear[n - 3]
                                   : b->axes.poisson[n - 6]);
        }
        cliJson_End(json);
    }
    if (b->regionCount > 0)
    {
        cliJson_BeginList(json, "regions");
        for (int r = 0; r < b->regionCount; ++r)
        {
            cliJson_Begin(json, NULL);
            cliJson_Number(json, "volume", b->regions[r].volume);
            cliJson_Number(json, "mass", b->regions[r].mass);
            cliJson_Number(json, "density", b->regions[r].density);
            cliJson_Number(json, "young", b->regions[r].young);
            cliJson_Number(json, "poisson", b->regions[r].poisson);
            cliJson_Number(json, "shear", b->regions[r].shear);
            cliJson_Number(json, "bulk", b->regions[r].bulk);
            cliJson_Number(json, "mass_damping", b->regions[r].massDamping);
            cliJson_Number(json, "stiffness_damping", b->regions[r].stiffnessDamping);
            cliJson_End(json);
        }
        cliJson_End(json);
    }
    cliJson_Begin(json, "asked");
    cliJson_Number(json, "young", asked.young);
    cliJson_Number(json, "poisson", asked.poisson);
    cliJson_Number(json, "shear", asked.shear);
    cliJson_Number(json, "bulk", asked.bulk);
    cliJson_End(json);
    cliJson_End(json);
}

static void StepJson(const cliCheckFacts* facts, cliJson* json)
{
    const rslModel* model = facts->loaded->model;
    cliJson_Number(json, "stable_step", facts->stability.stableStep);
    cliJson_Number(json, "step", facts->step);
    cliJson_Bool(json, "step_is_stable", facts->step <= facts->stability.stableStep);
    cliJson_Number(json, "highest_frequency", facts->stability.frequency);
    cliJson_Count(json, "limiting_node", (uint64_t)(facts->stability.node > 0 ? facts->stability.node : 0));
    cliJson_Count(json, "steps", facts->steps);
    cliJson_Begin(json, "worst_spring");
    if (facts->worst.a >= 0)
    {
        cliJson_Count(json, "a", (uint64_t)facts->worst.a);
        cliJson_Count(json, "b", (uint64_t)facts->worst.b);
        cliJson_Text(json, "body", model->bodies[rslModel_BodyOf(model, facts->worst.a)].name);
        cliJson_Number(json, "stiffness", facts->worst.stiffness);
        cliJson_Number(json, "rest_length", facts->worst.restLength);
        cliJson_Number(json, "rate", facts->worst.rate);
    }
    cliJson_End(json);
}

static void CostJson(const cliCheckFacts* facts, cliJson* json)
{
    const rslModel* model = facts->loaded->model;
    double bytes = (double)(model->bytes + facts->stateBytes + facts->solverBytes);
    cliJson_Begin(json, "memory");
    cliJson_Count(json, "model", model->bytes);
    cliJson_Count(json, "state", facts->stateBytes);
    cliJson_Count(json, "solver", facts->solverBytes);
    cliJson_Number(json, "bytes_per_node", bytes / model->nodeCount);
    cliJson_End(json);
    cliJson_Number(json, "build_seconds", model->buildSeconds);
    cliJson_Count(json, "threads", (uint64_t)rslSolver_Threads(facts->loaded->solver));
    cliJson_Text(json, "vectors", rslSolver_Vectors(facts->loaded->solver));
    cliJson_Number(json, "seconds_per_step", facts->secondsPerStep);
    cliJson_Number(json, "estimated_seconds", facts->estimate);
    cliJson_Count(json, "frames", facts->frames);
    cliJson_Count(json, "rows", facts->rows);
    cliJson_Number(json, "estimated_output_bytes", floor(facts->outputBytes));
}

void cliCheck_Json(const cliCheckFacts* facts, const cliCheckLevels* levels)
{
    const rslModel* model = facts->loaded->model;
    cliJson json = { .file = stdout };
    cliJson_Begin(&json, NULL);
    cliJson_Text(&json, "status", "ok");
    cliJson_Text(&json, "version", rslVersion());
    cliJson_Text(&json, "scene", facts->path);
    cliJson_Text(&json, "title", facts->loaded->scene.title);
    cliJson_Count(&json, "nodes", (uint64_t)model->nodeCount);
    cliJson_Count(&json, "springs", (uint64_t)model->springCount);
    cliJson_Count(&json, "elements", (uint64_t)model->elementCount);
    cliJson_BeginList(&json, "bodies");
    for (int i = 0; i < model->bodyCount; ++i)
    {
        BodyJson(facts, &json, i);
    }
    cliJson_End(&json);
    cliJson_BeginList(&json, "colliders");
    for (int i = 0; i < model->colliderCount; ++i)
    {
        ColliderJson(&json, &model->colliders[i]);
    }
    cliJson_End(&json);
    cliJson_Text(&json, "integrator", cliIntegratorWord(facts->loaded->scene.time.integrator));
    cliJson_Text(&json, "precision", cliPrecisionName(facts->loaded->scene.time.precision));
    cliJson_Number(&json, "duration", facts->loaded->scene.time.duration);
    StepJson(facts, &json);
    CostJson(facts, &json);
    cliCheckLevels_Json(levels, &json);
    cliJson_Messages(&json, "messages", &facts->loaded->report);
    cliJson_End(&json);
}
