// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_3_1.c: moduli do not depend on how the lattice lies in the body.

#include "block_test.h"
#include "reproduce.h"
#include "tally.h"

#include <math.h>

enum
{
    VARIANTS = 2,
};

static const char* const variantName[VARIANTS] = { "anti-aliased", "whole cells" };

static cliModuli Press(cliStudy* study, double angle, int variant)
{
    cliModuli moduli = { NAN, NAN, NAN };
    cliLoaded loaded;
    cliStudy_Set(study, "body.network.orientation.angle", "%g", angle);
    cliStudy_Set(study, "body.network.antialias", "%s", variant == 0 ? "true" : "false");
    if (cliStudy_Open(study, "kot-fig-3.1-3.2.yaml", &loaded) && cliStudy_Run(study, &loaded))
    {
        moduli = cliBlock_Measure(&loaded);
    }
    cliLoaded_Free(&loaded);
    return moduli;
}

static cliPanel* AddPanel(cliPlot* plot, const char* label, double theory, cliCurve** curves)
{
    cliPanel* panel = cliPlot_AddPanel(plot, label, "angle of the lattice [deg]", label);
    cliPanel_AddLevel(panel, "theory", 0, 90, theory);
    for (int v = 0; v < VARIANTS; ++v)
    {
        curves[v] = cliPanel_AddCurve(panel, variantName[v], cliStyle_Ours(v + 1));
    }
    return panel;
}

// The farthest of all angles from theory, which is what "isotropic" is about.
static void AddFarthest(cliStudy* study, const cliTally* s, const char* what, const char* unit, double theory,
                        double stated, int variant)
{
    double ours = fabs(s->lowest - theory) > fabs(s->highest - theory) ? s->lowest : s->highest;
    cliQuantity q = cliQuantity_Make(ours, unit, "%s, farthest of %d angles, %s", what, s->count, variantName[variant]);
    q.reference = theory;
    q.published = theory;
    q.uncertainty = stated * theory;
    q.bar = variant == 0 ? 0.015 : 0.03;
    cliQuantity_Note(&q, "The figures show points around the line of theory; uncertainty as stated for table 3.1.%s",
                     variant == 0 ? "" : " Without anti-aliasing the surface of the block is rough.");
    cliStudy_Add(study, &q);
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "Isotropy of a cubic lattice");
    cliCurve *young[VARIANTS], *poisson[VARIANTS];
    AddPanel(plot, "Young's modulus [k0/a0]", 1, young);
    AddPanel(plot, "Poisson's ratio", 0.25, poisson);
    cliTally youngs[VARIANTS] = { 0 }, poissons[VARIANTS] = { 0 };
    if (cliStudy_IsQuick(study))
    {
        cliStudy_Set(study, "body.shape.size", "[40, 15, 15]");
        cliStudy_Set(study, "constraints.0.nodes.point", "[-17.88, 0, 0]");
        cliStudy_Set(study, "constraints.1.nodes.point", "[17.88, 0, 0]");
    }
    double step = cliStudy_IsQuick(study) ? 45 : 10;
    for (double angle = 0; angle <= 90 && cliStudy_IsGood(study); angle += step)
    {
        cliStudy_Progress(study, angle / (90 + step), "%g degrees", angle);
        for (int v = 0; v < VARIANTS; ++v)
        {
            cliModuli m = Press(study, angle, v);
            cliCurve_Add(young[v], angle, m.inner);
            cliCurve_Add(poisson[v], angle, m.poisson);
            cliTally_Add(&youngs[v], m.inner);
            cliTally_Add(&poissons[v], m.poisson);
        }
    }
    for (int v = 0; v < VARIANTS && cliStudy_IsGood(study); ++v)
    {
        AddFarthest(study, &youngs[v], "E", "k0/a0", 1, 0.04, v);
        AddFarthest(study, &poissons[v], "nu", "", 0.25, 0.03, v);
    }
    cliStudy_Say(study,
                 "The mean over all angles is E = %.4f and nu = %.4f anti-aliased, %.4f and %.4f with whole cells.",
                 youngs[0].mean, poissons[0].mean, youngs[1].mean, poissons[1].mean);
}

const cliExperiment cliKotFigure31 = {
    .name = "kot-fig-3.1-3.2",
    .title = "A cubic lattice turned in the body: Young's modulus and Poisson's ratio",
    .source = "Kot, Mass spring models (thesis), figures 3.1 and 3.2",
    .text = "The block of table 3.1 with its lattice turned about the axis (0.4, -0.3, 0.7) by several angles. The "
            "bulk of a "
            "cubic lattice is exactly isotropic; what changes with the angle is how its cells fit the surface of the "
            "block: as "
            "much as they are filled (anti-aliased), or those whose middle is inside (whole cells, as in chapter 3 of "
            "the thesis). "
            "Strains are those in the middle of the block, so that the grips do not count.",
    .run = Run,
};
