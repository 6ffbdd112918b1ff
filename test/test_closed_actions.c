// SPDX-License-Identifier: MIT
//
// test_closed_actions.c: loads, held nodes, links, muscles and the ground, where their effect is known on paper.

#include "closed_forms.h"

// ---- loads --------------------------------------------------------------------------------------------------------------

static void TestConstantLoads(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.2, 0.2, 0.2);
    rslBodyDef body = LatticeBody("a", &box, 0.1);
    body.surface.enabled = false;
    rslLoadDef loads[3] = { ForceOn(AllOf("a"), (rslVec3){ 8.0, 0.0, 0.0 }),
                            ForceOn(AllOf("a"), (rslVec3){ 0.0, 2.0, 0.0 }), rslDefaultLoadDef() };
    loads[1].each = true;
    loads[2].type = rsl_accelerationLoad;
    loads[2].nodes = AllOf("a");
    loads[2].acceleration = (rslVec3){ 0.0, 0.0, 9.81 + 3.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.loads = loads;
    scene.loadCount = 3;
    for (int i = rsl_positionVerlet; i <= rsl_velocityVerlet; ++i)
    {
        Run run = StartRun(&scene, SolverDef((rslIntegrator)i, 0x1p-9));
        Step(&run, 512);
        rslMotion motion = rslSolver_Motion(run.solver, run.state, -1);
        assert_close(motion.mass, 8.0, 1e-12);
        assert_close(motion.centre.x, 0.5 * 8.0 / 8.0, 1e-11);
        assert_close(motion.centre.y, 0.5 * 2.0 * 27.0 / 8.0, 1e-11);
        assert_close(motion.centre.z, 0.5 * 3.0, 1e-11);
        assert_close(motion.momentum.x, 8.0, 1e-11);
        EndRun(&run);
    }
}

// The momentum that a course gives in two seconds, by either Verlet.
static double Impulse(rslCourseDef course, rslIntegrator integrator, double step)
{
    double nodes[3] = { 0, 0, 0 }, mass = 3.0;
    rslBodyDef body = NetworkBody("a", nodes, 1, &mass, NULL, 0, NULL);
    rslLoadDef load = ForceOn(AllOf("a"), (rslVec3){ 1.0, 0.0, 0.0 });
    load.course = course;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = still;
    scene.loads = &load;
    scene.loadCount = 1;
    Run run = StartRun(&scene, SolverDef(integrator, step));
    Step(&run, (int64_t)(2.0 / step));
    double momentum = rslSolver_Motion(run.solver, run.state, -1).momentum.x;
    EndRun(&run);
    return momentum;
}

