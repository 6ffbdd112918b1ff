// SPDX-License-Identifier: MIT
//
// predicate.c: the determinant in doubles where its error bound settles the sign, else its exact value as a sum.
//
// An exact number is an expansion: a list of doubles, smallest first, whose bits do not overlap, so that the last one
// carries the sign (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric
// predicates"). TwoSum (Knuth) and TwoProduct (Dekker) give the rounding error of one operation as a double.

#include "predicate.h"

#include <math.h>

// half a unit in the last place of 1
#define EPSILON 1.1102230246251565e-16

// Parts made by Add are not even adjacent: a zero bit lies between any two of them. So of the 2098 bits that doubles span
// no more than every second begins a part.
typedef struct Expansion
{
    int count;
    double part[1050];
} Expansion;

// sum += b, exactly; the parts keep increasing and zeros are left out
static void Add(Expansion* sum, double b)
{
    double q = b;
    int kept = 0;
    for (int i = 0; i < sum->count; ++i)
    {
        double e = sum->part[i];
        double s = q + e, back = s - q;
        double error = (q - (s - back)) + (e - back);
        if (error != 0.0)
        {
            sum->part[kept++] = error;
        }
        q = s;
    }
    if (q != 0.0)
    {
        sum->part[kept++] = q;
    }
    sum->count = kept;
}

static int Sign(const Expansion* sum)
{
    if (sum->count == 0)
    {
        return 0;
    }
    return sum->part[sum->count - 1] > 0.0 ? 1 : -1;
}

// a b = product + error
static double TwoProduct(double a, double b, double* error)
{
    const double splitter = 134217729.0;  // 2^27 + 1
    double product = a * b;
    double ca = splitter * a, cb = splitter * b;
    double ah = ca - (ca - a), bh = cb - (cb - b);
    double al = a - ah, bl = b - bh;
    *error = al * bl - (((product - ah * bh) - al * bh) - ah * bl);
    return product;
}

static void AddProduct2(Expansion* sum, double a, double b)
{
    double low;
    double high = TwoProduct(a, b, &low);
    if (low != 0.0)
    {
        Add(sum, low);
    }
    Add(sum, high);
}

static void AddProduct3(Expansion* sum, double a, double b, double c)
{
    if (a == 0.0 || b == 0.0 || c == 0.0)
    {
        return;
    }
    double low;
    double high = TwoProduct(a, b, &low);
    AddProduct2(sum, low, c);
    AddProduct2(sum, high, c);
}

// a x b + b x c + c x a
static int ExactOrient2(double ax, double ay, double bx, double by, double cx, double cy)
{
    Expansion sum;
    sum.count = 0;
    AddProduct2(&sum, ax, by);
    AddProduct2(&sum, -ay, bx);
    AddProduct2(&sum, bx, cy);
    AddProduct2(&sum, -by, cx);
    AddProduct2(&sum, cx, ay);
    AddProduct2(&sum, -cy, ax);
    return Sign(&sum);
}

int rslOrient2(double ax, double ay, double bx, double by, double cx, double cy)
{
    double left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx);
    double det = left - right;
    double bound = 4.0 * EPSILON * (fabs(left) + fabs(right));
    if (det > bound)
    {
        return 1;
    }
    if (-det > bound)
    {
        return -1;
    }
    // a difference is zero only when it is exactly zero, and so are then these products
    return bound == 0.0 ? 0 : ExactOrient2(ax, ay, bx, by, cx, cy);
}

// sum += sign det [a, b, c], six triple products
static void AddDeterminant(Expansion* sum, double sign, const double* a, const double* b, const double* c)
{
    AddProduct3(sum, sign * a[0], b[1], c[2]);
    AddProduct3(sum, -sign * a[0], b[2], c[1]);
    AddProduct3(sum, sign * a[1], b[2], c[0]);
    AddProduct3(sum, -sign * a[1], b[0], c[2]);
    AddProduct3(sum, sign * a[2], b[0], c[1]);
    AddProduct3(sum, -sign * a[2], b[1], c[0]);
}

