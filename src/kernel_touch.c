// SPDX-License-Identifier: MIT
//
// kernel_touch.c: see kernel_touch.h.
//
// Account. Impulses lose heat, and colliders and what is held work (respond.c). Loads f were credited with the kick alone, and do
// h f.r/2 more where impulses change velocities by r; dampers likewise (kernel_drag.c). Shifts of places d lift potentials by -E.d, E
// their forces, which counts as heat with the work f.d of loads; the kick is h (E + f + D), D that of dampers, which have no potential.

#include "kernel_touch.h"

#include "guard.h"
#include "integrate.h"
#include "kernel_rigid.h"
#include "lattice_sweep.h"
#include "memory.h"
#include "top.h"

#include <string.h>

static const double drivenPart = 1e-4;  // of the size of cells: what is driven on by less meets nothing
static const double shiftPart = 0.02;   // of the spacing of a body: places are moved by no more in a step

// ---- making ---------------------------------------------------------------------------------------------------------

static void PlaceNodes(const Kernel* kernel, TouchKernel* touch)
{
    const rslModel* model = kernel->model;
    for (int c = 0; c < touch->count; ++c)
    {
        int node = model->contactNodes[c], body = rslModel_BodyOf(model, node);
        int bits = kernel->held != NULL ? kernel->held[node] : 0;
        touch->body[c] = body;
        touch->rest[c] = RSL_NAME(rslKernel_RestOf)(kernel, body, node);
        double yield = 1.0 / (double)kernel->mass[node];
        bool flat = model->plane == rsl_planeXY;
        for (int axis = 0; axis < 3; ++axis)
        {
            touch->yield[3 * (size_t)c + (size_t)axis] = (bits >> axis & 1) || (flat && axis == 2) ? 0.0 : yield;
        }
        if (touch->rigid == NULL)
        {
            continue;
        }
        const RigidKernel* rigids = kernel->rigids;
        int weld = rigids->weldOf != NULL ? rigids->weldOf[node] : -1;
        touch->rigid[c] = weld >= 0 ? rigids->welds[weld].rigid : rigids->ofBody[body];
        touch->rest[c] = weld >= 0 ? rigids->welds[weld].place : touch->rest[c];
    }
}

// Of the cells of a body: that of its spheres, if it has any.
static double SizeOf(const rslBody* body)
{
    double size = body->spacing;
    for (int v = 0; body->skin.radius != NULL && v < body->skin.vertexCount; ++v)
    {
        size = v == 0 || 2.0 * body->skin.radius[v] < size ? 2.0 * body->skin.radius[v] : size;
    }
    return size;
}

static bool MakeArrays(Kernel* kernel, TouchKernel* touch)
{
    const rslModel* model = kernel->model;
    size_t count = (size_t)touch->count;
    touch->body = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(int));
    touch->rest = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(rslVec3));
    touch->arrays = RSL_NAME(rslKernel_Allocate)(kernel, 8 * 3 * count, sizeof(double));
    touch->fastest = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)TouchBlocks(touch->count), sizeof(double));
    touch->largestShift = RSL_NAME(rslKernel_Allocate)(kernel, 3 * (size_t)model->bodyCount, sizeof(double));
    bool made = touch->body != NULL && touch->rest != NULL && touch->arrays != NULL && touch->fastest != NULL &&
                touch->largestShift != NULL;
    if (kernel->rigids != NULL)
    {
        touch->rigid = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(int));
        touch->rigids = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->rigidCount, sizeof(rslPushed));
        made = made && touch->rigid != NULL && touch->rigids != NULL;
    }
    double** const parts[8] = { &touch->x,    &touch->v,     &touch->kick,   &touch->a,
                                &touch->lift, &touch->yield, &touch->change, &touch->shift };
    for (size_t i = 0; made && i < 8; ++i)
    {
        *parts[i] = touch->arrays + 3 * count * i;
    }
    touch->noShift = made ? touch->largestShift + model->bodyCount : NULL;
    touch->skinSpeeds = made ? touch->noShift + model->bodyCount : NULL;
    touch->size = INFINITY;
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        double size = SizeOf(&model->bodies[b]);
        touch->largestShift[b] = shiftPart * size;
        touch->size = size > 0.0 && size < touch->size ? size : touch->size;
    }
    return made;
}

