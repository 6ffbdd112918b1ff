// SPDX-License-Identifier: MIT
//
// test_touch_slide.c: a soft box on a plane: how far it slides, what it does on slopes, what it presses with; and on another box,
// pushed across the rows of its nodes. With the default, and with the schemes of the literature beside it.

#include "contact_scene.h"

#define DENSITY 1000.0
#define LENGTH 0.2
#define HEIGHT 0.1

typedef struct Slide
{
    const char* scheme;
    int cells;  // of the height
    double mu, speed, young, restitution, zeta;
    double fraction;  // of the stable step; 0: 0.15
} Slide;

// A box on the ground. Gravity comes as loads, which can be turned on slowly.
static void WriteBox(Scene* s, const Slide* slide, double seconds)
{
    double damping = DampingFor(slide->zeta, slide->young, DENSITY, HEIGHT);
    Write(s,
          "ground: {friction: %.17g}\ncontact: {scheme: %s, restitution: %g}\ntime: {duration: %g, fraction: %g}\n"
          "bodies:\n  - {name: box, model: springs, shape: {type: box, size: [%g, %g, %g], translate: [0, 0, %g]}, "
          "network: {type: lattice, spacing: %.17g}, material: {young: %g, poisson: 0.25, density: %g, "
          "stiffness_damping: %.17g}}\n",
          slide->mu, slide->scheme, slide->restitution, seconds, slide->fraction > 0.0 ? slide->fraction : 0.15, LENGTH,
          HEIGHT, HEIGHT, HEIGHT / 2.0, HEIGHT / slide->cells, slide->young, DENSITY, damping);
}

// ---- how far ----------------------------------------------------------------------------------------------------------

// Settled first, then pushed off. d / (v0^2 / 2 mu g) - 1
static double SlideError(const Slide* slide)
{
    double theory = slide->speed * slide->speed / (2.0 * slide->mu * GRAVITY),
           time = slide->speed / (slide->mu * GRAVITY);
    Scene s = { 0 };
    WriteBox(&s, slide, 10.0);
    Run run = Start(&s);
    double settle = Proving() ? 1.0 : 0.2;
    StepTo(&run, settle);
    double from = MotionOf(&run, 0).centre.x;
    AddVelocity(&run, 0, (rslVec3){ slide->speed, 0.0, 0.0 });
    StepTo(&run, settle + 1.05 * time + (Proving() ? 0.3 : 0.02));
    double distance = MotionOf(&run, 0).centre.x - from;
    EndRun(&run);
    return distance / theory - 1.0;
}

static double SpreadOf(const double* values, int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; ++i)
    {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    return high - low;
}

// Three resolutions of twelve variations; the worst error and the worst spread between resolutions.
static void SlideAll(const char* scheme, double* worst, double* spread)
{
    static const int cells[] = { 1, 2, 4 };
    static const double pairs[][2] = { { 0.3, 3.0 }, { 0.3, 1.0 }, { 0.6, 3.0 } };
    int variations = Proving() ? 12 : 1, resolutions = Proving() ? 3 : 2;
    *worst = *spread = 0.0;
    for (int v = 0; v < variations; ++v)
    {
        double errors[3];
        for (int r = 0; r < resolutions; ++r)
        {
            const double* pair = pairs[Proving() ? v % 3 : 1];
            Slide slide = { scheme, cells[r], pair[0], pair[1], v / 3 % 2 == 0 ? 1e5 : 4e5, v / 6 == 0 ? 1.0 : 0.5,
                            0.1,    0.0 };
            errors[r] = SlideError(&slide);
            *worst = Worse(*worst, fabs(errors[r]));
        }
        *spread = Worse(*spread, SpreadOf(errors, resolutions));
    }
}

static void Distances(void** unused)
{
    (void)unused;
    double worst, spread;
    SlideAll("predictive", &worst, &spread);
    assert_proved("sliding distance, predictive: worst error", worst, 0.003);
    assert_proved("sliding distance, predictive: worst spread", spread, 0.002);
    for (int s = PLAIN; Proving() && s < IMPULSE_SCHEMES; ++s)
    {
        SlideAll(impulseSchemes[s], &worst, &spread);
        printf("prove: sliding distance, %s: worst error, spread | %.3g, %.3g | shown | pass\n", impulseSchemes[s],
               worst, spread);
        fflush(stdout);
    }
}

