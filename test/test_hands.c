// SPDX-License-Identifier: MIT
//
// test_hands.c: hands of the studio: their forces are those of springs, momentum and energy are what they give, and nothing that a
// pointer does makes a body blow up.

#include "hands_fixture.h"

// The quick form has a part of the cases of the full one.
static bool Few(void)
{
    return Sanitized() || !Proving();
}

static const rslIntegrator integrators[5] = { rsl_positionVerlet, rsl_velocityVerlet, rsl_implicitEuler, rsl_theta,
                                              rsl_trBdf2 };

typedef struct Block
{
    rslShapeDef shape;
    rslBodyDef body;
    rslScene scene;
} Block;

// Of a few hundred nodes. Lists point into the block itself.
static void MakeBlock(Block* block, double size, double young, double density)
{
    block->shape = BoxShape(size, size, size);
    block->body = LatticeBody("block", &block->shape, size / 6.0);
    block->body.material.young = young;
    block->body.material.density = density;
    block->scene = SceneOf(&block->body, 1);
}

static rslSolverDef DefOf(rslIntegrator integrator)
{
    return SolverDef(integrator, integrator >= rsl_implicitEuler ? 1.0 / 60.0 : RSL_AUTO);
}

// A scene drawn at random, with a node of it; false: not allowed.
static bool DrawRun(uint64_t seed, DrawnScene* drawn, HandRun* h, Random* random, rslVec3* point)
{
    DrawScene(seed, drawn);
    rslModel* model = NULL;
    rslReport report = { 0 };
    rslStatus status = rslModel_Build(&drawn->scene, NULL, &model, &report);
    rslModel_Free(model);
    if (status != rsl_ok)
    {
        return false;
    }
    drawn->def.threads = 1;
    drawn->def.precision = rsl_double;
    *h = StartHands(&drawn->scene, drawn->def);
    *point = PositionOf(&h->run, NextBelow(random, h->run.model->nodeCount));
    return true;
}

// ---- forces -----------------------------------------------------------------------------------------------------------

// U of a hand, for positions as they are now.
static double EnergyOf(const HandRun* h, const webHand* hand)
{
    rslVec3 mean = { 0 };
    for (int i = 0; i < hand->count; ++i)
    {
        mean = rslAdd(mean, rslScale(hand->weights[i], PositionOf(&h->run, hand->nodes[i])));
    }
    rslVec3 d = rslSub(hand->target, rslAdd(mean, hand->offset));
    d.z = h->run.model->plane == rsl_planeXY ? 0.0 : d.z;
    return 0.5 * hand->stiffness * rslDot(d, d);
}

static void Gradient(void** unused)
{
    (void)unused;
    int tried = 0;
    for (uint64_t seed = 1; tried < (Few() ? 5 : 40); ++seed)
    {
        Random random = MakeRandom(seed);
        DrawnScene drawn;
        HandRun h;
        rslVec3 point;
        if (!DrawRun(seed, &drawn, &h, &random, &point))
        {
            continue;
        }
        tried += 1;
        for (int i = 0; i < h.run.model->nodeCount; ++i)
        {
            rslState_SetVelocity(h.run.model, h.run.state, i, (rslVec3){ 0 });
        }
        int number = webHands_Grab(&h.hands, h.run.state, point, NextFactor(&random, 1e-3, 0.3));
        assert_int_equal(number, 0);
        const webHand* hand = &h.hands.list[0];
        double weights = 0.0, length = 1e-4;
        for (int i = 0; i < hand->count; ++i)
        {
            assert_true(hand->weights[i] >= 0.0);
            weights += hand->weights[i];
        }
        assert_close(weights, 1.0, 1e-12);
        assert_true(hand->count >= 4 || hand->count == h.run.model->bodies[0].nodeCount);
        rslVec3 target = rslAdd(point, rslScale(length, NextDirection(&random)));
        assert_true(webHands_Pull(&h.hands, 0, target));
        webHands_Update(&h.hands, h.run.state);
        rslVec3 sum = SumOfForces(&h);
        double size = rslLength(hand->force);
        assert_true(rslLength(rslSub(sum, hand->force)) <= 1e-12 * size);
        // no more than it may be
        assert_at_most(size, hand->strongest * (1.0 + 1e-12));
        double capped = hand->stiffness * length > size * (1.0 + 1e-9);
        int node = hand->nodes[NextBelow(&random, hand->count)];
        double* f = h.hands.forces + 3 * node;
        rslVec3 at = PositionOf(&h.run, node), way = NextDirection(&random);
        way.z = h.run.model->plane == rsl_planeXY ? 0.0 : way.z;
        double energies[2], e = 1e-6;
        for (int k = 0; k < 2 && capped == 0.0; ++k)
        {
            rslState_SetPosition(h.run.model, h.run.state, node, rslAdd(at, rslScale(k == 0 ? -e : e, way)));
            energies[k] = EnergyOf(&h, hand);
        }
        if (capped == 0.0)
        {
            double slope = (energies[0] - energies[1]) / (2.0 * e);
            assert_close(slope, f[0] * way.x + f[1] * way.y + f[2] * way.z, 1e-6 * size + 1e-12);
        }
        EndHands(&h);
    }
}

