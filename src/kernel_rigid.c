// SPDX-License-Identifier: MIT
//
// kernel_rigid.c: see kernel_rigid.h.
//
// A kick by the sum F of all forces and their torque T about the centre of mass:  V += h F / M,  L += h T. It leaves places
// alone, so that the work of a load f at x in it is f.(v + dv / 2), with v and dv those of the body at x.
// A drift is free flight (top.c). Both are exact flows, so that the integrators keep their order.

#include "kernel_rigid.h"

#include "top.h"

#include <string.h>

// ---- making ---------------------------------------------------------------------------------------------------------

static bool MakeWelds(Kernel* kernel, RigidKernel* rigids, int count)
{
    const rslModel* model = kernel->model;
    rigids->welds = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)count, sizeof(Weld));
    rigids->weldOf = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount, sizeof(int));
    if (rigids->welds == NULL || rigids->weldOf == NULL)
    {
        return false;
    }
    for (int i = 0; i < kernel->nodeCount; ++i)
    {
        rigids->weldOf[i] = -1;
    }
    for (int r = 0, at = 0; r < rigids->count; ++r)
    {
        RigidBody* rigid = &rigids->bodies[r];
        rigid->weldBegin = at;
        for (int w = 0; w < rigid->def->weldCount; ++w, ++at)
        {
            const double* place = &rigid->def->places[3 * (size_t)w];
            Weld* weld = &rigids->welds[at];
            weld->node = rigid->def->welded[w];
            weld->body = rslModel_BodyOf(model, weld->node);
            weld->rest = RSL_NAME(rslKernel_RestOf)(kernel, weld->body, weld->node);
            weld->place = (rslVec3){ place[0], place[1], place[2] };
            rigids->weldOf[weld->node] = at;
        }
        rigid->weldEnd = at;
    }
    return true;
}

bool RSL_NAME(rslRigids_Make)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    if (model->rigidCount == 0)
    {
        return true;
    }
    RigidKernel* rigids = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(RigidKernel));
    if (rigids == NULL)
    {
        return false;
    }
    kernel->rigids = rigids;
    rigids->count = model->rigidCount;
    rigids->bodies = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)rigids->count, sizeof(RigidBody));
    rigids->sums = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount, sizeof *rigids->sums);
    if (rigids->bodies == NULL || rigids->sums == NULL)
    {
        return false;
    }
    int welds = 0;
    for (int r = 0; r < rigids->count; ++r)
    {
        RigidBody* rigid = &rigids->bodies[r];
        const rslBody* body = &model->bodies[model->rigids[r].body];
        rigid->def = &model->rigids[r];
        rigid->chunkBegin = ChunkOf(kernel, body->firstNode)->index;
        rigid->chunkEnd = ChunkOf(kernel, body->firstNode + body->nodeCount - 1)->index + 1;
        welds += rigid->def->weldCount;
    }
    return welds == 0 || MakeWelds(kernel, rigids, welds);
}

// ---- forces ---------------------------------------------------------------------------------------------------------

static void AddForce(Wrench* sum, rslVec3 arm, rslVec3 force)
{
    sum->force = rslAdd(sum->force, force);
    sum->torque = rslAdd(sum->torque, rslCross(arm, force));
}

static const RigidBody* BodyOfChunk(const Kernel* kernel, const Chunk* chunk)
{
    const RigidBody* rigid = kernel->rigids->bodies;
    while (rigid->def->body != chunk->body)
    {
        ++rigid;
    }
    return rigid;
}

void RSL_NAME(rslRigids_SumChunk)(Kernel* kernel, const Chunk* chunk, Real (*before)[CHUNK])
{
    rslVec3 centre = BodyOfChunk(kernel, chunk)->def->centre;
    double rest[CHUNK][3];
    RSL_NAME(rslKernel_Rest)(kernel, chunk, rest);
    Wrench* sums = kernel->rigids->sums[chunk->index];
    memset(sums, 0, sizeof kernel->rigids->sums[0]);
    for (int n = 0, i = chunk->begin; i < chunk->end; ++n, ++i)
    {
        rslVec3 f = { (double)kernel->force[0][i], (double)kernel->force[1][i], (double)kernel->force[2][i] };
        rslVec3 arm = rslSub((rslVec3){ rest[n][0], rest[n][1], rest[n][2] }, centre);
        f.z = kernel->model->plane == rsl_planeXY ? 0.0 : f.z;
        AddForce(&sums[0], arm, f);
        if (before != NULL)
        {
            rslVec3 b = { (double)before[0][n], (double)before[1][n], (double)before[2][n] };
            AddForce(&sums[1], arm, rslSub(f, b));
        }
    }
}

