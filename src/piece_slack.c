// SPDX-License-Identifier: MIT
//
// piece_slack.c: see piece_slack.h.

#include "piece_slack.h"

#include "vec.h"

static double Larger(double a, double b)
{
    return a > b ? a : b;
}

static rslPieceSlack TetrahedronSlack(const rslVec3* x, double level, const double* height)
{
    rslVec3 a = rslSub(x[1], x[0]), b = rslSub(x[2], x[0]), c = rslSub(x[3], x[0]);
    rslVec3 ab = rslSub(b, a), bc = rslSub(c, b), ca = rslSub(a, c);
    rslVec3 p = rslCross(b, c), q = rslCross(c, a), n = rslCross(a, b), o = rslAdd(rslAdd(p, q), n);
    const double face[4] = { rslLength(o), rslLength(p), rslLength(q), rslLength(n) };
    double six = rslDot(a, p), sum = face[0] + face[1] + face[2] + face[3];
    double longest = Larger(Larger(rslDot(a, a), rslDot(b, b)), rslDot(c, c));
    longest = sqrt(Larger(Larger(Larger(longest, rslDot(ab, ab)), rslDot(bc, bc)), rslDot(ca, ca)));
    rslPieceSlack slack = { rslReach(six - level, sum, 12.0 * longest, 8.0), INFINITY };
    double room = INFINITY, most = 0.0;
    for (int i = 0; height != NULL && i < 4; ++i)
    {
        double least = rslNearPart * height[i], own = six - least * face[i];
        room = own >= room ? room : own;
        most = Larger(most, least);
    }
    if (height != NULL)
    {
        slack.height = rslReach(room, sum + 4.0 * most * longest, 12.0 * longest + 4.0 * most, 8.0);
    }
    return slack;
}

static rslPieceSlack TriangleSlack(const rslVec3* x, double level, const double* height, bool flat)
{
    rslVec3 a = rslSub(x[1], x[0]), b = rslSub(x[2], x[0]), c = rslSub(b, a), n = rslCross(a, b);
    const double edge[3] = { rslLength(c), rslLength(b), rslLength(a) };
    double two = flat ? n.z : rslLength(n), longest = Larger(Larger(edge[0], edge[1]), edge[2]);
    rslPieceSlack slack = { rslReach(two - level, 4.0 * longest, 4.0, 0.0), INFINITY };
    for (int i = 0; height != NULL && i < 3; ++i)
    {
        double least = rslNearPart * height[i];
        double reach = rslReach(two - least * edge[i], 4.0 * longest + 2.0 * least, 4.0, 0.0);
        slack.height = reach >= slack.height ? slack.height : reach;
    }
    return slack;
}

rslPieceSlack rslPiece_Slack(rslPieceKind kind, const rslVec3* x, double level, const double* height)
{
    return kind == rsl_tetrahedron ? TetrahedronSlack(x, level, height)
                                   : TriangleSlack(x, level, height, kind == rsl_planeTriangle);
}

// ---- edges alone ----------------------------------------------------------------------------------------------------

// s: the largest Frobenius norm of C - 1 over all q_ij = +-1, which is not less than the largest spectral one. Half of the signs
// do; each differs from the one before in one sign (Gray's code).
static double LargestNorm(int edges, double (*part)[6])
{
    double sum[6] = { 0 }, largest = 0.0;
    int signs[6] = { 1, 1, 1, 1, 1, 1 };
    for (int e = 0; e < edges; ++e)
    {
        for (int c = 0; c < 6; ++c)
        {
            sum[c] += part[e][c];
        }
    }
    for (int n = 1; n <= 1 << (edges - 1); ++n)
    {
        double norm2 = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] +
                       2.0 * (sum[3] * sum[3] + sum[4] * sum[4] + sum[5] * sum[5]);
        largest = norm2 > largest ? norm2 : largest;
        int flipped = 0;
        while ((n >> flipped & 1) == 0)
        {
            flipped += 1;
        }
        signs[flipped] = -signs[flipped];
        for (int c = 0; c < 6; ++c)
        {
            sum[c] += 2.0 * signs[flipped] * part[flipped][c];
        }
    }
    return sqrt(largest);
}

double rslPiece_Limit(rslPieceKind kind, const rslVec3* x)
{
    int corners = rslPiece_Corners(kind), edges = 0;
    rslVec3 g[RSL_PIECE_NODES];
    double part[6][6];
    for (int v = 0; v < corners; ++v)
    {
        rslHeight height;
        rslPiece_Height(kind, x, v, &height);
        g[v] = rslScale(1.0 / height.h, height.normal);
    }
    for (int i = 0; i < corners; ++i)
    {
        for (int j = i + 1; j < corners; ++j, ++edges)
        {
            rslVec3 d = rslSub(x[j], x[i]), a = g[i], b = rslScale(rslDot(d, d), g[j]);
            double* p = part[edges];
            p[0] = a.x * b.x;
            p[1] = a.y * b.y;
            p[2] = a.z * b.z;
            p[3] = 0.5 * (a.x * b.y + a.y * b.x);
            p[4] = 0.5 * (a.x * b.z + a.z * b.x);
            p[5] = 0.5 * (a.y * b.z + a.z * b.y);
        }
    }
    double limit = 0.62 / LargestNorm(edges, part) * (1.0 - 1e-3) - 1e-4;
    return limit > 0.0 ? limit : 0.0;  // of a sliver 0: it is always looked at
}
