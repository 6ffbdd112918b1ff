// SPDX-License-Identifier: MIT
//
// Finding collisions: hand-made places with known gaps, normals and weights; what is kept between looks and the number of threads
// change nothing; ways that meet something.

#include "collide.h"
#include "collide_internal.h"
#include "collide_pair.h"
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
    scene.touch.overlap = rsl_allowOverlap;
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

// A body that has been turned inside out rests on the vertices that are turned away from what is below them, and draws nothing in; and what
// rounding has put inside is put out again.
static void test_what_is_inside_out_stays_outside(void** state)
{
    (void)state;
    static const double gaps[] = { 1e-4, -1e-6, -1e-3 };
    for (int g = 0; g < 3; ++g)
    {
        rslScene scene = TwoBoxes(1e-4, 0.1);
        Fixture fixture;
        Start(&fixture, &scene);
        for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
        {
            double* x = fixture.x + 3 * n;
            x[2] = BodyOf(&fixture, n) == 1 ? 2.0 * (0.2 + 1e-4) - x[2] + gaps[g] - 1e-4 : x[2];
        }
        fixture.look.reach = 2e-4;
        Find(&fixture);
        int above = 0;
        for (int i = 0; i < fixture.found.count; ++i)
        {
            const rslCollision* touch = &fixture.found.list[i];
            bool own = touch->key[0] == 1 && touch->key[1] < RSL_KEY_EDGE;
            above += own;
            assert_true(!own || (fabs(touch->gap - gaps[g]) < 1e-12 && touch->normal.z > 1.0 - 1e-9));
        }
        assert_int_equal(above, 9);
        Stop(&fixture);
    }
}

// Nor is anything drawn in by a body below that is inside out, whose triangles are all seen from behind.
static void test_what_is_above_something_inside_out_stays_outside(void** state)
{
    (void)state;
    static const double gaps[] = { 2e-4, 2e-3, 2e-2 };  // from shallow to deep
    for (int g = 0; g < 3; ++g)
    {
        rslScene scene = TwoBoxes(gaps[g], 0.1);
        Fixture fixture;
        Start(&fixture, &scene);
        for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
        {
            fixture.x[3 * n + 2] *= BodyOf(&fixture, n) == 0 ? -1.0 : 1.0;
        }
        fixture.look.reach = 2.0 * gaps[g];
        Find(&fixture);
        int above = 0;
        for (int i = 0; i < fixture.found.count; ++i)
        {
            const rslCollision* touch = &fixture.found.list[i];
            above += touch->key[0] == 1;
            assert_close(touch->gap, gaps[g], 1e-12);
            assert_close(touch->normal.z, touch->key[0] == 1 ? 1.0 : -1.0, 1e-9);
        }
        assert_int_equal(above, 9);
        Stop(&fixture);
    }
}

// What is behind a place does not count, although the line of the ray goes right through a vertex there, however old boxes are.
static void test_rays_go_one_way(void** state)
{
    (void)state;
    rslScene scene = TwoBoxes(1e-4, 0.1);
    Fixture fixture;
    Start(&fixture, &scene);
    size_t corner = 0;
    for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
    {
        double* x = fixture.x + 3 * n;
        bool top = BodyOf(&fixture, n) == 0 && x[2] > 0.05, middle = top && fabs(x[0]) + fabs(x[1]) < 1e-6;
        corner = top && x[0] < -0.15 && x[1] < -0.15 ? n : corner;
        x[0] = middle ? 0.0 : x[0];
        x[1] = middle ? 0.0 : x[1];
        x[2] = top ? 0.09375 : x[2];
    }
    fixture.x[3 * corner + 2] += 0.02;  // up to there, the box around all is higher
    const rslVec3 over = { 0x1.1p-16, 0x1.9p-16, 0.09375 + 0x1p-10 };
    for (int old = 0; old < 2; ++old)
    {
        Find(&fixture);
        const rslSide* side = &fixture.collide->sides[0];
        int winding = -1;
        assert_true(old ? side->bent > 0x1p-10 : side->bent == 0.0);
        assert_true(rslSide_FindWinding(fixture.collide, side, over, &winding));
        assert_int_equal(winding, 0);
        assert_true(rslSide_FindWinding(fixture.collide, side, (rslVec3){ 0.011, 0.013, 0.09 }, &winding));
        assert_int_equal(winding, 1);
        assert_false(rslSide_FindWinding(fixture.collide, side, (rslVec3){ 0.0, 0.0, 0.09375 }, &winding));
        fixture.x[3 * corner + 2] += 0.005;
    }
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

// ---- against all pairs ----------------------------------------------------------------------------------------------

// Nodes at random places around where they are, and random velocities.
static void Shake(Fixture* fixture, Random* random, double places, double speed)
{
    for (size_t i = 0; i < 3 * (size_t)fixture->model->contactNodeCount; ++i)
    {
        fixture->x[i] += NextBetween(random, -places, places);
        fixture->v[i] = NextBetween(random, -speed, speed);
        fixture->a[i] = NextBetween(random, -10.0 * speed, 10.0 * speed);
    }
}

static rslVec3 VertexAt(const Fixture* fixture, int body, int v, double t)
{
    const rslSkin* skin = &fixture->model->bodies[body].skin;
    rslVec3 x = { 0 };
    for (int i = skin->stencilStart[v]; i < skin->stencilStart[v + 1]; ++i)
    {
        const double* node = fixture->x + 3 * (size_t)skin->stencilNodes[i];
        const double* u = fixture->v + 3 * (size_t)skin->stencilNodes[i];
        double s = t * fixture->look.step;
        x = rslMulAdd(x, skin->stencilWeights[i],
                      (rslVec3){ node[0] + s * u[0], node[1] + s * u[1], node[2] + s * u[2] });
    }
    return x;
}

typedef void PairVisitor(const Fixture* fixture, rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4],
                         double thick, void* context);

