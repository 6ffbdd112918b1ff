// SPDX-License-Identifier: MIT
//
// cantilever.c: see cantilever.h.
//
//   1/k = L^3 / (3 E I) + L / (kappa G A),   I = w d^3 / 12,  A = w d,
//   kappa = 10 (1 + nu) / (12 + 11 nu)       Cowper 1966, rectangular section
//
// The deflection is the mean over the loaded nodes with the shares of the load: what the load works on.

#include "cantilever.h"

static void ChooseAxes(const rslSpecimen* specimen, rslCantilever* beam)
{
    int axes = specimen->flat ? 2 : 3;
    for (int axis = 1; axis < axes; ++axis)
    {
        beam->axis = rslAlong(specimen->size, axis) > rslAlong(specimen->size, beam->axis) ? axis : beam->axis;
    }
    beam->across = beam->axis == 0 ? 1 : 0;
    for (int axis = 0; axis < axes; ++axis)
    {
        bool thinner = rslAlong(specimen->size, axis) < rslAlong(specimen->size, beam->across);
        beam->across = axis != beam->axis && thinner ? axis : beam->across;
    }
    beam->depth = rslAlong(specimen->size, beam->across);
    beam->width = rslAlong(specimen->size, 3 - beam->axis - beam->across);
}

// Hold one end, load the other with 1 N in all. Returns whether both have nodes.
static bool HoldAndLoad(rslRig* rig, const rslSpecimen* specimen, rslCantilever* beam)
{
    double inner = 0.5 * rslAlong(specimen->size, beam->axis) - specimen->grip[beam->axis];
    double front = -INFINITY, mass = 0.0, sum = 0.0;
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        double x = rslAlong(rig->rest[i], beam->axis), m = x > inner ? rig->model.mass[i] : 0.0;
        rig->held[i] = (uint8_t)(x < -inner ? 7 : specimen->flat ? 4 : 0);
        front = x < -inner && x > front ? x : front;
        mass += m;
        sum += m * x;
    }
    for (int i = 0; i < rig->model.nodeCount && mass > 0.0; ++i)
    {
        double share = rslAlong(rig->rest[i], beam->axis) > inner ? rig->model.mass[i] / mass : 0.0;
        rslRig_Load(rig, i,
                    (rslVec3){ beam->across == 0 ? share : 0.0, beam->across == 1 ? share : 0.0,
                               beam->across == 2 ? share : 0.0 });
    }
    beam->length = sum / mass - front;
    return mass > 0.0 && isfinite(front);
}

rslStatus rslCantilever_Bend(rslRig* rig, const rslSpecimen* specimen, double tolerance, int threads,
                             rslCantilever* beam, rslReport* report)
{
    *beam = (rslCantilever){ 0 };
    ChooseAxes(specimen, beam);
    rslRig_Open(rig);
    if (!HoldAndLoad(rig, specimen, beam))
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "body '%s' has no node at an end along %c: it cannot be bent",
                      rig->body.name, "xyz"[beam->axis]);
        return rsl_badInput;
    }
    rslStatus status = rslRig_Close(rig, threads, report);
    if (status == rsl_ok)
    {
        beam->converged = rslRig_Respond(rig, tolerance);
        double work = 0.0;
        for (int i = 0; i < rig->model.nodeCount; ++i)
        {
            rslVec3 load = rslRig_LoadAt(rig, i);
            work += rslDot(load, rslRig_Motion(rig, i));
        }
        beam->stiffness = 1.0 / work;
        status = beam->converged ? rsl_ok : rsl_notConverged;
    }
    return status;
}

double rslCantilever_Theory(const rslCantilever* beam, double young, double poisson)
{
    double area = beam->width * beam->depth, second = area * beam->depth * beam->depth / 12.0;
    double shear = 0.5 * young / (1.0 + poisson), kappa = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);
    double length = beam->length;
    return 1.0 / (length * length * length / (3.0 * young * second) + length / (kappa * shear * area));
}
