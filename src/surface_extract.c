// SPDX-License-Identifier: MIT
//
// surface_extract.c: the zero set of a shape's function by marching tetrahedra on a warped grid.
//
// Each cube of a grid is cut into the six tetrahedra that climb from its lowest to its highest corner along the axes in
// some order. Two grid points are joined by an edge when one is above the other by 0 or 1 in every axis, and any set of
// points that are joined to each other is a simplex. A point is in or out; an edge between the two crosses the surface,
// and in each tetrahedron the crossings are the corners of a triangle or a quadrilateral. Such a surface is closed and
// manifold, and it does not cross itself, since each piece stays in its own tetrahedron.
//
// Crossings near a grid point would make slivers. Such a point is moved onto the surface (it becomes "on", and counts as
// in); the crossings of all its edges collapse into it. That keeps the surface manifold when it does so locally:
//   point     of its 14 neighbours, those in and those out are both connected, and neither is missing;
//   edge      of the ring around an edge between two on points, likewise, or all are in;
//   triangle  of the two points beside a triangle of on points at most one is out.
// A point that would break this stays. The least distance between opposite faces or edges of a tetrahedron is
// h / sqrt(3); points move by no more than h / 4 each, so no tetrahedron turns over.

#include "index_map.h"
#include "memory.h"
#include "mesh_builder.h"
#include "shape_internal.h"

enum
{
    OUT = 0,
    IN = 1,
    ON = 2,
    NEIGHBOURS = 14,
    GRID_MOST = 1000000000,  // points of a grid
};

// Where an edge of the grid crosses the surface, or where an on point has gone.
typedef struct Crossing
{
    rslVec3 x;
    int vertex;  // of the mesh; -1: none yet
} Crossing;

typedef struct Grid
{
    const rslShape* shape;
    double h;
    rslVec3 origin;
    int64_t n[3], stride[3];  // points along each axis
    unsigned char* label;
    int offset[NEIGHBOURS][3];
    int64_t step[NEIGHBOURS];       // of the index to a neighbour
    unsigned adjacent[NEIGHBOURS];  // bit set: neighbours of a point that are joined to this one
    rslIndexMap map;                // 8 point + direction (0: the point itself) -> crossing
    Crossing* crossings;
    size_t crossingCount, crossingCapacity;
    rslMeshBuilder builder;
} Grid;

// ---- the grid -------------------------------------------------------------------------------------------------------

static rslVec3 PointAt(const Grid* grid, int64_t index)
{
    int64_t k = index % grid->n[2], j = index / grid->n[2] % grid->n[1], i = index / grid->stride[0];
    return (rslVec3){ grid->origin.x + grid->h * (double)i, grid->origin.y + grid->h * (double)j,
                      grid->origin.z + grid->h * (double)k };
}

static bool Joined(const int a[3], const int b[3])
{
    bool above = true, below = true, same = true;
    for (int i = 0; i < 3; ++i)
    {
        int d = b[i] - a[i];
        above = above && (d == 0 || d == 1);
        below = below && (d == 0 || d == -1);
        same = same && d == 0;
    }
    return (above || below) && !same;
}

// Neighbour 2m is the one above in direction m + 1, whose bits are the axes; 2m + 1 is opposite.
static void SetNeighbours(Grid* grid)
{
    for (int q = 0; q < NEIGHBOURS; ++q)
    {
        int direction = q / 2 + 1, sign = q % 2 ? -1 : 1;
        grid->step[q] = 0;
        for (int i = 0; i < 3; ++i)
        {
            grid->offset[q][i] = sign * (direction >> i & 1);
            grid->step[q] += grid->offset[q][i] * grid->stride[i];
        }
    }
    for (int q = 0; q < NEIGHBOURS; ++q)
    {
        for (int r = 0; r < NEIGHBOURS; ++r)
        {
            grid->adjacent[q] |= Joined(grid->offset[q], grid->offset[r]) ? 1u << r : 0u;
        }
    }
}

