// SPDX-License-Identifier: MIT
//
// respond_fast.c: see respond_fast.h.
//
// Of the meetings of a sweep those are answered, one round after the other, that come first for everything that moves at them:
// earlier ones first, then by key. A meeting after the part t of the way at a speed u_n < 0 is a touch with the gap -0.9 t h u_n,
// and respond.c does the rest.
//
// A lump has the mean velocity of what it is made of, or that of a collider or a held node in it. It grows by what it still meets.

#include "respond_fast.h"

#include "memory.h"

#include <string.h>

enum
{
    ROUNDS = 10,
    LUMPS = 30  // sweeps while lumps grow
};

struct rslFast
{
    rslHooks hooks;
    const rslModel* model;
    rslRespond* respond;
    int count;      // of contact nodes
    double* v;      // with all impulses so far
    double* first;  // before the first of a round
    bool* quick;
    double little;    // a way that is not quick [m]
    double* none;     // zeros
    double* change;   // of a round
    double* shift;    // likewise
    int* parent;      // of contact nodes, then of rigid bodies: lumps
    int* used;        // of the same: in this round
    rslVec3* anchor;  // of the same, of roots: the velocity of a lump that cannot be chosen
    int* holder;      // of the same: the collider that it has met, or of roots the one that holds the lump; -1: none
    bool *anchored, *lumped;
    double* still;  // of every body: places are not moved
    rslPushed* rigids;
    rslCollisions met, chosen;
    int* order;
    size_t orderCapacity;
    rslState memory;  // of a round
};

// ---- making ---------------------------------------------------------------------------------------------------------

rslFast* rslFast_Create(const rslModel* model, const rslHooks* hooks, rslTeam* team)
{
    rslHooks complete = rslHooks_Complete(hooks);
    rslFast* f = rslAllocate(&complete, 1, sizeof(rslFast));
    if (f == NULL)
    {
        return NULL;
    }
    size_t nodes = (size_t)model->contactNodeCount, movers = nodes + (size_t)model->rigidCount;
    *f = (rslFast){ .hooks = complete, .model = model, .count = model->contactNodeCount };
    f->met.hooks = f->chosen.hooks = f->memory.hooks = complete;
    f->v = rslAllocate(&complete, 5 * 3 * nodes, sizeof(double));
    f->quick = rslAllocate(&complete, nodes, sizeof(bool));
    f->parent = rslAllocate(&complete, 3 * movers, sizeof(int));
    f->anchor = rslAllocate(&complete, movers, sizeof(rslVec3));
    f->anchored = rslAllocate(&complete, 2 * movers, sizeof(bool));
    f->still = rslAllocate(&complete, (size_t)model->bodyCount, sizeof(double));
    f->rigids = rslAllocate(&complete, (size_t)model->rigidCount, sizeof(rslPushed));
    f->respond = rslRespond_Create(model, hooks, team);
    if (f->v == NULL || f->quick == NULL || f->parent == NULL || f->anchor == NULL || f->anchored == NULL ||
        f->still == NULL || f->rigids == NULL || f->respond == NULL)
    {
        rslFast_Free(f);
        return NULL;
    }
    f->none = f->v + 3 * nodes;
    f->change = f->v + 6 * nodes;
    f->shift = f->v + 9 * nodes;
    f->first = f->v + 12 * nodes;
    f->used = f->parent + movers;
    f->holder = f->parent + 2 * movers;
    f->lumped = f->anchored + movers;
    return f;
}

void rslFast_Free(rslFast* f)
{
    if (f == NULL)
    {
        return;
    }
    rslHooks hooks = f->hooks;
    void* const all[] = { f->v,           f->quick,  f->parent,        f->anchor,       f->anchored,
                          f->still,       f->rigids, f->met.list,      f->met.nodeRoom, f->met.weightRoom,
                          f->chosen.list, f->order,  f->memory.touched };
    rslRespond_Free(f->respond);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    {
        rslRelease(&hooks, all[i]);
    }
    rslRelease(&hooks, f);
}

size_t rslFast_Bytes(const rslFast* f)
{
    if (f == NULL)
    {
        return 0;
    }
    size_t movers = (size_t)f->count + (size_t)f->model->rigidCount;
    return sizeof *f + rslRespond_Bytes(f->respond) + (size_t)f->count * (15 * sizeof(double) + sizeof(bool)) +
           movers * (3 * sizeof(int) + sizeof(rslVec3) + 2 * sizeof(bool)) +
           (size_t)(f->met.capacity + f->chosen.capacity) * sizeof(rslCollision);
}

