// SPDX-License-Identifier: MIT
//
// elementary.h: sine, cosine, logarithm, exponential and cube root of our own, so that every libm gives the same bits. Built from IEEE operations alone.

#pragma once

#include "resilin/base.h"

// Within 1 ulp for |x| <= 1e5; larger arguments are reduced with less accuracy; NaN for non-finite ones.
double rslSin(double x);
double rslCos(double x);

// The angle in [0, pi] between the x axis and (x, y), y >= 0; not both zero. Within 1e-15.
double rslAngle(double x, double y);

// The angle of (x, y) in (-pi, pi], 0 when both are zero. Within 1e-15 (arc_tangent.h).
double rslArcTangent(double y, double x);

// Of an angle in degrees; exact at multiples of 90.
double rslSinDegrees(double degrees);
double rslCosDegrees(double degrees);

// Of x >= 0, within 2 ulp.
double rslCubeRoot(double x);

// The natural logarithm of x > 0, within 2 ulp.
double rslLn(double x);

// e^x, within 2 ulp for |x| <= 700; larger ones are taken as that.
double rslExp(double x);

// The rotation about a vector by its length.
rslQuat rslQuatFromTurn(rslVec3 turn);

// The rotation by an angle in degrees about an axis of any positive length (a zero axis gives no rotation).
rslQuat rslQuatFromDegrees(rslVec3 axis, double degrees);
