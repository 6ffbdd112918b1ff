// SPDX-License-Identifier: MIT
//
// test_friction.c: planes that rub and move: what slides, sticks and is carried along; the account, and the force that is told.

#include "friction.h"
#include "movement.h"
#include "physics_fixture.h"

static const double g = 9.81;

// ---- one contact ----------------------------------------------------------------------------------------------------

// Friction takes at most mu J, stops and never reverses, and what stops is stopped to the bit.
static void OneImpulse(void** unused)
{
    (void)unused;
    Random random = MakeRandom(1);
    for (int i = 0; i < 1000; ++i)
    {
        rslVec3 v = NextVec3(&random, 2.0), n = rslNormalize(NextVec3(&random, 1.0));
        double mu = NextBetween(&random, 0.0, 2.0), press = NextBetween(&random, 0.0, 2.0);
        double mass = NextBetween(&random, 0.1, 3.0);
        rslVec3 slip = rslFriction_Slip(v, n), change = rslFriction_Change(slip, mu, press, mass);
        rslVec3 left = rslAdd(slip, change);
        double most = mu * press / mass;
        assert_close(rslDot(slip, n), 0.0, 1e-15 * rslLength(v) * 10.0);
        assert_at_most(rslLength(change), most * (1.0 + 1e-14));
        assert_true(rslDot(left, slip) >= 0.0);
        assert_at_most(rslLength(rslCross(left, slip)), 1e-14 * rslDot(slip, slip));
        assert_true(rslLength(slip) > most || (left.x == 0.0 && left.y == 0.0 && left.z == 0.0));
        double before = 0.5 * mass * rslDot(slip, slip), after = 0.5 * mass * rslDot(left, left);
        assert_close(rslFriction_Heat(slip, change, mass), before - after, 1e-13 * before);
        assert_true(rslFriction_Heat(slip, change, mass) >= 0.0);
    }
    rslVec3 none = rslFriction_Change((rslVec3){ 0 }, 0.5, 1.0, 1.0);
    assert_true(none.x == 0.0 && none.y == 0.0 && none.z == 0.0);
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

typedef struct Block
{
    rslShapeDef box;
    rslBodyDef body;
    rslColliderDef plane;
    rslScene scene;
} Block;

// A block on a plane through the origin that is tilted about y: it slides towards +x of the plane.
static void MakeBlock(Block* block, double spacing, double tilt, double friction)
{
    double s = sin(tilt * PI / 180.0), c = cos(tilt * PI / 180.0);
    block->box = BoxShape(0.2, 0.1, 0.1);
    block->box.rotate = (rslRotationDef){ { 0, 1, 0 }, tilt };
    block->box.translate = (rslVec3){ 0.05 * s, 0.0, 0.05 * c };
    block->body = LatticeBody("block", &block->box, spacing);
    block->body.network.orientation = block->box.rotate;
    block->body.model.type = rsl_springModel;
    block->body.material.young = 2e5;
    block->body.material.stiffnessDamping = 2e-3;
    block->plane = rslDefaultColliderDef();
    block->plane.name = "slope";
    block->plane.normal = (rslVec3){ s, 0.0, c };
    block->plane.friction = friction;
    block->scene = SceneOf(&block->body, 1);
    block->scene.gravity = (rslVec3){ 0.0, 0.0, -g };
    block->scene.touch.scheme = rsl_penaltyScheme;
    block->scene.colliders = &block->plane;
    block->scene.colliderCount = 1;
}

static rslVec3 CentreOf(const Run* run)
{
    return rslSolver_Motion(run->solver, run->state, 0).centre;
}

static double SpeedOf(const Run* run)
{
    rslMotion motion = rslSolver_Motion(run->solver, run->state, 0);
    return rslLength(motion.momentum) / motion.mass;
}

static void StepFor(Run* run, double time)
{
    Step(run, (int64_t)(time / rslSolver_Stability(run->solver).step) + 1);
}

// What is missing from the account, over what friction and dampers took.
static double Missing(Run* run)
{
    return fabs(rslSolver_Energy(run->solver, run->state).drift) / run->state->account.dissipated;
}

static const rslIntegrator integrators[4] = { rsl_positionVerlet, rsl_velocityVerlet, rsl_symplecticEuler,
                                              rsl_forwardEuler };

// On flat ground it comes to rest after v^2 / (2 mu g), whatever the mesh and the integrator.
static void SlidesToRest(void** unused)
{
    (void)unused;
    const double cases[6][4] = { { 0.05, 0.3, 2.0, 0 }, { 0.05, 0.3, 2.0, 1 },  { 0.05, 0.6, 2.0, 2 },
                                 { 0.05, 0.3, 1.0, 3 }, { 0.025, 0.3, 2.0, 0 }, { 0.1, 0.2, 3.0, 0 } };
    double worst = 0.0, account = 0.0;
    for (int i = 0; i < (Proving() ? 6 : 4); ++i)
    {
        const double *c = cases[i], theory = c[2] * c[2] / (2.0 * c[1] * g);
        Block block;
        MakeBlock(&block, c[0], 0.0, c[1]);
        block.body.velocity = (rslVec3){ c[2], 0.0, 0.0 };
        rslSolverDef def = SolverDef(integrators[(int)c[3]], RSL_AUTO);
        def.fraction = 0.2;  // dampers are counted at first order
        Run run = StartRun(&block.scene, def);
        double start = CentreOf(&run).x;
        StepFor(&run, c[2] / (c[1] * g) + 0.3);
        assert_at_most(SpeedOf(&run), 0.01 * c[2]);
        worst = Worse(worst, fabs((CentreOf(&run).x - start) / theory - 1.0));
        account = Worse(account, Missing(&run));
        EndRun(&run);
    }
    assert_proved("sliding distance against v^2 / (2 mu g)", worst, 0.01);
    assert_proved("energy missing after it, over what was lost", account, 0.02);
}

// On a slope it slides with g (sin - mu cos), or stays where it is.
static void SlidesDownASlope(void** unused)
{
    (void)unused;
    Block block;
    MakeBlock(&block, 0.05, 30.0, 0.3);
    Run run = StartRun(&block.scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    double a = g * (0.5 - 0.3 * sqrt(0.75));
    StepFor(&run, 0.3);
    double speed = SpeedOf(&run), time = TimeOf(&run);
    StepFor(&run, 0.3);
    assert_proved("acceleration down a slope", fabs((SpeedOf(&run) - speed) / (TimeOf(&run) - time) / a - 1.0), 0.01);
    EndRun(&run);
}

static void SticksOnASlope(void** unused)
{
    (void)unused;
    double creep = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        Block block;
        MakeBlock(&block, 0.05, 20.0, 0.5);  // tan 20 = 0.364
        block.body.material.massDamping = 40.0;
        Run run = StartRun(&block.scene, SolverDef(integrators[i], RSL_AUTO));
        StepFor(&run, 1.0);
        rslVec3 before = CentreOf(&run);
        StepFor(&run, Proving() ? 10.0 : 0.5);
        creep = Worse(creep, Distance(CentreOf(&run), before));
        // friction carries what pulls it down
        rslVec3 force = rslSolver_ColliderForce(run.solver, run.state, 0, -1);
        double weight = g * rslSolver_Motion(run.solver, run.state, 0).mass;
        assert_close(force.x, 0.0, 1e-3 * weight);
        assert_close(force.z, weight, 1e-3 * weight);
        EndRun(&run);
    }
    assert_proved("creep of a block that sticks, over its length", creep / 0.2, 1e-6);
}

// Loads on what sticks do no work, and none that is not there on what slides: with the kick alone, the account would be off by
// m h a^2 / 4 a second.
static void PulledBlocks(void** unused)
{
    (void)unused;
    double worst = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        const double mass = 2.0, step = 1e-4, pull = i % 2 == 0 ? 3.0 : 8.0, time = 0.2;
        Block block;
        MakeBlock(&block, 0.05, 0.0, 0.5);
        rslLoadDef load = rslDefaultLoadDef();
        load.type = rsl_accelerationLoad;
        load.acceleration = (rslVec3){ pull, 0.0, 0.0 };
        load.nodes.body = "block";
        block.scene.loads = &load;
        block.scene.loadCount = 1;
        if (i >= 2)
        {
            block.body.model.type = rsl_rigidModel;
            block.plane.stiffness = 1000.0;
            block.plane.point.z = mass * g / (15 * 1000.0);
        }
        Run run = StartRun(&block.scene, SolverDef(rsl_velocityVerlet, step));
        StepFor(&run, 0.3);
        double drift = rslSolver_Energy(run.solver, run.state).drift;
        StepFor(&run, time);
        drift = rslSolver_Energy(run.solver, run.state).drift - drift;
        worst = Worse(worst, fabs(drift) / (0.25 * mass * step * pull * pull * time));
        EndRun(&run);
    }
    assert_proved("energy missing where loads pull against friction, over what kicks alone would miss", worst, 0.05);
}

