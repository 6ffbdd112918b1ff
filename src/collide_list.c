// SPDX-License-Identifier: MIT
//
// collide_list.c: collisions as they are written down and sorted.

#include "collide_internal.h"

#include <string.h>

void rslMix_Add(rslMix* mix, const rslSide* side, int vertex, double weight)
{
    const rslSkin* skin = side->skin;
    for (int i = skin->stencilStart[vertex]; weight != 0.0 && i < skin->stencilStart[vertex + 1]; ++i)
    {
        int node = skin->stencilNodes[i], k = 0;
        while (k < mix->count && mix->nodes[k] != node)
        {
            ++k;
        }
        mix->count += k == mix->count;
        mix->nodes[k] = node;
        mix->weights[k] += weight * skin->stencilWeights[i];
    }
}

void rslWork_AppendNodes(rslWork* work, const int* nodes, const double* weights, int count, const rslCollision* touch)
{
    rslCollisions* out = &work->found;
    if (out->count < out->capacity && out->nodeCount + count <= out->nodeCapacity)
    {
        rslCollision* to = &out->list[out->count];
        *to = *touch;
        to->begin = out->nodeCount;
        to->count = count;
        memcpy(out->nodeRoom + out->nodeCount, nodes, (size_t)count * sizeof(int));
        memcpy(out->weightRoom + out->nodeCount, weights, (size_t)count * sizeof(double));
    }
    ++out->count;
    out->nodeCount += count;
}

void rslWork_Append(rslWork* work, const rslMix* mix, rslCollision touch)
{
    rslWork_AppendNodes(work, mix->nodes, mix->weights, mix->count, &touch);
}

static void Sink(rslCollision* list, int at, int count)
{
    rslCollision moved = list[at];
    for (int child; (child = 2 * at + 1) < count; at = child)
    {
        child += child + 1 < count && rslKey_Compare(list[child].key, list[child + 1].key) < 0;
        if (rslKey_Compare(list[child].key, moved.key) <= 0)
        {
            break;
        }
        list[at] = list[child];
    }
    list[at] = moved;
}

// By keys, of which there are no equal ones. They mostly are in order.
void rslCollisions_Sort(rslCollisions* found)
{
    bool sorted = true;
    for (int i = 1; i < found->count; ++i)
    {
        sorted = sorted && rslKey_Compare(found->list[i - 1].key, found->list[i].key) < 0;
    }
    for (int i = found->count / 2 - 1; !sorted && i >= 0; --i)
    {
        Sink(found->list, i, found->count);
    }
    for (int end = found->count - 1; !sorted && end > 0; --end)
    {
        rslCollision last = found->list[end];
        found->list[end] = found->list[0];
        found->list[0] = last;
        Sink(found->list, 0, end);
    }
}
