// SPDX-License-Identifier: MIT
//
// build_hexahedra.c: a body of hexahedra: listed, from a file, or a grid of boxes that fills a box. They have no springs of their
// own; their edges say which nodes belong together. A corner has the mass of its shape function, rho times the integral.

#include "cells.h"
#include "elementary.h"
#include "solid.h"
#include "vec.h"

#include <limits.h>

// Listed: the lower four counter-clockwise seen from above, then the upper four. Ours: corner c at x = c & 1, y = c >> 1 & 1.
static const int order[8] = { 0, 1, 3, 2, 4, 5, 7, 6 };

static void PlaceCorners(const rslCells* cells, const int corner[8], double x[8][3])
{
    for (int c = 0; c < 8; ++c)
    {
        rslVec3 at = rslCells_At(cells->draft.positions, corner[c]);
        x[c][0] = at.x;
        x[c][1] = at.y;
        x[c][2] = at.z;
    }
}

// ---- what is refused --------------------------------------------------------------------------------------------------

// Whether it would do with its upper corners first.
static bool IsMirrored(double (*x)[3])
{
    double turned[8][3];
    rslSolid solid;
    for (int c = 0; c < 24; ++c)
    {
        turned[c / 3][c % 3] = x[c / 3 ^ 4][c % 3];
    }
    return rslSolid_Make(turned, &solid);
}

static rslStatus Refuse(rslBuild* build, const rslCells* cells, int index, double (*x)[3], const rslSolid* solid)
{
    bool mirrored = IsMirrored(x);
    rslReport_Add(
        build->report, rsl_error, cells->def->network.place,
        "hexahedron %d of body '%s' at [%.4g, %.4g, %.4g] is %s: its Jacobian is %.3g at the worst place, over that "
        "of a cube with its longest edge; expected a positive one: %s",
        index, cells->def->name, x[0][0], x[0][1], x[0][2],
        mirrored              ? "turned inside out"
        : solid->least == 0.0 ? "flat"
                              : "folded",
        solid->least,
        mirrored ? "list its last four corners first"
                 : "four corners counter-clockwise seen from above, then the four above them");
    return rsl_badInput;
}

static rslStatus CheckTwice(rslBuild* build, const rslCells* cells, int index, const int corner[8])
{
    for (int a = 0; a < 64; ++a)
    {
        if (a / 8 < a % 8 && corner[a / 8] == corner[a % 8])
        {
            rslReport_Add(
                build->report, rsl_error, cells->def->network.place,
                "hexahedron %d of body '%s' has a node twice, as corners %d and %d; expected eight different ones",
                index, cells->def->name, order[a / 8], order[a % 8]);
            return rsl_badInput;
        }
    }
    return rsl_ok;
}

// ---- cells --------------------------------------------------------------------------------------------------------------

static rslStatus AddCell(rslBuild* build, rslCells* cells, int index, double density, double* volume)
{
    const double least = 1e-10;
    int *corner = rslCells_Corners(cells, index), listed[8];
    double x[8][3];
    rslSolid solid;
    for (int c = 0; c < 8; ++c)
    {
        listed[c] = corner[c];
    }
    for (int c = 0; c < 8; ++c)
    {
        corner[c] = listed[order[c]];
    }
    rslStatus status = CheckTwice(build, cells, index, corner);
    if (status != rsl_ok)
    {
        return status;
    }
    PlaceCorners(cells, corner, x);
    if (!rslSolid_Make(x, &solid) || solid.least < least)
    {
        return Refuse(build, cells, index, x, &solid);
    }
    for (int e = 0; e < 12; ++e)
    {
        rslCells_AddSpring(cells, corner[cells->kind->edges[e][0]], corner[cells->kind->edges[e][1]], 0.0, 0.0);
    }
    for (int c = 0; c < 8; ++c)
    {
        cells->draft.masses[corner[c]] += density * solid.share[c];
    }
    *volume += solid.volume;
    return rsl_ok;
}

