// SPDX-License-Identifier: MIT
//
// guard_way.c: how far nodes have moved since the last check, at most: by chunk, from the range of their velocities.

#include "guard.h"

#include "real_bits.h"

#define BoundOf RSL_NAME(rslGuard_BoundOf)
#define BoundTurned RSL_NAME(rslGuard_BoundTurned)

enum
{
    FEW = 8,     // chunks that are not worth waking others for
    TURNED = 16  // checks after which the rate at which bodies turn is found anew
};

// Corners of a cell differ along an axis by no more than three of its edges do, one in each direction; these begin in any
// of the chunks that cells reach into. Half of that.
static double HalfOfCells(const Kernel* kernel, const PieceChunk* pieces, int axis)
{
    double sum = 0.0;
    for (int j = 0; j < 3; ++j)
    {
        double most = 0.0;
        for (int h = pieces->holdBegin; h < pieces->holdEnd; ++h)
        {
            double cell = kernel->guard->ways[kernel->repulsion->holders[h]].cell[j][axis];
            most = cell <= most ? most : cell;
        }
        sum += most;
    }
    return 0.5 * sum;
}

// Half of the ranges over all chunks that pieces reach into, or less where more is known. Corners with distances that change by
// at most E from each other lie, as moved, within a ball of sqrt(3/8) E (Jung): of stored pieces, and axes do not matter.
void RSL_NAME(rslGuard_Moved)(const Kernel* kernel, int chunk, double moved[3], double ranges[3])
{
    const RepulsionKernel* r = kernel->repulsion;
    const PieceChunk* pieces = &r->chunks[chunk];
    double held = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = INFINITY, high = -INFINITY;
        for (int h = pieces->holdBegin; h < pieces->holdEnd; ++h)
        {
            const GuardWay* way = &kernel->guard->ways[r->holders[h]];
            low = way->low[axis] >= low ? low : way->low[axis];
            high = way->high[axis] <= high ? high : way->high[axis];
            held = way->held <= held ? held : way->held;
        }
        moved[axis] = ranges[axis] = 0.5 * (high - low) * (1.0 + 1e-6);
    }
    for (int axis = 0; pieces->first >= r->storedCount && axis < 3; ++axis)
    {
        double cells = HalfOfCells(kernel, pieces, axis) + held;
        moved[axis] = cells < moved[axis] ? cells : moved[axis];
    }
    if (pieces->first < r->storedCount)
    {
        double all = sqrt(SquareOf(moved)), edges = sqrt(0.375) * (kernel->guard->ways[chunk].edge + 2.0 * held);
        moved[0] = edges < all ? edges : all;
        moved[1] = moved[2] = 0.0;
    }
}

// The motion of edges is not known.
static void LoseEdges(GuardWay* way)
{
    way->edge = INFINITY;
    for (int n = 0; n < 9; ++n)
    {
        way->cell[n / 3][n % 3] = INFINITY;
    }
}

static void MeasureChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    Real* const* before = context;
    GuardWay* way = &kernel->guard->ways[chunk->index];
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = INFINITY, high = -INFINITY;
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            double d = (double)view->u[axis][i] - (double)before[axis][i];
            low = d >= low ? low : d;
            high = d <= high ? high : d;
        }
        way->low[axis] = low;
        way->high[axis] = high;
    }
    LoseEdges(way);
}

void RSL_NAME(rslGuard_MeasureWays)(Kernel* kernel, const View* view, Real* const before[3])
{
    Real* from[3] = { before[0], before[1], before[2] };
    RSL_NAME(rslKernel_ForChunksLight)(kernel, view, MeasureChunk, from);
}

static void KeepChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    kernel->guard->ways[chunk->index].kept = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(kernel->guard->before[axis] + chunk->begin, view->u[axis] + chunk->begin,
               (size_t)(chunk->end - chunk->begin) * sizeof(Real));
    }
}

void RSL_NAME(rslGuard_Keep)(Kernel* kernel, const View* view)
{
    if (kernel->guard != NULL && kernel->guard->careful)
    {
        RSL_NAME(rslKernel_ForChunksLight)(kernel, view, KeepChunk, NULL);
    }
}

// The least and the largest of some numbers.
RSL_CLONES static void BoundOf(const Real* w, int count, int32_t bounds[2])
{
    int32_t low = bounds[0], high = bounds[1];
    for (int i = 0; i < count; ++i)
    {
        int32_t bits = ToBits(w[i]);
        low = bits < low ? bits : low;
        high = bits > high ? bits : high;
    }
    bounds[0] = low;
    bounds[1] = high;
}

