// SPDX-License-Identifier: MIT
//
// test_angles.c: sheets of springs, angular springs and springs of the area: moduli, the stiffness of finite elements in any
// triangle, the energy by angles, large strain. Differences of energy and forces, momentum and precision are in test_terms.c
// and test_forces.c.

#include "physics_fixture.h"
#include "backend.h"
#include "state_internal.h"
#include "tension.h"

#include "resilin/element.h"
#include "resilin/field.h"
#include "resilin/observe.h"

static const double YOUNG = 1e5, THICKNESS = 0.01;

static rslBodyDef AngleSheet(rslSheetPattern pattern, double x, double y, int nx, int ny, double poisson)
{
    rslBodyDef body = GridBody("sheet", x, y, nx, ny);
    body.network.pattern = pattern;
    body.material.poisson = poisson;
    body.model.type = rsl_angleModel;
    return body;
}

// One triangle, twice: meshes have four corners at least. The other is far away.
static rslBodyDef TriangleSheet(rslShapeDef* shape, double vertices[18], double poisson)
{
    static const int triangles[6] = { 0, 1, 2, 3, 4, 5 };
    for (int c = 0; c < 9; ++c)
    {
        vertices[9 + c] = vertices[c] + 10.0;
    }
    rslBodyDef body = AngleSheet(rsl_crossedPattern, 0.0, 0.0, 0, 0, poisson);
    *shape = MeshShape(vertices, 6, triangles, 2);
    body.shape = shape;
    return body;
}

// ---- moduli -----------------------------------------------------------------------------------------------------------

// The larger error of E, relative, and of nu, in a pull along an axis.
static double PullError(const rslBodyDef* body, int axis, double strain)
{
    rslScene scene = SceneOf(body, 1);
    rslTensionDef def = rslDefaultTensionDef();
    rslTension tension;
    rslReport report = { 0 };
    def.axis = axis;
    def.strain = strain;
    def.threads = 1;
    rslStatus status = rslTension_Pull(&scene, 0, &def, NULL, &tension, &report);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    return fmax(fabs(tension.young / YOUNG - 1.0), fabs(tension.poisson - body->material.poisson));
}

static void Moduli(void** unused)
{
    (void)unused;
    static const double asked[] = { -0.5, 0.0, 0.2, 0.45, 0.8 }, others[] = { -0.97, -0.9, 1.0 / 3.0, 0.6, 0.99 };
    static const int sizes[][2] = { { 8, 7 }, { 15, 8 }, { 5, 12 }, { 40, 20 } };
    static const char* const names[] = { "hexagonal sheet of angles: E and nu, nu = -0.5, 0, 0.2, 0.45, 0.8",
                                         "hexagonal sheet of angles: E and nu, nu = -0.97, -0.9, 1/3, 0.6, 0.99" };
    for (int part = 0; part < 2; ++part)
    {
        double worst = 0.0;
        for (int test = 0; test < 5 * (Proving() ? 4 : 2); ++test)
        {
            const int* n = sizes[test / 5];
            double nu = (part == 0 ? asked : others)[test % 5];
            rslBodyDef body = AngleSheet(rsl_hexagonalPattern, 0.1 * n[0], 0.0866 * n[1], n[0], n[1], nu);
            worst = Worse(worst, fmax(PullError(&body, 0, 0.0), PullError(&body, 1, 0.0)));
            worst = Worse(worst, PullError(&body, test % 2, 1e-7));
        }
        assert_proved(names[part], worst, 1e-5);
    }
}

static void Squares(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.8, 0.0, 0.3, 0.5, 0.9 };
    double worst = 0.0;
    for (int test = 0; test < 10; ++test)
    {
        rslSheetPattern pattern = test < 5 ? rsl_crossedPattern : rsl_alternatingPattern;
        rslBodyDef body = AngleSheet(pattern, 1.0, 0.8, 8, test % 2 == 0 ? 6 : 9, ratios[test % 5]);
        worst = Worse(worst, fmax(PullError(&body, 0, 0.0), PullError(&body, 1, 0.0)));
    }
    assert_proved("square sheets of angles: E and nu", worst, 1e-5);
}

