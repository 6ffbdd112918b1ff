// SPDX-License-Identifier: MIT
//
// Stress in spheres and force through planes, read off finite elements.

#include "field_fixture.h"

#include "overlap.h"

typedef enum Kind
{
    TRIANGLES,
    ANGLES,
    TETRAHEDRA,
    TRILINEAR,
    INCOMPATIBLE,
    BRICKS,
    BOXES,
    SOLIDS,
    DUAL,  // bricks between the nodes of a centred lattice
    KINDS
} Kind;

static const double young = 1e5;

static bool IsFlat(Kind kind)
{
    return kind == TRIANGLES || kind == ANGLES;
}

// Of a shape in three dimensions, or a sheet of the given size; one spacing or edge is about 1 / fine.
static rslBodyDef BodyOf(Kind kind, const rslShapeDef* shape, int fine, double poisson, rslElementLaw law)
{
    static const rslModelType models[KINDS] = { rsl_finiteModel, rsl_angleModel,  rsl_finiteModel,
                                                rsl_finiteModel, rsl_finiteModel, rsl_brickModel,
                                                rsl_boxModel,    rsl_finiteModel, rsl_brickModel };
    rslBodyDef body = LatticeBody("body", shape, 1.0 / fine);
    if (IsFlat(kind))
    {
        rslVec3 size = shape->size;
        body = GridBody("body", size.x, size.y, (int)(size.x * fine + 0.5), (int)(size.y * fine + 0.5));
        body.network.pattern = rsl_alternatingPattern;
    }
    if (kind == SOLIDS)
    {
        // longer than wide
        body.network = rslDefaultNetworkDef();
        body.network.type = rsl_hexahedraNetwork;
        body.network.grid[0] = (int)(0.8 * fine * shape->size.x + 0.5);
        body.network.grid[1] = (int)(fine * shape->size.y + 0.5);
        body.network.grid[2] = (int)(fine * shape->size.z + 0.5);
    }
    body.network.construction = kind == DUAL ? rsl_centredLattice : rsl_cornerLattice;
    body.network.type = kind == TETRAHEDRA ? rsl_tetrahedraNetwork : body.network.type;
    body.material.poisson = poisson;
    body.model.type = models[kind];
    body.model.law = law;
    body.model.element = kind == TRILINEAR ? rsl_trilinearHexahedron : rsl_autoHexahedron;
    body.surface.enabled = IsFlat(kind);
    return body;
}

static Run StartBody(const rslBodyDef* body, rslPrecision precision, int threads)
{
    rslScene scene = SceneOf(body, 1);
    scene.gravity = (rslVec3){ 0 };
    rslSolverDef def = SolverDef(rsl_positionVerlet, 1e-7);
    def.precision = precision;
    def.threads = threads;
    return StartRun(&scene, def);
}

static rslSymmetric HardyAt(Run* run, rslVec3 point, double radius)
{
    rslHardyProbe probe = { point, radius, rsl_lineHardy };
    rslSymmetric stress[2];
    for (int kind = 0; kind < 2; ++kind)
    {
        probe.kind = (rslHardyKind)kind;
        assert_int_equal(rslSolver_HardyStress(run->solver, run->state, &probe, 1, &stress[kind]), rsl_ok);
    }
    assert_memory_equal(&stress[0], &stress[1], sizeof stress[0]);  // the kind is about springs
    return stress[0];
}

static rslSymmetric Times(double f, rslSymmetric s)
{
    return (rslSymmetric){ f * s.xx, f * s.yy, f * s.zz, f * s.yz, f * s.zx, f * s.xy };
}

// ---- parts of elements ----------------------------------------------------------------------------------------------

static rslSimplex RandomSimplex(Random* random, int corners)
{
    rslSimplex t = { .corners = corners };
    for (int c = 0; c < corners; ++c)
    {
        t.x[c] = NextVec3(random, 1.0);
        t.s[c] = NextVec3(random, 0.5);
    }
    return t;
}

