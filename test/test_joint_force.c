// SPDX-License-Identifier: MIT
//
// test_joint_force.c: what joints carry: reactions, drives, bodies that are held, probes.

#include "joint_fixture.h"

// ---- reactions ------------------------------------------------------------------------------------------------------

// Two bars that hang straight down: the upper hinge carries both weights, the lower one of them.
static void TestHanging(void** state)
{
    (void)state;
    Chain chain;
    MakeChain(&chain, 2, rsl_hingeJoint, true);
    chain.scene.gravity = (rslVec3){ 9.81, 0.0, 0.0 };
    Run run = StartRun(&chain.scene, SolverDef(rsl_positionVerlet, 1e-3));
    Step(&run, 100);
    double weight = 4.0 * 9.81;
    rslWrench upper = rslSolver_JointReaction(run.solver, run.state, 0);
    rslWrench lower = rslSolver_JointReaction(run.solver, run.state, 1);
    assert_proved("joints: reaction of hanging bars [N]",
                  fmax(Distance(upper.force, (rslVec3){ -2.0 * weight, 0.0, 0.0 }),
                       Distance(lower.force, (rslVec3){ -weight, 0.0, 0.0 })),
                  1e-9);
    EndRun(&run);
    // let go from the horizontal: the first acceleration of two bars, by hand:
    // a1 = alpha1 l / 2 ..., solved as a linear system of the two angles
    MakeChain(&chain, 2, rsl_hingeJoint, true);
    run = StartRun(&chain.scene, SolverDef(rsl_positionVerlet, 1e-3));
    Step(&run, 0);
    double m = 4.0, l = 0.4, g = 9.81, J = m * 0.17 / 12.0;
    // (J + m l^2 / 4 + m l^2) a + (m l^2 / 2) b = 3/2 m g l,  (m l^2 / 2) a + (J + m l^2 / 4) b = m g l / 2
    double p = J + 1.25 * m * l * l, q = 0.5 * m * l * l, r = J + 0.25 * m * l * l;
    double a = (1.5 * m * g * l * r - q * 0.5 * m * g * l) / (p * r - q * q), b = (0.5 * m * g * l - q * a) / r;
    lower = rslSolver_JointReaction(run.solver, run.state, 1);
    upper = rslSolver_JointReaction(run.solver, run.state, 0);
    assert_close(lower.force.z, m * g - m * (l * a + 0.5 * l * b), 1e-9);
    assert_close(upper.force.z, lower.force.z + m * g - m * 0.5 * l * a, 1e-9);
    EndRun(&run);
}

// A hinge that turns a bar by a smooth course: its torque is J alpha and what gravity asks for.
static void TestDriven(void** state)
{
    (void)state;
    Chain chain;
    MakeChain(&chain, 1, rsl_hingeJoint, true);
    chain.joints[0].angle = 60.0;
    chain.joints[0].course.type = rsl_rampCourse;
    chain.joints[0].course.duration = 0.5;
    chain.joints[0].course.smooth = true;
    for (int i = rsl_symplecticEuler; i <= rsl_velocityVerlet; ++i)
    {
        Run run = StartRun(&chain.scene, SolverDef((rslIntegrator)i, 1e-3));
        double worst = 0.0;
        for (int k = 1; k < 10; ++k)
        {
            Step(&run, 50);
            double s = TimeOf(&run) / 0.5, degree = PI / 180.0;
            double angle = 60.0 * degree * s * s * (3.0 - 2.0 * s);
            double rise = 60.0 * degree * (6.0 - 12.0 * s) / 0.25, inertia = 4.0 * (0.17 / 12.0 + 0.04);
            // turned about +y, the bar goes down: gravity helps
            double expected = inertia * rise - 4.0 * 9.81 * 0.2 * cos(angle);
            rslWrench hinge = rslSolver_JointReaction(run.solver, run.state, 0);
            worst = Worse(worst, fabs(hinge.torque.y - expected));
            assert_close(rslState_JointAngle(run.model, run.state, 0), angle / degree, 1e-9);
        }
        assert_proved("joints: torque of a driven hinge against J alpha and gravity [N m]", worst, 1e-6);
        rslEnergy energy = rslSolver_Energy(run.solver, run.state);
        assert_at_most(fabs(energy.drift), (i == rsl_symplecticEuler ? 3e-2 : 1e-3) * 4.0 * 9.81 * 0.2);
        EndRun(&run);
    }
}

