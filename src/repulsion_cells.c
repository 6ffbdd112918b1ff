// SPDX-License-Identifier: MIT
//
// repulsion_cells.c: which cells of lattices may be near to collapse, and how far nodes may move before others are.
//
// First all cells of a chunk together. Their edges along axis j are e_j = (1 + du_j) a, with bounds of du_j over the chunk. So F of
// every piece is M + D: columns of M are the middles of these bounds, and D is bounded by the halves h_j of their widths: |D_kj| <= h_j
// of axis k at the corners of a cell; in its middle, with F e_x = e_x + (differences of two e_y and of two e_z) / 2, by the
// sum of the h_j. With that for all, w_k = sum_j h_j of axis k,
//
//   det F       >= det M - sum w_k |cof M|_kj - 2 sum |M_kj| w_l w_m - 6 w_x w_y w_z
//   sigma_min F >= sigma_min M - sqrt(3) |w|
//
// and h_i / h0_i >= sigma_min (piece_slack.h). Nodes that move by at most d_k along axis k, but for a move of all of them, add 2 d_k / a
// to w_k. Smooth deformations pass,
// large ones as well. Where this says too little, the same of every cell (repulsion_smooth.c), and where that does, pieces one by one: with
// the edges from one corner, 6 V = det and the areas n_i of the faces, h_i = det / |n_i|.

#include "real_bits.h"
#include "repulsion_lanes.h"

#include <string.h>

#define BoundRuns RSL_NAME(rslRepulsion_BoundRuns)
#define LookAtLanes RSL_NAME(rslRepulsion_LookAtLanes)

// ---- all cells together ---------------------------------------------------------------------------------------------

enum
{
    EIGHT = 8,  // edges at a time, in both precisions: what is wider than registers is taken apart, number by number
    LATER = 16  // looks until all cells of a chunk are bounded together again
};

typedef int32_t Wholes __attribute__((vector_size(4 * EIGHT), aligned(4)));
typedef float Singles __attribute__((vector_size(4 * EIGHT), aligned(4)));
typedef Real Reals __attribute__((vector_size(EIGHT * sizeof(Real)), aligned(sizeof(Real))));

// Of the edges from a run's first one on, of EIGHT.
RSL_INLINE void BitsOf(const Real* a, const Real* b, Wholes* bits)
{
    Reals from, to;
    memcpy(&from, a, sizeof from);
    memcpy(&to, b, sizeof to);
    Singles d = __builtin_convertvector(to - from, Singles);
    memcpy(bits, &d, sizeof *bits);
    *bits ^= (*bits < 0) & INT32_MAX;
}

RSL_INLINE void Widen(const Wholes* bits, Wholes bounds[2])
{
    Wholes lower = *bits<bounds[0], higher = *bits> bounds[1];
    bounds[0] = (*bits & lower) | (bounds[0] & ~lower);
    bounds[1] = (*bits & higher) | (bounds[1] & ~higher);
}

// Bounds of b - a over the edges of a run, of three fields, in lanes. The first one is there, and counts for those that are not,
// also for lanes beyond its end: the arrays of a state, and those of masks, are padded for their sake.
RSL_INLINE void BoundRun(const EdgeRun* run, Real* const field[3], const int32_t* mask, Wholes bounds[3][2])
{
    int32_t some[3];
    Wholes place;
    for (int k = 0; k < 3; ++k)
    {
        some[k] = ToBits(field[k][run->b] - field[k][run->a]);
    }
    for (int l = 0; l < EIGHT; ++l)
    {
        place[l] = l;
    }
    for (int i = 0; i < run->count; i += EIGHT)
    {
        Wholes there, bits;
        memcpy(&there, mask + run->a + i, sizeof there);
        there &= place < run->count - i;
        for (int k = 0; k < 3; ++k)
        {
            BitsOf(field[k] + run->a + i, field[k] + run->b + i, &bits);
            bits = (bits & there) | (some[k] & ~there);
            Widen(&bits, bounds[k]);
        }
    }
}

// Of all runs of a chunk, by their axes.
RSL_CLONES static void BoundRuns(const EdgeRun* runs, int count, Real* const field[3], int32_t* const masks[3],
                                 Wholes bounds[3][3][2])
{
    for (int n = 0; n < count;)
    {
        const int axis = runs[n].axis;
        Wholes own[3][2];
        memcpy(own, bounds[axis], sizeof own);
        for (; n < count && runs[n].axis == axis; ++n)
        {
            BoundRun(&runs[n], field, masks[axis], own);
        }
        memcpy(bounds[axis], own, sizeof own);
    }
}

