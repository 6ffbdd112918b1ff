// SPDX-License-Identifier: MIT
//
// element_solid.c: a hexahedron with eight corners anywhere (solid.c): trilinear, or with Wilson's incompatible modes as
// Taylor has them.
//
//   W = V psi(1 + H) + W_h,   H = sum u_c b_c^T the mean gradient, h_p = sum_c pattern_pc u_c (element_patterns.h)
//
// K is the 12 x 12 matrix of all four patterns, so that the element is that of the books for small displacements, and follows
// any rotation. The trilinear one with the neo-Hookean law has psi at every point instead:
//   W = sum_g w_g psi(1 + H + sum_p h_p d_pg^T)

#include "element_patterns.h"
#include "solid.h"

enum
{
    GRADIENT = 0,             // b of the corners
    PATTERN = GRADIENT + 24,  // of the corners, one pattern after the other
    BEND = PATTERN + 32,      // (K - c) / V
    FLOOR = BEND + 144,       // c / V
    SLOPE = FLOOR + 1,        // d of every point
    WEIGHT = SLOPE + 8 * 12,  // w / V of every point
    POINTWISE = WEIGHT + 8,   // 1: trilinear
    NUMBERS = POINTWISE + 1
};

static void Rest(Element* element, Real* rest, double (*x)[3], const rslElements* set, int index)
{
    (void)index;
    rslSolid h;
    double k[RSL_SOLID_MODES][RSL_SOLID_MODES], floor;
    bool good = rslSolid_Make(x, &h);
    RSL_ASSERT(good);
    (void)good;
    rslSolid_Stiffness(&h, (double)element->lambda, (double)element->mu, set->incompatible, k, &floor);
    for (int c = 0; c < 24; ++c)
    {
        rest[GRADIENT + c] = (Real)h.gradient[c / 3][c % 3];
    }
    for (int c = 0; c < 32; ++c)
    {
        rest[PATTERN + c] = (Real)h.pattern[c / 8][c % 8];
    }
    for (int c = 0; c < 144; ++c)
    {
        rest[BEND + c] = (Real)((k[c / 12][c % 12] - (c % 13 == 0 ? floor : 0.0)) / h.volume);
    }
    for (int c = 0; c < 96; ++c)
    {
        rest[SLOPE + c] = (Real)h.slope[c / 12][c / 3 % 4][c % 3];
    }
    for (int point = 0; point < 8; ++point)
    {
        rest[WEIGHT + point] = (Real)(h.weight[point] / h.volume);
    }
    rest[FLOOR] = (Real)(floor / h.volume);
    rest[POINTWISE] = set->incompatible ? (Real)0 : (Real)1;
    element->volume = (Real)((double)element->volume * h.volume);
}

static void Analyse(const Element* element, Real (*u)[3], Shape* shape)
{
    const Real *b = element->rest + GRADIENT, *s = element->rest + PATTERN;
    for (int axis = 0; axis < 3; ++axis)
    {
        Real h[3] = { 0, 0, 0 }, mode[PATTERNS] = { 0, 0, 0, 0 };
        for (int c = 1; c < 8; ++c)
        {
            Real d = u[c][axis] - u[0][axis];  // a shift is not felt, to rounding
            for (int j = 0; j < 3; ++j)
            {
                h[j] += b[3 * c + j] * d;
            }
            for (int p = 0; p < PATTERNS; ++p)
            {
                mode[p] += s[8 * p + c] * d;
            }
        }
        for (int p = 0; p < PATTERNS; ++p)
        {
            shape->mode[p][axis] = mode[p];
        }
        for (int j = 0; j < 3; ++j)
        {
            shape->h[3 * axis + j] = h[j];
        }
    }
}

