// SPDX-License-Identifier: MIT
//
// random_points.h: points at random in a shape, none closer than a least distance to another.

#pragma once

#include "point_grid.h"
#include "random.h"

typedef struct rslRandomPoints
{
    double* xyz;  // in the order of their blocks, within a block in that of the cells [m]
    int count;
    bool jammed;  // no room was left before the number asked for was reached
    rslPointGrid grid;
    uint64_t* taken;  // of every block: cells that hold a point
    int* first;       // of every block: the number of its first point
    rslHooks hooks;
} rslRandomPoints;

// How many cells the grid of a shape would have.
double rslRandomPoints_Cells(const rslShape* shape, double least);

// Place up to count points. Needs least > 0 and a grid of at most RSL_GRID_MOST cells. Free with rslRandomPoints_Free, also
// when it fails.
#define RSL_GRID_MOST 268435456.0
rslStatus rslRandomPoints_Place(const rslShape* shape, double least, int count, uint64_t seed, const rslHooks* hooks,
                                rslRandomPoints* points);
void rslRandomPoints_Free(rslRandomPoints* points);

// Every pair (a < b) not farther apart than most, sorted by a, then by b. False when out of memory.
typedef void rslPairVisitor(int a, int b, double distance, void* context);
bool rslRandomPoints_Pairs(const rslRandomPoints* points, double most, rslPairVisitor* visit, void* context);
