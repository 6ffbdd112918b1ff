// SPDX-License-Identifier: MIT
//
// inversion.c: see inversion.h.
//
// Along x + t (y - x) the edges e_i(t) from the first corner are linear in t, twice a signed area is a quadratic, six times
// a volume a cubic, and four times the square of an area a quartic:
//   p(t) = e1 x e2,   e1 . (e2 x e3),   |e1 x e2|^2
// The interval [0, 1] is split where p' = 0, and p falls to the floor first in the first piece that ends below it; there it
// is bisected, and the lower end is the answer. Roots of p' are found in the same way, those of a quadratic by
//   q = -(b + sign(b) sqrt(b^2 - 4 a c)) / 2,  t = q / a and c / q
//
// Rounding. Differences of corners are right to 2^-53 of themselves, and products and sums of them to a few times that of
// the largest there can be, L(t) = product of the largest edges: p is known to within 2^-48 L(t), and is believed to be as
// low as that allows.

#include "inversion.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
    DEGREE = 4
};

// c[0] + c[1] t + ... , and a bound of all that was added up to get it.
typedef struct Course
{
    int degree;
    double c[DEGREE + 1], bound[DEGREE + 1];
} Course;

static const double rounding = 0x1p-48;

static double Horner(const double* c, int degree, double t)
{
    double sum = c[degree];
    for (int i = degree - 1; i >= 0; --i)
    {
        sum = sum * t + c[i];
    }
    return sum;
}

// The least that p may be.
static double Least(const Course* p, double t)
{
    return Horner(p->c, p->degree, t) - rounding * Horner(p->bound, p->degree, t);
}

// out += sign p q
static void AddProduct(double* out, double sign, const double* p, int n, const double* q, int m)
{
    for (int i = 0; i <= n; ++i)
    {
        for (int k = 0; k <= m; ++k)
        {
            out[i + k] += sign * p[i] * q[k];
        }
    }
}

// ---- the measure along a move -----------------------------------------------------------------------------------------

typedef double Edge[3][2];  // of each axis: at the start, and its change

static void MakeEdges(const rslMove* move, int count, Edge* edges, double (*largest)[2])
{
    for (int e = 0; e < count; ++e)
    {
        largest[e][0] = largest[e][1] = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            double from = move->from[e + 1][axis] - move->from[0][axis];
            double to = move->to[e + 1][axis] - move->to[0][axis];
            edges[e][axis][0] = from;
            edges[e][axis][1] = to - from;
            largest[e][0] += fabs(from);
            largest[e][1] += fabs(to) + fabs(from);
        }
    }
}

static void Cross(Edge a, Edge b, double out[3][3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        int j = (axis + 1) % 3, k = (axis + 2) % 3;
        AddProduct(out[axis], 1.0, a[j], 1, b[k], 1);
        AddProduct(out[axis], -1.0, a[k], 1, b[j], 1);
    }
}

static Course MakeCourse(const rslMove* move)
{
    Course p = { 0 };
    Edge edges[3];
    double largest[3][2], pair[3] = { 0 }, normal[3][3] = { 0 };
    bool solid = move->measure == rsl_volume;
    MakeEdges(move, solid ? 3 : 2, edges, largest);
    AddProduct(pair, 1.0, largest[0], 1, largest[1], 1);
    if (move->measure == rsl_planeArea)
    {
        p.degree = 2;
        AddProduct(p.c, 1.0, edges[0][0], 1, edges[1][1], 1);
        AddProduct(p.c, -1.0, edges[0][1], 1, edges[1][0], 1);
        AddProduct(p.bound, 1.0, pair, 2, (double[1]){ 1.0 }, 0);
        return p;
    }
    Cross(edges[0], edges[1], normal);
    p.degree = solid ? 3 : 4;
    for (int axis = 0; axis < 3; ++axis)
    {
        AddProduct(p.c, 1.0, normal[axis], 2, solid ? edges[2][axis] : normal[axis], solid ? 1 : 2);
    }
    AddProduct(p.bound, 1.0, pair, 2, solid ? largest[2] : pair, solid ? 1 : 2);
    return p;
}

