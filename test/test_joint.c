// SPDX-License-Identifier: MIT
//
// test_joint.c: hinges, ball joints and welds: momentum, energy, reactions.

#include "physics_fixture.h"

#include "top.h"

// Bars along x, 0.4 x 0.1 x 0.1 m and 4 kg each, side by side from x = 0 on.
typedef struct Chain
{
    rslShapeDef shapes[4];
    rslBodyDef bodies[4];
    rslJointDef joints[4];
    rslScene scene;
} Chain;

static const char* const barNames[4] = { "one", "two", "three", "four" };

static void MakeChain(Chain* chain, int count, rslJointType type, bool hung)
{
    for (int i = 0; i < count; ++i)
    {
        chain->shapes[i] = BoxShape(0.4, 0.1, 0.1);
        chain->shapes[i].translate.x = 0.2 + 0.4 * i;
        chain->bodies[i] = LatticeBody(barNames[i], &chain->shapes[i], 0.1);
        chain->bodies[i].model.type = rsl_rigidModel;
        chain->joints[i] = rslDefaultJointDef();
        chain->joints[i].type = type;
        chain->joints[i].a = barNames[i];
        chain->joints[i].b = i > 0 ? barNames[i - 1] : NULL;
        chain->joints[i].point = (rslVec3){ 0.4 * i, 0.0, 0.0 };
        chain->joints[i].axis = (rslVec3){ 0.0, 1.0, 0.0 };
    }
    chain->scene = SceneOf(chain->bodies, count);
    chain->scene.joints = hung ? chain->joints : chain->joints + 1;
    chain->scene.jointCount = hung ? count : count - 1;
}

// The largest gap of all joints, at the points that lie in both bodies.
static double Gap(const Run* run)
{
    double worst = 0.0;
    for (int j = 0; j < run->model->jointCount; ++j)
    {
        const rslJoint* joint = &run->model->joints[j];
        rslVec3 x[2];
        for (int s = 0; s < 2; ++s)
        {
            int r = joint->rigids[s];
            x[s] = joint->places[s];
            if (r >= 0)
            {
                const rslFrame* frame = &run->state->frames[run->model->rigids[r].body];
                rslMat3 rotation = rslQuatMatrix(frame->rotation);
                x[s] = rslAdd(frame->origin, rslMatVec(&rotation, x[s]));
            }
        }
        worst = Worse(worst, rslLength(rslSub(x[0], x[1])));
    }
    return worst;
}

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

// ---- welds ----------------------------------------------------------------------------------------------------------

// A soft bar with a rigid end in it: nodes there keep their places in the bone, and momentum and energy stay.
static void TestWeld(void** state)
{
    (void)state;
    rslShapeDef shapes[2] = { BoxShape(0.1, 0.1, 0.1), BoxShape(0.4, 0.1, 0.1) };
    shapes[1].translate.x = 0.2;
    rslBodyDef bodies[2] = { LatticeBody("bone", &shapes[0], 0.05), LatticeBody("flesh", &shapes[1], 0.05) };
    bodies[0].model.type = rsl_rigidModel;
    bodies[0].spin = bodies[1].spin = (rslVec3){ 0.0, 0.0, 100.0 };
    bodies[1].velocity = (rslVec3){ 0.0, 0.3, 0.0 };
    rslLinkDef weld = rslDefaultLinkDef();
    weld.type = rsl_weldLink;
    weld.from.body = "flesh";
    weld.from.type = rsl_boxNodes;
    weld.from.min = (rslVec3){ -1.0, -1.0, -1.0 };
    weld.from.max = (rslVec3){ 0.051, 1.0, 1.0 };
    weld.to.body = "bone";
    rslScene scene = SceneOf(bodies, 2);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.links = &weld;
    scene.linkCount = 1;
    for (int i = rsl_symplecticEuler; i <= rsl_velocityVerlet; ++i)
    {
        Run run = StartRun(&scene, SolverDef((rslIntegrator)i, 2e-4));
        Step(&run, 1);
        const rslRigid* rigid = &run.model->rigids[0];
        assert_int_equal(rigid->weldCount, 18);  // two layers of nine nodes
        rslMotion first = rslSolver_Motion(run.solver, run.state, -1);
        double energy = rslSolver_Energy(run.solver, run.state).total;
        Step(&run, 2000);
        rslMotion last = rslSolver_Motion(run.solver, run.state, -1);
        rslEnergy end = rslSolver_Energy(run.solver, run.state);
        assert_at_most(rslLength(rslSub(first.momentum, last.momentum)), 1e-12);
        assert_at_most(rslLength(rslSub(first.angularMomentum, last.angularMomentum)), 1e-12);
        assert_close(end.total / energy, 1.0, i == rsl_symplecticEuler ? 2e-2 : 1e-3);
        assert_true(end.springs > 1e-4 * energy);  // it did bend
        for (int w = 0; w < rigid->weldCount; ++w)
        {
            const double* place = &rigid->places[3 * w];
            const rslFrame* frame = &run.state->frames[0];
            rslMat3 rotation = rslQuatMatrix(frame->rotation);
            rslVec3 x = rslMatVec(&rotation, (rslVec3){ place[0], place[1], place[2] });
            assert_at_most(Distance(PositionOf(&run, rigid->welded[w]), rslAdd(frame->origin, x)), 1e-14);
        }
        EndRun(&run);
    }
}