// Rigid blocks, too.
static void RigidBlocks(void** unused)
{
    (void)unused;
    Block block;
    MakeBlock(&block, 0.05, 0.0, 0.3);
    block.body.model.type = rsl_rigidModel;
    block.plane.stiffness = 1000.0;
    block.plane.point.z = 2.0 * g / (15 * 1000.0);  // where 15 nodes carry it
    block.body.velocity = (rslVec3){ 1.0, 0.0, 0.0 };
    Run run = StartRun(&block.scene, SolverDef(rsl_positionVerlet, 1e-4));
    double start = CentreOf(&run).x, theory = 1.0 / (2.0 * 0.3 * g);
    StepFor(&run, 0.6);
    assert_proved("sliding distance of a rigid block", fabs((CentreOf(&run).x - start) / theory - 1.0), 0.01);
    assert_at_most(Missing(&run), 0.01);
    EndRun(&run);
    MakeBlock(&block, 0.05, 20.0, 0.5);
    block.body.model.type = rsl_rigidModel;
    block.plane.stiffness = 1000.0;
    block.plane.point = rslScale(2.0 * g * cos(PI / 9.0) / (15 * 1000.0), block.plane.normal);
    run = StartRun(&block.scene, SolverDef(rsl_velocityVerlet, 1e-4));
    StepFor(&run, 0.1);
    rslVec3 before = CentreOf(&run);
    double drift = rslSolver_Energy(run.solver, run.state).drift;
    StepFor(&run, 1.0);
    // what sticks makes no heat: m h (g sin)^2 / 4 a second, if the kick before it were not counted
    double kicks = 0.25 * 2.0 * 1e-4 * g * g * pow(sin(PI / 9.0), 2.0);
    assert_at_most(fabs(rslSolver_Energy(run.solver, run.state).drift - drift), 0.05 * kicks);
    rslVec3 moved = rslSub(CentreOf(&run), before);
    double creep = rslDot(moved, (rslVec3){ cos(PI / 9.0), 0.0, -sin(PI / 9.0) });
    assert_proved("creep of a rigid block that sticks, over its length, in a second", fabs(creep) / 0.2, 1e-3);
    // nothing damps its rocking: the mean of what the plane does carries it
    rslVec3 told = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 200; ++i)
    {
        Step(&run, 7);
        told = rslMulAdd(told, 1.0 / 200.0, rslSolver_ColliderForce(run.solver, run.state, 0, -1));
    }
    assert_close(told.x, 0.0, 0.02 * 2.0 * g);
    assert_close(told.z, 2.0 * g, 0.02 * 2.0 * g);
    EndRun(&run);
}