// ---- matrices ---------------------------------------------------------------------------------------------------------

// Of one triangle in the plane z = 0.
typedef struct Matrix
{
    double k[9][9];
} Matrix;

static void Products(const rslModel* model, rslProduct which, Matrix* matrix)
{
    rslState* state = StateOf(model, rsl_double);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    void* kernel = rslBackend64.create(model, rsl_static, NULL, team);
    size_t room = (size_t)model->nodeCount + RSL_STATE_PADDING;
    double* memory = calloc(6 * room, sizeof(double));
    assert_non_null(memory);
    double* p[3] = { memory, memory + room, memory + 2 * room };
    double* out[3] = { memory + 3 * room, memory + 4 * room, memory + 5 * room };
    for (int c = 0; c < 9; ++c)
    {
        p[c % 3][c / 3] = 1.0;
        assert_true(rslBackend64.product(kernel, state, which, p, out));
        p[c % 3][c / 3] = 0.0;
        for (int r = 0; r < 9; ++r)
        {
            matrix->k[r][c] = out[r % 3][r / 3];
        }
    }
    free(memory);
    rslBackend64.destroy(kernel);
    rslTeam_Free(team);
    rslState_Free(state);
}

// Over the largest number of the expected one, times factor.
static double MatrixError(const Matrix* found, double (*expected)[6], double factor)
{
    double error = 0.0, largest = 0.0;
    for (int r = 0; r < 9; ++r)
    {
        for (int c = 0; c < 9; ++c)
        {
            bool plane = r % 3 < 2 && c % 3 < 2;
            double wanted = plane ? factor * expected[2 * (r / 3) + r % 3][2 * (c / 3) + c % 3] : 0.0;
            error = Worse(error, fabs(found->k[r][c] - wanted));
            largest = Worse(largest, fabs(wanted));
        }
    }
    return error / largest;
}

// K at rest is that of the linear triangle, whatever the triangle, and damping is alpha1 K.
static void AnyTriangle(void** unused)
{
    (void)unused;
    Random random = MakeRandom(5);
    double worst = 0.0, damped = 0.0;
    int obtuse = 0;
    for (int test = 0; test < (Proving() ? 3000 : 200); ++test)
    {
        double x[6], vertices[18] = { 0 };
        double k[6][6], area = 0.0, longest = 0.0, sum = 0.0;
        do
        {
            longest = sum = 0.0;
            for (int c = 0; c < 6; ++c)
            {
                x[c] = NextBetween(&random, -1.0, 1.0);
                vertices[3 * (c / 2) + c % 2] = x[c];
            }
            for (int c = 0; c < 3; ++c)
            {
                double dx = x[2 * ((c + 1) % 3)] - x[2 * c], dy = x[2 * ((c + 1) % 3) + 1] - x[2 * c + 1];
                longest = Worse(longest, dx * dx + dy * dy);
                sum += dx * dx + dy * dy;
            }
            area = rslFiniteTriangle_Stiffness(x, YOUNG, 0.0, THICKNESS, k);
        } while (area < 0.02 * longest);
        obtuse += 2.0 * longest > sum ? 1 : 0;
        double nu = NextBetween(&random, -0.95, 0.97);
        rslFiniteTriangle_Stiffness(x, YOUNG, nu, THICKNESS, k);
        rslShapeDef shape;
        rslBodyDef body = TriangleSheet(&shape, vertices, nu);
        body.material.stiffnessDamping = 0.25;
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        Matrix found;
        Products(model, rsl_stiffnessProduct, &found);
        worst = Worse(worst, MatrixError(&found, k, 1.0));
        Products(model, rsl_dampingProduct, &found);
        damped = Worse(damped, MatrixError(&found, k, 0.25));
        rslModel_Free(model);
    }
    assert_true(obtuse > 20);
    assert_proved("any triangle of angles: its stiffness against the finite element", worst, 1e-9);
    assert_proved("any triangle of angles: its damping against alpha1 K", damped, 1e-9);
}

