// SPDX-License-Identifier: MIT
//
// gmsh.h: shapes filled with tetrahedra by Gmsh.

#pragma once

#include "resilin/shape.h"

// Fill the shape of a body of a scene that was read, and give the tetrahedra to its network. Gmsh has one state for the whole
// process: no two threads at a time. A build without Gmsh says so.
rslStatus rslGmsh_Fill(rslScene* scene, const rslBodyDef* body, const rslHooks* hooks, rslReport* report);
