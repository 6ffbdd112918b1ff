// SPDX-License-Identifier: MIT
//
// implicit_open.c: bodies that touch at the start.
//
// A body that is put right on the ground, or right on another one, has no gap that a barrier could act in. Bodies are moved apart, and
// where they cannot be, because something holds them, nodes are: until no barrier acts,
// or half as far. Gaps are taken one after the other, and shared between both sides.

#include "implicit_internal.h"

#include <string.h>

enum
{
    SWEEPS = 200,  // over gaps as they were found
    ROUNDS = 20    // of finding them
};

static bool IsHeld(const rslModel* model, int body)
{
    const rslBody* b = &model->bodies[body];
    for (int k = 0; k < model->constraintCount; ++k)
    {
        for (int i = 0; i < model->constraints[k].nodeCount; ++i)
        {
            int node = model->constraints[k].nodes[i];
            if (node >= b->firstNode && node < b->firstNode + b->nodeCount)
            {
                return true;
            }
        }
    }
    return false;
}

// Look at the contact nodes of a state; false: out of memory.
static bool Look(rslImplicit* m, const rslState* state)
{
    rslNodeVector at = rslDisplacements(state);
    rslDynamics_Places(m->kernel, state, 0.0, at.x, 0.0, m->places);
    return rslBarrier_Look(m->barrier, m->places, rslState_Time(state)) == rsl_ok;
}

// Bodies that share a gap, and how much of it each takes.
typedef struct Sides
{
    int bodies[2];
    double shares[2];
} Sides;

static Sides SidesOf(const rslImplicit* m, const uint32_t key[4])
{
    bool collider = rslKey_IsCollider(key);
    Sides sides = { { (int)key[0], collider ? -1 : rslKey_Other(key) }, { 0.0, 0.0 } };
    double weights[2];
    for (int s = 0; s < 2; ++s)
    {
        bool moves = sides.bodies[s] >= 0 && !IsHeld(m->model, sides.bodies[s]);
        weights[s] = moves ? 1.0 / m->model->bodies[sides.bodies[s]].mass : 0.0;
    }
    double sum = weights[0] + weights[1];
    for (int s = 0; s < 2 && sum > 0.0; ++s)
    {
        sides.shares[s] = weights[s] / sum;
    }
    return sides;
}

// One sweep over all gaps, with what bodies have been moved already: true while one is too small.
static bool ShiftBodies(rslImplicit* m, const rslCollisions* near, double part)
{
    bool any = false;
    for (int i = 0; i < near->count; ++i)
    {
        const rslCollision* one = &near->list[i];
        double range = part * rslBarrier_Range(m->barrier, one->key), lack = range - one->gap;
        Sides sides = SidesOf(m, one->key);
        for (int s = 0; s < 2; ++s)
        {
            rslVec3 moved = sides.bodies[s] >= 0 ? m->shifts[sides.bodies[s]] : (rslVec3){ 0 };
            lack -= (s == 0 ? 1.0 : -1.0) * rslDot(one->normal, moved);
        }
        any = any || lack > 0.1 * range;
        for (int s = 0; s < 2 && lack > 0.0 && sides.bodies[0] != sides.bodies[1]; ++s)
        {
            if (sides.shares[s] > 0.0)
            {
                rslVec3* shift = &m->shifts[sides.bodies[s]];
                *shift = rslMulAdd(*shift, (s == 0 ? 1.0 : -1.0) * sides.shares[s] * lack, one->normal);
            }
        }
    }
    return any;
}

// The same with nodes, that have gone m->ways.
static bool ShiftNodes(rslImplicit* m, const rslCollisions* near, double part)
{
    const double* inverse = rslBarrier_InverseMasses(m->barrier);
    bool any = false;
    for (int i = 0; i < near->count; ++i)
    {
        const rslCollision* one = &near->list[i];
        double range = part * rslBarrier_Range(m->barrier, one->key), lack = range - one->gap, mobility = 0.0;
        for (int e = one->begin; e < one->begin + one->count; ++e)
        {
            const double* way = &m->ways[3 * (size_t)near->nodes[e]];
            mobility += near->weights[e] * near->weights[e] * inverse[near->nodes[e]];
            lack -= near->weights[e] * (one->normal.x * way[0] + one->normal.y * way[1] + one->normal.z * way[2]);
        }
        any = any || lack > 0.5 * range;
        for (int e = one->begin; lack > 0.0 && mobility > 0.0 && e < one->begin + one->count; ++e)
        {
            double* way = &m->ways[3 * (size_t)near->nodes[e]];
            double by = near->weights[e] * inverse[near->nodes[e]] * lack / mobility;
            way[0] += by * one->normal.x;
            way[1] += by * one->normal.y;
            way[2] += by * one->normal.z;
        }
    }
    return any;
}

// m->ways of contact nodes along with their bodies.
static void FollowBodies(rslImplicit* m)
{
    for (int c = 0; c < m->model->contactNodeCount; ++c)
    {
        rslVec3 shift = m->shifts[rslModel_BodyOf(m->model, m->model->contactNodes[c])];
        m->ways[3 * (size_t)c] = shift.x;
        m->ways[3 * (size_t)c + 1] = shift.y;
        m->ways[3 * (size_t)c + 2] = shift.z;
    }
}

// Where gaps are too small at a state, move bodies, or nodes, as far as nothing else is in the way: false when there is nothing to do.
static bool Part(rslImplicit* m, rslState* state, bool nodes)
{
    const rslCollisions* near = rslBarrier_Near(m->barrier);
    double free = 0.0;
    bool any = false, more = true;
    memset(m->ways, 0, 3 * (size_t)m->model->contactNodeCount * sizeof(double));
    memset(m->shifts, 0, (size_t)m->model->bodyCount * sizeof(rslVec3));
    for (int sweep = 0; more && sweep < SWEEPS; ++sweep)
    {
        more = nodes ? ShiftNodes(m, near, 0.5) : ShiftBodies(m, near, 1.0);
        any = any || more;
    }
    if (!nodes)
    {
        FollowBodies(m);
    }
    if (!any || rslBarrier_Limit(m->barrier, m->places, m->ways, rslState_Time(state), &free) != rsl_ok)
    {
        return false;
    }
    for (int i = 0; nodes && i < 3 * m->model->contactNodeCount; ++i)
    {
        m->ways[i] *= free;
    }
    for (int b = 0; !nodes && b < m->model->bodyCount; ++b)
    {
        state->frames[b].origin = rslMulAdd(state->frames[b].origin, free, m->shifts[b]);
    }
    if (nodes)
    {
        rslDynamics_Move(m->kernel, state, m->ways);
    }
    return free > 0.0;
}

bool rslImplicit_Open(rslImplicit* m, rslState* state)
{
    for (int kind = 0; m->barrier != NULL && kind < 2; ++kind)
    {
        bool more = true;
        for (int round = 0; more && round < ROUNDS; ++round)
        {
            if (!Look(m, state))
            {
                return false;
            }
            more = Part(m, state, kind == 1);
        }
    }
    return true;
}
