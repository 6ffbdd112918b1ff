// SPDX-License-Identifier: MIT
//
// test_brick_modes.c: natural frequencies of bodies of bricks whose surface cuts the cells: bars of any thickness and any
// orientation of their lattice, slivers, a ball; beside them the stable step.
//
// References: hexahedra with incompatible modes in cells that fit, extrapolated from four and eight across; closed forms for
// the ball.

#include "brick_fixture.h"

enum
{
    MODES = 8
};

static void Frequencies(const rslScene* scene, int count, double* frequency, double* step)
{
    rslModel* model = Built(scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModesDef def = rslDefaultModesDef();
    rslModes* modes = NULL;
    def.count = count;
    def.threads = 2;
    assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, NULL), rsl_ok);
    assert_int_equal(modes->zeroCount, scene->constraintCount > 0 ? 0 : 6);
    for (int m = 0; m < count; ++m)
    {
        frequency[m] = modes->frequency[m];
    }
    rslModes_Free(modes);
    if (step != NULL)
    {
        rslSolverDef solverDef = SolverDef(rsl_positionVerlet, 1e-6);
        rslSolver* solver = SolverOf(model, &solverDef);
        *step = rslSolver_Stability(solver).stableStep;
        rslSolver_Free(solver);
    }
    rslState_Free(state);
    rslModel_Free(model);
}

typedef struct Beam
{
    double length, y, z, spacing, nu;
    rslModelDef model;
    rslRotationDef orientation;
    bool held;     // at its lower end
    bool centred;  // the construction of the lattice
    bool flush;    // with the lattice at its lower sides; else centred
} Beam;

// Bounds place the lattice: those of a box that cells fit, of which all but the beam is taken away.
static void FlushShape(const Beam* beam, rslShapeDef parts[3], rslShapeDef* shape)
{
    double size = 8.0 * beam->spacing;
    for (int p = 0; p < 3; ++p)
    {
        parts[p] = BoxShape(p == 0 ? beam->length : 20.0, p == 0 ? size : 20.0, p == 0 ? size : 20.0);
    }
    parts[1].translate.y = -0.5 * size + beam->y + 10.0;
    parts[2].translate.z = -0.5 * size + beam->z + 10.0;
    *shape = rslDefaultShapeDef();
    shape->type = rsl_differenceShape;
    shape->parts = parts;
    shape->partCount = 3;
}

static void BeamModes(const Beam* beam, int count, double* frequency, double* step)
{
    rslShapeDef parts[3], shape = BoxShape(beam->length, beam->y, beam->z);
    if (beam->flush)
    {
        FlushShape(beam, parts, &shape);
    }
    rslBodyDef body = LatticeBody("bar", &shape, beam->spacing);
    body.material.young = body.material.density = 1.0;
    body.material.poisson = beam->nu;
    body.model = beam->model;
    body.network.construction = beam->centred ? rsl_centredLattice : rsl_cornerLattice;
    body.network.orientation = beam->orientation.angle != 0.0 ? beam->orientation : body.network.orientation;
    rslConstraintDef pin = PinOf(rslDefaultNodeSetDef());
    pin.nodes.type = rsl_boxNodes;
    pin.nodes.min = (rslVec3){ -9.0, -9.0, -9.0 };
    pin.nodes.max = (rslVec3){ -0.5 * beam->length + 1e-6, 9.0, 9.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.constraints = &pin;
    scene.constraintCount = beam->held ? 1 : 0;
    Frequencies(&scene, count, frequency, step);
}

// Extrapolated from four and eight cells across.
static void Reference(Beam beam, double across, double* frequency)
{
    double coarse[MODES], fine[MODES];
    beam.model = (rslModelDef){ .type = rsl_finiteModel, .element = rsl_incompatibleHexahedron };
    beam.orientation = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 0.0 };
    beam.spacing = across / 4.0;
    BeamModes(&beam, MODES, coarse, NULL);
    beam.spacing = across / 8.0;
    BeamModes(&beam, MODES, fine, NULL);
    for (int m = 0; m < MODES; ++m)
    {
        frequency[m] = fine[m] + (fine[m] - coarse[m]) / 3.0;
    }
}

// The second pair of equal frequencies: the second bending.
static double SecondBending(const double* frequency)
{
    for (int m = 2; m + 1 < MODES; ++m)
    {
        if (frequency[m + 1] < frequency[m] * (1.0 + 2e-5))
        {
            return frequency[m];
        }
    }
    return NAN;
}

// ---- a cantilever of any thickness ------------------------------------------------------------------------------------

enum
{
    KNOTS = 6
};

