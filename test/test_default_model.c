// SPDX-License-Identifier: MIT
//
// test_default_model.c: what `model: auto` takes, and how well a lattice bends and rings with it.
//
// Reference: hexahedra with incompatible modes, with eight cells across; frequencies extrapolated from four and eight.

#include "beam_fixture.h"

#include "resilin/modes.h"

// ---- the choice -------------------------------------------------------------------------------------------------------

static rslModelType Choice(const rslBodyDef* body)
{
    rslScene scene = SceneOf(body, 1);
    return rslScene_ChooseModel(&scene, body);
}

static void Chooses(void** unused)
{
    (void)unused;
    rslShapeDef box = BoxShape(1.0, 1.0, 1.0);
    rslBodyDef body = LatticeBody("body", &box, 0.1);
    assert_int_equal(Choice(&body), rsl_springModel);  // as the fixture says
    body.model = rslDefaultModelDef();
    for (int n = 0; n < 3; ++n)
    {
        body.material.poisson = 0.25 * n - 0.2;
        assert_int_equal(Choice(&body), rsl_brickModel);
    }
    rslBodyDef other = body;
    other.network.shells = rsl_shellsAC;
    assert_int_equal(Choice(&other), rsl_dispersionModel);
    other = body;
    other.network.construction = rsl_centredLattice;
    assert_int_equal(Choice(&other), rsl_dispersionModel);
    other.network.type = rsl_hexahedraNetwork;
    assert_int_equal(Choice(&other), rsl_finiteModel);
    other.network.type = rsl_explicitNetwork;
    assert_int_equal(Choice(&other), rsl_springModel);
    other = body;
    rslOrthotropicDef moduli = { .young = { 1e5, 1e5, 1e5 }, .shear = { 4e4, 4e4, 4e4 } };
    other.material.orthotropic = &moduli;
    assert_int_equal(Choice(&other), rsl_springModel);
    other = body;
    other.network.law = rsl_carrierSpring;
    assert_int_equal(Choice(&other), rsl_dispersionModel);
    other.material.poisson = 0.25;
    assert_int_equal(Choice(&other), rsl_springModel);
    other = body;
    other.network.type = rsl_randomNetwork;
    assert_int_equal(Choice(&other), rsl_dispersionModel);
    other.material.poisson = 0.252;
    assert_int_equal(Choice(&other), rsl_springModel);
    other.network.type = rsl_sheetNetwork;
    assert_int_equal(Choice(&other), rsl_angleModel);
    rslRegionDef region = { .material = other.material };
    other.regions = &region;
    other.regionCount = 1;
    assert_int_equal(Choice(&other), rsl_springModel);
    other.regionCount = 0;
    other.material.poisson = 1.0 / 3.0;
    assert_int_equal(Choice(&other), rsl_springModel);
    rslDriveDef drive = rslDefaultDriveDef();
    rslScene scene = SceneOf(&body, 1);
    scene.drives = &drive;
    scene.driveCount = 1;
    assert_int_equal(rslScene_ChooseModel(&scene, &body), rsl_dispersionModel);
}

// Every body says what was chosen, and meets E and nu.
static void Builds(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.33, 0.21, 0.2);
    rslBodyDef body = LatticeBody("body", &shape, 0.05);
    body.model = rslDefaultModelDef();
    body.material.poisson = 0.4;
    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    rslModel* model = Built(&scene, &report);
    assert_int_equal(report.count, 0);
    assert_int_equal(model->bodies[0].model, rsl_brickModel);
    assert_close(model->bodies[0].young, body.material.young, 1e-9 * body.material.young);
    assert_close(model->bodies[0].poisson, 0.4, 1e-12);
    assert_close(model->bodies[0].mass, 0.33 * 0.21 * 0.2 * 1000.0, 1e-9);
    rslModel_Free(model);
}

// ---- a cantilever 4 x 1 x 1 -------------------------------------------------------------------------------------------

static void Bends(void** unused)
{
    (void)unused;
    static const double bars[2][3] = { { 0.25, 0.015, 0.006 }, { 0.45, 0.04, 0.015 } };
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    for (int t = 0; t < (Proving() ? 2 : 1); ++t)
    {
        static rslVec3 fine[MOST], coarse[MOST];
        rslBodyDef body = LatticeBody("bar", &shape, 1.0 / 8.0);
        body.material.poisson = bars[t][0];
        body.model = (rslModelDef){ .type = rsl_finiteModel, .law = rsl_linearElement };
        Beam reference = BendBody(&body, 1e-6);
        for (int across = 2; across <= 4; across *= 2)
        {
            char what[96];
            Sample(&reference, 8, across, fine);
            body.network.spacing = 1.0 / across;
            body.model = rslDefaultModelDef();
            Beam beam = BendBody(&body, 1e-6);
            snprintf(what, sizeof what, "cantilever %dx%dx%d, default model, nu %.2f: mean error over max deflection",
                     4 * across, across, across, bars[t][0]);
            assert_proved(what, MeanError(coarse, fine, Sample(&beam, across, across, coarse)),
                          bars[t][across == 2 ? 1 : 2]);
            FreeBeam(&beam);
        }
        FreeBeam(&reference);
    }
}

enum
{
    RING = 8
};

static void Ring(double nu, int across, rslModelDef kind, double frequency[RING])
{
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    rslBodyDef body = LatticeBody("bar", &shape, 1.0 / across);
    body.material.poisson = nu;
    body.model = kind;
    rslConstraintDef pin;
    rslScene scene = CantileverOf(&body, &pin, -1.5 + 1e-6);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModesDef def = rslDefaultModesDef();
    rslModes* modes = NULL;
    def.count = RING;
    def.threads = 2;
    assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, NULL), rsl_ok);
    for (int m = 0; m < RING; ++m)
    {
        frequency[m] = modes->frequency[m];
    }
    rslModes_Free(modes);
    rslState_Free(state);
    rslModel_Free(model);
}

// All modes are told; the first bending has a bar at nu = 1/4.
static void Rings(void** unused)
{
    (void)unused;
    static const double ratios[] = { 0.25, -0.5, 0.0, 0.45 }, bars[] = { 0.015, 0.005, 0.003 };
    for (int t = 0; t < (Proving() ? 4 : 1); ++t)
    {
        rslModelDef exact = { .type = rsl_finiteModel, .element = rsl_incompatibleHexahedron };
        double four[RING], eight[RING], ours[RING], cubes[RING];
        Ring(ratios[t], 4, exact, four);
        Ring(ratios[t], 8, exact, eight);
        for (int n = 0; n < (Proving() ? 3 : 2); ++n)
        {
            char what[96];
            Ring(ratios[t], 2 << n, rslDefaultModelDef(), ours);
            Ring(ratios[t], 2 << n, exact, cubes);
            print_message("nu %5.2f, %d across, ours and incompatible cubes:", ratios[t], 2 << n);
            for (int m = 0; m < RING; ++m)
            {
                double reference = eight[m] + (eight[m] - four[m]) / 3.0;
                print_message(" %+.2f %+.2f %%,", 100.0 * (ours[m] / reference - 1.0),
                              100.0 * (cubes[m] / reference - 1.0));
            }
            print_message("\n");
            double first = eight[0] + (eight[0] - four[0]) / 3.0;
            snprintf(what, sizeof what, "f1 of the cantilever, default model, nu 0.25, %d cells across", 2 << n);
            if (t == 0)
            {
                assert_proved(what, fabs(ours[0] / first - 1.0), bars[n]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Chooses),
        cmocka_unit_test(Builds),
        cmocka_unit_test(Bends),
        cmocka_unit_test(Rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
