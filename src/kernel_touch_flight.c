// SPDX-License-Identifier: MIT
//
// kernel_touch_flight.c: steps that nothing can touch in, so that they need no look (lattice_steps.c).
//
// Vertices of skins hang on nodes of a few planes of a lattice that follow each other: those that hang on planes [p, p + reach) are a group.
// A look at all finds for every plane that things stand on how far each group is, and one at few at least how far. From then on steps need only bounds [low, high] of what
// the velocities of these nodes are along its normal, which sweeps find: with weights of a sum of 1 and |w| of a sum of s at most, vertices are
//
//   no faster towards it than   c = s (high - low) / 2 - (high + low) / 2
//
// and h c less far after a step of h. In it they are found to touch (collide_plane.c) only if they are less far in its middle than
//
//   h max(0, c) + h s d,   d the largest change of a velocity by the kick: max(|high' - low|, |low' - high|) or less.
//
// Before a kick that is no more than a guess, which says how long flights are; a step that is found to have been too fast is taken back.
// Everything else than planes that do not move has to be so far that nothing can come near to it.

#include "kernel_touch.h"

#include "build.h"
#include "guard.h"
#include "lattice_sweep.h"
#include "memory.h"

enum
{
    WORTH = 3,  // steps that a flight lasts at least
    LATER = 8,  // looks that find nothing after one that was not worth it, or that led to a step too fast
    FEW_REACHED = 8
};

static const double guessed = 2.0;  // a kick changes no velocity by more than so many times what they differ by,
static const double falling = 4.0;  // and what gravity does
static const double faster = 1.2;   // what is fastest becomes so much faster in a step
static const double slack = 1.0 + 1e-5;
static const double leastPart = 1e-4;  // of the size of cells: what rounding may bring nearer

// ---- making ---------------------------------------------------------------------------------------------------------

// Of all planes that things stand on.
static size_t Groups(const Kernel* kernel)
{
    return (size_t)kernel->sweep->planeCount * (size_t)kernel->touch->flight.floorCount;
}

static bool FindFloors(const Kernel* kernel, TouchFlight* flight)
{
    bool few = true;
    for (int k = 0; few && k < kernel->model->colliderCount; ++k)
    {
        bool plane = kernel->model->colliders[k].type == rsl_planeCollider;
        few = !plane || flight->floorCount < RSL_MOST_FLOORS;
        if (plane && few)
        {
            flight->floors[flight->floorCount++] = k;
        }
    }
    return few;
}

static bool MakeGroups(Kernel* kernel, TouchFlight* flight)
{
    const SweepKernel* sweep = kernel->sweep;
    const rslModel* model = kernel->model;
    int* planeOf = rslAllocate(&kernel->arena.hooks, (size_t)model->contactNodeCount, sizeof(int));
    for (int c = 0; planeOf != NULL && c < model->contactNodeCount; ++c)
    {
        planeOf[c] = RSL_LAST_UP_TO(sweep->planes, Plane, begin, 0, sweep->planeCount, model->contactNodes[c]);
    }
    bool made = planeOf != NULL;
    flight->reach = made ? rslCollide_Group(kernel->touch->collide, planeOf, flight->group) : 0;
    flight->possible = flight->reach > 0 && flight->reach <= FEW_REACHED;
    rslRelease(&kernel->arena.hooks, planeOf);
    return made;
}

bool RSL_NAME(rslTouch_MakeFlight)(Kernel* kernel)
{
    TouchKernel* touch = kernel->touch;
    TouchFlight* flight = &touch->flight;
    if (!touch->near.possible || !FindFloors(kernel, flight))
    {
        return true;
    }
    size_t all = Groups(kernel), planes = (size_t)kernel->sweep->planeCount;
    flight->group = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)rslCollide_Vertices(touch->collide), sizeof(int));
    flight->gaps = RSL_NAME(rslKernel_Allocate)(kernel, all, sizeof(double));
    flight->bounds = RSL_NAME(rslKernel_Allocate)(kernel, 2 * all + planes, sizeof(FlightBound));
    if (flight->group == NULL || flight->gaps == NULL || flight->bounds == NULL)
    {
        return false;
    }
    flight->before = flight->bounds + all;
    flight->along = flight->bounds + 2 * all;
    return MakeGroups(kernel, flight);
}

