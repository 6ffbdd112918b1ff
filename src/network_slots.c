// SPDX-License-Identifier: MIT
//
// network_slots.c: an order of the nodes of a network body in which neighbours are near each other, and so are nodes with as many springs
// to later ones: their own, or that of band_order.h where their own is bad. Within windows of it those with many such springs come first, as
// many as there are before windows are sorted, which leaves regular networks in order, or as many as are left when their turn comes, which
// fills the rows of others: whichever needs fewer rows.

#include "network_slices.h"

#include "band_order.h"

#include <stdlib.h>
#include <string.h>

enum
{
    WINDOW = 512  // slots
};

typedef struct Orderer
{
    const int* start;
    const Entry* entries;
    const rslHooks* hooks;
    int first, count;  // nodes
    int* order;
    int* place;  // of every node, in the order that windows are sorted from
} Orderer;

static int OtherOf(const Orderer* o, int entry)
{
    return o->entries[entry].other - o->first;
}

// Are ends of springs farther apart in the list of nodes than in a good order? There, they are a layer of a solid apart or less, the two
// thirds power of its nodes.
static bool IsScattered(const Orderer* o)
{
    double sum = 0.0;
    int springs = o->start[o->count] - o->start[0];
    for (int i = 0; i < o->count; ++i)
    {
        for (int e = o->start[i]; e < o->start[i + 1]; ++e)
        {
            sum += abs(OtherOf(o, e) - i);
        }
    }
    double mean = sum / springs;
    return mean * mean * mean > 8.0 * (double)o->count * (double)o->count;
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

// Springs to nodes that come later before windows are sorted: about as many as after that.
static int LaterOf(const Orderer* o, int node)
{
    int later = 0;
    for (int e = o->start[node]; e < o->start[node + 1]; ++e)
    {
        later += o->place[OtherOf(o, e)] > o->place[node] ? 1 : 0;
    }
    return later;
}

// Those with many first; equal ones keep their order.
static void SortWindow(const Orderer* o, int* order, int count)
{
    int sorted[WINDOW], later[WINDOW], most = 0;
    for (int i = 0; i < count; ++i)
    {
        later[i] = LaterOf(o, order[i]);
        most = later[i] > most ? later[i] : most;
    }
    for (int at = 0, next; at < count; most = next)
    {
        next = -1;
        for (int i = 0; i < count; ++i)
        {
            if (later[i] == most)
            {
                sorted[at++] = order[i];
            }
            next = later[i] < most && later[i] > next ? later[i] : next;
        }
    }
    memcpy(order, sorted, (size_t)count * sizeof(int));
}

// The one with the most springs that are left, to nodes without a slot, comes next; its neighbours have one fewer.
static void DealWindow(const Orderer* o, int begin, int end, int* left, int* order)
{
    for (int at = begin; at < end; ++at)
    {
        int best = at;
        for (int i = at + 1; i < end; ++i)
        {
            best = left[order[i]] > left[order[best]] ? i : best;
        }
        int node = order[best];
        memmove(order + at + 1, order + at, (size_t)(best - at) * sizeof(int));
        order[at] = node;
        for (int e = o->start[node]; e < o->start[node + 1]; ++e)
        {
            left[OtherOf(o, e)] -= 1;
        }
    }
}

// Rows of all slices in an order.
static int64_t CountRows(const Orderer* o, const int* order, int* place)
{
    int64_t rows = 0;
    for (int i = 0; i < o->count; ++i)
    {
        place[order[i]] = i;
    }
    for (int first = 0; first < o->count; first += SLICE)
    {
        int most = 0;
        for (int i = first; i < first + SLICE && i < o->count; ++i)
        {
            int later = LaterOf(o, order[i]);
            most = later > most ? later : most;
        }
        rows += most;
    }
    return rows;
}

static void SortWindows(const Orderer* o, int* left, int* dealt)
{
    memcpy(dealt, o->order, (size_t)o->count * sizeof(int));
    for (int i = 0; i < o->count; ++i)
    {
        o->place[o->order[i]] = i;
        left[i] = o->start[i + 1] - o->start[i];
    }
    for (int i = 0; i < o->count; i += WINDOW)
    {
        int end = o->count - i < WINDOW ? o->count : i + WINDOW;
        SortWindow(o, o->order + i, end - i);
        DealWindow(o, i, end, left, dealt);
    }
    if (100 * CountRows(o, dealt, o->place) < 95 * CountRows(o, o->order, o->place))
    {
        memcpy(o->order, dealt, (size_t)o->count * sizeof(int));
    }
}

bool RSL_NAME(rslSlots_Order)(const rslBody* body, const int* start, const Entry* entries, const rslHooks* hooks,
                              int* order)
{
    Orderer o = { start, entries, hooks, body->firstNode, body->nodeCount, order, NULL };
    for (int i = 0; i < o.count; ++i)
    {
        order[i] = i;
    }
    o.place = rslAllocate(hooks, (size_t)o.count, sizeof(int));
    int* left = rslAllocate(hooks, (size_t)o.count, sizeof(int));
    int* dealt = rslAllocate(hooks, (size_t)o.count, sizeof(int));
    bool made = o.place != NULL && left != NULL && dealt != NULL && (!IsScattered(&o) || MakeBandOrder(&o));
    if (made)
    {
        SortWindows(&o, left, dealt);
    }
    rslRelease(hooks, o.place);
    rslRelease(hooks, left);
    rslRelease(hooks, dealt);
    return made;
}
