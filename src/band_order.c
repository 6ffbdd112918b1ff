// SPDX-License-Identifier: MIT
//
// band_order.c: see band_order.h. Breadth first from a node at the rim, the neighbours of a node in the order of how
// many they have themselves (Cuthill and McKee 1969). A search that begins anywhere ends at the rim. Nothing is
// gained by reversing the order: it would help factors of matrices only.

#include "band_order.h"

#include "memory.h"

enum
{
    FEW = 64  // what is sorted by insertion
};

typedef struct Search
{
    const int *start, *other;
    uint8_t* times;  // that a node was found
    int* order;
} Search;

static int Degree(const Search* s, int node)
{
    return s->start[node + 1] - s->start[node];
}

// Equal ones keep their order.
static void SortByDegree(const Search* s, int begin, int end)
{
    for (int i = begin + 1; end - begin <= FEW && i < end; ++i)
    {
        int node = s->order[i], at = i;
        for (; at > begin && Degree(s, s->order[at - 1]) > Degree(s, node); --at)
        {
            s->order[at] = s->order[at - 1];
        }
        s->order[at] = node;
    }
}

// All that is joined to a node, of what was found so many times before, into the order from a place on; returns where
// it ends.
static int FindFrom(Search* s, int node, int begin, uint8_t times)
{
    int end = begin;
    s->order[end++] = node;
    s->times[node] += 1;
    for (int at = begin; at < end; ++at)
    {
        int first = end;
        for (int e = s->start[s->order[at]]; e < s->start[s->order[at] + 1]; ++e)
        {
            int found = s->other[e];
            if (s->times[found] == times)
            {
                s->times[found] += 1;
                s->order[end++] = found;
            }
        }
        SortByDegree(s, first, end);
    }
    return end;
}

bool rslBandOrder_Make(int count, const int* start, const int* other, const rslHooks* hooks, int* order)
{
    Search s = { start, other, rslAllocate(hooks, (size_t)count, sizeof(uint8_t)), order };
    bool made = s.times != NULL;
    for (int node = 0, at = 0; made && node < count; ++node)
    {
        if (s.times[node] == 0)
        {
            int end = FindFrom(&s, node, at, 0);
            at = FindFrom(&s, order[end - 1], at, 1);
        }
    }
    rslRelease(hooks, s.times);
    return made;
}
