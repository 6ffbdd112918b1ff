// SPDX-License-Identifier: MIT
//
// respond_place.c: places that still overlap are moved apart; velocities stay.
//
// Rounding, curved surfaces, sweeps that have not come to their end and what is found late leave gaps g + h min(0, u_n') < 0. A fifth of
// that, and no more than a little, is put right in a step: by velocities that lead apart already, h u_n' > 0, and for the rest by
// shifts along the normals, as light as the masses allow:
//   z' = max(0, z - (n.sum w_i dx_i - wanted) / d),   dx_i += w_i (z' - z) n / m_i
// Shifts do work against what holds places where they are. With the accelerations a of potentials and loads, and since no stiffness is
// beyond 4 m / T^2 at the stable step T, those of z times s cost no more than
//   s W + s^2 Q,   W = -sum m_i a_i.dx_i = -sum z n.J a,   Q = 2 sum m_i dx_i^2 / T^2
// in each group of touches that share what moves, and s <= 1 is such that this is no more than H, what impulses of the group lose in
// the step (respond.c): no step gains energy by shifts. It is what they have to undo that pays: what sinks by h u under a press P = -h n.J a / d
// loses P u, as much as lifting it back by h u costs. What is found deep, since the features that would have told of it were not there before,
// stays as it is under a press, and comes out when that ends, or by what bounces near it lose. (Without, a band around a soft ball never
// came to rest: edges were found deep, lifted, fell back and bounced.) Only where bodies may overlap at the start are they
// pushed apart whatever it costs.
// The faster shifts are, the stiffer is what they meet: an impact is over in a hundred steps, and what is then still deep leaves by itself. So
// steps that are short for the body, and parts of steps, shift by as much less: what is wedged, so that nothing can be put right, moves at the
// same speed however finely steps are divided, and what resists it has the time to.

#include "respond_set.h"

static const double share = 0.2;
static const double usualPart = 0.2;  // of the stable step
static const double rounding = 1e-6;  // of the largest shift: not worth it

static rslVec3 Times(const double* y, rslVec3 l)
{
    return (rslVec3){ y[0] * l.x, y[1] * l.y, y[2] * l.z };
}

static double MostOf(const rslRespond* r, const uint32_t key[4])
{
    double a = r->in->largestShift[key[0]], b = rslKey_IsCollider(key) ? a : r->in->largestShift[key[2]];
    return a < b ? a : b;
}

double rslRespond_PlacePart(const rslResponse* in)
{
    double whole = (double)(1ull << in->divided), usual = usualPart * in->stable;
    return (in->step * whole < usual ? in->step * whole / usual : 1.0) / whole;
}

double rslRespond_Wanted(const rslRespond* r, const rslCollision* collision, double way, double part)
{
    double wanted = -share * (collision->gap + (way < 0.0 ? way : 0.0));
    if (!(wanted > 0.0))
    {
        return 0.0;
    }
    double most = MostOf(r, collision->key);
    wanted = wanted > rounding * most ? part * (wanted < most ? wanted : most) : 0.0;
    return wanted > way ? wanted - rslMost(0.0, way) : 0.0;
}

static double Moved(const rslRespond* r, const rslSpot* touch)
{
    rslVec3 sum = { 0 };
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        sum = rslMulAdd(sum, r->parts[i].weight, r->dx[r->parts[i].node].v);
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        const rslSpotArm* arm = &r->arms[i];
        sum = rslMulAdd(sum, arm->weight, r->shift[arm->rigid]);
        sum = rslAdd(sum, rslCross(r->angle[arm->rigid], arm->arm));
    }
    return rslDot(touch->n, sum);
}

static void Move(rslRespond* r, const rslSpot* touch, rslVec3 push)
{
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        int node = r->parts[i].node;
        if (rslRespond_Moves(r, node))  // what is held may be shared with another group
        {
            r->dx[node].v = rslMulAdd(r->dx[node].v, r->parts[i].weight, Times(&r->in->yield[3 * (size_t)node], push));
        }
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        const rslSpotArm* arm = &r->arms[i];
        if (!rslRespond_Turns(r, arm->rigid))
        {
            continue;
        }
        const rslPushed* rigid = &r->in->rigids[arm->rigid];
        const double y[3] = { rigid->yield.x, rigid->yield.y, rigid->yield.z };
        r->shift[arm->rigid] = rslMulAdd(r->shift[arm->rigid], arm->weight, Times(y, push));
        r->angle[arm->rigid] = rslAdd(r->angle[arm->rigid], rslMatVec(&rigid->turn, rslCross(arm->arm, push)));
    }
}