static void TestCourses(void** state)
{
    (void)state;
    const double points[8] = { 0.25, 1.0, 0.5, 3.0, 1.0, -1.0, 1.5, 2.0 };
    rslCourseDef table = rslDefaultCourseDef(), sine = rslDefaultCourseDef();
    table.type = rsl_tableCourse;
    table.points = points;
    table.pointCount = 4;
    sine.type = rsl_sineCourse;
    sine.start = 0.25;
    sine.frequency = 0.7;
    sine.phase = 30.0;
    double q = 2.0 * PI * 0.7, phase = PI / 6.0;
    const struct
    {
        rslCourseDef course;
        double integral;
        double bound;  // of the error, at a step of 2^-8: none for straight courses with corners on steps
    } cases[] = {
        { rslDefaultCourseDef(), 2.0, 1e-12 },
        { RampOf(0.5, 1.0, false), 1.0, 1e-12 },
        { RampOf(0.5, 1.0, true), 1.0, 1e-12 },
        { table, 0.25 + 0.5 + 0.5 + 0.25 + 1.0, 1e-12 },
        { PulseOf(0.25, 1.5, true), 1.5 * 8.0 / 15.0, 1e-6 },
        { sine, (cos(phase) - cos(q * 1.75 + phase)) / q, 1e-3 },
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
    {
        assert_close(Impulse(cases[c].course, rsl_positionVerlet, 0x1p-8), cases[c].integral, cases[c].bound);
        assert_close(Impulse(cases[c].course, rsl_velocityVerlet, 0x1p-8), cases[c].integral, cases[c].bound);
    }
    // a sine that starts at its phase jumps there: the middle rule does not see it, the trapezoid sees half a step of it
    double integral = cases[5].integral;
    assert_close(Impulse(sine, rsl_positionVerlet, 0x1p-8), integral, 1e-5);
    assert_close(Impulse(sine, rsl_velocityVerlet, 0x1p-8), integral + 0.5 * 0x1p-8 * 0.5, 1e-5);
    assert_close(Impulse(PulseOf(0.25, 1.5, false), rsl_positionVerlet, 0x1p-8), 1.5, 1e-12);
    assert_close(Impulse(PulseOf(0.25, 1.5, false), rsl_velocityVerlet, 0x1p-8), 1.5, 1e-12);
    // the Eulers take the left end of each step
    assert_close(Impulse(RampOf(0.5, 1.0, false), rsl_forwardEuler, 0x1p-8), 1.0 - 0.5 * 0x1p-8, 1e-12);
    assert_close(Impulse(RampOf(0.5, 1.0, false), rsl_symplecticEuler, 0x1p-8), 1.0 - 0.5 * 0x1p-8, 1e-12);
}

// Pressure p on a closed surface: no net force, no net torque, sum of f.x = -3 p V, all of it inwards.
static void TestPressure(void** state)
{
    (void)state;
    rslShapeDef sphere = rslDefaultShapeDef();
    sphere.type = rsl_sphereShape;
    sphere.radius = 0.5;
    sphere.translate = (rslVec3){ 2.0, 1.0, 0.5 };
    rslBodyDef body = LatticeBody("ball", &sphere, 0.1);
    rslLoadDef load = rslDefaultLoadDef();
    load.type = rsl_pressureLoad;
    load.body = "ball";
    load.pressure = 1000.0;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = still;
    scene.loads = &load;
    scene.loadCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    int count = run.model->nodeCount;
    double* forces = calloc((size_t)count, 3 * sizeof(double));
    rslSolver_Fields(run.solver, run.state, forces, NULL, NULL);
    rslVec3 sum = still, torque = still;
    double virial = 0.0, inwards = 0.0;
    for (int i = 0; i < count; ++i)
    {
        rslVec3 f = { forces[3 * i], forces[3 * i + 1], forces[3 * i + 2] };
        rslVec3 x = rslSub(PositionOf(&run, i), sphere.translate);
        sum = rslAdd(sum, f);
        torque = rslAdd(torque, rslCross(x, f));
        virial += rslDot(x, f);
        inwards -= rslLength(x) > 0.0 ? rslDot(x, f) / rslLength(x) : 0.0;
    }
    double volume = rslSolver_Motion(run.solver, run.state, 0).volume;
    assert_close(rslLength(sum), 0.0, 1e-9);
    assert_close(rslLength(torque), 0.0, 1e-9);
    assert_close(virial, -3.0 * 1000.0 * volume, 1e-8);
    assert_close(volume, 4.0 / 3.0 * PI * 0.125, 0.02);
    assert_close(inwards, 1000.0 * 4.0 * PI * 0.25, 0.1 * 1000.0 * PI);
    // squeezed, it gets smaller: dV / V = -p / K, K = 2/3 E
    Step(&run, 5);
    assert_true(rslSolver_Motion(run.solver, run.state, 0).volume < volume);
    free(forces);
    EndRun(&run);
}

// ---- held nodes -----------------------------------------------------------------------------------------------------------

static void TestMotion(void** state)
{
    (void)state;
    double nodes[12] = { 1, 0, 0, 2, 0, 0, 1, 1, 0, 1, 0, 1 }, mass = 1.0, stiffness = 100.0;
    int springs[6] = { 0, 1, 0, 2, 0, 3 }, held[4] = { 0, 1, 2, 3 };
    rslBodyDef body = NetworkBody("a", nodes, 4, &mass, springs, 3, &stiffness);
    for (int i = 0; i < rsl_static; ++i)
    {
        rslConstraintDef motion = rslDefaultConstraintDef();
        motion.type = rsl_motionConstraint;
        motion.nodes = ListOf("a", held, 4);
        motion.move.course = RampOf(0.1, 0.3, true);
        rslScene scene = SceneOf(&body, 1);
        scene.constraints = &motion;
        scene.constraintCount = 1;

        motion.move.translate = (rslVec3){ 0.5, -0.25, 1.0 };
        Run run = StartRun(&scene, SolverDef((rslIntegrator)i, 1e-3));
        Step(&run, 250);  // half-way
        assert_close(PositionOf(&run, 1).x, 2.25, 1e-12);
        assert_close(VelocityOf(&run, 1).x, 0.5 * 1.5 / 0.3, 1e-4);
        Step(&run, 250);
        assert_close(Distance(PositionOf(&run, 1), (rslVec3){ 2.5, -0.25, 1.0 }), 0.0, 1e-14);
        assert_close(rslLength(VelocityOf(&run, 1)), 0.0, 1e-14);
        EndRun(&run);

        motion.move.translate = (rslVec3){ 0.0, 0.0, 0.5 };
        motion.move.rotate = (rslRotationDef){ { 0, 0, 2.0 }, 450.0 };
        motion.move.centre = (rslVec3){ 1.0, 0.0, 0.0 };
        run = StartRun(&scene, SolverDef((rslIntegrator)i, 1e-3));
        Step(&run, 500);
        assert_close(Distance(PositionOf(&run, 1), (rslVec3){ 1.0, 1.0, 0.5 }), 0.0, 1e-13);
        assert_close(Distance(PositionOf(&run, 2), (rslVec3){ 0.0, 0.0, 0.5 }), 0.0, 1e-13);
        assert_close(Distance(PositionOf(&run, 3), (rslVec3){ 1.0, 0.0, 1.5 }), 0.0, 1e-13);
        EndRun(&run);

        const double path[12] = { 0.1, 0, 0, 0, 0.2, 1, 2, 3, 0.4, -1, 0, 1 };
        motion.move.translate = still;
        motion.move.rotate.angle = 0.0;
        motion.move.path = path;
        motion.move.pathCount = 3;
        run = StartRun(&scene, SolverDef((rslIntegrator)i, 1e-3));
        Step(&run, 150);
        assert_close(Distance(PositionOf(&run, 0), (rslVec3){ 1.5, 1.0, 1.5 }), 0.0, 1e-12);
        assert_close(Distance(VelocityOf(&run, 0), (rslVec3){ 10.0, 20.0, 30.0 }), 0.0, 1e-9);
        Step(&run, 150);
        assert_close(Distance(PositionOf(&run, 0), (rslVec3){ 1.0, 1.0, 2.0 }), 0.0, 1e-12);
        Step(&run, 200);
        assert_close(Distance(PositionOf(&run, 0), (rslVec3){ 0.0, 0.0, 1.0 }), 0.0, 1e-14);
        EndRun(&run);
    }
}

// A cube hangs by its top; damped to rest, what holds it is its weight. Under a motion, likewise, wherever it went.
static void TestHangingBlock(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.4, 0.4, 0.4);
    rslBodyDef body = LatticeBody("a", &box, 0.1);
    body.surface.enabled = false;
    body.material.massDamping = 20.0;
    body.material.stiffnessDamping = 1e-3;
    rslConstraintDef hold = PinOf(SideOf("a", (rslVec3){ 0, 0, 0.19 }, (rslVec3){ 0, 0, 1 }));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &hold;
    scene.constraintCount = 1;
    double weight = 64.0 * 9.81;
    for (int moving = 0; moving < 2; ++moving)
    {
        hold.type = moving ? rsl_motionConstraint : rsl_pinConstraint;
        hold.move.translate = (rslVec3){ 0.3, 0.0, 0.2 };
        hold.move.rotate.angle = 90.0;
        hold.move.course = RampOf(0.0, 0.2, true);
        Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
        Step(&run, (int64_t)(3.0 / rslSolver_Stability(run.solver).step));
        rslVec3 reaction = rslSolver_Reaction(run.solver, run.state, 0);
        assert_close(reaction.x, 0.0, 1e-4 * weight);
        assert_close(reaction.y, 0.0, 1e-4 * weight);
        assert_close(reaction.z, weight, 1e-4 * weight);
        EndRun(&run);
    }
}

