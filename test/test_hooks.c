// SPDX-License-Identifier: MIT
//
// What the host lends: the allocator is asked for everything, never inside a step, and may fail at any call; asserts go
// to their hook.

#include "support.h"
#include "core_scenes.h"
#include "memory.h"
#include "sanitized.h"

// ---- memory -----------------------------------------------------------------------------------------------------------

// Model, solver, state, snapshot, a checkpoint and back. The first failure ends it; everything is freed.
static rslStatus MakeAll(const CoreScene* scene, rslPrecision precision, const rslHooks* hooks)
{
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslState *state = NULL, *loaded = NULL;
    rslSnapshot* snapshot = NULL;
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.integrator = scene->integrator;
    def.threads = 2;
    rslStatus status = scene->build(1.0, hooks, &model, NULL);
    assert_true((status == rsl_ok) == (model != NULL));
    if (status == rsl_ok)
    {
        status = rslSolver_Create(model, &def, hooks, &solver, NULL);
        assert_true((status == rsl_ok) == (solver != NULL));
    }
    if (status == rsl_ok)
    {
        status = rslState_Create(model, precision, hooks, &state);
        assert_true((status == rsl_ok) == (state != NULL));
    }
    if (status == rsl_ok)
    {
        status = rslSnapshot_Create(model, true, hooks, &snapshot);
        assert_true((status == rsl_ok) == (snapshot != NULL));
    }
    if (status == rsl_ok)
    {
        size_t size = rslState_Save(state, NULL, 0);
        void* bytes = malloc(size);
        assert_non_null(bytes);
        rslState_Save(state, bytes, size);
        status = rslState_Load(model, precision, bytes, size, hooks, &loaded, NULL);
        assert_true((status == rsl_ok) == (loaded != NULL));
        free(bytes);
    }
    if (status == rsl_ok)
    {
        // lists of what touches grow when there is more of it than ever before
        status = rslSolver_Step(solver, state, 3);
        assert_true(status == rsl_ok || status == rsl_outOfMemory);
    }
    rslSnapshot_Free(snapshot);
    rslState_Free(loaded);
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return status;
}

// Arrays of any size from memory of any alignment that malloc may have: all of each is there, zero and apart from the others.
static void ArenasHoldWhatIsAsked(void** state)
{
    (void)state;
    static const size_t sizes[] = { 1, 63, 64, 65, 16256, 16319, 16320, 16321, 16336, 16383, 16384, 16385, 70000 };
    enum
    {
        COUNT = sizeof sizes / sizeof sizes[0]
    };
    for (int shift = 0; shift < COUNT; ++shift)
    {
        rslArena arena = rslArena_Make(NULL);
        unsigned char* arrays[COUNT];
        size_t all = 0;
        for (int i = 0; i < COUNT; ++i)
        {
            const size_t size = sizes[(i + shift) % COUNT];
            arrays[i] = rslArena_Allocate(&arena, size, 1);
            assert_non_null(arrays[i]);
            assert_true(size < 64 || (uintptr_t)arrays[i] % 64 == 0);
            for (size_t b = 0; b < size; ++b)
            {
                assert_int_equal(arrays[i][b], 0);
            }
            memset(arrays[i], i + 1, size);
            all += size;
        }
        for (int i = 0; i < COUNT; ++i)
        {
            const size_t size = sizes[(i + shift) % COUNT];
            assert_int_equal(arrays[i][0], i + 1);
            assert_int_equal(arrays[i][size - 1], i + 1);
        }
        assert_true(rslArena_Bytes(&arena) >= all);
        rslArena_Free(&arena);
    }
}

