// SPDX-License-Identifier: MIT
//
// hierarchy_fixture.h: a kernel with the levels of its matrix, without a solver around them.

#pragma once

#include "physics_fixture.h"

#include "aggregate.h"
#include "backend.h"
#include "state_internal.h"
#include "statics.h"

typedef struct Hierarchy
{
    rslModel* model;
    rslState* state;
    rslTeam* team;
    void* kernel;
    rslArena arena;
    rslUnknowns unknowns;
    rslMultigrid grid;
} Hierarchy;

// All but the levels. The model is freed with it.
static inline void StartHierarchy(Hierarchy* h, rslModel* model, rslIntegrator integrator, int threads)
{
    rslHooks hooks = rslHooks_Complete(NULL);
    *h = (Hierarchy){ .model = model, .state = StateOf(model, rsl_double), .arena = rslArena_Make(&hooks) };
    h->team = rslTeam_Create(&hooks, threads, NULL, NULL);
    h->kernel = rslBackend64.create(model, integrator, &hooks, h->team);
    assert_true(rslUnknowns_Make(&h->unknowns, model, h->team, &h->arena));
    rslUnknowns_Aim(&h->unknowns, h->state);
}

// What a preconditioner does for levels without rows of nodes.
static inline void InvertDiagonal(Hierarchy* h)
{
    rslMultigrid* grid = &h->grid;
    grid->diagonal = rslArena_Allocate(&h->arena, (size_t)h->model->nodeCount + RSL_STATE_PADDING, sizeof(double[6]));
    rslStatics_Diagonal(h->kernel, h->state, grid->diagonal);
    for (int i = 0; i < h->model->nodeCount; ++i)
    {
        double block[6];
        memcpy(block, grid->diagonal[i], sizeof block);
        rslBlock_Free(block, rslUnknowns_Projector(&h->unknowns, i));
        rslBlock_InvertSingle(block, grid->levels[0].inverse[i]);
    }
}

// The levels where the state is: by cells of lattices, or by aggregates.
static inline void MakeLevels(Hierarchy* h, bool aggregates)
{
    rslMultigrid* grid = &h->grid;
    int count = h->model->nodeCount;
    rslNodeVector p, t;
    assert_true(
        (aggregates ? rslAggregate_Make : rslMultigrid_Make)(grid, h->model, &h->unknowns, h->kernel, &h->arena));
    assert_true(rslNodeVector_Make(&p, count, &h->arena) && rslNodeVector_Make(&t, count, &h->arena));
    grid->levels[0].p = rslNodeVector_Strided(&p);
    grid->levels[0].t = rslNodeVector_Strided(&t);
    grid->levels[0].inverse = rslArena_Allocate(&h->arena, (size_t)count, sizeof(float[6]));
    rslStatics_Look(h->kernel, h->state);
    assert_true(!grid->stored || rslMultigrid_Store(grid, h->state) > 0.0);
    if (grid->lean && !grid->stored)
    {
        InvertDiagonal(h);
    }
    (aggregates ? rslAggregate_Update : rslMultigrid_Update)(grid, h->state);
}

static inline void FreeHierarchy(Hierarchy* h)
{
    rslArena_Free(&h->arena);
    rslBackend64.destroy(h->kernel);
    rslTeam_Free(h->team);
    rslState_Free(h->state);
    rslModel_Free(h->model);
}
