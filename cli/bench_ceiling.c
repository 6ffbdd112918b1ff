// SPDX-License-Identifier: MIT
//
// bench_ceiling.c: what the machine can do at best: bytes a second from memory and caches, operations a second in registers, on one
// thread and on several at once. Every thread has arrays of its own; rates of threads that run at the same time are added.

#include "bench.h"
#include "bench_peak.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum
{
    MOST_THREADS = 256
};

typedef enum Measure
{
    ORDINARY,
    STREAMED,
    READ,
    LEVEL_2,
    LEVEL_3,
    FUSED_SINGLE,
    FUSED_DOUBLE,
    SEPARATE_SINGLE,
    SEPARATE_DOUBLE,
    MEASURES
} Measure;

// One thread's part.
typedef struct Part
{
    Measure measure;
    double* arrays[3];
    size_t count;  // numbers of each
    double seconds, rate;
    atomic_bool* started;
    pthread_t thread;
} Part;

// ---- memory ---------------------------------------------------------------------------------------------------------

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE __attribute__((target("avx2")))
#define HAS_WIDE __builtin_cpu_supports("avx2")
#else
#define WIDE
#define HAS_WIDE false
#endif

static void Triad(double* restrict a, const double* restrict b, const double* restrict c, size_t count, double s)
{
    for (size_t i = 0; i < count; ++i)
    {
        a[i] = b[i] + s * c[i];
    }
}

WIDE static void WideTriad(double* restrict a, const double* restrict b, const double* restrict c, size_t count,
                           double s)
{
    for (size_t i = 0; i < count; ++i)
    {
        a[i] = b[i] + s * c[i];
    }
}

// Stores that do not read the line first.
static void Stream(double* restrict a, const double* restrict b, const double* restrict c, size_t count, double s)
{
#if defined(__SSE2__)
    const __m128d factor = _mm_set1_pd(s);
    for (size_t i = 0; i + 2 <= count; i += 2)
    {
        _mm_stream_pd(&a[i], _mm_add_pd(_mm_load_pd(&b[i]), _mm_mul_pd(factor, _mm_load_pd(&c[i]))));
    }
    _mm_sfence();
#else
    Triad(a, b, c, count, s);
#endif
}

// Several sums at once, since one would wait for itself.
static double Sum(const double* a, const double* b, const double* c, size_t count)
{
    double sums[3][8] = { { 0.0 } }, sum = 0.0;
    for (size_t i = 0; i + 8 <= count; i += 8)
    {
        for (size_t j = 0; j < 8; ++j)
        {
            sums[0][j] += a[i + j];
            sums[1][j] += b[i + j];
            sums[2][j] += c[i + j];
        }
    }
    for (size_t j = 0; j < 8; ++j)
    {
        sum += sums[0][j] + sums[1][j] + sums[2][j];
    }
    return sum;
}

// One pass; returns the bytes that it names.
static double Pass(const Part* part)
{
    double *a = part->arrays[0], *b = part->arrays[1], *c = part->arrays[2];
    double bytes = (double)(3 * part->count * sizeof(double));
    if (part->measure == READ)
    {
        volatile double kept = Sum(a, b, c, part->count);  // so that nothing is left out
        (void)kept;
    }
    else if (part->measure == STREAMED)
    {
        Stream(a, b, c, part->count, 1e-3);
    }
    else
    {
        (HAS_WIDE ? WideTriad : Triad)(a, b, c, part->count, 1e-3);
    }
    return bytes;
}

// Small arrays go round many times between two looks at the clock.
static double BandWidth(const Part* part)
{
    int repeats = (int)(4e6 / (double)part->count / 24.0) + 1;
    double bytes = 0.0, begin = cliClock(), now;
    do
    {
        for (int n = 0; n < repeats; ++n)
        {
            bytes += Pass(part);
        }
        now = cliClock();
    } while (now - begin < part->seconds);
    return 1e-9 * bytes / (now - begin);
}

// ---- threads --------------------------------------------------------------------------------------------------------

static void* RunPart(void* context)
{
    Part* part = context;
    while (!atomic_load(part->started))
    {
        sched_yield();
    }
    switch (part->measure)
    {
        case FUSED_SINGLE: part->rate = cliFused_Single(part->seconds); break;
        case FUSED_DOUBLE: part->rate = cliFused_Double(part->seconds); break;
        case SEPARATE_SINGLE: part->rate = PeakOf(peakSingle, part->seconds); break;
        case SEPARATE_DOUBLE: part->rate = PeakOf(peakDouble, part->seconds); break;
        default: part->rate = BandWidth(part); break;
    }
    return NULL;
}

// Numbers of each array of a thread.
static size_t CountFor(const cliCeilings* ceilings, Measure measure, int threads)
{
    size_t own = ceilings->level3 / (4 * (size_t)threads);
    size_t most = ceilings->count * sizeof(double) / (size_t)threads;
    size_t bytes = measure == LEVEL_2   ? ceilings->level2 / 2
                   : measure == LEVEL_3 ? (own > 2 * ceilings->level2 ? own : 2 * ceilings->level2)
                                        : most;
    return (bytes < most ? bytes : most) / (3 * sizeof(double)) / 8 * 8;
}

