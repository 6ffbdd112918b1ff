// SPDX-License-Identifier: MIT
//
// test_respond.c: impulses at collisions made by hand, on random configurations: what they keep, what they lose, what they remember.

#include "respond_fixture.h"

#include "hash.h"

// ---- what is kept ---------------------------------------------------------------------------------------------------

// Energy that impulses have brought to what moves: m dv.(v + v')/2, without the part of the kick.
static double EnergyBrought(const Case* c)
{
    double sum = 0.0;
    for (int i = 0; i < ALL; ++i)
    {
        rslVec3 both = rslAdd(Get(c->v, i), VelocityAfter(c, i));
        bool carried = c->response.rigid != NULL && c->rigid[i] >= 0;
        sum += carried ? 0.0 : 0.5 * c->mass[i] * rslDot(Get(c->change, i), both);
    }
    for (int i = 0; i < c->response.rigidCount; ++i)
    {
        const rslPushed* r = &c->rigids[i];
        rslVec3 v = rslAdd(rslScale(2.0, r->velocity), rslAdd(r->kick, r->change));
        rslVec3 w = rslAdd(rslScale(2.0, r->spin), rslAdd(r->twist, r->changeOfSpin));
        sum += 0.5 * (rslDot(r->change, v) / r->yield.x + c->inertia[i] * rslDot(r->changeOfSpin, w));
    }
    return sum;
}

static void Sums(const Case* c, rslVec3* momentum, rslVec3* turn, rslVec3* pushed, rslVec3* twisted)
{
    *momentum = *turn = *pushed = *twisted = (rslVec3){ 0 };
    for (int i = 0; i < ALL; ++i)
    {
        if (c->response.rigid == NULL || c->rigid[i] < 0)
        {
            rslVec3 p = rslScale(c->mass[i], Get(c->change, i));
            *momentum = rslAdd(*momentum, p);
            *turn = rslAdd(*turn, rslCross(Get(c->x, i), p));
        }
    }
    for (int i = 0; i < c->response.rigidCount; ++i)
    {
        const rslPushed* r = &c->rigids[i];
        rslVec3 p = rslScale(1.0 / r->yield.x, r->change);
        *momentum = rslAdd(*momentum, p);
        *turn = rslAdd(*turn, rslAdd(rslCross(r->centre, p), rslScale(c->inertia[i], r->changeOfSpin)));
    }
    for (int i = 0; i < c->state.pushCount; ++i)
    {
        *pushed = rslAdd(*pushed, rslAdd(c->pushes[i].normal, c->pushes[i].friction));
        *twisted = rslAdd(*twisted, c->pushes[i].torque);
    }
}

// Sums of pushes are changes of momentum; lost and brought energy are what moves has less and more.
static void TestBalances(void** unused)
{
    (void)unused;
    double momentum = 0.0, energy = 0.0;
    for (uint64_t seed = 0; seed < (uint64_t)FewerWhenSanitized(400); ++seed)
    {
        Kind kind = { .count = 1 + (int)(seed % 50),
                      .rigid = seed % 3 == 0,
                      .held = seed % 5 == 0,
                      .belts = seed % 2 == 0,
                      .kicks = seed % 4 < 2,
                      .gaps = true,
                      .restitution = -1.0,
                      .friction = -1.0,
                      .sweeps = 20 };
        Case* c = DrawCase(seed, &kind);
        Respond(c);
        rslVec3 p, l, pushed, twisted;
        Sums(c, &p, &l, &pushed, &twisted);
        if (!kind.held)
        {
            momentum = Worse(momentum, rslLength(rslSub(p, pushed)) + rslLength(rslSub(l, twisted)));
        }
        double heat = c->response.heat, motion = c->response.motion;
        energy = Worse(energy, fabs(EnergyBrought(c) - (motion - heat)) / (1.0 + fabs(heat) + fabs(motion)));
        FreeCase(c);
    }
    assert_proved("pushes against changes of momentum and angular momentum", momentum, 1e-12);
    assert_proved("heat and work of colliders and held nodes against changes of energy", energy, 1e-12);
}