static void EveryAllocationMayFail(void** unused)
{
    (void)unused;
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        rslPrecision precision = s % 2 ? rsl_double : rsl_single;
        Heap heap = { 0 };
        rslHooks hooks = HeapHooks(&heap);
        assert_int_equal(MakeAll(&coreScenes[s], precision, &hooks), rsl_ok);
        assert_int_equal(heap.live, 0);
        int calls = heap.calls;
        assert_true(calls > 20);
        // all of the first and last, and a share of those between
        int all = Proving() ? 100 : Sanitized() ? 6 : 12, stride = calls / (Proving() ? 400 : all) + 1;
        for (int at = 1; at <= calls; at += at < all || at > calls - all ? 1 : stride)
        {
            heap = (Heap){ .failAt = at };
            rslStatus status = MakeAll(&coreScenes[s], precision, &hooks);
            if (status != rsl_outOfMemory || heap.live != 0)
            {
                print_error("%s: allocation %d of %d fails: %s, %d left\n", coreScenes[s].name, at, calls,
                            rslStatus_Name(status), heap.live);
                fail();
            }
        }
    }
}

static void ModelTextWithoutMemory(void** unused)
{
    (void)unused;
    Heap heap = { 0 };
    rslHooks hooks = HeapHooks(&heap);
    rslModelDef model;
    assert_int_equal(rslModelDef_Read("fem:linear:trilinear", &hooks, &model, NULL), rsl_ok);
    int calls = heap.calls;
    assert_true(calls > 2 && heap.live == 0);
    for (int at = 1; at <= calls; ++at)
    {
        heap = (Heap){ .failAt = at };
        assert_int_equal(rslModelDef_Read("fem:linear:trilinear", &hooks, &model, NULL), rsl_outOfMemory);
        assert_int_equal(heap.live, 0);
    }
}

static void NoAllocationInAStep(void** unused)
{
    (void)unused;
    skip_when_sanitized();  // what is counted here is the same
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        for (int p = 0; p < 2; ++p)
        {
            if (!Proving() && s % 2 != p)
            {
                continue;  // they take turns
            }
            Heap heap = { 0 };
            rslHooks hooks = HeapHooks(&heap);
            rslModel* model = NULL;
            rslSolver* solver = NULL;
            rslState *state = NULL, *start = NULL;
            rslSolverDef def = rslDefaultSolverDef();
            def.precision = p ? rsl_double : rsl_single;
            def.integrator = coreScenes[s].integrator;
            def.threads = 3;
            assert_int_equal(coreScenes[s].build(2.0, &hooks, &model, NULL), rsl_ok);
            assert_int_equal(rslSolver_Create(model, &def, &hooks, &solver, NULL), rsl_ok);
            assert_int_equal(rslState_Create(model, def.precision, &hooks, &state), rsl_ok);
            assert_int_equal(rslState_Create(model, def.precision, &hooks, &start), rsl_ok);
            // what touches needs more room than ever before once
            assert_int_equal(rslSolver_Step(solver, state, 70), rsl_ok);  // two audits
            assert_int_equal(rslState_Copy(state, start), rsl_ok);
            int calls = heap.calls, live = heap.live;
            assert_int_equal(rslSolver_Step(solver, state, 70), rsl_ok);
            assert_int_equal(heap.calls, calls);
            assert_int_equal(heap.live, live);
            // what they say they hold is what they took, up to the last block and the threads
            rslState_Free(state);
            rslState_Free(start);
            double told = (double)rslSolver_Bytes(solver), before = (double)heap.liveBytes;
            rslSolver_Free(solver);
            double held = before - (double)heap.liveBytes;
            assert_close(told, held, 0.05 * held + 40e3);
            assert_close((double)model->bytes, (double)heap.liveBytes, 0.01 * (double)heap.liveBytes + 1e3);
            rslModel_Free(model);
            assert_int_equal(heap.live, 0);
        }
    }
}

