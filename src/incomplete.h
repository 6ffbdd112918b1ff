// SPDX-License-Identifier: MIT
//
// incomplete.h: an approximate inverse of K for small networks: block incomplete Cholesky without fill, IC(0).

#pragma once

#include "unknowns.h"

typedef struct rslIncomplete
{
    const rslUnknowns* unknowns;
    void* kernel;
    int count;      // 0: not made
    int* order;     // node of every row
    int* rank;      // row of every node
    int* rowStart;  // left of the diagonal
    int* column;    // ascending
    double (*block)[9];
    double (*inverse)[6];  // of the pivots
    double (*x)[3];
    double (*sum)[3];
    bool usable;  // the last factorisation did not break down
} rslIncomplete;

// False when out of memory. For models of networks alone.
bool rslIncomplete_Make(rslIncomplete* matrix, const rslModel* model, const rslUnknowns* unknowns, void* kernel,
                        rslArena* arena);

// Take over K of a state with the diagonal blocks given.
void rslIncomplete_Update(rslIncomplete* matrix, const rslState* state, const double (*diagonal)[6]);

// z = M r
void rslIncomplete_Apply(rslIncomplete* matrix, const rslNodeVector* r, const rslNodeVector* z);
