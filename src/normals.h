// SPDX-License-Identifier: MIT
//
// normals.h: smooth normals of a triangle mesh.

#pragma once

#include "resilin/base.h"

// Unit normals of the vertices, weighted by area, x y z each; +z where no triangle gives one.
void rslNormals_Compute(const int* triangles, int triangleCount, const float* vertices, int vertexCount,
                        double* normals);