// A floor in the units of p.
static double LevelOf(rslMeasure measure, double floor)
{
    return measure == rsl_volume ? 6.0 * floor : measure == rsl_planeArea ? 2.0 * floor : 4.0 * floor * floor;
}

double rslMeasure_Of(rslMeasure measure, double (*corners)[3])
{
    rslMove still = { .measure = measure };
    int count = measure == rsl_volume ? 4 : 3;
    for (int i = 0; i < 3 * count; ++i)
    {
        still.from[i / 3][i % 3] = still.to[i / 3][i % 3] = corners[i / 3][i % 3];
    }
    double p = MakeCourse(&still).c[0];
    return measure == rsl_volume ? p / 6.0 : measure == rsl_planeArea ? p / 2.0 : sqrt(p) / 2.0;
}

// ---- where it turns ---------------------------------------------------------------------------------------------------

// The roots of a + b t + c t^2 in (0, 1), ascending.
static int QuadraticRoots(const double* c, double* roots)
{
    double square = c[1] * c[1] - 4.0 * c[2] * c[0];
    if (!(square >= 0.0))
    {
        return 0;
    }
    double q = -0.5 * (c[1] + copysign(sqrt(square), c[1])), r[2] = { q / c[2], c[0] / q };
    int first = r[0] <= r[1] ? 0 : 1, count = 0;
    for (int i = 0; i < 2; ++i)
    {
        double root = r[i == 0 ? first : 1 - first];
        if (root > 0.0 && root < 1.0)
        {
            roots[count++] = root;
        }
    }
    return count;
}

// Where p, with a sign change in [low, high], changes it.
static double Bisect(const double* c, int degree, double low, double high)
{
    bool falls = Horner(c, degree, low) > 0.0;
    for (int i = 0; i < 64; ++i)
    {
        double middle = 0.5 * (low + high);
        bool positive = Horner(c, degree, middle) > 0.0;
        *(positive == falls ? &low : &high) = middle;
    }
    return low;
}

// The times in (0, 1) at which p turns, ascending.
static int Turns(const double* c, int degree, double* turns)
{
    double slope[DEGREE], ends[DEGREE];
    for (int i = 1; i <= degree; ++i)
    {
        slope[i - 1] = i * c[i];
    }
    if (degree == 2)
    {
        turns[0] = -slope[0] / slope[1];
        return turns[0] > 0.0 && turns[0] < 1.0 ? 1 : 0;
    }
    if (degree == 3)
    {
        return QuadraticRoots(slope, turns);
    }
    int pieces = Turns(slope, degree - 1, ends), count = 0;
    ends[pieces] = 1.0;
    for (int i = 0; i <= pieces; ++i)
    {
        double low = i == 0 ? 0.0 : ends[i - 1];
        if ((Horner(slope, degree - 1, low) > 0.0) != (Horner(slope, degree - 1, ends[i]) > 0.0))
        {
            turns[count++] = Bisect(slope, degree - 1, low, ends[i]);
        }
    }
    return count;
}

// ---- the answers ------------------------------------------------------------------------------------------------------

// Times at whose ends p is compared with the level: all turns, and 1. None when p cannot fall so far. A number that is not
// finite is no proof of that.
static int Pieces(const Course* p, double level, double* ends)
{
    double lowest = p->c[0], bound = 0.0;
    for (int i = 0; i <= p->degree; ++i)
    {
        lowest -= i > 0 ? fabs(p->c[i]) : 0.0;
        bound += p->bound[i];
    }
    if (lowest - rounding * bound > level)
    {
        return 0;
    }
    int count = Turns(p->c, p->degree, ends);
    ends[count] = 1.0;
    return count + 1;
}

double rslMove_FirstTime(const rslMove* move, double floor)
{
    Course p = MakeCourse(move);
    double level = LevelOf(move->measure, floor), ends[DEGREE], low = 0.0;
    if (!(Least(&p, 0.0) > level))
    {
        return 0.0;
    }
    int pieces = Pieces(&p, level, ends);
    for (int i = 0; i < pieces; ++i)
    {
        double high = ends[i];
        if (Least(&p, high) > level)
        {
            low = high;
            continue;
        }
        for (int k = 0; k < 64; ++k)
        {
            double middle = 0.5 * (low + high);
            *(Least(&p, middle) > level ? &low : &high) = middle;
        }
        return low;
    }
    return INFINITY;
}

