// SPDX-License-Identifier: MIT
//
// test_rebound.c: rigid bodies that hit what is rigid, in implicit steps and beside them in explicit ones: momentum, angular momentum,
// energy, heights of drops, rows of balls, friction, joints, the same bits.

#include "stage_fixture.h"

static const rslIntegrator schemes[4] = { rsl_implicitEuler, rsl_theta, rsl_trBdf2, rsl_positionVerlet };
static const char* const names[4] = { "implicit_euler", "theta", "tr_bdf2", "position_verlet" };

static double StepOf(int scheme)
{
    return scheme == 3 ? 1.0 / 4800.0 : 1.0 / 60.0;
}

static rslScene FreeScene(const rslBodyDef* bodies, int count, double restitution, double friction)
{
    rslScene scene = SceneOf(bodies, count);
    scene.gravity = (rslVec3){ 0 };
    scene.touch.pairs = rsl_allPairs;
    scene.touch.restitution = restitution;
    scene.touch.friction = friction;
    return scene;
}

static double EnergyOf(const Run* run)
{
    return rslSolver_Energy(run->solver, run->state).kinetic;
}

// ---- pairs in flight --------------------------------------------------------------------------------------------------

// Two boxes that fly at each other, turned and spinning, whatever their sizes.
static void MakePair(Random* random, rslShapeDef shapes[2], rslBodyDef bodies[2])
{
    for (int b = 0; b < 2; ++b)
    {
        double side = b == 0 ? -1.0 : 1.0, size = NextBetween(random, 0.5, 2.0);
        shapes[b] = BoxShape(0.2 * size, 0.1 * size, 0.1 * size * NextBetween(random, 1.0, 2.0));
        shapes[b].rotate = (rslRotationDef){ NextVec3(random, 1.0), NextBetween(random, 0.0, 180.0) };
        shapes[b].translate = rslAdd((rslVec3){ 0.45 * side, 0.0, 0.0 }, NextVec3(random, 0.04));
        bodies[b] = RigidBody(b == 0 ? "a" : "b", &shapes[b], 0.1 * size);
        bodies[b].material.density = NextBetween(random, 200.0, 3000.0);
        bodies[b].velocity = rslAdd((rslVec3){ -2.0 * side, 0.0, 0.0 }, NextVec3(random, 0.3));
        bodies[b].spin = NextVec3(random, 2.0);
    }
}

// What a run may do to momentum, angular momentum (friction acts across the gap) and energy, at worst.
typedef struct Worst
{
    double momentum, angular, gained, lost;
} Worst;

static rslVec3 FlyPair(const rslScene* scene, int s, Worst* worst, bool* hit)
{
    Run run = StartRun(scene, SolverDef(schemes[s], StepOf(s)));
    rslMotion before = rslSolver_Motion(run.solver, run.state, -1);
    rslVec3 first = rslSolver_Motion(run.solver, run.state, 0).momentum;
    double energy = EnergyOf(&run), size = rslLength(first), lost;
    Step(&run, (int64_t)floor(0.4 / StepOf(s) + 0.5));
    rslMotion motion = rslSolver_Motion(run.solver, run.state, -1);
    rslVec3 after = rslSolver_Motion(run.solver, run.state, 0).momentum;
    lost = (energy - EnergyOf(&run)) / energy;
    worst->momentum = Worse(worst->momentum, Distance(motion.momentum, before.momentum) / size);
    worst->angular = Worse(worst->angular, Distance(motion.angularMomentum, before.angularMomentum) / (0.1 * size));
    worst->gained = Worse(worst->gained, -lost);
    worst->lost = Worse(worst->lost, lost);
    if (s < 3)
    {
        assert_close(rslSolver_Energy(run.solver, run.state).drift, 0.0, 1e-9 * energy);
    }
    *hit = Distance(after, first) > 0.01 * size;
    EndRun(&run);
    return after;
}

