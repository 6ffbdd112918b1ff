// SPDX-License-Identifier: MIT
//
// test_guard.c: no accepted state has an element inside out: bodies thrown about, crushed and turned inside out by what holds
// them, with every integrator and precision; the same bits for any number of threads, of calls, and through a checkpoint.

#include "physics_fixture.h"
#include "repulsion.h"
#include "support.h"

// The smallest area or volume of any piece over that at rest, in the world.
static double SmallestRatio(const rslModel* model, const rslState* state)
{
    double smallest = INFINITY;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        const rslRepulsion* set = &body->repulsion;
        rslPieceKind kind = rslRepulsion_Kind(set, model->plane);
        for (int e = 0; e < set->count; ++e)
        {
            int nodes[8];
            rslRepulsion_Nodes(set, e, nodes);
            for (int p = 0; p < rslRepulsion_PieceCount(set->corners); ++p)
            {
                rslVec3 now[RSL_PIECE_NODES], rest[RSL_PIECE_NODES];
                for (int c = 0; c < rslPiece_Corners(kind); ++c)
                {
                    int node = nodes[rslRepulsion_Corner(set->corners, p, c)];
                    rslState_Positions(model, state, node, node + 1, &now[c].x);
                    rslBody_Rest(body, node, node + 1, &rest[c].x);
                }
                double ratio = rslPiece_Measure(kind, now) / rslPiece_Measure(kind, rest);
                smallest = !(ratio >= smallest) ? ratio : smallest;
            }
        }
    }
    return smallest;
}

static bool IsFinite(const rslModel* model, const rslState* state)
{
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3], v[3];
        rslState_Positions(model, state, i, i + 1, x);
        rslState_Velocities(model, state, i, i + 1, v);
        if (!isfinite(x[0] + x[1] + x[2] + v[0] + v[1] + v[2]))
        {
            return false;
        }
    }
    return true;
}

// ---- violent bodies -----------------------------------------------------------------------------------------------------

// A sheet of 4 x 4 cells in the plane with Cooper's law, edges of 1/4 m, thrown at random: m v^2 / (k h0^2) = violence.
static rslBodyDef ThrownSheet(void)
{
    rslBodyDef body = GridBody("sheet", 1.0, 1.0, 5, 5);
    body.repulsion.type = rsl_cooperRepulsion;
    return body;
}

static void Throw(Run* run, double violence, uint64_t seed)
{
    const rslModel* model = run->model;
    const rslRepulsion* set = &model->bodies[0].repulsion;
    int nodes[8];
    rslVec3 x[3];
    double heights[RSL_PIECE_NODES], mass = model->bodies[0].mass / model->nodeCount;
    rslRepulsion_Nodes(set, 0, nodes);
    for (int c = 0; c < 3; ++c)
    {
        rslBody_Rest(&model->bodies[0], nodes[c], nodes[c] + 1, &x[c].x);
    }
    rslPiece_Heights(rsl_planeTriangle, x, heights);
    double k = set->stiffnesses != NULL ? set->stiffnesses[0] : set->stiffness;
    double speed = sqrt(violence * k * heights[0] * heights[0] / mass);
    Random random = MakeRandom(seed);
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double angle = NextBetween(&random, 0.0, 6.283185307179586);
        rslState_SetVelocity(model, run->state, i, (rslVec3){ speed * cos(angle), speed * sin(angle), 0.0 });
    }
}

