// SPDX-License-Identifier: MIT
//
// Natural frequencies: closed forms, dense solutions of small models, runs, and how the search behaves.

#include "physics_fixture.h"
#include "core_scenes.h"

#include "dense.h"

// Of small models for sanitizers.
static double Coarser(void)
{
    return Sanitized() ? 2.0 : 1.0;
}

static rslModes* ModesOf(const rslModel* model, const rslState* state, int count, double tolerance)
{
    rslModesDef def = rslDefaultModesDef();
    rslModes* modes = NULL;
    rslReport report = { 0 };
    def.count = count;
    def.tolerance = tolerance;
    def.threads = 2;
    rslStatus status = rslModes_Find(model, state, &def, NULL, &modes, &report);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    return modes;
}

// Of a scene at its start.
static rslModes* ModesOfScene(const rslScene* scene, int count, double tolerance)
{
    rslModel* model = Built(scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModes* modes = ModesOf(model, state, count, tolerance);
    rslState_Free(state);
    rslModel_Free(model);
    return modes;
}

// ---- dense solutions ------------------------------------------------------------------------------------------------

// Every mode that is found is one of the dense solution, none is left out, and the others are zero.
static void CompareWithDense(const char* name, const rslModel* model, const rslState* state, int count)
{
    Dense dense = SolveDense(model, state);
    rslModes* modes = ModesOf(model, state, count, 1e-5);
    double top = dense.square[dense.size - 1], least = 1e-10 * top;
    int zeros = 0, at = 0;
    for (int d = 0; d < dense.size; ++d)
    {
        bool zero = fabs(dense.square[d]) <= least;
        zeros += zero;
        if (!zero && at < modes->count)
        {
            double f = modes->frequency[at++], square = 4.0 * PI * PI * f * fabs(f);
            if (!Near(square, dense.square[d], 1e-7 * fabs(dense.square[d]) + 1e-14 * top))
            {
                print_error("%s: mode %d: w^2 %.12g, dense %.12g\n", name, at - 1, square, dense.square[d]);
                fail();
            }
        }
    }
    if (modes->zeroCount != zeros || at != modes->count ||
        modes->count < (count < dense.size - zeros ? count : dense.size - zeros))
    {
        print_error("%s: %d zero modes, dense %d; %d modes\n", name, modes->zeroCount, zeros, modes->count);
        fail();
    }
    CheckOrthonormal(model, modes);
    rslModes_Free(modes);
    free(dense.square);
}

static void SmallModelsAgreeWithDenseSolutions(void** unused)
{
    (void)unused;
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        rslModel* model = NULL;
        double fine = Proving() ? 1.0 : 0.7 / Coarser();
        if (coreScenes[s].build(fine, NULL, &model, NULL) != rsl_ok)
        {
            // too coarse for a random network
            assert_int_equal(coreScenes[s].build(0.7, NULL, &model, NULL), rsl_ok);
        }
        rslState* state = StateOf(model, rsl_double);
        if (rslModel_WithoutEnergy(model) == NULL && model->rigidCount == 0)
        {
            CompareWithDense(coreScenes[s].name, model, state, 10);
        }
        rslState_Free(state);
        rslModel_Free(model);
    }
}

// A lattice of shells A and C has modes as soft as its first among those that look like noise; a random network, nothing but.
static void OtherNetworksAgreeWithDenseSolutions(void** unused)
{
    (void)unused;
    rslShapeDef shape = Coarser() > 1.0 ? BoxShape(0.4, 0.3, 0.2) : BoxShape(0.5, 0.4, 0.3);
    rslBodyDef lattice = LatticeBody("AC", &shape, 0.1), random = lattice, *bodies[2] = { &lattice, &random };
    lattice.network.shells = rsl_shellsAC;
    random.name = "random";
    random.network = rslDefaultNetworkDef();
    random.network.type = rsl_randomNetwork;
    random.network.minLength = 0.09;
    random.network.maxLength = 0.19;
    for (int b = 0; b < 2; ++b)
    {
        rslScene scene = SceneOf(bodies[b], 1);
        rslModel* model = Built(&scene, NULL);
        rslState* state = StateOf(model, rsl_double);
        CompareWithDense(bodies[b]->name, model, state, 15);
        rslState_Free(state);
        rslModel_Free(model);
    }
}

// The stiffest modes are a billion times as stiff as the first: the search must not lose itself in rounding.
static void HardlyCompressibleAgreesWithDenseSolution(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.0 / Coarser(), 0.2, 0.2);
    rslBodyDef bar = LatticeBody("bar", &shape, 0.1);
    bar.network.type = rsl_tetrahedraNetwork;
    bar.material.poisson = 0.4999;
    bar.model.type = rsl_finiteModel;
    rslConstraintDef pin = PinOf(SideOf("bar", (rslVec3){ -0.499 / Coarser(), 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 }));
    rslScene scene = SceneOf(&bar, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    CompareWithDense("nu 0.4999", model, state, 10);
    rslState_Free(state);
    rslModel_Free(model);
}

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

