// SPDX-License-Identifier: MIT
//
// test_lag.c: dispersion that answers what nodes felt a step before (Kot 4.7): the same forces one step later, what a state
// carries, which steps are stable. The scene "lag" of core_scenes.h has it in all tests of bits, threads and memory.

#include "physics_fixture.h"

typedef enum Network
{
    LATTICE,
    CARRIERS,
    RANDOM,
    NETWORKS
} Network;

static rslBodyDef Block(const rslShapeDef* shape, Network network, double poisson, double damping, bool lag)
{
    rslBodyDef body = LatticeBody("block", shape, 0.1);
    body.network.law = network == CARRIERS ? rsl_carrierSpring : rsl_linearSpring;
    if (network == RANDOM)
    {
        body.network.type = rsl_randomNetwork;
        body.network.minLength = 0.1;
        body.network.maxLength = 0.2;
    }
    body.model.type = rsl_dispersionModel;
    body.model.lag = lag;
    body.material.poisson = poisson;
    body.material.stiffnessDamping = damping;
    return body;
}

static Run StartBlock(const rslBodyDef* body, rslPrecision precision, double step)
{
    rslScene scene = SceneOf(body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    rslSolverDef def = SolverDef(rsl_symplecticEuler, step);
    def.precision = precision;
    return StartRun(&scene, def);
}

static void Stir(Run* run, double size, double speed)
{
    Random random = MakeRandom(3);
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        rslVec3 x = rslAdd(PositionOf(run, i), NextVec3(&random, size));
        SetNode(run, i, x, NextVec3(&random, speed));
    }
}

// Once a step has left what nodes feel, forces at the same places and velocities are those without a lag.
static void SameForces(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.5, 0.4, 0.3);
    double worst = 0.0;
    for (int network = 0; network < NETWORKS; ++network)
    {
        rslBodyDef body = Block(&shape, (Network)network, 0.1, 0.002, true);
        Run late = StartBlock(&body, rsl_double, 1e-13);
        body.model.lag = false;
        Run now = StartBlock(&body, rsl_double, 1e-13);
        Stir(&late, 0.01, 0.5);
        Stir(&now, 0.01, 0.5);
        size_t count = 3 * (size_t)now.model->nodeCount;
        double* forces = calloc(3 * count, sizeof(double));
        assert_non_null(forces);
        rslSolver_Fields(late.solver, late.state, forces, NULL, NULL);  // of what the state carries: nothing
        Step(&late, 1);
        rslSolver_Fields(late.solver, late.state, forces + count, NULL, NULL);
        rslSolver_Fields(now.solver, now.state, forces + 2 * count, NULL, NULL);
        double largest = 0.0, first = 0.0, error = 0.0;
        for (size_t i = 0; i < count; ++i)
        {
            largest = Worse(largest, fabs(forces[2 * count + i]));
            first = Worse(first, fabs(forces[i] - forces[2 * count + i]));
            error = Worse(error, fabs(forces[count + i] - forces[2 * count + i]));
        }
        assert_true(first > 0.01 * largest);
        worst = Worse(worst, error / largest);
        free(forces);
        EndRun(&late);
        EndRun(&now);
    }
    assert_proved("dispersion with a lag: forces a step later against those without", worst, 1e-8);
}

// A run that is saved and restored midway has the same bits; without what the state carries, it has not.
static void Carried(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.5, 0.4, 0.3);
    for (int test = 0; test < 2 * NETWORKS; ++test)
    {
        rslPrecision precision = test < NETWORKS ? rsl_single : rsl_double;
        rslBodyDef body = Block(&shape, (Network)(test % NETWORKS), 0.1, 0.002, true);
        Run run = StartBlock(&body, precision, RSL_AUTO);
        Stir(&run, 0.01, 0.5);
        Step(&run, 40);
        size_t size = rslState_Save(run.state, NULL, 0);
        void* bytes = malloc(size);
        assert_non_null(bytes);
        assert_int_equal(rslState_Save(run.state, bytes, size), size);
        rslState *restored = NULL, *forgetful = NULL;
        rslReport report = { 0 };
        assert_int_equal(rslState_Load(run.model, precision, bytes, size, NULL, &restored, &report), rsl_ok);
        assert_int_equal(rslState_Load(run.model, precision, bytes, size, NULL, &forgetful, &report), rsl_ok);
        assert_int_equal(rslState_Hash(restored), rslState_Hash(run.state));
        memset(forgetful->carried[0], 0, (size_t)run.model->nodeCount * (size_t)precision);
        assert_int_not_equal(rslState_Hash(forgetful), rslState_Hash(run.state));
        Step(&run, 60);
        assert_int_equal(rslSolver_Step(run.solver, restored, 60), rsl_ok);
        assert_int_equal(rslSolver_Step(run.solver, forgetful, 60), rsl_ok);
        assert_int_equal(rslState_Hash(restored), rslState_Hash(run.state));
        assert_int_not_equal(rslState_Hash(forgetful), rslState_Hash(run.state));
        // a checkpoint without it is not one of this model
        ((uint32_t*)bytes)[11] = 0;
        rslState* none = NULL;
        assert_int_not_equal(rslState_Load(run.model, precision, bytes, size, NULL, &none, &report), rsl_ok);
        free(bytes);
        rslState_Free(restored);
        rslState_Free(forgetful);
        EndRun(&run);
    }
}

