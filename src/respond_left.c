// SPDX-License-Identifier: MIT
//
// respond_left.c: impulses that the step before has left for touches that are not found any more: these are listed again, far apart, so
// that they get what is left. Their nodes are found by the key, weights where the features are now.

#include "respond_set.h"

#include "feature.h"
#include "memory.h"

#include <math.h>
#include <string.h>

static bool IsLeft(const rslTouched* touched)
{
    return touched->kept[0] != 0.0 || touched->kept[1] != 0.0 || touched->kept[2] != 0.0;
}

// The next touch with something left that the list does not have from a place on; the count when there is none.
static int NextMissing(const rslState* state, int from, const rslCollisions* list)
{
    int at = 0;
    for (int m = from; m < state->touchedCount; ++m)
    {
        const uint32_t* key = state->touched[m].key;
        while (at < list->count && rslKey_Compare(list->list[at].key, key) < 0)
        {
            ++at;
        }
        if (IsLeft(&state->touched[m]) && (at == list->count || rslKey_Compare(list->list[at].key, key) != 0))
        {
            return m;
        }
    }
    return state->touchedCount;
}

static void Move(void* to, const void* from, size_t bytes)
{
    if (bytes > 0)
    {
        memcpy(to, from, bytes);
    }
}

// Room for what is in the list and as many more collisions, or nodes of them.
static bool Grow(rslCollisions* list, int more, int moreNodes)
{
    if (list->count + more > list->capacity)
    {
        int capacity = 2 * (list->count + more);
        rslCollision* grown = rslAllocate(&list->hooks, (size_t)capacity, sizeof *grown);
        if (grown == NULL)
        {
            return false;
        }
        Move(grown, list->list, (size_t)list->count * sizeof *grown);
        rslRelease(&list->hooks, list->list);
        list->list = grown;
        list->capacity = capacity;
    }
    if (list->nodeCount + moreNodes > list->nodeCapacity)
    {
        int capacity = 2 * (list->nodeCount + moreNodes);
        int* nodes = rslAllocate(&list->hooks, (size_t)capacity, sizeof *nodes);
        double* weights = rslAllocate(&list->hooks, (size_t)capacity, sizeof *weights);
        if (nodes == NULL || weights == NULL)
        {
            rslRelease(&list->hooks, nodes);
            rslRelease(&list->hooks, weights);
            return false;
        }
        Move(nodes, list->nodes, (size_t)list->nodeCount * sizeof *nodes);
        Move(weights, list->weights, (size_t)list->nodeCount * sizeof *weights);
        rslRelease(&list->hooks, list->nodeRoom);
        rslRelease(&list->hooks, list->weightRoom);
        list->nodes = list->nodeRoom = nodes;
        list->weights = list->weightRoom = weights;
        list->nodeCapacity = capacity;
    }
    return true;
}

// The nodes of one side; false when out of memory.
static bool AddSide(const rslRespond* r, rslCollisions* list, int body, uint32_t feature, rslVec3 point, double sign)
{
    rslFeaturePoint at;
    const rslSkin* skin = &r->model->bodies[body].skin;
    if (!rslFeature_Nearest(skin, r->in->x, feature, point, &at))
    {
        return true;
    }
    for (int i = 0; i < at.count; ++i)
    {
        int begin = skin->stencilStart[at.vertex[i]], end = skin->stencilStart[at.vertex[i] + 1];
        if (!Grow(list, 0, end - begin))
        {
            return false;
        }
        for (int e = begin; e < end; ++e)
        {
            list->nodeRoom[list->nodeCount] = skin->stencilNodes[e];
            list->weightRoom[list->nodeCount++] = sign * at.weight[i] * skin->stencilWeights[e];
        }
    }
    return true;
}

static bool AddMissing(const rslRespond* r, rslCollisions* list, const rslTouched* touched)
{
    if (!Grow(list, 1, 0) || touched->key[0] >= (uint32_t)r->model->bodyCount)
    {
        return touched->key[0] >= (uint32_t)r->model->bodyCount;
    }
    rslCollision added = { .begin = list->nodeCount, .gap = INFINITY };
    memcpy(added.key, touched->key, sizeof added.key);
    added.point = (rslVec3){ touched->point[0], touched->point[1], touched->point[2] };
    added.normal = (rslVec3){ touched->normal[0], touched->normal[1], touched->normal[2] };
    bool made = AddSide(r, list, (int)touched->key[0], touched->key[1], added.point, 1.0);
    if (made && touched->key[2] < (uint32_t)r->model->bodyCount)
    {
        made = AddSide(r, list, (int)touched->key[2], touched->key[3], added.point, -1.0);
    }
    added.count = list->nodeCount - added.begin;
    list->list[list->count++] = added;
    return made;
}

// Collisions as they are found, copied.
static bool AddFound(rslCollisions* list, const rslCollisions* found, int c)
{
    rslCollision collision = found->list[c];
    if (!Grow(list, 1, collision.count))
    {
        return false;
    }
    memcpy(&list->nodeRoom[list->nodeCount], &found->nodes[collision.begin], (size_t)collision.count * sizeof(int));
    memcpy(&list->weightRoom[list->nodeCount], &found->weights[collision.begin],
           (size_t)collision.count * sizeof(double));
    collision.begin = list->nodeCount;
    list->nodeCount += collision.count;
    list->list[list->count++] = collision;
    return true;
}

bool rslRespond_ListLeft(rslRespond* r, rslResponse* response, const rslState* state)
{
    const rslCollisions* found = response->collisions;
    int missing = NextMissing(state, 0, found);
    rslCollisions* list = &r->listed;
    if (missing == state->touchedCount)
    {
        return true;
    }
    list->hooks = r->hooks;
    list->count = list->nodeCount = 0;
    bool made = true;
    for (int c = 0; made && (c < found->count || missing < state->touchedCount);)
    {
        const rslTouched* touched = missing < state->touchedCount ? &state->touched[missing] : NULL;
        if (touched == NULL || (c < found->count && rslKey_Compare(found->list[c].key, touched->key) < 0))
        {
            made = AddFound(list, found, c++);
        }
        else
        {
            made = AddMissing(r, list, touched);
            missing = NextMissing(state, missing + 1, found);
        }
    }
    response->collisions = list;
    return made;
}
