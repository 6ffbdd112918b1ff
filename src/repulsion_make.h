// SPDX-License-Identifier: MIT
//
// repulsion_make.h: what the making of a RepulsionKernel shares.

#pragma once

#include "kernel_repulsion.h"

#include <string.h>

#define Maker RSL_NAME(rslRepulsionMaker)

typedef struct Maker
{
    Kernel* kernel;
    RepulsionKernel* r;
    const rslHooks* hooks;
    int chunk;        // the first of a body
    uint64_t* pairs;  // owner and holder of every piece of a network, or of rows of cells
    size_t pairCount, pairCapacity;
    size_t runCount, runCapacity, edgeRunCount, edgeRunCapacity, edgeCount, edgeCapacity;
} Maker;

// The chunk of a node of a body whose first chunk is given.
static inline int ChunkIndex(const Maker* m, int body, int node)
{
    return m->chunk + (node - m->kernel->model->bodies[body].firstNode) / CHUNK;
}

// A chunk owns pieces with nodes of another, or of itself. False when out of memory, as all others here.
static inline bool AddPair(Maker* m, int owner, int holder)
{
    if (!rslGrow(m->hooks, (void**)&m->pairs, m->pairCount, &m->pairCapacity, sizeof(uint64_t)))
    {
        return false;
    }
    m->pairs[m->pairCount++] = (uint64_t)(unsigned)holder << 32 | (unsigned)owner;
    return true;
}

// Pieces and edges of a body; its chunks are there.
bool RSL_NAME(rslRepulsion_MakeNetwork)(Maker* m, int body);
bool RSL_NAME(rslRepulsion_MakeLattice)(Maker* m, int body);
