// SPDX-License-Identifier: MIT
//
// rig.c: see rig.h.

#include "rig.h"

#include "build.h"
#include "state_internal.h"
#include "static.h"
#include "solver_internal.h"
#include "symmetric.h"
#include "unknowns.h"

#include <string.h>

// ---- making -----------------------------------------------------------------------------------------------------------

static rslQuat Conjugate(rslQuat q)
{
    return (rslQuat){ q.w, -q.x, -q.y, -q.z };
}

// Where the nodes are in our axes.
static void PlaceNodes(rslRig* rig)
{
    rslBody_Rest(&rig->body, 0, rig->model.nodeCount, &rig->rest->x);
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        rig->rest[i] = rslAdd(rig->body.frame.origin, rslMatVec(&rig->turn, rig->rest[i]));
    }
}

static bool MakeField(rslRig* rig, double* field[3])
{
    rslNodeVector made;
    bool ok = rslNodeVector_Make(&made, rig->model.nodeCount, &rig->arena);
    memcpy(field, made.x, sizeof made.x);
    return ok;
}

rslStatus rslRig_Make(rslRig* rig, const rslModel* model, rslQuat axes, rslVec3 middle, const rslHooks* hooks)
{
    RSL_ASSERT(model->bodyCount == 1);
    *rig = (rslRig){ .hooks = rslHooks_Complete(hooks), .converged = true };
    rig->arena = rslArena_Make(&rig->hooks);
    rslMat3 back = rslQuatMatrix(axes);
    rig->body = model->bodies[0];
    rig->body.frame = (rslFrame){
        .origin = rslMatTVec(&back, rslSub(model->bodies[0].frame.origin, middle)),
        .rotation = rslQuatNormalize(rslQuatMul(Conjugate(axes), model->bodies[0].frame.rotation)),
    };
    rig->body.spin = (rslVec3){ 0 };
    rig->turn = rslQuatMatrix(rig->body.frame.rotation);
    rig->model = (rslModel){
        .plane = model->plane,
        .nodeCount = model->nodeCount,
        .springCount = model->springCount,
        .elementCount = model->elementCount,
        .bodyCount = 1,
        .bodies = &rig->body,
        .byName = model->byName,
        .mass = model->mass,
        .constraints = rig->constraints,
        .hooks = rig->hooks,
    };
    size_t count = (size_t)model->nodeCount;
    rig->rest = rslArena_Allocate(&rig->arena, count, sizeof(rslVec3));
    rig->held = rslArena_Allocate(&rig->arena, count, sizeof(uint8_t));
    bool made = rig->rest != NULL && rig->held != NULL;
    made = made && MakeField(rig, rig->motion) && MakeField(rig, rig->forces) && MakeField(rig, rig->loads);
    if (made)
    {
        PlaceNodes(rig);
    }
    return made ? rsl_ok : rsl_outOfMemory;
}

static void FreeSolver(rslRig* rig)
{
    rslSolver_Free(rig->solver);
    rslState_Free(rig->state);
    for (int c = 0; c < 7; ++c)
    {
        rslRelease(&rig->hooks, (void*)rig->constraints[c].nodes);
        rslRelease(&rig->hooks, rig->start[c]);
        rig->start[c] = NULL;
    }
    memset(rig->constraints, 0, sizeof rig->constraints);
    rig->model.constraintCount = 0;
    rig->solver = NULL;
    rig->state = NULL;
}

void rslRig_Free(rslRig* rig)
{
    FreeSolver(rig);
    rslArena_Free(&rig->arena);
}

void rslRig_Open(rslRig* rig)
{
    FreeSolver(rig);
    rslRig_Clear(rig);
    memset(rig->held, 0, (size_t)rig->model.nodeCount);
}

// ---- held nodes ---------------------------------------------------------------------------------------------------------

