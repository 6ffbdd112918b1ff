// SPDX-License-Identifier: MIT
//
// state.c: make, copy, place and hash states. state_file.c saves them.

#include "resilin/lod.h"

#include "collision.h"
#include "hash.h"
#include "memory.h"
#include "spread.h"
#include "state_internal.h"
#include "top.h"
#include "vec.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum
{
    BLOCK = 256  // nodes handled at a time
};

// ---- making -----------------------------------------------------------------------------------------------------------

// Mass-weighted mean of the rest positions of a body.
static rslVec3 RestCentre(const rslModel* model, const rslBody* body)
{
    double rest[BLOCK][3], mass = 0.0;
    rslVec3 sum = { 0 };
    int last = body->firstNode + body->nodeCount;
    for (int begin = body->firstNode; begin < last; begin += BLOCK)
    {
        int end = begin + BLOCK < last ? begin + BLOCK : last;
        rslBody_Rest(body, begin, end, rest[0]);
        for (int i = begin; i < end; ++i)
        {
            const double* X = rest[i - begin];
            sum = rslMulAdd(sum, model->mass[i], (rslVec3){ X[0], X[1], X[2] });
            mass += model->mass[i];
        }
    }
    return rslScale(1.0 / mass, sum);
}

// The frame of a rigid body moves with the centre of all that it carries; velocity and spin are its own.
static rslVec3 SpinRigid(const rslModel* model, const rslRigid* rigid, rslFrame* frame)
{
    const rslBody* body = &model->bodies[rigid->body];
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    rslVec3 arm = rslMatVec(&rotation, rslSub(rigid->centre, RestCentre(model, body)));
    frame->velocity = rslAdd(body->frame.velocity, rslCross(body->spin, arm));
    frame->momentum = rslTop_Times(rigid, frame, body->spin);
    return rigid->centre;
}

static void SpinBody(const rslModel* model, const rslBody* body, rslState* state)
{
    int index = (int)(body - model->bodies);
    const rslRigid* rigid = rslModel_Rigid(model, index);
    rslMat3 rotation = rslQuatMatrix(body->frame.rotation);
    rslVec3 spin = rslMatTVec(&rotation, body->spin);
    rslVec3 centre = rigid != NULL ? SpinRigid(model, rigid, &state->frames[index]) : RestCentre(model, body);
    if (model->plane == rsl_planeXY)
    {
        spin.x = spin.y = 0.0;
    }
    double rest[BLOCK][3];
    int last = body->firstNode + body->nodeCount;
    for (int begin = body->firstNode; begin < last; begin += BLOCK)
    {
        int end = begin + BLOCK < last ? begin + BLOCK : last;
        rslBody_Rest(body, begin, end, rest[0]);
        for (int i = begin; i < end; ++i)
        {
            const double* X = rest[i - begin];
            rslVec3 arm = rslSub((rslVec3){ X[0], X[1], X[2] }, centre);
            rslState_Put3(state, state->velocity, i, rslCross(spin, arm));
        }
    }
}

// Displacements and velocities are walked side by side: so they are one block, in which each begins a line of the cache, and none as far into
// a page as another.
static bool AllocateMotion(rslState* state, size_t count)
{
    enum
    {
        LINE = 64,
        PAGE = 4096,
        APART = 9 * LINE
    };
    size_t bytes = (count + RSL_STATE_PADDING) * (size_t)state->precision;
    size_t stride = (bytes + LINE - 1) / LINE * LINE;
    stride = bytes < 16 * PAGE ? stride : (bytes + PAGE - 1) / PAGE * PAGE + APART;
    state->motion = rslAllocate(&state->hooks, 6 * stride + LINE, 1);
    if (state->motion == NULL)
    {
        return false;
    }
    char* first = (char*)state->motion + (LINE - (uintptr_t)state->motion % LINE) % LINE;
    for (int axis = 0; axis < 3; ++axis)
    {
        state->displacement[axis] = first + (size_t)axis * stride;
        state->velocity[axis] = first + (size_t)(3 + axis) * stride;
    }
    return true;
}

