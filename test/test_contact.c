// SPDX-License-Identifier: MIT
//
// test_contact.c: two bodies that push on each other: gaps against what is known of them, balls pressed together, cloth
// on a ball, blocks that slide and stick, resumed and by several threads.

#include "physics_fixture.h"
#include "sanitized.h"

#include "contact_gap.h"
#include "contact_side.h"
#include "vec.h"

// ---- gaps -----------------------------------------------------------------------------------------------------------

// Distance of x[0] from many points of the triangle, the nearest.
static double Sampled(const rslVec3 x[4])
{
    enum
    {
        N = 60
    };
    double best = INFINITY;
    for (int i = 0; i <= N; ++i)
    {
        for (int j = 0; j <= N - i; ++j)
        {
            double s = (double)i / N, t = (double)j / N;
            rslVec3 c = rslMulAdd(rslMulAdd(rslScale(1.0 - s - t, x[1]), s, x[2]), t, x[3]);
            best = fmin(best, Distance(x[0], c));
        }
    }
    return best;
}

static void TestGaps(void** unused)
{
    (void)unused;
    Random random = MakeRandom(3);
    int seen[8] = { 0 };
    double worst = 0.0, off = 0.0;
    for (int n = 0; n < FewerWhenSanitized(2000); ++n)
    {
        rslVec3 x[4];
        for (int i = 0; i < 4; ++i)
        {
            x[i] = NextVec3(&random, i == 0 ? 1.5 : 1.0);
        }
        rslGap gap = rslGap_Find(x);
        rslVec3 c = rslMulAdd(rslMulAdd(rslScale(gap.share[0], x[1]), gap.share[1], x[2]), gap.share[2], x[3]);
        double d = sqrt(gap.squared),
               edge = fmax(Distance(x[1], x[2]), fmax(Distance(x[2], x[3]), Distance(x[3], x[1])));
        worst = Worse(worst, Distance(rslAdd(c, gap.apart), x[0]));
        double sampled = Sampled(x);
        assert_true(d <= sampled + 1e-12);
        // a sample lies within a cell of the nearest point
        off = Worse(off, (sampled * sampled - d * d) / (edge * edge / 3600.0 + 2.0 * d * edge / 60.0));
        ++seen[gap.corners];
    }
    assert_at_most(worst, 1e-14);
    assert_at_most(off, 1.0);
    assert_true(Sanitized() || (seen[7] > 0 && seen[1] * seen[2] * seen[4] > 0 && seen[3] * seen[5] * seen[6] > 0));
}

static double GapEnergy(const rslVec3 x[4], double side)
{
    rslGap gap = rslGap_Find(x);
    rslGap_Turn(&gap, side, (rslVec3){ 0 });
    return 0.5 * 7.0 * (2.5 - gap.distance) * (2.5 - gap.distance);
}

static void GapForces(const rslVec3 x[4], double side, rslVec3 f[4])
{
    rslGap gap = rslGap_Find(x);
    rslGap_Turn(&gap, side, (rslVec3){ 0 });
    f[0] = rslScale(7.0 * (2.5 - gap.distance), gap.normal);
    for (int i = 0; i < 3; ++i)
    {
        f[i + 1] = rslScale(-gap.share[i], f[0]);
    }
}

