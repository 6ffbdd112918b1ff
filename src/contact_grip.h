// SPDX-License-Identifier: MIT
//
// contact_grip.h: what a touch of two bodies takes hold of: the nodes behind it, and rigid bodies.

#pragma once

#include "kernel_contact.h"
#include "kernel_rigid.h"

enum
{
    MOST_NODES = STENCIL * TOUCH_POINTS
};

// One of the nodes behind a touch, or a rigid body as a whole.
typedef struct Share
{
    int node, body;
    int part;       // the rigid body that moves it, among the parts of the grip; -1: it moves by itself
    rslVec3 arm;    // from the centre of mass of the part
    double weight;  // W
    rslVec3 lever;  // g
} Share;

// A rigid body in a grip, and what pushes on it.
typedef struct GripPart
{
    const RigidBody* rigid;
    Wrench push;
} GripPart;

typedef struct Grip
{
    Share shares[MOST_NODES];
    GripPart parts[MOST_NODES];
    int count, partCount;
    rslVec3 apart;  // a: from the triangle to the vertex
    rslVec3 face;   // N: normal of the triangle
} Grip;

typedef enum SlidePart
{
    rsl_allOfIt,
    rsl_heldPart  // of what constraints hold
} SlidePart;

void RSL_NAME(rslGrip_Make)(const Kernel* kernel, const ContactKernel* contact, int s, int v, Grip* grip);

// How the vertex moves against the triangle: sum A^T v, in the world.
rslVec3 RSL_NAME(rslGrip_Slide)(const Kernel* kernel, const View* view, const Grip* grip, SlidePart part);

// What the forces of this moment, or loads alone, have just added to it.
rslVec3 RSL_NAME(rslGrip_Kicked)(const Kernel* kernel, const View* view, const Grip* grip, bool loads, double time);

// What an impulse would add to it, and the impulse itself.
rslVec3 RSL_NAME(rslGrip_Yield)(const Kernel* kernel, const View* view, Grip* grip, rslVec3 impulse);
void RSL_NAME(rslGrip_Push)(const Kernel* kernel, const View* view, Grip* grip, rslVec3 impulse);
