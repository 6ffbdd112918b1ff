// SPDX-License-Identifier: MIT
//
// tet_points.c: nodes for tetrahedra in a shape.
//
// On the surface a point is taken when no other is near: corners first, then points along sharp edges, then all of it, from
// triangles cut to a fraction of the spacing. Sharp means a turn of more than 40 degrees. Two points of an edge are
// nearer to each other than the next point off the edge is to both, so that the edge is one of the tetrahedra too. Inside,
// a jittered grid, as far as it keeps away from the points of the surface.

#include "tet_points.h"

#include "memory.h"
#include "mesh_topology.h"
#include "random.h"
#include "shape_internal.h"

#define COS_SHARP 0.76604444311897804 /* 40 degrees */
#define FINE 0.35                     /* edges of the surface that points are taken from, of the spacing */
#define CORNER_APART 0.3              /* the least distances, of the spacing */
#define EDGE_APART 0.5
#define FACE_APART 0.75
#define LEAST_DEPTH 0.3
#define CELLS_MOST 268435456.0

// ---- a box ------------------------------------------------------------------------------------------------------------

static double Cells(double length, double spacing)
{
    double cells = floor(length / spacing + 0.5);
    return cells < 1.0 ? 1.0 : cells;
}

static rslStatus RefuseTooFine(double nodes, const rslMesherDef* def, rslReport* report)
{
    rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 },
                  "tetrahedra with a spacing of %.4g m would have about %.3g nodes: take a larger spacing",
                  def->spacing, nodes);
    return rsl_badInput;
}

rslStatus rslTetPoints_Box(const rslShape* shape, const rslMesherDef* def, rslTetPoints* points, rslReport* report)
{
    const double half[3] = { shape->half.x, shape->half.y, shape->half.z };
    double n[3], nodes = 1.0;
    for (int a = 0; a < 3; ++a)
    {
        n[a] = Cells(2.0 * half[a] * shape->scale, def->spacing);
        nodes *= n[a] + 1.0;
    }
    if (nodes > CELLS_MOST)
    {
        return RefuseTooFine(nodes, def, report);
    }
    points->count = points->surfaceCount = (int)nodes;
    points->xyz = rslAllocate(&points->hooks, (size_t)nodes, 3 * sizeof(double));
    if (points->xyz == NULL)
    {
        return rsl_outOfMemory;
    }
    rslRandom random = { def->seed };
    for (int i = 0; i < points->count; ++i)
    {
        const int nx = (int)n[0] + 1, ny = (int)n[1] + 1, at[3] = { i % nx, i / nx % ny, i / nx / ny };
        for (int a = 0; a < 3; ++a)
        {
            double off = def->jitter * (2.0 * rslRandom_Unit(&random) - 1.0);
            bool border = at[a] == 0 || at[a] == (int)n[a];
            points->xyz[3 * (size_t)i + (size_t)a] =
                border ? (at[a] == 0 ? -half[a] : half[a]) : half[a] * (2.0 * (at[a] + off) / n[a] - 1.0);
        }
    }
    return rsl_ok;
}

// ---- points that keep apart -----------------------------------------------------------------------------------------

static rslStatus MakeGrid(const rslShape* shape, const rslMesherDef* def, rslTetPoints* points, rslReport* report)
{
    rslBounds b = rslShape_Bounds(shape);
    double side = FACE_APART * def->spacing, all = 1.0;
    const double extent[3] = { b.upper.x - b.lower.x, b.upper.y - b.lower.y, b.upper.z - b.lower.z };
    for (int a = 0; a < 3; ++a)
    {
        all *= floor(extent[a] / side) + 4.0;
    }
    if (!(all <= CELLS_MOST))
    {
        return RefuseTooFine(extent[0] * extent[1] * extent[2] / (def->spacing * def->spacing * def->spacing), def,
                             report);
    }
    for (int a = 0; a < 3; ++a)
    {
        points->cells[a] = (int)floor(extent[a] / side) + 4;
    }
    points->side = side;
    points->corner = rslSub(b.lower, (rslVec3){ 1.5 * side, 1.5 * side, 1.5 * side });
    points->first = rslAllocate(&points->hooks, (size_t)all, sizeof(int));
    return points->first != NULL ? rsl_ok : rsl_outOfMemory;
}