static bool Allocate(rslState* state, int rigids, bool lags)
{
    state->frames = rslAllocate(&state->hooks, (size_t)state->bodyCount, sizeof(rslFrame));
    bool made = state->frames != NULL;
    made = made && AllocateMotion(state, (size_t)state->nodeCount + RSL_RIGID_ENTRIES * (size_t)rigids);
    for (int c = 0; lags && c < 2; ++c)
    {
        size_t count = (size_t)state->nodeCount + RSL_STATE_PADDING;
        state->carried[c] = rslAllocate(&state->hooks, count, (size_t)state->precision);
        made = made && state->carried[c] != NULL;
    }
    if (state->pushCount > 0)
    {
        state->pushes = rslAllocate(&state->hooks, (size_t)state->pushCount, sizeof(rslPush));
        made = made && state->pushes != NULL;
    }
    return made;
}

rslStatus rslState_Create(const rslModel* model, rslPrecision precision, const rslHooks* hooks, rslState** out)
{
    *out = NULL;
    if (precision != rsl_single && precision != rsl_double)
    {
        return rsl_badInput;
    }
    rslHooks complete = rslHooks_Complete(hooks);
    rslState* state = rslAllocate(&complete, 1, sizeof(rslState));
    if (state == NULL)
    {
        return rsl_outOfMemory;
    }
    state->hooks = complete;
    state->precision = precision;
    state->nodeCount = model->nodeCount;
    state->bodyCount = model->bodyCount;
    state->fingerprint = model->fingerprint;
    state->guard.smallest = 1.0;
    state->pushCount = rslModel_Touches(model) ? model->bodyCount * (model->colliderCount + 1) : 0;
    if (!Allocate(state, model->rigidCount, rslModel_Lags(model)))
    {
        rslState_Free(state);
        return rsl_outOfMemory;
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        state->frames[b] = model->bodies[b].frame;
        SpinBody(model, &model->bodies[b], state);
    }
    *out = state;
    return rsl_ok;
}

void rslState_Free(rslState* state)
{
    if (state == NULL)
    {
        return;
    }
    rslRelease(&state->hooks, state->motion);
    rslRelease(&state->hooks, state->carried[0]);
    rslRelease(&state->hooks, state->carried[1]);
    rslRelease(&state->hooks, state->frames);
    rslRelease(&state->hooks, state->touched);
    rslRelease(&state->hooks, state->pushes);
    rslHooks hooks = state->hooks;
    rslRelease(&hooks, state);
}

rslStatus rslState_Reserve(rslState* state, int touches)
{
    if (touches <= state->touchedCapacity)
    {
        return rsl_ok;
    }
    int capacity = touches < 64 ? 64 : touches > INT_MAX / 2 ? touches : 2 * touches;
    rslTouched* grown = rslAllocate(&state->hooks, (size_t)capacity, sizeof(rslTouched));
    if (grown == NULL)
    {
        return rsl_outOfMemory;
    }
    if (state->touchedCount > 0)
    {
        memcpy(grown, state->touched, (size_t)state->touchedCount * sizeof(rslTouched));
    }
    rslRelease(&state->hooks, state->touched);
    state->touched = grown;
    state->touchedCapacity = capacity;
    return rsl_ok;
}

static void CopyTouches(rslState* to, const rslState* from)
{
    to->touchedCount = from->touchedCount;
    if (from->touchedCount > 0)
    {
        memcpy(to->touched, from->touched, (size_t)from->touchedCount * sizeof(rslTouched));
    }
    if (from->pushCount > 0)
    {
        memcpy(to->pushes, from->pushes, (size_t)from->pushCount * sizeof(rslPush));
    }
}

rslPush rslState_Push(const rslModel* model, const rslState* state, int body, int collider)
{
    RSL_ASSERT(0 <= body && body < model->bodyCount && 0 <= collider && collider <= model->colliderCount);
    return state->pushCount > 0 ? state->pushes[body * (model->colliderCount + 1) + collider] : (rslPush){ 0 };
}

