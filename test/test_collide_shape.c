// SPDX-License-Identifier: MIT
//
// test_collide_shape.c: where vertices, edges and triangles touch colliders of every shape: against samples, against each other
// (a box and the mesh of a box), and that nothing is missed on the way.

#include "collide_shape.h"
#include "support.h"
#include "vec.h"

#include <time.h>

enum
{
    KINDS = 8,
};

static const char* const kindNames[KINDS] = { "plane",   "box",           "sphere", "cylinder",
                                              "capsule", "mesh of a box", "notch",  "torus" };

static const double boxVertices[24] = { -.5, -.3, -.4, .5, -.3, -.4, -.5, .3, -.4, .5, .3, -.4,
                                        -.5, -.3, .4,  .5, -.3, .4,  -.5, .3, .4,  .5, .3, .4 };
static const int boxTriangles[36] = { 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5 };

// A step of stairs: an L along y.
static const double notchVertices[36] = {
    -.5, -.3, -.4, .5, -.3, -.4, .5, -.3, 0, 0, -.3, 0, 0, -.3, .4, -.5, -.3, .4,
    -.5, .3,  -.4, .5, .3,  -.4, .5, .3,  0, 0, .3,  0, 0, .3,  .4, -.5, .3,  .4
};
static const int notchTriangles[60] = { 0, 1, 3,  1,  2, 3, 0, 3,  5, 3,  4, 5, 6,  9,  7, 7,  9, 8, 6,  11,
                                        9, 9, 11, 10, 0, 6, 1, 1,  6, 7,  1, 7, 2,  2,  7, 8,  2, 8, 3,  3,
                                        8, 9, 3,  9,  4, 4, 9, 10, 4, 10, 5, 5, 10, 11, 5, 11, 0, 0, 11, 6 };

static rslShapeDef DefOf(int kind)
{
    static const rslShapeType types[KINDS] = { rsl_boxShape,     rsl_boxShape,  rsl_sphereShape, rsl_cylinderShape,
                                               rsl_capsuleShape, rsl_meshShape, rsl_meshShape,   rsl_torusShape };
    rslShapeDef def = rslDefaultShapeDef();
    def.type = types[kind];
    def.size = (rslVec3){ 1.0, 0.6, 0.8 };
    def.radius = 0.45;
    def.tubeRadius = 0.15;
    def.height = 0.7;
    def.vertices = kind == 6 ? notchVertices : boxVertices;
    def.vertexCount = kind == 6 ? 12 : 8;
    def.triangles = kind == 6 ? notchTriangles : boxTriangles;
    def.triangleCount = kind == 6 ? 20 : 12;
    def.scale = 1.3;
    def.rotate = (rslRotationDef){ .axis = { 1.0, 2.0, -0.5 }, .angle = 40.0 };
    def.translate = (rslVec3){ 0.2, -0.1, 0.15 };
    return def;
}

static rslCollider Make(int kind)
{
    rslCollider collider = { .point = { 0.1, 0.0, 0.2 }, .normal = { 0.6, 0.0, 0.8 } };
    rslShapeDef def = DefOf(kind);
    rslReport report = { 0 };
    if (kind > 0 && rslSolid_Create(&def, 0.2, NULL, &collider.solid, &report) != rsl_ok)
    {
        fail_msg("%s: %s", kindNames[kind], report.messages[0].text);
    }
    collider.moves = true;
    collider.move = (rslMovement){ .translate = { 0.3, 0.1, -0.2 }, .axis = { 0.0, 0.6, 0.8 }, .angle = 25.0 };
    collider.move.course = (rslCourse){ .type = rsl_rampCourse, .duration = 1.0 };
    return collider;
}

static rslVec3 Between(int count, const rslVec3* x, const double* weights)
{
    rslVec3 sum = { 0 };
    for (int i = 0; i < count; ++i)
    {
        sum = rslMulAdd(sum, weights[i], x[i]);
    }
    return sum;
}

static void Draw(Random* random, rslVec3 x[3])
{
    x[0] = NextVec3(random, 1.2);
    double size = NextBetween(random, 0.05, 1.5);
    x[1] = rslAdd(x[0], NextVec3(random, size));
    x[2] = rslAdd(x[0], NextVec3(random, size));
}

// ---- distance -------------------------------------------------------------------------------------------------------

