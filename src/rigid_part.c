// SPDX-License-Identifier: MIT
//
// rigid_part.c: see rigid_part.h.
//
// w_i = v + a x d_i + e_i with the mean velocity v and I a = l, the angular momentum: sum m_i e_i = 0 and sum m_i d_i x e_i = 0, so the kinetic
// energy is that of v and a and that of e, D = 1/2 sum m_i |e_i|^2. Factors s of all e take (1 - s^2) D and nothing else.

#include "rigid_part.h"

#include "level.h"
#include "state_internal.h"

#include <math.h>

enum
{
    SOME = 64  // nodes whose places at rest are asked for together
};

rslVec3 rslBody_PlaceOf(const rslBody* body, const rslState* state, int node)
{
    double X[3];
    rslBody_Rest(body, node, node + 1, X);
    return rslAdd((rslVec3){ X[0], X[1], X[2] }, rslState_Get3(state, state->displacement, node));
}

// X + u of nodes that are asked for one after the other.
typedef struct Places
{
    int begin, end;
    double rest[3 * SOME];
} Places;

static rslVec3 PlaceOf(Places* places, const rslBody* body, const rslState* state, int node)
{
    if (node >= places->end || node < places->begin)
    {
        int last = body->firstNode + body->nodeCount;
        places->begin = node;
        places->end = last - node < SOME ? last : node + SOME;
        rslBody_Rest(body, places->begin, places->end, places->rest);
    }
    const double* X = &places->rest[3 * (size_t)(node - places->begin)];
    return rslAdd((rslVec3){ X[0], X[1], X[2] }, rslState_Get3(state, state->displacement, node));
}

rslRigidPart rslRigidPart_Of(const rslModel* model, const rslState* state, const rslBody* body)
{
    rslRigidPart motion = { 0 };
    int last = body->firstNode + body->nodeCount;
    Places places = { 0 };
    for (int i = body->firstNode; i < last; ++i)
    {
        motion.mass += model->mass[i];
        motion.centre = rslMulAdd(motion.centre, model->mass[i], PlaceOf(&places, body, state, i));
        motion.velocity = rslMulAdd(motion.velocity, model->mass[i], rslState_Get3(state, state->velocity, i));
    }
    motion.centre = rslScale(1.0 / motion.mass, motion.centre);
    motion.velocity = rslScale(1.0 / motion.mass, motion.velocity);
    for (int i = body->firstNode; i < last; ++i)
    {
        rslVec3 arm = rslSub(PlaceOf(&places, body, state, i), motion.centre);
        rslVec3 w = rslSub(rslState_Get3(state, state->velocity, i), motion.velocity);
        const double m = model->mass[i], d[3] = { arm.x, arm.y, arm.z };
        motion.spin = rslMulAdd(motion.spin, m, rslCross(arm, w));
        for (int k = 0; k < 9; ++k)
        {
            motion.inertia[k / 3][k % 3] += m * ((k % 4 == 0 ? rslDot(arm, arm) : 0.0) - d[k / 3] * d[k % 3]);
        }
    }
    return motion;
}

// e of a node.
static rslVec3 WithinOf(const rslBody* body, const rslState* state, const rslRigidPart* part, rslVec3 turn, int node)
{
    rslVec3 arm = rslSub(rslBody_PlaceOf(body, state, node), part->centre);
    rslVec3 whole = rslAdd(part->velocity, rslCross(turn, arm));
    return rslSub(rslState_Get3(state, state->velocity, node), whole);
}

// D of a body; with a factor below 1, and its motion is changed.
static double Scale(const rslModel* model, rslState* state, int index, double factor)
{
    const rslBody* body = &model->bodies[index];
    if (rslModel_Rigid(model, index) != NULL)
    {
        return 0.0;
    }
    rslRigidPart part = rslRigidPart_Of(model, state, body);
    rslVec3 turn = rslLevel_Solve(part.inertia, part.spin);
    double within = 0.0;
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        rslVec3 e = WithinOf(body, state, &part, turn, i);
        within += 0.5 * model->mass[i] * rslDot(e, e);
        if (factor < 1.0)
        {
            rslVec3 w = rslState_Get3(state, state->velocity, i);
            rslState_Put3(state, state->velocity, i, rslMulAdd(w, factor - 1.0, e));
        }
    }
    return within;
}

double rslState_Calm(const rslModel* model, rslState* state, double energy)
{
    double within = 0.0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        within += Scale(model, state, b, 1.0);
    }
    double taken = energy < within ? energy : within;
    if (!(taken > 0.0))
    {
        return 0.0;
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        Scale(model, state, b, sqrt(1.0 - taken / within));
    }
    return taken;
}