// Kept off the outermost cells, so that all have neighbours.
static void CellOf(const rslTetPoints* points, rslVec3 x, int cell[3])
{
    const double at[3] = { x.x - points->corner.x, x.y - points->corner.y, x.z - points->corner.z };
    for (int a = 0; a < 3; ++a)
    {
        int c = (int)(at[a] / points->side);
        cell[a] = c < 1 ? 1 : c > points->cells[a] - 2 ? points->cells[a] - 2 : c;
    }
}

static int* FirstOf(const rslTetPoints* points, const int cell[3], int dx, int dy, int dz)
{
    size_t z = (size_t)(cell[2] + dz), y = (size_t)(cell[1] + dy), x = (size_t)(cell[0] + dx);
    return &points->first[(z * (size_t)points->cells[1] + y) * (size_t)points->cells[0] + x];
}

// Is one of the points below count closer than this? Only distances up to the side of a cell can be asked for.
static bool IsNear(const rslTetPoints* points, rslVec3 x, double apart, int count)
{
    int cell[3];
    CellOf(points, x, cell);
    for (int i = 0; i < 27; ++i)
    {
        for (int p = *FirstOf(points, cell, i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1); p > 0; p = points->next[p - 1])
        {
            const double* y = points->xyz + 3 * (size_t)(p - 1);
            rslVec3 d = { y[0] - x.x, y[1] - x.y, y[2] - x.z };
            if (p <= count && rslDot(d, d) < apart * apart)
            {
                return true;
            }
        }
    }
    return false;
}

static bool AddPoint(rslTetPoints* points, rslVec3 x, double depth)
{
    void *xyz = points->xyz, *next = points->next, *depths = points->depth;
    size_t count = (size_t)points->count;
    bool made = rslGrow(&points->hooks, &xyz, count, &points->room, 3 * sizeof(double)) &&
                rslGrow(&points->hooks, &next, count, &points->nextRoom, sizeof(int)) &&
                rslGrow(&points->hooks, &depths, count, &points->depthRoom, sizeof(double));
    points->xyz = xyz;
    points->next = next;
    points->depth = depths;
    if (made)
    {
        int cell[3];
        CellOf(points, x, cell);
        int* first = FirstOf(points, cell, 0, 0, 0);
        points->xyz[3 * count] = x.x;
        points->xyz[3 * count + 1] = x.y;
        points->xyz[3 * count + 2] = x.z;
        points->depth[count] = depth;
        points->next[count] = *first;
        *first = ++points->count;
    }
    return made;
}

// False when out of memory.
static bool OfferPoint(rslTetPoints* points, rslVec3 x, double apart)
{
    return IsNear(points, x, apart, points->count) || AddPoint(points, x, 0.0);
}

// ---- the surface ------------------------------------------------------------------------------------------------------

typedef struct Surface
{
    rslMesh mesh;
    rslSides sides;
    int* sharp;     // of every vertex: how many sharp edges
    rslVec3* bend;  // of every vertex: the sum of their directions, as unit vectors
    double spacing;
} Surface;

static rslVec3 Vertex(const Surface* surface, int vertex)
{
    const double* x = surface->mesh.vertices + 3 * (size_t)vertex;
    return (rslVec3){ x[0], x[1], x[2] };
}

static rslVec3 NormalOf(const Surface* surface, int side)
{
    const int* t = surface->mesh.triangles + 3 * (size_t)(side / 3);
    rslVec3 o = Vertex(surface, t[0]);
    rslVec3 n = rslCross(rslSub(Vertex(surface, t[1]), o), rslSub(Vertex(surface, t[2]), o));
    double length = rslLength(n);
    return length > 0.0 ? rslScale(1.0 / length, n) : n;
}

