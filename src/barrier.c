// SPDX-License-Identifier: MIT
//
// barrier.c: see barrier.h.
//
// A gap is the least distance of two features less what they are thick, and its gradient is w_i n: the nearest places move along
// the features, at right angles to n. So forces k b' w_i n are exact, and of K the part k b'' (w_i n)(w_j n)^T is taken, which is never
// negative.

#include "ascending.h"
#include "barrier_internal.h"
#include "build.h"

#include <string.h>

// ---- range and strength -----------------------------------------------------------------------------------------------

typedef struct Springs
{
    double sum, count;
} Springs;

static bool AddSpring(const rslSpring* spring, void* context)
{
    Springs* springs = context;
    springs->sum += spring->stiffness * spring->restLength;
    springs->count += 1.0;
    return true;
}

// What a strain of 1 of a cell takes [N].
static double Firmness(const rslModel* model, int body)
{
    const rslBody* b = &model->bodies[body];
    Springs springs = { 0 };
    if (b->young > 0.0)
    {
        return b->young * b->spacing * (b->thickness > 0.0 ? b->thickness : b->spacing);
    }
    rslModel_VisitSprings(model, body, AddSpring, &springs);
    return springs.count > 0.0 ? springs.sum / springs.count : 0.0;
}

static void SetBody(rslBarrier* barrier, int body)
{
    const rslModel* model = barrier->model;
    const rslBody* b = &model->bodies[body];
    double size = b->spacing > 0.0 ? b->spacing : 0.1 * rslBody_Extents(b).longest;
    size = b->skin.radius != NULL && b->skin.radius[0] > 0.0 ? 2.0 * b->skin.radius[0] : size;
    double side = b->skin.closed ? (double)b->skin.vertexCount / 6.0 : (double)b->skin.vertexCount;
    double weight = b->mass * rslLength(model->gravity) / (side > 1.0 ? side : 1.0);
    double firmness = Firmness(model, body), least = 1e-2 * firmness;
    barrier->firmness[body] = size > 0.0 ? firmness / size : 0.0;
    barrier->range[body] = (barrier->ofRest ? 0.05 : 0.02) * (size > 0.0 ? size : 1.0);
    barrier->push[body] = weight > least ? weight : least;
    if (!(barrier->push[body] > 0.0))
    {
        barrier->push[body] = b->mass * size;  // nothing but a mass and a size: an acceleration of its size in a second
    }
    barrier->reach = rslMost(barrier->reach, b->skin.vertexCount > 0 ? barrier->range[body] : 0.0);
}

void rslBarrier_Pair(const rslBarrier* barrier, const uint32_t key[4], double* range, double* strength)
{
    double D = barrier->range[key[0]], push = barrier->push[key[0]];
    if (!rslKey_IsCollider(key))
    {
        double other = barrier->range[rslKey_Other(key)];
        D = other < D ? other : D;
        push = rslMost(push, barrier->push[rslKey_Other(key)]);
    }
    *range = D;
    *strength = rslBarrierLaw_Stiffness(push, D);
}

// ---- making -----------------------------------------------------------------------------------------------------------

// Masses of contact nodes that no constraint holds.
static void SetMasses(rslBarrier* barrier)
{
    const rslModel* model = barrier->model;
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        barrier->inverse[c] = 1.0 / model->mass[model->contactNodes[c]];
    }
    for (int k = 0; k < model->constraintCount; ++k)
    {
        const rslConstraint* held = &model->constraints[k];
        for (int i = 0, c = 0; held->axes[0] && held->axes[1] && held->axes[2] && i < held->nodeCount; ++i)
        {
            while (c < model->contactNodeCount && model->contactNodes[c] < held->nodes[i])
            {
                ++c;
            }
            if (c < model->contactNodeCount && model->contactNodes[c] == held->nodes[i])
            {
                barrier->inverse[c] = 0.0;
            }
        }
    }
}

// The contact node of a node; -1: none.
static int ContactOf(const rslModel* model, int node)
{
    int at = rslFirstFrom(model->contactNodes, 0, model->contactNodeCount, node);
    return at < model->contactNodeCount && model->contactNodes[at] == node ? at : -1;
}