// Outside and not too deep the normal is the gradient, the point lies at the distance and on the surface.
static void test_nearest(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        rslCollider collider = Make(kind);
        rslPlaced placed = rslCollider_Place(&collider, 0.7);
        Random random = MakeRandom(3);
        for (int n = 0; n < 200; ++n)
        {
            rslVec3 x = NextVec3(&random, 1.3), step = rslScale(1e-6, NextVec3(&random, 1.0));
            rslPlacedTouch at = rslPlaced_Nearest(&placed, x);
            assert_close(rslLength(at.normal), 1.0, 1e-12);
            assert_close(rslDot(at.normal, rslSub(x, at.point)), at.gap, 1e-12);
            assert_close(rslPlaced_Nearest(&placed, at.point).gap, 0.0, 1e-9);
            double change =
                rslPlaced_Nearest(&placed, rslAdd(x, step)).gap - rslPlaced_Nearest(&placed, rslSub(x, step)).gap;
            if (at.gap > 1e-3)
            {
                assert_close(0.5 * change, rslDot(at.normal, step), 1e-10);
            }
        }
        rslSolid_Free(collider.solid);
    }
}

static void test_box_is_its_mesh(void** state)
{
    (void)state;
    rslCollider exact = Make(1), mesh = Make(5);
    rslPlaced a = rslCollider_Place(&exact, 0.3), b = rslCollider_Place(&mesh, 0.3);
    Random random = MakeRandom(5);
    for (int n = 0; n < (Proving() ? 5000 : 200); ++n)
    {
        rslVec3 x[3], y[3];
        Draw(&random, x);
        Draw(&random, y);
        assert_close(rslPlaced_Nearest(&a, x[0]).gap, rslPlaced_Nearest(&b, x[0]).gap, 1e-12);
        double da = rslPlaced_Distance(&a, 3, x, INFINITY), db = rslPlaced_Distance(&b, 3, x, INFINITY);
        assert_close(fmax(da, 0.0), fmax(db, 0.0), 1e-9);
        double ta = rslPlaced_Sweep(&a, &a, 3, x, y, 0.01), tb = rslPlaced_Sweep(&b, &b, 3, x, y, 0.01);
        if (da > 0.011)
        {
            assert_close(ta, tb, 2e-2);  // both stop a little early
        }
    }
    rslSolid_Free(exact.solid);
    rslSolid_Free(mesh.solid);
}

// Not more than any sample is away, and not less than the samples allow.
static void test_distance_by_samples(void** state)
{
    (void)state;
    const int steps = 24;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        rslCollider collider = Make(kind);
        rslPlaced placed = rslCollider_Place(&collider, 0.5);
        Random random = MakeRandom(7);
        for (int n = 0; n < (Proving() ? 300 : 12); ++n)
        {
            rslVec3 x[3];
            Draw(&random, x);
            double least = INFINITY;
            for (int i = 0; i <= steps; ++i)
            {
                for (int j = 0; i + j <= steps; ++j)
                {
                    double w[3] = { 1.0 - (double)(i + j) / steps, (double)i / steps, (double)j / steps };
                    least = fmin(least, rslPlaced_Nearest(&placed, Between(3, x, w)).gap);
                }
            }
            double size = rslLength(rslSub(x[1], x[0])) + rslLength(rslSub(x[2], x[0]));
            double distance = rslPlaced_Distance(&placed, 3, x, INFINITY);
            assert_at_most(distance, fmax(least, 0.0) + 1e-9);
            assert_at_most(fmax(least, 0.0), fmax(distance, 0.0) + size / steps);
        }
        rslSolid_Free(collider.solid);
    }
}

// ---- places ---------------------------------------------------------------------------------------------------------

typedef struct Found
{
    int count;
    const rslVec3* x;
    const rslPlaced* placed;
    int places;
    double least;
} Found;

static void Note(const rslPlacedTouch* touch, void* context)
{
    Found* found = context;
    rslVec3 x = Between(found->count, found->x, touch->weights);
    found->places += 1;
    found->least = fmin(found->least, touch->gap);
    assert_close(touch->weights[0] + touch->weights[1] + touch->weights[2], 1.0, 1e-12);
    assert_close(rslLength(touch->normal), 1.0, 1e-9);
    assert_close(rslDot(touch->normal, rslSub(x, touch->point)), touch->gap, 1e-9);
    assert_at_most(rslPlaced_Nearest(found->placed, x).gap, fmax(touch->gap, 0.0) + 1e-9);
    assert_at_most(rslPlaced_Nearest(found->placed, touch->point).gap, 1e-9);
}

