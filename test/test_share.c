// SPDX-License-Identifier: MIT
//
// test_share.c: repulsion that is felt at rest brings a share of the material, and the body is as stiff as without it: what all
// networks and models measure as, their matrices and frequencies, and what is refused.

#include "term_bench.h"
#include "statics.h"

#include "resilin/measure.h"

static const rslRepulsionType laws[3] = { rsl_cooperRepulsion, rsl_stiffRepulsion, rsl_centroidRepulsion };

// ---- moduli ---------------------------------------------------------------------------------------------------------

static rslMeasurements* Measured(const rslBodyDef* body, unsigned tests, rslSpace plane)
{
    rslScene scene = SceneOf(body, 1);
    rslMeasureDef def = rslDefaultMeasureDef();
    rslMeasurements* found = NULL;
    rslReport report = { 0 };
    scene.plane = plane;
    def.tests = tests;
    rslStatus status = rslMeasure_Run(&scene, 0, &def, NULL, &found, &report);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    return found;
}

// Largest relative error of all figures that have a target and one of these first letters.
static double WorstOf(const rslMeasurements* found, const char* letters)
{
    double worst = 0.0;
    int count = 0;
    for (int i = 0; i < found->count; ++i)
    {
        const rslMeasurement* row = &found->list[i];
        if (strchr(letters, row->quantity[0]) != NULL && !isnan(row->target) && row->target != 0.0)
        {
            worst = Worse(worst, fabs(row->error));
            count += 1;
        }
    }
    assert_true(count > 0);
    return worst;
}

static double MeasureAll(const rslBodyDef* body, rslSpace plane, const char* letters)
{
    rslMeasurements* found = Measured(body, rsl_tensionTest | rsl_shearTest | rsl_inflationTest, plane);
    double worst = WorstOf(found, letters);
    rslMeasurements_Free(found);
    return worst;
}

typedef struct LatticeCase
{
    rslModelType model;
    rslShells shells;
    double poisson, most;  // largest share tried
} LatticeCase;

// Every model on corner lattices: E, nu, G, K, Zener's ratio, the worst direction.
static void Lattices(void** unused)
{
    (void)unused;
    static const LatticeCase all[] = {
        { rsl_springModel, rsl_shellsAB, 0.25, 0.9 }, { rsl_brickModel, rsl_shellsAB, 0.4, 0.5 },
        { rsl_finiteModel, rsl_shellsAB, 0.1, 0.5 },  { rsl_dispersionModel, rsl_shellsAB, 0.4, 0.5 },
        { rsl_boxModel, rsl_shellsAB, 0.3, 0.5 },     { rsl_springModel, rsl_shellsAC, 0.25, 0.5 },
    };
    static const double shares[4] = { 0.05, 0.2, 0.35, 0.5 };
    rslShapeDef shape = BoxShape(0.5, 0.4, 0.3);
    double worst = 0.0;
    for (int c = 0; c < (Proving() ? 6 : 3); ++c)
    {
        for (int s = Proving() ? 0 : 3; s < 5; ++s)
        {
            rslBodyDef body = LatticeBody("box", &shape, 0.1);
            body.model.type = all[c].model;
            body.network.shells = all[c].shells;
            body.material.poisson = all[c].poisson;
            body.repulsion.type = laws[(c + s) % 2];
            body.repulsion.share = s < 4 ? shares[s] : all[c].most;
            worst = Worse(worst, MeasureAll(&body, rsl_space3, "EnGKz"));
        }
    }
    assert_proved("lattices with repulsion: E, nu, G, K, Zener, worst direction", worst, 1e-6);
}

// Cut cells count by what fills them: E of the whole as without repulsion; regions too.
static void CutCells(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.62, 0.37, 0.33);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.repulsion.type = rsl_noRepulsion;
    double alone = MeasureAll(&body, rsl_space3, "En");
    body.repulsion.type = rsl_cooperRepulsion;
    body.repulsion.share = 0.3;
    double with = MeasureAll(&body, rsl_space3, "En");
    assert_at_most(alone, 1e-6);
    assert_proved("lattices with cut cells and repulsion: E, nu", with, 1e-6);
}

static double PullAll(const rslBodyDef* body)
{
    rslMeasurements* found = Measured(body, rsl_tensionTest, rsl_space3);
    double worst = WorstOf(found, "E");
    rslMeasurements_Free(found);
    return worst;
}

