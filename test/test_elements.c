// SPDX-License-Identifier: MIT
//
// test_elements.c: finite elements: moduli, stiffness by numerical integration, bending, rotation, turning inside out, rest.
// Differences of their energy and forces, momentum and precision are in test_terms.c and test_forces.c.

#include "beam_fixture.h"
#include "hexahedron_books.h"
#include "elementary.h"
#include "state_internal.h"
#include "tension.h"
#include "vec.h"

#include "resilin/field.h"

typedef enum Kind
{
    TRIANGLES,
    TETRAHEDRA,
    TRILINEAR,
    INCOMPATIBLE,
    BRICKS,
    KINDS
} Kind;

static const char* const kindNames[KINDS] = { "triangles", "tetrahedra", "trilinear", "incompatible", "bricks" };

// A bar of 4 x 1 x 1, or a sheet of that size, with so many elements across.
static rslBodyDef BarOf(Kind kind, const rslShapeDef* shape, int across, double poisson, rslElementLaw law)
{
    rslBodyDef body = LatticeBody("bar", shape, 1.0 / across);
    if (kind == TRIANGLES)
    {
        body = GridBody("bar", 4.0, 1.0, 4 * across, across);
        body.network.pattern = rsl_alternatingPattern;
    }
    body.network.type = kind == TETRAHEDRA ? rsl_tetrahedraNetwork : body.network.type;
    body.material.poisson = poisson;
    body.model = (rslModelDef){ .type = kind == BRICKS ? rsl_brickModel : rsl_finiteModel,
                                .law = law,
                                .floor = 0.5,
                                .element = kind == TRILINEAR ? rsl_trilinearHexahedron : rsl_autoHexahedron };
    return body;
}

// ---- moduli -----------------------------------------------------------------------------------------------------------

static void Patch(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.5, 0.0, 0.25, 0.45 };
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    double worst = 0.0;
    for (int test = 0; test < KINDS * 4; ++test)
    {
        double nu = ratios[test % 4];
        rslBodyDef body = BarOf((Kind)(test / 4), &shape, 2, nu, (rslElementLaw)(test % rsl_elementLawCount));
        rslScene scene = SceneOf(&body, 1);
        rslTensionDef def = rslDefaultTensionDef();
        rslTension tension;
        rslReport report = { 0 };
        rslStatus status = rslTension_Pull(&scene, 0, &def, NULL, &tension, &report);
        PrintReport(&report);
        assert_int_equal(status, rsl_ok);
        worst = Worse(worst, fmax(fabs(tension.young / 1e5 - 1.0), fabs(tension.poisson - nu)));
        if (!(worst <= 1e-6))
        {
            print_error("%s, nu %g: E %g, nu %g\n", kindNames[test / 4], nu, tension.young, tension.poisson);
        }
    }
    assert_proved("elements: E and nu in tension", worst, 1e-6);
}

// ---- the matrix of a cube ---------------------------------------------------------------------------------------------

static void Matrix(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.6, 0.0, 0.3, 0.49 };
    rslShapeDef shape = BoxShape(0.3, 0.3, 0.3);
    static Books books;
    double x[8][3];
    for (int c = 0; c < 24; ++c)
    {
        x[c / 3][c % 3] = c / 3 >> c % 3 & 1 ? 0.15 : -0.15;
    }
    double worst = 0.0;
    for (int test = 0; test < 24; ++test)
    {
        bool incompatible = test % 2 != 0;
        double nu = ratios[test / 2 % 4];
        rslBodyDef body = LatticeBody("cube", &shape, 0.3);
        body.material.poisson = nu;
        body.model = (rslModelDef){ .type = rsl_finiteModel,
                                    .law = (rslElementLaw)(test / 8),
                                    .element = incompatible ? rsl_incompatibleHexahedron : rsl_trilinearHexahedron };
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        Integrate(x, 1e5, nu, incompatible, &books);
        worst = Worse(worst, StiffnessError(model, &books));
        rslModel_Free(model);
    }
    assert_proved("hexahedra: stiffness at rest against numerical integration", worst, 1e-13);
}

// ---- bending ------------------------------------------------------------------------------------------------------------

static Beam Bend(Kind kind, int across, double nu, rslElementLaw law, double gravity)
{
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    rslBodyDef body = BarOf(kind, &shape, across, nu, law);
    return BendBody(&body, gravity);
}

