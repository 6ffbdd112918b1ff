// SPDX-License-Identifier: MIT
//
// cg.h: preconditioned conjugate gradients without a matrix.

#pragma once

#include "unknowns.h"

// K and an approximation of its inverse, both symmetric on the free unknowns.
typedef struct rslSystem
{
    const rslUnknowns* unknowns;
    void (*multiply)(void* context, const rslNodeVector* p, const rslNodeVector* out);
    void (*precondition)(void* context, const rslNodeVector* r, const rslNodeVector* z);
    void* context;
    bool (*mend)(void* context);  // r.z was not positive: false when nothing can be done about it; NULL: never
    bool (*stop)(void* context);  // asked before every iteration; NULL: never
    double stiffest;  // of the order of the largest eigenvalue of K [N/m]: curvature below 1e-16 of it counts as none
    bool (*renew)(void* context,
                  int iterations);  // asked like stop: whether the approximation is another one now; NULL: never
} rslSystem;

typedef struct rslCgSpace
{
    rslNodeVector r, z, p, q;
} rslCgSpace;

typedef struct rslCgResult
{
    int iterations;
    double residual;  // |b - K x| / |b|
    bool stopped;     // on demand
    bool curved;      // p.Kp <= 0 was met: p is in space->p, and x is what was found before
} rslCgResult;

// Solve K x = b for b in space->r, from x = 0, until |b - K x| <= tolerance |b|.
rslCgResult rslCg_Solve(const rslSystem* system, rslCgSpace* space, const rslNodeVector* x, double tolerance,
                        int limit);
