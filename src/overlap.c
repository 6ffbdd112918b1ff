// SPDX-License-Identifier: MIT
//
// overlap.c: see overlap.h. Halves of the longest edge, until a piece lies on one side or is small; then sphere and plane pass
// through it as through a segment of its own variance:
//   C = < (x - c)(x - c)^T > = mean over the corners / (d + 2)      of a uniform simplex in d dimensions
//   part = 1/2 + (R - r') / 2w,  w^2 = 3 n.C n,  r' = |c| + (tr C - n.C n) / 2R,  n = c / |c|  (from the centre of the sphere)
// r' is the mean of |x| to second order: it takes away the bias of a curved border, so that errors of pieces are of both signs.

#include "overlap.h"

enum
{
    DEEPEST = 96  // halvings
};

// Pieces that are cut: longest edge over radius, of triangles and tetrahedra, and over the edge of a cell.
static const double FINE_FLAT = 0.1, FINE = 0.3, FINE_CUT = 0.4;

typedef struct Piece
{
    rslSimplex simplex;
    double share;  // of the whole
    int depth;
} Piece;

// About the middle of a piece.
typedef struct Middle
{
    rslVec3 x, s;      // x from the centre of the sphere
    double away;       // |x|
    double reach;      // of the corners, from x
    double low, high;  // the least and the largest of normal . s - offset
} Middle;

static Middle MiddleOf(const rslSimplex* t, const rslCut* cut, rslVec3 centre)
{
    Middle m = { .low = HUGE_VAL, .high = -HUGE_VAL };
    double f = 1.0 / t->corners;
    for (int k = 0; k < t->corners; ++k)
    {
        double height = rslDot(cut->normal, t->s[k]) - cut->offset;
        m.x = rslMulAdd(m.x, f, rslSub(t->x[k], centre));
        m.s = rslMulAdd(m.s, f, t->s[k]);
        m.low = height < m.low ? height : m.low;
        m.high = height > m.high ? height : m.high;
    }
    for (int k = 0; k < t->corners; ++k)
    {
        rslVec3 d = rslSub(rslSub(t->x[k], centre), m.x);
        double square = rslDot(d, d);
        m.reach = square > m.reach ? square : m.reach;
    }
    m.away = rslLength(m.x);
    m.reach = sqrt(m.reach);
    return m;
}

// The part of a segment of a variance about its middle that is above zero.
static double Above(double middle, double variance)
{
    double part = 0.5 + 0.5 * middle / sqrt(3.0 * variance);
    return !(variance > 0.0) ? (middle > 0.0 ? 1.0 : 0.0) : part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
}

static double PartInSphere(const rslSimplex* t, const Middle* m, rslVec3 centre, double radius)
{
    double along = 0.0, total = 0.0, f = 1.0 / (t->corners * (t->corners + 1.0));
    rslVec3 n = rslNormalize(m->x);
    for (int k = 0; k < t->corners; ++k)
    {
        rslVec3 d = rslSub(rslSub(t->x[k], centre), m->x);
        double across = rslDot(n, d);
        along += f * across * across;
        total += f * rslDot(d, d);
    }
    return Above(radius - m->away - 0.5 * (total - along) / radius, along);
}

static double PartAbovePlane(const rslSimplex* t, const Middle* m, const rslCut* cut)
{
    double variance = 0.0, f = 1.0 / (t->corners * (t->corners + 1.0));
    for (int k = 0; k < t->corners; ++k)
    {
        double height = rslDot(cut->normal, rslSub(t->s[k], m->s));
        variance += f * height * height;
    }
    return Above(rslDot(cut->normal, m->s) - cut->offset, variance);
}

// The longest edge, from *a to *b; squared.
static double LongestEdge(const rslSimplex* t, int* a, int* b)
{
    double longest = -1.0;
    *a = 0;
    *b = 1;
    for (int i = 0; i < t->corners; ++i)
    {
        for (int j = i + 1; j < t->corners; ++j)
        {
            rslVec3 d = rslSub(t->x[j], t->x[i]);
            double square = rslDot(d, d);
            if (square > longest)
            {
                longest = square;
                *a = i;
                *b = j;
            }
        }
    }
    return longest;
}

