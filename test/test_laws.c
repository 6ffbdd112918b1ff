// SPDX-License-Identifier: MIT
//
// The laws of springs: the scalar functions against their derivatives and closed forms, Cooper and Maddock's element, and
// what must not depend on the law. Forces of whole networks are differentiated in test_terms.c.

#define RSL_PRECISION 64
#include "physics_fixture.h"

#include "backend.h"
#include "spring_law.h"
#include "team.h"

static const rslSpringLaw laws[] = { rsl_linearSpring, rsl_carrierSpring, rsl_cooperSpring };

// g(e) = e - ln(1 + e), against the library's in long double; relative, also where it is tiny.
static void TheLogarithmIsRight(void** state)
{
    (void)state;
    double worst = 0.0;
    for (int i = -4000; i <= 4000; ++i)
    {
        double size = exp(-30.0 + 0.0085 * abs(i));  // up to 50
        double e = i < 0 ? -size / (1.0 + size) : size;
        // for small e the series e^2/2 - e^3/3 + e^4/4 says more digits than the difference
        long double x = e, g = fabsl(x) > 1e-3L
                                   ? x - log1pl(x)
                                   : x * x * (0.5L - x / 3 + x * x / 4 - x * x * x / 5 + x * x * x * x / 6);
        double error = fabs((double)((LawCarrierEnergy(e) - g) / g));
        worst = error > worst ? error : worst;
    }
    print_message("e - ln(1 + e): %.2g\n", worst);
    assert_true(worst < 4e-15);
    assert_true(LawCarrierEnergy(0.0) == 0.0);
}

// T = dW/dL, T' = dT/dL, the pull of a drive = -dW/dN; at rest no tension and the slope k.
static void DerivativesAgree(void** state)
{
    (void)state;
    for (int law = 0; law < 3; ++law)
    {
        double c = LawCarrierShare(laws[law]), k = 300.0, n = 0.7, h = 1e-5;
        for (double l = 0.1; l < 2.0; l += 0.05)
        {
            double w[2], t[2], v[2];
            for (int s = 0; s < 2; ++s)
            {
                double x = l + (s == 0 ? -h : h), m = n + (s == 0 ? -h : h);
                w[s] = LawEnergy(c, k, n, x, x - n);
                t[s] = LawTension(c, k, n, x, x - n);
                v[s] = LawEnergy(c, k, m, l, l - m);
            }
            assert_close(LawTension(c, k, n, l, l - n), (w[1] - w[0]) / (2.0 * h), 1e-5 * k);
            assert_close(LawSlope(c, k, n, l), (t[1] - t[0]) / (2.0 * h), 1e-5 * k);
            assert_close(LawPull(c, k, n, l, l - n), -(v[1] - v[0]) / (2.0 * h), 1e-5 * k);
        }
        assert_true(LawTension(c, k, n, n, 0.0) == 0.0 && LawSlope(c, k, n, n) == k &&
                    LawEnergy(c, k, n, n, 0.0) == 0.0);
    }
}

static void LimitsAreThoseOfThePapers(void** state)
{
    (void)state;
    // a carrier pulls at most k N, and pushes without bound
    assert_close(LawTension(1.0, 5.0, 2.0, 2e9, 2e9 - 2.0), 10.0, 1e-7);
    assert_close(LawTension(1.0, 5.0, 2.0, 2e-9, 2e-9 - 2.0), -1e10, 100.0);
    // Cooper's f = k (x0^2 / x - x) with twice the stiffness at rest: x0 = 1, x = 1/2 gives 3/2 k
    assert_close(LawTension(0.5, 2.0, 1.0, 0.5, -0.5), -1.5, 1e-15);
    assert_close(LawEnergy(0.5, 2.0, 1.0, 0.5, -0.5), (0.25 - 1.0) / 2.0 + log(2.0), 1e-15);
}

// ---- in a network -----------------------------------------------------------------------------------------------------

// A = (0, 0), B = (1, 0), C anywhere; springs AC and BC at rest when C = (1, 1).
static rslModel* Element(rslSpringLaw law, double x, double y)
{
    const double nodes[9] = { 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, x, y, 0.0 };
    const double mass = 1.0, stiffness = law == rsl_cooperSpring ? 2.0 : 1.0, lengths[2] = { sqrt(2.0), 1.0 };
    const int springs[4] = { 0, 2, 1, 2 };
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "element";
    body.network.type = rsl_explicitNetwork;
    body.network.law = law;
    body.network.nodes = nodes;
    body.network.nodeCount = 3;
    body.network.masses = &mass;
    body.network.massCount = 1;
    body.network.springs = springs;
    body.network.springCount = 2;
    body.network.stiffness = &stiffness;
    body.network.stiffnessCount = 1;
    body.network.restLengths = lengths;
    body.network.restLengthCount = 2;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    return Built(&scene, NULL);
}

