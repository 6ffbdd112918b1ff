// SPDX-License-Identifier: MIT
//
// implicit_rigid.c: see implicit_rigid.h.
//
// A stage (implicit_internal.h) makes least the sum of W and, for every free rigid body,
//
//   c/2 M |t - t_g|^2  +  c/2 sum m |Q d - Q_g d|^2          c = rate^2
//
// with the pose (t_g, Q_g) that it would have at the end of the stage if no force acted at its end. That is where free flight (top.c) takes
// it from where the stage began, turned on by the forces that act at the beginning. So flight without forces is what it is in explicit
// steps: momentum and angular momentum stay to rounding, the energy as the splitting has it. With D = Q - Q_g, N = sum m d d^T and a
// turn w of Q, (1 + [w]) Q:
//
//   c/2 tr(D N D^T),   slope  -c w.a(D N Q_g^T),   a(S) = (S23 - S32, S31 - S13, S12 - S21)
//   curvature          c w.(tr S - (S + S^T)/2) w,  S = Q N Q_g^T
//
// Forces f on nodes at r = Q d have the torque sum r x f, and turn with the body: their curvature is w.(tr P - (P + P^T)/2) w,
// P = sum f r^T. At the end
//
//   V' = V* + rate (t - t_g),   L' = L* + T / rate,   T = -c a(D N Q_g^T) what inertia takes
//
// with V*, L* what the forces at the beginning leave, as for nodes (implicit.c):
//
//   theta    flight over h from where the step began, then a kick of t (1 - t) h^2;   V* = V + (1 - t) h F/M, L* = L + (1 - t) h T
//   BDF2     flight over (1 - g) h from where the first stage ended;                  V* = V1 + b0 (V1 - V), L* = L1 + b0 (L1 - L)
//
// (b1 u1 - b0 u + c (b1 w1 - b0 w) is u1 + (1 - g) h w1 for g = 2 - sqrt 2.)

#include "elementary.h"
#include "implicit_rigid_internal.h"

#include <string.h>

// ---- making ---------------------------------------------------------------------------------------------------------

static void AddCarried(const rslModel* model, rslMoveds* moveds, rslMoved* out, int* at)
{
    const rslRigid* def = out->def;
    const rslBody* body = &model->bodies[def->body];
    double x[3];
    out->begin = *at;
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        rslBody_Rest(body, i, i + 1, x);
        rslVec3 arm = rslSub((rslVec3){ x[0], x[1], x[2] }, def->centre);
        moveds->carried[(*at)++] = (rslCarried){ .node = i, .body = def->body, .arm = arm };
    }
    out->welds = *at;
    for (int w = 0; w < def->weldCount; ++w)
    {
        int node = def->welded[w], owner = rslModel_BodyOf(model, node);
        const double* place = &def->places[3 * (size_t)w];
        rslBody_Rest(&model->bodies[owner], node, node + 1, x);
        rslVec3 arm = rslSub((rslVec3){ place[0], place[1], place[2] }, def->centre);
        moveds->carried[(*at)++] = (rslCarried){ node, owner, arm, { x[0], x[1], x[2] } };
    }
    out->end = *at;
}

// N from the moments of inertia: along the principal axis k, half of their sum less I_k.
static void SetMoments(rslMoved* body)
{
    const rslRigid* def = body->def;
    rslMat3 axes = rslQuatMatrix(def->axes);
    double half = 0.5 * (def->inertia[0] + def->inertia[1] + def->inertia[2]);
    double n[3] = { half - def->inertia[0], half - def->inertia[1], half - def->inertia[2] };
    if (def->planar)
    {
        n[0] = n[1] = 0.5 * def->inertia[2];  // turns about z are all there is
        n[2] = 0.0;
        axes = rslQuatMatrix((rslQuat){ 1.0, 0.0, 0.0, 0.0 });
    }
    for (int i = 0; i < 3; ++i)
    {
        rslVec3 row = axes.row[i], scaled = { row.x * n[0], row.y * n[1], row.z * n[2] };
        body->moments.row[i] = rslMatVec(&axes, scaled);
    }
    body->size = sqrt((def->planar ? def->inertia[2] : half) / def->mass);
}

