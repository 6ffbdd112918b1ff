// SPDX-License-Identifier: MIT
//
// bench_network.c: time of a step of a general network, against a plain scalar loop over the same springs: those of
// an n x n x n lattice, listed one by one, with its nodes in their natural order and in a random one. All competitors
// take turns and the best turn of each counts, because the machine may be shared: only ratios mean anything. With one
// thread, seconds are of the processor.
//
//   bench_network [-d] [-1 | -m] [NODES_A_SIDE...]      20 50 100 unless given
//     -d   with a damper beside every spring
//     -1   all springs alike; else edges and diagonals differ    -m   every spring has its own constant

#include "bench.h"
#include "random.h"

#include <math.h>
#include <string.h>

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
    ROUNDS = 5,
    DIRECTIONS = 9  // edges and face diagonals, each once
};

static const double spacing = 0.01;
static const int directions[DIRECTIONS][3] = { { 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 }, { 1, 1, 0 }, { 1, -1, 0 },
                                               { 1, 0, 1 }, { 1, 0, -1 }, { 0, 1, 1 }, { 0, 1, -1 } };

// A lattice as an explicit network.
typedef struct Lists
{
    int nodeCount, springCount;
    double* nodes;
    int* springs;
    double* stiffness;
} Lists;

typedef struct Options
{
    bool shuffled, damped;
    int kinds;  // of springs: one for all, edges and diagonals, 0: every one has its own
} Options;

// place[i]: the number of lattice node i
static int* MakePlaces(int count, bool shuffled)
{
    int* place = malloc((size_t)count * sizeof *place);
    rslRandom random = { 1 };
    if (place == NULL)
    {
        abort();
    }
    for (int i = 0; i < count; ++i)
    {
        int j = shuffled ? rslRandom_Below(&random, i + 1) : i;
        place[i] = place[j];
        place[j] = i;
    }
    return place;
}

static Lists MakeLists(int side, const Options* options)
{
    Lists lists = { .nodeCount = side * side * side };
    size_t count = (size_t)lists.nodeCount;
    int* place = MakePlaces(lists.nodeCount, options->shuffled);
    lists.nodes = malloc(3 * count * sizeof(double));
    lists.springs = malloc(2 * DIRECTIONS * count * sizeof(int));
    lists.stiffness = malloc(DIRECTIONS * count * sizeof(double));
    if (lists.nodes == NULL || lists.springs == NULL || lists.stiffness == NULL)
    {
        abort();
    }
    for (int i = 0; i < lists.nodeCount; ++i)
    {
        int at[3] = { i % side, i / side % side, i / side / side };
        for (int axis = 0; axis < 3; ++axis)
        {
            lists.nodes[3 * place[i] + axis] = spacing * at[axis];
        }
        for (int d = 0; d < DIRECTIONS; ++d)
        {
            int x = at[0] + directions[d][0], y = at[1] + directions[d][1], z = at[2] + directions[d][2];
            if (x < side && y >= 0 && y < side && z >= 0 && z < side)
            {
                double stiffness = options->kinds == 0 ? 300.0 + 1e-6 * lists.springCount : 400.0;
                lists.stiffness[lists.springCount] = d >= 3 && options->kinds == 2 ? 0.5 * stiffness : stiffness;
                int* ends = &lists.springs[2 * lists.springCount++];
                ends[0] = place[i];
                ends[1] = place[x + side * (y + side * z)];
            }
        }
    }
    free(place);
    return lists;
}

static rslModel* MakeModel(const Lists* lists, bool damped)
{
    const double mass = 1e-3, damping = 0.01;
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "block";
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = lists->nodes;
    body.network.nodeCount = lists->nodeCount;
    body.network.springs = lists->springs;
    body.network.springCount = lists->springCount;
    body.network.masses = &mass;
    body.network.stiffness = lists->stiffness;
    body.network.stiffnessCount = lists->springCount;
    body.network.damping = &damping;
    body.network.massCount = 1;
    body.network.dampingCount = damped ? 1 : 0;
    body.surface.enabled = false;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    return Built(&scene);
}

// A smooth displacement of one part in a thousand.
static void Displace(const rslModel* model, const double* nodes, double size, rslState* state)
{
    for (int i = 0; i < model->nodeCount; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            double u = 1e-3 * size * sin(3.0 * nodes[3 * i + (axis + 1) % 3] / size + axis);
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

static void Enter(Race* race, int side, const Options* options)
{
    Lists lists = MakeLists(side, options);
    race->model = MakeModel(&lists, options->damped);
    for (int s = 0; s < SOLVERS; ++s)
    {
        rslSolverDef def = rslDefaultSolverDef();
        def.integrator = rsl_positionVerlet;
        def.precision = s < 2 ? rsl_single : rsl_double;
        def.threads = 1 + s % 2;
        def.step = race->step = 1e-4;  // a fifth of the stable one
        Check(rslSolver_Create(race->model, &def, NULL, &race->solvers[s], NULL), "solver");
        Check(rslState_Create(race->model, def.precision, NULL, &race->states[s]), "state");
        Displace(race->model, lists.nodes, spacing * side, race->states[s]);
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
    free(lists.nodes);
    free(lists.springs);
    free(lists.stiffness);
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
    memset(race->dual.force, 0, count * sizeof *race->dual.force);
    free(forces);
    return worst / largest;
}

static double Turn(Race* race, int who, int steps)
{
    const int threads = who < SOLVERS ? 1 + who % 2 : 1;
    double start = Seconds(threads);
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
    return (Seconds(threads) - start) / steps;
}

static void Run(int side, const Options* options)
{
    static const char* const names[SOLVERS] = { "single, 1 thread", "single, 2 threads", "double, 1 thread",
                                                "double, 2 threads" };
    Race race;
    Enter(&race, side, options);
    double difference = Compare(&race), best[SOLVERS + 2];
    printf("\n%d^3 nodes in %s order, %lld springs; forces agree to %.1e\n", side,
           options->shuffled ? "random" : "natural", (long long)race.model->springCount, difference);
    if (!(difference < 1e-3))
    {
        fprintf(stderr, "the forces differ\n");
        exit(1);
    }
    int steps = (int)(1e7 / race.model->nodeCount / 32) * 32;  // whole audits
    steps = steps < 32 ? 32 : steps > 3200 ? 3200 : steps;
    for (int who = 0; who < SOLVERS + 2; ++who)
    {
        best[who] = INFINITY;
    }
    for (int round = 0; round < ROUNDS; ++round)
    {
        for (int who = 0; who < SOLVERS + 2; ++who)
        {
            double time = Turn(&race, who, who < SOLVERS ? steps : 1 + steps / 8);
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
    static const int sides[3] = { 20, 50, 100 };
    Options options = { .kinds = 2 };
    int first = 1;
    for (; first < count && arguments[first][0] == '-'; ++first)
    {
        options.damped = options.damped || strcmp(arguments[first], "-d") == 0;
        options.kinds = strcmp(arguments[first], "-1") == 0   ? 1
                        : strcmp(arguments[first], "-m") == 0 ? 0
                                                              : options.kinds;
    }
    printf("time of a step, audits every 32 steps included; ratio: times faster than the plain scalar loop%s\n",
           options.damped ? ", which has no dampers" : "");
    for (int i = 0; i < (count > first ? count - first : 3); ++i)
    {
        int side = count > first ? atoi(arguments[first + i]) : sides[i];
        for (int shuffled = 0; shuffled < 2; ++shuffled)
        {
            options.shuffled = shuffled != 0;
            Run(side > 1 ? side : 2, &options);
        }
    }
    return 0;
}
