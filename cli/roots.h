// SPDX-License-Identifier: MIT
//
// roots.h: where a field in the plane vanishes.

#pragma once

#include <stdbool.h>

typedef struct cliPoint
{
    double x, y;
} cliPoint;

// The field at a point of the plane.
typedef cliPoint cliField(cliPoint at, void* context);

// A window of the plane to start from, and the least and most y of points that count.
typedef struct cliWindow
{
    cliPoint low, high;
    double lowest, highest;
} cliWindow;

// Newton's method from size x size points of the window. Each root once, by x, then y; those beyond the capacity are left out.
int cliRoots_Find(cliField* field, void* context, const cliWindow* window, int size, cliPoint* roots, int capacity);
