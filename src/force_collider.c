// SPDX-License-Identifier: MIT
//
// force_collider.c: planes and solids that nodes cannot sink into: a one-sided spring a node. They may move, and rub.
//
//   d = n.(x - p), behind the plane d < 0:  W = 1/2 k d^2,  force = -k d n,  stiffness k n n^T.  Before it: nothing.
//
// The same with solids, d the signed distance and n its gradient; their faces curve, so that the stiffness is
// k n n^T + k d c (I - n n^T - a a^T), c the curvature (collide_shape.h). What makes it negative is left out for preconditioners.
//
// A collider that moves works on bodies. For each force that stands for a span of time this is W(x, end) - W(x, begin) at the x of
// the force: what is exact for a kick, also where it jumps.
//
// Friction (friction.h) follows every kick, relative to its own velocity. It drags the body with it (work of motion)
// and makes heat. With the kick c = h F / m before it and the change r by friction, a node moves by the mean of its velocities
// before the kick and after friction: heat is -m r.(s - c/2 + r/2), s the slip. What sticks makes none. Likewise loads f, which were
// counted with the kick alone, do h f.r/2 less: none where it sticks.

#include "friction.h"
#include "integrate.h"
#include "kernel_barrier.h"
#include "kernel_rigid.h"
#include "term.h"
#include "top.h"

static PlaneSide* SidesOf(const Kernel* kernel, int plane)
{
    return kernel->sides + (size_t)plane * (size_t)kernel->model->bodyCount;
}

bool RSL_NAME(rslPlanes_Make)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    size_t planes = (size_t)model->colliderCount;
    kernel->planes = RSL_NAME(rslKernel_Allocate)(kernel, planes, sizeof(PlaneView));
    kernel->sides = RSL_NAME(rslKernel_Allocate)(kernel, planes * (size_t)model->bodyCount, sizeof(PlaneSide));
    bool made = kernel->planes != NULL && kernel->sides != NULL;
    for (int c = 0; made && c < model->colliderCount; ++c)
    {
        bool rubs = false;
        for (int b = 0; b < model->bodyCount; ++b)
        {
            PlaneSide* side = &SidesOf(kernel, c)[b];
            side->friction = rslModel_PairOf(model, b, model->bodyCount + c).friction;
            rubs = rubs || side->friction > 0.0;
        }
        if (rubs && !kernel->impulses)
        {
            kernel->rubs = true;
            kernel->planes[c].press = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->nodeCount, sizeof(double));
            made = kernel->planes[c].press != NULL;
        }
    }
    return made;
}

// ---- where planes are -----------------------------------------------------------------------------------------------

static Height HeightIn(const FrameView* frame, const rslPlaced* placed)
{
    const rslPlane* plane = &placed->plane;
    Height height = { .normal = rslMatTVec(&frame->rotation, plane->normal) };
    height.offset = rslDot(plane->normal, rslSub(frame->origin, plane->point));
    rslMat3 back = rslMat_Transpose(&placed->rotation);
    height.turn = rslMat_Product(&back, &frame->rotation);
    height.shift = rslMatTVec(&placed->rotation, rslSub(frame->origin, placed->origin));
    return height;
}

void RSL_NAME(rslPlanes_Aim)(Kernel* kernel, int body)
{
    const FrameView* frame = &kernel->frames[body];
    for (int c = 0; c < kernel->model->colliderCount; ++c)
    {
        const PlaneView* plane = &kernel->planes[c];
        PlaneSide* side = &SidesOf(kernel, c)[body];
        side->now = HeightIn(frame, &plane->here);
        if (kernel->model->colliders[c].moves)
        {
            side->before = HeightIn(frame, &plane->begin);
            side->after = HeightIn(frame, &plane->end);
        }
    }
}

