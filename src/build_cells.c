// SPDX-License-Identifier: MIT
//
// build_cells.c: see cells.h.

#include "cells.h"
#include "elementary.h"
#include "lists.h"
#include "vec.h"

#include <limits.h>

static const int tetEdges[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
static const int tetFaces[4][4] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };

// corner c is at x = c & 1, y = c >> 1 & 1, z = c >> 2
static const int hexEdges[12][2] = { { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 }, { 0, 2 }, { 1, 3 },
                                     { 4, 6 }, { 5, 7 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };
static const int hexFaces[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
                                    { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };

const rslCellKind rslTetrahedronCells = { "tetrahedron", "tetrahedra", 4, 6, 4, 3, tetEdges, tetFaces };
const rslCellKind rslHexahedronCells = { "hexahedron", "hexahedra", 8, 12, 6, 4, hexEdges, hexFaces };

// ---- nodes ----------------------------------------------------------------------------------------------------------

static rslStatus CheckCorners(rslBuild* build, const rslCells* cells)
{
    size_t corners = (size_t)cells->kind->corners;
    for (size_t i = 0; i < corners * (size_t)cells->count; ++i)
    {
        int corner = cells->listed[i];
        if (corner < 0 || corner >= cells->nodeCount)
        {
            rslReport_Add(build->report, rsl_error, cells->def->network.place,
                          "%s %d of body '%s' has the corner %d; there are %d nodes, counted from 0", cells->kind->one,
                          (int)(i / corners), cells->def->name, corner, cells->nodeCount);
            return rsl_badInput;
        }
    }
    return rsl_ok;
}

// Those of a list scaled, turned and moved.
static int PlaceNodes(rslCells* cells)
{
    const rslNetworkDef* network = &cells->def->network;
    rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees(network->rotate.axis, network->rotate.angle));
    size_t all = (size_t)cells->kind->corners * (size_t)cells->count;
    int used = 0;
    for (int i = 0; i < cells->nodeCount; ++i)
    {
        cells->number[i] = -1;
    }
    for (size_t i = 0; i < all; ++i)
    {
        cells->number[cells->listed[i]] = 0;
    }
    for (int i = 0; i < cells->nodeCount; ++i)
    {
        if (cells->number[i] == 0)
        {
            rslVec3 x = rslCells_At(cells->nodes, i);
            x = cells->made ? x : rslAdd(rslMatVec(&turn, rslScale(network->scale, x)), network->translate);
            double* out = cells->draft.positions + 3 * (size_t)used;
            out[0] = x.x;
            out[1] = x.y;
            out[2] = x.z;
            cells->number[i] = used++;
        }
    }
    for (size_t i = 0; i < all; ++i)
    {
        cells->corners[i] = cells->number[cells->listed[i]];
    }
    return used;
}

rslStatus rslCells_MakeNodes(rslBuild* build, rslCells* cells)
{
    const rslHooks* hooks = &build->model->hooks;
    size_t listed = (size_t)cells->nodeCount, count = (size_t)cells->count;
    if (cells->count > INT_MAX / cells->kind->edgeCount)
    {
        rslReport_Add(build->report, rsl_error, cells->def->network.place, "body '%s' has too many %s",
                      cells->def->name, cells->kind->many);
        return rsl_badInput;
    }
    rslStatus status = CheckCorners(build, cells);
    if (status != rsl_ok)
    {
        return status;
    }
    cells->number = rslAllocate(hooks, listed, sizeof(int));
    cells->corners = rslAllocate(hooks, (size_t)cells->kind->corners * count, sizeof(int));
    cells->draft.positions = rslAllocate(hooks, listed, 3 * sizeof(double));
    cells->draft.masses = rslAllocate(hooks, listed, sizeof(double));
    cells->draft.springs = rslAllocate(hooks, (size_t)cells->kind->edgeCount * count, sizeof(rslSpring));
    if (cells->number == NULL || cells->corners == NULL || cells->draft.positions == NULL ||
        cells->draft.masses == NULL || cells->draft.springs == NULL)
    {
        return rsl_outOfMemory;
    }
    cells->draft.nodeCount = PlaceNodes(cells);
    int unused = (int)listed - cells->draft.nodeCount;
    if (unused > 0 && !cells->made)
    {
        rslReport_Add(build->report, rsl_note, cells->def->network.place,
                      "body '%s': %d nodes that no %s has were left out", cells->def->name, unused, cells->kind->one);
    }
    return rsl_ok;
}

void rslCells_AddSpring(rslCells* cells, int a, int b, double stiffness, double damping)
{
    const double* x = cells->draft.positions;
    cells->draft.springs[cells->draft.springCount++] = (rslSpring){
        .a = a < b ? a : b,
        .b = a < b ? b : a,
        .stiffness = stiffness,
        .damping = damping,
        .restLength = rslLength(rslSub(rslCells_At(x, b), rslCells_At(x, a))),
    };
}

void rslCells_Free(rslCells* cells, const rslHooks* hooks)
{
    rslDraft_Free(&cells->draft, hooks);
    rslRelease(hooks, cells->number);
    rslRelease(hooks, cells->corners);
}

double rslCells_Orient(const rslCells* cells, int index)
{
    int* corner = rslCells_Corners(cells, index);
    const double* x = cells->draft.positions;
    rslVec3 o = rslCells_At(x, corner[0]), a = rslSub(rslCells_At(x, corner[1]), o);
    rslVec3 b = rslSub(rslCells_At(x, corner[2]), o), c = rslSub(rslCells_At(x, corner[3]), o);
    double volume = rslDot(rslCross(a, b), c) / 6.0;
    if (volume < 0.0)
    {
        int kept = corner[2];
        corner[2] = corner[3];
        corner[3] = kept;
    }
    return fabs(volume);
}

// ---- surface ----------------------------------------------------------------------------------------------------------

typedef struct Face
{
    int corner[4];  // seen from outside
    int key[4];     // the same, sorted; of a triangle the last is -1
} Face;

static Face MakeFace(const rslCells* cells, int cell, int face)
{
    const int* corner = rslCells_Corners(cells, cell);
    int count = cells->kind->faceCorners;
    Face made = { .corner = { 0, 0, 0, -1 }, .key = { 0, 0, 0, -1 } };
    for (int c = 0; c < count; ++c)
    {
        int node = corner[cells->kind->faces[face][c]], at = c;
        made.corner[c] = node;
        for (; at > 0 && made.key[at - 1] > node; --at)
        {
            made.key[at] = made.key[at - 1];
        }
        made.key[at] = node;
    }
    return made;
}

static bool SameFace(const Face* p, const Face* q)
{
    return p->key[0] == q->key[0] && p->key[1] == q->key[1] && p->key[2] == q->key[2] && p->key[3] == q->key[3];
}

// Whether two faces with the same corners run around the same way: their cells lie on the same side.
static bool SameSide(const Face* p, const Face* q, int corners)
{
    int at = 0;
    while (q->corner[at] != p->corner[0])
    {
        at += 1;
    }
    return q->corner[(at + 1) % corners] == p->corner[1];
}

// How many of the faces that begin with the same node are this one; those on the same side of it count twice. Cells that
// were made may be so flat that rounding says which side they are on.
static int CountAlike(const rslCells* cells, const Face* all, const int* list, int count, const Face* face)
{
    int alike = 0;
    for (int i = 0; i < count; ++i)
    {
        const Face* other = &all[list[i]];
        bool same = SameFace(other, face);
        bool beside = same && other != face && !cells->made && SameSide(other, face, cells->kind->faceCorners);
        alike += beside ? 2 : same ? 1 : 0;
    }
    return alike;
}

typedef struct Border
{
    Face* all;   // of every cell
    int* first;  // node each begins with
    int *start, *list;
    int* vertex;  // of every node; -1: inside
} Border;

static size_t FaceCount(const rslCells* cells)
{
    return (size_t)cells->kind->faceCount * (size_t)cells->count;
}

static bool AllocateBorder(const rslHooks* hooks, const rslCells* cells, Border* border)
{
    size_t count = FaceCount(cells), nodes = (size_t)cells->draft.nodeCount;
    border->all = rslAllocate(hooks, count, sizeof(Face));
    border->first = rslAllocate(hooks, count, sizeof(int));
    border->list = rslAllocate(hooks, count, sizeof(int));
    border->start = rslAllocate(hooks, nodes + 1, sizeof(int));
    border->vertex = rslAllocate(hooks, nodes, sizeof(int));
    return border->all != NULL && border->first != NULL && border->list != NULL && border->start != NULL &&
           border->vertex != NULL;
}

static void FreeBorder(const rslHooks* hooks, Border* border)
{
    rslRelease(hooks, border->all);
    rslRelease(hooks, border->first);
    rslRelease(hooks, border->list);
    rslRelease(hooks, border->start);
    rslRelease(hooks, border->vertex);
}

// Mark faces of one cell with first = 1, others with 0. Returns how many; -1 when three share one, or two on one side.
static int FindBorder(const rslCells* cells, Border* border)
{
    int count = (int)FaceCount(cells), faces = cells->kind->faceCount, open = 0;
    for (int i = 0; i < count; ++i)
    {
        border->all[i] = MakeFace(cells, i / faces, i % faces);
        border->first[i] = border->all[i].key[0];
    }
    rslInvert(border->first, count, cells->draft.nodeCount, border->start, border->list);
    for (int i = 0; i < count; ++i)
    {
        const Face* face = &border->all[i];
        const int* start = &border->start[face->key[0]];
        int alike = CountAlike(cells, border->all, border->list + start[0], start[1] - start[0], face);
        if (alike > 2)
        {
            return -1;
        }
        border->first[i] = alike == 1;
        open += alike == 1;
    }
    return open;
}

static rslStatus KeepSurface(rslBuild* build, const rslCells* cells, Border* border, int open, rslBody* body)
{
    int nodes = cells->draft.nodeCount, vertices = 0;
    int faces = (int)FaceCount(cells), each = cells->kind->faceCorners - 2;
    int* triangles = rslArena_Allocate(build->arena, (size_t)each * (size_t)open, 3 * sizeof(int));
    int* stencil = rslArena_Allocate(build->arena, 8 * (size_t)nodes, sizeof(int));
    double* weights = rslArena_Allocate(build->arena, 8 * (size_t)nodes, sizeof(double));
    if (triangles == NULL || stencil == NULL || weights == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int i = 0; i < nodes; ++i)
    {
        border->vertex[i] = -1;
    }
    size_t t = 0;
    for (int i = 0; i < faces; ++i)
    {
        for (int c = 0; border->first[i] != 0 && c < 3 * each; ++c)
        {
            int node = border->all[i].corner[c % 3 == 0 ? 0 : c / 3 + c % 3];  // 0 1 2, 0 2 3
            if (border->vertex[node] < 0)
            {
                for (size_t s = 0; s < 8; ++s)
                {
                    stencil[8 * (size_t)vertices + s] = body->firstNode + node;
                }
                weights[8 * (size_t)vertices] = 1.0;
                border->vertex[node] = vertices++;
            }
            triangles[t++] = border->vertex[node];
        }
    }
    body->surface = (rslSurface){
        .vertexCount = vertices,
        .triangleCount = each * open,
        .triangles = triangles,
        .stencilNodes = stencil,
        .stencilWeights = weights,
        .closed = true,
    };
    return rsl_ok;
}

// Every edge of the faces that have one cell is met once in each direction: the surface is closed.
rslStatus rslCells_MakeSurface(rslBuild* build, const rslCells* cells, rslBody* body)
{
    const rslHooks* hooks = &build->model->hooks;
    Border border = { 0 };
    rslStatus status = rsl_outOfMemory;
    if (AllocateBorder(hooks, cells, &border))
    {
        int open = FindBorder(cells, &border);
        status = open >= 0 ? rsl_ok : rsl_badInput;
        if (open < 0)
        {
            rslReport_Add(build->report, rsl_error, cells->def->network.place,
                          "the %s of body '%s' overlap: more than two share a face, or two on one side of it",
                          cells->kind->many, cells->def->name);
        }
        else if (cells->def->surface.enabled)
        {
            status = KeepSurface(build, cells, &border, open, body);
        }
    }
    FreeBorder(hooks, &border);
    return status;
}
