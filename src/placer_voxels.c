// SPDX-License-Identifier: MIT
//
// placer_voxels.c: voxels that cover the room left for random points.

#include "placer.h"
#include "vec.h"

#include <string.h>

#define HALF_DIAGONAL 0.86602540378443871 /* of a unit cube */

// The points around a cell: all that can be closer than d to something in it, those near its middle first.
typedef struct Around
{
    uint32_t cell;
    int index[3];
    int count, near;
    double xyz[126][3];
} Around;

// No place in a cell is farther than d / 2 from its middle.
static inline void AddAround(Around* around, const double* p, rslVec3 middle, double least2)
{
    double x = p[0] - middle.x, y = p[1] - middle.y, z = p[2] - middle.z, squared = x * x + y * y + z * z;
    int at = around->count;
    if (squared < least2)
    {
        at = around->near++;
        memcpy(around->xyz[around->count], around->xyz[at], sizeof around->xyz[at]);
    }
    memcpy(around->xyz[at], p, sizeof around->xyz[at]);
    around->count += squared < 2.25 * least2;
}

static void Gather(const rslPlacer* placer, uint32_t cell, Around* around)
{
    const rslPointGrid* grid = placer->grid;
    const uint64_t* mask;
    rslPointGrid_Indices(grid, cell, around->index);
    int first = rslPointGrid_Around(grid, around->index, &mask);
    rslVec3 middle = { grid->corner.x + grid->side * (around->index[0] + 0.5),
                       grid->corner.y + grid->side * (around->index[1] + 0.5),
                       grid->corner.z + grid->side * (around->index[2] + 0.5) };
    around->cell = cell;
    around->count = around->near = 0;
    for (int corner = 0; corner < 8; ++corner)
    {
        int block = first + grid->near[corner];
        const int* owner = placer->owner + (size_t)block * RSL_GRID_BLOCK;
        for (uint64_t set = placer->taken[block] & mask[corner]; set != 0; set &= set - 1)
        {
            AddAround(around, placer->xyz + 3 * (size_t)owner[rslBits_Lowest(set)], middle, placer->least2);
        }
    }
}

// Of the eight parts of a voxel about a middle, with the side given, those of which all is closer than d to a point: bits,
// x lowest.
static unsigned CoveredParts(const rslPlacer* placer, const double* p, rslVec3 middle, double side)
{
    const double d[3] = { p[0] - middle.x, p[1] - middle.y, p[2] - middle.z }, half = 0.5 * side;
    double far[3][2];  // of the farthest face of a part, squared
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = fabs(d[axis] + half) + half, high = fabs(d[axis] - half) + half;
        far[axis][0] = low * low;
        far[axis][1] = high * high;
    }
    unsigned covered = 0;
    for (unsigned part = 0; part < 8; ++part)
    {
        double squared = far[0][part & 1] + far[1][part >> 1 & 1] + far[2][part >> 2];
        covered |= (unsigned)(squared < placer->least2) << part;
    }
    return covered;
}

// ---- voxels ---------------------------------------------------------------------------------------------------------

static bool AddVoxel(rslPlacer* placer, rslVoxel voxel)
{
    void* voxels = placer->voxels;
    bool room = rslGrow(placer->hooks, &voxels, placer->voxelCount, &placer->voxelRoom, sizeof(rslVoxel));
    placer->voxels = voxels;
    if (room)
    {
        placer->voxels[placer->voxelCount++] = voxel;
    }
    return room;
}

// How a cube about a middle lies: -1 wholly in the shape, 1 wholly outside, 0 neither for sure. The size of the distance is
// never more than the true one.
static int SideOf(const rslShape* shape, rslVec3 middle, double edge)
{
    double reach = HALF_DIAGONAL * edge * (1.0 + 1e-9), distance = rslShape_Distance(shape, middle);
    return distance < -reach ? -1 : distance > reach ? 1 : 0;
}

