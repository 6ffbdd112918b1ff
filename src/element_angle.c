// SPDX-License-Identifier: MIT
//
// element_angle.c: a triangle of springs along its edges, angular springs between them and a spring of its area. In plane
// stress it has any Poisson's ratio between -1 and 1, and at rest the stiffness of the linear triangle, exactly.
//
// Edge i is opposite to corner i; j and k are the others. l lengths, A area, capitals and a at rest (L, A0, a); x_i = cot a_i,
// so that x1 x2 + x2 x3 + x3 x1 = 1; t the thickness, V = t A0, K = E / (2 (1 - nu)) the modulus of area, mu shear.
//
// 1. The energy of an angular spring. Kirkwood's is c (angle - a)^2 / 2, whose forces c (angle - a) / l have no bound when an
//    edge vanishes, and neither would the stiffness. Here, equal to it at rest:
//
//      W_i = c_i l_j l_k / (L_j L_k) (1 - cos(angle_i - a_i)),    l_j l_k cos(angle_i - a_i) = cos a_i d_i + sin a_i 2 A
//
//    with d_i = (l_j^2 + l_k^2 - l_i^2) / 2 the product of its edges: of second degree in the lengths, like springs, so that
//    stiffness is bounded; never negative; without any arc. dW/dl_i / l_i, with X_i = cot angle_i, for dA/dl_i = l_i X_i / 2:
//
//      of its own edge j:  c_i / (L_j L_k) (l_k/l_j - cos a_i - sin a_i X_j) = c_i ((e_k - e_j) / (L_j l_j) - s_i (X_j - x_j))
//      of the other, i:   -c_i s_i (X_i - x_i)                               e = l/L - 1,  s_i = 2 A0 / (L_j L_k)^2
//
// 2. Identification. For small strain e_i of the edges, d angle_i = x_j (e_i - e_k) + x_k (e_i - e_j) and dA / A0 = sum x_i
//    (x_j + x_k) e_i; the element of plane stress has V mu |dev|^2 + V K / 2 (dA/A0)^2, whose mixed coefficient of e_i and e_j is
//    V (1 + x_k^2) (K x_i x_j - mu (1 - x_i x_j)). Springs k_i = kappa t x_i do not mix dilation with
//    shear; all others do (sum k_i L_i^2 n_i n_i ~ 1 has one solution). They have kappa of K; the area has the rest,
//
//      B = K - kappa,   W = B t A0 / 2 (A/A0 - 1)^2,
//      c_i = V (1 + x_i^2) (mu (1 - x_j x_k) - kappa (1 - 2 x_j x_k)).
//
//    kappa is the largest that leaves all of them non-negative; there is one, min(K, mu) or more, in every triangle that is not
//    obtuse. Equilateral: for nu < 1/3 kappa = K, B = 0 and, with two triangles at an edge,
//
//      k = E t / (sqrt(3) (1 - nu)),   c = E t L^2 (1 - 3 nu) / (6 sqrt(3) (1 - nu^2)),   nu = (1 - 6 c/(k L^2)) / (3 + 6 c/(k L^2)),
//
//    the last being Kot eq. 2.17; for nu > 1/3 kappa = 2 mu, c = 0, B = K - 2 mu; at 1/3 springs alone.
//
// 3. Obtuse triangles have no such springs: x_i < 0 is a negative spring, and a negative angular spring at kappa = 0. There a
//    lever between the edges of the obtuse angle completes its angular spring, with r = c = V mu (1 + x_i^2) and B = K:
//
//      W = r / 2 (e_j - e_k)^2,   both together:  mu V (|F|^2 / 2 - A/A0)  for all strain, zero for similar triangles alone.
//
// In space A is not signed: a triangle that is flat on the wrong side is at rest. There is no stiffness in bending. Damping is
// that of the lengths, with the matrix of K at rest in them: bounded, blind to rotations, alpha1 K at rest.

#include "element_angle.h"

// ---- identification -------------------------------------------------------------------------------------------------

