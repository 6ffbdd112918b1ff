// SPDX-License-Identifier: MIT
//
// guard_rule.c: the step that a barrier near collapse allows.
//
// A height h with the barrier U(h) is a spring of stiffness U'' between the vertex and the foot of h: it swings with
//   w^2 = U'' sum_i |dh/dx_i|^2 / m_i = U'' (1/m_p + sum_i lambda_i^2 / m_i)
// and a node is pushed by several. An explicit step t with t w sqrt(6) <= 2 is stable while U'' stays what it is. A height that
// changes by much in a step meets another U'' at its end: where it changes by a fiftieth, the step has to be a tenth of that, or energy
// is not kept (docs/theory.md); where it hardly moves, half will do. Only heights below half of those at rest are asked: above, the
// step of the whole body is chosen with what the others have.

#include "guard.h"
#include "kernel_repulsion.h"

static const double crowd = 6.0;

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

// The part of the stable step that the rate of a height allows.
static double Share(const View* view, const Piece* piece, const rslHeight* height, int corners, double step)
{
    double rate = 0.0;
    for (int c = 0; c < corners; ++c)
    {
        int node = piece->nodes[c];
        rslVec3 w = { (double)view->w[0][node], (double)view->w[1][node], (double)view->w[2][node] };
        rate -= height->lambda[c] * rslDot(height->normal, w);
    }
    double part = fabs(rate) * step / height->h;
    return !(part < 0.02) ? 0.1 : part <= 0.004 ? 0.5 : 0.002 / part;
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
        rslFeet feet;
        RSL_NAME(rslRepulsion_Piece)(kernel, chunk, n, &piece);
        PlacePiece(view, &piece, corners, x);
        rslPiece_Feet(pieces->kind, x, &feet);
        for (int v = 0; v < corners; ++v)
        {
            if (feet.h[v] >= 0.5 * piece.height[v])
            {
                continue;
            }
            rslHeight height = { .h = feet.h[v], .normal = feet.normal[v] };
            for (int c = 0; c < corners; ++c)
            {
                height.lambda[c] = rslFeet_Lambda(&feet, v, c);
            }
            double slope = rslRepulsion_Evaluate(pieces->law, piece.stiffness, piece.height[v], height.h).slope;
            double share = Share(view, &piece, &height, corners, kernel->guard->step);
            double square = slope * Softness(kernel, &piece, &height, corners) / (share * share);
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
    bool tooFast = !(guard->step * guard->step * crowd * fastest <= 4.0);
    guard->failed = guard->failed || tooFast;
    guard->tested = guard->tested || tooFast;
}
