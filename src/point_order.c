// SPDX-License-Identifier: MIT
//
// point_order.c: rounds of points chosen at random, each twice as large as the one before (Amenta, Choi, Rote 2003,
// "Incremental constructions con BRIO"), along Hilbert's curve within a round.

#include "point_order.h"

#include "memory.h"
#include "random.h"
#include "sort.h"

enum
{
    CURVE_BITS = 18,  // of an axis
};

// Place on Hilbert's curve of a cell (Skilling 2004, "Programming the Hilbert curve").
static uint64_t CurvePlace(uint32_t x[3])
{
    for (uint32_t q = 1u << (CURVE_BITS - 1); q > 1; q >>= 1)
    {
        uint32_t low = q - 1;
        for (int i = 0; i < 3; ++i)
        {
            uint32_t t = x[i] & q ? low : (x[0] ^ x[i]) & low;
            x[0] ^= t;
            x[i] ^= x[i] & q ? 0 : t;
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    uint32_t t = 0;
    for (uint32_t q = 1u << (CURVE_BITS - 1); q > 1; q >>= 1)
    {
        t ^= x[2] & q ? q - 1 : 0;
    }
    uint64_t place = 0;
    for (int bit = CURVE_BITS - 1; bit >= 0; --bit)
    {
        for (int i = 0; i < 3; ++i)
        {
            place = place << 1 | ((x[i] ^ t) >> bit & 1);
        }
    }
    return place;
}

// Half of the points are in the last round, half of the others in the one before, and so on.
static uint64_t Round(rslRandom* random, int count)
{
    uint64_t bits = rslRandom_Bits(random), round = 31;
    for (; count > 64 && (bits & 1) != 0; count /= 2, bits >>= 1)
    {
        --round;
    }
    return round;
}

// Half the width of all is given: it fits into a double where the width itself may not.
static uint64_t Key(const double* point, const double low[3], double width, uint64_t round)
{
    uint32_t cell[3];
    for (int a = 0; a < 3; ++a)
    {
        double part = width > 0.0 ? (point[a] / 2 - low[a] / 2) / width : 0.0;
        cell[a] = (uint32_t)(part * ((1 << CURVE_BITS) - 1));
    }
    return round << (3 * CURVE_BITS) | CurvePlace(cell);
}

bool rslPointOrder(const double* points, int count, const rslHooks* hooks, int* order)
{
    uint64_t* keys = rslAllocate(hooks, (size_t)count, sizeof *keys);
    double low[3], width = 0.0;
    for (int a = 0; keys != NULL && a < 3; ++a)
    {
        double high = low[a] = points[a];
        for (int i = 1; i < count; ++i)
        {
            double x = points[3 * (size_t)i + (size_t)a];
            low[a] = x < low[a] ? x : low[a];
            high = x > high ? x : high;
        }
        width = high / 2 - low[a] / 2 > width ? high / 2 - low[a] / 2 : width;
    }
    rslRandom random = { 1 };
    for (int i = 0; keys != NULL && i < count; ++i)
    {
        keys[i] = Key(points + 3 * (size_t)i, low, width, Round(&random, count));
        order[i] = i;
    }
    bool sorted = keys != NULL && rslSort(hooks, keys, order, (size_t)count);
    rslRelease(hooks, keys);
    return sorted;
}