// Whatever e, mu, gaps and touches are: nothing that is not moved by others gains energy, and nothing goes through.
static void TestNothingGains(void** unused)
{
    (void)unused;
    double gain = 0.0, through = 0.0, slip = 0.0;
    for (uint64_t seed = 0; seed < (uint64_t)FewerWhenSanitized(Proving() ? 5000 : 2000); ++seed)
    {
        Kind kind = { .count = 2 + (int)(seed % (seed % 2 == 0 ? 5 : 30)),
                      .rigid = seed % 3 == 0,
                      .held = seed % 5 == 0,
                      .gaps = true,
                      .restitution = -1.0,
                      .friction = -1.0,
                      .sweeps = 1000,
                      .crowd = (int)(seed % 4) };
        Case* c = DrawCase(seed, &kind);
        for (int i = 0; kind.held && i < ALL; ++i)  // what is held stands still
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                c->v[3 * i + axis] *= c->yield[3 * i + axis] > 0.0 ? 1.0 : 0.0;
            }
        }
        Respond(c);
        gain = Worse(gain, EnergyBrought(c));
        for (int i = 0, t = 0; i < kind.count; ++i)
        {
            const rslCollision* collision = &c->list[i];
            rslVec3 u = { 0 }, kept = { 0 };
            double yield = 0.0;
            for (int n = collision->begin; n < collision->begin + collision->count; ++n)
            {
                u = rslMulAdd(u, c->weights[n], VelocityAfter(c, c->nodes[n]));
                for (int axis = 0; axis < 3; ++axis)
                {
                    yield += c->yield[3 * c->nodes[n] + axis];
                }
            }
            bool told = t < c->state.touchedCount && c->state.touched[t].key[1] == collision->key[1];
            if (told)
            {
                const double* k = c->state.touched[t++].kept;
                kept = (rslVec3){ k[0], k[1], k[2] };
            }
            double press = rslDot(kept, collision->normal);
            rslVec3 rub = rslMulAdd(kept, -press, collision->normal);
            assert_true(press >= -1e-15 && rslLength(rub) <= collision->friction * press + 1e-14);
            bool moves = !kind.held || yield > 1.0;
            through =
                moves && !kind.held ? Worse(through, -(collision->gap / 0.01 + rslDot(u, collision->normal))) : through;
            // what slips is rubbed with all there is
            rslVec3 slide = rslMulAdd(u, -rslDot(u, collision->normal), collision->normal);
            double most = collision->friction * press;
            slip = !kind.held && rslLength(rub) < 0.99 * most ? Worse(slip, rslLength(slide)) : slip;
        }
        FreeCase(c);
    }
    assert_proved("energy that impulses bring, converged", gain, 1e-9);
    assert_proved("speed through the other side, converged [m/s]", through, 1e-3);
    assert_proved("slip of what friction could hold, converged [m/s]", slip, 1e-3);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// The same step from what was remembered has nothing to change any more, and is the same to the bit for any capacity and order of
// calls.
static void TestMemory(void** unused)
{
    (void)unused;
    Kind kind = { .count = 30, .kicks = true, .restitution = 0.0, .friction = 0.5, .sweeps = 1000 };
    Case* c = DrawCase(5, &kind);
    rslTeam* team;
    rslRespond* respond = RespondTo(c, &team);
    double first[3 * ALL], second[3 * ALL];
    assert_int_equal(rslRespond_Step(respond, &c->response, &c->state), rsl_ok);
    memcpy(first, c->change, sizeof first);
    c->model.touch.sweeps = 1;
    assert_int_equal(rslRespond_Step(respond, &c->response, &c->state), rsl_ok);
    memcpy(second, c->change, sizeof second);
    rslRespond_Free(respond);
    rslTeam_Free(team);
    double worst = 0.0;
    for (int i = 0; i < 3 * NODES; ++i)
    {
        worst = Worse(worst, fabs(first[i] - second[i]));
    }
    assert_proved("a step from what is remembered, with one sweep", worst, 1e-9);
    FreeCase(c);
}

static void TestOutOfMemory(void** unused)
{
    (void)unused;
    Kind kind = { .count = 40, .rigid = true, .gaps = true, .restitution = 1.0, .friction = 0.5, .sweeps = 20 };
    Case* whole = DrawCase(9, &kind);
    Respond(whole);
    for (int failAt = 1;; ++failAt)
    {
        Case* c = DrawCase(9, &kind);
        Heap heap = { .failAt = failAt };
        rslHooks hooks = HeapHooks(&heap);
        rslTeam* team = rslTeam_Create(&c->state.hooks, 1, NULL, NULL);
        rslRespond* respond = rslRespond_Create(&c->model, &hooks, team);
        rslStatus status = respond == NULL ? rsl_outOfMemory : rslRespond_Step(respond, &c->response, &c->state);
        bool failed = heap.calls >= failAt;
        assert_int_equal(status, failed ? rsl_outOfMemory : rsl_ok);
        if (failed && respond != NULL)  // nothing has changed: the same step can be taken
        {
            assert_int_equal(rslRespond_Step(respond, &c->response, &c->state), rsl_ok);
        }
        if (respond != NULL)
        {
            assert_memory_equal(c->change, whole->change, sizeof c->change);
        }
        rslRespond_Free(respond);
        rslTeam_Free(team);
        FreeCase(c);
        assert_int_equal(heap.live, 0);
        if (!failed)
        {
            break;
        }
    }
    FreeCase(whole);
}

// ---- threads --------------------------------------------------------------------------------------------------------

// Chains of nodes, many of a colour, each a group of so many touches.
typedef struct Chains
{
    int count, length;  // touches in all, and of a chain
    double uneven;      // part by which nodes yield more along z: such touches are not solved in lanes
    double* change;     // out, of count + count / length + 1 nodes
} Chains;