static void AddWelds(const Kernel* kernel, const rslMat3* rotation, RigidBody* rigid)
{
    for (int w = rigid->weldBegin; w < rigid->weldEnd; ++w)
    {
        const Weld* weld = &kernel->rigids->welds[w];
        int i = weld->node;
        rslVec3 f = { (double)kernel->force[0][i], (double)kernel->force[1][i], (double)kernel->force[2][i] };
        rslVec3 arm = rslMatVec(rotation, rslSub(weld->place, rigid->def->centre));
        AddForce(&rigid->all, arm, rslMatVec(&kernel->frames[weld->body].rotation, f));
        AddForce(&rigid->loads, arm, weld->load);
    }
}

static Wrench Turned(const rslMat3* rotation, Wrench a)
{
    return (Wrench){ rslMatVec(rotation, a.force), rslMatVec(rotation, a.torque) };
}

// F.(dV / 2) + T.(dspin / 2) of the loads, and from the velocities that the kick starts at.
static double LoadPower(const RigidBody* rigid, const View* view, bool restarts)
{
    const rslFrame* frame = &view->frames[rigid->def->body];
    rslVec3 velocity = rslScale(0.5 * view->kick / rigid->def->mass, rigid->all.force);
    rslVec3 spin = rslTop_Divide(rigid->def, frame, rslScale(0.5 * view->kick, rigid->all.torque));
    if (restarts)
    {
        velocity = rslAdd(velocity, rslSub(rigid->kept.velocity, frame->velocity));
        spin = rslAdd(spin, rslTop_Divide(rigid->def, frame, rslSub(rigid->kept.momentum, frame->momentum)));
    }
    return rslDot(rigid->loads.force, velocity) + rslDot(rigid->loads.torque, spin);
}

double RSL_NAME(rslRigids_Sum)(Kernel* kernel, const View* view)
{
    RigidKernel* rigids = kernel->rigids;
    double power = 0.0;
    for (int r = 0; r < rigids->count; ++r)
    {
        RigidBody* rigid = &rigids->bodies[r];
        const rslMat3* rotation = &kernel->frames[rigid->def->body].rotation;
        Wrench sums[2];
        memset(sums, 0, sizeof sums);
        for (int c = rigid->chunkBegin; c < rigid->chunkEnd; ++c)
        {
            for (int s = 0; s < 2; ++s)
            {
                sums[s].force = rslAdd(sums[s].force, rigids->sums[c][s].force);
                sums[s].torque = rslAdd(sums[s].torque, rigids->sums[c][s].torque);
            }
        }
        rigid->all = Turned(rotation, sums[0]);
        rigid->loads = Turned(rotation, sums[1]);
        AddWelds(kernel, rotation, rigid);
        bool restarts = view->from[0] != view->w[0];
        power += rigid->def->constraint < 0 && view->kick > 0.0 ? LoadPower(rigid, view, restarts) : 0.0;
    }
    return power;
}

// ---- moves ----------------------------------------------------------------------------------------------------------

// w = R^T (spin x R (X - C)) = (R^T spin) x (X - C)
static void SpreadChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    if (!kernel->bodies[chunk->body].rigid)
    {
        return;
    }
    const rslRigid* rigid = BodyOfChunk(kernel, chunk)->def;
    const rslFrame* frame = &view->frames[chunk->body];
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    rslVec3 spin = rslMatTVec(&rotation, rslTop_Spin(rigid, frame));
    double rest[CHUNK][3];
    RSL_NAME(rslKernel_Rest)(kernel, chunk, rest);
    for (int n = 0, i = chunk->begin; i < chunk->end; ++n, ++i)
    {
        rslVec3 w = rslCross(spin, rslSub((rslVec3){ rest[n][0], rest[n][1], rest[n][2] }, rigid->centre));
        view->w[0][i] = (Real)w.x;
        view->w[1][i] = (Real)w.y;
        view->w[2][i] = (Real)w.z;
    }
}

static void SpreadWeld(const Kernel* kernel, const View* view, const RigidBody* rigid, const Weld* weld, bool place)
{
    const rslFrame* frame = &view->frames[rigid->def->body];
    const FrameView* own = &kernel->frames[weld->body];
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    rslVec3 arm = rslMatVec(&rotation, rslSub(weld->place, rigid->def->centre));
    rslVec3 v = rslAdd(frame->velocity, rslCross(rslTop_Spin(rigid->def, frame), arm));
    rslVec3 w = rslMatTVec(&own->rotation, rslSub(v, own->velocity));
    view->w[0][weld->node] = (Real)w.x;
    view->w[1][weld->node] = (Real)w.y;
    view->w[2][weld->node] = (Real)w.z;
    if (place)
    {
        rslVec3 x = rslAdd(frame->origin, rslMatVec(&rotation, weld->place));
        rslVec3 u = rslSub(rslMatTVec(&own->rotation, rslSub(x, own->origin)), weld->rest);
        view->u[0][weld->node] = (Real)u.x;
        view->u[1][weld->node] = (Real)u.y;
        view->u[2][weld->node] = (Real)u.z;
    }
}

