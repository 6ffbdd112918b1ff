// SPDX-License-Identifier: MIT
//
// test_dispersion_motion.c: steps, long runs, rest and modes of springs with dispersion.

#include "dispersion_fixture.h"

#include "free_box.h"

#include "resilin/field.h"
#include "resilin/measure.h"
#include "resilin/modes.h"

// ---- steps ----------------------------------------------------------------------------------------------------------------

// Of an infinite lattice, in units of a sqrt(rho / E), from the largest frequency on a grid of wave vectors: a little too large.
// Above nu = 1/4 the corners of a block, where all springs leave to one side, halve the step.
static void StableStep(void** unused)
{
    (void)unused;
    static const double table[][2] = { { -0.99, 0.082 }, { -0.9, 0.258 }, { -0.5, 0.577 }, { 0.0, 0.816 },
                                       { 0.25, 0.913 },  { 0.45, 0.877 }, { 0.49, 0.470 }, { 0.499, 0.154 } };
    rslShapeDef shape = BoxShape(1.2, 1.2, 1.2);
    for (int t = 0; t < 8; ++t)
    {
        rslBodyDef body = Dispersed(&shape, table[t][0], rsl_energyDispersion);
        rslScene scene = SceneOf(&body, 1);
        Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
        double step = rslSolver_Stability(run.solver).stableStep / (0.1 * sqrt(1000.0 / 1e5));
        if (Proving())
        {
            printf("# stable step, nu %g: %.4f of a sqrt(rho/E), %.4f in an infinite lattice\n", table[t][0], step,
                   table[t][1]);
        }
        assert_true(step < 1.03 * table[t][1] && step > (table[t][0] < 0.3 ? 0.95 : 0.45) * table[t][1]);
        EndRun(&run);
    }
}

// Just below the stable step a tiny motion stays tiny, just above it grows.
static void StepIsTheLimit(void** unused)
{
    (void)unused;
    static const double some[] = { -0.5, 0.45, 0.49 };
    rslShapeDef shape = BoxShape(0.5, 0.3, 0.3);
    for (int r = 0; r < 6; ++r)
    {
        rslBodyDef body = Dispersed(&shape, some[r / 2], rsl_energyDispersion);
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
        Run run = StartRun(&scene, def);
        def.step = (r % 2 == 0 ? 0.98 : 1.02) * rslSolver_Stability(run.solver).stableStep;
        EndRun(&run);
        run = StartRun(&scene, def);
        Random random = MakeRandom(3);
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            SetNode(&run, i, PositionOf(&run, i), NextVec3(&random, 1e-9));
        }
        double before = rslSolver_Energy(run.solver, run.state).total;
        rslStatus status = rslSolver_Step(run.solver, run.state, 2000);
        double ratio = rslSolver_Energy(run.solver, run.state).total / before;
        assert_true(r % 2 == 0 ? status == rsl_ok && ratio < 50.0 : status == rsl_diverged);
        EndRun(&run);
    }
}

// Thrown and struck, without damping: energy, momentum and angular momentum stay.
static void Keeps(void** unused)
{
    (void)unused;
    static const double some[] = { -0.7, 0.1, 0.45, 0.49 };
    rslShapeDef shape = BoxShape(0.6, 0.3, 0.2);
    double drift = 0.0, turn = 0.0;
    for (int network = 0; network < 2; ++network)
    {
        for (int r = 0; r < 4; ++r)
        {
            rslBodyDef body = Dispersed(&shape, some[r], r == 1 ? rsl_cheapDispersion : rsl_energyDispersion);
            body.network.type = network == 0 ? rsl_latticeNetwork : rsl_randomNetwork;
            body.network.minLength = 0.08;
            body.network.maxLength = 0.17;
            body.spin = (rslVec3){ 100.0, 200.0, 300.0 };
            rslScene scene = SceneOf(&body, 1);
            scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
            rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
            def.fraction = 0.3;
            Run run = StartRun(&scene, def);
            for (int i = 0; i < run.model->nodeCount; ++i)
            {
                rslVec3 x = PositionOf(&run, i), v = VelocityOf(&run, i);
                SetNode(&run, i, x, rslAdd(v, (rslVec3){ 2.0 * sin(9.0 * x.x), 0.0, -3.0 * x.x * x.y }));
            }
            rslEnergy before = rslSolver_Energy(run.solver, run.state);
            rslMotion was = rslSolver_Motion(run.solver, run.state, -1);
            Step(&run, Proving() ? 20000 : 500);
            rslEnergy after = rslSolver_Energy(run.solver, run.state);
            rslMotion is = rslSolver_Motion(run.solver, run.state, -1);
            drift = Worse(drift, fabs(after.total / before.total - 1.0));
            turn =
                fmax(turn, rslLength(rslSub(is.angularMomentum, was.angularMomentum)) / rslLength(was.angularMomentum));
            EndRun(&run);
        }
    }
    assert_proved("dispersion, undamped: energy after 20000 steps at 0.3 of the stable step", drift, 0.02);
    assert_proved("dispersion, undamped: angular momentum after 20000 steps", turn, 1e-9);
}

