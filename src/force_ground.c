// SPDX-License-Identifier: MIT
//
// force_ground.c: a plane that nodes cannot sink through: a one-sided spring a node.
//
//   d = n.(x - p), below the plane d < 0:  W = 1/2 k d^2,  force = -k d n,  stiffness k n n^T.  Above it: nothing.

#include "term.h"

static bool Present(const Kernel* kernel)
{
    return kernel->model->ground.enabled;
}

// Signed distances of the chunk's nodes, in double: the frame may be far away.
static void Distances(const Kernel* kernel, const View* view, const Chunk* chunk, double distance[CHUNK])
{
    double rest[CHUNK][3];
    RSL_NAME(rslKernel_Rest)(kernel, chunk, rest);
    const FrameView* frame = &kernel->frames[chunk->body];
    rslVec3 n = frame->groundNormal;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        const double* X = rest[i - chunk->begin];
        distance[i - chunk->begin] =
            frame->groundOffset + (n.x * (X[0] + (double)view->u[0][i]) + n.y * (X[1] + (double)view->u[1][i]) +
                                   n.z * (X[2] + (double)view->u[2][i]));
    }
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    double distance[CHUNK], energy = 0.0;
    Distances(kernel, view, chunk, distance);
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        double d = distance[i - chunk->begin];
        energy += d < 0.0 ? 0.5 * kernel->model->ground.stiffness[i] * d * d : 0.0;
    }
    return energy;
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    (void)powers;
    double distance[CHUNK];
    Distances(kernel, view, chunk, distance);
    rslVec3 n = kernel->frames[chunk->body].groundNormal;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        double d = distance[i - chunk->begin];
        if (d < 0.0)
        {
            double push = -kernel->model->ground.stiffness[i] * d;
            kernel->force[0][i] += (Real)(push * n.x);
            kernel->force[1][i] += (Real)(push * n.y);
            kernel->force[2][i] += (Real)(push * n.z);
        }
    }
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    double distance[CHUNK];
    Distances(kernel, view, chunk, distance);
    rslVec3 n = kernel->frames[chunk->body].groundNormal;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        if (distance[i - chunk->begin] < 0.0)
        {
            double along = n.x * (double)p[0][i] + n.y * (double)p[1][i] + n.z * (double)p[2][i];
            double push = kernel->model->ground.stiffness[i] * along;
            out[0][i] += (Real)(push * n.x);
            out[1][i] += (Real)(push * n.y);
            out[2][i] += (Real)(push * n.z);
        }
    }
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    double distance[CHUNK];
    Distances(kernel, view, chunk, distance);
    rslVec3 n = kernel->frames[chunk->body].groundNormal;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        if (distance[i - chunk->begin] < 0.0)
        {
            double k = kernel->model->ground.stiffness[i];
            double nn[6] = { n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z };
            for (int c = 0; c < 6; ++c)
            {
                blocks[i - chunk->begin][c] += k * nn[c];
            }
        }
    }
}

const Term RSL_NAME(rslGroundTerm) = {
    .name = "ground",
    .hasEnergy = true,
    .symmetric = true,
    .present = Present,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .diagonal = Diagonal,
};
