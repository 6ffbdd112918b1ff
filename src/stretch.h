// SPDX-License-Identifier: MIT
//
// stretch.h: the bonds of a lattice as vector code sees them: arrays of a view, and one bond of one lane.

#pragma once

#include "bond.h"
#include "kernel.h"

typedef struct Lattice
{
    const Kernel* kernel;
    const BodyKernel* body;
    const uint32_t* masks;
    const Real* ux;
    const Real* uy;
    const Real* uz;
    const Real* wx;
    const Real* wy;
    const Real* wz;
} Lattice;

// One bond of one node: d, |d|^2 - L0^2, |d|^2 and |d|.
typedef struct Stretch
{
    Real dx, dy, dz, square, length2, length;
} Stretch;

RSL_INLINE Stretch MakeStretch(const Lattice* l, int s, int node, int other)
{
    const Real* bond = l->body->bond[s];
    const Real restLength = l->body->bondLength[s];
    Real dux = l->ux[other] - l->ux[node];
    Real duy = l->uy[other] - l->uy[node];
    Real duz = l->uz[other] - l->uz[node];
    Stretch r = { .dx = bond[0] + dux, .dy = bond[1] + duy, .dz = bond[2] + duz };
    r.square = (Real)2 * (bond[0] * dux + bond[1] * duy + bond[2] * duz) + (dux * dux + duy * duy + duz * duz);
    r.length2 = BondLengthSquared(restLength, r.square);
    r.length = SquareRoot(r.length2);
    return r;
}

static inline Lattice MakeLattice(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    return (Lattice){
        .kernel = kernel,
        .body = &kernel->bodies[chunk->body],
        .masks = kernel->model->driveMask,
        .ux = view->u[0],
        .uy = view->u[1],
        .uz = view->u[2],
        .wx = view->w[0],
        .wy = view->w[1],
        .wz = view->w[2],
    };
}