void RSL_NAME(rslPlanes_Place)(Kernel* kernel, double time)
{
    const rslModel* model = kernel->model;
    for (int c = 0; c < model->colliderCount; ++c)
    {
        kernel->planes[c].here = rslCollider_Place(&model->colliders[c], time);
        if (model->colliders[c].moves)
        {
            kernel->planes[c].now = rslMovement_At(&model->colliders[c].move, time);
        }
    }
}

void RSL_NAME(rslPlanes_Span)(Kernel* kernel, double begin, double end)
{
    const rslModel* model = kernel->model;
    for (int c = 0; c < model->colliderCount; ++c)
    {
        const rslCollider* collider = &model->colliders[c];
        PlaneView* plane = &kernel->planes[c];
        if (collider->moves)
        {
            plane->begin = rslCollider_Place(collider, begin);
            plane->end = rslCollider_Place(collider, end);
            plane->before = rslMovement_At(&collider->move, begin);
            plane->after = rslMovement_At(&collider->move, end);
            plane->span = end - begin;
        }
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        RSL_NAME(rslPlanes_Aim)(kernel, b);
    }
}

// ---- the term -------------------------------------------------------------------------------------------------------

static bool Present(const Kernel* kernel)
{
    return kernel->model->colliderCount > 0 && !kernel->impulses &&
           (kernel->barrier == NULL || kernel->barrier->ofRest);
}

// Positions of the chunk's nodes in the frame, in double: the frame may be far away.
static void Positions(const Kernel* kernel, const View* view, const Chunk* chunk, double y[CHUNK][3])
{
    RSL_NAME(rslKernel_Rest)(kernel, chunk, y);
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            y[i - chunk->begin][axis] += (double)view->u[axis][i];
        }
    }
}

// Whether a place in the frame is inside of a collider; then how deep, in axes of the frame.
static inline bool Sinks(const rslCollider* collider, const Height* height, const double y[3], rslSunk* sunk)
{
    if (collider->solid == NULL)
    {
        rslVec3 n = height->normal;
        *sunk = (rslSunk){ .distance = height->offset + (n.x * y[0] + n.y * y[1] + n.z * y[2]), .normal = n };
        return sunk->distance < 0.0;
    }
    rslVec3 q = rslAdd(rslMatVec(&height->turn, (rslVec3){ y[0], y[1], y[2] }), height->shift);
    if (!rslSolid_Sinks(collider->solid, q, sunk))
    {
        return false;
    }
    sunk->normal = rslMatTVec(&height->turn, sunk->normal);
    sunk->along = rslMatTVec(&height->turn, sunk->along);
    return true;
}

static double EnergyOver(const rslCollider* collider, const Height* height, const Chunk* chunk, double (*y)[3])
{
    double energy = 0.0;
    rslSunk sunk;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        bool sinks = Sinks(collider, height, y[i - chunk->begin], &sunk);
        energy += sinks ? 0.5 * collider->stiffness[i] * sunk.distance * sunk.distance : 0.0;
    }
    return energy;
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    double y[CHUNK][3], energy = 0.0;
    Positions(kernel, view, chunk, y);
    for (int c = 0; c < kernel->model->colliderCount; ++c)
    {
        energy += EnergyOver(&kernel->model->colliders[c], &SidesOf(kernel, c)[chunk->body].now, chunk, y);
    }
    return energy;
}

