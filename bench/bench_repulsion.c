// SPDX-License-Identifier: MIT
//
// bench_repulsion.c: what clamped repulsion costs where nothing is near collapse: time of a step with it over that without, for bodies
// at small strain, and for bodies strained so much that every piece has to be looked at. Both take turns and the best turn of each
// counts; time is that of the process, because the machine may be shared: only ratios mean anything.
//
//   bench_repulsion [CELLS_A_SIDE]      30 unless given

#include "bench.h"

#include <math.h>

enum
{
    ROUNDS = 9
};

static rslModel* MakeModel(rslNetworkType network, rslModelType type, int cells, rslRepulsionType repulsion)
{
    const double spacing = 0.01;
    rslShapeDef box = rslDefaultShapeDef();
    double size = spacing * cells;
    box.size = (rslVec3){ size, size, size };
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "block";
    body.shape = &box;
    body.network.type = network;
    body.network.spacing = spacing;
    body.model.type = type;
    body.repulsion.type = repulsion;
    body.material.young = 1e5;
    body.material.poisson = 0.25;
    body.material.density = 1000.0;
    body.surface.enabled = false;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    rslModel* model = NULL;
    Check(rslModel_Build(&scene, NULL, &model, NULL), "build");
    return model;
}

// Pressed along z, at rest in no direction: it moves little in so few steps.
static rslState* MakeState(const rslModel* model, rslPrecision precision, double strain)
{
    rslState* state = NULL;
    Check(rslState_Create(model, precision, NULL, &state), "state");
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(&model->bodies[0], i, i + 1, x);
        if (precision == rsl_single)
        {
            ((float*)state->displacement[2])[i] = (float)(-strain * x[2]);
        }
        else
        {
            ((double*)state->displacement[2])[i] = -strain * x[2];
        }
    }
    return state;
}

static void Race(const char* name, rslNetworkType network, rslModelType type, int cells, rslPrecision precision)
{
    static const double strains[2] = { 0.0, 0.2 };
    printf("%-22s %s ", name, precision == rsl_single ? "single" : "double");
    for (int s = 0; s < 2; ++s)
    {
        double best[2] = { INFINITY, INFINITY };
        rslModel* models[2];
        rslSolver* solvers[2];
        rslState* states[2];
        int steps = 1 + 400000 / (cells * cells * cells);
        for (int r = 0; r < 2; ++r)
        {
            rslSolverDef def = rslDefaultSolverDef();
            def.precision = precision;
            def.threads = 1;
            def.step = 1e-6;
            models[r] = MakeModel(network, type, cells, r == 0 ? rsl_noRepulsion : rsl_clampedRepulsion);
            Check(rslSolver_Create(models[r], &def, NULL, &solvers[r], NULL), "solver");
            states[r] = MakeState(models[r], precision, strains[s]);
        }
        for (int n = 0; n < 2 * ROUNDS; ++n)
        {
            double start = OwnSeconds();
            Check(rslSolver_Step(solvers[n % 2], states[n % 2], steps), "step");
            best[n % 2] = fmin(best[n % 2], (OwnSeconds() - start) / steps);
        }
        printf("  strain %.0f %%: %.3f", 100.0 * strains[s], best[1] / best[0]);
        if (s == 1)
        {
            printf("  (a step without: %.3g s)\n", best[0]);
        }
        for (int r = 0; r < 2; ++r)
        {
            rslState_Free(states[r]);
            rslSolver_Free(solvers[r]);
            rslModel_Free(models[r]);
        }
    }
}

int main(int argc, char** argv)
{
    int cells = argc > 1 ? atoi(argv[1]) : 30;
    if (cells < 2 || cells > 200)
    {
        fprintf(stderr, "expected 2 to 200 cells a side\n");
        return 2;
    }
    printf("time of a step with clamped repulsion over that without, %d^3 cells\n", cells);
    for (int p = 0; p < 2; ++p)
    {
        rslPrecision precision = p == 0 ? rsl_double : rsl_single;
        Race("lattice of springs", rsl_latticeNetwork, rsl_springModel, cells, precision);
        Race("tetrahedra of springs", rsl_tetrahedraNetwork, rsl_springModel, cells / 2, precision);
        Race("bricks", rsl_latticeNetwork, rsl_brickModel, cells, precision);
    }
    return 0;
}
