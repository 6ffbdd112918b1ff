// SPDX-License-Identifier: MIT
//
// test_rigid.c: bodies that move as one: free flight, forces, the stable step; saved, restored, refused.

#include "physics_fixture.h"

// ---- free flight ----------------------------------------------------------------------------------------------------

// Euler's equations and the kinematics of a quaternion by Runge and Kutta's rule, in the axes of the body.
typedef struct Reference
{
    rslVec3 spin;
    rslQuat turn;
} Reference;

static Reference Rate(const double I[3], Reference a)
{
    rslVec3 w = a.spin;
    rslQuat half = rslQuatMul(a.turn, (rslQuat){ 0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z });
    return (Reference){
        { (I[1] - I[2]) / I[0] * w.y * w.z, (I[2] - I[0]) / I[1] * w.z * w.x, (I[0] - I[1]) / I[2] * w.x * w.y }, half
    };
}

static Reference Plus(Reference a, double h, Reference b)
{
    return (Reference){ rslMulAdd(a.spin, h, b.spin),
                        { a.turn.w + h * b.turn.w, a.turn.x + h * b.turn.x, a.turn.y + h * b.turn.y,
                          a.turn.z + h * b.turn.z } };
}

static Reference Follow(const double I[3], Reference a, double time, int steps)
{
    double h = time / steps;
    for (int i = 0; i < steps; ++i)
    {
        Reference k1 = Rate(I, a), k2 = Rate(I, Plus(a, 0.5 * h, k1)), k3 = Rate(I, Plus(a, 0.5 * h, k2));
        Reference k4 = Rate(I, Plus(a, h, k3));
        a = Plus(Plus(Plus(Plus(a, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4);
    }
    return a;
}

static rslBodyDef Racket(const rslShapeDef* shape)
{
    rslBodyDef body = RigidBody("racket", shape, 0.05);
    body.spin = (rslVec3){ 20.0, 500.0, 10.0 };  // about the middle axis
    return body;
}

static double QuatApart(rslQuat a, rslQuat b)
{
    double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    double s = dot < 0.0 ? -1.0 : 1.0;
    return fmax(fmax(fabs(a.w - s * b.w), fabs(a.x - s * b.x)), fmax(fabs(a.y - s * b.y), fabs(a.z - s * b.z)));
}

// A racket turns over: the unstable axis, through several tumbles.
static void TestRacket(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.05);
    rslBodyDef body = Racket(&shape);
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, 1e-3));
    const double I[3] = { 3.0 * (0.04 + 0.0025) / 12.0, 3.0 * (0.09 + 0.0025) / 12.0, 3.0 * 0.13 / 12.0 };
    Reference a = { rslScale(PI / 180.0, body.spin), { 1.0, 0.0, 0.0, 0.0 } };
    double error = 0.0, lowest = 1.0;
    for (int i = 0; i < 40; ++i)
    {
        Step(&run, 50);
        a = Follow(I, a, 0.05, 1000);
        error = Worse(error, QuatApart(a.turn, run.state->frames[0].rotation));
        lowest = fmin(lowest, a.spin.y / 8.7);
    }
    assert_at_most(lowest, -0.9);  // it did turn over
    assert_proved("rigid bodies: asymmetric top against a fine Runge-Kutta, 2 s, 3 tumbles", error, 1e-10);
    EndRun(&run);
}

// Random shapes, spins and velocities: momentum to rounding, energy without drift.
static void CheckFlight(uint64_t seed, rslPrecision precision, rslIntegrator integrator, int steps, double bars[2])
{
    Random random = MakeRandom(seed);
    double x = NextBetween(&random, 0.05, 0.3), y = NextBetween(&random, 0.05, 0.3),
           z = NextBetween(&random, 0.05, 0.3);
    rslShapeDef shape = BoxShape(x, y, z);
    shape.rotate = (rslRotationDef){ { 1.0, 0.3, 0.2 }, NextBetween(&random, 0.0, 180.0) };
    rslBodyDef body = RigidBody("stone", &shape, 0.05);
    body.network.orientation = (rslRotationDef){ { 0.0, 0.4, 1.0 }, 20.0 };
    body.spin = NextVec3(&random, 600.0);
    body.velocity = NextVec3(&random, 2.0);
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    rslSolverDef def = SolverDef(integrator, 1e-3);
    def.precision = precision;
    Run run = StartRun(&scene, def);
    rslMotion start = rslSolver_Motion(run.solver, run.state, 0);
    double energy = rslSolver_Energy(run.solver, run.state).total;
    Step(&run, steps);
    rslMotion end = rslSolver_Motion(run.solver, run.state, 0);
    double size =
        rslLength(start.angularMomentum) + rslLength(rslCross(end.centre, end.momentum)) + rslLength(end.momentum);
    bars[0] = Worse(bars[0], rslLength(rslSub(end.momentum, start.momentum)) / rslLength(start.momentum));
    bars[0] = Worse(bars[0], rslLength(rslSub(end.angularMomentum, start.angularMomentum)) / size);
    bars[1] = Worse(bars[1], fabs(rslSolver_Energy(run.solver, run.state).total / energy - 1.0));
    EndRun(&run);
}

