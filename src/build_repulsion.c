// SPDX-License-Identifier: MIT
//
// build_repulsion.c: which elements of a body resist collapse, and how strongly.
//
// Clamped, without a stiffness of its own: what all heights of an element together cost is of the strength of the body,
//
//   sum_h k h0^2 = n E V,    n the corners of a piece, 3 or 4
//
// so that a piece whose heights all are at x costs n E V (1 - 2x)^3 / x^2: about as much as its material where that is pressed to
// 0.4, and 8 times that at 0.25. V is the volume that the piece stands for, with the stiffness of what fills it over that of the
// body. Explicit networks have no material: k is the mean of their springs.

#include "build.h"
#include "lattice.h"
#include "repulsion.h"
#include "sort.h"
#include "vec.h"

#include <stdio.h>
#include <string.h>

typedef struct Repulsions
{
    rslBuild* build;
    const rslBodyDef* def;
    rslBody* body;
    rslRepulsion* out;
    rslPieceKind kind;
} Repulsions;

// Rigid bodies cannot collapse.
static rslRepulsionType ChooseLaw(const rslBodyDef* def)
{
    bool none = def->model.type == rsl_rigidModel || def->repulsion.type == rsl_autoRepulsion;
    return none ? rsl_noRepulsion : def->repulsion.type;
}

static rslVec3 RestOf(const rslBody* body, int node)
{
    double x[3];
    rslBody_Rest(body, node, node + 1, x);
    return (rslVec3){ x[0], x[1], x[2] };
}

// ---- cells of a lattice ---------------------------------------------------------------------------------------------

// The nodes of the cell whose lowest corner is (i, j, k): index within the body of the first, offsets of its rows. False when there
// is no cell, or not all of its corners.
static bool FindCell(const rslLattice* lattice, int i, int j, int k, int* first, int offset[4])
{
    if (lattice->construction == rsl_cornerLattice && !(rslLattice_Weight(lattice, i, j, k) > 0.0))
    {
        return false;
    }
    *first = rslLattice_Node(lattice, i, j, k);
    bool found = *first >= 0;
    for (int row = 0; found && row < 4; ++row)
    {
        int node = rslLattice_Node(lattice, i, j + (row & 1), k + (row >> 1));
        offset[row] = node - *first;
        found = node >= 0 && rslLattice_Node(lattice, i + 1, j + (row & 1), k + (row >> 1)) == node + 1;
    }
    return found;
}

// Runs of the cells of all lines, counted, and written where there is room; stiff gets what fills each cell.
static int ScanCells(const rslLattice* lattice, int firstNode, rslCellRun* runs, double* stiff, int* count)
{
    int runCount = 0;
    *count = 0;
    for (int k = 0; k + 1 < lattice->extent[2]; ++k)
    {
        for (int j = 0; j + 1 < lattice->extent[1]; ++j)
        {
            rslCellRun run = { 0 };
            for (int i = 0; i + 1 < lattice->extent[0]; ++i)
            {
                int first, offset[4];
                if (!FindCell(lattice, i, j, k, &first, offset))
                {
                    run.count = 0;
                    continue;
                }
                bool goesOn = run.count > 0 && memcmp(offset, run.offset, sizeof offset) == 0;
                if (!goesOn)
                {
                    run = (rslCellRun){ .first = firstNode + first, .before = *count, .odd = (i + j + k) % 2 != 0 };
                    memcpy(run.offset, offset, sizeof offset);
                    runCount += 1;
                }
                run.count += 1;
                if (runs != NULL)
                {
                    size_t line = (size_t)j + (size_t)lattice->cells[1] * (size_t)k;
                    runs[runCount - 1] = run;
                    stiff[*count] = lattice->construction == rsl_cornerLattice
                                        ? lattice->stiff[(size_t)i + (size_t)lattice->cells[0] * line]
                                        : 1.0;
                }
                *count += 1;
            }
        }
    }
    return runCount;
}

