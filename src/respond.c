// SPDX-License-Identifier: MIT
//
// respond.c: the phases of a step (respond.h).
//
// Impact. u = J v with the first half of the kick, al = n.J h a. A gap closes if g + h (u_n + al/2) <= 0; the test has the whole way
// in it, so that the motion turned round meets the same one. It is an impact, and bounces, if u_n < -2 max(0, -al): a slower approach is
// one that the present acceleration explains, and belongs to the contact phase, where what sticks stays. The inelastic solve from u to
// u' loses |l|_W^2/2 - l_t.u_t', W = J M^-1 J^T, since l_n u_n' = 0. Its normal part again, R = e l_n, gives |R|_W^2/2 back. With
// several e, or friction, that may be more than what was lost; so it is scaled by
//   s = min(1, sqrt(B/A)),  A = |R|_W^2,  B = |l|_W^2 - 2 l_t.u_t'        for each group of touches that share what moves.
// Energy never grows, whatever e and mu are. What bounces presses 1 + e times, and its cone is as much wider; that of others is not.
//
// Contact. l_n (u_n' + g/h) = 0 with g >= 0: its work is never positive.
//
// Heat. The forces of the step do their work along (v + v')/2, so impulses l do theirs along (u + u')/2, u before the kick and u'
// at the end: lost is -l.(u + u')/2, relative to colliders, whose own work is l.v_collider.

#include "respond_set.h"

#include "memory.h"

#include <string.h>

enum
{
    PUSHED = -2,  // in last
    BOUNCE_SWEEPS = 2000
};

static const double capture = 2.0;  // kappa

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
    r->rootOf = rslAllocate(&complete, nodes, sizeof(int));
    r->dx = rslAllocate(&complete, nodes, sizeof(rslSpeed));
    r->used = rslAllocate(&complete, nodes + rigids, sizeof(uint64_t));
    r->last = rslAllocate(&complete, nodes + rigids, sizeof(int));
    r->nodes = rslAllocate(&complete, nodes, sizeof(int));
    r->velocity = rslAllocate(&complete, 4 * rigids, sizeof(rslVec3));
    if (r->v == NULL || r->dx == NULL || r->used == NULL || r->last == NULL || r->nodes == NULL ||
        r->velocity == NULL || r->rootOf == NULL || r->kick == NULL)
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
    void* const all[] = { r->v,       r->dx,          r->used,         r->last,          r->nodes,      r->velocity,
                          r->rootOf,  r->rows,        r->rowParts,     r->kick,          r->groupStart, r->groupNext,
                          r->touches, r->parts,       r->arms,         r->order,         r->parent,     r->moved,
                          r->sums,    r->listed.list, r->listed.nodes, r->listed.weights };
    rslHooks hooks = r->hooks;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    {
        rslRelease(&hooks, all[i]);
    }
    rslRelease(&hooks, r);
}

size_t rslRespond_Bytes(const rslRespond* r)
{
    size_t node = 3 * sizeof(rslSpeed) + sizeof(uint64_t) + 3 * sizeof(int);
    size_t touch = sizeof(rslSpot) + sizeof(rslRow) + 4 * sizeof(int) + sizeof(bool) + sizeof(double[3]);
    return sizeof *r + (size_t)r->nodeCount * node + r->touchCapacity * touch +
           2 * r->partCapacity * sizeof(rslSpotPart) + r->armCapacity * sizeof(rslSpotArm) +
           (size_t)r->listed.capacity * sizeof(rslCollision) +
           (size_t)r->listed.nodeCapacity * (sizeof(int) + sizeof(double));
}

const int* rslRespond_Nodes(const rslRespond* r, int* count)
{
    *count = r->movedCount;
    return r->nodes;
}

// ---- impact ---------------------------------------------------------------------------------------------------------

