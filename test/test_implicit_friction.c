// SPDX-License-Identifier: MIT
//
// test_implicit_friction.c: friction of implicit steps: sliding, slopes, colliders that move.

#include "implicit_contact_fixture.h"

#include "resilin/observe.h"

// ---- sliding --------------------------------------------------------------------------------------------------------

static double Slide(rslIntegrator scheme, double spacing, double mu, double v0)
{
    rslShapeDef box = BoxShape(0.2, 0.1, 0.1);
    box.translate = (rslVec3){ 0.0, 0.0, 0.05 };  // right on the ground
    rslBodyDef body = LatticeBody("box", &box, spacing);
    body.material.stiffnessDamping = Damping(0.1, 0.1);
    body.velocity = (rslVec3){ v0, 0.0, 0.0 };
    rslScene scene = OnGround(&body, 1, mu);
    Run run = StartRun(&scene, Implicit(scheme, frame, 1e-5));
    double exact = v0 * v0 / (2.0 * mu * 9.81), before = CentreOf(&run, 0).x;
    Step(&run, (int64_t)ceil(60.0 * (v0 / (mu * 9.81) + 0.3)));
    double way = CentreOf(&run, 0).x - before;
    assert_true(LowestOf(&run) > 0.0);
    // what the ground gave is what the box lost
    rslPush push = rslState_Push(run.model, run.state, 0, 0);
    double mass = run.model->bodies[0].mass, momentum = rslSolver_Motion(run.solver, run.state, 0).momentum.x;
    assert_close(push.friction.x, momentum - mass * v0, 2e-5 * mass * v0);
    EndRun(&run);
    return way / exact - 1.0;
}

static void TestSlide(void** state)
{
    (void)state;
    double euler = Slide(rsl_implicitEuler, 0.05, 0.3, 3.0);
    assert_proved("sliding, theta 0.55, 1/60 s, 2 cells high, 3 m/s", fabs(Slide(rsl_theta, 0.05, 0.3, 3.0)), 5e-3);
    assert_proved("sliding, backward Euler: error beside -mu g h/v0", fabs(euler + 0.3 * 9.81 * frame / 3.0), 5e-3);
    if (Proving())
    {
        assert_proved("sliding, theta 0.55, 1 cell high", fabs(Slide(rsl_theta, 0.1, 0.3, 3.0)), 5e-3);
        assert_proved("sliding, theta 0.55, 4 cells high", fabs(Slide(rsl_theta, 0.025, 0.3, 3.0)), 5e-3);
        printf("sliding: TR-BDF2 %.5f\n", Slide(rsl_trBdf2, 0.05, 0.3, 3.0));
    }
}

// ---- slopes ---------------------------------------------------------------------------------------------------------

typedef struct Slope
{
    double creep;         // of its length, after it has settled
    double acceleration;  // [m/s2]
} Slope;

static Slope OnSlope(rslIntegrator scheme, double mu, double ratio, double settle, double seconds)
{
    double angle = atan(ratio * mu);
    rslShapeDef box = BoxShape(0.2, 0.1, 0.1);
    box.translate = (rslVec3){ 0.0, 0.0, 0.05 };
    rslBodyDef body = LatticeBody("box", &box, 0.05);
    body.material.stiffnessDamping = Damping(mu < 1.0 ? 0.1 : 0.25, 0.1);
    rslScene scene = OnGround(&body, 1, mu);
    // the slope comes slowly
    scene.gravity = (rslVec3){ 0.0, 0.0, -9.81 * cos(angle) };
    rslLoadDef pull = rslDefaultLoadDef();
    pull.type = rsl_accelerationLoad;
    pull.nodes = AllOf("box");
    pull.acceleration = (rslVec3){ 9.81 * sin(angle), 0.0, 0.0 };
    pull.course.type = rsl_rampCourse;
    pull.course.duration = 0.8 * settle;
    pull.course.smooth = true;
    scene.loads = &pull;
    scene.loadCount = 1;
    Run run = StartRun(&scene, Implicit(scheme, frame, 1e-6));
    Step(&run, (int64_t)(60.0 * settle));
    double x = CentreOf(&run, 0).x, mass = run.model->bodies[0].mass;
    double v = rslSolver_Motion(run.solver, run.state, 0).momentum.x / mass;
    Step(&run, (int64_t)(60.0 * seconds));
    double after = rslSolver_Motion(run.solver, run.state, 0).momentum.x / mass;
    Slope slope = { fabs(CentreOf(&run, 0).x - x) / 0.2, (after - v) / seconds };
    EndRun(&run);
    return slope;
}

