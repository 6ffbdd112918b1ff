// SPDX-License-Identifier: MIT
//
// test_touch.c: steps with impulses at collisions: energy through bounces, weight at rest, what is saved and goes on.

#include "physics_fixture.h"

static rslScene OnGround(const rslBodyDef* body, double friction)
{
    rslScene scene = SceneOf(body, 1);
    scene.ground = rslDefaultGroundDef();
    scene.ground.friction = friction;
    return scene;
}

static double EnergyOf(const Run* run)
{
    return rslSolver_Energy(run->solver, run->state).total;
}

// ---- energy ---------------------------------------------------------------------------------------------------------

// A node that nothing is tied to falls by a metre and bounces.
static double PointError(rslIntegrator integrator, double step, int64_t steps)
{
    static const double place[3] = { 0.0, 0.0, 1.0 }, mass = 0.1;
    rslBodyDef body = NetworkBody("point", place, 1, &mass, NULL, 0, NULL);
    body.velocity = (rslVec3){ 0.3, 0.0, 0.0 };
    rslScene scene = OnGround(&body, 0.0);
    Run run = StartRun(&scene, SolverDef(integrator, step));
    double start = EnergyOf(&run), worst = 0.0, lowest = 1.0;
    for (int64_t done = 0; done < steps; done += 100)
    {
        Step(&run, 100);
        worst = Worse(worst, fabs(EnergyOf(&run) / start - 1.0));
        lowest = fmin(lowest, PositionOf(&run, 0).z);
    }
    assert_true(lowest < 0.9 && lowest > -1e-12);
    assert_true(rslState_Push(run.model, run.state, 0, 0).normal.z > 0.0);
    EndRun(&run);
    return worst;
}

static void TestPoint(void** unused)
{
    (void)unused;
    int64_t steps = Proving() ? 300000 : 20000;
    assert_proved("bouncing point, energy, h = 0.01 s", PointError(rsl_positionVerlet, 0.01, steps), 1e-11);
    assert_proved("bouncing point, energy, h = 0.001 s", PointError(rsl_positionVerlet, 0.001, steps), 1e-11);
}

// An undamped cube of 2 x 2 x 2 cells falls by its own height and bounces, turning.
static double CubeError(double part, double spin, double duration)
{
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.1);
    shape.translate = (rslVec3){ 0.0, 0.0, 0.15 };
    rslBodyDef body = LatticeBody("cube", &shape, 0.05);
    body.spin = (rslVec3){ spin, 0.5 * spin, 0.0 };
    rslScene scene = OnGround(&body, 0.0);
    rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
    def.fraction = part;
    Run run = StartRun(&scene, def);
    double start = EnergyOf(&run), worst = 0.0;
    while (TimeOf(&run) < duration)
    {
        Step(&run, 50);
        worst = Worse(worst, fabs(EnergyOf(&run) / start - 1.0));
    }
    assert_true(rslState_Push(run.model, run.state, 0, 0).normal.z > 0.0);
    EndRun(&run);
    return worst;
}

