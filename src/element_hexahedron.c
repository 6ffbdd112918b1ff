// SPDX-License-Identifier: MIT
//
// element_hexahedron.c: a cube of edge a with eight nodes: the trilinear one, or with Wilson's incompatible modes.
//
// Corners have the signs x, y, z = +-1 (bit 0, 1, 2 of their number). Their displacements are
//   u = mean + H X + h1 yz + h2 zx + h3 xy + h4 xyz
// by eight sums and differences: H_cj = 1/(4a) sum sign_j u_c, h_p = 1/8 sum pattern_p u. On a cube the affine part and the
// rest decouple, W = V psi(1 + H) + W_h, and the integrals of the strain that the rest has over the cube are, for small u,
//   W_h = r/2 { sum over axes n of [A (s^2 + t^2) + 2 B s t] + mu [(t1 + t2)^2 + (t2 + t3)^2 + (t3 + t1)^2] }
//         + r/6 (lambda + 4 mu) |h4|^2,   r = 4 V / (3 a^2)
// where s and t are the two bending modes in which strains along the other axes vary along n (n = x: h2z along z.. see pairs),
// and t1 = h1x, t2 = h2y, t3 = h3z twist. Fully integrated, A = lambda + 3 mu and B = lambda: strain along n and shear both
// resist bending, which is the locking of this element. Wilson's modes (1 - x^2) e_i let both relax, which leaves plane stress,
// A = l + 2 mu, B = l, l = 2 lambda mu / (lambda + 2 mu): exact for pure bending. (Derived by integrating the strains
// e_ij of each pattern; all other products vanish. The nine modes are condensed exactly: each meets one of the strains.)
//
// Large rotations: W_h = r/2 [c sum |h_p|^2 + g.(K - c) g], g_p = F^T h_p, with K the 9 x 9 matrix above and c its smallest
// eigenvalue, min(mu, A - |B|). Both parts are blind to rotations, nothing is singular, and the first stays when the
// element is pressed flat. |h4|^2 is the same in all directions. The linear law has F = 1 here.
//   dW/dh_p = r (c h_p + F k_p),  dW/dF = r sum h_p k_p^T,  k = (K - c) g

#include "element_law.h"

enum
{
    EDGE,    // 1 / a
    BEND,    // A
    COUPLE,  // B
    FLOOR,   // c
    NUMBERS,
    PATTERNS = 4
};

// Everything about the deformation: H, and the vectors h1 .. h4.
typedef struct Shape
{
    Matrix h;
    Real mode[PATTERNS][3];
} Shape;

