// SPDX-License-Identifier: MIT
//
// Finding collisions: hand-made places with known gaps, normals and weights.

#include "collide_fixture.h"

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

// Two bars of one cell across each other: no vertex is over the other, four edges cross.
static void test_crossed_bars_touch_with_their_edges(void** state)
{
    (void)state;
    rslShapeDef bars[2] = { BoxShape(0.5, 0.1, 0.1), BoxShape(0.1, 0.5, 0.1) };
    bars[1].translate = (rslVec3){ 0.03, 0.04, 0.1 + 1e-4 };
    bars[1].rotate.axis = (rslVec3){ 0.0, 0.0, 1.0 };
    bars[1].rotate.angle = 20.0;
    rslBodyDef both[2] = { LatticeBody("lower", &bars[0], 0.1), LatticeBody("upper", &bars[1], 0.1) };
    both[1].network.orientation = bars[1].rotate;
    rslScene scene = SceneOf(both, 2);
    scene.touch.pairs = rsl_allPairs;
    Fixture fixture;
    Start(&fixture, &scene);
    fixture.look.reach = 2e-4;
    Find(&fixture);
    int edges = 0;
    for (int i = 0; i < fixture.found.count; ++i)
    {
        const rslCollision* touch = &fixture.found.list[i];
        assert_close(touch->gap, 1e-4, 1e-12);
        bool edge = (touch->key[1] & ~(uint32_t)RSL_KEY_INDEX) == RSL_KEY_EDGE;
        assert_close(touch->normal.z, touch->key[0] == 0 ? -1.0 : 1.0, 1e-9);
        edges += edge;
    }
    assert_int_equal(edges, 4);
    Stop(&fixture);
}

// Faces that are flat at rest and are folded later meet with the folds, although nothing has moved far since the last look.
static void test_folds_meet_with_their_edges(void** state)
{
    (void)state;
    const double fold = 0.0105, deep = 0.03;
    rslScene scene = TwoBoxes(deep + fold + 1e-4, 0.1);
    Fixture fixture;
    Start(&fixture, &scene);
    for (int look = 0; look < 2; ++look)
    {
        // across the bottom of the upper one along y, then of the top of the lower one along x, by 12 degrees
        for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
        {
            double* x = fixture.x + 3 * n;
            bool upper = look == 0 && BodyOf(&fixture, n) == 1 && fabs(x[0] - 0.013) < 1e-6 && x[2] < 0.15;
            bool lower = look == 1 && BodyOf(&fixture, n) == 0 && fabs(x[1]) < 1e-6 && x[2] > 0.05;
            x[2] += lower ? fold : upper ? -deep : 0.0;
        }
        fixture.look.reach = look == 0 ? fold + 2e-4 : 2e-4;
        Find(&fixture);
        assert_int_equal(fixture.found.count, look == 0 ? 3 : 1);
    }
    assert_close(fixture.found.list[0].gap, 1e-4, 1e-9);
    assert_close(fixture.found.list[0].normal.z, -1.0, 1e-9);
    assert_true(fixture.found.list[0].key[1] >= RSL_KEY_EDGE);
    Stop(&fixture);
}

// Edges of a valley that is closed until its sides lie on each other are listed as well: it would take next to nothing to turn them out.
// Those of a valley that is open are not.
static void test_closed_valleys_are_listed(void** state)
{
    (void)state;
    for (int closed = 0; closed < 2; ++closed)
    {
        rslScene scene = TwoBoxes(1e-4, 0.1);
        Fixture fixture;
        Start(&fixture, &scene);
        for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
        {
            // across the top of the lower one, along y: what is beside the middle comes near to its own mirror image
            double* x = fixture.x + 3 * n;
            bool top = BodyOf(&fixture, n) == 0 && x[2] > 0.05;
            x[2] -= top && fabs(x[0]) < 1e-6 ? 0.05 : 0.0;
            x[0] *= top && closed && fabs(x[0]) < 0.11 ? 1e-3 : 1.0;
        }
        fixture.look.reach = 1e-3;
        Find(&fixture);
        const rslSide* side = &fixture.collide->sides[0];
        int valley = 0, listed = 0;
        for (int e = 0; e < side->skin->edgeCount; ++e)
        {
            rslVec3 a = rslSide_Vertex(fixture.collide, side, side->skin->edges[2 * e]);
            rslVec3 b = rslSide_Vertex(fixture.collide, side, side->skin->edges[2 * e + 1]);
            bool bottom = fabs(a.x) + fabs(b.x) < 1e-9 && fabs(a.z - 0.05) + fabs(b.z - 0.05) < 1e-9;
            valley += bottom;
            listed += bottom && side->listed[e] > 0;
        }
        assert_int_equal(valley, 4);
        assert_int_equal(listed, closed ? 4 : 0);
        Stop(&fixture);
    }
}

