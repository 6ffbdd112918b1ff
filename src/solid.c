// SPDX-License-Identifier: MIT
//
// solid.c: see solid.h.
//
// With the corners x_c and the trilinear shape functions N_c on the cube, r = (xi, eta, zeta):
//   J = dx/dr = sum x_c dN_c/dr,   grad N_c = J^-T dN_c/dr,   dV = det J dr, by 2 x 2 x 2 points of Gauss
// Displacements of the corners are u_c = a + A x_c + sum_p m_p s_pc, s_p the signs of yz, zx, xy, xyz. Their field is a + A x +
// sum m_p h_p(r), h_p = eta zeta ..., because the map is made of the same functions. At r = 0 no h_p has a gradient, so
//   m_p = 1/8 sum_c (s_pc - sum_i (sum_d s_pd x_di) grad_i N_c(0)) u_c
//   grad u = mean + sum_p m_p d_p,   d_p = grad h_p - mean of grad h_p
// and the energy of small displacements is  V/2 e.C e of the mean strain plus 1/2 m.K m, with K the integral over the points.
//
// Wilson's modes 1 - xi^2 ... have gradients (det J0 / det J) J0^-T d(1 - xi^2)/dr, J0 at r = 0 (Taylor, Beresford, Wilson 1976):
// their integral over the points is zero whatever the shape, so no uniform stress does work on them and the patch test is
// passed. They meet m alone, and are condensed: K = K_mm - K_ma K_aa^-1 K_am.

#include "solid.h"

#include "least.h"

#include <math.h>
#include <string.h>

enum
{
    MODES = RSL_SOLID_MODES,
    BUBBLES = 9
};

static double Sign(int corner, int axis)
{
    return corner >> axis & 1 ? 1.0 : -1.0;
}

static void ShapeSlopes(const double r[3], double slope[8][3])
{
    for (int c = 0; c < 8; ++c)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            int j = (axis + 1) % 3, k = (axis + 2) % 3;
            slope[c][axis] = 0.125 * Sign(c, axis) * (1.0 + Sign(c, j) * r[j]) * (1.0 + Sign(c, k) * r[k]);
        }
    }
}

// J^-T by rows, and det J.
static double Jacobian(double (*x)[3], double (*slope)[3], double inverse[3][3])
{
    double j[3][3] = { { 0 } };
    for (int c = 0; c < 72; ++c)
    {
        j[c / 3 % 3][c % 3] += x[c / 9][c / 3 % 3] * slope[c / 9][c % 3];
    }
    for (int r = 0; r < 3; ++r)
    {
        for (int c = 0; c < 3; ++c)
        {
            int p = (r + 1) % 3, q = (r + 2) % 3, s = (c + 1) % 3, t = (c + 2) % 3;
            inverse[r][c] = j[p][s] * j[q][t] - j[p][t] * j[q][s];
        }
    }
    double det = j[0][0] * inverse[0][0] + j[0][1] * inverse[0][1] + j[0][2] * inverse[0][2];
    for (int c = 0; c < 9 && det != 0.0; ++c)
    {
        inverse[c / 3][c % 3] /= det;
    }
    return det;
}

static void Push(double (*inverse)[3], const double from[3], double to[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        to[axis] = inverse[axis][0] * from[0] + inverse[axis][1] * from[1] + inverse[axis][2] * from[2];
    }
}

static double LongestEdge(double (*x)[3])
{
    double longest = 0.0;
    for (int e = 0; e < 24; ++e)
    {
        int a = e / 3, b = a | 1 << e % 3;
        double dx = x[b][0] - x[a][0], dy = x[b][1] - x[a][1], dz = x[b][2] - x[a][2];
        double length = sqrt(dx * dx + dy * dy + dz * dz);
        longest = length > longest ? length : longest;
    }
    return longest;
}

// Gradients of eta zeta, zeta xi, xi eta, xi eta zeta on the cube.
static void PatternSlopes(const double r[3], double slope[RSL_PATTERNS][3])
{
    for (int p = 0; p < 3; ++p)
    {
        int j = (p + 1) % 3, k = (p + 2) % 3;
        slope[p][p] = 0.0;
        slope[p][j] = r[k];
        slope[p][k] = r[j];
        slope[3][p] = r[j] * r[k];
    }
}

static void FindPatterns(double (*x)[3], double (*centre)[3], rslSolid* h)
{
    for (int p = 0; p < RSL_PATTERNS; ++p)
    {
        double along[3] = { 0.0, 0.0, 0.0 }, sign[8];
        for (int c = 0; c < 8; ++c)
        {
            double all = Sign(c, 0) * Sign(c, 1) * Sign(c, 2);
            sign[c] = p < 3 ? all * Sign(c, p) : all;
            for (int axis = 0; axis < 3; ++axis)
            {
                along[axis] += sign[c] * x[c][axis];
            }
        }
        for (int c = 0; c < 8; ++c)
        {
            const double* g = centre[c];
            h->pattern[p][c] = 0.125 * (sign[c] - (along[0] * g[0] + along[1] * g[1] + along[2] * g[2]));
        }
    }
}

