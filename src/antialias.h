// SPDX-License-Identifier: MIT
//
// antialias.h: a grid of cells, and the weights of its cells from how much of them a shape fills.

#pragma once

#include "resilin/model.h"
#include "resilin/shape.h"
#include "cell_moments.h"
#include "vec.h"

// Cubic cells in axes of their own.
typedef struct rslGrid
{
    rslMat3 turn;      // lattice axes to the world
    rslVec3 corner;    // lowest corner, lattice axes [m]
    double extent[3];  // of the shape, lattice axes [m]
    double spacing;
    int cells[3];
} rslGrid;

// World position of a point given in cells from the lowest corner.
static inline rslVec3 rslGrid_Point(const rslGrid* grid, double i, double j, double k)
{
    rslVec3 point = { grid->corner.x + grid->spacing * i, grid->corner.y + grid->spacing * j,
                      grid->corner.z + grid->spacing * k };
    return rslMatVec(&grid->turn, point);
}

// The mean moments of a cell from its integrals.
rslBorderCell rslBorderCell_Of(int64_t cell, const rslMoments* moments);

// What became of the cells of a grid, in volumes of a cell.
typedef struct rslAntialias
{
    rslBorderCell* border;  // sorted by cell; released by the caller
    int borderCount;
    int keptCount;      // border cells with a weight
    int64_t fullCount;  // cells that are full
    double volume;      // of the shape within the grid
    double dropped;     // of it, in cells below the threshold
    double bound;       // of the error of the volume
} rslAntialias;

// Fill weight, one a cell. It sums up to the volume unless no cell is kept; then it is 0 everywhere.
rslStatus rslAntialias_Make(const rslGrid* grid, const rslShape* shape, double threshold, const rslHooks* hooks,
                            double* weight, rslAntialias* result);
