// SPDX-License-Identifier: MIT
//
// stress.c: stress at nodes, force through planes and of colliders, and what symmetric tensors show. See field.h.
//
// Virial at node i:  sigma = 1/(2 V) sum over its springs of T L n n = 1/(2 V) sum of (T / L) d d, V = m / rho.
// Of finite elements: their mean stress of Cauchy, shared by volume among their corners.
// In a corner lattice a node on a face has the same share of its volume and of its springs along the face, so that uniform
// strain gives uniform stress there too; on edges some diagonals lack their counterparts, and only the sum is right.

#include "collide_shape.h"
#include "resilin/field.h"

#include "friction.h"
#include "memory.h"
#include "movement.h"
#include "observe_internal.h"
#include "solver_internal.h"
#include "symmetric.h"
#include "top.h"
#include "touch_scheme.h"

double rslSymmetric_VonMises(rslSymmetric s)
{
    double a = s.xx - s.yy, b = s.yy - s.zz, c = s.zz - s.xx;
    double shear = s.yz * s.yz + s.zx * s.zx + s.xy * s.xy;
    return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * shear);
}

void rslSymmetric_Principal(rslSymmetric s, double values[3], rslVec3 axes[3])
{
    double a[RSL_SMALL][RSL_SMALL] = { { s.xx, s.xy, s.zx }, { s.xy, s.yy, s.yz }, { s.zx, s.yz, s.zz } };
    double v[RSL_SMALL][RSL_SMALL];
    rslSymmetric_Solve(a, v, 3);
    int order[3] = { 0, 1, 2 };
    for (int i = 0; i < 2; ++i)
    {
        for (int j = 2; j > i; --j)
        {
            if (a[order[j]][order[j]] > a[order[j - 1]][order[j - 1]])
            {
                int swap = order[j];
                order[j] = order[j - 1];
                order[j - 1] = swap;
            }
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        values[i] = a[order[i]][order[i]];
    }
    if (axes != NULL)
    {
        axes[0] = (rslVec3){ v[0][order[0]], v[1][order[0]], v[2][order[0]] };
        axes[1] = (rslVec3){ v[0][order[1]], v[1][order[1]], v[2][order[1]] };
        axes[2] = rslCross(axes[0], axes[1]);
    }
}

// ---- stress at nodes ------------------------------------------------------------------------------------------------

static void AddHalf(const rslBond* bond, int part, void* context)
{
    (void)part;
    rslSymmetric* sum = &((rslSymmetric*)context)[bond->a];
    double f = bond->length > 0.0 ? 0.5 * bond->tension / bond->length : 0.0;
    *sum = rslSymmetric_MulAdd(*sum, f, rslSymmetric_Square(bond->d));
}

// Volume at rest times stress, by the shares of nodes in it: like springs, elements are weighted by what they hold.
static void AddElement(const rslElementView* element, void* context)
{
    const double* s = element->stress;
    for (int c = 0; c < element->nodeCount; ++c)
    {
        rslSymmetric* sum = &((rslSymmetric*)context)[element->nodes[c]];
        *sum = rslSymmetric_MulAdd(*sum, element->volume * rslElementView_Share(element, c),
                                   (rslSymmetric){ s[0], s[1], s[2], s[3], s[4], s[5] });
    }
}

rslStatus rslSolver_NodeStress(rslSolver* solver, const rslState* state, rslSymmetric* stress)
{
    const rslModel* model = solver->model;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        stress[i] = (rslSymmetric){ 0 };
    }
    rslBondWalk walk = { .bothEnds = true, .visit = AddHalf, .context = stress };
    solver->backend->bonds(solver->kernel, state, &walk);
    solver->backend->elements(solver->kernel, state, &(rslElementWalk){ .visit = AddElement, .context = stress });
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        rslMat3 rotation = rslQuatMatrix(state->frames[b].rotation);
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            double volume = rslModel_NodeVolume(model, body, i), f = volume > 0.0 ? 1.0 / volume : 0.0;
            stress[i] = rslSymmetric_Scale(f, rslSymmetric_Turn(&rotation, stress[i]));
        }
    }
    return rsl_ok;
}