static void TestViolentSheets(void** context)
{
    (void)context;
    int seeds = Proving() ? 20 : 1, inverted = 0;
    double worst = 0.0, smallest = INFINITY;
    const double violence[2] = { 2.6, 5.8 };
    for (int v = 0; v < 2; ++v)
    {
        for (int seed = 0; seed < seeds; ++seed)
        {
            rslBodyDef body = ThrownSheet();
            rslScene scene = SceneOf(&body, 1);
            scene.plane = rsl_planeXY;
            scene.gravity = (rslVec3){ 0 };
            rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
            def.fraction = 0.1;
            Run run = StartRun(&scene, def);
            Throw(&run, violence[v], (uint64_t)(seed + 1));
            double before = rslSolver_Energy(run.solver, run.state).total;
            double step = rslSolver_Stability(run.solver).step;
            int steps = (int)((Proving() ? 0.5 : 0.1) / step);
            for (int n = 0; n < steps && inverted == 0; n += 10)
            {
                inverted += rslSolver_Step(run.solver, run.state, 10) != rsl_ok;
                double ratio = SmallestRatio(run.model, run.state);
                inverted += !(ratio > 0.0);
                smallest = ratio < smallest ? ratio : smallest;
            }
            worst = Worse(worst, fabs(rslSolver_Energy(run.solver, run.state).total / before - 1.0));
            EndRun(&run);
        }
    }
    print_message("# smallest area %.3g of rest\n", smallest);
    assert_proved("violent sheets, m v^2/(k h0^2) = 2.6 and 5.8: inverted or stopped", inverted, 0.0);
    assert_proved("violent sheets: energy, relative", worst, 0.02);
}

// ---- the same bits --------------------------------------------------------------------------------------------------------

