// SPDX-License-Identifier: MIT
//
// guard_slack.c: how far all nodes of a block may move before one of its pieces can have fallen to half of what it is at rest.
//
// If all corners of a piece move by at most d, edges change by 2 d, and
//   6 V changes by at most  2 S d + 12 L d^2 + 8 d^3,   S the sum of the areas of the faces, L the longest edge
//   2 A                     4 L d + 4 d^2
// so that a piece with p > p0/2 has a slack d within which it stays there.

#include "guard.h"

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

double RSL_NAME(rslGuard_PieceSlack)(rslPieceKind kind, const rslVec3* x, double rest)
{
    return kind == rsl_tetrahedron ? TetrahedronSlack(x, rest) : TriangleSlack(x, rest, kind == rsl_planeTriangle);
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
            double slack = RSL_NAME(rslGuard_PieceSlack)(kind, piece, (double)rest[p]);
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

double RSL_NAME(rslGuard_Slack)(const Kernel* kernel, const View* view, const GuardBlock* block)
{
    bool lattice = kernel->model->bodies[block->body].repulsion.runs != NULL;
    return (lattice ? LatticeSlack : NetworkSlack)(kernel, view, block);
}
