// SPDX-License-Identifier: MIT
//
// element_tetrahedron.c: the linear tetrahedron. With the edges X_k - X_0 as columns of D, and u_k - u_0 as those of U,
//   H = U D^-1,   W = V psi(F),   f_k = -V (P D^-T)_k for k = 1, 2, 3,   f_0 = -(f_1 + f_2 + f_3).

#include "element_law.h"

static void Rest(Element* element, Real* rest, double (*x)[3], const rslElements* set, int index)
{
    (void)set;
    (void)index;
    double d[3][3], inverse[3][3];
    for (int k = 0; k < 3; ++k)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            d[axis][k] = x[k + 1][axis] - x[0][axis];
        }
    }
    for (int r = 0; r < 3; ++r)
    {
        for (int c = 0; c < 3; ++c)
        {
            int p = (r + 1) % 3, q = (r + 2) % 3, j = (c + 1) % 3, k = (c + 2) % 3;
            inverse[c][r] = d[p][j] * d[q][k] - d[p][k] * d[q][j];
        }
    }
    double det = d[0][0] * inverse[0][0] + d[0][1] * inverse[1][0] + d[0][2] * inverse[2][0];
    for (int c = 0; c < 9; ++c)
    {
        rest[c] = (Real)(inverse[c / 3][c % 3] / det);
    }
    element->volume = (Real)((double)element->volume * (det / 6.0));
}

static void Gradient(const Element* element, Real (*u)[3], Matrix h)
{
    Matrix edges;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int k = 0; k < 3; ++k)
        {
            edges[3 * axis + k] = u[k + 1][axis] - u[0][axis];
        }
    }
    Times(edges, element->rest, h);
}

// out_k = factor V (P D^-T)_k
static void Spread(const Element* element, const Matrix p, Real factor, Nodes out)
{
    const Real* d = element->rest;
    Real scale = factor * element->volume;
    for (int axis = 0; axis < 3; ++axis)
    {
        Real sum = 0;
        for (int k = 0; k < 3; ++k)
        {
            const Real* row = p + 3 * axis;
            Real one = scale * (row[0] * d[3 * k] + row[1] * d[3 * k + 1] + row[2] * d[3 * k + 2]);
            out[k + 1][axis] = one;
            sum += one;
        }
        out[0][axis] = -sum;
    }
}

static double Energy(const Element* element, rslElementLaw law, Real (*u)[3])
{
    Matrix h;
    Gradient(element, u, h);
    return (double)element->volume * LawDensity(law, element->lambda, element->mu, h);
}

static void Force(const Element* element, rslElementLaw law, Real (*u)[3], Nodes f)
{
    Matrix h, p;
    Gradient(element, u, h);
    LawStress(law, element->lambda, element->mu, h, p);
    Spread(element, p, (Real)-1, f);
}

static void Stiffness(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Matrix h, df, dp;
    Gradient(element, u, h);
    Gradient(element, p, df);
    LawDifferential(law, element->lambda, element->mu, h, df, dp);
    Spread(element, dp, (Real)1, out);
}

static void Damping(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Matrix h, df, dp;
    Gradient(element, u, h);
    Gradient(element, p, df);
    LawDrag(law, element->lambda, element->mu, h, df, dp);
    Spread(element, dp, (Real)1, out);
}

static void Stress(const Element* element, rslElementLaw law, Real (*u)[3], double stress[6])
{
    Matrix h;
    Gradient(element, u, h);
    LawCauchy(law, element->lambda, element->mu, h, stress);
}

const ElementKind RSL_NAME(rslTetrahedronElement) = {
    .nodeCount = 4,
    .restCount = 9,
    .rest = Rest,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .stress = Stress,
};
