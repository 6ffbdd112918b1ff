// SPDX-License-Identifier: MIT
//
// test_respond.c: impulses at collisions made by hand, on random configurations: what they keep, what they lose, what they remember.

#include "hash.h"
#include "impact_rule.h"
#include "memory.h"
#include "respond.h"
#include "support.h"

enum
{
    NODES = 24,
    MOST = 60,    // collisions
    CORNERS = 4,  // nodes of each
    RIGIDS = 2,
    ALL = NODES + 8,  // the last ones are carried by rigid bodies
};

typedef struct Case
{
    rslModel model;
    rslState state;
    rslCollisions collisions;
    rslCollision list[MOST];
    int nodes[MOST * CORNERS];
    double weights[MOST * CORNERS];
    double x[3 * ALL], v[3 * ALL], kick[3 * ALL], yield[3 * ALL], mass[ALL];
    int rigid[ALL];
    double change[3 * ALL], shift[3 * ALL], largestShift[2];
    rslPushed rigids[RIGIDS];
    double inertia[RIGIDS];
    rslPush pushes[2 * 2];
    rslResponse response;
} Case;

// What a case is made of.
typedef struct Kind
{
    int count;  // collisions
    bool held, rigid, belts, kicks, gaps;
    double restitution, friction;  // negative: at random up to 1
    int sweeps;
    int crowd;  // all of them at so many nodes; 0: any
} Kind;

static double Or(Random* random, double value)
{
    return value >= 0.0 ? value : NextBetween(random, 0.0, 1.0);
}

static void Put(double* array, int node, rslVec3 a)
{
    array[3 * node] = a.x;
    array[3 * node + 1] = a.y;
    array[3 * node + 2] = a.z;
}

static rslVec3 Get(const double* array, int node)
{
    return (rslVec3){ array[3 * node], array[3 * node + 1], array[3 * node + 2] };
}

// A rigid ball of this inertia about its centre, with nodes around it.
static void DrawRigids(Case* c, Random* random, const Kind* kind)
{
    for (int i = 0; i < RIGIDS; ++i)
    {
        rslPushed* rigid = &c->rigids[i];
        double mass = NextBetween(random, 0.5, 2.0);
        c->inertia[i] = NextBetween(random, 0.2, 1.0);
        *rigid = (rslPushed){ .centre = NextVec3(random, 2.0),
                              .velocity = NextVec3(random, 1.0),
                              .spin = NextVec3(random, 1.0),
                              .yield = { 1.0 / mass, 1.0 / mass, 1.0 / mass } };
        rigid->kick = kind->kicks ? NextVec3(random, 0.1) : (rslVec3){ 0 };
        rigid->twist = kind->kicks ? NextVec3(random, 0.1) : (rslVec3){ 0 };
        double turn = 1.0 / c->inertia[i];
        rigid->turn = (rslMat3){ { { turn, 0.0, 0.0 }, { 0.0, turn, 0.0 }, { 0.0, 0.0, turn } } };
    }
}

static void DrawNodes(Case* c, Random* random, const Kind* kind)
{
    for (int i = 0; i < ALL; ++i)
    {
        c->rigid[i] = kind->rigid && i >= NODES ? i % RIGIDS : -1;
        c->mass[i] = NextBetween(random, 0.5, 2.0);
        Put(c->x, i, NextVec3(random, 1.0));
        Put(c->v, i, NextVec3(random, 1.0));
        Put(c->kick, i, kind->kicks ? NextVec3(random, 0.1) : (rslVec3){ 0 });
        for (int axis = 0; axis < 3; ++axis)
        {
            bool held = kind->held && NextBits(random) % 4 == 0;
            c->yield[3 * i + axis] = held ? 0.0 : 1.0 / c->mass[i];
            c->kick[3 * i + axis] = held ? 0.0 : c->kick[3 * i + axis];
        }
        if (c->rigid[i] >= 0)
        {
            const rslPushed* rigid = &c->rigids[c->rigid[i]];
            rslVec3 arm = NextVec3(random, 1.0);
            Put(c->x, i, rslAdd(rigid->centre, arm));
            Put(c->v, i, rslAdd(rigid->velocity, rslCross(rigid->spin, arm)));
            Put(c->kick, i, rslAdd(rigid->kick, rslCross(rigid->twist, arm)));
        }
    }
}

