// SPDX-License-Identifier: MIT
//
// probe.c: see probe.h. Probes of stress and strain sit at points of a body at rest and follow it.

#include "resilin/probe.h"

#include "build.h"
#include "memory.h"
#include "collision.h"
#include "observe_internal.h"
#include "probe_touch.h"
#include "solver_internal.h"
#include "vec.h"

#include <stdio.h>
#include <string.h>

typedef struct Probe
{
    rslProbeDef def;   // strings and lists in it are not used after Create
    const char* name;  // copied
    int* nodes;        // nodes
    int nodeCount;
    int hardy;     // stress: its place among those read; -1 where the state is not finite
    int body;      // stress, strain: that holds the point; flow, ground, collider: -1 for all; contact
    int collider;  // -1: there is none; of contact probes: other bodies
    bool pushed;   // it reads impulses
    rslTouchMark mark;
} Probe;

struct rslProbes
{
    const rslModel* model;
    rslArena arena;
    int count;
    Probe* probes;
    int columnCount;
    rslTessellation** tessellations;  // of bodies that hold points
    double* forces;                   // scratch, of all nodes; NULL unless needed
    rslWrench* wrenches;              // scratch, of all joints and rigid bodies; NULL unless needed
    rslHardyProbe* hardy;             // scratch
    rslSymmetric* stress;             // likewise
};

// ---- columns --------------------------------------------------------------------------------------------------------

typedef struct Columns
{
    int count;
    const char* names[10];
} Columns;

static const Columns columns[rsl_probeTypeCount] = {
    [rsl_nodeProbe] = { 9,
                        { "x [m]", "y [m]", "z [m]", "vx [m/s]", "vy [m/s]", "vz [m/s]", "fx [N]", "fy [N]",
                          "fz [N]" } },
    [rsl_stressProbe] = { 10,
                          { "sxx [Pa]", "syy [Pa]", "szz [Pa]", "syz [Pa]", "szx [Pa]", "sxy [Pa]", "von_mises [Pa]",
                            "s1 [Pa]", "s2 [Pa]", "s3 [Pa]" } },
    [rsl_strainProbe] = { 9,
                          { "ux [m]", "uy [m]", "uz [m]", "exx [1]", "eyy [1]", "ezz [1]", "eyz [1]", "ezx [1]",
                            "exy [1]" } },
    [rsl_reactionProbe] = { 6, { "fx [N]", "fy [N]", "fz [N]", "tx [N m]", "ty [N m]", "tz [N m]" } },
    [rsl_jointProbe] = { 7, { "fx [N]", "fy [N]", "fz [N]", "tx [N m]", "ty [N m]", "tz [N m]", "angle [deg]" } },
    [rsl_flowProbe] = { 3, { "fx [N]", "fy [N]", "fz [N]" } },
    [rsl_groundProbe] = { 3, { "fx [N]", "fy [N]", "fz [N]" } },
    [rsl_colliderProbe] = { 3, { "fx [N]", "fy [N]", "fz [N]" } },
};

static int ColumnsOf(const Probe* probe)
{
    return probe->pushed ? RSL_TOUCH_COLUMNS : columns[probe->def.type].count;
}

int rslProbes_ColumnCount(const rslProbes* probes)
{
    return probes->columnCount;
}

size_t rslProbes_ColumnName(const rslProbes* probes, int column, char* buffer, size_t capacity)
{
    RSL_ASSERT(0 <= column && column < probes->columnCount);
    const Probe* probe = probes->probes;
    for (; column >= ColumnsOf(probe); ++probe)
    {
        column -= ColumnsOf(probe);
    }
    const char* name = probe->pushed ? rslTouchColumns[column] : columns[probe->def.type].names[column];
    return (size_t)snprintf(buffer, capacity, "%s %s", probe->name, name);
}

// ---- making ---------------------------------------------------------------------------------------------------------

// The tessellation of a body, made when first asked for; NULL with a message of why it cannot be.
static rslStatus TessellationOf(rslProbes* probes, int body, const rslProbeDef* def, rslReport* report)
{
    rslReport told = { 0 };
    if (probes->tessellations[body] != NULL)
    {
        return rsl_ok;
    }
    rslStatus status =
        rslTessellation_Create(probes->model, body, &probes->arena.hooks, &probes->tessellations[body], &told);
    if (status == rsl_badInput)
    {
        rslReport_Add(report, rsl_error, def->place, "probe '%s' cannot be read in body '%s': %s", def->name,
                      probes->model->bodies[body].name, told.count > 0 ? told.messages[0].text : "");
    }
    return status;
}

