// SPDX-License-Identifier: MIT
//
// test_state.c: states: saved and loaded bit for bit, hashed, placed, re-based.

#include "state_fixture.h"

// ---- going on ---------------------------------------------------------------------------------------------------------

// A scene twice: one state after all of its steps, the other at its start.
typedef struct Twins
{
    rslModel* model;
    rslSolver* solver;
    rslState *whole, *other;
} Twins;

static Twins MakeTwins(const CoreScene* scene, rslPrecision precision, int steps)
{
    Twins twins = { .model = Scene(scene->name) };
    twins.solver = SolverFor(twins.model, precision, scene->integrator);
    twins.whole = StateOf(twins.model, precision);
    twins.other = StateOf(twins.model, precision);
    assert_int_equal(rslSolver_Step(twins.solver, twins.whole, steps), rsl_ok);
    return twins;
}

// 0 when they are the same in the end, 1 else.
static int FreeTwins(Twins* twins)
{
    int differ = rslState_Hash(twins->whole) == rslState_Hash(twins->other) ? 0 : 1;
    rslState_Free(twins->whole);
    rslState_Free(twins->other);
    rslSolver_Free(twins->solver);
    rslModel_Free(twins->model);
    return differ;
}

// Saving, freeing, loading after every step, with a new solver now and then, ends in the same bits.
static void GoesOn(void** unused)
{
    (void)unused;
    int changed = 0, steps = Sanitized() ? 35 : 70;  // past one audit, or two
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        for (int p = FirstPrecision(s); p <= LastPrecision(s); ++p)
        {
            Twins twins = MakeTwins(&coreScenes[s], precisions[p], steps);
            for (int step = 0; step < steps; ++step)
            {
                if (step % 25 == 24)
                {
                    rslSolver_Free(twins.solver);
                    twins.solver = SolverFor(twins.model, precisions[p], coreScenes[s].integrator);
                }
                assert_int_equal(rslSolver_Step(twins.solver, twins.other, 1), rsl_ok);
                size_t size;
                unsigned char* bytes = Saved(twins.other, &size);
                rslState_Free(twins.other);
                assert_int_equal(rslState_Load(twins.model, precisions[p], bytes, size, NULL, &twins.other, NULL),
                                 rsl_ok);
                size_t again;
                unsigned char* copy = Saved(twins.other, &again);
                assert_int_equal(again, size);
                assert_memory_equal(copy, bytes, size);
                free(copy);
                free(bytes);
            }
            size_t size, again;
            unsigned char* a = Saved(twins.whole, &size);
            unsigned char* b = Saved(twins.other, &again);
            changed += size == again && memcmp(a, b, size) == 0 ? 0 : 1;
            free(a);
            free(b);
            changed += FreeTwins(&twins);
        }
    }
    assert_proved("runs changed by saving and loading after every step", changed, 0.0);
}

// Looking at a state changes nothing, and neither does the number of steps a call.
static void LooksHarmless(void** unused)
{
    (void)unused;
    int changed = 0, steps = Sanitized() ? 36 : 100;
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        for (int p = FirstPrecision(s); p <= LastPrecision(s); ++p)
        {
            Twins twins = MakeTwins(&coreScenes[s], precisions[p], steps);
            rslModel* model = twins.model;
            rslSolver* solver = twins.solver;
            rslState* looked = twins.other;
            rslSnapshot* snapshot = NULL;
            assert_int_equal(rslSnapshot_Create(model, true, NULL, &snapshot), rsl_ok);
            for (int done = 0, next = 1; done < steps;
                 done += next, next = done + next + 2 < steps ? next + 2 : steps - done)
            {
                rslSnapshot_Take(snapshot, solver, looked);
                (void)rslSolver_Energy(solver, looked);
                (void)rslSolver_Motion(solver, looked, -1);
                (void)rslState_Hash(looked);
                if (model->constraintCount > 0)
                {
                    (void)rslSolver_Reaction(solver, looked, 0);
                }
                assert_int_equal(rslSolver_Check(solver, looked), rsl_ok);
                assert_int_equal(rslSolver_Step(solver, looked, next), rsl_ok);
            }
            assert_int_equal(looked->stepCount, steps);
            rslSnapshot_Free(snapshot);
            changed += FreeTwins(&twins);
        }
    }
    assert_proved("runs changed by looking at them", changed, 0.0);
}

