// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_3_15.c: a rabbit pulled by its head, at several levels of detail.

#include "reproduce.h"

#include <math.h>
#include <stdlib.h>

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

// A surface pulled out of shape.
typedef struct Pulled
{
    int nodes, vertices;
    double* surface;  // x y z now
    double* shift;    // x y z from the start
    double head;      // length of the mean shift there
} Pulled;

// The same vertices at all levels: those near the middle of the force at the start.
static double HeadShift(const Pulled* p, const rslNodeSetDef* head)
{
    double count = 0, mean[3] = { 0 };
    for (int v = 0; v < p->vertices; ++v)
    {
        const double* now = p->surface + 3 * v;
        const double* shift = p->shift + 3 * v;
        double x = now[0] - shift[0] - head->point.x, y = now[1] - shift[1] - head->point.y,
               z = now[2] - shift[2] - head->point.z;
        bool near = x * x + y * y + z * z < 4 * head->radius * head->radius;
        count += near ? 1 : 0;
        for (int axis = 0; axis < 3; ++axis)
        {
            mean[axis] += near ? shift[axis] : 0;
        }
    }
    return sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]) / count;
}

static bool Take(const cliLoaded* loaded, Pulled* p)
{
    const rslModel* model = loaded->model;
    int numbers = 3 * model->bodies[0].surface.vertexCount;
    rslState* start = NULL;
    p->nodes = model->nodeCount;
    p->vertices = model->bodies[0].surface.vertexCount;
    p->surface = malloc((size_t)numbers * sizeof(double));
    p->shift = malloc((size_t)numbers * sizeof(double));
    bool good = p->surface != NULL && p->shift != NULL &&
                rslState_Create(model, loaded->state->precision, NULL, &start) == rsl_ok;
    if (good)
    {
        rslState_Surface(model, start, 0, p->shift);
        rslState_Surface(model, loaded->state, 0, p->surface);
        for (int i = 0; i < numbers; ++i)
        {
            p->shift[i] = p->surface[i] - p->shift[i];
        }
        p->head = HeadShift(p, &loaded->scene.loads[0].nodes);
    }
    rslState_Free(start);
    return good;
}

static void Free(Pulled* p)
{
    free(p->surface);
    free(p->shift);
}

static bool Pull(cliStudy* study, double spacing, const char* caption, Pulled* p)
{
    cliLoaded loaded;
    cliStudy_Reset(study);
    cliStudy_Set(study, "body.network.spacing", "%g", spacing);
    bool good = cliStudy_Open(study, "kot-fig-3.15-3.16.yaml", &loaded);
    good = good && cliStudy_Run(study, &loaded);
    good = good && cliStudy_Check(study, Take(&loaded, p) ? rsl_ok : rsl_outOfMemory, NULL);
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

// How far the surface is from that of the reference: rms over its vertices, relative to the largest shift.
static double Distance(const Pulled* p, const Pulled* reference)
{
    double sum = 0, most = 0;
    if (p->vertices != reference->vertices)
    {
        return NAN;
    }
    for (int v = 0; v < p->vertices; ++v)
    {
        double between = 0, shift = 0;
        for (int i = 3 * v; i < 3 * v + 3; ++i)
        {
            double d = p->surface[i] - reference->surface[i];
            between += d * d;
            shift += reference->shift[i] * reference->shift[i];
        }
        sum += between;
        most = fmax(most, shift);
    }
    return sqrt(sum / p->vertices / most);
}

static void AddLevel(cliStudy* study, const Level* level, const Pulled* p, const Pulled* reference)
{
    cliQuantity q = cliQuantity_Make(p->nodes, "", "nodes at spacing %g", level->spacing);
    q.published = level->published;
    q.uncertainty = 0.1 * level->published;
    cliQuantity_Note(&q, "Chosen to be near those of the thesis; the rabbit is another one.");
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(p->head, "heights", "shift of the head, %d nodes", p->nodes);
    q.reference = reference->head;
    q.bar = 0.1;
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(Distance(p, reference), "", "rms distance of the surfaces over the largest shift, %d nodes",
                         p->nodes);
    q.highest = 0.05;
    cliStudy_Add(study, &q);
}

static void Run(cliStudy* study)
{
    Pulled fine = { 0 };
    double finest = cliStudy_IsQuick(study) ? 0.025 : 0.0125;
    cliStudy_Progress(study, 0, "reference");
    bool good = Pull(study, finest, NULL, &fine);
    cliCurve* curve =
        cliPanel_AddCurve(cliPlot_AddPanel(cliStudy_Plot(study, "Shift of the head"), "", "nodes", "shift [heights]"),
                          "head", cliStyle_Ours(1));
    for (int i = LEVELS - 1; i >= 0 && good; --i)
    {
        Pulled p = { 0 };
        cliStudy_Progress(study, 0.5 + 0.1 * i, "spacing %g", levels[i].spacing);
        good = Pull(study, levels[i].spacing, cliNamed("%d nodes in the thesis", levels[i].published).text, &p);
        if (good)
        {
            AddLevel(study, &levels[i], &p, &fine);
            cliCurve_Add(curve, p.nodes, p.head);
        }
        Free(&p);
    }
    if (good)
    {
        cliCurve_Add(curve, fine.nodes, fine.head);
        cliStudy_Say(study, "The reference is the same rabbit with %d nodes.", fine.nodes);
    }
    Free(&fine);
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