rslStatus rslState_Copy(rslState* to, const rslState* from)
{
    RSL_ASSERT(to->precision == from->precision && to->nodeCount == from->nodeCount &&
               to->bodyCount == from->bodyCount && (to->carried[0] == NULL) == (from->carried[0] == NULL) &&
               to->pushCount == from->pushCount);
    if (rslState_Reserve(to, from->touchedCount) != rsl_ok)
    {
        return rsl_outOfMemory;
    }
    size_t bytes = (size_t)from->nodeCount * (size_t)from->precision;
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(to->displacement[axis], from->displacement[axis], bytes);
        memcpy(to->velocity[axis], from->velocity[axis], bytes);
    }
    rslState_CopyRest(to, from);
    return rsl_ok;
}

void rslState_CopyRest(rslState* to, const rslState* from)
{
    size_t bytes = (size_t)from->nodeCount * (size_t)from->precision;
    CopyTouches(to, from);
    for (int c = 0; from->carried[0] != NULL && c < 2; ++c)
    {
        memcpy(to->carried[c], from->carried[c], bytes);
    }
    memcpy(to->frames, from->frames, (size_t)from->bodyCount * sizeof(rslFrame));
    to->stepCount = from->stepCount;
    to->step = from->step;
    to->account = from->account;
    to->guard = from->guard;
    to->fingerprint = from->fingerprint;
}

// ---- in the world -----------------------------------------------------------------------------------------------------

typedef rslVec3 NodeReader(const rslState* state, const rslFrame* frame, const rslMat3* rotation, const double* rest,
                           int node);

static rslVec3 PositionOf(const rslState* state, const rslFrame* frame, const rslMat3* rotation, const double* X,
                          int node)
{
    rslVec3 y = rslAdd((rslVec3){ X[0], X[1], X[2] }, rslState_Get3(state, state->displacement, node));
    return rslAdd(frame->origin, rslMatVec(rotation, y));
}

static rslVec3 VelocityOf(const rslState* state, const rslFrame* frame, const rslMat3* rotation, const double* X,
                          int node)
{
    (void)X;
    return rslAdd(frame->velocity, rslMatVec(rotation, rslState_Get3(state, state->velocity, node)));
}

static void ReadNodes(const rslModel* model, const rslState* state, int begin, int end, NodeReader* reader, double* xyz)
{
    RSL_ASSERT(0 <= begin && begin <= end && end <= model->nodeCount);
    double rest[BLOCK][3];
    while (begin < end)
    {
        int index = rslModel_BodyOf(model, begin);
        const rslBody* body = &model->bodies[index];
        const rslFrame* frame = &state->frames[index];
        rslMat3 rotation = rslQuatMatrix(frame->rotation);
        int last = body->firstNode + body->nodeCount < end ? body->firstNode + body->nodeCount : end;
        last = begin + BLOCK < last ? begin + BLOCK : last;
        rslBody_Rest(body, begin, last, rest[0]);
        for (int i = begin; i < last; ++i, xyz += 3)
        {
            rslVec3 value = reader(state, frame, &rotation, rest[i - begin], i);
            xyz[0] = value.x;
            xyz[1] = value.y;
            xyz[2] = value.z;
        }
        begin = last;
    }
}

void rslState_Positions(const rslModel* model, const rslState* state, int begin, int end, double* xyz)
{
    ReadNodes(model, state, begin, end, PositionOf, xyz);
}

void rslState_Velocities(const rslModel* model, const rslState* state, int begin, int end, double* xyz)
{
    ReadNodes(model, state, begin, end, VelocityOf, xyz);
}

void rslState_SetPosition(const rslModel* model, rslState* state, int node, rslVec3 position)
{
    RSL_ASSERT(0 <= node && node < model->nodeCount);
    int index = rslModel_BodyOf(model, node);
    const rslFrame* frame = &state->frames[index];
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    double X[3];
    rslBody_Rest(&model->bodies[index], node, node + 1, X);
    rslVec3 y = rslMatTVec(&rotation, rslSub(position, frame->origin));
    rslState_Put3(state, state->displacement, node, rslSub(y, (rslVec3){ X[0], X[1], X[2] }));
}

