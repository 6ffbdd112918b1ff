// SPDX-License-Identifier: MIT
//
// test_modes.c: natural frequencies: closed forms, motions that cost nothing, a run that swings.

#include "modes_fixture.h"

// ---- closed forms ---------------------------------------------------------------------------------------------------

enum
{
    CHAIN = 24
};

// Masses m in a row along x with springs k between neighbours.
static rslBodyDef ChainBody(double nodes[3 * CHAIN], int springs[2 * CHAIN], double spacing, const double* mass,
                            const double* stiffness)
{
    for (int i = 0; i < CHAIN; ++i)
    {
        nodes[3 * i] = spacing * i;
        nodes[3 * i + 1] = nodes[3 * i + 2] = 0.0;
        springs[2 * i] = i;
        springs[2 * i + 1] = i + 1;
    }
    return NetworkBody("chain", nodes, CHAIN, mass, springs, CHAIN - 1, stiffness);
}

// w = 2 sqrt(k/m) sin(n pi / 2N) for free ends, which shift at no cost; everything is held across.
static void ChainOfMasses(void** unused)
{
    (void)unused;
    double nodes[3 * CHAIN], mass = 0.2, stiffness = 300.0;
    int springs[2 * CHAIN];
    rslBodyDef body = ChainBody(nodes, springs, 0.1, &mass, &stiffness);
    rslConstraintDef rail = PinOf(AllOf("chain"));
    rail.axes[0] = false;
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &rail;
    scene.constraintCount = 1;
    rslModes* modes = ModesOfScene(&scene, 12, 1e-6);
    assert_int_equal(modes->zeroCount, 1);
    for (int n = 1; n <= modes->count; ++n)
    {
        double exact = 2.0 * sqrt(stiffness / mass) * sin(n * PI / (2.0 * CHAIN)) / (2.0 * PI);
        assert_close(modes->frequency[n - 1], exact, 1e-10 * exact);
    }
    rslModes_Free(modes);

    // all of them, and no more
    modes = ModesOfScene(&scene, 40, 1e-6);
    assert_int_equal(modes->count, CHAIN - 1);
    rslModes_Free(modes);
}

// A string: held at the ends and stretched by s of its length, w = 2 sqrt(T / m l) sin(n pi / 2(N-1)) in both directions
// across. Unstretched, it is a mechanism. Pressed, it buckles: the rates are the same, but they grow.
static void StretchedString(void** unused)
{
    (void)unused;
    double nodes[3 * CHAIN], mass = 0.2, stiffness = 300.0, rest = 0.1;
    int springs[2 * CHAIN], ends[2] = { 0, CHAIN - 1 };
    for (int turn = -1; turn <= 1; turn += 2)
    {
        double spacing = rest * (1.0 + 0.02 * turn), tension = stiffness * (spacing - rest);
        rslBodyDef body = ChainBody(nodes, springs, spacing, &mass, &stiffness);
        body.network.restLengths = &rest;
        body.network.restLengthCount = 1;
        rslConstraintDef pin = PinOf(ListOf("chain", ends, 2));
        rslScene scene = SceneOf(&body, 1);
        scene.constraints = &pin;
        scene.constraintCount = 1;
        rslModes* modes = ModesOfScene(&scene, 8, 1e-6);
        assert_int_equal(modes->zeroCount, 0);
        for (int n = 0; n < modes->count; ++n)
        {
            int order = turn > 0 ? n / 2 + 1 : CHAIN - 2 - n / 2;
            double angle = order * PI / (2.0 * (CHAIN - 1));
            double exact = turn * 2.0 * sqrt(fabs(tension) / (mass * spacing)) * sin(angle) / (2.0 * PI);
            assert_close(modes->frequency[n], exact, 1e-9 * fabs(exact));
            assert_true(turn > 0 || modes->dampingRatio[n] == 0.0);
        }
        rslModes_Free(modes);
    }
}

