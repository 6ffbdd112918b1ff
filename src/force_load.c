// SPDX-License-Identifier: MIT
//
// force_load.c: forces on nodes, accelerations of nodes (body forces), and the forces that the host gives. They depend on
// time, not on positions: their work is counted, they have no energy of their own.

#include "term.h"

static bool Present(const Kernel* kernel)
{
    return kernel->loadStart != NULL || kernel->hostForces != NULL;
}

// Total force on a node in world axes.
static rslVec3 LoadOn(const Kernel* kernel, int node)
{
    rslVec3 sum = { 0 };
    for (int e = kernel->loadStart ? kernel->loadStart[node] : 0; kernel->loadStart && e < kernel->loadStart[node + 1];
         ++e)
    {
        const rslLoad* load = &kernel->model->loads[kernel->nodeLoads[e]];
        double factor = kernel->loadFactors[kernel->nodeLoads[e]];
        double mass = load->type == rsl_accelerationLoad ? kernel->model->mass[node] : 1.0;
        sum = rslMulAdd(sum, factor * mass, load->value);
    }
    if (kernel->hostForces != NULL)
    {
        const double* f = &kernel->hostForces[3 * (size_t)node];
        sum = rslAdd(sum, (rslVec3){ f[0], f[1], f[2] });
    }
    return sum;
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    const FrameView* frame = &kernel->frames[chunk->body];
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        if (kernel->hostForces == NULL && kernel->loadStart[i] == kernel->loadStart[i + 1])
        {
            continue;
        }
        rslVec3 local = rslMatTVec(&frame->rotation, LoadOn(kernel, i));
        double f[3] = { local.x, local.y, local.z };
        for (int axis = 0; axis < 3; ++axis)
        {
            kernel->force[axis][i] += (Real)f[axis];
            powers->loads += f[axis] * ((double)view->w[axis][i] + (double)frame->drift[axis]);
        }
    }
}

const Term RSL_NAME(rslLoadTerm) = {
    .name = "loads",
    .symmetric = true,
    .external = true,
    .present = Present,
    .force = Force,
};
