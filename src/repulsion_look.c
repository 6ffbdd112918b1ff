// SPDX-License-Identifier: MIT
//
// repulsion_look.c: which pieces may be near to collapse, and how far nodes may move before others are (kernel_repulsion.h).
//
// Of stored pieces first the edges: one walk over those of a chunk finds the largest q = |l^2/L^2 - 1|. Pieces of which the limit
// (piece_slack.h) is well above it are far from collapse, and remain so while q stays below their limit: if nodes move by d, then
// l^2 changes by at most 4 l d + 4 d^2, and
//
//   q grows by at most  4 (d/L) (sqrt(1 + q) + d/L)
//
// The others are looked at one by one.

#include "kernel_repulsion.h"

#include <string.h>

enum
{
    FEW = 2  // chunks that are not worth waking others for
};

// ---- pieces of networks ---------------------------------------------------------------------------------------------

static double Stretch(const Kernel* kernel, const View* view, const Chunk* own)
{
    const PieceChunk* chunk = &kernel->repulsion->chunks[own->index];
    int base = kernel->bodies[own->body].restBase;
    Real most = 0;
    for (int e = chunk->edgeBegin; e < chunk->edgeEnd; ++e)
    {
        const StoredEdge* edge = &kernel->repulsion->edges[e];
        Real s = 0;
        for (int axis = 0; axis < 3; ++axis)
        {
            Real du = view->u[axis][edge->b] - view->u[axis][edge->a];
            Real d = kernel->rest[axis][edge->b + base] - kernel->rest[axis][edge->a + base];
            s += du * (d + d + du);
        }
        s = (s < (Real)0 ? -s : s) * edge->inverse2;
        most = s <= most ? most : s;
    }
    return (double)most;
}

static rslPieceSlack PieceSlack(const Kernel* kernel, const View* view, const StoredPiece* piece, int base,
                                rslPieceKind kind)
{
    rslVec3 x[RSL_PIECE_NODES];
    for (int c = 0; c < rslPiece_Corners(kind); ++c)
    {
        int n = piece->nodes[c], r = n + base;
        x[c] = (rslVec3){ (double)kernel->rest[0][r] + (double)view->u[0][n],
                          (double)kernel->rest[1][r] + (double)view->u[1][n],
                          (double)kernel->rest[2][r] + (double)view->u[2][n] };
    }
    double level = (kind == rsl_tetrahedron ? 6.0 : 2.0) * freeLevel * piece->measure;
    return rslPiece_Slack(kind, x, level, piece->height);
}

static void LookAtStored(Kernel* kernel, const View* view, const Chunk* chunk)
{
    const double room = 0.05;
    RepulsionKernel* r = kernel->repulsion;
    PieceChunk* pieces = &r->chunks[chunk->index];
    bool clamped = pieces->law == rsl_clampedRepulsion;
    int base = kernel->bodies[chunk->body].restBase, at = pieces->first, end = at + pieces->count;
    double q = Stretch(kernel, view, chunk);
    for (; at < end && !((double)r->stored[at].limit > q + room); ++at)
    {
        NoteSlack(r, pieces, at, PieceSlack(kernel, view, &r->stored[at], base, pieces->kind));
    }
    memset(r->unsure + at, 0, (size_t)(end - at));
    if (clamped)
    {
        memset(r->near + at, 0, (size_t)(end - at));
    }
    if (at < end)
    {
        double reach = pieces->leastEdge * rslReach((double)r->stored[at].limit - q, 4.0 * sqrt(1.0 + q), 4.0, 0.0);
        pieces->slack.measure = reach >= pieces->slack.measure ? pieces->slack.measure : reach;
        pieces->slack.height = reach >= pieces->slack.height ? pieces->slack.height : reach;
    }
}

// ---- together -------------------------------------------------------------------------------------------------------

typedef struct LookContext
{
    Kernel* kernel;
    const View* view;
    const int* chunks;
} LookContext;

static bool IsLattice(const Kernel* kernel, int chunk)
{
    return kernel->model->bodies[kernel->chunks[chunk].body].kind == rsl_latticeBody;
}

static void BoundItem(int item, void* context)
{
    const LookContext* c = context;
    RSL_NAME(rslRepulsion_Bound)(c->kernel, c->view, &c->kernel->chunks[c->chunks[item]]);
}

static void LookItem(int item, void* context)
{
    const LookContext* c = context;
    int index = c->chunks[item];
    PieceChunk* pieces = &c->kernel->repulsion->chunks[index];
    pieces->together = false;
    pieces->slack = (rslPieceSlack){ INFINITY, INFINITY };
    pieces->unsureCount = 0;
    pieces->nearCount = pieces->law == rsl_clampedRepulsion ? 0 : pieces->count;
    bool lattice = IsLattice(c->kernel, index);
    (lattice ? RSL_NAME(rslRepulsion_LookAtCells) : LookAtStored)(c->kernel, c->view, &c->kernel->chunks[index]);
}

static void RunItems(Kernel* kernel, rslTask* task, const View* view, const int* chunks, int count)
{
    LookContext context = { kernel, view, chunks };
    for (int i = 0; count <= FEW && i < count; ++i)
    {
        task(i, &context);
    }
    if (count > FEW)
    {
        rslTeam_Run(kernel->team, task, count, &context);
    }
}

// All chunks of lattices that pieces of some chunks reach into, once each.
static int FindReached(const Kernel* kernel, const int* chunks, int count, int* reached)
{
    RepulsionKernel* r = kernel->repulsion;
    int found = 0;
    memset(r->marks, 0, (size_t)kernel->chunkCount);
    for (int i = 0; i < count; ++i)
    {
        const PieceChunk* pieces = &r->chunks[chunks[i]];
        for (int h = pieces->holdBegin; IsLattice(kernel, chunks[i]) && h < pieces->holdEnd; ++h)
        {
            int holder = r->holders[h];
            reached[found] = holder;
            found += !r->marks[holder];
            r->marks[holder] = 1;
        }
    }
    return found;
}

void RSL_NAME(rslRepulsion_Look)(Kernel* kernel, const View* view, const int* chunks, int count)
{
    RepulsionKernel* r = kernel->repulsion;
    if (count > 0)
    {
        RunItems(kernel, BoundItem, view, r->reached, FindReached(kernel, chunks, count, r->reached));
        RunItems(kernel, LookItem, view, chunks, count);
    }
}

void RSL_NAME(rslRepulsion_LookAtAll)(Kernel* kernel, const View* view)
{
    RepulsionKernel* r = kernel->repulsion;
    int count = 0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        memset(r->chunks[c].moved, 0, sizeof r->chunks[c].moved);
        r->all[count] = c;
        count += r->chunks[c].count > 0;
    }
    RSL_NAME(rslRepulsion_Look)(kernel, view, r->all, count);
}

bool RSL_NAME(rslRepulsion_Lasts)(const PieceChunk* pieces, const double way[3])
{
    double slack = pieces->slack.height < pieces->slack.measure ? pieces->slack.height : pieces->slack.measure;
    return pieces->together ? RSL_NAME(rslRepulsion_AreFar)(pieces, way) : slack > 0.0 && SquareOf(way) < slack * slack;
}
