// SPDX-License-Identifier: MIT
//
// observe_internal.h: read-outs shared inside the library.

#pragma once

#include "resilin/observe.h"

// The force that holds the nodes of a constraint, when the forces of all terms on all nodes are known (x y z, world).
rslVec3 rslConstraint_Reaction(const rslConstraint* constraint, const double* forces);

// As rslSolver_ColliderForce, likewise.
rslVec3 rslCollider_Force(rslSolver* solver, const rslState* state, int collider, int body, const double* forces);
