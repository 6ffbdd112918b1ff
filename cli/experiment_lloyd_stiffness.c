// SPDX-License-Identifier: MIT
//
// experiment_lloyd_stiffness.c: springs on equilateral triangles have the stiffness of linear finite elements.

#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A stiffness matrix, two rows a node.
typedef struct Matrix
{
    int size;
    const double* rest;  // x y z of the nodes
    double* k;
} Matrix;

static void AddEntry(Matrix* m, int row, int column, double value)
{
    m->k[row * m->size + column] += value;
}

// Eq. 6, with the projector of unit vectors: its A_ij lacks 1 / l0^2 as printed.
static bool AddSpring(const rslSpring* spring, void* context)
{
    Matrix* m = context;
    const double *a = m->rest + 3 * spring->a, *b = m->rest + 3 * spring->b;
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    double u[2] = { (b[0] - a[0]) / length, (b[1] - a[1]) / length };
    for (int i = 0; i < 4; ++i)
    {
        int r = i / 2, c = i % 2;
        double value = spring->stiffness * u[r] * u[c];
        AddEntry(m, 2 * spring->a + r, 2 * spring->a + c, value);
        AddEntry(m, 2 * spring->b + r, 2 * spring->b + c, value);
        AddEntry(m, 2 * spring->a + r, 2 * spring->b + c, -value);
        AddEntry(m, 2 * spring->b + r, 2 * spring->a + c, -value);
    }
    return true;
}

static void AddElements(Matrix* m, const cliLoaded* loaded, double poisson)
{
    const rslSurface* surface = &loaded->model->bodies[0].surface;
    const rslBodyDef* body = &loaded->scene.bodies[0];
    for (int t = 0; t < surface->triangleCount; ++t)
    {
        const int* corner = surface->triangles + 3 * t;
        double x[6], k[6][6];
        for (int i = 0; i < 6; ++i)
        {
            x[i] = m->rest[3 * corner[i / 2] + i % 2];
        }
        rslFiniteTriangle_Stiffness(x, body->material.young, poisson, body->network.thickness, k);
        for (int i = 0; i < 36; ++i)
        {
            int a = i / 6, b = i % 6;
            AddEntry(m, 2 * corner[a / 2] + a % 2, 2 * corner[b / 2] + b % 2, k[a][b]);
        }
    }
}

typedef struct Mismatch
{
    double largest;    // max |K_MSS - K_FEM| / max |K_FEM|
    double frobenius;  // |K_MSS - K_FEM| / |K_FEM|
} Mismatch;

static Mismatch Compare(const Matrix* springs, const Matrix* elements)
{
    double worst = 0, most = 0, difference = 0, whole = 0;
    for (int i = 0; i < springs->size * springs->size; ++i)
    {
        double d = springs->k[i] - elements->k[i];
        worst = fmax(worst, fabs(d));
        most = fmax(most, fabs(elements->k[i]));
        difference += d * d;
        whole += elements->k[i] * elements->k[i];
    }
    return (Mismatch){ worst / most, sqrt(difference / whole) };
}

// The forces of the program itself under a small displacement of every node, against those of the elements, rms.
static double ForceMismatch(cliLoaded* loaded, const Matrix* elements, double* force)
{
    const double small = 1e-9;
    const rslModel* model = loaded->model;
    double *u = force + 3 * model->nodeCount, difference = 0, whole = 0;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        const double* x = elements->rest + 3 * i;
        u[2 * i] = small * cos(7.0 * i);
        u[2 * i + 1] = small * sin(11.0 * i + 1);
        rslState_SetPosition(model, loaded->state, i, (rslVec3){ x[0] + u[2 * i], x[1] + u[2 * i + 1], x[2] });
    }
    rslSolver_Fields(loaded->solver, loaded->state, force, NULL, NULL);
    for (int row = 0; row < elements->size; ++row)
    {
        double expected = 0;
        for (int c = 0; c < elements->size; ++c)
        {
            expected -= elements->k[row * elements->size + c] * u[c];
        }
        double d = force[3 * (row / 2) + row % 2] - expected;
        difference += d * d;
        whole += expected * expected;
    }
    return sqrt(difference / whole);
}

