// SPDX-License-Identifier: MIT
//
// kernel_repulsion.h: the pieces of a model that resist collapse, by chunk, and which of them may be near to it.
//
// A piece is a triangle or a tetrahedron (repulsion.h). It belongs to the chunk that holds its lowest node. Those of networks are
// stored, hexahedra as five of them; those of lattices are found from runs of cells, five a cell. Pieces are numbered: first the
// stored ones, then those of lattices, each in the order of their chunks.
//
// A look at a chunk finds its near pieces, and how far its nodes may move before one can be near, or its measure can have
// fallen to half of that at rest: until then no look is needed (guard.c). It is cheap where nothing is near (repulsion_look.c,
// repulsion_cells.c).

#pragma once

#include "kernel.h"
#include "piece_slack.h"

// The part of its measure at rest down to which a piece may fall freely; looks ask for a little more.
static const double freePart = 0.5;
static const double freeLevel = 0.51;

// A piece as it is asked for.
typedef struct Piece
{
    int nodes[RSL_PIECE_NODES];
    int element;                        // of the body, that it is a part of
    rslVec3 rest[RSL_PIECE_NODES];      // corners at rest, in the body frame but for a shift of all [m]
    double height[RSL_PIECE_NODES];     // h0 of every vertex [m]
    double measure;                     // area or volume at rest [m2], [m3]
    double stiffness[RSL_PIECE_NODES];  // k of every vertex [N/m]
} Piece;

// What is known of all cells of a chunk (repulsion_cells.c), in units of the spacing.
typedef struct CellBounds
{
    double spacing;
    double wide[3];                   // w_k
    double det, first[3], second[3];  // of M, and sums over a row: of its cofactors, of itself
    double least;                     // singular value of M
} CellBounds;

// Pieces of one chunk.
typedef struct PieceChunk
{
    rslPieceKind kind;
    rslRepulsionType law;
    int first, count;               // number of the first of them, and how many there are
    int runBegin, runEnd;           // cells of lattices
    int edgeBegin, edgeEnd;         // edges of stored pieces, or runs of edges from nodes of lattices
    int ownerBegin, ownerEnd;       // chunks, in owners, of pieces that have nodes of this chunk; ascending
    int holdBegin, holdEnd;         // chunks, in holders, of nodes that pieces of this chunk have; ascending
    double leastHeight, leastEdge;  // smallest h0, and shortest edge of stored pieces at rest [m]
    double low[3][3], high[3][3];   // lattices: bounds of u(b) - u(a) of edges from its nodes, by direction and axis
    // asked of a look: pieces of which the measure may have been too small within such a way to here, by axis, are unsure
    double moved[3];
    // the way of their nodes in all; nothing is known of stored pieces, or of runs
    double total;
    bool forgotten;
    // what the last look found
    bool together;  // all are far, as told by
    int apart;  // cells: looks that have gone by since they were last bounded together and this did not tell; 0: it did
    CellBounds bounds;    // those of their cells; else
    rslPieceSlack slack;  // the least of all pieces; heights only where the law has a clamp
    double fresh;         // the least of measures that were looked at, without those that have yet to be
    int unsureCount;
    int nearCount;  // pieces that may have a height below half of that at rest; all, where the law has no clamp
    // when forces were last summed up
    double quickest;  // the largest D / m of its nodes (force_repulsion.c) [1/s2]
    bool pushes;      // when that was asked: a near piece does
} PieceChunk;

// Consecutive cells of a lattice, cut at the ends of chunks.
typedef struct CellRun
{
    int first, count;  // lowest nodes
    int number;        // of the first piece
    int element;       // index of the first cell in the repulsion of the body
    int offset[4];     // of the rows of nodes
    bool odd;
    double deadline;  // total of its chunk at which it has to be looked at
} CellRun;

// Edges of a lattice from a, a + 1, ... to b, b + 1, ... along an axis; some may be none (edgeMask).
typedef struct EdgeRun
{
    int a, b, count, axis;
} EdgeRun;

typedef struct StoredEdge
{
    int a, b;
    Real inverse2;  // 1 / L^2
} StoredEdge;

typedef struct StoredPiece
{
    int nodes[RSL_PIECE_NODES];
    int element;
    double height[RSL_PIECE_NODES];  // of positions as the kernel has them, so that rest stays rest
    double measure;
    Real stiffness[RSL_PIECE_NODES];
    Real limit;  // rslPiece_Limit; ascending within a chunk
} StoredPiece;

struct RepulsionKernel
{
    PieceChunk* chunks;  // of every chunk of the kernel; count 0 where nothing repels
    int *owners, *holders;
    CellRun* runs;
    EdgeRun* edgeRuns;
    int32_t* edgeMask[3];  // of every node: -1 where a lattice has an edge from it along this axis, else 0
    StoredEdge* edges;
    StoredPiece* stored;
    double* deadline;  // of every stored piece: total of its chunk at which it has to be looked at
    int storedCount, pieceCount;
    int *ofNodeStart, *ofNode;  // stored pieces of every node: number times RSL_PIECE_NODES plus corner
    uint8_t* near;              // of every piece: 1 where it may have a height below half of that at rest
    uint8_t* unsure;            // of every piece: 1 where its measure may have been too small on the way to where it is
    double cellHeight[RSL_SPLIT][RSL_PIECE_NODES];  // h0 over the spacing
    int *all, *reached;                             // scratch of looks, of as many chunks as there are
    uint8_t* marks;
    struct RepulsionMatrix* matrix;  // repulsion_matrix.c; NULL: nothing was ever near when it was asked for
    bool assembled;                  // it has what is near
};

