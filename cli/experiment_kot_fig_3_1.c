// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_3_1.c: moduli do not depend on how the lattice lies in the body.

#include "block_test.h"
#include "reproduce.h"

#include <math.h>

enum
{
    VARIANTS = 2,
};

static const char* const variantName[VARIANTS] = { "anti-aliased", "whole cells" };

typedef struct Spread
{
    double count, sum, lowest, highest;
} Spread;

static void Spread_Add(Spread* s, double value)
{
    s->lowest = s->count > 0 ? fmin(s->lowest, value) : value;
    s->highest = s->count > 0 ? fmax(s->highest, value) : value;
    s->count += 1;
    s->sum += value;
}

static double Spread_Mean(const Spread* s)
{
    return s->sum / s->count;
}

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
    cliCurve* line = cliPanel_AddCurve(panel, "theory", cliStyle_Theory());
    cliCurve_Add(line, 0, theory);
    cliCurve_Add(line, 90, theory);
    for (int v = 0; v < VARIANTS; ++v)
    {
        curves[v] = cliPanel_AddCurve(panel, variantName[v], cliStyle_Ours(v + 1));
    }
    return panel;
}

// The farthest of all angles from theory, which is what "isotropic" is about.
static void AddFarthest(cliStudy* study, const Spread* s, const char* what, const char* unit, double theory,
                        double stated, int variant)
{
    double ours = fabs(s->lowest - theory) > fabs(s->highest - theory) ? s->lowest : s->highest;
    cliQuantity q = cliQuantity_Make(ours, unit, "%s, farthest of %g angles, %s", what, s->count, variantName[variant]);
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
    Spread youngs[VARIANTS] = { 0 }, poissons[VARIANTS] = { 0 };
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
            Spread_Add(&youngs[v], m.inner);
            Spread_Add(&poissons[v], m.poisson);
        }
    }
    for (int v = 0; v < VARIANTS && cliStudy_IsGood(study); ++v)
    {
        AddFarthest(study, &youngs[v], "E", "k0/a0", 1, 0.04, v);
        AddFarthest(study, &poissons[v], "nu", "", 0.25, 0.03, v);
    }
    cliStudy_Say(
        study, "The mean over all angles is E = %.4f and nu = %.4f anti-aliased, %.4f and %.4f with whole cells.",
        Spread_Mean(&youngs[0]), Spread_Mean(&poissons[0]), Spread_Mean(&youngs[1]), Spread_Mean(&poissons[1]));
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