static void Spread(Kernel* kernel, const View* view, bool place)
{
    RSL_NAME(rslKernel_ForChunksLight)(kernel, view, SpreadChunk, NULL);
    for (int r = 0; r < kernel->rigids->count; ++r)
    {
        const RigidBody* rigid = &kernel->rigids->bodies[r];
        for (int w = rigid->weldBegin; w < rigid->weldEnd; ++w)
        {
            SpreadWeld(kernel, view, rigid, &kernel->rigids->welds[w], place);
        }
    }
}

void RSL_NAME(rslRigids_Drift)(Kernel* kernel, const View* view, double time)
{
    for (int r = 0; kernel->rigids != NULL && r < kernel->rigids->count; ++r)
    {
        const rslRigid* rigid = kernel->rigids->bodies[r].def;
        if (rigid->constraint < 0)
        {
            rslTop_Drift(rigid, &view->frames[rigid->body], time);
        }
    }
}

void RSL_NAME(rslRigids_Kick)(Kernel* kernel, const View* view, double time)
{
    if (kernel->rigids == NULL)
    {
        return;
    }
    for (int r = 0; r < kernel->rigids->count; ++r)
    {
        const RigidBody* rigid = &kernel->rigids->bodies[r];
        rslFrame* frame = &view->frames[rigid->def->body];
        if (rigid->def->constraint < 0)
        {
            frame->velocity = rslMulAdd(frame->velocity, time / rigid->def->mass, rigid->all.force);
            frame->momentum = rslMulAdd(frame->momentum, time, rigid->all.torque);
        }
    }
    Spread(kernel, view, false);
}

void RSL_NAME(rslRigids_Keep)(Kernel* kernel, const View* view)
{
    for (int r = 0; kernel->rigids != NULL && r < kernel->rigids->count; ++r)
    {
        RigidBody* rigid = &kernel->rigids->bodies[r];
        rigid->kept = view->frames[rigid->def->body];
    }
}

void RSL_NAME(rslRigids_Restore)(Kernel* kernel, const View* view)
{
    for (int r = 0; kernel->rigids != NULL && r < kernel->rigids->count; ++r)
    {
        const RigidBody* rigid = &kernel->rigids->bodies[r];
        rslFrame* frame = &view->frames[rigid->def->body];
        frame->velocity = rigid->kept.velocity;
        frame->momentum = rigid->kept.momentum;
    }
}

void RSL_NAME(rslRigids_Place)(Kernel* kernel, const View* view, double time, double step)
{
    if (kernel->rigids == NULL)
    {
        return;
    }
    for (int r = 0; r < kernel->rigids->count; ++r)
    {
        const rslRigid* rigid = kernel->rigids->bodies[r].def;
        rslFrame* frame = &view->frames[rigid->body];
        if (rigid->constraint >= 0)
        {
            Pose pose = RSL_NAME(rslKernel_PoseAt)(kernel, rigid, time, step);
            *frame = pose.frame;
            frame->momentum = rslTop_Times(rigid, frame, pose.spin);
        }
        RSL_NAME(rslKernel_Aim)(kernel, rigid->body, frame, 0.0);
    }
    Spread(kernel, view, true);
}

// ---- energy ---------------------------------------------------------------------------------------------------------

double RSL_NAME(rslRigids_Energy)(const Kernel* kernel, const View* view)
{
    double sum = 0.0;
    for (int r = 0; kernel->rigids != NULL && r < kernel->rigids->count; ++r)
    {
        const rslRigid* rigid = kernel->rigids->bodies[r].def;
        const rslFrame* frame = &view->frames[rigid->body];
        rslVec3 spin = rslTop_Spin(rigid, frame);
        sum += 0.5 * rslDot(spin, rslTop_Hidden(rigid, frame, spin));
    }
    return sum;
}

double RSL_NAME(rslRigids_Motion)(const Kernel* kernel, const rslState* state, double count, bool kinetic)
{
    double sum = 0.0;
    for (int r = 0; kernel->rigids != NULL && r < kernel->rigids->count; ++r)
    {
        const RigidBody* rigid = &kernel->rigids->bodies[r];
        int held = rigid->def->constraint;
        if (held < 0 || kernel->model->constraints[held].type != rsl_motionConstraint)
        {
            continue;
        }
        Pose pose = RSL_NAME(rslKernel_PoseAt)(kernel, rigid->def, count * state->step, state->step);
        rslVec3 v = pose.frame.velocity, momentum = rslTop_Times(rigid->def, &pose.frame, pose.spin);
        sum += kinetic ? 0.5 * (rigid->def->mass * rslDot(v, v) + rslDot(momentum, pose.spin))
                       : rslDot(rigid->all.force, v) + rslDot(rigid->all.torque, pose.spin);
    }
    return sum;
}
