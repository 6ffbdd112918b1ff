// SPDX-License-Identifier: MIT
//
// elementary.c: see elementary.h.
//
// x = n pi/2 + r, |r| <= pi/4, with pi/2 in three parts (Cody and Waite 1980): the first two have 33 and 33 bits, so
// that n times them is exact for |n| < 2^20. sin r and cos r are Taylor series to r^17 and r^16: at pi/4 the first
// term left out is below 1e-19.

#include "elementary.h"

#include "arc_tangent.h"
#include "log_gap.h"
#include "vec.h"

static double SineSeries(double r)
{
    double s = r * r;
    double p = 1.0 / 355687428096000.0;  // 1/17!
    p = -1.0 / 1307674368000.0 + s * p;
    p = 1.0 / 6227020800.0 + s * p;
    p = -1.0 / 39916800.0 + s * p;
    p = 1.0 / 362880.0 + s * p;
    p = -1.0 / 5040.0 + s * p;
    p = 1.0 / 120.0 + s * p;
    p = -1.0 / 6.0 + s * p;
    return r + r * (s * p);
}

static double CosineSeries(double r)
{
    double s = r * r;
    double p = 1.0 / 20922789888000.0;  // 1/16!
    p = -1.0 / 87178291200.0 + s * p;
    p = 1.0 / 479001600.0 + s * p;
    p = -1.0 / 3628800.0 + s * p;
    p = 1.0 / 40320.0 + s * p;
    p = -1.0 / 720.0 + s * p;
    p = 1.0 / 24.0 + s * p;
    return 1.0 - (0.5 * s - s * (s * p));
}

// Round to the nearest integer for |x| < 2^51, without a library call.
static double Nearest(double x)
{
    const double magic = 6755399441055744.0;  // 1.5 * 2^52
    volatile double shifted = x + magic;      // volatile: the sum must be rounded, not simplified away
    return shifted - magic;
}

// sin of the quadrant n plus r.
static double Quadrant(int n, double r)
{
    switch (n & 3)
    {
        case 0: return SineSeries(r);
        case 1: return CosineSeries(r);
        case 2: return -SineSeries(r);
        default: return -CosineSeries(r);
    }
}

static double SineFrom(double x, int shift)
{
    if (!isfinite(x))
    {
        return NAN;
    }
    if (fabs(x) > 1e9)
    {
        x = fmod(x, 6.283185307179586);  // exact in IEEE arithmetic; the period itself is rounded
    }
    const double head = 1.57079632673412561417e+00;    // 33 bits of pi/2
    const double middle = 6.07710050630396597660e-11;  // the next 33
    const double tail = 2.02226624879595063154e-21;    // the rest
    double n = Nearest(x * 0.63661977236758134308);    // 2/pi
    double r = ((x - n * head) - n * middle) - n * tail;
    return Quadrant((int)((int64_t)n & 3) + shift, r);
}

double rslSin(double x)
{
    return SineFrom(x, 0);
}

double rslCos(double x)
{
    return SineFrom(x, 1);
}

// From a guess within 1/3, t += asin(sin(angle - t)) with two terms of the series: 1/3, 3e-4, then nothing is left.
double rslAngle(double x, double y)
{
    double r = sqrt(x * x + y * y), c = x / r, s = y / r;
    double t = 1.5707963267948966 * (1.0 - c);
    for (int i = 0; i < 3; ++i)
    {
        double e = s * rslCos(t) - c * rslSin(t);
        t += e + e * e * e / 6.0;
    }
    return t;
}

double rslArcTangent(double y, double x)
{
    const rslArc arc = rslArc_Of(y, x);
    double t = rslArc_Tangent(arc), s = t * t, p = 0.0;
    for (int n = RSL_ARC_TERMS - 1; n >= 0; --n)
    {
        p = s * (rslArcTerms[n] - p);
    }
    return rslArc_Angle(arc, y, x, t - t * p);
}

static double SineDegrees(double degrees, int shift)
{
    if (!isfinite(degrees))
    {
        return NAN;
    }
    double turn = fmod(degrees, 360.0);
    double n = Nearest(turn / 90.0);
    double r = (turn - 90.0 * n) * 0.017453292519943295769;
    return Quadrant((int)((int64_t)n & 3) + shift, r);
}

double rslSinDegrees(double degrees)
{
    return SineDegrees(degrees, 0);
}

double rslCosDegrees(double degrees)
{
    return SineDegrees(degrees, 1);
}

rslQuat rslQuatFromTurn(rslVec3 turn)
{
    double angle = rslLength(turn), half = angle > 0.0 ? rslSin(0.5 * angle) / angle : 0.5;
    return (rslQuat){ rslCos(0.5 * angle), half * turn.x, half * turn.y, half * turn.z };
}

rslQuat rslQuatFromDegrees(rslVec3 axis, double degrees)
{
    rslVec3 n = rslNormalize(axis);
    if (degrees == 0.0 || rslDot(n, n) == 0.0)
    {
        return (rslQuat){ 1.0, 0.0, 0.0, 0.0 };
    }
    double s = rslSinDegrees(0.5 * degrees);
    return rslQuatNormalize((rslQuat){ rslCosDegrees(0.5 * degrees), s * n.x, s * n.y, s * n.z });
}

// x = 8^n m with m in [1/8, 1): y -> y - (y^3 - m) / (3 y^2) from 1 falls onto the root.
double rslCubeRoot(double x)
{
    int exponent = 0;
    if (!(x > 0.0) || !isfinite(x))
    {
        return x;
    }
    double m = frexp(x, &exponent);
    for (; exponent % 3 != 0; ++exponent)
    {
        m *= 0.5;
    }
    double y = 1.0;
    for (int i = 0; i < 8; ++i)
    {
        y -= (y * y * y - m) / (3.0 * y * y);
    }
    return ldexp(y, exponent / 3);
}

// x = 2^n m with m in [3/4, 3/2): ln x = n ln 2 + 2 atanh z, z = (m - 1) / (m + 1). Near 1 nothing cancels.
double rslLn(double x)
{
    int n = 0;
    if (!(x > 0.0) || !isfinite(x))
    {
        return x > 0.0 ? x : x == 0.0 ? -INFINITY : NAN;
    }
    double m = frexp(x, &n);
    if (m < 0.75)
    {
        m *= 2.0;
        n -= 1;
    }
    double z = (m - 1.0) / (m + 1.0);
    return n * 0.69314718055994530942 + (2.0 * z + LawLogSeries(z));
}

// x = n ln 2 + f with |f| <= 0.35: e^x = 2^n sum f^k / k!
double rslExp(double x)
{
    x = x > 700.0 ? 700.0 : x < -700.0 ? -700.0 : x;
    double n = floor(x / 0.69314718055994530942 + 0.5), sum = 1.0;
    double f = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10;
    for (int k = 16; k > 0; --k)
    {
        sum = 1.0 + f * sum / k;
    }
    return ldexp(sum, (int)n);
}
