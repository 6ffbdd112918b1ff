// SPDX-License-Identifier: MIT
//
// barrier_lead.c: where contacts end that a straight way leads through.
//
// A barrier is far from linear: a Newton step, or the flight that a stage starts from, leads through it; and cut to where the first gap
// closes it leads hardly anywhere. But the force that a Newton step has found in its linear barrier, f = p - k b'' dg with p = -k b', is
// nearly the one that there will be, and which gap has it is known. Of a flight, f is the push where it begins. With G = g + dg the gap
// where the way ends, r the stiffness of what is behind the contact (barrier_friction.c), so that an elastic body pulls it back by
// r (g' - G), the gap g' to come is that of
//
//   s p(g') = s f + r (g' - G)
//
// The left side falls and is convex, the right one grows. So the nodes of a contact are moved on by g' - G along its normal, each by its
// weight over its mass; in a few sweeps, since contacts share nodes. What it leads to is not exact and need not be: the sum that a stage
// makes least is asked there.

#include "barrier_internal.h"
#include "build.h"

enum
{
    SWEEPS = 4,
    TRIES = 40
};

// A contact, its law and what is behind it.
typedef struct Contact
{
    double k, D;
    double scale, r;  // s, r
    double right;     // s f - r G
} Contact;

// How much the left side is more than the right one, and how fast that falls.
static double Excess(const Contact* contact, double g, double* slope)
{
    rslBarrierLaw law = rslBarrierLaw_At(contact->k, contact->D, g);
    *slope = contact->scale * law.stiffness + contact->r;
    return contact->scale * law.push - contact->r * g - contact->right;
}

// g' in (0, D], from a gap: Newton's method from where the excess is positive stays there.
static double EndOf(const Contact* contact, double gap)
{
    double slope, g = gap < contact->D ? gap : 0.5 * contact->D;
    if (Excess(contact, contact->D, &slope) >= 0.0)
    {
        return contact->D;
    }
    for (int i = 0; i < TRIES && !(Excess(contact, g, &slope) > 0.0); ++i)
    {
        g *= 0.25;
    }
    for (int i = 0; i < TRIES; ++i)
    {
        double excess = Excess(contact, g, &slope), by = excess / slope;
        g += by;
        if (!(by > 1e-3 * g))
        {
            break;
        }
    }
    return g < contact->D ? g : contact->D;
}

static double Mobility(const rslBarrier* barrier, const rslCollisions* all, const rslCollision* one)
{
    double mobility = 0.0;
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        mobility += all->weights[e] * all->weights[e] * barrier->loose[all->nodes[e]];
    }
    return mobility;
}

// G
static double GapAfter(const rslCollisions* all, const rslCollision* one, double step, bool flies, const double* v)
{
    rslVec3 u = rslMulAdd(rslCollision_Sum(all, one, v), flies ? -1.0 : 0.0, one->velocity);
    return one->gap + step * rslDot(one->normal, u);
}

// The gap that a contact is led to; 0: wherever its way leads.
static double LeadTo(const rslBarrier* barrier, const rslCollision* one, double after, double mobility, bool flies)
{
    Contact contact = { .scale = barrier->stage.scale };
    rslBarrier_Pair(barrier, one->key, &contact.D, &contact.k);
    if (!(mobility > 0.0) || !(one->gap > 0.0) || after >= contact.D)
    {
        return 0.0;
    }
    double lever = barrier->stage.lever;
    rslBarrierLaw law = rslBarrierLaw_At(contact.k, contact.D, one->gap);
    double f = flies ? law.push : law.push - law.stiffness * (after - one->gap);
    contact.r = 1.0 / (lever * lever * mobility) + rslBarrier_Firmness(barrier, one->key);
    contact.right = contact.scale * rslMost(f, 0.0) - contact.r * after;
    return EndOf(&contact, one->gap);
}

static void MoveOn(const rslBarrier* barrier, const rslCollisions* all, const rslCollision* one, double by, double* v)
{
    double mobility = Mobility(barrier, all, one);
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        double share = by * all->weights[e] * barrier->loose[all->nodes[e]] / mobility;
        double* at = &v[3 * (size_t)all->nodes[e]];
        at[0] += share * one->normal.x;
        at[1] += share * one->normal.y;
        at[2] += share * one->normal.z;
    }
}

static rslStatus FindAhead(rslBarrier* barrier, const rslLook* look)
{
    rslCollisions* ahead = &barrier->ahead;
    rslStatus status = rslCollide_Find(barrier->collide, look, ahead);
    if (status == rsl_ok && !rslBarrier_Reserve(&barrier->hooks, (void**)&barrier->ends, &barrier->endCapacity,
                                                ahead->count, sizeof(double)))
    {
        status = rsl_outOfMemory;
    }
    ahead->count = status == rsl_ok ? ahead->count : 0;
    return status;
}

rslStatus rslBarrier_Lead(rslBarrier* barrier, const double* x, double time, double step, bool flies, double* v,
                          bool* led)
{
    rslLook look = {
        .x = x, .v = v, .step = step, .time = time, .reach = barrier->reach, .whole = true, .still = !flies
    };
    rslStatus status = FindAhead(barrier, &look);
    const rslCollisions* all = &barrier->ahead;
    bool more = true;
    *led = false;
    for (int i = 0; i < all->count; ++i)
    {
        const rslCollision* one = &all->list[i];
        double after = GapAfter(all, one, step, flies, v);
        barrier->ends[i] = LeadTo(barrier, one, after, Mobility(barrier, all, one), flies);
    }
    for (int sweep = 0; sweep < SWEEPS && more; ++sweep)
    {
        more = false;
        for (int i = 0; i < all->count; ++i)
        {
            double end = barrier->ends[i], left = end - GapAfter(all, &all->list[i], step, flies, v);
            if (end > 0.0 && left > 1e-2 * end)
            {
                MoveOn(barrier, all, &all->list[i], left / step, v);
                *led = more = true;
            }
        }
    }
    return status;
}