// Ends of the sharp edge at a place of the sorted sides; false when it is none.
static bool SharpEdge(const Surface* surface, size_t at, int* from, int* to)
{
    const rslSides* sides = &surface->sides;
    if (rslSides_RunEnd(sides, at) != at + 2)
    {
        return false;
    }
    int side = sides->sides[at];
    *from = rslSide_From(surface->mesh.triangles, side);
    *to = rslSide_To(surface->mesh.triangles, side);
    return rslDot(NormalOf(surface, side), NormalOf(surface, sides->sides[at + 1])) < COS_SHARP;
}

static void MarkSharp(Surface* surface)
{
    for (size_t at = 0; at < surface->sides.count; at = rslSides_RunEnd(&surface->sides, at))
    {
        int from, to;
        if (SharpEdge(surface, at, &from, &to))
        {
            rslVec3 d = rslSub(Vertex(surface, to), Vertex(surface, from));
            double length = rslLength(d);
            d = length > 0.0 ? rslScale(1.0 / length, d) : d;
            surface->sharp[from] += 1;
            surface->sharp[to] += 1;
            surface->bend[from] = rslAdd(surface->bend[from], d);
            surface->bend[to] = rslSub(surface->bend[to], d);
        }
    }
}

// Where sharp edges end, meet or turn: two of them point against each other unless they turn.
static bool OfferCorners(const Surface* surface, rslTetPoints* points)
{
    bool room = true;
    for (int v = 0; room && v < surface->mesh.vertexCount; ++v)
    {
        double bend2 = rslDot(surface->bend[v], surface->bend[v]);
        if (surface->sharp[v] != 0 && (surface->sharp[v] != 2 || bend2 > 2.0 - 2.0 * COS_SHARP))
        {
            room = OfferPoint(points, Vertex(surface, v), CORNER_APART * surface->spacing);
        }
    }
    return room;
}

static bool OfferEdges(const Surface* surface, rslTetPoints* points)
{
    bool room = true;
    for (size_t at = 0; room && at < surface->sides.count; at = rslSides_RunEnd(&surface->sides, at))
    {
        int from, to;
        if (SharpEdge(surface, at, &from, &to))
        {
            rslVec3 a = Vertex(surface, from), d = rslSub(Vertex(surface, to), a);
            int pieces = (int)ceil(rslLength(d) / (1.05 * surface->spacing));
            for (int i = 0; room && i <= pieces; ++i)
            {
                room = OfferPoint(points, rslMulAdd(a, (double)i / pieces, d), EDGE_APART * surface->spacing);
            }
        }
    }
    return room;
}

// Cut a triangle across its longest edge until it is small, and offer its corners.
static bool OfferTriangle(rslTetPoints* points, const rslVec3 corner[3], double spacing)
{
    int longest = 0;
    double most = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        rslVec3 d = rslSub(corner[(c + 1) % 3], corner[c]);
        longest = rslDot(d, d) > most ? c : longest;
        most = rslDot(d, d) > most ? rslDot(d, d) : most;
    }
    if (most <= 4.0 * FINE * FINE * spacing * spacing)
    {
        return OfferPoint(points, corner[0], FACE_APART * spacing) &&
               OfferPoint(points, corner[1], FACE_APART * spacing) &&
               OfferPoint(points, corner[2], FACE_APART * spacing);
    }
    rslVec3 a = corner[longest], b = corner[(longest + 1) % 3], c = corner[(longest + 2) % 3];
    rslVec3 middle = rslScale(0.5, rslAdd(a, b));
    return OfferTriangle(points, (const rslVec3[]){ a, middle, c }, spacing) &&
           OfferTriangle(points, (const rslVec3[]){ middle, b, c }, spacing);
}

static bool OfferTriangles(const Surface* surface, rslTetPoints* points)
{
    bool room = true;
    for (int t = 0; room && t < surface->mesh.triangleCount; ++t)
    {
        const int* v = surface->mesh.triangles + 3 * (size_t)t;
        const rslVec3 corner[3] = { Vertex(surface, v[0]), Vertex(surface, v[1]), Vertex(surface, v[2]) };
        room = OfferTriangle(points, corner, surface->spacing);
    }
    return room;
}

