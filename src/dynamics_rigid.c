// SPDX-License-Identifier: MIT
//
// dynamics_rigid.c: what an implicit step asks of the kernel about rigid bodies (dynamics.h). A kernel file, compiled in double precision
// only.

#include "dynamics.h"
#include "joint_solve.h"
#include "kernel_rigid.h"

void rslDynamics_Float(void* argument, bool floats)
{
    Kernel* kernel = argument;
    if (kernel->rigids != NULL)
    {
        kernel->rigids->floats = floats;
    }
}

void rslDynamics_SetWrench(void* kernel, int rigid, rslWrench all)
{
    ((Kernel*)kernel)->rigids->bodies[rigid].all = all;
}

double rslDynamics_Reactions(void* argument, const rslState* state, rslWrench* all)
{
    Kernel* kernel = argument;
    RigidKernel* rigids = kernel->rigids;
    rslJoints* joints = &rigids->joints;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    for (int r = 0; r < rigids->count; ++r)
    {
        all[r] = rigids->bodies[r].all;
    }
    if (joints->count == 0)
    {
        return 0.0;
    }
    RSL_NAME(rslRigids_Reactions)(kernel, &view, rigids->reactions, rigids->holders);
    for (int e = 0; e < 2 * joints->count; ++e)
    {
        int r = kernel->model->joints[e / 2].rigids[e % 2];
        if (r >= 0)
        {
            const rslWrench* one = &rigids->reactions[e / 2];
            double sign = e % 2 == 0 ? 1.0 : -1.0;
            rslVec3 torque = rslAdd(one->torque, rslCross(joints->views[e / 2].arms[e % 2], one->force));
            all[r].force = rslMulAdd(all[r].force, sign, one->force);
            all[r].torque = rslMulAdd(all[r].torque, sign, torque);
        }
    }
    rslJoints_Prescribe(joints, rigids->now, rigids->step);
    return rslJoints_Dot(joints, joints->impulse, joints->held);
}

double rslDynamics_Join(void* argument, rslState* state)
{
    RigidKernel* rigids = ((Kernel*)argument)->rigids;
    return rslJoints_Project(&rigids->joints, state->frames, rigids->now, rigids->step);
}

void rslDynamics_Spread(void* argument, rslState* state)
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslRigids_Follow)(kernel, &view);
}

rslFrame rslDynamics_Pose(const void* argument, int rigid, double time, double step)
{
    const Kernel* kernel = argument;
    return RSL_NAME(rslRigids_HeldFrame)(kernel, &kernel->model->rigids[rigid], time, step);
}
