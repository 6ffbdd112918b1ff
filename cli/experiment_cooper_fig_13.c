// SPDX-License-Identifier: MIT
//
// experiment_cooper_fig_13.c: a limb of two bones in tissue, bent at the joint, with standard elements and with edge repulsion.

#include "area_ratio.h"
#include "reproduce.h"

#include <math.h>

// Angles [deg], and the least area ratio there as a program of its own had it, for both meshes.
enum
{
    ANGLES = 11
};

static const double angles[ANGLES] = { 5, 15, 25, 35, 45, 50, 60, 75, 90, 100, 110 };
static const double known[2][2][ANGLES] = {
    { { .865, .873, .800, .561, .219, -.912, -1.046, -1.266, -1.285, -1.291, -1.286 },
      { .967, .942, .901, .841, .778, .748, .673, .551, .395, .298, .225 } },
    { { .661, .888, .746, .680, .357, -.797, -1.300, -1.365, -1.341, -1.421, -1.676 },
      { .955, .911, .875, .820, .726, .690, .573, .315, .167, .112, .075 } },
};

typedef struct Limb
{
    cliStudy* study;
    cliLoaded loaded;
    bool fine, repels;
    const char* name;
    double collapse;  // angle at which the first triangle turned inside out [deg]; NaN: none did
    double least;     // ratio met so far
    double angle;     // where it is
} Limb;

// Bend at 10 degrees a second up to an angle, and wait there.
static bool OpenLimb(Limb* limb, double most, double rest)
{
    cliStudy* study = limb->study;
    cliStudy_Reset(study);
    if (!limb->repels)
    {
        cliStudy_Set(study, "bodies.limb.repulsion", "none");
    }
    cliStudy_Set(study, "constraints.1.rotate.angle", "%g", most);
    cliStudy_Set(study, "constraints.1.course.duration", "%g", most / 10);
    cliStudy_Set(study, "time.duration", "%g", most / 10 + rest);
    return cliStudy_Open(study, limb->fine ? "cooper-fig-13-14-fine.yaml" : "cooper-fig-13-14.yaml", &limb->loaded);
}

// On to an angle, looking after every other step: 0.04 degrees.
static bool Bend(Limb* limb, double angle, cliCurve* curve)
{
    rslReport report = { 0 };
    const double each = 0.04;
    bool good = true;
    while (good && limb->angle < angle - 1e-9)
    {
        limb->angle = fmin(limb->angle + each, angle);
        good = cliStudy_Check(limb->study, cliLoaded_RunTo(&limb->loaded, limb->angle / 10, &report), &report);
        double ratio = cliAreaRatio_Least(limb->loaded.model, limb->loaded.state, 0, NULL);
        limb->collapse = isnan(limb->collapse) && !(ratio > 0) ? limb->angle : limb->collapse;
        limb->least = fmin(limb->least, ratio);
        cliCurve_Add(curve, limb->angle, ratio);
    }
    return good;
}

// Under the letter that the paper has for it, or none.
static void Draw(Limb* limb, const char* letter, const char* then)
{
    rslPictureDef def = rslDefaultPictureDef();
    def.width = 600;
    def.height = 600;
    def.style = rsl_springPicture;
    def.drawLabels = false;
    cliStudy_Draw(
        limb->study, &limb->loaded, &def,
        cliNamed("figure %d%s: %s at %g degrees%s", limb->repels ? 14 : 13, letter, limb->name, limb->angle, then)
            .text);
}

// The bar of a figure that a program of its own had: positive ratios are those of the same motion; after a collapse, that it
// is one.
static void AddRatio(Limb* limb, int index)
{
    double ratio = cliAreaRatio_Least(limb->loaded.model, limb->loaded.state, 0, NULL);
    double expected = known[limb->fine][limb->repels][index];
    cliQuantity q = cliQuantity_Make(ratio, "", "%s: least area ratio at %g degrees", limb->name, angles[index]);
    q.reference = expected;
    q.absolute = true;
    if (expected < 0)
    {
        q.highest = 0;
    }
    else if (limb->repels && !limb->fine && angles[index] == 110)
    {
        q.lowest = 0.21;
        q.highest = 0.24;
    }
    else
    {
        q.bar = 0.002;
    }
    cliStudy_Add(limb->study, &q);
}

static void AddCollapse(Limb* limb)
{
    cliQuantity q = cliQuantity_Make(limb->collapse, "deg", "%s: first triangle turned inside out", limb->name);
    q.published = 47;
    q.uncertainty = 0.5;
    q.reference = limb->fine ? 47.98 : 46.92;
    q.lowest = 44;
    q.highest = 50;
    cliQuantity_Note(
        &q,
        "The paper states neither mesh, stiffness, damping nor mass. Over meshes, dampers and springs per edge or per "
        "element, standard elements collapse between 34 and 58 degrees: this set-up is one near 47.");
    cliStudy_Add(limb->study, &q);
}

// Beyond what the paper shows.
static void AddBeyond(Limb* limb, cliCurve* curve)
{
    for (double angle = 120; angle <= 150 && Bend(limb, angle, curve); angle += 10)
    {
    }
    double ratio = cliAreaRatio_Least(limb->loaded.model, limb->loaded.state, 0, NULL);
    cliQuantity q = cliQuantity_Make(ratio, "", "%s: least area ratio at 150 degrees", limb->name);
    q.lowest = 1e-6;
    cliStudy_Add(limb->study, &q);
    Draw(limb, "", "");
}