static rslScene CrushScene(rslBodyDef* body, rslShapeDef* box, rslConstraintDef constraints[2])
{
    *box = BoxShape(0.3, 0.3, 0.3);
    *body = LatticeBody("a", box, 0.1);
    body->surface.enabled = false;
    body->repulsion.type = rsl_clampedRepulsion;
    body->material.massDamping = 20.0;
    constraints[0] = PinOf(SideOf("a", (rslVec3){ 0, 0, -0.14 }, (rslVec3){ 0, 0, -1 }));
    constraints[1] = MoveBy(SideOf("a", (rslVec3){ 0, 0, 0.14 }, (rslVec3){ 0, 0, 1 }), (rslVec3){ 0, 0, -0.22 });
    constraints[1].move.course = RampOf(0.0, 0.1, false);
    rslScene scene = SceneOf(body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.constraints = constraints;
    scene.constraintCount = 2;
    return scene;
}

static uint64_t Crush(const rslScene* scene, rslSolverDef def, int steps, int each, bool checkpoint, double* smallest)
{
    Run run = StartRun(scene, def);
    for (int n = 0; n < steps; n += each)
    {
        Step(&run, each);
        double ratio = SmallestRatio(run.model, run.state);
        assert_true(ratio > 0.0);
        *smallest = ratio < *smallest ? ratio : *smallest;
        if (checkpoint)
        {
            size_t size = rslState_Save(run.state, NULL, 0);
            void* bytes = malloc(size);
            rslState_Save(run.state, bytes, size);
            rslState_Free(run.state);
            assert_int_equal(rslState_Load(run.model, def.precision, bytes, size, NULL, &run.state, NULL), rsl_ok);
            rslSolver_Free(run.solver);
            run.solver = SolverOf(run.model, &def);
            free(bytes);
        }
    }
    assert_true(run.state->guard.divided > 0 && run.state->guard.substeps > run.state->guard.divided);
    assert_true(run.state->guard.smallest < 0.5);
    uint64_t hash = rslState_Hash(run.state);
    EndRun(&run);
    return hash;
}

static void TestSameBits(void** context)
{
    (void)context;
    rslBodyDef body;
    rslShapeDef box;
    rslConstraintDef constraints[2];
    rslScene scene = CrushScene(&body, &box, constraints);
    for (int mix = 0; mix < (Proving() ? 6 : 3); ++mix)
    {
        rslSolverDef def = SolverDef((rslIntegrator)(rsl_symplecticEuler + (mix + 1) % 3), RSL_AUTO);
        def.precision = mix % 2 ? rsl_double : rsl_single;
        def.threads = 1;
        double smallest = INFINITY;
        int steps = 24;
        uint64_t hash = Crush(&scene, def, steps, 24, false, &smallest);
        assert_true(Crush(&scene, def, steps, 3, false, &smallest) == hash);
        assert_true(Crush(&scene, def, steps, 1, true, &smallest) == hash);
        def.threads = 2;
        assert_true(Crush(&scene, def, steps, 12, false, &smallest) == hash);
        assert_true(smallest < 0.5);
    }
}

// ---- what cannot go on ------------------------------------------------------------------------------------------------------

// Everything is held and moved through itself: a clean end, and the last accepted state is there.
static void TestHeldInsideOut(void** context)
{
    (void)context;
    rslShapeDef box = BoxShape(0.2, 0.2, 0.2);
    rslBodyDef body = LatticeBody("a", &box, 0.1);
    body.surface.enabled = false;
    body.repulsion.type = rsl_clampedRepulsion;
    rslConstraintDef constraints[2] = { PinOf(SideOf("a", (rslVec3){ 0, 0, 0.04 }, (rslVec3){ 0, 0, -1 })),
                                        MoveBy(SideOf("a", (rslVec3){ 0, 0, 0.06 }, (rslVec3){ 0, 0, 1 }),
                                               (rslVec3){ 0, 0, -0.3 }) };
    constraints[1].move.course = RampOf(0.0, 0.1, false);
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.constraints = constraints;
    scene.constraintCount = 2;
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    assert_int_equal(rslSolver_Step(run.solver, run.state, 1000), rsl_diverged);
    rslDivergence d = rslSolver_Divergence(run.solver);
    assert_true(d.element >= 0 && d.elementBody == 0 && d.divided > 0 && d.ratio < 0.5);
    assert_true(SmallestRatio(run.model, run.state) > 0.0);
    assert_true(rslState_Hash(rslSolver_LastGood(run.solver)) == rslState_Hash(run.state));
    EndRun(&run);
}

// ---- torture ------------------------------------------------------------------------------------------------------------------

typedef struct Torture
{
    rslShapeDef shape;
    rslBodyDef body;
    rslLoadDef load;
    rslConstraintDef constraints[2];
    rslScene scene;
    rslSolverDef def;
    double duration;
} Torture;

static void DrawTorture(Random* random, Torture* t)
{
    static const rslShapeType shapes[] = { rsl_boxShape, rsl_sphereShape, rsl_cylinderShape, rsl_torusShape };
    static const rslNetworkType networks[] = { rsl_latticeNetwork, rsl_tetrahedraNetwork };
    t->shape = rslDefaultShapeDef();
    t->shape.type = shapes[NextBits(random) % 4];
    t->shape.size = (rslVec3){ NextBetween(random, 0.1, 0.3), NextBetween(random, 0.1, 0.3), 0.2 };
    t->shape.radius = NextBetween(random, 0.08, 0.12);
    t->shape.height = 0.2;
    t->shape.tubeRadius = 0.04;
    t->body = LatticeBody("a", &t->shape, 0.05);
    t->body.surface.enabled = false;
    t->body.network.type = networks[NextBits(random) % 2];
    t->body.repulsion.type = NextBits(random) % 4 ? rsl_clampedRepulsion : rsl_stiffRepulsion;
    t->body.material.young = pow(10.0, NextBetween(random, 3.0, 7.0));
    t->body.material.density = pow(10.0, NextBetween(random, 2.0, 3.7));
    t->body.material.massDamping = NextBits(random) % 2 ? 0.0 : NextBetween(random, 0.0, 20.0);
    t->scene = SceneOf(&t->body, 1);
    double wave = sqrt(t->body.material.young / t->body.material.density);
    t->duration = 1.0 / wave;
    int kind = (int)(NextBits(random) % 3);
    rslVec3 way = NextVec3(random, 1.0);
    if (kind == 0)
    {
        t->load = ForceOn(SideOf("a", (rslVec3){ 0, 0, 0.05 }, (rslVec3){ 0, 0, 1 }),
                          rslScale(0.02 * t->body.material.young * 0.04, way));
        t->scene.loads = &t->load;
        t->scene.loadCount = 1;
    }
    else if (kind == 1)
    {
        t->constraints[0] = PinOf(SideOf("a", (rslVec3){ 0, 0, -0.06 }, (rslVec3){ 0, 0, -1 }));
        t->constraints[1] = MoveBy(SideOf("a", (rslVec3){ 0, 0, 0.06 }, (rslVec3){ 0, 0, 1 }),
                                   (rslVec3){ 0.03 * way.x, 0.03 * way.y, -NextBetween(random, 0.02, 0.1) });
        t->constraints[1].move.course = RampOf(0.0, t->duration, false);
        t->scene.constraints = t->constraints;
        t->scene.constraintCount = 2;
    }
    t->scene.gravity = rslScale(kind == 2 ? wave * wave / 2.0 : 9.81, way);
    t->def = SolverDef((rslIntegrator)(rsl_symplecticEuler + NextBits(random) % 3), RSL_AUTO);
    t->def.fraction = 0.9;
    t->def.precision = NextBits(random) % 2 ? rsl_single : rsl_double;
}

// How a scene ended: finished, refused before it began, or stopped.
typedef enum Ending
{
    finished,
    refused,
    stopped,
    wrong  // an element inside out, a number that is none, or a status that says nothing
} Ending;

static Ending Suffer(Torture* t, double share)
{
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    if (rslModel_Build(&t->scene, NULL, &model, NULL) != rsl_ok)
    {
        return refused;
    }
    rslSolverDef def = t->def;
    def.fraction *= share;
    rslState* state = StateOf(model, def.precision);
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, NULL), rsl_ok);
    int steps = (int)(t->duration / rslSolver_Stability(solver).step) + 1, each = steps / 20 + 1;
    Ending ending = finished;
    for (int n = 0; ending == finished && n < steps; n += each)
    {
        rslStatus status = rslSolver_Step(solver, state, each);
        ending = status == rsl_ok ? finished : status == rsl_diverged ? stopped : wrong;
        ending = SmallestRatio(model, state) > 0.0 && IsFinite(model, state) ? ending : wrong;
    }
    rslSolver_Free(solver);
    rslState_Free(state);
    rslModel_Free(model);
    return ending;
}