// f t (L / t)^2 is a smooth function of L / t: a polynomial through bars whose cells fit.
typedef struct Slender
{
    double ratio[KNOTS], first[KNOTS], second[KNOTS];
} Slender;

static Slender MakeSlender(double nu, double lowest, int knots)
{
    Slender slender = { 0 };
    for (int k = 0; k < knots; ++k)
    {
        double frequency[MODES], ratio = lowest + 0.25 * k;
        Reference((Beam){ .length = ratio, .y = 1.0, .z = 1.0, .nu = nu, .held = true }, 1.0, frequency);
        slender.ratio[k] = ratio;
        slender.first[k] = frequency[0] * ratio * ratio;
        slender.second[k] = SecondBending(frequency) * ratio * ratio;
    }
    return slender;
}

static double Between(const double* x, const double* y, int count, double at)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
    {
        double weight = 1.0;
        for (int j = 0; j < count; ++j)
        {
            weight *= j == i ? 1.0 : (at - x[j]) / (x[i] - x[j]);
        }
        sum += weight * y[i];
    }
    return sum;
}

static void Cantilever(void** unused)
{
    (void)unused;
    // nu, spacing, bars of f1, f2
    static const double cases[][4] = { { 0.25, 0.25, 0.0025, 0.005 }, { 0.25, 0.5, 0.01, 0.02 } };
    int knots = Proving() ? KNOTS : 1;
    Slender slender = MakeSlender(0.25, 2.75, knots);
    for (int c = 0; c < 2; ++c)
    {
        double worst[2] = { 0.0, 0.0 }, most = 1.0, full;
        double frequency[MODES];
        Beam beam = { .length = 4.0, .y = 1.0, .z = 1.0, .nu = cases[c][0], .spacing = cases[c][1], .held = true };
        beam.model = BrickModel(rsl_corotationalElement, 0.5);
        BeamModes(&beam, 1, frequency, &full);
        for (int n = 0; n < (Proving() ? 10 : 1); ++n)
        {
            double step, t = Proving() ? 1.02 + 0.43 * n / 9.0 : 4.0 / 2.75, ratio = 4.0 / t;
            beam.y = beam.z = t;
            BeamModes(&beam, MODES, frequency, &step);
            double scale = 1.0 / (t * ratio * ratio);
            double first = frequency[0] / (scale * Between(slender.ratio, slender.first, knots, ratio)) - 1.0;
            double second =
                SecondBending(frequency) / (scale * Between(slender.ratio, slender.second, knots, ratio)) - 1.0;
            print_message("a %.2f, t %.3f: f1 %+.3f %%, second bending %+.3f %%, step / %.3f\n", beam.spacing, t,
                          100.0 * first, 100.0 * second, full / step);
            worst[0] = Worse(worst[0], fabs(first));
            worst[1] = Worse(worst[1], fabs(second));
            most = Worse(most, full / step);
        }
        char what[2][80];
        snprintf(what[0], sizeof what[0], "brick: f1 of a cantilever 4 x t x t, a = %g", cases[c][1]);
        snprintf(what[1], sizeof what[1], "brick: second bending of a cantilever 4 x t x t, a = %g", cases[c][1]);
        assert_proved(what[0], worst[0], cases[c][2]);
        assert_proved(what[1], worst[1], cases[c][3]);
        assert_at_most(most, 1.15);
    }
}

// Cells filled from next to nothing to one half.
static void Slivers(void** unused)
{
    (void)unused;
    static const double fractions[] = { 0.005, 0.35, 0.5, 0.1, 0.02, 0.05, 0.099, 0.101, 0.2, 1e-6 };
    double worst = 0.0, most = 0.0, full, frequency[MODES];
    Slender slender = MakeSlender(0.25, 3.25, 4);
    Beam beam = { .length = 4.0, .y = 1.0, .z = 1.0, .nu = 0.25, .spacing = 0.25, .held = true };
    beam.model = BrickModel(rsl_corotationalElement, 0.5);
    BeamModes(&beam, 1, frequency, &full);
    for (int n = 0; n < (Proving() ? 10 : 2); ++n)
    {
        double step, t = 1.0 + fractions[n] * beam.spacing, ratio = 4.0 / t;
        beam.flush = true;
        beam.y = beam.z = t;
        BeamModes(&beam, 6, frequency, &step);
        double expected = Between(slender.ratio, slender.first, 4, ratio) / (t * ratio * ratio);
        print_message("filled %g: f1 %+.3f %%, step / %.3f\n", fractions[n], 100.0 * (frequency[0] / expected - 1.0),
                      full / step);
        worst = Worse(worst, fabs(frequency[0] / expected - 1.0));
        most = Worse(most, full / step);
    }
    assert_proved("brick: f1 with cells filled from 0.5 to 50 %", worst, 0.002);
    assert_proved("brick: the stable step is divided by, aligned slivers", most, 1.15);
}

