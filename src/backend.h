// SPDX-License-Identifier: MIT
//
// backend.h: the coarse table through which a solver moves a state. The plain CPU code is one backend a precision; a
// faster one would offer the same table and pass the same tests.

#pragma once

#include "bond_walk.h"
#include "collapse.h"
#include "element_walk.h"
#include "team.h"

#include "resilin/observe.h"

typedef enum rslProduct
{
    rsl_stiffnessProduct,  // K p
    rsl_dampingProduct,    // C p
} rslProduct;

typedef struct rslBackend
{
    const char* name;
    void* (*create)(const rslModel* model, rslIntegrator integrator, const rslHooks* hooks, rslTeam* team);
    void (*destroy)(void* kernel);
    size_t (*bytes)(const void* kernel);
    void (*setForces)(void* kernel, const double* forces);

    void (*step)(void* kernel, rslState* state, rslIntegrator integrator);
    void (*rebase)(void* kernel, rslState* state);
    void (*hold)(void* kernel, rslState* state);  // put held nodes where they have to be now

    rslEnergy (*energy)(void* kernel, const rslState* state);  // without drift
    void (*forces)(void* kernel, const rslState* state, double* world);
    rslTouching (*contact)(void* kernel, const rslState* state, int contact);
    // of models with rigid bodies: the forces of joints on their bodies a, torques about the joint; what holds rigid
    // bodies, about their centres of mass
    void (*reactions)(void* kernel, const rslState* state, rslWrench* joints, rslWrench* bodies);
    bool (*collapsed)(void* kernel, const rslState* state, rslCollapse* collapse);  // the first; false: none
    void (*bonds)(void* kernel, const rslState* state, const rslBondWalk* walk);
    void (*elements)(void* kernel, const rslState* state, const rslElementWalk* walk);

    // A matrix times a vector, both in body axes as three arrays. Not in a step: allocates. False when out of memory.
    bool (*product)(void* kernel, const rslState* state, rslProduct which, double* const p[3], double* const out[3]);

    // The diagonal blocks of K: six numbers a node (xx yy zz xy xz yz).
    void (*diagonal)(void* kernel, const rslState* state, double (*blocks)[6]);
} rslBackend;

extern const rslBackend rslBackend32;
extern const rslBackend rslBackend64;

static inline const rslBackend* rslBackend_For(rslPrecision precision)
{
    return precision == rsl_single ? &rslBackend32 : &rslBackend64;
}