bool RSL_NAME(rslTouch_Make)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    TouchKernel* touch = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(TouchKernel));
    if (touch == NULL)
    {
        return false;
    }
    kernel->touch = touch;
    touch->count = model->contactNodeCount;
    touch->found.hooks = kernel->arena.hooks;
    touch->rule.model = model;
    touch->rule.durations = RSL_NAME(rslKernel_Allocate)(kernel, 2 * (size_t)model->bodyCount, sizeof(double));
    if (touch->rule.durations == NULL || !MakeArrays(kernel, touch))
    {
        return false;
    }
    touch->rule.swings = touch->rule.durations + model->bodyCount;
    PlaceNodes(kernel, touch);
    touch->collide = rslCollide_Create(model, &kernel->arena.hooks, kernel->team);
    touch->respond = rslRespond_Create(model, &kernel->arena.hooks, kernel->team);
    touch->spread = touch->collide != NULL ? rslCollide_Spread(touch->collide) : 1.0;
    bool predictive = model->touch.scheme == rsl_autoScheme || model->touch.scheme == rsl_predictiveScheme;
    touch->fast = predictive ? rslFast_Create(model, &kernel->arena.hooks, kernel->team) : NULL;
    return touch->collide != NULL && touch->respond != NULL && (touch->fast != NULL || !predictive) &&
           RSL_NAME(rslTouch_MakeNear)(kernel);
}

void RSL_NAME(rslTouch_SetStable)(Kernel* kernel, double stable, bool rebound)
{
    TouchKernel* touch = kernel->touch;
    if (touch != NULL)
    {
        touch->rule.inert = !rebound;
    }
    for (int b = 0; touch != NULL && touch->fast != NULL && b < kernel->model->bodyCount; ++b)
    {
        const rslBody* body = &kernel->model->bodies[b];
        touch->rule.durations[b] = body->model == rsl_rigidModel ? 0.0 : rslBody_TouchTime(body);
        touch->rule.swings[b] = rslBody_DampsSwings(body) ? 0.0 : touch->rule.durations[b];
        touch->rule.stable = stable < INFINITY ? stable : 0.0;
    }
}

void RSL_NAME(rslTouch_Free)(Kernel* kernel)
{
    TouchKernel* touch = kernel->touch;
    if (touch != NULL)
    {
        rslCollide_Free(touch->collide);
        rslRespond_Free(touch->respond);
        rslFast_Free(touch->fast);
        rslCollisions_Free(&touch->found);
    }
}

size_t RSL_NAME(rslTouch_Bytes)(const Kernel* kernel)
{
    const TouchKernel* touch = kernel->touch;
    return touch == NULL ? 0
                         : rslCollide_Bytes(touch->collide) + rslRespond_Bytes(touch->respond) +
                               rslFast_Bytes(touch->fast) + (size_t)touch->found.capacity * sizeof(rslCollision) +
                               (size_t)touch->found.nodeCapacity * (sizeof(int) + sizeof(double));
}

// ---- giving ---------------------------------------------------------------------------------------------------------

static void AddTo(Real* const array[3], int node, rslVec3 change)
{
    array[0][node] = (Real)((double)array[0][node] + change.x);
    array[1][node] = (Real)((double)array[1][node] + change.y);
    array[2][node] = (Real)((double)array[2][node] + change.z);
}

static void GiveNodes(Kernel* kernel, const View* view, double time, bool all, bool kicked, rslAccount* account)
{
    const TouchKernel* touch = kernel->touch;
    int count;
    const int* nodes = rslRespond_Nodes(touch->respond, &count);
    bool loaded = RSL_NAME(rslKernel_HasLoads)(kernel), weighs = kicked && WeighsKicks(kernel);
    for (int i = 0; i < (all ? touch->count : count); ++i)
    {
        int c = all ? i : nodes[i], node = kernel->model->contactNodes[c];
        if (touch->rigid != NULL && touch->rigid[c] >= 0)
        {
            continue;
        }
        const rslMat3* rotation = &kernel->frames[touch->body[c]].rotation;
        rslVec3 change = rslMatTVec(rotation, TouchAt(touch->change, c)), shift = TouchAt(touch->shift, c);
        rslVec3 before = VectorAt(view->w, node);
        AddTo(view->w, node, change);
        account->dissipated -=
            weighs ? 0.5 * time * rslDot(TouchDrag(kernel, node), rslSub(VectorAt(view->w, node), before)) : 0.0;
        rslVec3 load = loaded ? TouchAt(kernel->pull, node) : (rslVec3){ 0 };
        account->loads += 0.5 * time * rslDot(change, load);
        if (rslDot(shift, shift) > 0.0)
        {
            rslVec3 moved = rslMatTVec(rotation, shift);
            AddTo(view->u, node, moved);
            account->dissipated += (double)kernel->mass[node] / time * rslDot(TouchAt(touch->kick, c), shift);
            account->dissipated -= rslDot(TouchDrag(kernel, node), moved);
            account->loads += rslDot(load, moved);
        }
    }
}

