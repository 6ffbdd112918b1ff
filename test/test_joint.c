// SPDX-License-Identifier: MIT
//
// test_joint.c: hinges and ball joints: a pendulum, chains in flight, loops; what is refused.

#include "joint_fixture.h"

// ---- a pendulum -----------------------------------------------------------------------------------------------------

// Complete elliptic integral by the mean of Gauss.
static double Period(double small, double amplitude)
{
    double a = 1.0, b = cos(0.5 * amplitude);
    for (int i = 0; i < 20; ++i)
    {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return small / a;
}

// From the horizontal it swings to the other side: it is back after a period.
static double PeriodError(rslIntegrator integrator, double step, double* drift)
{
    Chain chain;
    MakeChain(&chain, 1, rsl_hingeJoint, true);
    Run run = StartRun(&chain.scene, SolverDef(integrator, step));
    double energy = rslSolver_Energy(run.solver, run.state).total, before = 1.0, time = 0.0;
    double inertia = 4.0 * (0.17 / 12.0 + 0.04), small = 2.0 * PI * sqrt(inertia / (4.0 * 9.81 * 0.2));
    int crossings = 0;
    while (crossings < 6)  // of the vertical
    {
        Step(&run, 1);
        rslVec3 centre = rslSolver_Motion(run.solver, run.state, 0).centre;
        if (before * centre.x <= 0.0)
        {
            ++crossings;
            time = TimeOf(&run) - step * centre.x / (centre.x - before);
        }
        before = centre.x;
        *drift = Worse(*drift, fabs(rslSolver_Energy(run.solver, run.state).total - energy) / (4.0 * 9.81 * 0.2));
    }
    assert_at_most(Gap(&run), 1e-13);
    EndRun(&run);
    return fabs(time / Period(small, 0.5 * PI) - 2.75) / 2.75;
}

static void TestPendulum(void** state)
{
    (void)state;
    double drift = 0.0, fine = 0.0;
    double error = PeriodError(rsl_positionVerlet, 2e-3, &drift), second = PeriodError(rsl_positionVerlet, 1e-3, &fine);
    assert_proved("joints: period of a physical pendulum, 90 degrees, step 1 ms", second, 1e-5);
    assert_close(error / second, 4.0, 1.0);
    assert_proved("joints: energy of the pendulum, step 1 ms", fine, 1e-4);
    assert_close(drift / fine, 4.0, 0.5);
    drift = 0.0;
    assert_at_most(PeriodError(rsl_velocityVerlet, 1e-3, &drift), 1e-5);
    assert_at_most(drift, 1e-4);
}

// ---- chains in flight -----------------------------------------------------------------------------------------------

static void TestFreeChain(void** state)
{
    (void)state;
    for (int type = 0; type < rsl_jointTypeCount; ++type)
    {
        Chain chain;
        MakeChain(&chain, 3, (rslJointType)type, false);
        chain.scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        chain.bodies[0].spin = (rslVec3){ 40.0, 300.0, 20.0 };
        chain.bodies[2].spin = (rslVec3){ -30.0, -200.0, 0.0 };
        chain.bodies[1].velocity = (rslVec3){ 0.3, 0.2, 1.0 };
        Run run = StartRun(&chain.scene, SolverDef(rsl_positionVerlet, 1e-3));
        Step(&run, 1);  // velocities fit now
        rslMotion first = rslSolver_Motion(run.solver, run.state, -1);
        double energy = rslSolver_Energy(run.solver, run.state).total, worst = 0.0;
        for (int i = 0; i < (Proving() ? 100 : 20); ++i)
        {
            Step(&run, 100);
            worst = Worse(worst, fabs(rslSolver_Energy(run.solver, run.state).total / energy - 1.0));
        }
        rslMotion last = rslSolver_Motion(run.solver, run.state, -1);
        assert_proved("joints: momentum of a free chain", rslLength(rslSub(first.momentum, last.momentum)), 1e-11);
        assert_proved("joints: angular momentum of a free chain",
                      rslLength(rslSub(first.angularMomentum, last.angularMomentum)), 1e-10);
        assert_proved("joints: energy of a free chain, no drift", worst, 1e-6);
        assert_proved("joints: gaps", Gap(&run), 1e-12);
        EndRun(&run);
    }
}

// ---- loops ----------------------------------------------------------------------------------------------------------

// A fourth hinge closes three of them to a loop: three of its equations say what others have said.
static void TestLoop(void** state)
{
    (void)state;
    Chain chain;
    MakeChain(&chain, 4, rsl_hingeJoint, true);
    chain.joints[0].b = "four";
    chain.joints[0].point = (rslVec3){ 0.7, 0.02, 0.35 };
    chain.scene.gravity = (rslVec3){ 1.0, 2.0, -9.81 };
    chain.bodies[0].spin = (rslVec3){ 40.0, 300.0, 20.0 };
    chain.bodies[2].material.density = 10.0;
    Run run = StartRun(&chain.scene, SolverDef(rsl_positionVerlet, 1e-3));
    Step(&run, 1);
    double mass = 0.0, energy = rslSolver_Energy(run.solver, run.state).total;
    for (int b = 0; b < 4; ++b)
    {
        mass += run.model->bodies[b].mass;
    }
    rslVec3 fall = rslScale(mass * 0.6, chain.scene.gravity),
            first = rslSolver_Motion(run.solver, run.state, -1).momentum;
    Step(&run, 600);
    rslVec3 last = rslSolver_Motion(run.solver, run.state, -1).momentum;
    assert_proved("joints: gaps of a loop of hinges", Gap(&run), 1e-12);
    assert_proved("joints: momentum of a loop", rslLength(rslSub(rslSub(last, first), fall)) / rslLength(fall), 1e-12);
    assert_proved("joints: energy of a loop",
                  fabs(rslSolver_Energy(run.solver, run.state).total - energy) /
                      rslSolver_Energy(run.solver, run.state).kinetic,
                  1e-5);
    EndRun(&run);
}

// A crank of 0.1 m, a rod of 0.4 m, a rocker of 0.2 m whose axis is at (0.4, -0.1): where the crank has the angle a, the rocker has
// the b with |C + 0.2 (sin b, cos b) - 0.1 (sin a, cos a)| = 0.4.
static double RockerAngle(double crank, double guess)
{
    for (int i = 0; i < 30; ++i)
    {
        double x = 0.4 + 0.2 * sin(guess) - 0.1 * sin(crank), z = -0.1 + 0.2 * cos(guess) - 0.1 * cos(crank);
        guess -= (x * x + z * z - 0.16) / (0.4 * (x * cos(guess) - z * sin(guess)));
    }
    return guess;
}

// Two turns of the crank, with a rod a thousand times as heavy as the rocker; hinges to the world at both ends.
static void TestLinkage(void** state)
{
    (void)state;
    static const rslVec3 points[4] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.1 }, { 0.4, 0.0, 0.1 }, { 0.4, 0.0, -0.1 } };
    Chain chain;
    MakeChain(&chain, 3, rsl_hingeJoint, true);
    chain.bodies[1].material.density = 1e5;
    chain.bodies[2].material.density = 100.0;
    chain.joints[3] = chain.joints[0];
    chain.joints[3].a = "three";
    chain.joints[0].angle = 720.0;
    chain.joints[0].course = (rslCourseDef){ .type = rsl_rampCourse, .duration = 1.0, .smooth = true };
    for (int i = 0; i < 4; ++i)
    {
        chain.joints[i].point = points[i];
    }
    chain.scene.jointCount = 4;
    Run run = StartRun(&chain.scene, SolverDef(rsl_positionVerlet, 1e-3));
    double guess = 0.0, worst = 0.0;
    for (int i = 0; i < 40; ++i)
    {
        Step(&run, 25);
        guess = RockerAngle(rslState_JointAngle(run.model, run.state, 0) * PI / 180.0, guess);
        worst = Worse(worst, fabs(rslState_JointAngle(run.model, run.state, 3) * PI / 180.0 - guess));
    }
    assert_true(fabs(rslState_JointAngle(run.model, run.state, 0)) < 1e-9);  // two turns
    assert_proved("joints: angle of a rocker against its closed form [rad]", worst, 1e-9);
    EndRun(&run);
}

