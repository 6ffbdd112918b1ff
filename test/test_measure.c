// SPDX-License-Identifier: MIT
//
// test_measure.c: bodies in the testing machine: moduli, bending and ringing against what was asked for.

#include "support.h"
#include "free_box.h"
#include "moduli.h"
#include "tension.h"

// ---- the machine ------------------------------------------------------------------------------------------------------

static rslMeasurements* Measured(const rslBodyDef* body, unsigned tests, rslSpecimenChoice specimen)
{
    rslScene scene = SceneOf(body, 1);
    rslMeasureDef def = rslDefaultMeasureDef();
    rslMeasurements* found = NULL;
    rslReport report = { 0 };
    def.tests = tests;
    def.specimen = specimen;
    rslStatus status = rslMeasure_Run(&scene, 0, &def, NULL, &found, &report);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    return found;
}

static const rslMeasurement* Row(const rslMeasurements* found, const char* quantity)
{
    const rslMeasurement* row = rslMeasurements_Find(found, quantity);
    if (row == NULL)
    {
        print_error("%s was not measured\n", quantity);
    }
    assert_non_null(row);
    return row;
}

// The largest error of some quantities.
static double WorstError(const rslMeasurements* found, const char* const* quantities)
{
    double worst = 0.0;
    for (; *quantities != NULL; ++quantities)
    {
        worst = Worse(worst, fabs(Row(found, *quantities)->error));
    }
    return worst;
}

static const char* const bulkNames[] = { "G_yz", "G_zx", "G_xy", "K", "zener", "E_worst", NULL };

// A corner lattice of whole cells, a centred one and one at any angle are the isotropic material inside.
static void TestBulk(void** context)
{
    (void)context;
    const unsigned tests = rsl_shearTest | rsl_inflationTest;
    rslShapeDef shape = BoxShape(0.8, 0.5, 0.6);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    rslMeasurements* found = Measured(&body, tests, rsl_anySpecimen);
    assert_false(found->block);
    assert_at_most(WorstError(found, bulkNames), 1e-8);
    rslMeasurements_Free(found);
    body.network.construction = rsl_centredLattice;
    found = Measured(&body, tests, rsl_anySpecimen);
    assert_at_most(WorstError(found, bulkNames), 1e-8);
    rslMeasurements_Free(found);
    body.network.construction = rsl_cornerLattice;
    Random random = MakeRandom(3);
    double worst = 0.0;
    for (int i = 0; i < 5; ++i)
    {
        body.network.orientation = (rslRotationDef){ NextVec3(&random, 1.0), NextBetween(&random, 0.0, 180.0) };
        found = Measured(&body, tests, rsl_anySpecimen);
        worst = Worse(worst, WorstError(found, bulkNames));
        rslMeasurements_Free(found);
    }
    assert_proved("lattice at any orientation, inside: error of G, K, Zener's ratio, E of any direction", worst, 1e-6);
}

// Springs have nu = 1/4; another one is not met, and said so.
static void TestHonest(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.material.poisson = 0.4;
    rslMeasurements* found = Measured(&body, rsl_tensionTest | rsl_inflationTest, rsl_anySpecimen);
    assert_close(Row(found, "nu_x")->ours, 0.25, 1e-8);
    assert_close(Row(found, "nu_x")->error, 0.25 / 0.4 - 1.0, 1e-8);
    assert_close(Row(found, "K")->target, 1e5 / 0.6, 1e-6);
    assert_close(Row(found, "K")->error, 0.4 - 1.0, 1e-8);
    rslMeasurements_Free(found);
}

