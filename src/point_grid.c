// SPDX-License-Identifier: MIT
//
// point_grid.c: see point_grid.h.

#include "point_grid.h"

#include "sort.h"
#include "vec.h"

static double BlocksAlong(double extent, double side)
{
    double cells = floor(extent / side) + 1.0 + 2.0 * RSL_GRID_BORDER;
    return ceil(cells / RSL_GRID_EDGE);
}

double rslPointGrid_Cells(rslBounds b, double side)
{
    return RSL_GRID_BLOCK * BlocksAlong(b.upper.x - b.lower.x, side) * BlocksAlong(b.upper.y - b.lower.y, side) *
           BlocksAlong(b.upper.z - b.lower.z, side);
}

// Five cells from the place p of a block reach to its end, p ... 3, and to the place p of the next, 0 ... p.
static uint64_t MaskOf(const int phase[3], int corner)
{
    uint64_t mask = 0;
    for (int bit = 0; bit < RSL_GRID_BLOCK; ++bit)
    {
        bool in = true;
        for (int axis = 0; axis < 3; ++axis)
        {
            int at = bit >> (2 * axis) & 3;
            in = in && ((corner >> axis & 1) != 0 ? at <= phase[axis] : at >= phase[axis]);
        }
        mask |= (uint64_t)in << bit;
    }
    return mask;
}

static void SetMasks(rslPointGrid* grid)
{
    for (int corner = 0; corner < 8; ++corner)
    {
        int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        grid->near[corner] = i + grid->blocks[0] * (j + grid->blocks[1] * k);
        for (int p = 0; p < 64; ++p)
        {
            grid->mask[p][corner] = MaskOf((const int[3]){ p & 3, p >> 2 & 3, p >> 4 }, corner);
        }
    }
}

// The bits of a number with two zeros after each.
static uint64_t Spread(int number)
{
    uint64_t spread = 0;
    for (int bit = 0; bit < 21; ++bit)
    {
        spread |= (uint64_t)(number >> bit & 1) << (3 * bit);
    }
    return spread;
}

static bool SetOrder(rslPointGrid* grid, const rslHooks* hooks)
{
    size_t count = (size_t)grid->blockCount;
    uint64_t* keys = rslAllocate(hooks, count, sizeof *keys);
    grid->order = rslAllocate(hooks, count, sizeof(int));
    bool good = keys != NULL && grid->order != NULL;
    for (int b = 0; good && b < grid->blockCount; ++b)
    {
        int plane = b / grid->blocks[0];
        grid->order[b] = b;
        keys[b] =
            Spread(b % grid->blocks[0]) | Spread(plane % grid->blocks[1]) << 1 | Spread(plane / grid->blocks[1]) << 2;
    }
    good = good && rslSort(hooks, keys, grid->order, count);
    rslRelease(hooks, keys);
    return good;
}

bool rslPointGrid_Make(rslPointGrid* grid, rslBounds b, double side, const rslHooks* hooks)
{
    double border = RSL_GRID_BORDER * side;
    *grid = (rslPointGrid){
        .side = side,
        .corner = { b.lower.x - border, b.lower.y - border, b.lower.z - border },
        .blocks = { (int)BlocksAlong(b.upper.x - b.lower.x, side), (int)BlocksAlong(b.upper.y - b.lower.y, side),
                    (int)BlocksAlong(b.upper.z - b.lower.z, side) },
    };
    grid->blockCount = grid->blocks[0] * grid->blocks[1] * grid->blocks[2];
    SetMasks(grid);
    return SetOrder(grid, hooks);
}

void rslPointGrid_Free(rslPointGrid* grid, const rslHooks* hooks)
{
    rslRelease(hooks, grid->order);
    grid->order = NULL;
}