static int Ascending(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The way of a cube that bounces and turns is chaotic: how far its energy wanders in a minute differs by three times between spins that are
// all but the same. So the bar is one of medians.
static double MedianError(double part, int starts, double duration)
{
    double errors[9];
    for (int k = 0; k < starts; ++k)
    {
        errors[k] = CubeError(part, 40.0 - 4.0 * k, duration);
    }
    qsort(errors, (size_t)starts, sizeof errors[0], Ascending);
    return errors[starts / 2];
}

static void TestCube(void** unused)
{
    (void)unused;
    int starts = Proving() ? 9 : 1;
    double duration = Proving() ? 60.0 : 2.0, whole = MedianError(1.0 / 30.0, starts, duration);
    assert_proved("undamped cubes, energy, a thirtieth of the stable step", whole, 5e-4);
    assert_proved("the same at half of that, over it", MedianError(1.0 / 60.0, starts, duration) / whole, 1.0 / 3.0);
}

// ---- a box on the ground --------------------------------------------------------------------------------------------

// 0.2 x 0.1 x 0.1 m, E = 1e5 Pa, damped so that its first shear mode has this ratio; cells: of its height.
typedef struct Box
{
    rslShapeDef shape;
    rslBodyDef body;
} Box;

static void MakeBox(Box* box, int cells, double ratio)
{
    double height = 0.1, shear = 1e5 / 2.5, density = 1000.0;
    double frequency = 0.5 * PI / height * sqrt(shear / density);
    box->shape = BoxShape(0.2, 0.1, height);
    box->shape.translate = (rslVec3){ 0.0, 0.0, 0.5 * height };
    box->body = LatticeBody("box", &box->shape, height / cells);
    box->body.material.stiffnessDamping = 2.0 * ratio / frequency;
}

// The mean force of the ground over a time is the weight; from step to step it hardly changes.
static void TestWeight(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    Box box;
    MakeBox(&box, 2, 0.1);
    rslScene scene = OnGround(&box.body, 0.3);
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    double weight = 9.81 * TotalMass(run.model, 0), h = rslSolver_Stability(run.solver).step, noise = 0.0, last = 0.0;
    int64_t steps = (int64_t)((Proving() ? 10.0 : 0.5) / h);
    Step(&run, (int64_t)(2.0 / h));
    double before = rslState_Push(run.model, run.state, 0, 0).normal.z, first = before;
    for (int64_t i = 0; i < steps; ++i)
    {
        Step(&run, 1);
        double now = rslState_Push(run.model, run.state, 0, 0).normal.z, force = (now - before) / h;
        noise = i > 0 ? Worse(noise, fabs(force - last) / weight) : noise;
        before = now;
        last = force;
    }
    double mean = (before - first) / ((double)steps * h);
    assert_proved("force of the ground on a box at rest, mean against its weight", fabs(mean / weight - 1.0), 1e-4);
    assert_proved("its change from step to step over the weight", noise, 1e-3);
    EndRun(&run);
}

// ---- account --------------------------------------------------------------------------------------------------------

// A soft or rigid box, turned, thrown at a ground that moves or not, pulled by a load and with a corner held or not.
typedef struct Throw
{
    rslShapeDef shape;
    rslBodyDef body;
    rslColliderDef belt;
    rslLoadDef load;
    rslConstraintDef pin;
    rslScene scene;
} Throw;

enum
{
    RIGID = 1,
    BELT = 2,
    LOAD = 4,
    HELD = 8,
    KINDS = 16
};

static void MakeThrow(Throw* t, int kind)
{
    t->shape = BoxShape(0.1, 0.1, 0.1);
    t->shape.rotate = (rslRotationDef){ { 1.0, 0.5, 0.2 }, 30.0 };
    t->shape.translate = (rslVec3){ 0.0, 0.0, 0.12 };
    t->body = LatticeBody("box", &t->shape, 0.05);
    t->body.model.type = kind & RIGID ? rsl_rigidModel : rsl_springModel;
    t->body.velocity = (rslVec3){ 0.5, 0.0, -0.5 };
    t->body.spin = (rslVec3){ 0.0, 60.0, 30.0 };
    t->scene = SceneOf(&t->body, 1);
    t->belt = rslDefaultColliderDef();
    t->belt.name = "floor";
    t->belt.friction = 0.4;
    t->belt.restitution = 0.7;
    if (kind & BELT)
    {
        t->belt.move.translate = (rslVec3){ 0.0, 0.3, 0.02 };
        t->belt.move.course = RampOf(0.0, 0.5, true);
    }
    t->scene.colliders = &t->belt;
    t->scene.colliderCount = 1;
    t->load = ForceOn(AllOf("box"), (rslVec3){ 0.5, 0.0, 0.0 });
    t->scene.loads = &t->load;
    t->scene.loadCount = kind & LOAD ? 1 : 0;
    t->pin = rslDefaultConstraintDef();
    t->pin.type = rsl_motionConstraint;
    t->pin.nodes = SideOf("box", (rslVec3){ 0.0, 0.0, 0.17 }, (rslVec3){ 0.0, 0.0, 1.0 });
    t->pin.move.translate = (rslVec3){ 0.0, 0.1, -0.06 };
    t->pin.move.course = RampOf(0.0, 0.3, true);
    t->scene.constraints = &t->pin;
    t->scene.constraintCount = (kind & HELD) && !(kind & RIGID) ? 1 : 0;
}

// The largest drift of the account over what went through it.
static double DriftOf(int kind, rslIntegrator integrator, rslPrecision precision, double fraction)
{
    Throw t;
    MakeThrow(&t, kind);
    rslSolverDef def = SolverDef(integrator, kind & RIGID ? fraction * 1e-2 : RSL_AUTO);
    def.fraction = fraction;
    def.precision = precision;
    Run run = StartRun(&t.scene, def);
    double worst = 0.0, most = 0.0;
    while (TimeOf(&run) < 0.6)
    {
        Step(&run, 8);
        rslEnergy energy = rslSolver_Energy(run.solver, run.state);
        worst = Worse(worst, fabs(energy.drift));
        most = fmax(most, energy.kinetic);
    }
    assert_true(rslState_Push(run.model, run.state, 0, 0).normal.z > 0.0);
    EndRun(&run);
    return worst / most;
}

static void TestAccount(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    double rigid = 0.0, coarse = 0.0, fine = 0.0, single = 0.0, euler = 0.0;
    for (int kind = 0; kind < KINDS; kind += Proving() ? 1 : 7)
    {
        double one = DriftOf(kind, rsl_positionVerlet, rsl_double, 0.1);
        rigid = kind & RIGID ? Worse(rigid, one) : rigid;
        coarse = kind & RIGID ? coarse : Worse(coarse, one);
        fine = kind & RIGID ? fine : Worse(fine, DriftOf(kind, rsl_positionVerlet, rsl_double, 0.05));
        single = Worse(single, DriftOf(kind, rsl_positionVerlet, rsl_single, 0.1));
        euler = Proving() ? Worse(euler, DriftOf(kind, rsl_symplecticEuler, rsl_double, 0.1)) : 0.0;
    }
    assert_proved("drift of the account over kinetic energy, rigid boxes thrown", rigid, 1e-12);
    assert_proved("drift, undamped soft boxes, a tenth of the stable step", coarse, 2e-3);
    assert_proved("the same at half of that, over it", fine / coarse, 0.4);
    assert_proved("drift in single precision", single, 2e-3);
    assert_proved("drift with symplectic Euler", euler, 0.03);
}

// ---- momentum -------------------------------------------------------------------------------------------------------

// Pushes, weight and loads make up all of the momentum, and of the angular momentum but for gaps across which friction acts.
static void TestMomentum(void** unused)
{
    (void)unused;
    double worst = 0.0;
    for (int kind = 0; kind < HELD; ++kind)
    {
        for (int single = 0; single < 2; ++single)
        {
            Throw t;
            MakeThrow(&t, kind);
            rslSolverDef def = SolverDef(rsl_positionVerlet, kind & RIGID ? 1e-3 : RSL_AUTO);
            def.precision = single ? rsl_single : rsl_double;
            Run run = StartRun(&t.scene, def);
            rslMotion start = rslSolver_Motion(run.solver, run.state, -1);
            Step(&run, 200);
            rslMotion end = rslSolver_Motion(run.solver, run.state, -1);
            rslPush push = rslState_Push(run.model, run.state, 0, 0);
            double time = TimeOf(&run), load = kind & LOAD ? 0.5 : 0.0;
            rslVec3 expected = rslAdd(push.normal, push.friction), change = rslSub(end.momentum, start.momentum);
            expected = rslAdd(expected, (rslVec3){ load * time, 0.0, -9.81 * start.mass * time });
            double error = rslLength(rslSub(change, expected)) / rslLength(push.normal);
            worst = Worse(worst, single ? 1e-6 * error : error);
            EndRun(&run);
        }
    }
    assert_proved("change of momentum against pushes, weight and loads", worst, 1e-12);
}

// ---- bits -----------------------------------------------------------------------------------------------------------

static size_t Save(const Run* run, unsigned char** bytes)
{
    size_t size = rslState_Save(run->state, NULL, 0);
    *bytes = malloc(size);
    assert_non_null(*bytes);
    assert_int_equal(rslState_Save(run->state, *bytes, size), size);
    return size;
}

// A run of which every state is saved and read back, by another solver with another number of threads, is the same.
static void TestSameBits(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; kind += Proving() ? 1 : 7)
    {
        Throw t;
        MakeThrow(&t, kind);
        rslSolverDef def = SolverDef(rsl_positionVerlet, kind & RIGID ? 1e-3 : RSL_AUTO);
        Run whole = StartRun(&t.scene, def), parts = StartRun(&t.scene, def);
        int64_t steps = FewerWhenSanitized(400);
        Step(&whole, steps);
        def.threads = 3;
        rslSolver_Free(parts.solver);
        parts.solver = SolverOf(parts.model, &def);
        for (int64_t i = 0; i < steps; ++i)
        {
            Step(&parts, 1);
            Reload(&parts);
        }
        unsigned char *a, *b;
        size_t size = Save(&whole, &a);
        assert_int_equal(Save(&parts, &b), size);
        assert_memory_equal(a, b, size);
        assert_true(Sanitized() || rslState_Push(whole.model, whole.state, 0, 0).normal.z > 0.0);
        free(a);
        free(b);
        EndRun(&whole);
        EndRun(&parts);
    }
}

