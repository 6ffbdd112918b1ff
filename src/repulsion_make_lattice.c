// SPDX-License-Identifier: MIT
//
// repulsion_make_lattice.c: cells of lattices as runs by chunk, and runs of the edges along their axes.

#include "repulsion_make.h"

#include "sort.h"

static bool AddRun(Maker* m, CellRun run)
{
    if (!rslGrow(m->hooks, (void**)&m->r->runs, m->runCount, &m->runCapacity, sizeof(CellRun)))
    {
        return false;
    }
    m->r->runs[m->runCount++] = run;
    return true;
}

// Runs of the model cut where chunks end.
static bool StoreRuns(Maker* m, int body)
{
    const rslRepulsion* repulsion = &m->kernel->model->bodies[body].repulsion;
    bool made = true;
    int last = -1;
    for (int r = 0; made && r < repulsion->runCount; ++r)
    {
        const rslCellRun* from = &repulsion->runs[r];
        for (int at = 0; made && at < from->count;)
        {
            int owner = ChunkIndex(m, body, from->first + at), room = m->kernel->chunks[owner].end - (from->first + at);
            int count = from->count - at < room ? from->count - at : room;
            CellRun run = { .first = from->first + at,
                            .count = count,
                            .number = m->r->pieceCount,
                            .element = from->before + at,
                            .odd = from->odd != (at % 2 == 1) };
            memcpy(run.offset, from->offset, sizeof run.offset);
            PieceChunk* chunk = &m->r->chunks[owner];
            if (owner != last)
            {
                chunk->first = m->r->pieceCount;
                chunk->runBegin = (int)m->runCount;
                last = owner;
            }
            made = AddRun(m, run);
            chunk->runEnd = (int)m->runCount;
            chunk->count += RSL_SPLIT * count;
            m->r->pieceCount += RSL_SPLIT * count;
            for (int row = 0; made && row < 4; ++row)
            {
                int first = ChunkIndex(m, body, run.first + run.offset[row]);
                int final = ChunkIndex(m, body, run.first + run.offset[row] + count);
                made = AddPair(m, owner, first) && (final == first || AddPair(m, owner, final));
            }
            at += count;
        }
    }
    return made;
}

static bool AddEdgeRun(Maker* m, EdgeRun run)
{
    if (!rslGrow(m->hooks, (void**)&m->r->edgeRuns, m->edgeRunCount, &m->edgeRunCapacity, sizeof(EdgeRun)))
    {
        return false;
    }
    m->r->edgeRuns[m->edgeRunCount++] = run;
    return true;
}

// Edges along an axis from all nodes, cut at chunks and where neighbours are elsewhere; nodes without such an edge may lie between.
static bool StoreAxis(Maker* m, int body, int axis)
{
    const rslBody* b = &m->kernel->model->bodies[body];
    const int* step = rslLatticeDirections[axis];
    EdgeRun run = { .axis = axis };
    bool made = true;
    for (int r = 0; made && r < b->lattice.rowCount; ++r)
    {
        const rslLatticeRow* row = &b->lattice.rows[r];
        for (int n = 0; made && n < row->count; ++n)
        {
            int a = b->firstNode + row->first + n;
            int other = rslLattice_Node(&b->lattice, row->i + n + step[0], row->j + step[1], row->k + step[2]);
            int to = b->firstNode + other;
            bool goesOn =
                run.count > 0 && to - a == run.b - run.a && ChunkIndex(m, body, a) == ChunkIndex(m, body, run.a);
            if (other < 0)
            {
                continue;
            }
            if (!goesOn)
            {
                made = run.count == 0 || AddEdgeRun(m, run);
                run.a = a;
                run.b = to;
            }
            run.count = a - run.a + 1;
            m->r->edgeMask[axis][a] = -1;
        }
    }
    return made && (run.count == 0 || AddEdgeRun(m, run));
}

static bool StoreEdges(Maker* m, int body)
{
    bool made = true;
    size_t start = m->edgeRunCount;
    for (int d = 0; made && d < RSL_LATTICE_FACE; ++d)
    {
        made = StoreAxis(m, body, d);
    }
    // bring them into the order of chunks
    size_t count = m->edgeRunCount - start;
    uint64_t* keys = rslAllocate(m->hooks, count, sizeof(uint64_t));
    int* order = rslAllocate(m->hooks, count, sizeof(int));
    EdgeRun* copy = rslAllocate(m->hooks, count, sizeof(EdgeRun));
    made = made && keys != NULL && order != NULL && copy != NULL;
    for (size_t i = 0; made && i < count; ++i)
    {
        copy[i] = m->r->edgeRuns[start + i];
        keys[i] = (uint64_t)(unsigned)ChunkIndex(m, body, copy[i].a);
        order[i] = (int)i;
    }
    made = made && rslSort(m->hooks, keys, order, count);
    for (size_t i = 0; made && i < count; ++i)
    {
        PieceChunk* chunk = &m->r->chunks[keys[i]];
        m->r->edgeRuns[start + i] = copy[order[i]];
        chunk->edgeBegin = i == 0 || keys[i] != keys[i - 1] ? (int)(start + i) : chunk->edgeBegin;
        chunk->edgeEnd = (int)(start + i + 1);
    }
    rslRelease(m->hooks, keys);
    rslRelease(m->hooks, order);
    rslRelease(m->hooks, copy);
    return made;
}

bool RSL_NAME(rslRepulsion_MakeLattice)(Maker* m, int body)
{
    const BodyKernel* kernel = &m->kernel->bodies[body];
    int chunks = (m->kernel->model->bodies[body].nodeCount + CHUNK - 1) / CHUNK;
    for (int n = 0; n < chunks * RSL_SPLIT * RSL_PIECE_NODES; ++n)
    {
        PieceChunk* chunk = &m->r->chunks[m->chunk + n / (RSL_SPLIT * RSL_PIECE_NODES)];
        double height = m->r->cellHeight[n / RSL_PIECE_NODES % RSL_SPLIT][n % RSL_PIECE_NODES];
        chunk->leastHeight = fmin(chunk->leastHeight, kernel->spacing * height);
    }
    return StoreRuns(m, body) && StoreEdges(m, body);
}
