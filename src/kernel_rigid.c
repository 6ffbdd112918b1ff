// SPDX-License-Identifier: MIT
//
// kernel_rigid.c: rigid bodies as a kernel sees them, the forces on them, their energy (see kernel_rigid.h).
//
// A kick leaves places alone, so that the work of a load f at x in it is f.(v + dv / 2), with v and dv those of the body at x.

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
            weld->rigid = r;
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
    rigids->ofBody = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->bodyCount, sizeof(int));
    if (rigids->bodies == NULL || rigids->sums == NULL || rigids->ofBody == NULL)
    {
        return false;
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        rigids->ofBody[b] = -1;
    }
    int welds = 0;
    for (int r = 0; r < rigids->count; ++r)
    {
        RigidBody* rigid = &rigids->bodies[r];
        const rslBody* body = &model->bodies[model->rigids[r].body];
        rigid->def = &model->rigids[r];
        rigids->ofBody[rigid->def->body] = r;
        rigid->chunkBegin = ChunkOf(kernel, body->firstNode)->index;
        rigid->chunkEnd = ChunkOf(kernel, body->firstNode + body->nodeCount - 1)->index + 1;
        welds += rigid->def->weldCount;
    }
    rigids->ahead = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->bodyCount, sizeof(rslFrame));
    rigids->held = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)rigids->count, sizeof(rslAcceleration));
    rigids->forces = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)rigids->count, sizeof(rslWrench));
    rigids->holders = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)rigids->count, sizeof(rslWrench));
    rigids->reactions = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->jointCount + 1, sizeof(rslWrench));
    return rigids->ahead != NULL && rigids->held != NULL && rigids->forces != NULL && rigids->holders != NULL &&
           rigids->reactions != NULL && rslJoints_Make(&rigids->joints, model, &kernel->arena) &&
           (welds == 0 || MakeWelds(kernel, rigids, welds));
}

// ---- forces ---------------------------------------------------------------------------------------------------------

static void AddForce(Wrench* sum, rslVec3 arm, rslVec3 force)
{
    sum->force = rslAdd(sum->force, force);
    sum->torque = rslAdd(sum->torque, rslCross(arm, force));
}

static rslVec3 DragOn(const Kernel* kernel, int i)
{
    rslVec3 f = VectorAt(kernel->drag, i);
    f.z = kernel->model->plane == rsl_planeXY ? 0.0 : f.z;
    return f;
}

void RSL_NAME(rslRigids_SumChunk)(Kernel* kernel, const Chunk* chunk, Real (*before)[CHUNK])
{
    rslVec3 centre = RigidOfBody(kernel, chunk->body)->def->centre;
    double rest[CHUNK][3];
    RSL_NAME(rslKernel_Rest)(kernel, chunk, rest);
    Wrench* sums = kernel->rigids->sums[chunk->index];
    memset(sums, 0, sizeof kernel->rigids->sums[0]);
    for (int n = 0, i = chunk->begin; i < chunk->end; ++n, ++i)
    {
        rslVec3 f = VectorAt(kernel->force, i);
        rslVec3 arm = rslSub((rslVec3){ rest[n][0], rest[n][1], rest[n][2] }, centre);
        f.z = kernel->model->plane == rsl_planeXY ? 0.0 : f.z;
        AddForce(&sums[0], arm, f);
        if (before != NULL)
        {
            rslVec3 b = { (double)before[0][n], (double)before[1][n], (double)before[2][n] };
            AddForce(&sums[1], arm, rslSub(f, b));
        }
        if (kernel->drag[0] != NULL)
        {
            AddForce(&sums[2], arm, DragOn(kernel, i));
        }
    }
}

static void AddWelds(const Kernel* kernel, const rslMat3* rotation, RigidBody* rigid)
{
    for (int w = rigid->weldBegin; w < rigid->weldEnd; ++w)
    {
        const Weld* weld = &kernel->rigids->welds[w];
        int i = weld->node;
        rslVec3 f = VectorAt(kernel->force, i);
        rslVec3 arm = rslMatVec(rotation, rslSub(weld->place, rigid->def->centre));
        AddForce(&rigid->all, arm, rslMatVec(&kernel->frames[weld->body].rotation, f));
        AddForce(&rigid->loads, arm, weld->load);
        if (kernel->drag[0] != NULL)
        {
            AddForce(&rigid->drag, arm, rslMatVec(&kernel->frames[weld->body].rotation, DragOn(kernel, i)));
        }
    }
}

