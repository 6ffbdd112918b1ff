// SPDX-License-Identifier: MIT
//
// contact_gap.c: see contact_gap.h.

#include "contact_gap.h"

#include "vec.h"

#include <math.h>

static void TryEdge(const rslVec3 x[4], int i, int j, rslGap* best)
{
    rslVec3 e = rslSub(x[j], x[i]), p = rslSub(x[0], x[i]);
    double square = rslDot(e, e), along = rslDot(p, e);
    double s = along <= 0.0 ? 0.0 : along >= square ? 1.0 : along / square;
    rslVec3 apart = s == 1.0 ? rslSub(x[0], x[j]) : rslMulAdd(p, -s, e);
    double squared = rslDot(apart, apart);
    if (squared < best->squared)
    {
        *best = (rslGap){ .apart = apart, .squared = squared };
        best->share[i - 1] = 1.0 - s;
        best->share[j - 1] = s;
        best->corners = (s < 1.0 ? 1 << (i - 1) : 0) | (s > 0.0 ? 1 << (j - 1) : 0);
    }
}

rslGap rslGap_FindBorder(const rslVec3 x[4])
{
    rslGap best = { .squared = INFINITY };
    TryEdge(x, 1, 2, &best);
    TryEdge(x, 2, 3, &best);
    TryEdge(x, 3, 1, &best);
    return best;
}

rslGap rslGap_Find(const rslVec3 x[4])
{
    rslVec3 e1 = rslSub(x[2], x[1]), e2 = rslSub(x[3], x[1]), p = rslSub(x[0], x[1]);
    rslVec3 n = rslCross(e1, e2);
    double square = rslDot(n, n);
    double s3 = rslDot(rslCross(e1, p), n), s2 = rslDot(rslCross(p, e2), n);
    if (square > 0.0 && s2 > 0.0 && s3 > 0.0 && s2 + s3 < square)
    {
        rslGap face = { .corners = 7, .share = { 1.0 - (s2 + s3) / square, s2 / square, s3 / square } };
        face.apart = rslScale(rslDot(n, p) / square, n);
        face.squared = rslDot(face.apart, face.apart);
        return face;
    }
    return rslGap_FindBorder(x);
}

// By the parts of the plane in which a corner, an edge or the inside is nearest (Ericson 2005, 5.1.5).
double rslGap_Squared(const rslVec3 x[4])
{
    rslVec3 e = rslSub(x[2], x[1]), f = rslSub(x[3], x[1]), p = rslSub(x[0], x[1]), q = rslSub(x[0], x[2]);
    rslVec3 r = rslSub(x[0], x[3]);
    double d1 = rslDot(e, p), d2 = rslDot(f, p), d3 = rslDot(e, q), d4 = rslDot(f, q), d5 = rslDot(e, r),
           d6 = rslDot(f, r);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    double s = 0.0, t = 0.0;  // nearest is x1 + s e + t f
    if (d1 <= 0.0 && d2 <= 0.0)
    {
        return rslDot(p, p);
    }
    if (d3 >= 0.0 && d4 <= d3)
    {
        return rslDot(q, q);
    }
    if (d6 >= 0.0 && d5 <= d6)
    {
        return rslDot(r, r);
    }
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
    {
        s = d1 / (d1 - d3);
    }
    else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
    {
        t = d2 / (d2 - d6);
    }
    else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
    {
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        s = 1.0 - t;
    }
    else
    {
        double sum = va + vb + vc;
        if (!(sum > 1e-7 * rslDot(e, e) * rslDot(f, f)))
        {
            return rslGap_Find(x).squared;  // a sliver: shares would be rounding
        }
        s = vb / sum;
        t = vc / sum;
    }
    rslVec3 apart = rslMulAdd(rslMulAdd(p, -s, e), -t, f);
    return rslDot(apart, apart);
}