bool rslMove_Falls(const rslMove* move, double floor)
{
    Course p = MakeCourse(move);
    double level = LevelOf(move->measure, floor), ends[DEGREE];
    int pieces = Pieces(&p, level, ends);
    bool above = Least(&p, 0.0) > level;
    for (int i = 0; above && i < pieces; ++i)
    {
        above = Least(&p, ends[i]) > level;
    }
    return !above;
}

// ---- zeros ------------------------------------------------------------------------------------------------------------

// Times of turns are rounded, too: a little more than for values.
static const double nothing = 0x1p-45;

// +1 or -1 where p is not zero for sure, else 0.
static int SignAt(const Course* p, double t)
{
    double value = Horner(p->c, p->degree, t), doubt = nothing * Horner(p->bound, p->degree, t);
    return value > doubt ? 1 : value < -doubt ? -1 : 0;
}

// Between low, where the sign is the given one, and high, where it is not: the last time with it.
static double LastWith(const Course* p, int sign, double low, double high)
{
    for (int k = 0; k < 64; ++k)
    {
        double middle = 0.5 * (low + high);
        *(SignAt(p, middle) == sign ? &low : &high) = middle;
    }
    return low;
}

static bool NeverZero(const Course* p)
{
    double least = fabs(p->c[0]), bound = 0.0;
    for (int i = 0; i <= p->degree; ++i)
    {
        least -= i > 0 ? fabs(p->c[i]) : 0.0;
        bound += p->bound[i];
    }
    return least > nothing * bound;
}

static bool IsFinite(const Course* p)
{
    double sum = 0.0;
    for (int i = 0; i <= p->degree; ++i)
    {
        sum += fabs(p->c[i]) + p->bound[i];
    }
    return isfinite(sum);
}

// Places may be rounded by as much as the longest edge makes of it, however short another one is.
static void WidenBound(const rslMove* move, Course* p)
{
    double most[2] = { 0.0, 0.0 };
    int corners = move->measure == rsl_volume ? 4 : 3;
    for (int i = 3; i < 3 * corners; ++i)
    {
        double from = fabs(move->from[i / 3][i % 3] - move->from[0][i % 3]);
        double to = fabs(move->to[i / 3][i % 3] - move->to[0][i % 3]);
        most[0] = most[0] > from ? most[0] : from;
        most[1] = most[1] > from + to ? most[1] : from + to;
    }
    double power[DEGREE + 1] = { 27.0 };
    for (int degree = 0; degree < p->degree; ++degree)
    {
        double next[DEGREE + 1] = { 0 };
        AddProduct(next, 1.0, power, degree, most, 1);
        memcpy(power, next, sizeof power);
    }
    memcpy(p->bound, power, sizeof power);
}

int rslMove_Zeros(const rslMove* move, double (*spans)[2])
{
    Course p = MakeCourse(move);
    WidenBound(move, &p);
    double ends[DEGREE];
    if (NeverZero(&p))
    {
        return 0;
    }
    spans[0][0] = 0.0;
    spans[0][1] = 1.0;
    if (!IsFinite(&p))
    {
        return 1;
    }
    int turns = Turns(p.c, p.degree, ends), count = 0;
    ends[turns] = 1.0;
    for (int i = 0; i <= turns; ++i)
    {
        double low = i == 0 ? 0.0 : ends[i - 1], high = ends[i];
        int before = SignAt(&p, low), after = SignAt(&p, high);
        if (before == after && before != 0)
        {
            continue;  // no turn in between
        }
        double first = before == 0 ? low : LastWith(&p, before, low, high);
        double last = after == 0 ? high : LastWith(&p, after, high, low);
        if (count > 0 && first <= spans[count - 1][1])
        {
            spans[count - 1][1] = last;
            continue;
        }
        spans[count][0] = first;
        spans[count++][1] = last;
    }
    return count;
}
