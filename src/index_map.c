// SPDX-License-Identifier: MIT
//
// index_map.c: linear probing, at most two thirds full.

#include "index_map.h"

#include "memory.h"

rslIndexMap rslIndexMap_Make(const rslHooks* hooks)
{
    return (rslIndexMap){ .hooks = *hooks };
}

void rslIndexMap_Free(rslIndexMap* map)
{
    rslRelease(&map->hooks, map->keys);
    rslRelease(&map->hooks, map->values);
    *map = (rslIndexMap){ .hooks = map->hooks };
}

// the finaliser of a multiplicative hash: every bit of the key reaches the low bits
static uint64_t Mix(uint64_t key)
{
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15u;
    key ^= key >> 29;
    key *= 0xbf58476d1ce4e5b9u;
    return key ^ (key >> 32);
}

static size_t Slot(const rslIndexMap* map, uint64_t stored)
{
    size_t mask = map->capacity - 1, slot = (size_t)Mix(stored) & mask;
    while (map->keys[slot] != 0 && map->keys[slot] != stored)
    {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static bool Enlarge(rslIndexMap* map)
{
    rslIndexMap larger = { .hooks = map->hooks, .count = map->count };
    larger.capacity = map->capacity ? 2 * map->capacity : 64;
    larger.keys = rslAllocate(&map->hooks, larger.capacity, sizeof(uint64_t));
    larger.values = rslAllocate(&map->hooks, larger.capacity, sizeof(int));
    if (larger.keys == NULL || larger.values == NULL)
    {
        rslIndexMap_Free(&larger);
        return false;
    }
    for (size_t i = 0; i < map->capacity; ++i)
    {
        if (map->keys[i] != 0)
        {
            size_t slot = Slot(&larger, map->keys[i]);
            larger.keys[slot] = map->keys[i];
            larger.values[slot] = map->values[i];
        }
    }
    rslIndexMap_Free(map);
    *map = larger;
    return true;
}

int* rslIndexMap_Put(rslIndexMap* map, uint64_t key, int absent)
{
    if (3 * (map->count + 1) > 2 * map->capacity && !Enlarge(map))
    {
        return NULL;
    }
    size_t slot = Slot(map, key + 1);
    if (map->keys[slot] == 0)
    {
        map->keys[slot] = key + 1;
        map->values[slot] = absent;
        map->count += 1;
    }
    return &map->values[slot];
}
