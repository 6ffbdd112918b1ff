// SPDX-License-Identifier: MIT
//
// multigrid_cycle.c: see multigrid.h.
//
//   cycle(k, b):  x = smooth(0, b);  r = P^T (b - A x);  e = cycle(k + 1, r);  e += cycle(k + 1, r - A_c e)
//                 x += P e;  return smooth(x, b)
// The second visit (W cycle) is left out where the next level is solved directly. It makes M = 2 B - B A B of the cycle B below,
// which is positive only as far as B A stays below 2. Rounded to single precision, A may be negative where a coarse node is stiff
// one way and hardly held another: once that is seen, there is one visit only (V cycle), which needs nothing of A. Smoothing is Chebyshev's polynomial of
// degree 2 or 3 in D^-1 A on [lo, hi], hi = 1.1 times the largest eigenvalue: with t = (hi + lo) / 2, d = (hi - lo) / 2,
//   p = D^-1 (b - A x) / t;  x += p;  q = d / t
//   and again  q' = 1 / (2 t / d - q);  p = q' q p + (2 q' / d) D^-1 (b - A x);  x += p;  q = q'
// Where a shift does much of the work (implicit steps, rslPreconditioner_TakeRest), light cycles take less time: one visit, and on level 0
// one step p = D^-1 (b - A x) / (0.6 hi), which takes half of the products and a fifth more iterations.
// All of it is independent of the order of nodes: no colours, and the same bits for any number of threads.

#include "multigrid.h"

#include "statics.h"

#include <string.h>

enum
{
    COARSE_SWEEPS = 8  // smoothings of a last level that is too large to be solved
};

// ---- products -------------------------------------------------------------------------------------------------------

typedef struct Pass
{
    const rslMultigrid* grid;
    const rslLevel *level, *next;
    rslVector x, b, t;
    double keep, gain;
    bool fresh;  // x is zero: A x is not looked at
} Pass;

static void Run(const rslMultigrid* grid, rslTask* task, int count, Pass* pass)
{
    pass->grid = grid;
    rslTeam_Run(grid->unknowns->team, task, rslLevel_Items(count), pass);
}

// out += A x for a block by columns
static inline void AddColumns(size_t width, const double* a, const double* x, double* out)
{
    for (size_t c = 0; c < width; ++c)
    {
        for (size_t r = 0; r < width; ++r)
        {
            out[r] += a[width * c + r] * x[c];
        }
    }
}

static inline void MultiplyRow(const rslLevel* level, size_t width, size_t i, const double* x, double* t)
{
    double out[RSL_MULTIGRID_WIDTH] = { 0 };
    AddColumns(width, level->wideDiagonal + width * width * i, x + width * i, out);
    for (int e = level->rowStart[i]; e < level->rowStart[i + 1]; ++e)
    {
        AddColumns(width, level->wide + width * width * (size_t)e, x + width * (size_t)level->column[e], out);
    }
    memcpy(t + width * i, out, width * sizeof(double));
}

// Networks: all blocks. The width is spelled out, so that the compiler knows it.
static void MultiplyWide(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel* level = pass->level;
    int end = rslLevel_End(item, level->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        if (level->width == 6)
        {
            MultiplyRow(level, 6, (size_t)i, pass->x.x[0], pass->t.x[0]);
        }
        else
        {
            MultiplyRow(level, 3, (size_t)i, pass->x.x[0], pass->t.x[0]);
        }
    }
}

// Level 0 of networks: out - sum of (k - t) n (n.d) + t d, d = x_j - x_i; out is zero when fresh.
static void MultiplySprings(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel* level = pass->level;
    double* const* x = pass->x.x;
    int end = rslLevel_End(item, level->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        double own[3] = { x[0][i], x[1][i], x[2][i] }, sum[3] = { 0 };
        for (int e = level->rowStart[i]; e < level->rowStart[i + 1]; ++e)
        {
            const float* s = level->spring[e];
            int j = level->column[e];
            double n[3] = { s[0], s[1], s[2] }, d[3] = { x[0][j] - own[0], x[1][j] - own[1], x[2][j] - own[2] };
            double along = (double)s[3] * (n[0] * d[0] + n[1] * d[1] + n[2] * d[2]), across = (double)s[4];
            sum[0] += along * n[0] + across * d[0];
            sum[1] += along * n[1] + across * d[1];
            sum[2] += along * n[2] + across * d[2];
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            pass->t.x[axis][i] = (pass->fresh ? 0.0 : pass->t.x[axis][i]) - sum[axis];
        }
    }
}

// Level 0 of networks with all blocks: numbers of nodes are apart. What touches is taken out of the diagonal.
static void MultiplyApart(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel* level = pass->level;
    double(*touch)[6] = pass->grid->touch;
    int end = rslLevel_End(item, level->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        double out[3] = { 0 }, x[3] = { pass->x.x[0][i], pass->x.x[1][i], pass->x.x[2][i] };
        if (touch != NULL)
        {
            rslBlock_Times(touch[i], x, out);
        }
        for (int c = 0; c < 3; ++c)
        {
            out[c] = -out[c];
        }
        AddColumns(3, level->wideDiagonal + 9 * (size_t)i, x, out);
        for (int e = level->rowStart[i]; e < level->rowStart[i + 1]; ++e)
        {
            int j = level->column[e];
            const double other[3] = { pass->x.x[0][j], pass->x.x[1][j], pass->x.x[2][j] };
            AddColumns(3, level->wide + 9 * (size_t)e, other, out);
        }
        for (int c = 0; c < 3; ++c)
        {
            pass->t.x[c][i] = out[c];
        }
    }
}

