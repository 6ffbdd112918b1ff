// SPDX-License-Identifier: MIT
//
// team.c: see team.h.
//
// Items are cut into ranges, up to 16 of them, and every thread begins with its own: what it has worked on before is near
// it, and where cores are far apart that is most of what a step takes. Who is done goes on with the ranges of others.
//
// What a thread must know of its range lies in one line of the cache, which it watches, so that a call costs it one trip of
// that line: the task, the items, and a ticket with the number of the call (epoch) in its upper half and the items left in
// its lower half. Whoever wants items lowers the ticket by compare-and-swap; that fails for a call that is over, so that a
// thread which wakes up late finds nothing and keeps nobody waiting: on a busy machine the caller simply does all the
// work. A range with nothing left stays so until its ticket is written anew, after all else in its line. The caller takes
// the first items of its own range before it writes that, and waits only for items that others have begun.
//
// A worker waits for a new epoch by spinning for some tens of microseconds, which is what a step of a small body takes,
// and then sleeps. A call that begins in that moment may not see that a worker sleeps, nor the worker the call, since neither
// waits for its stores to arrive; so a worker looks again after a millisecond before it sleeps for good.

#define _GNU_SOURCE  // sched_getaffinity

#include "team.h"

#include "memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum
{
    MAX_THREADS = 256,
    MAX_RANGES = 16,  // every one of them is written for every call
    LINE = 64,
#ifdef __wasm__
    SPINS = 40000,  // there is no instruction to pause: each is that much shorter
#else
    SPINS = 4000,
#endif
    HOST_WIDTH = 8
};

// A line of the cache for each. An item that is taken is (end - left), with the items left before it was taken.
typedef struct Range
{
    _Alignas(LINE) atomic_ullong ticket;
    _Atomic(rslTask*) task;
    _Atomic(void*) context;
    atomic_int end;    // the item after its last
    atomic_int grain;  // items taken at a time
} Range;

typedef struct Worker
{
    rslTeam* team;
    pthread_t thread;
    int home;  // the range that it begins with
} Worker;

struct rslTeam
{
    rslHooks hooks;
    void* memory;  // what was allocated: the team begins with a line in it
    rslRunTasks* runTasks;
    void* user;
    int threads;  // with the caller's
    int spins;
    int rangeCount;
    Range ranges[MAX_RANGES];
    _Alignas(LINE) atomic_uint finished;  // items that workers have finished since the team was made
    atomic_bool waiting;                  // the caller sleeps or is about to
    _Alignas(LINE) unsigned epoch;        // of the last call
    atomic_int sleepers;                  // workers that sleep or are about to
    atomic_bool stop;
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    Worker workers[MAX_THREADS];
};

#define LEFT 0xffffffffull  // of a ticket: items left