static void TestTorture(void** context)
{
    (void)context;
    int scenes = Proving() ? 1000 : 4, counts[4] = { 0 }, hopeless = 0;
    const char* first = getenv("RSL_FIRST");
    for (int i = first != NULL ? atoi(first) : 0; i < scenes; ++i)
    {
        Torture torture;
        Random random = MakeRandom((uint64_t)(1000 + i));
        DrawTorture(&random, &torture);
        Ending ending = Suffer(&torture, 1.0);
        counts[ending] += 1;
        if (ending == stopped && Suffer(&torture, 0.1) != finished)
        {
            hopeless += 1;
            print_message("# scene %d stops also at a tenth of the step\n", i);
        }
        if (ending == wrong)
        {
            print_message("# scene %d is wrong\n", i);
        }
    }
    print_message("# %d finished, %d refused, %d stopped, %d wrong\n", counts[finished], counts[refused],
                  counts[stopped], counts[wrong]);
    assert_true(counts[finished] > 0 && counts[refused] < scenes / 4 + 1);
    assert_proved("torture: states inverted or not finite", counts[wrong], 0.0);
    assert_proved("torture: part that stops", (double)counts[stopped] / (scenes - counts[refused]), 0.05);
    assert_proved("torture: stopped also at a tenth of the step", hopeless, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestViolentSheets),
        cmocka_unit_test(TestSameBits),
        cmocka_unit_test(TestHeldInsideOut),
        cmocka_unit_test(TestTorture),
    };
    return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
