// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_4_8.c: a rabbit of nu = 0 pulled by its head, two levels of detail of random networks.

#include "pulled.h"
#include "reproduce.h"

#include <math.h>

enum
{
    LEVELS = 2,
};

typedef struct Level
{
    const char* name;
    int nodes, springs;     // of the thesis, which counts springs at both ends
    double least, longest;  // min_length, max_length
} Level;

static const Level levels[LEVELS] = {
    { "mid", 1321, 24170, 0.036, 0.0757 },
    { "low", 581, 9806, 0.0473, 0.0995 },
};

static const char* const random = "kot-fig-4.8.yaml";
static const char* const fine = "kot-fig-4.8-lattice.yaml";

typedef struct Rabbit
{
    cliPulled pulled;
    double springs;
} Rabbit;

static void ChooseNetwork(cliStudy* study, const Level* level, bool calibrated)
{
    cliStudy_Reset(study);
    cliStudy_Set(study, "body.network.min_length", "%g", level->least);
    cliStudy_Set(study, "body.network.max_length", "%g", level->longest);
    cliStudy_Set(study, "body.network.count", "%d", level->nodes);
    cliStudy_Set(study, "body.network.calibrate", "%s", calibrated ? "x" : "none");
}

static void ChooseLattice(cliStudy* study, const char* model)
{
    cliStudy_Reset(study);
    cliStudy_Set(study, "body.network.spacing", "%g", cliStudy_IsQuick(study) ? 0.035 : 0.02);
    cliStudy_Set(study, "body.model", "%s", model);
}

static bool Pull(cliStudy* study, const char* scene, const char* caption, Rabbit* rabbit)
{
    cliLoaded loaded;
    cliStudy_Set(study, "time.increments", "%d", cliStudy_IsQuick(study) ? 1 : 4);
    bool good = cliStudy_Open(study, scene, &loaded) && cliStudy_Run(study, &loaded);
    good = good && cliStudy_Check(study, cliPulled_Take(&loaded, &rabbit->pulled) ? rsl_ok : rsl_outOfMemory, NULL);
    if (good)
    {
        rslPictureDef def = rslDefaultPictureDef();
        def.width = 480;
        def.height = 480;
        def.view = (rslVec3){ 0.15, -1, 0.15 };
        rabbit->springs = (double)loaded.model->springCount;
        good = caption == NULL || cliStudy_Draw(study, &loaded, &def, caption);
    }
    cliLoaded_Free(&loaded);
    return good;
}

static void AddCounts(cliStudy* study, const Level* level, const Rabbit* rabbit)
{
    cliQuantity q = cliQuantity_Make(2 * rabbit->springs / rabbit->pulled.nodes, "", "springs a node, %s", level->name);
    q.published = (double)level->springs / level->nodes;
    q.uncertainty = 0.1 * q.published;
    cliQuantity_Note(&q, "%d nodes, as in the thesis; max_length is chosen to be near its springs a node.",
                     rabbit->pulled.nodes);
    cliStudy_Add(study, &q);
}

static void AddShift(cliStudy* study, const char* name, const Rabbit* rabbit, const Rabbit* reference)
{
    cliQuantity q = cliQuantity_Make(rabbit->pulled.shifted, "heights", "shift of the head, %s", name);
    q.reference = reference->pulled.shifted;
    q.bar = 0.1;
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(cliPulled_Distance(&rabbit->pulled, &reference->pulled), "",
                         "rms distance of the surfaces over the largest shift, %s", name);
    q.highest = 0.05;
    cliStudy_Add(study, &q);
}

static bool RunLevel(cliStudy* study, int level, bool calibrated, const Rabbit* reference, cliCurve* curve)
{
    Rabbit rabbit = { 0 };
    cliName name = cliNamed("%s%s", levels[level].name, calibrated ? ", calibrated" : "");
    cliName caption = cliNamed("%s, %d nodes", levels[level].name, levels[level].nodes);
    cliStudy_Progress(study, 0.5 + 0.2 * level, "%s", name.text);
    ChooseNetwork(study, &levels[level], calibrated);
    bool good = Pull(study, random, calibrated ? NULL : caption.text, &rabbit);
    if (good)
    {
        if (!calibrated)
        {
            AddCounts(study, &levels[level], &rabbit);
        }
        AddShift(study, name.text, &rabbit, reference);
        cliCurve_Add(curve, rabbit.pulled.nodes, rabbit.pulled.shifted);
    }
    cliPulled_Free(&rabbit.pulled);
    return good;
}

static void Run(cliStudy* study)
{
    Rabbit elements = { 0 }, springs = { 0 };
    cliPanel* panel = cliPlot_AddPanel(cliStudy_Plot(study, "Shift of the head"), "", "nodes", "shift [heights]");
    cliPanel_SetLog(panel, true, false);
    cliStudy_Progress(study, 0, "finite elements");
    ChooseLattice(study, "fem");
    bool good = Pull(study, fine, NULL, &elements);
    cliStudy_Progress(study, 0.25, "fine lattice");
    ChooseLattice(study, "dispersion");
    good = good && Pull(study, fine, "fine lattice with dispersion", &springs);
    if (good)
    {
        AddShift(study, "fine lattice with dispersion", &springs, &elements);
        cliPanel_AddLevel(panel, "finite elements", 500, springs.pulled.nodes, elements.pulled.shifted);
        cliCurve_Add(cliPanel_AddCurve(panel, "fine lattice with dispersion", cliStyle_Ours(3)), springs.pulled.nodes,
                     springs.pulled.shifted);
    }
    for (int calibrated = 0; calibrated < (cliStudy_IsQuick(study) ? 1 : 2) && good; ++calibrated)
    {
        cliCurve* curve = cliPanel_AddCurve(panel, calibrated ? "random networks, calibrated" : "random networks",
                                            cliStyle_Ours(1 + calibrated));
        for (int level = 0; level < LEVELS && good; ++level)
        {
            good = RunLevel(study, level, calibrated, &elements, curve);
        }
    }
    if (good)
    {
        cliStudy_Say(study, "The reference is the same rabbit of %d nodes and finite elements.", elements.pulled.nodes);
    }
    cliPulled_Free(&elements.pulled);
    cliPulled_Free(&springs.pulled);
}

const cliExperiment cliKotFigure48 = {
    .name = "kot-fig-4.8",
    .title = "A rabbit of nu = 0 pulled by its head, at two levels of detail",
    .source = "Kot, Mass spring models (thesis), figure 4.8",
    .text =
        "A force on the head of a rabbit whose feet are frozen pulls it backwards. Two random networks with momentum "
        "dispersion for nu = 0 and E = 250 carry the same drawn surface; the thesis shows pictures of another rabbit "
        "and "
        "finds them consistent. Here they are measured against finite elements on a fine lattice: the shift of the "
        "head, "
        "and the distance of the drawn surfaces.",
    .run = Run,
};
