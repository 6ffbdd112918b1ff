// SPDX-License-Identifier: MIT
//
// repulsion_look.c: which pieces may be near to collapse, and how far nodes may move before others are (kernel_repulsion.h).
//
// Of stored pieces, when nothing is known of them, first the edges: one walk over those of a chunk finds the largest
// q = |l^2/L^2 - 1|. Pieces of which the limit (piece_slack.h) is well above it are far from collapse, and remain so while q stays below
// their limit: if nodes move by d, then l^2 changes by at most 4 l d + 4 d^2, and
//
//   q grows by at most  4 (d/L) (sqrt(1 + q) + d/L)
//
// The others are looked at one by one. From then on every piece has a deadline, the way of its chunk at which it has to be looked at
// again, and the others need not be: meshes have flat pieces, which are near to collapse from the start.

#include "kernel_repulsion.h"

#include <string.h>

enum
{
    FEW = 2  // chunks that are not worth waking others for
};

static const double little = 0.01;  // of the shortest edge: with less slack than that, it is worth knowing better

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

static void LookAtPiece(Kernel* kernel, const View* view, const Chunk* chunk, int number)
{
    RepulsionKernel* r = kernel->repulsion;
    PieceChunk* pieces = &r->chunks[chunk->index];
    int base = kernel->bodies[chunk->body].restBase;
    rslPieceSlack slack = PieceSlack(kernel, view, &r->stored[number], base, pieces->kind);
    NoteSlack(r, pieces, number, slack);
    double least =
        pieces->law == rsl_clampedRepulsion && !(slack.height >= slack.measure) ? slack.height : slack.measure;
    bool lasts = least > 0.0 && r->unsure[number] == 0;
    r->deadline[number] = lasts ? pieces->total + least : -INFINITY;
}

// All pieces of a chunk of which nothing is known.
static void LookAtAllStored(Kernel* kernel, const View* view, const Chunk* chunk)
{
    RepulsionKernel* r = kernel->repulsion;
    PieceChunk* pieces = &r->chunks[chunk->index];
    double q = Stretch(kernel, view, chunk), root = 4.0 * sqrt(1.0 + q), enough = sqrt(SquareOf(pieces->moved));
    enough = enough > little * pieces->leastEdge ? enough : little * pieces->leastEdge;
    for (int at = pieces->first; at < pieces->first + pieces->count; ++at)
    {
        double reach = pieces->leastEdge * rslReach((double)r->stored[at].limit - q, root, 4.0, 0.0);
        if (reach > enough)
        {
            NoteSlack(r, pieces, at, (rslPieceSlack){ reach, reach });
            r->deadline[at] = pieces->total + reach;
        }
        else
        {
            LookAtPiece(kernel, view, chunk, at);
        }
    }
    pieces->forgotten = false;
    pieces->fresh = pieces->slack.measure;
}

static void LookAtStored(Kernel* kernel, const View* view, const Chunk* chunk)
{
    RepulsionKernel* r = kernel->repulsion;
    PieceChunk* pieces = &r->chunks[chunk->index];
    double first = INFINITY;
    if (pieces->forgotten)
    {
        LookAtAllStored(kernel, view, chunk);
        return;
    }
    for (int at = pieces->first; at < pieces->first + pieces->count; ++at)
    {
        if (r->deadline[at] > pieces->total)
        {
            first = r->deadline[at] < first ? r->deadline[at] : first;
        }
        else
        {
            LookAtPiece(kernel, view, chunk, at);
        }
    }
    double left = first - pieces->total;
    pieces->fresh = pieces->slack.measure;
    pieces->slack.measure = left >= pieces->slack.measure ? pieces->slack.measure : left;
    pieces->slack.height = left >= pieces->slack.height ? pieces->slack.height : left;
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
    const Chunk* chunk = &c->kernel->chunks[c->chunks[item]];
    PieceChunk* pieces = &c->kernel->repulsion->chunks[chunk->index];
    RSL_NAME(rslRepulsion_Bound)(c->kernel, c->view->u, chunk, pieces->low, pieces->high);
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

// All chunks of lattices that cells of some chunks reach into which are bounded together, once each.
static int FindReached(const Kernel* kernel, const int* chunks, int count, int* reached)
{
    RepulsionKernel* r = kernel->repulsion;
    int found = 0;
    memset(r->marks, 0, (size_t)kernel->chunkCount);
    for (int i = 0; i < count; ++i)
    {
        const PieceChunk* pieces = &r->chunks[chunks[i]];
        bool bounded = IsLattice(kernel, chunks[i]) && RSL_NAME(rslRepulsion_BoundsCells)(pieces);
        for (int h = pieces->holdBegin; bounded && h < pieces->holdEnd; ++h)
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
        r->chunks[c].forgotten = true;
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
