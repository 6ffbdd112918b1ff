// SPDX-License-Identifier: MIT
//
// respond_cone.c: impulses l of all touches with u = J v + ...,  l_n >= 0,  u_n >= b,  l_n (u_n - b) = 0,  |l_t| <= mu l_n, against
// the slip, by sweeps over the touches (projected Gauss and Seidel). Each takes what is best as the others stand:
//
//   l_n' = max(0, l_n - (u_n - b) / d),   l_t' = l_t - K_tt^-1 u_t, cut back to mu l_n'
// (where K_tt is not d I and l_t' is too large: a step with its largest eigenvalue instead, then cut back).
//
// Touches of a colour have nothing that moves in common. Colours go up on even sweeps, down on odd ones (respond_sweep.c). Sweeps end
// early when none of the impulses has changed by more than rounding, or of many by little, which does not depend on threads either.

#include "respond_set.h"

static rslVec3 At(const double* array, int node)
{
    const double* a = &array[3 * (size_t)node];
    return (rslVec3){ a[0], a[1], a[2] };
}

static rslVec3 Times(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ a.x * b.x, a.y * b.y, a.z * b.z };
}

// ---- speeds ---------------------------------------------------------------------------------------------------------

rslVec3 rslSpot_Speed(const rslRespond* r, const rslSpot* touch)
{
    rslVec3 u = rslScale(-1.0, touch->belt);
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        u = rslMulAdd(u, r->parts[i].weight, r->v[r->parts[i].node].v);
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        const rslSpotArm* arm = &r->arms[i];
        u = rslMulAdd(u, arm->weight, r->velocity[arm->rigid]);
        u = rslAdd(u, rslCross(r->spin[arm->rigid], arm->arm));
    }
    return u;
}

// The same of what is given: of velocities, or of the kick.
static rslVec3 SpeedOf(const rslRespond* r, const rslSpot* touch, const double* v, bool kick)
{
    rslVec3 u = { 0 };
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        u = rslMulAdd(u, r->parts[i].weight, At(v, r->parts[i].node));
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        const rslSpotArm* arm = &r->arms[i];
        const rslPushed* rigid = &r->in->rigids[arm->rigid];
        u = rslMulAdd(u, arm->weight, kick ? rigid->kick : rigid->velocity);
        u = rslAdd(u, rslCross(kick ? rigid->twist : rigid->spin, arm->arm));
    }
    return u;
}

rslVec3 rslSpot_SpeedBefore(const rslRespond* r, const rslSpot* touch)
{
    return rslSub(SpeedOf(r, touch, r->in->v, false), touch->belt);
}

rslVec3 rslSpot_SpeedOfKick(const rslRespond* r, const rslSpot* touch)
{
    return SpeedOf(r, touch, r->in->kick, true);
}

static rslVec3 Held(rslVec3 v, rslVec3 yield)
{
    return (rslVec3){ yield.x > 0.0 ? 0.0 : v.x, yield.y > 0.0 ? 0.0 : v.y, yield.z > 0.0 ? 0.0 : v.z };
}

rslVec3 rslSpot_SpeedOfHeld(const rslRespond* r, const rslSpot* touch)
{
    rslVec3 u = { 0 };
    for (int i = touch->partBegin; !touch->loose && i < touch->partEnd; ++i)
    {
        int node = r->parts[i].node;
        u = rslMulAdd(u, r->parts[i].weight, Held(At(r->in->v, node), At(r->in->yield, node)));
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        const rslSpotArm* arm = &r->arms[i];
        const rslPushed* rigid = &r->in->rigids[arm->rigid];
        if (!rslRespond_Turns(r, arm->rigid))
        {
            u = rslAdd(rslMulAdd(u, arm->weight, rigid->velocity), rslCross(rigid->spin, arm->arm));
        }
    }
    return u;
}

void rslSpot_Push(rslRespond* r, const rslSpot* touch, rslVec3 impulse)
{
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        int node = r->parts[i].node;
        if (rslRespond_Moves(r, node))
        {
            r->v[node].v = rslMulAdd(r->v[node].v, r->parts[i].weight, Times(At(r->in->yield, node), impulse));
        }
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        const rslSpotArm* arm = &r->arms[i];
        const rslPushed* rigid = &r->in->rigids[arm->rigid];
        if (rslRespond_Turns(r, arm->rigid))
        {
            rslVec3* v = &r->velocity[arm->rigid];
            *v = rslMulAdd(*v, arm->weight, Times(rigid->yield, impulse));
            rslVec3 turn = rslMatVec(&rigid->turn, rslCross(arm->arm, impulse));
            r->spin[arm->rigid] = rslAdd(r->spin[arm->rigid], turn);
        }
    }
}

void rslRespond_AddKick(rslRespond* r, const rslGroup* group, double part)
{
    for (int m = group->moverBegin; m < group->moverEnd; ++m)
    {
        int mover = r->movers[m], i = mover - r->nodeCount;
        if (i < 0)
        {
            r->v[mover].v = rslMulAdd(r->v[mover].v, part, r->kick[mover].v);
            continue;
        }
        r->velocity[i] = rslMulAdd(r->velocity[i], part, r->in->rigids[i].kick);
        r->spin[i] = rslMulAdd(r->spin[i], part, r->in->rigids[i].twist);
    }
}

// ---- one touch ------------------------------------------------------------------------------------------------------

static rslVec3 Stop(const rslSpot* touch, rslVec3 slip)
{
    return touch->free
               ? rslScale(1.0 / touch->d, slip)
               : (rslVec3){ rslDot(touch->stop[0], slip), rslDot(touch->stop[1], slip), rslDot(touch->stop[2], slip) };
}

// The friction that is best with a slip, at most so large.
static rslVec3 Rub(const rslSpot* touch, rslVec3 slip, double most)
{
    if (!(most > 0.0) || !(touch->across > 0.0))
    {
        return (rslVec3){ 0 };
    }
    rslVec3 rub = rslSub(touch->rub, Stop(touch, slip));
    double length = rslLength(rub);
    if (length > most && !touch->free && !touch->flat)
    {
        rub = rslMulAdd(touch->rub, -1.0 / touch->across, slip);
        length = rslLength(rub);
    }
    return length > most ? rslScale(most / length, rub) : rub;
}

bool rslSpot_Improve(rslRespond* r, rslSpot* touch)
{
    rslVec3 u = rslSpot_Speed(r, touch);
    double along = rslDot(touch->n, u), press = touch->press - (along - touch->bound) / touch->d;
    press = press > 0.0 ? press : 0.0;
    double more = press - touch->press;
    rslVec3 slip = rslMulAdd(u, -along, touch->n);
    slip = touch->free ? slip : rslMulAdd(slip, more, touch->tilt);
    rslVec3 rub = Rub(touch, slip, touch->cone * press);
    rslVec3 change = rslMulAdd(rslSub(rub, touch->rub), more, touch->n);
    if (change.x == 0.0 && change.y == 0.0 && change.z == 0.0)
    {
        return false;
    }
    rslSpot_Push(r, touch, change);
    touch->press = press;
    touch->rub = rub;
    return rslLength(change) > rslSettled * press;
}

void rslRespond_Join(rslRespond* r)
{
    if (r->in->join != NULL)
    {
        r->in->join(r->in->joined, r->velocity, r->spin);
    }
}
