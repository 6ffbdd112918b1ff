// SPDX-License-Identifier: MIT
//
// guard_exact.c: does a piece fall too far on a straight way (inversion.h), and when?

#include "guard.h"
#include "inversion.h"

#include <string.h>

// Positions of the corners of an element with displacements u.
static void Corners(const rslVec3* rest, Real* const u[3], const int nodes[8], int count, double (*x)[3])
{
    for (int c = 0; c < count; ++c)
    {
        x[c][0] = rest[c].x + (double)u[0][nodes[c]];
        x[c][1] = rest[c].y + (double)u[1][nodes[c]];
        x[c][2] = rest[c].z + (double)u[2][nodes[c]];
    }
}

typedef struct GuardPiece
{
    rslMove move;
    double from, to, rest;  // measures
} GuardPiece;

static double MeasureOf(rslPieceKind kind, double (*at)[3])
{
    rslVec3 x[RSL_PIECE_NODES];
    for (int c = 0; c < rslPiece_Corners(kind); ++c)
    {
        x[c] = (rslVec3){ at[c][0], at[c][1], at[c][2] };
    }
    return rslPiece_Measure(kind, x);
}

static GuardPiece MakePiece(rslPieceKind kind, int corners, int p, const rslVec3* rest, double (*from)[3],
                            double (*to)[3])
{
    static const rslMeasure measures[] = {
        [rsl_planeTriangle] = rsl_planeArea, [rsl_spaceTriangle] = rsl_spaceArea, [rsl_tetrahedron] = rsl_volume
    };
    GuardPiece piece = { .move.measure = measures[kind] };
    rslVec3 x[RSL_PIECE_NODES];
    for (int c = 0; c < rslPiece_Corners(kind); ++c)
    {
        int corner = rslRepulsion_Corner(corners, p, c);
        memcpy(piece.move.from[c], from[corner], sizeof piece.move.from[c]);
        memcpy(piece.move.to[c], to[corner], sizeof piece.move.to[c]);
        x[c] = rest[corner];
    }
    piece.rest = rslPiece_Measure(kind, x);
    piece.from = MeasureOf(kind, piece.move.from);
    piece.to = MeasureOf(kind, piece.move.to);
    return piece;
}

static double FloorOf(const GuardPiece* piece, double part)
{
    double fallen = part * piece->from, free = freePart * piece->rest;
    return fallen < free ? fallen : free;
}

// Is a move so short that the measure cannot fall to a level (of six volumes, two areas), as told by where it ends?
static bool IsShort(rslPieceKind kind, const GuardPiece* piece, double floor)
{
    rslVec3 x[RSL_PIECE_NODES];
    double square = 0.0;
    for (int c = 0; c < rslPiece_Corners(kind); ++c)
    {
        const double *from = piece->move.from[c], *to = piece->move.to[c];
        rslVec3 d = { to[0] - from[0], to[1] - from[1], to[2] - from[2] };
        x[c] = (rslVec3){ to[0], to[1], to[2] };
        square = rslDot(d, d) <= square ? square : rslDot(d, d);
    }
    // the slacks ask for a little more than freePart of their rest
    double whole = (kind == rsl_tetrahedron ? 6.0 : 2.0) * floor / freePart;
    double slack = RSL_NAME(rslGuard_PieceSlack)(kind, x, whole);
    return slack > 0.0 && square < slack * slack;
}

// What is asked of every piece of a block, in their order.
typedef struct Pieces
{
    const Kernel* kernel;
    GuardBlock* block;
    Real* const* before;
    Real* const* after;
    double part;
    void (*ask)(GuardBlock* block, int element, const GuardPiece* piece, rslPieceKind kind, double floor);
} Pieces;

static void AskPieces(const Pieces* q)
{
    const rslBody* body = &q->kernel->model->bodies[q->block->body];
    const rslRepulsion* set = &body->repulsion;
    rslPieceKind kind = KindOf(q->kernel, q->block->body);
    for (int e = q->block->begin; e < q->block->end; ++e)
    {
        int nodes[8];
        rslVec3 rest[8];
        double from[8][3], to[8][3];
        rslRepulsion_Nodes(set, e, nodes);
        RestCorners(body, nodes, set->corners, rest);
        Corners(rest, q->before, nodes, set->corners, from);
        Corners(rest, q->after, nodes, set->corners, to);
        for (int p = 0; p < rslRepulsion_PieceCount(set->corners); ++p)
        {
            GuardPiece piece = MakePiece(kind, set->corners, p, rest, from, to);
            q->ask(q->block, e, &piece, kind, FloorOf(&piece, q->part));
        }
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

void RSL_NAME(rslGuard_TestBlock)(const Kernel* kernel, const View* view, GuardBlock* block, Real* const before[3],
                                  double part)
{
    AskPieces(&(Pieces){ kernel, block, before, view->u, part, TestPiece });
}

bool RSL_NAME(rslGuard_Stands)(Kernel* kernel, const View* view)
{
    bool stands = true;
    for (int i = 0; kernel->guard != NULL && i < kernel->guard->blockCount; ++i)
    {
        GuardBlock block = kernel->guard->blocks[i];
        if (!(RSL_NAME(rslGuard_Slack)(kernel, view, &block) > 0.0))
        {
            block.fell = false;
            block.ratio = 1.0;
            RSL_NAME(rslGuard_TestBlock)(kernel, view, &block, view->u, 0.0);
            stands = stands && !block.fell;
        }
    }
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

static void TimeBlock(int item, void* context)
{
    const Ways* ways = context;
    GuardKernel* guard = ways->kernel->guard;
    GuardBlock* block = &guard->blocks[item];
    double moved = 0.0;
    for (int t = 0; t < block->touchCount; ++t)
    {
        double m = guard->moved[guard->touches[block->firstTouch + t].chunk];
        moved = !(m <= moved) ? m : moved;
    }
    block->time = INFINITY;
    if (!(RSL_NAME(rslGuard_Slack)(ways->kernel, ways->from, block) > moved))
    {
        AskPieces(&(Pieces){ ways->kernel, block, ways->from->u, ways->to->u, fallPart, TimePiece });
    }
}

double RSL_NAME(rslGuard_FirstTime)(Kernel* kernel, const View* view, Real* const before[3])
{
    GuardKernel* guard = kernel->guard;
    double first = INFINITY;
    if (guard == NULL)
    {
        return first;
    }
    View from = *view;
    for (int axis = 0; axis < 3; ++axis)
    {
        from.u[axis] = before[axis];
    }
    RSL_NAME(rslGuard_MeasureWays)(kernel, view, before);
    rslTeam_Run(kernel->team, TimeBlock, guard->blockCount, &(Ways){ kernel, &from, view });
    for (int i = 0; i < guard->blockCount; ++i)
    {
        const GuardBlock* block = &guard->blocks[i];
        if (block->time < first)
        {
            first = block->time;
            guard->body = block->body;
            guard->element = block->element;
            guard->ratio = block->ratio;
        }
    }
    RSL_NAME(rslGuard_Begin)(kernel, guard->careful);
    return first;
}