// Without losses all is kept to rounding; with some, what bounces less and less is stopped by the barrier, as exactly as stages are solved.
static void TestPairs(void** state)
{
    (void)state;
    int count = Proving() ? 90 : 6, hits = 0, near = 0;
    Worst exact = { 0 }, lossy = { 0 };
    Random random = MakeRandom(11);
    for (int i = 0; i < count; ++i)
    {
        rslShapeDef shapes[2];
        rslBodyDef bodies[2];
        MakePair(&random, shapes, bodies);
        double e = i % 3 == 0 ? 1.0 : NextBetween(&random, 0.0, 1.0), mu = i % 2 == 0 ? 0.0 : 0.5;
        rslScene scene = FreeScene(bodies, 2, e, mu);
        rslVec3 after[4];
        Worst rubbing = { 0 };
        bool hit = false;
        for (int s = 0; s < 4; ++s)
        {
            Worst* worst = mu > 0.0 || s == 3 ? &rubbing : e == 1.0 ? &exact : &lossy;
            after[s] = FlyPair(&scene, s, worst, &hit);
        }
        lossy.gained = Worse(lossy.gained, rubbing.gained);
        lossy.momentum = Worse(lossy.momentum, rubbing.momentum);
        hits += hit ? 1 : 0;
        for (int s = 0; s < 3; ++s)
        {
            near += Distance(after[s], after[3]) < 0.05 * rslLength(after[3]) ? 1 : 0;
        }
    }
    assert_true(hits > count / 2);
    assert_proved("rigid pairs, e = 1 without friction, momentum", exact.momentum, 1e-12);
    assert_proved("rigid pairs, e = 1 without friction, angular momentum", exact.angular, 1e-10);
    assert_proved("rigid pairs, e = 1 without friction, energy lost", exact.lost, 1e-6);
    assert_proved("rigid pairs, e = 1 without friction, energy gained", exact.gained, 1e-6);
    assert_proved("rigid pairs, all e, with friction, momentum", lossy.momentum, 1e-6);
    assert_proved("rigid pairs, all e without friction, angular momentum", lossy.angular, 1e-3);
    assert_proved("rigid pairs, all e, with friction, energy gained", lossy.gained, 1e-6);
    assert_proved("rigid pairs, part that ends far from where small explicit steps have it", 1.0 - near / (3.0 * count),
                  0.2);
}

// ---- drops ------------------------------------------------------------------------------------------------------------

// How high a box comes up again, over how high it was, and how far its momentum is from what the ground has given it.
static double ReboundOf(const rslScene* scene, int s, double drop)
{
    Run run = StartRun(scene, SolverDef(schemes[s], StepOf(s)));
    double best = 0.0, impulse = 0.0;
    bool fell = false;
    int64_t steps = (int64_t)floor(0.66 / StepOf(s));
    double weight = run.model->bodies[0].mass * rslLength(run.model->gravity);

    for (int64_t i = 0; i < steps; ++i)
    {
        Step(&run, 1);
        rslMotion motion = rslSolver_Motion(run.solver, run.state, 0);
        fell = fell || motion.momentum.z >= 0.0;
        best = fell ? Worse(best, motion.centre.z - 0.05) : 0.0;
        for (int t = 0; s < 3 && t < run.state->touchedCount; ++t)
        {
            impulse += run.state->touched[t].impulse[2];
        }
    }
    double momentum = rslSolver_Motion(run.solver, run.state, 0).momentum.z;
    if (s < 3)
    {
        assert_close(impulse, momentum + weight * rslState_Time(run.state), 1e-3 * weight);
        assert_close(rslSolver_Energy(run.solver, run.state).drift, 0.0, 1e-9 * weight * drop);
    }
    EndRun(&run);
    return best / drop;
}

static void TestDrops(void** state)
{
    (void)state;
    static const double restitutions[3] = { 1.0, 0.6, 0.0 };
    double worst[2] = { 0.0 };
    for (int i = 0; i < 3; ++i)
    {
        rslShapeDef shape = BoxShape(0.2, 0.1, 0.1);
        rslBodyDef body = RigidBody("a", &shape, 0.1);
        rslScene scene = SceneOf(&body, 1);
        double e = restitutions[i], drop = 0.4;
        shape.translate.z = 0.05 + drop;
        scene.ground.enabled = true;
        scene.touch.restitution = e;
        for (int s = 0; s < 4; ++s)
        {
            double height = ReboundOf(&scene, s, drop);
            printf("# e %.1f %s: %.4f of the drop\n", e, names[s], height);
            // backward Euler falls from a height that is less, and rises to one that is: g h v / 2 a step, both ways
            worst[s == 3] = Worse(worst[s == 3], s > 0 ? fabs(height - e * e) : Worse(0.0, height - e * e));
        }
    }
    assert_proved("rigid box, height of its rebound less e^2, implicit at 1/60 s", worst[0], 0.03);
    assert_proved("the same in explicit steps", worst[1], 0.03);
}

// ---- where and when -----------------------------------------------------------------------------------------------------