// The inner nodes of a centred bar of 3 x 3 cells are in a line: they tell no strain across it.
static void TestInnerLine(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(1.0, 0.3, 0.3);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.network.construction = rsl_centredLattice;
    rslScene scene = SceneOf(&body, 1);
    rslMeasureDef def = rslDefaultMeasureDef();
    rslMeasurements* found = NULL;
    rslReport report = { 0 };
    def.tests = rsl_tensionTest | rsl_shearTest | rsl_inflationTest;
    assert_int_equal(rslMeasure_Run(&scene, 0, &def, NULL, &found, &report), rsl_ok);
    assert_true(HasMessage(&report, rsl_warning, body.place, "too few nodes"));
    assert_true(isfinite(Row(found, "E_x")->ours));
    assert_null(rslMeasurements_Find(found, "K"));
    rslMeasurements_Free(found);
}

// Columns of a lattice of shells A and C slide at no cost: it is not pulled with free sides, but has its moduli all the same.
enum
{
    SIDE = 4,  // cubes along each axis
    NODES = (SIDE + 1) * (SIDE + 1) * (SIDE + 1),
    TETS = 6 * SIDE * SIDE * SIDE
};

static int CubeNode(int i, int j, int k)
{
    return i + (SIDE + 1) * (j + (SIDE + 1) * k);
}

// Cubes cut into six tetrahedra that share the diagonal (1, 1, 1): from its start to its end along the axes in any order.
static rslBodyDef CutCubes(double nodes[3 * NODES], int tets[4 * TETS])
{
    static const int order[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    for (int n = 0; n < NODES; ++n)
    {
        nodes[3 * n] = 0.1 * (n % (SIDE + 1));
        nodes[3 * n + 1] = 0.1 * (n / (SIDE + 1) % (SIDE + 1));
        nodes[3 * n + 2] = 0.1 * (n / ((SIDE + 1) * (SIDE + 1)));
    }
    for (int t = 0; t < TETS; ++t)
    {
        int cube = t / 6, at[3] = { cube % SIDE, cube / SIDE % SIDE, cube / (SIDE * SIDE) };
        tets[4 * t] = CubeNode(at[0], at[1], at[2]);
        for (int c = 1; c < 4; ++c)
        {
            at[order[t % 6][c - 1]] += 1;
            tets[4 * t + c] = CubeNode(at[0], at[1], at[2]);
        }
    }
    body.name = "cut";
    body.network.type = rsl_tetrahedraNetwork;
    body.network.nodes = nodes;
    body.network.nodeCount = NODES;
    body.network.tetrahedra = tets;
    body.network.tetrahedronCount = TETS;
    body.material = (rslMaterialDef){ .young = 1e5, .poisson = 0.25, .density = 1000.0 };
    return body;
}

// The worst direction turns with the body. There are three alike about the shared diagonal: their angle with it is compared.
static void TestWorst(void** context)
{
    (void)context;
    static double nodes[3 * NODES];
    static int tets[4 * TETS];
    double along[2];
    for (int turned = 0; turned < 2; ++turned)
    {
        rslBodyDef body = CutCubes(nodes, tets);
        body.network.rotate = (rslRotationDef){ { 0.2, -0.7, 1.0 }, turned ? 33.0 : 0.0 };
        rslMeasurements* found = Measured(&body, rsl_shearTest, rsl_bodySpecimen);
        rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees(body.network.rotate.axis, body.network.rotate.angle));
        rslVec3 worst = { Row(found, "worst_x")->ours, Row(found, "worst_y")->ours, Row(found, "worst_z")->ours };
        rslVec3 own = rslMatTVec(&turn, worst);
        along[turned] = fabs(own.x + own.y + own.z);
        assert_true(fabs(Row(found, "E_worst")->error) > 0.2);
        rslMeasurements_Free(found);
    }
    assert_close(along[0], along[1], 1e-4);
}

