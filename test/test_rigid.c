// SPDX-License-Identifier: MIT
//
// test_rigid.c: bodies that move as one: their mass and inertia, free flight, forces, and what they are held by.

#include "physics_fixture.h"

#include "inertia.h"
#include "top.h"

static rslBodyDef RigidBody(const char* name, const rslShapeDef* shape, double spacing)
{
    rslBodyDef body = LatticeBody(name, shape, spacing);
    body.model.type = rsl_rigidModel;
    return body;
}

// J of a rigid body at rest, world axes.
static rslSymmetric TensorOf(const rslModel* model, int rigid)
{
    const rslRigid* r = &model->rigids[rigid];
    rslFrame frame = model->bodies[r->body].frame;
    rslVec3 x = rslTop_Times(r, &frame, (rslVec3){ 1.0, 0.0, 0.0 });
    rslVec3 y = rslTop_Times(r, &frame, (rslVec3){ 0.0, 1.0, 0.0 });
    rslVec3 z = rslTop_Times(r, &frame, (rslVec3){ 0.0, 0.0, 1.0 });
    return (rslSymmetric){ x.x, y.y, z.z, y.z, z.x, x.y };
}

static double Apart(rslSymmetric a, rslSymmetric b)
{
    const double *p = &a.xx, *q = &b.xx;
    double worst = 0.0, size = fabs(a.xx) + fabs(a.yy) + fabs(a.zz);
    for (int i = 0; i < 6; ++i)
    {
        worst = Worse(worst, fabs(p[i] - q[i]) / size);
    }
    return worst;
}

// ---- mass and inertia -----------------------------------------------------------------------------------------------

typedef struct Solid
{
    rslShapeDef shape;
    double volume;
    double second[3];  // mean squares along its own axes
} Solid;

// Closed forms by hand, independent of inertia.c.
static int Solids(Solid* out)
{
    int n = 0;
    out[n++] = (Solid){ BoxShape(0.3, 0.2, 0.1), 0.006, { 0.09 / 12.0, 0.04 / 12.0, 0.01 / 12.0 } };
    out[n++] = (Solid){ BallShape(0.1), 4.0 / 3.0 * PI * 1e-3, { 0.002, 0.002, 0.002 } };
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_ellipsoidShape;
    shape.radii = (rslVec3){ 0.1, 0.15, 0.2 };
    out[n++] = (Solid){ shape, 4.0 / 3.0 * PI * 0.003, { 0.01 / 5.0, 0.0225 / 5.0, 0.04 / 5.0 } };
    shape = rslDefaultShapeDef();
    shape.type = rsl_cylinderShape;
    shape.radius = 0.1;
    shape.height = 0.4;
    out[n++] = (Solid){ shape, PI * 0.01 * 0.4, { 0.0025, 0.0025, 0.16 / 12.0 } };
    // a capsule: M_c, M_h each half; J about z and x from tables: z = M_c R^2/2 + 2 M_h 2/5 R^2
    shape.type = rsl_capsuleShape;
    double R = 0.1, H = 0.4, c = PI * R * R * H, h = 2.0 / 3.0 * PI * R * R * R;
    double zz = (c * R * R / 2.0 + 2.0 * h * 0.4 * R * R) / (c + 2.0 * h);
    double xx =
        (c * (H * H / 12.0 + R * R / 4.0) + 2.0 * h * (0.4 * R * R + H * H / 4.0 + 3.0 / 8.0 * H * R)) / (c + 2.0 * h);
    out[n++] = (Solid){ shape, c + 2.0 * h, { 0.5 * zz, 0.5 * zz, xx - 0.5 * zz } };
    shape = rslDefaultShapeDef();
    shape.type = rsl_torusShape;
    shape.radius = 0.2;
    shape.tubeRadius = 0.06;
    double q = 0.0036;
    out[n++] = (Solid){ shape, 2.0 * PI * PI * 0.2 * q, { 0.02 + 0.375 * q, 0.02 + 0.375 * q, q / 4.0 } };
    return n;
}

