// SPDX-License-Identifier: MIT
//
// test_stage.c: stages of the studio and what is drawn of them: built, stepped, reset, taken up by another, refused.

#include "support.h"

#include "look.h"

typedef struct Setting
{
    rslShapeDef shape;
    rslBodyDef body;
    rslProbeDef probe;
    rslScene scene;
} Setting;

// Lists point into the setting itself.
static void MakeSetting(Setting* setting, double young, double spacing)
{
    setting->shape = BoxShape(0.1, 0.1, 0.1);
    setting->body = LatticeBody("block", &setting->shape, spacing);
    setting->body.material.young = young;
    setting->probe = rslDefaultProbeDef();
    setting->probe.name = "middle";
    setting->probe.nodes.type = rsl_nearestNodes;
    setting->scene = SceneOf(&setting->body, 1);
    setting->scene.output.probes = &setting->probe;
    setting->scene.output.probeCount = 1;
}

static rslStatus MakeWith(webStage* stage, const rslScene* scene, webCrew* crew)
{
    rslScene copy = *scene;
    rslReport report = { 0 };
    rslStatus status = webStage_Make(stage, &copy, crew, &report);
    assert_true(copy.bodyCount == 0);  // it was taken over, whatever came of it
    assert_true(status == rsl_ok || report.errors > 0);
    return status;
}

static rslStatus Make(webStage* stage, const rslScene* scene)
{
    return MakeWith(stage, scene, NULL);
}

static void Steps(webStage* stage, int64_t count)
{
    rslReport report = { 0 };
    rslStatus status = webStage_Step(stage, count, &report);
    PrintReport(&report);
    assert_int_equal(status, rsl_ok);
}

// The same bits as a solver alone, also after a reset; a hand changes them.
static void SameBits(void** unused)
{
    (void)unused;
    Setting setting;
    MakeSetting(&setting, 1e5, 0.025);
    webStage stage;
    assert_int_equal(Make(&stage, &setting.scene), rsl_ok);
    uint64_t start = rslState_Hash(stage.state);
    rslModel* model = Built(&setting.scene, NULL);
    rslSolverDef def = rslSolverDef_FromScene(&setting.scene);
    def.threads = 1;
    rslSolver* solver = SolverOf(model, &def);
    rslState* state = StateOf(model, setting.scene.time.precision);
    assert_int_equal(rslSolver_Step(solver, state, 100), rsl_ok);
    uint64_t hash = rslState_Hash(state);
    for (int k = 0; k < 2; ++k)
    {
        Steps(&stage, 60);
        Steps(&stage, 40);
        assert_true(rslState_Hash(stage.state) == hash);
        assert_int_equal(webStage_Reset(&stage), rsl_ok);
        assert_true(rslState_Hash(stage.state) == start);
    }
    assert_int_equal(webHands_Grab(&stage.hands, stage.state, (rslVec3){ 0, 0, 0.05 }, 0.03), 0);
    Steps(&stage, 100);
    assert_true(rslState_Hash(stage.state) != hash);
    assert_true(webHands_Release(&stage.hands, 0));
    assert_int_equal(webStage_Reset(&stage), rsl_ok);
    Steps(&stage, 100);
    assert_true(rslState_Hash(stage.state) == hash);
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    webStage_Free(&stage);
    webStage_Free(&stage);  // nothing is there any more
}

// As many threads as there are, and others in the middle of it.
static void Crews(void** unused)
{
    (void)unused;
    Setting setting;
    MakeSetting(&setting, 1e5, 0.007);
    webStage alone, together;
    webCrew crew = { 0 };
    assert_int_equal(Make(&alone, &setting.scene), rsl_ok);
    assert_int_equal(webCrew_Threads(&crew), 1);
    assert_int_equal(webCrew_Set(&crew, 3), 3);
    MakeSetting(&setting, 1e5, 0.007);
    assert_int_equal(MakeWith(&together, &setting.scene, &crew), rsl_ok);
    for (int threads = 3; threads > 0; --threads)
    {
        Steps(&alone, 50);
        Steps(&together, 50);
        assert_true(rslState_Hash(together.state) == rslState_Hash(alone.state));
        assert_int_equal(webCrew_Set(&crew, threads - 1), threads > 1 ? threads - 1 : 1);
    }
    webStage_Free(&together);
    webStage_Free(&alone);
}

