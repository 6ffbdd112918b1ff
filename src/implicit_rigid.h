// SPDX-License-Identifier: MIT
//
// implicit_rigid.h: rigid bodies in implicit steps: six unknowns each.
//
// While a step runs, frames of rigid bodies go on as those of others do, without force, and their nodes have displacements in them. A body
// whose centre of mass C has gone to C + t and that has turned by Q has its nodes, and those that are welded to it, at
//
//   y = C + t + Q d,   d = X - C
//
// Vectors have RSL_RIGID_ENTRIES entries a rigid body after the nodes, with s the radius of gyration [m]:
//
//   of places    t,   s (x y z of Q as a quaternion),   (s (w - 1), 0, 0)
//   of motions   the change of t,   s times the turn about the centre
//   of forces    force,   torque over s
//
// all in the axes of the frame. Nodes that a rigid body carries are held (unknowns.h); vectors of places have them where they are.

#pragma once

#include "joint.h"
#include "unknowns.h"
#include "vec.h"

// A node that a rigid body carries.
typedef struct rslCarried
{
    int node, body;
    rslVec3 arm;   // d [m]
    rslVec3 rest;  // of a welded one in its own body [m]
} rslCarried;

// A rigid body in a step; all but the last lines in the axes of its frame.
typedef struct rslMoved
{
    const rslRigid* def;
    int begin, welds, end;  // its own nodes, then welded ones, in carried
    double size;            // s
    rslMat3 moments;        // sum of m d d^T, of all its mass [kg m2]
    rslFrame start, last;   // where the step began, where the last stage ended
    rslFrame goal;    // where it would be without forces at the end of the stage, with V and L it would have there
    rslWrench force;  // where the step began
    double
        press[3]
             [3];  // tr(P) - (P + P^T)/2, P the sum of f (Q d)^T of the last forces: how they change with turns [N m]
    double bent[3][3];    // the same of inertia and all forces
    double factor[6][6];  // L of the 6x6 block of a matrix near K + c M that is positive
    rslMat3 axes;         // of the frame, in the world
} rslMoved;

typedef struct rslMoveds
{
    int count;
    rslMoved* bodies;
    rslCarried* carried;
    double (*diagonal)[6];  // blocks of all nodes
    rslJoints joints;
    rslFrame* frames;        // in the world, of every body: for joints
    rslFrame* poses;         // scratch, of every rigid body
    rslWrench* wrenches;     // likewise
    const double* nodeMass;  // of all nodes, also those that are carried
    double work;             // of prescribed motions, that joints have put into velocities [J]
} rslMoveds;

struct rslImplicit;

// False when out of memory. Nothing below does anything without rigid bodies.
bool rslMoveds_Make(struct rslImplicit* implicit);

// Entries after the nodes are zero.
void rslMoveds_Clear(const struct rslImplicit* implicit, const rslNodeVector* vector);

// Where a step begins, in the state; what acts on them there, from forces on nodes.
void rslMoveds_Begin(struct rslImplicit* implicit, rslState* state);
void rslMoveds_Load(struct rslImplicit* implicit, const rslState* state, const rslNodeVector* force);

// Goals of a stage (implicit.c): theta, over a time; and what follows it.
void rslMoveds_AimTheta(struct rslImplicit* implicit, double time, double theta);
void rslMoveds_AimBdf2(struct rslImplicit* implicit, double time, double b0);

// Put them to their goals and so far beyond as they would fall [s2]; back to where they were when the step began.
void rslMoveds_Go(struct rslImplicit* implicit, rslState* state, double fall);
void rslMoveds_Stay(struct rslImplicit* implicit, rslState* state);

// The displacements of a state are those of start and a times the direction: so are they now, without a stretch. And a state that is a mean
// of others.
void rslMoveds_Move(struct rslImplicit* implicit, rslState* state, double a);
void rslMoveds_Straighten(struct rslImplicit* implicit, rslState* state);

// A place whose body is moved by a way in its own axes, if it is rigid; carried nodes follow when it is straightened.
void rslMoveds_Shift(struct rslImplicit* implicit, const rslNodeVector* place, int body, rslVec3 way);

// Frames go on for a time: t of places that stay.
void rslMoveds_Drift(struct rslImplicit* implicit, const rslState* state, const rslNodeVector* place, double time);

// Entries of forces from those on nodes; with inertia at the state, for a residual. Joints take what they take.
void rslMoveds_Gather(struct rslImplicit* implicit, const rslState* state, const rslNodeVector* force);
void rslMoveds_Residual(struct rslImplicit* implicit, const rslState* state, const rslNodeVector* force);

// Motions of carried nodes; entries of the product of K + c M with a motion, from that of nodes.
void rslMoveds_Spread(struct rslImplicit* implicit, const rslState* state, const rslNodeVector* motion);
void rslMoveds_Product(struct rslImplicit* implicit, const rslState* state, const rslNodeVector* motion,
                       const rslNodeVector* out);

// Forces that rounding makes of inertia [N].
double rslMoveds_Rounding(const struct rslImplicit* implicit);

// Into how many parts a step is to be divided, 2 to this power: bodies that are held, as nodes are that are; and none turns far where
// something may be in the way.
int rslMoveds_Parts(struct rslImplicit* implicit, rslState* state, int most);

// What products and preconditioning need to know of a state, whose residual was the last one.
void rslMoveds_Look(struct rslImplicit* implicit, const rslState* state);
void rslMoveds_Precondition(struct rslImplicit* implicit, const rslNodeVector* force, const rslNodeVector* motion);

// Inertia of a state [J], and its slope along a motion.
double rslMoveds_Inertia(const struct rslImplicit* implicit, const rslState* state);
double rslMoveds_Slope(const struct rslImplicit* implicit, const rslState* state, const rslNodeVector* motion);

// A stage has ended; a step has: frames are where they have come to.
void rslMoveds_End(struct rslImplicit* implicit, const rslState* state);
void rslMoveds_Land(struct rslImplicit* implicit, rslState* state);

// A pose: a frame in the axes of the frame where the step began, from its origin. That of a place; one moved on and turned.
rslFrame rslMoveds_Pose(const struct rslImplicit* implicit, int rigid, const rslNodeVector* place);
rslFrame rslMoved_Go(const rslMoved* body, const rslFrame* pose, rslVec3 way, rslVec3 turn);

// Force and torque, or way and turn, of a vector. Nothing is put where something is held.
rslWrench rslMoveds_Entry(const struct rslImplicit* implicit, int rigid, const rslNodeVector* vector, bool force);
void rslMoveds_PutEntry(const struct rslImplicit* implicit, int rigid, rslWrench entry, const rslNodeVector* vector,
                        bool force);

// ---- joints (implicit_joint.c)

// Frames in the world of a state, and what joints need there.
void rslMoveds_LookJoints(struct rslImplicit* implicit, const rslState* state);

// Take what joints take from forces, or what they do not allow from a motion. Returns the power of what is prescribed.
double rslMoveds_Join(struct rslImplicit* implicit, const rslNodeVector* vector, bool force);

// Poses that fit joints, by the shortest ways.
void rslMoveds_Fit(struct rslImplicit* implicit, const rslState* state, rslFrame* poses);

// The same of velocities where the last stage ended.
void rslMoveds_FitSpeeds(struct rslImplicit* implicit, const rslState* state);