static void TurnFrame(const rslRigid* def, rslFrame* frame, rslVec3 angle, rslVec3 shift)
{
    rslVec3 centre = rslTop_Centre(def, frame);
    rslQuat turn = { 1.0, 0.5 * angle.x, 0.5 * angle.y, 0.5 * angle.z };
    frame->rotation = rslQuatNormalize(rslQuatMul(turn, frame->rotation));
    rslTop_Place(def, frame, rslAdd(centre, shift));
}

// As HalfKick in respond_fast.c has it for nodes, and the energy of a spin that was stopped.
static double LateHeat(const rslRigid* def, const rslFrame* frame, const rslPushed* pushed)
{
    return 0.5 * def->mass * rslDot(pushed->kick, pushed->late) +
           0.5 * rslDot(pushed->twist, rslTop_Times(def, frame, pushed->lateSpin)) +
           0.5 * rslDot(pushed->stopped, rslTop_Times(def, frame, pushed->stopped));
}

static void GiveRigids(Kernel* kernel, const View* view, double time, rslAccount* account)
{
    for (int r = 0; r < kernel->rigids->count; ++r)
    {
        const RigidBody* rigid = &kernel->rigids->bodies[r];
        const rslPushed* pushed = &kernel->touch->rigids[r];
        rslFrame* frame = &view->frames[rigid->def->body];
        if (rigid->def->constraint >= 0)
        {
            continue;
        }
        rslVec3 turn = rslTop_Times(rigid->def, frame, pushed->changeOfSpin);
        frame->velocity = rslAdd(frame->velocity, pushed->change);
        frame->momentum = rslAdd(frame->momentum, turn);
        account->loads +=
            0.5 * time *
            (rslDot(rigid->loads.force, pushed->change) + rslDot(rigid->loads.torque, pushed->changeOfSpin));
        account->dissipated += LateHeat(rigid->def, frame, pushed);
        if (rslDot(pushed->shift, pushed->shift) + rslDot(pushed->angle, pushed->angle) > 0.0)
        {
            rslVec3 twist = rslTop_Times(rigid->def, frame, pushed->twist);
            account->dissipated +=
                (rigid->def->mass * rslDot(pushed->kick, pushed->shift) + rslDot(twist, pushed->angle)) / time;
            account->dissipated -= rslDot(rigid->drag.force, pushed->shift) + rslDot(rigid->drag.torque, pushed->angle);
            account->loads += rslDot(rigid->loads.force, pushed->shift) + rslDot(rigid->loads.torque, pushed->angle);
            TurnFrame(rigid->def, frame, pushed->angle, pushed->shift);
        }
    }
    RSL_NAME(rslRigids_Spread)(kernel, view);
}

// ---- a step ---------------------------------------------------------------------------------------------------------

static rslLook LookOf(const TouchKernel* touch, double step, double time, bool moves)
{
    rslLook look = { .x = touch->x, .step = step, .time = time };
    look.few = touch->near.known;
    look.told = touch->near.known && !touch->near.quick;
    look.v = moves ? touch->v : NULL;
    look.a = moves ? touch->a : NULL;
    return look;
}

// How fast that closes the fastest of what was found.
static double ClosesAt(const TouchKernel* touch)
{
    const rslCollisions* found = &touch->found;
    double fastest = 0.0;
    for (int i = 0; i < found->count; ++i)
    {
        const rslCollision* one = &found->list[i];
        rslVec3 u = rslScale(-1.0, one->velocity);
        for (int k = one->begin; k < one->begin + one->count; ++k)
        {
            u = rslMulAdd(u, found->weights[k], TouchAt(touch->v, found->nodes[k]));
        }
        fastest = rslMost(fastest, -rslDot(one->normal, u));
    }
    return fastest;
}

