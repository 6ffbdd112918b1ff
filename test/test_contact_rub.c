// SPDX-License-Identifier: MIT
//
// test_contact_rub.c: friction between bodies by impulses: what collisions keep, what sticks, rigid bodies and what is welded to them.

#include "contact_scene.h"
#include "sanitized.h"

static const double g = 9.81;

// ---- collisions -----------------------------------------------------------------------------------------------------

typedef struct Hit
{
    rslShapeDef shapes[3];
    rslBodyDef bodies[3];
    rslContactDef contact;
    rslLinkDef weld;
    rslScene scene;
} Hit;

// Two bodies that spin and fly at each other; soft or rigid each, or the first with a bone in it that carries one of its ends.
static void MakeHit(Hit* hit, uint64_t seed, bool rigidA, bool rigidB, bool bone)
{
    Random random = MakeRandom(seed);
    static const char* const names[3] = { "a", "b", "bone" };
    for (int i = 0; i < 3; ++i)
    {
        hit->shapes[i] = i == 2 ? BoxShape(0.1, 0.2, 0.2) : BoxShape(0.2, 0.2, 0.2);
        hit->shapes[i].rotate = (rslRotationDef){ { 0.3, 1.0, 0.2 }, i == 1 ? NextBetween(&random, 0.0, 90.0) : 0.0 };
        hit->shapes[i].translate = (rslVec3){ i == 1 ? 0.27 : i == 2 ? -0.1 : 0.0, i == 1 ? 0.06 : 0.0, 0.0 };
        hit->bodies[i] = LatticeBody(names[i], &hit->shapes[i], 0.1);
        hit->bodies[i].velocity = (rslVec3){ i == 1 ? -1.0 : 1.0, 0.0, 0.0 };
        hit->bodies[i].spin = i == 2 ? hit->bodies[0].spin : NextVec3(&random, 200.0);
    }
    hit->bodies[0].model.type = rigidA ? rsl_rigidModel : rsl_springModel;
    hit->bodies[1].model.type = rigidB ? rsl_rigidModel : rsl_springModel;
    hit->bodies[2].model.type = rsl_rigidModel;
    hit->contact = ContactOf("a", "b", 0.5);
    hit->scene = SceneOf(hit->bodies, bone ? 3 : 2);
    hit->scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    hit->scene.contacts = &hit->contact;
    hit->scene.contactCount = 1;
    hit->weld = rslDefaultLinkDef();
    hit->weld.type = rsl_weldLink;
    hit->weld.from = SideOf("a", (rslVec3){ bone ? 0.09 : -0.01, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
    hit->weld.to.body = "bone";
    hit->scene.links = &hit->weld;
    hit->scene.linkCount = bone ? 1 : 0;
}

// Momentum, angular momentum and the account through a collision with friction.
static void TestCollisions(void** unused)
{
    (void)unused;
    double momentum = 0.0, angular = 0.0, account = 0.0;
    for (int i = 0; i < (Proving() ? 40 : FewerWhenSanitized(5)); ++i)
    {
        Hit hit;
        MakeHit(&hit, 7u + (uint64_t)i, i % 5 < 2, i % 5 % 2 == 0, i % 5 == 4);
        Run run = StartRun(&hit.scene, SolverDef(i % 2 == 0 ? rsl_positionVerlet : rsl_symplecticEuler, 1e-3));
        Step(&run, 1);  // welds fit now
        rslMotion first = rslSolver_Motion(run.solver, run.state, -1);
        double step = rslSolver_Stability(run.solver).step, kinetic = rslSolver_Energy(run.solver, run.state).kinetic;
        Step(&run, (int64_t)(0.16 / step) + 1);
        assert_true(rslLength(rslState_Push(run.model, run.state, 0, run.model->colliderCount).friction) > 0.0);
        assert_true(run.state->account.dissipated > 1e-3 * kinetic);
        rslMotion last = rslSolver_Motion(run.solver, run.state, -1);
        double size = last.mass * 1.0, arm = 0.3 * size;
        momentum = Worse(momentum, Distance(first.momentum, last.momentum) / size);
        angular = Worse(angular, Distance(first.angularMomentum, last.angularMomentum) / arm);
        account = Worse(account, fabs(rslSolver_Energy(run.solver, run.state).drift) / kinetic);
        EndRun(&run);
    }
    assert_proved("collisions with friction: momentum", momentum, 1e-12);
    // friction acts across the gap that is left: first order in the step
    assert_proved("collisions with friction: angular momentum", angular, 0.01);
    assert_proved("collisions with friction: energy account", account, 0.03);
}

// ---- blocks on plates -----------------------------------------------------------------------------------------------

typedef struct Ride
{
    rslShapeDef shapes[3];
    rslBodyDef bodies[3];
    rslConstraintDef pin;
    rslContactDef contact;
    rslLinkDef weld;
    rslScene scene;
} Ride;

enum
{
    SOFT,
    RIGID,
    WELDED  // all of it to a bone
};

// A block on a held plate that leans by an angle.
static void MakeRide(Ride* ride, int kind, double friction, double degrees)
{
    static const char* const names[3] = { "plate", "block", "bone" };
    double angle = degrees * PI / 180.0;
    for (int i = 0; i < 3; ++i)
    {
        ride->shapes[i] = i == 0 ? BoxShape(1.2, 0.4, 0.2) : i == 1 ? BoxShape(0.2, 0.2, 0.1) : BoxShape(0.1, 0.1, 0.1);
        ride->shapes[i].translate = (rslVec3){ i == 0 ? 0.3 : 0.013, i == 0 ? 0.0 : 0.007, i == 0 ? -0.1 : 0.0526 };
        ride->bodies[i] = LatticeBody(names[i], &ride->shapes[i], i == 0 ? 0.1 : 0.05);
    }
    ride->bodies[1].material.stiffnessDamping = 5e-3;
    ride->bodies[1].model.type = kind == RIGID ? rsl_rigidModel : rsl_springModel;
    ride->bodies[2].model.type = rsl_rigidModel;
    ride->bodies[0].model.type = rsl_springModel;
    ride->pin = PinOf(AllOf("plate"));
    ride->contact = ContactOf("plate", "block", friction);
    ride->weld = rslDefaultLinkDef();
    ride->weld.type = rsl_weldLink;
    ride->weld.from.body = "block";
    ride->weld.to.body = "bone";
    ride->scene = SceneOf(ride->bodies, kind == WELDED ? 3 : 2);
    ride->scene.links = &ride->weld;
    ride->scene.linkCount = kind == WELDED ? 1 : 0;
    ride->scene.gravity = (rslVec3){ g * sin(angle), 0.0, -g * cos(angle) };
    ride->scene.contacts = &ride->contact;
    ride->scene.contactCount = 1;
    ride->scene.constraints = &ride->pin;
    ride->scene.constraintCount = 1;
}

static double AlongOf(const Run* run)
{
    return rslSolver_Motion(run->solver, run->state, 1).centre.x;
}

static void StepFor(Run* run, double time)
{
    Step(run, (int64_t)(time / rslSolver_Stability(run->solver).step) + 1);
}

// What sticks stays where it is, once it has come to rest.
static void TestSticks(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    double creep = 0.0, span = Proving() ? 2.0 : 0.1;
    for (int kind = SOFT; kind <= (Proving() ? WELDED : SOFT); ++kind)
    {
        Ride ride;
        MakeRide(&ride, kind, 0.5, 15.0);
        ride.bodies[1].material.massDamping = ride.bodies[2].material.massDamping = 40.0;
        Run run = StartRun(&ride.scene, SolverDef(kind == RIGID ? rsl_symplecticEuler : rsl_positionVerlet,
                                                  kind == SOFT ? RSL_AUTO : 1e-3));
        StepFor(&run, Proving() ? 3.0 : 0.4);
        double before = AlongOf(&run);
        StepFor(&run, span);
        creep = Worse(creep, fabs(AlongOf(&run) - before) / (0.5 * g * sin(PI / 12.0) * span * span));
        EndRun(&run);
    }
    assert_proved("block that sticks on a slope: creep over what it would slide", creep, Proving() ? 1e-8 : 1e-5);
}

// What slides is slowed down by mu g, also where nodes are welded to a body that is free.
static void TestSlides(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    for (int kind = Proving() ? SOFT : WELDED; kind <= WELDED; ++kind)
    {
        Ride ride;
        MakeRide(&ride, kind, 0.3, 0.0);
        ride.bodies[1].velocity = ride.bodies[2].velocity = (rslVec3){ 1.0, 0.0, 0.0 };
        // nothing limits the step of what is rigid
        Run run = StartRun(&ride.scene, SolverDef(rsl_positionVerlet, kind == SOFT ? RSL_AUTO : 1e-3));
        double start = AlongOf(&run), theory = 1.0 / (2.0 * 0.3 * g);
        StepFor(&run, 0.5);
        assert_proved("block on a plate, soft, rigid, welded to a bone: sliding distance",
                      fabs((AlongOf(&run) - start) / theory - 1.0), 0.02);
        assert_proved("block on a plate, soft, rigid, welded to a bone: energy account",
                      fabs(rslSolver_Energy(run.solver, run.state).drift) / 2.0, 0.01);
        EndRun(&run);
    }
}

// Changes of the step, which kick velocities of symplectic Euler to and fro, do not let what sticks to a plane by penalties creep.
static void TestDivided(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    double step = 6e-4, before = 0.0;
    Ride ride;
    MakeRide(&ride, SOFT, 0.5, 15.0);
    rslColliderDef ground = rslDefaultColliderDef();
    ground.normal = (rslVec3){ 0.0, 0.0, 1.0 };
    ground.point.z = 0.0026;
    ground.friction = 0.5;
    ride.scene.touch.scheme = rsl_penaltyScheme;
    ride.scene.colliders = &ground;
    ride.scene.colliderCount = 1;
    ride.scene.contactCount = 0;
    ride.bodies[0].repulsion.type = rsl_noRepulsion;
    ride.bodies[1].repulsion.type = rsl_clampedRepulsion;
    ride.bodies[1].material.massDamping = 40.0;
    Run run = StartRun(&ride.scene, SolverDef(rsl_symplecticEuler, step));
    for (int i = 0; i < 1100; ++i)
    {
        before = i == 800 ? AlongOf(&run) : before;
        run.state->guard.wary = i % 3 == 0 ? 0 : 2;
        run.state->guard.level = 2;
        Step(&run, 1);
    }
    assert_true(run.state->guard.divided > 500);
    assert_proved("steps that are divided: creep of what sticks over what it would slide",
                  fabs(AlongOf(&run) - before) / (0.5 * g * sin(PI / 12.0) * pow(300.0 * step, 2.0)), 1e-6);
    assert_proved("steps that are divided: energy missing, over what was lost",
                  fabs(rslSolver_Energy(run.solver, run.state).drift) / run.state->account.dissipated, 0.01);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCollisions),
        cmocka_unit_test(TestSticks),
        cmocka_unit_test(TestSlides),
        cmocka_unit_test(TestDivided),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
