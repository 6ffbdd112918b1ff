// SPDX-License-Identifier: MIT
//
// team.c: see team.h.
//
// Items are cut into ranges, up to 16 of them, and every thread begins with its own: what it has worked on before is near
// it, and where cores are far apart that is most of what a step takes. Who is done goes on with the ranges of others.
// Items of a range are handed out from a ticket: the number of the call (epoch) in its upper half, the next item in its
// lower half. Whoever wants items advances the ticket by compare-and-swap; that fails for a call that is over, so that a
// thread which wakes up late finds nothing and keeps nobody waiting: on a busy machine the caller simply does all the
// work. The caller waits only for items that others have begun.
//
// A worker waits for a new epoch by spinning for some tens of microseconds, which is what a step of a small body takes,
// and then sleeps. Sleeping and waking use one mutex and sequentially consistent counters, so that "I am going to
// sleep" and "there is new work" cannot miss each other.

#define _GNU_SOURCE  // sched_getaffinity

#include "team.h"

#include "memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum
{
    MAX_THREADS = 256,
    MAX_RANGES = 16,  // every one of them is written for every call
    LINE = 64,
    SPINS = 4000,
    HOST_WIDTH = 8
};

// A line of the cache for each.
typedef struct Range
{
    atomic_ullong ticket;
    char apart[LINE - sizeof(atomic_ullong)];
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
    rslRunTasks* runTasks;
    void* user;
    int threads;  // with the caller's
    int spins;

    // the call of the current epoch; read only by who holds an item of it
    _Atomic(rslTask*) task;
    _Atomic(void*) context;
    atomic_int count, grain;  // grain: items taken at a time
    int rangeCount;

    char before[LINE];
    Range ranges[MAX_RANGES];
    atomic_uint epoch;
    char between[LINE];
    atomic_int finished;  // items
    atomic_int sleepers;  // workers that sleep or are about to
    atomic_bool waiting;  // the caller sleeps or is about to
    atomic_bool stop;
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    Worker workers[MAX_THREADS];
};

#define CLOSED 0xffffffffull  // no item left, whatever the count

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

static void Finish(rslTeam* team, int items, int count)
{
    if (atomic_fetch_add(&team->finished, items) + items == count && atomic_load(&team->waiting))
    {
        pthread_mutex_lock(&team->mutex);
        pthread_cond_signal(&team->done);
        pthread_mutex_unlock(&team->mutex);
    }
}

// Take items of an epoch from a range until none is left. False: the epoch is over.
static bool WorkOnRange(rslTeam* team, unsigned epoch, int range)
{
    atomic_ullong* source = &team->ranges[range].ticket;
    for (;;)
    {
        unsigned long long ticket = atomic_load(source), next = ticket & CLOSED;
        int count = atomic_load(&team->count), grain = atomic_load(&team->grain);
        int first = BeginOf(team, count, range), size = BeginOf(team, count, range + 1) - first;
        if (EpochOf(ticket) != epoch)
        {
            return false;
        }
        if (next >= (unsigned long long)size)
        {
            return true;
        }
        int begin = (int)next, end = size - begin < grain ? size : begin + grain;
        unsigned long long taken = (ticket - next) + (unsigned long long)end;
        if (!atomic_compare_exchange_strong(source, &ticket, taken))
        {
            continue;
        }
        rslTask* task = atomic_load(&team->task);
        void* context = atomic_load(&team->context);
        for (int item = begin; item < end; ++item)
        {
            task(first + item, context);
        }
        Finish(team, end - begin, count);
    }
}

static void WorkOn(rslTeam* team, unsigned epoch, int home)
{
    bool goesOn = true;
    for (int r = 0; goesOn && r < team->rangeCount; ++r)
    {
        goesOn = WorkOnRange(team, epoch, (home + r) % team->rangeCount);
    }
}

// Returns an epoch other than the one seen.
static unsigned AwaitEpoch(rslTeam* team, unsigned seen)
{
    for (int i = 0; i < team->spins; ++i)
    {
        unsigned epoch = atomic_load_explicit(&team->epoch, memory_order_acquire);
        if (epoch != seen)
        {
            return epoch;
        }
        Pause();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->epoch) == seen)
    {
        pthread_cond_wait(&team->wake, &team->mutex);
    }
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
    return atomic_load(&team->epoch);
}

static void* Work(void* argument)
{
    const Worker* worker = argument;
    rslTeam* team = worker->team;
    unsigned epoch = 0;
    for (;;)
    {
        epoch = AwaitEpoch(team, epoch);
        if (atomic_load(&team->stop))
        {
            return NULL;
        }
        WorkOn(team, epoch, worker->home);
    }
}

// Open the next epoch and wake who sleeps. Returns its number.
static unsigned Publish(rslTeam* team)
{
    unsigned epoch = atomic_load(&team->epoch) + 1;
    for (int r = 0; r < team->rangeCount; ++r)
    {
        atomic_store(&team->ranges[r].ticket, (unsigned long long)epoch << 32);
    }
    atomic_store(&team->epoch, epoch);
    if (atomic_load(&team->sleepers) > 0)
    {
        pthread_mutex_lock(&team->mutex);
        pthread_cond_broadcast(&team->wake);
        pthread_mutex_unlock(&team->mutex);
    }
    return epoch;
}

static void AwaitFinished(rslTeam* team, int count)
{
    for (int i = 0; i < team->spins; ++i)
    {
        if (atomic_load_explicit(&team->finished, memory_order_acquire) == count)
        {
            return;
        }
        Pause();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->waiting, true);
    while (atomic_load(&team->finished) < count)
    {
        pthread_cond_wait(&team->done, &team->mutex);
    }
    atomic_store(&team->waiting, false);
    pthread_mutex_unlock(&team->mutex);
}

rslTeam* rslTeam_Create(const rslHooks* hooks, int threads, rslRunTasks* runTasks, void* user)
{
    rslHooks complete = rslHooks_Complete(hooks);
    rslTeam* team = rslAllocate(&complete, 1, sizeof(rslTeam));
    if (team == NULL)
    {
        return NULL;
    }
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
    atomic_store(&team->stop, true);
    Publish(team);
    for (int i = 1; i < team->threads; ++i)
    {
        pthread_join(team->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->mutex);
    rslHooks hooks = team->hooks;
    rslRelease(&hooks, team);
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
    // close the last epoch before its fields change, so that nobody takes an item of it any more
    for (int r = 0; r < team->rangeCount; ++r)
    {
        atomic_fetch_or(&team->ranges[r].ticket, CLOSED);
    }
    atomic_store(&team->task, task);
    atomic_store(&team->context, context);
    atomic_store(&team->count, count);
    atomic_store(&team->grain, 1 + count / (8 * team->threads));
    atomic_store(&team->finished, 0);
    WorkOn(team, Publish(team), 0);
    AwaitFinished(team, count);
}
