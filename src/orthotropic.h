// SPDX-License-Identifier: MIT
//
// orthotropic.h: the springs of a lattice with other moduli along each of its axes.

#pragma once

#include "resilin/model.h"

// The homogenised tensor of a lattice with shells A and B, and what it measures as.
typedef struct rslOrthotropic
{
    double stretch[3];  // C_xx, C_yy, C_zz [Pa]
    rslAxisModuli moduli;
    double bulk;     // pressure over the loss of volume [Pa]
    double edge[3];  // spring constants along x, y, z over the spacing [Pa]
    double face[3];  // of diagonals in the planes yz, zx, xy over the spacing [Pa]
    int soft;        // axis whose edges would need a negative constant; -1: none
    double least;    // Young's modulus it needs to exceed, the others as they are [Pa]
} rslOrthotropic;

// False when no lattice has these moduli; soft and least then say why, where one axis alone is to blame.
bool rslOrthotropic_Solve(const rslOrthotropicDef* def, rslOrthotropic* out);
