// SPDX-License-Identifier: MIT
//
// experiment_kot_fig_3_6.c: a force at a point of an infinite body: strain and stress on a line.
//
// Kelvin 1848, x from the point, R = |x|:
//     u_i  = (1+nu)/(8 pi E (1-nu)) [ (3-4nu) F_i/R + x_i (F.x)/R^3 ]
//     e_ij = -(1+nu)/(8 pi E (1-nu) R^2) [ 3 (F.x) x_i x_j/R^3 - (F.x) d_ij/R + (1-2nu)(F_i x_j + F_j x_i)/R ]
//     s_ij = -1/(8 pi (1-nu) R^2) [ 3 (F.x) x_i x_j/R^3 + (1-2nu)(F_i x_j + F_j x_i - d_ij F.x)/R ]
// The thesis's eq. 3.5 lacks the sign.

#include "held.h"

#include "resilin/field.h"

#include <math.h>
#include <stdlib.h>

enum
{
    POINTS = 100,  // on the line, as in the thesis
    FIRST = 15,    // of those that count
    LAST = 80,
    SHELL = 400,  // random points of the shell 5 a to 8 a
    PARTS = 6,
};

#define YOUNG 100.0
#define POISSON 0.25
#define FORCE 1e-4 /* along y */
#define RADIUS 5.0
#define PI 3.14159265358979324

typedef struct Ball
{
    const char* name;
    const char* scene;
    double spacing;  // a, or (V/N)^(1/3) of a random network
    double longest;  // max_length over that; 0: a lattice
} Ball;

static const Ball balls[] = {
    { "lattice", "kot-fig-3.6-3.11.yaml", 0.25, 0 },
    { "random, <S> = 18", "kot-fig-3.6-3.11-random.yaml", 0.25, 1.72 },
    { "random, <S> = 15", "kot-fig-3.6-3.11-random.yaml", 0.25, 1.61 },
    { "random, <S> = 11", "kot-fig-3.6-3.11-random.yaml", 0.25, 1.44 },
};

// What the solution needs to know.
typedef struct Source
{
    rslVec3 at;    // of the force
    double shell;  // nodes farther from the middle of the ball are held
} Source;

static rslVec3 Displacement(rslVec3 x)
{
    double R = sqrt(x.x * x.x + x.y * x.y + x.z * x.z), c = (1 + POISSON) / (8 * PI * YOUNG * (1 - POISSON)) * FORCE;
    double along = c * x.y / (R * R * R);
    return (rslVec3){ along * x.x, c * (3 - 4 * POISSON) / R + along * x.y, along * x.z };
}

static bool Hold(rslVec3 x, void* context, rslVec3* u)
{
    const Source* source = context;
    rslVec3 from = { x.x - source->at.x, x.y - source->at.y, x.z - source->at.z };
    *u = Displacement(from);
    return x.x * x.x + x.y * x.y + x.z * x.z > source->shell * source->shell;
}

// xx yy zz yz zx xy of strain, or of stress.
static void Kelvin(rslVec3 at, bool strain, double parts[PARTS])
{
    static const int pairs[PARTS][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 1, 2 }, { 2, 0 }, { 0, 1 } };
    double x[3] = { at.x, at.y, at.z }, f[3] = { 0, FORCE, 0 };
    double R2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], fx = FORCE * x[1], n = 1 - 2 * POISSON;
    double c = -(strain ? (1 + POISSON) / YOUNG : 1) / (8 * PI * (1 - POISSON) * R2 * sqrt(R2));
    for (int p = 0; p < PARTS; ++p)
    {
        int i = pairs[p][0], j = pairs[p][1];
        double diagonal = i == j ? (strain ? -fx : -n * fx) : 0;
        parts[p] = c * (3 * fx * x[i] * x[j] / R2 + n * (f[i] * x[j] + f[j] * x[i]) + diagonal);
    }
}

static void Parts(rslSymmetric s, double parts[PARTS])
{
    const double all[PARTS] = { s.xx, s.yy, s.zz, s.yz, s.zx, s.xy };
    for (int p = 0; p < PARTS; ++p)
    {
        parts[p] = all[p];
    }
}

