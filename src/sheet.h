// SPDX-License-Identifier: MIT
//
// sheet.h: a membrane while it is made.

#pragma once

#include "build.h"
#include "vec.h"

typedef struct rslSheet
{
    rslDraft draft;
    int* triangles;  // scratch
    int triangleCount;
    bool closed;
    double area;
    double stretch;  // E h [N/m]
    double damping;  // alpha1 [s]
    double density;  // rho h [kg/m2]
    double spacing;  // of a grid [m]; 0: the mean edge
    int cells[2];    // of a grid of rectangles; 0: none
} rslSheet;

// False when out of memory.
bool rslSheet_Allocate(rslSheet* sheet, const rslHooks* hooks, int nodes, int springs, int triangles);

void rslSheet_AddSpring(rslSheet* sheet, int a, int b, double stiffness);

// rho h A / 3 on every corner. Returns the area.
double rslSheet_AddMass(rslSheet* sheet, const int corner[3]);

// k = E h A / L^2 on every edge of a triangle of area A.
void rslSheet_AddEdges(rslSheet* sheet, const int corner[3], double area);

// Triangles of a grid of rectangles with all diagonals rising, or falling.
void rslSheet_Split(const rslSheet* sheet, bool rising, int* triangles);

// Give a body the hinges of a sheet (build_bend.c).
rslStatus rslBuild_Bending(rslBuild* build, const rslBodyDef* def, const rslSheet* sheet, rslBody* body);

// The grid of a definition without a mesh (sheet_pattern.c).
rslStatus rslSheet_Pattern(rslBuild* build, const rslBodyDef* def, rslSheet* sheet);
