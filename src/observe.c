// SPDX-License-Identifier: MIT
//
// observe.c: read-outs of a state. See observe.h.

#include "resilin/observe.h"

#include "memory.h"
#include "observe_internal.h"
#include "solver_internal.h"
#include "top.h"
#include "touch_scheme.h"
#include "vec.h"

enum
{
    BLOCK = 256
};

rslEnergy rslSolver_Energy(rslSolver* solver, const rslState* state)
{
    rslEnergy energy = solver->backend->energy(solver->kernel, state);
    const rslAccount* account = &state->account;
    double lost = account->dissipated + account->numerical;
    double expected = account->start + account->loads + account->motion + account->drives - lost;
    energy.drift = account->audits > 0 ? energy.total - expected : 0.0;
    return energy;
}

// ---- motion -----------------------------------------------------------------------------------------------------------

static void AddNodes(const rslModel* model, const rslState* state, const rslBody* body, rslMotion* motion)
{
    double x[BLOCK][3], v[BLOCK][3];
    int last = body->firstNode + body->nodeCount;
    for (int begin = body->firstNode; begin < last; begin += BLOCK)
    {
        int end = begin + BLOCK < last ? begin + BLOCK : last;
        rslState_Positions(model, state, begin, end, x[0]);
        rslState_Velocities(model, state, begin, end, v[0]);
        for (int i = begin; i < end; ++i)
        {
            double m = model->mass[i];
            rslVec3 position = { x[i - begin][0], x[i - begin][1], x[i - begin][2] };
            rslVec3 momentum = rslScale(m, (rslVec3){ v[i - begin][0], v[i - begin][1], v[i - begin][2] });
            motion->mass += m;
            motion->centre = rslMulAdd(motion->centre, m, position);
            motion->momentum = rslAdd(motion->momentum, momentum);
            motion->angularMomentum = rslAdd(motion->angularMomentum, rslCross(position, momentum));
        }
    }
}

// Vertices that close the border of a surface.
static void AddMeans(const rslEnclosed* enclosed, int vertexCount, double* xyz)
{
    for (int l = 0; l < enclosed->loopCount; ++l)
    {
        double* mean = &xyz[3 * (size_t)(vertexCount + l)];
        int begin = enclosed->loopStart[l], end = enclosed->loopStart[l + 1];
        for (int axis = 0; axis < 3; ++axis)
        {
            mean[axis] = 0.0;
            for (int e = begin; e < end; ++e)
            {
                mean[axis] += xyz[3 * (size_t)enclosed->loopVertices[e] + (size_t)axis] / (end - begin);
            }
        }
    }
}

// What the masses of the nodes of a rigid body do not show.
static void AddHidden(const rslModel* model, const rslState* state, int body, rslMotion* motion)
{
    const rslRigid* rigid = rslModel_Rigid(model, body);
    if (rigid == NULL)
    {
        return;
    }
    const rslFrame* frame = &state->frames[body];
    rslVec3 momentum = rslTop_Hidden(rigid, frame, rslTop_Spin(rigid, frame));
    motion->angularMomentum = rslAdd(motion->angularMomentum, momentum);
}

