// SPDX-License-Identifier: MIT
//
// Damping: constants from ratios; every network and element loses what Rayleigh says, as modes and in time.

#include "physics_fixture.h"

#include "resilin/io.h"

#include "damping.h"
#include "ring.h"

// ---- constants ------------------------------------------------------------------------------------------------------

static void RatiosAreMet(void** unused)
{
    (void)unused;
    Random random = MakeRandom(11);
    for (int i = 0; i < 200; ++i)
    {
        double f[2] = { NextBetween(&random, 0.1, 50.0), NextBetween(&random, 0.1, 50.0) }, zeta[2];
        double more = fmax(f[0] / f[1], f[1] / f[0]);
        zeta[0] = NextBetween(&random, 0.0, 1.5);
        zeta[1] = NextBetween(&random, zeta[0] / more, zeta[0] * more);
        rslDampingDef def = { .ratio = zeta, .ratioCount = 2, .frequency = f, .frequencyCount = 2 };
        rslRates rates = rslDamping_Rates(&def, 0.0);
        assert_true(rates.mass >= 0.0 && rates.stiffness >= 0.0);
        assert_close(rslRates_Ratio(rates, f[0]), zeta[0], 1e-9);
        assert_close(rslRates_Ratio(rates, f[1]), zeta[1], 1e-9);
        zeta[1] = 1.01 * zeta[0] * more;
        rates = rslDamping_Rates(&def, 0.0);
        assert_true(rates.mass < 0.0 || rates.stiffness < 0.0);
        for (int by = 0; by < rsl_damperCount; ++by)
        {
            rslDampingDef one = { .ratio = zeta, .ratioCount = 1, .by = (rslDamper)by };
            rates = rslDamping_Rates(&one, f[0]);
            assert_true((by == rsl_massDamper ? rates.stiffness : rates.mass) == 0.0);
            assert_close(rslRates_Ratio(rates, f[0]), zeta[0], 1e-12);
        }
    }
}

// At the ends of what can be met a constant is 0, whatever rounding does.
static void OneConstantIsEnoughAtTheEnds(void** unused)
{
    (void)unused;
    Random random = MakeRandom(12);
    for (int i = 0; i < 200; ++i)
    {
        double f[2] = { NextBetween(&random, 0.1, 50.0), NextBetween(&random, 0.1, 50.0) };
        double zeta[2] = { 0.3, 0.3 * f[1] / f[0] };
        rslDampingDef def = { .ratio = zeta, .ratioCount = 2, .frequency = f, .frequencyCount = 2 };
        assert_true(rslDamping_Rates(&def, 0.0).mass == 0.0);
        zeta[1] = 0.3 * f[0] / f[1];
        assert_true(rslDamping_Rates(&def, 0.0).stiffness == 0.0);
    }
}

// ---- every kind of body ---------------------------------------------------------------------------------------------

#define BOX "shape: {type: box, size: [0.6, 0.4, 0.4]}\n    "
#define LATTICE BOX "network: {type: lattice, spacing: 0.2"
#define BALL "shape: {type: sphere, radius: 0.35}\n    network: {type: lattice, spacing: 0.2}\n    "
#define SHEET "network: {type: sheet, size: [1, 0.8], thickness: 0.5, "
#define DAMPED(nu) "material: {young: 900, poisson: " #nu ", density: 1, mass_damping: 0.9, stiffness_damping: 0.003"

typedef struct Kind
{
    const char* name;
    bool flat;
    const char* body;
} Kind;

