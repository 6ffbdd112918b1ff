// SPDX-License-Identifier: MIT
//
// dense.h: all eigenvalues of a small model, by a matrix that is written down.

#pragma once

#include "resilin/state.h"

typedef struct Dense
{
    int size;        // free unknowns
    double* square;  // w^2, ascending; free with free()
} Dense;

Dense SolveDense(const rslModel* model, const rslState* state);