// How fast a tiny random motion grows, in powers of e over the time a sqrt(rho / E), by the kinetic energy in the two halves of a
// run, or from its start to where it is a million times as large.
static double Growth(const rslBodyDef* body, int steps)
{
    rslScene scene = SceneOf(body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
    def.fraction = 0.5;
    def.divergenceFactor = 1e200;
    Run run = StartRun(&scene, def);
    Random random = MakeRandom(3);
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        SetNode(&run, i, PositionOf(&run, i), NextVec3(&random, 1e-9));
    }
    double sums[2] = { 0.0, 0.0 }, unit = 0.1 * sqrt(1000.0 / 1e5), rate = 0.0;
    double start = rslSolver_Energy(run.solver, run.state).kinetic;
    for (int s = 0; s < steps && rate == 0.0; s += 10)
    {
        Step(&run, 10);
        double kinetic = rslSolver_Energy(run.solver, run.state).kinetic;
        rate = kinetic > 1e12 * start ? 0.5 * log(kinetic / start) / (TimeOf(&run) / unit) : 0.0;
        sums[s < steps / 2 ? 0 : 1] += kinetic;
    }
    rate = rate != 0.0 ? rate : log(sums[1] / sums[0]) / (TimeOf(&run) / unit);
    EndRun(&run);
    return rate;
}

// Without an energy nothing keeps a motion from growing; with one, nothing grows.
static void Flutter(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    for (int c = 0; c < 2; ++c)
    {
        for (int r = Proving() ? 0 : 6; r < RATIOS; ++r)
        {
            double rate[4];
            for (int v = 0; v < rsl_dispersionVariantCount; ++v)
            {
                rslBodyDef body = Dispersed(&shape, ratios[r], (rslDispersionVariant)v);
                body.network.construction = c == 0 ? rsl_cornerLattice : rsl_centredLattice;
                rate[v] = Growth(&body, Proving() ? 20000 : 2500);
            }
            if (Proving())
            {
                printf("# growth, %s, nu %g: energy %.1e, cheap %.1e, published %.1e, transposed %.1e\n",
                       c == 0 ? "corner" : "centred", ratios[r], rate[0], rate[1], rate[2], rate[3]);
            }
            assert_true(fabs(rate[rsl_energyDispersion]) < 1e-4 && fabs(rate[rsl_cheapDispersion]) < 1e-4);
            bool flutters = ratios[r] == (c == 0 ? 0.49 : 0.45);
            assert_true(!flutters || (rate[rsl_publishedDispersion] > 1e-2 && rate[rsl_transposedDispersion] > 1e-2));
        }
    }
}

// A pressed block swells back; alpha1 damps a mode that only dispersion makes stiff as it damps the others: ratio w alpha1 / 2.
static void Damps(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.6, 0.3, 0.2);
    rslBodyDef body = Dispersed(&shape, 0.45, rsl_energyDispersion);
    body.material.stiffnessDamping = 1e-3;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModesDef def = rslDefaultModesDef();
    rslModes* modes = NULL;
    def.count = 8;
    assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, NULL), rsl_ok);
    assert_int_equal(modes->zeroCount, 6);
    for (int m = 0; m < modes->count; ++m)
    {
        assert_close(modes->dampingRatio[m], PI * modes->frequency[m] * 1e-3, 1e-6 * modes->dampingRatio[m]);
    }
    rslModes_Free(modes);
    rslState_Free(state);
    rslModel_Free(model);
}

// ---- rest and modes -------------------------------------------------------------------------------------------------------

