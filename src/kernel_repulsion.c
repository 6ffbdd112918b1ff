// SPDX-License-Identifier: MIT
//
// kernel_repulsion.c: one piece after the other.

#include "kernel_repulsion.h"

#include <string.h>

static const CellRun* RunOf(const RepulsionKernel* r, const PieceChunk* chunk, int number)
{
    return &r->runs[RSL_LAST_UP_TO(r->runs, CellRun, number, chunk->runBegin, chunk->runEnd, number)];
}

static void CellPiece(const Kernel* kernel, const Chunk* chunk, int number, Piece* piece)
{
    const RepulsionKernel* r = kernel->repulsion;
    const rslRepulsion* repulsion = &kernel->model->bodies[chunk->body].repulsion;
    const CellRun* run = RunOf(r, &r->chunks[chunk->index], number);
    int along = (number - run->number) / RSL_SPLIT, p = (number - run->number) % RSL_SPLIT;
    double a = kernel->bodies[chunk->body].spacing, volume = p == 0 ? 1.0 / 3.0 : 1.0 / 6.0;
    for (int c = 0; c < RSL_PIECE_NODES; ++c)
    {
        int corner = rslCell_Turn(rslCellSplit[p][c], run->odd != (along % 2 == 1));
        piece->nodes[c] = run->first + along + (corner & 1) + run->offset[corner >> 1];
        piece->rest[c] = (rslVec3){ corner & 1 ? a : 0.0, corner & 2 ? a : 0.0, corner & 4 ? a : 0.0 };
        piece->height[c] = a * r->cellHeight[p][c];
        piece->stiffness[c] = rslRepulsion_Stiffness(repulsion, run->element + along, p, c);
    }
    piece->measure = a * a * a * volume;
    piece->element = run->element + along;
}

void RSL_NAME(rslRepulsion_Piece)(const Kernel* kernel, const Chunk* chunk, int number, Piece* piece)
{
    const RepulsionKernel* r = kernel->repulsion;
    if (number >= r->storedCount)
    {
        CellPiece(kernel, chunk, number, piece);
        return;
    }
    const StoredPiece* from = &r->stored[number];
    for (int c = 0; c < rslPiece_Corners(r->chunks[chunk->index].kind); ++c)
    {
        piece->nodes[c] = from->nodes[c];
        piece->rest[c] = RSL_NAME(rslKernel_RestOf)(kernel, chunk->body, from->nodes[c]);
        piece->height[c] = from->height[c];
        piece->stiffness[c] = (double)from->stiffness[c];
    }
    piece->element = from->element;
    piece->measure = from->measure;
}

// The first number from one on that is marked; -1: none.
static int NextOf(const PieceChunk* pieces, const uint8_t* marks, int number)
{
    int end = pieces->first + pieces->count;
    const uint8_t* found = number >= end ? NULL : memchr(marks + number, 1, (size_t)(end - number));
    return found == NULL ? -1 : (int)(found - marks);
}

int RSL_NAME(rslRepulsion_Next)(const Kernel* kernel, const Chunk* chunk, int number)
{
    const PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    return pieces->nearCount == 0 ? -1 : NextOf(pieces, kernel->repulsion->near, number);
}

int RSL_NAME(rslRepulsion_NextUnsure)(const Kernel* kernel, const Chunk* chunk, int number)
{
    const PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    return pieces->unsureCount == 0 ? -1 : NextOf(pieces, kernel->repulsion->unsure, number);
}
