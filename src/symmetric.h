// SPDX-License-Identifier: MIT
//
// symmetric.h: eigenvalues of small symmetric matrices by Jacobi's rotations (1846).

#pragma once

enum
{
    RSL_SMALL = 6
};

// a becomes diagonal with its eigenvalues; column c of v is the eigenvector of a[c][c].
void rslSymmetric_Solve(double a[RSL_SMALL][RSL_SMALL], double v[RSL_SMALL][RSL_SMALL], int size);

// The same for any size; rows of a and v follow each other at a stride.
void rslSymmetric_SolveAny(double* a, double* v, int size, int stride);
