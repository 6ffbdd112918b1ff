// SPDX-License-Identifier: MIT
//
// constrain.c: pins and prescribed motion. The held world axes of a node are put where they have to be; the others stay
// free.
//
//   x(t) = T(f) x0 (movement.h) + f offset of the node
//   v(t) = (x(t + h/2) - x(t - h/2)) / h, not looking back beyond time 0
// Work of a prescribed motion on the body over a step, from the forces f of the body on the node:
//   1/2 m v(t)^2 - 1/2 m v(t - h)^2 - integral of f . v
// Velocity Verlet takes the mean of f . v at both ends of the step, the others f . (v(t) + v(t - h)) / 2.

#include "elementary.h"
#include "guard.h"
#include "kernel_rigid.h"
#include "movement.h"
#include "top.h"

enum
{
    HOLD_CHUNK = 256  // nodes held by one item of work
};

static rslVec3 Triple(const double* array, int n)
{
    const double* x = &array[3 * (size_t)n];
    return (rslVec3){ x[0], x[1], x[2] };
}

static rslVec3 Place(const rslPlacement* at, const rslConstraint* constraint, int n)
{
    rslVec3 x = rslPlacement_Move(at, Triple(constraint->start, n));
    return constraint->offsets != NULL ? rslMulAdd(x, at->factor, Triple(constraint->offsets, n)) : x;
}

// Where a constraint wants its nodes at a time, and how fast.
typedef struct Target
{
    const rslConstraint* constraint;
    const HeldNode* nodes;
    bool moving;
    double span;
    rslPlacement at, before, after;
} Target;

static Target MakeTarget(const Kernel* kernel, int index, double time, double step)
{
    const rslConstraint* constraint = &kernel->model->constraints[index];
    double begin = time > 0.5 * step ? time - 0.5 * step : 0.0;
    Target target = { .constraint = constraint, .nodes = kernel->heldNodes[index] };
    target.moving = constraint->type == rsl_motionConstraint;
    target.span = time + 0.5 * step - begin;
    if (target.moving)
    {
        target.at = rslMovement_At(&constraint->move, time);
        target.before = rslMovement_At(&constraint->move, begin);
        target.after = rslMovement_At(&constraint->move, time + 0.5 * step);
    }
    return target;
}

static rslVec3 TargetPosition(const Target* target, int n)
{
    const rslConstraint* constraint = target->constraint;
    return target->moving ? Place(&target->at, constraint, n) : Triple(constraint->start, n);
}

static rslVec3 TargetVelocity(const Target* target, int n)
{
    if (!target->moving)
    {
        return (rslVec3){ 0 };
    }
    rslVec3 before = Place(&target->before, target->constraint, n);
    return rslScale(1.0 / target->span, rslSub(Place(&target->after, target->constraint, n), before));
}

// The components along held axes.
static rslVec3 Held(const rslConstraint* constraint, rslVec3 a)
{
    return (rslVec3){ constraint->axes[0] ? a.x : 0.0, constraint->axes[1] ? a.y : 0.0,
                      constraint->axes[2] ? a.z : 0.0 };
}

static void AddTo(Real* const array[3], int node, rslVec3 change)
{
    array[0][node] = (Real)((double)array[0][node] + change.x);
    array[1][node] = (Real)((double)array[1][node] + change.y);
    array[2][node] = (Real)((double)array[2][node] + change.z);
}

// Returns the square of how far it was away.
static double HoldNode(const View* view, const FrameView* frame, const Target* target, int n)
{
    int node = target->constraint->nodes[n];
    rslVec3 y = rslAdd(target->nodes[n].rest, VectorAt(view->u, node));
    rslVec3 x = rslAdd(frame->origin, rslMatVec(&frame->rotation, y));
    rslVec3 v = rslAdd(frame->velocity, rslMatVec(&frame->rotation, VectorAt(view->w, node)));
    rslVec3 dx = Held(target->constraint, rslSub(TargetPosition(target, n), x));
    rslVec3 dv = Held(target->constraint, rslSub(TargetVelocity(target, n), v));
    AddTo(view->u, node, rslMatTVec(&frame->rotation, dx));
    AddTo(view->w, node, rslMatTVec(&frame->rotation, dv));
    return rslDot(dx, dx);
}

double RSL_NAME(rslKernel_HoldPin)(const Kernel* kernel, const View* view, const FrameView* frame, int constraint,
                                   int number)
{
    Target target = { .constraint = &kernel->model->constraints[constraint], .nodes = kernel->heldNodes[constraint] };
    return HoldNode(view, frame, &target, number);
}

typedef struct HoldContext
{
    const Kernel* kernel;
    const View* view;
    Target target;
    double* squares;  // of every item, the largest of HoldNode
} HoldContext;

static void HoldNodes(int item, void* context)
{
    const HoldContext* c = context;
    int begin = item * HOLD_CHUNK, count = c->target.constraint->nodeCount;
    int end = count - begin < HOLD_CHUNK ? count : begin + HOLD_CHUNK;
    double largest = 0.0;
    for (int n = begin; n < end; ++n)
    {
        int body = c->target.nodes[n].body;
        bool whole = c->kernel->bodies[body].rigid;  // moved as such
        double square = whole ? 0.0 : HoldNode(c->view, &c->kernel->frames[body], &c->target, n);
        largest = rslMost(largest, square);
    }
    c->squares[item] = largest;
}

