// SPDX-License-Identifier: MIT
//
// test_realtime.c: frames within a budget: what the clock decides, and that it decides nothing else.

#include "support.h"

#include "rigid_part.h"

// ---- a clock that says what it is told --------------------------------------------------------------------------------

enum
{
    EXPLICIT_CALLS = 64  // 32 trials of explicit steps that take next to nothing
};

typedef struct Clock
{
    double now;
    double first, later;  // how far it goes on between two calls: of the first, and then
    int calls;
    int slowCall;  // at which others delay us
    double delay;
} Clock;

static double Tick(void* user)
{
    Clock* clock = user;
    clock->now += clock->calls == clock->slowCall ? clock->delay : 0.0;
    clock->now += clock->calls++ % 2 == 0 ? 0.0 : clock->calls <= EXPLICIT_CALLS ? clock->first : clock->later;
    return clock->now;
}

// A ball over the ground; the ground is a penalty, which all integrators know.
typedef struct Drop
{
    rslShapeDef ball;
    rslBodyDef body;
    rslScene scene;
    rslModel* model;
} Drop;

static void MakeDrop(Drop* drop, double young)
{
    drop->ball = BallShape(0.1);
    drop->ball.translate = (rslVec3){ 0.0, 0.0, 0.115 };
    drop->body = LatticeBody("ball", &drop->ball, 0.03);
    drop->body.material.young = young;
    drop->body.velocity = (rslVec3){ 0.0, 0.0, -2.0 };
    drop->body.spin = (rslVec3){ 50.0, 0.0, 20.0 };
    drop->scene = SceneOf(&drop->body, 1);
    drop->scene.ground = rslDefaultGroundDef();
    drop->scene.touch.scheme = rsl_penaltyScheme;
    drop->model = Built(&drop->scene, NULL);
}

static rslRealtimeDef Budget(double budget)
{
    return (rslRealtimeDef){ true, 60.0, budget };
}

static rslPace Chosen(const Drop* drop, double budget, double first, double later, rslReport* report)
{
    Clock clock = { .first = first, .later = later };
    rslScene scene = drop->scene;
    scene.time.realtime = Budget(budget);
    rslSolverDef def = rslDefaultSolverDef();
    def.threads = 1;
    rslPace pace = { 0 };
    assert_int_equal(rslPace_Choose(&scene, &def, Tick, &clock, NULL, &pace, report), rsl_ok);
    return pace;
}

// ---- what the clock decides -------------------------------------------------------------------------------------------

static void Choice(void** unused)
{
    (void)unused;
    Drop drop;
    MakeDrop(&drop, 1e5);
    rslSolverDef def = rslDefaultSolverDef();
    rslSolver* solver = SolverOf(drop.model, &def);
    int steps = (int)ceil(1.0 / 60.0 / (0.6 * rslSolver_Stability(solver).stableStep));
    rslSolver_Free(solver);
    assert_true(steps > 3);
    // four steps take 4 us: a frame of them fits into just as many us
    rslPace pace = Chosen(&drop, 1.001e-6 * steps, 4e-6, 1.0, NULL);
    assert_true(pace.fits && pace.integrator == rsl_positionVerlet && pace.steps == steps);
    assert_close(pace.step * steps, 1.0 / 60.0, 1e-16);
    assert_close(pace.cost, 1e-6, 1e-12);
    // and not into less: of Newton steps as many as fit
    double budget = 0.999e-6 * steps;
    pace = Chosen(&drop, budget, 4e-6, budget / 4.0, NULL);
    assert_true(pace.fits && rslPace_IsImplicit(&pace) && pace.steps == 1 && pace.effort.iterations == 3);
    assert_true(pace.cost > budget / 40.0 && pace.cost <= budget / 4.0);
    assert_int_equal(pace.effort.newton, (int)floor((0.9 * budget - pace.base) / pace.cost));
    // into next to nothing goes one
    rslReport report = { 0 };
    pace = Chosen(&drop, 1e-9, 4e-6, 2e-6, &report);
    assert_true(!pace.fits && rslPace_IsImplicit(&pace) && pace.effort.newton == 1);
    assert_true(HasMessage(&report, rsl_warning, (rslPlace){ 0 }, "will not be held: a frame of one Newton step"));
    // unless explicit steps are quicker
    pace = Chosen(&drop, 1e-9, 4e-6, 1.0, NULL);
    assert_true(!pace.fits && !rslPace_IsImplicit(&pace) && pace.steps == steps);
    // implicit ones are taken where they are asked for
    Clock clock = { .first = 4e-6, .later = 2e-6 };
    rslScene scene = drop.scene;
    scene.time.realtime = Budget(1.0);
    def.integrator = rsl_trBdf2;
    assert_int_equal(rslPace_Choose(&scene, &def, Tick, &clock, NULL, &pace, NULL), rsl_ok);
    assert_true(pace.fits && pace.integrator == rsl_trBdf2 && pace.effort.newton == 60);
    // with contacts that no explicit integrator knows, too
    scene.touch.scheme = rsl_barrierScheme;
    clock = (Clock){ .first = 4e-6, .later = 2e-6 };
    assert_int_equal(rslPace_Choose(&scene, &def, Tick, &clock, NULL, &pace, NULL), rsl_ok);
    // three quarters of a frame
    pace = Chosen(&drop, RSL_AUTO, 4e-6, 2e-6, NULL);
    assert_close(pace.budget, 0.0125, 1e-15);
    rslModel_Free(drop.model);
}

