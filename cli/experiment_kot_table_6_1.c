// SPDX-License-Identifier: MIT
//
// experiment_kot_table_6_1.c: how far a ball with a hard core and a soft shell rolls, at three levels of detail.

#include "reproduce.h"
#include "tally.h"

#include <math.h>

typedef struct Level
{
    const char *name, *scene;
    int nodes;  // of a random network
    double shortest, longest;
    double published;  // [m]
} Level;

static const Level levels[] = {
    { "lattice, 275 nodes", "kot-table-6.1.yaml", 0, 0, 0, 6.1 },
    { "114 nodes", "kot-table-6.1-random.yaml", 114, 0.15, 0.33, 5.6 },
    { "51 nodes", "kot-table-6.1-random.yaml", 51, 0.2, 0.45, 6.0 },
};

enum
{
    LEVELS = sizeof levels / sizeof levels[0],
    SEEDS = 4,
};

// A lattice has no seeds; it is turned instead.
static void Choose(cliStudy* study, const Level* level, int seed, bool spheres)
{
    cliStudy_Reset(study);
    cliStudy_Set(study, "bodies.ball.skin", "%s", spheres ? "spheres" : "surface");
    if (spheres)
    {
        // nodes of cut cells lie outside of the ball, and may lie below the ground
        cliStudy_Set(study, "bodies.ball.radius", "0");
        cliStudy_Set(study, "contact.overlap", "separate");
    }
    if (level->nodes == 0)
    {
        cliStudy_Set(study, "bodies.ball.network.orientation.axis", "[0.4, -0.3, 0.7]");
        cliStudy_Set(study, "bodies.ball.network.orientation.angle", "%g", 25.0 * seed);
        return;
    }
    cliStudy_Set(study, "bodies.ball.network.count", "%d", level->nodes);
    cliStudy_Set(study, "bodies.ball.network.min_length", "%g", level->shortest);
    cliStudy_Set(study, "bodies.ball.network.max_length", "%g", level->longest);
    cliStudy_Set(study, "seed", "%d", 1 + seed);
}

// Until it turns back or the time is over; the distance.
static double Roll(cliStudy* study, cliLoaded* loaded, cliCurve* curve)
{
    rslReport report = { 0 };
    rslMotion start = rslSolver_Motion(loaded->solver, loaded->state, 0);
    double farthest = 0;
    for (double t = 0; t <= loaded->scene.time.duration; t += 0.1)
    {
        if (!cliStudy_Check(study, cliLoaded_RunTo(loaded, t, &report), &report))
        {
            return NAN;
        }
        rslMotion now = rslSolver_Motion(loaded->solver, loaded->state, 0);
        double x = now.centre.x - start.centre.x;
        cliCurve_Add(curve, t, x);
        if (t > 1 && x < farthest)
        {
            break;
        }
        farthest = fmax(farthest, x);
    }
    return farthest;
}

static double RollOne(cliStudy* study, const Level* level, int seed, bool spheres, cliCurve* curve)
{
    double distance = NAN;
    cliLoaded loaded;
    Choose(study, level, seed, spheres);
    if (cliStudy_Open(study, level->scene, &loaded))
    {
        distance = Roll(study, &loaded, curve);
        if (seed == 0 && !spheres)
        {
            rslPictureDef def = rslDefaultPictureDef();
            def.width = 560;
            def.height = 360;
            def.style = rsl_springPicture;
            cliStudy_Draw(study, &loaded, &def, cliNamed("%s, where it stopped", level->name).text);
        }
    }
    cliLoaded_Free(&loaded);
    return distance;
}

static double RunLevel(cliStudy* study, int index, bool spheres, cliPanel* panel)
{
    const Level* level = &levels[index];
    cliTally tally = { 0 };
    for (int seed = 0; seed < (cliStudy_IsQuick(study) ? 1 : SEEDS) && cliStudy_IsGood(study); ++seed)
    {
        cliStudy_Progress(study, ((spheres ? LEVELS : 0) + index + seed / (double)SEEDS) / (2 * LEVELS), "%s, %d",
                          level->name, seed);
        cliCurve* curve = cliPanel_AddCurve(panel, seed == 0 ? level->name : NULL, cliStyle_OursLine(1 + index));
        cliTally_Add(&tally, RollOne(study, level, seed, spheres, curve));
    }
    cliQuantity q =
        cliQuantity_Make(tally.mean, "m", "distance, %s, %s", level->name, spheres ? "nodes touch" : "surface touches");
    q.published = level->published;
    q.uncertainty = 0.05;
    cliQuantity_Note(&q, "%d networks: deviation %.2g m, from %.3g to %.3g m.", tally.count, cliTally_Deviation(&tally),
                     tally.lowest, tally.highest);
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(cliTally_Deviation(&tally) / tally.mean, "", "scatter, %s, %s", level->name,
                         spheres ? "nodes touch" : "surface touches");
    cliStudy_Add(study, &q);
    return tally.mean;
}

static void RunContact(cliStudy* study, bool spheres)
{
    cliPlot* plot = cliStudy_Plot(study, spheres ? "Rolling on border nodes" : "Rolling on the embedded surface");
    cliPanel* panel = cliPlot_AddPanel(plot, "", "time [s]", "distance [m]");
    double means[LEVELS] = { 0 }, lowest = INFINITY, highest = 0;
    bool quick = cliStudy_IsQuick(study);  // one level for each of both
    int first = quick && !spheres ? LEVELS - 1 : 0, end = quick && spheres ? 1 : LEVELS;
    for (int i = first; i < end && cliStudy_IsGood(study); ++i)
    {
        means[i] = RunLevel(study, i, spheres, panel);
        lowest = fmin(lowest, means[i]);
        highest = fmax(highest, means[i]);
    }
    if (!quick)
    {
        cliQuantity q =
            cliQuantity_Make(highest / lowest, "", "largest over smallest mean, %s", spheres ? "nodes" : "surface");
        q.published = 6.1 / 5.6;
        q.uncertainty = 0.02;
        cliStudy_Add(study, &q);
    }
}

static void Run(cliStudy* study)
{
    RunContact(study, false);
    RunContact(study, true);
    cliStudy_Say(
        study,
        "The thesis rolls one network of each size. Networks of the same size differ by as much as the sizes do, so "
        "its agreement between levels of detail is within the luck of three draws.");
}

const cliExperiment cliKotTable61 = {
    .name = "kot-table-6.1",
    .title = "A ball with a hard core and a soft shell rolls to rest",
    .source = "Kot, Mass spring models (thesis), table 6.1",
    .text = "A ball is thrown along the ground just above it, bounces, rolls and is stopped by what its shell loses. "
            "The thesis states "
            "neither size nor material nor speed; those here are chosen such that it stops after some metres. Four "
            "networks of each "
            "level of detail, a lattice in four orientations; what touches is the surface of the sphere, embedded in "
            "the network, and "
            "for comparison the border nodes.",
    .run = Run,
};
