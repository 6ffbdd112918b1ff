// SPDX-License-Identifier: MIT
//
// collide.c: see collide.h: the order of things.
//
// Vertices are placed in chunks, and boxes follow from chunks to sides. Work is a run of features of one side, in the order of
// keys: what is found of each is sorted within it, so that all of it one after the other is sorted, whoever did the work.

#include "collide_internal.h"

#include <string.h>

rslCollide* rslCollide_Create(const rslModel* model, const rslHooks* hooks, rslTeam* team)
{
    rslHooks complete = rslHooks_Complete(hooks);
    rslCollide* c = rslAllocate(&complete, 1, sizeof *c);
    if (c == NULL)
    {
        return NULL;
    }
    *c = (rslCollide){ .model = model, .team = team, .hooks = complete, .arena = rslArena_Make(&complete) };
    rslStatus status = rslCollide_MakeSides(c);
    size_t colliders = (size_t)model->colliderCount;
    c->activeStart = rslArena_Allocate(&c->arena, (size_t)c->sideCount + 1, sizeof(int));
    c->byLower = rslArena_Allocate(&c->arena, (size_t)c->sideCount, sizeof(int));
    c->placed = rslArena_Allocate(&c->arena, colliders, sizeof(rslPlaced));
    c->bounds = rslArena_Allocate(&c->arena, colliders, sizeof(rslBounds));
    c->placedEnd = rslArena_Allocate(&c->arena, colliders, sizeof(rslPlaced));
    c->rules = rslArena_Allocate(&c->arena, colliders * (size_t)c->sideCount, sizeof(rslContactPair));
    c->colliderSpeed = rslArena_Allocate(&c->arena, colliders, sizeof(double));
    if (status != rsl_ok || c->activeStart == NULL || c->byLower == NULL || c->placed == NULL || c->bounds == NULL ||
        c->placedEnd == NULL || c->rules == NULL || c->colliderSpeed == NULL || !rslCollide_MakeFew(c))
    {
        rslCollide_Free(c);
        return NULL;
    }
    for (int i = 0; i < model->pairCount; ++i)
    {
        double given = model->pairs[i].thickness;
        c->given = given > c->given ? given : c->given;
    }
    for (int s = 0; s < c->sideCount; ++s)
    {
        c->largest = rslMost(c->largest, c->sides[s].size);
        c->byLower[s] = s;
        for (int k = 0; k < model->colliderCount; ++k)
        {
            rslContactPair rules = rslModel_PairOf(model, c->sides[s].body, model->bodyCount + k);
            c->rules[(size_t)s * colliders + (size_t)k] = rules;
            c->sides[s].more = rslMost(c->sides[s].more, isnan(rules.thickness) ? 0.0 : rules.thickness);
        }
    }
    return c;
}

void rslCollide_Free(rslCollide* c)
{
    if (c == NULL)
    {
        return;
    }
    rslHooks hooks = c->hooks;
    rslCollide_FreePairs(c);
    for (size_t i = 0; i < c->workCapacity; ++i)
    {
        rslCollisions_Free(&c->works[i].found);
    }
    rslRelease(&hooks, c->works);
    rslArena_Free(&c->arena);
    rslRelease(&hooks, c);
}

size_t rslCollide_Bytes(const rslCollide* c)
{
    size_t bytes = sizeof *c + rslArena_Bytes(&c->arena) + c->workCapacity * sizeof(rslWork);
    for (size_t i = 0; i < c->workCapacity; ++i)
    {
        bytes += (size_t)c->works[i].found.capacity * sizeof(rslCollision);
        bytes += (size_t)c->works[i].found.nodeCapacity * (sizeof(int) + sizeof(double));
    }
    for (size_t i = 0; i < c->pairCount; ++i)
    {
        const rslSidePair* pair = c->pairs[i];
        int items = pair->vertices[0].capacity + pair->vertices[1].capacity + pair->edges.capacity;
        bytes += sizeof *pair + 2 * (size_t)items * sizeof(rslNearItem);
    }
    return bytes;
}