static void SetLoose(rslBarrier* barrier)
{
    const rslModel* model = barrier->model;
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        int body = rslModel_BodyOf(model, model->contactNodes[c]);
        barrier->loose[c] = rslModel_Rigid(model, body) != NULL ? 0.0 : barrier->inverse[c];
    }
    for (int r = 0; r < model->rigidCount; ++r)
    {
        for (int w = 0; w < model->rigids[r].weldCount; ++w)
        {
            int c = ContactOf(model, model->rigids[r].welded[w]);
            if (c >= 0)
            {
                barrier->loose[c] = 0.0;
            }
        }
    }
}

static void SetRest(rslBarrier* barrier)
{
    const rslModel* model = barrier->model;
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        int node = model->contactNodes[c];
        rslBody_Rest(&model->bodies[rslModel_BodyOf(model, node)], node, node + 1, &barrier->atRest[3 * (size_t)c]);
    }
}

static bool Make(rslBarrier* barrier, rslTeam* team)
{
    const rslModel* model = barrier->model;
    size_t count = (size_t)model->contactNodeCount, bodies = (size_t)model->bodyCount;
    double** arrays[] = { &barrier->x, &barrier->force, &barrier->start, &barrier->rest, &barrier->atRest };
    bool made = true;
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; ++a)
    {
        *arrays[a] = rslArena_Allocate(&barrier->arena, 3 * count + 1, sizeof(double));
        made = made && *arrays[a] != NULL;
    }
    barrier->blocks = rslArena_Allocate(&barrier->arena, count + 1, sizeof *barrier->blocks);
    barrier->sums = rslArena_Allocate(&barrier->arena, count + 1, sizeof *barrier->sums);
    barrier->loose = rslArena_Allocate(&barrier->arena, count + 1, sizeof(double));
    barrier->inverse = rslArena_Allocate(&barrier->arena, count + 1, sizeof(double));
    barrier->range = rslArena_Allocate(&barrier->arena, bodies + 1, sizeof(double));
    barrier->push = rslArena_Allocate(&barrier->arena, bodies + 1, sizeof(double));
    barrier->firmness = rslArena_Allocate(&barrier->arena, bodies + 1, sizeof(double));
    barrier->mobility = rslArena_Allocate(&barrier->arena, bodies + 1, sizeof(double));
    barrier->shifts = rslArena_Allocate(&barrier->arena, bodies + 1, sizeof(rslVec3));
    barrier->leader = rslArena_Allocate(&barrier->arena, bodies + 1, sizeof(int));
    barrier->collide = rslCollide_Create(&barrier->seen, &barrier->hooks, team);
    made = made && barrier->blocks != NULL && barrier->sums != NULL && barrier->inverse != NULL &&
           barrier->loose != NULL && barrier->range != NULL && barrier->push != NULL && barrier->firmness != NULL &&
           barrier->mobility != NULL && barrier->shifts != NULL && barrier->leader != NULL && barrier->collide != NULL;
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        SetBody(barrier, b);
    }
    if (made)
    {
        SetMasses(barrier);
        SetLoose(barrier);
        SetRest(barrier);
    }
    return made;
}

rslBarrier* rslBarrier_Create(const rslModel* model, bool ofRest, const rslHooks* hooks, rslTeam* team)
{
    rslHooks complete = rslHooks_Complete(hooks);
    rslBarrier* barrier = rslAllocate(&complete, 1, sizeof(rslBarrier));
    if (barrier == NULL)
    {
        return NULL;
    }
    barrier->hooks = barrier->near.hooks = barrier->held.hooks = barrier->ahead.hooks = complete;
    barrier->arena = rslArena_Make(&complete);
    barrier->model = model;
    barrier->ofRest = ofRest;
    barrier->seen = *model;
    barrier->seen.colliderCount = ofRest ? 0 : model->colliderCount;
    if (!Make(barrier, team))
    {
        rslBarrier_Free(barrier);
        return NULL;
    }
    return barrier;
}

bool rslBarrier_IsOfRest(const rslBarrier* barrier)
{
    return barrier->ofRest;
}