// ---- force through a plane ------------------------------------------------------------------------------------------

typedef struct Flow
{
    int body;          // -1: all
    const bool* near;  // of every node: on the side away from the normal
    const rslState* state;
    rslVec3 sum[RSL_BOND_PARTS];  // of springs
    rslVec3 elements;             // and of elements
} Flow;

// A spring that crosses pulls its near end towards the far one.
static void AddCrossing(const rslBond* bond, int part, void* context)
{
    Flow* flow = context;
    if (flow->near[bond->a] == flow->near[bond->b] || (flow->body >= 0 && bond->body != flow->body) ||
        !(bond->length > 0.0))
    {
        return;
    }
    rslMat3 rotation = rslQuatMatrix(flow->state->frames[bond->body].rotation);
    double f = (flow->near[bond->a] ? 1.0 : -1.0) * bond->tension / bond->length;
    flow->sum[part] = rslMulAdd(flow->sum[part], f, rslMatVec(&rotation, bond->d));
}

// Does it have corners on both sides?
static bool IsCrossed(int body, const int* nodes, int nodeCount, void* context)
{
    const Flow* flow = context;
    bool crossed = false;
    for (int c = 1; c < nodeCount; ++c)
    {
        crossed = crossed || flow->near[nodes[c]] != flow->near[nodes[0]];
    }
    return crossed && (flow->body < 0 || body == flow->body);
}

// The forces of an element on its corners sum to nothing: what the near ones get comes from the far ones.
static void AddCrossed(const rslElementView* element, void* context)
{
    Flow* flow = context;
    rslMat3 rotation = rslQuatMatrix(flow->state->frames[element->body].rotation);
    for (int c = 0; c < element->nodeCount; ++c)
    {
        const double* f = element->forces[c];
        flow->elements = flow->near[element->nodes[c]]
                             ? rslAdd(flow->elements, rslMatVec(&rotation, (rslVec3){ f[0], f[1], f[2] }))
                             : flow->elements;
    }
}

enum
{
    BLOCK = 256
};

// Of the nodes [begin, end) over a plane; returns end, at most BLOCK later.
static int HeightsOver(const rslModel* model, const rslState* state, int begin, int end, rslVec3 point, rslVec3 normal,
                       double heights[BLOCK])
{
    double x[BLOCK][3];
    end = end - begin < BLOCK ? end : begin + BLOCK;
    rslState_Positions(model, state, begin, end, x[0]);
    for (int i = 0; i < end - begin; ++i)
    {
        heights[i] = rslDot(normal, rslSub((rslVec3){ x[i][0], x[i][1], x[i][2] }, point));
    }
    return end;
}

// The same of a link.
static rslVec3 LinkFlow(const rslModel* model, const rslState* state, const rslLink* link, const bool* near)
{
    rslVec3 d = { 0.0, 0.0, 0.0 };
    double weight = 0.0;
    int sides = 0;
    for (int j = 0; j < link->nodeCount; ++j)
    {
        double x[3];
        rslState_Positions(model, state, link->nodes[j], link->nodes[j] + 1, x);
        d = rslMulAdd(d, link->weights[j], (rslVec3){ x[0], x[1], x[2] });
        weight += near[link->nodes[j]] ? link->weights[j] : 0.0;
        sides |= near[link->nodes[j]] ? 1 : 2;
    }
    double length = rslLength(d);
    double f = sides == 3 && length > 0.0 ? -weight * link->stiffness * (length - link->restLength) / length : 0.0;
    return rslScale(f, d);
}