static void TestFlight(void** state)
{
    (void)state;
    double bars[2] = { 0.0, 0.0 }, single[2] = { 0.0, 0.0 };
    int seeds = Proving() ? 20 : 4, steps = Proving() ? 10000 : 2000;
    for (int s = 0; s < seeds; ++s)
    {
        CheckFlight(10u + (uint64_t)s, rsl_double, (rslIntegrator)(s % 4), steps, bars);
        CheckFlight(50u + (uint64_t)s, rsl_single, (rslIntegrator)(s % 4), steps, single);
    }
    assert_proved("rigid bodies: momentum and angular momentum of free flight, double", bars[0], 1e-11);
    assert_proved("rigid bodies: energy of free flight, double", bars[1], 1e-11);
    assert_proved("rigid bodies: momentum of free flight, single", single[0], 2e-5);
    assert_proved("rigid bodies: energy of free flight, single", single[1], 2e-5);
}

// A box that spins and falls: its centre on a parabola.
static void TestFall(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef body = Racket(&shape);
    body.velocity = (rslVec3){ 1.0, 0.0, 3.0 };
    rslScene scene = SceneOf(&body, 1);
    for (int integrator = rsl_positionVerlet; integrator <= rsl_velocityVerlet; ++integrator)
    {
        Run run = StartRun(&scene, SolverDef((rslIntegrator)integrator, 1e-3));
        Step(&run, 500);
        rslVec3 centre = rslSolver_Motion(run.solver, run.state, 0).centre;
        assert_close(centre.x, 0.5, 1e-12);
        assert_close(centre.z, 1.5 - 0.5 * 9.81 * 0.25, 1e-12);
        EndRun(&run);
    }
}

// ---- forces ---------------------------------------------------------------------------------------------------------

// A bar that hangs from the world by a stiff spring at its end: forces at nodes turn it. Order of an integrator from its
// errors at three steps.
static rslVec3 SwingTo(rslIntegrator integrator, double step)
{
    rslShapeDef shape = BoxShape(0.4, 0.1, 0.1), small = BoxShape(0.1, 0.1, 0.1);
    small.translate = (rslVec3){ -0.4, 0.0, 0.0 };
    rslBodyDef bodies[2] = { RigidBody("bar", &shape, 0.1), RigidBody("hook", &small, 0.1) };
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.body = "hook";
    rslLinkDef link = rslDefaultLinkDef();
    link.type = rsl_springLink;
    link.from.body = "hook";
    link.from.type = rsl_listNodes;
    link.from.indices = (const int[]){ 0 };
    link.from.indexCount = 1;
    link.to = link.from;
    link.to.body = "bar";
    link.stiffness = 500.0;
    rslScene scene = SceneOf(bodies, 2);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    scene.links = &link;
    scene.linkCount = 1;
    Run run = StartRun(&scene, SolverDef(integrator, step));
    Step(&run, (int64_t)(0.4 / step + 0.5));
    rslVec3 x = PositionOf(&run, run.model->bodies[0].nodeCount - 1);
    EndRun(&run);
    return x;
}

static void TestOrder(void** state)
{
    (void)state;
    static const double orders[4] = { 1.0, 1.0, 2.0, 2.0 };
    for (int i = 0; i < 4; ++i)
    {
        rslVec3 a = SwingTo((rslIntegrator)i, 2e-3), b = SwingTo((rslIntegrator)i, 1e-3);
        rslVec3 c = SwingTo((rslIntegrator)i, 5e-4);
        double ratio = rslLength(rslSub(a, b)) / rslLength(rslSub(b, c));
        assert_close(log2(ratio), orders[i], 0.2);
    }
}

