// SPDX-License-Identifier: MIT
//
// barrier_friction.c: dry friction of implicit steps, with memory.
//
// A collision within range where a stage begins has the normal n, the push N and the friction T of the step before there. While
// places go from x_r to x, it is
//
//   T = T_kept - r (I - n n^T) (sum w_i (x_i - x_r,i) - l v_collider),  r = 1/(l^2 sum w_i^2/m_i) + k
//   H = T^2/(2 r) if |T| <= L, else (L |T| - L^2/2)/r,  L = mu N
//
// and the force on a is T, cut to L. r is what stops it within the step: its mass, and what is behind it, k = E a of the softer body with
// cells of a (light nodes of a fine body would slip by many cells before they rub as they should). At rest nothing moves and T is what it was: nothing creeps.
// Where the push is another at the end of the stage, it is found again, with what there is then: so the friction of
// an impact is mu times its impulse, too. At the end T is cut to mu times the push that there is then, and remembered.

#include "barrier_internal.h"
#include "movement.h"

#include <string.h>

static const rslTouched* FindTouched(const rslState* state, const uint32_t key[4])
{
    int low = 0, high = state->touchedCount;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        int order = rslKey_Compare(state->touched[middle].key, key);
        if (order == 0)
        {
            return &state->touched[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

// Of what b is, over the stage; 0 between bodies.
static rslVec3 BeltOf(const rslBarrier* barrier, const rslCollision* one)
{
    const rslBarrierStage* stage = &barrier->stage;
    if (!rslKey_IsCollider(one->key))
    {
        return (rslVec3){ 0 };
    }
    return rslCollider_Velocity(&barrier->model->colliders[rslKey_Other(one->key)], stage->time + 0.5 * stage->span,
                                stage->span, one->point);
}

static rslVec3 Across(rslVec3 a, rslVec3 n)
{
    return rslMulAdd(a, -rslDot(a, n), n);
}

static rslVec3 Cut(rslVec3 a, double limit)
{
    double length = rslLength(a);
    return length > limit ? rslScale(limit / length, a) : a;
}

double rslBarrier_Firmness(const rslBarrier* barrier, const uint32_t key[4])
{
    double own = barrier->firmness[key[0]];
    double other = rslKey_IsCollider(key) ? 0.0 : barrier->firmness[rslKey_Other(key)];
    return own > 0.0 && other > 0.0 ? (own < other ? own : other) : rslMost(own, other);
}

static void MakeGrip(rslBarrier* barrier, const rslState* state, int i)
{
    const rslCollisions* held = &barrier->held;
    const rslCollision* one = &held->list[i];
    rslGrip* grip = &barrier->grips[i];
    double range, strength, mobility = 0.0;
    *grip = (rslGrip){ .share = 1.0, .belt = BeltOf(barrier, one) };
    rslBarrier_Pair(barrier, one->key, &range, &strength);
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        mobility += held->weights[e] * held->weights[e] * barrier->inverse[held->nodes[e]];
    }
    grip->limit = one->friction * rslBarrierLaw_At(strength, range, one->gap).push;
    if (!(grip->limit > 0.0) || !(mobility > 0.0))
    {
        return;
    }
    grip->stiffness =
        1.0 / (barrier->stage.lever * barrier->stage.lever * mobility) + rslBarrier_Firmness(barrier, one->key);
    const rslTouched* touched = FindTouched(state, one->key);
    if (touched != NULL)
    {
        rslVec3 kept = { touched->kept[0], touched->kept[1], touched->kept[2] };
        grip->kept = Cut(Across(kept, one->normal), grip->limit);
    }
}

static rslStatus MakeGrips(rslBarrier* barrier, const rslState* state)
{
    rslCollisions* held = &barrier->held;
    if (!rslBarrier_Reserve(&barrier->hooks, (void**)&barrier->grips, &barrier->gripCapacity, held->count,
                            sizeof(rslGrip)))
    {
        held->count = 0;
        return rsl_outOfMemory;
    }
    for (int i = 0; i < held->count; ++i)
    {
        MakeGrip(barrier, state, i);
    }
    return rsl_ok;
}

static int CompareOrNone(const uint32_t* a, const uint32_t* b)
{
    return a == NULL ? (b == NULL ? 0 : 1) : b == NULL ? -1 : rslKey_Compare(a, b);
}

rslStatus rslBarrier_Begin(rslBarrier* barrier, const rslState* state, const rslBarrierStage* stage)
{
    size_t bytes = 3 * (size_t)barrier->model->contactNodeCount * sizeof(double);
    rslLook look = { .x = stage->start, .time = stage->time, .reach = barrier->reach, .whole = true };
    rslStatus status = rslCollide_Find(barrier->collide, &look, &barrier->held);
    memcpy(barrier->start, stage->start, bytes);
    memcpy(barrier->rest, stage->rest, bytes);
    barrier->stage = *stage;
    barrier->stage.start = barrier->start;
    barrier->stage.rest = barrier->rest;
    barrier->rubs = true;
    barrier->known = barrier->wide = false;
    barrier->held.count = status == rsl_ok ? barrier->held.count : 0;
    return status == rsl_ok ? MakeGrips(barrier, state) : status;
}

int rslBarrier_Held(const rslBarrier* barrier)
{
    return barrier->held.count;
}

void rslBarrier_BeginRest(rslBarrier* barrier, double duration)
{
    barrier->stage = (rslBarrierStage){ .scale = 1.0, .duration = duration, .span = duration };
    barrier->held.count = 0;
    barrier->rubs = true;
    barrier->known = false;
}

// The sum over both lists of how much L differs, over that of the new ones.
static double Difference(const rslBarrier* barrier)
{
    const rslCollisions *near = &barrier->near, *held = &barrier->held;
    double differs = 0.0, sum = 0.0;
    for (int i = 0, k = 0; i < near->count || k < held->count;)
    {
        const uint32_t* a = i < near->count ? near->list[i].key : NULL;
        const uint32_t* b = k < held->count ? held->list[k].key : NULL;
        int order = CompareOrNone(a, b);
        double now = order <= 0 ? near->list[i].friction * barrier->laws[i].push : 0.0;
        double before = order >= 0 ? barrier->grips[k].limit : 0.0;
        sum += now;
        differs += fabs(now - before);
        i += order <= 0 ? 1 : 0;
        k += order >= 0 ? 1 : 0;
    }
    return sum > 0.0 ? differs / sum : 0.0;
}

rslStatus rslBarrier_Renew(rslBarrier* barrier, const rslState* state, double tolerance, bool* renewed)
{
    *renewed = Difference(barrier) > tolerance;
    if (!*renewed)
    {
        return rsl_ok;
    }
    rslCollisions held = barrier->held;
    barrier->held = barrier->near;
    barrier->near = held;
    barrier->known = false;
    return MakeGrips(barrier, state);
}

void rslBarrier_Rub(rslBarrier* barrier)
{
    const rslCollisions* held = &barrier->held;
    for (int i = 0; i < held->count; ++i)
    {
        const rslCollision* one = &held->list[i];
        rslGrip* grip = &barrier->grips[i];
        double r = grip->stiffness, L = grip->limit;
        if (!(r > 0.0))
        {
            continue;
        }
        rslVec3 moved = rslCollision_Sum(held, one, barrier->x);
        moved = rslSub(moved, rslCollision_Sum(held, one, barrier->rest));
        moved = Across(rslMulAdd(moved, -barrier->stage.lever, grip->belt), one->normal);
        grip->pull = rslMulAdd(grip->kept, -r, moved);
        double length = rslLength(grip->pull);
        grip->share = length > L ? L / length : 1.0;
        grip->energy = (length > L ? L * length - 0.5 * L * L : 0.5 * length * length) / r;
        barrier->rubbing += grip->energy;
        rslCollision_Spread(held, one, rslScale(barrier->stage.scale * grip->share, grip->pull), barrier->force);
    }
}

// ---- the end of a stage -------------------------------------------------------------------------------------------------

typedef struct Impulse
{
    rslVec3 normal, friction;
} Impulse;

// To the body of a, and against that of b.
static void AddPush(const rslBarrier* barrier, rslState* state, const rslCollision* one, Impulse impulse)
{
    const rslModel* model = barrier->model;
    bool collider = rslKey_IsCollider(one->key);
    rslVec3 both = rslAdd(impulse.normal, impulse.friction), at = one->point;
    for (int side = 0; state->pushCount > 0 && side < (collider ? 1 : 2); ++side)
    {
        int body = side == 0 ? (int)one->key[0] : rslKey_Other(one->key);
        int from = collider ? rslKey_Other(one->key) : model->colliderCount;
        double sign = side == 0 ? 1.0 : -1.0;
        rslPush* push = &state->pushes[body * (model->colliderCount + 1) + from];
        push->normal = rslMulAdd(push->normal, sign, impulse.normal);
        push->friction = rslMulAdd(push->friction, sign, impulse.friction);
        push->torque = rslMulAdd(push->torque, sign, rslCross(at, both));
        at = rslMulAdd(at, -one->gap, one->normal);
    }
}

// Heat of friction and work of a moving collider.
static void Count(const rslBarrier* barrier, rslAccount* account, const rslCollisions* all, const rslCollision* one,
                  Impulse impulse, bool rubs)
{
    double span = barrier->stage.span;
    rslVec3 belt = BeltOf(barrier, one);
    if (rubs)
    {
        rslVec3 moved = rslCollision_Sum(all, one, barrier->x);
        moved = rslSub(moved, rslCollision_Sum(all, one, barrier->start));
        moved = rslMulAdd(moved, -span, belt);
        account->dissipated -= rslDot(impulse.friction, moved) / span;
    }
    double work = rslDot(rslAdd(impulse.normal, impulse.friction), belt);
    account->motion += work;
    account->input += work > 0.0 ? work : 0.0;
}

static void Store(double out[3], rslVec3 a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

// What the lists have next, and which of them have it.
typedef struct Merge
{
    int old, near, held;
} Merge;

static const uint32_t* Next(const rslBarrier* barrier, const rslState* state, const Merge* at, Merge* has)
{
    const uint32_t* keys[3] = {
        at->old < state->touchedCount ? state->touched[at->old].key : NULL,
        at->near < barrier->near.count ? barrier->near.list[at->near].key : NULL,
        at->held < barrier->held.count ? barrier->held.list[at->held].key : NULL,
    };
    const uint32_t* first = CompareOrNone(keys[0], keys[1]) <= 0 ? keys[0] : keys[1];
    first = CompareOrNone(first, keys[2]) <= 0 ? first : keys[2];
    *has = (Merge){ keys[0] != NULL && CompareOrNone(keys[0], first) == 0,
                    keys[1] != NULL && CompareOrNone(keys[1], first) == 0,
                    keys[2] != NULL && CompareOrNone(keys[2], first) == 0 };
    return first;
}

static bool IsTold(const rslTouched* touched)
{
    return touched->impulse[0] != 0.0 || touched->impulse[1] != 0.0 || touched->impulse[2] != 0.0;
}

// One key of the lists: false where there is nothing to tell.
static bool MakeTouched(rslBarrier* barrier, rslState* state, const Merge* at, const Merge* has, bool anew,
                        rslTouched* out)
{
    double time = barrier->stage.duration;
    const rslCollision* near = has->near ? &barrier->near.list[at->near] : NULL;
    const rslCollision* held = has->held ? &barrier->held.list[at->held] : NULL;
    const rslGrip* grip = held != NULL ? &barrier->grips[at->held] : NULL;
    double push = near != NULL ? barrier->laws[at->near].push : 0.0;
    bool rubs = grip != NULL && grip->stiffness > 0.0, before = has->old && !anew;
    before = before && IsTold(&state->touched[at->old]);
    if (!(push > 0.0) && !rubs && !before)
    {
        return false;
    }
    const rslCollision* shown = near != NULL ? near : held;
    rslVec3 n = near != NULL ? near->normal : (rslVec3){ 0 };
    Impulse normal = { .normal = rslScale(time * push, n) }, friction = { 0 };
    rslVec3 kept = { 0 }, sum = normal.normal;
    if (rubs)
    {
        friction.friction = rslScale(time * grip->share, grip->pull);
        kept = near != NULL ? Cut(Across(grip->pull, n), near->friction * push) : kept;
        sum = rslAdd(sum, friction.friction);
        AddPush(barrier, state, held, friction);
        Count(barrier, &state->account, &barrier->held, held, friction, true);
    }
    if (push > 0.0)
    {
        AddPush(barrier, state, near, normal);
        Count(barrier, &state->account, &barrier->near, near, normal, false);
    }
    *out = before ? state->touched[at->old] : (rslTouched){ 0 };
    memcpy(out->key, shown != NULL ? shown->key : out->key, sizeof out->key);
    Store(out->kept, kept);
    Store(out->impulse, rslAdd(sum, (rslVec3){ out->impulse[0], out->impulse[1], out->impulse[2] }));
    if (shown != NULL)
    {
        Store(out->point, shown->point);
        Store(out->normal, shown->normal);
    }
    return true;
}

rslStatus rslBarrier_End(rslBarrier* barrier, rslState* state, bool anew)
{
    int most = state->touchedCount + barrier->near.count + barrier->held.count, count = 0;
    bool room = rslBarrier_Reserve(&barrier->hooks, (void**)&barrier->merged, &barrier->mergedCapacity, most,
                                   sizeof(rslTouched)) &&
                rslState_Reserve(state, most) == rsl_ok;
    barrier->rubs = barrier->known = false;
    if (!room)
    {
        return rsl_outOfMemory;
    }
    Merge at = { 0 }, has;
    while (Next(barrier, state, &at, &has) != NULL)
    {
        count += MakeTouched(barrier, state, &at, &has, anew, &barrier->merged[count]) ? 1 : 0;
        at = (Merge){ at.old + has.old, at.near + has.near, at.held + has.held };
    }
    if (count > 0)
    {
        memcpy(state->touched, barrier->merged, (size_t)count * sizeof(rslTouched));
    }
    state->touchedCount = count;
    return rsl_ok;
}

void rslBarrier_Cancel(rslBarrier* barrier)
{
    barrier->rubs = barrier->known = false;
}