// Something else runs for a moment during one of the trials, of explicit or of implicit steps, quick ones or slow ones.
static void OthersDecideNothing(void** unused)
{
    (void)unused;
    static const double seconds[3][2] = { { 4e-6, 2e-4 }, { 4e-5, 2e-3 }, { 4e-6, 9e-3 } };
    Drop drop;
    MakeDrop(&drop, 1e7);
    rslScene scene = drop.scene;
    scene.time.realtime = Budget(1e-9);
    rslSolverDef def = rslDefaultSolverDef();
    def.threads = 1;
    for (int n = 0; n < 3; ++n)
    {
        rslPace alone = Chosen(&drop, 1e-9, seconds[n][0], seconds[n][1], NULL);
        for (int trial = 0; trial < 9; ++trial)
        {
            Clock clock = { .first = seconds[n][0],
                            .later = seconds[n][1],
                            .slowCall = trial < 4 ? 2 * trial + 1 : EXPLICIT_CALLS + 2 * (trial - 4) + 1,
                            .delay = 0.03 };
            rslPace pace = { 0 };
            assert_int_equal(rslPace_Choose(&scene, &def, Tick, &clock, NULL, &pace, NULL), rsl_ok);
            assert_int_equal(pace.integrator, alone.integrator);
            assert_close(pace.cost, alone.cost, 0.05 * alone.cost);
        }
    }
    rslModel_Free(drop.model);
}

static void Adaption(void** unused)
{
    (void)unused;
    rslSolverDef def = rslDefaultSolverDef();
    rslRealtimeDef realtime = Budget(0.010);
    rslPace pace = rslPace_Make(&def, &realtime, true, 1, (rslEffort){ 8, 3 });
    rslPace_Adapt(&pace, &(rslFrameCost){ .newton = 0 }, 0.001);  // what a frame takes in any case
    assert_close(pace.base, 0.001, 1e-15);
    assert_int_equal(pace.effort.newton, 8);
    rslPace_Adapt(&pace, &(rslFrameCost){ .newton = 8 }, 0.017);  // 2 ms each
    assert_close(pace.cost, 0.002, 1e-15);
    assert_true(pace.effort.newton == 4 && pace.fits);
    rslPace_Adapt(&pace, &(rslFrameCost){ .newton = 4 }, 0.017);  // 4 ms: half of it is believed at once
    assert_close(pace.cost, 0.003, 1e-15);
    assert_int_equal(pace.effort.newton, 2);
    rslPace_Adapt(&pace, &(rslFrameCost){ .newton = 2 }, 0.003);  // 1 ms: a tenth
    assert_close(pace.cost, 0.0028, 1e-15);
    rslPace_Adapt(&pace, &(rslFrameCost){ .newton = 1 }, 100.0);
    assert_true(pace.effort.newton == 1 && !pace.fits);
    for (int frame = 0; frame < 200; ++frame)
    {
        rslPace_Adapt(&pace, &(rslFrameCost){ .newton = 1 }, 0.002);
    }
    assert_int_equal(pace.effort.newton, 7);  // an accident is forgotten
    for (int frame = 0; frame < 200; ++frame)
    {
        rslPace_Adapt(&pace, &(rslFrameCost){ .newton = 3 }, 0.001);
    }
    assert_true(pace.effort.newton == 60 && pace.fits);  // no more than without a limit
    rslPace known = pace;
    rslPace_Adapt(&pace, &(rslFrameCost){ .newton = 1 }, NAN);
    rslPace_Adapt(&pace, &(rslFrameCost){ .newton = 1 }, -1.0);
    assert_memory_equal(&pace, &known, sizeof pace);
    rslPace steps = rslPace_Make(&def, &realtime, false, 7, (rslEffort){ 8, 3 });
    rslPace_Adapt(&steps, &(rslFrameCost){ .newton = 1 }, 1.0);
    assert_true(steps.steps == 7 && steps.effort.newton == 0 && steps.integrator == rsl_positionVerlet && !steps.fits);
    assert_close(steps.cost, 1.0 / 7.0, 1e-15);
    for (int frame = 0; frame < 200; ++frame)
    {
        rslPace_Adapt(&steps, &(rslFrameCost){ .newton = 0 }, 0.007);
    }
    assert_true(steps.fits && steps.steps == 7);
}

