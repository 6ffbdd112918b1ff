// SPDX-License-Identifier: MIT
//
// barrier_open.c: bodies that touch at the start.
//
// A body that is put right on the ground, or right on another one, has no gap that a barrier could act in. Bodies are moved apart, and
// where they cannot be, because something holds them, nodes are: until no barrier acts,
// or half as far. Gaps are taken one after the other, and shared between both sides.

#include "ascending.h"
#include "barrier_internal.h"
#include "dynamics.h"

#include <string.h>

enum
{
    SWEEPS = 200,  // over gaps as they were found
    ROUNDS = 20    // of finding them
};

// Bodies that welds and joints join move together: the first of them leads.
static void Join(rslBarrier* barrier, int a, int b)
{
    int first = barrier->leader[a] < barrier->leader[b] ? barrier->leader[a] : barrier->leader[b];
    int other = barrier->leader[a] + barrier->leader[b] - first;
    for (int k = 0; k < barrier->model->bodyCount; ++k)
    {
        barrier->leader[k] = barrier->leader[k] == other ? first : barrier->leader[k];
    }
}

static void JoinBodies(rslBarrier* barrier)
{
    const rslModel* model = barrier->model;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        barrier->leader[b] = b;
    }
    for (int r = 0; r < model->rigidCount; ++r)
    {
        for (int w = 0; w < model->rigids[r].weldCount; ++w)
        {
            Join(barrier, model->rigids[r].body, rslModel_BodyOf(model, model->rigids[r].welded[w]));
        }
    }
    for (int j = 0; j < model->jointCount; ++j)
    {
        const int* ends = model->joints[j].rigids;
        if (ends[0] >= 0 && ends[1] >= 0)
        {
            Join(barrier, model->rigids[ends[0]].body, model->rigids[ends[1]].body);
        }
    }
}

static void Stop(rslBarrier* barrier, int body)
{
    barrier->mobility[barrier->leader[body]] = 0.0;
}

// 1/M of bodies that lead and that nothing holds, 0 of others.
static void SetMobility(rslBarrier* barrier)
{
    const rslModel* model = barrier->model;
    JoinBodies(barrier);
    memset(barrier->mobility, 0, (size_t)model->bodyCount * sizeof(double));
    for (int b = 0; b < model->bodyCount; ++b)
    {
        barrier->mobility[barrier->leader[b]] += model->bodies[b].mass;
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        barrier->mobility[b] = barrier->leader[b] == b ? 1.0 / barrier->mobility[b] : 0.0;
    }
    for (int k = 0; k < model->constraintCount; ++k)
    {
        for (int i = 0; i < model->constraints[k].nodeCount; ++i)
        {
            Stop(barrier, rslModel_BodyOf(model, model->constraints[k].nodes[i]));
        }
    }
    for (int e = 0; e < 2 * model->jointCount; ++e)
    {
        const int* ends = model->joints[e / 2].rigids;
        if (ends[e % 2] >= 0 && ends[1 - e % 2] < 0)
        {
            Stop(barrier, model->rigids[ends[e % 2]].body);
        }
    }
}

// 1/m of a contact node, 0 of those that rigid bodies carry.
static double NodeMobility(const rslBarrier* barrier, int contact)
{
    const rslModel* model = barrier->model;
    int node = model->contactNodes[contact];
    for (int r = 0; r < model->rigidCount; ++r)
    {
        const rslRigid* rigid = &model->rigids[r];
        const rslBody* body = &model->bodies[rigid->body];
        int at = rslFirstFrom(rigid->welded, 0, rigid->weldCount, node);
        bool welded = at < rigid->weldCount && rigid->welded[at] == node;
        if (welded || (node >= body->firstNode && node < body->firstNode + body->nodeCount))
        {
            return 0.0;
        }
    }
    return barrier->inverse[contact];
}

// Bodies that share a gap, and how much of it each takes.
typedef struct Sides
{
    int bodies[2];
    double shares[2];
} Sides;

static Sides SidesOf(const rslBarrier* barrier, const uint32_t key[4])
{
    bool collider = rslKey_IsCollider(key);
    Sides sides = { { barrier->leader[key[0]], collider ? -1 : barrier->leader[rslKey_Other(key)] }, { 0.0, 0.0 } };
    double weights[2];
    for (int s = 0; s < 2; ++s)
    {
        weights[s] = sides.bodies[s] >= 0 ? barrier->mobility[sides.bodies[s]] : 0.0;
    }
    double sum = weights[0] + weights[1];
    for (int s = 0; s < 2 && sum > 0.0; ++s)
    {
        sides.shares[s] = weights[s] / sum;
    }
    return sides;
}