bool rslMoveds_Make(rslImplicit* m)
{
    const rslModel* model = m->model;
    rslMoveds* moveds = &m->moveds;
    moveds->count = model->rigidCount;
    if (moveds->count == 0)
    {
        return true;
    }
    size_t carried = 0;
    for (int r = 0; r < model->rigidCount; ++r)
    {
        const rslRigid* def = &model->rigids[r];
        carried += (size_t)(model->bodies[def->body].nodeCount + def->weldCount);
    }
    moveds->bodies = rslArena_Allocate(&m->arena, (size_t)moveds->count, sizeof(rslMoved));
    moveds->carried = rslArena_Allocate(&m->arena, carried, sizeof(rslCarried));
    moveds->diagonal = rslArena_Allocate(&m->arena, (size_t)model->nodeCount, sizeof(double[6]));
    moveds->frames = rslArena_Allocate(&m->arena, (size_t)model->bodyCount, sizeof(rslFrame));
    moveds->poses = rslArena_Allocate(&m->arena, (size_t)moveds->count, sizeof(rslFrame));
    moveds->wrenches = rslArena_Allocate(&m->arena, (size_t)moveds->count, sizeof(rslWrench));
    double* mass =
        rslArena_Allocate(&m->arena, (size_t)model->nodeCount + ENTRIES * (size_t)moveds->count, sizeof(double));
    if (moveds->bodies == NULL || moveds->carried == NULL || moveds->diagonal == NULL || moveds->frames == NULL ||
        moveds->poses == NULL || moveds->wrenches == NULL || mass == NULL ||
        !rslUnknowns_Extend(&m->unknowns, ENTRIES * moveds->count, &m->arena) ||
        !rslJoints_Make(&moveds->joints, model, &m->arena))
    {
        return false;
    }
    memcpy(mass, m->mass, (size_t)model->nodeCount * sizeof(double));
    for (int r = 0, at = 0; r < moveds->count; ++r)
    {
        moveds->bodies[r].def = &model->rigids[r];
        AddCarried(model, moveds, &moveds->bodies[r], &at);
        SetMoments(&moveds->bodies[r]);
    }
    for (size_t c = 0; c < carried; ++c)
    {
        mass[moveds->carried[c].node] = 0.0;  // rigid bodies have it
    }
    moveds->nodeMass = m->mass;
    m->mass = mass;
    return true;
}

// ---- poses ----------------------------------------------------------------------------------------------------------

rslFrame rslMoveds_Pose(const rslImplicit* m, int r, const rslNodeVector* place)
{
    const rslMoved* body = &m->moveds.bodies[r];
    int e = EntryOf(m, r);
    double s = 1.0 / body->size;
    rslVec3 v = rslScale(s, At(place, e + 1));
    rslFrame pose = { .rotation = rslQuatNormalize((rslQuat){ 1.0 + s * place->x[0][e + 2], v.x, v.y, v.z }) };
    rslTop_Place(body->def, &pose, rslAdd(body->def->centre, At(place, e)));
    return pose;
}

static rslVec3 WayOf(const rslMoved* body, const rslFrame* pose)
{
    return rslSub(rslTop_Centre(body->def, pose), body->def->centre);
}

// Where the frame of a rigid body is from that of another, in the axes of the other.
static rslVec3 Apart(const rslState* state, int rigid, int owner, double lead)
{
    const rslFrame *a = &state->frames[rigid], *b = &state->frames[owner];
    rslMat3 own = rslQuatMatrix(b->rotation);
    rslVec3 d = rslMulAdd(rslSub(a->origin, b->origin), lead, rslSub(a->velocity, b->velocity));
    return rslMatTVec(&own, d);
}