// ---- velocities -----------------------------------------------------------------------------------------------------

static rslVec3 At(const double* array, int node)
{
    const double* a = &array[3 * (size_t)node];
    return (rslVec3){ a[0], a[1], a[2] };
}

static void Put(double* array, int node, rslVec3 a)
{
    memcpy(&array[3 * (size_t)node], &(double[3]){ a.x, a.y, a.z }, sizeof(double[3]));
}

static int RigidOf(const rslResponse* in, int node)
{
    return in->rigid != NULL ? in->rigid[node] : -1;
}

// Velocities with all that a response has found.
static void SetSpeeds(rslFast* f, const rslResponse* in)
{
    for (int r = 0; r < in->rigidCount; ++r)
    {
        const rslPushed* given = &in->rigids[r];
        f->rigids[r] = *given;
        f->rigids[r].velocity = rslAdd(rslAdd(given->velocity, given->kick), given->change);
        f->rigids[r].spin = rslAdd(rslAdd(given->spin, given->twist), given->changeOfSpin);
        f->rigids[r].kick = f->rigids[r].twist = (rslVec3){ 0 };
    }
    for (int c = 0; c < f->count; ++c)
    {
        int r = RigidOf(in, c);
        rslVec3 v = rslAdd(rslAdd(At(in->v, c), At(in->kick, c)), r >= 0 ? (rslVec3){ 0 } : At(in->change, c));
        if (r >= 0)
        {
            rslVec3 arm = rslSub(At(in->x, c), f->rigids[r].centre);
            v = rslAdd(f->rigids[r].velocity, rslCross(f->rigids[r].spin, arm));
        }
        Put(f->v, c, v);
    }
}

static void MarkQuick(rslFast* f, double step)
{
    for (int c = 0; c < f->count; ++c)
    {
        size_t bytes = 3 * sizeof(double);
        f->quick[c] = step * rslLength(At(f->v, c)) > f->little ||
                      memcmp(&f->v[3 * (size_t)c], &f->first[3 * (size_t)c], bytes) != 0;
    }
}

static rslStatus Sweep(rslFast* f, rslCollide* collide, const rslResponse* in, double time)
{
    SetSpeeds(f, in);
    MarkQuick(f, in->step);
    rslLook look = { .x = in->x, .v = f->v, .step = in->step, .time = time, .quick = f->quick };
    return rslCollide_Sweep(collide, &look, &f->met);
}

// ---- who comes first ------------------------------------------------------------------------------------------------

static int MoverOf(const rslFast* f, const rslResponse* in, int node)
{
    int r = RigidOf(in, node);
    return r >= 0 ? f->count + r : node;
}

static bool ComesFirst(const rslCollisions* met, int a, int b)
{
    return met->list[a].time < met->list[b].time || (met->list[a].time == met->list[b].time && a < b);
}

// Sort by time, then by key: heap sort, which needs no memory.
static void Sift(const rslCollisions* met, int* order, int at, int count)
{
    for (int child = 2 * at + 1; child < count; child = 2 * at + 1)
    {
        child += child + 1 < count && ComesFirst(met, order[child], order[child + 1]) ? 1 : 0;
        if (!ComesFirst(met, order[at], order[child]))
        {
            return;
        }
        int swap = order[at];
        order[at] = order[child];
        order[child] = swap;
        at = child;
    }
}

static void Sort(const rslCollisions* met, int* order, int count)
{
    for (int i = count / 2 - 1; i >= 0; --i)
    {
        Sift(met, order, i, count);
    }
    for (int end = count - 1; end > 0; --end)
    {
        int swap = order[0];
        order[0] = order[end];
        order[end] = swap;
        Sift(met, order, 0, end);
    }
}

static bool Reserve(rslFast* f, size_t count)
{
    if (count <= f->orderCapacity)
    {
        return true;
    }
    int* order = rslAllocate(&f->hooks, 2 * count, sizeof(int));
    rslCollision* list = rslAllocate(&f->hooks, 2 * count, sizeof(rslCollision));
    if (order == NULL || list == NULL)
    {
        rslRelease(&f->hooks, order);
        rslRelease(&f->hooks, list);
        return false;
    }
    rslRelease(&f->hooks, f->order);
    rslRelease(&f->hooks, f->chosen.list);
    f->order = order;
    f->chosen.list = list;
    f->orderCapacity = 2 * count;
    f->chosen.capacity = (int)(2 * count);
    return true;
}

