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

// Parts of all ties; sum weight part = sum weight.
void rslShare_Fit(rslTie* ties, size_t count, bool flat);