rslVec3 rslSolver_Flow(rslSolver* solver, const rslState* state, int body, rslVec3 point, rslVec3 normal)
{
    const rslModel* model = solver->model;
    RSL_ASSERT(-1 <= body && body < model->bodyCount);
    bool* near = rslAllocate(&solver->hooks, (size_t)model->nodeCount, 1);
    if (near == NULL)
    {
        return (rslVec3){ NAN, NAN, NAN };
    }
    double heights[BLOCK];
    for (int begin = 0, end = 0; begin < model->nodeCount; begin = end)
    {
        end = HeightsOver(model, state, begin, model->nodeCount, point, normal, heights);
        for (int i = begin; i < end; ++i)
        {
            near[i] = !(heights[i - begin] > 0.0);
        }
    }
    Flow flow = { .body = body, .near = near, .state = state };
    rslBondWalk walk = { .visit = AddCrossing, .context = &flow };
    solver->backend->bonds(solver->kernel, state, &walk);
    rslElementWalk crossed = { .visit = AddCrossed, .context = &flow, .forces = true, .wanted = IsCrossed };
    solver->backend->elements(solver->kernel, state, &crossed);
    rslVec3 sum = flow.elements;
    for (int part = 0; part < RSL_BOND_PARTS; ++part)
    {
        sum = rslAdd(sum, flow.sum[part]);
    }
    for (int l = 0; body < 0 && l < model->linkCount; ++l)
    {
        sum = rslAdd(sum, LinkFlow(model, state, &model->links[l], near));
    }
    rslRelease(&solver->hooks, near);
    return sum;
}

// ---- colliders ------------------------------------------------------------------------------------------------------

static double FrictionOf(const rslModel* model, const rslCollider* collider, int body)
{
    return rslModel_PairOf(model, body, model->bodyCount + (int)(collider - model->colliders)).friction;
}

// What friction would answer in a kick of a step, as a force: kicked by the forces on the node, slowed down.
static rslVec3 RubForce(const rslSolver* solver, const rslState* state, const rslCollider* collider, int node,
                        double press, rslVec3 normal, const double* force)
{
    const rslModel* model = solver->model;
    double v[3], x[3], h = state->step, mass = model->mass[node], time = rslState_Time(state);
    rslState_Velocities(model, state, node, node + 1, v);
    rslState_Positions(model, state, node, node + 1, x);
    rslVec3 belt = rslCollider_Velocity(collider, time, h, (rslVec3){ x[0], x[1], x[2] });
    rslVec3 kicked = rslMulAdd((rslVec3){ v[0], v[1], v[2] }, h / mass, (rslVec3){ force[0], force[1], force[2] });
    rslVec3 slip = rslFriction_Slip(rslSub(kicked, belt), normal);
    double friction = FrictionOf(model, collider, rslModel_BodyOf(model, node));
    return rslScale(mass / h, rslFriction_Change(slip, friction, h * press, mass));
}

static rslVec3 NodeAt(const rslModel* model, const rslState* state, int node)
{
    double x[3];
    rslState_Positions(model, state, node, node + 1, x);
    return (rslVec3){ x[0], x[1], x[2] };
}

// A rigid body after a kick by the forces on all nodes that move with it.
static rslFrame Kicked(const rslModel* model, const rslState* state, const rslRigid* rigid, const double* forces)
{
    rslFrame frame = state->frames[rigid->body];
    const rslBody* body = &model->bodies[rigid->body];
    rslVec3 centre = rslTop_Centre(rigid, &frame);
    for (int n = 0; n < body->nodeCount + rigid->weldCount; ++n)
    {
        int node = n < body->nodeCount ? body->firstNode + n : rigid->welded[n - body->nodeCount];
        const double* f = forces + 3 * (size_t)node;
        rslVec3 push = rslScale(state->step, (rslVec3){ f[0], f[1], f[2] });
        frame.velocity = rslMulAdd(frame.velocity, 1.0 / rigid->mass, push);
        frame.momentum = rslAdd(frame.momentum, rslCross(rslSub(NodeAt(model, state, node), centre), push));
    }
    return frame;
}

