// SPDX-License-Identifier: MIT
//
// Rest: closed forms of bodies under load, what is said when there is no rest, and that the bits do not depend on threads.

#include "physics_fixture.h"
#include "core_scenes.h"

#include "solver_internal.h"
#include "static_internal.h"

static rslSolverDef StaticDef(double step)
{
    return SolverDef(rsl_static, step);
}

static rslConstraintDef PinAxes(rslNodeSetDef nodes, bool x, bool y, bool z)
{
    rslConstraintDef pin = PinOf(nodes);
    pin.axes[0] = x;
    pin.axes[1] = y;
    pin.axes[2] = z;
    return pin;
}

static rslNodeSetDef Nearest(const char* body, rslVec3 point)
{
    rslNodeSetDef set = rslDefaultNodeSetDef();
    set.body = body;
    set.type = rsl_nearestNodes;
    set.point = point;
    return set;
}

static double LargestSpeed(const Run* run)
{
    double largest = 0.0;
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        largest = Worse(largest, rslLength(VelocityOf(run, i)));
    }
    return largest;
}

// ---- closed forms ---------------------------------------------------------------------------------------------------

// m g / k below the natural length; the spring's length may be anything.
static void SpringSagsByForceOverStiffness(void** unused)
{
    (void)unused;
    static const double nodes[] = { 0, 0, 0, 0, 0, -1 }, mass[] = { 2.0 }, stiffness[] = { 500.0 };
    static const int springs[] = { 0, 1 }, top[] = { 0 }, bottom[] = { 1 };
    rslBodyDef body = NetworkBody("bob", nodes, 2, mass, springs, 1, stiffness);
    rslConstraintDef pin = PinOf(ListOf("bob", top, 1));
    rslLoadDef load = ForceOn(ListOf("bob", bottom, 1), (rslVec3){ 0, 0, -3.0 });
    rslScene scene = LoadedScene(&body, &pin, 1, &load);
    Run run = StartRun(&scene, StaticDef(1.0));
    SetNode(&run, 1, (rslVec3){ 0, 0, -1 }, (rslVec3){ 0, 0, 4 });  // whatever it did before
    Step(&run, 1);
    assert_close(PositionOf(&run, 1).z, -1.0 - (2.0 * 9.81 + 3.0) / 500.0, 1e-10);
    assert_close(LargestSpeed(&run), 0.0, 0.0);
    assert_close(TimeOf(&run), 1.0, 0.0);
    rslRest rest = rslSolver_Rest(run.solver);
    assert_int_equal(rest.outcome, rsl_restFound);
    assert_at_most(rest.residual, 1e-8);
    EndRun(&run);
}

// A pendulum let go to the side comes to rest below its pin, where only the load holds it.
static void PendulumHangsDown(void** unused)
{
    (void)unused;
    static const double nodes[] = { 0, 0, 0, 1, 0, -0.2 }, mass[] = { 1.0 }, stiffness[] = { 1e3 };
    static const int springs[] = { 0, 1 }, top[] = { 0 };
    rslBodyDef body = NetworkBody("bob", nodes, 2, mass, springs, 1, stiffness);
    rslConstraintDef pin = PinOf(ListOf("bob", top, 1));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, StaticDef(1.0));
    Step(&run, 1);
    double length = sqrt(1.04) + 9.81 / 1e3;
    assert_close(Distance(PositionOf(&run, 1), (rslVec3){ 0, 0, -length }), 0.0, 1e-7);
    EndRun(&run);
}

// Hung by its top face: the pin carries the whole weight.
static void ReactionIsTheWeight(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.2, 0.2, 0.4);
    rslBodyDef body = LatticeBody("block", &shape, 0.05);
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 0.5 }, 20.0 };
    rslConstraintDef pin = PinOf(SideOf("block", (rslVec3){ 0, 0, 0.15 }, (rslVec3){ 0, 0, 1 }));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, StaticDef(1.0));
    Step(&run, 1);
    double weight = run.model->bodies[0].mass * 9.81;
    rslVec3 reaction = rslSolver_Reaction(run.solver, run.state, 0);
    assert_close(Distance(reaction, (rslVec3){ 0, 0, weight }), 0.0, 1e-7 * weight);
    assert_close(LargestSpeed(&run), 0.0, 0.0);
    EndRun(&run);
}