static void TakeUp(void** unused)
{
    (void)unused;
    Setting first, other;
    MakeSetting(&first, 1e5, 0.025);
    webStage from, to;
    assert_int_equal(Make(&from, &first.scene), rsl_ok);
    Steps(&from, 200);
    double height = rslSolver_Motion(from.solver, from.state, -1).centre.z;
    rslVec3 held = { 0, 0.05, height }, goal = { 0, 0.08, height };
    assert_int_equal(webHands_Grab(&from.hands, from.state, (rslVec3){ 0.05, 0, height }, 0.03), 0);
    assert_int_equal(webHands_Grab(&from.hands, from.state, held, 0.03), 1);
    assert_true(webHands_Pull(&from.hands, 1, goal));
    assert_true(webHands_Release(&from.hands, 0));
    webHands_Push(&from.hands, (rslVec3){ 1, 0, 0 }, (rslVec3){ 1, 0, 0 }, 0.1);
    for (int k = 0; k < 4; ++k)
    {
        MakeSetting(&other, k == 0 ? 4e5 : 1e5, k == 1 ? 0.02 : 0.025);
        other.body.name = k == 2 ? "another" : "block";
        other.scene.time.precision = k == 3 ? rsl_double : other.scene.time.precision;
        if (k == 3 && first.scene.time.precision == rsl_double)
        {
            other.scene.time.precision = rsl_single;
        }
        assert_int_equal(Make(&to, &other.scene), rsl_ok);
        uint64_t hash = rslState_Hash(to.state);
        bool taken = webStage_TakeUp(&to, &from);
        assert_int_equal(taken, k < 2);
        if (taken)
        {
            assert_close(rslState_Time(to.state), rslState_Time(from.state), 1e-9);
            assert_close(rslSolver_Motion(to.solver, to.state, -1).centre.z, height, 1e-6);
            // by the same number, where it was pulled to
            assert_true(!to.hands.list[0].used && to.hands.list[1].used && to.hands.tool.used);
            assert_close(to.hands.list[1].target.y, goal.y, 0.0);
            assert_close(to.hands.list[1].place.y, held.y, 1e-9);
            Steps(&to, 10);
            assert_true(to.hands.list[1].force.y > 0.0);
            Steps(&to, 0);
        }
        else
        {
            assert_true(rslState_Hash(to.state) == hash);
        }
        webStage_Free(&to);
    }
    webStage_Free(&from);
}

// A hand holds on to its own body, though another may be nearer by now, or to nothing; what is at rest bears no tool.
static void Keeps(void** unused)
{
    (void)unused;
    rslShapeDef shapes[2] = { BoxShape(0.1, 0.1, 0.1), BoxShape(0.1, 0.1, 0.1) };
    shapes[1].translate.x = 0.11;
    rslBodyDef bodies[2] = { LatticeBody("left", &shapes[0], 0.025), LatticeBody("right", &shapes[1], 0.025) };
    rslScene scene = SceneOf(bodies, 2);
    rslConstraintDef pins[2] = { rslDefaultConstraintDef(), rslDefaultConstraintDef() };
    for (int b = 0; b < 2; ++b)
    {
        pins[b].nodes.body = bodies[b].name;
        pins[b].nodes.type = rsl_planeNodes;
        pins[b].nodes.point.z = 0.04;
        pins[b].nodes.normal.z = 1.0;
    }
    scene.constraints = pins;
    scene.constraintCount = 2;
    scene.time.precision = rsl_double;
    webStage from, to;
    assert_int_equal(Make(&from, &scene), rsl_ok);
    assert_int_equal(webHands_Grab(&from.hands, from.state, (rslVec3){ 0.05, 0, 0 }, 0.02), 0);
    assert_int_equal(webHands_Grab(&from.hands, from.state, (rslVec3){ 0.05, 0, 0 }, 0.02), 1);
    webHands_Push(&from.hands, (rslVec3){ 1, 0, 0 }, (rslVec3){ 1, 0, 0 }, 0.1);
    from.hands.list[0].place.x = 0.06;
    from.hands.list[1].place.x = NAN;
    for (int k = 0; k < 2; ++k)
    {
        scene.time.integrator = k == 0 ? scene.time.integrator : rsl_static;
        assert_int_equal(Make(&to, &scene), rsl_ok);
        assert_true(webStage_TakeUp(&to, &from));
        assert_true(webHands_Holds(&to.hands, 0) && to.hands.list[0].body == 0);
        assert_true(!webHands_Holds(&to.hands, 1) && !webHands_Holds(&to.hands, -1));
        assert_int_equal(to.hands.tool.used, k == 0);
        webStage_Free(&to);
    }
    webStage_Free(&from);
}

// The address sanitizer says whether anything is left.
static void RefusedScenes(void** unused)
{
    (void)unused;
    webStage stage;
    for (int k = 0; k < 4; ++k)
    {
        Setting s;
        MakeSetting(&s, 1e5, 0.025);
        s.body.material.young = k == 0 ? -1.0 : 1e5;
        s.probe.type = k == 1 ? (rslProbeType)999 : s.probe.type;
        s.body.network.spacing = k == 2 ? 10.0 : 0.025;
        s.scene.time.integrator = k == 3 ? rsl_theta : s.scene.time.integrator;
        s.scene.time.precision = k == 3 ? rsl_single : s.scene.time.precision;
        if (k == 1)
        {
            s.probe.nodes.type = rsl_sphereNodes;
            s.probe.nodes.point = (rslVec3){ 9, 9, 9 };
            s.probe.nodes.radius = 0.001;
        }
        assert_true(Make(&stage, &s.scene) != rsl_ok);
        assert_null(stage.model);
    }
}

