// SPDX-License-Identifier: MIT
//
// test_implicit_rigid.c: rigid bodies, welds and joints in implicit steps: slopes and curvature of what is made least, flight, motion
// beside that of small explicit steps, rest, and the same bits.

#include "stage_fixture.h"

#include "top.h"

static const rslIntegrator schemes[3] = { rsl_implicitEuler, rsl_theta, rsl_trBdf2 };

// A soft bar with a rigid head welded to its end, and a rigid arm on a joint of the head.
typedef struct Machine
{
    rslShapeDef shapes[4];
    rslBodyDef bodies[4];
    rslLinkDef links[2];
    rslJointDef joint;
    rslScene scene;
} Machine;

static void MakeMachine(Machine* m, bool arm)
{
    static const char* const names[3] = { "bar", "head", "arm" };
    m->shapes[0] = BoxShape(0.3, 0.1, 0.1);
    m->shapes[1] = BoxShape(0.2, 0.2, 0.1);
    m->shapes[1].translate = (rslVec3){ 0.2, 0.0, 0.0 };
    m->shapes[2] = BoxShape(0.1, 0.1, 0.3);
    m->shapes[2].translate = (rslVec3){ 0.4, 0.0, 0.2 };
    for (int b = 0; b < 3; ++b)
    {
        m->bodies[b] = LatticeBody(names[b], &m->shapes[b], b == 1 ? 0.05 : 0.1);
        m->bodies[b].model.type = b == 0 ? m->bodies[b].model.type : rsl_rigidModel;
        m->bodies[b].material.density = 1000.0;
    }
    m->bodies[0].material.young = 1e5;
    m->bodies[0].material.poisson = 0.25;
    m->links[0] = rslDefaultLinkDef();
    m->links[0].type = rsl_weldLink;
    m->links[0].from = SideOf("bar", (rslVec3){ 0.149, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
    m->links[0].to = AllOf("head");
    m->links[1] = rslDefaultLinkDef();
    m->links[1].type = rsl_springLink;
    m->links[1].from =
        (rslNodeSetDef){ .body = "bar", .type = rsl_nearestNodes, .point = { -0.15, 0.05, 0.05 }, .count = 1 };
    m->links[1].to =
        (rslNodeSetDef){ .body = "head", .type = rsl_nearestNodes, .point = { 0.3, 0.1, 0.05 }, .count = 1 };
    m->links[1].stiffness = 200.0;
    m->joint = rslDefaultJointDef();
    m->joint.type = rsl_ballJoint;
    m->joint.a = "head";
    m->joint.b = "arm";
    m->joint.point = (rslVec3){ 0.35, 0.0, 0.05 };
    m->scene = SceneOf(m->bodies, arm ? 3 : 2);
    m->scene.links = m->links;
    m->scene.linkCount = 2;
    m->scene.joints = &m->joint;
    m->scene.jointCount = arm ? 1 : 0;
}

// ---- slopes ---------------------------------------------------------------------------------------------------------

static void TestSlopes(void** state)
{
    (void)state;
    Machine machine;
    for (int arm = 0; arm < 2; ++arm)
    {
        MakeMachine(&machine, arm == 1);
        machine.bodies[1].spin = (rslVec3){ 1.0, 2.0, -3.0 };
        CheckSlopes(&machine.scene, 0.02, arm == 0);
    }
    machine.scene.ground.enabled = true;
    machine.scene.ground.point.z = -0.0505;
    CheckSlopes(&machine.scene, 0.02, false);
}

// ---- flight ---------------------------------------------------------------------------------------------------------

// Nothing acts: it moves as in explicit steps, whatever the step.
static void TestFlight(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef body = LatticeBody("a", &shape, 0.1);
    body.model.type = rsl_rigidModel;
    body.velocity = (rslVec3){ 3.0, -1.0, 4.0 };
    body.spin = (rslVec3){ 0.3, 20.0, 0.1 };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    Run exact = StartRun(&scene, SolverDef(rsl_positionVerlet, 1.0 / 120.0));
    Step(&exact, 240);
    for (int s = 0; s < 3; ++s)
    {
        Run run = StartRun(&scene, SolverDef(schemes[s], 1.0 / 60.0));
        double before = rslSolver_Energy(run.solver, run.state).total;
        rslMotion start = rslSolver_Motion(run.solver, run.state, -1);
        Step(&run, 120);
        rslMotion motion = rslSolver_Motion(run.solver, run.state, -1);
        assert_close(Distance(motion.momentum, start.momentum), 0.0, 1e-13 * rslLength(start.momentum));
        assert_close(Distance(run.state->frames[0].momentum, exact.state->frames[0].momentum), 0.0, 1e-13);
        assert_close(rslSolver_Energy(run.solver, run.state).total, before, 1e-5 * before);
        assert_close(Distance(PositionOf(&run, 0), PositionOf(&exact, 0)), 0.0, 2e-3);
        assert_int_equal(rslSolver_Solve(run.solver).newtonSteps, 0);
        EndRun(&run);
    }
    EndRun(&exact);
}

// ---- beside explicit steps ------------------------------------------------------------------------------------------

// How far nodes are from where they are after small explicit steps.
static double ErrorOf(const Machine* machine, const Run* exact, rslIntegrator scheme, double h, double time)
{
    Run run = StartRun(&machine->scene, SolverDef(scheme, h));
    double worst = 0.0;
    Step(&run, (int64_t)floor(time / h + 0.5));
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        worst = Worse(worst, Distance(PositionOf(&run, i), PositionOf(exact, i)));
    }
    for (int j = 0; j < run.model->jointCount; ++j)
    {
        assert_close(rslState_JointGap(run.model, run.state, j).distance, 0.0, 1e-12);
    }
    EndRun(&run);
    return worst;
}

// A machine that is thrown and spins; and one whose bar is held. Of their order: halves and quarters.
static void TestMotion(void** state)
{
    (void)state;
    for (int held = 0; held < 2; ++held)
    {
        Machine machine;
        MakeMachine(&machine, true);
        rslConstraintDef pin = PinOf(SideOf("bar", (rslVec3){ -0.149, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 }));
        machine.bodies[2].spin = (rslVec3){ 2.0, 5.0, -3.0 };
        machine.bodies[0].material.stiffnessDamping = 0.005;
        machine.scene.constraints = &pin;
        machine.scene.constraintCount = held;
        double time = 0.24;
        Run exact = StartRun(&machine.scene, SolverDef(rsl_positionVerlet, 5e-5));
        Step(&exact, (int64_t)floor(time / 5e-5 + 0.5));
        double first[2] = { ErrorOf(&machine, &exact, rsl_implicitEuler, 0.02, time),
                            ErrorOf(&machine, &exact, rsl_implicitEuler, 0.01, time) };
        double second[2] = { ErrorOf(&machine, &exact, rsl_trBdf2, 0.02, time),
                             ErrorOf(&machine, &exact, rsl_trBdf2, 0.01, time) };
        printf("# held %d: euler %.2e %.2e, tr-bdf2 %.2e %.2e\n", held, first[0], first[1], second[0], second[1]);
        assert_true(first[1] < 0.6 * first[0]);
        assert_true(second[1] < 0.35 * second[0] && second[1] < 0.2 * first[1]);
        EndRun(&exact);
    }
}

// ---- contact --------------------------------------------------------------------------------------------------------

// A machine that falls, its head on a soft pad and its arm on the ground.
static void MakeFall(Machine* m)
{
    MakeMachine(m, true);
    for (int b = 0; b < 3; ++b)
    {
        m->shapes[b].translate.z += 0.19;
        m->bodies[b].velocity = (rslVec3){ 0.5, 0.0, -2.0 };
    }
    m->bodies[0].material.stiffnessDamping = 0.002;
    m->shapes[3] = BoxShape(0.2, 0.2, 0.1);
    m->shapes[3].translate = (rslVec3){ -0.05, 0.0, 0.052 };
    m->bodies[3] = LatticeBody("pad", &m->shapes[3], 0.1);
    m->bodies[3].material = m->bodies[0].material;
    m->scene.bodyCount = 4;
    m->scene.touch.pairs = rsl_allPairs;
    m->scene.touch.friction = 0.4;
    m->scene.touch.restitution = 0.2;
    m->scene.ground.enabled = true;
    m->scene.ground.friction = 0.4;
    m->joint.point.z += 0.19;
    m->links[0].from.point.z += 0.19;
    m->scene.linkCount = 1;
}

// Nothing overlaps, and backward Euler gains nothing; in the end all of it lies there.
static void TestFall(void** state)
{
    (void)state;
    Machine machine;
    MakeFall(&machine);
    for (int s = 0; s < 3; s += 2)
    {
        Run run = StartRun(&machine.scene, SolverDef(schemes[s], 1.0 / 60.0));
        double numerical = 0.0, least = INFINITY;
        rslMotion motion = rslSolver_Motion(run.solver, run.state, -1);
        double first = rslLength(motion.momentum);
        for (int i = 0; i < 45; ++i)
        {
            Step(&run, 1);
            double gap = rslBarrier_Smallest(run.solver->implicit->barrier, NULL), lost = run.state->account.numerical;
            assert_true(gap > 0.0);
            least = gap < least ? gap : least;
            motion = rslSolver_Motion(run.solver, run.state, -1);
            assert_true(schemes[s] != rsl_implicitEuler || lost >= numerical - 1e-8);
            numerical = lost;
            assert_close(rslState_JointGap(run.model, run.state, 0).distance, 0.0, 1e-12);
        }
        assert_true(least < 0.01);
        assert_close(rslSolver_Energy(run.solver, run.state).drift, 0.0, 1e-9);
        printf("# %d: gap %.2e, momentum %.3f, lost %.3f J\n", s, least, rslLength(motion.momentum), numerical);
        assert_true(rslLength(motion.momentum) < 0.1 * first);
        EndRun(&run);
    }
}

// ---- the same bits --------------------------------------------------------------------------------------------------

static void TestResume(void** state)
{
    (void)state;
    Machine machine;
    MakeFall(&machine);
    assert_true(CheckResume(&machine.scene, rsl_trBdf2, 7));
}

static void TestMemory(void** state)
{
    (void)state;
    Machine machine;
    MakeMachine(&machine, true);
    FailEveryAllocation(&machine.scene, SolverDef(rsl_trBdf2, 1.0 / 60.0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSlopes), cmocka_unit_test(TestFlight), cmocka_unit_test(TestMotion),
        cmocka_unit_test(TestFall),   cmocka_unit_test(TestResume), cmocka_unit_test(TestMemory),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
