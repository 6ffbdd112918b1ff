// SPDX-License-Identifier: MIT
//
// inertia.h: mass, first and second moments of solids, and the inertia that follows from them.

#pragma once

#include "resilin/shape.h"
#include "symmetric.h"

// Integrals of rho, rho x and rho x x^T about a point of the caller's choice.
typedef struct rslInertia
{
    double mass;          // [kg]
    rslVec3 first;        // [kg m]
    rslSymmetric second;  // [kg m2]
} rslInertia;

void rslInertia_AddPoint(rslInertia* inertia, double mass, rslVec3 x);
void rslInertia_AddTriangle(rslInertia* inertia, double density, const rslVec3 corner[3]);     // density per area
void rslInertia_AddTetrahedron(rslInertia* inertia, double density, const rslVec3 corner[4]);  // volumes have a sign
void rslInertia_AddHexahedron(rslInertia* inertia, double density, const rslVec3 corner[8]);   // c at x = c & 1, ...

// A shape, about a point of the world: in closed form for primitives, exactly for meshes, by cells of a grid for
// combinations and the rabbit (exact when all their faces are planes). rsl_outOfMemory leaves it as it was.
rslStatus rslInertia_AddShape(rslInertia* inertia, double density, const rslShape* shape, rslVec3 about,
                              const rslHooks* hooks);

// J = sum m (|r|^2 - r r^T) about the centre of mass, r from there.
rslSymmetric rslInertia_Tensor(const rslInertia* inertia);

// Principal moments of a tensor, smallest first, and the rotation from their axes.
void rslInertia_Principal(rslSymmetric tensor, double moments[3], rslQuat* axes);