typedef struct Stretch
{
    double young, poisson, strain;
} Stretch;

// A block between two plates without friction: x held by one face and pulled at the other, y and z held by as few nodes as
// needed. The masses of a corner lattice's face are in proportion to the areas of its nodes, so that an acceleration of them
// is an even stress.
static Stretch Pull(double spacing, double strain, int increments)
{
    const double a = 1.0, b = 0.5;
    rslShapeDef shape = BoxShape(a, b, b);
    rslBodyDef body = LatticeBody("block", &shape, spacing);
    rslConstraintDef held[] = {
        PinAxes(SideOf("block", (rslVec3){ 1e-3 - a / 2, 0, 0 }, (rslVec3){ -1, 0, 0 }), true, false, false),
        PinAxes(Nearest("block", (rslVec3){ -a / 2, -b / 2, -b / 2 }), false, true, true),
        PinAxes(Nearest("block", (rslVec3){ -a / 2, b / 2, -b / 2 }), false, false, true),
    };
    rslLoadDef load = rslDefaultLoadDef();
    load.type = rsl_accelerationLoad;
    load.nodes = SideOf("block", (rslVec3){ a / 2 - 1e-3, 0, 0 }, (rslVec3){ 1, 0, 0 });
    load.acceleration = (rslVec3){ strain * 1e5 / (0.5 * spacing * 1000.0), 0, 0 };  // E strain / mass of an area
    load.course = RampOf(0.0, 1.0, false);
    rslScene scene = LoadedScene(&body, held, 3, &load);
    scene.gravity = (rslVec3){ 0 };
    Run run = StartRun(&scene, StaticDef(1.0 / increments));
    int corner = run.model->nodeCount - 1;
    rslVec3 before = WorldOf(run.model, corner);
    Step(&run, increments);
    rslVec3 moved = rslSub(PositionOf(&run, corner), before), force = rslSolver_Reaction(run.solver, run.state, 0);
    Stretch out = { .young = -force.x / (b * b) / (moved.x / a), .poisson = -(moved.y / b) / (moved.x / a) };
    out.strain = moved.x / a;
    EndRun(&run);
    return out;
}

// Corner lattices have exactly E and nu = 1/4; a small strain shows them up to its own size.
static void CornerLatticeHasItsModuli(void** unused)
{
    (void)unused;
    Stretch pull = Pull(0.125, 1e-7, 1);
    assert_proved("corner AB, uniaxial, lateral free: E", fabs(pull.young / 1e5 - 1.0), 1e-6);
    assert_proved("corner AB, uniaxial, lateral free: nu", fabs(pull.poisson / 0.25 - 1.0), 1e-6);
}

// A slender bar that gravity bends by a seventh of its length, and by two thirds: whole steps stretch it, and the next ones make
// that good.
static void SlenderBarsBendInFewSteps(void** unused)
{
    (void)unused;
    static const rslModelType models[] = { rsl_springModel, rsl_finiteModel, rsl_brickModel };
    static const rslElementLaw laws[] = { rsl_corotationalElement, rsl_corotationalElement, rsl_neoHookeanElement };
    int most[2] = { 0, 0 };
    for (int trial = 0; trial < 6; ++trial)
    {
        rslShapeDef shape = BoxShape(1.0, 0.1, 0.1);
        rslConstraintDef pin;
        rslBodyDef body = LatticeBody("bar", &shape, 0.05);
        body.model.type = models[trial % 3];
        body.model.law = laws[trial % 3];
        rslScene scene = CantileverOf(&body, &pin, 1e-3);
        body.material.young = trial < 3 ? 1e7 : 2e6;
        Run run = StartRun(&scene, StaticDef(1.0));
        Step(&run, 1);
        rslRest rest = rslSolver_Rest(run.solver);
        most[trial / 3] = rest.newtonSteps > most[trial / 3] ? rest.newtonSteps : most[trial / 3];
        assert_true(WorldOf(run.model, run.model->nodeCount - 1).z - PositionOf(&run, run.model->nodeCount - 1).z >
                    (trial < 3 ? 0.1 : 0.4));
        EndRun(&run);
    }
    assert_proved("slender bar, tip down by a seventh: Newton steps", most[0], 7);
    assert_proved("slender bar, tip down by two thirds: Newton steps", most[1], 13);
}

