// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_6_1.c: energy of three nodes on top of each other, with every scheme of touching.

#include "reproduce.h"

#include <math.h>

typedef struct Scheme
{
    const char *word, *name;
    int sweeps;
} Scheme;

static const Scheme schemes[] = {
    { "predictive", "predictive, the default", 20 },
    { "plain", "plain (6.2.2)", 20 },
    { "overlap", "overlap prevention (6.2.3)", 20 },
    { "overlap_unequal", "the same, unequal shares", 20 },
    { "reflection", "reflection", 20 },
    { "reflection", "reflection, 400 sweeps", 400 },
};

enum
{
    SCHEMES = sizeof schemes / sizeof schemes[0],
};

// What is seen of a run.
typedef struct Seen
{
    double start;        // energy
    double first, last;  // mean over the first and over the last fifth of the time
    double depth;        // of the spheres in each other and in the ground, over their radius, at most
} Seen;

static double DepthOf(const cliLoaded* loaded)
{
    double x[3], below = -0.1, depth = 0;
    for (int i = 0; i < loaded->model->nodeCount; ++i)
    {
        rslState_Positions(loaded->model, loaded->state, i, i + 1, x);
        // nodes that a spring joins do not touch
        bool joined = loaded->model->bodyCount == 2 && i == 2;
        depth = fmax(depth, joined ? 0 : (below + 0.2 - x[2]) / 0.1);
        below = x[2];
    }
    return depth;
}

// The velocity that a touch has left for a node, in the next step; all masses are 1 kg.
static double LeftFor(const cliLoaded* loaded, int node)
{
    double left = 0;
    for (int t = 0; t < loaded->state->touchedCount; ++t)
    {
        const rslTouched* touched = &loaded->state->touched[t];
        for (int side = 0; side < 4; side += 2)
        {
            uint32_t body = touched->key[side];
            if (body < (uint32_t)loaded->model->bodyCount &&
                loaded->model->bodies[body].firstNode + (int)touched->key[side + 1] == node)
            {
                left += side == 0 ? touched->kept[2] : -touched->kept[2];
            }
        }
    }
    return left;
}

// With what is left for the next step given at once: without it energy means nothing.
static double EnergyOf(const cliLoaded* loaded, int scheme)
{
    double v[3], energy = rslSolver_Energy(loaded->solver, loaded->state).total;
    for (int i = 0; scheme > 0 && i < loaded->model->nodeCount; ++i)
    {
        double left = LeftFor(loaded, i);
        rslState_Velocities(loaded->model, loaded->state, i, i + 1, v);
        energy += left * (v[2] + left / 2);
    }
    return energy;
}

// Means over windows.
static bool Watch(cliStudy* study, cliLoaded* loaded, int scheme, cliCurve* curve, Seen* seen)
{
    rslReport report = { 0 };
    int windows = 40;
    double duration = loaded->scene.time.duration;
    *seen = (Seen){ .start = rslSolver_Energy(loaded->solver, loaded->state).total };
    for (int w = 0; w < windows; ++w)
    {
        double sum = 0, from = duration * w / windows, span = duration / windows;
        int samples = 50;
        for (int k = 1; k <= samples; ++k)
        {
            if (!cliStudy_Check(study, cliLoaded_RunTo(loaded, from + span * k / samples, &report), &report))
            {
                return false;
            }
            sum += EnergyOf(loaded, scheme) / samples;
            seen->depth = fmax(seen->depth, DepthOf(loaded));
        }
        cliCurve_Add(curve, from + span / 2, sum / seen->start);
        seen->first += w < windows / 5 ? sum / (windows / 5.0) : 0;
        seen->last += w >= windows - windows / 5 ? sum / (windows / 5.0) : 0;
    }
    return true;
}

static void AddFigures(cliStudy* study, int scheme, bool spring, const Seen* seen)
{
    const char* what = spring ? "spring" : "no spring";
    double drift = (seen->last - seen->first) / seen->start;
    cliQuantity q = cliQuantity_Make(drift, "", "%s, %s: change of the energy", schemes[scheme].name, what);
    if (scheme == 0)
    {
        q.highest = 1e-6;
        cliQuantity_Note(&q, "Nodes come to rest on each other; what they bounced with is lost.");
    }
    if (scheme == 1 && !spring)
    {
        q.published = 0;
        q.uncertainty = 0.01;
        cliQuantity_Note(&q, "The thesis shows a curve that wavers and does not drift.");
    }
    if (schemes[scheme].sweeps > 20 && !spring)
    {
        q.lowest = -1e-5;
        q.highest = 1e-5;
        cliQuantity_Note(&q, "Exact by complementarity, once the impulses of all touches are found to the end; 6e-14 "
                             "where none is left over.");
    }
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(seen->depth, "radius", "%s, %s: deepest overlap", schemes[scheme].name, what);
    if (scheme == 0)
    {
        q.highest = 0.02;
    }
    cliStudy_Add(study, &q);
}

static void RunStack(cliStudy* study, const char* scene, bool spring)
{
    cliPlot* plot =
        cliStudy_Plot(study, spring ? "Energy, upper two nodes joined by a spring" : "Energy of three nodes");
    cliPanel* panel = cliPlot_AddPanel(plot, "Means over windows", "time [s]", "energy over that of the start");
    for (int s = 0; s < SCHEMES && cliStudy_IsGood(study); ++s)
    {
        cliLoaded loaded;
        Seen seen;
        cliStudy_Progress(study, (s + (spring ? SCHEMES : 0)) / (2.0 * SCHEMES), "%s", schemes[s].name);
        cliStudy_Reset(study);
        cliStudy_Set(study, "contact.scheme", "%s", schemes[s].word);
        cliStudy_Set(study, "contact.sweeps", "%d", schemes[s].sweeps);
        cliStudy_Set(study, "time.duration", "%g", cliStudy_IsQuick(study) ? 4.0 : 40.0);
        cliCurve* curve = cliPanel_AddCurve(panel, schemes[s].name, cliStyle_OursLine(1 + s));
        if (cliStudy_Open(study, scene, &loaded) && Watch(study, &loaded, s, curve, &seen))
        {
            AddFigures(study, s, spring, &seen);
        }
        cliLoaded_Free(&loaded);
    }
}

static void Run(cliStudy* study)
{
    RunStack(study, "kot-fig-6.1.yaml", false);
    RunStack(study, "kot-fig-6.2.yaml", true);
    cliStudy_Say(
        study,
        "Energy is read with what impulses have left for the next step. Three nodes are held apart by most schemes; "
        "stacks of ten and of a hundred, in the full form of test_touch_stack, pass through each other with all but "
        "the default. Handled one after the other, what one touch stops the next one sets going again, and half of "
        "that does not stop it. Shares for each touch stop all of them at once, and lose energy. The default lets "
        "the nodes come to rest: what is captured does not bounce any more.");
}

const cliExperiment cliKotFigure61 = {
    .name = "kot-fig-6.1-6.2",
    .title = "Energy in stacks",
    .source = "Kot, Mass spring models (thesis), figures 6.1 and 6.2",
    .text = "Three nodes lie on top of each other and on the ground, the upper two joined by a spring in the second "
            "figure. All "
            "impacts are elastic. The thesis shows that the energy wavers without a spring and drifts with one; its "
            "plots have no "
            "numbers. Spheres are 0.1 m here and fall by 1, 2 and 3 mm at first.",
    .run = Run,
};
