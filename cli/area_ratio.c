// SPDX-License-Identifier: MIT
//
// area_ratio.c: see area_ratio.h.

#include "area_ratio.h"

#include <math.h>

// (b - a) x (c - a): its z in a plane, its length in space.
static double TwiceArea(double x[3][3], bool planar)
{
    double u[3], v[3];
    for (int i = 0; i < 3; ++i)
    {
        u[i] = x[1][i] - x[0][i];
        v[i] = x[2][i] - x[0][i];
    }
    double nz = u[0] * v[1] - u[1] * v[0];
    return planar ? nz : hypot(hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2]), nz);
}

double cliAreaRatio_Least(const rslModel* model, const rslState* state, int body, int* triangle)
{
    const rslBody* of = &model->bodies[body];
    bool planar = model->plane == rsl_planeXY;
    double least = 1;
    for (int t = 0; t < of->network.triangleCount; ++t)
    {
        double rest[3][3], now[3][3];
        for (int c = 0; c < 3; ++c)
        {
            int node = of->network.triangles[3 * t + c];
            rslBody_Rest(of, node, node + 1, rest[c]);
            rslState_Positions(model, state, node, node + 1, now[c]);
        }
        double ratio = TwiceArea(now, planar) / TwiceArea(rest, planar);
        bool less = t == 0 || !(ratio >= least);
        least = less ? ratio : least;
        if (less && triangle != NULL)
        {
            *triangle = t;
        }
    }
    return least;
}
