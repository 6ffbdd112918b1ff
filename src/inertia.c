// SPDX-License-Identifier: MIT
//
// inertia.c: see inertia.h.
//
// A simplex with corners p_0 .. p_d has the mean of x x^T
//   (sum p_i p_i^T + (sum p_i)(sum p_i)^T) / ((d + 1)(d + 2))
// A solid moved by x = t + s R q has, with the moments V, f, S of q,
//   s^3 V,   s^3 (V t + s R f),   s^3 (V t t^T + s (t (R f)^T + (R f) t^T) + s^2 R S R^T)

#include "inertia.h"

#include "antialias.h"
#include "memory.h"
#include "shape_internal.h"

enum
{
    GRID_CELLS = 48  // along the longest side of what has no closed form
};

static const double pi = 3.14159265358979323846;

// a b^T + b a^T
static rslSymmetric Twice(rslVec3 a, rslVec3 b)
{
    return (rslSymmetric){ 2.0 * a.x * b.x,       2.0 * a.y * b.y,       2.0 * a.z * b.z,
                           a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x };
}

// A part of the given mass with these means of x and x x^T.
static void AddMean(rslInertia* inertia, double mass, rslVec3 x, rslSymmetric square)
{
    inertia->mass += mass;
    inertia->first = rslMulAdd(inertia->first, mass, x);
    inertia->second = rslSymmetric_MulAdd(inertia->second, mass, square);
}

void rslInertia_AddPoint(rslInertia* inertia, double mass, rslVec3 x)
{
    AddMean(inertia, mass, x, rslSymmetric_Square(x));
}

static void AddSimplex(rslInertia* inertia, double mass, const rslVec3* corner, int count)
{
    rslVec3 sum = { 0.0, 0.0, 0.0 };
    rslSymmetric squares = { 0 };
    for (int c = 0; c < count; ++c)
    {
        sum = rslAdd(sum, corner[c]);
        squares = rslSymmetric_MulAdd(squares, 1.0, rslSymmetric_Square(corner[c]));
    }
    squares = rslSymmetric_MulAdd(squares, 1.0, rslSymmetric_Square(sum));
    AddMean(inertia, mass, rslScale(1.0 / count, sum), rslSymmetric_Scale(1.0 / (count * (count + 1)), squares));
}

void rslInertia_AddTriangle(rslInertia* inertia, double density, const rslVec3 p[3])
{
    double area = 0.5 * rslLength(rslCross(rslSub(p[1], p[0]), rslSub(p[2], p[0])));
    AddSimplex(inertia, density * area, p, 3);
}

void rslInertia_AddTetrahedron(rslInertia* inertia, double density, const rslVec3 p[4])
{
    double volume = rslDot(rslSub(p[1], p[0]), rslCross(rslSub(p[2], p[0]), rslSub(p[3], p[0]))) / 6.0;
    AddSimplex(inertia, density * volume, p, 4);
}

