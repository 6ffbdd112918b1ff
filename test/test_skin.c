// SPDX-License-Identifier: MIT
//
// Skins: what touches of a body. Surfaces about as fine as the nodes, whatever the shape is given as; spheres where there is none;
// none where nothing can touch.

#include "mesh_topology.h"
#include "support.h"

static rslScene OnGround(const rslBodyDef* body)
{
    rslScene scene = SceneOf(body, 1);
    scene.ground.enabled = true;
    scene.ground.point.z = -10.0;
    return scene;
}

static rslVec3 Vertex(const rslModel* model, const rslBody* body, int v)
{
    const rslSkin* skin = &body->skin;
    rslVec3 x = { 0 };
    for (int i = skin->stencilStart[v]; i < skin->stencilStart[v + 1]; ++i)
    {
        double node[3];
        int n = model->contactNodes[skin->stencilNodes[i]];
        rslBody_WorldRest(body, n, n + 1, node);
        x = rslMulAdd(x, skin->stencilWeights[i], (rslVec3){ node[0], node[1], node[2] });
    }
    return x;
}

static double Volume(const rslModel* model, const rslBody* body)
{
    double six = 0.0;
    for (int t = 0; t < body->skin.triangleCount; ++t)
    {
        const int* c = body->skin.triangles + 3 * t;
        six += rslDot(Vertex(model, body, c[0]), rslCross(Vertex(model, body, c[1]), Vertex(model, body, c[2])));
    }
    return six / 6.0;
}

// Every edge has two triangles where the skin is closed, weights sum up to one and edges are about as long as asked for.
static void CheckSkin(const rslModel* model, const rslBody* body, double shortest, double longest)
{
    const rslSkin* skin = &body->skin;
    double mean = 0.0;
    assert_true(skin->vertexCount > 0 && skin->triangleCount > 0);
    for (int v = 0; v < skin->vertexCount; ++v)
    {
        double sum = 0.0;
        for (int i = skin->stencilStart[v]; i < skin->stencilStart[v + 1]; ++i)
        {
            sum += skin->stencilWeights[i];
            assert_in_range(skin->stencilNodes[i], 0, model->contactNodeCount - 1);
        }
        assert_close(sum, 1.0, 1e-12);
    }
    for (int e = 0; e < skin->edgeCount; ++e)
    {
        const int *ends = skin->edges + 2 * e, *sides = skin->edgeTriangles + 2 * e;
        double length = rslLength(rslSub(Vertex(model, body, ends[0]), Vertex(model, body, ends[1])));
        assert_true(ends[0] < ends[1]);
        assert_true(sides[0] >= 0 && (sides[1] >= 0 || !skin->closed));
        assert_at_most(length, longest);
        mean += length / skin->edgeCount;
    }
    assert_at_most(shortest, mean);
    for (int n = 1; n < model->contactNodeCount; ++n)
    {
        assert_true(model->contactNodes[n - 1] < model->contactNodes[n]);
    }
}

static void test_box_has_its_border_nodes(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.2);
    shape.translate = (rslVec3){ 1.0, 2.0, 3.0 };
    shape.rotate.axis = (rslVec3){ 1.0, 2.0, 3.0 };
    shape.rotate.angle = 33.0;
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.network.orientation = shape.rotate;
    rslScene scene = OnGround(&body);
    rslModel* model = Built(&scene, NULL);
    const rslSkin* skin = &model->bodies[0].skin;
    // 5 x 4 x 3 nodes less 3 x 2 x 1 inside
    assert_int_equal(model->contactNodeCount, 60 - 6);
    assert_int_equal(skin->vertexCount, 54);
    for (int v = 0; v < skin->vertexCount; ++v)
    {
        assert_int_equal(skin->stencilStart[v + 1] - skin->stencilStart[v], 1);
    }
    assert_true(skin->closed);
    assert_close(Volume(model, &model->bodies[0]), 0.024, 1e-12);
    CheckSkin(model, &model->bodies[0], 0.1, 0.1415);
    rslModel_Free(model);
}