// Of a bone that is held, at rest too: the soft bar hangs from it, and the pin carries both.
static void TestWeldAtRest(void** state)
{
    (void)state;
    rslShapeDef shapes[2] = { BoxShape(0.1, 0.1, 0.1), BoxShape(0.3, 0.1, 0.1) };
    shapes[1].translate.x = 0.2;
    rslBodyDef bodies[2] = { LatticeBody("bone", &shapes[0], 0.05), LatticeBody("flesh", &shapes[1], 0.05) };
    bodies[0].model.type = rsl_rigidModel;
    rslLinkDef weld = rslDefaultLinkDef();
    weld.type = rsl_weldLink;
    weld.from.body = "flesh";
    weld.to.body = "bone";
    weld.reach = 0.01;
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.body = "bone";
    rslScene scene = SceneOf(bodies, 2);
    scene.links = &weld;
    scene.linkCount = 1;
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    assert_int_equal(run.model->rigids[0].weldCount, 9);
    Step(&run, 1);
    rslWrench held = rslSolver_ReactionAbout(run.solver, run.state, 0, (rslVec3){ 0.0, 0.0, 0.0 });
    rslMotion flesh = rslSolver_Motion(run.solver, run.state, 1);
    assert_at_most(Distance(held.force, (rslVec3){ 0.0, 0.0, 4.0 * 9.81 }), 1e-5);
    assert_close(held.torque.y, -flesh.centre.x * 3.0 * 9.81, 1e-5);
    EndRun(&run);
    // moved there, it is the same: rest knows no speed
    pin.type = rsl_motionConstraint;
    pin.move.translate = (rslVec3){ 0.0, 0.0, 0.1 };
    pin.move.rotate = (rslRotationDef){ { 1.0, 2.0, 0.5 }, 40.0 };
    pin.move.course.type = rsl_rampCourse;
    pin.move.course.duration = 1.0;
    run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    Step(&run, 1);
    held = rslSolver_ReactionAbout(run.solver, run.state, 0, (rslVec3){ 0.0, 0.0, 0.0 });
    assert_at_most(Distance(held.force, (rslVec3){ 0.0, 0.0, 4.0 * 9.81 }), 1e-5);
    EndRun(&run);
}

// ---- steps, threads, memory -----------------------------------------------------------------------------------------

// A soft block, a rigid one of several chunks that carries it, and a bar on a hinge of that.
typedef struct Arm
{
    rslShapeDef shapes[3];
    rslBodyDef bodies[3];
    rslJointDef joints[2];
    rslLinkDef weld;
    rslScene scene;
} Arm;

static void MakeArm(Arm* arm, double spacing)
{
    const double at[3] = { 0.0, 0.3, -0.3 };
    static const char* const names[3] = { "bone", "flesh", "bar" };
    for (int i = 0; i < 3; ++i)
    {
        arm->shapes[i] = BoxShape(0.3, 0.1, 0.1);
        arm->shapes[i].translate.x = at[i];
        arm->bodies[i] = LatticeBody(names[i], &arm->shapes[i], i == 0 ? spacing : 0.05);
        arm->bodies[i].model.type = i == 1 ? rsl_springModel : rsl_rigidModel;
    }
    arm->joints[0] = arm->joints[1] = rslDefaultJointDef();
    arm->joints[0].a = "bone";
    arm->joints[0].b = "bar";
    arm->joints[0].point = (rslVec3){ -0.15, 0.0, 0.0 };
    arm->joints[0].axis = (rslVec3){ 0.0, 1.0, 0.0 };
    arm->joints[1] = arm->joints[0];
    arm->joints[1].type = rsl_ballJoint;
    arm->joints[1].a = "bar";
    arm->joints[1].b = NULL;
    arm->joints[1].point.x = -0.45;
    arm->weld = rslDefaultLinkDef();
    arm->weld.type = rsl_weldLink;
    arm->weld.from.body = "flesh";
    arm->weld.to.body = "bone";
    arm->weld.reach = 0.03;
    arm->scene = SceneOf(arm->bodies, 3);
    arm->scene.joints = arm->joints;
    arm->scene.jointCount = 2;
    arm->scene.links = &arm->weld;
    arm->scene.linkCount = 1;
}