// Read-outs need scratch memory; without it they answer NaN and leak nothing.
static void ReadoutsWithoutMemory(void** unused)
{
    (void)unused;
    Heap heap = { 0 };
    rslHooks hooks = HeapHooks(&heap);
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslState* state = NULL;
    rslSolverDef def = rslDefaultSolverDef();
    def.threads = 1;
    assert_int_equal(CoreCloth(1.0, NULL, &model, NULL), rsl_ok);
    assert_int_equal(rslSolver_Create(model, &def, &hooks, &solver, NULL), rsl_ok);
    assert_int_equal(rslState_Create(model, def.precision, NULL, &state), rsl_ok);
    double* field = calloc((size_t)model->nodeCount, sizeof(double));
    assert_non_null(field);
    int live = heap.live;
    heap.failAt = heap.calls + 1;
    rslSolver_Fields(solver, state, NULL, field, NULL);
    assert_true(isnan(field[0]) != 0);
    heap.failAt = heap.calls + 1;
    assert_true(isnan(rslSolver_Flow(solver, state, -1, (rslVec3){ 0 }, (rslVec3){ .x = 1.0 }).x) != 0);
    int missing = 0;
    rslStatus status = rsl_outOfMemory;
    for (; status == rsl_outOfMemory && missing < 100; ++missing)
    {
        rslHardyProbe probe = { .radius = 1.0 };
        rslSymmetric stress;
        heap.failAt = heap.calls + 1 + missing;
        status = rslSolver_HardyStress(solver, state, &probe, 1, &stress);
        assert_int_equal(heap.live, live);
    }
    assert_int_equal(status, rsl_ok);
    assert_true(missing > 5);
    heap.failAt = heap.calls + 1;
    assert_true(isnan(rslSolver_Reaction(solver, state, 0).x) != 0);
    heap.failAt = heap.calls + 1;
    assert_true(isnan(rslSolver_Motion(solver, state, -1).volume) != 0);
    rslSolver_Fields(solver, state, NULL, field, NULL);
    assert_true(isnan(field[0]) == 0);
    assert_int_equal(heap.live, live);
    free(field);
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
}

// Tessellations of every kind, probes and fields of snapshots: whatever cannot be had, nothing is left behind.
static void FieldsWithoutMemory(void** unused)
{
    (void)unused;
    rslShapeDef shape = rslDefaultShapeDef();
    shape.size = (rslVec3){ 1.0, 0.8, 0.6 };
    const double nodes[] = { 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };
    const int corners[] = { 0, 1, 2, 3 };
    rslBodyDef bodies[2] = { rslDefaultBodyDef(), rslDefaultBodyDef() };
    bodies[0].name = "random";
    bodies[0].shape = &shape;
    bodies[0].network.type = rsl_randomNetwork;
    bodies[0].network.minLength = 0.2;
    bodies[0].network.maxLength = 0.35;
    bodies[1].name = "tetrahedron";
    bodies[1].network.type = rsl_tetrahedraNetwork;
    bodies[1].network.nodes = nodes;
    bodies[1].network.nodeCount = 4;
    bodies[1].network.tetrahedra = corners;
    bodies[1].network.tetrahedronCount = 1;
    bodies[0].material = bodies[1].material = (rslMaterialDef){ .young = 1e3, .poisson = 0.25, .density = 1.0 };
    rslScene scene = rslDefaultScene();
    scene.bodies = bodies;
    scene.bodyCount = 2;
    rslModel* model = NULL;
    assert_int_equal(rslModel_Build(&scene, NULL, &model, NULL), rsl_ok);
    rslProbeDef defs[3] = { rslDefaultProbeDef(), rslDefaultProbeDef(), rslDefaultProbeDef() };
    defs[0].name = "a";
    defs[1].name = "b";
    defs[1].type = rsl_stressProbe;
    defs[2].name = "c";
    defs[2].type = rsl_strainProbe;
    defs[2].body = "tetrahedron";
    defs[2].point = (rslVec3){ 0.1, 0.1, 0.1 };
    Heap heap = { 0 };
    rslHooks hooks = HeapHooks(&heap);
    rslStatus status = rsl_outOfMemory;
    int missing = 0;
    for (; status == rsl_outOfMemory && missing < 2000; ++missing)
    {
        rslProbes* probes = NULL;
        heap.failAt = heap.calls + 1 + missing;
        status = rslProbes_Create(model, defs, 3, &hooks, &probes, NULL);
        assert_true((probes != NULL) == (status == rsl_ok));
        rslProbes_Free(probes);
        assert_int_equal(heap.live, 0);
    }
    assert_true(status == rsl_ok && missing > 10);
    status = rsl_outOfMemory;
    for (missing = 0; status == rsl_outOfMemory && missing < 2000; ++missing)
    {
        rslSnapshot* snapshot = NULL;
        heap.failAt = heap.calls + 1 + missing;
        status = rslSnapshot_Create(model, false, &hooks, &snapshot);
        rslFieldSet all = { true, true, true, true, true, true };
        status = status == rsl_ok ? rslSnapshot_AddFields(snapshot, model, all, NULL) : status;
        rslSnapshot_Free(snapshot);
        assert_int_equal(heap.live, 0);
    }
    assert_true(status == rsl_ok && missing > 15);
    rslModel_Free(model);
}

