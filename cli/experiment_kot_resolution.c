// SPDX-License-Identifier: MIT
//
// experiment_kot_resolution.c: frequencies over resolution and over how the lattice lies in the body.
//
// A body at a resolution is measured several times with its lattice lying in other ways; every time gives some ratios of a
// frequency to that of the material. Their mean is the error of the resolution, their deviation that of the lattice.

#include "model_choice.h"
#include "tally.h"

#include <math.h>

enum
{
    MODELS = 3,
    BRICK = 1,
    ELEMENTS = 2,
    MOST = 8,  // resolutions of a body
};

static const cliModelChoice models[MODELS] = {
    { "springs, anti-aliased", "springs", NULL, NULL },
    { "bricks", "brick", "law", "corotational" },
    { "finite elements by weight", "fem", "element", "incompatible" },
};

// Ratios of frequencies to those of the material; modes that have one frequency are together.
typedef struct Ratios
{
    cliTally first, second;
} Ratios;

static void Choose(cliStudy* study, const cliModelChoice* model, double cells)
{
    cliStudy_Reset(study);
    cliModelChoice_Set(model, study);
    cliStudy_Set(study, "body.network.spacing", "%.17g", 1 / cells);
}

// The lowest modes of a scene as it starts. To be freed; NULL when it failed.
static rslModes* FindModes(cliStudy* study, const char* scene, int count)
{
    cliLoaded loaded;
    rslModes* modes = NULL;
    if (cliStudy_Open(study, scene, &loaded))
    {
        rslReport report = { 0 };
        rslModesDef def = rslDefaultModesDef();
        def.count = count;
        rslStatus status = rslModes_Find(loaded.model, loaded.state, &def, NULL, &modes, &report);
        if (!cliStudy_Check(study, status, &report))
        {
            rslModes_Free(modes);
            modes = NULL;
        }
    }
    cliLoaded_Free(&loaded);
    return modes;
}

// ---- three bodies -------------------------------------------------------------------------------------------------------

static const char* const cantilever = "kot-resolution-cantilever.yaml";

static double CantileverFrequency(cliStudy* study, const cliModelChoice* model, double cells, double angle)
{
    Choose(study, model, cells);
    cliStudy_Set(study, "body.network.orientation.angle", "%g", angle);
    rslModes* modes = FindModes(study, cantilever, 1);
    double frequency = modes != NULL ? modes->frequency[0] : NAN;
    rslModes_Free(modes);
    return frequency;
}

// Incompatible elements that fit, of two resolutions: the error falls with the square of the cell.
static double CantileverReference(cliStudy* study)
{
    double coarse = CantileverFrequency(study, &models[ELEMENTS], 4, 0);
    double fine = CantileverFrequency(study, &models[ELEMENTS], 8, 0);
    return fine + (fine - coarse) / 3;
}

// Turned about its axis.
static void MeasureCantilever(cliStudy* study, const cliModelChoice* model, double cells, int lie, double reference,
                              Ratios* ratios)
{
    cliTally_Add(&ratios->first, CantileverFrequency(study, model, cells, 11.25 * lie) / reference);
}

// The machine knows the frequencies of a free box. The first two are bending in two planes, the third is torsion.
static void MeasureBar(cliStudy* study, const cliModelChoice* model, double cells, int lie, double reference,
                       Ratios* ratios)
{
    (void)reference;
    Choose(study, model, cells);
    cliStudy_Set(study, "body.network.orientation.axis", "[%g, %g, %g]", cos(2.4 * lie), sin(2.4 * lie),
                 0.4 + 0.2 * lie);
    cliStudy_Set(study, "body.network.orientation.angle", "%g", fmod(35 + 47.3 * lie, 180));
    rslMeasureDef def = rslDefaultMeasureDef();
    def.tests = rsl_ringingTest;
    rslMeasurements* m = cliStudy_Measure(study, "kot-resolution-bar.yaml", &def);
    for (int i = 1; i <= 3 && m != NULL; ++i)
    {
        const rslMeasurement* f = rslMeasurements_Find(m, cliNamed("f%d", i).text);
        cliTally_Add(i < 3 ? &ratios->first : &ratios->second, f == NULL ? NAN : f->ours / f->target);
    }
    rslMeasurements_Free(m);
}

// Five torsional modes w R / c = 2.5011 and five spheroidal ones, 2.6390, of nu = 1/4; c = sqrt(mu / rho). A lattice is centred
// in its body, and a ball looks the same from all sides: cells of somewhat other sizes cut it in other ways.
static void MeasureBall(cliStudy* study, const cliModelChoice* model, double cells, int lie, double reference,
                        Ratios* ratios)
{
    const double wave = sqrt(0.4) / (2 * 3.14159265358979);
    (void)reference;
    Choose(study, model, cells * (1 + 0.03 * (lie % 2 == 0 ? lie / 2 : -(lie + 1) / 2)));
    rslModes* modes = FindModes(study, "kot-resolution-ball.yaml", 10);
    for (int i = 0; modes != NULL && i < modes->count; ++i)
    {
        cliTally_Add(i < 5 ? &ratios->first : &ratios->second,
                     modes->frequency[i] / (wave * (i < 5 ? 2.5011 : 2.6390)));
    }
    rslModes_Free(modes);
}

