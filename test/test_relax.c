// SPDX-License-Identifier: MIT
//
// test_relax.c: rest of free rigid bodies, of bodies that come to lie on something, of hard volumes and of forces without an energy.

#include "physics_fixture.h"
#include "volume_fixture.h"

#include "barrier.h"
#include "static.h"
#include "solver_internal.h"

static Run RestOf(const rslScene* scene)
{
    Run run = StartRun(scene, SolverDef(rsl_static, 1.0));
    Step(&run, 1);
    rslRest rest = rslSolver_Rest(run.solver);
    assert_int_equal(rest.outcome, rsl_restFound);
    assert_true(rest.residual <= 1e-8);
    return run;
}

static double HeightOf(const Run* run, int body)
{
    return rslSolver_Motion(run->solver, run->state, body).centre.z;
}

// 200 explicit steps from there.
static void LetGo(Run* run, double step)
{
    rslSolverDef def = SolverDef(rsl_positionVerlet, step);
    rslSolver_Free(run->solver);
    run->solver = SolverOf(run->model, &def);
    run->state->step = step;
    run->state->stepCount = 0;
    Step(run, 200);
}

// ---- rigid bodies -----------------------------------------------------------------------------------------------------

// A box turns in a groove until two of its sides lie flat.
static void BoxLiesInAGroove(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.1);
    shape.translate = (rslVec3){ 0.02, 0.0, 0.25 };
    rslBodyDef body = RigidBody("a", &shape, 0.05);
    rslColliderDef sides[2] = { rslDefaultColliderDef(), rslDefaultColliderDef() };
    sides[0].normal = (rslVec3){ 1.0, 0.0, 1.0 };
    sides[1].normal = (rslVec3){ -1.0, 0.0, 1.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.colliders = sides;
    scene.colliderCount = 2;
    Run run = RestOf(&scene);
    assert_close(HeightOf(&run, 0), 0.05 * sqrt(2.0), 1e-4);
    assert_close(rslSolver_Motion(run.solver, run.state, 0).centre.x, 0.0, 1e-6);
    EndRun(&run);
}

static void PendulumOfTwoHangsDown(void** unused)
{
    (void)unused;
    rslShapeDef shapes[2] = { BoxShape(0.2, 0.1, 0.1), BoxShape(0.2, 0.1, 0.1) };
    shapes[0].translate.x = 0.1;
    shapes[1].translate.x = 0.35;
    rslBodyDef bodies[2] = { RigidBody("a", &shapes[0], 0.1), RigidBody("b", &shapes[1], 0.1) };
    rslJointDef joints[2] = { rslDefaultJointDef(), rslDefaultJointDef() };
    joints[0].type = joints[1].type = rsl_ballJoint;
    joints[0].a = joints[1].a = "a";
    joints[1].b = "b";
    joints[1].point.x = 0.225;
    rslScene scene = SceneOf(bodies, 2);
    scene.joints = joints;
    scene.jointCount = 2;
    Run run = RestOf(&scene);
    assert_close(HeightOf(&run, 0), -0.1, 1e-9);
    assert_close(HeightOf(&run, 1), -0.35, 1e-9);
    assert_close(rslState_JointGap(run.model, run.state, 1).distance, 0.0, 1e-12);
    EndRun(&run);
}

