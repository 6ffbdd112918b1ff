// SPDX-License-Identifier: MIT
//
// mesh_parts.h: the connected parts of a mesh and which way they face.

#pragma once

#include "mesh_topology.h"
#include "mesh_tree.h"

// part[t] = the lowest triangle that t is connected with across edges; returns the number of parts.
int rslMesh_FindParts(const rslSides* sides, int triangleCount, int* part);

// wrong[t] is set for the lowest triangle t of each closed part that encloses a negative volume although it lies within
// an even number of others, or a positive one within an odd number (a cavity). Returns how many, -1 when out of memory.
int rslMesh_FindInsideOut(const rslMeshTree* tree, const int* part, bool* wrong);