// ---- asserts ------------------------------------------------------------------------------------------------------------

static int assertions;
static char lastCondition[200];

static void NoteAssert(const char* condition, const char* file, int line)
{
    assertions += 1;
    snprintf(lastCondition, sizeof lastCondition, "%s", condition);
    assert_non_null(file);
    assert_true(line > 0);
}

static void AssertsGoToTheHook(void** unused)
{
    (void)unused;
    rslSetAssertHook(NoteAssert);
    rslAssertFailed("pigs fly", __FILE__, __LINE__);
    assert_int_equal(assertions, 1);
    assert_string_equal(lastCondition, "pigs fly");

    // a definition that was not started from its default: told by the assertion where there is one, and by the status
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslReport report = { 0 };
    assert_int_equal(CoreCloth(1.0, NULL, &model, NULL), rsl_ok);
    rslSolverDef def = { 0 };
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_badInput);
    assert_null(solver);
    assert_int_equal(report.errors, 1);
    assert_non_null(strstr(report.messages[0].text, "rslDefaultSolverDef"));
#ifndef NDEBUG
    assert_int_equal(assertions, 2);
#endif
    rslSetAssertHook(NULL);
    rslModel_Free(model);
}

static void BadDefinitionsAreRefused(void** unused)
{
    (void)unused;
    rslModel* model = NULL;
    assert_int_equal(CoreCloth(1.0, NULL, &model, NULL), rsl_ok);
    rslSolverDef defs[10];
    for (int i = 0; i < 10; ++i)
    {
        defs[i] = rslDefaultSolverDef();
    }
    defs[0].precision = (rslPrecision)5;
    defs[1].integrator = rsl_integratorCount;
    defs[2].step = 0.0;
    defs[3].step = -1.0;
    defs[4].step = INFINITY;
    defs[5].fraction = 0.0;
    defs[6].fraction = 1.5;
    defs[7].auditInterval = 0;
    defs[8].divergenceFactor = 1.0;
    defs[9].threads = -1;
    for (int i = 0; i < 10; ++i)
    {
        rslSolver* solver = NULL;
        rslReport report = { 0 };
        assert_int_equal(rslSolver_Create(model, &defs[i], NULL, &solver, &report), rsl_badInput);
        assert_null(solver);
        assert_int_equal(report.errors, 1);
    }
    rslModel_Free(model);
}

// ---- log --------------------------------------------------------------------------------------------------------------

typedef struct Heard
{
    int count;
    bool model, solver;
} Heard;

static void Hear(rslSeverity severity, const char* text, void* user)
{
    Heard* heard = user;
    heard->count += 1;
    heard->model = heard->model || (severity == rsl_note && strncmp(text, "model: ", 7) == 0);
    heard->solver = heard->solver || (severity == rsl_note && strncmp(text, "solver: ", 8) == 0);
}

static void LogTellsWhatWasMade(void** state)
{
    (void)state;
    Heard heard = { 0 };
    rslHooks hooks = { .log = Hear, .user = &heard };
    assert_int_equal(MakeAll(&coreScenes[0], rsl_double, &hooks), rsl_ok);
    assert_true(heard.model && heard.solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ArenasHoldWhatIsAsked),  cmocka_unit_test(EveryAllocationMayFail),
        cmocka_unit_test(ModelTextWithoutMemory), cmocka_unit_test(NoAllocationInAStep),
        cmocka_unit_test(ReadoutsWithoutMemory),  cmocka_unit_test(FieldsWithoutMemory),
        cmocka_unit_test(AssertsGoToTheHook),     cmocka_unit_test(BadDefinitionsAreRefused),
        cmocka_unit_test(LogTellsWhatWasMade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