static void Join(Wholes lanes[2], int32_t bounds[2])
{
    bounds[0] = INT32_MAX;
    bounds[1] = -INT32_MAX;
    for (int l = 0; l < EIGHT; ++l)
    {
        bounds[0] = lanes[0][l] < bounds[0] ? lanes[0][l] : bounds[0];
        bounds[1] = lanes[1][l] > bounds[1] ? lanes[1][l] : bounds[1];
    }
}

void RSL_NAME(rslRepulsion_Bound)(const Kernel* kernel, Real* const field[3], const Chunk* chunk, double low[3][3],
                                  double high[3][3])
{
    const RepulsionKernel* r = kernel->repulsion;
    const PieceChunk* pieces = &r->chunks[chunk->index];
    const Wholes zero = { 0 };
    Wholes lanes[3][3][2];
    for (int n = 0; n < 9; ++n)
    {
        lanes[n / 3][n % 3][0] = zero + INT32_MAX;
        lanes[n / 3][n % 3][1] = zero - INT32_MAX;
    }
    BoundRuns(r->edgeRuns + pieces->edgeBegin, pieces->edgeEnd - pieces->edgeBegin, field, r->edgeMask, lanes);
    for (int n = 0; n < 9; ++n)
    {
        int32_t found[2];
        Join(lanes[n / 3][n % 3], found);
        bool none = found[0] == INT32_MAX && found[1] == -INT32_MAX;
        low[n / 3][n % 3] = none ? INFINITY : FromBits(found[0]);
        high[n / 3][n % 3] = none ? -INFINITY : FromBits(found[1]);
    }
}

// Middles M and half widths w_k, over all chunks that cells reach into.
static void Gather(const Kernel* kernel, const PieceChunk* pieces, double spacing, double m[3][3], double w[3])
{
    const RepulsionKernel* r = kernel->repulsion;
    for (int k = 0; k < 3; ++k)
    {
        w[k] = 0.0;
        for (int j = 0; j < 3; ++j)
        {
            double low = INFINITY, high = -INFINITY;
            for (int h = pieces->holdBegin; h < pieces->holdEnd; ++h)
            {
                const PieceChunk* other = &r->chunks[r->holders[h]];
                low = other->low[j][k] >= low ? low : other->low[j][k];
                high = other->high[j][k] <= high ? high : other->high[j][k];
            }
            m[k][j] = (k == j ? 1.0 : 0.0) + 0.5 * (low + high) / spacing;
            w[k] += 0.5 * (high - low) / spacing;
        }
    }
}

// The least singular value of M, or a little less: Newton's method comes from below to the least root of the characteristic
// polynomial of C = M^T M.
static double LeastSingular(double m[3][3])
{
    double c[6], least = 0.0;  // xx yy zz yz zx xy
    for (int n = 0; n < 6; ++n)
    {
        int i = n < 3 ? n : (n + 1) % 3, j = n < 3 ? n : (n + 2) % 3;
        c[n] = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
    }
    double one = c[0] + c[1] + c[2];
    double two = c[0] * c[1] + c[1] * c[2] + c[2] * c[0] - c[3] * c[3] - c[4] * c[4] - c[5] * c[5];
    double three =
        c[0] * (c[1] * c[2] - c[3] * c[3]) - c[5] * (c[5] * c[2] - c[3] * c[4]) + c[4] * (c[5] * c[3] - c[1] * c[4]);
    for (int n = 0; n < 12; ++n)
    {
        double value = three - least * (two - least * (one - least)), slope = two - least * (2.0 * one - 3.0 * least);
        least += slope > 1e-9 && value > 0.0 ? value / slope : 0.0;
    }
    return sqrt(least) - 1e-9;
}

static CellBounds BoundCells(const Kernel* kernel, const PieceChunk* pieces, double spacing)
{
    CellBounds bounds = { .spacing = spacing };
    double m[3][3];
    Gather(kernel, pieces, spacing, m, bounds.wide);
    for (int k = 0; k < 3; ++k)
    {
        int l = (k + 1) % 3, n = (k + 2) % 3;
        for (int j = 0; j < 3; ++j)
        {
            double minor = m[l][(j + 1) % 3] * m[n][(j + 2) % 3] - m[l][(j + 2) % 3] * m[n][(j + 1) % 3];
            bounds.det += k == 0 ? m[k][j] * minor : 0.0;
            bounds.first[k] += fabs(minor);
            bounds.second[k] += 2.0 * fabs(m[k][j]);
        }
    }
    bounds.least = pieces->law == rsl_clampedRepulsion ? LeastSingular(m) : INFINITY;
    return bounds;
}

