// SPDX-License-Identifier: MIT
//
// implicit_contact.c: contact in implicit steps (barrier.h).
//
// Barrier and friction are terms of the potential that a stage makes least. No place is looked at that something lies between: a stage
// starts where flight leads with its contacts led to where they will end (barrier_lead.c), or else from the last one that is free on the
// way, and no Newton step goes farther than to a fifth of a gap, or a fiftieth where it is led. They act at the end of a stage only: a
// force that is infinite somewhere has no mean with what it was before.

#include "implicit_internal.h"
#include "movement.h"
#include "touch_scheme.h"
#include "vec.h"

#include <string.h>

enum
{
    RENEWALS = 6,        // of friction in a stage
    STRAIGHTENINGS = 12  // tries to find a place where rigid bodies are free
};

// Of a gap, in one go, where it is led to where it will end: by a Newton step, and on the whole way of a flight.
static const double keptLed = 0.02, keptOfFlight = 1e-3;

bool rslImplicit_MakeContact(rslImplicit* m, rslIntegrator integrator, rslTeam* team)
{
    size_t count = 3 * (size_t)m->model->contactNodeCount + 1;
    bool rests = integrator == rsl_static;  // between bodies alone (static_contact.c)
    bool touches =
        rslModel_Touches(m->model) && rslTouchScheme_For(m->model->touch.scheme, integrator) == rsl_barrierScheme;
    if (rests ? !rslModel_BodiesTouch(m->model) : !touches)
    {
        return true;
    }
    for (int c = 0; !rests && c < m->model->colliderCount; ++c)
    {
        m->collidersMove = m->collidersMove || m->model->colliders[c].moves;
    }
    m->barrier = rslBarrier_Create(m->model, rests, &m->hooks, team);
    m->placesBefore = rslArena_Allocate(&m->arena, count, sizeof(double));
    m->places = rslArena_Allocate(&m->arena, count, sizeof(double));
    m->ways = rslArena_Allocate(&m->arena, count, sizeof(double));
    m->unled = rslArena_Allocate(&m->arena, count, sizeof(double));
    m->along = rslArena_Allocate(&m->arena, (size_t)m->model->bodyCount, sizeof(rslVec3));
    return m->barrier != NULL && m->placesBefore != NULL && m->places != NULL && m->ways != NULL && m->unled != NULL &&
           m->along != NULL && rslDynamics_SetBarrier(m->kernel, m->barrier);
}

static bool Note(rslImplicit* m, rslStatus status)
{
    m->status = status != rsl_ok ? status : m->status;
    return status == rsl_ok;
}

// The part of the ways from places to those of a state that is free.
static double FreePart(rslImplicit* m, const rslState* state, const double* from, double begin, bool still, double keep)
{
    rslNodeVector at = rslDisplacements(state);
    double part = 0.0, time = still ? 1.0 : m->stage.lead - begin;
    rslDynamics_Places(m->kernel, state, m->stage.lead, at.x, 0.0, m->ways);
    for (int i = 0; i < 3 * m->model->contactNodeCount; ++i)
    {
        m->ways[i] = (m->ways[i] - from[i]) / time;
    }
    double now = rslState_Time(state) + (still ? m->stage.lead : begin);
    rslStatus status = still ? rslBarrier_Limit(m->barrier, from, m->ways, now, keep, &part)
                             : rslBarrier_Way(m->barrier, from, m->ways, now, time, keep, &part);
    return Note(m, status) ? part : 0.0;
}

