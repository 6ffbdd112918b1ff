// SPDX-License-Identifier: MIT
//
// guard_exact.c: does a piece fall too far on a straight way (inversion.h), and when?

#include "guard.h"
#include "inversion.h"

#include <string.h>

typedef struct GuardPiece
{
    rslMove move;
    double from, to, rest;  // measures
} GuardPiece;

static GuardPiece MakePiece(rslPieceKind kind, const Piece* of, Real* const before[3], Real* const after[3])
{
    static const rslMeasure measures[] = {
        [rsl_planeTriangle] = rsl_planeArea, [rsl_spaceTriangle] = rsl_spaceArea, [rsl_tetrahedron] = rsl_volume
    };
    int corners = rslPiece_Corners(kind);
    GuardPiece piece = { .move.measure = measures[kind], .rest = of->measure };
    rslVec3 from[RSL_PIECE_NODES], to[RSL_PIECE_NODES];
    PlaceCorners(of, before, corners, from);
    PlaceCorners(of, after, corners, to);
    for (int c = 0; c < corners; ++c)
    {
        memcpy(piece.move.from[c], &(double[3]){ from[c].x, from[c].y, from[c].z }, sizeof piece.move.from[c]);
        memcpy(piece.move.to[c], &(double[3]){ to[c].x, to[c].y, to[c].z }, sizeof piece.move.to[c]);
    }
    piece.from = rslPiece_Measure(kind, from);
    piece.to = rslPiece_Measure(kind, to);
    return piece;
}

static double FloorOf(const GuardPiece* piece, double part)
{
    double fallen = part * piece->from, free = freePart * piece->rest;
    return fallen < free ? fallen : free;
}

// Is a move so short that the measure cannot fall to a level, as told by where it ends?
static bool IsShort(rslPieceKind kind, const GuardPiece* piece, double floor)
{
    rslVec3 x[RSL_PIECE_NODES], d[RSL_PIECE_NODES], mean = { 0.0, 0.0, 0.0 };
    int corners = rslPiece_Corners(kind);
    double square = 0.0;
    for (int c = 0; c < corners; ++c)
    {
        const double *from = piece->move.from[c], *to = piece->move.to[c];
        d[c] = (rslVec3){ to[0] - from[0], to[1] - from[1], to[2] - from[2] };
        x[c] = (rslVec3){ to[0], to[1], to[2] };
        mean = rslMulAdd(mean, 1.0 / corners, d[c]);
    }
    for (int c = 0; c < corners; ++c)
    {
        rslVec3 own = rslSub(d[c], mean);
        square = rslDot(own, own) <= square ? square : rslDot(own, own);
    }
    // a little more than the floor, for rounding
    double level = (kind == rsl_tetrahedron ? 6.0 : 2.0) * floor * (freeLevel / freePart);
    double slack = rslPiece_Slack(kind, x, level, NULL).measure;
    return slack > 0.0 && square < slack * slack;
}

// What is asked of every unsure piece of a chunk, in their order.
typedef struct Pieces
{
    const Kernel* kernel;
    const Chunk* chunk;
    Real* const* before;
    Real* const* after;
    double part;
    void (*ask)(GuardBlock* block, int element, const GuardPiece* piece, rslPieceKind kind, double floor);
} Pieces;

static void AskPieces(const Pieces* q)
{
    const PieceChunk* pieces = &q->kernel->repulsion->chunks[q->chunk->index];
    GuardBlock* block = &q->kernel->guard->blocks[q->chunk->index];
    for (int n = RSL_NAME(rslRepulsion_NextUnsure)(q->kernel, q->chunk, pieces->first); n >= 0;
         n = RSL_NAME(rslRepulsion_NextUnsure)(q->kernel, q->chunk, n + 1))
    {
        Piece piece;
        RSL_NAME(rslRepulsion_Piece)(q->kernel, q->chunk, n, &piece);
        GuardPiece asked = MakePiece(pieces->kind, &piece, q->before, q->after);
        q->ask(block, piece.element, &asked, pieces->kind, FloorOf(&asked, q->part));
    }
}

// ---- whether --------------------------------------------------------------------------------------------------------