static rslStatus HoldNodes(rslRig* rig, int bits)
{
    int count = 0;
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        count += rig->held[i] == bits;
    }
    if (count == 0)
    {
        return rsl_ok;
    }
    rslConstraint* constraint = &rig->constraints[rig->model.constraintCount];
    int* nodes = rslAllocate(&rig->hooks, (size_t)count, sizeof(int));
    double* start = rslAllocate(&rig->hooks, (size_t)count, 3 * sizeof(double));
    *constraint = (rslConstraint){ .type = rsl_pinConstraint, .nodes = nodes, .nodeCount = count, .start = start };
    rig->start[rig->model.constraintCount++] = start;
    for (int axis = 0; axis < 3; ++axis)
    {
        constraint->axes[axis] = (bits >> axis & 1) != 0;
    }
    for (int i = 0, n = 0; nodes != NULL && start != NULL && i < rig->model.nodeCount; ++i)
    {
        if (rig->held[i] == bits)
        {
            memcpy(start + 3 * (size_t)n, &rig->rest[i], 3 * sizeof(double));
            nodes[n++] = i;
        }
    }
    return nodes != NULL && start != NULL ? rsl_ok : rsl_outOfMemory;
}

rslStatus rslRig_Hold(rslRig* rig)
{
    rslStatus status = rsl_ok;
    for (int bits = 1; status == rsl_ok && bits < 8; ++bits)
    {
        status = HoldNodes(rig, bits);
    }
    return status == rsl_ok ? rslState_Create(&rig->model, rsl_double, &rig->hooks, &rig->state) : status;
}

rslStatus rslRig_Close(rslRig* rig, int threads, rslReport* report)
{
    rslStatus status = rslRig_Hold(rig);
    rslSolverDef def = rslDefaultSolverDef();
    def.integrator = rsl_static;
    def.threads = threads;
    status = status == rsl_ok ? rslSolver_Create(&rig->model, &def, &rig->hooks, &rig->solver, report) : status;
    if (status == rsl_ok && rslStatic_IsRelaxed(rig->solver->rest))
    {
        const char* energyless = rslModel_WithoutEnergy(&rig->model);
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "a test is of what has an energy, and is held, and the %s",
                      energyless != NULL ? energyless : "body is free: hold it");
        return rsl_badInput;
    }
    if (status == rsl_ok)
    {
        rslStatic_Aim(rig->solver->rest, rig->state);
    }
    return status;
}

// ---- responses ------------------------------------------------------------------------------------------------------------

static void Put(const rslRig* rig, double* const field[3], int node, rslVec3 value)
{
    rslVec3 own = rslMatTVec(&rig->turn, value);
    field[0][node] = own.x;
    field[1][node] = own.y;
    field[2][node] = own.z;
}

static rslVec3 Get(const rslRig* rig, double* const field[3], int node)
{
    rslVec3 own = { field[0][node], field[1][node], field[2][node] };
    return rslMatVec(&rig->turn, own);
}

void rslRig_Move(rslRig* rig, int node, rslVec3 motion)
{
    Put(rig, rig->motion, node, motion);
}

void rslRig_Load(rslRig* rig, int node, rslVec3 load)
{
    Put(rig, rig->loads, node, load);
}

rslVec3 rslRig_LoadAt(const rslRig* rig, int node)
{
    return Get(rig, rig->loads, node);
}

void rslRig_Clear(rslRig* rig)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(rig->motion[axis], 0, (size_t)rig->model.nodeCount * sizeof(double));
        memset(rig->loads[axis], 0, (size_t)rig->model.nodeCount * sizeof(double));
    }
}

rslVec3 rslRig_Motion(const rslRig* rig, int node)
{
    return Get(rig, rig->motion, node);
}

rslVec3 rslRig_Force(const rslRig* rig, int node)
{
    return Get(rig, rig->forces, node);
}

bool rslRig_Respond(rslRig* rig, double tolerance)
{
    rslLinear found = rslStatic_Respond(rig->solver->rest, rig->loads, rig->motion, rig->forces, tolerance);
    rig->iterations += found.iterations;
    rig->residual = found.residual;
    rig->converged = rig->converged && found.converged;
    return found.converged;
}

