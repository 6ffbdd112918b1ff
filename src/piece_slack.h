// SPDX-License-Identifier: MIT
//
// piece_slack.h: how far the corners of a piece may move before it can be near collapse.
//
// If all corners move by at most d (but for a move of all of them together), then edges change by 2 d, and
//
//   6 V      by at most  S d + 12 L d^2 + 8 d^3       S the sum of the |n_i|, L the longest edge
//   2 A                  4 L d + 4 d^2
//   |n_i|                4 L d + 4 d^2                n_i twice the area vector of a face
//
// so that a piece above a level has a slack within which it stays there. Heights are h_i = 6 V / |n_i| or 2 A / |e_i|.

#pragma once

#include "repulsion.h"

// Below this part of the height at rest a piece is near; the rest is for rounding.
static const double rslNearPart = 0.5005;

// Not positive where a piece is already below.
typedef struct rslPieceSlack
{
    double measure;  // until twice the area or six times the volume has fallen to a level [m]
    double height;   // until a height has fallen to rslNearPart of that at rest [m]
} rslPieceSlack;

// The corners x; the level of the measure; heights at rest, NULL: they do not matter.
rslPieceSlack rslPiece_Slack(rslPieceKind kind, const rslVec3* x, double level, const double* height);

// A lower bound of the d at which a d + b d^2 + c d^3 = room, which is exact to first order; not positive where room is not.
static inline double rslReach(double room, double a, double b, double c)
{
    double first = room / a, d = first > 0.0 ? first : 0.0;
    return room / (a + d * (b + c * d));
}

// Edges alone. Let C = F^T F be the deformation of a piece, g_i the gradients of its barycentric coordinates at rest and
// q_ij = l^2/L^2 - 1 of its edges. C is linear in them,
//
//   C - 1 = - sum_{i<j} q_ij L_ij^2 (g_i g_j^T + g_j g_i^T) / 2
//
// and h_i / h0_i = |g_i| / |F^-T g_i| >= sigma_min(F), p / p0 = sqrt(det C). So while |q_ij| <= q and q s <= 0.62, s the largest
// Frobenius norm of C - 1 over all q_ij = +-1, no height is below sqrt(1 - 0.62) of that at rest and no measure below
// (1 - 0.62 / sqrt 3)^(3/2) = 0.514. (Norms grow with q, and are largest at a corner of the cube |q_ij| <= q.) That a piece has not
// been turned inside out, which edges do not see, is for those who move nodes to know.
//
// The limit of q for a piece with the corners x at rest, a little less for rounding.
double rslPiece_Limit(rslPieceKind kind, const rslVec3* x);
