// SPDX-License-Identifier: MIT
//
// build_repulsion_elements.c: the elements of a body that resist collapse: cells of its lattice, or the elements of its network in an
// order of corners in which they are positive.

#include "build.h"
#include "lattice.h"
#include "repulsion.h"
#include "sort.h"
#include "split_colours.h"
#include "vec.h"

#include <stdio.h>
#include <string.h>

typedef struct Finder
{
    rslBuild* build;
    const rslBodyDef* def;
    rslBody* body;
    rslRepulsion* out;
    rslPieceKind kind;
    const uint8_t* colours;  // of nodes of hexahedra whose splits agree (split_colours.h); or NULL
} Finder;

// ---- cells of a lattice ---------------------------------------------------------------------------------------------

// Corners of a cell with next to nothing in it swing farther than the material, and through each other, at strains of a few per
// cent (docs/theory.md, 21): unless repulsion is asked for, cells that are filled to less than this part do without.
static const double leastFill = 0.25;

// What is heavy beside such a cell would press it as flat as it likes, and no step would be short enough for its barrier: where repulsion
// is asked for, its barrier is that of one filled to stiffFill, and dust has none.
static const double stiffFill = 0.1, dustFill = 1e-3;

// The nodes of the cell whose lowest corner is (i, j, k): index within the body of the first, offsets of its rows. False when there
// is no cell, or too little in it, or not all of its corners.
static bool FindCell(const rslLattice* lattice, double least, int i, int j, int k, int* first, int offset[4])
{
    double weight = lattice->construction == rsl_cornerLattice ? rslLattice_Weight(lattice, i, j, k) : 1.0;
    if (!(weight > 0.0 && weight >= least))
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

// Which cells count: those filled to least; and as if they were filled to full at least.
typedef struct Fill
{
    double least, full;
} Fill;

// Runs of the cells of all lines, counted, and written where there is room; stiff gets what fills each cell.
static int ScanCells(const rslLattice* lattice, Fill fill, int firstNode, rslCellRun* runs, double* stiff, int* count)
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
                if (!FindCell(lattice, fill.least, i, j, k, &first, offset))
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
                    bool corner = lattice->construction == rsl_cornerLattice;
                    double own = corner ? rslLattice_Weight(lattice, i, j, k) : 1.0;
                    stiff[*count] = corner ? lattice->stiff[(size_t)i + (size_t)lattice->cells[0] * line] : 1.0;
                    stiff[*count] *= own < fill.full ? fill.full / own : 1.0;
                }
                *count += 1;
            }
        }
    }
    return runCount;
}

static rslStatus ScanLattice(Finder* r)
{
    const rslLattice* lattice = &r->body->lattice;
    // a cell of elements that was folded comes back by itself; springs have other states of rest
    bool folds = r->body->model == rsl_springModel || r->body->model == rsl_dispersionModel;
    Fill fill = { r->def->repulsion.type == rsl_autoRepulsion && !folds ? leastFill : dustFill,
                  r->out->law == rsl_clampedRepulsion ? stiffFill : 0.0 };
    int count = 0, runCount = ScanCells(lattice, fill, r->body->firstNode, NULL, NULL, &count);
    rslCellRun* runs = rslArena_Allocate(r->build->arena, (size_t)runCount, sizeof(rslCellRun));
    double* stiff = rslArena_Allocate(r->build->arena, (size_t)count, sizeof(double));
    if (runs == NULL || stiff == NULL)
    {
        return rsl_outOfMemory;
    }
    ScanCells(lattice, fill, r->body->firstNode, runs, stiff, &count);
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

// Why an element cannot be kept from collapsing, and what to do about it.
typedef struct Fault
{
    const char *what, *advice;
} Fault;

// An error where repulsion was asked for; else the element, and others like it, do without.
static rslStatus Tell(const Finder* r, int element, const int* nodes, Fault fault, int others)
{
    const char* const names[] = { [3] = "triangle", [4] = "tetrahedron", [8] = "hexahedron" };
    const char* name = names[r->out->corners];
    bool asked = r->def->repulsion.type != rsl_autoRepulsion;
    char more[64] = "";
    rslVec3 x[8];
    rslRepulsion_Rest(r->body, nodes, r->out->corners, x);
    rslMat3 turn = rslQuatMatrix(r->body->frame.rotation);
    rslVec3 at = rslAdd(r->body->frame.origin, rslMatVec(&turn, x[0]));
    if (others > 0)
    {
        snprintf(more, sizeof more, " (and %d more)", others);
    }
    rslReport_Add(r->build->report, asked ? rsl_error : rsl_warning, r->def->network.place,
                  "%s %d of body '%s' at [%.4g, %.4g, %.4g]%s %s, so that nothing can keep it from collapsing; %s, or "
                  "say 'repulsion: none'%s",
                  name, element, r->def->name, at.x, at.y, at.z, more, fault.what, fault.advice,
                  asked ? "" : " if that is meant");
    return asked ? rsl_badInput : rsl_ok;
}

// Put the corners of an element in an order in which its pieces are positive; what is wrong where there is none.
static Fault Orient(const Finder* r, int* nodes)
{
    const double flat = 1e-10;
    int corners = r->out->corners, other[8];
    rslVec3 x[8], y[8];
    rslRepulsion_Rest(r->body, nodes, corners, x);
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
    rslRepulsion_Rest(r->body, other, corners, y);
    double here = LeastPiece(r->kind, corners, x), there = LeastPiece(r->kind, corners, y);
    bool turned = there > here;
    if (r->colours != NULL && fmin(here, there) > flat)
    {
        turned = r->colours[nodes[0] - r->body->firstNode] != 0;
    }
    if (turned)
    {
        memcpy(nodes, other, (size_t)corners * sizeof(int));
    }
    static const Fault distorted = { "is so distorted that it cannot be split into tetrahedra", "mesh anew" };
    static const Fault noVolume = { "has no volume", "remove it" }, noArea = { "has no area", "remove it" };
    bool sound = fmax(here, there) > flat;
    return sound ? (Fault){ 0 } : corners == 8 ? distorted : corners == 4 ? noVolume : noArea;
}

// In the plane two triangles on the same side of an edge lie one over the other. Their edges as they run around them: each at most
// once.
static rslStatus CheckFolds(const Finder* r)
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
            snprintf(what, sizeof what, "lies over triangle %d beside it", of[e - 1]);
            status = Tell(r, of[e], r->out->nodes + 3 * (size_t)of[e], (Fault){ what, "unfold it" }, 0);
            r->out->count = 0;
            break;
        }
    }
    rslRelease(hooks, keys);
    rslRelease(hooks, of);
    return status;
}

