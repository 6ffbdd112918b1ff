// SPDX-License-Identifier: MIT
//
// kernel_touch.h: impulses at collisions as part of a step: contact nodes are looked at in the world, in double, and get what
// respond.h finds.

#pragma once

#include "kernel.h"

#include "collide.h"
#include "impact_rule.h"
#include "respond_fast.h"

struct TouchKernel
{
    rslCollide* collide;
    rslRespond* respond;
    rslFast* fast;  // NULL with published schemes
    double size;    // of the smallest cells: motion by more than a part of it in a step is fast
    rslCollisions found;
    int count;       // of contact nodes
    int* body;       // of each
    int* rigid;      // that carries it, -1: none; NULL without rigid bodies
    rslVec3* rest;   // in the frame of its body, or of what carries it
    double* arrays;  // those of rslResponse, x y z of each contact node
    double *x, *v, *kick, *a, *lift, *yield, *change, *shift;
    double* fastest;       // of blocks of nodes: the square of the largest speed, without and with the kick
    double* noShift;       // zeros
    double* largestShift;  // of every body
    int divided;           // steps are 2^-divided of whole ones
    rslPushed* rigids;
    bool outOfMemory;  // in some step since it was asked last
    rslImpactRule rule;
    double asks;    // the last step was too long: for how long they have to be shorter [s]; 0: it was not
    double goesOn;  // it was not: for how long they have to be as short if it was a part of one [s]
    bool swings;    // likewise: something touches that an impact makes swing
};

// May steps be divided, by what guards elements or by what touches?
static inline bool Divides(const Kernel* kernel)
{
    return kernel->guard != NULL || (kernel->touch != NULL && kernel->touch->rule.stable > 0.0);
}

// The stable step, which steps at impacts are short beside. Published schemes are as they were published.
void RSL_NAME(rslTouch_SetStable)(Kernel* kernel, double stable);

// For models in which something can touch, and impulse schemes. False when out of memory.
bool RSL_NAME(rslTouch_Make)(Kernel* kernel);
void RSL_NAME(rslTouch_Free)(Kernel* kernel);
size_t RSL_NAME(rslTouch_Bytes)(const Kernel* kernel);

// Before the first drift of a step, for a time [s]: nothing fast passes anything on it. It is the half of a way that was swept in
// the step before, unless there was none, or a guard has changed the length of the steps.
void RSL_NAME(rslTouch_Leave)(Kernel* kernel, rslState* state, double time);

// A kick by the last forces, then impulses where the state touches something in the step. Places are those of the view, at a time.
void RSL_NAME(rslTouch_Kick)(Kernel* kernel, const View* view, rslState* state, double time, double kick);
