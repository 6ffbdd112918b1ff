// SPDX-License-Identifier: MIT
//
// random_points.c: random sequential addition.
//
// The process (Kot, section 2.4): draw points uniformly in the shape, keep one when it is at least d away from all kept
// before. Of the points that are kept each is therefore uniform in the room that is still free, and any way to draw from
// that room gives the same process. Drawing from the whole shape would try some hundred times a point near the end.
//
// Here the room is covered with voxels, at first the cells of a grid of side 0.577 d < d / sqrt(3). When few tries succeed
// every voxel is cut into eight, and those that a kept point covers, or that are outside of the shape, are dropped (Wang
// 1994). Without voxels there is no free room: the network is jammed, and this is certain, not a matter of patience. It
// happens near a filling N (pi/6) d^3 / V of 0.384; a little more in small shapes, where the balls about border points
// reach out of the shape.
//
// Tries taken one by one jump about in memory. Let them come as a Poisson process in time instead, the same rate for every
// voxel: the order of a shower of independent tries is that of their times. A slice of time is worked through voxel by
// voxel, near ones together: each has Poisson many tries, each at a random time. One that is too close to a point of an
// earlier slice fails. Of the others one is kept when no kept one of an earlier time is too close: this depends only on
// times, so it may be found out in any order, and passes over the open ones in the order of space do it. After the last slice
// only the first in time are kept, as many as were asked for.

#include "placer.h"

#include "sort.h"
#include "vec.h"

#include <string.h>

enum
{
    DEEPEST = 7,   // voxels of 2^-7 cells
    FEW = 80,      // fewer than one in this many tries that find room are few
    SHORTEST = 6,  // slices have 2^-6 tries a voxel
    MANY = 20,     // more tries than this a voxel has in one slice with a probability below 1e-18
};

#define CELL_PART 0.577

// Sums of the Poisson probabilities of 0, 1, ... for a mean.
typedef struct Poisson
{
    double sum[MANY];
} Poisson;

double rslRandomPoints_Cells(const rslShape* shape, double least)
{
    return rslPointGrid_Cells(rslShape_Bounds(shape), CELL_PART * least);
}

// ---- points around --------------------------------------------------------------------------------------------------

// A point closer than d to a place in a cell; NULL when there is none. The cell's own block comes first, then those that
// share a face with it.
static const double* FindClose(const rslPlacer* placer, const int index[3], rslVec3 at)
{
    static const int turns[8] = { 0, 1, 2, 4, 3, 5, 6, 7 };
    const rslPointGrid* grid = placer->grid;
    const uint64_t* mask;
    int first = rslPointGrid_Around(grid, index, &mask);
    int own = (~index[0] >> 1 & 1) | (~index[1] & 2) | (~index[2] & 2) << 1;
    for (int turn = 0; turn < 8; ++turn)
    {
        int corner = own ^ turns[turn], block = first + grid->near[corner];
        const int* owner = placer->owner + (size_t)block * RSL_GRID_BLOCK;
        for (uint64_t set = placer->taken[block] & mask[corner]; set != 0; set &= set - 1)
        {
            const double* p = placer->xyz + 3 * (size_t)owner[rslBits_Lowest(set)];
            double x = p[0] - at.x, y = p[1] - at.y, z = p[2] - at.z;
            if (x * x + y * y + z * z < placer->least2)
            {
                return p;
            }
        }
    }
    return NULL;
}

// Whether all of a voxel about a middle is closer than d to a point.
static bool Covers(const rslPlacer* placer, const double* p, rslVec3 middle)
{
    double half = 0.5 * placer->side;
    double x = fabs(p[0] - middle.x) + half, y = fabs(p[1] - middle.y) + half, z = fabs(p[2] - middle.z) + half;
    return x * x + y * y + z * z < placer->least2;
}

// ---- the tries of one slice -----------------------------------------------------------------------------------------

