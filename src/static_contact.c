// SPDX-License-Identifier: MIT
//
// static_contact.c: bodies that touch at rest (static_internal.h).
//
// They are kept apart by a barrier (barrier.h), which is a term of the potential as others are, without friction: a state of rest does not
// know how it was reached. No place is looked at that something lies between: held nodes and Newton's steps go no farther than to a
// fifth of a gap. Penalties have creases where the nearest triangle changes, and rest may lie right on one; the barrier of all pairs of
// features has none.

#include "dynamics.h"
#include "implicit_internal.h"
#include "static_internal.h"
#include "touch_scheme.h"

bool rslStatic_MakeContact(rslStatic* rest, rslTeam* team)
{
    size_t count = 3 * (size_t)rest->model->contactNodeCount + 1;
    if (!rslModel_BodiesTouch(rest->model))
    {
        return true;
    }
    rest->barrier = rslBarrier_Create(rest->model, true, &rest->hooks, team);
    rest->places = rslArena_Allocate(&rest->arena, count, sizeof(double));
    rest->ways = rslArena_Allocate(&rest->arena, count, sizeof(double));
    return rest->barrier != NULL && rest->places != NULL && rest->ways != NULL &&
           rslDynamics_SetBarrier(rest->kernel, rest->barrier);
}

bool rslStatic_OpenContact(rslStatic* rest, rslState* state)
{
    return rest->barrier == NULL || rslBarrier_Open(rest->barrier, rest->kernel, state) == rsl_ok;
}

void rslStatic_BeginContact(rslStatic* rest, const rslState* state)
{
    if (rest->barrier != NULL)
    {
        rslBarrier_BeginRest(rest->barrier, state->step);
        rest->outOfMemory = false;
    }
}

rslStatus rslStatic_TouchStatus(rslStatic* rest)
{
    bool touches = rest->barrier != NULL || (rest->relaxed != NULL && rest->relaxed->barrier != NULL);
    return touches ? rslDynamics_TouchStatus(rest->kernel) : rsl_ok;
}

static void PlacesOf(const rslStatic* rest, const rslState* state, double* const u[3], double* x)
{
    rslDynamics_Places(rest->kernel, state, 0.0, u, 0.0, x);
}

bool rslStatic_EndContact(rslStatic* rest, rslState* state, bool found)
{
    if (rest->barrier == NULL)
    {
        return true;
    }
    rslStatus status = rest->outOfMemory ? rsl_outOfMemory : rslDynamics_TouchStatus(rest->kernel);
    if (status != rsl_ok || !found)
    {
        rslBarrier_Cancel(rest->barrier);
        return status == rsl_ok;
    }
    PlacesOf(rest, state, rslStateField(state).x, rest->places);
    status = rslBarrier_Look(rest->barrier, rest->places, rslState_Time(state));
    return status == rsl_ok && rslBarrier_End(rest->barrier, state, true) == rsl_ok;
}

double rslStatic_FreePart(rslStatic* rest, const rslState* state, double* const before[3])
{
    double part = 1.0;
    if (rest->barrier == NULL)
    {
        return part;
    }
    PlacesOf(rest, state, before, rest->places);
    PlacesOf(rest, state, rslStateField(state).x, rest->ways);
    for (int i = 0; i < 3 * rest->model->contactNodeCount; ++i)
    {
        rest->ways[i] -= rest->places[i];
    }
    rslStatus status =
        rslBarrier_Limit(rest->barrier, rest->places, rest->ways, rslState_Time(state), rslGapKept, &part);
    rest->outOfMemory = rest->outOfMemory || status != rsl_ok;
    return status == rsl_ok ? part : 0.0;
}
