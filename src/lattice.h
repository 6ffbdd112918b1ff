// SPDX-License-Identifier: MIT
//
// lattice.h: questions to a cubic lattice: which nodes exist, and which springs with which constants.
//
// Springs are never stored. A node (i, j, k) has up to 26 neighbours: shell A along the edges of the cells (length a),
// shell B along the diagonals of their faces (a sqrt 2) and shell C along their body diagonals (a sqrt 3); a shell whose
// constants are 0 has no springs. The builder and the kernels share this order.

#pragma once

#include "resilin/model.h"
#include "memory.h"

enum
{
    RSL_LATTICE_HALF = RSL_LATTICE_BONDS,            // directions to later nodes
    RSL_LATTICE_DIRECTIONS = 2 * RSL_LATTICE_BONDS,  // HALF + d is the opposite of d
    RSL_LATTICE_FACE = 3,                            // the first direction of shell B
    RSL_LATTICE_BODY = 9                             // and of shell C
};

// x y z steps. The first half leads to later nodes in the order k, j, i.
static const int rslLatticeDirections[RSL_LATTICE_DIRECTIONS][3] = {
    { 1, 0, 0 },    { 0, 1, 0 },   { 0, 0, 1 },                                                // A
    { 1, 1, 0 },    { -1, 1, 0 },  { 1, 0, 1 },   { -1, 0, 1 },  { 0, 1, 1 },   { 0, -1, 1 },  // B
    { 1, 1, 1 },    { -1, 1, 1 },  { 1, -1, 1 },  { -1, -1, 1 },                               // C
    { -1, 0, 0 },   { 0, -1, 0 },  { 0, 0, -1 },                                               //
    { -1, -1, 0 },  { 1, -1, 0 },  { -1, 0, -1 }, { 1, 0, -1 },  { 0, -1, -1 }, { 0, 1, -1 },  //
    { -1, -1, -1 }, { 1, -1, -1 }, { -1, 1, -1 }, { 1, 1, -1 },
};

// 0, 1, 2: shell A, B, C. Axes that a bond follows, less one.
static inline int rslLattice_Shell(int direction)
{
    int d = direction % RSL_LATTICE_HALF;
    return d < RSL_LATTICE_FACE ? 0 : d < RSL_LATTICE_BODY ? 1 : 2;
}

// a, a sqrt 2 or a sqrt 3 [m].
double rslLattice_RestLength(const rslLattice* lattice, int direction);

// Weight of a cell; 0 outside of the grid.
double rslLattice_Weight(const rslLattice* lattice, int i, int j, int k);

// Index of a node within its body, -1 when there is none.
int rslLattice_Node(const rslLattice* lattice, int i, int j, int k);

// Constant of the spring that leaves node (i, j, k) in a direction [N/m]; 0 when there is none. The same bits from both
// ends.
double rslLattice_Stiffness(const rslLattice* lattice, int i, int j, int k, int direction);

// Find the nodes: fills extent, rows, rowCount and lineStart from construction, cells and weight. Returns the number of
// nodes, or -1 when out of memory or when there are more than INT_MAX.
int rslLattice_MakeRows(rslLattice* lattice, rslArena* arena);

// Constant of the damper beside that spring over its constant [s], when the body has the given ratio; the spring exists.
double rslLattice_DampingRatio(const rslLattice* lattice, int i, int j, int k, int direction, double stiffnessDamping);

// Share out what the cells have, times a factor, among their nodes: masses when they have weights and the factor is the mass of
// a full cell.
void rslLattice_Spread(const rslLattice* lattice, const double* cells, double factor, double* out);

// Every spring once, in the order of nodes, then of directions. a and b are indices within the body plus firstNode.
void rslLattice_VisitSprings(const rslLattice* lattice, int firstNode, double stiffnessDamping, rslSpringVisitor* visit,
                             void* context);

// Rest positions of the nodes [begin, end) in the body frame, indices within the body; x y z each.
void rslLattice_Rest(const rslLattice* lattice, int begin, int end, double* xyz);