// ---- any orientation ------------------------------------------------------------------------------------------------

// Of numbers near 1: sums of what they have beside it.
typedef struct Spread
{
    double sum, square;
    int count;
} Spread;

static void AddTo(Spread* spread, double x)
{
    spread->sum += x - 1.0;
    spread->square += (x - 1.0) * (x - 1.0);
    ++spread->count;
}

static double MeanOf(const Spread* spread)
{
    return 1.0 + spread->sum / spread->count;
}

static double Deviation(const Spread* spread)
{
    double mean = spread->sum / spread->count, variance = spread->square / spread->count - mean * mean;
    return variance < 0.0 ? 0.0 : sqrt(variance);
}

static void TurnBar(Beam beam, int turns, uint64_t seed, Spread* first, Spread* young, double* most)
{
    double reference[MODES], frequency[MODES], full;
    Random random = MakeRandom(seed);
    Reference(beam, beam.z, reference);
    beam.model = BrickModel(rsl_corotationalElement, 0.5);
    BeamModes(&beam, 1, frequency, &full);
    for (int n = 0; n < turns; ++n)
    {
        double step, modulus, poisson;
        beam.orientation = (rslRotationDef){ NextVec3(&random, 1.0), NextBetween(&random, 5.0, 175.0) };
        BeamModes(&beam, 2, frequency, &step);
        AddTo(first, frequency[0] / reference[0]);
        *most = fmax(*most, full / step);
        Bar bar = { .size = { beam.length, beam.y, beam.z },
                    .spacing = beam.spacing,
                    .orientation = beam.orientation,
                    .nu = beam.nu,
                    .floor = 0.5 };
        OpenBar(&bar);
        StartBar(&bar);
        PullFaces(&bar, 200);
        Relax(&bar);
        Moduli(&bar, &modulus, &poisson);
        CloseBar(&bar);
        AddTo(young, modulus);
    }
    print_message("%g x %g x %g, a %g, nu %g: f1 %.4f sd %.4f, E %.6f sd %.2g, step / %.3f\n", beam.length, beam.y,
                  beam.z, beam.spacing, beam.nu, MeanOf(first), Deviation(first), MeanOf(young), Deviation(young),
                  *most);
}

static void Orientations(void** unused)
{
    (void)unused;
    Spread first = { 0 }, young = { 0 };
    double most = 1.0;
    Beam beam = { .length = 4.0, .y = 1.0, .z = 1.0, .nu = 0.25, .spacing = 0.25 };
    TurnBar(beam, Proving() ? 30 : 3, 21, &first, &young, &most);
    assert_proved("brick: E of a bar in turned lattices, deviation", Deviation(&young), 1e-4);
    assert_proved("brick: E of a bar in turned lattices, mean off 1", fabs(MeanOf(&young) - 1.0), 1e-4);
    assert_proved("brick: f1 of a free bar in turned lattices, deviation", Deviation(&first), 0.010);
    assert_proved("brick: f1 of a free bar in turned lattices, mean off 0.9925", fabs(MeanOf(&first) - 0.9925), 0.0125);
    assert_proved("brick: the stable step is divided by, turned lattices", most, 2.0);
    // another section, another material; two cells across
    for (int other = 0; Proving() && other < 3; ++other)
    {
        static const Beam others[] = {
            { .length = 4.0, .y = 1.0, .z = 1.0, .nu = 0.25, .spacing = 0.5 },
            { .length = 3.0, .y = 1.5, .z = 0.75, .nu = 0.4, .spacing = 0.1875 },
            { .length = 3.0, .y = 1.5, .z = 0.75, .nu = -0.3, .spacing = 0.1875 },
        };
        Spread f = { 0 }, e = { 0 };
        double shrunk = 1.0;
        TurnBar(others[other], 12, 22 + (uint64_t)other, &f, &e, &shrunk);
        assert_at_most(Deviation(&e), 1e-4);
        assert_at_most(Deviation(&f), other == 0 ? 0.03 : 0.010);
        assert_at_most(shrunk, 2.0);
    }
}

