// SPDX-License-Identifier: MIT
//
// kernel_rigid.h: bodies that move as one, and the nodes that are welded to them.
//
// They have no displacement. Their frames are moved by drifts and kicks, in double precision, and turn with them; the
// velocities of their nodes, w = R^T (spin x R (X - C)), and the places of welded nodes follow from that.

#pragma once

#include "joint.h"
#include "kernel.h"

typedef rslWrench Wrench;

// A node of another body that a rigid body carries.
typedef struct Weld
{
    int node, body;
    int rigid;      // that carries it
    rslVec3 rest;   // in its own body
    rslVec3 place;  // in the frame of the rigid body
    rslVec3 load;   // the part of loads in the last forces, world axes [N]
} Weld;

typedef struct RigidBody
{
    const rslRigid* def;
    int chunkBegin, chunkEnd;
    int weldBegin, weldEnd;
    Wrench all, loads, drag;  // of the last forces: world axes, about the centre of mass
    rslFrame kept;            // as the last drift left it
} RigidBody;

struct RigidKernel
{
    int count;
    RigidBody* bodies;
    int* ofBody;  // of every body: its place in bodies, or -1
    Wrench (
        *sums)[3];  // of every chunk of a rigid body, frame axes: of all forces, of the loads and of dampers among them
    Weld* welds;
    int* weldOf;  // of every node: its weld, or -1; NULL without any
    rslJoints joints;
    rslAcceleration* held;  // scratch, of every rigid body
    rslWrench* forces;      // likewise
    rslWrench* holders;     // likewise
    rslWrench* reactions;   // scratch, of every joint
    bool atRest;            // states are those of rest: nothing is sped up
    bool floats;            // within implicit steps: frames go on as others do, nodes have displacements
    rslFrame* ahead;        // of every body: where those that are held are going
    double now, step;       // the time that the state has come to, and its step [s]
    double work;            // of prescribed motions through joints, since the last step ended [J]
    double sure;            // of it, without a prediction that Restore takes back
};

// NULL: the body is soft.
static inline const RigidBody* RigidOfBody(const Kernel* kernel, int body)
{
    int at = kernel->rigids != NULL ? kernel->rigids->ofBody[body] : -1;
    return at >= 0 ? &kernel->rigids->bodies[at] : NULL;
}

// Sum up the forces on a chunk of a rigid body; before holds what they were without loads, NULL: there are none.
void RSL_NAME(rslRigids_SumChunk)(Kernel* kernel, const Chunk* chunk, Real (*before)[CHUNK]);

// After all chunks: forces on every rigid body. Returns what its kick adds to the power of loads (kernel.c).
double RSL_NAME(rslRigids_Sum)(Kernel* kernel, const View* view);

// A kick of the frame of a body that is free, by its last forces.
void RSL_NAME(rslRigid_KickFrame)(const RigidBody* rigid, rslFrame* frame, double time);

// Parts of the moves of integrators (integrate.c, kernel_rigid_move.c). Bodies that are held are moved by Place alone.
void RSL_NAME(rslRigids_Start)(Kernel* kernel, const rslState* state);  // when a state is looked at
void RSL_NAME(rslRigids_Drift)(Kernel* kernel, const View* view, double time);
void RSL_NAME(rslRigids_Kick)(Kernel* kernel, const View* view, double time);
void RSL_NAME(rslRigids_Restore)(Kernel* kernel, const View* view);  // velocities as the last drift left them

// At the end of Hold: move those that are held, then all frames, velocities and welded nodes to where they have to be.
void RSL_NAME(rslRigids_Place)(Kernel* kernel, const View* view, double time, double step);

// Make the velocities of a state fit its joints.
void RSL_NAME(rslRigids_Settle)(Kernel* kernel, const View* view);

// What joints do to their bodies a, and what holds bodies that are held (about their centres of mass); after forces.
void RSL_NAME(rslRigids_Reactions)(Kernel* kernel, const View* view, rslWrench* joints, rslWrench* bodies);

// A push at a point x of a body: the inverse of the mass that it meets along a unit vector, and the push itself.
double RSL_NAME(rslRigids_Yield)(const Kernel* kernel, const View* view, int body, rslVec3 x, rslVec3 along);
void RSL_NAME(rslRigids_Push)(const Kernel* kernel, const View* view, int body, rslVec3 x, rslVec3 impulse);
rslVec3 RSL_NAME(rslRigids_Velocity)(const Kernel* kernel, const View* view, int body, rslVec3 x);

// What a kick by forces has changed of its velocity, at an arm from its centre of mass.
rslVec3 RSL_NAME(rslRigids_Kicked)(const View* view, const RigidBody* rigid, const Wrench* by, rslVec3 arm,
                                   double time);

// After pushes: velocities that fit the joints, and those of nodes.
void RSL_NAME(rslRigids_Spread)(Kernel* kernel, const View* view);

// The velocities of nodes alone.
void RSL_NAME(rslRigids_Follow)(Kernel* kernel, const View* view);

// Energy that the masses of nodes do not have.
double RSL_NAME(rslRigids_Energy)(const Kernel* kernel, const View* view);

// Power of all forces along prescribed motions at a step count, or the kinetic energy of the motions.
double RSL_NAME(rslRigids_Motion)(const Kernel* kernel, const rslState* state, double count, bool kinetic);

// Where one that is held is at a time, and how it moves.
rslFrame RSL_NAME(rslRigids_HeldFrame)(const Kernel* kernel, const rslRigid* rigid, double time, double step);

// Where a constraint has a body, and how that moves: V of the point C (constrain.c).
typedef struct Pose
{
    rslFrame frame;  // without L
    rslVec3 spin;
} Pose;

Pose RSL_NAME(rslKernel_PoseAt)(const Kernel* kernel, const rslRigid* rigid, double time, double step);

// The view of a frame that has moved (kernel.c).
void RSL_NAME(rslKernel_Aim)(Kernel* kernel, int body, const rslFrame* frame, double lead);