static void AddPoint(double (*x)[3], double (*atCentre)[3], double centre, int point, rslSolid* h)
{
    const double s = 0.57735026918962576451;
    const double r[3] = { s * Sign(point, 0), s * Sign(point, 1), s * Sign(point, 2) };
    double slope[8][3], patterns[RSL_PATTERNS][3], inverse[3][3], g[3];
    ShapeSlopes(r, slope);
    double det = Jacobian(x, slope, inverse);
    h->weight[point] = det;
    h->volume += det;
    h->least = det < h->least ? det : h->least;
    for (int c = 0; c < 8; ++c)
    {
        Push(inverse, slope[c], g);
        double n = 0.125;
        for (int axis = 0; axis < 3; ++axis)
        {
            h->gradient[c][axis] += det * g[axis];
            n *= 1.0 + Sign(c, axis) * r[axis];
        }
        h->share[c] += det * n;
    }
    PatternSlopes(r, patterns);
    for (int p = 0; p < RSL_PATTERNS; ++p)
    {
        Push(inverse, patterns[p], h->slope[point][p]);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        double from[3] = { 0.0, 0.0, 0.0 };
        from[axis] = -2.0 * r[axis] * centre / det;
        Push(atCentre, from, h->bubble[point][axis]);
    }
}

// The integrals become means, and the slopes lose theirs.
static void TakeMeans(rslSolid* h)
{
    for (int c = 0; c < 24; ++c)
    {
        h->gradient[c / 3][c % 3] /= h->volume;
    }
    for (int p = 0; p < RSL_PATTERNS; ++p)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            double mean = 0.0;
            for (int point = 0; point < 8; ++point)
            {
                mean += h->weight[point] * h->slope[point][p][axis];
            }
            mean /= h->volume;
            for (int point = 0; point < 8; ++point)
            {
                h->slope[point][p][axis] -= mean;
            }
        }
    }
}

bool rslSolid_Make(double (*x)[3], rslSolid* h)
{
    double slope[8][3], inverse[3][3], centre[8][3], longest = LongestEdge(x);
    memset(h, 0, sizeof *h);
    h->least = longest * longest * longest;
    for (int c = 0; c < 8; ++c)
    {
        const double r[3] = { Sign(c, 0), Sign(c, 1), Sign(c, 2) };
        ShapeSlopes(r, slope);
        double det = Jacobian(x, slope, inverse);
        h->least = det < h->least ? det : h->least;
    }
    ShapeSlopes((const double[3]){ 0.0, 0.0, 0.0 }, slope);
    double det = Jacobian(x, slope, inverse), unit = 0.125 * longest * longest * longest;
    for (int c = 0; c < 8; ++c)
    {
        Push(inverse, slope[c], centre[c]);
    }
    for (int point = 0; point < 8 && h->least > 0.0; ++point)
    {
        AddPoint(x, inverse, det, point, h);
    }
    h->least = unit > 0.0 ? h->least / unit : 0.0;
    if (!(h->least > 0.0) || !isfinite(h->volume))
    {
        h->least = h->least > 0.0 ? 0.0 : h->least;
        return false;
    }
    FindPatterns(x, centre, h);
    TakeMeans(h);
    return true;
}

// ---- stiffness --------------------------------------------------------------------------------------------------------

// C between two displacements along axes i and j with the gradients g and h.
static double Hooke(double lambda, double mu, int i, int j, const double g[3], const double h[3])
{
    double dot = g[0] * h[0] + g[1] * h[1] + g[2] * h[2];
    return lambda * g[i] * h[j] + mu * g[j] * h[i] + (i == j ? mu * dot : 0.0);
}

// The last BUBBLES unknowns are eliminated one after the other: K_aa is positive.
static void Condense(double k[MODES + BUBBLES][MODES + BUBBLES])
{
    for (int m = MODES + BUBBLES - 1; m >= MODES; --m)
    {
        for (int r = 0; r < m; ++r)
        {
            double factor = k[r][m] / k[m][m];
            for (int c = 0; c < m; ++c)
            {
                k[r][c] -= factor * k[m][c];
            }
        }
    }
}

void rslSolid_Stiffness(const rslSolid* h, double lambda, double mu, bool incompatible, double k[MODES][MODES],
                        double* floor)
{
    double all[MODES + BUBBLES][MODES + BUBBLES];
    for (int r = 0; r < MODES + BUBBLES; ++r)
    {
        for (int c = 0; c < MODES + BUBBLES; ++c)
        {
            all[r][c] = 0.0;
            for (int point = 0; point < 8; ++point)
            {
                const double* p = r < MODES ? h->slope[point][r / 3] : h->bubble[point][r / 3 - RSL_PATTERNS];
                const double* q = c < MODES ? h->slope[point][c / 3] : h->bubble[point][c / 3 - RSL_PATTERNS];
                all[r][c] += h->weight[point] * Hooke(lambda, mu, r % 3, c % 3, p, q);
            }
        }
    }
    if (incompatible)
    {
        Condense(all);
    }
    for (int r = 0; r < MODES; ++r)
    {
        for (int c = 0; c < MODES; ++c)
        {
            k[r][c] = 0.5 * (all[r][c] + all[c][r]);
        }
    }
    *floor = LeastOf(k);
}