void rslBarrier_Free(rslBarrier* barrier)
{
    if (barrier == NULL)
    {
        return;
    }
    rslHooks hooks = barrier->hooks;
    rslCollide_Free(barrier->collide);
    rslCollisions_Free(&barrier->near);
    rslCollisions_Free(&barrier->held);
    rslCollisions_Free(&barrier->ahead);
    rslRelease(&hooks, barrier->ends);
    rslRelease(&hooks, barrier->laws);
    rslRelease(&hooks, barrier->curves);
    rslRelease(&hooks, barrier->turns);
    rslRelease(&hooks, barrier->grips);
    rslRelease(&hooks, barrier->merged);
    rslArena_Free(&barrier->arena);
    rslRelease(&hooks, barrier);
}

size_t rslBarrier_Bytes(const rslBarrier* barrier)
{
    return sizeof *barrier + rslArena_Bytes(&barrier->arena) + rslCollide_Bytes(barrier->collide) +
           barrier->lawCapacity * sizeof(rslBarrierLaw) + barrier->gripCapacity * sizeof(rslGrip);
}

bool rslBarrier_Reserve(const rslHooks* hooks, void** items, size_t* capacity, int count, size_t size)
{
    if ((size_t)count <= *capacity)
    {
        return true;
    }
    size_t more = 2 * (size_t)count;
    void* grown = rslAllocate(hooks, more, size);
    if (grown == NULL)
    {
        return false;
    }
    rslRelease(hooks, *items);
    *items = grown;
    *capacity = more;
    return true;
}

// ---- stiffness --------------------------------------------------------------------------------------------------------

// s
static double Scale(const rslBarrier* barrier)
{
    return barrier->rubs ? barrier->stage.scale : 1.0;
}

// Of a collision in world axes: a n n^T, or of friction r f (I - n n^T - [slip] t t^T).
static rslVec3 PushProduct(const rslBarrier* barrier, int i, rslVec3 p)
{
    rslVec3 n = barrier->near.list[i].normal;
    return rslScale(Scale(barrier) * barrier->laws[i].stiffness * rslDot(n, p), n);
}

static rslVec3 GripProduct(const rslBarrier* barrier, int i, rslVec3 p)
{
    const rslGrip* grip = &barrier->grips[i];
    rslVec3 n = barrier->held.list[i].normal;
    p = rslMulAdd(p, -rslDot(n, p), n);
    if (grip->share < 1.0 && !barrier->wide)
    {
        rslVec3 t = rslNormalize(grip->pull);
        p = rslMulAdd(p, -rslDot(t, p), t);
    }
    return rslScale(barrier->stage.scale * grip->stiffness * grip->share, p);
}

void rslBarrier_Product(const rslBarrier* barrier, bool convex, const double* p, double* out)
{
    const rslCollisions *near = &barrier->near, *held = &barrier->held;
    memset(out, 0, 3 * (size_t)barrier->model->contactNodeCount * sizeof(double));
    for (int i = 0; i < near->count; ++i)
    {
        if (barrier->laws[i].stiffness > 0.0)
        {
            rslVec3 along = rslCollision_Sum(near, &near->list[i], p);
            rslCollision_Spread(near, &near->list[i], PushProduct(barrier, i, along), out);
        }
    }
    rslBarrier_TwistProduct(barrier, Scale(barrier), p, out);
    if (barrier->ofRest && !convex)
    {
        rslBarrier_CurveProduct(barrier, p, out);
    }
    for (int i = 0; barrier->rubs && i < held->count; ++i)
    {
        if (barrier->grips[i].stiffness > 0.0)
        {
            rslVec3 along = rslCollision_Sum(held, &held->list[i], p);
            rslCollision_Spread(held, &held->list[i], GripProduct(barrier, i, along), out);
        }
    }
}

typedef rslVec3 BlockOf(const rslBarrier* barrier, int i, rslVec3 p);

