// SPDX-License-Identifier: MIT
//
// random_points.c: random sequential addition.
//
// The process (Kot, section 2.4): draw points uniformly in the shape, keep one when it is at least d away from all kept
// before. Of the points that are kept each is therefore uniform in the room that is still free, and any way to draw from
// that room gives the same process. Drawing from the whole shape would try some hundred times a point near the end.
//
// Here the room is covered with voxels, at first the cells of a grid of side 0.577 d < d / sqrt(3). A try takes a voxel, all
// alike, and a point in it. When the point is too close to a kept one that covers the whole voxel, the voxel is dropped.
// When tries fail too often every voxel is cut into eight, and those that a kept point covers, or that are outside of the
// shape, are dropped (Wang 1994). Without voxels there is no free room: the network is jammed, and this is certain, not a
// matter of patience. It happens near a filling N (pi/6) d^3 / V of 0.384; a little more in small shapes, where the
// balls about border points reach out of the shape.
//
// A cell holds one point at most, so it is found by looking at the 5^3 cells around: no point there is farther than two
// cells from one closer than d.

#include "random_points.h"

#include "memory.h"
#include "vec.h"

#include <string.h>

enum
{
    DEEPEST = 7,  // voxels of 2^-7 cells
    ROUNDS = 4,   // a round has as many tries as there are voxels, divided by this
    LEAST_TRIES = 64,
    FEW = 80,  // fewer than one in this many tries is few
};

#define CELL_PART 0.577
#define HALF_DIAGONAL 0.86602540378443871 /* of a unit cube */

typedef struct Voxel
{
    int cell;        // in the grid
    uint8_t sub[3];  // within it, in voxels
    bool inside;     // wholly in the shape
} Voxel;

typedef struct Placer
{
    const rslShape* shape;
    const rslHooks* hooks;
    rslPointGrid grid;
    uint64_t* taken;  // a bit for every cell that has a point, lines padded to whole words
    int words;        // a line
    double least2;
    Voxel* voxels;
    size_t voxelCount, voxelRoom;
    int level;    // voxels have the side of 2^-level cells
    double part;  // 2^-level
    rslRandom random;
    double* xyz;
    int placed, wanted;
} Placer;

// ---- the grid -------------------------------------------------------------------------------------------------------

static double CellsAlong(double extent, double side)
{
    return floor(extent / side) + 1.0 + 2.0 * RSL_GRID_BORDER;
}

double rslRandomPoints_Cells(const rslShape* shape, double least)
{
    rslBounds b = rslShape_Bounds(shape);
    double side = CELL_PART * least;
    return CellsAlong(b.upper.x - b.lower.x, side) * CellsAlong(b.upper.y - b.lower.y, side) *
           CellsAlong(b.upper.z - b.lower.z, side);
}

static bool MakeGrid(Placer* placer, double least)
{
    rslBounds b = rslShape_Bounds(placer->shape);
    rslPointGrid* grid = &placer->grid;
    double side = CELL_PART * least, border = RSL_GRID_BORDER * side;
    grid->side = side;
    grid->corner = (rslVec3){ b.lower.x - border, b.lower.y - border, b.lower.z - border };
    grid->cells[0] = (int)CellsAlong(b.upper.x - b.lower.x, side);
    grid->cells[1] = (int)CellsAlong(b.upper.y - b.lower.y, side);
    grid->cells[2] = (int)CellsAlong(b.upper.z - b.lower.z, side);
    size_t cells = (size_t)grid->cells[0] * (size_t)grid->cells[1] * (size_t)grid->cells[2];
    grid->owner = rslAllocate(placer->hooks, cells, sizeof(int));
    placer->words = grid->cells[0] / 64 + 2;
    placer->taken = rslAllocate(placer->hooks, (size_t)grid->cells[1] * (size_t)grid->cells[2],
                                (size_t)placer->words * sizeof(uint64_t));
    return grid->owner != NULL && placer->taken != NULL;
}

static void CellIndices(const rslPointGrid* grid, int cell, int index[3])
{
    index[0] = cell % grid->cells[0];
    index[1] = cell / grid->cells[0] % grid->cells[1];
    index[2] = cell / grid->cells[0] / grid->cells[1];
}

static rslVec3 PointIn(const Placer* placer, const Voxel* voxel, double u, double v, double w)
{
    const rslPointGrid* grid = &placer->grid;
    int cell[3];
    CellIndices(grid, voxel->cell, cell);
    return (rslVec3){
        grid->corner.x + grid->side * (cell[0] + placer->part * (voxel->sub[0] + u)),
        grid->corner.y + grid->side * (cell[1] + placer->part * (voxel->sub[1] + v)),
        grid->corner.z + grid->side * (cell[2] + placer->part * (voxel->sub[2] + w)),
    };
}

