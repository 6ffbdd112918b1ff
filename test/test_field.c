// SPDX-License-Identifier: MIT
//
// test_field.c: stress read off the springs: patch tests, sum rules, parts of springs in spheres, forces through planes, moduli.

#include "field_fixture.h"
#include "sanitized.h"

#include "elementary.h"

// ---- tensors --------------------------------------------------------------------------------------------------------

static void Principal(void** state)
{
    (void)state;
    Random random = MakeRandom(1);
    for (int n = 0; n < 100; ++n)
    {
        rslSymmetric s = RandomStrain(&random, 1.0);
        if (n < 3)
        {
            s.yz = s.zx = s.xy = 0.0;  // already diagonal
            s.yy = n == 1 ? s.xx : s.yy;
        }
        Tensor t = TensorOf(s);
        double values[3];
        rslVec3 axes[3];
        rslSymmetric_Principal(s, values, axes);
        assert_true(values[0] >= values[1] && values[1] >= values[2]);
        assert_close(rslDot(axes[0], rslCross(axes[1], axes[2])), 1.0, 1e-13);
        for (int i = 0; i < 3; ++i)
        {
            rslVec3 v = axes[i];
            rslVec3 product = { t.c[0][0] * v.x + t.c[0][1] * v.y + t.c[0][2] * v.z,
                                t.c[1][0] * v.x + t.c[1][1] * v.y + t.c[1][2] * v.z,
                                t.c[2][0] * v.x + t.c[2][1] * v.y + t.c[2][2] * v.z };
            assert_at_most(rslLength(rslSub(product, rslScale(values[i], v))), 1e-13);
        }
        double a = values[0] - values[1], b = values[1] - values[2], c = values[2] - values[0];
        assert_close(rslSymmetric_VonMises(s), sqrt(0.5 * (a * a + b * b + c * c)), 1e-13);
    }
    assert_close(rslSymmetric_VonMises((rslSymmetric){ .xx = 5.0 }), 5.0, 1e-14);
    assert_close(rslSymmetric_VonMises((rslSymmetric){ 3.0, 3.0, 3.0, 0.0, 0.0, 0.0 }), 0.0, 1e-14);
}

static void Angles(void** state)
{
    (void)state;
    for (int i = 0; i <= 2000; ++i)
    {
        double angle = i * 1.5707963267948966e-3;
        assert_close(rslAngle(3.0 * rslCos(angle), fabs(3.0 * rslSin(angle))), angle, 1e-15);
    }
}

// ---- patch tests ----------------------------------------------------------------------------------------------------

// Uniform strain is uniform stress at the inner nodes of any lattice, and on the faces of a corner lattice.
static void PatchAtNodes(void** state)
{
    (void)state;
    Random random = MakeRandom(2);
    for (int turn = 0; turn < 3; ++turn)
    {
        rslConstruction construction = turn == 2 ? rsl_centredLattice : rsl_cornerLattice;
        rslVec3 size = { 1.2, 1.0, 0.9 }, axis = NextVec3(&random, 1.0);
        Run run = StartBlock("block", size, 0.1, construction, axis, turn == 0 ? 0.0 : 35.0);
        rslSymmetric strain = RandomStrain(&random, 1e-7), expected = StressOf(strain, YOUNG, 0.25);
        rslSymmetric* stress = calloc((size_t)run.model->nodeCount, sizeof *stress);
        assert_non_null(stress);
        double worst = 0.0;
        int inside = 0;
        rslVec3* rest = calloc((size_t)run.model->nodeCount, sizeof *rest);
        assert_non_null(rest);
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            rest[i] = PositionOf(&run, i);
        }
        Strain(&run, strain);
        assert_int_equal(rslSolver_NodeStress(run.solver, run.state, stress), rsl_ok);
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            // along the axes: all but the edges
            bool inner = turn == 0 ? (fabs(rest[i].x) > 0.59) + (fabs(rest[i].y) > 0.49) + (fabs(rest[i].z) > 0.44) < 2
                                   : fabs(rest[i].x) < 0.3 && fabs(rest[i].y) < 0.2 && fabs(rest[i].z) < 0.15;
            if (inner)
            {
                double error = Norm(Minus(stress[i], expected)) / Norm(expected);
                worst = error > worst ? error : worst;
                ++inside;
            }
        }
        assert_true(inside > 20);
        assert_proved("patch test, node stress, relative", worst, 1e-6);
        free(rest);
        free(stress);
        EndRun(&run);
    }
}

