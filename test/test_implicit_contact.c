// SPDX-License-Identifier: MIT
//
// test_implicit_contact.c: contact of implicit steps: parts, drops, rebounds, stacks; energy that does not grow, nothing that overlaps,
// the same scene in other units, the same bits whatever is saved and loaded.

#include "implicit_contact_fixture.h"

#include "implicit_internal.h"
#include "solver_internal.h"

#include "resilin/observe.h"

// ---- parts of steps ---------------------------------------------------------------------------------------------------

// A body that is about to hit something is taken in parts for as long as it is in touch, and what is left of coarser parts is as long in
// finer ones; then parts become longer, half of a time in touch at a time.
static void TestParts(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.1, 0.1, 0.1);
    box.translate.z = 0.051;
    rslBodyDef body = LatticeBody("box", &box, 0.05);
    body.velocity.z = -3.0;
    rslScene scene = OnGround(&body, 1, 0.0);
    Run run = StartRun(&scene, Implicit(rsl_trBdf2, frame, 1e-5));
    rslImplicit* m = run.solver->implicit;
    rslGuardTally* guard = &run.state->guard;
    run.state->step = frame;
    // T = 2 L / sqrt(1.2 E/rho), in parts of a fifth of it at most
    double lasts = 0.2 / sqrt(1.2 * body.material.young / body.material.density);
    int level = (int)ceil(log2(frame / (0.2 * lasts)));
    uint64_t parts = 1 + (uint64_t)ceil(lasts / frame * (double)(1 << level));
    assert_int_equal(rslImplicit_ImpactLevel(m, run.state, 0, 9), level);
    assert_true(guard->level == (uint64_t)level && guard->wary == parts);
    guard->level = (uint64_t)level - 1;
    guard->wary = 1000;
    assert_int_equal(rslImplicit_ImpactLevel(m, run.state, 0, 9), level);
    assert_true(guard->level == (uint64_t)level && guard->wary == 2000);
    guard->level = (uint64_t)level + 2;
    guard->wary = 4;
    assert_int_equal(rslImplicit_ImpactLevel(m, run.state, 0, 9), level + 2);
    assert_true(guard->level == (uint64_t)level + 2 &&
                guard->wary == 1 + (uint64_t)ceil(lasts / frame * (double)(4 << level)));
    // a part of level 1 is four of level 3; four of level 5 are one
    *guard = (rslGuardTally){ .smallest = 1.0, .level = 3, .wary = 10 };
    rslImplicit_Passed(m, run.state, 1);
    assert_true(guard->level == 3 && guard->wary == 6);
    run.state->stepCount = 6;
    rslImplicit_Passed(m, run.state, 5);
    assert_true(guard->wary == 6);
    run.state->stepCount = 8;
    rslImplicit_Passed(m, run.state, 5);
    assert_true(guard->wary == 5);
    guard->wary = 1;
    rslImplicit_Passed(m, run.state, 3);
    assert_true(guard->level == 2 && guard->wary == 3);  // 0.5/0.2
    *guard = (rslGuardTally){ .smallest = 1.0, .level = 1, .wary = 1 };
    rslImplicit_Passed(m, run.state, 0);
    assert_true(guard->level == 0 && guard->wary == 0);
    EndRun(&run);
}

// ---- restitution ------------------------------------------------------------------------------------------------------

// Restitution that does nothing is told: of soft bodies with a barrier, and with penalties; neither of rigid ones nor with impulses.
static void TestRestitutionIsTold(void** state)
{
    (void)state;
    for (int i = 0; i < 12; ++i)
    {
        static const rslIntegrator integrators[3] = { rsl_theta, rsl_velocityVerlet, rsl_positionVerlet };
        bool rigid = i % 2 == 1, none = i / 2 % 2 == 1;
        rslShapeDef box = BoxShape(0.1, 0.1, 0.1);
        box.translate.z = 0.06;
        rslBodyDef body = LatticeBody("box", &box, 0.05);
        body.model.type = rigid ? rsl_rigidModel : body.model.type;
        rslScene scene = OnGround(&body, 1, 0.0);
        scene.touch.scheme = rsl_autoScheme;
        scene.touch.pairs = rsl_listedPairs;
        scene.touch.restitution = none ? 1.0 : 0.4;
        scene.time.integrator = integrators[i / 4];
        rslReport report = { 0 };
        if (rigid && i / 4 == 1)
        {
            continue;  // penalties take the stiffness of springs
        }
        assert_int_equal(CreateOnly(&scene, SolverDef(integrators[i / 4], 1e-4), &report), rsl_ok);
        bool told =
            HasMessage(&report, rsl_warning, (rslPlace){ 0, 0 }, "restitution 0.4 of 'box' and 'ground' is not used");
        assert_true(told == (!none && !rigid && i / 4 < 2));
    }
}

