// SPDX-License-Identifier: MIT
//
// rest_turn.h: bodies that have nearly the shape they have at rest, turned by a rotation Q in their own axes: X + u ~ c + Q X.

#pragma once

#include "unknowns.h"
#include "vec.h"

typedef struct rslRestTurns
{
    rslMat3* turns;  // Q of every body
    bool* turned;    // it is not the identity
    bool any;        // one is not
    double* rest;    // X of all nodes, from the centres of their bodies, x y z each [m]
    double* size;    // of every body: sum of m X^2 [kg m2]
    const rslModel* model;
    const rslUnknowns* unknowns;
} rslRestTurns;

// False when out of memory.
bool rslRestTurns_Make(rslRestTurns* turns, const rslModel* model, const rslUnknowns* unknowns, rslArena* arena);

// Those of a state. Returns how far bodies are from that shape, over their size: the root of the mean square of X + u - c - Q X, of the
// worst one.
double rslRestTurns_Find(rslRestTurns* turns, const rslState* state);

// out = Q^T v, or Q v when back, of all nodes.
void rslRestTurns_Apply(const rslRestTurns* turns, bool back, const rslNodeVector* v, const rslNodeVector* out);