// The scenes do what they are there for, so that what is tested with them is tested.
static void ScenesAreLively(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        const char* name = coreScenes[s].name;
        rslModel* model = Scene(name);
        rslSolver* solver = SolverFor(model, rsl_double, coreScenes[s].integrator);
        rslState* state = StateOf(model, rsl_double);
        double ground = 0.0, pushed = 0.0, springs = 0.0, links = 0.0;
        for (int step = 0; step < coreScenes[s].steps; ++step)
        {
            assert_int_equal(rslSolver_Step(solver, state, 1), rsl_ok);
            rslEnergy energy = rslSolver_Energy(solver, state);
            ground = Worse(ground, energy.ground);
            links = Worse(links, energy.links);
            springs = Worse(springs, energy.springs);
        }
        const rslAccount* account = &state->account;
        assert_true(springs > 1e-6);
        for (int p = 0; p < state->pushCount; ++p)
        {
            pushed = Worse(pushed, rslLength(state->pushes[p].normal));
        }
        assert_true((ground > 1e-3 || pushed > 1e-6) == (model->colliderCount > 0));
        assert_true((links > 1e-6) == (model->linkCount > 0));
        assert_true((account->drives != 0.0) == (model->driveCount > 0));
        assert_true((account->loads != 0.0) == (model->loadCount > 0));
        bool moved = strcmp(name, "muscle") == 0 || strcmp(name, "pulled") == 0 || strcmp(name, "touching") == 0;
        assert_true((account->motion != 0.0) == (moved || model->jointCount > 0));
        // explicit volume has no energy: what it gives back may be more than dampers take
        assert_true(account->dissipated >= 0.0 || strcmp(name, "volumes") == 0);
        rslState_Free(state);
        rslSolver_Free(solver);
        rslModel_Free(model);
    }
}

// ---- the hash -------------------------------------------------------------------------------------------------------------

static void FlipsEveryBit(rslState* state, void* memory, size_t bytes)
{
    unsigned char* at = memory;
    uint64_t before = rslState_Hash(state);
    for (size_t bit = 0; bit < 8 * bytes; ++bit)
    {
        at[bit / 8] = (unsigned char)(at[bit / 8] ^ (1u << bit % 8));
        assert_true(rslState_Hash(state) != before);
        at[bit / 8] = (unsigned char)(at[bit / 8] ^ (1u << bit % 8));
    }
    assert_true(rslState_Hash(state) == before);
}

static void HashSeesEveryBit(void** unused)
{
    (void)unused;
    rslModel* model = SpringModel(100.0);
    for (int p = 0; p < 2; ++p)
    {
        rslSolver* solver = SolverFor(model, precisions[p], rsl_positionVerlet);
        rslState* state = StateOf(model, precisions[p]);
        rslState_SetPosition(model, state, 1, (rslVec3){ 1.1, 0.2, 0.3 });
        assert_int_equal(rslSolver_Step(solver, state, 40), rsl_ok);
        FlipsEveryBit(state, &state->step, sizeof state->step);
        FlipsEveryBit(state, &state->stepCount, sizeof state->stepCount);
        FlipsEveryBit(state, state->frames, sizeof(rslFrame));
        for (int axis = 0; axis < 3; ++axis)
        {
            FlipsEveryBit(state, state->displacement[axis], 2 * (size_t)precisions[p]);
            FlipsEveryBit(state, state->velocity[axis], 2 * (size_t)precisions[p]);
        }
        rslState_Free(state);
        rslSolver_Free(solver);
    }
    rslModel_Free(model);
}

// ---- places ---------------------------------------------------------------------------------------------------------------

