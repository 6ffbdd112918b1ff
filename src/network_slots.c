// SPDX-License-Identifier: MIT
//
// network_slots.c: an order of the nodes of a network body in which neighbours are near each other: their own, or that of band_order.h where
// their own is bad. Where nodes follow each other as their neighbours do, as in lines of a mesh, they stay in that order, which makes rows
// straight. Elsewhere nodes with many springs come first within windows of it, so that those of a slice have as many.

#include "network_slices.h"

#include "band_order.h"

#include <stdlib.h>
#include <string.h>

enum
{
    WINDOW = 512,  // slots
    SOME = 64      // springs
};

typedef struct Orderer
{
    const int* start;
    const Entry* entries;
    const rslHooks* hooks;
    int first, count;  // nodes
    int* order;
} Orderer;

static int OtherOf(const Orderer* o, int entry)
{
    return o->entries[entry].other - o->first;
}

// Are ends of springs farther apart in the list of nodes than in a good order, or any so far that rows need more room for them? In a good one
// they are a layer of a solid apart or less, the two thirds power of its nodes.
static bool IsScattered(const Orderer* o)
{
    double sum = 0.0;
    int most = 0;
    int springs = o->start[o->count] - o->start[0];
    for (int i = 0; i < o->count; ++i)
    {
        for (int e = o->start[i]; e < o->start[i + 1]; ++e)
        {
            int apart = abs(OtherOf(o, e) - i);
            sum += apart;
            most = apart > most ? apart : most;
        }
    }
    double mean = sum / springs;
    return most > INT16_MAX - WINDOW || mean * mean * mean > 8.0 * (double)o->count * (double)o->count;
}

static bool MakeBandOrder(const Orderer* o)
{
    int from = o->start[0], springs = o->start[o->count] - from;
    int* start = rslAllocate(o->hooks, (size_t)o->count + 1, sizeof(int));
    int* other = rslAllocate(o->hooks, (size_t)springs, sizeof(int));
    bool made = start != NULL && other != NULL;
    for (int i = 0; made && i <= o->count; ++i)
    {
        start[i] = o->start[i] - from;
    }
    for (int e = 0; made && e < springs; ++e)
    {
        other[e] = OtherOf(o, from + e);
    }
    made = made && rslBandOrder_Make(o->count, start, other, o->hooks, o->order);
    rslRelease(o->hooks, start);
    rslRelease(o->hooks, other);
    return made;
}

// Does a spring lead from one node to another?
static bool AreJoined(const Orderer* o, int from, int to)
{
    bool joined = false;
    for (int e = o->start[from]; !joined && e < o->start[from + 1]; ++e)
    {
        joined = OtherOf(o, e) == to;
    }
    return joined;
}

// Do most springs have one beside them that leads from the next node to the node after the other? Some of them are looked at.
static bool IsInLine(const Orderer* o)
{
    int64_t springs = 0, beside = 0;
    for (int i = 0; i + 1 < o->count; i += 5)
    {
        int last = o->start[i + 1] - o->start[i] < SOME ? o->start[i + 1] : o->start[i] + SOME;
        for (int e = o->start[i]; e < last; ++e)
        {
            int after = OtherOf(o, e) + 1;
            springs += 1;
            beside += after < o->count && AreJoined(o, i + 1, after) ? 1 : 0;
        }
    }
    return 4 * beside >= 3 * springs;
}

// Those with many first; equal ones keep their order.
static void SortWindow(const Orderer* o, int* order, int count)
{
    int sorted[WINDOW], springs[WINDOW], most = 0;
    for (int i = 0; i < count; ++i)
    {
        springs[i] = o->start[order[i] + 1] - o->start[order[i]];
        most = springs[i] > most ? springs[i] : most;
    }
    for (int at = 0, next; at < count; most = next)
    {
        next = -1;
        for (int i = 0; i < count; ++i)
        {
            if (springs[i] == most)
            {
                sorted[at++] = order[i];
            }
            next = springs[i] < most && springs[i] > next ? springs[i] : next;
        }
    }
    memcpy(order, sorted, (size_t)count * sizeof(int));
}

bool RSL_NAME(rslSlots_Order)(const rslBody* body, const int* start, const Entry* entries, const rslHooks* hooks,
                              int* order)
{
    Orderer o = { start, entries, hooks, body->firstNode, body->nodeCount, order };
    for (int i = 0; i < o.count; ++i)
    {
        order[i] = i;
    }
    bool inLine = IsInLine(&o), made = inLine || !IsScattered(&o) || MakeBandOrder(&o);
    if (made && !inLine)
    {
        for (int i = 0; i < o.count; i += WINDOW)
        {
            SortWindow(&o, order + i, o.count - i < WINDOW ? o.count - i : WINDOW);
        }
    }
    return made;
}
