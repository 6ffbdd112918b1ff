// SPDX-License-Identifier: MIT
//
// dynamics.h: what an implicit step asks of the kernel in double precision, beside statics.h. Vectors are three arrays in body
// axes, padded as those of a state.

#pragma once

#include "statics.h"

#include "resilin/observe.h"

// What forces do at a moment [W].
typedef struct rslPowers
{
    double loads, motion, drives, dissipated;
} rslPowers;

// Memory for products with dampers; false when there is none. It is the kernel's.
bool rslDynamics_Make(void* kernel);

// From now on what is asked here and in statics.h is about so long after the time of a state [s], with its frames moved on, and
// products and diagonals are those of K + s M + r C (s: rslStatics_SetShift). 0, 0: as before.
void rslDynamics_SetTime(void* kernel, double lead);
void rslDynamics_SetRate(void* kernel, double rate);

// From now on the part of forces that has no energy (published dispersion, explicit volumes) is what it is at a state, and has one: of a
// constant tension. NULL: it is what it is at the state that is asked about.
void rslDynamics_Freeze(void* kernel, const rslState* state);
void rslDynamics_Refreeze(void* kernel, const rslState* state);  // the same, and pressures of hard volumes stay

// Hard volumes, within a step: what keeps them starts anew at a state, of which the diagonal blocks are known; more of it. Returns how far
// volumes are from what they should be, at most, over themselves.
int rslDynamics_HardVolumes(const void* kernel);
void rslDynamics_Firm(void* kernel, const rslState* state, double (*blocks)[6]);
double rslDynamics_Press(void* kernel, const rslState* state);

// Force of all terms, dampers among them, at the velocities of a state [N], and what they do; drives and colliders as they move
// over the whole step.
rslPowers rslDynamics_Forces(void* kernel, const rslState* state, double* const out[3]);

// Force of the terms that have an energy, without their dampers [N]: minus the gradient of rslStatics_Potential. Different from
// all forces only if the model has others.
void rslDynamics_Still(void* kernel, const rslState* state, double* const out[3]);
bool rslDynamics_HasOthers(const void* kernel);

// Are all of these dampers within bodies, whose forces are -C w?
bool rslDynamics_IsDragged(const void* kernel);

// out = C p; after Look.
void rslDynamics_Damping(void* kernel, const rslState* state, double* const p[3], double* const out[3]);

// Gravity in the axes of a body [m/s2].
rslVec3 rslDynamics_Gravity(const void* kernel, int body);

const double* rslDynamics_Mass(const void* kernel);  // of every node [kg]

// Put held nodes where they have to be, with the velocity they have there.
void rslDynamics_Hold(void* kernel, rslState* state);

// Count the work of prescribed motion against the last forces, for a time [s].
void rslDynamics_CountMotion(void* kernel, const rslState* state, double time);

// A step that has failed: nothing of it is left.
void rslDynamics_Forget(void* kernel);

// The clock of a state, shift times finer (kernel.h).
void rslDynamics_Grade(void* kernel, rslState* state, int shift);

// The end of a step: frames and clock go on; held nodes and the work of prescribed motion.
void rslDynamics_Advance(void* kernel, rslState* state);

// Contact (barrier.h). From now on it is a term of the kernel like others, in the place of planes and of contacts that yield; false
// when out of memory. Whether forces, energies and products have it; what went wrong in finding it since it was asked last.
struct rslBarrier;
bool rslDynamics_SetBarrier(void* kernel, struct rslBarrier* barrier);
void rslDynamics_Touch(void* kernel, bool acts);
rslStatus rslDynamics_TouchStatus(void* kernel);

// For preconditioners that know bodies as they are at rest, turned by Q against their own axes (rest_turn.h). From now on, vectors of
// rslStatics_Touch are in the axes of Q; NULL: again in their own. The blocks of rslBarrier_Sums in these axes, of nodes that have any;
// returns their number; after Look.
void rslDynamics_TurnTouch(void* kernel, const rslMat3* turns);
int rslDynamics_TouchSums(void* kernel, const rslMat3* turns, int* nodes, double (*blocks)[6]);

// Where contact nodes are (x y z each) with displacements u, so long after the time of a state; less so long a drift of their frames.
void rslDynamics_Places(void* kernel, const rslState* state, double lead, double* const u[3], double back, double* x);

// u -= time times the drift of frames: places that stay, in frames that go on for a time [s].
void rslDynamics_Drift(void* kernel, const rslState* state, double time, double* const u[3]);

// Contact nodes go some way (x y z each).
void rslDynamics_Move(void* kernel, rslState* state, const double* ways);

// Velocities of contact nodes (x y z each) [m/s].
void rslDynamics_Speeds(void* kernel, const rslState* state, double* v);

// Rigid bodies (dynamics_rigid.c). From now on their frames go on as those of other bodies do, and their nodes have displacements; or not.
void rslDynamics_Float(void* kernel, bool floats);

// What acts on them in the last forces, about their centres of mass, world axes: for what the kernel sums up with it.
void rslDynamics_SetWrench(void* kernel, int rigid, rslWrench all);

// What acts on them at a state, joints among it; after Forces. Returns the power of what is prescribed to joints [W].
double rslDynamics_Reactions(void* kernel, const rslState* state, rslWrench* all);

// Velocities of frames that fit the joints; returns the work of what is prescribed to these [J]. Velocities of nodes that follow.
double rslDynamics_Join(void* kernel, rslState* state);
void rslDynamics_Spread(void* kernel, rslState* state);

// Where one that is held is at a time, and how it moves, with the clock of a step.
rslFrame rslDynamics_Pose(const void* kernel, int rigid, double time, double step);
