// SPDX-License-Identifier: MIT
//
// ritz.c: see ritz.h. With the vectors scaled to 1, G = S^T M S = V L V^T; what belongs to eigenvalues of G below 1e-10 is
// dropped (the vectors nearly depend on each other), and B = V L^-1/2 is a basis that is orthonormal in M. Then
// B^T (S^T A S) B = Y t Y^T gives the coefficients B Y.

#include "ritz.h"

#include "symmetric.h"

#include <math.h>
#include <string.h>

enum
{
    BLOCK = 4096,  // nodes that one item of work takes
    PIECE = 64,    // of them, at a time: they stay in the cache
    LANES = 8,     // partial sums of a piece
    ROW = 32       // nodes that are combined at a time
};

bool rslRitz_Make(rslRitz* ritz, const rslUnknowns* unknowns, int capacity, rslArena* arena)
{
    size_t size = (size_t)capacity, square = size * size;
    size_t blocks = (size_t)((unknowns->nodeCount + BLOCK - 1) / BLOCK);
    *ritz = (rslRitz){ .unknowns = unknowns, .mass = unknowns->model->mass, .capacity = capacity };
    ritz->a = rslArena_Allocate(arena, square, sizeof(double));
    ritz->m = rslArena_Allocate(arena, square, sizeof(double));
    ritz->vectors = rslArena_Allocate(arena, square, sizeof(double));
    ritz->basis = rslArena_Allocate(arena, square, sizeof(double));
    ritz->coefficient = rslArena_Allocate(arena, square, sizeof(double));
    ritz->value = rslArena_Allocate(arena, size, sizeof(double));
    ritz->sums = rslArena_Allocate(arena, blocks * size * (size + 1), sizeof(double));
    return ritz->a != NULL && ritz->m != NULL && ritz->vectors != NULL && ritz->basis != NULL &&
           ritz->coefficient != NULL && ritz->value != NULL && ritz->sums != NULL;
}

// ---- Gram matrices --------------------------------------------------------------------------------------------------

typedef struct Pass
{
    const rslRitz* ritz;
    const rslColumn* const* s;
    int size, kept, count;
    rslColumn *x, *p;
} Pass;

static double AddLanes(const double* x, const double* y, int count)
{
    double lane[LANES] = { 0 };
    for (int i = 0; i < count; i += LANES)
    {
        for (int l = 0; l < LANES; ++l)
        {
            lane[l] += x[i + l] * y[i + l];
        }
    }
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

// Pairs (a, b), a <= b: x_a M x_b and x_a A x_b. Vectors are padded with zeros.
static void AddPiece(const Pass* pass, int axis, int begin, int count, double* sums)
{
    double mx[PIECE] = { 0 };
    int padded = (count + LANES - 1) / LANES * LANES;
    for (int b = 0; b < pass->size; ++b)
    {
        const double *x = pass->s[b]->x.x[axis] + begin, *ax = pass->s[b]->ax.x[axis] + begin;
        for (int i = 0; i < count; ++i)
        {
            mx[i] = pass->ritz->mass[begin + i] * x[i];
        }
        for (int a = 0; a <= b; ++a, sums += 2)
        {
            const double* other = pass->s[a]->x.x[axis] + begin;
            sums[0] += AddLanes(other, mx, padded);
            sums[1] += AddLanes(other, ax, padded);
        }
    }
}

static void GramBlock(int item, void* context)
{
    const Pass* pass = context;
    size_t pairs = (size_t)pass->size * (size_t)(pass->size + 1);
    double* sums = &pass->ritz->sums[(size_t)item * pairs];
    int count = pass->ritz->unknowns->nodeCount, end = count - BLOCK * item < BLOCK ? count : BLOCK * (item + 1);
    memset(sums, 0, pairs * sizeof(double));
    for (int begin = BLOCK * item; begin < end; begin += PIECE)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            AddPiece(pass, axis, begin, end - begin < PIECE ? end - begin : PIECE, sums);
        }
    }
}

static void MakeGram(rslRitz* ritz, const rslColumn* const* s, int size)
{
    Pass pass = { .ritz = ritz, .s = s, .size = size };
    size_t n = (size_t)size, pairs = n * (n + 1), at = 0;
    int blocks = (ritz->unknowns->nodeCount + BLOCK - 1) / BLOCK;
    rslTeam_Run(ritz->unknowns->team, GramBlock, blocks, &pass);
    for (size_t b = 0; b < n; ++b)
    {
        for (size_t a = 0; a <= b; ++a, at += 2)
        {
            double m = 0.0, k = 0.0;
            for (size_t i = 0; i < (size_t)blocks; ++i)
            {
                m += ritz->sums[i * pairs + at];
                k += ritz->sums[i * pairs + at + 1];
            }
            ritz->m[a * n + b] = ritz->m[b * n + a] = m;
            ritz->a[a * n + b] = ritz->a[b * n + a] = k;
        }
    }
}

// ---- the small problem ----------------------------------------------------------------------------------------------

