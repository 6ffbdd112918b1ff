// SPDX-License-Identifier: MIT
//
// memory.h: the allocator behind the hooks, an arena for things that die together, a growing array.

#pragma once

#include "resilin/base.h"

// A copy of the hooks with the defaults filled in.
rslHooks rslHooks_Complete(const rslHooks* hooks);

// Zeroed memory for count items of size bytes; NULL when out of memory or when the product overflows.
void* rslAllocate(const rslHooks* hooks, size_t count, size_t size);
void rslRelease(const rslHooks* hooks, void* memory);

// Memory that is released all at once. Start from rslArena_Make; blocks are chained, never moved.
typedef struct rslArenaBlock rslArenaBlock;
typedef struct rslArena
{
    rslHooks hooks;
    rslArenaBlock* blocks;
    int large;  // of them
} rslArena;

rslArena rslArena_Make(const rslHooks* hooks);
// Zeroed; from 64 bytes on it begins a line of the cache; NULL when out of memory.
void* rslArena_Allocate(rslArena* arena, size_t count, size_t size);
char* rslArena_Copy(rslArena* arena, const char* text, size_t length);  // adds the final zero
size_t rslArena_Bytes(const rslArena* arena);                           // taken from the allocator
void rslArena_Free(rslArena* arena);

// Make room for one more item in a growing array: doubles *capacity when count has reached it. False when out of
// memory (the array is then unchanged). The array belongs to the hooks' allocator.
bool rslGrow(const rslHooks* hooks, void** items, size_t count, size_t* capacity, size_t size);