// Inside as asked for, and at the surface no farther from it than springs alone.
static void Centred(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.8, 0.4, 0.4);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.network.construction = rsl_centredLattice;
    for (int whole = 0; whole < 2; ++whole)
    {
        body.network.identify = whole ? rsl_identifyWhole : rsl_identifyInside;
        body.repulsion.type = rsl_noRepulsion;
        double alone = PullAll(&body);
        body.repulsion.type = rsl_cooperRepulsion;
        assert_at_most(PullAll(&body), alone);
    }
}

// ---- triangles ------------------------------------------------------------------------------------------------------

static void Sheets(void** unused)
{
    (void)unused;
    double hexagonal = 0.0, squares = 0.0;
    for (int n = 0; n < (Proving() ? 36 : 6); ++n)
    {
        rslBodyDef body = GridBody("sheet", 0.8, 0.5, 8, 5);
        int pattern = n % 3;
        body.network.pattern = (rslSheetPattern)pattern;
        body.repulsion.type = laws[(n / 3) % 3];
        body.repulsion.share = Proving() ? 0.1 + 0.2 * (n / 9 % 3) : 0.3;
        bool angles = n >= 27 && body.repulsion.type != rsl_centroidRepulsion && pattern == rsl_hexagonalPattern;
        body.model.type = angles ? rsl_angleModel : rsl_springModel;
        body.material.poisson = angles ? 0.2 : 1.0 / 3.0;
        double worst = MeasureAll(&body, n % 2 == 0 ? rsl_planeXY : rsl_space3, "E");
        hexagonal = pattern == rsl_hexagonalPattern ? Worse(hexagonal, worst) : hexagonal;
        squares = pattern == rsl_hexagonalPattern ? squares : Worse(squares, worst);
    }
    assert_proved("hexagonal sheets with repulsion: E", hexagonal, 1e-6);
    assert_proved("sheets of squares with repulsion: E", squares, 0.05);
}

// ---- tetrahedra -----------------------------------------------------------------------------------------------------

static void PullTetrahedra(rslRepulsionType law, double share, int seed, double* sum, double* most)
{
    rslShapeDef shape = BoxShape(0.8, 0.5, 0.5);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    rslMeasureDef def = rslDefaultMeasureDef();
    rslMeasurements* found = NULL;
    scene.seed = (uint64_t)seed;
    body.network.type = rsl_tetrahedraNetwork;
    body.repulsion.type = law;
    body.repulsion.share = law == rsl_noRepulsion ? RSL_AUTO : share;
    def.tests = rsl_tensionTest;
    assert_int_equal(rslMeasure_Run(&scene, 0, &def, NULL, &found, NULL), rsl_ok);
    for (int axis = 0; axis < 3; ++axis)
    {
        char name[8];
        snprintf(name, sizeof name, "E_%c", "xyz"[axis]);
        double error = rslMeasurements_Find(found, name)->error;
        *sum += error;
        *most = Worse(*most, fabs(error));
    }
    rslMeasurements_Free(found);
}

// As good as springs alone: the mean over axes and meshes within 5 %, and no axis farther off than theirs by more than a percent.
static void Tetrahedra(void** unused)
{
    (void)unused;
    int seeds = Proving() ? 5 : 1;
    double alone = 0.0, none = 0.0, mean = 0.0, most = 0.0;
    for (int seed = 1; seed <= seeds; ++seed)
    {
        PullTetrahedra(rsl_noRepulsion, 0.0, seed, &none, &alone);
    }
    for (int n = 0; n < (Proving() ? 9 : 1); ++n)
    {
        double sum = 0.0;
        for (int seed = 1; seed <= seeds; ++seed)
        {
            PullTetrahedra(laws[n % 3], Proving() ? 0.05 + 0.225 * (n / 3) : 0.3, seed, &sum, &most);
        }
        mean = Worse(mean, fabs(sum) / (3.0 * seeds));
    }
    print_message("springs alone: E off by %.4f in the mean, %.4f at most\n", none / (3.0 * seeds), alone);
    assert_proved("tetrahedra with repulsion: E, mean over axes and meshes", mean, 0.05);
    assert_proved("tetrahedra with repulsion: E, more than springs alone at most", most - alone, 0.01);
}

// Calibrated along an axis; the frequencies of a bar pulled along it follow.
static void Calibrated(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.6, 0.3, 0.3);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    double worst = 0.0;
    body.network.type = rsl_tetrahedraNetwork;
    body.network.calibrate = rsl_calibrateX;
    for (int n = 0; n < (Proving() ? 6 : 1); ++n)
    {
        body.repulsion.type = laws[n % 3];
        body.repulsion.share = n < 3 ? 0.3 : 0.5;
        rslMeasurements* found = Measured(&body, rsl_tensionTest, rsl_space3);
        worst = Worse(worst, fabs(rslMeasurements_Find(found, "E_x")->error));
        rslMeasurements_Free(found);
    }
    assert_proved("tetrahedra with repulsion, calibrated: E along x", worst, 0.005);
}

