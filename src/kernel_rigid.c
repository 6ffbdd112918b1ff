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
    rigids->ahead = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->bodyCount, sizeof(rslFrame));
    rigids->held = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)rigids->count, sizeof(rslAcceleration));
    rigids->forces = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)rigids->count, sizeof(rslWrench));
    return rigids->ahead != NULL && rigids->held != NULL && rigids->forces != NULL &&
           rslJoints_Make(&rigids->joints, model, &kernel->arena) && (welds == 0 || MakeWelds(kernel, rigids, welds));
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

static bool HasLoad(const RigidBody* rigid)
{
    return rslDot(rigid->loads.force, rigid->loads.force) + rslDot(rigid->loads.torque, rigid->loads.torque) > 0.0;
}

static void KickFrame(const RigidBody* rigid, rslFrame* frame, double time)
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
        KickFrame(rigid, frame, view->kick);
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
        loaded = loaded || HasLoad(rigid);
    }
    return loaded && view->kick > 0.0 ? LoadPower(kernel, view) : 0.0;
}

// ---- moves ----------------------------------------------------------------------------------------------------------

static rslFrame HeldFrame(const Kernel* kernel, const rslRigid* rigid, double time, double step)
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
            rigids->ahead[rigid->body] = HeldFrame(kernel, rigid, rigids->now + time, rigids->step);
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
        KickFrame(&rigids->bodies[r], &view->frames[rigids->bodies[r].def->body], time);
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
    if (kernel->rigids == NULL)
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
            *frame = HeldFrame(kernel, rigid, time, step);
        }
        RSL_NAME(rslKernel_Aim)(kernel, rigid->body, frame, 0.0);
        RSL_NAME(rslPlanes_Aim)(kernel, rigid->body);
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

// ---- pushes and reactions -------------------------------------------------------------------------------------------

static const rslRigid* RigidOf(const Kernel* kernel, int body)
{
    const RigidBody* rigid = kernel->rigids->bodies;
    while (rigid->def->body != body)
    {
        ++rigid;
    }
    return rigid->def;
}

rslVec3 RSL_NAME(rslRigids_Velocity)(const Kernel* kernel, const View* view, int body, rslVec3 x)
{
    const rslRigid* rigid = RigidOf(kernel, body);
    const rslFrame* frame = &view->frames[body];
    rslVec3 arm = rslSub(x, rslTop_Centre(rigid, frame));
    return rslAdd(frame->velocity, rslCross(rslTop_Spin(rigid, frame), arm));
}

double RSL_NAME(rslRigids_Yield)(const Kernel* kernel, const View* view, int body, rslVec3 x, rslVec3 along)
{
    const rslRigid* rigid = RigidOf(kernel, body);
    rslVec3 turn = rslCross(rslSub(x, rslTop_Centre(rigid, &view->frames[body])), along);
    return rigid->constraint >= 0 ? 0.0
                                  : 1.0 / rigid->mass + rslDot(turn, rslTop_Divide(rigid, &view->frames[body], turn));
}

void RSL_NAME(rslRigids_Push)(const Kernel* kernel, const View* view, int body, rslVec3 x, rslVec3 impulse)
{
    const rslRigid* rigid = RigidOf(kernel, body);
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