// The work of loads is all that a body has: also loads that turn it.
static void TestLoads(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef body = Racket(&shape);
    rslLoadDef load = rslDefaultLoadDef();
    load.nodes.type = rsl_listNodes;
    load.nodes.indices = (const int[]){ 3, 5 };
    load.nodes.indexCount = 2;
    load.force = (rslVec3){ 10.0, 20.0, -30.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.loads = &load;
    scene.loadCount = 1;
    for (int i = rsl_symplecticEuler; i <= rsl_velocityVerlet; ++i)
    {
        double errors[2];
        for (int fine = 0; fine < 2; ++fine)
        {
            Run run = StartRun(&scene, SolverDef((rslIntegrator)i, fine ? 5e-4 : 1e-3));
            Step(&run, fine ? 600 : 300);
            rslEnergy energy = rslSolver_Energy(run.solver, run.state);
            errors[fine] = fabs(energy.drift) / energy.kinetic;
            EndRun(&run);
        }
        assert_at_most(errors[0], i == rsl_symplecticEuler ? 2e-2 : 1e-4);
        assert_at_most(errors[1], 0.6 * errors[0] + 1e-9);
    }
}

// ---- the stable step -----------------------------------------------------------------------------------------------

// Two rigid blocks on springs between their corners: stable up to the step that is found, and not beyond it.
static double Growth(double of, double* found)
{
    rslShapeDef shapes[2] = { BoxShape(0.3, 0.2, 0.1), BoxShape(0.1, 0.1, 0.1) };
    shapes[1].translate = (rslVec3){ 0.4, 0.1, 0.05 };
    rslBodyDef bodies[2] = { LatticeBody("a", &shapes[0], 0.1), LatticeBody("b", &shapes[1], 0.1) };
    bodies[0].model.type = bodies[1].model.type = rsl_rigidModel;
    bodies[0].spin = (rslVec3){ 1e-3, 2e-3, 1e-3 };
    bodies[1].spin = (rslVec3){ -1e-3, 1e-3, 2e-3 };
    bodies[1].velocity = (rslVec3){ 1e-5, 1e-5, -1e-5 };
    rslLinkDef link = rslDefaultLinkDef();
    link.type = rsl_springLink;
    link.from.body = "b";
    link.to.body = "a";
    link.stiffness = 1e4;
    rslScene scene = SceneOf(bodies, 2);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.links = &link;
    scene.linkCount = 1;
    rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
    def.fraction = 1.0;
    Run run = StartRun(&scene, def);
    *found = rslSolver_Stability(run.solver).stableStep;
    EndRun(&run);
    def.step = of * *found;
    def.auditInterval = 1000000;
    run = StartRun(&scene, def);
    double start = rslSolver_Energy(run.solver, run.state).total;
    (void)rslSolver_Step(run.solver, run.state, 1500);
    double end = rslSolver_Energy(run.solver, run.state).total;
    EndRun(&run);
    return end / start;
}

static void TestStableStep(void** state)
{
    (void)state;
    double step;
    assert_at_most(Growth(0.95, &step), 30.0);
    double beyond = Growth(1.03, &step);
    assert_true(!(beyond < 1e6));
}

// ---- saved, restored, refused ---------------------------------------------------------------------------------------

static void TestSaved(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef body = Racket(&shape);
    rslScene scene = SceneOf(&body, 1);
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, 1e-3));
    Step(&run, 77);
    size_t size = rslState_Save(run.state, NULL, 0);
    void* bytes = malloc(size);
    rslState_Save(run.state, bytes, size);
    rslState* copy = NULL;
    assert_int_equal(rslState_Load(run.model, rsl_double, bytes, size, NULL, &copy, NULL), rsl_ok);
    Step(&run, 100);
    assert_int_equal(rslSolver_Step(run.solver, copy, 100), rsl_ok);
    assert_true(rslState_Hash(copy) == rslState_Hash(run.state));
    copy->frames[0].momentum.x += 1e-9;
    assert_true(rslState_Hash(copy) != rslState_Hash(run.state));
    free(bytes);
    rslState_Free(copy);
    EndRun(&run);
}

static void TestRefused(void** state)
{
    (void)state;
    static const double nodes[9] = { 0, 0, 0, 1, 0, 0, 2, 0, 0 }, one = 1.0, stiffness = 5.0;
    static const int springs[4] = { 0, 1, 1, 2 };
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef line = rslDefaultBodyDef(), bone = RigidBody("bone", &shape, 0.1);
    line.name = "line";
    line.place = (rslPlace){ 5, 1 };
    line.model.type = rsl_rigidModel;
    line.network.type = rsl_explicitNetwork;
    line.network.nodes = nodes;
    line.network.nodeCount = 3;
    line.network.masses = &one;
    line.network.massCount = 1;
    line.network.springs = springs;
    line.network.springCount = 2;
    line.network.stiffness = &stiffness;
    line.network.stiffnessCount = 1;
    rslScene scene = SceneOf(&line, 1);
    Refused(&scene, line.place, "on a line");
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.place = (rslPlace){ 7, 1 };
    pin.nodes.body = "bone";
    pin.nodes.type = rsl_listNodes;
    pin.nodes.indices = (const int[]){ 1 };
    pin.nodes.indexCount = 1;
    scene = SceneOf(&bone, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Refused(&scene, pin.place, "joints");
    pin.nodes.type = rsl_allNodes;
    pin.axes[1] = false;
    Refused(&scene, pin.place, "some axes of");
    // at rest only when held
    scene.constraintCount = 0;
    rslModel* model = Built(&scene, NULL);
    rslSolverDef def = SolverDef(rsl_static, 1.0);
    rslSolver* solver = NULL;
    rslReport report = { 0 };
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0, 0 }, "'bone' is free"));
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRacket), cmocka_unit_test(TestFlight),  cmocka_unit_test(TestFall),
        cmocka_unit_test(TestOrder),  cmocka_unit_test(TestLoads),   cmocka_unit_test(TestStableStep),
        cmocka_unit_test(TestSaved),  cmocka_unit_test(TestRefused),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
