// SPDX-License-Identifier: MIT
//
// nearest.c: a tree over points that halves the list along the longest side of its box. Unlike a grid of cells it does
// not care how unevenly the points lie.

#include "embed.h"
#include "halve.h"
#include "memory.h"
#include "vec.h"

#include <stdlib.h>

enum
{
    LEAF = 8,    // points in a range that is not halved further
    DEPTH = 48,  // of ranges waiting: one a level, of at most 32 levels
};

// A range longer than LEAF is halved at its middle element, which belongs to neither half and keeps its place;
// axis[middle] says along which axis.
struct rslNearest
{
    int count;
    int* index;           // the point at each place of the tree's order
    unsigned char* axis;  // at middles of halved ranges
    double* x;            // coordinates in the tree's order
    rslHooks hooks;
};

typedef struct Range
{
    int first, count;
    double squared;  // no point of the range is nearer than this
} Range;

static int LongestSide(const double* points, const int* index, int first, int count)
{
    double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int k = first; k < first + count; ++k)
    {
        const double* p = points + 3 * (size_t)index[k];
        for (int i = 0; i < 3; ++i)
        {
            lower[i] = p[i] < lower[i] ? p[i] : lower[i];
            upper[i] = p[i] > upper[i] ? p[i] : upper[i];
        }
    }
    int axis = 0;
    for (int i = 1; i < 3; ++i)
    {
        axis = upper[i] - lower[i] > upper[axis] - lower[axis] ? i : axis;
    }
    return axis;
}

static void Halve(rslNearest* nearest, const double* points)
{
    Range stack[DEPTH];
    int depth = 0;
    stack[depth++] = (Range){ 0, nearest->count, 0.0 };
    while (depth > 0)
    {
        Range range = stack[--depth];
        if (range.count <= LEAF)
        {
            continue;
        }
        int half = range.count / 2, middle = range.first + half;
        int axis = LongestSide(points, nearest->index, range.first, range.count);
        rslHalve(nearest->index + range.first, range.count, points, axis);
        nearest->axis[middle] = (unsigned char)axis;
        stack[depth++] = (Range){ range.first, half, 0.0 };
        stack[depth++] = (Range){ middle + 1, range.count - half - 1, 0.0 };
    }
}

rslStatus rslNearest_Create(const double* points, int n, const rslHooks* hooks, rslNearest** out)
{
    rslHooks complete = rslHooks_Complete(hooks);
    *out = NULL;
    rslNearest* nearest = rslAllocate(&complete, 1, sizeof *nearest);
    if (nearest == NULL)
    {
        return rsl_outOfMemory;
    }
    size_t count = (size_t)n;
    *nearest = (rslNearest){ .count = n, .hooks = complete };
    nearest->index = rslAllocate(&complete, count, sizeof(int));
    nearest->axis = rslAllocate(&complete, count, 1);
    nearest->x = rslAllocate(&complete, count, 3 * sizeof(double));
    if (nearest->index == NULL || nearest->axis == NULL || nearest->x == NULL)
    {
        rslNearest_Free(nearest);
        return rsl_outOfMemory;
    }
    for (int i = 0; i < n; ++i)
    {
        nearest->index[i] = i;
    }
    Halve(nearest, points);
    for (size_t k = 0; k < count; ++k)
    {
        for (size_t i = 0; i < 3; ++i)
        {
            nearest->x[3 * k + i] = points[3 * (size_t)nearest->index[k] + i];
        }
    }
    *out = nearest;
    return rsl_ok;
}

void rslNearest_Free(rslNearest* nearest)
{
    if (nearest == NULL)
    {
        return;
    }
    rslHooks hooks = nearest->hooks;
    rslRelease(&hooks, nearest->index);
    rslRelease(&hooks, nearest->axis);
    rslRelease(&hooks, nearest->x);
    rslRelease(&hooks, nearest);
}