static void TestPinsByAxis(void** state)
{
    (void)state;
    double nodes[9] = { 0, 0, 0, 1, 0, 0, 2, 0, 0 }, mass = 1.0;
    rslBodyDef body = NetworkBody("a", nodes, 3, &mass, NULL, 0, NULL);
    int first[1] = { 0 }, second[1] = { 1 };
    rslConstraintDef pins[2] = { PinOf(ListOf("a", first, 1)), PinOf(ListOf("a", second, 1)) };
    pins[0].axes[2] = false;
    pins[1].axes[0] = pins[1].axes[1] = false;
    rslLoadDef push = ForceOn(AllOf("a"), (rslVec3){ 3.0, 6.0, 0.0 });
    rslScene scene = LoadedScene(&body, pins, 2, &push);
    for (int i = rsl_positionVerlet; i <= rsl_velocityVerlet; ++i)
    {
        Run run = StartRun(&scene, SolverDef((rslIntegrator)i, 0x1p-9));
        Step(&run, 512);
        assert_close(Distance(PositionOf(&run, 0), (rslVec3){ 0.0, 0.0, -0.5 * 9.81 }), 0.0, 1e-11);
        assert_close(Distance(PositionOf(&run, 1), (rslVec3){ 1.5, 1.0, 0.0 }), 0.0, 1e-11);
        assert_close(Distance(PositionOf(&run, 2), (rslVec3){ 2.5, 1.0, -0.5 * 9.81 }), 0.0, 1e-11);
        rslVec3 reaction = rslSolver_Reaction(run.solver, run.state, 0);
        assert_close(Distance(reaction, (rslVec3){ -1.0, -2.0, 0.0 }), 0.0, 1e-12);
        EndRun(&run);
    }
}

