// SPDX-License-Identifier: MIT
//
// force_point_damping.c: mass-proportional damping, as in air.  force = -alpha0 m v, v the velocity in the world. It has
// no energy and takes momentum away.

#include "clones.h"
#include "term.h"

#define Slow RSL_NAME(rslPointDamping_Slow)
#define AddSquare RSL_NAME(rslPointDamping_AddSquare)

static bool Present(const Kernel* kernel)
{
    return kernel->massDamped;
}

static Real DampingOf(const Kernel* kernel, const Chunk* chunk, int node)
{
    const BodyKernel* body = &kernel->bodies[chunk->body];
    return body->nodeDamping == NULL ? body->massDamping
                                     : (Real)body->nodeDamping[node - kernel->model->bodies[chunk->body].firstNode];
}

// force -= drag (w + drift)
RSL_CLONES static void Slow(Real* restrict force, const Real* restrict drag, const Real* restrict w, Real drift,
                            int count)
{
    for (int i = 0; i < count; ++i)
    {
        force[i] -= drag[i] * (w[i] + drift);
    }
}

RSL_CLONES static void AddSquare(Real* restrict square, const Real* restrict w, Real drift, int count)
{
    for (int i = 0; i < count; ++i)
    {
        Real v = w[i] + drift;
        square[i] += v * v;
    }
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    const BodyKernel* body = &kernel->bodies[chunk->body];
    if (body->massDamping == (Real)0 && body->nodeDamping == NULL)
    {
        return;
    }
    const Real* drift = kernel->frames[chunk->body].drift;
    const int begin = chunk->begin, count = chunk->end - begin;
    Real drag[CHUNK], square[CHUNK] = { 0 };
    for (int i = 0; i < count; ++i)
    {
        drag[i] = DampingOf(kernel, chunk, begin + i) * kernel->mass[begin + i];
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        const Real* w = view->w[axis] + begin;
        Slow(kernel->force[axis] + begin, drag, w, drift[axis], count);
        AddSquare(square, w, drift[axis], count);
        if (kernel->drag[axis] != NULL)
        {
            Slow(kernel->drag[axis] + begin, drag, w, drift[axis], count);
        }
    }
    powers->dissipated += RSL_NAME(rslDrag_Weigh)(drag, square, count);
}

static void Damping(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    (void)view;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            out[axis][i] += DampingOf(kernel, chunk, i) * kernel->mass[i] * p[axis][i];
        }
    }
}

// r C, as part of K + r C (kernel.h)
static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    (void)view;
    for (int axis = 0; kernel->rate != 0.0 && axis < 3; ++axis)
    {
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            out[axis][i] += (Real)kernel->rate * DampingOf(kernel, chunk, i) * kernel->mass[i] * p[axis][i];
        }
    }
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    (void)view;
    for (int i = chunk->begin; kernel->rate != 0.0 && i < chunk->end; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            blocks[i - chunk->begin][axis] +=
                kernel->rate * (double)DampingOf(kernel, chunk, i) * (double)kernel->mass[i];
        }
    }
}

const Term RSL_NAME(rslPointDampingTerm) = {
    .name = "point damping",
    .symmetric = true,
    .withDampers = true,
    .present = Present,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .diagonal = Diagonal,
};