bool rslImplicit_BeginContact(rslImplicit* m, const rslState* state)
{
    const rslStage* stage = &m->stage;
    rslNodeVector at = rslDisplacements(state);
    rslUnknowns_Copy(&m->unknowns, &m->free, &at);
    rslDynamics_Drift(m->kernel, state, stage->lead - stage->begin, m->free.x);
    rslMoveds_Drift(m, state, &m->free, stage->lead - stage->begin);
    if (m->barrier == NULL)
    {
        return true;
    }
    m->renewals = 0;
    rslDynamics_Places(m->kernel, state, stage->begin, at.x, 0.0, m->placesBefore);
    if (rslBarrier_IsOfRest(m->barrier))
    {
        rslBarrier_BeginRest(m->barrier, state->step);
        return true;
    }
    rslDynamics_Places(m->kernel, state, stage->lead, stage->origin.x, 1.0 / stage->rate, m->places);
    rslBarrierStage contact = { .scale = stage->duration * stage->rate,
                                .lever = 1.0 / stage->rate,
                                .duration = stage->weight,
                                .span = stage->lead - stage->begin,
                                .time = rslState_Time(state) + stage->begin,
                                .start = m->placesBefore,
                                .rest = m->places };
    return Note(m, rslBarrier_Begin(m->barrier, state, &contact));
}

bool rslImplicit_Touches(const rslImplicit* m)
{
    return m->barrier != NULL && rslBarrier_Held(m->barrier) > 0;
}

bool rslImplicit_EndContact(rslImplicit* m, rslState* state, bool found)
{
    if (m->barrier != NULL && (!found || rslBarrier_IsOfRest(m->barrier)))
    {
        rslBarrier_Cancel(m->barrier);
    }
    if (m->barrier == NULL || !found || rslBarrier_IsOfRest(m->barrier))
    {
        return m->barrier == NULL || Note(m, rslDynamics_TouchStatus(m->kernel));
    }
    rslNodeVector at = rslDisplacements(state);
    rslDynamics_Places(m->kernel, state, m->stage.lead, at.x, 0.0, m->places);
    rslStatus status = rslBarrier_Look(m->barrier, m->places, rslState_Time(state) + m->stage.lead);
    status = status == rsl_ok ? rslBarrier_End(m->barrier, state, m->stage.begin == 0.0 && !m->goesOn) : status;
    return Note(m, status) && Note(m, rslDynamics_TouchStatus(m->kernel));
}

bool rslImplicit_Renew(rslImplicit* m, rslState* state, double tolerance)
{
    bool renewed = false;
    if (m->barrier == NULL || rslBarrier_IsOfRest(m->barrier) || m->renewals == RENEWALS)
    {
        return false;
    }
    rslNodeVector at = rslDisplacements(state);
    rslDynamics_Places(m->kernel, state, m->stage.lead, at.x, 0.0, m->places);
    rslStatus status = rslBarrier_Look(m->barrier, m->places, rslState_Time(state) + m->stage.lead);
    bool done = Note(m, status) && Note(m, rslBarrier_Renew(m->barrier, state, tolerance, &renewed));
    m->renewals += done && renewed ? 1 : 0;
    return done && renewed;
}

void rslImplicit_WentTooFar(rslImplicit* m)
{
    if (m->barrier != NULL)
    {
        rslBarrier_Widen(m->barrier, m->tooFar);
    }
}

// Does nothing run into places of a state while it waits there, from a part of the stage to its end?
static bool MayWait(rslImplicit* m, const rslState* state, double part)
{
    rslNodeVector at = rslDisplacements(state);
    double time = (1.0 - part) * (m->stage.lead - m->stage.begin), begin = m->stage.lead - time, free = 0.0;
    rslDynamics_Places(m->kernel, state, m->stage.lead, at.x, 0.0, m->places);
    memset(m->ways, 0, 3 * (size_t)m->model->contactNodeCount * sizeof(double));
    rslStatus status =
        rslBarrier_Way(m->barrier, m->places, m->ways, rslState_Time(state) + begin, time, rslGapKept, &free);
    return Note(m, status) && free >= 1.0;
}

