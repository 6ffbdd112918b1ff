// SPDX-License-Identifier: MIT
//
// respond_published.c: schemes of the literature beside the default, for comparison. All answer what overlaps in the middle of a step
// and approaches, gap <= 0 and u_n < 0, with Kot's impulse l (Mass spring models, eq. 6.3, normal parts; friction is his with the
// slip as its limit, without which it would turn motion round):
//
//   l_n = -(1 + e) u_n / d,   l_t = -min(mu l_n, |u_t| / d) u_t / |u_t|
//
//   plain            half of the kick, l of one touch after the other, half of the kick (6.2.2). Nodes fly between touches: bodies creep
//                    down slopes. With e < 1 the second half of the kick is never answered, and they sink. Stacks fall.
//   overlap          what is left of the step before, the kick, l of one touch after the other, half of it now and half in the next
//                    step (6.2.3). Where half of each comes to nothing together, as under a stack, things sink into each other.
//   overlap_unequal  the same, but now what stops all that touches together, and the rest of l later: "they too can be brought to the
//                    state of the same relative velocity" with "e.g. 0.3 and 0.7"; the thesis has no rule. Energy is not kept.
//   reflection       what is left, the kick, the inelastic l of all touches together, now and, e times, again in the next step. Without
//                    friction energy is exact: both change it by l.J v + ... = 0, as l_n u_n' = 0 in between. Overlaps by h u at
//                    impacts.
//
// Impulses of the step before belong in front of the forces; here they come after them, which only dampers see.

#include "respond_set.h"

static const rslVec3 none = { 0.0, 0.0, 0.0 };

static bool Overlaps(const rslSpot* spot)
{
    return spot->gap <= 0.0;
}

// Kot's impulse at one touch, given at once.
static rslVec3 Answer(rslRespond* r, rslSpot* spot)
{
    double along = rslDot(spot->n, rslSpot_Speed(r, spot));
    spot->press = 0.0;
    spot->rub = none;
    if (!Overlaps(spot) || !(along < 0.0))
    {
        return none;
    }
    spot->bound = -spot->restitution * along;
    spot->cone = spot->friction;
    rslSpot_Improve(r, spot);
    return rslMulAdd(spot->rub, spot->press, spot->n);
}

// What the step before has left.
static void GiveLeft(rslRespond* r, const rslState* state)
{
    for (int t = 0, m = 0; t < r->count; ++t)
    {
        rslSpot* spot = &r->touches[t];
        const uint32_t* key = r->in->collisions->list[spot->collision].key;
        while (m < state->touchedCount && rslKey_Compare(state->touched[m].key, key) < 0)
        {
            ++m;
        }
        if (m < state->touchedCount && rslKey_Compare(state->touched[m].key, key) == 0)
        {
            const double* left = state->touched[m].kept;
            spot->impact = (rslVec3){ left[0], left[1], left[2] };
            rslSpot_Push(r, spot, spot->impact);
        }
    }
}

// l of all touches, one after the other, as what is given later; velocities have it all.
static void AnswerEach(rslRespond* r)
{
    for (int t = 0; t < r->count; ++t)
    {
        r->touches[t].later = Answer(r, &r->touches[t]);
    }
}

// A share of l now, the rest later; velocities have had a part of it.
static void Divide(rslRespond* r, rslSpot* spot, double share, double had)
{
    rslVec3 whole = spot->later;
    rslSpot_Push(r, spot, rslScale(share - had, whole));
    spot->impact = rslMulAdd(spot->impact, share, whole);
    spot->later = rslScale(1.0 - share, whole);
}

static void Plain(rslRespond* r)
{
    rslGroup all = rslRespond_All(r);
    rslRespond_AddKick(r, &all, 0.5);
    for (int t = 0; t < r->count; ++t)
    {
        r->touches[t].impact = Answer(r, &r->touches[t]);
    }
    rslRespond_AddKick(r, &all, 0.5);
}

static void Halves(rslRespond* r)
{
    AnswerEach(r);
    for (int t = 0; t < r->count; ++t)
    {
        Divide(r, &r->touches[t], 0.5, 1.0);
    }
}

// What l is divided into where things are stopped by press now.
static void Share(rslRespond* r, rslSpot* spot)
{
    rslVec3 whole = spot->later;
    double along = rslDot(spot->n, whole), left = along > spot->press ? along - spot->press : 0.0;
    double share = along > 0.0 ? (along - left) / along : 0.0;
    rslVec3 rub = rslMulAdd(whole, -along, spot->n);
    rslSpot_Push(r, spot, rslScale(share, rub));
    spot->impact = rslAdd(spot->impact, rslMulAdd(rslScale(share, rub), spot->press, spot->n));
    spot->later = rslMulAdd(rslScale(1.0 - share, rub), left, spot->n);
}

static void StopGroup(rslRespond* r, const rslGroup* group)
{
    rslRespond_Solve(r, group, true);
}

// The inelastic impulses of all that overlaps, with friction up to a part of mu.
static void Stop(rslRespond* r, double part)
{
    for (int t = 0; t < r->count; ++t)
    {
        rslSpot* spot = &r->touches[t];
        spot->closing = Overlaps(spot);
        spot->bound = spot->press = 0.0;
        spot->rub = none;
        spot->cone = part * spot->friction;
    }
    rslRespond_ForGroups(r, StopGroup);
}

static void Shares(rslRespond* r)
{
    AnswerEach(r);
    for (int t = 0; t < r->count; ++t)
    {
        rslSpot_Push(r, &r->touches[t], rslScale(-1.0, r->touches[t].later));
    }
    Stop(r, 0.0);
    for (int t = 0; t < r->count; ++t)
    {
        Share(r, &r->touches[t]);
    }
}

static void Reflect(rslRespond* r)
{
    Stop(r, 1.0);
    for (int t = 0; t < r->count; ++t)
    {
        rslSpot* spot = &r->touches[t];
        rslVec3 l = rslMulAdd(spot->rub, spot->press, spot->n);
        spot->impact = rslAdd(spot->impact, l);
        spot->later = rslScale(spot->restitution, l);
    }
}

static void Answers(rslRespond* r, const rslState* state)
{
    if (r->scheme == rsl_plainScheme)
    {
        Plain(r);
        return;
    }
    rslGroup all = rslRespond_All(r);
    GiveLeft(r, state);
    rslRespond_AddKick(r, &all, 1.0);
    if (r->scheme == rsl_overlapScheme)
    {
        Halves(r);
    }
    else if (r->scheme == rsl_unequalOverlapScheme)
    {
        Shares(r);
    }
    else
    {
        Reflect(r);
    }
}

void rslRespond_Published(rslRespond* r, const rslState* state)
{
    rslGroup all = rslRespond_All(r);
    rslRespond_FillRows(r, &all);
    Answers(r, state);
    rslRespond_FindAfter(r, &all);
}