// The rate of all threads together.
static double Together(const cliCeilings* ceilings, Measure measure, int threads, double seconds)
{
    Part parts[MOST_THREADS];
    atomic_bool started = false;
    size_t count = CountFor(ceilings, measure, threads), apart = CountFor(ceilings, ORDINARY, threads);
    int made = 0;
    for (; made < threads; ++made)
    {
        Part* part = &parts[made];
        *part = (Part){ .measure = measure, .count = count, .seconds = seconds, .started = &started };
        for (size_t k = 0; k < 3; ++k)
        {
            part->arrays[k] = &ceilings->block[((size_t)made * 3 + k) * apart];
        }
        if (made > 0 && pthread_create(&part->thread, NULL, RunPart, part) != 0)
        {
            break;
        }
    }
    atomic_store(&started, true);
    RunPart(&parts[0]);
    double rate = parts[0].rate;
    for (int i = 1; i < made; ++i)
    {
        pthread_join(parts[i].thread, NULL);
        rate += parts[i].rate;
    }
    return rate;
}

// ---- trips ----------------------------------------------------------------------------------------------------------

// A line of the cache that two threads write by turns.
typedef struct Trips
{
    _Alignas(64) atomic_uint turn;
    _Alignas(64) unsigned count;
} Trips;

static void AwaitTurn(Trips* trips, unsigned turn)
{
    for (int spins = 1; atomic_load(&trips->turn) != turn; ++spins)
    {
        if (spins % 4096 == 0)
        {
            sched_yield();  // there may be one core only
        }
    }
}

static void* SendBack(void* context)
{
    Trips* trips = context;
    for (unsigned t = 0; t < trips->count; ++t)
    {
        AwaitTurn(trips, 2 * t + 1);
        atomic_store(&trips->turn, 2 * t + 2);
    }
    return NULL;
}

double cliCeilings_Trip(void)
{
    Trips trips = { .count = 4000 };
    pthread_t other;
    if (pthread_create(&other, NULL, SendBack, &trips) != 0)
    {
        return NAN;
    }
    double begin = 0.0;
    for (unsigned t = 0; t < trips.count; ++t)
    {
        begin = t == trips.count / 4 ? cliClock() : begin;  // the other one has started
        atomic_store(&trips.turn, 2 * t + 1);
        AwaitTurn(&trips, 2 * t + 2);
    }
    double seconds = cliClock() - begin;
    pthread_join(other, NULL);
    return seconds / (double)(trips.count - trips.count / 4);
}

// ---- all of it ------------------------------------------------------------------------------------------------------

static size_t CacheSize(int level)
{
    long size = 0;
#if defined(_SC_LEVEL2_CACHE_SIZE) && defined(_SC_LEVEL3_CACHE_SIZE)
    size = sysconf(level == 2 ? _SC_LEVEL2_CACHE_SIZE : _SC_LEVEL3_CACHE_SIZE);
#endif
    return size > 0 ? (size_t)size : level == 2 ? (size_t)1 << 20 : (size_t)32 << 20;
}

static void Keep(cliCeiling* side, Measure measure, double rate)
{
    double* const places[MEASURES] = { &side->ordinary, &side->memory,      &side->read,
                                       &side->cache[0], &side->cache[1],    &side->fused[0],
                                       &side->fused[1], &side->separate[0], &side->separate[1] };
    *places[measure] = fmax(*places[measure], rate);
    side->memory = fmax(side->memory, side->ordinary);
}

// Four times what the last cache holds: nothing is left of it when its turn comes again.
static bool MakeBlock(cliCeilings* ceilings)
{
    size_t bytes = (ceilings->small ? 1 : 4) * ceilings->level3, room = cliMemory_Available() / 8;
    bytes = (bytes < room ? bytes : room) / 64 * 64;
    ceilings->count = bytes / sizeof(double);
    ceilings->block = aligned_alloc(64, bytes);
    for (size_t i = 0; ceilings->block != NULL && i < ceilings->count; ++i)
    {
        ceilings->block[i] = 1.0;
    }
    return ceilings->block != NULL;
}

bool cliCeilings_Measure(cliCeilings* ceilings, int threads, double seconds)
{
    threads = threads > MOST_THREADS ? MOST_THREADS : threads;
    ceilings->threads = threads;
    ceilings->level2 = CacheSize(2);
    ceilings->level3 = CacheSize(3);
    if (ceilings->block == NULL && !MakeBlock(ceilings))
    {
        return false;
    }
    for (int measure = 0; measure < MEASURES; ++measure)
    {
        double each = seconds / (2 * MEASURES);
        Keep(&ceilings->sides[CLI_CEILING_ONE], (Measure)measure, Together(ceilings, (Measure)measure, 1, each));
        Keep(&ceilings->sides[CLI_CEILING_MANY], (Measure)measure,
             threads > 1 ? Together(ceilings, (Measure)measure, threads, each) : 0.0);
    }
    if (threads == 1)
    {
        ceilings->sides[CLI_CEILING_MANY] = ceilings->sides[CLI_CEILING_ONE];
    }
    return true;
}

void cliCeilings_Free(cliCeilings* ceilings)
{
    free(ceilings->block);
    ceilings->block = NULL;
}
