// SPDX-License-Identifier: MIT
//
// What audits keep and what they leave: the last good state is never one that has not passed, frames stay where nothing is gained. And models
// that take whole steps keep no forces until somebody asks for some.

#include "support.h"
#include "core_scenes.h"
#include "backend.h"
#include "solver_internal.h"

#define SIZE 0.9

// A block that shakes; guarded: with elements that resist collapse; damped: with dampers.
static rslModel* Block(bool guarded, bool damped, const rslHooks* hooks)
{
    rslShapeDef shape = CoreBox(0.7, 0.6, SIZE);
    rslBodyDef body = CoreLattice("block", &shape, 0.075);
    body.surface.enabled = false;
    body.material.stiffnessDamping = damped ? 1e-4 : 0.0;
    body.repulsion.type = guarded ? body.repulsion.type : rsl_noRepulsion;
    rslScene scene = CoreScene_Of(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    rslModel* model = NULL;
    assert_int_equal(rslModel_Build(&scene, hooks, &model, NULL), rsl_ok);
    return model;
}

static rslSolver* MakeSolver(const rslModel* model, rslPrecision precision, int threads, const rslHooks* hooks)
{
    rslSolver* solver = NULL;
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.threads = threads;
    assert_int_equal(rslSolver_Create(model, &def, hooks, &solver, NULL), rsl_ok);
    return solver;
}

static rslState* Shaken(const rslModel* model, rslPrecision precision, const rslHooks* hooks)
{
    rslState* state = NULL;
    assert_int_equal(rslState_Create(model, precision, hooks, &state), rsl_ok);
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        rslState_Positions(model, state, i, i + 1, x);
        rslVec3 wave = { 0.01 * (x[1] / SIZE) * (x[2] / SIZE), 0.02 * (x[2] / SIZE) * (x[0] / SIZE),
                         0.015 * (x[0] / SIZE) * (x[0] / SIZE) };
        rslState_SetPosition(model, state, i, rslAdd((rslVec3){ x[0], x[1], x[2] }, wave));
    }
    return state;
}

