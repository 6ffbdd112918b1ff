// SPDX-License-Identifier: MIT
//
// respond.c: the phases of a step (respond.h). Groups of touches that share what moves go through them beside each other.
//
// Contact. l_n (u_n' + g/h) = 0 with g >= 0: its work is never positive.

#include "respond_level.h"

#include "memory.h"

enum
{
    BOUNCE_SWEEPS = 2000
};

// ---- making ---------------------------------------------------------------------------------------------------------

rslRespond* rslRespond_Create(const rslModel* model, const rslHooks* hooks, rslTeam* team)
{
    rslHooks complete = rslHooks_Complete(hooks);
    rslRespond* r = rslAllocate(&complete, 1, sizeof(rslRespond));
    if (r == NULL)
    {
        return NULL;
    }
    size_t nodes = (size_t)model->contactNodeCount, rigids = (size_t)model->rigidCount;
    *r = (rslRespond){ .hooks = complete, .model = model, .team = team, .nodeCount = model->contactNodeCount };
    r->sweeps = model->touch.sweeps;
    r->scheme = model->touch.scheme == rsl_autoScheme ? rsl_predictiveScheme : model->touch.scheme;
    r->v = rslAllocate(&complete, nodes, sizeof(rslSpeed));
    r->kick = rslAllocate(&complete, nodes, sizeof(rslSpeed));
    r->movers = rslAllocate(&complete, nodes + rigids, sizeof(int));
    r->rootOf = rslAllocate(&complete, nodes + rigids, sizeof(int));
    r->dx = rslAllocate(&complete, nodes, sizeof(rslSpeed));
    r->used = rslAllocate(&complete, nodes + rigids, sizeof(uint64_t));
    r->last = rslAllocate(&complete, nodes + rigids, sizeof(int));
    r->nodes = rslAllocate(&complete, nodes, sizeof(int));
    r->velocity = rslAllocate(&complete, 4 * rigids, sizeof(rslVec3));
    r->level = rslAllocate(&complete, 1, sizeof(rslLevel));
    if (r->level == NULL || !rslLevel_Make(r->level, &complete, r->nodeCount) || r->v == NULL || r->dx == NULL ||
        r->used == NULL || r->last == NULL || r->nodes == NULL || r->velocity == NULL || r->rootOf == NULL ||
        r->movers == NULL || r->kick == NULL)
    {
        rslRespond_Free(r);
        return NULL;
    }
    r->spin = r->velocity + rigids;
    r->shift = r->velocity + 2 * rigids;
    r->angle = r->velocity + 3 * rigids;
    return r;
}

void rslRespond_Free(rslRespond* r)
{
    if (r == NULL)
    {
        return;
    }
    rslCollisions* listed = &r->listed;
    void* const all[] = { r->v,        r->dx,         r->used,      r->last,          r->nodes,
                          r->velocity, r->rootOf,     r->movers,    r->rows,          r->rowParts,
                          r->kick,     r->groupStart, r->groupNext, r->moverStart,    r->byKey,
                          r->touches,  r->parts,      r->arms,      r->order,         r->parent,
                          r->moved,    r->sums,       listed->list, listed->nodeRoom, listed->weightRoom };
    rslHooks hooks = r->hooks;
    if (r->level != NULL)
    {
        rslLevel_Free(r->level, &hooks);
    }
    rslRelease(&hooks, r->level);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    {
        rslRelease(&hooks, all[i]);
    }
    rslRelease(&hooks, r);
}

size_t rslRespond_Bytes(const rslRespond* r)
{
    size_t node = 3 * sizeof(rslSpeed) + sizeof(uint64_t) + 4 * sizeof(int);
    size_t touch = sizeof(rslSpot) + sizeof(rslRow) + 6 * sizeof(int) + sizeof(bool) + sizeof(double[3]);
    return sizeof *r + rslLevel_Bytes(r->level, r->nodeCount) + (size_t)r->nodeCount * node + r->touchCapacity * touch +
           2 * r->partCapacity * sizeof(rslSpotPart) + r->armCapacity * sizeof(rslSpotArm) +
           (size_t)r->listed.capacity * sizeof(rslCollision) +
           (size_t)r->listed.nodeCapacity * (sizeof(int) + sizeof(double));
}

const int* rslRespond_Nodes(const rslRespond* r, int* count)
{
    *count = r->movedCount;
    return r->nodes;
}

// ---- contact --------------------------------------------------------------------------------------------------------

// Which touches of the step before are still there.
static void FindKept(rslRespond* r, const rslState* state)
{
    for (int t = 0, m = 0; t < r->count; ++t)
    {
        const uint32_t* key = r->in->collisions->list[r->touches[t].collision].key;
        while (m < state->touchedCount && rslKey_Compare(state->touched[m].key, key) < 0)
        {
            ++m;
        }
        bool same = m < state->touchedCount && rslKey_Compare(state->touched[m].key, key) == 0;
        r->touches[t].kept = same ? state->touched[m].kept : NULL;
    }
}

