// SPDX-License-Identifier: MIT
//
// backend.h: the coarse table through which a solver moves a state. The plain CPU code is one backend a precision; a
// faster one would offer the same table and pass the same tests.

#pragma once

#include "bond_walk.h"
#include "collapse.h"
#include "element_walk.h"
#include "state_internal.h"
#include "team.h"

#include "resilin/observe.h"

typedef enum rslProduct
{
    rsl_stiffnessProduct,  // K p
    rsl_dampingProduct,    // C p
} rslProduct;

// What the guard saw in the last step.
typedef struct rslDanger
{
    bool tested;        // anything was near enough to collapse, or fast enough, to need the exact test
    double smallest;    // measure over that at rest; 1 when all are above a half
    int body, element;  // that failed; -1: none, or not known
    double ratio;       // of it
    bool damped;        // it is of a body in which nothing swings for long
    double touching;    // the step was too long for what was hit: shorter ones for so long [s]; 0: it was not
    double goesOn;      // it was a part of a step, and something is hit in it: as short ones for so long [s]
    bool swings;        // it was a part of a step, and something touches that an impact makes swing
} rslDanger;

// Of steps that nothing was to touch in (kernel_touch_flight.c), since the start.
typedef struct rslFlights
{
    int64_t steps;
    int64_t strays;   // of these: too fast, and taken back
    int64_t unclear;  // others that one led to, of which that was seen in their middle: finished with a look
    int64_t maps;     // looks at all that found how far everything is
    // of steps with a look: those that looked at few, of these that looked at all in case that something is fast; and groups listed anew for them
    int64_t few, quick, groups;
} rslFlights;

typedef struct rslBackend
{
    const char* name;
    void* (*create)(const rslModel* model, rslIntegrator integrator, const rslHooks* hooks, rslTeam* team);
    void (*destroy)(void* kernel);
    size_t (*bytes)(const void* kernel);
    bool (*setForces)(void* kernel, const double* forces);  // false when out of memory

    // One step. False: it led too far (guard.h), and the state is to be taken back to where it was.
    bool (*step)(void* kernel, rslState* state, rslIntegrator integrator);

    // So many steps at once, or some of them, of models that have little to look at in between. None: the model is not one of these, or the
    // state asks for single steps.
    rslTaken (*steps)(void* kernel, rslState* state, rslIntegrator integrator, int64_t count);

    // What guards elements from collapse: is there any; the next step starts from a state of which nothing is known, or the same as
    // that of the last rebase and energy, with what it takes to be exact or without, and at least so many follow; the state was taken back to where the step began; how the step went; does a state stand
    // at all; the clock of a state, shift times finer.
    bool (*guards)(const void* kernel);
    // What is hit asks for short steps beside this one; without rebound, for less short ones.
    void (*setStable)(void* kernel, double step, bool rebound);
    void (*begin)(void* kernel, bool careful, bool same, int64_t steps);
    void (*takeBack)(void* kernel);
    bool (*stands)(void* kernel, const rslState* state);
    rslDanger (*danger)(const void* kernel);
    rslFlights (*flights)(const void* kernel);
    bool (*starved)(void* kernel);  // was there too little memory for a step since this was asked last?
    void (*grade)(void* kernel, rslState* state, int shift);

    void (*rebase)(void* kernel, rslState* state);  // frames follow their bodies

    // The same in two passes over memory, straight after a step, with what an audit does beside it, where nothing is guarded: the energy and
    // what becomes of frames; then frames follow, and displacements and velocities are copied into another state. And the copy alone.
    rslEnergy (*weigh)(void* kernel, const rslState* state);
    void (*follow)(void* kernel, rslState* state, rslState* copy);
    void (*copy)(void* kernel, rslState* to, const rslState* from);
    void (*hold)(void* kernel, rslState* state);  // put held nodes where they have to be now

    rslEnergy (*energy)(void* kernel, const rslState* state);            // without drift
    void (*forces)(void* kernel, const rslState* state, double* world);  // NAN when out of memory
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
