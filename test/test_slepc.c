// SPDX-License-Identifier: MIT
//
// Modes by SLEPc: those of our own search; a clear word where it is not there or does not take the model.

#include "physics_fixture.h"

#include "resilin/io.h"

static void SkipWithout(void)
{
    if (rslSlepc_Eigen() == NULL)
    {
        skip();
    }
}

static rslStatus Find(const Run* run, rslModesSolver solver, int count, rslModes** modes, rslReport* report)
{
    rslModesDef def = rslDefaultModesDef();
    def.count = count;
    def.tolerance = 1e-5;
    def.threads = 2;
    def.solver = solver;
    def.eigen = rslSlepc_Eigen();
    return rslModes_Find(run->model, run->state, &def, NULL, modes, report);
}

// Frequencies, motions that cost nothing and residuals at the state of a run.
static void Compare(const char* what, const Run* run, int count, int zeros)
{
    rslModes *ours = NULL, *theirs = NULL;
    rslReport report = { 0 };
    double worst = 0.0;
    char text[120];
    assert_int_equal(Find(run, rsl_lobpcgModes, count, &ours, &report), rsl_ok);
    rslStatus status = Find(run, rsl_slepcModes, count, &theirs, &report);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    assert_int_equal(theirs->count, ours->count);
    assert_int_equal(theirs->zeroCount, ours->zeroCount);
    assert_int_equal(theirs->zeroCount, zeros);
    assert_string_equal(ours->solver, "lobpcg");
    assert_string_equal(theirs->solver, "slepc");
    for (int c = 0; c < ours->count; ++c)
    {
        worst = Worse(worst, fabs(theirs->frequency[c] / ours->frequency[c] - 1.0));
        assert_close(theirs->dampingRatio[c], ours->dampingRatio[c], 1e-5 * ours->dampingRatio[c]);
        assert_true(theirs->residual[c] <= 1e-5);
    }
    snprintf(text, sizeof text, "SLEPc against LOBPCG, %s, %d nodes: worst difference of a frequency", what,
             run->model->nodeCount);
    assert_proved(text, worst, 1e-6);
    CheckOrthonormal(run->model, theirs);
    rslModes_Free(theirs);
    rslModes_Free(ours);
}

static void CompareScene(const char* what, const rslScene* scene, int count, int zeros)
{
    Run run = StartRun(scene, SolverDef(rsl_velocityVerlet, RSL_AUTO));
    Compare(what, &run, count, zeros);
    EndRun(&run);
}