// How far a collider goes toward where it touches while the stage lasts [m].
static double Approach(const rslImplicit* m, const rslCollisions* closing, const rslCollision* one, double time)
{
    double span = m->stage.lead - m->stage.begin;
    rslVec3 x = { 0.0, 0.0, 0.0 };
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        const double* at = &m->placesBefore[3 * (size_t)closing->nodes[e]];
        x = rslMulAdd(x, closing->weights[e], (rslVec3){ at[0], at[1], at[2] });
    }
    const rslCollider* collider = &m->model->colliders[rslKey_Other(one->key)];
    return span * rslDot(rslCollider_Velocity(collider, time + 0.5 * span, span, x), one->normal);
}

static void Shift(rslImplicit* m, const rslState* state, int index, rslVec3 by)
{
    rslNodeVector at = rslDisplacements(state);
    const rslBody* body = &m->model->bodies[index];
    rslMat3 turn = rslQuatMatrix(state->frames[index].rotation);
    rslVec3 own = rslMatTVec(&turn, by);
    const double way[3] = { own.x, own.y, own.z };
    rslMoveds_Shift(m, &at, index, own);
    for (int axis = 0; axis < 3 && rslModel_Rigid(m->model, index) == NULL; ++axis)
    {
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            at.x[axis][i] += way[axis];
        }
    }
}

bool rslImplicit_GoAlong(rslImplicit* m, rslState* state)
{
    if (m->barrier == NULL || !m->collidersMove)
    {
        return false;
    }
    const rslCollisions* closing = NULL;
    rslNodeVector at = rslDisplacements(state);
    double time = rslState_Time(state) + m->stage.begin, span = m->stage.lead - m->stage.begin;
    memset(m->ways, 0, 3 * (size_t)m->model->contactNodeCount * sizeof(double));
    memset(m->along, 0, (size_t)m->model->bodyCount * sizeof(rslVec3));
    if (!Note(m, rslBarrier_Closing(m->barrier, m->placesBefore, m->ways, time, span, &closing)))
    {
        return false;
    }
    for (int i = 0; i < closing->count; ++i)
    {
        const rslCollision* one = &closing->list[i];
        rslVec3* along = &m->along[one->key[0]];
        if (rslKey_IsCollider(one->key))
        {
            double left = Approach(m, closing, one, time) - rslDot(*along, one->normal);
            *along = left > 0.0 ? rslMulAdd(*along, left, one->normal) : *along;
        }
    }
    rslUnknowns_Copy(&m->unknowns, &at, &m->free);
    for (int b = 0; b < m->model->bodyCount; ++b)
    {
        Shift(m, state, b, m->along[b]);
    }
    rslMoveds_Straighten(m, state);
    return true;
}

bool rslImplicit_GoFree(rslImplicit* m, rslState* state)
{
    if (m->barrier == NULL)
    {
        return true;
    }
    rslNodeVector at = rslDisplacements(state);
    double part = FreePart(m, state, m->placesBefore, m->stage.begin, false, rslGapKept), way = part;
    for (int i = 0; i < STRAIGHTENINGS && way < 1.0; ++i)
    {
        // rigid bodies are not stretched, and so are not quite where ways have led
        double less = m->moveds.count > 0 ? 0.9 * way : way;
        rslUnknowns_Combine(&m->unknowns, &at, less, 1.0 - less, &m->free);
        rslMoveds_Straighten(m, state);
        way = m->moveds.count > 0 ? FreePart(m, state, m->placesBefore, m->stage.begin, false, rslGapKept) : 1.0;
        part = way < 1.0 ? 0.0 : part;
    }
    return part >= 1.0 || (part > 0.0 && (!m->collidersMove || MayWait(m, state, part)));
}

bool rslImplicit_IsFree(rslImplicit* m, const rslState* state)
{
    return FreePart(m, state, m->placesBefore, m->stage.begin, false, keptOfFlight) >= 1.0;
}