static int AvailableThreads(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
    {
        return CPU_COUNT(&set);
    }
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

static void Pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static unsigned EpochOf(unsigned long long ticket)
{
    return (unsigned)(ticket >> 32);
}

// The first item of a range.
static int BeginOf(const rslTeam* team, int count, int range)
{
    return (int)((long long)count * range / team->rangeCount);
}

// Take items of an epoch from a range until none is left, and tell how many they were. What is read from the line belongs
// to the epoch whenever the exchange succeeds: a new ticket is released after all else, all else after the old ticket.
static int WorkOnRange(Range* range, unsigned epoch)
{
    int finished = 0;
    unsigned long long ticket = atomic_load_explicit(&range->ticket, memory_order_acquire);
    while (EpochOf(ticket) == epoch && (ticket & LEFT) > 0)
    {
        rslTask* task = atomic_load_explicit(&range->task, memory_order_acquire);
        void* context = atomic_load_explicit(&range->context, memory_order_acquire);
        int end = atomic_load_explicit(&range->end, memory_order_acquire);
        int grain = atomic_load_explicit(&range->grain, memory_order_acquire);
        int left = (int)(ticket & LEFT), taken = left < grain ? left : grain;
        if (atomic_compare_exchange_strong_explicit(&range->ticket, &ticket, ticket - (unsigned)taken,
                                                    memory_order_acq_rel, memory_order_acquire))
        {
            for (int item = end - left; item < end - left + taken; ++item)
            {
                task(item, context);
            }
            finished += taken;
            ticket = atomic_load_explicit(&range->ticket, memory_order_acquire);
        }
    }
    return finished;
}

// What a worker does of an epoch. The caller must not miss the last items while it goes to sleep: either it sees them in
// time or it is seen waiting.
static void Help(rslTeam* team, unsigned epoch, int home)
{
    for (int r = 0; r < team->rangeCount; ++r)
    {
        int items = WorkOnRange(&team->ranges[(home + r) % team->rangeCount], epoch);
        if (items == 0)
        {
            continue;
        }
        atomic_fetch_add(&team->finished, (unsigned)items);
        if (atomic_load(&team->waiting))
        {
            pthread_mutex_lock(&team->mutex);
            pthread_cond_signal(&team->done);
            pthread_mutex_unlock(&team->mutex);
        }
    }
}

static unsigned EpochAt(const Range* range)
{
    return EpochOf(atomic_load_explicit(&range->ticket, memory_order_acquire));
}

// Returns an epoch other than the one seen; the same one when the team stops.
static unsigned AwaitEpoch(rslTeam* team, const Range* range, unsigned seen)
{
    for (int i = 0; i < team->spins; ++i)
    {
        unsigned epoch = EpochAt(range);
        if (epoch != seen)
        {
            return epoch;
        }
        Pause();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000000;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    bool looked = false;
    while (EpochAt(range) == seen && !atomic_load(&team->stop))
    {
        if (looked)
        {
            pthread_cond_wait(&team->wake, &team->mutex);
        }
        else
        {
            looked = pthread_cond_timedwait(&team->wake, &team->mutex, &soon) != 0;
        }
    }
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
    return EpochAt(range);
}

static void* Work(void* argument)
{
    const Worker* worker = argument;
    rslTeam* team = worker->team;
    const Range* range = &team->ranges[worker->home];
    unsigned seen = 0;
    for (;;)
    {
        unsigned epoch = AwaitEpoch(team, range, seen);
        if (epoch == seen)
        {
            return NULL;
        }
        Help(team, epoch, worker->home);
        seen = epoch;
    }
}

static void Wake(rslTeam* team)
{
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->mutex);
}

// Wait until others have finished as many items as the counter then says.
static void AwaitFinished(rslTeam* team, unsigned finished)
{
    for (int i = 0; i < team->spins; ++i)
    {
        if (atomic_load_explicit(&team->finished, memory_order_acquire) == finished)
        {
            return;
        }
        Pause();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->waiting, true);
    while (atomic_load(&team->finished) != finished)
    {
        pthread_cond_wait(&team->done, &team->mutex);
    }
    atomic_store(&team->waiting, false);
    pthread_mutex_unlock(&team->mutex);
}

rslTeam* rslTeam_Create(const rslHooks* hooks, int threads, rslRunTasks* runTasks, void* user)
{
    rslHooks complete = rslHooks_Complete(hooks);
    void* memory = rslAllocate(&complete, 1, sizeof(rslTeam) + LINE);
    if (memory == NULL)
    {
        return NULL;
    }
    rslTeam* team = (rslTeam*)((char*)memory + (LINE - (uintptr_t)memory % LINE));
    team->memory = memory;
    int available = AvailableThreads();
    int wanted = threads > 0 ? threads : available;
    team->hooks = complete;
    team->runTasks = runTasks;
    team->user = user;
    team->threads = runTasks ? 1 : wanted < MAX_THREADS ? wanted : MAX_THREADS;
    team->spins = team->threads > available ? 0 : SPINS;  // spinning would keep the others from their core
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->wake, NULL);
    pthread_cond_init(&team->done, NULL);
    // fewer workers than asked for is no failure: results do not depend on their number, and ranges that nobody begins
    // with are for all
    team->rangeCount = team->threads < MAX_RANGES ? team->threads : MAX_RANGES;
    int started = 1;
    for (bool starts = true; starts && started < team->threads; started += starts)
    {
        Worker* worker = &team->workers[started];
        worker->team = team;
        worker->home = started * team->rangeCount / team->threads;
        starts = pthread_create(&worker->thread, NULL, Work, worker) == 0;
    }
    team->threads = started;
    return team;
}

void rslTeam_Free(rslTeam* team)
{
    if (team == NULL)
    {
        return;
    }
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->stop, true);
    pthread_mutex_unlock(&team->mutex);
    Wake(team);
    for (int i = 1; i < team->threads; ++i)
    {
        pthread_join(team->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->mutex);
    rslHooks hooks = team->hooks;
    rslRelease(&hooks, team->memory);
}

int rslTeam_Threads(const rslTeam* team)
{
    return team->threads;
}

int rslTeam_Width(const rslTeam* team)
{
    return team->runTasks != NULL ? HOST_WIDTH : team->threads;
}

void rslTeam_Run(rslTeam* team, rslTask* task, int count, void* context)
{
    if (team->runTasks != NULL)
    {
        team->runTasks(task, count, context, team->user);
        return;
    }
    if (team->threads == 1 || count <= 1)
    {
        for (int item = 0; item < count; ++item)
        {
            task(item, context);
        }
        return;
    }
    const unsigned epoch = ++team->epoch, before = atomic_load_explicit(&team->finished, memory_order_relaxed);
    const int grain = 1 + count / (8 * team->threads), size = BeginOf(team, count, 1),
              first = size < grain ? size : grain;
    for (int r = 0; r < team->rangeCount; ++r)
    {
        Range* range = &team->ranges[r];
        int end = BeginOf(team, count, r + 1), left = r == 0 ? size - first : end - BeginOf(team, count, r);
        atomic_store_explicit(&range->task, task, memory_order_release);
        atomic_store_explicit(&range->context, context, memory_order_release);
        atomic_store_explicit(&range->end, end, memory_order_release);
        atomic_store_explicit(&range->grain, grain, memory_order_release);
        atomic_store_explicit(&range->ticket, (unsigned long long)epoch << 32 | (unsigned)left, memory_order_release);
    }
    if (atomic_load(&team->sleepers) > 0)
    {
        Wake(team);
    }
    for (int item = 0; item < first; ++item)
    {
        task(item, context);
    }
    int own = first;
    for (int r = 0; r < team->rangeCount; ++r)
    {
        own += WorkOnRange(&team->ranges[r], epoch);
    }
    AwaitFinished(team, before + (unsigned)(count - own));
}