// E at which friction shears a box by a part of the way that it slides: mu rho g H^2 / 2 G = part d. What sticks and springs back
// at its start and its end is of that order, whatever the scheme and the step are.
static double StiffFor(double mu, double speed, double part)
{
    double distance = speed * speed / (2.0 * mu * GRAVITY);
    return 2.5 * mu * DENSITY * GRAVITY * HEIGHT * HEIGHT / (2.0 * part * distance);
}

static void OtherSlides(void** unused)
{
    static const double mus[] = { 0.05, 0.1, 0.2, 0.5, 0.8, 1.0, 1.5 };
    double worst = 0.0, apart = 0.0, soft[2];
    (void)unused;
    for (int i = Proving() ? 0 : 5; i < (Proving() ? 7 : 6); ++i)
    {
        double mu = mus[i], speed = mu < 0.5 ? 1.0 : 3.0, zeta = mu < 1.0 ? 0.1 : mu < 1.2 ? 0.25 : 0.5;
        for (int cells = 1; cells <= (Proving() ? 4 : 1); cells *= 2)
        {
            Slide slide = { "predictive", cells, mu, speed, StiffFor(mu, speed, 5e-4), 1.0, zeta, 0.0 };
            double error = SlideError(&slide);
            print_message("# mu %g, %g m/s, %d cells, E %.3g Pa: %+.5f\n", mu, speed, cells, slide.young, error);
            worst = Worse(worst, fabs(error));
        }
    }
    for (int i = 0; Proving() && i < 4; ++i)
    {
        Slide slide = { "predictive", i < 2 ? 2 : 4, 0.8, 3.0, 1e5, 1.0, 0.1, i % 2 == 0 ? 0.15 : 0.03 };
        soft[i % 2] = SlideError(&slide);
        print_message("# mu 0.8, soft, %d cells, %g of the stable step: %+.5f\n", slide.cells, slide.fraction,
                      soft[i % 2]);
        apart = i % 2 == 1 ? Worse(apart, fabs(soft[0] - soft[1])) : apart;
    }
    assert_proved(Proving() ? "sliding distance, mu 0.05 to 1.5, sheared by 5e-4 of it: worst error"
                            : "sliding distance, mu 1, sheared by 5e-4 of it: error",
                  worst, 0.003);
    if (Proving())
    {
        assert_proved("the same, mu 0.8, sheared by 1.7e-3 of it: error beside that at a fifth of the step", apart,
                      1e-3);
    }
}

// ---- slopes -------------------------------------------------------------------------------------------------------------

// Gravity pressed on in half a second, turned to the side in the next two; then it is watched.
static Run StartSlope(const Slide* slide, double factor, double seconds)
{
    Scene s = { 0 };
    double angle = atan(slide->mu) * factor;
    Write(&s, "gravity: [0, 0, 0]\n");
    WriteBox(&s, slide, seconds);
    Write(
        &s,
        "loads:\n  - {type: acceleration, nodes: all, acceleration: [0, 0, %.17g], course: {type: ramp, duration: 0.5, "
        "smooth: true}}\n  - {type: acceleration, nodes: all, acceleration: [%.17g, 0, 0], course: {type: ramp, start: "
        "0.5, duration: 2, smooth: true}}\n",
        -GRAVITY * cos(angle), GRAVITY * sin(angle));
    return Start(&s);
}

// Over the length, in so many seconds after gravity is there.
static double CreepOf(const Slide* slide, double factor, double seconds)
{
    Run run = StartSlope(slide, factor, 3.0 + seconds);
    StepTo(&run, 3.0);
    double from = MotionOf(&run, 0).centre.x;
    StepTo(&run, 3.0 + seconds);
    double creep = fabs(MotionOf(&run, 0).centre.x - from) / LENGTH;
    EndRun(&run);
    return creep;
}

// Of the acceleration down the slope, [m/s2].
static double PullError(const Slide* slide, double factor, double* pull)
{
    Run run = StartSlope(slide, factor, 5.0);
    double angle = atan(slide->mu) * factor;
    *pull = GRAVITY * (sin(angle) - slide->mu * cos(angle));
    StepTo(&run, 3.0);
    double from = SpeedOf(&run, 0).x;
    StepTo(&run, Proving() ? 5.0 : 3.2);
    double measured = (SpeedOf(&run, 0).x - from) / (Proving() ? 2.0 : 0.2);
    EndRun(&run);
    return fabs(measured - *pull);
}