// Three Gauss points along every axis are exact: x x^T det is of degree four in each.
void rslInertia_AddHexahedron(rslInertia* inertia, double density, const rslVec3 corner[8])
{
    const double reach = sqrt(0.15);  // half of sqrt(3/5)
    const double weights[3] = { 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0 };
    for (int g = 0; g < 27; ++g)
    {
        const int at[3] = { g % 3, g / 3 % 3, g / 9 };
        double s[3] = { reach * (at[0] - 1), reach * (at[1] - 1), reach * (at[2] - 1) };
        rslVec3 x = { 0.0, 0.0, 0.0 }, edge[3] = { { 0.0, 0.0, 0.0 } };
        for (int c = 0; c < 8; ++c)
        {
            double n[3], d[3];
            for (int axis = 0; axis < 3; ++axis)
            {
                d[axis] = c >> axis & 1 ? 1.0 : -1.0;
                n[axis] = 0.5 + d[axis] * s[axis];
            }
            x = rslMulAdd(x, n[0] * n[1] * n[2], corner[c]);
            edge[0] = rslMulAdd(edge[0], d[0] * n[1] * n[2], corner[c]);
            edge[1] = rslMulAdd(edge[1], n[0] * d[1] * n[2], corner[c]);
            edge[2] = rslMulAdd(edge[2], n[0] * n[1] * d[2], corner[c]);
        }
        double det = rslDot(edge[0], rslCross(edge[1], edge[2]));
        rslInertia_AddPoint(inertia, density * det * weights[at[0]] * weights[at[1]] * weights[at[2]], x);
    }
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

// Volume and mean squares along its own axes; their centre is the origin.
static bool Primitive(const rslShape* shape, double* volume, double square[3])
{
    double r = shape->radius, h = shape->reach, t = shape->tube;
    const double radii[3] = { shape->radii.x, shape->radii.y, shape->radii.z };
    const double half[3] = { shape->half.x, shape->half.y, shape->half.z };
    double ball = 4.0 / 3.0 * pi * r * r * r, rod = 2.0 * pi * r * r * h;
    for (int axis = 0; axis < 3; ++axis)
    {
        bool along = axis == 2;
        switch (shape->type)
        {
            case rsl_boxShape:
                *volume = 8.0 * half[0] * half[1] * half[2];
                square[axis] = half[axis] * half[axis] / 3.0;
                break;
            case rsl_sphereShape:
                *volume = ball;
                square[axis] = r * r / 5.0;
                break;
            case rsl_ellipsoidShape:
                *volume = 4.0 / 3.0 * pi * radii[0] * radii[1] * radii[2];
                square[axis] = radii[axis] * radii[axis] / 5.0;
                break;
            case rsl_cylinderShape:
                *volume = rod;
                square[axis] = along ? h * h / 3.0 : r * r / 4.0;
                break;
            case rsl_capsuleShape:  // halves of the ball have their centres 3/8 r beyond the ends
                *volume = rod + ball;
                square[axis] = (along ? rod * h * h / 3.0 + ball * (h * h + 0.75 * h * r + r * r / 5.0)
                                      : rod * r * r / 4.0 + ball * r * r / 5.0) /
                               *volume;
                break;
            case rsl_torusShape:
                *volume = 2.0 * pi * pi * r * t * t;
                square[axis] = along ? t * t / 4.0 : 0.5 * r * r + 0.375 * t * t;
                break;
            default: return false;
        }
    }
    return true;
}

static void AddMoved(rslInertia* inertia, double density, const rslShape* shape, const rslInertia* own, rslVec3 shift)
{
    double s = shape->scale, s3 = s * s * s;
    rslVec3 first = rslScale(s, rslMatVec(&shape->rotation, own->first));
    rslSymmetric second = rslSymmetric_Scale(s * s, rslSymmetric_Turn(&shape->rotation, own->second));
    second = rslSymmetric_MulAdd(second, own->mass, rslSymmetric_Square(shift));
    second = rslSymmetric_MulAdd(second, 1.0, Twice(shift, first));
    inertia->mass += density * s3 * own->mass;
    inertia->first = rslMulAdd(inertia->first, density * s3, rslMulAdd(first, own->mass, shift));
    inertia->second = rslSymmetric_MulAdd(inertia->second, density * s3, second);
}

// Tetrahedra from one vertex, so that a mesh far from its origin loses nothing.
static void AddMesh(rslInertia* inertia, double density, const rslShape* shape, rslVec3 about)
{
    const rslMeshTree* mesh = shape->mesh;
    rslVec3 p[4];
    for (int t = 0; t < mesh->triangleCount; ++t)
    {
        for (int c = 0; c < 4; ++c)
        {
            const double* x =
                mesh->vertices + 3 * (size_t)(c == 0 ? mesh->triangles[0] : mesh->triangles[3 * t + c - 1]);
            p[c] = rslSub(rslShape_ToWorld(shape, (rslVec3){ x[0], x[1], x[2] }), about);
        }
        rslInertia_AddTetrahedron(inertia, density, p);
    }
}

// The filled part of a cell, or all of it.
static void AddCell(rslInertia* inertia, double density, const rslGrid* grid, int64_t cell, const rslBorderCell* border,
                    rslVec3 about)
{
    static const rslBorderCell full = { .fraction = 1.0, .variance = { 1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0 } };
    const rslBorderCell* b = border != NULL ? border : &full;
    int i = (int)(cell % grid->cells[0]), j = (int)(cell / grid->cells[0] % grid->cells[1]);
    int k = (int)(cell / grid->cells[0] / grid->cells[1]);
    double a = grid->spacing;
    rslVec3 middle = rslSub(rslGrid_Point(grid, i + 0.5, j + 0.5, k + 0.5), about);
    rslVec3 c = rslScale(a, (rslVec3){ b->centroid[0], b->centroid[1], b->centroid[2] });
    rslSymmetric square = { b->variance[0] + b->centroid[0] * b->centroid[0],
                            b->variance[1] + b->centroid[1] * b->centroid[1],
                            b->variance[2] + b->centroid[2] * b->centroid[2],
                            b->product[0],
                            b->product[1],
                            b->product[2] };
    square = rslSymmetric_Scale(a * a, square);
    square = rslSymmetric_MulAdd(square, 1.0, rslSymmetric_Square(middle));
    square = rslSymmetric_MulAdd(square, 1.0, Twice(middle, c));
    AddMean(inertia, density * a * a * a * b->fraction, rslAdd(middle, c), square);
}

static rslStatus AddCells(rslInertia* inertia, double density, const rslShape* shape, rslVec3 about,
                          const rslHooks* hooks)
{
    rslBounds bounds = rslShape_Bounds(shape);
    const double extent[3] = { bounds.upper.x - bounds.lower.x, bounds.upper.y - bounds.lower.y,
                               bounds.upper.z - bounds.lower.z };
    double longest = fmax(extent[0], fmax(extent[1], extent[2]));
    rslGrid grid = { .turn = rslQuatMatrix((rslQuat){ 1.0, 0.0, 0.0, 0.0 }), .corner = bounds.lower };
    if (!(longest > 0.0) || !isfinite(longest))
    {
        return rsl_ok;  // nothing is left of it
    }
    grid.spacing = longest / GRID_CELLS;
    for (int axis = 0; axis < 3; ++axis)
    {
        double cells = ceil(extent[axis] / grid.spacing * (1.0 - 1e-12));
        grid.extent[axis] = extent[axis];
        grid.cells[axis] = cells > 1.0 ? (int)cells : 1;
    }
    size_t count = (size_t)grid.cells[0] * (size_t)grid.cells[1] * (size_t)grid.cells[2];
    double* weight = rslAllocate(hooks, count, sizeof(double));
    rslAntialias result = { 0 };
    rslStatus status = weight != NULL ? rslAntialias_Make(&grid, shape, 0.0, hooks, weight, &result) : rsl_outOfMemory;
    for (size_t c = 0, b = 0; status == rsl_ok && c < count; ++c)
    {
        bool cut = b < (size_t)result.borderCount && result.border[b].cell == (int64_t)c;
        if (weight[c] > 0.0)
        {
            AddCell(inertia, density, &grid, (int64_t)c, cut ? &result.border[b] : NULL, about);
        }
        b += cut ? 1 : 0;
    }
    rslRelease(hooks, result.border);
    rslRelease(hooks, weight);
    return status;
}

rslStatus rslInertia_AddShape(rslInertia* inertia, double density, const rslShape* shape, rslVec3 about,
                              const rslHooks* hooks)
{
    double square[3];
    rslInertia own = { 0 };
    if (shape->type == rsl_meshShape)
    {
        AddMesh(inertia, density, shape, about);
        return rsl_ok;
    }
    if (!Primitive(shape, &own.mass, square))
    {
        return AddCells(inertia, density, shape, about, hooks);
    }
    own.second = (rslSymmetric){ own.mass * square[0], own.mass * square[1], own.mass * square[2], 0.0, 0.0, 0.0 };
    AddMoved(inertia, density, shape, &own, rslSub(shape->translation, about));
    return rsl_ok;
}

// ---- tensors --------------------------------------------------------------------------------------------------------

rslSymmetric rslInertia_Tensor(const rslInertia* inertia)
{
    rslSymmetric s = rslSymmetric_MulAdd(inertia->second, -1.0 / inertia->mass, rslSymmetric_Square(inertia->first));
    return (rslSymmetric){ s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.yz, -s.zx, -s.xy };
}

// The rotation with these columns, right-handed (Shepperd 1978: the largest of the four comes first).
static rslQuat FromColumns(const rslVec3 c[3])
{
    double w = 1.0 + c[0].x + c[1].y + c[2].z, x = 1.0 + c[0].x - c[1].y - c[2].z;
    double y = 1.0 - c[0].x + c[1].y - c[2].z, z = 1.0 - c[0].x - c[1].y + c[2].z;
    rslQuat q;
    if (w >= x && w >= y && w >= z)
    {
        q = (rslQuat){ w, c[1].z - c[2].y, c[2].x - c[0].z, c[0].y - c[1].x };
    }
    else if (x >= y && x >= z)
    {
        q = (rslQuat){ c[1].z - c[2].y, x, c[0].y + c[1].x, c[2].x + c[0].z };
    }
    else if (y >= z)
    {
        q = (rslQuat){ c[2].x - c[0].z, c[0].y + c[1].x, y, c[1].z + c[2].y };
    }
    else
    {
        q = (rslQuat){ c[0].y - c[1].x, c[2].x + c[0].z, c[1].z + c[2].y, z };
    }
    return rslQuatNormalize(q);
}

void rslInertia_Principal(rslSymmetric t, double moments[3], rslQuat* axes)
{
    double a[RSL_SMALL][RSL_SMALL] = { { t.xx, t.xy, t.zx }, { t.xy, t.yy, t.yz }, { t.zx, t.yz, t.zz } };
    double v[RSL_SMALL][RSL_SMALL];
    int order[3] = { 0, 1, 2 };
    rslSymmetric_Solve(a, v, 3);
    for (int pass = 0; pass < 3; ++pass)
    {
        int i = pass == 1 ? 1 : 0;
        if (a[order[i]][order[i]] > a[order[i + 1]][order[i + 1]])
        {
            int swap = order[i];
            order[i] = order[i + 1];
            order[i + 1] = swap;
        }
    }
    rslVec3 column[3];
    for (int i = 0; i < 2; ++i)
    {
        column[i] = (rslVec3){ v[0][order[i]], v[1][order[i]], v[2][order[i]] };
    }
    column[2] = rslCross(column[0], column[1]);
    for (int i = 0; i < 3; ++i)
    {
        moments[i] = a[order[i]][order[i]];
    }
    *axes = FromColumns(column);
}