// A cantilever 4 x 1 x 1 is too stiff by 1.110, 1.032, 1.009 with 2, 4, 8 cells across; the limit by extrapolation of the
// last two, with errors as the square of the spacing. A square beam bends in pairs.
static void Cantilever(void** unused)
{
    (void)unused;
    double f[3], expected[3] = { 1.110, 1.032, 1.009 };
    for (int k = 0; k < 3; ++k)
    {
        rslShapeDef shape;
        rslBodyDef body;
        rslConstraintDef pin;
        rslScene scene = Beam(&shape, &body, &pin, 1.0, 0.5 / (1 << k));
        rslModes* modes = ModesOfScene(&scene, 4, 1e-4);
        f[k] = modes->frequency[0];
        assert_close(modes->frequency[1], f[k], 1e-8 * f[k]);
        assert_int_equal(modes->zeroCount, 0);
        rslModes_Free(modes);
    }
    double limit = f[2] - (f[1] - f[2]) / 3.0;
    for (int k = 0; k < 3; ++k)
    {
        char what[80];
        snprintf(what, sizeof what, "cantilever 4x1x1, %d cells across: f1 over the limit, off %.3f", 2 << k,
                 expected[k]);
        assert_proved(what, fabs(f[k] / limit - expected[k]), 0.003);
    }
    // Euler and Bernoulli less shear and rotatory inertia (Timoshenko): some 4 % at this slenderness
    double slender = 1.8751 * 1.8751 / (2.0 * PI) * sqrt(1e5 / 1000.0 / 12.0) / 16.0;
    assert_true(limit < slender && limit > 0.95 * slender);
}

// A free bar: f = n c / 2L, c = sqrt(E / rho), less the sideways motion (Love): n^2 pi^2 nu^2 (J / A L^2) / 2.
static void AxialModesOfABar(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(6.0, 0.3, 0.3);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModes* modes = ModesOf(model, state, 18, 1e-4);
    int found = 0;
    assert_int_equal(modes->zeroCount, 6);
    for (int c = 0; c < modes->count; ++c)
    {
        double along = 0.0;
        for (int i = 0; i < model->nodeCount; ++i)
        {
            double x = rslModes_Shape(modes, c, i).x;
            along += model->mass[i] * x * x;
        }
        if (along > 0.9)
        {
            int n = ++found;
            double exact = n * sqrt(1e5 / 1000.0) / 12.0;
            double love = n * n * PI * PI / 16.0 * (0.09 / 6.0 / 36.0) / 2.0;
            assert_close(modes->frequency[c] / exact, 1.0 - love, 1e-3);
        }
    }
    assert_true(found >= 2);
    rslModes_Free(modes);
    rslState_Free(state);
    rslModel_Free(model);
}

// ---- motions that cost nothing --------------------------------------------------------------------------------------

static int ZerosOf(const rslScene* scene)
{
    rslModes* modes = ModesOfScene(scene, 4, 1e-3);
    int zeros = modes->zeroCount;
    assert_true(modes->count == 0 || modes->frequency[0] > 0.0);
    rslModes_Free(modes);
    return zeros;
}

static void MotionsThatCostNothingAreCounted(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.5, 0.4, 0.3), away = shape;
    rslBodyDef bodies[2] = { LatticeBody("a", &shape, 0.1), LatticeBody("b", &away, 0.1) };
    bodies[0].network.orientation = (rslRotationDef){ { 1.0, 2.0, 0.5 }, 20.0 };
    away.translate = (rslVec3){ 3, 4, 5 };
    rslScene scene = SceneOf(bodies, 1);
    assert_int_equal(ZerosOf(&scene), 6);
    scene.bodyCount = 2;
    assert_int_equal(ZerosOf(&scene), 12);

    // shells A and C have three mechanisms more, unless something holds them
    bodies[1].network.shells = rsl_shellsAC;
    assert_int_equal(ZerosOf(&scene), 6 + 9);
    rslConstraintDef end = PinOf(SideOf("b", (rslVec3){ 3.2, 4, 5 }, (rslVec3){ 1, 0, 0 }));
    scene.constraints = &end;
    scene.constraintCount = 1;
    assert_int_equal(ZerosOf(&scene), 6);
    bodies[1].network.shells = rsl_shellsAB;

    // one node held: it turns about it; two: about the line through them
    static const int corner[] = { 0, 5 };
    rslConstraintDef pin = PinOf(ListOf("b", corner, 1));
    scene.constraints = &pin;
    assert_int_equal(ZerosOf(&scene), 6 + 3);
    pin.nodes.indexCount = 2;
    assert_int_equal(ZerosOf(&scene), 6 + 1);

    // a square of four springs in the plane shears at no cost
    static const double square[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 }, mass = 1.0, stiffness = 10.0;
    static const int sides[] = { 0, 1, 1, 2, 2, 3, 0, 3 };
    rslBodyDef frame = NetworkBody("frame", square, 4, &mass, sides, 4, &stiffness);
    scene = SceneOf(&frame, 1);
    assert_int_equal(ZerosOf(&scene), 12 - 4);
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0 };
    assert_int_equal(ZerosOf(&scene), 8 - 4);

    // a mass alone has no mode at all
    frame = NetworkBody("frame", square, 1, &mass, sides, 0, &stiffness);
    scene = SceneOf(&frame, 1);
    rslModes* modes = ModesOfScene(&scene, 4, 1e-3);
    assert_int_equal(modes->zeroCount, 3);
    assert_int_equal(modes->count, 0);
    rslModes_Free(modes);
}

