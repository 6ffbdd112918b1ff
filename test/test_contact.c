// SPDX-License-Identifier: MIT
//
// test_contact.c: two bodies that touch: points and triangles, bodies pressed together at rest, cloth on a ball, resumed and by several
// threads.

#include "contact_scene.h"
#include "sanitized.h"

#include "contact_gap.h"
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

// Squared distances beside those of gaps, of triangles as thin as 1e-9 too.
static double SquaresOff(Random* random)
{
    double worst = 0.0;
    for (int n = 0; n < FewerWhenSanitized(20000); ++n)
    {
        rslVec3 x[4];
        for (int i = 0; i < 4; ++i)
        {
            x[i] = NextVec3(random, i == 0 ? 1.5 : 1.0);
        }
        double thin = n % 10 > 0 ? pow(10.0, -(n % 10)) : 1.0;
        x[3] = rslMulAdd(rslMulAdd(x[1], 0.7, rslSub(x[2], x[1])), thin, x[3]);
        worst = Worse(worst, fabs(sqrt(rslGap_Squared(x)) - sqrt(rslGap_Find(x).squared)));
    }
    return worst;
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
    assert_at_most(SquaresOff(&random), 1e-9);
    assert_true(Sanitized() || (seen[7] > 0 && seen[1] * seen[2] * seen[4] > 0 && seen[3] * seen[5] * seen[6] > 0));
}

// ---- rest -----------------------------------------------------------------------------------------------------------

typedef struct Press
{
    rslShapeDef shapes[2];
    rslBodyDef bodies[2];
    rslConstraintDef held[2];
    rslContactDef contact;
    rslScene scene;
} Press;

// The lower one is held at its lower end, the upper one moves with its upper end.
static void MakePress(Press* press, rslShapeDef low, rslShapeDef high, double spacing, rslVec3 way)
{
    press->shapes[0] = low;
    press->shapes[1] = high;
    press->bodies[0] = LatticeBody("low", &press->shapes[0], spacing);
    press->bodies[1] = LatticeBody("high", &press->shapes[1], spacing);
    press->held[0] = PinOf(SideOf("low", (rslVec3){ 0, 0, -0.05 }, (rslVec3){ 0, 0, -1 }));
    press->held[1] = PinOf(SideOf("high", (rslVec3){ 0, 0, 0.231 }, (rslVec3){ 0, 0, 1 }));
    press->held[1].type = rsl_motionConstraint;
    press->held[1].move.translate = way;
    press->held[1].move.course.type = rsl_rampCourse;
    press->held[1].move.course.duration = 3.0;
    press->contact = ContactOf("low", "high", 0.0);
    press->scene = SceneOf(press->bodies, 2);
    press->scene.gravity = (rslVec3){ 0 };
    press->scene.constraints = press->held;
    press->scene.constraintCount = 2;
    press->scene.contacts = &press->contact;
    press->scene.contactCount = 1;
    press->scene.time.integrator = rsl_static;
}

static rslSolverDef RestDef(double step)
{
    rslSolverDef def = SolverDef(rsl_static, step);
    def.precision = rsl_double;
    return def;
}

// What holds one holds the other, and is what they press with; nothing is inside of anything. Returns the force.
static rslVec3 CheckRest(Run* run)
{
    rslVec3 low = rslSolver_Reaction(run->solver, run->state, 0), high = rslSolver_Reaction(run->solver, run->state, 1);
    rslTouchForce told = rslState_TouchForce(run->model, run->state, 0, run->model->colliderCount);
    double size = rslLength(low);
    assert_true(size > 0.0 && told.count > 0 && told.press >= 0.99 * size);
    assert_close(Distance(low, rslScale(-1.0, high)), 0.0, 1e-6 * size);
    assert_close(Distance(told.force, rslScale(-1.0, low)), 0.0, 1e-6 * size);
    assert_close(rslLength(told.friction), 0.0, 1e-12 * size);
    assert_true(DepthBetween(run, 0, 1) == 0.0);
    return low;
}

