// SPDX-License-Identifier: MIT
//
// multigrid_level.c: see multigrid.h. What every level needs, and the last one.

#include "multigrid.h"

#include "clones.h"
#include "statics.h"

#include <math.h>
#include <string.h>

enum
{
    POWER_ITERATIONS = 15
};

void rslAccumulate(int* start, int count)
{
    for (int i = 0; i < count; ++i)
    {
        start[i + 1] += start[i];
    }
}

bool rslLevel_MakeVectors(rslLevel* level, rslArena* arena)
{
    rslVector* const vectors[] = { &level->x, &level->b, &level->kept, &level->p, &level->t };
    size_t line = (size_t)level->count + RSL_STENCIL_PADDING;
    bool made = true;
    for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; ++v)
    {
        double* x = rslArena_Allocate(arena, line * (size_t)level->width, sizeof(double));
        vectors[v]->stride = level->apart ? 1 : (size_t)level->width;
        for (int c = 0; x != NULL && c < level->width; ++c)
        {
            vectors[v]->x[c] = x + (level->apart ? line * (size_t)c : (size_t)c);
        }
        made = made && x != NULL;
    }
    return made;
}

bool rslMultigrid_MakeFactor(rslMultigrid* grid, int unknowns, rslArena* arena)
{
    const rslLevel* last = &grid->levels[grid->levelCount - 1];
    size_t size = (size_t)last->count * (size_t)last->width;
    if (grid->levelCount == 1 || size > (size_t)unknowns)
    {
        return true;
    }
    grid->factor = rslArena_Allocate(arena, size * size, sizeof(double));
    grid->last = rslArena_Allocate(arena, size, sizeof(double));
    return grid->factor != NULL && grid->last != NULL;
}

void rslLevel_Inverse(const rslLevel* level, int node, const double* r, double* z)
{
    size_t width = (size_t)level->width;
    if (level->wideInverse == NULL)
    {
        const float* f = level->inverse[node];
        rslBlock_Times((const double[6]){ f[0], f[1], f[2], f[3], f[4], f[5] }, r, z);
        return;
    }
    const float* f = level->wideInverse + width * width * (size_t)node;
    memset(z, 0, width * sizeof(double));
    for (size_t c = 0; c < width; ++c)
    {
        for (size_t q = 0; q < width; ++q)
        {
            z[q] += (double)f[width * c + q] * r[c];
        }
    }
}

// ---- the largest eigenvalue of D^-1 A -------------------------------------------------------------------------------

static double Norm(const rslLevel* level, rslVector v)
{
    double sum = 0.0;
    for (int c = 0; c < level->width; ++c)
    {
        for (size_t i = 0; i < (size_t)level->count; ++i)
        {
            sum += v.x[c][i * v.stride] * v.x[c][i * v.stride];
        }
    }
    return sqrt(sum);
}

static void ApplyInverse(const rslMultigrid* grid, const rslLevel* level, rslVector from, rslVector to, double scale)
{
    if (level->stencil.groupCount > 0)
    {
        rslStencil_Smooth(&level->stencil, grid->unknowns->team,
                          &(rslStencilSmoothing){ to.x, to.x, from.x, from.x, 0.0, scale, true });
        return;
    }
    for (int i = 0; i < level->count; ++i)
    {
        double r[RSL_MULTIGRID_WIDTH], z[RSL_MULTIGRID_WIDTH];
        size_t at = (size_t)i * from.stride;
        for (int c = 0; c < level->width; ++c)
        {
            r[c] = from.x[c][at];
        }
        rslLevel_Inverse(level, i, r, z);
        for (int c = 0; c < level->width; ++c)
        {
            to.x[c][at] = scale * z[c];
        }
    }
}

// From a fixed start that has a part in every mode.
static double Iterate(const rslMultigrid* grid, int index)
{
    const rslLevel* level = &grid->levels[index];
    double largest = 0.0, norm;
    uint32_t bits = 1;
    for (size_t i = 0; i < (size_t)level->count; ++i)
    {
        for (int c = 0; c < level->width; ++c)
        {
            bits = bits * 1664525u + 1013904223u;
            level->p.x[c][i * level->p.stride] = (double)(bits >> 8) - 8388607.5;
        }
    }
    for (int k = 0; k < POWER_ITERATIONS && (norm = Norm(level, level->p)) > 0.0; ++k)
    {
        rslMultigrid_Multiply(grid, index, level->p, level->t);
        ApplyInverse(grid, level, level->t, level->p, 1.0 / norm);
        largest = Norm(level, level->p);
    }
    return largest;
}

