// SPDX-License-Identifier: MIT
//
// kernel_touch_near.c: for how long it is known what can touch, so that only that is looked at.
//
// After a look at all contact nodes those are listed that can touch planes before anything has moved by a margin (collide_few.c). Then every
// step asks how fast any node is and how fast its kick can make it, which bounds are for, over all nodes in vectors, chunk by chunk. Vertices
// that hang on nodes of a few chunks are a group: those that are not listed had some room to the planes when the group was looked at. Found is
// what is no farther than what its way and its kick bring it nearer in the step, and than what is hit may be driven on:
//
//   g <= R + h s (w + k a),   R = min(2 h s w', part of a cell),   w, a bounds of a group's speed and acceleration, w' that of all,
//                                                                  s by how much vertices can be faster than nodes
//
// As long as the room of a group, less what its vertices have gone since, is more than that, it has nothing to tell that is not listed; if not,
// it alone is looked at and listed anew. So nothing depends on how long lists last. What is fast (rslTouch_IsFast) is looked at as a whole, and
// so is what lists cannot know of: rigid bodies, prescribed motion, volumes that are kept by impulses.

#include "kernel_touch.h"

#include "ascending.h"
#include "build.h"
#include "memory.h"

#include <stdint.h>
#include <string.h>

#define Fastest RSL_NAME(rslTouch_Fastest)
#define Hardest RSL_NAME(rslTouch_Hardest)

enum
{
    LATER = 16,      // looks after a list that could not be made
    MANY = 4,        // steps that are worth a list at once
    FEW_CHUNKS = 8,  // that vertices of a group hang on, else all of a body are one
    OLD = 32         // steps after which what is listed is asked whether it still can touch
};

static const double lasting = 40.0;  // steps until anything else than planes may be met,
static const double mostPart = 2.0;  // but no more than so many cells
static const double leastPart = 1e-3;
static const double groupLasting = 8.0;  // steps that the margin of a group is for
static const double slack = 1.0 + 1e-5;  // for the rounding of bounds
static const double leastRoom = 1e-4;    // of the size of cells: likewise of places

// ---- bounds ---------------------------------------------------------------------------------------------------------

#if RSL_PRECISION == 32
typedef int32_t Bits;
#define UNSIGNED INT32_MAX
#else
typedef int64_t Bits;
#define UNSIGNED INT64_MAX
#endif

// What is not negative has the order of its bits, and what is not a number is larger than all, whatever its sign.
RSL_INLINE Bits BitsOf(Real square)
{
    Bits bits;
    memcpy(&bits, &square, sizeof bits);
    return bits & UNSIGNED;
}

RSL_CLONES static Real Fastest(const Real* restrict x, const Real* restrict y, const Real* restrict z, int count)
{
    Bits most = 0;
    Real largest;
    for (int i = 0; i < count; ++i)
    {
        Bits bits = BitsOf(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
        most = bits > most ? bits : most;
    }
    memcpy(&largest, &most, sizeof largest);
    return largest;
}

// Of what a kick of a time changes velocities by in a second, and of what they are after it.
RSL_CLONES static void Hardest(const Real* const force[3], const Real* const w[3], const Real* mass, Real kick,
                               int count, Real most[2])
{
    const Real* restrict x = force[0], * restrict y = force[1], * restrict z = force[2];
    const Real* restrict u = w[0], * restrict v = w[1], * restrict t = w[2];
    Bits hardest = 0, fastest = 0;
    for (int i = 0; i < count; ++i)
    {
        Real inverse = (Real)1 / mass[i], a = x[i] * inverse, b = y[i] * inverse, c = z[i] * inverse;
        Real d = u[i] + kick * a, e = v[i] + kick * b, f = t[i] + kick * c;
        Bits square = BitsOf(a * a + b * b + c * c), after = BitsOf(d * d + e * e + f * f);
        hardest = square > hardest ? square : hardest;
        fastest = after > fastest ? after : fastest;
    }
    memcpy(&most[0], &hardest, sizeof most[0]);
    memcpy(&most[1], &fastest, sizeof most[1]);
}

static bool IsAsked(const Kernel* kernel)
{
    return kernel->touch != NULL && kernel->touch->fast != NULL && kernel->touch->rigid == NULL;
}

void RSL_NAME(rslTouch_BoundSpeed)(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    if (IsAsked(kernel) && !kernel->speedsHold)
    {
        int n = chunk->begin;
        kernel->touch->near.speeds[chunk->index] =
            sqrt((double)Fastest(view->w[0] + n, view->w[1] + n, view->w[2] + n, chunk->end - n));
    }
}

void RSL_NAME(rslTouch_BoundKick)(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    if (IsAsked(kernel) && kernel->touch->near.possible)
    {
        TouchNear* near = &kernel->touch->near;
        int n = chunk->begin;
        const Real* const force[3] = { kernel->force[0] + n, kernel->force[1] + n, kernel->force[2] + n };
        const Real* const w[3] = { view->w[0] + n, view->w[1] + n, view->w[2] + n };
        Real most[2];
        Hardest(force, w, kernel->mass + n, (Real)view->kick, chunk->end - n, most);
        near->kicks[chunk->index] = sqrt((double)most[0]);
        near->after[chunk->index] =
            kernel->held != NULL ? INFINITY : sqrt((double)most[1]);  // held axes are not kicked
    }
}

static void BoundChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    RSL_NAME(rslTouch_BoundSpeed)(kernel, view, chunk);
}

