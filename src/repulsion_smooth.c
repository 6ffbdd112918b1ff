// SPDX-License-Identifier: MIT
//
// repulsion_smooth.c: cells of lattices that are deformed smoothly, LANES at a time, all pieces of a cell at once.
//
// As of all cells of a chunk (repulsion_cells.c): columns of M are the middles of the bounds of the four edges along each axis, w_k
// the sum of the halves of their widths, and F of every piece is M + D with |D_kj| <= w_k. With det M > 0, since s1 s2 <= (s1^2 + s2^2) / 2,
//
//   sigma_min M = s3 = det M / (s1 s2) >= 2 det M / (|M|^2 - s3^2),  and so is what any smaller s3 on the right gives.
//
// Nodes that move by d_k along axis k, d in all, add t_k = 2 d_k / a to w_k. With f_k the sums |cof M|_kj and g the largest sum
// 2 |M_kj| of a row, the bounds of the chunk become
//
//   sigma_min F >= sigma_min M - sqrt(3) (|w| + 2 d / a)
//   det F       >= det M - less(w) - A t - B t^2 - 1.16 t^3,   A = |f| + 2 g |w| + 3.5 |w|^2,  B = g + 3.5 |w|,   t = 2 d / a
//
// by Cauchy's inequality, and  x y + y z + z x <= |.|^2,  x y z <= |.|^3 / 3^(3/2).

#include "repulsion_lanes.h"

#define LookAtLanes RSL_NAME(rslRepulsion_LookAtSmoothLanes)

static const double rounding = 1e-5;  // of sigma_min

RSL_INLINE Real Size(Real x)
{
    return x < (Real)0 ? -x : x;
}

RSL_INLINE Real Larger(Real a, Real b)
{
    return a > b ? a : b;
}

RSL_INLINE Real Smaller(Real a, Real b)
{
    return a < b ? a : b;
}

// The middle of four numbers; half of their width is added to w.
RSL_INLINE Real Span(Real a, Real b, Real c, Real d, Real inverse, Real* w)
{
    Real low = Smaller(Smaller(a, b), Smaller(c, d)), high = Larger(Larger(a, b), Larger(c, d));
    *w += (Real)0.5 * (high - low) * inverse;
    return (Real)0.5 * (low + high) * inverse;
}

// Along axis k: displacements of the four rows of nodes, from a cell's first corner on.
typedef struct Rows
{
    const Real *p, *q, *r, *s;
} Rows;

// A row of M, beside that of 1, and its w.
RSL_INLINE void FindRow(const Rows* u, int i, Real inverse, Real* x, Real* y, Real* z, Real* w)
{
    Real p0 = u->p[i], p1 = u->p[i + 1], q0 = u->q[i], q1 = u->q[i + 1];
    Real r0 = u->r[i], r1 = u->r[i + 1], s0 = u->s[i], s1 = u->s[i + 1];
    Real wide = (((p0 + p1) + (q0 + q1)) + ((r0 + r1) + (s0 + s1))) * (Real)0;  // bounds may miss what is not a number
    *x += Span(p1 - p0, q1 - q0, r1 - r0, s1 - s0, inverse, &wide);
    *y += Span(q0 - p0, q1 - p1, s0 - r0, s1 - r1, inverse, &wide);
    *z += Span(r0 - p0, r1 - p1, s0 - q0, s1 - q1, inverse, &wide);
    *w = wide;
}

// Slacks over the spacing. No loops within the one over lanes, so that it becomes one of vectors.
RSL_CLONES static void LookAtLanes(const Rows u[3], Real inverse, Real* restrict measure, Real* restrict height)
{
    const Rows ux = u[0], uy = u[1], uz = u[2];
    for (int i = 0; i < LANES; ++i)
    {
        Real xx = 1, xy = 0, xz = 0, yx = 0, yy = 1, yz = 0, zx = 0, zy = 0, zz = 1, u0, u1, u2;
        FindRow(&ux, i, inverse, &xx, &xy, &xz, &u0);
        FindRow(&uy, i, inverse, &yx, &yy, &yz, &u1);
        FindRow(&uz, i, inverse, &zx, &zy, &zz, &u2);
        Real a0 = yy * zz - yz * zy, a1 = yz * zx - yx * zz, a2 = yx * zy - yy * zx;
        Real b0 = zy * xz - zz * xy, b1 = zz * xx - zx * xz, b2 = zx * xy - zy * xx;
        Real c0 = xy * yz - xz * yy, c1 = xz * yx - xx * yz, c2 = xx * yy - xy * yx;
        Real f0 = Size(a0) + Size(a1) + Size(a2), f1 = Size(b0) + Size(b1) + Size(b2);
        Real f2 = Size(c0) + Size(c1) + Size(c2), det = xx * a0 + xy * a1 + xz * a2;
        Real g0 = (Real)2 * (Size(xx) + Size(xy) + Size(xz)), g1 = (Real)2 * (Size(yx) + Size(yy) + Size(yz));
        Real g2 = (Real)2 * (Size(zx) + Size(zy) + Size(zz)), g = Larger(Larger(g0, g1), g2);
        Real all = (xx * xx + xy * xy + xz * xz) + (yx * yx + yy * yy + yz * yz) + (zx * zx + zy * zy + zz * zz);
        Real less = u0 * f0 + u1 * f1 + u2 * f2 + g0 * u1 * u2 + g1 * u2 * u0 + g2 * u0 * u1 + (Real)6 * u0 * u1 * u2;
        Real w = SquareRoot(u0 * u0 + u1 * u1 + u2 * u2), twice = Larger(det + det, (Real)0);
        Real s = twice / all;
        s = twice / (all - s * s);
        s = twice / (all - s * s);
        height[i] = (s - (Real)(rslNearPart + rounding) - (Real)1.7321 * w) * (Real)0.28867;
        Real room = det - less - (Real)freeLevel;
        Real first = SquareRoot(f0 * f0 + f1 * f1 + f2 * f2) + w * (g + g + (Real)3.5 * w);
        Real t = Larger(room / first, (Real)0);
        measure[i] = (Real)0.5 * (room / (first + t * (g + (Real)3.5 * w + (Real)1.16 * t)));
    }
}

rslPieceSlack RSL_NAME(rslRepulsion_LookAtSmooth)(Real* const u[3], double spacing, const CellRun* run, int first)
{
    Lanes slack[2];
    int left = run->count - first, count = left < LANES ? left : LANES;
    double measure = INFINITY, height = INFINITY;
    Rows rows[3];
    for (int k = 0; k < 3; ++k)
    {
        const Real* at = u[k] + run->first + first;
        rows[k] = (Rows){ at + run->offset[0], at + run->offset[1], at + run->offset[2], at + run->offset[3] };
    }
    LookAtLanes(rows, (Real)(1.0 / spacing), slack[0], slack[1]);
    for (int i = 0; i < count; ++i)
    {
        measure = LeastOf(measure, (double)slack[0][i]);
        height = LeastOf(height, (double)slack[1][i]);
    }
    return (rslPieceSlack){ spacing * measure, spacing * height };
}