static rslVec3 PointAt(const Placer* placer, int point)
{
    const double* x = placer->xyz + 3 * (size_t)point;
    return (rslVec3){ x[0], x[1], x[2] };
}

// ---- voxels ---------------------------------------------------------------------------------------------------------

// Whether all of a voxel about a middle is closer than d to a point.
static bool Covers(const Placer* placer, rslVec3 middle, rslVec3 point)
{
    double half = 0.5 * placer->part * placer->grid.side;
    double x = fabs(point.x - middle.x) + half, y = fabs(point.y - middle.y) + half,
           z = fabs(point.z - middle.z) + half;
    return x * x + y * y + z * z < placer->least2;
}

// Points around a cell, nearest lines first: all that can be closer than d to something in it.
typedef struct Around
{
    int cell;
    int count;
    rslVec3 point[125];
} Around;

// Of the cells i - 2 ... i + 2 of a line those that are taken, as five bits.
static unsigned TakenBits(const uint64_t* line, int i)
{
    int first = i - 2, word = first / 64, shift = first % 64;
    uint64_t bits = line[word] >> shift;
    bits |= shift > 59 ? line[word + 1] << (64 - shift) : 0;
    return (unsigned)(bits & 31u);
}

// Gather the points around a cell; when asked for one closer than d to a place, end with the first such.
static bool Gather(const Placer* placer, int cell, const rslVec3* at, Around* around)
{
    static const int order[5] = { 0, -1, 1, -2, 2 };
    const rslPointGrid* grid = &placer->grid;
    int index[3];
    CellIndices(grid, cell, index);
    around->cell = cell;
    around->count = 0;
    for (int l = 0; l < 25; ++l)
    {
        int line = index[1] + order[l % 5] + grid->cells[1] * (index[2] + order[l / 5]);
        const int* owner = grid->owner + (size_t)line * (size_t)grid->cells[0] + index[0] - 2;
        unsigned bits = TakenBits(placer->taken + (size_t)line * (size_t)placer->words, index[0]);
        for (; bits != 0; bits >>= 1, ++owner)
        {
            if (bits & 1u)
            {
                rslVec3 point = PointAt(placer, *owner - 1);
                around->point[around->count++] = point;
                rslVec3 d = at != NULL ? rslSub(point, *at) : point;
                if (at != NULL && rslDot(d, d) < placer->least2)
                {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool AddVoxel(Placer* placer, Voxel voxel)
{
    void* voxels = placer->voxels;
    bool room = rslGrow(placer->hooks, &voxels, placer->voxelCount, &placer->voxelRoom, sizeof(Voxel));
    placer->voxels = voxels;
    if (room)
    {
        placer->voxels[placer->voxelCount++] = voxel;
    }
    return room;
}

static void DropVoxel(Placer* placer, int index)
{
    placer->voxels[index] = placer->voxels[--placer->voxelCount];
}

// The cells of one line that may hold points. The size of the distance is never more than the true one, so that it tells
// about the next cells as well.
static bool AddLine(Placer* placer, int first, int count)
{
    double side = placer->grid.side, reach = HALF_DIAGONAL * side * (1.0 + 1e-9);
    for (int i = 0; i < count;)
    {
        Voxel voxel = { .cell = first + i };
        double distance = rslShape_Distance(placer->shape, PointIn(placer, &voxel, 0.5, 0.5, 0.5));
        double sure = fabs(distance) - reach, left = count - i;
        double alike = sure > 0.0 ? floor(sure / side) + 1.0 : 1.0;
        voxel.inside = sure > 0.0 && distance < 0.0;
        for (int n = (int)(alike < left ? alike : left); n > 0; --n, ++i)
        {
            voxel.cell = first + i;
            if ((sure <= 0.0 || voxel.inside) && !AddVoxel(placer, voxel))
            {
                return false;
            }
        }
    }
    return true;
}

static bool MakeVoxels(Placer* placer)
{
    const rslPointGrid* grid = &placer->grid;
    const int border = RSL_GRID_BORDER;
    for (int k = border; k < grid->cells[2] - border; ++k)
    {
        for (int j = border; j < grid->cells[1] - border; ++j)
        {
            if (!AddLine(placer, border + grid->cells[0] * (j + grid->cells[1] * k), grid->cells[0] - 2 * border))
            {
                return false;
            }
        }
    }
    return true;
}

// Whether points can still be placed in a voxel about a middle.
static bool IsFree(const Placer* placer, Voxel* voxel, rslVec3 middle, const Around* around)
{
    double reach = HALF_DIAGONAL * placer->grid.side * placer->part * (1.0 + 1e-9);
    for (int i = 0; i < around->count; ++i)
    {
        if (Covers(placer, middle, around->point[i]))
        {
            return false;
        }
    }
    double distance = voxel->inside ? -reach : rslShape_Distance(placer->shape, middle);
    voxel->inside = voxel->inside || distance < -reach;
    return distance <= reach;
}

// Cut one voxel of before into eight and keep the free ones.
static bool CutVoxel(Placer* placer, Voxel old, const Around* around)
{
    double side = placer->part * placer->grid.side;
    Voxel voxel = old;
    for (int axis = 0; axis < 3; ++axis)
    {
        old.sub[axis] = (uint8_t)(2 * old.sub[axis]);
    }
    rslVec3 first = PointIn(placer, &old, 0.5, 0.5, 0.5);
    for (int corner = 0; corner < 8; ++corner)
    {
        int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        voxel.sub[0] = (uint8_t)(old.sub[0] + i);
        voxel.sub[1] = (uint8_t)(old.sub[1] + j);
        voxel.sub[2] = (uint8_t)(old.sub[2] + k);
        voxel.inside = old.inside;
        rslVec3 middle = { first.x + i * side, first.y + j * side, first.z + k * side };
        if (IsFree(placer, &voxel, middle, around) && !AddVoxel(placer, voxel))
        {
            return false;
        }
    }
    return true;
}

static bool CutVoxels(Placer* placer)
{
    Voxel* old = placer->voxels;
    size_t count = placer->voxelCount;
    bool good = true;
    Around around = { .cell = -1 };
    placer->voxels = NULL;
    placer->voxelCount = placer->voxelRoom = 0;
    placer->level += 1;
    placer->part *= 0.5;
    for (size_t i = 0; good && i < count; ++i)
    {
        // those of one cell mostly follow each other
        if (old[i].cell != around.cell)
        {
            (void)Gather(placer, old[i].cell, NULL, &around);
        }
        good = CutVoxel(placer, old[i], &around);
    }
    rslRelease(placer->hooks, old);
    return good;
}

// ---- tries ----------------------------------------------------------------------------------------------------------

static void TakeCell(Placer* placer, int cell)
{
    int at[3];
    CellIndices(&placer->grid, cell, at);
    size_t line = (size_t)at[1] + (size_t)placer->grid.cells[1] * (size_t)at[2];
    placer->taken[line * (size_t)placer->words + (size_t)(at[0] / 64)] |= (uint64_t)1 << (at[0] % 64);
}

static bool Try(Placer* placer)
{
    int index = rslRandom_Below(&placer->random, (int)placer->voxelCount);
    const Voxel* voxel = &placer->voxels[index];
    double u = rslRandom_Unit(&placer->random), v = rslRandom_Unit(&placer->random);
    rslVec3 x = PointIn(placer, voxel, u, v, rslRandom_Unit(&placer->random));
    Around around;
    if (Gather(placer, voxel->cell, &x, &around))
    {
        if (Covers(placer, PointIn(placer, voxel, 0.5, 0.5, 0.5), around.point[around.count - 1]))
        {
            DropVoxel(placer, index);
        }
        return false;
    }
    if (!voxel->inside && !rslShape_Contains(placer->shape, x))
    {
        return false;
    }
    double* xyz = placer->xyz + 3 * (size_t)placer->placed;
    xyz[0] = x.x;
    xyz[1] = x.y;
    xyz[2] = x.z;
    placer->grid.owner[voxel->cell] = ++placer->placed;
    TakeCell(placer, voxel->cell);
    DropVoxel(placer, index);
    return true;
}

// Rounds of tries; after one in which few succeeded, smaller voxels.
static rslStatus Fill(Placer* placer)
{
    while (placer->placed < placer->wanted && placer->voxelCount > 0)
    {
        size_t tries = placer->voxelCount / ROUNDS > LEAST_TRIES ? placer->voxelCount / ROUNDS : LEAST_TRIES, good = 0;
        for (size_t i = 0; i < tries && placer->placed < placer->wanted && placer->voxelCount > 0; ++i)
        {
            good += Try(placer) ? 1 : 0;
        }
        if (FEW * good < tries && placer->level == DEEPEST)
        {
            break;
        }
        if (FEW * good < tries && !CutVoxels(placer))
        {
            return rsl_outOfMemory;
        }
        if (placer->voxelCount > INT32_MAX)
        {
            return rsl_outOfMemory;
        }
    }
    return rsl_ok;
}

// Number the points by their cells, so that near ones have near numbers.
static rslStatus Sort(Placer* placer, rslRandomPoints* points)
{
    const rslPointGrid* grid = &placer->grid;
    size_t cells = (size_t)grid->cells[0] * (size_t)grid->cells[1] * (size_t)grid->cells[2];
    points->xyz = rslAllocate(placer->hooks, (size_t)placer->placed, 3 * sizeof(double));
    if (points->xyz == NULL)
    {
        return rsl_outOfMemory;
    }
    for (size_t c = 0; c < cells; ++c)
    {
        if (grid->owner[c] != 0)
        {
            memcpy(points->xyz + 3 * (size_t)points->count, placer->xyz + 3 * (size_t)(grid->owner[c] - 1),
                   3 * sizeof(double));
            grid->owner[c] = ++points->count;
        }
    }
    return rsl_ok;
}

rslStatus rslRandomPoints_Place(const rslShape* shape, double least, int count, uint64_t seed, const rslHooks* hooks,
                                rslRandomPoints* points)
{
    *points = (rslRandomPoints){ .hooks = *hooks };
    Placer placer = {
        .shape = shape, .hooks = hooks, .least2 = least * least, .part = 1.0, .random = { seed }, .wanted = count
    };
    bool made = MakeGrid(&placer, least) && MakeVoxels(&placer);
    placer.xyz = made ? rslAllocate(hooks, (size_t)count, 3 * sizeof(double)) : NULL;
    rslStatus status = placer.xyz != NULL ? Fill(&placer) : rsl_outOfMemory;
    rslRelease(hooks, placer.voxels);
    rslRelease(hooks, placer.taken);
    status = status == rsl_ok ? Sort(&placer, points) : status;
    points->jammed = placer.placed < count;
    points->grid = placer.grid;
    rslRelease(hooks, placer.xyz);
    if (status != rsl_ok)
    {
        rslRandomPoints_Free(points);
    }
    return status;
}

void rslRandomPoints_Free(rslRandomPoints* points)
{
    rslRelease(&points->hooks, points->xyz);
    rslRelease(&points->hooks, points->grid.owner);
    points->xyz = NULL;
    points->grid.owner = NULL;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

typedef struct PairSearch
{
    const rslRandomPoints* points;
    double most2;
    int reach;  // in cells
    rslPairVisitor* visit;
    void* context;
} PairSearch;

// Pairs of a point with those of the cells [begin, end) of one line.
static void PairsInLine(const PairSearch* search, int a, const int* begin, const int* end)
{
    const double* xyz = search->points->xyz;
    const double* p = xyz + 3 * (size_t)a;
    for (const int* owner = begin; owner < end; ++owner)
    {
        if (*owner == 0)
        {
            continue;
        }
        const double* q = xyz + 3 * (size_t)(*owner - 1);
        rslVec3 d = { q[0] - p[0], q[1] - p[1], q[2] - p[2] };
        double squared = rslDot(d, d);
        if (squared <= search->most2)
        {
            search->visit(a, *owner - 1, sqrt(squared), search->context);
        }
    }
}

static int Least(int a, int b)
{
    return a < b ? a : b;
}

static int Most(int a, int b)
{
    return a > b ? a : b;
}

// Points are numbered by their cells: those with a higher number are in the cells after.
static void PairsOf(const PairSearch* search, int a, int i, int j, int k)
{
    const rslPointGrid* grid = &search->points->grid;
    int r = search->reach;
    int low = Most(i - r, 0), high = Least(i + r, grid->cells[0] - 1);
    for (int kk = k; kk <= Least(k + r, grid->cells[2] - 1); ++kk)
    {
        for (int jj = kk == k ? j : Most(j - r, 0); jj <= Least(j + r, grid->cells[1] - 1); ++jj)
        {
            const int* line = grid->owner + (size_t)grid->cells[0] * ((size_t)jj + (size_t)grid->cells[1] * (size_t)kk);
            int start = kk == k && jj == j ? i + 1 : low;
            PairsInLine(search, a, line + start, line + high + 1);
        }
    }
}

void rslRandomPoints_Pairs(const rslRandomPoints* points, double most, rslPairVisitor* visit, void* context)
{
    const rslPointGrid* grid = &points->grid;
    double cells = floor(most / grid->side * (1.0 + 1e-9)) + 1.0;
    int longest = Most(grid->cells[0], Most(grid->cells[1], grid->cells[2]));
    PairSearch search = { points, most * most, cells < longest ? (int)cells : longest, visit, context };
    const int* owner = grid->owner;
    for (int k = 0; k < grid->cells[2]; ++k)
    {
        for (int j = 0; j < grid->cells[1]; ++j)
        {
            for (int i = 0; i < grid->cells[0]; ++i, ++owner)
            {
                if (*owner != 0)
                {
                    PairsOf(&search, *owner - 1, i, j, k);
                }
            }
        }
    }
}
