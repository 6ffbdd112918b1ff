// SPDX-License-Identifier: MIT
//
// ring.h: a body let go in one of its modes, and what it rings with.

#pragma once

#include "resilin/modes.h"
#include "resilin/solver.h"

typedef struct rslRingDef
{
    int mode;     // of the modes
    int periods;  // it is listened to
    double work;  // node-steps that it may take at most; 0: any
    int threads;  // 0: as many as the process may use
} rslRingDef;

// What the ring-down says of the motion q'' + 2 zeta w q' + w^2 q = 0, the effect of the step taken out.
typedef struct rslRing
{
    double frequency;  // w / 2 pi [Hz]
    double ratio;      // zeta
    double period;     // between swings, as seen [s]
    double decrement;  // log of the ratio of swings a period apart, as seen
    double misfit;     // of the samples from such a motion, rms, of the first of them
    double step;       // [s]
    double work;       // node-steps, done or needed
} rslRing;

// Of a model at rest whose modes were found. rsl_unsupported: it takes more work than it may, or the mode does not swing; out->work
// is the one needed.
rslStatus rslRing_Down(const rslModel* model, const rslModes* modes, const rslRingDef* def, const rslHooks* hooks,
                       rslRing* out, rslReport* report);