// J = V rho (|r|^2 - r r^T), turned.
static rslSymmetric Expected(const Solid* solid, double scale)
{
    double m = 1000.0 * solid->volume * scale * scale * scale, a = m * scale * scale;
    const double* s = solid->second;
    rslSymmetric own = { a * (s[1] + s[2]), a * (s[0] + s[2]), a * (s[0] + s[1]), 0.0, 0.0, 0.0 };
    rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees(solid->shape.rotate.axis, solid->shape.rotate.angle));
    return rslSymmetric_Turn(&turn, own);
}

static void CheckSolid(Solid* solid, rslNetworkType type, double* worst)
{
    solid->shape.rotate = (rslRotationDef){ { 1.0, 2.0, -0.5 }, 37.0 };
    solid->shape.translate = (rslVec3){ 3.0, -2.0, 1.0 };
    solid->shape.scale = 0.7;
    rslBodyDef body = RigidBody("bone", &solid->shape, 0.035);
    body.network.type = type;
    body.network.minLength = 0.02;
    body.network.maxLength = 0.04;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    const rslRigid* rigid = &model->rigids[0];
    double mass = 1000.0 * 0.343 * solid->volume;
    rslVec3 centre = rslSub(rslTop_Centre(rigid, &model->bodies[0].frame), solid->shape.translate);
    *worst = Worse(*worst, fabs(rigid->mass / mass - 1.0));
    *worst = Worse(*worst, rslLength(centre));
    *worst = Worse(*worst, Apart(Expected(solid, 0.7), TensorOf(model, 0)));
    rslModel_Free(model);
}

static void TestSolids(void** state)
{
    (void)state;
    Solid solids[8];
    int count = Solids(solids);
    double worst = 0.0;
    for (int i = 0; i < count; ++i)
    {
        CheckSolid(&solids[i], rsl_latticeNetwork, &worst);
        CheckSolid(&solids[i], rsl_randomNetwork, &worst);
        CheckSolid(&solids[i], rsl_tetrahedraNetwork, &worst);
    }
    assert_proved("rigid bodies: mass, centre and inertia of primitives on three networks", worst, 1e-12);
}

// A mesh of a box, boxes cut from each other, and a region of another density: all with closed forms.
static void TestCombined(void** state)
{
    (void)state;
    static const double corners[8][3] = { { 0, 0, 0 }, { 3, 0, 0 }, { 0, 2, 0 }, { 3, 2, 0 },
                                          { 0, 0, 1 }, { 3, 0, 1 }, { 0, 2, 1 }, { 3, 2, 1 } };
    static const int triangles[36] = { 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5 };
    rslShapeDef mesh = rslDefaultShapeDef();
    mesh.type = rsl_meshShape;
    mesh.vertices = corners[0];
    mesh.vertexCount = 8;
    mesh.triangles = triangles;
    mesh.triangleCount = 12;
    mesh.scale = 0.1;
    rslShapeDef parts[2] = { BoxShape(0.3, 0.2, 0.1), BoxShape(0.1, 0.2, 0.1) };
    parts[1].translate.x = 0.1;
    rslShapeDef cut = rslDefaultShapeDef();
    cut.type = rsl_differenceShape;
    cut.parts = parts;
    cut.partCount = 2;  // what is left is a box of 0.2 x 0.2 x 0.1
    rslRegionDef region = { .shape = &parts[1], .material = rslDefaultMaterialDef() };
    region.material.density = 3000.0;
    rslBodyDef bodies[3] = { RigidBody("mesh", &mesh, 0.05), RigidBody("cut", &cut, 0.05),
                             RigidBody("two", parts, 0.05) };
    bodies[2].regions = &region;
    bodies[2].regionCount = 1;
    rslScene scene = SceneOf(bodies, 3);
    rslModel* model = Built(&scene, NULL);
    const double box[3] = { 6.0 * 0.05 / 12.0, 6.0 * 0.10 / 12.0, 6.0 * 0.13 / 12.0 };
    assert_close(Apart((rslSymmetric){ box[0], box[1], box[2], 0, 0, 0 }, TensorOf(model, 0)), 0.0, 1e-12);
    assert_close(model->rigids[1].mass, 4.0, 1e-10);
    assert_close(rslTop_Centre(&model->rigids[1], &model->bodies[1].frame).x, -0.05, 1e-10);
    rslSymmetric left = { 4.0 * 0.05 / 12.0, 4.0 * 0.05 / 12.0, 4.0 * 0.08 / 12.0, 0, 0, 0 };
    assert_close(Apart(left, TensorOf(model, 1)), 0.0, 1e-9);
    // 4 kg about -0.05 and 6 kg about 0.1: the centre at 0.04
    assert_close(model->rigids[2].mass, 10.0, 1e-9);
    assert_close(rslTop_Centre(&model->rigids[2], &model->bodies[2].frame).x, 0.04, 1e-10);
    double spread = 4.0 * 0.0081 + 6.0 * 0.0036;
    rslSymmetric two = { 10.0 * 0.05 / 12.0,
                         4.0 * 0.05 / 12.0 + 6.0 * 0.02 / 12.0 + spread,
                         4.0 * 0.08 / 12.0 + 6.0 * 0.05 / 12.0 + spread,
                         0,
                         0,
                         0 };
    assert_close(Apart(two, TensorOf(model, 2)), 0.0, 1e-9);
    rslModel_Free(model);
}

