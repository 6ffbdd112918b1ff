// SPDX-License-Identifier: MIT
//
// hand_snapshot.h: small snapshots made by hand, for the tests of exporters and pictures.

#pragma once

#include "resilin/export.h"

// Arrays of a snapshot that the caller fills; from malloc, released by FreeHand.
rslSnapshot MakeHand(int nodes, int springs, int vertices, int triangles, int bodies);
void FreeHand(rslSnapshot* snapshot);

// Balls of the given centres, one body each: a surface of rings x 2 rings vertices; a node a vertex.
rslSnapshot MakeBalls(const rslVec3* centres, const double* radii, int count, int rings);

// n^3 nodes at a distance of 0.1 m with springs along the edges and one family of face diagonals, pressed at the bottom
// and pulled at the top; no surface.
rslSnapshot MakeBlock(int n);

// A sheet in the plane z = 0 of n x n nodes, 0.1 m apart, sagging downwards in y; triangles and springs.
rslSnapshot MakeSheet(int n);