// Of a free body: momentum from the impulse, energy from the work.
static void Balance(void** unused)
{
    (void)unused;
    for (int k = 0; k < 5; ++k)
    {
        Random random = MakeRandom((uint64_t)k);
        Block block;
        MakeBlock(&block, 0.1, NextFactor(&random, 1e4, 1e6), 1000.0);
        block.scene.gravity = (rslVec3){ 0 };
        HandRun h = StartHands(&block.scene, DefOf(integrators[k]));
        rslVec3 point = PositionOf(&h.run, NextBelow(&random, h.run.model->nodeCount)), impulse = { 0 };
        assert_int_equal(webHands_Grab(&h.hands, h.run.state, point, 0.03), 0);
        webHands_Pull(&h.hands, 0, rslAdd(point, NextVec3(&random, 0.1)));
        double step = HandStepLength(&h), work = 0.0, most = 0.0;
        const webHand* hand = &h.hands.list[0];
        for (int i = 0; i * step < 0.5; ++i)
        {
            rslVec3 before[1000];
            for (int n = 0; n < hand->count; ++n)
            {
                before[n] = PositionOf(&h.run, hand->nodes[n]);
            }
            assert_int_equal(HandStep(&h), rsl_ok);
            impulse = rslAdd(impulse, rslScale(step, hand->force));
            most = fmax(most, rslLength(impulse));
            for (int n = 0; n < hand->count; ++n)
            {
                rslVec3 moved = rslSub(PositionOf(&h.run, hand->nodes[n]), before[n]);
                work += hand->weights[n] * rslDot(hand->force, moved);
            }
        }
        rslEnergy energy = rslSolver_Energy(h.run.solver, h.run.state);
        double held = energy.kinetic + energy.springs;
        assert_close(rslLength(rslSub(Momentum(&h), impulse)), 0.0, k < 2 ? 1e-9 * most : 1e-3 * most);
        // what is lost is lost by the integrator: nothing by explicit ones
        assert_at_most(held, work * (1.0 + (k < 2 ? 0.05 : 1e-2)) + 1e-9);
        if (k < 2)
        {
            assert_at_most(0.95 * work, held);
        }
        EndHands(&h);
    }
}

// ---- no blow-up -------------------------------------------------------------------------------------------------------

// Drag it about, far and back, drop it. Held still at last, speeds are those of a body that swings.
static void Drag(rslIntegrator integrator, double size, double young, double density, int hands)
{
    Block block;
    MakeBlock(&block, size, young, density);
    block.body.material.stiffnessDamping = 1e-4;
    HandRun h = StartHands(&block.scene, DefOf(integrator));
    double step = HandStepLength(&h), mass = h.run.model->bodies[0].mass;
    rslVec3 top = { 0.0, 0.0, 0.5 * size };
    for (int i = 0; i < hands; ++i)
    {
        assert_int_equal(webHands_Grab(&h.hands, h.run.state, top, 0.25 * size), i);
    }
    rslVec3 targets[4] = { { 0, 0, 0.6 * size }, { 2, 0, 1 }, { -1, 1e6, 0 }, { 0, 0, 0.6 * size } };
    double wave = sqrt(young / density), fastest = 0.0, held = 0.0, mean = 0.0;
    double times[4] = { 0.3, 0.3, 0.1, 3.0 };
    for (int k = 0; k < 4; ++k)
    {
        for (int i = 0; i < hands; ++i)
        {
            assert_true(webHands_Pull(&h.hands, i, targets[k]));
        }
        for (double time = 0.0; time < times[k]; time += step)
        {
            assert_int_equal(HandStep(&h), rsl_ok);
            if (integrator >= rsl_implicitEuler || fmod(time, 0.01) < step)
            {
                fastest = Worse(fastest, Fastest(&h));
            }
            held = rslLength(h.hands.list[0].force) * hands / (mass * 9.81);
            assert_at_most(held, 30.0 * (1.0 + 1e-9));
            mean += k == 3 && time > 2.0 ? h.hands.list[0].force.z * hands / (mass * 9.81) * step : 0.0;
        }
    }
    // waves at several times the speed of the hand are reflected at edges
    assert_at_most(fastest, 40.0 + 4.0 * fmin(wave, 5.0));
    // it hangs there, turns, and carries its weight
    assert_at_most(Fastest(&h), 8.0);
    assert_close(mean, 1.0, 0.4);
    assert_true(webHands_Release(&h.hands, 0));
    EndHands(&h);
}

