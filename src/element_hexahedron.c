// SPDX-License-Identifier: MIT
//
// element_hexahedron.c: a cube of edge a with eight nodes: the trilinear one, with Wilson's incompatible modes, or a brick.
//
// Corners have the signs x, y, z = +-1 (bit 0, 1, 2 of their number). Their displacements are
//   u = mean + H X + h1 yz + h2 zx + h3 xy + h4 xyz
// by eight sums and differences: H_cj = 1/(4a) sum sign_j u_c, h_p = 1/8 sum pattern_p u. On a cube the affine part and the
// rest decouple, W = V psi(1 + H) + W_h, and the integrals of the strain that the rest has over the cube are, for small u,
//   W_h = r/2 { sum over axes n of [A (s^2 + t^2) + 2 B s t] + mu [(t1 + t2)^2 + (t2 + t3)^2 + (t3 + t1)^2] }
//         + r/6 (lambda + 4 mu) |h4|^2,   r = 4 V / (3 a^2)
// where s and t are the two bending modes in which strains along the other axes vary along n (of x: h3y and h2z, see BendTimes),
// and t1 = h1x, t2 = h2y, t3 = h3z twist. Fully integrated, A = lambda + 3 mu and B = lambda: strain along n and shear both
// resist bending, which is the locking of this element. Wilson's modes (1 - x^2) e_i let both relax, which leaves plane stress,
// A = l + 2 mu, B = l, l = 2 lambda mu / (lambda + 2 mu): exact for pure bending. (Derived by integrating the strains
// e_ij of each pattern; all other products vanish. The nine modes are condensed exactly: each meets one of the strains.)
//
// The moment brick (build_bricks.c) is the same element with other constants. Its springs s between corners, with the rest
// vector d, feel what the mean deformation does not say: w = (u_q - u_p) - H d = sum over patterns of c_p h_p, c_p = the pattern
// at q less at p less G_p.d, where H is the mean gradient over what is filled of the cell, and G_p that of the pattern:
//   H = central gradient + sum h_p G_p^T,   W_h = 1/2 sum k (w.d/|d|)^2 = r/2 h.M h,   M = 1/r sum k c_p c_q d d^T / |d|^2
// Of a full cell, G = 0 and M has the form above, with k_e of edges and k_d of diagonals of faces
//   A = (16 k_e + 8 k_d)/r,   B = mu' = 8 k_d/r in place of mu,   16 k_e |h4|^2/2
// A cell that is cut has all twelve by twelve numbers of M. No affine motion is felt: moduli are exact for every cut, since the
// volume times < grad N > is the integral of grad N, so that the forces of a uniform stress are those that it has on the surface.
//
// Large rotations: see element_patterns.h; h4 of a whole cell is the same in all directions and has its own c. The forces of a
// cell that is cut have dW/dF G_p beside dW/dh_p. (Springs that compare their length with that of F d are blind to rotations too.
// But light corners of slivers swing by an edge and more, springs then turn about and pass through nothing, and Verlet's method
// gains 0.7 % of energy where this form keeps it to 1e-5.)

#include "element_hexahedron.h"

#include "brick.h"
#include "element_patterns.h"
#include "least.h"

#include <string.h>

static void Rest(Element* element, Real* rest, double (*x)[3], const rslElements* set, int index)
{
    (void)index;
    double a = x[1][0] - x[0][0];
    Real lambda = element->lambda, mu = element->mu;
    Real plane = (Real)2 * lambda * mu / (lambda + (Real)2 * mu);
    Real couple = set->incompatible ? plane : lambda;
    Real bend = set->incompatible ? plane + (Real)2 * mu : lambda + (Real)3 * mu;
    Real least = bend - (couple > (Real)0 ? couple : -couple);
    element->volume = (Real)((double)element->volume * (a * a * a));
    rest[EDGE] = (Real)(1.0 / a);
    rest[BEND] = bend;
    rest[COUPLE] = couple;
    rest[TWIST] = mu;
    rest[FLOOR] = mu < least ? mu : least;
    rest[LAST] = (lambda + (Real)4 * mu) / (Real)3;
    rest[CUT] = 0;
}