// Whether nothing that moves at it was used by an earlier one; from now on it is.
static bool Use(rslFast* f, const rslResponse* in, const rslCollision* collision, int round)
{
    bool free = true;
    for (int i = collision->begin; i < collision->begin + collision->count; ++i)
    {
        free = free && f->used[MoverOf(f, in, f->met.nodes[i])] != round;
    }
    for (int i = collision->begin; i < collision->begin + collision->count; ++i)
    {
        f->used[MoverOf(f, in, f->met.nodes[i])] = round;
    }
    return free;
}

static rslVec3 SpeedOf(const rslFast* f, const rslCollision* collision)
{
    rslVec3 u = rslScale(-1.0, collision->velocity);
    for (int i = collision->begin; i < collision->begin + collision->count; ++i)
    {
        u = rslMulAdd(u, f->met.weights[i], At(f->v, f->met.nodes[i]));
    }
    return u;
}

static bool Choose(rslFast* f, const rslResponse* in, int round)
{
    if (!Reserve(f, (size_t)f->met.count))
    {
        return false;
    }
    f->chosen.count = 0;
    f->chosen.nodes = f->met.nodes;
    f->chosen.weights = f->met.weights;
    f->chosen.nodeCount = f->met.nodeCount;
    for (int i = 0; i < f->met.count; ++i)
    {
        f->order[i] = i;
    }
    Sort(&f->met, f->order, f->met.count);
    int taken = 0;
    for (int i = 0; i < f->met.count; ++i)
    {
        if (Use(f, in, &f->met.list[f->order[i]], round))
        {
            f->order[taken++] = f->order[i];
        }
    }
    for (int c = 0; c < f->met.count; ++c)  // by key again
    {
        f->met.list[c].gap = -1.0;
    }
    for (int i = 0; i < taken; ++i)
    {
        rslCollision* collision = &f->met.list[f->order[i]];
        double speed = rslDot(collision->normal, SpeedOf(f, collision));
        collision->gap = speed < 0.0 ? -0.9 * collision->time * in->step * speed : 0.0;
    }
    for (int c = 0; c < f->met.count; ++c)
    {
        if (f->met.list[c].gap >= 0.0)
        {
            f->chosen.list[f->chosen.count++] = f->met.list[c];
        }
    }
    return true;
}

// ---- a round --------------------------------------------------------------------------------------------------------

// Energy that a change beside the kick costs more than respond.c has counted: work is along the mean of v and v', without half of the
// kick.
static double HalfKick(const rslResponse* in, int node, rslVec3 change)
{
    rslVec3 y = At(in->yield, node), k = At(in->kick, node);
    return 0.5 * ((y.x > 0.0 ? change.x * k.x / y.x : 0.0) + (y.y > 0.0 ? change.y * k.y / y.y : 0.0) +
                  (y.z > 0.0 ? change.z * k.z / y.z : 0.0));
}

static rslStatus MergeTouches(rslFast* f, rslState* state)
{
    for (int i = 0; i < f->memory.touchedCount; ++i)
    {
        const rslTouched* one = &f->memory.touched[i];
        int at = 0;
        while (at < state->touchedCount && rslKey_Compare(state->touched[at].key, one->key) < 0)
        {
            ++at;
        }
        if (at < state->touchedCount && rslKey_Compare(state->touched[at].key, one->key) == 0)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                state->touched[at].impulse[axis] += one->impulse[axis];
            }
            continue;
        }
        if (rslState_Reserve(state, state->touchedCount + 1) != rsl_ok)
        {
            return rsl_outOfMemory;
        }
        memmove(&state->touched[at + 1], &state->touched[at], (size_t)(state->touchedCount - at) * sizeof(rslTouched));
        state->touched[at] = *one;
        memset(state->touched[at].kept, 0, sizeof one->kept);  // it has passed
        state->touchedCount += 1;
    }
    return rsl_ok;
}