static void Drags(void** unused)
{
    (void)unused;
    for (int k = 0; k < 5; k += Few() ? 3 : 1)
    {
        for (int e = Few() ? 5 : 4; e <= (k < 2 ? 5 : 8); e += Few() ? 3 : k < 2 ? 1 : 2)
        {
            for (int heavy = Few(); heavy < (Few() ? 2 : 3); ++heavy)
            {
                double density = heavy == 0 ? 20.0 : heavy == 1 ? 1000.0 : 8000.0, young = pow(10.0, e);
                for (int s = 0; s < 2; ++s)
                {
                    double size = s == 0 ? 0.05 : 0.3;
                    // it can bear its weight
                    if (young > 30.0 * density * 9.81 * size)
                    {
                        Drag(integrators[k], size, young, density, 1);
                    }
                }
            }
        }
        Drag(integrators[k], 0.1, 1e5, 1000.0, 2);
        if (!Few())
        {
            Drag(integrators[k], 0.1, 1e5, 1000.0, WEB_HANDS);
        }
    }
}

// Nothing damps the body but the hand; waves far above what the hand feels must not gain from it.
static void Undamped(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    Block block;
    MakeBlock(&block, 0.1, 1e7, 1000.0);
    HandRun h = StartHands(&block.scene, DefOf(rsl_positionVerlet));
    assert_int_equal(webHands_Grab(&h.hands, h.run.state, (rslVec3){ 0, 0, 0.05 }, 0.03), 0);
    webHands_Pull(&h.hands, 0, (rslVec3){ 0, 0.02, 0.06 });
    double step = HandStepLength(&h), early = 0.0, late = 0.0;
    for (int i = 0; i * step < 3.0; ++i)
    {
        assert_int_equal(HandStep(&h), rsl_ok);
        double* worst = i * step < 0.3 ? &early : i * step > 2.5 ? &late : NULL;
        if (worst != NULL && i % 16 == 0)
        {
            *worst = Worse(*worst, Fastest(&h));
        }
    }
    assert_at_most(late, early);
    EndHands(&h);
}

// All kinds of bodies, at the longest stable step and at 1/60 s.
static void AnyBody(void** unused)
{
    (void)unused;
    int tried = 0;
    for (uint64_t seed = 1000; tried < (Few() ? 5 : 40); ++seed)
    {
        Random random = MakeRandom(seed);
        DrawnScene drawn;
        DrawScene(seed, &drawn);
        drawn.scene.loadCount = drawn.scene.constraintCount = drawn.scene.colliderCount = 0;
        drawn.scene.bodyCount = 1;
        drawn.scene.contactCount = 0;
        drawn.scene.ground.enabled = false;
        drawn.bodies[0].velocity = drawn.bodies[0].spin = (rslVec3){ 0 };
        drawn.scene.gravity = (rslVec3){ 0, 0, -9.81 };
        rslModel* model = NULL;
        rslReport report = { 0 };
        rslStatus status = rslModel_Build(&drawn.scene, NULL, &model, &report);
        rslModel_Free(model);
        bool bounded = drawn.bodies[0].model.type != rsl_boxModel;  // energy of boxes has no lower bound
        rslIntegrator which = integrators[tried % 5];
        double burden = 30.0 * 9.81 * drawn.length * drawn.bodies[0].material.density;
        bool soft = which < rsl_implicitEuler && drawn.bodies[0].material.young < burden;
        if (status != rsl_ok || !bounded || soft)
        {
            continue;
        }
        drawn.def = DefOf(which);
        drawn.def.fraction = tried % 2 == 0 ? 0.7 : 0.95;
        HandRun h = StartHands(&drawn.scene, drawn.def);
        rslVec3 point = PositionOf(&h.run, NextBelow(&random, h.run.model->nodeCount));
        assert_int_equal(webHands_Grab(&h.hands, h.run.state, point, 0.05), 0);
        double fastest = 0.0;
        for (int k = 0; k < 5; ++k)
        {
            webHands_Pull(&h.hands, 0, rslAdd(point, NextVec3(&random, k == 2 ? 100.0 : 0.1)));
            for (int i = 0; i < (which >= rsl_implicitEuler ? 10 : 100); ++i)
            {
                status = HandStep(&h);
                if (status != rsl_ok)
                {
                    char text[400];
                    print_error("seed %d: %s\n", (int)seed, DescribeScene(&drawn, text, sizeof text));
                }
                assert_int_equal(status, rsl_ok);
            }
            fastest = Worse(fastest, Fastest(&h));
        }
        assert_at_most(fastest, 20.0 * fmax(drawn.wave, 5.0));
        EndHands(&h);
        tried += 1;
    }
}

