// SPDX-License-Identifier: MIT
//
// test_touch_force.c: forces where things touch, read off touches that are made by hand.

#include "physics_fixture.h"

#include "collision.h"
#include "feature.h"

// Two boxes with a ground and a wall, and skins of three vertices each: a triangle of nodes, the last vertex between two of them.
typedef struct Hand
{
    rslScene scene;
    rslModel* model;
    rslState* state;
    rslShapeDef shape;
    rslBodyDef bodies[2];
    rslColliderDef colliders[2];
    int nodes[16], contacts[16], stencils[2][4], triangles[3], edges[6];
    double weights[4];
} Hand;

static void MakeSkin(Hand* hand, int body)
{
    static const int starts[] = { 0, 1, 2, 4 };
    rslSkin skin = { .vertexCount = 3, .triangleCount = 1, .edgeCount = 3 };
    const int local[4] = { 0, 1, 2, 3 };
    for (int i = 0; i < 4; ++i)
    {
        hand->stencils[body][i] = 4 * body + local[i];
        hand->contacts[4 * body + i] = hand->model->bodies[body].firstNode + i;
    }
    skin.triangles = hand->triangles;
    skin.edges = hand->edges;
    skin.stencilStart = starts;
    skin.stencilNodes = hand->stencils[body];
    skin.stencilWeights = hand->weights;
    ((rslBody*)&hand->model->bodies[body])->skin = skin;
}

static void Make(Hand* hand)
{
    *hand = (Hand){ .scene = rslDefaultScene(),
                    .shape = BoxShape(0.2, 0.2, 0.2),
                    .triangles = { 0, 1, 2 },
                    .edges = { 0, 1, 1, 2, 0, 2 },
                    .weights = { 1.0, 1.0, 0.25, 0.75 } };
    hand->bodies[0] = LatticeBody("a", &hand->shape, 0.1);
    hand->bodies[1] = LatticeBody("b", &hand->shape, 0.1);
    hand->colliders[0] = hand->colliders[1] = rslDefaultColliderDef();
    hand->scene.touch.scheme = rsl_predictiveScheme;
    hand->scene.touch.overlap = rsl_allowOverlap;
    hand->scene.bodies = hand->bodies;
    hand->scene.bodyCount = 2;
    hand->scene.colliders = hand->colliders;
    hand->scene.colliderCount = 2;
    hand->model = Built(&hand->scene, NULL);
    MakeSkin(hand, 0);
    MakeSkin(hand, 1);
    hand->model->contactNodes = hand->contacts;
    hand->model->contactNodeCount = 8;
    hand->state = StateOf(hand->model, rsl_double);
    hand->state->step = 0.5;
}

static void Touch(Hand* hand, const uint32_t key[4], rslVec3 normal, rslVec3 impulse, rslVec3 point)
{
    rslState* state = hand->state;
    assert_int_equal(rslState_Reserve(state, state->touchedCount + 1), rsl_ok);
    state->touched[state->touchedCount++] = (rslTouched){ .key = { key[0], key[1], key[2], key[3] },
                                                          .impulse = { impulse.x, impulse.y, impulse.z },
                                                          .point = { point.x, point.y, point.z },
                                                          .normal = { normal.x, normal.y, normal.z } };
}

static void AssertVec(rslVec3 a, rslVec3 b)
{
    assert_close(a.x, b.x, 1e-12);
    assert_close(a.y, b.y, 1e-12);
    assert_close(a.z, b.z, 1e-12);
}

