// SPDX-License-Identifier: MIT
//
// bench_plain.c: the loop that a good programmer writes in an hour as a racer: every spring once, then every node, one thread.

#include "bench.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>

#define PLAIN_REAL float
#define PLAIN_SQRT sqrtf
#define PLAIN(name) Single##name
#include "../bench/plain_loop.h"

#define PLAIN_REAL double
#define PLAIN_SQRT sqrt
#define PLAIN(name) Double##name
#include "../bench/plain_loop.h"

typedef struct Plain
{
    SingleLoop single;
    DoubleLoop dual;
    bool isSingle;
    double step;
} Plain;

static void Release(void* data)
{
    Plain* plain = data;
    if (plain->isSingle)
    {
        SingleFree(&plain->single);
    }
    else
    {
        DoubleFree(&plain->dual);
    }
    free(plain);
}

static double Turn(void* data, int64_t steps)
{
    Plain* plain = data;
    double begin = cliClock();
    if (plain->isSingle)
    {
        SingleStep(&plain->single, plain->step, (int)steps);
    }
    else
    {
        DoubleStep(&plain->dual, plain->step, (int)steps);
    }
    return cliClock() - begin;
}

// The forces of the first step, against ours.
static double Compare(Plain* plain, const cliSprings* springs)
{
    size_t nodes = (size_t)springs->nodeCount;
    double* forces = cliMemory_Take(springs->memory, 3 * nodes, sizeof(double));
    if (forces == NULL)
    {
        return NAN;
    }
    if (plain->isSingle)
    {
        SingleForces(&plain->single);
    }
    else
    {
        DoubleForces(&plain->dual);
    }
    for (size_t i = 0; i < 3 * nodes; ++i)
    {
        if (plain->isSingle)
        {
            forces[i] = (double)plain->single.force[i / 3][i % 3];
            plain->single.force[i / 3][i % 3] = 0.0f;
        }
        else
        {
            forces[i] = plain->dual.force[i / 3][i % 3];
            plain->dual.force[i / 3][i % 3] = 0.0;
        }
    }
    double difference = cliSprings_Compare(springs, forces);
    cliMemory_Release(springs->memory, forces);
    return difference;
}

// The loop takes its memory by itself.
static bool Fits(const cliSprings* springs, size_t real)
{
    size_t bytes = (size_t)springs->springCount * (8 + 2 * real) + (size_t)springs->nodeCount * 10 * real;
    void* block = cliMemory_Take(springs->memory, 1, bytes);
    cliMemory_Release(springs->memory, block);
    return block != NULL;
}

void cliRacer_MakePlain(cliRacer* racer, const cliSprings* springs)
{
    Plain* plain = Fits(springs, racer->row.precision) ? calloc(1, sizeof *plain) : NULL;
    racer->row.nodes = springs->nodeCount;
    racer->row.springs = springs->springCount;
    if (plain == NULL)
    {
        cliRacer_Refuse(racer, "it does not fit into the memory allowed");
        return;
    }
    double begin = cliClock();
    plain->isSingle = racer->row.precision == rsl_single;
    plain->step = springs->step;
    if (plain->isSingle)
    {
        plain->single = SingleMake(springs->model, springs->positions);
    }
    else
    {
        plain->dual = DoubleMake(springs->model, springs->positions);
    }
    racer->row.setup = cliClock() - begin;
    racer->row.simulated = springs->step;
    racer->row.difference = Compare(plain, springs);
    racer->data = plain;
    racer->turn = Turn;
    racer->release = Release;
}
