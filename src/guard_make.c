// SPDX-License-Identifier: MIT
//
// guard_make.c: what there is to guard: elements in blocks, the chunks that their nodes lie in, and memory for the checks.

#include "guard.h"

enum
{
    BLOCK = 256  // elements
};

static bool IsGuarded(const rslRepulsion* repulsion)
{
    return repulsion->count > 0 && repulsion->law != rsl_centroidRepulsion;
}

static bool MakeRest(Kernel* kernel, int index)
{
    const rslBody* body = &kernel->model->bodies[index];
    const rslRepulsion* set = &body->repulsion;
    int pieces = rslRepulsion_PieceCount(set->corners);
    rslPieceKind kind = KindOf(kernel, index);
    Real* rest = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)set->count * (size_t)pieces, sizeof(Real));
    kernel->guard->rest[index] = rest;
    for (int e = 0; rest != NULL && e < set->count; ++e)
    {
        int nodes[8];
        rslVec3 x[8], piece[RSL_PIECE_NODES];
        rslRepulsion_Nodes(set, e, nodes);
        RestCorners(body, nodes, set->corners, x);
        for (int p = 0; p < pieces; ++p)
        {
            for (int c = 0; c < rslPiece_Corners(kind); ++c)
            {
                piece[c] = x[rslRepulsion_Corner(set->corners, p, c)];
            }
            double measure = rslPiece_Measure(kind, piece);
            rest[(size_t)e * (size_t)pieces + (size_t)p] = (Real)((kind == rsl_tetrahedron ? 6.0 : 2.0) * measure);
        }
    }
    return rest != NULL;
}

// The chunks that a block touches, in the order in which its elements meet them.
static void TouchChunks(Kernel* kernel, GuardBlock* block, GuardTouch* touches)
{
    const rslRepulsion* set = &kernel->model->bodies[block->body].repulsion;
    for (int e = block->begin; e < block->end; ++e)
    {
        int nodes[8];
        rslRepulsion_Nodes(set, e, nodes);
        for (int c = 0; c < set->corners; ++c)
        {
            int chunk = ChunkOf(kernel, nodes[c])->index, t = 0;
            while (t < block->touchCount && touches[t].chunk != chunk)
            {
                t += 1;
            }
            if (t == block->touchCount)
            {
                touches[t] = (GuardTouch){ chunk, -INFINITY };
                block->touchCount += 1;
            }
        }
    }
}

static bool MakeBlocks(Kernel* kernel)
{
    GuardKernel* guard = kernel->guard;
    const rslModel* model = kernel->model;
    size_t most = 0, used = 0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslRepulsion* set = &model->bodies[b].repulsion;
        int blocks = IsGuarded(set) ? (set->count + BLOCK - 1) / BLOCK : 0;
        guard->blockCount += blocks;
        most += (size_t)blocks;
    }
    guard->blocks = RSL_NAME(rslKernel_Allocate)(kernel, most, sizeof(GuardBlock));
    guard->expired = RSL_NAME(rslKernel_Allocate)(kernel, most, sizeof(int));
    size_t room = (size_t)BLOCK * 8 < (size_t)kernel->chunkCount ? (size_t)BLOCK * 8 : (size_t)kernel->chunkCount;
    GuardTouch* scratch = rslAllocate(&kernel->arena.hooks, room + 1, sizeof(GuardTouch));
    bool made = guard->blocks != NULL && guard->expired != NULL && scratch != NULL;
    int at = 0;
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        const rslRepulsion* set = &model->bodies[b].repulsion;
        for (int begin = 0; IsGuarded(set) && begin < set->count; begin += BLOCK)
        {
            int end = set->count - begin < BLOCK ? set->count : begin + BLOCK;
            guard->blocks[at] = (GuardBlock){ .body = b, .begin = begin, .end = end, .firstTouch = (int)used };
            TouchChunks(kernel, &guard->blocks[at], scratch);
            used += (size_t)guard->blocks[at++].touchCount;
        }
    }
    guard->touches = made ? RSL_NAME(rslKernel_Allocate)(kernel, used, sizeof(GuardTouch)) : NULL;
    made = guard->touches != NULL;
    for (int i = 0; made && i < guard->blockCount; ++i)
    {
        GuardBlock* block = &guard->blocks[i];
        block->touchCount = 0;
        TouchChunks(kernel, block, guard->touches + block->firstTouch);
    }
    rslRelease(&kernel->arena.hooks, scratch);
    return made;
}

static bool MakeScratch(Kernel* kernel)
{
    GuardKernel* guard = kernel->guard;
    size_t chunks = (size_t)kernel->chunkCount;
    guard->path = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(double));
    guard->moved = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(double));
    guard->fastest = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(double));
    guard->fastestOf = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(int));
    guard->tried = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(double));
    guard->held = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(uint8_t));
    bool made = guard->path != NULL && guard->moved != NULL && guard->tried != NULL && guard->fastest != NULL &&
                guard->fastestOf != NULL && guard->held != NULL;
    for (int axis = 0; axis < 3; ++axis)
    {
        guard->before[axis] =
            RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount + RSL_STATE_PADDING, sizeof(Real));
        made = made && guard->before[axis] != NULL;
    }
    for (int i = 0; made && kernel->held != NULL && i < kernel->nodeCount; ++i)
    {
        guard->held[ChunkOf(kernel, i)->index] |= kernel->held[i] != 0;
    }
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        double rest[CHUNK][3];
        RSL_NAME(rslKernel_Rest)(kernel, &kernel->chunks[c], rest);
        for (int i = 0; i < kernel->chunks[c].end - kernel->chunks[c].begin; ++i)
        {
            double length = fabs(rest[i][0]) + fabs(rest[i][1]) + fabs(rest[i][2]);
            guard->extent = length > guard->extent ? length : guard->extent;
        }
    }
    return made;
}

bool RSL_NAME(rslGuard_Make)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    bool any = false;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        any = any || IsGuarded(&model->bodies[b].repulsion);
    }
    if (!any)
    {
        return true;
    }
    kernel->guard = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(GuardKernel));
    bool made = kernel->guard != NULL;
    if (made)
    {
        kernel->guard->rest = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->bodyCount, sizeof(Real*));
        made = kernel->guard->rest != NULL;
    }
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        bool felt = model->bodies[b].repulsion.law != rsl_clampedRepulsion;
        kernel->guard->felt = kernel->guard->felt || (felt && IsGuarded(&model->bodies[b].repulsion));
        made =
            !IsGuarded(&model->bodies[b].repulsion) || model->bodies[b].repulsion.runs != NULL || MakeRest(kernel, b);
    }
    return made && MakeBlocks(kernel) && MakeScratch(kernel);
}