// How far impulses of the step may drive anything on: what is hit becomes twice as fast as what hits it, at most. 0: not worth it.
static double FarthestDriven(const TouchKernel* touch, double step, double fastest)
{
    double driven = 2.0 * step * fastest, most = RSL_FAST_PART * touch->size;
    driven = driven < most ? driven : most;
    return driven > drivenPart * touch->size ? driven : 0.0;
}

// All that can close in the step, and what is hit may hit something in turn.
static rslStatus FindAll(TouchKernel* touch, double step, double time, bool fast)
{
    rslLook look = LookOf(touch, step, time, !fast);
    double fastest = 0.0;
    if (fast)
    {
        look.reach = RSL_FAST_PART * touch->size;
        return rslCollide_Find(touch->collide, &look, &touch->found);
    }
    if (look.few && rslCollide_FewCloseAt(touch->collide, &look, &fastest))
    {
        look.again = true;
        look.reach = FarthestDriven(touch, step, fastest);
        return rslCollide_Find(touch->collide, &look, &touch->found);
    }
    rslStatus status = rslCollide_Find(touch->collide, &look, &touch->found);
    look.again = true;
    look.reach = status == rsl_ok && touch->fast != NULL ? FarthestDriven(touch, step, ClosesAt(touch)) : 0.0;
    return look.reach > 0.0 ? rslCollide_Find(touch->collide, &look, &touch->found) : status;
}

static rslResponse ResponseOf(const Kernel* kernel, double step)
{
    TouchKernel* touch = kernel->touch;
    return (rslResponse){ .step = step,
                          .collisions = &touch->found,
                          .x = touch->x,
                          .v = touch->v,
                          .kick = touch->kick,
                          .lift = touch->lift,
                          .yield = touch->yield,
                          .rigid = touch->rigid,
                          .rigids = touch->rigids,
                          .rigidCount = kernel->rigids != NULL ? kernel->rigids->count : 0,
                          .largestShift = touch->largestShift,
                          .stable = touch->rule.stable,
                          .divided = touch->divided,
                          .change = touch->change,
                          .shift = touch->shift };
}

static void Clear(TouchKernel* touch, double* array)
{
    memset(array, 0, 3 * (size_t)touch->count * sizeof(double));
}

// False: out of memory.
static bool Answer(const Kernel* kernel, rslState* state, double time, bool fast, rslResponse* response)
{
    TouchKernel* touch = kernel->touch;
    double little = fast ? RSL_NAME(rslTouch_Little)(kernel, time, state->step) : 0.0;
    if (fast)
    {
        response->largestShift = touch->noShift;  // ways are swept from where they begin
        Clear(touch, touch->change);
        Clear(touch, touch->shift);
    }
    bool found = FindAll(touch, state->step, time, fast) == rsl_ok;
    rslImpactNeeds needs = { 0 };
    if (found)
    {
        rslRespond* beside = rslRespond_MayBegin(touch->respond, response) ? touch->respond : NULL;
        if (beside != NULL && !rslRespond_MakeRoom(beside, response))
        {
            return false;
        }
        needs = rslImpactRule_Look(&touch->rule, response, touch->divided > 0, beside, kernel->team);
    }
    touch->asks = needs.asks;
    if (touch->asks > 0.0)
    {
        return true;  // it will be taken back
    }
    touch->goesOn = needs.goesOn;
    found = found && rslRespond_Step(touch->respond, response, state) == rsl_ok &&
            (!fast || rslFast_Step(touch->fast, touch->collide, response, time, little, state) == rsl_ok);
    touch->asks = found && fast ? rslImpactRule_AsksOnWays(&touch->rule, response) : 0.0;
    touch->swings = touch->divided > 0 && rslImpactRule_Swings(&touch->rule, state);
    return found;
}

