// SPDX-License-Identifier: MIT
//
// joint_place.c: where a joint is, as both of its bodies have it, and how far they are from being joined.

#include "elementary.h"
#include "joint.h"
#include "vec.h"

#define DEGREES (180.0 / 3.14159265358979323846)

rslVec3 rslJoint_Point(const rslModel* model, const rslFrame* frames, const rslJoint* joint, int end)
{
    if (joint->rigids[end] < 0)
    {
        return joint->places[end];
    }
    const rslFrame* frame = &frames[model->rigids[joint->rigids[end]].body];
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    return rslAdd(frame->origin, rslMatVec(&rotation, joint->places[end]));
}

rslVec3 rslJoint_Axis(const rslModel* model, const rslFrame* frames, const rslJoint* joint, int end, int axis)
{
    if (joint->rigids[end] < 0)
    {
        return joint->axes[end][axis];
    }
    rslMat3 rotation = rslQuatMatrix(frames[model->rigids[joint->rigids[end]].body].rotation);
    return rslMatVec(&rotation, joint->axes[end][axis]);
}

double rslJoint_AngleAt(const rslJoint* joint, double time)
{
    return joint->angle * rslCourse_Value(&joint->course, time);
}

double rslState_JointAngle(const rslModel* model, const rslState* state, int index)
{
    const rslJoint* joint = &model->joints[index];
    rslVec3 a = rslJoint_Axis(model, state->frames, joint, 0, 0), b = rslJoint_Axis(model, state->frames, joint, 1, 0);
    rslVec3 n = rslJoint_Axis(model, state->frames, joint, 1, 2);
    double sine = rslDot(n, rslCross(b, a)), cosine = rslDot(b, rslSub(a, rslScale(rslDot(a, n), n)));
    double angle = rslAngle(cosine, fabs(sine)) * DEGREES;
    return sine < 0.0 ? -angle : angle;
}

rslJointGap rslState_JointGap(const rslModel* model, const rslState* state, int index)
{
    const rslJoint* joint = &model->joints[index];
    const rslFrame* frames = state->frames;
    rslVec3 points[2] = { rslJoint_Point(model, frames, joint, 0), rslJoint_Point(model, frames, joint, 1) };
    rslJointGap gap = { .distance = rslLength(rslSub(points[0], points[1])) };
    if (joint->type == rsl_hingeJoint)
    {
        rslVec3 a = rslJoint_Axis(model, frames, joint, 0, 2), b = rslJoint_Axis(model, frames, joint, 1, 2);
        gap.tilt = rslAngle(rslDot(a, b), rslLength(rslCross(a, b))) * DEGREES;
    }
    if (joint->driven)
    {
        double turn = rslState_JointAngle(model, state, index) - rslJoint_AngleAt(joint, rslState_Time(state));
        gap.turn = rslAngle(rslCosDegrees(turn), fabs(rslSinDegrees(turn))) * DEGREES;
    }
    return gap;
}
