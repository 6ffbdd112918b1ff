// SPDX-License-Identifier: MIT
//
// transfer.c: a state of one level of detail becomes one of another (lod.h).
//
// A node of the new level lies at X in the frame of the new body, at X + s in that of the old one: s = Q^T (o' - o), o the origins
// of the frames at rest, Q their rotation. Embedded there (host.h) it has weights W_j over nodes of the old level, and
//     c' = c + R s,  R' = R,  V' = V,  u' = sum W_j u_j,  w' = sum W_j w_j.
// Interpolation keeps rigid and affine motions, but not sums over masses exactly. With y = X + u, the centre and the mean velocity
// of the old level are put back by a shift of u' and of w', its angular momentum l about the centre by a turn,
//     w' += a x (y' - centre),  I a = l - l',  I = sum m (|d|^2 - d d^T).
// Nodes that are held go where they are held; then nothing is put back.

#include "level.h"

#include "host.h"
#include "memory.h"
#include "rigid_part.h"
#include "state_internal.h"

#include <math.h>
#include <string.h>

typedef struct Carry
{
    bool copied;      // the body is the same in both
    bool held;        // some of its nodes are
    rslVec3 shift;    // s
    int* nodes;       // RSL_STENCIL_MOST a node, of the old model
    double* weights;  // likewise
} Carry;

struct rslTransfer
{
    const rslModel *from, *to;
    Carry* bodies;
    rslHooks hooks;
};

// ---- making ---------------------------------------------------------------------------------------------------------

static rslVec3 RestOf(const rslBody* body, int node)
{
    double X[3];
    rslBody_Rest(body, node, node + 1, X);
    return (rslVec3){ X[0], X[1], X[2] };
}

static bool SameRest(const rslBody* a, const rslBody* b)
{
    bool same = a->nodeCount == b->nodeCount && memcmp(&a->frame, &b->frame, sizeof a->frame) == 0;
    for (int i = 0; same && i < a->nodeCount; ++i)
    {
        rslVec3 x = RestOf(a, a->firstNode + i), y = RestOf(b, b->firstNode + i);
        same = memcmp(&x, &y, sizeof x) == 0;
    }
    return same;
}

static bool IsHeld(const rslModel* model, const rslBody* body)
{
    bool held = false;
    for (int c = 0; !held && c < model->constraintCount; ++c)
    {
        const rslConstraint* constraint = &model->constraints[c];
        for (int i = 0; !held && i < constraint->nodeCount; ++i)
        {
            int node = constraint->nodes[i] - body->firstNode;
            held = node >= 0 && node < body->nodeCount;
        }
    }
    return held;
}

static rslStatus Embed(rslTransfer* transfer, const rslBody* from, const rslBody* to, Carry* carry)
{
    const size_t most = RSL_STENCIL_MOST;
    rslHost host;
    carry->nodes = rslAllocate(&transfer->hooks, most * (size_t)to->nodeCount, sizeof(int));
    carry->weights = rslAllocate(&transfer->hooks, most * (size_t)to->nodeCount, sizeof(double));
    if (carry->nodes == NULL || carry->weights == NULL)
    {
        return rsl_outOfMemory;
    }
    rslStatus status = rslHost_Make(&host, from, &transfer->hooks);
    for (size_t i = 0; status == rsl_ok && i < (size_t)to->nodeCount; ++i)
    {
        rslVec3 X = rslAdd(RestOf(to, to->firstNode + (int)i), carry->shift);
        status = rslHost_Embed(&host, X, carry->nodes + most * i, carry->weights + most * i);
    }
    rslHost_Free(&host);
    return status;
}

static rslStatus MakeCarry(rslTransfer* transfer, int b)
{
    const rslBody *from = &transfer->from->bodies[b], *to = &transfer->to->bodies[b];
    Carry* carry = &transfer->bodies[b];
    rslMat3 rest = rslQuatMatrix(from->frame.rotation);
    carry->copied = SameRest(from, to);
    carry->held = IsHeld(transfer->to, to) || rslModel_Rigid(transfer->to, b) != NULL;
    carry->shift = rslMatTVec(&rest, rslSub(to->frame.origin, from->frame.origin));
    return carry->copied ? rsl_ok : Embed(transfer, from, to, carry);
}