// A box that flies at the ground turns round before its gap is less than its own range D, whatever that of others, and not earlier than
// in a part of a step and a quarter before it would be.
static void TestTurningPoint(void** state)
{
    (void)state;
    double early = 0.0, late = 0.0, lost = 0.0, speed = 3.0, h = 1.0 / 60.0;
    for (int i = 0; i < 12; ++i)
    {
        rslShapeDef shapes[2] = { BoxShape(0.2, 0.1, 0.1), BoxShape(1.0, 1.0, 1.0) };
        rslBodyDef bodies[2] = { RigidBody("a", &shapes[0], 0.1), RigidBody("bystander", &shapes[1], 1.0) };
        rslScene scene = FreeScene(bodies, 2, 1.0, 0.0);
        double gap = 0.003 + 0.0021 * i;
        scene.ground.enabled = true;
        shapes[0].translate.z = 0.05 + gap;
        shapes[1].translate.z = 9.0;
        bodies[0].velocity.z = -speed;
        Run run = StartRun(&scene, SolverDef(schemes[i % 3], h));
        const uint32_t key[4] = { 0, 0, RSL_KEY_COLLIDER, 0 };
        double D = rslBarrier_Range(run.solver->implicit->barrier, key), energy = EnergyOf(&run);
        Step(&run, 1);
        double height = rslSolver_Motion(run.solver, run.state, 0).centre.z - 0.05;
        double turned = 0.5 * (gap + height - speed * h), part = speed * h / 64.0;
        early = Worse(early, (turned - D) / part);
        late = Worse(late, (D - turned) / part);
        lost = Worse(lost, fabs(1.0 - EnergyOf(&run) / energy));
        EndRun(&run);
    }
    assert_proved("rigid box, parts of a step between where it turns round and the range", early, 1.26);
    assert_proved("the same, within the range", late, 1e-9);
    assert_proved("the same, energy lost", lost, 1e-12);
}

// What falls on a box that lies on the ground, within D, comes back: that box bounces at once, and gives back what it has got.
static void TestAnvil(void** state)
{
    (void)state;
    double worst = 0.0, g = 9.81, speed = 3.0, h = 1.0 / 60.0;
    for (int s = 0; s < 3; ++s)
    {
        rslShapeDef shapes[2] = { BoxShape(0.2, 0.2, 0.1), BoxShape(0.2, 0.2, 0.1) };
        rslBodyDef bodies[2] = { RigidBody("anvil", &shapes[0], 0.1), RigidBody("hammer", &shapes[1], 0.1) };
        rslScene scene = FreeScene(bodies, 2, 1.0, 0.0);
        scene.gravity.z = -g;
        scene.ground.enabled = true;
        shapes[0].translate.z = 0.051;
        shapes[1].translate.z = 0.3;
        bodies[1].velocity.z = -speed;
        Run run = StartRun(&scene, SolverDef(schemes[s], h));
        Step(&run, 4);
        rslMotion motion = rslSolver_Motion(run.solver, run.state, 1);
        double v = motion.momentum.z / run.model->bodies[1].mass;
        printf("# hammer, %s: up again at %.4f m/s\n", names[s], v);
        worst = Worse(worst, v > 0.0 ? fabs(v * v + 2.0 * g * (motion.centre.z - 0.3) - speed * speed) : INFINITY);
        EndRun(&run);
    }
    assert_proved("rigid box on one that lies, energy lost", worst / (speed * speed), 0.03);
}

// ---- a row ------------------------------------------------------------------------------------------------------------

// What the first one has, the last one gets.
static void TestRow(void** state)
{
    (void)state;
    rslShapeDef shapes[5];
    rslBodyDef bodies[5];
    static const char* const rows[5] = { "a", "b", "c", "d", "e" };
    for (int b = 0; b < 5; ++b)
    {
        shapes[b] = BoxShape(0.1, 0.1, 0.1);
        shapes[b].translate.x = 0.101 * b + (b == 0 ? -0.1 : 0.0);
        bodies[b] = RigidBody(rows[b], &shapes[b], 0.05);
    }
    bodies[0].velocity.x = 1.5;
    rslScene scene = FreeScene(bodies, 5, 1.0, 0.3);
    for (int s = 0; s < 3; ++s)
    {
        Run run = StartRun(&scene, SolverDef(schemes[s], 1.0 / 60.0));
        double mass = run.model->bodies[0].mass;
        Step(&run, 15);
        for (int b = 0; b < 5; ++b)
        {
            double speed = rslSolver_Motion(run.solver, run.state, b).momentum.x / mass;
            assert_close(speed, b == 4 ? 1.5 : 0.0, 1e-9);
        }
        EndRun(&run);
    }
}