bool RSL_NAME(rslRepulsion_AreFar)(const PieceChunk* pieces, const double way[3])
{
    const CellBounds* b = &pieces->bounds;
    double w[3], less = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        w[k] = b->wide[k] + 2.0 * way[k] / b->spacing;
        less += w[k] * b->first[k];
    }
    less +=
        b->second[0] * w[1] * w[2] + b->second[1] * w[2] * w[0] + b->second[2] * w[0] * w[1] + 6.0 * w[0] * w[1] * w[2];
    double sinks = b->least - rslNearPart;
    return b->det - less > freeLevel && sinks > 0.0 && sinks * sinks > 3.0 * SquareOf(w);
}

// ---- cells one by one -----------------------------------------------------------------------------------------------

// What was found of LANES cells.
typedef struct CellsFound
{
    Lanes measure[RSL_SPLIT], height[RSL_SPLIT];  // slacks
    Lanes least[2];                               // of measures and heights, of every cell
} CellsFound;

// room / (a + d (b + 8 d)), d = room / a (rslReach)
RSL_INLINE Real Reach(Real room, Real a, Real b)
{
    Real d = room > (Real)0 ? room / a : (Real)0;
    return room / (a + d * (b + (Real)8 * d));
}

// Slacks of piece p in every lane, as in piece_slack.c with bounds that need fewer roots: sum |n_i| <= 2 sqrt(sum n_i^2), edges at
// most 2 l, l the longest from the first corner, and det - sqrt(f) >= (det^2 - f) / (2 det).
RSL_INLINE void LookAtPiece(const RepulsionKernel* r, Real spacing, Lanes x[8][3], int p, CellsFound* found)
{
    const int* corner = rslCellSplit[p];
    Real least2[RSL_PIECE_NODES], highest = 0, level = (Real)freeLevel * spacing * spacing * spacing;
    for (int c = 0; c < RSL_PIECE_NODES; ++c)
    {
        Real least = (Real)rslNearPart * spacing * (Real)r->cellHeight[p][c];
        least2[c] = least * least;
        highest = least > highest ? least : highest;
    }
    level = p == 0 ? level + level : level;
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
        Real det = ax * px + ay * py + az * pz;
        Real f0 = sx * sx + sy * sy + sz * sz, f1 = px * px + py * py + pz * pz;
        Real f2 = qx * qx + qy * qy + qz * qz, f3 = nx * nx + ny * ny + nz * nz;
        Real a2 = ax * ax + ay * ay + az * az, b2 = bx * bx + by * by + bz * bz, c2 = cx * cx + cy * cy + cz * cz;
        Real faces = (Real)2 * SquareRoot((f0 + f1) + (f2 + f3));
        a2 = a2 > b2 ? a2 : b2;
        a2 = a2 > c2 ? a2 : c2;
        Real longest = (Real)2 * SquareRoot(a2);
        f0 *= least2[0];
        f1 *= least2[1];
        f2 *= least2[2];
        f3 *= least2[3];
        f0 = f0 > f1 ? f0 : f1;
        f2 = f2 > f3 ? f2 : f3;
        f0 = f0 > f2 ? f0 : f2;
        Real twelve = (Real)12 * longest, over = det > (Real)0 ? det + det : (Real)1;
        Real room = det > (Real)0 ? (det * det - f0) / over : (Real)-1;
        found->measure[p][i] = Reach(det - level, faces, twelve);
        found->height[p][i] = Reach(room, faces + (Real)4 * highest * longest, twelve + (Real)4 * highest);
    }
}

RSL_CLONES static void LookAtLanes(const RepulsionKernel* r, const View* view, Real spacing, const CellRun* run,
                                   int first, CellsFound* found)
{
    Lanes x[8][3];
    PlaceCells(view->u, spacing, run, first, x);
    for (int p = 0; p < RSL_SPLIT; ++p)
    {
        LookAtPiece(r, spacing, x, p, found);
    }
    for (int i = 0; i < LANES; ++i)
    {
        Real measure = found->measure[0][i], height = found->height[0][i];
        for (int p = 1; p < RSL_SPLIT; ++p)
        {
            measure = found->measure[p][i] >= measure ? measure : found->measure[p][i];
            height = found->height[p][i] >= height ? height : found->height[p][i];
        }
        found->least[0][i] = measure;
        found->least[1][i] = height;
    }
}

// Cells with pieces that are all far.
static void NoteFar(RepulsionKernel* r, PieceChunk* pieces, int number, int count, rslPieceSlack slack)
{
    memset(r->unsure + number, 0, (size_t)(count * RSL_SPLIT));
    NoteSlack(r, pieces, number, slack);
    if (pieces->law == rsl_clampedRepulsion)
    {
        memset(r->near + number, 0, (size_t)(count * RSL_SPLIT));
    }
}

