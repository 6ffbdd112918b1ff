// SPDX-License-Identifier: MIT
//
// stage_fixture.h: a stage of an implicit step at random places: slope and curvature of what it makes least.

#pragma once

#include "physics_fixture.h"

#include "implicit_internal.h"
#include "solver_internal.h"
#include "state_internal.h"

static inline void PutAt(rslImplicit* m, rslState* state, double a)
{
    rslNodeVector at = rslDisplacements(state);
    rslUnknowns_Copy(&m->unknowns, &at, &m->start);
    rslUnknowns_Combine(&m->unknowns, &at, 1.0, a, &m->direction);
    rslMoveds_Move(m, state, a);
}

static inline double SumOf(rslImplicit* m, rslState* state)
{
    return rslStatics_Potential(m->kernel, state) + rslImplicit_Inertia(m, state, &m->space.z);
}

static inline void Shake(rslImplicit* m, const rslNodeVector* v, double nodes, double rigid, Random* random)
{
    rslUnknowns_Clear(&m->unknowns, v);
    for (int i = 0; i < m->unknowns.entryCount; ++i)
    {
        int entry = i - m->unknowns.nodeCount;
        rslVec3 by = NextVec3(random, entry < 0 ? nodes : entry % RSL_RIGID_ENTRIES < 2 ? rigid : 0.0);
        bool free = entry >= 0 || m->unknowns.axes[i] == 0;
        v->x[0][i] = free ? by.x : 0.0;
        v->x[1][i] = free ? by.y : 0.0;
        v->x[2][i] = free ? by.z : 0.0;
    }
}

// A stage of backward Euler of h, at a place far from its goal.
static inline void EnterStage(rslImplicit* m, rslState* state, double h, Random* random)
{
    rslNodeVector at = rslDisplacements(state), w = rslVelocities(state);
    rslUnknowns_Aim(&m->unknowns, state);
    rslMoveds_Begin(m, state);
    rslDynamics_Freeze(m->kernel, state);
    rslUnknowns_Copy(&m->unknowns, &m->u0, &at);
    rslUnknowns_Copy(&m->unknowns, &m->w0, &w);
    m->stage.lead = m->stage.duration = m->stage.weight = h;
    m->stage.rate = 1.0 / h;
    rslUnknowns_Copy(&m->unknowns, &m->stage.origin, &at);
    rslUnknowns_Copy(&m->unknowns, &m->stage.goal, &at);
    rslUnknowns_Combine(&m->unknowns, &m->stage.goal, 1.0, h, &w);
    rslMoveds_AimTheta(m, h, 1.0);
    rslDynamics_SetTime(m->kernel, h);
    rslDynamics_SetRate(m->kernel, m->stage.rate);
    rslStatics_SetShift(m->kernel, m->stage.rate * m->stage.rate);
    assert_true(rslImplicit_BeginContact(m, state));
    if (m->blocks != NULL)
    {
        rslStatics_Look(m->kernel, state);
        rslStatics_Diagonal(m->kernel, state, m->blocks);
        rslDynamics_Firm(m->kernel, state, m->blocks);
    }
    rslMoveds_Go(m, state, 0.0);
    rslUnknowns_Copy(&m->unknowns, &m->start, &at);
    Shake(m, &m->direction, 0.003, 0.02, random);
    PutAt(m, state, 1.0);
    assert_true(rslImplicit_GoFree(m, state));
    rslUnknowns_Copy(&m->unknowns, &m->start, &at);
    if (m->blocks != NULL)
    {
        (void)rslDynamics_Press(m->kernel, state);
    }
}

// The slope along a motion that joints allow is that of forces left over; its change, without joints and contact, that of products.
static inline void CheckSlopes(const rslScene* scene, double h, bool curvature)
{
    Run run = StartRun(scene, SolverDef(rsl_implicitEuler, h));
    Random random = MakeRandom(7);
    rslImplicit* m = run.solver->implicit;
    const rslUnknowns* u = &m->unknowns;
    run.state->step = h;
    bool touches = false;
    for (int trial = 0; trial < 4; ++trial)
    {
        double ahead[2], slopes[2], e = m->barrier != NULL ? 1e-8 : 1e-6;
        EnterStage(m, run.state, h, &random);
        Shake(m, &m->direction, 1.0, 1.0, &random);
        if (m->moveds.joints.count > 0)
        {
            rslMoveds_LookJoints(m, run.state);
            (void)rslMoveds_Join(m, &m->direction, false);
        }
        for (int side = 0; side < 2; ++side)
        {
            PutAt(m, run.state, side == 0 ? e : -e);
            ahead[side] = SumOf(m, run.state);
            (void)rslImplicit_Residual(m, run.state);
            slopes[side] = -rslUnknowns_Dot(u, &m->space.r, &m->direction);
        }
        PutAt(m, run.state, 0.0);
        (void)rslImplicit_Residual(m, run.state);
        double slope = -rslUnknowns_Dot(u, &m->space.r, &m->direction),
               size = sqrt(rslUnknowns_Dot(u, &m->space.r, &m->space.r));
        assert_close((ahead[0] - ahead[1]) / (2.0 * e), slope, 1e-5 * size);
        touches = touches || (m->barrier != NULL && rslBarrier_Energy(m->barrier) > 0.0);
        m->state = run.state;
        rslStatics_Look(m->kernel, run.state);
        rslMoveds_Look(m, run.state);
        m->system.multiply(m->system.context, &m->direction, &m->space.q);
        double bent = rslUnknowns_Dot(u, &m->direction, &m->space.q);
        if (curvature)
        {
            assert_close((slopes[0] - slopes[1]) / (2.0 * e), bent, 1e-6 * fabs(bent));
        }
        // symmetric
        rslUnknowns_Copy(u, &m->best, &m->direction);
        Shake(m, &m->direction, 1.0, 1.0, &random);
        double there = rslUnknowns_Dot(u, &m->direction, &m->space.q);
        m->system.multiply(m->system.context, &m->direction, &m->space.q);
        double back = rslUnknowns_Dot(u, &m->best, &m->space.q);
        if (curvature)
        {
            assert_close(there, back, 1e-9 * fabs(bent));
        }
        if (m->barrier != NULL)
        {
            rslBarrier_Cancel(m->barrier);
        }
        rslMoveds_Land(m, run.state);
        rslDynamics_Forget(m->kernel);
        rslState_Free(run.state);
        run.state = StateOf(run.model, rsl_double);
        run.state->step = h;
    }
    assert_true(touches || m->barrier == NULL);
    EndRun(&run);
}

// Saved and loaded after every step, by another solver with other threads: the same bits. Returns whether anything touched.
static inline bool CheckResume(const rslScene* scene, rslIntegrator integrator, int steps)
{
    rslSolverDef def = SolverDef(integrator, 1.0 / 60.0);
    Run whole = StartRun(scene, def), parts = StartRun(scene, def);
    bool touched = false;
    Step(&whole, steps);
    for (int i = 0; i < steps; ++i)
    {
        Step(&parts, 1);
        touched = touched || parts.state->touchedCount > 0;
        Reload(&parts);
        rslSolver_Free(parts.solver);
        def.threads = 1 + i % 3;
        parts.solver = SolverOf(parts.model, &def);
    }
    assert_true(rslState_Hash(whole.state) == rslState_Hash(parts.state));
    assert_true(memcmp(&whole.state->account, &parts.state->account, sizeof(rslAccount)) == 0);
    EndRun(&whole);
    EndRun(&parts);
    return touched;
}
