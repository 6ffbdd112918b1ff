// SPDX-License-Identifier: MIT
//
// Whole steps of lattices with nodes that are pinned: the same bits as steps in parts, whatever holds them, in whatever calls and however many
// threads; and pinned nodes stay where they are.

#include "random_scenes.h"
#include "whole_fixture.h"

enum
{
    SCENES = 40,
    STEPS = 100
};

static rslShapeDef shapes[2];
static rslBodyDef bodies[2];
static rslConstraintDef pins[3];

static rslConstraintDef PinBeyond(const char* body, rslVec3 normal)
{
    return PinOf(SideOf(body, rslScale(0.042, normal), normal));
}

// At one side, or two that face each other; of the second body, or along other axes of the same nodes.
static int DrawPins(Random* random, bool whole, bool two)
{
    rslVec3 normal = NextDirection(random);
    pins[0] = PinBeyond("a", normal);
    pins[1] = PinBeyond("a", rslScale(-1.0, normal));
    pins[2] = two ? PinBeyond("b", normal) : pins[0];
    for (int axis = 0; axis < 3 && !whole; ++axis)
    {
        pins[0].axes[axis] = axis == 0 || (two && Chance(random, 0.5));
        pins[1].axes[axis] = axis == 1 || Chance(random, 0.5);
        pins[2].axes[axis] = axis == 2 || (two && Chance(random, 0.5));
    }
    return two || !whole ? 3 : 1 + NextBelow(random, 2);
}

static void DrawBodyOf(Random* random, int b, bool damped)
{
    shapes[b] = Chance(random, 0.5) ? BallShape(0.05) : BoxShape(0.07, 0.06, 0.08);
    shapes[b].rotate = (rslRotationDef){ NextDirection(random), NextBetween(random, -180.0, 180.0) };
    bodies[b] = LatticeBody(b == 0 ? "a" : "b", &shapes[b], 0.01);
    bodies[b].repulsion.type = Chance(random, 0.5) ? rsl_clampedRepulsion : rsl_noRepulsion;
    bodies[b].material.stiffnessDamping = damped ? 1e-4 : 0.0;
    if (Chance(random, 0.3))
    {
        bodies[b].model.type = rsl_dispersionModel;
        bodies[b].material.poisson = 0.35;
    }
    bodies[b].velocity = NextVec3(random, 1.0);
    bodies[b].spin = NextVec3(random, 20.0);
}

static rslScene DrawPinned(int kind)
{
    Random random = MakeRandom((uint64_t)kind + 7);
    bool damped = kind % 2 == 0;
    int count = Chance(&random, 0.3) ? 2 : 1;
    for (int b = 0; b < 2; ++b)
    {
        DrawBodyOf(&random, b, damped);
    }
    rslScene scene = SceneOf(bodies, count);
    scene.gravity = NextVec3(&random, 10.0);
    scene.constraints = pins;
    scene.constraintCount = DrawPins(&random, damped, count == 2);
    return scene;
}

static Run StartPinned(int kind, rslPrecision precision, int threads)
{
    rslScene scene = DrawPinned(kind);
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.threads = threads;
    return StartRun(&scene, def);
}

// All pinned nodes have not moved along held axes.
static void CheckHeld(const Run* run, const Run* start)
{
    for (int c = 0; c < run->model->constraintCount; ++c)
    {
        const rslConstraint* pin = &run->model->constraints[c];
        for (int n = 0; n < pin->nodeCount; ++n)
        {
            rslVec3 x = PositionOf(run, pin->nodes[n]), y = PositionOf(start, pin->nodes[n]);
            assert_true(!pin->axes[0] || Near(x.x, y.x, 1e-7));
            assert_true(!pin->axes[1] || Near(x.y, y.y, 1e-7));
            assert_true(!pin->axes[2] || Near(x.z, y.z, 1e-7));
        }
    }
}

static void test_whole_steps_are_their_parts(void** state)
{
    (void)state;
    int taken = 0, scenes = 0;
    for (int n = 0; n < SCENES; n += Sanitized() ? 11 : 1)
    {
        static const int threads[4] = { 1, 2, 3, 8 };
        rslPrecision precision = n / 4 % 2 ? rsl_single : rsl_double;
        Run whole = StartPinned(n, precision, threads[n % 4]), apart = StartPinned(n, precision, 1 + n % 2);
        Run start = StartPinned(n, precision, 1);
        double* nothing = StepApart(&apart);
        assert_false(TakesSteps(&apart));
        taken += TakesSteps(&whole);
        scenes += 1;
        for (int s = 0; s < STEPS; s += 20)
        {
            Step(&whole, 20);
            Step(&apart, 20);
            CheckAll(&whole, &apart);
        }
        assert_true(n % 2 == 1 || whole.state->account.dissipated > 0.0);
        CheckHeld(&whole, &start);
        EndRun(&whole);
        EndRun(&apart);
        EndRun(&start);
        free(nothing);
    }
    print_message("# %d of %d took whole steps\n", taken, scenes);
    assert_true(taken > 0 && (Sanitized() || (2 * taken > scenes && taken < scenes)));  // the others have too many pins
}

static void test_cuts_change_nothing(void** state)
{
    (void)state;
    CheckCutsOfAll(StartPinned, Sanitized() ? 4 : 12, STEPS);
}

static void test_calls_change_nothing(void** state)
{
    (void)state;
    for (int n = 0; n < 16; n += Sanitized() ? 7 : 1)
    {
        rslPrecision precision = n % 2 ? rsl_single : rsl_double;
        Run once = StartPinned(n, precision, 2), often = StartPinned(n, precision, 3);
        Step(&once, STEPS);
        for (int s = 0, count = 0; s < STEPS; s += count)
        {
            count = s + 1 + s % 3 < STEPS ? 1 + s % 3 : STEPS - s;
            Step(&often, count);
            (void)rslSolver_Energy(often.solver, often.state);
        }
        CheckAll(&once, &often);
        EndRun(&once);
        EndRun(&often);
    }
}

static void test_memory(void** state)
{
    (void)state;
    rslScene scene = DrawPinned(4);
    bodies[0].network.spacing = bodies[1].network.spacing = Sanitized() ? 0.02 : 0.01;
    rslSolverDef def = rslDefaultSolverDef();
    def.threads = 2;
    FailEveryAllocation(&scene, def, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_steps_are_their_parts),
        cmocka_unit_test(test_cuts_change_nothing),
        cmocka_unit_test(test_calls_change_nothing),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("lattice_pins", tests, NULL, NULL);
}