static void PushOut(Kernel* kernel, int index, const Chunk* chunk, double (*y)[3])
{
    const rslCollider* collider = &kernel->model->colliders[index];
    const Height* height = &SidesOf(kernel, index)[chunk->body].now;
    double* press = kernel->planes[index].press;
    rslSunk sunk;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        bool sinks = Sinks(collider, height, y[i - chunk->begin], &sunk);
        double push = sinks ? -collider->stiffness[i] * sunk.distance : 0.0;
        if (sinks)
        {
            kernel->force[0][i] += (Real)(push * sunk.normal.x);
            kernel->force[1][i] += (Real)(push * sunk.normal.y);
            kernel->force[2][i] += (Real)(push * sunk.normal.z);
        }
        if (press != NULL)
        {
            press[i] = push;
        }
    }
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    double y[CHUNK][3];
    Positions(kernel, view, chunk, y);
    for (int c = 0; c < kernel->model->colliderCount; ++c)
    {
        PushOut(kernel, c, chunk, y);
        if (kernel->planes[c].span > 0.0)
        {
            const rslCollider* collider = &kernel->model->colliders[c];
            const PlaneSide* side = &SidesOf(kernel, c)[chunk->body];
            double after = EnergyOver(collider, &side->after, chunk, y);
            powers->motion += (after - EnergyOver(collider, &side->before, chunk, y)) / kernel->planes[c].span;
        }
    }
}

// k d c, which is negative on what bulges out.
static double Bend(const Kernel* kernel, double stiffness, const rslSunk* sunk)
{
    double bend = stiffness * sunk->distance * sunk->curvature;
    return bend < 0.0 && kernel->relaxed ? 0.0 : bend;
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    double y[CHUNK][3];
    Positions(kernel, view, chunk, y);
    for (int c = 0; c < kernel->model->colliderCount; ++c)
    {
        const rslCollider* collider = &kernel->model->colliders[c];
        const Height* height = &SidesOf(kernel, c)[chunk->body].now;
        rslSunk sunk;
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            if (Sinks(collider, height, y[i - chunk->begin], &sunk))
            {
                rslVec3 move = VectorAt(p, i);
                double along = rslDot(sunk.normal, move);
                rslVec3 push = rslScale(collider->stiffness[i] * along, sunk.normal);
                if (sunk.curvature != 0.0)
                {
                    rslVec3 across = rslMulAdd(move, -along, sunk.normal);
                    across = rslMulAdd(across, -rslDot(sunk.along, move), sunk.along);
                    push = rslMulAdd(push, Bend(kernel, collider->stiffness[i], &sunk), across);
                }
                out[0][i] += (Real)push.x;
                out[1][i] += (Real)push.y;
                out[2][i] += (Real)push.z;
            }
        }
    }
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    double y[CHUNK][3];
    Positions(kernel, view, chunk, y);
    for (int p = 0; p < kernel->model->colliderCount; ++p)
    {
        const rslCollider* collider = &kernel->model->colliders[p];
        const Height* height = &SidesOf(kernel, p)[chunk->body].now;
        rslSunk sunk;
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            if (!Sinks(collider, height, y[i - chunk->begin], &sunk))
            {
                continue;
            }
            rslVec3 n = sunk.normal, a = sunk.along;
            double k = collider->stiffness[i], bend = Bend(kernel, k, &sunk);
            const double nn[6] = { n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z };
            const double aa[6] = { a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z };
            for (int c = 0; c < 6; ++c)
            {
                blocks[i - chunk->begin][c] += k * nn[c] + bend * ((c < 3 ? 1.0 : 0.0) - nn[c] - aa[c]);
            }
        }
    }
}

const Term RSL_NAME(rslPlaneTerm) = {
    .name = "plane",
    .hasEnergy = true,
    .symmetric = true,
    .present = Present,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .diagonal = Diagonal,
};

// ---- friction -------------------------------------------------------------------------------------------------------

// Velocity of the plane where a node is, in the axes of its body.
static rslVec3 BeltVelocity(const PlaneView* plane, const FrameView* frame, const double y[3])
{
    if (!(plane->span > 0.0))
    {
        return (rslVec3){ 0 };
    }
    rslVec3 x = rslAdd(frame->origin, rslMatVec(&frame->rotation, (rslVec3){ y[0], y[1], y[2] }));
    rslVec3 v = rslPlacement_Velocity(&plane->now, &plane->before, &plane->after, plane->span, x);
    return rslMatTVec(&frame->rotation, v);
}