// ---- what is read ---------------------------------------------------------------------------------------------------

typedef struct Readings
{
    int count;
    rslVec3* points;  // in the world at rest
    rslSymmetric *strain, *line, *sphere;
    rslVec3* moved;
} Readings;

static bool MakeReadings(Readings* r, int count)
{
    size_t n = (size_t)count;
    *r = (Readings){ .count = count,
                     .points = malloc(n * sizeof(rslVec3)),
                     .strain = calloc(n, sizeof(rslSymmetric)),
                     .line = calloc(n, sizeof(rslSymmetric)),
                     .sphere = calloc(n, sizeof(rslSymmetric)),
                     .moved = calloc(n, sizeof(rslVec3)) };
    return r->points != NULL && r->strain != NULL && r->line != NULL && r->sphere != NULL && r->moved != NULL;
}

static void FreeReadings(Readings* r)
{
    free(r->points);
    free(r->strain);
    free(r->line);
    free(r->sphere);
    free(r->moved);
}

static rslStatus ReadHardy(cliLoaded* loaded, const Readings* r, double radius, rslHardyKind kind, rslSymmetric* stress)
{
    rslHardyProbe* probes = malloc((size_t)r->count * sizeof(rslHardyProbe));
    for (int i = 0; probes != NULL && i < r->count; ++i)
    {
        probes[i] = (rslHardyProbe){ r->points[i], radius, kind };
    }
    rslStatus status = probes == NULL ? rsl_outOfMemory
                                      : rslSolver_HardyStress(loaded->solver, loaded->state, probes, r->count, stress);
    free(probes);
    return status;
}

static rslStatus Read(cliLoaded* loaded, double spacing, Readings* r, rslReport* report)
{
    rslTessellation* t = NULL;
    rslStatus status = rslTessellation_Create(loaded->model, 0, NULL, &t, report);
    for (int i = 0; status == rsl_ok && i < r->count; ++i)
    {
        rslTessellation_Strain(t, loaded->state, r->points[i], 0.5 * spacing, &r->strain[i]);
        rslTessellation_Displacement(t, loaded->state, r->points[i], &r->moved[i]);
    }
    rslTessellation_Free(t);
    status = status == rsl_ok ? ReadHardy(loaded, r, 1.3 * spacing, rsl_lineHardy, r->line) : status;
    return status == rsl_ok ? ReadHardy(loaded, r, 0.6 * spacing, rsl_sphereHardy, r->sphere) : status;
}

static rslVec3 From(const Source* source, rslVec3 x)
{
    return (rslVec3){ x.x - source->at.x, x.y - source->at.y, x.z - source->at.z };
}

// Sum of |ours - theory| over that of |theory|, of all components (some of them are zero there) on the counted part.
static double LineDeviation(const Readings* r, const Source* source, const rslSymmetric* read, bool strain)
{
    double off = 0, whole = 0;
    for (int i = FIRST; i < LAST; ++i)
    {
        double theory[PARTS], ours[PARTS];
        Kelvin(From(source, r->points[i]), strain, theory);
        Parts(read[i], ours);
        for (int p = 0; p < PARTS; ++p)
        {
            off += fabs(ours[p] - theory[p]);
            whole += fabs(theory[p]);
        }
    }
    return off / whole;
}

// rms of |ours - theory| / |theory| in the norm of tensors.
static double ShellDeviation(const Readings* r, const Source* source, const rslSymmetric* read, bool strain)
{
    double sum = 0;
    for (int i = 0; i < r->count; ++i)
    {
        double theory[PARTS], ours[PARTS], off = 0, whole = 0;
        Kelvin(From(source, r->points[i]), strain, theory);
        Parts(read[i], ours);
        for (int p = 0; p < PARTS; ++p)
        {
            double twice = p < 3 ? 1 : 2;
            off += twice * (ours[p] - theory[p]) * (ours[p] - theory[p]);
            whole += twice * theory[p] * theory[p];
        }
        sum += off / whole / r->count;
    }
    return sqrt(sum);
}

