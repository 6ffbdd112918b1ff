// SPDX-License-Identifier: MIT
//
// test_shape.c: distances against closed forms and against sampling, bounds, volumes and soundness of surfaces.

#include "mesh_fixture.h"
#include "resilin/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static rslShapeDef Def(rslShapeType type)
{
    return (rslShapeDef){ .type = type, .scale = 1.0, .rotate = { { 0, 0, 1 }, 0 } };
}

static rslShape* Make(const rslShapeDef* def)
{
    rslShape* shape;
    rslReport report = { 0 };
    rslStatus status = rslShape_Create(def, NULL, &shape, &report);
    if (status != rsl_ok)
    {
        fail_msg("%s", report.messages[0].text);
    }
    return shape;
}

static rslShapeDef Primitive(rslShapeType type)
{
    rslShapeDef def = Def(type);
    def.size = (rslVec3){ 1.0, 0.6, 0.8 };
    def.radii = (rslVec3){ 0.9, 0.3, 0.5 };
    def.radius = 0.5;
    def.tubeRadius = 0.2;
    def.height = 1.1;
    return def;
}

static rslShapeDef RandomDef(Random* random, double place)
{
    rslShapeDef def = Def((rslShapeType)(int)Uniform(random, 0.0, 7.0));
    def.size = (rslVec3){ Uniform(random, 0.3, 1.0), Uniform(random, 0.3, 1.0), Uniform(random, 0.3, 1.0) };
    def.radii = (rslVec3){ Uniform(random, 0.2, 0.6), Uniform(random, 0.2, 0.6), Uniform(random, 0.2, 0.6) };
    def.radius = Uniform(random, 0.3, 0.6);
    def.tubeRadius = Uniform(random, 0.1, 0.25);
    def.height = Uniform(random, 0.3, 1.0);
    def.scale = Uniform(random, 0.5, 1.5);
    def.rotate.axis = (rslVec3){ Uniform(random, -1, 1), Uniform(random, -1, 1), Uniform(random, -1, 1) };
    def.rotate.angle = Uniform(random, -180.0, 180.0);
    def.translate =
        (rslVec3){ Uniform(random, -place, place), Uniform(random, -place, place), Uniform(random, -place, place) };
    return def;
}

static rslVec3 RandomPoint(Random* random, double r)
{
    return (rslVec3){ Uniform(random, -r, r), Uniform(random, -r, r), Uniform(random, -r, r) };
}

// ---- distances ------------------------------------------------------------------------------------------------------

static void ClosedForms(void** state)
{
    (void)state;
    rslShapeDef def = Def(rsl_sphereShape);
    def.radius = 2.0;
    def.translate = (rslVec3){ 1.0, 2.0, 3.0 };
    rslShape* s = Make(&def);
    assert_true(fabs(rslShape_Distance(s, (rslVec3){ 1.0, 2.0, 8.0 }) - 3.0) < 1e-12);
    assert_true(fabs(rslShape_Distance(s, (rslVec3){ 1.0, 2.5, 3.0 }) + 1.5) < 1e-12);
    rslShape_Free(s);
    // a box of 2 x 1 x 1, twice as large, turned by 90 degrees about z, moved by x
    def = Def(rsl_boxShape);
    def.size = (rslVec3){ 2.0, 1.0, 1.0 };
    def.scale = 2.0;
    def.rotate.angle = 90.0;
    def.translate.x = 10.0;
    s = Make(&def);
    rslBounds b = rslShape_Bounds(s);
    assert_true(fabs(b.lower.x - 9.0) < 1e-12 && fabs(b.upper.y - 2.0) < 1e-12 && fabs(b.upper.z - 1.0) < 1e-12);
    assert_true(fabs(rslShape_Distance(s, (rslVec3){ 10.0, 5.0, 0.0 }) - 3.0) < 1e-12);
    assert_true(fabs(rslShape_Distance(s, (rslVec3){ 14.0, 6.0, 0.0 }) - 5.0) < 1e-12);
    assert_true(fabs(rslShape_Distance(s, (rslVec3){ 10.5, 0.0, 0.0 }) + 0.5) < 1e-12);
    rslShape_Free(s);
    // on the axes of an ellipsoid
    def = Primitive(rsl_ellipsoidShape);
    s = Make(&def);
    assert_true(fabs(rslShape_Distance(s, (rslVec3){ 0.0, 1.3, 0.0 }) - 1.0) < 1e-9);
    assert_true(fabs(rslShape_Distance(s, (rslVec3){ 1.9, 0.0, 0.0 }) - 1.0) < 1e-9);
    assert_true(fabs(rslShape_Distance(s, (rslVec3){ 0.0, 0.0, 0.0 }) + 0.3) < 1e-6);
    rslShape_Free(s);
    def = Primitive(rsl_torusShape);
    s = Make(&def);
    assert_true(fabs(rslShape_Distance(s, (rslVec3){ 0.0, 0.0, 0.0 }) - 0.3) < 1e-12);
    assert_true(fabs(rslShape_Distance(s, (rslVec3){ 0.3, 0.4, 0.0 }) + 0.2) < 1e-12);
    rslShape_Free(s);
}