double RSL_NAME(rslTouch_BoundSpeeds)(Kernel* kernel, const View* view)
{
    double most = 0.0;
    if (!kernel->speedsHold)
    {
        RSL_NAME(rslKernel_ForChunksLight)(kernel, view, BoundChunk, NULL);
    }
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const FrameView* frame = &kernel->frames[kernel->chunks[c].body];
        most = rslMost(most, rslLength(frame->velocity) + kernel->touch->near.speeds[c]);
    }
    return slack * most;
}

// ---- groups ---------------------------------------------------------------------------------------------------------

// The first chunk of its body; and the one after the last that a group reaches.
static int FirstOf(const Kernel* kernel, int chunk)
{
    return ChunkOf(kernel, kernel->model->bodies[kernel->chunks[chunk].body].firstNode)->index;
}

static int LastOf(const Kernel* kernel, int first, int reach)
{
    int last = first + 1;
    while (last < kernel->chunkCount && last < first + reach && kernel->chunks[last].body == kernel->chunks[first].body)
    {
        ++last;
    }
    return last;
}

// Of vertices: the first of the chunks that their nodes are of, or where these are many the first of their body.
static bool GroupVertices(Kernel* kernel, int* chunkOf, int* group)
{
    TouchKernel* touch = kernel->touch;
    for (int c = 0; c < touch->count; ++c)
    {
        chunkOf[c] = ChunkOf(kernel, kernel->model->contactNodes[c])->index;
    }
    touch->near.reach = rslCollide_Group(touch->collide, chunkOf, group);
    if (touch->near.reach == 0 || touch->near.reach > FEW_CHUNKS)
    {
        for (int c = 0; c < touch->count; ++c)
        {
            chunkOf[c] = FirstOf(kernel, chunkOf[c]);
        }
        (void)rslCollide_Group(touch->collide, chunkOf, group);
        touch->near.reach = kernel->chunkCount;
        touch->near.whole = true;
    }
    return rslCollide_MakeGroups(touch->collide, group, kernel->chunkCount);
}

bool RSL_NAME(rslTouch_MakeNear)(Kernel* kernel)
{
    TouchNear* near = &kernel->touch->near;
    size_t chunks = (size_t)kernel->chunkCount;
    double* all = RSL_NAME(rslKernel_Allocate)(kernel, 8 * chunks, sizeof(double));
    near->possible = kernel->touch->fast != NULL && kernel->rigids == NULL && kernel->hardVolumes == 0 &&
                     kernel->touch->size < INFINITY;
    for (int c = 0; c < kernel->model->constraintCount; ++c)
    {
        near->possible = near->possible && kernel->model->constraints[c].type != rsl_motionConstraint;
    }
    double** const parts[8] = { &near->speeds, &near->kicks, &near->after, &near->rooms,
                                &near->paces,  &near->ways,  &near->ends,  &near->margins };
    for (size_t i = 0; all != NULL && i < 8; ++i)
    {
        *parts[i] = all + i * chunks;
    }
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        double extent = rslBody_Extents(&kernel->model->bodies[b]).longest;
        near->rounding = rslMost(near->rounding, (RSL_PRECISION == 32 ? 0x1p-22 : 0x1p-51) * extent);
    }
    size_t vertices = (size_t)rslCollide_Vertices(kernel->touch->collide), nodes = (size_t)kernel->touch->count;
    int* numbers = rslAllocate(&kernel->arena.hooks, vertices + nodes, sizeof(int));
    bool made = all != NULL && numbers != NULL && GroupVertices(kernel, numbers, numbers + nodes);
    rslRelease(&kernel->arena.hooks, numbers);
    return made;
}

