// SPDX-License-Identifier: MIT
//
// mesh_builder.h: a mesh that grows vertex by vertex and triangle by triangle.

#pragma once

#include "resilin/shape.h"

// A failure is remembered, so that it is asked for once at the end.
typedef struct rslMeshBuilder
{
    rslMesh* mesh;  // starts empty, with complete hooks
    size_t vertexCapacity, triangleCapacity;
    bool failed;
} rslMeshBuilder;

// The number of the new vertex; 0 when out of memory.
int rslMeshBuilder_Vertex(rslMeshBuilder* builder, rslVec3 x);
void rslMeshBuilder_Triangle(rslMeshBuilder* builder, int a, int b, int c);

// The number of triangles at which a mesh is refused.
#define RSL_TRIANGLES_MOST 50000000
