// SPDX-License-Identifier: MIT
//
// element_brick.c: a cube of edge a that a shape may cut, the moment brick: one point with all of the material's law, and
// springs for what that point does not see.
//
// F = 1 + H, H = sum u_n b_n^T: the mean of the deformation gradient over what is filled, exact for trilinear shape functions
// N_n, with b_n = < grad N_n >. A spring s between two corners has the rest vector d, the vector v = d + (u_q - u_p), and
// y = F d is what v would be if all of the brick had the mean deformation. With L = |v|, l = |y|:
//   W = V psi(F) + 1/2 sum k (L - l)^2                                                       V: filled volume
// So springs feel nothing of any affine motion, whatever their constants: moduli are exact for every cut (V b_n is the integral
// of grad N_n, so the forces of a uniform stress are those that it has on the surface). What is left is bending and twisting;
// build_bricks.c says which constants are right for it.
//
//   n = v/L, h = y/l, t = k (L - l)
//   L - l = w.(v + y) / (L + l),  w = v - y = (u_q - u_p) - H d         no cancellation, as in bond.h
//   dW/dF   = V P(F) - sum t h d^T
//   force_n = -(dW/dF) b_n, and t n towards the other end of each spring
//   d(L - l) = n.dv - h.dy = n.(dv - dy) + (n - h).dy,  n - h = (w - (L - l) h) / L
//   d(t n)  = k d(L - l) n + t/L (dv - n n.dv),  d(t h) likewise with y and l
// All lengths are blind to rotations and sum b_n = 0: momentum and angular momentum stay. The corner 0 takes minus the sum of
// the others, so that this holds to rounding in single precision too. The linear law has n = h = d/|d| throughout.
// Damping: the drag of the law in F, and k d(L - l)/dt in each spring; it is K at rest, dissipates always, and sees no rotation.

#include "bond.h"
#include "brick.h"
#include "element_law.h"

#include <string.h>

enum
{
    EDGE = RSL_BRICK_NUMBERS,  // a
    NUMBERS
};

static void Rest(Element* element, Real* rest, double (*x)[3], const rslElements* set, int index)
{
    double a = x[1][0] - x[0][0];
    int record = set->record != NULL ? set->record[index] : 0;
    const double* from = set->constants + (size_t)RSL_BRICK_NUMBERS * (size_t)record;
    for (int i = 0; i < RSL_BRICK_NUMBERS; ++i)
    {
        // b_n; k / (mu V)
        rest[i] = (Real)(i < RSL_BRICK_STIFFNESS ? from[i] / a : from[i] / (a * a));
    }
    rest[EDGE] = (Real)a;
    element->volume = (Real)((double)element->volume * (a * a * a));
}

// ---- the mean -------------------------------------------------------------------------------------------------------

static inline void Gradient(const Element* element, Real (*u)[3], Matrix h)
{
    const Real* b = element->rest;
    for (int c = 0; c < 9; ++c)
    {
        h[c] = 0;
    }
    for (int n = 1; n < 8; ++n)
    {
        for (int c = 0; c < 9; ++c)
        {
            h[c] += (u[n][c / 3] - u[0][c / 3]) * b[3 * n + c % 3];
        }
    }
}

// out_n += p b_n
static inline void AddMean(const Element* element, const Matrix p, Nodes out)
{
    const Real* b = element->rest;
    for (int n = 1; n < 8; ++n)
    {
        for (int r = 0; r < 3; ++r)
        {
            Real one = p[3 * r] * b[3 * n] + p[3 * r + 1] * b[3 * n + 1] + p[3 * r + 2] * b[3 * n + 2];
            out[n][r] += one;
            out[0][r] -= one;
        }
    }
}

// ---- springs --------------------------------------------------------------------------------------------------------

