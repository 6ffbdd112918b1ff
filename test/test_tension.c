// SPDX-License-Identifier: MIT
//
// test_tension.c: bodies that are pulled: what they measure as against what was asked for.

#include "support.h"
#include "tension.h"

static rslStatus TryPull(const rslBodyDef* body, int axis, bool clamped, rslTension* tension, rslReport* report)
{
    rslScene scene = SceneOf(body, 1);
    rslTensionDef def = rslDefaultTensionDef();
    def.axis = axis;
    def.clamped = clamped;
    return rslTension_Pull(&scene, 0, &def, NULL, tension, report);
}

// E over what the material asks for; nu.
typedef struct Pull
{
    double young, poisson;
} Pull;

static Pull Pulled(const rslBodyDef* body, int axis, bool clamped)
{
    rslTension tension;
    rslReport report = { 0 };
    rslStatus status = TryPull(body, axis, clamped, &tension, &report);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    return (Pull){ tension.young / body->material.young, tension.poisson };
}

static double Error(Pull pull)
{
    return fmax(fabs(pull.young - 1.0), fabs(pull.poisson - 0.25));
}

// ---- tension: corner lattices are exact -----------------------------------------------------------------------------

// Ends that cut their cells at any place, of bricks and of springs; of two cells only nodes outside of the body are at an end.
// Bricks in a turned lattice are exact as well: no light node takes part in holding them.
static void TestCut(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(1.29, 0.44, 0.37);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    double springs = 0.0, bricks = 0.0, centred = 0.0;
    for (int test = 0; test < 12; ++test)
    {
        double nu = test < 6 ? 0.25 : 0.49;
        shape = test % 2 == 0 ? BoxShape(1.29, 0.44, 0.37) : BoxShape(0.65, 0.18, 0.12);
        body.model.type = test < 6 ? rsl_springModel : rsl_brickModel;
        body.material.poisson = nu;
        Pull pull = Pulled(&body, test / 2 % 3, false);
        double error = fmax(fabs(pull.young - 1.0), fabs(pull.poisson - nu));
        springs = test < 6 ? fmax(springs, error) : springs;
        bricks = test < 6 ? bricks : fmax(bricks, error);
    }
    body.network.construction = rsl_centredLattice;
    for (int test = 0; test < 6; ++test)
    {
        shape = test % 2 == 0 ? BoxShape(1.29, 0.4, 0.33) : BoxShape(0.65, 0.3, 0.2);
        Pull pull = Pulled(&body, test / 2, false);
        centred = Worse(centred, fmax(fabs(pull.young - 1.0), fabs(pull.poisson - 0.49)));
    }
    body.network.construction = rsl_cornerLattice;
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 33.0 };
    shape = BoxShape(1.4, 0.9, 0.9);
    double turned = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        Pull pull = Pulled(&body, axis, false);
        turned = Worse(turned, fmax(fabs(pull.young - 1.0), fabs(pull.poisson - 0.49)));
    }
    print_message("cut: springs %.2g, bricks %.2g, centred %.2g, turned %.2g\n", springs, bricks, centred, turned);
    assert_at_most(springs, 1e-6);
    assert_at_most(bricks, 1e-6);
    assert_at_most(centred, 1e-6);
    assert_at_most(turned, 1e-6);
}

static void TestCorner(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(1.2, 0.4, 0.5);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    double worst = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        worst = Worse(worst, Error(Pulled(&body, axis, false)));
    }
    // one cell, two cells; all or nothing where the box is not whole cells
    shape = BoxShape(0.1, 0.1, 0.1);
    worst = Worse(worst, Error(Pulled(&body, 1, false)));
    shape = BoxShape(0.2, 0.1, 0.1);
    worst = Worse(worst, Error(Pulled(&body, 0, false)));
    // cells that are cut: two planes of nodes are gripped at each end, one is left between them
    shape = BoxShape(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0);
    worst = Worse(worst, Error(Pulled(&body, 0, false)));
    body.network.antialias = false;
    shape = BoxShape(0.53, 0.32, 0.28);
    worst = Worse(worst, Error(Pulled(&body, 2, false)));
    // a box that is turned and moved, its lattice with it
    shape = BoxShape(0.4, 0.6, 0.5);
    body.network.antialias = true;
    body.network.orientation = shape.rotate = (rslRotationDef){ { 1.0, 2.0, -0.5 }, 37.0 };
    shape.translate = (rslVec3){ 3.0, -2.0, 10.0 };
    worst = Worse(worst, Error(Pulled(&body, 1, false)));
    assert_proved("corner lattice, uniaxial: error of E and nu", worst, 1e-6);
}

static void TestScales(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(0.8, 0.4, 0.5);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    double worst = 0.0;
    for (double young = 1.0; young < 2e12; young *= 1e3)
    {
        body.material.young = young;
        worst = Worse(worst, Error(Pulled(&body, 0, false)));
    }
    assert_proved("E from 1 Pa to 1e12 Pa: error of E and nu", worst, 1e-6);
    worst = 0.0;
    for (double scale = 1e-3; scale < 2e3; scale *= 1e3)
    {
        shape.scale = scale;
        body.network.spacing = 0.1 * scale;
        worst = Worse(worst, Error(Pulled(&body, 0, false)));
    }
    assert_proved("1/1000 to 1000 times the size: error of E and nu", worst, 1e-6);
    // a body that is not exact: the same wrong figure at every size
    double first = 0.0;
    for (double scale = 1e-3; scale < 2e3; scale *= 1e3)
    {
        shape.scale = scale;
        body.network.spacing = 0.13 * scale;
        double young = Pulled(&body, 0, false).young;
        first = first == 0.0 ? young : first;
        assert_close(young, first, 1e-8);
    }
}

