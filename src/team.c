// SPDX-License-Identifier: MIT
//
// team.c: see team.h.
//
// A worker waits for a new epoch: it spins for some tens of microseconds, which is what a step of a small body takes,
// and then sleeps. Sleeping and waking use one mutex; the counters are sequentially consistent, so that "I am going to
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
    SPINS = 4000
};

// What a worker is told.
typedef struct WorkerStart
{
    rslTeam* team;
    int index;
} WorkerStart;

struct rslTeam
{
    rslHooks hooks;
    rslRunTasks* runTasks;
    void* user;
    int threads;  // with the caller's
    int started;  // workers that run
    int spins;

    // the work of the current epoch
    rslTask* task;
    int count;
    void* context;

    atomic_uint epoch;
    atomic_int pending;   // workers that have not finished the epoch
    atomic_int sleepers;  // workers that sleep or are about to
    atomic_bool waiting;  // the caller sleeps or is about to
    atomic_bool stop;
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    pthread_t workers[MAX_THREADS];
    WorkerStart starts[MAX_THREADS];
};

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

static void RunShare(const rslTeam* team, int index)
{
    int begin = (int)((int64_t)team->count * index / team->threads);
    int end = (int)((int64_t)team->count * (index + 1) / team->threads);
    for (int item = begin; item < end; ++item)
    {
        team->task(item, team->context);
    }
}

static void AwaitEpoch(rslTeam* team, unsigned seen)
{
    for (int i = 0; i < team->spins; ++i)
    {
        if (atomic_load_explicit(&team->epoch, memory_order_acquire) != seen)
        {
            return;
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
}

static void FinishShare(rslTeam* team)
{
    if (atomic_fetch_sub(&team->pending, 1) == 1 && atomic_load(&team->waiting))
    {
        pthread_mutex_lock(&team->mutex);
        pthread_cond_signal(&team->done);
        pthread_mutex_unlock(&team->mutex);
    }
}

static void* Work(void* argument)
{
    const WorkerStart* start = argument;
    rslTeam* team = start->team;
    unsigned seen = 0;
    for (;;)
    {
        AwaitEpoch(team, seen);
        seen += 1;
        if (atomic_load(&team->stop))
        {
            return NULL;
        }
        RunShare(team, start->index);
        FinishShare(team);
    }
}

static void Publish(rslTeam* team)
{
    atomic_fetch_add(&team->epoch, 1);
    if (atomic_load(&team->sleepers) > 0)
    {
        pthread_mutex_lock(&team->mutex);
        pthread_cond_broadcast(&team->wake);
        pthread_mutex_unlock(&team->mutex);
    }
}

static void AwaitDone(rslTeam* team)
{
    for (int i = 0; i < team->spins; ++i)
    {
        if (atomic_load_explicit(&team->pending, memory_order_acquire) == 0)
        {
            return;
        }
        Pause();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->waiting, true);
    while (atomic_load(&team->pending) > 0)
    {
        pthread_cond_wait(&team->done, &team->mutex);
    }
    atomic_store(&team->waiting, false);
    pthread_mutex_unlock(&team->mutex);
}

// Fewer workers than asked for is no failure: results do not depend on their number.
static void StartWorkers(rslTeam* team)
{
    for (int i = 1; i < team->threads; ++i)
    {
        team->starts[i] = (WorkerStart){ team, i };
        if (pthread_create(&team->workers[i], NULL, Work, &team->starts[i]) != 0)
        {
            break;
        }
        team->started += 1;
    }
    team->threads = team->started + 1;  // read by the workers only after the first epoch
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
    StartWorkers(team);
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
    for (int i = 1; i <= team->started; ++i)
    {
        pthread_join(team->workers[i], NULL);
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

void rslTeam_Run(rslTeam* team, rslTask* task, int count, void* context)
{
    if (team->runTasks != NULL)
    {
        team->runTasks(task, count, context, team->user);
        return;
    }
    team->task = task;
    team->count = count;
    team->context = context;
    if (team->threads > 1)
    {
        atomic_store(&team->pending, team->threads - 1);
        Publish(team);
    }
    RunShare(team, 0);
    if (team->threads > 1)
    {
        AwaitDone(team);
    }
}