static double FrequencyError(const rslBodyDef* body)
{
    rslMeasurements* found = Measured(body, rsl_ringingTest, rsl_space3);
    double worst = WorstOf(found, "f");
    rslMeasurements_Free(found);
    return worst;
}

// Of a free box: no farther from exact ones than without repulsion, and damped as asked for.
static void Frequencies(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.8, 0.4, 0.4);
    double lattice = 0.0, tetrahedra = 0.0;
    for (int n = 0; n < (Proving() ? 8 : 2); ++n)
    {
        rslBodyDef body = LatticeBody("box", &shape, 0.1);
        bool cells = n % 2 == 0;
        body.network.type = cells ? rsl_latticeNetwork : rsl_tetrahedraNetwork;
        body.repulsion.type = n / 2 % 2 == 0 ? rsl_cooperRepulsion : rsl_stiffRepulsion;
        body.repulsion.share = n < 4 ? 0.3 : 0.5;
        double error = FrequencyError(&body);
        lattice = cells ? Worse(lattice, error) : lattice;
        tetrahedra = cells ? tetrahedra : Worse(tetrahedra, error);
    }
    assert_proved("lattices with repulsion: three frequencies of a free box", lattice, 0.03);
    assert_proved("tetrahedra with repulsion: three frequencies of a free box", tetrahedra, 0.05);
}

// ---- hexahedra ------------------------------------------------------------------------------------------------------

static void Hexahedra(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.5, 0.3, 0.4);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.network.type = rsl_hexahedraNetwork;
    memcpy(body.network.grid, (const int[3]){ 5, 3, 4 }, sizeof body.network.grid);
    body.model.type = rsl_finiteModel;
    body.material.poisson = 0.35;
    body.repulsion.type = rsl_stiffRepulsion;
    body.repulsion.share = 0.3;
    body.repulsion.place = (rslPlace){ 7, 5 };
    assert_proved("cubes with repulsion: E, nu, G, K, Zener, worst direction", MeasureAll(&body, rsl_space3, "EnGKz"),
                  1e-6);
    // flat boxes have too few directions
    body.network.grid[1] = 8;
    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    rslModel_Free(Built(&scene, &report));
    assert_true(HasMessage(&report, rsl_warning, body.repulsion.place, "lie in so few directions"));
}

// ---- matrices -------------------------------------------------------------------------------------------------------

typedef struct Sum
{
    const Bench* bench;
    const Vector* p;
    double out[3];
} Sum;

static void AddCoupling(void* context, int other, const double block[9])
{
    Sum* sum = context;
    for (int c = 0; c < 9; ++c)
    {
        sum->out[c / 3] += block[c] * sum->p->at[c % 3][other];
    }
}

// What links tell of repulsion are the rows of its stiffness.
static void Couplings(void** unused)
{
    (void)unused;
    rslModel* (*const builders[])(void) = { BuildCooperCells,       BuildStiffCells,       BuildCooperTriangles,
                                            BuildFlatStiff,         BuildCooperTetrahedra, BuildFlatCentroids,
                                            BuildCentroidTetrahedra };
    double worst = 0.0;
    for (size_t b = 0; b < sizeof builders / sizeof *builders; ++b)
    {
        Case it = { .name = "couplings", .build = builders[b], .far = 1.0, .free = true };
        Bench bench = MakeBench(&it, 3 + b);
        const Term* term = bench.kernel->repulsion != NULL ? &rslRepulsionTerm64 : &rslCentroidTerm64;
        Vector p = MakeVector(&bench), kp = MakeVector(&bench);
        Random random = MakeRandom(b + 1);
        Randomize(&bench, &p, 1.0, &random);
        rslStatics_Look(bench.kernel, bench.state);
        bench.term = term;
        ProductAt(&bench, term->stiffness, &p, &kp);
        rslStatics_SetExact(bench.kernel, true);
        double largest = Largest(&bench, &kp);
        for (int i = 0; i < bench.model->nodeCount; ++i)
        {
            Sum sum = { .bench = &bench, .p = &p };
            rslStatics_Links(bench.kernel, bench.state, i, AddCoupling, &sum);
            for (int axis = 0; axis < 3; ++axis)
            {
                worst = Worse(worst, fabs(sum.out[axis] - kp.at[axis][i]) / largest);
            }
        }
        FreeVector(&p);
        FreeVector(&kp);
        FreeBench(&bench);
    }
    assert_proved("couplings of repulsion against products of its stiffness", worst, 1e-12);
}