static double LeastOf(const rslPlaced* placed, const rslVec3 x[3], double reach, bool whole)
{
    Found found = { .placed = placed, .least = INFINITY };
    for (int i = 0; i < 3; ++i)
    {
        rslVec3 edge[2] = { x[i], x[(i + 1) % 3] };
        found.count = 1;
        found.x = &x[i];
        rslPlaced_Visit(placed, 1, &x[i], reach, whole, Note, &found);
        found.count = 2;
        found.x = edge;
        rslPlaced_Visit(placed, 2, edge, reach, whole, Note, &found);
    }
    found.count = 3;
    found.x = x;
    rslPlaced_Visit(placed, 3, x, reach, whole, Note, &found);
    return found.least;
}

// Of what does not meet, the nearest place is as far as the triangle is.
static void test_nothing_is_missed(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        rslCollider collider = Make(kind);
        rslPlaced placed = rslCollider_Place(&collider, 0.5);
        Random random = MakeRandom(11);
        int apart = 0;
        for (int n = 0; n < (Proving() ? 5000 : 200); ++n)
        {
            rslVec3 x[3];
            Draw(&random, x);
            double distance = rslPlaced_Distance(&placed, 3, x, INFINITY);
            if (distance > 1e-6)
            {
                apart += 1;
                assert_close(LeastOf(&placed, x, distance + 0.3, false), distance, 1e-9);
                assert_close(LeastOf(&placed, x, distance + 0.3, true), distance, 1e-9);
                assert_true(isinf(LeastOf(&placed, x, 0.99 * distance, false)));
                assert_true(rslPlaced_Distance(&placed, 3, x, 1.01 * distance) == distance);
                assert_true(isinf(rslPlaced_Distance(&placed, 3, x, 0.99 * distance)));
                double point = rslPlaced_Distance(&placed, 1, x, INFINITY);
                assert_true(rslPlaced_Distance(&placed, 1, x, 1.01 * point) == point);
                assert_true(isinf(rslPlaced_Distance(&placed, 1, x, 0.99 * point)));
            }
        }
        assert_true(apart > 20);
        rslSolid_Free(collider.solid);
    }
}

static void Count(const rslPlacedTouch* touch, void* context)
{
    (void)touch;
    *(int*)context += 1;
}

// In a notch a vertex touches both faces; over a flat face once, wherever triangles meet there.
static void test_places_of_a_vertex(void** state)
{
    (void)state;
    rslShapeDef def = DefOf(6);
    def.scale = 1.0;
    def.rotate.angle = 0.0;
    def.translate = (rslVec3){ 0 };
    rslCollider collider = { 0 };
    assert_int_equal(rslSolid_Create(&def, RSL_AUTO, NULL, &collider.solid, NULL), rsl_ok);
    rslPlaced placed = rslCollider_Place(&collider, 0.0);
    static const struct
    {
        rslVec3 x;
        int places;
    } cases[] = {
        { { 0.02, 0.1, 0.02 }, 2 },   // in the notch
        { { 0.25, 0.0, 0.02 }, 1 },   // over the diagonal of a face
        { { 0.25, 0.0, 0.0 }, 1 },    // on it
        { { -0.01, 0.1, 0.41 }, 1 },  // over the top face, near its edge
        { { 0.01, 0.1, 0.41 }, 1 },   // at the edge
        { { 0.01, 0.31, 0.41 }, 1 },  // at a corner
        { { 0.3, 0.1, -0.02 }, 1 },   // inside
        { { 0.3, 0.1, 0.2 }, 0 },     // far away
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        int count = 0;
        rslPlaced_Visit(&placed, 1, &cases[i].x, 0.05, false, Count, &count);
        assert_int_equal(count, cases[i].places);
    }
    rslSolid_Free(collider.solid);
}