typedef struct Bars
{
    double cells;             // where they hold
    double error, deviation;  // of the first frequency, at most
} Bars;

typedef struct Body
{
    const char *name, *first, *second;  // frequencies; second NULL: none
    const char* across;                 // what cells are counted over
    double cells[MOST];                 // ends with 0
    void (*measure)(cliStudy*, const cliModelChoice*, double, int, double, Ratios*);
    Bars bars;  // of bricks
} Body;

static const Body bodies[] = {
    { "cantilever",
      "f1",
      NULL,
      "cells across",
      { 2, 2.25, 2.5, 3, 3.5, 4, 6, 8 },
      MeasureCantilever,
      { 4, 0.005, 0.005 } },
    { "free bar", "bending", "torsion", "cells across", { 2, 3, 4, 6, 8 }, MeasureBar, { 4, 0.02, 0.01 } },
    { "free ball",
      "torsional",
      "spheroidal",
      "cells in the radius",
      { 2, 3, 4, 6, 8 },
      MeasureBall,
      { 4, 0.065, 0.01 } },
};

static const double quickCells[] = { 2, 4, 0 };

// ---- figures and plots --------------------------------------------------------------------------------------------------

static void AddFigures(cliStudy* study, const Body* body, int model, double cells, const char* which,
                       const cliTally* tally, bool judged)
{
    cliName where = cliNamed("%s, %s, %g %s, %s", body->name, which, cells, body->across, models[model].name);
    cliQuantity q = cliQuantity_Make(tally->mean, "", "%s", where.text);
    q.reference = 1;
    q.bar = judged ? body->bars.error : NAN;
    cliQuantity_Note(&q, "Standard deviation %.4f of %d, %.4f to %.4f.", cliTally_Deviation(tally), tally->count,
                     tally->lowest, tally->highest);
    cliStudy_Add(study, &q);
    if (judged)
    {
        q = cliQuantity_Make(cliTally_Deviation(tally), "", "standard deviation, %s", where.text);
        q.highest = body->bars.deviation;
        cliStudy_Add(study, &q);
    }
}

typedef struct Curves
{
    cliCurve *mean[2], *deviation[2];  // of the two frequencies
} Curves;

static void AddPoint(Curves* curves, int which, double cells, const cliTally* tally)
{
    double deviation = cliTally_Deviation(tally);
    cliCurve_AddBar(curves->mean[which], cells, tally->mean, deviation);
    cliCurve_Add(curves->deviation[which], cells, deviation);
}

static void RunModel(cliStudy* study, const Body* body, int model, double reference, cliPanel* const panels[4])
{
    bool quick = cliStudy_IsQuick(study);
    int lies = quick ? 2 : 5, lists = body->second != NULL ? 2 : 1;
    Curves curves = { 0 };
    for (int i = 0; i < lists; ++i)
    {
        curves.mean[i] = cliPanel_AddCurve(panels[2 * i], models[model].name, cliStyle_Ours(model + 1));
        curves.deviation[i] = cliPanel_AddCurve(panels[2 * i + 1], models[model].name, cliStyle_Ours(model + 1));
    }
    const double* cells = quick ? quickCells : body->cells;
    for (int i = 0; i < MOST && cells[i] > 0 && cliStudy_IsGood(study); ++i)
    {
        Ratios ratios = { 0 };
        cliStudy_Progress(study, (double)i / MOST, "%s, %s, %g %s", body->name, models[model].name, cells[i],
                          body->across);
        for (int lie = 0; lie < lies && cliStudy_IsGood(study); ++lie)
        {
            body->measure(study, &models[model], cells[i], lie, reference, &ratios);
        }
        bool judged = model == BRICK && cells[i] == body->bars.cells;
        AddFigures(study, body, model, cells[i], body->first, &ratios.first, judged);
        AddPoint(&curves, 0, cells[i], &ratios.first);
        if (body->second != NULL)
        {
            AddFigures(study, body, model, cells[i], body->second, &ratios.second, false);
            AddPoint(&curves, 1, cells[i], &ratios.second);
        }
    }
}

