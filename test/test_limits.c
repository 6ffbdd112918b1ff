// SPDX-License-Identifier: MIT
//
// test_limits.c: states and models at the edge of what is possible: springs pressed to nothing, single nodes, everything
// held, extremes of scale, wrong arguments.

#include "physics_fixture.h"

static const double MASS = 1.0, STIFFNESS = 100.0;

// ---- springs pressed to nothing ---------------------------------------------------------------------------------------

// Node 1 near node 0, which is at the origin.
static void ExpectBounded(Run* run, rslVec3 place, double bound)
{
    double forces[6];
    SetNode(run, 0, (rslVec3){ 0 }, (rslVec3){ 0 });
    SetNode(run, 1, place, (rslVec3){ 0.3, -0.2, 0.1 });
    rslSolver_Fields(run->solver, run->state, forces, NULL, NULL);
    for (int i = 0; i < 6; ++i)
    {
        assert_at_most(fabs(forces[i]), bound);
    }
    assert_true(isfinite(rslSolver_Energy(run->solver, run->state).total));
}

static void ExpectBoundedEverywhere(const rslScene* scene, rslPrecision precision, double bound)
{
    rslSolverDef def = SolverDef(rsl_positionVerlet, 1e-3);
    def.precision = precision;
    Run run = StartRun(scene, def);
    ExpectBounded(&run, (rslVec3){ 0 }, bound);
    Random random = MakeRandom(1);
    for (double size = 1.0; size > 1e-12; size *= 0.7)
    {
        ExpectBounded(&run, NextVec3(&random, size), bound);
        ExpectBounded(&run, (rslVec3){ size, 0.0, 0.0 }, bound);
    }
    EndRun(&run);
}

static void TestCollapsedSpring(void** state)
{
    (void)state;
    const double nodes[] = { 0.1, 0.2, 0.3, 0.7, 0.5, 1.1 };
    const int springs[] = { 0, 1 };
    const double damping = 2.0;
    rslBodyDef body = NetworkBody("spring", nodes, 2, &MASS, springs, 1, &STIFFNESS);
    body.network.damping = &damping;
    body.network.dampingCount = 1;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    ExpectBoundedEverywhere(&scene, rsl_single, 1.5 * STIFFNESS);
    ExpectBoundedEverywhere(&scene, rsl_double, 1.5 * STIFFNESS);
}

static void TestCollapsedLink(void** state)
{
    (void)state;
    const double here[] = { 0.0, 0.0, 0.0 }, there[] = { 1.0, 0.0, 0.0 };
    rslBodyDef bodies[] = { NetworkBody("a", here, 1, &MASS, NULL, 0, NULL),
                            NetworkBody("b", there, 1, &MASS, NULL, 0, NULL) };
    rslLinkDef link = rslDefaultLinkDef();
    link.type = rsl_springLink;
    link.from = AllOf("a");
    link.to = AllOf("b");
    link.stiffness = STIFFNESS;
    link.damping = 2.0;
    rslScene scene = SceneOf(bodies, 2);
    scene.gravity = (rslVec3){ 0 };
    scene.links = &link;
    scene.linkCount = 1;
    ExpectBoundedEverywhere(&scene, rsl_single, 1.5 * STIFFNESS);
    ExpectBoundedEverywhere(&scene, rsl_double, 1.5 * STIFFNESS);
}

