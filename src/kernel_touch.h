// SPDX-License-Identifier: MIT
//
// kernel_touch.h: impulses at collisions as part of a step: contact nodes are looked at in the world, in double, and get what
// respond.h finds.

#pragma once

#include "kernel.h"

#include "collide.h"
#include "respond.h"

struct TouchKernel
{
    rslCollide* collide;
    rslRespond* respond;
    rslCollisions found;
    int count;       // of contact nodes
    int* body;       // of each
    int* rigid;      // that carries it, -1: none; NULL without rigid bodies
    rslVec3* rest;   // in the frame of its body, or of what carries it
    double* arrays;  // those of rslResponse, x y z of each contact node
    double *x, *v, *kick, *a, *yield, *change, *shift;
    double* largestShift;  // of every body
    rslPushed* rigids;
    bool outOfMemory;  // in some step since it was asked last
};

// For models in which something can touch, and impulse schemes. False when out of memory.
bool RSL_NAME(rslTouch_Make)(Kernel* kernel);
void RSL_NAME(rslTouch_Free)(Kernel* kernel);
size_t RSL_NAME(rslTouch_Bytes)(const Kernel* kernel);

// A kick by the last forces for a step, then impulses where the state touches something. Places are those of the view, at a
// time.
void RSL_NAME(rslTouch_Kick)(Kernel* kernel, const View* view, rslState* state, double time);
