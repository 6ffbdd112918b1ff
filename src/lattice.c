// SPDX-License-Identifier: MIT
//
// lattice.c: see lattice.h.
//
// Corner construction: every cell of weight w brings a quarter of w kA on each of its 12 edges, half of w kB on each of
// its 12 face diagonals, w kC on its 4 body diagonals and an eighth of its mass on each of its 8 corners. An inner edge is
// shared by four cells and an inner face diagonal by two, so inner bonds get kA, kB and kC.
//
// Centred construction: a node a cell; the bond of two cells has k (w_i + w_j) / 2.

#include "lattice.h"

#include "ascending.h"

#include <limits.h>
#include <string.h>

double rslLattice_RestLength(const rslLattice* lattice, int direction)
{
    static const double length[3] = { 1.0, 1.4142135623730951, 1.7320508075688772 };
    return lattice->spacing * length[rslLattice_Shell(direction)];
}

static bool HasCell(const rslLattice* lattice, int i, int j, int k)
{
    // as unsigned, negative ones are large
    return (unsigned)i < (unsigned)lattice->cells[0] && (unsigned)j < (unsigned)lattice->cells[1] &&
           (unsigned)k < (unsigned)lattice->cells[2];
}

static double CellValue(const rslLattice* lattice, const double* cells, int i, int j, int k)
{
    if (!HasCell(lattice, i, j, k))
    {
        return 0.0;
    }
    size_t line = (size_t)j + (size_t)lattice->cells[1] * (size_t)k;
    return cells[(size_t)i + (size_t)lattice->cells[0] * line];
}

double rslLattice_Weight(const rslLattice* lattice, int i, int j, int k)
{
    return CellValue(lattice, lattice->weight, i, j, k);
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

int rslLattice_Node(const rslLattice* lattice, int i, int j, int k)
{
    if ((unsigned)i >= (unsigned)lattice->extent[0] || (unsigned)j >= (unsigned)lattice->extent[1] ||
        (unsigned)k >= (unsigned)lattice->extent[2])
    {
        return -1;
    }
    size_t line = (size_t)j + (size_t)lattice->extent[1] * (size_t)k;
    int begin = lattice->lineStart[line], end = lattice->lineStart[line + 1];
    if (begin == end)
    {
        return -1;
    }
    const rslLatticeRow* row = &lattice->rows[RSL_LAST_UP_TO(lattice->rows, rslLatticeRow, i, begin, end, i)];
    int offset = i - row->i;
    return offset >= 0 && offset < row->count ? row->first + offset : -1;
}

// Mark the nodes of the line (j, k): those with a filled cell beside them.
static void MarkLine(const rslLattice* lattice, int j, int k, unsigned char* mark)
{
    bool corner = lattice->construction == rsl_cornerLattice;
    for (int i = 0; i < lattice->extent[0]; ++i)
    {
        mark[i] = 0;
    }
    for (int dk = corner ? -1 : 0; dk <= 0; ++dk)
    {
        for (int dj = corner ? -1 : 0; dj <= 0; ++dj)
        {
            if (!HasCell(lattice, 0, j + dj, k + dk))
            {
                continue;
            }
            size_t line = (size_t)(j + dj) + (size_t)lattice->cells[1] * (size_t)(k + dk);
            const double* weight = lattice->weight + (size_t)lattice->cells[0] * line;
            for (int i = 0; i < lattice->cells[0]; ++i)
            {
                if (weight[i] > 0.0)
                {
                    mark[i] = 1;
                    mark[i + (corner ? 1 : 0)] = 1;
                }
            }
        }
    }
}

// Runs of marked nodes, counted, and written to rows when it is not NULL. *nodes goes on from its value.
static int ScanLine(const unsigned char* mark, int length, int j, int k, rslLatticeRow* rows, int64_t* nodes)
{
    int runs = 0;
    for (int i = 0; i < length;)
    {
        if (!mark[i])
        {
            ++i;
            continue;
        }
        int start = i;
        while (i < length && mark[i])
        {
            ++i;
        }
        if (rows != NULL)
        {
            rows[runs] = (rslLatticeRow){ .i = start, .j = j, .k = k, .count = i - start, .first = (int)*nodes };
        }
        *nodes += i - start;
        ++runs;
    }
    return runs;
}

// All lines: counts rows and nodes, fills lineStart, and rows when they are not NULL.
static int64_t ScanLines(const rslLattice* lattice, unsigned char* mark, int* lineStart, rslLatticeRow* rows,
                         int64_t* nodes)
{
    int64_t rowCount = 0;
    size_t line = 0;
    *nodes = 0;
    for (int k = 0; k < lattice->extent[2]; ++k)
    {
        for (int j = 0; j < lattice->extent[1]; ++j)
        {
            MarkLine(lattice, j, k, mark);
            lineStart[line++] = (int)rowCount;
            rowCount += ScanLine(mark, lattice->extent[0], j, k, rows ? rows + rowCount : NULL, nodes);
            if (*nodes > INT_MAX)
            {
                return -1;
            }
        }
    }
    lineStart[line] = (int)rowCount;
    return rowCount;
}

int rslLattice_MakeRows(rslLattice* lattice, rslArena* arena)
{
    int border = lattice->construction == rsl_cornerLattice ? 1 : 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        lattice->extent[axis] = lattice->cells[axis] + border;
    }
    size_t lines = (size_t)lattice->extent[1] * (size_t)lattice->extent[2];
    int* lineStart = rslArena_Allocate(arena, lines + 1, sizeof(int));
    unsigned char* mark = rslAllocate(&arena->hooks, (size_t)lattice->extent[0], 1);
    int64_t nodes = -1;
    if (lineStart != NULL && mark != NULL)
    {
        int64_t rowCount = ScanLines(lattice, mark, lineStart, NULL, &nodes);
        rslLatticeRow* rows = rowCount < 0 ? NULL : rslArena_Allocate(arena, (size_t)rowCount, sizeof(rslLatticeRow));
        if (rows != NULL)
        {
            ScanLines(lattice, mark, lineStart, rows, &nodes);
            lattice->rows = rows;
            lattice->rowCount = (int)rowCount;
            lattice->lineStart = lineStart;
        }
        else
        {
            nodes = -1;
        }
    }
    rslRelease(&arena->hooks, mark);
    return (int)nodes;
}

