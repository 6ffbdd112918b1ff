// SPDX-License-Identifier: MIT
//
// triangle.h: do two triangles of a mesh meet where they should not? Exact.

#pragma once

#include <stdbool.h>

// A triangle that is not degenerate. Two triangles share the corners with equal numbers.
typedef struct rslTriangle
{
    const double* x[3];  // x y z each
    int corner[3];
} rslTriangle;

// True when the triangles have a common point outside their shared corners and the edge between two of these. Two that
// share all corners do not count.
bool rslTriangle_Crosses(const rslTriangle* a, const rslTriangle* b);