// A belt drags a block with it: it lags behind by v^2 / (2 mu g) until it moves as the belt does. Work of the belt: m v^2, half of it heat.
static void BeltDrags(void** unused)
{
    (void)unused;
    const double v = 1.0, mu = 0.4, path[8] = { 0, 0, 0, 0, 10, 10, 0, 0 };
    for (int i = 0; i < 4; ++i)
    {
        Block block;
        MakeBlock(&block, 0.05, 0.0, mu);
        block.plane.move.path = path;
        block.plane.move.pathCount = 2;
        rslSolverDef def = SolverDef(integrators[i], RSL_AUTO);
        def.fraction = 0.2;
        Run run = StartRun(&block.scene, def);
        double start = CentreOf(&run).x, mass = rslSolver_Motion(run.solver, run.state, 0).mass;
        StepFor(&run, 0.1);
        rslVec3 force = rslSolver_ColliderForce(run.solver, run.state, 0, 0);
        assert_close(force.x, mu * force.z, 0.02 * mass * g);
        StepFor(&run, 0.6);
        double lag = v * TimeOf(&run) - (CentreOf(&run).x - start);
        assert_close(lag, v * v / (2.0 * mu * g), 0.01 * v * v / (2.0 * mu * g));
        assert_close(SpeedOf(&run), v, 5e-3 * v);
        assert_close(run.state->account.motion, mass * v * v, 0.02 * mass * v * v);
        assert_at_most(Missing(&run), i < 3 ? 0.01 : 0.05);
        EndRun(&run);
    }
}

