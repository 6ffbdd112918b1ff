// SPDX-License-Identifier: MIT
//
// implicit_rest.c: see implicit.h. Backward Euler from where nothing moves, of any length: what static_relax.c comes to rest with.

#include "implicit_internal.h"
#include "spread.h"
#include "state_internal.h"

// Nothing moves.
static void Calm(const rslImplicit* m, rslState* state)
{
    rslNodeVector w = rslVelocities(state);
    rslUnknowns_Clear(&m->unknowns, &w);
    for (int b = 0; b < m->model->bodyCount; ++b)
    {
        const rslRigid* rigid = rslModel_Rigid(m->model, b);
        if (rigid == NULL || rigid->constraint < 0)
        {
            state->frames[b].velocity = state->frames[b].momentum = (rslVec3){ 0 };
        }
    }
}

// Forces without inertia and dampers, where a stage has ended; what is frozen is so where it is.
static rslRelaxed LookAtRest(rslImplicit* m, rslState* state)
{
    const rslUnknowns* u = &m->unknowns;
    rslNodeVector *r = &m->space.r, *z = &m->space.z;
    rslRelaxed relaxed = { .found = true };
    double length;
    rslDynamics_SetTime(m->kernel, m->stage.lead);
    rslDynamics_Refreeze(m->kernel, state);
    rslImplicit_BeginContact(m, state);
    m->stage.rate = 0.0;
    rslStatics_Loads(m->kernel, state, z->x);
    rslMoveds_Gather(m, state, z);
    rslUnknowns_Project(u, z);
    double loads = rslUnknowns_Dot(u, z, z);
    relaxed.left = rslImplicit_Residual(m, state);
    relaxed.node = rslUnknowns_Largest(u, r, &length);
    // what holds nodes that are held, and those that rigid bodies carry
    (void)rslDynamics_Forces(m->kernel, state, z->x);
    rslMoveds_Clear(m, z);
    double all = rslUnknowns_Dot(u, z, z);
    rslUnknowns_Project(u, z);
    double held = all - rslUnknowns_Dot(u, z, z);
    relaxed.reference = rslMost(sqrt(loads + (held > 0.0 ? held : 0.0)), 1e-6 * m->reference);
    if (m->barrier != NULL)
    {
        rslBarrier_Cancel(m->barrier);
    }
    return relaxed;
}

rslRelaxed rslImplicit_Relax(rslImplicit* m, rslState* state, double h, double reference)
{
    m->result.stopped = m->result.limited = false;
    m->bent = true;
    m->status = rsl_ok;
    Calm(m, state);
    rslImplicit_Begin(m, state, 0.0);
    m->reference = rslMost(m->reference, reference);
    rslRelaxed relaxed = { 0 };
    if (h > 0.0)
    {
        rslImplicit_AimTheta(m, h, 1.0);
        m->stage.lead = state->step;
        m->stage.along = m->stage.fall = 0.0;
        relaxed.solved = rslImplicit_SolveStage(m, state);
        rslSolveOutcome outcome = m->result.outcome;
        relaxed.found = relaxed.solved || outcome == rsl_solveNoDescent || outcome == rsl_solveNoEnd;
        relaxed.found = relaxed.found && m->status == rsl_ok && !m->result.stopped;
    }
    if (relaxed.found)
    {
        bool solved = relaxed.solved;
        relaxed = LookAtRest(m, state);
        relaxed.solved = solved;
        rslMoveds_Land(m, state);
    }
    rslImplicit_End(m);
    Calm(m, state);
    return relaxed;
}

rslStatus rslImplicit_EndRest(rslImplicit* m, rslState* state)
{
    if (m->barrier == NULL)
    {
        return rsl_ok;
    }
    rslNodeVector at = rslDisplacements(state);
    rslBarrier_BeginRest(m->barrier, state->step);
    rslDynamics_Places(m->kernel, state, 0.0, at.x, 0.0, m->places);
    rslStatus status = rslBarrier_Look(m->barrier, m->places, rslState_Time(state));
    return status == rsl_ok ? rslBarrier_End(m->barrier, state, true) : status;
}
