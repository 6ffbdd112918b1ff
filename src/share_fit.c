// SPDX-License-Identifier: MIT
//
// share_fit.c: see share_fit.h.

#include "share_fit.h"

#include "symmetric.h"

#include <math.h>
#include <string.h>

enum
{
    MONOMIALS = RSL_FORM,
    FLAT_MONOMIALS = 5
};

#define LEAST_PART 0.2
#define NONE 1e-9 /* of the largest eigenvalue: directions that are not there */

// Exponents of x, y, z; those without z first.
static const int exponents[MONOMIALS][3] = {
    { 4, 0, 0 }, { 3, 1, 0 }, { 2, 2, 0 }, { 1, 3, 0 }, { 0, 4, 0 }, { 0, 0, 4 }, { 3, 0, 1 }, { 2, 0, 2 },
    { 1, 0, 3 }, { 0, 3, 1 }, { 0, 2, 2 }, { 0, 1, 3 }, { 2, 1, 1 }, { 1, 2, 1 }, { 1, 1, 2 },
};

static void Evaluate(rslVec3 n, int size, double m[MONOMIALS])
{
    double power[3][5];
    const double x[3] = { n.x, n.y, n.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        power[axis][0] = 1.0;
        for (int e = 1; e < 5; ++e)
        {
            power[axis][e] = power[axis][e - 1] * x[axis];
        }
    }
    for (int q = 0; q < size; ++q)
    {
        m[q] = power[0][exponents[q][0]] * power[1][exponents[q][1]] * power[2][exponents[q][2]];
    }
}

// Components of dd + dd + dd: 3 for fourth powers, 1 for two squares.
static double Isotropic(int q)
{
    const int* e = exponents[q];
    bool even = e[0] % 2 == 0 && e[1] % 2 == 0 && e[2] % 2 == 0;
    return !even ? 0.0 : e[0] == 4 || e[1] == 4 || e[2] == 4 ? 3.0 : 1.0;
}

// c of M c = t, where M has it.
static void SolveForm(double* m, const double* t, int size, double* c)
{
    double v[MONOMIALS * MONOMIALS], largest = 0.0;
    rslSymmetric_SolveAny(m, v, size, MONOMIALS);
    for (int e = 0; e < size; ++e)
    {
        largest = fmax(largest, m[e * MONOMIALS + e]);
        c[e] = 0.0;
    }
    for (int e = 0; e < size; ++e)
    {
        double along = 0.0, eigenvalue = m[e * MONOMIALS + e];
        for (int q = 0; q < size; ++q)
        {
            along += v[q * MONOMIALS + e] * t[q];
        }
        for (int q = 0; eigenvalue > NONE * largest && q < size; ++q)
        {
            c[q] += along / eigenvalue * v[q * MONOMIALS + e];
        }
    }
}

// 1 + step (p - 1), with a step that leaves no part too small, and the sum as it was.
static void Limit(rslTie* ties, size_t count)
{
    double least = 1.0, sum = 0.0, with = 0.0;
    for (size_t i = 0; i < count; ++i)
    {
        least = fmin(least, ties[i].part);
    }
    double step = least < LEAST_PART ? (1.0 - LEAST_PART) / (1.0 - least) : 1.0;
    for (size_t i = 0; i < count; ++i)
    {
        ties[i].part = 1.0 + step * (ties[i].part - 1.0);
        sum += ties[i].weight;
        with += ties[i].weight * ties[i].part;
    }
    for (size_t i = 0; i < count; ++i)
    {
        ties[i].part *= sum / with;
    }
}

static int SizeOf(bool flat)
{
    return flat ? FLAT_MONOMIALS : MONOMIALS;
}

void rslShare_Tensor(const rslTie* ties, size_t count, bool flat, double t[RSL_FORM])
{
    double m[MONOMIALS];
    memset(t, 0, RSL_FORM * sizeof(double));
    for (size_t i = 0; i < count; ++i)
    {
        Evaluate(ties[i].n, SizeOf(flat), m);
        for (int q = 0; q < SizeOf(flat); ++q)
        {
            t[q] += ties[i].weight * ties[i].part * m[q];
        }
    }
}

void rslShare_Isotropic(double trace, bool flat, double t[RSL_FORM])
{
    for (int q = 0; q < RSL_FORM; ++q)
    {
        t[q] = Isotropic(q) * trace / (flat ? 8.0 : 15.0);
    }
}

double rslShare_Difference(const double s[RSL_FORM], const double t[RSL_FORM], bool flat)
{
    double most = 0.0;
    for (int q = 0; q < SizeOf(flat); ++q)
    {
        most = fmax(most, fabs(s[q] - t[q]));
    }
    return most;
}

void rslShare_Fit(rslTie* ties, size_t count, bool flat, const double t[RSL_FORM])
{
    int size = SizeOf(flat);
    double matrix[MONOMIALS * MONOMIALS] = { 0 }, rest[RSL_FORM], c[MONOMIALS], m[MONOMIALS];
    for (size_t i = 0; i < count; ++i)
    {
        ties[i].part = 1.0;
        Evaluate(ties[i].n, size, m);
        for (int q = 0; q < size * size; ++q)
        {
            matrix[q / size * MONOMIALS + q % size] += ties[i].weight * m[q / size] * m[q % size];
        }
    }
    rslShare_Tensor(ties, count, flat, rest);
    for (int q = 0; q < size; ++q)
    {
        rest[q] = t[q] - rest[q];
    }
    SolveForm(matrix, rest, size, c);
    for (size_t i = 0; i < count; ++i)
    {
        Evaluate(ties[i].n, size, m);
        for (int q = 0; q < size; ++q)
        {
            ties[i].part += c[q] * m[q];
        }
    }
    Limit(ties, count);
}
