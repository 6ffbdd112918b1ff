// SPDX-License-Identifier: MIT
//
// tension.c: see tension.h.
//
// In equilibrium the same force flows through every plane between the grips, and it is what holds the nodes of each grip:
//   F = 1/2 (sum of holding forces at the upper end - sum at the lower end),   E = F / (A e) with e = 1
// and of shallow grips, which are not at the ends, by their work, F = sum of (holding force x) / length;
//   nu_j = - (du_j/dx_j) / (du/dx) over the nodes between the grips, by least squares
// Between clamped ends only the middle half counts; where there are too few nodes, or all in one plane across, all do.

#include "tension.h"

#include "vec.h"

enum
{
    BETWEEN,  // marks of nodes
    MIDDLE,   // of those between the grips, the ones that are looked at
    LOWER,
    UPPER
};

rslTensionDef rslDefaultTensionDef(void)
{
    return (rslTensionDef){ .tolerance = 1e-10 };
}

// Mark and hold the ends. False when one has no node.
static bool Grip(rslRig* rig, const rslSpecimen* specimen, const rslTensionDef* def, uint8_t* mark)
{
    double length = rslAlong(specimen->size, def->axis), inner = 0.5 * length - specimen->grip[def->axis];
    int lower = 0, upper = 0;
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        double x = rslAlong(rig->rest[i], def->axis);
        bool middle = !def->clamped || fabs(x) <= 0.2501 * length;
        mark[i] = x < -inner ? LOWER : x > inner ? UPPER : middle ? MIDDLE : BETWEEN;
        lower += mark[i] == LOWER;
        upper += mark[i] == UPPER;
        if (mark[i] >= LOWER)
        {
            rig->held[i] = (uint8_t)(def->clamped ? 7 : 1 << def->axis);
            rslRig_Move(rig, i, rslOnAxis(def->axis, x));
        }
        rig->held[i] = (uint8_t)(rig->held[i] | (specimen->flat ? 4 : 0));
    }
    return lower > 0 && upper > 0;
}

// Two shifts across and the turn about the axis are left. The node nearest to the middle is held across; the one farthest
// from it along the first of the two directions is held in the second, which stops the turn (corners of cells that are all
// but empty would give way: light nodes do not count). Three conditions for three rigid motions: nothing else is held, so
// nothing is loaded. In a sheet the shift in its plane is all.
static void PinRigid(rslRig* rig, const rslSpecimen* specimen, int axis)
{
    int b = (axis + 1) % 3, c = (axis + 2) % 3, middle = 0, far = 0;
    for (int i = 1; i < rig->model.nodeCount; ++i)
    {
        middle = rslLength(rig->rest[i]) < rslLength(rig->rest[middle]) ? i : middle;
    }
    rslVec3 at = rig->rest[middle];
    double farthest = -1.0, weak = 0.5 * rig->body.mass / rig->model.nodeCount;
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        double reach = rig->model.mass[i] < weak ? 0.0 : fabs(rslAlong(rslSub(rig->rest[i], at), b));
        far = reach > farthest ? i : far;
        farthest = fmax(farthest, reach);
    }
    rig->held[middle] = (uint8_t)(rig->held[middle] | 1 << b | 1 << c);
    rig->held[far] = (uint8_t)(rig->held[far] | (specimen->flat ? 0 : 1 << c));
}

static double HoldingForce(const rslRig* rig, const rslSpecimen* specimen, const uint8_t* mark, int axis)
{
    double sum = 0.0, length = rslAlong(specimen->size, axis);
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        double force = mark[i] < LOWER ? 0.0 : rslAlong(rslRig_Force(rig, i), axis);
        double arm = specimen->shallow[axis] ? rslAlong(rig->rest[i], axis) / length : mark[i] == UPPER ? 0.5 : -0.5;
        sum += arm * force;
    }
    return sum;
}