// A on level 0 as the kernel has it, without dispersion; springs of networks from what is stored, where they are.
static void MultiplyNodes(const rslMultigrid* grid, rslVector x, rslVector out)
{
    const rslLevel* level = &grid->levels[0];
    if (grid->stored)
    {
        if (level->wide != NULL)
        {
            Run(grid, MultiplyApart, level->count, &(Pass){ .level = level, .x = x, .t = out });
        }
        else
        {
            rslStencil_Multiply(&level->stencil, grid->unknowns->team, x.x, out.x);
        }
        rslStatics_Touch(grid->kernel, grid->state, x.x, out.x);
    }
    else if (level->spring == NULL)
    {
        rslStatics_Near(grid->kernel, grid->state, x.x, out.x);
    }
    else
    {
        bool others = rslStatics_Others(grid->kernel, grid->state, x.x, out.x);
        Run(grid, MultiplySprings, level->count, &(Pass){ .level = level, .x = x, .t = out, .fresh = !others });
    }
    rslUnknowns_Project(grid->unknowns, &(rslNodeVector){ { out.x[0], out.x[1], out.x[2] } });
}

void rslMultigrid_Multiply(const rslMultigrid* grid, int index, rslVector x, rslVector out)
{
    const rslLevel* level = &grid->levels[index];
    if (index == 0)
    {
        MultiplyNodes(grid, x, out);
        return;
    }
    if (level->stencil.groupCount > 0)
    {
        rslStencil_Multiply(&level->stencil, grid->unknowns->team, x.x, out.x);
        return;
    }
    Run(grid, MultiplyWide, level->count, &(Pass){ .level = level, .x = x, .t = out });
}

// ---- smoothing ------------------------------------------------------------------------------------------------------

// p = keep p + gain D^-1 (b - t);  x += p
static void SmoothBlock(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel* level = pass->level;
    int end = rslLevel_End(item, level->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        double r[RSL_MULTIGRID_WIDTH], z[RSL_MULTIGRID_WIDTH];
        size_t at = (size_t)i * level->p.stride;
        for (int c = 0; c < level->width; ++c)
        {
            r[c] = pass->b.x[c][at] - (pass->fresh ? 0.0 : level->t.x[c][at]);
        }
        rslLevel_Inverse(level, i, r, z);
        for (int c = 0; c < level->width; ++c)
        {
            double p = (pass->keep != 0.0 ? pass->keep * level->p.x[c][at] : 0.0) + pass->gain * z[c];
            level->p.x[c][at] = p;
            pass->x.x[c][at] = (pass->fresh ? 0.0 : pass->x.x[c][at]) + p;
        }
    }
}

static void Smooth(const rslMultigrid* grid, int index, rslVector b, rslVector x, bool fresh)
{
    const rslLevel* level = &grid->levels[index];
    double hi = 1.1 * level->largest, lo = hi / grid->ratio, t = 0.5 * (hi + lo), d = 0.5 * (hi - lo), q = d / t;
    bool stiff = hi > 0.0;  // a level without stiffness is left alone
    bool light = grid->light && index == 0;
    double first = light ? 0.6 * hi : t;
    Pass pass = { .level = level, .x = x, .b = b, .gain = stiff ? 1.0 / first : 0.0, .fresh = fresh };
    for (int k = 0; k < (light ? 1 : grid->degree); ++k)
    {
        if (k > 0)
        {
            double next = 1.0 / (2.0 * t / d - q);
            pass.keep = stiff ? next * q : 0.0;
            pass.gain = stiff ? 2.0 * next / d : 0.0;
            q = next;
        }
        if (!pass.fresh)
        {
            rslMultigrid_Multiply(grid, index, x, level->t);
        }
        if (level->stencil.groupCount > 0)
        {
            rslStencil_Smooth(
                &level->stencil, grid->unknowns->team,
                &(rslStencilSmoothing){ x.x, level->p.x, b.x, level->t.x, pass.keep, pass.gain, pass.fresh });
        }
        else
        {
            Run(grid, SmoothBlock, level->count, &pass);
        }
        pass.fresh = false;
    }
}

// ---- between levels ---------------------------------------------------------------------------------------------------