// A bar that is held at one end and has a rigid head welded to the other; the head may stand for itself, or for a load at its centre.
static double SagOf(bool head)
{
    rslShapeDef shapes[2] = { BoxShape(0.4, 0.1, 0.1), BoxShape(0.1, 0.1, 0.1) };
    shapes[1].translate.x = 0.25;
    rslBodyDef bodies[2] = { LatticeBody("bar", &shapes[0], 0.05), RigidBody("head", &shapes[1], 0.05) };
    bodies[0].material.young = 1e6;
    bodies[1].material.density = 2000.0;
    rslConstraintDef pin = PinOf(SideOf("bar", (rslVec3){ -0.199, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 }));
    rslLinkDef weld = rslDefaultLinkDef();
    weld.type = rsl_weldLink;
    weld.from = SideOf("bar", (rslVec3){ 0.199, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
    weld.to = AllOf("head");
    rslScene scene = SceneOf(bodies, head ? 2 : 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    scene.links = &weld;
    scene.linkCount = head ? 1 : 0;
    Run run = RestOf(&scene);
    double sag = -HeightOf(&run, 0), weight = (head ? 6.0 : 4.0) * rslLength(run.model->gravity);
    rslVec3 reaction = rslSolver_Reaction(run.solver, run.state, 0);
    assert_close(reaction.z, weight, 1e-6 * weight);
    if (head)
    {
        // it stays there when it is let go in explicit steps
        rslSolverDef def = SolverDef(rsl_positionVerlet, 1e-5);
        rslSolver_Free(run.solver);
        run.solver = SolverOf(run.model, &def);
        run.state->step = 1e-5;
        run.state->stepCount = 0;
        double before = HeightOf(&run, 1);
        Step(&run, 200);
        assert_close(HeightOf(&run, 1), before, 1e-9);
    }
    EndRun(&run);
    return sag;
}

static void HeadPullsABarDown(void** unused)
{
    (void)unused;
    double alone = SagOf(false), loaded = SagOf(true);
    printf("# sag %.4f, with a head %.4f\n", alone, loaded);
    assert_true(loaded > 1.5 * alone);
}

// On a soft pad that is held: it lies in its dent.
static void BoxLiesOnAPad(void** unused)
{
    (void)unused;
    rslShapeDef shapes[2] = { BoxShape(0.3, 0.3, 0.1), BoxShape(0.1, 0.1, 0.1) };
    shapes[0].translate.z = 0.05;
    shapes[1].translate = (rslVec3){ 0.01, 0.0, 0.16 };
    rslBodyDef bodies[2] = { LatticeBody("pad", &shapes[0], 0.05), RigidBody("a", &shapes[1], 0.1) };
    bodies[0].material.young = 2e4;
    rslConstraintDef pin = PinOf(SideOf("pad", (rslVec3){ 0.0, 0.0, 0.001 }, (rslVec3){ 0.0, 0.0, -1.0 }));
    rslScene scene = SceneOf(bodies, 2);
    scene.touch.pairs = rsl_allPairs;
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = RestOf(&scene);
    double weight = rslLength(run.model->gravity), up[2] = { 0.0, 0.0 };
    for (int t = 0; t < run.state->touchedCount; ++t)
    {
        const rslTouched* touched = &run.state->touched[t];
        up[touched->key[0]] += touched->impulse[2];
        up[touched->key[2]] -= touched->impulse[2];
    }
    assert_close(up[1], weight, 1e-6 * weight);
    assert_close(up[0], -weight, 1e-6 * weight);
    assert_true(HeightOf(&run, 1) > 0.14 && HeightOf(&run, 1) < 0.15);
    EndRun(&run);
}

// How far the axes of a rigid body are turned from those of the world [rad].
static double TurnOf(const Run* run, int body)
{
    rslQuat q = run->state->frames[body].rotation;
    return 2.0 * atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w));
}

// A cube above the ground, turned by an angle [degrees].
static Run RestOfCube(rslVec3 axis, double angle)
{
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.1);
    shape.translate.z = 0.1;
    shape.rotate = (rslRotationDef){ axis, angle };
    rslBodyDef body = RigidBody("a", &shape, 0.05);
    body.network.orientation = shape.rotate;
    rslScene scene = SceneOf(&body, 1);
    scene.ground.enabled = true;
    return RestOf(&scene);
}

// On an edge and on a corner it balances, which is no rest: it falls on a face. Near to that it falls on the face that is lower; and one that
// lies is put back as it was found after it was turned a little.
static void CubesLieOnFaces(void** unused)
{
    (void)unused;
    static const struct
    {
        rslVec3 axis;
        double angle;
    } cases[5] = { { { 1.0, 0.0, 0.0 }, 45.0 },
                   { { 1.0, -1.0, 0.0 }, 54.735610317245346 },
                   { { 1.0, 0.0, 0.0 }, 44.0 },
                   { { 1.0, 0.0, 0.0 }, 20.0 },
                   { { 1.0, 0.0, 0.0 }, 0.0 } };
    for (int i = 0; i < 5; ++i)
    {
        Run run = RestOfCube(cases[i].axis, cases[i].angle);
        assert_close(HeightOf(&run, 0), 0.05, 1e-4);
        assert_true(i < 2 || TurnOf(&run, 0) < 1e-9);
        EndRun(&run);
    }
}

