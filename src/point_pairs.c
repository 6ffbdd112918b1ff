// SPDX-License-Identifier: MIT
//
// point_pairs.c: the pairs of random points that are not far apart, block by block.
//
// The points around a block that are near enough to it are laid side by side, lowest number first; every point of the block
// is compared with those that follow it.

#include "random_points.h"

#include <math.h>

typedef struct Pairs
{
    const rslRandomPoints* points;
    double most, most2;
    int reach;         // in blocks
    uint64_t* blocks;  // around one: the number of its first point, and the block itself in the lower half
    int blockCount;
    double *x, *y, *z;  // of the points around
    int* number;
    int count;
} Pairs;

static int Least(int a, int b)
{
    return a < b ? a : b;
}

static int Most(int a, int b)
{
    return a > b ? a : b;
}

// By Shell: mostly 14 of them, and never many.
static void Sort(uint64_t* keys, int count)
{
    static const int gaps[] = { 1750, 701, 301, 132, 57, 23, 10, 4, 1 };
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; ++g)
    {
        for (int i = gaps[g]; i < count; ++i)
        {
            uint64_t key = keys[i];
            int j = i;
            for (; j >= gaps[g] && keys[j - gaps[g]] > key; j -= gaps[g])
            {
                keys[j] = keys[j - gaps[g]];
            }
            keys[j] = key;
        }
    }
}

// A block and those around with higher numbers, in the order of the numbers.
static void FindBlocks(Pairs* pairs, int block, const int at[3])
{
    const rslRandomPoints* points = pairs->points;
    const int *n = points->grid.blocks, r = pairs->reach;
    pairs->blockCount = 0;
    for (int k = Most(at[2] - r, 0); k <= Least(at[2] + r, n[2] - 1); ++k)
    {
        for (int j = Most(at[1] - r, 0); j <= Least(at[1] + r, n[1] - 1); ++j)
        {
            for (int i = Most(at[0] - r, 0); i <= Least(at[0] + r, n[0] - 1); ++i)
            {
                int other = i + n[0] * (j + n[1] * k);
                if (points->taken[other] != 0 && points->first[other] >= points->first[block])
                {
                    pairs->blocks[pairs->blockCount++] = (uint64_t)points->first[other] << 32 | (uint32_t)other;
                }
            }
        }
    }
    Sort(pairs->blocks, pairs->blockCount);
}

static double Gap(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0.0;
}

// Their points that are near enough to the box of the block.
static void LayOut(Pairs* pairs, const int at[3])
{
    const rslRandomPoints* points = pairs->points;
    double edge = RSL_GRID_EDGE * points->grid.side, bar = pairs->most2 * (1.0 + 1e-6);
    rslVec3 low = points->grid.corner;
    low = (rslVec3){ low.x + at[0] * edge, low.y + at[1] * edge, low.z + at[2] * edge };
    int count = 0;
    for (int b = 0; b < pairs->blockCount; ++b)
    {
        int first = (int)(pairs->blocks[b] >> 32), block = (int)(pairs->blocks[b] & 0xffffffffu);
        const double* p = points->xyz + 3 * (size_t)first;
        for (int i = rslBits_Count(points->taken[block]); i > 0; --i, ++first, p += 3)
        {
            double x = Gap(p[0], low.x, low.x + edge), y = Gap(p[1], low.y, low.y + edge),
                   z = Gap(p[2], low.z, low.z + edge);
            pairs->x[count] = p[0];
            pairs->y[count] = p[1];
            pairs->z[count] = p[2];
            pairs->number[count] = first;
            count += b == 0 || x * x + y * y + z * z <= bar;
        }
    }
    pairs->count = count;
}

static void Compare(const Pairs* pairs, int own, rslPairVisitor* visit, void* context)
{
    const double *x = pairs->x, *y = pairs->y, *z = pairs->z;
    for (int a = 0; a < own; ++a)
    {
        for (int b = a + 1; b < pairs->count; ++b)
        {
            double dx = x[b] - x[a], dy = y[b] - y[a], dz = z[b] - z[a];
            double squared = dx * dx + dy * dy + dz * dz;
            if (squared <= pairs->most2)
            {
                visit(pairs->number[a], pairs->number[b], sqrt(squared), context);
            }
        }
    }
}

static bool Start(Pairs* pairs, const rslHooks* hooks)
{
    const rslPointGrid* grid = &pairs->points->grid;
    int longest = Most(grid->blocks[0], Most(grid->blocks[1], grid->blocks[2]));
    double blocks = ceil((floor(pairs->most / grid->side * (1.0 + 1e-9)) + 1.0) / RSL_GRID_EDGE);
    pairs->reach = blocks < longest ? (int)blocks : longest;
    double cube = 2.0 * pairs->reach + 1.0, around = cube * cube * cube, points = RSL_GRID_BLOCK * around;
    size_t blockRoom = (size_t)(around < grid->blockCount ? around : grid->blockCount);
    // one more, since a point is written before it is known to be near
    size_t room = (size_t)(points < pairs->points->count ? points : pairs->points->count) + 1;
    pairs->blocks = rslAllocate(hooks, blockRoom, sizeof(uint64_t));
    pairs->x = rslAllocate(hooks, room, sizeof(double));
    pairs->y = rslAllocate(hooks, room, sizeof(double));
    pairs->z = rslAllocate(hooks, room, sizeof(double));
    pairs->number = rslAllocate(hooks, room, sizeof(int));
    return pairs->blocks != NULL && pairs->x != NULL && pairs->y != NULL && pairs->z != NULL && pairs->number != NULL;
}

bool rslRandomPoints_Pairs(const rslRandomPoints* points, double most, rslPairVisitor* visit, void* context)
{
    const rslHooks* hooks = &points->hooks;
    const rslPointGrid* grid = &points->grid;
    Pairs pairs = { .points = points, .most = most, .most2 = most * most };
    bool good = Start(&pairs, hooks);
    for (int b = 0; good && b < grid->blockCount; ++b)
    {
        int block = grid->order[b], plane = block / grid->blocks[0];
        const int at[3] = { block % grid->blocks[0], plane % grid->blocks[1], plane / grid->blocks[1] };
        if (points->taken[block] != 0)
        {
            FindBlocks(&pairs, block, at);
            LayOut(&pairs, at);
            Compare(&pairs, rslBits_Count(points->taken[block]), visit, context);
        }
    }
    rslRelease(hooks, pairs.blocks);
    rslRelease(hooks, pairs.x);
    rslRelease(hooks, pairs.y);
    rslRelease(hooks, pairs.z);
    rslRelease(hooks, pairs.number);
    return good;
}
