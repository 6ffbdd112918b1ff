// SPDX-License-Identifier: MIT
//
// Whole steps of lattices whose elements resist collapse: the same bits as drifts, forces and kicks one after the other, whether nothing comes
// near collapse, or something does in the middle of a call, or a node is so fast that its step has to be divided; in whatever calls and
// however many threads; and all cells stay the right way round.

#include "collapse_fixture.h"
#include "whole_fixture.h"

enum
{
    SHAPES = 4,
    MOTIONS = 4,
    KINDS = SHAPES * MOTIONS,
    STEPS = 75
};

// What bodies do.
typedef enum Motion
{
    CALM,    // nothing comes near collapse
    SPUN,    // nor where a body turns fast, but it has to be looked at often
    CLOSED,  // all of it is pressed together
    THROWN   // a node is thrown through others
} Motion;

static rslShapeDef shape;
static rslBodyDef body;
static double pressing;  // of a length in a step
static rslRepulsionType repels;

static Run StartMoving(int kind, rslPrecision precision, int threads)
{
    const int form = kind % SHAPES;
    const Motion motion = (Motion)(kind / SHAPES);
    shape = form == 1 ? BallShape(0.05) : BoxShape(0.07, 0.05, 0.12);
    body = LatticeBody("one", &shape, 0.01);
    body.repulsion.type = repels;
    body.material.stiffnessDamping = form >= 2 ? 1e-4 : 0.0;
    body.model.type = form == 3 ? rsl_dispersionModel : body.model.type;
    body.material.poisson = form == 3 ? 0.35 : body.material.poisson;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.1, -0.3, -9.81 };
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.threads = threads;
    Run run = StartRun(&scene, def);
    const double step = rslSolver_Stability(run.solver).step;
    const double turn = motion == SPUN ? 0.01 / step : 0.0, press = motion == CLOSED ? pressing / step : 0.0;
    uint64_t seed = (uint64_t)kind + 1;
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(&run.model->bodies[0], i, i + 1, x);
        const bool thrown = motion == THROWN && i == run.model->nodeCount / 2;
        const double w[3] = { -turn * x[1], turn * x[0], -press * x[2] + (thrown ? 0.006 / step : 0.0) };
        for (int axis = 0; axis < 3; ++axis)
        {
            SetMotion(&run, axis, i, 1e-4 * RandomNumber(&seed), w[axis] + 0.1 * RandomNumber(&seed));
        }
    }
    return run;
}

// ---- same bits --------------------------------------------------------------------------------------------------------

static void CheckTally(const Run* a, const Run* b)
{
    assert_memory_equal(&a->state->guard, &b->state->guard, sizeof a->state->guard);
    assert_int_equal(a->state->stepCount, b->state->stepCount);
}

static void test_whole_steps_are_their_parts(void** state)
{
    (void)state;
    uint64_t divided[MOTIONS] = { 0 };
    for (int n = 0; n < 2 * KINDS; ++n)
    {
        const int kind = n / 2, motion = kind / SHAPES, threads = 1 + n % 3;
        rslPrecision precision = n % 2 ? rsl_single : rsl_double;
        Run whole = StartMoving(kind, precision, threads), apart = StartMoving(kind, precision, threads);
        double* nothing = StepApart(&apart);
        assert_true(TakesSteps(&whole) && !TakesSteps(&apart));
        Step(&whole, STEPS);
        Step(&apart, STEPS);
        CheckSame(&whole, &apart);
        CheckTally(&whole, &apart);
        assert_memory_equal(&whole.state->account, &apart.state->account, sizeof whole.state->account);
        assert_true(SmallestRatio(whole.model, whole.state) > 0.0);
        divided[motion] += whole.state->guard.divided;
        EndRun(&whole);
        EndRun(&apart);
        free(nothing);
    }
    assert_true(divided[CALM] == 0 && divided[SPUN] == 0);
    assert_true(divided[CLOSED] > 0 && divided[THROWN] > 0);
}

static bool IsSame(const Run* a, const Run* b)
{
    size_t bytes = (size_t)a->model->nodeCount * sizeof(double);
    return memcmp(a->state->velocity[2], b->state->velocity[2], bytes) == 0;
}

// Elements that push so little that no step is divided: whole steps and others take turns.
static void test_others_take_turns(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        pressing = 0.0427 + 5e-5 * i;
        const int kind = SHAPES * CLOSED + 2;
        Run once = StartMoving(kind, rsl_double, 2), often = StartMoving(kind, rsl_double, 1);
        repels = rsl_noRepulsion;
        Run without = StartMoving(kind, rsl_double, 2);
        repels = rsl_clampedRepulsion;
        Step(&once, STEPS);
        Step(&without, STEPS);
        for (int n = 0; n < STEPS; ++n)
        {
            Step(&often, 1);
        }
        CheckSame(&once, &often);
        assert_memory_equal(&once.state->account, &often.state->account, sizeof once.state->account);
        assert_true(once.state->guard.divided == 0 && !IsSame(&once, &without));
        EndRun(&once);
        EndRun(&often);
        EndRun(&without);
    }
    pressing = 0.12;
}

static void test_cuts_change_nothing(void** state)
{
    (void)state;
    CheckCutsOfAll(StartMoving, Sanitized() ? CLOSED * SHAPES : KINDS, STEPS);  // divided steps wait for threads often
}

// Whatever calls steps are taken in, and whatever is asked between them: bits of the account, too.
static void test_calls_change_nothing(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind += Sanitized() ? 3 : 1)
    {
        rslPrecision precision = kind % 2 ? rsl_single : rsl_double;
        Run once = StartMoving(kind, precision, 2), often = StartMoving(kind, precision, 3);
        Step(&once, STEPS);
        for (int n = 0; n < STEPS; n += 1 + n % 3)
        {
            Step(&often, n + 1 + n % 3 < STEPS ? 1 + n % 3 : STEPS - n);
            (void)rslSolver_Energy(often.solver, often.state);
        }
        CheckSame(&once, &often);
        CheckTally(&once, &often);
        assert_memory_equal(&once.state->account, &often.state->account, sizeof once.state->account);
        EndRun(&once);
        EndRun(&often);
    }
}

// What is no number is told as what does not hold, whatever steps are taken in.
static void test_no_number_is_told(void** state)
{
    (void)state;
    for (int n = 0; n < 2; ++n)
    {
        Run run = StartMoving(CALM, n == 0 ? rsl_single : rsl_double, 2);
        Step(&run, 5);
        SetMotion(&run, 1, run.model->nodeCount / 3, 0.0, (double)NAN);
        assert_int_not_equal(rslSolver_Step(run.solver, run.state, 40), rsl_ok);
        EndRun(&run);
    }
}

int main(void)
{
    repels = rsl_clampedRepulsion;
    pressing = 0.12;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_steps_are_their_parts), cmocka_unit_test(test_others_take_turns),
        cmocka_unit_test(test_cuts_change_nothing),         cmocka_unit_test(test_calls_change_nothing),
        cmocka_unit_test(test_no_number_is_told),
    };
    return cmocka_run_group_tests_name("lattice_guard", tests, NULL, NULL);
}
