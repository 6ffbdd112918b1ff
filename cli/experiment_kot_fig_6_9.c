// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_6_9.c: two bars joined by rubber thrown at a wall.

#include "reproduce.h"

#include <math.h>

enum
{
    BODIES = 4,  // lattices of one to three cells across, and a disordered network
    SAMPLES = 150,
    PICTURES = 4,
};

static const double shown[PICTURES] = { 0.2, 0.36, 0.5, 0.8 };  // before the wall, at it, along it and after it [s]

typedef struct Flight
{
    bool flown;
    rslVec3 centre[SAMPLES + 1];
    double touch;  // when it first touches the wall [s]
} Flight;

static const char* const names[BODIES] = { "lattice, 1 cell across", "lattice, 2 cells", "lattice, 3 cells",
                                           "disordered, 154 nodes" };

static bool Fly(cliStudy* study, int body, double duration, Flight* flight, bool pictures)
{
    cliLoaded loaded;
    rslReport report = { 0 };
    cliStudy_Reset(study);
    if (body < 3)
    {
        cliStudy_Set(study, "bodies.bars.network.spacing", "%.17g", 0.1 / (1 + body));
    }
    int picture = pictures ? 0 : PICTURES;
    *flight = (Flight){ .touch = NAN };
    bool good = cliStudy_Open(study, body < 3 ? "kot-fig-6.9-6.10.yaml" : "kot-fig-6.9-6.10-random.yaml", &loaded);
    for (int k = 0; good && k <= SAMPLES; ++k)
    {
        double time = duration * k / SAMPLES;
        good = cliStudy_Check(study, cliLoaded_RunTo(&loaded, time, &report), &report);
        flight->centre[k] = rslSolver_Motion(loaded.solver, loaded.state, 0).centre;
        int wall = rslModel_FindCollider(loaded.model, "wall");
        if (isnan(flight->touch) && wall >= 0 && rslState_Push(loaded.model, loaded.state, 0, wall).normal.x != 0)
        {
            flight->touch = time;
        }
        if (good && picture < PICTURES && time > shown[picture] - 0.5 * duration / SAMPLES)
        {
            picture += 1;
            rslPictureDef def = rslDefaultPictureDef();
            def.width = 560;
            def.height = 420;
            def.view = (rslVec3){ -0.35, -1, 0.3 };  // the wall from before
            good = cliStudy_Draw(study, &loaded, &def, cliNamed("%s, %.2f s", names[body], time).text);
        }
    }
    cliLoaded_Free(&loaded);
    flight->flown = good;
    return good;
}

static double Apart(const Flight* a, const Flight* b, double time, double duration)
{
    int k = (int)(time / duration * SAMPLES + 0.5);
    k = k < 0 ? 0 : k > SAMPLES ? SAMPLES : k;
    double x = a->centre[k].x - b->centre[k].x, y = a->centre[k].y - b->centre[k].y,
           z = a->centre[k].z - b->centre[k].z;
    return sqrt(x * x + y * y + z * z);
}

static void AddFigures(cliStudy* study, int body, const Flight* flight, const Flight* finest, double duration)
{
    const double times[] = { finest->touch, finest->touch + 0.3, duration };
    const char* const when[] = { "when it touches the wall", "0.3 s later", "at the end" };
    for (int i = 0; i < 3; ++i)
    {
        cliQuantity q = cliQuantity_Make(Apart(flight, finest, times[i], duration), "m",
                                         "%s: centre off that of the finest, %s", names[body], when[i]);
        if (i == 0)
        {
            q.highest = 0.02;
        }
        cliStudy_Add(study, &q);
    }
}

static void Run(cliStudy* study)
{
    static Flight flights[BODIES];
    bool quick = cliStudy_IsQuick(study);
    double duration = quick ? 0.9 : 3;
    int finest = quick ? 1 : 2;
    cliPlot* plot = cliStudy_Plot(study, "Two bars joined by rubber thrown at a wall");
    cliPanel* way = cliPlot_AddPanel(plot, "Way of the centre of mass", "x [m]", "z [m]");
    cliPanel* time = cliPlot_AddPanel(plot, "", "time [s]", "x [m]");
    for (int b = 0; b < BODIES && cliStudy_IsGood(study); ++b)
    {
        cliStudy_Progress(study, b / (double)BODIES, "%s", names[b]);
        if ((quick && b >= 2) || !Fly(study, b, duration, &flights[b], b == finest || b == 3))
        {
            continue;
        }
        cliCurve* ways = cliPanel_AddCurve(way, names[b], cliStyle_OursLine(1 + b));
        cliCurve* times = cliPanel_AddCurve(time, names[b], cliStyle_OursLine(1 + b));
        for (int k = 0; k <= SAMPLES; ++k)
        {
            cliCurve_Add(ways, flights[b].centre[k].x, flights[b].centre[k].z);
            cliCurve_Add(times, duration * k / SAMPLES, flights[b].centre[k].x);
        }
    }
    for (int b = 0; b < BODIES && cliStudy_IsGood(study); ++b)
    {
        if (b != finest && flights[b].flown && flights[finest].flown)
        {
            AddFigures(study, b, &flights[b], &flights[finest], duration);
        }
    }
    cliStudy_Say(study, "All agree until they have hit the wall; from then on small differences grow, and where they "
                        "end has nothing to "
                        "do with resolution. \"Very similar\" holds for the first impact.");
}

const cliExperiment cliKotFigure69 = {
    .name = "kot-fig-6.9-6.10",
    .title = "Two bars joined by rubber thrown at a wall",
    .source = "Kot, Mass spring models (thesis), figures 6.9 and 6.10",
    .text = "Two stiff bars joined by rubber turn while they fly against a wall, bounce off, fall to the ground and "
            "slide to rest. "
            "The thesis states no sizes, materials or speeds and compares a lattice of 368 nodes with a disordered "
            "network of 154 by "
            "eye. Here lattices of one, two and three cells across and such a network are compared by their centres of "
            "mass.",
    .run = Run,
};
