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

#include <string.h>

enum
{
    FEW = 2,       // chunks that are not worth waking others for
    LASTING = 64,  // checks for which displacements are kept after it got close
    VAIN = 8,      // checks in which the motion of edges spares no look, until it is not measured any more,
    EASY = 512     // for so many
};

// ---- what is known ------------------------------------------------------------------------------------------------------

static void ForgetWays(Kernel* kernel)
{
    memset(kernel->guard->ways, 0, (size_t)kernel->chunkCount * sizeof(GuardWay));
    kernel->guard->folded = 0;
}

void RSL_NAME(rslGuard_Begin)(Kernel* kernel, bool careful, bool same)
{
    if (kernel->guard != NULL)
    {
        kernel->guard->careful = careful;
        if (!same || !kernel->guard->same)
        {
            RSL_NAME(rslGuard_Doubt)(kernel);
        }
        kernel->guard->same = kernel->guard->sameSpeeds = false;
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
    guard->failed = guard->sameSpeeds = false;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        GuardBlock* block = &guard->blocks[c];
        if (kernel->repulsion->chunks[c].count > 0)
        {
            double moved[3], ranges[3];
            RSL_NAME(rslGuard_Moved)(kernel, c, moved, ranges);
            AddWay(moved, block->tried);
            AddWay(block->way, moved);
            kernel->repulsion->chunks[c].total += sqrt(SquareOf(moved));
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
        kernel->repulsion->chunks[c].forgotten = true;
        kernel->repulsion->chunks[c].total = 0.0;
    }
}

// Bounds by axis do not turn with a body.
void RSL_NAME(rslGuard_Follow)(Kernel* kernel, bool moved)
{
    for (int c = 0; moved && kernel->guard != NULL && c < kernel->chunkCount; ++c)
    {
        GuardBlock* block = &kernel->guard->blocks[c];
        PieceChunk* pieces = &kernel->repulsion->chunks[c];
        block->known = block->known && !pieces->together;
        block->seen = false;
        pieces->total += Rounding(kernel->guard);
        AddWay(block->way, (double[3]){ Rounding(kernel->guard), 0.0, 0.0 });
    }
    if (kernel->guard != NULL)
    {
        kernel->guard->follows = true;
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
    GuardKernel* guard = c->kernel->guard;
    GuardBlock* block = &guard->blocks[chunk->index];
    if (block->tested)
    {
        RSL_NAME(rslGuard_SweepCells)(c->kernel, c->view, chunk, guard->before);
        block->tested = c->kernel->repulsion->chunks[chunk->index].unsureCount > 0;
    }
    if (block->tested)
    {
        RSL_NAME(rslGuard_TestChunk)(c->kernel, c->view, chunk, guard->before, fallPart);
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
    const double two = 2.0 / (guard->folded > 1 ? guard->folded : 1);  // in a drift
    double twice[3] = { two * pieces->moved[0], two * pieces->moved[1], two * pieces->moved[2] };
    bool sure = pieces->unsureCount == 0;
    block->fell = false;
    block->ratio = 1.0;
    block->tested = !sure && (guard->careful || IsKept(kernel, chunk));
    block->unsure = !sure && !block->tested;
    block->known = sure;
    block->seen = true;
    memset(block->way, 0, sizeof block->way);
    bool close = !pieces->together && !(pieces->fresh > 0.0 && SquareOf(twice) < pieces->fresh * pieces->fresh);
    for (int axis = 0; axis < 3; ++axis)
    {
        twice[axis] *= 16.0;
    }
    bool tight = !pieces->together && block->easy <= guard->checks && !RSL_NAME(rslRepulsion_Lasts)(pieces, twice);
    for (int h = pieces->holdBegin; h < pieces->holdEnd; ++h)
    {
        int holder = kernel->repulsion->holders[h];
        guard->tight[holder] = tight ? guard->checks + LASTING : guard->tight[holder];
        guard->tense[holder] = close ? guard->checks + LASTING : guard->tense[holder];
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

// Was it worth knowing how edges move, or would ranges have told as much?
static void Weigh(GuardKernel* guard, int chunk, const PieceChunk* pieces, const double ranges[3], bool lasts)
{
    GuardBlock* block = &guard->blocks[chunk];
    const double* way = block->way;
    double wide[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        wide[axis] = way[axis] - pieces->moved[axis] + ranges[axis];
    }
    bool measured = guard->tight[chunk] > guard->checks;
    bool spares = lasts && !RSL_NAME(rslRepulsion_Lasts)(pieces, wide);
    block->vain = !measured || spares ? 0 : block->vain + 1;
    if (block->vain >= VAIN)
    {
        block->easy = guard->checks + EASY;
        block->vain = 0;
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
            double ranges[3];
            RSL_NAME(rslGuard_Moved)(kernel, c, pieces->moved, ranges);
            AddWay(block->way, pieces->moved);
            AddWay(block->tried, pieces->moved);
            pieces->total += sqrt(SquareOf(pieces->moved));
            block->seen = false;
            bool lasts = block->known && RSL_NAME(rslRepulsion_Lasts)(pieces, block->way);
            Weigh(guard, c, pieces, ranges, lasts);
            guard->expired[count] = c;
            count += !lasts;
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

// Look at what is not known.
static void Refresh(Kernel* kernel, const View* view)
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
        GuardBlock* block = &guard->blocks[guard->expired[i]];
        block->known = kernel->repulsion->chunks[guard->expired[i]].unsureCount == 0;
        block->seen = true;
        memset(block->way, 0, sizeof block->way);
    }
}

// In a step it is known where a look is needed, and at an audit; states that come from elsewhere say nothing of it.
void RSL_NAME(rslGuard_Prepare)(Kernel* kernel, const View* view)
{
    GuardKernel* guard = kernel->guard;
    guard->same = guard->follows && view->kick == 0.0;
    if (guard->same || view->kick != 0.0)
    {
        Refresh(kernel, view);
    }
    else
    {
        RSL_NAME(rslRepulsion_LookAtAll)(kernel, view);
        RSL_NAME(rslGuard_Doubt)(kernel);
    }
    guard->follows = false;
}