// ---- between bodies -----------------------------------------------------------------------------------------------------

// Two masses joined by a spring link: w^2 = k (1 / m1 + 1 / m2), about the rest length.
static void TestSpringLink(void** state)
{
    (void)state;
    double at[2][3] = { { 0, 0, 0 }, { 1, 0, 0 } }, masses[2] = { 1.0, 3.0 };
    rslBodyDef bodies[2] = { NetworkBody("a", at[0], 1, &masses[0], NULL, 0, NULL),
                             NetworkBody("b", at[1], 1, &masses[1], NULL, 0, NULL) };
    rslLinkDef link = rslDefaultLinkDef();
    link.type = rsl_springLink;
    link.from = AllOf("a");
    link.to = AllOf("b");
    link.stiffness = 300.0;
    link.restLength = 0.9;
    rslScene scene = SceneOf(bodies, 2);
    scene.gravity = still;
    scene.links = &link;
    scene.linkCount = 1;
    double w = sqrt(300.0 * (1.0 + 1.0 / 3.0)), step = 0.01;
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, step));
    for (int n = 1; n <= 2000; ++n)
    {
        Step(&run, 1);
        double length = PositionOf(&run, 1).x - PositionOf(&run, 0).x;
        assert_close(length, 0.9 + 0.1 * cos(n * Phase(w, step)), 1e-13 * (n + 10));
    }
    assert_close(rslSolver_Stability(run.solver).stableStep, 2.0 / w, 1e-6 / w);
    EndRun(&run);
}