// Joints that contradict each other are told as such.
static void TestContradiction(void** state)
{
    (void)state;
    Chain chain;
    MakeChain(&chain, 1, rsl_hingeJoint, true);
    chain.joints[1] = chain.joints[0];
    chain.joints[1].axis = (rslVec3){ 1.0, 0.0, 0.0 };
    chain.joints[0].angle = chain.joints[1].angle = 30.0;
    chain.scene.jointCount = 2;
    Run run = StartRun(&chain.scene, SolverDef(rsl_positionVerlet, 1e-3));
    assert_int_equal(rslSolver_Step(run.solver, run.state, 100), rsl_diverged);
    assert_true(rslSolver_Divergence(run.solver).joint >= 0);
    EndRun(&run);
}

// ---- refused --------------------------------------------------------------------------------------------------------

static void TestRefused(void** state)
{
    (void)state;
    Chain chain;
    MakeChain(&chain, 2, rsl_hingeJoint, true);
    for (int j = 0; j < 2; ++j)
    {
        chain.joints[j].place = (rslPlace){ 30 + j, 1 };
    }
    chain.bodies[1].model.type = rsl_springModel;
    Refused(&chain.scene, chain.joints[1].place, "a soft body");
    chain.bodies[1].model.type = rsl_rigidModel;
    chain.joints[1].b = "nobody";
    Refused(&chain.scene, chain.joints[1].place, "nobody");
    chain.joints[1].b = "two";
    Refused(&chain.scene, chain.joints[1].place, "both ends");
    chain.joints[1].b = "one";
    chain.joints[1].axis = (rslVec3){ 0.0, 0.0, 0.0 };
    Refused(&chain.scene, chain.joints[1].place, "axis");
    chain.joints[1].axis = (rslVec3){ 0.0, 1.0, 0.0 };
    rslConstraintDef pin = rslDefaultConstraintDef();
    chain.scene.constraints = &pin;
    chain.scene.constraintCount = 1;
    Refused(&chain.scene, chain.joints[0].place, "joins nothing that is free");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPendulum), cmocka_unit_test(TestFreeChain),     cmocka_unit_test(TestLoop),
        cmocka_unit_test(TestLinkage),  cmocka_unit_test(TestContradiction), cmocka_unit_test(TestRefused),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
