// SPDX-License-Identifier: MIT
//
// bench_memory.c: memory that is counted, and refused before the machine has none left.

#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    // bytes before a block, which keep its size: a whole line of the cache, so that it lies as it would without
    HEAD = 64
};

static void* Allocate(size_t bytes, void* user)
{
    cliMemory* memory = user;
    if (bytes > SIZE_MAX - HEAD || atomic_fetch_add(&memory->live, bytes) + bytes > memory->limit)
    {
        atomic_fetch_sub(&memory->live, bytes > SIZE_MAX - HEAD ? 0 : bytes);
        return NULL;
    }
    char* block = malloc(bytes + HEAD);
    if (block == NULL)
    {
        atomic_fetch_sub(&memory->live, bytes);
        return NULL;
    }
    memcpy(block, &bytes, sizeof bytes);
    size_t live = atomic_load(&memory->live), peak = atomic_load(&memory->peak);
    while (live > peak && !atomic_compare_exchange_weak(&memory->peak, &peak, live))
    {
    }
    return block + HEAD;
}

static void Release(void* block, void* user)
{
    cliMemory* memory = user;
    if (block != NULL)
    {
        char* whole = (char*)block - HEAD;
        size_t bytes;
        memcpy(&bytes, whole, sizeof bytes);
        atomic_fetch_sub(&memory->live, bytes);
        free(whole);
    }
}

rslHooks cliMemory_Hooks(cliMemory* memory)
{
    return (rslHooks){ .allocate = Allocate, .release = Release, .user = memory };
}

void* cliMemory_Take(cliMemory* memory, size_t count, size_t size)
{
    void* block = count == 0 || size <= SIZE_MAX / count ? Allocate(count * size, memory) : NULL;
    return block != NULL ? memset(block, 0, count * size) : NULL;
}

void cliMemory_Release(cliMemory* memory, void* block)
{
    Release(block, memory);
}

// The number after a word in a small text file; with the word "" its first one. 0: there is none.
static double ReadNumber(const char* path, const char* word)
{
    char text[4096] = "";
    FILE* file = fopen(path, "r");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL)
    {
        fclose(file);
    }
    text[length] = 0;
    const char* at = strstr(text, word);
    return at != NULL ? strtod(at + strlen(word), NULL) : 0.0;
}

size_t cliMemory_Available(void)
{
    double least = 1024.0 * ReadNumber("/proc/meminfo", "MemAvailable:");
    if (least <= 0.0)
    {
        least = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    }
    // "max" is no number, so there is no limit then
    double limit = ReadNumber("/sys/fs/cgroup/memory.max", "");
    double left = limit - ReadNumber("/sys/fs/cgroup/memory.current", "");
    return (size_t)(limit > 0.0 && left < least ? (left > 0.0 ? left : 0.0) : least);
}
