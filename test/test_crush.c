// SPDX-License-Identifier: MIT
//
// test_crush.c: bodies flattened between plates and let go. No element is ever turned inside out, and they come back.

#include "crush.h"

// Told in the full form; fails where an element was turned inside out, a run did not end, the body was not crushed, or is not back.
static Outcome CheckCrush(const Crush* crush)
{
    Outcome out = RunCrush(crush);
    char what[160];
    snprintf(what, sizeof what, "%s, %s to %.0f %%", crush->what,
             crush->hardness > 0.0 ? "plates"
             : crush->slides       ? "faces that slide"
                                   : "faces moved",
             100.0 * crush->gap);
    if (Proving())
    {
        printf("# %s: height %.3f, least volume %.4f of that at rest\n", what, out.flattest, out.leastVolume);
    }
    assert_int_equal(out.status, rsl_ok);
    assert_true(out.inverted < 0.0 && out.leastVolume > 0.0);
    // plates give way a little, most to nodes that carry little
    assert_at_most(out.flattest, crush->gap + (crush->hardness > 0.0 ? 0.12 : 1e-9));
    assert_proved(what, out.back, 0.01);
    return out;
}

// ---- Kuhn's cube ----------------------------------------------------------------------------------------------------

// Springs of 100 N/m along the edges, mass 1 in all, face repulsion of a fifth of the springs, as in the reference.
static Crush KuhnCube(const char* what, const Kuhn* kuhn, rslRepulsionType law)
{
    static const double k = 100.0, c = 1.0;
    static double mass;
    mass = 1.0 / kuhn->nodeCount;
    Crush crush = { .what = what, .high = 1.0, .gap = 0.15, .time = 0.5, .settle = 1.0, .kuhn = kuhn };
    crush.body = NetworkBody("cube", kuhn->nodes, kuhn->nodeCount, &mass, NULL, 0, &k);
    crush.body.network.stiffnessCount = 1;
    crush.body.network.damping = &c;
    crush.body.network.dampingCount = 1;
    crush.body.network.tetrahedra = kuhn->tetrahedra;
    crush.body.network.tetrahedronCount = kuhn->count;
    crush.body.network.springsFrom = rsl_edgeSprings;
    crush.body.repulsion.type = law;
    crush.body.repulsion.stiffness = law == rsl_cooperRepulsion || law == rsl_stiffRepulsion ? 0.2 * k : RSL_AUTO;
    crush.integrator = rsl_symplecticEuler;
    return crush;
}

// Springs alone are turned inside out before half of the height, and do not come back. Where depends on what the reference does not
// say, from 0.55 to 0.72: its 0.625 is met with masses of 1 as in its limb, and springs of each element.
static void SpringsAloneInvert(void** unused)
{
    (void)unused;
    static Kuhn kuhn;
    static const double unit = 1.0;
    MakeKuhn(&kuhn, 3);
    assert_int_equal(kuhn.count, 162);
    for (int i = 0; i < (Proving() ? 3 : 2); ++i)
    {
        static const char* const names[3] = { "springs of edges", "springs of elements, as the reference",
                                              "springs of edges, plates" };
        Crush crush = KuhnCube(names[i], &kuhn, rsl_noRepulsion);
        crush.time = Proving() || i == 1 ? 2.0 : 0.5;
        crush.settle = i == 2 ? 2.0 : -0.5 * crush.time;
        crush.hardness = i == 2 ? 20.0 : 0.0;
        crush.body.network.masses = i == 1 ? &unit : crush.body.network.masses;
        crush.body.network.springsFrom = i == 1 ? rsl_elementSprings : rsl_edgeSprings;
        Outcome out = RunCrush(&crush);
        if (Proving())
        {
            printf("# %s alone: inside out at %.3f of the height, %.2f of it away in the end\n", names[i], out.inverted,
                   out.back);
        }
        assert_true(out.status == rsl_ok && out.inverted > 0.5 && out.inverted < 0.75 && out.leastVolume < 0.0);
        assert_true(i != 1 || fabs(out.inverted - 0.625) < 0.025);
        assert_true(i != 2 || out.back > 0.5);
    }
}

// The reference has 0.145 as the least volume at 15 % of the height with Cooper's law.
static void KuhnComesBack(void** unused)
{
    (void)unused;
    static Kuhn kuhn;
    static const rslRepulsionType laws[3] = { rsl_cooperRepulsion, rsl_stiffRepulsion, rsl_clampedRepulsion };
    static const char* const names[3] = { "Kuhn's cube, Cooper's law", "Kuhn's cube, stiff law",
                                          "Kuhn's cube, clamped law" };
    MakeKuhn(&kuhn, Proving() ? 3 : 2);
    for (int law = 0; law < 3; ++law)
    {
        for (int how = 0; how < (Proving() ? 4 : 1); ++how)
        {
            Crush crush = KuhnCube(names[law], &kuhn, laws[law]);
            crush.gap = how % 2 == 0 ? 0.15 : 0.05;
            crush.slides = how / 2 == 1;
            crush.time = Proving() ? 0.5 : 0.3;
            Outcome out = CheckCrush(&crush);
            assert_true(law > 0 || how > 0 || (out.leastVolume > 0.13 && out.leastVolume < 0.16));
        }
    }
}

// ---- bodies with a material -----------------------------------------------------------------------------------------

