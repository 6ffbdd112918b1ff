// SPDX-License-Identifier: MIT
//
// kernel_touch_look.c: where contact nodes are in the world, how fast, and what a kick does to them; and whether anything is so fast that
// it may pass something.
//
// The kick is what it has changed of velocities: with all that rounding, constraints and joints make of it. Nodes that rigid bodies
// carry are looked at through these. Held axes are not kicked, and do not yield.

#include "kernel_touch.h"

#include "kernel_rigid.h"
#include "top.h"

enum
{
    FEW = 8  // items: not worth waking others for
};

// ---- nodes -----------------------------------------------------------------------------------------------------------

typedef struct Looking
{
    const Kernel* kernel;
    const View* view;
    bool kicked;
    double step, kick;  // [s]
} Looking;

static void Store(double* array, int c, rslVec3 a)
{
    double* at = &array[3 * (size_t)c];
    at[0] = a.x;
    at[1] = a.y;
    at[2] = a.z;
}

static rslVec3 Times(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ a.x * b.x, a.y * b.y, a.z * b.z };
}

// Where a rigid body has one of its nodes, and how fast.
static rslVec3 CarriedSpeed(const rslPushed* rigid, rslVec3 x, bool kick)
{
    rslVec3 arm = rslSub(x, rigid->centre);
    return rslAdd(kick ? rigid->kick : rigid->velocity, rslCross(kick ? rigid->twist : rigid->spin, arm));
}

static void LookAtCarried(const Looking* look, int c)
{
    const TouchKernel* touch = look->kernel->touch;
    const RigidBody* rigid = &look->kernel->rigids->bodies[touch->rigid[c]];
    const rslPushed* pushed = &touch->rigids[touch->rigid[c]];
    const rslFrame* frame = &look->view->frames[rigid->def->body];
    if (!look->kicked)
    {
        rslMat3 rotation = rslQuatMatrix(frame->rotation);
        Store(touch->x, c, rslAdd(frame->origin, rslMatVec(&rotation, touch->rest[c])));
    }
    rslVec3 v = CarriedSpeed(pushed, TouchAt(touch->x, c), look->kicked);
    Store(look->kicked ? touch->kick : touch->v, c, v);
}

static void LookAtNode(const Looking* look, int c)
{
    const TouchKernel* touch = look->kernel->touch;
    const FrameView* frame = &look->kernel->frames[touch->body[c]];
    int node = look->kernel->model->contactNodes[c];
    const View* view = look->view;
    rslVec3 w = { (double)view->w[0][node], (double)view->w[1][node], (double)view->w[2][node] };
    rslVec3 v = rslAdd(frame->velocity, rslMatVec(&frame->rotation, w));
    if (look->kicked)
    {
        rslVec3 kick = rslSub(v, TouchAt(touch->v, c)), yield = TouchAt(touch->yield, c);
        kick = (rslVec3){ yield.x > 0.0 ? kick.x : 0.0, yield.y > 0.0 ? kick.y : 0.0, yield.z > 0.0 ? kick.z : 0.0 };
        rslVec3 drag = rslMatVec(&frame->rotation, TouchDrag(look->kernel, node));
        Store(touch->kick, c, kick);
        Store(touch->lift, c, rslSub(rslScale(1.0 / look->kick, kick), Times(yield, drag)));
        return;
    }
    rslVec3 u = { (double)view->u[0][node], (double)view->u[1][node], (double)view->u[2][node] };
    Store(touch->x, c, rslAdd(frame->origin, rslMatVec(&frame->rotation, rslAdd(touch->rest[c], u))));
    Store(touch->v, c, v);
}

// Returns the square of its speed.
static double LookAtOne(const Looking* look, int c)
{
    const TouchKernel* touch = look->kernel->touch;
    if (touch->rigid != NULL && touch->rigid[c] >= 0)
    {
        LookAtCarried(look, c);
    }
    else
    {
        LookAtNode(look, c);
    }
    rslVec3 v = TouchAt(touch->v, c);
    if (look->kicked)
    {
        rslVec3 kick = TouchAt(touch->kick, c);
        v = rslAdd(v, kick);
        Store(touch->a, c, (rslVec3){ kick.x / look->step, kick.y / look->step, kick.z / look->step });
    }
    return rslDot(v, v);
}

static void LookAtBlock(int item, void* context)
{
    const Looking* look = context;
    const TouchKernel* touch = look->kernel->touch;
    int end = touch->count - item * TOUCH_BLOCK < TOUCH_BLOCK ? touch->count : (item + 1) * TOUCH_BLOCK;
    double most = 0.0;
    for (int c = item * TOUCH_BLOCK; c < end; ++c)
    {
        most = rslMost(most, LookAtOne(look, c));
    }
    touch->fastest[item] = look->kicked ? rslMost(touch->fastest[item], most) : most;
}

void RSL_NAME(rslTouch_LookAtAll)(const Kernel* kernel, const View* view, double step, double kick)
{
    Looking look = { kernel, view, step > 0.0, step, kick };
    int items = TouchBlocks(kernel->touch->count);
    if (items > FEW)
    {
        rslTeam_Run(kernel->team, LookAtBlock, items, &look);
        return;
    }
    for (int i = 0; i < items; ++i)
    {
        LookAtBlock(i, &look);
    }
}

