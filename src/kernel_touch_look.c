// SPDX-License-Identifier: MIT
//
// kernel_touch_look.c: where contact nodes are in the world, how fast, and what a kick does to them; and whether anything is so fast that
// it may pass something.
//
// The kick is what it has changed of velocities: with all that rounding, constraints and joints make of it. Nodes that rigid bodies
// carry are looked at through these. Held axes are not kicked, and do not yield.

#include "kernel_touch.h"

#include "kernel_rigid.h"
#include "lanes.h"
#include "top.h"

#define LookAtSome RSL_NAME(rslTouch_LookAtSome)

enum
{
    FEW = 3  // items: not worth waking others for
};

// ---- nodes -----------------------------------------------------------------------------------------------------------

typedef struct Looking
{
    const Kernel* kernel;
    const View* view;
    bool kicked;
    double step;      // [s]
    double inverse;   // 1 / kick [1/s]
    const int* list;  // of contact nodes, NULL: all
    int count;
} Looking;

typedef int64_t Sign __attribute__((vector_size(32)));

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

// A frame in lanes: columns of its rotation.
typedef struct Frame
{
    int body;
    rslFour column[3], origin, velocity;
} Frame;

RSL_INLINE void Enter(const Kernel* kernel, int body, Frame* frame)
{
    const FrameView* view = &kernel->frames[body];
    const rslMat3* m = &view->rotation;
    frame->body = body;
    frame->column[0] = (rslFour){ m->row[0].x, m->row[1].x, m->row[2].x, 0.0 };
    frame->column[1] = (rslFour){ m->row[0].y, m->row[1].y, m->row[2].y, 0.0 };
    frame->column[2] = (rslFour){ m->row[0].z, m->row[1].z, m->row[2].z, 0.0 };
    frame->origin = (rslFour){ view->origin.x, view->origin.y, view->origin.z, 0.0 };
    frame->velocity = (rslFour){ view->velocity.x, view->velocity.y, view->velocity.z, 0.0 };
}

RSL_INLINE void Turn(const Frame* frame, double x, double y, double z, rslFour* out)
{
    *out = (x * frame->column[0] + y * frame->column[1]) + z * frame->column[2];
}

RSL_INLINE void LookBefore(const Looking* look, const Frame* frame, int c, int node, rslFour* v)
{
    const TouchKernel* touch = look->kernel->touch;
    Real *const *u = look->view->u, *const *w = look->view->w;
    const rslVec3* rest = &touch->rest[c];
    rslFour x;
    Turn(frame, (double)w[0][node], (double)w[1][node], (double)w[2][node], v);
    Turn(frame, rest->x + (double)u[0][node], rest->y + (double)u[1][node], rest->z + (double)u[2][node], &x);
    *v += frame->velocity;
    x += frame->origin;
    rslFour_Put(&x, &touch->x[3 * (size_t)c]);
    rslFour_Put(v, &touch->v[3 * (size_t)c]);
}

RSL_INLINE void LookAfter(const Looking* look, const Frame* frame, int c, int node, rslFour* after)
{
    const Kernel* kernel = look->kernel;
    const TouchKernel* touch = kernel->touch;
    Real* const* w = look->view->w;
    size_t at = 3 * (size_t)c;
    rslFour before, yield, kick, lift, drag = { 0 }, none = { 0 };
    rslFour_Get(&touch->v[at], &before);
    rslFour_Get(&touch->yield[at], &yield);
    Turn(frame, (double)w[0][node], (double)w[1][node], (double)w[2][node], after);
    kick = (*after + frame->velocity) - before;
    kick = (rslFour)((Sign)kick & (Sign)(yield > none));
    if (kernel->drag[0] != NULL)
    {
        Turn(frame, (double)kernel->drag[0][node], (double)kernel->drag[1][node], (double)kernel->drag[2][node], &drag);
    }
    lift = look->inverse * kick - yield * drag;
    *after = before + kick;
    rslFour_Put(&kick, &touch->kick[at]);
    rslFour_Put(&lift, &touch->lift[at]);
    kick /= look->step;
    rslFour_Put(&kick, &touch->a[at]);
}