// Sums and differences along the bits: out[m] = sum over i of (-1)^(bits of m that i lacks) in[i].
static inline void Transform(Real v[8])
{
    for (int bit = 1; bit < 8; bit <<= 1)
    {
        for (int i = 0; i < 8; ++i)
        {
            if ((i & bit) == 0)
            {
                Real low = v[i], high = v[i | bit];
                v[i] = low + high;
                v[i | bit] = high - low;
            }
        }
    }
}

// Its transpose.
static inline void TransformBack(Real v[8])
{
    for (int bit = 1; bit < 8; bit <<= 1)
    {
        for (int i = 0; i < 8; ++i)
        {
            if ((i & bit) == 0)
            {
                Real sum = v[i], difference = v[i | bit];
                v[i] = sum - difference;
                v[i | bit] = sum + difference;
            }
        }
    }
}

static inline void Analyse(const Element* element, Real (*u)[3], Shape* shape)
{
    const Real *rest = element->rest, *mean = rest + MEAN;
    Real edge = (Real)0.25 * rest[EDGE];
    for (int axis = 0; axis < 3; ++axis)
    {
        Real v[8], *h = shape->h + 3 * axis;
        for (int i = 0; i < 8; ++i)
        {
            v[i] = u[i][axis] - u[0][axis];
        }
        Transform(v);
        h[0] = edge * v[1];
        h[1] = edge * v[2];
        h[2] = edge * v[4];
        for (int p = 0; p < PATTERNS; ++p)
        {
            shape->mode[p][axis] = (Real)0.125 * v[rslHexahedronPlaces[p]];
        }
        for (int m = 0; rest[CUT] != (Real)0 && m < MODES; ++m)
        {
            h[m % 3] += shape->mode[m / 3][axis] * mean[m];
        }
    }
}

// From dW/dH and dW/dh to factor dW/du.
static inline void Compose(const Element* element, const Shape* slope, Real factor, Nodes out)
{
    const Real *rest = element->rest, *mean = rest + MEAN;
    Real edge = factor * (Real)0.25 * rest[EDGE];
    for (int axis = 0; axis < 3; ++axis)
    {
        const Real* h = slope->h + 3 * axis;
        Real v[8] = { 0, edge * h[0], edge * h[1], 0, edge * h[2] };
        for (int p = 0; p < PATTERNS; ++p)
        {
            Real one = slope->mode[p][axis];
            if (rest[CUT] != (Real)0)
            {
                one += h[0] * mean[3 * p] + h[1] * mean[3 * p + 1] + h[2] * mean[3 * p + 2];
            }
            v[rslHexahedronPlaces[p]] = factor * (Real)0.125 * one;
        }
        TransformBack(v);
        for (int i = 0; i < 8; ++i)
        {
            out[i][axis] = v[i];
        }
    }
}

static inline Real FloorOf(const Element* element, int pattern)
{
    return element->rest[pattern < 3 ? FLOOR : LAST];
}

// k = (M - c) g. The strain along x varies with z in h2 and with y in h3, and so on: what varies along x is h3y and h2z, along y
// h1z and h3x, along z h2x and h1y.
static inline void BendTimes(const Element* element, Real (*g)[3], Real (*k)[3])
{
    static const int pairs[3][2][2] = { { { 2, 1 }, { 1, 2 } }, { { 0, 2 }, { 2, 0 } }, { { 1, 0 }, { 0, 1 } } };
    const Real* rest = element->rest;
    if (rest[CUT] != (Real)0)
    {
        DenseTimes(rest + DENSE, g, k);
        return;
    }
    Real bend = rest[BEND] - rest[FLOOR], couple = rest[COUPLE], mu = rest[TWIST];
    for (int n = 0; n < 3; ++n)
    {
        const int *s = pairs[n][0], *t = pairs[n][1];
        k[s[0]][s[1]] = bend * g[s[0]][s[1]] + couple * g[t[0]][t[1]];
        k[t[0]][t[1]] = bend * g[t[0]][t[1]] + couple * g[s[0]][s[1]];
    }
    Real twist = g[0][0] + g[1][1] + g[2][2];
    for (int n = 0; n < 3; ++n)
    {
        k[n][n] = mu * (twist + g[n][n]) - rest[FLOOR] * g[n][n];
        k[3][n] = 0;
    }
}