// For a mean of 2^-shortness: none has the probability exp(-mean).
static Poisson PoissonOf(int shortness)
{
    Poisson poisson;
    double term = 0.36787944117144233, mean = 1.0, sum = 0.0;
    for (int i = 0; i < shortness; ++i)
    {
        term = sqrt(term);
        mean *= 0.5;
    }
    for (int n = 0; n < MANY; ++n)
    {
        sum += term;
        poisson.sum[n] = sum;
        term *= mean / (n + 1);
    }
    return poisson;
}

static int DrawCount(const Poisson* poisson, rslRandom* random)
{
    double u = rslRandom_Unit(random);
    int n = 0;
    while (n < MANY && u >= poisson->sum[n])
    {
        ++n;
    }
    return n;
}

static bool AddTry(rslPlacer* placer, uint32_t cell, rslVec3 x)
{
    void* tries = placer->tries;
    bool room = rslGrow(placer->hooks, &tries, placer->tryCount, &placer->tryRoom, sizeof(rslTry));
    placer->tries = tries;
    if (!room)
    {
        return false;
    }
    if (!rslIsTaken(placer->waiting, cell))
    {
        placer->waiting[cell / RSL_GRID_BLOCK] |= (uint64_t)1 << (cell % RSL_GRID_BLOCK);
        placer->owner[cell] = (int)placer->tryCount;
    }
    placer->tries[placer->tryCount++] = (rslTry){ x, rslRandom_Bits(&placer->random), cell, rsl_open };
    return true;
}

// One try in a voxel of a cell with the indices given. The voxel is of no more use when a point covers it.
static bool TryVoxel(rslPlacer* placer, const rslVoxel* voxel, const int index[3], bool* useful)
{
    rslRandom* random = &placer->random;
    double u = rslRandom_Unit(random), v = rslRandom_Unit(random);
    rslVec3 x = rslPlacer_PointIn(placer, index, voxel, u, v, rslRandom_Unit(random));
    const double* close = FindClose(placer, index, x);
    placer->drawn += 1;
    if (close != NULL)
    {
        *useful = !Covers(placer, close, rslPlacer_PointIn(placer, index, voxel, 0.5, 0.5, 0.5));
        return true;
    }
    return (!voxel->inside && !rslShape_Contains(placer->shape, x)) || AddTry(placer, voxel->cell, x);
}

static bool DrawTries(rslPlacer* placer, const Poisson* poisson)
{
    size_t kept = 0;
    placer->tryCount = placer->drawn = 0;
    for (size_t i = 0; i < placer->voxelCount; ++i)
    {
        rslVoxel voxel = placer->voxels[i];
        if (rslIsTaken(placer->taken, voxel.cell))
        {
            continue;
        }
        bool useful = true;
        int index[3] = { 0 }, count = DrawCount(poisson, &placer->random);
        if (count > 0)
        {
            rslPointGrid_Indices(placer->grid, voxel.cell, index);
        }
        for (; useful && count > 0; --count)
        {
            if (!TryVoxel(placer, &voxel, index, &useful))
            {
                return false;
            }
        }
        placer->voxels[kept] = voxel;
        kept += useful;
    }
    placer->voxelCount = kept;
    return true;
}

// ---- which of them are kept -----------------------------------------------------------------------------------------

// Of two tries at one time, which has no chance to happen, the one of the lower cell is first.
static bool IsEarlier(const rslTry* a, const rslTry* b)
{
    return a->time < b->time || (a->time == b->time && a < b);
}

