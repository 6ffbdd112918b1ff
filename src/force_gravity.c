// SPDX-License-Identifier: MIT
//
// force_gravity.c: uniform gravity.  W = -m g.x,  force = m g.

#include "term.h"

static bool Present(const Kernel* kernel)
{
    rslVec3 g = kernel->model->gravity;
    return g.x != 0.0 || g.y != 0.0 || g.z != 0.0;
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    (void)view;
    (void)powers;
    const Real* gravity = kernel->frames[chunk->body].gravity;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            kernel->force[axis][i] += kernel->mass[i] * gravity[axis];
        }
    }
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    double rest[CHUNK][3];
    RSL_NAME(rslKernel_Rest)(kernel, chunk, rest);
    const FrameView* frame = &kernel->frames[chunk->body];
    rslVec3 local = rslMatTVec(&frame->rotation, kernel->model->gravity);
    double offset = rslDot(kernel->model->gravity, frame->origin);
    double sum = 0.0;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        const double* X = rest[i - chunk->begin];
        double along = local.x * (X[0] + (double)view->u[0][i]) + local.y * (X[1] + (double)view->u[1][i]) +
                       local.z * (X[2] + (double)view->u[2][i]);
        sum -= (double)kernel->mass[i] * (offset + along);
    }
    return sum;
}

const Term RSL_NAME(rslGravityTerm) = {
    .name = "gravity",
    .hasEnergy = true,
    .symmetric = true,
    .present = Present,
    .energy = Energy,
    .force = Force,
};
