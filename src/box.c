// SPDX-License-Identifier: MIT
//
// box.c: see box.h. Under a uniform strain e the springs of a box of edges h, V = hx hy hz, have the energy density
//
//   edges            1/2 sum s_i e_i^2,                       s_i = 4 k_i h_i^2 / V
//   body diagonals   1/2 sum S_ij (e_i e_j + 2 e_ij^2, i < j) + 1/2 sum S_ii e_i^2,  S_ij = 4 k h_i^2 h_j^2 / (V sum h^2)
//   face diagonals   the same for each pair i < j,            S_ij = 4 k_ij h_i^2 h_j^2 / (V (h_i^2 + h_j^2)),
//                    S_ii = sum over j of S_ij h_i^2 / h_j^2
//
// Shear needs S_ij = mu, i < j. One k of body diagonals has that on a cube only; on a box, k = mu sum h^2 / (4 V^(1/3)) makes
// the geometric mean of the three right, and S_ij = mu h_i^2 h_j^2 / V^(4/3). Face diagonals have three constants for them.
// The rest is left to M, with 1/2 M_ij e_i e_j in the mean strains e_i of the four edges along i:
//
//   M_ij = lambda - S_ij,   M_ii = lambda + 2 mu - S_ii - s_i
//
// so that E and nu along the axes are exact. Baudet's own choice is M_ii = 0, s_i = lambda + 2 mu - S_ii; on a cube with body
// diagonals s = lambda + mu and M_ij = lambda - mu. Any s >= 0 has the same moduli: e is the mean of four edges, and what an
// edge has beside it costs 1/8 s_i V (dL / h - e)^2, which a uniform strain does not have. By symmetry under the three
// reflections nothing else meets e, so the box is stable exactly when s_i >= 0.

#include "box.h"

#include "elementary.h"

#include <math.h>

rslBox rslBox_Make(const double h[3], double lambda, double mu, double modulus, bool faces)
{
    double volume = h[0] * h[1] * h[2], squares = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
    double mean = rslCubeRoot(volume), own[3] = { 0.0, 0.0, 0.0 };
    rslBox box;
    for (int n = 0; n < 3; ++n)
    {
        int i = (n + 1) % 3, j = (n + 2) % 3;
        double ii = h[i] * h[i], jj = h[j] * h[j], shear = faces ? mu : mu * (ii / mean) * (jj / mean) / (mean * mean);
        box.diagonal[n] = faces ? mu * volume * (ii + jj) / (4.0 * ii * jj) : mu * squares / (4.0 * mean);
        box.shear[n] = shear / mu;
        box.couple[3 + n] = lambda - shear;
        if (faces)
        {
            own[i] += mu * ii / jj;
            own[j] += mu * jj / ii;
        }
        else
        {
            double nn = h[n] * h[n];
            own[n] = mu * (nn / mean) * (nn / mean) / (mean * mean);
        }
    }
    for (int n = 0; n < 3; ++n)
    {
        double whole = lambda + 2.0 * mu - own[n];
        box.modulus[n] = isnan(modulus) ? whole : modulus;
        box.couple[n] = whole - box.modulus[n];
        box.edge[n] = box.modulus[n] * volume / (4.0 * h[n] * h[n]);
    }
    return box;
}