// A vertex that stands a little above the edge of a box is not held up by the side of it.
static void test_sides_do_not_hold_up(void** state)
{
    (void)state;
    rslScene scene = TwoBoxes(0.0, 0.1);
    Fixture fixture;
    Start(&fixture, &scene);
    Move(&fixture, 1, (rslVec3){ -0.013 - 1e-6, 0.0, -1e-5 });
    SetVelocity(&fixture, 1, (rslVec3){ -1.0, 0.0, 0.0 });
    Find(&fixture);
    assert_true(fixture.found.count > 10);
    for (int i = 0; i < fixture.found.count; ++i)
    {
        assert_close(fabs(fixture.found.list[i].normal.z), 1.0, 1e-6);
    }
    Stop(&fixture);
}

// The upper of two boxes becomes a blade that lies almost flat, above z = 0.1.
static void MakeBlade(Fixture* fixture, int body, rslVec3 tip)
{
    for (size_t n = 0; n < (size_t)fixture->model->contactNodeCount; ++n)
    {
        double* x = fixture->x + 3 * n;
        if (BodyOf(fixture, n) != body)
        {
            continue;
        }
        bool front = fabs(x[0] - (0.013 - 0.1)) < 1e-6 && fabs(x[1] - 0.017) < 1e-6 && fabs(x[2] - 0.23) < 1e-6;
        x[2] = 0.101 + 0.1 * (x[2] - 0.13);
        if (front)
        {
            memcpy(x, &tip, sizeof tip);
        }
    }
    SetVelocity(fixture, body, (rslVec3){ 0.0, 0.0, -0.5 });
}

// The tip of a blade that lies almost flat meets what is below it, a body or a collider, although the mean of what is around it looks
// along the blade.
static void test_a_blade_lies_on_its_tip(void** state)
{
    (void)state;
    const rslVec3 tip = { -0.19, 0.017, 0.1001 };
    rslColliderDef below = rslDefaultColliderDef();
    below.type = rsl_shapeCollider;
    below.shape = &boxes[0];
    for (int collider = 0; collider < 2; ++collider)
    {
        rslScene scene = TwoBoxes(0.03, 0.1);
        if (collider == 1)
        {
            scene.bodies = &bodies[1];
            scene.bodyCount = 1;
            scene.colliders = &below;
            scene.colliderCount = 1;
        }
        Fixture fixture;
        Start(&fixture, &scene);
        MakeBlade(&fixture, 1 - collider, tip);
        Find(&fixture);
        int tips = 0;
        for (int i = 0; i < fixture.found.count; ++i)
        {
            const rslCollision* touch = &fixture.found.list[i];
            bool vertex = touch->key[0] == 1u - (uint32_t)collider &&
                          (touch->key[1] & ~(uint32_t)RSL_KEY_INDEX) == RSL_KEY_VERTEX;
            if (vertex && rslLength(rslSub(touch->point, tip)) < 1e-9)
            {
                assert_close(touch->gap, 1e-4, 1e-9);
                assert_close(touch->normal.z, 1.0, 1e-9);
                tips += 1;
            }
        }
        assert_int_equal(tips, 1);
        Stop(&fixture);
    }
}

// A sheet that is folded over touches with its crease, where the mean normal looks aside and the sheet leads aside as well.
static void test_a_sheet_lies_on_its_crease(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(1.6, 1.6, 0.2);
    rslBodyDef both[2] = { LatticeBody("box", &shape, 0.2), GridBody("sheet", 1.0, 1.0, 10, 10) };
    rslScene scene = SceneOf(both, 2);
    scene.touch.pairs = rsl_allPairs;
    scene.touch.overlap = rsl_allowOverlap;
    Fixture fixture;
    Start(&fixture, &scene);
    double least = INFINITY, across = 0.52, above = 0.1 + fixture.model->bodies[1].skin.thickness + 1e-4;
    for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
    {
        least = BodyOf(&fixture, n) == 1 ? fmin(least, fixture.x[3 * n]) : least;
    }
    int crease = 0, found = 0;
    for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
    {
        double *x = fixture.x + 3 * n, beyond = x[0] - least - 0.5;
        if (BodyOf(&fixture, n) == 1)
        {
            x[0] = 0.013 + (beyond > 0.0 ? -beyond * cos(across) : beyond);
            x[1] += 0.017;
            x[2] = above + (beyond > 0.0 ? beyond * sin(across) : 0.0);
            crease += fabs(beyond) < 1e-9;
        }
    }
    fixture.look.reach = 1e-3;
    Find(&fixture);
    for (int i = 0; i < fixture.found.count; ++i)
    {
        const rslCollision* touch = &fixture.found.list[i];
        bool vertex = (touch->key[1] & ~(uint32_t)RSL_KEY_INDEX) == RSL_KEY_VERTEX;
        found += touch->key[0] == 1 && vertex && fabs(touch->point.x - 0.013) < 1e-9 && touch->normal.z > 0.999;
    }
    assert_true(crease > 5);
    assert_int_equal(found, crease);
    Stop(&fixture);
}