// Force against the energy, product against the force, momentum and torque; the same part all along.
static void TestGapSlopes(void** unused)
{
    (void)unused;
    Random random = MakeRandom(5);
    double force = 0.0, product = 0.0, sum = 0.0, turn = 0.0, h = 1e-5;
    for (int n = 0; n < FewerWhenSanitized(600); ++n)
    {
        rslVec3 x[4], dx[4], ahead[4], back[4], f[4], fa[4], fb[4], k[4], all = { 0 }, torque = { 0 };
        double side = n % 2 == 0 ? 1.0 : -1.0, along = 0.0;
        for (int i = 0; i < 4; ++i)
        {
            x[i] = NextVec3(&random, 1.0);
            dx[i] = NextVec3(&random, 1.0);
            ahead[i] = rslMulAdd(x[i], h, dx[i]);
            back[i] = rslMulAdd(x[i], -h, dx[i]);
        }
        rslGap gap = rslGap_Find(x);
        rslVec3 N = rslCross(rslSub(x[2], x[1]), rslSub(x[3], x[1]));
        if (gap.squared < 0.01 || rslLength(N) < 0.2 || rslGap_Find(ahead).corners != gap.corners ||
            rslGap_Find(back).corners != gap.corners)
        {
            continue;
        }
        GapForces(x, side, f);
        GapForces(ahead, side, fa);
        GapForces(back, side, fb);
        rslGap_Turn(&gap, side, (rslVec3){ 0 });
        rslGap_Product(&gap, x, 7.0, 2.5, false, dx, k);
        for (int i = 0; i < 4; ++i)
        {
            along += rslDot(f[i], dx[i]);
            all = rslAdd(all, f[i]);
            torque = rslAdd(torque, rslCross(x[i], f[i]));
            rslVec3 slope = rslScale(-0.5 / h, rslSub(fa[i], fb[i]));
            product = Worse(product, Distance(slope, k[i]) / 100.0);
        }
        force = Worse(force, fabs(along + (GapEnergy(ahead, side) - GapEnergy(back, side)) / (2.0 * h)) / 20.0);
        sum = Worse(sum, rslLength(all) / 20.0);
        turn = Worse(turn, rslLength(torque) / 20.0);
    }
    assert_proved("gap: force against differences of its energy", force, 1e-6);
    assert_proved("gap: stiffness against differences of its force", product, 1e-6);
    assert_proved("gap: momentum", sum, 1e-12);
    assert_proved("gap: angular momentum", turn, 1e-12);
}

// ---- scenes ---------------------------------------------------------------------------------------------------------

static rslContactDef Pair(const char* a, const char* b, double friction)
{
    rslContactDef contact = rslDefaultContactDef();
    contact.a = a;
    contact.b = b;
    contact.friction = friction;
    return contact;
}

// The inside of a ball by its distance, for vertices of another near it.
static void TestSides(void** unused)
{
    (void)unused;
    rslShapeDef shapes[2] = { BallShape(0.3), BallShape(0.2) };
    shapes[1].translate = (rslVec3){ 0.22, 0.1, 0.05 };
    rslBodyDef bodies[2] = { LatticeBody("a", &shapes[0], 0.1), LatticeBody("b", &shapes[1], 0.1) };
    rslScene scene = SceneOf(bodies, 2);
    scene.touch.scheme = rsl_penaltyScheme;
    rslContactDef contact = Pair("a", "b", 0.0);
    rslReport report = { 0 };
    scene.contacts = &contact;
    scene.contactCount = 1;
    rslModel* model = Built(&scene, &report);
    assert_int_equal(report.count, 1);  // they overlap
    rslArena arena = rslArena_Make(NULL);
    rslContactSide sides[2];
    rslState* state = StateOf(model, rsl_double);
    for (int s = 0; s < 2; ++s)
    {
        const rslSurface* surface = &model->bodies[s].surface;
        double* x = rslArena_Allocate(&arena, (size_t)surface->vertexCount, 3 * sizeof(double));
        rslState_Surface(model, state, s, x);
        assert_int_equal(rslContactSide_Make(&sides[s], surface, x, &arena), rsl_ok);
    }
    int inside = 0, hinted = 0;
    for (int v = 0; v < model->bodies[1].surface.vertexCount; ++v)
    {
        rslTouch touch = rslContactSide_Look(&sides[1], v, &sides[0], 0.05, 0.0, -1);
        double d = rslLength(rslContactSide_Vertex(&sides[1], v)) - 0.3;
        assert_true(d > 0.06 || d < -0.25 || touch.triangle < 0 || fabs(touch.gap.distance - d) < 6e-3);
        assert_true((touch.triangle >= 0) == (d < 0.05) || fabs(d - 0.05) < 6e-3);
        inside += touch.triangle >= 0 && touch.gap.distance < 0.0;
        for (int hint = 0; touch.triangle >= 0 && hint < sides[0].surface->triangleCount; hint += 37, ++hinted)
        {
            rslTouch again = rslContactSide_Look(&sides[1], v, &sides[0], 0.05, 0.0, hint);
            assert_int_equal(again.triangle, touch.triangle);
            assert_true(again.gap.distance == touch.gap.distance && again.gap.corners == touch.gap.corners);
            assert_memory_equal(&again.gap.normal, &touch.gap.normal, sizeof(rslVec3));
            assert_memory_equal(again.gap.share, touch.gap.share, sizeof again.gap.share);
        }
    }
    assert_true(inside > 20 && hinted > 100);
    rslState_Free(state);
    rslArena_Free(&arena);
    rslModel_Free(model);
}

