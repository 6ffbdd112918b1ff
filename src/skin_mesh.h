// SPDX-License-Identifier: MIT
//
// skin_mesh.h: the surface of a shape, about as fine as the nodes under it.

#pragma once

#include "resilin/shape.h"

// Triangles with edges of about the given length: larger ones are divided, a mesh that is far finer is extracted anew.
rslStatus rslShape_Skin(const rslShape* shape, double edge, const rslHooks* hooks, rslMesh* mesh, rslReport* report);