static const Kind kinds[] = {
    { "lattice", false, LATTICE "}\n    " DAMPED(0.25) "}\n    model: springs" },
    { "lattice of shells AC", false, LATTICE ", shells: AC}\n    " DAMPED(0.25) "}\n    model: springs" },
    { "centred lattice", false, LATTICE ", construction: centred}\n    " DAMPED(0.25) "}\n    model: springs" },
    { "lattice in a ball", false, BALL DAMPED(0.25) "}\n    model: springs" },
    { "carrier springs", false, LATTICE ", law: carrier}\n    " DAMPED(0.25) "}\n    model: springs" },
    { "dispersion", false, LATTICE "}\n    " DAMPED(0.4) "}\n    model: {type: dispersion, variant: energy}" },
    { "dispersion below 1/4", false,
      LATTICE "}\n    " DAMPED(0.1) "}\n    model: {type: dispersion, variant: energy}" },
    { "bricks", false, LATTICE "}\n    " DAMPED(0.4) "}\n    model: brick" },
    { "bricks in a ball", false, BALL DAMPED(0.1) "}\n    model: brick" },
    { "finite elements", false, LATTICE "}\n    " DAMPED(0.4) "}\n    model: fem" },
    { "boxes", false, LATTICE "}\n    " DAMPED(0.3) "}\n    model: box" },
    { "random", false,
      BOX "network: {type: random, min_length: 0.12, max_length: 0.3}\n    " DAMPED(0.25) "}\n    model: springs" },
    { "random, dispersion", false,
      BOX "network: {type: random, min_length: 0.12, max_length: 0.3}\n    " DAMPED(
          0.4) "}\n    model: {type: dispersion, variant: energy}" },
    { "tetrahedra", false, BOX "network: {type: tetrahedra, spacing: 0.3}\n    " DAMPED(0.25) "}\n    model: springs" },
    { "finite tetrahedra", false,
      BOX "network: {type: tetrahedra, spacing: 0.3}\n    " DAMPED(0.4) "}\n    model: fem" },
    { "sheet", true, SHEET "pattern: hexagonal, cells: [4, 4]}\n    " DAMPED(0.333333333333) "}\n    model: springs" },
    { "crossed sheet", true,
      SHEET "pattern: crossed, cells: [4, 4]}\n    " DAMPED(0.333333333333) "}\n    model: springs" },
    { "finite triangles", true, SHEET "pattern: alternating, cells: [4, 4]}\n    " DAMPED(0.45) "}\n    model: fem" },
    { "angles", true, SHEET "pattern: alternating, cells: [4, 4]}\n    " DAMPED(0.45) "}\n    model: angles" },
    { "sheet in space", false,
      SHEET
      "pattern: alternating, cells: [3, 3], bending: auto}\n    " DAMPED(0.333333333333) "}\n    model: springs" },
    { "hexahedra", false, BOX "network: {type: hexahedra, grid: [3, 2, 2]}\n    " DAMPED(0.4) "}\n    model: fem" },
    { "boxes of hexahedra", false,
      BOX "network: {type: hexahedra, grid: [3, 2, 2]}\n    " DAMPED(
          0.3) "}\n    model: {type: box, diagonals: face, edges: tuned}" },
    { "listed springs", false,
      "network: {type: explicit, nodes: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], springs: [[0, 1], [0, 2], [0, "
      "3], [1, 2], "
      "[1, 3], [2, 3]], stiffness: 200, masses: 0.1}\n    material: {mass_damping: 0.9, stiffness_damping: 0.003}" },
    { "two materials of one damping", false,
      LATTICE "}\n    " DAMPED(
          0.25) "}\n    model: springs\n    regions: [{shape: {type: box, size: [0.3, 1, 1]}, " DAMPED(0.25) "}}]" },
};

// A scene from its text. Free with rslScene_Free.
static rslScene ReadScene(const char* text)
{
    rslTree tree;
    rslReport report = { 0 };
    rslScene scene = rslDefaultScene();
    rslStatus status = rslYaml_Parse(text, strlen(text), NULL, &tree, &report);
    status = status == rsl_ok ? rslScene_FromTree(&tree, NULL, &scene, &report) : status;
    rslTree_Free(&tree);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    return scene;
}

static rslScene SceneOfKind(const Kind* kind, const char* more)
{
    char text[3000];
    snprintf(text, sizeof text, "gravity: [0, 0, 0]\n%sbodies:\n  - name: a\n    %s\n%s",
             kind->flat ? "plane: xy\n" : "", kind->body, more);
    return ReadScene(text);
}

static rslModes* ModesOf(const rslModel* model, const rslState* state, int count)
{
    rslModesDef def = rslDefaultModesDef();
    rslModes* modes = NULL;
    rslReport report = { 0 };
    def.count = count;
    def.tolerance = 1e-6;
    rslStatus status = rslModes_Find(model, state, &def, NULL, &modes, &report);
    PrintReport(&report);
    assert_int_equal(status, rsl_ok);
    return modes;
}