// ---- joints, welds, bits ------------------------------------------------------------------------------------------------

// Two rigid bodies on a joint, thrown at a rigid block that is held; and with a soft tail.
typedef struct Chain
{
    rslShapeDef shapes[4];
    rslBodyDef bodies[4];
    rslLinkDef weld;
    rslJointDef joint;
    rslConstraintDef pin;
    rslScene scene;
} Chain;

static void MakeChain(Chain* c, bool tail, double restitution, double friction)
{
    static const char* const parts[4] = { "a", "b", "block", "tail" };
    static const double at[4] = { 0.0, -0.3, 0.4, -0.5 };
    for (int b = 0; b < 4; ++b)
    {
        c->shapes[b] = BoxShape(0.2, 0.1, 0.1);
        c->shapes[b].translate = (rslVec3){ at[b], b == 2 ? 0.02 : 0.0, b == 2 ? 0.06 : 0.0 };
        c->bodies[b] = b == 3 ? LatticeBody(parts[b], &c->shapes[b], 0.1) : RigidBody(parts[b], &c->shapes[b], 0.1);
        c->bodies[b].velocity.x = b != 2 ? 3.0 : 0.0;
    }
    c->weld = rslDefaultLinkDef();
    c->weld.type = rsl_weldLink;
    c->weld.from = SideOf("tail", (rslVec3){ -0.401, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
    c->weld.to = AllOf("b");
    c->joint = rslDefaultJointDef();
    c->joint.type = rsl_ballJoint;
    c->joint.a = "a";
    c->joint.b = "b";
    c->joint.point = (rslVec3){ -0.15, 0.0, 0.0 };
    c->pin = PinOf(AllOf("block"));
    c->scene = FreeScene(c->bodies, tail ? 4 : 3, restitution, friction);
    c->scene.links = &c->weld;
    c->scene.linkCount = tail ? 1 : 0;
    c->scene.joints = &c->joint;
    c->scene.jointCount = 1;
    c->scene.constraints = &c->pin;
    c->scene.constraintCount = 1;
}

// Without losses, joints lose nothing either.
static void TestChain(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        Chain chain;
        MakeChain(&chain, i >= 2, i == 0 ? 1.0 : 0.8, i == 0 ? 0.0 : 0.3);
        Run run = StartRun(&chain.scene, SolverDef(i == 3 ? rsl_theta : rsl_trBdf2, 1.0 / 60.0));
        double first = rslSolver_Energy(run.solver, run.state).total, most = 0.0, least = 0.0;
        for (int k = 0; k < 12; ++k)
        {
            Step(&run, 1);
            most = Worse(most, (rslSolver_Energy(run.solver, run.state).total - first) / first);
            least = fmin(least, rslSolver_Motion(run.solver, run.state, 0).momentum.x);
            assert_close(rslState_JointGap(run.model, run.state, 0).distance, 0.0, 1e-12);
            assert_true(rslBarrier_Smallest(run.solver->implicit->barrier, NULL) > 0.0);
        }
        rslEnergy energy = rslSolver_Energy(run.solver, run.state);
        printf("# chain %d: %.4f of the energy left, gained %.1e, thrown back %.2f\n", i, energy.total / first, most,
               least);
        assert_true(most < 1e-3 && least < 0.0);
        assert_true(i > 0 || energy.total > 0.999 * first);
        assert_close(energy.drift, 0.0, 1e-9 * first);
        EndRun(&run);
    }
}

static void TestBits(void** state)
{
    (void)state;
    Chain chain;
    MakeChain(&chain, true, 0.8, 0.3);
    assert_true(CheckResume(&chain.scene, rsl_trBdf2, 9));
}

static void TestMemory(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.1);
    rslBodyDef body = RigidBody("a", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    shape.translate.z = 0.06;
    body.velocity.z = -3.0;
    scene.ground.enabled = true;
    FailEveryAllocation(&scene, SolverDef(rsl_theta, 1.0 / 60.0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPairs), cmocka_unit_test(TestTurningPoint), cmocka_unit_test(TestAnvil),
        cmocka_unit_test(TestDrops), cmocka_unit_test(TestRow),          cmocka_unit_test(TestChain),
        cmocka_unit_test(TestBits),  cmocka_unit_test(TestMemory),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
