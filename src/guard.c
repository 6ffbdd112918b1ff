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
// Most steps are far from it and must not pay for the test. A piece with p > p0/2 has a slack, a way within which it stays there
// (guard_slack.c). Blocks of elements keep the least slack of their pieces; as long as their nodes have gone a shorter way in all since it was found, they need no look. The way is a bound
// that costs next to nothing: the largest speed of a chunk times the time. Then the slack is found anew where the nodes are
// now, and if it is more than the last drift, that drift was all right. Only what is left is tested exactly, which needs the
// displacements before the drift: these are kept when the solver is careful, and without them the block is unsure, and the
// solver goes back. So what is found does not depend on when it was looked for.

#include "guard.h"

#include <string.h>

enum
{
    FEW = 2  // blocks that are not worth waking others for
};

// ---- how far things have moved ------------------------------------------------------------------------------------------

void RSL_NAME(rslGuard_Begin)(Kernel* kernel, bool careful)
{
    GuardKernel* guard = kernel->guard;
    if (guard == NULL)
    {
        return;
    }
    guard->careful = careful;
    RSL_NAME(rslGuard_Doubt)(kernel);
    memset(guard->path, 0, (size_t)kernel->chunkCount * sizeof(double));
    memset(guard->moved, 0, (size_t)kernel->chunkCount * sizeof(double));
}

void RSL_NAME(rslGuard_Start)(Kernel* kernel, double step)
{
    if (kernel->guard != NULL)
    {
        kernel->guard->step = step;
        memset(kernel->guard->tried, 0, (size_t)kernel->chunkCount * sizeof(double));
        kernel->guard->failed = kernel->guard->tested = false;
        kernel->guard->smallest = kernel->guard->ratio = 1.0;
        kernel->guard->body = kernel->guard->element = kernel->guard->pressed = -1;
    }
}

void RSL_NAME(rslGuard_TakeBack)(Kernel* kernel)
{
    GuardKernel* guard = kernel->guard;
    bool finite = true;
    guard->failed = false;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        guard->path[c] += guard->tried[c] + guard->moved[c];
        guard->moved[c] = 0.0;
        finite = finite && guard->path[c] < INFINITY;
    }
    if (!finite)
    {
        RSL_NAME(rslGuard_Begin)(kernel, guard->careful);
    }
}

void RSL_NAME(rslGuard_Doubt)(Kernel* kernel)
{
    for (int i = 0; kernel->guard != NULL && i < kernel->guard->blockCount; ++i)
    {
        GuardBlock* block = &kernel->guard->blocks[i];
        for (int t = 0; t < block->touchCount; ++t)
        {
            kernel->guard->touches[block->firstTouch + t].deadline = -INFINITY;
        }
    }
}

// The largest |w| of an axis, by its bits: what is not a number is larger than any.
#define Largest RSL_NAME(rslLargestOf)
RSL_CLONES static Real Largest(const Real* w, int count)
{
#if RSL_PRECISION == 32
    int32_t best = 0, bits;
    const int32_t mask = 0x7fffffff;
#else
    int64_t best = 0, bits;
    const int64_t mask = 0x7fffffffffffffff;
#endif
    for (int i = 0; i < count; ++i)
    {
        memcpy(&bits, &w[i], sizeof bits);
        bits &= mask;
        best = bits > best ? bits : best;
    }
    Real value;
    memcpy(&value, &best, sizeof value);
    return value;
}

// Rigid bodies and hard volumes put nodes where no speed tells: their ways are measured.
static bool MovesOtherwise(const Kernel* kernel)
{
    return kernel->rigids != NULL || kernel->hardVolumes > 0;
}

static void MeasureChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    Real* const* before = context;
    double largest = 0.0;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        rslVec3 d = { (double)view->u[0][i] - (double)before[0][i], (double)view->u[1][i] - (double)before[1][i],
                      (double)view->u[2][i] - (double)before[2][i] };
        double square = rslDot(d, d);
        largest = square <= largest ? largest : square;
    }
    kernel->guard->moved[chunk->index] = sqrt(largest) * (1.0 + 1e-6);
}

