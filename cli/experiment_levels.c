// SPDX-License-Identifier: MIT
//
// experiment_levels.c: levels of detail side by side: what they measure as, what they cost, and how far their drawn surfaces are from that
// of the finest while bodies bend and land.

#include "number.h"
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>

enum
{
    LEVELS = 3,
    SAMPLES = 40,
    SETTINGS = 3,
};

static const double factors[LEVELS] = { 1, 0.5, 0.25 };  // of the scenes

typedef struct Kind
{
    const char *name, *scene;  // levels-of-detail-SCENE-bend.yaml, and -land.yaml
    bool quick;                // it has a smaller version, with twice the spacing and less time
    const char* settings[SETTINGS][2];
    double bar;  // of the errors of E, nu and G; NaN: a matter of luck
} Kind;

static const Kind kinds[] = {
    { "bar of bricks", "bar", true, { { "bodies.0.material.poisson", "0.4" } }, 1e-4 },
    { "bar of springs", "bar", false, { { "bodies.0.model", "springs" } }, 1e-4 },
    { "bar of tetrahedra",
      "bar",
      false,
      { { "bodies.0.network.type", "tetrahedra" },
        { "bodies.0.network.spacing", "0.016" },
        { "bodies.0.model", "fem" } },
      1e-4 },
    { "bar of a random network", "random", false, { { NULL } }, NAN },
    { "rabbit of bricks", "rabbit", false, { { NULL } }, 1e-4 },
    { "sheet", "sheet", false, { { NULL } }, 1e-4 },
};

enum
{
    KINDS = sizeof kinds / sizeof kinds[0],
};

static cliName SceneOf(const Kind* kind, bool lands)
{
    return cliNamed("levels-of-detail-%s-%s.yaml", kind->scene, lands ? "land" : "bend");
}

static void Choose(cliStudy* study, const Kind* kind, int level)
{
    cliStudy_Reset(study);
    for (int i = 0; i < SETTINGS && kind->settings[i][0] != NULL; ++i)
    {
        cliStudy_Set(study, kind->settings[i][0], "%s", kind->settings[i][1]);
    }
    if (cliStudy_IsQuick(study))
    {
        cliStudy_Set(study, "bodies.0.network.spacing", "0.02");
        cliStudy_Set(study, "time.duration", "0.2");
    }
    cliStudy_Set(study, "bodies.0.level", "%d", level);
}

static cliQuantity Figure(const Kind* kind, int level, double ours, const char* unit, const char* what)
{
    return cliQuantity_Make(ours, unit, "%s, lod %g: %s", kind->name, factors[level], what);
}

// ---- what a level measures as ---------------------------------------------------------------------------------------

static void AddModuli(cliStudy* study, const Kind* kind, int level, const rslMeasurements* found)
{
    static const char* const names[][2] = { { "E_x", "Pa" }, { "nu_x", "" }, { "G_xy", "Pa" } };
    for (int i = 0; i < 3; ++i)
    {
        const rslMeasurement* one = rslMeasurements_Find(found, names[i][0]);
        if (one == NULL || !isfinite(one->ours))
        {
            continue;
        }
        cliQuantity q = Figure(kind, level, one->ours, names[i][1], names[i][0]);
        q.reference = one->target;
        q.bar = kind->bar;
        cliStudy_Add(study, &q);
    }
}

// Moduli of its network and its first frequency; masses are compared bit by bit.
static void Measure(cliStudy* study, const Kind* kind, int level, double* first)
{
    Choose(study, kind, level);
    rslMeasureDef def = rslDefaultMeasureDef();
    def.tests = rsl_tensionTest | rsl_shearTest;
    rslMeasurements* moduli = cliStudy_Measure(study, SceneOf(kind, false).text, &def);
    def.tests = rsl_ringingTest;
    def.specimen = rsl_bodySpecimen;
    rslMeasurements* rings = moduli != NULL ? cliStudy_Measure(study, SceneOf(kind, false).text, &def) : NULL;
    if (rings != NULL)
    {
        double now[] = { rings->mass, cliMeasured(rings, "f1") };
        first[0] = level == 0 ? now[0] : first[0];
        first[1] = level == 0 ? now[1] : first[1];
        cliQuantity q = Figure(kind, level, rings->nodeCount, "", "nodes");
        cliStudy_Add(study, &q);
        q = Figure(kind, level, now[0], "kg", "mass");
        q.reference = first[0];
        q.bar = 0;
        cliStudy_Add(study, &q);
        AddModuli(study, kind, level, moduli);
        q = Figure(kind, level, now[1], "Hz", "first frequency of the free body");
        q.reference = first[1];
        cliQuantity_Note(&q, "Beside that of the finest level.");
        cliStudy_Add(study, &q);
    }
    rslMeasurements_Free(moduli);
    rslMeasurements_Free(rings);
}