static rslStatus Answer(rslFast* f, rslResponse* in, rslState* state)
{
    rslResponse round = *in;
    round.collisions = &f->chosen;
    round.v = f->v;
    round.kick = f->none;
    round.rigids = f->rigids;
    round.largestShift = f->still;
    round.change = f->change;
    round.shift = f->shift;
    f->memory.pushes = state->pushes;
    f->memory.pushCount = state->pushCount;
    f->memory.touchedCount = 0;
    if (rslRespond_Step(f->respond, &round, &f->memory) != rsl_ok || MergeTouches(f, state) != rsl_ok)
    {
        return rsl_outOfMemory;
    }
    int count;
    const int* nodes = rslRespond_Nodes(f->respond, &count);
    in->heat += round.heat;
    in->motion += round.motion;
    for (int i = 0; i < count; ++i)
    {
        rslVec3 change = At(f->change, nodes[i]);
        Put(in->change, nodes[i], rslAdd(At(in->change, nodes[i]), change));
        in->heat += HalfKick(in, nodes[i], change);
    }
    for (int r = 0; r < in->rigidCount; ++r)
    {
        rslPushed *to = &in->rigids[r], *from = &f->rigids[r];
        to->change = rslAdd(to->change, from->change);
        to->changeOfSpin = rslAdd(to->changeOfSpin, from->changeOfSpin);
        to->late = rslAdd(to->late, from->change);
        to->lateSpin = rslAdd(to->lateSpin, from->changeOfSpin);
    }
    return rsl_ok;
}

// ---- lumps ----------------------------------------------------------------------------------------------------------

