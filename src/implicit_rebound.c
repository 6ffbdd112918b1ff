// SPDX-License-Identifier: MIT
//
// implicit_rebound.c: rigid bodies that hit rigid bodies, or colliders, in implicit steps.
//
// Nothing within them takes up the energy of an impact and gives it back, and what the barrier takes up it has for D/v, far less than a
// step: a stage would lose all of it. So their rebound is a law, the one of explicit steps (respond.h): before a part in which gaps
// will close, all of them that close faster than gravity explains in a step bounce at once, by an inelastic solve on the friction cone that
// is given once more along the normals, e times. Energy does not grow (by 1e-4 with joints: test_rebound.c); what is lost is heat. Places stay, a little before they touch: the
// energy of a bounce is exact, and its time is off by less than a part. Parts are at most 1/64 of a step there, and so short that nothing goes
// farther in one than a quarter of the smallest spacing (implicit_impact.c).
//
// What is hit may hit something in turn: rounds of bounces, until nothing closes. Momentum passes through a row of balls as it should.
// What is slower, and what is left when rounds are over, the barrier stops.

#include "implicit_internal.h"

#include "top.h"
#include "vec.h"

enum
{
    ROUNDS = 64
};

// ---- making ---------------------------------------------------------------------------------------------------------

bool rslImplicit_MakeRebound(rslImplicit* m, rslTeam* team)
{
    const rslModel* model = m->model;
    rslRebound* rebound = &m->rebound;
    if (m->barrier == NULL || rslBarrier_IsOfRest(m->barrier) || m->moveds.count == 0)
    {
        return true;
    }
    rebound->found.hooks = m->hooks;
    rebound->respond = rslRespond_Create(model, &m->hooks, team);
    rebound->rigid = rslArena_Allocate(&m->arena, (size_t)model->contactNodeCount + 1, sizeof(int));
    rebound->rigids = rslArena_Allocate(&m->arena, (size_t)m->moveds.count, sizeof(rslPushed));
    int* carrier = rslArena_Allocate(&m->arena, (size_t)model->nodeCount, sizeof(int));
    if (rebound->respond == NULL || rebound->rigid == NULL || rebound->rigids == NULL || carrier == NULL)
    {
        return false;
    }
    for (int r = 0; r < m->moveds.count; ++r)
    {
        for (int c = m->moveds.bodies[r].begin; c < m->moveds.bodies[r].end; ++c)
        {
            carrier[m->moveds.carried[c].node] = r + 1;
        }
    }
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        rebound->rigid[c] = carrier[model->contactNodes[c]] - 1;
    }
    return true;
}

void rslRebound_Free(rslRebound* rebound)
{
    rslRespond_Free(rebound->respond);
    rslCollisions_Free(&rebound->found);
}

size_t rslRebound_Bytes(const rslRebound* rebound)
{
    return rebound->respond == NULL
               ? 0
               : rslRespond_Bytes(rebound->respond) + (size_t)rebound->found.capacity * sizeof(rslCollision);
}

double rslImplicit_TimeLeft(const rslImplicit* m, const rslCollision* one, double speed)
{
    double left = one->gap - rslBarrier_Range(m->barrier, one->key);
    return left > 0.0 ? left / (rslReboundMargin * speed) : 0.0;
}

bool rslRebound_Has(const rslImplicit* m, const rslCollisions* all, const rslCollision* one)
{
    bool stiff = m->rebound.respond != NULL, moves = false;
    for (int e = one->begin; stiff && e < one->begin + one->count; ++e)
    {
        int r = m->rebound.rigid[all->nodes[e]];
        bool counts = all->weights[e] != 0.0;
        stiff = !counts || r >= 0;
        moves = moves || (counts && r >= 0 && m->moveds.bodies[r].def->constraint < 0);
    }
    return stiff && moves;
}

// ---- bounces --------------------------------------------------------------------------------------------------------

// The collisions that bounce in a part, with velocities in ways: as those that touch. False: out of memory.
static bool FindHits(rslImplicit* m, const rslState* state, double slow)
{
    rslCollisions* found = &m->rebound.found;
    rslNodeVector at = rslDisplacements(state);
    rslDynamics_Speeds(m->kernel, state, m->ways);
    rslDynamics_Places(m->kernel, state, 0.0, at.x, 0.0, m->places);
    if (rslBarrier_Facing(m->barrier, m->places, m->ways, rslState_Time(state), rslReboundMargin * state->step,
                          found) != rsl_ok)
    {
        m->status = rsl_outOfMemory;
        return false;
    }
    int count = 0;
    for (int i = 0; i < found->count; ++i)
    {
        rslCollision one = found->list[i];
        double speed = rslCollision_ClosingSpeed(found, &one, m->ways);
        bool hits = speed > slow && rslImplicit_TimeLeft(m, &one, speed + 0.5 * slow) < state->step;
        if (hits && rslRebound_Has(m, found, &one))
        {
            one.gap = 0.0;
            found->list[count++] = one;
        }
    }
    found->count = count;
    return true;
}