// ---- energy -------------------------------------------------------------------------------------------------------------

static double AngleAt(rslVec3 corner, rslVec3 a, rslVec3 b)
{
    rslVec3 p = rslSub(a, corner), q = rslSub(b, corner);
    return atan2(rslLength(rslCross(p, q)), rslDot(p, q));
}

// The energy of an equilateral triangle as the formulas have it that theory gives: springs and either angles or area.
static double PlainEnergy(const rslVec3 x[3], double edge, double nu)
{
    double stretch = YOUNG * THICKNESS, area = 0.25 * sqrt(3.0) * edge * edge, sum = 0.0;
    double k = stretch / (2.0 * sqrt(3.0)) * fmin(1.0 / (1.0 - nu), 2.0 / (1.0 + nu));
    double c = stretch * edge * edge * fmax(1.0 - 3.0 * nu, 0.0) / (6.0 * sqrt(3.0) * (1.0 - nu * nu));
    double b = stretch * fmax(0.5 / (1.0 - nu) - 1.0 / (1.0 + nu), 0.0);
    for (int i = 0; i < 3; ++i)
    {
        rslVec3 left = x[(i + 1) % 3], right = x[(i + 2) % 3];
        double longer = Distance(left, right) - edge, sides = Distance(x[i], left) * Distance(x[i], right);
        double turned = AngleAt(x[i], left, right) - PI / 3.0;
        sum += 0.5 * k * longer * longer + c * sides / (edge * edge) * 2.0 * pow(sin(0.5 * turned), 2.0);
    }
    double wider = 0.5 * rslLength(rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0]))) / area - 1.0;
    return sum + 0.5 * b * area * wider * wider;
}

static void Energies(void** unused)
{
    (void)unused;
    static const double edge = 0.3;
    double vertices[18] = { 0.0, 0.0, 0.0, edge, 0.0, 0.0, 0.5 * edge, 0.5 * sqrt(3.0) * edge, 0.0 };
    Random random = MakeRandom(8);
    double worst = 0.0;
    for (int test = 0; test < 60; ++test)
    {
        double nu = NextBetween(&random, -0.9, 0.95);
        rslShapeDef shape;
        rslBodyDef body = TriangleSheet(&shape, vertices, nu);
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        Run run = StartRun(&scene, SolverDef(rsl_velocityVerlet, 1e-5));
        rslVec3 x[3];
        for (int i = 0; i < 3; ++i)
        {
            x[i] = rslAdd(PositionOf(&run, i), NextVec3(&random, test % 3 == 0 ? 0.5 * edge : 0.1 * edge));
            SetNode(&run, i, x[i], (rslVec3){ 0.0, 0.0, 0.0 });
        }
        double expected = PlainEnergy(x, edge, nu), found = rslSolver_Energy(run.solver, run.state).springs;
        worst = Worse(worst, fabs(found / expected - 1.0));
        EndRun(&run);
    }
    assert_proved("equilateral triangle of angles: energy against the formula", worst, 1e-9);
}

