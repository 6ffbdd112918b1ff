// SPDX-License-Identifier: MIT
//
// kernel_rigid_push.c: impulses on rigid bodies, and what holds those that are held.

#include "kernel_rigid.h"

#include "top.h"

rslVec3 RSL_NAME(rslRigids_Velocity)(const Kernel* kernel, const View* view, int body, rslVec3 x)
{
    const rslRigid* rigid = RigidOfBody(kernel, body)->def;
    const rslFrame* frame = &view->frames[body];
    rslVec3 arm = rslSub(x, rslTop_Centre(rigid, frame));
    return rslAdd(frame->velocity, rslCross(rslTop_Spin(rigid, frame), arm));
}

double RSL_NAME(rslRigids_Yield)(const Kernel* kernel, const View* view, int body, rslVec3 x, rslVec3 along)
{
    const rslRigid* rigid = RigidOfBody(kernel, body)->def;
    rslVec3 turn = rslCross(rslSub(x, rslTop_Centre(rigid, &view->frames[body])), along);
    return rigid->constraint >= 0 ? 0.0
                                  : 1.0 / rigid->mass + rslDot(turn, rslTop_Divide(rigid, &view->frames[body], turn));
}

void RSL_NAME(rslRigids_Push)(const Kernel* kernel, const View* view, int body, rslVec3 x, rslVec3 impulse)
{
    const rslRigid* rigid = RigidOfBody(kernel, body)->def;
    rslFrame* frame = &view->frames[body];
    rslVec3 turn = rslCross(rslSub(x, rslTop_Centre(rigid, frame)), impulse);
    if (rigid->constraint < 0)
    {
        impulse.z = rigid->planar ? 0.0 : impulse.z;
        turn = rigid->planar ? (rslVec3){ 0.0, 0.0, turn.z } : turn;
        frame->velocity = rslMulAdd(frame->velocity, 1.0 / rigid->mass, impulse);
        frame->momentum = rslAdd(frame->momentum, turn);
    }
}

rslVec3 RSL_NAME(rslRigids_Kicked)(const View* view, const RigidBody* rigid, const Wrench* by, rslVec3 arm, double time)
{
    const rslRigid* def = rigid->def;
    rslVec3 spin = rslTop_Divide(def, &view->frames[def->body], rslScale(time, by->torque));
    return rslAdd(rslScale(time / def->mass, by->force), rslCross(spin, arm));
}

// ---- reactions ------------------------------------------------------------------------------------------------------

// From the velocities a step apart.
static rslAcceleration AccelerationOf(const Kernel* kernel, const rslRigid* rigid, double time, double step)
{
    if (rigid->constraint < 0 || !(step > 0.0))
    {
        return (rslAcceleration){ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    }
    double begin = time > 0.5 * step ? time - 0.5 * step : 0.0;
    Pose before = RSL_NAME(rslKernel_PoseAt)(kernel, rigid, begin, step);
    Pose after = RSL_NAME(rslKernel_PoseAt)(kernel, rigid, begin + step, step);
    return (rslAcceleration){ rslScale(1.0 / step, rslSub(after.frame.velocity, before.frame.velocity)),
                              rslScale(1.0 / step, rslSub(after.spin, before.spin)) };
}

// M a - F and J w' + w x L - T, less what joints do.
static Wrench HolderOf(const RigidBody* rigid, const rslFrame* frame, const rslAcceleration* a)
{
    rslVec3 spin = rslTop_Spin(rigid->def, frame);
    rslVec3 turn = rslAdd(rslTop_Times(rigid->def, frame, a->angular), rslCross(spin, frame->momentum));
    return (Wrench){ rslSub(rslScale(rigid->def->mass, a->linear), rigid->all.force), rslSub(turn, rigid->all.torque) };
}

void RSL_NAME(rslRigids_Reactions)(Kernel* kernel, const View* view, rslWrench* joints, rslWrench* bodies)
{
    RigidKernel* rigids = kernel->rigids;
    const rslModel* model = kernel->model;
    rslAcceleration* held = rigids->held;
    rslWrench* forces = rigids->forces;
    for (int r = 0; r < rigids->count; ++r)
    {
        held[r] = AccelerationOf(kernel, rigids->bodies[r].def, rigids->now, rigids->step);
        forces[r] = rigids->bodies[r].all;
        bodies[r] = HolderOf(&rigids->bodies[r], &view->frames[rigids->bodies[r].def->body], &held[r]);
        if (rigids->atRest)
        {
            bodies[r] = (rslWrench){ rslScale(-1.0, forces[r].force), rslScale(-1.0, forces[r].torque) };
        }
    }
    if (model->jointCount > 0)
    {
        rslJoints_Reactions(&rigids->joints, view->frames, forces, held, rigids->now, rigids->step, joints);
    }
    for (int e = 0; e < 2 * model->jointCount; ++e)
    {
        int r = model->joints[e / 2].rigids[e % 2];
        if (r >= 0)
        {
            const rslWrench* one = &joints[e / 2];
            double sign = e % 2 == 0 ? -1.0 : 1.0;
            rslVec3 torque = rslAdd(one->torque, rslCross(rigids->joints.views[e / 2].arms[e % 2], one->force));
            bodies[r].force = rslMulAdd(bodies[r].force, sign, one->force);
            bodies[r].torque = rslMulAdd(bodies[r].torque, sign, torque);
        }
    }
}