static rslFate FateOf(const rslPlacer* placer, const rslTry* try)
{
    const uint64_t* mask;
    int index[3];
    rslPointGrid_Indices(placer->grid, try->cell, index);
    int first = rslPointGrid_Around(placer->grid, index, &mask);
    const rslTry* end = placer->tries + placer->tryCount;
    rslFate fate = rsl_kept;
    for (int corner = 0; corner < 8; ++corner)
    {
        uint32_t block = (uint32_t)(first + placer->grid->near[corner]);
        for (uint64_t set = placer->waiting[block] & mask[corner]; set != 0; set &= set - 1)
        {
            uint32_t cell = block * RSL_GRID_BLOCK + (uint32_t)rslBits_Lowest(set);
            for (const rslTry* other = placer->tries + placer->owner[cell]; other < end && other->cell == cell; ++other)
            {
                rslVec3 d = rslSub(other->x, try->x);
                if (other->fate != rsl_refused && IsEarlier(other, try) && rslDot(d, d) < placer->least2)
                {
                    if (other->fate == rsl_kept)
                    {
                        return rsl_refused;
                    }
                    fate = rsl_open;
                }
            }
        }
    }
    return fate;
}

// Every pass closes the earliest of those that are open, so there is an end.
static bool Decide(rslPlacer* placer)
{
    if (placer->openRoom < placer->tryCount)
    {
        rslRelease(placer->hooks, placer->open);
        placer->openRoom = placer->tryCount;
        placer->open = rslAllocate(placer->hooks, placer->openRoom, sizeof(int));
        placer->openRoom = placer->open != NULL ? placer->openRoom : 0;
    }
    size_t open = placer->tryCount;
    bool good = open == 0 || placer->open != NULL;
    for (size_t i = 0; good && i < open; ++i)
    {
        placer->open[i] = (int)i;
    }
    while (good && open > 0)
    {
        size_t left = 0;
        for (size_t i = 0; i < open; ++i)
        {
            rslTry* try = &placer->tries[placer->open[i]];
            try->fate = FateOf(placer, try);
            placer->open[left] = placer->open[i];
            left += try->fate == rsl_open;
        }
        open = left;
    }
    return good;
}

// Refuse the last in time when more are kept than there is use for.
static bool RefuseLate(rslPlacer* placer, size_t kept)
{
    size_t use = (size_t)(placer->wanted - placer->placed), n = 0;
    if (kept <= use)
    {
        return true;
    }
    uint64_t* times = rslAllocate(placer->hooks, kept, sizeof *times);
    int* tries = rslAllocate(placer->hooks, kept, sizeof *tries);
    bool good = times != NULL && tries != NULL;
    for (size_t i = 0; good && i < placer->tryCount; ++i)
    {
        if (placer->tries[i].fate == rsl_kept)
        {
            times[n] = placer->tries[i].time;
            tries[n++] = (int)i;
        }
    }
    good = good && rslSort(placer->hooks, times, tries, kept);
    for (size_t i = use; good && i < kept; ++i)
    {
        placer->tries[tries[i]].fate = rsl_refused;
    }
    rslRelease(placer->hooks, times);
    rslRelease(placer->hooks, tries);
    return good;
}

// The tries that are kept become points.
static bool Keep(rslPlacer* placer)
{
    size_t kept = 0;
    for (size_t i = 0; i < placer->tryCount; ++i)
    {
        kept += placer->tries[i].fate == rsl_kept;
    }
    if (!RefuseLate(placer, kept))
    {
        return false;
    }
    for (size_t i = 0; i < placer->tryCount; ++i)
    {
        const rslTry* try = &placer->tries[i];
        placer->waiting[try->cell / RSL_GRID_BLOCK] = 0;
        if (try->fate == rsl_kept)
        {
            double* xyz = placer->xyz + 3 * (size_t)placer->placed;
            xyz[0] = try->x.x;
            xyz[1] = try->x.y;
            xyz[2] = try->x.z;
            placer->taken[try->cell / RSL_GRID_BLOCK] |= (uint64_t)1 << (try->cell % RSL_GRID_BLOCK);
            placer->owner[try->cell] = placer->placed++;
        }
    }
    return true;
}

// ---- the process ----------------------------------------------------------------------------------------------------