// ---- tension: against the figures of elastic-networks A, B, G ---------------------------------------------------------

static void TestClamped(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(1.8, 0.6, 0.6);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    assert_close(Pulled(&body, 0, true).young, 1.017, 0.001);
}

static void TestCentred(void** context)
{
    (void)context;
    static const struct
    {
        double x, y, young, poisson;
    } row[] = {
        { 4.0, 1.5, 0.956, 0.259 }, { 2.4, 0.8, 0.916, 0.267 }, { 1.6, 0.4, 0.831, 0.291 }, { 1.6, 0.2, 0.670, 0.333 }
    };
    for (int i = 0; i < 4; ++i)
    {
        rslShapeDef shape = BoxShape(row[i].x, row[i].y, row[i].y);
        rslBodyDef body = LatticeBody("box", &shape, 0.1);
        body.network.construction = rsl_centredLattice;
        Pull pull = Pulled(&body, 0, false);
        assert_close(pull.young, row[i].young, 0.001);
        assert_close(pull.poisson, row[i].poisson, 0.003);
    }
}

static void TestAngles(void** context)
{
    (void)context;
    enum
    {
        COUNT = 30
    };
    rslShapeDef shape = BoxShape(5.0, 5.0, 5.0);
    rslBodyDef body = LatticeBody("box", &shape, 1.0);
    Random random = MakeRandom(7);
    double sum = 0.0, sum2 = 0.0, low = 1.0, high = 0.0;
    for (int i = 0; i < COUNT; ++i)
    {
        body.network.orientation = (rslRotationDef){ NextVec3(&random, 1.0), NextBetween(&random, 0.0, 180.0) };
        Pull pull = Pulled(&body, 1, false);
        sum += pull.young;
        sum2 += pull.young * pull.young;
        low = fmin(low, pull.poisson);
        high = Worse(high, pull.poisson);
    }
    double mean = sum / COUNT;
    assert_proved("anti-aliased 5x5x5 at 30 angles: mean E, distance from 0.965", fabs(mean - 0.965), 0.035);
    assert_proved("anti-aliased 5x5x5 at 30 angles: sd of E", sqrt(sum2 / COUNT - mean * mean), 0.03);
    assert_true(low > 0.22 && high < 0.26);
}

static void TestRandomNetwork(void** context)
{
    (void)context;
    static const double row[][3] = { { 1.62, 0.968, 0.02 }, { 1.80, 1.001, 0.025 } };  // maxL, E, scatter of seeds
    rslShapeDef shape = BoxShape(22.0, 9.0, 9.0);
    rslBodyDef body = LatticeBody("box", &shape, 1.0);
    body.network.type = rsl_randomNetwork;
    body.network.minLength = 0.8;
    body.network.count = (int)(1.29 * 22.0 * 81.0);
    for (int i = 0; i < 2; ++i)
    {
        body.network.maxLength = row[i][0];
        Pull pull = Pulled(&body, 0, false);
        assert_close(pull.young, row[i][1], row[i][2]);
        assert_close(pull.poisson, 0.2525, 0.0125);
    }
}

static void TestSheet(void** context)
{
    (void)context;
    static const rslSheetPattern patterns[] = { rsl_crossedPattern, rsl_hexagonalPattern };
    for (int i = 0; i < 4; ++i)
    {
        rslBodyDef body = GridBody("sheet", 2.0, 1.0, 12, 6);
        body.network.rotate = (rslRotationDef){ { 1.0, 1.0, 0.3 }, 50.0 };
        body.network.pattern = patterns[i / 2];
        Pull pull = Pulled(&body, i % 2, false);
        assert_close(pull.young, 1.0, 1e-8);
        assert_close(pull.poisson, 1.0 / 3.0, 1e-8);
    }
}

// ---- what cannot be pulled ------------------------------------------------------------------------------------------

static void TestRefused(void** context)
{
    (void)context;
    rslTension tension;
    rslReport report = { 0 };
    rslShapeDef ball = rslDefaultShapeDef();
    ball.type = rsl_sphereShape;
    ball.radius = 1.0;
    rslBodyDef body = LatticeBody("ball", &ball, 0.5);
    assert_int_equal(TryPull(&body, 0, false, &tension, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, body.place, "not a box"));
    body = GridBody("sheet", 2.0, 1.0, 4, 2);
    assert_int_equal(TryPull(&body, 2, false, &tension, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, body.place, "across its plane"));
}

static void TestOutOfMemory(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(2.0, 1.0, 1.0);
    rslBodyDef body = LatticeBody("box", &shape, 0.5);
    rslScene scene = SceneOf(&body, 1);
    rslTensionDef def = rslDefaultTensionDef();
    rslStatus status = rsl_outOfMemory;
    def.threads = 1;
    for (int failAt = 1; status != rsl_ok; ++failAt)
    {
        Heap heap = { .failAt = failAt };
        rslHooks hooks = HeapHooks(&heap);
        rslTension tension;
        status = rslTension_Pull(&scene, 0, &def, &hooks, &tension, NULL);
        assert_true(status == rsl_ok || status == rsl_outOfMemory);
        assert_int_equal(heap.live, 0);
        assert_true(failAt < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCorner),  cmocka_unit_test(TestScales),  cmocka_unit_test(TestClamped),
        cmocka_unit_test(TestCentred), cmocka_unit_test(TestAngles),  cmocka_unit_test(TestRandomNetwork),
        cmocka_unit_test(TestSheet),   cmocka_unit_test(TestRefused), cmocka_unit_test(TestOutOfMemory),
        cmocka_unit_test(TestCut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
