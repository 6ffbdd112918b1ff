// SPDX-License-Identifier: MIT
//
// joint.c: velocities that fit joints, and flights that keep them (see joint.h; joint_solve.c has J and W).
//
// A drift is a step of RATTLE (Andersen 1983): impulses J^T l at the start such that free flight ends with g = 0, found by
// iteration with the matrix of the start; then impulses at the end such that J v fits. With the kicks, which are projected
// alike, it is symmetric and symplectic on the bodies as they are joined: no drift of energy. Impulses act on both bodies
// at one point, so that momentum stays.
//
// Work of what is prescribed: J_f v_f = t for the free bodies, t from driven angles and held bodies; impulses do l.t.

#include "elementary.h"
#include "joint_solve.h"
#include "top.h"

#include <string.h>

enum
{
    ROWS = RSL_JOINT_ROWS,
    FLIGHTS = 25  // tries for one drift
};

// ---- what is prescribed ---------------------------------------------------------------------------------------------

double rslJoint_AngleRate(const rslJoint* joint, double time, double step)
{
    const double degree = 3.14159265358979323846 / 180.0;
    double before = time > 0.5 * step ? time - 0.5 * step : 0.0, after = time + 0.5 * step;
    return joint->driven && step > 0.0
               ? degree * (rslJoint_AngleAt(joint, after) - rslJoint_AngleAt(joint, before)) / (after - before)
               : 0.0;
}

void rslJoints_Prescribe(rslJoints* joints, double time, double step)
{
    rslJoints_Rates(joints, true, joints->held);
    for (int j = 0; j < joints->count; ++j)
    {
        for (int i = 0; i < ROWS; ++i)
        {
            joints->held[j][i] = -joints->held[j][i];
        }
        joints->held[j][5] += rslJoint_AngleRate(&joints->model->joints[j], time, step);
    }
}

// ---- velocities and flights -----------------------------------------------------------------------------------------

double rslJoints_Project(rslJoints* joints, rslFrame* frames, double time, double step)
{
    if (joints->count == 0)
    {
        return 0.0;
    }
    rslJoints_Look(joints, frames);
    rslJoints_Prepare(joints);
    rslJoints_Rates(joints, false, joints->right);
    rslJoints_Prescribe(joints, time, step);
    for (int j = 0; j < joints->count; ++j)
    {
        for (int i = 0; i < ROWS; ++i)
        {
            joints->right[j][i] = -joints->right[j][i];
        }
        joints->right[j][5] += rslJoint_AngleRate(&joints->model->joints[j], time, step);
    }
    rslJoints_Solve(joints);
    rslJoints_Push(joints, joints->impulse, frames);
    return rslJoints_Dot(joints, joints->impulse, joints->held);
}

double rslJoints_Errors(const rslJoints* joints, const rslFrame* frames, double time, rslJointRows* out)
{
    double worst = 0.0;
    for (int j = 0; j < joints->count; ++j)
    {
        const rslJoint* joint = &joints->model->joints[j];
        const rslJointView* view = &joints->views[j];
        rslVec3 gap =
            rslSub(rslJoint_Point(joints->model, frames, joint, 0), rslJoint_Point(joints->model, frames, joint, 1));
        rslVec3 axes[2][3];
        for (int axis = 0; axis < 3; ++axis)
        {
            axes[0][axis] = rslJoint_Axis(joints->model, frames, joint, 0, axis);
            axes[1][axis] = rslJoint_Axis(joints->model, frames, joint, 1, axis);
        }
        rslVec3 tilt = rslCross(axes[1][2], axes[0][2]), spin = rslCross(axes[1][0], axes[0][0]);
        double sine = rslDot(axes[1][2], spin), cosine = rslDot(axes[1][0], axes[0][0]);
        double angle = joint->driven ? rslJoint_AngleAt(joint, time) : 0.0;
        const double row[ROWS] = { gap.x,
                                   gap.y,
                                   gap.z,
                                   rslDot(tilt, axes[1][0]),
                                   rslDot(tilt, axes[1][1]),
                                   sine * rslCosDegrees(angle) - cosine * rslSinDegrees(angle) };
        double length = rslLength(view->arms[0]) + rslLength(view->arms[1]);
        for (int i = 0; i < ROWS; ++i)
        {
            out[j][i] = i < view->rows ? row[i] : 0.0;
            double size = i < 3 && length > 0.0 ? fabs(out[j][i]) / length : fabs(out[j][i]);
            worst = rslMost(worst, size);
        }
    }
    return worst;
}

static void Fly(const rslModel* model, rslFrame* frames, const rslFrame* ahead, double span)
{
    for (int r = 0; r < model->rigidCount; ++r)
    {
        const rslRigid* rigid = &model->rigids[r];
        if (rigid->constraint < 0)
        {
            rslTop_Drift(rigid, &frames[rigid->body], span);
        }
        else
        {
            frames[rigid->body] = ahead[rigid->body];
        }
    }
}

double rslJoints_Drift(rslJoints* joints, rslFrame* frames, const rslFrame* ahead, double time, double span,
                       double step)
{
    const rslModel* model = joints->model;
    if (joints->count == 0)
    {
        Fly(model, frames, ahead, span);
        return 0.0;
    }
    size_t bytes = (size_t)model->bodyCount * sizeof(rslFrame);
    memcpy(joints->start, frames, bytes);
    rslJoints_Look(joints, joints->start);
    rslJoints_Prepare(joints);
    rslJoints_Prescribe(joints, time, step);
    rslJoints_Combine(joints, joints->total, 0.0, 0.0, joints->held);
    double best = INFINITY;
    for (int flight = 0; flight < FLIGHTS && best > 1e-16; ++flight)
    {
        memcpy(frames, joints->start, bytes);
        rslJoints_Push(joints, joints->total, frames);
        Fly(model, frames, ahead, span);
        double worst = rslJoints_Errors(joints, frames, time + span, joints->right);
        if (!(worst < 0.5 * best) || flight + 1 == FLIGHTS)
        {
            break;  // all that rounding allows
        }
        best = worst;
        rslJoints_Combine(joints, joints->right, 0.0, -1.0 / span, joints->right);
        rslJoints_Solve(joints);
        rslJoints_Combine(joints, joints->total, 1.0, 1.0, joints->impulse);
    }
    double work = rslJoints_Dot(joints, joints->total, joints->held);
    return work + rslJoints_Project(joints, frames, time + span, step);
}