// |f(p) - f(q)| <= |p - q|, and never more than the distance to any point of the surface
static void CheckDistance(const rslShape* shape, double edge, Random* random, double slack)
{
    rslMesh mesh;
    assert_int_equal(rslShape_Surface(shape, edge, NULL, &mesh, NULL), rsl_ok);
    for (int i = 0; i < 400; ++i)
    {
        rslVec3 p = RandomPoint(random, 1.5), q = RandomPoint(random, 1.5);
        if (i % 2)
        {
            q = (rslVec3){ p.x + 0.01 * q.x, p.y + 0.01 * q.y, p.z + 0.01 * q.z };
        }
        double f = rslShape_Distance(shape, p), g = rslShape_Distance(shape, q);
        double away = sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
        assert_true(fabs(f - g) <= away + 1e-7);
        assert_int_equal(rslShape_Contains(shape, p), f <= 0.0);
        double nearest = INFINITY;
        for (int v = 0; v < mesh.vertexCount; ++v)
        {
            const double* x = mesh.vertices + 3 * (size_t)v;
            double d = (p.x - x[0]) * (p.x - x[0]) + (p.y - x[1]) * (p.y - x[1]) + (p.z - x[2]) * (p.z - x[2]);
            nearest = fmin(nearest, d);
        }
        assert_true(fabs(f) <= sqrt(nearest) + slack);
    }
    rslMesh_Free(&mesh);
}

static void NeverTooFar(void** state)
{
    (void)state;
    Random random = { 17 };
    for (int type = rsl_boxShape; type <= rsl_rabbitShape; ++type)
    {
        rslShapeDef def = Primitive((rslShapeType)type);
        rslShape* shape = Make(&def);
        CheckDistance(shape, 0.05, &random, 1e-6);
        rslShape_Free(shape);
    }
    for (int i = 0; i < 10; ++i)
    {
        rslShapeDef parts[3] = { RandomDef(&random, 0.4), RandomDef(&random, 0.4), RandomDef(&random, 0.4) };
        rslShapeDef def = Def(i % 2 ? rsl_unionShape : rsl_differenceShape);
        def.parts = parts;
        def.partCount = 3;
        def.translate = (rslVec3){ 0.1, 0.2, 0.3 };
        def.scale = 0.7;
        def.rotate.angle = 25.0;
        rslShape* shape = Make(&def);
        rslMesh mesh;
        if (rslShape_Surface(shape, 0.06, NULL, &mesh, NULL) == rsl_ok)
        {
            rslMesh_Free(&mesh);
            CheckDistance(shape, 0.06, &random, 1e-6);
        }
        rslShape_Free(shape);
    }
}

