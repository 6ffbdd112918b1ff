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
// Most steps are far from it and must not pay for the test. If all corners move by at most d, edges change by 2 d, and
//   6 V changes by at most  2 S d + 12 L d^2 + 8 d^3,   S the sum of the areas of the faces, L the longest edge
//   2 A                     4 L d + 4 d^2
// so that a piece with p > p0/2 has a slack d within which it stays there. Blocks of elements keep the least slack of their
// pieces; as long as their nodes have gone a shorter way in all since it was found, they need no look. The way is a bound
// that costs next to nothing: the largest speed of a chunk times the time. Then the slack is found anew where the nodes are
// now, and if it is more than the last drift, that drift was all right. Only what is left is tested exactly, which needs the
// displacements before the drift: these are kept when the solver is careful, and without them the block is unsure, and the
// solver goes back. So what is found does not depend on when it was looked for.

#include "guard.h"

#include "inversion.h"
#include "repulsion.h"

#include <string.h>

enum
{
    BLOCK = 256,  // elements
    FEW = 2       // blocks that are not worth waking others for
};

static const double fallPart = 0.8, freePart = 0.5;

// ---- making -----------------------------------------------------------------------------------------------------------

static bool IsGuarded(const rslRepulsion* repulsion)
{
    return repulsion->count > 0 && repulsion->law != rsl_centroidRepulsion;
}

// Corners of an element at rest, as the model has them.
static void RestCorners(const rslBody* body, const int nodes[8], int corners, rslVec3* x)
{
    for (int c = 0; c < corners; ++c)
    {
        double at[3];
        rslBody_Rest(body, nodes[c], nodes[c] + 1, at);
        x[c] = (rslVec3){ at[0], at[1], at[2] };
    }
}

static rslPieceKind KindOf(const Kernel* kernel, int body)
{
    return rslRepulsion_Kind(&kernel->model->bodies[body].repulsion, kernel->model->plane);
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
    guard->tried = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(double));
    guard->held = RSL_NAME(rslKernel_Allocate)(kernel, chunks, sizeof(uint8_t));
    bool made = guard->path != NULL && guard->moved != NULL && guard->tried != NULL && guard->fastest != NULL &&
                guard->held != NULL;
    for (int axis = 0; axis < 3; ++axis)
    {
        guard->before[axis] = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount, sizeof(Real));
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
        made =
            !IsGuarded(&model->bodies[b].repulsion) || model->bodies[b].repulsion.runs != NULL || MakeRest(kernel, b);
    }
    return made && MakeBlocks(kernel) && MakeScratch(kernel);
}

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
        kernel->guard->body = kernel->guard->element = -1;
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

static void MeasureWay(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    GuardKernel* guard = kernel->guard;
    double largest = 0.0;
    (void)context;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        rslVec3 d = { (double)view->u[0][i] - (double)guard->before[0][i],
                      (double)view->u[1][i] - (double)guard->before[1][i],
                      (double)view->u[2][i] - (double)guard->before[2][i] };
        double square = rslDot(d, d);
        largest = square <= largest ? largest : square;
    }
    guard->moved[chunk->index] = sqrt(largest) * (1.0 + 1e-6);
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
        if (guard->careful || MovesOtherwise(kernel))
        {
            memcpy(guard->before[axis] + chunk->begin, view->u[axis] + chunk->begin, (size_t)count * sizeof(Real));
        }
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

// ---- slack ------------------------------------------------------------------------------------------------------------

static double TetrahedronSlack(const rslVec3* x, double rest)
{
    rslVec3 a = rslSub(x[1], x[0]), b = rslSub(x[2], x[0]), c = rslSub(x[3], x[0]);
    rslVec3 ab = rslSub(b, a), bc = rslSub(c, b), ca = rslSub(a, c);
    double six = rslDot(a, rslCross(b, c)), square = rslDot(a, a);
    const double others[5] = { rslDot(b, b), rslDot(c, c), rslDot(ab, ab), rslDot(bc, bc), rslDot(ca, ca) };
    for (int e = 0; e < 5; ++e)
    {
        square = others[e] > square ? others[e] : square;
    }
    // S <= sqrt(3) L^2, and below 0.08 L the rest is less than 0.3 of the first term
    double slack = (six - (freePart + 0.01) * rest) / (4.52 * square), most = 0.08 * sqrt(square);
    return slack < most ? slack : most;
}

static double TriangleSlack(const rslVec3* x, double rest, bool flat)
{
    rslVec3 a = rslSub(x[1], x[0]), b = rslSub(x[2], x[0]), c = rslSub(b, a), n = rslCross(a, b);
    double two = flat ? n.z : rslLength(n), square = rslDot(a, a), bb = rslDot(b, b), cc = rslDot(c, c);
    square = bb > square ? bb : square;
    square = cc > square ? cc : square;
    double length = sqrt(square), slack = (two - (freePart + 0.01) * rest) / (4.4 * length), most = 0.1 * length;
    return slack < most ? slack : most;
}