static rslScene Beam(rslShapeDef* shape, rslBodyDef* body, rslConstraintDef* pin, double scale, double spacing)
{
    *shape = BoxShape(4.0 * scale, scale, scale);
    *body = LatticeBody("beam", shape, spacing * scale);
    *pin = PinOf(SideOf("beam", (rslVec3){ -1.999 * scale, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    rslScene scene = SceneOf(body, 1);
    scene.constraints = pin;
    scene.constraintCount = pin->nodes.body != NULL ? 1 : 0;
    return scene;
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

// A state of single precision has the modes of the same state in double; hanging and stretched by gravity, not those at rest.
static void StateMatters(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.4);
    rslBodyDef body = LatticeBody("rod", &shape, 0.05);
    body.material.young = 2e4;
    rslConstraintDef pin = PinOf(SideOf("rod", (rslVec3){ 0, 0, 0.19 }, (rslVec3){ 0, 0, 1 }));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    rslState* single = StateOf(run.model, rsl_single);
    rslModes *rest = ModesOf(run.model, run.state, 3, 1e-6), *same = ModesOf(run.model, single, 3, 1e-6);
    Step(&run, 1);
    rslModes* hanging = ModesOf(run.model, run.state, 3, 1e-6);
    CompareWithDense("hanging rod", run.model, run.state, 6);
    for (int c = 0; c < 3; ++c)
    {
        assert_close(same->frequency[c], rest->frequency[c], 0.0);
    }
    // a pendulum stiffens: w^2 grows by about 1.6 g / L
    double more =
        4.0 * PI * PI * (hanging->frequency[0] * hanging->frequency[0] - rest->frequency[0] * rest->frequency[0]);
    assert_close(more, 1.6 * 9.81 / 0.4, 0.3 * 1.6 * 9.81 / 0.4);
    rslModes_Free(rest);
    rslModes_Free(same);
    rslModes_Free(hanging);
    rslState_Free(single);
    EndRun(&run);
}

// ---- the search -----------------------------------------------------------------------------------------------------

// f goes with sqrt(E / rho) / size, over sizes and materials, and the search is the same.
static void ScaleDoesNotMatter(void** unused)
{
    (void)unused;
    static const double scales[][2] = { { 1.0, 1e5 }, { 1e-3, 1e5 }, { 1e3, 1e5 }, { 1.0, 1.0 }, { 1.0, 1e12 } };
    double first[3] = { 0 };
    int iterations = 0;
    for (int k = 0; k < 5; ++k)
    {
        rslShapeDef shape;
        rslBodyDef body;
        rslConstraintDef pin;
        rslScene scene = Beam(&shape, &body, &pin, scales[k][0], 0.25);
        body.material.young = scales[k][1];
        scene.constraintCount = 0;
        rslModes* modes = ModesOfScene(&scene, 3, 1e-6);
        assert_int_equal(modes->zeroCount, 6);
        for (int c = 0; c < 3; ++c)
        {
            double f = modes->frequency[c] * scales[k][0] / sqrt(scales[k][1]);
            first[c] = k == 0 ? f : first[c];
            assert_close(f, first[c], 1e-8 * first[c]);
        }
        iterations = k == 0 ? modes->iterations : iterations;
        assert_true(abs(modes->iterations - iterations) <= 1);
        rslModes_Free(modes);
    }
}

static void ThreadsDoNotChangeABit(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("body", &shape, 0.4 / 22.0);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModes* first = NULL;
    for (int threads = 1; threads <= 3; ++threads)
    {
        rslModesDef def = rslDefaultModesDef();
        rslModes* modes = NULL;
        def.count = 3;
        def.threads = threads;
        assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, NULL), rsl_ok);
        if (first != NULL)
        {
            size_t numbers = 3 * 3 * (size_t)model->nodeCount;
            assert_int_equal(modes->iterations, first->iterations);
            assert_memory_equal(modes->frequency, first->frequency, 3 * sizeof(double));
            assert_memory_equal(modes->shapes, first->shapes, numbers * sizeof(double));
            rslModes_Free(modes);
        }
        first = first != NULL ? first : modes;
    }
    rslModes_Free(first);
    rslState_Free(state);
    rslModel_Free(model);
}

static void EveryAllocationMayFail(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.5, 0.3, 0.3);
    rslBodyDef body = LatticeBody("body", &shape, 0.1);
    static const double square[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 }, mass = 1.0, stiffness = 10.0;
    static const int sides[] = { 0, 1, 1, 2, 2, 3, 0, 3 };
    rslBodyDef frame = NetworkBody("frame", square, 4, &mass, sides, 4, &stiffness), *bodies[2] = { &body, &frame };
    for (int b = 0; b < 2; ++b)
    {
        rslScene scene = SceneOf(bodies[b], 1);
        FailEveryAllocationOfModes(&scene, rslDefaultModesDef());
    }
}