// Sheets, hexahedra and masses as listed.
static void TestOther(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    static const double nodes[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    static const double masses[4] = { 1, 2, 3, 4 };
    static const int springs[2] = { 0, 1 };
    static const double stiffness = 5.0;
    rslBodyDef bodies[3] = { GridBody("sheet", 0.3, 0.2, 3, 2), RigidBody("hexes", &shape, 0.1), rslDefaultBodyDef() };
    bodies[0].model.type = rsl_rigidModel;
    bodies[1].network.type = rsl_hexahedraNetwork;
    bodies[1].network.grid[0] = 3;
    bodies[1].network.grid[1] = bodies[1].network.grid[2] = 1;
    bodies[2].name = "listed";
    bodies[2].model.type = rsl_rigidModel;
    bodies[2].network.type = rsl_explicitNetwork;
    bodies[2].network.nodes = nodes;
    bodies[2].network.nodeCount = 4;
    bodies[2].network.masses = masses;
    bodies[2].network.massCount = 4;
    bodies[2].network.springs = springs;
    bodies[2].network.springCount = 1;
    bodies[2].network.stiffness = &stiffness;
    bodies[2].network.stiffnessCount = 1;
    rslScene scene = SceneOf(bodies, 3);
    rslModel* model = Built(&scene, NULL);
    double m = 0.6;
    rslSymmetric sheet = { m * 0.04 / 12.0, m * 0.09 / 12.0, m * 0.13 / 12.0, 0, 0, 0 };
    assert_close(Apart(sheet, TensorOf(model, 0)), 0.0, 1e-12);
    rslSymmetric box = { 6.0 * 0.05 / 12.0, 6.0 * 0.10 / 12.0, 6.0 * 0.13 / 12.0, 0, 0, 0 };
    assert_close(Apart(box, TensorOf(model, 1)), 0.0, 1e-12);
    // sum m x^2 - M X^2 of 2 kg at x, 3 at y, 4 at z: 2 - 0.4, 3 - 0.9, 4 - 1.6
    rslSymmetric listed = { 2.1 + 2.4, 1.6 + 2.4, 1.6 + 2.1, 1.2, 0.8, 0.6 };
    assert_close(Apart(listed, TensorOf(model, 2)), 0.0, 1e-12);
    rslModel_Free(model);
}

// ---- free flight ----------------------------------------------------------------------------------------------------

// Euler's equations and the kinematics of a quaternion by Runge and Kutta's rule, in the axes of the body.
typedef struct Reference
{
    rslVec3 spin;
    rslQuat turn;
} Reference;

static Reference Rate(const double I[3], Reference a)
{
    rslVec3 w = a.spin;
    rslQuat half = rslQuatMul(a.turn, (rslQuat){ 0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z });
    return (Reference){
        { (I[1] - I[2]) / I[0] * w.y * w.z, (I[2] - I[0]) / I[1] * w.z * w.x, (I[0] - I[1]) / I[2] * w.x * w.y }, half
    };
}

static Reference Plus(Reference a, double h, Reference b)
{
    return (Reference){ rslMulAdd(a.spin, h, b.spin),
                        { a.turn.w + h * b.turn.w, a.turn.x + h * b.turn.x, a.turn.y + h * b.turn.y,
                          a.turn.z + h * b.turn.z } };
}

static Reference Follow(const double I[3], Reference a, double time, int steps)
{
    double h = time / steps;
    for (int i = 0; i < steps; ++i)
    {
        Reference k1 = Rate(I, a), k2 = Rate(I, Plus(a, 0.5 * h, k1)), k3 = Rate(I, Plus(a, 0.5 * h, k2));
        Reference k4 = Rate(I, Plus(a, h, k3));
        a = Plus(Plus(Plus(Plus(a, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4);
    }
    return a;
}

static rslBodyDef Racket(const rslShapeDef* shape)
{
    rslBodyDef body = RigidBody("racket", shape, 0.05);
    body.spin = (rslVec3){ 20.0, 500.0, 10.0 };  // about the middle axis
    return body;
}

static double QuatApart(rslQuat a, rslQuat b)
{
    double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    double s = dot < 0.0 ? -1.0 : 1.0;
    return fmax(fmax(fabs(a.w - s * b.w), fabs(a.x - s * b.x)), fmax(fabs(a.y - s * b.y), fabs(a.z - s * b.z)));
}

// A racket turns over: the unstable axis, through several tumbles.
static void TestRacket(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.05);
    rslBodyDef body = Racket(&shape);
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, 1e-3));
    const double I[3] = { 3.0 * (0.04 + 0.0025) / 12.0, 3.0 * (0.09 + 0.0025) / 12.0, 3.0 * 0.13 / 12.0 };
    Reference a = { rslScale(PI / 180.0, body.spin), { 1.0, 0.0, 0.0, 0.0 } };
    double error = 0.0, lowest = 1.0;
    for (int i = 0; i < 40; ++i)
    {
        Step(&run, 50);
        a = Follow(I, a, 0.05, 1000);
        error = Worse(error, QuatApart(a.turn, run.state->frames[0].rotation));
        lowest = fmin(lowest, a.spin.y / 8.7);
    }
    assert_at_most(lowest, -0.9);  // it did turn over
    assert_proved("rigid bodies: asymmetric top against a fine Runge-Kutta, 2 s, 3 tumbles", error, 1e-10);
    EndRun(&run);
}

// Random shapes, spins and velocities: momentum to rounding, energy without drift.
static void CheckFlight(uint64_t seed, rslPrecision precision, rslIntegrator integrator, int steps, double bars[2])
{
    Random random = MakeRandom(seed);
    double x = NextBetween(&random, 0.05, 0.3), y = NextBetween(&random, 0.05, 0.3),
           z = NextBetween(&random, 0.05, 0.3);
    rslShapeDef shape = BoxShape(x, y, z);
    shape.rotate = (rslRotationDef){ { 1.0, 0.3, 0.2 }, NextBetween(&random, 0.0, 180.0) };
    rslBodyDef body = RigidBody("stone", &shape, 0.05);
    body.network.orientation = (rslRotationDef){ { 0.0, 0.4, 1.0 }, 20.0 };
    body.spin = NextVec3(&random, 600.0);
    body.velocity = NextVec3(&random, 2.0);
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    rslSolverDef def = SolverDef(integrator, 1e-3);
    def.precision = precision;
    Run run = StartRun(&scene, def);
    rslMotion start = rslSolver_Motion(run.solver, run.state, 0);
    double energy = rslSolver_Energy(run.solver, run.state).total;
    Step(&run, steps);
    rslMotion end = rslSolver_Motion(run.solver, run.state, 0);
    double size =
        rslLength(start.angularMomentum) + rslLength(rslCross(end.centre, end.momentum)) + rslLength(end.momentum);
    bars[0] = Worse(bars[0], rslLength(rslSub(end.momentum, start.momentum)) / rslLength(start.momentum));
    bars[0] = Worse(bars[0], rslLength(rslSub(end.angularMomentum, start.angularMomentum)) / size);
    bars[1] = Worse(bars[1], fabs(rslSolver_Energy(run.solver, run.state).total / energy - 1.0));
    EndRun(&run);
}

static void TestFlight(void** state)
{
    (void)state;
    double bars[2] = { 0.0, 0.0 }, single[2] = { 0.0, 0.0 };
    int seeds = Proving() ? 20 : 4, steps = Proving() ? 10000 : 2000;
    for (int s = 0; s < seeds; ++s)
    {
        CheckFlight(10u + (uint64_t)s, rsl_double, (rslIntegrator)(s % 4), steps, bars);
        CheckFlight(50u + (uint64_t)s, rsl_single, (rslIntegrator)(s % 4), steps, single);
    }
    assert_proved("rigid bodies: momentum and angular momentum of free flight, double", bars[0], 1e-11);
    assert_proved("rigid bodies: energy of free flight, double", bars[1], 1e-11);
    assert_proved("rigid bodies: momentum of free flight, single", single[0], 2e-5);
    assert_proved("rigid bodies: energy of free flight, single", single[1], 2e-5);
}

// A box that spins and falls: its centre on a parabola.
static void TestFall(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef body = Racket(&shape);
    body.velocity = (rslVec3){ 1.0, 0.0, 3.0 };
    rslScene scene = SceneOf(&body, 1);
    for (int integrator = rsl_positionVerlet; integrator <= rsl_velocityVerlet; ++integrator)
    {
        Run run = StartRun(&scene, SolverDef((rslIntegrator)integrator, 1e-3));
        Step(&run, 500);
        rslVec3 centre = rslSolver_Motion(run.solver, run.state, 0).centre;
        assert_close(centre.x, 0.5, 1e-12);
        assert_close(centre.z, 1.5 - 0.5 * 9.81 * 0.25, 1e-12);
        EndRun(&run);
    }
}

// ---- forces ---------------------------------------------------------------------------------------------------------

// A bar that hangs from the world by a stiff spring at its end: forces at nodes turn it. Order of an integrator from its
// errors at three steps.
static rslVec3 SwingTo(rslIntegrator integrator, double step)
{
    rslShapeDef shape = BoxShape(0.4, 0.1, 0.1), small = BoxShape(0.1, 0.1, 0.1);
    small.translate = (rslVec3){ -0.4, 0.0, 0.0 };
    rslBodyDef bodies[2] = { RigidBody("bar", &shape, 0.1), RigidBody("hook", &small, 0.1) };
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.body = "hook";
    rslLinkDef link = rslDefaultLinkDef();
    link.type = rsl_springLink;
    link.from.body = "hook";
    link.from.type = rsl_listNodes;
    link.from.indices = (const int[]){ 0 };
    link.from.indexCount = 1;
    link.to = link.from;
    link.to.body = "bar";
    link.stiffness = 500.0;
    rslScene scene = SceneOf(bodies, 2);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    scene.links = &link;
    scene.linkCount = 1;
    Run run = StartRun(&scene, SolverDef(integrator, step));
    Step(&run, (int64_t)(0.4 / step + 0.5));
    rslVec3 x = PositionOf(&run, run.model->bodies[0].nodeCount - 1);
    EndRun(&run);
    return x;
}

static void TestOrder(void** state)
{
    (void)state;
    static const double orders[4] = { 1.0, 1.0, 2.0, 2.0 };
    for (int i = 0; i < 4; ++i)
    {
        rslVec3 a = SwingTo((rslIntegrator)i, 2e-3), b = SwingTo((rslIntegrator)i, 1e-3);
        rslVec3 c = SwingTo((rslIntegrator)i, 5e-4);
        double ratio = rslLength(rslSub(a, b)) / rslLength(rslSub(b, c));
        assert_close(log2(ratio), orders[i], 0.2);
    }
}

// The work of loads is all that a body has: also loads that turn it.
static void TestLoads(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef body = Racket(&shape);
    rslLoadDef load = rslDefaultLoadDef();
    load.nodes.type = rsl_listNodes;
    load.nodes.indices = (const int[]){ 3, 5 };
    load.nodes.indexCount = 2;
    load.force = (rslVec3){ 10.0, 20.0, -30.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.loads = &load;
    scene.loadCount = 1;
    for (int i = rsl_symplecticEuler; i <= rsl_velocityVerlet; ++i)
    {
        double errors[2];
        for (int fine = 0; fine < 2; ++fine)
        {
            Run run = StartRun(&scene, SolverDef((rslIntegrator)i, fine ? 5e-4 : 1e-3));
            Step(&run, fine ? 600 : 300);
            rslEnergy energy = rslSolver_Energy(run.solver, run.state);
            errors[fine] = fabs(energy.drift) / energy.kinetic;
            EndRun(&run);
        }
        assert_at_most(errors[0], i == rsl_symplecticEuler ? 2e-2 : 1e-4);
        assert_at_most(errors[1], 0.6 * errors[0] + 1e-9);
    }
}

// ---- held -----------------------------------------------------------------------------------------------------------

static void TestMotion(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef body = RigidBody("tool", &shape, 0.1);
    rslConstraintDef motion = rslDefaultConstraintDef();
    motion.type = rsl_motionConstraint;
    motion.nodes.body = "tool";
    motion.move.rotate = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 90.0 };
    motion.move.centre = (rslVec3){ 1.0, 0.0, 0.0 };
    motion.move.translate = (rslVec3){ 0.0, 0.0, 0.5 };
    motion.move.course.type = rsl_rampCourse;
    motion.move.course.duration = 0.2;
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &motion;
    scene.constraintCount = 1;
    for (int i = 0; i < 4; ++i)
    {
        Run run = StartRun(&scene, SolverDef((rslIntegrator)i, 1e-3));
        rslVec3 first = PositionOf(&run, 3);
        Step(&run, 100);
        // the rate of a node: pi/4 / 0.1 about (1, 0, 0), and 2.5 m/s up; all of it is the work of the motion
        rslEnergy energy = rslSolver_Energy(run.solver, run.state);
        double spin = 2.5 * PI, orbit = 6.0 * (spin * spin + 6.25) + 6.0 * 0.13 / 12.0 * spin * spin;
        assert_close(energy.kinetic, 0.5 * orbit, 1e-3 * orbit);
        assert_close(energy.drift, 0.0, 1e-3 * orbit);
        Step(&run, 150);
        rslVec3 x = PositionOf(&run, 3);
        rslVec3 d = rslSub(first, motion.move.centre);
        assert_close(x.x, 1.0 - d.y, 1e-12);
        assert_close(x.y, d.x, 1e-12);
        assert_close(x.z, first.z + 0.5, 1e-12);
        assert_close(rslSolver_Energy(run.solver, run.state).kinetic, 0.0, 1e-20);
        EndRun(&run);
    }
}

// In the plane: a plate of triangles that falls and turns.
static void TestPlane(void** state)
{
    (void)state;
    rslBodyDef body = GridBody("plate", 0.3, 0.2, 3, 2);
    body.model.type = rsl_rigidModel;
    body.spin = (rslVec3){ 0.0, 0.0, 90.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0.0, -9.81, 0.0 };
    Run run = StartRun(&scene, SolverDef(rsl_velocityVerlet, 1e-3));
    Step(&run, 1000);
    rslMotion motion = rslSolver_Motion(run.solver, run.state, 0);
    assert_close(motion.centre.y, -4.905, 1e-11);
    assert_close(motion.angularMomentum.z, 0.6 * 0.13 / 12.0 * 0.5 * PI, 1e-12);
    rslQuat q = run.state->frames[0].rotation;
    assert_close(q.w, cos(0.25 * PI), 1e-12);
    assert_close(q.z, sin(0.25 * PI), 1e-12);
    EndRun(&run);
}

// A box that slides on the ground: friction takes mu g from its speed, then it stops and stays.
static void TestSlide(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.3, 0.1);
    shape.translate.z = 0.05;
    rslBodyDef body = RigidBody("puck", &shape, 0.05);
    body.velocity = (rslVec3){ 1.0, 0.0, 0.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.ground = rslDefaultGroundDef();
    scene.ground.stiffness = 2000.0;
    scene.ground.friction = 0.3;
    double weight = 9.0 * 9.81, sunk = weight / (49.0 * 2000.0);
    shape.translate.z -= sunk;  // at rest on its springs, but for the tilt that friction brings
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, 2e-4));
    Step(&run, 1000);
    rslMotion motion = rslSolver_Motion(run.solver, run.state, 0);
    assert_close(motion.momentum.x / 9.0, 1.0 - 0.3 * 9.81 * 0.2, 0.02);
    Step(&run, 4000);
    motion = rslSolver_Motion(run.solver, run.state, 0);
    assert_close(motion.centre.x, 0.5 / (0.3 * 9.81), 0.01);
    rslEnergy energy = rslSolver_Energy(run.solver, run.state);
    assert_close(run.state->account.dissipated, 4.5, 0.1);
    assert_at_most(fabs(energy.drift), 0.01);
    double stopped = motion.centre.x;
    Step(&run, 1000);
    assert_close(rslSolver_Motion(run.solver, run.state, 0).centre.x, stopped, 1e-4);
    EndRun(&run);
}