// Volume of a closed surface, area of a sheet in the plane.
static double SurfaceMeasure(const rslModel* model, const rslState* state, int index, double* xyz)
{
    const rslSurface* surface = &model->bodies[index].surface;
    const rslEnclosed* enclosed = &model->bodies[index].enclosed;
    bool planar = model->plane == rsl_planeXY, kept = enclosed->method != rsl_noVolume;
    const int* triangles = kept ? enclosed->triangles : surface->triangles;
    double sum = 0.0;
    if (surface->vertexCount == 0 || !(surface->closed || planar || kept))
    {
        return 0.0;
    }
    rslState_Surface(model, state, index, xyz);
    AddMeans(enclosed, surface->vertexCount, xyz);
    for (int t = 0; t < (kept ? enclosed->triangleCount : surface->triangleCount); ++t)
    {
        const int* corner = &triangles[3 * (size_t)t];
        const double* a = &xyz[3 * (size_t)corner[0]];
        const double* b = &xyz[3 * (size_t)corner[1]];
        const double* c = &xyz[3 * (size_t)corner[2]];
        // relative to a vertex of the surface, so that a body far away keeps its digits
        rslVec3 p = { a[0] - xyz[0], a[1] - xyz[1], a[2] - xyz[2] };
        rslVec3 n = rslCross((rslVec3){ b[0] - a[0], b[1] - a[1], b[2] - a[2] },
                             (rslVec3){ c[0] - a[0], c[1] - a[1], c[2] - a[2] });
        sum += planar ? 0.5 * n.z : rslDot(p, n) / 6.0;
    }
    return sum;
}

rslMotion rslSolver_Motion(rslSolver* solver, const rslState* state, int body)
{
    const rslModel* model = solver->model;
    RSL_ASSERT(-1 <= body && body < model->bodyCount);
    rslMotion motion = { 0 };
    int end = body < 0 ? model->bodyCount : body + 1;
    for (int b = body < 0 ? 0 : body; b < end; ++b)
    {
        size_t vertices = (size_t)(model->bodies[b].surface.vertexCount + model->bodies[b].enclosed.loopCount);
        AddNodes(model, state, &model->bodies[b], &motion);
        AddHidden(model, state, b, &motion);
        double* xyz = rslAllocate(&solver->hooks, 3 * vertices, sizeof(double));
        motion.volume += xyz ? SurfaceMeasure(model, state, b, xyz) : NAN;
        rslRelease(&solver->hooks, xyz);
    }
    motion.centre = rslScale(1.0 / motion.mass, motion.centre);
    return motion;
}

// ---- fields -----------------------------------------------------------------------------------------------------------

// What the springs of a node show.
typedef struct NodeSums
{
    double tension, energy;
    int springs;
} NodeSums;

static void AddToNode(const rslBond* bond, int part, void* context)
{
    (void)part;
    NodeSums* sums = &((NodeSums*)context)[bond->a];
    sums->tension += bond->tension;
    sums->energy += 0.5 * bond->energy;
    sums->springs += 1;
}

// Elements have no tension; their energy is shared among their corners.
static void AddElement(const rslElementView* element, void* context)
{
    for (int c = 0; c < element->nodeCount; ++c)
    {
        ((NodeSums*)context)[element->nodes[c]].energy += element->energy * rslElementView_Share(element, c);
    }
}

// Sums over springs to means, energies to densities.
static void FinishFields(const rslModel* model, const NodeSums* sums, double* tension, double* energyDensity)
{
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            double mean = sums == NULL ? NAN : sums[i].springs > 0 ? sums[i].tension / sums[i].springs : 0.0;
            double volume = rslModel_NodeVolume(model, body, i);
            if (tension != NULL)
            {
                tension[i] = mean;
            }
            if (energyDensity != NULL)
            {
                energyDensity[i] = sums == NULL ? NAN : volume > 0.0 ? sums[i].energy / volume : 0.0;
            }
        }
    }
}

void rslSolver_Fields(rslSolver* solver, const rslState* state, double* forces, double* tension, double* energyDensity)
{
    if (forces != NULL)
    {
        solver->backend->forces(solver->kernel, state, forces);
    }
    if (tension == NULL && energyDensity == NULL)
    {
        return;
    }
    NodeSums* sums = rslAllocate(&solver->hooks, (size_t)solver->model->nodeCount, sizeof(NodeSums));
    if (sums != NULL)
    {
        rslBondWalk walk = { .bothEnds = true, .visit = AddToNode, .context = sums };
        solver->backend->bonds(solver->kernel, state, &walk);
        solver->backend->elements(solver->kernel, state, &(rslElementWalk){ .visit = AddElement, .context = sums });
    }
    FinishFields(solver->model, sums, tension, energyDensity);
    rslRelease(&solver->hooks, sums);
}

