// SPDX-License-Identifier: MIT
//
// cooper_table.h: forces of Cooper & Maddock's elements, and where they vanish, worked out apart from this program.
//
// A triangle with the corners A = (0, 0), B = (1, 0) and, at rest, C = (1, 1); k = 1. Forces are those on C.

#pragma once

typedef enum cliCooperKind
{
    cli_standardElement,   // linear springs along the edges, eq. 3
    cli_centroidElement,   // and springs from the corners to their mean
    cli_nonLinearElement,  // springs of eq. 4 along the edges
    cli_repulsionElement,  // linear springs, and every corner repelled from the edge across
    cli_cooperKindCount
} cliCooperKind;

// Places of C, and the force there to 12 decimals.
enum
{
    CLI_COOPER_POINTS = 10
};

extern const double cliCooperPoints[CLI_COOPER_POINTS][2];
extern const double cliCooperForces[cli_cooperKindCount][CLI_COOPER_POINTS][2];
extern const double cliCooperOwnRepulsion[CLI_COOPER_POINTS][2];  // eq. 5: of C alone

// Zeros of these, by x, then y; of the last but for y > 0.02, where the others are mirrored.
enum
{
    CLI_COOPER_ZEROS = 6
};

extern const int cliCooperZeroCount[cli_cooperKindCount];
extern const double cliCooperZeros[cli_cooperKindCount][CLI_COOPER_ZEROS][2];
