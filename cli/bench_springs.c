// SPDX-License-Identifier: MIT
//
// bench_springs.c: what other programs are given: where nodes are at the start, masses, springs, and the forces to be found.

#include "bench.h"

#include <math.h>

static bool AddSpring(const rslSpring* spring, void* context)
{
    cliSprings* springs = context;
    springs->springs[springs->springCount++] = *spring;
    springs->longest = fmax(springs->longest, spring->restLength);
    return true;
}

// Our own forces where racers start.
static bool FindForces(cliSprings* springs, rslSolver* solver, const rslState* state)
{
    rslState_Positions(springs->model, state, 0, springs->nodeCount, springs->positions);
    rslSolver_Fields(solver, state, springs->forces, NULL, NULL);
    springs->step = rslSolver_Stability(solver).step;
    return isfinite(springs->forces[0]);
}

bool cliSprings_Make(cliSprings* springs, const rslModel* model, const rslState* state, rslSolver* solver,
                     cliMemory* memory)
{
    size_t nodes = (size_t)model->nodeCount;
    *springs = (cliSprings){ .nodeCount = model->nodeCount, .model = model, .memory = memory };
    springs->springs = cliMemory_Take(memory, (size_t)model->springCount, sizeof(rslSpring));
    springs->positions = cliMemory_Take(memory, 3 * nodes, sizeof(double));
    springs->masses = cliMemory_Take(memory, nodes, sizeof(double));
    springs->forces = cliMemory_Take(memory, 3 * nodes, sizeof(double));
    if (!springs->springs || !springs->positions || !springs->masses || !springs->forces)
    {
        cliSprings_Free(springs);
        return false;
    }
    rslModel_VisitSprings(model, 0, AddSpring, springs);
    for (size_t i = 0; i < nodes; ++i)
    {
        springs->masses[i] = model->mass[i];
    }
    return FindForces(springs, solver, state);
}

void cliSprings_Free(cliSprings* springs)
{
    if (springs->memory != NULL)
    {
        cliMemory_Release(springs->memory, springs->springs);
        cliMemory_Release(springs->memory, springs->positions);
        cliMemory_Release(springs->memory, springs->masses);
        cliMemory_Release(springs->memory, springs->forces);
    }
    *springs = (cliSprings){ 0 };
}

double cliSprings_Compare(const cliSprings* springs, const double* forces)
{
    double worst = 0.0, largest = 0.0;
    for (size_t i = 0; i < 3 * (size_t)springs->nodeCount; ++i)
    {
        double difference = fabs(forces[i] - springs->forces[i]);
        worst = difference > worst || isnan(difference) ? difference : worst;
        largest = fmax(largest, fabs(springs->forces[i]));
    }
    return worst / largest;
}