// One preconditioner is enough for a body that bends little; one that bends far needs others. Linear solves have one of their own state.
static void PreconditionersAreKept(void** unused)
{
    (void)unused;
    for (int trial = 0; trial < 2; ++trial)
    {
        rslShapeDef shape = BoxShape(1.0, 0.1, 0.1);
        rslConstraintDef pin;
        rslBodyDef body = LatticeBody("bar", &shape, 0.0125);
        body.model.type = rsl_springModel;
        rslScene scene = CantileverOf(&body, &pin, 1e-3);
        body.material.young = trial == 0 ? 1e9 : 1e6;
        Run run = StartRun(&scene, StaticDef(1.0));
        Step(&run, 1);
        const rslAge* age = &run.solver->rest->age;
        rslRest rest = rslSolver_Rest(run.solver);
        assert_true(rest.residual <= 1e-8 && rest.newtonSteps > 1);
        assert_true(trial == 0 ? age->kept && age->failures == 0 : age->failures > 0);
        assert_proved(trial == 0 ? "bends little: iterations" : "bends far: iterations", rest.iterations,
                      trial == 0 ? 16 : 120);
        rslLinearSolve solve;
        assert_int_equal(rslSolver_Linear(run.solver, run.state, 1e-3, NULL, &solve), rsl_ok);
        assert_false(age->kept);
        EndRun(&run);
    }
}

// Little bodies under little weight move as the linear problem says; steps have none.
static void LinearSolvesAreTheFirstStep(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.0, 0.25, 0.25);
    rslConstraintDef pin;
    rslBodyDef body = LatticeBody("bar", &shape, 0.0625);
    body.model.type = rsl_springModel;
    rslScene scene = CantileverOf(&body, &pin, 1e-3);
    body.material.young = 1e11;
    Run run = StartRun(&scene, StaticDef(1.0));
    double* motion = calloc(3 * (size_t)run.model->nodeCount, sizeof(double));
    rslLinearSolve solve;
    assert_int_equal(rslSolver_Linear(run.solver, run.state, 1e-10, motion, &solve), rsl_ok);
    assert_true(solve.iterations > 0 && solve.residual <= 1e-10);
    Step(&run, 1);
    double largest = 0.0, worst = 0.0;
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        rslVec3 moved = rslSub(PositionOf(&run, i), WorldOf(run.model, i));
        rslVec3 told = { motion[3 * i], motion[3 * i + 1], motion[3 * i + 2] };
        largest = Worse(largest, rslLength(moved));
        worst = Worse(worst, rslLength(rslSub(moved, told)));
    }
    assert_true(largest > 0.0);
    assert_close(worst, 0.0, 1e-5 * largest);
    free(motion);
    rslState* single = NULL;
    assert_int_equal(rslState_Create(run.model, rsl_single, NULL, &single), rsl_ok);
    assert_int_equal(rslSolver_Linear(run.solver, single, 1e-8, NULL, &solve), rsl_mismatch);
    rslState_Free(single);
    assert_int_equal(rslSolver_Linear(run.solver, run.state, NAN, NULL, &solve), rsl_badInput);
    EndRun(&run);
    run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    assert_int_equal(rslSolver_Linear(run.solver, run.state, 1e-8, NULL, &solve), rsl_badInput);
    EndRun(&run);
}

