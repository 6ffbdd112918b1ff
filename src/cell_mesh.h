// SPDX-License-Identifier: MIT
//
// cell_mesh.h: the part of a cube inside of a closed triangle mesh.

#pragma once

#include "cell_moments.h"
#include "mesh_tree.h"

// Add the part of the cube of the given centre and edge, in coordinates s with q = base + sum s_i axis_i for a point q of
// the mesh. The axes are orthogonal and of one length. Exact but for rounding.
void rslMoments_AddMesh(rslMoments* moments, double sign, rslVec3 centre, double edge, const rslMeshTree* mesh,
                        rslVec3 base, const rslVec3 axis[3]);
