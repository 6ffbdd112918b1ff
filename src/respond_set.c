// SPDX-License-Identifier: MIT
//
// respond_set.c: the touches of a step: what moves at them, and how it yields.
//
// An impulse l at a touch gives w_i l to its nodes. With inverse masses Y_i (a number, or one an axis where constraints hold some)
// and rigid bodies of inverse inertia T it changes u by
//   K l = sum w_i^2 Y_i l + sum s^2 Y l + (T (p x l)) x p
// K of nodes that nothing holds is d I, and the cone of a touch is solved in one line.

#include "respond_level.h"

#include "memory.h"
#include "top.h"

// ---- room -----------------------------------------------------------------------------------------------------------

bool rslRespond_Room(const rslHooks* hooks, void** items, size_t wanted, size_t capacity, size_t size)
{
    if (wanted <= capacity)
    {
        return true;
    }
    void* larger = rslAllocate(hooks, 2 * wanted, size);
    if (larger == NULL)
    {
        return false;
    }
    rslRelease(hooks, *items);
    *items = larger;
    return true;
}

static size_t Grown(size_t wanted, size_t capacity)
{
    return wanted <= capacity ? capacity : 2 * wanted;
}

static bool Reserve(rslRespond* r, size_t touches, size_t nodes)
{
    const rslHooks* hooks = &r->hooks;
    touches += 2;  // groups have an end, too, and what belongs to none
    if (!rslRespond_Room(hooks, (void**)&r->touches, touches, r->touchCapacity, sizeof(rslSpot)) ||
        !rslRespond_Room(hooks, (void**)&r->rows, touches, r->touchCapacity, sizeof(rslRow)) ||
        !rslRespond_Room(hooks, (void**)&r->groupStart, touches, r->touchCapacity, sizeof(int)) ||
        !rslRespond_Room(hooks, (void**)&r->byKey, touches, r->touchCapacity, sizeof(int)) ||
        !rslRespond_Room(hooks, (void**)&r->moverStart, touches, r->touchCapacity, sizeof(int)) ||
        !rslRespond_Room(hooks, (void**)&r->groupNext, touches, r->touchCapacity, sizeof(int)) ||
        !rslRespond_Room(hooks, (void**)&r->order, touches, r->touchCapacity, sizeof(int)) ||
        !rslRespond_Room(hooks, (void**)&r->parent, touches, r->touchCapacity, sizeof(int)) ||
        !rslRespond_Room(hooks, (void**)&r->moved, touches, r->touchCapacity, sizeof(bool)) ||
        !rslRespond_Room(hooks, (void**)&r->sums, touches, r->touchCapacity, sizeof(double[3])))
    {
        r->touchCapacity = 0;  // some are too small for it
        return false;
    }
    r->touchCapacity = Grown(touches, r->touchCapacity);
    if (!rslRespond_Room(hooks, (void**)&r->parts, nodes, r->partCapacity, sizeof(rslSpotPart)) ||
        !rslRespond_Room(hooks, (void**)&r->rowParts, nodes, r->partCapacity, sizeof(rslSpotPart)))
    {
        r->partCapacity = 0;
        return false;
    }
    r->partCapacity = Grown(nodes, r->partCapacity);
    size_t arms = r->in->rigidCount > 0 ? nodes : 0;
    if (!rslRespond_Room(hooks, (void**)&r->arms, arms, r->armCapacity, sizeof(rslSpotArm)))
    {
        return false;
    }
    r->armCapacity = Grown(arms, r->armCapacity);
    return true;
}

// ---- what moves -----------------------------------------------------------------------------------------------------

rslPushed rslPushed_Of(const rslRigid* def, const rslFrame* frame)
{
    double yield = def->constraint < 0 ? 1.0 / def->mass : 0.0;
    rslPushed pushed = { .centre = rslTop_Centre(def, frame),
                         .velocity = frame->velocity,
                         .spin = rslTop_Spin(def, frame),
                         .yield = { yield, yield, def->planar ? 0.0 : yield } };
    if (def->constraint < 0)
    {
        pushed.turn.row[0] = rslTop_Divide(def, frame, (rslVec3){ 1.0, 0.0, 0.0 });
        pushed.turn.row[1] = rslTop_Divide(def, frame, (rslVec3){ 0.0, 1.0, 0.0 });
        pushed.turn.row[2] = rslTop_Divide(def, frame, (rslVec3){ 0.0, 0.0, 1.0 });
    }
    return pushed;
}

static rslVec3 At(const double* array, int node)
{
    const double* a = &array[3 * (size_t)node];
    return (rslVec3){ a[0], a[1], a[2] };
}