static void Places(void** unused)
{
    (void)unused;
    rslModel* model = Scene("joined");
    for (int p = 0; p < 2; ++p)
    {
        Random random = MakeRandom(8);
        rslState* state = StateOf(model, precisions[p]);
        rslState* copy = StateOf(model, precisions[p]);
        for (int b = 0; b < model->bodyCount; ++b)
        {
            rslVec3 q = NextVec3(&random, 2.0);
            state->frames[b].rotation = rslQuatNormalize((rslQuat){ 1.0, q.x, q.y, q.z });
            state->frames[b].origin = NextVec3(&random, 1000.0);
            state->frames[b].velocity = NextVec3(&random, 100.0);
        }
        // rounded: displacement and its rate to their precision, the sum with the frame to double
        double bar = p == 0 ? 2e-7 : 1e-12;
        for (int i = 0; i < model->nodeCount; ++i)
        {
            double x[3], v[3];
            rslState_Positions(model, state, i, i + 1, x);
            rslState_Velocities(model, state, i, i + 1, v);
            rslVec3 place = rslAdd((rslVec3){ x[0], x[1], x[2] }, NextVec3(&random, 0.5));
            rslVec3 rate = rslAdd((rslVec3){ v[0], v[1], v[2] }, NextVec3(&random, 0.5));
            rslState_SetPosition(model, state, i, place);
            rslState_SetVelocity(model, state, i, rate);
            rslState_Positions(model, state, i, i + 1, x);
            rslState_Velocities(model, state, i, i + 1, v);
            assert_close(x[0], place.x, bar);
            assert_close(x[1], place.y, bar);
            assert_close(x[2], place.z, bar);
            assert_close(v[0], rate.x, bar);
            assert_close(v[1], rate.y, bar);
            assert_close(v[2], rate.z, bar);
        }
        assert_true(rslState_Hash(copy) != rslState_Hash(state));
        rslState_Copy(copy, state);
        assert_true(rslState_Hash(copy) == rslState_Hash(state));
        rslState_Free(copy);
        rslState_Free(state);
    }
    rslModel_Free(model);
}

// ---- re-basing --------------------------------------------------------------------------------------------------------------

// A body turned, shifted and thrown within its frame, with some strain.
static void Throw(const rslModel* model, rslState* state, double strain, double degrees, Random* random)
{
    rslVec3 axis = model->plane == rsl_planeXY ? (rslVec3){ 0.0, 0.0, 1.0 } : (rslVec3){ 1.0, 2.0, -0.5 };
    rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees(axis, degrees));
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        rslState_Positions(model, state, i, i + 1, x);
        rslVec3 centre = state->frames[rslModel_BodyOf(model, i)].origin;
        rslVec3 arm = rslMatVec(&turn, rslSub((rslVec3){ x[0], x[1], x[2] }, centre));
        rslVec3 jitter = NextVec3(random, strain), rate = rslAdd(NextVec3(random, 0.1), (rslVec3){ 3.0, -2.0, 1.0 });
        jitter.z = model->plane == rsl_planeXY ? 0.0 : jitter.z;
        rate.z = model->plane == rsl_planeXY ? 0.0 : rate.z;
        rslVec3 shift = { 0.3, 0.2, model->plane == rsl_planeXY ? 0.0 : -0.1 };
        rslState_SetPosition(model, state, i, rslAdd(rslAdd(centre, rslAdd(arm, shift)), jitter));
        rslState_SetVelocity(model, state, i, rate);
    }
}

static double LargestDisplacement(const rslModel* model, const rslState* state)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < model->nodeCount; ++i)
        {
            double u = state->precision == rsl_single ? (double)((const float*)state->displacement[axis])[i]
                                                      : ((const double*)state->displacement[axis])[i];
            largest = Worse(largest, fabs(u));
        }
    }
    return largest;
}

