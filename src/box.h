// SPDX-License-Identifier: MIT
//
// box.h: the constants of Baudet's parallelepiped: springs along the edges of a rectangular box and along its diagonals, and
// a correction by the mean strains of its edges.

#pragma once

#include <stdbool.h>

// Of a box that is full of its material. Axes of diagonals and shear are those normal to their faces: yz, zx, xy.
typedef struct rslBox
{
    double edge[3];      // k_i of every edge along an axis [N/m]
    double diagonal[3];  // body: the same three times; faces: of the two diagonals of a face with this normal [N/m]
    double couple[6];    // M: xx yy zz yz zx xy [Pa]
    double shear[3];     // what its shear moduli measure as, over mu
    double modulus[3];   // s_i = 4 k_i h_i^2 / V, that of the edges along an axis [Pa]
} rslBox;

// h: edges [m]; modulus: s of all edges [Pa], or RSL_AUTO: such that M has no diagonal, which is Baudet's own.
rslBox rslBox_Make(const double h[3], double lambda, double mu, double modulus, bool faces);
