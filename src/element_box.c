// SPDX-License-Identifier: MIT
//
// element_box.c: Baudet's parallelepiped (box.c has its constants): springs along the edges and the diagonals of a rectangular
// box, and a correction by the mean strains of its edges, all from one energy:
//
//   W = 1/2 sum k dL^2 + V/2 sum M_ij e_i e_j,   e_i = D_i / (4 h_i),  D_i = sum of dL over the four edges along i
//
//   T = k dL                           of a diagonal
//   T = k dL + sum_j N_ij D_j          of an edge along i, N_ij = V M_ij / (16 h_i h_j)
//   dT = k n.dp + sum_j N_ij dD_j,     dD_j = sum of n.dp over the edges along j
//   K p:  dT n + T/L (dp - n (n.dp)) at both ends, with opposite signs
//
// Elongations are true ones and every force is along a spring as it lies: momentum and angular momentum are kept, and no rigid
// motion is felt. Damping is dT n in rates: alpha1 K at rest. Where diagonals hold what M takes from the edges (3 lambda < mu,
// nu < 1/8) both are only as definite as the box is near its shape at rest: at nu = 0 while no edge is stretched 6 times as
// much as the others, at nu = -1/2 1.75 times.
//
// Corner c is at x = c & 1, y = c >> 1 & 1, z = c >> 2. Constants are kept over the volume.

#include "bond.h"
#include "box.h"
#include "element_law.h"

enum
{
    AXES = 0,               // edges at rest along the three axes of the box
    LENGTH = AXES + 9,      // h
    EDGE = LENGTH + 3,      // k_i / V
    DIAGONAL = EDGE + 3,    // k / V of the faces normal to an axis
    COUPLE = DIAGONAL + 3,  // N_ij / V: xx yy zz yz zx xy
    FACES = COUPLE + 6,     // 1: the diagonals are those of faces
    NUMBERS,
    EDGES = 12,
    SPRINGS_MOST = 24
};

typedef struct Spring
{
    int a, b;
    Real k;  // over the volume
    Bond bond;
} Spring;

static void Rest(Element* element, Real* rest, double (*x)[3], const rslElements* set, int index)
{
    (void)index;
    double h[3];
    for (int i = 0; i < 3; ++i)
    {
        double square = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            double d = x[1 << i][axis] - x[0][axis];
            rest[AXES + 3 * i + axis] = (Real)d;
            square += d * d;
        }
        h[i] = sqrt(square);
        rest[LENGTH + i] = (Real)h[i];
    }
    double volume = h[0] * h[1] * h[2];
    rslBox box = rslBox_Make(h, (double)element->lambda, (double)element->mu, set->edgeModulus, set->faceDiagonals);
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        rest[EDGE + i] = (Real)(box.edge[i] / volume);
        rest[DIAGONAL + i] = (Real)(box.diagonal[i] / volume);
        rest[COUPLE + i] = (Real)(box.couple[i] / (16.0 * h[i] * h[i]));
        rest[COUPLE + 3 + i] = (Real)(box.couple[3 + i] / (16.0 * h[j] * h[k]));
    }
    rest[FACES] = set->faceDiagonals ? (Real)1 : (Real)0;
    element->volume = (Real)((double)element->volume * volume);
}

// ---- springs --------------------------------------------------------------------------------------------------------

