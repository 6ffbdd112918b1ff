// SPDX-License-Identifier: MIT
//
// experiment_vassilev_fig_4.c: cloth that squeezes a soft body which keeps its volume.

#include "reproduce.h"

#include <math.h>
#include <stdlib.h>

enum
{
    TORSO,
    BAND,
    SLICES = 40,
};

static const char* const scene = "vassilev-fig-4.yaml";
static const double tight = 0.3, dressed = 0.4;  // [s]: the band is tight; it begins to be pulled

// The torso in slices of equal height: the mean distance of its surface from the axis.
typedef struct Profile
{
    double height[SLICES];  // of the middles [m]
    double radius[SLICES];  // [m]; NaN: no vertex
} Profile;

static const double lowest = -0.26, highest = 0.26;

static bool TakeProfile(const cliLoaded* loaded, Profile* profile)
{
    const rslSurface* surface = &loaded->model->bodies[TORSO].surface;
    double* x = malloc(3 * sizeof(double) * (size_t)surface->vertexCount);
    int counts[SLICES] = { 0 };
    *profile = (Profile){ 0 };
    if (x == NULL)
    {
        return false;
    }
    rslState_Surface(loaded->model, loaded->state, TORSO, x);
    for (int v = 0; v < surface->vertexCount; ++v)
    {
        const double* p = &x[3 * (size_t)v];
        int s = (int)floor((p[2] - lowest) / (highest - lowest) * SLICES);
        if (s >= 0 && s < SLICES)
        {
            profile->radius[s] += sqrt(p[0] * p[0] + p[1] * p[1]);
            counts[s] += 1;
        }
    }
    for (int s = 0; s < SLICES; ++s)
    {
        profile->height[s] = lowest + (s + 0.5) * (highest - lowest) / SLICES;
        profile->radius[s] = counts[s] > 0 ? profile->radius[s] / counts[s] : NAN;
    }
    free(x);
    return true;
}

// The mean of a profile between two heights.
static double MeanRadius(const Profile* profile, double low, double high)
{
    double sum = 0;
    int count = 0;
    for (int s = 0; s < SLICES; ++s)
    {
        if (profile->height[s] > low && profile->height[s] < high && !isnan(profile->radius[s]))
        {
            sum += profile->radius[s];
            count += 1;
        }
    }
    return sum / count;
}

// By how much the torso has grown between two heights, at most.
static double Bulge(const Profile* before, const Profile* after, double low, double high)
{
    double most = -INFINITY;
    for (int s = 0; s < SLICES; ++s)
    {
        double growth = after->radius[s] - before->radius[s];
        most = before->height[s] > low && before->height[s] < high && growth > most ? growth : most;
    }
    return most;
}

// Where the band is; its mean way around and width, and what they were at the start; all in m.
typedef struct Band
{
    double height, low, high;
    double around, width, firstAround, firstWidth;
} Band;