void RSL_NAME(rslGuard_MeasureWays)(Kernel* kernel, const View* view, Real* const before[3])
{
    Real* from[3] = { before[0], before[1], before[2] };
    RSL_NAME(rslKernel_ForChunksLight)(kernel, view, MeasureChunk, from);
}

static void KeepChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
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

void RSL_NAME(rslGuard_Drift)(Kernel* kernel, const View* view, const Chunk* chunk, Real time)
{
    GuardKernel* guard = kernel->guard;
    int count = chunk->end - chunk->begin;
    double square = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double speed = (double)Largest(view->w[axis] + chunk->begin, count);
        square += speed * speed;
    }
    if (guard->careful || MovesOtherwise(kernel))
    {
        KeepChunk(kernel, view, chunk, NULL);
    }
    double rounding = (RSL_PRECISION == 32 ? 0x1p-22 : 0x1p-51) * guard->extent;
    guard->moved[chunk->index] += fabs((double)time) * sqrt(square) * (1.0 + 1e-6) + rounding;
}

void RSL_NAME(rslGuard_Held)(Kernel* kernel, double distance)
{
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        kernel->guard->moved[c] += kernel->guard->held[c] ? distance : 0.0;
    }
}

// ---- the check ----------------------------------------------------------------------------------------------------------

typedef struct CheckContext
{
    Kernel* kernel;
    const View* view;
} CheckContext;

static void CheckBlock(int item, void* context)
{
    const CheckContext* c = context;
    GuardKernel* guard = c->kernel->guard;
    GuardBlock* block = &guard->blocks[guard->expired[item]];
    GuardTouch* touches = guard->touches + block->firstTouch;
    double slack = RSL_NAME(rslGuard_Slack)(c->kernel, c->view, block), moved = 0.0;
    for (int t = 0; t < block->touchCount; ++t)
    {
        double m = guard->moved[touches[t].chunk];
        moved = !(m <= moved) ? m : moved;
    }
    bool sure = slack >= moved;
    block->fell = false;
    block->ratio = 1.0;
    block->tested = !sure && guard->careful;
    block->unsure = !sure && !guard->careful;
    if (block->tested)
    {
        RSL_NAME(rslGuard_TestBlock)(c->kernel, c->view, block, guard->before, fallPart);
    }
    for (int t = 0; t < block->touchCount; ++t)
    {
        touches[t].deadline = sure ? guard->path[touches[t].chunk] + slack : -INFINITY;
    }
}

static int FindExpired(GuardKernel* guard)
{
    int count = 0;
    for (int i = 0; i < guard->blockCount; ++i)
    {
        const GuardBlock* block = &guard->blocks[i];
        bool expired = false;
        for (int t = 0; !expired && t < block->touchCount; ++t)
        {
            const GuardTouch* touch = &guard->touches[block->firstTouch + t];
            expired = !(guard->path[touch->chunk] < touch->deadline);
        }
        if (expired)
        {
            guard->expired[count++] = i;
        }
    }
    return count;
}

// What the blocks found, in their order.
static void Judge(GuardKernel* guard, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const GuardBlock* block = &guard->blocks[guard->expired[i]];
        bool worse = block->fell && (!guard->failed || !(block->ratio >= guard->ratio));
        if (worse)
        {
            guard->body = block->body;
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
        still = still && guard->moved[c] == 0.0;
    }
    if (!still && MovesOtherwise(kernel))
    {
        RSL_NAME(rslGuard_MeasureWays)(kernel, view, kernel->guard->before);
    }
    for (int c = 0; !still && c < kernel->chunkCount; ++c)
    {
        guard->path[c] += guard->moved[c];
        guard->tried[c] += guard->moved[c];
    }
    if (!still)
    {
        int count = FindExpired(guard);
        CheckContext context = { kernel, view };
        for (int i = 0; count <= FEW && i < count; ++i)
        {
            CheckBlock(i, &context);
        }
        if (count > FEW)
        {
            rslTeam_Run(kernel->team, CheckBlock, count, &context);
        }
        Judge(guard, count);
        memset(guard->moved, 0, (size_t)kernel->chunkCount * sizeof(double));
    }
    return !guard->failed;
}
