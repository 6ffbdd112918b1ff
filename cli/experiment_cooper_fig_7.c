// SPDX-License-Identifier: MIT
//
// experiment_cooper_fig_7.c: a triangle pressed flat flips, and stays so when it is let go.

#include "cooper_element.h"

#include <math.h>

// The force that C needs on its way down, free to slide aside: x where the force has no component along x, followed from rest.
static double Crest(cliLoaded* element)
{
    double x = 1, crest = 0;
    for (double y = 1; y > 0.05; y -= 0.001)
    {
        for (int i = 0; i < 20; ++i)
        {
            const double h = 1e-6;
            double f = cliCooper_Force((cliPoint){ x, y }, element).x;
            double slope = (cliCooper_Force((cliPoint){ x + h, y }, element).x - f) / h;
            x -= f / slope;
        }
        crest = fmax(crest, cliCooper_Force((cliPoint){ x, y }, element).y);
    }
    return crest;
}

static void AddCrest(cliStudy* study, cliCooperKind kind)
{
    // worked out apart from this program
    static const double known[cli_cooperKindCount] = { 0.142359, 0.237886, 0.299201, NAN };
    cliLoaded loaded;
    if (kind != cli_repulsionElement && cliStudy_Open(study, "cooper-fig-6-8-10-12.yaml", &loaded))
    {
        cliQuantity q = cliQuantity_Make(Crest(&loaded), "N", "%s: least force on C that flips it, k = 1 N/m",
                                         cliCooperKind_Name(kind));
        q.reference = known[kind];
        q.bar = 1e-5;
        cliStudy_Add(study, &q);
        cliLoaded_Free(&loaded);
    }
}

static void Follow(cliStudy* study, cliLoaded* loaded, cliCurve* path, cliCurve* height, double* lowest)
{
    rslReport report = { 0 };
    double end = loaded->scene.time.duration, x[3];
    *lowest = INFINITY;
    for (double t = 0; t <= end && cliStudy_Check(study, cliLoaded_RunTo(loaded, t, &report), &report); t += 0.1)
    {
        rslState_Positions(loaded->model, loaded->state, 2, 3, x);
        cliCurve_Add(path, x[0], x[1]);
        cliCurve_Add(height, t, x[1]);
        *lowest = fmin(*lowest, x[1]);
    }
}

static void AddEnd(cliStudy* study, cliCooperKind kind, const cliLoaded* loaded, double lowest)
{
    bool repels = kind == cli_repulsionElement;
    double x[3];
    rslState_Positions(loaded->model, loaded->state, 2, 3, x);
    cliQuantity q = cliQuantity_Make(x[1], "m", "%s: y of C when it was let go, from 1 m", cliCooperKind_Name(kind));
    q.reference = repels ? 1 : -1;
    q.published = kind == cli_standardElement ? -1 : repels ? 1 : NAN;
    q.uncertainty = 0.01;
    q.bar = 1e-3;
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(lowest, "m", "%s: lowest y of C", cliCooperKind_Name(kind));
    if (repels)
    {
        q.lowest = 0.01;
    }
    cliStudy_Add(study, &q);
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "C pressed down with 1 N and let go at 32 s");
    cliPanel* plane = cliPlot_AddPanel(plot, "Its way", "x [m]", "y [m]");
    cliPanel* time = cliPlot_AddPanel(plot, "Its height", "time [s]", "y [m]");
    cliPanel_SetEqual(plane);
    for (int k = 0; k < cli_cooperKindCount; ++k)
    {
        cliCooperKind kind = (cliCooperKind)k;
        const char* name = cliCooperKind_Name(kind);
        cliLoaded loaded;
        double lowest;
        cliStudy_Progress(study, k / 4.0, "%s", name);
        cliStudy_Reset(study);
        cliCooper_Choose(study, kind);
        if (cliStudy_Open(study, "cooper-fig-7.yaml", &loaded))
        {
            Follow(study, &loaded, cliPanel_AddCurve(plane, name, cliStyle_OursLine(1 + k)),
                   cliPanel_AddCurve(time, name, cliStyle_OursLine(1 + k)), &lowest);
            AddEnd(study, kind, &loaded, lowest);
        }
        cliLoaded_Free(&loaded);
        AddCrest(study, kind);
    }
}

const cliExperiment cliCooperFigure7 = {
    .name = "cooper-fig-7",
    .title = "A triangle pressed flat, and let go",
    .source = "Cooper & Maddock (1999), figure 7 and section 3.1",
    .text = "A and B are fixed, C is pressed down with 1 N, k = 1 N/m, and let go. The standard element flips: C rests "
            "at (1, -1), where "
            "all springs have their lengths again, and nothing brings it back. So do those with centroid springs and "
            "with non-linear "
            "springs, which only ask for a little more force. C gives way sideways, so that the force is far below k "
            "times the "
            "height. With edge repulsion C comes back.",
    .run = Run,
};
