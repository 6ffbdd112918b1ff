// SPDX-License-Identifier: MIT
//
// bench_build.c: time and memory to build a body and a solver of it, from 10^4 to 10^6 nodes. Linear cost means that the
// figures a node stay as they are.

#include "bench.h"

#include <math.h>

static rslModel* Build(const rslBodyDef* body, double* seconds)
{
    rslScene scene = rslDefaultScene();
    scene.bodies = body;
    scene.bodyCount = 1;
    double start = WallSeconds();
    rslModel* model = Built(&scene);
    *seconds = WallSeconds() - start;
    return model;
}

// One row: build, then a solver with its stable step.
static void Report(const char* kind, const rslBodyDef* body)
{
    double build = 0.0;
    rslModel* model = Build(body, &build);
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = rsl_single;
    rslSolver* solver = NULL;
    double start = WallSeconds();
    if (rslSolver_Create(model, &def, NULL, &solver, NULL) != rsl_ok)
    {
        fprintf(stderr, "the solver failed\n");
        exit(1);
    }
    double create = WallSeconds() - start, nodes = model->nodeCount;
    rslStability stability = rslSolver_Stability(solver);
    printf("%-8s %8d %9lld %9.3f %8.1f %8.0f %9.3f %8.1f %8.0f %6d %11.5g\n", kind, model->nodeCount,
           (long long)model->springCount, build, 1e9 * build / nodes, (double)model->bytes / nodes, create,
           1e9 * create / nodes, (double)rslSolver_Bytes(solver) / nodes, stability.iterations, stability.stableStep);
    fflush(stdout);
    rslSolver_Free(solver);
    rslModel_Free(model);
}

static rslBodyDef LatticeOf(const rslShapeDef* box)
{
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "block";
    body.shape = box;
    body.network.type = rsl_latticeNetwork;
    body.network.spacing = 0.01;
    body.material.young = 1e5;
    body.material.poisson = 0.25;
    body.material.density = 1000.0;
    body.surface.enabled = false;
    return body;
}

// The springs of a model as lists.
typedef struct Lists
{
    int* springs;
    double* stiffness;
    int count;
} Lists;

static bool AddSpring(const rslSpring* spring, void* context)
{
    Lists* lists = context;
    lists->springs[2 * (size_t)lists->count] = spring->a;
    lists->springs[2 * (size_t)lists->count + 1] = spring->b;
    lists->stiffness[lists->count++] = spring->stiffness;
    return true;
}

// The same block with every spring listed.
static void ReportNetwork(const rslBodyDef* lattice)
{
    double seconds = 0.0;
    rslModel* model = Build(lattice, &seconds);
    size_t nodes = (size_t)model->nodeCount, springs = (size_t)model->springCount;
    Lists lists = { malloc(2 * springs * sizeof(int)), malloc(springs * sizeof(double)), 0 };
    double *rest = malloc(3 * nodes * sizeof(double)), *masses = malloc(nodes * sizeof(double));
    if (!lists.springs || !lists.stiffness || !rest || !masses)
    {
        abort();
    }
    rslModel_VisitSprings(model, 0, AddSpring, &lists);
    rslBody_Rest(&model->bodies[0], 0, model->nodeCount, rest);
    for (size_t i = 0; i < nodes; ++i)
    {
        masses[i] = model->mass[i];
    }
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "block";
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = rest;
    body.network.masses = masses;
    body.network.springs = lists.springs;
    body.network.stiffness = lists.stiffness;
    body.network.nodeCount = body.network.massCount = (int)nodes;
    body.network.springCount = body.network.stiffnessCount = (int)springs;
    rslModel_Free(model);
    Report("network", &body);
    free(lists.springs);
    free(lists.stiffness);
    free(rest);
    free(masses);
}

int main(void)
{
    static const int sides[5] = { 22, 32, 46, 68, 100 };
    printf("%-8s %8s %9s | %7s %8s %8s | %7s %8s %8s %6s %11s\n", "", "nodes", "springs", "build s", "ns/node",
           "B/node", "solver", "ns/node", "B/node", "turns", "stable s");
    for (int i = 0; i < 10; ++i)
    {
        rslShapeDef box = rslDefaultShapeDef();
        double size = 0.01 * (sides[i % 5] - 1);
        box.size = (rslVec3){ size, size, size };
        rslBodyDef body = LatticeOf(&box);
        if (i < 5)
        {
            Report("lattice", &body);
        }
        else
        {
            ReportNetwork(&body);
        }
    }
    return 0;
}