// Moduli along the axes of the lattice, which lie otherwise in the box: z, x, y of the lattice are x, y, z of the box.
static void TestAxes(void** context)
{
    (void)context;
    static const rslOrthotropicDef axes = { .young = { 1e5, 2e5, 1.5e5 }, .shear = { 4e4, 5e4, 6e4 } };
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.material = (rslMaterialDef){ .young = NAN, .poisson = NAN, .density = 1000.0, .orthotropic = &axes };
    body.network.orientation = (rslRotationDef){ { 1.0, 1.0, 1.0 }, 120.0 };
    rslMeasurements* found = Measured(&body, rsl_allTests & ~(unsigned)rsl_ringingTest, rsl_bodySpecimen);
    assert_close(Row(found, "E_x")->target, 1.5e5, 1e-6 * 1.5e5);
    assert_close(Row(found, "E_y")->target, 1e5, 1e-6 * 1e5);
    assert_close(Row(found, "G_zx")->target, 4e4, 1e-6 * 4e4);
    for (int i = 0; i < found->count; ++i)
    {
        const rslMeasurement* row = &found->list[i];
        bool isotropic = strcmp(row->quantity, "zener") == 0 || strcmp(row->quantity, "bending") == 0;
        assert_true(isotropic ? isnan(row->target) : fabs(row->error) < 2e-6);
    }
    rslMeasurements_Free(found);
}

// A core along the whole box, ten times as stiff, of the same Poisson's ratio: E along it is the mean over the section.
static void TestCore(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(0.8, 0.4, 0.4), core = BoxShape(0.8, 0.2, 0.2);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    rslRegionDef region = { .shape = &core, .material = body.material };
    region.material.young *= 10.0;
    region.material.density *= 3.0;
    body.regions = &region;
    body.regionCount = 1;
    rslMeasurements* found = Measured(&body, rsl_tensionTest | rsl_shearTest, rsl_bodySpecimen);
    assert_close(Row(found, "E_x")->ours, 3.25 * body.material.young, 1e-6 * body.material.young);
    assert_true(isnan(Row(found, "E_x")->target) && isnan(Row(found, "G_xy")->target));
    // between the bounds of even stress and even strain
    double shear = Row(found, "G_yz")->ours / (0.4 * body.material.young);
    assert_true(1.0 / 0.775 < shear && shear < 3.25);
    rslMeasurements_Free(found);
}

// Springs with dispersion: the network inside has the moduli asked for; where too little is inside, that is said.
static void TestDispersed(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(0.5, 0.5, 0.6);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.model.type = rsl_dispersionModel;
    body.material.poisson = 0.4;
    rslMeasurements* found = Measured(&body, rsl_shearTest | rsl_inflationTest, rsl_bodySpecimen);
    assert_close(Row(found, "G_zx")->error, 0.0, 1e-6);
    assert_close(Row(found, "K")->error, 0.0, 1e-6);
    assert_close(Row(found, "zener")->error, 0.0, 1e-6);
    rslMeasurements_Free(found);
    shape = BoxShape(2.0, 0.4, 0.4);  // one row of nodes inside
    rslScene scene = SceneOf(&body, 1);
    rslMeasureDef def = rslDefaultMeasureDef();
    rslReport report = { 0 };
    def.tests = rsl_shearTest;
    assert_int_equal(rslMeasure_Run(&scene, 0, &def, NULL, &found, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_warning, body.place, "too few nodes farther than 0.175 m"));
}

static void TestFloppy(void** context)
{
    (void)context;
    static const char* const names[] = { "E_x", "nu_y", "G_yz", "K", "zener", NULL };
    rslShapeDef shape = BoxShape(0.8, 0.3, 0.4);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.network.shells = rsl_shellsAC;
    rslMeasurements* found = Measured(&body, rsl_allTests, rsl_anySpecimen);
    assert_at_most(WorstError(found, names), 1e-8);
    assert_null(rslMeasurements_Find(found, "E_x_compression"));
    assert_non_null(rslMeasurements_Find(found, "bending"));
    rslMeasurements_Free(found);
    rslScene scene = SceneOf(&body, 1);
    rslMeasureDef def = rslDefaultMeasureDef();
    rslReport report = { 0 };
    def.tests = rsl_tensionTest;
    assert_int_equal(rslMeasure_Run(&scene, 0, &def, NULL, &found, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_warning, body.place, "no figures of tension"));
    assert_null(found);
}

