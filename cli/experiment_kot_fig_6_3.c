// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_6_3.c: three boxes and a bird slide to rest.

#include "reproduce.h"

#include <math.h>

static const char* const schemes[] = { "predictive", "plain", "overlap", "overlap_unequal", "reflection" };

enum
{
    SCHEMES = sizeof schemes / sizeof schemes[0],
    BODIES = 4,
    BIRD = 3,
};

static bool Draw(cliStudy* study, const cliLoaded* loaded, const char* caption)
{
    rslPictureDef def = rslDefaultPictureDef();
    def.width = 800;
    def.height = 450;
    return cliStudy_Draw(study, loaded, &def, caption);
}

static bool Follow(cliStudy* study, cliLoaded* loaded, cliPlot* plot, double distances[BODIES])
{
    rslReport report = { 0 };
    cliPanel* panel = plot != NULL ? cliPlot_AddPanel(plot, "Speeds", "time [s]", "speed [m/s]") : NULL;
    cliCurve* curves[BODIES] = { NULL };
    double starts[BODIES];
    for (int b = 0; b < BODIES; ++b)
    {
        starts[b] = rslSolver_Motion(loaded->solver, loaded->state, b).centre.x;
        curves[b] =
            panel != NULL ? cliPanel_AddCurve(panel, loaded->model->bodies[b].name, cliStyle_OursLine(1 + b)) : NULL;
    }
    int count = 100;
    for (int k = 0; k <= count; ++k)
    {
        double time = loaded->scene.time.duration * k / count;
        if (!cliStudy_Check(study, cliLoaded_RunTo(loaded, time, &report), &report))
        {
            return false;
        }
        for (int b = 0; b < BODIES; ++b)
        {
            rslMotion motion = rslSolver_Motion(loaded->solver, loaded->state, b);
            distances[b] = motion.centre.x - starts[b];
            if (curves[b] != NULL)
            {
                cliCurve_Add(curves[b], time, motion.momentum.x / motion.mass);
            }
        }
    }
    return true;
}

static void AddFigures(cliStudy* study, const cliLoaded* loaded, int scheme, const double distances[BODIES])
{
    double theory = 9.0 / (2 * 0.3 * 9.81), lowest = INFINITY, highest = -INFINITY;
    for (int b = 0; b < BODIES; ++b)
    {
        cliQuantity q =
            cliQuantity_Make(distances[b], "m", "%s: distance, %s", schemes[scheme], loaded->model->bodies[b].name);
        q.reference = theory;
        q.bar = scheme == 0 && b != BIRD ? 0.003 : NAN;
        cliStudy_Add(study, &q);
        lowest = b == BIRD ? lowest : fmin(lowest, distances[b]);
        highest = b == BIRD ? highest : fmax(highest, distances[b]);
    }
    cliQuantity q = cliQuantity_Make((highest - lowest) / theory, "", "%s: spread of the boxes", schemes[scheme]);
    q.published = 0;
    q.uncertainty = 0.01;
    cliQuantity_Note(&q, "\"Exactly the same distance\".");
    q.highest = scheme == 0 ? 0.002 : NAN;
    cliStudy_Add(study, &q);
}

static void Run(cliStudy* study)
{
    bool quick = cliStudy_IsQuick(study);
    cliPlot* plot = cliStudy_Plot(study, "Sliding to rest, predictive");
    for (int s = 0; s < (quick ? 1 : SCHEMES) && cliStudy_IsGood(study); ++s)
    {
        cliLoaded loaded;
        double distances[BODIES] = { 0 };
        cliStudy_Progress(study, (double)s / SCHEMES, "%s", schemes[s]);
        cliStudy_Reset(study);
        cliStudy_Set(study, "contact.scheme", "%s", schemes[s]);
        if (quick)
        {
            cliStudy_Set(study, "time.duration", "1.2");
            cliStudy_Set(study, "time.step", "5e-4");
        }
        bool good = cliStudy_Open(study, "kot-fig-6.3-6.6.yaml", &loaded);
        good = good && (s > 0 || Draw(study, &loaded, "at the start"));
        if (good && Follow(study, &loaded, s == 0 ? plot : NULL, distances))
        {
            AddFigures(study, &loaded, s, distances);
            good = s > 0 || Draw(study, &loaded, "at rest");
        }
        cliLoaded_Free(&loaded);
    }
}

const cliExperiment cliKotFigure63 = {
    .name = "kot-fig-6.3-6.6",
    .title = "Three boxes and a bird slide to rest",
    .source = "Kot, Mass spring models (thesis), figures 6.3 to 6.6",
    .text = "Three boxes of 3 x 2 x 2, 5 x 3 x 3 and 9 x 5 x 5 nodes and a bird of another mass, which touches the "
            "ground with its "
            "tail at first, slide side by side. The thesis states no numbers and says that all go the same distance; "
            "by the law of "
            "dry friction it is v^2 / (2 mu g). The bird, made of five ellipsoids here, rocks, and for a while it does "
            "not press with "
            "its weight alone.",
    .run = Run,
};
