// SPDX-License-Identifier: MIT
//
// joint.h: hinges and ball joints between rigid bodies, as constraints that impulses keep. Frames are arrays with one a body.

#pragma once

#include "memory.h"

#include "resilin/observe.h"

enum
{
    RSL_JOINT_ROWS = 6  // equations: the point along x, y, z; turns about the axes of b
};

// A joint at one moment, in the world.
typedef struct rslJointView
{
    rslVec3 arms[2];  // from the centres of mass
    rslVec3 axes[3];  // those of b
    int rows;         // of a ball 3, of a hinge 5, of a driven one 6
} rslJointView;

typedef double rslJointRows[RSL_JOINT_ROWS];

// A symmetric matrix that is not negative, and its factors: rows that say nothing new are left out (joint_factor.c).
typedef struct rslJointFactor
{
    int size, rank;
    double* matrix;  // size x size; then L below the diagonal and D on it, in the order of pivots
    double *scale, *work;
    int* order;
} rslJointFactor;

bool rslJointFactor_Make(rslJointFactor* factor, int size, rslArena* arena);
void rslJointFactor_Factor(rslJointFactor* factor);
void rslJointFactor_Solve(const rslJointFactor* factor, const double* right, double* out);

// All joints of a model and what solving takes.
typedef struct rslJoints
{
    const rslModel* model;
    int count;
    const rslFrame* frames;  // looked at
    rslJointView* views;
    double (*blocks)[RSL_JOINT_ROWS][RSL_JOINT_ROWS];  // factors of the diagonal blocks
    rslJointRows *right, *impulse, *total, *held, *r, *z, *p, *q;
    bool loops;               // some joints join bodies that others join already
    rslJointFactor whole;     // then
    rslWrench* pushes;        // of every rigid body
    rslVec3 (*changes)[2];    // likewise, of V and of the spin
    rslFrame *trial, *start;  // scratch, one a body
} rslJoints;

// ---- one joint, joint_place.c: its point and its axes as end 0 (body a) or 1 (body b) has them, and the angle asked for [deg]

rslVec3 rslJoint_Point(const rslModel* model, const rslFrame* frames, const rslJoint* joint, int end);
rslVec3 rslJoint_Axis(const rslModel* model, const rslFrame* frames, const rslJoint* joint, int end, int axis);
double rslJoint_AngleAt(const rslJoint* joint, double time);

// ---- all joints, joint.c, joint_reaction.c

// False when out of memory.
bool rslJoints_Make(rslJoints* joints, const rslModel* model, rslArena* arena);

// Make velocities fit the joints, by impulses. Returns the work of prescribed motions.
double rslJoints_Project(rslJoints* joints, rslFrame* frames, double time, double step);

// Free flight for a span of time from a time on; bodies that are held end as in ahead. Returns the work of prescribed
// motions.
double rslJoints_Drift(rslJoints* joints, rslFrame* frames, const rslFrame* ahead, double time, double span,
                       double step);

// The acceleration of a body that is held.
typedef struct rslAcceleration
{
    rslVec3 linear, angular;
} rslAcceleration;

// Forces on body a of every joint, torques about the joint, that go with forces on all rigid bodies (about their centres).
void rslJoints_Reactions(rslJoints* joints, const rslFrame* frames, const rslWrench* forces,
                         const rslAcceleration* held, double time, double step, rslWrench* out);