// Against points that are drawn from a simplex.
static void PartsOfSimplices(void** state)
{
    (void)state;
    enum
    {
        SAMPLES = 20000
    };
    Random random = MakeRandom(1);
    for (int n = 0; n < 60; ++n)
    {
        rslSimplex t = RandomSimplex(&random, 3 + n % 2);
        rslVec3 centre = NextVec3(&random, 0.7), moment = { 0 };
        double radius = NextBetween(&random, 0.2, 1.0), inside = 0.0;
        rslCut cut = { .offset = NextBetween(&random, -0.2, 0.2) };
        cut.normal = n % 3 == 0 ? (rslVec3){ 0 } : rslNormalize(NextVec3(&random, 1.0));
        for (int i = 0; i < SAMPLES; ++i)
        {
            double weight[4], sum = 0.0;
            rslVec3 x = { 0 }, s = { 0 };
            for (int c = 0; c < t.corners; ++c)
            {
                weight[c] = -log(1.0 - NextBetween(&random, 0.0, 1.0));
                sum += weight[c];
            }
            for (int c = 0; c < t.corners; ++c)
            {
                x = rslMulAdd(x, weight[c] / sum, t.x[c]);
                s = rslMulAdd(s, weight[c] / sum, t.s[c]);
            }
            bool in = Distance(x, centre) < radius && (n % 3 == 0 || rslDot(cut.normal, s) > cut.offset);
            inside += in ? 1.0 / SAMPLES : 0.0;
            moment = in ? rslMulAdd(moment, 1.0 / SAMPLES, s) : moment;
        }
        rslOverlap part = rslSimplex_InSphere(&t, &cut, centre, radius);
        assert_close(part.volume, inside, 0.015);
        assert_at_most(Distance(part.moment, moment), 0.01);
    }
}

// However a box is cut into tetrahedra, a sphere within has its own volume, large and small.
static void SphereInABox(void** state)
{
    (void)state;
    static const int orders[6][2] = { { 1, 3 }, { 2, 6 }, { 4, 5 }, { 2, 3 }, { 4, 6 }, { 1, 5 } };
    Random random = MakeRandom(2);
    double worst = 0.0;
    for (int n = 0; n < 40; ++n)
    {
        double radius = n < 20 ? NextBetween(&random, 0.1, 0.5) : 1e-4, sum = 0.0;
        rslVec3 centre = NextVec3(&random, 0.5 - radius);
        rslCut whole = { .offset = 0.0 };
        for (int o = 0; o < 6; ++o)
        {
            rslSimplex t = { .corners = 4 };
            const int corners[4] = { 0, orders[o][0], orders[o][1], 7 };
            for (int c = 0; c < 4; ++c)
            {
                int at = corners[c];
                t.x[c] = (rslVec3){ (at & 1) - 0.5, (at >> 1 & 1) - 0.5, (at >> 2) - 0.5 };
            }
            sum += rslSimplex_InSphere(&t, &whole, centre, radius).volume / 6.0;
        }
        worst = Worse(worst, fabs(sum / (4.0 / 3.0 * PI * radius * radius * radius) - 1.0));
    }
    assert_proved("elements in spheres: volume of a sphere", worst, 0.004);
}

// The plane leaves the part that it should.
static void PlanesThroughACell(void** state)
{
    (void)state;
    Random random = MakeRandom(3);
    for (int n = 0; n < 100; ++n)
    {
        rslVec3 direction = NextVec3(&random, 1.0);
        direction = n % 4 == 0 ? (rslVec3){ 0.0, n % 8 == 0 ? 2.0 : -2.0, 0.0 } : direction;
        double part = NextBetween(&random, 0.02, 0.98);
        rslCut cut = rslCut_Make(direction, part);
        int inside = 0;
        for (int i = 0; i < 20000; ++i)
        {
            inside += rslDot(cut.normal, NextVec3(&random, 0.5)) > cut.offset ? 1 : 0;
        }
        assert_close(inside / 20000.0, part, 0.02);
        assert_true(n % 4 != 0 || fabs(fabs(cut.offset) - fabs(0.5 - part)) < 2e-3);
    }
    rslCut none = rslCut_Make((rslVec3){ 0 }, 0.5);
    assert_true(rslLength(none.normal) == 0.0);
}

// ---- uniform strain -------------------------------------------------------------------------------------------------