static rslStatus BuildCells(rslBuild* build, rslCells* cells, rslBody* body)
{
    const rslBodyDef* def = cells->def;
    rslMaterialDef material = rslMaterial_Resolve(&def->material);
    rslStatus status = rslCells_MakeNodes(build, cells);
    for (int i = 0; status == rsl_ok && i < cells->count; ++i)
    {
        status = AddCell(build, cells, i, material.density, &body->volume);
    }
    body->density = material.density;
    body->stiffnessDamping = material.stiffnessDamping;
    status = status == rsl_ok ? rslBuild_Network(build, def, &cells->draft, rsl_addParallel, body) : status;
    status = status == rsl_ok ? rslCells_MakeSurface(build, cells, body) : status;
    rslElementList list = { cells->count, 8, cells->corners, body->firstNode, 1.0 };
    status = status == rsl_ok ? rslBuild_Elements(build, def, &list, body) : status;
    if (cells->made && body->elements.count > 0)
    {
        body->elements.recordCount = 1;  // all are alike
    }
    rslCells_Free(cells, &build->model->hooks);
    return status;
}

// ---- grids --------------------------------------------------------------------------------------------------------------

static void FillGrid(const rslShapeDef* shape, const int n[3], double* nodes, int* corners)
{
    rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees(shape->rotate.axis, shape->rotate.angle));
    int rows[3] = { n[0] + 1, n[1] + 1, n[2] + 1 };
    for (int i = 0; i < rows[0] * rows[1] * rows[2]; ++i)
    {
        const int at[3] = { i % rows[0], i / rows[0] % rows[1], i / rows[0] / rows[1] };
        rslVec3 x = { shape->size.x * ((double)at[0] / n[0] - 0.5), shape->size.y * ((double)at[1] / n[1] - 0.5),
                      shape->size.z * ((double)at[2] / n[2] - 0.5) };
        x = rslAdd(rslMatVec(&turn, rslScale(shape->scale, x)), shape->translate);
        nodes[3 * (size_t)i] = x.x;
        nodes[3 * (size_t)i + 1] = x.y;
        nodes[3 * (size_t)i + 2] = x.z;
    }
    for (int i = 0; i < n[0] * n[1] * n[2]; ++i)
    {
        int first = i % n[0] + rows[0] * (i / n[0] % n[1] + rows[1] * (i / n[0] / n[1]));
        for (int c = 0; c < 8; ++c)
        {
            int step = (c & 1) + rows[0] * ((c >> 1 & 1) + rows[1] * (c >> 2));
            corners[8 * (size_t)i + (size_t)order[c]] = first + step;
        }
    }
}

static rslStatus BuildGrid(rslBuild* build, rslCells* cells, rslBody* body)
{
    const rslHooks* hooks = &build->model->hooks;
    const int* n = cells->def->network.grid;
    int64_t count = (int64_t)n[0] * n[1] * n[2], nodes = ((int64_t)n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    if (nodes > INT_MAX / 24)
    {
        rslReport_Add(build->report, rsl_error, cells->def->network.place,
                      "the grid of body '%s' has %lld nodes, expected fewer than %d", cells->def->name,
                      (long long)nodes, INT_MAX / 24);
        return rsl_badInput;
    }
    double* places = rslAllocate(hooks, (size_t)nodes, 3 * sizeof(double));
    int* corners = rslAllocate(hooks, (size_t)count, 8 * sizeof(int));
    rslStatus status = places != NULL && corners != NULL ? rsl_ok : rsl_outOfMemory;
    if (status == rsl_ok)
    {
        FillGrid(cells->def->shape, n, places, corners);
        cells->nodes = places;
        cells->nodeCount = (int)nodes;
        cells->listed = corners;
        cells->count = (int)count;
        cells->made = true;
        status = BuildCells(build, cells, body);
    }
    rslRelease(hooks, corners);
    rslRelease(hooks, places);
    return status;
}

rslStatus rslBuild_Hexahedra(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    rslCells cells = {
        .kind = &rslHexahedronCells,
        .def = def,
        .nodes = def->network.nodes,
        .listed = def->network.hexahedra,
        .nodeCount = def->network.nodeCount,
        .count = def->network.hexahedronCount,
    };
    return def->shape != NULL ? BuildGrid(build, &cells, body) : BuildCells(build, &cells, body);
}