// A sheet that is not stretched has no stiffness across: far too many mechanisms to be kept apart.
static void SheetWithoutTensionIsRefused(void** unused)
{
    (void)unused;
    rslBodyDef body = GridBody("sheet", 1.0, 1.0, 12, 12);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModesDef def = rslDefaultModesDef();
    rslModes* modes = NULL;
    rslReport report = { 0 };
    assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, &report), rsl_badInput);
    assert_null(modes);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0 }, "plane: xy"));
    rslState_Free(state);
    rslModel_Free(model);
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0 };
    assert_int_equal(ZerosOf(&scene), 3);
}

// ---- runs -----------------------------------------------------------------------------------------------------------

// Let go in the shape of a mode, a free body swings as q = exp(-z w t) (cos w' t + (z / r) sin w' t), r = sqrt(1 - z^2),
// w' = r w: the run and the modes agree on frequency and damping. For mass damping a and stiffness damping b,
// 2 z = a / w + b w.
static void RunSwingsAtTheFrequency(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.1);
    rslBodyDef body = LatticeBody("body", &shape, 0.05);
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 0.5 }, 20.0 };
    body.material.massDamping = 2.0;
    body.material.stiffnessDamping = 1e-3;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    for (int c = 0; c < 2; ++c)
    {
        rslSolverDef def = SolverDef(rsl_velocityVerlet, RSL_AUTO);
        def.fraction = 0.2;
        Run run = StartRun(&scene, def);
        rslModes* modes = ModesOf(run.model, run.state, 5, 1e-5);
        double w = 2.0 * PI * modes->frequency[c], z = modes->dampingRatio[c], size = 1e-6;
        assert_close(z, 0.5 * (2.0 / w + 1e-3 * w), 1e-6 * z);
        rslVec3* rest = calloc((size_t)run.model->nodeCount, sizeof(rslVec3));
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            rest[i] = PositionOf(&run, i);
            SetNode(&run, i, rslMulAdd(rest[i], size, rslModes_Shape(modes, c, i)), (rslVec3){ 0 });
        }
        double step = rslSolver_Stability(run.solver).step;
        for (int quarter = 1; quarter <= 5; ++quarter)
        {
            int64_t target = (int64_t)(quarter * 0.5 * PI / w / step);
            Step(&run, target - (int64_t)run.state->stepCount);
            double t = TimeOf(&run), q = 0.0, r = sqrt(1.0 - z * z);
            for (int i = 0; i < run.model->nodeCount; ++i)
            {
                rslVec3 u = rslSub(PositionOf(&run, i), rest[i]);
                q += run.model->mass[i] * rslDot(u, rslModes_Shape(modes, c, i)) / size;
            }
            assert_close(q, exp(-z * w * t) * (cos(r * w * t) + z / r * sin(r * w * t)), 1e-3);
        }
        free(rest);
        rslModes_Free(modes);
        EndRun(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ChainOfMasses),
        cmocka_unit_test(StretchedString),
        cmocka_unit_test(Cantilever),
        cmocka_unit_test(AxialModesOfABar),
        cmocka_unit_test(MotionsThatCostNothingAreCounted),
        cmocka_unit_test(SheetWithoutTensionIsRefused),
        cmocka_unit_test(RunSwingsAtTheFrequency),
    };
    return cmocka_run_group_tests_name("modes", tests, NULL, NULL);
}
