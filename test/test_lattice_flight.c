// SPDX-License-Identifier: MIT
//
// Whole steps of lattices over ground and colliders, as long as nothing can touch: the same bits as steps in parts, in flight, at impacts and
// after them; in whatever calls and however many threads; of scenes drawn at random.

#include "random_scenes.h"
#include "whole_fixture.h"

#include "backend.h"
#include "feature.h"

enum
{
    SCENES = 48,
    STEPS = 300,
    STRUCK = 96,
    BODIES = 2
};

static rslShapeDef shapes[BODIES], solid;
static rslBodyDef bodies[BODIES];
static rslColliderDef colliders[2];
static double lift;   // of bodies, more than they are drawn at [m]
static int64_t runs;  // of tasks

static void CountTasks(rslTask* task, int count, void* context, void* user)
{
    runs += 1;
    (void)user;
    for (int i = 0; i < count; ++i)
    {
        task(i, context);
    }
}

// ---- scenes -----------------------------------------------------------------------------------------------------------

static void DrawFlier(Random* random, int b)
{
    shapes[b] = Chance(random, 0.5) ? BallShape(0.05) : BoxShape(0.07, 0.06, 0.08);
    shapes[b].rotate = (rslRotationDef){ NextDirection(random), NextBetween(random, -180.0, 180.0) };
    shapes[b].translate = (rslVec3){ 0.01, 0.0, lift + 0.065 + 0.13 * b + 0.004 * NextFactor(random, 0.1, 2.0) };
    rslBodyDef* body = &bodies[b];
    *body = LatticeBody(b == 0 ? "a" : "b", &shapes[b], 0.01);
    body->surface.enabled = true;
    body->repulsion.type = Chance(random, 0.5) ? rsl_clampedRepulsion : rsl_noRepulsion;
    body->material.young = NextFactor(random, 1e5, 3e6);
    body->material.stiffnessDamping = Chance(random, 0.5) ? 1e-4 : 0.0;
    if (Chance(random, 0.3))
    {
        body->model.type = rsl_dispersionModel;
        body->material.poisson = 0.35;
    }
    body->velocity = rslScale(NextFactor(random, 0.1, 3.0), NextDirection(random));
    body->velocity.z = -fabs(body->velocity.z);
    body->spin = rslScale(Chance(random, 0.5) ? 200.0 : 0.0, NextDirection(random));
}

static rslScene DrawFlight(Random* random)
{
    int count = Chance(random, 0.3) ? 2 : 1;
    for (int b = 0; b < BODIES; ++b)
    {
        DrawFlier(random, b);
    }
    rslScene scene = SceneOf(bodies, count);
    scene.gravity = Chance(random, 0.8) ? (rslVec3){ 0.1, -0.3, -9.81 } : (rslVec3){ 0 };
    scene.ground = rslDefaultGroundDef();
    scene.ground.friction = Chance(random, 0.5) ? 0.4 : 0.0;
    for (int k = 0; k < 2; ++k)
    {
        colliders[k] = rslDefaultColliderDef();
    }
    colliders[0].point = (rslVec3){ 0.0, 0.0, -0.015 };
    colliders[0].normal = (rslVec3){ 0.3, 0.1, 1.0 };
    solid = BoxShape(0.04, 0.04, 0.02);
    solid.translate = (rslVec3){ Chance(random, 0.5) ? 0.1 : 0.3, 0.0, 0.0 };
    colliders[1].type = rsl_shapeCollider;
    colliders[1].shape = &solid;
    scene.colliders = colliders;
    scene.colliderCount = NextBelow(random, 3);
    return scene;
}

static Run StartFlying(int kind, rslPrecision precision, int threads)
{
    Random random = MakeRandom((uint64_t)kind + 1);
    rslScene scene = DrawFlight(&random);
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.threads = threads;
    def.divergenceFactor = 1e9;  // some are kicked on their way
    if (threads == 0)
    {
        def.threads = 1;
        def.runTasks = CountTasks;
    }
    return StartRun(&scene, def);
}

static rslFlights FlightsOf(const Run* run)
{
    return run->solver->backend->flights(run->solver->kernel);
}

// ---- same bits --------------------------------------------------------------------------------------------------------

static void test_flights_are_their_parts(void** state)
{
    (void)state;
    int hit = 0, left = 0, divided = 0;
    for (int n = 0; n < SCENES; n += Sanitized() ? 11 : 1)
    {
        static const int threads[4] = { 1, 2, 3, 8 };
        rslPrecision precision = n / 4 % 2 ? rsl_single : rsl_double;
        Run whole = StartFlying(n, precision, threads[n % 4]), apart = StartFlying(n, precision, 1 + n % 2);
        double* nothing = StepApart(&apart);
        bool touched = false;
        for (int s = 0; s < STEPS; s += 25)
        {
            Step(&whole, 25);
            Step(&apart, 25);
            CheckAll(&whole, &apart);
            touched = touched || whole.state->touchedCount > 0;
        }
        hit += whole.state->guard.divided > 0 || touched;
        left += touched && whole.state->touchedCount == 0;
        divided += whole.state->guard.divided > 0;
        EndRun(&whole);
        EndRun(&apart);
        free(nothing);
    }
    print_message("# of %d scenes %d hit something, %d left it, %d divided steps\n", SCENES, hit, left, divided);
    assert_true(hit > 0 && hit < SCENES && left > 0 && divided > 0 && (Sanitized() || hit >= SCENES / 8));
}

