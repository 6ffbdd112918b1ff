// SPDX-License-Identifier: MIT
//
// test_weld.c: welds, at rest and in motion; an arm of a weld and joints: bits, memory; what is refused.

#include "physics_fixture.h"

#include "top.h"

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

// ---- bits and memory -----------------------------------------------------------------------------------------

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

// Every allocation fails once: nothing is lost, nothing crashes.
static void TestMemory(void** state)
{
    (void)state;
    Arm arm;
    MakeArm(&arm, 0.05);
    FailEveryAllocation(&arm.scene, SolverDef(rsl_velocityVerlet, 2e-4), 2);
}

// ---- refused --------------------------------------------------------------------------------------------------------

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
        cmocka_unit_test(TestWeld),    cmocka_unit_test(TestWeldAtRest), cmocka_unit_test(TestThreads),
        cmocka_unit_test(TestForgets), cmocka_unit_test(TestMemory),     cmocka_unit_test(TestWeldsRefused),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