static double KineticEnergy(const rslImplicit* m, const rslState* state)
{
    double sum = 0.0;
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslRigid* def = m->moveds.bodies[r].def;
        const rslFrame* frame = &state->frames[def->body];
        sum += 0.5 * def->mass * rslDot(frame->velocity, frame->velocity) +
               0.5 * rslDot(frame->momentum, rslTop_Spin(def, frame));
    }
    return sum;
}

typedef struct Joined
{
    rslImplicit* implicit;
    rslState* state;
    double work;  // of what is prescribed to joints [J]
} Joined;

static void Join(void* context, rslVec3* velocity, rslVec3* spin)
{
    Joined* joined = context;
    const rslMoveds* moveds = &joined->implicit->moveds;
    rslFrame* frames = joined->state->frames;
    for (int r = 0; r < moveds->count; ++r)
    {
        const rslRigid* def = moveds->bodies[r].def;
        frames[def->body].velocity = velocity[r];
        frames[def->body].momentum = rslTop_Times(def, &frames[def->body], spin[r]);
    }
    joined->work += rslDynamics_Join(joined->implicit->kernel, joined->state);
    for (int r = 0; r < moveds->count; ++r)
    {
        const rslRigid* def = moveds->bodies[r].def;
        velocity[r] = frames[def->body].velocity;
        spin[r] = rslTop_Spin(def, &frames[def->body]);
    }
}

// Velocities of rigid bodies, and the account.
static void Give(rslImplicit* m, rslState* state, double before, double work)
{
    rslAccount* account = &state->account;
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslRigid* def = m->moveds.bodies[r].def;
        const rslPushed* pushed = &m->rebound.rigids[r];
        rslFrame* frame = &state->frames[def->body];
        double change = rslDot(pushed->change, pushed->change) + rslDot(pushed->changeOfSpin, pushed->changeOfSpin);
        if (!(change > 0.0) && m->moveds.joints.count == 0)
        {
            continue;  // nothing hit it: its momentum stays to the bit
        }
        frame->velocity = rslAdd(pushed->velocity, pushed->change);
        frame->momentum = rslTop_Times(def, frame, rslAdd(pushed->spin, pushed->changeOfSpin));
    }
    rslDynamics_Spread(m->kernel, state);
    account->motion += work;
    account->input += work > 0.0 ? work : 0.0;
    account->dissipated += before - KineticEnergy(m, state) + work;
}

static bool Bounce(rslImplicit* m, rslState* state)
{
    rslRebound* rebound = &m->rebound;
    double before = KineticEnergy(m, state);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslRigid* def = m->moveds.bodies[r].def;
        rebound->rigids[r] = rslPushed_Of(def, &state->frames[def->body]);
    }
    Joined joined = { m, state, 0.0 };
    rslResponse response = { .step = state->step,
                             .collisions = &rebound->found,
                             .x = m->places,
                             .v = m->ways,
                             .rigid = rebound->rigid,
                             .rigids = rebound->rigids,
                             .rigidCount = m->moveds.count,
                             .join = m->moveds.joints.count > 0 ? Join : NULL,
                             .joined = &joined };
    if (rslRespond_Bounce(rebound->respond, &response, state) != rsl_ok)
    {
        m->status = rsl_outOfMemory;
        return false;
    }
    Give(m, state, before, response.motion + joined.work);
    return true;
}

bool rslImplicit_Rebound(rslImplicit* m, rslState* state, double slow, bool goesOn)
{
    bool bounced = false;
    for (int round = 0; m->rebound.respond != NULL && round < ROUNDS; ++round)
    {
        if (!FindHits(m, state, slow) || m->rebound.found.count == 0)
        {
            break;
        }
        for (int t = 0; !bounced && !goesOn && t < state->touchedCount; ++t)
        {
            state->touched[t].impulse[0] = state->touched[t].impulse[1] = state->touched[t].impulse[2] = 0.0;
        }
        bounced = true;
        if (!Bounce(m, state))
        {
            break;
        }
    }
    return bounced;
}
