// SPDX-License-Identifier: MIT
//
// guard_rule.c: the step that a barrier near collapse allows.
//
// A height h with the barrier U(h) is a spring of stiffness U'' between the vertex and the foot of h: it swings with
//   w^2 = U'' sum_i |dh/dx_i|^2 / m_i = U'' (1/m_p + sum_i lambda_i^2 / m_i)
// and a node is pushed by several. An explicit step h w sqrt(6) <= 2 is stable; near a barrier it has to be a tenth of that, or
// energy is not kept (eta = 0.1, measured: docs/theory.md). Only heights below half of those at rest are asked: above, the step
// of the whole body is chosen with what the others have.

#include "guard.h"
#include "kernel_repulsion.h"

static const double crowd = 6.0, eta = 0.1;

static double Softness(const Kernel* kernel, const Piece* piece, const rslHeight* height, int corners)
{
    double sum = 0.0;
    for (int c = 0; c < corners; ++c)
    {
        int node = piece->nodes[c];
        bool still = kernel->held != NULL && kernel->held[node] == 7;
        sum += still ? 0.0 : height->lambda[c] * height->lambda[c] / (double)kernel->mass[node];
    }
    return sum;
}

static void FastestOfChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    const PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    int corners = rslPiece_Corners(pieces->kind);
    double fastest = 0.0;
    (void)context;
    for (int n = RSL_NAME(rslRepulsion_Next)(kernel, chunk, pieces->first); n >= 0;
         n = RSL_NAME(rslRepulsion_Next)(kernel, chunk, n + 1))
    {
        Piece piece;
        rslVec3 x[RSL_PIECE_NODES];
        double heights[RSL_PIECE_NODES];
        RSL_NAME(rslRepulsion_Piece)(kernel, chunk, n, &piece);
        PlacePiece(view, &piece, corners, x);
        rslPiece_Heights(pieces->kind, x, heights);
        for (int v = 0; v < corners; ++v)
        {
            if (heights[v] >= 0.5 * piece.height[v])
            {
                continue;
            }
            rslHeight height;
            rslPiece_Height(pieces->kind, x, v, &height);
            double slope = rslRepulsion_Evaluate(pieces->law, piece.stiffness, piece.height[v], heights[v]).slope;
            double square = slope * Softness(kernel, &piece, &height, corners);
            fastest = square <= fastest ? fastest : square;
        }
    }
    kernel->guard->fastest[chunk->index] = fastest;
}

void RSL_NAME(rslGuard_Rule)(Kernel* kernel, const View* view)
{
    GuardKernel* guard = kernel->guard;
    if (guard == NULL)
    {
        return;
    }
    RSL_NAME(rslKernel_ForChunksLight)(kernel, view, FastestOfChunk, NULL);
    double fastest = 0.0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        fastest = guard->fastest[c] <= fastest ? fastest : guard->fastest[c];
    }
    bool tooFast = !(guard->step * guard->step * crowd * fastest <= 4.0 * eta * eta);
    guard->failed = guard->failed || tooFast;
    guard->tested = guard->tested || tooFast;
}
