// SPDX-License-Identifier: MIT
//
// bench_ours.c: this library as a racer. Every turn starts from the same state, so that all do the same.

#include "bench.h"
#include "number.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct Ours
{
    cliRacer* racer;
    rslSolver* solver;
    rslState *state, *start;
    double tolerance;
} Ours;

void cliRacer_Refuse(cliRacer* racer, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(racer->row.note, sizeof racer->row.note, format, arguments);
    va_end(arguments);
}

static void Release(void* data)
{
    Ours* ours = data;
    rslState_Free(ours->start);
    rslState_Free(ours->state);
    rslSolver_Free(ours->solver);
    free(ours);
}

static const char* WhatFailed(rslStatus status)
{
    return status == rsl_outOfMemory ? "it does not fit into the memory allowed" : rslStatus_Name(status);
}

static double Turn(void* data, int64_t steps)
{
    Ours* ours = data;
    cliBenchRow* row = &ours->racer->row;
    rslStatus status = rslState_Copy(ours->state, ours->start);
    int64_t before = rslSolver_Solve(ours->solver).iterations;
    double begin = cliClock();
    rslLinearSolve linear = { 0 };
    bool once = strcmp(row->variant, "linear") == 0;
    if (status == rsl_ok)
    {
        status = once ? rslSolver_Linear(ours->solver, ours->state, ours->tolerance, NULL, &linear)
                      : rslSolver_Step(ours->solver, ours->state, steps);
    }
    double seconds = cliClock() - begin;
    if (status != rsl_ok)
    {
        cliRacer_Refuse(ours->racer, "%s", WhatFailed(status));
        return NAN;
    }
    bool rest = rslSolver_Integrator(ours->solver) == rsl_static;
    double iterations = once   ? linear.iterations
                        : rest ? rslSolver_Rest(ours->solver).iterations
                               : (double)(rslSolver_Solve(ours->solver).iterations - before);
    const rslGuardTally *from = &ours->start->guard, *to = &ours->state->guard;
    uint64_t divided = to->divided - from->divided, parts = to->substeps - from->substeps;
    row->parts = ((double)steps + (double)parts - (double)divided) / (double)steps;
    row->touches = ours->state->touchedCount;
    row->iterations = iterations / (double)steps;
    return seconds;
}

// A smooth displacement of one part in a thousand.
static void Displace(const rslModel* model, rslState* state)
{
    double low[3] = { INFINITY, INFINITY, INFINITY }, size = 0.0, x[3];
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int i = 0; i < model->nodeCount; ++i)
        {
            rslState_Positions(model, state, i, i + 1, x);
            double moved[3];
            for (int axis = 0; axis < 3; ++axis)
            {
                low[axis] = pass == 0 ? fmin(low[axis], x[axis]) : low[axis];
                size = pass == 0 ? fmax(size, x[axis] - low[axis]) : size;
                moved[axis] =
                    x[axis] + 1e-3 * size * sin(3.0 * (x[(axis + 1) % 3] - low[(axis + 1) % 3]) / size + axis);
            }
            if (pass == 1)
            {
                rslState_SetPosition(model, state, i, (rslVec3){ moved[0], moved[1], moved[2] });
            }
        }
    }
}

static rslStatus Prepare(Ours* ours, const rslModel* model, const rslSolverDef* def, const rslHooks* hooks)
{
    const cliBenchTraits* traits = cliBenchKind_Traits(ours->racer->row.scene->kind);
    cliMemory* memory = hooks->user;
    size_t before = memory->live;
    ours->tolerance = def->tolerance;
    memory->peak = before;
    double begin = cliClock();
    rslStatus status = rslSolver_Create(model, def, hooks, &ours->solver, NULL);
    status = status == rsl_ok ? rslState_Create(model, def->precision, hooks, &ours->state) : status;
    ours->racer->row.setup = cliClock() - begin;
    ours->racer->row.solverBytes = (double)(memory->live - before) / model->nodeCount;
    ours->racer->row.peakBytes = (double)(memory->peak - before) + (double)model->bytes;
    status = status == rsl_ok ? rslState_Create(model, def->precision, hooks, &ours->start) : status;
    if (status == rsl_ok && traits->displaced)
    {
        Displace(model, ours->state);
    }
    if (status == rsl_ok && traits->before > 0.0)
    {
        double step = rslSolver_Stability(ours->solver).step;
        status = rslSolver_Step(ours->solver, ours->state, (int64_t)ceil(traits->before / step / 32.0) * 32);
    }
    return status == rsl_ok ? rslState_Copy(ours->start, ours->state) : status;
}

void cliRacer_MakeOurs(cliRacer* racer, const rslModel* model, const rslSolverDef* def, cliMemory* memory)
{
    cliBenchRow* row = &racer->row;
    rslHooks hooks = cliMemory_Hooks(memory);
    Ours* ours = calloc(1, sizeof *ours);
    if (ours == NULL)
    {
        cliRacer_Refuse(racer, "out of memory");
        return;
    }
    *racer = (cliRacer){ .row = *row, .data = ours, .turn = Turn, .release = Release };
    ours->racer = racer;
    rslStatus status = Prepare(ours, model, def, &hooks);
    row->nodes = model->nodeCount;
    row->springs = model->springCount;
    if (status != rsl_ok)
    {
        cliRacer_Refuse(racer, "%s", WhatFailed(status));
        return;
    }
    row->threads = rslSolver_Threads(ours->solver);
    row->simulated = def->integrator == rsl_static ? 0.0 : rslSolver_Stability(ours->solver).step;
    row->modelBytes = (double)model->bytes / model->nodeCount;
}

bool cliRacer_Motion(const cliRacer* racer, double tolerance, double* motion)
{
    const Ours* ours = racer->data;
    rslLinearSolve result;
    return rslSolver_Linear(ours->solver, ours->start, tolerance, motion, &result) == rsl_ok;
}

bool cliRacer_Springs(const cliRacer* racer, const rslModel* model, cliMemory* memory, cliSprings* springs)
{
    const Ours* ours = racer->data;
    return cliSprings_Make(springs, model, ours->start, ours->solver, memory);
}

void cliRacer_CompareOurs(cliRacer* racer, const cliSprings* springs)
{
    const Ours* ours = racer->data;
    double* forces = cliMemory_Take(springs->memory, 3 * (size_t)springs->nodeCount, sizeof(double));
    if (forces != NULL)
    {
        rslSolver_Fields(ours->solver, ours->start, forces, NULL, NULL);
        racer->row.difference = cliSprings_Compare(springs, forces);
        cliMemory_Release(springs->memory, forces);
    }
}
