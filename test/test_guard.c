// SPDX-License-Identifier: MIT
//
// test_guard.c: no accepted state has an element inside out: bodies thrown about, crushed and turned inside out by what holds
// them (test_torture.c: by anything); the same bits for any number of threads, of calls, and through a checkpoint.

#include "collapse_fixture.h"

// ---- violent bodies -----------------------------------------------------------------------------------------------------

// A sheet of 4 x 4 cells in the plane with Cooper's law, edges of 1/4 m, thrown at random: m v^2 / (k h0^2) = violence.
static rslBodyDef ThrownSheet(void)
{
    rslBodyDef body = GridBody("sheet", 1.0, 1.0, 4, 4);
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

typedef struct Violent
{
    int inverted;     // or stopped
    double smallest;  // area, of rest
    double energy;    // off, at any step, relative
} Violent;

static void ThrowSheet(rslSolverDef def, double violence, uint64_t seed, Violent* out)
{
    rslBodyDef body = ThrownSheet();
    rslScene scene = SceneOf(&body, 1);
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0 };
    Run run = StartRun(&scene, def);
    Throw(&run, violence, seed);
    double before = rslSolver_Energy(run.solver, run.state).total;
    int steps = (int)((Proving() ? 0.5 : 0.2) / rslSolver_Stability(run.solver).step);
    for (int n = 0; n < steps; ++n)
    {
        bool stepped = rslSolver_Step(run.solver, run.state, 1) == rsl_ok;
        double ratio = SmallestRatio(run.model, run.state);
        out->inverted += !stepped || !(ratio > 0.0);
        out->smallest = ratio < out->smallest ? ratio : out->smallest;
        out->energy = Worse(out->energy, fabs(rslSolver_Energy(run.solver, run.state).total / before - 1.0));
    }
    EndRun(&run);
}

// At the default step. (Velocities of symplectic Euler are those of half a step before, so that its energy cannot be told so well.)
static void TestViolentSheets(void** context)
{
    int seeds = Proving() ? 20 : 1;
    Violent violent = { .smallest = INFINITY };
    (void)context;
    for (int mix = 0; mix < 4 * seeds; ++mix)
    {
        rslSolverDef def = SolverDef(mix % 2 ? rsl_velocityVerlet : rsl_positionVerlet, RSL_AUTO);
        def.precision = mix / 4 % 2 ? rsl_single : rsl_double;
        ThrowSheet(def, mix / 2 % 2 ? 5.8 : 2.6, (uint64_t)(mix / 4 + 1), &violent);
    }
    print_message("# smallest area %.3g of rest\n", violent.smallest);
    assert_proved("violent sheets, m v^2/(k h0^2) = 2.6 and 5.8: inverted or stopped", violent.inverted, 0.0);
    assert_proved("violent sheets: energy at any time, relative", violent.energy, 0.02);
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
            Reload(&run);
            rslSolver_Free(run.solver);
            run.solver = SolverOf(run.model, &def);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestViolentSheets),
        cmocka_unit_test(TestSameBits),
        cmocka_unit_test(TestHeldInsideOut),
    };
    return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