static inline Real Dot(const Real a[3], const Real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// What the springs of one direction have in common.
typedef struct Line
{
    Real d[3], rest;    // and its length
    Real hd[3];         // H d
    Real y[3], length;  // F d, l
    Real h[3];
} Line;

static inline Line MakeLine(const Element* element, rslElementLaw law, const Matrix gradient, int direction)
{
    Real a = element->rest[EDGE];
    Line line = { .rest = direction < 3 ? a : a * (Real)1.4142135623730951 };
    for (int c = 0; c < 3; ++c)
    {
        line.d[c] = a * (Real)rslBrickDirections[direction][c];
    }
    for (int r = 0; r < 3; ++r)
    {
        line.hd[r] = Dot(gradient + 3 * r, line.d);
        line.y[r] = line.d[r] + (law == rsl_linearElement ? (Real)0 : line.hd[r]);
    }
    Real s = (Real)2 * Dot(line.d, line.hd) + Dot(line.hd, line.hd);
    line.length = law == rsl_linearElement ? line.rest : SquareRoot(BondLengthSquared(line.rest, s));
    Real inverse = (Real)1 / line.length;
    for (int c = 0; c < 3; ++c)
    {
        line.h[c] = line.y[c] * inverse;
    }
    return line;
}

typedef struct Spring
{
    Real w[3], n[3];
    Real length;      // L
    Real elongation;  // L - l
} Spring;

static inline Spring MakeSpring(const Line* line, rslElementLaw law, const Real p[3], const Real q[3])
{
    Spring spring = { .length = line->length };
    const Real du[3] = { q[0] - p[0], q[1] - p[1], q[2] - p[2] };
    for (int c = 0; c < 3; ++c)
    {
        spring.w[c] = du[c] - line->hd[c];
        spring.n[c] = line->h[c];
    }
    if (law == rsl_linearElement)
    {
        spring.elongation = Dot(spring.w, line->h);
        return spring;
    }
    Real sum[3];
    Bond bond = MakeBond(line->d, du, line->rest, (Real)0);
    Real inverse = (Real)1 / bond.length;
    for (int c = 0; c < 3; ++c)
    {
        sum[c] = bond.d[c] + line->y[c];
        spring.n[c] = bond.d[c] * inverse;
    }
    spring.length = bond.length;
    spring.elongation = Dot(spring.w, sum) / (bond.length + line->length);
    return spring;
}

// d(L - l) of ends that move by dp and dq, where the mean moves the spring by dy.
static inline Real Rate(const Line* line, const Spring* spring, rslElementLaw law, const Real dv[3], const Real dy[3])
{
    const Real apart[3] = { dv[0] - dy[0], dv[1] - dy[1], dv[2] - dy[2] };
    Real rate = Dot(spring->n, apart);
    if (law != rsl_linearElement)
    {
        rate += (Dot(spring->w, dy) - spring->elongation * Dot(line->h, dy)) / spring->length;
    }
    return rate;
}

// out_q += t, out_p -= t
static inline void Pull(int spring, const Real t[3], Nodes out)
{
    for (int c = 0; c < 3; ++c)
    {
        out[rslBrickSprings[spring][1]][c] += t[c];
        out[rslBrickSprings[spring][0]][c] -= t[c];
    }
}

// p -= t d^T
static inline void Oppose(const Line* line, const Real t[3], Matrix p)
{
    for (int c = 0; c < 9; ++c)
    {
        p[c] -= t[c / 3] * line->d[c % 3];
    }
}

static inline Real Constant(const Element* element, int spring)
{
    return element->volume * element->mu * element->rest[RSL_BRICK_STIFFNESS + spring];
}

// ---- the element ----------------------------------------------------------------------------------------------------

static double Energy(const Element* element, rslElementLaw law, Real (*u)[3])
{
    Matrix h;
    double sum = 0.0;
    Gradient(element, u, h);
    for (int d = 0; d < RSL_BRICK_DIRECTIONS; ++d)
    {
        Line line = MakeLine(element, law, h, d);
        for (int s = rslBrick_Start(d); s < rslBrick_Start(d + 1); ++s)
        {
            Spring spring = MakeSpring(&line, law, u[rslBrickSprings[s][0]], u[rslBrickSprings[s][1]]);
            sum += (double)Constant(element, s) * (double)spring.elongation * (double)spring.elongation;
        }
    }
    return (double)element->volume * LawDensity(law, element->lambda, element->mu, h) + 0.5 * sum;
}

static void Force(const Element* element, rslElementLaw law, Real (*u)[3], Nodes f)
{
    Matrix h, p;
    memset(f, 0, sizeof(Nodes));
    Gradient(element, u, h);
    LawStress(law, element->lambda, element->mu, h, p);
    for (int c = 0; c < 9; ++c)
    {
        p[c] *= -element->volume;
    }
    for (int d = 0; d < RSL_BRICK_DIRECTIONS; ++d)
    {
        Line line = MakeLine(element, law, h, d);
        Real total = 0;
        for (int s = rslBrick_Start(d); s < rslBrick_Start(d + 1); ++s)
        {
            Spring spring = MakeSpring(&line, law, u[rslBrickSprings[s][0]], u[rslBrickSprings[s][1]]);
            Real t = Constant(element, s) * -spring.elongation;
            total += t;
            Pull(s, (Real[3]){ t * spring.n[0], t * spring.n[1], t * spring.n[2] }, f);
        }
        Oppose(&line, (Real[3]){ total * line.h[0], total * line.h[1], total * line.h[2] }, p);
    }
    AddMean(element, p, f);
}

// K p, or without tensions what damps: k d(L - l) in every spring.
static inline void Product(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], bool tensions,
                           Nodes out)
{
    Matrix h, df, dp;
    memset(out, 0, sizeof(Nodes));
    Gradient(element, u, h);
    Gradient(element, p, df);
    (tensions ? LawDifferential : LawDrag)(law, element->lambda, element->mu, h, df, dp);
    tensions = tensions && law != rsl_linearElement;
    for (int c = 0; c < 9; ++c)
    {
        dp[c] *= element->volume;
    }
    for (int d = 0; d < RSL_BRICK_DIRECTIONS; ++d)
    {
        Line line = MakeLine(element, law, h, d);
        const Real dy[3] = { Dot(df, line.d), Dot(df + 3, line.d), Dot(df + 6, line.d) };
        Real total = 0, tension = 0, along = Dot(line.h, dy);
        for (int s = rslBrick_Start(d); s < rslBrick_Start(d + 1); ++s)
        {
            const int from = rslBrickSprings[s][0], to = rslBrickSprings[s][1];
            Spring spring = MakeSpring(&line, law, u[from], u[to]);
            const Real dv[3] = { p[to][0] - p[from][0], p[to][1] - p[from][1], p[to][2] - p[from][2] };
            Real k = Constant(element, s), dt = k * Rate(&line, &spring, law, dv, dy);
            Real t = tensions ? k * spring.elongation : (Real)0, turn = t / spring.length, part = Dot(spring.n, dv);
            Real pull[3];
            for (int c = 0; c < 3; ++c)
            {
                pull[c] = dt * spring.n[c] + turn * (dv[c] - part * spring.n[c]);
            }
            total += dt;
            tension += t;
            Pull(s, pull, out);
        }
        Real turn = tension / line.length, back[3];
        for (int c = 0; c < 3; ++c)
        {
            back[c] = total * line.h[c] + turn * (dy[c] - along * line.h[c]);
        }
        Oppose(&line, back, dp);
    }
    AddMean(element, dp, out);
}

static void Stiffness(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Product(element, law, u, p, true, out);
}

static void Damping(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    Product(element, law, u, p, false, out);
}

static void Stress(const Element* element, rslElementLaw law, Real (*u)[3], double stress[6])
{
    Matrix h;
    Gradient(element, u, h);
    LawCauchy(law, element->lambda, element->mu, h, stress);
}

const ElementKind RSL_NAME(rslBrickElement) = {
    .nodeCount = 8,
    .restCount = NUMBERS,
    .rest = Rest,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .stress = Stress,
};