static int RootOf(int* parent, int at)
{
    while (parent[at] != at)
    {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    return at;
}

static double MassOf(const rslFast* f, const rslResponse* in, int mover)
{
    rslVec3 y = mover < f->count ? At(in->yield, mover) : in->rigids[mover - f->count].yield;
    double most = y.x > y.y ? y.x : y.y;
    return most > 0.0 ? 1.0 / most : 0.0;  // in the plane z does not yield
}

static bool IsHeld(const rslFast* f, const rslResponse* in, int mover)
{
    rslVec3 y = mover < f->count ? At(in->yield, mover) : in->rigids[mover - f->count].yield;
    return !(y.x > 0.0 && y.y > 0.0);
}

static rslVec3 VelocityOf(const rslFast* f, int mover)
{
    return mover < f->count ? At(f->v, mover) : f->rigids[mover - f->count].velocity;
}

static void Anchor(rslFast* f, int root, rslVec3 velocity)
{
    f->anchor[root] = f->anchored[root] ? f->anchor[root] : velocity;
    f->anchored[root] = true;
}

// By a collider: every part of what has met it, and the whole lump.
static void Hold(rslFast* f, const rslResponse* in, const rslCollision* collision)
{
    int collider = rslKey_Other(collision->key), root = 0;
    for (int i = collision->begin; i < collision->begin + collision->count; ++i)
    {
        int mover = MoverOf(f, in, f->met.nodes[i]);
        f->holder[mover] = f->holder[mover] < 0 ? collider : f->holder[mover];
        root = RootOf(f->parent, mover);
    }
    f->holder[root] = f->holder[root] < 0 ? collider : f->holder[root];
    Anchor(f, root, collision->velocity);
}

static void Lump(rslFast* f, const rslResponse* in)
{
    for (int c = 0; c < f->met.count; ++c)
    {
        const rslCollision* collision = &f->met.list[c];
        int first = MoverOf(f, in, f->met.nodes[collision->begin]);
        for (int i = collision->begin; i < collision->begin + collision->count; ++i)
        {
            int mover = MoverOf(f, in, f->met.nodes[i]), a = RootOf(f->parent, first), b = RootOf(f->parent, mover);
            int low = a < b ? a : b, high = a < b ? b : a;
            f->lumped[mover] = true;
            if (IsHeld(f, in, mover))
            {
                Anchor(f, low, VelocityOf(f, mover));
            }
            if (high != low)
            {
                f->parent[high] = low;
                f->holder[low] = f->holder[low] < 0 ? f->holder[high] : f->holder[low];
                if (f->anchored[high])
                {
                    Anchor(f, low, f->anchor[high]);
                }
            }
        }
        if (rslKey_IsCollider(collision->key))
        {
            Hold(f, in, collision);
        }
    }
}

// What a lump does to a part of it, as pushes of the collider that it has met or that holds the lump, else of other bodies.
static void GiveLumped(rslFast* f, rslResponse* in, rslState* state, int mover, rslVec3 velocity, bool anchored)
{
    int columns = f->model->colliderCount + 1;
    rslVec3 before = VelocityOf(f, mover), change = rslSub(velocity, before), x;
    double mass = MassOf(f, in, mover);
    if (mover < f->count)
    {
        x = At(in->x, mover);
        Put(in->change, mover, rslAdd(At(in->change, mover), change));
        in->heat += HalfKick(in, mover, change);
    }
    else
    {
        rslPushed* rigid = &in->rigids[mover - f->count];
        x = rigid->centre;
        rigid->change = rslAdd(rigid->change, change);
        rslVec3 spin = rslAdd(rslAdd(rigid->spin, rigid->twist), rigid->changeOfSpin);
        rigid->late = rslAdd(rigid->late, change);
        rigid->lateSpin = rslSub(rigid->lateSpin, spin);
        rigid->stopped = rslAdd(rigid->stopped, spin);
        rigid->changeOfSpin = rslScale(-1.0, rslAdd(rigid->spin, rigid->twist));
    }
    rslVec3 impulse = rslScale(mass, change), mean = rslScale(0.5, rslAdd(before, velocity));
    in->heat -= rslDot(impulse, anchored ? rslSub(mean, velocity) : mean);
    in->motion += anchored ? rslDot(impulse, velocity) : 0.0;
    int node = mover < f->count ? f->model->contactNodes[mover] : -1;
    int body = node >= 0 ? rslModel_BodyOf(f->model, node) : f->model->rigids[mover - f->count].body;
    int own = f->holder[mover], held = f->holder[RootOf(f->parent, mover)];
    int column = !anchored || (own < 0 && held < 0) ? columns - 1 : own >= 0 ? own : held;
    rslPush* push = &state->pushes[body * columns + column];
    push->normal = rslAdd(push->normal, impulse);
    push->torque = rslAdd(push->torque, rslCross(x, impulse));
}

static void MoveLumps(rslFast* f, rslResponse* in, rslState* state)
{
    int movers = f->count + in->rigidCount;
    for (int m = 0; m < movers; ++m)  // means, at the root of each
    {
        int root = RootOf(f->parent, m);
        if (f->lumped[m] && !f->anchored[root])
        {
            f->anchor[root] = root == m ? (rslVec3){ 0 } : f->anchor[root];
            f->anchor[root] = rslMulAdd(f->anchor[root], MassOf(f, in, m), VelocityOf(f, m));
        }
    }
    for (int m = 0; m < movers; ++m)
    {
        int root = RootOf(f->parent, m);
        if (f->lumped[m] && !IsHeld(f, in, m))
        {
            double mass = 0.0;
            for (int i = root; !f->anchored[root] && i < movers; ++i)
            {
                mass += f->lumped[i] && RootOf(f->parent, i) == root ? MassOf(f, in, i) : 0.0;
            }
            rslVec3 velocity = f->anchored[root] ? f->anchor[root] : rslScale(1.0 / mass, f->anchor[root]);
            GiveLumped(f, in, state, m, velocity, f->anchored[root]);
        }
    }
}

// ---- all of it ------------------------------------------------------------------------------------------------------

static rslStatus MoveTogether(rslFast* f, rslCollide* collide, rslResponse* in, double time, rslState* state)
{
    int movers = f->count + in->rigidCount;
    for (int m = 0; m < movers; ++m)
    {
        f->parent[m] = m;
        f->holder[m] = -1;
        f->anchored[m] = f->lumped[m] = false;
    }
    for (int i = 0; i < LUMPS && f->met.count > 0; ++i)
    {
        Lump(f, in);
        MoveLumps(f, in, state);
        if (Sweep(f, collide, in, time) != rsl_ok)
        {
            return rsl_outOfMemory;
        }
    }
    return rsl_ok;
}

rslStatus rslFast_Step(rslFast* f, rslCollide* collide, rslResponse* in, double time, double little, rslState* state)
{
    f->little = little;
    SetSpeeds(f, in);
    memcpy(f->first, f->v, 3 * (size_t)f->count * sizeof(double));
    memset(f->used, 0, ((size_t)f->count + (size_t)in->rigidCount) * sizeof(int));
    rslStatus status = Sweep(f, collide, in, time);
    for (int round = 1; status == rsl_ok && f->met.count > 0 && round <= ROUNDS; ++round)
    {
        status = Choose(f, in, round) ? Answer(f, in, state) : rsl_outOfMemory;
        status = status == rsl_ok ? Sweep(f, collide, in, time) : status;
    }
    return status == rsl_ok && f->met.count > 0 ? MoveTogether(f, collide, in, time, state) : status;
}
