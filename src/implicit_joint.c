// SPDX-License-Identifier: MIT
//
// implicit_joint.c: joints in implicit steps.
//
// Rigid bodies move on what joints allow, g(q) = 0. With J the rows of joint_solve.c and W = M^-1 of the bodies, what joints take of a
// force r, and what they do not allow of a motion p, is
//
//   r - J^T l,  J W J^T l = J W r          p - W J^T l,  J W J^T l = J p
//
// so that Newton's direction has J d = 0, and forces that are left over are those that joints do not take. A place is brought back to
// g = 0 by the shortest way in the measure of M: poses go W J^T l, J W J^T l = -g, again and again. l are the forces of joints: they
// do l.t on what is prescribed (joint.c).

#include "implicit_internal.h"
#include "joint_solve.h"
#include "top.h"

enum
{
    ROUNDS = 25
};

static rslFrame InWorld(const rslImplicit* m, const rslState* state, int r, const rslFrame* pose)
{
    const rslMoved* body = &m->moveds.bodies[r];
    rslFrame frame = state->frames[body->def->body];
    frame.origin = rslMulAdd(frame.origin, m->stage.lead, frame.velocity);
    frame.origin = rslAdd(frame.origin, rslMatVec(&body->axes, pose->origin));
    frame.rotation = rslQuatNormalize(rslQuatMul(frame.rotation, pose->rotation));
    frame.velocity = frame.momentum = (rslVec3){ 0 };
    return frame;
}

void rslMoveds_LookJoints(rslImplicit* m, const rslState* state)
{
    rslNodeVector at = rslDisplacements(state);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        rslFrame pose = rslMoveds_Pose(m, r, &at);
        m->moveds.frames[m->moveds.bodies[r].def->body] = InWorld(m, state, r, &pose);
    }
    rslJoints_Look(&m->moveds.joints, m->moveds.frames);
    rslJoints_Prepare(&m->moveds.joints);
    rslJoints_Prescribe(&m->moveds.joints, rslState_Time(state) + m->stage.lead, state->step);
}

double rslMoveds_Join(rslImplicit* m, const rslNodeVector* vector, bool force)
{
    rslJoints* joints = &m->moveds.joints;
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        rslFrame* frame = &m->moveds.frames[body->def->body];
        rslWrench one = rslMoveds_Entry(m, r, vector, force);
        rslVec3 linear = rslMatVec(&body->axes, one.force), angular = rslMatVec(&body->axes, one.torque);
        frame->velocity = force ? rslScale(1.0 / body->def->mass, linear) : linear;
        frame->momentum = force ? angular : rslTop_Times(body->def, frame, angular);
    }
    rslJoints_Rates(joints, false, joints->right);
    rslJoints_Combine(joints, joints->right, 0.0, -1.0, joints->right);
    rslJoints_Solve(joints);
    rslJoints_Push(joints, joints->impulse, m->moveds.frames);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        const rslFrame* frame = &m->moveds.frames[body->def->body];
        rslVec3 linear = force ? rslScale(body->def->mass, frame->velocity) : frame->velocity;
        rslVec3 angular = force ? frame->momentum : rslTop_Spin(body->def, frame);
        rslWrench one = { rslMatTVec(&body->axes, linear), rslMatTVec(&body->axes, angular) };
        rslMoveds_PutEntry(m, r, one, vector, force);
    }
    return rslJoints_Dot(joints, joints->impulse, joints->held);
}

void rslMoveds_Fit(rslImplicit* m, const rslState* state, rslFrame* poses)
{
    rslJoints* joints = &m->moveds.joints;
    rslFrame* frames = m->moveds.frames;
    double best = INFINITY, time = rslState_Time(state) + m->stage.lead;
    for (int round = 0; joints->count > 0 && round < ROUNDS && best > 1e-16; ++round)
    {
        for (int r = 0; r < m->moveds.count; ++r)
        {
            frames[m->moveds.bodies[r].def->body] = InWorld(m, state, r, &poses[r]);
        }
        rslJoints_Look(joints, frames);
        double worst = rslJoints_Errors(joints, frames, time, joints->right);
        if (!(worst < 0.5 * best))
        {
            return;  // all that rounding allows
        }
        best = worst;
        rslJoints_Prepare(joints);
        rslJoints_Combine(joints, joints->right, 0.0, -1.0, joints->right);
        rslJoints_Solve(joints);
        rslJoints_Push(joints, joints->impulse, frames);
        for (int r = 0; r < m->moveds.count; ++r)
        {
            const rslMoved* body = &m->moveds.bodies[r];
            const rslFrame* frame = &frames[body->def->body];
            rslVec3 way = rslMatTVec(&body->axes, frame->velocity);
            rslVec3 turn = rslMatTVec(&body->axes, rslTop_Spin(body->def, frame));
            poses[r] = body->def->constraint < 0 ? rslMoved_Go(body, &poses[r], way, turn) : poses[r];
        }
    }
}

void rslMoveds_FitSpeeds(rslImplicit* m, const rslState* state)
{
    rslJoints* joints = &m->moveds.joints;
    double time = rslState_Time(state) + m->stage.lead;
    for (int r = 0; joints->count > 0 && r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        rslFrame* frame = &m->moveds.frames[body->def->body];
        *frame = InWorld(m, state, r, &body->last);
        frame->velocity = rslAdd(state->frames[body->def->body].velocity, rslMatVec(&body->axes, body->last.velocity));
        frame->momentum = rslMatVec(&body->axes, body->last.momentum);
        if (body->def->constraint >= 0)
        {
            rslFrame held = rslDynamics_Pose(m->kernel, r, time, state->step);
            frame->velocity = held.velocity;
            frame->momentum = held.momentum;
        }
    }
    m->moveds.work += rslJoints_Project(joints, m->moveds.frames, time, state->step);
    for (int r = 0; joints->count > 0 && r < m->moveds.count; ++r)
    {
        rslMoved* body = &m->moveds.bodies[r];
        const rslFrame* frame = &m->moveds.frames[body->def->body];
        rslVec3 relative = rslSub(frame->velocity, state->frames[body->def->body].velocity);
        body->last.velocity = rslMatTVec(&body->axes, relative);
        body->last.momentum = rslMatTVec(&body->axes, frame->momentum);
    }
}