// Two cubes, the lower one tied below the upper one, which hangs: the ties carry the lower weight, the pins both.
static void TestTies(void** state)
{
    (void)state;
    rslShapeDef upper = BoxShape(0.3, 0.3, 0.3), lower = BoxShape(0.3, 0.3, 0.3);
    lower.translate = (rslVec3){ 0.0, 0.0, -0.3 };
    rslBodyDef bodies[2] = { LatticeBody("up", &upper, 0.1), LatticeBody("down", &lower, 0.1) };
    for (int b = 0; b < 2; ++b)
    {
        bodies[b].surface.enabled = false;
        bodies[b].material.massDamping = 20.0;
        bodies[b].material.stiffnessDamping = 1e-3;
    }
    rslLinkDef tie = rslDefaultLinkDef();
    tie.type = rsl_tieLink;
    tie.from = SideOf("down", (rslVec3){ 0, 0, -0.16 }, (rslVec3){ 0, 0, 1 });
    tie.to = AllOf("up");
    tie.damping = 1.0;
    rslConstraintDef pin = PinOf(SideOf("up", (rslVec3){ 0, 0, 0.14 }, (rslVec3){ 0, 0, 1 }));
    rslScene scene = SceneOf(bodies, 2);
    scene.links = &tie;
    scene.linkCount = 1;
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    assert_int_equal(run.model->linkCount, 16);
    Step(&run, (int64_t)(3.0 / rslSolver_Stability(run.solver).step));
    rslVec3 pull = still;
    for (int l = 0; l < run.model->linkCount; ++l)
    {
        const rslLink* link = &run.model->links[l];
        rslVec3 d = still;
        for (int j = 0; j < link->nodeCount; ++j)
        {
            d = rslMulAdd(d, link->weights[j], PositionOf(&run, link->nodes[j]));
        }
        assert_close(link->restLength, 0.0, 0.0);
        pull = rslMulAdd(pull, -link->stiffness, d);
    }
    double weight = 27.0 * 9.81;
    assert_close(Distance(pull, (rslVec3){ 0, 0, weight }), 0.0, 1e-4 * weight);
    assert_close(rslSolver_Reaction(run.solver, run.state, 0).z, 2.0 * weight, 2e-4 * weight);
    EndRun(&run);
}

// ---- muscles ------------------------------------------------------------------------------------------------------------

static void TestMuscle(void** state)
{
    (void)state;
    for (int i = 0; i < rsl_static; ++i)
    {
        Hanging h;
        MakeHanging(&h, 2.0, 800.0, 40.0);
        rslDriveDef drive = rslDefaultDriveDef();
        drive.nodes = AllOf("a");
        drive.strain = -0.2;
        drive.direction = (rslVec3){ 0.2, 0.0, 1.0 };
        drive.course = RampOf(0.1, 0.2, true);
        h.scene.drives = &drive;
        h.scene.driveCount = 1;
        Run run = StartRun(&h.scene, SolverDef((rslIntegrator)i, 2e-3));
        Step(&run, 2000);
        assert_close(PositionOf(&run, 1).z, -0.8 - 2.0 * 9.81 / 800.0, 1e-9);
        EndRun(&run);
    }
}

// All springs of a free block grow by a tenth: it does too. Those along x only: as free thermal strain of one family.
static void TestDrivenBlock(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.4, 0.3, 0.2);
    rslBodyDef body = LatticeBody("a", &box, 0.1);
    body.surface.enabled = false;
    body.material.stiffnessDamping = 2e-3;
    body.material.massDamping = 5.0;
    rslDriveDef drive = rslDefaultDriveDef();
    drive.nodes = AllOf("a");
    drive.strain = 0.1;
    drive.course = RampOf(0.0, 0.1, true);
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = still;
    scene.drives = &drive;
    scene.driveCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    Step(&run, (int64_t)(6.0 / rslSolver_Stability(run.solver).step));
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        assert_close(Distance(PositionOf(&run, i), rslScale(1.1, WorldOf(run.model, i))), 0.0, 1e-6);
    }
    EndRun(&run);
}