// The numbers of the first elements of a list, those that are kept; more follow.
static int* Number(const Finder* r, int kept, int count)
{
    int* numbers = rslArena_Allocate(r->build->arena, (size_t)count, sizeof(int));
    for (int e = 0; numbers != NULL && e < kept; ++e)
    {
        numbers[e] = e;
    }
    return numbers;
}

static rslStatus TakeElements(Finder* r, const int* nodes, int count, int corners)
{
    rslRepulsion* out = r->out;
    int* own = rslArena_Allocate(r->build->arena, (size_t)corners * (size_t)count, sizeof(int));
    int *numbers = NULL, first = -1;
    bool made = own != NULL, asked = r->def->repulsion.type != rsl_autoRepulsion;
    Fault worst = { 0 };
    out->corners = corners;
    for (int e = 0; made && e < count && !(asked && first >= 0); ++e)
    {
        int* here = own + (size_t)corners * (size_t)out->count;
        memcpy(here, nodes + (size_t)corners * (size_t)e, (size_t)corners * sizeof(int));
        Fault fault = Orient(r, here);
        if (fault.what != NULL && first < 0)
        {
            first = e;
            worst = fault;
            numbers = Number(r, out->count, count);
            made = numbers != NULL;
        }
        if (fault.what == NULL)
        {
            numbers != NULL ? (void)(numbers[out->count] = e) : (void)0;
            out->count += 1;
        }
    }
    out->nodes = own;
    out->numbers = numbers;
    if (!made)
    {
        return rsl_outOfMemory;
    }
    rslStatus status =
        first < 0 ? rsl_ok
                  : Tell(r, first, nodes + (size_t)corners * (size_t)first, worst, asked ? 0 : count - out->count - 1);
    return status == rsl_ok && r->kind == rsl_planeTriangle ? CheckFolds(r) : status;
}

static rslStatus TakeHexahedra(Finder* r, const int* nodes, int count)
{
    const rslHooks* hooks = &r->build->model->hooks;
    uint8_t* colours = rslAllocate(hooks, (size_t)r->body->nodeCount, 1);
    bool found = false, made = colours != NULL && rslSplit_Colour(hooks, nodes, count, r->body->firstNode,
                                                                  r->body->nodeCount, colours, &found);
    r->colours = found ? colours : NULL;
    rslStatus status = made ? TakeElements(r, nodes, count, 8) : rsl_outOfMemory;
    rslRelease(hooks, colours);
    return status;
}

rslStatus rslBuild_RepulsionElements(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    const rslNetwork* network = &body->network;
    Finder finder = { .build = build, .def = def, .body = body, .out = &body->repulsion }, *r = &finder;
    if (body->kind == rsl_latticeBody)
    {
        return ScanLattice(r);
    }
    bool flat = network->triangleCount > 0;
    r->kind = !flat ? rsl_tetrahedron : build->scene->plane == rsl_planeXY ? rsl_planeTriangle : rsl_spaceTriangle;
    r->out->stiffness = 1.0;
    if (network->tetrahedronCount > 0)
    {
        return TakeElements(r, network->tetrahedra, network->tetrahedronCount, 4);
    }
    if (network->triangleCount > 0)
    {
        return TakeElements(r, network->triangles, network->triangleCount, 3);
    }
    return TakeHexahedra(r, body->elements.nodes, def->network.type == rsl_hexahedraNetwork ? body->elements.count : 0);
}
