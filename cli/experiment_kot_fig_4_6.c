// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_4_6.c: blocks of four Poisson's ratios, pressed to three quarters of their length.
//
// With ends that may widen the strain is the same everywhere, stretches (t, s, t), and t is where the energy of a cell is
// least. Springs of constant k along 3 edges and 6 face diagonals a cell, of lengths 1 and sqrt 2 at rest; every node has 6
// edges and 12 diagonals:
//     W / k = 1/2 sum (l_i - 1)^2 + sum (d_ij - sqrt 2)^2 + q/2 P^2 / 30,    l = (t, s, t),  d_ij^2 = l_i^2 + l_j^2
//     P = 2 sum (l_i - 1) + 4 sqrt 2 sum (d_ij - sqrt 2)

#include "displaced.h"
#include "reproduce.h"

#include <math.h>

enum
{
    BLOCKS = 4,
};

#define WIDTH 2.0
#define LENGTH 3.0
#define STRAIN 0.25

static double Energy(double t, double s, double q)
{
    double l = t - 1, along = s - 1, d = hypot(t, s) - sqrt(2), across = sqrt(2) * t - sqrt(2);
    double P = 2 * (2 * l + along) + 4 * sqrt(2) * (2 * d + across);
    return 0.5 * (2 * l * l + along * along) + 2 * d * d + across * across + q / 2 * P * P / 30;
}

// The stretch across at the stretch s along: a minimum, by golden sections.
static double StretchAcross(double s, double q)
{
    const double part = (sqrt(5) - 1) / 2;
    double low = 0.5, high = 1.5;
    while (high - low > 1e-9)
    {
        double a = high - part * (high - low), b = low + part * (high - low);
        bool below = Energy(a, s, q) < Energy(b, s, q);
        low = below ? low : a;
        high = below ? b : high;
    }
    return 0.5 * (low + high);
}

// ---- reading off ----------------------------------------------------------------------------------------------------

// Where the nodes of the faces that were at x = +-1 are now: the means of y and of the distance from the middle, over those
// with y and z at rest within some distances of a place.
typedef struct Face
{
    double y, half;  // NaN when there are none
} Face;

static Face FaceMean(const cliDisplaced* d, const rslBody* body, double middle, double y, double nearY, double nearZ)
{
    Face sum = { 0, 0 };
    int count = 0;
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        const double *rest = d->rest + 3 * i, *now = d->now + 3 * i;
        bool face = fabs(fabs(rest[0] - middle) - WIDTH / 2) < 1e-6;
        if (face && fabs(rest[1] - y) <= nearY && fabs(rest[2]) <= nearZ)
        {
            sum.y += now[1];
            sum.half += fabs(now[0] - middle);
            count += 1;
        }
    }
    return (Face){ sum.y / count, sum.half / count };
}

static void AddWidths(cliStudy* study, const cliLoaded* loaded, const cliDisplaced* d, double stretch)
{
    for (int i = 0; i < BLOCKS; ++i)
    {
        const rslBody* body = &loaded->model->bodies[i];
        const rslBodyDef* def = &loaded->scene.bodies[i];
        double width = 2 * FaceMean(d, body, def->shape->translate.x, 0, LENGTH, WIDTH).half;
        cliQuantity q = cliQuantity_Make(width, "m", "width at %g %% of the length, nu = %g, ends free", 100 * stretch,
                                         def->material.poisson);
        q.reference = WIDTH * StretchAcross(stretch, body->dispersion.q);
        q.bar = 1e-6;
        cliQuantity_Note(&q, "%g by the Poisson's ratio of small strains.",
                         WIDTH * (1 - def->material.poisson * (stretch - 1)));
        cliStudy_Add(study, &q);
    }
}