// the ellipsoid's distance is exact: compared with many points of its surface
static void EllipsoidIsExact(void** state)
{
    (void)state;
    Random random = { 23 };
    rslShapeDef def = Primitive(rsl_ellipsoidShape);
    rslShape* shape = Make(&def);
    rslMesh mesh;
    assert_int_equal(rslShape_Surface(shape, 0.01, NULL, &mesh, NULL), rsl_ok);
    for (int i = 0; i < 100; ++i)
    {
        rslVec3 p = RandomPoint(&random, 1.2);
        double nearest = INFINITY;
        for (int v = 0; v < mesh.vertexCount; ++v)
        {
            const double* x = mesh.vertices + 3 * (size_t)v;
            nearest = fmin(nearest, hypot(hypot(p.x - x[0], p.y - x[1]), p.z - x[2]));
        }
        assert_true(fabs(fabs(rslShape_Distance(shape, p)) - nearest) < 2e-3);
    }
    rslMesh_Free(&mesh);
    rslShape_Free(shape);
}

// ---- bounds ---------------------------------------------------------------------------------------------------------

static void BoundsContainAndFit(void** state)
{
    (void)state;
    Random random = { 31 };
    for (int i = 0; i < 60; ++i)
    {
        rslShapeDef def = RandomDef(&random, 1.0);
        rslShape* shape = Make(&def);
        rslMesh mesh;
        assert_int_equal(rslShape_Surface(shape, 0.04, NULL, &mesh, NULL), rsl_ok);
        double a = Uniform(&random, 0.0, 1.0);
        rslQuat axes = { cos(a), 0.6 * sin(a), 0.0, 0.8 * sin(a) };
        rslBounds b = rslShape_BoundsIn(shape, axes);
        double m[3][3] = {
            { 1 - 2 * (axes.y * axes.y + axes.z * axes.z), 2 * (axes.x * axes.y + axes.w * axes.z),
              2 * (axes.x * axes.z - axes.w * axes.y) },
            { 2 * (axes.x * axes.y - axes.w * axes.z), 1 - 2 * (axes.x * axes.x + axes.z * axes.z),
              2 * (axes.y * axes.z + axes.w * axes.x) },
            { 2 * (axes.x * axes.z + axes.w * axes.y), 2 * (axes.y * axes.z - axes.w * axes.x),
              1 - 2 * (axes.x * axes.x + axes.y * axes.y) },
        };
        const double *lower = &b.lower.x, *upper = &b.upper.x;
        for (int k = 0; k < 3; ++k)
        {
            double low = INFINITY, high = -INFINITY;
            for (int v = 0; v < mesh.vertexCount; ++v)
            {
                const double* x = mesh.vertices + 3 * (size_t)v;
                double along = m[k][0] * x[0] + m[k][1] * x[1] + m[k][2] * x[2];
                low = fmin(low, along);
                high = fmax(high, along);
            }
            assert_true(lower[k] <= low + 1e-9 && upper[k] >= high - 1e-9);
            if (def.type != rsl_rabbitShape)
            {
                assert_true(lower[k] >= low - 0.03 && upper[k] <= high + 0.03);
            }
        }
        rslMesh_Free(&mesh);
        rslShape_Free(shape);
    }
}

// ---- the rabbit -----------------------------------------------------------------------------------------------------

