// SPDX-License-Identifier: MIT
//
// repulsion_make_network.c: pieces of networks, stored by chunk in the order of their limits, and the edges that they have.

#include "repulsion_make.h"

#include "sort.h"

static StoredPiece MakePiece(const Kernel* kernel, int body, const int* nodes, int number, rslPieceKind kind)
{
    rslVec3 x[RSL_PIECE_NODES];
    double heights[RSL_PIECE_NODES];
    const rslRepulsion* repulsion = &kernel->model->bodies[body].repulsion;
    int split = rslRepulsion_PieceCount(repulsion->corners);
    StoredPiece piece = { .element = number / split };
    for (int c = 0; c < rslPiece_Corners(kind); ++c)
    {
        x[c] = RSL_NAME(rslKernel_RestOf)(kernel, body, nodes[c]);
        piece.nodes[c] = nodes[c];
    }
    rslPiece_Heights(kind, x, heights);
    for (int c = 0; c < rslPiece_Corners(kind); ++c)
    {
        piece.height[c] = heights[c];
        piece.stiffness[c] = (Real)rslRepulsion_Stiffness(repulsion, number / split, number % split, c);
    }
    piece.measure = rslPiece_Measure(kind, x);
    piece.limit = (Real)rslPiece_Limit(kind, x);
    return piece;
}

// Nodes of piece p of an element.
static void PieceNodes(const rslRepulsion* repulsion, int element, int p, int nodes[RSL_PIECE_NODES])
{
    int all[8];
    rslRepulsion_Nodes(repulsion, element, all);
    for (int c = 0; c < (repulsion->corners == 3 ? 3 : 4); ++c)
    {
        nodes[c] = all[rslRepulsion_Corner(repulsion->corners, p, c)];
    }
}

// Pieces of a body by chunk, in the order of its elements; *next: place of the next one of every chunk.
static bool StorePieces(Maker* m, int body)
{
    const rslRepulsion* repulsion = &m->kernel->model->bodies[body].repulsion;
    int split = rslRepulsion_PieceCount(repulsion->corners), corners = repulsion->corners == 3 ? 3 : 4;
    int chunks = (m->kernel->model->bodies[body].nodeCount + CHUNK - 1) / CHUNK;
    bool made = true;
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int e = 0; e < split * repulsion->count; ++e)
        {
            int nodes[RSL_PIECE_NODES];
            PieceNodes(repulsion, e / split, e % split, nodes);
            int owner = ChunkIndex(m, body, Lowest(nodes, corners));
            PieceChunk* chunk = &m->r->chunks[owner];
            if (pass == 1)
            {
                StoredPiece piece = MakePiece(m->kernel, body, nodes, e, chunk->kind);
                m->r->stored[chunk->first + chunk->count] = piece;
                for (int c = 0; made && c < corners; ++c)
                {
                    chunk->leastHeight = fmin(chunk->leastHeight, piece.height[c]);
                    made = AddPair(m, owner, ChunkIndex(m, body, nodes[c]));
                }
            }
            chunk->count += 1;
        }
        for (int c = m->chunk; pass == 0 && c < m->chunk + chunks; ++c)
        {
            PieceChunk* chunk = &m->r->chunks[c];
            chunk->first = m->r->pieceCount;
            m->r->pieceCount += chunk->count;
            chunk->count = 0;
        }
    }
    return made;
}

// Those of a chunk by their limits; bits of positive floats are in their order.
static bool SortPieces(Maker* m, const PieceChunk* chunk)
{
    size_t count = (size_t)chunk->count;
    uint64_t* keys = rslAllocate(m->hooks, count, sizeof(uint64_t));
    int* order = rslAllocate(m->hooks, count, sizeof(int));
    StoredPiece* copy = rslAllocate(m->hooks, count, sizeof(StoredPiece));
    StoredPiece* pieces = &m->r->stored[chunk->first];
    bool made = keys != NULL && order != NULL && copy != NULL;
    for (size_t i = 0; made && i < count; ++i)
    {
        double limit = (double)pieces[i].limit;
        memcpy(&keys[i], &limit, sizeof limit);
        order[i] = (int)i;
        copy[i] = pieces[i];
    }
    made = made && rslSort(m->hooks, keys, order, count);
    for (size_t i = 0; made && i < count; ++i)
    {
        pieces[i] = copy[order[i]];
    }
    rslRelease(m->hooks, keys);
    rslRelease(m->hooks, order);
    rslRelease(m->hooks, copy);
    return made;
}

static bool AddEdge(Maker* m, StoredEdge edge)
{
    if (!rslGrow(m->hooks, (void**)&m->r->edges, m->edgeCount, &m->edgeCapacity, sizeof(StoredEdge)))
    {
        return false;
    }
    m->r->edges[m->edgeCount++] = edge;
    return true;
}

// Every edge of the pieces of a chunk once.
static bool StoreEdges(Maker* m, int body, PieceChunk* chunk)
{
    int corners = rslPiece_Corners(chunk->kind), each = corners == 3 ? 3 : 6;
    size_t count = (size_t)each * (size_t)chunk->count, at = 0;
    uint64_t* keys = rslAllocate(m->hooks, count, sizeof(uint64_t));
    int* order = rslAllocate(m->hooks, count, sizeof(int));
    bool made = keys != NULL && order != NULL;
    for (int p = 0; made && p < chunk->count; ++p)
    {
        const int* nodes = m->r->stored[chunk->first + p].nodes;
        for (int i = 0; i < corners; ++i)
        {
            for (int j = i + 1; j < corners; ++j, ++at)
            {
                int a = nodes[i] < nodes[j] ? nodes[i] : nodes[j], b = nodes[i] < nodes[j] ? nodes[j] : nodes[i];
                keys[at] = (uint64_t)(unsigned)a << 32 | (unsigned)b;
                order[at] = 0;
            }
        }
    }
    made = made && rslSort(m->hooks, keys, order, count);
    chunk->edgeBegin = (int)m->edgeCount;
    chunk->leastEdge = INFINITY;
    for (size_t i = 0; made && i < count; ++i)
    {
        if (i == 0 || keys[i] != keys[i - 1])
        {
            int a = (int)(keys[i] >> 32), b = (int)(keys[i] & 0xffffffffu);
            rslVec3 d =
                rslSub(RSL_NAME(rslKernel_RestOf)(m->kernel, body, b), RSL_NAME(rslKernel_RestOf)(m->kernel, body, a));
            double length = rslLength(d);
            chunk->leastEdge = length < chunk->leastEdge ? length : chunk->leastEdge;
            made = AddEdge(m, (StoredEdge){ .a = a, .b = b, .inverse2 = (Real)(1.0 / rslDot(d, d)) });
        }
    }
    chunk->edgeEnd = (int)m->edgeCount;
    rslRelease(m->hooks, keys);
    rslRelease(m->hooks, order);
    return made;
}

bool RSL_NAME(rslRepulsion_MakeNetwork)(Maker* m, int body)
{
    int chunks = (m->kernel->model->bodies[body].nodeCount + CHUNK - 1) / CHUNK;
    bool made = StorePieces(m, body);
    for (int c = m->chunk; made && c < m->chunk + chunks; ++c)
    {
        made = SortPieces(m, &m->r->chunks[c]) && StoreEdges(m, body, &m->r->chunks[c]);
    }
    return made;
}