// ---- what does not go together --------------------------------------------------------------------------------------

static void Refuses(const rslScene* scene, rslIntegrator integrator, const char* part)
{
    rslModel* model = Built(scene, NULL);
    rslSolverDef def = SolverDef(integrator, RSL_AUTO);
    rslSolver* solver = NULL;
    rslReport report = { 0 };
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_badInput);
    assert_null(solver);
    assert_int_equal(report.errors, 1);
    assert_non_null(strstr(report.messages[0].text, part));
    rslModel_Free(model);
}

static void TestRefusals(void** unused)
{
    (void)unused;
    static const double place[3] = { 0.0, 0.0, 1.0 }, mass = 0.1;
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.1);
    shape.translate = (rslVec3){ 0.0, 0.0, 0.15 };
    rslBodyDef bodies[2] = { LatticeBody("cube", &shape, 0.05), NetworkBody("point", place, 1, &mass, NULL, 0, NULL) };
    rslScene scene = OnGround(bodies, 0.0);
    scene.touch.scheme = rsl_predictiveScheme;
    Refuses(&scene, rsl_velocityVerlet, "position_verlet and symplectic_euler");
    Refuses(&scene, rsl_theta, "position_verlet and symplectic_euler");
    scene.touch.scheme = rsl_barrierScheme;
    Refuses(&scene, rsl_positionVerlet, "implicit integrators");
    scene.touch.scheme = rsl_penaltyScheme;
    scene.touch.self = true;
    Refuses(&scene, rsl_positionVerlet, "off each other");
    scene.touch.self = false;
    scene.touch.scheme = rsl_autoScheme;
    scene.bodyCount = 2;
    Refuses(&scene, rsl_velocityVerlet, "no springs");
    scene.touch.pairs = rsl_allPairs;
    Refuses(&scene, rsl_velocityVerlet, "off each other");
}