// A node against three others, or against a collider. The point is where it is, so that x_b follows.
static void DrawCollision(Case* c, Random* random, const Kind* kind, int index)
{
    rslCollision* collision = &c->list[index];
    bool collider = NextBits(random) % 2 == 0;
    int all = kind->rigid ? ALL : NODES,
        first = (int)(NextBits(random) % (uint64_t)(kind->crowd > 0 ? kind->crowd : all));
    *collision = (rslCollision){ .key = { 0, (uint32_t)index, collider ? RSL_KEY_COLLIDER : 1, 7 },
                                 .begin = CORNERS * index,
                                 .count = collider ? 1 : CORNERS,
                                 .normal = rslNormalize(NextVec3(random, 1.0)),
                                 .point = Get(c->x, first),
                                 .gap = kind->gaps ? NextBetween(random, 0.0, 0.01) : 0.0,
                                 .friction = Or(random, kind->friction),
                                 .restitution = Or(random, kind->restitution) };
    collision->velocity = kind->belts && collider ? NextVec3(random, 1.0) : (rslVec3){ 0 };
    double left = -1.0;
    for (int i = 0; i < CORNERS; ++i)
    {
        double w = i == 0 ? 1.0 : i == CORNERS - 1 ? left : -NextBetween(random, 0.0, 0.5);
        c->nodes[collision->begin + i] = (first + 5 * i) % all;
        c->weights[collision->begin + i] = w;
        left -= i == 0 ? 0.0 : w;
    }
}

static Case* DrawCase(uint64_t seed, const Kind* kind)
{
    Random random = MakeRandom(seed);
    Case* c = calloc(1, sizeof(Case));
    assert_non_null(c);
    c->model = (rslModel){ .contactNodeCount = ALL,
                           .rigidCount = kind->rigid ? RIGIDS : 0,
                           .bodyCount = 2,
                           .colliderCount = 1,
                           .touch = { .sweeps = kind->sweeps } };
    c->state = (rslState){ .hooks = rslHooks_Complete(NULL), .pushes = c->pushes, .pushCount = 4 };
    DrawRigids(c, &random, kind);
    DrawNodes(c, &random, kind);
    for (int i = 0; i < kind->count; ++i)
    {
        DrawCollision(c, &random, kind, i);
    }
    c->collisions = (rslCollisions){ .list = c->list,
                                     .count = kind->count,
                                     .nodes = c->nodes,
                                     .weights = c->weights,
                                     .nodeCount = CORNERS * kind->count };
    c->largestShift[0] = c->largestShift[1] = 0.01;
    c->response = (rslResponse){ .step = 0.01,
                                 .collisions = &c->collisions,
                                 .x = c->x,
                                 .v = c->v,
                                 .kick = c->kick,
                                 .yield = c->yield,
                                 .rigid = kind->rigid ? c->rigid : NULL,
                                 .rigids = c->rigids,
                                 .rigidCount = kind->rigid ? RIGIDS : 0,
                                 .largestShift = c->largestShift,
                                 .change = c->change,
                                 .shift = c->shift };
    return c;
}

static void FreeCase(Case* c)
{
    free(c->state.touched);
    free(c);
}

static rslRespond* RespondTo(Case* c, rslTeam** team)
{
    *team = rslTeam_Create(&c->state.hooks, 1, NULL, NULL);
    rslRespond* respond = rslRespond_Create(&c->model, NULL, *team);
    assert_non_null(respond);
    return respond;
}

static void Respond(Case* c)
{
    rslTeam* team;
    rslRespond* respond = RespondTo(c, &team);
    assert_int_equal(rslRespond_Step(respond, &c->response, &c->state), rsl_ok);
    rslRespond_Free(respond);
    rslTeam_Free(team);
}

// ---- what is kept ---------------------------------------------------------------------------------------------------

static rslVec3 VelocityAfter(const Case* c, int node)
{
    if (c->response.rigid != NULL && c->rigid[node] >= 0)
    {
        const rslPushed* rigid = &c->rigids[c->rigid[node]];
        rslVec3 spin = rslAdd(rslAdd(rigid->spin, rigid->twist), rigid->changeOfSpin);
        rslVec3 v = rslAdd(rslAdd(rigid->velocity, rigid->kick), rigid->change);
        return rslAdd(v, rslCross(spin, rslSub(Get(c->x, node), rigid->centre)));
    }
    return rslAdd(rslAdd(Get(c->v, node), Get(c->kick, node)), Get(c->change, node));
}

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

