// SPDX-License-Identifier: MIT
//
// The team of threads: every item once, whatever the counts; the host's own tasks; solvers in several threads at once.

#include "support.h"
#include "core_scenes.h"
#include "team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

// ---- items ------------------------------------------------------------------------------------------------------------

enum
{
    MOST = 1000
};

typedef struct Counts
{
    atomic_int runs[MOST];
    int plain[MOST];  // written by one thread, read by the caller afterwards
    atomic_int total;
} Counts;

static void CountItem(int item, void* context)
{
    Counts* counts = context;
    atomic_fetch_add(&counts->runs[item], 1);
    counts->plain[item] += item + 1;
    atomic_fetch_add(&counts->total, 1);
}

static void EveryItemOnce(void** unused)
{
    (void)unused;
    static const int numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 63, 100, 999, 1000 };
    Counts* counts = calloc(1, sizeof(Counts));
    assert_non_null(counts);
    for (int threads = 1; threads <= 40; threads += threads < 9 ? 1 : threads < 17 ? 4 : 23)
    {
        rslTeam* team = rslTeam_Create(NULL, threads, NULL, NULL);
        assert_non_null(team);
        assert_int_equal(rslTeam_Threads(team), threads);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; ++n)
        {
            memset(counts, 0, sizeof *counts);
            rslTeam_Run(team, CountItem, numbers[n], counts);
            assert_int_equal(atomic_load(&counts->total), numbers[n]);
            for (int i = 0; i < MOST; ++i)
            {
                assert_int_equal(atomic_load(&counts->runs[i]), i < numbers[n] ? 1 : 0);
                assert_int_equal(counts->plain[i], i < numbers[n] ? i + 1 : 0);
            }
        }
        rslTeam_Free(team);
    }
    free(counts);
    rslTeam_Free(NULL);
    rslTeam* team = rslTeam_Create(NULL, 0, NULL, NULL);
    assert_true(rslTeam_Threads(team) >= 1);
    rslTeam_Free(team);
}

// The first item does not end before all others have.
static void WaitInFirst(int item, void* context)
{
    Counts* counts = context;
    while (item == 0 && atomic_load(&counts->total) < 7)
    {
        sched_yield();
    }
    CountItem(item, context);
}

// What a thread does not come to is done by others, also of those items that it begins with.
static void NobodyWaitsForItems(void** unused)
{
    (void)unused;
    Counts* counts = calloc(1, sizeof(Counts));
    assert_non_null(counts);
    for (int threads = 2; threads <= 4; ++threads)
    {
        rslTeam* team = rslTeam_Create(NULL, threads, NULL, NULL);
        assert_int_equal(rslTeam_Threads(team), threads);
        for (int r = 0; r < 20; ++r)
        {
            memset(counts, 0, sizeof *counts);
            rslTeam_Run(team, WaitInFirst, 8, counts);
            assert_int_equal(atomic_load(&counts->total), 8);
        }
        rslTeam_Free(team);
    }
    free(counts);
}

static void AddOne(int item, void* context)
{
    ((int*)context)[item] += 1;
}

// Many short runs in a row, some after a rest, so that sleeping and waking meet in every order.
static void QuickRuns(void** unused)
{
    (void)unused;
    static const int team_sizes[] = { 2, 3, 7 };
    int runs = Proving() ? 1000000 : Sanitized() ? 5000 : 30000;
    for (int t = 0; t < 3; ++t)
    {
        int sums[8] = { 0 };
        rslTeam* team = rslTeam_Create(NULL, team_sizes[t], NULL, NULL);
        for (int r = 0; r < runs; ++r)
        {
            rslTeam_Run(team, AddOne, 8, sums);
            if (r % 1000 == 0)
            {
                nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
            }
        }
        rslTeam_Free(team);
        for (int i = 0; i < 8; ++i)
        {
            assert_int_equal(sums[i], runs);
        }
    }
    // made and freed without work
    for (int n = 0; n < 200; ++n)
    {
        rslTeam_Free(rslTeam_Create(NULL, 1 + n % 5, NULL, NULL));
    }
}

// ---- runs of solvers ----------------------------------------------------------------------------------------------------

typedef struct Job
{
    const CoreScene* scene;
    const rslModel* model;  // NULL: build one
    rslPrecision precision;
    int threads;
    bool fine;  // many nodes
    rslRunTasks* runTasks;
    void* user;
    uint64_t hash;
    rslStatus status;
} Job;

static void* RunJob(void* argument)
{
    Job* job = argument;
    rslModel* own = NULL;
    rslSolver* solver = NULL;
    rslState* state = NULL;
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = job->precision;
    def.integrator = job->scene->integrator;
    def.threads = job->threads;
    def.runTasks = job->runTasks;
    def.runTasksUser = job->user;
    job->status = job->model != NULL ? rsl_ok : job->scene->build(job->fine ? job->scene->fine : 2.0, NULL, &own, NULL);
    const rslModel* model = job->model != NULL ? job->model : own;
    job->status = job->status == rsl_ok ? rslSolver_Create(model, &def, NULL, &solver, NULL) : job->status;
    job->status = job->status == rsl_ok ? rslState_Create(model, job->precision, NULL, &state) : job->status;
    job->status =
        job->status == rsl_ok ? rslSolver_Step(solver, state, Sanitized() || job->fine ? 8 : 40) : job->status;
    job->hash = job->status == rsl_ok ? rslState_Hash(state) : 0;
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(own);
    return NULL;
}