// A state that remembers touches keeps them where its first copy in another solver has no memory.
static void TestNoMemory(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.07, 0.06, 0.08);
    shape.translate.z = 0.04;
    rslBodyDef body = LatticeBody("block", &shape, 0.01);
    rslScene scene = OnGround(&body, 0.3);
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    Step(&run, 100);
    assert_true(run.state->touchedCount > 0);
    Heap heap = { 0 };
    rslHooks hooks = HeapHooks(&heap);
    rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
    def.threads = 1;
    rslSolver* other = NULL;
    assert_int_equal(rslSolver_Create(run.model, &def, &hooks, &other, NULL), rsl_ok);
    const uint64_t hash = rslState_Hash(run.state);
    heap.failAt = heap.calls + 1;
    assert_int_equal(rslSolver_Step(other, run.state, 3), rsl_outOfMemory);
    assert_true(rslState_Hash(run.state) == hash);
    assert_int_equal(rslSolver_Step(other, run.state, 3), rsl_ok);
    assert_int_equal(run.state->stepCount, 103);
    rslSolver_Free(other);
    assert_int_equal(heap.live, 0);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPoint),    cmocka_unit_test(TestCube),     cmocka_unit_test(TestWeight),
        cmocka_unit_test(TestAccount),  cmocka_unit_test(TestMomentum), cmocka_unit_test(TestSameBits),
        cmocka_unit_test(TestRefusals), cmocka_unit_test(TestNoMemory),
    };
    return cmocka_run_group_tests_name("touch", tests, NULL, NULL);
}
