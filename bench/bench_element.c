// SPDX-License-Identifier: MIT
//
// bench_element.c: time of an explicit step of bodies of finite elements, with lanes (element_lanes.c) and with
// elements that are asked one at a time, which is the reference. All competitors take turns and the best turn of each
// counts, because the machine may be shared: only ratios mean anything.
//
//   bench_element [CASE...]      numbers of the list below; all unless given

#include "bench.h"

#include "solver_internal.h"
#include "state_internal.h"

#include <math.h>
#include <string.h>

// force_element.c
void rslElements_AskSingly32(void* kernel, bool singly);
void rslElements_AskSingly64(void* kernel, bool singly);

enum
{
    SOLVERS = 4,
    ROUNDS = 5
};

typedef struct Case
{
    const char* name;
    rslShapeType shape;
    double size;  // side or height [m]
    double spacing;
    rslNetworkType network;
    rslModelType model;
    rslElementLaw law;
    double damping;  // [s]
} Case;

static const Case cases[] = {
    { "bricks 20^3", rsl_boxShape, 0.2, 0.01, rsl_latticeNetwork, rsl_brickModel, rsl_corotationalElement, 0.0 },
    { "bricks 20^3, damped", rsl_boxShape, 0.2, 0.01, rsl_latticeNetwork, rsl_brickModel, rsl_corotationalElement,
      1e-4 },
    { "bricks 40^3", rsl_boxShape, 0.4, 0.01, rsl_latticeNetwork, rsl_brickModel, rsl_corotationalElement, 0.0 },
    { "bricks 40^3, damped", rsl_boxShape, 0.4, 0.01, rsl_latticeNetwork, rsl_brickModel, rsl_corotationalElement,
      1e-4 },
    { "rabbit of bricks, damped", rsl_rabbitShape, 0.2, 0.008, rsl_latticeNetwork, rsl_brickModel,
      rsl_corotationalElement, 1e-4 },
    { "hexahedra 20^3, neo-Hookean", rsl_boxShape, 0.2, 0.01, rsl_latticeNetwork, rsl_finiteModel,
      rsl_neoHookeanElement, 0.0 },
    { "hexahedra 20^3, linear", rsl_boxShape, 0.2, 0.01, rsl_latticeNetwork, rsl_finiteModel, rsl_linearElement, 0.0 },
    { "tetrahedra", rsl_boxShape, 0.2, 0.0125, rsl_tetrahedraNetwork, rsl_finiteModel, rsl_corotationalElement, 0.0 },
    { "tetrahedra, damped", rsl_boxShape, 0.2, 0.0125, rsl_tetrahedraNetwork, rsl_finiteModel, rsl_corotationalElement,
      1e-4 },
};

static rslModel* MakeModel(const Case* one)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = one->shape;
    shape.size = (rslVec3){ one->size, one->size, one->size };
    shape.height = one->size;
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "block";
    body.shape = &shape;
    body.network.type = one->network;
    body.network.spacing = one->spacing;
    body.model.type = one->model;
    body.model.law = one->law;
    body.material.young = 1e5;
    body.material.poisson = 0.25;
    body.material.density = 1000.0;
    body.material.stiffnessDamping = one->damping;
    body.surface.enabled = false;
    body.repulsion.type = rsl_noRepulsion;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    return Built(&scene);
}

// Bent by up to some twenty degrees.
static void Bend(const rslModel* model, rslState* state, double size, bool single)
{
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(&model->bodies[0], i, i + 1, x);
        double s = 1.0 / size;
        const double u[3] = { 0.15 * s * x[2] * x[2] - 0.05 * s * x[1] * x[2], 0.03 * s * x[0] * x[2],
                              0.02 * x[2] - 0.1 * s * x[0] * x[2] };
        for (int axis = 0; axis < 3; ++axis)
        {
            if (single)
            {
                ((float*)state->displacement[axis])[i] = (float)u[axis];
            }
            else
            {
                ((double*)state->displacement[axis])[i] = u[axis];
            }
        }
    }
}

