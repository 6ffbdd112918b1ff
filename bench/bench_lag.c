// SPDX-License-Identifier: MIT
//
// bench_lag.c: dispersion with a lag (one pass a step, with what nodes felt the step before) against dispersion without: time of
// a step, the largest step that a trial finds stable, and how energy grows. All competitors of a race take turns and the best
// turn of each counts; time is that of the process, because the machine may be shared: only ratios mean anything.
//
//   bench_lag [NODES_A_SIDE]      40 unless given

#include "bench.h"

#include <math.h>

enum
{
    RACERS = 3,  // springs, dispersion, dispersion with a lag
    ROUNDS = 7,
    TRIAL_CELLS = 5,
    TRIAL_STEPS = 4000
};

static rslModel* MakeModel(int cells, double poisson, double damping, bool springs, bool lag)
{
    const double spacing = 0.01;
    rslShapeDef box = rslDefaultShapeDef();
    double size = spacing * cells;
    box.size = (rslVec3){ size, size, size };
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "block";
    body.shape = &box;
    body.network.type = rsl_latticeNetwork;
    body.network.spacing = spacing;
    body.model.type = springs ? rsl_springModel : rsl_dispersionModel;
    body.model.lag = lag;
    body.material.young = 1e5;
    body.material.poisson = poisson;
    body.material.density = 1000.0;
    body.material.stiffnessDamping = damping;
    body.surface.enabled = false;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    return Built(&scene);
}

static rslSolver* MakeSolver(const rslModel* model, rslPrecision precision, double step)
{
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.threads = 1;
    def.step = step;
    rslSolver* solver = NULL;
    Check(rslSolver_Create(model, &def, NULL, &solver, NULL), "solver");
    return solver;
}

// ---- time -------------------------------------------------------------------------------------------------------------

static void Race(int side, rslPrecision precision, double damping)
{
    static const char* const names[RACERS] = { "springs", "dispersion", "with a lag" };
    double best[RACERS];
    rslModel* models[RACERS];
    rslSolver* solvers[RACERS];
    rslState* states[RACERS];
    int steps = 1 + 2000000 / (side * side * side);
    for (int r = 0; r < RACERS; ++r)
    {
        models[r] = MakeModel(side - 1, r == 0 ? 0.25 : 0.1, damping, r == 0, r == 2);
        solvers[r] = MakeSolver(models[r], precision, 1e-5);
        Check(rslState_Create(models[r], precision, NULL, &states[r]), "state");
        best[r] = INFINITY;
    }
    for (int round = 0; round < ROUNDS; ++round)
    {
        for (int r = 0; r < RACERS; ++r)
        {
            best[r] = fmin(best[r], TimeOfStep(solvers[r], states[r], steps, 1));
        }
    }
    printf("%s, %s:", precision == rsl_single ? "single" : "double", damping > 0.0 ? "damped" : "undamped");
    for (int r = 0; r < RACERS; ++r)
    {
        printf("  %s %.2f", names[r], best[r] / best[0]);
        rslState_Free(states[r]);
        rslSolver_Free(solvers[r]);
        rslModel_Free(models[r]);
    }
    printf("  (one springs step: %.3g s)\n", best[0]);
}

// ---- stability ----------------------------------------------------------------------------------------------------------

static double NextNumber(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 33) / 1073741824.0 - 1.0;
}

// Energy after many steps of a tiny random motion over that after a tenth of them; infinite when it diverged.
static double Growth(const rslModel* model, double step)
{
    rslSolver* solver = MakeSolver(model, rsl_double, step);
    rslState* state = NULL;
    Check(rslState_Create(model, rsl_double, NULL, &state), "state");
    uint64_t seed = 7;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < model->nodeCount; ++i)
        {
            ((double*)state->velocity[axis])[i] = 1e-6 * NextNumber(&seed);
        }
    }
    double early = 0.0, late = INFINITY;
    if (rslSolver_Step(solver, state, TRIAL_STEPS / 10) == rsl_ok)
    {
        early = rslSolver_Energy(solver, state).total;
        if (rslSolver_Step(solver, state, TRIAL_STEPS - TRIAL_STEPS / 10) == rsl_ok)
        {
            late = rslSolver_Energy(solver, state).total;
        }
    }
    rslState_Free(state);
    rslSolver_Free(solver);
    return early > 0.0 ? late / early : INFINITY;
}

// The largest step at which a tiny motion does not grow, by halving.
static double LargestStep(const rslModel* model, double most)
{
    double low = 0.0, high = most;
    for (int i = 0; i < 12; ++i)
    {
        double middle = 0.5 * (low + high);
        *(Growth(model, middle) < 1.5 ? &low : &high) = middle;
    }
    return low;
}

static double StableStep(const rslModel* model)
{
    rslSolver* solver = MakeSolver(model, rsl_double, 1e-9);
    double step = rslSolver_Stability(solver).stableStep;
    rslSolver_Free(solver);
    return step;
}

// Times in units of a sqrt(rho / E).
static void Trials(void)
{
    static const double ratios[] = { -0.9, -0.5, 0.0, 0.2, 0.3, 0.4, 0.45, 0.49 };
    const double unit = 0.01 * sqrt(1000.0 / 1e5);
    printf("\nlargest stable step [a sqrt(rho/E)] of a free block of %d^3 cells: without a lag; with: by trial, by "
           "theory\n",
           TRIAL_CELLS);
    printf("%6s %8s %10s %10s %10s   %s\n", "nu", "alpha1", "without", "trial", "theory",
           "energy over 3600 steps at half the step without a lag");
    for (int t = 0; t < 16; ++t)
    {
        double nu = ratios[t / 2];
        rslModel* plain = MakeModel(TRIAL_CELLS, nu, 0.0, false, false);
        double undamped = StableStep(plain), damping = t % 2 == 0 ? 0.0 : 0.2 * undamped;
        rslModel_Free(plain);
        plain = MakeModel(TRIAL_CELLS, nu, damping, false, false);
        rslModel* lagging = MakeModel(TRIAL_CELLS, nu, damping, false, true);
        double without = StableStep(plain);
        printf("%6.2f %8.3f %10.3f %10.3f %10.3f   %.3g\n", nu, damping / unit, without / unit,
               LargestStep(lagging, 2.0 * without) / unit, StableStep(lagging) / unit, Growth(lagging, 0.5 * without));
        rslModel_Free(plain);
        rslModel_Free(lagging);
    }
}

int main(int argc, char** argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 40;
    if (side < 2 || side > 400)
    {
        fprintf(stderr, "expected 2 to 400 nodes a side\n");
        return 2;
    }
    printf("time of a step, %d^3 nodes, over that of springs\n", side);
    for (int r = 0; r < 4; ++r)
    {
        Race(side, r < 2 ? rsl_single : rsl_double, r % 2 == 0 ? 0.0 : 1e-4);
    }
    Trials();
    return 0;
}