// A cube as 12 triangles, and each of them divided n^2 times; both in a lattice of the same spacing.
static void test_meshes_of_any_fineness(void** state)
{
    (void)state;
    static const int fineness[] = { 1, 40 };
    for (int f = 0; f < 2; ++f)
    {
        rslShapeDef cube = BoxShape(1.0, 1.0, 1.0), mesh = rslDefaultShapeDef();
        rslShape* made = NULL;
        rslMesh surface = { 0 };
        assert_int_equal(rslShape_Create(&cube, NULL, &made, NULL), rsl_ok);
        assert_int_equal(rslShape_Surface(made, 1.0 / fineness[f], NULL, &surface, NULL), rsl_ok);
        mesh.type = rsl_meshShape;
        mesh.vertices = surface.vertices;
        mesh.vertexCount = surface.vertexCount;
        mesh.triangles = surface.triangles;
        mesh.triangleCount = surface.triangleCount;
        rslBodyDef body = LatticeBody("cube", &mesh, 0.125);
        rslScene scene = OnGround(&body);
        rslModel* model = Built(&scene, NULL);
        CheckSkin(model, &model->bodies[0], 0.06, 0.27);
        assert_close(Volume(model, &model->bodies[0]), 1.0, 0.03);
        assert_in_range(model->bodies[0].skin.triangleCount, 400, 3000);
        rslModel_Free(model);
        rslMesh_Free(&surface);
        rslShape_Free(made);
    }
}

static void test_ball_of_every_network(void** state)
{
    (void)state;
    rslShapeDef shape = BallShape(0.5);
    for (int kind = 0; kind < 3; ++kind)
    {
        rslBodyDef body = LatticeBody("ball", &shape, 0.125);
        body.network.type = kind == 1 ? rsl_randomNetwork : kind == 2 ? rsl_tetrahedraNetwork : rsl_latticeNetwork;
        body.network.minLength = 0.1;
        body.network.maxLength = 0.2;
        rslScene scene = OnGround(&body);
        rslModel* model = Built(&scene, NULL);
        CheckSkin(model, &model->bodies[0], 0.5 * model->bodies[0].spacing, 3.0 * model->bodies[0].spacing);
        assert_close(Volume(model, &model->bodies[0]), 0.5236, 0.05);
        rslModel_Free(model);
    }
}

static void test_sheets_have_two_sides(void** state)
{
    (void)state;
    rslBodyDef body = GridBody("sheet", 1.0, 1.0, 4, 4);
    rslScene scene = OnGround(&body);
    rslModel* model = Built(&scene, NULL);
    const rslSkin* skin = &model->bodies[0].skin;
    assert_false(skin->closed);
    assert_close(skin->thickness, fmax(0.005, 0.025 * model->bodies[0].spacing), 1e-15);
    CheckSkin(model, &model->bodies[0], 0.2, 0.4);
    rslModel_Free(model);
}

static void test_spheres(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.4, 0.4, 0.4);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.skin = rsl_sphereSkin;
    rslScene scene = OnGround(&body);
    rslModel* model = Built(&scene, NULL);
    const rslSkin* skin = &model->bodies[0].skin;
    assert_int_equal(skin->vertexCount, 125 - 27);
    assert_int_equal(skin->triangleCount, 0);
    assert_true(skin->edgeCount > 0);
    // a corner: three edges and three diagonals of faces
    assert_close(skin->radius[0], 0.05 * (3.0 + 3.0 * sqrt(2.0)) / 6.0, 1e-12);
    for (int e = 0; e < skin->edgeCount; ++e)
    {
        assert_true(skin->edges[2 * e] < skin->edges[2 * e + 1]);
    }
    rslModel_Free(model);
    body.radius = 0.03;
    model = Built(&scene, NULL);
    assert_close(model->bodies[0].skin.radius[5], 0.03, 0.0);
    rslModel_Free(model);
}

static void test_only_where_something_touches(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.4, 0.4, 0.4);
    rslBodyDef body = LatticeBody("box", &shape, 0.2);
    rslScene scene = OnGround(&body);
    for (int way = 0; way < 4; ++way)
    {
        rslScene other = scene;
        other.ground.enabled = way != 0;
        other.touch.scheme = way == 1 ? rsl_penaltyScheme : rsl_autoScheme;
        other.time.integrator = way == 2 ? rsl_static : rsl_positionVerlet;
        body.skin = way == 3 ? rsl_noSkin : rsl_autoSkin;
        rslModel* model = Built(&other, NULL);
        assert_int_equal(model->bodies[0].skin.vertexCount, 0);
        assert_int_equal(model->contactNodeCount, 0);
        rslModel_Free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_has_its_border_nodes),
        cmocka_unit_test(test_meshes_of_any_fineness),
        cmocka_unit_test(test_ball_of_every_network),
        cmocka_unit_test(test_sheets_have_two_sides),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_only_where_something_touches),
    };
    return cmocka_run_group_tests_name("skin", tests, NULL, NULL);
}