// A strip that is bent round until its ends lie on each other touches itself there and nowhere else.
static void test_a_bent_strip_touches_itself(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(3.0, 0.2, 0.1);
    rslBodyDef body = LatticeBody("strip", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    scene.touch.self = true;
    Fixture fixture;
    Start(&fixture, &scene);
    Find(&fixture);
    assert_int_equal(fixture.found.count, 0);
    for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
    {
        // a spiral: by one turn out by a little more than the strip is thick
        double *x = fixture.x + 3 * n, angle = 7.0 * x[0] / 3.0, r = 0.45 + 0.102 * angle / 6.283185307179586 + x[2];
        x[0] = r * cos(angle);
        x[2] = r * sin(angle);
    }
    fixture.look.reach = 0.004;
    Find(&fixture);
    assert_true(fixture.found.count > 4);
    for (int i = 0; i < fixture.found.count; ++i)
    {
        const rslCollision* touch = &fixture.found.list[i];
        rslVec3 out = rslNormalize((rslVec3){ touch->point.x, 0.0, touch->point.z });
        assert_true(fabs(rslDot(out, touch->normal)) > 0.9);
        assert_at_most(fabs(touch->gap), 0.01);
    }
    fixture.look.whole = true;
    Find(&fixture);
    assert_true(fixture.found.count > 4);
    Stop(&fixture);
}

// A ball smaller than a cell under the middle of a face is met by its triangles.
static void test_small_collider(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.4, 0.4, 0.4), ball = BallShape(0.02);
    ball.translate = (rslVec3){ 0.03, 0.06, -0.22 - 1e-4 };
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    rslColliderDef collider = rslDefaultColliderDef();
    collider.type = rsl_shapeCollider;
    collider.shape = &ball;
    rslScene scene = SceneOf(&body, 1);
    scene.colliders = &collider;
    scene.colliderCount = 1;
    Fixture fixture;
    Start(&fixture, &scene);
    fixture.look.reach = 2e-4;
    Find(&fixture);
    assert_int_equal(fixture.found.count, 1);
    const rslCollision* touch = &fixture.found.list[0];
    assert_true(rslKey_IsCollider(touch->key));
    assert_close(touch->gap, 1e-4, 1e-9);
    assert_close(touch->normal.z, 1.0, 1e-9);
    // thrown at it at ten cells a step
    Move(&fixture, 0, (rslVec3){ 0.0, 0.0, 0.5 });
    SetVelocity(&fixture, 0, (rslVec3){ 0.0, 0.0, -1000.0 });
    assert_int_equal(rslCollide_Sweep(fixture.collide, &fixture.look, &fixture.found), rsl_ok);
    assert_true(fixture.found.count > 0);
    double t = 0.0;
    assert_int_equal(rslCollide_FirstTime(fixture.collide, &fixture.look, 0.1, &t), rsl_ok);
    assert_true(t > 0.4 && t < 0.5);
    Stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_boxes_face_to_face),
        cmocka_unit_test(test_crossed_bars_touch_with_their_edges),
        cmocka_unit_test(test_folds_meet_with_their_edges),
        cmocka_unit_test(test_closed_valleys_are_listed),
        cmocka_unit_test(test_sides_do_not_hold_up),
        cmocka_unit_test(test_a_blade_lies_on_its_tip),
        cmocka_unit_test(test_a_sheet_lies_on_its_crease),
        cmocka_unit_test(test_a_bent_strip_touches_itself),
        cmocka_unit_test(test_small_collider),
    };
    return cmocka_run_group_tests_name("collide", tests, NULL, NULL);
}