static void Bending(void** unused)
{
    (void)unused;
    // nu, trilinear at 2 and 4 cells across as an independent reference has them, over its nodes
    static const double table[][3] = { { 0.10, 0.054, 0.014 }, { 0.25, 0.060, 0.016 }, { 0.45, 0.140, 0.053 } };
    double gravity = 1e-4;
    for (int t = Proving() ? 0 : 1; t < (Proving() ? 3 : 2); ++t)
    {
        static rslVec3 fine[2][MOST], coarse[MOST];
        Beam reference = Bend(INCOMPATIBLE, 8, table[t][0], rsl_linearElement, gravity);
        Sample(&reference, 8, 2, fine[0]);
        Sample(&reference, 8, 4, fine[1]);
        FreeBeam(&reference);
        for (int n = 0; n < 6; ++n)
        {
            int across = n % 2 == 0 ? 2 : 4;
            Kind kind = (Kind)(TRILINEAR + n / 2);
            Beam beam = Bend(kind, across, table[t][0], rsl_linearElement, gravity);
            int count = Sample(&beam, across, across, coarse);
            double error = MeanError(coarse, fine[n % 2], count);
            print_message("nu %.2f, %s, %d across: %.2f %%\n", table[t][0], kindNames[kind], across, 100.0 * error);
            if (n < 2)
            {
                assert_close(error, table[t][1 + n], 0.05 * table[t][1 + n]);
            }
            else
            {
                assert_at_most(error, across == 2 ? 0.05 : 0.015);
            }
            FreeBeam(&beam);
        }
    }
}

// A bar whose tip turns by a radian and more: the laws agree while strains are small, the linear one is off.
static void LargeTurn(void** unused)
{
    (void)unused;
    rslVec3 at[rsl_elementLawCount];
    for (int law = 0; law < rsl_elementLawCount; ++law)
    {
        Beam beam = Bend(INCOMPATIBLE, 4, 0.3, (rslElementLaw)law, 0.6);
        rslVec3 moved[MOST];
        assert_int_equal(beam.rest.outcome, rsl_restFound);
        Sample(&beam, 4, 2, moved);
        at[law] = moved[39];  // in the middle of the end
        FreeBeam(&beam);
    }
    rslVec3 corotated = at[rsl_corotationalElement], hyper = at[rsl_neoHookeanElement], linear = at[rsl_linearElement];
    print_message("tip: corotational %.3f %.3f, neo-Hookean %.3f %.3f, linear %.3f %.3f\n", corotated.x, corotated.z,
                  hyper.x, hyper.z, linear.x, linear.z);
    assert_true(corotated.z < -1.5 && corotated.x < -0.4);
    assert_at_most(rslLength(rslSub(corotated, hyper)), 0.01 * rslLength(hyper));
    assert_close(linear.x, 0.0, 1e-9);
}

// ---- rotation -------------------------------------------------------------------------------------------------------------

static void Rotation(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    for (int test = 0; test < 2 * KINDS; ++test)
    {
        rslElementLaw law = test % 2 == 0 ? rsl_corotationalElement : rsl_neoHookeanElement;
        rslBodyDef body = BarOf((Kind)(test / 2), &shape, 2, 0.3, law);
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        rslModel* model = Built(&scene, NULL);
        rslState* state = StateOf(model, rsl_double);
        rslSolverDef def = SolverDef(rsl_velocityVerlet, 1e-4);
        rslSolver* solver = SolverOf(model, &def);
        for (int turn = 1; turn <= 4; ++turn)
        {
            rslMat3 q = rslQuatMatrix(rslQuatFromDegrees((rslVec3){ 1.0, 2.0, -0.5 }, 55.0 * turn));
            for (int i = 0; i < model->nodeCount; ++i)
            {
                double x[3];
                rslBody_Rest(&model->bodies[0], i, i + 1, x);
                rslVec3 rest = { x[0], x[1], x[2] }, moved = rslSub(rslMatVec(&q, rest), rest);
                ((double*)state->displacement[0])[i] = moved.x;
                ((double*)state->displacement[1])[i] = moved.y;
                ((double*)state->displacement[2])[i] = moved.z;
            }
            rslEnergy energy = rslSolver_Energy(solver, state);
            double* forces = calloc(3 * (size_t)model->nodeCount, sizeof(double));
            assert_non_null(forces);
            rslSolver_Fields(solver, state, forces, NULL, NULL);
            double largest = 0.0;
            for (int i = 0; i < 3 * model->nodeCount; ++i)
            {
                largest = Worse(largest, fabs(forces[i]));
            }
            free(forces);
            assert_at_most(fabs(energy.springs), 1e-9);
            assert_at_most(largest, 1e-9 * 1e5);
        }
        rslSolver_Free(solver);
        rslState_Free(state);
        rslModel_Free(model);
    }
}