static rslStatus FindHolder(rslProbes* probes, Probe* probe, rslReport* report)
{
    const rslModel* model = probes->model;
    const rslProbeDef* def = &probe->def;
    int begin = probe->body < 0 ? 0 : probe->body, end = probe->body < 0 ? model->bodyCount : probe->body + 1;
    for (int b = begin; b < end; ++b)
    {
        // one of several that cannot be cut holds nothing
        rslStatus status = TessellationOf(probes, b, def, end - begin > 1 ? NULL : report);
        if (status == rsl_ok && rslTessellation_Contains(probes->tessellations[b], def->point))
        {
            probe->body = b;
            return rsl_ok;
        }
        if (status == rsl_outOfMemory || (status != rsl_ok && end - begin == 1))
        {
            return status;
        }
    }
    rslBounds box = rslBody_WorldBounds(&model->bodies[begin]);
    rslReport_Add(
        report, rsl_error, def->place,
        "the point [%.6g, %.6g, %.6g] of probe '%s' lies in no body at rest; the nodes of '%s' lie from [%.4g, "
        "%.4g, %.4g] to [%.4g, %.4g, %.4g]",
        def->point.x, def->point.y, def->point.z, def->name, model->bodies[begin].name, box.lower.x, box.lower.y,
        box.lower.z, box.upper.x, box.upper.y, box.upper.z);
    return rsl_badInput;
}

static bool HasCollider(const rslProbeDef* def)
{
    return def->type == rsl_groundProbe || def->type == rsl_colliderProbe;
}

static rslStatus MakeProbe(rslProbes* probes, const rslProbeDef* def, Probe* probe, rslReport* report)
{
    const rslModel* model = probes->model;
    *probe = (Probe){ .def = *def, .body = -1 };
    probe->name = rslArena_Copy(&probes->arena, def->name, strlen(def->name));
    if (probe->name == NULL)
    {
        return rsl_outOfMemory;
    }
    if (def->type == rsl_nodeProbe)
    {
        return rslModel_Select(model, &def->nodes, &probe->nodes, &probe->nodeCount, report);
    }
    if (def->type == rsl_jointProbe && (def->joint < 0 || def->joint >= model->jointCount))
    {
        rslReport_Add(report, rsl_error, def->place, "probe '%s': there is no joint %d; there are %d, counted from 0",
                      def->name, def->joint, model->jointCount);
        return rsl_badInput;
    }
    if (def->type == rsl_reactionProbe && (def->constraint < 0 || def->constraint >= model->constraintCount))
    {
        rslReport_Add(report, rsl_error, def->place,
                      "probe '%s': there is no constraint %d; there are %d, counted from 0", def->name, def->constraint,
                      model->constraintCount);
        return rsl_badInput;
    }
    if (HasCollider(def))
    {
        probe->collider = rslModel_FindCollider(model, def->type == rsl_groundProbe ? "ground" : def->collider);
        if (probe->collider < 0 && def->type == rsl_colliderProbe)
        {
            rslReport_Add(report, rsl_error, def->place, "there is no collider '%s'", def->collider);
            return rsl_badInput;
        }
    }
    if (def->body != NULL)
    {
        probe->body = rslModel_Find(model, def->body);
        if (probe->body < 0)
        {
            rslReport_Add(report, rsl_error, def->place, "there is no body '%s'", def->body);
            return rsl_badInput;
        }
    }
    if (def->type == rsl_contactProbe)
    {
        probe->collider = model->colliderCount;
    }
    bool pushes = rslTouchScheme_Pushes(model->touch.foreseen);
    probe->pushed = def->type == rsl_contactProbe || (pushes && HasCollider(def));
    bool sits = def->type == rsl_stressProbe || def->type == rsl_strainProbe;
    rslStatus status = sits ? FindHolder(probes, probe, report) : rsl_ok;
    if (status == rsl_ok && sits && isnan(def->radius))
    {
        probe->def.radius = 1.3 * model->bodies[probe->body].spacing;
    }
    return status;
}