static rslStatus ScanLattice(Repulsions* r)
{
    const rslLattice* lattice = &r->body->lattice;
    int count = 0, runCount = ScanCells(lattice, r->body->firstNode, NULL, NULL, &count);
    rslCellRun* runs = rslArena_Allocate(r->build->arena, (size_t)runCount, sizeof(rslCellRun));
    double* stiff = rslArena_Allocate(r->build->arena, (size_t)count, sizeof(double));
    if (runs == NULL || stiff == NULL)
    {
        return rsl_outOfMemory;
    }
    ScanCells(lattice, r->body->firstNode, runs, stiff, &count);
    bool alike = true;
    for (int c = 1; c < count; ++c)
    {
        alike = alike && stiff[c] == stiff[0];
    }
    *r->out = (rslRepulsion){ .law = r->out->law, .corners = 8, .count = count, .runs = runs, .runCount = runCount };
    r->out->stiffness = count > 0 ? stiff[0] : 0.0;
    r->out->stiffnesses = alike ? NULL : stiff;
    return rsl_ok;
}

// ---- elements of a network ------------------------------------------------------------------------------------------

static void PlaceNodes(const rslBody* body, const int* nodes, int corners, rslVec3* x)
{
    for (int c = 0; c < corners; ++c)
    {
        x[c] = RestOf(body, nodes[c]);
    }
}

// Least measure of its pieces, over that of a piece with the same edges that is as large as can be, about.
static double LeastPiece(rslPieceKind kind, int corners, const rslVec3* x)
{
    double least = INFINITY;
    for (int p = 0; p < rslRepulsion_PieceCount(corners); ++p)
    {
        rslVec3 y[RSL_PIECE_NODES] = { 0 };
        double longest2 = 0.0;
        for (int c = 0; c < rslPiece_Corners(kind); ++c)
        {
            y[c] = x[rslRepulsion_Corner(corners, p, c)];
            rslVec3 d = rslSub(y[c], y[0]);
            longest2 = fmax(longest2, rslDot(d, d));
        }
        double size = kind == rsl_tetrahedron ? longest2 * sqrt(longest2) : longest2;
        least = fmin(least, size > 0.0 ? rslPiece_Measure(kind, y) / size : 0.0);
    }
    return least;
}

static rslStatus Refuse(const Repulsions* r, int element, const rslVec3* x, const char* what, const char* advice)
{
    const char* const names[] = { [3] = "triangle", [4] = "tetrahedron", [8] = "hexahedron" };
    rslVec3 at = rslAdd(r->body->frame.origin, x[0]);
    rslReport_Add(r->build->report, rsl_error, r->def->network.place,
                  "%s %d of body '%s' at [%.4g, %.4g, %.4g] %s, so that nothing can be kept from collapsing; %s, or "
                  "'repulsion: none'",
                  names[r->out->corners], element, r->def->name, at.x, at.y, at.z, what, advice);
    return rsl_badInput;
}

// Put the corners of an element in an order in which its pieces are positive.
static rslStatus Orient(const Repulsions* r, int element, int* nodes)
{
    const double flat = 1e-10;
    int corners = r->out->corners, other[8];
    rslVec3 x[8], y[8];
    PlaceNodes(r->body, nodes, corners, x);
    memcpy(other, nodes, (size_t)corners * sizeof(int));
    if (corners == 8)
    {
        for (int c = 0; c < 8; ++c)
        {
            other[c] = nodes[rslCell_Turn(c, true)];
        }
    }
    else
    {
        other[1] = nodes[2];
        other[2] = nodes[1];
    }
    PlaceNodes(r->body, other, corners, y);
    double here = LeastPiece(r->kind, corners, x), there = LeastPiece(r->kind, corners, y);
    if (there > here)
    {
        memcpy(nodes, other, (size_t)corners * sizeof(int));
    }
    if (fmax(here, there) > flat)
    {
        return rsl_ok;
    }
    return corners == 8 ? Refuse(r, element, x, "is so distorted that it cannot be split into tetrahedra", "mesh anew")
           : corners == 4 ? Refuse(r, element, x, "has no volume", "remove it")
                          : Refuse(r, element, x, "has no area", "remove it");
}