// Frames on a machine whose Newton steps cost more in contact, and now and then far more: on average they hold the budget.
static void Average(void** unused)
{
    (void)unused;
    rslSolverDef def = rslDefaultSolverDef();
    rslRealtimeDef realtime = Budget(0.012);
    rslPace pace = rslPace_Make(&def, &realtime, true, 1, (rslEffort){ 60, 3 });
    Random random = MakeRandom(11);
    double sum = 0.0, newton = 0.0;
    int frames = 600;
    for (int frame = 0; frame < frames; ++frame)
    {
        bool flight = frame % 60 < 12, late = frame % 50 == 49;
        int asked = flight ? 0 : pace.effort.newton;
        double one = 0.001 * NextBetween(&random, 0.7, 1.3) * (frame % 120 < 60 ? 1.0 : 2.0);
        double seconds = (late ? 3.0 : 1.0) * (0.001 + asked * one);
        sum += seconds;
        newton += asked;
        rslPace_Adapt(&pace, &(rslFrameCost){ .newton = asked }, seconds);
    }
    assert_true(sum < frames * realtime.budget);
    assert_true(newton > 3.0 * frames);  // and not by doing nothing
}

static void Refusals(void** unused)
{
    (void)unused;
    Drop drop;
    MakeDrop(&drop, 1e5);
    drop.scene.time.realtime = Budget(1.0);
    rslSolverDef def = rslDefaultSolverDef();
    rslPace pace;
    rslReport report = { 0 };
    def.integrator = rsl_static;
    assert_int_equal(rslPace_Choose(&drop.scene, &def, NULL, NULL, NULL, &pace, &report), rsl_badInput);
    assert_true(report.errors == 1);
    rslModel_Free(drop.model);
    // penalties that rub know explicit steps only
    drop.scene.touch.scheme = rsl_penaltyScheme;
    drop.scene.ground.enabled = true;
    drop.scene.ground.friction = 0.3;
    drop.model = Built(&drop.scene, NULL);
    report = (rslReport){ 0 };
    pace = Chosen(&drop, 1e-9, 4e-6, 2e-6, &report);
    assert_true(!pace.fits && !rslPace_IsImplicit(&pace) && pace.steps > 1);
    assert_true(HasMessage(&report, rsl_warning, (rslPlace){ 0 }, "will not be held"));
    rslModel_Free(drop.model);
}

// ---- what it does not ---------------------------------------------------------------------------------------------------

// Frames at a pace that changes as a clock would change it; logged, or as logged.
static uint64_t Play(const Drop* drop, int threads, int* log, int frames, bool replay)
{
    rslRealtimeDef realtime = Budget(0.010);
    rslSolverDef def = rslDefaultSolverDef();
    def.threads = threads;
    rslPace pace = rslPace_Make(&def, &realtime, true, 1, (rslEffort){ 3, 3 });
    rslSolverDef own = rslPace_Solver(&pace, &def);
    rslSolver* solver = SolverOf(drop->model, &own);
    rslState* state = StateOf(drop->model, rsl_double);
    Random random = MakeRandom(5);
    for (int f = 0; f < frames; ++f)
    {
        rslFrameCost cost;
        pace.effort.newton = replay ? log[f] : pace.effort.newton;
        log[f] = pace.effort.newton;
        assert_int_equal(rslSolver_Frame(solver, state, &pace, &cost), rsl_ok);
        assert_true(cost.newton <= 2 * log[f] && cost.iterations <= 3 * cost.newton);
        rslPace_Adapt(&pace, &cost, (double)cost.newton * NextBetween(&random, 0.0005, 0.009));
    }
    assert_close(rslState_Time(state), frames / 60.0, 1e-12);
    uint64_t hash = rslState_Hash(state);
    rslState_Free(state);
    rslSolver_Free(solver);
    return hash;
}

