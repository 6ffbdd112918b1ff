// SPDX-License-Identifier: MIT
//
// experiment_cooper_fig_6.c: the force on a corner of four elements over the plane, and where it vanishes.

#include "cooper_element.h"

#include <math.h>
#include <stdlib.h>

#define SCENE "cooper-fig-6-8-10-12.yaml"

// The largest component by which forces at the tabulated points are off.
static double TableError(cliField* field, void* context, const double (*expected)[2])
{
    double worst = 0;
    for (int i = 0; i < CLI_COOPER_POINTS; ++i)
    {
        cliPoint f = field((cliPoint){ cliCooperPoints[i][0], cliCooperPoints[i][1] }, context);
        double off = fmax(fabs(f.x - expected[i][0]), fabs(f.y - expected[i][1]));
        worst = off <= worst ? worst : off;
    }
    return worst;
}

static void AddTable(cliStudy* study, double worst, const char* name)
{
    cliQuantity q = cliQuantity_Make(worst, "N", "%s: force on C at %d points, largest error", name, CLI_COOPER_POINTS);
    q.reference = 0;
    q.bar = 1e-9;
    cliStudy_Add(study, &q);
}

// ---- zeros ----------------------------------------------------------------------------------------------------------

static void AddZeros(cliStudy* study, cliCooperKind kind, cliLoaded* loaded, cliCurve* marks)
{
    const char* name = cliCooperKind_Name(kind);
    bool above = kind == cli_repulsionElement;  // below the axis the element does not exist
    cliWindow window = { { -2, above ? 0.1 : -2 }, { 3, 3 }, above ? 0.02 : -3, 4 };
    cliPoint roots[16];
    int count = cliRoots_Find(cliCooper_Force, loaded, &window, cliStudy_IsQuick(study) ? 8 : 40, roots, 16);
    cliQuantity q = cliQuantity_Make(count, "", "%s: points without force", name);
    q.reference = cliCooperZeroCount[kind];
    q.bar = 0;
    cliStudy_Add(study, &q);
    for (int i = 0; i < count && i < cliCooperZeroCount[kind]; ++i)
    {
        const double* expected = cliCooperZeros[kind][i];
        q = cliQuantity_Make(hypot(roots[i].x - expected[0], roots[i].y - expected[1]), "m",
                             "%s: no force at (%.9f, %.3g), off by", name, expected[0], expected[1]);
        q.reference = 0;
        q.bar = 1e-9;
        cliStudy_Add(study, &q);
        if (fabs(expected[1]) < 1e-9)
        {
            cliCurve_Add(marks, roots[i].x, 0);
        }
        if (kind == cli_standardElement && fabs(roots[i].x - sqrt(0.5)) < 0.1)
        {
            q = cliQuantity_Make(roots[i].x, "m", "standard: x of the zero that the paper saw");
            q.published = 0.6;
            q.uncertainty = 0.05;
            q.reference = sqrt(0.5);
            q.bar = 1e-9;
            cliQuantity_Note(&q, "The paper says around (0.6, 0), read off its plot; eq. 3 with its own numbers "
                                 "vanishes at 1/sqrt 2.");
            cliStudy_Add(study, &q);
        }
    }
}

// ---- the element of eq. 5 ---------------------------------------------------------------------------------------------

// Eq. 5 has only C repelled: a standard element and a non-linear spring from C to its foot on AB. As an element it would
// push itself along.
typedef struct OwnRepulsion
{
    cliLoaded *element, *spring;
} OwnRepulsion;

static cliPoint OwnForce(cliPoint at, void* context)
{
    OwnRepulsion* own = context;
    const rslModel* model = own->spring->model;
    double force[12];
    rslState_SetPosition(model, own->spring->state, 2, (rslVec3){ at.x, 0, 0 });
    rslState_SetPosition(model, own->spring->state, 3, (rslVec3){ at.x, at.y, 0 });
    rslSolver_Fields(own->spring->solver, own->spring->state, force, NULL, NULL);
    cliPoint f = cliCooper_Force(at, own->element);
    return (cliPoint){ f.x + force[9], f.y + force[10] };
}

static bool AddOwnRepulsion(cliStudy* study)
{
    cliLoaded element = { 0 }, spring = { 0 };
    cliStudy_Reset(study);
    bool good = cliStudy_Open(study, SCENE, &element) && cliStudy_Open(study, "cooper-fig-9.yaml", &spring);
    OwnRepulsion own = { &element, &spring };
    if (good)
    {
        AddTable(study, TableError(OwnForce, &own, cliCooperOwnRepulsion), "eq. 5 alone");
        for (double d = 0.1; d > 5e-4; d /= 10)
        {
            cliPoint f = OwnForce((cliPoint){ 0.5, d }, &own);
            cliQuantity q = cliQuantity_Make(hypot(f.x, f.y) * d, "", "eq. 5: |F| y at (0.5, %g)", d);
            q.reference = d > 0.05 ? 1.01816 : d > 0.005 ? 1.00019 : 1.000002;
            q.absolute = true;
            q.bar = d > 0.05 ? 5e-6 : 5e-7 + 0.005 * d;
            cliStudy_Add(study, &q);
        }
    }
    cliLoaded_Free(&element);
    cliLoaded_Free(&spring);
    return good;
}

// ---- pictures ---------------------------------------------------------------------------------------------------------

#define CAP 4.0
#define LIFT 0.4  // metres a newton

static double Magnitude(cliPoint at, cliLoaded* element)
{
    cliPoint f = cliCooper_Force(at, element);
    double size = hypot(f.x, f.y);
    return size <= CAP ? size : CAP;  // also where it is not a number
}

