// SPDX-License-Identifier: MIT
//
// floppy.h: motions that cost nothing, found exactly, so that they can be kept out of a search for those that do.

#pragma once

#include "motions.h"
#include "unknowns.h"

// Nodes that hang together.
typedef struct rslFloppyPart
{
    rslVec3 centre;
    double mass, size;  // largest distance from the centre [m]
    int nodeCount;
    rslMotions free;   // motions that cost nothing, orthonormal in M
    double reference;  // w^2 of the softest simple motion that costs something; 0 when there is none [1/s2]
    double stiffest;   // w^2 is at most this [1/s2]
    rslForm form;      // scratch
} rslFloppyPart;

typedef struct rslFloppy
{
    const rslModel* model;
    const rslUnknowns* unknowns;
    const rslState* state;
    int* part;          // of every node
    rslVec3* position;  // of every node, in the world
    uint8_t* parity;    // of every node of a lattice: bits of i, j, k, and bit 3
    rslFloppyPart* parts;
    int partCount;
    double* sums;      // of every vector, part and generator
    int count;         // motions that cost nothing
    double reference;  // the smallest of the parts [1/s2]
    double stiffest;   // the largest
} rslFloppy;

enum
{
    RSL_FLOPPY_FIELDS = RSL_MOTIONS + 1
};

// Find the motions at a state that rslStatics_Look has looked at; diagonal: of K. Room for RSL_FLOPPY_FIELDS vectors is lent.
// False when out of memory; columns: how many vectors rslFloppy_Remove may be given at most.
bool rslFloppy_Make(rslFloppy* floppy, const rslUnknowns* unknowns, const rslState* state, void* kernel,
                    const double (*diagonal)[6], const rslNodeVector* lent, int columns, rslArena* arena);

// Make vectors orthogonal to the motions, in M.
void rslFloppy_Remove(const rslFloppy* floppy, const rslNodeVector* const* fields, int count);