static bool FindBounces(rslRespond* r)
{
    bool any = false;
    for (int t = 0; t < r->count; ++t)
    {
        rslSpot* touch = &r->touches[t];
        double kick = rslDot(touch->n, touch->kick);
        double speed = rslDot(touch->n, touch->before) + 0.5 * kick;
        touch->closing = touch->gap + r->in->step * (speed + 0.5 * kick) <= 0.0;
        touch->bounces = touch->closing && touch->restitution > 0.0 && speed < (kick < 0.0 ? capture * kick : 0.0);
        any = any || touch->bounces;
    }
    return any;
}

// What a bounce gives again, before it is scaled.
static double Again(const rslSpot* touch)
{
    return touch->bounces ? touch->restitution * touch->press : 0.0;
}

// B of every group; then u' is the start.
static void SumLost(rslRespond* r)
{
    for (int t = 0; t < r->count; ++t)
    {
        rslSpot* touch = &r->touches[t];
        if (touch->closing)
        {
            rslVec3 u = rslSpot_Speed(r, touch), impulse = rslMulAdd(touch->rub, touch->press, touch->n);
            double lost = rslDot(impulse, rslSub(u, touch->start)) - 2.0 * rslDot(touch->rub, u);
            r->sums[rslRespond_Root(r, t)][1] += lost;
            touch->start = u;
        }
    }
}

static void SumGiven(rslRespond* r)
{
    for (int t = 0; t < r->count; ++t)
    {
        const rslSpot* touch = &r->touches[t];
        if (touch->closing && touch->bounces)
        {
            rslVec3 change = rslSub(rslSpot_Speed(r, touch), touch->start);
            r->sums[rslRespond_Root(r, t)][0] += Again(touch) * rslDot(touch->n, change);
        }
    }
}

// s of a group. Rounding alone takes nothing.
static double ScaleOf(const double sums[3])
{
    double given = sums[0], lost = sums[1] > 0.0 ? sums[1] : 0.0;
    return given * (1.0 - 1e-12) <= lost ? 1.0 : sqrt(lost / given);
}

static void GiveBack(rslRespond* r)
{
    rslRespond_Group(r, true);
    SumLost(r);
    for (int t = 0; t < r->count; ++t)
    {
        const rslSpot* touch = &r->touches[t];
        if (touch->closing && touch->bounces)
        {
            rslSpot_Push(r, touch, rslScale(Again(touch), touch->n));
        }
    }
    rslRespond_Join(r);
    SumGiven(r);
    for (int t = 0; t < r->count; ++t)
    {
        rslSpot* touch = &r->touches[t];
        if (touch->closing)
        {
            double s = ScaleOf(r->sums[rslRespond_Root(r, t)]), again = Again(touch);
            touch->impact = rslMulAdd(touch->rub, touch->press + s * again, touch->n);
            if (s < 1.0 && again > 0.0)
            {
                rslSpot_Push(r, touch, rslScale((s - 1.0) * again, touch->n));
            }
        }
    }
    rslRespond_Join(r);
}

// From velocities without the kick to those with all of it.
static void Reflect(rslRespond* r)
{
    rslRespond_AddKick(r, 0.5);
    for (int t = 0; t < r->count; ++t)
    {
        rslSpot* touch = &r->touches[t];
        touch->cone = touch->friction * (touch->bounces ? 1.0 + touch->restitution : 1.0);
        touch->start = rslMulAdd(touch->before, 0.5, touch->kick);
    }
    rslRespond_Cone(r, true);
    GiveBack(r);
    rslRespond_AddKick(r, 0.5);
}

// Velocities without the kick become those with all of it.
static void Impact(rslRespond* r)
{
    rslRespond_SetSpeeds(r);
    if (FindBounces(r))
    {
        Reflect(r);
    }
    else
    {
        rslRespond_AddKick(r, 1.0);
    }
}

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

// ---- contact --------------------------------------------------------------------------------------------------------

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