// Modes and ring-down of every kind lose what alpha0 M + alpha1 K does.
static void EveryKindIsDampedAsItsMaterialSays(void** unused)
{
    (void)unused;
    double modal = 0.0, slow = 0.0, loss = 0.0;
    size_t stride = Sanitized() && !Proving() ? 7 : 1;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k += stride)
    {
        const Kind* kind = &kinds[k];
        rslScene scene = SceneOfKind(kind, "");
        rslModel* model = Built(&scene, NULL);
        rslState* state = StateOf(model, rsl_double);
        rslModes* modes = ModesOf(model, state, 3);
        rslRing ring;
        rslRingDef def = { .periods = 4, .threads = 1 };
        double off[2] = { 0.0 };
        for (int m = 0; m < modes->count; ++m)
        {
            double theory = rslRates_Ratio((rslRates){ 0.9, 0.003 }, modes->frequency[m]);
            off[0] = fmax(off[0], fabs(modes->dampingRatio[m] / theory - 1.0));
        }
        assert_int_equal(rslRing_Down(model, modes, &def, NULL, &ring, NULL), rsl_ok);
        off[1] = fabs(ring.ratio / rslRates_Ratio((rslRates){ 0.9, 0.003 }, modes->frequency[0]) - 1.0);
        modal = fmax(modal, off[0]);
        loss = fmax(loss, off[1]);
        slow = fmax(slow, fabs(ring.frequency / modes->frequency[0] - 1.0));
        if (!(off[0] < 1e-9 && off[1] < 1e-4 && slow < 1e-5))
        {
            print_error("%s: zeta of modes off by %.2g, in time by %.2g, frequency by %.2g\n", kind->name, off[0],
                        off[1], slow);
            fail();
        }
        rslModes_Free(modes);
        rslState_Free(state);
        rslModel_Free(model);
        rslScene_Free(&scene);
    }
    assert_proved("damping ratio of modes against alpha0, alpha1, every network and element", modal, 1e-9);
    assert_proved("damping ratio of a ring-down in time, the same", loss, 1e-4);
    assert_proved("its frequency against the mode", slow, 1e-5);
}

// ---- the first frequency --------------------------------------------------------------------------------------------

#define BEAM(name, at, more)                                                                                           \
    "  - name: " name "\n    shape: {type: box, size: [1, 0.2, 0.2], translate: [0, " at ", 0]}\n"                     \
    "    network: {type: lattice, spacing: 0.1}\n    material: {young: 1e5, poisson: 0.3, density: 100, "              \
    "damping: " more "}\n"
#define WALL "constraints: [{type: pin, nodes: {type: plane, point: [-0.499, 0, 0], normal: [-1, 0, 0]}}]\n"

static double FirstRatio(const rslModel* model, double* frequency)
{
    rslState* state = StateOf(model, rsl_double);
    rslModes* modes = ModesOf(model, state, 1);
    double ratio = modes->dampingRatio[0];
    *frequency = modes->frequency[0];
    rslModes_Free(modes);
    rslState_Free(state);
    return ratio;
}

// As it is held, or free; by either constant.
static void TheFirstModeHasTheRatio(void** unused)
{
    (void)unused;
    if (Sanitized() && !Proving())
    {
        skip();  // bodies that are held each by its own do the same
    }
    static const char* const texts[] = {
        "bodies:\n" BEAM("a", "0", "0.07") WALL,
        "bodies:\n" BEAM("a", "0", "{ratio: 0.07, frequency: first, by: mass}") WALL,
        "bodies:\n" BEAM("a", "0", "0.07"),
        "bodies:\n" BEAM(
            "a", "0",
            "0.07") "    regions: [{shape: {type: box, size: [0.5, 1, 1]}, material: {young: 1e5, poisson: 0.3, "
                    "density: 100, damping: 0.07}}]\n" WALL,
    };
    double seen[4];
    for (int t = 0; t < 4; ++t)
    {
        rslScene scene = ReadScene(texts[t]);
        rslModel* model = Built(&scene, NULL);
        double frequency, ratio = FirstRatio(model, &frequency);
        seen[t] = frequency;
        assert_close(model->bodies[0].firstFrequency / frequency, 1.0, 1e-5);
        assert_close(ratio, 0.07, 1e-5);
        assert_true((model->bodies[0].materialDamping[0] > 0.0) == (t == 1));
        rslModel_Free(model);
        rslScene_Free(&scene);
    }
    assert_true(seen[0] == seen[1] && seen[2] > 2.0 * seen[0]);
    assert_close(seen[3] / seen[0], 1.0, 1e-9);
}