// The same end whether it is reached in one increment or in eight, at a strain of about 20 %.
static void IncrementsEndAtTheSamePlace(void** unused)
{
    (void)unused;
    Stretch one = Pull(0.125, 0.2, 1), eight = Pull(0.125, 0.2, 8);
    assert_true(one.strain > 0.1);
    assert_close(one.young, eight.young, 1e-6 * one.young);
    assert_close(one.poisson, eight.poisson, 1e-6);
}

// Gripped at both ends, turned and pulled in one increment: nodes inside come along.
static void GripsMayMoveFar(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.0, 0.25, 0.25);
    rslBodyDef body = LatticeBody("bar", &shape, 0.0625);
    rslConstraintDef held[] = {
        PinOf(SideOf("bar", (rslVec3){ -0.49, 0, 0 }, (rslVec3){ -1, 0, 0 })),
        MoveBy(SideOf("bar", (rslVec3){ 0.49, 0, 0 }, (rslVec3){ 1, 0, 0 }), (rslVec3){ 0.2, 0.3, 0 }),
    };
    held[1].move.rotate = (rslRotationDef){ { 1, 0, 0 }, 60.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.constraints = held;
    scene.constraintCount = 2;
    Run run = StartRun(&scene, StaticDef(1.0));
    Step(&run, 1);
    rslVec3 left = rslSolver_Reaction(run.solver, run.state, 0), right = rslSolver_Reaction(run.solver, run.state, 1);
    assert_close(rslLength(rslAdd(left, right)), 0.0, 1e-6 * rslLength(left));
    assert_true(right.x > 0.0 && right.y > 0.0);
    EndRun(&run);
}

// Ends that are moved along x only: the block thins freely, its reaction is E A strain and its sides come in by nu.
static void EndsMovedAlongOneAxis(void** unused)
{
    (void)unused;
    const double strain = 1e-5;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.05);
    rslConstraintDef held[] = {
        PinOf(SideOf("bar", (rslVec3){ -0.2, 0, 0 }, (rslVec3){ -1, 0, 0 })),
        MoveBy(SideOf("bar", (rslVec3){ 0.2, 0, 0 }, (rslVec3){ 1, 0, 0 }), (rslVec3){ 0.4 * strain, 0, 0 }),
        PinOf(rslDefaultNodeSetDef()),
        PinOf(rslDefaultNodeSetDef()),
    };
    held[2].nodes.type = held[3].nodes.type = rsl_nearestNodes;
    held[2].nodes.point = (rslVec3){ -0.2, 0.0, 0.0 };
    held[3].nodes.point = (rslVec3){ -0.2, 0.1, 0.0 };
    const bool axes[4][3] = {
        { true, false, false }, { true, false, false }, { false, true, true }, { false, false, true }
    };
    for (int c = 0; c < 4; ++c)
    {
        memcpy(held[c].axes, axes[c], sizeof axes[c]);
    }
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.constraints = held;
    scene.constraintCount = 4;
    Run run = StartRun(&scene, StaticDef(1.0));
    Step(&run, 1);
    rslVec3 pull = rslSolver_Reaction(run.solver, run.state, 1);
    assert_close(pull.x / (body.material.young * 0.04 * strain), 1.0, 1e-4);
    assert_close(rslLength((rslVec3){ 0.0, pull.y, pull.z }), 0.0, 1e-6 * pull.x);
    rslNodeSetDef side = rslDefaultNodeSetDef();
    side.type = rsl_nearestNodes;
    side.point = (rslVec3){ 0.0, 0.1, 0.0 };
    int *nodes = NULL, count = 0;
    assert_int_equal(rslModel_Select(run.model, &side, &nodes, &count, NULL), rsl_ok);
    assert_close((0.1 - PositionOf(&run, nodes[0]).y) / (0.1 * strain), 0.25, 1e-4);
    rslModel_FreeNodes(run.model, nodes);
    EndRun(&run);
}