static void PutPose(const rslImplicit* m, const rslState* state, int r, const rslFrame* pose,
                    const rslNodeVector* place)
{
    const rslMoved* body = &m->moveds.bodies[r];
    int e = EntryOf(m, r), owner = -1;
    rslQuat q = pose->rotation;
    rslMat3 turn = rslQuatMatrix(q), between = turn;
    rslVec3 t = WayOf(body, pose), apart = { 0 };
    Put(place, e, t);
    Put(place, e + 1, rslScale(body->size, (rslVec3){ q.x, q.y, q.z }));
    Put(place, e + 2, (rslVec3){ body->size * (q.w - 1.0), 0.0, 0.0 });
    for (int c = body->begin; c < body->end; ++c)
    {
        const rslCarried* one = &m->moveds.carried[c];
        rslVec3 y = rslMatVec(&turn, one->arm), u = rslAdd(t, rslSub(y, one->arm));
        if (c >= body->welds)
        {
            if (one->body != owner)
            {
                owner = one->body;
                between = Between(body, state, owner);
                apart = Apart(state, body->def->body, owner, m->stage.lead);
            }
            y = rslMatTVec(&between, rslAdd(rslAdd(body->def->centre, t), y));
            u = rslSub(rslAdd(apart, y), one->rest);
        }
        Put(place, one->node, u);
    }
}

// Turned by a vector.
static rslQuat Turned(rslVec3 by, rslQuat q)
{
    return rslQuatNormalize(rslQuatMul(rslQuatFromTurn(by), q));
}

rslFrame rslMoved_Go(const rslMoved* body, const rslFrame* pose, rslVec3 way, rslVec3 turn)
{
    rslFrame out = *pose;
    rslVec3 centre = rslAdd(rslTop_Centre(body->def, pose), way);
    out.rotation = Turned(turn, pose->rotation);
    rslTop_Place(body->def, &out, centre);
    return out;
}

// Where a body is that something holds.
static rslFrame HeldPose(const rslImplicit* m, const rslState* state, int r)
{
    const rslMoved* body = &m->moveds.bodies[r];
    const rslFrame* frame = &state->frames[body->def->body];
    rslFrame world = rslDynamics_Pose(m->kernel, r, rslState_Time(state) + m->stage.lead, state->step), pose = { 0 };
    rslQuat back = frame->rotation;
    back = (rslQuat){ back.w, -back.x, -back.y, -back.z };
    pose.rotation = rslQuatNormalize(rslQuatMul(back, world.rotation));
    rslVec3 way = rslMulAdd(rslSub(world.origin, frame->origin), -m->stage.lead, frame->velocity);
    pose.origin = rslMatTVec(&body->axes, way);
    return pose;
}

// Poses as joints let them be, and all that they carry.
static void PutPoses(rslImplicit* m, rslState* state, rslFrame* poses)
{
    rslNodeVector at = rslDisplacements(state);
    rslMoveds_Fit(m, state, poses);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        PutPose(m, state, r, &poses[r], &at);
    }
}

// ---- a step ---------------------------------------------------------------------------------------------------------

void rslMoveds_Begin(rslImplicit* m, rslState* state)
{
    rslNodeVector at = rslDisplacements(state), w = rslVelocities(state);
    rslMoveds_Clear(m, &at);
    rslMoveds_Clear(m, &w);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        rslMoved* body = &m->moveds.bodies[r];
        const rslFrame* frame = &state->frames[body->def->body];
        body->axes = rslQuatMatrix(frame->rotation);
        body->start = (rslFrame){ .rotation = { 1.0, 0.0, 0.0, 0.0 } };
        body->start.momentum = rslMatTVec(&body->axes, frame->momentum);
        body->last = body->start;
    }
    m->moveds.work = 0.0;
    if (m->moveds.count > 0)
    {
        rslDynamics_Float(m->kernel, true);
    }
}

void rslMoveds_Clear(const rslImplicit* m, const rslNodeVector* vector)
{
    for (int e = m->model->nodeCount; e < m->unknowns.entryCount; ++e)
    {
        Put(vector, e, (rslVec3){ 0 });
    }
}

