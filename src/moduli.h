// SPDX-License-Identifier: MIT
//
// moduli.h: the elastic tensor of what a body is made of, and what follows from it.
//
// Components are in the order xx yy zz yz zx xy (Voigt), of stress with sigma_yz, of strain with 2 e_yz. Sheets have xx yy xy
// alone; the others are zero.

#pragma once

#include "rig.h"
#include "specimen.h"

typedef struct rslVoigt
{
    double m[6][6];
} rslVoigt;

typedef struct rslModuli
{
    rslVoigt stiffness;   // C: stress = C strain [Pa]
    rslVoigt compliance;  // its inverse [1/Pa]
    bool flat;
    int nodeCount;  // over which it is the mean
} rslModuli;

// Six uniform strains (three of a sheet) are prescribed at the border of the body and relax inside; stress and strain are read
// off inside, so that what is measured is the network and not its surface. Bad input when the body has no inside.
rslStatus rslModuli_Measure(rslRig* rig, const rslSpecimen* specimen, double tolerance, int threads, rslModuli* moduli,
                            rslReport* report);

// From the tensor: Young's modulus of a pull along a unit vector, the shear modulus of a plane (0 yz, 1 zx, 2 xy), the bulk
// modulus (of a sheet: of area), and Zener's ratio 2 C44 / (C11 - C12) of the means over the axes, 1 when isotropic.
double rslModuli_Young(const rslModuli* moduli, rslVec3 direction);
double rslModuli_Shear(const rslModuli* moduli, int plane);
double rslModuli_Bulk(const rslModuli* moduli);
double rslModuli_Zener(const rslModuli* moduli);

// The direction in which Young's modulus is farthest from a target, relative to it.
rslVec3 rslModuli_Worst(const rslModuli* moduli, double target);