static double NetworkSlack(const Kernel* kernel, const View* view, const GuardBlock* block)
{
    const rslRepulsion* set = &kernel->model->bodies[block->body].repulsion;
    int pieces = rslRepulsion_PieceCount(set->corners), base = kernel->bodies[block->body].restBase;
    rslPieceKind kind = KindOf(kernel, block->body);
    double least = INFINITY;
    for (int e = block->begin; e < block->end; ++e)
    {
        const int* nodes = set->nodes + (size_t)set->corners * (size_t)e;
        const Real* rest = kernel->guard->rest[block->body] + (size_t)e * (size_t)pieces;
        rslVec3 x[8], piece[RSL_PIECE_NODES];
        for (int c = 0; c < set->corners; ++c)
        {
            int n = nodes[c], r = nodes[c] + base;
            x[c] = (rslVec3){ (double)kernel->rest[0][r] + (double)view->u[0][n],
                              (double)kernel->rest[1][r] + (double)view->u[1][n],
                              (double)kernel->rest[2][r] + (double)view->u[2][n] };
        }
        for (int p = 0; p < pieces; ++p)
        {
            for (int c = 0; c < rslPiece_Corners(kind); ++c)
            {
                piece[c] = x[rslRepulsion_Corner(set->corners, p, c)];
            }
            double slack = kind == rsl_tetrahedron ? TetrahedronSlack(piece, (double)rest[p])
                                                   : TriangleSlack(piece, (double)rest[p], kind == rsl_planeTriangle);
            least = !(slack >= least) ? slack : least;
        }
    }
    return least;
}

// Cells of a lattice, LANES at a time, whichever way they are split: the eight tetrahedra at their corners and the two in
// their middle. With the longest edge e, S is at most 3 e^2 at a corner and 6 e^2 in the middle; below 0.07 spacings the rest
// is less than a fifth of the first term.
typedef Real Lanes[3][LANES];

RSL_INLINE void Difference(Real* const u[3], int from, int to, const Real* rest, Lanes out, Real* longest)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int l = 0; l < LANES; ++l)
        {
            out[axis][l] = rest[axis] + (u[axis][to + l] - u[axis][from + l]);
        }
    }
    for (int l = 0; longest != NULL && l < LANES; ++l)
    {
        Real square = out[0][l] * out[0][l] + out[1][l] * out[1][l] + out[2][l] * out[2][l];
        longest[l] = square > longest[l] ? square : longest[l];
    }
}

RSL_INLINE void Determinant(Lanes a, Lanes b, Lanes c, Real part, Real* least)
{
    for (int l = 0; l < LANES; ++l)
    {
        Real d = a[0][l] * (b[1][l] * c[2][l] - b[2][l] * c[1][l]) + a[1][l] * (b[2][l] * c[0][l] - b[0][l] * c[2][l]) +
                 a[2][l] * (b[0][l] * c[1][l] - b[1][l] * c[0][l]);
        least[l] = part * d < least[l] ? part * d : least[l];
    }
}

#define CellSlack RSL_NAME(rslCellSlack)
RSL_CLONES static void CellSlack(Real* const u[3], const int node[8], Real spacing, Real slack[LANES])
{
    Lanes edge[3][4], middle[3];
    Real longest[LANES] = { 0 }, least[LANES];
    for (int l = 0; l < LANES; ++l)
    {
        least[l] = (Real)1e30;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        int j = 1 << (axis + 1) % 3, k = 1 << (axis + 2) % 3;
        Real rest[3] = { 0 };
        rest[axis] = spacing;
        for (int e = 0; e < 4; ++e)
        {
            int from = (e & 1 ? j : 0) + (e & 2 ? k : 0);
            Difference(u, node[from], node[from + (1 << axis)], rest, edge[axis][e], longest);
        }
    }
    // edge e of an axis lies at bit 0 of e along the next axis, bit 1 along the one after it
    for (int c = 0; c < 8; ++c)
    {
        int x = c & 1, y = c >> 1 & 1, z = c >> 2;
        Determinant(edge[0][y + 2 * z], edge[1][z + 2 * x], edge[2][x + 2 * y], (Real)1, least);
    }
    static const int inner[2][4] = { { 0, 5, 3, 6 }, { 1, 7, 2, 4 } };
    for (int p = 0; p < 2; ++p)
    {
        for (int i = 0; i < 3; ++i)
        {
            int a = inner[p][0], b = inner[p][i + 1];
            Real rest[3];
            for (int axis = 0; axis < 3; ++axis)
            {
                rest[axis] = spacing * (Real)((b >> axis & 1) - (a >> axis & 1));
            }
            Difference(u, node[a], node[b], rest, middle[i], NULL);
        }
        Determinant(middle[0], middle[1], middle[2], (Real)0.5, least);
    }
    Real floor = (Real)(freePart + 0.01) * spacing * spacing * spacing, most = (Real)0.07 * spacing;
    for (int l = 0; l < LANES; ++l)
    {
        Real s = (least[l] - floor) / ((Real)7.2 * longest[l]);
        slack[l] = s < most ? s : most;
    }
}

