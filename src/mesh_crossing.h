// SPDX-License-Identifier: MIT
//
// mesh_crossing.h: pairs of triangles of one mesh that cross.

#pragma once

#include "mesh_tree.h"

enum
{
    RSL_CROSSINGS_MOST = 1000000,  // counting stops here
};

// The number of pairs; *first gets the pair's lower triangle that is lowest. same: for each vertex the number it is
// known by (equal for vertices at one place); skip: triangles not looked at.
int rslMesh_CountCrossings(const rslMeshTree* tree, const int* same, const bool* skip, int* first);
