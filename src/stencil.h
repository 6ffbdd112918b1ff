// SPDX-License-Identifier: MIT
//
// stencil.h: products with rows of blocks whose nodes lie in lines, as those of lattices do.
//
// Up to eight nodes that follow each other are a group. An entry of a group is a distance d at which some of them have a neighbour:
// that of node i is i + d, and those of a group follow each other as well. So eight rows are multiplied at a time, without a search
// and without a list of neighbours; who has no neighbour there has a block of zeros.
//
//   A x = sum_j A_ij (x_j - x_i) + G_i x_i

#pragma once

#include "lanes.h"
#include "memory.h"
#include "team.h"

enum
{
    RSL_STENCIL_PADDING = 8  // numbers that are read behind the last node of a vector
};

typedef float rslStencilBlock[9][RSL_LANES];

typedef struct rslStencil
{
    int groupCount;
    int* begin;                      // first node of every group, and the end
    int* entryStart;                 // of every group
    int* distance;                   // of every entry
    int* at;                         // of every block of the rows: eight times its entry and its lane
    rslStencilBlock* block;          // of every entry, by rows
    float (*inverse)[6][RSL_LANES];  // of every group: of the diagonal blocks (xx yy zz xy xz yz)
    double (*ground)[9][RSL_LANES];  // likewise: G
} rslStencil;

// Of the rows of a matrix. False when out of memory.
bool rslStencil_Make(rslStencil* stencil, int count, const int* rowStart, const int* column, rslArena* arena);

// Number c of the block of an entry of the rows is [RSL_LANES c] of this.
static inline float* rslStencil_Block(const rslStencil* stencil, int e)
{
    return &stencil->block[stencil->at[e] / RSL_LANES][0][stencil->at[e] % RSL_LANES];
}

// Take over the numbers of rows; block, ground and inverse as they are kept there. block NULL: they have been put here.
void rslStencil_Fill(const rslStencil* stencil, rslTeam* team, const int* rowStart, const float (*block)[9],
                     const double (*ground)[9], const float (*inverse)[6]);

// out = A x
void rslStencil_Multiply(const rslStencil* stencil, rslTeam* team, double* const x[3], double* const out[3]);

// p = keep p + gain D^-1 (b - t), x += p; fresh: t, x and p are zero
typedef struct rslStencilSmoothing
{
    double *const *x, *const *p;
    double *const *b, *const *t;
    double keep, gain;
    bool fresh;
} rslStencilSmoothing;

void rslStencil_Smooth(const rslStencil* stencil, rslTeam* team, const rslStencilSmoothing* smoothing);
