// SPDX-License-Identifier: MIT
//
// respond_impact.c: the impact phase of a group (respond.h).
//
// u = J v with the first half of the kick, al = n.J h a. A gap closes if g + h (u_n + al/2) <= 0; the test has the whole way
// in it, so that the motion turned round meets the same one. It is an impact, and bounces, if u_n < -2 max(0, -al): a slower approach is
// one that the present acceleration explains, and belongs to the contact phase, where what sticks stays. The inelastic solve from u to
// u' loses |l|_W^2/2 - l_t.u_t', W = J M^-1 J^T, since l_n u_n' = 0. Its normal part again, R = e l_n, gives |R|_W^2/2 back. With
// several e, or friction, that may be more than what was lost; so it is scaled by
//   s = min(1, sqrt(B/A)),  A = |R|_W^2,  B = |l|_W^2 - 2 l_t.u_t'        for each group of touches that share what moves.
// Energy never grows, whatever e and mu are. What bounces presses 1 + e times, and its cone is as much wider; that of others is not.

#include "respond_set.h"

static bool FindBounces(rslRespond* r, const rslGroup* group)
{
    bool any = false;
    for (int i = group->begin; i < group->end; ++i)
    {
        rslSpot* touch = &r->touches[r->byKey[i]];
        double kick = rslDot(touch->n, touch->kick);
        double speed = rslDot(touch->n, touch->before) + 0.5 * kick;
        touch->closing = touch->gap + r->in->step * (speed + 0.5 * kick) <= 0.0;
        touch->bounces = touch->closing && touch->restitution > 0.0 && speed < (kick < 0.0 ? rslCapture * kick : 0.0);
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
static void SumLost(rslRespond* r, const rslGroup* group)
{
    for (int i = group->begin; i < group->end; ++i)
    {
        rslSpot* touch = &r->touches[r->byKey[i]];
        if (touch->closing)
        {
            rslVec3 u = rslSpot_Speed(r, touch), impulse = rslMulAdd(touch->rub, touch->press, touch->n);
            double lost = rslDot(impulse, rslSub(u, touch->start)) - 2.0 * rslDot(touch->rub, u);
            r->sums[rslRespond_Root(r, r->byKey[i])][1] += lost;
            touch->start = u;
        }
    }
}

static void SumGiven(rslRespond* r, const rslGroup* group)
{
    for (int i = group->begin; i < group->end; ++i)
    {
        const rslSpot* touch = &r->touches[r->byKey[i]];
        if (touch->closing && touch->bounces)
        {
            rslVec3 change = rslSub(rslSpot_Speed(r, touch), touch->start);
            r->sums[rslRespond_Root(r, r->byKey[i])][0] += Again(touch) * rslDot(touch->n, change);
        }
    }
}

static void GiveBack(rslRespond* r, const rslGroup* group)
{
    rslRespond_GroupClosing(r, group);
    SumLost(r, group);
    for (int i = group->begin; i < group->end; ++i)
    {
        const rslSpot* touch = &r->touches[r->byKey[i]];
        if (touch->closing && touch->bounces)
        {
            rslSpot_Push(r, touch, rslScale(Again(touch), touch->n));
        }
    }
    rslRespond_Join(r);
    SumGiven(r, group);
    for (int i = group->begin; i < group->end; ++i)
    {
        rslSpot* touch = &r->touches[r->byKey[i]];
        if (touch->closing)
        {
            double s = rslRespond_ScaleOf(r->sums[rslRespond_Root(r, r->byKey[i])]), again = Again(touch);
            touch->impact = rslMulAdd(touch->rub, touch->press + s * again, touch->n);
            if (s < 1.0 && again > 0.0)
            {
                rslSpot_Push(r, touch, rslScale((s - 1.0) * again, touch->n));
            }
        }
    }
    rslRespond_Join(r);
}

static void GiveKick(rslRespond* r, const rslGroup* group)
{
    rslRespond_AddKick(r, group, 0.5);
    for (int i = group->begin; i < group->end; ++i)
    {
        rslSpot* touch = &r->touches[r->byKey[i]];
        touch->cone = touch->friction * (touch->bounces ? 1.0 + touch->restitution : 1.0);
        touch->start = rslMulAdd(touch->before, 0.5, touch->kick);
    }
    rslRespond_Solve(r, group, true);
    GiveBack(r, group);
    rslRespond_AddKick(r, group, 0.5);
}

void rslRespond_Reflect(rslRespond* r, const rslGroup* group)
{
    FindBounces(r, group);
    GiveKick(r, group);
}

void rslRespond_Impact(rslRespond* r, const rslGroup* group)
{
    if (FindBounces(r, group))
    {
        GiveKick(r, group);
    }
    else
    {
        rslRespond_AddKick(r, group, 1.0);
    }
}
