// SPDX-License-Identifier: MIT
//
// stability_span.h: the motion that an integrator loses first (stability_search.c) among those spanned by up to three vectors.

#pragma once

// Products of the vectors, two by two.
typedef struct rslSpan
{
    double m[3][3], k[3][3], c[3][3], d[3][3];  // M, K, C, C M^-1 C
    double spring, curl;                        // what K and -C M^-1 C count with
} rslSpan;

// y.a y
double rslSpan_Square(double a[3][3], const double y[3]);

// The h at which the vector y reaches z = -1; infinite when it never does.
double rslSpan_Limit(rslSpan* span, const double y[3]);

// The dominant vector of A y = l M y among the first `size`, A = h^2 (spring K - curl C M^-1 C) + 2 h C.
void rslSpan_Dominant(rslSpan* span, int size, double h, double y[3]);
