// SPDX-License-Identifier: MIT
//
// contact_gap.c: see contact_gap.h.
//
// The nearest point c = sum s_i x_i has the same d for small changes of its s_i, so with r = x_0 - c and n = side r/|r|
//   dd = n.(dx_0 - sum s_i dx_i),   W = 1/2 k (T - d)^2,   force on x_0 = F n, on x_i = -s_i F n,  F = k (T - d).
// Their sum and the sum of their torques vanish, as F n acts along r. The product with K is the change of these forces,
//   K dx = -(dF n + F dn) on x_0,  ds_i F n + s_i (dF n + F dn) on x_i,   dF = -k dd
// with dn and ds_i of the part that the nearest point lies in:
//   face: n along N = e_1 x e_2:  dn = (I - n n^T) dN / |N|;  e_1 ds_2 + e_2 ds_3 = dc - dx_1 - s_2 de_1 - s_3 de_2
//   edge: s = (x_0 - a).e / e.e;  ds = ((dx_0 - da).e + (x_0 - a).de - 2 s e.de) / e.e;  dn = side (dr - n n.dr) / |r|
//   vertex: dr = dx_0 - da, dn as above.

#include "contact_gap.h"

#include "vec.h"

#include <math.h>

// ---- the nearest point ----------------------------------------------------------------------------------------------

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

void rslGap_Turn(rslGap* gap, double side, rslVec3 beside)
{
    double length = sqrt(gap->squared);
    gap->side = side;
    gap->distance = side * length;
    gap->normal = length > 0.0 ? rslScale(side / length, gap->apart) : rslNormalize(beside);
}

// ---- how it changes -------------------------------------------------------------------------------------------------

typedef struct Change
{
    rslVec3 normal;
    double share[3];
} Change;

static rslVec3 Across(rslVec3 n, rslVec3 v)
{
    return rslMulAdd(v, -rslDot(n, v), n);
}

static Change ChangeOnFace(const rslGap* gap, const rslVec3 x[4], const rslVec3 dx[4], double slope)
{
    rslVec3 e1 = rslSub(x[2], x[1]), e2 = rslSub(x[3], x[1]);
    rslVec3 de1 = rslSub(dx[2], dx[1]), de2 = rslSub(dx[3], dx[1]);
    rslVec3 N = rslCross(e1, e2);
    double square = rslDot(N, N), length = sqrt(square);
    double turn = rslDot(N, gap->normal) < 0.0 ? -1.0 : 1.0;
    rslVec3 dN = rslAdd(rslCross(de1, e2), rslCross(e1, de2));
    Change change = { .normal = rslScale(turn / length, Across(gap->normal, dN)) };
    // of the nearest point within the plane
    rslVec3 dc = rslMulAdd(rslMulAdd(dx[0], -slope, gap->normal), -gap->distance, change.normal);
    dc = rslSub(dc, dx[1]);
    dc = rslMulAdd(rslMulAdd(dc, -gap->share[1], de1), -gap->share[2], de2);
    change.share[1] = rslDot(rslCross(dc, e2), N) / square;
    change.share[2] = rslDot(rslCross(e1, dc), N) / square;
    change.share[0] = -(change.share[1] + change.share[2]);
    return change;
}

static Change ChangeOnEdge(const rslGap* gap, const rslVec3 x[4], const rslVec3 dx[4])
{
    int i = gap->corners & 1 ? 1 : 2, j = gap->corners & 4 ? 3 : 2;
    rslVec3 e = rslSub(x[j], x[i]), de = rslSub(dx[j], dx[i]);
    rslVec3 p = rslSub(x[0], x[i]), dp = rslSub(dx[0], dx[i]);
    double s = gap->share[j - 1];
    double ds = (rslDot(dp, e) + rslDot(p, de) - 2.0 * s * rslDot(e, de)) / rslDot(e, e);
    rslVec3 dr = rslMulAdd(rslMulAdd(dp, -ds, e), -s, de);
    Change change = { .normal = rslScale(1.0 / gap->distance, Across(gap->normal, dr)) };
    change.share[j - 1] = ds;
    change.share[i - 1] = -ds;
    return change;
}

static Change ChangeAtVertex(const rslGap* gap, const rslVec3 dx[4])
{
    int i = gap->corners == 1 ? 1 : gap->corners == 2 ? 2 : 3;
    return (Change){ .normal = rslScale(1.0 / gap->distance, Across(gap->normal, rslSub(dx[0], dx[i]))) };
}

void rslGap_Product(const rslGap* gap, const rslVec3 x[4], double stiffness, double thickness, bool convex,
                    const rslVec3 dx[4], rslVec3 out[4])
{
    double slope = rslDot(gap->normal, dx[0]);
    for (int i = 0; i < 3; ++i)
    {
        slope -= gap->share[i] * rslDot(gap->normal, dx[i + 1]);
    }
    Change change = { 0 };
    bool single = (gap->corners & (gap->corners - 1)) == 0;
    if (!convex && gap->corners == 7)
    {
        change = ChangeOnFace(gap, x, dx, slope);
    }
    else if (!convex && gap->distance != 0.0)
    {
        change = single ? ChangeAtVertex(gap, dx) : ChangeOnEdge(gap, x, dx);
    }
    double push = stiffness * (thickness - gap->distance);
    out[0] = rslMulAdd(rslScale(stiffness * slope, gap->normal), -push, change.normal);
    for (int i = 0; i < 3; ++i)
    {
        out[i + 1] = rslMulAdd(rslScale(-gap->share[i], out[0]), push * change.share[i], gap->normal);
    }
}
