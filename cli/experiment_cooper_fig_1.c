// SPDX-License-Identifier: MIT
//
// experiment_cooper_fig_1.c: a ball of triangles rests on the ground, with and without edge repulsion.

#include "area_ratio.h"
#include "reproduce.h"

#include <math.h>

// Height of the highest node, width between the outermost.
static void Extent(const cliLoaded* loaded, double size[2])
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY }, x[3];
    for (int i = 0; i < loaded->model->nodeCount; ++i)
    {
        rslState_Positions(loaded->model, loaded->state, i, i + 1, x);
        for (int axis = 0; axis < 2; ++axis)
        {
            low[axis] = fmin(low[axis], x[axis]);
            high[axis] = fmax(high[axis], x[axis]);
        }
    }
    size[0] = high[0] - low[0];
    size[1] = high[1] - low[1];
}

static void AddFigures(cliStudy* study, const cliLoaded* loaded, bool repels)
{
    const char* name = repels ? "edge repulsion" : "standard";
    double size[2], ratio = cliAreaRatio_Least(loaded->model, loaded->state, 0, NULL);
    Extent(loaded, size);
    cliQuantity q = cliQuantity_Make(ratio, "", "%s: least area of a triangle over that at rest", name);
    if (repels)
    {
        q.lowest = 0.1;
    }
    else
    {
        q.highest = 0;
    }
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(size[1], "m", "%s: height, 2 m at rest", name);
    if (repels)
    {
        q.lowest = 1.5;
    }
    else
    {
        q.highest = 1.5;
    }
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(rslSolver_Energy(loaded->solver, loaded->state).kinetic, "J", "%s: kinetic energy at the end",
                         name);
    q.highest = 0.01;
    cliStudy_Add(study, &q);
}

static void Rest(cliStudy* study, bool repels, cliPanel* panel)
{
    cliLoaded loaded;
    rslReport report = { 0 };
    cliStudy_Reset(study);
    if (!repels)
    {
        cliStudy_Set(study, "bodies.ball.repulsion", "none");
    }
    if (cliStudy_Open(study, "cooper-fig-1.yaml", &loaded))
    {
        cliCurve* curve =
            cliPanel_AddCurve(panel, repels ? "edge repulsion" : "standard", cliStyle_OursLine(repels ? 2 : 1));
        double end = loaded.scene.time.duration;
        for (double t = 0; t <= end && cliStudy_Check(study, cliLoaded_RunTo(&loaded, t, &report), &report); t += 0.04)
        {
            cliCurve_Add(curve, t, cliAreaRatio_Least(loaded.model, loaded.state, 0, NULL));
        }
        rslPictureDef def = rslDefaultPictureDef();
        def.width = 800;
        def.height = 500;
        def.style = rsl_springPicture;
        AddFigures(study, &loaded, repels);
        cliStudy_Draw(study, &loaded, &def,
                      repels ? "the ball at rest, with edge repulsion" : "the same ball without repulsion");
    }
    cliLoaded_Free(&loaded);
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "The flattest triangle");
    cliPanel* panel = cliPlot_AddPanel(plot, "", "time [s]", "least area over that at rest");
    cliPanel_AddLevel(panel, "collapsed", 0, 12, 0);
    Rest(study, false, panel);
    cliStudy_Progress(study, 0.5, "with repulsion");
    Rest(study, true, panel);
}

const cliExperiment cliCooperFigure1 = {
    .name = "cooper-fig-1",
    .title = "A ball of triangles on the ground",
    .source = "Cooper & Maddock (1999), figure 1 and sections 2 and 3",
    .text = "The figure shows a mesh of masses, springs and dampers, without numbers. Here 216 triangles, 127 nodes of "
            "1 kg and "
            "k = 3000 N/m per edge are a ball 2 m across that comes down on the ground. Without repulsion triangles "
            "that carry the "
            "weight turn inside out, and stay so. With edge repulsion of k = 300 N/m, a tenth, the ball sags and all "
            "areas stay "
            "positive: it is the barrier that keeps it up, not its stiffness at rest.",
    .run = Run,
};
