// SPDX-License-Identifier: MIT
//
// multigrid.h: an approximate inverse of K on lattices whose quality does not depend on their size.
//
// Level 0 are the nodes of the model, without a matrix. A coarse node sits at every second place of a lattice; P interpolates
// between coarse nodes with the weights 1, 1/2, 1/4, 1/8, and A_c = P^T A P (Galerkin) is stored in rows of 3x3 blocks. All
// parents of a node have the same weight: one over their number. Held axes are taken out of P by their projectors.
//
// One place can have several coarse nodes: parts of the body that meet only elsewhere, such as the two sides of a slit, must
// not be glued together. Pairs (node i, its parent place I) are joined when K_ij is not zero, (i, I) with (j, I); every
// connected set of pairs is one coarse node. Weights do not change, so rigid motions stay exact.
//
//   multigrid_build.c     which coarse nodes there are, and which blocks: once a model
//   multigrid_galerkin.c  the numbers in them: once a state
//   multigrid_cycle.c     the cycle
//
// Rows of A are kept as off-diagonal blocks and their sum with the diagonal, the ground block G: A x = sum_j A_ij (x_j - x_i)
// + G_i x_i. Translations are then free of the rounding to single precision.

#pragma once

#include "unknowns.h"

enum
{
    RSL_MULTIGRID_LEVELS = 16,
    RSL_MULTIGRID_DENSE = 150  // coarse nodes that are solved for directly
};

typedef struct rslLevel
{
    int count;
    // rows of A without the diagonal; level 0 has none
    int* rowStart;
    int* column;  // ascending
    float (*block)[9];
    double (*ground)[9];
    float (*inverse)[6];  // of the diagonal blocks
    double largest;       // eigenvalue of D^-1 A, at least
    // to the next level: parents of each node here, children of each node there
    int* parentStart;
    int* parent;
    int* childStart;  // of nodes of the next level
    int* child;
    rslField x, b, p, t, kept;
} rslLevel;

typedef struct rslMultigrid
{
    const rslModel* model;
    const rslUnknowns* unknowns;
    void* kernel;
    const rslState* state;
    double (*diagonal)[6];  // of K; belongs to the preconditioner
    rslLevel levels[RSL_MULTIGRID_LEVELS];
    int levelCount;  // with level 0; 1: there is nothing to coarsen
    double* factor;  // of the last level, lower triangle by rows; NULL when it is too large
} rslMultigrid;

// False when out of memory. levelCount stays 1 where no lattice is large enough.
bool rslMultigrid_Make(rslMultigrid* grid, const rslModel* model, const rslUnknowns* unknowns, void* kernel,
                       rslArena* arena);

// Take over K of a state; diagonal and level 0's inverse are already there.
void rslMultigrid_Update(rslMultigrid* grid, const rslState* state);

// z = M r, one W cycle.
void rslMultigrid_Apply(rslMultigrid* grid, const rslField* r, const rslField* z);

// out = A x on a level.
void rslMultigrid_Multiply(const rslMultigrid* grid, int level, const rslField* x, const rslField* out);

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