// Every vertex with every triangle and every edge with every edge of two bodies.
static void VisitPairs(const Fixture* fixture, PairVisitor* visit, void* context)
{
    for (int a = 0; a < 2; ++a)
    {
        const rslSkin *own = &fixture->model->bodies[a].skin, *other = &fixture->model->bodies[1 - a].skin;
        double thick = own->thickness + other->thickness;
        for (int f = 0; f < own->vertexCount + (a == 0 ? own->edgeCount : 0); ++f)
        {
            bool edges = f >= own->vertexCount;
            for (int g = 0; g < (edges ? other->edgeCount : other->triangleCount); ++g)
            {
                rslVec3 x[2][4];
                for (int i = 0; i < 4; ++i)
                {
                    int e = 2 * (f - own->vertexCount);
                    bool mine = edges ? i < 2 : i == 0;
                    int v = edges ? (mine ? own->edges[e + i] : other->edges[2 * g + i - 2])
                                  : (mine ? f : other->triangles[3 * g + i - 1]);
                    x[0][i] = VertexAt(fixture, mine ? a : 1 - a, v, 0.0);
                    x[1][i] = VertexAt(fixture, mine ? a : 1 - a, v, 1.0);
                }
                visit(fixture, edges ? rsl_edgeEdge : rsl_vertexTriangle, x[0], x[1], thick, context);
            }
        }
    }
}

static void CountNear(const Fixture* fixture, rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4],
                      double thick, void* context)
{
    (void)to;
    *(int*)context += sqrt(rslPair_Nearest(kind, from).squared) - thick <= fixture->look.reach;
}

static void test_every_pair_is_told(void** state)
{
    (void)state;
    Random random = MakeRandom(5);
    rslScene scene = TwoBoxes(0.02, 0.0667);
    Fixture fixture;
    Start(&fixture, &scene);
    fixture.look.whole = true;
    fixture.look.v = fixture.look.a = NULL;
    for (int n = 0; n < 6; ++n)
    {
        int expected = 0;
        fixture.look.reach = n < 3 ? 0.03 : 0.06;
        Shake(&fixture, &random, 0.004, 0.0);
        Find(&fixture);
        VisitPairs(&fixture, CountNear, &expected);
        assert_int_equal(fixture.found.count, expected);
        assert_true(expected > 20);
    }
    Stop(&fixture);
}

// The same bits from a finder that has seen all of the way and from a new one, and from more threads.
static void CheckSame(Fixture* fixture, rslTeam* team)
{
    rslCollide* fresh = rslCollide_Create(fixture->model, NULL, team);
    rslCollisions found = { .hooks = fixture->model->hooks };
    assert_int_equal(rslCollide_Find(fresh, &fixture->look, &found), rsl_ok);
    assert_int_equal(found.count, fixture->found.count);
    assert_int_equal(found.nodeCount, fixture->found.nodeCount);
    for (int i = 0; i < found.count; ++i)
    {
        const rslCollision *a = &found.list[i], *b = &fixture->found.list[i];
        assert_memory_equal(a->key, b->key, sizeof a->key);
        assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
        assert_memory_equal(&a->gap, &b->gap, sizeof a->gap);
        assert_int_equal(a->begin, b->begin);
    }
    assert_memory_equal(found.nodes, fixture->found.nodes, (size_t)found.nodeCount * sizeof(int));
    assert_memory_equal(found.weights, fixture->found.weights, (size_t)found.nodeCount * sizeof(double));
    rslCollisions_Free(&found);
    rslCollide_Free(fresh);
}

