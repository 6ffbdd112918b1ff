// SPDX-License-Identifier: MIT
//
// test_repulsion.c: heights and their laws against published figures; the clamped barrier on pressed bodies, against differences;
// and that small strains know nothing of it.

#include "pressed_fixture.h"

#include "guard.h"

// ---- laws -----------------------------------------------------------------------------------------------------------

// Cooper and Maddock's law on the tetrahedron (0, e1, e2, e3) with vertex 3 moved to (0.3, 0.2, 0.4), k = 1.
static void CornerTetrahedron(void** unused)
{
    (void)unused;
    static const double expected[4][3] = { { -0.06703158, -0.11263158, -1.07498947 },
                                           { 0.36092336, 0.06092336, -0.9288458 },
                                           { 0.09194017, 0.20554017, -0.57787479 },
                                           { -0.38583195, -0.15383195, 2.58171006 } };
    const rslVec3 rest[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const rslVec3 x[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0.3, 0.2, 0.4 } };
    double h0[4], energy = 0.0, force[4][3] = { { 0 } };
    rslPiece_Heights(rsl_tetrahedron, rest, h0);
    assert_close(h0[0], 1.0 / sqrt(3.0), 1e-15);
    assert_true(h0[1] == 1.0 && h0[2] == 1.0 && h0[3] == 1.0);
    for (int v = 0; v < 4; ++v)
    {
        rslHeight height;
        rslPiece_Height(rsl_tetrahedron, x, v, &height);
        rslRepulsionResponse u = rslRepulsion_Evaluate(rsl_cooperRepulsion, 1.0, h0[v], height.h);
        energy += u.energy;
        for (int c = 0; c < 4; ++c)
        {
            force[c][0] -= u.force * height.lambda[c] * height.normal.x;
            force[c][1] -= u.force * height.lambda[c] * height.normal.y;
            force[c][2] -= u.force * height.lambda[c] * height.normal.z;
        }
    }
    assert_close(energy, 0.553331978860, 1e-12);
    for (int c = 0; c < 12; ++c)
    {
        assert_close(force[c / 3][c % 3], expected[c / 3][c % 3], 6e-9);
    }
}

// U' and U'' are slopes of U and U'; at rest Cooper's and the stiff law have 2 k; the clamp is smooth.
static void Laws(void** unused)
{
    (void)unused;
    const rslRepulsionType laws[3] = { rsl_clampedRepulsion, rsl_cooperRepulsion, rsl_stiffRepulsion };
    const double k = 7.0, h0 = 0.3;
    double worst = 0.0;
    for (int n = 0; n < 3 * 120; ++n)
    {
        double x = 0.02 + 0.0103 * (n % 120), h = x * h0, d = 1e-4 * h;
        rslRepulsionResponse u = rslRepulsion_Evaluate(laws[n / 120], k, h0, h);
        rslRepulsionResponse a = rslRepulsion_Evaluate(laws[n / 120], k, h0, h - d);
        rslRepulsionResponse b = rslRepulsion_Evaluate(laws[n / 120], k, h0, h + d);
        double scale = k * h0 + u.force, slope = k + u.slope;
        worst = Worse(worst, fabs((a.energy - b.energy) / (2.0 * d) - u.force) / scale);
        worst = Worse(worst, fabs((a.force - b.force) / (2.0 * d) - u.slope) / slope);
    }
    assert_proved("laws of repulsion against differences", worst, 1e-6);
    for (int l = 1; l < 3; ++l)
    {
        rslRepulsionResponse rest = rslRepulsion_Evaluate(laws[l], k, h0, h0);
        assert_close(rest.slope, 2.0 * k, 1e-14 * k);
        assert_close(rest.force, 0.0, 1e-15);
        assert_close(rest.energy, 0.0, 1e-15);
    }
    rslRepulsionResponse at = rslRepulsion_Evaluate(rsl_clampedRepulsion, k, h0, 0.5 * h0);
    rslRepulsionResponse below = rslRepulsion_Evaluate(rsl_clampedRepulsion, k, h0, 0.5 * h0 * (1.0 - 1e-9));
    assert_true(at.energy == 0.0 && at.force == 0.0 && at.slope == 0.0);
    assert_true(below.force > 0.0 && below.slope > 0.0 && below.slope < 1e-6 * k);
    for (int l = 0; l < 3; ++l)
    {
        assert_true(isinf(rslRepulsion_Evaluate(laws[l], k, h0, 0.0).energy));
        assert_true(isinf(rslRepulsion_Evaluate(laws[l], k, h0, -0.1).energy));
        assert_true(rslRepulsion_Evaluate(laws[l], k, h0, 1e-9).energy > 10.0 * k * h0 * h0);
    }
}

// ---- cells ----------------------------------------------------------------------------------------------------------

