// SPDX-License-Identifier: MIT
//
// build_stiffness.c: how stiff nodes are, for all that presses on them and is not told how hard.
//
// Of a node with springs or elements, a third of the trace of K_ii, K_ii = sum k n n^T. A rigid body has none, and no E is
// asked for: what stops it has to follow from its mass M, its size L (the least of its extents) and the speed U at which it
// may hit something,
//   U^2 = v^2 + 2 g L      v: its first speed, with that of its spin; g: gravity, or 9.81 m/s2 where there is none
// (it falls by its own size). A single node stops all of it within L/20:
//   k = M (20 U / L)^2
// so that it stands on one node L/800 deep, on n nodes L/(800 n), and its steps are 2 / (20 U/L) / sqrt(nodes).

#include "build.h"
#include "vec.h"

#include <math.h>

static bool AddTrace(const rslSpring* spring, void* context)
{
    double* trace = context;
    trace[spring->a] += spring->stiffness;
    trace[spring->b] += spring->stiffness;
    return true;
}

rslImpact rslBuild_Impact(const rslBuild* build, int index)
{
    const double degree = 3.14159265358979323846 / 180.0;
    const rslBody* body = &build->bodies[index];
    const rslBodyDef* def = &build->scene->bodies[index];
    rslExtents extents = rslBody_Extents(body);
    double size = extents.shortest < INFINITY ? extents.shortest : body->spacing;
    double gravity = rslLength(build->scene->gravity);
    double speed = rslLength(def->velocity) + 0.5 * degree * rslLength(def->spin) * extents.longest;
    gravity = gravity > 0.0 ? gravity : 9.81;
    return (rslImpact){ body->mass, size, sqrt(speed * speed + 2.0 * gravity * size) };
}

double rslImpact_Stiffness(rslImpact impact)
{
    double rate = 20.0 * impact.speed / impact.size;
    return impact.mass * rate * rate;
}

const double* rslBuild_Trace(rslBuild* build)
{
    const rslModel* model = build->model;
    if (build->trace != NULL)
    {
        return build->trace;
    }
    build->trace = rslAllocate(&model->hooks, (size_t)model->nodeCount, sizeof(double));
    for (int b = 0; build->trace != NULL && b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        rslModel_VisitSprings(model, b, AddTrace, build->trace);
        rslElements_AddTrace(body, build->trace);
        double whole = body->model == rsl_rigidModel ? rslImpact_Stiffness(rslBuild_Impact(build, b)) : 0.0;
        for (int i = body->firstNode; whole > 0.0 && i < body->firstNode + body->nodeCount; ++i)
        {
            build->trace[i] = 3.0 * whole;
        }
    }
    return build->trace;
}