// A box that falls askew on a plate which swings: what the plate does is all that its energy changes by.
static void TestBounce(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.2, 0.2, 0.1);
    shape.rotate = (rslRotationDef){ { 1.0, 2.0, 0.0 }, 20.0 };
    shape.translate.z = 0.1;
    rslBodyDef body = RigidBody("box", &shape, 0.05);
    rslColliderDef plate = rslDefaultColliderDef();
    plate.normal = (rslVec3){ 0.0, 0.0, 1.0 };
    plate.stiffness = 65.0;
    plate.move.translate = (rslVec3){ 0.0, 0.0, 0.01 };
    plate.move.course.type = rsl_sineCourse;
    plate.move.course.frequency = 3.0;
    rslScene scene = SceneOf(&body, 1);
    scene.colliders = &plate;
    scene.colliderCount = 1;
    for (int moves = 0; moves < 2; ++moves)
    {
        plate.move.translate.z = moves * 0.01;
        for (int i = rsl_positionVerlet; i <= rsl_velocityVerlet; ++i)
        {
            Run run = StartRun(&scene, SolverDef((rslIntegrator)i, 1e-3));
            double worst = 0.0;
            for (int n = 0; n < 100; ++n)
            {
                Step(&run, 20);
                worst = Worse(worst, fabs(rslSolver_Energy(run.solver, run.state).drift));
            }
            assert_at_most(worst, 3e-3);  // of 2 J; measured up to 4e-4
            assert_true(moves == 0 || run.state->account.motion != 0.0);
            EndRun(&run);
        }
    }
}