// An obtuse triangle: mu V (|F|^2 / 2 - d) + K V / 2 (d - 1)^2, d the ratio of areas.
static void ObtuseEnergies(void** unused)
{
    (void)unused;
    Random random = MakeRandom(21);
    double worst = 0.0;
    for (int test = 0; test < 40; ++test)
    {
        double vertices[18] = { 0.0, 0.0, 0.0, 0.4, 0.0, 0.0, NextBetween(&random, 0.1, 0.3), 0.08, 0.0 };
        double nu = NextBetween(&random, -0.9, 0.95), px = vertices[6], py = vertices[7];
        rslShapeDef shape;
        rslBodyDef body = TriangleSheet(&shape, vertices, nu);
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        Run run = StartRun(&scene, SolverDef(rsl_velocityVerlet, 1e-5));
        rslVec3 x[3];
        for (int i = 0; i < 3; ++i)
        {
            x[i] = rslAdd(PositionOf(&run, i), NextVec3(&random, test % 3 == 0 ? 0.2 : 0.02));
            SetNode(&run, i, x[i], (rslVec3){ 0.0, 0.0, 0.0 });
        }
        // F = [a b] D^-1 with D = [0.4 px; 0 py]
        rslVec3 a = rslScale(1.0 / 0.4, rslSub(x[1], x[0]));
        rslVec3 b = rslScale(1.0 / py, rslSub(rslSub(x[2], x[0]), rslScale(px, a)));
        double d = rslLength(rslCross(a, b)), volume = THICKNESS * 0.5 * 0.4 * py;
        double mu = YOUNG / (2.0 * (1.0 + nu)), bulk = YOUNG / (2.0 * (1.0 - nu));
        double expected =
            volume * (mu * (0.5 * (rslDot(a, a) + rslDot(b, b)) - d) + 0.5 * bulk * (d - 1.0) * (d - 1.0));
        worst = Worse(worst, fabs(rslSolver_Energy(run.solver, run.state).springs / expected - 1.0));
        EndRun(&run);
    }
    assert_proved("obtuse triangle of angles: energy against the formula", worst, 1e-9);
}

// ---- any mesh -------------------------------------------------------------------------------------------------------------

enum
{
    SIDE = 9  // nodes
};

// Squares of random corners: acute, right and obtuse triangles. Under a uniform strain all inner nodes are in balance, and the
// stress is everywhere that of the material.
static void Patch(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.7, 0.1, 0.8 };
    double vertices[3 * SIDE * SIDE], worst = 0.0;
    int triangles[6 * (SIDE - 1) * (SIDE - 1)], *at = triangles;
    Random random = MakeRandom(4);
    for (int n = 0; n < SIDE * SIDE; ++n)
    {
        vertices[3 * n] = 0.1 * (n % SIDE) + NextBetween(&random, -0.03, 0.03);
        vertices[3 * n + 1] = 0.1 * (n / SIDE) + NextBetween(&random, -0.03, 0.03);
        vertices[3 * n + 2] = 0.0;
        if (n % SIDE < SIDE - 1 && n / SIDE < SIDE - 1)
        {
            const int corner[6] = { n, n + 1, n + SIDE + 1, n, n + SIDE + 1, n + SIDE };
            memcpy(at, corner, sizeof corner);
            at += 6;
        }
    }
    for (int test = 0; test < 3; ++test)
    {
        double nu = ratios[test], e[3] = { 1e-6, -0.4e-6, 0.7e-6 }, modulus = YOUNG / (1.0 - nu * nu);
        const double expected[3] = { modulus * (e[0] + nu * e[1]), modulus * (e[1] + nu * e[0]),
                                     modulus * (1.0 - nu) * e[2] };
        rslShapeDef shape;
        double none[18] = { 0 };
        rslBodyDef body = TriangleSheet(&shape, none, nu);
        shape.vertices = vertices;
        shape.vertexCount = SIDE * SIDE;
        shape.triangles = triangles;
        shape.triangleCount = 2 * (SIDE - 1) * (SIDE - 1);
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        Run run = StartRun(&scene, SolverDef(rsl_velocityVerlet, 1e-5));
        rslSymmetric stress[SIDE * SIDE];
        double forces[3 * SIDE * SIDE];
        for (int i = 0; i < SIDE * SIDE; ++i)
        {
            rslVec3 x = PositionOf(&run, i);
            rslVec3 u = { e[0] * x.x + e[2] * x.y, e[2] * x.x + e[1] * x.y, 0.0 };
            SetNode(&run, i, rslAdd(x, u), (rslVec3){ 0.0, 0.0, 0.0 });
        }
        assert_int_equal(rslSolver_NodeStress(run.solver, run.state, stress), rsl_ok);
        rslSolver_Fields(run.solver, run.state, forces, NULL, NULL);
        double size = THICKNESS * 0.1 * modulus * 1e-6;
        for (int i = 0; i < SIDE * SIDE; ++i)
        {
            bool inside = i % SIDE > 0 && i % SIDE < SIDE - 1 && i / SIDE > 0 && i / SIDE < SIDE - 1;
            double off = fmax(fabs(stress[i].xx - expected[0]), fabs(stress[i].yy - expected[1]));
            off = Worse(off, fabs(stress[i].xy - expected[2])) / (modulus * 1e-6);
            worst = Worse(worst, off);
            worst = Worse(worst, inside ? hypot(forces[3 * i], forces[3 * i + 1]) / size : 0.0);
        }
        EndRun(&run);
    }
    assert_proved("any mesh of angles: stress and balance under uniform strain", worst, 1e-4);
}