typedef struct Kind
{
    const char* what;
    rslNetworkType network;
    rslModelType model;
    rslRepulsionType law;  // auto: clamped
    double poisson;
    rslIntegrator integrator;
} Kind;

static const Kind kinds[] = {
    { "lattice of springs", rsl_latticeNetwork, rsl_springModel, rsl_autoRepulsion, 0.25, rsl_positionVerlet },
    { "lattice that shares", rsl_latticeNetwork, rsl_dispersionModel, rsl_autoRepulsion, 0.4, rsl_velocityVerlet },
    { "bricks", rsl_latticeNetwork, rsl_brickModel, rsl_autoRepulsion, 0.45, rsl_positionVerlet },
    { "hexahedra", rsl_hexahedraNetwork, rsl_finiteModel, rsl_autoRepulsion, 0.3, rsl_positionVerlet },
    { "Baudet's boxes", rsl_hexahedraNetwork, rsl_boxModel, rsl_autoRepulsion, 0.3, rsl_positionVerlet },
    { "tetrahedra of springs", rsl_tetrahedraNetwork, rsl_springModel, rsl_autoRepulsion, 0.25, rsl_symplecticEuler },
    { "finite tetrahedra", rsl_tetrahedraNetwork, rsl_finiteModel, rsl_autoRepulsion, 0.45, rsl_positionVerlet },
    { "lattice of springs, Cooper's law", rsl_latticeNetwork, rsl_springModel, rsl_cooperRepulsion, 0.25,
      rsl_symplecticEuler },
    { "lattice of springs, stiff law", rsl_latticeNetwork, rsl_springModel, rsl_stiffRepulsion, 0.25,
      rsl_positionVerlet },
};

static rslBodyDef BodyOf(const Kind* kind, const rslShapeDef* shape, double spacing)
{
    rslBodyDef body = LatticeBody("crushed", shape, spacing);
    body.network.type = kind->network;
    body.model.type = kind->model;
    body.model.diagonals = kind->model == rsl_boxModel ? rsl_faceDiagonals : body.model.diagonals;
    body.material.poisson = kind->poisson;
    body.repulsion.type = kind->law;
    return body;
}

// Waves cross the cube in 0.1 s; its slowest motion fades within 0.1 s.
static Crush CubeOf(const Kind* kind, const rslShapeDef* box, int cells)
{
    Crush crush = { .what = kind->what, .low = -0.5, .high = 0.5, .gap = 0.15, .time = 0.5, .settle = 1.0 };
    crush.body = BodyOf(kind, box, 1.0 / cells);
    for (int axis = 0; kind->network == rsl_hexahedraNetwork && axis < 3; ++axis)
    {
        crush.body.network.grid[axis] = cells;
    }
    crush.body.material.young = 1000.0;
    crush.body.material.density = 10.0;
    crush.body.material.stiffnessDamping = 0.02;
    crush.body.material.massDamping = 10.0;
    crush.integrator = kind->integrator;
    return crush;
}

// Faces that are held, or slide, to 15 % and 5 %; plates with friction to 15 %.
static void CubesComeBack(void** unused)
{
    (void)unused;
    rslShapeDef box = BoxShape(1, 1, 1);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
    {
        for (int how = 0; how < (Proving() ? 5 : 1); ++how)
        {
            Crush crush = CubeOf(&kinds[k], &box, Proving() ? 3 : 2);
            crush.time = Proving() ? 0.5 : 0.2;
            crush.gap = how % 2 == 0 ? 0.15 : 0.05;
            crush.slides = how / 2 == 1;
            crush.hardness = how == 4 ? 1e4 : 0.0;
            crush.friction = 0.3;
            CheckCrush(&crush);
        }
    }
}

// A rabbit flattened between plates and let go. Its ears swing slowly: damping that lets them come to rest within a second. By itself,
// repulsion leaves out bricks that the shape hardly fills.
static void RabbitComesBack(void** unused)
{
    (void)unused;
    for (int i = 0; Proving() && i < 5; ++i)
    {
        static const int of[5] = { 0, 2, 5, 6, 2 };
        static const char* const names[5] = { "rabbit of springs", "rabbit of bricks",
                                              "rabbit of springs in tetrahedra", "rabbit of finite tetrahedra",
                                              "rabbit of bricks, the lightest too" };
        rslShapeDef shape = rslDefaultShapeDef();
        shape.type = rsl_rabbitShape;
        shape.height = 0.2;
        Crush crush = { .what = names[i], .low = -0.006, .high = 0.206, .gap = 0.15, .hardness = 200.0 };
        crush.time = 0.4;
        crush.settle = 1.2;
        crush.friction = 0.3;
        crush.body = BodyOf(&kinds[of[i]], &shape, of[i] < 5 ? 0.02 : 0.03);
        crush.body.repulsion.type = i == 4 ? rsl_clampedRepulsion : rsl_autoRepulsion;
        crush.body.material.young = 2e4;
        crush.body.material.stiffnessDamping = 0.01;
        crush.body.material.massDamping = 10.0;
        crush.body.material.poisson = 0.25;
        crush.integrator = rsl_positionVerlet;
        CheckCrush(&crush);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SpringsAloneInvert),
        cmocka_unit_test(KuhnComesBack),
        cmocka_unit_test(CubesComeBack),
        cmocka_unit_test(RabbitComesBack),
    };
    return cmocka_run_group_tests_name("crush", tests, NULL, NULL);
}
