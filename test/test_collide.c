// SPDX-License-Identifier: MIT
//
// Finding collisions: hand-made places with known gaps, normals and weights; what is kept between looks and the number of threads
// change nothing; ways that meet something.

#include "collide.h"
#include "support.h"

// Bodies as they are at the start, and what is found.
typedef struct Fixture
{
    rslModel* model;
    rslTeam* team;
    rslCollide* collide;
    rslCollisions found;
    double *x, *v, *a;
    rslLook look;
} Fixture;

static void Start(Fixture* fixture, const rslScene* scene)
{
    *fixture = (Fixture){ .model = Built(scene, NULL) };
    size_t nodes = (size_t)fixture->model->contactNodeCount;
    fixture->team = rslTeam_Create(NULL, 1, NULL, NULL);
    fixture->collide = rslCollide_Create(fixture->model, NULL, fixture->team);
    assert_non_null(fixture->collide);
    fixture->x = calloc(3 * nodes, sizeof(double));
    fixture->v = calloc(3 * nodes, sizeof(double));
    fixture->a = calloc(3 * nodes, sizeof(double));
    for (size_t n = 0; n < nodes; ++n)
    {
        int node = fixture->model->contactNodes[n];
        const rslBody* body = &fixture->model->bodies[rslModel_BodyOf(fixture->model, node)];
        rslBody_WorldRest(body, node, node + 1, fixture->x + 3 * n);
    }
    fixture->found.hooks = fixture->model->hooks;
    fixture->look = (rslLook){ .x = fixture->x, .v = fixture->v, .a = fixture->a, .step = 1e-3 };
}

static void Stop(Fixture* fixture)
{
    rslCollisions_Free(&fixture->found);
    rslCollide_Free(fixture->collide);
    rslTeam_Free(fixture->team);
    rslModel_Free(fixture->model);
    free(fixture->x);
    free(fixture->v);
    free(fixture->a);
}

static int BodyOf(const Fixture* fixture, size_t contactNode)
{
    return rslModel_BodyOf(fixture->model, fixture->model->contactNodes[contactNode]);
}

static void Move(Fixture* fixture, int body, rslVec3 by)
{
    for (size_t n = 0; n < (size_t)fixture->model->contactNodeCount; ++n)
    {
        double* x = fixture->x + 3 * n;
        if (BodyOf(fixture, n) == body)
        {
            x[0] += by.x;
            x[1] += by.y;
            x[2] += by.z;
        }
    }
}

static void SetVelocity(Fixture* fixture, int body, rslVec3 v)
{
    for (size_t n = 0; n < (size_t)fixture->model->contactNodeCount; ++n)
    {
        if (BodyOf(fixture, n) == body)
        {
            memcpy(fixture->v + 3 * n, &v, sizeof v);
        }
    }
}

// Weights sum up to what they must, g is what nodes and weights say between skins, and keys ascend.
static void Find(Fixture* fixture)
{
    assert_int_equal(rslCollide_Find(fixture->collide, &fixture->look, &fixture->found), rsl_ok);
    const rslCollisions* found = &fixture->found;
    for (int i = 0; i < found->count; ++i)
    {
        const rslCollision* touch = &found->list[i];
        double sum = 0.0;
        rslVec3 apart = { 0 };
        for (int k = touch->begin; k < touch->begin + touch->count; ++k)
        {
            const double* x = fixture->x + 3 * (size_t)found->nodes[k];
            sum += found->weights[k];
            apart = rslMulAdd(apart, found->weights[k], (rslVec3){ x[0], x[1], x[2] });
        }
        bool collider = rslKey_IsCollider(touch->key);
        assert_close(sum, collider ? 1.0 : 0.0, 1e-12);
        assert_close(rslLength(touch->normal), 1.0, 1e-12);
        const rslSkin* own = &fixture->model->bodies[touch->key[0]].skin;
        const rslSkin* other = collider ? NULL : &fixture->model->bodies[rslKey_Other(touch->key)].skin;
        if (!collider && own->radius == NULL && other->radius == NULL)
        {
            assert_close(rslDot(touch->normal, apart) - own->thickness - other->thickness, touch->gap, 1e-9);
        }
        assert_true(i == 0 || rslKey_Compare(found->list[i - 1].key, touch->key) < 0);
    }
}