// ---- velocities -----------------------------------------------------------------------------------------------------

// Of the nodes of a plane of a lattice, along a normal.
static FlightBound BoundAlong(const FrameView* frame, const PlaneSpeed* speed, rslVec3 normal)
{
    rslVec3 n = rslMatTVec(&frame->rotation, normal);
    const double along[3] = { n.x, n.y, n.z };
    FlightBound bound = { 0.0, 0.0 };
    for (int axis = 0; axis < 3; ++axis)
    {
        double a = along[axis] * speed->low[axis], b = along[axis] * speed->high[axis];
        bound.low += a < b ? a : b;
        bound.high += a < b ? b : a;
    }
    double drift = rslDot(normal, frame->velocity), more = (slack - 1.0) * (fabs(bound.low) + fabs(bound.high));
    return (FlightBound){ drift + bound.low - more, drift + bound.high + more };
}

// Of all groups of a body: those of planes that they hang on.
static void BoundGroups(const Kernel* kernel, const Slab* slab, int floor, TouchFlight* flight)
{
    const SweepKernel* sweep = kernel->sweep;
    rslVec3 normal = rslCollider_At(&kernel->model->colliders[flight->floors[floor]], 0.0).normal;
    size_t first = (size_t)floor * (size_t)sweep->planeCount;
    for (int p = slab->first; p < slab->last; ++p)
    {
        flight->along[p] = BoundAlong(&kernel->frames[slab->body], &sweep->speeds[p], normal);
    }
    for (int p = slab->first; p < slab->last; ++p)
    {
        FlightBound* bound = &flight->bounds[first + (size_t)p];
        *bound = flight->along[p];
        for (int q = p + 1; q < p + flight->reach && q < slab->last; ++q)
        {
            bound->low = flight->along[q].low < bound->low ? flight->along[q].low : bound->low;
            bound->high = flight->along[q].high > bound->high ? flight->along[q].high : bound->high;
        }
    }
}

// Of vertices that hang on nodes of a plane of a lattice and the next ones.
static double SquareOfSpeed(const Kernel* kernel, const Slab* slab, int plane)
{
    const TouchKernel* touch = kernel->touch;
    const Real* drift = kernel->frames[slab->body].drift;
    PlaneSpeed all = kernel->sweep->speeds[plane];
    double square = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int q = plane + 1; q < plane + touch->flight.reach && q < slab->last; ++q)
        {
            const PlaneSpeed* next = &kernel->sweep->speeds[q];
            all.low[axis] = next->low[axis] < all.low[axis] ? next->low[axis] : all.low[axis];
            all.high[axis] = next->high[axis] > all.high[axis] ? next->high[axis] : all.high[axis];
        }
        double most = fabs((double)drift[axis] + 0.5 * (all.low[axis] + all.high[axis])) +
                      0.5 * touch->spread * (all.high[axis] - all.low[axis]);
        square += most * most;
    }
    return square;
}

// Once a body: slabs of a body follow each other.
static void FindBounds(const Kernel* kernel, TouchFlight* flight)
{
    const SweepKernel* sweep = kernel->sweep;
    flight->speed = 0.0;
    for (int s = 0; s < sweep->slabCount; ++s)
    {
        const Slab* slab = &sweep->slabs[s];
        if (slab->begin > slab->first)
        {
            continue;
        }
        double square = 0.0;
        for (int p = slab->first; p < slab->last; ++p)
        {
            square = rslMost(square, SquareOfSpeed(kernel, slab, p));
        }
        flight->speed = rslMost(flight->speed, slack * sqrt(square));
        for (int f = 0; f < flight->floorCount; ++f)
        {
            BoundGroups(kernel, slab, f, flight);
        }
    }
}

// ---- ways -----------------------------------------------------------------------------------------------------------