static rslSymmetric PlaneStress(rslSymmetric e, double poisson)
{
    double c = young / (1.0 - poisson * poisson);
    return (rslSymmetric){ .xx = c * (e.xx + poisson * e.yy),
                           .yy = c * (e.yy + poisson * e.xx),
                           .xy = c * (1.0 - poisson) * e.xy };
}

// Anywhere within a body, and around all of it.
static void UniformStrain(void** state)
{
    (void)state;
    Random random = MakeRandom(4);
    rslShapeDef shape = BoxShape(1.2, 1.0, 0.9);
    double worst = 0.0, all = 0.0;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        bool flat = IsFlat((Kind)kind);
        double poisson = kind % 2 == 0 ? 0.3 : 0.1, volume = flat ? 1.2 * 0.01 : 1.2 * 0.9;
        rslBodyDef body = BodyOf((Kind)kind, &shape, 10, poisson, (rslElementLaw)(kind % rsl_elementLawCount));
        Run run = StartBody(&body, rsl_double, 1);
        rslSymmetric strain = RandomStrain(&random, 1e-6);
        if (flat)
        {
            strain.zz = strain.yz = strain.zx = 0.0;
        }
        rslSymmetric expected = flat ? PlaneStress(strain, poisson) : StressOf(strain, young, poisson);
        Strain(&run, strain);
        for (int n = 0; n < 20; ++n)
        {
            double radius = n % 2 == 0 ? 0.13 : NextBetween(&random, 0.02, 0.3);
            rslVec3 p = { NextBetween(&random, -1.0, 1.0) * (0.6 - radius),
                          NextBetween(&random, -1.0, 1.0) * (0.5 - radius),
                          flat ? 0.0 : NextBetween(&random, -1.0, 1.0) * (0.45 - radius) };
            rslSymmetric found = HardyAt(&run, p, radius);
            worst = Worse(worst, Norm(Minus(found, expected)) / Norm(expected));
        }
        rslSymmetric found = HardyAt(&run, (rslVec3){ 0 }, 2.0);
        double probe = flat ? PI * 4.0 * 0.01 : 4.0 / 3.0 * PI * 8.0;
        all = Worse(all, Norm(Minus(Times(probe / volume, found), expected)) / Norm(expected));
        EndRun(&run);
    }
    assert_proved("Hardy of elements, uniform strain: anywhere within", worst, 0.004);
    assert_proved("Hardy of elements, uniform strain: around the body", all, 2e-5);
}

// Far from rest, turned: what stress at the inner nodes says.
static void LargeStrain(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.6, 0.6, 0.6);
    rslMat3 turn = rslQuatMatrix(rslQuatNormalize((rslQuat){ 0.6, 0.5, -0.3, 0.8 }));
    double worst = 0.0;
    for (int kind = TETRAHEDRA; kind < KINDS; ++kind)
    {
        rslBodyDef body =
            BodyOf((Kind)kind, &shape, 10, 0.3, kind == BRICKS ? rsl_corotationalElement : rsl_neoHookeanElement);
        Run run = StartBody(&body, rsl_double, 1);
        rslSymmetric* nodes = calloc((size_t)run.model->nodeCount, sizeof *nodes);
        assert_non_null(nodes);
        int inner = -1;
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            rslVec3 x = PositionOf(&run, i);
            inner = rslLength(x) < 0.1 ? i : inner;
            rslVec3 y = { 1.5 * x.x + 0.2 * x.y, 0.8 * x.y, 0.9 * x.z + 0.1 * x.x };
            rslState_SetPosition(run.model, run.state, i, rslMatVec(&turn, y));
        }
        assert_true(inner >= 0);
        assert_int_equal(rslSolver_NodeStress(run.solver, run.state, nodes), rsl_ok);
        rslSymmetric found = HardyAt(&run, rslMatVec(&turn, (rslVec3){ 0.03, -0.02, 0.04 }), 0.13);
        // stress at nodes of tetrahedra is by their shares of mass
        double share = kind == TETRAHEDRA ? Norm(found) / Norm(nodes[inner]) : 1.0;
        worst = Worse(worst, Norm(Minus(found, Times(share, nodes[inner]))) / Norm(found));
        free(nodes);
        EndRun(&run);
    }
    assert_proved("Hardy of elements, stretched by half and turned: against nodes", worst, 0.004);
}

