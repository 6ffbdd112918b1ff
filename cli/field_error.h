// SPDX-License-Identifier: MIT
//
// field_error.h: displacements of the nodes of a scene against those of a finer one that has nodes at the same places.

#pragma once

#include "displaced.h"

// Of |u - u_reference| over the largest |u_reference|, over the nodes of the coarse one but those that are held: whose
// u_reference is 0.
typedef struct cliFieldError
{
    int count;                     // of nodes
    double mean, deviation, most;  // standard deviation, of all nodes
} cliFieldError;

// The mean is NaN when a node has no counterpart within 1e-6 m.
cliFieldError cliFieldError_Of(const cliDisplaced* coarse, const cliDisplaced* reference);