// Thick grips that hold one axis of the world, which is none of the lattice: on coarse levels whole nodes are free in two
// directions only, and askew.
static void GripsOfTurnedLattices(void** unused)
{
    (void)unused;
    int most = 0;
    for (int trial = 0; trial < (Sanitized() ? 2 : 6); ++trial)
    {
        rslShapeDef shape = BoxShape(trial % 2 == 0 ? 2.4 : 4.0, 1.0, 1.0);
        double grip = trial % 2 == 0 ? 0.4 : 1.2;
        rslBodyDef body = LatticeBody("bar", &shape, 0.1);
        body.network.orientation = (rslRotationDef){ { 0.4, -0.3, 0.7 }, 10.0 + 20.0 * (trial / 2) };
        rslConstraintDef held[] = {
            MoveBy(SideOf("bar", (rslVec3){ -grip, 0, 0 }, (rslVec3){ -1, 0, 0 }), (rslVec3){ 1e-7, 0, 0 }),
            MoveBy(SideOf("bar", (rslVec3){ grip, 0, 0 }, (rslVec3){ 1, 0, 0 }), (rslVec3){ -1e-7, 0, 0 }),
            PinAxes(Nearest("bar", (rslVec3){ 0, 0, 0 }), false, true, true),
            PinAxes(Nearest("bar", (rslVec3){ 0, 0.3, 0 }), false, false, true),
        };
        held[0].axes[1] = held[0].axes[2] = held[1].axes[1] = held[1].axes[2] = false;
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0 };
        scene.constraints = held;
        scene.constraintCount = 4;
        Run run = StartRun(&scene, StaticDef(1.0));
        Step(&run, 1);
        rslRest rest = rslSolver_Rest(run.solver);
        most = rest.iterations > most ? rest.iterations : most;
        EndRun(&run);
    }
    assert_proved("turned lattices gripped along one axis: iterations of all Newton steps", most, 25);
}

// Loads act with the value of their course at the end of each increment.
static void LoadsFollowTheirCourse(void** unused)
{
    (void)unused;
    static const double nodes[] = { 0, 0, 0, 0, 0, -1 }, mass[] = { 1.0 }, stiffness[] = { 100.0 };
    static const int springs[] = { 0, 1 }, top[] = { 0 }, bottom[] = { 1 };
    rslBodyDef body = NetworkBody("bob", nodes, 2, mass, springs, 1, stiffness);
    rslConstraintDef pin = PinOf(ListOf("bob", top, 1));
    rslLoadDef load = ForceOn(ListOf("bob", bottom, 1), (rslVec3){ 0, 0, -8.0 });
    load.course = RampOf(0.0, 1.0, false);
    rslScene scene = LoadedScene(&body, &pin, 1, &load);
    scene.gravity = (rslVec3){ 0 };
    Run run = StartRun(&scene, StaticDef(0.25));
    for (int i = 1; i <= 4; ++i)
    {
        Step(&run, 1);
        assert_close(PositionOf(&run, 1).z, -1.0 - 0.08 * i / 4, 1e-10);
    }
    EndRun(&run);
}

// Driven springs of a body that nothing resists: it grows by the strain, without stress.
static void DrivenBodyGrows(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    rslConstraintDef pins[] = {
        PinAxes(Nearest("block", (rslVec3){ -0.2, -0.1, -0.1 }), true, true, true),
        PinAxes(Nearest("block", (rslVec3){ 0.2, -0.1, -0.1 }), false, true, true),
        PinAxes(Nearest("block", (rslVec3){ -0.2, 0.1, -0.1 }), false, false, true),
    };
    rslDriveDef drive = rslDefaultDriveDef();
    drive.nodes = AllOf("block");
    drive.strain = 0.1;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.constraints = pins;
    scene.constraintCount = 3;
    scene.drives = &drive;
    scene.driveCount = 1;
    Run run = StartRun(&scene, StaticDef(1.0));
    Step(&run, 1);
    int last = run.model->nodeCount - 1;
    rslVec3 corner = { -0.2 + 1.1 * 0.4, -0.1 + 1.1 * 0.2, -0.1 + 1.1 * 0.2 };
    assert_close(Distance(PositionOf(&run, last), corner), 0.0, 1e-8);
    assert_at_most(rslSolver_Energy(run.solver, run.state).springs, 1e-12);
    EndRun(&run);
}