// A square beam bends in pairs; turned, its pins are askew to the axes of its network.
static void Lattices(void** unused)
{
    (void)unused;
    SkipWithout();
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    rslBodyDef body = LatticeBody("beam", &shape, Proving() ? 0.125 : 0.25);
    rslConstraintDef pin = PinOf(SideOf("beam", (rslVec3){ -1.7, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    CompareScene("clamped lattice", &scene, 12, 0);
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 0.5 }, 20.0 };
    pin.axes[1] = false;
    CompareScene("turned lattice on a rail", &scene, 12, 1);
    scene.constraintCount = 0;
    CompareScene("free lattice", &scene, 12, 6);
    body.network.shells = rsl_shellsAC;
    CompareScene("free lattice of shells A and C", &scene, 12, 9);
    body.network.shells = rsl_shellsAB;
    body.model.type = rsl_finiteModel;
    CompareScene("free finite elements", &scene, 12, 6);
}

static void RandomNetwork(void** unused)
{
    (void)unused;
    SkipWithout();
    rslShapeDef shape = BoxShape(1.0, 0.4, 0.3);
    rslBodyDef body = LatticeBody("random", &shape, 0.1);
    body.network = rslDefaultNetworkDef();
    body.network.type = rsl_randomNetwork;
    body.network.minLength = Proving() ? 0.03 : 0.06;
    body.network.maxLength = 2.0 * body.network.minLength;
    rslScene scene = SceneOf(&body, 1);
    CompareScene("free random network", &scene, 12, 6);
    rslConstraintDef pin = PinOf(SideOf("random", (rslVec3){ -0.4, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    scene.constraints = &pin;
    scene.constraintCount = 1;
    CompareScene("clamped random network", &scene, 12, 0);
}

// Bent by its weight, half of a beam is pressed; links and ground are in the matrix as well.
static void LoadedBodies(void** unused)
{
    (void)unused;
    SkipWithout();
    rslShapeDef shapes[2] = { BoxShape(1.0, 0.3, 0.3), BoxShape(0.4, 0.3, 0.2) };
    shapes[1].translate = (rslVec3){ 0, 0, 0.26 };
    rslBodyDef bodies[2] = { LatticeBody("lower", &shapes[0], 0.1), LatticeBody("upper", &shapes[1], 0.1) };
    rslConstraintDef pin = PinOf(SideOf("lower", (rslVec3){ -0.4, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    rslLinkDef tie = rslDefaultLinkDef();
    tie.type = rsl_tieLink;
    tie.from = SideOf("upper", (rslVec3){ 0, 0, 0.17 }, (rslVec3){ 0, 0, -1 });
    tie.to.body = "lower";
    tie.reach = 0.2;
    rslScene scene = SceneOf(bodies, 2);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    scene.links = &tie;
    scene.linkCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    Step(&run, 1);
    Compare("two tied bodies under their weight", &run, 10, 0);
    EndRun(&run);
}

// All modes of a few masses, and none of one.
static void FewMasses(void** unused)
{
    (void)unused;
    SkipWithout();
    static const double square[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 }, mass = 1.0, stiffness = 10.0;
    static const int sides[] = { 0, 1, 1, 2, 2, 3, 0, 3 };
    rslBodyDef frame = NetworkBody("frame", square, 4, &mass, sides, 4, &stiffness);
    rslScene scene = SceneOf(&frame, 1);
    CompareScene("square of four springs", &scene, 10, 8);
    frame = NetworkBody("frame", square, 1, &mass, sides, 0, &stiffness);
    CompareScene("one mass", &scene, 4, 3);
}

static void CheckRefused(const Run* run, rslModesSolver solver, const char* part)
{
    rslModes* modes = NULL;
    rslReport report = { 0 };
    assert_int_equal(Find(run, solver, 4, &modes, &report), rsl_badInput);
    assert_null(modes);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0 }, part));
}

// A pressed row of masses, dispersion, a sheet that resists in its plane alone.
static void WhatItDoesNotTake(void** unused)
{
    (void)unused;
    SkipWithout();
    double nodes[3 * 8] = { 0 }, mass = 0.2, stiffness = 300.0, rest = 0.11;
    int springs[2 * 7], ends[2] = { 0, 7 };
    for (int i = 0; i < 8; ++i)
    {
        nodes[3 * i] = 0.1 * i;
        springs[2 * (i % 7)] = i % 7;
        springs[2 * (i % 7) + 1] = i % 7 + 1;
    }
    rslBodyDef body = NetworkBody("chain", nodes, 8, &mass, springs, 7, &stiffness);
    body.network.restLengths = &rest;
    body.network.restLengthCount = 1;
    rslConstraintDef pin = PinOf(ListOf("chain", ends, 2));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_velocityVerlet, RSL_AUTO));
    CheckRefused(&run, rsl_slepcModes, "slepc does not take a state that is about to buckle");
    CheckRefused(&run, (rslModesSolver)7, "unknown solver");
    EndRun(&run);

    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef lattice = LatticeBody("lattice", &shape, 0.1);
    lattice.model.type = rsl_dispersionModel;
    lattice.material.poisson = 0.4;
    scene = SceneOf(&lattice, 1);
    run = StartRun(&scene, SolverDef(rsl_velocityVerlet, RSL_AUTO));
    CheckRefused(&run, rsl_slepcModes, "slepc has no matrix for all that acts in this model");
    EndRun(&run);

    rslBodyDef sheet = GridBody("sheet", 1.0, 1.0, 12, 12);
    scene = SceneOf(&sheet, 1);
    run = StartRun(&scene, SolverDef(rsl_velocityVerlet, RSL_AUTO));
    CheckRefused(&run, rsl_slepcModes, "plane: xy");
    EndRun(&run);
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0 };
    CompareScene("sheet in its plane", &scene, 10, 3);
}

static void EveryAllocationMayFail(void** unused)
{
    (void)unused;
    SkipWithout();
    rslShapeDef shape = BoxShape(0.5, 0.3, 0.3);
    rslBodyDef body = LatticeBody("body", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    rslModesDef def = rslDefaultModesDef();
    def.solver = rsl_slepcModes;
    def.eigen = rslSlepc_Eigen();
    FailEveryAllocationOfModes(&scene, def);
}

static void MissingIsSaid(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = LatticeBody("body", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModesDef def = rslDefaultModesDef();
    rslModes* modes = NULL;
    rslReport report = { 0 };
    def.solver = rsl_slepcModes;
    assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, &report), rsl_badInput);
    assert_null(modes);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0 }, "slepc is not in this build; use the solver lobpcg"));
    rslState_Free(state);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Lattices),      cmocka_unit_test(RandomNetwork),     cmocka_unit_test(LoadedBodies),
        cmocka_unit_test(FewMasses),     cmocka_unit_test(WhatItDoesNotTake), cmocka_unit_test(EveryAllocationMayFail),
        cmocka_unit_test(MissingIsSaid),
    };
    return cmocka_run_group_tests_name("slepc", tests, NULL, NULL);
}