// The same of a rigid body: its nodes one after the other, as a kick has them (force_collider.c).
static rslVec3 RubRigid(const rslModel* model, const rslState* state, const rslCollider* collider,
                        const rslRigid* rigid, const double* forces)
{
    double h = state->step, time = rslState_Time(state);
    rslPlaced placed = rslCollider_Place(collider, time);
    rslFrame frame = Kicked(model, state, rigid, forces);
    rslVec3 centre = rslTop_Centre(rigid, &frame), sum = { 0 };
    const rslBody* body = &model->bodies[rigid->body];
    for (int i = body->firstNode; rigid->constraint < 0 && i < body->firstNode + body->nodeCount; ++i)
    {
        rslVec3 x = NodeAt(model, state, i), arm = rslSub(x, centre);
        rslPlacedTouch at = rslPlaced_Nearest(&placed, x);
        double press = -collider->stiffness[i] * at.gap;
        rslVec3 v = rslAdd(frame.velocity, rslCross(rslTop_Spin(rigid, &frame), arm));
        rslVec3 slip = rslFriction_Slip(rslSub(v, rslCollider_Velocity(collider, time, h, x)), at.normal);
        rslVec3 turn = rslCross(arm, rslNormalize(slip));
        double mass = 1.0 / (1.0 / rigid->mass + rslDot(turn, rslTop_Divide(rigid, &frame, turn)));
        if (press > 0.0 && rslDot(slip, slip) > 0.0)
        {
            double friction = FrictionOf(model, collider, rigid->body);
            rslVec3 push = rslScale(mass, rslFriction_Change(slip, friction, h * press, mass));
            frame.velocity = rslMulAdd(frame.velocity, 1.0 / rigid->mass, push);
            frame.momentum = rslAdd(frame.momentum, rslCross(arm, push));
            sum = rslMulAdd(sum, 1.0 / h, push);
        }
    }
    return sum;
}

rslVec3 rslCollider_Force(rslSolver* solver, const rslState* state, int index, int body, const double* forces)
{
    const rslModel* model = solver->model;
    RSL_ASSERT(-1 <= body && body < model->bodyCount && 0 <= index && index < model->colliderCount);
    if (rslTouchScheme_IsImpulse(rslModel_TouchScheme(model, solver->def.integrator)))
    {
        return rslState_TouchForce(model, state, body, index).force;
    }
    const rslCollider* collider = &model->colliders[index];
    rslPlaced placed = rslCollider_Place(collider, rslState_Time(state));
    bool rubs = state->step > 0.0 && solver->rest == NULL;
    int first = body < 0 ? 0 : model->bodies[body].firstNode;
    int last = body < 0 ? model->nodeCount : first + model->bodies[body].nodeCount;
    rslVec3 sum = { 0 }, rub = { 0 };
    for (int i = first; i < last; ++i)
    {
        rslPlacedTouch at = rslPlaced_Nearest(&placed, NodeAt(model, state, i));
        double press = at.gap < 0.0 ? -collider->stiffness[i] * at.gap : 0.0;
        sum = rslMulAdd(sum, press, at.normal);
        if (rubs && press > 0.0 && rslModel_Rigid(model, rslModel_BodyOf(model, i)) == NULL)
        {
            rub = rslAdd(rub, RubForce(solver, state, collider, i, press, at.normal, forces + 3 * (size_t)i));
        }
    }
    for (int r = 0; rubs && r < model->rigidCount; ++r)
    {
        bool asked = body < 0 || model->rigids[r].body == body;
        rub = asked ? rslAdd(rub, RubRigid(model, state, collider, &model->rigids[r], forces)) : rub;
    }
    return rslAdd(rub, sum);
}

rslVec3 rslSolver_ColliderForce(rslSolver* solver, const rslState* state, int collider, int body)
{
    double* forces = rslAllocate(&solver->hooks, 3 * (size_t)solver->model->nodeCount, sizeof(double));
    if (forces == NULL)
    {
        return (rslVec3){ NAN, NAN, NAN };
    }
    solver->backend->forces(solver->kernel, state, forces);
    rslVec3 sum = rslCollider_Force(solver, state, collider, body, forces);
    rslRelease(&solver->hooks, forces);
    return sum;
}
