// SPDX-License-Identifier: MIT
//
// guard.c: see guard.h.
//
// The measure p of a piece (triangle or tetrahedron; a cell is five) may fall freely while it is at least half of p0, that
// at rest, and by a fifth in one drift below that: a drift fails when somewhere on it
//
//   p(t) <= min(4/5 p(0), 1/2 p0)
//
// (inversion.h; held nodes and all that follows a drift included: the way is the one really taken). The first part alone
// keeps every accepted state positive, for ever; the second leaves alone what is not near collapse.
//
// Most steps are far from it and must not pay for the test. A look at a chunk (kernel_repulsion.h) finds a slack, a way within which all of
// its pieces stay above half of p0 and none comes near; as long as their nodes have gone a shorter way in all since then,
// they need no look, neither for this check nor for the forces. The way is a bound that costs next to nothing: half of the range of
// velocities of the chunks, as pieces are the same wherever they are, times the time. Then the slack is found anew where the nodes are
// now, and if it is more than the last drift, that drift was all right. Only pieces that are left are tested exactly, which needs the
// displacements before the drift: these are kept in chunks where it gets close, everywhere when the solver is careful, and
// without them the chunk is unsure, and the solver goes back. So what is found does not depend on when it was looked for.

#include "guard.h"

#include "real_bits.h"

#define BoundOf RSL_NAME(rslGuard_BoundOf)

enum
{
    FEW = 2,      // chunks that are not worth waking others for
    LASTING = 64  // checks for which displacements are kept after it got close
};

// ---- how far things have moved ------------------------------------------------------------------------------------------

static void ForgetWays(Kernel* kernel)
{
    memset(kernel->guard->ways, 0, (size_t)kernel->chunkCount * sizeof(GuardWay));
}

void RSL_NAME(rslGuard_Begin)(Kernel* kernel, bool careful)
{
    if (kernel->guard != NULL)
    {
        kernel->guard->careful = careful;
        RSL_NAME(rslGuard_Doubt)(kernel);
        ForgetWays(kernel);
    }
}

void RSL_NAME(rslGuard_Start)(Kernel* kernel, double step)
{
    GuardKernel* guard = kernel->guard;
    for (int c = 0; guard != NULL && c < kernel->chunkCount; ++c)
    {
        memset(guard->blocks[c].tried, 0, sizeof guard->blocks[c].tried);
    }
    if (guard != NULL)
    {
        guard->step = step;
        guard->failed = guard->tested = false;
        guard->smallest = guard->ratio = 1.0;
        guard->body = guard->element = guard->pressed = -1;
    }
}

// Half of the ranges over all chunks that pieces reach into.
void RSL_NAME(rslGuard_Moved)(const Kernel* kernel, int chunk, double moved[3])
{
    const RepulsionKernel* r = kernel->repulsion;
    const PieceChunk* pieces = &r->chunks[chunk];
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = INFINITY, high = -INFINITY;
        for (int h = pieces->holdBegin; h < pieces->holdEnd; ++h)
        {
            const GuardWay* way = &kernel->guard->ways[r->holders[h]];
            low = way->low[axis] >= low ? low : way->low[axis];
            high = way->high[axis] <= high ? high : way->high[axis];
        }
        moved[axis] = 0.5 * (high - low) * (1.0 + 1e-6);
    }
}

static void AddWay(double way[3], const double more[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        way[axis] += more[axis];
    }
}

void RSL_NAME(rslGuard_TakeBack)(Kernel* kernel)
{
    GuardKernel* guard = kernel->guard;
    guard->failed = false;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        GuardBlock* block = &guard->blocks[c];
        if (kernel->repulsion->chunks[c].count > 0)
        {
            double moved[3];
            RSL_NAME(rslGuard_Moved)(kernel, c, moved);
            AddWay(block->way, block->tried);
            AddWay(block->way, moved);
            block->seen = false;
        }
    }
    ForgetWays(kernel);
}

