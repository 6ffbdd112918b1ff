// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_5_4.c: stress near a spherical cavity, with and without anti-aliasing.
//
// An infinite body under the tension S along z, with a cavity of radius a, by Papkovich and Neuber (H: Hessian):
//     phi1 = 1/R,  phi2 = (3 z^2 - R^2) / R^5,  psi = -z / R^3
//     2 mu u = 2 mu u0 + c1 grad phi1 + c2 grad phi2 + c3 [(3 - 4 nu) psi e3 - z grad psi]
//     g = S / (2 (7 - 5 nu)),  c1 = g a^3 (6 - 5 nu),  c2 = g a^5,  c3 = -5 g a^3
//     u0 = S/E (-nu x, -nu y, z)
//     s_23 = 15 S a^3 y z / (2 (7 - 5 nu) R^5) [6/5 + nu - 3 a^2/R^2 - 5 z^2/R^2 + 7 a^2 z^2/R^4]
// The thesis prints R as a cube root of the sum of squares; it is the square root.

#include "held.h"
#include "variant.h"

#include "resilin/field.h"

#include <math.h>

enum
{
    POINTS = 81,
    KINDS = 2,
    LINES = 2,
};

#define STRESS 1e-4 /* S, small against E = 250: the linear problem */
#define YOUNG 250.0
#define POISSON 0.25
#define RADIUS 5.0 /* of the cavity */
#define HALF 13.0  /* of the block */
#define BESIDE 6.5 /* distance of the lines from the middle */

static rslVec3 Displacement(rslVec3 x)
{
    double nu = POISSON, a3 = RADIUS * RADIUS * RADIUS, mu2 = YOUNG / (1 + nu), g = STRESS / (2 * (7 - 5 * nu));
    double c1 = g * a3 * (6 - 5 * nu), c2 = g * a3 * RADIUS * RADIUS, c3 = -5 * g * a3;
    double R2 = x.x * x.x + x.y * x.y + x.z * x.z, R = sqrt(R2), R3 = R2 * R, R5 = R3 * R2, zz = x.z * x.z;
    // grad phi1 = -x/R^3;  grad phi2 = 6 z e3/R^5 + x (3/R^5 - 15 z^2/R^7);  grad psi = -e3/R^3 + 3 z x/R^5
    double along = -c1 / R3 + c2 * (3 - 15 * zz / R2) / R5 - c3 * 3 * zz / R5;
    double up = c2 * 6 * x.z / R5 - c3 * (3 - 4 * nu) * x.z / R3 + c3 * x.z / R3;
    double remote = STRESS / YOUNG;
    return (rslVec3){ -nu * remote * x.x + along * x.x / mu2, -nu * remote * x.y + along * x.y / mu2,
                      remote * x.z + (along * x.z + up) / mu2 };
}

static double Shear(rslVec3 x)
{
    double nu = POISSON, a2 = RADIUS * RADIUS, R2 = x.x * x.x + x.y * x.y + x.z * x.z, zz = x.z * x.z / R2;
    return 15 * STRESS * a2 * RADIUS * x.y * x.z / (2 * (7 - 5 * nu) * R2 * R2 * sqrt(R2)) *
           (1.2 + nu - 3 * a2 / R2 - 5 * zz + 7 * a2 / R2 * zz);
}

// The outermost layer of nodes.
static bool Hold(rslVec3 x, void* context, rslVec3* u)
{
    double layer = *(double*)context;
    *u = Displacement(x);
    return fmax(fmax(fabs(x.x), fabs(x.y)), fabs(x.z)) > HALF - layer;
}

// Points from -10 to 10 on one of the lines: beside the cavity along the tension, and above it across.
static rslVec3 PointOf(int line, int i)
{
    double t = 20.0 * i / (POINTS - 1) - 10;
    return line == 0 ? (rslVec3){ 0, BESIDE, t } : (rslVec3){ 0, t, BESIDE };
}

static const char* const lineName[LINES] = { "(0, 6.5, z)", "(0, y, 6.5)" };
static const char* const kindName[KINDS] = { "line", "sphere" };

// rms over the line, relative to the largest value of theory there.
static double Deviation(const rslSymmetric* stress, int line)
{
    double sum = 0, most = 0;
    for (int i = 0; i < POINTS; ++i)
    {
        double theory = Shear(PointOf(line, i)), d = stress[i].yz - theory;
        sum += d * d;
        most = fmax(most, fabs(theory));
    }
    return sqrt(sum / POINTS) / most;
}