// Once in a step.
static void AddMoved(rslRespond* r, int node)
{
    r->last[node] = -1;
    r->nodes[r->movedCount++] = node;
    r->v[node] = (rslSpeed){ .v = At(r->in->v, node) };
    r->kick[node] = (rslSpeed){ .v = At(r->in->kick, node) };
}

// With what it says of K: is it still d I, and is nothing held?
static void AddNode(rslRespond* r, rslSpot* touch, int node, double weight)
{
    const double* y = &r->in->yield[3 * (size_t)node];
    double give = weight * y[0];
    r->parts[r->partCount++] = (rslSpotPart){ weight, give, node };
    touch->free = touch->free && y[0] == y[1] && y[1] == y[2];
    touch->loose = touch->loose && touch->free && y[0] > 0.0;
    touch->d += weight * give;
    if (r->last[node] == 0)
    {
        AddMoved(r, node);
    }
}

static void AddArm(rslRespond* r, rslSpot* touch, int rigid, int node, double weight)
{
    rslVec3 arm = rslScale(weight, rslSub(At(r->in->x, node), r->in->rigids[rigid].centre));
    for (int a = touch->armBegin; a < r->armCount; ++a)
    {
        if (r->arms[a].rigid == rigid)
        {
            r->arms[a].weight += weight;
            r->arms[a].arm = rslAdd(r->arms[a].arm, arm);
            return;
        }
    }
    r->arms[r->armCount++] = (rslSpotArm){ rigid, weight, arm };
}

static void AddParts(rslRespond* r, rslSpot* touch, const rslCollision* collision)
{
    const rslCollisions* list = r->in->collisions;
    touch->partBegin = r->partCount;
    touch->armBegin = r->armCount;
    touch->free = touch->loose = true;
    for (int i = collision->begin; i < collision->begin + collision->count; ++i)
    {
        int node = list->nodes[i], rigid = r->in->rigid != NULL ? r->in->rigid[node] : -1;
        if (list->weights[i] == 0.0)
        {
            continue;
        }
        if (rigid >= 0)
        {
            AddArm(r, touch, rigid, node, list->weights[i]);
            touch->free = touch->loose = false;
        }
        else
        {
            AddNode(r, touch, node, list->weights[i]);
        }
    }
    touch->partEnd = r->partCount;
    touch->armEnd = r->armCount;
}

// ---- how it yields --------------------------------------------------------------------------------------------------

static rslVec3 Times(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ a.x * b.x, a.y * b.y, a.z * b.z };
}

// K l
static rslVec3 Yield(const rslRespond* r, const rslSpot* touch, rslVec3 l)
{
    rslVec3 sum = { 0 };
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        double w = r->parts[i].weight;
        sum = rslMulAdd(sum, w * w, Times(At(r->in->yield, r->parts[i].node), l));
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        const rslSpotArm* arm = &r->arms[i];
        const rslPushed* rigid = &r->in->rigids[arm->rigid];
        sum = rslMulAdd(sum, arm->weight * arm->weight, Times(rigid->yield, l));
        sum = rslAdd(sum, rslCross(rslMatVec(&rigid->turn, rslCross(arm->arm, l)), arm->arm));
    }
    return sum;
}

static void Across(rslVec3 n, rslVec3 t[2])
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    rslVec3 least = { x <= y && x <= z ? 1.0 : 0.0, y < x && y <= z ? 1.0 : 0.0, z < x && z < y ? 1.0 : 0.0 };
    t[0] = rslNormalize(rslCross(n, least));
    t[1] = rslCross(n, t[0]);
}

static rslVec3 Mix(double a, rslVec3 s, double b, rslVec3 t)
{
    return rslMulAdd(rslScale(a, s), b, t);
}

// The inverse of K across n; where it yields along one direction alone, of that one.
static void InvertAcross(const rslRespond* r, rslSpot* touch)
{
    rslVec3 t[2], rows[2];
    Across(touch->n, t);
    rslVec3 k0 = Yield(r, touch, t[0]), k1 = Yield(r, touch, t[1]);
    double a = rslDot(t[0], k0), b = rslDot(t[0], k1), c = rslDot(t[1], k1), half = 0.5 * (a - c);
    double root = sqrt(half * half + b * b), det = a * c - b * b;
    touch->across = 0.5 * (a + c) + root;
    if (!(touch->across > 0.0))
    {
        touch->across = 0.0;
        touch->stop[0] = touch->stop[1] = touch->stop[2] = (rslVec3){ 0 };
        return;
    }
    touch->flat = !(det > 1e-12 * touch->across * touch->across);
    if (touch->flat)
    {
        rslVec3 along = half >= 0.0 ? Mix(half + root, t[0], b, t[1]) : Mix(b, t[0], root - half, t[1]);
        rslVec3 e = rslNormalize(along);
        double x = rslDot(e, t[0]) / touch->across, y = rslDot(e, t[1]) / touch->across;
        rows[0] = rslScale(x, e);
        rows[1] = rslScale(y, e);
    }
    else
    {
        rows[0] = Mix(c / det, t[0], -b / det, t[1]);
        rows[1] = Mix(-b / det, t[0], a / det, t[1]);
    }
    touch->stop[0] = Mix(t[0].x, rows[0], t[1].x, rows[1]);
    touch->stop[1] = Mix(t[0].y, rows[0], t[1].y, rows[1]);
    touch->stop[2] = Mix(t[0].z, rows[0], t[1].z, rows[1]);
}

