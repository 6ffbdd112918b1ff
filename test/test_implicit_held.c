// SPDX-License-Identifier: MIT
//
// test_implicit_held.c: faces of a block that are moved far in almost no time, in implicit steps of 1/60 s: by three of its lengths
// within a millisecond, many times faster than waves in it. It follows, in work that is bounded; or it is said that nothing could.

#include "physics_fixture.h"

#include "resilin/observe.h"

static const double side = 0.1;

// Which face goes where: up, sideways, into the block.
typedef struct Case
{
    rslVec3 face, way;
    bool elements, bare;  // bare: nothing keeps elements from collapse
    double young, damping;
    rslIntegrator scheme;
} Case;

typedef struct Moved
{
    rslStatus status;
    double newton;    // steps
    double smallest;  // volume of any cell, over that at rest
    double grown;     // energy beyond what was put in, over that
    double behind;    // of the middle of the block, from where the face has taken it, over its side
    int divided;      // by 2 to this power, where it stops
} Moved;

static rslConstraintDef JerkOf(rslVec3 face, const double path[8])
{
    rslConstraintDef jerk = rslDefaultConstraintDef();
    jerk.type = rsl_motionConstraint;
    jerk.nodes = SideOf("block", rslScale(0.499 * side, face), face);
    jerk.move.path = path;
    jerk.move.pathCount = 2;
    return jerk;
}

static Moved MoveFaces(const Case* one, const rslConstraintDef* jerks, int count, int frames)
{
    rslShapeDef box = BoxShape(side, side, side);
    rslBodyDef body = LatticeBody("block", &box, (Proving() ? 0.2 : 0.25) * side);
    body.model.type = one->elements ? rsl_finiteModel : rsl_springModel;
    body.repulsion.type = one->bare ? rsl_noRepulsion : body.repulsion.type;
    body.material.young = one->young;
    body.material.stiffnessDamping = one->damping;
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = jerks;
    scene.constraintCount = count;
    scene.time.integrator = one->scheme;
    Run run = StartRun(&scene, SolverDef(one->scheme, 1.0 / 60.0));
    Moved moved = { 0 };
    rslVec3 before = rslSolver_Motion(run.solver, run.state, 0).centre;
    moved.status = rslSolver_Step(run.solver, run.state, frames);
    moved.newton = (double)rslSolver_Solve(run.solver).newtonSteps;
    moved.smallest = run.state->guard.smallest;
    const rslAccount* account = &run.state->account;
    rslEnergy energy = rslSolver_Energy(run.solver, run.state);
    moved.grown = account->input > 0.0
                      ? (energy.total - account->loads - account->motion - account->drives) / account->input
                      : 0.0;
    moved.behind = Distance(rslSolver_Motion(run.solver, run.state, 0).centre, rslAdd(before, one->way)) / side;
    moved.divided = moved.status == rsl_diverged ? rslSolver_Divergence(run.solver).divided : 0;
    EndRun(&run);
    return moved;
}

static Moved Jerk(const Case* one)
{
    const double path[8] = { 0.0, 0.0, 0.0, 0.0, 1e-3, one->way.x, one->way.y, one->way.z };
    rslConstraintDef jerk = JerkOf(one->face, path);
    return MoveFaces(one, &jerk, 1, 3);
}

static void TestJerks(void** state)
{
    (void)state;
    static const Case cases[] = {
        { { 0.0, 0.0, 1.0 }, { 0.0, 0.0, 0.3 }, false, false, 1e5, 1e-3, rsl_trBdf2 },
        { { 0.0, 0.0, 1.0 }, { 0.0, 0.0, -0.3 }, false, false, 1e5, 1e-3, rsl_trBdf2 },
        { { 0.0, 0.0, 1.0 }, { 0.3, 0.0, 0.0 }, false, false, 1e5, 1e-3, rsl_trBdf2 },
        { { 0.0, 0.0, 1.0 }, { 0.0, 0.0, 0.3 }, false, false, 1e6, 0.0, rsl_trBdf2 },
        { { 0.0, 0.0, 1.0 }, { 0.0, 0.0, 0.3 }, true, false, 1e8, 0.0, rsl_trBdf2 },
        { { 0.0, 0.0, 1.0 }, { 0.0, 0.0, -0.3 }, true, false, 1e6, 1e-3, rsl_implicitEuler },
        { { 1.0, 0.0, 0.0 }, { 0.0, 0.3, 0.0 }, true, false, 1e4, 1e-3, rsl_theta },
        { { 0.0, 0.0, 1.0 }, { 0.0, 0.0, -0.3 }, true, false, 1e7, 0.0, rsl_trBdf2 },
    };
    double newton = 0.0, grown = 0.0, smallest = 1.0;
    int count = (int)(sizeof cases / sizeof *cases), lost = 0;
    for (int i = 0; i < count; ++i)
    {
        Moved moved = Jerk(&cases[i]);
        if (Proving())
        {
            printf("jerk %d: status %d, %g Newton steps, smallest volume %.2g, grown %.1e, behind %.2f\n", i,
                   moved.status, moved.newton, moved.smallest, moved.grown, moved.behind);
        }
        lost += moved.status != rsl_ok;
        newton = Worse(newton, moved.newton);
        grown = Worse(grown, moved.grown);
        smallest = fmin(smallest, moved.smallest);
        assert_true(moved.behind < 2.0);
    }
    assert_proved("faces moved by three lengths in 1 ms: frames that were not found", (double)lost, 0.0);
    assert_proved("Newton steps for three frames", newton, 4000.0);
    assert_proved("energy beyond what was put in", grown, 1e-3);
    assert_true(smallest > 0.0);
}

// Elements that nothing guards are turned inside out, and many parts of steps find no end: those as long are not tried again at once.
static void TestBare(void** state)
{
    (void)state;
    Case one = { { 0.0, 0.0, 1.0 }, { 0.0, 0.0, 0.3 }, true, true, 1e6, 0.0, rsl_trBdf2 };
    Moved moved = Jerk(&one);
    assert_int_equal(moved.status, rsl_ok);
    assert_proved("face of a block without repulsion: Newton steps for three frames", moved.newton, 2400.0);
}

// Two faces that are led through each other: there is no room, and that is said after a bounded number of Newton steps.
static void TestNoRoom(void** state)
{
    (void)state;
    for (int i = 0; i < 4; i += Proving() ? 1 : 3)
    {
        Case one = { .elements = i % 2 == 1, .young = i / 2 == 0 ? 1e5 : 1e8, .damping = 1e-4, .scheme = rsl_trBdf2 };
        const double down[8] = { 0.0, 0.0, 0.0, 0.0, 1e-3, 0.0, 0.0, -0.15 };
        const double up[8] = { 0.0, 0.0, 0.0, 0.0, 1e-3, 0.0, 0.0, 0.15 };
        const rslConstraintDef jerks[2] = { JerkOf((rslVec3){ 0.0, 0.0, 1.0 }, down),
                                            JerkOf((rslVec3){ 0.0, 0.0, -1.0 }, up) };
        Moved moved = MoveFaces(&one, jerks, 2, 1);
        if (Proving())
        {
            printf("no room %d: status %d, %g Newton steps, divided %d\n", i, moved.status, moved.newton,
                   moved.divided);
        }
        assert_true(moved.status == rsl_diverged || moved.status == rsl_notConverged);
        assert_true(moved.newton < 6000.0);
        assert_true(moved.smallest > 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestJerks),
        cmocka_unit_test(TestBare),
        cmocka_unit_test(TestNoRoom),
    };
    return cmocka_run_group_tests_name("implicit_held", tests, NULL, NULL);
}
