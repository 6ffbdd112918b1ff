// SPDX-License-Identifier: MIT
//
// block_test.h: Young's modulus and Poisson's ratio of a box pulled or pressed along x, as the experiments read them.

#pragma once

#include "reproduce.h"

typedef struct cliModuli
{
    double young;    // force over area and the strain between the grips [Pa]
    double inner;    // the same with the strain in the middle of the box [Pa]
    double poisson;  // widening over shortening in the middle of the box
} cliModuli;

// Of a scene at rest with one body, a box around the origin, whose constraints 0 and 1 are motions of its ends along x.
// The grips end at their innermost nodes. Strains in the middle are those of straight lines through the displacements of the
// nodes there (half of the length between the grips, 80 % of the widths); that across is the mean of y and z.
// NaN when out of memory or when there are too few nodes.
cliModuli cliBlock_Measure(const cliLoaded* loaded);

// The same of a scene's first body by the testing machine (ends free to widen; inner is young), along an axis, 'x', 'y' or 'z'.
// The tolerance is that of rslMeasureDef. NaN when the study failed.
cliModuli cliBlock_Tension(cliStudy* study, const char* scene, char axis, double tolerance);