// Cells that the surface cuts: the whole exactly, and close to the surface nearly so.
static void CutCells(void** state)
{
    (void)state;
    Random random = MakeRandom(5);
    rslSymmetric strain = RandomStrain(&random, 1e-6), expected = StressOf(strain, young, 0.3);
    double all = 0.0, surface[3];
    for (int test = 0; test < 3; ++test)
    {
        rslShapeDef shape = test == 1 ? BallShape(0.5) : BoxShape(1.03, 0.97, 0.94);
        shape.translate = (rslVec3){ 0.013, -0.021, 0.017 };
        rslBodyDef body = BodyOf(test == 2 ? DUAL : BRICKS, &shape, 10, 0.3, rsl_corotationalElement);
        Run run = StartBody(&body, rsl_double, 1);
        assert_true(run.model->bodies[0].lattice.borderCount > 100);
        Strain(&run, strain);
        double volume = test == 1 ? PI / 6.0 : 1.03 * 0.97 * 0.94, square = 0.0;
        rslSymmetric found = HardyAt(&run, (rslVec3){ 0 }, 2.0);
        all = Worse(all, Norm(Minus(Times(4.0 / 3.0 * PI * 8.0 / volume, found), expected)) / Norm(expected));
        for (int n = 0; n < 40; ++n)
        {
            // touching the surface from within
            double radius = NextBetween(&random, 0.06, 0.13);
            rslVec3 p = test == 1 ? rslScale(0.5 - radius, rslNormalize(NextVec3(&random, 1.0)))
                                  : (rslVec3){ 0.515 - radius, NextBetween(&random, -0.3, 0.3),
                                               NextBetween(&random, -0.3, 0.3) };
            rslVec3 at = rslAdd(p, shape.translate);
            double error = Norm(Minus(HardyAt(&run, at, radius), expected)) / Norm(expected);
            square += error * error / 40.0;
        }
        surface[test] = sqrt(square);
        EndRun(&run);
    }
    assert_proved("Hardy of cut bricks, uniform strain: around the body", all, 2e-5);
    assert_proved("Hardy of cut bricks, uniform strain: at a plane surface, rms", fmax(surface[0], surface[2]), 0.004);
    assert_proved("Hardy of cut bricks, uniform strain: at the surface of a ball, rms", surface[1], 0.004);
}

// ---- bars and beams -------------------------------------------------------------------------------------------------

// What passes through any plane between the grips is what they hold, also by probes of a scene.
static void FlowIsTheReaction(void** state)
{
    (void)state;
    Random random = MakeRandom(6);
    rslShapeDef shape = BoxShape(2.0, 0.5, 0.5);
    double worst = 0.0;
    for (int kind = 0; kind < KINDS; kind += Sanitized() ? 3 : 1)
    {
        rslBodyDef body = BodyOf((Kind)kind, &shape, 8, 0.3, rsl_corotationalElement);
        bool flat = IsFlat((Kind)kind);
        rslConstraintDef grips[2] = { PinOf(SideOf("body", (rslVec3){ -0.93, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 })),
                                      MoveBy(SideOf("body", (rslVec3){ 0.93, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 }),
                                             (rslVec3){ 0.2, 0.1, 0.0 }) };
        rslScene scene = SceneOf(&body, 1);
        scene.plane = flat ? rsl_planeXY : rsl_space3;
        scene.gravity = (rslVec3){ 0 };
        scene.constraints = grips;
        scene.constraintCount = 2;
        Run run = StartRun(&scene, SolverDef(rsl_static, RSL_AUTO));
        Step(&run, 1);
        rslVec3 pull = rslSolver_Reaction(run.solver, run.state, 1);
        assert_true(pull.x > 1.0);
        for (int n = 0; n < 20; ++n)
        {
            rslVec3 point = { NextBetween(&random, -0.6, 0.6), 0.0, 0.0 };
            rslVec3 normal = { 1.0, NextBetween(&random, -0.4, 0.4), flat ? 0.0 : NextBetween(&random, -0.4, 0.4) };
            rslVec3 flow = rslSolver_Flow(run.solver, run.state, n % 2 - 1, point, normal);
            worst = Worse(worst, Distance(flow, pull) / rslLength(pull));
        }
        EndRun(&run);
    }
    assert_proved("flow through elements against the reaction", worst, 1e-6);
}