// How far the vertices of a group go in this step, and with the kick. Returns the first chunk that it does not reach.
static int FindWay(Kernel* kernel, int group, double by, double kick)
{
    TouchNear* near = &kernel->touch->near;
    const int last = LastOf(kernel, group, near->reach);
    double speed = 0.0, push = 0.0, after = 0.0, drift = rslLength(kernel->frames[kernel->chunks[group].body].velocity);
    for (int c = group; c < last; ++c)
    {
        speed = rslMost(speed, near->speeds[c]);
        push = rslMost(push, near->kicks[c]);
        after = rslMost(after, near->after[c]);
    }
    near->paces[group] = by * (drift + speed);
    near->ways[group] = near->paces[group] + by * kick * push;
    double end = by * (drift + after);
    near->ends[group] = rslMost(near->paces[group], end < near->ways[group] ? end : near->ways[group]);
    near->pace = rslMost(near->pace, near->paces[group]);
    near->way = rslMost(near->way, near->ways[group]);
    return last;
}

// Where a group is a whole body, others of that body have no vertices.
static void FindWays(Kernel* kernel, double step, double kick)
{
    TouchNear* near = &kernel->touch->near;
    const double by = slack * kernel->touch->spread * step;
    near->pace = near->way = 0.0;
    for (int g = 0; g < kernel->chunkCount;)
    {
        const int last = FindWay(kernel, g, by, kick), next = near->whole ? last : g + 1;
        for (++g; g < next; ++g)
        {
            near->paces[g] = near->ways[g] = near->ends[g] = 0.0;
        }
    }
}

// How far things may be from what they hit to be told, beside the way of their own.
static double Reach(const TouchKernel* touch)
{
    double driven = 2.0 * touch->near.pace, most = RSL_FAST_PART * touch->size;
    return (driven < most ? driven : most) + leastRoom * touch->size;
}

// The margin that a group is listed with, for a part of as many steps as one lasts.
static double MarginOf(const TouchKernel* touch, int group, double part)
{
    return Reach(touch) + slack * touch->near.ways[group] + part * groupLasting * touch->near.paces[group];
}

// May it be fast, before or after the kick?
static bool IsQuickGroup(const TouchKernel* touch, int group)
{
    return !(touch->near.ends[group] < RSL_FAST_PART * touch->size);
}

static bool IsQuick(const Kernel* kernel)
{
    bool quick = false;
    for (int g = 0; g < kernel->chunkCount; ++g)
    {
        quick = quick || IsQuickGroup(kernel->touch, g);
    }
    return quick;
}

// What a step brings nearer beside its way: places are from origins of frames on, which are in double whatever else is, and move as well.
double RSL_NAME(rslTouch_Rounded)(const Kernel* kernel)
{
    double farthest = 0.0;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        farthest = rslMost(farthest, rslLength(kernel->frames[b].origin));
    }
    return kernel->touch->near.rounding + 0x1p-51 * farthest;
}

// To the middle of this step, with what rounding does on the way.
static void Go(Kernel* kernel, double step, double longest)
{
    TouchNear* near = &kernel->touch->near;
    const double rounded = kernel->touch->spread * RSL_NAME(rslTouch_Rounded)(kernel);
    for (int g = 0; g < kernel->chunkCount; ++g)
    {
        near->rooms[g] -= longest / step * near->paces[g] + rounded;
    }
    near->moved += longest / step * near->pace + rounded;
}

// Has it more to tell than what is listed? Or, after a while, less?
static bool Expires(const TouchKernel* touch, int group, bool old)
{
    bool may = old && rslCollide_GroupListed(touch->collide, group) > 0;
    return may || !(touch->near.rooms[group] > Reach(touch) + slack * touch->near.ways[group]);
}

static int NodesOf(const TouchKernel* touch, int group)
{
    int count;
    (void)rslCollide_GroupNodes(touch->collide, group, &count);
    return count;
}

static void ListAnew(Kernel* kernel, const View* view, int group)
{
    TouchKernel* touch = kernel->touch;
    int count;
    const int* nodes = rslCollide_GroupNodes(touch->collide, group, &count);
    RSL_NAME(rslTouch_LookAtNodes)(kernel, view, nodes, count);
    touch->near.rooms[group] = rslCollide_ListGroup(touch->collide, group, touch->x, MarginOf(touch, group, 1.0));
    touch->flight.count.groups += 1;
}

// Groups that may tell something that is not listed are listed anew. False: they have half of all nodes, or so has what can touch.
static bool Relist(Kernel* kernel, const View* view)
{
    TouchKernel* touch = kernel->touch;
    TouchNear* near = &touch->near;
    const bool old = ++near->age >= OLD;
    int expired = 0, nodes = 0, all = 0;
    for (int g = 0; g < kernel->chunkCount; ++g)
    {
        const bool expires = Expires(touch, g, old);
        const int own = NodesOf(touch, g);
        expired += expires;
        nodes += expires ? own : 0;
        all += own;
    }
    near->age = old ? 0 : near->age;
    if (2 * nodes > all)
    {
        return false;
    }
    for (int g = 0; expired > 0 && g < kernel->chunkCount; ++g)
    {
        if (Expires(touch, g, old))
        {
            ListAnew(kernel, view, g);
        }
    }
    return expired == 0 || rslCollide_GatherFew(touch->collide);
}