static void WrongInputIsRefused(void** unused)
{
    (void)unused;
    rslShapeDef shape;
    rslBodyDef body;
    rslConstraintDef pin;
    rslScene scene = Beam(&shape, &body, &pin, 1.0, 0.25);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    static const struct
    {
        int count, iterations, threads;
        double tolerance;
        const char* part;
    } wrong[] = {
        { 0, 9, 1, 1e-3, "number of modes" },  { 101, 9, 1, 1e-3, "number of modes" }, { 5, 0, 1, 1e-3, "iterations" },
        { 5, 9, -1, 1e-3, "threads" },         { 5, 9, 1, 0.0, "tolerance" },          { 5, 9, 1, 0.5, "tolerance" },
        { 5, 9, 1, (double)NAN, "tolerance" },
    };
    rslModes* modes = NULL;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
    {
        rslReport report = { 0 };
        rslModesDef def = rslDefaultModesDef();
        def.count = wrong[k].count;
        def.iterations = wrong[k].iterations;
        def.threads = wrong[k].threads;
        def.tolerance = wrong[k].tolerance;
        assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, &report), rsl_badInput);
        assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0 }, wrong[k].part));
        assert_null(modes);
    }
    // too few iterations: what there is comes with its residuals
    rslReport report = { 0 };
    rslModesDef def = rslDefaultModesDef();
    def.iterations = 1;
    assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, &report), rsl_notConverged);
    assert_true(HasMessage(&report, rsl_warning, (rslPlace){ 0 }, "not converged in 1 iteration"));
    assert_true(modes->count == 10 && modes->residual[9] > 1e-3);
    rslModes_Free(modes);
    // a state of another model, and one that is not finite
    body.material.density = 900.0;
    rslModel* other = Built(&scene, NULL);
    assert_int_equal(rslModes_Find(other, state, &def, NULL, &modes, NULL), rsl_mismatch);
    ((double*)state->displacement[1])[7] = NAN;
    assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, &report), rsl_badInput);
    rslState_Free(state);
    rslModel_Free(other);
    rslModel_Free(model);
}

// ---- how many iterations --------------------------------------------------------------------------------------------

static void ProveIterations(const char* what, const rslScene* scene, int zeros)
{
    rslModel* model = Built(scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModes* modes = ModesOf(model, state, 10, 1e-3);
    char text[120];
    snprintf(text, sizeof text, "ten modes of a %s, %d nodes: iterations to 1e-3", what, model->nodeCount);
    assert_int_equal(modes->zeroCount, zeros);
    assert_proved(text, modes->iterations, 20);
    rslModes_Free(modes);
    rslState_Free(state);
    rslModel_Free(model);
}

// Ten modes to 1e-3: 1e5 nodes in the full form, some thousands otherwise.
static void IterationsDoNotGrow(void** unused)
{
    (void)unused;
    rslShapeDef shape;
    rslBodyDef body;
    rslConstraintDef pin;
    rslScene scene = Beam(&shape, &body, &pin, 1.0, Proving() ? 1.0 / 30 : 0.1 * Coarser());
    ProveIterations("clamped box", &scene, 0);
    scene.constraintCount = 0;
    ProveIterations("free box", &scene, 6);

    shape = rslDefaultShapeDef();
    shape.type = rsl_rabbitShape;
    shape.height = 1.0;
    body = LatticeBody("rabbit", &shape, Proving() ? 0.0099 : 0.03 * Coarser());
    pin = PinOf(SideOf("rabbit", (rslVec3){ 0, 0, 0.04 }, (rslVec3){ 0, 0, -1 }));
    scene = SceneOf(&body, 1);
    ProveIterations("free rabbit", &scene, 6);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    ProveIterations("clamped rabbit", &scene, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SmallModelsAgreeWithDenseSolutions),
        cmocka_unit_test(OtherNetworksAgreeWithDenseSolutions),
        cmocka_unit_test(HardlyCompressibleAgreesWithDenseSolution),
        cmocka_unit_test(ChainOfMasses),
        cmocka_unit_test(StretchedString),
        cmocka_unit_test(Cantilever),
        cmocka_unit_test(AxialModesOfABar),
        cmocka_unit_test(MotionsThatCostNothingAreCounted),
        cmocka_unit_test(SheetWithoutTensionIsRefused),
        cmocka_unit_test(RunSwingsAtTheFrequency),
        cmocka_unit_test(StateMatters),
        cmocka_unit_test(ScaleDoesNotMatter),
        cmocka_unit_test(ThreadsDoNotChangeABit),
        cmocka_unit_test(EveryAllocationMayFail),
        cmocka_unit_test(WrongInputIsRefused),
        cmocka_unit_test(IterationsDoNotGrow),
    };
    return cmocka_run_group_tests_name("modes", tests, NULL, NULL);
}