static void Slopes(void** unused)
{
    (void)unused;
    static const double mus[] = { 0.05, 0.3, 1.0 };
    for (int i = Proving() ? 0 : 1; i < (Proving() ? 3 : 2); ++i)
    {
        Slide slide = { "predictive", Proving() ? 2 : 1, mus[i], 0.0, 1e5, 1.0, mus[i] < 1.0 ? 0.1 : 0.25, 0.0 };
        char what[96];
        double pull;
        snprintf(what, sizeof what, "slope at 0.99, mu %g, predictive: creep over length", mus[i]);
        assert_proved(what, CreepOf(&slide, 0.99, Proving() ? 10.0 : 0.2), 1e-5);
        snprintf(what, sizeof what, "slope at 1.01, mu %g, predictive: error over g", mus[i]);
        assert_proved(what, PullError(&slide, 1.01, &pull) / GRAVITY, 5e-4);
        snprintf(what, sizeof what, "slope at 1.2, mu %g, predictive: relative error", mus[i]);
        double error = PullError(&slide, 1.2, &pull);
        assert_proved(what, error / pull, 0.005);
    }
    for (int s = PLAIN; Proving() && s < IMPULSE_SCHEMES; ++s)
    {
        Slide slide = { impulseSchemes[s], 2, 0.3, 0.0, 1e5, 1.0, 0.1, 0.0 };
        printf("prove: slope at 0.99, mu 0.3, %s: creep over length | %.3g | shown | pass\n", impulseSchemes[s],
               CreepOf(&slide, 0.99, 10.0));
        fflush(stdout);
    }
}

// ---- what presses ---------------------------------------------------------------------------------------------------------

static void Weight(void** unused)
{
    (void)unused;
    Slide slide = { "predictive", 2, 0.3, 0.0, 1e5, 1.0, 0.1, 0.0 };
    Scene s = { 0 };
    WriteBox(&s, &slide, 12.0);
    Run run = Start(&s);
    double settle = Proving() ? 2.0 : 0.5, watch = Proving() ? 10.0 : 0.2;
    double weight = MotionOf(&run, 0).mass * GRAVITY, noise = 0.0;
    StepTo(&run, settle);
    rslPush from = rslState_Push(run.model, run.state, 0, 0);
    rslMotion before = MotionOf(&run, 0);
    double begin = TimeOf(&run);
    while (TimeOf(&run) < settle + watch)
    {
        Step(&run, 1);
        rslTouchForce force = rslState_TouchForce(run.model, run.state, 0, 0);
        noise = Worse(noise, fabs(force.force.z / weight - 1.0));
    }
    double span = TimeOf(&run) - begin;
    rslPush to = rslState_Push(run.model, run.state, 0, 0);
    rslMotion after = MotionOf(&run, 0);
    double mean = (to.normal.z - from.normal.z) / span;
    assert_proved("weight of a box at rest, predictive: mean force", fabs(mean / weight - 1.0), 1e-4);
    double momentum = after.momentum.z - before.momentum.z - (to.normal.z - from.normal.z) + weight * span;
    assert_proved("momentum of a box at rest: what impulses and weight leave, over weight times time",
                  fabs(momentum) / (weight * span), 1e-12);
    assert_proved("weight of a box at rest, predictive: from step to step", noise, Proving() ? 1e-3 : 0.05);
    // where it acts: below the middle
    rslTouchForce force = rslState_TouchForce(run.model, run.state, 0, 0);
    assert_close(force.point.x, after.centre.x, 1e-6);
    assert_close(force.point.z, 0.0, 1e-6);
    double* nodes = malloc(3 * (size_t)run.model->nodeCount * sizeof(double));
    assert_int_equal(rslState_TouchForces(run.model, run.state, nodes, NULL), rsl_ok);
    double sum = 0.0;
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        sum += nodes[3 * i + 2];
    }
    assert_close(sum, force.force.z, 1e-12 * weight);
    free(nodes);
    EndRun(&run);
}

// ---- box on box -----------------------------------------------------------------------------------------------------------