static void Compose(const Element* element, const Shape* slope, Real factor, Nodes out)
{
    const Real *b = element->rest + GRADIENT, *s = element->rest + PATTERN;
    for (int axis = 0; axis < 3; ++axis)
    {
        Real sum = 0;
        for (int c = 1; c < 8; ++c)
        {
            Real f = b[3 * c] * slope->h[3 * axis] + b[3 * c + 1] * slope->h[3 * axis + 1] +
                     b[3 * c + 2] * slope->h[3 * axis + 2];
            for (int p = 0; p < PATTERNS; ++p)
            {
                f += s[8 * p + c] * slope->mode[p][axis];
            }
            out[c][axis] = factor * f;
            sum += out[c][axis];
        }
        out[0][axis] = -sum;
    }
}

static void BendTimes(const Element* element, Real (*g)[3], Real (*k)[3])
{
    DenseTimes(element->rest + BEND, g, k);
}

static Real FloorOf(const Element* element, int pattern)
{
    (void)pattern;
    return element->rest[FLOOR];
}

static Real Ratio(const Element* element)
{
    return element->volume;
}

// ---- point by point ---------------------------------------------------------------------------------------------------

static bool IsPointwise(const Element* element, rslElementLaw law)
{
    return law == rsl_neoHookeanElement && element->rest[POINTWISE] != (Real)0;
}

// Gradient at a point; H alone without modes.
static void AtPoint(const Element* element, const Shape* shape, int point, Matrix h)
{
    const Real* d = element->rest + SLOPE + 12 * point;
    for (int c = 0; c < 9; ++c)
    {
        h[c] = shape->h[c];
        for (int p = 0; p < PATTERNS; ++p)
        {
            h[c] += shape->mode[p][c / 3] * d[3 * p + c % 3];
        }
    }
}

static void AddStress(const Element* element, int point, const Matrix stress, Shape* slope)
{
    const Real* d = element->rest + SLOPE + 12 * point;
    Real weight = element->volume * element->rest[WEIGHT + point];
    for (int c = 0; c < 9; ++c)
    {
        slope->h[c] += weight * stress[c];
        for (int p = 0; p < PATTERNS; ++p)
        {
            slope->mode[p][c / 3] += weight * stress[c] * d[3 * p + c % 3];
        }
    }
}

static double SolidEnergy(const Element* element, rslElementLaw law, Real (*u)[3])
{
    Shape shape;
    double sum = 0.0;
    if (!IsPointwise(element, law))
    {
        return Energy(element, law, u);
    }
    Analyse(element, u, &shape);
    for (int point = 0; point < 8; ++point)
    {
        Matrix h;
        AtPoint(element, &shape, point, h);
        sum += (double)element->rest[WEIGHT + point] * LawDensity(law, element->lambda, element->mu, h);
    }
    return (double)element->volume * sum;
}

static void SolidForce(const Element* element, rslElementLaw law, Real (*u)[3], Nodes f)
{
    Shape shape, slope = { 0 };
    if (!IsPointwise(element, law))
    {
        Force(element, law, u, f);
        return;
    }
    Analyse(element, u, &shape);
    for (int point = 0; point < 8; ++point)
    {
        Matrix h, stress;
        AtPoint(element, &shape, point, h);
        LawStress(law, element->lambda, element->mu, h, stress);
        AddStress(element, point, stress, &slope);
    }
    Compose(element, &slope, (Real)-1, f);
}

static void SolidStiffness(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Shape shape, rate, slope = { 0 };
    if (!IsPointwise(element, law))
    {
        Stiffness(element, law, u, p, out);
        return;
    }
    Analyse(element, u, &shape);
    Analyse(element, p, &rate);
    for (int point = 0; point < 8; ++point)
    {
        Matrix h, df, dp;
        AtPoint(element, &shape, point, h);
        AtPoint(element, &rate, point, df);
        LawDifferential(law, element->lambda, element->mu, h, df, dp);
        AddStress(element, point, dp, &slope);
    }
    Compose(element, &slope, (Real)1, out);
}

const ElementKind RSL_NAME(rslSolidElement) = {
    .nodeCount = 8,
    .restCount = NUMBERS,
    .rest = Rest,
    .energy = SolidEnergy,
    .force = SolidForce,
    .stiffness = SolidStiffness,
    .damping = Damping,
    .stress = Stress,
};