// A plate over a small box, cylinder or capsule lies on as many places as hold it.
static void test_a_large_triangle_lies_flat(void** state)
{
    (void)state;
    const rslVec3 x[3] = { { -5.0, -5.0, 1.001 }, { 5.0, -5.0, 1.001 }, { 0.0, 5.0, 1.001 } };
    static const struct
    {
        rslShapeType type;
        double height;
        int places;
    } cases[] = { { rsl_boxShape, 2.0, 4 }, { rsl_cylinderShape, 2.0, 4 }, { rsl_sphereShape, 0.0, 1 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        rslShapeDef def = rslDefaultShapeDef();
        def.type = cases[i].type;
        def.size = (rslVec3){ 1.0, 1.0, cases[i].height };
        def.height = cases[i].height;
        def.radius = 1.0;
        rslCollider collider = { 0 };
        int count = 0;
        assert_int_equal(rslSolid_Create(&def, RSL_AUTO, NULL, &collider.solid, NULL), rsl_ok);
        rslPlaced placed = rslCollider_Place(&collider, 0.0);
        rslPlaced_Visit(&placed, 3, x, 0.01, false, Count, &count);
        assert_int_equal(count, cases[i].places);
        rslSolid_Free(collider.solid);
    }
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// Up to the time told nothing is nearer than keep, and at it something is that near, unless it is 1.
static void test_sweeps(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        rslCollider collider = Make(kind);
        rslPlaced still = rslCollider_Place(&collider, 0.5);
        Random random = MakeRandom(13);
        int stopped = 0;
        for (int n = 0; n < (Proving() ? 2000 : 90); ++n)
        {
            rslVec3 x[3], y[3], now[3];
            int count = 1 + n % 3;
            Draw(&random, x);
            Draw(&random, y);
            double keep = 0.02, first = rslPlaced_Distance(&still, count, x, INFINITY);
            double time = rslPlaced_Sweep(&still, &still, count, x, y, keep);
            assert_true(0.0 <= time && time <= 1.0);
            if (first <= keep)
            {
                assert_true(time == 0.0 || kind > 4);  // a way inside of a mesh is free until it comes to the surface
                continue;
            }
            for (int s = 0; s <= 20; ++s)
            {
                double t = time * s / 20.0;
                for (int i = 0; i < 3; ++i)
                {
                    now[i] = rslAdd(rslScale(1.0 - t, x[i]), rslScale(t, y[i]));
                }
                double distance = rslPlaced_Distance(&still, count, now, INFINITY);
                assert_at_most(keep - 1e-9, distance);
                if (s == 20 && time < 1.0)
                {
                    assert_at_most(distance, keep + 1e-4 * (first + 2.0));
                    stopped += 1;
                }
            }
        }
        assert_true(stopped > 5);
        rslSolid_Free(collider.solid);
    }
}

// A wall that comes by takes along what it meets: the sweep is that of the way as it sees it.
static void test_moving_colliders_sweep(void** state)
{
    (void)state;
    rslShapeDef def = rslDefaultShapeDef();
    def.type = rsl_boxShape;
    def.size = (rslVec3){ 0.1, 2.0, 2.0 };
    rslCollider wall = { .moves = true, .move = { .translate = { 10.0, 0.0, 0.0 }, .axis = { 0.0, 0.0, 1.0 } } };
    wall.move.course = (rslCourse){ .type = rsl_rampCourse, .duration = 1.0 };
    assert_int_equal(rslSolid_Create(&def, RSL_AUTO, NULL, &wall.solid, NULL), rsl_ok);
    rslPlaced begin = rslCollider_Place(&wall, 0.0), end = rslCollider_Place(&wall, 1.0);
    rslVec3 x = { 5.05, 0.0, 0.0 }, beside = { 5.05, 0.0, 1.5 }, fast = { 20.0, 0.0, 0.0 };
    assert_close(rslPlaced_Sweep(&begin, &end, 1, &x, &x, 0.0), 0.5, 1e-3);
    assert_close(rslPlaced_Sweep(&begin, &end, 1, &beside, &beside, 0.0), 1.0, 0.0);
    assert_close(rslPlaced_Sweep(&begin, &end, 1, &x, &fast, 0.0), 1.0, 0.0);
    rslSolid_Free(wall.solid);
}

// ---- bounds ---------------------------------------------------------------------------------------------------------

static void test_bounds_hold(void** state)
{
    (void)state;
    for (int kind = 1; kind < KINDS; ++kind)
    {
        rslCollider collider = Make(kind);
        rslPlaced placed = rslCollider_Place(&collider, 0.5);
        rslBounds b = rslPlaced_Bounds(&placed);
        Random random = MakeRandom(17);
        for (int n = 0; n < 200; ++n)
        {
            rslVec3 p = rslPlaced_Nearest(&placed, NextVec3(&random, 2.0)).point;
            assert_true(p.x > b.lower.x - 1e-9 && p.y > b.lower.y - 1e-9 && p.z > b.lower.z - 1e-9);
            assert_true(p.x < b.upper.x + 1e-9 && p.y < b.upper.y + 1e-9 && p.z < b.upper.z + 1e-9);
        }
        rslSolid_Free(collider.solid);
    }
}

// ---- large meshes ---------------------------------------------------------------------------------------------------

// A wavy ground of about as many triangles, closed below.
static rslShapeDef MakeLand(int triangles)
{
    int n = (int)sqrt(0.25 * triangles), row = n + 1;
    size_t vertices = 2 * (size_t)row * (size_t)row;
    double* x = malloc(vertices * 3 * sizeof(double));
    int *t = malloc((4 * (size_t)n * (size_t)n + 8 * (size_t)n) * 3 * sizeof(int)), *at = t;
    assert_true(x != NULL && t != NULL);
    for (int i = 0; i < (int)vertices; ++i)
    {
        int k = i % (row * row);
        double u = (double)(k % row) / n, v = (double)(k / row) / n;
        double z = i < row * row ? 0.05 * rslSin(20.0 * u) * rslSin(17.0 * v) : -0.3;
        memcpy(x + 3 * (size_t)i, (const double[]){ u - 0.5, v - 0.5, z }, 3 * sizeof(double));
    }
    for (int i = 0; i < n * n; ++i)
    {
        int a = i / n * row + i % n, b = a + 1, c = a + row, d = c + 1, low = row * row;
        const int quad[12] = { a, b, d, a, d, c, low + a, low + d, low + b, low + a, low + c, low + d };
        memcpy(at, quad, sizeof quad);
        at += 12;
    }
    for (int i = 0; i < 4 * n; ++i)  // the sides: from p to q, seen with the inside to the left
    {
        int k = i % n, low = row * row;
        int p[] = { k, k * row + n, n * row + n - k, (n - k) * row };
        int q[] = { k + 1, (k + 1) * row + n, n * row + n - k - 1, (n - k - 1) * row };
        const int wall[6] = { p[i / n], low + p[i / n], q[i / n], q[i / n], low + p[i / n], low + q[i / n] };
        memcpy(at, wall, sizeof wall);
        at += 6;
    }
    return MeshShape(x, (int)vertices, t, (int)(at - t) / 3);
}

static double Seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void test_a_million_triangles(void** state)
{
    (void)state;
    rslShapeDef def = MakeLand(Proving() ? 1000000 : 20000);
    rslCollider land = { 0 };
    rslReport report = { 0 };
    double start = Seconds();
    rslStatus status = rslSolid_Create(&def, RSL_AUTO, NULL, &land.solid, &report);
    if (status != rsl_ok)
    {
        fail_msg("%s", report.messages[0].text);
    }
    double built = Seconds() - start;
    rslPlaced placed = rslCollider_Place(&land, 0.0);
    Random random = MakeRandom(23);
    int places = 0, count = Proving() ? 20000 : 1000;
    double worst = 0.0;
    start = Seconds();
    for (int n = 0; n < count; ++n)
    {
        double u = NextBetween(&random, 0.01, 0.99), v = NextBetween(&random, 0.01, 0.99), gap = 1e-3;
        double height = 0.05 * rslSin(20.0 * u) * rslSin(17.0 * v);
        rslVec3 x = { u - 0.5, v - 0.5, height + gap };
        rslPlaced_Visit(&placed, 1, &x, 2e-3, false, Count, &places);
        worst = fmax(worst, fabs(rslPlaced_Nearest(&placed, x).gap) - gap);
    }
    double each = (Seconds() - start) / count;
    assert_true(places >= count);
    // triangles of side h = 1/n lie off the land by its curvature times h^2 / 8
    assert_at_most(worst, 0.05 * (20.0 * 20.0 + 17.0 * 17.0) / 8.0 / (0.25 * def.triangleCount - 100.0));
    if (Proving())
    {
        printf("a collider of %d triangles: made in %.2f s, %.1f us a vertex\n", def.triangleCount, built, 1e6 * each);
    }
    rslSolid_Free(land.solid);
    free((void*)(uintptr_t)def.vertices);
    free((void*)(uintptr_t)def.triangles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_box_is_its_mesh),
        cmocka_unit_test(test_distance_by_samples),
        cmocka_unit_test(test_nothing_is_missed),
        cmocka_unit_test(test_places_of_a_vertex),
        cmocka_unit_test(test_a_large_triangle_lies_flat),
        cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_moving_colliders_sweep),
        cmocka_unit_test(test_bounds_hold),
        cmocka_unit_test(test_a_million_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