static double Closing(const TouchKernel* touch, const FlightBound* bound)
{
    return 0.5 * (touch->spread * (bound->high - bound->low) - (bound->high + bound->low));
}

static double Guess(const TouchFlight* flight, const FlightBound* bound)
{
    return guessed * (bound->high - bound->low) + flight->fall;
}

static double Changed(const FlightBound* before, const FlightBound* after)
{
    return rslMost(fabs(after->high - before->low), fabs(before->high - after->low));
}

// How far a group has to be in the middle of this step, or of one so many steps after it, so that nothing touches then.
static double Needs(const TouchKernel* touch, const FlightBound* bound, double kick, int later)
{
    const TouchFlight* flight = &touch->flight;
    double closing = Closing(touch, bound) + (later > 0 ? touch->spread * kick : 0.0);
    double way = (later + 1) * (closing > 0.0 ? closing : 0.0) + touch->spread * kick;
    return flight->step * way * slack + leastPart * touch->size;
}

// What is fast is looked at before it moves.
static bool IsSlow(const TouchKernel* touch, double factor)
{
    const TouchFlight* flight = &touch->flight;
    return factor * flight->step * flight->speed < RSL_FAST_PART * touch->size;
}

// From all else than planes, with a kick of nodes: two that come near to each other are seen from twice as far (kernel_touch_near.c).
static bool IsAlone(const TouchKernel* touch, int later, double kick)
{
    const TouchFlight* flight = &touch->flight;
    double way = flight->step * (flight->speed + touch->spread * kick);
    return flight->moved + 4.0 * (later + 1) * way < flight->others;
}

static bool IsFar(const Kernel* kernel, int later)
{
    const TouchKernel* touch = kernel->touch;
    const TouchFlight* flight = &touch->flight;
    bool far = IsSlow(touch, faster) && IsAlone(touch, later, 2.0 * flight->speed);
    for (size_t g = 0; far && g < Groups(kernel); ++g)
    {
        const FlightBound* bound = &flight->bounds[g];
        far = flight->gaps[g] > Needs(touch, bound, Guess(flight, bound), later);
    }
    return far;
}

// To the middle of the next step.
static void Go(Kernel* kernel, double shortest, double longest)
{
    TouchFlight* flight = &kernel->touch->flight;
    double rounded = RSL_NAME(rslTouch_Rounded)(kernel);
    for (size_t g = 0; g < Groups(kernel); ++g)
    {
        double closing = Closing(kernel->touch, &flight->bounds[g]);
        flight->gaps[g] -= (closing > 0.0 ? slack * longest * closing : shortest * closing / slack) + rounded;
    }
    flight->moved += longest * flight->speed;
    RSL_NAME(rslTouch_Shifted)(kernel, longest * flight->speed / kernel->touch->spread + rounded);
    kernel->touch->near.step = flight->step;
}

// Forces of the host are given in steps in parts.
static bool MayFly(const Kernel* kernel)
{
    return kernel->touch->flight.possible && kernel->hostForces == NULL;
}

// ---- flights --------------------------------------------------------------------------------------------------------

bool RSL_NAME(rslTouch_Flies)(const Kernel* kernel)
{
    return kernel->touch == NULL || (kernel->touch->flight.possible && Divides(kernel));
}

// From now on it is known how far everything is. False: it is not worth it.
static bool StartMap(Kernel* kernel, double others)
{
    TouchFlight* flight = &kernel->touch->flight;
    flight->wait -= flight->wait > 0;
    if (!MayFly(kernel) || flight->wait > 0)
    {
        return false;
    }
    flight->mapped = true;
    flight->count.maps += 1;
    flight->ahead = flight->fresh = false;
    flight->moved = 0.0;
    flight->others = others;
    return true;
}

void RSL_NAME(rslTouch_Map)(Kernel* kernel, double others)
{
    TouchKernel* touch = kernel->touch;
    TouchFlight* flight = &touch->flight;
    const int planes = kernel->sweep != NULL ? kernel->sweep->planeCount : 0;
    bool maps = StartMap(kernel, others);
    for (int f = 0; maps && f < flight->floorCount; ++f)
    {
        rslCollide_FindGaps(touch->collide, flight->floors[f], flight->group, planes,
                            flight->gaps + (size_t)f * (size_t)planes);
    }
}