static void AddFigure(cliStudy* study, double deviation, int variant, int line, int kind)
{
    cliQuantity q = cliQuantity_Make(deviation, "", "s23 on %s, %s probe, rms over max, %s", lineName[line],
                                     kindName[kind], cliVariants[variant].name);
    if (line == 0 && variant == 0)
    {
        q.highest = kind == rsl_lineHardy ? 0.13 : 0.08;
    }
    cliStudy_Add(study, &q);
}

static void ProbeLine(cliStudy* study, cliLoaded* loaded, int variant, int line, cliPanel* panel)
{
    for (int kind = 0; kind < KINDS; ++kind)
    {
        rslHardyProbe probes[POINTS];
        rslSymmetric stress[POINTS];
        for (int i = 0; i < POINTS; ++i)
        {
            probes[i] = (rslHardyProbe){ PointOf(line, i), kind == rsl_lineHardy ? 1.3 : 0.6, (rslHardyKind)kind };
        }
        rslStatus status = rslSolver_HardyStress(loaded->solver, loaded->state, probes, POINTS, stress);
        if (!cliStudy_Check(study, status, NULL))
        {
            return;
        }
        AddFigure(study, Deviation(stress, line), variant, line, kind);
        cliCurve* curve =
            cliPanel_AddCurve(panel, cliNamed("%s probe", kindName[kind]).text, cliStyle_OursLine(kind + 1));
        for (int i = 0; i < POINTS; ++i)
        {
            cliCurve_Add(curve, 20.0 * i / (POINTS - 1) - 10, stress[i].yz / STRESS);
        }
    }
}

static cliPanel* AddPanel(cliPlot* plot, int variant, int line)
{
    cliName title = cliNamed("%s, %s", lineName[line], cliVariants[variant].name);
    cliPanel* panel = cliPlot_AddPanel(plot, title.text, line == 0 ? "z" : "y", "s23 / S");
    cliCurve* theory = cliPanel_AddCurve(panel, "theory", cliStyle_Theory());
    for (int i = 0; i < POINTS; ++i)
    {
        cliCurve_Add(theory, 20.0 * i / (POINTS - 1) - 10, Shear(PointOf(line, i)) / STRESS);
    }
    return panel;
}

static void RunVariant(cliStudy* study, cliPlot* plot, int v)
{
    cliLoaded loaded;
    double layer = cliVariants[v].corner ? 0.5 : 1;  // nodes on the faces, or half a cell inside
    cliName held = cliNamed("kot-fig-5.4-5.5-held-%d.yaml", v + 1);
    cliVariant_Choose(&cliVariants[v], study);
    cliStudy_Progress(study, (double)v / CLI_VARIANTS, "%s", cliVariants[v].name);
    if (cliStudy_OpenHeld(study, "kot-fig-5.4-5.5.yaml", held.text, Hold, &layer, &loaded) &&
        cliStudy_Run(study, &loaded))
    {
        for (int line = 0; line < LINES; ++line)
        {
            ProbeLine(study, &loaded, v, line, AddPanel(plot, v, line));
        }
    }
    cliLoaded_Free(&loaded);
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "Shear stress near a cavity");
    int count = cliStudy_IsQuick(study) ? 2 : CLI_VARIANTS;
    for (int v = 0; v < count && cliStudy_IsGood(study); ++v)
    {
        RunVariant(study, plot, v);
    }
}

const cliExperiment cliKotFigure54 = {
    .name = "kot-fig-5.4-5.5",
    .title = "A spherical cavity: shear stress with and without anti-aliasing",
    .source = "Kot, Mass spring models (thesis), figures 5.4 and 5.5",
    .text = "A cavity of radius 5 cells in a large block under tension along z. The outermost nodes of the middle part "
            "of the block "
            "are held where the solution for an infinite body has them. The stress s23 is read by Hardy's probes "
            "(line, radius 1.3 "
            "cells; sphere, 0.6 cells) on two lines at 6.5 from the middle: along the tension beside the cavity, where "
            "it is near, and "
            "across it above. The thesis does not say where its line is, nor how far off its curves are.",
    .run = Run,
};