// ---- large strain ---------------------------------------------------------------------------------------------------------

static double WidthOf(const Run* run)
{
    double low = 1e9, high = -1e9;
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        rslVec3 x = PositionOf(run, i);
        low = fabs(x.x) < 0.11 ? fmin(low, x.y) : low;
        high = fabs(x.x) < 0.11 ? fmax(high, x.y) : high;
    }
    return high - low;
}

// A strip that is pulled by a quarter becomes wider or narrower in its middle; rest is found.
static void Strip(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.6, 0.0, 0.8 };
    for (int test = 0; test < 3; ++test)
    {
        rslBodyDef body = AngleSheet(rsl_hexagonalPattern, 4.0, 0.866, 40, 10, ratios[test]);
        rslConstraintDef held[2] = {
            PinOf(SideOf("sheet", (rslVec3){ -1.94, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 })),
            PinOf(SideOf("sheet", (rslVec3){ 1.94, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 })),
        };
        held[1].type = rsl_motionConstraint;
        held[1].move.translate = (rslVec3){ 1.0, 0.0, 0.0 };
        held[1].move.course = RampOf(0.0, 1.0, false);
        rslScene scene = SceneOf(&body, 1);
        scene.plane = rsl_planeXY;
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        scene.constraints = held;
        scene.constraintCount = 2;
        Run run = StartRun(&scene, SolverDef(rsl_static, 0.25));
        double before = WidthOf(&run);
        Step(&run, 4);
        assert_int_equal(rslSolver_Rest(run.solver).outcome, rsl_restFound);
        double strain = (WidthOf(&run) / before - 1.0) / 0.25;
        assert_true(ratios[test] < 0.0 ? strain > 0.2 : ratios[test] > 0.0 ? strain < -0.4 : fabs(strain) < 0.1);
        EndRun(&run);
    }
}

// Held at both ends and stretched, a sheet sags: nothing but its stress holds it across its plane.
static void Hang(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.5, 0.0, 0.5, 0.8 };
    int most = 0;
    for (int test = 0; test < 4; ++test)
    {
        rslBodyDef body = AngleSheet(rsl_hexagonalPattern, 1.0, 0.5, 20, 10, ratios[test]);
        rslConstraintDef grips[2] = { PinOf(SideOf("sheet", (rslVec3){ -0.49, 0, 0 }, (rslVec3){ -1, 0, 0 })),
                                      MoveBy(SideOf("sheet", (rslVec3){ 0.49, 0, 0 }, (rslVec3){ 1, 0, 0 }),
                                             (rslVec3){ 0.05, 0.0, 0.0 }) };
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, -1.0 };
        scene.constraints = grips;
        scene.constraintCount = 2;
        Run run = StartRun(&scene, SolverDef(rsl_static, RSL_AUTO));
        Step(&run, 1);
        rslRest rest = rslSolver_Rest(run.solver);
        assert_int_equal(rest.outcome, rsl_restFound);
        most = rest.iterations > most ? rest.iterations : most;
        EndRun(&run);
    }
    assert_proved("a stretched sheet of angles sags: iterations", most, 200);
}