// ---- single touches -------------------------------------------------------------------------------------------------

static Case* OnePoint(double gap, double speed, double kick, double restitution, double friction)
{
    Case* c = DrawCase(1, &(Kind){ .count = 1, .sweeps = 20 });
    c->list[0].normal = (rslVec3){ 0.0, 0.0, 1.0 };
    c->list[0].key[2] = RSL_KEY_COLLIDER;
    c->list[0].count = 1;
    c->list[0].gap = gap;
    c->list[0].restitution = restitution;
    c->list[0].friction = friction;
    Put(c->v, c->nodes[0], (rslVec3){ 1.0, 0.0, speed });
    Put(c->kick, c->nodes[0], (rslVec3){ 0.0, 0.0, kick });
    return c;
}

// Places are moved as far as what is lost pays for it: against what presses, and against what may be as stiff as the stable step allows.
static void TestPayment(void** unused)
{
    (void)unused;
    Case* c = OnePoint(-0.5, 0.0, -0.1, 1.0, 0.0);  // pressed, at rest: nothing is lost
    Respond(c);
    assert_close(Get(c->shift, c->nodes[0]).z, 0.0, 1e-15);
    FreeCase(c);
    c = OnePoint(-0.5, -0.05, -0.1, 1.0, 0.0);  // m 0.15 0.05 / 2 is lost, and every metre costs m 0.1 / h
    Respond(c);
    double h = c->response.step, m = c->mass[c->nodes[0]], lost = m * 0.15 * 0.025;
    assert_close(c->response.heat, lost, 1e-15);
    assert_close(Get(c->shift, c->nodes[0]).z, lost / (m * 0.1 / h), 1e-15);
    FreeCase(c);
    c = OnePoint(-0.5, -0.05, -0.1, 1.0, 0.0);
    c->response.stable = 0.5 * h;
    Respond(c);
    double dx = Get(c->shift, c->nodes[0]).z, T = c->response.stable;
    assert_true(dx > 0.0);
    assert_close(m * 0.1 / h * dx + 2.0 * m * dx * dx / (T * T), lost, 1e-15);
    FreeCase(c);
    double lift[3 * ALL] = { 0 };  // all of the kick is by dampers, against which nothing is lifted
    c = OnePoint(-0.5, 0.0, -0.1, 1.0, 0.0);
    c->response.lift = lift;
    Respond(c);
    assert_close(Get(c->shift, c->nodes[0]).z, 0.01, 1e-15);
    FreeCase(c);
}

// An elastic impact turns the velocity round with the kick in it; an approach by the kick alone is caught.
static void TestOnePoint(void** unused)
{
    (void)unused;
    Case* c = OnePoint(0.005, -2.0, -0.1, 1.0, 0.0);
    Respond(c);
    assert_close(VelocityAfter(c, c->nodes[0]).z, 2.0, 1e-15);
    assert_close(c->response.heat, 0.0, 1e-15);
    FreeCase(c);
    c = OnePoint(0.001, -0.05, -0.1, 1.0, 0.3);
    Respond(c);
    assert_close(VelocityAfter(c, c->nodes[0]).z, -0.1, 1e-15);  // meets it at the end
    assert_close(VelocityAfter(c, c->nodes[0]).x, 1.0 - 0.3 * 0.05, 1e-15);
    assert_int_equal(c->state.touchedCount, 1);
    assert_close(c->state.touched[0].kept[2], c->mass[c->nodes[0]] * 0.05, 1e-15);
    rslState_ScaleTouches(&c->state, 0.25);
    assert_close(c->state.touched[0].kept[2], c->mass[c->nodes[0]] * 0.0125, 1e-15);
    FreeCase(c);
    c = OnePoint(0.03, -2.0, -0.1, 1.0, 0.0);  // does not come that far
    Respond(c);
    assert_close(VelocityAfter(c, c->nodes[0]).z, -2.1, 0.0);
    assert_int_equal(c->state.touchedCount, 0);
    FreeCase(c);
    c = OnePoint(-0.5, 0.0, 0.0, 1.0, 0.0);  // deep inside: moved out by no more than is allowed, velocities stay
    Respond(c);
    assert_close(Get(c->shift, c->nodes[0]).z, 0.01, 1e-15);
    assert_close(VelocityAfter(c, c->nodes[0]).z, 0.0, 0.0);
    FreeCase(c);
    c = OnePoint(-0.5, 0.0, 0.0, 1.0, 0.0);  // in an eighth of a step by an eighth of it
    c->response.divided = 3;
    Respond(c);
    assert_close(Get(c->shift, c->nodes[0]).z, 0.01 / 8.0, 1e-15);
    FreeCase(c);
    c = OnePoint(-0.5, 0.0, 0.0, 1.0, 0.0);  // in steps below a fifth of the stable one likewise
    c->response.stable = 20.0 * c->response.step;
    c->model.touch.parts = true;  // whatever it costs
    Respond(c);
    assert_close(Get(c->shift, c->nodes[0]).z, 0.01 / 4.0, 1e-15);
    FreeCase(c);
    for (int fast = 0; fast < 2; ++fast)  // what goes out by itself is moved by what is left of it
    {
        double way = fast ? 0.02 : 0.004;
        c = OnePoint(-0.5, 1.0, 0.0, 1.0, 0.0);
        Put(c->v, c->nodes[0], (rslVec3){ 0.0, 0.0, way / c->response.step });
        Respond(c);
        assert_close(Get(c->shift, c->nodes[0]).z, fast ? 0.0 : 0.006, 1e-15);
        FreeCase(c);
    }
}