static void Measure(AngleShape* shape, double (*x)[3], double length[3], double cotangent[3], double* area)
{
    double square[3], twice[3], edge[3][3];
    for (int i = 0; i < 3; ++i)
    {
        int j = Next(i), k = Next(j);
        square[i] = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            edge[i][axis] = x[k][axis] - x[j][axis];
            shape->edge[i][axis] = (Real)edge[i][axis];
            square[i] += edge[i][axis] * edge[i][axis];
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        int b = Next(axis), c = Next(b);
        twice[axis] = edge[0][b] * edge[1][c] - edge[0][c] * edge[1][b];
    }
    *area = 0.5 * sqrt(twice[0] * twice[0] + twice[1] * twice[1] + twice[2] * twice[2]);
    for (int i = 0; i < 3; ++i)
    {
        int j = Next(i), k = Next(j);
        length[i] = sqrt(square[i]);
        double product = edge[j][0] * edge[k][0] + edge[j][1] * edge[k][1] + edge[j][2] * edge[k][2];
        cotangent[i] = -product / (2.0 * *area);
    }
}

// The share of springs, kappa; 0 in an obtuse triangle. A right angle is one to the rounding of positions in single precision:
// its spring may be a hundred-thousandth below zero.
static double ShareOfSprings(const double x[3], double shear, double bulk)
{
    double kappa = bulk;
    for (int i = 0; i < 3; ++i)
    {
        double product = x[Next(i)] * x[Next(Next(i))];
        double most = 2.0 * product < 1.0 ? shear * (1.0 - product) / (1.0 - 2.0 * product) : kappa;
        kappa = most < kappa ? most : kappa;
        if (x[i] < -1e-5)
        {
            return 0.0;
        }
    }
    return kappa;
}

static void Identify(AngleShape* shape, const double x[3], double kappa, double shear, double thickness, double volume)
{
    for (int i = 0; i < 3; ++i)
    {
        double product = x[Next(i)] * x[Next(Next(i))];
        double c = shear * (1.0 - product) - kappa * (1.0 - 2.0 * product);
        c = kappa > 0.0 ? c : x[i] < 0.0 ? shear : 0.0;
        c = c > 0.0 ? volume * (1.0 + x[i] * x[i]) * c : 0.0;
        shape->spring[i] = (Real)(kappa * thickness * x[i]);
        shape->angle[i] = (Real)c;
        shape->lever[i] = (Real)(kappa > 0.0 ? 0.0 : c);
    }
}

// K in the lengths: a dilation e has the tension 2 K V dA/A0 of every edge, which leaves its own coefficient.
static void FindRates(AngleShape* shape, const double length[3], const double x[3], double shear, double bulk,
                      double volume)
{
    double mixed[3];
    for (int k = 0; k < 3; ++k)
    {
        int i = Next(k), j = Next(i);
        double product = x[i] * x[j];
        mixed[k] = volume * (1.0 + x[k] * x[k]) * (bulk * product - shear * (1.0 - product));
        shape->mixed[k] = (Real)(mixed[k] / (length[i] * length[j]));
    }
    for (int i = 0; i < 3; ++i)
    {
        int j = Next(i), k = Next(j);
        double own = 2.0 * bulk * volume * x[i] * (x[j] + x[k]) - mixed[j] - mixed[k];
        shape->rate[i] = (Real)(own / (length[i] * length[i]));
    }
}

static void Rest(Element* element, Real* rest, double (*x)[3], const rslElements* set, int index)
{
    double length[3], cotangent[3], area, thickness = (double)element->volume, turn = 0.0;
    double shear = set->young / (2.0 * (1.0 + set->poisson)), bulk = set->young / (2.0 * (1.0 - set->poisson));
    AngleShape* shape = (AngleShape*)(void*)rest;
    (void)index;
    Measure(shape, x, length, cotangent, &area);
    double volume = thickness * area, kappa = ShareOfSprings(cotangent, shear, bulk);
    Identify(shape, cotangent, kappa, shear, thickness, volume);
    FindRates(shape, length, cotangent, shear, bulk, volume);
    for (int i = 0; i < 3; ++i)
    {
        double product = length[Next(i)] * length[Next(Next(i))];
        turn += (double)shape->angle[i] * 2.0 * area / (product * product);
        shape->length[i] = (Real)length[i];
        shape->cotangent[i] = (Real)cotangent[i];
    }
    shape->area = (Real)area;
    shape->turn = (Real)turn;
    shape->swell = (Real)((bulk - kappa) * thickness);
    element->volume = (Real)volume;
}

// ---- what elements answer -------------------------------------------------------------------------------------------

