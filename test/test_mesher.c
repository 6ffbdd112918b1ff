// SPDX-License-Identifier: MIT
//
// Shapes filled with tetrahedra: volume, mass, a border that is a surface, faces of boxes, moduli, and what is refused.

#include "shape_internal.h"
#include "support.h"
#include "tension.h"
#include "tet_mesh.h"

static rslBodyDef Filled(const rslShapeDef* shape, double spacing)
{
    rslBodyDef body = LatticeBody("t", shape, spacing);
    body.network.type = rsl_tetrahedraNetwork;
    return body;
}

static double* BorderOf(const rslModel* model)
{
    const rslSurface* surface = &model->bodies[0].surface;
    double* xyz = malloc((size_t)surface->vertexCount * 3 * sizeof(double));
    for (int v = 0; v < surface->vertexCount; ++v)
    {
        int node = surface->stencilNodes[8 * v];
        rslBody_WorldRest(&model->bodies[0], node, node + 1, xyz + 3 * v);
    }
    return xyz;
}

// One part, with a border that is a surface through points on that of the shape; the volume short of that of the shape by at
// most so much, and the mass that of the shape.
static void CheckShape(const char* name, const rslShapeDef* def, double spacing, double shortBy, int parts)
{
    rslBodyDef body = Filled(def, spacing);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslShape* shape = NULL;
    assert_int_equal(rslShape_Create(def, NULL, &shape, NULL), rsl_ok);
    const rslSurface* surface = &model->bodies[0].surface;
    double *xyz = BorderOf(model), whole = rslShape_Volume(shape, 0.25 * spacing);
    double volume = rslMesh_Volume(xyz, surface->triangles, surface->triangleCount);
    rslMeshDefects defects;
    assert_int_equal(
        rslMesh_Check(xyz, surface->vertexCount, surface->triangles, surface->triangleCount, NULL, &defects), rsl_ok);
    print_message("%s: %d nodes, %.4f of the volume\n", name, model->nodeCount, volume / whole);
    rslMeshDefects_Report(&defects, rsl_error, (rslPlace){ 0, 0 }, NULL);
    assert_int_equal(rslMeshDefects_Kinds(&defects), 0);
    assert_int_equal(defects.components, parts);
    assert_int_equal(rslModel_Components(model, 0, &model->hooks), 1);
    assert_true(volume <= (1.0 + 1e-9) * whole && volume >= (1.0 - shortBy) * whole);
    assert_close(TotalMass(model, 0), 1000.0 * whole, 1e-9 * 1000.0 * whole);
    for (int v = 0; v < surface->vertexCount; ++v)
    {
        assert_true(fabs(rslShape_Distance(shape, (rslVec3){ xyz[3 * v], xyz[3 * v + 1], xyz[3 * v + 2] })) <
                    1e-6 * spacing);
    }
    free(xyz);
    rslShape_Free(shape);
    rslModel_Free(model);
}

static const double cubeVertices[24] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1 };
static const int cubeTriangles[36] = { 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5 };

static rslShapeDef ShapeOf(rslShapeType type, double radius, double height)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = type;
    shape.radius = radius;
    shape.height = height;
    shape.tubeRadius = 0.4;
    return shape;
}

static rslShapeDef Turned(rslShapeDef shape)
{
    shape.rotate = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 31.0 };
    shape.translate = (rslVec3){ 10.1, -20.2, 30.3 };
    return shape;
}

static rslShapeDef CubeMesh(void)
{
    rslShapeDef mesh = ShapeOf(rsl_meshShape, 0.0, 0.0);
    mesh.vertices = cubeVertices;
    mesh.vertexCount = 8;
    mesh.triangles = cubeTriangles;
    mesh.triangleCount = 12;
    return mesh;
}

// What a curved surface loses goes down with the square of the spacing.
static void Shapes(void** state)
{
    (void)state;
    rslShapeDef ball = ShapeOf(rsl_sphereShape, 1.0, 0.0), rod = ShapeOf(rsl_cylinderShape, 0.5, 2.0);
    rslShapeDef ring = ShapeOf(rsl_torusShape, 1.0, 0.0), pill = ShapeOf(rsl_capsuleShape, 0.5, 1.0);
    rslShapeDef mesh = CubeMesh();
    rslShapeDef turned = Turned(mesh), turnedRod = Turned(rod);
    CheckShape("ball", &ball, 0.4, 0.06, 1);
    CheckShape("ball", &ball, 0.2, 0.016, 1);
    CheckShape("ball", &ball, 0.1, 0.004, 1);
    CheckShape("rod", &rod, 0.2, 0.04, 1);
    CheckShape("turned rod", &turnedRod, 0.2, 0.04, 1);
    CheckShape("ring", &ring, 0.1, 0.01, 1);
    CheckShape("pill", &pill, 0.2, 0.04, 1);
    CheckShape("cube mesh", &mesh, 0.125, 1e-9, 1);
    CheckShape("turned cube mesh", &turned, 0.125, 1e-6, 1);
    rslShapeDef disc = ShapeOf(rsl_cylinderShape, 1.0, 0.1);
    CheckShape("disc of half a spacing", &disc, 0.2, 0.01, 1);
}

