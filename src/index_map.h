// SPDX-License-Identifier: MIT
//
// index_map.h: from 64-bit keys to numbers, by open addressing.

#pragma once

#include "resilin/base.h"

typedef struct rslIndexMap
{
    uint64_t* keys;  // key + 1; 0 is free
    int* values;
    size_t count, capacity;  // capacity is 0 or a power of two
    rslHooks hooks;
} rslIndexMap;

rslIndexMap rslIndexMap_Make(const rslHooks* hooks);  // complete hooks
void rslIndexMap_Free(rslIndexMap* map);

// The value of a key below 2^64 - 1, made as absent when the key is new. NULL when out of memory. Valid until the next
// call.
int* rslIndexMap_Put(rslIndexMap* map, uint64_t key, int absent);