// A block under pressure from all sides shrinks as its bulk modulus says.
static void PressureShrinksByBulkModulus(void** unused)
{
    (void)unused;
    const double p = 10.0;
    rslShapeDef shape = BoxShape(0.4, 0.4, 0.4);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    rslConstraintDef pins[] = {
        PinAxes(Nearest("block", (rslVec3){ -0.2, -0.2, -0.2 }), true, true, true),
        PinAxes(Nearest("block", (rslVec3){ 0.2, -0.2, -0.2 }), false, true, true),
        PinAxes(Nearest("block", (rslVec3){ -0.2, 0.2, -0.2 }), false, false, true),
    };
    rslLoadDef load = rslDefaultLoadDef();
    load.type = rsl_pressureLoad;
    load.body = "block";
    load.pressure = p;
    rslScene scene = LoadedScene(&body, pins, 3, &load);
    scene.gravity = (rslVec3){ 0 };
    Run run = StartRun(&scene, StaticDef(1.0));
    double before = rslSolver_Motion(run.solver, run.state, 0).volume;
    Step(&run, 1);
    double after = rslSolver_Motion(run.solver, run.state, 0).volume;
    assert_close((before - after) / before * run.model->bodies[0].bulk / p, 1.0, 0.03);  // corners dent
    EndRun(&run);
}

// On the ground, held sideways: the ground carries it.
static void GroundCarriesTheWeight(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.2, 0.2, 0.2);
    shape.translate = (rslVec3){ 0, 0, 0.1 };
    rslBodyDef body = LatticeBody("block", &shape, 0.05);
    rslConstraintDef pins[] = {
        PinAxes(Nearest("block", (rslVec3){ -0.1, -0.1, 0.0 }), true, true, false),
        PinAxes(Nearest("block", (rslVec3){ 0.1, -0.1, 0.0 }), false, true, false),
    };
    rslScene scene = SceneOf(&body, 1);
    scene.ground = rslDefaultGroundDef();
    scene.constraints = pins;
    scene.constraintCount = 2;
    Run run = StartRun(&scene, StaticDef(1.0));
    Step(&run, 1);
    double lift = 0.0;
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        double z = PositionOf(&run, i).z;
        lift -= z < 0.0 ? run.model->colliders[0].stiffness[i] * z : 0.0;
    }
    assert_close(lift, run.model->bodies[0].mass * 9.81, 1e-6 * lift);
    EndRun(&run);
}

// ---- no rest --------------------------------------------------------------------------------------------------------

