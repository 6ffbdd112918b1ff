// SPDX-License-Identifier: MIT
//
// build_dual.c: the cells between the nodes of a centred lattice, for bricks.
//
// A centred lattice is the corner lattice of its dual cells, each between eight nodes. Bricks are put into these. The layer
// outside of the outermost nodes, half a cell thick, belongs to the nearest brick, whose shape functions reach beyond its corners
// there: moments of what a brick stands for take in s beyond 1/2, and all formulas of build_bricks.c stay as they are. Where the
// body is a box along the lattice, neighbours agree where they meet, and a uniform stress has the forces of its tractions:
// moduli are exact. Elsewhere neighbours would disagree at every step of the surface: first frequencies of bars in turned
// lattices are then 17 to 48 % low, at a third of the step. Other bodies are refused.
//
// What a shape fills is found by eighths of cells, which lie in one dual cell each.

#include "antialias.h"
#include "build.h"
#include "cell_fill.h"
#include "memory.h"

typedef struct Dual
{
    const rslGrid* grid;
    const rslShape* shape;
    bool antialias;
    int cells[3];       // dual
    size_t count;       // of them
    rslMoments* parts;  // of each
} Dual;

// Moments m of an eighth, in its own coordinates, seen from a cell from whose centre its own is t away: s = t + s'/2.
static void AddPart(rslMoments* sum, const rslMoments* m, const double t[3])
{
    const double* f = m->first;
    double v = m->volume;
    sum->volume += v / 8.0;
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        sum->first[i] += (v * t[i] + f[i] / 2.0) / 8.0;
        sum->square[i] += (v * t[i] * t[i] + t[i] * f[i] + m->square[i] / 4.0) / 8.0;
        sum->cross[i] += (v * t[j] * t[k] + (t[j] * f[k] + t[k] * f[j]) / 2.0 + m->cross[i] / 4.0) / 8.0;
        sum->triple += (t[j] * t[k] * f[i] / 2.0 + t[i] * m->cross[i] / 4.0) / 8.0;
    }
    sum->triple += (v * t[0] * t[1] * t[2] + m->triple / 8.0) / 8.0;
}

static void AddEighths(Dual* dual, int i, int j, int k, bool full)
{
    static const rslMoments whole = { .volume = 1.0, .square = { 1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0 } };
    const int at[3] = { i, j, k };
    for (int n = 0; n < 8; ++n)
    {
        int cell[3];
        double t[3], centre[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            int high = n >> axis & 1, most = dual->cells[axis] - 1, own = at[axis] - 1 + high;
            cell[axis] = own < 0 ? 0 : own > most ? most : own;
            centre[axis] = at[axis] + 0.25 + 0.5 * high;
            t[axis] = centre[axis] - (cell[axis] + 1.0);
        }
        rslMoments part = whole;
        if (!full)
        {
            rslVec3 point = rslGrid_Point(dual->grid, centre[0], centre[1], centre[2]);
            part = rslCell_Fill(dual->shape, point, &dual->grid->turn, 0.5 * dual->grid->spacing).moments;
        }
        size_t to =
            (size_t)cell[0] + (size_t)dual->cells[0] * ((size_t)cell[1] + (size_t)dual->cells[1] * (size_t)cell[2]);
        AddPart(&dual->parts[to], &part, t);
    }
}

static void AddAll(Dual* dual)
{
    const rslGrid* grid = dual->grid;
    for (int k = 0; k < grid->cells[2]; ++k)
    {
        for (int j = 0; j < grid->cells[1]; ++j)
        {
            for (int i = 0; i < grid->cells[0]; ++i)
            {
                rslVec3 centre = rslGrid_Point(grid, i + 0.5, j + 0.5, k + 0.5);
                bool deep = rslShape_Distance(dual->shape, centre) < -0.8661 * grid->spacing;
                AddEighths(dual, i, j, k, deep || !dual->antialias);
            }
        }
    }
}

// ---- as a lattice ---------------------------------------------------------------------------------------------------

static bool IsFull(const rslMoments* m)
{
    double error = fabs(m->volume - 1.0) + fabs(m->triple);
    for (int i = 0; i < 3; ++i)
    {
        error += fabs(m->first[i]) + fabs(m->cross[i]) + fabs(m->square[i] - 1.0 / 12.0);
    }
    return error < 1e-12;
}

static rslStatus FillLattice(rslBuild* build, const Dual* dual, rslLattice* lattice, double* volume)
{
    int border = 0;
    for (size_t c = 0; c < dual->count; ++c)
    {
        border += IsFull(&dual->parts[c]) ? 0 : 1;
    }
    double* weight = rslArena_Allocate(build->arena, dual->count, sizeof(double));
    rslBorderCell* cells = rslArena_Allocate(build->arena, (size_t)border, sizeof(rslBorderCell));
    if (weight == NULL || cells == NULL)
    {
        return rsl_outOfMemory;
    }
    *lattice = (rslLattice){ .construction = rsl_cornerLattice,
                             .spacing = dual->grid->spacing,
                             .cells = { dual->cells[0], dual->cells[1], dual->cells[2] },
                             .weight = weight,
                             .stiff = weight,
                             .border = cells };
    for (size_t c = 0; c < dual->count; ++c)
    {
        weight[c] = dual->parts[c].volume;
        *volume += weight[c];
        if (!IsFull(&dual->parts[c]))
        {
            cells[lattice->borderCount++] = rslBorderCell_Of((int64_t)c, &dual->parts[c]);
        }
    }
    return rsl_ok;
}

// Two nodes along every axis, and a node in every cell.
static bool IsBox(const Dual* dual, const double* weight)
{
    const int* cells = dual->grid->cells;
    size_t count = (size_t)cells[0] * (size_t)cells[1] * (size_t)cells[2];
    bool box = dual->count > 0;
    for (size_t c = 0; box && c < count; ++c)
    {
        box = weight[c] > 0.0;
    }
    return box;
}

rslStatus rslBuild_DualCells(rslBuild* build, const rslBodyDef* def, const rslShape* shape, const rslGrid* grid,
                             const double* weight, rslBody* body, rslLattice* lattice)
{
    Dual dual = { .grid = grid, .shape = shape, .antialias = def->network.antialias, .count = 1 };
    double volume = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        dual.cells[axis] = grid->cells[axis] - 1;
        dual.count *= (size_t)dual.cells[axis];
    }
    if (!IsBox(&dual, weight))
    {
        rslReport_Add(
            build->report, rsl_error, def->network.place,
            "bricks between the nodes of a centred lattice need a box along the lattice, at least two cells thick, and "
            "body '%s' is none; take construction: corner, which cuts cells by any shape",
            def->name);
        return rsl_badInput;
    }
    dual.parts = rslAllocate(&build->model->hooks, dual.count, sizeof(rslMoments));
    if (dual.parts == NULL)
    {
        return rsl_outOfMemory;
    }
    AddAll(&dual);
    rslStatus status = FillLattice(build, &dual, lattice, &volume);
    body->volume = volume * grid->spacing * grid->spacing * grid->spacing;
    rslRelease(&build->model->hooks, dual.parts);
    return status;
}
