// SPDX-License-Identifier: MIT
//
// static_held.c: see static_held.h.
//
// Held nodes are moved on straight lines. Taken on the linear problem of the old shape, the body comes along: K d =
// f - K h on the free unknowns, h the motion of the held ones. The other way is the plain one, with the free nodes where
// they are. Neither is taken if an element would fall too far on it (guard.h); in parts, as much of the longer one as
// is allowed, with a few of Newton's steps after it, until all of it is done.

#include "implicit.h"
#include "static_held.h"

#include "statics.h"

#include <string.h>

static void StandStill(const rslStatic* rest, rslState* state)
{
    for (int b = 0; b < rest->model->bodyCount; ++b)
    {
        state->frames[b].velocity = (rslVec3){ 0 };
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(state->velocity[axis], 0, (size_t)rest->model->nodeCount * sizeof(double));
    }
}

// A way from kept to where the state is: the part of it that no element and no body keeps from being taken, and where it ends.
typedef struct Way
{
    double part, potential;
    bool blocked;  // by a body
} Way;

static Way LookAtWay(rslStatic* rest, const rslState* state)
{
    double time = rslStatics_FirstTime(rest->kernel, state, rest->kept.x);
    double free = rslStatic_FreePart(rest, state, rest->kept.x);
    Way way = { .part = time > 1.0 ? 1.0 : 0.9 * time, .potential = INFINITY };
    way.blocked = free < way.part;
    way.part = way.blocked ? free : way.part;
    if (way.part == 1.0)
    {
        way.potential = rslStatics_Potential(rest->kernel, state);
    }
    return way;
}

// The state goes where the others follow the held ones, whose motion is h. False when the linear problem has no answer.
static bool Follow(rslStatic* rest, rslState* state)
{
    const rslUnknowns* u = &rest->unknowns;
    rslNodeVector at = rslStateField(state), *h = &rest->space.p, *kh = &rest->space.q;
    rslUnknowns_Copy(u, &at, &rest->kept);
    rslStatic_Residual(rest, state);
    rslStatic_Look(rest, state);
    rslStatic_Multiply(rest, h, kh);
    rslUnknowns_Combine(u, &rest->space.r, 1.0, -1.0, kh);
    rslCgResult found = rslStatic_Gradients(rest, 1e-3, RSL_CG_LIMIT);
    rest->result.iterations += found.iterations;
    rslUnknowns_Copy(u, &at, &rest->start);
    rslUnknowns_Combine(u, &at, 1.0, 1.0, &rest->direction);
    return !found.stopped && !found.curved;
}

// Move held nodes, from kept. Returns the part of their way that was taken; all or nothing, unless asked for less.
static double MoveHeld(rslStatic* rest, rslState* state, bool less)
{
    const rslUnknowns* u = &rest->unknowns;
    rslNodeVector at = rslStateField(state), *h = &rest->space.p;
    double length;
    rslUnknowns_Copy(u, &rest->kept, &at);
    rslBackend64.hold(rest->kernel, state);
    StandStill(rest, state);
    rslUnknowns_Copy(u, h, &at);
    rslUnknowns_Combine(u, h, 1.0, -1.0, &rest->kept);
    rest->result.node = rslUnknowns_Largest(u, h, &length);
    rest->way = length;
    if (length == 0.0)
    {
        return 1.0;
    }
    rslUnknowns_Copy(u, &rest->start, &rest->kept);
    rslUnknowns_Combine(u, &rest->start, 1.0, 1.0, h);  // held nodes moved, the others not
    Way plain = LookAtWay(rest, state);
    bool found = Follow(rest, state);
    Way follow = LookAtWay(rest, state);
    if (found && follow.part == 1.0 && (plain.part < 1.0 || follow.potential <= plain.potential))
    {
        return 1.0;
    }
    // where bodies are in the way, the plain one would leave all of what lies before them stretched
    bool along = follow.part > plain.part || (found && follow.blocked && follow.part > 0.01);
    double part = along ? follow.part : plain.part;
    rest->blocked = part < 1.0 && (along ? follow : plain).blocked;
    rest->limited = rest->limited || (part < 1.0 && !rest->blocked);
    if (!along)
    {
        rslUnknowns_Copy(u, &at, &rest->start);
    }
    if (part < 1.0)
    {
        part = less ? part : 0.0;
        rslUnknowns_Combine(u, &at, part, 1.0 - part, &rest->kept);
    }
    return part;
}

bool rslStatic_MoveHeld(rslStatic* rest, rslState* state, bool inParts)
{
    enum
    {
        PARTS = 200
    };
    StandStill(rest, state);
    double part = MoveHeld(rest, state, inParts), whole = rest->way;
    for (int i = 0; inParts && part < 1.0 && part * rest->way > 1e-5 * whole && i < PARTS && !rest->stopped; ++i)
    {
        rslStatic_Iterate(rest, state, 0.01, false);
        part = MoveHeld(rest, state, true);
    }
    rest->way = whole;
    return part == 1.0;
}

bool rslStatic_Open(rslStatic* rest, rslState* state)
{
    if (rest->relaxed != NULL)
    {
        return rslImplicit_Open(rest->relaxed, state);
    }
    rslNodeVector at = rslStateField(state);
    rslUnknowns_Copy(&rest->unknowns, &rest->kept, &at);
    rslBackend64.hold(rest->kernel, state);
    if (!(rslStatics_FirstTime(rest->kernel, state, rest->kept.x) > 1.0))
    {
        rslUnknowns_Copy(&rest->unknowns, &at, &rest->kept);
    }
    return rslStatic_OpenContact(rest, state);
}