static void RabbitStands(void** state)
{
    (void)state;
    rslShapeDef def = Def(rsl_rabbitShape);
    def.height = 1.0;
    rslShape* rabbit = Make(&def);
    rslBounds b = rslShape_Bounds(rabbit);
    enum
    {
        N = 100
    };
    double mass = 0.0, centre[3] = { 0 }, low[3] = { 9, 9, 9 }, high[3] = { -9, -9, -9 };
    double footLow[2] = { 9, 9 }, footHigh[2] = { -9, -9 };
    for (int i = 0; i < N; ++i)
    {
        for (int j = 0; j < N; ++j)
        {
            for (int k = 0; k < N; ++k)
            {
                double x[3] = { -0.6 + 1.2 * (i + 0.5) / N, -0.6 + 1.2 * (j + 0.5) / N, -0.1 + 1.2 * (k + 0.5) / N };
                rslVec3 p = { x[0], x[1], x[2] }, mirrored = { x[0], -x[1], x[2] };
                bool inside = rslShape_Contains(rabbit, p);
                assert_int_equal(inside, rslShape_Contains(rabbit, mirrored));
                for (int a = 0; inside && a < 3; ++a)
                {
                    centre[a] += x[a];
                    low[a] = fmin(low[a], x[a]);
                    high[a] = fmax(high[a], x[a]);
                }
                mass += inside;
                for (int a = 0; inside && k == 8 && a < 2; ++a)
                {
                    footLow[a] = fmin(footLow[a], x[a]);
                    footHigh[a] = fmax(footHigh[a], x[a]);
                }
            }
        }
    }
    // it fills its bounds, and does not pass them
    const double *lower = &b.lower.x, *upper = &b.upper.x;
    for (int a = 0; a < 3; ++a)
    {
        assert_true(low[a] >= lower[a] && low[a] < lower[a] + 0.03);
        assert_true(high[a] <= upper[a] && high[a] > upper[a] - 0.03);
    }
    // the centre of mass is above the feet, well inside
    assert_true(centre[0] / mass > footLow[0] + 0.08 && centre[0] / mass < footHigh[0] - 0.08);
    assert_true(fabs(centre[1] / mass) < 1e-9);
    assert_true(footHigh[1] - footLow[1] > 0.3);
    // the tip of an ear is at the height
    double top = 0.0;
    for (int i = 0; i < 400; ++i)
    {
        for (int j = 0; j < 200; ++j)
        {
            rslVec3 p = { -0.1 + 0.0005 * i, 0.05 + 0.0005 * j, 0.9999 };
            top = rslShape_Contains(rabbit, p) ? 1.0 : top;
            p.z = 1.0001;
            assert_false(rslShape_Contains(rabbit, p));
        }
    }
    assert_true(top == 1.0);
    rslShape_Free(rabbit);
}

// ---- surfaces -------------------------------------------------------------------------------------------------------

static rslMeshDefects SurfaceDefects(const rslShape* shape, double edge)
{
    rslMesh mesh;
    rslReport report = { 0 };
    rslMeshDefects d = { .firstBad = -2 };
    if (rslShape_Surface(shape, edge, NULL, &mesh, &report) == rsl_ok)
    {
        assert_int_equal(rslMesh_Check(mesh.vertices, mesh.vertexCount, mesh.triangles, mesh.triangleCount, NULL, &d),
                         rsl_ok);
        for (int v = 0; v < mesh.vertexCount; ++v)
        {
            const double* x = mesh.vertices + 3 * (size_t)v;
            assert_true(fabs(rslShape_Distance(shape, (rslVec3){ x[0], x[1], x[2] })) < 1e-5 * edge + 1e-12);
        }
        rslMesh_Free(&mesh);
    }
    return d;
}

static void SurfacesAreSound(void** state)
{
    (void)state;
    Random random = { 12 };
    int made = 0, rounds = FewerWhenSanitized(400);
    for (int i = 0; i < rounds; ++i)
    {
        rslShapeDef parts[4];
        int n = 1 + (int)Uniform(&random, 0.0, 4.0);
        for (int k = 0; k < n; ++k)
        {
            parts[k] = RandomDef(&random, 0.5);
        }
        rslShapeDef def = Def((rslShapeType)(rsl_unionShape + i % 3));
        def.parts = parts;
        def.partCount = n;
        rslShape* shape = Make(n == 1 ? &parts[0] : &def);
        rslMeshDefects d = SurfaceDefects(shape, Uniform(&random, 0.03, 0.2));
        if (d.firstBad != -2)
        {
            assert_int_equal(rslMeshDefects_Kinds(&d), 0);
            assert_true(d.volume > 0.0);
            ++made;
        }
        rslShape_Free(shape);
    }
    assert_true(made > rounds / 2);
}