static void MissingConstraintsAreNamed(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    rslConstraintDef pins[2] = { PinAxes(SideOf("bar", (rslVec3){ -0.19, 0, 0 }, (rslVec3){ -1, 0, 0 }), true, false,
                                         false) };
    rslScene scene = SceneOf(&body, 1);
    rslSolverDef def = StaticDef(1.0);
    def.place = (rslPlace){ 7, 3 };
    rslReport report = { 0 };
    assert_int_equal(CreateOnly(&scene, def, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, def.place, "6 motions"));
    assert_true(HasMessage(&report, rsl_error, def.place, "shifts along x, y and z, turns about x, y and z"));
    scene.constraints = pins;
    scene.constraintCount = 1;
    report = (rslReport){ 0 };
    assert_int_equal(CreateOnly(&scene, def, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, def.place, "3 motions"));
    assert_true(HasMessage(&report, rsl_error, def.place, "turn about x"));
    pins[1] = PinOf(Nearest("bar", (rslVec3){ 0.2, 0.1, 0.1 }));
    scene.constraintCount = 2;
    report = (rslReport){ 0 };
    assert_int_equal(CreateOnly(&scene, def, &report), rsl_ok);
    assert_true(HasMessage(&report, rsl_warning, def.place, "1 motion of"));
    pins[0] = PinOf(SideOf("bar", (rslVec3){ -0.19, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    scene.constraintCount = 1;
    report = (rslReport){ 0 };
    assert_int_equal(CreateOnly(&scene, def, &report), rsl_ok);
    assert_int_equal(report.count, 0);
    def.precision = rsl_single;
    assert_int_equal(CreateOnly(&scene, def, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, def.place, "precision: double"));
}

// A straight column under a load along its axis is at rest, but beyond Euler's load not for long.
static void ColumnBuckles(void** unused)
{
    (void)unused;
    for (int heavy = 0; heavy < 2; ++heavy)
    {
        rslShapeDef shape = BoxShape(0.2, 0.2, 2.0);
        rslBodyDef body = LatticeBody("column", &shape, 0.1);
        rslConstraintDef pin = PinOf(SideOf("column", (rslVec3){ 0, 0, -0.99 }, (rslVec3){ 0, 0, -1 }));
        double euler = 9.8696 * 1e5 * (0.2 * 0.2 * 0.2 * 0.2 / 12.0) / (4.0 * 2.0 * 2.0);  // pi^2 E I / 4 L^2
        rslLoadDef load = ForceOn(SideOf("column", (rslVec3){ 0, 0, 0.99 }, (rslVec3){ 0, 0, 1 }),
                                  (rslVec3){ 0, 0, -(heavy ? 1.5 : 0.7) * euler });
        rslScene scene = LoadedScene(&body, &pin, 1, &load);
        scene.gravity = (rslVec3){ 0 };
        Run run = StartRun(&scene, StaticDef(1.0));
        rslStatus status = rslSolver_Step(run.solver, run.state, 1);
        rslRest rest = rslSolver_Rest(run.solver);
        assert_int_equal(status, heavy ? rsl_notConverged : rsl_ok);
        assert_int_equal(rest.outcome, heavy ? rsl_restUnstable : rsl_restFound);
        assert_true(!heavy || PositionOf(&run, rest.node).z > 0.7);  // its top goes sideways
        EndRun(&run);
    }
}

// A tolerance below rounding is not met, and that is what is said; the state before is kept.
static void WhatIsNotReachedIsSaid(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.2, 0.2, 0.4);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    rslConstraintDef pin = PinOf(SideOf("block", (rslVec3){ 0, 0, 0.15 }, (rslVec3){ 0, 0, 1 }));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    rslSolverDef def = StaticDef(1.0);
    def.tolerance = 1e-30;
    Run run = StartRun(&scene, def);
    assert_int_equal(rslSolver_Step(run.solver, run.state, 1), rsl_notConverged);
    rslRest rest = rslSolver_Rest(run.solver);
    assert_true(rest.outcome == rsl_restNoDescent || rest.outcome == rsl_restNoEnd);
    assert_at_most(rest.residual, 1e-9);
    assert_int_equal(rslSolver_LastGood(run.solver)->stepCount, 0);
    EndRun(&run);
}

static bool StopAfter(void* user)
{
    int* left = user;
    return (*left)-- <= 0;
}

// Stopped in the second increment: the state is that of the first, and what follows ends as if nothing had been.
static void StoppedSolveGoesOn(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.0, 0.2, 0.2);
    rslConstraintDef pin;
    rslBodyDef body = LatticeBody("bar", &shape, 0.05);
    rslScene scene = CantileverOf(&body, &pin, 1e-3);
    rslLoadDef load = ForceOn(SideOf("bar", (rslVec3){ 0.49, 0, 0 }, (rslVec3){ 1, 0, 0 }), (rslVec3){ 0, 0, -5.0 });
    load.course = RampOf(0.0, 2.0, false);
    scene.loads = &load;
    scene.loadCount = 1;
    Run undisturbed = StartRun(&scene, StaticDef(1.0));
    Step(&undisturbed, 2);
    int most = 1;
    for (int after = 0; after < most; after += Sanitized() ? 3 : 1)
    {
        int left = 1000;
        rslSolverDef def = StaticDef(1.0);
        def.stop = StopAfter;
        def.stopUser = &left;
        Run run = StartRun(&scene, def);
        Step(&run, 1);
        uint64_t first = rslState_Hash(run.state);
        left = after;
        assert_int_equal(rslSolver_Step(run.solver, run.state, 1), rsl_stopped);
        assert_int_equal(rslSolver_Rest(run.solver).outcome, rsl_restStopped);
        assert_true(rslState_Hash(run.state) == first && run.state->stepCount == 1);
        left = 1000;
        Step(&run, 1);
        assert_true(rslState_Hash(run.state) == rslState_Hash(undisturbed.state));
        most = 1000 - left < 8 ? 1000 - left : 8;
        EndRun(&run);
    }
    EndRun(&undisturbed);
    assert_true(most > 3);
}

// ---- bits and memory ------------------------------------------------------------------------------------------------

static void ThreadsDoNotChangeABit(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.0, 0.2, 0.2);
    rslConstraintDef pin;
    rslBodyDef body = LatticeBody("bar", &shape, 0.025);
    rslScene scene = CantileverOf(&body, &pin, 1e-3);
    CheckThreads(&scene, "multigrid");
}

