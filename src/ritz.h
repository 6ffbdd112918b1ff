// SPDX-License-Identifier: MIT
//
// ritz.h: the method of Rayleigh and Ritz: the best approximations of the lowest eigenvectors of A x = t M x within the span
// of some vectors.

#pragma once

#include "unknowns.h"

// A vector and its product.
typedef struct rslColumn
{
    rslNodeVector x, ax;
} rslColumn;

typedef struct rslRitz
{
    const rslUnknowns* unknowns;
    const double* mass;
    int capacity;
    double *a, *m;            // Gram matrices; both lose their contents
    double *vectors, *basis;  // scratch of the same size
    double* sums;             // of every block
    double* value;            // t, ascending
    double* coefficient;      // of vector j in approximation c: coefficient[j * capacity + c]
} rslRitz;

// capacity: vectors at most. False when out of memory.
bool rslRitz_Make(rslRitz* ritz, const rslUnknowns* unknowns, int capacity, rslArena* arena);

// Fills value and coefficient of the lowest approximations; returns their number, fewer than wanted where the vectors span
// no more.
int rslRitz_Solve(rslRitz* ritz, const rslColumn* const* s, int size, int wanted);

// x[c] = sum over all j of coefficient[j][c] s[j];  p[c] = the same over j >= kept. x and p may be among s.
void rslRitz_Combine(const rslRitz* ritz, const rslColumn* const* s, int size, int kept, rslColumn* x, rslColumn* p,
                     int count);