// l_j l_k (1 - cos) = n^2 / (l_j l_k (1 + cos)) with n = l_j l_k sin(angle - a), while the cosine is positive.
static double AngleEnergy(const AngleShape* shape, const Triangle* t, int i)
{
    double length = (double)shape->length[Next(i)] * (double)shape->length[Next(Next(i))], area = (double)shape->area;
    double now = (double)t->length[Next(i)] * (double)t->length[Next(Next(i))];
    double sine = 2.0 * area / length, cosine = (double)shape->cotangent[i] * sine;
    double wider = 0.5 * (double)t->wider[i];
    double off = cosine * 2.0 * area * (double)t->less - sine * wider;
    double with = cosine * (cosine * length + wider) + sine * 2.0 * area * (1.0 + (double)t->less);
    double missing = with > 0.0 ? off * off / (now + with) : now - with;
    double lever = (double)t->strain[Next(i)] - (double)t->strain[Next(Next(i))];
    return (double)shape->angle[i] * missing / length + 0.5 * (double)shape->lever[i] * lever * lever;
}

static double Energy(const Element* element, rslElementLaw law, Real (*u)[3])
{
    (void)law;
    const AngleShape* shape = ShapeOf(element);
    Triangle t;
    LookAtAngles(shape, u, &t);
    double less = (double)t.less, sum = 0.5 * (double)shape->swell * (double)shape->area * less * less;
    for (int i = 0; i < 3; ++i)
    {
        double longer = (double)shape->length[i] * (double)t.strain[i];
        sum += 0.5 * (double)shape->spring[i] * longer * longer + AngleEnergy(shape, &t, i);
    }
    return sum;
}

static void Force(const Element* element, rslElementLaw law, Real (*u)[3], Nodes f)
{
    (void)law;
    Triangle t;
    LookAtAngles(ShapeOf(element), u, &t);
    AngleForce(ShapeOf(element), &t, f);
}

// With h = l dl of every edge: dA = sum X h / 2, dX = (2 (h_j + h_k - h_i) - 4 X dA) / 4 A.
static void Stiffness(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    (void)law;
    const AngleShape* shape = ShapeOf(element);
    Triangle t;
    Real tension[3], difference[3][3], h[3], strain[3], wider = 0;
    LookAtAngles(shape, u, &t);
    Tensions(shape, &t, tension);
    for (int i = 0; i < 3; ++i)
    {
        h[i] = AlongEdge(&t, p, i, difference[i]);
        strain[i] = h[i] / (t.length[i] * shape->length[i]);
        wider += (Real)0.5 * t.cotangent[i] * h[i];
    }
    Real area = shape->area * ((Real)1 + t.less), pressure = (Real)0.5 * shape->swell;
    ClearCorners(out);
    for (int i = 0; i < 3; ++i)
    {
        Real turn = ((Real)0.5 * (h[Next(i)] + h[Next(Next(i))] - h[i]) - t.cotangent[i] * wider) / area;
        Real fall = Straight(shape, t.strain, i) * h[i] / (t.length[i] * t.length[i]);
        Real change = (Straight(shape, strain, i) - fall) / t.length[i] - shape->turn * turn +
                      pressure * (wider / shape->area * t.cotangent[i] + t.less * turn);
        AddAlong(out, i, tension[i], difference[i]);
        AddAlong(out, i, change, t.edge[i]);
    }
}

static void Damping(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out)
{
    (void)law;
    Triangle t;
    LookAtAngles(ShapeOf(element), u, &t);
    AngleDamping(ShapeOf(element), &t, p, out);
}

// Tensions times edges over the volume, as if the thickness stayed.
static void Stress(const Element* element, rslElementLaw law, Real (*u)[3], double stress[6])
{
    static const int row[6] = { 0, 1, 2, 1, 2, 0 }, column[6] = { 0, 1, 2, 2, 0, 1 };
    (void)law;
    const AngleShape* shape = ShapeOf(element);
    Triangle t;
    Real tension[3];
    LookAtAngles(shape, u, &t);
    Tensions(shape, &t, tension);
    double volume = (double)element->volume * (1.0 + (double)t.less);
    for (int c = 0; c < 6; ++c)
    {
        stress[c] = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            stress[c] += (double)tension[i] * (double)t.edge[i][row[c]] * (double)t.edge[i][column[c]] / volume;
        }
    }
}

const ElementKind RSL_NAME(rslAngleElement) = {
    .nodeCount = 3,
    .restCount = sizeof(AngleShape) / sizeof(Real),
    .rest = Rest,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .stress = Stress,
};