// And a thickness of a pair, with penalties: by velocity Verlet, by choice, or of rest.
static void TestThicknessIsTold(void** state)
{
    (void)state;
    static const struct
    {
        rslIntegrator integrator;
        rslTouchScheme scheme;
        bool told;
    } cases[] = {
        { rsl_velocityVerlet, rsl_autoScheme, true }, { rsl_positionVerlet, rsl_penaltyScheme, true },
        { rsl_static, rsl_autoScheme, true },         { rsl_positionVerlet, rsl_autoScheme, false },
        { rsl_theta, rsl_autoScheme, false },
    };
    for (size_t i = 0; i < 3 * (sizeof cases / sizeof cases[0]); ++i)
    {
        const double thickness = i % 3 == 0 ? 0.002 : i % 3 == 1 ? 0.0 : RSL_AUTO;
        rslShapeDef box = BoxShape(0.1, 0.1, 0.1);
        box.translate.z = 0.06;
        rslBodyDef body = LatticeBody("box", &box, 0.05);
        rslScene scene = OnGround(&body, 1, 0.0);
        rslContactDef contact = rslDefaultContactDef();
        contact.a = "box";
        contact.b = "ground";
        contact.thickness = thickness;
        scene.contacts = &contact;
        scene.contactCount = 1;
        scene.touch.scheme = cases[i / 3].scheme;
        scene.time.integrator = cases[i / 3].integrator;
        rslReport report = { 0 };
        assert_int_equal(CreateOnly(&scene, SolverDef(cases[i / 3].integrator, 1e-4), &report), rsl_ok);
        bool told =
            HasMessage(&report, rsl_warning, (rslPlace){ 0, 0 }, "thickness 0.002 of 'box' and 'ground' is not used");
        assert_true(told == (thickness > 0.0 && cases[i / 3].told));
    }
}