static bool IsSmall(const rslSimplex* t, double squared, int a, int b, bool crossed, bool cut, double radius)
{
    rslVec3 d = rslSub(t->s[b], t->s[a]);
    double fine = (t->corners == 3 ? FINE_FLAT : FINE) * radius;
    bool coarse = (crossed && squared > fine * fine) || (cut && rslDot(d, d) > FINE_CUT * FINE_CUT);
    return !coarse;
}

// The two halves of a piece across the edge from a to b.
static void Halve(const Piece* piece, int a, int b, Piece halves[2])
{
    const rslSimplex* t = &piece->simplex;
    rslVec3 x = rslScale(0.5, rslAdd(t->x[a], t->x[b])), s = rslScale(0.5, rslAdd(t->s[a], t->s[b]));
    halves[0] = halves[1] = (Piece){ *t, 0.5 * piece->share, piece->depth + 1 };
    halves[0].simplex.x[a] = halves[1].simplex.x[b] = x;
    halves[0].simplex.s[a] = halves[1].simplex.s[b] = s;
}

rslOverlap rslSimplex_InSphere(const rslSimplex* simplex, const rslCut* cut, rslVec3 centre, double radius)
{
    rslOverlap sum = { 0 };
    Piece pieces[DEEPEST + 2];  // only those in use are filled
    pieces[0] = (Piece){ *simplex, 1.0, 0 };
    bool whole = rslDot(cut->normal, cut->normal) == 0.0;
    for (int count = 1; count > 0;)
    {
        Piece piece = pieces[--count];
        const rslSimplex* t = &piece.simplex;
        Middle m = MiddleOf(t, cut, centre);
        bool crossed = m.away + m.reach > radius, isCut = !whole && m.low < 0.0;
        if (m.away - m.reach >= radius || (isCut && m.high <= 0.0))
        {
            continue;
        }
        int a, b;
        double longest = LongestEdge(t, &a, &b);
        if (piece.depth < DEEPEST && !IsSmall(t, longest, a, b, crossed, isCut, radius))
        {
            Halve(&piece, a, b, pieces + count);
            count += 2;
            continue;
        }
        double share = piece.share * (crossed ? PartInSphere(t, &m, centre, radius) : 1.0);
        share *= isCut ? PartAbovePlane(t, &m, cut) : 1.0;
        sum.volume += share;
        sum.moment = rslMulAdd(sum.moment, share, m.s);
    }
    return sum;
}

// ---- planes through a cell ------------------------------------------------------------------------------------------

static double Cube(double x)
{
    return x > 0.0 ? x * x * x : 0.0;
}

// The part of the unit cube with m.s < t, m > 0: inclusion and exclusion of its corners.
static double PartBelow(const double m[3], double t)
{
    double sum = 0.0;
    for (int corner = 0; corner < 8; ++corner)
    {
        double at = (corner & 1 ? m[0] : 0.0) + (corner & 2 ? m[1] : 0.0) + (corner & 4 ? m[2] : 0.0);
        int bits = (corner & 1) + (corner >> 1 & 1) + (corner >> 2);
        sum += (bits & 1 ? -1.0 : 1.0) * Cube(t - at);
    }
    return sum / (6.0 * m[0] * m[1] * m[2]);
}

rslCut rslCut_Make(rslVec3 direction, double part)
{
    rslCut cut = { rslNormalize(direction), 0.0 };
    const double flat = 1e-3;  // planes along axes are tilted by so much for the sum
    double m[3] = { fabs(cut.normal.x), fabs(cut.normal.y), fabs(cut.normal.z) };
    for (int i = 0; i < 3; ++i)
    {
        m[i] = m[i] > flat ? m[i] : flat;
    }
    double low = 0.0, high = m[0] + m[1] + m[2], middle = 0.5 * high;
    for (int halving = 0; halving < 40; ++halving)
    {
        double t = 0.5 * (low + high);
        bool less = PartBelow(m, t) < 1.0 - part;
        low = less ? t : low;
        high = less ? high : t;
    }
    cut.offset = low - middle;
    return cut;
}
