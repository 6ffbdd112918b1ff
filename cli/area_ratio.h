// SPDX-License-Identifier: MIT
//
// area_ratio.h: how far the triangles of a body are from collapse.

#pragma once

#include "resilin/state.h"

// The least area of a triangle over its area at rest: in a 2D scene signed, so that one turned inside out is negative. With which
// one it is, when asked for. 1 for a body without triangles.
double cliAreaRatio_Least(const rslModel* model, const rslState* state, int body, int* triangle);
