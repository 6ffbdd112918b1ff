// SPDX-License-Identifier: MIT
//
// guard_make.c: memory for the checks of all that repels.

#include "guard.h"

#include "impact_rule.h"
#include "lattice_sweep.h"

static bool Allocate(Kernel* kernel, GuardKernel* guard)
{
    size_t chunks = (size_t)kernel->chunkCount;
    guard->blocks = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(GuardBlock));
    guard->ways = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(GuardWay));
    guard->speeds = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(GuardSpeed));
    size_t planes = kernel->sweep != NULL ? (size_t)kernel->sweep->planeCount : 0;
    guard->planes = RSL_NAME(rslKernel_Allocate)(kernel, planes, sizeof(PlaneWay));
    guard->turns = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->model->bodyCount, sizeof(rslVec3));
    guard->expired = RSL_NAME(rslKernel_Allocate)(kernel, chunks + 1, sizeof(int));
    guard->held = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(uint8_t));
    guard->tight = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(uint64_t));
    guard->tense = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(uint64_t));
    guard->fastest = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(double));
    guard->fastestOf = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(int));
    guard->swing = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(double));
    guard->stored = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(double));
    guard->damped = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->model->bodyCount, sizeof(bool));
    bool made = guard->blocks != NULL && guard->ways != NULL && guard->speeds != NULL &&
                (planes == 0 || guard->planes != NULL) && guard->turns != NULL && guard->expired != NULL &&
                guard->held != NULL && guard->tense != NULL && guard->tight != NULL && guard->fastest != NULL &&
                guard->fastestOf != NULL && guard->swing != NULL && guard->stored != NULL && guard->damped != NULL;
    size_t nodes = (size_t)kernel->nodeCount + RSL_STATE_PADDING;
    for (int axis = 0; axis < 3; ++axis)
    {
        guard->before[axis] = RSL_NAME(rslKernel_Allocate)(kernel, nodes, sizeof(Real));
        made = made && guard->before[axis] != NULL;
    }
    return made;
}

bool RSL_NAME(rslGuard_Make)(Kernel* kernel)
{
    if (kernel->repulsion == NULL)
    {
        return true;
    }
    GuardKernel* guard = kernel->guard = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(GuardKernel));
    if (guard == NULL || !Allocate(kernel, guard))
    {
        return false;
    }
    for (int i = 0; kernel->held != NULL && i < kernel->nodeCount; ++i)
    {
        guard->held[ChunkOf(kernel, i)->index] |= kernel->held[i] != 0;
    }
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        guard->damped[b] = rslBody_DampsSwings(&kernel->model->bodies[b]);
    }
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const PieceChunk* pieces = &kernel->repulsion->chunks[c];
        guard->felt = guard->felt || (pieces->count > 0 && pieces->law != rsl_clampedRepulsion);
        double rest[CHUNK][3];
        RSL_NAME(rslKernel_Rest)(kernel, &kernel->chunks[c], rest);
        for (int i = 0; i < kernel->chunks[c].end - kernel->chunks[c].begin; ++i)
        {
            double length = fabs(rest[i][0]) + fabs(rest[i][1]) + fabs(rest[i][2]);
            guard->extent = length > guard->extent ? length : guard->extent;
        }
    }
    return true;
}