// Where a node comes twice, its weights are added up.
static void AddBlocks(const rslBarrier* barrier, const rslCollisions* all, int i, BlockOf* times, double (*blocks)[6])
{
    const rslCollision* one = &all->list[i];
    rslVec3 x = times(barrier, i, (rslVec3){ 1.0, 0.0, 0.0 }), y = times(barrier, i, (rslVec3){ 0.0, 1.0, 0.0 });
    rslVec3 z = times(barrier, i, (rslVec3){ 0.0, 0.0, 1.0 });
    double block[6] = { x.x, y.y, z.z, x.y, x.z, y.z };
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        double weight = 0.0;
        bool first = true;
        for (int f = one->begin; f < one->begin + one->count; ++f)
        {
            weight += all->nodes[f] == all->nodes[e] ? all->weights[f] : 0.0;
            first = first && (f >= e || all->nodes[f] != all->nodes[e]);
        }
        for (int c = 0; first && c < 6; ++c)
        {
            blocks[all->nodes[e]][c] += weight * weight * block[c];
        }
    }
}

static void SetBlocks(rslBarrier* barrier)
{
    double(*blocks)[6] = barrier->blocks;
    memset(blocks, 0, (size_t)barrier->model->contactNodeCount * sizeof *blocks);
    for (int i = 0; i < barrier->near.count; ++i)
    {
        if (barrier->laws[i].stiffness > 0.0)
        {
            AddBlocks(barrier, &barrier->near, i, PushProduct, blocks);
        }
    }
    for (int i = 0; barrier->rubs && i < barrier->held.count; ++i)
    {
        if (barrier->grips[i].stiffness > 0.0)
        {
            AddBlocks(barrier, &barrier->held, i, GripProduct, blocks);
        }
    }
}

// (sum of w_i p_i)^2 <= sum of |w_i| p_i^2 times that of all |w|
static void AddSums(const rslBarrier* barrier, const rslCollisions* all, int i, BlockOf* times, double (*sums)[6])
{
    const rslCollision* one = &all->list[i];
    rslVec3 x = times(barrier, i, (rslVec3){ 1.0, 0.0, 0.0 }), y = times(barrier, i, (rslVec3){ 0.0, 1.0, 0.0 });
    rslVec3 z = times(barrier, i, (rslVec3){ 0.0, 0.0, 1.0 });
    double block[6] = { x.x, y.y, z.z, x.y, x.z, y.z }, whole = 0.0;
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        whole += fabs(all->weights[e]);
    }
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        for (int c = 0; c < 6; ++c)
        {
            sums[all->nodes[e]][c] += whole * fabs(all->weights[e]) * block[c];
        }
    }
}

const double (*rslBarrier_Sums(rslBarrier* barrier))[6]
{
    memset(barrier->sums, 0, (size_t)barrier->model->contactNodeCount * sizeof *barrier->sums);
    for (int i = 0; i < barrier->near.count; ++i)
    {
        if (barrier->laws[i].stiffness > 0.0)
        {
            AddSums(barrier, &barrier->near, i, PushProduct, barrier->sums);
        }
    }
    for (int i = 0; barrier->rubs && i < barrier->held.count; ++i)
    {
        if (barrier->grips[i].stiffness > 0.0)
        {
            AddSums(barrier, &barrier->held, i, GripProduct, barrier->sums);
        }
    }
    return (const double(*)[6])barrier->sums;
}

void rslBarrier_Widen(rslBarrier* barrier, bool wide)
{
    bool changes = barrier->wide != wide;
    barrier->wide = wide;
    if (changes && barrier->known)
    {
        SetBlocks(barrier);
    }
}

const double (*rslBarrier_Blocks(const rslBarrier* barrier))[6]
{
    return (const double(*)[6])barrier->blocks;
}

// ---- places -----------------------------------------------------------------------------------------------------------

