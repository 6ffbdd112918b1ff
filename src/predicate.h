// SPDX-License-Identifier: MIT
//
// predicate.h: on which side does a point lie? Exact answers for doubles of ordinary size (1e-90 to 1e90; of rslInSphere
// 1e-45 to 1e45).

#pragma once

// Of the triangle a b c in the plane: +1 counter-clockwise, -1 clockwise, 0 collinear.
int rslOrient2(double ax, double ay, double bx, double by, double cx, double cy);

// Of d and the plane through a, b, c (x y z each): +1 when a b c is clockwise seen from d, -1 when counter-clockwise,
// 0 when coplanar. The sign of det [a - d, b - d, c - d].
int rslOrient3(const double* a, const double* b, const double* c, const double* d);

// Of e and the sphere through a, b, c, d, for which rslOrient3 is +1: +1 inside, -1 outside, 0 on the sphere. The other way
// round where it is -1.
int rslInSphere(const double* a, const double* b, const double* c, const double* d, const double* e);
