// SPDX-License-Identifier: MIT
//
// hands_fixture.h: runs with hands of the studio on them.

#pragma once

#include "random_scenes.h"

#include "hands.h"

typedef struct HandRun
{
    Run run;
    webHands hands;
} HandRun;

static inline HandRun StartHands(const rslScene* scene, rslSolverDef def)
{
    HandRun h = { .run = StartRun(scene, def) };
    assert_true(webHands_Make(&h.hands, h.run.solver));
    return h;
}

static inline void EndHands(HandRun* h)
{
    webHands_Free(&h->hands);
    EndRun(&h->run);
}

static inline rslStatus HandStep(HandRun* h)
{
    rslSolver_SetForces(h->run.solver, h->hands.forces);
    webHands_Update(&h->hands, h->run.state);
    return rslSolver_Step(h->run.solver, h->run.state, 1);
}

static inline double HandStepLength(const HandRun* h)
{
    return h->run.state->step > 0.0 ? h->run.state->step : rslSolver_Stability(h->run.solver).step;
}

// The speed of the fastest node; not a number where one is not.
static inline double Fastest(const HandRun* h)
{
    double worst = 0.0;
    for (int i = 0; i < h->run.model->nodeCount; ++i)
    {
        worst = Worse(worst, rslLength(VelocityOf(&h->run, i)));
    }
    return worst;
}

// The mean velocity of a body.
static inline rslVec3 Momentum(const HandRun* h)
{
    rslVec3 sum = { 0 };
    for (int i = 0; i < h->run.model->nodeCount; ++i)
    {
        sum = rslAdd(sum, rslScale(h->run.model->mass[i], VelocityOf(&h->run, i)));
    }
    return sum;
}

// The sum of forces on all nodes.
static inline rslVec3 SumOfForces(const HandRun* h)
{
    rslVec3 sum = { 0 };
    for (int i = 0; i < h->run.model->nodeCount; ++i)
    {
        const double* f = h->hands.forces + 3 * i;
        sum = rslAdd(sum, (rslVec3){ f[0], f[1], f[2] });
    }
    return sum;
}
