// SPDX-License-Identifier: MIT
//
// lobpcg.h: the lowest eigenvectors of K x = w^2 M x without a matrix, all at once.

#pragma once

#include "floppy.h"
#include "ritz.h"

enum
{
    RSL_LOBPCG_GUARDS = 4,  // vectors beyond those wanted: the last ones wanted converge as fast as the others
    RSL_LOBPCG_ZEROS = 64   // motions that cost nothing, beyond those found exactly
};

typedef struct rslLobpcg
{
    // to be filled before Run
    const rslUnknowns* unknowns;
    const rslFloppy* floppy;
    rslArena* arena;
    void (*multiply)(void* context, const rslNodeVector* x, const rslNodeVector* out);      // A = K + shift M
    void (*precondition)(void* context, const rslNodeVector* r, const rslNodeVector* out);  // about A^-1
    void* context;
    double shift;      // [1/s2]
    double tolerance;  // |M^-1/2 (K x - w^2 M x)| / w^2
    double zero;       // w^2 within this counts as none [1/s2]
    double calm;       // when the residual of such a motion is within this [1/s2]
    int limit;         // iterations
    // found; lowest first
    int wanted;     // on return no more than there are
    int columns;    // vectors in x
    rslColumn* x;   // orthonormal in M
    double* value;  // w^2
    double* residual;
    int iterations;
    rslColumn* locked;  // motions that cost nothing: vectors and M times them
    int lockedCount;
    // scratch
    rslColumn *w, *p;
    rslRitz ritz;
    rslColumn** span;
    const rslNodeVector** list;
    int* active;
    int activeCount, freshCount;
    bool hasP;
    bool careful;  // rounding has shown: W and P are orthonormal to all others, with products of their own
    double best;   // the least that the worst relative residual of those wanted has been
} rslLobpcg;

// Make room for so many vectors wanted. False when out of memory.
bool rslLobpcg_Make(rslLobpcg* search, int wanted);

// rsl_ok, rsl_notConverged, rsl_outOfMemory, or rsl_unsupported: more than RSL_LOBPCG_ZEROS motions cost nothing.
rslStatus rslLobpcg_Run(rslLobpcg* search);

// Columns that were found in another way, instead of Run: the best in their span, with values and residuals. rsl_notConverged
// when one is not within the tolerance.
rslStatus rslLobpcg_Take(rslLobpcg* search, int columns);