// The five tetrahedra fill a cell, and those of neighbours share the diagonals of the faces between them: each diagonal that an edge
// of a piece lies on is that of the even nodes.
static void Split(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.2);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.repulsion.type = rsl_clampedRepulsion;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    const rslRepulsion* repulsion = &model->bodies[0].repulsion;
    assert_int_equal(repulsion->count, 24);
    for (int e = 0; e < repulsion->count; ++e)
    {
        int nodes[8];
        double volume = 0.0;
        rslRepulsion_Nodes(repulsion, e, nodes);
        for (int p = 0; p < RSL_SPLIT; ++p)
        {
            rslVec3 x[4];
            for (int c = 0; c < 4; ++c)
            {
                int n = nodes[rslCellSplit[p][c]];
                double at[3];
                rslBody_Rest(&model->bodies[0], n, n + 1, at);
                x[c] = (rslVec3){ at[0], at[1], at[2] };
                // 5 x 4 x 3 nodes; the middle one lies on the even ones
                assert_true(p > 0 || (n % 5 + n / 5 % 4 + n / 20) % 2 == 0);
            }
            double one = rslPiece_Measure(rsl_tetrahedron, x);
            assert_close(one, (p == 0 ? 2.0 : 1.0) / 6.0 * 1e-3, 1e-15);
            volume += one;
        }
        assert_close(volume, 1e-3, 1e-15);
    }
    rslModel_Free(model);
}

// ---- the clamped barrier --------------------------------------------------------------------------------------------

// Along a random vector: energy against force, force against stiffness.
static void Barrier(void** unused)
{
    (void)unused;
    double worst[4] = { 0 };
    for (size_t n = 0; n < sizeof pressed / sizeof *pressed * Seeds(); ++n)
    {
        const Pressed* it = &pressed[n / Seeds()];
        Bench bench = BenchOf(BuildPressedBody(it, 0.1));
        Press(&bench, 0.35, 0.02, 1 + n);
        Random random = MakeRandom(100 + n);
        Vector p = MakeVector(&bench), f = MakeVector(&bench), kp = MakeVector(&bench), ends[2];
        double h = 4e-7, energy[2];
        Randomize(&bench, &p, 1.0, &random);
        for (int i = 0; bench.model->plane == rsl_planeXY && i < bench.model->nodeCount; ++i)
        {
            p.at[2][i] = 0.0;
        }
        ForceAt(&bench, &f);
        ProductAt(&bench, bench.term->stiffness, &p, &kp);
        for (int s = 0; s < 2; ++s)
        {
            ends[s] = MakeVector(&bench);
            for (int i = 0; i < 3 * bench.model->nodeCount; ++i)
            {
                bench.view.u[i % 3][i / 3] += (s == 0 ? h : -2.0 * h) * p.at[i % 3][i / 3];
            }
            energy[s] = EnergyAt(&bench);
            ForceAt(&bench, &ends[s]);
        }
        double work = Dot(&bench, &f, &p), push = sqrt(Dot(&bench, &f, &f) * Dot(&bench, &p, &p)), off = 0.0;
        double sums[6] = { 0 }, sizes = 0.0, most = Largest(&bench, &kp);
        assert_true(push > 0.0);
        for (int i = 0; i < bench.model->nodeCount; ++i)
        {
            double x[3], g[3];
            rslBody_Rest(&bench.model->bodies[0], i, i + 1, x);
            for (int a = 0; a < 3; ++a)
            {
                g[a] = f.at[a][i];
                x[a] += bench.view.u[a][i] + h * p.at[a][i];
                off = Worse(off, fabs((ends[1].at[a][i] - ends[0].at[a][i]) / (2.0 * h) - kp.at[a][i]));
                sums[a] += g[a];
                sizes += fabs(g[a]);
            }
            sums[3] += x[1] * g[2] - x[2] * g[1];
            sums[4] += x[2] * g[0] - x[0] * g[2];
            sums[5] += x[0] * g[1] - x[1] * g[0];
        }
        double gradient = fabs((energy[1] - energy[0]) / (2.0 * h) - work) / push;
        if (!(gradient <= 1e-6 && off <= 1e-6 * most))
        {
            print_error("%s: force %.2g, stiffness %.2g\n", it->name, gradient, off / most);
        }
        worst[0] = Worse(worst[0], gradient);
        worst[1] = Worse(worst[1], off / most);
        for (int a = 0; a < 3; ++a)
        {
            worst[2] = Worse(worst[2], fabs(sums[a]) / sizes);
            worst[3] = Worse(worst[3], fabs(sums[3 + a]) / (0.1 * sizes));
        }
        FreeVector(&p);
        FreeVector(&f);
        FreeVector(&kp);
        FreeVector(&ends[0]);
        FreeVector(&ends[1]);
        FreeBench(&bench);
    }
    assert_proved("clamped repulsion: force against differences of its energy", worst[0], 1e-6);
    assert_proved("clamped repulsion: stiffness against differences of its force", worst[1], 1e-6);
    assert_proved("clamped repulsion: sum of forces", worst[2], 1e-12);
    assert_proved("clamped repulsion: sum of torques", worst[3], 1e-12);
}

// ---- small strains --------------------------------------------------------------------------------------------------