static bool AreSame(const rslFrame* a, const rslFrame* b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// ---- the last good state ----------------------------------------------------------------------------------------------

static void LastGoodIsSound(void** unused)
{
    (void)unused;
    for (int form = 0; form < 8; ++form)
    {
        const bool guarded = form & 1, broken = form & 2;
        const rslPrecision precision = form & 4 ? rsl_double : rsl_single;
        rslModel* model = Block(guarded, true, NULL);
        rslSolver* solver = MakeSolver(model, precision, 2, NULL);
        rslState* state = Shaken(model, precision, NULL);
        assert_int_equal(rslSolver_Step(solver, state, 64), rsl_ok);
        const rslState* good = rslSolver_LastGood(solver);
        assert_non_null(good);
        const uint64_t hash = rslState_Hash(state);
        const rslAccount account = state->account;
        assert_true(rslState_Hash(good) == hash);
        assert_memory_equal(&good->account, &account, sizeof account);
        // beyond what was put in, or no number at all
        rslState_SetVelocity(model, state, 5, (rslVec3){ broken ? NAN : 1e6, 0.0, 0.0 });
        assert_int_equal(rslSolver_Step(solver, state, 64), rsl_diverged);
        assert_true(rslState_Hash(rslSolver_LastGood(solver)) == hash);
        assert_memory_equal(&rslSolver_LastGood(solver)->account, &account, sizeof account);
        rslState_Free(state);
        rslSolver_Free(solver);
        rslModel_Free(model);
    }
}

// What is no number is found also where no spring and no speed tells of it.
static void LooseNodesAreSound(void** unused)
{
    (void)unused;
    static const double nodes[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 3, 3 }, mass = 1.0, stiffness = 100.0;
    static const int springs[6] = { 0, 1, 1, 2, 0, 2 };
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "net";
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = nodes;
    body.network.masses = &mass;
    body.network.stiffness = &stiffness;
    body.network.springs = springs;
    body.network.nodeCount = 4;
    body.network.springCount = 3;
    body.network.massCount = body.network.stiffnessCount = 1;
    rslScene scene = CoreScene_Of(&body, 1);
    for (int form = 0; form < 4; ++form)
    {
        const rslPrecision precision = form & 1 ? rsl_double : rsl_single;
        rslModel* model = NULL;
        scene.gravity = (rslVec3){ 0.0, 0.0, form & 2 ? -9.81 : 0.0 };
        assert_int_equal(rslModel_Build(&scene, NULL, &model, NULL), rsl_ok);
        rslSolver* solver = MakeSolver(model, precision, 1, NULL);
        rslState* state = NULL;
        assert_int_equal(rslState_Create(model, precision, NULL, &state), rsl_ok);
        assert_int_equal(rslSolver_Step(solver, state, 64), rsl_ok);
        const uint64_t hash = rslState_Hash(rslSolver_LastGood(solver));
        rslState_SetPosition(model, state, 3, (rslVec3){ NAN, 0.0, 0.0 });
        assert_int_equal(rslSolver_Step(solver, state, 32), rsl_diverged);
        assert_true(rslState_Hash(rslSolver_LastGood(solver)) == hash);
        rslState_Free(state);
        rslSolver_Free(solver);
        rslModel_Free(model);
    }
}

// ---- frames -----------------------------------------------------------------------------------------------------------

// A body that shakes as a whole no more than within itself keeps its frame, and the same bits on any threads; one that flies off does not.
static void FramesStayWhereNothingIsGained(void** unused)
{
    (void)unused;
    for (int p = 0; p < 2; ++p)
    {
        const rslPrecision precision = p ? rsl_double : rsl_single;
        rslModel* model = Block(false, true, NULL);
        uint64_t hashes[2];
        for (int run = 0; run < 2; ++run)
        {
            rslSolver* solver = MakeSolver(model, precision, run ? 3 : 1, NULL);
            rslState* state = Shaken(model, precision, NULL);
            assert_int_equal(rslSolver_Step(solver, state, 32), rsl_ok);
            const rslFrame before = state->frames[0];
            assert_int_equal(rslSolver_Step(solver, state, 20 * 32), rsl_ok);
            rslFrame after = state->frames[0];
            after.origin = before.origin;  // it goes on, if at rounding
            assert_true(AreSame(&before, &after));
            hashes[run] = rslState_Hash(state);
            // thrown: the mean of what is left is within the frame again
            for (int i = 0; i < model->nodeCount; ++i)
            {
                rslState_SetVelocity(model, state, i, (rslVec3){ 3.0, 0.0, 0.0 });
            }
            state->account.audits = 0;
            assert_int_equal(rslSolver_Step(solver, state, 32), rsl_ok);
            assert_close(state->frames[0].velocity.x, 3.0, 1e-3);
            rslMotion motion = rslSolver_Motion(solver, state, 0);
            assert_close(motion.momentum.x, 3.0 * motion.mass, 1e-4 * motion.mass);
            rslState_Free(state);
            rslSolver_Free(solver);
        }
        assert_true(hashes[0] == hashes[1]);
        rslModel_Free(model);
    }
}

// ---- energy -----------------------------------------------------------------------------------------------------------

static rslModel* Network(void)
{
    rslShapeDef shape = CoreBox(0.7, 0.6, SIZE);
    rslBodyDef body = CoreLattice("net", &shape, 0.1);
    body.surface.enabled = false;
    body.repulsion.type = rsl_noRepulsion;
    body.network.type = rsl_randomNetwork;
    body.network.spacing = RSL_AUTO;
    body.network.minLength = 0.09;
    body.network.maxLength = 0.16;
    rslScene scene = CoreScene_Of(&body, 1);
    rslModel* model = NULL;
    assert_int_equal(rslModel_Build(&scene, NULL, &model, NULL), rsl_ok);
    return model;
}

// What audits find in one pass, from what steps have left, is what is found otherwise.
static void AuditsFindTheEnergy(void** unused)
{
    (void)unused;
    for (int form = 0; form < 4; ++form)
    {
        const rslPrecision precision = form & 1 ? rsl_double : rsl_single;
        rslModel* model = form & 2 ? Network() : Block(false, true, NULL);
        const rslBackend* backend = rslBackend_For(precision);
        rslTeam* team = rslTeam_Create(NULL, 2, NULL, NULL);
        void* kernel = backend->create(model, rsl_positionVerlet, NULL, team);
        rslState* state = Shaken(model, precision, NULL);
        assert_non_null(kernel);
        state->step = 1e-5;
        for (int turn = 0; turn < 6; ++turn)
        {
            assert_int_equal(backend->steps(kernel, state, rsl_positionVerlet, 5 + turn), rsl_taken);
            rslEnergy found = backend->weigh(kernel, state), asked = backend->energy(kernel, state);
            assert_true(found.springs == asked.springs && found.gravity == asked.gravity);
            assert_close(found.kinetic, asked.kinetic, 1e-12 * asked.kinetic);
            rslState_SetPosition(model, state, turn, (rslVec3){ 0.01 * turn, 0.0, 0.0 });
            found = backend->weigh(kernel, state);
            asked = backend->energy(kernel, state);
            assert_true(found.springs == asked.springs);
        }
        backend->destroy(kernel);
        rslTeam_Free(team);
        rslState_Free(state);
        rslModel_Free(model);
    }
}

// ---- forces -----------------------------------------------------------------------------------------------------------

static uint64_t Pushed(const rslModel* model, rslPrecision precision, bool asksFirst, double* fields)
{
    size_t count = 3 * (size_t)model->nodeCount;
    double* push = calloc(count, sizeof(double));
    assert_non_null(push);
    for (size_t i = 0; i < count; ++i)
    {
        push[i] = 0.01 * (double)(i % 7);
    }
    rslSolver* solver = MakeSolver(model, precision, 2, NULL);
    rslState* state = Shaken(model, precision, NULL);
    const size_t bytes = rslSolver_Bytes(solver);
    if (asksFirst)
    {
        rslSolver_Fields(solver, state, fields, NULL, NULL);
        assert_true(rslSolver_Bytes(solver) > bytes);
    }
    assert_int_equal(rslSolver_Step(solver, state, 40), rsl_ok);
    rslSolver_SetForces(solver, push);
    assert_true(rslSolver_Bytes(solver) >= bytes + count * (size_t)precision);
    assert_int_equal(rslSolver_Step(solver, state, 40), rsl_ok);
    rslSolver_SetForces(solver, NULL);
    assert_int_equal(rslSolver_Step(solver, state, 40), rsl_ok);
    uint64_t hash = rslState_Hash(state);
    rslState_Free(state);
    rslSolver_Free(solver);
    free(push);
    return hash;
}

static void ForcesAreMadeWhenAskedFor(void** unused)
{
    (void)unused;
    for (int form = 0; form < 4; ++form)
    {
        const rslPrecision precision = form & 1 ? rsl_double : rsl_single;
        rslModel* model = Block(false, form & 2, NULL);
        size_t count = 3 * (size_t)model->nodeCount;
        double* fields = calloc(2 * count, sizeof(double));
        assert_non_null(fields);
        assert_true(Pushed(model, precision, true, fields) == Pushed(model, precision, false, NULL));
        // another integrator keeps them
        const rslBackend* backend = rslBackend_For(precision);
        rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
        void* kernel = backend->create(model, rsl_symplecticEuler, NULL, team);
        rslState* state = Shaken(model, precision, NULL);
        assert_non_null(kernel);
        backend->forces(kernel, state, fields + count);
        assert_memory_equal(fields, fields + count, count * sizeof(double));
        backend->destroy(kernel);
        rslTeam_Free(team);
        rslState_Free(state);
        rslModel_Free(model);
        free(fields);
    }
}

// Where there is no memory for forces, nothing happens, and the next call says so.
static void ForcesWithoutMemory(void** unused)
{
    (void)unused;
    for (int form = 0; form < 4; ++form)
    {
        const rslPrecision precision = form & 1 ? rsl_double : rsl_single;
        Heap heap = { 0 };
        rslHooks hooks = HeapHooks(&heap);
        rslModel* model = Block(false, form & 2, &hooks);
        rslSolver* solver = MakeSolver(model, precision, 1, &hooks);
        rslState* state = Shaken(model, precision, &hooks);
        double* numbers = calloc(3 * (size_t)model->nodeCount, sizeof(double));
        assert_non_null(numbers);
        assert_int_equal(rslSolver_Step(solver, state, 40), rsl_ok);
        const uint64_t hash = rslState_Hash(state);
        heap.failAt = heap.calls + 1;
        rslSolver_Fields(solver, state, numbers, NULL, NULL);
        assert_true(isnan(numbers[0]) && isnan(numbers[3 * model->nodeCount - 1]));
        memset(numbers, 0, 3 * (size_t)model->nodeCount * sizeof(double));
        heap.failAt = heap.calls + 1;
        rslSolver_SetForces(solver, numbers);
        const int live = heap.live;
        assert_int_equal(rslSolver_Step(solver, state, 3), rsl_outOfMemory);
        assert_int_equal(rslSolver_Step(solver, state, 3), rsl_outOfMemory);
        assert_true(rslState_Hash(state) == hash);
        rslSolver_SetForces(solver, NULL);
        assert_int_equal(rslSolver_Step(solver, state, 3), rsl_ok);
        assert_int_equal(heap.live, live);
        rslSolver_SetForces(solver, numbers);
        const int calls = heap.calls;
        assert_int_equal(rslSolver_Step(solver, state, 40), rsl_ok);
        assert_int_equal(heap.calls, calls);  // all of it before the step
        rslState_Free(state);
        rslSolver_Free(solver);
        rslModel_Free(model);
        assert_int_equal(heap.live, 0);
        free(numbers);
    }
}

// ---- what rounding leaves ---------------------------------------------------------------------------------------------

// Numbers so small that processors are slow with their squares. A block that flies as it is has none: displacements are nothing at all.
static void WhatIsNotDeformedIsNothing(void** unused)
{
    (void)unused;
    const double spacings[] = { 0.01, 0.0137, 0.033 };
    for (int n = 0; n < 3; ++n)
    {
        rslShapeDef shape = CoreBox(6.0 * spacings[n], 4.0 * spacings[n], 9.0 * spacings[n]);
        shape.translate = (rslVec3){ 0.3, -1.7, 11.1 };
        rslBodyDef body = CoreLattice("block", &shape, spacings[n]);
        body.surface.enabled = false;
        body.velocity = (rslVec3){ 0.1 * n, -0.7, 0.3 };
        rslScene scene = CoreScene_Of(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, n == 0 ? 0.0 : -9.81 };
        rslModel* model = NULL;
        assert_int_equal(rslModel_Build(&scene, NULL, &model, NULL), rsl_ok);
        rslSolver* solver = MakeSolver(model, rsl_single, 1, NULL);
        rslState* state = NULL;
        assert_int_equal(rslState_Create(model, rsl_single, NULL, &state), rsl_ok);
        double from[3], to[3];
        rslState_Positions(model, state, 0, 1, from);
        assert_int_equal(rslSolver_Step(solver, state, 320), rsl_ok);
        for (int i = 0; i < 3 * model->nodeCount; ++i)
        {
            assert_true(((const float*)state->displacement[i % 3])[i / 3] == 0.0f);
            assert_true(((const float*)state->velocity[i % 3])[i / 3] == 0.0f);
        }
        const double t = rslState_Time(state);
        rslState_Positions(model, state, 0, 1, to);
        assert_at_most(fabs(to[0] - (from[0] + t * body.velocity.x)), 1e-6 * t);
        assert_at_most(fabs(to[1] - (from[1] + t * body.velocity.y)), 1e-6 * t);
        assert_at_most(fabs(to[2] - (from[2] + t * body.velocity.z + 0.5 * scene.gravity.z * t * t)), 1e-6 * t);
        rslState_Free(state);
        rslSolver_Free(solver);
        rslModel_Free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LastGoodIsSound),
        cmocka_unit_test(LooseNodesAreSound),
        cmocka_unit_test(FramesStayWhereNothingIsGained),
        cmocka_unit_test(AuditsFindTheEnergy),
        cmocka_unit_test(ForcesAreMadeWhenAskedFor),
        cmocka_unit_test(ForcesWithoutMemory),
        cmocka_unit_test(WhatIsNotDeformedIsNothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
