// SPDX-License-Identifier: MIT
//
// guard_planes.c: how far nodes of lattices have moved while whole steps are taken (lattice_steps.c), and for how long that is not too far.
//
// Sweeps find bounds of velocities by planes. What these add up to becomes ways of chunks only where it is asked for: after every check
// there is a way which all nodes may go, whatever chunk they are of, before any chunk needs another look. As long as all planes of a body
// together have gone less far, there is nothing to do.

#include "guard.h"
#include "lattice_sweep.h"

#include <string.h>

static const double most = 0.125, least = 1e-4;  // of the smallest spacing: ways that are spare

void RSL_NAME(rslGuard_Swept)(Kernel* kernel, int drifts, double time)
{
    GuardKernel* guard = kernel->guard;
    double all = drifts * time, rounding = drifts * Rounding(guard);
    for (int p = 0; p < kernel->sweep->planeCount; ++p)
    {
        const PlaneSpeed* speed = &kernel->sweep->speeds[p];
        for (int axis = 0; axis < 3; ++axis)
        {
            guard->planes[p].low[axis] += all * speed->low[axis] - rounding;
            guard->planes[p].high[axis] += all * speed->high[axis] + rounding;
        }
    }
    guard->drifts += drifts;
    GuardKick(kernel);
}

static bool IsTight(const GuardKernel* guard, int chunk)
{
    return guard->tight[chunk] > guard->checks;
}

// ---- ways of chunks -------------------------------------------------------------------------------------------------

// The planes that the nodes of a chunk lie in.
static void FoldChunk(Kernel* kernel, const Chunk* chunk)
{
    const SweepKernel* sweep = kernel->sweep;
    GuardWay* way = &kernel->guard->ways[chunk->index];
    GuardSpeed* speed = &kernel->guard->speeds[chunk->index];
    int plane = RSL_LAST_UP_TO(sweep->planes, Plane, begin, 0, sweep->planeCount, chunk->begin);
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = INFINITY, high = -INFINITY, none = 0.0;  // or not a number where one of them is none
        speed->low[axis] = INFINITY;
        speed->high[axis] = -INFINITY;
        for (int p = plane; p < sweep->planeCount && sweep->planes[p].begin < chunk->end; ++p)
        {
            const PlaneWay* gone = &kernel->guard->planes[p];
            const PlaneSpeed* now = &sweep->speeds[p];
            low = gone->low[axis] >= low ? low : gone->low[axis];
            high = gone->high[axis] <= high ? high : gone->high[axis];
            speed->low[axis] = now->low[axis] >= speed->low[axis] ? speed->low[axis] : now->low[axis];
            speed->high[axis] = now->high[axis] <= speed->high[axis] ? speed->high[axis] : now->high[axis];
            none += 0.0 * (gone->low[axis] + gone->high[axis]) + 0.0 * (now->low[axis] + now->high[axis]);
        }
        way->low[axis] += low + none;
        way->high[axis] += high + none;
        speed->low[axis] += none;
        speed->high[axis] += none;
    }
}

typedef struct Folding
{
    int drifts;
    double time;
    bool one;  // all of them with the same velocities
} Folding;

static void FoldEdges(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    const Folding* folding = context;
    bool known = folding->one && IsTight(kernel->guard, chunk->index);
    RSL_NAME(rslGuard_DriftEdges)(kernel, known ? view : NULL, chunk, folding->drifts, folding->time);
}

void RSL_NAME(rslGuard_Fold)(Kernel* kernel, const View* view, double time)
{
    GuardKernel* guard = kernel->guard;
    Folding folding = { guard->drifts, time, guard->drifts <= 2 };
    bool tight = false;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        FoldChunk(kernel, &kernel->chunks[c]);
        tight = tight || IsTight(guard, c);
    }
    for (int c = 0; !tight && c < kernel->chunkCount; ++c)
    {
        FoldEdges(kernel, view, &kernel->chunks[c], &folding);
    }
    if (tight)
    {
        RSL_NAME(rslKernel_ForChunksLight)(kernel, view, FoldEdges, &folding);
    }
    RSL_NAME(rslGuard_Held)(kernel, guard->beside);
    memset(guard->planes, 0, (size_t)kernel->sweep->planeCount * sizeof(PlaneWay));
    guard->folded += guard->drifts;
    guard->drifts = 0;
    guard->beside = 0.0;
    guard->sameSpeeds = !kernel->pinned;
}

// ---- what is spare --------------------------------------------------------------------------------------------------

// Where the motion of edges is measured in every drift, nothing is.
void RSL_NAME(rslGuard_FindSpare)(Kernel* kernel)
{
    GuardKernel* guard = kernel->guard;
    double spacing = INFINITY;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        spacing = kernel->bodies[b].spacing < spacing ? kernel->bodies[b].spacing : spacing;
    }
    guard->spare = most * spacing;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const GuardBlock* block = &guard->blocks[c];
        const PieceChunk* pieces = &kernel->repulsion->chunks[c];
        bool lasts = pieces->count == 0;
        while (!lasts && guard->spare > 0.0)
        {
            double way[3] = { block->way[0] + guard->spare, block->way[1] + guard->spare,
                              block->way[2] + guard->spare };
            lasts = block->known && !IsTight(guard, c) && RSL_NAME(rslRepulsion_Lasts)(pieces, way);
            guard->spare = lasts ? guard->spare : guard->spare > least * spacing ? 0.5 * guard->spare : 0.0;
        }
    }
}

bool RSL_NAME(rslGuard_IsSpare)(const Kernel* kernel)
{
    const SweepKernel* sweep = kernel->sweep;
    const GuardKernel* guard = kernel->guard;
    bool spare = guard->spare > 0.0;
    for (int s = 0; spare && s < sweep->slabCount; ++s)
    {
        const Slab* slab = &sweep->slabs[s];
        for (int axis = 0; slab->begin == slab->first && axis < 3; ++axis)
        {
            double low = INFINITY, high = -INFINITY, none = 0.0;
            for (int p = slab->first; p < slab->last; ++p)
            {
                const PlaneWay* way = &guard->planes[p];
                low = way->low[axis] >= low ? low : way->low[axis];
                high = way->high[axis] <= high ? high : way->high[axis];
                none += 0.0 * (way->low[axis] + way->high[axis]);
            }
            low += none;
            high += none;
            spare = spare && 0.5 * (high - low) * (1.0 + 1e-6) + guard->beside <= guard->spare;
        }
    }
    return spare;
}

bool RSL_NAME(rslGuard_IsTense)(const Kernel* kernel)
{
    const GuardKernel* guard = kernel->guard;
    bool tense = false;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        tense = tense || guard->tense[c] > guard->checks;
    }
    return tense;
}