// ---- lists ----------------------------------------------------------------------------------------------------------

void RSL_NAME(rslTouch_Begin)(Kernel* kernel, bool careful, bool same, int64_t steps)
{
    TouchNear* near = &kernel->touch->near;
    near->begun = true;
    near->known = near->known && same;
    near->careful = careful;
    kernel->touch->flight.mapped = kernel->touch->flight.mapped && same;
    kernel->touch->flight.fresh = false;
    near->wait = same ? near->wait : steps < MANY ? 1 : 0;
}

// Places are those of the middles of steps.
bool RSL_NAME(rslTouch_KnowsNear)(Kernel* kernel, const View* view, const rslState* state, double kick)
{
    const double step = state->step;
    TouchKernel* touch = kernel->touch;
    TouchNear* near = &touch->near;
    bool found = near->found;
    RSL_NAME(rslTouch_Land)(kernel);
    near->found = near->quick = false;
    if (!near->possible)
    {
        return false;
    }
    if (!found)
    {
        (void)RSL_NAME(rslTouch_BoundSpeeds)(kernel, view);
    }
    FindWays(kernel, step, kick);
    Go(kernel, step, step > near->step ? step : near->step);
    near->step = step;
    // what closes is seen from twice as far, and drives what it hits as far again
    near->known = near->known && near->moved + 4.0 * near->way < near->others && Relist(kernel, view);
    near->quick = near->known && IsQuick(kernel);
    touch->flight.count.few += near->known;
    touch->flight.count.quick += near->quick;
    return near->known;
}

bool RSL_NAME(rslTouch_IsQuickFast)(Kernel* kernel, double step)
{
    const TouchKernel* touch = kernel->touch;
    double most = 0.0;
    for (int g = 0; g < kernel->chunkCount; ++g)
    {
        if (IsQuickGroup(touch, g))
        {
            most = rslMost(most, rslCollide_GroupSpeed(touch->collide, g, touch->v, touch->kick));
        }
    }
    return step * sqrt(most) > RSL_FAST_PART * touch->size;
}

double RSL_NAME(rslTouch_RoomOf)(const Kernel* kernel, int begin, int end)
{
    const TouchNear* near = &kernel->touch->near;
    double room = INFINITY;
    for (int c = RSL_LAST_UP_TO(kernel->chunks, Chunk, begin, 0, kernel->chunkCount, begin);
         c < kernel->chunkCount && kernel->chunks[c].begin < end; ++c)
    {
        double own = near->rooms[near->whole ? FirstOf(kernel, c) : c];
        room = own >= room ? room : own;
    }
    return room;
}

void RSL_NAME(rslTouch_Shifted)(Kernel* kernel, double moved)
{
    TouchNear* near = &kernel->touch->near;
    near->moved += kernel->touch->spread * moved;
    for (int g = 0; moved > 0.0 && g < kernel->chunkCount; ++g)
    {
        near->rooms[g] -= kernel->touch->spread * moved;
    }
}

void RSL_NAME(rslTouch_ListNone)(Kernel* kernel)
{
    kernel->touch->near.possible = kernel->touch->near.known = false;
}

void RSL_NAME(rslTouch_Forget)(Kernel* kernel)
{
    kernel->touch->near.known = kernel->touch->flight.mapped = false;
}

// Hosts that take a step a call, or a few, have no use for a list, and one that could not be made cannot be made a moment later.
void RSL_NAME(rslTouch_ListNear)(Kernel* kernel, double step)
{
    TouchKernel* touch = kernel->touch;
    TouchNear* near = &touch->near;
    near->known = false;
    if (!near->possible || !near->begun || near->wait > 0)
    {
        near->wait -= near->wait > 0;
        return;
    }
    double least = leastPart * touch->size, most = mostPart * touch->size, wish = lasting * near->pace, margin = most;
    wish = wish < most ? wish : most;
    for (double part = 1.0; !near->known && margin > least; part *= 0.25)
    {
        margin = part * wish > least ? part * wish : least;
        for (int g = 0; g < kernel->chunkCount; ++g)
        {
            near->margins[g] = MarginOf(touch, g, part);
        }
        near->known = rslCollide_ListFew(touch->collide, margin, touch->x, near->margins, near->rooms);
    }
    near->wait = near->known ? 0 : LATER;
    near->moved = 0.0;
    near->age = 0;
    if (near->known)
    {
        near->others = rslCollide_Room(touch->collide, margin);
        RSL_NAME(rslTouch_Map)(kernel, near->others);
    }
    near->step = step;
}
