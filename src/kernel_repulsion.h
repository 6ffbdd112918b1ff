// SPDX-License-Identifier: MIT
//
// kernel_repulsion.h: the pieces of a model that resist collapse, by chunk, and which of them may be near to it.
//
// A piece is a triangle or a tetrahedron (repulsion.h). It belongs to the chunk that holds its lowest node. Those of networks are
// stored, hexahedra as five of them; those of lattices are found from runs of cells, five a cell.

#pragma once

#include "kernel.h"
#include "repulsion.h"

typedef struct Piece
{
    int nodes[RSL_PIECE_NODES];
    Real height[RSL_PIECE_NODES];  // h0 of every vertex [m]
    Real measure;                  // area or volume at rest [m2], [m3]
    Real stiffness;                // k [N/m]
} Piece;

// Pieces of one chunk.
typedef struct PieceChunk
{
    rslPieceKind kind;
    rslRepulsionType law;
    int first, count;      // number of the first of them, counted over all chunks, and how many there are
    int runBegin, runEnd;  // of cells, when they are those of a lattice
    int edgeBegin, edgeEnd;
    int reachBegin, reachEnd;  // chunks, into reach, that own pieces with nodes of this chunk; in ascending order
    double leastHeight;        // the smallest h0 [m]
    // when they were last looked at (rslRepulsion_Look)
    double stretch;  // bound of |l^2/L^2 - 1| of all edges, L at rest
    int nearCount;   // pieces that may have a height below half of that at rest; all, where the law has no clamp
} PieceChunk;

// Consecutive cells of a lattice, cut at the ends of chunks.
typedef struct CellRun
{
    int first, count;  // lowest nodes
    int piece;         // number of the first piece of the first cell
    int element;       // its index in the repulsion of the body
    int offset[4];     // of the rows of nodes
    bool odd;
} CellRun;

// An edge of stored pieces.
typedef struct PieceEdge
{
    int a, b;
    Real inverse2;  // 1 / L^2
} PieceEdge;

struct RepulsionKernel
{
    PieceChunk* chunks;  // of every chunk of the kernel; count 0 where nothing repels
    int* reach;
    CellRun* runs;
    PieceEdge* edges;
    Piece* pieces;  // stored ones, by number
    Real*
        limits;  // of stored pieces: while all edges have |l^2/L^2 - 1| below, no height is below half; ascending in a chunk
    int pieceCount;   // of all chunks
    int storedCount;  // numbers below are stored; those of lattices follow
    uint8_t* near;    // of every piece: whether it may have a height below half
    Real cellLimit;   // the limit of all pieces of cells
    bool clamped;     // all laws are
};

// Make it: after rests and chunks. False when out of memory.
bool RSL_NAME(rslRepulsion_Make)(Kernel* kernel);

// Find stretches and near pieces of all chunks at a view. Rigorous where no piece is turned inside out: a piece that is not near has
// no height below half of that at rest.
void RSL_NAME(rslRepulsion_Look)(Kernel* kernel, const View* view);

// A piece by its number.
Piece RSL_NAME(rslRepulsion_Piece)(const Kernel* kernel, const PieceChunk* chunk, int number);

// Where its corners are at a view, in the frame of its body.
void RSL_NAME(rslRepulsion_Place)(const Kernel* kernel, const Chunk* chunk, const View* view, const Piece* piece,
                                  rslVec3 x[RSL_PIECE_NODES]);
