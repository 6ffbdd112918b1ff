// SPDX-License-Identifier: MIT
//
// share_fit.h: constants of many springs that are isotropic together.
//
// Springs with the weights w = k l^2 along n have the affine tensor
//
//   C_ijkl = sum w n_i n_j n_k n_l / V                    its trace C_iijj = sum w / V
//
// Equal k in all elements of a mesh do not make it isotropic: heights of tetrahedra stand along the axes of the grid that the mesh was
// made on more often than between them, and E along the axes is up to a third above the mean. Looked for are factors p as near
// to 1 as can be, sum w (p - 1)^2 = min, with
//
//   sum w p n n n n = trace / 15 (dd + dd + dd), d Kronecker's       in the plane / 8
//
// Lagrange's conditions say that p is a form of degree four, p = sum_r c_r m_r(n) over the 15 monomials m of n (5 in the plane), and
// sum_r (sum w m_q m_r) c_r = T_q. Where there are too few directions for that, the nearest is taken (eigenvalues that
// are zero are left out); where a p would be less than a fifth, all go part of the way only.

#pragma once

#include "resilin/base.h"

#include <stddef.h>

typedef struct rslTie
{
    rslVec3 n;  // unit vector; in the plane without z
    double weight;
    double part;  // p; out
} rslTie;

enum
{
    RSL_FORM = 15  // monomials of degree four in three variables; those of the plane are the first 5
};

// sum w p m of all monomials; that of an isotropic tensor with a trace.
void rslShare_Tensor(const rslTie* ties, size_t count, bool flat, double t[RSL_FORM]);
void rslShare_Isotropic(double trace, bool flat, double t[RSL_FORM]);

// Parts of all ties with which they have the tensor t, whose trace is the sum of their weights.
void rslShare_Fit(rslTie* ties, size_t count, bool flat, const double t[RSL_FORM]);

// The largest component by which s and t differ.
double rslShare_Difference(const double s[RSL_FORM], const double t[RSL_FORM], bool flat);