void rslMoveds_Load(rslImplicit* m, const rslState* state, const rslNodeVector* force)
{
    if (m->moveds.count == 0)
    {
        return;
    }
    m->powers.motion += rslDynamics_Reactions(m->kernel, state, m->moveds.wrenches);
    rslMoveds_Gather(m, state, force);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        rslMoved* body = &m->moveds.bodies[r];
        const rslWrench* all = &m->moveds.wrenches[r];
        body->force = (rslWrench){ rslMatTVec(&body->axes, all->force), rslMatTVec(&body->axes, all->torque) };
        if (body->def->planar)
        {
            body->force.force.z = body->force.torque.x = body->force.torque.y = 0.0;
        }
    }
}

void rslMoveds_AimTheta(rslImplicit* m, double time, double theta)
{
    for (int r = 0; r < m->moveds.count; ++r)
    {
        rslMoved* body = &m->moveds.bodies[r];
        double before = (1.0 - theta) * time;
        rslFrame goal = body->start;
        rslTop_Drift(body->def, &goal, time);
        if (before != 0.0)
        {
            rslVec3 way = rslScale(theta * time * before / body->def->mass, body->force.force);
            rslVec3 turn = rslScale(theta * time * before, rslTop_Divide(body->def, &goal, body->force.torque));
            goal = rslMoved_Go(body, &goal, way, turn);
            goal.velocity = rslMulAdd(goal.velocity, before / body->def->mass, body->force.force);
            goal.momentum = rslMulAdd(goal.momentum, before, body->force.torque);
        }
        body->goal = goal;
    }
}

void rslMoveds_AimBdf2(rslImplicit* m, double time, double b0)
{
    for (int r = 0; r < m->moveds.count; ++r)
    {
        rslMoved* body = &m->moveds.bodies[r];
        rslFrame goal = body->last;
        rslTop_Drift(body->def, &goal, time);
        goal.velocity = rslMulAdd(goal.velocity, b0, rslSub(body->last.velocity, body->start.velocity));
        goal.momentum = rslMulAdd(goal.momentum, b0, rslSub(body->last.momentum, body->start.momentum));
        body->goal = goal;
    }
}

void rslMoveds_Go(rslImplicit* m, rslState* state, double fall)
{
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        rslVec3 g = rslDynamics_Gravity(m->kernel, body->def->body);
        g.z = body->def->planar ? 0.0 : g.z;
        m->moveds.poses[r] =
            IsFree(body) ? rslMoved_Go(body, &body->goal, rslScale(fall, g), (rslVec3){ 0 }) : HeldPose(m, state, r);
    }
    PutPoses(m, state, m->moveds.poses);
}

void rslMoveds_Stay(rslImplicit* m, rslState* state)
{
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        rslVec3 back = rslMatTVec(&body->axes, rslScale(-m->stage.lead, state->frames[body->def->body].velocity));
        m->moveds.poses[r] =
            IsFree(body) ? rslMoved_Go(body, &body->start, back, (rslVec3){ 0 }) : HeldPose(m, state, r);
    }
    PutPoses(m, state, m->moveds.poses);
}

void rslMoveds_Move(rslImplicit* m, rslState* state, double a)
{
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        rslFrame pose = rslMoveds_Pose(m, r, &m->start);
        rslWrench d = rslMoveds_Entry(m, r, &m->direction, false);
        m->moveds.poses[r] = rslMoved_Go(body, &pose, rslScale(a, d.force), rslScale(a, d.torque));
    }
    PutPoses(m, state, m->moveds.poses);
}

void rslMoveds_Straighten(rslImplicit* m, rslState* state)
{
    rslNodeVector at = rslDisplacements(state);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        m->moveds.poses[r] = IsFree(&m->moveds.bodies[r]) ? rslMoveds_Pose(m, r, &at) : HeldPose(m, state, r);
    }
    PutPoses(m, state, m->moveds.poses);
}

void rslMoveds_Shift(rslImplicit* m, const rslNodeVector* place, int body, rslVec3 way)
{
    for (int r = 0; r < m->moveds.count; ++r)
    {
        int e = EntryOf(m, r);
        Put(place, e, m->moveds.bodies[r].def->body == body ? rslAdd(At(place, e), way) : At(place, e));
    }
}

