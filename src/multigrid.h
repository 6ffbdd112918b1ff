// SPDX-License-Identifier: MIT
//
// multigrid.h: an approximate inverse of K whose quality does not depend on the size of the model.
//
// Level 0 are the nodes of the model, without a matrix; lattices that are not too large have one there, too. P interpolates from the next level, and A_c = P^T A P (Galerkin)
// is stored in rows of blocks. There are two ways to coarsen; the cycle is the same.
//
// Lattices. A coarse node sits at every second place; P has the weights 1, 1/2, 1/4, 1/8. All parents of a node have the
// same weight: one over their number. Held axes are taken out of P by their projectors. One place can have several coarse
// nodes: parts of the body that meet only elsewhere, such as the two sides of a slit, must not be glued together. Pairs
// (node i, its parent place I) are joined when K_ij is not zero, (i, I) with (j, I); every connected set of pairs is one
// coarse node. Weights do not change, so rigid motions stay exact. Rows of A are kept as off-diagonal blocks and their sum
// with the diagonal, the ground block G: A x = sum_j A_ij (x_j - x_i) + G_i x_i. Translations are then free of the rounding
// to single precision.
//
// Networks. A coarse node is an aggregate of neighbours, with as many unknowns as it has rigid motions (aggregate.h); P is a
// block for every pair, and A is stored in double.
//
//   multigrid_build.c     which coarse nodes of lattices there are, and which blocks: once a model
//   multigrid_store.c     the rows of level 0 of lattices, where there is room for them
//   multigrid_galerkin.c  the numbers in coarse rows: once a state
//   multigrid_regular.c   the same where there are springs alone, on a grid
//   stencil.c             products with rows of lattices, eight nodes at a time
//   aggregate*.c          both for networks
//   multigrid_level.c     the largest eigenvalue of a level, the factor of the last one
//   multigrid_touch.c     what touches, in a hierarchy that was made without
//   multigrid_cycle.c     the cycle

#pragma once

#include "statics.h"
#include "stencil.h"
#include "unknowns.h"
#include "vec.h"

enum
{
    RSL_MULTIGRID_LEVELS = 16,
    RSL_MULTIGRID_WIDTH = 6  // unknowns of a node, at most
};

// Numbers of the nodes of a level: number c of node i is x[c][i * stride].
typedef struct rslVector
{
    double* x[RSL_MULTIGRID_WIDTH];
    size_t stride;
} rslVector;

typedef struct rslAggregates rslAggregates;

// How the row of a coarse node comes from rows of the fine level (multigrid_galerkin.c): which fine nodes its children and their
// neighbours are, each once, and where blocks go. NULL: everything is looked for.
typedef struct rslGalerkin
{
    int* nearStart;     // of every coarse node
    int* near;          // fine nodes, ascending
    int* blockStart;    // of every coarse node, into blockAt
    uint16_t* blockAt;  // of every child, its own block and those of its row: which near node they belong to
    int* slotStart;     // of every coarse node, into slot
    uint16_t* slot;     // of every parent of every near node: its place in the coarse row; the last one is the diagonal
} rslGalerkin;

typedef struct rslLevel
{
    int count, width;  // nodes; unknowns of each
    bool apart;        // numbers of one axis follow each other, else those of one node
    // rows of A without the diagonal; level 0 has only springs of networks, as rslStatics_Store gives them, or all of a lattice
    int* rowStart;
    int* column;  // ascending from level 1
    float (*spring)[5];
    // lattices: blocks by rows where level 0 has rows, for the next level; else they are in the stencil alone
    float (*block)[9];
    double (*ground)[9];
    double (*own)[9];     // diagonal blocks, as they follow from the two
    float (*inverse)[6];  // of the diagonal blocks; also of level 0 of networks
    rslStencil stencil;   // the same, for products; no groups: there is none
    int (*place)[4];      // lattices from level 1 on: where nodes are, and of which body
    // lattices with nodes held in some directions: whether all children of a node are held in one, and the projector to the
    // others. Blocks are rounded, so what is zero there has to be made zero again, or its noise would be inverted
    bool* bare;
    double (*free)[6];
    // networks: width x width numbers by columns
    double* wide;
    double* wideDiagonal;
    float* wideInverse;
    double largest;  // eigenvalue of D^-1 A, at least
    // to the next level: parents of each node here, children of each node there
    int* parentStart;
    int* parent;
    int* childStart;  // of nodes of the next level
    int* child;
    // networks: the block of P of every parent, by columns, and where the block of a child is
    float* weight;
    int* childEntry;
    rslAggregates* aggregates;
    rslGalerkin galerkin;
    // what touches (multigrid_touch.c): nodes, blocks of all nodes, zero where nothing does, and whether they are in the list
    int* touched;
    int touchedCount;
    double (*sums)[6];
    bool* marked;
    rslVector x, b, kept;  // from level 1
    rslVector p, t;
} rslLevel;

typedef struct rslMultigrid
{
    const rslModel* model;
    const rslUnknowns* unknowns;
    void* kernel;
    const rslState* state;
    double (*diagonal)[6];  // of K; belongs to the preconditioner
    bool lean;              // set before it is made: lattices of springs alone have no rows on level 0
    bool stored;            // level 0 has rows
    uint8_t* odd;           // lattices: axes along which the place of a node of level 0 is odd, a bit each
    bool partlyHeld;        // there are nodes held in some directions and free in others
    uint16_t* place;        // then: where in its row what rslStatics_Springs tells of a node belongs, in this order
    int* placeStart;        // of every node
    double* stiffest;       // of some nodes each: the largest trace of a diagonal block
    double (*touch)[6];     // diagonal blocks of what is not in the rows (rslStatics_Touch); NULL where nothing touches
    int* touchNodes;        // nodes of the first of them, as rslMultigrid_Touch asks for them
    bool mayTouch;          // there is room for what touches beside rows
    rslLevel levels[RSL_MULTIGRID_LEVELS];
    int levelCount;  // with level 0; 1: there is nothing to coarsen
    bool once;       // V cycles instead of W cycles
    bool light;      // and of level 0 one step of the smoother
    bool again;      // largest eigenvalues are taken as they are
    int degree;      // of the smoother's polynomial
    double ratio;    // of the ends of its interval
    double* factor;  // of the last level: L by rows, and L^T above; NULL when it is too large
    double* last;    // a vector of this level, node by node
} rslMultigrid;

