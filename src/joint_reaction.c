// SPDX-License-Identifier: MIT
//
// joint_reaction.c: the forces of joints at one moment: those that make accelerations fit, with centrifugal terms and the
// second differences of what is prescribed.

#include "joint_solve.h"
#include "top.h"

enum
{
    ROWS = RSL_JOINT_ROWS
};

// v' + w' x arm + w x (w x arm), and w' with the turn of the axes of b, of one end without joints.
static void EndAcceleration(const rslJoints* joints, int r, const rslWrench* force, const rslAcceleration* held,
                            rslVec3 arm, rslVec3* linear, rslVec3* angular)
{
    const rslRigid* rigid = &joints->model->rigids[r];
    const rslFrame* frame = &joints->frames[rigid->body];
    rslVec3 w = rslTop_Spin(rigid, frame), a, turn;
    if (rigid->constraint < 0)
    {
        a = rslScale(1.0 / rigid->mass, force->force);
        turn = rslTop_Divide(rigid, frame, rslSub(force->torque, rslCross(w, frame->momentum)));
    }
    else
    {
        a = held->linear;
        turn = held->angular;
    }
    *linear = rslAdd(a, rslAdd(rslCross(turn, arm), rslCross(w, rslCross(w, arm))));
    *angular = turn;
}

static void AccelerationRows(const rslJoints* joints, int j, const rslWrench* forces, const rslAcceleration* held,
                             double* out)
{
    const rslJoint* joint = &joints->model->joints[j];
    const rslJointView* view = &joints->views[j];
    rslVec3 velocity = { 0.0, 0.0, 0.0 }, spin = { 0.0, 0.0, 0.0 }, spins[2] = { { 0.0, 0.0, 0.0 } };
    for (int s = 0; s < 2; ++s)
    {
        int r = joint->rigids[s];
        if (r >= 0)
        {
            const rslRigid* rigid = &joints->model->rigids[r];
            rslVec3 linear, angular;
            double sign = s == 0 ? 1.0 : -1.0;
            EndAcceleration(joints, r, &forces[r], &held[r], view->arms[s], &linear, &angular);
            velocity = rslMulAdd(velocity, sign, linear);
            spin = rslMulAdd(spin, sign, angular);
            spins[s] = rslTop_Spin(rigid, &joints->frames[rigid->body]);
        }
    }
    rslJoints_ToRows(view, velocity, spin, out);
    for (int i = 3; i < view->rows; ++i)
    {
        out[i] += rslDot(rslSub(spins[0], spins[1]), rslCross(spins[1], view->axes[i - 3]));
    }
}

void rslJoints_Reactions(rslJoints* joints, const rslFrame* frames, const rslWrench* forces,
                         const rslAcceleration* held, double time, double step, rslWrench* out)
{
    rslJoints_Look(joints, frames);
    rslJoints_Prepare(joints);
    double begin = time > 0.5 * step ? time - 0.5 * step : 0.0;
    for (int j = 0; j < joints->count; ++j)
    {
        const rslJoint* joint = &joints->model->joints[j];
        AccelerationRows(joints, j, forces, held, joints->right[j]);
        for (int i = 0; i < ROWS; ++i)
        {
            joints->right[j][i] = -joints->right[j][i];
        }
        double rise = rslJoint_AngleRate(joint, begin + step, step) - rslJoint_AngleRate(joint, begin, step);
        joints->right[j][5] += joint->driven && step > 0.0 ? rise / step : 0.0;
    }
    rslJoints_Solve(joints);
    for (int j = 0; j < joints->count; ++j)
    {
        const double* l = joints->impulse[j];
        out[j] = (rslWrench){ .force = { l[0], l[1], l[2] } };
        for (int i = 3; i < joints->views[j].rows; ++i)
        {
            out[j].torque = rslMulAdd(out[j].torque, l[i], joints->views[j].axes[i - 3]);
        }
    }
}