// All moduli of the network, bulk and shear modulus too.
static void Moduli(void** unused)
{
    (void)unused;
    static const double some[] = { -0.5, 0.1, 0.45 };
    rslShapeDef shape = BoxShape(0.8, 0.6, 0.6);
    for (int r = 0; r < 6; ++r)
    {
        double nu = some[r % 3], shear = 1e5 / (2.0 * (1.0 + nu)), bulk = 1e5 / (3.0 * (1.0 - 2.0 * nu));
        rslBodyDef body = Dispersed(&shape, nu, r < 3 ? rsl_energyDispersion : rsl_cheapDispersion);
        rslScene scene = SceneOf(&body, 1);
        rslMeasureDef def = rslDefaultMeasureDef();
        rslMeasurements* found = NULL;
        def.tests = rsl_shearTest | rsl_inflationTest;
        def.threads = 1;
        assert_int_equal(rslMeasure_Run(&scene, 0, &def, NULL, &found, NULL), rsl_ok);
        assert_close(rslMeasurements_Find(found, "K")->ours, bulk, 1e-5 * bulk);
        // shear is felt by the mean of a node on an edge, where one diagonal lacks the other
        assert_close(rslMeasurements_Find(found, "G_xy")->ours, shear, 0.04 * shear);
        assert_close(rslMeasurements_Find(found, "G_yz")->ours, shear, 0.04 * shear);
        rslMeasurements_Free(found);
        double modulus[1000];
        rslModel* model = Built(&scene, NULL);
        assert_true(model->nodeCount <= 1000);
        rslModel_NodeModulus(model, modulus);
        assert_close(modulus[model->nodeCount / 2], bulk, 1e-9 * bulk);
        rslModel_Free(model);
    }
}

static void Modes(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    static const double some[] = { -0.5, 0.0, 0.45 };
    rslShapeDef shape = BoxShape(1.6, 0.8, 0.8);
    for (int r = 0; r < 3; ++r)
    {
        rslBodyDef body = Dispersed(&shape, some[r], rsl_energyDispersion);
        double expected[6];
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        rslState* state = StateOf(model, rsl_double);
        rslModesDef def = rslDefaultModesDef();
        rslModes* modes = NULL;
        def.count = 6;
        assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, NULL), rsl_ok);
        assert_int_equal(rslFreeBox_Frequencies(shape.size, 1e5, some[r], 1000.0, NULL, expected, 6), rsl_ok);
        for (int m = 0; m < 6; ++m)
        {
            if (Proving())
            {
                printf("# free box 16x8x8, nu %g, mode %d: %.4f Hz, continuum %.4f Hz\n", some[r], m + 1,
                       modes->frequency[m], expected[m]);
            }
            assert_close(modes->frequency[m], expected[m], 0.08 * expected[m]);
        }
        rslModes_Free(modes);
        rslState_Free(state);
        rslModel_Free(model);
    }
}

// A clamped, pulled and bent bar: what flows through every section is what holds it, by the tensions of its springs.
static void Flow(void** unused)
{
    (void)unused;
    static const double some[] = { 0.0, 0.25, 0.45, 0.49 };
    rslShapeDef shape = BoxShape(Proving() ? 3.2 : 1.6, 0.4, 0.4);
    double worst = 0.0;
    for (int r = 0; r < 4; ++r)
    {
        rslBodyDef body = Dispersed(&shape, some[r], rsl_energyDispersion);
        double end = 0.5 * shape.size.x - 0.01;
        rslConstraintDef pin = PinOf(SideOf("block", (rslVec3){ -end, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 }));
        rslLoadDef load = ForceOn(SideOf("block", (rslVec3){ end, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 }),
                                  (rslVec3){ 9.0, 1.0, 0.5 });
        rslScene scene = LoadedScene(&body, &pin, 1, &load);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
        Step(&run, 1);
        rslRest rest = rslSolver_Rest(run.solver);
        assert_int_equal(rest.outcome, rsl_restFound);
        if (Proving())
        {
            printf("# rest of a cantilever %d nodes, nu %g: %d Newton steps, %d iterations, %s\n", run.model->nodeCount,
                   some[r], rest.newtonSteps, rest.iterations, rest.preconditioner);
        }
        rslVec3 total = rslSolver_Reaction(run.solver, run.state, 0);
        for (double x = -0.6; x < 0.7; x += 0.31)
        {
            rslVec3 flow =
                rslSolver_Flow(run.solver, run.state, 0, (rslVec3){ x, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
            worst = Worse(worst, rslLength(rslAdd(flow, total)) / rslLength(total));
        }
        EndRun(&run);
    }
    assert_proved("dispersion, force through sections against the reaction", worst, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Moduli), cmocka_unit_test(StableStep), cmocka_unit_test(StepIsTheLimit),
        cmocka_unit_test(Keeps),  cmocka_unit_test(Flutter),    cmocka_unit_test(Damps),
        cmocka_unit_test(Modes),  cmocka_unit_test(Flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