static Wrench Turned(const rslMat3* rotation, Wrench a)
{
    return (Wrench){ rslMatVec(rotation, a.force), rslMatVec(rotation, a.torque) };
}

static bool HasLoad(const RigidBody* rigid)
{
    return rslDot(rigid->loads.force, rigid->loads.force) + rslDot(rigid->loads.torque, rigid->loads.torque) > 0.0;
}

void RSL_NAME(rslRigid_KickFrame)(const RigidBody* rigid, rslFrame* frame, double time)
{
    if (rigid->def->constraint < 0)
    {
        frame->velocity = rslMulAdd(frame->velocity, time / rigid->def->mass, rigid->all.force);
        frame->momentum = rslMulAdd(frame->momentum, time, rigid->all.torque);
    }
}

// f.(v + dv / 2) - f.v of the loads on free bodies: terms have counted f.v with the velocities of the view. The kick starts
// from those set aside if it restarts, and ends as joints allow.
static double LoadPower(Kernel* kernel, const View* view)
{
    RigidKernel* rigids = kernel->rigids;
    rslFrame* trial = rigids->joints.trial;
    bool restarts = view->from[0] != view->w[0];
    double power = 0.0;
    for (int r = 0; r < rigids->count; ++r)
    {
        const RigidBody* rigid = &rigids->bodies[r];
        rslFrame* frame = &trial[rigid->def->body];
        *frame = view->frames[rigid->def->body];
        frame->velocity = restarts ? rigid->kept.velocity : frame->velocity;
        frame->momentum = restarts ? rigid->kept.momentum : frame->momentum;
        RSL_NAME(rslRigid_KickFrame)(rigid, frame, view->kick);
    }
    (void)rslJoints_Project(&rigids->joints, trial, rigids->now, rigids->step);
    for (int r = 0; r < rigids->count; ++r)
    {
        const RigidBody* rigid = &rigids->bodies[r];
        const rslFrame* now = &view->frames[rigid->def->body];
        rslVec3 from = restarts ? rigid->kept.velocity : now->velocity;
        rslVec3 spin = restarts ? rigid->kept.momentum : now->momentum;
        rslVec3 velocity = rslScale(0.5, rslAdd(from, trial[rigid->def->body].velocity));
        spin = rslScale(0.5, rslAdd(spin, trial[rigid->def->body].momentum));
        spin = rslTop_Divide(rigid->def, now, rslSub(spin, now->momentum));
        power += rigid->def->constraint < 0
                     ? rslDot(rigid->loads.force, rslSub(velocity, now->velocity)) + rslDot(rigid->loads.torque, spin)
                     : 0.0;
    }
    return power;
}

double RSL_NAME(rslRigids_Sum)(Kernel* kernel, const View* view)
{
    RigidKernel* rigids = kernel->rigids;
    bool loaded = false;
    for (int r = 0; r < rigids->count; ++r)
    {
        RigidBody* rigid = &rigids->bodies[r];
        const rslMat3* rotation = &kernel->frames[rigid->def->body].rotation;
        Wrench sums[3];
        memset(sums, 0, sizeof sums);
        for (int c = rigid->chunkBegin; c < rigid->chunkEnd; ++c)
        {
            for (int s = 0; s < 3; ++s)
            {
                sums[s].force = rslAdd(sums[s].force, rigids->sums[c][s].force);
                sums[s].torque = rslAdd(sums[s].torque, rigids->sums[c][s].torque);
            }
        }
        rigid->all = Turned(rotation, sums[0]);
        rigid->loads = Turned(rotation, sums[1]);
        rigid->drag = Turned(rotation, sums[2]);
        AddWelds(kernel, rotation, rigid);
        loaded = loaded || HasLoad(rigid);
    }
    return loaded && view->kick > 0.0 ? LoadPower(kernel, view) : 0.0;
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