// Neighbours in a lattice, one moved to the other.
static void TestCollapsedBond(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(3.0, 2.0, 2.0);
    for (int i = 0; i < 4; ++i)
    {
        rslBodyDef body = LatticeBody("block", &shape, 1.0);
        body.material.stiffnessDamping = i % 2 ? 1e-3 : 0.0;
        body.repulsion.type = rsl_noRepulsion;
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0 };
        rslSolverDef def = SolverDef(rsl_positionVerlet, 1e-3);
        def.precision = i < 2 ? rsl_single : rsl_double;
        Run run = StartRun(&scene, def);
        double* forces = calloc(3 * (size_t)run.model->nodeCount, sizeof(double));
        rslVec3 place = PositionOf(&run, 0);
        Random random = MakeRandom(1);
        for (double size = 1.0; size > 1e-10; size *= 0.7)
        {
            for (int j = 0; j < 6; ++j)
            {
                rslVec3 off = j < 3 ? (rslVec3){ j == 0 ? size : 0.0, j == 1 ? size : 0.0, j == 2 ? size : 0.0 }
                                    : NextVec3(&random, size);
                SetNode(&run, 1, rslAdd(place, off), (rslVec3){ 0.3, 0.2, 0.1 });
                rslSolver_Fields(run.solver, run.state, forces, NULL, NULL);
                for (int n = 0; n < 3 * run.model->nodeCount; ++n)
                {
                    assert_at_most(fabs(forces[n]), 1e7);
                }
            }
        }
        free(forces);
        EndRun(&run);
    }
}

// ---- little to move -----------------------------------------------------------------------------------------------------

// A lone mass falls; right after its first step it has gained no height and is no divergence.
static void TestLoneNode(void** state)
{
    (void)state;
    const double node[] = { 0.0, 0.0, 0.0 };
    rslBodyDef body = NetworkBody("a", node, 1, &MASS, NULL, 0, NULL);
    rslScene scene = SceneOf(&body, 1);
    for (rslIntegrator integrator = 0; integrator < rsl_static; ++integrator)
    {
        Run run = StartRun(&scene, SolverDef(integrator, 0.01));
        for (int n = 0; n < 100; ++n)
        {
            Step(&run, 1);
            assert_int_equal(rslSolver_Check(run.solver, run.state), rsl_ok);
        }
        assert_close(VelocityOf(&run, 0).z, -9.81, 1e-12);
        EndRun(&run);
    }
}

// Nothing can move, so nothing limits the step, and nothing moves.
static void TestAllHeld(void** state)
{
    (void)state;
    const double nodes[] = { 0.0, 0.0, 0.0, 1.0, 0.0, 0.0 };
    const int springs[] = { 0, 1 };
    rslBodyDef body = NetworkBody("a", nodes, 2, &MASS, springs, 1, &STIFFNESS);
    rslConstraintDef pin = PinOf(AllOf("a"));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    assert_true(rslSolver_Stability(run.solver).stableStep == INFINITY);
    Step(&run, 100);
    assert_close(Distance(PositionOf(&run, 1), (rslVec3){ 1.0, 0.0, 0.0 }), 0.0, 1e-15);
    EndRun(&run);
}

// A pair that nothing joins, then a pair with a damper: the damper limits the step all the same.
static void TestSpringWithoutStiffness(void** state)
{
    (void)state;
    const double nodes[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0 };
    const int springs[] = { 0, 1, 2, 3 };
    const double stiffness[] = { 0.0, 100.0 }, damping[] = { 0.0, 50.0 };
    rslBodyDef body = NetworkBody("a", nodes, 4, &MASS, springs, 2, stiffness);
    body.network.stiffnessCount = body.network.dampingCount = 2;
    body.network.damping = damping;
    rslScene scene = SceneOf(&body, 1);
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    // w^2 = 2 k / m = 200, c = 2 * 50 / m = 100: h^2 200 + 2 h 100 = 4
    assert_close(rslSolver_Stability(run.solver).stableStep, (sqrt(10800.0) - 100.0) / 200.0, 1e-6);
    EndRun(&run);
}

// ---- scale ----------------------------------------------------------------------------------------------------------------

// The same cube from a micrometre to a thousand kilometres, of jelly or diamond: stretched by a thousandth, it rings alike.
static void TestScale(void** state)
{
    (void)state;
    const double sizes[] = { 1e-6, 1e-3, 1.0, 1e6 }, moduli[] = { 1.0, 1e6, 1e12 };
    double expected = NAN;
    for (int i = 0; i < 24; ++i)
    {
        double size = sizes[i % 4], young = moduli[i / 4 % 3];
        rslShapeDef shape = BoxShape(size, size, size);
        rslBodyDef body = LatticeBody("cube", &shape, 0.25 * size);
        body.material.young = young;
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0 };
        rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
        def.precision = i < 12 ? rsl_double : rsl_single;
        Run run = StartRun(&scene, def);
        for (int n = 0; n < run.model->nodeCount; ++n)
        {
            rslVec3 x = PositionOf(&run, n);
            rslState_SetPosition(run.model, run.state, n, (rslVec3){ 1.001 * x.x, x.y, x.z });
        }
        double start = rslSolver_Energy(run.solver, run.state).springs;
        Step(&run, 200);
        double share = rslSolver_Energy(run.solver, run.state).springs / start;
        expected = isnan(expected) ? share : expected;
        assert_close(share, expected, i < 12 ? 1e-9 : 1e-3);
        EndRun(&run);
    }
}