// The same of two bodies, of which one may be rigid: of all pairs, of those that are listed, and of those alone.
static void TestRestitutionOfPairsIsTold(void** state)
{
    (void)state;
    static const struct
    {
        bool rigid[2], all;
        double restitution, listed;  // of all touches; of the pair, 0: it is not listed
        bool told;
    } cases[] = {
        { { false, false }, true, 0.4, 0.0, true }, { { true, false }, true, 0.4, 0.0, true },
        { { true, true }, true, 0.4, 0.0, false },  { { false, false }, false, 0.4, 0.0, false },
        { { false, true }, false, 1.0, 0.4, true }, { { false, false }, true, 0.4, 1.0, false },
        { { false, false }, true, 1.0, 0.4, true }, { { false, false }, true, 1.0, 0.0, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        rslShapeDef boxes[2] = { BoxShape(0.1, 0.1, 0.1), BoxShape(0.1, 0.1, 0.1) };
        boxes[1].translate.x = 0.2;
        rslBodyDef bodies[2] = { LatticeBody("a", &boxes[0], 0.05), LatticeBody("b", &boxes[1], 0.05) };
        for (int b = 0; b < 2; ++b)
        {
            bodies[b].model.type = cases[i].rigid[b] ? rsl_rigidModel : bodies[b].model.type;
        }
        rslContactDef contact = rslDefaultContactDef();
        contact.a = "a";
        contact.b = "b";
        contact.restitution = cases[i].listed;
        rslScene scene = SceneOf(bodies, 2);
        scene.contacts = &contact;
        scene.contactCount = cases[i].listed > 0.0 ? 1 : 0;
        scene.touch.pairs = cases[i].all ? rsl_allPairs : rsl_listedPairs;
        scene.touch.restitution = cases[i].restitution;
        scene.time.integrator = rsl_theta;
        rslReport report = { 0 };
        assert_int_equal(CreateOnly(&scene, SolverDef(rsl_theta, 1e-4), &report), rsl_ok);
        bool told = HasMessage(&report, rsl_warning, (rslPlace){ 0, 0 }, "restitution 0.4 of 'a' and 'b' is not used");
        assert_true(told == cases[i].told);
    }
}

// The same of a body with itself: of all bodies, and of one that is listed; rigid ones do not touch themselves.
static void TestRestitutionOfSelfIsTold(void** state)
{
    (void)state;
    static const struct
    {
        rslIntegrator integrator;
        bool rigid, self;
        double restitution, listed;  // of all touches; of the body with itself, 0: it is not listed
        bool told;
    } cases[] = {
        { rsl_trBdf2, false, true, 0.4, 0.0, true },          { rsl_trBdf2, true, true, 0.4, 0.0, false },
        { rsl_trBdf2, false, true, 1.0, 0.0, false },         { rsl_trBdf2, false, false, 0.4, 0.0, false },
        { rsl_trBdf2, false, false, 1.0, 0.4, true },         { rsl_trBdf2, false, true, 0.4, 1.0, false },
        { rsl_positionVerlet, false, true, 0.4, 0.0, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        rslShapeDef box = BoxShape(0.1, 0.1, 0.1);
        rslBodyDef body = LatticeBody("a", &box, 0.05);
        body.model.type = cases[i].rigid ? rsl_rigidModel : body.model.type;
        rslContactDef contact = rslDefaultContactDef();
        contact.a = contact.b = "a";
        contact.restitution = cases[i].listed;
        rslScene scene = SceneOf(&body, 1);
        scene.contacts = &contact;
        scene.contactCount = cases[i].listed > 0.0 ? 1 : 0;
        scene.touch.self = cases[i].self;
        scene.touch.restitution = cases[i].restitution;
        scene.time.integrator = cases[i].integrator;
        rslReport report = { 0 };
        assert_int_equal(CreateOnly(&scene, SolverDef(cases[i].integrator, 1e-4), &report), rsl_ok);
        bool told =
            HasMessage(&report, rsl_warning, (rslPlace){ 0, 0 }, "restitution 0.4 of 'a' and itself is not used");
        assert_true(told == cases[i].told);
    }
}

// ---- drops ----------------------------------------------------------------------------------------------------------

typedef struct Drop
{
    double rebound;  // over the drop
    double growth;   // of the energy, over that at the start
} Drop;

// A cube of 2 cells, undamped, two lengths above the ground.
static Drop DropCube(rslIntegrator scheme, double step, double young, double tolerance)
{
    rslShapeDef box = BoxShape(0.1, 0.1, 0.1);
    box.translate = (rslVec3){ 0.0, 0.0, 0.25 };
    rslBodyDef body = LatticeBody("cube", &box, 0.05);
    body.material.young = young;
    rslScene scene = OnGround(&body, 1, 0.0);
    Run run = StartRun(&scene, Implicit(scheme, step, tolerance));
    double start = rslSolver_Energy(run.solver, run.state).total, most = start, highest = 0.0;
    for (int n = 0; n < (int)(0.5 / step); ++n)
    {
        Step(&run, 1);
        most = fmax(most, rslSolver_Energy(run.solver, run.state).total);
        highest = TimeOf(&run) > 0.22 ? fmax(highest, CentreOf(&run, 0).z) : 0.0;
        assert_true(LowestOf(&run) > 0.0);
    }
    EndRun(&run);
    return (Drop){ (highest - 0.05) / 0.2, most / start - 1.0 };
}

static void TestDrops(void** state)
{
    (void)state;
    Drop theta = DropCube(rsl_theta, frame, 1e5, 1e-9), fine = DropCube(rsl_theta, 0.1 * frame, 1e5, 1e-6);
    Drop euler = DropCube(rsl_implicitEuler, frame, 1e5, 1e-9);
    print_message("drop: rebound %.3f at 1/60 s, %.3f at a tenth; Euler %.4f\n", theta.rebound, fine.rebound,
                  euler.rebound);
    assert_proved("rebound of a cube, theta, 1/60 s beside a tenth", fabs(theta.rebound / fine.rebound - 1.0), 0.1);
    assert_proved("energy of a drop grows, theta", theta.growth, 3e-9);
    assert_proved("energy of a drop grows, Euler", euler.growth, 7e-7);
    assert_true(euler.rebound < 0.1 * theta.rebound);
    for (int y = 4; Proving() && y < 10; ++y)
    {
        char what[80];
        Drop one = DropCube(rsl_theta, frame, pow(10.0, y), 1e-8);
        snprintf(what, sizeof what, "energy of a drop grows, theta, E = 1e%d", y);
        assert_proved(what, one.growth, 3e-9);
    }
    if (Proving())
    {
        Drop long_ = DropCube(rsl_trBdf2, frame, 1e6, 1e-6), tenth = DropCube(rsl_trBdf2, 0.1 * frame, 1e6, 1e-6);
        assert_proved("rebound of a cube, TR-BDF2", fabs(long_.rebound / tenth.rebound - 1.0), 0.1);
        assert_proved("energy of a drop grows, TR-BDF2", long_.growth, 1e-3);
    }
}

// ---- other units ----------------------------------------------------------------------------------------------------

// Lengths and E by s, times by its square root: all places through the impact, over s.
static void FallScaled(double s, double* places, int count, int frames)
{
    rslShapeDef box = BoxShape(0.1 * s, 0.1 * s, 0.1 * s);
    box.translate = (rslVec3){ 0.0, 0.0, 0.12 * s };
    box.rotate = (rslRotationDef){ { 1.0, 0.3, 0.0 }, 12.0 };
    rslBodyDef body = LatticeBody("cube", &box, 0.05 * s);
    body.material.young = 1e5 * s;
    body.material.stiffnessDamping = 1e-3 * sqrt(s);
    rslScene scene = OnGround(&body, 1, 0.3);
    Run run = StartRun(&scene, Implicit(rsl_theta, frame * sqrt(s), 1e-6));
    Step(&run, frames);
    assert_int_equal(3 * run.model->nodeCount, count);
    rslState_Positions(run.model, run.state, 0, run.model->nodeCount, places);
    for (int i = 0; i < count; ++i)
    {
        places[i] /= s;
    }
    assert_true(run.state->touchedCount > 0);
    EndRun(&run);
}

static void TestScaled(void** state)
{
    (void)state;
    double one[192], small[192], large[192], worst = 0.0;
    FallScaled(1.0, one, 192, 9);
    FallScaled(0.01, small, 192, 9);
    FallScaled(100.0, large, 192, 9);
    for (int i = 0; i < 192; ++i)
    {
        worst = Worse(worst, fabs(small[i] - one[i]) / 0.1);
        worst = Worse(worst, fabs(large[i] - one[i]) / 0.1);
    }
    assert_proved("a cube's fall in other units, s = 1/100 and 100", worst, 1e-3);
}

// ---- the same bits ----------------------------------------------------------------------------------------------------

static uint64_t StackHash(int threads, bool saved, int steps)
{
    rslShapeDef boxes[2] = { BoxShape(0.1, 0.1, 0.1), BoxShape(0.1, 0.1, 0.1) };
    boxes[0].translate = (rslVec3){ 0.0, 0.0, 0.06 };
    boxes[1].translate = (rslVec3){ 0.01, 0.0, 0.17 };
    boxes[1].rotate = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 20.0 };
    rslBodyDef bodies[2] = { LatticeBody("low", &boxes[0], 0.05), LatticeBody("high", &boxes[1], 0.05) };
    bodies[1].velocity = (rslVec3){ 0.5, 0.0, 0.0 };
    rslScene scene = OnGround(bodies, 2, 0.3);
    rslSolverDef def = Implicit(rsl_theta, frame, 1e-4);
    def.threads = threads;
    Run run = StartRun(&scene, def);
    for (int n = 0; n < steps; ++n)
    {
        Step(&run, 1);
        if (saved)
        {
            Reload(&run);
            rslSolver_Free(run.solver);
            run.solver = SolverOf(run.model, &def);
        }
    }
    assert_true(run.state->touchedCount > 5);
    uint64_t hash = rslState_Hash(run.state);
    EndRun(&run);
    return hash;
}

static void TestSame(void** state)
{
    (void)state;
    int steps = Proving() ? 60 : 8;
    uint64_t hash = StackHash(1, false, steps);
    assert_true(hash == StackHash(2, false, steps));
    assert_true(hash == StackHash(1, true, steps));
}

// ---- out of memory ----------------------------------------------------------------------------------------------------

// Every allocation of a solver and its first steps fails in turn: the call says so, and nothing is left behind.
static void TestWithoutMemory(void** state)
{
    (void)state;
    rslShapeDef boxes[2] = { BoxShape(0.1, 0.1, 0.1), BoxShape(0.1, 0.1, 0.1) };
    boxes[0].translate = (rslVec3){ 0.0, 0.0, 0.051 };
    boxes[1].translate = (rslVec3){ 0.01, 0.0, 0.152 };
    rslBodyDef bodies[2] = { LatticeBody("low", &boxes[0], 0.1), LatticeBody("high", &boxes[1], 0.1) };
    rslScene scene = OnGround(bodies, 2, 0.3);
    rslModel* model = Built(&scene, NULL);
    rslSolverDef def = Implicit(rsl_theta, frame, 1e-4);
    for (int failAt = 1;; ++failAt)
    {
        Heap heap = { .failAt = failAt };
        rslHooks hooks = HeapHooks(&heap);
        rslSolver* solver = NULL;
        rslState* moving = NULL;
        rslStatus status = rslState_Create(model, rsl_double, &hooks, &moving);
        status = status == rsl_ok ? rslSolver_Create(model, &def, &hooks, &solver, NULL) : status;
        status = status == rsl_ok ? rslSolver_Step(solver, moving, 3) : status;
        rslSolver_Free(solver);
        rslState_Free(moving);
        assert_int_equal(heap.live, 0);
        if (heap.calls < failAt)
        {
            assert_int_equal(status, rsl_ok);
            break;
        }
        assert_int_equal(status, rsl_outOfMemory);
    }
    rslModel_Free(model);
}

// ---- Newton steps -----------------------------------------------------------------------------------------------------

// A soft block that lands: contacts are led through their barriers, so that a part of two stages takes no more Newton steps than this
// (5.4 without).
static void TestSteps(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.1, 0.1, 0.05);
    box.translate = (rslVec3){ 0.0, 0.0, 0.1 };
    box.rotate = (rslRotationDef){ { 1.0, 0.0, 0.0 }, 15.0 };
    rslBodyDef body = LatticeBody("block", &box, 0.05 / 3.0);
    body.material.young = 1e5;
    body.material.stiffnessDamping = 1e-3;
    rslScene scene = OnGround(&body, 1, 0.5);
    Run run = StartRun(&scene, Implicit(rsl_trBdf2, frame, NAN));
    Step(&run, 24);
    double parts = (double)run.state->guard.substeps + 24.0 - (double)run.state->guard.divided;
    assert_proved("soft block that lands: Newton steps a part", (double)rslSolver_Solve(run.solver).newtonSteps / parts,
                  4.8);
    EndRun(&run);
}

