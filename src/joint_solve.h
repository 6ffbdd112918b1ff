// SPDX-License-Identifier: MIT
//
// joint_solve.h: the equations of all joints at one moment, and impulses that solve them; between joint.c and joint_reaction.c.

#pragma once

#include "joint.h"
#include "vec.h"

// See where joints are; and what solving takes there.
void rslJoints_Look(rslJoints* joints, const rslFrame* frames);
void rslJoints_Prepare(rslJoints* joints);

// Rows from what both ends do: the difference of v + w x arm, and of w.
void rslJoints_ToRows(const rslJointView* view, rslVec3 velocity, rslVec3 spin, double* rows);

// J v; of bodies that are held alone if asked for.
void rslJoints_Rates(const rslJoints* joints, bool heldOnly, rslJointRows* out);

// Impulses for the right side, prepared at the frames looked at.
void rslJoints_Solve(rslJoints* joints);
void rslJoints_Push(rslJoints* joints, rslJointRows* impulse, rslFrame* frames);

double rslJoints_Dot(const rslJoints* joints, rslJointRows* a, rslJointRows* b);

// y = b y + a x; with b = 0 whatever y was, also no number from a step that was taken back
void rslJoints_Combine(const rslJoints* joints, rslJointRows* y, double b, double a, rslJointRows* x);

// Of a driven hinge [rad/s], over a step around the time and not looking back beyond time 0 (joint.c).
double rslJoint_AngleRate(const rslJoint* joint, double time, double step);

// What is prescribed, J_f v_f = t of free bodies, into held. g at frames; returns the largest of it, lengths over those of the arms (joint.c).
void rslJoints_Prescribe(rslJoints* joints, double time, double step);
double rslJoints_Errors(const rslJoints* joints, const rslFrame* frames, double time, rslJointRows* out);