// ---- wrong arguments ------------------------------------------------------------------------------------------------------

static void TestWrongArguments(void** state)
{
    (void)state;
    const double node[] = { 0.0, 0.0, 0.0 };
    rslBodyDef body = NetworkBody("a", node, 1, &MASS, NULL, 0, NULL);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslState* none = NULL;
    assert_int_equal(rslState_Create(model, (rslPrecision)5, NULL, &none), rsl_badInput);
    assert_null(none);

    rslSolverDef def = SolverDef(rsl_positionVerlet, 0.01);
    rslSolver* solver = SolverOf(model, &def);
    rslState* single = StateOf(model, rsl_single);
    assert_int_equal(rslSolver_Step(solver, single, 1), rsl_mismatch);
    assert_int_equal(rslSolver_Check(solver, single), rsl_mismatch);
    assert_int_equal(single->stepCount, 0);
    rslState_Free(single);
    rslSolver_Free(solver);

    rslNodeSetDef nearest = AllOf("a"), plane = SideOf("a", (rslVec3){ 0 }, (rslVec3){ 0 });
    nearest.type = rsl_nearestNodes;
    nearest.count = 0;
    int* nodes = NULL;
    int count = 0;
    assert_int_equal(rslModel_Select(model, &nearest, &nodes, &count, NULL), rsl_badInput);
    assert_int_equal(rslModel_Select(model, &plane, &nodes, &count, NULL), rsl_badInput);
    rslModel_Free(model);
}

// A message that is too long ends with a whole character, whatever its length.
static void TestLongMessages(void** state)
{
    (void)state;
    const char* const characters[] = { "a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x90\x87" };
    for (size_t c = 0; c < 4; ++c)
    {
        for (int shift = 0; shift < 4; ++shift)
        {
            char text[4 * RSL_MESSAGE_CAPACITY + 8] = "";
            size_t size = strlen(characters[c]);
            for (int i = 0; i < RSL_MESSAGE_CAPACITY; ++i)
            {
                memcpy(text + size * (size_t)i, characters[c], size);
            }
            rslReport report = { 0 };
            rslReport_Add(&report, rsl_note, (rslPlace){ 0 }, "%.*s%s", shift, "....", text);
            size_t length = strlen(report.messages[0].text);
            assert_int_equal((length - (size_t)shift) % size, 0);
            assert_true(length + size >= RSL_MESSAGE_CAPACITY);
        }
    }
    char formatted[8] = "full";
    assert_int_equal(rslReport_Format(NULL, 0, formatted, sizeof formatted), 0);
    assert_string_equal(formatted, "");
}

// The search for a spacing that would fit comes to an end.
static void TestTinySpacing(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(1.0, 1.0, 1.0);
    rslBodyDef body = LatticeBody("cube", &shape, 5e-324);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = NULL;
    assert_int_equal(rslModel_Build(&scene, NULL, &model, NULL), rsl_badInput);
}

// ---- all together -------------------------------------------------------------------------------------------------------

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCollapsedSpring), cmocka_unit_test(TestCollapsedLink),
        cmocka_unit_test(TestCollapsedBond),   cmocka_unit_test(TestLoneNode),
        cmocka_unit_test(TestAllHeld),         cmocka_unit_test(TestSpringWithoutStiffness),
        cmocka_unit_test(TestScale),           cmocka_unit_test(TestWrongArguments),
        cmocka_unit_test(TestLongMessages),    cmocka_unit_test(TestTinySpacing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