// Rest of a beam that is held; a body that nothing holds is told of.
static void AtRest(void** unused)
{
    (void)unused;
    Setting s;
    MakeSetting(&s, 1e5, 0.025);
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.type = rsl_planeNodes;
    pin.nodes.point = (rslVec3){ 0, 0, 0.04 };
    pin.nodes.normal = (rslVec3){ 0, 0, 1 };
    s.scene.constraints = &pin;
    s.scene.constraintCount = 1;
    s.scene.time.integrator = rsl_static;
    s.scene.time.precision = rsl_double;
    webStage stage;
    assert_int_equal(Make(&stage, &s.scene), rsl_ok);
    Steps(&stage, 1);
    double rest = rslSolver_Motion(stage.solver, stage.state, -1).centre.z, time = rslState_Time(stage.state);
    assert_true(rest < 0.0);
    // pulled, it follows, and comes back; that takes no time
    rslVec3 place = { 0, 0, -0.05 }, target = { 0.012, 0.004, -0.055 };
    assert_int_equal(webHands_Grab(&stage.hands, stage.state, place, 0.03), 0);
    assert_true(webHands_Pull(&stage.hands, 0, target));
    rslReport report = { 0 };
    int solves = 0;
    for (; solves < 40 && !webHands_AtRest(&stage.hands); ++solves)
    {
        assert_int_equal(webStage_Settle(&stage, &report), rsl_ok);
    }
    print_message("%d solves for a pull at rest\n", solves);
    assert_true(solves < 40);
    assert_true(stage.hands.list[0].force.x > 0.0 && stage.hands.list[0].force.y > 0.0);
    assert_true(rslState_Time(stage.state) == time);
    // where it cannot get to: it goes as far as it may, and that is all
    assert_true(webHands_Pull(&stage.hands, 0, (rslVec3){ 0.6, 0.0, -0.05 }));
    assert_int_equal(webStage_Settle(&stage, &report), rsl_ok);
    assert_true(!webHands_AtRest(&stage.hands));
    for (solves = 0; solves < 60 && !webHands_AtRest(&stage.hands); ++solves)
    {
        assert_int_equal(webStage_Settle(&stage, &report), rsl_ok);
    }
    print_message("%d solves for one that leads nowhere, %g N\n", solves, stage.hands.list[0].force.x);
    assert_true(solves < 60 && rslState_Time(stage.state) == time);
    assert_true(webHands_Release(&stage.hands, 0));
    assert_int_equal(webStage_Settle(&stage, &report), rsl_ok);
    assert_close(rslSolver_Motion(stage.solver, stage.state, -1).centre.z, rest, 1e-6);
    webStage_Free(&stage);
}

// Numbers are finite, indices are within, fields are of the right kind.
static void Looks(void** unused)
{
    (void)unused;
    Setting s;
    MakeSetting(&s, 1e5, 0.025);
    webStage stage;
    webLook look;
    rslReport report = { 0 };
    assert_int_equal(Make(&stage, &s.scene), rsl_ok);
    assert_int_equal(webLook_Make(&look, &stage, &report), rsl_ok);
    look.arrays.numbers = look.numbers;
    assert_int_equal(webHands_Grab(&stage.hands, stage.state, (rslVec3){ 0, 0, 0.05 }, 0.03), 0);
    Steps(&stage, 100);
    const webArrays* a = &look.arrays;
    for (int field = -1; field <= web_fieldCount; ++field)
    {
        webLook_Take(&look, &stage, (webField)field);
        webLook_Count(&look, &stage);
        for (int i = 0; i < 3 * a->vertexCount; ++i)
        {
            assert_true(isfinite(a->vertices[i]) && fabsf(a->normals[i]) <= 1.001f);
        }
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < a->nodeCount; ++i)
        {
            low = fmin(low, a->nodeValues[i]);
            high = fmax(high, a->nodeValues[i]);
        }
        double size = fmax(fabs(look.numbers[web_fieldLow]), fabs(look.numbers[web_fieldHigh]));
        assert_close(low, look.numbers[web_fieldLow], 1e-6 * size);
        assert_close(high, look.numbers[web_fieldHigh], 1e-6 * size);
        for (int v = 0; v < a->vertexCount; ++v)
        {
            // between those of nodes: weights of a vertex within its cell are not negative, about
            assert_true(a->values[v] >= low - 0.5 * (high - low) - 1e-6 * size);
            assert_true(a->values[v] <= high + 0.5 * (high - low) + 1e-6 * size);
        }
        for (int n = 0; n < web_numberCount; ++n)
        {
            assert_true(isfinite(look.numbers[n]));
            assert_true(webNumber_Name(n)[0] != 0);
        }
    }
    assert_true(webNumber_Name(-1)[0] == 0 && webNumber_Name(web_numberCount)[0] == 0);
    for (int i = 0; i < 3 * a->triangleCount; ++i)
    {
        assert_true(a->triangles[i] >= 0 && a->triangles[i] < a->vertexCount);
    }
    assert_int_equal((int)look.numbers[web_steps], 100);
    webLook_Free(&look);
    webLook_Free(&look);
    webStage_Free(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SameBits),      cmocka_unit_test(Crews),  cmocka_unit_test(TakeUp), cmocka_unit_test(Keeps),
        cmocka_unit_test(RefusedScenes), cmocka_unit_test(AtRest), cmocka_unit_test(Looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