static double Apart(const double* x, int a, int b)
{
    const double *p = &x[3 * (size_t)a], *q = &x[3 * (size_t)b];
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

// Nodes of a tube come row by row, each a way around.
static void MeasureRows(const double* x, int row, int count, double* around, double* width)
{
    *around = *width = 0;
    for (int i = 0; i < count; ++i)
    {
        int next = i % row == row - 1 ? i - row + 1 : i + 1;
        *around += Apart(x, i, next) * row / count;
        *width += i + row < count ? Apart(x, i, i + row) / row : 0;
    }
}

static bool TakeBand(const cliLoaded* loaded, Band* band)
{
    const rslBody* body = &loaded->model->bodies[BAND];
    int first = body->firstNode, count = body->nodeCount, row = 1;
    double* x = malloc(3 * sizeof(double) * (size_t)count);
    *band = (Band){ .low = INFINITY, .high = -INFINITY };
    if (x == NULL)
    {
        return false;
    }
    rslBody_Rest(body, first, first + count, x);
    while (row < count && fabs(x[3 * (size_t)row + 2] - x[2]) < 1e-9)
    {
        ++row;
    }
    MeasureRows(x, row, count, &band->firstAround, &band->firstWidth);
    rslState_Positions(loaded->model, loaded->state, first, first + count, x);
    MeasureRows(x, row, count, &band->around, &band->width);
    for (int i = 0; i < count; ++i)
    {
        double z = x[3 * (size_t)i + 2];
        band->height += z / count;
        band->low = fmin(band->low, z);
        band->high = fmax(band->high, z);
    }
    free(x);
    return true;
}

// What pulls around the hoop: the force of its springs through planes that hold its axis, which they cross on both sides.
static double HoopForce(const cliLoaded* loaded)
{
    const rslVec3 origin = { 0, 0, 0 }, x = { 1, 0, 0 }, y = { 0, 1, 0 };
    return (rslSolver_Flow(loaded->solver, loaded->state, BAND, origin, x).x +
            rslSolver_Flow(loaded->solver, loaded->state, BAND, origin, y).y) /
           4;
}

// The same of a small strain. Springs shrink by the factor s, and so does the width w0 that they stand for; nu = 1/3 in a sheet.
//   F = s w0 E h / (1 - nu^2) (e + nu f),  e = l / (s l0) - 1 around, f = w / (s w0) - 1
static double LinearForce(const cliLoaded* loaded, const Band* band)
{
    const rslBody* body = &loaded->model->bodies[BAND];
    double s = 1 + loaded->scene.drives[0].strain;
    double e = band->around / (s * band->firstAround) - 1, f = band->width / (s * band->firstWidth) - 1;
    return s * band->firstWidth * body->young * body->thickness * 9 / 8 * (e + f / 3);
}

// What presses and what pulls in the band while it is tight, as a mean over all steps: facets that slide over each other make noise.
typedef struct Squeeze
{
    double press, force;  // [N]
} Squeeze;

static rslStatus TakeSqueeze(cliLoaded* loaded, Squeeze* mean, rslReport* report)
{
    rslStatus status = cliLoaded_RunTo(loaded, tight, report);
    int count = 0;
    for (*mean = (Squeeze){ 0 }; status == rsl_ok && rslState_Time(loaded->state) < dressed; ++count)
    {
        status = cliLoaded_Take(loaded, 1, report);
        mean->press += rslState_TouchForce(loaded->model, loaded->state, TORSO, loaded->model->colliderCount).press;
        mean->force += HoopForce(loaded);
    }
    mean->press /= count;
    mean->force /= count;
    return status;
}

// p = F / (r w) at every place of a hoop that pulls with F, r the radius of its curvature; around any hoop 1/r sums up to 2 pi.
static void TellPressure(cliStudy* study, const cliLoaded* loaded, const Band* band, const Squeeze* mean)
{
    double area = band->around * band->width;
    cliQuantity q = cliQuantity_Make(mean->press / area, "Pa", "pressure of the band");
    q.reference = 2 * 3.14159265358979 * mean->force / area;
    q.bar = 0.05;
    cliQuantity_Note(
        &q, "Theory: a hoop that pulls with the force of the springs that were cut. What is left over is the pull "
            "along the torso, which is curved that way, too: about 2 %%.");
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(mean->force, "N", "force around the band");
    q.reference = LinearForce(loaded, band);
    cliQuantity_Note(&q, "Theory: linear in the strain, which is a third: springs askew turn into the pull.");
    cliStudy_Add(study, &q);
}

static bool Draw(cliStudy* study, const cliLoaded* loaded, const char* caption)
{
    rslPictureDef def = rslDefaultPictureDef();
    def.width = 480;
    def.height = 560;
    def.view = (rslVec3){ 0.3, -1, 0.15 };
    return cliStudy_Draw(study, loaded, &def, caption);
}

static void Add(cliStudy* study, double value, const char* unit, double low, double high, const char* name)
{
    cliQuantity q = cliQuantity_Make(value, unit, "%s", name);
    q.lowest = low;
    q.highest = high;
    cliStudy_Add(study, &q);
}

static void AddCurve(cliPanel* panel, const char* name, int style, const Profile* profile)
{
    cliCurve* curve = cliPanel_AddCurve(panel, name, cliStyle_OursLine(style));
    for (int s = 0; s < SLICES; ++s)
    {
        if (!isnan(profile->radius[s]))
        {
            cliCurve_Add(curve, 1e3 * profile->height[s], 1e3 * profile->radius[s]);
        }
    }
}

// What the band does when it is tight.
static void TellDressed(cliStudy* study, const cliLoaded* loaded, const Profile* before, double volume,
                        const Squeeze* mean)
{
    Profile after;
    Band band;
    if (!cliStudy_Check(study, TakeProfile(loaded, &after) && TakeBand(loaded, &band) ? rsl_ok : rsl_outOfMemory, NULL))
    {
        return;
    }
    double now = rslSolver_Motion(loaded->solver, loaded->state, TORSO).volume;
    double waist = MeanRadius(&after, band.low, band.high) / MeanRadius(before, band.low, band.high) - 1;
    Add(study, 100 * (now / volume - 1), "%", -1, 1, "change of the volume of the torso");
    Add(study, 100 * waist, "%", -20, -2, "change of the radius under the band");
    Add(study, 1e3 * Bulge(before, &after, band.high, highest), "mm", 0.1, NAN, "bulge above the band");
    Add(study, 1e3 * Bulge(before, &after, lowest, band.low), "mm", 0.1, NAN, "bulge below the band");
    TellPressure(study, loaded, &band, mean);
    cliPanel* panel = cliPlot_AddPanel(cliStudy_Plot(study, "The torso"), "", "height [mm]", "mean radius [mm]");
    AddCurve(panel, "undressed", 1, before);
    AddCurve(panel, "dressed", 2, &after);
}

// How far the band has been pulled down at the end; NaN when it failed.
static double Dress(cliStudy* study, double friction, bool shown)
{
    cliLoaded loaded;
    Profile before;
    Band worn, pulled;
    double slid = NAN;
    cliStudy_Reset(study);
    cliStudy_Set(study, "contacts.0.friction", "%g", friction);
    if (cliStudy_IsQuick(study))
    {
        cliStudy_Set(study, "bodies.0.network.spacing", "0.05");
        cliStudy_Set(study, "bodies.1.network.spacing", "0.03");
    }
    bool good = cliStudy_Open(study, scene, &loaded);
    good = good && cliStudy_Check(study, TakeProfile(&loaded, &before) ? rsl_ok : rsl_outOfMemory, NULL);
    if (good)
    {
        double volume = rslSolver_Motion(loaded.solver, loaded.state, TORSO).volume;
        good = !shown || Draw(study, &loaded, "undressed, the band still wide");
        rslReport report = { 0 };
        Squeeze mean;
        good = good && cliStudy_Check(study, TakeSqueeze(&loaded, &mean, &report), &report);
        good = good && TakeBand(&loaded, &worn);
        if (good && shown)
        {
            TellDressed(study, &loaded, &before, volume, &mean);
            good = Draw(study, &loaded, "dressed: the band squeezes the torso");
        }
        good = good && cliStudy_Run(study, &loaded) && TakeBand(&loaded, &pulled);
        slid = good ? worn.height - pulled.height : NAN;
    }
    cliLoaded_Free(&loaded);
    return slid;
}

static void Run(cliStudy* study)
{
    cliStudy_Progress(study, 0, "with friction");
    double held = Dress(study, 0.5, true);
    if (!cliStudy_IsGood(study))
    {
        return;
    }
    Add(study, 1e3 * held, "mm", NAN, 1, "the band slides under 3 g, friction 0.5");
    if (!cliStudy_IsQuick(study))
    {
        cliStudy_Progress(study, 0.5, "without friction");
        double loose = Dress(study, 0, false);
        Add(study, 1e3 * loose, "mm", 2e3 * held, NAN, "the band slides under 3 g, no friction");
    }
}

const cliExperiment cliVassilevFigure4 = {
    .name = "vassilev-fig-4",
    .title = "A soft torso dressed with a band that squeezes it",
    .source = "Vassilev & Spanlang 2002, figure 4",
    .text =
        "The paper shows a virtual body with a bra, without and with deformation, and no figures. Here a torso of two "
        "ellipsoids with a spine, soft and of constant volume, puts on a band of cloth that tightens; cloth and torso "
        "push on each other by their vertices and triangles, in both directions. Then the band is pulled down with "
        "three times its weight, with friction and without.",
    .run = Run,
};