void rslMoveds_Drift(rslImplicit* m, const rslState* state, const rslNodeVector* place, double time)
{
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        int e = EntryOf(m, r);
        rslVec3 drift = rslMatTVec(&body->axes, state->frames[body->def->body].velocity);
        Put(place, e, rslMulAdd(At(place, e), -time, drift));
    }
}

// How far something that holds a body takes it beyond where its own velocity does [m].
static double HeldWay(const rslImplicit* m, const rslState* state, int r)
{
    const rslMoved* body = &m->moveds.bodies[r];
    rslFrame pose = HeldPose(m, state, r), goal = body->goal;
    rslMat3 a = rslQuatMatrix(pose.rotation), b = rslQuatMatrix(goal.rotation);
    double turns = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        rslVec3 d = rslSub(a.row[i], b.row[i]);
        turns += rslDot(d, d);
    }
    return rslLength(rslSub(rslTop_Centre(body->def, &pose), rslTop_Centre(body->def, &goal))) +
           2.0 * body->size * sqrt(turns);
}

int rslMoveds_Parts(rslImplicit* m, rslState* state, int most)
{
    static const double mostTurn = 0.5;
    double length = 0.0, turn = 0.0, degree = 3.14159265358979323846 / 180.0, time = rslState_Time(state);
    int level = 0;
    if (m->moveds.count == 0)
    {
        return 0;
    }
    rslMoveds_Begin(m, state);
    m->stage.lead = state->step;
    rslMoveds_AimTheta(m, state->step, 1.0);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        double spin = rslLength(rslTop_Spin(body->def, &body->start));
        length = IsFree(body) ? length : rslMost(length, HeldWay(m, state, r));
        turn = m->barrier != NULL ? rslMost(turn, spin * state->step) : turn;
    }
    for (int j = 0; j < m->model->jointCount; ++j)
    {
        const rslJoint* joint = &m->model->joints[j];
        double way = joint->driven ? rslJoint_AngleAt(joint, time + state->step) - rslJoint_AngleAt(joint, time) : 0.0;
        turn = rslMost(turn, fabs(degree * way));
    }
    for (; level < most && (length > 0.5 * m->smallest || turn > mostTurn); length *= 0.5)
    {
        ++level;
        turn *= 0.5;
    }
    rslDynamics_Float(m->kernel, false);
    return level;
}

// ---- the end ------------------------------------------------------------------------------------------------------

void rslMoveds_End(rslImplicit* m, const rslState* state)
{
    rslNodeVector at = rslDisplacements(state);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        rslMoved* body = &m->moveds.bodies[r];
        rslFrame pose = rslMoveds_Pose(m, r, &at);
        Away away = AwayOf(body, &pose);
        pose.velocity = rslMulAdd(body->goal.velocity, m->stage.rate, away.way);
        pose.momentum = rslMulAdd(body->goal.momentum, m->stage.rate, TurnPull(body, &away));
        body->last = pose;
    }
    rslMoveds_FitSpeeds(m, state);
}

void rslMoveds_Land(rslImplicit* m, rslState* state)
{
    rslNodeVector at = rslDisplacements(state), w = rslVelocities(state);
    if (m->moveds.count == 0)
    {
        return;
    }
    rslDynamics_Float(m->kernel, false);
    state->account.motion += m->moveds.work;
    state->account.input += m->moveds.work > 0.0 ? m->moveds.work : 0.0;
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        const rslFrame* last = &body->last;
        rslFrame* frame = &state->frames[body->def->body];
        frame->origin = rslMulAdd(frame->origin, state->step, frame->velocity);
        frame->origin = rslAdd(frame->origin, rslMatVec(&body->axes, last->origin));
        frame->velocity = rslAdd(frame->velocity, rslMatVec(&body->axes, last->velocity));
        frame->momentum = rslMatVec(&body->axes, last->momentum);
        frame->rotation = rslQuatNormalize(rslQuatMul(frame->rotation, last->rotation));
        for (int c = body->begin; c < body->welds; ++c)
        {
            Put(&at, m->moveds.carried[c].node, (rslVec3){ 0 });
        }
    }
    rslMoveds_Clear(m, &at);
    rslMoveds_Clear(m, &w);
}
