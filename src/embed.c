// SPDX-License-Identifier: MIT
//
// embed.c: weights by moving least squares over the eight nearest nodes.
//
// With d_j = X_j - X and smooth weights s_j > 0 let m = sum s_j d_j / S, S = sum s_j, and C = sum s_j (d_j - m)(d_j - m)^T.
// The linear function that fits values at the nodes best has at X the value sum w_j f_j with
//     w_j = s_j (1 / S - (d_j - m)^T C^+ m)
// Then sum w_j = 1, and sum w_j d_j = m - C C^+ m: zero when the nodes span space, else the part of m across the plane or
// line that they span. C^+ leaves out directions in which the nodes have no extent.
//
// s_j = (1 - |d_j|^2 / R^2)^2 with R^2 = 1.25 times the farthest: near nodes count most, none counts nothing.

#include "embed.h"

#include "vec.h"

enum
{
    WIDER = 32,  // nodes looked at when the eight nearest lie in a plane
};

// a deviation below this part of the largest is no extent
#define FLAT 1e-5

// Symmetric 3x3: eigenvalues and unit eigenvectors (columns of v) by cyclic Jacobi rotations.
static void Eigen(double a[3][3], double v[3][3])
{
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            v[i][j] = i == j;
        }
    }
    static const int pairs[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
    for (int sweep = 0; sweep < 12; ++sweep)
    {
        for (int k = 0; k < 3; ++k)
        {
            int p = pairs[k][0], q = pairs[k][1];
            if (a[p][q] == 0.0)
            {
                continue;
            }
            double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
            double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
            for (int i = 0; i < 3; ++i)
            {
                double x = a[i][p], y = a[i][q];
                a[i][p] = c * x - s * y;
                a[i][q] = s * x + c * y;
            }
            for (int i = 0; i < 3; ++i)
            {
                double x = a[p][i], y = a[q][i];
                a[p][i] = c * x - s * y;
                a[q][i] = s * x + c * y;
                double vx = v[i][p], vy = v[i][q];
                v[i][p] = c * vx - s * vy;
                v[i][q] = s * vx + c * vy;
            }
        }
    }
}

// The nodes around one point, in units of the farthest distance.
typedef struct Cloud
{
    int count;
    double d[RSL_STENCIL_MOST][3];
    double s[RSL_STENCIL_MOST];
    double mean[3];
    double axis[3][3];  // eigenvectors of C in columns
    double inverse[3];  // 1 / eigenvalue, or 0
    double sum;         // S
    int rank;
    int thin;  // the axis of least extent
} Cloud;

static rslVec3 At(const double* x, int i)
{
    return (rslVec3){ x[3 * (size_t)i], x[3 * (size_t)i + 1], x[3 * (size_t)i + 2] };
}

static void Gather(Cloud* cloud, const double* nodes, const int* index, int count, rslVec3 p, double unit)
{
    double farthest = 0.0;
    cloud->count = count;
    for (int j = 0; j < count; ++j)
    {
        rslVec3 d = rslScale(unit, rslSub(At(nodes, index[j]), p));
        cloud->d[j][0] = d.x;
        cloud->d[j][1] = d.y;
        cloud->d[j][2] = d.z;
        double dd = rslDot(d, d);
        farthest = dd > farthest ? dd : farthest;
    }
    cloud->sum = 0.0;
    for (int j = 0; j < count; ++j)
    {
        const double* d = cloud->d[j];
        double fall = farthest > 0.0 ? 1.0 - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (1.25 * farthest) : 1.0;
        cloud->s[j] = fall * fall;
        cloud->sum += cloud->s[j];
    }
}

static void Analyse(Cloud* cloud)
{
    double c[3][3] = { { 0.0 } };
    for (int i = 0; i < 3; ++i)
    {
        double m = 0.0;
        for (int j = 0; j < cloud->count; ++j)
        {
            m += cloud->s[j] * cloud->d[j][i];
        }
        cloud->mean[i] = m / cloud->sum;
    }
    for (int j = 0; j < cloud->count; ++j)
    {
        for (int a = 0; a < 3; ++a)
        {
            for (int b = 0; b < 3; ++b)
            {
                c[a][b] += cloud->s[j] * (cloud->d[j][a] - cloud->mean[a]) * (cloud->d[j][b] - cloud->mean[b]);
            }
        }
    }
    Eigen(c, cloud->axis);
    double most = c[0][0] > c[1][1] ? c[0][0] : c[1][1];
    most = c[2][2] > most ? c[2][2] : most;
    cloud->rank = 0;
    cloud->thin = 0;
    for (int i = 0; i < 3; ++i)
    {
        // an extent is the root of an eigenvalue
        bool extended = c[i][i] > FLAT * FLAT * most && c[i][i] > 1e-28;
        cloud->inverse[i] = extended ? 1.0 / c[i][i] : 0.0;
        cloud->rank += extended;
        cloud->thin = c[i][i] < c[cloud->thin][cloud->thin] ? i : cloud->thin;
    }
}