// Two materials one after the other: both hold the force over the cross-section.
static void Regions(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(2.0, 0.5, 0.5), right = BoxShape(2.0, 2.0, 2.0);
    rslBodyDef body = BodyOf(BRICKS, &shape, 10, 0.0, rsl_corotationalElement);
    rslRegionDef region = { .shape = &right, .material = body.material };
    right.translate.x = 1.0;
    region.material.young = 4.0 * young;
    body.regions = &region;
    body.regionCount = 1;
    rslConstraintDef grips[2] = { PinOf(SideOf("body", (rslVec3){ -0.99, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 })),
                                  MoveBy(SideOf("body", (rslVec3){ 0.99, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 }),
                                         (rslVec3){ 1e-4, 0.0, 0.0 }) };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.constraints = grips;
    scene.constraintCount = 2;
    Run run = StartRun(&scene, SolverDef(rsl_static, RSL_AUTO));
    Step(&run, 1);
    double pull = rslSolver_Reaction(run.solver, run.state, 1).x;
    for (int side = -1; side <= 1; side += 2)
    {
        rslSymmetric found = HardyAt(&run, (rslVec3){ 0.5 * side, 0.02, -0.03 }, 0.13);
        assert_close(found.xx, pull / 0.25, 0.004 * pull / 0.25);
    }
    rslVec3 flow = rslSolver_Flow(run.solver, run.state, 0, (rslVec3){ 0.01, 0.0, 0.0 }, (rslVec3){ 1.0, 0.3, 0.0 });
    assert_close(flow.x, pull, 1e-6 * pull);
    EndRun(&run);
}