static void Rebasing(void** unused)
{
    (void)unused;
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        for (int p = 0; p < 2; ++p)
        {
            Random random = MakeRandom(21);
            rslModel* model = Scene(coreScenes[s].name);
            if (model->rigidCount > 0)
            {
                rslModel_Free(model);  // their nodes cannot be thrown one by one
                continue;
            }
            rslSolver* solver = SolverFor(model, precisions[p], coreScenes[s].integrator);
            rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
            const rslBackend* backend = rslBackend_For(precisions[p]);
            void* kernel = backend->create(model, rsl_positionVerlet, NULL, team);
            rslState* state = StateOf(model, precisions[p]);
            size_t count = 3 * (size_t)model->nodeCount;
            double* memory = calloc(4 * count, sizeof(double));
            assert_non_null(kernel);
            assert_non_null(memory);
            double strain = 0.05 * model->bodies[0].spacing;
            Throw(model, state, strain, 35.0, &random);
            rslState_Positions(model, state, 0, model->nodeCount, memory);
            rslState_Velocities(model, state, 0, model->nodeCount, memory + count);
            rslEnergy before = rslSolver_Energy(solver, state);
            for (int b = 0; b < 3; ++b)
            {
                backend->rebase(kernel, state);
            }
            rslState_Positions(model, state, 0, model->nodeCount, memory + 2 * count);
            rslState_Velocities(model, state, 0, model->nodeCount, memory + 3 * count);
            rslEnergy after = rslSolver_Energy(solver, state);
            double place = p == 0 ? 3e-7 : 3e-12, rate = p == 0 ? 2e-6 : 1e-12;
            for (size_t i = 0; i < count; ++i)
            {
                assert_close(memory[2 * count + i], memory[i], place);
                assert_close(memory[3 * count + i], memory[count + i], rate);
            }
            double bar = p == 0 ? 2e-5 : 1e-11;
            assert_close(after.springs, before.springs, bar * before.springs);
            assert_close(after.kinetic, before.kinetic, bar * before.kinetic);
            assert_close(after.links, before.links, bar * before.links);
            assert_close(after.gravity, before.gravity, (p == 0 ? 1e-6 : 1e-12) * fabs(before.gravity));
            // what is left is the strain, not the rotation
            assert_at_most(LargestDisplacement(model, state), 3.0 * strain);
            free(memory);
            backend->destroy(kernel);
            rslTeam_Free(team);
            rslState_Free(state);
            rslSolver_Free(solver);
            rslModel_Free(model);
        }
    }
}

// A rigid motion leaves no displacement at all, whatever the angle; half a turn away is the hardest.
static void RebasingFindsTheTurn(void** unused)
{
    (void)unused;
    static const char* const names[] = { "thrown", "cloth", "flat" };
    for (int s = 0; s < 3; ++s)
    {
        for (double degrees = 0.0; degrees < 180.0; degrees += 35.0)
        {
            Random random = MakeRandom(4);
            rslModel* model = Scene(names[s]);
            rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
            void* kernel = rslBackend64.create(model, rsl_positionVerlet, NULL, team);
            rslState* state = StateOf(model, rsl_double);
            assert_non_null(kernel);
            Throw(model, state, 0.0, degrees, &random);
            for (int b = 0; b < 20; ++b)
            {
                rslBackend64.rebase(kernel, state);
            }
            assert_at_most(LargestDisplacement(model, state), 1e-10);
            rslQuat q = state->frames[0].rotation;
            assert_close(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-14);
            rslBackend64.destroy(kernel);
            rslTeam_Free(team);
            rslState_Free(state);
            rslModel_Free(model);
        }
    }
}

static void StaysInThePlane(void** unused)
{
    (void)unused;
    rslModel* model = Scene("flat");
    double* push = calloc(3 * (size_t)model->nodeCount, sizeof(double));  // out of the plane
    assert_non_null(push);
    for (int i = 0; i < model->nodeCount; ++i)
    {
        push[3 * i + 2] = 0.1;
    }
    for (int p = 0; p < 2; ++p)
    {
        for (int integrator = 0; integrator < rsl_static; ++integrator)
        {
            rslSolverDef def = rslDefaultSolverDef();
            def.precision = precisions[p];
            def.integrator = (rslIntegrator)integrator;
            def.step = 2e-4;
            def.threads = 1;
            rslSolver* solver = SolverOf(model, &def);
            rslState* state = StateOf(model, precisions[p]);
            rslSolver_SetForces(solver, push);
            assert_int_equal(rslSolver_Step(solver, state, 400), rsl_ok);
            for (int i = 0; i < model->nodeCount; ++i)
            {
                double x[3], v[3];
                rslState_Positions(model, state, i, i + 1, x);
                rslState_Velocities(model, state, i, i + 1, v);
                assert_true(x[2] == 0.0 && v[2] == 0.0);
            }
            assert_true(state->frames[0].rotation.x == 0.0 && state->frames[0].rotation.y == 0.0);
            rslState_Free(state);
            rslSolver_Free(solver);
        }
    }
    free(push);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(GoesOn),
        cmocka_unit_test(LooksHarmless),
        cmocka_unit_test(ScenesAreLively),
        cmocka_unit_test(HashSeesEveryBit),
        cmocka_unit_test(Places),
        cmocka_unit_test(Rebasing),
        cmocka_unit_test(RebasingFindsTheTurn),
        cmocka_unit_test(StaysInThePlane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