// A cubic tensor by hand: E[100] = (C11 - C12)(C11 + 2 C12)/(C11 + C12), E[111] = 3 C44 (C11 + 2 C12)/(C11 + 2 C12 + C44).
static void TestTensor(void** context)
{
    (void)context;
    const double c11 = 3.0, c12 = 1.0, c44 = 2.0, det = (c11 - c12) * (c11 + 2.0 * c12);
    rslModuli moduli = { 0 };
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            moduli.stiffness.m[i][j] = i == j ? c11 : c12;
            moduli.compliance.m[i][j] = (i == j ? c11 + c12 : -c12) / det;
        }
        moduli.stiffness.m[3 + i][3 + i] = c44;
        moduli.compliance.m[3 + i][3 + i] = 1.0 / c44;
    }
    double e100 = det / (c11 + c12), e111 = 3.0 * c44 * (c11 + 2.0 * c12) / (c11 + 2.0 * c12 + c44);
    double third = sqrt(1.0 / 3.0);
    assert_close(rslModuli_Young(&moduli, (rslVec3){ 0, 0, 1 }), e100, 1e-12);
    assert_close(rslModuli_Young(&moduli, (rslVec3){ third, -third, third }), e111, 1e-12);
    assert_close(rslModuli_Zener(&moduli), 2.0, 1e-12);
    assert_close(rslModuli_Bulk(&moduli), (c11 + 2.0 * c12) / 3.0, 1e-12);
    rslVec3 worst = rslModuli_Worst(&moduli, e100);
    assert_close(rslModuli_Young(&moduli, worst), e111, 1e-7);
    assert_close(fabs(worst.x), third, 1e-3);
    assert_close(fabs(worst.y), third, 1e-3);
    worst = rslModuli_Worst(&moduli, e111);
    assert_close(fmax(fabs(worst.x), fmax(fabs(worst.y), fabs(worst.z))), 1.0, 1e-6);
}

// Of carrier springs: the shorter, the stiffer. Both secants tend to the tangent.
static void TestSecant(void** context)
{
    (void)context;
    rslBodyDef body = GridBody("sheet", 2.0, 1.0, 8, 4);
    body.network.law = rsl_carrierSpring;
    rslScene scene = SceneOf(&body, 1);
    double young[2][2];
    for (int far = 0; far < 2; ++far)
    {
        rslTensionDef def = rslDefaultTensionDef();
        rslTension tension;
        for (int pressed = 0; pressed < 2; ++pressed)
        {
            def.strain = (pressed ? -1.0 : 1.0) * (far ? 0.1 : 1e-6);
            assert_int_equal(rslTension_Pull(&scene, 0, &def, NULL, &tension, NULL), rsl_ok);
            young[far][pressed] = tension.young / 1e5;
        }
    }
    assert_close(young[0][0], 1.0, 1e-5);
    assert_close(young[0][1], 1.0, 1e-5);
    assert_true(young[1][0] < 0.97 && young[1][1] > 1.03);
}

// ---- bending ----------------------------------------------------------------------------------------------------------

static double Bent(const rslBodyDef* body, double* theory)
{
    rslMeasurements* found = Measured(body, rsl_bendingTest, rsl_bodySpecimen);
    const rslMeasurement* row = Row(found, "bending");
    double stiffness = row->ours;
    *theory = row->target;
    rslMeasurements_Free(found);
    return stiffness;
}

// Against the limit a -> 0 of the sequence itself, of second order: k0 = k(a) + (k(a) - k(2a)) / 3. Timoshenko's beam, whose
// clamped end may warp, is 1.1 % softer than it.
static void TestBending(void** context)
{
    (void)context;
    static const double expected[] = { 1.254, 1.068, 1.018 };
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    double stiffness[4], theory;
    int finest = Proving() ? 3 : 2;
    for (int i = 0; i <= finest; ++i)
    {
        rslBodyDef body = LatticeBody("beam", &shape, 0.5 / (1 << i));
        stiffness[i] = Bent(&body, &theory);
    }
    double limit = stiffness[finest] + (stiffness[finest] - stiffness[finest - 1]) / 3.0, worst = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        worst = Worse(worst, fabs(stiffness[i] / limit - expected[i]));
    }
    assert_proved("corner beam 4x1x1, a = 0.5, 0.25, 0.125: bending ratio against 1.254, 1.068, 1.018", worst, 0.02);
    assert_close(limit / theory, 1.011, 0.003);
}