static rslStatus MakeGrid(Grid* grid, rslReport* report)
{
    rslPlace nowhere = { 0, 0 };
    rslBounds b = grid->shape->bounds;
    double size[3] = { b.upper.x - b.lower.x, b.upper.y - b.lower.y, b.upper.z - b.lower.z };
    if (!(size[0] >= 0.0 && size[1] >= 0.0 && size[2] >= 0.0))
    {
        rslReport_Add(report, rsl_error, nowhere, "the shape is empty: its parts do not overlap");
        return rsl_badInput;
    }
    // an odd margin keeps grid planes off the faces of shapes with round numbers
    double margin = 1.3819660112501051 * grid->h, points = 1.0;
    for (int i = 0; i < 3; ++i)
    {
        double n = ceil((size[i] + 2.0 * margin) / grid->h) + 1.0;
        points *= n;
        grid->n[i] = points <= GRID_MOST ? (int64_t)n : 0;
    }
    if (!(points <= GRID_MOST))
    {
        rslReport_Add(
            report, rsl_error, nowhere,
            "a surface with edges of %g m needs a grid of %.3g points, more than %.0e: take a larger resolution",
            grid->h, points, (double)GRID_MOST);
        return rsl_badInput;
    }
    grid->origin = rslSub(b.lower, (rslVec3){ margin, margin, margin });
    grid->stride[2] = 1;
    grid->stride[1] = grid->n[2];
    grid->stride[0] = grid->n[1] * grid->n[2];
    SetNeighbours(grid);
    grid->label = rslAllocate(&grid->map.hooks, (size_t)(grid->n[0] * grid->stride[0]), 1);
    return grid->label != NULL ? rsl_ok : rsl_outOfMemory;
}

// Label the points of a block; one evaluation does where the surface is farther than the block reaches.
static void LabelBlock(Grid* grid, const int64_t first[3], int64_t size)
{
    int64_t end[3];
    for (int i = 0; i < 3; ++i)
    {
        end[i] = first[i] + size < grid->n[i] - 1 ? first[i] + size : grid->n[i] - 1;
        if (first[i] >= end[i])
        {
            return;
        }
    }
    double middle = 0.5 * (double)(size - 1);
    rslVec3 centre = { grid->origin.x + grid->h * ((double)first[0] + middle),
                       grid->origin.y + grid->h * ((double)first[1] + middle),
                       grid->origin.z + grid->h * ((double)first[2] + middle) };
    double d = rslShape_Distance(grid->shape, centre);
    if (size > 1 && fabs(d) <= 1.75 * middle * grid->h)
    {
        int64_t half = size / 2;
        for (int c = 0; c < 8; ++c)
        {
            const int64_t at[3] = { first[0] + (c & 1) * half, first[1] + (c >> 1 & 1) * half,
                                    first[2] + (c >> 2) * half };
            LabelBlock(grid, at, half);
        }
        return;
    }
    for (int64_t i = first[0]; d <= 0.0 && i < end[0]; ++i)
    {
        for (int64_t j = first[1]; j < end[1]; ++j)
        {
            for (int64_t k = first[2]; k < end[2]; ++k)
            {
                grid->label[i * grid->stride[0] + j * grid->stride[1] + k] = IN;
            }
        }
    }
}

// The outermost points stay out.
static void Label(Grid* grid)
{
    enum
    {
        BLOCK = 16
    };
    for (int64_t i = 1; i < grid->n[0] - 1; i += BLOCK)
    {
        for (int64_t j = 1; j < grid->n[1] - 1; j += BLOCK)
        {
            for (int64_t k = 1; k < grid->n[2] - 1; k += BLOCK)
            {
                LabelBlock(grid, (const int64_t[3]){ i, j, k }, BLOCK);
            }
        }
    }
}

// ---- crossings ------------------------------------------------------------------------------------------------------

// The root between an inner point (value <= 0) and an outer one: regula falsi in the Illinois form, with a bisection
// whenever it does not halve the interval in three tries.
static double FindRoot(const rslShape* shape, rslVec3 inner, rslVec3 outer)
{
    double a = 0.0, b = 1.0;
    rslVec3 d = rslSub(outer, inner);
    double fa = rslShape_Distance(shape, inner), fb = rslShape_Distance(shape, outer);
    double width = 1.0;
    for (int iteration = 0; iteration < 60 && b - a > 1e-9 && fa < 0.0; ++iteration)
    {
        double t = (a * fb - b * fa) / (fb - fa);
        if (iteration % 3 == 2)
        {
            t = b - a > 0.5 * width ? 0.5 * (a + b) : t;
            width = b - a;
        }
        t = t > a && t < b ? t : 0.5 * (a + b);
        double f = rslShape_Distance(shape, rslMulAdd(inner, t, d));
        if (f <= 0.0)
        {
            a = t;
            fa = f;
            fb *= 0.5;
        }
        else
        {
            b = t;
            fb = f;
            fa *= 0.5;
        }
    }
    return a;
}