// ---- lists ----------------------------------------------------------------------------------------------------------

void rslCollisions_Free(rslCollisions* list)
{
    rslRelease(&list->hooks, list->list);
    rslRelease(&list->hooks, list->nodeRoom);
    rslRelease(&list->hooks, list->weightRoom);
    *list = (rslCollisions){ .hooks = list->hooks };
}

// Room for counts beyond the capacities; what was there is lost.
static bool MakeRoom(rslCollisions* list, int count, int nodeCount)
{
    if (count > list->capacity)
    {
        rslRelease(&list->hooks, list->list);
        list->list = rslAllocate(&list->hooks, (size_t)count + (size_t)count / 2, sizeof(rslCollision));
        list->capacity = list->list != NULL ? count + count / 2 : 0;
    }
    if (nodeCount > list->nodeCapacity)
    {
        size_t capacity = (size_t)nodeCount + (size_t)nodeCount / 2;
        rslRelease(&list->hooks, list->nodeRoom);
        rslRelease(&list->hooks, list->weightRoom);
        list->nodeRoom = rslAllocate(&list->hooks, capacity, sizeof(int));
        list->weightRoom = rslAllocate(&list->hooks, capacity, sizeof(double));
        list->nodeCapacity = list->nodeRoom != NULL && list->weightRoom != NULL ? (int)capacity : 0;
    }
    list->nodes = list->nodeRoom;
    list->weights = list->weightRoom;
    list->lent = false;
    return count <= list->capacity && nodeCount <= list->nodeCapacity;
}

// ---- colliders ------------------------------------------------------------------------------------------------------

static void PlaceColliders(rslCollide* c)
{
    const rslModel* model = c->model;
    for (int k = 0; k < model->colliderCount; ++k)
    {
        const rslCollider* collider = &model->colliders[k];
        c->placed[k] = rslCollider_Place(collider, c->look.time);
        c->bounds[k] = rslPlaced_Bounds(&c->placed[k]);
        c->colliderSpeed[k] = 0.0;
        // the velocity is that of a rigid motion: largest at a corner of what is near
        for (int s = 0; collider->moves && !c->look.still && s < c->sideCount; ++s)
        {
            const rslSide* side = &c->sides[s];
            for (int i = 0; i < 8; ++i)
            {
                rslVec3 x = { (i & 1 ? side->upper : side->lower)[0], (i & 2 ? side->upper : side->lower)[1],
                              (i & 4 ? side->upper : side->lower)[2] };
                rslVec3 u = rslCollider_Velocity(collider, c->look.time, c->look.step, x);
                c->colliderSpeed[k] = rslMost(c->colliderSpeed[k], rslLength(u));
            }
        }
    }
}

static bool BoxMeets(const rslCollide* c, const double lower[3], const double upper[3], int collider, double reach)
{
    if (c->model->colliders[collider].type == rsl_planeCollider)
    {
        rslPlane plane = rslCollider_At(&c->model->colliders[collider], c->look.time);
        const double n[3] = { plane.normal.x, plane.normal.y, plane.normal.z };
        double low = -rslDot(plane.normal, plane.point);
        for (int i = 0; i < 3; ++i)
        {
            low += n[i] > 0.0 ? n[i] * lower[i] : n[i] * upper[i];
        }
        return low <= reach;
    }
    const rslBounds* b = &c->bounds[collider];
    return lower[0] - reach <= b->upper.x && upper[0] + reach >= b->lower.x && lower[1] - reach <= b->upper.y &&
           upper[1] + reach >= b->lower.y && lower[2] - reach <= b->upper.z && upper[2] + reach >= b->lower.z;
}

