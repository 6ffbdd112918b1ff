// SPDX-License-Identifier: MIT
//
// placer.h: random points on the way, and the voxels that cover the room left for them.

#pragma once

#include "random_points.h"

typedef struct rslVoxel
{
    uint32_t cell;   // in the grid
    uint8_t sub[3];  // within it, in voxels
    bool inside;     // wholly in the shape
} rslVoxel;

typedef enum rslFate
{
    rsl_open,
    rsl_kept,
    rsl_refused,
} rslFate;

// A try that no point of an earlier slice refuses. Those of one cell follow each other.
typedef struct rslTry
{
    rslVec3 x;
    uint64_t time;
    uint32_t cell;
    rslFate fate;
} rslTry;

typedef struct rslPlacer
{
    const rslShape* shape;
    const rslHooks* hooks;
    rslPointGrid* grid;
    uint64_t* taken;    // cells with a point
    uint64_t* waiting;  // cells with tries
    int* owner;         // of a cell: its point, or its first try
    double least2;      // d^2
    rslVoxel* voxels;
    size_t voxelCount, voxelRoom;
    int level;    // voxels have the side of 2^-level cells
    double side;  // of a voxel [m]
    rslRandom random;
    rslTry* tries;
    size_t tryCount, tryRoom;
    size_t drawn;  // tries of a slice, with those that find no room
    int* open;
    size_t openRoom;
    double* xyz;
    int placed, wanted;
} rslPlacer;

// Whether a cell is in a set of words, one a block.
static inline bool rslIsTaken(const uint64_t* set, uint32_t cell)
{
    return (set[cell / RSL_GRID_BLOCK] >> (cell % RSL_GRID_BLOCK) & 1u) != 0;
}

// The place of a voxel's part (u, v, w) in a cell with the indices given.
static inline rslVec3 rslPlacer_PointIn(const rslPlacer* placer, const int index[3], const rslVoxel* voxel, double u,
                                        double v, double w)
{
    const rslPointGrid* grid = placer->grid;
    return (rslVec3){
        grid->corner.x + grid->side * index[0] + placer->side * (voxel->sub[0] + u),
        grid->corner.y + grid->side * index[1] + placer->side * (voxel->sub[1] + v),
        grid->corner.z + grid->side * index[2] + placer->side * (voxel->sub[2] + w),
    };
}

// The cells that may hold points; placer->side is that of a cell. False when out of memory.
bool rslPlacer_MakeVoxels(rslPlacer* placer);

// Every voxel into eight, of which those are kept that may still hold points.
bool rslPlacer_CutVoxels(rslPlacer* placer);