// A bar on a hinge falls on a ball, and lies on it: in one long step it would get past it. The bar's lower face touches the ball.
static void BarLiesOnABall(void** unused)
{
    (void)unused;
    for (double radius = 0.03; radius < 0.06; radius += 0.02)
    {
        rslShapeDef shape = BoxShape(0.2, 0.05, 0.05), ball = BallShape(radius);
        const double x = 0.12, z = -0.1;
        shape.translate.x = 0.1;
        ball.translate = (rslVec3){ x, 0.0, z };
        rslBodyDef body = RigidBody("a", &shape, 0.025);
        rslJointDef hinge = rslDefaultJointDef();
        hinge.a = "a";
        hinge.axis = (rslVec3){ 0.0, 1.0, 0.0 };
        rslColliderDef collider = rslDefaultColliderDef();
        collider.type = rsl_shapeCollider;
        collider.shape = &ball;
        rslScene scene = SceneOf(&body, 1);
        scene.joints = &hinge;
        scene.jointCount = 1;
        scene.colliders = &collider;
        scene.colliderCount = 1;
        Run run = RestOf(&scene);
        // the axis of the bar is a tangent at the distance of both
        double angle = atan2(-z, x) - asin((0.025 + radius) / sqrt(x * x + z * z));
        printf("# ball of %g: turned by %.6f, %.6f to touch it\n", radius, TurnOf(&run, 0), angle);
        assert_close(TurnOf(&run, 0), angle, 0.03);
        EndRun(&run);
    }
}

// A free box between one that is held and one that comes down farther than there is room.
static void BoxIsInTheWay(void** unused)
{
    (void)unused;
    rslShapeDef shapes[3] = { BoxShape(0.1, 0.1, 0.1), BoxShape(0.06, 0.06, 0.06), BoxShape(0.1, 0.1, 0.1) };
    shapes[1].translate.z = 0.085;
    shapes[2].translate.z = 0.17;
    rslBodyDef bodies[3] = { RigidBody("a", &shapes[0], 0.1), RigidBody("b", &shapes[1], 0.06),
                             RigidBody("c", &shapes[2], 0.1) };
    rslConstraintDef held[2] = { PinOf(AllOf("a")), MoveBy(AllOf("c"), (rslVec3){ 0.0, 0.0, -0.05 }) };
    rslScene scene = SceneOf(bodies, 3);
    scene.touch.pairs = rsl_allPairs;
    scene.constraints = held;
    scene.constraintCount = 2;
    Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    assert_int_equal(rslSolver_Step(run.solver, run.state, 1), rsl_notConverged);
    assert_int_equal(rslSolver_Rest(run.solver).outcome, rsl_restBlocked);
    EndRun(&run);
}

// ---- soft bodies --------------------------------------------------------------------------------------------------------

// Nothing holds it but the ground, which lets it slide.
static void SoftBoxIsLetDown(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.2, 0.1, 0.1);
    shape.translate.z = 0.15;
    rslBodyDef body = LatticeBody("a", &shape, 0.05);
    rslScene scene = SceneOf(&body, 1);
    scene.ground.enabled = true;
    Run run = RestOf(&scene);
    assert_close(HeightOf(&run, 0), 0.05, 2e-3);
    assert_close(rslSolver_Motion(run.solver, run.state, 0).centre.x, 0.0, 1e-9);
    EndRun(&run);
}