// Slices of tries: shorter ones when many of a slice are in each other's way, smaller voxels when few find room.
static bool Fill(rslPlacer* placer)
{
    int shortness = 3;
    while (placer->placed < placer->wanted && placer->voxelCount > 0)
    {
        int before = placer->placed;
        Poisson poisson = PoissonOf(shortness);
        if (!DrawTries(placer, &poisson) || !Decide(placer) || !Keep(placer))
        {
            return false;
        }
        size_t kept = (size_t)(placer->placed - before);
        bool few = FEW * placer->tryCount < placer->drawn && placer->placed < placer->wanted;
        shortness += 2 * kept < placer->tryCount ? 1 : 0;
        shortness -= 4 * kept > 3 * placer->tryCount ? 1 : 0;
        shortness += few ? 2 : 0;
        shortness = shortness < 0 ? 0 : shortness > SHORTEST ? SHORTEST : shortness;
        if (few && placer->level == DEEPEST)
        {
            break;
        }
        if (few && !rslPlacer_CutVoxels(placer))
        {
            return false;
        }
    }
    return true;
}

// Number the points by their cells, so that near ones have near numbers.
static bool Number(const rslPlacer* placer, rslRandomPoints* points)
{
    points->xyz = rslAllocate(placer->hooks, (size_t)placer->placed, 3 * sizeof(double));
    points->first = rslAllocate(placer->hooks, (size_t)points->grid.blockCount, sizeof(int));
    if (points->xyz == NULL || points->first == NULL)
    {
        return false;
    }
    for (int b = 0; b < points->grid.blockCount; ++b)
    {
        int block = points->grid.order[b];
        points->first[block] = points->count;
        for (uint64_t set = points->taken[block]; set != 0; set &= set - 1)
        {
            int point = placer->owner[(size_t)block * RSL_GRID_BLOCK + (size_t)rslBits_Lowest(set)];
            memcpy(points->xyz + 3 * (size_t)points->count++, placer->xyz + 3 * (size_t)point, 3 * sizeof(double));
        }
    }
    return true;
}

static bool Start(rslPlacer* placer, rslRandomPoints* points, double least)
{
    const rslHooks* hooks = placer->hooks;
    if (!rslPointGrid_Make(&points->grid, rslShape_Bounds(placer->shape), CELL_PART * least, hooks))
    {
        return false;
    }
    size_t blocks = (size_t)points->grid.blockCount;
    placer->grid = &points->grid;
    placer->side = points->grid.side;
    points->taken = placer->taken = rslAllocate(hooks, blocks, sizeof(uint64_t));
    placer->waiting = rslAllocate(hooks, blocks, sizeof(uint64_t));
    placer->owner = rslAllocate(hooks, blocks, RSL_GRID_BLOCK * sizeof(int));
    placer->xyz = rslAllocate(hooks, (size_t)placer->wanted, 3 * sizeof(double));
    return placer->taken != NULL && placer->waiting != NULL && placer->owner != NULL && placer->xyz != NULL &&
           rslPlacer_MakeVoxels(placer);
}

rslStatus rslRandomPoints_Place(const rslShape* shape, double least, int count, uint64_t seed, const rslHooks* hooks,
                                rslRandomPoints* points)
{
    *points = (rslRandomPoints){ .hooks = *hooks };
    rslPlacer placer = { .shape = shape, .hooks = hooks, .least2 = least * least, .random = { seed }, .wanted = count };
    bool good = Start(&placer, points, least) && Fill(&placer) && Number(&placer, points);
    points->jammed = placer.placed < count;
    rslRelease(hooks, placer.voxels);
    rslRelease(hooks, placer.waiting);
    rslRelease(hooks, placer.owner);
    rslRelease(hooks, placer.tries);
    rslRelease(hooks, placer.open);
    rslRelease(hooks, placer.xyz);
    return good ? rsl_ok : rsl_outOfMemory;
}

void rslRandomPoints_Free(rslRandomPoints* points)
{
    rslRelease(&points->hooks, points->xyz);
    rslRelease(&points->hooks, points->taken);
    rslRelease(&points->hooks, points->first);
    rslPointGrid_Free(&points->grid, &points->hooks);
    points->xyz = NULL;
    points->taken = NULL;
    points->first = NULL;
}