// Two balls pressed together by pins and a motion at rest: what holds one holds the other, and more the nearer they are,
// about as Hertz says: force as depth^1.5.
static void TestBalls(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    double last = 0.0, force[3], depth[3] = { 0.006, 0.012, 0.024 };
    for (int n = 0; n < 3; ++n)
    {
        rslShapeDef shapes[2] = { BallShape(0.1), BallShape(0.1) };
        shapes[1].translate = (rslVec3){ 0.0, 0.0, 0.201 };
        rslBodyDef bodies[2] = { LatticeBody("low", &shapes[0], 0.02), LatticeBody("high", &shapes[1], 0.02) };
        rslConstraintDef held[2] = { rslDefaultConstraintDef(), rslDefaultConstraintDef() };
        held[0].nodes = SideOf("low", (rslVec3){ 0, 0, -0.03 }, (rslVec3){ 0, 0, -1 });
        held[1].nodes = SideOf("high", (rslVec3){ 0, 0, 0.231 }, (rslVec3){ 0, 0, 1 });
        held[1].type = rsl_motionConstraint;
        held[1].move.translate = (rslVec3){ 0, 0, -0.001 - depth[n] };
        held[1].move.course.type = rsl_rampCourse;
        held[1].move.course.duration = 0.1;
        held[1].move.course.smooth = true;
        rslContactDef contact = Pair("low", "high", 0.0);
        for (int b = 0; b < 2; ++b)
        {
            bodies[b].material.stiffnessDamping = 3e-3;
            bodies[b].material.massDamping = 20.0;
        }
        contact.thickness = 5e-4;
        rslScene scene = SceneOf(bodies, 2);
        scene.touch.scheme = rsl_penaltyScheme;
        scene.gravity = (rslVec3){ 0 };
        scene.constraints = held;
        scene.constraintCount = 2;
        scene.contacts = &contact;
        scene.contactCount = 1;
        Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
        Step(&run, (int64_t)(0.3 / rslSolver_Stability(run.solver).step));
        rslVec3 low = rslSolver_Reaction(run.solver, run.state, 0), high = rslSolver_Reaction(run.solver, run.state, 1);
        rslTouching told = rslSolver_Contact(run.solver, run.state, 0);
        force[n] = low.z;
        assert_true(force[n] > last && told.count > 0);
        assert_close(low.z, -high.z, 2e-3 * low.z);
        assert_close(told.force.z, -low.z, 2e-3 * low.z);
        assert_at_most(told.inside, 3e-3);
        last = force[n];
        EndRun(&run);
    }
    // 2/3 E* sqrt(R/2) d^1.5 with E* = E / (1 - nu^2) for equal balls, held at their far halves; springs this coarse
    double hertz = 2.0 / 3.0 * 1e5 / (1.0 - 0.0625) * sqrt(0.05) * pow(depth[2], 1.5);
    assert_true(force[2] > 0.5 * hertz && force[2] < 2.0 * hertz);
    double power = log(force[2] / force[0]) / log(4.0);
    assert_true(power > 1.2 && power < 1.9);
}

static rslScene ClothScene(rslBodyDef bodies[2], rslShapeDef* ball, rslContactDef* contact, rslConstraintDef* pin)
{
    *ball = BallShape(0.1);
    bodies[0] = LatticeBody("ball", ball, 0.04);
    bodies[1] = GridBody("cloth", 0.3, 0.3, 15, 15);
    bodies[1].network.thickness = 1e-3;
    bodies[1].network.translate = (rslVec3){ 0.003, 0.002, 0.104 };
    bodies[1].material.young = 1e6;
    bodies[1].material.stiffnessDamping = 2e-4;
    bodies[1].material.massDamping = 2.0;
    *contact = Pair("ball", "cloth", 0.3);
    *pin = rslDefaultConstraintDef();
    pin->nodes = AllOf("ball");
    rslScene scene = SceneOf(bodies, 2);
    scene.touch.scheme = rsl_penaltyScheme;
    scene.contacts = contact;
    scene.contactCount = 1;
    scene.constraints = pin;
    scene.constraintCount = 1;
    return scene;
}