// b of the next level = P^T (b - t)
static void RestrictBlock(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel *fine = pass->level, *next = pass->next;
    size_t from = (size_t)fine->width, to = (size_t)next->width;
    int end = rslLevel_End(item, next->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        double sum[RSL_MULTIGRID_WIDTH] = { 0 };
        for (int k = fine->childStart[i]; k < fine->childStart[i + 1]; ++k)
        {
            int child = fine->child[k];
            double weight = 1.0 / (fine->parentStart[child + 1] - fine->parentStart[child]);
            double r[RSL_MULTIGRID_WIDTH];
            size_t at = (size_t)child * fine->t.stride;
            for (size_t c = 0; c < from; ++c)
            {
                r[c] = pass->b.x[c][at] - fine->t.x[c][at];
            }
            const float* block = fine->weight != NULL ? fine->weight + from * to * (size_t)fine->childEntry[k] : NULL;
            for (size_t c = 0; c < to; ++c)
            {
                for (size_t q = 0; block != NULL && q < from; ++q)
                {
                    sum[c] += (double)block[from * c + q] * r[q];
                }
                sum[c] += block == NULL ? weight * r[c] : 0.0;
            }
        }
        for (size_t c = 0; c < to; ++c)
        {
            next->b.x[c][(size_t)i * next->b.stride] = sum[c];
        }
    }
}

// x += P e, e in x of the next level
static void ProlongBlock(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel *fine = pass->level, *next = pass->next;
    size_t to = (size_t)fine->width, from = (size_t)next->width;
    int end = rslLevel_End(item, fine->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        int begin = fine->parentStart[i], parents = fine->parentStart[i + 1] - begin;
        double sum[RSL_MULTIGRID_WIDTH] = { 0 };
        for (int p = begin; p < begin + parents; ++p)
        {
            size_t at = (size_t)fine->parent[p] * next->x.stride;
            const float* block = fine->weight != NULL ? fine->weight + from * to * (size_t)p : NULL;
            for (size_t c = 0; block != NULL && c < from; ++c)
            {
                for (size_t q = 0; q < to; ++q)
                {
                    sum[q] += (double)block[to * c + q] * next->x.x[c][at];
                }
            }
            for (size_t q = 0; block == NULL && q < to; ++q)
            {
                sum[q] += next->x.x[q][at];
            }
        }
        double share = fine->weight != NULL ? 1.0 : parents;
        for (size_t q = 0; parents > 0 && q < to; ++q)
        {
            pass->x.x[q][(size_t)i * pass->x.stride] += sum[q] / share;
        }
    }
}

// kept = x, b -= t;  or x += kept
static void KeepBlock(int item, void* context)
{
    const Pass* pass = context;
    const rslLevel* level = pass->level;
    for (int c = 0; c < level->width; ++c)
    {
        size_t stride = level->x.stride, end = stride * (size_t)rslLevel_End(item, level->count);
        double *x = level->x.x[c], *b = level->b.x[c], *kept = level->kept.x[c], *t = level->t.x[c];
        for (size_t i = stride * RSL_LEVEL_BLOCK * (size_t)item; i < end; i += stride)
        {
            kept[i] = pass->fresh ? x[i] : kept[i];
            b[i] -= pass->fresh ? t[i] : 0.0;
            x[i] += pass->fresh ? 0.0 : kept[i];
        }
    }
}

// ---- the cycle ------------------------------------------------------------------------------------------------------

static void Cycle(const rslMultigrid* grid, int index, rslVector b, rslVector x);

// x of a level from its b
static void SolveLevel(const rslMultigrid* grid, int index)
{
    const rslLevel* level = &grid->levels[index];
    if (index < grid->levelCount - 1)
    {
        Cycle(grid, index, level->b, level->x);
    }
    else if (grid->factor != NULL)
    {
        rslMultigrid_SolveLast(grid);
    }
    for (int s = 0; s < COARSE_SWEEPS && index == grid->levelCount - 1 && grid->factor == NULL; ++s)
    {
        Smooth(grid, index, level->b, level->x, s == 0);
    }
}

static void Cycle(const rslMultigrid* grid, int index, rslVector b, rslVector x)
{
    const rslLevel *level = &grid->levels[index], *next = level + 1;
    Pass pass = { .level = level, .next = next, .x = x, .b = b };
    Smooth(grid, index, b, x, true);
    rslMultigrid_Multiply(grid, index, x, level->t);
    Run(grid, RestrictBlock, next->count, &pass);
    SolveLevel(grid, index + 1);
    if (index + 1 < grid->levelCount - 1 && !grid->once)
    {
        rslMultigrid_Multiply(grid, index + 1, next->x, next->t);
        Run(grid, KeepBlock, next->count, &(Pass){ .level = next, .fresh = true });
        SolveLevel(grid, index + 1);
        Run(grid, KeepBlock, next->count, &(Pass){ .level = next });
    }
    Run(grid, ProlongBlock, level->count, &pass);
    if (index == 0)
    {
        rslUnknowns_Project(grid->unknowns, &(rslNodeVector){ { x.x[0], x.x[1], x.x[2] } });
    }
    Smooth(grid, index, b, x, false);
}

void rslMultigrid_Apply(rslMultigrid* grid, const rslNodeVector* r, const rslNodeVector* z)
{
    Cycle(grid, 0, rslNodeVector_Strided(r), rslNodeVector_Strided(z));
    rslUnknowns_Project(grid->unknowns, z);
}