// Energy after many steps over that at the start; infinite when the run diverged.
static double Growth(double poisson, double damping, double fraction)
{
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = Block(&shape, LATTICE, poisson, damping, true);
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
    def.fraction = fraction;
    Run run = StartRun(&scene, def);
    Stir(&run, 0.0, 1e-6);
    double start = rslSolver_Energy(run.solver, run.state).total;
    rslStatus status = rslSolver_Step(run.solver, run.state, 4000);
    double end = rslSolver_Energy(run.solver, run.state).total;
    EndRun(&run);
    return status == rsl_ok ? end / start : INFINITY;
}

// The bound on the step holds below and above nu = 1/4, there with dampers.
static void Stable(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.8, 0.0, 0.2, 0.3, 0.4, 0.49 };
    double worst = 0.0;
    for (int test = 0; test < 6; ++test)
    {
        worst = Worse(worst, ratios[test] < 0.25 ? Growth(ratios[test], 0.0, 0.99) : 0.0);
        worst = Worse(worst, fmax(Growth(ratios[test], 1e-4, 0.99), Growth(ratios[test], 3e-3, 0.99)));
    }
    assert_proved("dispersion with a lag: energy over that at the start, at 0.99 of the stable step", worst, 1.0);
}

// A mode of h^2 w^2 = A of springs and B of dispersion grows by sqrt(1 + B) a step: here dilation of one cube of eight nodes,
// whose springs all lengthen alike, so that B = 2 q A and T = (1 + 2 q) A = h^2 w^2.
static void Grows(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.1);
    rslBodyDef body = Block(&shape, LATTICE, 0.4, 0.0, true);
    double q = 3.0 * (4.0 * 0.4 - 1.0) / (10.0 * (1.0 - 2.0 * 0.4)), step = 2e-5;
    Run run = StartBlock(&body, rsl_double, step);
    for (int i = 0; i < 8; ++i)
    {
        SetNode(&run, i, PositionOf(&run, i), rslScale(1e-6, PositionOf(&run, i)));
    }
    double before = rslSolver_Energy(run.solver, run.state).total;
    Step(&run, 3000);
    double after = rslSolver_Energy(run.solver, run.state).total;
    // x.Kx / x.Mx of dilation: 9 K V / (sum m r^2), r^2 = 3 a^2 / 4, M = rho V
    double bulk = 1e5 / (3.0 * (1.0 - 0.8)), square = 9.0 * bulk / (1000.0 * 0.75 * 0.01);
    double expected = 3000.0 * log(1.0 + step * step * square * 2.0 * q / (1.0 + 2.0 * q));
    assert_close(log(after / before), expected, 0.02 * expected);
    EndRun(&run);
}

static void Refusals(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.2);
    rslBodyDef body = Block(&shape, LATTICE, 0.4, 0.0, true);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
    rslSolver* solver = NULL;
    rslReport report = { 0 };
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0, 0 }, "take lag: false"));
    def.integrator = rsl_forwardEuler;
    report = (rslReport){ 0 };
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0, 0 }, "forward Euler and dispersion with a lag"));
    // given a step, it is warned of
    def = SolverDef(rsl_positionVerlet, 1e-6);
    report = (rslReport){ 0 };
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_ok);
    assert_true(HasMessage(&report, rsl_warning, (rslPlace){ 0, 0 }, "energy will grow"));
    rslSolver_Free(solver);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SameForces), cmocka_unit_test(Carried),  cmocka_unit_test(Stable),
        cmocka_unit_test(Grows),      cmocka_unit_test(Refusals),
    };
    return cmocka_run_group_tests_name("lag", tests, NULL, NULL);
}