// ---- too stiff for the step -------------------------------------------------------------------------------------------

// A stiff block with stiff dampers that spins and lands: impacts that no part of a step resolves are taken without a bounce, and what
// comes after them is not divided for gains that are none.
static void LandStiff(rslIntegrator scheme, double spacing)
{
    rslShapeDef box = BoxShape(0.1, 0.1, 0.05);
    box.translate = (rslVec3){ 0.0, 0.0, 0.2 };
    rslBodyDef body = LatticeBody("block", &box, spacing);
    body.material.young = 1e9;
    body.material.stiffnessDamping = 1e-3;
    body.spin = (rslVec3){ 90.0, 0.0, 0.0 };
    rslScene scene = OnGround(&body, 1, 0.5);
    Run run = StartRun(&scene, Implicit(scheme, frame, NAN));
    double start = rslSolver_Energy(run.solver, run.state).total, most = start;
    for (int n = 0; n < 60; ++n)
    {
        Step(&run, 1);
        most = fmax(most, rslSolver_Energy(run.solver, run.state).total);
    }
    assert_proved("stiff block that lands: energy grows", most / start - 1.0, 1e-5);
    assert_proved("what dampers took of it, over its energy", run.state->account.dissipated / start, 1.0);
    assert_proved("Newton steps a frame", (double)rslSolver_Solve(run.solver).newtonSteps / 60.0, 10.0);
    EndRun(&run);
}