// The same bodies in the same order, turned alike at rest.
static const char* FindStranger(const rslModel* from, const rslModel* to)
{
    const char* stranger = from->bodyCount == to->bodyCount ? NULL : "the numbers of bodies differ";
    for (int b = 0; stranger == NULL && b < from->bodyCount; ++b)
    {
        const rslBody *x = &from->bodies[b], *y = &to->bodies[b];
        bool same = strcmp(x->name, y->name) == 0 && x->kind == y->kind && x->model == y->model;
        same = same && memcmp(&x->frame.rotation, &y->frame.rotation, sizeof x->frame.rotation) == 0;
        stranger = same ? NULL : y->name;
    }
    return stranger;
}

rslStatus rslTransfer_Create(const rslModel* from, const rslModel* to, const rslHooks* hooks, rslTransfer** out,
                             rslReport* report)
{
    rslHooks complete = rslHooks_Complete(hooks);
    const char* stranger = FindStranger(from, to);
    *out = NULL;
    if (stranger != NULL)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "the models are not levels of detail of the same bodies: %s",
                      stranger);
        return rsl_badInput;
    }
    rslTransfer* transfer = rslAllocate(&complete, 1, sizeof(rslTransfer));
    if (transfer == NULL)
    {
        return rsl_outOfMemory;
    }
    *transfer = (rslTransfer){ .from = from, .to = to, .hooks = complete };
    transfer->bodies = rslAllocate(&complete, (size_t)to->bodyCount, sizeof(Carry));
    rslStatus status = transfer->bodies != NULL ? rsl_ok : rsl_outOfMemory;
    for (int b = 0; status == rsl_ok && b < to->bodyCount; ++b)
    {
        status = MakeCarry(transfer, b);
    }
    if (status != rsl_ok)
    {
        rslTransfer_Free(transfer);
        return status;
    }
    *out = transfer;
    return rsl_ok;
}

void rslTransfer_Free(rslTransfer* transfer)
{
    if (transfer == NULL)
    {
        return;
    }
    for (int b = 0; transfer->bodies != NULL && b < transfer->to->bodyCount; ++b)
    {
        rslRelease(&transfer->hooks, transfer->bodies[b].nodes);
        rslRelease(&transfer->hooks, transfer->bodies[b].weights);
    }
    rslHooks hooks = transfer->hooks;
    rslRelease(&hooks, transfer->bodies);
    rslRelease(&hooks, transfer);
}

// ---- what is kept ---------------------------------------------------------------------------------------------------

static void PutBack(const rslTransfer* transfer, int b, const rslState* from, rslState* to)
{
    const rslBody* body = &transfer->to->bodies[b];
    rslRigidPart old = rslRigidPart_Of(transfer->from, from, &transfer->from->bodies[b]);
    rslRigidPart now = rslRigidPart_Of(transfer->to, to, body);
    rslVec3 shift = rslSub(rslSub(old.centre, transfer->bodies[b].shift), now.centre);
    rslVec3 push = rslSub(old.velocity, now.velocity);
    rslVec3 turn = rslLevel_Solve(now.inertia, rslSub(old.spin, now.spin));
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        rslVec3 u = rslState_Get3(to, to->displacement, i), w = rslState_Get3(to, to->velocity, i);
        rslVec3 arm = rslSub(rslBody_PlaceOf(body, to, i), now.centre);
        rslState_Put3(to, to->displacement, i, rslAdd(u, shift));
        rslState_Put3(to, to->velocity, i, rslAdd(rslAdd(w, push), rslCross(turn, arm)));
    }
}

// ---- applying -------------------------------------------------------------------------------------------------------

static void Put(const rslState* state, void* array, int node, double value)
{
    if (state->precision == rsl_single)
    {
        ((float*)array)[node] = (float)value;
    }
    else
    {
        ((double*)array)[node] = value;
    }
}