static void test_memory_and_threads_change_nothing(void** state)
{
    (void)state;
    Random random = MakeRandom(6);
    rslTeam* team = rslTeam_Create(NULL, 3, NULL, NULL);
    for (int kind = 0; kind < 3; ++kind)
    {
        rslScene scene = TwoBoxes(0.01, 0.05);
        bodies[0].skin = kind == 1 ? rsl_sphereSkin : rsl_autoSkin;
        bodies[1].skin = kind >= 1 ? rsl_sphereSkin : rsl_autoSkin;
        bodies[0].radius = bodies[1].radius = 0.01;
        scene.ground.enabled = true;
        scene.ground.point.z = -0.1;
        scene.touch.self = true;
        int seen = 0;
        Fixture fixture;
        Start(&fixture, &scene);
        for (int n = 0; n < (Proving() ? 100 : 10); ++n)
        {
            Shake(&fixture, &random, 2e-3, 2.0);
            Move(&fixture, 1, (rslVec3){ 0.004, -0.002, -0.001 });
            Find(&fixture);
            CheckSame(&fixture, team);
            seen += fixture.found.count;
            // from farther on, without being placed again
            fixture.look.reach = 0.01;
            fixture.look.again = true;
            Find(&fixture);
            fixture.look.again = false;
            CheckSame(&fixture, team);
            fixture.look.reach = 0.0;
        }
        assert_true(seen > 50);
        Stop(&fixture);
    }
    rslTeam_Free(team);
}

// A body becomes longer along x.
static void Stretch(Fixture* fixture, int body, double part)
{
    for (size_t n = 0; n < (size_t)fixture->model->contactNodeCount; ++n)
    {
        fixture->x[3 * n] *= BodyOf(fixture, n) == body ? 1.0 + part : 1.0;
    }
}

// What is shaken below a box takes a new reference of it at every look. Lists of the box and what it lies under go on, and what both have
// moved against each other until then is not forgotten, whether the box slides or is stretched.
static void test_lists_outlast_references(void** state)
{
    (void)state;
    static rslShapeDef shapes[3];
    static rslBodyDef three[3];
    for (int b = 0; b < 3; ++b)
    {
        shapes[b] = BoxShape(0.4, 0.4, 0.2);
        shapes[b].translate = (rslVec3){ 0.013 * b, 0.017 * b, b == 0 ? 0.0 : b == 1 ? 0.201 : -0.201 };
        three[b] = LatticeBody(b == 0 ? "box" : b == 1 ? "above" : "below", &shapes[b], 0.1);
    }
    rslScene scene = SceneOf(three, 3);
    scene.touch.pairs = rsl_allPairs;
    scene.touch.overlap = rsl_allowOverlap;
    Fixture fixture;
    Start(&fixture, &scene);
    rslTeam* team = rslTeam_Create(NULL, 2, NULL, NULL);
    fixture.look.reach = 2e-3;
    int met = 0, went = 0, looks = 250;
    for (int n = 0; n < looks; ++n)
    {
        bool slides = n % 100 < 50;
        Move(&fixture, 0, (rslVec3){ slides ? 2e-3 : 0.0, 0.0, 0.0 });
        Stretch(&fixture, 0, slides ? 0.0 : 4e-3);
        Move(&fixture, 2, (rslVec3){ n % 2 == 0 ? 0.1 : -0.1, 0.0, 0.0 });
        Find(&fixture);
        CheckSame(&fixture, team);
        for (int i = 0; i < fixture.found.count; ++i)
        {
            met += fixture.found.list[i].key[0] == 0 && fixture.found.list[i].key[2] == 1;
        }
        for (size_t i = 0; i < fixture.collide->pairCount; ++i)
        {
            const rslSidePair* pair = fixture.collide->pairs[i];
            const rslListAge* age = &pair->ages[RSL_VERTEX_LISTS];
            bool above = pair->sides[0] == 0 && pair->sides[1] == 1,
                 moved = age->shift[0].x > 0.0 || age->bent[0] > 0.0;
            went += above && moved && age->stamps[0] == fixture.collide->sides[0].stamp;
        }
    }
    assert_true(met > 1000);
    assert_true(went > looks / 2);
    rslTeam_Free(team);
    Stop(&fixture);
}

// ---- ways -----------------------------------------------------------------------------------------------------------

typedef struct Met
{
    double first;  // time
    double least;  // gap at a time
    double at;
} Met;

static void FirstMeeting(const Fixture* fixture, rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4],
                         double thick, void* context)
{
    (void)fixture;
    (void)thick;
    Met* met = context;
    met->first = fmin(met->first, rslPair_MeetTime(kind, from, to));
}

static void LeastGap(const Fixture* fixture, rslPairKind kind, const rslVec3 from[4], const rslVec3 to[4], double thick,
                     void* context)
{
    (void)fixture;
    Met* met = context;
    rslVec3 x[4];
    for (int i = 0; i < 4; ++i)
    {
        x[i] = rslMulAdd(from[i], met->at, rslSub(to[i], from[i]));
    }
    met->least = fmin(met->least, sqrt(rslPair_Nearest(kind, x).squared) - thick);
}

