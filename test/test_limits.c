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

// ---- all together -------------------------------------------------------------------------------------------------------

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCollapsedSpring),
        cmocka_unit_test(TestCollapsedLink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