typedef struct Race
{
    rslModel* model;
    rslSolver* solvers[SOLVERS];
    rslState* states[SOLVERS];
} Race;

// Single, single one at a time, double, double one at a time.
static void Enter(Race* race, const Case* one)
{
    race->model = MakeModel(one);
    for (int s = 0; s < SOLVERS; ++s)
    {
        rslSolverDef def = rslDefaultSolverDef();
        def.integrator = rsl_positionVerlet;
        def.precision = s < 2 ? rsl_single : rsl_double;
        def.threads = 1;
        Check(rslSolver_Create(race->model, &def, NULL, &race->solvers[s], NULL), "solver");
        Check(rslState_Create(race->model, def.precision, NULL, &race->states[s]), "state");
        Bend(race->model, race->states[s], one->size, s < 2);
        if (s % 2 == 1)
        {
            (s < 2 ? rslElements_AskSingly32 : rslElements_AskSingly64)(race->solvers[s]->kernel, true);
        }
    }
}

static void Leave(Race* race)
{
    for (int s = 0; s < SOLVERS; ++s)
    {
        rslState_Free(race->states[s]);
        rslSolver_Free(race->solvers[s]);
    }
    rslModel_Free(race->model);
}

// Largest difference of any force from those of the reference in double, relative to the largest force.
static double Compare(Race* race)
{
    size_t count = 3 * (size_t)race->model->nodeCount;
    double *forces = malloc(count * sizeof(double)), *plain = malloc(count * sizeof(double)), worst = 0.0,
           largest = 0.0;
    if (forces == NULL || plain == NULL)
    {
        abort();
    }
    rslSolver_Fields(race->solvers[SOLVERS - 1], race->states[SOLVERS - 1], plain, NULL, NULL);
    for (int s = 0; s < SOLVERS; ++s)
    {
        rslSolver_Fields(race->solvers[s], race->states[s], forces, NULL, NULL);
        for (size_t i = 0; i < count; ++i)
        {
            worst = fmax(worst, fabs(forces[i] - plain[i]));
            largest = fmax(largest, fabs(plain[i]));
        }
    }
    free(forces);
    free(plain);
    return worst / largest;
}

static void Run(const Case* one)
{
    Race race;
    Enter(&race, one);
    int elements = race.model->bodies[0].elements.count;
    double difference = Compare(&race), best[SOLVERS];
    printf("%s: %d nodes, %d elements; forces agree to %.1e\n", one->name, race.model->nodeCount, elements, difference);
    if (!(difference < 1e-3))
    {
        fprintf(stderr, "the forces differ\n");
        exit(1);
    }
    int steps = (int)(1e6 / elements / 32) * 32;  // whole audits
    steps = steps < 32 ? 32 : steps > 3200 ? 3200 : steps;
    for (int s = 0; s < SOLVERS; ++s)
    {
        best[s] = INFINITY;
    }
    for (int round = 0; round < ROUNDS; ++round)
    {
        for (int s = 0; s < SOLVERS; ++s)
        {
            best[s] = fmin(best[s], TimeOfStep(race.solvers[s], race.states[s], steps, 1));
        }
    }
    for (int s = 0; s < SOLVERS; s += 2)
    {
        printf("  %-8s %12.1f us %12.1f us singly %8.2f times, %.1f ns an element\n", s < 2 ? "single" : "double",
               1e6 * best[s], 1e6 * best[s + 1], best[s + 1] / best[s], 1e9 * best[s] / elements);
    }
    fflush(stdout);
    Leave(&race);
}

int main(int count, char** arguments)
{
    const int all = (int)(sizeof cases / sizeof cases[0]);
    printf("time of a step, audits every 32 steps included; times: faster than one element at a time\n");
    for (int i = 1; i < count; ++i)
    {
        int number = atoi(arguments[i]);
        Run(&cases[number >= 0 && number < all ? number : 0]);
    }
    for (int i = 0; count == 1 && i < all; ++i)
    {
        Run(&cases[i]);
    }
    return 0;
}
