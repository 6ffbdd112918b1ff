// SPDX-License-Identifier: MIT
//
// Explicit networks with elements: springs along edges, surfaces, and what is refused.

#include "support.h"

static const double square[12] = { 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0 };
static const int halves[6] = { 0, 1, 2, 1, 3, 2 };

static rslBodyDef Listed(const double* nodes, int nodeCount, rslSpringSource source)
{
    static const double one = 1.0, stiffness = 3.0, damping = 0.5;
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "net";
    body.network.place = (rslPlace){ 5, 3 };
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = nodes;
    body.network.nodeCount = nodeCount;
    body.network.masses = &one;
    body.network.springsFrom = source;
    body.network.massCount = 1;
    if (source != rsl_listedSprings)
    {
        body.network.stiffness = &stiffness;
        body.network.damping = &damping;
        body.network.stiffnessCount = body.network.dampingCount = 1;
    }
    return body;
}

static rslBodyDef Halves(rslSpringSource source)
{
    rslBodyDef body = Listed(square, 4, source);
    body.network.triangles = halves;
    body.network.triangleCount = 2;
    return body;
}

static rslScene FlatScene(const rslBodyDef* body)
{
    rslScene scene = SceneOf(body, 1);
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0.0, -9.81, 0.0 };
    return scene;
}

// Five edges; the one that both triangles have is twice as stiff when each brings its own.
static void TestTriangles(void** unused)
{
    (void)unused;
    for (int each = 0; each < 2; ++each)
    {
        rslBodyDef body = Halves(each ? rsl_elementSprings : rsl_edgeSprings);
        rslScene scene = FlatScene(&body);
        rslModel* model = Built(&scene, NULL);
        const rslNetwork* network = &model->bodies[0].network;
        assert_int_equal(network->springCount, 5);
        for (int i = 0; i < 5; ++i)
        {
            const rslSpring* spring = &network->springs[i];
            bool shared = spring->a == 1 && spring->b == 2;
            assert_true(spring->stiffness == (each && shared ? 6.0 : 3.0));
            assert_true(spring->damping == (each && shared ? 1.0 : 0.5));
            double dx = square[3 * spring->a] - square[3 * spring->b];
            double dy = square[3 * spring->a + 1] - square[3 * spring->b + 1];
            assert_close(spring->restLength, sqrt(dx * dx + dy * dy), 1e-15);
        }
        assert_int_equal(network->triangleCount, 2);
        assert_memory_equal(network->triangles, halves, sizeof halves);
        assert_null(network->tetrahedra);
        assert_int_equal(model->bodies[0].surface.triangleCount, 2);
        assert_false(model->bodies[0].surface.closed);
        rslModel_Free(model);
    }
}

// Constants of each element; numbers of nodes are those of the model.
static void TestEachElement(void** unused)
{
    (void)unused;
    const double stiffness[2] = { 2.0, 5.0 };
    rslBodyDef bodies[2] = { Listed(square, 4, rsl_listedSprings), Halves(rsl_elementSprings) };
    bodies[0].name = "loose";
    bodies[1].network.stiffness = stiffness;
    bodies[1].network.stiffnessCount = 2;
    rslScene scene = SceneOf(bodies, 2);
    rslModel* model = Built(&scene, NULL);
    const rslNetwork* network = &model->bodies[1].network;
    double sum = 0.0;
    for (int i = 0; i < network->springCount; ++i)
    {
        sum += network->springs[i].stiffness;
    }
    assert_true(sum == 3 * 2.0 + 3 * 5.0);
    assert_int_equal(network->triangles[4], 4 + 3);
    assert_int_equal(model->bodies[0].surface.vertexCount, 0);
    rslModel_Free(model);
}

// Two tetrahedra on a face, one listed the other way around.
static void TestTetrahedra(void** unused)
{
    (void)unused;
    const double nodes[15] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.2, 0.3, -1 };
    const int tets[8] = { 0, 1, 2, 3, 1, 4, 0, 2 };
    rslBodyDef body = Listed(nodes, 5, rsl_elementSprings);
    body.network.tetrahedra = tets;
    body.network.tetrahedronCount = 2;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    const rslNetwork* network = &model->bodies[0].network;
    assert_int_equal(network->springCount, 9);
    double sum = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        sum += network->springs[i].stiffness;
    }
    assert_true(sum == 36.0);
    for (int t = 0; t < 2; ++t)
    {
        const int* corner = network->tetrahedra + 4 * t;
        rslVec3 o = WorldOf(model, corner[0]), a = rslSub(WorldOf(model, corner[1]), o);
        rslVec3 b = rslSub(WorldOf(model, corner[2]), o), c = rslSub(WorldOf(model, corner[3]), o);
        assert_close(rslDot(rslCross(a, b), c), 1.0, 1e-12);
    }
    assert_int_equal(model->bodies[0].surface.triangleCount, 6);
    assert_true(model->bodies[0].surface.closed);
    rslModel_Free(model);
}

static void TestRefused(void** unused)
{
    (void)unused;
    const int over[6] = { 0, 1, 2, 0, 1, 3 }, turned[6] = { 0, 1, 2, 1, 2, 3 };
    rslBodyDef body = Halves(rsl_edgeSprings);
    rslScene scene = FlatScene(&body);
    body.network.triangles = over;
    Refused(&scene, (rslPlace){ 5, 3 }, "two lie on the same side of an edge");
    body.network.triangles = turned;
    Refused(&scene, (rslPlace){ 5, 3 }, "triangle 1 runs clockwise");
    scene.plane = rsl_space3;  // where a triangle has no sign
    rslModel_Free(Built(&scene, NULL));

    // on the same side of a face
    const double nodes[15] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.2, 0.3, 2 };
    const int tets[8] = { 0, 1, 2, 3, 0, 1, 2, 4 };
    rslBodyDef solid = Listed(nodes, 5, rsl_edgeSprings);
    solid.network.tetrahedra = tets;
    solid.network.tetrahedronCount = 2;
    scene.bodies = &solid;
    Refused(&scene, (rslPlace){ 5, 3 }, "the tetrahedra of body 'net' overlap");
}

// The same mesh crosses itself without sharing an edge.
static void TestCrossing(void** unused)
{
    (void)unused;
    const double nodes[18] = { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0.5, 0.5, 0, 3, 0.5, 0, 3, 1, 0 };
    const int cells[6] = { 0, 1, 2, 3, 4, 5 };
    rslBodyDef body = Listed(nodes, 6, rsl_edgeSprings);
    body.network.triangles = cells;
    body.network.triangleCount = 2;
    rslScene scene = FlatScene(&body);
    Refused(&scene, (rslPlace){ 5, 3 }, "two cross");
}

static void TestMemory(void** unused)
{
    (void)unused;
    const double nodes[15] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.2, 0.3, -1 };
    const int tets[8] = { 0, 1, 2, 3, 1, 4, 0, 2 };
    rslBodyDef bodies[2] = { Halves(rsl_edgeSprings), Listed(nodes, 5, rsl_elementSprings) };
    bodies[1].name = "solid";
    bodies[1].network.tetrahedra = tets;
    bodies[1].network.tetrahedronCount = 2;
    rslScene scene = SceneOf(bodies, 2);
    BuildWithoutMemory(&scene, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTriangles), cmocka_unit_test(TestEachElement), cmocka_unit_test(TestTetrahedra),
        cmocka_unit_test(TestRefused),   cmocka_unit_test(TestCrossing),    cmocka_unit_test(TestMemory),
    };
    return cmocka_run_group_tests_name("explicit", tests, NULL, NULL);
}