// Whole steps wait for threads less often.
static void test_flights_are_taken_at_once(void** state)
{
    (void)state;
    int64_t all[2] = { 0 };
    lift = 0.2;
    for (int n = 0; n < SCENES; n += Sanitized() ? 9 : 1)
    {
        for (int k = 0; k < 2; ++k)
        {
            Run run = StartFlying(n, rsl_single, 0);
            double* nothing = k == 1 ? StepApart(&run) : NULL;
            runs = 0;
            Step(&run, 40);
            all[k] += runs;
            EndRun(&run);
            free(nothing);
        }
    }
    print_message("# %lld runs of tasks, in parts %lld\n", (long long)all[0], (long long)all[1]);
    lift = 0.0;
    assert_true(3 * all[0] < 2 * all[1]);
}

// Nobody asks how far things are in models whose steps are looked at anyhow.
static void test_maps_are_of_what_can_fly(void** state)
{
    (void)state;
    lift = 0.2;
    for (int kind = 0; kind < 5; ++kind)
    {
        Random random = MakeRandom(5);
        DrawFlier(&random, 0);
        rslScene scene = SceneOf(bodies, 1);
        scene.ground = rslDefaultGroundDef();
        rslConstraintDef pin = PinOf(SideOf("a", (rslVec3){ .z = 0.28 }, (rslVec3){ .z = 1.0 }));
        scene.constraints = &pin;
        scene.constraintCount = kind == 1;
        bodies[0].material.massDamping = kind == 2 ? 0.1 : 0.0;
        rslSolverDef def = rslDefaultSolverDef();
        def.integrator = kind == 3 ? rsl_symplecticEuler : rsl_positionVerlet;
        Run run = StartRun(&scene, def);
        double* nothing = calloc(3 * (size_t)run.model->nodeCount, sizeof *nothing);
        assert_non_null(nothing);
        rslSolver_SetForces(run.solver, kind == 4 ? nothing : NULL);
        Step(&run, 100);
        rslFlights flights = FlightsOf(&run);
        assert_true((flights.maps > 0) == (kind == 0) && (flights.steps > 0) == (kind == 0));
        EndRun(&run);
        free(nothing);
    }
    lift = 0.0;
}

static void test_cuts_change_nothing(void** state)
{
    (void)state;
    CheckCutsOfAll(StartFlying, Sanitized() ? 4 : 12, 100);
}

// Whatever calls steps are taken in, and whatever is asked between them; saved and loaded again.
static void test_calls_change_nothing(void** state)
{
    (void)state;
    for (int n = 0; n < 16; n += Sanitized() ? 5 : 1)
    {
        rslPrecision precision = n % 2 ? rsl_single : rsl_double;
        Run once = StartFlying(n, precision, 2), often = StartFlying(n, precision, 3);
        Step(&once, 120);
        for (int s = 0, count = 0; s < 120; s += count)
        {
            count = s < 60 ? 1 : 1 + s % 7;
            count = s + count < 120 ? count : 120 - s;
            Step(&often, count);
            (void)rslSolver_Energy(often.solver, often.state);
            if (s % 5 == 0)
            {
                Reload(&often);
            }
        }
        CheckAll(&once, &often);
        EndRun(&once);
        EndRun(&often);
    }
}

// A state that was changed between two calls, some of its nodes pushed down or thrown, is another one, of which nothing is known.
static void test_changes_are_seen(void** state)
{
    (void)state;
    int hit = 0;
    for (int n = 0; n < 12; n += Sanitized() ? 5 : 1)
    {
        rslPrecision precision = n % 2 ? rsl_single : rsl_double;
        Run runsOf[2] = { StartFlying(n, precision, 2), StartFlying(n, precision, 1) };
        double* nothing = StepApart(&runsOf[1]);
        for (int k = 0; k < 2; ++k)
        {
            Run* run = &runsOf[k];
            double step = rslSolver_Stability(run->solver).step;
            Step(run, 3);
            for (int i = 0; i < run->model->nodeCount; i += 17)
            {
                SetMotion(run, 2, i, n % 3 == 0 ? -5e-4 : 0.0, n % 3 > 0 ? -2e-4 * (n % 3) / step : 0.0);
            }
            Step(run, 60);
            hit += run->state->guard.divided > 0;
        }
        CheckAll(&runsOf[0], &runsOf[1]);
        EndRun(&runsOf[0]);
        EndRun(&runsOf[1]);
        free(nothing);
    }
    assert_true(hit > 0 || Sanitized());
}