// A cube of three cells on a slab of other cells, pulled with 1.3 times what friction holds, across rows of nodes.
static Run StartAcross(const char* scheme, double mu, double restitution, double seconds)
{
    Scene s = { 0 };
    double damping = DampingFor(0.1, 1e6, DENSITY, HEIGHT);
    Write(&s,
          "ground: {friction: 2}\ncontact: {scheme: %s, bodies: all, friction: %g, restitution: %g}\ntime: {duration: "
          "%g, "
          "fraction: 0.2}\nbodies:\n",
          scheme, mu, restitution, seconds);
    const char* form =
        "  - {name: %s, model: springs, shape: {type: box, size: [%g, %g, %g], translate: [%g, 0, %g]}, network: "
        "{type: "
        "lattice, spacing: %.17g}, material: {young: 1e6, poisson: 0.25, density: %g, stiffness_damping: %.17g}}\n";
    Write(&s, form, "slab", 0.4, 0.16, 0.08, 0.0, 0.04, 0.04, DENSITY, damping);
    Write(&s, form, "cube", 0.1, 0.1, 0.1, -0.11, 0.13, 0.1 / 3.0, DENSITY, damping);
    Write(&s,
          "loads:\n  - {type: acceleration, nodes: {body: cube}, acceleration: [%.17g, 0, 0], course: {type: ramp, "
          "start: "
          "0.3, duration: 0.2, smooth: true}}\n",
          1.3 * mu * GRAVITY);
    return Start(&s);
}

// Friction over mu times the weight, minus 1: the worst of windows of 50 ms. More than a row of the slab is passed.
static double AcrossError(const char* scheme, double mu, double restitution, double* passed)
{
    Run run = StartAcross(scheme, mu, restitution, 2.0);
    double weight = MotionOf(&run, 1).mass * GRAVITY, worst = 0.0,
           end = 1.1;  // then its front passes the end of the slab
    int bodies = run.model->colliderCount;
    StepTo(&run, 0.55);
    double from = MotionOf(&run, 1).centre.x;
    rslPush before = rslState_Push(run.model, run.state, 1, bodies);
    for (double time = 0.6; time <= end + 1e-9; time += 0.05)
    {
        double begin = TimeOf(&run);
        StepTo(&run, time);
        rslPush after = rslState_Push(run.model, run.state, 1, bodies);
        double force =
            -(after.friction.x + after.normal.x - before.friction.x - before.normal.x) / (TimeOf(&run) - begin);
        worst = Worse(worst, fabs(force / (mu * weight) - 1.0));
        before = after;
    }
    *passed = (MotionOf(&run, 1).centre.x - from) / 0.04;
    EndRun(&run);
    return worst;
}

static void Across(void** unused)
{
    (void)unused;
    double passed;
    if (!Proving())
    {
        Run run = StartAcross("predictive", 0.4, 1.0, 2.0);  // faces on each other are no overlap
        EndRun(&run);
        return;
    }
    for (int s = PLAIN; s < IMPULSE_SCHEMES; ++s)
    {
        double worst = AcrossError(impulseSchemes[s], 0.4, 1.0, &passed);
        printf("prove: a box across rows of another, %s: friction in 50 ms | %.3g | shown | pass\n", impulseSchemes[s],
               worst);
        fflush(stdout);
    }
    double worst = AcrossError("predictive", 0.4, 1.0, &passed);
    assert_true(passed > 2.0);
    assert_proved("a box across rows of another, predictive: friction in 50 ms", worst, 0.01);
}

// ---- box on a mesh ----------------------------------------------------------------------------------------------------------

enum
{
    ALONG = 24,
    SIDEWAYS = 9,
    LAYER = (ALONG + 1) * (SIDEWAYS + 1)
};

static int GridAt(int layer, int i, int j)
{
    return layer * LAYER + i * (SIDEWAYS + 1) + j;
}

static void WriteSide(Scene* s, int a, int b)
{
    Write(s, ", [%d, %d, %d], [%d, %d, %d]", b, a, a + LAYER, b, a + LAYER, b + LAYER);
}