// A probe around everything holds the whole virial, whatever its kind: V sigma = sum of V_i sigma_i = V_body C e.
static void PatchOfAll(void** state)
{
    (void)state;
    Random random = MakeRandom(3);
    rslVec3 size = { 0.8, 0.6, 0.7 };
    Run run = StartBlock("block", size, 0.1, rsl_cornerLattice, (rslVec3){ 0.0, 0.0, 1.0 }, 0.0);
    rslSymmetric strain = RandomStrain(&random, 1e-7), expected = StressOf(strain, YOUNG, 0.25);
    Strain(&run, strain);
    for (int kind = 0; kind < rsl_hardyKindCount; ++kind)
    {
        rslHardyProbe probe = { .radius = 2.0, .kind = (rslHardyKind)kind };
        rslSymmetric stress;
        assert_int_equal(rslSolver_HardyStress(run.solver, run.state, &probe, 1, &stress), rsl_ok);
        double f = size.x * size.y * size.z / (4.0 / 3.0 * PI * 8.0);
        rslSymmetric all = { f * expected.xx, f * expected.yy, f * expected.zz,
                             f * expected.yz, f * expected.zx, f * expected.xy };
        assert_at_most(Norm(Minus(stress, all)), 1e-6 * Norm(all));
    }
    EndRun(&run);
}

// Probes inside: right on average over places, with the scatter of their kind; many at once as one by one.
static void PatchInside(void** state)
{
    (void)state;
    enum
    {
        POINTS = 400
    };
    Random random = MakeRandom(4);
    rslVec3 size = { 1.0, 1.0, 1.0 };
    Run run = StartBlock("block", size, 0.1, rsl_cornerLattice, (rslVec3){ 0.0, 0.0, 1.0 }, 0.0);
    rslSymmetric strain = RandomStrain(&random, 1e-6), expected = StressOf(strain, YOUNG, 0.25);
    Strain(&run, strain);
    for (int kind = 0; kind < rsl_hardyKindCount; ++kind)
    {
        static rslHardyProbe probes[POINTS];
        static rslSymmetric stress[POINTS];
        rslSymmetric mean = { 0 };
        double square = 0.0;
        for (int i = 0; i < POINTS; ++i)
        {
            // a low-discrepancy walk through the central cell (Roberts 2018)
            double s[3] = { fmod(0.8191725133961645 * i, 1.0), fmod(0.6710436067037893 * i, 1.0),
                            fmod(0.5497004779019703 * i, 1.0) };
            probes[i].point = (rslVec3){ 0.1 * s[0], 0.1 * s[1], 0.1 * s[2] };
            probes[i].radius = 0.13;
            probes[i].kind = (rslHardyKind)kind;
        }
        assert_int_equal(rslSolver_HardyStress(run.solver, run.state, probes, POINTS, stress), rsl_ok);
        for (int i = 0; i < POINTS; ++i)
        {
            double f = 1.0 / POINTS, error = Norm(Minus(stress[i], expected)) / Norm(expected);
            mean = (rslSymmetric){ mean.xx + f * stress[i].xx, mean.yy + f * stress[i].yy, mean.zz + f * stress[i].zz,
                                   mean.yz + f * stress[i].yz, mean.zx + f * stress[i].zx, mean.xy + f * stress[i].xy };
            square += f * error * error;
            if (i % (Sanitized() ? 20 : 1) == 0)
            {
                rslSymmetric alone;
                assert_int_equal(rslSolver_HardyStress(run.solver, run.state, &probes[i], 1, &alone), rsl_ok);
                assert_memory_equal(&alone, &stress[i], sizeof alone);
            }
        }
        assert_proved(kind == rsl_lineHardy ? "Hardy, line 1.3 a: mean over a cell"
                                            : "Hardy, sphere 1.3 a: mean over a cell",
                      Norm(Minus(mean, expected)) / Norm(expected), 0.005);
        assert_proved(kind == rsl_lineHardy ? "Hardy, line 1.3 a: rms over a cell"
                                            : "Hardy, sphere 1.3 a: rms over a cell",
                      sqrt(square), kind == rsl_lineHardy ? 0.12 : 0.05);
    }
    EndRun(&run);
}