// Two boxes, the second above the first by a gap.
static rslShapeDef boxes[2];
static rslBodyDef bodies[2];

static rslScene TwoBoxes(double gap, double spacing)
{
    boxes[0] = BoxShape(0.4, 0.4, 0.2);
    boxes[1] = BoxShape(0.2, 0.2, 0.2);
    boxes[1].translate = (rslVec3){ 0.013, 0.017, 0.2 + gap };
    bodies[0] = LatticeBody("lower", &boxes[0], 0.1);
    bodies[1] = LatticeBody("upper", &boxes[1], spacing);
    rslScene scene = SceneOf(bodies, 2);
    scene.touch.pairs = rsl_allPairs;
    return scene;
}

// ---- places ---------------------------------------------------------------------------------------------------------

static void test_plane(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.4, 0.4, 0.4);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    scene.ground.enabled = true;
    scene.ground.point.z = -0.2 - 1e-4;
    Fixture fixture;
    Start(&fixture, &scene);
    Find(&fixture);
    assert_int_equal(fixture.found.count, 0);
    SetVelocity(&fixture, 0, (rslVec3){ 1.0, 0.0, -0.09 });
    Find(&fixture);
    assert_int_equal(fixture.found.count, 0);
    SetVelocity(&fixture, 0, (rslVec3){ 1.0, 0.0, -0.11 });
    Find(&fixture);
    assert_int_equal(fixture.found.count, 25);
    for (int i = 0; i < 25; ++i)
    {
        const rslCollision* touch = &fixture.found.list[i];
        assert_close(touch->gap, 1e-4, 1e-15);
        assert_int_equal(touch->count, 1);
        assert_close(touch->normal.z, 1.0, 0.0);
        assert_true(rslKey_IsCollider(touch->key));
    }
    Move(&fixture, 0, (rslVec3){ 0.0, 0.0, -0.01 });
    Find(&fixture);
    assert_int_equal(fixture.found.count, 25);
    assert_close(fixture.found.list[3].gap, 1e-4 - 0.01, 1e-15);
    Stop(&fixture);
}

static void test_boxes_face_to_face(void** state)
{
    (void)state;
    rslScene scene = TwoBoxes(1e-4, 0.1);
    Fixture fixture;
    Start(&fixture, &scene);
    Find(&fixture);
    assert_int_equal(fixture.found.count, 0);
    fixture.look.reach = 2e-4;
    Find(&fixture);
    int lower = 0, upper = 0;
    for (int i = 0; i < fixture.found.count; ++i)
    {
        const rslCollision* touch = &fixture.found.list[i];
        assert_close(touch->gap, 1e-4, 1e-12);
        assert_close(fabs(touch->normal.z), 1.0, 1e-9);
        assert_true(touch->normal.z * (touch->key[0] == 0 ? -1.0 : 1.0) > 0.0);
        lower += touch->key[0] == 0;
        upper += touch->key[0] == 1;
    }
    // nine vertices of the upper face the lower; of the lower's those under the upper: 2 x 2
    assert_int_equal(upper, 9);
    assert_int_equal(lower, 4);
    // overlapping a little
    Move(&fixture, 1, (rslVec3){ 0.0, 0.0, -0.011 });
    fixture.look.reach = 0.0;
    Find(&fixture);
    assert_int_equal(fixture.found.count, 13);
    assert_close(fixture.found.list[0].gap, 1e-4 - 0.011, 1e-12);
    Stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_boxes_face_to_face),
    };
    return cmocka_run_group_tests_name("collide", tests, NULL, NULL);
}