// det [a - d, b - d, c - d] = det [a b c] - det [d b c] - det [a d c] - det [a b d]
static int ExactOrient3(const double* a, const double* b, const double* c, const double* d)
{
    Expansion sum;
    sum.count = 0;
    AddDeterminant(&sum, 1.0, a, b, c);
    AddDeterminant(&sum, -1.0, d, b, c);
    AddDeterminant(&sum, -1.0, a, d, c);
    AddDeterminant(&sum, -1.0, a, b, d);
    return Sign(&sum);
}

// p - d, and whether the difference was exact
static int Difference(const double* p, const double* d, double* out)
{
    int exact = 1;
    for (int i = 0; i < 3; ++i)
    {
        double s = p[i] - d[i], back = s - p[i];
        double error = (p[i] - (s - back)) + (-d[i] - back);
        out[i] = s;
        exact &= error == 0.0;
    }
    return exact;
}

int rslOrient3(const double* a, const double* b, const double* c, const double* d)
{
    double u[3], v[3], w[3];
    int exact = Difference(a, d, u) & Difference(b, d, v) & Difference(c, d, w);
    double t[6] = { u[0] * v[1], u[0] * v[2], u[1] * v[2], u[1] * v[0], u[2] * v[0], u[2] * v[1] };
    double det = (t[0] - t[3]) * w[2] + (t[4] - t[1]) * w[1] + (t[2] - t[5]) * w[0];
    double size = (fabs(t[0]) + fabs(t[3])) * fabs(w[2]) + (fabs(t[4]) + fabs(t[1])) * fabs(w[1]) +
                  (fabs(t[2]) + fabs(t[5])) * fabs(w[0]);
    double bound = 8.0 * EPSILON * size;
    if (det > bound)
    {
        return 1;
    }
    if (-det > bound)
    {
        return -1;
    }
    if (bound == 0.0)
    {
        return 0;
    }
    if (exact)
    {
        Expansion sum;
        sum.count = 0;
        AddDeterminant(&sum, 1.0, u, v, w);
        return Sign(&sum);
    }
    return ExactOrient3(a, b, c, d);
}

// ---- in the sphere --------------------------------------------------------------------------------------------------
//
// With p = a - e, q = b - e, r = c - e, s = d - e:
//
//         | p  p.p |
//   det = | q  q.q | = s.s [p q r] - r.r [p q s] + q.q [p r s] - p.p [q r s]
//         | r  r.r |
//         | s  s.s |
//
// in doubles, then in pairs of doubles, which settle nearly all that is left of a turned lattice, then exactly. A
// difference of doubles is exactly a pair: the rounded one and its error.

typedef struct Pair
{
    double high, low;
} Pair;

static Pair TwoSum(double a, double b)
{
    double s = a + b, back = s - a;
    return (Pair){ s, (a - (s - back)) + (b - back) };
}

// to about 2^-103 of |a b|
static Pair PairProduct(Pair a, Pair b)
{
    double low;
    double high = TwoProduct(a.high, b.high, &low);
    return TwoSum(high, low + (a.high * b.low + a.low * b.high));
}

// a + sign b, to about 2^-104 of |a| + |b|
static Pair PairSum(Pair a, double sign, Pair b)
{
    Pair sum = TwoSum(a.high, sign * b.high);
    return TwoSum(sum.high, sum.low + (a.low + sign * b.low));
}

// The rows of the determinant, which of them each minor has, and the sign of its product with the square of the other.
typedef struct Rows
{
    Pair row[4][3];
} Rows;

static const int minors[4][4] = { { 1, 2, 3, 0 }, { 0, 2, 3, 1 }, { 0, 1, 3, 2 }, { 0, 1, 2, 3 } };
static const double minorSigns[4] = { -1.0, 1.0, -1.0, 1.0 };

static double DeterminantOfDoubles(const Rows* rows, double* size)
{
    double det = 0.0;
    *size = 0.0;
    for (int m = 0; m < 4; ++m)
    {
        const Pair *u = rows->row[minors[m][0]], *v = rows->row[minors[m][1]], *w = rows->row[minors[m][2]];
        const Pair* o = rows->row[minors[m][3]];
        double t[6] = { u[0].high * v[1].high, u[0].high * v[2].high, u[1].high * v[2].high,
                        u[1].high * v[0].high, u[2].high * v[0].high, u[2].high * v[1].high };
        double square = o[0].high * o[0].high + o[1].high * o[1].high + o[2].high * o[2].high;
        double minor = (t[0] - t[3]) * w[2].high + (t[4] - t[1]) * w[1].high + (t[2] - t[5]) * w[0].high;
        det += minorSigns[m] * square * minor;
        *size += square * ((fabs(t[0]) + fabs(t[3])) * fabs(w[2].high) + (fabs(t[4]) + fabs(t[1])) * fabs(w[1].high) +
                           (fabs(t[2]) + fabs(t[5])) * fabs(w[0].high));
    }
    return det;
}

