// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_4_7.c: Poisson's ratio of random networks with momentum dispersion.

#include "block_test.h"

#include <math.h>

enum
{
    RATIOS = 6,
    NETWORKS = 4,
};

static const char* const scene = "kot-fig-4.7.yaml";
static const double ratios[RATIOS] = { -0.5, 0, 0.1, 0.25, 0.35, 0.45 };
static const double longest[NETWORKS] = { 1.48, 1.6, 1.74, 1.9 };  // max_length

enum
{
    DENSE = 2,  // of the networks: about 21 springs a node
};

static void Choose(cliStudy* study, int network, double poisson, bool large)
{
    double length = large ? 40 : 22, width = large ? 12 : 9, inner = length / 2 - 1.5 * longest[network];
    cliStudy_Reset(study);
    cliStudy_Set(study, "body.shape.size", "[%g, %g, %g]", length, width, width);
    cliStudy_Set(study, "body.network.count", "%.0f", 1.29 * length * width * width);
    cliStudy_Set(study, "body.network.max_length", "%g", longest[network]);
    cliStudy_Set(study, "body.material.poisson", "%g", poisson);
    cliStudy_Set(study, "constraints.0.nodes.point", "[%.6g, 0, 0]", -inner);
    cliStudy_Set(study, "constraints.1.nodes.point", "[%.6g, 0, 0]", inner);
}

// <S>, counted in the model.
static double SpringsOfNode(cliStudy* study, int network, bool large)
{
    double springs = NAN;
    cliLoaded loaded;
    Choose(study, network, 0.25, large);
    if (cliStudy_Open(study, scene, &loaded))
    {
        springs = 2.0 * (double)loaded.model->springCount / loaded.model->nodeCount;
    }
    cliLoaded_Free(&loaded);
    return springs;
}

static cliModuli Measure(cliStudy* study, int network, double poisson, bool large, bool calibrate)
{
    Choose(study, network, poisson, large);
    cliStudy_Set(study, "body.network.calibrate", "%s", calibrate ? "x" : "none");
    return cliBlock_Tension(study, scene, 'x', 1e-7);
}

// Without an energy there is no rest to be found but by letting motion die out.
static cliModuli Press(cliStudy* study, double poisson)
{
    cliModuli moduli = { NAN, NAN, NAN };
    cliLoaded loaded;
    Choose(study, DENSE, poisson, false);
    cliStudy_Set(study, "body.model.variant", "published");
    cliStudy_Set(study, "body.material.mass_damping", "0.3");
    cliStudy_Set(study, "time.integrator", "position_verlet");
    cliStudy_Set(study, "time.duration", "160");
    if (cliStudy_Open(study, scene, &loaded) && cliStudy_Run(study, &loaded))
    {
        moduli = cliBlock_Measure(&loaded);
    }
    cliLoaded_Free(&loaded);
    return moduli;
}

static void AddFigure(cliStudy* study, const cliModuli* m, double poisson, double bar, const char* what)
{
    cliQuantity q = cliQuantity_Make(m->poisson, "", "nu for %g, %s", poisson, what);
    q.reference = poisson;
    q.absolute = true;
    q.bar = bar;
    cliQuantity_Note(&q, "E is %.3f of the target.", m->young);
    cliStudy_Add(study, &q);
}

static void RunNetwork(cliStudy* study, int network, cliPanel* panel, cliPanel* errors)
{
    bool large = !cliStudy_IsQuick(study);
    double springs = SpringsOfNode(study, network, large);
    cliName what = cliNamed("<S> = %.1f", springs);
    cliCurve* curve = cliPanel_AddCurve(panel, what.text, cliStyle_Ours(network + 1));
    cliCurve* error = cliPanel_AddCurve(errors, what.text, cliStyle_Ours(network + 1));
    for (int i = 0; i < RATIOS && cliStudy_IsGood(study); i += large ? 1 : RATIOS - 1)
    {
        cliStudy_Progress(study, 0.15 * (network + (double)i / RATIOS), "<S> = %.1f, nu = %g", springs, ratios[i]);
        cliModuli m = Measure(study, network, ratios[i], large, false);
        AddFigure(study, &m, ratios[i], network >= DENSE ? 0.03 : NAN, what.text);
        cliCurve_Add(curve, ratios[i], m.poisson);
        cliCurve_Add(error, ratios[i], m.poisson - ratios[i]);
    }
}

