// SPDX-License-Identifier: MIT
//
// test_respond_level.c: touches that push along one direction without friction are numbers along it (respond_level.h): the same as what
// any touches are, but for rounding.

#include "memory.h"
#include "respond_level.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum
{
    NODES = 400,
    TOUCHES = 300,
    PARTS = 9,  // nodes of a touch, at most
    STEPS = 3
};

// A floor that is met by what hangs on some nodes in a row each, which are told apart by how far they reach.
typedef struct Floor
{
    rslVec3 normal;
    double friction;
    int apart;    // nodes that a group of touches has: none hangs on those of two
    bool lifted;  // with accelerations beside the kick
} Floor;

typedef struct Answered
{
    double change[3 * NODES], shift[3 * NODES];
    double heat, motion, moved;
    int touched;
    rslPush pushes[2];
    double kept[3 * TOUCHES];
    bool level;
} Answered;

typedef struct Setting
{
    rslCollision list[TOUCHES];
    int nodes[TOUCHES * PARTS];
    double weights[TOUCHES * PARTS];
    double x[3 * NODES], v[3 * NODES], kick[3 * NODES], lift[3 * NODES], yield[3 * NODES];
    int nodeCount;
} Setting;

static void Put(double* array, int node, rslVec3 a)
{
    array[3 * node] = a.x;
    array[3 * node + 1] = a.y;
    array[3 * node + 2] = a.z;
}

static void DrawNodes(const Floor* floor, Random* random, Setting* s)
{
    for (int i = 0; i < NODES; ++i)
    {
        double yield = NextBetween(random, 0.5, 2.0);
        Put(s->x, i, NextVec3(random, 1.0));
        Put(s->v, i, rslMulAdd(NextVec3(random, 0.3), -0.2, floor->normal));
        Put(s->kick, i, rslMulAdd(NextVec3(random, 0.02), -0.02, floor->normal));
        Put(s->lift, i, NextVec3(random, 1.0));
        Put(s->yield, i, (rslVec3){ yield, yield, yield });
    }
}

static void DrawTouches(const Floor* floor, Random* random, Setting* s)
{
    s->nodeCount = 0;
    for (int t = 0; t < TOUCHES; ++t)
    {
        int count = t % 4 == 0 ? 1 + t % PARTS : 8, group = t * (NODES / floor->apart) / TOUCHES;
        int first = group * floor->apart + (int)NextBetween(random, 0.0, floor->apart - PARTS);
        double sum = 0.0;
        s->list[t] = (rslCollision){ .key = { 0, (uint32_t)t, RSL_KEY_COLLIDER, 0 },
                                     .begin = s->nodeCount,
                                     .count = count,
                                     .normal = floor->normal,
                                     .point = NextVec3(random, 1.0),
                                     .velocity = NextVec3(random, 0.05),
                                     .gap = NextBetween(random, -2e-3, 2e-3),
                                     .friction = floor->friction,
                                     .restitution = t % 3 == 0 ? 0.0 : 0.7 };
        for (int i = 0; i < count; ++i)
        {
            s->nodes[s->nodeCount + i] = first + i;
            s->weights[s->nodeCount + i] = t % 5 == 0 && i == 1 ? 0.0 : NextBetween(random, 0.1, 1.0);
            sum += s->weights[s->nodeCount + i];
        }
        for (int i = 0; i < count; ++i)
        {
            s->weights[s->nodeCount + i] /= sum;
        }
        s->nodeCount += count;
    }
}

// Velocities with what they got, and more towards the floor.
static void Fall(const Floor* floor, Setting* s, const Answered* out, int i)
{
    rslVec3 got = rslAdd(rslVec3_Of(&out->change[3 * i]), rslVec3_Of(&s->kick[3 * i]));
    Put(s->v, i, rslMulAdd(rslAdd(rslVec3_Of(&s->v[3 * i]), got), -0.3, floor->normal));
}

