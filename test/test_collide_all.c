// SPDX-License-Identifier: MIT
//
// What touches, among all pairs of features: every pair is told, what is kept between looks and the number of threads change nothing, and ways
// meet what comes first.

#include "collide_fixture.h"

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
        for (int n = 0; n < (Proving() ? 100 : Sanitized() ? 4 : 10); ++n)
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
        assert_true(seen > (Sanitized() ? 20 : 50));
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
    int met = 0, went = 0, looks = Sanitized() ? 110 : 250;
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
    assert_true(met > 4 * looks);
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

// Skins of more than 2^16 edges: all vertices of a slab under a box are told, in their order.
static void test_large_skins(void** state)
{
    (void)state;
    const double spacing = 0.4 / 128.0;
    rslScene scene = TwoBoxes(0.0, 0.1);
    boxes[0] = BoxShape(0.4, 0.4, spacing);
    boxes[0].translate = (rslVec3){ 0.0, 0.0, -(0.1 + 0.5 * spacing + 1e-4 * spacing) };
    boxes[1] = BoxShape(0.4, 0.4, 0.2);
    bodies[0].network.spacing = spacing;
    Fixture fixture;
    Start(&fixture, &scene);
    assert_true(fixture.model->bodies[0].skin.edgeCount > 1 << 16);
    fixture.look.reach = 1e-3 * spacing;
    assert_int_equal(rslCollide_Find(fixture.collide, &fixture.look, &fixture.found), rsl_ok);
    int vertices = 0;
    for (int i = 0; i < fixture.found.count; ++i)
    {
        const uint32_t* key = fixture.found.list[i].key;
        vertices += key[0] == 0 && key[1] < RSL_KEY_EDGE;
        assert_true(i == 0 || rslKey_Compare(fixture.found.list[i - 1].key, key) < 0);
    }
    assert_true(vertices >= 127 * 127);
    Stop(&fixture);
}

// A body that is shaken at a sheet, and in itself: whatever part of the nodes is quick, what they meet in a sweep of all is told, and
// without quick nodes nothing is.
static void test_ways_of_quick_nodes(void** state)
{
    (void)state;
    Random random = MakeRandom(11);
    rslShapeDef shape = BoxShape(0.3, 0.3, 0.3);
    rslBodyDef both[2] = { GridBody("sheet", 1.0, 1.0, 10, 10), LatticeBody("body", &shape, 0.1) };
    shape.translate = (rslVec3){ 0.5, 0.5, 0.2 };
    rslScene scene = SceneOf(both, 2);
    scene.touch.pairs = rsl_allPairs;
    scene.touch.self = true;
    scene.touch.overlap = rsl_allowOverlap;
    Fixture fixture;
    Start(&fixture, &scene);
    int nodes = fixture.model->contactNodeCount, told = 0, fewer = 0;
    bool* quick = calloc((size_t)nodes, sizeof(bool));
    assert_non_null(quick);
    for (int n = 0; n < (Proving() ? 200 : 10); ++n)
    {
        Shake(&fixture, &random, 1e-3, 0.3 / fixture.look.step);
        fixture.look.quick = NULL;
        assert_int_equal(rslCollide_Sweep(fixture.collide, &fixture.look, &fixture.found), rsl_ok);
        rslCollision* all = calloc((size_t)fixture.found.count + 1, sizeof(rslCollision));
        assert_non_null(all);
        for (int i = 0; i < nodes; ++i)
        {
            quick[i] = NextBetween(&random, 0.0, 1.0) < 0.05;
        }
        int wanted = 0, before = fixture.found.count;
        for (int i = 0; i < before; ++i)
        {
            const rslCollision* hit = &fixture.found.list[i];
            bool any = false;
            for (int k = hit->begin; k < hit->begin + hit->count; ++k)
            {
                any = any || quick[fixture.found.nodes[k]];
            }
            all[wanted] = *hit;
            wanted += any;
        }
        fixture.look.quick = quick;
        assert_int_equal(rslCollide_Sweep(fixture.collide, &fixture.look, &fixture.found), rsl_ok);
        for (int i = 0, at = 0; i < wanted; ++i, ++at)
        {
            while (at < fixture.found.count && rslKey_Compare(fixture.found.list[at].key, all[i].key) != 0)
            {
                ++at;
            }
            assert_true(at < fixture.found.count && fixture.found.list[at].time == all[i].time);
        }
        told += wanted;
        fewer += before - fixture.found.count;
        memset(quick, 0, (size_t)nodes * sizeof(bool));
        assert_int_equal(rslCollide_Sweep(fixture.collide, &fixture.look, &fixture.found), rsl_ok);
        assert_int_equal(fixture.found.count, 0);
        free(all);
    }
    assert_true(told > 100 && fewer > 100);
    free(quick);
    Stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair_is_told),
        cmocka_unit_test(test_memory_and_threads_change_nothing),
        cmocka_unit_test(test_lists_outlast_references),
        cmocka_unit_test(test_nothing_goes_through),
        cmocka_unit_test(test_rest_is_no_meeting),
        cmocka_unit_test(test_ways_of_quick_nodes),
        cmocka_unit_test(test_large_skins),
    };
    return cmocka_run_group_tests_name("collide_all", tests, NULL, NULL);
}
