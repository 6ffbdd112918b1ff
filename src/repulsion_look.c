// SPDX-License-Identifier: MIT
//
// repulsion_look.c: which pieces may be near to collapse (kernel_repulsion.h). First the stretches of the edges of every chunk; then,
// where these do not rule it out, pieces one by one: with the edges e_j from one corner, det = e_1 . n_1 = 6 V and the areas n_i of
// the faces, h_i = det / |n_i|, so that no square root is needed to compare h_i with h0_i / 2. Cells are taken in vectors.

#include "kernel_repulsion.h"

#include <string.h>

// below this part of the height at rest a piece is near; the rest is for rounding
#define NEAR 0.5005

#define LatticeStretch RSL_NAME(rslRepulsion_LatticeStretch)
#define NetworkStretch RSL_NAME(rslRepulsion_NetworkStretch)
#define NearCells RSL_NAME(rslRepulsion_NearCells)

// ---- stretches ------------------------------------------------------------------------------------------------------

// |l^2 - L^2| of up to LANES bonds of one step, into the largest of each lane.
RSL_INLINE void StretchLanes(const Real* const u[3], const Real* bond, int a, int b, int count, Real* largest)
{
    for (int i = 0; i < count; ++i)
    {
        Real x = u[0][b + i] - u[0][a + i], y = u[1][b + i] - u[1][a + i], z = u[2][b + i] - u[2][a + i];
        Real s = x * (bond[0] + x) + y * (bond[1] + y) + z * (bond[2] + z);
        s = s < (Real)0 ? -s : s;
        // not a number counts as much
        largest[i] = s <= largest[i] ? largest[i] : s;
    }
}

RSL_CLONES static Real LatticeStretch(const Kernel* kernel, const View* view, int body, const PieceChunk* chunk)
{
    const BodyKernel* b = &kernel->bodies[body];
    const Real* const u[3] = { view->u[0], view->u[1], view->u[2] };
    Real most = 0;
    for (int e = chunk->edgeBegin; e < chunk->edgeEnd; ++e)
    {
        const EdgeRun* run = &kernel->repulsion->edges[e];
        const Real* rest = b->bond[run->direction];
        const Real bond[3] = { (Real)2 * rest[0], (Real)2 * rest[1], (Real)2 * rest[2] };
        Real largest[LANES] = { 0 };
        int at = 0;
        for (; at + LANES <= run->count; at += LANES)
        {
            StretchLanes(u, bond, run->a + at, run->b + at, LANES, largest);
        }
        StretchLanes(u, bond, run->a + at, run->b + at, run->count - at, largest);
        for (int i = 0; i < LANES; ++i)
        {
            Real q = largest[i] * run->inverse2;
            most = q <= most ? most : q;
        }
    }
    return most;
}

static Real NetworkStretch(const Kernel* kernel, const View* view, int body, const PieceChunk* chunk)
{
    int base = kernel->bodies[body].restBase;
    Real most = 0;
    for (int e = chunk->edgeBegin; e < chunk->edgeEnd; ++e)
    {
        const EdgeRun* edge = &kernel->repulsion->edges[e];
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
    return most;
}

static void StretchChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    bool lattice = kernel->model->bodies[chunk->body].kind == rsl_latticeBody;
    pieces->stretch = (double)(lattice ? LatticeStretch : NetworkStretch)(kernel, view, chunk->body, pieces);
}

// ---- pieces of networks ---------------------------------------------------------------------------------------------

static bool IsNear(rslPieceKind kind, const StoredPiece* piece, const rslVec3* x)
{
    rslVec3 a = rslSub(x[1], x[0]), b = rslSub(x[2], x[0]), n = rslCross(a, b);
    double det, face2[RSL_PIECE_NODES];
    if (kind == rsl_tetrahedron)
    {
        rslVec3 c = rslSub(x[3], x[0]), p = rslCross(b, c), q = rslCross(c, a), o = rslAdd(rslAdd(p, q), n);
        det = rslDot(a, p);
        face2[0] = rslDot(o, o);
        face2[1] = rslDot(p, p);
        face2[2] = rslDot(q, q);
        face2[3] = rslDot(n, n);
    }
    else
    {
        rslVec3 c = rslSub(x[2], x[1]);
        det = kind == rsl_planeTriangle ? n.z : rslLength(n);
        face2[0] = rslDot(c, c);
        face2[1] = rslDot(b, b);
        face2[2] = rslDot(a, a);
    }
    bool far = det > 0.0;
    for (int c = 0; c < rslPiece_Corners(kind); ++c)
    {
        double least = NEAR * piece->height[c];
        far = far && det * det >= least * least * face2[c];
    }
    return !far;
}

