// SPDX-License-Identifier: MIT
//
// brick.h: the springs of a brick, and the record of constants that its builder and its kernels share.
//
// Corners have the signs x, y, z by bits 0, 1, 2 of their number. 24 springs lie in nine directions: the edges along x, y, z,
// four each, then the diagonals of the faces normal to x, x, y, y, z, z, two each.

#pragma once

enum
{
    RSL_BRICK_SPRINGS = 24,
    RSL_BRICK_EDGES = 12,      // the first springs
    RSL_BRICK_DIRECTIONS = 9,  // three of them of edges
    // a record: of every corner a grad N, mean over what is filled, x y z; of every spring k / (mu a x); the share of every
    // corner in what is filled
    RSL_BRICK_GRADIENT = 0,
    RSL_BRICK_STIFFNESS = 24,
    RSL_BRICK_SHARE = RSL_BRICK_STIFFNESS + RSL_BRICK_SPRINGS,
    RSL_BRICK_NUMBERS = RSL_BRICK_SHARE + 8
};

// From the first corner of a spring to the second, in edges.
static const signed char rslBrickDirections[RSL_BRICK_DIRECTIONS][3] = {
    { 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 },  //
    { 0, 1, 1 }, { 0, 1, -1 },               //
    { 1, 0, 1 }, { 1, 0, -1 },               //
    { 1, 1, 0 }, { 1, -1, 0 },
};

static const signed char rslBrickSprings[RSL_BRICK_SPRINGS][2] = {
    { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 },  //
    { 0, 2 }, { 1, 3 }, { 4, 6 }, { 5, 7 },  //
    { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 },  //
    { 0, 6 }, { 1, 7 }, { 4, 2 }, { 5, 3 },  //
    { 0, 5 }, { 2, 7 }, { 4, 1 }, { 6, 3 },  //
    { 0, 3 }, { 4, 7 }, { 2, 1 }, { 6, 5 },
};

// The first spring of a direction; those up to the first of the next one.
static inline int rslBrick_Start(int direction)
{
    return direction < 3 ? 4 * direction : RSL_BRICK_EDGES + 2 * (direction - 3);
}