// Nodes held along some axes slide along the others only.
static rslVec3 FreeSlip(const Kernel* kernel, const FrameView* frame, int node, rslVec3 slip)
{
    int bits = kernel->held != NULL ? kernel->held[node] : 0;
    if (bits == 0)
    {
        return slip;
    }
    rslVec3 world = rslMatVec(&frame->rotation, slip);
    world = (rslVec3){ bits & 1 ? 0.0 : world.x, bits & 2 ? 0.0 : world.y, bits & 4 ? 0.0 : world.z };
    return rslMatTVec(&frame->rotation, world);
}

enum
{
    HEAT,
    DRAG,
    UNDONE,  // work of loads that was counted with the kick
    RUB_SUMS
};

static void RubChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    double time = *(const double*)context, y[CHUNK][3];
    double* sums = &kernel->sums[RSL_SUMS * chunk->index];
    const FrameView* frame = &kernel->frames[chunk->body];
    rslVec3 drift = rslMatTVec(&frame->rotation, frame->velocity);
    const int* welds = kernel->rigids != NULL ? kernel->rigids->weldOf : NULL;
    sums[HEAT] = sums[DRAG] = sums[UNDONE] = 0.0;
    if (kernel->bodies[chunk->body].rigid)
    {
        return;  // RubRigid
    }
    Positions(kernel, view, chunk, y);
    for (int c = 0; c < kernel->model->colliderCount; ++c)
    {
        const PlaneView* plane = &kernel->planes[c];
        const rslCollider* collider = &kernel->model->colliders[c];
        const PlaneSide* side = &SidesOf(kernel, c)[chunk->body];
        for (int i = chunk->begin; plane->press != NULL && i < chunk->end; ++i)
        {
            rslSunk sunk;
            if (!(plane->press[i] > 0.0) || (welds != NULL && welds[i] >= 0))
            {
                continue;
            }
            if (!Sinks(collider, &side->now, y[i - chunk->begin], &sunk) && collider->solid != NULL)
            {
                continue;
            }
            rslVec3 n = sunk.normal;
            double mass = (double)kernel->mass[i];
            rslVec3 belt = BeltVelocity(plane, frame, y[i - chunk->begin]);
            rslVec3 w = VectorAt(view->w, i);
            rslVec3 slip = rslFriction_Slip(rslSub(rslAdd(drift, w), belt), n);
            slip = FreeSlip(kernel, frame, i, slip);
            rslVec3 change = rslFriction_Change(slip, side->friction, time * plane->press[i], mass);
            view->w[0][i] = (Real)(w.x + change.x);
            view->w[1][i] = (Real)(w.y + change.y);
            view->w[2][i] = (Real)(w.z + change.z);
            rslVec3 force = VectorAt(kernel->force, i);
            rslVec3 kick = FreeSlip(kernel, frame, i, force);
            sums[HEAT] += rslFriction_Heat(slip, change, mass) + 0.5 * time * rslDot(change, kick);
            sums[DRAG] += mass * rslDot(change, belt);
            const double* pull = kernel->pull + 3 * (size_t)i;
            sums[UNDONE] += 0.5 * time * rslDot(change, (rslVec3){ pull[0], pull[1], pull[2] });
        }
    }
}

