// SPDX-License-Identifier: MIT
//
// tet_points.h: where a mesher puts its nodes.

#pragma once

#include "tet_mesh.h"

typedef struct rslTetPoints
{
    double* xyz;       // [m]
    int count;         // those on the surface first
    int surfaceCount;  // how many of them
    double* depth;     // of those inside: a ball of this radius is in the shape [m]
    // a grid to find near ones
    rslVec3 corner;
    double side;
    int cells[3];
    int* first;  // of every cell its last point + 1, 0: none
    int* next;   // of every point the one before it in its cell + 1
    size_t room, depthRoom, nextRoom;
    rslHooks hooks;
} rslTetPoints;

// A grid that fits a box, in the axes of the shape: all nodes count as surface.
rslStatus rslTetPoints_Box(const rslShape* shape, const rslMesherDef* def, rslTetPoints* points, rslReport* report);

// Points on the surface of any shape and inside of it, in the world.
rslStatus rslTetPoints_Fill(const rslShape* shape, const rslMesherDef* def, rslTetPoints* points, rslReport* report);

void rslTetPoints_Free(rslTetPoints* points);