// Some steps, the later ones with what is remembered of those before.
static Answered Answer(const Floor* floor, int threads)
{
    static Setting s;
    Answered out = { 0 };
    rslModel model = { .contactNodeCount = NODES, .bodyCount = 1, .colliderCount = 1, .touch = { .sweeps = 20 } };
    rslState state = { .hooks = rslHooks_Complete(NULL), .pushes = out.pushes, .pushCount = 2 };
    Random random = MakeRandom(7);
    DrawNodes(floor, &random, &s);
    DrawTouches(floor, &random, &s);
    rslCollisions collisions = {
        .list = s.list, .count = TOUCHES, .nodes = s.nodes, .weights = s.weights, .nodeCount = s.nodeCount
    };
    double most = 1e-3;
    rslResponse response = { .step = 0.01,
                             .collisions = &collisions,
                             .x = s.x,
                             .v = s.v,
                             .kick = s.kick,
                             .lift = floor->lifted ? s.lift : NULL,
                             .yield = s.yield,
                             .largestShift = &most,
                             .stable = 0.02,
                             .change = out.change,
                             .shift = out.shift };
    rslTeam* team = rslTeam_Create(&state.hooks, threads, NULL, NULL);
    rslRespond* respond = rslRespond_Create(&model, NULL, team);
    assert_true(team != NULL && respond != NULL);
    for (int step = 0; step < STEPS; ++step)
    {
        collisions.count = TOUCHES - 10 * step;
        assert_int_equal(rslRespond_Step(respond, &response, &state), rsl_ok);
        for (int i = 0; i < NODES; ++i)
        {
            Fall(floor, &s, &out, i);
        }
        out.heat += response.heat;
        out.motion += response.motion;
        out.moved = Worse(out.moved, response.moved);
    }
    for (int t = 0; t < state.touchedCount; ++t)
    {
        memcpy(&out.kept[3 * t], state.touched[t].kept, sizeof state.touched[t].kept);
    }
    out.touched = state.touchedCount;
    out.level = respond->level->count > 0 && respond->count == 0;
    rslRespond_Free(respond);
    rslTeam_Free(team);
    rslRelease(&state.hooks, state.touched);
    return out;
}

static double Apart(const double* a, const double* b, int count)
{
    double worst = 0.0;
    for (int i = 0; i < count; ++i)
    {
        worst = Worse(worst, fabs(a[i] - b[i]));
    }
    return worst;
}

// Friction that is next to nothing makes it any touch.
static void TestLikeAny(void** unused)
{
    (void)unused;
    Floor floors[] = { { .normal = { 0.0, 0.0, 1.0 }, .apart = 40 },
                       { .normal = rslNormalize((rslVec3){ 0.3, -0.5, 0.7 }), .apart = 20, .lifted = true },
                       { .normal = rslNormalize((rslVec3){ -0.9, 0.1, 0.2 }), .apart = NODES, .lifted = true } };
    for (size_t f = 0; f < sizeof floors / sizeof *floors; ++f)
    {
        Answered a = Answer(&floors[f], 1);
        floors[f].friction = 1e-200;
        Answered b = Answer(&floors[f], 1);
        assert_true(a.level && !b.level);
        assert_int_equal(a.touched, b.touched);
        assert_true(a.touched > TOUCHES / 4 && a.heat > 0.0 && a.moved > 0.0);
        assert_proved("changes of velocities [m/s]", Apart(a.change, b.change, 3 * NODES), 1e-12);
        assert_proved("shifts [m]", Apart(a.shift, b.shift, 3 * NODES), 1e-14);
        assert_proved("what is remembered [N s]", Apart(a.kept, b.kept, 3 * a.touched), 1e-12);
        assert_proved("heat [J]", fabs(a.heat - b.heat), 1e-12);
        assert_proved("work of the floor [J]", fabs(a.motion - b.motion), 1e-12);
        assert_proved("pushes [N s]", Apart((const double*)a.pushes, (const double*)b.pushes, 18), 1e-11);
    }
}

static void TestThreads(void** unused)
{
    (void)unused;
    Floor floor = { .normal = { 0.0, 0.0, 1.0 }, .apart = 20 };
    Answered a = Answer(&floor, 1), b = Answer(&floor, 3);
    assert_true(a.level);
    assert_memory_equal(a.change, b.change, sizeof a.change);
    assert_memory_equal(a.shift, b.shift, sizeof a.shift);
    assert_memory_equal(a.kept, b.kept, sizeof a.kept);
    assert_memory_equal(a.pushes, b.pushes, sizeof a.pushes);
}

// What a step asks for, answered as the first one.
static void AnswerAfresh(const rslModel* model, rslResponse* response, rslTeam* team, Answered* out)
{
    rslState state = { .hooks = rslHooks_Complete(NULL), .pushes = out->pushes, .pushCount = 2 };
    rslRespond* respond = rslRespond_Create(model, NULL, team);
    assert_non_null(respond);
    response->change = out->change;
    response->shift = out->shift;
    assert_int_equal(rslRespond_Step(respond, response, &state), rsl_ok);
    rslRespond_Free(respond);
    rslRelease(&state.hooks, state.touched);
}

