// SPDX-License-Identifier: MIT
//
// stability_span.c: see stability_span.h.

#include "stability_span.h"

#include <math.h>
#include <stdbool.h>

double rslSpan_Square(double a[3][3], const double y[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            sum += y[i] * a[i][j] * y[j];
        }
    }
    return sum;
}

double rslSpan_Limit(rslSpan* span, const double y[3])
{
    double m = rslSpan_Square(span->m, y), c = rslSpan_Square(span->c, y);
    double k = span->spring * rslSpan_Square(span->k, y) - span->curl * rslSpan_Square(span->d, y);
    // h^2 k + 2 h c = 4 m, the smaller positive root in the form that does not cancel
    double root = c * c + 4.0 * m * k;
    double sum = c + (root > 0.0 ? sqrt(root) : 0.0);
    return sum > 0.0 && root >= 0.0 ? 4.0 * m / sum : INFINITY;
}

// By power iteration: the space is tiny. At steps up to the limit of C alone, A is not negative but for springs under strong pressure.
void rslSpan_Dominant(rslSpan* span, int size, double h, double y[3])
{
    // Cholesky of M with dependent directions left out, then power iteration of L^-1 A L^-T
    double lower[3][3] = { { 0 } }, a[3][3];
    bool used[3] = { false, false, false };
    for (int i = 0; i < size; ++i)
    {
        double pivot = span->m[i][i];
        for (int j = 0; j < i; ++j)
        {
            double sum = span->m[i][j];
            for (int l = 0; l < j; ++l)
            {
                sum -= lower[i][l] * lower[j][l];
            }
            lower[i][j] = used[j] ? sum / lower[j][j] : 0.0;
            pivot -= lower[i][j] * lower[i][j];
        }
        used[i] = pivot > 1e-12 * span->m[i][i];
        lower[i][i] = used[i] ? sqrt(pivot) : 1.0;
    }
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            double k = span->spring * span->k[i][j] - span->curl * span->d[i][j];
            a[i][j] = h * h * k + 2.0 * h * span->c[i][j];
        }
    }
    double z[3] = { 1.0, used[1] ? 0.5 : 0.0, used[2] ? 0.25 : 0.0 };
    for (int iteration = 0; iteration < 60; ++iteration)
    {
        double w[3];
        for (int i = 2; i >= 0; --i)  // y = L^-T z
        {
            double sum = z[i];
            for (int j = i + 1; j < 3; ++j)
            {
                sum -= lower[j][i] * y[j];
            }
            y[i] = i < size && used[i] ? sum / lower[i][i] : 0.0;
        }
        for (int i = 0; i < 3; ++i)  // w = L^-1 A y
        {
            double sum = a[i][0] * y[0] + a[i][1] * y[1] + a[i][2] * y[2];
            for (int j = 0; j < i; ++j)
            {
                sum -= lower[i][j] * w[j];
            }
            w[i] = i < size && used[i] ? sum / lower[i][i] : 0.0;
        }
        double norm = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        if (!(norm > 0.0))
        {
            return;
        }
        for (int i = 0; i < 3; ++i)
        {
            z[i] = w[i] / norm;
        }
    }
}