// Cloth that falls on a ball stays outside of it and is carried.
static void TestCloth(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    rslBodyDef bodies[2];
    rslShapeDef ball;
    rslContactDef contact;
    rslConstraintDef pin;
    rslScene scene = ClothScene(bodies, &ball, &contact, &pin);
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    double inside = 0.0, deepest = 0.0, thickness = run.model->contacts[0].thickness;
    int64_t steps = (int64_t)((Proving() ? 1.0 : 0.3) / rslSolver_Stability(run.solver).step);
    for (int n = 0; n < 10; ++n)
    {
        Step(&run, steps / 10);
        rslTouching told = rslSolver_Contact(run.solver, run.state, 0);
        inside = fmax(inside, told.inside);
        deepest = fmax(deepest, told.deepest);
    }
    rslEnergy energy = rslSolver_Energy(run.solver, run.state);
    assert_proved("cloth on a ball: penetration over thickness", inside / thickness, 0.5);
    assert_proved("cloth on a ball: nearest, over thickness", deepest / thickness, 1.5);
    assert_proved("cloth on a ball: energy account, over what fell",
                  fabs(energy.drift) / (bodies[1].material.density * 1e-3 * 0.09 * 9.81 * 0.1), 0.01);
    double lowest = INFINITY;
    for (int i = run.model->bodies[1].firstNode; i < run.model->nodeCount; ++i)
    {
        rslVec3 x = PositionOf(&run, i);
        lowest = fmin(lowest, rslLength(x));
    }
    assert_true(lowest > 0.0995);  // facets of the ball lie a little inside of it
    EndRun(&run);
}

// The same bits by any number of threads, and when it goes on from a state that was saved.
static void TestBits(void** unused)
{
    (void)unused;
    rslBodyDef bodies[2];
    rslShapeDef ball;
    rslContactDef contact;
    rslConstraintDef pin;
    rslScene scene = ClothScene(bodies, &ball, &contact, &pin);
    uint64_t hash[4];
    for (int n = 0; n < 4; ++n)
    {
        rslSolverDef def = SolverDef(rsl_positionVerlet, 1.5e-4);
        def.threads = n == 1 ? 3 : 1;
        def.precision = n < 3 ? rsl_double : rsl_single;
        Run run = StartRun(&scene, def);
        Step(&run, n == 2 ? 323 : 400);
        if (n == 2)
        {
            size_t size = rslState_Save(run.state, NULL, 0);
            void* bytes = malloc(size);
            assert_non_null(bytes);
            rslState_Save(run.state, bytes, size);
            Run other = StartRun(&scene, def);
            rslState_Free(other.state);
            assert_int_equal(rslState_Load(other.model, rsl_double, bytes, size, NULL, &other.state, NULL), rsl_ok);
            Step(&other, 77);
            hash[n] = rslState_Hash(other.state);
            EndRun(&other);
            free(bytes);
        }
        else
        {
            hash[n] = rslState_Hash(run.state);
        }
        assert_true(n == 2 || rslSolver_Contact(run.solver, run.state, 0).count > 0);
        EndRun(&run);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

// A probe tells what rslSolver_Contact does, on either body.
static void TestProbe(void** unused)
{
    (void)unused;
    rslBodyDef bodies[2];
    rslShapeDef ball;
    rslContactDef contact;
    rslConstraintDef pin;
    rslScene scene = ClothScene(bodies, &ball, &contact, &pin);
    rslProbeDef defs[2] = { rslDefaultProbeDef(), rslDefaultProbeDef() };
    for (int i = 0; i < 2; ++i)
    {
        defs[i].type = rsl_contactProbe;
        defs[i].name = defs[i].body = bodies[i].name;
    }
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, 1.5e-4));
    Step(&run, 300);
    rslTouching told = rslSolver_Contact(run.solver, run.state, 0);
    rslProbes* probes = NULL;
    double row[14];
    char name[64];
    assert_int_equal(rslProbes_Create(run.model, defs, 2, NULL, &probes, NULL), rsl_ok);
    assert_int_equal(rslProbes_ColumnCount(probes), 14);
    rslProbes_ColumnName(probes, 11, name, sizeof name);
    assert_string_equal(name, "cloth touches [1]");
    assert_int_equal(rslProbes_Read(probes, run.solver, run.state, row), rsl_ok);
    assert_true(told.count > 0 && row[4] == told.count && row[11] == told.count);
    assert_true(row[2] == told.force.z && row[9] == -told.force.z && row[2] < 0.0);
    assert_true(row[3] == told.press && row[5] == told.deepest && row[13] == told.inside);
    rslProbes_Free(probes);
    EndRun(&run);
}

// ---- friction -------------------------------------------------------------------------------------------------------

