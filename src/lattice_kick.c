// SPDX-License-Identifier: MIT
//
// lattice_kick.c: kicks of models whose dampers are all in lattices that are swept (lattice_sweep.h), by forces that were kept.
//
// What dampers do along a kick is found node by node, as pushes do (lattice_push.h), and added up in the same order: so steps in parts and
// whole steps lose the same, bit for bit.

#include "lattice_sweep.h"

#include "dispersion.h"
#include "term.h"

#include <string.h>

#define KickDamped RSL_NAME(rslSweep_KickDamped)
#define KickFree RSL_NAME(rslSweep_KickFree)

static bool IsSpringTerm(const Term* term)
{
    return term == &RSL_NAME(rslLatticeTerm) || term == &RSL_NAME(rslDispersionTerm);
}

// Of dampers.
static bool IsFree(const Term* term)
{
    return term == &RSL_NAME(rslGravityTerm) || term == &RSL_NAME(rslRepulsionTerm) || term->external;
}

bool RSL_NAME(rslSweep_KnowsDampers)(const Kernel* kernel)
{
    bool knows = kernel->sweep != NULL && OnlyTermsAndTouchesAct(kernel) && !(kernel->rubs && kernel->touch == NULL);
    for (int b = 0; knows && b < kernel->model->bodyCount; ++b)
    {
        knows = kernel->sweep->takes[b] && DispersesBody(kernel, b) == RSL_NAME(rslSweep_Disperses)(kernel, b);
    }
    for (const Term* const* term = RSL_NAME(rslTerms); knows && *term != NULL; ++term)
    {
        knows = IsSpringTerm(*term) || IsFree(*term) || !(*term)->present(kernel);
    }
    return knows;
}

// ---- kicks ----------------------------------------------------------------------------------------------------------

enum
{
    MOST = 2 * LONGEST_STRIP  // nodes that are kicked together
};

// D.(w' - w) of every node, along one axis more.
RSL_CLONES static void KickDamped(Real* restrict w, const Real* restrict force, const Real* restrict drag,
                                  const Real* restrict mass, Real h, Real* restrict changed, int count)
{
    for (int i = 0; i < count; ++i)
    {
        Real before = w[i], after = before + h / mass[i] * force[i];
        w[i] = after;
        changed[i] += drag[i] * (after - before);
    }
}

RSL_CLONES static void KickFree(Real* restrict w, const Real* restrict force, const Real* restrict mass, Real h,
                                int count)
{
    for (int i = 0; i < count; ++i)
    {
        w[i] += h / mass[i] * force[i];
    }
}

// Lanes of segments are added up apart, as whole steps find them.
RSL_CLONES static void AddLanes(const Real* numbers, int count, double lanes[LANES])
{
    for (; count >= LANES; count -= LANES, numbers += LANES)
    {
        for (int l = 0; l < LANES; ++l)
        {
            lanes[l] += (double)numbers[l];
        }
    }
    for (int l = 0; l < count; ++l)
    {
        lanes[l] += (double)numbers[l];
    }
}

// Segments whose nodes follow each other.
static void KickSegments(const Kernel* kernel, const View* view, const Segment* segment, int segments, Real time,
                         double lanes[LANES])
{
    const int n = segment->node, count = segment[segments - 1].node + segment[segments - 1].count - n;
    Real changed[MOST];
    memset(changed, 0, (size_t)count * sizeof(Real));
    for (int axis = 0; axis < 3; ++axis)
    {
        KickDamped(view->w[axis] + n, kernel->force[axis] + n, kernel->drag[axis] + n, kernel->mass + n, time, changed,
                   count);
    }
    for (int i = 0; kernel->pinned && i < count; ++i)
    {
        changed[i] *= kernel->sweep->free[n + i];
    }
    for (int s = 0; s < segments; ++s)
    {
        AddLanes(changed + (segment[s].node - n), segment[s].count, lanes);
    }
}

static double KickPlane(const Kernel* kernel, const View* view, const Plane* plane, Real time)
{
    const Segment* all = kernel->sweep->segments + plane->firstSegment;
    double lanes[LANES] = { 0 };
    for (int s = 0, end = 0; s < plane->segments; s = end)
    {
        while (end < plane->segments && all[end].node + all[end].count - all[s].node <= MOST)
        {
            end += 1;
        }
        KickSegments(kernel, view, all + s, end - s, time, lanes);
    }
    return RSL_NAME(rslSweep_SumOf)(lanes);
}

static void KickFreePlane(const Kernel* kernel, const View* view, const Plane* plane, Real time)
{
    const int n = plane->begin;
    for (int axis = 0; axis < 3; ++axis)
    {
        KickFree(view->w[axis] + n, kernel->force[axis] + n, kernel->mass + n, time, plane->end - n);
    }
}

typedef struct Kicking
{
    const Kernel* kernel;
    const View* view;
    Real time;
} Kicking;

static void KickSlab(int item, void* context)
{
    const Kicking* kicking = context;
    const Kernel* kernel = kicking->kernel;
    const SweepKernel* sweep = kernel->sweep;
    const Slab* slab = &sweep->slabs[item];
    for (int p = slab->begin; p < slab->end; ++p)
    {
        if (kernel->bodies[slab->body].damped)
        {
            sweep->changed[p] = KickPlane(kernel, kicking->view, &sweep->planes[p], kicking->time);
        }
        else
        {
            KickFreePlane(kernel, kicking->view, &sweep->planes[p], kicking->time);
        }
    }
}

void RSL_NAME(rslSweep_Kick)(Kernel* kernel, const View* view, double time)
{
    Kicking kicking = { kernel, view, (Real)time };
    for (int s = 0; kernel->chunkCount <= RSL_FEW_CHUNKS && s < kernel->sweep->slabCount; ++s)
    {
        KickSlab(s, &kicking);
    }
    if (kernel->chunkCount > RSL_FEW_CHUNKS)
    {
        rslTeam_Run(kernel->team, KickSlab, kernel->sweep->slabCount, &kicking);
    }
}

double RSL_NAME(rslSweep_Changed)(const Kernel* kernel)
{
    const SweepKernel* sweep = kernel->sweep;
    double sum = 0.0;
    for (int p = 0; sweep->damped && p < sweep->planeCount; ++p)
    {
        sum += sweep->changed[p];
    }
    return sum;
}