static double Trace(const rslRespond* r, const rslSpot* touch)
{
    const rslVec3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        sum += rslDot(axes[i], Yield(r, touch, axes[i]));
    }
    return sum;
}

// False: nothing moves along its normal.
static bool MakeBlock(const rslRespond* r, rslSpot* touch)
{
    if (touch->free)
    {
        touch->across = touch->d;
        return touch->d > 0.0;
    }
    rslVec3 kn = Yield(r, touch, touch->n);
    touch->d = touch->across = rslDot(touch->n, kn);
    if (!(touch->d > 1e-12 * Trace(r, touch)))
    {
        return false;
    }
    touch->tilt = rslMulAdd(kn, -touch->d, touch->n);
    InvertAcross(r, touch);
    return true;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

// Velocities are those without the kick.
void rslRespond_Forget(rslRespond* r)
{
    for (int i = 0; i < r->movedCount; ++i)
    {
        r->last[r->nodes[i]] = 0;
    }
    for (int i = 0; i < r->in->rigidCount; ++i)
    {
        r->last[r->nodeCount + i] = 0;
        r->velocity[i] = r->in->rigids[i].velocity;
        r->spin[i] = r->in->rigids[i].spin;
    }
    r->count = r->partCount = r->armCount = r->movedCount = 0;
    r->level->known = false;
}

bool rslRespond_Gather(rslRespond* r)
{
    const rslCollisions* list = r->in->collisions;
    rslRespond_Forget(r);
    if (!Reserve(r, (size_t)list->count, (size_t)list->nodeCount))
    {
        return false;
    }
    for (int c = 0; c < list->count; ++c)
    {
        const rslCollision* collision = &list->list[c];
        rslSpot* touch = &r->touches[r->count];
        *touch = (rslSpot){ .collision = c,
                            .n = collision->normal,
                            .belt = collision->velocity,
                            .gap = collision->gap,
                            .friction = collision->friction,
                            .restitution = collision->restitution };
        AddParts(r, touch, collision);
        if (MakeBlock(r, touch))
        {
            r->count += 1;
        }
        else
        {
            r->partCount = touch->partBegin;
            r->armCount = touch->armBegin;
        }
    }
    return true;
}

// ---- colours --------------------------------------------------------------------------------------------------------

static int LowestFree(uint64_t used)
{
    return ~used == 0 ? RSL_COLOURS : __builtin_ctzll(~used);
}

static uint64_t UsedBy(const rslRespond* r, const rslSpot* touch)
{
    uint64_t used = 0;
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        used |= r->used[r->parts[i].node];
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        used |= r->used[r->nodeCount + r->arms[i].rigid];
    }
    return used;
}

static void Use(rslRespond* r, const rslSpot* touch, uint64_t colour)
{
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        r->used[r->parts[i].node] |= touch->loose || rslRespond_Moves(r, r->parts[i].node) ? colour : 0;
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        r->used[r->nodeCount + r->arms[i].rigid] |= rslRespond_Turns(r, r->arms[i].rigid) ? colour : 0;
    }
}

void rslRespond_Colour(rslRespond* r)
{
    int counts[RSL_COLOUR_LISTS] = { 0 };
    for (int i = 0; i < r->movedCount; ++i)
    {
        r->used[r->nodes[i]] = 0;
    }
    for (int i = 0; i < r->in->rigidCount; ++i)
    {
        r->used[r->nodeCount + i] = 0;
    }
    for (int t = 0; t < r->count; ++t)
    {
        rslSpot* touch = &r->touches[t];
        touch->colour = LowestFree(UsedBy(r, touch));
        Use(r, touch, touch->colour < RSL_COLOURS ? 1ull << touch->colour : 0);
        counts[touch->colour] += 1;
    }
    r->colourStart[0] = 0;
    for (int c = 0; c < RSL_COLOUR_LISTS; ++c)
    {
        r->colourStart[c + 1] = r->colourStart[c] + counts[c];
        counts[c] = r->colourStart[c];
    }
    for (int t = 0; t < r->count; ++t)
    {
        r->order[counts[r->touches[t].colour]++] = t;
    }
}