static void CheckSlopes(rslIntegrator scheme, double mu, double settle, double seconds)
{
    char what[100];
    const char* name = scheme == rsl_theta ? "theta" : scheme == rsl_trBdf2 ? "TR-BDF2" : "Euler";
    for (int r = 0; r < 3; ++r)
    {
        double ratio = (const double[]){ 0.99, 1.01, 1.2 }[r], angle = atan(ratio * mu);
        double exact = 9.81 * (sin(angle) - mu * cos(angle));
        Slope slope = OnSlope(scheme, mu, ratio, settle, seconds);
        double error = fabs(slope.acceleration - exact);
        snprintf(what, sizeof what, "slope %g of atan %g, %s, 1/60 s", ratio, mu, name);
        assert_proved(what,
                      r == 0   ? slope.creep
                      : r == 1 ? error / 9.81
                               : error / exact,
                      r == 0   ? 1e-5
                      : r == 1 ? 5e-4
                               : 5e-3);
    }
}

static void TestSlopes(void** state)
{
    (void)state;
    CheckSlopes(rsl_theta, 0.3, 3.0, 1.0);
    for (int m = 0; Proving() && m < 3; ++m)
    {
        double mu = (const double[]){ 0.05, 0.3, 1.0 }[m];
        CheckSlopes(rsl_theta, mu, 3.0, 10.0);
        CheckSlopes(rsl_implicitEuler, mu, 8.0, 10.0);
    }
}

// ---- colliders that move --------------------------------------------------------------------------------------------

// A belt that carries a box along at mu g until it goes with it.
static void TestBelt(void** state)
{
    (void)state;
    static const double path[8] = { 0, 0, 0, 0, 10, 10, 0, 0 };
    rslShapeDef box = BoxShape(0.1, 0.1, 0.1);
    box.translate = (rslVec3){ 0.0, 0.0, 0.05 };
    rslBodyDef body = LatticeBody("box", &box, 0.05);
    body.material.stiffnessDamping = Damping(0.2, 0.1);
    rslScene scene = OnGround(&body, 1, 0.0);
    scene.ground.enabled = false;
    rslColliderDef belt = rslDefaultColliderDef();
    belt.name = "belt";
    belt.friction = 0.3;
    belt.move.path = path;
    belt.move.pathCount = 2;
    scene.colliders = &belt;
    scene.colliderCount = 1;
    Run run = StartRun(&scene, Implicit(rsl_theta, frame, 1e-5));
    double mass = run.model->bodies[0].mass;
    Step(&run, 15);
    assert_close(rslSolver_Motion(run.solver, run.state, 0).momentum.x / mass, 0.3 * 9.81 * 0.25, 0.02);
    Step(&run, 45);
    assert_close(rslSolver_Motion(run.solver, run.state, 0).momentum.x / mass, 1.0, 1e-3);
    assert_close(rslSolver_Energy(run.solver, run.state).drift, 0.0, 1e-9);
    assert_true(run.state->account.motion > 0.9 * mass);  // m v^2: a half of it is heat
    EndRun(&run);
}

// A plate that lifts off at once, under a box that lies on it: by a quarter of a cell and by two and a half of them in a step.
static void TestPlate(void** state)
{
    (void)state;
    for (int fast = 0; fast < 2; ++fast)
    {
        double speed = fast ? 7.5 : 0.75, begin = 3.0 * frame;
        const double path[12] = { 0, 0, 0, 0, begin, 0, 0, 0, begin + 0.2, 0, 0, 0.2 * speed };
        rslShapeDef box = BoxShape(0.1, 0.1, 0.1), slab = BoxShape(0.3, 0.3, 0.02);
        box.translate = (rslVec3){ 0.0, 0.0, 0.05 };
        slab.translate = (rslVec3){ 0.0, 0.0, -0.01 };
        rslBodyDef body = LatticeBody("box", &box, 0.05);
        body.material.stiffnessDamping = Damping(0.2, 0.1);
        rslScene scene = OnGround(&body, 1, 0.0);
        scene.ground.enabled = false;
        rslColliderDef plate = rslDefaultColliderDef();
        plate.type = rsl_shapeCollider;
        plate.shape = &slab;
        plate.move.path = path;
        plate.move.pathCount = 3;
        scene.colliders = &plate;
        scene.colliderCount = 1;
        Run run = StartRun(&scene, Implicit(rsl_trBdf2, frame, 1e-4));
        Step(&run, 13);
        // it is not slower than the plate, and not beneath it
        assert_true(LowestOf(&run) > 10.0 * frame * speed);
        assert_true(rslSolver_Motion(run.solver, run.state, 0).momentum.z > 0.5 * run.model->bodies[0].mass * speed);
        assert_close(rslSolver_Energy(run.solver, run.state).drift, 0.0, 1e-9);
        EndRun(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSlide),
        cmocka_unit_test(TestSlopes),
        cmocka_unit_test(TestBelt),
        cmocka_unit_test(TestPlate),
    };
    return cmocka_run_group_tests_name("implicit_friction", tests, NULL, NULL);
}