// Two bars on a hinge, the first held by a pin.
static void MakeHeldChain(Chain* chain, rslConstraintDef* pin)
{
    MakeChain(chain, 2, rsl_hingeJoint, false);
    *pin = PinOf(AllOf("one"));
    chain->scene.constraints = pin;
    chain->scene.constraintCount = 1;
}

// A bar on a hinge of a bar that is moved: the motion carries both, and its reaction is about a point.
static void TestCarried(void** state)
{
    (void)state;
    Chain chain;
    rslConstraintDef pin;
    MakeHeldChain(&chain, &pin);
    Run run = StartRun(&chain.scene, SolverDef(rsl_positionVerlet, 1e-3));
    Step(&run, 0);
    // the second bar lets go: alpha = m g l/2 / (J + m l^2/4); the hinge carries m g - m alpha l/2
    double alpha = 4.0 * 9.81 * 0.2 / (4.0 * (0.17 / 12.0 + 0.04)), push = 4.0 * 9.81 - 4.0 * alpha * 0.2;
    rslWrench hinge = rslSolver_JointReaction(run.solver, run.state, 0);
    rslWrench held = rslSolver_ReactionAbout(run.solver, run.state, 0, (rslVec3){ 0.0, 0.0, 0.0 });
    assert_close(hinge.force.z, push, 1e-10);
    assert_close(held.force.z, push + 4.0 * 9.81, 1e-10);
    assert_close(held.torque.y, -(0.4 * push + 0.2 * 4.0 * 9.81), 1e-10);
    EndRun(&run);
    // pushed up and down, the work of the motion is all the energy there is
    pin.type = rsl_motionConstraint;
    pin.move.translate = (rslVec3){ 0.0, 0.0, 0.2 };
    pin.move.course.type = rsl_rampCourse;
    pin.move.course.duration = 0.3;
    pin.move.course.smooth = true;
    for (int i = rsl_positionVerlet; i <= rsl_velocityVerlet; ++i)
    {
        run = StartRun(&chain.scene, SolverDef((rslIntegrator)i, 1e-3));
        Step(&run, 400);
        rslEnergy energy = rslSolver_Energy(run.solver, run.state);
        assert_at_most(fabs(energy.drift), 2e-3 * (energy.kinetic + 1.0));
        assert_at_most(Gap(&run), 1e-12);
        EndRun(&run);
    }
}

// Probes say the same.
static void TestProbes(void** state)
{
    (void)state;
    Chain chain;
    rslConstraintDef pin;
    MakeHeldChain(&chain, &pin);
    rslProbeDef defs[2] = { rslDefaultProbeDef(), rslDefaultProbeDef() };
    defs[0].name = "hinge";
    defs[0].type = rsl_jointProbe;
    defs[1].name = "held";
    defs[1].type = rsl_reactionProbe;
    defs[1].point = (rslVec3){ 0.1, 0.2, 0.3 };
    Run run = StartRun(&chain.scene, SolverDef(rsl_positionVerlet, 1e-3));
    Step(&run, 100);
    rslProbes* probes = NULL;
    double row[13];
    assert_int_equal(rslProbes_Create(run.model, defs, 2, NULL, &probes, NULL), rsl_ok);
    assert_int_equal(rslProbes_ColumnCount(probes), 13);
    assert_int_equal(rslProbes_Read(probes, run.solver, run.state, row), rsl_ok);
    rslWrench hinge = rslSolver_JointReaction(run.solver, run.state, 0);
    rslWrench held = rslSolver_ReactionAbout(run.solver, run.state, 0, defs[1].point);
    assert_true(row[0] == hinge.force.x && row[2] == hinge.force.z && row[4] == hinge.torque.y);
    assert_true(row[7] == held.force.x && row[9] == held.force.z && row[11] == held.torque.y);
    assert_close(row[6], rslState_JointAngle(run.model, run.state, 0), 0.0);
    assert_true(row[6] > 5.0);  // it swings down
    rslProbes_Free(probes);
    defs[0].joint = 3;
    assert_int_equal(rslProbes_Create(run.model, defs, 2, NULL, &probes, NULL), rsl_badInput);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestHanging),
        cmocka_unit_test(TestDriven),
        cmocka_unit_test(TestCarried),
        cmocka_unit_test(TestProbes),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