static bool IsBorder(const rslPointGrid* grid, const int at[3])
{
    bool border = false;
    for (int axis = 0; axis < 3; ++axis)
    {
        int last = RSL_GRID_EDGE * grid->blocks[axis] - 1;
        border = border || at[axis] < RSL_GRID_BORDER || at[axis] > last - RSL_GRID_BORDER;
    }
    return border;
}

// The cells of one block that may hold points.
static bool AddBlock(rslPlacer* placer, int block)
{
    const rslPointGrid* grid = placer->grid;
    uint32_t first = (uint32_t)block * RSL_GRID_BLOCK;
    double side = grid->side;
    int at[3];
    rslPointGrid_Indices(grid, first, at);
    rslVec3 middle = { grid->corner.x + (at[0] + 2) * side, grid->corner.y + (at[1] + 2) * side,
                       grid->corner.z + (at[2] + 2) * side };
    int all = SideOf(placer->shape, middle, RSL_GRID_EDGE * side);
    for (uint32_t bit = 0; all <= 0 && bit < RSL_GRID_BLOCK; ++bit)
    {
        rslPointGrid_Indices(grid, first + bit, at);
        middle = (rslVec3){ grid->corner.x + (at[0] + 0.5) * side, grid->corner.y + (at[1] + 0.5) * side,
                            grid->corner.z + (at[2] + 0.5) * side };
        int cell = IsBorder(grid, at) ? 1 : all < 0 ? all : SideOf(placer->shape, middle, side);
        if (cell <= 0 && !AddVoxel(placer, (rslVoxel){ .cell = first + bit, .inside = cell < 0 }))
        {
            return false;
        }
    }
    return true;
}

bool rslPlacer_MakeVoxels(rslPlacer* placer)
{
    bool good = true;
    for (int b = 0; good && b < placer->grid->blockCount; ++b)
    {
        good = AddBlock(placer, placer->grid->order[b]);
    }
    return good;
}

// Cut a voxel of before, with the indices of its parts doubled, into eight and keep the free ones.
static bool CutVoxel(rslPlacer* placer, rslVoxel voxel, const Around* around)
{
    rslVec3 middle = rslPlacer_PointIn(placer, around->index, &voxel, 1.0, 1.0, 1.0);
    unsigned covered = 0;
    for (int i = 0; covered != 0xff && i < around->count; ++i)
    {
        covered |= CoveredParts(placer, around->xyz[i], middle, placer->side);
    }
    bool good = true;
    for (unsigned free = ~covered & 0xff; good && free != 0; free &= free - 1)
    {
        int part = rslBits_Lowest(free);
        rslVoxel one = voxel;
        one.sub[0] = (uint8_t)(voxel.sub[0] + (part & 1));
        one.sub[1] = (uint8_t)(voxel.sub[1] + (part >> 1 & 1));
        one.sub[2] = (uint8_t)(voxel.sub[2] + (part >> 2));
        middle = rslPlacer_PointIn(placer, around->index, &one, 0.5, 0.5, 0.5);
        int where = voxel.inside ? -1 : SideOf(placer->shape, middle, placer->side);
        one.inside = where < 0;
        good = where > 0 || AddVoxel(placer, one);
    }
    return good;
}

bool rslPlacer_CutVoxels(rslPlacer* placer)
{
    rslVoxel* old = placer->voxels;
    size_t count = placer->voxelCount;
    bool good = true;
    Around around;
    around.cell = UINT32_MAX;
    placer->voxels = NULL;
    placer->voxelCount = placer->voxelRoom = 0;
    placer->level += 1;
    placer->side *= 0.5;
    for (size_t i = 0; good && i < count; ++i)
    {
        rslVoxel voxel = old[i];
        if (rslIsTaken(placer->taken, voxel.cell))
        {
            continue;
        }
        if (voxel.cell != around.cell)
        {
            Gather(placer, voxel.cell, &around);
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            voxel.sub[axis] = (uint8_t)(2 * voxel.sub[axis]);
        }
        good = CutVoxel(placer, voxel, &around);
    }
    rslRelease(placer->hooks, old);
    return good;
}
