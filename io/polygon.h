// SPDX-License-Identifier: MIT
//
// polygon.h: cutting a polygon into triangles.

#pragma once

enum
{
    RSL_POLYGON_MOST = 256,  // corners
};

// Cut the polygon with the given corners (indices into points, x y z each) into count - 2 triangles, three places in the
// list of corners each. count is 3 to RSL_POLYGON_MOST. A polygon that is not flat and simple gives some triangulation.
void rslPolygon_Cut(const float* points, const unsigned* corners, int count, int* triangles);
