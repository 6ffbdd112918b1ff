// SPDX-License-Identifier: MIT
//
// test_touch_published.c: schemes of the literature: the energy of a bouncing point, momentum, impulses that are left for the next
// step, going on from a saved state.

#include "contact_scene.h"
#include "sanitized.h"

static Run StartPoint(const char* scheme, double restitution, double step)
{
    Scene s = { 0 };
    Write(&s,
          "ground: {friction: 0.3}\ncontact: {scheme: %s, restitution: %g}\ntime: {duration: 1, step: %g}\nbodies:\n"
          "  - {name: point, model: springs, network: {type: explicit, nodes: [[0, 0, 1]], masses: 2}, skin: spheres, "
          "radius: 0.1}\n",
          scheme, restitution, step);
    return Start(&s);
}

static bool IsLeft(const Run* run)
{
    bool left = false;
    for (int t = 0; t < run->state->touchedCount; ++t)
    {
        const double* kept = run->state->touched[t].kept;
        left = left || kept[0] != 0.0 || kept[1] != 0.0 || kept[2] != 0.0;
    }
    return left;
}

// Read where nothing is left for the next step.
static void Energy(void** unused)
{
    (void)unused;
    for (int s = PLAIN; s < IMPULSE_SCHEMES; ++s)
    {
        Run run = StartPoint(impulseSchemes[s], 1.0, 0.01);
        double start = rslSolver_Energy(run.solver, run.state).total, worst = 0.0;
        int steps = Proving() ? 300000 : FewerWhenSanitized(20000), bounces = 0;
        for (int k = 0; k < steps; ++k)
        {
            Step(&run, 1);
            bounces += run.state->touchedCount;
            if (!IsLeft(&run))
            {
                worst = Worse(worst, fabs(rslSolver_Energy(run.solver, run.state).total / start - 1.0));
            }
        }
        char what[96];
        snprintf(what, sizeof what, "bouncing point, energy, %s", impulseSchemes[s]);
        assert_proved(what, worst, 1e-11);
        assert_true(bounces > steps / 200);
        EndRun(&run);
    }
}

// With e < 1 the second half of each kick is never answered: v = e (h g / 2 - v) - h g / 2, and a body sinks for ever.
static void Sinks(void** unused)
{
    (void)unused;
    Run run = StartPoint("plain", 0.5, 0.01);
    Step(&run, 1000);
    double from = PositionOf(&run, 0).z;
    Step(&run, 1000);
    assert_close((from - PositionOf(&run, 0).z) / 10.0, 0.5 / 1.5 * 0.5 * 0.01 * GRAVITY, 1e-9);
    EndRun(&run);
}

// What is left comes although the touch is not found any more.
static void Left(void** unused)
{
    (void)unused;
    for (int s = OVERLAP; s < IMPULSE_SCHEMES; ++s)
    {
        Run run = StartPoint(impulseSchemes[s], 1.0, 0.01);
        for (int k = 0; k < 100 && !IsLeft(&run); ++k)
        {
            Step(&run, 1);
        }
        assert_true(IsLeft(&run));
        double left = run.state->touched[0].kept[2], before = VelocityOf(&run, 0).z;
        double pushed = rslState_Push(run.model, run.state, 0, 0).normal.z;
        assert_true(left > 1.0);
        rslState_SetPosition(run.model, run.state, 0, (rslVec3){ 0.0, 0.0, 5.0 });
        Step(&run, 1);
        assert_close(VelocityOf(&run, 0).z, before + left / 2.0 - 0.01 * GRAVITY, 1e-12);
        assert_close(rslState_Push(run.model, run.state, 0, 0).normal.z - pushed, left, 1e-12);
        assert_false(IsLeft(&run));
        EndRun(&run);
    }
}

// Two boxes thrown at each other above the ground, one turned.
static Run StartBoxes(const char* scheme)
{
    Scene s = { 0 };
    Write(&s,
          "ground: {friction: 0.4}\ncontact: {scheme: %s, bodies: all, friction: 0.3}\ntime: {duration: 1, fraction: "
          "0.5}\nbodies:\n",
          scheme);
    for (int b = 0; b < 2; ++b)
    {
        Write(
            &s,
            "  - {name: b%d, model: springs, shape: {type: box, size: [0.2, 0.2, 0.2], rotate: {axis: [1, 2, 3], "
            "angle: "
            "%d}, translate: [%g, 0.03, %g]}, network: {type: lattice, spacing: 0.1}, material: {young: 1e5, poisson: "
            "0.25, density: 1000, stiffness_damping: 1e-3}, velocity: [%g, 0, -1]}\n",
            b, 20 * b, 0.24 * b, 0.15 + 0.02 * b, b == 0 ? 2.0 : -2.0);
    }
    return Start(&s);
}

static void Momentum(void** unused)
{
    (void)unused;
    for (int s = PLAIN; s < IMPULSE_SCHEMES; ++s)
    {
        Run run = StartBoxes(impulseSchemes[s]);
        rslVec3 start[2] = { MotionOf(&run, 0).momentum, MotionOf(&run, 1).momentum };
        double worst = 0.0;
        bool met = false;
        for (int k = 0; k < 40; ++k)
        {
            Step(&run, Sanitized() ? 2 : 10);
            for (int b = 0; b < 2; ++b)
            {
                rslMotion now = MotionOf(&run, b);
                rslPush ground = rslState_Push(run.model, run.state, b, 0),
                        other = rslState_Push(run.model, run.state, b, 1);
                rslVec3 pushes = rslAdd(rslAdd(ground.normal, ground.friction), rslAdd(other.normal, other.friction));
                rslVec3 expected = rslAdd(start[b], pushes);
                expected.z -= now.mass * GRAVITY * TimeOf(&run);
                worst = Worse(worst, rslLength(rslSub(now.momentum, expected)));
                met = met || rslLength(other.normal) > 0.1;
            }
        }
        assert_true(met || Sanitized());
        assert_at_most(worst, 1e-11);
        EndRun(&run);
    }
}

// Saved and loaded after every step, nothing changes.
static void GoesOn(void** unused)
{
    (void)unused;
    for (int s = PLAIN; s < IMPULSE_SCHEMES; ++s)
    {
        Run run = StartBoxes(impulseSchemes[s]), other = StartBoxes(impulseSchemes[s]);
        for (int k = 0; k < FewerWhenSanitized(150); ++k)
        {
            Step(&run, 1);
            Step(&other, 1);
            size_t size = rslState_Save(other.state, NULL, 0);
            void* bytes = malloc(size);
            rslState_Save(other.state, bytes, size);
            rslState_Free(other.state);
            assert_int_equal(rslState_Load(other.model, rsl_double, bytes, size, NULL, &other.state, NULL), rsl_ok);
            free(bytes);
        }
        assert_true(rslState_Hash(run.state) == rslState_Hash(other.state));
        EndRun(&run);
        EndRun(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Energy),   cmocka_unit_test(Sinks),  cmocka_unit_test(Left),
        cmocka_unit_test(Momentum), cmocka_unit_test(GoesOn),
    };
    return cmocka_run_group_tests_name("touch_published", tests, NULL, NULL);
}
