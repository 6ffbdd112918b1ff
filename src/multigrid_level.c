// SPDX-License-Identifier: MIT
//
// multigrid_level.c: see multigrid.h. What every level needs, and the last one.

#include "multigrid.h"

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
    double* x[5];
    bool made = true;
    for (int v = 0; v < 5; ++v)
    {
        x[v] = rslArena_Allocate(arena, (size_t)level->count * (size_t)level->width, sizeof(double));
        made = made && x[v] != NULL;
    }
    level->x = x[0];
    level->b = x[1];
    level->kept = x[2];
    if (made)
    {
        level->p = rslLevel_Vector(level, x[3]);
        level->t = rslLevel_Vector(level, x[4]);
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
    return grid->factor != NULL;
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

static void ApplyInverse(const rslLevel* level, rslVector from, rslVector to, double scale)
{
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
double rslMultigrid_FindLargest(const rslMultigrid* grid, int index)
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
        ApplyInverse(level, level->t, level->p, 1.0 / norm);
        largest = Norm(level, level->p);
    }
    return largest;
}

// ---- the last level ---------------------------------------------------------------------------------------------------

// A = L L^T; a pivot below 1e-11 of its diagonal drops the unknown: its row of L is that of the identity without coupling.
static void Factor(double* a, int size)
{
    for (int c = 0; c < size; ++c)
    {
        double* row = &a[(size_t)c * (size_t)size];
        double whole = row[c], pivot = whole;
        for (int k = 0; k < c; ++k)
        {
            pivot -= row[k] * row[k];
        }
        bool kept = pivot > 1e-11 * whole && pivot > 0.0;
        row[c] = kept ? sqrt(pivot) : 0.0;
        for (int r = c + 1; r < size; ++r)
        {
            double* other = &a[(size_t)r * (size_t)size];
            double sum = other[c];
            for (int k = 0; kept && k < c; ++k)
            {
                sum -= other[k] * row[k];
            }
            other[c] = kept ? sum / row[c] : 0.0;
        }
    }
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
    for (int c = 0; e >= 0 && c < 9; ++c)
    {
        out[c] = (double)level->block[e][c];
    }
    if (e < 0)
    {
        memcpy(out, level->ground[i], 9 * sizeof(double));
        for (int k = level->rowStart[i]; k < level->rowStart[i + 1]; ++k)
        {
            for (int c = 0; c < 9; ++c)
            {
                out[c] -= (double)level->block[k][c];
            }
        }
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
    Factor(grid->factor, (int)size);
}

// L L^T x = b; a dropped unknown stays zero.
void rslMultigrid_SolveLast(const rslMultigrid* grid)
{
    const rslLevel* level = &grid->levels[grid->levelCount - 1];
    size_t size = (size_t)level->count * (size_t)level->width;
    double* x = level->x;
    for (size_t r = 0; r < size; ++r)
    {
        const double* row = &grid->factor[r * size];
        double sum = level->b[r];
        for (size_t c = 0; c < r; ++c)
        {
            sum -= row[c] * x[c];
        }
        x[r] = row[r] > 0.0 ? sum / row[r] : 0.0;
    }
    for (size_t r = size; r-- > 0;)
    {
        const double* row = &grid->factor[r * size];
        x[r] = row[r] > 0.0 ? x[r] / row[r] : 0.0;
        for (size_t c = 0; c < r; ++c)
        {
            x[c] -= row[c] * x[r];
        }
    }
}