// r
static inline Real Ratio(const Element* element)
{
    Real edge = element->rest[EDGE];
    return element->volume * edge * edge * (Real)4 / (Real)3;
}

// ---- stress within --------------------------------------------------------------------------------------------------

// out = F S F^T / J; S of the linear law.
static void PushStress(rslElementLaw law, const Matrix h, double s[3][3], double out[6])
{
    static const int row[6] = { 0, 1, 2, 1, 2, 0 }, column[6] = { 0, 1, 2, 2, 0, 1 };
    Matrix f, cofactor;
    AddOne(h, f);
    double j = 1.0 + (double)CofactorLessOne(h, cofactor);
    for (int c = 0; c < 6; ++c)
    {
        double sum = 0.0;
        for (int k = 0; k < 9; ++k)
        {
            sum += (double)f[3 * row[c] + k / 3] * s[k / 3][k % 3] * (double)f[3 * column[c] + k % 3];
        }
        out[c] = law == rsl_linearElement ? s[row[c]][column[c]] : fabs(j) > 1e-6 ? sum / j : 0.0;
    }
}

// What the patterns do along an axis n, at X_n = a s: strains along the other axes i and j, and shear between them,
//   e_ii = 4/a g_ji s,   e_jj = 4/a g_ij s,   2 e_ij = 4/a (g_ii + g_jj) s,   g_p the pattern without the axis p
// in plane stress, as in bending: the other strains of the patterns are those that Wilson's modes let go.
static void Slope(const Element* element, rslElementLaw law, Real (*u)[3], double slope[3][6])
{
    Shape shape;
    Real g[PATTERNS][3];
    double lambda = (double)element->lambda, mu = (double)element->mu, edge = (double)element->rest[EDGE];
    double plane = 2.0 * lambda * mu / (lambda + 2.0 * mu);
    Analyse(element, u, &shape);
    PullBack(law, shape.h, shape.mode, g);
    for (int n = 0; n < 3; ++n)
    {
        int i = (n + 1) % 3, j = (n + 2) % 3;
        double s[3][3] = { { 0.0 } }, ei = 4.0 * edge * (double)g[j][i], ej = 4.0 * edge * (double)g[i][j];
        s[i][i] = (plane + 2.0 * mu) * ei + plane * ej;
        s[j][j] = (plane + 2.0 * mu) * ej + plane * ei;
        s[i][j] = s[j][i] = 4.0 * edge * mu * ((double)g[i][i] + (double)g[j][j]);
        PushStress(law, shape.h, s, slope[n]);
    }
}

// ---- bricks ---------------------------------------------------------------------------------------------------------

// +-1 of a corner in a pattern.
static double PatternAt(int pattern, int corner)
{
    int low = rslHexahedronPlaces[pattern] & ~corner;  // the signs that are negative
    return (low ^ low >> 1 ^ low >> 2) & 1 ? -1.0 : 1.0;
}

// a G_p
static void PatternGradient(const double* gradients, int pattern, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int n = 0; n < 8; ++n)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            out[axis] += PatternAt(pattern, n) * gradients[3 * n + axis];
        }
    }
}

