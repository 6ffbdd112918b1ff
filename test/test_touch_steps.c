// SPDX-License-Identifier: MIT
//
// test_touch_steps.c: explicit steps of several lengths where things touch: what rests stays at rest when they are divided.

#include "contact_scene.h"

// A damped cube on the ground, of springs or of bricks.
static Run StartCube(const char* integrator, const char* more)
{
    Scene s = { 0 };
    Write(&s,
          "ground: {friction: 0.5}\ntime: {duration: 1, integrator: %s}\nbodies:\n"
          "  - {name: cube, model: springs, shape: {type: box, size: [0.1, 0.1, 0.1], translate: [0, 0, 0.0501]}, "
          "network: {type: lattice, spacing: 0.05}, material: {young: 1e5, poisson: 0.25, density: 1000, "
          "stiffness_damping: 3e-3}%s}\n",
          integrator, more);
    return Start(&s);
}

static double FastestNode(const Run* run)
{
    double most = 0.0;
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        most = Worse(most, rslLength(VelocityOf(run, i)));
    }
    return most;
}

// Steps are divided for a while: nodes at rest on the ground are not thrown up by it.
static void TestRestInParts(void** unused)
{
    static const char* const integrators[] = { "symplectic_euler", "position_verlet" };
    double worst = 0.0;
    (void)unused;
    for (int k = 0; k < 2; ++k)
    {
        Run run = StartCube(integrators[k], "");
        StepTo(&run, 0.5);
        double before = FastestNode(&run);
        for (int level = 2; level <= 6; level += 2)
        {
            run.state->guard.wary = 5;
            run.state->guard.level = (uint64_t)level;
            Step(&run, 10);
            worst = Worse(worst, FastestNode(&run) - before);
            assert_true(before < 1e-9);
        }
        EndRun(&run);
    }
    assert_proved("speed of what rests while steps are divided by 4, 16 and 64 [m/s]", worst, 1e-9);
}

// Spheres of one body that overlap at rest do not push each other.
static void TestSpheresAtRest(void** unused)
{
    static const char* const networks[] = { "hexahedra, grid: [2, 2, 8]", "tetrahedra, spacing: 0.07" };
    double worst = 0.0;
    (void)unused;
    for (int k = 0; k < 2; ++k)
    {
        Scene s = { 0 };
        Write(&s,
              "gravity: [0, 0, 0]\nground: {}\ncontact: {self: true}\nbodies:\n  - {name: ball, model: fem, skin: "
              "spheres, shape: {type: box, size: [0.2, 0.3, 0.2], translate: [0, 0, 0.3]}, network: {type: %s}, "
              "material: {young: 1e5, poisson: 0.3, density: 1000}}\n",
              networks[k]);
        Run run = Start(&s);
        Step(&run, 20);
        worst = Worse(worst, FastestNode(&run));
        EndRun(&run);
    }
    assert_proved("speed of a body of spheres at rest that touches itself [m/s]", worst, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestRestInParts), cmocka_unit_test(TestSpheresAtRest) };
    return cmocka_run_group_tests_name("touch_steps", tests, NULL, NULL);
}