static Crossing* CrossingAt(Grid* grid, uint64_t key, bool* isNew)
{
    int* slot = rslIndexMap_Put(&grid->map, key, -1);
    if (slot == NULL)
    {
        return NULL;
    }
    *isNew = *slot < 0;
    if (*slot < 0)
    {
        void* items = grid->crossings;
        if (grid->crossingCount >= INT32_MAX ||
            !rslGrow(&grid->map.hooks, &items, grid->crossingCount, &grid->crossingCapacity, sizeof(Crossing)))
        {
            return NULL;
        }
        grid->crossings = items;
        *slot = (int)grid->crossingCount;
        grid->crossings[grid->crossingCount++].vertex = -1;
    }
    return &grid->crossings[*slot];
}

// The crossing of the edge between an in and an out point, neither of which has moved. NULL when out of memory.
static Crossing* EdgeCrossing(Grid* grid, int64_t in, int64_t out, int neighbour)
{
    // the key belongs to the lower end; an even neighbour is above
    int64_t lower = neighbour % 2 == 0 ? in : out;
    bool isNew;
    Crossing* crossing = CrossingAt(grid, (uint64_t)lower * 8 + (uint64_t)(neighbour / 2 + 1), &isNew);
    if (crossing != NULL && isNew)
    {
        rslVec3 a = PointAt(grid, in), b = PointAt(grid, out);
        double t = FindRoot(grid->shape, a, b);
        // never quite at an end: points that cannot be moved would get triangles without area
        t = t < 1e-6 ? 1e-6 : t > 1.0 - 1e-6 ? 1.0 - 1e-6 : t;
        crossing->x = rslMulAdd(a, t, rslSub(b, a));
    }
    return crossing;
}

// ---- moving points onto the surface ---------------------------------------------------------------------------------

static unsigned InsideMask(const Grid* grid, int64_t point)
{
    unsigned mask = 0;
    for (int q = 0; q < NEIGHBOURS; ++q)
    {
        mask |= grid->label[point + grid->step[q]] != OUT ? 1u << q : 0u;
    }
    return mask;
}

static bool Connected(const Grid* grid, unsigned set)
{
    unsigned reached = set & (0u - set);
    for (unsigned before = 0; before != reached;)
    {
        before = reached;
        for (int q = 0; q < NEIGHBOURS; ++q)
        {
            reached |= before >> q & 1u ? grid->adjacent[q] & set : 0u;
        }
    }
    return reached == set;
}

// The conditions at the top of the file, for one on point.
static bool KeepsManifold(const Grid* grid, int64_t point)
{
    const unsigned all = (1u << NEIGHBOURS) - 1u;
    unsigned in = InsideMask(grid, point), out = all & ~in;
    if (in == 0 || out == 0 || !Connected(grid, in) || !Connected(grid, out))
    {
        return false;
    }
    unsigned on = 0;
    for (int q = 0; q < NEIGHBOURS; ++q)
    {
        on |= grid->label[point + grid->step[q]] == ON ? 1u << q : 0u;
    }
    for (int q = 0; q < NEIGHBOURS; ++q)
    {
        unsigned ring = grid->adjacent[q];
        if ((on >> q & 1u) == 0)
        {
            continue;
        }
        if ((ring & in) == 0 || !Connected(grid, ring & in) || !Connected(grid, ring & out))
        {
            return false;
        }
        for (int r = 0; r < NEIGHBOURS; ++r)
        {
            if ((on & ring) >> r & 1u && (ring & grid->adjacent[r] & in) == 0)
            {
                return false;
            }
        }
    }
    return true;
}

static bool AllKeepManifold(const Grid* grid, int64_t point)
{
    if (!KeepsManifold(grid, point))
    {
        return false;
    }
    for (int q = 0; q < NEIGHBOURS; ++q)
    {
        int64_t other = point + grid->step[q];
        if (grid->label[other] == ON && !KeepsManifold(grid, other))
        {
            return false;
        }
    }
    return true;
}

