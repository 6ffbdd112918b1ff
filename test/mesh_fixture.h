// SPDX-License-Identifier: MIT
//
// mesh_fixture.h: what the tests of shapes, meshes and embedding share.

#pragma once

#include "resilin/base.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

typedef struct Random
{
    uint64_t state;
} Random;

// xorshift64*, the same on every machine
static inline double Uniform(Random* random, double low, double high)
{
    uint64_t x = random->state * 2862933555777941757u + 3037000493u;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return low + (high - low) * ((double)(x >> 11) * 0x1p-53);
}

static inline double Seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// An allocator that fails at one allocation and counts what is not released.
typedef struct Counter
{
    int made, live, failAt;  // failAt: the number of the allocation that fails, from 0; negative: none
} Counter;

static inline void* CountedAllocate(size_t bytes, void* user)
{
    Counter* counter = user;
    if (counter->made++ == counter->failAt)
    {
        return NULL;
    }
    counter->live += 1;
    return malloc(bytes);
}

static inline void CountedRelease(void* memory, void* user)
{
    Counter* counter = user;
    counter->live -= memory != NULL;
    free(memory);
}

// Run the work with the n-th allocation failing, for every n: it must say so and leave nothing behind.
static inline void FailEveryAllocation(rslStatus (*work)(const rslHooks*, void*), void* user)
{
    Counter counter = { .failAt = -1 };
    rslHooks hooks = { .allocate = CountedAllocate, .release = CountedRelease, .user = &counter };
    rslStatus expected = work(&hooks, user);
    int total = counter.made;
    assert_int_equal(counter.live, 0);
    assert_true(total > 0);
    for (int n = 0; n < total; ++n)
    {
        counter = (Counter){ .failAt = n };
        assert_int_equal(work(&hooks, user), rsl_outOfMemory);
        assert_int_equal(counter.live, 0);
    }
    counter = (Counter){ .failAt = -1 };
    assert_int_equal(work(&hooks, user), expected);
}
