// SPDX-License-Identifier: MIT
//
// element_turn.h: an element for solvers that need a K that is never negative.
//
// It has its stiffness at rest, turned with it: R K_0 R^T, with one rotation R an element. What its stress does across is left
// out, as it is for pressed springs. R is found once a state, so that a product has no polar decomposition in it.

#pragma once

#include "element_law.h"

typedef float Turn[9];

// R of  sum x X^T = R S  over the corners, from the first one: that of F where the corners of the element are spread alike in
// all directions, and the rotation of any rigid motion.
static inline void FindTurn(int count, double (*rest)[3], Real (*u)[3], Turn turn)
{
    Matrix f = { 0 };
    Polar polar;
    double size = 0.0, middle[3] = { 0.0, 0.0, 0.0 };
    for (int c = 0; c < 3 * count; ++c)
    {
        middle[c % 3] += rest[c / 3][c % 3] / count;
    }
    for (int c = 0; c < count; ++c)
    {
        for (int e = 0; e < 9; ++e)
        {
            double arm = rest[c][e % 3] - middle[e % 3], moved = rest[c][e / 3] - middle[e / 3];
            f[e] += (Real)((moved + (double)(u[c][e / 3] - u[0][e / 3])) * arm);
            size += e % 4 == 0 ? arm * arm / 3.0 : 0.0;
        }
    }
    for (int e = 0; e < 9; ++e)
    {
        f[e] = f[e] / (Real)size - (e % 4 == 0 ? (Real)1 : (Real)0);
    }
    FindPolar(f, &polar);
    for (int e = 0; e < 9; ++e)
    {
        turn[e] = (float)polar.r[e];
    }
}

// out = R K_0 R^T p
static inline void TurnedProduct(const ElementKind* kind, const Element* element, const Turn turn, Real (*p)[3],
                                 Nodes out)
{
    Nodes none = { 0 }, turned, f;
    for (int c = 0; c < 3 * kind->nodeCount; ++c)
    {
        const Real* v = p[c / 3];
        int axis = c % 3;
        turned[c / 3][axis] = (Real)turn[axis] * v[0] + (Real)turn[3 + axis] * v[1] + (Real)turn[6 + axis] * v[2];
    }
    kind->stiffness(element, rsl_linearElement, none, turned, f);
    for (int c = 0; c < 3 * kind->nodeCount; ++c)
    {
        const Real* v = f[c / 3];
        const float* row = turn + 3 * (c % 3);
        out[c / 3][c % 3] = (Real)row[0] * v[0] + (Real)row[1] * v[1] + (Real)row[2] * v[2];
    }
}