// The first node of a vertex lies in the first plane that it hangs on, and in the chunk that its group has the number of.
void RSL_NAME(rslTouch_MapFew)(Kernel* kernel, double others)
{
    TouchKernel* touch = kernel->touch;
    TouchFlight* flight = &touch->flight;
    const int planes = kernel->sweep != NULL ? kernel->sweep->planeCount : 0;
    bool maps = !touch->near.careful && StartMap(kernel, others);
    for (int f = 0; maps && f < flight->floorCount; ++f)
    {
        double* gaps = flight->gaps + (size_t)f * (size_t)planes;
        for (int p = 0; p < planes; ++p)
        {
            const Plane* plane = &kernel->sweep->planes[p];
            gaps[p] = RSL_NAME(rslTouch_RoomOf)(kernel, plane->begin, plane->end);
        }
        rslCollide_FindFewGaps(touch->collide, flight->floors[f], flight->group, gaps);
    }
}

void RSL_NAME(rslTouch_Land)(Kernel* kernel)
{
    kernel->touch->flight.mapped = false;  // nobody counts what is moved in it
}

// Velocities as they are, unless the last step has found them.
static void Refresh(Kernel* kernel, const rslState* state)
{
    TouchFlight* flight = &kernel->touch->flight;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.5 * state->step);
    flight->step = state->step;
    flight->fall = falling * state->step * rslLength(kernel->model->gravity);
    if (!flight->fresh)
    {
        RSL_NAME(rslSweep_BoundSpeeds)(kernel, &view);
        FindBounds(kernel, flight);
    }
}

// Steps that are careful may be parts of others, which are divided again where they are taken back.
bool RSL_NAME(rslTouch_Departs)(Kernel* kernel, const rslState* state, bool one)
{
    TouchKernel* touch = kernel->touch;
    if (touch == NULL || !touch->flight.mapped || state->touchedCount > 0 || touch->near.careful)
    {
        return touch == NULL;
    }
    TouchFlight* flight = &touch->flight;
    double last = touch->near.step, h = state->step;
    bool ahead = flight->ahead;
    Refresh(kernel, state);
    if (!ahead)
    {
        Go(kernel, last < h ? last : h, last > h ? last : h);
    }
    touch->near.found = false;
    flight->ahead = flight->fresh = true;
    flight->mapped = (!ahead || last == h) && IsFar(kernel, one ? 0 : WORTH);
    flight->wait = flight->mapped || ahead ? 0 : LATER;
    return flight->mapped;
}

bool RSL_NAME(rslTouch_IsClear)(const Kernel* kernel)
{
    return kernel->touch == NULL || IsFar(kernel, 0);
}

bool RSL_NAME(rslTouch_FliesOn)(const Kernel* kernel)
{
    return kernel->touch == NULL || IsFar(kernel, 1);
}

bool RSL_NAME(rslTouch_Flew)(Kernel* kernel)
{
    TouchKernel* touch = kernel->touch;
    if (touch == NULL)
    {
        return true;
    }
    TouchFlight* flight = &touch->flight;
    double speed = flight->speed;
    FlightBound* before = flight->bounds;
    flight->bounds = flight->before;
    flight->before = before;
    GuardKick(kernel);
    FindBounds(kernel, flight);
    flight->fresh = true;
    bool far = IsAlone(touch, 0, speed + flight->speed);
    for (size_t g = 0; far && g < Groups(kernel); ++g)
    {
        double kick = Changed(&before[g], &flight->bounds[g]);
        far = flight->gaps[g] > Needs(touch, &before[g], kick, 0);
    }
    Go(kernel, flight->step, flight->step);
    far = far && IsSlow(touch, 1.0);
    flight->wait = far ? flight->wait : LATER;
    flight->count.steps += 1;
    flight->count.strays += !far;
    return far;
}