// With A a sum over bonds, D the sum of their diagonal blocks and 2 the largest eigenvalue of D^-1 A of a single bond, 2 is a
// bound for the whole of level 0, whatever the constants. Links, elements and repulsion have more than two nodes.
void rslMultigrid_FindLargest(rslMultigrid* grid, int index)
{
    rslLevel* level = &grid->levels[index];
    if (index == 0 && rslStatics_Pairs(grid->kernel))
    {
        level->largest = 2.0;
    }
    else if (!grid->again)
    {
        level->largest = Iterate(grid, index);
    }
}

// ---- the last level ---------------------------------------------------------------------------------------------------

// line -= sum of factors times others, in this order
RSL_CLONES static void rslMultigrid_TakeAway(double* restrict line, size_t count, const double* others, size_t size,
                                             const double factors[4])
{
    const double *o0 = others, *o1 = others + size, *o2 = others + 2 * size, *o3 = others + 3 * size;
    for (size_t i = 0; i < count; ++i)
    {
        line[i] = line[i] - factors[0] * o0[i] - factors[1] * o1[i] - factors[2] * o2[i] - factors[3] * o3[i];
    }
}

RSL_CLONES static void rslMultigrid_TakeOne(double* restrict line, size_t count, const double* other, double factor)
{
    for (size_t i = 0; i < count; ++i)
    {
        line[i] -= factor * other[i];
    }
}

// A = L L^T; a pivot below 1e-11 of its diagonal drops the unknown: its row of L is that of the identity without coupling. Columns
// of L are made one after the other as rows of the upper triangle; the lower one gets them, too. Every number has its terms taken away in
// the same order, whoever does it: of a panel of columns at a time from all that come after it.
typedef struct Factoring
{
    double* a;
    size_t size, begin, end;  // of the panel
} Factoring;

enum
{
    PANEL = 32,      // a multiple of four
    FACTOR_ROWS = 8  // that one item takes
};

static void TakePanel(const Factoring* f, size_t row, size_t end)
{
    const size_t size = f->size;
    double* line = f->a + row * size;
    size_t k = f->begin;
    for (; k + 4 <= end; k += 4)
    {
        const double* from = f->a + k * size + row;
        rslMultigrid_TakeAway(line + row, size - row, from, size,
                              (const double[4]){ from[0], from[size], from[2 * size], from[3 * size] });
    }
    for (; k < end; ++k)
    {
        rslMultigrid_TakeOne(line + row, size - row, f->a + k * size + row, f->a[k * size + row]);
    }
}

static void TakePanelFromRows(int item, void* context)
{
    const Factoring* f = context;
    size_t begin = f->end + FACTOR_ROWS * (size_t)item, end = begin + FACTOR_ROWS;
    for (size_t row = begin; row < end && row < f->size; ++row)
    {
        TakePanel(f, row, f->end);
    }
}

static void FillLower(int item, void* context)
{
    const Factoring* f = context;
    size_t begin = FACTOR_ROWS * (size_t)item, end = begin + FACTOR_ROWS < f->size ? begin + FACTOR_ROWS : f->size;
    for (size_t c = 0; c < end; ++c)
    {
        for (size_t r = begin > c ? begin : c + 1; r < end; ++r)
        {
            f->a[r * f->size + c] = f->a[c * f->size + r];
        }
    }
}

static int FactorItems(size_t rows)
{
    return (int)((rows + FACTOR_ROWS - 1) / FACTOR_ROWS);
}