static void EveryAllocationMayFail(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.0, 0.2, 0.2);
    rslConstraintDef pin;
    rslBodyDef body = LatticeBody("bar", &shape, 0.05);
    rslScene scene = CantileverOf(&body, &pin, 1e-3);
    FailEveryAllocation(&scene, StaticDef(1.0), 2);
}

// Networks of a few nodes have an incomplete factorisation.
static void SmallNetworksConverge(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(3.0, 1.0, 1.0);
    rslBodyDef body = LatticeBody("body", &shape, 0.1);
    body.network = rslDefaultNetworkDef();
    body.network.type = rsl_randomNetwork;
    body.network.minLength = 0.24;
    body.network.maxLength = 0.5;
    body.surface.enabled = false;
    rslConstraintDef pin = PinOf(SideOf("body", (rslVec3){ -1.2, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, StaticDef(1.0));
    int iterations = rslStatic_SolveLinear(run.solver->rest, run.state, 1e-8);
    assert_true(iterations > 0);
    assert_string_equal(rslStatic_Preconditioner(run.solver->rest), "incomplete Cholesky");
    assert_proved("incomplete Cholesky, small random network, CG iterations to 1e-8", iterations, 50);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SpringSagsByForceOverStiffness),
        cmocka_unit_test(PendulumHangsDown),
        cmocka_unit_test(ReactionIsTheWeight),
        cmocka_unit_test(CornerLatticeHasItsModuli),
        cmocka_unit_test(SlenderBarsBendInFewSteps),
        cmocka_unit_test(PreconditionersAreKept),
        cmocka_unit_test(LinearSolvesAreTheFirstStep),
        cmocka_unit_test(IncrementsEndAtTheSamePlace),
        cmocka_unit_test(GripsMayMoveFar),
        cmocka_unit_test(EndsMovedAlongOneAxis),
        cmocka_unit_test(GripsOfTurnedLattices),
        cmocka_unit_test(LoadsFollowTheirCourse),
        cmocka_unit_test(DrivenBodyGrows),
        cmocka_unit_test(PressureShrinksByBulkModulus),
        cmocka_unit_test(GroundCarriesTheWeight),
        cmocka_unit_test(MissingConstraintsAreNamed),
        cmocka_unit_test(ColumnBuckles),
        cmocka_unit_test(WhatIsNotReachedIsSaid),
        cmocka_unit_test(StoppedSolveGoesOn),
        cmocka_unit_test(ThreadsDoNotChangeABit),
        cmocka_unit_test(EveryAllocationMayFail),
        cmocka_unit_test(SmallNetworksConverge),
    };
    return cmocka_run_group_tests_name("static", tests, NULL, NULL);
}