// Steps are to be shorter for what comes from a flight, or goes far in one of them, and no others.
static void TestImpactRule(void** unused)
{
    (void)unused;
    double durations[2] = { 3.0, 3.0 }, none[2] = { 0.0, 0.0 };
    rslBody bodies[2] = { { .spacing = 1.0 }, { .spacing = 1.0 } };
    Case* c = OnePoint(0.005, -2.0, -0.1, 1.0, 0.0);
    c->model.bodies = bodies;
    rslImpactRule rule = { &c->model, 2.0 * c->response.step, durations, durations };
    assert_close(rslImpactRule_Asks(&rule, &c->response, false), 3.0, 0.0);
    assert_close(rslImpactRule_GoesOn(&rule, &c->response), 0.75, 1e-15);
    rule.swings = none;  // what swings is damped out: half of the stable step is not short enough, two fifths are
    assert_close(rslImpactRule_Asks(&rule, &c->response, false), 3.0, 0.0);
    rule.stable = 2.5 * c->response.step;
    assert_close(rslImpactRule_Asks(&rule, &c->response, false), 0.0, 0.0);
    bodies[0].spacing = bodies[1].spacing = 0.1;  // cells are crushed no less
    assert_true(rslImpactRule_Asks(&rule, &c->response, false) == INFINITY);
    bodies[0].spacing = bodies[1].spacing = 1.0;
    rule.swings = durations;
    assert_close(rslImpactRule_Asks(&rule, &c->response, false), 3.0, 0.0);
    rule.stable = 20.0 * c->response.step;  // it is short enough
    assert_close(rslImpactRule_Asks(&rule, &c->response, false), 0.0, 0.0);
    bodies[0].spacing = bodies[1].spacing = 0.1;  // but it goes farther than a fifth of a cell
    assert_true(rslImpactRule_Asks(&rule, &c->response, false) == INFINITY);
    rule.stable = 40.0 * c->response.step;  // there is an end to it
    assert_close(rslImpactRule_Asks(&rule, &c->response, false), 0.0, 0.0);
    rule.stable = 20.0 * c->response.step;  // of two bodies, those cells count that are smaller
    c->list[0].key[0] = 0;
    c->list[0].key[2] = 1;
    for (int b = 0; b < 2; ++b)
    {
        bodies[b].spacing = 1.0;
        bodies[1 - b].spacing = 0.1;
        assert_true(rslImpactRule_Asks(&rule, &c->response, false) == INFINITY);
    }
    bodies[0].spacing = bodies[1].spacing = 1.0;
    assert_close(rslImpactRule_Asks(&rule, &c->response, false), 0.0, 0.0);
    c->list[0].gap = 0.03;  // does not come that far
    rule.stable = 2.0 * c->response.step;
    assert_close(rslImpactRule_Asks(&rule, &c->response, false), 0.0, 0.0);
    assert_close(rslImpactRule_GoesOn(&rule, &c->response), 0.0, 0.0);
    FreeCase(c);
    c = OnePoint(0.0, -0.05, -0.1, 1.0, 0.0);  // what is pressed on
    c->model.bodies = bodies;
    rule = (rslImpactRule){ &c->model, 2.0 * c->response.step, durations, durations };
    assert_close(rslImpactRule_Asks(&rule, &c->response, false), 0.0, 0.0);
    assert_close(rslImpactRule_GoesOn(&rule, &c->response), 0.0, 0.0);
    FreeCase(c);
}