// Forces at strains of 1e-9 keep their digits: against those at 1e-6.
static void SmallStrains(void** unused)
{
    (void)unused;
    Case it = { .name = "small", .build = BuildCooperTetrahedra, .far = 1.0, .free = true };
    Bench bench = MakeBench(&it, 5);
    Vector small = MakeVector(&bench), large = MakeVector(&bench);
    bench.term = &rslRepulsionTerm64;
    double error = 0.0, largest = 0.0;
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int i = 0; i < 3 * bench.model->nodeCount; ++i)
        {
            ((double*)bench.view.u[i % 3])[i / 3] *= pass == 0 ? 0x1p-29 : 0x1p10;
        }
        ForceAt(&bench, pass == 0 ? &small : &large);
    }
    for (int i = 0; i < 3 * bench.model->nodeCount; ++i)
    {
        error = Worse(error, fabs(large.at[i % 3][i / 3] - 0x1p10 * small.at[i % 3][i / 3]));
        largest = Worse(largest, fabs(large.at[i % 3][i / 3]));
    }
    assert_true(largest > 0.0);
    assert_at_most(error, 1e-5 * largest);  // strains of 1e-6 are felt
    FreeVector(&small);
    FreeVector(&large);
    FreeBench(&bench);
}

// ---- elements that are flat or inside out at rest ---------------------------------------------------------------------

typedef struct Flaw
{
    const char* message;  // NULL: none, it is put right
    int corners;
    int elements[8];
    double node[3];  // the last of them
} Flaw;

// Whatever the law, an element that is flat or inside out at rest is named; tetrahedra may be listed in any order.
static void Flaws(void** unused)
{
    (void)unused;
    static const Flaw flaws[] = {
        { "triangle 1 runs clockwise: at rest it is turned inside out; list its corners [1, 3, 2]",
          3,
          { 0, 1, 2, 1, 2, 3 },
          { 1, 1, 0 } },
        { "triangle 1 has no area", 3, { 0, 1, 2, 1, 3, 2 }, { 0.5, 0.5, 0 } },
        { "triangle 1 has no area", 3, { 0, 1, 2, 1, 3, 2 }, { 1, 0, 0 } },
        { "tetrahedron 1 has no volume", 4, { 0, 1, 2, 3, 0, 1, 2, 4 }, { 0.3, 0.3, 0 } },
        { NULL, 4, { 0, 1, 2, 3, 0, 1, 2, 4 }, { 0.3, 0.3, -1 } },
    };
    static const rslRepulsionType types[5] = { rsl_noRepulsion, rsl_clampedRepulsion, rsl_cooperRepulsion,
                                               rsl_stiffRepulsion, rsl_centroidRepulsion };
    const double mass = 1.0, stiffness = 100.0;
    for (size_t n = 0; n < 5 * sizeof flaws / sizeof *flaws; ++n)
    {
        const Flaw* flaw = &flaws[n / 5];
        bool flat = flaw->corners == 3;
        double nodes[15] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
        rslBodyDef body = rslDefaultBodyDef();
        memcpy(nodes + (flat ? 9 : 12), flaw->node, sizeof flaw->node);
        body.name = "body";
        body.network.type = rsl_explicitNetwork;
        body.network.place = (rslPlace){ 9, 2 };
        body.network.springsFrom = rsl_edgeSprings;
        body.network.nodes = nodes;
        body.network.nodeCount = flat ? 4 : 5;
        body.network.triangles = flat ? flaw->elements : NULL;
        body.network.triangleCount = flat ? 2 : 0;
        body.network.tetrahedra = flat ? NULL : flaw->elements;
        body.network.tetrahedronCount = flat ? 0 : 2;
        body.network.masses = &mass;
        body.network.stiffness = &stiffness;
        body.network.massCount = body.network.stiffnessCount = 1;
        body.repulsion.type = types[n % 5];
        rslScene scene = SceneOf(&body, 1);
        scene.plane = flat ? rsl_planeXY : rsl_space3;
        if (flaw->message != NULL)
        {
            Refused(&scene, body.network.place, flaw->message);
        }
        else
        {
            rslModel_Free(Built(&scene, NULL));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Lattices),     cmocka_unit_test(CutCells),   cmocka_unit_test(Centred),
        cmocka_unit_test(Sheets),       cmocka_unit_test(Tetrahedra), cmocka_unit_test(Calibrated),
        cmocka_unit_test(Frequencies),  cmocka_unit_test(Hexahedra),  cmocka_unit_test(Couplings),
        cmocka_unit_test(SmallStrains), cmocka_unit_test(Flaws),
    };
    return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
