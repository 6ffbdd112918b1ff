// SPDX-License-Identifier: MIT
//
// A force at a point of an infinite body (Kelvin 1848): displacement, strain and stress of a lattice sphere whose outer shell
// is put where Kelvin's solution has it.
//
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

typedef struct Sphere
{
    Run run;
    double spacing;
    int centre;  // the node at the origin
} Sphere;

// Built twice: the nodes of the shell have to be known before they can be moved.
static Sphere MakeSphere(double spacing)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = radius;
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "ball";
    body.shape = &shape;
    body.network.spacing = spacing;
    body.material.young = young;
    body.material.poisson = poisson;
    body.material.density = 1.0;
    body.surface.enabled = false;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    Sphere sphere = { .spacing = spacing, .centre = -1 };
    rslModel* model = Built(&scene, NULL);
    int* shell = calloc((size_t)model->nodeCount, sizeof(int));
    double* offsets = calloc((size_t)model->nodeCount, 3 * sizeof(double));
    assert_true(shell != NULL && offsets != NULL);
    int count = 0;
    // backwards, as a user may list them
    for (int i = model->nodeCount - 1; i >= 0; --i)
    {
        double x[3];
        rslBody_Rest(&model->bodies[0], i, i + 1, x);
        rslVec3 at = rslAdd(model->bodies[0].frame.origin, (rslVec3){ x[0], x[1], x[2] });
        sphere.centre = rslLength(at) < 1e-9 ? i : sphere.centre;
        if (rslLength(at) > radius - 1.6 * spacing)
        {
            rslVec3 u = KelvinDisplacement(at);
            memcpy(offsets + 3 * count, (double[3]){ u.x, u.y, u.z }, 3 * sizeof(double));
            shell[count++] = i;
        }
    }
    assert_true(sphere.centre >= 0);
    rslModel_Free(model);
    rslConstraintDef held = rslDefaultConstraintDef();
    held.type = rsl_motionConstraint;
    held.nodes = ListOf("ball", shell, count);
    held.offsets = offsets;
    held.offsetCount = count;
    rslLoadDef load = ForceOn(ListOf("ball", &sphere.centre, 1), force);
    scene.constraints = &held;
    scene.constraintCount = 1;
    scene.loads = &load;
    scene.loadCount = 1;
    sphere.run = StartRun(&scene, SolverDef(rsl_static, RSL_AUTO));
    free(shell);
    free(offsets);
    Step(&sphere.run, 1);
    return sphere;
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
        double X[3];
        const rslBody* body = &sphere->run.model->bodies[0];
        rslBody_Rest(body, i, i + 1, X);
        rslVec3 x = rslAdd(body->frame.origin, (rslVec3){ X[0], X[1], X[2] });
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

static void PointForce(void** state)
{
    (void)state;
    Sphere sphere = MakeSphere(radius / (Proving() ? 16 : 10));
    double a = sphere.spacing;
    static rslVec3 points[POINTS];
    DrawPoints(5.0 * a, 8.0 * a, points);
    assert_proved("point force, r = 5 to 8 a: displacement, rms", DisplacementError(&sphere, 5.0 * a, 8.0 * a), 0.01);
    assert_proved("point force, r = 5 to 8 a: Hardy line 1.3 a, rms", HardyError(&sphere, points, 1.3, rsl_lineHardy),
                  0.09);
    assert_proved("point force, r = 5 to 8 a: Hardy sphere 0.6 a, rms",
                  HardyError(&sphere, points, 0.6, rsl_sphereHardy), 0.09);
    assert_proved("point force, r = 5 to 8 a: strain, rms", InterpolatedError(&sphere, points, true), 0.10);
    assert_proved("point force, r = 5 to 8 a: displacement between nodes, rms",
                  InterpolatedError(&sphere, points, false), 0.01);
    EndRun(&sphere.run);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(PointForce) };
    return cmocka_run_group_tests_name("point_force", tests, NULL, NULL);
}