// Pieces are in the order of their limits: those from the first one on that the stretch does not reach are far.
static void LookAtStored(Kernel* kernel, const View* view, const Chunk* chunk, PieceChunk* pieces)
{
    RepulsionKernel* r = kernel->repulsion;
    int base = kernel->bodies[chunk->body].restBase;
    int at = pieces->first, end = at + pieces->count;
    for (; at < end && !(pieces->stretch < (double)r->stored[at].limit); ++at)
    {
        const StoredPiece* piece = &r->stored[at];
        rslVec3 x[RSL_PIECE_NODES];
        for (int c = 0; c < rslPiece_Corners(pieces->kind); ++c)
        {
            int n = piece->nodes[c];
            x[c] = (rslVec3){ (double)(kernel->rest[0][n + base]) + (double)view->u[0][n],
                              (double)(kernel->rest[1][n + base]) + (double)view->u[1][n],
                              (double)(kernel->rest[2][n + base]) + (double)view->u[2][n] };
        }
        r->near[at] = IsNear(pieces->kind, piece, x);
        pieces->nearCount += r->near[at];
    }
    memset(r->near + at, 0, (size_t)(end - at));
}

// ---- cells ----------------------------------------------------------------------------------------------------------

typedef Real Lanes[LANES];

// Positions of the corners of every other cell of a run from one on, in the order of the split; lanes beyond the end repeat the
// last. Only differences count, so that they are taken from the first corner.
static void PlaceCells(const Kernel* kernel, const View* view, int body, const CellRun* run, int first, int count,
                       Lanes x[8][3])
{
    const Real a = (Real)kernel->bodies[body].spacing;
    bool odd = run->odd != (first % 2 == 1);
    for (int c = 0; c < 8; ++c)
    {
        int corner = rslCell_Turn(c, odd);
        for (int axis = 0; axis < 3; ++axis)
        {
            const Real rest = corner >> axis & 1 ? a : (Real)0;
            const Real* u = view->u[axis] + run->first + first;
            const Real* to = u + (corner & 1) + run->offset[corner >> 1];
            for (int i = 0; i < LANES; ++i)
            {
                int lane = 2 * (i < count ? i : count - 1);
                x[c][axis][i] = rest + (to[lane] - u[lane]);
            }
        }
    }
}

// Bit p of every lane: piece p is near.
RSL_CLONES static void NearCells(const RepulsionKernel* r, Real spacing, Lanes x[8][3], int* near)
{
    for (int i = 0; i < LANES; ++i)
    {
        near[i] = 0;
    }
    for (int p = 0; p < RSL_SPLIT; ++p)
    {
        const int* corner = rslCellSplit[p];
        Real least2[RSL_PIECE_NODES];
        for (int c = 0; c < RSL_PIECE_NODES; ++c)
        {
            Real least = (Real)NEAR * spacing * (Real)r->cellHeight[p][c];
            least2[c] = least * least;
        }
        for (int i = 0; i < LANES; ++i)
        {
            Real o[3], a[3], b[3], c[3];
            for (int axis = 0; axis < 3; ++axis)
            {
                o[axis] = x[corner[0]][axis][i];
                a[axis] = x[corner[1]][axis][i] - o[axis];
                b[axis] = x[corner[2]][axis][i] - o[axis];
                c[axis] = x[corner[3]][axis][i] - o[axis];
            }
            Real p0 = b[1] * c[2] - b[2] * c[1], p1 = b[2] * c[0] - b[0] * c[2], p2 = b[0] * c[1] - b[1] * c[0];
            Real q0 = c[1] * a[2] - c[2] * a[1], q1 = c[2] * a[0] - c[0] * a[2], q2 = c[0] * a[1] - c[1] * a[0];
            Real n0 = a[1] * b[2] - a[2] * b[1], n1 = a[2] * b[0] - a[0] * b[2], n2 = a[0] * b[1] - a[1] * b[0];
            Real o0 = p0 + q0 + n0, o1 = p1 + q1 + n1, o2 = p2 + q2 + n2;
            Real det = a[0] * p0 + a[1] * p1 + a[2] * p2, det2 = det * det;
            bool far = (det > (Real)0) & (det2 >= least2[0] * (o0 * o0 + o1 * o1 + o2 * o2)) &
                       (det2 >= least2[1] * (p0 * p0 + p1 * p1 + p2 * p2)) &
                       (det2 >= least2[2] * (q0 * q0 + q1 * q1 + q2 * q2)) &
                       (det2 >= least2[3] * (n0 * n0 + n1 * n1 + n2 * n2));
            near[i] |= far ? 0 : 1 << p;
        }
    }
}