static Spring MakeSpring(const Element* element, Real (*u)[3], int a, int b, Real k)
{
    Real d0[3] = { 0, 0, 0 }, du[3], square = 0;
    for (int i = 0; i < 3; ++i)
    {
        Real steps = (Real)((b >> i & 1) - (a >> i & 1));
        square += steps * steps * element->rest[LENGTH + i] * element->rest[LENGTH + i];
        for (int axis = 0; axis < 3; ++axis)
        {
            d0[axis] += steps * element->rest[AXES + 3 * i + axis];
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        du[axis] = u[b][axis] - u[a][axis];
    }
    return (Spring){ a, b, k, MakeBond(d0, du, SquareRoot(square), (Real)0) };
}

// Four edges along x, four along y, four along z, then the diagonals. Returns how many there are.
static int MakeSprings(const Element* element, Real (*u)[3], Spring springs[SPRINGS_MOST])
{
    const Real* rest = element->rest;
    int count = 0;
    for (int n = 0; n < 3; ++n)
    {
        int i = 1 << (n + 1) % 3, j = 1 << (n + 2) % 3, k = 1 << n;
        for (int c = 0; c < 4; ++c)
        {
            int a = (c & 1 ? i : 0) + (c & 2 ? j : 0);
            springs[count++] = MakeSpring(element, u, a, a + k, rest[EDGE + n]);
        }
    }
    for (int a = 0; rest[FACES] == (Real)0 && a < 4; ++a)
    {
        springs[count++] = MakeSpring(element, u, a, 7 - a, rest[DIAGONAL]);
    }
    for (int n = 0; rest[FACES] != (Real)0 && n < 3; ++n)
    {
        int i = 1 << (n + 1) % 3, j = 1 << (n + 2) % 3;
        for (int side = 0; side < 2; ++side)
        {
            int a = side << n;
            springs[count++] = MakeSpring(element, u, a, a + i + j, rest[DIAGONAL + n]);
            springs[count++] = MakeSpring(element, u, a + i, a + j, rest[DIAGONAL + n]);
        }
    }
    return count;
}

// c_i = sum_j N_ij D_j
static void Correct(const Element* element, const Real d[3], Real c[3])
{
    const Real* n = element->rest + COUPLE;
    c[0] = n[0] * d[0] + n[5] * d[1] + n[4] * d[2];
    c[1] = n[5] * d[0] + n[1] * d[1] + n[3] * d[2];
    c[2] = n[4] * d[0] + n[3] * d[1] + n[2] * d[2];
}

// D of elongations.
static void Sum(const Spring* springs, Real d[3])
{
    for (int i = 0; i < 3; ++i)
    {
        const Spring* s = springs + 4 * i;
        d[i] = (s[0].bond.elongation + s[1].bond.elongation) + (s[2].bond.elongation + s[3].bond.elongation);
    }
}

// T / L over the volume, of every spring. Returns how many there are.
static int FindTensions(const Element* element, Real (*u)[3], Spring springs[SPRINGS_MOST], Real t[SPRINGS_MOST])
{
    Real d[3], c[3];
    int count = MakeSprings(element, u, springs);
    Sum(springs, d);
    Correct(element, d, c);
    for (int s = 0; s < count; ++s)
    {
        const Bond* bond = &springs[s].bond;
        t[s] = (springs[s].k * bond->elongation + (s < EDGES ? c[s / 4] : (Real)0)) / bond->length;
    }
    return count;
}

// ---- what is asked --------------------------------------------------------------------------------------------------

static double Energy(const Element* element, rslElementLaw law, Real (*u)[3])
{
    (void)law;
    Spring springs[SPRINGS_MOST];
    Real d[3], c[3];
    double sum = 0.0;
    int count = MakeSprings(element, u, springs);
    Sum(springs, d);
    Correct(element, d, c);
    for (int s = 0; s < count; ++s)
    {
        double elongation = (double)springs[s].bond.elongation;
        sum += (double)springs[s].k * elongation * elongation;
    }
    for (int i = 0; i < 3; ++i)
    {
        sum += (double)c[i] * (double)d[i];
    }
    return 0.5 * (double)element->volume * sum;
}

static void Clear(Nodes out)
{
    for (int c = 0; c < ELEMENT_NODES; ++c)
    {
        out[c][0] = out[c][1] = out[c][2] = 0;
    }
}

static void Force(const Element* element, rslElementLaw law, Real (*u)[3], Nodes f)
{
    (void)law;
    Spring springs[SPRINGS_MOST];
    Real t[SPRINGS_MOST];
    int count = FindTensions(element, u, springs, t);
    Clear(f);
    for (int s = 0; s < count; ++s)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            Real pull = element->volume * t[s] * springs[s].bond.d[axis];
            f[springs[s].a][axis] += pull;
            f[springs[s].b][axis] -= pull;
        }
    }
}