void RSL_NAME(rslGuard_Doubt)(Kernel* kernel)
{
    for (int c = 0; kernel->guard != NULL && c < kernel->chunkCount; ++c)
    {
        GuardBlock* block = &kernel->guard->blocks[c];
        memset(block->way, 0, sizeof block->way);
        block->known = block->seen = false;
    }
}

// Rigid bodies and hard volumes put nodes where no speed tells: their ways are measured.
static bool MovesOtherwise(const Kernel* kernel)
{
    return kernel->rigids != NULL || kernel->hardVolumes > 0;
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

static bool HasMoved(const GuardWay* way)
{
    bool moved = false;
    for (int axis = 0; axis < 3; ++axis)
    {
        moved = moved || !(way->low[axis] == 0.0 && way->high[axis] == 0.0);
    }
    return moved;
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

void RSL_NAME(rslGuard_Drift)(Kernel* kernel, const View* view, const Chunk* chunk, Real time)
{
    GuardKernel* guard = kernel->guard;
    GuardWay* way = &guard->ways[chunk->index];
    bool tense = guard->tense[chunk->index] > guard->checks && !HasMoved(way);
    if (guard->careful || MovesOtherwise(kernel) || tense)
    {
        KeepChunk(kernel, view, chunk, NULL);
    }
    double rounding = (RSL_PRECISION == 32 ? 0x1p-22 : 0x1p-51) * guard->extent;
    for (int axis = 0; axis < 3; ++axis)
    {
        int32_t bounds[2] = { INT32_MAX, -INT32_MAX };
        BoundOf(view->w[axis] + chunk->begin, chunk->end - chunk->begin, bounds);
        double a = (double)time * FromBits(bounds[0]), b = (double)time * FromBits(bounds[1]);
        way->low[axis] += (a < b ? a : b) - rounding;
        way->high[axis] += (a < b ? b : a) + rounding;
    }
}

void RSL_NAME(rslGuard_Held)(Kernel* kernel, double distance)
{
    for (int c = 0; distance != 0.0 && c < kernel->chunkCount; ++c)
    {
        GuardWay* way = &kernel->guard->ways[c];
        for (int axis = 0; kernel->guard->held[c] && axis < 3; ++axis)
        {
            way->low[axis] -= distance;
            way->high[axis] += distance;
        }
    }
}

// ---- the check ----------------------------------------------------------------------------------------------------------

typedef struct CheckContext
{
    Kernel* kernel;
    const View* view;
    const int* chunks;
} CheckContext;

static void TestItem(int item, void* context)
{
    const CheckContext* c = context;
    const Chunk* chunk = &c->kernel->chunks[c->chunks[item]];
    if (c->kernel->guard->blocks[chunk->index].tested)
    {
        RSL_NAME(rslGuard_TestChunk)(c->kernel, c->view, chunk, c->kernel->guard->before, fallPart);
    }
}

// Have all displacements of the nodes of a chunk's pieces been kept?
static bool IsKept(const Kernel* kernel, int chunk)
{
    const RepulsionKernel* r = kernel->repulsion;
    bool kept = true;
    for (int h = r->chunks[chunk].holdBegin; h < r->chunks[chunk].holdEnd; ++h)
    {
        kept = kept && kernel->guard->ways[r->holders[h]].kept;
    }
    return kept;
}

// What a look found says of the way to here, and for how long it lasts. True: only the exact test can tell.
static bool Settle(Kernel* kernel, int chunk)
{
    GuardKernel* guard = kernel->guard;
    GuardBlock* block = &guard->blocks[chunk];
    const PieceChunk* pieces = &kernel->repulsion->chunks[chunk];
    double twice[3] = { 2.0 * pieces->moved[0], 2.0 * pieces->moved[1], 2.0 * pieces->moved[2] };
    bool sure = pieces->unsureCount == 0;
    block->fell = false;
    block->ratio = 1.0;
    block->tested = !sure && (guard->careful || IsKept(kernel, chunk));
    block->unsure = !sure && !block->tested;
    block->known = sure;
    block->seen = true;
    memset(block->way, 0, sizeof block->way);
    bool close = !pieces->together &&
                 !(pieces->slack.measure > 0.0 && SquareOf(twice) < pieces->slack.measure * pieces->slack.measure);
    for (int h = pieces->holdBegin; close && h < pieces->holdEnd; ++h)
    {
        guard->tense[kernel->repulsion->holders[h]] = guard->checks + LASTING;
    }
    return block->tested;
}

// What the tests found, in the order of chunks.
static void Judge(Kernel* kernel, int chunk)
{
    GuardKernel* guard = kernel->guard;
    const GuardBlock* block = &guard->blocks[chunk];
    bool worse = block->fell && (!guard->failed || !(block->ratio >= guard->ratio));
    if (worse)
    {
        guard->body = kernel->chunks[chunk].body;
        guard->element = block->element;
        guard->ratio = block->ratio;
    }
    guard->failed = guard->failed || block->fell || block->unsure;
    guard->tested = guard->tested || block->tested;
    if (block->ratio < freePart && block->ratio < guard->smallest)
    {
        guard->smallest = block->ratio;
    }
}

// Look at what is expired, and test what has to be.
static void Check(Kernel* kernel, const View* view, int count)
{
    GuardKernel* guard = kernel->guard;
    CheckContext context = { kernel, view, guard->expired };
    int tests = 0;
    RSL_NAME(rslRepulsion_Look)(kernel, view, guard->expired, count);
    for (int i = 0; i < count; ++i)
    {
        tests += Settle(kernel, guard->expired[i]);
    }
    for (int i = 0; tests > 0 && tests <= FEW && i < count; ++i)
    {
        TestItem(i, &context);
    }
    if (tests > FEW)
    {
        rslTeam_Run(kernel->team, TestItem, count, &context);
    }
    for (int i = 0; i < count; ++i)
    {
        Judge(kernel, guard->expired[i]);
    }
}

// All have moved: which may have gone too far?
static int FindExpired(Kernel* kernel)
{
    GuardKernel* guard = kernel->guard;
    int count = 0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        GuardBlock* block = &guard->blocks[c];
        PieceChunk* pieces = &kernel->repulsion->chunks[c];
        if (pieces->count > 0)
        {
            RSL_NAME(rslGuard_Moved)(kernel, c, pieces->moved);
            AddWay(block->way, pieces->moved);
            AddWay(block->tried, pieces->moved);
            block->seen = false;
            guard->expired[count] = c;
            count += !(block->known && RSL_NAME(rslRepulsion_Lasts)(pieces, block->way));
        }
    }
    return count;
}

bool RSL_NAME(rslGuard_Passes)(Kernel* kernel, const View* view)
{
    GuardKernel* guard = kernel->guard;
    if (guard == NULL || guard->failed)
    {
        return guard == NULL;
    }
    bool still = true;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        still = still && !HasMoved(&guard->ways[c]);
    }
    if (!still)
    {
        if (MovesOtherwise(kernel))
        {
            RSL_NAME(rslGuard_MeasureWays)(kernel, view, guard->before);
        }
        guard->checks += 1;
        Check(kernel, view, FindExpired(kernel));
        ForgetWays(kernel);
    }
    return !guard->failed;
}

void RSL_NAME(rslGuard_Refresh)(Kernel* kernel, const View* view)
{
    GuardKernel* guard = kernel->guard;
    int count = 0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const GuardBlock* block = &guard->blocks[c];
        PieceChunk* pieces = &kernel->repulsion->chunks[c];
        bool lasts = block->seen || (block->known && RSL_NAME(rslRepulsion_Lasts)(pieces, block->way));
        memset(pieces->moved, 0, sizeof pieces->moved);
        guard->expired[count] = c;
        count += pieces->count > 0 && !lasts;
    }
    RSL_NAME(rslRepulsion_Look)(kernel, view, guard->expired, count);
    for (int i = 0; i < count; ++i)
    {
        guard->blocks[guard->expired[i]].seen = true;
    }
}