bool rslCollide_Meets(const rslCollide* c, const rslWork* work, int collider)
{
    const rslSide* side = &c->sides[work->side];
    if (c->look.few)
    {
        return c->model->colliders[collider].type == rsl_planeCollider;
    }
    double reach = rslSide_Reach(c, side, collider) + side->thick + side->more;
    const rslSideChunk* chunk = &c->chunks[side->firstChunk + work->begin / RSL_COLLIDE_CHUNK];
    return work->kind == rsl_vertexWork ? BoxMeets(c, chunk->lower, chunk->upper, collider, reach)
                                        : BoxMeets(c, side->lower, side->upper, collider, reach);
}

// ---- work -----------------------------------------------------------------------------------------------------------

static rslWork* AddRun(rslCollide* c, int side, rslWorkKind kind, int begin, int end)
{
    void* works = c->works;
    size_t before = c->workCapacity;
    if (!rslGrow(&c->hooks, &works, c->workCount, &c->workCapacity, sizeof(rslWork)))
    {
        return NULL;
    }
    c->works = works;
    for (size_t i = before; i < c->workCapacity; ++i)
    {
        c->works[i] = (rslWork){ .found = { .hooks = c->hooks } };
    }
    rslWork* work = &c->works[c->workCount++];
    work->side = side;
    work->kind = kind;
    work->begin = begin;
    work->end = end;
    return work;
}

bool rslCollide_AddWork(rslCollide* c, int side, rslWorkKind kind, int begin, int end)
{
    for (; begin < end; begin += RSL_COLLIDE_CHUNK)
    {
        if (AddRun(c, side, kind, begin, end - begin < RSL_COLLIDE_CHUNK ? end : begin + RSL_COLLIDE_CHUNK) == NULL)
        {
            return false;
        }
    }
    return true;
}

// What can be near to a side: others, and colliders. Solids meet edges and triangles, too.
static rslStatus ListWork(rslCollide* c)
{
    c->workCount = 0;
    for (int s = 0; s < c->sideCount; ++s)
    {
        const rslSide* side = &c->sides[s];
        bool others = c->activeStart[s + 1] > c->activeStart[s], any = others, solids = false;
        for (int k = 0; k < c->model->colliderCount; ++k)
        {
            double reach = rslSide_Reach(c, side, k) + side->thick + side->more;
            bool meets = BoxMeets(c, side->lower, side->upper, k, reach);
            any = any || meets;
            solids = solids || (meets && c->model->colliders[k].type != rsl_planeCollider);
        }
        bool surface = side->skin->radius == NULL;
        if ((any && !rslCollide_AddWork(c, s, rsl_vertexWork, 0, side->skin->vertexCount)) ||
            (surface && (others || solids) && !rslCollide_AddWork(c, s, rsl_edgeWork, 0, side->skin->edgeCount)) ||
            (surface && solids && !rslCollide_AddWork(c, s, rsl_triangleWork, 0, side->skin->triangleCount)))
        {
            return rsl_outOfMemory;
        }
    }
    return rsl_ok;
}

typedef struct Doing
{
    rslCollide* c;
    rslWorkTask* task;
} Doing;

static void DoWork(int item, void* context)
{
    const Doing* doing = context;
    rslWork* work = &doing->c->works[item];
    if (!work->done)
    {
        doing->task(doing->c, work);
    }
}

rslStatus rslCollide_Work(rslCollide* c, rslWorkTask* task)
{
    for (size_t i = 0; i < c->workCount; ++i)
    {
        c->works[i].done = false;
    }
    for (bool again = true; again;)
    {
        again = false;
        rslTeam_Run(c->team, DoWork, (int)c->workCount, &(Doing){ c, task });
        for (size_t i = 0; i < c->workCount; ++i)
        {
            rslCollisions* found = &c->works[i].found;
            c->works[i].done = found->count <= found->capacity && found->nodeCount <= found->nodeCapacity;
            again = again || !c->works[i].done;
            if (!MakeRoom(found, found->count, found->nodeCount))
            {
                return rsl_outOfMemory;
            }
        }
    }
    return rsl_ok;
}