// No rest is as exact as that: after forty steps that are no better it is given up.
static void ToleranceBelowRounding(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.2, 0.1, 0.1);
    shape.translate.z = 0.15;
    rslBodyDef body = LatticeBody("a", &shape, 0.05);
    rslScene scene = SceneOf(&body, 1);
    scene.ground.enabled = true;
    rslSolverDef def = SolverDef(rsl_static, 1.0);
    def.tolerance = 1e-17;
    Run run = StartRun(&scene, def);
    assert_int_equal(rslSolver_Step(run.solver, run.state, 1), rsl_notConverged);
    rslRest rest = rslSolver_Rest(run.solver);
    printf("# %d Newton steps, residual %.3g\n", rest.newtonSteps, rest.residual);
    assert_int_equal(rest.outcome, rsl_restNoEnd);
    assert_at_most(rest.residual, 1e-12);
    assert_true(rest.newtonSteps > 40 && rest.newtonSteps < 120);
    EndRun(&run);
}

// A volume that does not change is that of a pressure without end.
static void HardVolumesHaveARest(void** unused)
{
    (void)unused;
    double heights[2], volumes[2];
    for (int m = 0; m < 2; ++m)
    {
        rslShapeDef shape = BoxShape(0.1, 0.1, 0.1);
        shape.translate.z = 0.05;
        rslBodyDef body = LatticeBody("a", &shape, 0.05);
        body.material.young = 2e4;
        body.volume.method = m == 0 ? rsl_hardVolume : rsl_pressureVolume;
        body.volume.stiffness = m == 0 ? body.volume.stiffness : 1e7;
        rslConstraintDef pin = PinOf(SideOf("a", (rslVec3){ 0.0, 0.0, 0.001 }, (rslVec3){ 0.0, 0.0, -1.0 }));
        rslScene scene = HeldScene(&body, &pin);
        Run run = RestOf(&scene);
        heights[m] = 0.05 - HeightOf(&run, 0);
        volumes[m] = rslSolver_Motion(run.solver, run.state, 0).volume;
        EndRun(&run);
    }
    printf("# hard: sinks %.4e, volume %.3g; pressure: %.4e, %.3g\n", heights[0], volumes[0] / 1e-3 - 1.0, heights[1],
           volumes[1] / 1e-3 - 1.0);
    assert_close(volumes[0], 1e-3, 1e-15);
    assert_close(heights[0], heights[1], 0.01 * heights[1]);
}

// Support springs have no energy, and a rest all the same: from there a ball stays where it is.
static void SupportedBallHasARest(void** unused)
{
    (void)unused;
    Hull hull = RoundHull(10, 9, (rslVec3){ 1.0, 1.0, 1.0 }, false);
    double mass = 1.0 / hull.vertexCount, stiffness = 60.0, damping = 0.01;
    int held[3] = { 0, 1, 2 };
    rslBodyDef body = HullBody("ball", &hull, &mass, &stiffness, &damping);
    body.volume.method = rsl_explicitVolume;
    body.volume.stiffness = 100.0;
    rslConstraintDef pin = PinOf(ListOf("ball", held, 3));
    rslScene scene = HeldScene(&body, &pin);
    Run run = RestOf(&scene);
    double height = HeightOf(&run, 0);
    assert_true(rslStatic_IsRelaxed(run.solver->rest));
    LetGo(&run, 1e-4);
    printf("# supported ball: at %.6f, let go at %.6f\n", height, HeightOf(&run, 0));
    assert_true(fabs(height) > 1e-3);
    assert_close(HeightOf(&run, 0), height, 1e-7);
    EndRun(&run);
    FreeHull(&hull);
}

// It falls, which is known before; or slides down a slope, which is not.
static void NothingCarriesIt(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.1);
    shape.translate.z = 0.1;
    rslBodyDef body = RigidBody("a", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    assert_int_equal(CreateOnly(&scene, SolverDef(rsl_static, 1.0), &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0, 0 }, "'a' is free"));
    scene.ground.enabled = true;
    scene.ground.normal = (rslVec3){ 0.3, 0.0, 1.0 };
    Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    assert_int_equal(rslSolver_Step(run.solver, run.state, 1), rsl_notConverged);
    assert_int_equal(rslSolver_Rest(run.solver).outcome, rsl_restEndless);
    EndRun(&run);
}

