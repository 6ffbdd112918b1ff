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
