// SPDX-License-Identifier: MIT
//
// mechanism.h: motions that cost a lattice nothing although they are not rigid.

#pragma once

#include "memory.h"

#include "resilin/model.h"

// The key of a scene that gives a body its floppy modes, and what takes them away.
static inline const char* rslBody_FloppyKey(const rslBody* body)
{
    return body->elements.count > 0 ? "diagonals: body" : "shells: AC";
}

static inline const char* rslBody_StiffKey(const rslBody* body)
{
    return body->elements.count > 0 ? "diagonals: face" : "shells: AB";
}

typedef struct rslMechanisms
{
    int64_t modes;  // independent motions without energy besides the rigid ones
    bool exact;     // false: the body is so thin and large that they were not counted; modes is a lower bound
} rslMechanisms;

// Count the floppy modes of a body, in the limit of small motions. held: bits of the world axes that are held, of every
// node of the body; NULL: none. Along the world direction heldForAll, unless it is zero, no node moves. Lattices with springs
// along all edges and face diagonals have no such modes, nor finite elements; boxes with body diagonals do. Networks are not
// looked at.
rslStatus rslMechanisms_Count(const rslBody* body, const uint8_t* held, rslVec3 heldForAll, const rslHooks* hooks,
                              rslMechanisms* mechanisms);