static void Sums(void** unused)
{
    (void)unused;
    Hand hand;
    Make(&hand);
    rslVec3 up = { 0.0, 0.0, 1.0 }, x = { 1.0, 0.0, 0.0 };
    Touch(&hand, (uint32_t[]){ 0, 0, RSL_KEY_COLLIDER, 0 }, up, (rslVec3){ 0.5, 0.0, 1.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
    Touch(&hand, (uint32_t[]){ 0, 1, RSL_KEY_COLLIDER, 0 }, up, (rslVec3){ 0.0, 0.0, 3.0 }, (rslVec3){ 5.0, 0.0, 0.0 });
    Touch(&hand, (uint32_t[]){ 0, 2, 1, RSL_KEY_TRIANGLE }, x, (rslVec3){ 2.0, 1.0, 0.0 }, (rslVec3){ 0.0, 0.0, 1.0 });
    Touch(&hand, (uint32_t[]){ 1, 0, RSL_KEY_COLLIDER | 1u, 0 }, x, (rslVec3){ 7.0, 0.0, 0.0 }, (rslVec3){ 0 });

    rslTouchForce ground = rslState_TouchForce(hand.model, hand.state, 0, 0);
    assert_int_equal(ground.count, 2);
    AssertVec(ground.force, (rslVec3){ 1.0, 0.0, 8.0 });
    AssertVec(ground.friction, (rslVec3){ 1.0, 0.0, 0.0 });
    AssertVec(ground.point, (rslVec3){ 4.0, 0.0, 0.0 });
    AssertVec(ground.torque, (rslVec3){ 0.0, -32.0, 0.0 });
    assert_close(ground.press, 8.0, 1e-12);
    rslTouchForce all = rslState_TouchForce(hand.model, hand.state, -1, 1);
    AssertVec(all.force, (rslVec3){ 14.0, 0.0, 0.0 });
    rslTouchForce none = rslState_TouchForce(hand.model, hand.state, 1, 0);
    assert_true(none.count == 0 && isnan(none.point.x) && none.force.z == 0.0);
    rslTouchForce a = rslState_TouchForce(hand.model, hand.state, 0, 2),
                  b = rslState_TouchForce(hand.model, hand.state, 1, 2);
    AssertVec(a.force, (rslVec3){ 4.0, 2.0, 0.0 });
    AssertVec(b.force, (rslVec3){ -4.0, -2.0, 0.0 });
    AssertVec(b.friction, (rslVec3){ 0.0, -2.0, 0.0 });
    assert_close(b.press, 4.0, 1e-12);
    rslState_Free(hand.state);
    rslModel_Free(hand.model);
}

// A force at a point of a feature falls to its nodes such that its sum and its torque stay.
static void Nodes(void** unused)
{
    (void)unused;
    Hand hand;
    Make(&hand);
    size_t numbers = 3 * (size_t)hand.model->nodeCount;
    double *forces = malloc(numbers * sizeof(double)), *friction = malloc(numbers * sizeof(double));
    double x[24];
    for (int c = 0; c < 8; ++c)
    {
        rslState_Positions(hand.model, hand.state, hand.contacts[c], hand.contacts[c] + 1, &x[3 * c]);
    }
    const uint32_t features[3] = { RSL_KEY_VERTEX + 2, RSL_KEY_EDGE + 1, RSL_KEY_TRIANGLE };
    const double shares[3][3] = { { 0.0, 0.0, 1.0 }, { 0.0, 0.3, 0.7 }, { 0.2, 0.3, 0.5 } };
    for (int f = 0; f < 3; ++f)
    {
        rslVec3 point = { 0 }, sum[2] = { { 0 } }, torque = { 0 }, P = { 1.0, 2.0, 3.0 }, n = { 0.0, 0.6, 0.8 };
        for (int v = 0; v < 3; ++v)
        {
            point = rslMulAdd(point, shares[f][v], rslSkin_Vertex(&hand.model->bodies[0].skin, x, v));
        }
        hand.state->touchedCount = 0;
        Touch(&hand, (uint32_t[]){ 0, features[f], 1, RSL_KEY_VERTEX }, n, P, point);
        assert_int_equal(rslState_TouchForces(hand.model, hand.state, forces, friction), rsl_ok);
        for (int i = 0; i < hand.model->nodeCount; ++i)
        {
            double at[3];
            int body = i < hand.model->bodies[1].firstNode ? 0 : 1;
            rslState_Positions(hand.model, hand.state, i, i + 1, at);
            rslVec3 force = { forces[3 * i], forces[3 * i + 1], forces[3 * i + 2] };
            rslVec3 rub = { friction[3 * i], friction[3 * i + 1], friction[3 * i + 2] };
            sum[body] = rslAdd(sum[body], force);
            torque = body == 0 ? rslAdd(torque, rslCross((rslVec3){ at[0], at[1], at[2] }, force)) : torque;
            AssertVec(rub, rslMulAdd(force, -rslDot(n, force), n));
        }
        AssertVec(sum[0], rslScale(2.0, P));
        AssertVec(sum[1], rslScale(-2.0, P));
        AssertVec(torque, rslCross(point, rslScale(2.0, P)));
    }
    free(forces);
    free(friction);
    rslState_Free(hand.state);
    rslModel_Free(hand.model);
}

// Forces are means since the row before, and go on from a row.
static void Rows(void** unused)
{
    (void)unused;
    Hand hand;
    Make(&hand);
    rslProbeDef def = rslDefaultProbeDef();
    def.name = "floor";
    def.type = rsl_colliderProbe;
    def.collider = "base";
    hand.colliders[0].name = "base";
    rslState_Free(hand.state);
    rslModel_Free(hand.model);
    hand.model = Built(&hand.scene, NULL);
    hand.state = StateOf(hand.model, rsl_double);
    hand.state->step = 0.5;
    rslSolverDef solverDef = SolverDef(rsl_positionVerlet, 1e-4);
    rslSolver* solver = SolverOf(hand.model, &solverDef);
    rslProbes *probes = NULL, *later = NULL;
    assert_int_equal(rslProbes_Create(hand.model, &def, 1, NULL, &probes, NULL), rsl_ok);
    assert_int_equal(rslProbes_Create(hand.model, &def, 1, NULL, &later, NULL), rsl_ok);
    assert_int_equal(rslProbes_ColumnCount(probes), 15);
    double row[15], again[15];
    Touch(&hand, (uint32_t[]){ 0, 0, RSL_KEY_COLLIDER, 0 }, (rslVec3){ 0.0, 0.0, 1.0 }, (rslVec3){ 0.5, 0.0, 1.0 },
          (rslVec3){ 1.0, 2.0, 3.0 });
    assert_int_equal(rslProbes_Read(probes, solver, hand.state, row), rsl_ok);
    assert_close(row[2], 2.0, 1e-15);
    assert_close(row[3], 1.0, 1e-15);
    assert_close(row[13], 2.0, 1e-15);
    rslProbes_Recall(later, rslState_Time(hand.state), row);
    hand.state->stepCount += 4;
    hand.state->pushes[0].normal = (rslVec3){ 0.0, 0.0, 12.0 };
    hand.state->pushes[3].friction = (rslVec3){ -3.0, 0.0, 0.0 };
    assert_int_equal(rslProbes_Read(probes, solver, hand.state, row), rsl_ok);
    assert_int_equal(rslProbes_Read(later, solver, hand.state, again), rsl_ok);
    assert_memory_equal(row, again, sizeof row);
    assert_close(row[2], 6.0, 1e-15);
    assert_close(row[0], -1.5, 1e-15);
    assert_close(row[3], -1.5, 1e-15);
    assert_close(row[8], 12.0, 1e-15);
    assert_close(row[9], -3.0, 1e-15);
    rslProbes_Free(probes);
    rslProbes_Free(later);
    rslSolver_Free(solver);
    rslState_Free(hand.state);
    rslModel_Free(hand.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(Sums), cmocka_unit_test(Nodes), cmocka_unit_test(Rows) };
    return cmocka_run_group_tests_name("touch_force", tests, NULL, NULL);
}