static void RunBody(cliStudy* study, const Body* body, double reference)
{
    cliPanel* panels[4] = { 0 };
    cliPlot* plot = cliStudy_Plot(study, cliNamed("Frequencies of a %s, nu = 0.25", body->name).text);
    for (int i = 0; i < (body->second != NULL ? 2 : 1); ++i)
    {
        const char* which = i == 0 ? body->first : body->second;
        panels[2 * i] = cliPlot_AddPanel(plot, which, body->across, "over that of the material");
        panels[2 * i + 1] = cliPlot_AddPanel(plot, cliNamed("%s: scatter with the lie of the lattice", which).text,
                                             body->across, "standard deviation");
        cliPanel_SetLog(panels[2 * i + 1], false, true);
        cliPanel_AddLevel(panels[2 * i], NULL, 2, cliStudy_IsQuick(study) ? 4 : 8, 1);
    }
    for (int model = 0; model < MODELS && cliStudy_IsGood(study); ++model)
    {
        RunModel(study, body, model, reference, panels);
    }
}

// ---- other Poisson's ratios, cells that fit -----------------------------------------------------------------------------

enum
{
    LISTED = 3,
    RATIOS = 4,
    FITS = 3,
};

// The first two are one, as are the fourth and the fifth: bending in two planes.
static const int listed[LISTED] = { 0, 2, 3 };
static const double poissons[RATIOS] = { -0.5, 0, 0.25, 0.45 };

static bool FindFitting(cliStudy* study, const cliModelChoice* model, double poisson, double cells, double f[LISTED])
{
    Choose(study, model, cells);
    cliStudy_Set(study, "body.material.poisson", "%g", poisson);
    rslModes* modes = FindModes(study, cantilever, 5);
    for (int i = 0; i < LISTED && modes != NULL; ++i)
    {
        f[i] = modes->frequency[listed[i]];
    }
    rslModes_Free(modes);
    return cliStudy_IsGood(study);
}

static void RunRatio(cliStudy* study, double poisson)
{
    static const double cells[FITS] = { 2, 4, 8 }, bars[FITS] = { 0.015, 0.005, 0.003 };
    double coarse[LISTED], fine[LISTED], ours[LISTED];
    bool good = FindFitting(study, &models[ELEMENTS], poisson, 4, coarse) &&
                FindFitting(study, &models[ELEMENTS], poisson, 8, fine);
    for (int i = 0; i < FITS && good; ++i)
    {
        good = FindFitting(study, &models[BRICK], poisson, cells[i], ours);
        for (int k = 0; k < LISTED && good; ++k)
        {
            cliQuantity q = cliQuantity_Make(ours[k] / (fine[k] + (fine[k] - coarse[k]) / 3), "",
                                             "cantilever, mode %d, nu = %g, %g cells that fit, bricks", listed[k] + 1,
                                             poisson, cells[i]);
            q.reference = 1;
            q.bar = k == 0 && poisson == 0.25 ? bars[i] : NAN;
            cliStudy_Add(study, &q);
        }
    }
}

static void Run(cliStudy* study)
{
    double reference = CantileverReference(study);
    for (int i = 0; i < (int)(sizeof bodies / sizeof bodies[0]) && cliStudy_IsGood(study); ++i)
    {
        RunBody(study, &bodies[i], reference);
    }
    for (int i = cliStudy_IsQuick(study) ? 2 : 0; i < (cliStudy_IsQuick(study) ? 3 : RATIOS); ++i)
    {
        RunRatio(study, poissons[i]);
    }
    cliStudy_Say(
        study,
        "Plain anti-aliasing spreads what fills a cell over its whole width, which stiffens bending by an amount that "
        "jumps with the way the surface cuts the cells; so do elements that count by their volume. Bricks know where "
        "in a "
        "cell the material is: a cantilever keeps its frequency, and that of bars scatters much less. What is left of "
        "bricks is the inertia of lumped masses, which slows torsion and free bodies and falls with the square of the "
        "cell; springs have it too, and where their mean is nearer to 1 two errors cancel.");
    cliStudy_Say(study, "The ball: part of the scatter is that its cells are of different sizes. At two cells in the "
                        "radius its ten lowest "
                        "modes are told apart by their order only.");
}

const cliExperiment cliKotResolution = {
    .name = "kot-resolution",
    .title = "Frequencies over resolution and the lie of the lattice",
    .source = "Kot, Mass spring models (thesis), chapter 7: left open there",
    .text =
        "The thesis closes with an open question: vibrating objects have other frequencies at other resolutions. Here "
        "the "
        "first frequencies of a cantilever 4 x 1 x 1 (lattice turned about its axis), a free bar 4 x 1 x 1 (turned in "
        "any way) and a "
        "free ball are compared with those of the material, for plain anti-aliasing, bricks, and finite elements whose "
        "cut "
        "cells count by their volume. References: elements that fit, of two resolutions; polynomials in the free box; "
        "the closed form of the ball. Then bricks in a cantilever that its cells fit, at other Poisson's ratios.",
    .run = Run,
};