// A block on a held plate that leans by an angle: it has gone d at the end.
static double Slide(double friction, double speed, double degrees, double seconds, rslEnergy* energy, double* moving)
{
    rslShapeDef shapes[2] = { BoxShape(1.2, 0.4, 0.2), BoxShape(0.2, 0.2, 0.1) };
    shapes[0].translate = (rslVec3){ 0.3, 0.0, -0.1 };
    shapes[1].translate = (rslVec3){ 0.013, 0.007, 0.0527 };
    rslBodyDef bodies[2] = { LatticeBody("plate", &shapes[0], 0.1), LatticeBody("block", &shapes[1], 0.05) };
    bodies[1].velocity = (rslVec3){ speed, 0.0, 0.0 };
    bodies[1].material.stiffnessDamping = 5e-3;
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes = AllOf("plate");
    rslContactDef contact = Pair("plate", "block", friction);
    rslScene scene = SceneOf(bodies, 2);
    scene.touch.scheme = rsl_penaltyScheme;
    double angle = degrees * PI / 180.0;
    scene.gravity = (rslVec3){ 9.81 * sin(angle), 0.0, -9.81 * cos(angle) };
    scene.contacts = &contact;
    scene.contactCount = 1;
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    double start = rslSolver_Motion(run.solver, run.state, 1).centre.x;
    Step(&run, (int64_t)(seconds / rslSolver_Stability(run.solver).step));
    *energy = rslSolver_Energy(run.solver, run.state);
    rslMotion motion = rslSolver_Motion(run.solver, run.state, 1);
    *moving = rslLength(motion.momentum) / run.model->bodies[1].mass;
    double distance = motion.centre.x - start;
    EndRun(&run);
    return distance;
}

static void TestSliding(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    rslEnergy energy;
    double moving, speed = 1.0, mu = 0.3;
    double d = Slide(mu, speed, 0.0, 0.6, &energy, &moving), theory = speed * speed / (2.0 * mu * 9.81);
    assert_proved("block on a plate: sliding distance", fabs(d / theory - 1.0), 0.02);
    assert_proved("block on a plate: energy account over what was there", fabs(energy.drift) / (0.5 * 4.0), 2e-3);
    assert_at_most(moving, 5e-3);
    // tan 15 degrees = 0.268: below it slides with g (sin - mu cos); above it sticks (test_contact_rub.c)
    double t = 0.5, a = 9.81 * (sin(PI / 12.0) - 0.15 * cos(PI / 12.0));
    d = Slide(0.15, 0.0, 15.0, t, &energy, &moving);
    assert_proved("block on a slope: sliding distance", fabs(d / (0.5 * a * t * t) - 1.0), 0.03);
}

// ---- bad input ------------------------------------------------------------------------------------------------------

static void TestBad(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.4, 0.2);
    rslBodyDef bodies[2] = { LatticeBody("block", &shape, 0.1), GridBody("sheet", 0.4, 0.4, 4, 4) };
    rslContactDef contact = Pair("block", "sheet", 0.0);
    rslScene scene = SceneOf(bodies, 2);
    scene.touch.scheme = rsl_penaltyScheme;
    rslModel* model = NULL;
    rslReport report = { 0 };
    scene.contacts = &contact;
    scene.contactCount = 1;
    // in the middle of the block
    assert_int_equal(rslModel_Build(&scene, NULL, &model, &report), rsl_ok);
    assert_true(report.count == 1 && strstr(report.messages[0].text, "overlap at the start by 0.1") != NULL);
    rslModel_Free(model);
    static const double nodes[] = { 0, 0, 1, 0.1, 0, 1 }, mass = 1.0, k = 10.0;
    static const int spring[] = { 0, 1 };
    bodies[1] = NetworkBody("sheet", nodes, 2, &mass, spring, 1, &k);
    report = (rslReport){ 0 };
    assert_int_equal(rslModel_Build(&scene, NULL, &model, &report), rsl_badInput);
    assert_true(report.count == 1 && strstr(report.messages[0].text, "body 'sheet' has none") != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestGaps),  cmocka_unit_test(TestGapSlopes), cmocka_unit_test(TestSides),
        cmocka_unit_test(TestBalls), cmocka_unit_test(TestCloth),     cmocka_unit_test(TestBits),
        cmocka_unit_test(TestProbe), cmocka_unit_test(TestSliding),   cmocka_unit_test(TestBad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
