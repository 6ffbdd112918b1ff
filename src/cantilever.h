// SPDX-License-Identifier: MIT
//
// cantilever.h: a body held at one end and loaded at the other.

#pragma once

#include "rig.h"
#include "specimen.h"

typedef struct rslCantilever
{
    int axis, across;  // along the longest side; the load acts along the shortest other one
    double stiffness;  // load over the deflection where it acts [N/m]
    double length;     // from the last held node to where the load acts [m]
    double depth;      // of the beam in the direction of the load [m]
    double width;      // [m]
    bool converged;
} rslCantilever;

// The gripped nodes of the lower end are held, those of the upper end share the load by their mass.
rslStatus rslCantilever_Bend(rslRig* rig, const rslSpecimen* specimen, double tolerance, int threads,
                             rslCantilever* beam, rslReport* report);

// What Timoshenko's beam says [N/m].
double rslCantilever_Theory(const rslCantilever* beam, double young, double poisson);
