// SPDX-License-Identifier: MIT
//
// Displacement, strain and stress inside of lattices whose border is put where an exact solution has it.
//
// A force at a point of an infinite body (Kelvin 1848):
//   u_i     = (1+nu)/(8 pi E (1-nu)) [ (3-4nu) F_i/R + x_i (F.x)/R^3 ]
//   sigma_ij = -1/(8 pi (1-nu) R^2) [ 3 (F.x) x_i x_j/R^3 + (1-2nu) (F_i x_j + F_j x_i - d_ij F.x)/R ]
//   e_ij    = -(1+nu)/(8 pi E (1-nu) R^2) [ 3 (F.x) x_i x_j/R^3 - (F.x) d_ij/R + (1-2nu) (F_i x_j + F_j x_i)/R ]

#include "physics_fixture.h"

#include "resilin/field.h"

enum
{
    POINTS = 400
};

static const double radius = 5.0, young = 100.0, poisson = 0.25;
static const rslVec3 force = { 0.3e-4, -0.5e-4, 1e-4 };

static rslVec3 KelvinDisplacement(rslVec3 x)
{
    double R = rslLength(x), c = (1.0 + poisson) / (8.0 * PI * young * (1.0 - poisson));
    return rslMulAdd(rslScale(c * (3.0 - 4.0 * poisson) / R, force), c * rslDot(force, x) / (R * R * R), x);
}

// The part of stress and strain with three x, and d_ij times f.x, and the mixed products.
static rslSymmetric Kelvin(rslVec3 x, double scale, double diagonal)
{
    double R = rslLength(x), f = rslDot(force, x), n = 1.0 - 2.0 * poisson, c = -scale / (R * R * R);
    double X[3] = { x.x, x.y, x.z }, F[3] = { force.x, force.y, force.z }, t[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            t[i][j] =
                c * (3.0 * f * X[i] * X[j] / (R * R) + n * (F[i] * X[j] + F[j] * X[i]) + (i == j ? diagonal * f : 0.0));
        }
    }
    return (rslSymmetric){ t[0][0], t[1][1], t[2][2], t[1][2], t[2][0], t[0][1] };
}

static rslSymmetric KelvinStress(rslVec3 x)
{
    return Kelvin(x, 1.0 / (8.0 * PI * (1.0 - poisson)), -(1.0 - 2.0 * poisson));
}

static double Square(rslSymmetric s)
{
    return s.xx * s.xx + s.yy * s.yy + s.zz * s.zz + 2.0 * (s.yz * s.yz + s.zx * s.zx + s.xy * s.xy);
}

static double RelativeSquare(rslSymmetric a, rslSymmetric b)
{
    rslSymmetric d = { a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.yz - b.yz, a.zx - b.zx, a.xy - b.xy };
    return Square(d) / Square(b);
}

// Points of a shell, the same for every run.
static void DrawPoints(double low, double high, rslVec3* points)
{
    Random random = MakeRandom(7);
    for (int i = 0; i < POINTS;)
    {
        rslVec3 p = NextVec3(&random, high);
        double r = rslLength(p);
        points[i] = p;
        i += r > low && r < high ? 1 : 0;
    }
}

// ---- bodies held along an exact solution ----------------------------------------------------------------------------

typedef bool HeldPlace(rslVec3 x, double spacing);
typedef rslVec3 Solution(rslVec3 x);

static rslVec3 RestOf(const rslModel* model, int node)
{
    double X[3];
    rslBody_Rest(&model->bodies[0], node, node + 1, X);
    return rslAdd(model->bodies[0].frame.origin, (rslVec3){ X[0], X[1], X[2] });
}