// ---- ground and plane ---------------------------------------------------------------------------------------------------

// A cube settles on the ground, which then carries its weight: sum of k d over the sunken nodes.
static void TestGround(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.4, 0.4, 0.4);
    box.translate = (rslVec3){ 0.0, 0.0, 0.25 };
    rslBodyDef body = LatticeBody("a", &box, 0.1);
    body.surface.enabled = false;
    body.material.stiffnessDamping = 3e-3;
    body.material.massDamping = 5.0;
    rslScene scene = SceneOf(&body, 1);
    scene.ground = rslDefaultGroundDef();
    scene.touch.scheme = rsl_penaltyScheme;
    for (int single = 0; single < 2; ++single)
    {
        rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
        def.precision = single ? rsl_single : rsl_double;
        Run run = StartRun(&scene, def);
        Step(&run, (int64_t)(6.0 / rslSolver_Stability(run.solver).step));
        double push = 0.0, weight = 64.0 * 9.81;
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            double z = PositionOf(&run, i).z;
            push -= z < 0.0 ? run.model->colliders[0].stiffness[i] * z : 0.0;
        }
        assert_close(push, weight, (single ? 1e-3 : 1e-5) * weight);
        assert_close(rslLength(rslSolver_Motion(run.solver, run.state, 0).momentum), 0.0, 1e-3);
        EndRun(&run);
    }
}

// A sheet in a 2D scene stays in its plane and keeps the sign of its area.
static void TestPlane(void** state)
{
    (void)state;
    rslBodyDef body = GridBody("a", 0.6, 0.4, 6, 4);
    body.spin = (rslVec3){ 0.0, 0.0, 90.0 };
    body.velocity = (rslVec3){ 1.0, 2.0, 0.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0.0, -9.81, 0.0 };
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    assert_close(rslSolver_Motion(run.solver, run.state, 0).volume, 0.24, 1e-14);
    // also when the host pushes it out
    double* push = calloc((size_t)run.model->nodeCount, 3 * sizeof(double));
    push[2] = 0.1;
    rslSolver_SetForces(run.solver, push);
    Step(&run, 100);
    rslSolver_SetForces(run.solver, NULL);
    assert_close(run.state->account.loads, 0.0, 0.0);
    free(push);
    Step(&run, 2900);
    double t = TimeOf(&run);
    rslMotion motion = rslSolver_Motion(run.solver, run.state, 0);
    assert_close(motion.centre.x, t, 1e-11);
    assert_close(motion.centre.y, 2.0 * t - 0.5 * 9.81 * t * t, 1e-10);
    assert_close(motion.volume, 0.24, 0.24 * 0.01);
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        assert_close(PositionOf(&run, i).z, 0.0, 0.0);
        assert_close(VelocityOf(&run, i).z, 0.0, 0.0);
    }
    // turned over, the area is negative
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        rslVec3 x = WorldOf(run.model, i);
        SetNode(&run, i, (rslVec3){ -x.x, x.y, 0.0 }, still);
    }
    assert_close(rslSolver_Motion(run.solver, run.state, 0).volume, -0.24, 1e-12);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestConstantLoads), cmocka_unit_test(TestCourses),      cmocka_unit_test(TestPressure),
        cmocka_unit_test(TestMotion),        cmocka_unit_test(TestHangingBlock), cmocka_unit_test(TestPinsByAxis),
        cmocka_unit_test(TestSpringLink),    cmocka_unit_test(TestTies),         cmocka_unit_test(TestMuscle),
        cmocka_unit_test(TestDrivenBlock),   cmocka_unit_test(TestGround),       cmocka_unit_test(TestPlane),
    };
    return cmocka_run_group_tests_name("closed forms of what acts", tests, NULL, NULL);
}