rslStatus rslCollide_Join(const rslCollide* c, rslCollisions* out)
{
    int count = 0, nodes = 0;
    for (size_t i = 0; i < c->workCount; ++i)
    {
        count += c->works[i].found.count;
        nodes += c->works[i].found.nodeCount;
    }
    out->count = out->nodeCount = 0;
    if (!MakeRoom(out, count, nodes))
    {
        return rsl_outOfMemory;
    }
    for (size_t i = 0; i < c->workCount; ++i)
    {
        const rslCollisions* found = &c->works[i].found;
        size_t size = (size_t)found->nodeCount;
        if (found->count == 0)
        {
            continue;  // lists that nothing was ever put on do not exist
        }
        memcpy(out->list + out->count, found->list, (size_t)found->count * sizeof(rslCollision));
        memcpy(out->nodeRoom + out->nodeCount, found->nodes, size * sizeof(int));
        memcpy(out->weightRoom + out->nodeCount, found->weights, size * sizeof(double));
        for (int k = out->count; k < out->count + found->count; ++k)
        {
            out->list[k].begin += out->nodeCount;
        }
        out->count += found->count;
        out->nodeCount += found->nodeCount;
    }
    return rsl_ok;
}

// Does no vertex hang on a node twice?
static bool HangOnce(const rslCollide* c)
{
    bool once = true;
    for (int s = 0; s < c->sideCount; ++s)
    {
        once = once && !c->sides[s].repeats;
    }
    return once;
}

bool rslCollide_FewCloseAt(rslCollide* c, const rslLook* look, double* speed)
{
    if (!HangOnce(c))
    {
        return false;
    }
    c->look = *look;
    PlaceColliders(c);
    *speed = rslCollide_PlaceFew(c);
    for (int s = 0; !c->few.single && s < c->sideCount; ++s)
    {
        for (int k = 0; k < c->model->colliderCount; ++k)
        {
            bool plane = c->model->colliders[k].type == rsl_planeCollider;
            int begin = plane ? c->few.start[s] : 0, end = plane ? c->few.start[s + 1] : 0;
            *speed = rslMost(*speed, rslSide_ClosesAt(c, &c->sides[s], k, begin, end));
        }
    }
    return true;
}

// With one plane alone, what few vertices meet is found in the order of keys: it needs no lists to be put together, nor others. Where all are of
// one skin, what they hang on need not be written down either.
static rslStatus FindFew(rslCollide* c, rslCollisions* out)
{
    for (bool again = true; again;)
    {
        if (c->sideCount == 1)
        {
            out->nodes = c->sides[0].skin->stencilNodes;
            out->weights = c->sides[0].skin->stencilWeights;
            out->lent = true;
        }
        rslWork work = { .kind = rsl_vertexWork, .found = *out };
        work.found.count = work.found.nodeCount = 0;
        for (size_t i = 0; i < c->workCount; ++i)
        {
            work.side = c->works[i].side;
            work.begin = c->works[i].begin;
            work.end = c->works[i].end;
            rslWork_MeetPlane(c, &work, 0);
        }
        *out = work.found;
        again = out->count > out->capacity || (!out->lent && out->nodeCount > out->nodeCapacity);
        if (again && !MakeRoom(out, out->count, out->lent ? 0 : out->nodeCount))
        {
            return rsl_outOfMemory;
        }
    }
    return rsl_ok;
}

rslStatus rslCollide_Find(rslCollide* c, const rslLook* look, rslCollisions* out)
{
    c->look = *look;
    if (!look->again && look->few)
    {
        PlaceColliders(c);
        (void)rslCollide_PlaceFew(c);
    }
    else if (!look->again)
    {
        rslCollide_Place(c);
        PlaceColliders(c);
    }
    rslStatus status = look->few ? rslCollide_ListFewWork(c) : rslCollide_ListNear(c);
    if (status == rsl_ok && look->few && c->few.single && HangOnce(c))
    {
        return FindFew(c, out);
    }
    status = status == rsl_ok && !look->few ? ListWork(c) : status;
    status = status == rsl_ok ? rslCollide_Work(c, rslWork_Find) : status;
    return status == rsl_ok ? rslCollide_Join(c, out) : status;
}