// A plate of uneven triangles, 0.8 x 0.3 x 0.1 m, with its top at z = 0.
static void WritePlate(Scene* s, double mu)
{
    Random random = MakeRandom(3);
    Write(s, "colliders:\n  - {name: plate, friction: %g, shape: {type: mesh, vertices: [", mu);
    for (int v = 0; v < 2 * LAYER; ++v)
    {
        int i = v % LAYER / (SIDEWAYS + 1), j = v % (SIDEWAYS + 1);
        double off = i > 0 && i < ALONG && j > 0 && j < SIDEWAYS ? 0.008 : 0.0;
        Write(s, "%s[%.6g, %.6g, %g]", v == 0 ? "" : ", ", -0.2 + 0.8 * i / ALONG + NextBetween(&random, -off, off),
              -0.15 + 0.3 * j / SIDEWAYS + NextBetween(&random, -off, off), v < LAYER ? 0.0 : -0.1);
    }
    Write(s, "], triangles: [");
    for (int c = 0; c < ALONG * SIDEWAYS; ++c)
    {
        int i = c / SIDEWAYS, j = c % SIDEWAYS;
        int p[2][4];
        for (int l = 0; l < 2; ++l)
        {
            p[l][0] = GridAt(l, i, j);
            p[l][1] = GridAt(l, i + 1, j);
            p[l][2] = GridAt(l, i + 1, j + 1);
            p[l][3] = GridAt(l, i, j + 1);
        }
        Write(s, "%s[%d, %d, %d], [%d, %d, %d], [%d, %d, %d], [%d, %d, %d]", c == 0 ? "" : ", ", p[0][0], p[0][1],
              p[0][2], p[0][0], p[0][2], p[0][3], p[1][0], p[1][2], p[1][1], p[1][0], p[1][3], p[1][2]);
    }
    for (int i = 0; i < ALONG; ++i)
    {
        WriteSide(s, GridAt(0, i, 0), GridAt(0, i + 1, 0));
        WriteSide(s, GridAt(0, i + 1, SIDEWAYS), GridAt(0, i, SIDEWAYS));
    }
    for (int j = 0; j < SIDEWAYS; ++j)
    {
        WriteSide(s, GridAt(0, ALONG, j), GridAt(0, ALONG, j + 1));
        WriteSide(s, GridAt(0, 0, j + 1), GridAt(0, 0, j));
    }
    Write(s, "]}}\n");
}

// A cube pulled over it with a little more than friction holds: its vertices pass from triangle to triangle all the time.
static void OverAMesh(void** unused)
{
    (void)unused;
    double mu = 0.4, worst = 0.0, end = Proving() ? 1.9 : 0.6;
    Scene s = { 0 };
    Write(&s, "contact: {friction: %g}\ntime: {duration: 3, fraction: 0.2}\n", mu);
    WritePlate(&s, mu);
    Write(&s,
          "bodies:\n  - {name: cube, model: springs, shape: {type: box, size: [0.1, 0.1, 0.1], rotate: 17, translate: "
          "[-0.08, 0, 0.05]}, network: {type: lattice, spacing: %.17g, orientation: 17}, material: {young: 1e6, "
          "poisson: 0.25, density: 1000, stiffness_damping: %.17g}}\n"
          "loads:\n  - {type: acceleration, nodes: {body: cube}, acceleration: [%.17g, 0, 0], course: {type: ramp, "
          "start: 0.2, duration: 0.2, smooth: true}}\n",
          Proving() ? 0.025 : 0.05, DampingFor(0.1, 1e6, DENSITY, HEIGHT), 1.05 * mu * GRAVITY);
    Run run = Start(&s);
    double weight = MotionOf(&run, 0).mass * GRAVITY;
    StepTo(&run, 0.5);
    rslPush before = rslState_Push(run.model, run.state, 0, 0);
    for (double time = 0.55; time <= end + 1e-9; time += 0.05)
    {
        double begin = TimeOf(&run);
        StepTo(&run, time);
        rslPush after = rslState_Push(run.model, run.state, 0, 0);
        double force = before.friction.x + before.normal.x - after.friction.x - after.normal.x;
        worst = Worse(worst, fabs(force / (TimeOf(&run) - begin) / (mu * weight) - 1.0));
        before = after;
    }
    assert_true(SpeedOf(&run, 0).x > 0.0);
    assert_proved("a box over the triangles of a mesh, predictive: friction in 50 ms", worst, 0.01);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Distances), cmocka_unit_test(OtherSlides), cmocka_unit_test(Slopes),
        cmocka_unit_test(Weight),    cmocka_unit_test(Across),      cmocka_unit_test(OverAMesh),
    };
    return cmocka_run_group_tests_name("touch_slide", tests, NULL, NULL);
}