static void TestStiff(void** state)
{
    (void)state;
    LandStiff(rsl_trBdf2, 0.025);
    LandStiff(rsl_implicitEuler, 0.025);
    if (Proving())
    {
        LandStiff(rsl_trBdf2, 0.01);
        LandStiff(rsl_implicitEuler, 0.01);
    }
}

// ---- a stack --------------------------------------------------------------------------------------------------------

static void TestStack(void** state)
{
    (void)state;
    enum
    {
        BOXES = 5
    };
    int count = Proving() ? BOXES : 2, seconds = Proving() ? 60 : 1;
    rslShapeDef shapes[BOXES];
    rslBodyDef bodies[BOXES];
    const char* const names[BOXES] = { "a", "b", "c", "d", "e" };
    for (int i = 0; i < count; ++i)
    {
        shapes[i] = BoxShape(0.1, 0.1, 0.1);
        shapes[i].translate = (rslVec3){ i % 2 ? -0.003 : 0.003, 0.003 * (i / 2 % 2), 0.0505 + 0.1005 * i };
        shapes[i].rotate = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 0.3 * 180.0 / PI * i };
        bodies[i] = LatticeBody(names[i], &shapes[i], i % 2 ? 0.1 / 3.0 : 0.05);
        bodies[i].material.young = 1e6;
        bodies[i].material.stiffnessDamping = 1e-3;
    }
    rslScene scene = OnGround(bodies, count, 0.5);
    Run run = StartRun(&scene, Implicit(rsl_theta, frame, 1e-4));
    rslVec3 before[BOXES];
    for (int i = 0; i < count; ++i)
    {
        before[i] = CentreOf(&run, i);
    }
    double start = rslSolver_Energy(run.solver, run.state).total, most = start, drift = 0.0;
    for (int n = 0; n < 60 * seconds; ++n)
    {
        Step(&run, 1);
        most = fmax(most, rslSolver_Energy(run.solver, run.state).total);
    }
    for (int i = 0; i < count; ++i)
    {
        rslVec3 at = CentreOf(&run, i);
        drift = Worse(drift, hypot(at.x - before[i].x, at.y - before[i].y) / 0.1);
        assert_close(at.z, before[i].z, 0.005);
    }
    assert_proved(count == BOXES ? "five soft boxes, 60 s at 1/60 s: drift of a box" : "two soft boxes: drift", drift,
                  0.02);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestParts),
        cmocka_unit_test(TestRestitutionIsTold),
        cmocka_unit_test(TestThicknessIsTold),
        cmocka_unit_test(TestDrops),
        cmocka_unit_test(TestScaled),
        cmocka_unit_test(TestSame),
        cmocka_unit_test(TestWithoutMemory),
        cmocka_unit_test(TestStack),
        cmocka_unit_test(TestStiff),
        cmocka_unit_test(TestSteps),
        cmocka_unit_test(TestRestitutionOfPairsIsTold),
        cmocka_unit_test(TestRestitutionOfSelfIsTold),
    };
    return cmocka_run_group_tests_name("implicit_contact", tests, NULL, NULL);
}