// Those of w - (p (a + b) - q (c + d)).
RSL_CLONES static void BoundTurned(const Real* w, const Real* const x[4], Real p, Real q, int count, int32_t bounds[2])
{
    const Real *a = x[0], *b = x[1], *c = x[2], *d = x[3];
    int32_t low = bounds[0], high = bounds[1];
    for (int i = 0; i < count; ++i)
    {
        int32_t bits = ToBits(w[i] - (p * (a[i] + b[i]) - q * (c[i] + d[i])));
        low = bits < low ? bits : low;
        high = bits > high ? bits : high;
    }
    bounds[0] = low;
    bounds[1] = high;
}

// A turn of all nodes of a body changes no shape: velocities count beside w x x. Straight on, a drift of a time t differs from a turn
// by less than 3 (w t)^2 |x|, and by 2 w t of what is beside it.
static void BoundBesideTurn(const Kernel* kernel, const View* view, const Chunk* chunk, GuardSpeed* speed, double time)
{
    rslVec3 turn = kernel->guard->turns[chunk->body];
    const double rate[3] = { turn.x, turn.y, turn.z };
    double angle = rslLength(turn) * time, slip = 3.0 * angle * angle * kernel->guard->extent / time;
    int base = kernel->bodies[chunk->body].restBase, at = chunk->begin;
    for (int axis = 0; axis < 3; ++axis)
    {
        int k = (axis + 1) % 3, l = (axis + 2) % 3;
        int32_t bounds[2] = { INT32_MAX, -INT32_MAX };
        const Real* const x[4] = { kernel->rest[l] + base + at, view->u[l] + at, kernel->rest[k] + base + at,
                                   view->u[k] + at };
        BoundTurned(view->w[axis] + at, x, (Real)rate[k], (Real)rate[l], chunk->end - at, bounds);
        double wide = FromBits(bounds[1]) - FromBits(bounds[0]);
        speed->low[axis] = FromBits(bounds[0]) - slip - 2.0 * angle * wide;
        speed->high[axis] = FromBits(bounds[1]) + slip + 2.0 * angle * wide;
    }
}

// The largest differences of velocities at the ends of edges.
static void FindEdgeSpeed(const Kernel* kernel, const View* view, const Chunk* chunk, GuardSpeed* speed)
{
    double low[3][3], high[3][3];
    speed->edge = 0.0;
    if (kernel->model->bodies[chunk->body].kind != rsl_latticeBody)
    {
        speed->edge = RSL_NAME(rslRepulsion_EdgeSpeed)(kernel, view, chunk);
        return;
    }
    RSL_NAME(rslRepulsion_Bound)(kernel, view->w, chunk, low, high);
    for (int n = 0; n < 9; ++n)
    {
        double least = low[n / 3][n % 3], most = high[n / 3][n % 3];
        double larger = !(-least <= most) ? -least : most;
        speed->cell[n / 3][n % 3] = least > most ? 0.0 : larger;  // none in this direction
    }
}

static void FindSpeed(const Kernel* kernel, const View* view, const Chunk* chunk, bool edges, double time)
{
    GuardKernel* guard = kernel->guard;
    GuardSpeed* speed = &guard->speeds[chunk->index];
    bool turns = rslDot(guard->turns[chunk->body], guard->turns[chunk->body]) > 0.0;
    if (turns && time > 0.0)
    {
        BoundBesideTurn(kernel, view, chunk, speed, time);
    }
    for (int axis = 0; !guard->sameSpeeds && !turns && axis < 3; ++axis)
    {
        int32_t bounds[2] = { INT32_MAX, -INT32_MAX };
        BoundOf(view->w[axis] + chunk->begin, chunk->end - chunk->begin, bounds);
        speed->low[axis] = FromBits(bounds[0]);
        speed->high[axis] = FromBits(bounds[1]);
    }
    if (edges && (!guard->sameSpeeds || isnan(speed->edge)))
    {
        FindEdgeSpeed(kernel, view, chunk, speed);
    }
    else if (!guard->sameSpeeds)
    {
        speed->edge = NAN;
    }
}

static void AddEdges(GuardWay* way, const GuardSpeed* speed, double time, double rounding)
{
    if (isnan(speed->edge))
    {
        LoseEdges(way);
        return;
    }
    way->edge += time * speed->edge + rounding;
    for (int n = 0; n < 9; ++n)
    {
        way->cell[n / 3][n % 3] += time * speed->cell[n / 3][n % 3] + rounding;
    }
}