// Other bodies have no say, nor has the order.
static void BodiesAreHeldEachByItsOwn(void** unused)
{
    (void)unused;
    rslScene scene = ReadScene("bodies:\n" BEAM("a", "0", "0.07") BEAM("b", "1", "0.1") BEAM(
        "c", "2", "{ratio: 0.1, frequency: 5}") "constraints: [{type: pin, nodes: {type: box, min: [-1, -1, -1], max: "
                                                "[-0.49, 0.5, 1]}}]\n");
    rslModel* model = Built(&scene, NULL);
    rslScene one = ReadScene("bodies:\n" BEAM("a", "0", "0.07") WALL),
             free = ReadScene("bodies:\n" BEAM("b", "0", "0.07"));
    rslModel *held = Built(&one, NULL), *loose = Built(&free, NULL);
    assert_true(model->bodies[0].firstFrequency == held->bodies[0].firstFrequency);
    assert_close(model->bodies[1].firstFrequency / loose->bodies[0].firstFrequency, 1.0, 1e-6);
    assert_true(model->bodies[2].firstFrequency == 0.0);
    assert_close(model->bodies[2].materialDamping[1], 0.2 / (10.0 * PI), 1e-15);
    rslModel_Free(model);
    rslModel_Free(held);
    rslModel_Free(loose);
    rslScene_Free(&scene);
    rslScene_Free(&one);
    rslScene_Free(&free);
}

// Constants are those of the material: of the finest level.
static void LevelsHaveTheSameConstants(void** unused)
{
    (void)unused;
    if (Sanitized() && !Proving())
    {
        skip();  // bodies that are held each by its own do the same
    }
    double seen[2];
    for (int level = 0; level < 2; ++level)
    {
        rslScene scene =
            ReadScene(level == 0 ? "bodies:\n" BEAM("a", "0", "0.07") "    lod: [1, 0.5]\n" WALL
                                 : "bodies:\n" BEAM("a", "0", "0.07") "    lod: [1, 0.5]\n    level: 1\n" WALL);
        rslModel* model = Built(&scene, NULL);
        seen[level] = model->bodies[0].materialDamping[1];
        assert_true(level == 0 || model->nodeCount < 60);
        rslModel_Free(model);
        rslScene_Free(&scene);
    }
    assert_true(seen[0] == seen[1] && seen[0] > 0.0);
}

static void WhatHasNoFirstFrequencyIsRefused(void** unused)
{
    (void)unused;
    static const struct
    {
        const char *text, *part;
    } cases[] = {
        { "bodies:\n" BEAM("a", "0", "0.07")
              BEAM("b", "1", "0.1") "constraints: [{type: pin, nodes: {type: nearest, point: [0, 0, 0], count: 3}}]\n",
          "name the body of these nodes, or give 'frequency' in Hz" },
        { "bodies:\n  - name: a\n    " LATTICE "}\n    material: {young: 1e4, poisson: 0.4, density: 1, damping: 0.1}\n"
          "    model: {type: dispersion, variant: published}\n",
          "has no first frequency to take its damping ratio at" },
    };
    for (int c = 0; c < 2; ++c)
    {
        rslScene scene = ReadScene(cases[c].text);
        rslModel* model = NULL;
        rslReport report = { 0 };
        assert_int_equal(rslModel_Build(&scene, NULL, &model, &report), rsl_badInput);
        assert_non_null(strstr(report.messages[0].text, cases[c].part));
        rslScene_Free(&scene);
    }
}

static void TheSearchMayLackMemory(void** unused)
{
    (void)unused;
    rslScene scene = ReadScene(
        "bodies:\n  - name: a\n    shape: {type: box, size: [0.4, 0.2, 0.2]}\n    network: {spacing: 0.2}\n"
        "    material: {young: 1e5, poisson: 0.25, density: 100, damping: 0.07}\n    model: springs\n"
        "    regions: [{shape: {type: box, size: [0.5, 1, 0.1]}, material: {young: 1e5, poisson: 0.25, density: "
        "100, damping: 0.07}}]\n");
    BuildWithoutMemory(&scene, 40);
    rslScene_Free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RatiosAreMet),
        cmocka_unit_test(OneConstantIsEnoughAtTheEnds),
        cmocka_unit_test(EveryKindIsDampedAsItsMaterialSays),
        cmocka_unit_test(TheFirstModeHasTheRatio),
        cmocka_unit_test(BodiesAreHeldEachByItsOwn),
        cmocka_unit_test(LevelsHaveTheSameConstants),
        cmocka_unit_test(WhatHasNoFirstFrequencyIsRefused),
        cmocka_unit_test(TheSearchMayLackMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
