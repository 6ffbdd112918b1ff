// SPDX-License-Identifier: MIT
//
// rig.h: one body in a testing rig: chosen axes of chosen nodes are held or moved, and the linear response is solved for.
//
// The rig turns and moves the body into axes of its own, those of the specimen, with its middle at the origin. All vectors
// below are in these axes. Responses are those of the tangent at rest: they scale with what is prescribed, so no strain is
// too small and none too large.

#pragma once

#include "memory.h"
#include "vec.h"

#include "resilin/solver.h"

typedef struct rslRig
{
    rslHooks hooks;
    rslArena arena;
    rslModel model;  // of the body alone, with our constraints; shares the arrays of the one given
    rslBody body;
    rslConstraint constraints[7];              // one for each set of axes that some node is held in
    double* start[7];                          // of their nodes, to be moved
    rslMat3 turn;                              // axes of the body into ours
    rslVec3* rest;                             // of every node [m]
    uint8_t* held;                             // of every node: bits of the held axes
    double *motion[3], *forces[3], *loads[3];  // in body axes, padded as the arrays of a state
    rslSolver* solver;
    rslState* state;
    int iterations;   // of conjugate gradients, all responses together
    double residual;  // of the last response
    bool converged;   // all of them
} rslRig;

// The only body of a model, its loads and constraints left out. axes and middle: of the specimen in the world. The model must
// outlive the rig. Free it in any case.
rslStatus rslRig_Make(rslRig* rig, const rslModel* model, rslQuat axes, rslVec3 middle, const rslHooks* hooks);
void rslRig_Free(rslRig* rig);

// When all that is held is marked in rig->held: constraints and a state of the model; and a solver. threads: 0 for as many as
// the process may use.
rslStatus rslRig_Hold(rslRig* rig);
rslStatus rslRig_Close(rslRig* rig, int threads, rslReport* report);

// Start anew with other nodes held.
void rslRig_Open(rslRig* rig);

// What held axes of a node do in the next response, and the load on free ones; zero at first.
void rslRig_Move(rslRig* rig, int node, rslVec3 motion);
void rslRig_Load(rslRig* rig, int node, rslVec3 load);
rslVec3 rslRig_LoadAt(const rslRig* rig, int node);
void rslRig_Clear(rslRig* rig);

// Solve; false when it did not converge. Then every node has its displacement and the force that holds it.
bool rslRig_Respond(rslRig* rig, double tolerance);

// The same with all that is not linear: the state of rest under scale times what is prescribed, divided by scale. Without
// loads, and after Respond, which it starts from.
rslStatus rslRig_Settle(rslRig* rig, double scale);

rslVec3 rslRig_Motion(const rslRig* rig, int node);
rslVec3 rslRig_Force(const rslRig* rig, int node);

// The gradient of the displacement, g[i][j] = du_i / dx_j, by least squares over the nodes with chosen[node] = 1 (NULL: all), which
// count with their mass. Directions in which the nodes have no extent get no gradient.
void rslRig_Gradient(const rslRig* rig, const uint8_t* chosen, double g[3][3]);
