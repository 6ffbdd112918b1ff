// SPDX-License-Identifier: MIT
//
// multigrid_cycle.c: see multigrid.h.
//
//   cycle(k, b):  x = smooth(0, b);  r = P^T (b - A x);  e = cycle(k + 1, r);  e += cycle(k + 1, r - A_c e)
//                 x += P e;  return smooth(x, b)
// The second visit (W cycle) is left out where the next level is solved directly. Smoothing is Chebyshev's polynomial of
// degree 2 in D^-1 A on [hi / 4, hi], hi = 1.1 times the largest eigenvalue: with t = (hi + lo) / 2, d = (hi - lo) / 2,
//   p = D^-1 (b - A x) / t;  x += p;  q = d / t,  q' = 1 / (2 t / d - q);  p = q' q p + (2 q' / d) D^-1 (b - A x);  x += p
// Both are independent of the order of nodes: no colours, and the same bits for any number of threads.

#include "multigrid.h"

#include "statics.h"

enum
{
    COARSE_SWEEPS = 8  // smoothings of a last level that is too large to be solved
};

// ---- products -------------------------------------------------------------------------------------------------------

typedef struct Pass
{
    const rslMultigrid* grid;
    const rslLevel *level, *next;
    const rslField *x, *b, *p, *t;
    double keep, gain;
    bool fresh;  // x is zero: A x is not looked at
} Pass;

static void Run(const rslMultigrid* grid, rslTask* task, int count, Pass* pass)
{
    pass->grid = grid;
    rslTeam_Run(grid->unknowns->team, task, rslLevel_Items(count), pass);
}

static void MultiplyBlock(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel* level = pass->level;
    double* const* x = pass->x->x;
    int end = rslLevel_End(item, level->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        const double* g = level->ground[i];
        double xi = x[0][i], yi = x[1][i], zi = x[2][i];
        double out[3] = { g[0] * xi + g[1] * yi + g[2] * zi, g[3] * xi + g[4] * yi + g[5] * zi,
                          g[6] * xi + g[7] * yi + g[8] * zi };
        for (int e = level->rowStart[i]; e < level->rowStart[i + 1]; ++e)
        {
            const float* a = level->block[e];
            int j = level->column[e];
            double dx = x[0][j] - xi, dy = x[1][j] - yi, dz = x[2][j] - zi;
            out[0] += (double)a[0] * dx + (double)a[1] * dy + (double)a[2] * dz;
            out[1] += (double)a[3] * dx + (double)a[4] * dy + (double)a[5] * dz;
            out[2] += (double)a[6] * dx + (double)a[7] * dy + (double)a[8] * dz;
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            pass->t->x[axis][i] = out[axis];
        }
    }
}

void rslMultigrid_Multiply(const rslMultigrid* grid, int level, const rslField* x, const rslField* out)
{
    if (level == 0)
    {
        rslStatics_Product(grid->kernel, grid->state, x->x, out->x);
        rslUnknowns_Project(grid->unknowns, out);
        return;
    }
    Run(grid, MultiplyBlock, grid->levels[level].count, &(Pass){ .level = &grid->levels[level], .x = x, .t = out });
}

// ---- smoothing ------------------------------------------------------------------------------------------------------

// p = keep p + gain D^-1 (b - t);  x += p
static void SmoothBlock(int item, void* context)
{
    const Pass* pass = context;
    int end = rslLevel_End(item, pass->level->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        const float* f = pass->level->inverse[i];
        double s[6] = { f[0], f[1], f[2], f[3], f[4], f[5] }, r[3], z[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            r[axis] = pass->b->x[axis][i] - (pass->fresh ? 0.0 : pass->t->x[axis][i]);
        }
        rslBlock_Times(s, r, z);
        for (int axis = 0; axis < 3; ++axis)
        {
            double p = (pass->keep != 0.0 ? pass->keep * pass->p->x[axis][i] : 0.0) + pass->gain * z[axis];
            pass->p->x[axis][i] = p;
            pass->x->x[axis][i] = (pass->fresh ? 0.0 : pass->x->x[axis][i]) + p;
        }
    }
}

static void Smooth(const rslMultigrid* grid, int index, const rslField* b, const rslField* x, bool fresh)
{
    const rslLevel* level = &grid->levels[index];
    double hi = 1.1 * level->largest, lo = 0.25 * hi, t = 0.5 * (hi + lo), d = 0.5 * (hi - lo);
    double q = d / t, next = 1.0 / (2.0 * t / d - q);
    Pass pass = { .level = level, .x = x, .b = b, .p = &level->p, .t = &level->t, .gain = 1.0 / t, .fresh = fresh };
    if (!(hi > 0.0))
    {
        pass.gain = 0.0;  // a level without stiffness
        next = 0.0;
        d = 1.0;
    }
    if (!fresh)
    {
        rslMultigrid_Multiply(grid, index, x, &level->t);
    }
    Run(grid, SmoothBlock, level->count, &pass);
    rslMultigrid_Multiply(grid, index, x, &level->t);
    pass.fresh = false;
    pass.keep = next * q;
    pass.gain = 2.0 * next / d;
    Run(grid, SmoothBlock, level->count, &pass);
}