static void LookAtCells(Kernel* kernel, const View* view, const Chunk* chunk, PieceChunk* pieces)
{
    RepulsionKernel* r = kernel->repulsion;
    for (int n = pieces->runBegin; n < pieces->runEnd; ++n)
    {
        const CellRun* run = &r->runs[n];
        for (int parity = 0; parity < 2; ++parity)
        {
            for (int at = parity; at < run->count; at += 2 * LANES)
            {
                Lanes x[8][3];
                int near[LANES], left = (run->count - at + 1) / 2, count = left < LANES ? left : LANES;
                PlaceCells(kernel, view, chunk->body, run, at, count, x);
                NearCells(r, (Real)kernel->bodies[chunk->body].spacing, x, near);
                for (int i = 0; i < count * RSL_SPLIT; ++i)
                {
                    int lane = i / RSL_SPLIT, p = i % RSL_SPLIT, bit = near[lane] >> p & 1;
                    r->near[run->number + RSL_SPLIT * (at + 2 * lane) + p] = (uint8_t)bit;
                    pieces->nearCount += bit;
                }
            }
        }
    }
}

// ---- together -------------------------------------------------------------------------------------------------------

// Nothing is near while no edge of the pieces is stretched to the limit of all of them.
static bool MayBeNear(const Kernel* kernel, const PieceChunk* pieces, bool lattice)
{
    const RepulsionKernel* r = kernel->repulsion;
    bool near = false;
    if (pieces->count == 0 || pieces->law != rsl_clampedRepulsion)
    {
        return false;
    }
    if (!lattice)
    {
        return !(pieces->stretch < (double)r->stored[pieces->first].limit);
    }
    for (int h = pieces->holdBegin; h < pieces->holdEnd; ++h)
    {
        near = near || !(r->chunks[r->holders[h]].stretch < r->cellLimit);
    }
    return near;
}

static void LookAtChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    bool lattice = kernel->model->bodies[chunk->body].kind == rsl_latticeBody;
    if (MayBeNear(kernel, pieces, lattice))
    {
        pieces->nearCount = 0;
        (lattice ? LookAtCells : LookAtStored)(kernel, view, chunk, pieces);
    }
    else if (pieces->law == rsl_clampedRepulsion)
    {
        pieces->nearCount = 0;
    }
}

void RSL_NAME(rslRepulsion_Look)(Kernel* kernel, const View* view)
{
    bool any = false;
    RSL_NAME(rslKernel_ForChunks)(kernel, view, StretchChunk, NULL);
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const Chunk* chunk = &kernel->chunks[c];
        PieceChunk* pieces = &kernel->repulsion->chunks[c];
        bool near = MayBeNear(kernel, pieces, kernel->model->bodies[chunk->body].kind == rsl_latticeBody);
        any = any || near || (pieces->law == rsl_clampedRepulsion && pieces->nearCount > 0);
    }
    if (any)
    {
        RSL_NAME(rslKernel_ForChunks)(kernel, view, LookAtChunk, NULL);
    }
}
