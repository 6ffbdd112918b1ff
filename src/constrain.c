// SPDX-License-Identifier: MIT
//
// constrain.c: pins and prescribed motion. The held world axes of a node are put where they have to be; the others stay
// free.
//
//   x(t) = centre + Q(f angle) (x0 - centre) + f translate,  or  + path(t);  f = course(t)
//   v(t) = (x(t + h/2) - x(t - h/2)) / h, not looking back beyond time 0
// Work of a prescribed motion on the body over a step, from the forces f of the body on the node:
//   1/2 m v(t)^2 - 1/2 m v(t - h)^2 - integral of f . v
// Velocity Verlet takes the mean of f . v at both ends of the step, the others f . (v(t) + v(t - h)) / 2.

#include "elementary.h"
#include "kernel.h"

static rslVec3 PathOffset(const rslConstraint* constraint, double time)
{
    const double* p = constraint->path;
    int last = constraint->pathCount - 1, i = 0;
    if (time <= p[0])
    {
        return (rslVec3){ p[1], p[2], p[3] };
    }
    if (time >= p[4 * last])
    {
        return (rslVec3){ p[4 * last + 1], p[4 * last + 2], p[4 * last + 3] };
    }
    while (time >= p[4 * (i + 1)])
    {
        i += 1;
    }
    const double* a = &p[4 * i];
    const double* b = &p[4 * (i + 1)];
    double s = (time - a[0]) / (b[0] - a[0]);
    return (rslVec3){ a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2]), a[3] + s * (b[3] - a[3]) };
}

// How a constraint moves its nodes at one moment.
typedef struct Placement
{
    rslMat3 rotation;
    rslVec3 centre, offset;
} Placement;

static Placement PlacementAt(const rslConstraint* constraint, double time)
{
    double f = rslCourse_Value(&constraint->course, time);
    Placement at = { .centre = constraint->centre };
    at.rotation = rslQuatMatrix(rslQuatFromDegrees(constraint->axis, f * constraint->angle));
    at.offset = constraint->pathCount > 0 ? PathOffset(constraint, time) : rslScale(f, constraint->translate);
    return at;
}

static rslVec3 Place(const Placement* at, rslVec3 start)
{
    rslVec3 turned = rslMatVec(&at->rotation, rslSub(start, at->centre));
    return rslAdd(rslAdd(at->centre, turned), at->offset);
}

// Where a constraint wants its nodes at a time, and how fast.
typedef struct Target
{
    const rslConstraint* constraint;
    bool moving;
    double span;
    Placement at, before, after;
} Target;

static Target MakeTarget(const rslConstraint* constraint, double time, double step)
{
    double begin = time > 0.5 * step ? time - 0.5 * step : 0.0;
    Target target = { .constraint = constraint, .moving = constraint->type == rsl_motionConstraint };
    target.span = time + 0.5 * step - begin;
    if (target.moving)
    {
        target.at = PlacementAt(constraint, time);
        target.before = PlacementAt(constraint, begin);
        target.after = PlacementAt(constraint, time + 0.5 * step);
    }
    return target;
}

static rslVec3 StartOf(const rslConstraint* constraint, int n)
{
    return (rslVec3){ constraint->start[3 * n], constraint->start[3 * n + 1], constraint->start[3 * n + 2] };
}

static rslVec3 TargetPosition(const Target* target, int n)
{
    rslVec3 start = StartOf(target->constraint, n);
    return target->moving ? Place(&target->at, start) : start;
}

static rslVec3 TargetVelocity(const Target* target, int n)
{
    rslVec3 start = StartOf(target->constraint, n);
    return target->moving
               ? rslScale(1.0 / target->span, rslSub(Place(&target->after, start), Place(&target->before, start)))
               : (rslVec3){ 0 };
}

// The components along held axes.
static rslVec3 Held(const rslConstraint* constraint, rslVec3 a)
{
    return (rslVec3){ constraint->axes[0] ? a.x : 0.0, constraint->axes[1] ? a.y : 0.0, constraint->axes[2] ? a.z : 0.0 };
}