// The number of threads changes no bit, and neither does single precision much.
static void ThreadsAndPrecision(void** state)
{
    (void)state;
    rslShapeDef shape = rslDefaultShapeDef();
    shape.size = (rslVec3){ 2.0, 1.5, 1.0 };
    rslBodyDef body = Bar("block", &shape, 0.1);
    rslScene scene = rslDefaultScene();
    scene.bodies = &body;
    scene.bodyCount = 1;
    rslSymmetric found[3], first[3];
    rslVec3 flow[3];
    for (int run = 0; run < 3; ++run)
    {
        rslSolverDef def = SolverDef(rsl_positionVerlet, 1e-6);
        def.threads = run == 1 ? 4 : 1;
        def.precision = run == 2 ? rsl_single : rsl_double;
        Run one = StartRun(&scene, def);
        Strain(&one, (rslSymmetric){ 0.01, 0.02, -0.01, 0.005, 0.0, 0.003 });
        rslHardyProbe probe = { .point = { 0.31, 0.12, -0.07 }, .radius = 0.4 };
        rslSymmetric* stress = calloc((size_t)one.model->nodeCount, sizeof *stress);
        assert_non_null(stress);
        assert_int_equal(rslSolver_HardyStress(one.solver, one.state, &probe, 1, &found[run]), rsl_ok);
        assert_int_equal(rslSolver_NodeStress(one.solver, one.state, stress), rsl_ok);
        first[run] = stress[one.model->nodeCount / 2];
        flow[run] = rslSolver_Flow(one.solver, one.state, 0, probe.point, (rslVec3){ 0.0, 1.0, 0.0 });
        free(stress);
        EndRun(&one);
    }
    assert_memory_equal(&found[0], &found[1], sizeof found[0]);
    assert_memory_equal(&first[0], &first[1], sizeof first[0]);
    assert_memory_equal(&flow[0], &flow[1], sizeof flow[0]);
    assert_at_most(Norm(Minus(found[0], found[2])), 1e-4 * Norm(found[0]));
    assert_at_most(Norm(Minus(first[0], first[2])), 1e-4 * Norm(first[0]));
    assert_at_most(Distance(flow[0], flow[2]), 1e-4 * rslLength(flow[0]));
}

// ---- parts of a spring ----------------------------------------------------------------------------------------------

// One spring of an explicit network, pulled; the part by sampling the spring, its sphere or its disc.
static void PartsOfASpring(void** state)
{
    (void)state;
    Random random = MakeRandom(5);
    const double nodes[] = { -0.5, 0.0, 0.0, 0.5, 0.0, 0.0 }, mass = 1.0, stiffness = 3.0, natural = 0.75;
    const int springs[] = { 0, 1 };
    rslBodyDef body = NetworkBody("spring", nodes, 2, &mass, springs, 1, &stiffness);
    body.network.restLengths = &natural;
    body.network.restLengthCount = 1;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, 1e-3));
    for (int n = 0; n < 60; ++n)
    {
        double R = NextBetween(&random, 0.05, 1.2);
        rslVec3 p = NextVec3(&random, 0.8);
        rslHardyProbe probe = { p, R, n % 2 == 0 ? rsl_lineHardy : rsl_sphereHardy };
        rslSymmetric s;
        assert_int_equal(rslSolver_HardyStress(run.solver, run.state, &probe, 1, &s), rsl_ok);
        int inside = 0, samples = 0;
        for (int i = 0; i < 400000 && samples < 100000; ++i)
        {
            double t = ((double)i + 0.5) / 100000.0 - 0.5;
            rslVec3 at = probe.kind == rsl_lineHardy ? (rslVec3){ t, 0.0, 0.0 } : NextVec3(&random, 0.5);
            if (rslDot(at, at) <= 0.25)
            {
                ++samples;
                inside += rslLength(rslSub(at, p)) <= R ? 1 : 0;
            }
        }
        // T L = 3 (1 - 0.75)
        double part = s.xx * (4.0 / 3.0 * PI * R * R * R) / 0.75;
        assert_close(part, (double)inside / samples, probe.kind == rsl_lineHardy ? 2e-5 : 8e-3);
        assert_close(s.yy, 0.0, 0.0);
    }
    rslHardyProbe wrong[] = { { .radius = 0.0 }, { .radius = NAN }, { .radius = 1.0, .kind = (rslHardyKind)7 } };
    for (int i = 0; i < 3; ++i)
    {
        rslSymmetric s;
        assert_int_equal(rslSolver_HardyStress(run.solver, run.state, &wrong[i], 1, &s), rsl_badInput);
    }
    EndRun(&run);
}

