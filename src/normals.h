// SPDX-License-Identifier: MIT
//
// normals.h: smooth normals of a triangle mesh.

#pragma once

#include "resilin/base.h"

// Unit normals of the vertices, weighted by area, x y z each; +z where no triangle gives one.
void rslNormals_Compute(const int* triangles, int triangleCount, const float* vertices, int vertexCount,
                        double* normals);

// Unit normals of the three corners of every triangle, nine numbers each: smooth over the triangles around the vertex,
// except across an edge of more than 60 degrees. Scratch: first has room for vertexCount + 1, around for
// 3 triangleCount.
void rslNormals_ComputeCorners(const int* triangles, int triangleCount, const float* vertices, int vertexCount,
                               int* first, int* around, float* normals);
