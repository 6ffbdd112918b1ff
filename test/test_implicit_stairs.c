// SPDX-License-Identifier: MIT
//
// test_implicit_stairs.c: a rubber rabbit dropped on stairs in implicit steps of 1/60 s: energy that does not grow, the rebound of a
// tenfold smaller step, every stiffness, the same scene in other units. A coarse one here; of 12 thousand nodes in the full form.

#include "physics_fixture.h"

#include "resilin/observe.h"

static const double frame = 1.0 / 60.0, height = 0.2, drop = 0.1;

// The scene, in units of its own: lengths and E times scale, times times its root.
typedef struct Case
{
    rslIntegrator scheme;
    double young, step;  // [Pa], [s]; before they are scaled
    double scale;
    int frames;  // of 1/60 s, scaled
} Case;

typedef struct Fall
{
    rslStatus status;
    int frames;       // that were found
    double growth;    // of the energy, over that at the start
    double rebound;   // how high its flight leads above where it touched first, over the drop
    double smallest;  // volume of any cell, over that at rest
    double farthest;  // node from the origin [m]
    double newton;    // steps in a frame, mean
    int nodes;
    double* places;  // of nodes, over the scale; to be freed
} Fall;

static double Spacing(void)
{
    return Proving() ? 0.0043 : 0.04;
}

enum
{
    STAIRS = 3
};

// Where its flight would lead, over where it touched first.
static double ReachOf(const Run* run, double start)
{
    rslMotion motion = rslSolver_Motion(run->solver, run->state, 0);
    double v = motion.momentum.z / motion.mass;
    return motion.centre.z + (v > 0.0 ? v * v / (2.0 * 9.81) : 0.0) - start;
}

static void Watch(const Case* one, Run* run, Fall* fall)
{
    double s = one->scale, start = rslSolver_Energy(run->solver, run->state).total, most = start;
    double touched = rslSolver_Motion(run->solver, run->state, 0).centre.z - drop * s;
    int perFrame = (int)round(frame / one->step);
    bool landed = false;
    for (fall->frames = 0; fall->frames < one->frames && fall->status == rsl_ok; ++fall->frames)
    {
        fall->status = rslSolver_Step(run->solver, run->state, perFrame);
        most = Worse(most, rslSolver_Energy(run->solver, run->state).total);
        landed = landed || rslSolver_Motion(run->solver, run->state, 0).momentum.z > 0.0;
        fall->rebound = landed ? fmax(fall->rebound, ReachOf(run, touched) / (drop * s)) : fall->rebound;
    }
    fall->growth = most / start - 1.0;
    fall->smallest = run->state->guard.smallest;
    fall->newton = (double)rslSolver_Solve(run->solver).newtonSteps / one->frames;
}

static Fall Drop(Case one)
{
    double s = one.scale, friction = 0.6;
    rslShapeDef rabbit = rslDefaultShapeDef(), steps[STAIRS];
    rabbit.type = rsl_rabbitShape;
    rabbit.height = height * s;
    rabbit.rotate = (rslRotationDef){ { 0.0, 1.0, 0.0 }, 12.0 };
    rabbit.translate = (rslVec3){ 0.0, 0.0, (0.3 + drop + 0.02) * s };
    rslBodyDef body = LatticeBody("rabbit", &rabbit, Spacing() * s);
    body.material.young = one.young * s;
    body.material.stiffnessDamping = 3e-4 * sqrt(s);
    body.velocity = (rslVec3){ 0.3 * sqrt(s), 0.0, 0.0 };
    rslScene scene = SceneOf(&body, 1);
    rslColliderDef colliders[STAIRS];
    for (int c = 0; c < STAIRS; ++c)
    {
        steps[c] = BoxShape(0.2 * s, 0.4 * s, (0.3 - 0.1 * c) * s);
        steps[c].translate = (rslVec3){ 0.2 * c * s, 0.0, (0.15 - 0.05 * c) * s };
        colliders[c] = rslDefaultColliderDef();
        colliders[c].type = rsl_shapeCollider;
        colliders[c].shape = &steps[c];
        colliders[c].friction = friction;
    }
    scene.colliders = colliders;
    scene.colliderCount = STAIRS;
    scene.ground = rslDefaultGroundDef();
    scene.ground.friction = friction;
    scene.gravity = (rslVec3){ 0.0, 0.0, -9.81 };
    scene.time.integrator = one.scheme;
    Run run = StartRun(&scene, SolverDef(one.scheme, one.step * sqrt(s)));
    Fall fall = { .status = rsl_ok, .nodes = run.model->nodeCount };
    Watch(&one, &run, &fall);
    fall.places = calloc(3 * (size_t)fall.nodes, sizeof(double));
    rslState_Positions(run.model, run.state, 0, fall.nodes, fall.places);
    for (int i = 0; i < 3 * fall.nodes; ++i)
    {
        fall.places[i] /= s;
        fall.farthest = Worse(fall.farthest, fabs(fall.places[i]));
    }
    if (Proving())
    {
        printf("rabbit of %d nodes, E %.0e, step %.2g ms, lengths by %g: %d of %d frames, %.1f Newton steps in each, "
               "rebound %.4f, "
               "growth %.1e, smallest volume %.3g\n",
               fall.nodes, one.young, 1e3 * one.step, s, fall.frames, one.frames, fall.newton, fall.rebound,
               fall.growth, fall.smallest);
    }
    EndRun(&run);
    return fall;
}