// One constraint after the other: two may hold different axes of the same node.
void RSL_NAME(rslKernel_Hold)(Kernel* kernel, const View* view, double time, double step)
{
    double distance = 0.0;
    if (kernel->model->constraintCount > 0)
    {
        GuardKick(kernel);
    }
    for (int c = 0; c < kernel->model->constraintCount; ++c)
    {
        HoldContext context = { kernel, view, MakeTarget(kernel, c, time, step), kernel->holdSquares };
        int items = (context.target.constraint->nodeCount + HOLD_CHUNK - 1) / HOLD_CHUNK;
        rslTeam_Run(kernel->team, HoldNodes, items, &context);
        double largest = 0.0;
        for (int i = 0; i < items; ++i)
        {
            largest = rslMost(largest, kernel->holdSquares[i]);
        }
        distance += sqrt(largest);
    }
    if (kernel->guard != NULL)
    {
        RSL_NAME(rslGuard_Held)(kernel, distance);
    }
    RSL_NAME(rslRigids_Place)(kernel, view, time, step);
    RSL_NAME(rslHardVolume_Settle)(kernel, view);
}

Pose RSL_NAME(rslKernel_PoseAt)(const Kernel* kernel, const rslRigid* rigid, double time, double step)
{
    const double degree = 3.14159265358979323846 / 180.0;
    const rslFrame* start = &kernel->model->bodies[rigid->body].frame;
    Target target = MakeTarget(kernel, rigid->constraint, time, step);
    Pose pose = { .frame = { .origin = start->origin, .rotation = start->rotation } };
    if (target.moving)
    {
        const rslMovement* movement = &target.constraint->move;
        rslQuat turn = rslQuatFromDegrees(movement->axis, target.at.factor * movement->angle);
        double rate = degree * movement->angle * (target.after.factor - target.before.factor) / target.span;
        rslVec3 centre = rslTop_Centre(rigid, start);
        pose.frame.origin = rslPlacement_Move(&target.at, start->origin);
        pose.frame.rotation = rslQuatNormalize(rslQuatMul(turn, start->rotation));
        rslVec3 way = rslSub(rslPlacement_Move(&target.after, centre), rslPlacement_Move(&target.before, centre));
        pose.frame.velocity = rslScale(1.0 / target.span, way);
        pose.spin = rslScale(rate, movement->axis);
    }
    return pose;
}

// Sum over the nodes of a constraint of f.v, or of m v^2 / 2.
static double SumMotion(const Kernel* kernel, const Target* target, bool kinetic)
{
    double sum = 0.0;
    for (int n = 0; n < target->constraint->nodeCount; ++n)
    {
        int node = target->constraint->nodes[n];
        if (kernel->bodies[target->nodes[n].body].rigid)
        {
            continue;
        }
        const FrameView* frame = &kernel->frames[target->nodes[n].body];
        rslVec3 v = Held(target->constraint, TargetVelocity(target, n));
        sum += kinetic ? 0.5 * kernel->model->mass[node] * rslDot(v, v)
                       : rslDot(rslMatVec(&frame->rotation, VectorAt(kernel->force, node)), v);
    }
    return sum;
}

// The sum over all prescribed motions, at a step count.
static double SumMotions(const Kernel* kernel, const rslState* state, double count, bool kinetic)
{
    double sum = 0.0;
    for (int c = 0; c < kernel->model->constraintCount; ++c)
    {
        if (kernel->model->constraints[c].type == rsl_motionConstraint)
        {
            Target target = MakeTarget(kernel, c, count * state->step, state->step);
            sum += SumMotion(kernel, &target, kinetic);
        }
    }
    return sum + RSL_NAME(rslRigids_Motion)(kernel, state, count, kinetic);
}

void RSL_NAME(rslKernel_CountMotion)(Kernel* kernel, const rslState* state, double ahead, double time)
{
    kernel->motionWork -= time * SumMotions(kernel, state, (double)state->stepCount + ahead, false);
}

void RSL_NAME(rslKernel_Grade)(Kernel* kernel, rslState* state, int shift)
{
    bool moves = kernel->model->constraintCount > 0;
    double before = moves ? SumMotions(kernel, state, (double)state->stepCount, true) : 0.0;
    state->stepCount = shift > 0 ? state->stepCount << shift : state->stepCount >> -shift;
    state->step = shift > 0 ? state->step / (double)(1 << shift) : state->step * (double)(1 << -shift);
    if (moves)
    {
        View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
        double work = SumMotions(kernel, state, (double)state->stepCount, true) - before;
        state->account.motion += work;
        state->account.input += work > 0.0 ? work : 0.0;
        RSL_NAME(rslGuard_Keep)(kernel, &view);
        RSL_NAME(rslKernel_Hold)(kernel, &view, rslState_Time(state), state->step);
    }
}

void RSL_NAME(rslKernel_Constrain)(Kernel* kernel, rslState* state)
{
    if (kernel->model->constraintCount == 0 && kernel->hardVolumes == 0 && kernel->rigids == NULL)
    {
        return;
    }
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslKernel_Hold)(kernel, &view, rslState_Time(state), state->step);
    double count = (double)state->stepCount;
    double work =
        kernel->motionWork + SumMotions(kernel, state, count, true) - SumMotions(kernel, state, count - 1.0, true);
    if (kernel->rigids != NULL)
    {
        work += kernel->rigids->work;
        kernel->rigids->work = kernel->rigids->sure = 0.0;
    }
    state->account.motion += work;
    state->account.input += work > 0.0 ? work : 0.0;
    kernel->motionWork = 0.0;
}