// ---- inside out -----------------------------------------------------------------------------------------------------------

// A node pushed right through the bar turns its elements inside out; let go, all is as before.
static void InsideOut(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    static const Kind kinds[] = { TETRAHEDRA, INCOMPATIBLE, BRICKS };
    for (int test = 0; test < 6; test += Sanitized() ? 3 : 1)
    {
        rslElementLaw law = test % 2 == 0 ? rsl_neoHookeanElement : rsl_corotationalElement;
        rslBodyDef body = BarOf(kinds[test / 2], &shape, 2, 0.3, law);
        body.material.stiffnessDamping = 0.02;
        body.material.massDamping = 4.0;
        body.repulsion.type = rsl_noRepulsion;
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        rslModel* model = Built(&scene, NULL);
        rslState* state = StateOf(model, rsl_double);
        rslSolverDef def = SolverDef(rsl_symplecticEuler, 1e-3);
        rslSolver* solver = SolverOf(model, &def);
        double x[3];
        int node = -1;
        for (int i = 0; i < model->nodeCount && node < 0; ++i)
        {
            rslState_Positions(model, state, i, i + 1, x);
            node = fabs(x[0]) < 0.3 && x[1] > 0.4 && x[2] > 0.4 ? i : -1;
        }
        assert_true(node >= 0);
        ((double*)state->displacement[1])[node] = -0.9;
        ((double*)state->displacement[2])[node] = -0.9;
        double start = rslSolver_Energy(solver, state).springs;
        assert_int_equal(rslSolver_Step(solver, state, 3000), rsl_ok);
        double left = rslSolver_Energy(solver, state).springs;
        print_message("%s, law %d: %.3g J, then %.3g J\n", kindNames[kinds[test / 2]], (int)law, start, left);
        assert_at_most(left, 1e-6 * start);
        rslSolver_Free(solver);
        rslState_Free(state);
        rslModel_Free(model);
    }
}

// ---- motion ---------------------------------------------------------------------------------------------------------------

// A stretched, spinning bar in free flight.
static void Flight(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    for (int test = 0; test < 4; ++test)
    {
        rslBodyDef body =
            BarOf((Kind)(test + 1), &shape, 2, 0.3, test == 1 ? rsl_corotationalElement : rsl_neoHookeanElement);
        body.spin = (rslVec3){ 100.0, 40.0, -60.0 };
        body.velocity = (rslVec3){ 1.0, 2.0, 3.0 };
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        rslModel* model = Built(&scene, NULL);
        rslState* state = StateOf(model, rsl_double);
        rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
        def.fraction = 0.25;
        rslSolver* solver = SolverOf(model, &def);
        for (int i = 0; i < model->nodeCount; ++i)
        {
            double x[3];
            rslBody_Rest(&model->bodies[0], i, i + 1, x);
            ((double*)state->displacement[0])[i] = 0.15 * x[0];
        }
        rslMotion before = rslSolver_Motion(solver, state, 0);
        double total = rslSolver_Energy(solver, state).total;
        assert_int_equal(rslSolver_Step(solver, state, 2000), rsl_ok);
        rslMotion after = rslSolver_Motion(solver, state, 0);
        double momentum = rslLength(rslSub(after.momentum, before.momentum)) / rslLength(before.momentum);
        double size = rslLength(before.angularMomentum);
        double turning = rslLength(rslSub(after.angularMomentum, before.angularMomentum)) / size;
        double drift = fabs(rslSolver_Energy(solver, state).total / total - 1.0);
        print_message("momentum %.2g, angular %.2g, energy %.2g\n", momentum, turning, drift);
        assert_at_most(momentum, 1e-12);
        assert_at_most(turning, 1e-11);
        assert_at_most(drift, 4e-3);
        rslSolver_Free(solver);
        rslState_Free(state);
        rslModel_Free(model);
    }
}

// ---- rest and read-outs -----------------------------------------------------------------------------------------------------