// Every frame is found, in not too many Newton steps, and nothing is gained.
static double GrowthOf(Case one)
{
    Fall fall = Drop(one);
    free(fall.places);
    assert_true(one.scheme != rsl_implicitEuler || fall.newton <= 24.0);
    assert_int_equal(fall.status, rsl_ok);
    assert_true(fall.smallest > 0.0);
    return fall.growth;
}

static void TestEnergy(void** state)
{
    (void)state;
    int frames = Proving() ? 18 : 10;
    assert_proved("rabbit on stairs, backward Euler: energy grows",
                  GrowthOf((Case){ rsl_implicitEuler, 1e6, frame, 1.0, frames }), 1e-5);
    assert_proved("rabbit on stairs, TR-BDF2: energy grows", GrowthOf((Case){ rsl_trBdf2, 1e6, frame, 1.0, frames }),
                  1e-3);
}

static void TestRebound(void** state)
{
    (void)state;
    if (!Proving())
    {
        return;
    }
    Fall longer = Drop((Case){ rsl_trBdf2, 1e6, frame, 1.0, 18 });
    Fall shorter = Drop((Case){ rsl_trBdf2, 1e6, 0.1 * frame, 1.0, 18 });
    Fall euler = Drop((Case){ rsl_implicitEuler, 1e6, frame, 1.0, 18 });
    free(longer.places);
    free(shorter.places);
    free(euler.places);
    printf("rebound over the drop: %.4f at 1/60 s, %.4f at a tenth, backward Euler %.4f\n", longer.rebound,
           shorter.rebound, euler.rebound);
    assert_proved("rabbit on stairs, TR-BDF2: rebound beside a tenth of the step",
                  fabs(longer.rebound / shorter.rebound - 1.0), 0.1);
}

static void TestStiffness(void** state)
{
    (void)state;
    for (int y = 5; y < 10; y += Proving() ? 1 : 4)
    {
        char what[80];
        snprintf(what, sizeof what, "rabbit on stairs, E = 1e%d, backward Euler: energy grows", y);
        assert_proved(what, GrowthOf((Case){ rsl_implicitEuler, pow(10.0, y), frame, 1.0, Proving() ? 18 : 10 }), 1e-5);
    }
    for (int y = 5; Proving() && y < 10; ++y)
    {
        char what[80];
        snprintf(what, sizeof what, "rabbit on stairs, E = 1e%d, TR-BDF2: energy grows", y);
        assert_proved(what, GrowthOf((Case){ rsl_trBdf2, pow(10.0, y), frame, 1.0, 18 }), 1e-3);
    }
}

// Crushed under its own weight: frames are found, or it is said that they are not; nothing is turned inside out or leaves.
static void TestCrushed(void** state)
{
    (void)state;
    for (int y = 3; y < 5; ++y)
    {
        Fall fall = Drop((Case){ rsl_implicitEuler, pow(10.0, y), frame, 1.0, Proving() ? 18 : 12 });
        char what[80];
        free(fall.places);
        snprintf(what, sizeof what, "crushed rabbit, E = 1e%d: energy grows", y);
        assert_proved(what, fall.growth, 1e-5);
        assert_true(fall.smallest > 0.0);
        assert_true(fall.farthest < 1.0);
        assert_true(fall.status == rsl_ok || fall.status == rsl_notConverged || fall.status == rsl_diverged);
        snprintf(what, sizeof what, "crushed rabbit, E = 1e%d: frames that were not found", y);
        assert_proved(what, fall.status == rsl_ok ? 0.0 : 1.0, 0.0);
    }
}

static void TestUnits(void** state)
{
    (void)state;
    int frames = 10;  // to where it is pressed most
    Fall one = Drop((Case){ rsl_trBdf2, 1e6, frame, 1.0, frames });
    double worst = 0.0;
    for (int k = 0; k < 2; ++k)
    {
        Fall other = Drop((Case){ rsl_trBdf2, 1e6, frame, k == 0 ? 0.01 : 100.0, frames });
        assert_int_equal(other.nodes, one.nodes);
        for (int i = 0; i < 3 * one.nodes; ++i)
        {
            worst = Worse(worst, fabs(other.places[i] - one.places[i]) / height);
        }
        free(other.places);
    }
    free(one.places);
    assert_proved("rabbit on stairs in other units, s = 1/100 and 100", worst, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestEnergy),  cmocka_unit_test(TestRebound), cmocka_unit_test(TestStiffness),
        cmocka_unit_test(TestCrushed), cmocka_unit_test(TestUnits),
    };
    return cmocka_run_group_tests_name("implicit_stairs", tests, NULL, NULL);
}