static rslStatus MakeScratch(rslProbes* probes)
{
    bool forces = false, wrenches = false;
    for (int i = 0; i < probes->count; ++i)
    {
        rslProbeType type = probes->probes[i].def.type;
        probes->columnCount += ColumnsOf(&probes->probes[i]);
        forces = forces || type == rsl_nodeProbe || type == rsl_reactionProbe ||
                 (HasCollider(&probes->probes[i].def) && !probes->probes[i].pushed);
        wrenches = wrenches || type == rsl_reactionProbe || type == rsl_jointProbe;
    }
    rslArena* arena = &probes->arena;
    probes->hardy = rslArena_Allocate(arena, (size_t)probes->count, sizeof(rslHardyProbe));
    probes->stress = rslArena_Allocate(arena, (size_t)probes->count, sizeof(rslSymmetric));
    if (forces)
    {
        probes->forces = rslArena_Allocate(arena, 3 * (size_t)probes->model->nodeCount, sizeof(double));
    }
    if (wrenches)
    {
        size_t count = (size_t)(probes->model->jointCount + probes->model->rigidCount);
        probes->wrenches = rslArena_Allocate(arena, count, sizeof(rslWrench));
    }
    bool made = (probes->forces != NULL || !forces) && (probes->wrenches != NULL || !wrenches);
    return probes->hardy != NULL && probes->stress != NULL && made ? rsl_ok : rsl_outOfMemory;
}

rslStatus rslProbes_Create(const rslModel* model, const rslProbeDef* defs, int count, const rslHooks* hooks,
                           rslProbes** out, rslReport* report)
{
    rslHooks complete = rslHooks_Complete(hooks);
    *out = NULL;
    rslProbes* probes = rslAllocate(&complete, 1, sizeof *probes);
    if (probes == NULL)
    {
        return rsl_outOfMemory;
    }
    probes->model = model;
    probes->arena = rslArena_Make(&complete);
    probes->probes = rslArena_Allocate(&probes->arena, (size_t)count, sizeof(Probe));
    probes->tessellations = rslArena_Allocate(&probes->arena, (size_t)model->bodyCount, sizeof(rslTessellation*));
    rslStatus status = probes->probes != NULL && probes->tessellations != NULL ? rsl_ok : rsl_outOfMemory;
    for (int i = 0; i < count && status != rsl_outOfMemory; ++i)
    {
        probes->count = i + 1;
        rslStatus one = MakeProbe(probes, &defs[i], &probes->probes[i], report);
        status = one != rsl_ok ? one : status;
    }
    status = status == rsl_ok ? MakeScratch(probes) : status;
    if (status != rsl_ok)
    {
        rslProbes_Free(probes);
        return status;
    }
    *out = probes;
    return rsl_ok;
}

void rslProbes_Free(rslProbes* probes)
{
    if (probes == NULL)
    {
        return;
    }
    for (int i = 0; probes->probes != NULL && i < probes->count; ++i)
    {
        rslModel_FreeNodes(probes->model, probes->probes[i].nodes);
    }
    for (int b = 0; probes->tessellations != NULL && b < probes->model->bodyCount; ++b)
    {
        rslTessellation_Free(probes->tessellations[b]);
    }
    rslHooks hooks = probes->arena.hooks;
    rslArena_Free(&probes->arena);
    rslRelease(&hooks, probes);
}

// ---- reading --------------------------------------------------------------------------------------------------------

static int Put3(double* row, rslVec3 v)
{
    row[0] = v.x;
    row[1] = v.y;
    row[2] = v.z;
    return 3;
}

static void PutWrench(double* row, rslWrench wrench)
{
    row += Put3(row, wrench.force);
    Put3(row, wrench.torque);
}

static int Put6(double* row, rslSymmetric s)
{
    memcpy(row, (const double[6]){ s.xx, s.yy, s.zz, s.yz, s.zx, s.xy }, 6 * sizeof(double));
    return 6;
}

// Means over the nodes of a probe: position, velocity, force.
static void ReadNodes(const rslProbes* probes, const rslState* state, const Probe* probe, double* row)
{
    memset(row, 0, 9 * sizeof(double));
    for (int i = 0; i < probe->nodeCount; ++i)
    {
        int node = probe->nodes[i];
        double position[3], velocity[3];
        rslState_Positions(probes->model, state, node, node + 1, position);
        rslState_Velocities(probes->model, state, node, node + 1, velocity);
        for (int axis = 0; axis < 3; ++axis)
        {
            row[axis] += position[axis] / probe->nodeCount;
            row[3 + axis] += velocity[axis] / probe->nodeCount;
            row[6 + axis] += probes->forces[3 * (size_t)node + (size_t)axis] / probe->nodeCount;
        }
    }
}