// A soft block at rest, and a rigid one that is held and pulls at it by a spring: its lattice has no couplings.
static void TestRest(void** state)
{
    (void)state;
    rslShapeDef shapes[2] = { BoxShape(0.2, 0.2, 0.1), BoxShape(0.1, 0.1, 0.1) };
    shapes[1].translate.z = 0.2;
    rslBodyDef bodies[2] = { LatticeBody("soft", &shapes[0], 0.025), RigidBody("tool", &shapes[1], 0.025) };
    rslConstraintDef held[2] = { rslDefaultConstraintDef(), rslDefaultConstraintDef() };
    held[0].nodes.body = "tool";
    held[1].nodes = (rslNodeSetDef){
        .body = "soft", .type = rsl_planeNodes, .point = { 0.0, 0.0, -0.049 }, .normal = { 0.0, 0.0, -1.0 }
    };
    rslLinkDef link = rslDefaultLinkDef();
    link.type = rsl_springLink;
    link.from = (rslNodeSetDef){ .body = "soft", .type = rsl_nearestNodes, .point = { 0.0, 0.0, 0.05 }, .count = 1 };
    link.to = (rslNodeSetDef){ .body = "tool", .type = rsl_nearestNodes, .point = { 0.0, 0.0, 0.15 }, .count = 1 };
    link.stiffness = 100.0;
    link.restLength = 0.05;
    rslScene scene = SceneOf(bodies, 2);
    scene.constraints = held;
    scene.constraintCount = 2;
    scene.links = &link;
    scene.linkCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    Step(&run, 1);
    rslMotion tool = rslSolver_Motion(run.solver, run.state, 1);
    assert_close(tool.centre.z, 0.2, 1e-12);
    assert_true(rslSolver_Energy(run.solver, run.state).links > 0.0);
    EndRun(&run);
}