// One sweep over all gaps, with what bodies have been moved already: true while one is too small.
static bool ShiftBodies(rslBarrier* barrier, const rslCollisions* near, double part)
{
    bool any = false;
    for (int i = 0; i < near->count; ++i)
    {
        const rslCollision* one = &near->list[i];
        double range = part * rslBarrier_Range(barrier, one->key), lack = range - one->gap;
        Sides sides = SidesOf(barrier, one->key);
        for (int s = 0; s < 2; ++s)
        {
            rslVec3 moved = sides.bodies[s] >= 0 ? barrier->shifts[sides.bodies[s]] : (rslVec3){ 0 };
            lack -= (s == 0 ? 1.0 : -1.0) * rslDot(one->normal, moved);
        }
        any = any || lack > 0.1 * range;
        for (int s = 0; s < 2 && lack > 0.0 && sides.bodies[0] != sides.bodies[1]; ++s)
        {
            if (sides.shares[s] > 0.0)
            {
                rslVec3* shift = &barrier->shifts[sides.bodies[s]];
                *shift = rslMulAdd(*shift, (s == 0 ? 1.0 : -1.0) * sides.shares[s] * lack, one->normal);
            }
        }
    }
    return any;
}

// The same with nodes, that have gone barrier->rest.
static bool ShiftNodes(rslBarrier* barrier, const rslCollisions* near, double part)
{
    bool any = false;
    for (int i = 0; i < near->count; ++i)
    {
        const rslCollision* one = &near->list[i];
        double range = part * rslBarrier_Range(barrier, one->key), lack = range - one->gap, mobility = 0.0;
        for (int e = one->begin; e < one->begin + one->count; ++e)
        {
            const double* way = &barrier->rest[3 * (size_t)near->nodes[e]];
            mobility += near->weights[e] * near->weights[e] * NodeMobility(barrier, near->nodes[e]);
            lack -= near->weights[e] * (one->normal.x * way[0] + one->normal.y * way[1] + one->normal.z * way[2]);
        }
        any = any || lack > 0.5 * range;
        for (int e = one->begin; lack > 0.0 && mobility > 0.0 && e < one->begin + one->count; ++e)
        {
            double* way = &barrier->rest[3 * (size_t)near->nodes[e]];
            double by = near->weights[e] * NodeMobility(barrier, near->nodes[e]) * lack / mobility;
            way[0] += by * one->normal.x;
            way[1] += by * one->normal.y;
            way[2] += by * one->normal.z;
        }
    }
    return any;
}

// Ways of contact nodes along with their bodies.
static void FollowBodies(rslBarrier* barrier)
{
    for (int c = 0; c < barrier->model->contactNodeCount; ++c)
    {
        int body = rslModel_BodyOf(barrier->model, barrier->model->contactNodes[c]);
        rslVec3 shift = barrier->shifts[barrier->leader[body]];
        barrier->rest[3 * (size_t)c] = shift.x;
        barrier->rest[3 * (size_t)c + 1] = shift.y;
        barrier->rest[3 * (size_t)c + 2] = shift.z;
    }
}

// Where gaps are too small at a state, move bodies, or nodes, as far as nothing else is in the way: false when there is nothing to do.
static bool Part(rslBarrier* barrier, void* kernel, rslState* state, bool nodes)
{
    const rslCollisions* near = &barrier->near;
    double free = 0.0, smallest = rslBarrier_Smallest(barrier, NULL);
    bool any = false, more = true;
    memset(barrier->rest, 0, 3 * (size_t)barrier->model->contactNodeCount * sizeof(double));
    memset(barrier->shifts, 0, (size_t)barrier->model->bodyCount * sizeof(rslVec3));
    for (int sweep = 0; more && sweep < SWEEPS; ++sweep)
    {
        more = nodes ? ShiftNodes(barrier, near, 0.5) : ShiftBodies(barrier, near, 1.0);
        any = any || more;
    }
    if (!nodes)
    {
        FollowBodies(barrier);
    }
    if (!any ||
        rslBarrier_Limit(barrier, barrier->start, barrier->rest, rslState_Time(state), rslGapKept, &free) != rsl_ok)
    {
        return false;
    }
    // of what touches exactly, no way is free, but it leads apart and is shorter than the range
    free = free > 0.0 || smallest > 1e-6 * barrier->reach ? free : 1.0;
    for (int i = 0; nodes && i < 3 * barrier->model->contactNodeCount; ++i)
    {
        barrier->rest[i] *= free;
    }
    for (int b = 0; !nodes && b < barrier->model->bodyCount; ++b)
    {
        state->frames[b].origin = rslMulAdd(state->frames[b].origin, free, barrier->shifts[barrier->leader[b]]);
    }
    if (nodes)
    {
        rslDynamics_Move(kernel, state, barrier->rest);
    }
    return free > 0.0;
}

rslStatus rslBarrier_Open(rslBarrier* barrier, void* kernel, rslState* state)
{
    double* const u[3] = { state->displacement[0], state->displacement[1], state->displacement[2] };
    SetMobility(barrier);
    for (int kind = 0; kind < 2; ++kind)
    {
        bool more = true;
        for (int round = 0; more && round < ROUNDS; ++round)
        {
            rslDynamics_Places(kernel, state, 0.0, u, 0.0, barrier->start);
            rslStatus status = rslBarrier_Look(barrier, barrier->start, rslState_Time(state));
            if (status != rsl_ok)
            {
                return status;
            }
            more = Part(barrier, kernel, state, kind == 1);
        }
    }
    return rsl_ok;
}
