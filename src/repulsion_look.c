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
#define CellMargins RSL_NAME(rslRepulsion_CellMargins)

// ---- stretches ------------------------------------------------------------------------------------------------------

// The largest (l^2/L^2 - 1)^2 of the bonds of every node, run by run; then of all.
RSL_CLONES static Real LatticeStretch(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    const BodyKernel* body = &kernel->bodies[chunk->body];
    const PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    Real q[CHUNK] = { 0 };
    for (int n = pieces->edgeBegin; n < pieces->edgeEnd; ++n)
    {
        const EdgeRun* run = &kernel->repulsion->edges[n];
        const Real* rest = body->bond[run->direction];
        const Real ex = (Real)2 * rest[0], ey = (Real)2 * rest[1], ez = (Real)2 * rest[2], inverse2 = run->inverse2;
        const Real *ax = view->u[0] + run->a, *ay = view->u[1] + run->a, *az = view->u[2] + run->a;
        const Real *bx = view->u[0] + run->b, *by = view->u[1] + run->b, *bz = view->u[2] + run->b;
        Real* most = q + (run->a - chunk->begin);
        for (int i = 0; i < run->count; ++i)
        {
            Real x = bx[i] - ax[i], y = by[i] - ay[i], z = bz[i] - az[i];
            Real s = (x * (ex + x) + y * (ey + y) + z * (ez + z)) * inverse2;
            s *= s;
            most[i] = most[i] > s ? most[i] : s;
        }
    }
    for (int half = CHUNK / 2; half > 0; half /= 2)
    {
        for (int i = 0; i < half; ++i)
        {
            q[i] = q[i] > q[half + i] ? q[i] : q[half + i];
        }
    }
    return SquareRoot(q[0]);
}

static Real NetworkStretch(const Kernel* kernel, const View* view, const Chunk* own)
{
    const PieceChunk* chunk = &kernel->repulsion->chunks[own->index];
    int base = kernel->bodies[own->body].restBase;
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
    pieces->stretch = (double)(lattice ? LatticeStretch : NetworkStretch)(kernel, view, chunk);
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

// Positions of the corners of LANES cells of a run, in the order of the split: that of odd ones is turned. Only differences count, so
// that displacements are taken from those of the first corner.
RSL_INLINE void PlaceCells(const View* view, Real spacing, const CellRun* run, int first, const Real* odd,
                           Lanes x[8][3])
{
    Lanes plain[8][3];
    for (int c = 0; c < 8; ++c)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            const Real rest = c >> axis & 1 ? spacing : (Real)0;
            const Real* u = view->u[axis] + run->first + first;
            const Real* to = u + (c & 1) + run->offset[c >> 1];
            for (int i = 0; i < LANES; ++i)
            {
                plain[c][axis][i] = rest + (to[i] - u[i]);
            }
        }
    }
    for (int c = 0; c < 8; ++c)
    {
        int other = rslCell_Turn(c, true);
        for (int axis = 0; axis < 3; ++axis)
        {
            for (int i = 0; i < LANES; ++i)
            {
                x[c][axis][i] = odd[i] != (Real)0 ? plain[other][axis][i] : plain[c][axis][i];
            }
        }
    }
}

// How far piece p is from being near, in every lane: the least of (h_i^2 - h_near^2) |n_i|^2, or less where it is turned inside out.
RSL_INLINE void CellMargin(const RepulsionKernel* r, Real spacing, Lanes x[8][3], int p, Real* margin)
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
        Real ox = x[corner[0]][0][i], oy = x[corner[0]][1][i], oz = x[corner[0]][2][i];
        Real ax = x[corner[1]][0][i] - ox, ay = x[corner[1]][1][i] - oy, az = x[corner[1]][2][i] - oz;
        Real bx = x[corner[2]][0][i] - ox, by = x[corner[2]][1][i] - oy, bz = x[corner[2]][2][i] - oz;
        Real cx = x[corner[3]][0][i] - ox, cy = x[corner[3]][1][i] - oy, cz = x[corner[3]][2][i] - oz;
        Real px = by * cz - bz * cy, py = bz * cx - bx * cz, pz = bx * cy - by * cx;
        Real qx = cy * az - cz * ay, qy = cz * ax - cx * az, qz = cx * ay - cy * ax;
        Real nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
        Real sx = px + qx + nx, sy = py + qy + ny, sz = pz + qz + nz;
        Real det = ax * px + ay * py + az * pz, det2 = det * det;
        Real f0 = least2[0] * (sx * sx + sy * sy + sz * sz), f1 = least2[1] * (px * px + py * py + pz * pz);
        Real f2 = least2[2] * (qx * qx + qy * qy + qz * qz), f3 = least2[3] * (nx * nx + ny * ny + nz * nz);
        f0 = f0 > f1 ? f0 : f1;
        f2 = f2 > f3 ? f2 : f3;
        f0 = f0 > f2 ? f0 : f2;
        margin[i] = det > (Real)0 ? det2 - f0 : (Real)-1;
    }
}

RSL_CLONES static void CellMargins(const RepulsionKernel* r, const View* view, Real spacing, const CellRun* run,
                                   int first, Lanes margin[RSL_SPLIT])
{
    Lanes x[8][3], odd;
    for (int i = 0; i < LANES; ++i)
    {
        odd[i] = run->odd != ((first + i) % 2 == 1) ? (Real)1 : (Real)0;
    }
    PlaceCells(view, spacing, run, first, odd, x);
    for (int p = 0; p < RSL_SPLIT; ++p)
    {
        CellMargin(r, spacing, x, p, margin[p]);
    }
}

// Lanes beyond the end of a run compute something, which is dropped; the arrays of a state are padded for their sake.
static void LookAtCells(Kernel* kernel, const View* view, const Chunk* chunk, PieceChunk* pieces)
{
    RepulsionKernel* r = kernel->repulsion;
    for (int n = pieces->runBegin; n < pieces->runEnd; ++n)
    {
        const CellRun* run = &r->runs[n];
        for (int at = 0; at < run->count; at += LANES)
        {
            Lanes margin[RSL_SPLIT];
            int left = run->count - at, count = left < LANES ? left : LANES;
            CellMargins(r, view, (Real)kernel->bodies[chunk->body].spacing, run, at, margin);
            uint8_t* near = r->near + run->number + RSL_SPLIT * at;
            for (int i = 0; i < count * RSL_SPLIT; ++i)
            {
                near[i] = (uint8_t) !(margin[i % RSL_SPLIT][i / RSL_SPLIT] >= (Real)0);
                pieces->nearCount += near[i];
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
