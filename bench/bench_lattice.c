// SPDX-License-Identifier: MIT
//
// bench_lattice.c: time of a step of an n x n x n lattice, against a plain scalar loop over the same springs. All
// competitors take turns and the best turn of each counts, because the machine may be shared: only ratios mean anything.
//
//   bench_lattice [NODES_A_SIDE...]      10 20 50 100 unless given

#include "bench.h"

#include <math.h>

#define PLAIN_REAL float
#define PLAIN_SQRT sqrtf
#define PLAIN(name) Single##name
#include "plain_loop.h"

#define PLAIN_REAL double
#define PLAIN_SQRT sqrt
#define PLAIN(name) Double##name
#include "plain_loop.h"

enum
{
    SOLVERS = 4,
    ROUNDS = 5
};

static rslModel* MakeModel(int side)
{
    const double spacing = 0.01;
    rslShapeDef box = rslDefaultShapeDef();
    double size = spacing * (side - 1);
    box.size = (rslVec3){ size, size, size };
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "block";
    body.shape = &box;
    body.network.type = rsl_latticeNetwork;
    body.network.spacing = spacing;
    body.material.young = 1e5;
    body.material.poisson = 0.25;
    body.material.density = 1000.0;
    body.surface.enabled = false;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    return Built(&scene);
}

// A smooth displacement of one part in a thousand.
static void Displace(const rslModel* model, rslState* state)
{
    double size = 0.01 * model->bodies[0].lattice.cells[0];
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(&model->bodies[0], i, i + 1, x);
        for (int axis = 0; axis < 3; ++axis)
        {
            double u = 1e-3 * size * sin(3.0 * x[(axis + 1) % 3] / size + axis);
            if (state->precision == rsl_single)
            {
                ((float*)state->displacement[axis])[i] = (float)u;
            }
            else
            {
                ((double*)state->displacement[axis])[i] = u;
            }
        }
    }
}

// Everyone who takes turns.
typedef struct Race
{
    rslModel* model;
    rslSolver* solvers[SOLVERS];  // single with 1 and 2 threads, double likewise
    rslState* states[SOLVERS];
    SingleLoop single;
    DoubleLoop dual;
    double step;
} Race;

static void Enter(Race* race, int side)
{
    race->model = MakeModel(side);
    for (int s = 0; s < SOLVERS; ++s)
    {
        rslSolverDef def = rslDefaultSolverDef();
        def.precision = s < 2 ? rsl_single : rsl_double;
        def.threads = 1 + s % 2;
        Check(rslSolver_Create(race->model, &def, NULL, &race->solvers[s], NULL), "solver");
        Check(rslState_Create(race->model, def.precision, NULL, &race->states[s]), "state");
        Displace(race->model, race->states[s]);
        race->step = rslSolver_Stability(race->solvers[s]).step;
    }
    double* positions = malloc((size_t)race->model->nodeCount * 3 * sizeof(double));
    if (positions == NULL)
    {
        abort();
    }
    rslState_Positions(race->model, race->states[2], 0, race->model->nodeCount, positions);
    race->single = SingleMake(race->model, positions);
    race->dual = DoubleMake(race->model, positions);
    free(positions);
}

static void Leave(Race* race)
{
    for (int s = 0; s < SOLVERS; ++s)
    {
        rslState_Free(race->states[s]);
        rslSolver_Free(race->solvers[s]);
    }
    SingleFree(&race->single);
    DoubleFree(&race->dual);
    rslModel_Free(race->model);
}

// Largest difference of any force from those of the plain loop in double, relative to the largest force.
static double Compare(Race* race)
{
    size_t count = (size_t)race->model->nodeCount;
    double *forces = malloc(3 * count * sizeof(double)), worst = 0.0, largest = 0.0;
    if (forces == NULL)
    {
        abort();
    }
    DoubleForces(&race->dual);
    SingleForces(&race->single);
    for (int s = 0; s < SOLVERS; ++s)
    {
        rslSolver_Fields(race->solvers[s], race->states[s], forces, NULL, NULL);
        for (size_t i = 0; i < 3 * count; ++i)
        {
            double plain = race->dual.force[i / 3][i % 3], difference = fabs(forces[i] - plain);
            worst = difference > worst ? difference : worst;
            largest = fabs(plain) > largest ? fabs(plain) : largest;
        }
    }
    for (size_t i = 0; i < count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            race->dual.force[i][axis] = 0.0;
            race->single.force[i][axis] = 0.0f;
        }
    }
    free(forces);
    return worst / largest;
}

static double Turn(Race* race, int who, int steps)
{
    double start = WallSeconds();
    if (who < SOLVERS)
    {
        Check(rslSolver_Step(race->solvers[who], race->states[who], steps), "step");
    }
    else if (who == SOLVERS)
    {
        SingleStep(&race->single, race->step, steps);
    }
    else
    {
        DoubleStep(&race->dual, race->step, steps);
    }
    return (WallSeconds() - start) / steps;
}

static void Run(int side)
{
    static const char* const names[SOLVERS] = { "single, 1 thread", "single, 2 threads", "double, 1 thread",
                                                "double, 2 threads" };
    Race race;
    Enter(&race, side);
    double difference = Compare(&race), best[SOLVERS + 2];
    printf("\n%d^3 nodes, %lld springs; forces agree to %.1e\n", side, (long long)race.model->springCount, difference);
    if (!(difference < 1e-3))
    {
        fprintf(stderr, "the forces differ\n");
        exit(1);
    }
    int steps = (int)(2e7 / race.model->nodeCount / 32) * 32;  // whole audits
    steps = steps < 32 ? 32 : steps > 3200 ? 3200 : steps;
    for (int who = 0; who < SOLVERS + 2; ++who)
    {
        best[who] = INFINITY;
    }
    for (int round = 0; round < ROUNDS; ++round)
    {
        for (int who = 0; who < SOLVERS + 2; ++who)
        {
            double time = Turn(&race, who, steps);
            best[who] = time < best[who] ? time : best[who];
        }
    }
    printf("  %-20s %12s %12s %8s\n", "", "library us", "plain us", "ratio");
    for (int who = 0; who < SOLVERS; ++who)
    {
        double plain = best[SOLVERS + who / 2];
        printf("  %-20s %12.1f %12.1f %8.2f\n", names[who], 1e6 * best[who], 1e6 * plain, plain / best[who]);
    }
    fflush(stdout);
    Leave(&race);
}

int main(int count, char** arguments)
{
    static const int sides[4] = { 10, 20, 50, 100 };
    printf("time of a step, audits every 32 steps included; ratio: times faster than the plain scalar loop\n");
    for (int i = 1; i < count; ++i)
    {
        Run(atoi(arguments[i]) > 1 ? atoi(arguments[i]) : 2);
    }
    for (int i = 0; count == 1 && i < 4; ++i)
    {
        Run(sides[i]);
    }
    return 0;
}