// M / mu, from a record of build_bricks.c: of constants k / (mu a x), so that k / r = 3/4 mu of them.
static void FillDense(const double* record, double (*mean)[3], double (*dense)[MODES])
{
    memset(dense, 0, sizeof(double[MODES][MODES]));
    for (int d = 0; d < RSL_BRICK_DIRECTIONS; ++d)
    {
        const signed char* step = rslBrickDirections[d];
        double squared = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
        for (int s = rslBrick_Start(d); s < rslBrick_Start(d + 1); ++s)
        {
            double felt[MODES], k = 0.75 * record[RSL_BRICK_STIFFNESS + s] / squared;
            for (int m = 0; m < MODES; ++m)
            {
                const double* g = mean[m / 3];
                double apart = PatternAt(m / 3, rslBrickSprings[s][1]) - PatternAt(m / 3, rslBrickSprings[s][0]);
                felt[m] = (apart - step[0] * g[0] - step[1] * g[1] - step[2] * g[2]) * step[m % 3];
            }
            for (int m = 0; m < MODES * MODES; ++m)
            {
                dense[m / MODES][m % MODES] += k * felt[m / MODES] * felt[m % MODES];
            }
        }
    }
}

// All springs of a kind are alike, and the mean is that of the whole cell.
static bool IsFull(const double* record, double (*mean)[3])
{
    bool full = true;
    for (int m = 0; m < MODES; ++m)
    {
        full = full && fabs(mean[m / 3][m % 3]) < 1e-15;
    }
    for (int s = 0; s < RSL_BRICK_SPRINGS; ++s)
    {
        const double* k = record + RSL_BRICK_STIFFNESS;
        full = full && fabs(k[s] - k[s < RSL_BRICK_EDGES ? 0 : RSL_BRICK_EDGES]) <= 1e-15 * k[s];
    }
    return full;
}

static void RestBrick(Element* element, Real* rest, double (*x)[3], const rslElements* set, int index)
{
    double a = x[1][0] - x[0][0], mean[PATTERNS][3], dense[MODES][MODES], mu = (double)element->mu;
    const double* record =
        set->constants + (size_t)RSL_BRICK_NUMBERS * (size_t)(set->record != NULL ? set->record[index] : 0);
    for (int p = 0; p < PATTERNS; ++p)
    {
        PatternGradient(record + RSL_BRICK_GRADIENT, p, mean[p]);
    }
    element->volume = (Real)((double)element->volume * (a * a * a));
    rest[EDGE] = (Real)(1.0 / a);
    rest[CUT] = IsFull(record, mean) ? (Real)0 : (Real)1;
    if (rest[CUT] == (Real)0)
    {
        double edge = 12.0 * record[RSL_BRICK_STIFFNESS],
               diagonal = 6.0 * record[RSL_BRICK_STIFFNESS + RSL_BRICK_EDGES];
        rest[BEND] = (Real)(mu * (edge + diagonal));
        rest[COUPLE] = rest[TWIST] = (Real)(mu * diagonal);
        rest[FLOOR] = (Real)(mu * (edge < diagonal ? edge : diagonal));
        rest[LAST] = (Real)(mu * edge);
        return;
    }
    FillDense(record, mean, dense);
    double least = LeastOf(dense);
    rest[FLOOR] = rest[LAST] = (Real)(mu * least);
    for (int m = 0; m < MODES; ++m)
    {
        rest[MEAN + m] = (Real)(mean[m / 3][m % 3] / a);
    }
    for (int m = 0; m < MODES * MODES; ++m)
    {
        rest[DENSE + m] = (Real)(mu * (dense[m / MODES][m % MODES] - (m % (MODES + 1) == 0 ? least : 0.0)));
    }
}

const ElementKind RSL_NAME(rslHexahedronElement) = {
    .nodeCount = 8,
    .restCount = WHOLE,
    .rest = Rest,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .stress = Stress,
    .slope = Slope,
};

const ElementKind RSL_NAME(rslBrickElement) = {
    .nodeCount = 8,
    .restCount = NUMBERS,
    .rest = RestBrick,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .stress = Stress,
    .slope = Slope,
};
