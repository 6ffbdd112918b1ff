// SPDX-License-Identifier: MIT
//
// kernel_repulsion.h: the pieces of a model that resist collapse, by chunk, and which of them may be near to it.
//
// A piece is a triangle or a tetrahedron (repulsion.h). It belongs to the chunk that holds its lowest node. Those of networks are
// stored, hexahedra as five of them; those of lattices are found from runs of cells, five a cell. Pieces are numbered: first the
// stored ones, then those of lattices, each in the order of their chunks.
//
// Far from collapse. Let C = F^T F be the deformation of a piece, g_i the gradients of its barycentric coordinates at rest and
// q_ij = l^2/L^2 - 1 of its edges. C is linear in them,
//
//   C - 1 = - sum_{i<j} q_ij L_ij^2 (g_i g_j^T + g_j g_i^T) / 2
//
// and h_i / h0_i = |g_i| / |F^-T g_i| >= sigma_min(F). So while |q_ij| <= q, no height is below half of that at rest if
// q s < 3/4, s the largest norm of C - 1 over all q_ij = +-1: every piece has a limit q* = 3 / (4 s). (Norms grow with q, and are
// largest at a corner of the cube |q_ij| <= q.) One walk over the edges of a chunk finds q; only pieces with a lower limit are then
// looked at one by one. That a piece has not been turned inside out, which edges do not see, is for those who move nodes to know.

#pragma once

#include "kernel.h"
#include "repulsion.h"

// A piece as it is asked for.
typedef struct Piece
{
    int nodes[RSL_PIECE_NODES];
    rslVec3 rest[RSL_PIECE_NODES];   // corners at rest, in the body frame but for a shift of all [m]
    double height[RSL_PIECE_NODES];  // h0 of every vertex [m]
    double measure;                  // area or volume at rest [m2], [m3]
    double stiffness;                // k [N/m]
} Piece;

// Pieces of one chunk.
typedef struct PieceChunk
{
    rslPieceKind kind;
    rslRepulsionType law;
    int first, count;          // number of the first of them, and how many there are
    int runBegin, runEnd;      // cells of lattices
    int edgeBegin, edgeEnd;    // edges of stored pieces, or of nodes of lattices
    int ownerBegin, ownerEnd;  // chunks, in owners, of pieces that have nodes of this chunk; ascending
    int holdBegin, holdEnd;    // chunks, in holders, of nodes that pieces of this chunk have; ascending
    double leastHeight;        // the smallest h0 [m]
    // when they were last looked at
    double stretch;  // q of the edges listed here
    int nearCount;   // pieces that may have a height below half of that at rest; all, where the law has no clamp
    // when forces were last summed up
    double quickest;  // the largest D / m of its nodes (force_repulsion.c) [1/s2]
} PieceChunk;

// Consecutive cells of a lattice, cut at the ends of chunks.
typedef struct CellRun
{
    int first, count;  // lowest nodes
    int number;        // of the first piece
    int element;       // index of the first cell in the repulsion of the body
    int offset[4];     // of the rows of nodes
    bool odd;
} CellRun;

// Edges [first, first + count) with the same step from a to b; of stored pieces, one.
typedef struct EdgeRun
{
    int a, b, count;
    int direction;  // of lattices
    Real inverse2;  // 1 / L^2
} EdgeRun;

typedef struct StoredPiece
{
    int nodes[RSL_PIECE_NODES];
    double height[RSL_PIECE_NODES];  // of positions as the kernel has them, so that rest stays rest
    Real measure, stiffness;
    Real limit;  // q*; ascending within a chunk
} StoredPiece;

struct RepulsionKernel
{
    PieceChunk* chunks;  // of every chunk of the kernel; count 0 where nothing repels
    int *owners, *holders;
    CellRun* runs;
    EdgeRun* edges;
    StoredPiece* stored;
    int storedCount, pieceCount;
    uint8_t* near;     // of every piece: 1 where it may have a height below half of that at rest
    double cellLimit;  // q* of the pieces of cells
    double cellHeight[RSL_SPLIT][RSL_PIECE_NODES];  // h0 over the spacing
};

// Find stretches and near pieces of all chunks at a view.
void RSL_NAME(rslRepulsion_Look)(Kernel* kernel, const View* view);

// A piece of a chunk by its number.
void RSL_NAME(rslRepulsion_Piece)(const Kernel* kernel, const Chunk* chunk, int number, Piece* piece);

// The number of the next near piece of a chunk, from one on; -1: none.
int RSL_NAME(rslRepulsion_Next)(const Kernel* kernel, const Chunk* chunk, int number);

// Where its corners are at a view.
static inline void PlacePiece(const View* view, const Piece* piece, int corners, rslVec3 x[RSL_PIECE_NODES])
{
    for (int c = 0; c < corners; ++c)
    {
        int n = piece->nodes[c];
        x[c] = (rslVec3){ piece->rest[c].x + (double)view->u[0][n], piece->rest[c].y + (double)view->u[1][n],
                          piece->rest[c].z + (double)view->u[2][n] };
    }
}