// After a kick of a time.
static void Give(Kernel* kernel, const View* view, const rslResponse* response, double kick, bool all, bool kicked,
                 rslAccount* account)
{
    GuardKick(kernel);
    RSL_NAME(rslHardVolume_Touched)(kernel, view, false, false);
    RSL_NAME(rslGuard_Pushed)(kernel, view, response->moved);
    GiveNodes(kernel, view, kick, all, kicked, account);
    if (kernel->rigids != NULL)
    {
        GiveRigids(kernel, view, kick, account);
    }
    account->dissipated += response->heat;
    account->dissipated += RSL_NAME(rslHardVolume_Touched)(kernel, view, true, response->moved > 0.0);
    account->motion += response->motion;
    account->input += response->motion > 0.0 ? response->motion : 0.0;
}

void RSL_NAME(rslTouch_Leave)(Kernel* kernel, rslState* state, double time)
{
    TouchKernel* touch = kernel->touch;
    if (touch == NULL || (state->stepCount > 0 && !Divides(kernel)))
    {
        return;
    }
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    if (!Divides(kernel))
    {
        GuardKick(kernel);  // nobody tells when states are new
    }
    if (RSL_NAME(rslTouch_IsSlow)(kernel, &view, rslState_Time(state), time))
    {
        return;
    }
    RSL_NAME(rslTouch_LookAtRigids)(kernel, &view, 0.0);
    RSL_NAME(rslTouch_LookAtAll)(kernel, &view, 0.0, 0.0);
    Clear(touch, touch->kick);
    Clear(touch, touch->change);
    Clear(touch, touch->shift);
    rslResponse response = ResponseOf(kernel, time);
    if (!RSL_NAME(rslTouch_IsFast)(kernel, rslState_Time(state), time))
    {
        return;
    }
    double little = RSL_NAME(rslTouch_Little)(kernel, rslState_Time(state), time);
    if (rslFast_Step(touch->fast, touch->collide, &response, rslState_Time(state), little, state) != rsl_ok)
    {
        touch->outOfMemory = true;
        return;
    }
    RSL_NAME(rslTouch_Forget)(kernel);
    Give(kernel, &view, &response, time, true, false, &state->account);
}

// What is remembered is what a kick of the length of the step asks for.
static void Remember(const Kernel* kernel, rslState* state, double scale)
{
    if (scale != 1.0)
    {
        rslRespond_Rescale(kernel->touch->respond, state, scale);
    }
}

void RSL_NAME(rslTouch_Kick)(Kernel* kernel, const View* view, rslState* state, double time, double kick)
{
    double h = state->step;
    bool known = RSL_NAME(rslTouch_KnowsNear)(kernel, view, state, kick);
    void (*look)(const Kernel*, const View*, double, double) =
        known && !kernel->touch->near.quick ? RSL_NAME(rslTouch_LookAtNear) : RSL_NAME(rslTouch_LookAtAll);
    RSL_NAME(rslTouch_LookAtRigids)(kernel, view, 0.0);
    look(kernel, view, 0.0, 0.0);
    RSL_NAME(rslKick)(kernel, view, kick);
    if (kernel->guard != NULL && kernel->guard->failed)
    {
        return;  // it will be taken back
    }
    RSL_NAME(rslTouch_LookAtRigids)(kernel, view, kick);
    look(kernel, view, h, kick);
    rslResponse response = ResponseOf(kernel, h);
    bool fast = !known                      ? RSL_NAME(rslTouch_IsFast)(kernel, time, h)
                : kernel->touch->near.quick ? RSL_NAME(rslTouch_IsQuickFast)(kernel, h)
                                            : false;
    kernel->touch->near.known = known && !fast;
    Remember(kernel, state, kick / h);
    if (!Answer(kernel, state, time, fast, &response))
    {
        kernel->touch->outOfMemory = true;
        return;
    }
    if (kernel->touch->asks > 0.0)
    {
        return;
    }
    Give(kernel, view, &response, kick, fast, true, &state->account);
    Remember(kernel, state, h / kick);
    const TouchKernel* touch = kernel->touch;
    if (!known && !fast)
    {
        RSL_NAME(rslTouch_ListNear)(kernel, h);
    }
    else if (!fast && touch->found.count == 0 && state->touchedCount == 0)
    {
        RSL_NAME(rslTouch_MapFew)(kernel, touch->near.others - touch->near.moved);
    }
    RSL_NAME(rslTouch_Shifted)(kernel, response.moved);
    kernel->touch->flight.mapped = kernel->touch->flight.mapped && !(response.moved > 0.0);
}
