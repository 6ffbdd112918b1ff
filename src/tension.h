// SPDX-License-Identifier: MIT
//
// tension.h: a body pulled along an axis: Young's modulus and Poisson's ratio of what is built.
//
// The body must be a box (specimen.h). The displacement along the axis is prescribed at its gripped ends, u = e x; what is
// across is free but for three single axes of two nodes that take out rigid motion and carry no force. Moduli are those of
// the tangent at rest unless a strain is given.

#pragma once

#include "resilin/scene.h"

#include "rig.h"
#include "specimen.h"

typedef struct rslTensionDef
{
    int axis;          // of the box: 0 x, 1 y, 2 z; those of the world unless the shape is turned
    bool clamped;      // gripped nodes do not move across the axis; default false
    double tolerance;  // forces left over, relative to what the prescribed motion asks for; default 1e-10
    double strain;     // 0: the tangent at rest; else the secant at this strain, negative in compression; default 0
    int threads;       // 0: as many as the process may use
} rslTensionDef;

typedef struct rslTension
{
    double young;      // E: force / (area strain) [Pa]
    double poisson;    // nu: mean of the two below, or of the one in the plane of a sheet
    double across[2];  // nu towards the next axis and the one after it
    double force;      // over the strain [N]
    double area;       // of the section [m2]
    int iterations;    // of conjugate gradients
    double residual;   // reached
    bool converged;
} rslTension;

rslTensionDef rslDefaultTensionDef(void);

// Pull a body of a scene. The scene around it does not matter, only its seed: random networks are the same. Bad input when
// the body is no box, rsl_notConverged with what was found when the solver did not get there.
rslStatus rslTension_Pull(const rslScene* scene, int body, const rslTensionDef* def, const rslHooks* hooks,
                          rslTension* tension, rslReport* report);

// The same for a model that has been built with one body, from the definition it was built from.
rslStatus rslTension_PullModel(const rslModel* model, const rslBodyDef* body, const rslTensionDef* def,
                               const rslHooks* hooks, rslTension* tension, rslReport* report);

// The same in a rig that is open, for a specimen that is known.
rslStatus rslTension_Run(rslRig* rig, const rslSpecimen* specimen, const rslTensionDef* def, rslTension* tension,
                         rslReport* report);

// A scene with one body of another one alone. The definition of the body goes to *alone and must outlive the scene.
rslScene rslScene_Alone(const rslScene* scene, const rslBodyDef* body, rslBodyDef* alone);