static void Recall(rslRespond* r, rslSpot* touch, const double kept[3])
{
    rslVec3 P = { kept[0], kept[1], kept[2] };
    double press = rslDot(P, touch->n), most = touch->friction * press;
    if (!(press > 0.0))
    {
        return;
    }
    rslVec3 rub = rslMulAdd(P, -press, touch->n);
    double length = rslLength(rub);
    touch->press = press;
    touch->rub = length > most ? rslScale(most / length, rub) : rub;
    rslSpot_Push(r, touch, rslMulAdd(touch->rub, press, touch->n));
}

static void Contact(rslRespond* r, const rslGroup* group)
{
    for (int i = group->begin; i < group->end; ++i)
    {
        rslSpot* touch = &r->touches[r->byKey[i]];
        touch->bound = touch->gap > 0.0 ? -touch->gap / r->in->step : 0.0;
        touch->cone = touch->friction;
        touch->press = 0.0;
        touch->rub = (rslVec3){ 0 };
        if (touch->kept != NULL)
        {
            Recall(r, touch, touch->kept);
        }
    }
    rslRespond_Solve(r, group, false);
}

// ---- a step ---------------------------------------------------------------------------------------------------------

static void AnswerGroup(rslRespond* r, const rslGroup* group)
{
    rslRespond_FillRows(r, group);
    rslRespond_Impact(r, group);
    Contact(r, group);
    rslRespond_FindAfter(r, group);
    rslRespond_Place(r, group);
}

static void ReflectGroup(rslRespond* r, const rslGroup* group)
{
    rslRespond_FillRows(r, group);
    rslRespond_Reflect(r, group);
    rslRespond_FindAfter(r, group);
}

// What no impulse moves, and all groups.
static void Predict(rslRespond* r, const rslState* state)
{
    rslGroup others = rslRespond_Others(r);
    FindKept(r, state);
    rslRespond_AddKick(r, &others, 1.0);
    rslRespond_Stay(r, &others);
    rslRespond_ForGroups(r, AnswerGroup);
}

bool rslRespond_MayBegin(const rslRespond* r, const rslResponse* response)
{
    return r->scheme == rsl_predictiveScheme && response->collisions->lent;
}

bool rslRespond_MakeRoom(rslRespond* r, const rslResponse* response)
{
    const rslCollisions* list = response->collisions;
    return rslLevel_Reserve(r->level, &r->hooks, (size_t)list->count, (size_t)list->nodeCount);
}

void rslRespond_Begin(rslRespond* r, rslResponse* response)
{
    r->in = response;
    response->begun = true;
    if (r->scheme == rsl_predictiveScheme)
    {
        rslLevel_Gather(r);
    }
}

rslStatus rslRespond_Step(rslRespond* r, rslResponse* response, rslState* state)
{
    if (!response->begun)
    {
        rslRespond_Begin(r, response);
    }
    r->in = response;
    response->begun = false;
    response->heat = response->motion = response->moved = 0.0;
    bool predictive = r->scheme == rsl_predictiveScheme;
    if (predictive && (r->level->starved || rslState_Reserve(state, r->level->count) != rsl_ok))
    {
        return rsl_outOfMemory;
    }
    if (predictive && r->level->fits)
    {
        rslLevel_Answer(r, response, state);
        return rsl_ok;
    }
    if ((!predictive && !rslRespond_ListLeft(r, response, state)) || !rslRespond_Gather(r) ||
        rslState_Reserve(state, r->count) != rsl_ok)
    {
        return rsl_outOfMemory;
    }
    rslRespond_Colour(r);
    rslRespond_MakeRows(r);
    r->rough = predictive && response->join == NULL;
    if (predictive)
    {
        Predict(r, state);
    }
    else
    {
        rslRespond_Published(r, state);
    }
    rslRespond_Remember(r, response, state);
    rslRespond_Hand(r, response);
    return rsl_ok;
}

rslStatus rslRespond_Bounce(rslRespond* r, rslResponse* response, rslState* state)
{
    r->in = response;
    response->heat = response->motion = response->moved = 0.0;
    if (!rslRespond_Gather(r) || rslState_Reserve(state, state->touchedCount + r->count) != rsl_ok)
    {
        return rsl_outOfMemory;
    }
    rslRespond_Colour(r);
    rslRespond_MakeRows(r);
    r->sweeps = BOUNCE_SWEEPS;
    r->rough = false;
    rslGroup others = rslRespond_Others(r);
    rslRespond_AddKick(r, &others, 1.0);
    rslRespond_ForGroups(r, ReflectGroup);
    r->sweeps = r->model->touch.sweeps;
    rslRespond_Add(r, response, state);
    rslRespond_Hand(r, response);
    return rsl_ok;
}

static void Times(double v[3], double scale)
{
    v[0] *= scale;
    v[1] *= scale;
    v[2] *= scale;
}

void rslState_ScaleTouches(rslState* state, double scale)
{
    for (int t = 0; t < state->touchedCount; ++t)
    {
        Times(state->touched[t].kept, scale);
        Times(state->touched[t].impulse, scale);
    }
}

void rslRespond_Rescale(const rslRespond* r, rslState* state, double scale)
{
    if (r->scheme == rsl_predictiveScheme)
    {
        rslState_ScaleTouches(state, scale);
        return;
    }
    for (int t = 0; t < state->touchedCount; ++t)
    {
        Times(state->touched[t].impulse, scale);
    }
}