// At rest with the chosen nodes where the solution has them, and a force on the node at the origin where there is one.
// Built twice: the nodes have to be known before they can be moved.
static Run StartHeld(const rslShapeDef* shape, rslModelType type, double spacing, HeldPlace* held, Solution* solution,
                     const rslVec3* pull)
{
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "body";
    body.shape = shape;
    body.model.type = type;
    body.network.spacing = spacing;
    body.material.young = young;
    body.material.poisson = poisson;
    body.material.density = 1.0;
    body.surface.enabled = false;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    rslModel* model = Built(&scene, NULL);
    int* nodes = calloc((size_t)model->nodeCount, sizeof(int));
    double* offsets = calloc((size_t)model->nodeCount, 3 * sizeof(double));
    assert_true(nodes != NULL && offsets != NULL);
    int count = 0, centre = -1;
    // backwards, as a user may list them
    for (int i = model->nodeCount - 1; i >= 0; --i)
    {
        rslVec3 at = RestOf(model, i);
        centre = rslLength(at) < 1e-9 ? i : centre;
        if (held(at, spacing))
        {
            rslVec3 u = solution(at);
            memcpy(offsets + 3 * count, (double[3]){ u.x, u.y, u.z }, 3 * sizeof(double));
            nodes[count++] = i;
        }
    }
    assert_true(centre >= 0 || pull == NULL);
    rslModel_Free(model);
    rslConstraintDef constraint = rslDefaultConstraintDef();
    constraint.type = rsl_motionConstraint;
    constraint.nodes = ListOf("body", nodes, count);
    constraint.offsets = offsets;
    constraint.offsetCount = count;
    rslLoadDef load = ForceOn(ListOf("body", &centre, 1), pull != NULL ? *pull : (rslVec3){ 0 });
    scene.constraints = &constraint;
    scene.constraintCount = 1;
    scene.loads = &load;
    scene.loadCount = pull != NULL ? 1 : 0;
    Run run = StartRun(&scene, SolverDef(rsl_static, RSL_AUTO));
    free(nodes);
    free(offsets);
    Step(&run, 1);
    return run;
}

// ---- a point force --------------------------------------------------------------------------------------------------

static bool InShell(rslVec3 x, double spacing)
{
    return rslLength(x) > radius - 1.6 * spacing;
}

static bool OnBorder(rslVec3 x, double spacing)
{
    (void)spacing;
    return fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z))) > 11.9;
}

typedef struct Sphere
{
    Run run;
    double spacing;
} Sphere;

static Sphere MakeSphere(rslModelType type, double spacing)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = radius;
    return (Sphere){ StartHeld(&shape, type, spacing, InShell, KelvinDisplacement, &force), spacing };
}

static double HardyError(Sphere* sphere, const rslVec3* points, double size, rslHardyKind kind)
{
    static rslHardyProbe probes[POINTS];
    static rslSymmetric stress[POINTS];
    double sum = 0.0;
    for (int i = 0; i < POINTS; ++i)
    {
        probes[i] = (rslHardyProbe){ points[i], size * sphere->spacing, kind };
    }
    assert_int_equal(rslSolver_HardyStress(sphere->run.solver, sphere->run.state, probes, POINTS, stress), rsl_ok);
    for (int i = 0; i < POINTS; ++i)
    {
        sum += RelativeSquare(stress[i], KelvinStress(points[i]));
    }
    return sqrt(sum / POINTS);
}

static rslSymmetric KelvinStrain(rslVec3 x)
{
    return Kelvin(x, (1.0 + poisson) / (8.0 * PI * young * (1.0 - poisson)), -1.0);
}

// Of strain, or of displacement.
static double InterpolatedError(Sphere* sphere, const rslVec3* points, bool strains)
{
    rslTessellation* t = NULL;
    assert_int_equal(rslTessellation_Create(sphere->run.model, 0, NULL, &t, NULL), rsl_ok);
    double sum = 0.0;
    for (int i = 0; i < POINTS; ++i)
    {
        rslSymmetric e;
        rslVec3 u, right = KelvinDisplacement(points[i]);
        assert_true(rslTessellation_Strain(t, sphere->run.state, points[i], RSL_AUTO, &e));
        assert_true(rslTessellation_Displacement(t, sphere->run.state, points[i], &u));
        double error = Distance(u, right) / rslLength(right);
        sum += strains ? RelativeSquare(e, KelvinStrain(points[i])) : error * error;
    }
    rslTessellation_Free(t);
    return sqrt(sum / POINTS);
}