// A cube of a cell at a sheet, from both sides, at 1, 10 and 100 cells a step.
static void test_nothing_goes_through(void** state)
{
    (void)state;
    Random random = MakeRandom(7);
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.1);
    rslBodyDef both[2] = { GridBody("sheet", 1.0, 1.0, 10, 10), LatticeBody("bullet", &shape, 0.1) };
    shape.translate = (rslVec3){ 0.5, 0.5, 0.0 };
    rslScene scene = SceneOf(both, 2);
    scene.touch.pairs = rsl_allPairs;
    scene.touch.overlap = rsl_allowOverlap;
    int through = 0;
    int ways = Proving() ? 300 : 12;
    for (int n = 0; n < ways; ++n)
    {
        double cells = n % 3 == 0 ? 1.0 : n % 3 == 1 ? 10.0 : 100.0, way = 0.1 * cells, side = n % 2 ? 1.0 : -1.0;
        Fixture fixture;
        Start(&fixture, &scene);
        rslVec3 aim = { NextBetween(&random, -0.3, 0.3), NextBetween(&random, -0.3, 0.3), side };
        double part = NextBetween(&random, 0.2, 0.8) * way;
        Shake(&fixture, &random, 0.01, 0.0);
        Move(&fixture, 1, rslMulAdd((rslVec3){ 0.0, 0.0, 0.075 * side }, part, aim));
        SetVelocity(&fixture, 1, rslScale(-way / fixture.look.step, aim));
        assert_int_equal(rslCollide_Sweep(fixture.collide, &fixture.look, &fixture.found), rsl_ok);
        Met met = { .first = INFINITY };
        VisitPairs(&fixture, FirstMeeting, &met);
        double earliest = INFINITY, out = 0.0;
        for (int i = 0; i < fixture.found.count; ++i)
        {
            // what is met first is met from the side that it comes from; edges may then be met sideways
            const rslCollision* hit = &fixture.found.list[i];
            out = hit->time < earliest ? hit->normal.z * side * (hit->key[0] == 1 ? 1.0 : -1.0) : out;
            earliest = fmin(earliest, hit->time);
        }
        assert_true(earliest == INFINITY || out > 0.0);
        through += met.first <= 1.0;
        assert_true(met.first == INFINITY || earliest <= met.first + 1e-9);
        double t = 0.0;
        assert_int_equal(rslCollide_FirstTime(fixture.collide, &fixture.look, 0.1, &t), rsl_ok);
        assert_true(t > 0.0 && (t < 1.0 || met.first == INFINITY));
        for (int k = 0; k <= 8; ++k)
        {
            met.least = INFINITY;
            met.at = t * k / 8.0;
            VisitPairs(&fixture, LeastGap, &met);
            assert_true(met.least > 0.0);
        }
        Stop(&fixture);
    }
    assert_at_most(0.8 * ways, through);
}

// Neither boxes that lie on each other nor those that part meet on their ways.
static void test_rest_is_no_meeting(void** state)
{
    (void)state;
    rslScene scene = TwoBoxes(0.0, 0.1);
    Fixture fixture;
    Start(&fixture, &scene);
    for (int n = 0; n < 3; ++n)
    {
        SetVelocity(&fixture, 1, n == 0 ? (rslVec3){ 0 } : (rslVec3){ n == 1 ? 3.0 : 0.0, 0.0, n == 2 ? 5.0 : -1e-3 });
        assert_int_equal(rslCollide_Sweep(fixture.collide, &fixture.look, &fixture.found), rsl_ok);
        assert_int_equal(fixture.found.count, 0);
    }
    SetVelocity(&fixture, 1, (rslVec3){ 0.0, 0.0, -100.0 });
    assert_int_equal(rslCollide_Sweep(fixture.collide, &fixture.look, &fixture.found), rsl_ok);
    assert_true(fixture.found.count > 0);
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
        cmocka_unit_test(test_what_is_inside_out_stays_outside),
        cmocka_unit_test(test_what_is_above_something_inside_out_stays_outside),
        cmocka_unit_test(test_rays_go_one_way),
        cmocka_unit_test(test_a_bent_strip_touches_itself),
        cmocka_unit_test(test_small_collider),
        cmocka_unit_test(test_every_pair_is_told),
        cmocka_unit_test(test_memory_and_threads_change_nothing),
        cmocka_unit_test(test_lists_outlast_references),
        cmocka_unit_test(test_nothing_goes_through),
        cmocka_unit_test(test_rest_is_no_meeting),
    };
    return cmocka_run_group_tests_name("collide", tests, NULL, NULL);
}