static uint64_t HashOf(Job job)
{
    RunJob(&job);
    assert_int_equal(job.status, rsl_ok);
    return job.hash;
}

static rslModel* CoreModel(const CoreScene* scene, double fine)
{
    rslModel* model = NULL;
    assert_int_equal(scene->build(fine, NULL, &model, NULL), rsl_ok);
    return model;
}

static void ThreadsDoNotMatter(void** unused)
{
    (void)unused;
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        rslModel* model = CoreModel(&coreScenes[s], 2.0);
        for (int p = Proving() ? 0 : s % 2; p <= (Proving() ? 1 : s % 2); ++p)
        {
            Job job = { .scene = &coreScenes[s], .model = model, .threads = 1 };
            job.precision = p ? rsl_double : rsl_single;
            uint64_t alone = HashOf(job);
            for (job.threads = Sanitized() ? 4 : 2; job.threads <= 4; job.threads += Proving() ? 1 : 2)
            {
                assert_true(HashOf(job) == alone);
            }
        }
        rslModel_Free(model);
    }
}

// So many nodes that every pass is shared.
static void ThreadsShareLargeBodies(void** unused)
{
    (void)unused;
    Job job = { .scene = &coreScenes[CORE_SCENES - 1], .precision = rsl_single, .threads = 1, .fine = true };
    uint64_t alone = HashOf(job);
    job.threads = 3;
    assert_true(HashOf(job) == alone);
}

// ---- the host's tasks -----------------------------------------------------------------------------------------------------

typedef enum Order
{
    FORWARD,
    BACKWARD,
    SHUFFLED,
    THREADED
} Order;

static void* OddItems(void* argument)
{
    struct
    {
        rslTask* task;
        int count;
        void* context;
    }* work = argument;
    for (int item = 1; item < work->count; item += 2)
    {
        work->task(item, work->context);
    }
    return NULL;
}

static void HostTasks(rslTask* task, int count, void* context, void* user)
{
    Order order = *(const Order*)user;
    if (order == THREADED)
    {
        struct
        {
            rslTask* task;
            int count;
            void* context;
        } work = { task, count, context };
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, OddItems, &work), 0);
        for (int item = 0; item < count; item += 2)
        {
            task(item, context);
        }
        pthread_join(thread, NULL);
        return;
    }
    // 7919 is prime, so its multiples meet every item once unless count is a multiple of it
    for (int n = 0; n < count; ++n)
    {
        int item = order == BACKWARD ? count - 1 - n : order == SHUFFLED ? (int)((int64_t)n * 7919 % count) : n;
        task(item, context);
    }
}

static void HostsOrderDoesNotMatter(void** unused)
{
    (void)unused;
    for (int s = 0; s < CORE_SCENES; s += Sanitized() ? 4 : 1)
    {
        rslModel* model = CoreModel(&coreScenes[s], 2.0);
        Job job = { .scene = &coreScenes[s], .model = model, .threads = 1 };
        job.precision = s % 2 ? rsl_double : rsl_single;
        uint64_t alone = HashOf(job);
        job.runTasks = HostTasks;
        Order first = Proving() ? FORWARD : Sanitized() || s % 2 ? SHUFFLED : BACKWARD;
        for (Order order = first; order <= (Proving() ? SHUFFLED : first); ++order)
        {
            job.user = &order;
            assert_true(HashOf(job) == alone);
        }
        rslModel_Free(model);
    }
    Order order = THREADED;
    Job job = { .scene = &coreScenes[0], .precision = rsl_single, .threads = 1 };
    uint64_t alone = HashOf(job);
    job.runTasks = HostTasks;
    job.user = &order;
    assert_true(HashOf(job) == alone);
}

// Solvers in several threads at once: of models of their own, and of the same one.
static void SolversAtOnce(void** unused)
{
    (void)unused;
    enum
    {
        AT_ONCE = 4
    };
    for (int shared = 0; shared < 2; ++shared)
    {
        Job jobs[AT_ONCE];
        uint64_t alone[AT_ONCE];
        pthread_t threads[AT_ONCE];
        rslModel* model = CoreModel(&coreScenes[0], 2.0);
        for (int j = 0; j < AT_ONCE; ++j)
        {
            jobs[j] = (Job){ .scene = &coreScenes[shared ? 0 : j], .precision = j % 2 ? rsl_double : rsl_single };
            jobs[j].threads = 1 + j % 3;
            jobs[j].model = shared ? model : NULL;
            alone[j] = HashOf(jobs[j]);
        }
        for (int round = 0; round < (Sanitized() ? 1 : 3); ++round)
        {
            for (int j = 0; j < AT_ONCE; ++j)
            {
                assert_int_equal(pthread_create(&threads[j], NULL, RunJob, &jobs[j]), 0);
            }
            for (int j = 0; j < AT_ONCE; ++j)
            {
                pthread_join(threads[j], NULL);
            }
            for (int j = 0; j < AT_ONCE; ++j)
            {
                assert_int_equal(jobs[j].status, rsl_ok);
                assert_true(jobs[j].hash == alone[j]);
            }
        }
        rslModel_Free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryItemOnce),
        cmocka_unit_test(NobodyWaitsForItems),
        cmocka_unit_test(QuickRuns),
        cmocka_unit_test(ThreadsDoNotMatter),
        cmocka_unit_test(ThreadsShareLargeBodies),
        cmocka_unit_test(HostsOrderDoesNotMatter),
        cmocka_unit_test(SolversAtOnce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