static void ReadOff(const rslRig* rig, const rslSpecimen* specimen, const rslTensionDef* def, const uint8_t* mark,
                    rslTension* tension)
{
    int b = (def->axis + 1) % 3, c = (def->axis + 2) % 3, middle = 0;
    double g[3][3], low = INFINITY, high = -INFINITY;
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        if (mark[i] == MIDDLE)
        {
            low = fmin(low, rslAlong(rig->rest[i], def->axis));
            high = fmax(high, rslAlong(rig->rest[i], def->axis));
            middle += 1;
        }
    }
    bool deep = middle >= 8 && high - low > 1e-3 * rslAlong(specimen->size, def->axis);
    rslRig_Gradient(rig, deep ? mark : NULL, g);
    tension->area = specimen->area[def->axis];
    tension->force = HoldingForce(rig, specimen, mark, def->axis);
    tension->young = tension->force / tension->area;
    tension->across[0] = -g[b][b] / g[def->axis][def->axis];
    tension->across[1] = -g[c][c] / g[def->axis][def->axis];
    double both = 0.5 * (tension->across[0] + tension->across[1]);
    tension->poisson = !specimen->flat ? both : b == 2 ? tension->across[1] : tension->across[0];
}

rslStatus rslTension_Run(rslRig* rig, const rslSpecimen* specimen, const rslTensionDef* def, rslTension* tension,
                         rslReport* report)
{
    int before = rig->iterations;
    *tension = (rslTension){ 0 };
    uint8_t* mark = rslAllocate(&rig->hooks, (size_t)rig->model.nodeCount, sizeof(uint8_t));
    if (mark == NULL)
    {
        return rsl_outOfMemory;
    }
    rslRig_Open(rig);
    rslStatus status = Grip(rig, specimen, def, mark) ? rsl_ok : rsl_badInput;
    if (status != rsl_ok)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                      "body '%s' has no node at an end along %c: it cannot be pulled", rig->body.name,
                      "xyz"[def->axis]);
    }
    PinRigid(rig, specimen, def->axis);
    status = status == rsl_ok ? rslRig_Close(rig, def->threads, report) : status;
    if (status == rsl_ok)
    {
        status = rslRig_Respond(rig, def->tolerance) ? rsl_ok : rsl_notConverged;
        status = status == rsl_ok && def->strain != 0.0 ? rslRig_Settle(rig, def->strain) : status;
        tension->iterations = rig->iterations - before;
        tension->residual = rig->residual;
        tension->converged = status == rsl_ok;
        ReadOff(rig, specimen, def, mark, tension);
    }
    rslRelease(&rig->hooks, mark);
    return status;
}

// ---- from a model, from a scene -----------------------------------------------------------------------------------------

rslStatus rslTension_PullModel(const rslModel* model, const rslBodyDef* body, const rslTensionDef* def,
                               const rslHooks* hooks, rslTension* tension, rslReport* report)
{
    rslSpecimen specimen;
    *tension = (rslTension){ 0 };
    const char* why = rslSpecimen_Find(model, body, &specimen);
    if (why == NULL && specimen.flat && def->axis == 2)
    {
        why = "a sheet has no stiffness across its plane";
    }
    if (why != NULL)
    {
        rslReport_Add(report, rsl_error, body->place, "body '%s' cannot be pulled: %s", model->bodies[0].name, why);
        return rsl_badInput;
    }
    rslRig rig;
    rslStatus status = rslRig_Make(&rig, model, specimen.axes, specimen.middle, hooks);
    status = status == rsl_ok ? rslTension_Run(&rig, &specimen, def, tension, report) : status;
    rslRig_Free(&rig);
    return status;
}

rslScene rslScene_Alone(const rslScene* scene, const rslBodyDef* body, rslBodyDef* alone)
{
    rslScene single = rslDefaultScene();
    *alone = *body;
    alone->model.type = rslScene_ChooseModel(scene, body);
    alone->surface.enabled = false;
    alone->volume.method = rsl_noVolume;  // moduli are those of the network
    single.gravity = (rslVec3){ 0 };
    single.seed = scene->seed;
    single.plane = scene->plane;
    single.bodies = alone;
    single.bodyCount = 1;
    return single;
}

rslStatus rslTension_Pull(const rslScene* scene, int body, const rslTensionDef* def, const rslHooks* hooks,
                          rslTension* tension, rslReport* report)
{
    rslBodyDef alone;
    rslScene single = rslScene_Alone(scene, &scene->bodies[body], &alone);
    rslModel* model = NULL;
    *tension = (rslTension){ 0 };
    rslStatus status = rslModel_Build(&single, hooks, &model, report);
    if (status == rsl_ok)
    {
        status = rslTension_PullModel(model, &alone, def, hooks, tension, report);
        rslModel_Free(model);
    }
    return status;
}