// A kilogram is lifted by a hand that is stretched by no more than a few centimetres, also at 1/60 s.
static void Lifts(void** unused)
{
    (void)unused;
    for (int k = 0; k < 5; ++k)
    {
        Block block;
        MakeBlock(&block, 0.1, 1e5, 1000.0);
        block.body.material.stiffnessDamping = 1e-3;
        HandRun h = StartHands(&block.scene, DefOf(integrators[k]));
        assert_int_equal(webHands_Grab(&h.hands, h.run.state, (rslVec3){ 0, 0, 0.05 }, 0.015), 0);
        webHands_Pull(&h.hands, 0, (rslVec3){ 0, 0, 0.2 });
        double step = HandStepLength(&h);
        for (int i = 0; i * step < 4.0; ++i)
        {
            assert_int_equal(HandStep(&h), rsl_ok);
        }
        const webHand* hand = &h.hands.list[0];
        assert_at_most(rslLength(rslSub(hand->target, hand->place)), 0.04);
        assert_close(rslLength(hand->force), 9.81 * h.run.model->bodies[0].mass, 1.0);
        EndHands(&h);
    }
}

// ---- edges ------------------------------------------------------------------------------------------------------------

static void Edges(void** unused)
{
    (void)unused;
    Block block;
    MakeBlock(&block, 0.1, 1e5, 1000.0);
    HandRun h = StartHands(&block.scene, DefOf(rsl_theta));
    rslVec3 top = { 0, 0, 0.05 }, nowhere = { NAN, 0, 0 }, far = { 0, INFINITY, 0 }, huge = { 1e300, 0, 0 };
    assert_false(webHands_Busy(&h.hands));
    assert_int_equal(webHands_Grab(&h.hands, h.run.state, nowhere, 0.01), -1);
    assert_int_equal(webHands_Grab(&h.hands, h.run.state, far, 0.01), -1);
    assert_int_equal(webHands_Grab(&h.hands, h.run.state, huge, 0.01), -1);
    assert_false(webHands_Pull(&h.hands, 0, top));
    assert_false(webHands_Pull(&h.hands, -1, top));
    assert_false(webHands_Pull(&h.hands, WEB_HANDS, top));
    assert_false(webHands_Release(&h.hands, 0));
    assert_false(webHands_Release(&h.hands, WEB_HANDS));
    const double radii[6] = { 0.01, 0.0, -1.0, NAN, INFINITY, 1e300 };
    for (int i = 0; i < WEB_HANDS; ++i)
    {
        assert_int_equal(webHands_Grab(&h.hands, h.run.state, top, radii[i % 6]), i);
        assert_true(h.hands.list[i].count >= 4 && h.hands.list[i].mass > 0.0);
    }
    assert_int_equal(webHands_Grab(&h.hands, h.run.state, top, 0.01), -1);
    assert_true(webHands_Release(&h.hands, 17));
    assert_false(webHands_Release(&h.hands, 17));
    assert_int_equal(webHands_Grab(&h.hands, h.run.state, top, 0.01), 17);
    const rslVec3 ignored[3] = { nowhere, far, huge };
    for (int k = 0; k < 3; ++k)
    {
        assert_true(webHands_Pull(&h.hands, 3, ignored[k]));
        assert_true(h.hands.list[3].target.z == top.z);
        webHands_Push(&h.hands, ignored[k], top, 0.1);
        webHands_Push(&h.hands, top, ignored[k], 0.1);
    }
    webHands_Push(&h.hands, top, top, NAN);
    assert_false(h.hands.tool.used);
    webHands_Pull(&h.hands, 3, (rslVec3){ 1e150, 0, 0 });
    for (int i = 0; i < 5; ++i)
    {
        assert_int_equal(HandStep(&h), rsl_ok);
        assert_true(isfinite(rslLength(SumOfForces(&h))));
    }
    for (int i = 0; i < WEB_HANDS; ++i)
    {
        assert_true(webHands_Release(&h.hands, i));
    }
    assert_false(webHands_Busy(&h.hands));
    webHands_Update(&h.hands, h.run.state);
    assert_true(rslLength(SumOfForces(&h)) == 0.0);
    EndHands(&h);
}

