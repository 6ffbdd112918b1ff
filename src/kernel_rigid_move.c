// SPDX-License-Identifier: MIT
//
// kernel_rigid_move.c: kicks and drifts of rigid bodies; their nodes and welded ones follow.
//
// A kick by the sum F of all forces and their torque T about the centre of mass:  V += h F / M,  L += h T. A drift is free
// flight (top.c). Both are exact flows, so that the integrators keep their order.

#include "kernel_rigid.h"

#include "top.h"

rslFrame RSL_NAME(rslRigids_HeldFrame)(const Kernel* kernel, const rslRigid* rigid, double time, double step)
{
    Pose pose = RSL_NAME(rslKernel_PoseAt)(kernel, rigid, time, step);
    pose.frame.momentum = rslTop_Times(rigid, &pose.frame, pose.spin);
    return pose.frame;
}

// w = R^T (spin x R (X - C)) = (R^T spin) x (X - C)
static void SpreadChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    if (!kernel->bodies[chunk->body].rigid)
    {
        return;
    }
    const rslRigid* rigid = RigidOfBody(kernel, chunk->body)->def;
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

void RSL_NAME(rslRigids_Start)(Kernel* kernel, const rslState* state)
{
    if (kernel->rigids != NULL)
    {
        kernel->rigids->now = rslState_Time(state);
        kernel->rigids->step = state->step;
    }
}

void RSL_NAME(rslRigids_Drift)(Kernel* kernel, const View* view, double time)
{
    RigidKernel* rigids = kernel->rigids;
    if (rigids == NULL)
    {
        return;
    }
    for (int r = 0; r < rigids->count; ++r)
    {
        const rslRigid* rigid = rigids->bodies[r].def;
        if (rigid->constraint >= 0)
        {
            rigids->ahead[rigid->body] = RSL_NAME(rslRigids_HeldFrame)(kernel, rigid, rigids->now + time, rigids->step);
        }
    }
    rigids->work += rslJoints_Drift(&rigids->joints, view->frames, rigids->ahead, rigids->now, time, rigids->step);
    rigids->now += time;
    rigids->sure = rigids->work;
    for (int r = 0; r < rigids->count; ++r)
    {
        rigids->bodies[r].kept = view->frames[rigids->bodies[r].def->body];
    }
}

void RSL_NAME(rslRigids_Kick)(Kernel* kernel, const View* view, double time)
{
    RigidKernel* rigids = kernel->rigids;
    if (rigids == NULL)
    {
        return;
    }
    for (int r = 0; r < rigids->count; ++r)
    {
        RSL_NAME(rslRigid_KickFrame)(&rigids->bodies[r], &view->frames[rigids->bodies[r].def->body], time);
    }
    rigids->work += rslJoints_Project(&rigids->joints, view->frames, rigids->now, rigids->step);
    Spread(kernel, view, false);
}

void RSL_NAME(rslRigids_Settle)(Kernel* kernel, const View* view)
{
    if (kernel->rigids != NULL)
    {
        (void)rslJoints_Project(&kernel->rigids->joints, view->frames, kernel->rigids->now, kernel->rigids->step);
        Spread(kernel, view, true);
    }
}

void RSL_NAME(rslRigids_Spread)(Kernel* kernel, const View* view)
{
    RigidKernel* rigids = kernel->rigids;
    rigids->work += rslJoints_Project(&rigids->joints, view->frames, rigids->now, rigids->step);
    Spread(kernel, view, false);
}

void RSL_NAME(rslRigids_Follow)(Kernel* kernel, const View* view)
{
    Spread(kernel, view, false);
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
    if (kernel->rigids != NULL)
    {
        kernel->rigids->work = kernel->rigids->sure;
    }
}

void RSL_NAME(rslRigids_Place)(Kernel* kernel, const View* view, double time, double step)
{
    if (kernel->rigids == NULL || kernel->rigids->floats)
    {
        return;
    }
    kernel->rigids->now = time;
    for (int r = 0; r < kernel->rigids->count; ++r)
    {
        const rslRigid* rigid = kernel->rigids->bodies[r].def;
        rslFrame* frame = &view->frames[rigid->body];
        if (rigid->constraint >= 0)
        {
            *frame = RSL_NAME(rslRigids_HeldFrame)(kernel, rigid, time, step);
        }
        RSL_NAME(rslKernel_Aim)(kernel, rigid->body, frame, 0.0);
        RSL_NAME(rslPlanes_Aim)(kernel, rigid->body);
    }
    Spread(kernel, view, true);
}
