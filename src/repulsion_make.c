// SPDX-License-Identifier: MIT
//
// repulsion_make.c: the pieces of all bodies that repel, and which chunks they reach into.

#include "repulsion_make.h"

#include "sort.h"

#include <limits.h>

static bool Repels(const rslRepulsion* repulsion)
{
    rslRepulsionType law = repulsion->law;
    return repulsion->count > 0 &&
           (law == rsl_clampedRepulsion || law == rsl_cooperRepulsion || law == rsl_stiffRepulsion);
}

static void StartChunk(Maker* m, int body, int index)
{
    const rslRepulsion* repulsion = &m->kernel->model->bodies[body].repulsion;
    m->r->chunks[index] = (PieceChunk){ .kind = rslRepulsion_Kind(repulsion, m->kernel->model->plane),
                                        .law = repulsion->law,
                                        .leastHeight = INFINITY };
}

static void MakeCells(RepulsionKernel* r)
{
    for (int p = 0; p < RSL_SPLIT; ++p)
    {
        rslVec3 x[RSL_PIECE_NODES];
        for (int c = 0; c < RSL_PIECE_NODES; ++c)
        {
            int corner = rslCellSplit[p][c];
            x[c] = (rslVec3){ corner & 1, corner >> 1 & 1, corner >> 2 };
        }
        rslPiece_Heights(rsl_tetrahedron, x, r->cellHeight[p]);
    }
}

// Which chunks own pieces with nodes of a chunk, and the other way round.
static bool StoreReach(Maker* m, bool turned, int** list)
{
    size_t count = m->pairCount, kept = 0;
    int* order = rslAllocate(m->hooks, count, sizeof(int));
    bool made = order != NULL;
    for (size_t i = 0; made && turned && i < count; ++i)
    {
        m->pairs[i] = m->pairs[i] << 32 | m->pairs[i] >> 32;
    }
    for (size_t i = 0; made && i < count; ++i)
    {
        order[i] = 0;
    }
    made = made && rslSort(m->hooks, m->pairs, order, count);
    for (size_t i = 0; made && i < count; ++i)
    {
        if (i == 0 || m->pairs[i] != m->pairs[kept - 1])
        {
            m->pairs[kept++] = m->pairs[i];
        }
    }
    rslRelease(m->hooks, order);
    m->pairCount = made ? kept : count;
    *list = RSL_NAME(rslKernel_Allocate)(m->kernel, kept, sizeof(int));
    made = made && *list != NULL;
    for (size_t i = 0; made && i < kept; ++i)
    {
        PieceChunk* chunk = &m->r->chunks[m->pairs[i] >> 32];
        int *begin = turned ? &chunk->holdBegin : &chunk->ownerBegin,
            *end = turned ? &chunk->holdEnd : &chunk->ownerEnd;
        *begin = i == 0 || m->pairs[i] >> 32 != m->pairs[i - 1] >> 32 ? (int)i : *begin;
        *end = (int)i + 1;
        (*list)[i] = (int)(m->pairs[i] & 0xffffffffu);
    }
    return made;
}

static bool StoreBody(Maker* m, int body)
{
    int chunks = (m->kernel->model->bodies[body].nodeCount + CHUNK - 1) / CHUNK;
    bool lattice = m->kernel->model->bodies[body].kind == rsl_latticeBody;
    for (int c = m->chunk; c < m->chunk + chunks; ++c)
    {
        StartChunk(m, body, c);
    }
    return lattice ? RSL_NAME(rslRepulsion_MakeLattice)(m, body) : RSL_NAME(rslRepulsion_MakeNetwork)(m, body);
}

// Copies of what has grown into the memory of the kernel.
static bool Keep(Maker* m, void** list, size_t count, size_t size)
{
    void* grown = *list;
    *list = RSL_NAME(rslKernel_Allocate)(m->kernel, count, size);
    if (*list != NULL && count > 0)
    {
        memcpy(*list, grown, count * size);
    }
    rslRelease(m->hooks, grown);
    return *list != NULL;
}

// Networks first: their pieces have the low numbers.
static bool StoreBodies(Maker* m)
{
    bool made = true;
    for (int pass = 0; made && pass < 2; ++pass)
    {
        m->chunk = 0;
        for (int b = 0; made && b < m->kernel->model->bodyCount; ++b)
        {
            const rslBody* body = &m->kernel->model->bodies[b];
            bool lattice = body->kind == rsl_latticeBody;
            made = !Repels(&body->repulsion) || lattice != (pass == 1) || StoreBody(m, b);
            m->chunk += (body->nodeCount + CHUNK - 1) / CHUNK;
        }
    }
    return made;
}

static bool MakeNear(Maker* m)
{
    RepulsionKernel* r = m->r;
    r->near = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)r->pieceCount, 1);
    r->unsure = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)r->pieceCount, 1);
    for (int c = 0; r->near != NULL && c < m->kernel->chunkCount; ++c)
    {
        PieceChunk* chunk = &r->chunks[c];
        if (chunk->count > 0 && chunk->law != rsl_clampedRepulsion)
        {
            memset(r->near + chunk->first, 1, (size_t)chunk->count);
            chunk->nearCount = chunk->count;
        }
    }
    size_t chunks = (size_t)m->kernel->chunkCount;
    r->all = RSL_NAME(rslKernel_Allocate)(m->kernel, chunks, sizeof(int));
    r->reached = RSL_NAME(rslKernel_Allocate)(m->kernel, chunks + 1, sizeof(int));
    r->marks = RSL_NAME(rslKernel_Allocate)(m->kernel, chunks, 1);
    return r->near != NULL && r->unsure != NULL && r->all != NULL && r->reached != NULL && r->marks != NULL;
}

bool RSL_NAME(rslRepulsion_Make)(Kernel* kernel)
{
    int64_t stored = 0, all = 0;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslBody* body = &kernel->model->bodies[b];
        int64_t pieces = (int64_t)body->repulsion.count * rslRepulsion_PieceCount(body->repulsion.corners);
        all += Repels(&body->repulsion) ? pieces : 0;
        stored += Repels(&body->repulsion) && body->kind == rsl_networkBody ? pieces : 0;
    }
    if (all == 0)
    {
        return true;
    }
    RepulsionKernel* r = kernel->repulsion = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(RepulsionKernel));
    if (r == NULL || all > INT_MAX)
    {
        return false;
    }
    Maker m = { .kernel = kernel, .r = r, .hooks = &kernel->arena.hooks };
    r->storedCount = (int)stored;
    r->chunks = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount, sizeof(PieceChunk));
    r->stored = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)stored, sizeof(StoredPiece));
    r->deadline = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)stored, sizeof(double));
    MakeCells(r);
    bool made = r->chunks != NULL && r->stored != NULL && r->deadline != NULL;
    for (int axis = 0; axis < 3; ++axis)
    {
        r->edgeMask[axis] = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount + LANES, sizeof(int32_t));
        made = made && r->edgeMask[axis] != NULL;
    }
    made = made && StoreBodies(&m) && MakeNear(&m);
    made = Keep(&m, (void**)&r->runs, m.runCount, sizeof(CellRun)) && made;
    made = Keep(&m, (void**)&r->edgeRuns, m.edgeRunCount, sizeof(EdgeRun)) && made;
    made = Keep(&m, (void**)&r->edges, m.edgeCount, sizeof(StoredEdge)) && made;
    made = made && StoreReach(&m, false, &r->owners) && StoreReach(&m, true, &r->holders);
    made = made && RSL_NAME(rslRepulsion_List)(kernel);
    rslRelease(m.hooks, m.pairs);
    return made;
}