// T/L is left out for damping.
static void Product(const Element* element, Real (*u)[3], Real (*p)[3], bool damping, Nodes out)
{
    Spring springs[SPRINGS_MOST];
    Real t[SPRINGS_MOST], along[SPRINGS_MOST], d[3] = { 0, 0, 0 }, c[3];
    int count = FindTensions(element, u, springs, t);
    for (int s = 0; s < count; ++s)
    {
        const Real *from = p[springs[s].a], *to = p[springs[s].b], *e = springs[s].bond.d;
        along[s] =
            (e[0] * (to[0] - from[0]) + e[1] * (to[1] - from[1]) + e[2] * (to[2] - from[2])) / springs[s].bond.length;
        d[s / 4 % 3] += s < EDGES ? along[s] : (Real)0;
    }
    Correct(element, d, c);
    Clear(out);
    for (int s = 0; s < count; ++s)
    {
        int a = springs[s].a, b = springs[s].b;
        Real turn = damping ? (Real)0 : t[s];
        Real tension = springs[s].k * along[s] + (s < EDGES ? c[s / 4] : (Real)0);
        Real stretch = (tension - turn * along[s]) / springs[s].bond.length;
        for (int axis = 0; axis < 3; ++axis)
        {
            Real pull = element->volume * (stretch * springs[s].bond.d[axis] + turn * (p[b][axis] - p[a][axis]));
            out[a][axis] -= pull;
            out[b][axis] += pull;
        }
    }
}

static void Stiffness(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    (void)law;
    Product(element, u, p, false, out);
}

static void Damping(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    (void)law;
    Product(element, u, p, true, out);
}

// The gradient of the displacement, mean over the box: how the mean edges have changed.
static void MeanGradient(const Element* element, const Spring* springs, Matrix h)
{
    const Real *rest = element->rest + AXES, *length = element->rest + LENGTH;
    for (int r = 0; r < 3; ++r)
    {
        for (int c = 0; c < 3; ++c)
        {
            h[3 * r + c] = 0;
            for (int i = 0; i < 3; ++i)
            {
                const Spring* s = springs + 4 * i;
                Real mean = (Real)0.25 * (s[0].bond.d[r] + s[1].bond.d[r] + s[2].bond.d[r] + s[3].bond.d[r]);
                h[3 * r + c] += (mean - rest[3 * i + r]) * rest[3 * i + c] / (length[i] * length[i]);
            }
        }
    }
}

// sum of T/L d d^T over the volume that the box has now
static void Stress(const Element* element, rslElementLaw law, Real (*u)[3], double stress[6])
{
    (void)law;
    static const int rows[6] = { 0, 1, 2, 1, 2, 0 }, columns[6] = { 0, 1, 2, 2, 0, 1 };
    Spring springs[SPRINGS_MOST];
    Real t[SPRINGS_MOST];
    Matrix h, cofactor;
    int count = FindTensions(element, u, springs, t);
    MeanGradient(element, springs, h);
    double j = 1.0 + (double)CofactorLessOne(h, cofactor);
    for (int c = 0; c < 6; ++c)
    {
        double sum = 0.0;
        for (int s = 0; s < count; ++s)
        {
            const Real* d = springs[s].bond.d;
            sum += (double)t[s] * (double)d[rows[c]] * (double)d[columns[c]];
        }
        stress[c] = fabs(j) > 1e-6 ? sum / j : 0.0;
    }
}

const ElementKind RSL_NAME(rslBoxElement) = {
    .nodeCount = 8,
    .restCount = NUMBERS,
    .rest = Rest,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .stress = Stress,
};
