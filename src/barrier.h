// SPDX-License-Identifier: MIT
//
// barrier.h: contact of implicit steps: a barrier that nothing passes, and dry friction that remembers. Contact nodes, world axes,
// double precision (collision.h).
//
// A stage of an implicit step minimises
//
//   c/2 |x - y|_M^2 + W(x) + s (sum of k b(g) + sum of H),   v = (x - x_r)/l,  c = 1/l^2
//
// over places x. g are the gaps of all collisions at x that are below the range D (barrier_law.h); H is friction
// (barrier_friction.c) of those that were below it where the stage began. Theta: l = theta h, s = 1/theta.
//
// Range and strength come from the bodies alone, so that a scene in other units is the same scene: D is a fiftieth of the spacing;
// half of it carries the weight of a body shared out among a side of its skin, and at least a strain of 1e-2: as stiff as the body itself.
// At rest D is a twentieth: what is pressed together keeps gaps of that order.

#pragma once

#include "collide.h"

typedef struct rslBarrier rslBarrier;

// Of steps: with bodies and colliders. Of rest: between bodies only, and wider and stronger. NULL when out of memory. Model and team
// must outlive it.
rslBarrier* rslBarrier_Create(const rslModel* model, bool ofRest, const rslHooks* hooks, rslTeam* team);
bool rslBarrier_IsOfRest(const rslBarrier* barrier);
void rslBarrier_Free(rslBarrier* barrier);
size_t rslBarrier_Bytes(const rslBarrier* barrier);

// ---- places -----------------------------------------------------------------------------------------------------------

// Find what is near at places of the contact nodes (x y z each), colliders being where they are at a time. What follows is about
// these places.
rslStatus rslBarrier_Look(rslBarrier* barrier, const double* x, double time);

// Of the barrier alone [J]; infinite where anything overlaps.
double rslBarrier_Energy(const rslBarrier* barrier);

// The smallest gap, INFINITY when nothing is near; a negative one is an overlap. Which collision it is; NULL: none.
double rslBarrier_Smallest(const rslBarrier* barrier, const rslCollision** which);

// What is near, as the last look found it; the range D of a pair [m].
const rslCollisions* rslBarrier_Near(const rslBarrier* barrier);
double rslBarrier_Range(const rslBarrier* barrier, const uint32_t key[4]);

// What may close in a step at velocities v.
rslStatus rslBarrier_Closing(rslBarrier* barrier, const double* x, const double* v, double time, double step,
                             const rslCollisions** closing);

// The same of what faces each other alone, as explicit steps have it (collide.h), into a list of the caller's.
rslStatus rslBarrier_Facing(rslBarrier* barrier, const double* x, const double* v, double time, double step,
                            rslCollisions* out);

// Bodies of a state that touch are moved apart until no barrier acts (barrier_open.c); kernel: that of the barrier (dynamics.h).
rslStatus rslBarrier_Open(rslBarrier* barrier, void* kernel, rslState* state);

// ---- a stage of a step ------------------------------------------------------------------------------------------------

typedef struct rslBarrierStage
{
    double scale;         // s
    double lever;         // l [s]
    double duration;      // of the forces found, for impulses [s]
    double span;          // from where it begins to where it ends [s]
    double time;          // where it begins [s]
    const double* start;  // x of contact nodes there
    const double* rest;   // x_r: where they would not have moved
} rslBarrierStage;

// What rubs, from where the stage begins: with what the state remembers. From here to End, energies, forces and products have
// friction, and s.
rslStatus rslBarrier_Begin(rslBarrier* barrier, const rslState* state, const rslBarrierStage* stage);

// How many collisions there were where the stage began.
int rslBarrier_Held(const rslBarrier* barrier);

// The same for a state of rest that is looked for: nothing rubs.
void rslBarrier_BeginRest(rslBarrier* barrier, double duration);

// With what was found at the last look in the place of what there was where the stage began, if that makes a difference to limits of
// friction, in parts of all of them.
rslStatus rslBarrier_Renew(rslBarrier* barrier, const rslState* state, double tolerance, bool* renewed);

// s times barrier and friction [J]; forces [N], minus their gradient; both at the last look.
double rslBarrier_Potential(const rslBarrier* barrier);
const double* rslBarrier_Forces(const rslBarrier* barrier);  // x y z of every contact node

// out = K p; in steps, and where it is asked for, the part of it that is never negative.
void rslBarrier_Product(const rslBarrier* barrier, bool convex, const double* p, double* out);

// From now on, K of what slips is that of the parabola through its force: it holds along the slip, too. For a step after one
// that went too far: what slips has no stiffness along the way, and goes back across where it sticks.
void rslBarrier_Widen(rslBarrier* barrier, bool wide);

// The diagonal blocks of K (xx yy zz xy xz yz) of all contact nodes.
const double (*rslBarrier_Blocks(const rslBarrier* barrier))[6];

// Blocks of a matrix without any between nodes that is nowhere less than K: sums of the sizes of its rows. They are kept until the
// next look.
const double (*rslBarrier_Sums(rslBarrier* barrier))[6];

// Ways from x at velocities v for a while are led to where their contacts will end (barrier_lead.c): v changes. flies: colliders go
// on meanwhile, and contacts push as they do at x; else it is a Newton step, and they stay. led: something has changed.
rslStatus rslBarrier_Lead(rslBarrier* barrier, const double* x, double time, double step, bool flies, double* v,
                          bool* led);

// What is kept of a gap in one go.
static const double rslGapKept = 0.2;

// The part of the straight ways from x to x + d on which no gap falls below a part keep of what it is, at most 1; colliders stay.
rslStatus rslBarrier_Limit(rslBarrier* barrier, const double* x, const double* d, double time, double keep,
                           double* part);

// The same of ways at velocities v for a while [s], while colliders go on.
rslStatus rslBarrier_Way(rslBarrier* barrier, const double* x, const double* v, double time, double step, double keep,
                         double* part);

// The stage is over: its last look is what was found. The state remembers friction and gets impulses and pushes; anew: it is the
// first stage of its step. Heat and the work of moving colliders go into its account.
rslStatus rslBarrier_End(rslBarrier* barrier, rslState* state, bool anew);

// It has failed: nothing of it is left.
void rslBarrier_Cancel(rslBarrier* barrier);
