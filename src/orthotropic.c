// SPDX-License-Identifier: MIT
//
// orthotropic.c: see orthotropic.h.
//
// Springs a k_i along the edges and a b_ij along the diagonals of faces give, by C_ijkl = 1/(2 a^3) sum of k L^2 n n n n,
//   C_ii = k_i + sum of b_ij over the other axes,   C_ij = G_ij = b_ij         (strain energy of normal and shear strains)
// six free constants: the shear moduli are the diagonals, and C_ij = G_ij ties the Poisson's ratios to them. With
// S = C^-1 of the normal strains, E_i = 1 / S_ii and nu_ij = -S_ij / S_ii (contraction along j by a pull along i).
//
// Given E_i and G_ij, Newton finds C_ii: with S changing by -S dC S,
//   F_i = 1 / S_ii - E_i,   dF_i / dC_jj = (S_ij / S_ii)^2
// All springs positive makes C a sum of squares, so that nothing else can go wrong.

#include "orthotropic.h"

#include "vec.h"

typedef double Three[3][3];

// S = C^-1; false unless C is positive definite.
static bool Invert(const double stretch[3], const double shear[3], Three s)
{
    double x = stretch[0], y = stretch[1], z = stretch[2], f = shear[0], g = shear[1], h = shear[2];  // yz, zx, xy
    double yz = y * z - f * f, zx = z * x - g * g, xy = x * y - h * h;
    double determinant = x * yz - h * (h * z - f * g) + g * (h * f - y * g);
    if (!(x > 0.0 && xy > 0.0 && determinant > 0.0))
    {
        return false;
    }
    s[0][0] = yz / determinant;
    s[1][1] = zx / determinant;
    s[2][2] = xy / determinant;
    s[1][2] = s[2][1] = (g * h - x * f) / determinant;
    s[2][0] = s[0][2] = (h * f - y * g) / determinant;
    s[0][1] = s[1][0] = (f * g - z * h) / determinant;
    return true;
}

// J d = F by Cramer's rule; J has ones on its diagonal.
static bool SolveThree(Three j, const double f[3], double d[3])
{
    rslVec3 a = { j[0][0], j[1][0], j[2][0] }, b = { j[0][1], j[1][1], j[2][1] }, c = { j[0][2], j[1][2], j[2][2] };
    rslVec3 r = { f[0], f[1], f[2] };
    double determinant = rslDot(a, rslCross(b, c));
    d[0] = rslDot(r, rslCross(b, c)) / determinant;
    d[1] = rslDot(a, rslCross(r, c)) / determinant;
    d[2] = rslDot(a, rslCross(b, r)) / determinant;
    return determinant != 0.0;
}

// One step of Newton, halved until C stays positive definite. Returns the largest change, relative; negative: none possible.
static double Improve(const double young[3], const double shear[3], double stretch[3])
{
    Three s, j;
    double f[3], d[3], next[3], largest = 0.0, scale = 1.0;
    if (!Invert(stretch, shear, s))
    {
        return -1.0;
    }
    for (int i = 0; i < 3; ++i)
    {
        f[i] = 1.0 / s[i][i] - young[i];
        for (int k = 0; k < 3; ++k)
        {
            j[i][k] = (s[i][k] / s[i][i]) * (s[i][k] / s[i][i]);
        }
    }
    if (!SolveThree(j, f, d))
    {
        return -1.0;
    }
    for (int halving = 0; halving < 60; ++halving, scale *= 0.5)
    {
        for (int i = 0; i < 3; ++i)
        {
            next[i] = stretch[i] - scale * d[i];
        }
        if (Invert(next, shear, s))
        {
            break;
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        double change = fabs(next[i] - stretch[i]) / fabs(stretch[i]);
        largest = change > largest ? change : largest;
        stretch[i] = next[i];
    }
    return largest;
}

static void Measure(rslOrthotropic* out, Three s)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        int next = (i + 1) % 3;
        out->moduli.young[i] = 1.0 / s[i][i];
        out->moduli.poisson[i] = -s[i][next] / s[i][i];
        out->moduli.poisson[3 + i] = -s[next][i] / s[next][next];
        sum += s[i][0] + s[i][1] + s[i][2];
    }
    out->bulk = 1.0 / sum;
}

// The diagonal of C, and its inverse.
static bool Find(const double young[3], const double shear[3], double stretch[3], Three s)
{
    for (int i = 0; i < 3; ++i)
    {
        stretch[i] = young[i] + shear[(i + 1) % 3] + shear[(i + 2) % 3];  // dominant, so positive definite
    }
    double change = 1.0;
    for (int step = 0; step < 200 && change > 1e-15; ++step)
    {
        change = Improve(young, shear, stretch);
    }
    return change >= 0.0 && change < 1e-9 && Invert(stretch, shear, s);
}

static double Edge(const double stretch[3], const double shear[3], int axis)
{
    return stretch[axis] - shear[(axis + 1) % 3] - shear[(axis + 2) % 3];
}

// By bisection: a Young's modulus of C_ii and more, with the others as they are, is always enough.
static double Least(const double young[3], const double shear[3], int axis)
{
    double trial[3] = { young[0], young[1], young[2] }, stretch[3], low = 0.0;
    double high = young[axis] + shear[(axis + 1) % 3] + shear[(axis + 2) % 3];
    Three s;
    for (int step = 0; step < 50; ++step)
    {
        trial[axis] = 0.5 * (low + high);
        bool enough = Find(trial, shear, stretch, s) && Edge(stretch, shear, axis) > 0.0;
        high = enough ? trial[axis] : high;
        low = enough ? low : trial[axis];
    }
    return high;
}

bool rslOrthotropic_Solve(const rslOrthotropicDef* def, rslOrthotropic* out)
{
    const double young[3] = { def->young.x, def->young.y, def->young.z };
    const double shear[3] = { def->shear.x, def->shear.y, def->shear.z };
    Three s;
    *out = (rslOrthotropic){ .soft = -1, .moduli.given = true };
    bool found = Find(young, shear, out->stretch, s);
    if (found)
    {
        Measure(out, s);
    }
    for (int i = 0; i < 3; ++i)
    {
        out->face[i] = out->moduli.shear[i] = shear[i];
        out->edge[i] = Edge(out->stretch, shear, i);
        if (found && !(out->edge[i] > 0.0) && out->soft < 0)
        {
            out->soft = i;
            out->least = Least(young, shear, i);
        }
    }
    return found && out->soft < 0;
}