static double ShellMotion(const Readings* r, const Source* source)
{
    double sum = 0;
    for (int i = 0; i < r->count; ++i)
    {
        rslVec3 u = Displacement(From(source, r->points[i])), d = From(&(Source){ .at = u }, r->moved[i]);
        sum += (d.x * d.x + d.y * d.y + d.z * d.z) / (u.x * u.x + u.y * u.y + u.z * u.z) / r->count;
    }
    return sqrt(sum);
}

// ---- the study ------------------------------------------------------------------------------------------------------

static void LayLine(Readings* r)
{
    for (int i = 0; i < r->count; ++i)
    {
        double t = RADIUS / sqrt(3) * (i + 1) / r->count;
        r->points[i] = (rslVec3){ t, t, t };
    }
}

// The same numbers everywhere, uniform in the ball, of which the shell is kept.
static void LayShell(Readings* r, double low, double high)
{
    uint64_t seed = 7;
    for (int i = 0; i < r->count;)
    {
        double x[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            x[axis] = high * (2 * (double)(seed >> 11) / 9007199254740992.0 - 1);
        }
        double d = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        r->points[i] = (rslVec3){ x[0], x[1], x[2] };
        i += d > low && d < high ? 1 : 0;
    }
}

static void AddJudged(cliStudy* study, const char* what, double ours, double bar)
{
    cliQuantity q = cliQuantity_Make(ours, "", "r = 5 to 8 a, lattice: %s, rms", what);
    q.highest = bar;
    cliStudy_Add(study, &q);
}

// The bars are for lattices.
static void AddShell(cliStudy* study, cliLoaded* loaded, const Source* source, double spacing)
{
    Readings r;
    rslReport report = { 0 };
    bool made = MakeReadings(&r, SHELL);
    if (made)
    {
        LayShell(&r, 5 * spacing, 8 * spacing);
    }
    rslStatus status = made ? Read(loaded, spacing, &r, &report) : rsl_outOfMemory;
    if (cliStudy_Check(study, status, &report))
    {
        AddJudged(study, "displacement", ShellMotion(&r, source), 0.01);
        AddJudged(study, "Hardy stress, line probe 1.3 a", ShellDeviation(&r, source, r.line, false), 0.09);
        AddJudged(study, "Hardy stress, sphere probe 0.6 a", ShellDeviation(&r, source, r.sphere, false), NAN);
        AddJudged(study, "strain", ShellDeviation(&r, source, r.strain, true), 0.10);
    }
    FreeReadings(&r);
}

typedef struct Panels
{
    cliPanel *strain, *stress;
} Panels;

static void DrawLine(const Readings* r, const Source* source, Panels panels, const char* name, int colour)
{
    cliCurve* strain = cliPanel_AddCurve(panels.strain, name, cliStyle_OursLine(colour));
    cliCurve* stress = cliPanel_AddCurve(panels.stress, name, cliStyle_OursLine(colour));
    cliCurve* strainTheory = colour > 1 ? NULL : cliPanel_AddCurve(panels.strain, "theory", cliStyle_Theory());
    cliCurve* stressTheory = colour > 1 ? NULL : cliPanel_AddCurve(panels.stress, "theory", cliStyle_Theory());
    for (int i = 9; i < r->count; ++i)
    {
        double parts[PARTS];
        cliCurve_Add(strain, i + 1, r->strain[i].xy / FORCE);
        cliCurve_Add(stress, i + 1, r->line[i].xy / FORCE);
        Kelvin(From(source, r->points[i]), true, parts);
        cliCurve_Add(strainTheory, i + 1, parts[5] / FORCE);
        Kelvin(From(source, r->points[i]), false, parts);
        cliCurve_Add(stressTheory, i + 1, parts[5] / FORCE);
    }
}

