// SPDX-License-Identifier: MIT
//
// kernel_barrier.h: the contact of implicit steps (barrier.h) as a kernel has it.

#pragma once

#include "barrier.h"
#include "kernel.h"

struct BarrierKernel
{
    rslBarrier* barrier;
    bool ofRest;       // it is one of rest, and leaves colliders out
    bool acts;         // forces, energies and products have it
    rslStatus status;  // out of memory: what was found is not all
    double* at;        // places of contact nodes, x y z each
    double* change;    // K p
    int* body;         // of every contact node
    double* rest;      // places at rest in the axes of their bodies [m]
    // of every body: p and K p are in axes that are turned against those of the body; NULL: in its own
    const rslMat3* turns;
};

// Contact nodes as they are at a view, and along a vector of the kernel.
void RSL_NAME(rslBarrier_Gather)(const Kernel* kernel, const View* view, double* x);