static void Combinations(void** state)
{
    (void)state;
    rslShapeDef boxes[2] = { BoxShape(2.0, 1.0, 1.0), BoxShape(1.0, 0.6, 1.2) }, whole = rslDefaultShapeDef();
    boxes[1].translate = (rslVec3){ 0.5, 0.5, 0.0 };
    whole.type = rsl_differenceShape;
    whole.parts = boxes;
    whole.partCount = 2;
    CheckShape("notched box", &whole, 0.125, 0.015, 1);
    rslShapeDef balls[2] = { ShapeOf(rsl_sphereShape, 0.7, 0.0), ShapeOf(rsl_sphereShape, 0.35, 0.0) };
    whole.parts = balls;
    CheckShape("hollow ball", &whole, 0.12, 0.01, 2);
    balls[1].translate.x = 0.8;
    whole.type = rsl_unionShape;
    CheckShape("two balls", &whole, 0.15, 0.03, 1);
    rslShapeDef rabbit = ShapeOf(rsl_rabbitShape, 0.0, 1.0);
    CheckShape("rabbit", &rabbit, 0.05, 0.03, 1);
}

// Volume over the cube of the longest edge, the least of a body.
static double FlattestOf(const rslBody* body)
{
    double least = INFINITY;
    for (int t = 0; t < body->network.tetrahedronCount; ++t)
    {
        rslVec3 x[4];
        double longest = 0.0;
        for (int c = 0; c < 4; ++c)
        {
            int node = body->network.tetrahedra[4 * t + c];
            rslBody_Rest(body, node, node + 1, &x[c].x);
            for (int k = 0; k < c; ++k)
            {
                longest = fmax(longest, rslLength(rslSub(x[c], x[k])));
            }
        }
        rslVec3 a = rslSub(x[1], x[0]), b = rslSub(x[2], x[0]), d = rslSub(x[3], x[0]);
        least = fmin(least, rslDot(a, rslCross(b, d)) / (6.0 * longest * longest * longest));
    }
    return least;
}

// Where four points of the surface lie in a plane through a thin ring, Delaunay has tetrahedra without a volume.
static void ThinRings(void** state)
{
    (void)state;
    double least = INFINITY;
    for (int i = 0; i < 60; ++i)
    {
        rslShapeDef ring = ShapeOf(rsl_torusShape, 0.09, 0.0);
        ring.tubeRadius = 0.035 + 0.00025 * i;
        ring.rotate = (rslRotationDef){ .axis = { 1, 0, 0 }, .angle = 90.0 };
        rslBodyDef body = Filled(&ring, 0.045 + 0.01 * (i % 7) / 7.0);
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        least = fmin(least, FlattestOf(&model->bodies[0]));
        rslModel_Free(model);
    }
    assert_true(least > 9e-5);
}

// A cube of six spacings has 343 nodes, its faces are flat, its corners in place; whatever its turn and scale.
static void BoxIsExact(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(1.0, 1.0, 1.0), other = Turned(BoxShape(2.0, 1.0, 0.5));
    other.scale = 3.0;
    rslBodyDef body = Filled(&box, 1.0 / 6.0);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    assert_int_equal(model->nodeCount, 343);
    int corners = 0, faces = 0;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        rslVec3 x = WorldOf(model, i);
        int on = (fabs(fabs(x.x) - 0.5) < 1e-15) + (fabs(fabs(x.y) - 0.5) < 1e-15) + (fabs(fabs(x.z) - 0.5) < 1e-15);
        corners += on == 3;
        faces += on > 0;
    }
    assert_int_equal(corners, 8);
    assert_int_equal(faces, 343 - 125);
    // another seed moves the nodes, the same one does not
    rslModel* same = Built(&scene, NULL);
    scene.seed = 2;
    rslModel* moved = Built(&scene, NULL);
    assert_true(model->fingerprint == same->fingerprint && model->fingerprint != moved->fingerprint);
    rslModel_Free(model);
    rslModel_Free(same);
    rslModel_Free(moved);
    CheckShape("turned box", &other, 0.5, 1e-12, 1);
}

// Young's modulus and Poisson's ratio of a unit cube, mean of the three axes.
static void Pull(rslBodyDef body, uint64_t seed, double* young, double* poisson, double* worst)
{
    rslScene scene = SceneOf(&body, 1);
    scene.seed = seed;
    *young = *poisson = *worst = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        rslTensionDef def = rslDefaultTensionDef();
        rslTension tension;
        def.axis = axis;
        assert_int_equal(rslTension_Pull(&scene, 0, &def, NULL, &tension, NULL), rsl_ok);
        *young += tension.young / 3e5;
        *poisson += tension.poisson / 3.0;
        *worst = fmax(*worst, fabs(tension.young / 1e5 - 1.0));
    }
}