static uint64_t HashWith(const Arm* arm, int threads, rslPrecision precision)
{
    rslSolverDef def = SolverDef(rsl_velocityVerlet, 2e-4);
    def.threads = threads;
    def.precision = precision;
    Run run = StartRun(&arm->scene, def);
    Step(&run, 100);
    uint64_t hash = rslState_Hash(run.state);
    EndRun(&run);
    return hash;
}

// A solver that has met a state without numbers goes on from a sound one as a new solver would.
static void TestForgets(void** state)
{
    (void)state;
    Arm arm;
    MakeArm(&arm, 0.02);
    Run run = StartRun(&arm.scene, SolverDef(rsl_velocityVerlet, 2e-4));
    rslState* broken = StateOf(run.model, rsl_double);
    broken->frames[1].velocity.x = NAN;
    (void)rslSolver_Step(run.solver, broken, 1);
    Step(&run, 100);
    assert_true(rslState_Hash(run.state) == HashWith(&arm, 1, rsl_double));
    rslState_Free(broken);
    EndRun(&run);
}

static void TestThreads(void** state)
{
    (void)state;
    Arm arm;
    MakeArm(&arm, 0.02);
    assert_true(HashWith(&arm, 1, rsl_double) == HashWith(&arm, 3, rsl_double));
    assert_true(HashWith(&arm, 1, rsl_single) == HashWith(&arm, 4, rsl_single));
}

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

// Every allocation fails once: nothing is lost, nothing crashes.
static void TestMemory(void** state)
{
    (void)state;
    Arm arm;
    MakeArm(&arm, 0.05);
    FailEveryAllocation(&arm.scene, SolverDef(rsl_velocityVerlet, 2e-4), 2);
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

static void TestWeldsRefused(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.1);
    rslBodyDef bodies[3] = { LatticeBody("bone", &shape, 0.05), LatticeBody("flesh", &shape, 0.05),
                             LatticeBody("skin", &shape, 0.05) };
    bodies[0].model.type = rsl_rigidModel;
    rslLinkDef welds[2] = { rslDefaultLinkDef(), rslDefaultLinkDef() };
    for (int i = 0; i < 2; ++i)
    {
        welds[i].place = (rslPlace){ 40 + i, 1 };
        welds[i].type = rsl_weldLink;
        welds[i].from.body = "flesh";
        welds[i].to.body = "bone";
    }
    rslScene scene = SceneOf(bodies, 3);
    scene.links = welds;
    scene.linkCount = 2;
    Refused(&scene, welds[1].place, "is welded by this link and by the one at 40:1");
    scene.linkCount = 1;
    welds[0].to.body = "skin";
    Refused(&scene, welds[0].place, "expected soft to rigid");
    welds[0].to.body = "bone";
    welds[0].from.body = "bone";
    welds[0].to.body = "flesh";
    Refused(&scene, welds[0].place, "which is rigid");
    welds[0].from.body = "flesh";
    welds[0].to.body = "bone";
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.body = "flesh";
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Refused(&scene, welds[0].place, "held by a constraint");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPendulum), cmocka_unit_test(TestFreeChain),    cmocka_unit_test(TestHanging),
        cmocka_unit_test(TestLoop),     cmocka_unit_test(TestLinkage),      cmocka_unit_test(TestContradiction),
        cmocka_unit_test(TestDriven),   cmocka_unit_test(TestCarried),      cmocka_unit_test(TestProbes),
        cmocka_unit_test(TestWeld),     cmocka_unit_test(TestWeldAtRest),   cmocka_unit_test(TestThreads),
        cmocka_unit_test(TestForgets),  cmocka_unit_test(TestStableStep),   cmocka_unit_test(TestMemory),
        cmocka_unit_test(TestRefused),  cmocka_unit_test(TestWeldsRefused),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