// Released from a stretch of a fifth, with a spin, without damping. At a quarter of the stable step the energy swings by half a
// percent, as that of springs and of finite elements does; it must not grow.
static void Flight(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.7, 0.1, 0.8 };
    double drift = 0.0, spin = 0.0;
    for (int test = 0; test < 3; ++test)
    {
        rslBodyDef body =
            AngleSheet(test == 1 ? rsl_alternatingPattern : rsl_hexagonalPattern, 1.0, 0.7, 10, 8, ratios[test]);
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        rslSolverDef def = SolverDef(rsl_velocityVerlet, RSL_AUTO);
        def.fraction = 0.25;
        Run run = StartRun(&scene, def);
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            rslVec3 x = PositionOf(&run, i);
            rslVec3 to = { 1.2 * x.x, 0.9 * x.y, 0.02 * sin(9.0 * x.x) };
            SetNode(&run, i, to, (rslVec3){ -3.0 * to.y, 3.0 * to.x, 0.5 * to.x });
        }
        rslEnergy start = rslSolver_Energy(run.solver, run.state);
        rslVec3 turning = rslSolver_Motion(run.solver, run.state, 0).angularMomentum;
        Step(&run, Proving() ? 30000 : 3000);
        rslEnergy end = rslSolver_Energy(run.solver, run.state);
        rslVec3 after = rslSolver_Motion(run.solver, run.state, 0).angularMomentum;
        double total = start.kinetic + start.springs;
        drift = Worse(drift, fabs(end.kinetic + end.springs - total) / total);
        spin = Worse(spin, rslLength(rslSub(after, turning)) / rslLength(turning));
        EndRun(&run);
    }
    assert_proved("sheets of angles in flight, 30000 steps: energy at a quarter of the stable step", drift, 0.01);
    assert_proved("sheets of angles in flight, 30000 steps: angular momentum", spin, 1e-10);
}

// What a sheet takes by itself, and what it cannot stand beside.
static void Choice(void** unused)
{
    (void)unused;
    rslBodyDef body = AngleSheet(rsl_crossedPattern, 1.0, 1.0, 4, 4, 0.6);
    rslDriveDef drive = rslDefaultDriveDef();
    rslScene scene = SceneOf(&body, 1);
    body.model.type = rsl_autoModel;
    assert_int_equal(rslScene_ChooseModel(&scene, &body), rsl_angleModel);
    rslModel* model = Built(&scene, NULL);
    assert_int_equal(model->bodies[0].elements.kind, rsl_angleElements);
    assert_close(model->bodies[0].poisson, 0.6, 0.0);
    assert_close(model->bodies[0].bulk, YOUNG / 0.8, 1e-9 * YOUNG);
    rslModel_Free(model);
    body.network.law = rsl_carrierSpring;
    assert_int_equal(rslScene_ChooseModel(&scene, &body), rsl_springModel);
    body.network.law = rsl_linearSpring;
    scene.drives = &drive;
    scene.driveCount = 1;
    assert_int_equal(rslScene_ChooseModel(&scene, &body), rsl_springModel);
    scene.driveCount = 0;
    body.material.poisson = 0.33;
    assert_int_equal(rslScene_ChooseModel(&scene, &body), rsl_springModel);
    body.model.type = rsl_angleModel;
    body.material.poisson = 1.0;
    Refused(&scene, (rslPlace){ 0, 0 }, "expected a number in (-1, 1)");
    body.material.poisson = -1.0;
    Refused(&scene, (rslPlace){ 0, 0 }, "expected a number in (-1, 1)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Moduli),   cmocka_unit_test(Squares),        cmocka_unit_test(AnyTriangle),
        cmocka_unit_test(Energies), cmocka_unit_test(ObtuseEnergies), cmocka_unit_test(Patch),
        cmocka_unit_test(Strip),    cmocka_unit_test(Hang),           cmocka_unit_test(Flight),
        cmocka_unit_test(Choice),
    };
    return cmocka_run_group_tests_name("angles", tests, NULL, NULL);
}