// ---- what cannot be foreseen ------------------------------------------------------------------------------------------

static double Lowest(const Run* run)
{
    const rslModel* model = run->model;
    double* x = malloc(3 * (size_t)model->contactNodeCount * sizeof(double));
    double lowest = INFINITY;
    assert_non_null(x);
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        int node = model->contactNodes[c];
        rslState_Positions(model, run->state, node, node + 1, &x[3 * (size_t)c]);
    }
    for (int v = 0; v < model->bodies[0].skin.vertexCount; ++v)
    {
        lowest = fmin(lowest, rslSkin_Vertex(&model->bodies[0].skin, x, v).z);
    }
    free(x);
    return lowest;
}

// A body without weight at rest right above the ground, and one half of it that comes down on the other: what reaches the lowest nodes grows
// from step to step by more than they have moved before.
static Run StartStruck(int kind, rslPrecision precision, int threads)
{
    Random random = MakeRandom((uint64_t)kind + 77);
    DrawFlier(&random, 0);
    bodies[0].velocity = bodies[0].spin = (rslVec3){ 0 };
    shapes[0].rotate.angle = kind % 4 == 0 ? shapes[0].rotate.angle : 0.0;
    rslScene scene = SceneOf(bodies, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.ground = rslDefaultGroundDef();
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.threads = threads;
    def.divergenceFactor = 1e9;
    Run run = StartRun(&scene, def);
    double way = NextFactor(&random, 0.01, 0.1) * bodies[0].network.spacing, height = NextFactor(&random, 1e-3, 3.0);
    run.state->frames[0].origin.z += height * way - Lowest(&run);
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        rslVec3 x = PositionOf(&run, i);
        if (x.z > 0.035)
        {
            rslState_SetVelocity(run.model, run.state, i,
                                 (rslVec3){ .z = -way / rslSolver_Stability(run.solver).step });
        }
    }
    return run;
}

static void test_strays_are_taken_back(void** state)
{
    (void)state;
    rslFlights all = { 0 };
    int strayed[2] = { 0 };
    for (int n = 0; n < STRUCK; n += Sanitized() ? 7 : 1)
    {
        rslPrecision precision = n % 2 ? rsl_single : rsl_double;
        Run whole = StartStruck(n, precision, 1 + n % 3), apart = StartStruck(n, precision, 1);
        double* nothing = StepApart(&apart);
        for (int s = 0; s < 40; s += 20)
        {
            Step(&whole, 20);
            Step(&apart, 20);
            CheckAll(&whole, &apart);
        }
        rslFlights flights = FlightsOf(&whole);
        all.steps += flights.steps;
        all.strays += flights.strays;
        all.unclear += flights.unclear;
        strayed[n % 2] += flights.strays > 0;
        assert_true(FlightsOf(&apart).steps == 0);
        EndRun(&whole);
        EndRun(&apart);
        free(nothing);
    }
    print_message("# %lld steps, %lld strays, %lld unclear; strays in %d runs in double precision, %d in single\n",
                  (long long)all.steps, (long long)all.strays, (long long)all.unclear, strayed[0], strayed[1]);
    assert_true(all.strays > 0 && all.unclear > 0 && (Sanitized() || (strayed[0] > 0 && strayed[1] > 0)));
}

// What is no number is told as what does not hold, in flight as well.
static void test_no_number_is_told(void** state)
{
    (void)state;
    lift = 0.2;
    for (int n = 0; n < 4; ++n)
    {
        Run run = StartFlying(n, n % 2 == 0 ? rsl_single : rsl_double, 2);
        Step(&run, 5);
        SetMotion(&run, n % 3, run.model->nodeCount / 3, 0.0, (double)NAN);
        assert_int_not_equal(rslSolver_Step(run.solver, run.state, 40), rsl_ok);
        EndRun(&run);
    }
    lift = 0.0;
}

static void test_memory(void** state)
{
    (void)state;
    Random random = MakeRandom(3);
    rslScene scene = DrawFlight(&random);
    bodies[0].network.spacing = bodies[1].network.spacing = Sanitized() ? 0.03 : 0.01;
    rslSolverDef def = rslDefaultSolverDef();
    def.threads = 2;
    FailEveryAllocation(&scene, def, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flights_are_their_parts),
        cmocka_unit_test(test_flights_are_taken_at_once),
        cmocka_unit_test(test_maps_are_of_what_can_fly),
        cmocka_unit_test(test_cuts_change_nothing),
        cmocka_unit_test(test_calls_change_nothing),
        cmocka_unit_test(test_changes_are_seen),
        cmocka_unit_test(test_strays_are_taken_back),
        cmocka_unit_test(test_no_number_is_told),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("lattice_flight", tests, NULL, NULL);
}