// A link between two bodies is a spring like others, in front of the probe and within it.
static void LinkInAProbe(void** state)
{
    (void)state;
    const double nodes[2][3] = { { 1.0, 2.0, 3.0 }, { 1.3, 2.4, 3.0 } }, mass = 1.0;  // 0.5 apart
    rslBodyDef bodies[2] = { NetworkBody("a", nodes[0], 1, &mass, NULL, 0, NULL),
                             NetworkBody("b", nodes[1], 1, &mass, NULL, 0, NULL) };
    rslLinkDef link = rslDefaultLinkDef();
    link.type = rsl_springLink;
    link.from = AllOf("a");
    link.to = AllOf("b");
    link.stiffness = 20.0;
    link.restLength = 0.4;
    rslScene scene = SceneOf(bodies, 2);
    scene.gravity = (rslVec3){ 0 };
    scene.links = &link;
    scene.linkCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, 1e-3));
    for (int half = 0; half < 2; ++half)
    {
        // T L n n = 20 (0.5 - 0.4) 0.5 (0.6, 0.8, 0)^2; a probe about an end holds what its radius reaches
        double R = half == 1 ? 0.25 : 2.0, T = (half == 1 ? 0.5 : 1.0) * 1.0 / (4.0 / 3.0 * PI * R * R * R);
        rslHardyProbe probe = { { 1.3, 2.4, 3.0 }, R, rsl_lineHardy };
        rslSymmetric s;
        assert_int_equal(rslSolver_HardyStress(run.solver, run.state, &probe, 1, &s), rsl_ok);
        assert_close(s.xx, 0.36 * T, 1e-12 * T);
        assert_close(s.xy, 0.48 * T, 1e-12 * T);
        assert_close(s.yy, 0.64 * T, 1e-12 * T);
        assert_close(s.zz, 0.0, 1e-12 * T);
    }
    EndRun(&run);
}

// ---- forces ---------------------------------------------------------------------------------------------------------

// Two bars tied end to end and pulled, obliquely: through every plane between the grips goes what the grips hold.
static void FlowIsTheReaction(void** state)
{
    (void)state;
    rslShapeDef shapes[2] = { rslDefaultShapeDef(), rslDefaultShapeDef() };
    shapes[0].size = shapes[1].size = (rslVec3){ 1.0, 0.4, 0.3 };
    shapes[0].translate.x = -0.5;
    shapes[1].translate.x = 0.5;
    rslBodyDef bodies[2] = { Bar("left", &shapes[0], 0.1), Bar("right", &shapes[1], 0.09) };
    bodies[1].network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 25.0 };
    rslLinkDef tie = rslDefaultLinkDef();
    tie.type = rsl_tieLink;
    tie.from = SideOf("left", (rslVec3){ -0.01, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
    tie.to = AllOf("right");
    tie.reach = 0.2;
    rslConstraintDef grips[2] = { PinOf(SideOf("left", (rslVec3){ -0.95, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 })),
                                  MoveBy(SideOf("right", (rslVec3){ 0.9, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 }),
                                         (rslVec3){ 0.2, 0.05, -0.03 }) };
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0 };
    scene.bodies = bodies;
    scene.bodyCount = 2;
    scene.links = &tie;
    scene.linkCount = 1;
    scene.constraints = grips;
    scene.constraintCount = 2;
    Run run = StartRun(&scene, SolverDef(rsl_static, RSL_AUTO));
    assert_true(run.model->linkCount > 10);
    Step(&run, 1);
    rslVec3 pull = rslSolver_Reaction(run.solver, run.state, 1);
    assert_true(pull.x > 1.0);
    Random random = MakeRandom(8);
    for (int n = 0; n < 20; ++n)
    {
        rslVec3 point = { NextBetween(&random, -0.6, 0.6), 0.0, 0.0 };
        rslVec3 normal = { 1.0, NextBetween(&random, -0.4, 0.4), NextBetween(&random, -0.4, 0.4) };
        rslVec3 flow = rslSolver_Flow(run.solver, run.state, -1, point, normal);
        assert_at_most(Distance(flow, pull), 1e-6 * rslLength(pull));
    }
    rslVec3 x = { 1.0, 0.0, 0.0 }, in = { -0.5, 0.0, 0.0 };
    assert_at_most(Distance(rslSolver_Flow(run.solver, run.state, 0, in, x), pull), 1e-6 * rslLength(pull));
    assert_at_most(rslLength(rslSolver_Flow(run.solver, run.state, 1, in, x)), 0.0);
    rslVec3 back = rslSolver_Flow(run.solver, run.state, -1, in, (rslVec3){ -1.0, 0.0, 0.0 });
    assert_at_most(rslLength(rslAdd(back, pull)), 1e-6 * rslLength(pull));
    EndRun(&run);
}