static double DeterminantOfPairs(const Rows* rows)
{
    Pair det = { 0.0, 0.0 };
    for (int m = 0; m < 4; ++m)
    {
        const Pair *u = rows->row[minors[m][0]], *v = rows->row[minors[m][1]], *w = rows->row[minors[m][2]];
        const Pair* o = rows->row[minors[m][3]];
        Pair minor = { 0.0, 0.0 }, square = { 0.0, 0.0 };
        for (int x = 0, y = 1, z = 2; x < 3; y = z, z = x++)
        {
            Pair cross = PairSum(PairProduct(u[y], v[z]), -1.0, PairProduct(u[z], v[y]));
            minor = PairSum(minor, 1.0, PairProduct(cross, w[x]));
            square = PairSum(square, 1.0, PairProduct(o[x], o[x]));
        }
        det = PairSum(det, minorSigns[m], PairProduct(square, minor));
    }
    return det.high;
}

// sum += sign a b
static void AddExpansions(Expansion* sum, double sign, const Expansion* a, const Expansion* b)
{
    for (int i = 0; i < a->count; ++i)
    {
        for (int j = 0; j < b->count; ++j)
        {
            AddProduct2(sum, sign * a->part[i], b->part[j]);
        }
    }
}

// sum += a b
static void AddPair(Expansion* sum, const Expansion* a, Pair b)
{
    for (int i = 0; i < a->count; ++i)
    {
        AddProduct2(sum, a->part[i], b.high);
        if (b.low != 0.0)
        {
            AddProduct2(sum, a->part[i], b.low);
        }
    }
}

// sum += sign a b
static void AddPairs(Expansion* sum, double sign, Pair a, Pair b)
{
    AddProduct2(sum, sign * a.high, b.high);
    if (a.low != 0.0 || b.low != 0.0)
    {
        AddProduct2(sum, sign * a.high, b.low);
        AddProduct2(sum, sign * a.low, b.high);
        AddProduct2(sum, sign * a.low, b.low);
    }
}

static int ExactSphere(const Rows* rows)
{
    Expansion det, minor, square, cross;
    det.count = 0;
    for (int m = 0; m < 4; ++m)
    {
        const Pair *u = rows->row[minors[m][0]], *v = rows->row[minors[m][1]], *w = rows->row[minors[m][2]];
        const Pair* o = rows->row[minors[m][3]];
        minor.count = square.count = 0;
        for (int x = 0, y = 1, z = 2; x < 3; y = z, z = x++)
        {
            cross.count = 0;
            AddPairs(&cross, 1.0, u[y], v[z]);
            AddPairs(&cross, -1.0, u[z], v[y]);
            AddPair(&minor, &cross, w[x]);
            AddPairs(&square, 1.0, o[x], o[x]);
        }
        AddExpansions(&det, minorSigns[m], &square, &minor);
    }
    return Sign(&det);
}

int rslInSphere(const double* a, const double* b, const double* c, const double* d, const double* e)
{
    const double* const corners[4] = { a, b, c, d };
    Rows rows;
    for (int i = 0; i < 4; ++i)
    {
        for (int x = 0; x < 3; ++x)
        {
            rows.row[i][x] = TwoSum(corners[i][x], -e[x]);
        }
    }
    double size;
    double det = DeterminantOfDoubles(&rows, &size);
    if (fabs(det) > 20.0 * EPSILON * size)
    {
        return det > 0.0 ? 1 : -1;
    }
    det = DeterminantOfPairs(&rows);
    if (fabs(det) > 0x1p-94 * size)
    {
        return det > 0.0 ? 1 : -1;
    }
    return ExactSphere(&rows);
}