// ---- between levels ---------------------------------------------------------------------------------------------------

// b of the next level = P^T (b - t)
static void RestrictBlock(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel* fine = pass->level;
    int end = rslLevel_End(item, pass->next->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        double sum[3] = { 0 };
        for (int c = fine->childStart[i]; c < fine->childStart[i + 1]; ++c)
        {
            int child = fine->child[c];
            double weight = 1.0 / (fine->parentStart[child + 1] - fine->parentStart[child]);
            for (int axis = 0; axis < 3; ++axis)
            {
                sum[axis] += weight * (pass->b->x[axis][child] - pass->t->x[axis][child]);
            }
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            pass->next->b.x[axis][i] = sum[axis];
        }
    }
}

// x += P e, e in x of the next level
static void ProlongBlock(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel* fine = pass->level;
    int end = rslLevel_End(item, fine->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        int begin = fine->parentStart[i], parents = fine->parentStart[i + 1] - begin;
        for (int axis = 0; parents > 0 && axis < 3; ++axis)
        {
            double sum = 0.0;
            for (int p = begin; p < begin + parents; ++p)
            {
                sum += pass->next->x.x[axis][fine->parent[p]];
            }
            pass->x->x[axis][i] += sum / parents;
        }
    }
}

// kept = x, b -= t;  or x += kept
static void KeepBlock(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel* level = pass->level;
    int end = rslLevel_End(item, level->count);
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
        {
            if (pass->fresh)
            {
                level->kept.x[axis][i] = level->x.x[axis][i];
                level->b.x[axis][i] -= level->t.x[axis][i];
            }
            else
            {
                level->x.x[axis][i] += level->kept.x[axis][i];
            }
        }
    }
}

// ---- the cycle ------------------------------------------------------------------------------------------------------

// L L^T x = b; a dropped unknown stays zero.
static void SolveDense(const rslMultigrid* grid)
{
    const rslLevel* level = &grid->levels[grid->levelCount - 1];
    int size = 3 * level->count;
    for (int r = 0; r < size; ++r)
    {
        const double* row = &grid->factor[(size_t)r * (size_t)size];
        double sum = level->b.x[r % 3][r / 3];
        for (int c = 0; c < r; ++c)
        {
            sum -= row[c] * level->x.x[c % 3][c / 3];
        }
        level->x.x[r % 3][r / 3] = row[r] > 0.0 ? sum / row[r] : 0.0;
    }
    for (int r = size - 1; r >= 0; --r)
    {
        const double* row = &grid->factor[(size_t)r * (size_t)size];
        double x = row[r] > 0.0 ? level->x.x[r % 3][r / 3] / row[r] : 0.0;
        level->x.x[r % 3][r / 3] = x;
        for (int c = 0; c < r; ++c)
        {
            level->x.x[c % 3][c / 3] -= row[c] * x;
        }
    }
}

static void SolveLast(const rslMultigrid* grid, int index)
{
    const rslLevel* level = &grid->levels[index];
    if (grid->factor != NULL)
    {
        SolveDense(grid);
        return;
    }
    for (int s = 0; s < COARSE_SWEEPS; ++s)
    {
        Smooth(grid, index, &level->b, &level->x, s == 0);
    }
}

static void Cycle(const rslMultigrid* grid, int index, const rslField* b, const rslField* x)
{
    const rslLevel *level = &grid->levels[index], *next = level + 1;
    if (index == grid->levelCount - 1)
    {
        SolveLast(grid, index);
        return;
    }
    Pass pass = { .level = level, .next = next, .x = x, .b = b, .t = &level->t };
    Smooth(grid, index, b, x, true);
    rslMultigrid_Multiply(grid, index, x, &level->t);
    Run(grid, RestrictBlock, next->count, &pass);
    Cycle(grid, index + 1, &next->b, &next->x);
    if (index + 1 < grid->levelCount - 1)
    {
        rslMultigrid_Multiply(grid, index + 1, &next->x, &next->t);
        Run(grid, KeepBlock, next->count, &(Pass){ .level = next, .fresh = true });
        Cycle(grid, index + 1, &next->b, &next->x);
        Run(grid, KeepBlock, next->count, &(Pass){ .level = next });
    }
    Run(grid, ProlongBlock, level->count, &pass);
    if (index == 0)
    {
        rslUnknowns_Project(grid->unknowns, x);
    }
    Smooth(grid, index, b, x, false);
}

void rslMultigrid_Apply(rslMultigrid* grid, const rslField* r, const rslField* z)
{
    Cycle(grid, 0, r, z);
    rslUnknowns_Project(grid->unknowns, z);
}