// A node that a rigid body moves: the impulse is on the body, which yields 1 / m along the slip.
static void RubPoint(Kernel* kernel, const View* view, const RigidBody* rigid, int node, rslVec3 x, double time,
                     double sums[RUB_SUMS])
{
    int body = rigid->def->body;
    for (int c = 0; c < kernel->model->colliderCount; ++c)
    {
        const PlaneView* plane = &kernel->planes[c];
        if (plane->press == NULL || !(plane->press[node] > 0.0))
        {
            continue;
        }
        rslVec3 n = rslPlaced_Nearest(&plane->here, x).normal, belt = { 0.0, 0.0, 0.0 };
        if (plane->span > 0.0)
        {
            belt = rslPlacement_Velocity(&plane->now, &plane->before, &plane->after, plane->span, x);
        }
        rslVec3 slip = rslFriction_Slip(rslSub(RSL_NAME(rslRigids_Velocity)(kernel, view, body, x), belt), n);
        double yield = RSL_NAME(rslRigids_Yield)(kernel, view, body, x, rslNormalize(slip));
        if (yield > 0.0 && rslDot(slip, slip) > 0.0)
        {
            double mass = 1.0 / yield, press = time * plane->press[node];
            rslVec3 change = rslFriction_Change(slip, SidesOf(kernel, c)[body].friction, press, mass);
            RSL_NAME(rslRigids_Push)(kernel, view, body, x, rslScale(mass, change));
            rslVec3 arm = rslSub(x, rslTop_Centre(rigid->def, &view->frames[body]));
            rslVec3 kick = RSL_NAME(rslRigids_Kicked)(view, rigid, &rigid->all, arm, time);
            rslVec3 pull = RSL_NAME(rslRigids_Kicked)(view, rigid, &rigid->loads, arm, time);
            sums[HEAT] += rslFriction_Heat(slip, change, mass) + 0.5 * mass * rslDot(change, kick);
            sums[UNDONE] += 0.5 * mass * rslDot(change, pull);
            sums[DRAG] += mass * rslDot(change, belt);
        }
    }
}

// One node after the other: each slides as those before have left it.
static void RubRigids(Kernel* kernel, const View* view, double time, double sums[RUB_SUMS])
{
    for (int r = 0; r < kernel->rigids->count; ++r)
    {
        const RigidBody* rigid = &kernel->rigids->bodies[r];
        const rslFrame* frame = &view->frames[rigid->def->body];
        rslMat3 rotation = rslQuatMatrix(frame->rotation);
        for (int c = rigid->chunkBegin; c < rigid->chunkEnd; ++c)
        {
            const Chunk* chunk = &kernel->chunks[c];
            double rest[CHUNK][3];
            RSL_NAME(rslKernel_Rest)(kernel, chunk, rest);
            for (int i = chunk->begin; i < chunk->end; ++i)
            {
                const double* X = rest[i - chunk->begin];
                rslVec3 x = rslAdd(frame->origin, rslMatVec(&rotation, (rslVec3){ X[0], X[1], X[2] }));
                RubPoint(kernel, view, rigid, i, x, time, sums);
            }
        }
        for (int w = rigid->weldBegin; w < rigid->weldEnd; ++w)
        {
            const Weld* weld = &kernel->rigids->welds[w];
            rslVec3 x = rslAdd(frame->origin, rslMatVec(&rotation, weld->place));
            RubPoint(kernel, view, rigid, weld->node, x, time, sums);
        }
    }
}

void RSL_NAME(rslPlanes_Rub)(Kernel* kernel, const View* view, double time, rslAccount* account)
{
    if (!kernel->rubs)
    {
        return;
    }
    double drag = 0.0, rigid[RUB_SUMS] = { 0.0 };
    RSL_NAME(rslKernel_ForChunksLight)(kernel, view, RubChunk, &time);
    if (kernel->rigids != NULL)
    {
        RubRigids(kernel, view, time, rigid);
    }
    for (int c = 0; account != NULL && c < kernel->chunkCount; ++c)
    {
        account->dissipated += kernel->sums[RSL_SUMS * c + HEAT];
        drag += kernel->sums[RSL_SUMS * c + DRAG];
        account->loads += kernel->sums[RSL_SUMS * c + UNDONE];
    }
    if (account != NULL)
    {
        account->dissipated += rigid[HEAT];
        account->loads += rigid[UNDONE];
        drag += rigid[DRAG];
        account->motion += drag;
        account->input += drag > 0.0 ? drag : 0.0;
    }
}
