// SPDX-License-Identifier: MIT
//
// free_box.c: see free_box.h.
//
// Rayleigh-Ritz on polynomials (Demarest 1971, Visscher et al. 1991), with products of Legendre polynomials, which need no
// mass matrix. With half sides l_i, x_i = l_i s_i, and on [-1, 1] the orthonormal p_m = sqrt(m + 1/2) P_m,
//
//   D_mn = integral of p_m' p_n = sqrt((2m+1)(2n+1)) for n < m with m - n odd, else 0
//   integral of p_m' p_n' = sum over k of D_mk D_nk
//
// the displacement u_i = sum over f of q_if f(s), f = p_a p_b p_c with a + b + c <= N, has
//
//   K_if,jg = lam <f,i g,j> + mu <f,j g,i> + delta_ij mu <grad f . grad g>,   w^2 = eigenvalues of K / rho
//
// Mirror images of the box keep eight kinds of motion apart, told by the parities of (a, b, c) + e_i. Eigenvalues of each by
// Jacobi's rotations. Six of all are zero: shifts and turns.

#include "free_box.h"

#include "memory.h"
#include "vec.h"

enum
{
    ORDER = 10,  // N
    SIZE = ORDER + 1,
    MOST = 160,  // functions of one kind
    ZEROS = 6
};

typedef struct Term
{
    int axis, power[3];
} Term;

typedef struct Ritz
{
    double first[SIZE][SIZE], second[SIZE][SIZE];  // of p_m' p_n, p_m' p_n'
    double half[3], lame, shear;
    Term terms[MOST];
    int count;
    double matrix[MOST][MOST];
} Ritz;

static void FillIntegrals(Ritz* ritz)
{
    for (int m = 0; m < SIZE; ++m)
    {
        for (int n = 0; n < m; ++n)
        {
            ritz->first[m][n] = (m - n) % 2 == 1 ? sqrt((2.0 * m + 1.0) * (2.0 * n + 1.0)) : 0.0;
        }
    }
    for (int m = 0; m < SIZE; ++m)
    {
        for (int n = 0; n < SIZE; ++n)
        {
            for (int k = 0; k < SIZE; ++k)
            {
                ritz->second[m][n] += ritz->first[m][k] * ritz->first[n][k];
            }
        }
    }
}

// Integral of f,i g,j.
static double Gradients(const Ritz* ritz, const int f[3], const int g[3], int i, int j)
{
    double product = 1.0 / (ritz->half[i] * ritz->half[j]);
    for (int axis = 0; axis < 3; ++axis)
    {
        int m = f[axis], n = g[axis];
        bool left = axis == i, right = axis == j;
        product *= left && right ? ritz->second[m][n]
                   : left        ? ritz->first[m][n]
                   : right       ? ritz->first[n][m]
                   : m == n      ? 1.0
                                 : 0.0;
    }
    return product;
}

static double Entry(const Ritz* ritz, const Term* s, const Term* t)
{
    double sum = ritz->lame * Gradients(ritz, s->power, t->power, s->axis, t->axis) +
                 ritz->shear * Gradients(ritz, s->power, t->power, t->axis, s->axis);
    for (int axis = 0; s->axis == t->axis && axis < 3; ++axis)
    {
        sum += ritz->shear * Gradients(ritz, s->power, t->power, axis, axis);
    }
    return sum;
}

// The functions of one kind, and their matrix.
static void FillKind(Ritz* ritz, int kind)
{
    ritz->count = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int code = 0; code < SIZE * SIZE * SIZE; ++code)
        {
            Term term = { axis, { code % SIZE, code / SIZE % SIZE, code / (SIZE * SIZE) } };
            int parity = 0;
            for (int k = 0; k < 3; ++k)
            {
                parity |= (term.power[k] + (k == axis)) % 2 << k;
            }
            if (parity == kind && term.power[0] + term.power[1] + term.power[2] <= ORDER)
            {
                RSL_ASSERT(ritz->count < MOST);
                ritz->terms[ritz->count++] = term;
            }
        }
    }
    for (int r = 0; r < ritz->count; ++r)
    {
        for (int c = 0; c < ritz->count; ++c)
        {
            ritz->matrix[r][c] = Entry(ritz, &ritz->terms[r], &ritz->terms[c]);
        }
    }
}

// One rotation that takes out a[p][q]; Golub and Van Loan, algorithm 8.5.1.
static void Rotate(Ritz* ritz, int p, int q)
{
    double(*a)[MOST] = ritz->matrix;
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < ritz->count; ++k)
    {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
    }
    for (int k = 0; k < ritz->count; ++k)
    {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
}

static void Diagonalize(Ritz* ritz)
{
    double(*a)[MOST] = ritz->matrix;
    for (int sweep = 0; sweep < 30; ++sweep)
    {
        double off = 0.0, most = 0.0;
        for (int p = 0; p < ritz->count; ++p)
        {
            most = fmax(most, fabs(a[p][p]));
            for (int q = p + 1; q < ritz->count; ++q)
            {
                off = fmax(off, fabs(a[p][q]));
            }
        }
        if (off <= 1e-13 * most)
        {
            return;
        }
        for (int p = 0; p < ritz->count; ++p)
        {
            for (int q = p + 1; q < ritz->count; ++q)
            {
                if (fabs(a[p][q]) > 1e-15 * most)
                {
                    Rotate(ritz, p, q);
                }
            }
        }
    }
}

// Keep the lowest, sorted.
static void Keep(double* lowest, int count, double value)
{
    for (int i = 0; i < count; ++i)
    {
        double kept = lowest[i];
        lowest[i] = value < kept ? value : kept;
        value = value < kept ? kept : value;
    }
}

rslStatus rslFreeBox_Frequencies(rslVec3 size, double young, double poisson, double density, const rslHooks* hooks,
                                 double* frequencies, int count)
{
    const double pi = 3.14159265358979323846;
    rslHooks complete = rslHooks_Complete(hooks);
    Ritz* ritz = rslAllocate(&complete, 1, sizeof(Ritz));
    double* lowest = rslAllocate(&complete, (size_t)(count + ZEROS), sizeof(double));
    rslStatus status = ritz != NULL && lowest != NULL ? rsl_ok : rsl_outOfMemory;
    if (status == rsl_ok)
    {
        // in units of the longest side and of E: the same figures at every scale
        double length = fmax(size.x, fmax(size.y, size.z));
        ritz->half[0] = 0.5 * size.x / length;
        ritz->half[1] = 0.5 * size.y / length;
        ritz->half[2] = 0.5 * size.z / length;
        ritz->lame = poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        ritz->shear = 0.5 / (1.0 + poisson);
        FillIntegrals(ritz);
        for (int i = 0; i < count + ZEROS; ++i)
        {
            lowest[i] = INFINITY;
        }
        for (int kind = 0; kind < 8; ++kind)
        {
            FillKind(ritz, kind);
            Diagonalize(ritz);
            for (int i = 0; i < ritz->count; ++i)
            {
                Keep(lowest, count + ZEROS, ritz->matrix[i][i]);
            }
        }
        for (int i = 0; i < count; ++i)
        {
            frequencies[i] = sqrt(lowest[ZEROS + i] * young / density) / (length * 2.0 * pi);
        }
    }
    rslRelease(&complete, lowest);
    rslRelease(&complete, ritz);
    return status;
}