static rslVec3 At(Real* const array[3], int node)
{
    return (rslVec3){ (double)array[0][node], (double)array[1][node], (double)array[2][node] };
}

static void AddTo(Real* const array[3], int node, rslVec3 change)
{
    array[0][node] = (Real)((double)array[0][node] + change.x);
    array[1][node] = (Real)((double)array[1][node] + change.y);
    array[2][node] = (Real)((double)array[2][node] + change.z);
}

static void HoldNode(const Kernel* kernel, const View* view, const Target* target, int n)
{
    int node = target->constraint->nodes[n];
    int body = rslModel_BodyOf(kernel->model, node);
    const FrameView* frame = &kernel->frames[body];
    rslVec3 y = rslAdd(RSL_NAME(rslKernel_RestOf)(kernel, body, node), At(view->u, node));
    rslVec3 x = rslAdd(frame->origin, rslMatVec(&frame->rotation, y));
    rslVec3 v = rslAdd(frame->velocity, rslMatVec(&frame->rotation, At(view->w, node)));
    rslVec3 dx = Held(target->constraint, rslSub(TargetPosition(target, n), x));
    rslVec3 dv = Held(target->constraint, rslSub(TargetVelocity(target, n), v));
    AddTo(view->u, node, rslMatTVec(&frame->rotation, dx));
    AddTo(view->w, node, rslMatTVec(&frame->rotation, dv));
}

void RSL_NAME(rslKernel_Hold)(Kernel* kernel, const View* view, double time, double step)
{
    for (int c = 0; c < kernel->model->constraintCount; ++c)
    {
        Target target = MakeTarget(&kernel->model->constraints[c], time, step);
        for (int n = 0; n < target.constraint->nodeCount; ++n)
        {
            HoldNode(kernel, view, &target, n);
        }
    }
}

// Sum over the nodes of a constraint of f.v, or of m v^2 / 2.
static double SumMotion(const Kernel* kernel, const Target* target, bool kinetic)
{
    double sum = 0.0;
    for (int n = 0; n < target->constraint->nodeCount; ++n)
    {
        int node = target->constraint->nodes[n];
        const FrameView* frame = &kernel->frames[rslModel_BodyOf(kernel->model, node)];
        rslVec3 v = Held(target->constraint, TargetVelocity(target, n));
        sum += kinetic ? 0.5 * kernel->model->mass[node] * rslDot(v, v)
                       : rslDot(rslMatVec(&frame->rotation, At(kernel->force, node)), v);
    }
    return sum;
}

// The sum over all prescribed motions, at a step count.
static double SumMotions(const Kernel* kernel, const rslState* state, double count, bool kinetic)
{
    double sum = 0.0;
    for (int c = 0; c < kernel->model->constraintCount; ++c)
    {
        const rslConstraint* constraint = &kernel->model->constraints[c];
        if (constraint->type == rsl_motionConstraint)
        {
            Target target = MakeTarget(constraint, count * state->step, state->step);
            sum += SumMotion(kernel, &target, kinetic);
        }
    }
    return sum;
}

void RSL_NAME(rslKernel_CountMotion)(Kernel* kernel, const rslState* state, int ahead, double time)
{
    kernel->motionWork -= time * SumMotions(kernel, state, (double)state->stepCount + ahead, false);
}

void RSL_NAME(rslKernel_Constrain)(Kernel* kernel, rslState* state)
{
    if (kernel->model->constraintCount == 0)
    {
        return;
    }
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    double count = (double)state->stepCount;
    double work = kernel->motionWork + SumMotions(kernel, state, count, true) - SumMotions(kernel, state, count - 1.0, true);
    state->account.motion += work;
    state->account.input += work > 0.0 ? work : 0.0;
    kernel->motionWork = 0.0;
    RSL_NAME(rslKernel_Hold)(kernel, &view, rslState_Time(state), state->step);
}