// The nearest crossing of the point's edges, if nearer than h / 4. False when out of memory.
static bool NearestCrossing(Grid* grid, int64_t point, rslVec3* nearest, bool* found)
{
    rslVec3 x = PointAt(grid, point);
    double best = 0.0625 * grid->h * grid->h;
    bool in = grid->label[point] == IN;
    *found = false;
    for (int q = 0; q < NEIGHBOURS; ++q)
    {
        int64_t other = point + grid->step[q];
        if (grid->label[other] != (in ? OUT : IN))
        {
            continue;
        }
        Crossing* crossing = in ? EdgeCrossing(grid, point, other, q) : EdgeCrossing(grid, other, point, q ^ 1);
        if (crossing == NULL)
        {
            return false;
        }
        rslVec3 d = rslSub(crossing->x, x);
        if (rslDot(d, d) < best)
        {
            best = rslDot(d, d);
            *nearest = crossing->x;
            *found = true;
        }
    }
    return true;
}

static bool SnapPoint(Grid* grid, int64_t point)
{
    rslVec3 place;
    bool found;
    if (!NearestCrossing(grid, point, &place, &found))
    {
        return false;
    }
    if (!found)
    {
        return true;
    }
    unsigned char before = grid->label[point];
    grid->label[point] = ON;
    if (!AllKeepManifold(grid, point))
    {
        grid->label[point] = before;
        return true;
    }
    bool isNew;
    Crossing* crossing = CrossingAt(grid, (uint64_t)point * 8, &isNew);
    if (crossing == NULL)
    {
        return false;
    }
    crossing->x = place;
    return true;
}

static bool IsBorder(const Grid* grid, int64_t point)
{
    unsigned mask = InsideMask(grid, point);
    return grid->label[point] != OUT ? mask != (1u << NEIGHBOURS) - 1u : mask != 0;
}

static rslStatus Snap(Grid* grid)
{
    // two rows at the rim are never near the surface, and their neighbours' neighbours may not exist
    for (int64_t i = 1; i < grid->n[0] - 1; ++i)
    {
        for (int64_t j = 1; j < grid->n[1] - 1; ++j)
        {
            for (int64_t k = 1; k < grid->n[2] - 1; ++k)
            {
                int64_t point = i * grid->stride[0] + j * grid->stride[1] + k;
                bool inner = i > 1 && j > 1 && k > 1 && i < grid->n[0] - 2 && j < grid->n[1] - 2 && k < grid->n[2] - 2;
                if (inner && IsBorder(grid, point) && !SnapPoint(grid, point))
                {
                    return rsl_outOfMemory;
                }
            }
        }
    }
    return rsl_ok;
}

// ---- triangles ------------------------------------------------------------------------------------------------------

// The mesh vertex where the surface leaves the inner point a towards the outer point b; direction has the bits of the
// axes from the lower to the higher of them.
static Crossing* Leave(Grid* grid, int64_t a, int64_t b, int direction)
{
    if (grid->label[a] == ON)
    {
        bool isNew;
        return CrossingAt(grid, (uint64_t)a * 8, &isNew);
    }
    return EdgeCrossing(grid, a, b, 2 * (direction - 1) + (a > b ? 1 : 0));
}

typedef struct Corner
{
    int64_t point;
    int bits;  // of the place in the cube
} Corner;

static ptrdiff_t LeaveIndex(Grid* grid, Corner a, Corner b)
{
    Crossing* crossing = Leave(grid, a.point, b.point, a.bits ^ b.bits);
    if (crossing == NULL)
    {
        grid->builder.failed = true;
        return 0;
    }
    return crossing - grid->crossings;
}

static int VertexOf(Grid* grid, ptrdiff_t index)
{
    Crossing* crossing = &grid->crossings[index];
    if (crossing->vertex < 0)
    {
        crossing->vertex = rslMeshBuilder_Vertex(&grid->builder, crossing->x);
    }
    return crossing->vertex;
}

static void EmitTriangle(Grid* grid, ptrdiff_t a, ptrdiff_t b, ptrdiff_t c)
{
    if (a != b && b != c && c != a && !grid->builder.failed)
    {
        int x = VertexOf(grid, a), y = VertexOf(grid, b), z = VertexOf(grid, c);
        rslMeshBuilder_Triangle(&grid->builder, x, y, z);
    }
}

static double Between(const Grid* grid, ptrdiff_t a, ptrdiff_t b)
{
    rslVec3 d = rslSub(grid->crossings[a].x, grid->crossings[b].x);
    return rslDot(d, d);
}

static void Swap(Corner* a, Corner* b)
{
    Corner t = *a;
    *a = *b;
    *b = t;
}

