// SPDX-License-Identifier: MIT
//
// symmetric.c: see symmetric.h. A rotation in the plane (p, q) with t = tan: t^2 + 2 b t - 1 = 0, b = (a_qq - a_pp) / 2 a_pq,
// the smaller root, makes a_pq vanish. Ten sweeps over all planes are more than six rows ever need.

#include "symmetric.h"

#include <math.h>

static void Rotate(double a[RSL_SMALL][RSL_SMALL], double v[RSL_SMALL][RSL_SMALL], int size, int p, int q)
{
    double b = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (b >= 0.0 ? 1.0 : -1.0) / (fabs(b) + sqrt(b * b + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < size; ++k)
    {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < size; ++k)
    {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        x = v[k][p];
        y = v[k][q];
        v[k][p] = c * x - s * y;
        v[k][q] = s * x + c * y;
    }
}

void rslSymmetric_Solve(double a[RSL_SMALL][RSL_SMALL], double v[RSL_SMALL][RSL_SMALL], int size)
{
    for (int p = 0; p < size; ++p)
    {
        for (int q = 0; q < size; ++q)
        {
            v[p][q] = p == q ? 1.0 : 0.0;
        }
    }
    for (int sweep = 0; sweep < 10; ++sweep)
    {
        for (int p = 0; p < size; ++p)
        {
            for (int q = p + 1; q < size; ++q)
            {
                if (fabs(a[p][q]) > 1e-300)
                {
                    Rotate(a, v, size, p, q);
                }
            }
        }
    }
}