// Of soft bodies.
static rslWrench SumReaction(const rslModel* model, const rslState* state, const rslConstraint* constraint,
                             const double* forces, rslVec3 point)
{
    rslWrench sum = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    for (int n = 0; n < constraint->nodeCount; ++n)
    {
        int node = constraint->nodes[n];
        const double* f = &forces[3 * (size_t)node];
        double x[3];
        if (model->rigidCount > 0 && rslModel_Rigid(model, rslModel_BodyOf(model, node)) != NULL)
        {
            continue;
        }
        rslVec3 push = { constraint->axes[0] ? -f[0] : 0.0, constraint->axes[1] ? -f[1] : 0.0,
                         constraint->axes[2] ? -f[2] : 0.0 };
        rslState_Positions(model, state, node, node + 1, x);
        sum.force = rslAdd(sum.force, push);
        sum.torque = rslAdd(sum.torque, rslCross(rslSub((rslVec3){ x[0], x[1], x[2] }, point), push));
    }
    return sum;
}

rslWrench rslConstraint_Reaction(const rslModel* model, const rslState* state, int index, const double* forces,
                                 const rslWrench* bodies, rslVec3 point)
{
    rslWrench sum = SumReaction(model, state, &model->constraints[index], forces, point);
    for (int r = 0; r < model->rigidCount; ++r)
    {
        const rslRigid* rigid = &model->rigids[r];
        if (rigid->constraint == index)
        {
            rslVec3 arm = rslSub(rslTop_Centre(rigid, &state->frames[rigid->body]), point);
            sum.force = rslAdd(sum.force, bodies[r].force);
            sum.torque = rslAdd(sum.torque, rslAdd(bodies[r].torque, rslCross(arm, bodies[r].force)));
        }
    }
    return sum;
}

// Of all joints, then of all rigid bodies; NULL when out of memory.
static rslWrench* ReactionsOf(rslSolver* solver, const rslState* state)
{
    const rslModel* model = solver->model;
    rslWrench* all = rslAllocate(&solver->hooks, (size_t)(model->jointCount + model->rigidCount), sizeof(rslWrench));
    if (all != NULL && model->rigidCount > 0)
    {
        solver->backend->reactions(solver->kernel, state, all, all + model->jointCount);
    }
    return all;
}

static const rslWrench unknown = { { NAN, NAN, NAN }, { NAN, NAN, NAN } };

rslWrench rslSolver_ReactionAbout(rslSolver* solver, const rslState* state, int index, rslVec3 point)
{
    RSL_ASSERT(0 <= index && index < solver->model->constraintCount);
    double* forces = rslAllocate(&solver->hooks, 3 * (size_t)solver->model->nodeCount, sizeof(double));
    rslWrench* all = ReactionsOf(solver, state);
    rslWrench sum = unknown;
    if (forces != NULL && all != NULL)
    {
        solver->backend->forces(solver->kernel, state, forces);
        sum = rslConstraint_Reaction(solver->model, state, index, forces, all + solver->model->jointCount, point);
    }
    rslRelease(&solver->hooks, all);
    rslRelease(&solver->hooks, forces);
    return sum;
}

rslVec3 rslSolver_Reaction(rslSolver* solver, const rslState* state, int index)
{
    return rslSolver_ReactionAbout(solver, state, index, (rslVec3){ 0.0, 0.0, 0.0 }).force;
}

rslWrench rslSolver_JointReaction(rslSolver* solver, const rslState* state, int index)
{
    RSL_ASSERT(0 <= index && index < solver->model->jointCount);
    rslWrench* all = ReactionsOf(solver, state);
    rslWrench one = all != NULL ? all[index] : unknown;
    rslRelease(&solver->hooks, all);
    return one;
}