// Bodies of one node, rigid ones, in the plane, held by constraints, at rest for good.
static void Odd(void** unused)
{
    (void)unused;
    const double one[3] = { 0.1, 0.2, 0.3 }, mass = 0.5;
    for (int k = 0; k < 5; k += Few() ? 3 : 1)
    {
        for (int kind = 0; kind < 4; ++kind)
        {
            Block block;
            MakeBlock(&block, 0.1, 1e5, 1000.0);
            rslConstraintDef pin = rslDefaultConstraintDef();
            rslBodyDef body = kind == 0   ? NetworkBody("dot", one, 1, &mass, NULL, 0, NULL)
                              : kind == 1 ? RigidBody("rigid", &block.shape, 0.02)
                              : kind == 2 ? GridBody("sheet", 0.1, 0.1, 5, 5)
                                          : block.body;
            body.material.stiffnessDamping = kind >= 2 ? 1e-3 : 0.0;
            rslScene scene = SceneOf(&body, 1);
            scene.gravity = (rslVec3){ 0 };
            scene.plane = kind == 2 ? rsl_planeXY : rsl_space3;
            pin.nodes.type = rsl_planeNodes;
            pin.nodes.point = (rslVec3){ 0, 0, 0.03 };
            pin.nodes.normal = (rslVec3){ 0, 0, 1 };
            scene.constraints = &pin;
            scene.constraintCount = kind == 3;
            rslSolverDef def = DefOf(integrators[k]);
            def.step = kind == 0 ? 1.0 / 60.0 : def.step;
            HandRun h = StartHands(&scene, def);
            rslVec3 point = PositionOf(&h.run, h.run.model->nodeCount - 1), target = point;
            assert_int_equal(webHands_Grab(&h.hands, h.run.state, rslAdd(point, (rslVec3){ 0, 0, kind == 2 }), 0.03),
                             0);
            target.x += 0.1;
            target.z += kind == 2 ? 5.0 : 0.0;
            webHands_Pull(&h.hands, 0, target);
            double step = HandStepLength(&h);
            for (int i = 0; i * step < 3.0; ++i)
            {
                assert_int_equal(HandStep(&h), rsl_ok);
            }
            const webHand* hand = &h.hands.list[0];
            rslVec3 off = rslSub(hand->target, hand->place);
            off.z = kind == 2 ? 0.0 : off.z;
            assert_at_most(rslLength(off), kind == 3 ? 0.2 : 0.005);
            assert_true(kind != 2 || PositionOf(&h.run, 0).z == 0.0);
            assert_at_most(Fastest(&h), kind == 1 ? 2.0 : 0.2);  // what is rigid turns on
            EndHands(&h);
        }
    }
    Block block;
    MakeBlock(&block, 0.1, 1e5, 1000.0);
    rslConstraintDef all = rslDefaultConstraintDef();
    block.scene.constraints = &all;
    block.scene.constraintCount = 1;
    HandRun h = StartHands(&block.scene, SolverDef(rsl_static, RSL_AUTO));
    webHands_Push(&h.hands, (rslVec3){ 0 }, (rslVec3){ 0 }, 0.03);
    assert_false(webHands_Busy(&h.hands));
    EndHands(&h);
}