static void AddFigures(cliStudy* study, cliLoaded* loaded, Matrix* springs, Matrix* elements, double* force)
{
    // of Frobenius norms at other ratios, worked out apart from this program
    static const double known[][2] = { { 0.25, 0.048 }, { 0.3, 0.021 }, { 0.35, 0.011 }, { 0.4, 0.049 } };
    size_t bytes = sizeof(double) * (size_t)elements->size * (size_t)elements->size;
    AddElements(elements, loaded, 1.0 / 3.0);
    cliQuantity q =
        cliQuantity_Make(Compare(springs, elements).largest, "", "max |K_MSS - K_FEM| / max |K_FEM|, nu = 1/3");
    q.reference = q.published = 0;
    q.uncertainty = q.bar = 1e-12;
    cliQuantity_Note(
        &q, "The paper says equal. Its equation 7 needs a factor 1/l0^2, without which it holds for l0 = 1 only.");
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(ForceMismatch(loaded, elements, force), "", "forces of the simulation against K_FEM u, rms");
    q.reference = 0;
    q.bar = 1e-6;
    cliStudy_Add(study, &q);

    cliPlot* plot = cliStudy_Plot(study, "Springs against finite elements");
    cliPanel* panel = cliPlot_AddPanel(plot, "", "Poisson's ratio of the elements", "|K_MSS - K_FEM| / |K_FEM|");
    cliCurve* curve = cliPanel_AddCurve(panel, "the same springs, elements of any ratio", cliStyle_OursLine(1));
    cliCurve* points = cliPanel_AddCurve(panel, "worked out before", cliStyle_Published());
    for (int i = 0; i < 64; ++i)
    {
        bool listed = i >= 60;
        double poisson = listed ? known[i - 60][0] : 0.1 + 0.35 * i / 59;
        memset(elements->k, 0, bytes);
        AddElements(elements, loaded, poisson);
        double frobenius = Compare(springs, elements).frobenius;
        if (listed)
        {
            q = cliQuantity_Make(frobenius, "", "|K_MSS - K_FEM| / |K_FEM| (Frobenius), nu = %g", poisson);
            q.reference = known[i - 60][1];
            q.absolute = true;
            q.bar = 6e-4;
            cliStudy_Add(study, &q);
            cliCurve_Add(points, poisson, known[i - 60][1]);
        }
        else
        {
            cliCurve_Add(curve, poisson, frobenius);
        }
    }
}

static void Run(cliStudy* study)
{
    cliLoaded loaded;
    cliStudy_Set(study, "loads.0.acceleration", "[0, 0, 0]");  // springs alone
    if (cliStudy_Open(study, "lloyd-stiffness.yaml", &loaded))
    {
        const rslModel* model = loaded.model;
        int size = 2 * model->nodeCount;
        double* rest = calloc(3 * (size_t)model->nodeCount, sizeof(double));
        double* force = calloc(5 * (size_t)model->nodeCount, sizeof(double));
        Matrix springs = { size, rest, calloc((size_t)size * (size_t)size, sizeof(double)) };
        Matrix elements = { size, rest, calloc((size_t)size * (size_t)size, sizeof(double)) };
        bool memory = rest != NULL && force != NULL && springs.k != NULL && elements.k != NULL;
        if (cliStudy_Check(study, memory ? rsl_ok : rsl_outOfMemory, NULL))
        {
            rslState_Positions(model, loaded.state, 0, model->nodeCount, rest);
            rslModel_VisitSprings(model, 0, AddSpring, &springs);
            AddFigures(study, &loaded, &springs, &elements, force);
        }
        free(rest);
        free(force);
        free(springs.k);
        free(elements.k);
    }
    cliLoaded_Free(&loaded);
}

const cliExperiment cliLloydStiffness = {
    .name = "lloyd-stiffness",
    .title = "Springs on equilateral triangles: the stiffness of finite elements",
    .source = "Lloyd, Kirac, Szekely, Harders (2008), equations 6 to 11",
    .text = "A membrane of 228 equilateral triangles, E = 16, h = 1, nu = 1/3. The stiffness matrix of its springs, k "
            "= E h sqrt(3)/4 for "
            "each triangle at an edge, is compared entry by entry with that of linear plane-stress triangles, and the "
            "forces of the "
            "running simulation with K_FEM u. At other Poisson's ratios no choice of k makes the two equal.",
    .run = Run,
};