static void ReadStrain(const rslProbes* probes, const rslState* state, const Probe* probe, double* row)
{
    const rslTessellation* t = probes->tessellations[probe->body];
    rslVec3 u = { NAN, NAN, NAN };
    rslSymmetric e = { NAN, NAN, NAN, NAN, NAN, NAN };
    rslTessellation_Displacement(t, state, probe->def.point, &u);
    rslTessellation_Strain(t, state, probe->def.point, probe->def.distance, &e);
    row += Put3(row, u);
    Put6(row, e);
}

static void PutStress(rslSymmetric s, double* row)
{
    row += Put6(row, s);
    *row++ = rslSymmetric_VonMises(s);
    rslSymmetric_Principal(s, row, NULL);
}

// All at once: one walk over the springs.
static rslStatus ReadStresses(rslProbes* probes, rslSolver* solver, const rslState* state, double* row)
{
    int count = 0;
    for (int i = 0; i < probes->count; ++i)
    {
        Probe* probe = &probes->probes[i];
        rslVec3 u;
        probe->hardy = -1;
        if (probe->def.type == rsl_stressProbe &&
            rslTessellation_Displacement(probes->tessellations[probe->body], state, probe->def.point, &u) &&
            rslIsFinite3(u))
        {
            probe->hardy = count;
            probes->hardy[count++] = (rslHardyProbe){ rslAdd(probe->def.point, u), probe->def.radius, probe->def.kind };
        }
    }
    rslStatus status = count > 0 ? rslSolver_HardyStress(solver, state, probes->hardy, count, probes->stress) : rsl_ok;
    for (int i = 0; status == rsl_ok && i < probes->count; ++i)
    {
        const Probe* probe = &probes->probes[i];
        if (probe->hardy >= 0)
        {
            PutStress(probes->stress[probe->hardy], row);
        }
        else if (probe->def.type == rsl_stressProbe)
        {
            PutStress((rslSymmetric){ NAN, NAN, NAN, NAN, NAN, NAN }, row);
        }
        row += ColumnsOf(probe);
    }
    return status;
}

// A ground that is not there pushes nothing.
static void ReadCollider(const rslProbes* probes, rslSolver* solver, const rslState* state, const Probe* probe,
                         double* row)
{
    bool there = probe->collider >= 0;
    Put3(row, there ? rslCollider_Force(solver, state, probe->collider, probe->body, probes->forces) : (rslVec3){ 0 });
}

rslStatus rslProbes_Read(rslProbes* probes, rslSolver* solver, const rslState* state, double* row)
{
    RSL_ASSERT(rslSolver_Model(solver) == probes->model);
    if (probes->forces != NULL)
    {
        rslSolver_Fields(solver, state, probes->forces, NULL, NULL);
    }
    if (probes->wrenches != NULL && probes->model->rigidCount > 0)
    {
        solver->backend->reactions(solver->kernel, state, probes->wrenches,
                                   probes->wrenches + probes->model->jointCount);
    }
    double* at = row;
    for (int i = 0; i < probes->count; ++i)
    {
        Probe* probe = &probes->probes[i];
        const rslProbeDef* def = &probe->def;
        if (probe->pushed)
        {
            rslTouchMark_Read(&probe->mark, probes->model, state, probe->body, probe->collider, at);
            at += RSL_TOUCH_COLUMNS;
            continue;
        }
        switch (def->type)
        {
            case rsl_nodeProbe: ReadNodes(probes, state, probe, at); break;
            case rsl_strainProbe: ReadStrain(probes, state, probe, at); break;
            case rsl_reactionProbe:
                PutWrench(at, rslConstraint_Reaction(probes->model, state, def->constraint, probes->forces,
                                                     probes->wrenches + probes->model->jointCount, def->point));
                break;
            case rsl_jointProbe:
                PutWrench(at, probes->wrenches[def->joint]);
                at[6] = rslState_JointAngle(probes->model, state, def->joint);
                break;
            case rsl_flowProbe: Put3(at, rslSolver_Flow(solver, state, probe->body, def->point, def->normal)); break;
            case rsl_groundProbe:
            case rsl_colliderProbe: ReadCollider(probes, solver, state, probe, at); break;
            case rsl_stressProbe:
            case rsl_contactProbe:
            case rsl_probeTypeCount: break;
        }
        at += ColumnsOf(probe);
    }
    return ReadStresses(probes, solver, state, row);
}

void rslProbes_Recall(rslProbes* probes, double time, const double* row)
{
    for (int i = 0; i < probes->count; ++i)
    {
        if (probes->probes[i].pushed)
        {
            rslTouchMark_Recall(&probes->probes[i].mark, time, row);
        }
        row += ColumnsOf(&probes->probes[i]);
    }
}