static rslVec3 NodeForce(const rslModel* model, rslPrecision precision, int node)
{
    const rslBackend* backend = rslBackend_For(precision);
    rslState* state = StateOf(model, precision);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    void* kernel = backend->create(model, rsl_positionVerlet, NULL, team);
    double forces[30];
    backend->forces(kernel, state, forces);
    backend->destroy(kernel);
    rslTeam_Free(team);
    rslState_Free(state);
    return (rslVec3){ forces[3 * node], forces[3 * node + 1], forces[3 * node + 2] };
}

// Cooper and Maddock's non-linear element (their eq. 4) and the linear one (eq. 3), with k = 1.
static void TheElementOfCooperAndMaddock(void** state)
{
    (void)state;
    static const double table[][6] = {
        { 0.5, 0.5, 1.0, 2.0, 0.292893218813, 0.707106781187 },
        { 1.0, 0.5, 0.6, 1.8, 0.264911064067, 0.632455532034 },
        { 1.5, 1.0, -0.676923076923, -0.584615384615, -0.376089593671, -0.321108268447 },
        { 0.6, 0.1, 0.690302066773, 0.928775834658, 0.224829164780, 0.275030902524 },
        { 2.0, 2.0, -2.3, -3.1, -1.552786404500, -2.105572809000 },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    {
        for (int p = 0; p < 4; ++p)
        {
            bool cooper = p < 2;
            rslPrecision precision = p % 2 == 0 ? rsl_double : rsl_single;
            double tolerance = precision == rsl_double ? 1e-11 : 2e-6;
            rslModel* model = Element(cooper ? rsl_cooperSpring : rsl_linearSpring, table[i][0], table[i][1]);
            rslVec3 force = NodeForce(model, precision, 2);
            assert_close(force.x, table[i][cooper ? 2 : 4], tolerance);
            assert_close(force.y, table[i][cooper ? 3 : 5], tolerance);
            rslModel_Free(model);
        }
    }
}

static double StableStep(const rslModel* model)
{
    rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
    rslSolver* solver = SolverOf(model, &def);
    double step = rslSolver_Stability(solver).stableStep;
    rslSolver_Free(solver);
    return step;
}

// At rest all laws are the same spring; the fingerprint knows them apart.
static void RestIsTheSame(void** state)
{
    (void)state;
    rslModel* model[3];
    rslShapeDef box = BoxShape(0.5, 0.3, 0.2);
    rslBodyDef bodies[2] = { GridBody("sheet", 0.5, 0.4, 5, 4), LatticeBody("block", &box, 0.1) };
    for (int kind = 0; kind < 2; ++kind)
    {
        for (int law = 0; law < 3; ++law)
        {
            bodies[kind].network.law = laws[law];
            rslScene scene = SceneOf(&bodies[kind], 1);
            model[law] = Built(&scene, NULL);
            assert_true((kind == 0 ? model[law]->bodies[0].network.law : model[law]->bodies[0].lattice.law) ==
                        laws[law]);
        }
        double step = StableStep(model[0]);
        assert_close(StableStep(model[1]), step, 1e-6 * step);
        assert_close(StableStep(model[2]), step, 1e-6 * step);
        assert_true(model[0]->fingerprint != model[1]->fingerprint && model[1]->fingerprint != model[2]->fingerprint);
        assert_true(model[0]->fingerprint != model[2]->fingerprint);
        for (int law = 0; law < 3; ++law)
        {
            rslModel_Free(model[law]);
        }
    }
}

// A mass on a spring, far from rest: energy is kept, and a carrier does not let it through.
static void EnergyIsKept(void** state)
{
    (void)state;
    for (int law = 0; law < 3; ++law)
    {
        const double nodes[6] = { 0.0, 0.0, 0.0, 0.4, 0.0, 0.0 };
        const double mass = 1.0, stiffness = 100.0, length = 1.0;
        const int springs[2] = { 0, 1 };
        rslBodyDef body = rslDefaultBodyDef();
        body.model.type = rsl_springModel;
        body.name = "pair";
        body.network.type = rsl_explicitNetwork;
        body.network.law = laws[law];
        body.network.nodes = nodes;
        body.network.nodeCount = 2;
        body.network.masses = &mass;
        body.network.massCount = 1;
        body.network.springs = springs;
        body.network.springCount = 1;
        body.network.stiffness = &stiffness;
        body.network.stiffnessCount = 1;
        body.network.restLengths = &length;
        body.network.restLengthCount = 1;
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        Run run = StartRun(&scene, SolverDef(rsl_velocityVerlet, 1e-4));
        rslEnergy first = rslSolver_Energy(run.solver, run.state);
        assert_close(first.springs, LawEnergy(LawCarrierShare(laws[law]), 100.0, 1.0, 0.4, -0.6), 1e-12);
        Step(&run, 20000);
        rslEnergy last = rslSolver_Energy(run.solver, run.state);
        assert_close(last.springs + last.kinetic, first.springs, 1e-5 * first.springs);
        EndRun(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TheLogarithmIsRight),
        cmocka_unit_test(DerivativesAgree),
        cmocka_unit_test(LimitsAreThoseOfThePapers),
        cmocka_unit_test(TheElementOfCooperAndMaddock),
        cmocka_unit_test(RestIsTheSame),
        cmocka_unit_test(EnergyIsKept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