// What lanes found, piece by piece where one of them is not far. Lanes beyond the end of a run computed something, which is dropped;
// the arrays of a state are padded for their sake.
static void Collect(RepulsionKernel* r, PieceChunk* pieces, int number, int count, const CellsFound* found)
{
    double measure = (double)found->least[0][0], height = (double)found->least[1][0];
    for (int i = 1; i < count; ++i)
    {
        measure = (double)found->least[0][i] >= measure ? measure : (double)found->least[0][i];
        height = (double)found->least[1][i] >= height ? height : (double)found->least[1][i];
    }
    if (measure >= 0.0 && measure * measure >= SquareOf(pieces->moved) &&
        (height > 0.0 || pieces->law != rsl_clampedRepulsion))
    {
        NoteFar(r, pieces, number, count, (rslPieceSlack){ measure, height });
        return;
    }
    for (int i = 0; i < count * RSL_SPLIT; ++i)
    {
        int p = i % RSL_SPLIT, lane = i / RSL_SPLIT;
        NoteSlack(r, pieces, number + i,
                  (rslPieceSlack){ (double)found->measure[p][lane], (double)found->height[p][lane] });
    }
}

static const double smoothPart = 0.01;  // of the spacing: with less slack than that, it is worth knowing better

static void LookAtRun(Kernel* kernel, const View* view, const Chunk* chunk, PieceChunk* pieces, CellRun* run)
{
    RepulsionKernel* r = kernel->repulsion;
    const rslPieceSlack before = pieces->slack;
    int unsure = pieces->unsureCount;
    pieces->slack = (rslPieceSlack){ INFINITY, INFINITY };
    for (int at = 0; at < run->count; at += LANES)
    {
        double spacing = kernel->bodies[chunk->body].spacing, enough = smoothPart * spacing;
        int number = run->number + RSL_SPLIT * at, count = run->count - at < LANES ? run->count - at : LANES;
        rslPieceSlack slack = RSL_NAME(rslRepulsion_LookAtSmooth)(view->u, spacing, run, at);
        if (slack.measure > enough && slack.height > enough && slack.measure * slack.measure >= SquareOf(pieces->moved))
        {
            NoteFar(r, pieces, number, count, slack);
            continue;
        }
        CellsFound found;
        LookAtLanes(r, view, (Real)spacing, run, at, &found);
        Collect(r, pieces, number, count, &found);
    }
    double height = pieces->law == rsl_clampedRepulsion ? pieces->slack.height : INFINITY;
    double least = LeastOf(pieces->slack.measure, height);
    bool lasts = least > 0.0 && pieces->unsureCount == unsure;
    run->deadline = lasts ? pieces->total + least : -INFINITY;
    pieces->slack.measure = LeastOf(before.measure, pieces->slack.measure);
    pieces->slack.height = LeastOf(before.height, pieces->slack.height);
}

// Those runs that the way of the chunk may have brought near: the others are as far as they were found to be.
static void LookAtEach(Kernel* kernel, const View* view, const Chunk* chunk, PieceChunk* pieces)
{
    double first = INFINITY;
    for (int n = pieces->runBegin; n < pieces->runEnd; ++n)
    {
        CellRun* run = &kernel->repulsion->runs[n];
        if (!pieces->forgotten && run->deadline > pieces->total)
        {
            first = run->deadline < first ? run->deadline : first;
        }
        else
        {
            LookAtRun(kernel, view, chunk, pieces, run);
        }
    }
    pieces->forgotten = false;
    pieces->fresh = pieces->slack.measure;
    pieces->slack.measure = LeastOf(pieces->slack.measure, first - pieces->total);
    pieces->slack.height = LeastOf(pieces->slack.height, first - pieces->total);
}

// What bounds did not tell they will not tell a moment later.
bool RSL_NAME(rslRepulsion_BoundsCells)(const PieceChunk* pieces)
{
    return pieces->forgotten || pieces->apart == 0;
}

void RSL_NAME(rslRepulsion_LookAtCells)(Kernel* kernel, const View* view, const Chunk* chunk)
{
    PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    if (RSL_NAME(rslRepulsion_BoundsCells)(pieces))
    {
        pieces->bounds = BoundCells(kernel, pieces, kernel->bodies[chunk->body].spacing);
        pieces->together = RSL_NAME(rslRepulsion_AreFar)(pieces, pieces->moved);
        pieces->apart = 0;
    }
    pieces->apart = pieces->together ? 0 : (pieces->apart + 1) % LATER;
    if (!pieces->together)
    {
        LookAtEach(kernel, view, chunk, pieces);
    }
}
