// SPDX-License-Identifier: MIT
//
// direct.h: K factored by another library (rslDirect of solver.h) in place of an approximate inverse.

#pragma once

#include "unknowns.h"

#include "resilin/solver.h"

typedef struct rslFactored
{
    const rslDirect* library;
    const rslUnknowns* unknowns;
    void* kernel;
    const rslState* state;
    int count;         // of nodes
    int* start;        // of every node: nodes after it that it is joined to
    int* other;        // ascending
    int* columnStart;  // of every unknown, the lower triangle of K
    int* row;
    double* value;
    double *b, *x;
    void* factor;  // the library's
    bool usable;   // the last factorisation did not break down
} rslFactored;

// False when out of memory, or when K has more numbers than the library can count. Without a library: the matrix alone.
bool rslFactored_Make(rslFactored* matrix, const rslDirect* library, const rslModel* model, const rslUnknowns* unknowns,
                      void* kernel, rslArena* arena);
void rslFactored_Free(rslFactored* matrix);

// Take over K of a state as it is, or where that is not positive, and the kernel need not be exact, as Near has it (statics.h).
void rslFactored_Update(rslFactored* matrix, const rslState* state);

// z = K^-1 r; false when the library failed.
bool rslFactored_Apply(rslFactored* matrix, const rslNodeVector* r, const rslNodeVector* z);
