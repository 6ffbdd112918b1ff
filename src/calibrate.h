// SPDX-License-Identifier: MIT
//
// calibrate.h: the constants of a network are set by what it measures as.

#pragma once

#include "build.h"

// Measure Young's modulus of a body that has just been built, along the axis that its network asks for, and scale its springs
// so that it is that of the material. Nothing is done when it asks for none.
rslStatus rslBuild_Calibrate(rslBuild* build, const rslBodyDef* def, rslBody* body);
