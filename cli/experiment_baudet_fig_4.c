// SPDX-License-Identifier: MIT
//
// experiment_baudet_fig_4.c: error of the shear modulus of a cube, over Young's modulus and Poisson's ratio.
//
// A cube of edge 1 whose lid slides by g at its height. Four diagonals of length sqrt(2 + (1 +- g)^2) and the four upright
// edges of length sqrt(1 + g^2) are stretched; the correction is of pairs of axes and stays zero:
//     W = k_d [(d+ - sqrt 3)^2 + (d- - sqrt 3)^2] + 2 k_e (e - 1)^2
//     k_d = 3 E / (8 (1 + nu)),  k_e = E / (8 (1 + nu) (1 - 2 nu));   G measured = dW/dg / g

#include "model_choice.h"

#include <math.h>

enum
{
    RATIOS = 10,
    ANGLES = 5,
    MODULI = 4,
    MODELS = 5,
};

static const char* const scene = "baudet-fig-4.yaml";
static const double ratios[RATIOS] = { 0, 0.05, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.49 };
static const double angles[ANGLES] = { 1, 5, 10, 20, 30 };  // degrees
static const double moduli[MODULI] = { 1e2, 1e4, 1e6, 1e8 };

static const cliModelChoice models[MODELS] = {
    { "Baudet", "box", "edges", "baudet" },
    { "springs with dispersion", "dispersion", "variant", "energy" },
    { "bricks, corotational", "brick", "law", "corotational" },
    { "bricks, neo-Hookean", "brick", "law", "neo_hookean" },
    { "elements, neo-Hookean", "fem", "law", "neo_hookean" },
};

static double Tangent(double degrees)
{
    return tan(degrees * 3.14159265358979 / 180);
}

static double Shear(double young, double poisson)
{
    return young / (2 * (1 + poisson));
}

// G of the energy above over E / (2 (1 + nu)), less 1.
static double Theory(double poisson, double degrees)
{
    double g = Tangent(degrees), k = 1 / (8 * (1 + poisson)), kd = 3 * k, ke = k / (1 - 2 * poisson);
    double plus = sqrt(2 + (1 + g) * (1 + g)), minus = sqrt(2 + (1 - g) * (1 - g)), edge = sqrt(1 + g * g);
    double force = 2 * kd * ((plus - sqrt(3)) * (1 + g) / plus - (minus - sqrt(3)) * (1 - g) / minus) +
                   4 * ke * (edge - 1) * g / edge;
    return force / g / Shear(1, poisson) - 1;
}

static bool Measure(cliStudy* study, const cliModelChoice* model, double young, double poisson, double degrees,
                    double* error)
{
    cliLoaded loaded;
    cliStudy_Reset(study);
    cliModelChoice_Set(model, study);
    cliStudy_Set(study, "body.material.young", "%g", young);
    cliStudy_Set(study, "body.material.poisson", "%g", poisson);
    cliStudy_Set(study, "constraints.1.translate", "[%.17g, 0, 0]", Tangent(degrees));
    bool good = cliStudy_Open(study, scene, &loaded) && cliStudy_Run(study, &loaded);
    if (good)
    {
        double force = rslSolver_Reaction(loaded.solver, loaded.state, 1).x;
        *error = force / Tangent(degrees) / Shear(young, poisson) - 1;
    }
    cliLoaded_Free(&loaded);
    return good;
}

static void AddHighest(cliStudy* study, double value, double highest, const char* name)
{
    cliQuantity q = cliQuantity_Make(value, "", "%s", name);
    q.highest = highest;
    cliStudy_Add(study, &q);
}