static rslStatus PlaceOnSurface(const rslShape* shape, const rslMesherDef* def, rslTetPoints* points, rslReport* report)
{
    Surface surface = { .spacing = def->spacing };
    const rslHooks* hooks = &points->hooks;
    rslStatus status = rslShape_Surface(shape, FINE * def->spacing, hooks, &surface.mesh, report);
    if (status != rsl_ok)
    {
        return status;
    }
    size_t vertices = (size_t)surface.mesh.vertexCount;
    surface.sharp = rslAllocate(hooks, vertices, sizeof(int));
    surface.bend = rslAllocate(hooks, vertices, sizeof(rslVec3));
    status = rslSides_Make(surface.mesh.triangles, surface.mesh.triangleCount, hooks, &surface.sides);
    if (status == rsl_ok && surface.sharp != NULL && surface.bend != NULL)
    {
        MarkSharp(&surface);
        bool placed =
            OfferCorners(&surface, points) && OfferEdges(&surface, points) && OfferTriangles(&surface, points);
        status = placed ? rsl_ok : rsl_outOfMemory;
    }
    else
    {
        status = rsl_outOfMemory;
    }
    rslSides_Free(&surface.sides);
    rslRelease(hooks, surface.sharp);
    rslRelease(hooks, surface.bend);
    rslMesh_Free(&surface.mesh);
    points->surfaceCount = points->count;
    return status;
}

// ---- inside -----------------------------------------------------------------------------------------------------------

static rslStatus PlaceInside(const rslShape* shape, const rslMesherDef* def, rslTetPoints* points)
{
    rslBounds b = rslShape_Bounds(shape);
    rslRandom random = { def->seed };
    double a = def->spacing, extent[3] = { b.upper.x - b.lower.x, b.upper.y - b.lower.y, b.upper.z - b.lower.z };
    double n[3] = { ceil(extent[0] / a), ceil(extent[1] / a), ceil(extent[2] / a) };
    rslVec3 centre = rslScale(0.5, rslAdd(b.lower, b.upper));
    for (double k = 0.0; k <= n[2]; k += 1.0)
    {
        for (double j = 0.0; j <= n[1]; j += 1.0)
        {
            for (double i = 0.0; i <= n[0]; i += 1.0)
            {
                double u = rslRandom_Unit(&random), v = rslRandom_Unit(&random), w = rslRandom_Unit(&random);
                rslVec3 x = { centre.x + a * (i - 0.5 * n[0] + def->jitter * (2.0 * u - 1.0)),
                              centre.y + a * (j - 0.5 * n[1] + def->jitter * (2.0 * v - 1.0)),
                              centre.z + a * (k - 0.5 * n[2] + def->jitter * (2.0 * w - 1.0)) };
                double depth = -rslShape_Distance(shape, x);
                if (depth >= LEAST_DEPTH * a && !IsNear(points, x, FACE_APART * a, points->surfaceCount) &&
                    !AddPoint(points, x, depth))
                {
                    return rsl_outOfMemory;
                }
            }
        }
    }
    return rsl_ok;
}

rslStatus rslTetPoints_Fill(const rslShape* shape, const rslMesherDef* def, rslTetPoints* points, rslReport* report)
{
    rslStatus status = MakeGrid(shape, def, points, report);
    status = status == rsl_ok ? PlaceOnSurface(shape, def, points, report) : status;
    return status == rsl_ok ? PlaceInside(shape, def, points) : status;
}

void rslTetPoints_Free(rslTetPoints* points)
{
    rslRelease(&points->hooks, points->xyz);
    rslRelease(&points->hooks, points->depth);
    rslRelease(&points->hooks, points->first);
    rslRelease(&points->hooks, points->next);
    points->xyz = points->depth = NULL;
    points->first = points->next = NULL;
}