rslStatus rslBarrier_Look(rslBarrier* barrier, const double* x, double time)
{
    size_t bytes = 3 * (size_t)barrier->model->contactNodeCount * sizeof(double);
    rslCollisions* near = &barrier->near;
    if (barrier->known && barrier->time == time && memcmp(barrier->x, x, bytes) == 0)
    {
        return rsl_ok;
    }
    barrier->known = false;
    rslLook look = { .x = x, .time = time, .reach = barrier->reach, .whole = true };
    rslStatus status = rslCollide_Find(barrier->collide, &look, near);
    if (status != rsl_ok || !rslBarrier_Reserve(&barrier->hooks, (void**)&barrier->laws, &barrier->lawCapacity,
                                                near->count, sizeof(rslBarrierLaw)))
    {
        near->count = 0;
        return rsl_outOfMemory;
    }
    memcpy(barrier->x, x, bytes);
    memset(barrier->force, 0, bytes);
    barrier->energy = barrier->rubbing = 0.0;
    barrier->turnCount = 0;
    double scale = Scale(barrier);
    for (int i = 0; i < near->count; ++i)
    {
        double range, strength;
        rslBarrier_Pair(barrier, near->list[i].key, &range, &strength);
        rslBarrierLaw* law = &barrier->laws[i];
        // what overlaps has no energy to tell, and may be nowhere in a stage
        bool told = barrier->rubs || near->list[i].gap > 0.0;
        *law = told ? rslBarrierLaw_At(strength, range, near->list[i].gap) : (rslBarrierLaw){ 0.0, 0.0, 0.0 };
        if (!rslBarrier_Soften(barrier, i))
        {
            near->count = 0;
            return rsl_outOfMemory;
        }
        barrier->energy += law->energy;
        if (law->push > 0.0)
        {
            rslCollision_Spread(near, &near->list[i], rslScale(scale * law->push, near->list[i].normal),
                                barrier->force);
        }
    }
    rslBarrier_Twist(barrier, scale);
    if (!rslBarrier_Bend(barrier))
    {
        near->count = 0;
        return rsl_outOfMemory;
    }
    if (barrier->rubs)
    {
        rslBarrier_Rub(barrier);
    }
    SetBlocks(barrier);
    barrier->time = time;
    barrier->known = true;
    return rsl_ok;
}

double rslBarrier_Energy(const rslBarrier* barrier)
{
    return barrier->energy;
}

double rslBarrier_Smallest(const rslBarrier* barrier, const rslCollision** which)
{
    const rslCollision* smallest = NULL;
    for (int i = 0; i < barrier->near.count; ++i)
    {
        const rslCollision* one = &barrier->near.list[i];
        smallest = smallest == NULL || one->gap < smallest->gap ? one : smallest;
    }
    if (which != NULL)
    {
        *which = smallest;
    }
    return smallest != NULL ? smallest->gap : INFINITY;
}

rslStatus rslBarrier_Closing(rslBarrier* barrier, const double* x, const double* v, double time, double step,
                             const rslCollisions** closing)
{
    rslLook look = { .x = x, .v = v, .step = step, .time = time, .reach = barrier->reach, .whole = true };
    barrier->known = false;
    *closing = &barrier->near;
    return rslCollide_Find(barrier->collide, &look, &barrier->near);
}

rslStatus rslBarrier_Facing(rslBarrier* barrier, const double* x, const double* v, double time, double step,
                            rslCollisions* out)
{
    rslLook look = { .x = x, .v = v, .step = step, .time = time, .reach = barrier->reach };
    return rslCollide_Find(barrier->collide, &look, out);
}

const rslCollisions* rslBarrier_Near(const rslBarrier* barrier)
{
    return &barrier->near;
}

double rslBarrier_Range(const rslBarrier* barrier, const uint32_t key[4])
{
    double range, strength;
    rslBarrier_Pair(barrier, key, &range, &strength);
    return range;
}

double rslBarrier_Potential(const rslBarrier* barrier)
{
    return Scale(barrier) * (barrier->energy + barrier->rubbing);
}

const double* rslBarrier_Forces(const rslBarrier* barrier)
{
    return barrier->force;
}

rslStatus rslBarrier_Limit(rslBarrier* barrier, const double* x, const double* d, double time, double keep,
                           double* part)
{
    rslLook look = { .x = x, .v = d, .step = 1.0, .time = time, .still = true };
    return rslCollide_FirstTime(barrier->collide, &look, keep, part);
}

rslStatus rslBarrier_Way(rslBarrier* barrier, const double* x, const double* v, double time, double step, double keep,
                         double* part)
{
    rslLook look = { .x = x, .v = v, .step = step, .time = time };
    return rslCollide_FirstTime(barrier->collide, &look, keep, part);
}
