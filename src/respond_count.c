// SPDX-License-Identifier: MIT
//
// respond_count.c: what comes of the impulses of a step: heat, work, pushes of bodies, what is remembered and what nodes get.
//
// Heat. The forces of the step do their work along (v + v')/2, so impulses l do theirs along (u + u')/2, u before the kick and u'
// at the end: lost is -l.(u + u')/2, relative to colliders, whose own work is l.v_collider.

#include "respond_set.h"

#include <string.h>

// ---- heat -----------------------------------------------------------------------------------------------------------

static double HeatOf(const rslSpot* touch, rslVec3 impulse)
{
    return -0.5 * rslDot(impulse, rslAdd(touch->before, touch->after));
}

double rslSpot_Heat(const rslSpot* touch)
{
    rslVec3 impulse = rslAdd(touch->impact, rslMulAdd(touch->rub, touch->press, touch->n));
    return HeatOf(touch, impulse);
}

// ---- what comes of it -----------------------------------------------------------------------------------------------

static void Store(double out[3], rslVec3 a)
{
    memcpy(out, &(double[3]){ a.x, a.y, a.z }, sizeof(double[3]));
}

static void AddPush(rslPush* push, rslVec3 normal, rslVec3 friction, rslVec3 x, double sign)
{
    rslVec3 all = rslAdd(normal, friction);
    push->normal = rslMulAdd(push->normal, sign, normal);
    push->friction = rslMulAdd(push->friction, sign, friction);
    push->torque = rslMulAdd(push->torque, sign, rslCross(x, all));
}

// The point of b.
static rslVec3 OtherPoint(const rslRespond* r, const rslCollision* collision)
{
    const rslCollisions* list = r->in->collisions;
    rslVec3 x = collision->point;
    for (int i = collision->begin; i < collision->begin + collision->count; ++i)
    {
        const double* at = &r->in->x[3 * (size_t)list->nodes[i]];
        x = rslMulAdd(x, -list->weights[i], (rslVec3){ at[0], at[1], at[2] });
    }
    return x;
}

void rslRespond_CountPush(const rslRespond* r, const rslCollision* collision, rslVec3 impulse, rslState* state)
{
    int columns = r->model->colliderCount + 1, other = rslKey_Other(collision->key), a = (int)collision->key[0];
    bool collider = rslKey_IsCollider(collision->key);
    rslVec3 normal = rslScale(rslDot(impulse, collision->normal), collision->normal);
    rslVec3 friction = rslSub(impulse, normal);
    int column = collider ? other : columns - 1;
    AddPush(&state->pushes[a * columns + column], normal, friction, collision->point, 1.0);
    if (!collider)
    {
        AddPush(&state->pushes[other * columns + column], normal, friction, OtherPoint(r, collision), -1.0);
    }
}

// Others stay as the kick has left them, to the bit.
static void MarkPushed(rslRespond* r, const rslSpot* touch)
{
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        r->last[r->parts[i].node] = RSL_PUSHED;
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        r->last[r->nodeCount + r->arms[i].rigid] = RSL_PUSHED;
    }
}

static bool IsZero(rslVec3 a)
{
    return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

// What an impulse loses, and what it does to the bodies of a touch.
static void CountTouch(rslRespond* r, const rslSpot* touch, rslVec3 impulse, rslResponse* out, rslState* state)
{
    out->heat += HeatOf(touch, impulse);
    out->motion += rslDot(impulse, rslSub(touch->belt, rslSpot_SpeedOfHeld(r, touch)));
    MarkPushed(r, touch);
    rslRespond_CountPush(r, &r->in->collisions->list[touch->collision], impulse, state);
}

rslTouched rslTouched_By(const rslCollision* collision, rslVec3 impulse, rslVec3 kept)
{
    rslTouched touched = { 0 };
    memcpy(touched.key, collision->key, sizeof touched.key);
    Store(touched.kept, kept);
    Store(touched.impulse, impulse);
    Store(touched.point, collision->point);
    Store(touched.normal, collision->normal);
    return touched;
}

void rslRespond_Remember(rslRespond* r, rslResponse* out, rslState* state)
{
    int count = 0;
    for (int t = 0; t < r->count; ++t)
    {
        const rslSpot* touch = &r->touches[t];
        rslVec3 kept = rslMulAdd(touch->rub, touch->press, touch->n), whole = rslAdd(touch->impact, kept);
        if (r->scheme != rsl_predictiveScheme)
        {
            kept = touch->later;
            whole = touch->impact;
        }
        if (IsZero(whole) && IsZero(kept))
        {
            continue;
        }
        CountTouch(r, touch, whole, out, state);
        state->touched[count++] = rslTouched_By(&r->in->collisions->list[touch->collision], whole, kept);
    }
    state->touchedCount = count;
}

void rslRespond_Hand(const rslRespond* r, rslResponse* out)
{
    for (int i = 0; i < r->movedCount; ++i)
    {
        size_t at = 3 * (size_t)r->nodes[i];
        const double *v = &r->in->v[at], *kick = &r->in->kick[at];
        rslVec3 before = { v[0] + kick[0], v[1] + kick[1], v[2] + kick[2] }, shift = r->dx[r->nodes[i]].v;
        bool pushed = r->last[r->nodes[i]] == RSL_PUSHED;
        Store(&out->change[at], pushed ? rslSub(r->v[r->nodes[i]].v, before) : (rslVec3){ 0 });
        Store(&out->shift[at], shift);
        out->moved = rslMost(out->moved, rslLength(shift));
    }
    for (int i = 0; i < r->in->rigidCount; ++i)
    {
        rslPushed* rigid = &out->rigids[i];
        rigid->change = rigid->changeOfSpin = (rslVec3){ 0 };
        if (r->last[r->nodeCount + i] == RSL_PUSHED || r->in->join != NULL)
        {
            rigid->change = rslSub(r->velocity[i], rslAdd(rigid->velocity, rigid->kick));
            rigid->changeOfSpin = rslSub(r->spin[i], rslAdd(rigid->spin, rigid->twist));
        }
        rigid->shift = r->shift[i];
        rigid->angle = r->angle[i];
        out->moved = rslMost(out->moved, rslLength(rigid->shift));
    }
}

// To what the state has of the same touch, or as a new one in its place.
static void AddTouched(rslState* state, const rslTouched* more)
{
    int at = 0;
    while (at < state->touchedCount && rslKey_Compare(state->touched[at].key, more->key) < 0)
    {
        ++at;
    }
    rslTouched* touched = &state->touched[at];
    if (at < state->touchedCount && rslKey_Compare(touched->key, more->key) == 0)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            touched->impulse[axis] += more->impulse[axis];
        }
        return;
    }
    memmove(touched + 1, touched, (size_t)(state->touchedCount - at) * sizeof *touched);
    *touched = *more;
    state->touchedCount += 1;
}

void rslRespond_Add(rslRespond* r, rslResponse* out, rslState* state)
{
    for (int t = 0; t < r->count; ++t)
    {
        const rslSpot* touch = &r->touches[t];
        if (!IsZero(touch->impact))
        {
            CountTouch(r, touch, touch->impact, out, state);
            rslTouched touched =
                rslTouched_By(&r->in->collisions->list[touch->collision], touch->impact, (rslVec3){ 0 });
            AddTouched(state, &touched);
        }
    }
}