// With a b c d right-handed, the triangle ab ac ad looks away from a, ad bd cd looks towards d, and the quadrilateral
// ac ad bd bc looks from a b towards c d: try it on the unit tetrahedron 0 x y z.
static void EmitTetrahedron(Grid* grid, Corner c[4], bool rightHanded)
{
    int inside = 0;
    for (int i = 0; i < 4; ++i)
    {
        if (grid->label[c[i].point] != OUT)
        {
            // bring the inner ones to the front; a swap changes the hand
            if (i != inside)
            {
                Swap(&c[i], &c[inside]);
                rightHanded = !rightHanded;
            }
            ++inside;
        }
    }
    if (inside == 0 || inside == 4)
    {
        return;
    }
    if (!rightHanded)
    {
        inside == 1 ? Swap(&c[2], &c[3]) : Swap(&c[0], &c[1]);
    }
    if (inside == 1)
    {
        ptrdiff_t p = LeaveIndex(grid, c[0], c[1]), q = LeaveIndex(grid, c[0], c[2]), r = LeaveIndex(grid, c[0], c[3]);
        EmitTriangle(grid, p, q, r);
    }
    else if (inside == 3)
    {
        ptrdiff_t p = LeaveIndex(grid, c[0], c[3]), q = LeaveIndex(grid, c[1], c[3]), r = LeaveIndex(grid, c[2], c[3]);
        EmitTriangle(grid, p, q, r);
    }
    else
    {
        ptrdiff_t p = LeaveIndex(grid, c[0], c[2]), q = LeaveIndex(grid, c[0], c[3]);
        ptrdiff_t r = LeaveIndex(grid, c[1], c[3]), s = LeaveIndex(grid, c[1], c[2]);
        bool other = p != q && r != s && Between(grid, q, s) < Between(grid, p, r);
        EmitTriangle(grid, p, q, other ? s : r);
        EmitTriangle(grid, other ? q : p, r, s);
    }
}

static void EmitCube(Grid* grid, int64_t point)
{
    static const int orders[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
    for (int o = 0; o < 6; ++o)
    {
        Corner corners[4] = { { point, 0 } };
        for (int i = 0; i < 3; ++i)
        {
            int axis = orders[o][i];
            corners[i + 1].point = corners[i].point + grid->stride[axis];
            corners[i + 1].bits = corners[i].bits | 1 << axis;
        }
        // even permutations of the axes climb right-handed
        EmitTetrahedron(grid, corners, o < 3);
    }
}

static bool IsMixed(const Grid* grid, int64_t point)
{
    int inside = 0;
    for (int c = 0; c < 8; ++c)
    {
        int64_t at = point + (c & 1) * grid->stride[0] + (c >> 1 & 1) * grid->stride[1] + (c >> 2) * grid->stride[2];
        inside += grid->label[at] != OUT;
    }
    return inside != 0 && inside != 8;
}

static rslStatus Emit(Grid* grid)
{
    for (int64_t i = 0; i < grid->n[0] - 1; ++i)
    {
        for (int64_t j = 0; j < grid->n[1] - 1; ++j)
        {
            for (int64_t k = 0; k < grid->n[2] - 1; ++k)
            {
                int64_t point = i * grid->stride[0] + j * grid->stride[1] + k;
                if (IsMixed(grid, point))
                {
                    EmitCube(grid, point);
                }
            }
            if (grid->builder.failed)
            {
                return rsl_outOfMemory;
            }
        }
    }
    return rsl_ok;
}

rslStatus rslSurface_Extract(const rslShape* shape, double edge, rslMesh* mesh, rslReport* report)
{
    Grid grid = { .shape = shape, .h = edge, .map = rslIndexMap_Make(&mesh->hooks), .builder = { .mesh = mesh } };
    rslStatus status = MakeGrid(&grid, report);
    if (status == rsl_ok)
    {
        Label(&grid);
        status = Snap(&grid);
    }
    if (status == rsl_ok)
    {
        status = Emit(&grid);
    }
    if (status == rsl_ok && mesh->triangleCount == 0)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 },
                      "the shape is empty, or thinner than the edge length %g of its surface: take a finer resolution",
                      edge);
        status = rsl_badInput;
    }
    rslRelease(&mesh->hooks, grid.label);
    rslRelease(&mesh->hooks, grid.crossings);
    rslIndexMap_Free(&grid.map);
    return status;
}
