// SPDX-License-Identifier: MIT
//
// colour.c: see colour.h.
//
// The maps are paths through OKLab (Ottosson 2020) with lightness linear in the value, fitted by polynomials in each
// screen component to within 0.01. Sequential: L = 0.27 + 0.64 t while the hue turns from 300 to 110 degrees.
// Diverging: L = 0.89 - 0.45 |t| at hues 255 and 30, with the chroma rising from zero.

#include "colour.h"

static double Clamp(double x, double lower, double upper)
{
    // the first test is false for NaN as well
    return x > lower ? (x < upper ? x : upper) : lower;
}

static float Polynomial(const double* c, int degree, double t)
{
    double sum = c[degree];
    for (int i = degree - 1; i >= 0; --i)
    {
        sum = sum * t + c[i];
    }
    return (float)Clamp(sum, 0.0, 1.0);
}

rslColour rslColour_OfBody(int body)
{
    static const rslColour colours[8] = {
        { 0.90f, 0.50f, 0.36f }, { 0.30f, 0.58f, 0.80f }, { 0.94f, 0.76f, 0.36f }, { 0.42f, 0.70f, 0.52f },
        { 0.64f, 0.53f, 0.79f }, { 0.88f, 0.57f, 0.68f }, { 0.42f, 0.66f, 0.70f }, { 0.70f, 0.60f, 0.47f },
    };
    return colours[body & 7];
}

rslColour rslColour_Sequential(double t)
{
    static const double r[7] = { 0.1946, 0.1756, -1.0799, 3.3168, -9.3131, 14.1465, -6.5355 };
    static const double g[7] = { 0.0579, 1.1142, -0.6351, 0.7444, 0.2825, -0.876, 0.2296 };
    static const double b[7] = { 0.3406, 0.6979, 1.0026, -7.8629, 18.8759, -20.6023, 7.9081 };
    t = Clamp(t, 0.0, 1.0);
    return (rslColour){ Polynomial(r, 6, t), Polynomial(g, 6, t), Polynomial(b, 6, t) };
}

rslColour rslColour_Diverging(double t)
{
    static const double blue[3][5] = {
        { 0.8562, -0.934, -0.0903, 0.4024, -0.1757 },
        { 0.8569, -0.5158, -0.0415, -0.0123, 0.032 },
        { 0.8573, 0.0454, -0.0877, -0.3555, 0.1449 },
    };
    static const double red[3][5] = {
        { 0.8572, 0.1793, -0.3827, -0.1633, 0.1081 },
        { 0.8563, -0.7944, -0.1252, 0.2559, -0.0964 },
        { 0.8562, -0.9754, -0.0621, 0.4279, -0.1948 },
    };
    t = Clamp(t, -1.0, 1.0);
    const double(*c)[5] = t < 0.0 ? blue : red;
    double size = t < 0.0 ? -t : t;
    return (rslColour){ Polynomial(c[0], 4, size), Polynomial(c[1], 4, size), Polynomial(c[2], 4, size) };
}