static void Contact(rslRespond* r, const rslState* state)
{
    for (int t = 0, m = 0; t < r->count; ++t)
    {
        rslSpot* touch = &r->touches[t];
        const uint32_t* key = r->in->collisions->list[touch->collision].key;
        touch->bound = touch->gap > 0.0 ? -touch->gap / r->in->step : 0.0;
        touch->cone = touch->friction;
        touch->press = 0.0;
        touch->rub = (rslVec3){ 0 };
        while (m < state->touchedCount && rslKey_Compare(state->touched[m].key, key) < 0)
        {
            ++m;
        }
        if (m < state->touchedCount && rslKey_Compare(state->touched[m].key, key) == 0)
        {
            Recall(r, touch, state->touched[m].kept);
        }
    }
    rslRespond_Cone(r, false);
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

static void CountPush(const rslRespond* r, const rslCollision* collision, rslVec3 impulse, rslState* state)
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
        r->last[r->parts[i].node] = PUSHED;
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        r->last[r->nodeCount + r->arms[i].rigid] = PUSHED;
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
    CountPush(r, &r->in->collisions->list[touch->collision], impulse, state);
}

static rslTouched TouchedBy(const rslCollision* collision, rslVec3 impulse, rslVec3 kept)
{
    rslTouched touched = { 0 };
    memcpy(touched.key, collision->key, sizeof touched.key);
    Store(touched.kept, kept);
    Store(touched.impulse, impulse);
    Store(touched.point, collision->point);
    Store(touched.normal, collision->normal);
    return touched;
}

static void Remember(rslRespond* r, rslResponse* out, rslState* state)
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
        state->touched[count++] = TouchedBy(&r->in->collisions->list[touch->collision], whole, kept);
    }
    state->touchedCount = count;
}

static void Hand(const rslRespond* r, rslResponse* out)
{
    for (int i = 0; i < r->movedCount; ++i)
    {
        size_t at = 3 * (size_t)r->nodes[i];
        const double *v = &r->in->v[at], *kick = &r->in->kick[at];
        rslVec3 before = { v[0] + kick[0], v[1] + kick[1], v[2] + kick[2] }, shift = r->dx[r->nodes[i]].v;
        bool pushed = r->last[r->nodes[i]] == PUSHED;
        Store(&out->change[at], pushed ? rslSub(r->v[r->nodes[i]].v, before) : (rslVec3){ 0 });
        Store(&out->shift[at], shift);
        out->moved = rslMost(out->moved, rslLength(shift));
    }
    for (int i = 0; i < r->in->rigidCount; ++i)
    {
        rslPushed* rigid = &out->rigids[i];
        rigid->change = rigid->changeOfSpin = (rslVec3){ 0 };
        if (r->last[r->nodeCount + i] == PUSHED || r->in->join != NULL)
        {
            rigid->change = rslSub(r->velocity[i], rslAdd(rigid->velocity, rigid->kick));
            rigid->changeOfSpin = rslSub(r->spin[i], rslAdd(rigid->spin, rigid->twist));
        }
        rigid->shift = r->shift[i];
        rigid->angle = r->angle[i];
        out->moved = rslMost(out->moved, rslLength(rigid->shift));
    }
}

rslStatus rslRespond_Step(rslRespond* r, rslResponse* response, rslState* state)
{
    r->in = response;
    response->heat = response->motion = response->moved = 0.0;
    bool predictive = r->scheme == rsl_predictiveScheme;
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
        Impact(r);
        Contact(r, state);
        rslRespond_FindAfter(r);
        rslRespond_Place(r);
    }
    else
    {
        rslRespond_Published(r, state);
        rslRespond_FindAfter(r);
    }
    Remember(r, response, state);
    Hand(r, response);
    return rsl_ok;
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
    rslRespond_SetSpeeds(r);
    FindBounces(r);
    Reflect(r);
    r->sweeps = r->model->touch.sweeps;
    rslRespond_FindAfter(r);
    for (int t = 0; t < r->count; ++t)
    {
        const rslSpot* touch = &r->touches[t];
        if (!IsZero(touch->impact))
        {
            CountTouch(r, touch, touch->impact, response, state);
            rslTouched touched = TouchedBy(&r->in->collisions->list[touch->collision], touch->impact, (rslVec3){ 0 });
            AddTouched(state, &touched);
        }
    }
    Hand(r, response);
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