void rslSpot_ImprovePlace(rslRespond* r, rslSpot* touch)
{
    if (touch->wanted > 0.0)
    {
        double push = touch->push - (Moved(r, touch) - touch->wanted) / touch->d;
        push = push > 0.0 ? push : 0.0;
        Move(r, touch, rslScale(push - touch->push, touch->n));
        touch->push = push;
    }
}

void rslRespond_Stay(rslRespond* r, const rslGroup* group)
{
    for (int m = group->moverBegin; m < group->moverEnd; ++m)
    {
        int mover = r->movers[m], i = mover - r->nodeCount;
        if (i < 0)
        {
            r->dx[mover] = (rslSpeed){ 0 };
            continue;
        }
        r->shift[i] = r->angle[i] = (rslVec3){ 0 };
    }
}

// n.J a
static double LiftOf(const rslRespond* r, const rslSpot* touch)
{
    if (r->in->lift == NULL)
    {
        return rslDot(touch->n, touch->kick) / r->in->step;
    }
    rslVec3 sum = { 0 };
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        const double* a = &r->in->lift[3 * (size_t)r->parts[i].node];
        sum = rslMulAdd(sum, r->parts[i].weight, (rslVec3){ a[0], a[1], a[2] });
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        const rslSpotArm* arm = &r->arms[i];
        const rslPushed* rigid = &r->in->rigids[arm->rigid];
        sum = rslAdd(rslMulAdd(sum, arm->weight, rigid->lift), rslCross(rigid->tilt, arm->arm));
    }
    return rslDot(touch->n, sum);
}

enum
{
    PRESSED,  // W
    STIFF,    // Q
    LOST      // H
};

static void SumCosts(rslRespond* r, const rslGroup* group)
{
    double stable = r->in->stable, rate = stable > 0.0 ? 2.0 / (stable * stable) : 0.0;
    for (int i = group->begin; i < group->end; ++i)
    {
        const rslSpot* touch = &r->touches[r->byKey[i]];
        double* sums = r->sums[touch->root];
        sums[PRESSED] -= touch->push > 0.0 ? touch->push * LiftOf(r, touch) : 0.0;
        sums[LOST] += rslSpot_Heat(touch);
    }
    for (int m = group->moverBegin; m < group->moverEnd; ++m)
    {
        int node = r->movers[m];
        const rslVec3 dx = node < r->nodeCount ? r->dx[node].v : (rslVec3){ 0 };
        double square = rslDot(dx, dx);
        if (square > 0.0)
        {
            const double* y = &r->in->yield[3 * (size_t)node];
            r->sums[r->rootOf[m]][STIFF] += rate * square / rslMost(y[0], rslMost(y[1], y[2]));
        }
    }
}

double rslRespond_PaidOf(const double sums[3])
{
    double W = sums[PRESSED], Q = sums[STIFF], H = rslMost(0.0, sums[LOST]);
    if (W + Q <= H)
    {
        return 1.0;
    }
    double root = sqrt(W * W + 4.0 * Q * H);
    return W > 0.0 ? 2.0 * H / (W + root) : (root - W) / (2.0 * Q);
}

// Shifts that cost more than is lost become smaller.
static void Pay(rslRespond* r, const rslGroup* group)
{
    bool all = true;
    for (int i = group->begin; i < group->end; ++i)
    {
        double* sums = r->sums[r->byKey[i]];
        sums[PRESSED] = sums[STIFF] = sums[LOST] = 0.0;
    }
    SumCosts(r, group);
    for (int i = group->begin; i < group->end; ++i)
    {
        rslSpot* touch = &r->touches[r->byKey[i]];
        double paid = rslRespond_PaidOf(r->sums[touch->root]);
        touch->push *= paid;
        all = all && paid == 1.0;
    }
    if (all)
    {
        return;
    }
    rslRespond_Stay(r, group);
    for (int i = group->begin; i < group->end; ++i)
    {
        const rslSpot* touch = &r->touches[r->byKey[i]];
        if (touch->push > 0.0)
        {
            Move(r, touch, rslScale(touch->push, touch->n));
        }
    }
}

void rslRespond_Place(rslRespond* r, const rslGroup* group)
{
    bool any = false;
    double part = rslRespond_PlacePart(r->in);
    rslRespond_Stay(r, group);
    for (int i = group->begin; i < group->end; ++i)
    {
        rslSpot* touch = &r->touches[r->byKey[i]];
        double way = r->in->step * rslDot(touch->n, touch->after);
        touch->wanted = rslRespond_Wanted(r, &r->in->collisions->list[touch->collision], way, part);
        touch->push = 0.0;
        any = any || touch->wanted > 0.0;
    }
    if (any)
    {
        rslRespond_SweepPlaces(r, group);
    }
    if (any && !r->model->touch.parts)
    {
        Pay(r, group);
    }
}
