// SPDX-License-Identifier: MIT
//
// inversion.h: does a triangle or a tetrahedron collapse while its corners move on straight lines, and when first?

#pragma once

#include <stdbool.h>

typedef enum rslMeasure
{
    rsl_planeArea,  // signed area of a triangle in x and y, positive counter-clockwise
    rsl_spaceArea,  // area of a triangle in space, which has no sign
    rsl_volume,     // signed volume of a tetrahedron: det [b - a, c - a, d - a] / 6
} rslMeasure;

// Corners at the start and at the end of a move; three of a triangle.
typedef struct rslMove
{
    rslMeasure measure;
    double from[4][3], to[4][3];
} rslMove;

// The measure of four (three) corners [m2, m3].
double rslMeasure_Of(rslMeasure measure, double (*corners)[3]);

// The first time in [0, 1] at which the measure falls to a floor, not above it: until then it is larger, whatever rounding
// does. 0 when it is not above it at the start, INFINITY when it never falls so far.
double rslMove_FirstTime(const rslMove* move, double floor);

// Does the measure fall to the floor anywhere on the way? True as well where that cannot be told for rounding.
bool rslMove_Falls(const rslMove* move, double floor);

enum
{
    RSL_ZEROS_MOST = 3
};

// The spans of time in [0, 1] in which the measure may be zero, for rounding or in truth, ascending: first and last. Outside of
// them it is not. A way that is not finite has one span, all of it.
int rslMove_Zeros(const rslMove* move, double (*spans)[2]);
