// SPDX-License-Identifier: MIT
//
// random_points.h: points at random in a shape, none closer than a least distance to another.

#pragma once

#include "random.h"
#include "resilin/shape.h"

// A grid so fine that a cell holds at most one point: the diagonal of a cell is below the least distance. It has an empty
// border of RSL_GRID_BORDER cells all around.
enum
{
    RSL_GRID_BORDER = 2
};

typedef struct rslPointGrid
{
    rslVec3 corner;  // lowest, of the border [m]
    double side;     // of a cell [m]
    int cells[3];    // with the border
    int* owner;      // of every cell, x fastest: 0, or the number of its point + 1
} rslPointGrid;

typedef struct rslRandomPoints
{
    double* xyz;  // in the order of their cells [m]
    int count;
    bool jammed;  // no room was left before the number asked for was reached
    rslPointGrid grid;
    rslHooks hooks;
} rslRandomPoints;

// How many cells the grid of a shape would have.
double rslRandomPoints_Cells(const rslShape* shape, double least);

// Place up to count points. Needs least > 0 and a grid of at most RSL_GRID_MOST cells.
#define RSL_GRID_MOST 268435456.0
rslStatus rslRandomPoints_Place(const rslShape* shape, double least, int count, uint64_t seed, const rslHooks* hooks,
                                rslRandomPoints* points);
void rslRandomPoints_Free(rslRandomPoints* points);

// Every pair (a < b) not farther apart than most, sorted by a, then by b.
typedef void rslPairVisitor(int a, int b, double distance, void* context);
void rslRandomPoints_Pairs(const rslRandomPoints* points, double most, rslPairVisitor* visit, void* context);