// Two balls: the force grows about as Hertz says, as depth^1.5.
static void TestBalls(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    rslShapeDef low = BallShape(0.1), high = BallShape(0.1);
    high.translate = (rslVec3){ 0.0, 0.0, 0.201 };
    Press press;
    MakePress(&press, low, high, Proving() ? 0.02 : 0.033, (rslVec3){ 0, 0, -0.025 });
    Run run = StartRun(&press.scene, RestDef(0.75));
    double force[5] = { 0 };
    for (int n = 1; n <= 4; ++n)
    {
        Step(&run, 1);
        force[n] = CheckRest(&run).z;
        assert_true(force[n] > force[n - 1]);
    }
    // 2/3 E* sqrt(R/2) d^1.5 with E* = E / (1 - nu^2) for equal balls, held at their far halves; springs this coarse
    double hertz = 2.0 / 3.0 * 1e5 / (1.0 - 0.0625) * sqrt(0.05) * pow(0.024, 1.5);
    assert_true(force[4] > 0.5 * hertz && force[4] < 2.0 * hertz);
    double power = log(force[4] / force[2]) / log(0.024 / 0.0115);
    assert_true(!Proving() || (power > 1.1 && power < 1.9));  // the first touch of coarse balls is that of facets
    EndRun(&run);
}

// A box that stands right on another one, turned, whose edges press dents into it, and is shifted: rest is found to the last digits,
// where penalties went back and forth between the sides of creases. The same bits by several threads, and from a state that was saved.
static void TestDents(void** unused)
{
    (void)unused;
    uint64_t hash[3];
    Press press;
    rslShapeDef high = BoxShape(0.1, 0.1, 0.2);
    high.rotate = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 30.0 };
    high.translate = (rslVec3){ 0.0, 0.0, 0.2 };
    MakePress(&press, BoxShape(0.2, 0.2, 0.2), high, Proving() ? 0.025 : 0.05, (rslVec3){ 0.02, 0.0, -0.05 });
    for (int n = 0; n < (Sanitized() ? 1 : 3); ++n)
    {
        rslSolverDef def = RestDef(1.0);
        def.threads = n == 1 ? 3 : 1;
        Run run = StartRun(&press.scene, def);
        Step(&run, n == 0 ? 3 : 2);
        if (n == 2 || Sanitized())
        {
            Reload(&run);
        }
        Step(&run, n == 0 ? 0 : 1);
        rslVec3 force = CheckRest(&run);
        assert_true(force.z > 10.0 && fabs(force.x) < force.z);
        assert_at_most(rslSolver_Rest(run.solver).residual, 1e-8);
        hash[n] = rslState_Hash(run.state);
        EndRun(&run);
    }
    assert_true(Sanitized() || (hash[0] == hash[1] && hash[0] == hash[2]));
}

// The upper one is moved through the lower one in one jump: it comes as far as it can, and what is in the way is said.
static void TestBlocked(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    Press press;
    rslShapeDef high = BoxShape(0.1, 0.1, 0.2);
    high.translate = (rslVec3){ 0.0, 0.0, 0.21 };
    MakePress(&press, BoxShape(0.2, 0.2, 0.2), high, 0.1, (rslVec3){ 0.0, 0.0, -0.5 });
    press.held[0].nodes = AllOf("low");
    press.held[1].nodes = AllOf("high");
    Run run = StartRun(&press.scene, RestDef(3.0));
    assert_int_equal(rslSolver_Step(run.solver, run.state, 1), rsl_notConverged);
    assert_int_equal(rslSolver_Rest(run.solver).outcome, rsl_restBlocked);
    assert_true(DepthBetween(&run, 0, 1) == 0.0);
    EndRun(&run);
}

// A probe tells what holds the bodies.
static void TestProbe(void** unused)
{
    (void)unused;
    Press press;
    rslShapeDef high = BoxShape(0.1, 0.1, 0.2);
    high.translate = (rslVec3){ 0.0, 0.0, 0.201 };
    MakePress(&press, BoxShape(0.2, 0.2, 0.2), high, 0.1, (rslVec3){ 0.0, 0.0, -0.02 });
    rslProbeDef defs[2] = { rslDefaultProbeDef(), rslDefaultProbeDef() };
    for (int i = 0; i < 2; ++i)
    {
        defs[i].type = rsl_contactProbe;
        defs[i].name = defs[i].body = press.bodies[i].name;
    }
    Run run = StartRun(&press.scene, RestDef(3.0));
    rslProbes* probes = NULL;
    double row[30];
    char name[64];
    Step(&run, 1);
    double force = rslSolver_Reaction(run.solver, run.state, 0).z;
    assert_int_equal(rslProbes_Create(run.model, defs, 2, NULL, &probes, NULL), rsl_ok);
    assert_int_equal(rslProbes_ColumnCount(probes), 30);
    rslProbes_ColumnName(probes, 17, name, sizeof name);
    assert_string_equal(name, "high fz [N]");
    assert_int_equal(rslProbes_Read(probes, run.solver, run.state, row), rsl_ok);
    assert_true(force > 0.0);
    assert_close(row[2], -force, 1e-6 * force);
    assert_close(row[17], force, 1e-6 * force);
    rslProbes_Free(probes);
    EndRun(&run);
}

