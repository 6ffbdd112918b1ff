// SPDX-License-Identifier: MIT
//
// repulsion_couplings.c: the stiffness of repulsion between a node and others, for matrices. K_ij of a piece is found row by row: K e
// of a unit vector e at node i has the rows of all K_ji, and K is symmetric.

#include "kernel_repulsion.h"
#include "lattice.h"
#include "lists.h"

#include <limits.h>

typedef void Coupling(void* context, int other, const double block[9]);

// Stored pieces of every node, so that it need not search its chunk for them.
bool RSL_NAME(rslRepulsion_List)(Kernel* kernel)
{
    RepulsionKernel* r = kernel->repulsion;
    if (r->storedCount > INT_MAX / RSL_PIECE_NODES)
    {
        return false;
    }
    int count = RSL_PIECE_NODES * r->storedCount;
    int* keys = rslAllocate(&kernel->arena.hooks, (size_t)count, sizeof(int));
    r->ofNode = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)count, sizeof(int));
    r->ofNodeStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount + 1, sizeof(int));
    bool made = keys != NULL && r->ofNode != NULL && r->ofNodeStart != NULL;
    for (int c = 0; made && c < kernel->chunkCount; ++c)
    {
        const PieceChunk* chunk = &r->chunks[c];
        int corners = rslPiece_Corners(chunk->kind), end = chunk->first + chunk->count;
        for (int k = RSL_PIECE_NODES * chunk->first; k < RSL_PIECE_NODES * end && k < count; ++k)
        {
            bool used = k % RSL_PIECE_NODES < corners;
            keys[k] = used ? r->stored[k / RSL_PIECE_NODES].nodes[k % RSL_PIECE_NODES] : -1;
        }
    }
    if (made)
    {
        rslInvert(keys, count, kernel->nodeCount, r->ofNodeStart, r->ofNode);
    }
    rslRelease(&kernel->arena.hooks, keys);
    return made;
}

typedef struct Row
{
    const Kernel* kernel;
    const View* view;  // NULL: only who is there
    int node;
    Coupling* visit;
    void* context;
} Row;

static void TellPiece(const Row* row, const Chunk* owner, int number)
{
    const RepulsionKernel* r = row->kernel->repulsion;
    const PieceChunk* pieces = &r->chunks[owner->index];
    int corners = rslPiece_Corners(pieces->kind), mine = -1;
    Piece piece;
    if (row->view != NULL && (pieces->nearCount == 0 || !r->near[number]))
    {
        return;
    }
    RSL_NAME(rslRepulsion_Piece)(row->kernel, owner, number, &piece);
    for (int c = 0; c < corners; ++c)
    {
        mine = piece.nodes[c] == row->node ? c : mine;
    }
    if (mine < 0)
    {
        return;
    }
    rslVec3 rows[3][RSL_PIECE_NODES] = { 0 };
    rslPieceTangent tangent;
    if (row->view != NULL)
    {
        RSL_NAME(rslRepulsion_Tangent)(pieces, &piece, row->view, &tangent);
    }
    for (int axis = 0; row->view != NULL && axis < 3; ++axis)
    {
        rslVec3 p[RSL_PIECE_NODES] = { 0 };
        p[mine] = (rslVec3){ axis == 0, axis == 1, axis == 2 };
        rslPiece_Product(&tangent, !row->kernel->exact, p, rows[axis]);
    }
    for (int c = 0; c < corners; ++c)
    {
        const double block[9] = { rows[0][c].x, rows[0][c].y, rows[0][c].z, rows[1][c].x, rows[1][c].y,
                                  rows[1][c].z, rows[2][c].x, rows[2][c].y, rows[2][c].z };
        row->visit(row->context, piece.nodes[c], row->view != NULL ? block : NULL);
    }
}

// ---- lattices -------------------------------------------------------------------------------------------------------

static const rslLatticeRow* LatticeRowOf(const rslLattice* lattice, int index)
{
    return &lattice->rows[RSL_LAST_UP_TO(lattice->rows, rslLatticeRow, first, 0, lattice->rowCount, index)];
}

// The pieces of the cell whose lowest node is given, if there is one.
static void TellCell(const Row* row, int lowest)
{
    const RepulsionKernel* r = row->kernel->repulsion;
    const Chunk* owner = ChunkOf(row->kernel, lowest);
    int begin = r->chunks[owner->index].runBegin, end = r->chunks[owner->index].runEnd;
    const CellRun* run = &r->runs[RSL_LAST_UP_TO(r->runs, CellRun, first, begin, end, lowest)];
    bool found = begin < end && lowest >= run->first && lowest < run->first + run->count;
    for (int p = 0; found && p < RSL_SPLIT; ++p)
    {
        TellPiece(row, owner, run->number + RSL_SPLIT * (lowest - run->first) + p);
    }
}

// Edges of pieces are bonds, unless a lattice has none along the diagonals of its faces.
static void TellCells(const Row* row, const rslBody* body)
{
    const rslLattice* lattice = &body->lattice;
    if (row->view == NULL && (lattice->stiffness[RSL_LATTICE_FACE] > 0.0 || body->elements.count > 0))
    {
        return;
    }
    const rslLatticeRow* at = LatticeRowOf(lattice, row->node - body->firstNode);
    int i = at->i + row->node - body->firstNode - at->first;
    for (int c = 0; c < 8; ++c)
    {
        int lowest = rslLattice_Node(lattice, i - (c & 1), at->j - (c >> 1 & 1), at->k - (c >> 2));
        if (lowest >= 0)
        {
            TellCell(row, body->firstNode + lowest);
        }
    }
}

// ---- both -----------------------------------------------------------------------------------------------------------

bool RSL_NAME(rslRepulsion_Acts)(const Kernel* kernel)
{
    bool acts = false;
    for (int c = 0; kernel->repulsion != NULL && c < kernel->chunkCount; ++c)
    {
        acts = acts || kernel->repulsion->chunks[c].nearCount > 0;
    }
    return acts;
}

void RSL_NAME(rslRepulsion_Couplings)(const Kernel* kernel, const View* view, int node, Coupling* visit, void* context)
{
    const RepulsionKernel* r = kernel->repulsion;
    Row row = { kernel, view, node, visit, context };
    const rslBody* body = r == NULL ? NULL : &kernel->model->bodies[ChunkOf(kernel, node)->body];
    if (r == NULL || body->repulsion.count == 0)
    {
        return;
    }
    if (body->kind == rsl_latticeBody)
    {
        TellCells(&row, body);
        return;
    }
    for (int e = r->ofNodeStart[node]; e < r->ofNodeStart[node + 1]; ++e)
    {
        int number = r->ofNode[e] / RSL_PIECE_NODES;
        TellPiece(&row, ChunkOf(kernel, Lowest(r->stored[number].nodes, body->repulsion.corners == 3 ? 3 : 4)), number);
    }
}