// A wall that comes pushes: e = 0 takes its speed, e = 1 twice that, and the wall works.
static void TestBelt(void** unused)
{
    (void)unused;
    for (int e = 0; e < 2; ++e)
    {
        Case* c = OnePoint(0.0, 0.0, 0.0, e, 0.0);
        c->list[0].velocity = (rslVec3){ 0.0, 0.0, 3.0 };
        Respond(c);
        double mass = c->mass[c->nodes[0]], speed = 3.0 * (1 + e);
        assert_close(VelocityAfter(c, c->nodes[0]).z, speed, 1e-14);
        assert_close(c->response.motion, mass * speed * 3.0, 1e-13);
        assert_close(c->response.heat, mass * speed * (3.0 - 0.5 * speed), 1e-13);
        FreeCase(c);
    }
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

// Chains of nodes, many of a colour.
static uint64_t RunChains(int threads)
{
    enum
    {
        COUNT = 4000
    };
    rslModel model = { .contactNodeCount = COUNT + 1, .bodyCount = 1, .touch = { .sweeps = 20 } };
    rslPush pushes[1] = { 0 };
    rslState state = { .hooks = rslHooks_Complete(NULL), .pushes = pushes, .pushCount = 1 };
    double* of = calloc(18 * (COUNT + 1), sizeof(double));
    rslCollision* list = calloc(COUNT, sizeof(rslCollision));
    int* nodes = calloc(2 * COUNT, sizeof(int));
    double* weights = calloc(2 * COUNT, sizeof(double));
    assert_true(of != NULL && list != NULL && nodes != NULL && weights != NULL);
    double *x = of, *v = of + 3 * (COUNT + 1), *kick = v + 3 * (COUNT + 1), *yield = kick + 3 * (COUNT + 1);
    double *change = yield + 3 * (COUNT + 1), *shift = change + 3 * (COUNT + 1), most = 0.01;
    Random random = MakeRandom(3);
    for (int i = 0; i <= COUNT; ++i)
    {
        Put(v, i, NextVec3(&random, 1.0));
        Put(yield, i, (rslVec3){ 1.0, 1.0, 1.0 });
    }
    for (int i = 0; i < COUNT; ++i)
    {
        list[i] = (rslCollision){ .key = { 0, (uint32_t)i, 0, (uint32_t)i + 1 },
                                  .begin = 2 * i,
                                  .count = 2,
                                  .normal = rslNormalize(NextVec3(&random, 1.0)),
                                  .gap = 0.001,
                                  .friction = 0.4,
                                  .restitution = i % 3 == 0 ? 1.0 : 0.3 };
        nodes[2 * i] = i;
        nodes[2 * i + 1] = i + 1;
        weights[2 * i] = 1.0;
        weights[2 * i + 1] = -1.0;
    }
    rslCollisions collisions = {
        .list = list, .count = COUNT, .nodes = nodes, .weights = weights, .nodeCount = 2 * COUNT
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
    uint64_t hash = rslHash_Doubles(RSL_HASH_START, change, 3 * (COUNT + 1));
    hash = rslHash_Doubles(hash, (const double*)(const void*)pushes, sizeof pushes / (sizeof(double)));
    assert_true(state.touchedCount > COUNT / 4);
    rslRespond_Free(respond);
    rslTeam_Free(team);
    free(state.touched);
    free(of);
    free(list);
    free(nodes);
    free(weights);
    return hash;
}

static void TestThreads(void** unused)
{
    (void)unused;
    uint64_t alone = RunChains(1);
    assert_true(alone == RunChains(2) && alone == RunChains(4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestBalances), cmocka_unit_test(TestNothingGains), cmocka_unit_test(TestOnePoint),
        cmocka_unit_test(TestPayment),  cmocka_unit_test(TestImpactRule),   cmocka_unit_test(TestBelt),
        cmocka_unit_test(TestMemory),   cmocka_unit_test(TestOutOfMemory),  cmocka_unit_test(TestThreads),
    };
    return cmocka_run_group_tests_name("respond", tests, NULL, NULL);
}