void rslState_SetVelocity(const rslModel* model, rslState* state, int node, rslVec3 velocity)
{
    RSL_ASSERT(0 <= node && node < model->nodeCount);
    const rslFrame* frame = &state->frames[rslModel_BodyOf(model, node)];
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    rslState_Put3(state, state->velocity, node, rslMatTVec(&rotation, rslSub(velocity, frame->velocity)));
}

static void PlaceVertices(const rslModel* model, const rslState* state, int index, const rslSurface* surface,
                          double* xyz)
{
    const rslBody* body = &model->bodies[index];
    const rslFrame* frame = &state->frames[index];
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    for (int v = 0; v < surface->vertexCount; ++v)
    {
        rslVec3 sum = { 0 };
        for (int e = 8 * v; e < 8 * (v + 1); ++e)
        {
            double X[3], weight = surface->stencilWeights[e];
            int node = surface->stencilNodes[e];
            if (weight != 0.0)
            {
                rslBody_Rest(body, node, node + 1, X);
                rslVec3 y = rslAdd((rslVec3){ X[0], X[1], X[2] }, rslState_Get3(state, state->displacement, node));
                sum = rslMulAdd(sum, weight, y);
            }
        }
        rslVec3 x = rslAdd(frame->origin, rslMatVec(&rotation, sum));
        xyz[3 * v] = x.x;
        xyz[3 * v + 1] = x.y;
        xyz[3 * v + 2] = x.z;
    }
}

void rslState_Surface(const rslModel* model, const rslState* state, int index, double* xyz)
{
    PlaceVertices(model, state, index, &model->bodies[index].surface, xyz);
}

const rslSurface* rslBody_Drawn(const rslBody* body)
{
    return body->drawn.vertexCount > 0 ? &body->drawn : &body->surface;
}

void rslState_Drawn(const rslModel* model, const rslState* state, int index, double* xyz)
{
    PlaceVertices(model, state, index, rslBody_Drawn(&model->bodies[index]), xyz);
}

uint64_t rslState_Hash(const rslState* state)
{
    static const rslVec3 still;
    uint64_t hash = rslHash_Word(RSL_HASH_START, state->stepCount);
    hash = rslHash_Double(hash, state->step);
    hash = state->guard.wary > 0 ? rslHash_Word(rslHash_Word(hash, state->guard.wary), state->guard.level) : hash;
    bool other = state->guard.last > 0.0 && state->guard.last != state->step;
    hash = other ? rslHash_Double(hash, state->guard.last) : hash;
    for (int b = 0; b < state->bodyCount; ++b)
    {
        const rslFrame* frame = &state->frames[b];
        hash = rslHash_Vec3(hash, frame->origin);
        hash = rslHash_Vec3(hash, frame->velocity);
        hash = rslHash_Double(hash, frame->rotation.w);
        hash = rslHash_Vec3(hash, (rslVec3){ frame->rotation.x, frame->rotation.y, frame->rotation.z });
        bool spins = memcmp(&frame->momentum, &still, sizeof still) != 0;
        hash = spins ? rslHash_Vec3(hash, frame->momentum) : hash;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < state->nodeCount; ++i)
        {
            hash = rslHash_Double(hash, rslState_Get(state, state->displacement, axis, i));
            hash = rslHash_Double(hash, rslState_Get(state, state->velocity, axis, i));
        }
    }
    for (int i = 0; state->carried[0] != NULL && i < state->nodeCount; ++i)
    {
        hash = rslHash_Double(hash, rslState_Get(state, state->carried, 0, i));
        hash = rslHash_Double(hash, rslState_Get(state, state->carried, 1, i));
    }
    for (int t = 0; t < state->touchedCount; ++t)
    {
        const rslTouched* touched = &state->touched[t];
        hash = rslHash_Word(rslHash_Word(hash, touched->key[0]), touched->key[1]);
        hash = rslHash_Word(rslHash_Word(hash, touched->key[2]), touched->key[3]);
        hash = rslHash_Doubles(hash, touched->kept, 3);
    }
    return hash;
}
