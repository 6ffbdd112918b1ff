// SPDX-License-Identifier: MIT
//
// symmetric.c: see symmetric.h. A rotation in the plane (p, q) with t = tan: t^2 + 2 b t - 1 = 0, b = (a_qq - a_pp) / 2 a_pq,
// the smaller root, makes a_pq vanish. Sweeps over all planes go on until nothing is left beside the diagonal; six to ten
// are enough for any size.

#include "symmetric.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum
{
    SWEEPS = 30
};

typedef struct Matrices
{
    double *a, *v;
    size_t size, stride;
} Matrices;

static void Rotate(const Matrices* m, size_t p, size_t q)
{
    double *rowP = &m->a[p * m->stride], *rowQ = &m->a[q * m->stride];
    double b = (rowQ[q] - rowP[p]) / (2.0 * rowP[q]);
    double t = (b >= 0.0 ? 1.0 : -1.0) / (fabs(b) + sqrt(b * b + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (size_t k = 0; k < m->size; ++k)
    {
        double* row = &m->a[k * m->stride];
        double x = row[p], y = row[q];
        row[p] = c * x - s * y;
        row[q] = s * x + c * y;
    }
    for (size_t k = 0; k < m->size; ++k)
    {
        double x = rowP[k], y = rowQ[k], *row = &m->v[k * m->stride];
        rowP[k] = c * x - s * y;
        rowQ[k] = s * x + c * y;
        x = row[p];
        y = row[q];
        row[p] = c * x - s * y;
        row[q] = s * x + c * y;
    }
}

static bool Sweep(const Matrices* m, double least)
{
    bool turned = false;
    for (size_t p = 0; p < m->size; ++p)
    {
        for (size_t q = p + 1; q < m->size; ++q)
        {
            if (fabs(m->a[p * m->stride + q]) > least)
            {
                Rotate(m, p, q);
                turned = true;
            }
        }
    }
    return turned;
}

void rslSymmetric_SolveAny(double* a, double* v, int size, int stride)
{
    Matrices m = { a, v, (size_t)size, (size_t)stride };
    double largest = 0.0;
    for (size_t p = 0; p < m.size; ++p)
    {
        largest = fabs(a[p * m.stride + p]) > largest ? fabs(a[p * m.stride + p]) : largest;
        for (size_t q = 0; q < m.size; ++q)
        {
            v[p * m.stride + q] = p == q ? 1.0 : 0.0;
        }
    }
    double least = 1e-20 * largest > 1e-300 ? 1e-20 * largest : 1e-300;
    for (int sweep = 0; sweep < SWEEPS && Sweep(&m, least); ++sweep)
    {
    }
}

void rslSymmetric_Solve(double a[RSL_SMALL][RSL_SMALL], double v[RSL_SMALL][RSL_SMALL], int size)
{
    rslSymmetric_SolveAny(a[0], v[0], size, RSL_SMALL);
}