static void Replay(void** unused)
{
    (void)unused;
    enum
    {
        FRAMES = 12
    };
    Drop drop;
    MakeDrop(&drop, 1e6);
    int log[FRAMES], other[FRAMES], changes = 0;
    uint64_t hash = Play(&drop, 1, log, FRAMES, false);
    assert_true(Play(&drop, 2, log, FRAMES, true) == hash);
    for (int f = 0; f < FRAMES; ++f)
    {
        changes += f > 0 && log[f] != log[f - 1];
        other[f] = 1;
    }
    assert_true(changes > 2);
    assert_true(Play(&drop, 1, other, FRAMES, true) != hash);  // the counts do matter
    rslModel_Free(drop.model);
}

// One Newton step a frame is far too little: said so, and bounded all the same.
static void NextToNothing(void** unused)
{
    (void)unused;
    const rslIntegrator schemes[] = { rsl_implicitEuler, rsl_theta, rsl_trBdf2 };
    int cases = Proving() ? 15 : 3;
    double worst = -INFINITY;
    for (int trial = 0; trial < cases; ++trial)
    {
        const double stiff[] = { 1e7, 1e5, 1e6, 1e8, 1e9 };
        Drop drop;
        MakeDrop(&drop, stiff[trial / 3]);
        rslRealtimeDef realtime = Budget(0.010);
        rslSolverDef def = rslDefaultSolverDef();
        def.integrator = schemes[trial % 3];
        rslPace pace = rslPace_Make(&def, &realtime, true, 1, (rslEffort){ 1, 3 });
        rslSolverDef own = rslPace_Solver(&pace, &def);
        rslSolver* solver = SolverOf(drop.model, &own);
        rslState* state = StateOf(drop.model, rsl_double);
        int cut = 0;
        double start = NAN, most = -INFINITY;
        for (int f = 0; f < (Proving() ? 120 : 40); ++f)
        {
            rslFrameCost cost;
            assert_int_equal(rslSolver_Frame(solver, state, &pace, &cost), rsl_ok);
            cut += cost.cut;
            start = state->account.start;
            most = Worse(most, rslSolver_Energy(solver, state).total - start);
        }
        assert_true(cut > 0);
        worst = Worse(worst, most / fabs(start));
        rslState_Free(state);
        rslSolver_Free(solver);
        rslModel_Free(drop.model);
    }
    assert_proved("one Newton step a frame: energy grows by, of the start", worst, 1e-3);
}

// What is taken from motion within a body is what was asked for, and nothing of its momenta.
static void Calmed(void** unused)
{
    (void)unused;
    Drop drop;
    MakeDrop(&drop, 1e5);
    rslState* state = StateOf(drop.model, rsl_double);
    Random random = MakeRandom(3);
    for (int i = 0; i < drop.model->nodeCount; ++i)
    {
        rslVec3 x = WorldOf(drop.model, i), v = NextVec3(&random, 3.0);
        rslState_SetVelocity(drop.model, state, i, rslAdd(v, rslCross((rslVec3){ 1.0, 2.0, 3.0 }, x)));
    }
    rslSolverDef def = rslDefaultSolverDef();
    rslSolver* solver = SolverOf(drop.model, &def);
    rslMotion before = rslSolver_Motion(solver, state, -1);
    double kinetic = rslSolver_Energy(solver, state).kinetic, take = 0.3 * kinetic;
    assert_close(rslState_Calm(drop.model, state, take), take, 1e-12);
    rslMotion after = rslSolver_Motion(solver, state, -1);
    assert_close(rslSolver_Energy(solver, state).kinetic, kinetic - take, 1e-10 * kinetic);
    assert_close(rslLength(rslSub(before.momentum, after.momentum)), 0.0, 1e-12);
    assert_close(rslLength(rslSub(before.angularMomentum, after.angularMomentum)), 0.0, 1e-12);
    // all there is within, and no more
    double all = rslState_Calm(drop.model, state, 1e9);
    assert_true(all > 0.0 && all < kinetic - take);
    assert_close(rslState_Calm(drop.model, state, 1e9), 0.0, 1e-12);
    assert_true(rslState_Calm(drop.model, state, -1.0) == 0.0);
    rslSolver_Free(solver);
    rslState_Free(state);
    rslModel_Free(drop.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Choice),        cmocka_unit_test(OthersDecideNothing),
        cmocka_unit_test(Adaption),      cmocka_unit_test(Average),
        cmocka_unit_test(Refusals),      cmocka_unit_test(Replay),
        cmocka_unit_test(NextToNothing), cmocka_unit_test(Calmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
