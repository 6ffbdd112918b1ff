// SPDX-License-Identifier: MIT
//
// surface_primitive.c: the surfaces of box, sphere, ellipsoid, cylinder, capsule and torus, with every vertex on them.
//
// Sphere, ellipsoid, cylinder and capsule are one pattern of rings about the z axis: a pole, rings of 6, 12, ... 6n
// vertices, rows of 6n, and the same back to the other pole. Going from a ring of 6k to one of 6(k + 1), each of the six
// sectors is a strip of k + 1 triangles that stand on the outer ring and k that hang from the inner one.

#include "elementary.h"
#include "index_map.h"
#include "memory.h"
#include "mesh_builder.h"
#include "shape_internal.h"

// pieces of about the given edge along a length; a count that a double holds and the limit below refuses
static double Pieces(double length, double edge, double least)
{
    double n = ceil(length / edge);
    return n < least ? least : n;
}

static rslStatus RefuseTooFine(double triangles, double edge, rslReport* report)
{
    rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 },
                  "a surface with edges of %g m would have %.3g triangles, more than %d: take a larger resolution",
                  edge, triangles, RSL_TRIANGLES_MOST);
    return rsl_badInput;
}

static rslStatus Finish(const rslMeshBuilder* builder)
{
    return builder->failed ? rsl_outOfMemory : rsl_ok;
}

// ---- rings ----------------------------------------------------------------------------------------------------------

typedef struct Rings
{
    const rslShape* shape;
    int n, rows;  // rings of a cap, rows of the straight part
} Rings;

// vertices of ring j, counted from the upper pole
static int RingCount(const Rings* rings, int j)
{
    int last = 2 * rings->n + rings->rows;
    int k = j < last - j ? j : last - j;
    k = k < rings->n ? k : rings->n;
    return k == 0 ? 1 : 6 * k;
}

// radius and height of ring j; the lower cap mirrors the upper one
static void RingPlace(const Rings* rings, int j, double* radius, double* z)
{
    const rslShape* shape = rings->shape;
    int last = 2 * rings->n + rings->rows, n = rings->n;
    bool lower = j > n + rings->rows;
    int k = lower ? last - j : j;
    double half = shape->type == rsl_cylinderShape || shape->type == rsl_capsuleShape ? shape->reach : 0.0;
    double r = shape->type == rsl_ellipsoidShape ? 1.0 : shape->radius;
    *radius = r;
    *z = half;
    if (k <= n && shape->type == rsl_cylinderShape)
    {
        *radius = r * ((double)k / n);
    }
    else if (k <= n)
    {
        *radius = r * rslSinDegrees(90.0 * k / n);
        *z = half + r * rslCosDegrees(90.0 * k / n);
    }
    if (k > n)
    {
        *z = half * (1.0 - 2.0 * (double)(k - n) / rings->rows);
    }
    *z = lower ? -*z : *z;
}

static void AddRing(rslMeshBuilder* builder, const Rings* rings, int j)
{
    double radius, z;
    RingPlace(rings, j, &radius, &z);
    int count = RingCount(rings, j);
    rslVec3 stretch = { 1.0, 1.0, 1.0 };
    if (rings->shape->type == rsl_ellipsoidShape)
    {
        stretch = rings->shape->radii;
    }
    for (int i = 0; i < count; ++i)
    {
        double c = rslCosDegrees(360.0 * i / count), s = rslSinDegrees(360.0 * i / count);
        rslMeshBuilder_Vertex(builder, (rslVec3){ stretch.x * radius * c, stretch.y * radius * s, stretch.z * z });
    }
}

static void AddTurned(rslMeshBuilder* builder, int a, int b, int c, bool turned)
{
    rslMeshBuilder_Triangle(builder, a, turned ? c : b, turned ? b : c);
}

