// SPDX-License-Identifier: MIT
//
// test_implicit.c: implicit steps do what their formulas say: one mode, free flight.

#include "physics_fixture.h"

#include <complex.h>

static const rslIntegrator schemes[3] = { rsl_implicitEuler, rsl_theta, rsl_trBdf2 };

// ---- one mode -------------------------------------------------------------------------------------------------------

// What a step does to (x, v / w) of  x'' = -w^2 x,  as the number that multiplies x - i v / w. a = w h.
static double complex Factor(rslIntegrator scheme, double a)
{
    double t = scheme == rsl_theta ? 0.55 : 1.0, g = 2.0 - sqrt(2.0);
    if (scheme != rsl_trBdf2)
    {
        return (1.0 + I * (1.0 - t) * a) / (1.0 - I * t * a);
    }
    double complex first = (1.0 + I * 0.5 * g * a) / (1.0 - I * 0.5 * g * a);
    double b1 = 1.0 / (g * (2.0 - g)), b0 = (1.0 - g) * (1.0 - g) * b1;
    return (b1 * first - b0) / (1.0 - I * a * (1.0 - g) / (2.0 - g));
}

// A mass on a spring that lies along x and moves along it.
static Run StartMode(rslIntegrator scheme, double stiffness, double step)
{
    static const double nodes[6] = { 0, 0, 0, 1, 0, 0 };
    static const int springs[2] = { 0, 1 }, first[1] = { 0 };
    double mass = 1.0;
    rslBodyDef body = NetworkBody("a", nodes, 2, &mass, springs, 1, &stiffness);
    rslConstraintDef pin = PinOf(ListOf("a", first, 1));
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.constraints = &pin;
    scene.constraintCount = 1;
    rslSolverDef def = SolverDef(scheme, step);
    def.tolerance = 1e-10;
    return StartRun(&scene, def);
}

// Loss of energy in a period and error of the period, percent; the figures of the derivation (docs/theory.md).
static void TestOneMode(void** state)
{
    (void)state;
    static const int steps[3] = { 10, 20, 40 };
    static const double euler[3][2] = { { 97.6, 12.0 }, { 86.0, 3.2 }, { 63.0, 0.82 } };
    static const double second[3][2] = { { 1.1, 1.6 }, { 0.14, 0.40 }, { 0.02, 0.10 } };
    for (int s = 0; s < 3; ++s)
    {
        for (int n = 0; n < 3; ++n)
        {
            double w = 20.0, h = 2.0 * PI / w / steps[n];
            double complex factor = Factor(schemes[s], w * h), at = 0.1;
            double turns = 2.0 * PI / carg(factor), lost = 100.0 * (1.0 - pow(cabs(factor), 2.0 * turns));
            double longer = 100.0 * (turns / steps[n] - 1.0);
            const double* table = schemes[s] == rsl_implicitEuler ? euler[n] : second[n];
            if (schemes[s] != rsl_theta)
            {
                assert_close(lost, table[0], 0.05 * table[0] + 0.005);
                assert_close(longer, table[1], 0.05 * table[1] + 0.005);
            }
            Run run = StartMode(schemes[s], w * w, h);
            SetNode(&run, 1, (rslVec3){ 1.1, 0.0, 0.0 }, (rslVec3){ 0 });
            for (int i = 0; i < 2 * steps[n]; ++i)
            {
                Step(&run, 1);
                at *= factor;
                assert_close(PositionOf(&run, 1).x - 1.0, creal(at), 1e-9);
                assert_close(VelocityOf(&run, 1).x / w, -cimag(at), 1e-9);
            }
            rslEnergy energy = rslSolver_Energy(run.solver, run.state);
            assert_close(energy.drift, 0.0, 1e-12);
            assert_close(run.state->account.numerical, 2.0 - energy.total, 1e-9);
            EndRun(&run);
        }
    }
}

// ---- free flight ----------------------------------------------------------------------------------------------------

// A soft box thrown without spin keeps its shape; its centre is where the scheme says, without any solve.
static void TestFreeFlight(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.3, 0.2, 0.2);
    rslBodyDef body = LatticeBody("a", &box, 0.1);
    body.velocity = (rslVec3){ 3.0, 0.0, 4.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, -10.0 };
    for (int s = 0; s < 3; ++s)
    {
        double h = 1.0 / 64.0, t = 1.0, theta = schemes[s] == rsl_theta ? 0.55 : schemes[s] == rsl_trBdf2 ? 0.5 : 1.0;
        Run run = StartRun(&scene, SolverDef(schemes[s], h));
        rslVec3 before = rslSolver_Motion(run.solver, run.state, -1).centre;
        Step(&run, 64);
        rslMotion motion = rslSolver_Motion(run.solver, run.state, -1);
        assert_close(motion.centre.x - before.x, 3.0 * t, 1e-12);
        // the sum of g h (1 - theta) n + g h theta (n + 1) over the steps
        assert_close(motion.centre.z - before.z, 4.0 * t - 5.0 * t * t - (theta - 0.5) * 10.0 * h * t, 1e-12);
        assert_close(motion.momentum.z / run.model->bodies[0].mass, -6.0, 1e-12);
        assert_int_equal(rslSolver_Solve(run.solver).newtonSteps, 0);
        assert_close(rslSolver_Energy(run.solver, run.state).springs, 0.0, 1e-20);
        EndRun(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestOneMode),
        cmocka_unit_test(TestFreeFlight),
    };
    return cmocka_run_group_tests_name("implicit", tests, NULL, NULL);
}