// A turntable carries a block round: v = w r at its nodes.
static void TableTurns(void** unused)
{
    (void)unused;
    Block block;
    MakeBlock(&block, 0.05, 0.0, 2.0);
    block.plane.move.rotate = (rslRotationDef){ { 0, 0, 1 }, 360.0 };
    block.plane.move.centre = (rslVec3){ 0.5, 0.0, 0.0 };
    block.plane.move.course = RampOf(0.0, 4.0, false);
    Run run = StartRun(&block.scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    rslVec3 start = CentreOf(&run);
    StepFor(&run, 2.0);
    rslVec3 end = CentreOf(&run), arm = { end.x - 0.5, end.y, 0.0 };
    // half a turn, less what it took to get going
    assert_close(end.x, 1.0 - start.x, 0.03);
    assert_close(SpeedOf(&run), rslLength(arm) * 2.0 * PI / 4.0, 0.01);
    EndRun(&run);
}

// ---- planes that move -----------------------------------------------------------------------------------------------

// A piston presses a block against the ground: its work is in the account, better with the square of the step.
static void PistonWorks(void** unused)
{
    (void)unused;
    double missing[4][2];
    for (int i = 0; i < 8; ++i)
    {
        Block block;
        MakeBlock(&block, 0.05, 0.0, 0.0);
        rslColliderDef planes[2] = { block.plane, block.plane };
        block.body.material.stiffnessDamping = i / 2 == 3 ? 2e-3 : 0.0;
        planes[1].name = "piston";
        planes[1].point = (rslVec3){ 0.0, 0.0, 0.11 };
        planes[1].normal = (rslVec3){ 0.1, 0.0, -1.0 };
        planes[1].move.translate = (rslVec3){ 0.0, 0.0, -0.03 };
        planes[1].move.rotate = (rslRotationDef){ { 0, 1, 0 }, 10.0 };
        planes[1].move.course = RampOf(0.0, 0.05, true);
        block.scene.colliders = planes;
        block.scene.colliderCount = 2;
        rslSolverDef def = SolverDef(integrators[i / 2], RSL_AUTO);
        def.fraction = i % 2 == 0 ? 0.4 : 0.1;
        Run run = StartRun(&block.scene, def);
        StepFor(&run, 0.05);
        rslEnergy energy = rslSolver_Energy(run.solver, run.state);
        assert_true(run.state->account.motion > 0.1 && energy.ground > 1e-3);
        missing[i / 2][i % 2] = fabs(energy.drift) / run.state->account.motion;
        EndRun(&run);
    }
    assert_at_most(missing[0][1], 1e-3);
    assert_at_most(missing[0][1], 0.2 * missing[0][0]);
    assert_at_most(missing[1][1], 0.2 * missing[1][0]);
    assert_at_most(missing[2][1], 0.5 * missing[2][0]);
    assert_at_most(missing[3][1], 0.5 * missing[3][0]);
}

// A plane that jumps into a body has worked for all that is stored there.
static void PlaneJumps(void** unused)
{
    (void)unused;
    Block block;
    MakeBlock(&block, 0.05, 0.0, 0.0);
    block.scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    block.body.material.stiffnessDamping = 0.0;
    block.plane.point.z = -0.01;
    block.plane.move.translate = (rslVec3){ 0.0, 0.0, 0.02 };
    block.plane.move.course.start = 0.01;
    for (int i = 0; i < 3; ++i)
    {
        rslSolverDef def = SolverDef(integrators[i], RSL_AUTO);
        def.fraction = 0.1;
        Run run = StartRun(&block.scene, def);
        StepFor(&run, 0.03);
        assert_true(run.state->account.motion > 1e-3);
        assert_at_most(fabs(rslSolver_Energy(run.solver, run.state).drift), 0.02 * run.state->account.motion);
        EndRun(&run);
    }
}

// Where a collider is, and how fast: as it is told.
static void PlaneMoves(void** unused)
{
    (void)unused;
    Block block;
    MakeBlock(&block, 0.1, 0.0, 0.5);
    block.plane.move.rotate = (rslRotationDef){ { 0, 2, 0 }, 90.0 };
    block.plane.move.centre = (rslVec3){ 0.0, 0.0, 1.0 };
    block.plane.move.translate = (rslVec3){ 1.0, 2.0, 3.0 };
    block.plane.move.course = RampOf(0.0, 2.0, false);
    rslModel* model = Built(&block.scene, NULL);
    rslPlane plane = rslCollider_At(&model->colliders[0], 2.0);
    assert_close(Distance(plane.normal, (rslVec3){ 1, 0, 0 }), 0.0, 1e-14);
    assert_close(Distance(plane.point, (rslVec3){ 0, 2, 4 }), 0.0, 1e-14);
    rslVec3 v = rslCollider_Velocity(&model->colliders[0], 1.0, 1e-3, (rslVec3){ 0.5, 1.0, 2.5 });
    assert_close(Distance(v, (rslVec3){ 0.5, 1.0, 1.5 }), 0.0, 1e-6);  // the centre only shifts
    assert_int_equal(rslModel_FindCollider(model, "slope"), 0);
    assert_int_equal(rslModel_FindCollider(model, "ground"), -1);
    rslModel_Free(model);
}

// ---- rest -----------------------------------------------------------------------------------------------------------

// Plates come together in increments, and go apart again.
static void PressedAtRest(void** unused)
{
    (void)unused;
    Block block;
    MakeBlock(&block, 0.05, 0.0, 0.0);
    rslColliderDef planes[2] = { block.plane, block.plane };
    const double points[6] = { 0.0, 0.0, 1.0, 1.0, 2.0, 0.0 };
    const int held[1] = { 0 };
    planes[1].name = NULL;
    planes[1].point = (rslVec3){ 0.0, 0.0, 0.1 };
    planes[1].normal = (rslVec3){ 0.0, 0.0, -1.0 };
    planes[1].move.translate = (rslVec3){ 0.0, 0.0, -0.02 };
    planes[1].move.course.type = rsl_tableCourse;
    planes[1].move.course.points = points;
    planes[1].move.course.pointCount = 3;
    block.scene.gravity = (rslVec3){ 0.0, 0.0, -0.01 };
    block.scene.colliders = planes;
    block.scene.colliderCount = 2;
    rslConstraintDef pins[2] = { PinOf(ListOf("block", held, 1)),
                                 PinOf(SideOf("block", (rslVec3){ 0.099, 0, 0 }, (rslVec3){ 1, 0, 0 })) };
    pins[0].axes[2] = pins[1].axes[2] = pins[1].axes[0] = false;
    block.scene.constraints = pins;
    block.scene.constraintCount = 2;
    Run run = StartRun(&block.scene, SolverDef(rsl_static, 0.25));
    Step(&run, 4);
    rslVec3 below = rslSolver_ColliderForce(run.solver, run.state, 0, 0);
    rslVec3 above = rslSolver_ColliderForce(run.solver, run.state, 1, 0);
    double weight = 0.01 * rslSolver_Motion(run.solver, run.state, 0).mass;
    assert_close(below.z, weight - above.z, 1e-6 * below.z);
    assert_true(below.z > 100.0 && above.z < -100.0);
    Step(&run, 4);
    assert_close(rslSolver_ColliderForce(run.solver, run.state, 1, 0).z, 0.0, 1e-3);
    EndRun(&run);
}

// A body that starts behind a plane is told of, not one that touches it; friction means nothing at rest.
static void Warns(void** unused)
{
    (void)unused;
    for (int i = 0; i < 3; ++i)
    {
        Block block;
        rslReport report = { 0 };
        MakeBlock(&block, 0.05, 0.0, i == 2 ? 0.5 : 0.0);
        block.plane.point.z = i == 1 ? 0.06 : 0.0;
        block.scene.time.integrator = i == 2 ? rsl_static : rsl_positionVerlet;
        rslModel_Free(Built(&block.scene, &report));
        assert_int_equal(report.count, i == 0 ? 0 : 1);
        assert_true(i != 1 ||
                    strstr(report.messages[0].text, "30 of 45 nodes of body 'block' start up to 0.06 m") != NULL);
        assert_true(i != 2 || strstr(report.messages[0].text, "'static' leaves friction out") != NULL);
    }
}

// ---- memory and bits ------------------------------------------------------------------------------------------------

static void FailsCleanly(void** unused)
{
    (void)unused;
    const double path[8] = { 0, 0, 0, 0, 10, 10, 0, 0 };
    Block block;
    MakeBlock(&block, 0.1, 10.0, 0.4);
    block.plane.move.path = path;
    block.plane.move.pathCount = 2;
    FailEveryAllocation(&block.scene, SolverDef(rsl_positionVerlet, RSL_AUTO), 40);
}

// The same bits whatever the threads; and friction of the ground is that of a collider.
static void SameBits(void** unused)
{
    (void)unused;
    uint64_t hash[3];
    Block block;
    MakeBlock(&block, 0.0125, 0.0, 0.3);
    block.body.velocity = (rslVec3){ 1.0, 0.5, 0.0 };
    for (int i = 0; i < 3; ++i)
    {
        rslSolverDef def = SolverDef(rsl_velocityVerlet, RSL_AUTO);
        def.threads = i == 1 ? 3 : 1;
        if (i == 2)
        {
            block.scene.ground = rslDefaultGroundDef();
            block.scene.ground.friction = 0.3;
            block.scene.colliderCount = 0;
        }
        Run run = StartRun(&block.scene, def);
        Step(&run, 100);
        hash[i] = rslState_Hash(run.state);
        EndRun(&run);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(OneImpulse),     cmocka_unit_test(PulledBlocks),
        cmocka_unit_test(SlidesToRest),   cmocka_unit_test(SlidesDownASlope),
        cmocka_unit_test(SticksOnASlope), cmocka_unit_test(RigidBlocks),
        cmocka_unit_test(BeltDrags),      cmocka_unit_test(TableTurns),
        cmocka_unit_test(PistonWorks),    cmocka_unit_test(PlaneJumps),
        cmocka_unit_test(PlaneMoves),     cmocka_unit_test(PressedAtRest),
        cmocka_unit_test(Warns),          cmocka_unit_test(FailsCleanly),
        cmocka_unit_test(SameBits),
    };
    return cmocka_run_group_tests_name("friction", tests, NULL, NULL);
}
