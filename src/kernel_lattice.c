// SPDX-License-Identifier: MIT
//
// kernel_lattice.c: cut all nodes into chunks, and the nodes of lattices into runs of alike bonds.
//
// Nodes of a lattice are numbered along its rows, so that neighbour s of consecutive nodes lies at a constant offset for
// as long as both rows go on. A run ends where an offset or a stiffness changes, or at the end of a chunk.

#include "kernel.h"

#include <string.h>

// The bonds of one node as a run of length one.
static Run MakeRun(const rslBody* body, const rslLatticeRow* row, int step)
{
    const rslLattice* lattice = &body->lattice;
    int i = row->i + step, local = row->first + step;
    Run run = { .begin = body->firstNode + local, .count = 1 };
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        double stiffness = rslLattice_Stiffness(lattice, i, row->j, row->k, s);
        if (stiffness != 0.0)
        {
            const int* d = rslLatticeDirections[s];
            run.stiffness[s] = (Real)stiffness;
            run.offset[s] = rslLattice_Node(lattice, i + d[0], row->j + d[1], row->k + d[2]) - local;
        }
    }
    return run;
}

static bool SameBonds(const Run* a, const Run* b)
{
    return memcmp(a->offset, b->offset, sizeof a->offset) == 0 &&
           memcmp(a->stiffness, b->stiffness, sizeof a->stiffness) == 0;
}

typedef struct RunList
{
    Run* items;
    size_t count, capacity;
} RunList;

static bool AppendNode(const Kernel* kernel, RunList* list, const Run* node, bool startsChunk)
{
    Run* last = list->count > 0 ? &list->items[list->count - 1] : NULL;
    if (!startsChunk && last != NULL && last->begin + last->count == node->begin && SameBonds(last, node))
    {
        last->count += 1;
        return true;
    }
    if (!rslGrow(&kernel->arena.hooks, (void**)&list->items, list->count, &list->capacity, sizeof(Run)))
    {
        return false;
    }
    list->items[list->count++] = *node;
    return true;
}

static bool MakeRuns(Kernel* kernel, int bodyIndex, RunList* list)
{
    const rslBody* body = &kernel->model->bodies[bodyIndex];
    for (int r = 0; r < body->lattice.rowCount; ++r)
    {
        const rslLatticeRow* row = &body->lattice.rows[r];
        for (int step = 0; step < row->count; ++step)
        {
            Run node = MakeRun(body, row, step);
            bool startsChunk = (row->first + step) % CHUNK == 0;
            if (!AppendNode(kernel, list, &node, startsChunk))
            {
                return false;
            }
        }
    }
    return true;
}

static void MakeBodyChunks(Kernel* kernel, int bodyIndex, int* chunkIndex, int* runIndex)
{
    const rslBody* body = &kernel->model->bodies[bodyIndex];
    for (int begin = 0; begin < body->nodeCount; begin += CHUNK)
    {
        Chunk* chunk = &kernel->chunks[*chunkIndex];
        int end = begin + CHUNK < body->nodeCount ? begin + CHUNK : body->nodeCount;
        *chunk = (Chunk){ .index = *chunkIndex, .body = bodyIndex };
        chunk->begin = body->firstNode + begin;
        chunk->end = body->firstNode + end;
        chunk->runBegin = *runIndex;
        while (*runIndex < kernel->runCount && kernel->runs[*runIndex].begin < chunk->end)
        {
            *runIndex += 1;
        }
        chunk->runEnd = *runIndex;
        *chunkIndex += 1;
    }
}

bool RSL_NAME(rslKernel_MakeChunks)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    RunList list = { 0 };
    bool made = true;
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        kernel->chunkCount += (model->bodies[b].nodeCount + CHUNK - 1) / CHUNK;
        made = model->bodies[b].kind != rsl_latticeBody || MakeRuns(kernel, b, &list);
    }
    if (made)
    {
        kernel->runs = RSL_NAME(rslKernel_Allocate)(kernel, list.count, sizeof(Run));
        kernel->chunks = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount, sizeof(Chunk));
        made = kernel->runs != NULL && kernel->chunks != NULL;
    }
    if (made)
    {
        memcpy(kernel->runs, list.items ? list.items : kernel->runs, list.count * sizeof(Run));
        kernel->runCount = (int)list.count;
        int chunkIndex = 0, runIndex = 0;
        for (int b = 0; b < model->bodyCount; ++b)
        {
            MakeBodyChunks(kernel, b, &chunkIndex, &runIndex);
        }
    }
    rslRelease(&kernel->arena.hooks, list.items);
    return made;
}