// ---- cloth ----------------------------------------------------------------------------------------------------------

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
    *contact = ContactOf("ball", "cloth", 0.3);
    *pin = rslDefaultConstraintDef();
    pin->nodes = AllOf("ball");
    rslScene scene = SceneOf(bodies, 2);
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
    double inside = 0.0, thickness = run.model->bodies[1].skin.thickness;
    int64_t steps = (int64_t)((Proving() ? 1.0 : 0.3) / rslSolver_Stability(run.solver).step);
    for (int n = 0; n < 10; ++n)
    {
        Step(&run, steps / 10);
        SkinPoints all = SkinOf(&run, 0);
        for (int i = run.model->bodies[1].firstNode; i < run.model->nodeCount; ++i)
        {
            inside = fmax(inside, DepthIn(&all, PositionOf(&run, i)));
        }
        free(all.at);
    }
    rslEnergy energy = rslSolver_Energy(run.solver, run.state);
    assert_proved("cloth on a ball: penetration over thickness", inside / thickness, 0.5);
    assert_proved("cloth on a ball: energy account, over what fell",
                  fabs(energy.drift) / (bodies[1].material.density * 1e-3 * 0.09 * 9.81 * 0.1), 0.05);
    double lowest = INFINITY;
    for (int i = run.model->bodies[1].firstNode; i < run.model->nodeCount; ++i)
    {
        rslVec3 x = PositionOf(&run, i);
        lowest = fmin(lowest, rslLength(x));
    }
    assert_true(lowest > 0.096);  // facets of the ball lie a little inside of it
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
    for (int n = Sanitized() ? 1 : 0; n < 4; n += Sanitized() ? 2 : 1)
    {
        rslSolverDef def = SolverDef(rsl_positionVerlet, 1.5e-4);
        def.threads = n == 1 ? 3 : 1;
        def.precision = n < 3 ? rsl_double : rsl_single;
        Run run = StartRun(&scene, def);
        Step(&run, 323);
        if (n == 2)
        {
            Reload(&run);
        }
        Step(&run, 77);
        hash[n] = rslState_Hash(run.state);
        assert_true(rslLength(rslState_Push(run.model, run.state, 1, 0).normal) > 0.0);
        EndRun(&run);
    }
    assert_true(Sanitized() || (hash[0] == hash[1] && hash[0] == hash[2]));
}

// ---- bad input ------------------------------------------------------------------------------------------------------

static void TestBad(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.4, 0.2);
    rslBodyDef bodies[2] = { LatticeBody("block", &shape, 0.1), GridBody("sheet", 0.4, 0.4, 4, 4) };
    rslContactDef contact = ContactOf("block", "sheet", 0.0);
    rslScene scene = SceneOf(bodies, 2);
    rslModel* model = NULL;
    rslReport report = { 0 };
    scene.contacts = &contact;
    scene.contactCount = 1;
    // in the middle of the block
    assert_int_equal(rslModel_Build(&scene, NULL, &model, &report), rsl_badInput);
    assert_true(report.count == 1 &&
                strstr(report.messages[0].text, "'sheet' starts 0.1 m deep in body 'block'") != NULL);
    // penalties know colliders only
    bodies[1].network.translate.z = 0.2;
    scene.touch.scheme = rsl_penaltyScheme;
    report = (rslReport){ 0 };
    assert_int_equal(rslModel_Build(&scene, NULL, &model, &report), rsl_badInput);
    assert_true(strstr(report.messages[0].text, "penalties keep bodies off colliders, not off each other") != NULL);
    // nor has a solver for velocity Verlet anything else
    scene.touch.scheme = rsl_autoScheme;
    report = (rslReport){ 0 };
    assert_int_equal(rslModel_Build(&scene, NULL, &model, &report), rsl_ok);
    rslSolver* solver = NULL;
    rslSolverDef def = SolverDef(rsl_velocityVerlet, RSL_AUTO);
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_badInput);
    assert_true(report.count == 1 && strstr(report.messages[0].text, "penalties keep bodies off colliders") != NULL);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestGaps),    cmocka_unit_test(TestBalls), cmocka_unit_test(TestDents),
        cmocka_unit_test(TestBlocked), cmocka_unit_test(TestProbe), cmocka_unit_test(TestCloth),
        cmocka_unit_test(TestBits),    cmocka_unit_test(TestBad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