// Between an inner ring of 6k (one vertex when k is 0) and an outer one of 6(k + 1).
static void StitchCap(rslMeshBuilder* builder, int inner, int outer, int k, bool turned)
{
    int innerCount = k == 0 ? 1 : 6 * k, outerCount = 6 * (k + 1);
    for (int sector = 0; sector < 6; ++sector)
    {
        for (int i = 0; i <= k; ++i)
        {
            int in = inner + (sector * k + i) % innerCount, inNext = inner + (sector * k + i + 1) % innerCount;
            int out = outer + (sector * (k + 1) + i) % outerCount;
            int outNext = outer + (sector * (k + 1) + i + 1) % outerCount;
            AddTurned(builder, in, out, outNext, turned);
            if (i < k)
            {
                AddTurned(builder, in, outNext, inNext, turned);
            }
        }
    }
}

static void StitchRow(rslMeshBuilder* builder, int upper, int lower, int count)
{
    for (int i = 0; i < count; ++i)
    {
        int next = (i + 1) % count;
        rslMeshBuilder_Triangle(builder, upper + i, lower + i, lower + next);
        rslMeshBuilder_Triangle(builder, upper + i, lower + next, upper + next);
    }
}

static rslStatus RingSurface(const rslShape* shape, double edge, rslMesh* mesh, rslReport* report)
{
    bool straight = shape->type == rsl_cylinderShape || shape->type == rsl_capsuleShape;
    double r = shape->radius;
    if (shape->type == rsl_ellipsoidShape)
    {
        r = fmax(shape->radii.x, fmax(shape->radii.y, shape->radii.z));
    }
    // a quarter circle is 1.57 r long and a sixth of the equator 1.05 r: between the two
    double n = Pieces(shape->type == rsl_cylinderShape ? r : 1.3 * r, edge, 2.0);
    double rows = straight ? Pieces(2.0 * shape->reach, edge, 1.0) : 0.0;
    double triangles = 12.0 * n * n + 12.0 * n * rows;
    if (!(triangles <= RSL_TRIANGLES_MOST))
    {
        return RefuseTooFine(triangles, edge * shape->scale, report);
    }
    Rings rings = { shape, (int)n, (int)rows };
    rslMeshBuilder builder = { .mesh = mesh };
    int last = 2 * rings.n + rings.rows, previous = 0;
    for (int j = 0; j <= last && !builder.failed; ++j)
    {
        int first = mesh->vertexCount;
        AddRing(&builder, &rings, j);
        int count = RingCount(&rings, j), before = j > 0 ? RingCount(&rings, j - 1) : 0;
        if (j > 0 && count == before)
        {
            StitchRow(&builder, previous, first, count);
        }
        else if (j > 0)
        {
            bool growing = count > before;
            int k = (growing ? count : before) / 6 - 1;
            StitchCap(&builder, growing ? previous : first, growing ? first : previous, k, !growing);
        }
        previous = first;
    }
    return Finish(&builder);
}

// ---- torus ----------------------------------------------------------------------------------------------------------

static rslStatus TorusSurface(const rslShape* shape, double edge, rslMesh* mesh, rslReport* report)
{
    const double circle = 6.283185307179586;
    double around = Pieces(circle * (shape->radius + shape->tube), edge, 6.0);
    double across = Pieces(circle * shape->tube, edge, 6.0);
    if (!(2.0 * around * across <= RSL_TRIANGLES_MOST))
    {
        return RefuseTooFine(2.0 * around * across, edge * shape->scale, report);
    }
    int nu = (int)around, nv = (int)across;
    rslMeshBuilder builder = { .mesh = mesh };
    for (int u = 0; u < nu; ++u)
    {
        double cu = rslCosDegrees(360.0 * u / nu), su = rslSinDegrees(360.0 * u / nu);
        for (int v = 0; v < nv; ++v)
        {
            double r = shape->radius + shape->tube * rslCosDegrees(360.0 * v / nv);
            rslMeshBuilder_Vertex(&builder, (rslVec3){ r * cu, r * su, shape->tube * rslSinDegrees(360.0 * v / nv) });
        }
    }
    for (int u = 0; u < nu; ++u)
    {
        for (int v = 0; v < nv; ++v)
        {
            int un = (u + 1) % nu, vn = (v + 1) % nv;
            int a = u * nv + v, b = un * nv + v, c = un * nv + vn, d = u * nv + vn;
            rslMeshBuilder_Triangle(&builder, a, b, c);
            rslMeshBuilder_Triangle(&builder, a, c, d);
        }
    }
    return Finish(&builder);
}