// A cantilever of 4 x 1 x 1 under a force at its end: sigma_xx = M z / I between.
static double BendingError(Kind kind, int across, double poisson, double size)
{
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    rslBodyDef body = BodyOf(kind, &shape, across, poisson, rsl_linearElement);
    rslConstraintDef pin = PinOf(SideOf("body", (rslVec3){ -1.999, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 }));
    rslNodeSetDef end = SideOf("body", (rslVec3){ 1.999, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
    rslLoadDef load = ForceOn(end, (rslVec3){ 0.0, 0.0, 1.0 });
    rslScene scene = LoadedScene(&body, &pin, 1, &load);
    scene.gravity = (rslVec3){ 0 };
    Run run = StartRun(&scene, SolverDef(rsl_static, RSL_AUTO));
    Step(&run, 1);
    double radius = size / across, sum = 0.0;
    Random random = MakeRandom(7);
    for (int n = 0; n < 60; ++n)
    {
        rslVec3 p = { NextBetween(&random, -0.7, 0.7), NextBetween(&random, -1.0, 1.0) * (0.5 - radius),
                      NextBetween(&random, -1.0, 1.0) * (0.5 - radius) };
        // up: the upper side is pressed
        double right = -(2.0 - p.x) * p.z * 12.0, error = HardyAt(&run, p, radius).xx - right;
        sum += error * error / 60.0;
    }
    EndRun(&run);
    return sqrt(sum) / (2.0 * 0.5 * 12.0);
}

static void Bending(void** state)
{
    (void)state;
    assert_proved("Hardy 1.3 a in a cantilever of 4 bricks across, nu 0.3: rms over the largest stress",
                  BendingError(BRICKS, 4, 0.3, 1.3), 0.02);
    assert_proved("Hardy 0.6 a in a cantilever of 4 bricks across, nu 0.3: rms over the largest stress",
                  BendingError(BRICKS, 4, 0.3, 0.6), 0.02);
    if (!Proving())
    {
        return;
    }
    assert_proved("Hardy 0.6 a in a cantilever of 6 bricks across, nu 0.45: rms over the largest stress",
                  BendingError(BRICKS, 6, 0.45, 0.6), 0.02);
    assert_proved("Hardy 0.6 a in a cantilever of 4 hexahedra across, nu 0.3: rms over the largest stress",
                  BendingError(INCOMPATIBLE, 4, 0.3, 0.6), 0.02);
    assert_proved("Hardy 1.3 a in a cantilever of 6 boxes across, nu 0.3: rms over the largest stress",
                  BendingError(BOXES, 6, 0.3, 1.3), 0.05);
}

// ---- bits and memory ------------------------------------------------------------------------------------------------

static void ThreadsAndPrecision(void** state)
{
    (void)state;
    rslShapeDef shape = BallShape(0.5);
    rslSymmetric found[3];
    rslVec3 flow[3];
    for (int n = 0; n < 3; ++n)
    {
        rslBodyDef body = BodyOf(BRICKS, &shape, 8, 0.3, rsl_corotationalElement);
        Run run = StartBody(&body, n == 2 ? rsl_single : rsl_double, n == 1 ? 4 : 1);
        Strain(&run, (rslSymmetric){ 0.01, 0.02, -0.01, 0.005, 0.0, 0.003 });
        rslVec3 point = { 0.31, 0.12, -0.07 };
        found[n] = HardyAt(&run, point, 0.2);
        flow[n] = rslSolver_Flow(run.solver, run.state, 0, point, (rslVec3){ 0.0, 1.0, 0.0 });
        EndRun(&run);
    }
    assert_memory_equal(&found[0], &found[1], sizeof found[0]);
    assert_memory_equal(&flow[0], &flow[1], sizeof flow[0]);
    assert_at_most(Norm(Minus(found[0], found[2])), 1e-4 * Norm(found[0]));
    assert_at_most(Distance(flow[0], flow[2]), 1e-4 * rslLength(flow[0]));
}

// Many probes as one by one, and every allocation failing once.
static void ManyAndMemory(void** state)
{
    (void)state;
    enum
    {
        POINTS = 30
    };
    Heap heap = { 0 };
    rslHooks hooks = HeapHooks(&heap);
    rslShapeDef shape = BoxShape(0.6, 0.5, 0.4);
    rslBodyDef body = BodyOf(BRICKS, &shape, 10, 0.3, rsl_corotationalElement);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslSolverDef def = SolverDef(rsl_positionVerlet, 1e-7);
    rslSolver* solver = NULL;
    assert_int_equal(rslSolver_Create(model, &def, &hooks, &solver, NULL), rsl_ok);
    Run run = { model, solver, StateOf(model, rsl_double) };
    Strain(&run, (rslSymmetric){ 0.01, 0.02, -0.01, 0.005, 0.0, 0.003 });
    Random random = MakeRandom(8);
    rslHardyProbe probes[POINTS];
    rslSymmetric stress[POINTS];
    for (int i = 0; i < POINTS; ++i)
    {
        probes[i] = (rslHardyProbe){ NextVec3(&random, 0.4), NextBetween(&random, 0.05, 0.2), rsl_lineHardy };
    }
    int before = heap.calls, live = heap.live;
    assert_int_equal(rslSolver_HardyStress(solver, run.state, probes, POINTS, stress), rsl_ok);
    int calls = heap.calls - before;
    for (int i = 0; i < POINTS; ++i)
    {
        rslSymmetric alone;
        assert_int_equal(rslSolver_HardyStress(solver, run.state, &probes[i], 1, &alone), rsl_ok);
        assert_memory_equal(&alone, &stress[i], sizeof alone);
    }
    for (int at = 1; at <= calls; ++at)
    {
        heap.failAt = heap.calls + at;
        assert_int_equal(rslSolver_HardyStress(solver, run.state, probes, POINTS, stress), rsl_outOfMemory);
        assert_int_equal(heap.live, live);
    }
    heap.failAt = heap.calls + 1;
    assert_true(isnan(rslSolver_Flow(solver, run.state, 0, (rslVec3){ 0 }, (rslVec3){ 1.0, 0.0, 0.0 }).x));
    heap.failAt = 0;
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PartsOfSimplices),    cmocka_unit_test(SphereInABox),  cmocka_unit_test(PlanesThroughACell),
        cmocka_unit_test(UniformStrain),       cmocka_unit_test(LargeStrain),   cmocka_unit_test(CutCells),
        cmocka_unit_test(FlowIsTheReaction),   cmocka_unit_test(Regions),       cmocka_unit_test(Bending),
        cmocka_unit_test(ThreadsAndPrecision), cmocka_unit_test(ManyAndMemory),
    };
    return cmocka_run_group_tests_name("element_field", tests, NULL, NULL);
}