// With dipoles, bending and torsion of a free bar.
static void Dipoles(void** unused)
{
    (void)unused;
    double reference[MODES], frequency[MODES], worst[2] = { 0.0, 0.0 };
    Random random = MakeRandom(31);
    for (int test = 0; test < (Proving() ? 8 : 2); ++test)
    {
        Beam beam = {
            .length = 4.0, .y = 1.0, .z = 1.0, .nu = Proving() && test % 2 == 1 ? 0.45 : 0.25, .spacing = 0.25
        };
        Reference(beam, 1.0, reference);
        beam.model = BrickModel(rsl_corotationalElement, 0.5);
        beam.model.dipole = true;
        beam.orientation =
            (rslRotationDef){ NextVec3(&random, 1.0), test < 2 ? 0.0 : NextBetween(&random, 5.0, 175.0) };
        beam.orientation.angle = !Proving() && test == 1 ? 33.0 : beam.orientation.angle;
        BeamModes(&beam, 3, frequency, NULL);
        double bending = frequency[0] / reference[0] - 1.0, torsion = frequency[2] / reference[2] - 1.0;
        print_message("nu %g, %s: bending %+.2f %%, torsion %+.2f %%\n", beam.nu,
                      beam.orientation.angle == 0.0 ? "aligned" : "turned", 100.0 * bending, 100.0 * torsion);
        worst[0] = Worse(worst[0], fabs(bending));
        worst[1] = Worse(worst[1], fabs(torsion));
    }
    assert_proved("brick with dipoles: bending of a free bar, 4 cells across", worst[0], 0.02);
    assert_proved("brick with dipoles: torsion of a free bar, 4 cells across", worst[1], 0.02);
}

// Bricks between the nodes of a centred lattice: first bending of a free bar.
static void Centred(void** unused)
{
    (void)unused;
    static const double ratios[] = { 0.25, 0.0, 0.45 };
    double worst = 0.0, reference[MODES], frequency[MODES];
    for (int n = 0; n < (Proving() ? 6 : 1); ++n)
    {
        Beam beam = { .length = 4.0, .y = 1.0, .z = 1.0, .nu = ratios[n % 3], .spacing = n < 3 ? 0.25 : 0.22 };
        Reference(beam, 1.0, reference);
        beam.model = BrickModel(rsl_corotationalElement, 0.5);
        beam.centred = true;
        BeamModes(&beam, 3, frequency, NULL);
        print_message("centred, a %g, nu %g: bending %+.2f %%, torsion %+.2f %%\n", beam.spacing, beam.nu,
                      100.0 * (frequency[0] / reference[0] - 1.0), 100.0 * (frequency[2] / reference[2] - 1.0));
        worst = Worse(worst, fabs(frequency[0] / reference[0] - 1.0));
    }
    assert_proved("brick: centred lattice, f1 of a free bar", worst, 0.015);
}

// ---- a ball ---------------------------------------------------------------------------------------------------------

// Five torsional modes T2, w R / c_s = 2.5011, and five spheroidal modes S2, 2.6390, at nu = 1/4.
static void Ball(void** unused)
{
    (void)unused;
    rslShapeDef shape = BallShape(1.0);
    rslBodyDef body = LatticeBody("ball", &shape, 0.25);
    double frequency[10], speed = sqrt(0.4);
    body.material.young = body.material.density = 1.0;
    body.model = BrickModel(rsl_corotationalElement, 0.5);
    Spread torsion = { 0 }, swelling = { 0 };
    // the centre is a node, the centre of a cell, a node
    static const double spacings[] = { 0.25, 0.24, 0.255 };
    for (int test = 0; test < (Proving() ? 3 : 1); ++test)
    {
        body.network.spacing = spacings[test];
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        Frequencies(&scene, 10, frequency, NULL);
        for (int m = 0; m < 10; ++m)
        {
            AddTo(m < 5 ? &torsion : &swelling, 2.0 * PI * frequency[m] / speed / (m < 5 ? 2.5011 : 2.6390));
        }
    }
    print_message("T2 %.4f sd %.4f, S2 %.4f sd %.4f\n", MeanOf(&torsion), Deviation(&torsion), MeanOf(&swelling),
                  Deviation(&swelling));
    assert_proved("brick: ball of 4 cells, T2 off 0.945", fabs(MeanOf(&torsion) - 0.945), 0.010);
    assert_proved("brick: ball of 4 cells, S2 off 0.985", fabs(MeanOf(&swelling) - 0.985), 0.005);
    assert_proved("brick: ball of 4 cells, deviation within a family", fmax(Deviation(&torsion), Deviation(&swelling)),
                  0.004);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Cantilever), cmocka_unit_test(Slivers), cmocka_unit_test(Orientations),
        cmocka_unit_test(Dipoles),    cmocka_unit_test(Centred), cmocka_unit_test(Ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