static double LatticeSlack(const Kernel* kernel, const View* view, const GuardBlock* block)
{
    const rslRepulsion* set = &kernel->model->bodies[block->body].repulsion;
    double least = INFINITY;
    int low = 0, high = set->runCount - 1;
    while (low < high)
    {
        int middle = low + (high - low + 1) / 2;
        low = set->runs[middle].before <= block->begin ? middle : low;
        high = set->runs[middle].before <= block->begin ? high : middle - 1;
    }
    for (const rslCellRun* run = &set->runs[low]; run < set->runs + set->runCount && run->before < block->end; ++run)
    {
        int begin = block->begin > run->before ? block->begin - run->before : 0;
        int end = block->end - run->before < run->count ? block->end - run->before : run->count;
        for (int at = begin; at < end; at += LANES)
        {
            int node[8];
            Real slack[LANES];
            for (int c = 0; c < 8; ++c)
            {
                node[c] = run->first + at + (c & 1) + run->offset[c >> 1];
            }
            CellSlack(view->u, node, (Real)kernel->bodies[block->body].spacing, slack);
            for (int l = 0; l < LANES && at + l < end; ++l)
            {
                least = !((double)slack[l] >= least) ? (double)slack[l] : least;
            }
        }
    }
    return least;
}

static double SlackOf(const Kernel* kernel, const View* view, const GuardBlock* block)
{
    bool lattice = kernel->model->bodies[block->body].repulsion.runs != NULL;
    return (lattice ? LatticeSlack : NetworkSlack)(kernel, view, block);
}

// ---- the exact test -----------------------------------------------------------------------------------------------------

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
    double slack = kind == rsl_tetrahedron ? TetrahedronSlack(x, 6.0 * floor / freePart)
                                           : TriangleSlack(x, 2.0 * floor / freePart, kind == rsl_planeTriangle);
    return slack > 0.0 && square < slack * slack;
}

static void TestBlock(const Kernel* kernel, const View* view, GuardBlock* block, Real* const before[3], double part)
{
    const rslBody* body = &kernel->model->bodies[block->body];
    const rslRepulsion* set = &body->repulsion;
    rslPieceKind kind = KindOf(kernel, block->body);
    for (int e = block->begin; e < block->end; ++e)
    {
        int nodes[8];
        rslVec3 rest[8];
        double from[8][3], to[8][3];
        rslRepulsion_Nodes(set, e, nodes);
        RestCorners(body, nodes, set->corners, rest);
        Corners(rest, before, nodes, set->corners, from);
        Corners(rest, view->u, nodes, set->corners, to);
        for (int p = 0; p < rslRepulsion_PieceCount(set->corners); ++p)
        {
            GuardPiece piece = MakePiece(kind, set->corners, p, rest, from, to);
            double ratio = piece.to / piece.rest;
            double floor = FloorOf(&piece, part);
            bool falls = !(IsShort(kind, &piece, floor) || !rslMove_Falls(&piece.move, floor));
            if (falls && !block->fell)
            {
                block->fell = true;
                block->ratio = ratio;
                block->element = e;
            }
            else if (falls == block->fell && !(ratio >= block->ratio))
            {
                block->ratio = ratio;
                block->element = e;
            }
        }
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
    double slack = SlackOf(c->kernel, c->view, block), moved = 0.0;
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
        TestBlock(c->kernel, c->view, block, guard->before, fallPart);
    }
    for (int t = 0; t < block->touchCount; ++t)
    {
        touches[t].deadline = sure ? guard->path[touches[t].chunk] + slack : -INFINITY;
    }
}

bool RSL_NAME(rslGuard_Stands)(Kernel* kernel, const View* view)
{
    bool stands = true;
    for (int i = 0; kernel->guard != NULL && i < kernel->guard->blockCount; ++i)
    {
        GuardBlock block = kernel->guard->blocks[i];
        if (!(SlackOf(kernel, view, &block) > 0.0))
        {
            block.fell = false;
            block.ratio = 1.0;
            TestBlock(kernel, view, &block, view->u, 0.0);
            stands = stands && !block.fell;
        }
    }
    return stands;
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
        RSL_NAME(rslKernel_ForChunksLight)(kernel, view, MeasureWay, NULL);
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