// Lattices. False when out of memory. levelCount stays 1 where no lattice is large enough.
bool rslMultigrid_Make(rslMultigrid* grid, const rslModel* model, const rslUnknowns* unknowns, void* kernel,
                       rslArena* arena);

// Take over K of a state; level 0's inverse is already there, and its rows or the diagonal.
void rslMultigrid_Update(rslMultigrid* grid, const rslState* state);

// Rows that were taken over from a state at which nothing touches, with what touches at this one; Q of every body (rest_turn.h). Room for it
// first, mayTouch: there is a way; false when out of memory. Returns the largest trace of a block of it; and without it again, before
// rows are taken over anew.
bool rslMultigrid_MakeTouch(rslMultigrid* grid, rslArena* arena);
double rslMultigrid_Touch(rslMultigrid* grid, const rslState* state, const rslMat3* turns);
void rslMultigrid_Untouch(rslMultigrid* grid);

// z = M r, one W cycle.
void rslMultigrid_Apply(rslMultigrid* grid, const rslNodeVector* r, const rslNodeVector* z);

// ---- what both ways share ---------------------------------------------------------------------------------------------

// Rows of level 0, where there is room for them, of lattices or, wide, of networks; what is held is taken out. False when out of memory. Then their numbers and the
// inverses of their diagonal blocks at a state; returns the largest trace of one.
bool rslMultigrid_MakeStore(rslMultigrid* grid, bool wide, rslArena* arena);
double rslMultigrid_Store(rslMultigrid* grid, const rslState* state);

// How rows of the next level come from those of a level, unless that is too much. False when out of memory.
bool rslLevel_MakeGalerkin(rslLevel* fine, const rslLevel* coarse, rslArena* arena);

// The row of a coarse node as a symmetric sum over the grid around it (multigrid_regular.c), the last block that of the node itself; kept
// keeps rows between neighbours. False where there is something else than springs, or a place has two nodes.
enum
{
    RSL_KEPT_ROWS = 9
};

typedef struct rslKeptRows
{
    int node[RSL_KEPT_ROWS];  // plus one; 0: none
    rslBondRow row[RSL_KEPT_ROWS];
} rslKeptRows;

bool rslMultigrid_IsRegular(const rslMultigrid* grid);
bool rslMultigrid_GatherRegular(const rslMultigrid* grid, int level, int node, rslKeptRows* kept, double (*sum)[9]);

// The block of an entry of a row: number c is [stride c] of this.
static inline float* rslLevel_Block(const rslLevel* level, int e, int* stride)
{
    *stride = level->block != NULL ? 1 : RSL_LANES;
    return level->block != NULL ? level->block[e] : rslStencil_Block(&level->stencil, e);
}

static inline void rslLevel_Numbers(const rslLevel* level, int e, double out[9])
{
    int stride;
    const float* from = rslLevel_Block(level, e, &stride);
    for (int c = 0; c < 9; ++c)
    {
        out[c] = (double)from[stride * c];
    }
}

// Vectors of a level from 1 on; room for the factor of the last level when it has at most that many unknowns. False when out
// of memory. p and t of level 0 are lent: p may be the second half of the diagonal, t is rslStatics_Scratch.
bool rslLevel_MakeVectors(rslLevel* level, rslArena* arena);
bool rslMultigrid_MakeFactor(rslMultigrid* grid, int unknowns, rslArena* arena);

// Starts from counts, start[0] = 0.
void rslAccumulate(int* start, int count);

// The projector of a node of a level of a lattice from 1 on; NULL for the identity.
static inline const double* rslLevel_Free(const rslLevel* level, int node)
{
    return level->bare != NULL && level->bare[node] ? level->free[node] : NULL;
}

// out = A x on a level.
void rslMultigrid_Multiply(const rslMultigrid* grid, int level, rslVector x, rslVector out);

// z = D^-1 r of one node.
void rslLevel_Inverse(const rslLevel* level, int node, const double* r, double* z);

// The largest eigenvalue of D^-1 A by power iteration, unless it is to be taken as it is; uses p and t.
void rslMultigrid_FindLargest(rslMultigrid* grid, int level);

// A of the last level = L L^T; b -> x there.
void rslMultigrid_FactorLast(rslMultigrid* grid);
void rslMultigrid_SolveLast(const rslMultigrid* grid);

static inline rslVector rslNodeVector_Strided(const rslNodeVector* vector)
{
    return (rslVector){ .x = { vector->x[0], vector->x[1], vector->x[2] }, .stride = 1 };
}

enum
{
    RSL_LEVEL_BLOCK = 512  // nodes of a level that one item of work takes
};

static inline int rslLevel_Items(int count)
{
    return (count + RSL_LEVEL_BLOCK - 1) / RSL_LEVEL_BLOCK;
}

static inline int rslLevel_End(int item, int count)
{
    return count - RSL_LEVEL_BLOCK * item < RSL_LEVEL_BLOCK ? count : RSL_LEVEL_BLOCK * (item + 1);
}
