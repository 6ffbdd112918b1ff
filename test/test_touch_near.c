// SPDX-License-Identifier: MIT
//
// Steps that look at what can touch soon, and at nothing else, are to the bit those that look at everything: of soft bodies that fall on planes,
// drawn at random.

#include "random_scenes.h"
#include "whole_fixture.h"

#include "backend.h"

// kernel_touch.h
struct rslKernel32;
struct rslKernel64;
void rslTouch_ListNone32(struct rslKernel32* kernel);
void rslTouch_ListNone64(struct rslKernel64* kernel);

enum
{
    SCENES = 32,
    STEPS = 240,
    PART = 40,
    BODIES = 2
};

static rslShapeDef shapes[BODIES];
static rslBodyDef bodies[BODIES];
static rslColliderDef slope;

static void DrawNetwork(Random* random, rslBodyDef* body)
{
    if (Chance(random, 0.2))
    {
        body->network.type = rsl_tetrahedraNetwork;
        body->network.spacing = 0.015;
    }
    else if (Chance(random, 0.2))
    {
        body->model.type = rsl_brickModel;
    }
}

// Some have no dampers, and are so fast that nodes swing by cells.
static void DrawFalling(Random* random, int b)
{
    shapes[b] = Chance(random, 0.5) ? BallShape(0.05) : BoxShape(0.08, 0.05, 0.1);
    shapes[b].rotate = (rslRotationDef){ NextDirection(random), NextBetween(random, -180.0, 180.0) };
    shapes[b].translate = (rslVec3){ 0.16 * b, 0.0, 0.07 + 0.003 * NextFactor(random, 0.1, 3.0) };
    rslBodyDef* body = &bodies[b];
    *body = LatticeBody(b == 0 ? "a" : "b", &shapes[b], Chance(random, 0.5) ? 0.005 : 0.01);
    DrawNetwork(random, body);
    body->surface.enabled = true;
    body->repulsion.type = Chance(random, 0.5) ? rsl_clampedRepulsion : rsl_noRepulsion;
    body->material.young = NextFactor(random, 1e5, 1e6);
    body->material.stiffnessDamping = Chance(random, 0.5) ? 1e-4 : 0.0;
    body->velocity = rslScale(NextFactor(random, 0.1, 3.0), NextDirection(random));
    body->velocity.z = -fabs(body->velocity.z) - 1.0;
    body->spin = rslScale(Chance(random, 0.3) ? 50.0 : 0.0, NextDirection(random));
}

static Run StartFalling(int kind, int threads)
{
    Random random = MakeRandom((uint64_t)kind + 71);
    int count = Chance(&random, 0.3) ? 2 : 1;
    for (int b = 0; b < BODIES; ++b)
    {
        DrawFalling(&random, b);
    }
    rslScene scene = SceneOf(bodies, count);
    scene.gravity = (rslVec3){ 0.1, -0.3, -9.81 };
    scene.ground = rslDefaultGroundDef();
    scene.ground.friction = Chance(&random, 0.5) ? 0.4 : 0.0;
    slope = rslDefaultColliderDef();
    slope.point = (rslVec3){ 0.0, 0.0, -0.01 };
    slope.normal = (rslVec3){ 0.3, 0.1, 1.0 };
    scene.colliders = &slope;
    scene.colliderCount = Chance(&random, 0.3) ? 1 : 0;
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = kind / 4 % 2 ? rsl_single : rsl_double;
    def.integrator = Chance(&random, 0.3) ? rsl_symplecticEuler : rsl_positionVerlet;
    def.rebound = Chance(&random, 0.5);
    def.threads = threads;
    def.divergenceFactor = 1e9;  // some hit so hard that little is left of them
    return StartRun(&scene, def);
}

static void LookAtAll(Run* run)
{
    if (run->state->precision == rsl_single)
    {
        rslTouch_ListNone32(run->solver->kernel);
    }
    else
    {
        rslTouch_ListNone64(run->solver->kernel);
    }
}

static void test_few_are_all(void** unused)
{
    rslFlights sum = { 0 };
    int touched = 0;
    (void)unused;
    for (int n = 0; n < SCENES; n += Sanitized() ? 11 : 1)
    {
        static const int threads[4] = { 1, 2, 3, 5 };
        Run few = StartFalling(n, threads[n % 4]), all = StartFalling(n, 1 + n % 2);
        bool touches = false;
        LookAtAll(&all);
        for (int s = 0; s < STEPS; s += PART)
        {
            Step(&few, PART);
            Step(&all, PART);
            CheckAll(&few, &all);
            touches = touches || few.state->touchedCount > 0;
        }
        rslFlights count = few.solver->backend->flights(few.solver->kernel);
        assert_int_equal(all.solver->backend->flights(all.solver->kernel).few, 0);
        sum.few += count.few;
        sum.quick += count.quick;
        sum.groups += count.groups;
        touched += touches;
        EndRun(&few);
        EndRun(&all);
    }
    print_message("# %d scenes touch; %lld looks at few, %lld of them at what may be fast, %lld groups listed anew\n",
                  touched, (long long)sum.few, (long long)sum.quick, (long long)sum.groups);
    assert_true(touched > 0 && sum.few > 0 && (Sanitized() || (sum.quick > 0 && sum.groups > 0)));
}

// So many nodes lie in a plane of a mat that its vertices are one group. It is slow, and has far to go.
static Run StartMat(rslPrecision precision, int threads)
{
    shapes[0] = BoxShape(0.66, 0.66, 0.03);
    shapes[0].translate = (rslVec3){ 0.0, 0.0, 0.0165 };
    bodies[0] = LatticeBody("mat", &shapes[0], 0.01);
    bodies[0].surface.enabled = true;
    bodies[0].velocity = (rslVec3){ 0.0, 0.01, -0.02 };
    bodies[0].spin = (rslVec3){ 0.0, 1.0, 0.0 };
    rslScene scene = SceneOf(bodies, 1);
    scene.ground = rslDefaultGroundDef();
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.rebound = false;
    def.threads = threads;
    return StartRun(&scene, def);
}

static void test_bodies_are_groups(void** unused)
{
    static const rslPrecision precisions[2] = { rsl_single, rsl_double };
    (void)unused;
    for (int k = Sanitized() ? 1 : 0; k < 2; ++k)
    {
        Run few = StartMat(precisions[k], 2), all = StartMat(precisions[k], 1);
        LookAtAll(&all);
        for (int s = 0; s < STEPS / 2; s += PART)
        {
            Step(&few, PART);
            Step(&all, PART);
            CheckAll(&few, &all);
        }
        rslFlights count = few.solver->backend->flights(few.solver->kernel);
        print_message("# a mat: %lld looks at few, %lld touch\n", (long long)count.few,
                      (long long)few.state->touchedCount);
        assert_true(count.few > 0 && few.state->touchedCount > 0);
        EndRun(&few);
        EndRun(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_few_are_all), cmocka_unit_test(test_bodies_are_groups) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