// faces that coincide with each other and with round numbers
static void TouchingParts(void** state)
{
    (void)state;
    rslShapeDef parts[2] = { Def(rsl_boxShape), Def(rsl_boxShape) };
    parts[0].size = parts[1].size = (rslVec3){ 0.1, 0.1, 0.1 };
    parts[1].translate.x = 0.1;
    rslShapeDef def = Def(rsl_unionShape);
    def.parts = parts;
    def.partCount = 2;
    rslShape* shape = Make(&def);
    rslMeshDefects d = SurfaceDefects(shape, 0.01);
    assert_int_equal(rslMeshDefects_Kinds(&d), 0);
    assert_int_equal(d.components, 1);
    // chamfered edges lose a little
    assert_true(fabs(d.volume - 0.002) < 2e-5);
    for (int i = 0; i <= 100; ++i)
    {
        assert_true(rslShape_Contains(shape, (rslVec3){ -0.05 + 0.002 * i, 0.0, 0.0 }));
    }
    rslShape_Free(shape);
    // apart: two parts
    parts[1].translate.x = 0.3;
    shape = Make(&def);
    d = SurfaceDefects(shape, 0.01);
    assert_int_equal(d.components, 2);
    rslShape_Free(shape);
    // a shell: a part with a cavity
    def.type = rsl_differenceShape;
    parts[1].size = (rslVec3){ 0.05, 0.05, 0.05 };
    parts[1].translate.x = 0.0;
    shape = Make(&def);
    d = SurfaceDefects(shape, 0.01);
    assert_int_equal(rslMeshDefects_Kinds(&d), 0);
    assert_int_equal(d.components, 2);
    assert_true(fabs(d.volume - (1e-3 - 1.25e-4)) < 2e-5);
    rslShape_Free(shape);
}

static double VolumeAt(const rslShapeDef* def, double edge)
{
    rslShape* shape = Make(def);
    rslMeshDefects d = SurfaceDefects(shape, edge);
    assert_int_equal(rslMeshDefects_Kinds(&d), 0);
    rslShape_Free(shape);
    return d.volume;
}

// the error falls by four when the edge is halved, or is nothing already
static void CheckConvergence(const rslShapeDef* def, double volume, double edge)
{
    double coarse = fabs(VolumeAt(def, edge) - volume), fine = fabs(VolumeAt(def, 0.5 * edge) - volume);
    assert_true(fine < 1e-9 * volume || (fine < 0.35 * coarse && fine < 0.01 * volume));
}

static void VolumesConverge(void** state)
{
    (void)state;
    rslShapeDef def = Primitive(rsl_boxShape);
    CheckConvergence(&def, 1.0 * 0.6 * 0.8, 0.1);
    def = Primitive(rsl_sphereShape);
    CheckConvergence(&def, 4.0 / 3.0 * PI * 0.125, 0.05);
    def = Primitive(rsl_ellipsoidShape);
    CheckConvergence(&def, 4.0 / 3.0 * PI * 0.9 * 0.3 * 0.5, 0.05);
    def = Primitive(rsl_cylinderShape);
    CheckConvergence(&def, PI * 0.25 * 1.1, 0.05);
    def = Primitive(rsl_capsuleShape);
    CheckConvergence(&def, PI * 0.25 * 1.1 + 4.0 / 3.0 * PI * 0.125, 0.05);
    def = Primitive(rsl_torusShape);
    CheckConvergence(&def, 2.0 * PI * PI * 0.5 * 0.04, 0.05);
    // extracted: two spheres apart, scaled and turned
    rslShapeDef parts[2] = { Primitive(rsl_sphereShape), Primitive(rsl_torusShape) };
    parts[1].translate.z = 1.0;
    def = Def(rsl_unionShape);
    def.parts = parts;
    def.partCount = 2;
    def.scale = 2.0;
    def.rotate = (rslRotationDef){ { 1, 2, 3 }, 40.0 };
    CheckConvergence(&def, 8.0 * (4.0 / 3.0 * PI * 0.125 + 2.0 * PI * PI * 0.5 * 0.04), 0.16);
}

// ---- refusals, memory, speed ----------------------------------------------------------------------------------------

