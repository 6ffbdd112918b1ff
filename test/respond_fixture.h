// SPDX-License-Identifier: MIT
//
// respond_fixture.h: collisions made by hand, and their response.

#pragma once

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

static inline double Or(Random* random, double value)
{
    return value >= 0.0 ? value : NextBetween(random, 0.0, 1.0);
}

static inline void Put(double* array, int node, rslVec3 a)
{
    array[3 * node] = a.x;
    array[3 * node + 1] = a.y;
    array[3 * node + 2] = a.z;
}

static inline rslVec3 Get(const double* array, int node)
{
    return (rslVec3){ array[3 * node], array[3 * node + 1], array[3 * node + 2] };
}

// A rigid ball of this inertia about its centre, with nodes around it.
static inline void DrawRigids(Case* c, Random* random, const Kind* kind)
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

static inline void DrawNodes(Case* c, Random* random, const Kind* kind)
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
static inline void DrawCollision(Case* c, Random* random, const Kind* kind, int index)
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

static inline Case* DrawCase(uint64_t seed, const Kind* kind)
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

static inline void FreeCase(Case* c)
{
    free(c->state.touched);
    free(c);
}

static inline rslRespond* RespondTo(Case* c, rslTeam** team)
{
    *team = rslTeam_Create(&c->state.hooks, 1, NULL, NULL);
    rslRespond* respond = rslRespond_Create(&c->model, NULL, *team);
    assert_non_null(respond);
    return respond;
}

static inline void Respond(Case* c)
{
    rslTeam* team;
    rslRespond* respond = RespondTo(c, &team);
    assert_int_equal(rslRespond_Step(respond, &c->response, &c->state), rsl_ok);
    rslRespond_Free(respond);
    rslTeam_Free(team);
}

static inline rslVec3 VelocityAfter(const Case* c, int node)
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