void RSL_NAME(rslTouch_LookAtNear)(const Kernel* kernel, const View* view, double step, double kick)
{
    Looking look = { kernel, view, step > 0.0, step, kick };
    int count;
    const int* nodes = rslCollide_FewNodes(kernel->touch->collide, &count);
    for (int i = 0; i < count; ++i)
    {
        (void)LookAtOne(&look, nodes[i]);
    }
}

// After a kick of a time; 0: before it.
void RSL_NAME(rslTouch_LookAtRigids)(const Kernel* kernel, const View* view, double kick)
{
    for (int r = 0; kernel->rigids != NULL && r < kernel->rigids->count; ++r)
    {
        const rslRigid* def = kernel->rigids->bodies[r].def;
        const rslFrame* frame = &view->frames[def->body];
        rslPushed* pushed = &kernel->touch->rigids[r];
        rslVec3 spin = rslTop_Spin(def, frame);
        bool free = def->constraint < 0;
        if (kick > 0.0)
        {
            const Wrench* drag = &kernel->rigids->bodies[r].drag;
            pushed->kick = free ? rslSub(frame->velocity, pushed->velocity) : (rslVec3){ 0 };
            pushed->twist = free ? rslSub(spin, pushed->spin) : (rslVec3){ 0 };
            pushed->lift = rslSub(rslScale(1.0 / kick, pushed->kick), Times(pushed->yield, drag->force));
            pushed->tilt = rslSub(rslScale(1.0 / kick, pushed->twist), rslMatVec(&pushed->turn, drag->torque));
            continue;
        }
        *pushed = rslPushed_Of(def, frame);
    }
}

// ---- what is fast ---------------------------------------------------------------------------------------------------

// How far a solid goes in a step, at most. Planes have no other side.
static double FarthestCollider(const Kernel* kernel, double time, double step)
{
    double most = 0.0;
    for (int k = 0; k < kernel->model->colliderCount; ++k)
    {
        most = rslMost(most, rslCollider_Travel(&kernel->model->colliders[k], time, step));
    }
    return most;
}

static void LookAtSkin(int item, void* context)
{
    const Kernel* kernel = context;
    const TouchKernel* touch = kernel->touch;
    const rslSkin* skin = &kernel->model->bodies[item].skin;
    double most = 0.0;
    for (int v = 0; v < skin->vertexCount; ++v)
    {
        rslVec3 before = { 0 }, kick = { 0 };
        for (int e = skin->stencilStart[v]; e < skin->stencilStart[v + 1]; ++e)
        {
            before = rslMulAdd(before, skin->stencilWeights[e], TouchAt(touch->v, skin->stencilNodes[e]));
            kick = rslMulAdd(kick, skin->stencilWeights[e], TouchAt(touch->kick, skin->stencilNodes[e]));
        }
        rslVec3 after = rslAdd(before, kick);
        most = rslMost(rslMost(most, rslDot(before, before)), rslDot(after, after));
    }
    touch->skinSpeeds[item] = most;
}

// Of vertices of skins. Nodes say how fast they can be, and a node that has next to nothing of a vertex may swing as it likes.
static bool IsSkinFast(Kernel* kernel, double step)
{
    const TouchKernel* touch = kernel->touch;
    double nodes = 0.0, skins = 0.0;
    for (int b = 0; b < TouchBlocks(touch->count); ++b)
    {
        nodes = rslMost(nodes, touch->fastest[b]);
    }
    if (!(step * touch->spread * sqrt(nodes) > RSL_FAST_PART * touch->size))
    {
        return false;
    }
    rslTeam_Run(kernel->team, LookAtSkin, kernel->model->bodyCount, kernel);
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        skins = rslMost(skins, touch->skinSpeeds[b]);
    }
    return step * sqrt(skins) > RSL_FAST_PART * touch->size;
}

// Of all that was looked at. Published schemes are as they were published.
bool RSL_NAME(rslTouch_IsFast)(Kernel* kernel, double time, double step)
{
    return kernel->touch->fast != NULL &&
           (IsSkinFast(kernel, step) || FarthestCollider(kernel, time, step) > RSL_FAST_PART * kernel->touch->size);
}

// Two that move by no more in a fast step are answered as what is near. Colliders that move by more meet what is still as well.
double RSL_NAME(rslTouch_Little)(const Kernel* kernel, double time, double step)
{
    double little = 0.5 * RSL_FAST_PART * kernel->touch->size;
    return FarthestCollider(kernel, time, step) > little ? -1.0 : little;
}

// Is nothing that fast, without a look at it? No node is faster than its frame and what it moves in it.
bool RSL_NAME(rslTouch_IsSlow)(Kernel* kernel, const View* view, double time, double step)
{
    const TouchKernel* touch = kernel->touch;
    if (touch->fast == NULL || touch->rigid != NULL)
    {
        return touch->fast == NULL;
    }
    return step * touch->spread * RSL_NAME(rslTouch_BoundSpeeds)(kernel, view) < RSL_FAST_PART * touch->size &&
           FarthestCollider(kernel, time, step) <= RSL_FAST_PART * touch->size;
}