// Held nodes to their new place.
static void MoveConstraints(rslRig* rig, double scale)
{
    for (int c = 0; c < rig->model.constraintCount; ++c)
    {
        const rslConstraint* constraint = &rig->constraints[c];
        for (int n = 0; n < constraint->nodeCount; ++n)
        {
            int i = constraint->nodes[n];
            rslVec3 x = rslMulAdd(rig->rest[i], scale, rslRig_Motion(rig, i));
            memcpy(rig->start[c] + 3 * (size_t)n, &x, sizeof x);
        }
    }
}

rslStatus rslRig_Settle(rslRig* rig, double scale)
{
    size_t count = (size_t)rig->model.nodeCount;
    double* force = rslAllocate(&rig->hooks, count, 3 * sizeof(double));
    if (force == NULL)
    {
        return rsl_outOfMemory;
    }
    MoveConstraints(rig, scale);
    for (int axis = 0; axis < 3; ++axis)
    {
        double* u = rig->state->displacement[axis];
        for (size_t i = 0; i < count; ++i)
        {
            u[i] = scale * rig->motion[axis][i];
        }
    }
    rslStatus status = rslSolver_Step(rig->solver, rig->state, 1);
    rslRest rest = rslSolver_Rest(rig->solver);
    rslSolver_Fields(rig->solver, rig->state, force, NULL, NULL);
    for (size_t i = 0; i < count; ++i)
    {
        const double* f = force + 3 * i;
        Put(rig, rig->forces, (int)i, rslScale(-1.0 / scale, (rslVec3){ f[0], f[1], f[2] }));
        for (int axis = 0; axis < 3; ++axis)
        {
            rig->motion[axis][i] = ((const double*)rig->state->displacement[axis])[i] / scale;
        }
    }
    rig->iterations += rest.iterations;
    rig->residual = rest.residual;
    rig->converged = rig->converged && status == rsl_ok;
    rslRelease(&rig->hooks, force);
    return status;
}

// ---- gradient -------------------------------------------------------------------------------------------------------------

// With y = x - <x>, M = sum m y y^T and B = sum m u y^T: g = B M^-1, without the directions in which M is nothing.
void rslRig_Gradient(const rslRig* rig, const uint8_t* chosen, double g[3][3])
{
    double m[RSL_SMALL][RSL_SMALL] = { { 0 } }, v[RSL_SMALL][RSL_SMALL], b[3][3] = { { 0 } }, total = 0.0;
    rslVec3 mean = { 0 };
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        double weight = chosen == NULL || chosen[i] == 1 ? rig->model.mass[i] : 0.0;
        mean = rslMulAdd(mean, weight, rig->rest[i]);
        total += weight;
    }
    mean = rslScale(total > 0.0 ? 1.0 / total : 0.0, mean);
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        if (chosen != NULL && chosen[i] != 1)
        {
            continue;
        }
        rslVec3 at = rslSub(rig->rest[i], mean), u = rslRig_Motion(rig, i);
        const double y[3] = { at.x, at.y, at.z }, d[3] = { u.x, u.y, u.z }, weight = rig->model.mass[i];
        for (int r = 0; r < 3; ++r)
        {
            for (int c = 0; c < 3; ++c)
            {
                m[r][c] += weight * y[r] * y[c];
                b[r][c] += weight * d[r] * y[c];
            }
        }
    }
    rslSymmetric_Solve(m, v, 3);
    double most = fmax(m[0][0], fmax(m[1][1], m[2][2]));
    memset(g, 0, 9 * sizeof(double));
    for (int e = 0; e < 3; ++e)
    {
        for (int r = 0; m[e][e] > 1e-12 * most && r < 3; ++r)
        {
            double along = (b[r][0] * v[0][e] + b[r][1] * v[1][e] + b[r][2] * v[2][e]) / m[e][e];
            for (int c = 0; c < 3; ++c)
            {
                g[r][c] += along * v[c][e];
            }
        }
    }
}
