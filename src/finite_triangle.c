// SPDX-License-Identifier: MIT
//
// finite_triangle.c: the linear triangle in plane stress.
//
// Displacements are linear, so strain is uniform: with b_i = y_j - y_k and c_i = x_k - x_j, (i, j, k) in turn, and twice the
// signed area 2 A = b_0 c_1 - b_1 c_0,
//
//     e_xx = sum b_i u_i / 2A,  e_yy = sum c_i v_i / 2A,  2 e_xy = sum (c_i u_i + b_i v_i) / 2A        e = B u
//     s_xx = D (e_xx + nu e_yy),  s_yy = D (e_yy + nu e_xx),  s_xy = D (1 - nu)/2 2 e_xy,  D = E / (1 - nu^2)
//     W = h |A| / 2 e . s,  so  K = h |A| B^T D B
//
// Lloyd, Szekely, Harders 2008 compare their springs with it: equal for equilateral triangles at nu = 1/3.

#include "resilin/element.h"

#include <math.h>

double rslFiniteTriangle_Stiffness(const double corners[6], double young, double poisson, double thickness,
                                   double stiffness[6][6])
{
    double strain[3][6] = { { 0 } };  // 2A B
    for (int i = 0; i < 3; ++i)
    {
        const double* next = corners + 2 * ((i + 1) % 3);
        const double* last = corners + 2 * ((i + 2) % 3);
        double b = next[1] - last[1], c = last[0] - next[0];
        strain[0][2 * i] = strain[2][2 * i + 1] = b;
        strain[1][2 * i + 1] = strain[2][2 * i] = c;
    }
    double twice = fabs(strain[0][0] * strain[1][3] - strain[0][2] * strain[1][1]);
    double modulus = young / (1.0 - poisson * poisson), shear = modulus * 0.5 * (1.0 - poisson);
    double factor = twice > 0.0 ? 0.5 * thickness / twice : 0.0;  // h |A| / (2A)^2
    for (int i = 0; i < 6; ++i)
    {
        double xx = strain[0][i], yy = strain[1][i];
        double stress[3] = { modulus * (xx + poisson * yy), modulus * (yy + poisson * xx), shear * strain[2][i] };
        for (int j = 0; j < 6; ++j)
        {
            stiffness[i][j] = factor * (stress[0] * strain[0][j] + stress[1] * strain[1][j] + stress[2] * strain[2][j]);
        }
    }
    return 0.5 * twice;
}