// Published dispersion: rest for explicit steps as well.
static void DispersionHasARest(void** unused)
{
    (void)unused;
    static const rslDispersionVariant variants[2] = { rsl_publishedDispersion, rsl_energyDispersion };
    double tips[2];
    for (int v = 0; v < 2; ++v)
    {
        rslShapeDef shape = BoxShape(0.4, 0.1, 0.1);
        rslBodyDef body = LatticeBody("a", &shape, 0.05);
        body.model.type = rsl_dispersionModel;
        body.model.variant = variants[v];
        body.material.poisson = 0.4;
        body.material.young = 5e5;
        rslConstraintDef pin = PinOf(SideOf("a", (rslVec3){ -0.199, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 }));
        rslScene scene = HeldScene(&body, &pin);
        Run run = RestOf(&scene);
        tips[v] = HeightOf(&run, 0);
        assert_true(rslStatic_IsRelaxed(run.solver->rest) == (v == 0));
        LetGo(&run, 1e-5);
        assert_close(HeightOf(&run, 0), tips[v], 1e-9);
        EndRun(&run);
    }
    printf("# published %.6f, energy %.6f\n", tips[0], tips[1]);
    assert_close(tips[0], tips[1], 0.05 * fabs(tips[1]));
}

// ---- memory, bits -------------------------------------------------------------------------------------------------------

static void EveryAllocationMayFail(void** unused)
{
    (void)unused;
    for (int rigid = 0; rigid < 2; ++rigid)
    {
        double size = rigid ? 0.06 : 0.1;
        rslShapeDef shapes[2] = { BoxShape(0.1, 0.1, 0.1), BoxShape(size, size, size) };
        shapes[1].translate.z = rigid ? 0.081 : 0.1005;
        rslBodyDef bodies[2] = { LatticeBody("a", &shapes[0], 0.1), LatticeBody("b", &shapes[1], size) };
        bodies[1].model.type = rigid ? rsl_rigidModel : bodies[1].model.type;
        rslConstraintDef pins[2] = { PinOf(SideOf("a", (rslVec3){ 0.0, 0.0, -0.049 }, (rslVec3){ 0.0, 0.0, -1.0 })),
                                     MoveBy(SideOf("b", (rslVec3){ 0.0, 0.0, 0.149 }, (rslVec3){ 0.0, 0.0, 1.0 }),
                                            (rslVec3){ 0.0, 0.0, -0.005 }) };
        rslScene scene = SceneOf(bodies, 2);
        scene.touch.pairs = rsl_allPairs;
        scene.constraints = pins;
        scene.constraintCount = rigid ? 1 : 2;
        if (rigid)
        {
            bodies[0].model.type = rsl_rigidModel;
            pins[0] = PinOf(AllOf("a"));
        }
        FailEveryAllocation(&scene, SolverDef(rsl_static, 1.0), 1);
    }
}

static void ThreadsDoNotChangeABit(void** unused)
{
    (void)unused;
    uint64_t hashes[2];
    for (int t = 0; t < 2; ++t)
    {
        rslShapeDef shape = BoxShape(0.2, 0.1, 0.1);
        shape.translate.z = 0.06;
        rslBodyDef body = LatticeBody("a", &shape, 0.05);
        rslScene scene = SceneOf(&body, 1);
        scene.ground.enabled = true;
        rslSolverDef def = SolverDef(rsl_static, 1.0);
        def.threads = 1 + 2 * t;
        Run run = StartRun(&scene, def);
        Step(&run, 1);
        hashes[t] = rslState_Hash(run.state);
        EndRun(&run);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BoxLiesInAGroove),       cmocka_unit_test(CubesLieOnFaces),
        cmocka_unit_test(PendulumOfTwoHangsDown), cmocka_unit_test(BarLiesOnABall),
        cmocka_unit_test(BoxIsInTheWay),          cmocka_unit_test(HeadPullsABarDown),
        cmocka_unit_test(BoxLiesOnAPad),          cmocka_unit_test(SoftBoxIsLetDown),
        cmocka_unit_test(ToleranceBelowRounding), cmocka_unit_test(NothingCarriesIt),
        cmocka_unit_test(DispersionHasARest),     cmocka_unit_test(HardVolumesHaveARest),
        cmocka_unit_test(SupportedBallHasARest),  cmocka_unit_test(EveryAllocationMayFail),
        cmocka_unit_test(ThreadsDoNotChangeABit),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