// A sheet in the plane, pulled: flow, stress at nodes, and in probes of both kinds.
static void SheetInThePlane(void** state)
{
    (void)state;
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "sheet";
    body.network.type = rsl_sheetNetwork;
    body.network.size[0] = 2.0;
    body.network.size[1] = 1.0;
    body.network.spacing = 0.1;
    body.network.thickness = 0.02;
    body.material.young = YOUNG;
    body.material.poisson = 1.0 / 3.0;
    body.material.density = 10.0;
    rslConstraintDef grips[2] = { PinOf(SideOf("sheet", (rslVec3){ -0.99, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 })),
                                  MoveBy(SideOf("sheet", (rslVec3){ 0.99, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 }),
                                         (rslVec3){ 2e-5, 0.0, 0.0 }) };
    rslScene scene = rslDefaultScene();
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    scene.constraints = grips;
    scene.constraintCount = 2;
    Run run = StartRun(&scene, SolverDef(rsl_static, RSL_AUTO));
    Step(&run, 1);
    rslVec3 pull = rslSolver_Reaction(run.solver, run.state, 1);
    rslVec3 flow = rslSolver_Flow(run.solver, run.state, 0, (rslVec3){ 0.03, 0.0, 0.0 }, (rslVec3){ 1.0, 0.2, 0.0 });
    assert_at_most(Distance(flow, pull), 1e-6 * rslLength(pull));
    // in the middle nearly uniaxial: force over cross-section
    double expected = pull.x / (1.0 * 0.02), mean[2] = { 0.0, 0.0 };
    enum
    {
        POINTS = 200
    };
    for (int kind = 0; kind < rsl_hardyKindCount; ++kind)
    {
        rslHardyProbe probes[POINTS];
        rslSymmetric stress[POINTS];
        for (int i = 0; i < POINTS; ++i)
        {
            rslVec3 p = { 0.1 * fmod(0.7548776662466927 * i, 1.0), 0.1 * fmod(0.5698402909980532 * i, 1.0), 0.0 };
            probes[i] = (rslHardyProbe){ p, 0.2, (rslHardyKind)kind };
        }
        assert_int_equal(rslSolver_HardyStress(run.solver, run.state, probes, POINTS, stress), rsl_ok);
        for (int i = 0; i < POINTS; ++i)
        {
            mean[kind] += stress[i].xx / POINTS;
            assert_true(stress[i].zz == 0.0);
        }
        assert_close(mean[kind], expected, 0.03 * expected);
    }
    EndRun(&run);
}