// By the shares of the corners of border cells.
static void SpreadShares(const rslLattice* lattice, const double* cells, double factor, double* out)
{
    const rslLatticeRow* last = &lattice->rows[lattice->rowCount - 1];
    size_t count = (size_t)lattice->cells[0] * (size_t)lattice->cells[1] * (size_t)lattice->cells[2];
    memset(out, 0, (size_t)(last->first + last->count) * sizeof(double));
    int border = 0;
    for (size_t c = 0; c < count; ++c)
    {
        bool cut = border < lattice->borderCount && lattice->border[border].cell == (int64_t)c;
        const double* share = cut ? lattice->share + 8 * (size_t)border : NULL;
        int i = (int)(c % (size_t)lattice->cells[0]),
            j = (int)(c / (size_t)lattice->cells[0] % (size_t)lattice->cells[1]);
        int k = (int)(c / (size_t)lattice->cells[0] / (size_t)lattice->cells[1]);
        border += cut ? 1 : 0;
        for (int corner = 0; lattice->weight[c] > 0.0 && corner < 8; ++corner)
        {
            int node = rslLattice_Node(lattice, i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
            out[node] += factor * cells[c] * (share != NULL ? share[corner] : 0.125);
        }
    }
}

void rslLattice_Spread(const rslLattice* lattice, const double* cells, double factor, double* out)
{
    if (lattice->share != NULL)
    {
        SpreadShares(lattice, cells, factor, out);
        return;
    }
    for (int r = 0; r < lattice->rowCount; ++r)
    {
        rslLatticeRow row = lattice->rows[r];
        for (int n = 0; n < row.count; ++n)
        {
            int i = row.i + n;
            double weight = 0.0;
            if (lattice->construction == rsl_centredLattice)
            {
                weight = CellValue(lattice, cells, i, row.j, row.k);
            }
            else
            {
                for (int corner = 0; corner < 8; ++corner)
                {
                    weight += CellValue(lattice, cells, i - 1 + (corner & 1), row.j - 1 + (corner >> 1 & 1),
                                        row.k - 1 + (corner >> 2));
                }
                weight *= 0.125;
            }
            out[row.first + n] = weight * factor;
        }
    }
}

// X = origin + a (i, j, k)
void rslLattice_Rest(const rslLattice* lattice, int begin, int end, double* xyz)
{
    int first = RSL_LAST_UP_TO(lattice->rows, rslLatticeRow, first, 0, lattice->rowCount, begin);
    for (int r = first, node = begin; node < end; ++r)
    {
        rslLatticeRow row = lattice->rows[r];
        double y = lattice->origin.y + lattice->spacing * row.j;
        double z = lattice->origin.z + lattice->spacing * row.k;
        for (; node < end && node < row.first + row.count; ++node, xyz += 3)
        {
            xyz[0] = lattice->origin.x + lattice->spacing * (row.i + node - row.first);
            xyz[1] = y;
            xyz[2] = z;
        }
    }
}

// ---- springs --------------------------------------------------------------------------------------------------------

// Cells around the bond: one along an axis that it follows, both sides of an axis that it does not; their sum and its share.
static double AroundBond(const rslLattice* lattice, const double* cells, int i, int j, int k, int direction)
{
    static const double share[3] = { 0.25, 0.5, 1.0 };
    const int* step = rslLatticeDirections[direction];
    int low[3] = { i, j, k }, high[3] = { i, j, k };
    for (int axis = 0; axis < 3; ++axis)
    {
        low[axis] -= step[axis] <= 0 ? 1 : 0;
        high[axis] -= step[axis] < 0 ? 1 : 0;
    }
    double sum = 0.0;
    for (int z = low[2]; z <= high[2]; ++z)
    {
        for (int y = low[1]; y <= high[1]; ++y)
        {
            for (int x = low[0]; x <= high[0]; ++x)
            {
                sum += CellValue(lattice, cells, x, y, z);
            }
        }
    }
    return sum * share[rslLattice_Shell(direction)];
}

// Centred: the mean weight of its ends, and of what fills them two halves in series.
static double BetweenCells(const rslLattice* lattice, int i, int j, int k, int direction)
{
    const int* step = rslLatticeDirections[direction];
    double here = rslLattice_Weight(lattice, i, j, k);
    double there = rslLattice_Weight(lattice, i + step[0], j + step[1], k + step[2]);
    if (!(here > 0.0 && there > 0.0))
    {
        return 0.0;
    }
    double mean = 0.5 * (here + there);
    if (lattice->stiff == lattice->weight)
    {
        return mean;
    }
    double a = CellValue(lattice, lattice->stiff, i, j, k) / here;
    double b = CellValue(lattice, lattice->stiff, i + step[0], j + step[1], k + step[2]) / there;
    return mean * (2.0 * a * b / (a + b));
}

double rslLattice_Stiffness(const rslLattice* lattice, int i, int j, int k, int direction)
{
    double stiffness = lattice->stiffness[direction % RSL_LATTICE_HALF];
    if (stiffness == 0.0)
    {
        return 0.0;
    }
    return stiffness * (lattice->construction == rsl_centredLattice
                            ? BetweenCells(lattice, i, j, k, direction)
                            : AroundBond(lattice, lattice->stiff, i, j, k, direction));
}

double rslLattice_DampingRatio(const rslLattice* lattice, int i, int j, int k, int direction, double stiffnessDamping)
{
    if (lattice->damp == NULL)
    {
        return stiffnessDamping;
    }
    if (lattice->construction == rsl_cornerLattice)
    {
        return AroundBond(lattice, lattice->damp, i, j, k, direction) /
               AroundBond(lattice, lattice->stiff, i, j, k, direction);
    }
    const int* step = rslLatticeDirections[direction];
    int p = i + step[0], q = j + step[1], r = k + step[2];
    return 0.5 * (CellValue(lattice, lattice->damp, i, j, k) / CellValue(lattice, lattice->stiff, i, j, k) +
                  CellValue(lattice, lattice->damp, p, q, r) / CellValue(lattice, lattice->stiff, p, q, r));
}

void rslLattice_VisitSprings(const rslLattice* lattice, int firstNode, double stiffnessDamping, rslSpringVisitor* visit,
                             void* context)
{
    for (int r = 0; r < lattice->rowCount; ++r)
    {
        rslLatticeRow row = lattice->rows[r];
        for (int n = 0; n < row.count; ++n)
        {
            for (int direction = 0; direction < RSL_LATTICE_HALF; ++direction)
            {
                double stiffness = rslLattice_Stiffness(lattice, row.i + n, row.j, row.k, direction);
                if (!(stiffness > 0.0))
                {
                    continue;
                }
                double ratio = rslLattice_DampingRatio(lattice, row.i + n, row.j, row.k, direction, stiffnessDamping);
                const int* step = rslLatticeDirections[direction];
                int other = rslLattice_Node(lattice, row.i + n + step[0], row.j + step[1], row.k + step[2]);
                rslSpring spring = {
                    .a = firstNode + row.first + n,
                    .b = firstNode + other,
                    .stiffness = stiffness,
                    .damping = ratio * stiffness,
                    .restLength = rslLattice_RestLength(lattice, direction),
                };
                if (!visit(&spring, context))
                {
                    return;
                }
            }
        }
    }
}