static void RunAngles(cliStudy* study, cliPlot* plot)
{
    cliPanel* panel = cliPlot_AddPanel(plot, "Baudet, lines: theory", "Poisson's ratio", "error of G [%]");
    cliPanel_SetLog(panel, false, true);
    double off = 0, small = 0;
    for (int a = 0; a < ANGLES; ++a)
    {
        cliStyle marks = cliStyle_Ours(a + 1);
        marks.line = false;
        cliCurve* ours = cliPanel_AddCurve(panel, cliNamed("%g degrees", angles[a]).text, marks);
        cliCurve* line = cliPanel_AddCurve(panel, NULL, cliStyle_OursLine(a + 1));
        for (int i = 0; i < RATIOS; ++i)
        {
            double error = NAN, theory = Theory(ratios[i], angles[a]);
            if (!Measure(study, &models[0], 1, ratios[i], angles[a], &error))
            {
                return;
            }
            off = fmax(off, fabs(error - theory));
            small = a == 0 ? fmax(small, fabs(error)) : small;
            cliCurve_Add(ours, ratios[i], 100 * error);
            cliCurve_Add(line, ratios[i], 100 * theory);
            if (angles[a] == 10)
            {
                cliQuantity q = cliQuantity_Make(1 + error, "", "G over target, 10 degrees, nu = %g", ratios[i]);
                q.reference = 1 + theory;
                q.bar = 1e-9;
                cliStudy_Add(study, &q);
            }
        }
    }
    AddHighest(study, off, 1e-9, "largest distance from theory, 1 to 30 degrees, nu = 0 to 0.49");
    AddHighest(study, small, 0.01, "largest error of G at 1 degree, nu = 0 to 0.49");
}

static void RunModuli(cliStudy* study, cliPlot* plot)
{
    cliPanel* panel = cliPlot_AddPanel(plot, "Baudet, 10 degrees", "Young's modulus [Pa]", "error of G [%]");
    cliPanel_SetLog(panel, true, false);
    double change = 0;
    for (int i = 1; i < RATIOS; i += 3)
    {
        double first = NAN;
        cliCurve* curve = cliPanel_AddCurve(panel, cliNamed("nu = %g", ratios[i]).text, cliStyle_Ours(1 + i / 3));
        for (int e = 0; e < MODULI; ++e)
        {
            double error = NAN;
            if (!Measure(study, &models[0], moduli[e], ratios[i], 10, &error))
            {
                return;
            }
            first = e == 0 ? error : first;
            change = fmax(change, fabs(error - first));
            cliCurve_Add(curve, moduli[e], 100 * error);
        }
    }
    AddHighest(study, change, 1e-12, "largest change of the error of G over E from 1e2 to 1e8");
}

static void RunModels(cliStudy* study, cliPlot* plot)
{
    cliPanel* panel = cliPlot_AddPanel(plot, "Other models, 20 degrees", "Poisson's ratio", "error of G [%]");
    cliPanel_SetRangeY(panel, -20, 120);
    for (int m = 0; m < MODELS; ++m)
    {
        cliCurve* curve = cliPanel_AddCurve(panel, models[m].name, cliStyle_Ours(m + 1));
        for (int i = 0; i < RATIOS; ++i)
        {
            double error = NAN;
            if (!Measure(study, &models[m], 1, ratios[i], 20, &error))
            {
                return;
            }
            cliCurve_Add(curve, ratios[i], 100 * error);
            if (ratios[i] == 0.45)
            {
                cliQuantity q =
                    cliQuantity_Make(1 + error, "", "G over target, 20 degrees, nu = 0.45, %s", models[m].name);
                cliStudy_Add(study, &q);
            }
        }
    }
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "Shear of one cube");
    RunAngles(study, plot);
    RunModuli(study, plot);
    RunModels(study, plot);
}

const cliExperiment cliBaudetFigure4 = {
    .name = "baudet-fig-4",
    .title = "Shear of a cube: the error of G over Young's modulus and Poisson's ratio",
    .source = "Baudet, Beuve, Jaillet, Shariat, Zara (2009), figure 4",
    .text =
        "One parallelepiped, a cube, is sheared by its lid, which slides at its height. The paper shows a surface "
        "without "
        "numbers and says: the error does not depend on E, grows with nu, and stays reasonable for small angles and "
        "compressible materials. All of this holds. For small angles G is exact at every nu; the error is that of the "
        "upright edges, which lengthen by the square of the angle, with a stiffness that grows as 1 / (1 - 2 nu).",
    .run = Run,
};