// One array of a body by its stencils, or as it is.
static void Interpolate(const rslTransfer* transfer, int b, const rslState* from, void* const* old, const rslState* to,
                        void* const* now)
{
    const rslBody* body = &transfer->to->bodies[b];
    const Carry* carry = &transfer->bodies[b];
    int first = transfer->from->bodies[b].firstNode;
    for (int i = 0; i < body->nodeCount; ++i)
    {
        double sum = carry->copied ? rslState_Get(from, old, 0, first + i) : 0.0;
        for (int e = 0; !carry->copied && e < RSL_STENCIL_MOST; ++e)
        {
            size_t at = (size_t)i * RSL_STENCIL_MOST + (size_t)e;
            sum += carry->weights[at] * rslState_Get(from, old, 0, carry->nodes[at]);
        }
        Put(to, now[0], body->firstNode + i, sum);
    }
}

static void CarryBody(const rslTransfer* transfer, int b, const rslState* from, rslState* to)
{
    const Carry* carry = &transfer->bodies[b];
    rslMat3 rotation = rslQuatMatrix(from->frames[b].rotation);
    to->frames[b] = from->frames[b];
    to->frames[b].origin = rslAdd(from->frames[b].origin, rslMatVec(&rotation, carry->shift));
    for (int axis = 0; axis < 3; ++axis)
    {
        Interpolate(transfer, b, from, &from->displacement[axis], to, &to->displacement[axis]);
        Interpolate(transfer, b, from, &from->velocity[axis], to, &to->velocity[axis]);
    }
    for (int c = 0; c < 2 && from->carried[c] != NULL && to->carried[c] != NULL; ++c)
    {
        Interpolate(transfer, b, from, &from->carried[c], to, &to->carried[c]);
    }
    if (!carry->copied && !carry->held)
    {
        PutBack(transfer, b, from, to);
    }
}

// What would have collapsed elements is less deformed; where it is and how it moves stays.
static rslStatus Stand(const rslTransfer* transfer, const rslState* from, rslState* to)
{
    const rslModel* model = transfer->to;
    size_t count = (size_t)model->bodyCount;
    bool* may = rslAllocate(&transfer->hooks, count, sizeof(bool));
    double* shares = rslAllocate(&transfer->hooks, count, sizeof(double));
    bool any = false;
    rslStatus status = may != NULL && shares != NULL ? rsl_ok : rsl_outOfMemory;
    for (int b = 0; status == rsl_ok && b < model->bodyCount; ++b)
    {
        may[b] = !transfer->bodies[b].copied && rslModel_Rigid(model, b) == NULL;
        shares[b] = 1.0;
        any = any || may[b];
    }
    status = any ? rslLevel_Stand(model, to, may, shares, &transfer->hooks) : status;
    for (int b = 0; status == rsl_ok && b < model->bodyCount; ++b)
    {
        if (shares[b] < 1.0 && !transfer->bodies[b].held)
        {
            PutBack(transfer, b, from, to);
        }
    }
    rslRelease(&transfer->hooks, may);
    rslRelease(&transfer->hooks, shares);
    return status;
}

// The same time as a whole number of steps.
static void SetClock(const rslState* from, rslState* to, double step)
{
    double time = rslState_Time(from);
    to->stepCount = from->stepCount;
    to->step = from->step;
    if (step > 0.0)
    {
        // a time that is whole up to rounding stays so
        double count = ceil(time / step * (1.0 - 1e-12));
        to->stepCount = (uint64_t)count;
        to->step = count > 0.0 ? time / count : step;
    }
}

rslStatus rslTransfer_Apply(const rslTransfer* transfer, const rslState* from, rslState* to, double step)
{
    if (from->fingerprint != transfer->from->fingerprint || to->fingerprint != transfer->to->fingerprint ||
        from->precision != to->precision)
    {
        return rsl_mismatch;
    }
    for (int b = 0; b < to->bodyCount; ++b)
    {
        CarryBody(transfer, b, from, to);
    }
    rslStatus status = Stand(transfer, from, to);
    SetClock(from, to, step);
    // what touches is found by features of surfaces that the new level does not have
    to->touchedCount = 0;
    for (int i = 0; i < to->pushCount && i < from->pushCount; ++i)
    {
        to->pushes[i] = from->pushes[i];
    }
    to->account = (rslAccount){ 0 };
    to->guard = from->guard;
    to->guard.wary = to->guard.level = 0;
    to->guard.last = 0.0;
    return status;
}