static void Rest(Element* element, Real* rest, double (*x)[3], const rslElements* set, int index)
{
    (void)index;
    bool incompatible = set->incompatible;
    double a = x[1][0] - x[0][0];
    Real lambda = element->lambda, mu = element->mu;
    Real plane = (Real)2 * lambda * mu / (lambda + (Real)2 * mu);
    Real couple = incompatible ? plane : lambda, bend = incompatible ? plane + (Real)2 * mu : lambda + (Real)3 * mu;
    Real least = bend - (couple > (Real)0 ? couple : -couple);
    element->volume = (Real)((double)element->volume * (a * a * a));
    rest[EDGE] = (Real)(1.0 / a);
    rest[BEND] = bend;
    rest[COUPLE] = couple;
    rest[FLOOR] = mu < least ? mu : least;
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

// Which place of the transform a pattern has: yz, zx, xy, xyz.
static const int places[PATTERNS] = { 6, 5, 3, 7 };

static inline void Analyse(const Element* element, Real (*u)[3], Shape* shape)
{
    Real edge = (Real)0.25 * element->rest[EDGE];
    for (int axis = 0; axis < 3; ++axis)
    {
        Real v[8];
        for (int i = 0; i < 8; ++i)
        {
            v[i] = u[i][axis] - u[0][axis];
        }
        Transform(v);
        shape->h[3 * axis] = edge * v[1];
        shape->h[3 * axis + 1] = edge * v[2];
        shape->h[3 * axis + 2] = edge * v[4];
        for (int p = 0; p < PATTERNS; ++p)
        {
            shape->mode[p][axis] = (Real)0.125 * v[places[p]];
        }
    }
}

// From dW/dH and dW/dh to factor dW/du.
static inline void Compose(const Element* element, const Shape* slope, Real factor, Nodes out)
{
    Real edge = factor * (Real)0.25 * element->rest[EDGE];
    for (int axis = 0; axis < 3; ++axis)
    {
        Real v[8] = { 0, edge * slope->h[3 * axis], edge * slope->h[3 * axis + 1], 0, edge * slope->h[3 * axis + 2] };
        for (int p = 0; p < PATTERNS; ++p)
        {
            v[places[p]] = factor * (Real)0.125 * slope->mode[p][axis];
        }
        TransformBack(v);
        for (int i = 0; i < 8; ++i)
        {
            out[i][axis] = v[i];
        }
    }
}

// k = (K - floor) g of the patterns 1 to 3. The strain along x varies with z in h2 and with y in h3, and so on: what varies
// along x is h3y and h2z, along y h1z and h3x, along z h2x and h1y.
static inline void BendTimes(const Element* element, Real floor, Real (*g)[3], Real (*k)[3])
{
    static const int pairs[3][2][2] = { { { 2, 1 }, { 1, 2 } }, { { 0, 2 }, { 2, 0 } }, { { 1, 0 }, { 0, 1 } } };
    Real bend = element->rest[BEND] - floor, couple = element->rest[COUPLE], mu = element->mu;
    for (int n = 0; n < 3; ++n)
    {
        const int *s = pairs[n][0], *t = pairs[n][1];
        k[s[0]][s[1]] = bend * g[s[0]][s[1]] + couple * g[t[0]][t[1]];
        k[t[0]][t[1]] = bend * g[t[0]][t[1]] + couple * g[s[0]][s[1]];
    }
    Real twist = g[0][0] + g[1][1] + g[2][2];
    for (int n = 0; n < 3; ++n)
    {
        k[n][n] = mu * (twist + g[n][n]) - floor * g[n][n];
    }
}

// g = F^T h, F = 1 + H; h itself for the linear law.
static inline void PullBack(rslElementLaw law, const Matrix h, Real (*mode)[3], Real (*g)[3])
{
    for (int p = 0; p < 3; ++p)
    {
        for (int c = 0; c < 3; ++c)
        {
            Real turned = h[c] * mode[p][0] + h[3 + c] * mode[p][1] + h[6 + c] * mode[p][2];
            g[p][c] = mode[p][c] + (law == rsl_linearElement ? (Real)0 : turned);
        }
    }
}

// out += scale F k
static inline void PushForward(rslElementLaw law, const Matrix h, Real scale, Real (*k)[3], Real (*out)[3])
{
    for (int p = 0; p < 3; ++p)
    {
        for (int r = 0; r < 3; ++r)
        {
            Real turned = h[3 * r] * k[p][0] + h[3 * r + 1] * k[p][1] + h[3 * r + 2] * k[p][2];
            out[p][r] += scale * (k[p][r] + (law == rsl_linearElement ? (Real)0 : turned));
        }
    }
}

// out += scale sum of h k^T
static inline void AddOuter(Real scale, Real (*mode)[3], Real (*k)[3], Matrix out)
{
    for (int p = 0; p < 3; ++p)
    {
        for (int c = 0; c < 9; ++c)
        {
            out[c] += scale * mode[p][c / 3] * k[p][c % 3];
        }
    }
}

// r, and that of the last pattern times its stiffness
static inline Real Ratio(const Element* element)
{
    Real edge = element->rest[EDGE];
    return element->volume * edge * edge * (Real)4 / (Real)3;
}

static inline Real LastStiffness(const Element* element)
{
    return Ratio(element) / (Real)3 * (element->lambda + (Real)4 * element->mu);
}

static double Energy(const Element* element, rslElementLaw law, Real (*u)[3])
{
    Shape shape;
    Real g[3][3], k[3][3];
    double rest = 0.0, last = 0.0;
    Analyse(element, u, &shape);
    PullBack(law, shape.h, shape.mode, g);
    BendTimes(element, element->rest[FLOOR], g, k);
    for (int p = 0; p < 3; ++p)
    {
        for (int c = 0; c < 3; ++c)
        {
            double h = (double)shape.mode[p][c];
            rest += (double)g[p][c] * (double)k[p][c] + (double)element->rest[FLOOR] * h * h;
        }
        last += (double)shape.mode[3][p] * (double)shape.mode[3][p];
    }
    return (double)element->volume * LawDensity(law, element->lambda, element->mu, shape.h) +
           0.5 * ((double)Ratio(element) * rest + (double)LastStiffness(element) * last);
}

static void Force(const Element* element, rslElementLaw law, Real (*u)[3], Nodes f)
{
    Shape shape, slope;
    Real g[3][3], k[3][3], r = Ratio(element), last = LastStiffness(element);
    Analyse(element, u, &shape);
    PullBack(law, shape.h, shape.mode, g);
    BendTimes(element, element->rest[FLOOR], g, k);
    LawStress(law, element->lambda, element->mu, shape.h, slope.h);
    for (int c = 0; c < 9; ++c)
    {
        slope.h[c] *= element->volume;
        slope.mode[c / 3][c % 3] = r * element->rest[FLOOR] * shape.mode[c / 3][c % 3];
    }
    for (int c = 0; c < 3; ++c)
    {
        slope.mode[3][c] = last * shape.mode[3][c];
    }
    PushForward(law, shape.h, r, k, slope.mode);
    if (law != rsl_linearElement)
    {
        AddOuter(r, shape.mode, k, slope.h);
    }
    Compose(element, &slope, (Real)-1, f);
}

// dg = dF^T h + F^T dh
static inline void PullBackRate(rslElementLaw law, const Shape* shape, Shape* rate, Real (*dg)[3])
{
    PullBack(law, shape->h, rate->mode, dg);
    for (int p = 0; law != rsl_linearElement && p < 3; ++p)
    {
        for (int c = 0; c < 3; ++c)
        {
            const Real *h = shape->mode[p], *df = rate->h;
            dg[p][c] += df[c] * h[0] + df[3 + c] * h[1] + df[6 + c] * h[2];
        }
    }
}

// d(c h + F k) = c dh + dF k + F dk;  d(h k^T) = dh k^T + h dk^T
static void Stiffness(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Shape shape, rate, slope;
    Real g[3][3], k[3][3], dg[3][3], dk[3][3], r = Ratio(element), last = LastStiffness(element);
    Analyse(element, u, &shape);
    Analyse(element, p, &rate);
    PullBack(law, shape.h, shape.mode, g);
    PullBackRate(law, &shape, &rate, dg);
    BendTimes(element, element->rest[FLOOR], g, k);
    BendTimes(element, element->rest[FLOOR], dg, dk);
    LawDifferential(law, element->lambda, element->mu, shape.h, rate.h, slope.h);
    for (int c = 0; c < 9; ++c)
    {
        const Real* df = rate.h + c % 3 * 3;
        const Real* row = k[c / 3];
        Real turned = law == rsl_linearElement ? (Real)0 : df[0] * row[0] + df[1] * row[1] + df[2] * row[2];
        slope.h[c] *= element->volume;
        slope.mode[c / 3][c % 3] = r * (element->rest[FLOOR] * rate.mode[c / 3][c % 3] + turned);
    }
    for (int c = 0; c < 3; ++c)
    {
        slope.mode[3][c] = last * rate.mode[3][c];
    }
    PushForward(law, shape.h, r, dk, slope.mode);
    if (law != rsl_linearElement)
    {
        AddOuter(r, rate.mode, k, slope.h);
        AddOuter(r, shape.mode, dk, slope.h);
    }
    Compose(element, &slope, (Real)1, out);
}

static void LinearDamping(const Element* element, Real (*p)[3], Nodes out)
{
    Shape rate, slope;
    Real dk[3][3], r = Ratio(element), last = LastStiffness(element);
    Analyse(element, p, &rate);
    BendTimes(element, (Real)0, rate.mode, dk);
    LawDrag(rsl_linearElement, element->lambda, element->mu, rate.h, rate.h, slope.h);
    for (int c = 0; c < 9; ++c)
    {
        slope.h[c] *= element->volume;
        slope.mode[c / 3][c % 3] = r * dk[c / 3][c % 3];
    }
    for (int c = 0; c < 3; ++c)
    {
        slope.mode[3][c] = last * rate.mode[3][c];
    }
    Compose(element, &slope, (Real)1, out);
}

// y = R^T h turns with the element: dy = R^T dh - w x y. The power of its drag k.dy has the torque y x k in it.
static void Damping(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Shape shape, rate, slope;
    Spin spin;
    Real y[PATTERNS][3], dy[PATTERNS][3], k[PATTERNS][3], torque[3] = { 0, 0, 0 };
    if (law == rsl_linearElement)
    {
        LinearDamping(element, p, out);
        return;
    }
    Analyse(element, u, &shape);
    Analyse(element, p, &rate);
    FindSpin(shape.h, rate.h, &spin);
    const Real *q = spin.polar.r, *w = spin.w;
    for (int m = 0; m < PATTERNS; ++m)
    {
        const Real *h = shape.mode[m], *dh = rate.mode[m];
        for (int c = 0; c < 3; ++c)
        {
            y[m][c] = q[c] * h[0] + q[3 + c] * h[1] + q[6 + c] * h[2];
            dy[m][c] = q[c] * dh[0] + q[3 + c] * dh[1] + q[6 + c] * dh[2];
        }
        for (int c = 0; c < 3; ++c)
        {
            int i = (c + 1) % 3, j = (c + 2) % 3;
            dy[m][c] -= w[i] * y[m][j] - w[j] * y[m][i];
        }
    }
    BendTimes(element, (Real)0, dy, k);
    for (int m = 0; m < PATTERNS; ++m)
    {
        for (int c = 0; c < 3; ++c)
        {
            k[m][c] = m < 3 ? Ratio(element) * k[m][c] : LastStiffness(element) * dy[m][c];
        }
        for (int c = 0; c < 3; ++c)
        {
            int i = (c + 1) % 3, j = (c + 2) % 3;
            torque[c] += y[m][i] * k[m][j] - y[m][j] * k[m][i];
            slope.mode[m][c] = q[3 * c] * k[m][0] + q[3 * c + 1] * k[m][1] + q[3 * c + 2] * k[m][2];
        }
    }
    SpinDrag(&spin, element->lambda, element->mu, element->volume, torque, slope.h);
    Compose(element, &slope, (Real)1, out);
}

static void Stress(const Element* element, rslElementLaw law, Real (*u)[3], double stress[6])
{
    Shape shape;
    Analyse(element, u, &shape);
    LawCauchy(law, element->lambda, element->mu, shape.h, stress);
}

const ElementKind RSL_NAME(rslHexahedronElement) = {
    .nodeCount = 8,
    .restCount = NUMBERS,
    .rest = Rest,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .stress = Stress,
};