static void MakeChains(const Chains* chains, rslCollision* list, int* nodes, double* weights, double* v, double* yield)
{
    Random random = MakeRandom(3);
    for (int i = 0; i < chains->count + chains->count / chains->length + 1; ++i)
    {
        Put(v, i, NextVec3(&random, 1.0));
        Put(yield, i, (rslVec3){ 1.0, 1.0, 1.0 + chains->uneven });
    }
    for (int i = 0; i < chains->count; ++i)
    {
        list[i] = (rslCollision){ .key = { 0, (uint32_t)i, 0, (uint32_t)i + 1 },
                                  .begin = 2 * i,
                                  .count = 2,
                                  .normal = rslNormalize(NextVec3(&random, 1.0)),
                                  .gap = 0.001,
                                  .friction = 0.4,
                                  .restitution = i % 3 == 0 ? 1.0 : 0.3 };
        nodes[2 * i] = i + i / chains->length;
        nodes[2 * i + 1] = nodes[2 * i] + 1;
        weights[2 * i] = 1.0;
        weights[2 * i + 1] = -1.0;
    }
}

static uint64_t RunChains(const Chains* chains, int threads)
{
    int count = chains->count, all = count + count / chains->length + 1;
    rslModel model = { .contactNodeCount = all, .bodyCount = 1, .touch = { .sweeps = 20 } };
    rslPush pushes[1] = { 0 };
    rslState state = { .hooks = rslHooks_Complete(NULL), .pushes = pushes, .pushCount = 1 };
    size_t size = 3 * (size_t)all;
    double* of = calloc(6 * size, sizeof(double));
    rslCollision* list = calloc((size_t)count, sizeof(rslCollision));
    int* nodes = calloc(2 * (size_t)count, sizeof(int));
    double* weights = calloc(2 * (size_t)count, sizeof(double));
    assert_true(of != NULL && list != NULL && nodes != NULL && weights != NULL);
    double *x = of, *v = of + size, *kick = v + size, *yield = kick + size;
    double *change = yield + size, *shift = change + size, most = 0.01;
    MakeChains(chains, list, nodes, weights, v, yield);
    rslCollisions collisions = {
        .list = list, .count = count, .nodes = nodes, .weights = weights, .nodeCount = 2 * count
    };
    rslResponse response = { .step = 0.01,
                             .collisions = &collisions,
                             .x = x,
                             .v = v,
                             .kick = kick,
                             .yield = yield,
                             .largestShift = &most,
                             .change = change,
                             .shift = shift };
    rslTeam* team = rslTeam_Create(&state.hooks, threads, NULL, NULL);
    rslRespond* respond = rslRespond_Create(&model, NULL, team);
    assert_int_equal(rslRespond_Step(respond, &response, &state), rsl_ok);
    uint64_t hash = rslHash_Doubles(RSL_HASH_START, change, size);
    hash = rslHash_Doubles(hash, (const double*)(const void*)pushes, sizeof pushes / (sizeof(double)));
    assert_true(state.touchedCount > count / 4);
    if (chains->change != NULL)
    {
        memcpy(chains->change, change, size * sizeof(double));
    }
    rslRespond_Free(respond);
    rslTeam_Free(team);
    free(state.touched);
    free(of);
    free(list);
    free(nodes);
    free(weights);
    return hash;
}

// One group that is swept by colours, and many that are swept one by one.
static void TestThreads(void** unused)
{
    (void)unused;
    const Chains all[] = { { .count = 5000, .length = 5000 }, { .count = 4000, .length = 90 } };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    {
        uint64_t alone = RunChains(&all[i], 1);
        assert_true(alone == RunChains(&all[i], 2) && alone == RunChains(&all[i], 4));
    }
}

// ---- lanes ----------------------------------------------------------------------------------------------------------

// The largest difference of rows in lanes from touches one by one, whose nodes yield the same but for rounding.
static double Difference(int length)
{
    enum
    {
        COUNT = 1200
    };
    double changes[2][3 * (COUNT + COUNT / 2 + 1)], worst = 0.0;
    for (int k = 0; k < 2; ++k)
    {
        RunChains(&(Chains){ .count = COUNT, .length = length, .uneven = k * 1e-15, .change = changes[k] }, 1);
    }
    for (int i = 0; i < 3 * (COUNT + COUNT / length + 1); ++i)
    {
        worst = Worse(worst, fabs(changes[0][i] - changes[1][i]));
    }
    return worst;
}

static void TestLanes(void** unused)
{
    (void)unused;
    double few = Worse(Difference(2), Worse(Difference(9), Difference(60))), many = Difference(600);
    assert_proved("rows in lanes against touches one by one [m/s]", few, 1e-11);
    assert_proved("the same of many, which may be quiet [m/s]", many, 5e-3);
    assert_true(many > 1e-9);  // so they were
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestBalances),    cmocka_unit_test(TestNothingGains), cmocka_unit_test(TestMemory),
        cmocka_unit_test(TestOutOfMemory), cmocka_unit_test(TestThreads),      cmocka_unit_test(TestLanes),
    };
    return cmocka_run_group_tests_name("respond", tests, NULL, NULL);
}