static double DisplacementError(Sphere* sphere, double low, double high)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < sphere->run.model->nodeCount; ++i)
    {
        rslVec3 x = RestOf(sphere->run.model, i);
        double r = rslLength(x);
        if (r > low && r < high)
        {
            rslVec3 u = rslSub(PositionOf(&sphere->run, i), x), right = KelvinDisplacement(x);
            double error = Distance(u, right) / rslLength(right);
            sum += error * error;
            ++count;
        }
    }
    return sqrt(sum / count);
}

// What is measured, of springs and of bricks.
#define NAMED(bricks, what) ((bricks) ? what ", bricks" : what)

static void CheckPointForce(bool bricks)
{
    Sphere sphere = MakeSphere(bricks ? rsl_brickModel : rsl_springModel, radius / (Proving() ? 16 : 10));
    double a = sphere.spacing;
    static rslVec3 points[POINTS];
    DrawPoints(5.0 * a, 8.0 * a, points);
    assert_proved(NAMED(bricks, "point force, r = 5 to 8 a: displacement, rms"),
                  DisplacementError(&sphere, 5.0 * a, 8.0 * a), 0.01);
    assert_proved(NAMED(bricks, "point force, r = 5 to 8 a: Hardy line 1.3 a, rms"),
                  HardyError(&sphere, points, 1.3, rsl_lineHardy), bricks ? 0.06 : 0.09);
    assert_proved(NAMED(bricks, "point force, r = 5 to 8 a: Hardy sphere 0.6 a, rms"),
                  HardyError(&sphere, points, 0.6, rsl_sphereHardy), bricks ? 0.06 : 0.09);
    assert_proved(NAMED(bricks, "point force, r = 5 to 8 a: strain, rms"), InterpolatedError(&sphere, points, true),
                  0.10);
    assert_proved(NAMED(bricks, "point force, r = 5 to 8 a: displacement between nodes, rms"),
                  InterpolatedError(&sphere, points, false), 0.01);
    EndRun(&sphere.run);
}

static void PointForce(void** state)
{
    (void)state;
    CheckPointForce(false);
    CheckPointForce(true);
}

// ---- a spherical cavity ---------------------------------------------------------------------------------------------
//
// In an infinite body under the remote stress S along z, Papkovich and Neuber's potentials give, with R = |x|,
//   2 mu u = 2 mu S/E (z e3 - nu (x e1 + y e2)) + c1 grad(1/R) + c2 grad phi + c3 [(3 - 4 nu) psi e3 - z grad psi],
//   phi = (3 z^2 - R^2)/R^5, psi = -z/R^3, g = S/(2 (7 - 5 nu)), c1 = g a^3 (6 - 5 nu), c2 = g a^5, c3 = -5 g a^3
//   sigma_yz = 15 S a^3 y z/(2 (7 - 5 nu) R^5) [6/5 + nu - 3 a^2/R^2 - 5 z^2/R^2 + 7 a^2 z^2/R^4]
// Kot's figures 5.4 and 5.5 show it along a line near the cavity without saying where. Here: along z at y = 6.5 cells, and
// perpendicular to S, along y at z = 6.5; both in the plane x = 0, where the cavity is nearest.

static const double cavityRadius = 5.0, remote = 1e-4;

static rslVec3 CavityDisplacement(rslVec3 x)
{
    double R2 = rslDot(x, x), R = sqrt(R2), R3 = R2 * R, R5 = R3 * R2, a3 = pow(cavityRadius, 3.0);
    double g = remote / (2.0 * (7.0 - 5.0 * poisson)), mu = young / (2.0 * (1.0 + poisson));
    double c1 = g * a3 * (6.0 - 5.0 * poisson), c2 = g * a3 * cavityRadius * cavityRadius, c3 = -5.0 * g * a3;
    double psi = -x.z / R3, radial = -2.0 / R5 - 5.0 * (3.0 * x.z * x.z - R2) / (R5 * R2);
    rslVec3 e3 = { 0.0, 0.0, 1.0 };
    rslVec3 gradPhi = rslMulAdd(rslScale(radial, x), 6.0 * x.z / R5, e3);
    rslVec3 gradPsi = rslMulAdd(rslScale(3.0 * x.z / R5, x), -1.0 / R3, e3);
    rslVec3 u = { -2.0 * mu * remote / young * poisson * x.x, -2.0 * mu * remote / young * poisson * x.y,
                  2.0 * mu * remote / young * x.z };
    u = rslMulAdd(rslMulAdd(u, -c1 / R3, x), c2, gradPhi);
    u = rslMulAdd(rslMulAdd(u, c3 * (3.0 - 4.0 * poisson) * psi, e3), -c3 * x.z, gradPsi);
    return rslScale(1.0 / (2.0 * mu), u);
}