static void TestCentredBending(void** context)
{
    (void)context;
    static const double bar[] = { 0.10, 0.02 };
    static const char* const names[] = {
        "centred beam with L_eff, k by 2.23, a = 0.5: bending, distance from theory",
        "centred beam with L_eff, k by 2.23, a = 0.25: bending, distance from theory"
    };
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    for (int i = 0; i < 2; ++i)
    {
        rslBodyDef body = LatticeBody("beam", &shape, 0.5 / (1 << i));
        body.network.construction = rsl_centredLattice;
        body.network.identify = rsl_identifyWhole;  // sum k L^2 = 6 V E, Kot 2.23
        double theory, stiffness = Bent(&body, &theory);
        assert_proved(names[i], fabs(stiffness / theory - 1.0), bar[i]);
    }
}

// ---- ringing ----------------------------------------------------------------------------------------------------------

// Lame's modes of a cube have sqrt(mu / rho) / (sqrt(2) L) for every nu; a slender beam bends as Timoshenko says.
static void TestFreeBox(void** context)
{
    (void)context;
    for (double poisson = 0.1; poisson < 0.45; poisson += 0.3)
    {
        double f[24], nearest = 1.0, lame = sqrt(0.5 / (1.0 + poisson)) / sqrt(2.0);
        assert_int_equal(rslFreeBox_Frequencies((rslVec3){ 1, 1, 1 }, 1.0, poisson, 1.0, NULL, f, 24), rsl_ok);
        for (int i = 0; i < 24; ++i)
        {
            nearest = fmin(nearest, fabs(f[i] / lame - 1.0));
        }
        assert_at_most(nearest, 1e-5);
    }
    double near[1], far[1];
    rslVec3 size = { 20.0, 1.0, 1.0 };
    rslFreeBox_Frequencies(size, 1e5, 0.25, 1000.0, NULL, near, 1);
    double euler = 3.5607825 / 400.0 * sqrt(1e5 / 12.0 / 1000.0);  // 4.73004^2 / (2 pi L^2) sqrt(E I / rho A)
    assert_close(near[0] / euler, 1.0 - 0.010, 0.002);             // shear and rotary inertia take 1 % off
    rslFreeBox_Frequencies(rslScale(1e-3, size), 1e5, 0.25, 1000.0, NULL, far, 1);
    assert_close(far[0] / near[0], 1e3, 1e-6);
}

static void TestRinging(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    double before = 1.0;
    for (int i = 0; i < (Proving() ? 3 : 2); ++i)
    {
        rslBodyDef body = LatticeBody("beam", &shape, 0.5 / (1 << i));
        body.material.stiffnessDamping = 1e-4;
        body.material.massDamping = 0.1;
        rslMeasurements* found = Measured(&body, rsl_ringingTest, rsl_anySpecimen);
        double error = fabs(Row(found, "f1")->error);
        assert_at_most(error, 0.4 * before);  // of second order
        assert_close(Row(found, "zeta_1")->error, 0.0, 1e-6);
        before = error;
        rslMeasurements_Free(found);
    }
    assert_at_most(before, Proving() ? 0.004 : 0.016);
}

// ---- the machine at its limits ----------------------------------------------------------------------------------------

static bool StopThere(const char* test, int done, int count, void* user)
{
    assert_true(strlen(test) > 0 && done < count);
    return done < *(const int*)user;
}

