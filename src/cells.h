// SPDX-License-Identifier: MIT
//
// cells.h: a body from a list of cells, tetrahedra or hexahedra: its nodes, and the surface that the faces of one cell make.

#pragma once

#include "build.h"

enum
{
    RSL_CELL_CORNERS = 8
};

typedef struct rslCellKind
{
    const char *one, *many;  // names
    int corners, edgeCount, faceCount, faceCorners;
    const int (*edges)[2];
    const int (*faces)[4];  // seen from outside
} rslCellKind;

extern const rslCellKind rslTetrahedronCells, rslHexahedronCells;

typedef struct rslCells
{
    const rslCellKind* kind;
    const rslBodyDef* def;
    rslDraft draft;
    const double* nodes;  // as listed, or made
    const int* listed;    // corners of every cell, into that list
    int nodeCount, count;
    bool made;     // where they are: not scaled, turned and moved
    int* number;   // scratch: of every listed node its number in the body, or -1
    int* corners;  // scratch: of every cell in the body, in the order that edges and faces have
} rslCells;

// Nodes that a cell has, in the order of the list, and room for masses and springs. Corners are as listed.
rslStatus rslCells_MakeNodes(rslBuild* build, rslCells* cells);

static inline rslVec3 rslCells_At(const double* xyz, int node)
{
    xyz += 3 * (size_t)node;
    return (rslVec3){ xyz[0], xyz[1], xyz[2] };
}

static inline int* rslCells_Corners(const rslCells* cells, int index)
{
    return cells->corners + (size_t)cells->kind->corners * (size_t)index;
}

// Volume of a tetrahedron; its corners are put in the order that makes it positive.
double rslCells_Orient(const rslCells* cells, int index);

// Add an edge as a spring.
void rslCells_AddSpring(rslCells* cells, int a, int b, double stiffness, double damping);

// The surface of a body that is built. Refused where cells overlap: more than two share a face, or two on one side of it.
rslStatus rslCells_MakeSurface(rslBuild* build, const rslCells* cells, rslBody* body);

void rslCells_Free(rslCells* cells, const rslHooks* hooks);