// ---- saved, restored, refused ---------------------------------------------------------------------------------------

static void TestSaved(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef body = Racket(&shape);
    rslScene scene = SceneOf(&body, 1);
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, 1e-3));
    Step(&run, 77);
    size_t size = rslState_Save(run.state, NULL, 0);
    void* bytes = malloc(size);
    rslState_Save(run.state, bytes, size);
    rslState* copy = NULL;
    assert_int_equal(rslState_Load(run.model, rsl_double, bytes, size, NULL, &copy, NULL), rsl_ok);
    Step(&run, 100);
    assert_int_equal(rslSolver_Step(run.solver, copy, 100), rsl_ok);
    assert_true(rslState_Hash(copy) == rslState_Hash(run.state));
    copy->frames[0].momentum.x += 1e-9;
    assert_true(rslState_Hash(copy) != rslState_Hash(run.state));
    free(bytes);
    rslState_Free(copy);
    EndRun(&run);
}

static void TestRefused(void** state)
{
    (void)state;
    static const double nodes[9] = { 0, 0, 0, 1, 0, 0, 2, 0, 0 }, one = 1.0, stiffness = 5.0;
    static const int springs[4] = { 0, 1, 1, 2 };
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef line = rslDefaultBodyDef(), bone = RigidBody("bone", &shape, 0.1);
    line.name = "line";
    line.place = (rslPlace){ 5, 1 };
    line.model.type = rsl_rigidModel;
    line.network.type = rsl_explicitNetwork;
    line.network.nodes = nodes;
    line.network.nodeCount = 3;
    line.network.masses = &one;
    line.network.massCount = 1;
    line.network.springs = springs;
    line.network.springCount = 2;
    line.network.stiffness = &stiffness;
    line.network.stiffnessCount = 1;
    rslScene scene = SceneOf(&line, 1);
    Refused(&scene, line.place, "on a line");
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.place = (rslPlace){ 7, 1 };
    pin.nodes.body = "bone";
    pin.nodes.type = rsl_listNodes;
    pin.nodes.indices = (const int[]){ 1 };
    pin.nodes.indexCount = 1;
    scene = SceneOf(&bone, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Refused(&scene, pin.place, "joints");
    pin.nodes.type = rsl_allNodes;
    pin.axes[1] = false;
    Refused(&scene, pin.place, "some axes of");
    // at rest only when held
    scene.constraintCount = 0;
    rslModel* model = Built(&scene, NULL);
    rslSolverDef def = SolverDef(rsl_static, 1.0);
    rslSolver* solver = NULL;
    rslReport report = { 0 };
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0, 0 }, "'bone' is free"));
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSolids),  cmocka_unit_test(TestCombined), cmocka_unit_test(TestOther),
        cmocka_unit_test(TestRacket),  cmocka_unit_test(TestFlight),   cmocka_unit_test(TestFall),
        cmocka_unit_test(TestOrder),   cmocka_unit_test(TestLoads),    cmocka_unit_test(TestMotion),
        cmocka_unit_test(TestPlane),   cmocka_unit_test(TestSlide),    cmocka_unit_test(TestSaved),
        cmocka_unit_test(TestRefused), cmocka_unit_test(TestBounce),   cmocka_unit_test(TestRest),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
