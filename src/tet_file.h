// SPDX-License-Identifier: MIT
//
// tet_file.h: tetrahedra or hexahedra from the text of a mesh file.

#pragma once

#include "tet_mesh.h"

// Gmsh's .msh (ASCII, 2.2 and 4.1) or a legacy .vtk file (ASCII, UNSTRUCTURED_GRID); the text itself says which. corners: 4
// for tetrahedra; 8 for hexahedra, which are then what the file has in the place of tetrahedra, four corners counter-clockwise
// seen from above and the four above them. Other cells are passed over, with a warning where they fill space. Messages name
// lines of the file.
rslStatus rslCellFile_Parse(const char* text, size_t length, int corners, const rslHooks* hooks, rslTetMesh* file,
                            rslReport* report);
