// SPDX-License-Identifier: MIT
//
// solid.h: a hexahedron with eight corners anywhere: its map from a cube, and the stiffness of what is not affine.

#pragma once

#include <stdbool.h>

enum
{
    RSL_PATTERNS = 4,      // yz, zx, xy, xyz
    RSL_SOLID_MODES = 12,  // a vector each
};

// Corner c is at x = c & 1, y = c >> 1 & 1, z = c >> 2 of the cube [-1, 1]^3. Points are those of Gauss, in the same order.
typedef struct rslSolid
{
    double volume;
    double least;                     // least Jacobian at points and corners, over that of a cube with its longest edge
    double gradient[8][3];            // of the shape functions, mean over the volume
    double pattern[RSL_PATTERNS][8];  // of displacements u: m_p = sum of pattern u
    double slope[8][RSL_PATTERNS][3];  // gradient of each pattern at the points, less its mean
    double weight[8];                  // volume of each point
    double share[8];                   // volume of each corner: the integral of its shape function
    double bubble[8][3][3];            // gradients of Wilson's modes at the points, as Taylor has them
} rslSolid;

// False where it has no volume or is turned inside out anywhere: least <= 0, and nothing else may be used then.
bool rslSolid_Make(double (*x)[3], rslSolid* solid);

// K in 1/2 m.K m, m the patterns one after the other, and c of least.h: K - c is not negative.
void rslSolid_Stiffness(const rslSolid* solid, double lambda, double mu, bool incompatible,
                        double k[RSL_SOLID_MODES][RSL_SOLID_MODES], double* floor);