// ---- how they move --------------------------------------------------------------------------------------------------

typedef struct Moving
{
    cliLoaded loaded[LEVELS];
    double seconds[LEVELS];  // of computing
    double* surface[2];      // of the finest, and of another
    int vertices;
    double size;  // largest extent of the surface at the start [m]
} Moving;

static bool Open(cliStudy* study, const Kind* kind, bool lands, Moving* moving)
{
    bool good = true;
    for (int level = 0; level < LEVELS; ++level)
    {
        Choose(study, kind, level);
        good = cliStudy_Open(study, SceneOf(kind, lands).text, &moving->loaded[level]) && good;
    }
    if (!good)
    {
        return false;
    }
    moving->vertices = rslBody_Drawn(&moving->loaded[0].model->bodies[0])->vertexCount;
    for (int i = 0; i < 2; ++i)
    {
        moving->surface[i] = calloc(3 * (size_t)moving->vertices + 1, sizeof(double));
        good = good && moving->surface[i] != NULL;
    }
    return cliStudy_Check(study, good ? rsl_ok : rsl_outOfMemory, NULL);
}

static void Look(const Moving* moving, int level, double* xyz)
{
    rslState_Drawn(moving->loaded[level].model, moving->loaded[level].state, 0, xyz);
}

static double Extent(const double* xyz, int count)
{
    double most = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = INFINITY, high = -INFINITY;
        for (int v = 0; v < count; ++v)
        {
            low = fmin(low, xyz[3 * v + axis]);
            high = fmax(high, xyz[3 * v + axis]);
        }
        most = fmax(most, high - low);
    }
    return most;
}

// Of vertices, root of the mean square over the size of the body.
static double Difference(const Moving* moving, int level)
{
    double sum = 0;
    Look(moving, level, moving->surface[1]);
    for (int i = 0; i < 3 * moving->vertices; ++i)
    {
        double off = moving->surface[1][i] - moving->surface[0][i];
        sum += off * off;
    }
    return sqrt(sum / fmax(moving->vertices, 1)) / moving->size;
}

static bool Advance(cliStudy* study, Moving* moving, double time)
{
    bool good = true;
    for (int level = 0; level < LEVELS && good; ++level)
    {
        rslReport report = { 0 };
        double begun = cliClock();
        good = cliStudy_Check(study, cliLoaded_RunTo(&moving->loaded[level], time, &report), &report);
        moving->seconds[level] += cliClock() - begun;
    }
    return good;
}

// Side by side to the end; the largest difference of every level from the finest.
static void Follow(cliStudy* study, Moving* moving, cliPanel* panel, double* most)
{
    cliCurve* curves[LEVELS] = { NULL };
    Look(moving, 0, moving->surface[0]);
    moving->size = Extent(moving->surface[0], moving->vertices);
    for (int level = 1; level < LEVELS; ++level)
    {
        curves[level] = cliPanel_AddCurve(panel, cliNamed("lod %g", factors[level]).text, cliStyle_OursLine(level));
        most[level] = 0;
    }
    for (int i = 0; i <= SAMPLES; ++i)
    {
        double time = moving->loaded[0].scene.time.duration * i / SAMPLES;
        if (!Advance(study, moving, time))
        {
            return;
        }
        Look(moving, 0, moving->surface[0]);
        for (int level = 1; level < LEVELS; ++level)
        {
            double off = Difference(moving, level);
            most[level] = fmax(most[level], off);
            cliCurve_Add(curves[level], time, 100 * off);
        }
    }
}