static void AddLine(cliStudy* study, cliLoaded* loaded, const Source* source, const Ball* ball, double spacing,
                    Panels panels, int colour)
{
    Readings r;
    rslReport report = { 0 };
    bool made = MakeReadings(&r, POINTS);
    if (made)
    {
        LayLine(&r);
    }
    rslStatus status = made ? Read(loaded, spacing, &r, &report) : rsl_outOfMemory;
    if (cliStudy_Check(study, status, &report))
    {
        double springs = 2.0 * (double)loaded->model->springCount / loaded->model->nodeCount;
        cliQuantity q =
            cliQuantity_Make(LineDeviation(&r, source, r.strain, true), "", "line [111], strain, %s", ball->name);
        cliQuantity_Note(&q, "Mean deviation of the components on points 15 to 80. %d nodes, %.1f springs a node.",
                         loaded->model->nodeCount, springs);
        cliStudy_Add(study, &q);
        q = cliQuantity_Make(LineDeviation(&r, source, r.line, false), "", "line [111], stress, %s", ball->name);
        cliQuantity_Note(&q, "With the sphere probe %.3f.", LineDeviation(&r, source, r.sphere, false));
        cliStudy_Add(study, &q);
        DrawLine(&r, source, panels, ball->name, colour);
    }
    FreeReadings(&r);
}

static void RunBall(cliStudy* study, const Ball* ball, Panels panels, int number)
{
    double spacing = cliStudy_IsQuick(study) ? 2 * ball->spacing : ball->spacing;
    cliLoaded loaded = { 0 };
    cliStudy_Reset(study);
    if (ball->longest > 0)
    {
        cliStudy_Set(study, "body.network.count", "%.0f", 4.0 / 3.0 * PI * pow(RADIUS / spacing, 3));
        cliStudy_Set(study, "body.network.min_length", "%g", 0.86 * spacing);
        cliStudy_Set(study, "body.network.max_length", "%g", ball->longest * spacing);
    }
    else
    {
        cliStudy_Set(study, "body.network.spacing", "%g", spacing);
    }
    Source source = { .shell = RADIUS - 1.6 * spacing };
    int node;
    cliName held = cliNamed("kot-fig-3.6-3.11-held-%d.yaml", number);
    if (cliStudy_NearestNode(study, ball->scene, (rslVec3){ 0, 0, 0 }, &node, &source.at) &&
        cliStudy_OpenHeld(study, ball->scene, held.text, Hold, &source, &loaded) && cliStudy_Run(study, &loaded))
    {
        if (number == 1)
        {
            AddShell(study, &loaded, &source, spacing);
        }
        AddLine(study, &loaded, &source, ball, spacing, panels, number);
    }
    cliLoaded_Free(&loaded);
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "A point force: strain and stress on the line [111]");
    Panels panels = { .strain = cliPlot_AddPanel(plot, "strain e12", "point on the line", "e12 / F"),
                      .stress = cliPlot_AddPanel(plot, "stress s12 (Hardy, line)", "point on the line", "s12 / F") };
    int count = cliStudy_IsQuick(study) ? 2 : 4;
    for (int i = 0; i < count && cliStudy_IsGood(study); ++i)
    {
        cliStudy_Progress(study, (double)i / count, "%s", balls[i].name);
        RunBall(study, &balls[i], panels, i + 1);
    }
    cliStudy_Say(study, "The thesis shows the mean deviations as bars without numbers, and finds that those of strain "
                        "grow as springs become fewer, those of stress less so.");
}

const cliExperiment cliKotFigure36 = {
    .name = "kot-fig-3.6-3.11",
    .title = "A force at a point: strain and stress inside",
    .source = "Kot, Mass spring models (thesis), figures 3.6 to 3.11",
    .text = "A force along y on the node in the middle of a sphere of radius 5, E = 100, as a lattice of spacing 0.25 "
            "and as random "
            "networks of as many nodes. The thesis does not say how the sphere is held; here its outermost nodes are "
            "where Kelvin's "
            "solution has them. Strain is interpolated between the nodes, stress read by Hardy's probes.",
    .run = Run,
};
