// SPDX-License-Identifier: MIT
//
// fit_rotation.h: the rotation that takes one shape nearest to another.

#pragma once

#include "vec.h"

// Q that maximises the sum of its products with A = sum m y X^T by rows, y and X arms from the centres of both shapes. Planar:
// about z alone.
rslQuat rslFitRotation(const double a[9], bool planar);

// The same; false where it may be another one, because the search was not at its end.
bool rslFindRotation(const double a[9], bool planar, rslQuat* rotation);
