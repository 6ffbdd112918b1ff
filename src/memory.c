// SPDX-License-Identifier: MIT
//
// memory.c: see memory.h.

#include "memory.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void* DefaultAllocate(size_t bytes, void* user)
{
    (void)user;
    return malloc(bytes);
}

static void DefaultRelease(void* memory, void* user)
{
    (void)user;
    free(memory);
}

rslHooks rslHooks_Complete(const rslHooks* hooks)
{
    rslHooks complete = hooks ? *hooks : (rslHooks){ 0 };
    // an allocator is one thing: half of one would mix two heaps
    if (complete.allocate == NULL || complete.release == NULL)
    {
        complete.allocate = DefaultAllocate;
        complete.release = DefaultRelease;
    }
    return complete;
}

void* rslAllocate(const rslHooks* hooks, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 2) / size)
    {
        return NULL;
    }
    size_t bytes = count * size;
    void* memory = hooks->allocate(bytes ? bytes : 1, hooks->user);
    if (memory != NULL)
    {
        memset(memory, 0, bytes);
    }
    return memory;
}

void rslRelease(const rslHooks* hooks, void* memory)
{
    if (memory != NULL)
    {
        hooks->release(memory, hooks->user);
    }
}

// ---- arenas ---------------------------------------------------------------------------------------------------------

// Large blocks begin where pages do. Arrays that are walked side by side would take the same places of a cache, so each block of them begins its
// arrays some lines later in a page than the one before.
enum
{
    BLOCK = 16384,
    LINE = 64,  // of the cache; arrays of at least that begin one
    APART = 5,  // lines
    PAGE_LINES = 64
};

// Arrays lie from the beginning of a line on, wherever the host has put the block: so gaps depend on sizes alone.
struct rslArenaBlock
{
    rslArenaBlock* next;
    unsigned char* first;
    size_t used, capacity;  // from there
    size_t bytes;           // taken from the allocator
};

rslArena rslArena_Make(const rslHooks* hooks)
{
    return (rslArena){ .hooks = rslHooks_Complete(hooks) };
}

static rslArenaBlock* AddBlock(rslArena* arena, size_t bytes)
{
    const bool large = bytes > BLOCK;
    const size_t later = large ? LINE * (APART * (size_t)arena->large++ % PAGE_LINES) : 0;
    const size_t capacity = large ? bytes : BLOCK, all = sizeof(rslArenaBlock) + LINE + later + capacity;
    rslArenaBlock* block = rslAllocate(&arena->hooks, 1, all);
    if (block != NULL)
    {
        unsigned char* after = (unsigned char*)(block + 1);
        *block = (rslArenaBlock){ .next = arena->blocks, .capacity = capacity, .bytes = all };
        block->first = after + (LINE - (uintptr_t)after % LINE) % LINE + later;
        arena->blocks = block;
    }
    return block;
}

void* rslArena_Allocate(rslArena* arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 4) / size)
    {
        return NULL;
    }
    const size_t bytes = count * size, align = bytes < LINE ? alignof(max_align_t) : LINE;
    rslArenaBlock* block = arena->blocks;
    size_t begin = block != NULL ? (block->used + align - 1) / align * align : 0;
    if (block == NULL || begin > block->capacity || block->capacity - begin < bytes)
    {
        block = AddBlock(arena, bytes);
        begin = 0;
    }
    if (block == NULL)
    {
        return NULL;
    }
    block->used = begin + bytes;
    return block->first + begin;
}

char* rslArena_Copy(rslArena* arena, const char* text, size_t length)
{
    char* copy = rslArena_Allocate(arena, length + 1, 1);
    if (copy != NULL)
    {
        memcpy(copy, text, length);
    }
    return copy;
}

size_t rslArena_Bytes(const rslArena* arena)
{
    size_t bytes = 0;
    for (const rslArenaBlock* block = arena->blocks; block != NULL; block = block->next)
    {
        bytes += block->bytes;
    }
    return bytes;
}

void rslArena_Free(rslArena* arena)
{
    while (arena->blocks != NULL)
    {
        rslArenaBlock* next = arena->blocks->next;
        rslRelease(&arena->hooks, arena->blocks);
        arena->blocks = next;
    }
}

bool rslGrow(const rslHooks* hooks, void** items, size_t count, size_t* capacity, size_t size)
{
    if (count < *capacity)
    {
        return true;
    }
    size_t wanted = *capacity ? 2 * *capacity : 16;
    void* larger = rslAllocate(hooks, wanted, size);
    if (larger == NULL)
    {
        return false;
    }
    if (*items != NULL)
    {
        memcpy(larger, *items, count * size);
        rslRelease(hooks, *items);
    }
    *items = larger;
    *capacity = wanted;
    return true;
}