static void GroundCarries(void** state)
{
    (void)state;
    skip_when_sanitized();
    rslShapeDef shape = rslDefaultShapeDef();
    shape.size = (rslVec3){ 1.0, 0.4, 0.3 };
    shape.translate.z = 0.16;
    rslBodyDef bodies[2] = { Bar("one", &shape, 0.1), Bar("two", &shape, 0.1) };
    rslShapeDef beside = shape;
    beside.translate.y = 3.0;
    beside.size.x = 0.5;
    bodies[1].shape = &beside;
    bodies[0].material.massDamping = bodies[1].material.massDamping = 200.0;
    rslScene scene = rslDefaultScene();
    scene.bodies = bodies;
    scene.bodyCount = 2;
    scene.ground = rslDefaultGroundDef();
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    Step(&run, (int64_t)(12.0 / rslSolver_Stability(run.solver).step));
    for (int b = -1; b < 2; ++b)
    {
        rslMotion motion = rslSolver_Motion(run.solver, run.state, b);
        rslVec3 force = rslSolver_ColliderForce(run.solver, run.state, 0, b);
        assert_close(force.z, 9.81 * motion.mass, 1e-3 * 9.81 * motion.mass);
    }
    EndRun(&run);
}

// ---- modulus --------------------------------------------------------------------------------------------------------

static bool AddModulus(const rslSpring* spring, void* context)
{
    void** c = context;
    *(double*)c[1] += rslModel_SpringModulus(c[0], 0, spring);
    return true;
}

static void CheckModulus(const rslModel* model, double everywhere, double mean)
{
    const rslBody* body = &model->bodies[0];
    double* modulus = calloc((size_t)model->nodeCount, sizeof(double));
    assert_non_null(modulus);
    rslModel_NodeModulus(model, modulus);
    double sum = 0.0, volume = 0.0, springs = 0.0;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double share = model->mass[i] / body->density;
        sum += share * modulus[i];
        volume += share;
        assert_at_most(fabs(modulus[i] - body->bulk), everywhere * body->bulk);
    }
    void* context[2] = { (void*)(uintptr_t)model, &springs };
    rslModel_VisitSprings(model, 0, AddModulus, context);
    assert_close(sum, springs, 1e-12 * springs);
    assert_close(sum / volume, body->bulk, mean * body->bulk);
    free(modulus);
}

// Of a corner lattice at every node, of other networks on average.
static void ModulusOfNodes(void** state)
{
    (void)state;
    Run run = StartBlock("block", (rslVec3){ 0.7, 0.5, 0.4 }, 0.1, rsl_cornerLattice, (rslVec3){ .z = 1.0 }, 0.0);
    CheckModulus(run.model, 1e-12, 1e-12);
    EndRun(&run);
    rslShapeDef shape = rslDefaultShapeDef();
    shape.size = (rslVec3){ 1.2, 1.0, 0.9 };
    rslBodyDef body = Bar("random", &shape, 0.1);
    body.network = rslDefaultNetworkDef();
    body.network.type = rsl_randomNetwork;
    body.network.minLength = 0.1;
    body.network.maxLength = 0.18;
    rslScene scene = rslDefaultScene();
    scene.bodies = &body;
    scene.bodyCount = 1;
    rslModel* model = Built(&scene, NULL);
    CheckModulus(model, HUGE_VAL, 1e-9);
    rslModel_Free(model);
    body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "sheet";
    body.network.type = rsl_sheetNetwork;
    body.network.size[0] = 1.0;
    body.network.size[1] = 0.5;
    body.network.spacing = 0.1;
    body.network.thickness = 0.02;
    body.material = Bar("", &shape, 1.0).material;
    body.material.poisson = 1.0 / 3.0;
    model = Built(&scene, NULL);
    CheckModulus(model, HUGE_VAL, 1e-9);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Principal),       cmocka_unit_test(Angles),
        cmocka_unit_test(PatchAtNodes),    cmocka_unit_test(PatchOfAll),
        cmocka_unit_test(PatchInside),     cmocka_unit_test(ThreadsAndPrecision),
        cmocka_unit_test(PartsOfASpring),  cmocka_unit_test(FlowIsTheReaction),
        cmocka_unit_test(SheetInThePlane), cmocka_unit_test(GroundCarries),
        cmocka_unit_test(ModulusOfNodes),  cmocka_unit_test(LinkInAProbe),
    };
    return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}