static bool DrawSurface(cliStudy* study, cliCooperKind kind, cliLoaded* element)
{
    static const int figure[cli_cooperKindCount] = { 6, 8, 10, 12 };
    cliLoaded sheet;
    cliStudy_Reset(study);
    if (cliStudy_IsQuick(study))
    {
        cliStudy_Set(study, "bodies.field.network.cells", "[50, 40]");
    }
    bool good = cliStudy_Open(study, "cooper-fig-6-8-10-12-surface.yaml", &sheet);
    double* size = good ? calloc((size_t)sheet.model->nodeCount, sizeof(double)) : NULL;
    good = good && cliStudy_Check(study, size != NULL ? rsl_ok : rsl_outOfMemory, NULL);
    for (int i = 0; good && i < sheet.model->nodeCount; ++i)
    {
        double x[3];
        rslState_Positions(sheet.model, sheet.state, i, i + 1, x);
        size[i] = Magnitude((cliPoint){ x[0], fmax(x[1], 1e-4) }, element);
        rslState_SetPosition(sheet.model, sheet.state, i, (rslVec3){ x[0], x[1], LIFT * size[i] });
    }
    if (good)
    {
        bool repulsion = kind == cli_repulsionElement;
        double axis = repulsion ? 1 : cliCooperZeros[kind][1][0];
        char flip[64];
        snprintf(flip, sizeof flip, "no force at (%.4f, 0)", axis);
        const rslPictureLabel labels[2] = {
            { { 1, 1, 0.02 }, 0.5, "at rest" },
            { { axis, 0, 0.02 }, 0.5, repulsion ? "infinite" : flip },
        };
        rslPictureDef def = rslDefaultPictureDef();
        def.width = 960;
        def.height = 640;
        def.style = rsl_fieldPicture;
        def.field = rsl_givenField;
        def.values = size;
        def.title = "force [N]";
        def.view = repulsion ? (rslVec3){ -0.35, 1, 0.9 } : (rslVec3){ -0.35, -1, 0.9 };
        def.drawLabels = false;
        def.labels = labels;
        def.labelCount = repulsion ? 1 : 2;
        good = cliStudy_Draw(study, &sheet, &def,
                             cliNamed("figure %d: |F| on C over the plane, %s; AB at the %s", figure[kind],
                                      cliCooperKind_Name(kind), repulsion ? "back" : "front, x to the right")
                                 .text);
    }
    free(size);
    cliLoaded_Free(&sheet);
    return good;
}

// ---- together -----------------------------------------------------------------------------------------------------------

static void AddCurves(cliCooperKind kind, cliLoaded* element, cliPanel* across, cliPanel* down)
{
    const char* name = cliCooperKind_Name(kind);
    cliCurve* axis = cliPanel_AddCurve(across, name, cliStyle_OursLine(1 + (int)kind));
    cliCurve* fall = cliPanel_AddCurve(down, name, cliStyle_OursLine(1 + (int)kind));
    for (int i = 0; i <= 400; ++i)
    {
        double s = i / 400.0, x = -1 + 3 * s, y = pow(10, -3 + 3 * s);
        if (kind != cli_repulsionElement)
        {
            cliCurve_Add(axis, x, Magnitude((cliPoint){ x, 0 }, element));
        }
        cliPoint f = cliCooper_Force((cliPoint){ sqrt(0.5), y }, element);
        cliCurve_Add(fall, y, hypot(f.x, f.y));
    }
}

static void Run(cliStudy* study)
{
    cliPlot* plot = cliStudy_Plot(study, "Force on C");
    cliPanel* across = cliPlot_AddPanel(plot, "C on the line AB", "x of C [m]", "|F| [N]");
    cliPanel* down = cliPlot_AddPanel(plot, "C on its way to the line, x = 1/sqrt 2", "y of C [m]", "|F| [N]");
    cliPanel_SetLog(down, true, true);
    cliPanel_SetRangeY(across, 0, CAP);
    for (int k = 0; k < cli_cooperKindCount; ++k)
    {
        cliCooperKind kind = (cliCooperKind)k;
        cliLoaded loaded;
        cliStudy_Progress(study, k / 4.0, "%s", cliCooperKind_Name(kind));
        cliStudy_Reset(study);
        cliCooper_Choose(study, kind);
        if (cliStudy_Open(study, SCENE, &loaded))
        {
            cliCurve* marks = cliPanel_AddCurve(across, NULL, (cliStyle){ .colour = 1 + k, .mark = cli_circleMark });
            AddTable(study, TableError(cliCooper_Force, &loaded, cliCooperForces[k]), cliCooperKind_Name(kind));
            AddZeros(study, kind, &loaded, marks);
            AddCurves(kind, &loaded, across, down);
            DrawSurface(study, kind, &loaded);
        }
        cliLoaded_Free(&loaded);
    }
    AddOwnRepulsion(study);
}

const cliExperiment cliCooperFigure6 = {
    .name = "cooper-fig-6-8-10-12",
    .title = "The force on a corner of four elements",
    .source = "Cooper & Maddock (1999), figures 6, 8, 10 and 12",
    .text =
        "A triangle A = (0, 0), B = (1, 0), C = (1, 1) with k = 1; C is put anywhere in the plane and the force on it "
        "read "
        "from the simulation. Springs along the edges, with springs to the mean of the corners, and non-linear springs "
        "all "
        "let go on the line AB: three points there have no force, and beyond the line a mirrored rest waits. With edge "
        "repulsion the force grows without bound towards the line. The paper states eq. 5, in which C alone is "
        "repelled; the "
        "element here has the repulsion of all three corners and its reactions, so that it does not push itself.",
    .run = Run,
};