static void AddProfiles(cliPanel* panel, const cliLoaded* loaded, const cliDisplaced* d)
{
    for (int i = 0; i < BLOCKS; ++i)
    {
        const rslBodyDef* def = &loaded->scene.bodies[i];
        cliCurve* curve =
            cliPanel_AddCurve(panel, cliNamed("nu = %g", def->material.poisson).text, cliStyle_OursLine(i + 1));
        double spacing = def->network.spacing;
        for (int row = 0; row * spacing <= LENGTH; ++row)
        {
            Face face = FaceMean(d, &loaded->model->bodies[i], def->shape->translate.x, row * spacing - LENGTH / 2,
                                 spacing / 4, spacing / 4);
            cliCurve_Add(curve, face.y, face.half);
        }
    }
}

// ---- the two ways to hold the ends ------------------------------------------------------------------------------------

static void Choose(cliStudy* study, double stretch)
{
    double shift = (1 - stretch) * LENGTH / 2;
    cliStudy_Reset(study);
    for (int i = 0; i < BLOCKS; ++i)
    {
        cliStudy_Set(study, cliNamed("bodies.%d.network.spacing", i).text, "%g", cliStudy_IsQuick(study) ? 0.5 : 0.125);
    }
    cliStudy_Set(study, "constraints.0.translate", "[0, %g, 0]", shift);
    cliStudy_Set(study, "constraints.1.translate", "[0, %g, 0]", -shift);
}

static bool Press(cliStudy* study, bool held, double stretch, cliPanel* panel)
{
    cliLoaded loaded;
    Choose(study, stretch);
    bool good = cliStudy_Open(study, held ? "kot-fig-4.6.yaml" : "kot-fig-4.6-free.yaml", &loaded) &&
                cliStudy_Run(study, &loaded);
    cliDisplaced d = good ? cliDisplaced_Take(&loaded) : (cliDisplaced){ 0 };
    good = good && cliStudy_Check(study, d.count > 0 ? rsl_ok : rsl_outOfMemory, NULL);
    if (good)
    {
        rslPictureDef def = rslDefaultPictureDef();
        def.width = 960;
        def.height = 360;
        def.view = (rslVec3){ 0, 0.3, 1 };
        def.up = (rslVec3){ 0, 1, 0 };
        def.drawLabels = false;
        held ? AddProfiles(panel, &loaded, &d) : AddWidths(study, &loaded, &d, stretch);
        good = cliStudy_Draw(study, &loaded, &def,
                             cliNamed("%s along y to %g %%, ends %s; nu = -0.98, 0, 0.25, 0.47",
                                      stretch < 1 ? "pressed" : "pulled", 100 * stretch, held ? "held" : "free")
                                 .text);
    }
    cliDisplaced_Free(&d);
    cliLoaded_Free(&loaded);
    return good;
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "Profiles of the blocks between held ends");
    cliPanel* panels[2] = { cliPlot_AddPanel(plot, "Pressed to 75 %", "y [m]", "half of the width at z = 0 [m]"),
                            cliPlot_AddPanel(plot, "Pulled to 125 %", "y [m]", "half of the width at z = 0 [m]") };
    for (int i = 0; i < 4; ++i)
    {
        bool held = i % 2 == 1, pulled = i >= 2;
        double stretch = pulled ? 1 + STRAIN : 1 - STRAIN;
        cliStudy_Progress(study, i / 4.0, "%s, ends %s", pulled ? "pulled" : "pressed", held ? "held" : "free");
        if (!Press(study, held, stretch, panels[pulled]))
        {
            return;
        }
    }
}

const cliExperiment cliKotFigure46 = {
    .name = "kot-fig-4.6",
    .title = "Blocks of four Poisson's ratios under compression",
    .source = "Kot, Mass spring models (thesis), figure 4.6",
    .text =
        "Four blocks of 2 x 3 x 2 are pressed along y to 75 % of their length, and pulled by as much. The thesis shows "
        "a "
        "picture for nu = -1, 0, 0.25 and 0.47; at -1 a material of finite E has an infinite shear modulus, and "
        "-0.98 stands for it. How the thesis held the ends is not stated. Free to widen, the blocks stay boxes, whose "
        "width is where the energy of one cell is least: the width of theory. Held, they bulge or narrow. "
        "Springs are linear in their length, so that nu is that of the material for small strains only.",
    .run = Run,
};