static void RunCalibrated(cliStudy* study, cliPanel* errors)
{
    bool quick = cliStudy_IsQuick(study);
    cliCurve* error = cliPanel_AddCurve(errors, "calibrated", cliStyle_Ours(5));
    for (int i = quick ? RATIOS - 1 : 0; i < RATIOS && cliStudy_IsGood(study); ++i)
    {
        cliStudy_Progress(study, 0.6 + 0.2 * i / RATIOS, "calibrated, nu = %g", ratios[i]);
        cliModuli m = Measure(study, DENSE, ratios[i], !quick, true);
        AddFigure(study, &m, ratios[i], 0.005, cliNamed("max_length %g, calibrated", longest[DENSE]).text);
        cliCurve_Add(error, ratios[i], m.poisson - ratios[i]);
    }
}

static void RunPublished(cliStudy* study, cliPanel* errors)
{
    cliCurve* error = cliPanel_AddCurve(errors, "as published", cliStyle_Ours(6));
    for (int i = 0; i < RATIOS && cliStudy_IsGood(study); ++i)
    {
        cliStudy_Progress(study, 0.8 + 0.2 * i / RATIOS, "as published, nu = %g", ratios[i]);
        cliModuli m = Press(study, ratios[i]);
        AddFigure(study, &m, ratios[i], NAN, cliNamed("max_length %g, 22 x 9 x 9, published", longest[DENSE]).text);
        cliCurve_Add(error, ratios[i], m.poisson - ratios[i]);
    }
}

static void Run(cliStudy* study)
{
    bool quick = cliStudy_IsQuick(study);
    cliPlot* plot = cliStudy_Plot(study, "Poisson's ratio of random networks with momentum dispersion");
    cliPanel* panel = cliPlot_AddPanel(plot, "", "Poisson's ratio of the material", "Poisson's ratio measured");
    cliPanel* errors = cliPlot_AddPanel(plot, "Errors", "Poisson's ratio of the material", "measured - asked for");
    cliCurve* theory = cliPanel_AddCurve(panel, "theory", cliStyle_Theory());
    cliCurve_Add(theory, -0.6, -0.6);
    cliCurve_Add(theory, 0.5, 0.5);
    cliPanel_AddLevel(errors, NULL, -0.6, 0.5, 0);
    for (int network = quick ? DENSE : 0; network < (quick ? DENSE + 1 : NETWORKS); ++network)
    {
        RunNetwork(study, network, panel, errors);
    }
    RunCalibrated(study, errors);
    if (!quick)
    {
        RunPublished(study, errors);
    }
    cliStudy_Say(
        study,
        "Fewer springs a node let nodes relax more: the error grows, and E falls short. The networks differ from "
        "seed to seed, so that figures are of one network each.");
}

const cliExperiment cliKotFigure47 = {
    .name = "kot-fig-4.7",
    .title = "Random networks with momentum dispersion: Poisson's ratio",
    .source = "Kot, Mass spring models (thesis), figure 4.7",
    .text =
        "Blocks of random networks with more and more springs a node are measured along x, ends free across. Constants "
        "k "
        "and q are those of theory for E = 1 and the nu asked for, then calibrated as well. The thesis shows a curve "
        "and points without numbers and says that Q = 2 q holds with high accuracy. The scheme as published has no "
        "energy; a block is pressed and its motion dies out.",
    .run = Run,
};
