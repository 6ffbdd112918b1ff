// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_3_15.c: a rabbit pulled by its head, at several levels of detail.

#include "pulled.h"
#include "reproduce.h"

enum
{
    LEVELS = 3,
};

typedef struct Level
{
    double spacing;
    int published;  // nodes
} Level;

static const Level levels[LEVELS] = { { 0.0394, 2479 }, { 0.0555, 1085 }, { 0.0777, 482 } };

static bool Pull(cliStudy* study, double spacing, const char* caption, cliPulled* p)
{
    cliLoaded loaded;
    cliStudy_Reset(study);
    cliStudy_Set(study, "body.network.spacing", "%g", spacing);
    bool good = cliStudy_Open(study, "kot-fig-3.15-3.16.yaml", &loaded);
    good = good && cliStudy_Run(study, &loaded);
    good = good && cliStudy_Check(study, cliPulled_Take(&loaded, p) ? rsl_ok : rsl_outOfMemory, NULL);
    if (good && caption != NULL)
    {
        rslPictureDef def = rslDefaultPictureDef();
        def.width = 480;
        def.height = 480;
        def.view = (rslVec3){ 0.15, -1, 0.15 };
        good = cliStudy_Draw(study, &loaded, &def, caption);
    }
    cliLoaded_Free(&loaded);
    return good;
}

static void AddLevel(cliStudy* study, const Level* level, const cliPulled* p, const cliPulled* reference)
{
    cliQuantity q = cliQuantity_Make(p->nodes, "", "nodes at spacing %g", level->spacing);
    q.published = level->published;
    q.uncertainty = 0.1 * level->published;
    cliQuantity_Note(&q, "Chosen to be near those of the thesis; the rabbit is another one.");
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(p->shifted, "heights", "shift of the head, %d nodes", p->nodes);
    q.reference = reference->shifted;
    q.bar = 0.1;
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(cliPulled_Distance(p, reference), "",
                         "rms distance of the surfaces over the largest shift, %d nodes", p->nodes);
    q.highest = 0.05;
    cliStudy_Add(study, &q);
}

static void Run(cliStudy* study)
{
    cliPulled fine = { 0 };
    double finest = cliStudy_IsQuick(study) ? 0.025 : 0.0125;
    cliStudy_Progress(study, 0, "reference");
    bool good = Pull(study, finest, NULL, &fine);
    cliCurve* curve =
        cliPanel_AddCurve(cliPlot_AddPanel(cliStudy_Plot(study, "Shift of the head"), "", "nodes", "shift [heights]"),
                          "head", cliStyle_Ours(1));
    for (int i = LEVELS - 1; i >= 0 && good; --i)
    {
        cliPulled p = { 0 };
        cliStudy_Progress(study, 0.5 + 0.1 * i, "spacing %g", levels[i].spacing);
        good = Pull(study, levels[i].spacing, cliNamed("%d nodes in the thesis", levels[i].published).text, &p);
        if (good)
        {
            AddLevel(study, &levels[i], &p, &fine);
            cliCurve_Add(curve, p.nodes, p.shifted);
        }
        cliPulled_Free(&p);
    }
    if (good)
    {
        cliCurve_Add(curve, fine.nodes, fine.shifted);
        cliStudy_Say(study, "The reference is the same rabbit with %d nodes.", fine.nodes);
    }
    cliPulled_Free(&fine);
}

const cliExperiment cliKotFigure315 = {
    .name = "kot-fig-3.15-3.16",
    .title = "A rabbit pulled by its head, at three levels of detail",
    .source = "Kot, Mass spring models (thesis), figures 3.15 and 3.16",
    .text =
        "A force on the head of a rabbit whose feet are frozen pulls it backwards. The same drawn surface is carried "
        "by "
        "lattices of three resolutions; the thesis shows pictures and finds that the deformation changes very little "
        "with resolution. Here it is measured against a fine lattice: the shift of the head, and the distance of the "
        "drawn surfaces.",
    .run = Run,
};