// Returns the square of its speed.
static double LookAtRigid(const Looking* look, int c)
{
    const TouchKernel* touch = look->kernel->touch;
    LookAtCarried(look, c);
    rslVec3 v = TouchAt(touch->v, c);
    if (look->kicked)
    {
        rslVec3 kick = TouchAt(touch->kick, c);
        v = rslAdd(v, kick);
        Store(touch->a, c, (rslVec3){ kick.x / look->step, kick.y / look->step, kick.z / look->step });
    }
    return rslDot(v, v);
}

// Contact nodes of a list, or those from begin on. Returns the largest square of their speeds.
RSL_CLONES static double LookAtSome(const Looking* look, int begin, int end)
{
    const Kernel* kernel = look->kernel;
    const TouchKernel* touch = kernel->touch;
    const int* nodes = kernel->model->contactNodes;
    Frame frame = { .body = -1 };
    double most = 0.0;
    for (int i = begin; i < end; ++i)
    {
        int c = look->list != NULL ? look->list[i] : i;
        rslFour v;
        if (touch->rigid != NULL && touch->rigid[c] >= 0)
        {
            most = rslMost(most, LookAtRigid(look, c));
            continue;
        }
        if (touch->body[c] != frame.body)
        {
            Enter(kernel, touch->body[c], &frame);
        }
        if (look->kicked)
        {
            LookAfter(look, &frame, c, nodes[c], &v);
        }
        else
        {
            LookBefore(look, &frame, c, nodes[c], &v);
        }
        most = rslMost(most, rslFour_Dot(&v, &v));
    }
    return most;
}

static void LookAtBlock(int item, void* context)
{
    const Looking* look = context;
    const TouchKernel* touch = look->kernel->touch;
    int end = look->count - item * TOUCH_BLOCK < TOUCH_BLOCK ? look->count : (item + 1) * TOUCH_BLOCK;
    double most = LookAtSome(look, item * TOUCH_BLOCK, end);
    if (look->list != NULL && look->kicked)
    {
        rslLook few = { .x = touch->x, .v = touch->v, .a = touch->a };
        rslCollide_LookAtFew(touch->collide, &few, item * TOUCH_BLOCK, end);
    }
    if (look->list == NULL)
    {
        touch->fastest[item] = look->kicked ? rslMost(touch->fastest[item], most) : most;
    }
}

static void LookAt(const Kernel* kernel, Looking* look)
{
    int items = TouchBlocks(look->count);
    if (items > FEW)
    {
        rslTeam_Run(kernel->team, LookAtBlock, items, look);
        return;
    }
    for (int i = 0; i < items; ++i)
    {
        LookAtBlock(i, look);
    }
}

void RSL_NAME(rslTouch_LookAtAll)(const Kernel* kernel, const View* view, double step, double kick)
{
    LookAt(kernel, &(Looking){ kernel, view, step > 0.0, step, 1.0 / kick, NULL, kernel->touch->count });
}

void RSL_NAME(rslTouch_LookAtNear)(const Kernel* kernel, const View* view, double step, double kick)
{
    Looking look = { .kernel = kernel, .view = view, .kicked = step > 0.0, .step = step, .inverse = 1.0 / kick };
    look.list = rslCollide_FewNodes(kernel->touch->collide, &look.count);
    LookAt(kernel, &look);
}

void RSL_NAME(rslTouch_LookAtNodes)(const Kernel* kernel, const View* view, const int* nodes, int count)
{
    LookAtSome(&(Looking){ .kernel = kernel, .view = view, .list = nodes, .count = count }, 0, count);
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
    TouchKernel* touch = kernel->touch;
    if (touch->fast == NULL || touch->rigid != NULL)
    {
        return touch->fast == NULL;
    }
    touch->near.speed = RSL_NAME(rslTouch_BoundSpeeds)(kernel, view);
    touch->near.found = true;
    return step * touch->spread * touch->near.speed < RSL_FAST_PART * touch->size &&
           FarthestCollider(kernel, time, step) <= RSL_FAST_PART * touch->size;
}