static double Squared(const rslNearest* nearest, int place, rslVec3 p)
{
    const double* x = nearest->x + 3 * (size_t)place;
    double dx = x[0] - p.x, dy = x[1] - p.y, dz = x[2] - p.z;
    return dx * dx + dy * dy + dz * dz;
}

// Put both halves of a range on the stack, the one on the side of p on top. The other is beyond the plane through the
// middle point.
static int Descend(const rslNearest* nearest, Range range, rslVec3 p, Range* stack, int depth)
{
    int half = range.count / 2, middle = range.first + half, axis = nearest->axis[middle];
    double along = (axis == 0 ? p.x : axis == 1 ? p.y : p.z) - nearest->x[3 * (size_t)middle + (size_t)axis];
    double beyond = along * along > range.squared ? along * along : range.squared;
    Range low = { range.first, half, range.squared }, high = { middle + 1, range.count - half - 1, range.squared };
    if (along < 0.0)
    {
        high.squared = beyond;
        stack[depth++] = high;
        stack[depth++] = low;
    }
    else
    {
        low.squared = beyond;
        stack[depth++] = low;
        stack[depth++] = high;
    }
    return depth;
}

// The best found so far, sorted by distance, then index.
typedef struct Best
{
    int count, most;
    int* indices;
    double squared[RSL_NEAREST_MOST];
} Best;

static void Insert(Best* best, int index, double squared)
{
    int at = best->count;
    while (at > 0 &&
           (best->squared[at - 1] > squared || (best->squared[at - 1] == squared && best->indices[at - 1] > index)))
    {
        --at;
    }
    if (at == best->most)
    {
        return;
    }
    best->count += best->count < best->most;
    for (int i = best->count - 1; i > at; --i)
    {
        best->squared[i] = best->squared[i - 1];
        best->indices[i] = best->indices[i - 1];
    }
    best->squared[at] = squared;
    best->indices[at] = index;
}

int rslNearest_Find(const rslNearest* nearest, rslVec3 p, int k, int* indices, double* squared)
{
    RSL_ASSERT(0 < k && k <= RSL_NEAREST_MOST);
    Best best = { .most = k, .indices = indices };
    Range stack[DEPTH];
    int depth = 0;
    stack[depth++] = (Range){ 0, nearest->count, 0.0 };
    while (depth > 0)
    {
        Range range = stack[--depth];
        if (best.count == k && range.squared > best.squared[k - 1])
        {
            continue;
        }
        if (range.count > LEAF)
        {
            depth = Descend(nearest, range, p, stack, depth);
            range.first += range.count / 2;
            range.count = 1;
        }
        for (int place = range.first; place < range.first + range.count; ++place)
        {
            Insert(&best, nearest->index[place], Squared(nearest, place, p));
        }
    }
    for (int i = 0; squared != NULL && i < best.count; ++i)
    {
        squared[i] = best.squared[i];
    }
    return best.count;
}

static int ByIndex(const void* a, const void* b)
{
    int x = *(const int*)a, y = *(const int*)b;
    return (x > y) - (x < y);
}

int rslNearest_Within(const rslNearest* nearest, rslVec3 p, double radius, int* indices, int capacity)
{
    double limit = radius * radius;
    Range stack[DEPTH];
    int depth = 0, found = 0;
    stack[depth++] = (Range){ 0, nearest->count, 0.0 };
    while (depth > 0)
    {
        Range range = stack[--depth];
        if (range.squared > limit)
        {
            continue;
        }
        if (range.count > LEAF)
        {
            depth = Descend(nearest, range, p, stack, depth);
            range.first += range.count / 2;
            range.count = 1;
        }
        for (int place = range.first; place < range.first + range.count; ++place)
        {
            if (Squared(nearest, place, p) <= limit)
            {
                if (found < capacity)
                {
                    indices[found] = nearest->index[place];
                }
                ++found;
            }
        }
    }
    if (found > 0 && capacity > 0)
    {
        qsort(indices, (size_t)(found < capacity ? found : capacity), sizeof(int), ByIndex);
    }
    return found;
}
