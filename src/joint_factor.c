// SPDX-License-Identifier: MIT
//
// joint_factor.c: the matrix of joints that make loops, factored at once.
//
// A = J W J^T has as many zero eigenvalues as equations that say the same twice: three in a flat loop of hinges. Scaled to a
// diagonal of 1, P^T A P = L D L^T with the largest remaining pivot first; what is left when that is rounding depends on
// the rows before it, and has no impulse. Conjugate gradients would do in exact arithmetic, but rounding makes such
// equations contradict each other a little, and they chase it without end.

#include "joint.h"

#include <math.h>
#include <string.h>

static const double smallestPivot = 1e-11;

bool rslJointFactor_Make(rslJointFactor* factor, int size, rslArena* arena)
{
    size_t n = (size_t)size;
    *factor = (rslJointFactor){ .size = size };
    factor->matrix = rslArena_Allocate(arena, n * n, sizeof(double));
    factor->scale = rslArena_Allocate(arena, n, sizeof(double));
    factor->work = rslArena_Allocate(arena, n, sizeof(double));
    factor->order = rslArena_Allocate(arena, n, sizeof(int));
    return factor->matrix != NULL && factor->scale != NULL && factor->work != NULL && factor->order != NULL;
}

static double* At(const rslJointFactor* factor, int row, int column)
{
    return &factor->matrix[(size_t)row * (size_t)factor->size + (size_t)column];
}

static void SwapDoubles(double* a, double* b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

// Rows and columns a < b of a matrix of which the lower half is stored.
static void Swap(rslJointFactor* factor, int a, int b)
{
    int kept = factor->order[a];
    factor->order[a] = factor->order[b];
    factor->order[b] = kept;
    SwapDoubles(At(factor, a, a), At(factor, b, b));
    for (int i = 0; i < a; ++i)
    {
        SwapDoubles(At(factor, a, i), At(factor, b, i));
    }
    for (int i = a + 1; i < b; ++i)
    {
        SwapDoubles(At(factor, i, a), At(factor, b, i));
    }
    for (int i = b + 1; i < factor->size; ++i)
    {
        SwapDoubles(At(factor, i, a), At(factor, i, b));
    }
}

static int LargestPivot(const rslJointFactor* factor, int from)
{
    int largest = from;
    for (int i = from + 1; i < factor->size; ++i)
    {
        largest = *At(factor, i, i) > *At(factor, largest, largest) ? i : largest;
    }
    return largest;
}

static void ScaleToOne(rslJointFactor* factor)
{
    for (int i = 0; i < factor->size; ++i)
    {
        double size = *At(factor, i, i);
        factor->scale[i] = size > 0.0 ? 1.0 / sqrt(size) : 0.0;
        factor->order[i] = i;
    }
    for (int i = 0; i < factor->size; ++i)
    {
        for (int k = 0; k <= i; ++k)
        {
            *At(factor, i, k) *= factor->scale[i] * factor->scale[k];
        }
    }
}

// The pivot at k, taken out of what comes after.
static void Eliminate(rslJointFactor* factor, int k)
{
    double* column = factor->work;
    for (int i = k + 1; i < factor->size; ++i)
    {
        column[i] = *At(factor, i, k);
        *At(factor, i, k) /= *At(factor, k, k);
    }
    for (int i = k + 1; i < factor->size; ++i)
    {
        double *row = At(factor, i, 0), share = row[k];
        for (int j = k + 1; j <= i; ++j)
        {
            row[j] -= share * column[j];
        }
    }
}

void rslJointFactor_Factor(rslJointFactor* factor)
{
    ScaleToOne(factor);
    for (factor->rank = 0; factor->rank < factor->size; ++factor->rank)
    {
        int pivot = LargestPivot(factor, factor->rank);
        if (!(*At(factor, pivot, pivot) > smallestPivot))
        {
            break;
        }
        if (pivot != factor->rank)
        {
            Swap(factor, factor->rank, pivot);
        }
        Eliminate(factor, factor->rank);
    }
}

void rslJointFactor_Solve(const rslJointFactor* factor, const double* right, double* out)
{
    double* y = factor->work;
    memset(out, 0, (size_t)factor->size * sizeof(double));
    for (int i = 0; i < factor->rank; ++i)
    {
        int row = factor->order[i];
        y[i] = factor->scale[row] * right[row];
        for (int k = 0; k < i; ++k)
        {
            y[i] -= *At(factor, i, k) * y[k];
        }
    }
    for (int i = factor->rank - 1; i >= 0; --i)
    {
        int row = factor->order[i];
        y[i] /= *At(factor, i, i);
        for (int k = i + 1; k < factor->rank; ++k)
        {
            y[i] -= *At(factor, k, i) * y[k];
        }
        out[row] = factor->scale[row] * y[i];
    }
}