static double CavityShear(rslVec3 x)
{
    double R2 = rslDot(x, x), a2 = cavityRadius * cavityRadius;
    double bracket = 1.2 + poisson - 3.0 * a2 / R2 - 5.0 * x.z * x.z / R2 + 7.0 * a2 * x.z * x.z / (R2 * R2);
    return 15.0 * remote * a2 * cavityRadius * x.y * x.z / (2.0 * (7.0 - 5.0 * poisson) * R2 * R2 * sqrt(R2)) * bracket;
}

// Along a line through a point, within 10 cells of it.
static double ShearError(Run* run, rslVec3 point, rslVec3 direction, rslHardyKind kind, double size)
{
    enum
    {
        SAMPLES = 81
    };
    rslHardyProbe probes[SAMPLES];
    rslSymmetric stress[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i)
    {
        probes[i] = (rslHardyProbe){ rslMulAdd(point, 0.25 * (i - SAMPLES / 2), direction), size, kind };
    }
    assert_int_equal(rslSolver_HardyStress(run->solver, run->state, probes, SAMPLES, stress), rsl_ok);
    double sum = 0.0, most = 0.0;
    for (int i = 0; i < SAMPLES; ++i)
    {
        double right = CavityShear(probes[i].point), error = stress[i].yz - right;
        sum += error * error;
        most = Worse(most, fabs(right));
    }
    return sqrt(sum / SAMPLES) / most;
}

static void CheckCavity(bool bricks)
{
    rslShapeDef parts[2] = { rslDefaultShapeDef(), rslDefaultShapeDef() }, shape = rslDefaultShapeDef();
    parts[0].size = (rslVec3){ 24.0, 24.0, 24.0 };
    parts[1].type = rsl_sphereShape;
    parts[1].radius = cavityRadius;
    shape.type = rsl_differenceShape;
    shape.parts = parts;
    shape.partCount = 2;
    Run run = StartHeld(&shape, bricks ? rsl_brickModel : rsl_springModel, 1.0, OnBorder, CavityDisplacement, NULL);
    const rslVec3 along = { 0.0, 6.5, 0.0 }, across = { 0.0, 0.0, 6.5 };
    const rslVec3 z = { 0.0, 0.0, 1.0 }, y = { 0.0, 1.0, 0.0 };
    assert_proved(NAMED(bricks, "cavity, sigma_yz at x = 0, y = 6.5: line, rms over max"),
                  ShearError(&run, along, z, rsl_lineHardy, 1.3), 0.13);
    assert_proved(NAMED(bricks, "cavity, sigma_yz at x = 0, y = 6.5: sphere, rms over max"),
                  ShearError(&run, along, z, rsl_sphereHardy, 0.6), 0.08);
    assert_proved(NAMED(bricks, "cavity, sigma_yz at x = 0, z = 6.5: line, rms over max"),
                  ShearError(&run, across, y, rsl_lineHardy, 1.3), 0.06);
    assert_proved(NAMED(bricks, "cavity, sigma_yz at x = 0, z = 6.5: sphere, rms over max"),
                  ShearError(&run, across, y, rsl_sphereHardy, 0.6), 0.05);
    EndRun(&run);
}

static void Cavity(void** state)
{
    (void)state;
    CheckCavity(false);
    if (Proving())
    {
        CheckCavity(true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(PointForce), cmocka_unit_test(Cavity) };
    return cmocka_run_group_tests_name("exact_fields", tests, NULL, NULL);
}