static void TestPiece(GuardBlock* block, int element, const GuardPiece* piece, rslPieceKind kind, double floor)
{
    double ratio = piece->to / piece->rest;
    bool falls = !(IsShort(kind, piece, floor) || !rslMove_Falls(&piece->move, floor));
    bool first = falls && !block->fell;
    if (first || (falls == block->fell && !(ratio >= block->ratio)))
    {
        block->ratio = ratio;
        block->element = element;
    }
    block->fell = block->fell || falls;
}

void RSL_NAME(rslGuard_TestChunk)(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const before[3],
                                  double part)
{
    GuardBlock* block = &kernel->guard->blocks[chunk->index];
    block->fell = false;
    block->ratio = 1.0;
    AskPieces(&(Pieces){ kernel, chunk, before, view->u, part, TestPiece });
}

bool RSL_NAME(rslGuard_Stands)(Kernel* kernel, const View* view)
{
    bool stands = true;
    if (kernel->guard == NULL)
    {
        return true;
    }
    kernel->guard->smallest = 1.0;
    RSL_NAME(rslRepulsion_LookAtAll)(kernel, view);
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        if (kernel->repulsion->chunks[c].unsureCount > 0)
        {
            RSL_NAME(rslGuard_TestChunk)(kernel, view, &kernel->chunks[c], view->u, 0.0);
            const GuardBlock* block = &kernel->guard->blocks[c];
            stands = stands && !block->fell;
            bool smaller = block->ratio < freePart && block->ratio < kernel->guard->smallest;
            kernel->guard->smallest = smaller ? block->ratio : kernel->guard->smallest;
        }
    }
    RSL_NAME(rslGuard_Doubt)(kernel);
    return stands;
}

// ---- when -----------------------------------------------------------------------------------------------------------

static void TimePiece(GuardBlock* block, int element, const GuardPiece* piece, rslPieceKind kind, double floor)
{
    double time = IsShort(kind, piece, floor) ? INFINITY : rslMove_FirstTime(&piece->move, floor);
    if (!(time >= block->time))
    {
        block->time = time > 0.0 ? time : 0.0;  // what is not a number falls at once
        block->ratio = piece->to / piece->rest;
        block->element = element;
    }
}

typedef struct Ways
{
    Kernel* kernel;
    const View* from;
    const View* to;
} Ways;

static void TimeChunk(int item, void* context)
{
    const Ways* ways = context;
    Kernel* kernel = ways->kernel;
    const Chunk* chunk = &kernel->chunks[kernel->guard->expired[item]];
    kernel->guard->blocks[chunk->index].time = INFINITY;
    AskPieces(&(Pieces){ kernel, chunk, ways->from->u, ways->to->u, fallPart, TimePiece });
}

double RSL_NAME(rslGuard_FirstTime)(Kernel* kernel, const View* view, Real* const before[3])
{
    GuardKernel* guard = kernel->guard;
    double first = INFINITY;
    int count = 0;
    if (guard == NULL)
    {
        return first;
    }
    View from = *view;
    for (int axis = 0; axis < 3; ++axis)
    {
        from.u[axis] = before[axis];
    }
    RSL_NAME(rslGuard_Doubt)(kernel);
    RSL_NAME(rslGuard_MeasureWays)(kernel, view, before);
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        PieceChunk* pieces = &kernel->repulsion->chunks[c];
        double ranges[3];
        RSL_NAME(rslGuard_Moved)(kernel, c, pieces->moved, ranges);
        guard->expired[count] = c;
        count += pieces->count > 0;
    }
    RSL_NAME(rslRepulsion_Look)(kernel, &from, guard->expired, count);
    rslTeam_Run(kernel->team, TimeChunk, count, &(Ways){ kernel, &from, view });
    for (int i = 0; i < count; ++i)
    {
        const GuardBlock* block = &guard->blocks[guard->expired[i]];
        if (block->time < first)
        {
            first = block->time;
            guard->body = kernel->chunks[guard->expired[i]].body;
            guard->element = block->element;
            guard->ratio = block->ratio;
        }
    }
    RSL_NAME(rslGuard_Begin)(kernel, guard->careful, false);
    return first;
}
