// SPDX-License-Identifier: MIT
//
// block_test.c: Young's modulus and Poisson's ratio of a box pulled or pressed along x.

#include "block_test.h"

#include "displaced.h"

#include <math.h>

// The x nearest to the middle among the nodes of a grip.
static double InnerEnd(const rslConstraint* grip)
{
    double inner = INFINITY;
    for (int i = 0; i < grip->nodeCount; ++i)
    {
        inner = fabs(grip->start[3 * i]) < fabs(inner) ? grip->start[3 * i] : inner;
    }
    return inner;
}

// A straight line u = u0 + s x through points by least squares.
typedef struct Fit
{
    double count, x, u, xx, xu;
} Fit;

static void Fit_Add(Fit* fit, double x, double u)
{
    fit->count += 1;
    fit->x += x;
    fit->u += u;
    fit->xx += x * x;
    fit->xu += x * u;
}

static double Fit_Slope(const Fit* fit)
{
    return (fit->count * fit->xu - fit->x * fit->u) / (fit->count * fit->xx - fit->x * fit->x);
}

// Strains along the axes in the middle of the box.
static rslVec3 MiddleStrain(const cliDisplaced* d, rslVec3 half)
{
    Fit fit[3] = { 0 };
    for (int i = 0; i < d->count; ++i)
    {
        const double* r = d->rest + 3 * i;
        if (fabs(r[0]) <= half.x && fabs(r[1]) <= half.y && fabs(r[2]) <= half.z)
        {
            for (int a = 0; a < 3; ++a)
            {
                Fit_Add(&fit[a], r[a], d->now[3 * i + a] - r[a]);
            }
        }
    }
    return (rslVec3){ Fit_Slope(&fit[0]), Fit_Slope(&fit[1]), Fit_Slope(&fit[2]) };
}

cliModuli cliBlock_Measure(const cliLoaded* loaded)
{
    const rslModel* model = loaded->model;
    const rslConstraint* left = &model->constraints[0];
    const rslConstraint* right = &model->constraints[1];
    rslVec3 size = loaded->scene.bodies[0].shape->size;
    double length = InnerEnd(right) - InnerEnd(left);
    double strain = (right->move.translate.x - left->move.translate.x) / length;
    double force = rslSolver_Reaction(loaded->solver, loaded->state, 1).x;

    double stress = force / (size.y * size.z);
    cliModuli moduli = { .young = stress / strain, .inner = NAN, .poisson = NAN };
    cliDisplaced d = cliDisplaced_Take(loaded);
    if (d.count > 0)
    {
        rslVec3 half = { length / 4, 0.4 * size.y, 0.4 * size.z };
        rslVec3 middle = MiddleStrain(&d, half);
        moduli.inner = stress / middle.x;
        moduli.poisson = -(middle.y + middle.z) / (2 * middle.x);
    }
    cliDisplaced_Free(&d);
    return moduli;
}

cliModuli cliBlock_Tension(cliStudy* study, const char* scene, char axis, double tolerance)
{
    rslMeasureDef def = rslDefaultMeasureDef();
    def.tests = rsl_tensionTest;
    def.tolerance = tolerance;
    rslMeasurements* m = cliStudy_Measure(study, scene, &def);
    double young = cliMeasured(m, cliNamed("E_%c", axis).text), poisson = cliMeasured(m, cliNamed("nu_%c", axis).text);
    rslMeasurements_Free(m);
    return (cliModuli){ .young = young, .inner = young, .poisson = poisson };
}