// What was found of the touches of the step before is used again only where nothing has changed that it follows from.
static void TestSameTouches(void** unused)
{
    (void)unused;
    static Setting s;
    const Floor floor = { .normal = { 0.0, 0.0, 1.0 }, .apart = 20 };
    rslModel model = { .contactNodeCount = NODES, .bodyCount = 1, .colliderCount = 1, .touch = { .sweeps = 20 } };
    Random random = MakeRandom(7);
    DrawNodes(&floor, &random, &s);
    DrawTouches(&floor, &random, &s);
    rslCollisions collisions = {
        .list = s.list, .count = TOUCHES, .nodes = s.nodes, .weights = s.weights, .nodeCount = s.nodeCount
    };
    double most = 1e-3;
    rslResponse response = { .step = 0.01,
                             .collisions = &collisions,
                             .x = s.x,
                             .v = s.v,
                             .kick = s.kick,
                             .yield = s.yield,
                             .largestShift = &most,
                             .stable = 0.02 };
    rslHooks hooks = rslHooks_Complete(NULL);
    rslTeam* team = rslTeam_Create(&hooks, 1, NULL, NULL);
    rslRespond* respond = rslRespond_Create(&model, NULL, team);
    const bool kept[] = { false, true, false, true, false, false, true, false, false, false };
    for (int step = 0; step < (int)(sizeof kept / sizeof *kept); ++step)
    {
        int node = s.nodes[s.list[9].begin];
        s.weights[s.list[9].begin] += step == 2 ? 0.1 : 0.0;
        collisions.count -= step == 4;
        Put(s.yield, node, (rslVec3){ step < 5 ? 1.0 : 0.5, step < 5 ? 1.0 : 0.5, step < 5 ? 1.0 : 0.5 });
        s.list[1].friction = step == 7 ? 1e-200 : 0.0;  // in between, others touch
        s.list[20].count -= step == 9;
        Put(s.v, step, (rslVec3){ 0.1, 0.2, -0.3 * step });
        rslPush pushes[2] = { 0 };
        rslState state = { .hooks = hooks, .pushes = pushes, .pushCount = 2 };
        double change[3 * NODES] = { 0 }, shift[3 * NODES] = { 0 };
        response.change = change;
        response.shift = shift;
        assert_int_equal(rslRespond_Step(respond, &response, &state), rsl_ok);
        rslRelease(&hooks, state.touched);
        assert_int_equal(respond->level->kept, kept[step]);
        Answered afresh = { 0 };
        AnswerAfresh(&model, &response, team, &afresh);
        assert_memory_equal(change, afresh.change, sizeof change);
        assert_memory_equal(shift, afresh.shift, sizeof shift);
        assert_memory_equal(pushes, afresh.pushes, sizeof pushes);
    }
    rslRespond_Free(respond);
    rslTeam_Free(team);
}

// What is held, or hangs on a node twice, is no such touch, and is answered all the same.
static void TestOthers(void** unused)
{
    (void)unused;
    rslPush pushes[2] = { 0 };
    rslModel model = { .contactNodeCount = 2, .bodyCount = 1, .colliderCount = 1, .touch = { .sweeps = 20 } };
    double x[6] = { 0 }, v[6] = { 0.0, 0.0, -1.0, 0.0, 0.0, -1.0 }, kick[6] = { 0 }, most = 1e-3;
    double held[6] = { 1.0, 1.0, 1.0, 0.0, 0.0, 0.0 }, loose[6] = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
    double change[6], shift[6], weights[2] = { 0.5, 0.5 };
    for (int k = 0; k < 2; ++k)
    {
        int nodes[2] = { 0, k };
        rslCollision one = { .key = { 0, 0, RSL_KEY_COLLIDER, 0 }, .count = 2, .normal = { 0.0, 0.0, 1.0 } };
        rslCollisions collisions = { .list = &one, .count = 1, .nodes = nodes, .weights = weights, .nodeCount = 2 };
        rslState state = { .hooks = rslHooks_Complete(NULL), .pushes = pushes, .pushCount = 2 };
        rslResponse response = { .step = 0.01,
                                 .collisions = &collisions,
                                 .x = x,
                                 .v = v,
                                 .kick = kick,
                                 .yield = k == 0 ? loose : held,
                                 .largestShift = &most,
                                 .change = change,
                                 .shift = shift };
        rslTeam* team = rslTeam_Create(&state.hooks, 1, NULL, NULL);
        rslRespond* respond = rslRespond_Create(&model, NULL, team);
        assert_int_equal(rslRespond_Step(respond, &response, &state), rsl_ok);
        assert_int_equal(respond->count, 1);
        assert_true(k == 0 || change[2] > 1.9);  // half of it is held, and sinks
        rslRespond_Free(respond);
        rslTeam_Free(team);
        rslRelease(&state.hooks, state.touched);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestLikeAny),
        cmocka_unit_test(TestThreads),
        cmocka_unit_test(TestSameTouches),
        cmocka_unit_test(TestOthers),
    };
    return cmocka_run_group_tests_name("respond_level", tests, NULL, NULL);
}
