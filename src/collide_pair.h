// SPDX-License-Identifier: MIT
//
// collide_pair.h: a vertex and a triangle, or two edges: where they are nearest, and whether they meet while all four points
// move on straight lines. Points 0 | 1 2 3 of a vertex and a triangle, 0 1 | 2 3 of two edges.

#pragma once

#include "resilin/base.h"

typedef enum rslPairKind
{
    rsl_vertexTriangle,
    rsl_edgeEdge,
} rslPairKind;

typedef struct rslNear
{
    double weight[4];  // + of the first, - of the second; each side sums up to one
    int parts;         // bits of the points that the nearest places lie between
    rslVec3 apart;     // sum of weight times point: from the second to the first
    double squared;
    double doubt;  // the distance may be as much less, for rounding
} rslNear;

rslNear rslPair_Nearest(rslPairKind kind, const rslVec3 x[4]);

// A time in [0, 1] until which the two are farther apart than the floor, whatever rounding does; near to the last such time:
// what is left of the distance above the floor is then a tenth of that at the start. INFINITY when they are on all of the way;
// 0 when they are not at the start.
double rslPair_SafeTime(rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4], double floor);

// A time in [0, 1] at which they have come as near as the floor and a little more, not later than that: until then they are farther
// apart. INFINITY when they do not come so near; 0 when they are at the start.
double rslPair_TouchTime(rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4], double floor, double more);

// The first time in [0, 1] at which they meet, from either side; INFINITY when they do not. What cannot be told for rounding
// counts as a meeting: grazing is found, at the price of some meetings that are none, by 1e-8 of the size.
double rslPair_MeetTime(rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4]);