static void KeepTense(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    const GuardKernel* guard = kernel->guard;
    bool tense = guard->tense[chunk->index] > guard->checks && !HasMoved(&guard->ways[chunk->index]);
    if (guard->careful || MovesOtherwise(kernel) || tense)
    {
        KeepChunk(kernel, view, chunk, context);
    }
}

void RSL_NAME(rslGuard_KeepTense)(Kernel* kernel, const View* view)
{
    const GuardKernel* guard = kernel->guard;
    int count = 0;
    for (int c = 0; guard != NULL && c < kernel->chunkCount; ++c)
    {
        count += guard->careful || MovesOtherwise(kernel) || guard->tense[c] > guard->checks;
    }
    if (count > FEW)
    {
        RSL_NAME(rslKernel_ForChunksLight)(kernel, view, KeepTense, NULL);
        return;
    }
    for (int c = 0; count > 0 && c < kernel->chunkCount; ++c)
    {
        KeepTense(kernel, view, &kernel->chunks[c], NULL);
    }
}

void RSL_NAME(rslGuard_DriftEdges)(Kernel* kernel, const View* view, const Chunk* chunk, int drifts, double time)
{
    GuardSpeed* speed = &kernel->guard->speeds[chunk->index];
    speed->edge = NAN;
    if (view != NULL)
    {
        FindEdgeSpeed(kernel, view, chunk, speed);
    }
    AddEdges(&kernel->guard->ways[chunk->index], speed, drifts * time * (1.0 + 1e-5),
             2.0 * drifts * Rounding(kernel->guard));
}

void RSL_NAME(rslGuard_Drift)(Kernel* kernel, const View* view, const Chunk* chunk, Real time)
{
    GuardKernel* guard = kernel->guard;
    GuardWay* way = &guard->ways[chunk->index];
    GuardSpeed* speed = &guard->speeds[chunk->index];
    bool edges = guard->tight[chunk->index] > guard->checks && !MovesOtherwise(kernel);
    KeepTense(kernel, view, chunk, NULL);
    double t = (double)time, rounding = Rounding(guard);
    FindSpeed(kernel, view, chunk, edges, fabs(t));
    AddEdges(way, speed, fabs(t) * (1.0 + 1e-5), 2.0 * rounding);
    for (int axis = 0; axis < 3; ++axis)
    {
        double a = t * speed->low[axis], b = t * speed->high[axis];
        way->low[axis] += (a < b ? a : b) - rounding;
        way->high[axis] += (a < b ? b : a) + rounding;
    }
}

// How fast bodies of stored pieces turn, as a chunk in their middle does.
void RSL_NAME(rslGuard_Leave)(Kernel* kernel, const View* view)
{
    GuardKernel* guard = kernel->guard;
    for (int c = 0; guard != NULL && guard->checks % TURNED == 0 && c < kernel->chunkCount;)
    {
        int body = kernel->chunks[c].body, end = c;
        while (end < kernel->chunkCount && kernel->chunks[end].body == body)
        {
            end += 1;
        }
        const PieceChunk* pieces = &kernel->repulsion->chunks[(c + end) / 2];
        bool stored = pieces->count > 0 && pieces->first < kernel->repulsion->storedCount;
        guard->turns[body] = stored ? RSL_NAME(rslRepulsion_Turn)(kernel, view, &kernel->chunks[(c + end) / 2])
                                    : (rslVec3){ 0.0, 0.0, 0.0 };
        guard->sameSpeeds = false;
        c = end;
    }
}

void RSL_NAME(rslGuard_Left)(Kernel* kernel)
{
    if (kernel->guard != NULL)
    {
        kernel->guard->sameSpeeds = true;
    }
}

static void Widen(GuardWay* way, double distance)
{
    way->held += distance;
    for (int axis = 0; axis < 3; ++axis)
    {
        way->low[axis] -= distance;
        way->high[axis] += distance;
    }
}

void RSL_NAME(rslGuard_Held)(Kernel* kernel, double distance)
{
    for (int c = 0; distance != 0.0 && c < kernel->chunkCount; ++c)
    {
        if (kernel->guard->held[c])
        {
            Widen(&kernel->guard->ways[c], distance);
        }
    }
}

void RSL_NAME(rslGuard_Pushed)(Kernel* kernel, const View* view, double distance)
{
    if (kernel->guard == NULL || !(distance > 0.0))
    {
        return;
    }
    RSL_NAME(rslGuard_Keep)(kernel, view);
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        Widen(&kernel->guard->ways[c], distance);
    }
}
