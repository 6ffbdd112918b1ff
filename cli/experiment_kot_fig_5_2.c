// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_5_2.c: a small box with its lattice turned by many angles, with and without anti-aliasing.

#include "reproduce.h"

#include <math.h>

enum
{
    VARIANTS = 4,
};

static const char* const scene = "kot-fig-5.2-5.3.yaml";

typedef struct Variant
{
    const char *name, *construction, *antialias, *identify;
} Variant;

static const Variant variants[VARIANTS] = {
    { "corner, anti-aliased", "corner", "true", "inside" },
    { "corner, whole cells", "corner", "false", "inside" },
    { "centred, anti-aliased", "centred", "true", "whole" },
    { "centred, whole cells", "centred", "false", "whole" },
};

typedef struct Spread
{
    double count, sum, squares;
} Spread;

static void Spread_Add(Spread* s, double value)
{
    s->count += 1;
    s->sum += value;
    s->squares += value * value;
}

static double Spread_Mean(const Spread* s)
{
    return s->sum / s->count;
}

static double Spread_Deviation(const Spread* s)
{
    double mean = Spread_Mean(s);
    return sqrt(fmax(s->squares - s->count * mean * mean, 0) / (s->count - 1));
}

static void AddFigures(cliStudy* study, int v, const Spread* young, const Spread* poisson)
{
    cliQuantity q = cliQuantity_Make(Spread_Mean(young), "", "E over target, mean of %g angles, %s", young->count,
                                     variants[v].name);
    q.reference = 1;
    if (v == 0)
    {
        q.lowest = 0.93;
        q.highest = 1;
    }
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(Spread_Deviation(young), "", "standard deviation of E, %s", variants[v].name);
    if (v == 0)
    {
        q.highest = 0.03;
    }
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(Spread_Mean(poisson), "", "nu, mean, %s", variants[v].name);
    q.reference = 0.25;
    q.absolute = true;
    cliQuantity_Note(&q, "Standard deviation %.4f.", Spread_Deviation(poisson));
    cliStudy_Add(study, &q);
}

static bool Measure(cliStudy* study, int v, double angle, double* young, double* poisson)
{
    cliStudy_Reset(study);
    cliStudy_Set(study, "body.network.construction", "%s", variants[v].construction);
    cliStudy_Set(study, "body.network.antialias", "%s", variants[v].antialias);
    cliStudy_Set(study, "body.network.identify", "%s", variants[v].identify);
    cliStudy_Set(study, "body.network.orientation.angle", "%g", angle);
    rslMeasureDef def = rslDefaultMeasureDef();
    def.tests = rsl_tensionTest;
    rslMeasurements* m = cliStudy_Measure(study, scene, &def);
    *young = cliMeasured(m, "E_y") / 250;
    *poisson = cliMeasured(m, "nu_y");
    rslMeasurements_Free(m);
    return cliStudy_IsGood(study);
}

static cliPanel* AddPanel(cliPlot* plot, const char* title, double theory)
{
    cliPanel* panel = cliPlot_AddPanel(plot, title, "angle of the lattice [deg]", title);
    cliCurve* line = cliPanel_AddCurve(panel, "theory", cliStyle_Theory());
    cliCurve_Add(line, 0, theory);
    cliCurve_Add(line, 180, theory);
    return panel;
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "A box of 5 x 5 x 5 in a turned lattice");
    cliPanel* young = AddPanel(plot, "E over target", 1);
    cliPanel* poisson = AddPanel(plot, "Poisson's ratio", 0.25);
    int angles = cliStudy_IsQuick(study) ? 10 : 30;
    for (int v = 0; v < VARIANTS && cliStudy_IsGood(study); ++v)
    {
        cliCurve* e = cliPanel_AddCurve(young, variants[v].name, cliStyle_Ours(v + 1));
        cliCurve* nu = cliPanel_AddCurve(poisson, variants[v].name, cliStyle_Ours(v + 1));
        Spread youngs = { 0 }, poissons = { 0 };
        for (int i = 0; i < angles; ++i)
        {
            double angle = (i + 1) * 180.0 / (angles + 1), ratio = NAN, across = NAN;
            cliStudy_Progress(study, (v + (double)i / angles) / VARIANTS, "%s, %.0f degrees", variants[v].name, angle);
            if (!Measure(study, v, angle, &ratio, &across))
            {
                return;
            }
            cliCurve_Add(e, angle, ratio);
            cliCurve_Add(nu, angle, across);
            Spread_Add(&youngs, ratio);
            Spread_Add(&poissons, across);
        }
        AddFigures(study, v, &youngs, &poissons);
    }
}

const cliExperiment cliKotFigure52 = {
    .name = "kot-fig-5.2-5.3",
    .title = "Anti-aliasing under rotation: a small box in a turned lattice",
    .source = "Kot, Mass spring models (thesis), figures 5.2 and 5.3",
    .text = "A box of 5 x 5 x 5 cells whose lattice is turned about (0.4, -0.3, 0.7) is measured along y. The thesis "
            "turns it by 30 "
            "angles about an axis it does not state, presses it by 5 % and shows points without numbers; here moduli "
            "are tangents at "
            "rest. Which construction it used and where it held the box is not stated either: both constructions are "
            "shown, the nodes "
            "within three quarters of a cell from the ends follow the prescribed strain and are free across.",
    .run = Run,
};
