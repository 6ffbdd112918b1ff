// SPDX-License-Identifier: MIT
//
// tet_file.h: tetrahedra from the text of a mesh file.

#pragma once

#include "tet_mesh.h"

// Gmsh's .msh (ASCII, 2.2 and 4.1) or a legacy .vtk file (ASCII, UNSTRUCTURED_GRID); the text itself says which. Other cells
// than tetrahedra are passed over. Messages name lines of the file.
rslStatus rslTetFile_Parse(const char* text, size_t length, const rslHooks* hooks, rslTetMesh* file, rslReport* report);
