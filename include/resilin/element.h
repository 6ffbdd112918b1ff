// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// element.h: finite elements to compare springs with.

#pragma once

#include "resilin/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // Stiffness of the linear triangle in plane stress [N/m], for small displacements. The corners and the rows of the
    // matrix are x0 y0 x1 y1 x2 y2 [m], the corners in either order; thickness [m]. Returns its area [m2]; without one
    // the matrix is zero.
    RSL_API double rslFiniteTriangle_Stiffness(const double corners[6], double young, double poisson, double thickness,
                                               double stiffness[6][6]);

#ifdef __cplusplus
}
#endif