// ---- box ------------------------------------------------------------------------------------------------------------

typedef struct BoxGrid
{
    rslMeshBuilder builder;
    rslIndexMap map;
    int n[3];
    double half[3];
} BoxGrid;

static int BoxVertex(BoxGrid* grid, const int at[3])
{
    uint64_t key =
        ((uint64_t)at[0] * (uint64_t)(grid->n[1] + 1) + (uint64_t)at[1]) * (uint64_t)(grid->n[2] + 1) + (uint64_t)at[2];
    int* index = rslIndexMap_Put(&grid->map, key, -1);
    if (index == NULL)
    {
        grid->builder.failed = true;
        return 0;
    }
    if (*index < 0)
    {
        double x[3];
        for (int i = 0; i < 3; ++i)
        {
            x[i] = grid->half[i] * ((double)(2 * at[i] - grid->n[i]) / grid->n[i]);
        }
        *index = rslMeshBuilder_Vertex(&grid->builder, (rslVec3){ x[0], x[1], x[2] });
    }
    return *index;
}

// The two faces across an axis; the diagonals of neighbouring quads alternate.
static void BoxFaces(BoxGrid* grid, int axis)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int side = 0; side < 2; ++side)
    {
        for (int i = 0; i < grid->n[u] && !grid->builder.failed; ++i)
        {
            for (int j = 0; j < grid->n[v]; ++j)
            {
                int corner[4];
                for (int c = 0; c < 4; ++c)
                {
                    int at[3];
                    at[axis] = side * grid->n[axis];
                    at[u] = i + (c == 1 || c == 2);
                    at[v] = j + (c >= 2);
                    corner[c] = BoxVertex(grid, at);
                }
                int s = (i + j) & 1;
                AddTurned(&grid->builder, corner[s], corner[s + 1], corner[s + 2], side == 0);
                AddTurned(&grid->builder, corner[s], corner[s + 2], corner[(s + 3) & 3], side == 0);
            }
        }
    }
}

static rslStatus BoxSurface(const rslShape* shape, double edge, rslMesh* mesh, rslReport* report)
{
    double half[3] = { shape->half.x, shape->half.y, shape->half.z }, n[3];
    for (int i = 0; i < 3; ++i)
    {
        n[i] = Pieces(2.0 * half[i], edge * (1.0 + 1e-9), 1.0);
    }
    double triangles = 4.0 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
    if (!(triangles <= RSL_TRIANGLES_MOST))
    {
        return RefuseTooFine(triangles, edge * shape->scale, report);
    }
    BoxGrid grid = { .builder = { .mesh = mesh }, .map = rslIndexMap_Make(&mesh->hooks) };
    for (int i = 0; i < 3; ++i)
    {
        grid.n[i] = (int)n[i];
        grid.half[i] = half[i];
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        BoxFaces(&grid, axis);
    }
    rslIndexMap_Free(&grid.map);
    return Finish(&grid.builder);
}

rslStatus rslSurface_Primitive(const rslShape* shape, double edge, rslMesh* mesh, rslReport* report)
{
    switch (shape->type)
    {
        case rsl_boxShape: return BoxSurface(shape, edge, mesh, report);
        case rsl_torusShape: return TorusSurface(shape, edge, mesh, report);
        default: return RingSurface(shape, edge, mesh, report);
    }
}