// Look at some chunks, or at all of them, at a view.
void RSL_NAME(rslRepulsion_Look)(Kernel* kernel, const View* view, const int* chunks, int count);
void RSL_NAME(rslRepulsion_LookAtAll)(Kernel* kernel, const View* view);

// Cells of lattices (repulsion_cells.c): bounds of what a field has between the ends of edges from the nodes of a chunk, by
// direction and axis; does a look ask for them; where all those that its cells reach into have theirs of displacements, the look.
void RSL_NAME(rslRepulsion_Bound)(const Kernel* kernel, Real* const field[3], const Chunk* chunk, double low[3][3],
                                  double high[3][3]);
bool RSL_NAME(rslRepulsion_BoundsCells)(const PieceChunk* pieces);
void RSL_NAME(rslRepulsion_LookAtCells)(Kernel* kernel, const View* view, const Chunk* chunk);
// The least slacks of LANES cells of a run from one on, or less (repulsion_smooth.c).
rslPieceSlack RSL_NAME(rslRepulsion_LookAtSmooth)(Real* const u[3], double spacing, const CellRun* run, int first);
bool RSL_NAME(rslRepulsion_AreFar)(const PieceChunk* pieces, const double way[3]);

// Is all that was far from collapse at the last look at a chunk still so, wherever nodes have gone by such a way, by axis?
bool RSL_NAME(rslRepulsion_Lasts)(const PieceChunk* pieces, const double way[3]);

// The largest difference of the velocities at the ends of the edges of stored pieces [m/s], and the rate at which these edges turn,
// if that is most of what they do [1/s] (repulsion_edges.c).
double RSL_NAME(rslRepulsion_EdgeSpeed)(const Kernel* kernel, const View* view, const Chunk* chunk);
rslVec3 RSL_NAME(rslRepulsion_Turn)(const Kernel* kernel, const View* view, const Chunk* chunk);

// A piece of a chunk by its number.
void RSL_NAME(rslRepulsion_Piece)(const Kernel* kernel, const Chunk* chunk, int number, Piece* piece);

// The number of the next near, or unsure, piece of a chunk, from one on; -1: none.
int RSL_NAME(rslRepulsion_Next)(const Kernel* kernel, const Chunk* chunk, int number);
int RSL_NAME(rslRepulsion_NextUnsure)(const Kernel* kernel, const Chunk* chunk, int number);

// Of the stiffness of a piece at a view (force_repulsion.c).
void RSL_NAME(rslRepulsion_Tangent)(const PieceChunk* pieces, const Piece* piece, const View* view,
                                    rslPieceTangent* out);

// Is there a force of any piece at a view, where near ones are known?
bool RSL_NAME(rslRepulsion_Pushes)(Kernel* kernel, const View* view);

// Fill ofNodeStart and ofNode (repulsion_couplings.c).
bool RSL_NAME(rslRepulsion_List)(Kernel* kernel);

static inline int Lowest(const int* nodes, int corners)
{
    int lowest = nodes[0];
    for (int c = 1; c < corners; ++c)
    {
        lowest = nodes[c] < lowest ? nodes[c] : lowest;
    }
    return lowest;
}

static inline double SquareOf(const double way[3])
{
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
}

// What a look found of a piece.
static inline void NoteSlack(RepulsionKernel* r, PieceChunk* pieces, int number, rslPieceSlack slack)
{
    double moved2 = SquareOf(pieces->moved);
    bool unsure = !(slack.measure >= 0.0 && slack.measure * slack.measure >= moved2), near = !(slack.height > 0.0);
    pieces->slack.measure = slack.measure >= pieces->slack.measure ? pieces->slack.measure : slack.measure;
    pieces->unsureCount += unsure;
    r->unsure[number] = unsure ? 1 : 0;
    if (pieces->law == rsl_clampedRepulsion)
    {
        pieces->slack.height = slack.height >= pieces->slack.height ? pieces->slack.height : slack.height;
        pieces->nearCount += near;
        r->near[number] = near ? 1 : 0;
    }
}

// Where the corners of a piece are with displacements u.
static inline void PlaceCorners(const Piece* piece, Real* const u[3], int corners, rslVec3 x[RSL_PIECE_NODES])
{
    for (int c = 0; c < corners; ++c)
    {
        int n = piece->nodes[c];
        x[c] = (rslVec3){ piece->rest[c].x + (double)u[0][n], piece->rest[c].y + (double)u[1][n],
                          piece->rest[c].z + (double)u[2][n] };
    }
}

static inline void PlacePiece(const View* view, const Piece* piece, int corners, rslVec3 x[RSL_PIECE_NODES])
{
    PlaceCorners(piece, view->u, corners, x);
}

// And how far they have moved.
static inline void MovePiece(const View* view, const Piece* piece, int corners, rslVec3 u[RSL_PIECE_NODES])
{
    for (int c = 0; c < corners; ++c)
    {
        int n = piece->nodes[c];
        u[c] = VectorAt(view->u, n);
    }
}