// Jittered Delaunay in a unit cube of 343, 729 and 1331 nodes: E 1.037, 1.010, 1.005 and nu 0.204 to 0.207 of one mesh each
// by an independent computation; kot's rule is 1/0.96 of lloyd's.
static void Moduli(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(1.0, 1.0, 1.0);
    for (int cells = 6; cells <= (Proving() ? 14 : 8); cells += 2)
    {
        for (uint64_t seed = 1; seed <= (Proving() ? 5 : 2); ++seed)
        {
            double young, kot, poisson, worst, ignored;
            rslBodyDef body = Filled(&box, 1.0 / cells);
            Pull(body, seed, &young, &poisson, &worst);
            char what[80];
            snprintf(what, sizeof what, "Delaunay tets, volume-weighted, %d nodes: E",
                     (cells + 1) * (cells + 1) * (cells + 1));
            assert_proved(what, worst, 0.05);
            assert_close(young, 1.015, 0.03);
            assert_close(poisson, 0.21, 0.012);
            body.network.tetrahedronRule = rsl_kotTetrahedron;
            Pull(body, seed, &kot, &poisson, &ignored);
            assert_close(kot, young / 0.96, 1e-6);
        }
    }
}

// The same cube given as triangles is filled from its surface inwards: other nodes, the same material.
static void ModuliOfMesh(void** state)
{
    (void)state;
    rslShapeDef def = CubeMesh();
    rslShape* shape = NULL;
    assert_int_equal(rslShape_Create(&def, NULL, &shape, NULL), rsl_ok);
    rslTetMesh mesh;
    rslMesherDef mesher = { .spacing = 0.125, .jitter = 0.3, .seed = 1 };
    assert_int_equal(rslTetMesh_Fill(shape, &mesher, NULL, &mesh, NULL), rsl_ok);
    rslBodyDef body = Filled(NULL, 0.0);
    body.network.nodes = mesh.nodes;
    body.network.nodeCount = mesh.nodeCount;
    body.network.tetrahedra = mesh.tetrahedra;
    body.network.tetrahedronCount = mesh.tetrahedronCount;
    double young, poisson, worst;
    Pull(body, 1, &young, &poisson, &worst);
    print_message("cube mesh: E %.4f, nu %.4f\n", young, poisson);
    assert_true(worst < 0.08);
    assert_close(poisson, 0.21, 0.03);
    rslTetMesh_Free(&mesh);
    rslShape_Free(shape);
}

static void RefusedShapes(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(1.0, 1.0, 1.0), disc = ShapeOf(rsl_cylinderShape, 1.0, 0.02);
    rslShapeDef ball = ShapeOf(rsl_sphereShape, 1.0, 0.0);
    rslBodyDef body = Filled(&box, 0.0);
    rslScene scene = SceneOf(&body, 1);
    Refused(&scene, body.network.place, "missing key 'spacing' of tetrahedra that fill a shape");
    body = Filled(&box, 1.5);
    Refused(&scene, body.network.place, "the spacing, 1.5 m, is larger than the shape, 1 m: take a smaller one");
    body = Filled(&box, 1e-5);
    Refused(&scene, body.network.place, "would have about 1e+15 nodes: take a larger spacing");
    body = Filled(&ball, 1e-4);
    Refused(&scene, body.network.place, "take a larger spacing");
    body = Filled(&disc, 0.2);
    Refused(&scene, body.network.place, "too thin for tetrahedra with a spacing of 0.2 m: take a smaller spacing");
    body = Filled(&ball, 1.0);
    Refused(&scene, body.network.place, "of the volume of the shape, which is too thin or too curved for them");
    body = Filled(&box, 0.2);
    body.network.scale = 2.0;
    Refused(&scene, body.network.place, "expected them in the shape");
    body = Filled(&box, 0.2);
    body.network.mesher = rsl_gmshMesher;
    Refused(&scene, body.network.place, "the shape has not been filled by Gmsh");
}

static void OutOfMemory(void** state)
{
    (void)state;
    rslShapeDef shapes[2] = { BoxShape(1.0, 1.0, 1.0), ShapeOf(rsl_cylinderShape, 0.5, 1.0) };
    for (int i = 0; i < 2; ++i)
    {
        rslBodyDef body = Filled(&shapes[i], 0.3);
        rslScene scene = SceneOf(&body, 1);
        for (int failAt = 1, done = 0; !done; ++failAt)
        {
            Heap heap = { .failAt = failAt };
            rslHooks hooks = HeapHooks(&heap);
            rslModel* model = NULL;
            rslStatus status = rslModel_Build(&scene, &hooks, &model, NULL);
            done = heap.calls < failAt;
            assert_int_equal(status, done ? rsl_ok : rsl_outOfMemory);
            rslModel_Free(model);
            assert_int_equal(heap.live, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Shapes),        cmocka_unit_test(Combinations), cmocka_unit_test(ThinRings),
        cmocka_unit_test(BoxIsExact),    cmocka_unit_test(Moduli),       cmocka_unit_test(ModuliOfMesh),
        cmocka_unit_test(RefusedShapes), cmocka_unit_test(OutOfMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