// In the plane two triangles on the same side of an edge lie one over the other. Their edges as they run around them: each at most
// once.
static rslStatus CheckFolds(const Repulsions* r)
{
    const rslHooks* hooks = &r->build->model->hooks;
    size_t count = 3 * (size_t)r->out->count;
    uint64_t* keys = rslAllocate(hooks, count, sizeof(uint64_t));
    int* of = rslAllocate(hooks, count, sizeof(int));
    bool made = keys != NULL && of != NULL;
    for (size_t e = 0; made && e < count; ++e)
    {
        size_t next = e % 3 == 2 ? e - 2 : e + 1;
        keys[e] = (uint64_t)(unsigned)r->out->nodes[e] << 32 | (unsigned)r->out->nodes[next];
        of[e] = (int)(e / 3);
    }
    made = made && rslSort(hooks, keys, of, count);
    rslStatus status = made ? rsl_ok : rsl_outOfMemory;
    for (size_t e = 1; status == rsl_ok && e < count; ++e)
    {
        if (keys[e] == keys[e - 1])
        {
            char what[64];
            rslVec3 x[3];
            PlaceNodes(r->body, r->out->nodes + 3 * (size_t)of[e], 3, x);
            snprintf(what, sizeof what, "lies over triangle %d beside it", of[e - 1]);
            status = Refuse(r, of[e], x, what, "unfold it");
        }
    }
    rslRelease(hooks, keys);
    rslRelease(hooks, of);
    return status;
}

static rslStatus TakeElements(Repulsions* r, const int* nodes, int count, int corners)
{
    rslRepulsion* out = r->out;
    int* own = rslArena_Allocate(r->build->arena, (size_t)corners * (size_t)count, sizeof(int));
    rslStatus status = own != NULL ? rsl_ok : rsl_outOfMemory;
    out->corners = corners;
    out->count = count;
    out->nodes = own;
    for (int e = 0; status == rsl_ok && e < count; ++e)
    {
        size_t at = (size_t)corners * (size_t)e;
        memcpy(own + at, nodes + at, (size_t)corners * sizeof(int));
        status = Orient(r, e, own + at);
    }
    return status == rsl_ok && r->kind == rsl_planeTriangle ? CheckFolds(r) : status;
}

static rslStatus FindElements(Repulsions* r)
{
    const rslBody* body = r->body;
    const rslNetwork* network = &body->network;
    r->kind = body->kind == rsl_networkBody && network->triangleCount > 0
                  ? r->build->scene->plane == rsl_planeXY ? rsl_planeTriangle : rsl_spaceTriangle
                  : rsl_tetrahedron;
    if (body->kind == rsl_latticeBody)
    {
        return ScanLattice(r);
    }
    r->out->stiffness = 1.0;
    if (network->tetrahedronCount > 0)
    {
        return TakeElements(r, network->tetrahedra, network->tetrahedronCount, 4);
    }
    if (network->triangleCount > 0)
    {
        return TakeElements(r, network->triangles, network->triangleCount, 3);
    }
    return TakeElements(r, body->elements.nodes,
                        r->def->network.type == rsl_hexahedraNetwork ? body->elements.count : 0, 8);
}

// ---- stiffness ------------------------------------------------------------------------------------------------------

// Mean over the materials of a body, by volume.
static double MeanYoung(const rslBody* body)
{
    double sum = 0.0, volume = 0.0;
    for (int m = 0; m < body->regionCount; ++m)
    {
        sum += body->regions[m].young * body->regions[m].volume;
        volume += body->regions[m].volume;
    }
    return volume > 0.0 ? sum / volume : body->young;
}