// Columns of the basis; returns their number. Vectors of length zero take no part.
static size_t MakeBasis(rslRitz* ritz, size_t n)
{
    double *m = ritz->m, *scale = ritz->value;
    size_t rank = 0;
    for (size_t j = 0; j < n; ++j)
    {
        scale[j] = m[j * n + j] > 0.0 ? 1.0 / sqrt(m[j * n + j]) : 0.0;
    }
    for (size_t j = 0; j < n * n; ++j)
    {
        m[j] *= scale[j / n] * scale[j % n];
    }
    rslSymmetric_SolveAny(m, ritz->vectors, (int)n, (int)n);
    for (size_t e = 0; e < n; ++e)
    {
        double value = m[e * n + e];
        for (size_t j = 0; value > 1e-10 && j < n; ++j)
        {
            ritz->basis[j * n + rank] = scale[j] * ritz->vectors[j * n + e] / sqrt(value);
        }
        rank += value > 1e-10;
    }
    return rank;
}

// m = B^T A B, rank by rank
static void Reduce(rslRitz* ritz, size_t n, size_t rank)
{
    double *ab = ritz->vectors, *out = ritz->m;
    for (size_t j = 0; j < n; ++j)
    {
        for (size_t c = 0; c < rank; ++c)
        {
            double sum = 0.0;
            for (size_t k = 0; k < n; ++k)
            {
                sum += ritz->a[j * n + k] * ritz->basis[k * n + c];
            }
            ab[j * n + c] = sum;
        }
    }
    for (size_t r = 0; r < rank; ++r)
    {
        for (size_t c = 0; c <= r; ++c)
        {
            double sum = 0.0;
            for (size_t k = 0; k < n; ++k)
            {
                sum += ritz->basis[k * n + r] * ab[k * n + c];
            }
            out[r * rank + c] = out[c * rank + r] = sum;
        }
    }
}

// The next lowest eigenvalue; it is taken off the list.
static size_t TakeLowest(double* m, size_t rank)
{
    size_t lowest = 0;
    for (size_t e = 1; e < rank; ++e)
    {
        lowest = m[e * rank + e] < m[lowest * rank + lowest] ? e : lowest;
    }
    return lowest;
}

int rslRitz_Solve(rslRitz* ritz, const rslColumn* const* s, int size, int wanted)
{
    size_t n = (size_t)size;
    MakeGram(ritz, s, size);
    size_t rank = MakeBasis(ritz, n), count = (size_t)wanted < rank ? (size_t)wanted : rank;
    Reduce(ritz, n, rank);
    rslSymmetric_SolveAny(ritz->m, ritz->vectors, (int)rank, (int)rank);
    for (size_t c = 0; c < count; ++c)
    {
        size_t e = TakeLowest(ritz->m, rank);
        ritz->value[c] = ritz->m[e * rank + e];
        ritz->m[e * rank + e] = INFINITY;
        for (size_t j = 0; j < n; ++j)
        {
            double sum = 0.0;
            for (size_t k = 0; k < rank; ++k)
            {
                sum += ritz->basis[j * n + k] * ritz->vectors[k * rank + e];
            }
            ritz->coefficient[j * (size_t)ritz->capacity + c] = sum;
        }
    }
    return (int)count;
}

// ---- combinations ---------------------------------------------------------------------------------------------------

static const double* Source(const rslColumn* column, int which, int axis)
{
    return which == 0 ? column->x.x[axis] : column->ax.x[axis];
}

static double* Target(rslColumn* column, int which, int axis)
{
    return which == 0 ? column->x.x[axis] : column->ax.x[axis];
}

// One output: those after `kept` first, which are p, then the others on top of them.
static void AddRow(const Pass* pass, int which, int axis, int begin, int count, int column, double (*out)[ROW])
{
    double sum[ROW] = { 0 };
    for (int turn = 0; turn < 2; ++turn)
    {
        int first = turn == 0 ? pass->kept : 0, last = turn == 0 ? pass->size : pass->kept;
        for (int j = first; j < last; ++j)
        {
            const double* from = Source(pass->s[j], which, axis) + begin;
            double c = pass->ritz->coefficient[(size_t)j * (size_t)pass->ritz->capacity + (size_t)column];
            for (int i = 0; i < count; ++i)
            {
                sum[i] += c * from[i];
            }
        }
        memcpy(out[turn], sum, sizeof sum);
    }
}

enum
{
    COLUMNS = 128
};

static void CombineRow(const Pass* pass, int which, int axis, int begin, int count)
{
    double out[COLUMNS][2][ROW];
    for (int c = 0; c < pass->count; ++c)
    {
        AddRow(pass, which, axis, begin, count, c, out[c]);
    }
    for (int c = 0; c < pass->count; ++c)
    {
        memcpy(Target(&pass->p[c], which, axis) + begin, out[c][0], (size_t)count * sizeof(double));
        memcpy(Target(&pass->x[c], which, axis) + begin, out[c][1], (size_t)count * sizeof(double));
    }
}

static void CombineBlock(int item, void* context)
{
    const Pass* pass = context;
    int count = pass->ritz->unknowns->nodeCount, end = count - BLOCK * item < BLOCK ? count : BLOCK * (item + 1);
    for (int begin = BLOCK * item; begin < end; begin += ROW)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            CombineRow(pass, 0, axis, begin, end - begin < ROW ? end - begin : ROW);
            CombineRow(pass, 1, axis, begin, end - begin < ROW ? end - begin : ROW);
        }
    }
}

void rslRitz_Combine(const rslRitz* ritz, const rslColumn* const* s, int size, int kept, rslColumn* x, rslColumn* p,
                     int count)
{
    Pass pass = { ritz, s, size, kept, count, x, p };
    RSL_ASSERT(count <= COLUMNS);
    rslTeam_Run(ritz->unknowns->team, CombineBlock, (ritz->unknowns->nodeCount + BLOCK - 1) / BLOCK, &pass);
}
