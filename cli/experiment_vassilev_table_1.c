// SPDX-License-Identifier: MIT
//
// experiment_vassilev_table_1.c: the time of a frame against the number of triangles.

#include "round.h"

#include <math.h>
#include <time.h>

enum
{
    SIZES = 6,
    PAPER = 4,  // of them in the paper
    METHODS = 4,
    FRAME = 20,  // steps of a frame
};

static const char* const scene = "vassilev-table-1.yaml";
static const char* const methods[METHODS] = { "none", "implicit", "explicit", "pressure" };

typedef struct Size
{
    int slices;
    double published;  // [ms]
} Size;

static const Size sizes[SIZES] = { { 24, 21.30 }, { 36, 33.03 }, { 48, 49.94 },
                                   { 58, 66.81 }, { 224, NAN },  { 707, NAN } };

// Of this process: other programs on the machine do not count.
static double Seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The least of several frames, so many that they take a while together [s].
static double TimeFrame(cliStudy* study, cliLoaded* loaded, int repeats)
{
    double least = INFINITY;
    for (int r = 0; r <= repeats && cliStudy_IsGood(study); ++r)
    {
        double start = Seconds();
        rslStatus status = rslSolver_Step(loaded->solver, loaded->state, FRAME);
        double seconds = Seconds() - start;
        least = r > 0 && seconds < least ? seconds : least;  // the first one warms up
        cliStudy_Check(study, status, NULL);
    }
    return least;
}

static double TimeOf(cliStudy* study, const Size* size, const char* method)
{
    cliLoaded loaded;
    double seconds = NAN;
    cliStudy_Reset(study);
    cliStudy_Set(study, "body.shape.file", "vassilev-table-1-%d.obj", size->slices);
    if (method != methods[0])
    {
        cliStudy_Set(study, "body.volume.method", "%s", method);
        cliStudy_Set(study, "body.volume.stiffness", "0.01");
    }
    if (cliStudy_Open(study, scene, &loaded))
    {
        int triangles = 2 * size->slices * size->slices, repeats = 400000 / triangles;
        repeats = cliStudy_IsQuick(study) ? repeats / 40 : repeats;
        seconds = TimeFrame(study, &loaded, repeats < 3 ? 3 : repeats);
    }
    cliLoaded_Free(&loaded);
    return seconds;
}

static void AddFrame(cliStudy* study, const Size* size, const char* method, double seconds)
{
    int triangles = 2 * size->slices * size->slices;
    cliQuantity q = cliQuantity_Make(1e3 * seconds, "ms", "time of a frame, %d triangles, %s", triangles, method);
    bool theirs = method == methods[1];  // support springs with implicit volume
    q.published = theirs ? size->published : NAN;
    cliQuantity_Note(&q, "%.0f ns a triangle and step; %d steps a frame, one thread, without drawing.%s",
                     1e9 * seconds / FRAME / triangles, FRAME,
                     theirs && !isnan(size->published)
                         ? " Published: Pentium III of 700 MHz, drawing included, steps not stated."
                         : "");
    cliStudy_Add(study, &q);
}

// How far times a triangle are off their mean over the paper's sizes, and those of large meshes over that mean.
static void AddLinearity(cliStudy* study, const char* method, const double seconds[SIZES], int count)
{
    double each[SIZES], mean = 0.0, worst = 0.0;
    for (int i = 0; i < count; ++i)
    {
        each[i] = seconds[i] / (2.0 * sizes[i].slices * sizes[i].slices);
        mean += i < PAPER ? each[i] / PAPER : 0.0;
    }
    for (int i = 0; i < PAPER; ++i)
    {
        worst = fmax(worst, fabs(each[i] / mean - 1.0));
    }
    cliQuantity q = cliQuantity_Make(worst, "", "time a triangle off its mean, 1152 to 6728 triangles, %s", method);
    if (!cliStudy_IsQuick(study))
    {
        q.lowest = 0.0;
        q.highest = 0.15;
    }
    cliStudy_Add(study, &q);
    for (int i = PAPER; i < count; ++i)
    {
        q = cliQuantity_Make(each[i] / mean, "", "time a triangle at %d triangles over that mean, %s",
                             2 * sizes[i].slices * sizes[i].slices, method);
        q.lowest = 0.5;
        q.highest = 2.0;
        cliStudy_Add(study, &q);
    }
}

static void Run(cliStudy* study)
{
    int count = cliStudy_IsQuick(study) ? PAPER : SIZES, kinds = cliStudy_IsQuick(study) ? 2 : METHODS;
    double seconds[METHODS][SIZES];
    cliPanel* panel =
        cliPlot_AddPanel(cliStudy_Plot(study, "Time of a frame"), "", "triangles", "time of a frame [ms]");
    cliPanel_SetLog(panel, true, true);
    cliCurve* published = cliPanel_AddCurve(panel, "published (Pentium III, 700 MHz)", cliStyle_Published());
    for (int i = 0; i < count; ++i)
    {
        cliRound round = { .slices = sizes[i].slices, .radii = { 1, 1, 1 } };
        cliRound_WriteMesh(&round, study, cliNamed("vassilev-table-1-%d.obj", sizes[i].slices).text);
    }
    for (int m = 0; m < kinds && cliStudy_IsGood(study); ++m)
    {
        cliCurve* curve = cliPanel_AddCurve(panel, cliNamed("ours, %s", methods[m]).text, cliStyle_Ours(m + 1));
        for (int i = 0; i < count && cliStudy_IsGood(study); ++i)
        {
            cliStudy_Progress(study, (m + (double)i / count) / kinds, "%s, n = %d", methods[m], sizes[i].slices);
            seconds[m][i] = TimeOf(study, &sizes[i], methods[m]);
            AddFrame(study, &sizes[i], methods[m], seconds[m][i]);
            cliCurve_Add(curve, 2.0 * sizes[i].slices * sizes[i].slices, 1e3 * seconds[m][i]);
        }
    }
    for (int i = 0; i < PAPER; ++i)
    {
        cliCurve_Add(published, 2.0 * sizes[i].slices * sizes[i].slices, sizes[i].published);
    }
    for (int m = 0; m < kinds && cliStudy_IsGood(study); ++m)
    {
        AddLinearity(study, methods[m], seconds[m], count);
    }
    if (cliStudy_IsGood(study) && kinds == METHODS)
    {
        double base = seconds[0][PAPER - 1], scale = 1e9 / FRAME / 6728.0;
        cliStudy_Say(study,
                     "At 6728 triangles the springs take %.0f ns a triangle and step; implicit volume adds %.0f, "
                     "explicit volume "
                     "%.0f, pressure %.0f. The paper prefers implicit volume for its cost; its advantage is %s here.",
                     scale * base, scale * (seconds[1][PAPER - 1] - base), scale * (seconds[2][PAPER - 1] - base),
                     scale * (seconds[3][PAPER - 1] - base),
                     seconds[1][PAPER - 1] < 0.97 * seconds[2][PAPER - 1] ? "there" : "not to be seen");
    }
}

const cliExperiment cliVassilevTable1 = {
    .name = "vassilev-table-1",
    .title = "Time of a frame against the number of triangles",
    .source = "Vassilev, Spanlang (2002), table 1",
    .text = "A tessellated sphere with support springs is simulated for frames of 20 steps; the paper does not say how "
            "many it takes, and draws "
            "each frame. Times are of the processor, the least of several frames. Beside them what the volume costs by "
            "each method, and "
            "how the time a triangle changes up to a million triangles.",
    .run = Run,
};
