// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_5_2.c: a small box with its lattice turned by many angles, with and without anti-aliasing.

#include "block_test.h"
#include "tally.h"
#include "variant.h"

#include <math.h>

static const char* const scene = "kot-fig-5.2-5.3.yaml";

static void AddFigures(cliStudy* study, int v, const cliTally* young, const cliTally* poisson)
{
    cliQuantity q =
        cliQuantity_Make(young->mean, "", "E over target, mean of %d angles, %s", young->count, cliVariants[v].name);
    q.reference = 1;
    if (v == 0)
    {
        q.lowest = 0.93;
        q.highest = 1;
    }
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(cliTally_Deviation(young), "", "standard deviation of E, %s", cliVariants[v].name);
    if (v == 0)
    {
        q.highest = 0.03;
    }
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(poisson->mean, "", "nu, mean, %s", cliVariants[v].name);
    q.reference = 0.25;
    q.absolute = true;
    cliQuantity_Note(&q, "Standard deviation %.4f.", cliTally_Deviation(poisson));
    cliStudy_Add(study, &q);
}

static bool Measure(cliStudy* study, int v, double angle, double* young, double* poisson)
{
    cliVariant_Choose(&cliVariants[v], study);
    cliStudy_Set(study, "body.network.identify", "%s", cliVariants[v].corner ? "inside" : "whole");
    cliStudy_Set(study, "body.network.orientation.angle", "%g", angle);
    cliModuli moduli = cliBlock_Tension(study, scene, 'y', 1e-10);
    *young = moduli.young / 250;
    *poisson = moduli.poisson;
    return cliStudy_IsGood(study);
}

static cliPanel* AddPanel(cliPlot* plot, const char* title, double theory)
{
    cliPanel* panel = cliPlot_AddPanel(plot, title, "angle of the lattice [deg]", title);
    cliPanel_AddLevel(panel, "theory", 0, 180, theory);
    return panel;
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "A box of 5 x 5 x 5 in a turned lattice");
    cliPanel* young = AddPanel(plot, "E over target", 1);
    cliPanel* poisson = AddPanel(plot, "Poisson's ratio", 0.25);
    int angles = cliStudy_IsQuick(study) ? 10 : 30;
    for (int v = 0; v < CLI_VARIANTS && cliStudy_IsGood(study); ++v)
    {
        cliCurve* e = cliPanel_AddCurve(young, cliVariants[v].name, cliStyle_Ours(v + 1));
        cliCurve* nu = cliPanel_AddCurve(poisson, cliVariants[v].name, cliStyle_Ours(v + 1));
        cliTally youngs = { 0 }, poissons = { 0 };
        for (int i = 0; i < angles; ++i)
        {
            double angle = (i + 1) * 180.0 / (angles + 1), ratio = NAN, across = NAN;
            cliStudy_Progress(study, (v + (double)i / angles) / CLI_VARIANTS, "%s, %.0f degrees", cliVariants[v].name,
                              angle);
            if (!Measure(study, v, angle, &ratio, &across))
            {
                return;
            }
            cliCurve_Add(e, angle, ratio);
            cliCurve_Add(nu, angle, across);
            cliTally_Add(&youngs, ratio);
            cliTally_Add(&poissons, across);
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
