// SPDX-License-Identifier: MIT
//
// respond.h: impulses at the places where things touch, for explicit steps: predictive reflection (docs/theory.md, "Contact").
//
// Positions x of contact nodes are those in the middle of a step h, between which velocities lead: x' = x + h v'. So the bound
// u_n' >= -g/h of a collision says exactly that its gap will not be negative there. Velocities v come without the kick h a, which
// is given beside them.
//
//   impact    v1 = v + h a/2. Where a gap will close that the present acceleration does not explain, an inelastic solve on the
//             friction cone is given once more along the normals, e times: v1' + e M^-1 J_n^T l_n. Then the other half of the kick.
//   contact   an inelastic solve with u_n' >= -g/h, from the impulses remembered of the last step.
//   places    what still overlaps is moved apart, a part of it and no more than a little, as far as what was lost pays for it.
//
// Everything is double precision in world axes, and follows from what is given in a fixed order: the same bits for any number of
// threads.

#pragma once

#include "collision.h"
#include "team.h"
#include "vec.h"

// A rigid body, with its welded nodes, as pushes find it.
typedef struct rslPushed
{
    rslVec3 centre;          // of mass
    rslVec3 velocity, spin;  // without the kick
    rslVec3 kick, twist;     // what the kick adds to both
    rslVec3 lift, tilt;      // where lifts are given: what potentials and loads do to both in a second
    rslVec3 yield;           // 1 / M along the axes; 0 where it is held
    rslMat3 turn;            // J^-1; 0 where it is held
    // out: what impulses add to velocity and spin, by how much it is moved and turned [m], [rad]
    rslVec3 change, changeOfSpin, shift, angle;
    // out of rslFast_Step: the part that came after the other impulses, and the spin that was stopped
    rslVec3 late, lateSpin, stopped;
} rslPushed;

// What a step gives and gets.
typedef struct rslResponse
{
    double step;                      // h [s]
    const rslCollisions* collisions;  // at x, sorted
    // of contact nodes, x y z each
    const double* x;
    const double* v;      // without the kick
    const double* kick;   // h a
    const double* lift;   // a of potentials and loads, without dampers [m/s2]; NULL: kick / h
    const double* yield;  // 1 / m along the axes; 0 where it is held
    const int* rigid;     // of contact nodes: the rigid body that carries it, -1: none; NULL: there are none
    rslPushed* rigids;
    int rigidCount;
    const double* largestShift;  // of every body [m]: no collision moves places by more
    // of bounces: velocities and spins of rigid bodies are made to fit their joints; NULL: there are none
    void (*join)(void* context, rslVec3* velocity, rslVec3* spin);
    void* joined;
    double stable;  // step [s]; 0: not known
    int divided;    // the step is 2^-divided of a whole one: places are moved by as much less
    bool begun;     // rslRespond_Begin was called
    // out, of those nodes alone that are listed below and have no rigid body
    double* change;  // what impulses add to v, beside the kick
    double* shift;   // of x
    // out
    double heat;    // what is lost at touches [J]
    double motion;  // work of colliders and of what is held [J]
    double moved;   // the largest shift [m]
} rslResponse;

typedef struct rslRespond rslRespond;

// NULL when out of memory. Model and team must outlive it.
rslRespond* rslRespond_Create(const rslModel* model, const rslHooks* hooks, rslTeam* team);
void rslRespond_Free(rslRespond* respond);
size_t rslRespond_Bytes(const rslRespond* respond);

// The first part of a step, which reads the response and the collisions alone, on any thread: others may read them meanwhile. Without it, the
// step does it. Not all responses may be begun so, and before it there has to be room; false: out of memory.
bool rslRespond_MayBegin(const rslRespond* respond, const rslResponse* response);
bool rslRespond_MakeRoom(rslRespond* respond, const rslResponse* response);
void rslRespond_Begin(rslRespond* respond, rslResponse* response);

// Answer the collisions of a step. Touches and pushes of the state are those of the step before, and become those of this one.
// rsl_outOfMemory: nothing is changed.
rslStatus rslRespond_Step(rslRespond* respond, rslResponse* response, rslState* state);

// The impact phase alone: what closes bounces, and impulses are added to those of the state's touches (implicit_rebound.c).
rslStatus rslRespond_Bounce(rslRespond* respond, rslResponse* response, rslState* state);

// A rigid body in a frame, before any push; one that is free, or held.
rslPushed rslPushed_Of(const rslRigid* rigid, const rslFrame* frame);

// Contact nodes that got a change or a shift in the last step, each once, and how many.
const int* rslRespond_Nodes(const rslRespond* respond, int* count);

// What is remembered, for steps of another length: times this.
void rslState_ScaleTouches(rslState* state, double scale);

// The same with a scheme: impulses that are left from the step before stay.
void rslRespond_Rescale(const rslRespond* respond, rslState* state, double scale);
