// SPDX-License-Identifier: MIT
//
// sort.c: radix sort, eleven bits at a time from the lowest; digits that all keys share are skipped.

#include "sort.h"

#include "memory.h"

#include <string.h>

enum
{
    BITS = 11,
    DIGITS = 1 << BITS,
};

// One stable pass from a to b. False when every key has the same digit and nothing was moved.
static bool Pass(const uint64_t* keys, const int* values, uint64_t* sortedKeys, int* sortedValues, size_t count,
                 int shift, size_t* places)
{
    memset(places, 0, DIGITS * sizeof *places);
    for (size_t i = 0; i < count; ++i)
    {
        places[keys[i] >> shift & (DIGITS - 1)] += 1;
    }
    size_t sum = 0;
    for (size_t d = 0; d < DIGITS; ++d)
    {
        if (places[d] == count)
        {
            return false;
        }
        size_t here = places[d];
        places[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; ++i)
    {
        size_t to = places[keys[i] >> shift & (DIGITS - 1)]++;
        sortedKeys[to] = keys[i];
        sortedValues[to] = values[i];
    }
    return true;
}

bool rslSort(const rslHooks* hooks, uint64_t* keys, int* values, size_t count)
{
    uint64_t* otherKeys = rslAllocate(hooks, count, sizeof *otherKeys);
    int* otherValues = rslAllocate(hooks, count, sizeof *otherValues);
    size_t* places = rslAllocate(hooks, DIGITS, sizeof *places);
    bool ready = otherKeys != NULL && otherValues != NULL && places != NULL;
    uint64_t *fromKeys = keys, *toKeys = otherKeys;
    int *fromValues = values, *toValues = otherValues;
    for (int shift = 0; ready && count > 1 && shift < 64; shift += BITS)
    {
        if (Pass(fromKeys, fromValues, toKeys, toValues, count, shift, places))
        {
            uint64_t* k = fromKeys;
            fromKeys = toKeys;
            toKeys = k;
            int* v = fromValues;
            fromValues = toValues;
            toValues = v;
        }
    }
    if (ready && fromKeys != keys)
    {
        memcpy(keys, fromKeys, count * sizeof *keys);
        memcpy(values, fromValues, count * sizeof *values);
    }
    rslRelease(hooks, otherKeys);
    rslRelease(hooks, otherValues);
    rslRelease(hooks, places);
    return ready;
}
