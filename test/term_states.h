// SPDX-License-Identifier: MIT
//
// term_states.h: random states of the cases. Part of term_cases.h.

#pragma once

static rslQuat RandomTurn(Random* random, double size, bool planar)
{
    rslVec3 q = NextVec3(random, size);
    return rslQuatNormalize(planar ? (rslQuat){ 1.0, 0.0, 0.0, q.z } : (rslQuat){ 1.0, q.x, q.y, q.z });
}

static void RandomFrames(const Case* it, const rslModel* model, rslState* state, Random* random)
{
    bool planar = model->plane == rsl_planeXY;
    rslQuat common = RandomTurn(random, 3.0, planar);
    rslMat3 turn = rslQuatMatrix(common);
    rslVec3 shift = NextVec3(random, it->far), drift = NextVec3(random, 50.0);
    for (int b = 0; b < model->bodyCount; ++b)
    {
        rslFrame* frame = &state->frames[b];
        rslQuat own = RandomTurn(random, it->together ? 0.1 : 3.0, planar);
        frame->origin = rslAdd(rslMatVec(&turn, frame->origin), shift);
        frame->rotation = rslQuatNormalize(rslQuatMul(rslQuatMul(common, own), frame->rotation));
        frame->velocity = rslAdd(drift, NextVec3(random, 0.2));
        if (planar)
        {
            frame->origin.z = frame->velocity.z = 0.0;
        }
    }
}

// Displacements up to size spacings, velocities up to a few spacings a second.
static inline rslState* RandomState(const Case* it, const rslModel* model, double size, uint64_t seed)
{
    Random random = MakeRandom(seed);
    rslState* state = StateOf(model, rsl_double);
    RandomFrames(it, model, state, &random);
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double spacing = model->bodies[rslModel_BodyOf(model, i)].spacing;
        for (int axis = 0; axis < 3; ++axis)
        {
            bool locked = axis == 2 && model->plane == rsl_planeXY;
            double u = NextBetween(&random, -size * spacing, size * spacing);
            double w = NextBetween(&random, -3.0 * spacing, 3.0 * spacing);
            ((double*)state->displacement[axis])[i] = locked ? 0.0 : u;
            ((double*)state->velocity[axis])[i] = locked ? 0.0 : w;
        }
    }
    state->step = 1e-3;
    state->stepCount = 400;
    return state;
}

static inline rslState* Narrowed(const rslModel* model, const rslState* from)
{
    rslState* state = StateOf(model, rsl_single);
    memcpy(state->frames, from->frames, (size_t)from->bodyCount * sizeof(rslFrame));
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < model->nodeCount; ++i)
        {
            ((float*)state->displacement[axis])[i] = (float)((const double*)from->displacement[axis])[i];
            ((float*)state->velocity[axis])[i] = (float)((const double*)from->velocity[axis])[i];
        }
    }
    state->step = from->step;
    state->stepCount = from->stepCount;
    return state;
}