static void TestMachine(void** context)
{
    (void)context;
    rslShapeDef ball = rslDefaultShapeDef();
    ball.type = rsl_sphereShape;
    ball.radius = 1.0;
    rslBodyDef body = LatticeBody("ball", &ball, 0.2);
    rslMeasurements* found = Measured(&body, rsl_tensionTest, rsl_anySpecimen);
    assert_true(found->block);
    assert_close(found->size.x, 4.8, 1e-12);
    assert_close(Row(found, "E_y")->error, 0.0, 1e-8);
    rslMeasurements_Free(found);

    body.network.type = rsl_tetrahedraNetwork;
    found = Measured(&body, rsl_tensionTest, rsl_anySpecimen);
    assert_true(found->block);
    assert_close(Row(found, "E_x")->error, 0.0, 0.05);
    rslMeasurements_Free(found);
    body.network.type = rsl_latticeNetwork;

    found = Measured(&body, rsl_allTests, rsl_bodySpecimen);  // a ball itself can only ring
    assert_non_null(rslMeasurements_Find(found, "f1"));
    assert_null(rslMeasurements_Find(found, "E_x"));
    rslMeasurements_Free(found);

    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    rslMeasureDef def = rslDefaultMeasureDef();
    def.specimen = rsl_bodySpecimen;
    def.tests = rsl_tensionTest;
    assert_int_equal(rslMeasure_Run(&scene, 0, &def, NULL, &found, &report), rsl_badInput);
    assert_null(found);
    assert_true(HasMessage(&report, rsl_error, body.place, "not a box"));

    def = rslDefaultMeasureDef();
    int most = 2;
    def.progress = StopThere;
    def.user = &most;
    assert_int_equal(rslMeasure_Run(&scene, 0, &def, NULL, &found, NULL), rsl_stopped);
    assert_null(found);

    // an accuracy that rounding does not allow
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 20.0 };
    rslShapeDef box = BoxShape(1.0, 0.8, 0.9);
    body.shape = &box;
    def = rslDefaultMeasureDef();
    def.tests = rsl_tensionTest;
    def.tolerance = 1e-300;
    assert_int_equal(rslMeasure_Run(&scene, 0, &def, NULL, &found, NULL), rsl_notConverged);
    assert_non_null(found);
    rslMeasurements_Free(found);
    def.cells = 0;
    assert_int_equal(rslMeasure_Run(&scene, 0, &def, NULL, &found, &report), rsl_badInput);
}

static void TestMachineOutOfMemory(void** context)
{
    (void)context;
    rslShapeDef shape = BoxShape(2.0, 1.0, 1.0);
    rslBodyDef body = LatticeBody("box", &shape, 0.5);
    rslScene scene = SceneOf(&body, 1);
    rslMeasureDef def = rslDefaultMeasureDef();
    rslStatus status = rsl_outOfMemory;
    def.threads = 1;
    for (int failAt = 1; status != rsl_ok; failAt += 1 + failAt / 20)
    {
        Heap heap = { .failAt = failAt };
        rslHooks hooks = HeapHooks(&heap);
        rslMeasurements* found = NULL;
        status = rslMeasure_Run(&scene, 0, &def, &hooks, &found, NULL);
        assert_true(status == rsl_ok || status == rsl_outOfMemory);
        rslMeasurements_Free(found);
        assert_int_equal(heap.live, 0);
        assert_true(failAt < 100000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestBulk),
        cmocka_unit_test(TestHonest),
        cmocka_unit_test(TestInnerLine),
        cmocka_unit_test(TestTensor),
        cmocka_unit_test(TestSecant),
        cmocka_unit_test(TestBending),
        cmocka_unit_test(TestCentredBending),
        cmocka_unit_test(TestFreeBox),
        cmocka_unit_test(TestRinging),
        cmocka_unit_test(TestMachine),
        cmocka_unit_test(TestMachineOutOfMemory),
        cmocka_unit_test(TestFloppy),
        cmocka_unit_test(TestWorst),
        cmocka_unit_test(TestAxes),
        cmocka_unit_test(TestCore),
        cmocka_unit_test(TestDispersed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