static uint64_t HashAfter(rslRepulsionType type, rslPrecision precision, rslNetworkType network, double* step)
{
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.2);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    rslReport report = { 0 };
    rslSolver* solver = NULL;
    rslSolverDef def = rslDefaultSolverDef();
    body.network.type = network;
    body.repulsion.type = type;
    body.spin = (rslVec3){ 200.0, 100.0, 50.0 };
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, precision);
    def.precision = precision;
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_ok);
    assert_int_equal(rslSolver_Step(solver, state, 200), rsl_ok);
    *step = rslSolver_Stability(solver).step;
    uint64_t hash = rslState_Hash(state);
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return hash;
}

static void SmallStrain(void** unused)
{
    (void)unused;
    const rslNetworkType networks[2] = { rsl_latticeNetwork, rsl_tetrahedraNetwork };
    for (int n = 0; n < 4; ++n)
    {
        double on, off;
        rslPrecision precision = n % 2 == 0 ? rsl_single : rsl_double;
        uint64_t with = HashAfter(rsl_clampedRepulsion, precision, networks[n / 2], &on);
        assert_true(with == HashAfter(rsl_noRepulsion, precision, networks[n / 2], &off));
        assert_true(on == off);
    }
}

// ---- stiffness at rest ----------------------------------------------------------------------------------------------

// Energy of a uniform strain over that of the material, lam = mu = 2/5 E, of a block whose inner cells are as any: all terms together.
static double StrainEnergy(rslRepulsionType law, double share, const double strain[3][3])
{
    rslShapeDef shape = BoxShape(0.4, 0.4, 0.4);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.repulsion.type = law;
    body.repulsion.share = share;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    Bench bench = BenchOf(Built(&scene, NULL));
    double sum = 0.0, trace = strain[0][0] + strain[1][1] + strain[2][2], squares = 0.0;
    for (int i = 0; i < bench.model->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(&bench.model->bodies[0], i, i + 1, x);
        for (int a = 0; a < 3; ++a)
        {
            bench.view.u[a][i] = strain[a][0] * x[0] + strain[a][1] * x[1] + strain[a][2] * x[2];
        }
    }
    for (const Term* const* term = rslTerms64; *term != NULL; ++term)
    {
        bench.term = *term;
        sum += bench.term->present(bench.kernel) && bench.term->hasEnergy ? EnergyAt(&bench) : 0.0;
    }
    for (int c = 0; c < 9; ++c)
    {
        squares += strain[c / 3][c % 3] * strain[c / 3][c % 3];
    }
    double mu = 0.4 * body.material.young, volume = 0.064;
    FreeBench(&bench);
    return sum / (volume * mu * (0.5 * trace * trace + squares));
}

// Springs and repulsion together are the isotropic material.
static void Identified(void** unused)
{
    (void)unused;
    static const double e = 1e-6;
    const double strains[4][3][3] = { { { e } },
                                      { { e }, { 0, e }, { 0, 0, e } },
                                      { { 0, e, 0 }, { e, 0, 0 } },
                                      { { e, -e, 0 }, { -e, -2 * e, e }, { 0, e, 3 * e } } };
    double worst = 0.0;
    for (int n = 0; n < 8; ++n)
    {
        rslRepulsionType law = n < 4 ? rsl_cooperRepulsion : rsl_stiffRepulsion;
        worst = Worse(worst, fabs(StrainEnergy(law, n % 2 == 0 ? 0.2 : 0.37, strains[n % 4]) - 1.0));
    }
    assert_proved("energy of strained cells of springs and repulsion over that of the material", worst, 1e-5);
}

// What springs cannot make up for, and elements that are flat at rest.
static void WhatIsRefused(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    rslPlace place = { .line = 31, .column = 3 };
    body.repulsion.place = place;
    body.repulsion.type = rsl_stiffRepulsion;
    body.repulsion.stiffness = 1e9;
    Refused(&scene, place, "expected a share below 1, or a stiffness below");
    body.repulsion.share = 0.2;
    Refused(&scene, place, "expected one of them");
    body.repulsion.share = RSL_AUTO;
    body.model.type = rsl_brickModel;
    Refused(&scene, place, "expected 'share'");
    body.repulsion.stiffness = RSL_AUTO;
    body.repulsion.share = 0.6;
    body.material.poisson = 0.0;
    Refused(&scene, place, "nothing is left to resist swelling at Poisson's ratio 0; expected a share below 0.5");
    body.repulsion.share = 0.9;
    body.material.poisson = 0.45;
    Refused(&scene, place, "nothing is left to resist shear at Poisson's ratio 0.45; expected a share below 0.862");
    body.repulsion.share = 0.2;
    body.network.construction = rsl_centredLattice;
    Refused(&scene, place, "expected construction: corner");
    body.network.construction = rsl_cornerLattice;
    body.model.type = rsl_springModel;
    body.network.type = rsl_randomNetwork;
    body.network.minLength = 0.05;
    body.network.maxLength = 0.1;
    Refused(&scene, place, "has no triangles or tetrahedra that could repel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CornerTetrahedron), cmocka_unit_test(Laws),        cmocka_unit_test(Split),
        cmocka_unit_test(Barrier),           cmocka_unit_test(SmallStrain), cmocka_unit_test(Identified),
        cmocka_unit_test(WhatIsRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
