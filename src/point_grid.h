// SPDX-License-Identifier: MIT
//
// point_grid.h: cells so small that each holds one point at most, in blocks of 4 x 4 x 4.
//
// A word of 64 bits says which cells of a block are in a set. The 5 x 5 x 5 cells around a cell always lie in 2 x 2 x 2
// blocks: eight words and eight masks name all that is near. Blocks are stored with x fastest; work goes through them in
// the order of their interleaved coordinates (Morton 1966), so that what is near in space is near in time and memory.

#pragma once

#include "bits.h"
#include "memory.h"
#include "resilin/shape.h"

typedef struct rslPointGrid
{
    rslVec3 corner;        // lowest [m]
    double side;           // of a cell [m]
    int blocks[3];         // with a border of at least two empty cells
    int blockCount;        // product
    int* order;            // the blocks in the order of work
    int near[8];           // from the first of the 2 x 2 x 2 blocks around a cell to each
    uint64_t mask[64][8];  // their cells around it, by where the 5 x 5 x 5 begin in the first block
} rslPointGrid;

// A cell is 64 times its block plus its bit, x fastest. At most 2^31 cells.
enum
{
    RSL_GRID_EDGE = 4,  // cells along a block
    RSL_GRID_BLOCK = 64,
    RSL_GRID_BORDER = 2,
};

// How many cells the grid of some bounds would have.
double rslPointGrid_Cells(rslBounds bounds, double side);

// False when out of memory. Free with rslPointGrid_Free, also then.
bool rslPointGrid_Make(rslPointGrid* grid, rslBounds bounds, double side, const rslHooks* hooks);
void rslPointGrid_Free(rslPointGrid* grid, const rslHooks* hooks);

// The three indices of a cell, in cells from the corner.
static inline void rslPointGrid_Indices(const rslPointGrid* grid, uint32_t cell, int index[3])
{
    int block = (int)(cell / RSL_GRID_BLOCK), plane = block / grid->blocks[0];
    index[0] = RSL_GRID_EDGE * (block - plane * grid->blocks[0]) + (int)(cell & 3u);
    index[1] = RSL_GRID_EDGE * (plane % grid->blocks[1]) + (int)(cell >> 2 & 3u);
    index[2] = RSL_GRID_EDGE * (plane / grid->blocks[1]) + (int)(cell >> 4 & 3u);
}

// The first of the 2 x 2 x 2 blocks around a cell that is not in the border, and which masks go with it.
static inline int rslPointGrid_Around(const rslPointGrid* grid, const int index[3], const uint64_t** mask)
{
    int i = index[0] - 2, j = index[1] - 2, k = index[2] - 2;
    *mask = grid->mask[(i & 3) + 4 * (j & 3) + 16 * (k & 3)];
    return (i >> 2) + grid->blocks[0] * ((j >> 2) + grid->blocks[1] * (k >> 2));
}