static void BadDefinitions(void** state)
{
    (void)state;
    rslShapeDef empty = Def(rsl_unionShape), sphere = Def(rsl_sphereShape), torus = Primitive(rsl_torusShape);
    rslShapeDef box = Primitive(rsl_boxShape), mesh = Def(rsl_meshShape), scaled = Primitive(rsl_boxShape);
    rslShapeDef rabbit = Def(rsl_rabbitShape), type = Def((rslShapeType)99), moved = Primitive(rsl_boxShape);
    torus.tubeRadius = 0.7;
    box.size.y = -1.0;
    scaled.scale = 0.0;
    rabbit.height = NAN;
    moved.translate.x = INFINITY;
    struct
    {
        const rslShapeDef* def;
        const char* text;
    } cases[] = {
        { &empty, "at least one part" },
        { &sphere, "radius of a sphere must be" },
        { &torus, "tube radius 0.7" },
        { &box, "size of a box must be a finite number greater than 0, found -1" },
        { &mesh, "has no triangles" },
        { &scaled, "scale must be" },
        { &rabbit, "height of a rabbit" },
        { &type, "unknown type of shape 99" },
        { &moved, "translate and rotate must be finite" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        rslShape* shape;
        rslReport report = { 0 };
        assert_int_equal(rslShape_Create(cases[i].def, NULL, &shape, &report), rsl_badInput);
        assert_null(shape);
        assert_non_null(strstr(report.messages[0].text, cases[i].text));
    }
    // resolutions
    rslShapeDef good = Primitive(rsl_sphereShape);
    rslShape* shape = Make(&good);
    rslMesh surface;
    assert_int_equal(rslShape_Surface(shape, 0.0, NULL, &surface, NULL), rsl_badInput);
    assert_int_equal(rslShape_Surface(shape, 1e-9, NULL, &surface, NULL), rsl_badInput);
    rslShape_Free(shape);
    good = Primitive(rsl_rabbitShape);
    shape = Make(&good);
    assert_int_equal(rslShape_Surface(shape, 1e-6, NULL, &surface, NULL), rsl_badInput);
    rslShape_Free(shape);
}

static rslStatus MakeAndSurface(const rslHooks* hooks, void* user)
{
    rslShape* shape;
    rslStatus status = rslShape_Create(user, hooks, &shape, NULL);
    rslMesh mesh = { 0 };
    if (status == rsl_ok)
    {
        status = rslShape_Surface(shape, 0.3, hooks, &mesh, NULL);
    }
    rslMesh_Free(&mesh);
    rslShape_Free(shape);
    return status;
}

static void OutOfMemory(void** state)
{
    (void)state;
    rslShapeDef parts[2] = { Primitive(rsl_boxShape), Primitive(rsl_rabbitShape) };
    rslShapeDef def = Def(rsl_unionShape);
    def.parts = parts;
    def.partCount = 2;
    FailEveryAllocation(MakeAndSurface, &def);
    FailEveryAllocation(MakeAndSurface, &parts[0]);
    rslShapeDef torus = Primitive(rsl_torusShape), capsule = Primitive(rsl_capsuleShape);
    FailEveryAllocation(MakeAndSurface, &torus);
    FailEveryAllocation(MakeAndSurface, &capsule);
}

static void Speed(void** state)
{
    (void)state;
    rslShapeDef def = Def(rsl_rabbitShape);
    def.height = 1.0;
    rslShape* rabbit = Make(&def);
    Random random = { 8 };
    int n = FewerWhenSanitized(1000000), inside = 0;
    double start = Seconds();
    for (int i = 0; i < n; ++i)
    {
        rslVec3 p = { Uniform(&random, -0.42, 0.34), Uniform(&random, -0.23, 0.23), Uniform(&random, 0.0, 1.0) };
        inside += rslShape_Contains(rabbit, p);
    }
    double asked = Seconds();
    print_message("rabbit: %d queries in %.3f s, %.1f %% inside\n", n, asked - start, 100.0 * inside / n);
    assert_true(asked - start < 10.0);
    rslMesh mesh;
    assert_int_equal(rslShape_Surface(rabbit, 0.005, NULL, &mesh, NULL), rsl_ok);
    print_message("rabbit: a surface of %d triangles in %.2f s\n", mesh.triangleCount, Seconds() - asked);
    rslMesh_Free(&mesh);
    rslShape_Free(rabbit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ClosedForms),         cmocka_unit_test(NeverTooFar),     cmocka_unit_test(EllipsoidIsExact),
        cmocka_unit_test(BoundsContainAndFit), cmocka_unit_test(RabbitStands),    cmocka_unit_test(SurfacesAreSound),
        cmocka_unit_test(TouchingParts),       cmocka_unit_test(VolumesConverge), cmocka_unit_test(BadDefinitions),
        cmocka_unit_test(OutOfMemory),         cmocka_unit_test(Speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