// whole: room for the diagonal.
static void Factor(rslTeam* team, double* a, size_t size, double* whole)
{
    Factoring f = { .a = a, .size = size };
    for (size_t c = 0; c < size; ++c)
    {
        whole[c] = a[c * size + c];
    }
    for (; f.begin < size; f.begin = f.end)
    {
        f.end = f.begin + PANEL < size ? f.begin + PANEL : size;
        for (size_t c = f.begin; c < f.end; ++c)
        {
            TakePanel(&f, c, c);
            double *line = a + c * size, pivot = line[c];
            bool kept = pivot > 1e-11 * whole[c] && pivot > 0.0;
            line[c] = kept ? sqrt(pivot) : 0.0;
            for (size_t r = c + 1; r < size; ++r)
            {
                line[r] = kept ? line[r] / line[c] : 0.0;
            }
        }
        rslTeam_Run(team, TakePanelFromRows, FactorItems(size - f.end), &f);
    }
    rslTeam_Run(team, FillLower, FactorItems(size), &f);
}

// The block of A at entry e of row i, or the diagonal one for e < 0, by rows.
static void GetBlock(const rslLevel* level, int i, int e, double* out)
{
    size_t width = (size_t)level->width, square = width * width;
    if (level->wide != NULL)
    {
        const double* a = e < 0 ? level->wideDiagonal + square * (size_t)i : level->wide + square * (size_t)e;
        for (size_t c = 0; c < square; ++c)
        {
            out[c] = a[width * (c % width) + c / width];
        }
        return;
    }
    if (e >= 0)
    {
        rslLevel_Numbers(level, e, out);
    }
    else
    {
        memcpy(out, level->own[i], 9 * sizeof(double));
    }
}

// Zero what is zero but for rounding; in the diagonal some stiffness instead, so that nothing moves there.
static void FreeBlock(const rslLevel* level, int i, int j, double a[9])
{
    const double* f = rslLevel_Free(level, i);
    rslBlock_Project(a, f, rslLevel_Free(level, j));
    double trace = a[0] + a[4] + a[8];
    for (int c = 0; f != NULL && i == j && c < 9; ++c)
    {
        static const int of[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
        a[c] += trace * ((c % 4 == 0 ? 1.0 : 0.0) - f[of[c]]);
    }
}

void rslMultigrid_FactorLast(rslMultigrid* grid)
{
    const rslLevel* level = &grid->levels[grid->levelCount - 1];
    size_t width = (size_t)level->width, size = width * (size_t)level->count;
    if (grid->factor == NULL)
    {
        return;
    }
    memset(grid->factor, 0, size * size * sizeof(double));
    for (int i = 0; i < level->count; ++i)
    {
        for (int e = level->rowStart[i] - 1; e < level->rowStart[i + 1]; ++e)
        {
            bool own = e < level->rowStart[i];
            size_t row = width * (size_t)i, column = width * (size_t)(own ? i : level->column[e]);
            double a[RSL_MULTIGRID_WIDTH * RSL_MULTIGRID_WIDTH];
            GetBlock(level, i, own ? -1 : e, a);
            for (size_t c = 0; own && level->sums != NULL && c < 9; ++c)
            {
                static const int of[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
                a[c] += level->sums[i][of[c]];
            }
            if (level->bare != NULL)
            {
                FreeBlock(level, i, own ? i : level->column[e], a);
            }
            for (size_t c = 0; c < width * width; ++c)
            {
                grid->factor[(row + c / width) * size + column + c % width] = a[c];
            }
        }
    }
    Factor(grid->unknowns->team, grid->factor, size, grid->last);
}

// L L^T x = b; a dropped unknown stays zero.
void rslMultigrid_SolveLast(const rslMultigrid* grid)
{
    const rslLevel* level = &grid->levels[grid->levelCount - 1];
    size_t width = (size_t)level->width, size = (size_t)level->count * width;
    double* x = grid->last;
    for (size_t i = 0; i < size; ++i)
    {
        x[i] = level->b.x[i % width][i / width * level->b.stride];
    }
    for (size_t c = 0; c < size; ++c)
    {
        const double* row = grid->factor + c * size;
        x[c] = row[c] > 0.0 ? x[c] / row[c] : 0.0;
        rslMultigrid_TakeOne(x + c + 1, size - c - 1, row + c + 1, x[c]);
    }
    for (size_t r = size; r-- > 0;)
    {
        const double* row = grid->factor + r * size;
        x[r] = row[r] > 0.0 ? x[r] / row[r] : 0.0;
        rslMultigrid_TakeOne(x, r, row, x[r]);
    }
    for (size_t i = 0; i < size; ++i)
    {
        level->x.x[i % width][i / width * level->x.stride] = x[i];
    }
}