// To nodes of a vector goes what leading has changed of ways, for a time.
static void AddLed(const rslImplicit* m, const rslState* state, double time, const rslNodeVector* vector)
{
    for (int c = 0; c < m->model->contactNodeCount; ++c)
    {
        const double *led = &m->ways[3 * (size_t)c], *unled = &m->unled[3 * (size_t)c];
        rslVec3 by = { led[0] - unled[0], led[1] - unled[1], led[2] - unled[2] };
        if (by.x != 0.0 || by.y != 0.0 || by.z != 0.0)
        {
            int node = m->model->contactNodes[c];
            rslMat3 turn = rslQuatMatrix(state->frames[rslModel_BodyOf(m->model, node)].rotation);
            by = rslScale(time, rslMatTVec(&turn, by));
            vector->x[0][node] += by.x;
            vector->x[1][node] += by.y;
            vector->x[2][node] += by.z;
        }
    }
}

bool rslImplicit_LeadFlight(rslImplicit* m, rslState* state)
{
    if (m->barrier == NULL || rslBarrier_IsOfRest(m->barrier))
    {
        return false;
    }
    bool led = false;
    size_t count = 3 * (size_t)m->model->contactNodeCount;
    double time = rslState_Time(state) + m->stage.begin, span = m->stage.lead - m->stage.begin;
    rslNodeVector at = rslDisplacements(state);
    rslDynamics_Places(m->kernel, state, m->stage.lead, at.x, 0.0, m->ways);
    for (size_t i = 0; i < count; ++i)
    {
        m->ways[i] = (m->ways[i] - m->placesBefore[i]) / span;
    }
    memcpy(m->unled, m->ways, count * sizeof(double));
    if (Note(m, rslBarrier_Lead(m->barrier, m->placesBefore, time, span, true, m->ways, &led)) && led)
    {
        AddLed(m, state, span, &at);
    }
    return led;
}

bool rslImplicit_LeadStep(rslImplicit* m, const rslState* state)
{
    if (m->barrier == NULL || rslBarrier_IsOfRest(m->barrier))
    {
        return false;
    }
    bool led = false;
    rslNodeVector at = rslDisplacements(state);
    rslDynamics_Places(m->kernel, state, m->stage.lead, at.x, 0.0, m->places);
    for (int c = 0; c < m->model->contactNodeCount; ++c)
    {
        int node = m->model->contactNodes[c];
        rslMat3 turn = rslQuatMatrix(state->frames[rslModel_BodyOf(m->model, node)].rotation);
        const rslNodeVector* d = &m->direction;
        rslVec3 way = rslMatVec(&turn, (rslVec3){ d->x[0][node], d->x[1][node], d->x[2][node] });
        double* out = &m->ways[3 * (size_t)c];
        out[0] = way.x;
        out[1] = way.y;
        out[2] = way.z;
    }
    memcpy(m->unled, m->ways, 3 * (size_t)m->model->contactNodeCount * sizeof(double));
    double time = rslState_Time(state) + m->stage.lead;
    if (Note(m, rslBarrier_Lead(m->barrier, m->places, time, 1.0, false, m->ways, &led)) && led)
    {
        rslUnknowns_Copy(&m->unknowns, &m->carried, &m->direction);
        AddLed(m, state, 1.0, &m->direction);
        rslUnknowns_Project(&m->unknowns, &m->direction);
        rslMoveds_Spread(m, state, &m->direction);
    }
    return led;
}

double rslImplicit_ReachFree(rslImplicit* m, const rslState* state, bool led)
{
    if (m->barrier == NULL)
    {
        return 1.0;
    }
    rslDynamics_Places(m->kernel, state, m->stage.lead, m->start.x, 0.0, m->places);
    return FreePart(m, state, m->places, m->stage.begin, true, led ? keptLed : rslGapKept);
}

bool rslImplicit_Open(rslImplicit* m, rslState* state)
{
    return m->barrier == NULL || rslBarrier_Open(m->barrier, m->kernel, state) == rsl_ok;
}
