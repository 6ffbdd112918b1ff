// SPDX-License-Identifier: MIT
//
// test_touch_cloth.c: cloth that settles on soft bodies and on itself never gains energy (RSL_TELL=1 shows how much of it moves in the
// end). Drawn at random: bands that tighten around balls; squares that fall on balls, rings and boxes which lie on the ground; tubes that
// collapse on the ground.

#include "contact_scene.h"

enum
{
    BAND,
    ON_BALL,
    ON_RING,
    ON_BOX,
    COLLAPSE,
    KINDS
};

static const char* const names[KINDS] = { "a band around a ball", "a square on a ball", "a square on a ring",
                                          "a square on a box", "a tube on itself" };

#define TIGHT 0.1  // [s]: bands have come to their length

typedef struct Cloth
{
    double young, thickness, spacing;
    double damping;  // of stiffness [s]
} Cloth;

static void WriteSheet(Scene* s, const Cloth* cloth, const char* grid, const char* place)
{
    Write(s,
          "  - name: cloth\n    network: {type: sheet, %s, spacing: %.6g, thickness: %.6g, %s}\n    model: springs\n"
          "    material: {young: %.6g, poisson: 0.3333, density: 1000, mass_damping: 1, stiffness_damping: %.6g}\n",
          grid, cloth->spacing, cloth->thickness, place, cloth->young, cloth->damping);
}

static Run StartCloth(int kind, Random* random)
{
    static const char* const shapes[KINDS] = {
        "type: sphere, radius: 0.1", "type: sphere, radius: 0.1, translate: [0, 0, 0.1]",
        "type: torus, radius: 0.09, tube_radius: 0.045, translate: [0, 0, 0.045]",
        "type: box, size: [0.18, 0.14, 0.1], translate: [0, 0, 0.05]", ""
    };
    static const double tops[KINDS] = { 0.0, 0.2, 0.09, 0.1, 0.0 };
    Cloth cloth = { .young = NextBetween(random, 5e4, 5e5),
                    .thickness = NextBetween(random, 0.5e-3, 2e-3),
                    .spacing = NextBetween(random, 0.024, 0.034),
                    .damping = NextBetween(random, 1e-4, 1e-3) };
    bool band = kind == BAND;
    double mu = NextBetween(random, 0.0, 0.8), turn = NextBetween(random, 0.0, 90.0);
    char place[160], grid[80];
    Scene s = { 0 };
    Write(&s, "gravity: [0, 0, %g]\ncontact: {bodies: all, self: true, friction: %.6g}\ntime: {duration: 2}\n",
          band ? 0.0 : -GRAVITY, mu);
    Write(&s, band ? "" : "ground: {friction: %.6g}\n", mu);
    Write(&s, "bodies:\n");
    if (kind != COLLAPSE)
    {
        Write(&s,
              "  - name: body\n    shape: {%s}\n    network: {spacing: %.6g, antialias: true}\n    model: springs\n"
              "    material: {young: %.6g, poisson: 0.25, density: 1000, mass_damping: 2, stiffness_damping: 1e-3}\n",
              shapes[kind], NextBetween(random, 0.03, 0.04), NextBetween(random, 1e4, 4e4));
    }
    snprintf(grid, sizeof grid,
             kind == BAND       ? "tube: true, size: [0.66, 0.06]"
             : kind == COLLAPSE ? "tube: true, size: [0.4, 0.15]"
                                : "size: [0.28, 0.28]");
    if (band || kind == COLLAPSE)
    {
        snprintf(place, sizeof place, "rotate: {axis: [1, 0, 0], angle: %g}, translate: [0, 0, %g]", band ? 90.0 : 0.0,
                 band ? 0.0 : 0.08);
    }
    else
    {
        snprintf(place, sizeof place, "rotate: {axis: [0, 0, 1], angle: %.6g}, translate: [0, 0, %.6g]", turn,
                 tops[kind] + 0.01);
    }
    WriteSheet(&s, &cloth, grid, place);
    if (band)
    {
        Write(&s,
              "constraints:\n  - {type: pin, nodes: {body: body, type: box, min: [-0.03, -0.03, -1], max: [0.03, 0.03, "
              "1]}}\n"
              "drives:\n  - {nodes: {body: cloth}, strain: %.6g, course: {type: ramp, duration: %g, smooth: true}}\n",
              NextBetween(random, -0.3, -0.15), TIGHT);
    }
    return Start(&s);
}

typedef struct Course
{
    double grown;  // above the least before, over all that was there
    double rest;   // kinetic energy at the end, likewise
} Course;

static Course Watch(Run* run, int kind, double seconds)
{
    Course course = { 0 };
    StepTo(run, kind == BAND ? TIGHT : 0.0);
    double least = rslSolver_Energy(run->solver, run->state).total, first = least;
    while (TimeOf(run) < seconds)
    {
        Step(run, 1);
        double energy = rslSolver_Energy(run->solver, run->state).total;
        course.grown = Worse(course.grown, (energy - least) / first);
        least = fmin(least, energy);
    }
    course.rest = rslSolver_Energy(run->solver, run->state).kinetic / first;
    return course;
}

static void Settle(void** unused)
{
    (void)unused;
    int seeds = getenv("RSL_SEEDS") != NULL ? atoi(getenv("RSL_SEEDS")) : Proving() ? 3 : 1;
    double seconds = Proving() ? 0.6 : 0.25;
    for (int k = 0; k < KINDS; ++k)
    {
        Course worst = { 0 };
        for (int seed = 1; seed <= seeds; ++seed)
        {
            Random random = MakeRandom((uint64_t)(100 * seed + k));
            Run run = StartCloth(k, &random);
            Course course = Watch(&run, k, seconds);
            if (getenv("RSL_TELL") != NULL)
            {
                printf("%s, %d: %d nodes, %d steps and parts, grown %.3g, kinetic %.3g\n", names[k], seed,
                       run.model->nodeCount, (int)(run.state->stepCount + run.state->guard.substeps), course.grown,
                       course.rest);
                fflush(stdout);
            }
            worst.grown = Worse(worst.grown, course.grown);
            worst.rest = Worse(worst.rest, course.rest);
            EndRun(&run);
        }
        char what[96];
        snprintf(what, sizeof what, "%s: growth of energy, over all of it", names[k]);
        // 5e-7 at most; Verlet's energy swings by 2e-5 where a ring lands in a whole step. Where shifts cost nothing, bands gain 2e-4 and
        // squares on boxes 9e-2
        assert_proved(what, worst.grown, k == ON_RING ? 1e-4 : 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(Settle) };
    return cmocka_run_group_tests_name("touch_cloth", tests, NULL, NULL);
}
