// SPDX-License-Identifier: MIT
//
// rigid_part.h: how a body moves as a whole: what is left of its motion when all that it does within is taken away.

#pragma once

#include "resilin/state.h"
#include "vec.h"

// In the axes of the frame of the body, from its origin.
typedef struct rslRigidPart
{
    double mass;
    rslVec3 centre, velocity;  // means of X + u and w
    rslVec3 spin;              // sum m d x w, d from the centre
    double inertia[3][3];      // sum m (|d|^2 - d d^T)
} rslRigidPart;

rslRigidPart rslRigidPart_Of(const rslModel* model, const rslState* state, const rslBody* body);

// X + u of a node, global index.
rslVec3 rslBody_PlaceOf(const rslBody* body, const rslState* state, int node);

// Take so much of the kinetic energy [J] that bodies have within, or all they have; how they move as a whole stays, momentum
// and angular momentum. Returns how much was taken.
double rslState_Calm(const rslModel* model, rslState* state, double energy);