// A ball that stands in the middle of a block which hangs or is free: it comes out of it whatever the steps are, and stays there.
static void ToolsAreStiff(void** unused)
{
    (void)unused;
    for (int k = Few() ? 2 : 0; k < 5; k += Few() ? 2 : 1)
    {
        for (int held = 0; held < 2; ++held)
        {
            Block block;
            MakeBlock(&block, 0.1, 1e5, 1000.0);
            block.body.material.stiffnessDamping = 1e-3;
            block.body.material.massDamping = 2.0;
            rslConstraintDef pin = rslDefaultConstraintDef();
            pin.nodes.type = rsl_planeNodes;
            pin.nodes.point = (rslVec3){ 0, 0, -0.045 };
            pin.nodes.normal = (rslVec3){ 0, 0, -1 };
            block.scene.constraints = &pin;
            block.scene.constraintCount = held;
            block.scene.gravity = held ? block.scene.gravity : (rslVec3){ 0 };
            HandRun h = StartHands(&block.scene, DefOf(integrators[k]));
            double step = HandStepLength(&h), deepest = 0.0, radius = 0.03;
            for (int i = 0; i * step < 3.0; ++i)
            {
                // pressed 1 cm into the upper side
                webHands_Push(&h.hands, (rslVec3){ 0, 0, 0.07 }, (rslVec3){ 0, 0, 0.07 }, radius);
                assert_int_equal(HandStep(&h), rsl_ok);
                for (int n = 0; i * step > 2.5 && n < h.run.model->nodeCount; ++n)
                {
                    rslVec3 p = PositionOf(&h.run, n);
                    deepest = fmax(deepest, radius - rslLength(rslSub(p, (rslVec3){ 0, 0, 0.07 })));
                }
            }
            print_message("%d %d: deepest %.2g mm, force %.3g N, fastest %.2g m/s\n", k, held, 1e3 * deepest,
                          rslLength(h.hands.tool.force), Fastest(&h));
            assert_at_most(deepest, 0.2 * radius);
            assert_true(!held || rslLength(h.hands.tool.force) > 1.0);
            assert_at_most(Fastest(&h), 0.1);
            EndHands(&h);
        }
    }
}

// A ball and a rod that come from the side push the body along, with as much as it pushes back.
static void Tools(void** unused)
{
    (void)unused;
    for (int k = 0; k < 5; k += Few() ? 3 : 1)
    {
        for (int rod = 0; rod < 2; ++rod)
        {
            for (int jump = 0; jump < 2; ++jump)
            {
                Block block;
                MakeBlock(&block, 0.1, 1e5, 1000.0);
                block.body.material.stiffnessDamping = 1e-4;
                block.scene.gravity = (rslVec3){ 0 };
                HandRun h = StartHands(&block.scene, DefOf(integrators[k]));
                double step = HandStepLength(&h), pushed = 0.0, fastest = 0.0, radius = 0.03, speed = 0.3;
                rslVec3 impulse = { 0 };
                for (int i = 0; i * step < 0.5; ++i)
                {
                    double x = jump ? (i * step < 0.1 ? -0.1 : 0.0) : -0.1 + speed * i * step;
                    webHands_Push(&h.hands, (rslVec3){ x, rod ? -0.2 : 0.0, 0 }, (rslVec3){ x, rod ? 0.2 : 0.0, 0 },
                                  radius);
                    assert_int_equal(HandStep(&h), rsl_ok);
                    rslVec3 force = h.hands.tool.force, sum = SumOfForces(&h);
                    assert_at_most(rslLength(rslAdd(force, sum)), 1e-12 * (1.0 + rslLength(sum)));
                    assert_at_most(rslLength(force), 30.0 * 9.81 * h.run.model->bodies[0].mass * (1.0 + 1e-9));
                    pushed = fmax(pushed, rslLength(force));
                    impulse = rslAdd(impulse, rslScale(step, sum));
                    fastest = Worse(fastest, i % 8 == 0 ? Fastest(&h) : 0.0);
                }
                assert_true(pushed > 0.0);
                assert_at_most(fastest, 40.0);
                assert_true(jump || Momentum(&h).x > 0.5 * speed * h.run.model->bodies[0].mass);
                assert_close(rslLength(rslSub(Momentum(&h), impulse)), 0.0, 1e-2 * rslLength(impulse));
                webHands_PutAway(&h.hands);
                assert_false(webHands_Busy(&h.hands));
                EndHands(&h);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Gradient), cmocka_unit_test(Balance), cmocka_unit_test(Lifts),         cmocka_unit_test(Edges),
        cmocka_unit_test(Odd),      cmocka_unit_test(Tools),   cmocka_unit_test(ToolsAreStiff), cmocka_unit_test(Drags),
        cmocka_unit_test(Undamped), cmocka_unit_test(AnyBody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