static void Iterations(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    static const Kind kinds[] = { INCOMPATIBLE, TETRAHEDRA, BRICKS };
    for (int test = 0; test < 6; ++test)
    {
        double nu = test % 2 == 0 ? 0.25 : 0.45;
        bool lattice = kinds[test / 2] != TETRAHEDRA;
        Beam beam = Bend(kinds[test / 2], Proving() ? 8 : 5, nu, rsl_linearElement, 1e-4);
        print_message("nu %.2f, %s: %d iterations, %s\n", nu, kindNames[kinds[test / 2]], beam.rest.iterations,
                      beam.rest.preconditioner);
        assert_int_equal(beam.rest.outcome, rsl_restFound);
        assert_at_most(beam.rest.newtonSteps, 4);
        assert_at_most(beam.rest.iterations, lattice ? 30 : 60);
        assert_string_equal(beam.rest.preconditioner, lattice ? "multigrid" : "smoothed aggregation");
        FreeBeam(&beam);
    }
}

// Uniform strain has uniform stress at all nodes; the automatic ground is a third of the trace of K.
static void Nodes(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    for (int kind = 0; kind < KINDS; ++kind)
    {
        double nu = 0.3, e = 1e-6, lambda = 1e5 * nu / (1.3 * (kind == TRIANGLES ? 0.7 : 0.4)), mu = 1e5 / 2.6;
        rslBodyDef body = BarOf((Kind)kind, &shape, 2, nu, rsl_corotationalElement);
        rslScene scene = SceneOf(&body, 1);
        scene.ground = rslDefaultGroundDef();
        scene.ground.point = (rslVec3){ 0.0, 0.0, -10.0 };
        rslModel* model = Built(&scene, NULL);
        rslState* state = StateOf(model, rsl_double);
        rslSolverDef def = SolverDef(rsl_velocityVerlet, 1e-4);
        rslSolver* solver = SolverOf(model, &def);
        rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
        void* kernel = rslBackend64.create(model, rsl_static, NULL, team);
        double(*blocks)[6] = calloc((size_t)model->nodeCount, sizeof *blocks);
        rslSymmetric* stress = calloc((size_t)model->nodeCount, sizeof *stress);
        double* modulus = calloc((size_t)model->nodeCount, sizeof *modulus);
        assert_true(blocks != NULL && stress != NULL && modulus != NULL);
        rslBackend64.diagonal(kernel, state, blocks);
        rslModel_NodeModulus(model, modulus);
        for (int i = 0; i < model->nodeCount; ++i)
        {
            double x[3], trace = blocks[i][0] + blocks[i][1] + blocks[i][2];
            assert_close(3.0 * model->colliders[0].stiffness[i], trace, 1e-9 * trace);
            assert_close(modulus[i], 1e5 / (kind == TRIANGLES ? 1.4 : 1.2), 1e-9 * 1e5);
            rslBody_Rest(&model->bodies[0], i, i + 1, x);
            ((double*)state->displacement[0])[i] = e * x[0];
        }
        assert_int_equal(rslSolver_NodeStress(solver, state, stress), rsl_ok);
        for (int i = 0; i < model->nodeCount; ++i)
        {
            assert_close(stress[i].xx, (lambda + 2.0 * mu) * e, 1e-5 * 1e5 * e);
            assert_close(stress[i].yy, lambda * e, 1e-5 * 1e5 * e);
            assert_close(stress[i].xy, 0.0, 1e-5 * 1e5 * e);
        }
        free(modulus);
        free(stress);
        free(blocks);
        rslBackend64.destroy(kernel);
        rslTeam_Free(team);
        rslSolver_Free(solver);
        rslState_Free(state);
        rslModel_Free(model);
    }
}

// What physics depends on is in the fingerprint.
static void Fingerprints(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    uint64_t seen[6];
    for (int test = 0; test < 6; ++test)
    {
        rslBodyDef body = BarOf(test == 3 ? TRILINEAR : INCOMPATIBLE, &shape, 2, test == 4 ? 0.31 : 0.3,
                                (rslElementLaw)(test % rsl_elementLawCount));
        body.model.type = test == 5 ? rsl_springModel : rsl_finiteModel;
        rslScene scene = SceneOf(&body, 1);
        CheckNewFingerprint(&scene, seen, test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Patch),        cmocka_unit_test(Matrix),     cmocka_unit_test(Bending),
        cmocka_unit_test(LargeTurn),    cmocka_unit_test(Rotation),   cmocka_unit_test(InsideOut),
        cmocka_unit_test(Flight),       cmocka_unit_test(Iterations), cmocka_unit_test(Nodes),
        cmocka_unit_test(Fingerprints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