// w_j -= s_j (d_j - m)^T C^+ r: takes r off sum w_j d_j and leaves sum w_j as it is.
static void Correct(const Cloud* cloud, const double* r, double* weight)
{
    double g[3] = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < 3; ++k)
    {
        double along = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            along += cloud->axis[i][k] * r[i];
        }
        for (int i = 0; i < 3; ++i)
        {
            g[i] += cloud->axis[i][k] * cloud->inverse[k] * along;
        }
    }
    for (int j = 0; j < cloud->count; ++j)
    {
        const double *d = cloud->d[j], *m = cloud->mean;
        weight[j] -= cloud->s[j] * (g[0] * (d[0] - m[0]) + g[1] * (d[1] - m[1]) + g[2] * (d[2] - m[2]));
    }
}

static void Weigh(const Cloud* cloud, double* weight)
{
    for (int j = 0; j < cloud->count; ++j)
    {
        weight[j] = cloud->s[j] / cloud->sum;
    }
    Correct(cloud, cloud->mean, weight);
    // what rounding left of the moments, once more
    double sum = 0.0, r[3] = { 0.0, 0.0, 0.0 };
    for (int j = 0; j < cloud->count; ++j)
    {
        sum += weight[j];
        for (int i = 0; i < 3; ++i)
        {
            r[i] += weight[j] * cloud->d[j][i];
        }
    }
    Correct(cloud, r, weight);
    for (int j = 0; j < cloud->count; ++j)
    {
        weight[j] += cloud->s[j] / cloud->sum * (1.0 - sum);
    }
}

// The eight nearest lie in a plane although the network does not: replace the last by the nearest node well off that
// plane, so that the point turns with the body.
static bool ReplaceLast(const Cloud* cloud, const double* nodes, const int* wider, int count, rslVec3 p, double unit,
                        int* index)
{
    for (int k = RSL_STENCIL_MOST; k < count; ++k)
    {
        rslVec3 d = rslScale(unit, rslSub(At(nodes, wider[k]), p));
        double off = (d.x - cloud->mean[0]) * cloud->axis[0][cloud->thin] +
                     (d.y - cloud->mean[1]) * cloud->axis[1][cloud->thin] +
                     (d.z - cloud->mean[2]) * cloud->axis[2][cloud->thin];
        if (fabs(off) > 0.05)
        {
            index[RSL_STENCIL_MOST - 1] = wider[k];
            return true;
        }
    }
    return false;
}

static void EmbedOne(const rslNearest* nearest, const double* nodes, rslVec3 p, rslStencil* out)
{
    int index[WIDER];
    double squared[WIDER];
    *out = (rslStencil){ 0 };
    int count = rslNearest_Find(nearest, p, RSL_STENCIL_MOST, index, squared);
    double farthest = sqrt(squared[count - 1]);
    if (squared[0] == 0.0)
    {
        *out = (rslStencil){ .count = 1, .node = { index[0] }, .weight = { 1.0 } };
        return;
    }
    Cloud cloud;
    Gather(&cloud, nodes, index, count, p, 1.0 / farthest);
    Analyse(&cloud);
    if (cloud.rank == 2 && count == RSL_STENCIL_MOST)
    {
        int wider[WIDER];
        int more = rslNearest_Find(nearest, p, WIDER, wider, squared);
        if (ReplaceLast(&cloud, nodes, wider, more, p, 1.0 / farthest, index))
        {
            Gather(&cloud, nodes, index, count, p, 1.0 / farthest);
            Analyse(&cloud);
        }
    }
    out->count = count;
    Weigh(&cloud, out->weight);
    for (int j = 0; j < count; ++j)
    {
        out->node[j] = index[j];
    }
}

rslStatus rslEmbed_Points(const rslNearest* nearest, const double* nodes, const double* points, int n, rslStencil* out)
{
    for (int i = 0; i < n; ++i)
    {
        EmbedOne(nearest, nodes, At(points, i), &out[i]);
    }
    return rsl_ok;
}
