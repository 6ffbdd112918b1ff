// SPDX-License-Identifier: MIT
//
// observe_internal.h: read-outs shared inside the library.

#pragma once

#include "resilin/observe.h"

// The force that holds the nodes of a constraint and its torque about a point, from the forces on all nodes and what holds
// rigid bodies.
rslWrench rslConstraint_Reaction(const rslModel* model, const rslState* state, int index, const double* forces,
                                 const rslWrench* bodies, rslVec3 point);

// As rslSolver_ColliderForce, likewise.
rslVec3 rslCollider_Force(rslSolver* solver, const rslState* state, int collider, int body, const double* forces);
