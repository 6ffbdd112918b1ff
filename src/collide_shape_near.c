// SPDX-License-Identifier: MIT
//
// collide_shape_near.c: segments and triangles near each other.

#include "collide_solid.h"

#include "contact_gap.h"

static double Clamp(double t)
{
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

// Least |r + s d - t e|^2, r = a0 - b0: s from the lines, t from s, and s from t again where t had to be cut off.
double rslSegments_Nearest(rslVec3 a0, rslVec3 a1, rslVec3 b0, rslVec3 b1, double* s, double* t)
{
    rslVec3 d = rslSub(a1, a0), e = rslSub(b1, b0), r = rslSub(a0, b0);
    double dd = rslDot(d, d), ee = rslDot(e, e), de = rslDot(d, e), dr = rslDot(d, r), er = rslDot(e, r);
    double both = dd * ee - de * de;
    *s = both > 0.0 ? Clamp((de * er - dr * ee) / both) : 0.0;
    *t = ee > 0.0 ? (de * *s + er) / ee : 0.0;
    if (*t < 0.0 || *t > 1.0)
    {
        *t = Clamp(*t);
        *s = dd > 0.0 ? Clamp((de * *t - dr) / dd) : 0.0;
    }
    rslVec3 apart = rslMulAdd(rslMulAdd(r, *s, d), -*t, e);
    return rslDot(apart, apart);
}

bool rslTriangle_Over(const rslVec3 x[3], rslVec3 p, double weights[3])
{
    rslVec3 e1 = rslSub(x[1], x[0]), e2 = rslSub(x[2], x[0]), r = rslSub(p, x[0]);
    rslVec3 n = rslCross(e1, e2);
    double square = rslDot(n, n);
    weights[1] = rslDot(rslCross(r, e2), n) / square;
    weights[2] = rslDot(rslCross(e1, r), n) / square;
    weights[0] = 1.0 - (weights[1] + weights[2]);
    return weights[0] > 0.0 && weights[1] > 0.0 && weights[2] > 0.0;
}

rslVec3 rslCorners_Nearest(int count, const rslVec3* q, rslVec3 p)
{
    return rslSub(p, rslGap_Find((rslVec3[4]){ p, q[0], q[count - 2], q[count - 1] }).apart);
}

void rslCorners_Shares(int count, const rslVec3* q, rslVec3 near, double weights[3])
{
    weights[0] = 1.0;
    weights[1] = weights[2] = 0.0;
    if (count == 2)
    {
        rslVec3 e = rslSub(q[1], q[0]);
        double ee = rslDot(e, e);
        weights[1] = ee > 0.0 ? Clamp(rslDot(rslSub(near, q[0]), e) / ee) : 0.0;
        weights[0] = 1.0 - weights[1];
    }
    else if (count == 3)
    {
        rslGap gap = rslGap_Find((rslVec3[4]){ near, q[0], q[1], q[2] });
        for (int i = 0; i < 3; ++i)
        {
            weights[i] = gap.share[i];
        }
    }
}

// Whether a segment goes through a triangle.
static bool Pierces(const rslVec3 x[3], rslVec3 a, rslVec3 b)
{
    rslVec3 n = rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0]));
    double from = rslDot(n, rslSub(a, x[0])), to = rslDot(n, rslSub(b, x[0])), weights[3];
    return (from > 0.0) != (to > 0.0) && rslTriangle_Over(x, rslAlong(a, b, from / (from - to)), weights);
}

static void TryApart(rslVec3 near, rslVec3 apart, rslApart* best)
{
    double distance = rslLength(apart);
    if (distance < best->distance)
    {
        *best = (rslApart){ distance, near, rslNormalize(apart) };
    }
}

rslApart rslTriangle_Apart(const void* triangle, int count, const rslVec3* q)
{
    const rslVec3* x = triangle;
    rslApart best = { .distance = INFINITY };
    double s, t;
    for (int i = 0; i < count; ++i)
    {
        TryApart(q[i], rslGap_Find((rslVec3[4]){ q[i], x[0], x[1], x[2] }).apart, &best);
    }
    for (int i = 0; count == 3 && i < 3; ++i)
    {
        rslVec3 apart = rslScale(-1.0, rslGap_Find((rslVec3[4]){ x[i], q[0], q[1], q[2] }).apart);
        TryApart(rslAdd(x[i], apart), apart, &best);
        best.distance = Pierces(q, x[i], x[(i + 1) % 3]) ? 0.0 : best.distance;
    }
    for (int i = 0; i < (count == 3 ? 3 : count - 1); ++i)
    {
        rslVec3 a = q[i], b = q[(i + 1) % count];
        for (int k = 0; k < 3; ++k)
        {
            rslVec3 c = x[k], d = x[(k + 1) % 3];
            (void)rslSegments_Nearest(a, b, c, d, &s, &t);
            TryApart(rslAlong(a, b, s), rslSub(rslAlong(a, b, s), rslAlong(c, d, t)), &best);
        }
        best.distance = Pierces(x, a, b) ? 0.0 : best.distance;
    }
    return best;
}