static void AddMotion(cliStudy* study, const Kind* kind, bool lands, const Moving* moving, const double* most)
{
    for (int level = 0; level < LEVELS; ++level)
    {
        const cliLoaded* loaded = &moving->loaded[level];
        cliQuantity q;
        if (lands)
        {
            q = Figure(kind, level, rslSolver_Stability(loaded->solver).stableStep, "s", "stable step");
            cliStudy_Add(study, &q);
            q = Figure(kind, level, moving->seconds[level] / loaded->scene.time.duration, "s",
                       "time for a second of motion");
            cliQuantity_Note(&q, "%s of the finest; a matter of the machine.",
                             cliFigure(moving->seconds[level] / moving->seconds[0]).text);
            cliStudy_Add(study, &q);
        }
        if (level > 0)
        {
            q = Figure(kind, level, most[level], "", lands ? "surface, while it lands" : "surface, while it bends");
            cliQuantity_Note(&q,
                             "Root mean square distance of the drawn vertices from those of the finest level over the "
                             "size of the body, at its largest.");
            cliStudy_Add(study, &q);
        }
    }
}

static void Move(cliStudy* study, const Kind* kind, bool lands, cliPlot* plot)
{
    Moving moving = { 0 };
    double most[LEVELS] = { 0 };
    if (Open(study, kind, lands, &moving))
    {
        cliPanel* panel = cliPlot_AddPanel(plot, cliNamed("%s, %s", kind->name, lands ? "landing" : "bending").text,
                                           "time [s]", "off the finest [% of its size]");
        Follow(study, &moving, panel, most);
        AddMotion(study, kind, lands, &moving, most);
        for (int level = 0; level < LEVELS && lands && kind->bar > 0 && cliStudy_IsGood(study); ++level)
        {
            rslPictureDef def = rslDefaultPictureDef();
            def.width = 360;
            def.height = 270;
            cliStudy_Draw(study, &moving.loaded[level], &def, cliNamed("%s, lod %g", kind->name, factors[level]).text);
        }
    }
    for (int level = 0; level < LEVELS; ++level)
    {
        cliLoaded_Free(&moving.loaded[level]);
    }
    free(moving.surface[0]);
    free(moving.surface[1]);
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "How far the drawn surfaces of coarser levels are from that of the finest");
    for (int k = 0; k < KINDS && cliStudy_IsGood(study); ++k)
    {
        const Kind* kind = &kinds[k];
        double first[2] = { NAN, NAN };
        if (cliStudy_IsQuick(study) && !kind->quick)
        {
            continue;
        }
        for (int level = 0; level < LEVELS && cliStudy_IsGood(study); ++level)
        {
            cliStudy_Progress(study, (k + 0.1 * level) / KINDS, "%s, lod %g", kind->name, factors[level]);
            Measure(study, kind, level, first);
        }
        cliStudy_Progress(study, (k + 0.4) / KINDS, "%s bends", kind->name);
        Move(study, kind, false, plot);
        cliStudy_Progress(study, (k + 0.7) / KINDS, "%s lands", kind->name);
        Move(study, kind, true, plot);
    }
    cliStudy_Say(study, "Mass is the same to the last bit at all levels. Moduli are those of the material to rounding "
                        "where networks are "
                        "regular or elements fill them; those of a random network depend on where its nodes are, the "
                        "more the fewer there "
                        "are, and are calibrated along x here. What bodies do with them differs where a part is only a "
                        "few cells thick: "
                        "tetrahedra and springs bend too stiffly then, bricks do not.");
}

const cliExperiment cliLevelsOfDetail = {
    .name = "levels-of-detail",
    .title = "Levels of detail: the same body at three resolutions",
    .source = "resilin; no paper",
    .text = "Bars of bricks, springs, tetrahedra and a random network, a rabbit and a sheet, each with lod: [1, 0.5, "
            "0.25]: nodes, mass, "
            "moduli and first frequency, the stable step and what a second of motion takes, and how far the surface "
            "that is drawn, "
            "the same vertices at all levels, is from that of the finest while the body bends, held at one end, and "
            "while it falls "
            "and lands.",
    .run = Run,
};