// Figure 13d: the motion is stopped where the first element has collapsed, and what it settles to is no rest state of the limb.
static void Settle(Limb* limb)
{
    const double rest = 20;
    double angle = limb->collapse;
    cliLoaded_Free(&limb->loaded);
    if (isnan(angle) || !OpenLimb(limb, angle, rest))
    {
        return;
    }
    rslReport report = { 0 };
    limb->angle = angle;
    if (cliStudy_Check(limb->study, cliLoaded_RunTo(&limb->loaded, angle / 10 + rest, &report), &report))
    {
        double ratio = cliAreaRatio_Least(limb->loaded.model, limb->loaded.state, 0, NULL);
        cliQuantity q = cliQuantity_Make(ratio, "", "%s: least area ratio, %g s after a stop there", limb->name, rest);
        q.highest = 0;
        cliStudy_Add(limb->study, &q);
        Draw(limb, "d", ", settled");
    }
}

static void Study(Limb* limb, cliPanel* panel)
{
    // where the paper shows frames; figure 13d is that of 47 degrees, settled
    static const double shown[2][5] = { { 0, 45, 47, 75, 90 }, { 0, 45, 75, 90, 110 } };
    static const char* const letters[2][5] = { { "a", "b", "c", "", "e" }, { "", "a", "", "b", "c" } };
    double most = limb->repels ? 150 : 110;
    if (!OpenLimb(limb, most, 0))
    {
        cliLoaded_Free(&limb->loaded);
        return;
    }
    cliCurve* curve =
        cliPanel_AddCurve(panel, limb->repels ? "edge repulsion" : "standard", cliStyle_OursLine(limb->repels ? 2 : 1));
    cliCurve* table = cliPanel_AddCurve(panel, limb->repels ? NULL : "by another program", cliStyle_Published());
    int next = 0, frame = 0;
    while (next < ANGLES && cliStudy_IsGood(limb->study))
    {
        bool draws =
            !limb->fine && frame < 5 && !cliStudy_IsQuick(limb->study) && shown[limb->repels][frame] <= angles[next];
        double target = draws ? shown[limb->repels][frame] : angles[next];
        Bend(limb, target, curve);
        if (draws)
        {
            Draw(limb, letters[limb->repels][frame], "");
            frame += 1;
        }
        if (target == angles[next])
        {
            cliCurve_Add(table, target, known[limb->fine][limb->repels][next]);
            AddRatio(limb, next++);
        }
    }
    if (limb->repels && cliStudy_IsGood(limb->study))
    {
        AddBeyond(limb, curve);
        cliQuantity q = cliQuantity_Make(limb->least, "", "%s: least area ratio on the way to 150 degrees", limb->name);
        q.lowest = 1e-6;
        cliStudy_Add(limb->study, &q);
    }
    else if (cliStudy_IsGood(limb->study))
    {
        AddCollapse(limb);
        if (!limb->fine)
        {
            Settle(limb);
        }
    }
    cliLoaded_Free(&limb->loaded);
}

static void Run(cliStudy* study)
{
    static const char* const names[2][2] = { { "standard", "edge repulsion" },
                                             { "standard, fine", "edge repulsion, fine" } };
    cliPlot* plot = cliStudy_Plot(study, "The flattest triangle of the limb");
    int meshes = cliStudy_IsQuick(study) ? 1 : 2;
    for (int fine = 0; fine < meshes; ++fine)
    {
        cliPanel* panel =
            cliPlot_AddPanel(plot, fine ? "664 triangles, springs of each" : "192 triangles, springs per edge",
                             "angle [deg]", "least area over that at rest");
        cliPanel_AddLevel(panel, "collapsed", 0, 150, 0);
        for (int repels = 0; repels < 2; ++repels)
        {
            Limb limb = {
                .study = study, .fine = fine, .repels = repels, .name = names[fine][repels], .collapse = NAN, .least = 1
            };
            cliStudy_Progress(study, (2 * fine + repels) / 4.0, "%s", limb.name);
            Study(&limb, panel);
        }
    }
}

const cliExperiment cliCooperFigure13 = {
    .name = "cooper-fig-13-14",
    .title = "A limb bent at the joint",
    .source = "Cooper & Maddock (1999), figures 13 and 14",
    .text = "Two bones in a layer of tissue, 3 x 8; the upper one is fixed, the lower one turns about the joint by 10 "
            "degrees a second. Springs "
            "of k = 100 N/m with dampers of 5 N s/m, masses of 1 kg, edge repulsion of k = 100 N/m; symplectic Euler, "
            "2 ms. The paper gives the "
            "rate and the angles, the rest is chosen: the reference is a program of its own with the same choices. "
            "Standard "
            "elements collapse near 47 degrees on the inside of the joint, and others follow. With edge repulsion no "
            "triangle turns inside "
            "out up to 110 degrees, where the paper ends, nor up to 150. Parts of the tissue may lie over each other "
            "at large angles: there is "
            "no contact here.",
    .run = Run,
};