// n V / sum h0^2, V times the thickness of a sheet.
static double Size(const Repulsions* r, int element)
{
    int nodes[8];
    rslVec3 x[8];
    double volume = 0.0, squares = 0.0;
    rslRepulsion_Nodes(r->out, element, nodes);
    PlaceNodes(r->body, nodes, r->out->corners, x);
    for (int p = 0; p < rslRepulsion_PieceCount(r->out->corners); ++p)
    {
        rslVec3 y[RSL_PIECE_NODES] = { 0 };
        double heights[RSL_PIECE_NODES] = { 0 };
        for (int c = 0; c < rslPiece_Corners(r->kind); ++c)
        {
            y[c] = x[rslRepulsion_Corner(r->out->corners, p, c)];
        }
        volume += rslPiece_Measure(r->kind, y);
        rslPiece_Heights(r->kind, y, heights);
        for (int c = 0; c < rslPiece_Corners(r->kind); ++c)
        {
            squares += heights[c] * heights[c];
        }
    }
    volume *= r->kind == rsl_tetrahedron ? 1.0 : r->body->thickness;
    return rslPiece_Corners(r->kind) * volume / squares;
}

static bool AddStiffness(const rslSpring* spring, void* context)
{
    double* sum = context;
    sum[0] += spring->stiffness;
    sum[1] += 1.0;
    return true;
}

// k of every element, times what fills it.
static rslStatus SetStiffness(Repulsions* r, double factor)
{
    rslRepulsion* out = r->out;
    bool alike = r->body->kind == rsl_latticeBody;
    double* each = rslArena_Allocate(r->build->arena, alike ? 0 : (size_t)out->count, sizeof(double));
    if (each == NULL)
    {
        return rsl_outOfMemory;
    }
    if (alike)
    {
        // all cells have one size; what fills them was found with them
        factor *= Size(r, 0);
        out->stiffness *= factor;
        double* filled = (double*)(uintptr_t)out->stiffnesses;
        for (int e = 0; filled != NULL && e < out->count; ++e)
        {
            filled[e] *= factor;
        }
        return rsl_ok;
    }
    for (int e = 0; e < out->count; ++e)
    {
        each[e] = factor * Size(r, e);
    }
    out->stiffnesses = each;
    return rsl_ok;
}

static rslStatus ChooseStiffness(Repulsions* r)
{
    double given = r->def->repulsion.stiffness, sum[2] = { 0.0, 0.0 };
    if (!isnan(given))
    {
        r->out->stiffness = given;
        r->out->stiffnesses = NULL;
        return rsl_ok;
    }
    if (r->def->network.type != rsl_explicitNetwork)
    {
        return SetStiffness(r, MeanYoung(r->body));
    }
    rslModel_VisitSprings(r->build->model, (int)(r->body - r->build->bodies), AddStiffness, sum);
    r->out->stiffness = sum[0] / sum[1];
    if (!(r->out->stiffness > 0.0))
    {
        rslReport_Add(r->build->report, rsl_error, r->def->repulsion.place,
                      "body '%s' has no springs to take the stiffness of its repulsion from; give 'stiffness'",
                      r->def->name);
        return rsl_badInput;
    }
    return rsl_ok;
}

rslStatus rslBuild_Repulsion(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    Repulsions r = { .build = build, .def = def, .body = body, .out = &body->repulsion };
    r.out->law = ChooseLaw(def);
    if (r.out->law == rsl_noRepulsion)
    {
        return rsl_ok;
    }
    rslStatus status = FindElements(&r);
    if (status == rsl_ok && r.out->count == 0)
    {
        if (def->repulsion.type != rsl_autoRepulsion)
        {
            rslReport_Add(build->report, rsl_error, def->repulsion.place,
                          "body '%s' has no %s that could repel; 'repulsion: none' says that this is meant", def->name,
                          body->kind == rsl_latticeBody ? "cell with nodes at all of its corners"
                                                        : "triangles or tetrahedra");
            return rsl_badInput;
        }
        *r.out = (rslRepulsion){ .law = rsl_noRepulsion };
        return rsl_ok;
    }
    bool felt = r.out->law != rsl_clampedRepulsion, listed = def->network.type == rsl_explicitNetwork;
    status = status == rsl_ok && (!felt || listed) ? ChooseStiffness(&r) : status;
    return status == rsl_ok && felt ? rslBuild_Share(build, def, body) : status;
}
